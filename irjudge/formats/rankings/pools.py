"""Pools as tables: topic, document, order, stratum, probability, rank, runs; what chance left out has no order."""

import csv
import io
import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from irjudge.errors import FormatError
from irjudge.formats.bytes.utf8 import decoded
from irjudge.formats.rows.cells import restored
from irjudge.message import Message
from irjudge.model.arrow import strings_of
from irjudge.model.pool import Pool, Undrawn
from irjudge.model.ranking import rows_to_topics, starts_of

COLUMNS = ("topic", "document", "order", "stratum", "probability", "rank", "runs")
NEEDED = COLUMNS[:5]
STRATUM = re.compile(r"[0-9]{1,3}")


def pool_rows(pool: Pool) -> Iterator[tuple[str, str, int | None, int, float | None, int | None, str]]:
    """Yield a row of `COLUMNS` for each pooled document in pool order, then one for each that chance left out.

    The order counts from 1 within a topic, the rank is the best, and the runs have their ranks behind them.
    """
    topics, begins = pool.topic.tolist(), pool.contribution_starts.tolist()
    runs, ranks = pool.contribution_run.tolist(), pool.contribution_rank.tolist()
    columns = zip(pool.document.to_pylist(), topics, pool.stratum.tolist(), pool.probability.tolist(), strict=True)
    for place, (document, topic, stratum, probability) in enumerate(columns):
        mine = range(begins[place], begins[place + 1])
        brought = ", ".join(f"{pool.runs[runs[at]]} ({ranks[at]})" for at in mine)
        best = min((ranks[at] for at in mine), default=None)
        yield pool.topics[topic], document, place - int(pool.starts[topic]) + 1, stratum, probability, best, brought
    left = zip(rows_to_topics(pool.undrawn.starts).tolist(), pool.undrawn.document.to_pylist(), pool.undrawn.stratum.tolist(), strict=True)
    yield from ((pool.topics[topic], document, None, stratum, None, None, "") for topic, document, stratum in left)


def read_pool(path: Path) -> Pool:
    """Read a pool that was written as a table, with commas: who brought its documents is not read."""
    try:
        table = csv.DictReader(io.StringIO(decoded(path.read_bytes(), path), newline=""))
        return _read(table, path)
    except OSError as fault:
        raise FormatError(path, Message("cannot be read ({value})", value=fault.strerror or fault)) from fault
    except csv.Error as fault:
        raise FormatError(path, Message("it cannot be split into columns ({fault})", fault=fault)) from fault


def _read(table: "csv.DictReader[str]", path: Path) -> Pool:
    lacking = [name for name in NEEDED if name not in (table.fieldnames or ())]
    if lacking:
        raise FormatError(
            path,
            Message(
                "no column {first}, expected {neededs} as `irjudge pool -o FILE.csv` writes them",
                first=lacking[0],
                neededs=", ".join(NEEDED),
            ),
            1,
        )
    drawn: dict[str, list[tuple[str, int, float]]] = {}
    left: dict[str, list[tuple[str, int]]] = {}
    seen: set[tuple[str, str]] = set()
    for row in table:
        stratum, probability = _numbers(row, path, table.line_num)
        topic, document = restored(row["topic"]), restored(row["document"])
        if (topic, document) in seen:
            raise FormatError(path, Message("topic {topic} has document {document} twice", topic=topic, document=document), table.line_num)
        seen.add((topic, document))
        mine, others = drawn.setdefault(topic, []), left.setdefault(topic, [])
        if row["order"]:
            mine.append((document, stratum, probability))
        else:
            others.append((document, stratum))
    return _pool(drawn, left)


def _numbers(row: dict[str, str], path: Path, line: int) -> tuple[int, float]:
    if any(row[name] is None for name in NEEDED):
        raise FormatError(path, Message("fewer than {needed} columns", needed=len(NEEDED)), line)
    if not STRATUM.fullmatch(row["stratum"]):
        raise FormatError(path, Message("stratum {stratum!r}, expected a whole number from 0 to 999", stratum=row["stratum"]), line)
    if not row["order"]:
        return int(row["stratum"]), 0.0
    try:
        probability = float(row["probability"])
    except ValueError:
        probability = math.nan
    if not 0 < probability <= 1:
        raise FormatError(
            path, Message("probability {probability!r}, expected a number above 0, at most 1", probability=row["probability"]), line
        )
    return int(row["stratum"]), probability


def _pool(drawn: dict[str, list[tuple[str, int, float]]], left: dict[str, list[tuple[str, int]]]) -> Pool:
    topics = tuple(drawn)
    rows = [(place, *row) for place, topic in enumerate(topics) for row in drawn[topic]]
    others = [(place, *row) for place, topic in enumerate(topics) for row in left[topic]]
    none = np.empty(0, dtype=np.int32)
    return Pool(
        topics=topics,
        starts=starts_of(np.array([row[0] for row in rows], dtype=np.int32), len(topics)),
        document=strings_of([row[1] for row in rows]),
        strategy="file",
        parameters={},
        runs=(),
        contribution_starts=np.zeros(len(rows) + 1, dtype=np.int64),
        contribution_run=none,
        contribution_rank=none,
        stratum=np.array([row[2] for row in rows], dtype=np.int32),
        probability=np.array([row[3] for row in rows], dtype=np.float64),
        undrawn=Undrawn(
            starts_of(np.array([row[0] for row in others], dtype=np.int32), len(topics)),
            strings_of([row[1] for row in others]),
            np.array([row[2] for row in others], dtype=np.int32),
        ),
    )
