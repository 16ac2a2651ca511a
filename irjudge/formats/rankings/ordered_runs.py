"""Runs of which it is known where each row ranks before any is read: the documents are then all that is read of them."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError
from irjudge.formats.bytes.atomic_write import replacing
from irjudge.formats.rankings.column_runs import DOCUMENTS, ORDERED, ColumnRun
from irjudge.formats.rows.checksums import Checksums
from irjudge.formats.rows.column_groups import ColumnFile, RowGroups, cast
from irjudge.formats.rows.read_in_threads import Irregular
from irjudge.model.ranking import (
    Ints,
    Longs,
    Run,
    column_of,
    moved_rows,
    strings_of,
    tied_documents,
    values_of,
)

KNOWN = b"irjudge.known"
NAME = "_order.parquet"
FEW = 4  # no more than one row in so many ranks elsewhere


@dataclass(frozen=True, slots=True, eq=False)
class RunOrder:
    """What is known of a run's rows before any is read: they stand by topic, and rank as trec_eval has it where they stand, but for few."""

    topics: tuple[str, ...]
    starts: Longs  # shape (T + 1,)
    # the rows that do not rank where they stand, ascending, and where they do: most are of equal scores
    moved: Longs
    places: Longs
    tied: int  # documents that share their score with another of the same topic

    def placed(self, rows: Longs) -> Longs:
        """Return where rows rank, as places among all rows."""
        if not len(self.moved):
            return rows
        at = np.minimum(np.searchsorted(self.moved, rows), len(self.moved) - 1)
        return np.where(self.moved[at] == rows, self.places[at], rows)


def order_in(run: Run) -> RunOrder | None:
    """Return what is known of a run in memory; None where too many rows do not rank where they stand."""
    found = moved_rows(run) or (np.empty(0, np.int64), np.empty(0, np.int64))
    away = found[0] != found[1]
    places, moved = (each[away] for each in found)
    if len(moved) * FEW > len(run):
        return None
    by_row = np.argsort(moved)
    return RunOrder(run.topics, run.starts, moved[by_row], places[by_row], tied_documents(run))


def write_order(file: Path, order: RunOrder, checksums: Checksums) -> None:
    """Write beside the file of a run what is known of its rows."""
    from pyarrow.parquet import write_table  # noqa: PLC0415 -- few commands write it

    known = {"of": _mark(RowGroups.of(ColumnFile(file))), "tied": order.tied}
    begins = column_of(np.searchsorted(order.moved, order.starts).astype(np.int32))
    moved, places = (
        pa.ListArray.from_arrays(begins, column_of(each)) for each in (order.moved, order.places)
    )
    table = pa.table(
        {
            "topic": strings_of(order.topics),
            "rows": column_of(np.diff(order.starts)),
            "moved": moved,
            "places": places,
        }
    )
    with replacing(file.parent / NAME) as part:
        with part.open("wb") as written:
            table = table.replace_schema_metadata({KNOWN: json.dumps(known)})
            write_table(table, written, compression="zstd")
        checksums.add(file.parent, NAME, part)


def order_of(run: ColumnRun) -> RunOrder | None:
    """Return what is known of a run's rows; None where nothing is, and where the file was written again by others."""
    part = run.table.parts[0]
    named = (part.schema.metadata or {}).get(ORDERED)
    if len(run.table.parts) > 1 or named is None:
        return None
    try:
        order = RowGroups.of(part.file.beside(named.decode()))
        known = json.loads((order.schema.metadata or {})[KNOWN])
        if known["of"] != _mark(part):
            return None
        table = pa.concat_tables(
            [read() for _, _, read in order.pieces(["topic", "rows", "moved", "places"])]
        )
        topics = tuple(cast(table["topic"], pa.string()).to_pylist())
        starts = np.concatenate(([0], np.cumsum(values_of(table["rows"]))))
        moved, places = (
            values_of(table[name].combine_chunks().flatten()) for name in ("moved", "places")
        )
        found = RunOrder(topics, starts, moved, places, known["tied"])
        return found if _is_possible(found, sum(part.sizes)) else None
    except FormatError as fault:
        if part.checksums is not None and not isinstance(fault.__cause__, FileNotFoundError):
            raise
        return None
    except (Irregular, pa.ArrowException, LookupError, TypeError, ValueError, AttributeError):
        return None


def _is_possible(order: RunOrder, rows: int) -> bool:
    """Return whether what a file says of a run may be true of one of so many rows."""
    starts, moved, places = order.starts, order.moved, order.places
    if starts[-1] != rows or not (np.diff(starts) > 0).all():
        return False
    topic = [np.searchsorted(starts, each, side="right") for each in (moved, places)]
    return (
        len({*order.topics} - {None}) == len(order.topics)
        and isinstance(order.tied, int)
        and 0 <= order.tied <= rows
        and bool((np.diff(moved) > 0).all())
        and np.array_equal(np.sort(places), moved)  # they change places among themselves
        and np.array_equal(topic[0], topic[1])
        and (not len(moved) or (moved[0] >= 0 and moved[-1] < rows))
    )


def _mark(part: RowGroups) -> str:
    """Return what tells a file from any that was written again: its size, and the hash of where and how all its columns lie."""
    with part.file.open() as source:
        size, end = source.size(), part.about.serialized_size + 8
        source.seek(size - end)
        return f"{size}:{blake2b(source.read(end), digest_size=16).hexdigest()}"


def documents_of(run: ColumnRun) -> Iterator[Callable[[], tuple[Longs | Ints, int]]]:
    """Yield what reads the documents of each row group as numbers, with the place of its first row among all."""
    part, column = run.table.parts[0], run.table.places[DOCUMENTS]
    first = 0
    for group, rows in enumerate(part.sizes):
        yield partial(_documents, part, group, column, first)
        first += rows


def _documents(part: RowGroups, group: int, column: str, first: int) -> tuple[Longs | Ints, int]:
    return values_of(part.read(group, [column])[column]), first
