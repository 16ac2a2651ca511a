"""Readers of leaderboards, which list measure values of systems.

The formats are those of trec_eval -q, AutoJudge, ir_measures and `irjudge evaluate`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes import iter_nonblank_lines, open_decompressed
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import (
    EXPECTED_NUMBER,
    JSON,
    MAX_SHOWN_CHARACTERS,
    NUMBER_PATTERN,
    ColumnKind,
    detect_table_format,
    read_table,
)
from irjudge.message import Message

ALL_TOPICS = "all"  # topic in lines with the mean over all topics
RUN = ColumnKind("run", ("run", "run_id", "runid", "runtag", "system"))
MEASURE = ColumnKind("measure", ("measure", "metric", "eval_metric"))
TOPIC = ColumnKind(
    "topic", ("topic_id", "topicid", "query_id", "request_id", "narrative_id", "topic")
)
VALUE = ColumnKind("value", ("value", "score"))
PARTS = (RUN, MEASURE, TOPIC, VALUE)
# column orders of AutoJudge's "tot" format and of ir_measures
COLUMN_ORDERS = (("run", "measure", "topic", "value"), ("run", "topic", "measure", "value"))
COLUMN_COUNT = 4
DETECTION_LINES = 1000  # number of lines that are inspected to detect a leaderboard
TRUTH_VALUES = {"true": 1.0, "false": 0.0}
EXPECTED = Message("expected lines of run, measure, topic and value, some with the topic `all`")
Row = tuple[int, dict[str, str]]  # line number, and the cell of each part


@dataclass(slots=True)
class SystemScores:
    """Content of a leaderboard: for each measure, the value of each system over all topics.

    It is read to compare the orderings of the systems by different measures or files.
    """

    name: str  # name of the file
    # for each measure, the value of each system by name
    values: dict[str, dict[str, float]] = field(default_factory=dict)
    # measures that have values only for single topics, which are not read
    unread: list[str] = field(default_factory=list)


def is_leaderboard(path: Path) -> bool:
    """Return whether a file is a leaderboard: a table, or lines of four columns.

    The table must have the columns of a leaderboard. In the lines, the topic must be `all` at least
    once.
    """
    if not path.is_file():
        return False
    if detect_table_format(path, PARTS) not in ("", JSON):
        return True
    try:
        return bool(_detect_column_order(path))
    except FormatError:
        return False


def read_leaderboard(path: Path) -> SystemScores:
    """Read the values over all topics from a leaderboard.

    Measures that only have values for single topics are in `unread` of the result. Raises
    FormatError with the first invalid line.
    """
    rows = (
        _iter_table_rows(path)
        if detect_table_format(path, PARTS) not in ("", JSON)
        else _iter_line_rows(path)
    )
    scores = SystemScores(path.name)
    unread_names = dict[str, None]()
    seen_keys = set[tuple[str, ...]]()
    for line, cells in rows:
        key = tuple(cells[part] for part in ("run", "measure", "topic"))
        if key in seen_keys:
            raise FormatError(
                path,
                Message(
                    "the combination {run}, {measure}, {topic} occurs twice; expected once",
                    key="twice",
                    **cells,
                ),
                line,
            )
        seen_keys.add(key)
        value = _parse_number(path, cells["value"], line)
        if cells["topic"] == ALL_TOPICS:
            scores.values.setdefault(cells["measure"], {})[cells["run"]] = value
        else:
            unread_names[cells["measure"]] = None
    if not scores.values:
        raise FormatError(
            path,
            Message(
                "found no value for the topic `all`; {expected}", key="no-value", expected=EXPECTED
            ),
        )
    scores.unread += [name for name in unread_names if name not in scores.values]
    return scores


def _iter_table_rows(path: Path) -> Iterator[Row]:
    table = read_table(path, PARTS, ReaderWarnings())
    for line, cells in table.records():
        for part in PARTS:
            if not cells[part.name]:
                raise table.make_empty_cell_error(part.name, line)
        yield line, cells


def _iter_line_rows(path: Path) -> Iterator[Row]:
    order = _detect_column_order(path)
    if order is None:
        raise FormatError(
            path,
            Message("no leaderboard found; {expected}", key="no-leaderboard", expected=EXPECTED),
        )
    for line, fields in _iter_lines(path):
        if len(fields) != COLUMN_COUNT:
            raise FormatError(
                path,
                Message(
                    "number of columns: {count}; {expected}",
                    key="column-count",
                    count=len(fields),
                    expected=EXPECTED,
                ),
                line,
            )
        yield line, dict(zip(order, fields, strict=True))


def _detect_column_order(path: Path) -> tuple[str, ...] | None:
    """Return the order of the four columns, inferred from the column that contains `all`.

    The result is None if the order is ambiguous or the lines do not have four columns.
    """
    columns: tuple[set[str], ...] = tuple(set() for _ in range(COLUMN_COUNT))
    for number, (_, fields) in enumerate(_iter_lines(path)):
        if number < DETECTION_LINES and len(fields) != COLUMN_COUNT:
            return None
        for column, text in zip(columns, fields, strict=False):
            column.add(text)
    matching_orders = [
        order for order in COLUMN_ORDERS if ALL_TOPICS in columns[order.index("topic")]
    ]
    return matching_orders[0] if len(matching_orders) == 1 else None


def _iter_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    with open_decompressed(path) as file:
        for number, line in iter_nonblank_lines(file, path):
            fields = line.split()
            if fields and not fields[0].startswith("#"):
                yield number, fields


def _parse_number(path: Path, text: str, line: int) -> float:
    if text.lower() in TRUTH_VALUES:
        return TRUTH_VALUES[text.lower()]
    if not NUMBER_PATTERN.fullmatch(text) or math.isinf(float(text)):
        raise FormatError(
            path,
            Message(
                "value {text!r} is not a number; {any_number}",
                key="not-a-number",
                text=text[:MAX_SHOWN_CHARACTERS],
                any_number=EXPECTED_NUMBER,
            ),
            line,
        )
    return float(text)
