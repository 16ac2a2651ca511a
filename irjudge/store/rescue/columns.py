"""Saves the runs, qrels and pools of a damaged project, topic by topic."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irjudge.store.balance import BalancePart, RescueReport, insert
from irjudge.store.connection import Connection
from irjudge.store.rescue.damaged_rows import highest_row, rows_of


@dataclass(frozen=True, slots=True)
class ColumnTables:
    """A table of heads and the table of its topics: which columns stand side by side, and the bytes of one value in each."""

    part: str
    head: str
    head_columns: tuple[str, ...]
    topics: str
    owner: str
    columns: tuple[str, ...]
    sizes: tuple[int, ...]
    more: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()  # columns of the head that are JSON
    apart: tuple[str, ...] = ()  # further columns of numbers of 4 bytes that stand side by side, the first of them document codes


TABLES = (
    ColumnTables(
        "runs", "run", ("name", "source", "rows", "removed"), "run_topic", "run", ("document", "score", "rank", "line"), (4, 8, 4, 8)
    ),
    ColumnTables(
        "qrels",
        "qrels",
        ("name", "source", "groups", "rows"),
        "qrels_topic",
        "qrels",
        ("document", "grade", "grp"),
        (4, 4, 4),
        (),
        ("groups",),
    ),
    ColumnTables(
        "pools",
        "pool",
        ("strategy", "parameters", "runs", "rows"),
        "pool_topic",
        "pool",
        ("document", "contributions", "stratum", "probability"),
        (4, 4, 4, 8),
        ("contribution_run", "contribution_rank"),
        ("parameters", "runs"),
        ("undrawn", "undrawn_stratum"),
    ),
)


def rescue_columns(source: Connection, target: Connection, report: RescueReport) -> None:
    """Copy what can be read; a topic whose columns do not fit together, or name a lost document, is lost."""
    known = np.array([row[0] for row in target.all("SELECT code FROM document ORDER BY code")], dtype=np.int64)
    for table in TABLES:
        heads = _heads(source, target, table, report.parts[table.part])
        if table.head == "run":
            _metadata(source, target, report.parts[table.part], heads)
        _topic_rows(source, target, table, report.parts[table.part], heads, known)
        target.execute(
            f"UPDATE {table.head} SET rows = (SELECT coalesce(sum(length(document)), 0) / 4 FROM {table.topics} "
            f"WHERE {table.owner} = {table.head}.rowid)"
        )


def _heads(source: Connection, target: Connection, table: ColumnTables, part: BalancePart) -> set[int]:
    """Copy the heads and return their codes; a head that is lost takes its topics with it."""
    key = "version" if table.head == "pool" else "code"
    heads, scrap = set(), BalancePart("heads")
    marks = ", ".join("?" * (len(table.head_columns) + 1))
    statement = f"INSERT INTO {table.head} ({key}, {', '.join(table.head_columns)}) VALUES ({marks})"
    for code, row in rows_of(source, table.head, table.head_columns, highest_row(source, table.head)):
        sound = row is not None and all(reads_as_json(row[table.head_columns.index(name)]) for name in table.texts)
        if row is not None and sound and insert(target, scrap, statement, (code, *row)):
            heads.add(code)
        else:
            part.lost += 1
    return heads


def _metadata(source: Connection, target: Connection, part: BalancePart, runs: set[int]) -> None:
    """Copy what runs say of themselves; older forms keep nothing of it."""
    for run, row in rows_of(source, "run_metadata", ("text",), highest_row(source, "run_metadata")):
        if row is None:
            part.lost += 1
        elif run in runs:
            insert(target, BalancePart("metadata"), "INSERT INTO run_metadata (run, text) VALUES (?, ?)", (run, *row))


def reads_as_json(text: Any) -> bool:
    """Tell whether a text is a JSON list or object."""
    try:
        return isinstance(json.loads(text), list | dict)
    except (ValueError, TypeError, RecursionError):
        return False


def _topic_rows(source: Connection, target: Connection, table: ColumnTables, part: BalancePart, heads: set[int], known: np.ndarray) -> None:
    names = (table.owner, "place", "topic", *table.columns, *table.more, *table.apart)
    statement = f"INSERT INTO {table.topics} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    for _, row in rows_of(source, table.topics, names, highest_row(source, table.topics)):
        if row is None or row[0] not in heads or not _side_by_side(row, table, known):
            part.lost += 1
        else:
            insert(target, part, statement, row)


def _side_by_side(row: tuple[Any, ...], table: ColumnTables, known: np.ndarray) -> bool:
    """Tell whether the columns are of one length and name documents that are there."""
    blobs = row[3:]
    if not all(isinstance(blob, bytes) for blob in blobs):
        return False
    first = len(table.columns)
    apart = blobs[first + len(table.more) :]
    if not _one_length(blobs[:first], table.sizes, known) or (apart and not _one_length(apart, [4] * len(apart), known)):
        return False
    if not table.more:
        return True
    counts = np.frombuffer(blobs[1], "<i4").astype(np.int64)
    return bool((counts >= 0).all()) and {len(blob) for blob in blobs[first : first + len(table.more)]} == {int(counts.sum()) * 4}


def _one_length(blobs: Sequence[bytes], sizes: Sequence[int], known: np.ndarray) -> bool:
    """Tell whether columns have as many values each, and the first names documents that are there."""
    lengths = {len(blob) / size for blob, size in zip(blobs, sizes, strict=True)}
    return len(lengths) == 1 and lengths.pop().is_integer() and bool(np.isin(np.frombuffer(blobs[0], "<i4"), known).all())
