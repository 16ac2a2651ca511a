"""Rank-biased overlap: how alike two rankings are from the top down, as far as they are known and beyond."""

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from irjudge.errors import MeasureError
from irjudge.metrics.naming.parameters import Range
from irjudge.stats.correlation.registry import statistic
from irjudge.stats.rankings import Floats, Longs, RankPair, Spans, spans

Ties = Literal["a", "w", "b"]
Persistence = Annotated[float, Range(0, above=True)]


@dataclass(frozen=True, slots=True)
class Rbo:
    """Rank-biased overlap of two rankings."""

    extrapolated: float  # as if the agreement seen went on; between `low` and `high`
    # what it can be whatever stands below the known ranks
    low: float
    high: float

    @property
    def residual(self) -> float:
        """How far apart the lowest and the highest value are."""
        return self.high - self.low


@statistic(
    "rbo",
    title="Rank-biased overlap, extrapolated",
    formula="(1 - p)/p Σ_d p^d A_d, with A_d the agreement of the top d, extrapolated below the known ranks",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
    aliases=("rbo-ext",),
    always=("p",),
)
def rbo(pair: RankPair, *, p: Persistence = 0.9, ties: Ties = "a") -> float:
    """Return the mean agreement of the top d over all depths d, the first depths weighing most.

    Parameters
    ----------
    pair
        Two rankings, of any items and lengths.
    p
        How persistent the reader is, between 0 and 1: the chance to look at the next rank. At .9 the top 10 have 86 % of the weight.
    ties
        What a tie means. `a`: the order is unknown, the value is the mean over the orders (scores of a search engine). `b`: the
        same, corrected for what ties hide. `w`: the items really share the rank.

    Returns
    -------
    float
        Between 0 and 1; 0 where a ranking is empty.

    References
    ----------
    Webber, Moffat and Zobel (2010), A similarity measure for indefinite rankings, ACM TOIS 28(4).
    Corsi and Urbano (2024), The treatment of ties in rank-biased overlap, SIGIR.

    Examples
    --------
    >>> round(rbo(RankPair.of_lists("abcde", "badcf")), 6)
    0.74178
    """
    return rank_biased_overlap(pair, p=p, ties=ties).extrapolated


@statistic(
    "rbo-min",
    title="Rank-biased overlap, the least possible",
    formula="(1 - p)/p Σ_d p^d A_d where nothing below the known ranks agrees",
    bounds=(0, 1),
    kind="lists",
    same=None,
    opposite=None,
    always=("p",),
)
def rbo_min(pair: RankPair, *, p: Persistence = 0.9, ties: Ties = "a") -> float:
    """Return the rank-biased overlap that is certain; the parameters are those of `rbo`.

    Examples
    --------
    >>> round(rbo_min(RankPair.of_lists("abcde", "badcf")), 6)
    0.479371
    """
    return rank_biased_overlap(pair, p=p, ties=ties).low


@statistic(
    "rbo-res",
    title="Rank-biased overlap, residual",
    formula="the highest possible value less the least",
    bounds=(0, 1),
    kind="lists",
    same=None,
    opposite=None,
    always=("p",),
)
def rbo_res(pair: RankPair, *, p: Persistence = 0.9, ties: Ties = "a") -> float:
    """Return how much of the rank-biased overlap depends on ranks that are not known; the parameters are those of `rbo`.

    Examples
    --------
    >>> round(rbo_res(RankPair.of_lists("abcde", "badcf")), 6)
    0.380507
    """
    return rank_biased_overlap(pair, p=p, ties=ties).residual


