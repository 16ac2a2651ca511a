"""Tests of differences and proportions, their power, intervals, and corrections."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from statistics import NormalDist
from typing import Literal, Protocol, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import scipy

from irjudge.catalogue import Catalogue, summarise
from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model import Floats, Longs
from irjudge.stats.correlation import TIE_TOLERANCE
from irjudge.stats.sampling import RandomStream, Sampling

# Corrections for multiple comparisons


@dataclass(frozen=True, slots=True)
class Correction:
    """Registry entry of a correction for multiple comparisons, such as Holm's."""

    name: str
    title: str
    meaning: str  # description of what the correction controls
    # converts m p-values to m corrected p-values, in the same order
    adjust: Callable[[npt.ArrayLike], Floats]


def bonferroni(p: npt.ArrayLike) -> Floats:
    """Return each p-value times the number of p-values, at most 1.

    >>> bonferroni([.01, .04, .5]).round(4).tolist()
    [0.03, 0.12, 1.0]
    """
    p_values = np.asarray(p, dtype=np.float64)
    return np.minimum(1.0, p_values * len(p_values))


def holm(p: npt.ArrayLike) -> Floats:
    """Return m p-values adjusted by Holm's method.

    The smallest is multiplied by m, the next by m - 1 and so on, and each is at least as high as
    the previous one.

    Returns
    -------
    Floats
        Shape (m,), in the order of `p`, which may be unsorted; m may be 0. If hypotheses with an
        adjusted p-value below α are rejected, the probability of any false rejection is at most α.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure.

    Examples
    --------
    >>> holm([.01, .04, .03, .005]).round(4).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    p_values = np.asarray(p, dtype=np.float64)
    order = np.argsort(p_values, kind="stable")
    adjusted = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    return _restore_order(np.minimum(1.0, adjusted), order)


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Return m p-values adjusted by the method of Benjamini and Hochberg.

    If hypotheses with an adjusted p-value below q are rejected, the expected share of false
    rejections is at most q. `p` has shape (m,), in any order; m may be 0.

    References
    ----------
    Benjamini and Hochberg (1995), Controlling the false discovery rate.

    Examples
    --------
    >>> benjamini_hochberg([.01, .04, .03, .005]).round(4).tolist()
    [0.02, 0.04, 0.04, 0.02]
    """
    p_values = np.asarray(p, dtype=np.float64)
    order = np.argsort(p_values, kind="stable")
    count = len(p_values)
    adjusted = np.minimum.accumulate((p_values[order] * count / np.arange(1, count + 1))[::-1])[
        ::-1
    ]
    return _restore_order(np.minimum(1.0, adjusted), order)


def no_correction(p: npt.ArrayLike) -> Floats:
    """Return the p-values unchanged."""
    return np.asarray(p, dtype=np.float64)


def _restore_order(sorted_values: Floats, order: npt.NDArray[np.intp]) -> Floats:
    adjusted = np.empty_like(sorted_values)
    adjusted[order] = sorted_values
    return adjusted


CORRECTIONS: Catalogue[Correction] = Catalogue(Message("Correction"))
CORRECTIONS.add(
    Correction(
        "holm",
        Message("Holm"),
        Message("controls the probability of any false positive, stepwise (Holm)"),
        holm,
    )
)
CORRECTIONS.add(
    Correction(
        "bonferroni",
        Message("Bonferroni"),
        Message("controls the probability of any false positive (Bonferroni)"),
        bonferroni,
    )
)
CORRECTIONS.add(
    Correction(
        "bh",
        Message("Benjamini–Hochberg"),
        Message("controls the share of false positives (false discovery rate, Benjamini–Hochberg)"),
        benjamini_hochberg,
    ),
    ("fdr", "benjamini-hochberg"),
)
CORRECTIONS.add(Correction("none", Message("None"), Message("not corrected"), no_correction))


# Registry of significance tests, which are declared by the decorator `significance_test`


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceResult:
    """Result of a significance test for P pairs of systems: statistics and p-values."""

    statistic: tuple[float | None, ...]  # statistic of each pair; None if it is not finite
    # two-sided p-value of each pair, shape (P,); in tests that assume a distribution, it is 0 if
    # all topics have the same difference other than 0
    p: Floats
    method: str  # description of the method, with all data needed to reproduce the result


# Function that runs a test. Its arguments are the scores of K systems on the same n topics, shape
# (K, n); the pairs of rows to test, shape (P, 2); and the sampling, which exact tests ignore. Tests
# that correct for multiple comparisons do so for all pairs of the K systems.
TestFunction: TypeAlias = Callable[[Floats, Longs, Sampling], SignificanceResult]


@dataclass(frozen=True, slots=True)
class SignificanceTest:
    """Registry entry of a significance test: name, title, function and requirements.

    The function tests several pairs of systems at once. `corrects_all_pairs` states whether its
    p-values are already corrected for the comparison of all pairs.
    """

    name: str  # such as `t`
    title: str  # such as `Paired t-test`
    # whether the p-values are already corrected for the comparison of all pairs
    corrects_all_pairs: bool
    function: TestFunction  # computes the result
    min_topics: int = 1  # minimum number of topics that the test needs

    @property
    def about(self) -> str:
        """Description of the test: first paragraph of the docstring of `function`."""
        return summarise(self.function)


TESTS: Catalogue[SignificanceTest] = Catalogue(Message("Test"))


def significance_test(
    name: str, title: str, *aliases: str, corrects_all_pairs: bool = False, min_topics: int = 1
) -> Callable[[TestFunction], TestFunction]:
    """Register the decorated function; for the arguments see `SignificanceTest`."""

    def register(function: TestFunction) -> TestFunction:
        TESTS.add(SignificanceTest(name, title, corrects_all_pairs, function, min_topics), aliases)
        return function

    return register


# Differences of two systems by topic: wins, improvement and effect size


@dataclass(frozen=True, slots=True, eq=False)
class PairedDifferences:
    """Differences of the scores of two systems on the same n topics, and their statistics.

    A difference is the first system's score minus the second's; a higher score counts as better.

    >>> pair = PairedDifferences(np.array([.5, .2, .9, .1]), np.array([.4, .2, .5, .3]))
    >>> (pair.wins, pair.ties, pair.losses), round(pair.mean, 4)
    ((2, 1, 1), 0.075)
    """

    first: Floats  # scores of the first system, shape (n,)
    second: Floats  # scores of the second system, shape (n,)
    # first - second, shape (n,), without rounding errors, see `exact_differences`
    values: Floats = field(init=False)

    def __post_init__(self) -> None:
        if self.first.shape != self.second.shape or self.first.ndim != 1:
            raise IrjudgeError(
                "Two systems must be compared on the same topics, got {first} and {second} scores.",
                first=self.first.size,
                second=self.second.size,
            )
        if not (np.isfinite(self.first).all() and np.isfinite(self.second).all()):
            raise IrjudgeError("A score is not a finite number, so the systems cannot be compared.")
        object.__setattr__(
            self, "values", exact_differences(self.first[None], self.second[None])[0]
        )

    def __len__(self) -> int:
        return len(self.first)

    @property
    def mean(self) -> float:
        """Mean difference; 0 if there are no topics."""
        return mean(self.values)

    @property
    def wins(self) -> int:
        """Number of topics on which the first system is better."""
        return int((self.values > 0).sum())

    @property
    def ties(self) -> int:
        """Number of topics on which the two systems are equal."""
        return int((self.values == 0).sum())

    @property
    def losses(self) -> int:
        """Number of topics on which the first system is worse."""
        return int((self.values < 0).sum())

    @property
    def deviation(self) -> float:
        """Sample standard deviation of the differences; 0 if they do not vary."""
        return deviation(self.values)

    @property
    def effect(self) -> float | None:
        """Mean difference divided by the standard deviation, see `standardised_mean`."""
        return standardised_mean(self.values)


