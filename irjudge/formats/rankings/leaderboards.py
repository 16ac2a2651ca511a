"""Leaderboards: what measures say of systems, as trec_eval -q, AutoJudge, ir_measures and `irjudge evaluate` write it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes import iter_nonblank_lines, open_decompressed
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import (
    ANY_NUMBER,
    JSON,
    MAX_SHOWN_CHARACTERS,
    NUMBER,
    ColumnKind,
    detect_table_format,
    read_table,
)
from irjudge.message import Message

ALL = "all"  # what the topic is called that stands for all of them
RUN = ColumnKind("run", ("run", "run_id", "runid", "runtag", "system"))
MEASURE = ColumnKind("measure", ("measure", "metric", "eval_metric"))
TOPIC = ColumnKind(
    "topic", ("topic_id", "topicid", "query_id", "request_id", "narrative_id", "topic")
)
VALUE = ColumnKind("value", ("value", "score"))
PARTS = (RUN, MEASURE, TOPIC, VALUE)
ORDERS = (
    ("run", "measure", "topic", "value"),
    ("run", "topic", "measure", "value"),
)  # AutoJudge's "tot", and that of ir_measures
WIDTH, LOOK = 4, 1000  # columns, and lines that tell a leaderboard
TRUTHS = {"true": 1.0, "false": 0.0}
EXPECTED = Message(
    "expected lines of run, measure, topic and value, of which some have the topic `all`"
)
Row = tuple[int, dict[str, str]]  # line, and what stands where


@dataclass(slots=True)
class SystemScores:
    """The values that one file gives systems: by measure, of all topics together."""

    name: str
    values: dict[str, dict[str, float]] = field(default_factory=dict)  # by measure and system
    unread: list[str] = field(default_factory=list)  # measures that have values of topics alone


def is_leaderboard(path: Path) -> bool:
    """Tell whether a file has the lines or the header of a leaderboard; qrels of four columns have no topic called `all` in its place."""
    if not path.is_file():
        return False
    if detect_table_format(path, PARTS) not in ("", JSON):
        return True
    try:
        return bool(_order(path))
    except FormatError:
        return False


def read_leaderboard(path: Path) -> SystemScores:
    """Read what measures say of systems over all topics, and note the measures that say it of topics alone.

    FormatError with the first line that does not fit.
    """
    rows = (
        _of_table(path) if detect_table_format(path, PARTS) not in ("", JSON) else _of_lines(path)
    )
    found, alone, seen = SystemScores(path.name), dict[str, None](), set[tuple[str, ...]]()
    for line, cells in rows:
        key = tuple(cells[part] for part in ("run", "measure", "topic"))
        if key in seen:
            raise FormatError(
                path,
                Message(
                    "{run}, {measure}, {topic} stands twice, expected each once",
                    key="twice",
                    **cells,
                ),
                line,
            )
        seen.add(key)
        value = _number(path, cells["value"], line)
        if cells["topic"] == ALL:
            found.values.setdefault(cells["measure"], {})[cells["run"]] = value
        else:
            alone[cells["measure"]] = None
    if not found.values:
        raise FormatError(
            path,
            Message(
                "no value of all topics was found, {expected}", key="no-value", expected=EXPECTED
            ),
        )
    found.unread += [name for name in alone if name not in found.values]
    return found


def _of_table(path: Path) -> Iterator[Row]:
    table = read_table(path, PARTS, ReaderWarnings())
    for line, cells in table.records():
        for part in PARTS:
            if not cells[part.name]:
                raise table.empty(part.name, line)
        yield line, cells


def _of_lines(path: Path) -> Iterator[Row]:
    order = _order(path)
    if order is None:
        raise FormatError(
            path,
            Message(
                "no leaderboard was found, {expected}", key="no-leaderboard", expected=EXPECTED
            ),
        )
    for line, fields in _lines(path):
        if len(fields) != WIDTH:
            raise FormatError(
                path,
                Message(
                    "{count} columns, {expected}",
                    key="column-count",
                    count=len(fields),
                    expected=EXPECTED,
                ),
                line,
            )
        yield line, dict(zip(order, fields, strict=True))


def _order(path: Path) -> tuple[str, ...] | None:
    """Return what the four columns are: the topic's is the one in which `all` stands; None where neither or both may be."""
    columns: tuple[set[str], ...] = tuple(set() for _ in range(WIDTH))
    for number, (_, fields) in enumerate(_lines(path)):
        if number < LOOK and len(fields) != WIDTH:
            return None
        for column, text in zip(columns, fields, strict=False):
            column.add(text)
    fit = [order for order in ORDERS if ALL in columns[order.index("topic")]]
    return fit[0] if len(fit) == 1 else None


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    with open_decompressed(path) as file:
        for number, line in iter_nonblank_lines(file, path):
            fields = line.split()
            if fields and not fields[0].startswith("#"):
                yield number, fields


def _number(path: Path, text: str, line: int) -> float:
    if text.lower() in TRUTHS:
        return TRUTHS[text.lower()]
    if not NUMBER.fullmatch(text) or "inf" in text.lower():
        raise FormatError(
            path,
            Message(
                "value {text!r} is not a number, {any_number}",
                key="not-a-number",
                text=text[:MAX_SHOWN_CHARACTERS],
                any_number=ANY_NUMBER,
            ),
            line,
        )
    return float(text)
