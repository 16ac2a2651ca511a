"""Wins, losses and ties of every two items that were compared, and the orders that they contradict."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from irjudge.model.preference import Preferences
from irjudge.stats.rankings import Floats, Longs


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """How often either of two items was better, for each of P pairs that were compared."""

    items: int  # how many items there are, K; some may not be compared at all
    # shape (P,): codes of the items, first < second, in ascending order
    first: Longs
    second: Longs
    # shape (P,): how often the first was better, the second, neither
    wins: Floats
    losses: Floats
    ties: Floats

    def __len__(self) -> int:
        return len(self.first)

    @classmethod
    def of_matrix(cls, wins: Floats, ties: Floats | None = None) -> "PairCounts":
        """Return the counts of a table: row beats column, shape (K, K), and ties above the diagonal, shape (K, K).

        >>> PairCounts.of_matrix(np.array([[0, 3], [1, 0]])).losses
        array([1.])
        """
        wins = np.asarray(wins, dtype=np.float64)
        tied = np.zeros_like(wins) if ties is None else np.asarray(ties, dtype=np.float64)
        one, two = np.triu_indices(len(wins), 1)
        compared = wins[one, two] + wins[two, one] + tied[one, two] > 0
        one, two = one[compared].astype(np.int64), two[compared].astype(np.int64)
        return cls(len(wins), one, two, wins[one, two], wins[two, one], tied[one, two])


def count_pairs(preferences: Preferences) -> PairCounts:
    """Return the counts of each pair, over all topics and assessors.

    >>> from irjudge.model.preference import make_preferences
    >>> found = count_pairs(make_preferences(["a", "b", "a"], ["b", "a", "b"], [1, 1, 0]))
    >>> found.wins.tolist(), found.losses.tolist(), found.ties.tolist()
    ([1.0], [1.0], [1.0])
    """
    one, two, sign = oriented(preferences)
    items = len(preferences.items)
    pair, at = np.unique(one * items + two, return_inverse=True)
    counts = (
        np.bincount(at[sign == each], minlength=len(pair)).astype(np.float64) for each in (1, -1, 0)
    )
    return PairCounts(items, pair // max(1, items), pair % max(1, items), *counts)


def oriented(preferences: Preferences) -> tuple[Longs, Longs, Longs]:
    """Return for each answer the item of the lower code, the other, and 1 where the lower won, -1 where it lost, 0 for a tie."""
    turned = preferences.left > preferences.right
    one, two = (
        np.minimum(preferences.left, preferences.right),
        np.maximum(preferences.left, preferences.right),
    )
    return (
        one.astype(np.int64),
        two.astype(np.int64),
        np.where(turned, -preferences.winner, preferences.winner).astype(np.int64),
    )


def in_one_order(preferences: Preferences) -> Preferences:
    """Return the answers in an order that hangs neither on that of the rows nor on sides, so that sums and draws are always the same."""
    one, two, sign = oriented(preferences)
    return preferences.where(np.lexsort((sign, two, one, preferences.assessor, preferences.topic)))


def components(counts: PairCounts) -> Longs:
    """Return the group of each item, shape (K,): items are in one when a chain of comparisons joins them."""
    return _components(counts.items, counts.first, counts.second, strong=False)


def copeland(counts: PairCounts) -> Longs:
    """Return for each item how many others it beats in most of their comparisons, less how many beat it: shape (K,).

    References
    ----------
    Copeland (1951), A reasonable social welfare function, University of Michigan.

    Examples
    --------
    >>> copeland(PairCounts.of_matrix(np.array([[0, 6, 4], [4, 0, 6], [6, 4, 0]]))).tolist()
    [0, 0, 0]
    """
    ahead = np.sign(counts.wins - counts.losses)
    score = np.bincount(counts.first, ahead, counts.items) - np.bincount(
        counts.second, ahead, counts.items
    )
    result: Longs = score.astype(np.int64)
    return result


def condorcet_winner(counts: PairCounts) -> int | None:
    """Return the item that beats each other one in most of their comparisons; None when there is none."""
    best = np.flatnonzero(copeland(counts) == counts.items - 1)
    return int(best[0]) if len(best) and counts.items > 1 else None


def cycles(counts: PairCounts) -> list[tuple[int, ...]]:
    """Return a shortest cycle of each group of items that beat each other in a circle, each item the next one and the last the first.

    An item beats another when it wins more of their comparisons than it loses.

    >>> cycles(PairCounts.of_matrix(np.array([[0, 6, 4], [4, 0, 6], [6, 4, 0]])))
    [(0, 1, 2)]
    """
    better, worse = _beats(counts)
    group = _components(counts.items, better, worse, strong=True)
    inside = group[better] == group[worse]
    better, worse = better[inside], worse[inside]
    return [
        _shortest_cycle(counts.items, better, worse, np.flatnonzero(group == each))
        for each in np.unique(group[better]).tolist()
    ]


def circular_triads(counts: PairCounts) -> int:
    """Return how many sets of three items beat each other in a circle.

    References
    ----------
    Kendall and Babington Smith (1940), On the method of paired comparisons, Biometrika 31.
    """
    better, worse = _beats(counts)
    beats = _graph(counts.items, better, worse)
    return round(float((beats @ beats).multiply(beats.T).sum()) / 3)


def _beats(counts: PairCounts) -> tuple[Longs, Longs]:
    """Return for each pair with a majority who has it and who has not."""
    ahead, behind = counts.wins > counts.losses, counts.wins < counts.losses
    better = np.concatenate((counts.first[ahead], counts.second[behind]))
    return better, np.concatenate((counts.second[ahead], counts.first[behind]))


def _graph(items: int, begin: Longs, end: Longs) -> Any:
    return scipy.sparse.coo_array((np.ones(len(begin)), (begin, end)), shape=(items, items)).tocsr()


def _components(items: int, begin: Longs, end: Longs, *, strong: bool) -> Longs:
    if not items:
        return np.empty(0, dtype=np.int64)
    found = scipy.sparse.csgraph.connected_components(
        _graph(items, begin, end), directed=strong, connection="strong"
    )[1]
    result: Longs = found.astype(np.int64)
    return result


def _shortest_cycle(items: int, begin: Longs, end: Longs, members: Longs) -> tuple[int, ...]:
    graph = _graph(items, begin, end)
    best: tuple[int, ...] = ()
    for start in members.tolist():
        order, before = scipy.sparse.csgraph.breadth_first_order(graph, start)
        back = set(begin[end == start].tolist())
        last = next(item for item in order.tolist() if item in back)
        path = [last]
        while path[-1] != start:
            path.append(int(before[path[-1]]))
        if not best or len(path) < len(best):
            best = tuple(reversed(path))
        if len(best) == 3:
            break
    return best


def winnable(counts: PairCounts) -> bool:
    """Tell whether every item is better than or tied with some other along a way to any other one: finite strengths need it.

    Ties count as a way in both directions; see `strengths` for what else they need.
    """
    forth, back = counts.wins + counts.ties > 0, counts.losses + counts.ties > 0
    begin, end = (
        np.concatenate((counts.first[forth], counts.second[back])),
        np.concatenate((counts.second[forth], counts.first[back])),
    )
    return bool((_components(counts.items, begin, end, strong=True) == 0).all())