def exact_differences(first: Floats, second: Floats) -> Floats:
    """Return first - second without the effects of rounding on ties, shape (P, n).

    Each row is a pair of systems. In the sorted magnitudes of a row, neighbours become equal if
    they differ by at most 1e-12 of the row's largest score; magnitudes up to this limit become 0.
    Otherwise .30 - .25 and .55 - .50 would not be tied in rank tests.

    >>> exact_differences(np.array([[.30, .55, .7]]), np.array([[.25, .50, .7]])).tolist()
    [[0.04999999999999999, 0.04999999999999999, 0.0]]
    """
    differences = first - second
    if differences.shape[1] == 0:
        return differences
    tolerance = TIE_TOLERANCE * np.maximum(np.abs(first), np.abs(second)).max(axis=1, keepdims=True)
    size = np.where(np.abs(differences) <= tolerance, 0.0, np.abs(differences))
    order = np.argsort(size, axis=1, kind="stable")
    ascending = np.take_along_axis(size, order, axis=1)
    is_group_start = np.concatenate(
        (np.ones((len(differences), 1), dtype=bool), np.diff(ascending, axis=1) > tolerance), axis=1
    )
    group_start = np.maximum.accumulate(
        np.where(is_group_start, np.arange(differences.shape[1]), 0), axis=1
    )
    np.put_along_axis(size, order, np.take_along_axis(ascending, group_start, axis=1), axis=1)
    return np.copysign(size, differences) + 0.0


def mean(values: Floats) -> float:
    """Return the mean, which does not depend on the order of values; 0 if there are no values."""
    return math.fsum(values.tolist()) / len(values) if len(values) else 0.0


def deviation(values: Floats) -> float:
    """Return the sample standard deviation; 0 if there are fewer than two values or all are equal.

    >>> deviation(np.array([.1, .1, .1])), deviation(np.array([1.0, 2.0, 3.0]))
    (0.0, 1.0)
    """
    if len(values) < 2 or (values == values[0]).all():
        return 0.0
    return math.sqrt(math.fsum(((values - mean(values)) ** 2).tolist()) / (len(values) - 1))


def standardised_mean(values: Floats) -> float | None:
    """Return the effect size d of paired differences: mean divided by standard deviation.

    Parameters
    ----------
    values
        Shape (n,): differences.

    Returns
    -------
    float or None
        0 if the mean is 0. None if the mean is not 0 and the deviation is, because all differences
        are equal or there is only one.

    References
    ----------
    Cohen (1988), Statistical power analysis for the behavioral sciences, ch. 2: d_z.

    Examples
    --------
    >>> standardised_mean(np.array([1.0, 2.0, 3.0])), standardised_mean(np.zeros(3)), standardised_mean(np.ones(3))
    (2.0, 0.0, None)
    """
    centre, spread = mean(values), deviation(values)
    if centre == 0:
        return 0.0
    return centre / spread if spread > 0 else None


def all_pairs(systems: int, baseline: int | Sequence[int] | None = None) -> Longs:
    """Return the pairs of systems to compare, shape (P, 2).

    They are all pairs or, with one or more baselines, each system with each baseline.

    >>> all_pairs(3).tolist(), all_pairs(3, baseline=0).tolist(), all_pairs(3, baseline=[0, 2]).tolist()
    ([[0, 1], [0, 2], [1, 2]], [[1, 0], [2, 0]], [[1, 0], [2, 0], [1, 2]])
    """
    if baseline is not None:
        baselines = [baseline] if isinstance(baseline, int) else [*baseline]
        pairs = [
            (system, baseline_row)
            for index, baseline_row in enumerate(baselines)
            for system in range(systems)
            if system not in baselines[: index + 1]
        ]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return np.stack(np.triu_indices(systems, 1), axis=1).astype(np.int64)


# Randomisation tests: paired permutation test, and randomised Tukey HSD

MAX_EXACT_ORDERS = 2**20
DEFAULT_SIGN_SAMPLES, DEFAULT_ORDER_SAMPLES = 100_000, 10_000
# maximum number of float64 values in memory at a time, which need about 32 MB
MAX_VALUES_PER_BLOCK = 4_000_000


