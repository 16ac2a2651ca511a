"""Judged pools, and their reusability for runs that did not contribute to them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, cast

import numpy as np

from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation.bounds import pair_keys
from irjudge.evaluation.requests import (
    QrelsRequest,
    RelOption,
    TiesOption,
    TopicsOption,
    add_warnings_to_errors,
    refuse_source,
)
from irjudge.evaluation.table import Policy, ResultTable, evaluate_runs, parse_measures
from irjudge.formats.rankings import read_pool, read_prels, read_run_groups
from irjudge.judging import open_for_reading, read_project_qrels, require_pool, select_qrels
from irjudge.message import Message
from irjudge.metrics import Floats, Measure, to_goodness
from irjudge.model import Pool, Qrels, Run, row_offsets, to_arrow_column
from irjudge.options import ClusterOption, Option
from irjudge.pooling import PoolOptions, build_pool
from irjudge.progress import SILENT, Progress
from irjudge.stats import SERIAL, RankPair, Workers, tau_b, workers_at
from irjudge.store import is_project


@dataclass(frozen=True, slots=True)
class RunReusability:
    """Effect on a run of removing the documents that only the run or its group contributed."""

    run: str
    group: str  # group whose documents are removed; by default the name of the run
    unique: int  # number of judged documents contributed by this group only
    unique_relevant: int  # number of relevant documents contributed by this group only
    value: float  # value with all judgments
    value_without: float  # value without judgments of documents that only this group contributed
    change: float | None  # change in percent of the value; None if the value is 0
    rank: int  # rank with all judgments, 1 for the best run
    rank_without: int  # rank if all runs are evaluated with the remaining judgments
    shift: int  # number of ranks lost; negative if the run gains ranks
    # Kendall's τ-b between the orderings of all runs with all judgments and with the remaining
    # judgments; 0 if all runs are tied in one of the orderings
    tau: float


REUSABILITY_COLUMNS = tuple(field.name for field in fields(RunReusability))


def compute_reusability(
    qrels: Qrels,
    runs: Sequence[Run],
    pool: Pool,
    measure: Measure,
    policy: Policy | None = None,
    *,
    groups: Mapping[str, str] | None = None,
    highest: int | None = None,
    progress: Progress = SILENT,
    workers: Workers = SERIAL,
) -> tuple[RunReusability, ...]:
    """Return the value and rank of each run as if the pool had been built without it.

    Parameters
    ----------
    qrels
        Judgments. Judgments of documents outside the pool are never removed, since it is unknown
        which runs contributed these documents.
    runs
        All or some of the runs from which the pool was built.
    pool
        Pool with the contributing runs of each document.
    groups
        Group of each run by name; a run without a group is its own group.
    highest
        The scale's highest grade; ignored if the qrels have a higher one.
    workers
        Worker processes, which evaluate one group per task.

    Returns
    -------
    tuple of RunReusability
        Results in the order of the runs.

    Raises
    ------
    IrjudgeError
        If there are fewer than two runs or groups, or a group names an unknown run.

    References
    ----------
    Zobel (1998), How reliable are the results of large-scale information retrieval experiments?, SIGIR, 307–314.
    """
    qrels.require_grades("reusability")
    names = [run.name for run in runs]
    group = _map_groups(names, groups or {})
    policy = policy or Policy()
    highest = max(int(qrels.grade.max(initial=0)), highest or 0)
    rows, row_groups = _find_unique_rows(qrels, pool, group)

    group_names = list(dict.fromkeys(group.values()))
    unique_rows = [rows[row_groups == index] for index in range(len(group_names))]
    with_all, *reduced_values = workers.map_tasks(
        _compute_values_without,
        (qrels, runs, measure, *_fix_topics(qrels, policy), highest),
        [np.empty(0, dtype=np.int64), *(unique for unique in unique_rows if len(unique))],
        Message("Evaluating each run without its unique documents"),
        progress,
    )
    remaining_values = iter(reduced_values)
    results: dict[str, RunReusability] = {}
    for name, unique in zip(group_names, unique_rows, strict=True):
        values_without = next(remaining_values) if len(unique) else with_all
        is_relevant = qrels.grade[unique] >= policy.rel
        results |= {
            run: _compare_without_contribution(
                (run, name),
                (_count_documents(qrels, unique), _count_documents(qrels, unique[is_relevant])),
                names.index(run),
                measure,
                (with_all, values_without),
            )
            for run in names
            if group[run] == name
        }
    return tuple(results[name] for name in names)


def _fix_topics(qrels: Qrels, policy: Policy) -> tuple[Policy, tuple[str, ...]]:
    """Return a policy and topics for which the averaged topics do not depend on removed rows.

    If the policy selects topics with a relevant document, they are selected here, before the
    removal.
    """
    if policy.topics != "relevant":
        return policy, qrels.topics
    codes = np.unique(qrels.topic[qrels.grade >= policy.rel]).tolist()
    topics = {qrels.topics[code] for code in codes}.intersection(policy.select_topics(qrels.topics))
    return replace(policy, topics="qrels", only=""), tuple(topics)


def _compute_values_without(
    shared: tuple[Qrels, Sequence[Run], Measure, Policy, tuple[str, ...], int], rows: np.ndarray
) -> Floats:
    qrels, runs, measure, policy, topics, highest = shared
    reduced_qrels = _remove_rows(qrels, rows).select_topics(topics)
    table = evaluate_runs(reduced_qrels, runs, (measure,), policy, highest=highest)
    return np.array([run.summary[0] for run in table.runs])


def _map_groups(names: Sequence[str], groups: Mapping[str, str]) -> dict[str, str]:
    unknown_name = next((name for name in groups if name not in names), None)
    if unknown_name is not None:
        raise IrjudgeError(
            "The groups contain the run {run}, which does not exist; expected one of {names}.",
            key="unknown-run",
            run=unknown_name,
            names=", ".join(names),
        )
    group = {name: groups.get(name, name) for name in names}
    if len(set(group.values())) < 2:
        raise IrjudgeError("Leave-one-out needs at least two runs or groups.", key="no-two-groups")
    return group


def _find_unique_rows(
    qrels: Qrels, pool: Pool, group: Mapping[str, str]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the judged rows that only one group contributed, and each row's group index."""
    group_indices = {name: index for index, name in enumerate(dict.fromkeys(group.values()))}
    missing_code = len(group_indices)  # code of contributing runs that are not evaluated
    contributing_group = np.array(
        [group_indices[group[name]] if name in group else missing_code for name in pool.runs],
        dtype=np.int64,
    )[pool.contribution_run]
    starts = pool.contribution_starts
    has_runs = np.diff(starts) > 0  # documents can be pooled without a run
    first_group = np.full(len(pool), missing_code)
    last_group = first_group.copy()
    if has_runs.any():
        first_group[has_runs] = np.minimum.reduceat(contributing_group, starts[:-1][has_runs])
        last_group[has_runs] = np.maximum.reduceat(contributing_group, starts[:-1][has_runs])
    topics = [pool.topics[topic] for topic in pool.topic.tolist()]
    ids = pool.document.to_pylist()
    group_by_pair = {
        (topics[row], ids[row]): int(first_group[row])
        for row in np.flatnonzero(first_group == last_group).tolist()
    }
    documents = qrels.documents.take(to_arrow_column(qrels.document)).to_pylist()
    pairs = [
        (qrels.topics[topic], document)
        for topic, document in zip(qrels.topic.tolist(), documents, strict=True)
    ]
    group_of_row = np.array([group_by_pair.get(pair, -1) for pair in pairs], dtype=np.int64)
    rows = np.flatnonzero((group_of_row >= 0) & (qrels.grade >= 0))
    return rows, group_of_row[rows]


