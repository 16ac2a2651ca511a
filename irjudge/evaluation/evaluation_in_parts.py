"""Evaluation in parts by workers or other engines, with the same results as in one process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from irjudge.errors import MeasureError
from irjudge.evaluation.column_retrieval import add_empty_topics, find_judged_ranks_in_columns
from irjudge.evaluation.judged_runs import (
    PartMatcher,
    TopicPolicy,
    merge_parts,
)
from irjudge.evaluation.table import Policy, RunScores, evaluate_runs, parse_measures, read_ranking
from irjudge.formats import columnar_run_from_table, read_qrels, read_run
from irjudge.formats.bytes import open_input
from irjudge.formats.rankings import (
    BatchResult,
    ColumnarRun,
    UnreadRanks,
    find_topic_borders,
    join_batch_results,
    join_spans,
    open_columnar_run,
    process_whole_topics,
    read_span,
    run_name,
)
from irjudge.formats.rows import AS_RECOGNISED, ColumnMapping, IrregularFile
from irjudge.message import Message
from irjudge.metrics import Measure, Profile
from irjudge.model import JudgedRanking, Qrels, Run, Ties, to_arrow_column, to_arrow_strings
from irjudge.progress import SILENT, Progress
from irjudge.stats import Workers

# number of bytes of text per task; a task takes a few tenths of a second, so that work can be
# cancelled without a long delay
BYTES_PER_TASK = 32 << 20
COMPRESSED_SIGNATURES = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"PK\x03\x04", b"\x28\xb5\x2f\xfd")


@dataclass(frozen=True, slots=True)
class RunFile:
    """Path or address of a run file that workers read in parts, and the name of the run."""

    path: Path
    name: str | None  # None for the default name, see `read_ranking`


@dataclass(frozen=True, slots=True)
class RunPart:
    """Task of a worker: a run, and the part of the run to read."""

    run: int  # index of the run in the list of `RunFile` objects
    span: tuple[int, int] | None = None  # byte range in a text file
    # indexes of a columnar file and of a row group; if `span` and `group` are None, the part is the
    # whole run
    group: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ParallelReading:
    """Data shared by all tasks that read parts of runs: files, qrels, policy and options."""

    files: tuple[RunFile, ...]
    qrels: Qrels
    policy: Policy
    columns: ColumnMapping
    needs_whole_run: bool  # whether whole runs are needed, not only judged documents
    encoding: str | None = None
    columnar_runs: dict[int, ColumnarRun] = field(default_factory=dict)  # columnar runs, by index
    # list whose only member is the most recently used matcher; empty before the first use
    cached_matcher: list[PartMatcher] = field(default_factory=list)

    def get_matcher(self, run: int) -> PartMatcher:
        """Return a matcher for parts of a run, if possible the cached one."""
        names = self.columnar_runs[run].names if run in self.columnar_runs else None
        matcher = next(iter(self.cached_matcher), None)
        if matcher is None or matcher.names is not names:
            matcher = PartMatcher(
                self.qrels,
                self.policy.ties,
                single_precision=self.policy.single_precision,
                names=names,
            )
            self.cached_matcher[:] = [matcher]
        return matcher


def read_rankings(
    files: Sequence[RunFile],
    qrels: Qrels,
    policy: Policy,
    workers: Workers,
    *,
    columns: ColumnMapping = AS_RECOGNISED,
    encoding: str | None = None,
    needs_whole_run: bool = False,
    progress: Progress = SILENT,
) -> Iterator[Run | JudgedRanking]:
    """Yield the result of `read_ranking` for each run; workers read parts of the runs.

    A text run with regular lines is split at topics, a columnar run at its row groups. Any other
    run, or a run that turns out to be irregular, is a single task.
    Workers must be able to open the files at the same paths.
    """
    reading = ParallelReading(
        tuple(files), qrels, policy, columns, needs_whole_run or policy.exclude_query_id, encoding
    )
    tasks = [task for run in range(len(files)) for task in _split_run(reading, run)]
    parts: list[list[Any]] = [[] for _ in files]
    for task, ranking_parts in zip(
        tasks,
        workers.map_tasks(_read_part, reading, tasks, Message("Reading"), progress),
        strict=True,
    ):
        parts[task.run].append(ranking_parts)
    rankings = [_merge_run(reading, run, parts) for run, parts in enumerate(parts)]
    missing_runs = [RunPart(run) for run, ranking in enumerate(rankings) if ranking is None]
    for task, ranking in zip(
        missing_runs,
        workers.map_tasks(_read_part, reading, missing_runs, Message("Reading"), progress),
        strict=True,
    ):
        rankings[task.run] = ranking
    yield from (ranking for ranking in rankings if ranking is not None)


def _split_run(reading: ParallelReading, run: int) -> list[RunPart]:
    path = reading.files[run].path
    if reading.needs_whole_run:
        return [RunPart(run)]
    if (table := open_columnar_run(path, reading.columns)) is not None:
        reading.columnar_runs[run] = table
        groups = (
            (file, group)
            for file, part in enumerate(table.table.parts)
            for group in range(len(part.row_counts))
        )
        return [RunPart(run, group=group) for group in groups]
    if (
        reading.columns
        or reading.encoding
        or reading.policy.ties == "rank"
        or not path.is_file()
        or _is_compressed(path)
    ):
        return [RunPart(run)]
    borders = find_topic_borders(path, BYTES_PER_TASK)
    return [RunPart(run, span=span) for span in pairwise(borders)] or [RunPart(run)]


def _is_compressed(path: Path) -> bool:
    with open_input(path) as file:
        return file.begins(COMPRESSED_SIGNATURES)


def _read_part(reading: ParallelReading, task: RunPart) -> Any:
    """Read the part of a run that a task describes; None if the run must be read as a whole."""
    file, matcher = reading.files[task.run], reading.get_matcher(task.run)
    try:
        if task.span is not None:
            return read_span(file.path, *task.span, matcher.match_text_part)
        if task.group is not None:
            run, process = reading.columnar_runs[task.run], matcher.match_columnar_part
            try:
                return _process_row_group(
                    run, process, task.group, ranks=reading.policy.ties == "rank"
                )
            except UnreadRanks:
                return _process_row_group(run, process, task.group, ranks=True)
    except IrregularFile:
        return None
    return read_ranking(
        file.path,
        reading.qrels,
        reading.policy,
        file.name,
        needs_whole_run=reading.needs_whole_run,
        columns=reading.columns,
        encoding=reading.encoding,
    )


def _process_row_group(
    run: ColumnarRun, process: Callable[[Run], Any], group: tuple[int, int], *, ranks: bool
) -> list[BatchResult[Any]]:
    pieces = run.pieces(ranks=ranks, row_group=group)
    return [process_whole_topics(rows, process) for piece in pieces if (rows := piece()).topics]


def _merge_run(reading: ParallelReading, run: int, parts: list[Any]) -> Run | JudgedRanking | None:
    """Merge the parts of a run into its ranking; None if the run must be read as a whole."""
    if any(part is None for part in parts) or not parts:
        return None
    if not isinstance(parts[0], list):
        return parts[0]  # type: ignore[no-any-return]
    file, matcher, policy = reading.files[run], reading.get_matcher(run), reading.policy
    try:
        if run in reading.columnar_runs:
            cut_rows: list[BatchResult[Any]] = [piece for part in parts for piece in part]
            joined_pieces = join_batch_results(file.path, cut_rows, matcher.match_columnar_part)
            topic_parts = [piece for pieces in joined_pieces for piece in pieces]
        else:
            topic_parts = join_spans(parts)
    except IrregularFile:
        return None
    if not topic_parts:
        return None
    name, columnar_run = file.name or run_name(file.path), reading.columnar_runs.get(run)
    messages = columnar_run.messages if columnar_run else ()
    ranking = merge_parts(
        name, topic_parts, policy.ties, messages, single_precision=policy.single_precision
    )
    return add_empty_topics(ranking, columnar_run, reading.qrels) if columnar_run else ranking


VALUE_TABLE_SCHEMA = pa.schema(
    {"topic": pa.string(), "measure": pa.string(), "value": pa.float64()}
)
DEFAULT_RUN_NAME = "run"


def evaluate_arrow(
    run: Any,
    qrels: Any,
    measures: str | Iterable[str],
    *,
    ties: Ties = "trec",
    topics: TopicPolicy = "both",
    rel: int = 1,
    profile: Profile = "irjudge",
    depth: int | None = None,
    highest: int | None = None,
) -> pa.Table:
    """Return the values per topic of one run, or of a part of it that contains whole topics.

    The value of a topic depends only on its own rows, so that concatenated results of parts are
    identical to those of the whole run, bit for bit. Compute means at the end, in topic order.

    Parameters
    ----------
    run
        A table of pyarrow, polars, pandas or any object with `__arrow_c_stream__`, with columns
        query_id, doc_id and score (other common names are accepted), with all rows of each topic,
        in any order.
    qrels
        A table with columns query_id, doc_id and relevance, `Qrels`, or a path. It may include
        topics that the part lacks.
    measures
        Names such as `AP`, `nDCG@10`; a string is split at spaces.
    ties, rel, profile, depth
        As for `evaluate`.
    topics
        `both`: topics in qrels and run. With `qrels` and `relevant` a topic that the run lacks also
        has a row: the qrels must then contain only the topics of the part, or each part would yield
        it.
    highest
        The highest grade of the scale, required for measures that divide by it, since the grades of
        a part may be lower.

    Returns
    -------
    pyarrow.Table
        Columns topic (string), measure (string) and value (double): a row for each topic and
        measure, topics in the order of the qrels. No rows if run and qrels share no topic.

    Raises
    ------
    IrjudgeError
        If a table or a name is invalid, or a measure needs `highest`.

    Examples
    --------
    >>> run = pa.table({"query_id": ["1", "1", "2"], "doc_id": ["a", "b", "a"], "score": [2.0, 1.0, 1.0]})
    >>> qrels = pa.table({"query_id": ["1", "2"], "doc_id": ["b", "a"], "relevance": [1, 1]})
    >>> evaluate_arrow(run, qrels, "RR P@1").to_pydict()["value"]
    [0.5, 0.0, 1.0, 1.0]
    """
    policy = Policy(ties, topics, rel, profile, depth, highest=highest)
    parsed_measures = parse_measures(
        measures.split() if isinstance(measures, str) else measures, rel, profile
    )
    scaled = next((measure.name for measure in parsed_measures if measure.needs_highest), None)
    if scaled and highest is None:
        raise MeasureError(
            "{measure} divides by the highest grade of the scale, which may not occur in every "
            "part of the data; set highest=…",
            key="needs-highest",
            measure=scaled,
        )
    qrels_data = read_qrels(qrels)
    table = columnar_run_from_table(run, DEFAULT_RUN_NAME)
    ranking = table and find_judged_ranks_in_columns(
        table, qrels_data, DEFAULT_RUN_NAME, ties=ties, single_precision=policy.single_precision
    )
    return value_table(
        evaluate_runs(
            qrels_data, [ranking or read_run(run, DEFAULT_RUN_NAME)], parsed_measures, policy
        ).runs[0],
        parsed_measures,
    )


def value_table(scores: RunScores, measures: Iterable[Measure]) -> pa.Table:
    """Return the values of a run as a table with a row for each topic and measure."""
    names = [measure.name for measure in measures]
    topics = np.repeat(np.arange(len(scores.topics)), len(names))
    columns = {
        "topic": to_arrow_strings(scores.topics).take(to_arrow_column(topics)),
        "measure": to_arrow_strings(names).take(
            to_arrow_column(np.tile(np.arange(len(names)), len(scores.topics)))
        ),
        "value": to_arrow_column(scores.values.T.reshape(-1)),
    }
    return pa.table(columns, schema=VALUE_TABLE_SCHEMA)
