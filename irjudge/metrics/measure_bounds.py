"""Bounds of a measure while documents are unjudged, and the registry of bounds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from irjudge.message import Message
from irjudge.metrics.judged import Floats, Ints, JudgedRun, Longs
from irjudge.metrics.registry import Measure, Value

INFINITE_RANK = int(
    np.iinfo(np.int32).max
)  # rank of documents that are not retrieved, and cutoff that excludes no document

World: TypeAlias = Literal["pool", "open"]
WORLDS: tuple[World, ...] = get_args(World)
UNJUDGED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Bounds by topic of a measure's value, or of its difference between two runs; shape (T,).

    They are the lowest and the highest value over all possible grades of the open documents; the
    interval of a difference can be wider, see `Bounds.note`.
    """

    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class OpenRun:
    """Judged run with its open documents: those that may be relevant, but have no grade yet.

    Retrieved open documents are identified by topic and rank. Unretrieved open documents are only
    counted for each topic.
    """

    judged: JudgedRun  # judged run, with T topics
    # retrieved open documents, sorted by topic and rank, shape (U,)
    topic: Ints
    rank: Ints
    # number of open documents not retrieved, shape (T,); infinite if the world is `open`, where any
    # number of documents may be relevant
    unretrieved_open: Floats
    grades: tuple[int, ...]  # grades of the scale, ascending from 0

    def can_be_relevant(self, rel: int) -> bool:
        """Return whether the scale has a grade of `rel` or more."""
        return self.grades[-1] >= rel

    def upto(self, cutoff: int | None, rel: int = 1) -> "OpenRun":
        """Return the run, with open documents at ranks beyond `cutoff` counted as unretrieved.

        If no grade of the scale is `rel` or more, the result has no open documents.
        """
        if not self.can_be_relevant(rel):
            empty = np.zeros(0, dtype=np.int32)
            return replace(
                self, topic=empty, rank=empty, unretrieved_open=np.zeros(len(self.judged))
            )
        if cutoff is None:
            return self
        is_within_cutoff = self.rank <= cutoff
        return replace(
            self,
            topic=self.topic[is_within_cutoff],
            rank=self.rank[is_within_cutoff],
            unretrieved_open=self.unretrieved_open
            + self.judged.count_by_topic(self.topic[~is_within_cutoff]),
        )

    def assign_grade(self, grade: int) -> JudgedRun:
        """Return the judged run with `grade` for all retrieved open documents."""
        judged_run, open_grades = self.judged, np.full(len(self.topic), grade, dtype=np.int32)
        has_grade = judged_run.hit_grade != UNJUDGED
        topic = np.concatenate((judged_run.hit_topic[has_grade], self.topic))
        rank = np.concatenate((judged_run.hit_rank[has_grade], self.rank))
        order = np.lexsort((rank, topic))
        judged_topic = np.concatenate((judged_run.judged_topic, self.topic))
        grades = np.concatenate((judged_run.judged_grades, open_grades))
        return replace(
            judged_run,
            hit_topic=topic[order],
            hit_rank=rank[order],
            hit_grade=np.concatenate((judged_run.hit_grade[has_grade], open_grades))[order],
            judged_starts=np.concatenate(
                ([0], np.cumsum(judged_run.count_by_topic(judged_topic)))
            ).astype(np.int64),
            judged_grades=grades[np.lexsort((-grades, judged_topic))],
            highest=max(self.grades[-1], judged_run.highest or 0),
        )

    def with_highest_grade(self) -> JudgedRun:
        """Return the judged run with `highest` raised to the highest grade of the scale."""
        return replace(self.judged, highest=max(self.grades[-1], self.judged.highest or 0))


@dataclass(frozen=True, slots=True, eq=False)
class OpenRunPair:
    """Two judged runs of the same topics, with their open documents.

    Open documents that at least one of the runs retrieved have a row with their ranks in both runs.
    All other open documents are only counted for each topic.
    """

    a: OpenRun  # first run
    b: OpenRun  # second run
    # open documents that at least one run retrieved, sorted by topic
    topic: Ints  # index of the topic, shape (D,)
    rank_a: Ints  # rank in the first run, 0 if not retrieved, shape (D,)
    rank_b: Ints  # rank in the second run, 0 if not retrieved, shape (D,)
    # number of open documents that neither run retrieved, shape (T,); infinite if the world is
    # `open`, where any number of documents may be relevant
    unretrieved_open: Floats

    def __len__(self) -> int:
        return len(self.a.judged)