def _count_documents(qrels: Qrels, rows: np.ndarray) -> int:
    """Return the number of distinct (topic, document) pairs in the rows."""
    return len(np.unique(pair_keys(qrels)[rows]))


def _remove_rows(qrels: Qrels, rows: np.ndarray) -> Qrels:
    """Return the qrels without the given rows; no topic is removed, so means stay comparable."""
    selected = np.ones(len(qrels), dtype=bool)
    selected[rows] = False
    return replace(
        qrels,
        starts=row_offsets(qrels.topic[selected], len(qrels.topics)),
        document=qrels.document[selected],
        grade=qrels.grade[selected],
        group=qrels.group[selected],
    )


def _compare_without_contribution(
    names: tuple[str, str],
    unique: tuple[int, int],
    index: int,
    measure: Measure,
    values: tuple[Floats, Floats],
) -> RunReusability:
    """Return how a run's value and rank change without the contribution of its group.

    `names` are the run and its group, `unique` the counts of documents, and `values` the values of
    all runs before and after the removal.
    """
    value_before, value_after = (float(run_values[index]) for run_values in values)
    oriented_values = [to_goodness(measure, run_values) for run_values in values]
    rank, rank_without = (
        int((run_values > run_values[index]).sum()) + 1 for run_values in oriented_values
    )
    return RunReusability(
        run=names[0],
        group=names[1],
        unique=unique[0],
        unique_relevant=unique[1],
        value=value_before,
        value_without=value_after,
        change=100 * (value_after - value_before) / value_before if value_before else None,
        rank=rank,
        rank_without=rank_without,
        shift=rank_without - rank,
        tau=tau_b(RankPair.of_scores(*oriented_values)),
    )