def to_exact_units(scores: Floats) -> tuple[Floats, float]:
    """Return scores, shape (K, n), as multiples of a small unit, and the unit, a power of 2.

    The multiples are integers in float64; their sums are exact in any order of addition. Scores are
    rounded to the unit. Therefore two differences of sums over n topics that should be equal can
    differ by up to 2 n units. Comparisons use this value as their tolerance.
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
def permutation_test(scores: Floats, pairs: Longs, sampling: Sampling) -> SignificanceResult:
    """Test whether the mean difference is larger than under random swaps of the two systems' scores
    within topics.

    Returns
    -------
    SignificanceResult
        The statistic is the mean difference. p is 1 if all differences are 0, or if there is at
        most one topic.

    Notes
    -----
    The test is two-sided; its statistic is the mean difference. If the scores differ on n ≤ 20
    topics, all 2^n sign patterns are counted, and p is the share with a mean difference at least as
    large, in absolute value, as the observed one. Otherwise, m random patterns are used (100,000 by
    default), and p is (b + 1)/(m + 1), where b of the patterns have such a mean difference. All
    pairs use the same patterns, so that the p of a pair does not depend on which others are tested.

    References
    ----------
    Fisher (1935), The design of experiments, §21. Smucker, Allan and Carterette (2007), CIKM.

    Examples
    --------
    >>> maize = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48.0])
    >>> result = permutation_test(np.stack((maize, 0 * maize)), np.array([[0, 1]]), Sampling())
    >>> result.p.tolist() == [1726 / 2**15], result.method
    (True, 'exact')
    """
    values = exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])
    is_exact = (values != 0).sum(axis=1) <= math.log2(MAX_EXACT_ORDERS)
    p = np.ones(len(pairs))
    for index in np.flatnonzero(is_exact).tolist():
        p[index] = exact_sign_p(values[index])
    count = sampling.count(DEFAULT_SIGN_SAMPLES)
    if not is_exact.all():
        p[~is_exact] = _compute_sampled_sign_p(scores, pairs[~is_exact], count, sampling)
    method_text = (
        "exact"
        if is_exact.all()
        else Message("{count:,} random sign patterns, seed {seed}", count=count, seed=sampling.seed)
    )
    return SignificanceResult(tuple(mean(row) for row in values), p, method_text)


def exact_sign_p(values: Floats) -> float:
    """Return the exact p-value of the permutation test for differences `values`.

    It is the share of all patterns of signs with which the sum of the values is at least as far
    from 0 as the observed sum. To save time, the values are divided into two halves, and the
    possible sums of each half are enumerated separately. Then, for each sum of the first half,
    bisection counts the sums of the second half with which the total is far enough from 0.

    >>> exact_sign_p(np.array([1.0, 2.0, 3.0]))
    0.25
    """
    units = to_exact_units(values[values != 0][None])[0][0]
    if len(units) == 0:
        return 1.0
    first_sums, second_sums = (
        _compute_all_signed_sums(units[::2]),
        np.sort(_compute_all_signed_sums(units[1::2])),
    )
    min_sum = abs(float(units.sum())) - 2 * len(units)
    if min_sum <= 0:
        return 1.0
    high = len(second_sums) - np.searchsorted(second_sums, min_sum - first_sums, side="left")
    low = np.searchsorted(second_sums, -min_sum - first_sums, side="right")
    return int((high + low).sum()) / 2.0 ** len(units)


def _compute_all_signed_sums(values: Floats) -> Floats:
    sums = np.zeros(1)
    for value in values.tolist():
        sums = np.concatenate((sums + value, sums - value))
    return sums


def _compute_sampled_sign_p(
    scores: Floats, pairs: Longs, samples: int, sampling: Sampling
) -> Floats:
    """Return the p-value of the permutation test for each pair, from random patterns of signs.

    With the same signs, the sum of differences is the difference of two sums of scores. Therefore
    the scores of each system are summed only once, not once per pair.
    """
    units, _ = to_exact_units(scores)
    portions = sampling.split_samples(samples, MAX_VALUES_PER_BLOCK // max(scores.shape))
    shared = (units, pairs, _compute_observed_gaps(units, pairs), sampling.seed)
    extreme_counts = sum(
        sampling.map_portions(_count_extreme_signs, shared, portions, "Permuting"),
        np.zeros(len(pairs), dtype=np.int64),
    )
    return (extreme_counts + 1) / (samples + 1)


def _count_extreme_signs(
    shared: tuple[Floats, Longs, Floats, int], portion: tuple[int, int]
) -> Longs:
    """Return, for each pair, how many sign patterns reach the observed difference of sums."""
    units, pairs, observed_gaps, seed = shared
    start, end = portion
    topics = units.shape[1]
    sums = (
        units @ RandomStream(seed, skip=start * -(-topics // 64)).draw_signs(end - start, topics).T
    )
    extreme_counts = (
        np.count_nonzero(np.abs(sums[first] - sums[second]) >= difference)
        for (first, second), difference in zip(pairs.tolist(), observed_gaps, strict=True)
    )
    return np.fromiter(extreme_counts, dtype=np.int64, count=len(pairs))


@significance_test("tukey", "Randomised Tukey HSD", corrects_all_pairs=True)
def randomised_tukey(scores: Floats, pairs: Longs, sampling: Sampling) -> SignificanceResult:
    """Test all pairs of systems simultaneously, against the largest difference of means under
    random permutation.

    Returns
    -------
    SignificanceResult
        The statistic is the difference of the means. p is 1 if the means are equal or there are no
        topics.

    Notes
    -----
    Within each topic the scores are permuted at random among the systems; p is the share of
    permutations in which the highest mean minus the lowest is at least as large as the pair's
    difference. If there are at most 2^20 different permutations, all are enumerated; otherwise p
    is (b + 1)/(m + 1), where b is the number of such permutations among m random ones (by default
    10,000). All rows of `scores` form the family. For two
    systems it is the paired permutation test.

    References
    ----------
    Carterette (2012), Multiple testing in statistical analysis of systems-based information retrieval experiments, ACM TOIS 30(1).

    Examples
    --------
    >>> rows = ".30 .42 .12 .55 .61 .28 .35 .47", ".33 .45 .20 .52 .66 .31 .40 .50", ".25 .40 .10 .50 .55 .20 .30 .41"
    >>> scores = np.array([[float(each) for each in row.split()] for row in rows])
    >>> result = randomised_tukey(scores, np.array([[0, 1], [0, 2]]), Sampling())
    >>> result.p.round(6).tolist(), result.method
    ([0.32546, 0.082622], 'exact; corrected for multiple comparisons')
    """
    systems, topics = scores.shape
    units, _ = to_exact_units(scores)
    values = exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])
    statistic = tuple(mean(row) for row in values)
    # The first topic is not permuted, since the same permutation of all topics does not change the
    # range.
    is_exact = (
        max(0, topics - 1) * math.log2(math.factorial(systems)) <= math.log2(MAX_EXACT_ORDERS)
        if systems < 20
        else topics < 2
    )
    if is_exact:
        ranges, added_count, method_text = np.sort(_compute_all_ranges(units)), 0, "exact"
    else:
        count = sampling.count(DEFAULT_ORDER_SAMPLES)
        ranges = np.sort(_draw_ranges(units, count, sampling))
        added_count = 1
        method_text = Message(
            "{count:,} random shuffles, seed {seed}", count=count, seed=sampling.seed
        )
    extreme_counts = len(ranges) - np.searchsorted(
        ranges, _compute_observed_gaps(units, pairs), side="left"
    )
    return SignificanceResult(
        statistic,
        (extreme_counts + added_count) / (len(ranges) + added_count),
        Message("{method}; corrected for multiple comparisons", method=method_text),
    )


def _compute_all_ranges(units: Floats) -> Floats:
    """Return the highest minus the lowest sum of the systems for all permutations of scores.

    Scores are permuted among the systems within each topic except the first.
    """
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


def _draw_ranges(units: Floats, samples: int, sampling: Sampling) -> Floats:
    """Return the highest minus the lowest sum of the systems for random permutations of scores.

    Scores are permuted among the systems within each topic.
    """
    portions = sampling.split_samples(samples, MAX_VALUES_PER_BLOCK // max(1, units.size))
    return np.concatenate(
        [
            *sampling.map_portions(
                _compute_shuffled_ranges, (units, sampling.seed), portions, "Shuffling"
            )
        ]
    )


def _compute_shuffled_ranges(shared: tuple[Floats, int], portion: tuple[int, int]) -> Floats:
    (units, seed), (start, end) = shared, portion
    systems, topics = units.shape
    units_by_topic = np.ascontiguousarray(units.T)
    orders = (
        RandomStream(seed, skip=start * topics * systems)
        .draw_orders((end - start) * topics, systems)
        .reshape(end - start, topics, systems)
    )
    orders += (np.arange(topics) * systems)[:, None]
    ranges: Floats = np.ptp(units_by_topic.reshape(-1)[orders].sum(axis=1), axis=1)
    return ranges


def _compute_observed_gaps(units: Floats, pairs: Longs) -> Floats:
    """Return, for each pair, the absolute difference of the sums minus the rounding tolerance."""
    sums = units.sum(axis=1)
    gaps: Floats = np.abs(sums[pairs[:, 0]] - sums[pairs[:, 1]]) - 2 * units.shape[1]
    return gaps


# Bootstrap over topics: intervals of the mean difference, and the corresponding test

DEFAULT_TEST_SAMPLES = 10_000
BootstrapMethod = Literal["percentile", "bca"]
METHODS: tuple[BootstrapMethod, ...] = get_args(BootstrapMethod)


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """Confidence interval of a mean, and a description of the method."""

    low: float
    high: float
    method: str


def bootstrap_intervals(
    scores: Floats,
    pairs: Longs,
    *,
    confidence: float = 0.95,
    method: BootstrapMethod = "percentile",
    sampling: Sampling | None = None,
) -> list[MeanInterval | None]:
    """Return the bootstrap interval of the mean difference of each pair of systems.

    Parameters
    ----------
    scores
        Shape (K, n): the values of K systems on n topics. All intervals use the same resamples of
        the topics.
    pairs
        Shape (P, 2): indexes of the rows of `scores` whose differences are resampled.
    confidence
        Confidence level, above 0 and below 1.
    method
        `percentile`: quantiles of the resampled means. `bca`: quantiles corrected for bias and
        skewness.
    sampling
        Seed and number of samples, by default 10,000; None for the defaults.

    Returns
    -------
    list of MeanInterval or None
        None if there are fewer than two topics; both ends are the mean if the values do not vary.

    Raises
    ------
    IrjudgeError
        If the confidence is not between 0 and 1, or the method is unknown.

    References
    ----------
    Efron and Tibshirani (1993), An introduction to the bootstrap, ch. 13 and 14. Sakai (2006),
    Evaluating evaluation metrics based on the bootstrap, SIGIR.

    Examples
    --------
    >>> scores = np.array([[.1, .3, .2, .4, .0], [.0, .0, .0, .0, .0]])
    >>> (interval,) = bootstrap_intervals(scores, np.array([[0, 1]]))
    >>> round(interval.low, 4), round(interval.high, 4), interval.method
    (0.08, 0.32, 'bootstrap percentile, 10,000 samples, seed 0')
    """
    if not 0 < confidence < 1:
        raise IrjudgeError(
            "The confidence level must be between 0 and 1, got {confidence:g}.",
            confidence=confidence,
        )
    if method not in METHODS:
        raise IrjudgeError(
            "Unknown bootstrap method {method!r}; expected one of {methods}.",
            method=method,
            methods=", ".join(METHODS),
        )
    sampling = sampling or Sampling()
    method_text = Message(
        "bootstrap {method}, {count:,} samples, seed {seed}",
        method=method,
        count=sampling.count(DEFAULT_TEST_SAMPLES),
        seed=sampling.seed,
    )
    if scores.shape[1] < 2:
        return [None] * len(pairs)
    units, unit = to_exact_units(scores)
    sums = _compute_resampled_sums(units, sampling)
    intervals: list[MeanInterval | None] = []
    for (first, second), values in zip(
        pairs.tolist(), exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]]), strict=True
    ):
        resampled_values = np.sort(sums[first] - sums[second]) * (unit / scores.shape[1])
        intervals.append(
            _make_bootstrap_interval(values, resampled_values, confidence, method, method_text)
        )
    return intervals


def _make_bootstrap_interval(
    values: Floats,
    resampled_values: Floats,
    confidence: float,
    method: BootstrapMethod,
    method_text: str,
) -> MeanInterval:
    if (values == values[0]).all():
        return MeanInterval(mean(values), mean(values), method_text)
    tails = (1 - confidence) / 2, (1 + confidence) / 2
    if method == "bca":
        tails = _compute_bca_tails(values, resampled_values, tails)
    return MeanInterval(
        _compute_quantile(resampled_values, tails[0]),
        _compute_quantile(resampled_values, tails[1]),
        method_text,
    )


@significance_test("bootstrap", "Bootstrap test")
def bootstrap_test(scores: Floats, pairs: Longs, sampling: Sampling) -> SignificanceResult:
    """Test whether the mean difference is 0, by its variation over bootstrap samples of the topics.

    Returns
    -------
    SignificanceResult
        The statistic is the mean difference. p is 1 if all differences are 0 or there is at most
        one topic. If all differences are equal and not 0, p has its lowest value, 1/(m + 1).

    Notes
    -----
    The test is two-sided, by the shift method: the sampled means minus the observed mean are
    compared with it, and p = (b + 1)/(m + 1) for m samples, by default 10,000.

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
    count, topics = sampling.count(DEFAULT_TEST_SAMPLES), scores.shape[1]
    statistic = tuple(mean(row) for row in values)
    method_text = Message(
        "shift method, {count:,} samples, seed {seed}", count=count, seed=sampling.seed
    )
    if topics < 2:
        return SignificanceResult(statistic, np.ones(len(pairs)), method_text)
    units, _ = to_exact_units(scores)
    tolerance = 4.0 * topics
    sums, total = _compute_resampled_sums(units, sampling), units.sum(axis=1)
    p = np.ones(len(pairs))
    for index, (first, second) in enumerate(pairs.tolist()):
        observed = total[first] - total[second]
        if statistic[index] != 0:
            is_extreme = np.abs(sums[first] - sums[second] - observed) >= abs(observed) - tolerance
            p[index] = (int(is_extreme.sum()) + 1) / (count + 1)
    return SignificanceResult(statistic, p, method_text)


