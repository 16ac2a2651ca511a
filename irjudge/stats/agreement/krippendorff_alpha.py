"""Krippendorff's alpha: agreement of any number of workers, any labels missing, on any scale."""

import numpy as np

from irjudge.stats.agreement.counts import Totals
from irjudge.stats.agreement.registry import AGREEMENT, ALL_THE_SAME, LabelView, distances
from irjudge.stats.rankings import Floats


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
        expected = 2 * (
            (given * middle**2).sum(axis=1) * all_labels - (given * middle).sum(axis=1) ** 2
        )
    else:
        apart = distances(view, given.shape[1])
        observed = (sums.coincidences * apart).sum(axis=(1, 2))
        expected = ((given @ apart) * given).sum(axis=1)
    value: Floats = 1 - (all_labels - 1) * observed / expected
    return value


def _form(vector: Floats, matrix: Floats) -> Floats:
    """Return vᵀ A v of each sample."""
    value: Floats = np.einsum("mi,mij,mj->m", vector, matrix, vector)
    return value
