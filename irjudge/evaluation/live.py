"""Live evaluation: while judging goes on, what each run can still reach, which orderings can still change, and what to judge next."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irjudge.errors import IrjudgeError
from irjudge.evaluation.bounds import (
    ROUNDING,
    BoundsSetting,
    RunBounds,
    Verdict,
    grades_of,
    run_bounds,
    unjudged_pairs,
    verdict,
)
from irjudge.evaluation.join import join
from irjudge.evaluation.retrieval import retrieved
from irjudge.evaluation.table import Policy
from irjudge.judging.consensus import awaited, movable_pairs
from irjudge.judging.judged_qrels import QrelsChoice, choices, judged_rows, qrels_rows
from irjudge.message import Message
from irjudge.metrics.basis.bounds import (
    Unsettled,
    UnsettledPair,
    difference_bounds,
    unsettled,
    why_unbounded,
)
from irjudge.metrics.basis.judged import Ints, JudgedRun, Longs
from irjudge.metrics.naming.names import Measure
from irjudge.model.arrow import values_of
from irjudge.model.ranking import UNJUDGED, Qrels, Run, make_qrels, starts_of
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project

USUAL = ("P@10", "nDCG@10", "RBP", "AP")
Pair = tuple[str, str]
Row = tuple[str, str, int]


@dataclass(frozen=True, slots=True, eq=False)
class RunStanding:
    """One run among the others, over all T topics of the qrels."""

    known: Unsettled  # what is judged and what is open in it
    counts: npt.NDArray[np.bool_]  # shape (T,): whether a topic is one of those averaged
    now: JudgedRun  # as the qrels are now: `known`, but for documents that are open although they have a grade
    # shape (U,): each open document that it retrieved, as topic x D + document of the qrels, ascending; its topic and its rank
    key: Longs
    topic: Longs
    rank: Ints


@dataclass(frozen=True, slots=True)
class RunOrdering:
    """How run_a stands against run_b by one measure: the difference a − b now, what it can still reach, and whether its sign can change.

    `low`, `high` and `verdict` are None where the measure has no bounds; `remark` says so, or that the interval is wider than need be.
    """

    run_a: str
    run_b: str
    difference: float
    low: float | None
    high: float | None
    verdict: Verdict | None
    remark: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class LiveTable:
    """Runs x measures while judgments are missing, and what every pair of runs needs to be told apart."""

    # what was asked for
    measures: tuple[Measure, ...]
    policy: Policy
    setting: BoundsSetting
    runs: tuple[RunBounds, ...]  # each run's values and bounds, in the order given
    provisional: dict[str, str]  # why a measure has no bounds, by its name
    # how many pairs of topic and document the qrels name, and how many of them have a judgment
    pooled: int
    judged: int
    qrels: Qrels  # what is open stands there as -1; in the open world so does whatever else a run retrieved
    standings: dict[str, RunStanding]  # by name of the run
    outstanding: int = 0  # how many judgments are assigned and not in that the qrels, or the consensus that takes their place, wait for

    def cell(self, run: RunBounds, place: int) -> tuple[float, float | None, float | None]:
        """Return a run's value now by the measure at a place, the lowest and the highest; None where there are no bounds."""
        value = float(run.summary[place])
        if self.measures[place].name in self.provisional:
            return value, None, None
        low, high = (
            float(ends[place].mean()) if len(run.topics) else 0.0 for ends in (run.low, run.high)
        )
        return value, low, high

    def unsettled(self) -> int:
        """Return how many values can still change."""
        cells = (self.cell(run, place) for run in self.runs for place in range(len(self.measures)))
        return sum(
            low is not None and high is not None and high - low > ROUNDING for _, low, high in cells
        )

    def standing(self, run: str) -> RunStanding:
        """Return a run by its name; IrjudgeError when there is none of this name."""
        if run not in self.standings:
            raise IrjudgeError(
                "There is no run called {run!r}; choose {value}.",
                key="unknown-run",
                run=run,
                value=", ".join(self.standings) or "none",
            )
        return self.standings[run]


def live(
    qrels: Qrels,
    runs: Iterable[Run],
    measures: Sequence[Measure],
    policy: Policy | None = None,
    setting: BoundsSetting | None = None,
    progress: Progress = SILENT,
    *,
    total: int | None = None,
    now: Qrels | None = None,
) -> LiveTable:
    """Return what each run can still reach, and what comparing them needs; see `run_bounds`.

    One run at a time is held in the closed world; in the open world all are. A measure without bounds gets its value alone, which is
    provisional. `now` is what the values of now are of, where documents that are open have a grade already: `qrels` but for these; None for
    `qrels`. IrjudgeError when two runs have one name, or the scale's lowest grade is not 0.
    """
    policy, setting = policy or Policy(), setting or BoundsSetting()
    setting = replace(setting, grades=grades_of(qrels, measures, setting))
    everything = qrels
    if setting.world == "open":
        runs = list(runs)
        everything = _with_retrieved(qrels, runs)
    is_open = open_pairs(everything)
    bounds: list[RunBounds] = []
    standings: dict[str, RunStanding] = {}
    for run in progress.through(runs, Message("Evaluating runs"), total=total, every=1):
        if run.name in standings:
            raise IrjudgeError(
                "Two runs are called {run!r}; runs that are compared need names of their own.",
                key="repeated-run",
                run=run.name,
            )
        bounds.append(_run_bounds(qrels, now, run, measures, policy, setting))
        standings[run.name] = _standing(everything, now, is_open, run, policy, setting)
    provisional = {each.name: why for each in measures if (why := why_unbounded(each))}
    pooled = len(np.unique(pair_keys(qrels)))
    judged = pooled - unjudged_pairs(now or qrels)
    return LiveTable(
        tuple(measures),
        policy,
        setting,
        tuple(bounds),
        provisional,
        pooled,
        judged,
        everything,
        standings,
    )


