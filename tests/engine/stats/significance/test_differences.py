"""Tests of per-topic differences: exact decimals, wins, improvement and effect sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.stats.significance import PairedDifferences
from irjudge.stats.significance.tests import deviation, exact_differences, standardised_mean

MAIZE = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48.0])


def test_equal_differences_are_exactly_equal() -> None:
    first = np.array([[0.30, 0.55, 1 / 3, 0.9, 0.7]])
    second = np.array([[0.25, 0.50, 1 / 6, 0.9 - 1 / 6, 0.7 + 1e-16]])
    (difference,) = exact_differences(first, second)
    assert (
        difference[0] == difference[1]
        and difference[2] == difference[3]
        and difference[4] == 0
        and not np.signbit(difference[4])
    )


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=1, max_size=30))
def test_decimals_are_compared_exactly_as_integers(pairs) -> None:
    first, second = (np.array([[pair[side] / 1000 for pair in pairs]]) for side in (0, 1))
    (difference,) = exact_differences(first, second)
    whole = [one - two for one, two in pairs]
    assert np.sign(difference).tolist() == np.sign(whole).tolist()
    assert len(set(np.abs(difference).tolist())) == len({abs(each) for each in whole})


def test_a_difference_keeps_its_sign_in_each_pair() -> None:
    differences = exact_differences(
        np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]), np.array([[2.0, 2.0, 1.0], [1.0, 0.0, -1.0]])
    )
    assert differences.tolist() == [[-1, 0, 2], [-1, 0, 1]]


def test_wins_ties_losses_and_improvement_are_right() -> None:
    differences = PairedDifferences(np.array([0.5, 0.2, 0.9, 0.1]), np.array([0.4, 0.2, 0.5, 0.3]))
    assert (differences.wins, differences.ties, differences.losses) == (2, 1, 1)
    assert differences.mean == pytest.approx(0.075)


def test_no_topics_give_a_tie() -> None:
    differences = PairedDifferences(np.array([]), np.array([]))
    assert (
        differences.mean,
        differences.wins,
        differences.ties,
        differences.losses,
        differences.effect,
    ) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("second", [[1.0], [[1.0, 2.0]], [1.0, np.nan], [1.0, np.inf]])
def test_mismatched_scores_are_refused(second) -> None:
    with pytest.raises(IrjudgeError, match=r"same topics|finite"):
        PairedDifferences(np.array([1.0, 2.0]), np.array(second))


def test_darwins_maize_has_the_published_differences() -> None:
    """Fisher (1935), §17: 314 in all, mean 20.9333, standard deviation 37.744."""
    assert MAIZE.sum() == 314
    assert round(deviation(MAIZE), 6) == 37.744378
    assert standardised_mean(MAIZE) == pytest.approx(20.933333 / 37.744378)


def test_effects_are_defined_or_absent_but_never_nan() -> None:
    assert [
        standardised_mean(np.array(each)) for each in ([], [0.0], [0.0, 0.0], [0.5], [0.1, 0.1])
    ] == [0, 0, 0, None, None]
