"""Check on opening whether a project file is damaged."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from irjudge.errors import IrjudgeError, ProjectDamaged, ProjectError
from irjudge.model import Scale
from irjudge.store.checksums import SEALED, Sealed, differing_groups
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
        When something does not fit; the code that describes damage is loaded only then.
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
        changed = _first_misfit(connection, SEALED if small else HEADS)
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
    _look_at_events(connection, events)
    if changed:
        raise ProjectDamaged(
            "{connection} is damaged: {first}", connection=connection.name, first=changed
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


def _look_at_events(connection: Connection, events: Sequence[Sequence[Any]]) -> None:
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


def _first_misfit(connection: Connection, tables: Sequence[Sealed]) -> str:
    """Return a sentence about the first thing that does not fit its hash; empty where all fit."""
    if next(differing_groups(connection, tables), None) is None:
        return ""
    from irjudge.store.verify import misfits  # noqa: PLC0415 -- for damaged files alone

    return misfits(connection, tables)[0]


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
