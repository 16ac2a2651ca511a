"""95 % intervals for what a log says: sessions are independent of each other, the queries of one session are not."""

import math
from typing import TypeAlias

import numpy as np

from irjudge.model.ranking import Floats, Ints, Longs
from irjudge.stats.proportions import DEFAULT_LEVEL, DEFAULT_QUANTILE, wilson

Interval: TypeAlias = tuple[float, float]

SAMPLES = 2000
AT_ONCE = 1 << 20  # draws held in memory
SINGLE_IS_CHEAPER = (
    8  # a session drawn alone costs so much less than the number of sessions of one kind
)


def of_share(count: float, total: float) -> Interval | None:
    """Return Wilson's score interval of a share of independent trials; None without a trial.

    >>> [round(end, 4) for end in of_share(61, 100)]
    [0.512, 0.6998]
    """
    low, high = wilson(count, total)
    return (float(low), float(high)) if total else None


def distinct(count: Floats, total: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the different pairs of (count, total) in ascending order, and how often each occurs.

    What is computed from them is the same, to the last digit, in whatever order the sessions stood.

    >>> distinct(np.array([1.0, 0.0, 1.0]), np.array([2.0, 1.0, 2.0]))
    (array([0., 1.]), array([1., 2.]), array([1., 2.]))
    """
    pairs, times = np.unique(count + 1j * total, return_counts=True)
    return pairs.real, pairs.imag, times.astype(np.float64)


def by_sessions(
    count: Floats, total: Floats, *, seed: int, samples: int = SAMPLES
) -> Interval | None:
    """Return the percentile bootstrap interval of sum(count) / sum(total), shape (S,) each, drawing whole sessions with replacement.

    Queries and results of one session come from one person with one need: taken as independent they would make the interval too narrow.
    Sessions that are alike are drawn together, so a million of them cost little; a draw whose totals are 0 is left out. The same seed and
    sessions give the same interval, in whatever order the sessions stand. It is widened, where need be, to hold the value itself. None with
    fewer than two sessions that have a total: one session says nothing of how sessions differ.

    >>> low, high = by_sessions(np.array([1.0, 0.0, 2.0, 1.0]), np.array([2.0, 1.0, 2.0, 4.0]), seed=1)
    >>> low <= 4 / 9 <= high
    True
    """
    if np.count_nonzero(total) < 2:
        return None
    counts, totals, times = distinct(count, total)
    above, below = _drawn(
        counts, totals, times.astype(np.int64), np.random.default_rng(seed), samples
    )
    told = below > 0
    low, high = np.quantile(
        above[told] / below[told], [(1 - DEFAULT_LEVEL) / 2, (1 + DEFAULT_LEVEL) / 2]
    ).tolist()
    value = float(times @ counts) / float(times @ totals)
    return min(low, value), max(high, value)


def _drawn(
    counts: Floats, totals: Floats, times: Longs, random: np.random.Generator, samples: int
) -> tuple[Floats, Floats]:
    """Return the sums of counts and of totals of as many sessions as there are, drawn with replacement: each of shape (samples,)."""
    sessions, kinds = int(times.sum()), len(times)
    one_by_one = sessions < SINGLE_IS_CHEAPER * kinds
    each_count, each_total = (
        (np.repeat(counts, times), np.repeat(totals, times)) if one_by_one else (counts, totals)
    )
    above, below = np.empty(samples), np.empty(samples)
    step = max(1, AT_ONCE // len(each_count))
    for begin in range(0, samples, step):
        part = slice(begin, min(begin + step, samples))
        size = part.stop - begin
        if one_by_one:
            which = random.integers(0, sessions, (size, sessions), dtype=np.int32)
            above[part], below[part] = each_count[which].sum(axis=1), each_total[which].sum(axis=1)
        else:
            draws = random.multinomial(sessions, times / sessions, size=size)
            above[part], below[part] = draws @ each_count, draws @ each_total
    return above, below


def of_percentile(session: Ints, values: Floats, share: float) -> Interval | None:
    """Return Woodruff's interval of a percentile of values that come in sessions.

    The share of values at or below the percentile is a proportion that varies from session to session; the ends of its
    interval are turned back into values.

    Parameters
    ----------
    session
        Shape (N,): the session of each value.
    values
        Shape (N,).
    share
        Of the percentile: .95 for the 95th.

    Returns
    -------
    Interval or None
        Around the percentile; None with fewer than two sessions.

    References
    ----------
    Woodruff (1952), Confidence intervals for medians and other position measures, JASA 47.

    Examples
    --------
    >>> [round(end, 4) for end in of_percentile(np.arange(4), np.array([1.0, 2.0, 3.0, 4.0]), 0.5)]
    [1.0, 4.0]
    """
    _, place = np.unique(session, return_inverse=True)
    sessions = int(place.max(initial=-1)) + 1
    if sessions < 2:
        return None
    below = (values <= np.quantile(values, share)) - share
    residual = np.sort(
        np.bincount(place, weights=below)
    )  # sorted: the sum then does not hang on the sessions' order
    spread = math.sqrt(sessions / (sessions - 1) * float((residual**2).sum())) / len(values)
    ends = np.quantile(
        values,
        [max(0.0, share - DEFAULT_QUANTILE * spread), min(1.0, share + DEFAULT_QUANTILE * spread)],
    )
    return float(ends[0]), float(ends[1])


def of_arrivals(count: Floats, hours: float) -> Interval | None:
    """Return the interval of a rate of queries per time, where sessions arrive independently and bring their queries, shape (S,), along.

    sum(count) ± 1.96 sqrt(sum(count²)), divided by `hours`, the time in which they came, 0 at least; None without time.

    >>> [round(end, 4) for end in of_arrivals(np.array([3.0, 4.0]), 2.0)]
    [0.0, 8.3999]
    """
    if not hours:
        return None
    half = DEFAULT_QUANTILE * math.sqrt(float(np.sort(count**2).sum()))
    total = float(count.sum())
    return max(0.0, total - half) / hours, (total + half) / hours


def of_difference(
    value: float, interval: Interval | None, other: float, of_other: Interval | None
) -> Interval | None:
    """Return the interval of value − other from the intervals of both, taken as independent.

    With Wilson's intervals this is Newcombe's method 10 for two proportions.

    References
    ----------
    Zou and Donner (2008), Construction of confidence limits about effect measures, Statistics in Medicine 27.
    Newcombe (1998), Interval estimation for the difference between independent proportions, ibid. 17.

    Examples
    --------
    >>> [round(end, 4) for end in of_difference(56 / 70, of_share(56, 70), 48 / 80, of_share(48, 80))]
    [0.0524, 0.3339]
    """
    if interval is None or of_other is None:
        return None
    low = math.hypot(value - interval[0], of_other[1] - other)
    high = math.hypot(interval[1] - value, other - of_other[0])
    return value - other - low, value - other + high
