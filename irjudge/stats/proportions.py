"""Confidence intervals and exact tests of proportions."""

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
import scipy

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model import Floats, Longs

# Intervals of proportions, for arrays

DEFAULT_LEVEL = 0.95
DEFAULT_QUANTILE = NormalDist().inv_cdf((1 + DEFAULT_LEVEL) / 2)


def wilson_interval(
    count: npt.ArrayLike, total: npt.ArrayLike, level: float = DEFAULT_LEVEL
) -> tuple[Floats, Floats]:
    """Return the ends of Wilson's score intervals of proportions of independent trials.

    Parameters
    ----------
    count, total
        Numbers of successes and of trials, arrays of the same shape with 0 <= count <= total.
    level
        Confidence level.

    Returns
    -------
    tuple of arrays
        Lower and upper ends of the interval, which lies within [0, 1] and contains count / total;
        nan if there are no trials.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22.

    Examples
    --------
    >>> low, high = wilson_interval([61, 0], [100, 0])
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.512, nan], [0.6998, nan])
    """
    successes, trials = np.asarray(count, dtype=np.float64), np.asarray(total, dtype=np.float64)
    trials = np.where(trials > 0, trials, np.nan)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, square = successes / trials, z * z / trials
    centre = (share + square / 2) / (1 + square)
    half_width = z / (1 + square) * np.sqrt(share * (1 - share) / trials + square / trials / 4)
    return np.clip(centre - half_width, 0, share), np.clip(centre + half_width, share, 1)


# Tests of wins against losses: the exact sign test, two tests with ties, and sample sizes

MAX_PLANNED_TRIALS = 1_000_000


def binomial_p(wins: int, losses: int) -> float:
    """Return the two-sided p-value of wins and losses by the sign test; 1 if there are neither.

    Notes
    -----
    This is the exact sign test: p = min(1, 2 P(X >= max(wins, losses))), where X has a binomial
    distribution with wins + losses trials and probability 1/2.

    References
    ----------
    Arbuthnot (1710), An argument for divine providence.

    Examples
    --------
    >>> round(binomial_p(15, 5), 6)
    0.041389
    """
    total = wins + losses
    return (
        min(1.0, 2 * float(scipy.special.bdtr(float(min(wins, losses)), total, 0.5)))
        if total
        else 1.0
    )


def trinomial_p(wins: int, losses: int, ties: int) -> float:
    """Return the two-sided p-value of wins minus losses by the trinomial test, which counts ties.

    Parameters
    ----------
    wins, losses, ties
        Counts. The probability of a tie is estimated by its share.

    Returns
    -------
    float
        P(|W - L| >= |wins - losses|) for n trials that tie with this probability, and otherwise are
        won or lost with equal probability; 1 if there are no trials.

    References
    ----------
    Bian, McAleer and Wong (2011), A trinomial test for paired data when there are many ties, Mathematics and Computers in Simulation 81.

    Examples
    --------
    >>> round(trinomial_p(12, 5, 8), 6)
    0.114513
    """
    total, difference = wins + losses + ties, abs(wins - losses)
    if difference == 0:
        return 1.0
    decisive_counts = np.arange(difference, total + 1)
    bdtr = scipy.special.bdtr
    decisive_probability = bdtr(decisive_counts.astype(np.float64), total, 1 - ties / total) - bdtr(
        decisive_counts - 1.0, total, 1 - ties / total
    )
    p_values = 2 * bdtr(np.floor((decisive_counts - difference) / 2), decisive_counts, 0.5)
    return min(1.0, float(decisive_probability @ p_values))


def half_tie_p(wins: int, losses: int, ties: int) -> float:
    """Return the p-value of the two-sided sign test in which half of the ties count as wins.

    The other half count as losses, which makes the test conservative. If the number of ties is odd,
    the remaining tie is added to wins or losses, whichever are fewer. The result is 1 if there are
    no trials.

    >>> round(half_tie_p(12, 5, 8), 6), round(half_tie_p(30, 15, 5), 6)
    (0.229523, 0.064909)
    """
    total = wins + losses + ties
    larger_count = (2 * max(wins, losses) + ties) // 2
    return (
        min(1.0, 2 * float(scipy.special.bdtr(float(total - larger_count), total, 0.5)))
        if total
        else 1.0
    )


def trials_needed(share: float, *, power: float = 0.8, level: float = 0.05) -> int | None:
    """Return how many decisive comparisons the two-sided sign test needs to reach a power.

    `share` is the true share of wins. The exact power is not monotonic; the result is the smallest
    number from which on it is never below `power`. None if the share is so close to .5 that more
    than a million comparisons are needed. Raises IrjudgeError if share, power or level is not
    between 0 and 1.

    >>> [trials_needed(share) for share in (0.55, 0.6, 0.65, 0.7, 0.75)]
    [820, 210, 97, 54, 35]
    """
    for name, value in ((Message("share of wins"), share), ("power", power), ("level", level)):
        if not 0 <= value <= 1 or (name != "share of wins" and value in (0, 1)):
            raise IrjudgeError(
                "The {name} must be between 0 and 1, got {value:g}.", name=name, value=value
            )
    share, distance = max(share, 1 - share), abs(share - 0.5)
    if not distance:
        return None
    # All numbers up to a limit are tried. The limit is above the normal approximation, because the
    # exact power is not monotonic.
    ndtri = scipy.special.ndtri
    approximate_trials = (
        (
            float(ndtri(1 - level / 2)) / 2
            + max(0.0, float(ndtri(power))) * math.sqrt(share * (1 - share))
        )
        / distance
    ) ** 2
    if approximate_trials > MAX_PLANNED_TRIALS:
        return None
    trials = np.arange(1, int(1.3 * approximate_trials) + 200)
    insufficient_rows = np.flatnonzero(sign_test_power(trials, share, level=level) < power)
    return int(trials[insufficient_rows[-1]]) + 1 if len(insufficient_rows) else 1


def sign_test_power(trials: Longs, share: float, *, level: float = 0.05) -> Floats:
    """Return the power of the exact two-sided sign test for each number of decisive comparisons.

    `share` is the true share of wins.

    >>> sign_test_power(np.array([34, 35]), 0.75).round(4)
    array([0.7894, 0.8579])
    """
    max_losses = _compute_max_significant_losses(trials, level)
    bdtr = scipy.special.bdtr
    power = bdtr(max_losses, trials, 1 - share) + bdtr(max_losses, trials, share)
    return np.where(max_losses >= 0, power, 0.0)


def _compute_max_significant_losses(trials: Longs, level: float) -> Floats:
    """Return, for each number of trials, the highest number of losses that is still significant.

    The value is -1 if no number is significant.
    """
    low, high = np.full(len(trials), -1), (trials + 1) // 2
    # bisection, since p increases with the number of losses: `low` losses are significant (-1 if
    # none are known to be), and `high` losses are not
    while (high - low > 1).any():
        middle = (low + high) // 2
        is_significant = (middle >= 0) & (
            2 * scipy.special.bdtr(middle.astype(np.float64), trials, 0.5) <= level
        )
        low, high = np.where(is_significant, middle, low), np.where(is_significant, high, middle)
    return low.astype(np.float64)
