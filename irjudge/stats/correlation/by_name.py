"""Rank correlations by name: the door to all of them."""

from collections.abc import Iterable

from irjudge.stats.correlation.kendall_and_spearman import (
    footrule,
    spearman,
    tau,
    tau_ap,
    tau_ap_b,
    tau_b,
    weighted_tau,
)
from irjudge.stats.correlation.overlap_and_fagin import (
    fagin_footrule,
    fagin_kendall,
    jaccard,
    overlap,
)
from irjudge.stats.correlation.rbo import rank_biased_overlap, rbo, rbo_min, rbo_res
from irjudge.stats.correlation.registry import SHIPPED, CorrelationStatistic, Statistic
from irjudge.stats.rankings import ITEMS, ITEMS_MEAN, Items, RankPair

__all__ = [
    "ITEMS",
    "ITEMS_MEAN",
    "CorrelationStatistic",
    "Items",
    "RankPair",
    "Statistic",
    "catalogue",
    "correlate",
    "fagin_footrule",
    "fagin_kendall",
    "footrule",
    "jaccard",
    "overlap",
    "parse_statistics",
    "rank_biased_overlap",
    "rbo",
    "rbo_min",
    "rbo_res",
    "spearman",
    "tau",
    "tau_ap",
    "tau_ap_b",
    "tau_b",
    "weighted_tau",
]

catalogue = SHIPPED.catalogue


def parse_statistics(names: Iterable[str]) -> tuple[Statistic, ...]:
    """Return the statistics of these names, each once, in the order given; MeasureError when a name or parameter is not known.

    >>> [each.name for each in parse_statistics(["tau_b", "RBO(p=.8)", "overlap@10"])]
    ['tau-b', 'rbo(p=0.8)', 'overlap@10']
    """
    return tuple({each.name: each for each in map(SHIPPED.parse, names)}.values())


def correlate(
    first: Iterable[object], second: Iterable[object], by: str = "tau-b", *, items: Items = "common"
) -> float:
    """Return how alike two rankings are by a statistic, within its bounds; 0 where nothing can be compared.

    Items stand best first; tied ones in a set, list or tuple of their own. Where a statistic is not symmetrical the first is the true
    ranking. Which items order statistics compare see `ITEMS_MEAN`; tau on the common ones alone says nothing of those that differ.
    MeasureError when the name is not known or a ranking holds an item twice.

    >>> correlate(["d123", "d84", "d56", "d6", "d8"], ["d56", "d123", "d84", "d8", "d6"], "tau")
    0.4
    """
    return SHIPPED.parse(by).compute(RankPair.of_lists(first, second), items)