def _run_bounds(
    qrels: Qrels,
    now: Qrels | None,
    run: Run,
    measures: Sequence[Measure],
    policy: Policy,
    setting: BoundsSetting,
) -> RunBounds:
    found = run_bounds(qrels, run, measures, policy, setting)
    if now is None:
        return found
    current = run_bounds(now, run, measures, policy, setting)
    return replace(found, values=current.values, summary=current.summary)


def live_project(
    project: Project,
    measures: Sequence[Measure],
    policy: Policy | None = None,
    setting: BoundsSetting | None = None,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
) -> LiveTable:
    """Return the live table of a project's runs, its pool and its scale; see `live` and `open_qrels`.

    The values of now are those of the consensus as it is; the intervals hold every consensus that outstanding judgments can make.
    """
    names = [run.name for run in project.rankings.runs()]
    setting = replace(setting or BoundsSetting(), grades=project.scale.values)
    runs = (project.rankings.run(name) for name in names)
    rows, moving = _rows_and_moving(project, choice)
    qrels, now = make_qrels(_opened(rows, moving)), make_qrels(rows) if moving else None
    table = live(qrels, runs, measures, policy, setting, progress, total=len(names), now=now)
    chosen = choice or next(iter(choices(project)), None)
    imported = chosen is not None and chosen.source == "imported"
    return replace(table, outstanding=0 if imported else awaited(project).total())


def open_qrels(project: Project, choice: QrelsChoice | None = None) -> Qrels:
    """Return qrels of a project, by default those used by default, where what is pooled and has no judgment in them stands as -1.

    Imported qrels keep to their own topics: nobody is judging the others. Without any judgment the whole pool is unjudged; without
    a pool either the qrels are empty. In a consensus -1 also stands for a grade that outstanding judgments can still change.
    """
    return make_qrels(_opened(*_rows_and_moving(project, choice)))


def _opened(rows: Sequence[Row], moving: Container[Pair]) -> list[Row]:
    return [
        (topic, document, UNJUDGED if (topic, document) in moving else grade)
        for topic, document, grade in rows
    ]


def _rows_and_moving(project: Project, choice: QrelsChoice | None) -> tuple[list[Row], set[Pair]]:
    """Return the qrels as they are now, and the pairs among them whose grade can still change."""
    offered = choices(project)
    chosen = choice or (offered[0] if offered else None)
    if chosen is None:
        return judged_rows(project, unjudged=True), set()
    rows = qrels_rows(project, chosen, unjudged=True)
    if chosen.source == "imported":
        topics = set(project.rankings.qrels(chosen.of).topics)
        rows = [row for row in rows if row[0] in topics]
    if chosen.source != "consensus":
        return rows, set()
    moving = movable_pairs(project)
    named = {row[:2] for row in rows}
    return rows + [(*pair, UNJUDGED) for pair in sorted(moving - named)], moving


# Pairs of runs


def against(
    table: LiveTable, run: str, measure: Measure, progress: Progress = SILENT
) -> list[RunOrdering]:
    """Return how a run stands against each other one by a measure, in the order of the table; see `ordering`."""
    others = [name for name in table.standings if name != run]
    return [
        ordering(table, run, other, measure)
        for other in progress.through(others, Message("Comparing runs"), total=len(others), every=1)
    ]


def ordering(table: LiveTable, run_a: str, run_b: str, measure: Measure) -> RunOrdering:
    """Return the difference of the means a − b over the topics evaluated for both, and whether its sign can still change.

    A document that both retrieved gets one grade for both, so the interval is narrower than the difference of their intervals. A verdict
    other than `can_change` stays, whatever is judged. IrjudgeError when the table has no such run.
    """
    a, b = table.standing(run_a), table.standing(run_b)
    both = a.counts & b.counts
    values = measure.compute(a.now) - measure.compute(b.now)
    now = float(values[both].mean()) if both.any() else 0.0
    found = difference_bounds(measure, _pair(table.qrels, a, b))
    if found is None:
        return RunOrdering(run_a, run_b, now, None, None, None, why_unbounded(measure))
    low, high = (
        float(ends[both].mean()) if both.any() else 0.0 for ends in (found[0].low, found[0].high)
    )
    return RunOrdering(
        run_a,
        run_b,
        now,
        low,
        high,
        verdict(measure, low, high),
        Message("{found}.", found=found[1]) if found[1] else "",
    )


