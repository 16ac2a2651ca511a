"""Preference findings, arranged as rows of a table, one per pair."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from irjudge.evaluation import PreferenceStatistic
from irjudge.stats.significance import holm

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class PairRow:
    """A compared pair of items and its statistics."""

    topic: str  # topic of two documents; empty for systems
    # names
    first: str
    second: str
    share: PreferenceStatistic  # share of wins among answers with a winner, with the sign test
    # Wins minus losses among all answers, with trinomial test and interval over topics and
    # assessors
    net: PreferenceStatistic
    majorities: PreferenceStatistic | None = (
        None  # share of topics won, with the sign test; None if topics are unknown
    )
    more: PreferenceStatistic | None = (
        None  # further answers needed to detect the planned share; None if unknown
    )
    p_adjusted: float = 1.0  # of the test that is reported, adjusted for the number of pairs (Holm)

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
        """P-value of the sign test.

        Over topics if they are known, since answers on one topic are dependent.
        """
        estimate = (self.majorities or self.share).p
        return 1.0 if estimate is None else estimate

    @property
    def sure(self) -> bool:
        """Whether the preference is significant.

        It must be so by the sign test and by an interval that excludes 0.
        """
        low, high = self.net.low, self.net.high
        excludes_zero = low is not None and high is not None and (low > 0 or high < 0)
        return excludes_zero and self.p_adjusted < LEVEL


def build_pair_rows(findings: Iterable[PreferenceStatistic], topic: str = "") -> list[PairRow]:
    """Return a row for each pair; for a given topic, of its documents."""
    by_pair: dict[tuple[str, str], dict[str, PreferenceStatistic]] = {}
    for each in findings:
        if each.part in ("pairs", "plan") and each.topic == topic:
            name = "more" if each.part == "plan" else each.statistic
            by_pair.setdefault((each.first, each.second), {})[name] = each
    lines = [
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
    adjusted = holm([line.p for line in lines]).tolist() if lines else []
    return [replace(line, p_adjusted=p) for line, p in zip(lines, adjusted, strict=True)]


def select_part(
    findings: Iterable[PreferenceStatistic], part: str, *, topic: str = "", statistic: str = ""
) -> list[PreferenceStatistic]:
    """Return the findings of a part, for one topic or none; all statistics, or one."""
    return [
        each
        for each in findings
        if each.part == part and each.topic == topic and statistic in ("", each.statistic)
    ]


def select_pair(
    findings: Iterable[PreferenceStatistic], part: str, line: PairRow
) -> list[PreferenceStatistic]:
    """Return the findings of a part about a pair, over all topics and assessors."""
    return [
        each
        for each in findings
        if each.part == part and (each.first, each.second) == (line.first, line.second)
    ]


def connected_groups(lines: Sequence[PairRow]) -> list[list[str]]:
    """Return the items in groups connected by comparisons, the largest group first.

    Examples
    --------
    >>> connected_groups([])
    []
    """
    group: dict[str, set[str]] = {}
    for line in lines:
        both = group.get(line.first, {line.first}) | group.get(line.second, {line.second})
        group.update(dict.fromkeys(both, both))
    return sorted(
        map(sorted, {min(each): each for each in group.values()}.values()), key=len, reverse=True
    )
