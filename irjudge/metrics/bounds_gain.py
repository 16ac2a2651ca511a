"""Bounds of the measures of graded relevance: CG, DCG and nDCG."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from irjudge.metrics.bounds import Interval, Refusal, Unsettled, UnsettledPair, bounded, bounded_difference, by_topic
from irjudge.metrics.bounds_ranked import FAR, linear_difference
from irjudge.metrics.gain import Discount, Gain, Ideal, cumulative_gain, discounted_cumulative_gain, discounts, gains
from irjudge.metrics.judged import Floats, JudgedRun
from irjudge.metrics.parameters import GainMap, Value


def _nothing_gains(values: dict[str, Value]) -> bool:
    gain = values["gain"]
    return isinstance(gain, GainMap) and dict(gain.pairs).get(0, 0) > 0


GRADE_0 = Refusal(_nothing_gains, "grade 0 gains something, so an unjudged document would gain whatever it is")
OWN_IDEALS = Refusal(lambda values: values["ideal"] == "retrieved", "each run has an ideal of its own with ideal=retrieved")


@bounded("CG", refusals=(GRADE_0,))
def cumulative_gain_bounds(run: Unsettled, *, gain: Gain, cutoff: int | None) -> Interval:
    """All that is open gains the most, or nothing."""
    return Interval(*(cumulative_gain(run.settle(grade), gain=gain, cutoff=cutoff) for grade in (0, _best_grade(run, gain))))


@bounded_difference("CG", refusals=(GRADE_0,))
def cumulative_gain_difference(pair: UnsettledPair, *, gain: Gain, cutoff: int | None) -> Interval:
    """What both have cancels."""
    now = cumulative_gain(pair.a.judged, gain=gain, cutoff=cutoff) - cumulative_gain(pair.b.judged, gain=gain, cutoff=cutoff)
    limit = FAR if cutoff is None else cutoff
    of_a, of_b = (((rank > 0) & (rank <= limit)).astype(np.float64) for rank in (pair.rank_a, pair.rank_b))
    return linear_difference(pair, now, (of_a - of_b) * _levels(pair.a, gain)[-1])


@bounded("DCG", refusals=(GRADE_0,))
def discounted_gain_bounds(run: Unsettled, *, gain: Gain, discount: Discount, base: float, cutoff: int | None) -> Interval:
    """All that is open gains the most, or nothing."""
    return Interval(
        *(
            discounted_cumulative_gain(run.settle(grade), gain=gain, discount=discount, base=base, cutoff=cutoff)
            for grade in (0, _best_grade(run, gain))
        )
    )


@bounded_difference("DCG", refusals=(GRADE_0,))
def discounted_gain_difference(pair: UnsettledPair, *, gain: Gain, discount: Discount, base: float, cutoff: int | None) -> Interval:
    """What both rank alike cancels."""
    of_a, of_b = (
        discounted_cumulative_gain(each.judged, gain=gain, discount=discount, base=base, cutoff=cutoff) for each in (pair.a, pair.b)
    )
    weigh = _Weights(discount, base, cutoff)
    weight = weigh(pair.rank_a) - weigh(pair.rank_b)
    return linear_difference(pair, of_a - of_b, weight * _levels(pair.a, gain)[-1])


@bounded("nDCG", refusals=(GRADE_0,))
def normalised_gain_bounds(run: Unsettled, *, gain: Gain, discount: Discount, base: float, ideal: Ideal, cutoff: int | None) -> Interval:
    """Every grade goes to the highest ranked first, or to the lowest ranked first while all that is outside gets the best."""
    levels, weigh = _levels(run, gain), _Weights(discount, base, cutoff)
    judged, count = run.judged, len(run.judged)
    here = run.upto(cutoff, 0)
    # An ideal of retrieved documents knows nothing of the others.
    outside = judged.count_by_topic(run.topic) - judged.count_by_topic(here.topic) if ideal == "retrieved" else here.outside
    hit_rank = [(judged.hit_rank[rows], gains(judged.hit_grade[rows], gain)) for rows in by_topic(judged.hit_topic, count)]
    low, high = np.zeros(count), np.zeros(count)
    topics = zip(hit_rank, by_topic(judged.judged_topic, count), by_topic(here.topic, count), strict=True)
    for topic, ((rank, gained), known, unknown) in enumerate(topics):
        counted = gained if ideal == "retrieved" else gains(judged.judged_grades[known], gain)
        problem = _Problem(levels, _by_level(levels, gained, weigh(rank)), _count_by_level(levels, counted), weigh)
        weight = np.sort(weigh(here.rank[unknown]))
        high[topic] = problem.highest(weight[::-1])
        low[topic] = 0.0 - problem.negative().highest(-weight, first=float(outside[topic]))
    return Interval(low, high)


@bounded_difference("nDCG", refusals=(GRADE_0, OWN_IDEALS))
def normalised_gain_difference(
    pair: UnsettledPair, *, gain: Gain, discount: Discount, base: float, ideal: Ideal, cutoff: int | None
) -> Interval:
    """Both runs have one ideal, so grades go first to the documents that one ranks most above the other."""
    del ideal
    levels, weigh = _levels(pair.a, gain), _Weights(discount, base, cutoff)
    count, judged = len(pair), pair.a.judged
    weight = weigh(pair.rank_a) - weigh(pair.rank_b)
    low, high = np.zeros(count), np.zeros(count)
    of_a, of_b = (_by_topic_and_level(each.judged, levels, gain, weigh) for each in (pair.a, pair.b))
    for topic, (known, unknown) in enumerate(zip(by_topic(judged.judged_topic, count), by_topic(pair.topic, count), strict=True)):
        relevant = _count_by_level(levels, gains(judged.judged_grades[known], gain))
        problem = _Problem(levels, of_a[topic] - of_b[topic], relevant, weigh)
        lead = weight[unknown]
        high[topic] = problem.highest_of(lead, float(pair.outside[topic]))
        low[topic] = 0.0 - problem.negative().highest_of(-lead, float(pair.outside[topic]))
    return Interval(low, high)


# Levels: the different gains a document can have, ascending; what a document gains is the sum of the steps up to its level.


@dataclass(frozen=True, slots=True)
class _Weights:
    """What a gain at a rank is multiplied with: 0 for rank 0, not retrieved, and beyond the cutoff."""

    discount: Discount
    base: float
    cutoff: int | None

    def __call__(self, rank: npt.NDArray[Any]) -> Floats:
        limit = FAR if self.cutoff is None else self.cutoff
        weight = 1 / discounts(np.maximum(rank, 1), self.discount, self.base)
        return np.where((rank > 0) & (rank <= limit), weight, 0.0)

    def ideal(self, length: int) -> Floats:
        """Return the sums of the weights of the first 0, 1, 2 … ranks, as far as they grow and `length` reaches."""
        reach = length if self.cutoff is None else min(length, self.cutoff)
        return np.concatenate(([0.0], np.cumsum(self(np.arange(1, reach + 1)))))


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """One topic: Σ steps · (known + what open documents add) / Σ steps · (ideal of each level's documents), to be made as high as can be.

    Parameters
    ----------
    levels
        L gains, ascending from 0.
    known
        Shape (L − 1,): for each level above 0 the weights of the judged documents of that level or more.
    relevant
        Shape (L − 1,): how many documents were judged of that level or more.
    weigh
        The weight of ranks.
    """

    levels: Floats
    known: Floats
    relevant: npt.NDArray[np.int64]
    weigh: _Weights

    def negative(self) -> "_Problem":
        """Return the problem of which the highest value is minus the lowest of this one."""
        return _Problem(self.levels, -self.known, self.relevant, self.weigh)

    def highest_of(self, lead: Floats, outside: float) -> float:
        """Return the highest value where documents may add `lead`, and `outside` others only lengthen the ideal."""
        ordered = np.sort(lead)[::-1]
        places = int(np.searchsorted(-ordered, 0.0))
        if self.weigh.cutoff is not None:
            # Once the ideal is full, further documents change nothing.
            outside = min(outside, float(self.weigh.cutoff))
        if np.isinf(outside):
            return max(self.highest(ordered), 0.0)
        return self.highest(np.concatenate((ordered[:places], np.zeros(int(outside)), ordered[places:])))

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
            steps[level] * sums[np.minimum(self.relevant[level] + start + np.arange(len(added)), len(sums) - 1)]
            for level in range(len(steps))
        ]
        chosen = [0] * len(steps)
        while True:
            best = _ratio(over, under, chosen)
            chosen = _best_counts([above - best * below for above, below in zip(over, under, strict=True)])
            if not _ratio(over, under, chosen) > best:
                return best


def _ratio(over: list[Floats], under: list[Floats], chosen: list[int]) -> float:
    below = float(sum(values[count] for values, count in zip(under, chosen, strict=True)))
    return float(sum(values[count] for values, count in zip(over, chosen, strict=True))) / below if below else 0.0


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


def _levels(run: Unsettled, gain: Gain) -> Floats:
    """Return the different gains of the grades of the scale and of those judged, ascending from 0."""
    return np.unique(np.concatenate(([0.0], gains(np.array(run.grades, dtype=np.int32), gain), gains(run.judged.judged_grades, gain))))


def _best_grade(run: Unsettled, gain: Gain) -> int:
    gained = gains(np.array(run.grades, dtype=np.int32), gain)
    return run.grades[int(gained.argmax())]


def _by_level(levels: Floats, gained: Floats, weight: Floats) -> Floats:
    return np.array([weight[gained >= level].sum() for level in levels[1:]])


def _by_topic_and_level(judged: JudgedRun, levels: Floats, gain: Gain, weigh: _Weights) -> list[Floats]:
    gained, weight = gains(judged.hit_grade, gain), weigh(judged.hit_rank)
    return [_by_level(levels, gained[rows], weight[rows]) for rows in by_topic(judged.hit_topic, len(judged))]


def _count_by_level(levels: Floats, gained: Floats) -> npt.NDArray[np.int64]:
    return np.array([(gained >= level).sum() for level in levels[1:]], dtype=np.int64)
