"""Tests of significance tests of wins against losses: exact values, laws, and sample sizes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.stats import binomial_p, half_tie_p, trials_needed, trinomial_p, wilson_interval
from irjudge.stats.significance.tests import sign_test_power

COUNTS = st.integers(0, 40)


# scipy 1.17 binomtest, two-sided, p = 1/2.
@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(14, 6, 0.115318), (15, 5, 0.041389), (60, 40, 0.056888), (61, 39, 0.035200)],
)
def test_the_sign_test_is_exact(wins: int, losses: int, p: float) -> None:
    assert binomial_p(wins, losses) == pytest.approx(p, abs=5e-7)


# Ties dropped, trinomial, ties split evenly: sums over all outcomes, by the definitions.
@pytest.mark.parametrize(
    ("counts", "dropped", "trinomial", "half"),
    [
        ((12, 5, 8), 0.143463, 0.114513, 0.229523),
        ((20, 10, 20), 0.098737, 0.082406, 0.202639),
        ((30, 15, 5), 0.035698, 0.030051, 0.064909),
    ],
)
def test_ties_can_be_dropped_or_counted(
    counts: tuple[int, int, int], dropped: float, trinomial: float, half: float
) -> None:
    wins, losses, _ = counts
    p_values = binomial_p(wins, losses), trinomial_p(*counts), half_tie_p(*counts)
    assert p_values == pytest.approx((dropped, trinomial, half), abs=5e-7)


def trinomial_by_hand(wins: int, losses: int, ties: int) -> float:
    """Return the sum over all outcomes of n trials."""
    total, gap = wins + losses + ties, abs(wins - losses)
    tie = ties / total
    return sum(
        math.factorial(total) / (math.factorial(a) * math.factorial(b) * math.factorial(total - a - b))
        * ((1 - tie) / 2) ** (a + b) * tie ** (total - a - b)
        for a in range(total + 1)
        for b in range(total - a + 1)
        if abs(a - b) >= gap
    )  # fmt: skip


@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_the_trinomial_test_is_the_sum_over_all_outcomes(wins: int, losses: int, ties: int) -> None:
    if wins + losses + ties:
        assert trinomial_p(wins, losses, ties) == pytest.approx(
            trinomial_by_hand(wins, losses, ties)
        )


@given(COUNTS, COUNTS, COUNTS)
def test_exchanging_the_items_does_not_change_p(wins: int, losses: int, ties: int) -> None:
    assert binomial_p(wins, losses) == binomial_p(losses, wins)
    assert trinomial_p(wins, losses, ties) == trinomial_p(losses, wins, ties)
    assert half_tie_p(wins, losses, ties) == half_tie_p(losses, wins, ties)
    assert trinomial_p(wins, losses, 0) == pytest.approx(binomial_p(wins, losses))


def test_no_decisive_answers_give_p_1() -> None:
    assert (binomial_p(0, 0), trinomial_p(0, 0, 0), half_tie_p(0, 0, 0), trinomial_p(0, 0, 5)) == (
        1,
        1,
        1,
        1,
    )


def test_sixty_one_of_a_hundred_gives_wilsons_interval() -> None:
    # By hand: (.61 + z²/200 ± z √(.61 · .39/100 + z²/40000)) / (1 + z²/100) with z = 1.959964.
    assert [float(end) for end in wilson_interval(61, 100)] == pytest.approx(
        [0.5120, 0.6998], abs=5e-5
    )


# scipy 1.17: binom.sf and binom.cdf at the exact critical value; the smallest n from which the
# power stays at .8 or more.
@pytest.mark.parametrize(
    ("share", "trials"), [(0.55, 820), (0.60, 210), (0.65, 97), (0.70, 54), (0.75, 35)]
)
def test_the_number_of_trials_is_exact(share: float, trials: int) -> None:
    assert trials_needed(share) == trials_needed(1 - share) == trials


def test_the_power_is_that_of_the_exact_test() -> None:
    # scipy 1.17: binom.sf(23, 35, .75) + binom.cdf(11, 35, .75): 2 P(X <= 11) is .041 under 1/2,
    # and 2 P(X <= 12) is .090.
    assert sign_test_power(np.array([5, 35]), 0.75).tolist() == pytest.approx([0, 0.857887])


def test_even_shares_cannot_be_detected_and_shares_are_validated() -> None:
    assert trials_needed(0.5) is None and trials_needed(0.5001) is None
    with pytest.raises(IrjudgeError, match=r"between 0 and 1, got 1\.5"):
        trials_needed(1.5)
