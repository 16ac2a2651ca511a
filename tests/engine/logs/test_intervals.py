"""Tests of confidence intervals against published values, and of their coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.logs.table import (
    arrival_rate_interval,
    count_distinct_pairs,
    difference_interval,
    percentile_interval,
    session_bootstrap_interval,
    share_interval,
)
from irjudge.stats import DEFAULT_QUANTILE


def test_wilson_gives_the_published_values() -> None:
    # Newcombe (1998), Two-sided confidence intervals for the single proportion, Statistics in
    # Medicine 17, Table I, method 3.
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (count, total), ends in published.items():
        assert share_interval(count, total) == pytest.approx(ends, abs=5e-5)
    assert share_interval(0, 0) is None


def test_wilson_gives_the_values_worked_by_hand_for_one_of_three() -> None:
    z2 = 1.959964**2  # 3.841459
    centre = (1 / 3 + z2 / 6) / (1 + z2 / 3)  # (.333333 + .640243) / 2.280486 = .426916
    # .859450 x sqrt(.074074 + .106707) = .365421
    half = 1.959964 / (1 + z2 / 3) * math.sqrt((1 / 3 * 2 / 3) / 3 + z2 / 36)
    assert share_interval(1, 3) == pytest.approx((centre - half, centre + half), abs=1e-6)


def test_newcombes_difference_gives_the_published_values() -> None:
    # Newcombe (1998), Interval estimation for the difference between independent proportions, Table
    # II, method 10.
    for (a, m, b, n), ends in {
        (56, 70, 48, 80): (0.0524, 0.3339),
        (9, 10, 3, 10): (0.1705, 0.8090),
        (5, 56, 0, 29): (-0.0381, 0.1926),
        (10, 10, 0, 10): (0.6075, 1.0),
    }.items():
        assert difference_interval(
            a / m, share_interval(a, m), b / n, share_interval(b, n)
        ) == pytest.approx(ends, abs=5e-5)
    assert difference_interval(0.5, None, 0.5, (0.1, 0.9)) is None


def test_intervals_of_arrivals_are_those_worked_by_hand() -> None:
    # 3 + 1 queries in 2 hours; the variance of their number is 3² + 1² = 10, its root 3.162278
    assert arrival_rate_interval(np.array([3.0, 1.0]), 2.0) == pytest.approx(
        (0.0, (4 + DEFAULT_QUANTILE * 3.162278) / 2), abs=1e-6
    )
    assert arrival_rate_interval(np.array([3.0]), 0.0) is None


def test_one_session_gives_no_interval() -> None:
    one = np.zeros(3, dtype=np.int32)
    assert session_bootstrap_interval(np.array([3.0]), np.array([5.0]), seed=1) is None
    assert session_bootstrap_interval(np.array([3.0, 0.0]), np.array([5.0, 0.0]), seed=1) is None
    assert percentile_interval(one, np.array([1.0, 2.0, 3.0]), 0.5) is None


def test_the_bootstrap_resamples_whole_sessions() -> None:
    """Ten sessions of a hundred queries that all succeed or all fail count as ten queries."""
    count = np.repeat([100.0, 0.0], 5)
    low, high = session_bootstrap_interval(count, np.full(10, 100.0), seed=1)
    assert (
        high - low > 0.5
    )  # ten coins: .5 ± 1.96 sqrt(.25 / 10) = .5 ± .31; a thousand would give ± .03


def test_the_interval_is_widened_to_contain_the_value() -> None:
    """One draw is an interval of a single point, usually different from the value."""
    result = [
        session_bootstrap_interval(np.array([1.0, 0.0, 0.0]), np.ones(3), seed=seed, samples=1)
        for seed in range(20)
    ]
    assert (
        all(low <= 1 / 3 <= high for low, high in result)
        and any(low < 1 / 3 for low, _ in result)
        and any(high > 1 / 3 for _, high in result)
    )


def test_the_bootstrap_agrees_with_explicit_resampling() -> None:
    count, total = np.array([1.0, 0, 2, 3, 1, 0, 5, 2]), np.array([2.0, 1, 4, 3, 5, 2, 6, 2])
    random = np.random.default_rng(7)
    resampled = [
        count[each].sum() / total[each].sum() for each in random.integers(0, 8, (20_000, 8))
    ]
    assert session_bootstrap_interval(count, total, seed=3, samples=20_000) == pytest.approx(
        np.quantile(resampled, [0.025, 0.975]), abs=0.02
    )


def test_woodruff_of_independent_values_is_near_the_order_statistics() -> None:
    """The median of 1..400, each its own session: ranks 200 ± 1.96 sqrt(400)/2 = 180.4 to 219.6."""
    values = np.arange(1.0, 401.0)
    assert percentile_interval(np.arange(400), values, 0.5) == pytest.approx(
        (180.9, 220.1), abs=0.7
    )
    in_sessions = percentile_interval(np.repeat(np.arange(4), 100), values, 0.5)
    assert (
        in_sessions[1] - in_sessions[0] > 300
    )  # four sessions, each all fast or all slow, determine almost nothing


def test_woodruff_intervals_ignore_the_order_of_sessions() -> None:
    random = np.random.default_rng(2)
    for _ in range(50):
        session, values = random.integers(0, 30, 200), random.exponential(100, 200)
        renamed = random.permutation(30)[session]
        assert percentile_interval(session, values, 0.9) == percentile_interval(
            renamed, values, 0.9
        )


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=20), st.randoms()
)
def test_intervals_contain_the_value_and_ignore_the_order_of_sessions(
    pairs: list[tuple[int, int]], random
) -> None:
    total = np.array([float(max(pair)) for pair in pairs])
    count = np.array([float(min(pair)) for pair in pairs])
    interval = session_bootstrap_interval(count, total, seed=1, samples=50)
    if interval is None:
        assert np.count_nonzero(total) < 2
        return
    assert 0 <= interval[0] <= count.sum() / total.sum() <= interval[1] <= 1
    order = random.sample(range(len(pairs)), len(pairs))
    assert session_bootstrap_interval(count[order], total[order], seed=1, samples=50) == interval


@pytest.mark.parametrize(
    "noise", [0.0, 1e-9], ids=["few kinds of sessions", "each session another"]
)
def test_both_resampling_methods_give_the_binomial_width(noise: float) -> None:
    """Four hundred sessions, half of which succeed: .5 ± 1.96 sqrt(.25 / 400) = .5 ± .049."""
    total = 1 + noise * np.arange(400)
    assert session_bootstrap_interval(np.repeat([1.0, 0.0], 200), total, seed=1) == pytest.approx(
        (0.451, 0.549), abs=0.006
    )


def test_equal_sessions_are_resampled_together() -> None:
    count, total, times = count_distinct_pairs(np.array([2.0, 0.0, 2.0]), np.array([3.0, 1.0, 3.0]))
    assert (count.tolist(), total.tolist(), times.tolist()) == ([0, 2], [1, 3], [1, 2])
