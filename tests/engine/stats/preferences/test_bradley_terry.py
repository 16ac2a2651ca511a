"""Tests of Bradley-Terry strengths: published tables, laws, and unbounded strengths."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from irjudge.stats import PairCounts, Strengths, bradley_terry, davidson
from irjudge.stats.preferences import outcome_probabilities

# Stigler (1994), Citation patterns in the journals of statistics and probability, Statistical
# Science 9; rows beat columns.
# The log-worths are those of the R package BradleyTerry2, data set `citations`.
CITATIONS = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]]
# Agresti (2002), Categorical data analysis, p. 438: Milwaukee, Detroit, Toronto, New York, Boston,
# Cleveland, Baltimore.
BASEBALL = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
# Davidson (1970), JASA 65, chocolate puddings: i, j, times i preferred, times j preferred, ties.
PUDDING = """1 2 19 22 16; 1 3 16 19 12; 2 3 19 19 10; 1 4 18 23 13; 2 4 23 19 9; 3 4 19 20 15; 1 5 13 19 18; 2 5 16 20 12; 3 5 16 15 17;
4 5 17 14 16; 1 6 18 21 12; 2 6 22 20 12; 3 6 13 18 10; 4 6 14 19 18; 5 6 11 21 12"""


def counts(wins: object, ties: object = None) -> PairCounts:
    return PairCounts.of_matrix(
        np.array(wins, dtype=float), None if ties is None else np.array(ties, dtype=float)
    )


def worths(strengths: Strengths) -> np.ndarray:
    return np.exp(strengths.log_worth)


def pudding() -> PairCounts:
    wins, ties = np.zeros((6, 6)), np.zeros((6, 6))
    for row in PUDDING.split(";"):
        i, j, one, two, tie = map(int, row.split())
        wins[i - 1, j - 1], wins[j - 1, i - 1], ties[i - 1, j - 1] = one, two, tie
    return counts(wins, ties)


def test_bradley_terry_gives_the_published_values_of_the_journals() -> None:
    log_worth = bradley_terry(counts(CITATIONS)).log_worth
    assert log_worth - log_worth[0] == pytest.approx([0, -2.949072, -0.479570, 0.268954], abs=5e-7)


def test_bradley_terry_gives_the_published_values_of_four_items() -> None:
    # Wikipedia, Bradley-Terry model, worked example: worths with geometric mean 1.
    strengths = bradley_terry(counts([[0, 2, 0, 1], [3, 0, 5, 0], [0, 3, 0, 1], [4, 0, 3, 0]]))
    assert worths(strengths) == pytest.approx([0.6398, 1.0433, 0.6598, 2.2704], abs=5e-5)


def test_bradley_terry_gives_published_values_and_errors_of_the_league() -> None:
    strengths = bradley_terry(counts(BASEBALL))
    values = strengths.log_worth - strengths.log_worth[6]
    covariance = strengths.covariance[:-1, :-1]
    errors = np.sqrt(np.diag(covariance) + covariance[6, 6] - 2 * covariance[6])
    assert values == pytest.approx([1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0], abs=5e-5)
    # BradleyTerry2 (R), vignette, baseballModel1.
    assert errors == pytest.approx([0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319, 0], abs=5e-5)


def test_davidson_gives_the_published_values_of_the_puddings() -> None:
    strengths = davidson(pudding())
    worth = worths(strengths) / worths(strengths).sum()
    # By scipy 1.17's BFGS on the likelihood written out; the deviance, -2 logL, is published as
    # 1619.4.
    assert worth == pytest.approx(
        [0.1388034, 0.1730015, 0.1617474, 0.1653729, 0.1586854, 0.2023893], abs=1e-7
    )
    assert strengths.tie_parameter == pytest.approx(0.746823, abs=5e-7)
    assert strengths.log_likelihood == pytest.approx(-809.709510, abs=5e-7)
    # Davidson stopped after seven steps, a little away from it.
    assert worth == pytest.approx(
        [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855], abs=3e-5
    )


def test_davidson_of_two_items_has_a_closed_form() -> None:
    strengths = davidson(counts([[0, 30], [18, 0]], [[0, 12], [0, 0]]))
    assert (
        strengths.log_worth[0] - strengths.log_worth[1]
        == pytest.approx(math.log(30 / 18))
        == pytest.approx(0.510826, abs=5e-7)
    )
    assert (
        strengths.tie_parameter
        == pytest.approx(12 / math.sqrt(30 * 18))
        == pytest.approx(0.516398, abs=5e-7)
    )


def test_a_cycle_of_three_makes_all_equal() -> None:
    strengths = bradley_terry(counts([[0, 6, 4], [4, 0, 6], [6, 4, 0]]))
    assert strengths.log_worth == pytest.approx([0, 0, 0])


@pytest.mark.parametrize(
    ("wins", "ties", "added"),
    [
        ([[0, 3], [1, 0]], None, 0),
        ([[0, 3], [0, 0]], None, 0.5),  # the second never won
        ([[0, 3], [0, 0]], [[0, 2], [0, 0]], 0.5),  # ties alone do not bound a strength: ln(3/0)
        ([[0, 0], [0, 0]], [[0, 2], [0, 0]], 0.5),  # only ties: ν is unbounded
        (
            [[0, 1, 0], [0, 0, 1], [0, 0, 0]],
            [[0, 0, 1], [0, 0, 0], [0, 0, 0]],
            0,
        ),  # a > b > c and a = c bound each other
        ([[0, 1, 0], [0, 0, 1], [0, 0, 0]], [[0, 1, 0], [0, 0, 1], [0, 0, 0]], 0.5),
    ],
)
def test_half_a_win_is_added_only_to_unbounded_strengths(
    wins: object, ties: object, added: float
) -> None:
    strengths = davidson(counts(wins, ties))
    assert strengths.added_wins == added
    assert np.isfinite(strengths.log_worth).all() and np.isfinite(strengths.tie_parameter)


def test_the_maximum_reproduces_observed_wins_and_ties() -> None:
    table = pudding()
    chance = outcome_probabilities(davidson(table), table.first, table.second) * (
        table.wins + table.losses + table.ties
    )
    assert chance[2].sum() == pytest.approx(table.ties.sum())
    half = table.ties / 2
    scored = np.bincount(table.first, table.wins + half, 6) + np.bincount(
        table.second, table.losses + half, 6
    )
    expected = np.bincount(table.first, chance[0] + chance[2] / 2, 6) + np.bincount(
        table.second, chance[1] + chance[2] / 2, 6
    )
    assert scored == pytest.approx(expected)


def test_unconnected_items_are_centred_separately() -> None:
    wins = np.zeros((5, 5))
    wins[0, 1], wins[1, 0], wins[2, 3], wins[3, 2] = 2, 1, 1, 4
    strengths = bradley_terry(counts(wins))
    assert strengths.log_worth[:2].sum() == pytest.approx(0) and strengths.log_worth[
        2:4
    ].sum() == pytest.approx(0)
    assert np.isnan(strengths.log_worth[4]) and np.isnan(strengths.error[4])
    assert len(set(strengths.group.tolist())) == 3


@given(arrays(np.int64, (5, 5), elements=st.integers(1, 9)), st.permutations(range(5)))
def test_other_names_change_no_strength(table: np.ndarray, order: list[int]) -> None:
    wins = table * (1 - np.eye(5))
    plain, named = bradley_terry(counts(wins)), bradley_terry(counts(wins[np.ix_(order, order)]))
    assert named.log_worth == pytest.approx(plain.log_worth[order], abs=1e-8)
    assert bradley_terry(counts(wins.T)).log_worth == pytest.approx(-plain.log_worth, abs=1e-8)
