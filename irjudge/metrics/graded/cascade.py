"""Expected reciprocal rank: a user who goes down the list and stops where a document satisfies."""

import itertools
from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.basis.bounds import (
    FAR,
    Interval,
    Unsettled,
    UnsettledPair,
    bounded,
    bounded_difference,
    by_topic,
)
from irjudge.metrics.basis.judged import Floats, Hits, Ints, JudgedRun, Scores, divide
from irjudge.metrics.basis.running import before, running
from irjudge.metrics.basis.working import Board, Working, added, explains, looked_at, number
from irjudge.metrics.naming.parameters import MaybeBothCutoff, MaybeCutoff, Range
from irjudge.metrics.naming.registry import measure

# So many documents that both runs rank are tried in every way; 2 to this number.
TRIED = 10

MaybeHighest: TypeAlias = Annotated[
    int | None,
    Range(1),
    "The highest grade of the scale; None takes the one that is known, or the highest grade in the qrels where none is.",
]


def highest_grade(judged: JudgedRun, highest: int | None = None) -> int:
    """Return the highest grade of the scale: as given, else as the run knows it, else the highest that was judged.

    MeasureError when a judged grade is higher than the one given.
    """
    judged_highest = int(judged.judged_grades.max(initial=0))
    if highest is None:
        return max(judged.highest or 0, judged_highest)
    if highest < judged_highest:
        raise MeasureError(
            "highest={highest} is less than the grade {judged_highest} in the qrels.",
            highest=highest,
            judged_highest=judged_highest,
        )
    return highest


def _expected(judged: JudgedRun, hits: Hits, highest: int) -> Scores:
    """Return the expected reciprocal rank of documents of grade 1 or more that stand at these ranks."""
    stops = satisfaction(hits.grade, highest)
    arrives = before(hits.topic, running(np.multiply, hits.topic, 1 - stops, len(judged)), 1.0)
    return judged.sum_by_topic(hits.topic, arrives * stops / hits.rank)


def satisfaction(grade: npt.NDArray[np.int32], highest: int) -> Floats:
    """Return the probability that a document of this grade satisfies: (2^grade − 1) / 2^highest.

    >>> satisfaction(np.array([0, 1, 2], dtype=np.int32), highest=2)
    array([0.  , 0.25, 0.75])
    """
    chance: Floats = np.ldexp(1.0, grade - highest) - np.ldexp(1.0, -highest)
    return chance


@measure(
    "ERR",
    title="Expected reciprocal rank",
    formula="Σ over ranks r <= k of (1/r)·R_r·Π over i < r of (1 − R_i), R = (2^grade − 1) / 2^G, G the scale's highest grade",
    kind="graded",
    aliases=("err",),
    top_heavy=True,
)
def expected_reciprocal_rank(
    judged: JudgedRun, *, highest: MaybeHighest = None, cutoff: MaybeCutoff = None
) -> Scores:
    """Return the expected reciprocal of the rank at which the user is satisfied.

    Parameters
    ----------
    highest
        The highest grade of the scale, G; None takes the one that is known, or the highest grade in the qrels where none is.

    Returns
    -------
    Scores
        Shape (T,), less than 1; 0 where nothing retrieved satisfies.

    Raises
    ------
    MeasureError
        When a judged grade is higher than `highest`.

    Notes
    -----
    Unjudged and unjudgeable documents satisfy nobody. TREC's gdeval computes ERR(highest=4).

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, 621–630.

    Examples
    --------
    >>> expected_reciprocal_rank(JudgedRun.single(ranked=[0, 2, 1]), highest=2).round(4)
    array([0.3958])
    """
    return _expected(judged, judged.relevant_hits(1, cutoff), highest_grade(judged, highest))


@bounded("ERR")
def expected_reciprocal_rank_bounds(
    run: Unsettled, *, highest: int | None, cutoff: int | None
) -> Interval:
    """All that is open satisfies as much as can be, or nobody."""
    best = run.grades[-1] if highest is None else min(highest, run.grades[-1])
    return Interval(
        *(
            expected_reciprocal_rank(run.settle(grade), highest=highest, cutoff=cutoff)
            for grade in (0, best)
        )
    )


@bounded_difference(
    "ERR",
    remark=f"ERR: exact where both runs rank {TRIED} unjudged documents or fewer, else a little wider than need be",
)
def expected_reciprocal_rank_difference(
    pair: UnsettledPair, *, highest: int | None, cutoff: int | None
) -> Interval:
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
        ranks = [
            np.where(rank[rows] <= limit, rank[rows], 0).astype(np.int64)
            for rank in (pair.rank_a, pair.rank_b)
        ]
        shared = np.flatnonzero((ranks[0] > 0) & (ranks[1] > 0))
        tried = shared[np.argsort(np.minimum(ranks[0], ranks[1])[shared], kind="stable")][:TRIED]
        most_a, least_b = (
            _values(side[topic], rank, tried, best, full)
            for side, rank, full in zip(sides, ranks, (True, False), strict=True)
        )
        least_a, most_b = (
            _values(side[topic], rank, tried, best, full)
            for side, rank, full in zip(sides, ranks, (False, True), strict=True)
        )
        high[topic], low[topic] = (most_a - least_b).max(), (least_a - most_b).min()
    return Interval(low, high)


