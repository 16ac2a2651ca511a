"""Bounds on values of runs with incomplete judgments, and the documents to judge next."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irjudge.errors import IrjudgeError
from irjudge.evaluation.judged_runs import TOPIC_POLICY_DESCRIPTIONS, find_judged_ranks, join
from irjudge.evaluation.requests import (
    DepthOption,
    ExplainedTiesOption,
    PerTopicOption,
    QrelsRequest,
    RelOption,
    add_warnings_to_errors,
    explain_exchange,
    read_judgments,
    refuse_files,
)
from irjudge.evaluation.table import ALL_TOPICS, Policy, ResultTable, parse_measures, summarise
from irjudge.judging import (
    QrelsChoice,
    count_outstanding,
    find_changeable_pairs,
    list_judged_rows,
    list_qrels_choices,
    list_qrels_rows,
    open_for_reading,
    read_project_qrels,
    select_qrels,
)
from irjudge.message import Message, format_count
from irjudge.metrics import (
    WORLDS,
    Floats,
    Ints,
    JudgedRun,
    Longs,
    Measure,
    OpenRun,
    OpenRunPair,
    Scores,
    World,
    bounds,
    difference_bounds,
    no_bounds_reason,
    open_run,
    rank_in_topic,
    to_goodness,
)
from irjudge.model import (
    UNJUDGED,
    Pair,
    Qrels,
    Run,
    make_qrels,
    ranking_order,
    row_offsets,
    to_arrow_column,
    to_numpy,
)
from irjudge.options import Option, describe_choices
from irjudge.progress import SILENT, Progress
from irjudge.store import Project, is_project

# Bounds on the values of runs, and on differences between runs, while judgments are missing

Verdict: TypeAlias = Literal["a_better", "b_better", "equal", "can_change"]
# the other topic policy, `relevant`, has no bounds: further judgments can add topics
BoundsTopics: TypeAlias = Literal["both", "qrels"]
BOUNDS_TOPICS: dict[BoundsTopics, str] = {
    "both": TOPIC_POLICY_DESCRIPTIONS["both"],
    "qrels": TOPIC_POLICY_DESCRIPTIONS["qrels"],
}
Cell: TypeAlias = str | float | None
Keys: TypeAlias = npt.NDArray[np.int64]

RUN_COLUMNS = ("run", "measure", "topic", "value", "low", "high")
PAIR_COLUMNS = ("measure", "run_a", "run_b", "topic", "difference", "low", "high", "verdict")
VERDICTS: dict[Verdict, str] = {
    "a_better": Message("run_a is better, whatever the remaining judgments are"),
    "b_better": Message("run_b is better, whatever the remaining judgments are"),
    "equal": Message("the two runs stay equal, whatever the remaining judgments are"),
    "can_change": Message("the sign of the difference can still change"),
}
NO_COMMON_TOPIC = Message(
    "Two runs without a common topic have no difference.", key="no-common-topic"
)
WORLD_DESCRIPTIONS: dict[World, str] = {
    "pool": Message("only documents in the qrels can be relevant"),
    "open": Message("any unjudged document can be relevant, retrieved or not"),
}
# smaller differences are rounding errors
ROUNDING_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class RunBounds:
    """Current values of one run, and the bounds of its values once all documents are judged."""

    run: str
    measures: tuple[Measure, ...]  # M measures
    topics: tuple[str, ...]  # T evaluated topics
    values: Scores  # current value by measure and topic, shape (M, T)
    summary: Scores  # current value of the run by measure, as in `evaluate_runs`, shape (M,)
    low: Scores  # lowest possible value, shape (M, T); NaN if a measure has no bounds
    high: Scores  # highest possible value, shape (M, T); NaN if a measure has no bounds

    def rows(self, *, per_topic: bool = False) -> Iterable[tuple[Cell, ...]]:
        """Yield rows with the columns `RUN_COLUMNS`.

        Each measure has a row for each topic, if `per_topic` is set, and then a row for the mean.
        For a measure without bounds, the bounds are None.
        """
        for index, measure in enumerate(self.measures):
            columns = self.values[index], self.low[index], self.high[index]
            for topic, cells in _iter_value_rows(
                self.topics, columns, float(self.summary[index]), per_topic
            ):
                yield self.run, measure.name, topic, *map(_replace_nan_by_none, cells)


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceBounds:
    """Bounds on the differences a − b between the values of two runs.

    Fields that `RunBounds` also has contain differences instead of values. The arrays have the
    shape (measures, topics), except `summary`, which has the shape (measures,). `low` and
    `high` are NaN for measures without bounds. Only topics evaluated for both runs are
    included. `notes` names measures whose bounds are wider than necessary, and states if the
    runs have no common topic.
    """

    run_a: str
    run_b: str
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    values: Scores
    summary: Scores
    low: Scores
    high: Scores
    notes: tuple[str, ...] = ()

    def rows(self, *, per_topic: bool = False) -> Iterable[tuple[Cell, ...]]:
        """Yield rows with the columns `PAIR_COLUMNS`.

        Each measure has a row for each topic, if `per_topic` is set, and then a row for the mean.
        For a measure without bounds, the bounds and the verdict are None; for runs without a common
        topic, the difference is also None.
        """
        for index, measure in enumerate(self.measures):
            if not self.topics:
                yield measure.name, self.run_a, self.run_b, ALL_TOPICS, None, None, None, None
                continue
            columns = self.values[index], self.low[index], self.high[index]
            for topic, cells in _iter_value_rows(
                self.topics, columns, float(self.summary[index]), per_topic
            ):
                low, high = map(_replace_nan_by_none, cells[1:])
                verdict_name = None if low is None or high is None else verdict(measure, low, high)
                yield measure.name, self.run_a, self.run_b, topic, cells[0], low, high, verdict_name


def verdict(measure: Measure, low: float, high: float) -> Verdict:
    """Return which run is better if the difference a − b lies between `low` and `high`.

    The verdict is `can_change` if the interval contains 0 and other values. Differences of at most
    `ROUNDING_TOLERANCE` count as 0.

    >>> from irjudge.metrics import parse_measure_name
    >>> [verdict(parse_measure_name("AP")[0], *ends) for ends in ((0.1, 0.4), (0.0, 0.4), (0.0, 0.0))]
    ['a_better', 'can_change', 'equal']
    >>> verdict(parse_measure_name("SetE")[0], 0.1, 0.4)
    'b_better'
    """
    worst_case, best_case = sorted(to_goodness(measure, [low, high]).tolist())
    if worst_case > ROUNDING_TOLERANCE:
        return "a_better"
    if best_case < -ROUNDING_TOLERANCE:
        return "b_better"
    return "equal" if high - low <= ROUNDING_TOLERANCE else "can_change"


@dataclass(frozen=True, slots=True)
class BoundsSetting:
    """Assumptions about unjudged documents: which of them can be relevant, with which grades.

    In the world `pool`, only documents in the qrels can be relevant; in the world `open`, any
    unjudged document can.
    """

    world: World = "pool"  # `pool` or `open`, see `WORLD_DESCRIPTIONS`
    # grades of the scale, ascending from 0 (the highest grade in the qrels is added); None for 0 to
    # the highest grade (at least 1) in the qrels and in the parameters of the measures
    grades: tuple[int, ...] | None = None


def run_bounds(
    qrels: Qrels,
    run: Run,
    measures: Sequence[Measure],
    policy: Policy | None = None,
    setting: BoundsSetting | None = None,
) -> RunBounds:
    """Return the lowest and highest value that a run can have once all documents are judged.

    Parameters
    ----------
    qrels
        Grade -1 marks a document that is pooled and unjudged.
    measures
        For a measure without bounds, only the current value is computed; `low` and `high` are
        NaN.
    policy
        Only its order of ties, its topics (`both` or `qrels`) and its depth are used; profile and
        average must be the defaults.
    setting
        The world and the grades of the scale.

    Raises
    ------
    IrjudgeError
        If the lowest grade of the scale is not 0, or the policy selects topics with a relevant
        document, since further judgments can add topics.

    Examples
    --------
    >>> from irjudge.metrics import parse_measure_name
    >>> from irjudge.model import make_qrels, make_run
    >>> qrels = make_qrels([("1", "a", 1), ("1", "b", -1)])
    >>> bounds = run_bounds(qrels, make_run("r", [("1", "b", 2.0), ("1", "a", 1.0)]), parse_measure_name("RR"))
    >>> list(bounds.rows())
    [('r', 'RR', 'all', 0.5, 0.5, 1.0)]
    """
    policy, setting = policy or Policy(), setting or BoundsSetting()
    grades = possible_grades(qrels, measures, setting)
    judged_run = _join_run(run, qrels, policy, grades)
    open_documents = open_run(
        judged_run, _count_open_pairs(qrels, judged_run.topics), grades, setting.world
    )
    intervals = [bounds(measure, open_documents) for measure in measures]
    undefined, values = np.full(len(judged_run), np.nan), _compute_values(measures, judged_run)
    return RunBounds(
        run.name,
        tuple(measures),
        judged_run.topics,
        values,
        summarise(measures, values, judged_run),
        _stack_rows(
            [undefined if interval is None else interval.low for interval in intervals],
            len(judged_run),
        ),
        _stack_rows(
            [undefined if interval is None else interval.high for interval in intervals],
            len(judged_run),
        ),
    )


def _compute_run_bounds(
    qrels: Qrels,
    current_qrels: Qrels | None,
    run: Run,
    measures: Sequence[Measure],
    policy: Policy,
    setting: BoundsSetting,
) -> RunBounds:
    """Compute bounds with `qrels`, and current values with `current_qrels` or, if None, `qrels`."""
    bounds = run_bounds(qrels, run, measures, policy, setting)
    if current_qrels is None:
        return bounds
    current = run_bounds(current_qrels, run, measures, policy, setting)
    return replace(bounds, values=current.values, summary=current.summary)


def pair_bounds(
    qrels: Qrels,
    run_a: Run,
    run_b: Run,
    measures: Sequence[Measure],
    policy: Policy | None = None,
    setting: BoundsSetting | None = None,
) -> DifferenceBounds:
    """Return the lowest and highest difference a − b possible once all documents are judged.

    A document that both runs retrieved has the same grade in both, so the interval is narrower
    than the difference of the two `run_bounds`. Only topics evaluated for both runs are used. For
    parameters and errors see `run_bounds`. `notes` of the result lists the measures for which the
    bounds are only the difference of the two runs' intervals, and states if the runs have no
    common topic.
    """
    policy, setting = policy or Policy(), setting or BoundsSetting()
    grades = possible_grades(qrels, measures, setting)
    if policy.topics == "both":
        run_a, run_b = _restrict_topics(run_a, run_b.topics), _restrict_topics(run_b, run_a.topics)
    pair = _make_open_pair(qrels, run_a, run_b, policy, grades, setting.world)
    judged_run = pair.a.judged
    intervals = [difference_bounds(measure, pair) for measure in measures]
    undefined = np.full(len(judged_run), np.nan)
    notes = (
        Message("{description}.", description=interval[1])
        for interval in intervals
        if interval is not None and interval[1]
    )
    values_a = _compute_values(measures, judged_run)
    values_b = _compute_values(measures, pair.b.judged)
    return DifferenceBounds(
        run_a.name,
        run_b.name,
        tuple(measures),
        judged_run.topics,
        values_a - values_b,
        summarise(measures, values_a, judged_run) - summarise(measures, values_b, pair.b.judged),
        _stack_rows(
            [undefined if interval is None else interval[0].low for interval in intervals],
            len(judged_run),
        ),
        _stack_rows(
            [undefined if interval is None else interval[0].high for interval in intervals],
            len(judged_run),
        ),
        tuple(notes) if judged_run.topics else (NO_COMMON_TOPIC,),
    )


def _compute_pair_bounds(
    qrels: Qrels,
    current_qrels: Qrels | None,
    pair: tuple[Run, Run],
    measures: Sequence[Measure],
    policy: Policy,
    setting: BoundsSetting,
) -> DifferenceBounds:
    """Compute bounds on the differences between two runs; see `_compute_run_bounds`."""
    bounds = pair_bounds(qrels, *pair, measures, policy, setting)
    if current_qrels is None:
        return bounds
    current = pair_bounds(current_qrels, *pair, measures, policy, setting)
    return replace(bounds, values=current.values, summary=current.summary)


def possible_grades(
    qrels: Qrels, measures: Sequence[Measure], setting: BoundsSetting
) -> tuple[int, ...]:
    """Return the grades that an unjudged document can receive, ascending from 0.

    Raises IrjudgeError if the lowest grade of the scale is not 0.
    """
    highest_judged = int(qrels.grade.max(initial=0))
    if setting.grades is not None:
        if not setting.grades or min(setting.grades) != 0:
            raise IrjudgeError(
                "Bounds need a scale with 0 as the lowest grade, got {grades}.",
                grades=", ".join(map(str, setting.grades)) or Message("none"),
            )
        return tuple(sorted({*setting.grades, highest_judged}))
    scale_grades = [
        value
        for measure in measures
        for name in ("rel", "highest")
        if isinstance(value := measure.values.get(name), int)
    ]
    return tuple(range(max(1, highest_judged, *scale_grades) + 1))


def describe_unbounded_measures(measures: Iterable[Measure]) -> list[str]:
    """Return a sentence for each measure without bounds that explains why it has no bounds."""
    return [reason for measure in measures if (reason := no_bounds_reason(measure))]


def count_unjudged_pairs(qrels: Qrels) -> int:
    """Return the number of unjudged (topic, document) pairs in the qrels."""
    return int(_find_open_pairs(qrels)[0].sum())


# Open pairs: pairs of topic and pooled document without a judgment


def _join_run(run: Run, qrels: Qrels, policy: Policy, grades: tuple[int, ...]) -> JudgedRun:
    """Join a run with qrels; raise IrjudgeError if bounds cannot be computed.

    There are no bounds for qrels with gains, and for means over topics with a relevant document.
    """
    qrels.require_grades("bounds")
    if policy.topics == "relevant":
        raise IrjudgeError(
            "Bounds cannot be computed for the topics with a relevant document, since further "
            "judgments can add topics. Use all topics of the qrels.",
            key="relevant-topics",
        )
    return join(
        run,
        qrels,
        ties=policy.ties,
        topics=policy.topics,
        rel=policy.rel,
        highest=grades[-1],
        depth=policy.depth,
    )


def _find_open_pairs(qrels: Qrels) -> tuple[npt.NDArray[np.bool_], Keys]:
    """Return a mask of the unjudged pairs, and the keys of all pairs, distinct and ascending.

    The key is topic x D + document, where D is the number of documents.
    """
    key = qrels.topic.astype(np.int64) * max(1, len(qrels.documents)) + qrels.document
    pairs, pair_index = np.unique(key, return_inverse=True)
    highest_grade = np.full(len(pairs), np.iinfo(np.int32).min, dtype=np.int32)
    np.maximum.at(highest_grade, pair_index, qrels.grade)
    return highest_grade == UNJUDGED, pairs


def _count_open_pairs(qrels: Qrels, topics: Sequence[str]) -> Longs:
    is_open, pairs = _find_open_pairs(qrels)
    count = np.bincount(pairs[is_open] // max(1, len(qrels.documents)), minlength=len(qrels.topics))
    topic_indices = {topic: index for index, topic in enumerate(qrels.topics)}
    return count[[topic_indices[topic] for topic in topics]].astype(np.int64)


def _make_open_pair(
    qrels: Qrels, run_a: Run, run_b: Run, policy: Policy, grades: tuple[int, ...], world: World
) -> OpenRunPair:
    a, b = (_join_run(run, qrels, policy, grades) for run in (run_a, run_b))
    pooled = _count_open_pairs(qrels, a.topics)
    documents = (
        pa.chunked_array([run_a.document, run_b.document, qrels.documents], pa.string())
        .dictionary_encode()
        .combine_chunks()
    )
    document_codes = to_numpy(documents.indices)
    document_count = max(1, len(documents.dictionary))
    ends = np.cumsum([len(run_a), len(run_b)])
    ranked_keys_a, ranked_keys_b = (
        _compute_retrieved_ranks(run, part_codes, a.topics, policy, document_count)
        for run, part_codes in zip((run_a, run_b), np.split(document_codes, ends), strict=False)
    )
    candidate_keys = _list_candidate_keys(
        qrels,
        document_codes[ends[1] :],
        a.topics,
        document_count,
        world,
        ranked_keys_a[0],
        ranked_keys_b[0],
    )
    topic = (candidate_keys // document_count).astype(np.int32)
    retrieved_counts = np.bincount(topic, minlength=len(a))
    outside_counts = (
        (pooled - retrieved_counts).astype(np.float64)
        if world == "pool"
        else np.full(len(a), np.inf)
    )
    open_run_a, open_run_b = (open_run(run, pooled, grades, world) for run in (a, b))
    return OpenRunPair(
        open_run_a,
        open_run_b,
        topic,
        _look_up_ranks(candidate_keys, *ranked_keys_a),
        _look_up_ranks(candidate_keys, *ranked_keys_b),
        outside_counts,
    )


def _compute_retrieved_ranks(
    run: Run,
    document_codes: npt.NDArray[Any],
    topics: Sequence[str],
    policy: Policy,
    document_count: int,
) -> tuple[Keys, npt.NDArray[np.int32]]:
    """Return the ascending keys of the retrieved documents, and the rank of each document.

    The key is topic x `document_count` + document.
    """
    topic_indices = {topic: number for number, topic in enumerate(topics)}
    order = ranking_order(run, policy.ties)
    document_codes = document_codes if order is None else document_codes[order]
    rank = (np.arange(len(run)) - np.repeat(run.starts[:-1], np.diff(run.starts)) + 1).astype(
        np.int32
    )
    topic = np.array([topic_indices.get(topic, -1) for topic in run.topics], dtype=np.int64)[
        run.topic
    ]
    selected = (topic >= 0) & (rank <= (policy.depth or len(run)))
    key = topic[selected] * document_count + document_codes[selected]
    key_order = np.argsort(key, kind="stable")
    return key[key_order], rank[selected][key_order]


def _list_candidate_keys(
    qrels: Qrels,
    document_codes: npt.NDArray[Any],
    topics: Sequence[str],
    document_count: int,
    world: World,
    *keys_of_runs: Keys,
) -> Keys:
    """Return the keys of retrieved documents without a grade, ascending.

    Documents outside the pool are included only if the world is `open`.
    """
    is_open, pairs = _find_open_pairs(qrels)
    topic_indices = {topic: number for number, topic in enumerate(topics)}
    topic_index = np.array([topic_indices.get(topic, -1) for topic in qrels.topics], dtype=np.int64)
    documents = max(1, len(qrels.documents))
    topic = topic_index[pairs // documents]
    key = topic * document_count + document_codes[pairs % documents] if len(pairs) else pairs
    retrieved = np.union1d(*keys_of_runs)
    if world == "pool":
        return np.intersect1d(retrieved, key[(topic >= 0) & is_open])
    return np.setdiff1d(retrieved, key[(topic >= 0) & ~is_open])


def _look_up_ranks(
    wanted_keys: Keys, key: Keys, rank: npt.NDArray[np.int32]
) -> npt.NDArray[np.int32]:
    """Return the rank of each document in `wanted_keys`; 0 if it was not retrieved."""
    if not len(key):
        return np.zeros(len(wanted_keys), dtype=np.int32)
    row = np.minimum(np.searchsorted(key, wanted_keys), len(key) - 1)
    return np.where(key[row] == wanted_keys, rank[row], 0).astype(np.int32)


def _restrict_topics(run: Run, topics: Sequence[str]) -> Run:
    topic_set = set(topics)
    selected = np.array([topic in topic_set for topic in run.topics], dtype=bool)
    if selected.all():
        return run
    rows = selected[run.topic]
    sizes = np.diff(run.starts)[selected]
    return replace(
        run,
        topics=tuple(topic for topic in run.topics if topic in topic_set),
        starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        document=run.document.take(to_arrow_column(np.flatnonzero(rows))),
        score=run.score[rows],
        rank=run.rank[rows],
        line=run.line[rows],
    )


# Rows of values and bounds


def _compute_values(measures: Sequence[Measure], judged_run: JudgedRun) -> Scores:
    return _stack_rows([measure.compute(judged_run) for measure in measures], len(judged_run))


def _stack_rows(rows: Sequence[Scores], topics: int) -> Scores:
    return np.stack(rows) if rows else np.empty((0, topics))


def _iter_value_rows(
    topics: Sequence[str], columns: Sequence[Scores], summary: float, per_topic: bool
) -> Iterable[tuple[str, list[float]]]:
    if per_topic:
        for index, topic in enumerate(topics):
            yield topic, [float(column[index]) for column in columns]
    yield (
        ALL_TOPICS,
        [summary, *(float(column.mean()) if len(column) else 0.0 for column in columns[1:])],
    )


def _replace_nan_by_none(value: float) -> float | None:
    return None if np.isnan(value) else value


# Live evaluation

DEFAULT_LIVE_MEASURES = ("P@10", "nDCG@10", "RBP", "AP")
Row = tuple[str, str, int]


@dataclass(frozen=True, slots=True, eq=False)
class LiveRun:
    """Run of a `LiveTable`, from which `run_ordering` computes the bounds on differences.

    It contains the judged and the unjudged (open) documents for all T topics of the qrels. A
    document whose consensus grade can still change is open, although it has a current grade.
    """

    open_run: OpenRun  # judged and unjudged documents of the run
    is_averaged: npt.NDArray[np.bool_]  # whether the topic is included in the mean, shape (T,)
    current: JudgedRun  # join with the current qrels, for current values
    # open documents that the run retrieved: keys, topics and ranks
    key: Longs  # key of the pair in the qrels, ascending, shape (U,)
    topic: Longs  # index of the topic, shape (U,)
    rank: Ints  # rank of the document, shape (U,)


@dataclass(frozen=True, slots=True)
class RunOrdering:
    """Comparison of two runs by one measure while judgments are missing: the difference a − b.

    `difference` is the current difference of the means over common topics; `low` and `high` are its
    lowest and highest possible values. `verdict` states which run is better, or that both stay
    equal, whatever the remaining judgments are; or that the sign can still change. If the measure
    has no bounds, `low`, `high` and `verdict` are None, and `note` states the reason; without a
    common topic, `difference` is None too. `note` can also state that the interval is wider than
    necessary.
    """

    run_a: str
    run_b: str
    difference: float | None
    low: float | None
    high: float | None
    verdict: Verdict | None
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class LiveTable:
    """Current values of runs, and their bounds while judgments are missing, for the live page.

    The object contains the displayed values, and the data that `run_ordering` needs to compare two
    runs. When documents are judged, a new object is computed. Measures without bounds are listed
    in `provisional`.
    """

    measures: tuple[Measure, ...]
    policy: Policy
    setting: BoundsSetting
    runs: tuple[RunBounds, ...]  # values and bounds of the runs, in the given order
    provisional: dict[str, str]  # reason for missing bounds, by name of the measure
    pooled: int  # number of topic–document pairs in the qrels
    judged: int  # number of topic–document pairs with a judgment
    # qrels in which unjudged pairs, and pairs whose consensus grade can change, have grade -1; in
    # the world `open`, they include all retrieved pairs
    qrels: Qrels
    live_runs: dict[str, LiveRun]  # runs by name
    outstanding: int = 0  # number of assigned judgments that have not been submitted yet

    def cell(self, run: RunBounds, index: int) -> tuple[float, float | None, float | None]:
        """Return a run's value of the measure with index `index`, and the bounds of the value.

        The bounds are None if the measure has no bounds.
        """
        value = float(run.summary[index])
        if self.measures[index].name in self.provisional:
            return value, None, None
        low, high = (
            float(ends[index].mean()) if len(run.topics) else 0.0 for ends in (run.low, run.high)
        )
        return value, low, high

    def count_open_values(self) -> int:
        """Return the number of values that can still change."""
        cells = (self.cell(run, index) for run in self.runs for index in range(len(self.measures)))
        return sum(
            low is not None and high is not None and high - low > ROUNDING_TOLERANCE
            for _, low, high in cells
        )

    def live_run(self, run: str) -> LiveRun:
        """Return the run named `run`; raise IrjudgeError if there is none."""
        if run not in self.live_runs:
            raise IrjudgeError(
                "There is no run {run!r}; expected one of {names}.",
                key="unknown-run",
                run=run,
                names=", ".join(self.live_runs) or Message("none"),
            )
        return self.live_runs[run]


def compute_live_table(
    qrels: Qrels,
    runs: Iterable[Run],
    measures: Sequence[Measure],
    policy: Policy | None = None,
    setting: BoundsSetting | None = None,
    progress: Progress = SILENT,
    *,
    total: int | None = None,
    current_qrels: Qrels | None = None,
) -> LiveTable:
    """Return the bounds of each run (see `run_bounds`), and the data needed to compare runs.

    In the world `pool`, one run at a time is in memory; in the world `open`, all runs are. For a
    measure without bounds, only the current value is returned, marked as provisional.

    Parameters
    ----------
    current_qrels
        Qrels for computing current values; needed only if they contain grades of documents that
        are open in `qrels`. By default, `qrels`.
    total
        Number of runs, for progress reports.

    Raises
    ------
    IrjudgeError
        If two runs have the same name, the lowest grade of the scale is not 0, or the policy
        selects topics with a relevant document.
    """
    qrels.require_grades("bounds")
    policy, setting = policy or Policy(), setting or BoundsSetting()
    setting = replace(setting, grades=possible_grades(qrels, measures, setting))
    extended_qrels = qrels
    if setting.world == "open":
        runs = list(runs)
        extended_qrels = _add_retrieved_pairs(qrels, runs)
    is_open = open_pair_keys(extended_qrels)
    bounds: list[RunBounds] = []
    live_runs: dict[str, LiveRun] = {}
    for run in progress.track(runs, Message("Evaluating runs"), total=total, every=1):
        if run.name in live_runs:
            raise IrjudgeError(
                "Two runs are named {run!r}; runs to compare must have different names.",
                key="repeated-run",
                run=run.name,
            )
        bounds.append(_compute_run_bounds(qrels, current_qrels, run, measures, policy, setting))
        live_runs[run.name] = _make_live_run(
            extended_qrels, current_qrels, is_open, run, policy, setting
        )
    provisional = {
        measure.name: reason for measure in measures if (reason := no_bounds_reason(measure))
    }
    pooled = len(np.unique(pair_keys(qrels)))
    return LiveTable(
        tuple(measures),
        policy,
        setting,
        tuple(bounds),
        provisional,
        pooled,
        pooled - count_unjudged_pairs(current_qrels or qrels),
        extended_qrels,
        live_runs,
    )


def compute_project_live_table(
    project: Project,
    measures: Sequence[Measure],
    policy: Policy | None = None,
    setting: BoundsSetting | None = None,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
) -> LiveTable:
    """Return the live table of a project's runs, pool and scale; see `compute_live_table`.

    If the qrels are a consensus, values are computed with the current consensus, and the bounds
    include every consensus that outstanding judgments can produce.
    """
    names = [run.name for run in project.rankings.runs()]
    setting = replace(setting or BoundsSetting(), grades=project.scale.values)
    rows, changeable_pairs = _list_rows_and_changeable_pairs(project, choice)
    qrels = make_qrels(_mark_changeable_as_unjudged(rows, changeable_pairs))
    table = compute_live_table(
        qrels,
        (project.rankings.run(name) for name in names),
        measures,
        policy,
        setting,
        progress,
        total=len(names),
        current_qrels=make_qrels(rows) if changeable_pairs else None,
    )
    qrels_choice = choice or next(iter(list_qrels_choices(project)), None)
    imported = qrels_choice is not None and qrels_choice.source == "imported"
    return replace(table, outstanding=0 if imported else count_outstanding(project).total())


def open_qrels(project: Project, choice: QrelsChoice | None = None) -> Qrels:
    """Return qrels of a project in which pooled documents without a judgment have grade -1.

    `choice` defaults to the project's default qrels. If these were imported, pooled documents of
    topics without imported grades are omitted, since these topics are not being judged. Without
    judgments, all pooled documents have grade -1; without a pool, the qrels are empty. In consensus
    qrels, -1 also marks documents whose grade outstanding judgments can change.
    """
    return make_qrels(
        _mark_changeable_as_unjudged(*_list_rows_and_changeable_pairs(project, choice))
    )


def _mark_changeable_as_unjudged(
    rows: Sequence[Row], changeable_pairs: Container[Pair]
) -> list[Row]:
    return [
        (topic, document, UNJUDGED if (topic, document) in changeable_pairs else grade)
        for topic, document, grade in rows
    ]


def _list_rows_and_changeable_pairs(
    project: Project, choice: QrelsChoice | None
) -> tuple[list[Row], set[Pair]]:
    """Return the current rows of the qrels, and the pairs whose grade can still change."""
    choices = list_qrels_choices(project)
    qrels_choice = choice or (choices[0] if choices else None)
    if qrels_choice is None:
        return list_judged_rows(project, include_unjudged=True), set()
    rows = list_qrels_rows(project, qrels_choice, include_unjudged=True)
    if qrels_choice.source == "imported":
        imported = project.rankings.qrels(qrels_choice.origin)
        imported.require_grades("bounds")
        topics = set(imported.topics)
        rows = [row for row in rows if row[0] in topics]
    if qrels_choice.source != "consensus":
        return rows, set()
    changeable_pairs = find_changeable_pairs(project)
    named_pairs = {row[:2] for row in rows}
    return rows + [
        (*pair, UNJUDGED) for pair in sorted(changeable_pairs - named_pairs)
    ], changeable_pairs


# Pairs of runs


def run_orderings(
    table: LiveTable, run: str, measure: Measure, progress: Progress = SILENT
) -> list[RunOrdering]:
    """Compare a run with every other run of the table, in table order; see `run_ordering`."""
    other_names = [name for name in table.live_runs if name != run]
    return [
        run_ordering(table, run, other_run, measure)
        for other_run in progress.track(
            other_names, Message("Comparing runs"), total=len(other_names), every=1
        )
    ]


def run_ordering(table: LiveTable, run_a: str, run_b: str, measure: Measure) -> RunOrdering:
    """Return the mean difference a − b of two runs, and whether its sign can still change.

    The mean is over the topics evaluated for both runs. A document that both runs retrieved has the
    same grade in both, so the interval is narrower than the difference of the runs' intervals. A
    verdict other than `can_change` is final. Raises IrjudgeError if the table lacks a run.
    """
    a, b = table.live_run(run_a), table.live_run(run_b)
    is_common = a.is_averaged & b.is_averaged
    if not is_common.any():
        return RunOrdering(run_a, run_b, None, None, None, None, NO_COMMON_TOPIC)
    values = measure.compute(a.current) - measure.compute(b.current)
    current_difference = float(values[is_common].mean())
    bounds = difference_bounds(measure, _make_row_pair(table.qrels, a, b))
    if bounds is None:
        return RunOrdering(
            run_a, run_b, current_difference, None, None, None, no_bounds_reason(measure)
        )
    low, high = (float(ends[is_common].mean()) for ends in (bounds[0].low, bounds[0].high))
    return RunOrdering(
        run_a,
        run_b,
        current_difference,
        low,
        high,
        verdict(measure, low, high),
        Message("{description}.", description=bounds[1]) if bounds[1] else "",
    )


def _make_row_pair(qrels: Qrels, a: LiveRun, b: LiveRun) -> OpenRunPair:
    key = np.union1d(a.key, b.key)
    topic = (key // keys_per_topic(qrels)).astype(np.int32)
    judged_run = a.open_run.judged
    open_counts = a.open_run.unretrieved_open + judged_run.count_by_topic(a.open_run.topic)
    return OpenRunPair(
        a.open_run,
        b.open_run,
        topic,
        values_at_keys(key, a.key, a.rank),
        values_at_keys(key, b.key, b.rank),
        open_counts - judged_run.count_by_topic(topic),
    )


def values_at_keys(wanted_keys: Longs, key: Longs, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the value of each wanted key, 0 for a missing key; `key` must be ascending."""
    if not len(key):
        return np.zeros(len(wanted_keys), dtype=values.dtype)
    row = np.minimum(np.searchsorted(key, wanted_keys), len(key) - 1)
    return np.where(key[row] == wanted_keys, values[row], values.dtype.type(0))


