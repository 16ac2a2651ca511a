"""Tests of rank correlations: published values, values worked by hand, and scipy."""

from itertools import permutations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from irjudge.stats import RankPair, tau_b
from irjudge.stats.correlation import (
    correlate,
    footrule,
    footrule_distance,
    spearman,
    tau,
    tau_ap,
    tau_ap_b,
    weighted_tau,
)
from tests.lengths import short_or_long


def numbers(text: str) -> list[float]:
    return [float(each) for each in text.split()]


# Data and values of the tests of ircor 0.2 (Urbano), https://github.com/julian-urbano/ircor;
# spearman and weighted tau by scipy 1.15.
X = {
    1: numbers(".897 .372 .908 .898 .661 .062 .177 .384 .498 .992"),
    2: numbers(".266 .573 .202 .945 .629 .206 .687 .77 .718 .38"),
    3: numbers(".185 .573 .944 .129 .468 .553 .761 .405 .976 .445"),
}
Y = {
    1: numbers(".82 .406 .817 .953 .673 .073 .364 .547 .589 .988"),
    2: numbers(".263 .843 .728 .928 .08 .114 .467 .641 .973 .644"),
    3: numbers(".845 .272 .275 .924 .605 .334 .162 .872 .018 .25"),
}
# The same, rounded to one decimal, so that there are ties.
XT = {
    1: numbers(".9 .4 .9 .9 .7 .1 .2 .4 .5 1"),
    2: numbers(".3 .6 .2 .9 .6 .2 .7 .8 .7 .4"),
    3: numbers(".2 .6 .9 .1 .5 .6 .8 .4 1 .4"),
}
YT = {
    1: numbers(".8 .4 .8 1 .7 .1 .4 .5 .6 1"),
    2: numbers(".3 .8 .7 .9 .1 .1 .5 .6 1 .6"),
    3: numbers(".8 .3 .3 .9 .6 .3 .2 .9 0 .2"),
}
PUBLISHED = [
    (tau, X, Y, (0.9111, 0.2889, -0.6889)),
    (tau, X, YT, (0.8889, 0.3333, -0.6222)),
    (tau_b, XT, YT, (0.9398, 0.3765, -0.6510)),
    (tau_ap, X, Y, (0.8519, 0.2504, -0.6971)),
    (tau_ap, X, YT, (0.7454, 0.2692, -0.5558)),
    (tau_ap_b, X, Y, (0.8333, 0.2880, -0.6680)),
    (tau_ap_b, XT, YT, (0.7321, 0.2970, -0.7047)),
    (spearman, X, Y, (0.9636, 0.3697, -0.8182)),
]


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(("function", "x", "y", "values"), PUBLISHED)
def test_values_are_those_published_by_ircor(function, x, y, values, number: int) -> None:
    assert round(function(RankPair.of_scores(x[number], y[number])), 4) == values[number - 1]


@pytest.mark.parametrize(
    ("number", "both", "first"),
    [(1, 0.889356, 0.879872), (2, 0.414744, 0.426395), (3, -0.765268, -0.733881)],
)
def test_weighted_tau_is_that_of_scipy(number: int, both: float, first: float) -> None:
    pair = RankPair.of_scores(X[number], Y[number])
    assert (round(weighted_tau(pair), 6), round(weighted_tau(pair, rank="first"), 6)) == (
        both,
        first,
    )


def test_one_swap_at_the_top_costs_more_than_at_the_bottom() -> None:
    """By hand: one pair of ten is swapped, (9 - 1)/10.

    2/4 (0/1 + 2/2 + 3/3 + 4/4) - 1 and 2/4 (1/1 + 2/2 + 3/3 + 3/4) - 1.
    """
    top, bottom = RankPair.of_lists("abcde", "bacde"), RankPair.of_lists("abcde", "abced")
    assert (tau(top), tau(bottom)) == (0.8, 0.8)
    assert (tau_ap(top), tau_ap(bottom)) == (0.5, 0.875)
    assert (round(weighted_tau(top), 6), round(weighted_tau(bottom), 6)) == (0.671533, 0.90146)


def test_the_example_of_the_scipy_manual_has_its_values() -> None:
    """scipy.stats.kendalltau and weightedtau, examples of their documentation."""
    pair = RankPair.of_scores([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])
    assert round(tau_b(pair), 7) == -0.4714045
    assert round(weighted_tau(pair), 8) == -0.56694968


def test_textbook_rankings_have_the_values_worked_by_hand() -> None:
    """Ten documents at 1 to 10 and at 2 3 1 5 4 7 8 10 6 9: Σd² = 24, 1 - 144/990.

    The first five: (14 - 6)/20.
    """
    first = ["d123", "d84", "d56", "d6", "d8", "d9", "d511", "d129", "d187", "d25"]
    rank_of = dict(zip(first, [2, 3, 1, 5, 4, 7, 8, 10, 6, 9], strict=True))
    assert correlate(first, sorted(first, key=rank_of.__getitem__), "spearman") == pytest.approx(
        1 - 144 / 990
    )
    assert correlate(first[:5], sorted(first[:5], key=rank_of.__getitem__), "tau") == 0.4


def test_footrule_counts_how_far_items_moved() -> None:
    """abcde reversed moves 4 + 2 + 0 + 2 + 4 = 12, the maximum; one swap moves 2."""
    assert footrule_distance(RankPair.of_lists("abcde", "edcba")) == 12
    assert footrule(RankPair.of_lists("abcde", "edcba")) == 0
    assert footrule_distance(RankPair.of_lists("abcde", "bacde")) == 2


def every_order(ranking: list[int]) -> list[list[int]]:
    """Return all rankings without ties that are consistent with a ranking with ties."""
    items = sorted(range(len(ranking)), key=ranking.__getitem__)
    orders = {
        order
        for order in permutations(items)
        if [ranking[item] for item in order] == sorted(ranking)
    }
    return [[order.index(item) + 1 for item in range(len(ranking))] for order in orders]


@given(
    st.lists(
        st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=2, max_size=short_or_long(4, 5)
    )
)
def test_ap_correlation_with_ties_is_the_mean_over_their_orders(positions) -> None:
    first, second = ([pair[side] for pair in positions] for side in (0, 1))
    values = [
        tau_ap(RankPair(np.array(one), np.array(two)))
        for one in every_order(first)
        for two in every_order(second)
    ]
    assert tau_ap(
        RankPair.of_scores([-each for each in first], [-each for each in second])
    ) == pytest.approx(np.mean(values))


scores = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40)


@given(scores)
def test_scipy_agrees(pairs) -> None:
    first, second = (np.array([pair[side] for pair in pairs], dtype=float) for side in (0, 1))
    pair = RankPair.of_scores(first, second)
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        assert (spearman(pair), tau_b(pair), weighted_tau(pair)) == (0, 0, 0)
        return
    assert spearman(pair) == pytest.approx(
        scipy.stats.spearmanr(first, second).statistic, abs=1e-12
    )
    assert tau_b(pair) == pytest.approx(scipy.stats.kendalltau(first, second).statistic, abs=1e-12)
    assert weighted_tau(pair) == pytest.approx(
        scipy.stats.weightedtau(first, second).statistic, abs=1e-12
    )