def summarize_reusability(results: Sequence[RunReusability]) -> Iterator[str]:
    """Yield sentences that summarise the effect on runs whose contribution is removed."""
    changes = [abs(result.change) for result in results if result.change is not None]
    unique = np.mean([result.unique_relevant for result in results])
    if changes:
        yield (
            f"When a run is left out, its value changes by {np.mean(changes):.1f} % on average and "
            f"by {max(changes):.1f} % at most."
        )
    yield (
        f"Most ranks lost by a run: {max(result.shift for result in results)}. Unique relevant "
        f"documents per run: {unique:.1f} on average."
    )


# Judged pools of a project or of files


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPool:
    """Pool with its judgments, and the runs to evaluate, read from a project or from files.

    The pool of a project is its newest pool. For files, it is read from a pool file, built from the
    top documents of the runs if only a depth is given, or taken from the qrels if they are a judged
    sample. Some documents of the pool may be unjudged, and the qrels may contain documents outside
    the pool.
    """

    pool: Pool
    qrels: Qrels
    runs: Sequence[Run]
    highest: int  # highest grade of the project's scale or, for files, of the qrels


def read_judged_pool(
    qrels: Path,
    runs: Sequence[Path],
    request: QrelsRequest,
    warnings: list[str],
    *,
    pool: Path | int | None,
    missing: IrjudgeError,
) -> JudgedPool:
    """Read a judged pool and runs; add warnings about the files or the project to `warnings`.

    Parameters
    ----------
    qrels
        A project, without runs or a pool; or the qrels for the runs.
    pool
        File of the pool; or its depth, if it consists of the top documents of the runs. None if the
        qrels are a judged sample, which is its own pool.
    missing
        Error to raise if there are no runs, or no pool.

    Raises
    ------
    IrjudgeError
        If something is missing, options do not apply to the source, or a file cannot be read.
    """
    reader = request.reading.reader()
    if is_project(qrels):
        reader.refuse_project(qrels)
        if runs or pool is not None:
            raise IrjudgeError(
                "{qrels} is a project with its own pool and runs; give it without other files.",
                key="project-alone",
                qrels=qrels.name,
            )
        with open_for_reading(qrels, warnings) as project:
            newest_pool, choice = require_pool(project), select_qrels(project, request.which)
            warnings += choice.sentences
            judged = read_project_qrels(project, choice)
            pooled_runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
            return JudgedPool(newest_pool, judged, pooled_runs, project.scale.highest)
    refuse_source(qrels, request.which)
    sample = read_prels(qrels) if runs and pool is None else None
    if not runs or (pool is None and sample is None):
        raise missing
    judged = sample.qrels if sample else reader.read_qrels(qrels)
    warnings += judged.warnings
    if sample and sample.skipped_count:
        warnings.append(
            Message(
                "Lines skipped because they have no probability (NA): {count:,}.",
                count=sample.skipped_count,
            )
        )
    pooled = sample.pool if sample else read_pool(pool) if isinstance(pool, Path) else None
    pooled_runs = list(reader.read_runs(runs, qrels=judged))
    warnings += (warning for run in pooled_runs for warning in run.warnings)
    if pooled is None:
        pooled = build_pool(pooled_runs, PoolOptions("depth", cast(int, pool)))
    elif not len(pooled):
        raise FormatError(cast(Path, pool), Message("the pool contains no documents"))
    return JudgedPool(pooled, judged, pooled_runs, int(judged.grade.max(initial=0)))


