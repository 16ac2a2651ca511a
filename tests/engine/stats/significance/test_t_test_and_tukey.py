"""Tests of Student's test and interval, and of Tukey's HSD, against published values."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import Cancelled
from irjudge.progress import Progress
from irjudge.stats import Sampling
from irjudge.stats.significance import all_pairs, run_test, t_interval
from irjudge.stats.significance.tests import student_t, studentized_range_p, tukey_hsd

MAIZE = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48.0])
SLEEP = np.array(
    [
        [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
        [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    ]
)
# Three systems on eight topics; values computed with the formulas of Sakai (2018), ch. 4, and
# scipy's studentized range.
EIGHT = np.array(
    [
        [0.30, 0.42, 0.12, 0.55, 0.61, 0.28, 0.35, 0.47],
        [0.33, 0.45, 0.20, 0.52, 0.66, 0.31, 0.40, 0.50],
        [0.25, 0.40, 0.10, 0.50, 0.55, 0.20, 0.30, 0.41],
    ]
)


def test_darwins_maize_has_the_published_t_and_p() -> None:
    """Fisher (1935), §17: t = 2.148 with 14 degrees of freedom, p = .0497."""
    t, p = student_t(MAIZE)
    assert (round(t, 6), round(p, 6)) == (2.147987, 0.049703)


def test_students_sleep_has_the_published_t_and_p() -> None:
    """Student (1908), as R's `t.test(extra ~ group, paired = TRUE, data = sleep)` prints it."""
    result = run_test("t", SLEEP)
    assert (round(result.statistic[0], 6), round(float(result.p[0]), 9)) == (-4.062128, 0.002832890)
    low, high = t_interval(SLEEP[0] - SLEEP[1])
    assert (round(low, 6), round(high, 6)) == (-2.459886, -0.700114)


def test_tukey_of_three_systems_on_eight_topics_is_right() -> None:
    assert run_test("t", EIGHT).p.round(6).tolist() == [0.018180, 0.000256, 0.000163]
    result = tukey_hsd(EIGHT, all_pairs(3), Sampling())
    assert [round(abs(q), 5) for q in result.statistic] == [4.76942, 6.88917, 11.65859]
    assert result.p.round(6).tolist() == [0.011869, 0.000677, 0.000003]


def test_the_studentized_range_gives_the_values_of_r() -> None:
    """R's PlantGrowth, one-way: TukeyHSD prints p .3908711, .1979960, .0120064."""
    groups = [
        [4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14],
        [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
        [6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26],
    ]
    variance = np.mean([np.var(group, ddof=1) for group in groups])
    means = [np.mean(group) for group in groups]
    result = [
        studentized_range_p(abs(means[a] - means[b]) / math.sqrt(variance / 10), 3, 27)
        for a, b in ((1, 0), (2, 0), (2, 1))
    ]
    assert [round(each, 7) for each in result] == [0.3908711, 0.1979960, 0.0120064]


@pytest.mark.parametrize(
    ("values", "t", "p"),
    [
        ([], 0, 1),
        ([0.0], 0, 1),
        ([0.5], None, 1),
        ([0.0, 0.0], 0, 1),
        ([0.1, 0.1, 0.1], None, 0),
        ([1.0, -1.0], 0, 1),
    ],
)
def test_edge_cases_are_defined(values, t, p) -> None:
    assert student_t(np.array(values)) == (t, p)


def test_intervals_of_edge_cases_are_defined() -> None:
    assert t_interval(np.array([])) is None and t_interval(np.array([0.5])) is None
    assert t_interval(np.array([0.5, 0.5])) == (0.5, 0.5)


@pytest.mark.parametrize("scores", [np.empty((2, 0)), np.array([[0.5], [0.1]]), np.ones((3, 4))])
def test_tukey_of_edge_cases_finds_no_difference(scores) -> None:
    assert tukey_hsd(scores, all_pairs(len(scores)), Sampling()).p.tolist() == [1] * (
        len(scores) * (len(scores) - 1) // 2
    )


def test_tukey_without_residual_variance_has_p_0() -> None:
    result = tukey_hsd(
        np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.2, 0.3]]), all_pairs(3), Sampling()
    )
    assert result.p.tolist() == [0, 1, 0] and result.statistic == (None, 0, None)


@given(
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=2, max_size=30).filter(
        lambda rows: len({a - b for a, b in rows}) > 1
    )
)
def test_scipy_agrees(rows) -> None:
    first, second = (np.array([row[side] for row in rows], dtype=float) for side in (0, 1))
    result, expected = (
        run_test("t", np.stack((first, second))),
        scipy.stats.ttest_rel(first, second),
    )
    assert result.statistic[0] == pytest.approx(expected.statistic, abs=1e-9)
    assert result.p[0] == pytest.approx(expected.pvalue, abs=1e-12)


def test_tukeys_test_of_many_pairs_can_be_cancelled() -> None:
    scores = np.random.default_rng(0).random((9, 5))  # 36 pairs
    counts: list[int] = []

    def cancel_at_32() -> bool:
        return counts[-1:] == [16]

    progress = Progress(lambda done, _total, _what: counts.append(done), cancel_at_32)
    with pytest.raises(Cancelled):
        run_test("tukey-hsd", scores, sampling=Sampling(progress=progress))
    assert counts == [16]
