"""Which pairs of items to compare: all of them, a random part, or one after another until the best few are known."""

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.stats.rankings import Flags, Longs
from irjudge.stats.seeded_random import Stream
from irjudge.stats.significance.differences import all_pairs


def shuffled_pairs(items: int, *, seed: int) -> Longs:
    """Return every two items in random order, shape (P, 2), the lower code first.

    >>> sorted(shuffled_pairs(3, seed=1).tolist())
    [[0, 1], [0, 2], [1, 2]]
    """
    pairs = all_pairs(items)
    return pairs[Stream(seed).orders(1, len(pairs))[0]] if len(pairs) else pairs


def random_pairs(items: int, budget: int, *, seed: int) -> Longs:
    """Return some of the pairs of items, each at most once, so that items are compared about equally often; the same seed gives the same.

    Shape (P, 2) with P = min(budget, items (items - 1) / 2), the lower code first. From a budget of items - 1 on, a chain of comparisons
    joins every two items, which strengths need. Rounds of random orders, each item with its next and the last with the first; pairs that
    were there before are left out. IrjudgeError when the budget is below 1.

    >>> len(random_pairs(6, 5, seed=1)), len(random_pairs(6, 99, seed=1))
    (5, 15)
    """
    if budget < 1:
        raise IrjudgeError("The number of pairs must be 1 or more, got {budget}.", budget=budget)
    total, stream = items * (items - 1) // 2, Stream(seed)
    chosen: dict[int, None] = {}
    while len(chosen) < min(budget, total // 2):
        order = stream.orders(1, items)[0]
        after = np.roll(order, -1)
        chosen |= dict.fromkeys(
            (np.minimum(order, after) * items + np.maximum(order, after)).tolist()
        )
    # Beyond half of all pairs, rounds would mostly find what is there: the rest follows in random order.
    rest = shuffled_pairs(items, seed=seed)
    codes = np.array(
        list(chosen | dict.fromkeys((rest[:, 0] * items + rest[:, 1]).tolist())), dtype=np.int64
    )[:budget]
    return np.stack((codes // max(1, items), codes % max(1, items)), axis=1)


class TopSearch:
    """Finds the best k of items by asking for one comparison after another.

    It knows what was answered and says which pair to ask next; the seed decides where several are as good. Only strict preferences are
    taken as transitive: if a is better than b and b than c, then a is better than c, unless some answer contradicts it. A tie says nothing
    of any other pair. IrjudgeError when `top`, how many of the best are wanted, is below 1.

    A tournament: of the items that nothing unsettled is known to beat, the two that beat the fewest meet next. When every two of them are
    known to each other, they are settled, together where they are tied or beat each other in a circle. Without ties and contradictions that
    is items - 1 comparisons for the best one and about log₂(items) for each one after it.

    >>> search = TopSearch(4, 1, seed=1)
    >>> while (pair := search.next_pair()) is not None:
    ...     search.answer(*pair, 1 if pair[0] < pair[1] else -1)  # the lower the better
    >>> search.ranking(), search.asked
    ([[0]], 3)
    """

    def __init__(self, items: int, top: int, *, seed: int) -> None:
        if top < 1:
            raise IrjudgeError("The number of best items must be 1 or more, got {top}.", top=top)
        self._items, self._top = items, min(top, items)
        self._reaches = np.eye(items, dtype=bool)
        self._tied = np.eye(items, dtype=bool)
        self._luck = Stream(seed).orders(1, items)[0] if items else np.empty(0, dtype=np.int64)
        self.asked = 0

    def answer(self, first: int, second: int, outcome: int) -> None:
        """Take in an answer: 1 where the first is better, -1 where the second is, 0 for a tie."""
        self.asked += 1
        if outcome == 0:
            self._tied[first, second] = self._tied[second, first] = True
            return
        better, worse = (first, second) if outcome > 0 else (second, first)
        if not self._reaches[better, worse]:
            self._reaches |= self._reaches[:, better, None] & self._reaches[None, worse, :]

    def next_pair(self) -> tuple[int, int] | None:
        """Return the pair to ask next; None when the best are known."""
        _, level = self._settled()
        if not len(level):
            return None
        unknown = ~self._known()[np.ix_(level, level)]
        beaten = self._beats().sum(axis=1)[level]
        one, two = np.nonzero(np.triu(unknown, 1))
        luck = self._luck[level]
        best = np.lexsort(
            (luck[one] + luck[two], beaten[one] + beaten[two], np.maximum(beaten[one], beaten[two]))
        )[0]
        return int(level[one[best]]), int(level[two[best]])

    def ranking(self) -> list[list[int]]:
        """Return the settled items, best first; those that are tied or in a circle together. The last group may go beyond the top."""
        return self._settled()[0]

    def _settled(self) -> tuple[list[list[int]], Longs]:
        """Return the settled groups, and the items among which some comparison is wanted next; none when all that is wanted is known."""
        beats, known = self._beats(), self._known()
        open_, groups = np.ones(self._items, dtype=bool), list[list[int]]()
        while sum(map(len, groups)) < self._top:
            level = np.flatnonzero(open_ & ~beats[open_].any(axis=0))
            if not known[np.ix_(level, level)].all():
                return groups, level
            groups.append(level.tolist())
            open_[level] = False
        return groups, np.empty(0, dtype=np.int64)

    def _beats(self) -> Flags:
        """Return who is better than whom, shape (K, K): on a way of preferences that no other way leads back."""
        beats: Flags = self._reaches & ~self._reaches.T
        return beats

    def _known(self) -> Flags:
        known: Flags = self._reaches | self._reaches.T | self._tied
        return known
