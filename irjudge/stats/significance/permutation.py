"""Tests that shuffle: the paired permutation test, and the randomised Tukey HSD for many systems at once."""

import math
from itertools import permutations

import numpy as np

from irjudge.message import Message
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.sampling import Sampling
from irjudge.stats.seeded_random import Stream
from irjudge.stats.significance.differences import exact_differences, mean
from irjudge.stats.significance.registry import Outcome, significance_test

EXACT_UP_TO = 2**20
SIGN_SAMPLES, ORDER_SAMPLES = 100_000, 10_000
# Numbers held at once: some tens of megabytes.
AT_ONCE = 4_000_000


def counted(scores: Floats) -> tuple[Floats, float]:
    """Return scores, shape (K, n), as whole numbers, in float64, of a small unit: sums are exact in whatever order a machine adds them.

    The unit, a power of 2, is returned too. By this rounding two differences of sums over n topics that are equal can be 2 n units apart:
    they are compared with that slack, or equal ones would count by chance.
    """
    largest = float(np.abs(scores).max(initial=0.0)) * max(1, scores.shape[1])
    bits = 51 - math.ceil(math.log2(largest)) if largest > 0 else 0
    return np.asarray(np.round(np.ldexp(scores, bits)), dtype=np.float64), math.ldexp(1.0, -bits)


@significance_test(
    "permutation",
    "Paired permutation test (Fisher's randomisation)",
    "randomisation",
    "randomization",
    "fisher",
)
def permutation_test(scores: Floats, pairs: Longs, sampling: Sampling) -> Outcome:
    """Test whether the mean difference is larger than swapping the two systems' scores topic by topic at random makes it.

    Returns
    -------
    Outcome
        The statistic is the mean difference. All differences 0, or no topics: p 1. One topic: p 1.

    Notes
    -----
    Two-sided, on the mean. With 20 or fewer topics that differ all 2^n sign patterns are counted and p is their share; else p is
    (b + 1)/(m + 1) of m random patterns, 100,000 where nothing else is said, the same ones for every pair, so that a pair's p does not
    depend on which others are tested.

    References
    ----------
    Fisher (1935), The design of experiments, §21. Smucker, Allan and Carterette (2007), CIKM.

    Examples
    --------
    >>> maize = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48.0])
    >>> found = permutation_test(np.stack((maize, 0 * maize)), np.array([[0, 1]]), Sampling())
    >>> found.p.tolist() == [1726 / 2**15], found.how
    (True, 'exact')
    """
    values = exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])
    small = (values != 0).sum(axis=1) <= math.log2(EXACT_UP_TO)
    p = np.ones(len(pairs))
    for at in np.flatnonzero(small).tolist():
        p[at] = exact_signs(values[at])
    count = sampling.count(SIGN_SAMPLES)
    if not small.all():
        p[~small] = _sampled_signs(scores, pairs[~small], count, sampling)
    how = (
        "exact"
        if small.all()
        else Message("{count:,} random sign patterns, seed {seed}", count=count, seed=sampling.seed)
    )
    return Outcome(tuple(mean(row) for row in values), p, how)


def exact_signs(values: Floats) -> float:
    """Return the share of all sign patterns whose sum is as far from 0 as that of the values, or farther.

    The values are split in halves and only the sums of each half are listed; each sum of one half looks up how many of the other
    bring it far enough.

    >>> exact_signs(np.array([1.0, 2.0, 3.0]))
    0.25
    """
    whole = counted(values[values != 0][None])[0][0]
    if len(whole) == 0:
        return 1.0
    left, right = _signed_sums(whole[::2]), np.sort(_signed_sums(whole[1::2]))
    enough = abs(float(whole.sum())) - 2 * len(whole)
    if enough <= 0:
        return 1.0
    high = len(right) - np.searchsorted(right, enough - left, side="left")
    low = np.searchsorted(right, -enough - left, side="right")
    reached = int((high + low).sum())
    return reached / 2.0 ** len(whole)


def _signed_sums(values: Floats) -> Floats:
    sums = np.zeros(1)
    for value in values.tolist():
        sums = np.concatenate((sums + value, sums - value))
    return sums


