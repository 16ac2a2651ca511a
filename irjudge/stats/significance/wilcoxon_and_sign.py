"""Tests that look at signs and ranks of the differences: Wilcoxon's signed ranks and the sign test."""

import math
from typing import Literal

import numpy as np
import scipy

from irjudge.message import Message
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.sampling import Sampling
from irjudge.stats.significance.differences import exact_differences
from irjudge.stats.significance.registry import Outcome, significance_test

# Up to here all 2^n sign patterns are counted, as whole numbers that float64 holds exactly.
EXACT_UP_TO = 50

Zeros = Literal["drop", "pratt", "split"]
Method = Literal["auto", "exact", "normal"]


@significance_test("wilcoxon", "Wilcoxon signed-rank test")
def wilcoxon_test(scores: Floats, pairs: Longs, _sampling: Sampling) -> Outcome:
    """Test whether the differences are symmetrical about 0 by the ranks of their sizes; this is no test of the mean.

    Returns
    -------
    Outcome
        The statistic is W, the smaller sum of ranks. Topics without a difference are dropped; without any other W is 0 and p 1.

    Notes
    -----
    Exact up to 50 topics with a difference, ties in size included: every pattern of signs is counted. Beyond, the normal
    approximation with the variance corrected for ties, without correction for continuity.

    References
    ----------
    Wilcoxon (1945), Individual comparisons by ranking methods.

    Examples
    --------
    >>> scores = np.array([[.5, .4, .3, .9], [.4, .2, .3, .6]])
    >>> found = wilcoxon_test(scores, np.array([[0, 1]]), Sampling())
    >>> found.statistic, found.p.tolist()
    ((0.0,), [0.25])
    """
    found = [wilcoxon(row) for row in exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])]
    how = Message(
        "zeros dropped; exact up to {exact_up_to} differences, else normal", exact_up_to=EXACT_UP_TO
    )
    return Outcome(tuple(w for w, _ in found), np.array([p for _, p in found]), how)


def wilcoxon(
    values: Floats, *, zeros: Zeros = "drop", method: Method = "auto", correct: bool = False
) -> tuple[float, float]:
    """Return the smaller sum of ranks and the two-sided p of differences.

    Parameters
    ----------
    values
        Shape (n,): differences, equal ones exactly equal.
    zeros
        `drop`: differences of 0 are left out. `pratt`: they take part in the ranking and are then left out. `split`: their ranks go
        to both sides in halves.
    method
        `exact` counts every pattern of signs, `normal` approximates; `auto` is exact up to 50 differences, with zeros dropped.
    correct
        For `normal`: move the statistic by a half towards its mean (correction for continuity).

    Returns
    -------
    tuple
        W and p; 0 and 1 without a difference other than 0.

    References
    ----------
    Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures.

    Examples
    --------
    >>> wilcoxon(np.array([1.0, 2.0, 3.0, -4.0]))
    (4.0, 0.875)
    """
    kept = values[values != 0] if zeros == "drop" else values
    some = kept != 0
    if not some.any():
        return 0.0, 1.0
    rank, tied = _ranks(np.abs(kept))
    half = float(rank[~some].sum()) / 2 if zeros == "split" else 0.0
    up, down = float(rank[kept > 0].sum()) + half, float(rank[kept < 0].sum()) + half
    w = min(up, down)
    if method == "exact" or (
        method == "auto" and zeros == "drop" and int(some.sum()) <= EXACT_UP_TO
    ):
        return w, _exact(rank[some], w - half)
    return w, _normal(
        w,
        len(kept),
        0 if zeros == "split" else int((~some).sum()),
        tied if zeros == "split" else tied[tied > 0],
        kept,
        correct,
    )


def _ranks(size: Floats) -> tuple[Floats, Floats]:
    """Return the mean ranks, 1 for the smallest, and how large each group of ties is."""
    _, inverse, counts = np.unique(size, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[inverse.reshape(-1)]
    return ranks, counts.astype(np.float64)


def _exact(rank: Floats, w: float) -> float:
    """Return the share of sign patterns whose smaller sum is w or less, counted by adding one rank after another."""
    doubled = np.round(rank * 2).astype(np.int64)  # mean ranks are halves
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1
    for each in doubled.tolist():
        ways[each:] += ways[:-each].copy()
    low = float(ways[: round(w * 2) + 1].sum())
    return min(1.0, 2 * low / 2.0 ** len(rank))


def _normal(w: float, count: int, zeros: int, tied: Floats, kept: Floats, correct: bool) -> float:
    """Return the two-sided p by the normal approximation."""
    centre = (count * (count + 1) - zeros * (zeros + 1)) / 4
    variance = (count * (count + 1) * (2 * count + 1) - zeros * (zeros + 1) * (2 * zeros + 1)) / 24
    groups = _ranks(np.abs(kept[kept != 0]))[1] if zeros else tied
    variance -= float((groups**3 - groups).sum()) / 48
    gap = max(0.0, abs(w - centre) - (0.5 if correct else 0.0))
    return (
        min(1.0, 2 * float(scipy.special.ndtr(-gap / math.sqrt(variance)))) if variance > 0 else 1.0
    )


@significance_test("sign", "Sign test")
def sign_test(scores: Floats, pairs: Longs, _sampling: Sampling) -> Outcome:
    """Test whether wins and losses are equally likely; how large they are does not matter.

    Returns
    -------
    Outcome
        The statistic is the number of wins of the first system. Ties are dropped; without any other topic p is 1.

    References
    ----------
    Arbuthnot (1710), An argument for divine providence; exact binomial, two-sided.

    Examples
    --------
    >>> scores = np.array([[.5, .4, .3, .9, .8, .7], [.4, .2, .3, .6, .5, .1]])
    >>> found = sign_test(scores, np.array([[0, 1]]), Sampling())
    >>> found.statistic, found.p.tolist()
    ((5.0,), [0.0625])
    """
    values = exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])
    wins, losses = (values > 0).sum(axis=1), (values < 0).sum(axis=1)
    p = np.minimum(
        1.0, 2 * scipy.special.bdtr(np.minimum(wins, losses).astype(np.float64), wins + losses, 0.5)
    )
    return Outcome(
        tuple(wins.astype(np.float64).tolist()),
        np.where(wins + losses > 0, p, 1.0),
        Message("exact binomial, ties dropped"),
    )
