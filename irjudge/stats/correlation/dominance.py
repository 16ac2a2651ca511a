"""Counts, for each item, how many others it agrees with: the work behind every Kendall-like statistic, in n log² n."""

from dataclasses import dataclass

import numpy as np

from irjudge.stats.rankings import Longs


@dataclass(frozen=True, slots=True, eq=False)
class Agreements:
    """How the other items stand to each of K items in two rankings; all of shape (K,)."""

    above: Longs  # others strictly above it in both rankings
    below: Longs  # others strictly below it in both rankings
    crossed: Longs  # others above it in one ranking and below it in the other
    # others tied with it in the first ranking, in the second, in both
    tied_first: Longs
    tied_second: Longs
    tied_both: Longs

    @property
    def concordant(self) -> int:
        """Pairs of items in the same order in both rankings."""
        return int(self.above.sum())

    @property
    def discordant(self) -> int:
        """Pairs of items in opposite order."""
        return int(self.crossed.sum()) // 2

    @property
    def tied_once(self) -> tuple[int, int]:
        """Pairs tied in the first ranking only, and in the second only."""
        both = int(self.tied_both.sum())
        return (int(self.tied_first.sum()) - both) // 2, (int(self.tied_second.sum()) - both) // 2


def agreements(first: Longs, second: Longs) -> Agreements:
    """Return how items agree in two rankings, shape (K,) each: places of the same items, 1 for the top; equal places are ties.

    >>> found = agreements(np.array([1, 2, 3]), np.array([2, 1, 3]))
    >>> found.above.tolist(), found.concordant, found.discordant
    ([0, 0, 2], 2, 1)
    """
    others = len(first) - 1
    above, below = above_in_both(first, second), above_in_both(-first, -second)
    tied_first, tied_second = _equal(first) - 1, _equal(second) - 1
    _, pair = np.unique(np.stack((first, second)), axis=1, return_inverse=True)
    tied_both = _equal(pair.reshape(-1).astype(np.int64)) - 1
    crossed = others - above - below - tied_first - tied_second + tied_both
    return Agreements(above, below, crossed, tied_first, tied_second, tied_both)


def above_in_both(first: Longs, second: Longs) -> Longs:
    """Return for each item how many others have a smaller place in both rankings, shape (K,).

    The items stand by `first`; then, as a merge sort does, blocks of doubling width are looked at: an item of a right half counts
    those of its left half that `second` puts before it. All blocks of one width are done at once.
    """
    count = len(first)
    # Among items tied in `first` the worst of `second` stands first, so that none of them counts another.
    order = np.lexsort((-second, first))
    place = second[order] - second.min(initial=0)
    span = int(place.max(initial=0)) + 1
    at, found = np.arange(count), np.zeros(count, dtype=np.int64)
    width = 1
    while width < count:
        block, left = at // (2 * width), (at // width) % 2 == 0
        # At equal places the right half goes first: equal is not above.
        walk = np.argsort((block * span + place) * 2 + left, kind="stable")
        passed = np.cumsum(left[walk])
        before_block = block[walk] * width  # every earlier block has a full left half
        right = ~left[walk]
        found[walk[right]] += (passed - before_block)[right]
        width *= 2
    result = np.empty(count, dtype=np.int64)
    result[order] = found
    return result


def _equal(codes: Longs) -> Longs:
    """Return for each item how many have its code, itself included."""
    _, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    equal: Longs = counts[inverse.reshape(-1)].astype(np.int64)
    return equal