def _compute_resampled_sums(units: Floats, sampling: Sampling) -> Floats:
    """Return each system's sum over each bootstrap sample of topics, shape (K, samples)."""
    portions = sampling.split_samples(
        sampling.count(DEFAULT_TEST_SAMPLES), MAX_VALUES_PER_BLOCK // max(units.shape)
    )
    portions_sums = sampling.map_portions(
        _compute_resampled_portion, (units, sampling.seed), portions, Message("Resampling topics")
    )
    return np.concatenate([*portions_sums], axis=1)


def _compute_resampled_portion(shared: tuple[Floats, int], portion: tuple[int, int]) -> Floats:
    (units, seed), (start, end) = shared, portion
    topics, count = units.shape[1], end - start
    sampled_topics = (
        RandomStream(seed, skip=start * topics).draw_integers(count, topics, topics)
        + np.arange(count)[:, None] * topics
    )
    draw_counts = np.bincount(sampled_topics.reshape(-1), minlength=count * topics).reshape(
        count, topics
    )
    return units @ draw_counts.T.astype(np.float64)


def _compute_quantile(ascending: Floats, share: float) -> float:
    """Return the quantile of values in ascending order: one of the values, not interpolated."""
    position = (
        math.ceil(share * (len(ascending) + 1) - 1e-9)
        if share > 0.5
        else math.floor(share * (len(ascending) + 1) + 1e-9)
    )
    return float(ascending[min(len(ascending), max(1, position)) - 1])