def open_run(
    run: JudgedRun, pooled: Longs, grades: Sequence[int], world: World = "pool"
) -> OpenRun:
    """Return a judged run with its open documents.

    `pooled`, shape (T,), is the number of documents in the qrels, retrieved or not, that have no
    grade (-1). `grades` are the grades of the scale, ascending from 0. In the world `pool`, only
    documents in the qrels can be relevant; in the world `open`, all documents without a grade can.

    >>> one = open_run(JudgedRun.single(ranked=[1, -1, None, 0]), np.array([3]), (0, 1))
    >>> one.rank, one.unretrieved_open
    (array([2], dtype=int32), array([2.]))
    """
    if world == "pool":
        is_open = run.hit_grade == UNJUDGED
        topic, rank = run.hit_topic[is_open], run.hit_rank[is_open]
        unretrieved_counts = (pooled - run.count_by_topic(topic)).astype(np.float64)
        return OpenRun(run, topic, rank, unretrieved_counts, tuple(grades))
    starts = np.concatenate(([0], np.cumsum(run.n_retrieved)))
    is_open = np.ones(int(starts[-1]), dtype=bool)
    has_grade = run.hit_grade != UNJUDGED
    is_open[starts[run.hit_topic[has_grade]] + run.hit_rank[has_grade] - 1] = False
    positions = np.flatnonzero(is_open)
    topic = np.repeat(np.arange(len(run), dtype=np.int32), run.n_retrieved)[positions]
    rank = (positions - starts[topic] + 1).astype(np.int32)
    return OpenRun(run, topic, rank, np.full(len(run), np.inf), tuple(grades))


# Registry of bounds


@dataclass(frozen=True, slots=True)
class NoBounds:
    """Condition under which no bounds are computed for a measure while judgments are missing.

    The condition is a function of the values of the measure's parameters. The reason is shown to
    the user.
    """

    condition: Callable[[dict[str, Value]], bool]
    reason: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """Registry entry: bounds of a measure's value, or of its difference between two runs.

    If a condition in `no_bounds` applies, a value has no bounds; for a difference, the wider
    difference of the intervals of the two runs is used.
    """

    name: str  # name of the measure
    # function that computes an `Interval` from an `OpenRun` or `OpenRunPair` and the measure's
    # parameters
    function: Callable[..., Interval]
    no_bounds: tuple[NoBounds, ...] = ()  # conditions under which there are no bounds
    note: str = ""  # note on the interval, without full stop; empty if it is exact

    def no_bounds_reason(self, measure: Measure) -> str:
        """Return the reason why `measure` has no bounds; empty if it has bounds."""
        if measure.judged_only:
            return Message(
                "with judged_only, each further judgment of a retrieved document "
                "adds a document to the ranking"
            )
        return next(
            (bound.reason for bound in self.no_bounds if bound.condition(measure.values)), ""
        )


RUN_BOUNDS: dict[str, Bounds] = {}
DIFFERENCE_BOUNDS: dict[str, Bounds] = {}
# reasons why measures have no bounds, without a capital letter or full stop
NO_BOUNDS_REASONS: dict[str, str] = {
    "infAP": Message(
        "the measure is itself an estimate of AP that allows for unjudged documents; use AP, "
        "which has bounds"
    ),
    "nERR": Message(
        "a grade also changes the ideal ranking, so it may raise or lower the value; the only "
        "exact method available tries every possible number of documents of each grade, which "
        "takes too long for long lists"
    ),
    "Q": Message(
        "which grades give the bounds depends on the judged documents between the "
        "unjudged ones; the only exact method available tries every outcome, which takes "
        "too long for long lists"
    ),
}


def register_bounds(
    name: str, *, no_bounds: Sequence[NoBounds] = ()
) -> Callable[[Callable[..., Interval]], Callable[..., Interval]]:
    """Register the decorated function as the bounds of a measure.

    The function takes an `OpenRun` and the measure's parameters.
    """
    return _declare(RUN_BOUNDS, name, no_bounds, "")


def register_difference_bounds(
    name: str, *, no_bounds: Sequence[NoBounds] = (), note: str = ""
) -> Callable[[Callable[..., Interval]], Callable[..., Interval]]:
    """Register the decorated function as the bounds of the difference of two runs.

    The function takes an `OpenRunPair` and the measure's parameters.

    The difference of the two runs' intervals is used instead for a measure without registered
    bounds, or if a condition in `no_bounds` applies.
    """
    return _declare(DIFFERENCE_BOUNDS, name, no_bounds, note)


def _declare(
    registry: dict[str, Bounds], name: str, no_bounds: Sequence[NoBounds], note: str
) -> Callable[[Callable[..., Interval]], Callable[..., Interval]]:
    def register(function: Callable[..., Interval]) -> Callable[..., Interval]:
        registry[name] = Bounds(name, function, tuple(no_bounds), note)
        return function

    return register


def no_bounds_reason(measure: Measure) -> str:
    """Return why a measure has no bounds, as a sentence; empty if it has bounds.

    >>> from irjudge.metrics import parse_measure_name
    >>> [no_bounds_reason(parse_measure_name(name)[0]) for name in ("P@5", "WSS@0.95")]
    ['', 'WSS@0.95 has no bounds, so its value is provisional.']
    """
    declared_bounds = RUN_BOUNDS.get(measure.declaration.name)
    reason = (
        declared_bounds.no_bounds_reason(measure)
        if declared_bounds
        else NO_BOUNDS_REASONS.get(measure.declaration.name, "")
    )
    if declared_bounds is None and not reason:
        return Message(
            "{measure} has no bounds, so its value is provisional.", measure=measure.name
        )
    if not reason:
        return ""
    return Message(
        "{measure} has no bounds, so its value is provisional: {reason}.",
        measure=measure.name,
        reason=reason,
    )