def _sampled_signs(scores: Floats, pairs: Longs, samples: int, sampling: Sampling) -> Floats:
    """Return p of each pair by random signs.

    The sum of signed differences is the difference of signed sums, so that each system is added up once for all its pairs.
    """
    units, _ = counted(scores)
    portions = sampling.portions(samples, AT_ONCE // max(scores.shape))
    shared = (units, pairs, _gaps(units, pairs), sampling.seed)
    found = sum(
        sampling.each(_reached, shared, portions, "Permuting"), np.zeros(len(pairs), dtype=np.int64)
    )
    return (found + 1) / (samples + 1)


def _reached(shared: tuple[Floats, Longs, Floats, int], portion: tuple[int, int]) -> Longs:
    """Return how many of some sign patterns bring each pair as far apart as it was observed."""
    units, pairs, observed, seed = shared
    begin, end = portion
    topics = units.shape[1]
    sums = units @ Stream(seed, skip=begin * -(-topics // 64)).signs(end - begin, topics).T
    reached = (
        np.count_nonzero(np.abs(sums[one] - sums[two]) >= gap)
        for (one, two), gap in zip(pairs.tolist(), observed, strict=True)
    )
    return np.fromiter(reached, dtype=np.int64, count=len(pairs))


@significance_test("tukey", "Randomised Tukey HSD", family=True)
def randomised_tukey(scores: Floats, pairs: Longs, sampling: Sampling) -> Outcome:
    """Test all pairs of systems at once: is a difference of means larger than the largest one that shuffling the systems makes.

    Returns
    -------
    Outcome
        The statistic is the difference of the means. Equal means, or no topics: p 1.

    Notes
    -----
    Within each topic the scores are given to the systems at random; p is the share of shuffles whose highest mean less its lowest is
    as large as the pair's difference. Where there are 2^20 different shuffles or fewer, all are counted; else p is (b + 1)/(m + 1) of m
    random ones, 10,000 where nothing else is said. All rows of `scores` make the family. For two systems it is the paired permutation test.

    References
    ----------
    Carterette (2012), Multiple testing in statistical analysis of systems-based information retrieval experiments, ACM TOIS 30(1).

    Examples
    --------
    >>> rows = ".30 .42 .12 .55 .61 .28 .35 .47", ".33 .45 .20 .52 .66 .31 .40 .50", ".25 .40 .10 .50 .55 .20 .30 .41"
    >>> scores = np.array([[float(each) for each in row.split()] for row in rows])
    >>> found = randomised_tukey(scores, np.array([[0, 1], [0, 2]]), Sampling())
    >>> found.p.round(6).tolist(), found.how
    ([0.32546, 0.082622], 'exact; corrects itself')
    """
    systems, topics = scores.shape
    units, _ = counted(scores)
    values = exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])
    statistic = tuple(mean(row) for row in values)
    # Which name a system bears does not change the range, so the first topic can stay as it is.
    exact = (
        max(0, topics - 1) * math.log2(math.factorial(systems)) <= math.log2(EXACT_UP_TO)
        if systems < 20
        else topics < 2
    )
    if exact:
        ranges, more, how = np.sort(_all_ranges(units)), 0, "exact"
    else:
        count = sampling.count(ORDER_SAMPLES)
        ranges, more, how = (
            np.sort(_random_ranges(units, count, sampling)),
            1,
            Message("{count:,} random shuffles, seed {seed}", count=count, seed=sampling.seed),
        )
    reached = len(ranges) - np.searchsorted(ranges, _gaps(units, pairs), side="left")
    return Outcome(
        statistic,
        (reached + more) / (len(ranges) + more),
        Message("{how}; corrects itself", how=how),
    )


def _all_ranges(units: Floats) -> Floats:
    """Return the range of the systems' sums for every way to shuffle each topic but the first."""
    systems, topics = units.shape
    sums = units[:, :1].T if topics else np.zeros((1, systems))
    orders = (
        np.array(list(permutations(range(systems))))
        if topics > 1
        else np.empty((0, systems), dtype=np.int64)
    )
    for topic in range(1, topics):
        sums = (sums[:, None, :] + units[orders, topic][None]).reshape(-1, systems)
    ranges: Floats = np.ptp(sums, axis=1)
    return ranges


def _random_ranges(units: Floats, samples: int, sampling: Sampling) -> Floats:
    """Return the range of the systems' sums for random shuffles of each topic."""
    portions = sampling.portions(samples, AT_ONCE // max(1, units.size))
    return np.concatenate(
        [*sampling.each(_shuffled_ranges, (units, sampling.seed), portions, "Shuffling")]
    )


def _shuffled_ranges(shared: tuple[Floats, int], portion: tuple[int, int]) -> Floats:
    (units, seed), (begin, end) = shared, portion
    systems, topics = units.shape
    by_topic = np.ascontiguousarray(units.T)
    orders = (
        Stream(seed, skip=begin * topics * systems)
        .orders((end - begin) * topics, systems)
        .reshape(end - begin, topics, systems)
    )
    orders += (np.arange(topics) * systems)[:, None]
    ranges: Floats = np.ptp(by_topic.reshape(-1)[orders].sum(axis=1), axis=1)
    return ranges


def _gaps(units: Floats, pairs: Longs) -> Floats:
    """Return how far apart the sums of each pair are, less the slack of rounding."""
    sums = units.sum(axis=1)
    gaps: Floats = np.abs(sums[pairs[:, 0]] - sums[pairs[:, 1]]) - 2 * units.shape[1]
    return gaps