def _compute_bca_tails(
    values: Floats, resampled_values: Floats, tails: tuple[float, float]
) -> tuple[float, float]:
    """Return the tail probabilities, corrected for bias and skewness by the BCa method."""
    centre = mean(values)
    below_share = (
        np.count_nonzero(resampled_values < centre)
        + np.count_nonzero(resampled_values == centre) / 2
    ) / len(resampled_values)
    bias = float(
        scipy.special.ndtri(
            min(1 - 0.5 / len(resampled_values), max(0.5 / len(resampled_values), below_share))
        )
    )
    # for each topic, the mean of the values of all other topics
    jackknife_means = (values.sum() - values) / (len(values) - 1)
    deviations = jackknife_means.mean() - jackknife_means
    skew = float((deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5))

    def shift_tail(tail: float) -> float:
        shifted_quantile = bias + float(scipy.special.ndtri(tail))
        return float(scipy.special.ndtr(bias + shifted_quantile / (1 - skew * shifted_quantile)))

    return shift_tail(tails[0]), shift_tail(tails[1])


# Tests that assume a distribution: the paired t-test with its interval, and Tukey's HSD after
# two-way ANOVA of systems and topics


@significance_test("t", "Paired t-test", "t-test", "ttest", "student", min_topics=2)
def t_test(scores: Floats, pairs: Longs, _sampling: Sampling) -> SignificanceResult:
    """Test whether the mean difference is 0 by Student's t distribution, the usual test for means
    over topics.

    Returns
    -------
    SignificanceResult
        The statistic is t with n - 1 degrees of freedom. If all differences are 0, t is 0 and p is
        1. If all are equal and not 0, there is no t, and p is 0, its limit. With at most one topic
        p is 1, since there is no standard deviation.

    References
    ----------
    Student (1908), The probable error of a mean. Smucker, Allan and Carterette (2007), A comparison
    of statistical significance tests for information retrieval evaluation, CIKM.

    Examples
    --------
    >>> scores = np.array([[.7, -1.6, -.2, -1.2, -.1, 3.4, 3.7, .8, 0, 2], [1.9, .8, 1.1, .1, -.1, 4.4, 5.5, 1.6, 4.6, 3.4]])
    >>> result = t_test(scores, np.array([[0, 1]]), Sampling())
    >>> round(result.statistic[0], 6), result.p.round(6).tolist()
    (-4.062128, [0.002833])
    """
    tests = [student_t(row) for row in exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])]
    return SignificanceResult(
        tuple(t for t, _ in tests),
        np.array([p for _, p in tests]),
        Message("Student's t, {degrees} degrees of freedom", degrees=max(0, scores.shape[1] - 1)),
    )


def student_t(values: Floats) -> tuple[float | None, float]:
    """Return t and the two-sided p-value for differences; for special cases see `t_test`."""
    count, centre, spread = len(values), mean(values), deviation(values)
    if centre == 0:
        return 0.0, 1.0
    if count < 2:
        return None, 1.0
    if spread == 0:
        return None, 0.0
    t = centre / (spread / math.sqrt(count))
    return t, min(1.0, 2 * float(scipy.special.stdtr(count - 1, -abs(t))))


def t_interval(values: Floats, confidence: float = 0.95) -> tuple[float, float] | None:
    """Return the interval of a mean by Student's t distribution; None for fewer than two values.

    `values`, shape (n,), are differences by topic. The confidence is above 0 and below 1. Both ends
    are the mean if the values do not vary.

    >>> tuple(round(end, 4) for end in t_interval(np.array([1.0, 2.0, 3.0])))
    (-0.4841, 4.4841)
    """
    if len(values) < 2:
        return None
    centre = mean(values)
    half_width = (
        float(scipy.special.stdtrit(len(values) - 1, (1 + confidence) / 2))
        * deviation(values)
        / math.sqrt(len(values))
    )
    return centre - half_width, centre + half_width


@significance_test(
    "tukey-hsd", "Tukey's HSD test of systems by topic", corrects_all_pairs=True, min_topics=2
)
def tukey_hsd(scores: Floats, pairs: Longs, sampling: Sampling) -> SignificanceResult:
    """Test all pairs of systems simultaneously by the studentized range, after removing the effects
    of systems and topics from the variance.

    Returns
    -------
    SignificanceResult
        The statistic is q = difference of means / √(V_E / n), with its sign. If no variance is
        left, p is 1 for a pair with equal means; for others p is 0 and there is no q. With at most
        one topic or one system, p is 1. All rows of `scores` form the family.

    References
    ----------
    Tukey (1953), The problem of multiple comparisons. Sakai (2018), Laboratory experiments in information retrieval, ch. 4.

    Examples
    --------
    >>> rows = ".30 .42 .12 .55 .61 .28 .35 .47", ".33 .45 .20 .52 .66 .31 .40 .50", ".25 .40 .10 .50 .55 .20 .30 .41"
    >>> scores = np.array([[float(each) for each in row.split()] for row in rows])
    >>> tukey_hsd(scores, np.array([[0, 1], [0, 2]]), Sampling()).p.round(6).tolist()
    [0.011869, 0.000677]
    """
    systems, topics = scores.shape
    degrees_of_freedom = (systems - 1) * (topics - 1)
    mean_differences = np.array(
        [mean(row) for row in exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])]
    )
    method_text = Message(
        "studentized range of {systems} systems, {degrees} degrees of freedom; corrected for "
        "multiple comparisons",
        systems=systems,
        degrees=max(0, degrees_of_freedom),
    )
    variance = (
        _compute_residual_squares(scores) / degrees_of_freedom if degrees_of_freedom > 0 else 0.0
    )
    if variance <= 0:
        has_degrees_of_freedom = degrees_of_freedom > 0
        return SignificanceResult(
            tuple(0.0 if difference == 0 else None for difference in mean_differences),
            np.where((mean_differences != 0) & has_degrees_of_freedom, 0.0, 1.0),
            method_text,
        )
    q = mean_differences / math.sqrt(variance / topics)
    return SignificanceResult(
        tuple(q.tolist()),
        np.array(
            [
                studentized_range_p(abs(statistic), systems, degrees_of_freedom)
                for statistic in sampling.progress.track(
                    q.tolist(), Message("Comparing runs"), total=len(q), every=16
                )
            ]
        ),
        method_text,
    )


def studentized_range_p(q: float, systems: int, degrees_of_freedom: int) -> float:
    """Return the probability that the studentized range of `systems` means is q or more.

    >>> round(studentized_range_p(3.506, 3, 27), 4)  # tables give 3.51 for .05
    0.05
    """
    return (
        min(1.0, max(0.0, float(scipy.stats.studentized_range.sf(q, systems, degrees_of_freedom))))
        if q > 0
        else 1.0
    )


