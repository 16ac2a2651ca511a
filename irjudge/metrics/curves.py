"""Curves: precision over recall, and gain by rank."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irjudge.errors import MeasureError
from irjudge.metrics.cumulative_gain import (
    Discount,
    Gain,
    Gains,
    Ideal,
    Mean,
    best_gains,
    discounts,
    retrieved_gains,
)
from irjudge.metrics.judged import Floats, Ints, JudgedRun, Longs, accumulate_by_topic, divide
from irjudge.metrics.precision import Rule, interpolated_precision
from irjudge.metrics.registry import Rel

# maximum number of cells (topics x ranks) in memory at a time
MAX_VALUES_PER_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallCurves:
    """Precision–recall curves of topics, with a point for each retrieved relevant document.

    The arrays have shape (H,) for H retrieved relevant documents, sorted by topic and rank.
    """

    topic: Ints  # index of the topic in `JudgedRun.topics`
    rank: Ints  # rank of the document, from 1
    recall: Floats  # recall at the document's rank
    precision: Floats  # precision at the document's rank
    # highest precision at the document's rank or any later rank, which is the height of the step
    # that ends at the document's recall
    interpolated: Floats

    def curve_of_topic(self, topic: int) -> tuple[Floats, Floats]:
        """Return recall and interpolated precision at the corners of a topic's step curve.

        The first corner is at recall 0; both arrays are empty without relevant retrieved documents.
        """
        is_in_topic = self.topic == topic
        recall, precision = self.recall[is_in_topic], self.interpolated[is_in_topic]
        return np.repeat(np.append(0.0, recall), 2)[1 : 2 * len(recall) + 1], np.repeat(
            precision, 2
        )


@dataclass(frozen=True, slots=True, eq=False)
class InterpolatedPrecision:
    """Interpolated precision of each topic at levels of recall, for a recall-precision curve."""

    recall: Floats  # levels of recall, shape (L,)
    precision: Floats  # interpolated precision of each topic at each level, shape (T, L)

    @property
    def mean(self) -> Floats:
        """Mean precision over the topics at each level, shape (L,); 0 if there are no topics."""
        return divide(self.precision.sum(axis=0), len(self.precision))

    @property
    def area(self) -> float:
        """Area under the curve of `mean`, by the trapezoidal rule; between 0 and 1."""
        mean = self.mean
        return float((np.diff(self.recall) * (mean[1:] + mean[:-1]) / 2).sum())


@dataclass(frozen=True, slots=True, eq=False)
class GainCurves:
    """Cumulative gain at ranks 1 to K, averaged over topics; arrays of shape (K,).

    `rank` is the array of the ranks, the x values of the curves.
    """

    gain: Floats  # average CG or DCG of the rankings
    ideal: Floats  # average CG or DCG of the ideal rankings
    normalised: Floats  # NCG or NDCG: mean of the topics' ratios, or ratio of the two averages

    @property
    def rank(self) -> Longs:
        """Ranks 1 to K."""
        return np.arange(1, len(self.gain) + 1)

    @property
    def area(self) -> float:
        """Area under the normalised curve: its mean over ranks; 0 if there are no ranks."""
        return float(self.normalised.sum() / max(len(self.normalised), 1))


def precision_recall_steps(run: JudgedRun, *, rel: Rel = 1) -> PrecisionRecallCurves:
    """Return each topic's precision-recall curve.

    Returns
    -------
    PrecisionRecallCurves
        Topics without relevant retrieved documents have no points.

    Notes
    -----
    Unjudged documents count as not relevant.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, Cambridge University Press, ch. 8.4.

    Examples
    --------
    >>> steps = precision_recall_steps(JudgedRun.single(ranked=[0, 1, 1], judged=[1, 1]))
    >>> steps.recall, steps.precision.round(2), steps.interpolated.round(2)
    (array([0.5, 1. ]), array([0.5 , 0.67]), array([0.67, 0.67]))
    """
    hits = run.relevant_hits(rel)
    precision = hits.nth_in_topic / hits.rank
    # The running maximum begins at the last document of each topic, so the arrays are reversed.
    # Topics are renumbered, so that their codes are ascending in the reversed arrays.
    best_precision = accumulate_by_topic(
        np.maximum,
        (len(run) - 1 - hits.topic[::-1]).astype(np.int32),
        precision[::-1],
        len(run),
    )[::-1]
    return PrecisionRecallCurves(
        hits.topic,
        hits.rank,
        hits.nth_in_topic / run.n_relevant(rel)[hits.topic],
        precision,
        best_precision,
    )


def precision_recall_levels(
    run: JudgedRun, *, levels: int = 11, rel: int = 1, rule: Rule = "max"
) -> InterpolatedPrecision:
    """Return interpolated precision of each topic at evenly spaced levels of recall, 0 to 1.

    `levels` is the number of levels, usually 11 or 101; `rule` is as in IPrec. A topic without
    relevant documents has 0 everywhere and is included in the mean. Raises MeasureError if `levels`
    is less than 2.

    >>> curve = precision_recall_levels(JudgedRun.single(ranked=[1, 0, 0, 1]), levels=3)
    >>> curve.recall, curve.mean, curve.area
    (array([0. , 0.5, 1. ]), array([1. , 1. , 0.5]), 0.875)
    """
    if levels < 2:
        raise MeasureError("levels must be 2 or more, got {levels}.", levels=levels)
    recall = np.arange(levels) / (levels - 1)
    if rule == "max":
        return InterpolatedPrecision(recall, _compute_precision_at_levels(run, rel, levels))
    rows = [
        interpolated_precision(run, rel=rel, rule=rule, recall=level) for level in recall.tolist()
    ]
    return InterpolatedPrecision(recall, np.stack(rows, axis=1))


def _compute_precision_at_levels(run: JudgedRun, rel: int, levels: int) -> Floats:
    """Return the interpolated precision of each topic at evenly spaced levels of recall."""
    steps = precision_recall_steps(run, rel=rel)
    sizes = run.count_by_topic(steps.topic)
    # number of relevant documents needed to reach each level, computed exactly with integers
    needed_counts = np.maximum(
        -(-np.arange(levels) * run.n_relevant(rel)[:, None] // (levels - 1)), 1
    )
    indices = (np.cumsum(sizes) - sizes)[:, None] + needed_counts - 1
    return np.append(steps.interpolated, 0.0)[
        np.where(needed_counts <= sizes[:, None], indices, len(steps.interpolated))
    ]


def gain_curves(
    run: JudgedRun,
    *,
    depth: int | None = None,
    gain: Gain = "linear",
    discount: Discount | None = None,
    base: float = 2.0,
    ideal: Ideal = "judged",
    mean: Mean = "topics",
) -> GainCurves:
    """Return the curves CG, ICG and NCG, averaged over topics.

    With a discount, they are DCG, IDCG and NDCG.

    Parameters
    ----------
    depth
        Last rank, K; None for the length of the longest ranking.
    gain, discount, base, ideal
        As for nDCG; None for no discount.
    mean
        `topics`: NCG is the mean of the topics' ratios; `ratio`: average CG over average ICG.

    Returns
    -------
    GainCurves
        The curves, which are 0 everywhere if there are no topics. A ratio is 0 if the ideal gain is
        0.

    Raises
    ------
    MeasureError
        If `depth` is less than 1.

    Notes
    -----
    Unjudged documents have no gain; a ranking that ends before K keeps its last value.

    References
    ----------
    Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 422–446.

    Examples
    --------
    >>> curves = gain_curves(JudgedRun.single(ranked=[1, 0, 3], judged=[3, 1]))
    >>> curves.gain, curves.ideal, curves.normalised.round(2), round(curves.area, 4)
    (array([1., 1., 4.]), array([3., 4., 4.]), array([0.33, 0.25, 1.  ]), 0.5278)
    """
    rank_count = _compute_depth(run, depth)
    gain_sums, ideal_sums, ratios = np.zeros(rank_count), np.zeros(rank_count), np.zeros(rank_count)
    for ranking_block, ideal_block in _iter_cumulative_gains(
        run, rank_count, _compute_discounted_gains(run, gain, discount, base, ideal, rank_count)
    ):
        gain_sums += ranking_block.sum(axis=0)
        ideal_sums += ideal_block.sum(axis=0)
        ratios += divide(ranking_block, ideal_block).sum(axis=0)
    topics = max(len(run), 1)
    return GainCurves(
        gain_sums / topics,
        ideal_sums / topics,
        divide(gain_sums, ideal_sums) if mean == "ratio" else ratios / topics,
    )


def topic_gain_curves(
    run: JudgedRun,
    *,
    depth: int | None = None,
    gain: Gain = "linear",
    discount: Discount | None = None,
    base: float = 2.0,
    ideal: Ideal = "judged",
) -> tuple[Floats, Floats]:
    """Return CG and ICG of each topic at each rank, two arrays of shape (T, K).

    Their quotient is NCG. With a discount, the arrays are DCG and IDCG, and the quotient is NDCG.
    Parameters are those of `gain_curves`. Raises MeasureError if `depth` is less than 1.

    >>> topic_gain_curves(JudgedRun.single(ranked=[1, 0, 3]))[1]
    array([[3., 4., 4.]])
    """
    rank_count = _compute_depth(run, depth)
    ranking_gains, ideal_gains = _compute_discounted_gains(
        run, gain, discount, base, ideal, rank_count
    )
    return _compute_cumulative_matrix(
        ranking_gains, 0, len(run), rank_count
    ), _compute_cumulative_matrix(ideal_gains, 0, len(run), rank_count)


def _compute_depth(run: JudgedRun, depth: int | None) -> int:
    if depth is not None and depth < 1:
        raise MeasureError("The depth must be at least 1, got {depth}.", depth=depth)
    return int(run.n_retrieved.max(initial=0)) if depth is None else depth


def _compute_discounted_gains(
    run: JudgedRun,
    gain: Gain,
    discount: Discount | None,
    base: float,
    ideal: Ideal,
    rank_count: int,
) -> tuple[Gains, Gains]:
    """Return the gains of rankings and ideal rankings at ranks 1 to `rank_count`.

    The gains are discounted unless `discount` is None.
    """
    gain_pair = retrieved_gains(run, gain, rank_count), best_gains(run, gain, ideal, rank_count)
    if discount is None:
        return gain_pair
    ranking_gains, ideal_gains = (
        Gains(gains.topic, gains.rank, gains.gain / discounts(gains.rank, discount, base))
        for gains in gain_pair
    )
    return ranking_gains, ideal_gains


def _iter_cumulative_gains(
    run: JudgedRun, rank_count: int, gain_pair: tuple[Gains, Gains]
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the cumulative gains of rankings and of ideal rankings, for a few topics at a time.

    Each array has a row for each topic and a column for each rank. `gain_pair` contains the gains
    of rankings and of ideal rankings.
    """
    rows = max(1, MAX_VALUES_PER_BLOCK // max(rank_count, 1))
    for start in range(0, len(run), rows):
        end = min(start + rows, len(run))
        yield (
            _compute_cumulative_matrix(gain_pair[0], start, end, rank_count),
            _compute_cumulative_matrix(gain_pair[1], start, end, rank_count),
        )


def _compute_cumulative_matrix(gains: Gains, start: int, end: int, rank_count: int) -> Floats:
    """Return the cumulative gains of the topics with indexes `start` to `end` - 1 at each rank.

    The shape is (end − start, rank_count), with a column for each rank from 1 to `rank_count`.
    """
    first, last = np.searchsorted(gains.topic, [start, end])
    cell_indices = (
        (gains.topic[first:last] - start).astype(np.int64) * rank_count + gains.rank[first:last] - 1
    )
    gains_by_cell = np.zeros((end - start) * rank_count)
    gains_by_cell[cell_indices] = gains.gain[first:last]
    return np.cumsum(gains_by_cell.reshape(end - start, rank_count), axis=1)
