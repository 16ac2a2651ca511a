"""Shares pairs of topic and document out among assessors: whole blocks of topics where possible, loads within one."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from irjudge.stats.sampling import SeededDraw

Pair = tuple[str, str]  # topic and document


@dataclass(frozen=True, slots=True)
class Judge:
    """An assessor as sharing out sees them."""

    name: str  # who
    topics: frozenset[str] | None = None  # the only topics they judge; None for all
    most: int | None = None  # the most pairs they take; None for any number

    def may(self, topic: str) -> bool:
        """Tell whether they judge a topic."""
        return self.topics is None or topic in self.topics


@dataclass(slots=True)
class Shares:
    """Who got which pairs, and the pairs (once for each copy) that nobody could take."""

    of: dict[str, list[Pair]] = field(default_factory=dict)
    left: list[Pair] = field(default_factory=list)


def share_out(
    copies: Mapping[Pair, int],
    judges: Sequence[Judge],
    draw: SeededDraw,
    *,
    has: Mapping[str, Iterable[Pair]] | None = None,
    loads: Mapping[str, int] | None = None,
) -> Shares:
    """Give each pair to as many different assessors as it needs.

    The copies are laid out in a line, one layer for each copy and topic after topic in it, and the line is cut into pieces of equal
    length, one for each assessor. So an assessor works on whole topics where the lengths allow it, and nobody gets a pair
    twice. Each layer begins at another topic, so that the same assessors do not go through all topics together.
    """
    sharing = _Sharing(copies, judges, draw, has or {}, loads or {})
    for pair in _line(copies, draw, len(judges)):
        sharing.give(pair)
    sharing.level()
    return Shares({judge.name: sharing.pairs[judge.name] for judge in judges}, sharing.left)


def _line(copies: Mapping[Pair, int], draw: SeededDraw, judges: int) -> Iterable[Pair]:
    """Yield all copies, layer after layer."""
    topics = draw.shuffled(list(dict.fromkeys(topic for topic, _ in copies)), "topics")
    by_topic: dict[str, list[Pair]] = {topic: [] for topic in topics}
    for pair in copies:
        by_topic[pair[0]].append(pair)
    most = max(copies.values(), default=0)
    for layer in range(most):
        first = layer * max(1, round(len(topics) / max(1, judges))) % len(topics)
        for topic in topics[first:] + topics[:first]:
            yield from (pair for pair in by_topic[topic] if copies[pair] > layer)


class _Sharing:
    """The state of sharing out: who has what, and how much each is still to get."""

    def __init__(
        self,
        copies: Mapping[Pair, int],
        judges: Sequence[Judge],
        draw: SeededDraw,
        has: Mapping[str, Iterable[Pair]],
        loads: Mapping[str, int],
    ) -> None:
        self._judges = draw.shuffled(list(judges), "judges", lambda judge: judge.name)
        self.pairs: dict[str, list[Pair]] = {judge.name: [] for judge in judges}
        self.left: list[Pair] = []
        self._has = {judge.name: set(has.get(judge.name, ())) for judge in judges}
        self._load = Counter({judge.name: loads.get(judge.name, 0) for judge in judges})
        self._targets = _targets(self._judges, self._load, sum(copies.values()))
        self._open = list(self._judges)

    def give(self, pair: Pair) -> None:
        """Give a copy to the first who is to get more; to the least loaded where all have enough; to nobody where nobody may."""
        self._open = [
            judge for judge in self._open if self._load[judge.name] < self._targets[judge.name]
        ]
        judge = next((judge for judge in self._open if self._can(judge, pair)), None)
        if judge is None:
            able = [judge for judge in self._judges if self._can(judge, pair)]
            judge = min(able, key=lambda each: self._load[each.name], default=None)
        if judge is None:
            self.left.append(pair)
            return
        self._take(judge, pair)

    def _can(self, judge: Judge, pair: Pair) -> bool:
        fits = judge.most is None or self._load[judge.name] < judge.most
        return fits and judge.may(pair[0]) and pair not in self._has[judge.name]

    def _take(self, judge: Judge, pair: Pair) -> None:
        self.pairs[judge.name].append(pair)
        self._has[judge.name].add(pair)
        self._load[judge.name] += 1

    def level(self) -> None:
        """Move pairs from the most to the least loaded until no move makes loads more alike."""
        moving = True
        while moving:
            order = sorted(self._judges, key=lambda judge: self._load[judge.name])
            moving = any(
                self._move(high, low)
                for high in reversed(order)
                for low in order
                if self._gap(high, low) > 1
            )

    def _gap(self, high: Judge, low: Judge) -> int:
        return self._load[high.name] - self._load[low.name]

    def _move(self, high: Judge, low: Judge) -> bool:
        """Move one pair, of a topic that the receiver works on already where there is one."""
        pairs = self.pairs[high.name]
        able = [place for place in range(len(pairs) - 1, -1, -1) if self._can(low, pairs[place])]
        if not able:
            return False
        topics = {topic for topic, _ in self.pairs[low.name]}
        place = next((place for place in able if pairs[place][0] in topics), able[0])
        pair = pairs.pop(place)
        self._has[high.name].remove(pair)
        self._load[high.name] -= 1
        self._take(low, pair)
        return True


def _targets(judges: Sequence[Judge], loads: Mapping[str, int], more: int) -> dict[str, int]:
    """Return the load each is to reach: as alike as what they have and the most they take allow."""
    targets = {judge.name: loads[judge.name] for judge in judges}
    rising = [judge for judge in judges if judge.most is None or judge.most > loads[judge.name]]
    while more and rising:
        low = min(targets[judge.name] for judge in rising)
        lowest = [judge for judge in rising if targets[judge.name] == low]
        above = min(
            (targets[judge.name] for judge in rising if targets[judge.name] > low),
            default=low + more,
        )
        limits = [judge.most - low for judge in lowest if judge.most is not None]
        step = max(1, min([above - low, more // len(lowest) or 1, *limits]))
        for judge in lowest[: more if more < len(lowest) else None]:
            targets[judge.name] += step
            more -= step
        rising = [
            judge for judge in rising if judge.most is None or judge.most > targets[judge.name]
        ]
    return targets