def _compute_residual_squares(scores: Floats) -> float:
    """Return the sum of squared deviations that effects of systems and topics do not explain.

    A sum that is not larger than rounding errors is returned as 0.
    """
    residuals = (
        scores
        - scores.mean(axis=1, keepdims=True)
        - scores.mean(axis=0, keepdims=True)
        + scores.mean()
    )
    square_sum = math.fsum((residuals**2).ravel().tolist())
    tolerance = scores.size * (1e-13 * float(np.abs(scores).max(initial=0.0))) ** 2
    return square_sum if square_sum > tolerance else 0.0


# Tests of signs and ranks of the differences: Wilcoxon signed-rank test and sign test

# maximum number of differences for which all 2^n sign patterns are counted; float64 can represent
# such counts exactly
MAX_EXACT_RANKS = 50

Zeros = Literal["drop", "pratt", "split"]
WilcoxonMethod = Literal["auto", "exact", "normal"]


@significance_test("wilcoxon", "Wilcoxon signed-rank test")
def wilcoxon_test(scores: Floats, pairs: Longs, _sampling: Sampling) -> SignificanceResult:
    """Test whether the differences are symmetric about 0, by the ranks of their magnitudes; this is
    not a test of the mean.

    Returns
    -------
    SignificanceResult
        The statistic is W, the smaller sum of ranks. Topics without a difference are ignored; if
        there are no others, W is 0 and p is 1.

    Notes
    -----
    The test is exact for up to 50 topics with a difference, even if magnitudes are tied: all sign
    patterns are counted. For more topics, the normal approximation is used, with the variance
    corrected for ties and without continuity correction.

    References
    ----------
    Wilcoxon (1945), Individual comparisons by ranking methods.

    Examples
    --------
    >>> scores = np.array([[.5, .4, .3, .9], [.4, .2, .3, .6]])
    >>> result = wilcoxon_test(scores, np.array([[0, 1]]), Sampling())
    >>> result.statistic, result.p.tolist()
    ((0.0,), [0.25])
    """
    tests = [wilcoxon(row) for row in exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])]
    method_text = Message(
        "zeros dropped; exact up to {limit} differences, otherwise normal approximation",
        limit=MAX_EXACT_RANKS,
    )
    return SignificanceResult(
        tuple(w for w, _ in tests), np.array([p for _, p in tests]), method_text
    )


def wilcoxon(
    values: Floats, *, zeros: Zeros = "drop", method: WilcoxonMethod = "auto", correct: bool = False
) -> tuple[float, float]:
    """Return W, the smaller of the two sums of ranks, and the two-sided p-value of differences.

    Parameters
    ----------
    values
        Shape (n,): differences, in which ties must be exactly equal.
    zeros
        `drop`: differences of 0 are ignored. `pratt`: they are ranked and then ignored. `split`:
        half of their ranks is added to each side.
    method
        `exact` counts all sign patterns, `normal` approximates. `auto` is `exact` for up to 50
        differences if zeros are dropped, otherwise `normal`.
    correct
        For `normal`: whether to move the statistic by one half towards its mean (continuity
        correction).

    Returns
    -------
    tuple
        W and p; 0 and 1 if all differences are 0.

    References
    ----------
    Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures.

    Examples
    --------
    >>> wilcoxon(np.array([1.0, 2.0, 3.0, -4.0]))
    (4.0, 0.875)
    """
    ranked_values = values[values != 0] if zeros == "drop" else values
    is_nonzero = ranked_values != 0
    if not is_nonzero.any():
        return 0.0, 1.0
    rank, tie_sizes = _compute_signed_ranks(np.abs(ranked_values))
    half_zero_ranks = float(rank[~is_nonzero].sum()) / 2 if zeros == "split" else 0.0
    positive_sum = float(rank[ranked_values > 0].sum()) + half_zero_ranks
    w = min(positive_sum, float(rank[ranked_values < 0].sum()) + half_zero_ranks)
    if method == "exact" or (
        method == "auto" and zeros == "drop" and int(is_nonzero.sum()) <= MAX_EXACT_RANKS
    ):
        return w, _compute_exact_wilcoxon(rank[is_nonzero], w - half_zero_ranks)
    return w, _compute_normal_wilcoxon(
        w,
        len(ranked_values),
        0 if zeros == "split" else int((~is_nonzero).sum()),
        tie_sizes if zeros == "split" else tie_sizes[tie_sizes > 0],
        ranked_values,
        correct,
    )


def _compute_signed_ranks(magnitudes: Floats) -> tuple[Floats, Floats]:
    """Return each magnitude's mean rank, 1 for the smallest, and the size of each tie group."""
    _, group_codes, counts = np.unique(magnitudes, return_inverse=True, return_counts=True)
    last_ranks = np.cumsum(counts)
    return (last_ranks - (counts - 1) / 2)[group_codes.reshape(-1)], counts.astype(np.float64)


def _compute_exact_wilcoxon(rank: Floats, w: float) -> float:
    """Return the share of sign patterns whose smaller sum of ranks is w or less.

    The number of patterns with each possible sum is updated for one rank after another.
    """
    # Ranks are doubled to make them integers, since mean ranks may end in .5.
    doubled_ranks = np.round(rank * 2).astype(np.int64)
    ways_by_rank_sum = np.zeros(int(doubled_ranks.sum()) + 1)
    ways_by_rank_sum[0] = 1
    for doubled_rank in doubled_ranks.tolist():
        ways_by_rank_sum[doubled_rank:] += ways_by_rank_sum[:-doubled_rank].copy()
    return min(1.0, 2 * float(ways_by_rank_sum[: round(w * 2) + 1].sum()) / 2.0 ** len(rank))


def _compute_normal_wilcoxon(
    w: float, count: int, zeros: int, tied: Floats, nonzero: Floats, correct: bool
) -> float:
    """Return the two-sided p-value by the normal approximation.

    `count` is the number of ranked differences; `zeros` of these are 0 and were ignored after they
    had been ranked. `tied` contains the sizes of groups of equal magnitudes.
    """
    centre = (count * (count + 1) - zeros * (zeros + 1)) / 4
    variance = (count * (count + 1) * (2 * count + 1) - zeros * (zeros + 1) * (2 * zeros + 1)) / 24
    groups = _compute_signed_ranks(np.abs(nonzero[nonzero != 0]))[1] if zeros else tied
    variance -= float((groups**3 - groups).sum()) / 48
    distance = max(0.0, abs(w - centre) - (0.5 if correct else 0.0))
    return (
        min(1.0, 2 * float(scipy.special.ndtr(-distance / math.sqrt(variance))))
        if variance > 0
        else 1.0
    )


