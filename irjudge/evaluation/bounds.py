"""Bounds of runs and of their differences while judgments are incomplete: from qrels and runs to intervals of topics and means."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irjudge.errors import IrjudgeError
from irjudge.evaluation.averages import summarise
from irjudge.evaluation.join import join
from irjudge.evaluation.table import ALL, Policy
from irjudge.message import Message
from irjudge.metrics.basis.bounds import (
    UnsettledPair,
    World,
    bounds,
    difference_bounds,
    unsettled,
    why_unbounded,
)
from irjudge.metrics.basis.judged import JudgedRun, Longs, Scores
from irjudge.metrics.naming.direction import to_goodness
from irjudge.metrics.naming.names import Measure
from irjudge.model.arrow import column_of, values_of
from irjudge.model.order import ranking_order
from irjudge.model.ranking import UNJUDGED, Qrels, Run

Verdict: TypeAlias = Literal["a_better", "b_better", "equal", "can_change"]
Cell: TypeAlias = str | float | None
Keys: TypeAlias = npt.NDArray[np.int64]

RUN_COLUMNS = ("run", "measure", "topic", "value", "low", "high")
PAIR_COLUMNS = ("measure", "run_a", "run_b", "topic", "difference", "low", "high", "verdict")
VERDICTS: dict[Verdict, str] = {
    "a_better": Message("run_a is better, whatever the rest is"),
    "b_better": Message("run_b is better, whatever the rest is"),
    "equal": Message("the two stay equal, whatever the rest is"),
    "can_change": Message("the sign can still change"),
}
WORLDS_MEAN: dict[World, str] = {
    "pool": Message("only documents that the qrels name can be relevant"),
    "open": Message("any document that has no grade can be relevant, retrieved or not"),
}
# Less than this is rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class RunBounds:
    """What one run can still reach."""

    run: str  # its name
    measures: tuple[Measure, ...]  # M measures
    topics: tuple[str, ...]  # T evaluated topics
    # `values`, `low`, `high`: shape (M, T): the values now, and the lowest and highest that are possible; NaN in `low` and `high` where a
    # measure has no bounds
    values: Scores
    summary: Scores  # shape (M,): the run's values now, as `evaluate` has them
    low: Scores
    high: Scores

    def rows(self, *, per_topic: bool = False) -> Iterable[tuple[Cell, ...]]:
        """Yield the cells of `RUN_COLUMNS`: each measure's topics when asked for, then their mean; None where there are no bounds."""
        for place, measure in enumerate(self.measures):
            columns = self.values[place], self.low[place], self.high[place]
            for topic, cells in _rows(self.topics, columns, float(self.summary[place]), per_topic):
                yield self.run, measure.name, topic, *map(_known, cells)


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceBounds:
    """What the difference of two runs, a − b, can still reach; see `RunBounds`."""

    run_a: str
    run_b: str
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    values: Scores
    summary: Scores
    low: Scores
    high: Scores
    remarks: tuple[str, ...] = ()

    def rows(self, *, per_topic: bool = False) -> Iterable[tuple[Cell, ...]]:
        """Yield the cells of `PAIR_COLUMNS`: each measure's topics when asked for, then their mean; None where there are no bounds."""
        for place, measure in enumerate(self.measures):
            columns = self.values[place], self.low[place], self.high[place]
            for topic, cells in _rows(self.topics, columns, float(self.summary[place]), per_topic):
                low, high = map(_known, cells[1:])
                said = None if low is None or high is None else verdict(measure, low, high)
                yield measure.name, self.run_a, self.run_b, topic, cells[0], low, high, said


def verdict(measure: Measure, low: float, high: float) -> Verdict:
    """Return whether the sign of a difference a − b between `low` and `high` can still change, and else which run is better.

    >>> from irjudge.metrics.naming.names import parse
    >>> [verdict(parse("AP")[0], *ends) for ends in ((0.1, 0.4), (0.0, 0.4), (0.0, 0.0))]
    ['a_better', 'can_change', 'equal']
    >>> verdict(parse("SetE")[0], 0.1, 0.4)
    'b_better'
    """
    worst, best = sorted(to_goodness(measure, [low, high]).tolist())
    if worst > ROUNDING:
        return "a_better"
    if best < -ROUNDING:
        return "b_better"
    return "equal" if high - low <= ROUNDING else "can_change"


@dataclass(frozen=True, slots=True)
class BoundsSetting:
    """In which world, and with which grades, documents can fall out."""

    world: World = "pool"  # `pool` or `open`, see `WORLDS_MEAN`
    # the grades of the scale, ascending; None takes 0 to the highest that the qrels or a measure's parameters name, at least 1
    grades: tuple[int, ...] | None = None


