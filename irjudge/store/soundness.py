"""Check on opening whether a project file is damaged."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from irjudge.errors import IrjudgeError, ProjectDamaged, ProjectError
from irjudge.message import Message
from irjudge.model import Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.checksums import SEALED, Group, Sealed, digest_of, groups_of, rows_in
from irjudge.store.connection import ODD, ODD_VALUE, Connection, is_damage
from irjudge.store.schema import HEADER_CHANGED, header_is_sound

SMALL = 4_000_000  # bytes of a file whose pages are looked at on opening
MOST_DIGITS = 100  # of a seed
HEADS = tuple(sealed for sealed in SEALED if not sealed.wide)
JSON_COLUMNS = {"qrels": ("groups",), "pool": ("parameters", "runs")}  # by table


def check_soundness(connection: Connection) -> None:
    """Check on opening whether a project can be worked with: settings, topics, events, and the pages of a small file.

    Raises
    ------
    ProjectDamaged
        When something does not fit.
    """
    try:
        facts = dict(connection.all("SELECT name, value FROM fact"))
        connection.all("SELECT id, title, description, narrative FROM topic")
        heads = [
            text
            for table, columns in JSON_COLUMNS.items()
            for name in columns
            for (text,) in connection.all(f"SELECT {name} FROM {table}")
        ]
        events = connection.all("SELECT digest, body FROM event ORDER BY sequence")
        small = connection.path.stat().st_size <= SMALL
        changed = misfits(connection, SEALED if small else HEADS)
        pages = connection.one("PRAGMA quick_check(1)")[0] if small else "ok"
        sound_header = header_is_sound(connection.path)
    except ProjectError as fault:
        if not is_damage(fault.__cause__):
            raise
        raise ProjectDamaged(
            "{connection} is damaged: {fault}", connection=connection.name, fault=fault
        ) from fault
    except ODD as fault:
        raise ProjectDamaged(
            "{connection} is damaged: {problem}.", connection=connection.name, problem=ODD_VALUE
        ) from fault
    _check_settings(connection, facts, heads)
    _check_events(connection, events)
    if changed:
        raise ProjectDamaged(
            "{connection} is damaged: {first}", connection=connection.name, first=changed[0]
        )
    if not sound_header:
        raise ProjectDamaged(
            "{connection} is damaged: {problem}.",
            connection=connection.name,
            problem=HEADER_CHANGED,
        )
    if pages != "ok":
        raise ProjectDamaged(
            "{connection} is damaged: its pages do not fit together ({splitlines}).",
            connection=connection.name,
            splitlines=str(pages).splitlines()[-1].rstrip("."),
        )


def _check_settings(connection: Connection, facts: Mapping[str, Any], heads: Sequence[Any]) -> None:
    unfit = [
        name
        for name, sound in SOUND.items()
        if name in facts and not (isinstance(facts[name], str) and sound(facts[name]))
    ]
    if unfit:
        raise ProjectDamaged(
            "{connection} is damaged: its setting {first} does not read as one.",
            connection=connection.name,
            first=unfit[0],
        )
    if not all(map(reads_as_json, heads)):
        raise ProjectDamaged(
            "{connection} is damaged: what it says about its qrels or pools does not read as such.",
            connection=connection.name,
        )


def _check_events(connection: Connection, events: Sequence[Sequence[Any]]) -> None:
    bad = next(
        (number for number, (digest, body) in enumerate(events, 1) if not fits(digest, body)), None
    )
    if bad:
        raise ProjectDamaged(
            "{connection} is damaged: event {bad:,} of {events:,} does not fit its hash.",
            connection=connection.name,
            bad=bad,
            events=len(events),
        )


def fits(digest: Any, body: Any) -> bool:
    """Tell whether bytes fit the hash they are stored under."""
    return isinstance(body, bytes) and hashlib.sha256(body).digest() == digest


def reads_as_json(text: Any) -> bool:
    """Tell whether a text is a JSON list or object."""
    try:
        return isinstance(json.loads(text), list | dict)
    except (ValueError, TypeError, RecursionError):
        return False


def _sound_scale(text: str) -> bool:
    try:
        Scale.from_json(text)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        IrjudgeError,
    ):
        return False
    return True


def _sound_calibration(text: str) -> bool:
    try:
        return all(
            isinstance(grade, int)
            for grades in json.loads(text).values()
            for grade in grades.values()
        )
    except (ValueError, AttributeError, RecursionError):
        return False


# Facts that others rely on: what must hold of their text.
SOUND: dict[str, Callable[[str], bool]] = {
    "scale": _sound_scale,
    "seed": lambda text: text.isascii() and text.isdigit() and len(text) < MOST_DIGITS,
    "owner": lambda text: bool(text.strip()),
    "calibration": _sound_calibration,
}


# Hashes of what is stored beside events and texts

NAMED = 5  # of the things of one kind that do not fit

CHANGED = Message("it does not fit its hash, so it was changed")
STRANGE = Message("it has no hash, so something else than irjudge wrote it")
MISSING = Message("it is missing")
UNKNOWN = Message("Some hashes are of things that irjudge does not know, so they were changed.")
Misfit = tuple[Sealed | None, Group, Message]


def is_sealed(connection: Connection) -> bool:
    """Tell whether a file keeps hashes of all it holds; older forms do not."""
    asked = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'seal'"
    return connection.one(asked) is not None


def differing_groups(
    connection: Connection, tables: Sequence[Sealed] = SEALED, progress: Progress = SILENT
) -> Iterator[Misfit]:
    """Yield (table, group, what is wrong) of each group of rows that does not fit its hash.

    A hash of an unknown table comes last, without a table. Files of older forms keep no hashes.
    """
    if not is_sealed(connection):
        return
    kept: dict[Any, dict[Group, Any]] = {sealed.table: {} for sealed in tables}
    asked = (
        f"SELECT part, key, place, digest FROM seal WHERE part IN ({', '.join('?' * len(kept))})"
    )
    for part, key, place, digest in connection.all(asked, tuple(kept)):
        kept.setdefault(part, {})[key, place] = (
            digest  # a damaged name can stand among the ones that were asked for
        )
    for sealed in tables:
        digests = kept.pop(sealed.table)
        for group, rows in _groups(connection, sealed, progress):
            digest = digests.pop(group, None)
            if digest != digest_of(rows):
                yield sealed, group, STRANGE if digest is None else CHANGED
        yield from ((sealed, group, MISSING) for group in digests)
    if kept:
        yield None, ("", 0), UNKNOWN


def _groups(
    connection: Connection, sealed: Sealed, progress: Progress
) -> Iterator[tuple[Group, list[Any]]]:
    """Yield each group and its rows: large rows a few at a time, since a long read would keep others from saving."""
    if sealed.wide:
        names = connection.all(groups_of(sealed))
        for key, place in progress.through(names, Message("Checking hashes"), total=len(names)):
            yield (key, place), connection.all(*rows_in(sealed, key, place))
        return
    query = f"SELECT {sealed.key}, {sealed.place}, * FROM {sealed.table} ORDER BY {sealed.key}, {sealed.order}"
    for group, rows in groupby(connection.all(query), key=lambda row: (row[0], row[1])):
        yield group, [row[2:] for row in rows]


def misfits(
    connection: Connection, tables: Sequence[Sealed] = SEALED, progress: Progress = SILENT
) -> list[str]:
    """Return a sentence for each thing that does not fit its hash; none in a file of an older form, which keeps no hashes."""
    found: list[str] = []
    for sealed, wrong in groupby(differing_groups(connection, tables, progress), itemgetter(0)):
        if sealed is None:
            return [*found, UNKNOWN]
        groups = [(group, problem) for _, group, problem in wrong]
        found += [
            f"{sealed.what} {_label(connection, sealed, group)}: {problem}."
            for group, problem in groups[:NAMED]
        ]
        if len(groups) > NAMED:
            found.append(
                Message(
                    "{what}: {wrong:,} more do not fit their hashes.",
                    what=sealed.what,
                    wrong=len(groups) - NAMED,
                )
            )
    return found


def _label(connection: Connection, sealed: Sealed, group: Group) -> str:
    rows, values = rows_in(sealed, *group)
    try:
        found = connection.one(rows.replace("SELECT *", f"SELECT {sealed.label}", 1), values)
    except ProjectError:
        found = None
    name = found[0] if found and found[0] is not None else group[0]
    return "".join(letter for letter in str(name)[:80] if letter.isprintable())