# Keys of (topic, document) pairs


def keys_per_topic(qrels: Qrels) -> int:
    """Return the number of keys per topic: the number of documents D, but at least 1."""
    return max(1, len(qrels.documents))


def pair_keys(qrels: Qrels) -> Longs:
    """Return the key of each qrels row: topic x D + document."""
    return qrels.topic.astype(np.int64) * keys_per_topic(qrels) + qrels.document


def open_pair_keys(qrels: Qrels) -> Longs:
    """Return the ascending keys of pairs that have grade -1 and no other grade."""
    key = pair_keys(qrels)
    return np.setdiff1d(key[qrels.grade == UNJUDGED], key[qrels.grade > UNJUDGED])


def _make_live_run(
    qrels: Qrels,
    current_qrels: Qrels | None,
    open_keys: Longs,
    run: Run,
    policy: Policy,
    setting: BoundsSetting,
) -> LiveRun:
    grades = setting.grades or (0, 1)
    retrieved = find_judged_ranks(run, qrels, policy.ties)
    judged_run = join(retrieved, qrels, topics="qrels", highest=grades[-1], depth=policy.depth)
    current = (
        join(
            run,
            current_qrels,
            ties=policy.ties,
            topics="qrels",
            highest=grades[-1],
            depth=policy.depth,
        )
        if current_qrels is not None
        else judged_run
    )
    pooled = np.bincount(open_keys // keys_per_topic(qrels), minlength=len(qrels.topics)).astype(
        np.int64
    )
    index_of = {topic: code for code, topic in enumerate(qrels.topics)}
    topic_index = np.array([index_of.get(topic, 0) for topic in retrieved.topics], dtype=np.int64)
    key = topic_index[retrieved.topic] * keys_per_topic(qrels) + retrieved.document
    selected = np.isin(key, open_keys) & (retrieved.rank <= (policy.depth or np.inf))
    key, rank = key[selected], retrieved.rank[selected]
    order = np.argsort(key)
    open_run_documents = open_run(judged_run, pooled, grades, setting.world)
    topic = key[order] // keys_per_topic(qrels)
    return LiveRun(
        open_run_documents,
        _select_averaged_topics(judged_run, run, policy),
        current,
        key[order],
        topic,
        rank[order],
    )


