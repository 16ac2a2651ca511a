"""Whether what a project file holds fits the hashes that it keeps of it."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from irjudge.errors import ProjectError
from irjudge.message import Message
from irjudge.progress import SILENT, Progress
from irjudge.store.connection import Connection
from irjudge.store.seals import SEALED, Group, Sealed, digest_of, groups_of, rows_in

NAMED = 5  # of the things of one kind that do not fit
CHANGED = Message("it does not fit its hash, so it was changed")
STRANGE = Message("it has no hash, so something else than irjudge wrote it")
MISSING = Message("it is missing")
UNKNOWN = Message("Some hashes are of things that irjudge does not know, so they were changed.")
SMALL = tuple(sealed for sealed in SEALED if not sealed.wide)


def is_sealed(connection: Connection) -> bool:
    """Tell whether a file keeps hashes of all it holds; older forms do not."""
    return connection.one("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'seal'") is not None


def misfits(connection: Connection, tables: Sequence[Sealed] = SEALED, progress: Progress = SILENT) -> list[str]:
    """Return a sentence for each thing that does not fit its hash; none in a file of an older form, which keeps no hashes."""
    if not is_sealed(connection):
        return []
    kept: dict[Any, dict[Group, Any]] = {sealed.table: {} for sealed in tables}
    asked = f"SELECT part, key, place, digest FROM seal WHERE part IN ({', '.join('?' * len(kept))})"
    for part, key, place, digest in connection.all(asked, tuple(kept)):
        kept.setdefault(part, {})[key, place] = digest  # a damaged name can stand among the ones that were asked for
    found = [sentence for sealed in tables for sentence in _misfits(connection, sealed, kept.pop(sealed.table), progress)]
    return found + ([UNKNOWN] if kept else [])


def _misfits(connection: Connection, sealed: Sealed, kept: dict[Group, Any], progress: Progress) -> Iterator[str]:
    wrong = []
    for group, rows in _groups(connection, sealed, progress):
        digest = kept.pop(group, None)
        if digest != digest_of(rows):
            wrong.append((group, STRANGE if digest is None else CHANGED))
    wrong += [(group, MISSING) for group in kept]
    for group, problem in wrong[:NAMED]:
        yield f"{sealed.what} {_label(connection, sealed, group)}: {problem}."
    if len(wrong) > NAMED:
        yield Message("{what}: {wrong:,} more do not fit their hashes.", what=sealed.what, wrong=len(wrong) - NAMED)


def _groups(connection: Connection, sealed: Sealed, progress: Progress) -> Iterator[tuple[Group, list[Any]]]:
    """Yield each group and its rows: large rows a few at a time, since a long read would keep others from saving."""
    if sealed.wide:
        names = connection.all(groups_of(sealed))
        for key, place in progress.through(names, Message("Checking hashes"), total=len(names)):
            yield (key, place), connection.all(*rows_in(sealed, key, place))
        return
    query = f"SELECT {sealed.key}, {sealed.place}, * FROM {sealed.table} ORDER BY {sealed.key}, {sealed.order}"
    for group, rows in groupby(connection.all(query), key=lambda row: (row[0], row[1])):
        yield group, [row[2:] for row in rows]


def _label(connection: Connection, sealed: Sealed, group: Group) -> str:
    rows, values = rows_in(sealed, *group)
    try:
        found = connection.one(rows.replace("SELECT *", f"SELECT {sealed.label}", 1), values)
    except ProjectError:
        found = None
    name = found[0] if found and found[0] is not None else group[0]
    return "".join(letter for letter in str(name)[:80] if letter.isprintable())
