"""How high or low a sum of discounted gains divided by the ideal one can be made, level by level of gain."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from irjudge.metrics.basis.bounds import FAR, Unsettled, by_topic
from irjudge.metrics.basis.gain_and_discount import Discount, Gain, discounts, gains
from irjudge.metrics.basis.judged import Floats, JudgedRun

# A level is one of the different gains that a document can have; what it gains is the sum of the steps up to its level.


@dataclass(frozen=True, slots=True)
class Weights:
    """What a gain at a rank is multiplied with: 0 for rank 0, not retrieved, and beyond the cutoff."""

    discount: Discount
    base: float
    cutoff: int | None

    def __call__(self, rank: npt.NDArray[Any]) -> Floats:
        """Return the weights of ranks, in the same shape."""
        limit = FAR if self.cutoff is None else self.cutoff
        weight = 1 / discounts(np.maximum(rank, 1), self.discount, self.base)
        return np.where((rank > 0) & (rank <= limit), weight, 0.0)

    def ideal(self, length: int) -> Floats:
        """Return the sums of the weights of the first 0, 1, 2 … ranks, as far as they grow and `length` reaches."""
        reach = length if self.cutoff is None else min(length, self.cutoff)
        return np.concatenate(([0.0], np.cumsum(self(np.arange(1, reach + 1)))))


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One topic: Σ steps · (known + what open documents add) / Σ steps · (ideal of each level's documents), made as high as can be."""

    levels: Floats  # L gains, ascending from 0
    known: Floats  # shape (L − 1,): for each level above 0 the weights of the judged documents of that level or more
    relevant: npt.NDArray[
        np.int64
    ]  # shape (L − 1,): how many documents were judged of that level or more
    weigh: Weights  # the weight of ranks

    def negative(self) -> "Problem":
        """Return the problem of which the highest value is minus the lowest of this one."""
        return Problem(self.levels, -self.known, self.relevant, self.weigh)

    def highest_of(self, lead: Floats, outside: float) -> float:
        """Return the highest value where documents may add `lead`, and `outside` others only lengthen the ideal."""
        ordered = np.sort(lead)[::-1]
        places = int(np.searchsorted(-ordered, 0.0))
        if self.weigh.cutoff is not None:
            # Once the ideal is full, further documents change nothing.
            outside = min(outside, float(self.weigh.cutoff))
        if np.isinf(outside):
            return max(self.highest(ordered), 0.0)
        return self.highest(
            np.concatenate((ordered[:places], np.zeros(int(outside)), ordered[places:]))
        )

    def highest(self, add: Floats, *, first: float = 0) -> float:
        """Return the highest value where each level has some first documents of `add`, descending, and `first` others in its ideal.

        By Dinkelbach's method: N / D <= c everywhere exactly where N − c·D <= 0 everywhere, and the latter falls apart into levels, of
        which each has at most as many documents as the one below.
        """
        steps = np.diff(self.levels)
        added = np.concatenate(([0.0], np.cumsum(add)))
        if np.isinf(first) and self.weigh.cutoff is None:
            return 0.0  # the ideal grows without end
        start = int(min(first, float(self.weigh.cutoff or 0) if np.isinf(first) else first))
        sums = self.weigh.ideal(int(self.relevant.max(initial=0)) + start + len(add))
        over = [steps[level] * (self.known[level] + added) for level in range(len(steps))]
        under = [
            steps[level]
            * sums[np.minimum(self.relevant[level] + start + np.arange(len(added)), len(sums) - 1)]
            for level in range(len(steps))
        ]
        chosen = [0] * len(steps)
        while True:
            best = _ratio(over, under, chosen)
            chosen = _best_counts(
                [above - best * below for above, below in zip(over, under, strict=True)]
            )
            if not _ratio(over, under, chosen) > best:
                return best


def _ratio(over: list[Floats], under: list[Floats], chosen: list[int]) -> float:
    below = float(sum(values[count] for values, count in zip(under, chosen, strict=True)))
    return (
        float(sum(values[count] for values, count in zip(over, chosen, strict=True))) / below
        if below
        else 0.0
    )


def _best_counts(worth: list[Floats]) -> list[int]:
    """Return how many documents each level has where the sum of `worth` is highest; no level has more than the one below it."""
    best: list[npt.NDArray[np.int64]] = []
    total: Floats = np.zeros(len(worth[0])) if worth else np.zeros(1)
    for values in reversed(worth):
        reached = values + total
        total = np.maximum.accumulate(reached)
        is_new = np.concatenate(([True], reached[1:] > total[:-1]))
        best.append(np.maximum.accumulate(np.where(is_new, np.arange(len(reached)), 0)))
    counts, most = [], len(total) - 1
    for places in reversed(best):
        most = int(places[most])
        counts.append(most)
    return counts


def levels_of(run: Unsettled, gain: Gain) -> Floats:
    """Return the different gains of the grades of the scale and of those judged, ascending from 0."""
    return np.unique(
        np.concatenate(
            (
                [0.0],
                gains(np.array(run.grades, dtype=np.int32), gain),
                gains(run.judged.judged_grades, gain),
            )
        )
    )


def best_grade(run: Unsettled, gain: Gain) -> int:
    """Return the grade of the scale that gains most."""
    gained = gains(np.array(run.grades, dtype=np.int32), gain)
    return run.grades[int(gained.argmax())]


def weight_by_level(levels: Floats, gained: Floats, weight: Floats) -> Floats:
    """Return for each level above 0 the weights of the documents of that level or more."""
    return np.array([weight[gained >= level].sum() for level in levels[1:]])


def by_topic_and_level(
    judged: JudgedRun, levels: Floats, gain: Gain, weigh: Weights
) -> list[Floats]:
    """Return for each topic the weights of its retrieved documents by level."""
    gained, weight = gains(judged.hit_grade, gain), weigh(judged.hit_rank)
    return [
        weight_by_level(levels, gained[rows], weight[rows])
        for rows in by_topic(judged.hit_topic, len(judged))
    ]


def count_by_level(levels: Floats, gained: Floats) -> npt.NDArray[np.int64]:
    """Return for each level above 0 how many documents are of that level or more."""
    return np.array([(gained >= level).sum() for level in levels[1:]], dtype=np.int64)
