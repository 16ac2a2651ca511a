"""Table rows of preference statistics, one per compared pair of items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from irjudge.evaluation import PreferenceStatistic
from irjudge.stats.significance import holm

SIGNIFICANCE_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class PairRow:
    """Table row of the preference page: compared pair of systems or documents, and statistics.

    Compared documents belong to the same topic. The statistics are wins, losses and ties of the
    first item, shares with tests, and the p-value adjusted for the number of pairs.
    """

    topic: str  # topic of the two documents; empty if the items are systems
    first: str  # name of the first item
    second: str  # name of the second item
    share: PreferenceStatistic  # share of wins among answers with a winner, with the sign test
    # wins minus losses as a share of all answers, with the trinomial test and an interval over
    # topics and assessors
    net: PreferenceStatistic
    # share of topics that the first item wins, with the sign test; None if topics are unknown, or
    # if the items are documents
    majorities: PreferenceStatistic | None = None
    # number of further answers needed to detect the share of wins that was chosen for planning;
    # None if unknown
    answers_needed: PreferenceStatistic | None = None
    p_adjusted: float = 1.0  # p-value of the reported test, adjusted for the number of pairs (Holm)

    @property
    def wins(self) -> int:
        """Number of answers that prefer the first item."""
        return self.share.count or 0

    @property
    def losses(self) -> int:
        """Number of answers that prefer the second item."""
        return (self.share.total or 0) - self.wins

    @property
    def ties(self) -> int:
        """Number of answers without a preference."""
        return (self.net.total or 0) - (self.share.total or 0)

    @property
    def p(self) -> float:
        """P-value of the sign test: over topics if they are known, otherwise over answers.

        Topics are preferred because answers on the same topic are not independent.
        """
        p_value = (self.majorities or self.share).p
        return 1.0 if p_value is None else p_value

    @property
    def is_conclusive(self) -> bool:
        """Whether the adjusted test is significant and the interval of `net` excludes 0."""
        low, high = self.net.low, self.net.high
        excludes_zero = low is not None and high is not None and (low > 0 or high < 0)
        return excludes_zero and self.p_adjusted < SIGNIFICANCE_LEVEL


def build_pair_rows(statistics: Iterable[PreferenceStatistic], topic: str = "") -> list[PairRow]:
    """Return a row for each pair of systems or, with `topic`, of documents of the topic."""
    by_pair: dict[tuple[str, str], dict[str, PreferenceStatistic]] = {}
    for statistic in statistics:
        if statistic.part in ("pairs", "plan") and statistic.topic == topic:
            name = "more" if statistic.part == "plan" else statistic.statistic
            by_pair.setdefault((statistic.first, statistic.second), {})[name] = statistic
    rows = [
        PairRow(
            topic,
            *pair,
            estimate["wins, ties dropped"],
            estimate["net preference"],
            estimate.get("topics won"),
            estimate.get("more"),
        )
        for pair, estimate in by_pair.items()
    ]
    adjusted = holm([row.p for row in rows]).tolist() if rows else []
    return [replace(row, p_adjusted=p) for row, p in zip(rows, adjusted, strict=True)]


def select_part(
    statistics: Iterable[PreferenceStatistic], part: str, *, topic: str = "", statistic: str = ""
) -> list[PreferenceStatistic]:
    """Return the statistics of a part of the results, such as `pairs`.

    The statistics are those of one topic or, if `topic` is empty, over all topics. If `statistic`
    is not empty, only the statistic of this name is returned.
    """
    return [
        estimate
        for estimate in statistics
        if estimate.part == part
        and estimate.topic == topic
        and statistic in ("", estimate.statistic)
    ]


def select_pair(
    statistics: Iterable[PreferenceStatistic], part: str, pair: PairRow
) -> list[PreferenceStatistic]:
    """Return the statistics of a pair of items in a part of the results, such as `pairs`."""
    return [
        statistic
        for statistic in statistics
        if statistic.part == part
        and (statistic.first, statistic.second) == (pair.first, pair.second)
    ]


def connected_groups(pairs: Sequence[PairRow]) -> list[list[str]]:
    """Return groups of items that are connected by comparisons, the largest group first.

    Examples
    --------
    >>> connected_groups([])
    []
    """
    group_by_item: dict[str, set[str]] = {}
    for pair in pairs:
        joined_group = group_by_item.get(pair.first, {pair.first}) | group_by_item.get(
            pair.second, {pair.second}
        )
        group_by_item.update(dict.fromkeys(joined_group, joined_group))
    return sorted(
        map(sorted, {min(members): members for members in group_by_item.values()}.values()),
        key=len,
        reverse=True,
    )
