"""What preferences prove, pair by pair: the engine's findings put together to lines of a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from irjudge.evaluation import Finding
from irjudge.stats.significance import holm

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two items that were compared."""

    topic: str  # of documents; empty for systems
    # names
    first: str
    second: str
    share: Finding  # wins among the decided answers, with the sign test
    net: Finding  # wins less losses among all answers, with the trinomial test and an interval over topics and assessors
    majorities: Finding | None = (
        None  # topics won among those decided, with the sign test; None where topics are not known
    )
    more: Finding | None = (
        None  # how many more answers it takes to notice the share that is planned for; None where that is not known
    )
    p_adjusted: float = (
        1.0  # of the test that the conclusion rests on, for the number of pairs (Holm)
    )

    @property
    def wins(self) -> int:
        """How often the first was better."""
        return self.share.count or 0

    @property
    def losses(self) -> int:
        """How often the second was better."""
        return (self.share.total or 0) - self.wins

    @property
    def ties(self) -> int:
        """How often neither was."""
        return (self.net.total or 0) - (self.share.total or 0)

    @property
    def p(self) -> float:
        """Of the sign test that the conclusion rests on: over topics where they are known, since answers on one topic go together."""
        found = (self.majorities or self.share).p
        return 1.0 if found is None else found

    @property
    def sure(self) -> bool:
        """Whether a preference is beyond what chance explains: by that test, and by the interval, which must leave out 0."""
        low, high = self.net.low, self.net.high
        beside = low is not None and high is not None and (low > 0 or high < 0)
        return beside and self.p_adjusted < LEVEL


def build_pair_rows(findings: Iterable[Finding], topic: str = "") -> list[PairRow]:
    """Return a line for each pair; of documents for those of one topic."""
    by_pair: dict[tuple[str, str], dict[str, Finding]] = {}
    for each in findings:
        if each.part in ("pairs", "plan") and each.topic == topic:
            name = "more" if each.part == "plan" else each.statistic
            by_pair.setdefault((each.first, each.second), {})[name] = each
    lines = [
        PairRow(
            topic,
            *pair,
            found["wins, ties dropped"],
            found["net preference"],
            found.get("topics won"),
            found.get("more"),
        )
        for pair, found in by_pair.items()
    ]
    adjusted = holm([line.p for line in lines]).tolist() if lines else []
    return [replace(line, p_adjusted=p) for line, p in zip(lines, adjusted, strict=True)]


def select_part(
    findings: Iterable[Finding], part: str, *, topic: str = "", statistic: str = ""
) -> list[Finding]:
    """Return the findings of a part, those of one topic or of none; all statistics, or one."""
    return [
        each
        for each in findings
        if each.part == part and each.topic == topic and statistic in ("", each.statistic)
    ]


def select_pair(findings: Iterable[Finding], part: str, line: PairRow) -> list[Finding]:
    """Return the findings of a part that are about a pair, of whatever topic or assessor."""
    return [
        each
        for each in findings
        if each.part == part and (each.first, each.second) == (line.first, line.second)
    ]


def connected_groups(lines: Sequence[PairRow]) -> list[list[str]]:
    """Return the items in groups, the largest first, within which a chain of comparisons joins every two.

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
