"""Bounds of the measures of binary relevance: P, R, Success, RR, RBP, AP and bpref."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.metrics.average_precision import Norm
from irjudge.metrics.bounds import Interval, Refusal, Unsettled, UnsettledPair, bounded, bounded_difference, by_topic
from irjudge.metrics.judged import Floats, Ints, JudgedRun, divide
from irjudge.metrics.precision import precision, success
from irjudge.metrics.rank_biased import RankGain, rank_biased_precision
from irjudge.metrics.reciprocal_rank import reciprocal_rank

Worth: TypeAlias = Callable[[npt.NDArray[np.int64]], Floats]

FAR = int(np.iinfo(np.int32).max)
TOPIC_GAIN = Refusal(lambda values: values["gain"] == "topic", "an unjudged document may raise the topic's highest grade")


@bounded("P")
def precision_bounds(run: Unsettled, *, rel: int, cutoff: int) -> Interval:
    """All that is open in the top k is relevant, or nothing."""
    return Interval(*(precision(run.settle(grade), rel=rel, cutoff=cutoff) for grade in (0, run.grades[-1])))


@bounded_difference("P")
def precision_difference(pair: UnsettledPair, *, rel: int, cutoff: int) -> Interval:
    """What both have in the top k cancels."""
    now = precision(pair.a.judged, rel=rel, cutoff=cutoff) - precision(pair.b.judged, rel=rel, cutoff=cutoff)
    weight = (_within(pair.rank_a, cutoff).astype(np.float64) - _within(pair.rank_b, cutoff)) / cutoff
    return linear_difference(pair, now, weight if pair.a.can_be_relevant(rel) else weight * 0)


@bounded("R")
def recall_bounds(run: Unsettled, *, rel: int, cutoff: int) -> Interval:
    """Lowest where only what the top k lacks turns out relevant; highest where only what it has does."""
    run = run.upto(cutoff, rel)
    found = run.judged.count_by_topic(run.judged.relevant_hits(rel, cutoff).topic)
    relevant, more = run.judged.n_relevant(rel), run.judged.count_by_topic(run.topic)
    return Interval(divide(found, relevant + run.outside), divide(found + more, relevant + more))


@bounded_difference("R")
def recall_difference(pair: UnsettledPair, *, rel: int, cutoff: int) -> Interval:
    """What helps one run is relevant; what helps neither or both is, where that brings the difference nearer to 0 from the wrong side."""
    if not pair.a.can_be_relevant(rel):
        pair = _closed(pair)
    judged = pair.a.judged
    found_a, found_b = (judged.count_by_topic(each.judged.relevant_hits(rel, cutoff).topic) for each in (pair.a, pair.b))
    lead = _within(pair.rank_a, cutoff).astype(np.int64) - _within(pair.rank_b, cutoff)
    only_a, only_b, neither = (judged.count_by_topic(pair.topic[lead == sign]) for sign in (1, -1, 0))
    now, relevant, rest = (found_a - found_b).astype(np.float64), judged.n_relevant(rel), neither + pair.outside
    high, low = now + only_a, now - only_b
    return Interval(
        divide(low, relevant + only_b + np.where(low > 0, rest, 0)),
        divide(high, relevant + only_a + np.where(high < 0, rest, 0)),
    )


@bounded("Success")
def success_bounds(run: Unsettled, *, rel: int, cutoff: int) -> Interval:
    """All that is open is relevant, or nothing."""
    return Interval(*(success(run.settle(grade), rel=rel, cutoff=cutoff) for grade in (0, run.grades[-1])))


@bounded_difference("Success")
def success_difference(pair: UnsettledPair, *, rel: int, cutoff: int) -> Interval:
    """One document decides."""
    return _first_difference(pair, rel, cutoff, lambda rank: (rank < FAR).astype(np.float64))


@bounded("RR")
def reciprocal_rank_bounds(run: Unsettled, *, rel: int, cutoff: int | None) -> Interval:
    """The first relevant document is the first judged so, or the first that is open."""
    return Interval(*(reciprocal_rank(run.settle(grade), rel=rel, cutoff=cutoff) for grade in (0, run.grades[-1])))


@bounded_difference("RR")
def reciprocal_rank_difference(pair: UnsettledPair, *, rel: int, cutoff: int | None) -> Interval:
    """One document decides: any further one could only help the other run."""
    return _first_difference(pair, rel, cutoff, lambda rank: np.where(rank < FAR, 1 / rank, 0.0))


def _first_difference(pair: UnsettledPair, rel: int, cutoff: int | None, worth: Worth) -> Interval:
    """Return the extremes over no open document being relevant, and over each being the only one."""
    if not pair.a.can_be_relevant(rel):
        pair = _closed(pair)
    first_a, first_b = (_first(each.judged, rel, cutoff) for each in (pair.a, pair.b))
    limit = FAR if cutoff is None else cutoff
    rank_a, rank_b = (np.where((rank > 0) & (rank <= limit), rank, FAR) for rank in (pair.rank_a, pair.rank_b))
    single = worth(np.minimum(rank_a, first_a[pair.topic])) - worth(np.minimum(rank_b, first_b[pair.topic]))
    low = worth(first_a) - worth(first_b)
    high = low.copy()
    np.minimum.at(low, pair.topic, single)
    np.maximum.at(high, pair.topic, single)
    return Interval(low, high)


def _first(judged: JudgedRun, rel: int, cutoff: int | None) -> npt.NDArray[np.int64]:
    first = np.full(len(judged), FAR, dtype=np.int64)
    hits = judged.relevant_hits(rel, cutoff)
    np.minimum.at(first, hits.topic, hits.rank.astype(np.int64))
    return first


@bounded("RBP", refusals=(TOPIC_GAIN,))
def rank_biased_bounds(run: Unsettled, *, p: float, rel: int, gain: RankGain, cutoff: int | None) -> Interval:
    """All that is open gains the most, or nothing; in the open world so does what would follow the end of the list."""
    low, high = (rank_biased_precision(run.settle(grade), p=p, rel=rel, gain=gain, cutoff=cutoff) for grade in (0, run.grades[-1]))
    return Interval(low, high + _tail(run, p, rel if gain == "binary" else 1, cutoff))


@bounded_difference("RBP", refusals=(TOPIC_GAIN,))
def rank_biased_difference(pair: UnsettledPair, *, p: float, rel: int, gain: RankGain, cutoff: int | None) -> Interval:
    """What both rank alike cancels."""
    least = rel if gain == "binary" else 1
    of_a, of_b = (rank_biased_precision(each.scaled(), p=p, rel=rel, gain=gain, cutoff=cutoff) for each in (pair.a, pair.b))
    weight = _weights(pair.rank_a, p, cutoff) - _weights(pair.rank_b, p, cutoff)
    found = linear_difference(pair, of_a - of_b, weight if pair.a.can_be_relevant(least) else weight * 0)
    return Interval(found.low - _tail(pair.b, p, least, cutoff), found.high + _tail(pair.a, p, least, cutoff))


def _weights(rank: Ints, p: float, cutoff: int | None) -> Floats:
    return np.where(_within(rank, cutoff), (1 - p) * p ** (np.maximum(rank, 1) - 1.0), 0.0)


def _tail(run: Unsettled, p: float, rel: int, cutoff: int | None) -> Floats:
    """Return what would follow the end of the list, where anything could; 0 in a pool."""
    could = np.isinf(run.outside) & run.can_be_relevant(rel)
    return np.where(could, p ** run.judged.depth(cutoff).astype(np.float64), 0.0)


@bounded("AP")
def average_precision_bounds(run: Unsettled, *, rel: int, norm: Norm, cutoff: int | None) -> Interval:
    """Highest where the s highest ranked are relevant, lowest where the s lowest are and all that was not retrieved, for the worst s."""
    run = run.upto(cutoff, rel)
    hits, count = run.judged.relevant_hits(rel, cutoff), len(run.judged)
    relevant = (run.judged.count_by_topic(hits.topic) if norm == "retrieved" else run.judged.n_relevant(rel)).astype(np.float64)
    missed = np.zeros(count) if norm == "retrieved" else run.outside
    most = float(cutoff) if norm == "cutoff" and cutoff is not None else np.inf
    low, high = np.zeros(count), np.zeros(count)
    for topic, (found, unknown) in enumerate(zip(by_topic(hits.topic, count), by_topic(run.topic, count), strict=True)):
        top, bottom = _sums_of_precision(hits.rank[found].astype(np.float64), run.rank[unknown].astype(np.float64))
        more = relevant[topic] + np.arange(len(top))
        high[topic] = divide(top, np.minimum(more, most)).max()
        low[topic] = divide(bottom, np.minimum(more + missed[topic], most)).min()
    return Interval(low, high)


def _sums_of_precision(found: Floats, unknown: Floats) -> tuple[Floats, Floats]:
    """Return the sums of precisions where the s highest ranked unknown documents are relevant, and the s lowest, for s = 0, 1, 2 …

    Parameters
    ----------
    found, unknown
        Ranks of relevant and of open documents, ascending.
    """
    inverse = np.concatenate(([0.0], np.cumsum(1 / found)))
    above = np.searchsorted(found, unknown)
    below = inverse[-1] - inverse[above]
    base = (np.arange(1, len(found) + 1) / found).sum()
    # From the top the s-th joins s − 1 that stand above it. From the bottom it stands above s − 1, each of which gains 1 / rank.
    from_top = (above + np.arange(1, len(unknown) + 1)) / unknown + below
    joined = np.cumsum(1 / unknown[::-1]) - 1 / unknown[::-1]
    from_bottom = ((above + 1) / unknown + below)[::-1] + joined
    return tuple(base + np.concatenate(([0.0], np.cumsum(each))) for each in (from_top, from_bottom))


# What several of them need


def linear_difference(pair: UnsettledPair, now: Floats, weight: Floats) -> Interval:
    """Return the bounds of a difference that each open document changes by 0 to `weight`, shape (D,), whatever the others do."""
    judged = pair.a.judged
    low = now + judged.sum_by_topic(pair.topic, np.minimum(weight, 0))
    return Interval(low, now + judged.sum_by_topic(pair.topic, np.maximum(weight, 0)))


def _within(rank: Ints, cutoff: int | None) -> npt.NDArray[np.bool_]:
    return (rank > 0) & (rank <= (FAR if cutoff is None else cutoff))


def _closed(pair: UnsettledPair) -> UnsettledPair:
    """Return the pair without anything open."""
    nothing = np.zeros(0, dtype=np.int32)
    return UnsettledPair(pair.a, pair.b, nothing, nothing, nothing, np.zeros(len(pair)))