def run_bounds(
    qrels: Qrels,
    run: Run,
    measures: Sequence[Measure],
    policy: Policy | None = None,
    setting: BoundsSetting | None = None,
) -> RunBounds:
    """Return the lowest and the highest value of a run over every way in which its unjudged documents could fall out.

    Grade -1 in the qrels says that a document is pooled and unjudged; a measure without bounds gets its value alone. Of the policy hold
    order of ties, topics and depth; profile and average must be the usual ones. IrjudgeError when the scale's lowest grade is not 0.

    >>> from irjudge.metrics.naming.names import parse
    >>> from irjudge.model.ranking import make_qrels, make_run
    >>> qrels = make_qrels([("1", "a", 1), ("1", "b", -1)])
    >>> found = run_bounds(qrels, make_run("r", [("1", "b", 2.0), ("1", "a", 1.0)]), parse("RR"))
    >>> list(found.rows())
    [('r', 'RR', 'all', 0.5, 0.5, 1.0)]
    """
    policy, setting = policy or Policy(), setting or BoundsSetting()
    grades = grades_of(qrels, measures, setting)
    judged = _join(run, qrels, policy, grades)
    known = unsettled(judged, _pooled(qrels, judged.topics), grades, setting.world)
    found = [bounds(measure, known) for measure in measures]
    nothing, values = np.full(len(judged), np.nan), _values(measures, judged)
    return RunBounds(
        run.name,
        tuple(measures),
        judged.topics,
        values,
        summarise(measures, values, judged),
        _stack([nothing if each is None else each.low for each in found], len(judged)),
        _stack([nothing if each is None else each.high for each in found], len(judged)),
    )


def pair_bounds(
    qrels: Qrels,
    run_a: Run,
    run_b: Run,
    measures: Sequence[Measure],
    policy: Policy | None = None,
    setting: BoundsSetting | None = None,
) -> DifferenceBounds:
    """Return the lowest and the highest difference a − b: a document that both retrieved gets one grade for both.

    Topics are those evaluated for both runs; otherwise as `run_bounds`. Where only the difference of the two runs' own intervals is
    known, `remarks` says so.
    """
    policy, setting = policy or Policy(), setting or BoundsSetting()
    grades = grades_of(qrels, measures, setting)
    if policy.topics == "both":
        run_a, run_b = _with_topics(run_a, run_b.topics), _with_topics(run_b, run_a.topics)
    pair = _pair(qrels, run_a, run_b, policy, grades, setting.world)
    judged = pair.a.judged
    found = [difference_bounds(measure, pair) for measure in measures]
    nothing, of_a, of_b = (
        np.full(len(judged), np.nan),
        _values(measures, judged),
        _values(measures, pair.b.judged),
    )
    return DifferenceBounds(
        run_a.name,
        run_b.name,
        tuple(measures),
        judged.topics,
        of_a - of_b,
        summarise(measures, of_a, judged) - summarise(measures, of_b, pair.b.judged),
        _stack([nothing if each is None else each[0].low for each in found], len(judged)),
        _stack([nothing if each is None else each[0].high for each in found], len(judged)),
        tuple(Message("{each}.", each=each[1]) for each in found if each is not None and each[1]),
    )


def grades_of(qrels: Qrels, measures: Sequence[Measure], setting: BoundsSetting) -> tuple[int, ...]:
    """Return the grades that an unjudged document can get, ascending from 0; IrjudgeError when the scale's lowest grade is not 0."""
    highest = int(qrels.grade.max(initial=0))
    if setting.grades is not None:
        if not setting.grades or min(setting.grades) != 0:
            raise IrjudgeError(
                "Bounds need a scale whose lowest grade is 0, got {value}.",
                value=", ".join(map(str, setting.grades)) or "none",
            )
        return tuple(sorted({*setting.grades, highest}))
    named = [
        value
        for measure in measures
        for name in ("rel", "highest")
        if isinstance(value := measure.values.get(name), int)
    ]
    return tuple(range(max(1, highest, *named) + 1))


def provisional(measures: Iterable[Measure]) -> list[str]:
    """Return a sentence for each measure that has no bounds."""
    return [why for measure in measures if (why := why_unbounded(measure))]


def unjudged_pairs(qrels: Qrels) -> int:
    """Return how many pairs of topic and document the qrels name without a grade."""
    return int(_open_keys(qrels)[0].sum())


# What is open


def _join(run: Run, qrels: Qrels, policy: Policy, grades: tuple[int, ...]) -> JudgedRun:
    return join(
        run,
        qrels,
        ties=policy.ties,
        topics=policy.topics,
        rel=policy.rel,
        highest=grades[-1],
        depth=policy.depth,
    )


def _open_keys(qrels: Qrels) -> tuple[npt.NDArray[np.bool_], Keys]:
    """Return each pair of topic and document once, as topic x D + document, ascending, and whether its best grade is -1."""
    key = qrels.topic.astype(np.int64) * max(1, len(qrels.documents)) + qrels.document
    pairs, place = np.unique(key, return_inverse=True)
    best = np.full(len(pairs), np.iinfo(np.int32).min, dtype=np.int32)
    np.maximum.at(best, place, qrels.grade)
    return best == UNJUDGED, pairs