def _pair(qrels: Qrels, a: RunStanding, b: RunStanding) -> UnsettledPair:
    key = np.union1d(a.key, b.key)
    topic = (key // pairs_in_a_topic(qrels)).astype(np.int32)
    judged = a.known.judged
    every_open = a.known.outside + judged.count_by_topic(a.known.topic)
    outside = every_open - judged.count_by_topic(topic)
    return UnsettledPair(
        a.known, b.known, topic, at(key, a.key, a.rank), at(key, b.key, b.rank), outside
    )


def at(wanted: Longs, key: Longs, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the values at the wanted keys, of ascending `key`; 0 where there is none."""
    if not len(key):
        return np.zeros(len(wanted), dtype=values.dtype)
    place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    return np.where(key[place] == wanted, values[place], values.dtype.type(0))


# What is open


def pairs_in_a_topic(qrels: Qrels) -> int:
    """Return how many keys a topic has: D, at least 1."""
    return max(1, len(qrels.documents))


def pair_keys(qrels: Qrels) -> Longs:
    """Return topic x D + document of each row."""
    return qrels.topic.astype(np.int64) * pairs_in_a_topic(qrels) + qrels.document


def open_pairs(qrels: Qrels) -> Longs:
    """Return the keys, ascending, of what the qrels name as -1 and never with a grade."""
    key = pair_keys(qrels)
    return np.setdiff1d(key[qrels.grade == UNJUDGED], key[qrels.grade > UNJUDGED])


def _standing(
    qrels: Qrels,
    now: Qrels | None,
    is_open: Longs,
    run: Run,
    policy: Policy,
    setting: BoundsSetting,
) -> RunStanding:
    grades = setting.grades or (0, 1)
    found = retrieved(run, qrels, policy.ties)
    judged = join(found, qrels, topics="qrels", highest=grades[-1], depth=policy.depth)
    current = (
        join(run, now, ties=policy.ties, topics="qrels", highest=grades[-1], depth=policy.depth)
        if now is not None
        else judged
    )
    pooled = np.bincount(is_open // pairs_in_a_topic(qrels), minlength=len(qrels.topics)).astype(
        np.int64
    )
    place = {topic: code for code, topic in enumerate(qrels.topics)}
    of_topic = np.array([place.get(topic, 0) for topic in found.topics], dtype=np.int64)
    key = of_topic[found.topic] * pairs_in_a_topic(qrels) + found.document
    kept = np.isin(key, is_open) & (found.rank <= (policy.depth or np.inf))
    key, rank = key[kept], found.rank[kept]
    order = np.argsort(key)
    known = unsettled(judged, pooled, grades, setting.world)
    topic = key[order] // pairs_in_a_topic(qrels)
    return RunStanding(
        known, _counted(judged, run, policy), current, key[order], topic, rank[order]
    )


def _counted(judged: JudgedRun, run: Run, policy: Policy) -> npt.NDArray[np.bool_]:
    """Return which topics of the qrels are averaged, as `join` chooses them."""
    if policy.topics == "both":
        in_run = set(run.topics)
        return np.array([topic in in_run for topic in judged.topics], dtype=bool)
    return (
        judged.n_relevant(policy.rel) > 0
        if policy.topics == "relevant"
        else np.ones(len(judged), dtype=bool)
    )


def _with_retrieved(qrels: Qrels, runs: Sequence[Run]) -> Qrels:
    """Return the qrels with everything as -1 that a run retrieved for one of their topics and that they do not name."""
    documents = (
        pa.chunked_array([qrels.documents, *(run.document for run in runs)], pa.string())
        .dictionary_encode()
        .combine_chunks()
    )
    size = max(1, len(documents.dictionary))
    ends = np.cumsum([len(qrels.documents), *(len(run) for run in runs)])
    of_qrels, *of_runs = np.split(values_of(documents.indices), ends[:-1])
    known = qrels.topic.astype(np.int64) * size + of_qrels[qrels.document]
    new = np.setdiff1d(
        np.concatenate(
            [
                known[:0],
                *(_retrieved_keys(qrels, *each, size) for each in zip(runs, of_runs, strict=True)),
            ]
        ),
        known,
    )
    topic = np.concatenate((qrels.topic, (new // size).astype(np.int32)))
    order = np.argsort(topic, kind="stable")
    return Qrels(
        qrels.topics,
        starts_of(topic[order], len(qrels.topics)),
        documents.dictionary,
        np.concatenate((of_qrels[qrels.document], new % size)).astype(np.int32)[order],
        np.concatenate((qrels.grade, np.full(len(new), UNJUDGED, dtype=np.int32)))[order],
        np.zeros(len(order), dtype=np.int32),
    )


def _retrieved_keys(qrels: Qrels, run: Run, code: Ints, size: int) -> Longs:
    """Return topic x size + document of what a run retrieved for topics of the qrels."""
    place = {topic: number for number, topic in enumerate(qrels.topics)}
    topic = np.repeat(
        np.array([place.get(topic, -1) for topic in run.topics], dtype=np.int64),
        np.diff(run.starts),
    )
    return (topic * size + code)[topic >= 0]
