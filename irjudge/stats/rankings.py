"""Two rankings side by side: what every rank correlation sees."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.message import Message

Longs: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Items = Literal["common", "union"]
ITEMS: tuple[Items, ...] = get_args(Items)
ITEMS_MEAN: dict[Items, str] = {
    "common": Message("only items that both rankings hold"),
    "union": Message("all items; those a ranking lacks are tied after its last"),
}

# Scores that are equal but for rounding are ties: a mean of 50 values is known to about 1e-15 of itself.
SAME = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class RankPair:
    """Two rankings over K items."""

    # shape (K,): the item's place in each ranking, 1 for the top; tied items share their place, and the next place is one more, however
    # many are tied. 0 where a ranking lacks the item. No item is lacking in both.
    first: Longs
    second: Longs

    @classmethod
    def of_scores(cls, first: npt.ArrayLike, second: npt.ArrayLike) -> "RankPair":
        """Return the rankings of the same items by two scores, higher is better; equal scores are tied.

        Parameters
        ----------
        first, second
            Shape (K,), no nan. Scores that differ by less than 1e-12 of the largest are equal.

        Raises
        ------
        MeasureError
            When the lengths differ or a score is nan.

        Examples
        --------
        >>> pair = RankPair.of_scores([.9, .5, .5], [.1, .3, .2])
        >>> pair.first.tolist(), pair.second.tolist()
        ([1, 2, 2], [3, 1, 2])
        """
        one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
        if one.shape != two.shape or one.ndim != 1:
            raise MeasureError(
                "Two rankings of the same items need as many scores each, got {first} and {second}.", first=one.size, second=two.size
            )
        if np.isnan(one).any() or np.isnan(two).any():
            raise MeasureError("A score is not a number, so its item has no place in the ranking.")
        return cls(places(one), places(two))

    @classmethod
    def of_lists(cls, first: Iterable[object], second: Iterable[object]) -> "RankPair":
        """Return the rankings that two lists are, best first; a set, list or tuple inside holds tied items.

        Raises
        ------
        MeasureError
            When a list holds an item twice.

        Examples
        --------
        >>> pair = RankPair.of_lists(["d1", {"d2", "d3"}], ["d4", "d1"])
        >>> pair.first.tolist(), pair.second.tolist()
        ([1, 2, 2, 0], [2, 0, 0, 1])
        """
        one, two = _placed(first), _placed(second)
        items = sorted({**one, **two}, key=lambda item: (one.get(item, len(one) + 1), two.get(item, 0)))
        return cls(*(np.array([ranking.get(item, 0) for item in items], dtype=np.int64) for ranking in (one, two)))

    def __len__(self) -> int:
        return len(self.first)

    @property
    def common(self) -> Flags:
        """Which items both rankings hold, shape (K,)."""
        held: Flags = (self.first > 0) & (self.second > 0)
        return held

    @property
    def tied(self) -> bool:
        """Whether either ranking has ties."""
        return any(int(each.max(initial=0)) < np.count_nonzero(each) for each in (self.first, self.second))

    def swapped(self) -> "RankPair":
        """Return the same with the second ranking first."""
        return RankPair(self.second, self.first)

    def over(self, items: Items) -> "RankPair":
        """Return rankings of the same items: those both hold, or all with the missing ones tied last.

        Examples
        --------
        >>> pair = RankPair.of_lists("ab", "cb")
        >>> len(pair.over("common")), pair.over("union").first.tolist()
        (1, [1, 2, 3])
        """
        if items == "common":
            return RankPair(self.first[self.common], self.second[self.common])
        return RankPair(*(np.where(each > 0, each, each.max(initial=0) + 1) for each in (self.first, self.second)))


def places(scores: Floats) -> Longs:
    """Return each item's place by score, 1 for the highest; equal scores share one.

    Scores are equal when they differ by less than 1e-12 of the largest finite one.

    Examples
    --------
    >>> places(np.array([.1 + .2, .3, .5])).tolist()
    [2, 2, 1]
    """
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    # Two infinite scores are equal though their difference is no number.
    with np.errstate(invalid="ignore"):
        new = (falling[:-1] != falling[1:]) & ~(falling[:-1] - falling[1:] <= SAME * _largest(scores))
    result = np.empty(len(scores), dtype=np.int64)
    result[order] = np.cumsum(np.concatenate(([1], new)))[: len(scores)]
    return result


def _largest(scores: Floats) -> float:
    return float(np.abs(scores[np.isfinite(scores)]).max(initial=0.0))


def _placed(ranking: Iterable[object]) -> dict[Hashable, int]:
    """Return the place of each item of a list."""
    placed: dict[Hashable, int] = {}
    for place, group in enumerate(ranking, 1):
        for item in group if isinstance(group, set | frozenset | list | tuple) else (group,):
            if item in placed:
                raise MeasureError(
                    "A ranking holds {item!r} twice, at places {placed} and {place}.", item=item, placed=placed[item], place=place
                )
            placed[item] = place
    return placed


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Where the items of one ranking stand, counted in ranks: a tied item stands from `top` to `bottom`."""

    # shape (K,): first and last rank of the item's tie group, 1 for the best; 0 where the ranking lacks the item
    top: Longs
    bottom: Longs
    length: int  # items of the ranking

    @property
    def middle(self) -> Floats:
        """The mean rank of the item's tie group, shape (K,)."""
        middle: Floats = (self.top + self.bottom) / 2
        return middle

    def where(self, kept: Flags) -> "Spans":
        """Return the same ranking seen from some of the items only."""
        return replace(self, top=self.top[kept], bottom=self.bottom[kept])


def spans(place: Longs) -> Spans:
    """Return the ranks that places stand for.

    Examples
    --------
    >>> found = spans(np.array([1, 2, 2, 0, 3]))
    >>> found.top.tolist(), found.bottom.tolist(), found.length
    ([1, 2, 2, 0, 4], [1, 3, 3, 0, 4], 4)
    """
    size = np.bincount(place, minlength=1)
    size[0] = 0
    bottom = np.cumsum(size)[place] if len(place) else np.empty(0, dtype=np.int64)
    return Spans(np.where(place > 0, bottom - size[place] + 1, 0), np.where(place > 0, bottom, 0), int(size.sum()))