def _pooled(qrels: Qrels, topics: Sequence[str]) -> Longs:
    """Return how many documents of each topic are pooled and unjudged."""
    is_open, pairs = _open_keys(qrels)
    count = np.bincount(pairs[is_open] // max(1, len(qrels.documents)), minlength=len(qrels.topics))
    code = {topic: place for place, topic in enumerate(qrels.topics)}
    return count[[code[topic] for topic in topics]].astype(np.int64)


def _pair(
    qrels: Qrels, run_a: Run, run_b: Run, policy: Policy, grades: tuple[int, ...], world: World
) -> UnsettledPair:
    a, b = (_join(run, qrels, policy, grades) for run in (run_a, run_b))
    pooled = _pooled(qrels, a.topics)
    documents = (
        pa.chunked_array([run_a.document, run_b.document, qrels.documents], pa.string())
        .dictionary_encode()
        .combine_chunks()
    )
    code = values_of(documents.indices)
    size = max(1, len(documents.dictionary))
    ends = np.cumsum([len(run_a), len(run_b)])
    of_a, of_b = (
        _ranks(run, part, a.topics, policy, size)
        for run, part in zip((run_a, run_b), np.split(code, ends), strict=False)
    )
    chosen = _candidates(qrels, code[ends[1] :], a.topics, size, world, of_a[0], of_b[0])
    topic = (chosen // size).astype(np.int32)
    shown = np.bincount(topic, minlength=len(a))
    outside = (pooled - shown).astype(np.float64) if world == "pool" else np.full(len(a), np.inf)
    known_a, known_b = (unsettled(each, pooled, grades, world) for each in (a, b))
    return UnsettledPair(
        known_a, known_b, topic, _rank_of(chosen, *of_a), _rank_of(chosen, *of_b), outside
    )


def _ranks(
    run: Run, code: npt.NDArray[Any], topics: Sequence[str], policy: Policy, size: int
) -> tuple[Keys, npt.NDArray[np.int32]]:
    """Return the key of each retrieved document of the topics, topic x size + document, ascending, and its rank."""
    place = {topic: number for number, topic in enumerate(topics)}
    of_topic = np.array([place.get(topic, -1) for topic in run.topics], dtype=np.int64)
    order = ranking_order(run, policy.ties)
    code = code if order is None else code[order]
    rank = (np.arange(len(run)) - np.repeat(run.starts[:-1], np.diff(run.starts)) + 1).astype(
        np.int32
    )
    topic = of_topic[run.topic]
    kept = (topic >= 0) & (rank <= (policy.depth or len(run)))
    key = topic[kept] * size + code[kept]
    by_key = np.argsort(key, kind="stable")
    return key[by_key], rank[kept][by_key]


def _candidates(
    qrels: Qrels,
    code: npt.NDArray[Any],
    topics: Sequence[str],
    size: int,
    world: World,
    *found: Keys,
) -> Keys:
    """Return the keys, ascending, of the documents that a run retrieved and that are open."""
    is_open, pairs = _open_keys(qrels)
    place = {topic: number for number, topic in enumerate(topics)}
    of_topic = np.array([place.get(topic, -1) for topic in qrels.topics], dtype=np.int64)
    documents = max(1, len(qrels.documents))
    topic = of_topic[pairs // documents]
    key = topic * size + code[pairs % documents] if len(pairs) else pairs
    retrieved = np.union1d(*found)
    if world == "pool":
        return np.intersect1d(retrieved, key[(topic >= 0) & is_open])
    return np.setdiff1d(retrieved, key[(topic >= 0) & ~is_open])


def _rank_of(chosen: Keys, key: Keys, rank: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return the rank of each chosen document; 0 where it was not retrieved."""
    if not len(key):
        return np.zeros(len(chosen), dtype=np.int32)
    place = np.minimum(np.searchsorted(key, chosen), len(key) - 1)
    return np.where(key[place] == chosen, rank[place], 0).astype(np.int32)


def _with_topics(run: Run, topics: Sequence[str]) -> Run:
    """Return the run with only those of its topics that are among `topics`."""
    wanted = set(topics)
    kept = np.array([topic in wanted for topic in run.topics], dtype=bool)
    if kept.all():
        return run
    rows = kept[run.topic]
    sizes = np.diff(run.starts)[kept]
    return replace(
        run,
        topics=tuple(topic for topic in run.topics if topic in wanted),
        starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        document=run.document.take(column_of(np.flatnonzero(rows))),
        score=run.score[rows],
        rank=run.rank[rows],
        line=run.line[rows],
    )


# Rows


def _values(measures: Sequence[Measure], judged: JudgedRun) -> Scores:
    return _stack([measure.compute(judged) for measure in measures], len(judged))


def _stack(rows: Sequence[Scores], topics: int) -> Scores:
    return np.stack(rows) if rows else np.empty((0, topics))


def _rows(
    topics: Sequence[str], columns: Sequence[Scores], summary: float, per_topic: bool
) -> Iterable[tuple[str, list[float]]]:
    if per_topic:
        for place, topic in enumerate(topics):
            yield topic, [float(column[place]) for column in columns]
    yield ALL, [summary, *(float(column.mean()) if len(column) else 0.0 for column in columns[1:])]


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value