@significance_test("sign", "Sign test")
def sign_test(scores: Floats, pairs: Longs, _sampling: Sampling) -> SignificanceResult:
    """Test whether wins and losses are equally likely, ignoring their magnitudes.

    Returns
    -------
    SignificanceResult
        The statistic is the number of wins of the first system. Ties are ignored; p is 1 if there
        are no other topics.

    References
    ----------
    Arbuthnot (1710), An argument for divine providence; exact binomial, two-sided.

    Examples
    --------
    >>> scores = np.array([[.5, .4, .3, .9, .8, .7], [.4, .2, .3, .6, .5, .1]])
    >>> result = sign_test(scores, np.array([[0, 1]]), Sampling())
    >>> result.statistic, result.p.tolist()
    ((5.0,), [0.0625])
    """
    values = exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])
    wins, losses = (values > 0).sum(axis=1), (values < 0).sum(axis=1)
    p = np.minimum(
        1.0, 2 * scipy.special.bdtr(np.minimum(wins, losses).astype(np.float64), wins + losses, 0.5)
    )
    return SignificanceResult(
        tuple(wins.astype(np.float64).tolist()),
        np.where(wins + losses > 0, p, 1.0),
        Message("exact binomial, ties dropped"),
    )


# Significance tests and corrections by name

find_test, find_correction = TESTS.find, CORRECTIONS.find


def run_test(
    name: str,
    scores: Floats | Sequence[Sequence[float]],
    pairs: Longs | None = None,
    sampling: Sampling | None = None,
) -> SignificanceResult:
    """Return the result of a significance test for pairs of systems.

    `scores`, shape (K, n), are those of K systems on the same n topics. `pairs`, shape (P, 2),
    contains indexes of its rows; None means all pairs. Raises IrjudgeError if the test is unknown,
    if `scores` is not a table, or if a score is not finite.

    >>> run_test("sign", [[.5, .4, .3], [.4, .2, .1]]).p.tolist()
    [0.25]
    """
    declaration = find_test(name)
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2:
        raise IrjudgeError("A test needs a row of scores for each system, all for the same topics.")
    if not np.isfinite(table).all():
        raise IrjudgeError("A score is not a finite number, so the systems cannot be compared.")
    pair_rows = all_pairs(len(table)) if pairs is None else pairs
    return declaration.function(table, pair_rows, sampling or Sampling())


# Power analysis of paired t-tests and one-way ANOVA: topics needed, detectable differences

ALPHA, POWER = 0.05, 0.8  # default significance level and power, as in Sakai's tables
MAX_TOPICS = 1_000_000
MAX_BISECTIONS = 60  # enough for full precision, since a float has fewer binary digits


class ComparisonDesign(Protocol):
    """Interface of designs of experiments for which the power to detect a difference is computed.

    `deviation` is a standard deviation over topics, above 0: of the differences of two systems, or
    of the scores of each system. `power` returns the power of the test with a number of topics. A
    design is hashable.
    """

    @property
    def deviation(self) -> float: ...  # noqa: D102

    def power(self, topics: int, difference: float, alpha: float = ALPHA) -> float: ...  # noqa: D102

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class PairedDesign:
    """Design that compares two systems on the same topics by a two-sided paired t-test.

    >>> round(PairedDesign(1.0).power(34, 0.5), 4)
    0.8078
    """

    deviation: float  # standard deviation of the differences by topic, above 0

    def power(self, topics: int, difference: float, alpha: float = ALPHA) -> float:
        """Return the power, computed from the noncentral t distribution.

        It has topics - 1 degrees of freedom.
        """
        critical_value = float(scipy.special.stdtrit(topics - 1, 1 - alpha / 2))
        noncentrality = abs(difference) / self.deviation * math.sqrt(topics)
        upper_tail, lower_tail = np.nan_to_num(
            scipy.special.nctdtr(topics - 1, noncentrality, [critical_value, -critical_value])
        )  # the function returns nan for a tail that is too small for a float
        return float(1 - upper_tail + lower_tail)


@dataclass(frozen=True, slots=True)
class OneWayDesign:
    """Design in which several systems are compared by one-way ANOVA.

    The difference to detect is that between the best and the worst system. All other systems are
    assumed to be midway between these two, where the power is lowest, so that the noncentrality is
    n·difference²/(2·deviation²).

    References
    ----------
    Sakai (2016), Topic set size design, Information Retrieval Journal 19(3).

    Examples
    --------
    >>> round(OneWayDesign(1.0, 4).power(60, 0.5**0.5), 4)  # f² = .0625
    0.9122
    """

    deviation: float  # standard deviation of the scores of each system over topics, above 0
    systems: int  # number of systems, 2 or more

    def power(self, topics: int, difference: float, alpha: float = ALPHA) -> float:
        """Return the power, computed from the noncentral F distribution.

        With m systems and n topics, it has m - 1 and m(n - 1) degrees of freedom.
        """
        between_df, within_df = self.systems - 1, self.systems * (topics - 1)
        critical_value = float(scipy.special.fdtri(between_df, within_df, 1 - alpha))
        noncentrality = topics * (difference / self.deviation) ** 2 / 2
        return float(
            1
            - np.nan_to_num(
                scipy.special.ncfdtr(between_df, within_df, noncentrality, critical_value)
            )
        )


