"""Tests of Wilcoxon's signed ranks and the sign test, against published values and scipy."""

from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.stats.significance import run_test
from irjudge.stats.significance.tests import wilcoxon
from tests.lengths import example_count

MAIZE = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48.0])
# Student's sleep data: the hours of the first drug less those of the second.
SLEEP = np.array([-1.2, -2.4, -1.3, -1.3, 0, -1.0, -1.8, -0.8, -4.6, -1.4])


def test_darwins_maize_has_the_published_w() -> None:
    """W = 24.

    Exact and normal p by scipy.stats.wilcoxon, the correction for continuity also by R.
    """
    assert [round(each, 8) for each in wilcoxon(MAIZE)] == [24, 0.04125977]
    assert round(wilcoxon(MAIZE, method="normal")[1], 6) == 0.040888
    assert round(wilcoxon(MAIZE, method="normal", correct=True)[1], 6) == 0.043772
    result = run_test("sign", [MAIZE, 0 * MAIZE])
    assert (result.statistic[0], round(float(result.p[0]), 8)) == (13, 0.00738525)


def test_students_sleep_has_the_values_of_r() -> None:
    """R's wilcox.test drops the one zero and gives V = 0, p = .009091.

    The other rules for zeros are by scipy.
    """
    result = [
        wilcoxon(SLEEP, zeros=zeros, method="normal", correct=True)
        for zeros in ("drop", "pratt", "split")
    ]
    assert [w for w, _ in result] == [0, 0, 0.5]
    assert [round(p, 9) for _, p in result] == [0.009090698, 0.006801553, 0.006874036]


def count_patterns(values: list[int]) -> float:
    """Return the p of all patterns of signs on the mean ranks."""
    nonzero = [each for each in values if each]
    rank = scipy.stats.rankdata(np.abs(nonzero))
    low = min(sum(rank[np.array(nonzero) > 0]), sum(rank[np.array(nonzero) < 0]))
    reached = sum(
        min(s := sum(r for r, up in zip(rank, ups, strict=True) if up), rank.sum() - s) <= low
        for ups in product((0, 1), repeat=len(nonzero))
    )
    return reached / 2 ** len(nonzero)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8).filter(any))
def test_exact_is_counting_every_pattern_ties_included(values) -> None:
    assert wilcoxon(np.array(values, dtype=float))[1] == pytest.approx(count_patterns(values))


@given(
    st.lists(st.integers(-60, 60), min_size=2, max_size=80).filter(any),
    st.sampled_from([("drop", "wilcox"), ("pratt", "pratt"), ("split", "zsplit")]),
)
@settings(max_examples=example_count(200))
def test_scipy_agrees_on_the_normal_approximation(values, zeros) -> None:
    given_values = np.array(values, dtype=float)
    for correct in (False, True):
        w, p = wilcoxon(given_values, zeros=zeros[0], method="normal", correct=correct)
        expected = scipy.stats.wilcoxon(
            given_values, zero_method=zeros[1], correction=correct, method="asymptotic"
        )
        assert w == expected.statistic
        assert p == pytest.approx(expected.pvalue, abs=1e-12)


@given(
    st.integers(1, 25).flatmap(lambda n: st.permutations(range(1, n + 1))),
    st.randoms(use_true_random=False),
)
def test_scipy_agrees_on_the_exact_distribution(ranks, chance) -> None:
    values = np.array([each * chance.choice((-1, 1)) for each in ranks], dtype=float)
    assert wilcoxon(values)[1] == pytest.approx(
        scipy.stats.wilcoxon(values, method="exact").pvalue, abs=1e-12
    )


def test_more_than_fifty_differences_use_the_normal_approximation() -> None:
    fifty, more = np.arange(1, 51.0), np.arange(1, 52.0)
    fifty[::3] *= -1
    more[::3] *= -1
    assert wilcoxon(fifty) == wilcoxon(fifty, method="exact") != wilcoxon(fifty, method="normal")
    assert wilcoxon(more) == wilcoxon(more, method="normal") != wilcoxon(more, method="exact")


@pytest.mark.parametrize("name", ["wilcoxon", "sign"])
@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        ([], [], 1),
        ([0.5], [0.5], 1),
        ([0.5], [0.4], 1),
        ([0.1, 0.2], [0.1, 0.2], 1),
        ([0.3] * 3, [0.2] * 3, 0.25),
    ],
)
def test_edge_cases_are_defined(name, first, second, p) -> None:
    assert run_test(name, [first, second]).p.tolist() == [p]


def test_differences_equal_but_for_rounding_are_tied() -> None:
    """.30 - .25, .55 - .50 and .45 - .40 share ranks 1 to 3.

    Otherwise p would depend on the last bit.
    """
    result = run_test("wilcoxon", [[0.30, 0.55, 0.40, 0.9], [0.25, 0.50, 0.45, 0.1]])
    assert result.statistic == (2,)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30).filter(
        lambda rows: any(a != b for a, b in rows)
    )
)
def test_the_sign_test_is_scipys_binomial_test(rows) -> None:
    wins, losses = sum(a > b for a, b in rows), sum(a < b for a, b in rows)
    result = run_test("sign", [[float(row[side]) for row in rows] for side in (0, 1)])
    assert result.p[0] == pytest.approx(scipy.stats.binomtest(wins, wins + losses).pvalue)