# Reusability of the pool of files or of a project


@dataclass(frozen=True, slots=True, kw_only=True)
class ReusabilityRequest:
    """Options of `measure_reusability`: measure, groups of runs, reading of qrels and runs.

    Each run or group of runs is evaluated with and without the documents that only this run or
    group contributed to the pool. `depth` is required for files, and must not be given for a
    project. The paths of qrels and runs are separate arguments.
    """

    depth: Annotated[
        int | None,
        Option(
            "Pool depth: number of top documents of each run that were pooled. Not needed for a "
            "project.",
            minimum=1,
        ),
    ] = None
    measure: Annotated[
        str, Option("Measure used to evaluate the runs.", flags=("-m", "--measure"))
    ] = "AP"
    groups: Annotated[
        Path | None,
        Option("Table with the columns run and group; the runs of a group are left out together."),
    ] = None
    topics: TopicsOption = "both"
    rel: RelOption = 1
    ties: TiesOption = "trec"
    qrels: QrelsRequest = field(default_factory=QrelsRequest)
    cluster: ClusterOption = None


def measure_reusability(
    qrels: Path,
    runs: Sequence[Path],
    request: ReusabilityRequest | None = None,
    *,
    progress: Progress = SILENT,
) -> ResultTable:
    """Evaluate each run as if it had not contributed to the pool.

    Parameters
    ----------
    qrels
        The qrels, or a project.
    runs
        Run files, or folders of run files; empty for a project, whose newest pool is used.
    request
        Measure, depth of the pool of files, groups of runs, and how the files are read.
    progress
        Progress over the runs.

    Returns
    -------
    ResultTable
        A row of `REUSABILITY_COLUMNS` per run.

    Raises
    ------
    IrjudgeError
        If there is not exactly one measure, if the runs, the depth or the project's pool is
        missing, or if a file cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, runs = Path(folder, "q.txt"), [Path(folder, name) for name in "ab"]
    ...     _ = qrels.write_text("1 0 x 1\\n1 0 y 1\\n")
    ...     _ = runs[0].write_text("1 Q0 x 1 1 a\\n"), runs[1].write_text("1 Q0 y 1 1 b\\n")
    ...     table = measure_reusability(qrels, runs, ReusabilityRequest(depth=1, measure="P@1"))
    >>> [(row[0], row[4], row[5]) for row in table.rows]  # value with and without its document
    [('a', 1.0, 0.0), ('b', 1.0, 0.0)]
    """
    request = request or ReusabilityRequest()
    policy = Policy(request.ties, request.topics, request.rel, only=request.qrels.only)
    measure, *other_measures = parse_measures(request.measure.split(), policy.rel)
    if other_measures:
        raise IrjudgeError(
            "Leave-one-out needs exactly one measure, got {count}.", count=1 + len(other_measures)
        )
    missing = IrjudgeError(
        "Runs and a pool depth are needed; give the runs after the qrels and the depth with "
        "--depth, or give only a project.",
        key="no-depth",
    )
    warnings = list[str]()
    with add_warnings_to_errors(warnings), workers_at(request.cluster) as workers:
        if request.depth is None and not is_project(qrels):
            refuse_source(qrels, request.qrels.which)
            raise missing
        judged_pool = read_judged_pool(
            qrels, runs, request.qrels, warnings, pool=request.depth, missing=missing
        )
        judged = judged_pool.qrels
        results = compute_reusability(
            judged.select_topics(policy.select_topics(judged.topics)),
            judged_pool.runs,
            judged_pool.pool,
            measure,
            policy,
            groups=read_run_groups(request.groups) if request.groups else None,
            highest=judged_pool.highest,
            progress=progress,
            workers=workers,
        )
    basis = Message("{measure}, averaged over: {policy}.", measure=measure.name, policy=policy)
    notes = (basis, *summarize_reusability(results))
    rows = [astuple(result) for result in results]
    return ResultTable(REUSABILITY_COLUMNS, rows, policy, notes, tuple(warnings))
