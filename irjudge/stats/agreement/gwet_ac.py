"""Gwet's AC1 and AC2, and the coefficient of Brennan and Prediger: corrected for chance in ways that rare grades do not upset."""

import numpy as np

from irjudge.message import Message
from irjudge.stats.agreement.counts import Totals
from irjudge.stats.agreement.registry import AGREEMENT, LabelView, distances
from irjudge.stats.rankings import Floats

ONE_GRADE = Message("the scale has one grade only", key="one-grade")


@AGREEMENT.of_items(
    "ac1",
    "Gwet's AC1",
    "(P - Pe)/(1 - Pe): P the raw agreement, Pe = Σ π_k(1 - π_k)/(K - 1) with π_k the mean share of grade k",
    "nominal",
    nothing=ONE_GRADE,
)
def ac1(sums: Totals, view: LabelView) -> Floats:
    """Return raw agreement corrected for chance in a way that rare grades do not upset: at most 1.

    Notes
    -----
    K counts the grades of the scale, used or not. Items with one label are left out altogether.

    References
    ----------
    Gwet (2008), Computing inter-rater reliability and its variance in the presence of high agreement, BJMSP 61.
    """
    return _gwet(sums, view)


@AGREEMENT.of_items(
    "ac2",
    "Gwet's AC2",
    "(P - Pe)/(1 - Pe): P the mean of w_ij over pairs of labels, Pe = Σ w_ij Σ π_k(1 - π_k)/(K(K - 1)); w falls with |i - j| or (i - j)²",
    *("linear", "quadratic"),
    nothing=ONE_GRADE,
)
def ac2(sums: Totals, view: LabelView) -> Floats:
    """Return AC1 where grades near to each other agree in part: at most 1.

    Parameters
    ----------
    view
        Its scaling is linear or quadratic: w = 1 - |i - j|/(K - 1), or 1 - (i - j)²/(K - 1)², in places on the declared scale.

    Returns
    -------
    array
        Shape (M,); nan on a scale of one grade. On a scale of two it is AC1.

    References
    ----------
    Gwet (2014), Handbook of inter-rater reliability, 4th ed., ch. 5.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> from irjudge.stats.agreement.estimates import agreement
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 2), ("d2", "bob", 2)]
    >>> [round(each.value, 4) for each in agreement(make_labels(rows), ["ac2"])]  # P = .75 and .875, Pe = 5/6 · .625 and .625
    [0.4783, 0.6667]
    """
    return _gwet(sums, view)


@AGREEMENT.of_items(
    "brennan-prediger",
    "Brennan-Prediger coefficient",
    "(P - Pe)/(1 - Pe): P the mean of w_ij over pairs of labels, Pe = Σ w_ij/K²; w is 1 and 0, or falls with |i - j| or (i - j)²",
    *("nominal", "linear", "quadratic"),
    nothing=ONE_GRADE,
)
def brennan_prediger(sums: Totals, view: LabelView) -> Floats:
    """Return agreement corrected for the chance that all grades of the scale are equally usual: at most 1.

    Parameters
    ----------
    view
        Its scaling is nominal, or linear or quadratic as for `ac2`.

    Returns
    -------
    array
        Shape (M,); nan on a scale of one grade.

    Notes
    -----
    K counts the grades of the scale, used or not: a scale with grades that nobody needs makes it larger.

    References
    ----------
    Brennan and Prediger (1981), Coefficient kappa: some uses, misuses, and alternatives, Educational and Psychological Measurement 41.
    Gwet (2014), Handbook of inter-rater reliability, 4th ed., ch. 5, for weights.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> from irjudge.stats.agreement.estimates import agreement
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 2), ("d2", "bob", 2)]
    >>> [round(each.value, 4) for each in agreement(make_labels(rows), ["brennan-prediger"])]  # Pe = 3/9, 5/9 and 6/9
    [0.25, 0.4375, 0.625]
    """
    weights = _weights(sums, view)
    value: Floats = (_near(sums, weights) - weights.mean()) / (1 - weights.mean())
    return value


def _gwet(sums: Totals, view: LabelView) -> Floats:
    weights, share = _weights(sums, view), sums.shares / sums.items[:, None]
    grades = len(weights)
    chance = weights.sum() / grades * (share * (1 - share)).sum(axis=1) / np.float64(grades - 1)
    value: Floats = (_near(sums, weights) - chance) / (1 - chance)
    return value


def _weights(sums: Totals, view: LabelView) -> Floats:
    """Return how far every two grades agree, shape (K, K): 1 on the diagonal, 0 for those furthest apart."""
    far = distances(view, sums.apart.shape[1])
    weights: Floats = 1 - far / max(far.max(), 1.0)
    return weights


def _near(sums: Totals, weights: Floats) -> Floats:
    """Return the mean over items of what their pairs of labels agree, shape (M,)."""
    value: Floats = sums.apart @ weights[0] / sums.items
    return value
