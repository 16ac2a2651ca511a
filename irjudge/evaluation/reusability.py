"""Reusability of a pool for runs that did not contribute to it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Policy, evaluate_runs
from irjudge.message import Message
from irjudge.metrics import Floats, Measure, to_goodness
from irjudge.model import Pool, Qrels, Run, row_offsets, to_arrow_column
from irjudge.progress import SILENT, Progress
from irjudge.stats import SERIAL, RankPair, Workers, tau_b


@dataclass(frozen=True, slots=True)
class RunReusability:
    """Effect on one run of removing the documents that only it, or its group, contributed."""

    # the run, and its group, which was left out; by default the run's name
    run: str
    group: str
    # number of judged documents contributed by this group only, and number of relevant ones
    unique: int
    unique_relevant: int
    # `value`, `rank`: with all judgments; rank 1 is the best
    value: float
    # `value_without`, `rank_without`: with the remaining judgments, for all runs
    value_without: float
    change: float | None  # in percent of the value; None if the value is 0
    rank: int
    rank_without: int
    shift: int  # ranks lost; negative if the run gains ranks
    tau: float  # Kendall's τ-b between both orderings of all runs; 0 if all runs are tied in one


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
        Judgments. Documents that are not in the pool are kept, since their contributors are
        unknown.
    runs
        Runs that the pool was built from, or some of them.
    pool
        Pool with the contributing runs of each document.
    groups
        Group of each run by name; a run without a group is its own group.
    highest
        The scale's highest grade; by default the highest in the qrels.
    workers
        Processes that evaluate, one group per task.

    Returns
    -------
    tuple of LeftOut
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
    highest = int(qrels.grade.max(initial=0)) if highest is None else highest
    rows, unique_group = _unique_rows(qrels, pool, group)

    group_names = list(dict.fromkeys(group.values()))
    unique_rows = [rows[unique_group == index] for index in range(len(group_names))]
    tasks = [np.empty(0, dtype=np.int64), *(unique for unique in unique_rows if len(unique))]
    with_all, *reduced_values = workers.each(
        _values_without,
        (qrels, runs, measure, policy, highest),
        tasks,
        Message("Leaving out"),
        progress,
    )
    remaining_values = iter(reduced_values)
    results: dict[str, RunReusability] = {}
    for name, unique in zip(group_names, unique_rows, strict=True):
        values_without = next(remaining_values) if len(unique) else with_all
        relevant = int((qrels.grade[unique] >= (policy or Policy()).rel).sum())
        results |= {
            run: _compare_left_out(
                (run, name),
                (len(unique), relevant),
                names.index(run),
                measure,
                (with_all, values_without),
            )
            for run in names
            if group[run] == name
        }
    return tuple(results[name] for name in names)


def _values_without(
    shared: tuple[Qrels, Sequence[Run], Measure, Policy | None, int], rows: np.ndarray
) -> Floats:
    """Return the value of each run after removing some rows of the qrels."""
    qrels, runs, measure, policy, highest = shared
    table = evaluate_runs(_remove_rows(qrels, rows), runs, (measure,), policy, highest=highest)
    return np.array([run.summary[0] for run in table.runs])


def _map_groups(names: Sequence[str], groups: Mapping[str, str]) -> dict[str, str]:
    unknown_name = next((name for name in groups if name not in names), None)
    if unknown_name is not None:
        raise IrjudgeError(
            "The groups contain a run {unknown}, which does not exist; expected one of {names}.",
            key="unknown-run",
            unknown=unknown_name,
            names=", ".join(names),
        )
    group = {name: groups.get(name, name) for name in names}
    if len(set(group.values())) < 2:
        raise IrjudgeError("Leave-one-out needs at least two runs or groups.", key="no-two-groups")
    return group


def _unique_rows(
    qrels: Qrels, pool: Pool, group: Mapping[str, str]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the judged rows contributed by only one group, and the index of the group."""
    index_of = {name: index for index, name in enumerate(dict.fromkeys(group.values()))}
    missing_code = len(index_of)  # code of contributing runs that are not evaluated
    of_run = np.array(
        [index_of[group[name]] if name in group else missing_code for name in pool.runs],
        dtype=np.int64,
    )[pool.contribution_run]
    begins = pool.contribution_starts[:-1]
    lowest, highest = (
        (np.minimum.reduceat(of_run, begins), np.maximum.reduceat(of_run, begins))
        if len(pool)
        else (of_run, of_run)
    )
    topics = [pool.topics[topic] for topic in pool.topic.tolist()]
    ids = pool.document.to_pylist()
    unique_group = {
        (topics[row], ids[row]): int(lowest[row])
        for row in np.flatnonzero(lowest == highest).tolist()
    }
    documents = qrels.documents.take(to_arrow_column(qrels.document)).to_pylist()
    pairs = [
        (qrels.topics[topic], document)
        for topic, document in zip(qrels.topic.tolist(), documents, strict=True)
    ]
    group_of_row = np.array([unique_group.get(pair, -1) for pair in pairs], dtype=np.int64)
    rows = np.flatnonzero((group_of_row >= 0) & (qrels.grade >= 0))
    return rows, group_of_row[rows]


def _remove_rows(qrels: Qrels, rows: np.ndarray) -> Qrels:
    """Return the qrels without some rows; all topics are kept, so that means are comparable."""
    selected = np.ones(len(qrels), dtype=bool)
    selected[rows] = False
    starts = row_offsets(qrels.topic[selected], len(qrels.topics))
    return replace(
        qrels,
        starts=starts,
        document=qrels.document[selected],
        grade=qrels.grade[selected],
        group=qrels.group[selected],
    )


def _compare_left_out(
    names: tuple[str, str],
    unique: tuple[int, int],
    index: int,
    measure: Measure,
    values: tuple[Floats, Floats],
) -> RunReusability:
    """Return the change of a run's value and rank without its group."""
    value_before, value_after = (float(each[index]) for each in values)
    oriented_values = [to_goodness(measure, each) for each in values]
    rank, rank_without = (int((each > each[index]).sum()) + 1 for each in oriented_values)
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


def reusability_rows(
    results: Sequence[RunReusability],
) -> Iterator[tuple[str | int | float | None, ...]]:
    """Yield a row of `REUSABILITY_COLUMNS` for each run."""
    yield from (astuple(each) for each in results)


def summarize_reusability(results: Sequence[RunReusability]) -> Iterator[str]:
    """Yield sentences that summarise the effect on runs that did not contribute."""
    changes = [abs(each.change) for each in results if each.change is not None]
    unique = np.mean([each.unique_relevant for each in results])
    if changes:
        yield f"When left out, a run changes by {np.mean(changes):.1f} % on average and by {max(changes):.1f} % at most."
    yield f"Ranks lost: {max(each.shift for each in results)} at most. Unique relevant documents: {unique:.1f} on average."
