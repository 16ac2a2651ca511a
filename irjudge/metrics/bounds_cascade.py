"""Bounds of expected reciprocal rank, where a document that satisfies takes users from all below it."""

import itertools

import numpy as np
import numpy.typing as npt

from irjudge.metrics.bounds import Interval, Unsettled, UnsettledPair, bounded, bounded_difference, by_topic
from irjudge.metrics.bounds_ranked import FAR
from irjudge.metrics.cascade import expected_reciprocal_rank, highest_grade, satisfaction
from irjudge.metrics.judged import Floats, Ints

# So many documents that both runs rank are tried in every way; 2 to this number.
TRIED = 10


@bounded("ERR")
def expected_reciprocal_rank_bounds(run: Unsettled, *, highest: int | None, cutoff: int | None) -> Interval:
    """All that is open satisfies as much as can be, or nobody."""
    best = run.grades[-1] if highest is None else min(highest, run.grades[-1])
    return Interval(*(expected_reciprocal_rank(run.settle(grade), highest=highest, cutoff=cutoff) for grade in (0, best)))


@bounded_difference("ERR", remark=f"ERR: exact where both runs rank {TRIED} unjudged documents or fewer, else a little wider than need be")
def expected_reciprocal_rank_difference(pair: UnsettledPair, *, highest: int | None, cutoff: int | None) -> Interval:
    """The extremes have each document satisfy as much as can be, or nobody.

    Where one run alone ranks it, it is clear which; what both rank is tried in every way. Beyond the first `TRIED` of these a document
    is taken to be another one in each run, which can only widen the interval.
    """
    count, limit = len(pair), FAR if cutoff is None else cutoff
    scale = highest_grade(pair.a.scaled(), highest)
    best = float(satisfaction(np.array([min(scale, pair.a.grades[-1])], dtype=np.int32), scale)[0])
    sides = [_satisfying(each, scale, limit) for each in (pair.a, pair.b)]
    low, high = np.zeros(count), np.zeros(count)
    for topic, rows in enumerate(by_topic(pair.topic, count)):
        ranks = [np.where(rank[rows] <= limit, rank[rows], 0).astype(np.int64) for rank in (pair.rank_a, pair.rank_b)]
        shared = np.flatnonzero((ranks[0] > 0) & (ranks[1] > 0))
        tried = shared[np.argsort(np.minimum(ranks[0], ranks[1])[shared], kind="stable")][:TRIED]
        most_a, least_b = (
            _values(side[topic], rank, tried, best, full) for side, rank, full in zip(sides, ranks, (True, False), strict=True)
        )
        least_a, most_b = (
            _values(side[topic], rank, tried, best, full) for side, rank, full in zip(sides, ranks, (False, True), strict=True)
        )
        high[topic], low[topic] = (most_a - least_b).max(), (least_a - most_b).min()
    return Interval(low, high)


def _satisfying(run: Unsettled, scale: int, limit: int) -> list[tuple[Ints, Floats]]:
    """Return for each topic the ranks up to `limit` of judged documents that satisfy, and how much they do."""
    hits = run.judged.relevant_hits(1, limit)
    stops = satisfaction(hits.grade, scale)
    return [(hits.rank[rows], stops[rows]) for rows in by_topic(hits.topic, len(run.judged))]


def _values(known: tuple[Ints, Floats], rank: npt.NDArray[np.int64], tried: npt.NDArray[np.int64], best: float, full: bool) -> Floats:
    """Return a run's value for every way in which the tried documents satisfy or not, shape (2 ** tried,).

    Parameters
    ----------
    known
        Ranks of the judged documents that satisfy, and how much.
    rank
        Shape (D,): the open documents' ranks; 0 where they are not retrieved.
    tried
        Places of documents among these that are tried.
    best
        How much an open document can satisfy.
    full
        Whether the other open documents do, or satisfy nobody.
    """
    others = np.setdiff1d(np.flatnonzero(rank), tried) if full else np.zeros(0, dtype=np.int64)
    ways = np.array(list(itertools.product((0.0, best), repeat=len(tried)))).reshape(2 ** len(tried), len(tried))
    settled = np.concatenate((known[1], np.full(len(others), best)))
    ranks = np.concatenate((known[0], rank[others], rank[tried]))
    stops = np.concatenate((np.broadcast_to(settled, (len(ways), len(settled))), ways), axis=1)
    order = np.argsort(ranks)
    stops, ranks = stops[:, order], ranks[order]
    arrives = np.cumprod(1 - stops, axis=1)
    arrives = np.concatenate((np.ones((len(ways), 1)), arrives[:, :-1]), axis=1)[:, : len(ranks)]
    return np.asarray((arrives * stops / ranks).sum(axis=1), dtype=np.float64)
