"""Correlations of two orders of the same items: Spearman, Kendall and its relatives, footrule."""

import math
from typing import Literal

import numpy as np

from irjudge.stats.correlation.dominance import Agreements, agreements
from irjudge.stats.correlation.registry import statistic
from irjudge.stats.rankings import Floats, Longs, RankPair, spans


@statistic(
    "spearman",
    title="Spearman's rho",
    formula="1 - 6 Σ d² / (K (K² - 1)); with ties the product-moment correlation of the mean ranks",
    aliases=("rho", "spearman-rho"),
)
def spearman(pair: RankPair) -> float:
    """Return the correlation of the ranks.

    Returns
    -------
    float
        Between -1 and 1; 0 where K is below 2 or all items of a ranking are tied. Tied items have the mean of their ranks.

    References
    ----------
    Spearman (1904), The proof and measurement of association between two things.

    Examples
    --------
    >>> other = "cabedifgjh"  # a to j stand at 2 3 1 5 4 7 8 10 6 9: Σ d² = 24
    >>> round(spearman(RankPair.of_lists("abcdefghij", other)), 4)
    0.8545
    """
    first, second = (
        each - each.mean() if len(each) else each
        for each in (spans(pair.first).middle, spans(pair.second).middle)
    )
    return _bounded(float(first @ second), math.sqrt(float(first @ first) * float(second @ second)))


@statistic(
    "tau",
    title="Kendall's tau",
    formula="(C - D) / (K (K - 1) / 2)",
    aliases=("kendall", "tau-a", "kendall-tau"),
)
def tau(pair: RankPair) -> float:
    """Return the share of pairs of items in the same order less the share in opposite order.

    Returns
    -------
    float
        Between -1 and 1; 0 where K is below 2. A pair tied in either ranking counts as neither, so with ties 1 cannot be reached.

    References
    ----------
    Kendall (1938), A new measure of rank correlation.

    Examples
    --------
    >>> round(tau(RankPair.of_lists("abcde", "bacde")), 4)
    0.8
    """
    found, count = agreements(pair.first, pair.second), len(pair)
    return _bounded(found.concordant - found.discordant, count * (count - 1) / 2)


@statistic(
    "tau-b",
    title="Kendall's tau-b",
    formula="(C - D) / √((C + D + T_a)(C + D + T_b))",
    aliases=("kendall-b", "kendall-tau-b"),
)
def tau_b(pair: RankPair) -> float:
    """Return tau corrected for ties: what two orders of systems with equal scores are compared by.

    Returns
    -------
    float
        Between -1 and 1; 0 where K is below 2 or all items of a ranking are tied. T counts the pairs tied in one ranking only.

    References
    ----------
    Kendall (1945), The treatment of ties in ranking problems.

    Examples
    --------
    >>> round(tau_b(RankPair.of_scores([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])), 7)
    -0.4714045
    """
    found = agreements(pair.first, pair.second)
    ordered = found.concordant + found.discordant
    tied = found.tied_once
    return _bounded(
        found.concordant - found.discordant, math.sqrt((ordered + tied[0]) * (ordered + tied[1]))
    )


@statistic(
    "tau-ap",
    title="AP correlation",
    formula="2/(K - 1) Σ_{i=2..K} C(i)/(i - 1) - 1, with C(i) items above rank i that are truly above it; the mean over the orders of ties",
    symmetric=False,
    aliases=("tau-ap-a", "tauap", "ap-correlation"),
)
def tau_ap(pair: RankPair, *, tied: Literal["half", "wrong"] = "half") -> float:
    """Return the correlation that weighs disagreement at the top more.

    Parameters
    ----------
    pair
        The true order first, the estimated one second, over the same K items.
    tied
        Whether two items that are tied in either order count as half right, or as wrong, as programs have it that compare strictly.

    Returns
    -------
    float
        Between -1 and 1, exactly the mean over every way to put tied items in order, in either ranking; 0 where K is below 2. Where ties
        count as wrong, the mean over every way to put items in order that are tied in the estimated one, and 1 cannot be reached.

    Notes
    -----
    Swapping the rankings changes the value. Urbano and Marrero define it for ties in the estimated order; that items tied in the
    true order count as half above each other is the same mean.

    References
    ----------
    Yilmaz, Aslam and Robertson (2008), A new rank correlation coefficient for information retrieval, SIGIR.
    Urbano and Marrero (2017), The treatment of ties in AP correlation, ICTIR.

    Examples
    --------
    >>> [round(tau_ap(RankPair.of_lists("abcde", estimate)), 4) for estimate in ("bacde", "abced")]
    [0.5, 0.875]
    """
    if len(pair) < 2:
        return 0.0
    found = agreements(pair.first, pair.second)
    stands = spans(pair.second)
    above = stands.top - 1
    # Of the items strictly above, those truly above, and half of those truly tied.
    tied_above = _tied_above(pair.first, pair.second)
    right = found.above + (tied_above / 2 if tied == "half" else 0)
    size = stands.bottom - stands.top + 1
    sums = _reciprocal_sums(len(pair))
    several = (sums[stands.bottom - 1] - sums[np.maximum(above - 1, 0)]) / size
    mean_reciprocal = np.where(
        size > 1, several, 1 / np.maximum(above, 1)
    )  # without ties nothing is lost by subtracting
    outer = np.where(above > 0, right * mean_reciprocal, 0.0).sum()
    # Σ_{k=1..t-1} k/(p + k - 1) = (t - 1) - (p - 1) Σ 1/(p + k - 1), with p - 1 items above.
    within = (
        (size - 1 - above * (sums[stands.bottom - 1] - sums[above])) / (2 * size) * (tied == "half")
    )
    return _bounded(2 * float(outer + within.sum()) - (len(pair) - 1), len(pair) - 1)


