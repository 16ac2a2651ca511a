"""How much two lists share, when each may hold items that the other lacks: overlap, Jaccard, and Fagin's distances of top-k lists."""

from typing import Annotated

import numpy as np

from irjudge.metrics.naming.parameters import MaybeCutoff, Range
from irjudge.stats.correlation.dominance import agreements
from irjudge.stats.correlation.registry import statistic
from irjudge.stats.rankings import Floats, Longs, RankPair, spans


@statistic(
    "overlap",
    title="Overlap",
    formula="|A_k ∩ B_k| / k",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
)
def overlap(pair: RankPair, *, cutoff: MaybeCutoff = None) -> float:
    """Return the share of the top k that both rankings hold.

    Parameters
    ----------
    cutoff
        k; None for the length of the longer ranking. Where both are shorter than k, the longer one's length counts.

    Returns
    -------
    float
        Between 0 and 1; 0 where both are empty. Tied items of which only some fit into the top k are in it by that share, and an
        item's part in both is the smaller of its two shares.

    Examples
    --------
    >>> overlap(RankPair.of_lists("abcd", "baef"), cutoff=3)
    0.6666666666666666
    """
    first, second, depth = _shares(pair, cutoff)
    return float(np.minimum(first, second).sum()) / depth if depth else 0.0


@statistic(
    "jaccard",
    title="Jaccard coefficient",
    formula="|A_k ∩ B_k| / |A_k ∪ B_k|",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
)
def jaccard(pair: RankPair, *, cutoff: MaybeCutoff = None) -> float:
    """Return the share of the items in either top k that are in both.

    Parameters
    ----------
    cutoff
        k; None for whole rankings.

    Returns
    -------
    float
        Between 0 and 1; 0 where both are empty. Tied items of which only some fit count by that share, the smaller of the two for
        the intersection and the larger for the union.

    References
    ----------
    Jaccard (1901), Étude comparative de la distribution florale; with shares it is Ružička's (1958).

    Examples
    --------
    >>> jaccard(RankPair.of_lists("abcd", "baef"), cutoff=3)
    0.5
    """
    first, second, _ = _shares(pair, cutoff)
    union = float(np.maximum(first, second).sum())
    return float(np.minimum(first, second).sum()) / union if union else 0.0


@statistic(
    "fagin-footrule",
    title="Footrule of top-k lists, as a similarity",
    formula="1 - F/max, where F = Σ |r_a - r_b| and a missing item stands at rank k + 1",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
)
def fagin_footrule(pair: RankPair) -> float:
    """Return how near the ranks are when an item that a list lacks stands right after the longer list's end.

    Returns
    -------
    float
        Between 0, for lists that share nothing, and 1; 0 where both are empty. Tied items have the mean of their ranks.

    References
    ----------
    Fagin, Kumar and Sivakumar (2003), Comparing top k lists: F with location parameter k + 1, over its maximum.

    Examples
    --------
    >>> fagin_footrule(RankPair.of_lists("abcd", "baef"))
    0.6
    """
    distance, largest = fagin_footrule_distance(pair)
    return 1 - distance / largest if largest else 0.0


def fagin_footrule_distance(pair: RankPair) -> tuple[float, float]:
    """Return the sum of distances and the largest one possible for lists of these lengths: k (k + 1) for two of length k.

    >>> fagin_footrule_distance(RankPair.of_lists("abcd", "baef"))
    (8.0, 20.0)
    """
    first, second = spans(pair.first), spans(pair.second)
    after = max(first.length, second.length) + 1
    ranks = [np.where(each.top > 0, each.middle, after) for each in (first, second)]
    largest = sum(
        each.length * after - each.length * (each.length + 1) / 2 for each in (first, second)
    )
    return float(np.abs(ranks[0] - ranks[1]).sum()), float(largest)


@statistic(
    "fagin-kendall",
    title="Kendall distance of top-k lists, as a similarity",
    formula="1 - K/max, where a pair in opposite order costs 1 and a pair that only one list puts in order costs p",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
    always=("p",),
)
def fagin_kendall(pair: RankPair, *, p: Annotated[float, Range(0, 1)] = 0.5) -> float:
    """Return how few pairs of items the lists put in opposite order, an item that a list lacks standing after all that it holds.

    Parameters
    ----------
    p
        What a pair costs that one list puts in order and the other does not, because it lacks both or holds them tied.

    Returns
    -------
    float
        Between 0, for lists that share nothing, and 1; 0 where both are empty.

    References
    ----------
    Fagin, Kumar and Sivakumar (2003), Comparing top k lists: K with penalty p, over its maximum.

    Examples
    --------
    >>> round(fagin_kendall(RankPair.of_lists("abcd", "baef")), 4)
    0.7273
    """
    distance, largest = fagin_kendall_distance(pair, p=p)
    return 1 - distance / largest if largest else 0.0


def fagin_kendall_distance(pair: RankPair, *, p: float = 0.5) -> tuple[float, float]:
    """Return the cost of all pairs and the largest one possible for lists of these lengths.

    >>> pair = RankPair.of_lists("abcd", "baef")
    >>> fagin_kendall_distance(pair, p=0), fagin_kendall_distance(pair)
    ((5.0, 16.0), (6.0, 22.0))
    """
    united = pair.over("union")
    found = agreements(united.first, united.second)
    a, b = (int((each > 0).sum()) for each in (pair.first, pair.second))
    largest = a * b + p * (a * (a - 1) + b * (b - 1)) / 2
    return float(found.discordant + p * sum(found.tied_once)), float(largest)


def _shares(pair: RankPair, cutoff: int | None) -> tuple[Floats, Floats, int]:
    """Return by what share each item is in the top of each ranking, and the depth that is meant."""
    longer = max(int((pair.first > 0).sum()), int((pair.second > 0).sum()))
    depth = longer if cutoff is None else min(cutoff, longer)
    return _share(pair.first, depth), _share(pair.second, depth), depth


def _share(place: Longs, depth: int) -> Floats:
    stands = spans(place)
    inside = (depth - stands.top + 1) / (stands.bottom - stands.top + 1)
    shares: Floats = np.where(stands.top > 0, np.clip(inside, 0.0, 1.0), 0.0)
    return shares
