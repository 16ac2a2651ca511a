"""Strengths of items from comparisons of two: Bradley and Terry's model, and Davidson's where there are ties."""

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.stats.preferences.counts import PairCounts, components, winnable
from irjudge.stats.rankings import Floats, Longs

Model = Literal["bradley-terry", "davidson"]
STEPS = 200
ENOUGH = 1e-9  # of Newton's steps: the one after it would be of the order of its square
SLACK = 1e-13  # of a likelihood, which is known to rounding only
HALVINGS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """How strong each of K items is."""

    model: Model  # which one
    # shape (K,): natural logarithms of the worth, with mean 0 in each group of items that comparisons join; NaN for an item that was never
    # compared. The chance that i beats j, ties left out, is 1 / (1 + exp(log_worth[j] - log_worth[i])).
    log_worth: Floats
    # shape (K + 1, K + 1): of the log-worths and, last, of log ν, from the information, as if comparisons were independent of each other;
    # `preference_clusters.clustered` widens it where they are not
    covariance: Floats
    tie: (
        float | None
    )  # davidson's ν: two equal items tie with the chance ν / (2 + ν). 0 without ties; None for Bradley-Terry.
    group: Longs  # shape (K,): which items are joined; strengths of different groups cannot be compared
    added: float  # half a win each way that was added to every pair, because otherwise some strength would be without bounds
    log_likelihood: float  # of the counts, without what was added

    @property
    def worth(self) -> Floats:
        """Shape (K,): worths with geometric mean 1 in each group."""
        worth: Floats = np.exp(self.log_worth)
        return worth

    @property
    def error(self) -> Floats:
        """Shape (K,): standard error of each log-worth against the mean of its group."""
        error: Floats = np.sqrt(np.maximum(np.diag(self.covariance)[:-1], 0))
        return error

    def against(self, item: int) -> tuple[Floats, Floats]:
        """Return log-worths less that of one item, and their standard errors: each of shape (K,)."""
        among = self.covariance[:-1, :-1]
        variance = np.diag(among) + among[item, item] - 2 * among[item]
        return self.log_worth - self.log_worth[item], np.sqrt(np.maximum(variance, 0))

    def interval(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Return the ends of Wald's interval of each log-worth: each of shape (K,)."""
        half = NormalDist().inv_cdf((1 + confidence) / 2) * self.error
        return self.log_worth - half, self.log_worth + half


def bradley_terry(counts: PairCounts) -> Strengths:
    """Return strengths by P(i beats j) = π_i / (π_i + π_j); ties are left out.

    Returns
    -------
    Strengths
        Where an item, or a set of them, never lost or never won against the rest, half a win each way is added to every pair.

    References
    ----------
    Bradley and Terry (1952), Rank analysis of incomplete block designs, Biometrika 39. Hunter (2004), MM algorithms for generalized
    Bradley-Terry models, Annals of Statistics 32, on when the maximum is finite.

    Examples
    --------
    >>> found = bradley_terry(PairCounts.of_matrix(np.array([[0, 3], [1, 0]])))
    >>> bool(np.isclose(found.log_worth[0] - found.log_worth[1], math.log(3)))
    True
    """
    kept = counts.wins + counts.losses > 0
    no_ties = np.zeros(int(kept.sum()))
    without = PairCounts(
        counts.items,
        counts.first[kept],
        counts.second[kept],
        counts.wins[kept],
        counts.losses[kept],
        no_ties,
    )
    return replace(_strengths(without), model="bradley-terry", tie=None)


def davidson(counts: PairCounts) -> Strengths:
    """Return strengths by P(i beats j) = π_i / (π_i + π_j + ν√(π_i π_j)), where the last term is the chance of a tie.

    Parameters
    ----------
    counts
        Wins, losses and ties. Without ties ν is 0, which is Bradley-Terry.

    Returns
    -------
    Strengths
        Where some strength or ν would be without bounds, half a win each way is added to every pair.

    References
    ----------
    Davidson (1970), On extending the Bradley-Terry model to accommodate ties in paired comparison experiments, JASA 65.

    Examples
    --------
    >>> found = davidson(PairCounts.of_matrix(np.array([[0, 30], [18, 0]]), np.array([[0, 12], [0, 0]])))
    >>> round(float(found.log_worth[0] - found.log_worth[1]), 6), round(found.tie, 6)
    (0.510826, 0.516398)
    """
    return _strengths(counts)


def chances(strengths: Strengths, first: Longs, second: Longs) -> Floats:
    """Return the chances that the first item wins, that the second does, and of a tie, shape (3, P).

    >>> counts = PairCounts.of_matrix(np.array([[0, 30], [18, 0]]), np.array([[0, 12], [0, 0]]))
    >>> chances(davidson(counts), np.array([0]), np.array([1])).ravel().round(4).tolist()
    [0.5, 0.3, 0.2]
    """
    one, two = np.exp(strengths.log_worth[first] / 2), np.exp(strengths.log_worth[second] / 2)
    parts = np.stack((one / two, two / one, np.full(len(one), strengths.tie or 0.0)))
    result: Floats = parts / parts.sum(axis=0)
    return result


def _strengths(counts: PairCounts) -> Strengths:
    group = components(counts)
    added = 0.0 if all(_bounded(part) for part in _parts(counts, group)) else 0.5
    fit = _Fit(replace(counts, wins=counts.wins + added, losses=counts.losses + added), group)
    theta, information = fit.maximum()
    lonely = np.bincount(np.concatenate((counts.first, counts.second)), minlength=counts.items) == 0
    log_worth = np.where(lonely, np.nan, theta[:-1])
    covariance = _centred(_inverse(information), group)
    unknown = np.append(lonely, False)
    covariance[unknown] = covariance[:, unknown] = np.nan
    tie = math.exp(theta[-1]) if counts.ties.any() else 0.0
    likelihood = _Fit(counts, group).likelihood(theta) if len(counts) else 0.0
    return Strengths("davidson", log_worth, covariance, tie, group, added, likelihood)


def _parts(counts: PairCounts, group: Longs) -> list[PairCounts]:
    """Return the counts of each group of joined items, coded anew."""
    parts = []
    for each in np.unique(group[counts.first]).tolist():
        members = np.flatnonzero(group == each)
        inside = group[counts.first] == each
        first, second = (
            np.searchsorted(members, codes[inside]) for codes in (counts.first, counts.second)
        )
        parts.append(
            PairCounts(
                len(members),
                first,
                second,
                counts.wins[inside],
                counts.losses[inside],
                counts.ties[inside],
            )
        )
    return parts


def _bounded(counts: PairCounts) -> bool:
    """Tell whether the likelihood of joined items has its maximum at finite strengths.

    With ties it has none either where d and δ > 0 exist so that each winner has d at least 2δ above its loser and tied items are at most
    2δ apart: along them the likelihood never falls. They exist when these constraints, with δ = 1, have no cycle of positive length.
    """
    if not winnable(counts):
        return False
    if not counts.ties.any():
        return True
    won, lost, tied = counts.wins > 0, counts.losses > 0, counts.ties > 0
    higher = np.concatenate(
        (counts.first[won], counts.second[lost], counts.first[tied], counts.second[tied])
    )
    lower = np.concatenate(
        (counts.second[won], counts.first[lost], counts.second[tied], counts.first[tied])
    )
    least = np.concatenate(
        (np.full(int(won.sum() + lost.sum()), 2.0), np.full(2 * int(tied.sum()), -2.0))
    )
    height = np.zeros(counts.items)
    for _ in range(
        counts.items + 1
    ):  # Bellman and Ford: without a positive cycle nothing rises any more after K rounds
        raised = height.copy()
        np.maximum.at(raised, higher, height[lower] + least)
        if (raised == height).all():
            return False
        height = raised
    return True


def _inverse(information: Floats) -> Floats:
    """Return the inverse where there is information; a constant added to all log-worths of a group changes nothing and has none."""
    return np.linalg.pinv(information, rcond=1e-10, hermitian=True).astype(np.float64)


def _centred(covariance: Floats, group: Longs) -> Floats:
    """Return the covariance of log-worths less the mean of their group; the last row is another parameter's."""
    same = group[:, None] == group[None, :]
    centre = np.eye(len(group) + 1)
    centre[:-1, :-1] -= same / same.sum(axis=1, keepdims=True)
    result: Floats = centre @ covariance @ centre.T
    return result


class _Fit:
    """The likelihood of counts as a function of θ: K log-worths and, last, log ν. It is concave."""

    def __init__(self, counts: PairCounts, group: Longs) -> None:
        self._counts, self._group = counts, group
        self._outcomes = np.stack((counts.wins, counts.losses, counts.ties))
        self._total = self._outcomes.sum(axis=0)
        self._tied = bool(counts.ties.any())

    def maximum(self) -> tuple[Floats, Floats]:
        """Return θ, and the information there, shape (K + 1, K + 1)."""
        theta = np.zeros(self._counts.items + 1)
        value = self.likelihood(theta)
        for _ in range(STEPS):
            gradient, information = self._slopes(theta)
            step = _inverse(information) @ gradient
            size = 1.0
            while (there := self.likelihood(theta + size * step)) < value - SLACK * abs(
                value
            ) and size > 2.0**-HALVINGS:
                size /= 2
            theta, moved, value = theta + size * step, float(np.abs(size * step).max()), there
            if moved < ENOUGH:
                break
        else:
            raise IrjudgeError("The strengths were not found in {steps} steps.", steps=STEPS)
        theta[:-1] -= (
            np.bincount(self._group, theta[:-1]) / np.maximum(1, np.bincount(self._group))
        )[self._group]
        return theta, self._slopes(theta)[1]

    def likelihood(self, theta: Floats) -> float:
        """Return the log-likelihood."""
        predictor = self._predictors(theta)
        top = predictor.max(axis=0, initial=-np.inf)
        with np.errstate(invalid="ignore"):
            seen = np.where(self._outcomes > 0, self._outcomes * predictor, 0.0).sum(axis=0)
        return float(
            (seen - self._total * (top + np.log(np.exp(predictor - top).sum(axis=0)))).sum()
        )

    def _predictors(self, theta: Floats) -> Floats:
        """Return the logarithms that the chances of the three outcomes are proportional to, shape (3, P)."""
        one, two = theta[self._counts.first], theta[self._counts.second]
        return np.stack(
            (one, two, theta[-1] + (one + two) / 2 if self._tied else np.full(len(one), -np.inf))
        )

    def _slopes(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return the gradient and the information. An outcome's predictor falls on the two items and ν by the rows of `parts`."""
        predictor = self._predictors(theta)
        chance = np.exp(predictor - predictor.max(axis=0, initial=-np.inf))
        chance /= chance.sum(axis=0)
        parts = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]])
        mean = parts.T @ chance
        places = np.stack(
            (self._counts.first, self._counts.second, np.full(len(self._total), len(theta) - 1))
        )
        pull = parts.T @ self._outcomes - self._total * mean
        gradient = np.bincount(places.ravel(), pull.ravel(), len(theta)).astype(np.float64)
        information = np.zeros((len(theta), len(theta)))
        for row in range(3):
            for column in range(3):
                spread = (parts[:, row] * parts[:, column]) @ chance - mean[row] * mean[column]
                np.add.at(information, (places[row], places[column]), self._total * spread)
        return gradient, information