@statistic(
    "tau-ap-b",
    title="AP correlation, corrected for ties and symmetrical",
    formula="the mean of both directions of 2/#{p_i > 1} Σ C(i)/(p_i - 1) - 1, with p_i - 1 items strictly above i",
)
def tau_ap_b(pair: RankPair) -> float:
    """Return AP correlation over the pairs that are not tied, the mean of taking each ranking as the true one.

    Returns
    -------
    float
        Between -1 and 1. A direction in which all items are tied is 0, so K below 2 gives 0.

    References
    ----------
    Urbano and Marrero (2017), The treatment of ties in AP correlation, ICTIR.

    Examples
    --------
    >>> round(tau_ap_b(RankPair.of_lists("abcde", "bacde")), 4)
    0.5
    """
    found = agreements(pair.first, pair.second)
    return (_corrected(found, pair.second) + _corrected(found, pair.first)) / 2


@statistic(
    "weighted-tau",
    title="Weighted tau",
    formula="Σ (w_i + w_j) over pairs in the same order less those in opposite order, corrected for ties as tau-b; w = 1/rank",
    aliases=("weightedtau", "tau-w"),
)
def weighted_tau(pair: RankPair, *, rank: Literal["both", "first"] = "both") -> float:
    """Return tau with weights that fall with the rank: agreement at the top counts more.

    Parameters
    ----------
    rank
        Where the weights come from: `first`, the first ranking, ties broken by the second; `both`, the mean of that value and the
        one with the rankings swapped.

    Returns
    -------
    float
        Between -1 and 1; 0 where K is below 2 or all items of a ranking are tied.

    References
    ----------
    Vigna (2015), A weighted correlation index for rankings with ties, WWW; additive hyperbolic weights.

    Examples
    --------
    >>> [round(weighted_tau(RankPair.of_lists("abcde", estimate)), 6) for estimate in ("bacde", "abced")]
    [0.671533, 0.90146]
    """
    found = agreements(pair.first, pair.second)
    value = _weighted(found, np.lexsort((pair.second, pair.first)))
    return (
        value
        if rank == "first"
        else (value + _weighted(found, np.lexsort((pair.first, pair.second)))) / 2
    )


@statistic(
    "footrule",
    title="Spearman's footrule, as a similarity",
    formula="1 - Σ |r_a - r_b| / ⌊K²/2⌋",
    bounds=(0, 1),
    opposite=0,
)
def footrule(pair: RankPair) -> float:
    """Return how near the ranks of the items are: 1 less the sum of their distances over the largest possible sum.

    Returns
    -------
    float
        Between 0 and 1; 0 where K is below 2. Tied items have the mean of their ranks.

    References
    ----------
    Diaconis and Graham (1977), Spearman's footrule as a measure of disarray.

    Examples
    --------
    >>> [round(footrule(RankPair.of_lists("abcde", other)), 4) for other in ("edcba", "bacde")]
    [0.0, 0.8333]
    """
    largest = len(pair) ** 2 // 2
    return 1 - footrule_distance(pair) / largest if largest else 0.0


def footrule_distance(pair: RankPair) -> float:
    """Return the sum of the distances of the ranks: 0 or more, at most ⌊K²/2⌋.

    >>> footrule_distance(RankPair.of_lists("abcde", "edcba"))
    12.0
    """
    return float(np.abs(spans(pair.first).middle - spans(pair.second).middle).sum())


def _tied_above(tied: Longs, order: Longs) -> Longs:
    """Return for each item how many of those tied with it in `tied` stand strictly above it in `order`."""
    by = np.lexsort((order, tied))
    ties, places, at = tied[by], order[by], np.arange(len(by))
    new_tie = np.concatenate(([True], ties[1:] != ties[:-1]))[: len(by)]
    new_place = new_tie | np.concatenate(([True], places[1:] != places[:-1]))[: len(by)]
    result = np.empty(len(by), dtype=np.int64)
    result[by] = np.maximum.accumulate(np.where(new_place, at, 0)) - np.maximum.accumulate(
        np.where(new_tie, at, 0)
    )
    return result


def _corrected(found: Agreements, estimated: Longs) -> float:
    """Return AP correlation of one direction over the items that have others strictly above them."""
    above = spans(estimated).top - 1
    some = above > 0
    return 2 * float(np.mean(found.above[some] / above[some])) - 1 if some.any() else 0.0


def _reciprocal_sums(count: int) -> Floats:
    """Return 0, 1, 1 + 1/2 … up to `count` terms."""
    return np.concatenate(([0.0], np.cumsum(1 / np.arange(1, count + 1))))


def _weighted(found: Agreements, order: Longs) -> float:
    """Return weighted tau where the item at place k of `order` weighs 1/(k + 1)."""
    weight = np.empty(len(order))
    weight[order] = 1 / np.arange(1, len(order) + 1)
    others = len(order) - 1
    agreement = weight @ (found.above + found.below - found.crossed)
    return _bounded(
        float(agreement),
        math.sqrt(weight @ (others - found.tied_first))
        * math.sqrt(weight @ (others - found.tied_second)),
    )


def _bounded(part: float, whole: float) -> float:
    """Return part / whole without the rounding that would leave -1 to 1; 0 where there is no whole."""
    return max(-1.0, min(1.0, part / whole)) if whole > 0 else 0.0