def _satisfying(run: Unsettled, scale: int, limit: int) -> list[tuple[Ints, Floats]]:
    """Return for each topic the ranks up to `limit` of judged documents that satisfy, and how much they do."""
    hits = run.judged.relevant_hits(1, limit)
    stops = satisfaction(hits.grade, scale)
    return [(hits.rank[rows], stops[rows]) for rows in by_topic(hits.topic, len(run.judged))]


def _values(
    known: tuple[Ints, Floats],
    rank: npt.NDArray[np.int64],
    tried: npt.NDArray[np.int64],
    best: float,
    full: bool,
) -> Floats:
    """Return a run's value for every way in which the tried documents satisfy or not, shape (2 ** tried,).

    `known` are the ranks of the judged documents that satisfy, and how much; `rank`, shape (D,), those of the open ones, 0 where not
    retrieved; `tried` are places among these. An open document satisfies by `best` at most; untried ones do so where `full`, or nobody.
    """
    others = np.setdiff1d(np.flatnonzero(rank), tried) if full else np.zeros(0, dtype=np.int64)
    ways = np.array(list(itertools.product((0.0, best), repeat=len(tried)))).reshape(
        2 ** len(tried), len(tried)
    )
    settled = np.concatenate((known[1], np.full(len(others), best)))
    ranks = np.concatenate((known[0], rank[others], rank[tried]))
    stops = np.concatenate((np.broadcast_to(settled, (len(ways), len(settled))), ways), axis=1)
    order = np.argsort(ranks)
    stops, ranks = stops[:, order], ranks[order]
    arrives = np.cumprod(1 - stops, axis=1)
    arrives = np.concatenate((np.ones((len(ways), 1)), arrives[:, :-1]), axis=1)[:, : len(ranks)]
    return np.asarray((arrives * stops / ranks).sum(axis=1), dtype=np.float64)


@explains("ERR")
def expected_reciprocal_rank_working(
    board: Board, *, highest: int | None, cutoff: int | None
) -> Working:
    """A user who stops where a document satisfies."""
    scale = board.highest if highest is None else highest
    rows: list[tuple[float, ...]] = []
    total, arrives, terms, hits = 0.0, 1.0, [], []
    for rank, grade in enumerate(board.top(cutoff), 1):
        stops = (2.0 ** max(grade or 0, 0) - 1) / 2.0**scale
        total += arrives * stops / rank
        rows.append((stops, arrives, arrives * stops / rank, total))
        if stops:
            hits.append(rank)
            terms.append(f"{number(arrives)}·{number(stops)}/{rank}")
        arrives *= 1 - stops
    steps = (
        looked_at(board, cutoff),
        Message(
            "G = {scale}, the highest grade. Who comes to a document is satisfied with probability (2^grade − 1) / 2^G, and stops.",
            scale=scale,
        ),
        Message(
            "ERR = sum of reaches·satisfied/r = {added} = {number}",
            added=added(terms),
            number=number(total),
        ),
    )
    return Working(
        steps, total, ("satisfied", "reaches", "term", "sum"), tuple(rows), frozenset(hits)
    )


@measure(
    "nERR",
    title="Normalised expected reciprocal rank",
    formula="ERR / ERR of the ideal order of all judged documents, both over ranks 1 to k",
    kind="graded",
    top_heavy=True,
)
def normalised_expected_reciprocal_rank(
    judged: JudgedRun, *, highest: MaybeHighest = None, cutoff: MaybeBothCutoff = None
) -> Scores:
    """Return the expected reciprocal rank as a share of the highest possible one.

    Parameters
    ----------
    highest
        The highest grade of the scale, G; None takes the one that is known, or the highest grade in the qrels where none is.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no judged document satisfies.

    Raises
    ------
    MeasureError
        When a judged grade is higher than `highest`.

    Notes
    -----
    Unjudged and unjudgeable documents satisfy nobody.

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, 621–630.

    Examples
    --------
    >>> normalised_expected_reciprocal_rank(JudgedRun.single(ranked=[0, 2, 1]), highest=2).round(4)
    array([0.5067])
    """
    best = _expected(judged, judged.ideal_hits(cutoff), highest_grade(judged, highest))
    return divide(expected_reciprocal_rank(judged, highest=highest, cutoff=cutoff), best)