def _select_averaged_topics(
    judged_run: JudgedRun, run: Run, policy: Policy
) -> npt.NDArray[np.bool_]:
    if policy.topics == "both":
        in_run = set(run.topics)
        return np.array([topic in in_run for topic in judged_run.topics], dtype=bool)
    return np.ones(len(judged_run), dtype=bool)


def _add_retrieved_pairs(qrels: Qrels, runs: Sequence[Run]) -> Qrels:
    """Return the qrels with a row of grade -1 for each retrieved document that they lack."""
    documents = (
        pa.chunked_array([qrels.documents, *(run.document for run in runs)], pa.string())
        .dictionary_encode()
        .combine_chunks()
    )
    document_count = max(1, len(documents.dictionary))
    ends = np.cumsum([len(qrels.documents), *(len(run) for run in runs)])
    qrels_codes, *run_codes = np.split(to_numpy(documents.indices), ends[:-1])
    qrels_keys = qrels.topic.astype(np.int64) * document_count + qrels_codes[qrels.document]
    new_keys = np.setdiff1d(
        np.concatenate(
            [
                qrels_keys[:0],
                *(
                    _compute_retrieved_keys(qrels, *run_and_codes, document_count)
                    for run_and_codes in zip(runs, run_codes, strict=True)
                ),
            ]
        ),
        qrels_keys,
    )
    topic = np.concatenate((qrels.topic, (new_keys // document_count).astype(np.int32)))
    order = np.argsort(topic, kind="stable")
    return Qrels(
        qrels.topics,
        row_offsets(topic[order], len(qrels.topics)),
        documents.dictionary,
        np.concatenate((qrels_codes[qrels.document], new_keys % document_count)).astype(np.int32)[
            order
        ],
        np.concatenate((qrels.grade, np.full(len(new_keys), UNJUDGED, dtype=np.int32)))[order],
        np.zeros(len(order), dtype=np.int32),
    )


def _compute_retrieved_keys(
    qrels: Qrels, run: Run, document_codes: Ints, document_count: int
) -> Longs:
    """Return the key of each document that the run retrieved for a topic of the qrels.

    The key is topic x `document_count` + document.
    """
    index_of = {topic: number for number, topic in enumerate(qrels.topics)}
    topic = np.repeat(
        np.array([index_of.get(topic, -1) for topic in run.topics], dtype=np.int64),
        np.diff(run.starts),
    )
    return (topic * document_count + document_codes)[topic >= 0]


# Decisive documents

DECISIVE_COLUMNS = ("measure", "run_a", "run_b", "topic", "document", "rank_a", "rank_b", "weight")
MAX_HITS_PER_BATCH = 1_000_000  # maximum number of hits in a batch, to limit memory
DECIMALS = 12  # number of decimals of weights; smaller differences are rounding errors


@dataclass(frozen=True, slots=True)
class DecisiveDocument:
    """Unjudged document, and its effect on the difference of two runs for one topic.

    A document whose consensus grade can still change counts as unjudged. The effect (`weight`) is
    how much a − b changes if the document, rather than one that neither run retrieved, receives the
    highest grade and all other grades stay as they are. For AP, all other unjudged documents may
    instead count as relevant, if this gives a larger effect. A negative weight lowers a − b, which
    favours run b unless lower values of the measure are better.
    """

    topic: str
    document: str
    rank_a: int  # rank in run a; 0 if not retrieved
    rank_b: int  # rank in run b; 0 if not retrieved
    weight: float  # change in the difference a − b on the topic; see `find_decisive_documents`

    @property
    def best_rank(self) -> int:
        """Better of the document's ranks in the two runs."""
        return min(rank for rank in (self.rank_a, self.rank_b) if rank)


def find_decisive_documents(
    table: LiveTable, run_a: str, run_b: str, measure: Measure, count: int = 10
) -> list[DecisiveDocument]:
    """Return the unjudged documents that can change the difference of two runs most.

    Parameters
    ----------
    table
        Live table with both runs; it need not contain `measure`.
    run_a, run_b
        Names of the two runs.
    measure
        Measure with bounds; for another measure the result is empty.
    count
        Maximum number of documents. Documents without any effect are omitted.

    Raises
    ------
    IrjudgeError
        If the table has no such run.

    Notes
    -----
    The weight is w_a(d) − w_b(d), where w is the change of the run's value on the topic if
    d, rather than a document that neither run retrieved, receives the highest grade and all other
    grades stay as they are. For P, CG, DCG and RBP this is the weight of the rank. For AP, w is
    computed twice: with no other unjudged document relevant, and with all others relevant. The
    weight that separates the runs more is used. Ties are broken by the better rank, then by topic
    id and document id.

    References
    ----------
    Carterette, Allan and Sitaraman (2006), Minimal test collections for retrieval
    evaluation, SIGIR.
    """
    a, b = table.live_run(run_a), table.live_run(run_b)
    if no_bounds_reason(measure):
        return []
    topic_stride = keys_per_topic(table.qrels)
    key = np.union1d(a.key, b.key)
    key = key[(a.is_averaged & b.is_averaged)[key // topic_stride]]
    weight = _compute_difference_weights(key, a, b, measure)
    rank_a, rank_b = values_at_keys(key, a.key, a.rank), values_at_keys(key, b.key, b.rank)
    documents = [
        DecisiveDocument(
            table.qrels.topics[int(key[row]) // topic_stride],
            table.qrels.documents[int(key[row]) % topic_stride].as_py(),
            int(rank_a[row]),
            int(rank_b[row]),
            float(weight[row]),
        )
        for row in _list_largest_weights(np.abs(weight), count)
    ]
    return sorted(
        documents,
        key=lambda document: (
            -abs(document.weight),
            document.best_rank,
            document.topic,
            document.document,
        ),
    )[: max(0, count)]


def _list_largest_weights(weight: Floats, count: int) -> list[int]:
    """Return the indices of the `count` largest weights.

    All weights equal to the smallest of them are included, so there may be more than `count`.
    Weights of 0 are omitted.
    """
    smallest_selected = (
        float(np.partition(weight, -count)[-count]) if 0 < count < len(weight) else 0.0
    )
    return np.flatnonzero((weight >= smallest_selected) & (weight > ROUNDING_TOLERANCE)).tolist()


def _compute_difference_weights(key: Longs, a: LiveRun, b: LiveRun, measure: Measure) -> Floats:
    """Return w_a(d) − w_b(d) for the document of each key, rounded so that equal weights tie."""
    weight = values_at_keys(key, a.key, _compute_document_gains(a, measure)) - values_at_keys(
        key, b.key, _compute_document_gains(b, measure)
    )
    if measure.declaration.name == "AP":
        weight_if_all_relevant = (
            weight
            + values_at_keys(key, a.key, _compute_shared_ap(a, measure))
            - values_at_keys(key, b.key, _compute_shared_ap(b, measure))
        )
        weight = np.where(
            np.abs(weight_if_all_relevant) > np.abs(weight), weight_if_all_relevant, weight
        )
    rounded: Floats = np.round(weight, DECIMALS)
    return rounded


def _compute_document_gains(live_run: LiveRun, measure: Measure) -> Floats:
    """Return by how much each open document can raise the topic's value, shape (U,).

    This is the value if the document gets the highest grade, minus the value if a document that was
    not retrieved gets the highest grade.
    """
    open_documents, topic, rank = live_run.open_run, live_run.topic, live_run.rank
    topic_numbers = np.arange(len(open_documents.judged), dtype=np.int64)
    base_values = measure.compute(
        _add_relevant_document(
            open_documents, topic_numbers, np.zeros(len(topic_numbers), dtype=np.int32)
        )
    )
    parts = [
        measure.compute(_add_relevant_document(open_documents, topic[batch], rank[batch]))
        for batch in _split_by_hits(open_documents.judged, topic)
    ]
    return np.concatenate([np.empty(0), *parts]) - base_values[topic]


def _split_by_hits(judged_run: JudgedRun, topic: Longs) -> Iterator[slice]:
    """Yield consecutive slices of `topic` with at most `MAX_HITS_PER_BATCH` hits each.

    A topic with more hits is a slice of its own.
    """
    hits = np.cumsum(judged_run.count_by_topic(judged_run.hit_topic)[topic])
    start = 0
    while start < len(topic):
        hits_before = int(hits[start - 1]) if start else 0
        end = max(
            start + 1, int(np.searchsorted(hits, hits_before + MAX_HITS_PER_BATCH, side="right"))
        )
        yield slice(start, end)
        start = end


def _add_relevant_document(open_documents: OpenRun, topic: Longs, rank: Ints) -> JudgedRun:
    """Return a judged run of N topics, each a copy of a topic with one more relevant document.

    `topic` contains the index of each copied topic, shape (N,). `rank` contains the rank of the
    document that gets the highest grade, shape (N,); 0 for a document that was not retrieved.
    """
    judged_run, highest_grade = open_documents.judged, open_documents.grades[-1]
    hits, sizes = _find_topic_rows(
        np.concatenate(([0], np.cumsum(judged_run.count_by_topic(judged_run.hit_topic)))), topic
    )
    copy_index = np.repeat(np.arange(len(topic), dtype=np.int32), sizes)
    hit_rank = judged_run.hit_rank[hits]
    rows, counts = _find_topic_rows(judged_run.judged_starts, topic)
    starts = np.concatenate(([0], np.cumsum(counts + 1))).astype(np.int64)
    # the first grade of each topic is the grade of the added document
    grades = np.full(int(starts[-1]), highest_grade, dtype=np.int32)
    grades[np.arange(len(rows)) + np.repeat(np.arange(1, len(topic) + 1), counts)] = (
        judged_run.judged_grades[rows]
    )
    return JudgedRun(
        ("",) * len(topic),
        copy_index,
        hit_rank,
        np.where(hit_rank == rank[copy_index], np.int32(highest_grade), judged_run.hit_grade[hits]),
        judged_run.n_retrieved[topic],
        starts,
        grades,
        open_documents.with_highest_grade().highest,
        collection=judged_run.collection,
    )


def _find_topic_rows(starts: Longs, topic: Longs) -> tuple[Longs, Longs]:
    """Return the rows of the topics with the indices `topic`, and each topic's number of rows."""
    sizes = (starts[1:] - starts[:-1])[topic]
    rows_before = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) + np.repeat(starts[:-1][topic] - rows_before, sizes), sizes


def _compute_shared_ap(live_run: LiveRun, measure: Measure) -> Floats:
    """Return the part of AP due to pairs of each open document and another one, shape (U,).

    All open documents are assumed to be relevant. Open documents above a document add to the
    precision at the rank of this document; the document adds to the precision at the ranks of open
    documents below it. The result is the sum of these additions, divided by the number of relevant
    documents.
    """
    open_documents = live_run.open_run
    rel = int(str(measure.values["rel"]))
    cutoff = measure.values["cutoff"]
    is_counted = np.full(len(live_run.rank), open_documents.can_be_relevant(rel))
    if isinstance(cutoff, int):
        is_counted &= live_run.rank <= cutoff
    topic, rank = live_run.topic[is_counted], live_run.rank[is_counted]
    order = np.lexsort((rank, topic))
    topic, inverse_rank = topic[order], 1 / rank[order]
    open_above = rank_in_topic(topic.astype(np.int32), len(open_documents.judged)) - 1
    open_below = open_documents.judged.sum_by_topic(topic, inverse_rank)[
        topic
    ] - _compute_running_sums(topic, inverse_rank)
    shared_precision = np.empty(len(topic))
    shared_precision[order] = open_above * inverse_rank + open_below
    gains = np.zeros(len(is_counted))
    gains[is_counted] = shared_precision
    return gains / (open_documents.judged.n_relevant(rel) + 1)[live_run.topic]


def _compute_running_sums(topic: Longs, values: Floats) -> Floats:
    """Return the cumulative sum of values within each topic; `topic` must be ascending."""
    cumulative_sums = np.cumsum(values)
    first = np.searchsorted(topic, topic)
    return cumulative_sums - (cumulative_sums[first] - values[first])


# Bounds of the runs of a project or of files


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundsRequest:
    """Options of `irjudge bounds`: measures, assumptions about unjudged documents, output.

    The printed values are the bounds of each run, the differences of each pair of runs, or the
    unjudged documents that can change each difference most. The paths of qrels (or project) and
    runs are separate arguments.
    """

    measures: Annotated[
        tuple[str, ...],
        Option(
            f"Measure; may be repeated. [default: {' '.join(DEFAULT_LIVE_MEASURES)}]",
            flags=("-m", "--measure"),
        ),
    ] = ()
    world: Annotated[
        World,
        Option(
            "Assumption about unjudged documents. " + describe_choices(WORLD_DESCRIPTIONS),
            choices=WORLDS,
        ),
    ] = "pool"
    difference: Annotated[
        bool,
        Option(
            "Print the difference between each pair of runs, and whether its sign can still change."
        ),
    ] = False
    count: Annotated[
        int | None,
        Option(
            "With --difference: for each pair of runs, print the N unjudged documents that can "
            "change the difference most, instead of the difference.",
            flags=("--next",),
            minimum=1,
            metavar="N",
        ),
    ] = None
    per_topic: PerTopicOption = False
    highest: Annotated[
        int | None,
        Option(
            "Highest grade that an unjudged document can get. Default: the highest grade of "
            "the scale or, without a scale, of the qrels.",
            minimum=1,
            maximum=99,
        ),
    ] = None
    topics: Annotated[
        BoundsTopics,
        Option("Topics to average over. " + describe_choices(BOUNDS_TOPICS)),
    ] = "both"
    ties: ExplainedTiesOption = "trec"
    qrels: QrelsRequest = field(default_factory=QrelsRequest)
    rel: RelOption = 1
    depth: DepthOption = None


def bound_sources(
    qrels: Path, runs: Sequence[Path], request: BoundsRequest | None = None
) -> ResultTable:
    """Return the lowest and highest values that runs can reach once all documents are judged.

    Parameters
    ----------
    qrels
        The qrels, in which grade -1 marks pooled documents that are not judged yet; or a project.
    runs
        Run files, or folders of run files; empty for a project.
    request
        Measures, assumptions, whether runs are compared, and how the files are read.

    Returns
    -------
    ResultTable
        Rows of `RUN_COLUMNS`; of `PAIR_COLUMNS` for differences; or of `DECISIVE_COLUMNS` for the
        documents to judge next.

    Raises
    ------
    IrjudgeError
        If a project has nothing to judge, if a comparison is requested with fewer than two runs, or
        if a file cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, run = Path(folder, "q.txt"), Path(folder, "a.run")
    ...     _ = qrels.write_text("1 0 x 1\\n1 0 y -1\\n")
    ...     _ = run.write_text("1 Q0 y 1 2 a\\n1 Q0 x 2 1 a\\n")
    ...     list(bound_sources(qrels, [run], BoundsRequest(measures=("RR",))).rows)
    [('a', 'RR', 'all', 0.5, 0.5, 1.0)]
    """
    request = request or BoundsRequest()
    if request.count and not request.difference:
        raise IrjudgeError(
            "--next lists documents that can change the difference between two "
            "runs; use it with --difference."
        )
    only = request.qrels.only
    policy = Policy(request.ties, request.topics, request.rel, depth=request.depth, only=only)
    names = [name for measure in request.measures for name in measure.split()]
    measures = parse_measures(names or DEFAULT_LIVE_MEASURES, policy.rel)
    warnings = list[str]()
    with add_warnings_to_errors(warnings):
        judged, current, rankings, scale = _read_open_qrels(
            qrels, runs, request.qrels, policy, warnings
        )
        if request.difference and len(rankings) < 2:
            raise IrjudgeError(
                "Computing a difference needs at least two runs, got {count}.", count=len(rankings)
            )
        scale = tuple(range(request.highest + 1)) if request.highest else scale
        grades = scale or possible_grades(judged, measures, BoundsSetting(request.world))
        setting = BoundsSetting(request.world, grades)
        keywords: Any = (measures, policy, setting)
        notes, counts, rows = list[str](), dict[str, int](), list[Any]()
        columns: tuple[str, ...]
        if request.count:
            columns, count = DECISIVE_COLUMNS, request.count
            rows = _list_decisive_rows(judged, rankings, measures, policy, setting, count)
        elif request.difference:
            pairs = [
                _compute_pair_bounds(judged, current, pair, *keywords)
                for pair in combinations(rankings, 2)
            ]
            columns, notes = PAIR_COLUMNS, _describe_verdicts(pairs)
            rows = [row for pair in pairs for row in pair.rows(per_topic=request.per_topic)]
            counts = {f"{pair.run_a} - {pair.run_b}": len(pair.topics) for pair in pairs}
        else:
            columns = RUN_COLUMNS
            bounds = [_compute_run_bounds(judged, current, run, *keywords) for run in rankings]
            rows = [row for bound in bounds for row in bound.rows(per_topic=request.per_topic)]
            counts = {bound.run: len(bound.topics) for bound in bounds}
        notes += _describe_setting(judged, current, measures, setting)
    notes += describe_unbounded_measures(measures)
    notes.append(
        Message("Averaged over: {policy}{topics}.", policy=policy, topics=_format_counts(counts))
    )
    return ResultTable(columns, rows, policy, tuple(notes), tuple(warnings))


def _read_open_qrels(
    qrels: Path,
    runs: Sequence[Path],
    request: QrelsRequest,
    policy: Policy,
    warnings: list[str],
) -> tuple[Qrels, Qrels | None, list[Run], tuple[int, ...]]:
    """Return qrels with grade -1 for open documents, current qrels, runs, and grades of a scale.

    The current qrels are None if they contain no grades of open documents. If the qrels are a file,
    the grades of the scale are empty. Only the selected topics are included.
    """
    reader = request.reading.reader()
    if not is_project(qrels):
        with explain_exchange(qrels, runs):
            judged = read_judgments(qrels, runs, request, warnings)
        rankings = list(reader.read_runs(runs, qrels=judged))
        warnings += (warning for run in rankings for warning in run.warnings)
        return judged.select_topics(policy.select_topics(judged.topics)), None, rankings, ()
    refuse_files(qrels, runs, reader)
    with open_for_reading(qrels, warnings) as project:
        choice, missing_topics = None, set[str]()
        if request.which is not None or list_qrels_choices(project):
            choice = select_qrels(project, request.which)
            warnings += choice.sentences
        rows, changeable_pairs = _list_rows_and_changeable_pairs(project, choice)
        if not rows:
            raise IrjudgeError("{path} has neither qrels nor a pool to judge.", path=qrels.name)
        current = make_qrels(rows)
        judged = make_qrels(_mark_changeable_as_unjudged(rows, changeable_pairs))
        if choice:
            missing_topics = {*judged.topics} - {*read_project_qrels(project, choice).topics}
        if missing_topics:
            warnings.append(
                Message(
                    "Topics without judgments: {count:,}. The means of the bounds include "
                    "these topics, with all possible judgments; `irjudge evaluate` excludes "
                    "them.",
                    count=len(missing_topics),
                )
            )
        rankings = [project.rankings.run(run.name) for run in project.rankings.runs()]
        topics = policy.select_topics(judged.topics)
        return (
            judged.select_topics(topics),
            current.select_topics(topics) if changeable_pairs else None,
            rankings,
            project.scale.values,
        )


def _list_decisive_rows(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    policy: Policy,
    setting: BoundsSetting,
    count: int,
) -> list[tuple[Any, ...]]:
    table = compute_live_table(qrels, runs, measures, policy, setting)
    return [
        (
            measure.name,
            a,
            b,
            document.topic,
            document.document,
            document.rank_a or None,
            document.rank_b or None,
            document.weight,
        )
        for measure in measures
        for a, b in combinations(table.live_runs, 2)
        for document in find_decisive_documents(table, a, b, measure, count)
    ]


def _describe_verdicts(pairs: Sequence[DifferenceBounds]) -> list[str]:
    names = {row[-1] for pair in pairs for row in pair.rows(per_topic=True)}
    meanings = [
        Message("{name}: {description}.", name=name, description=meaning)
        for name, meaning in VERDICTS.items()
        if name in names
    ]
    return [*meanings, *dict.fromkeys(note for pair in pairs for note in pair.notes)]


def _describe_setting(
    qrels: Qrels,
    current_qrels: Qrels | None,
    measures: Sequence[Measure],
    setting: BoundsSetting,
) -> Iterator[str]:
    open_count = count_unjudged_pairs(qrels)
    count = count_unjudged_pairs(current_qrels or qrels)
    yield Message(
        "Assumption {assumption}: {meaning}. Unjudged pooled documents: {count:,}; possible "
        "grades: {grades}.",
        assumption=setting.world,
        meaning=WORLD_DESCRIPTIONS[setting.world],
        count=count,
        grades=", ".join(map(str, possible_grades(qrels, measures, setting))),
    )
    if open_count > count:
        yield Message(
            "Documents with a consensus grade that outstanding judgments can change: {count:,}.",
            count=open_count - count,
        )
    if setting.world == "pool" and not open_count:
        yield Message(
            "The values cannot change: the qrels contain no document with grade -1. `irjudge "
            "qrels PROJECT --unjudged` writes qrels with such documents; with --world open, "
            "any document may be relevant."
        )


def _format_counts(counts: Mapping[str, int]) -> Message | str:
    """Return a text with the number of topics in each mean; a single number if all are equal."""
    if not counts:
        return ""
    if len({*counts.values()}) == 1:
        return Message("; {topics}", topics=format_count(next(iter(counts.values())), "topic"))
    counts_text = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    return Message("; topics: {listed}", listed=counts_text)
