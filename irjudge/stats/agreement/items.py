"""Agreement of any number of workers, from how often each grade was given: raw, positive, overlap, and those corrected for chance."""

import numpy as np

from irjudge.message import Message
from irjudge.stats.agreement.counts import Totals
from irjudge.stats.agreement.registry import AGREEMENT, LabelView, distances
from irjudge.stats.rankings import Floats

ALL_THE_SAME = Message("all labels are the same, so chance explains all agreement")
NONE_RELEVANT = Message("no label is relevant")
ONE_GRADE = Message("the scale has one grade only")


@AGREEMENT.of_items("raw-agreement", "Raw agreement", "mean over items of equal pairs of labels / pairs of labels", "nominal", nothing="")
def raw_agreement(sums: Totals, _view: LabelView) -> Floats:
    """Return the mean over items of the share of pairs of labels that are the same: 0 to 1.

    Parameters
    ----------
    sums
        Over M samples of items.

    Returns
    -------
    array
        Shape (M,); nan without an item of two labels.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> from irjudge.stats.agreement.estimates import agreement
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 1), ("d2", "bob", 1)]
    >>> agreement(make_labels(rows), ["raw-agreement"])[0].value
    0.5
    """
    value: Floats = sums.apart[:, 0] / sums.items
    return value


@AGREEMENT.of_items("prevalence", "Share of relevant labels", "labels of rel or more / labels", "binary", nothing="")
def prevalence(sums: Totals, view: LabelView) -> Floats:
    """Return the share of labels that are relevant, of the items that agreement is computed from: 0 to 1. It explains low kappas."""
    value: Floats = _of(sums.labels, view).sum(axis=1) / sums.labels.sum(axis=1)
    return value


@AGREEMENT.of_items(
    "positive-agreement",
    "Positive agreement",
    "pairs of relevant labels / pairs with a relevant label, the latter by halves; 2|A∩B|/(|A|+|B|) for two",
    "binary",
    nothing=NONE_RELEVANT,
)
def positive_agreement(sums: Totals, view: LabelView) -> Floats:
    """Return the chance that another worker calls relevant what one called relevant: 0 to 1; F1 for two workers.

    References
    ----------
    Fleiss, Levin and Paik (2003), Statistical methods for rates and proportions, 3rd ed., ch. 18: specific agreement.
    """
    both = _of(_of(sums.coincidences, view).swapaxes(1, 2), view)
    value: Floats = both.sum(axis=(1, 2)) / _of(sums.labels, view).sum(axis=1)
    return value


@AGREEMENT.of_items(
    "overlap",
    "Overlap of relevant documents",
    "items all called relevant / items any called relevant; |A∩B|/|A∪B| for two",
    "binary",
    nothing=NONE_RELEVANT,
)
def overlap(sums: Totals, _view: LabelView) -> Floats:
    """Return the share of the items that any of their workers called relevant which all of them did: 0 to 1.

    Notes
    -----
    The more labels an item has, the smaller it is: compare overlaps of equally many workers only.

    References
    ----------
    Voorhees (2000), Variations in relevance judgments and the measurement of retrieval effectiveness, IP&M 36.
    """
    value: Floats = sums.all_relevant / sums.any_relevant
    return value


@AGREEMENT.of_items(
    "fleiss-kappa",
    "Fleiss' kappa",
    "(P - Pe)/(1 - Pe): P the raw agreement, Pe = Σ p_k² with p_k the share of grade k",
    "nominal",
    nothing=ALL_THE_SAME,
    even=True,
)
def fleiss_kappa(sums: Totals, _view: LabelView) -> Floats:
    """Return raw agreement corrected for chance, where each item has equally many labels: at most 1; 0 is what chance gives.

    Notes
    -----
    Undefined where all labels are the same. For two workers it is Scott's pi.

    References
    ----------
    Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin 76.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> from irjudge.stats.agreement.estimates import agreement
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 1), ("d2", "bob", 1)]
    >>> round(agreement(make_labels(rows), ["fleiss-kappa"])[0].value, 4)
    -0.3333
    """
    chance = ((sums.labels / sums.labels.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
    value: Floats = (sums.apart[:, 0] / sums.items - chance) / (1 - chance)
    return value


@AGREEMENT.of_items(
    "alpha",
    "Krippendorff's alpha",
    "1 - Do/De: the distance of labels within items over that of all labels",
    *("nominal", "ordinal", "interval", "ratio"),
    nothing=ALL_THE_SAME,
)
def alpha(sums: Totals, view: LabelView) -> Floats:
    """Return Krippendorff's alpha: at most 1; 0 is what chance gives. Any number of labels an item, any of them missing.

    Parameters
    ----------
    sums
        Over M samples of items.
    view
        Its scaling is nominal (same or not), ordinal (grades by how many labels lie between them), interval (values) or ratio.

    Returns
    -------
    array
        Shape (M,); nan where all labels are the same.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> from irjudge.stats.agreement.estimates import agreement
    >>> first, second = "0100000010", "1110010000"
    >>> rows = [(str(item), "ab"[worker], said[item]) for worker, said in enumerate((first, second)) for item in range(10)]
    >>> round(agreement(make_labels(rows), ["alpha-nominal"])[0].value, 6)
    0.095238
    """
    given = sums.coincidences.sum(axis=2)
    all_labels = given.sum(axis=1)
    if view.scaling == "ordinal":
        middle = np.cumsum(given, axis=1) - given / 2
        observed = 2 * ((given * middle**2).sum(axis=1) - _form(middle, sums.coincidences))
        expected = 2 * ((given * middle**2).sum(axis=1) * all_labels - (given * middle).sum(axis=1) ** 2)
    else:
        apart = distances(view, given.shape[1])
        observed = (sums.coincidences * apart).sum(axis=(1, 2))
        expected = ((given @ apart) * given).sum(axis=1)
    value: Floats = 1 - (all_labels - 1) * observed / expected
    return value


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
    sums
        Over M samples of items; any labels may be missing.
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
    sums
        Over M samples of items; any labels may be missing.
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


def _of(sums: Floats, view: LabelView) -> Floats:
    """Return the part of sums, shape (M, K, …), that is about relevant grades."""
    value: Floats = sums[:, view.relevant]
    return value


def _form(vector: Floats, matrix: Floats) -> Floats:
    """Return vᵀ A v of each sample."""
    value: Floats = np.einsum("mi,mij,mj->m", vector, matrix, vector)
    return value