def bounds(measure: Measure, run: OpenRun) -> Interval | None:
    """Return the bounds over all possible grades of open documents; None if there are no bounds.

    In the world `open`, any number of documents may be relevant. A value can then approach a limit
    without reaching it; the bound is the limit.

    >>> from irjudge.metrics import parse_measure_name
    >>> interval = bounds(parse_measure_name("AP")[0], open_run(JudgedRun.single(ranked=[1, 0, 0, 0, -1]), np.array([1]), (0, 1)))
    >>> interval.low, interval.high
    (array([0.7]), array([1.]))
    """
    if no_bounds_reason(measure):
        return None
    return RUN_BOUNDS[measure.declaration.name].function(run, **measure.settings)


def difference_bounds(measure: Measure, pair: OpenRunPair) -> tuple[Interval, str] | None:
    """Return the bounds of the difference a − b, with a note; None if there are no bounds.

    The interval is exact, and the note empty, if it takes into account that a document retrieved by
    both runs has the same grade in both.
    """
    interval_a, interval_b = bounds(measure, pair.a), bounds(measure, pair.b)
    if interval_a is None or interval_b is None:
        return None
    joint_bounds = DIFFERENCE_BOUNDS.get(measure.declaration.name)
    reason = (
        joint_bounds.no_bounds_reason(measure)
        if joint_bounds
        else Message(
            "irjudge computes no interval of the difference between two runs for this measure"
        )
    )
    if joint_bounds and not reason:
        return joint_bounds.function(pair, **measure.settings), joint_bounds.note
    note = Message(
        "{measure}: the bounds are the difference of the two runs' intervals and are wider "
        "than necessary; {reason}",
        measure=measure.name,
        reason=reason,
    )
    return Interval(interval_a.low - interval_b.high, interval_a.high - interval_b.low), note


def iter_topic_rows(topic: Ints, count: int) -> Iterator[slice]:
    """Yield the slice of the rows of each topic from 0 to `count` - 1; `topic` must be sorted."""
    ends = np.cumsum(np.bincount(topic, minlength=count)).tolist()
    yield from (slice(start, end) for start, end in zip([0, *ends], ends, strict=False))


# Functions that compute bounds for several measures


def linear_difference(pair: OpenRunPair, current: Floats, weight: Floats) -> Interval:
    """Return the bounds of a difference that is a sum over documents.

    `current`, shape (T,), is the difference without open documents. Each open document adds any
    amount from 0 to its `weight`, shape (D,), regardless of other documents.
    """
    judged_run = pair.a.judged
    low = current + judged_run.sum_by_topic(pair.topic, np.minimum(weight, 0))
    return Interval(low, current + judged_run.sum_by_topic(pair.topic, np.maximum(weight, 0)))


def first_difference(
    pair: OpenRunPair,
    rel: int,
    cutoff: int | None,
    value_of_rank: Callable[[npt.NDArray[np.int64]], Floats],
) -> Interval:
    """Return the bounds of a difference that depends only on each run's first relevant document.

    At each bound, at most one open document is relevant.
    """
    if not pair.a.can_be_relevant(rel):
        pair = without_open_documents(pair)
    first_a, first_b = (
        _find_first_relevant_rank(open_run.judged, rel, cutoff) for open_run in (pair.a, pair.b)
    )
    limit = INFINITE_RANK if cutoff is None else cutoff
    rank_a, rank_b = (
        np.where((rank > 0) & (rank <= limit), rank, INFINITE_RANK)
        for rank in (pair.rank_a, pair.rank_b)
    )
    single_difference = value_of_rank(np.minimum(rank_a, first_a[pair.topic])) - value_of_rank(
        np.minimum(rank_b, first_b[pair.topic])
    )
    low = value_of_rank(first_a) - value_of_rank(first_b)
    high = low.copy()
    np.minimum.at(low, pair.topic, single_difference)
    np.maximum.at(high, pair.topic, single_difference)
    return Interval(low, high)


def _find_first_relevant_rank(
    run: JudgedRun, rel: int, cutoff: int | None
) -> npt.NDArray[np.int64]:
    first = np.full(len(run), INFINITE_RANK, dtype=np.int64)
    hits = run.relevant_hits(rel, cutoff)
    np.minimum.at(first, hits.topic, hits.rank.astype(np.int64))
    return first


def is_within(rank: Ints, cutoff: int | None) -> npt.NDArray[np.bool_]:
    """Return a mask of the ranks between 1 and `cutoff`; rank 0 means not retrieved."""
    return (rank > 0) & (rank <= (INFINITE_RANK if cutoff is None else cutoff))


def without_open_documents(pair: OpenRunPair) -> OpenRunPair:
    """Return the pair without its list of open documents, as if none could be relevant."""
    empty = np.zeros(0, dtype=np.int32)
    return OpenRunPair(pair.a, pair.b, empty, empty, empty, np.zeros(len(pair)))