def required_topics(
    design: ComparisonDesign, difference: float, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """Return the smallest number of topics with which the power is `power` or more.

    None if the difference is 0, or if more than `MAX_TOPICS` would be needed.

    >>> required_topics(PairedDesign(0.2), 0.1), required_topics(OneWayDesign(1.0, 4), 0.5**0.5, power=0.9)
    (34, 58)
    """
    _check_levels(alpha, power)
    if difference == 0:
        return None
    low, high = 1, 2
    while design.power(high, difference, alpha) < power:
        if high == MAX_TOPICS:
            return None
        low, high = high, min(high * 2, MAX_TOPICS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if design.power(middle, difference, alpha) >= power else (middle, high)
        )
    return high


def detectable_difference(
    design: ComparisonDesign, topics: int, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """Return the smallest difference for which the power is `power` with `topics` topics.

    None if there are fewer than two topics.

    >>> round(detectable_difference(PairedDesign(0.2), 34), 4)
    0.099
    """
    _check_levels(alpha, power)
    return _compute_detectable_difference(design, topics, alpha, power) if topics >= 2 else None


@lru_cache(maxsize=4096)  # the window draws the same curve again when another pair is selected
def _compute_detectable_difference(
    design: ComparisonDesign, topics: int, alpha: float, power: float
) -> float:
    low, high = 0.0, design.deviation
    while design.power(topics, high, alpha) < power:
        low, high = high, high * 2
    for _ in range(MAX_BISECTIONS):
        middle = (low + high) / 2
        low, high = (
            (low, middle) if design.power(topics, middle, alpha) >= power else (middle, high)
        )
    return high


def _check_levels(alpha: float, power: float) -> None:
    if not (0 < alpha < 1 and 0 < power < 1):
        raise IrjudgeError(
            "alpha and power must be between 0 and 1, got {alpha:g} and {power:g}.",
            alpha=alpha,
            power=power,
        )


# Intervals of proportions, for arrays

DEFAULT_LEVEL = 0.95
DEFAULT_QUANTILE = NormalDist().inv_cdf((1 + DEFAULT_LEVEL) / 2)


def wilson_interval(
    count: npt.ArrayLike, total: npt.ArrayLike, level: float = DEFAULT_LEVEL
) -> tuple[Floats, Floats]:
    """Return the ends of Wilson's score intervals of proportions of independent trials.

    Parameters
    ----------
    count, total
        Numbers of successes and of trials, arrays of the same shape with 0 <= count <= total.
    level
        Confidence level.

    Returns
    -------
    tuple of arrays
        Lower and upper ends of the interval, which lies within [0, 1] and contains count / total;
        nan if there are no trials.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22.

    Examples
    --------
    >>> low, high = wilson_interval([61, 0], [100, 0])
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.512, nan], [0.6998, nan])
    """
    successes, trials = np.asarray(count, dtype=np.float64), np.asarray(total, dtype=np.float64)
    trials = np.where(trials > 0, trials, np.nan)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, square = successes / trials, z * z / trials
    centre = (share + square / 2) / (1 + square)
    half_width = z / (1 + square) * np.sqrt(share * (1 - share) / trials + square / trials / 4)
    return np.clip(centre - half_width, 0, share), np.clip(centre + half_width, share, 1)


# Tests of wins against losses: the exact sign test, two tests with ties, and sample sizes

MAX_PLANNED_TRIALS = 1_000_000


def binomial_p(wins: int, losses: int) -> float:
    """Return the two-sided p-value of wins and losses by the sign test; 1 if there are neither.

    Notes
    -----
    This is the exact sign test: p = min(1, 2 P(X >= max(wins, losses))), where X has a binomial
    distribution with wins + losses trials and probability 1/2.

    References
    ----------
    Arbuthnot (1710), An argument for divine providence.

    Examples
    --------
    >>> round(binomial_p(15, 5), 6)
    0.041389
    """
    total = wins + losses
    return (
        min(1.0, 2 * float(scipy.special.bdtr(float(min(wins, losses)), total, 0.5)))
        if total
        else 1.0
    )


def trinomial_p(wins: int, losses: int, ties: int) -> float:
    """Return the two-sided p-value of wins minus losses by the trinomial test, which counts ties.

    Parameters
    ----------
    wins, losses, ties
        Counts. The probability of a tie is estimated by its share.

    Returns
    -------
    float
        P(|W - L| >= |wins - losses|) for n trials that tie with this probability, and otherwise are
        won or lost with equal probability; 1 if there are no trials.

    References
    ----------
    Bian, McAleer and Wong (2011), A trinomial test for paired data when there are many ties, Mathematics and Computers in Simulation 81.

    Examples
    --------
    >>> round(trinomial_p(12, 5, 8), 6)
    0.114513
    """
    total, difference = wins + losses + ties, abs(wins - losses)
    if difference == 0:
        return 1.0
    decisive_counts = np.arange(difference, total + 1)
    bdtr = scipy.special.bdtr
    decisive_probability = bdtr(decisive_counts.astype(np.float64), total, 1 - ties / total) - bdtr(
        decisive_counts - 1.0, total, 1 - ties / total
    )
    p_values = 2 * bdtr(np.floor((decisive_counts - difference) / 2), decisive_counts, 0.5)
    return min(1.0, float(decisive_probability @ p_values))


def half_tie_p(wins: int, losses: int, ties: int) -> float:
    """Return the p-value of the two-sided sign test in which half of the ties count as wins.

    The other half count as losses, which makes the test conservative. If the number of ties is odd,
    the remaining tie is added to wins or losses, whichever are fewer. The result is 1 if there are
    no trials.

    >>> round(half_tie_p(12, 5, 8), 6), round(half_tie_p(30, 15, 5), 6)
    (0.229523, 0.064909)
    """
    total = wins + losses + ties
    larger_count = (2 * max(wins, losses) + ties) // 2
    return (
        min(1.0, 2 * float(scipy.special.bdtr(float(total - larger_count), total, 0.5)))
        if total
        else 1.0
    )


def trials_needed(share: float, *, power: float = 0.8, level: float = 0.05) -> int | None:
    """Return how many decisive comparisons the two-sided sign test needs to reach a power.

    `share` is the true share of wins. The exact power is not monotonic; the result is the smallest
    number from which on it is never below `power`. None if the share is so close to .5 that more
    than a million comparisons are needed. Raises IrjudgeError if share, power or level is not
    between 0 and 1.

    >>> [trials_needed(share) for share in (0.55, 0.6, 0.65, 0.7, 0.75)]
    [820, 210, 97, 54, 35]
    """
    for name, value in ((Message("share of wins"), share), ("power", power), ("level", level)):
        if not 0 <= value <= 1 or (name != "share of wins" and value in (0, 1)):
            raise IrjudgeError(
                "The {name} must be between 0 and 1, got {value:g}.", name=name, value=value
            )
    share, distance = max(share, 1 - share), abs(share - 0.5)
    if not distance:
        return None
    # All numbers up to a limit are tried. The limit is above the normal approximation, because the
    # exact power is not monotonic.
    ndtri = scipy.special.ndtri
    approximate_trials = (
        (
            float(ndtri(1 - level / 2)) / 2
            + max(0.0, float(ndtri(power))) * math.sqrt(share * (1 - share))
        )
        / distance
    ) ** 2
    if approximate_trials > MAX_PLANNED_TRIALS:
        return None
    trials = np.arange(1, int(1.3 * approximate_trials) + 200)
    insufficient_rows = np.flatnonzero(sign_test_power(trials, share, level=level) < power)
    return int(trials[insufficient_rows[-1]]) + 1 if len(insufficient_rows) else 1


def sign_test_power(trials: Longs, share: float, *, level: float = 0.05) -> Floats:
    """Return the power of the exact two-sided sign test for each number of decisive comparisons.

    `share` is the true share of wins.

    >>> sign_test_power(np.array([34, 35]), 0.75).round(4)
    array([0.7894, 0.8579])
    """
    max_losses = _compute_max_significant_losses(trials, level)
    bdtr = scipy.special.bdtr
    power = bdtr(max_losses, trials, 1 - share) + bdtr(max_losses, trials, share)
    return np.where(max_losses >= 0, power, 0.0)


def _compute_max_significant_losses(trials: Longs, level: float) -> Floats:
    """Return, for each number of trials, the highest number of losses that is still significant.

    The value is -1 if no number is significant.
    """
    low, high = np.full(len(trials), -1), (trials + 1) // 2
    # bisection, since p increases with the number of losses: `low` losses are significant (-1 if
    # none are known to be), and `high` losses are not
    while (high - low > 1).any():
        middle = (low + high) // 2
        is_significant = (middle >= 0) & (
            2 * scipy.special.bdtr(middle.astype(np.float64), trials, 0.5) <= level
        )
        low, high = np.where(is_significant, middle, low), np.where(is_significant, high, middle)
    return low.astype(np.float64)
