"""Reads runs in parts on many workers: what comes back is what one process finds, in the same order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from irjudge.evaluation.retrieval import PartSeeker, joined
from irjudge.evaluation.table import Policy, read_ranking
from irjudge.formats.bytes.single import one_file
from irjudge.formats.rankings.column_runs import ColumnRun, CutRows, column_run, cut_rows, put_together
from irjudge.formats.rankings.regular import TextPart, one_run, read_span, topic_borders
from irjudge.formats.rankings.runs import run_name
from irjudge.formats.rows.mapping import AS_RECOGNISED, ColumnMapping
from irjudge.formats.rows.side_by_side import Irregular
from irjudge.message import Message
from irjudge.model.ranking import Qrels, Run
from irjudge.model.retrieved import Retrieved
from irjudge.progress import SILENT, Progress
from irjudge.workers import Workers

SPAN = 32 << 20  # bytes of text in a task: some tenths of a second, so that a cancelled one is soon over
PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"PK\x03\x04", b"\x28\xb5\x2f\xfd")


@dataclass(frozen=True, slots=True)
class RunFile:
    """A run that is to be read."""

    path: Path
    name: str | None


@dataclass(frozen=True, slots=True)
class PartOfRun:
    """A task: which part of which run is read."""

    run: int  # its place among the runs
    span: tuple[int, int] | None = None  # bytes of a text
    group: tuple[int, int] | None = None  # a file of columns and a row group of it; the whole run where neither is said


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What all tasks share."""

    files: tuple[RunFile, ...]
    qrels: Qrels
    policy: Policy
    columns: ColumnMapping
    whole: bool  # whether all of each run is needed, not only what the qrels name
    by_columns: dict[int, ColumnRun] = field(default_factory=dict)  # of the runs that are kept by columns

    def seeker(self, run: int) -> PartSeeker:
        """Return who finds in a run's parts what the qrels name."""
        names = self.by_columns[run].names if run in self.by_columns else None
        return PartSeeker(self.qrels, self.policy.ties, single=self.policy.single, names=names)


def read_rankings(
    files: Sequence[RunFile],
    qrels: Qrels,
    policy: Policy,
    workers: Workers,
    *,
    columns: ColumnMapping = AS_RECOGNISED,
    whole: bool = False,
    progress: Progress = SILENT,
) -> Iterator[Run | Retrieved]:
    """Yield what `read_ranking` reads of each run, read by workers in parts of whole topics.

    A run of regular lines is cut at topics, one of columns at its row groups; any other, or one that turns out otherwise, is one task.
    The workers must reach the files by the same paths.
    """
    reading = Reading(tuple(files), qrels, policy, columns, whole)
    tasks = [task for run in range(len(files)) for task in _tasks(reading, run)]
    found = _by_run(workers.each(_read, reading, tasks, Message("Reading"), progress), tasks, len(files))
    made = [_joined(reading, run, parts) for run, parts in enumerate(found)]
    again = [PartOfRun(run) for run, each in enumerate(made) if each is None]
    for task, ranking in zip(again, workers.each(_read, reading, again, Message("Reading"), progress), strict=True):
        made[task.run] = ranking
    yield from (each for each in made if each is not None)


def _tasks(reading: Reading, run: int) -> list[PartOfRun]:
    path = reading.files[run].path
    if reading.whole:
        return [PartOfRun(run)]
    if (table := column_run(path, reading.columns)) is not None:
        reading.by_columns[run] = table
        groups = ((file, group) for file, part in enumerate(table.table.parts) for group in range(len(part.sizes)))
        return [PartOfRun(run, group=each) for each in groups]
    if reading.columns or reading.policy.ties == "rank" or not path.is_file() or _packed(path):
        return [PartOfRun(run)]
    borders = topic_borders(path, SPAN)
    return [PartOfRun(run, span=each) for each in pairwise(borders)] or [PartOfRun(run)]


def _packed(path: Path) -> bool:
    with one_file(path) as file:
        return file.begins(PACKED)


def _read(reading: Reading, task: PartOfRun) -> Any:
    """Do a task; None where the run must be read whole."""
    file, seeker = reading.files[task.run], reading.seeker(task.run)
    try:
        if task.span is not None:
            return read_span(file.path, *task.span, seeker.pieces)
        if task.group is not None:
            pieces = reading.by_columns[task.run].pieces(ranks=reading.policy.ties == "rank", only=task.group)
            return [cut_rows(piece(), seeker.columns) for piece in pieces]
    except Irregular:
        return None
    return read_ranking(file.path, reading.qrels, reading.policy, file.name, whole=reading.whole, columns=reading.columns)


def _by_run(found: Iterator[Any], tasks: Sequence[PartOfRun], runs: int) -> list[list[Any]]:
    parts: list[list[Any]] = [[] for _ in range(runs)]
    for task, made in zip(tasks, found, strict=True):
        parts[task.run].append(made)
    return parts


def _joined(reading: Reading, run: int, parts: list[Any]) -> Run | Retrieved | None:
    """Return the ranking that parts make; None where the run must be read whole."""
    if any(part is None for part in parts) or not parts:
        return None
    if not isinstance(parts[0], list):
        return parts[0]  # type: ignore[no-any-return]
    file, seeker, policy = reading.files[run], reading.seeker(run), reading.policy
    try:
        if run in reading.by_columns:
            cut: list[CutRows[Any]] = [piece for part in parts for piece in part]
            made = [each for pieces in put_together(cut, seeker.columns) for each in pieces]
        else:
            spans: list[list[TextPart[Any]]] = parts
            made = one_run(spans)
    except Irregular:
        return None
    said = reading.by_columns[run].said if run in reading.by_columns else ()
    return joined(file.name or run_name(file.path), made, policy.ties, said, single=policy.single) if made else None
