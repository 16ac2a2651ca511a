"""The bootstrap: intervals of the mean difference by drawing topics again, and the test that goes with them."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import scipy

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.sampling import Sampling
from irjudge.stats.seeded_random import Stream
from irjudge.stats.significance.differences import exact_differences, mean
from irjudge.stats.significance.permutation import counted
from irjudge.stats.significance.registry import Outcome, significance_test

SAMPLES = 10_000
AT_ONCE = 4_000_000
Method = Literal["percentile", "bca"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """An interval of the mean difference, and how it was made."""

    low: float
    high: float
    how: str


def bootstrap_interval(
    values: Floats,
    *,
    confidence: float = 0.95,
    method: Method = "percentile",
    sampling: Sampling | None = None,
) -> MeanInterval | None:
    """Return the interval within which the mean of topics drawn again lies.

    Parameters
    ----------
    values
        Shape (n,): differences, or the values of one system.
    confidence
        More than 0 and less than 1.
    method
        `percentile`: from one quantile of the drawn means to the other. `bca`: quantiles moved for bias and skewness.
    sampling
        Seed and number of samples, 10,000 where nothing else is said; None for the defaults.

    Returns
    -------
    Interval or None
        None with fewer than two topics; both ends are the mean where the values do not vary.

    Raises
    ------
    IrjudgeError
        When the confidence is not between 0 and 1 or the method is not known.

    References
    ----------
    Efron and Tibshirani (1993), An introduction to the bootstrap, ch. 13 and 14. Sakai (2006), Evaluating evaluation metrics based on
    the bootstrap, SIGIR.

    Examples
    --------
    >>> found = bootstrap_interval(np.array([.1, .3, .2, .4, .0]))
    >>> round(found.low, 4), round(found.high, 4), found.how
    (0.08, 0.32, 'bootstrap percentile, 10,000 samples, seed 0')
    """
    pair = np.stack((values, np.zeros_like(values)))
    return bootstrap_intervals(
        pair, np.array([[0, 1]]), confidence=confidence, method=method, sampling=sampling
    )[0]


def bootstrap_intervals(
    scores: Floats,
    pairs: Longs,
    *,
    confidence: float = 0.95,
    method: Method = "percentile",
    sampling: Sampling | None = None,
) -> list[MeanInterval | None]:
    """Return the intervals of the mean differences of pairs of K systems on the same n topics, which are drawn for all.

    Scores have shape (K, n), pairs shape (P, 2), rows of `scores`; otherwise see `bootstrap_interval`.
    """
    if not 0 < confidence < 1:
        raise IrjudgeError(
            "The confidence must be between 0 and 1, got {confidence:g}.", confidence=confidence
        )
    if method not in METHODS:
        raise IrjudgeError(
            "Bootstrap method {method!r} is not known; there are {methods}.",
            method=method,
            methods=", ".join(METHODS),
        )
    sampling = sampling or Sampling()
    how = Message(
        "bootstrap {method}, {count:,} samples, seed {seed}",
        method=method,
        count=sampling.count(SAMPLES),
        seed=sampling.seed,
    )
    if scores.shape[1] < 2:
        return [None] * len(pairs)
    units, unit = counted(scores)
    sums = _drawn_sums(units, sampling)
    intervals: list[MeanInterval | None] = []
    for (one, two), values in zip(
        pairs.tolist(), exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]]), strict=True
    ):
        drawn = np.sort(sums[one] - sums[two]) * (unit / scores.shape[1])
        intervals.append(_interval(values, drawn, confidence, method, how))
    return intervals


def _interval(
    values: Floats, drawn: Floats, confidence: float, method: Method, how: str
) -> MeanInterval:
    if (values == values[0]).all():
        return MeanInterval(mean(values), mean(values), how)
    tails = (1 - confidence) / 2, (1 + confidence) / 2
    if method == "bca":
        tails = _corrected_tails(values, drawn, tails)
    return MeanInterval(_quantile(drawn, tails[0]), _quantile(drawn, tails[1]), how)


def bootstrap_error(values: Floats) -> float:
    """Return the standard error of the mean that endless drawing would give: the deviation with n below, over √n; 0 without values.

    >>> round(bootstrap_error(np.array([1.0, 2.0, 3.0])), 4)
    0.4714
    """
    return math.sqrt(mean((values - mean(values)) ** 2) / len(values)) if len(values) else 0.0


@significance_test("bootstrap", "Bootstrap test")
def bootstrap_test(scores: Floats, pairs: Longs, sampling: Sampling) -> Outcome:
    """Test whether the mean difference is as far from 0 as means of topics drawn again stray from it.

    Returns
    -------
    Outcome
        The statistic is the mean difference. All differences 0, one topic or none: p 1. All differences the same and not 0: the
        lowest p there is, 1/(m + 1).

    Notes
    -----
    Two-sided by the shift method: the drawn means less the mean found, p = (b + 1)/(m + 1) of m samples,
    10,000 where nothing else is said.

    References
    ----------
    Efron and Tibshirani (1993), An introduction to the bootstrap, ch. 16. Urbano, Lima and Hanjalic (2019), SIGIR.

    Examples
    --------
    >>> scores = np.array([[.5, .4, .3, .9], [.4, .2, .3, .6]])
    >>> bootstrap_test(scores, np.array([[0, 1]]), Sampling(samples=999)).p.tolist()  # 2/256 of all ways to draw
    [0.01]
    """
    values = exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])
    count, topics = sampling.count(SAMPLES), scores.shape[1]
    statistic = tuple(mean(row) for row in values)
    how = Message("shift method, {count:,} samples, seed {seed}", count=count, seed=sampling.seed)
    if topics < 2:
        return Outcome(statistic, np.ones(len(pairs)), how)
    units, _ = counted(scores)
    slack = 4.0 * topics
    sums, total = _drawn_sums(units, sampling), units.sum(axis=1)
    p = np.ones(len(pairs))
    for at, (one, two) in enumerate(pairs.tolist()):
        found = total[one] - total[two]
        if statistic[at] != 0:
            strayed = np.abs(sums[one] - sums[two] - found) >= abs(found) - slack
            p[at] = (int(strayed.sum()) + 1) / (count + 1)
    return Outcome(statistic, p, how)


def _drawn_sums(units: Floats, sampling: Sampling) -> Floats:
    """Return the sums over drawn topics: shape (K, samples)."""
    portions = sampling.portions(sampling.count(SAMPLES), AT_ONCE // max(units.shape))
    drawn = sampling.each(
        _drawn_portion, (units, sampling.seed), portions, Message("Drawing topics")
    )
    return np.concatenate([*drawn], axis=1)


def _drawn_portion(shared: tuple[Floats, int], portion: tuple[int, int]) -> Floats:
    (units, seed), (begin, end) = shared, portion
    topics, count = units.shape[1], end - begin
    drawn = (
        Stream(seed, skip=begin * topics).draws(count, topics, topics)
        + np.arange(count)[:, None] * topics
    )
    times = np.bincount(drawn.reshape(-1), minlength=count * topics).reshape(count, topics)
    sums: Floats = units @ times.T.astype(np.float64)
    return sums


def _quantile(rising: Floats, share: float) -> float:
    """Return the value of this share among sorted ones: one of them, so that nothing is rounded between two."""
    place = (
        math.ceil(share * (len(rising) + 1) - 1e-9)
        if share > 0.5
        else math.floor(share * (len(rising) + 1) + 1e-9)
    )
    return float(rising[min(len(rising), max(1, place)) - 1])


def _corrected_tails(
    values: Floats, drawn: Floats, tails: tuple[float, float]
) -> tuple[float, float]:
    """Return the tails moved for the median's bias and for skewness (BCa)."""
    centre = mean(values)
    below = (np.count_nonzero(drawn < centre) + np.count_nonzero(drawn == centre) / 2) / len(drawn)
    bias = float(scipy.special.ndtri(min(1 - 0.5 / len(drawn), max(0.5 / len(drawn), below))))
    left_out = (values.sum() - values) / (len(values) - 1)  # the means without one topic each
    away = left_out.mean() - left_out
    skew = float((away**3).sum() / (6 * (away**2).sum() ** 1.5))

    def moved(tail: float) -> float:
        shifted = bias + float(scipy.special.ndtri(tail))
        return float(scipy.special.ndtr(bias + shifted / (1 - skew * shifted)))

    return moved(tails[0]), moved(tails[1])