def rank_biased_overlap(pair: RankPair, *, p: float = 0.9, ties: Ties = "a") -> Rbo:
    """Return rank-biased overlap, extrapolated, lowest and highest; see `rbo`. MeasureError when p is not between 0 and 1.

    >>> found = rank_biased_overlap(RankPair.of_lists("abc", "badcefg"))
    >>> round(found.extrapolated, 6), round(found.low, 6), round(found.residual, 6)
    (0.747109, 0.395528, 0.477472)
    """
    if not 0 < p < 1:
        raise MeasureError("rbo: p must be more than 0 and less than 1, got {p:g}.", p=p)
    pair = pair if np.count_nonzero(pair.first) <= np.count_nonzero(pair.second) else pair.swapped()
    shorter, longer = spans(pair.first), spans(pair.second)
    s, length = shorter.length, longer.length
    depth = np.arange(1, length + 1)
    walks = _Walk.of(shorter, length, ties), _Walk.of(longer, length, ties)
    seen = _shared(pair, walks, length)
    size = _size(walks, depth, ties)
    agreed = float(seen[s - 1] / size[s - 1]) if s else 0.0
    unseen = np.maximum(depth - s, 0)
    one, highest = _unmatched(pair, walks[1], unseen)
    weight = p**depth
    last = float(seen[-1]) if length else 0.0
    scale = (1 - p) / p
    tail = p ** (length + 1) / (1 - p)
    return Rbo(
        scale
        * (
            float(weight @ ((seen + unseen * agreed * one) / size))
            + _extrapolated(last, agreed, s, length) * tail
        ),
        scale * (float(weight @ (seen / size)) + last * _beyond(p, length)),
        scale
        * (float(weight @ ((seen + highest) / size)) + _highest_tail(p, s, length, int(last))),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """A ranking seen depth by depth: at a depth one tie group is being entered, those before it are wholly inside."""

    # shape (K,): first and last rank of each item's group; beyond the last depth where the ranking lacks it
    top: Longs
    bottom: Longs
    share: Floats  # shape (D,): by how much the items of the group at this depth are inside
    # shape (D,): the sum of all items' shares, and of their squares
    total: Floats
    squares: Floats

    @classmethod
    def of(cls, stands: Spans, depths: int, ties: Ties) -> "_Walk":
        depth = np.arange(1, depths + 1)
        held = stands.top > 0
        top, bottom = (
            depth.copy(),
            depth.copy(),
        )  # below the known ranks the items are taken to be untied
        for ends, of_items in ((top, stands.top), (bottom, stands.bottom)):
            first = np.zeros(depths + 1, dtype=np.int64)
            first[stands.top[held]] = of_items[held]
            known = np.maximum.accumulate(first)[1 : stands.length + 1]
            ends[: stands.length] = known
        share: Floats = (
            np.ones(depths) if ties == "w" else (depth - top + 1.0) / (bottom - top + 1.0)
        )
        total = bottom.astype(np.float64) if ties == "w" else depth.astype(np.float64)
        squares = np.asarray(top - 1 + (bottom - top + 1) * share * share, dtype=np.float64)
        away = depths + 1
        return cls(
            np.where(held, stands.top, away),
            np.where(held, stands.bottom, away),
            share,
            total,
            squares,
        )

    def phases(
        self, depths: int
    ) -> tuple[tuple[Longs, Longs, Floats], tuple[Longs, Longs, Floats]]:
        """Return the depths at which items are entered and those at which they are inside: first, last, share."""
        return (self.top, self.bottom, self.share), (
            self.bottom + 1,
            np.full_like(self.bottom, depths),
            np.ones(depths),
        )


def _shared(pair: RankPair, walks: tuple[_Walk, _Walk], depths: int) -> Floats:
    """Return for each depth the sum over the items of the product of their shares, shape (D,)."""
    result = np.zeros(depths)
    for first in walks[0].phases(depths):
        for second in walks[1].phases(depths):
            begin, end = (
                np.maximum(first[0], second[0])[pair.common],
                np.minimum(first[1], second[1])[pair.common],
            )
            result += first[2] * second[2] * _present(begin, end, depths)
    return result


def _present(begin: Longs, end: Longs, depths: int) -> Longs:
    """Return for each depth from 1 how many intervals hold it; one that ends before it begins holds nothing."""
    some = begin <= end
    change = (
        np.bincount(begin[some], minlength=depths + 2)[: depths + 2]
        - np.bincount(end[some] + 1, minlength=depths + 2)[: depths + 2]
    )
    present: Longs = np.cumsum(change)[1 : depths + 1]
    return present


def _size(walks: tuple[_Walk, _Walk], depth: Longs, ties: Ties) -> Floats:
    """Return what the shared part is divided by at each depth, shape (D,)."""
    if ties == "a":
        return depth.astype(np.float64)
    if ties == "w":
        halves: Floats = (walks[0].total + walks[1].total) / 2
        return halves
    roots: Floats = np.sqrt(walks[0].squares) * np.sqrt(walks[1].squares)
    return roots


def _unmatched(pair: RankPair, longer: _Walk, unseen: Longs) -> tuple[Floats, Floats]:
    """Return, of the items that only the longer ranking holds, their mean share at each depth and the most that `unseen` of them add."""
    alone = pair.first == 0
    depths = len(unseen)
    entering, inside = (
        _present(begin[alone], end[alone], depths) for begin, end, _ in longer.phases(depths)
    )
    mean = (inside + longer.share * entering) / np.maximum(inside + entering, 1)
    most = np.minimum(unseen, inside) + longer.share * np.clip(unseen - inside, 0, entering)
    return mean, most


def _extrapolated(last: float, agreed: float, s: int, length: int) -> float:
    return (last + (length - s) * agreed) / length if length else 0.0


def _beyond(p: float, length: int) -> float:
    """Return Σ p^d / d over all depths beyond the known ones."""
    depth = np.arange(1, length + 1)
    return max(0.0, math.log(1 / (1 - p)) - float((p**depth / depth).sum()))


def _highest_tail(p: float, s: int, length: int, last: int) -> float:
    """Return Σ p^d A_d beyond the known depths when every new item matches one that is still unmatched."""
    full = length + s - last
    depth = np.arange(length + 1, full + 1)
    return float(((2 * depth - length - s + last) / depth * p**depth).sum()) + p ** (full + 1) / (
        1 - p
    )
