"""Reads what is left of a damaged file: row by row, around what cannot be read."""

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from irjudge.errors import ProjectError
from irjudge.store.connection import FAULTS, Connection

AT_ONCE = 64
GIVE_UP = 5000  # rows in a row that cannot be read, where nobody knows how many there were


def rows_of(
    source: Connection, table: str, columns: Sequence[str], highest: int | None
) -> Iterator[tuple[int, tuple[Any, ...] | None]]:
    """Yield (row number, columns) of a table, and (row number, None) for each row that was there and cannot be read."""
    one = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED WHERE rowid = ?"
    after, there = 0, True
    lost: list[int] = []
    while after < highest if highest is not None else len(lost) <= GIVE_UP:
        rows = (
            _some(source, table, columns, after, highest) if there else None
        )  # else they would meet what it met
        if rows == []:
            return
        if rows is None:
            after += 1
            row, there = _single(source, one, after)
            if not there:
                lost.append(after)
                if highest is not None:
                    yield after, None
                continue
            rows = [] if row is None else [(after, *row)]
        for number, *values in rows:
            if highest is None:
                yield from ((each, None) for each in lost)
            lost.clear()
            yield number, tuple(values)
            after = number


def _some(
    source: Connection, table: str, columns: Sequence[str], after: int, highest: int | None
) -> list[Any] | None:
    """Return the next rows; None where some of them cannot be read or come in no order."""
    query = f"SELECT rowid, {', '.join(columns)} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT {AT_ONCE}"
    try:
        rows = source.all(query, (after,))
    except ProjectError:
        return None
    numbers = [after, *(row[0] for row in rows)]
    in_order = all(one < other for one, other in itertools.pairwise(numbers))
    return rows if in_order and (highest is None or numbers[-1] <= highest) else None


def _single(source: Connection, query: str, number: int) -> tuple[tuple[Any, ...] | None, bool]:
    """Return a row (None where there is none), and whether that could be read."""
    try:
        with contextlib.closing(source.execute(query, (number,))) as cursor:
            return cursor.fetchone(), True
    except FAULTS:  # nobody reads a sentence about each of thousands, which would take longer to say than to find
        return None, False


def highest_row(source: Connection, table: str) -> int | None:
    """Return the last row number of a table; None where it cannot be known."""
    numbers = []
    for query in (
        f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'",
        f"SELECT coalesce(max(rowid), 0) FROM {table} NOT INDEXED",
    ):
        with contextlib.suppress(ProjectError):
            numbers += [row[0] for row in source.all(query)]
    plausible = range(source.path.stat().st_size)  # a row takes more than a byte
    return max(
        (number for number in numbers if isinstance(number, int) and number in plausible),
        default=None,
    )


def last_number(source: Connection, table: str) -> int | None:
    """Return the last row number that a table ever gave, as SQLite noted it; None where that cannot be read."""
    try:
        rows = source.all("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
    except ProjectError:
        return None
    number = rows[0][0] if rows else 0
    return number if isinstance(number, int) and 0 <= number <= source.path.stat().st_size else None


def from_index(source: Connection, query: str, kind: type) -> list[Any]:
    """Return what an index holds, read from both ends."""
    rows = source.readable(query) + source.readable(f"{query} DESC")
    return [row for row in rows if isinstance(row[0], kind) and isinstance(row[1], int)]


def facts_of(source: Connection, names: Sequence[str]) -> dict[str, str]:
    """Return the facts that can be read: from both ends of the table, and by the names that are known."""
    rows = source.readable("SELECT name, value FROM fact ORDER BY name") + source.readable(
        "SELECT name, value FROM fact ORDER BY name DESC"
    )
    for name in names:
        with contextlib.suppress(ProjectError):
            rows += source.all("SELECT name, value FROM fact WHERE name = ?", (name,))
    return {name: value for name, value in rows if isinstance(name, str) and isinstance(value, str)}
