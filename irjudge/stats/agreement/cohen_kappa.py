"""Cohen's kappa of every two workers, plain and weighted, and Scott's pi."""

import numpy as np

from irjudge.stats.agreement.pairs import PairTables
from irjudge.stats.agreement.registry import (
    AGREEMENT,
    ALL_THE_SAME,
    LabelView,
    PairValues,
    distances,
)
from irjudge.stats.proportion import Z
from irjudge.stats.rankings import Floats


@AGREEMENT.of_pairs(
    "kappa",
    "Cohen's kappa",
    "1 - Σ d_ij o_ij/Σ d_ij e_ij; d is 1 for different grades, or |i - j| (linear), or (i - j)² (quadratic)",
    *("nominal", "linear", "quadratic"),
    nothing=ALL_THE_SAME,
)
def kappa(tables: PairTables, view: LabelView) -> PairValues:
    """Return agreement corrected for the chance that each worker's own use of the grades gives: at most 1.

    Parameters
    ----------
    view
        Its scaling is nominal, linear or quadratic; the latter two count steps on the declared scale, used or not.

    Returns
    -------
    PairValues
        With the large-sample interval; nan where both gave one grade alone. For all workers together the mean over pairs is taken,
        each weighing as many items as it shares.

    References
    ----------
    Cohen (1960), Educational and Psychological Measurement 20; (1968), Psychological Bulletin 70. Fleiss, Cohen and Everitt (1969),
    Large sample standard errors of kappa and weighted kappa, Psychological Bulletin 72. Light (1971) for the mean over pairs.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> from irjudge.stats.agreement.estimates import agreement
    >>> table = {(0, 0): 20, (0, 1): 5, (1, 0): 10, (1, 1): 15}
    >>> pairs = [pair for pair, count in table.items() for _ in range(count)]
    >>> rows = [(str(item), "ab"[worker], pair[worker]) for item, pair in enumerate(pairs) for worker in (0, 1)]
    >>> round(agreement(make_labels(rows), ["kappa-nominal"])[0].value, 4)
    0.4
    """
    given = tables.first_grades.astype(np.float64), tables.second_grades.astype(np.float64)
    return _corrected(tables, *given, distances(view, tables.grades))


@AGREEMENT.of_pairs(
    "scott-pi",
    "Scott's pi",
    "(po - pe)/(1 - pe), pe = Σ ((p_k1 + p_k2)/2)²",
    "nominal",
    nothing=ALL_THE_SAME,
)
def scott_pi(tables: PairTables, view: LabelView) -> PairValues:
    """Return agreement corrected for chance as if both workers used the grades alike: at most 1.

    References
    ----------
    Scott (1955), Reliability of content analysis: the case of nominal scale coding, Public Opinion Quarterly 19.
    """
    both = (tables.first_grades + tables.second_grades) / 2
    return _corrected(tables, both, both, distances(view, tables.grades))


def _corrected(tables: PairTables, first: Floats, second: Floats, apart: Floats) -> PairValues:
    """Return 1 - Do/De with De from the two uses of the grades, shape (P, K) each, and its interval by the delta method."""
    items = tables.items.astype(np.float64)
    one, two = first / items[:, None], second / items[:, None]
    observed = tables.by_pair(apart[tables.row, tables.column]) / items
    toward_two, toward_one = two @ apart, one @ apart
    expected = (one * toward_two).sum(axis=1)
    at, row, column = tables.pair, tables.row, tables.column
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(expected > 0, 1 - observed / expected, np.nan)
        move_observed = apart[row, column] - observed[at]
        move_expected = toward_two[at, row] + toward_one[at, column] - 2 * expected[at]
        influence = (observed[at] * move_expected / expected[at] - move_observed) / expected[at]
        error = np.sqrt(tables.by_pair(influence**2)) / items
    return PairValues(
        value, np.maximum(value - Z * error, -1), np.minimum(value + Z * error, 1), influence
    )
