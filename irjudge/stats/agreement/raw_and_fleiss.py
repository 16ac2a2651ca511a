"""Agreement as it is seen, of any number of workers and of every two: raw, positive, overlap; and Fleiss' kappa, which takes off chance."""

import numpy as np

from irjudge.message import Message
from irjudge.stats.agreement.counts import Totals
from irjudge.stats.agreement.pairs import PairTables
from irjudge.stats.agreement.registry import AGREEMENT, ALL_THE_SAME, LabelView, PairValues
from irjudge.stats.proportion import wilson
from irjudge.stats.rankings import Floats

NONE_RELEVANT = Message("no label is relevant")


@AGREEMENT.of_items(
    "raw-agreement",
    "Raw agreement",
    "mean over items of equal pairs of labels / pairs of labels",
    "nominal",
    nothing="",
)
def raw_agreement(sums: Totals, _view: LabelView) -> Floats:
    """Return the mean over items of the share of pairs of labels that are the same: 0 to 1.

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


@AGREEMENT.of_items(
    "prevalence", "Share of relevant labels", "labels of rel or more / labels", "binary", nothing=""
)
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


# Of every two workers


@AGREEMENT.of_pairs("raw-agreement")
def raw_agreement_of_pairs(tables: PairTables, _view: LabelView) -> PairValues:
    """Return the share of items on which two workers gave the same grade, with Wilson's interval."""
    return _share(
        tables.by_pair((tables.row == tables.column).astype(np.float64)),
        tables.items.astype(np.float64),
    )


@AGREEMENT.of_pairs("overlap")
def overlap_of_pairs(tables: PairTables, view: LabelView) -> PairValues:
    """Return |A∩B|/|A∪B| of what two workers called relevant, with Wilson's interval."""
    return _share(*tables.chosen(view.relevant)) if view.relevant is not None else _nowhere(tables)


@AGREEMENT.of_pairs("positive-agreement")
def positive_agreement_of_pairs(tables: PairTables, view: LabelView) -> PairValues:
    """Return 2|A∩B|/(|A|+|B|) of what two workers called relevant, with the interval that the overlap's gives: F1 = 2J/(1 + J)."""
    found = overlap_of_pairs(tables, view)
    return PairValues(*(2 * each / (1 + each) for each in (found.value, found.low, found.high)))


def _of(sums: Floats, view: LabelView) -> Floats:
    """Return the part of sums, shape (M, K, …), that is about relevant grades."""
    value: Floats = sums[:, view.relevant]
    return value


def _share(count: Floats, total: Floats) -> PairValues:
    return PairValues(
        np.divide(count, total, out=np.full(len(total), np.nan), where=total > 0),
        *wilson(count, total),
    )


def _nowhere(tables: PairTables) -> PairValues:
    nothing = np.full(len(tables), np.nan)
    return PairValues(nothing, nothing, nothing)
