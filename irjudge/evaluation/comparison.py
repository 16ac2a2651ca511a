"""Comparison of runs: differences, tests, needed topics and the best runs."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Evaluation, RunScores
from irjudge.message import Message, format_count
from irjudge.metrics import Measure, best_first, count_outcomes, to_goodness
from irjudge.model import Floats, Longs
from irjudge.progress import SILENT, Progress
from irjudge.stats import Sampling
from irjudge.stats.significance import (
    ALPHA,
    POWER,
    ComparisonDesign,
    OneWayDesign,
    PairedDesign,
    PairedDifferences,
    SignificanceTest,
    all_pairs,
    bootstrap_intervals,
    detectable_difference,
    find_correction,
    find_test,
    mean,
    required_topics,
    t_interval,
)

# Comparison of runs over common topics: differences, intervals, corrected tests, and power

# The t-test is the common test of means; the randomisation test assumes no distribution (Smucker,
# Allan and Carterette 2007).
DEFAULT_TESTS = ("t", "permutation")
IntervalName = Literal["t", "percentile", "bca"]
INTERVAL_DESCRIPTIONS: dict[IntervalName, str] = {
    "t": Message("from Student's t distribution"),
    "percentile": Message("bootstrap, from two quantiles of the resampled means"),
    "bca": Message("bootstrap, quantiles corrected for bias and skewness"),
}


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Row of a comparison: two runs compared by one measure and one test.

    Only the common topics of both runs are used; a test of all pairs together uses the topics
    common to all runs. The row contains both means, the difference with its 95 % interval, the
    p-values before and after correction, the effect size, and the numbers of topics on which run a
    is better, equal or worse. If there are too few topics for the test, `is_tested` is false, and p
    is 1 and meaningless.
    """

    measure: str
    run_a: str
    run_b: str  # second run; the baseline, if there is one
    topics: int  # number of common topics
    mean_a: float  # mean of run a over the common topics
    mean_b: float  # mean of run b over the common topics
    difference: float  # mean_a − mean_b
    low: float | None  # lower end of the 95 % interval of the difference; None with one topic
    high: float | None  # upper end of the 95 % interval of the difference; None with one topic
    test: str  # name of the significance test
    statistic: float | None  # see `SignificanceResult`
    p: float  # p-value before correction; already corrected in a test of all pairs together
    p_adjusted: float  # p-value adjusted over all pairs of the measure and test
    # effect size: mean of the differences divided by their standard deviation; None if the
    # differences are all equal, but not 0
    effect: float | None
    wins: int  # number of topics on which run a is better
    ties: int  # number of topics on which both runs are equal
    losses: int  # number of topics on which run a is worse

    @property
    def is_tested(self) -> bool:
        """Whether there are enough topics for the test; otherwise p is 1 and meaningless."""
        return self.topics >= find_test(self.test).min_topics

    def cells(self) -> tuple[str | int | float | None, ...]:
        """Return a row with the columns `COMPARISON_COLUMNS`; missing values are None."""
        missing_p_values = {"p": None, "p_adjusted": None} if not self.is_tested else {}
        return tuple({**asdict(self), **missing_p_values}.values())


COMPARISON_COLUMNS = tuple(field.name for field in fields(ComparedPair))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result of a comparison of runs: pairs, notes and, if requested, power analyses.

    Each pair of runs is compared by one measure and one test; `pairs` has a row for each
    combination. The notes describe the methods, so that the numbers can be reproduced.
    """

    pairs: tuple[ComparedPair, ...]
    notes: tuple[str, ...]
    needs: tuple["TopicNeed", ...] = ()  # power analysis, if requested

    def rows(self) -> Iterator[tuple[str | int | float | None, ...]]:
        """Yield a row with the columns `COMPARISON_COLUMNS` for each pair."""
        yield from (pair.cells() for pair in self.pairs)


def compare(
    evaluation: Evaluation,
    *,
    tests: Sequence[str] = DEFAULT_TESTS,
    baseline: str | Sequence[str] | None = None,
    correction: str = "holm",
    interval: IntervalName = "t",
    sampling: Sampling | None = None,
    pairs: Sequence[tuple[int, int]] | None = None,
) -> Comparison:
    """Compare pairs of runs of an evaluation.

    Parameters
    ----------
    tests
        Names of significance tests.
    baseline
        Name or names of baselines; each run is compared with them. None compares all pairs.
    correction
        Correction of p-values for the number of pairs of one measure and test. A test of all pairs
        together uses the topics common to all runs, and needs no correction.
    interval
        Method of the 95 % interval of the difference.
    pairs
        Indices of the runs to compare, instead of `baseline`.

    Raises
    ------
    IrjudgeError
        If there are fewer than two runs, a baseline is not among the runs, two runs have no
        topic in common, or a name is unknown.
    """
    runs, sampling = evaluation.runs, sampling or Sampling()
    test_declaration = [find_test(name) for name in dict.fromkeys(tests)]
    correction_declaration = find_correction(correction)
    baselines = baseline_indices(runs, [baseline] if isinstance(baseline, str) else baseline)
    pair_rows = (
        all_pairs(len(runs), baselines) if pairs is None else np.array(pairs, dtype=np.int64)
    )
    groups = group_pairs_by_topics(runs, pair_rows)
    compared_pairs: list[ComparedPair] = []
    methods: dict[str, None] = {}
    for row, measure in enumerate(evaluation.measures):
        summaries = _summarize_pairs(
            runs, row, measure, pair_rows, groups, interval, sampling, methods
        )
        for test in test_declaration:
            outcome = _test_pairs(runs, row, pair_rows, groups, test, sampling, methods)
            adjusted_p = (
                outcome.p if test.corrects_all_pairs else correction_declaration.adjust(outcome.p)
            )
            for index, summary in enumerate(summaries):
                compared_pairs.append(
                    summary.row(
                        measure.name,
                        test.name,
                        outcome.statistic[index],
                        float(outcome.p[index]),
                        float(adjusted_p[index]),
                    )
                )
    return Comparison(
        tuple(compared_pairs),
        (
            *_describe_comparison(
                evaluation, pair_rows, groups, test_declaration, correction_declaration.meaning
            ),
            *methods,
        ),
    )


def adjusted_p_values(
    evaluation: Evaluation, row: int, *, test: str, correction: str, baseline: str | None = None
) -> Floats:
    """Return the adjusted p-values of one measure, in the order of the pairs of `compare`.

    This takes about a fifth of the time of `compare`, and raises the same errors.
    """
    runs, test_declaration = evaluation.runs, find_test(test)
    pairs = all_pairs(
        len(runs), baseline_indices(runs, [baseline] if baseline is not None else None)
    )
    p_values = _test_pairs(
        runs, row, pairs, group_pairs_by_topics(runs, pairs), test_declaration, Sampling(), {}
    ).p
    return (
        p_values
        if test_declaration.corrects_all_pairs
        else find_correction(correction).adjust(p_values)
    )


@dataclass(frozen=True, slots=True)
class _PairSummary:
    """Cells in the row of a compared pair of runs that are the same for all tests."""

    leading_cells: tuple[str, str, int, float, float, float, float | None, float | None]
    trailing_cells: tuple[float | None, int, int, int]

    @classmethod
    def from_differences(
        cls,
        measure: Measure,
        runs: tuple[str, str],
        differences: PairedDifferences,
        interval: tuple[float, float] | None,
    ) -> "_PairSummary":
        low, high = interval or (None, None)
        leading_cells = (
            *runs,
            len(differences),
            mean(differences.first),
            mean(differences.second),
            differences.mean,
            low,
            high,
        )
        return cls(
            leading_cells, (differences.effect, *count_outcomes(measure, differences.values))
        )

    def row(
        self, measure: str, test: str, statistic: float | None, p: float, adjusted: float
    ) -> ComparedPair:
        return ComparedPair(
            measure, *self.leading_cells, test, statistic, p, adjusted, *self.trailing_cells
        )


@dataclass(frozen=True, slots=True)
class PairGroup:
    """Pairs of runs that have the same common topics, so that a test computes all at once."""

    pair_indices: tuple[int, ...]  # indices of the pairs in the list of all compared pairs
    runs: tuple[int, ...]  # indices of all runs in these pairs, ascending
    topics: tuple[str, ...]  # common topics

    def scores(self, runs: Sequence[RunScores], row: int) -> Floats:
        """Return the values of the measure at index `row`, shape (runs of the group, topics)."""
        return np.stack([_compute_topic_values(runs[run], row, self.topics) for run in self.runs])

    def to_row_indices(self, pairs: Longs) -> Longs:
        """Return the pairs of the group as pairs of row indices in the result of `scores`."""
        return np.searchsorted(np.array(self.runs), pairs[list(self.pair_indices)])


@dataclass(frozen=True, slots=True, eq=False)
class _TestResult:
    statistic: list[float | None]
    p: Floats


def baseline_indices(
    runs: Sequence[RunScores], requested_names: Sequence[str] | None
) -> list[int] | None:
    """Return the indices of the baselines; None if no baseline was requested.

    Raises IrjudgeError if there are fewer than two runs, or if a baseline is not one of the runs.
    """
    if len(runs) < 2:
        raise IrjudgeError(
            "A comparison needs at least two runs, got one ({run})."
            if runs
            else "A comparison needs at least two runs, got none.",
            key="no-two-runs",
            run=runs[0].run if runs else "",
        )
    names = [run.run for run in runs]
    for name in requested_names or ():
        if name not in names:
            raise IrjudgeError(
                "The baseline {name!r} is not among the runs {names}.",
                name=name,
                names=", ".join(names),
            )
    return (
        [names.index(name) for name in dict.fromkeys(requested_names)] if requested_names else None
    )


def group_pairs_by_topics(runs: Sequence[RunScores], pairs: Longs) -> tuple[PairGroup, ...]:
    """Group pairs of runs by common topics; raise IrjudgeError if a pair has no common topic."""
    topic_sets = [frozenset(run.topics) for run in runs]
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, (first_index, second_index) in enumerate(pairs.tolist()):
        has_same_topics = runs[first_index].topics == runs[second_index].topics
        topics = (
            runs[first_index].topics
            if has_same_topics
            else tuple(
                topic for topic in runs[first_index].topics if topic in topic_sets[second_index]
            )
        )
        if not topics:
            raise IrjudgeError(
                "{first} and {second} have no evaluated topic in common, so they cannot be compared.",
                key="no-common-evaluated-topic",
                first=runs[first_index].run,
                second=runs[second_index].run,
            )
        groups.setdefault(topics, []).append(index)
    return tuple(
        PairGroup(tuple(index), tuple(np.unique(pairs[index]).tolist()), topics)
        for topics, index in groups.items()
    )


def _compute_topic_values(run: RunScores, row: int, topics: tuple[str, ...]) -> Floats:
    if run.topics == topics:
        values: Floats = run.values[row]
        return values
    column_of = {topic: column for column, topic in enumerate(run.topics)}
    topic_values: Floats = run.values[row][[column_of[topic] for topic in topics]]
    return topic_values


def _summarize_pairs(
    runs: Sequence[RunScores],
    row: int,
    measure: Measure,
    pairs: Longs,
    groups: Sequence[PairGroup],
    interval: IntervalName,
    sampling: Sampling,
    methods: dict[str, None],
) -> list[_PairSummary]:
    """Return a summary of each pair; add the method of the interval to `methods`."""
    summaries: dict[int, _PairSummary] = {}
    for group in groups:
        scores, row_pairs = group.scores(runs, row), group.to_row_indices(pairs)
        differences = [
            PairedDifferences(scores[first_index], scores[second_index])
            for first_index, second_index in row_pairs.tolist()
        ]
        if interval == "t":
            t_intervals = [t_interval(difference.values) for difference in differences]
            interval_method = INTERVAL_DESCRIPTIONS[interval]
        else:
            intervals = bootstrap_intervals(scores, row_pairs, method=interval, sampling=sampling)
            t_intervals = [
                (interval.low, interval.high) if interval else None for interval in intervals
            ]
            interval_method = next(
                (interval_result.method for interval_result in intervals if interval_result),
                interval,
            )
        methods.setdefault(
            Message(
                "Interval of the difference: 95 %, {method}.",
                key="interval",
                method=interval_method,
            )
        )
        for index, (first_index, second_index), difference, interval_ends in zip(
            group.pair_indices, row_pairs.tolist(), differences, t_intervals, strict=True
        ):
            names = runs[group.runs[first_index]].run, runs[group.runs[second_index]].run
            summaries[index] = _PairSummary.from_differences(
                measure, names, difference, interval_ends
            )
    return [summaries[index] for index in range(len(pairs))]


def _test_pairs(
    runs: Sequence[RunScores],
    row: int,
    pairs: Longs,
    groups: Sequence[PairGroup],
    test: SignificanceTest,
    sampling: Sampling,
    methods: dict[str, None],
) -> _TestResult:
    """Test all pairs; add the method of the test to `methods`."""
    result = _TestResult([None] * len(pairs), np.ones(len(pairs)))
    for group in [make_common_topic_group(runs, len(pairs))] if test.corrects_all_pairs else groups:
        outcome = test.function(group.scores(runs, row), group.to_row_indices(pairs), sampling)
        result.p[list(group.pair_indices)] = outcome.p
        for index, statistic in zip(group.pair_indices, outcome.statistic, strict=True):
            result.statistic[index] = statistic
        methods.setdefault(
            Message(
                "{test}: {title}, two-sided; {method}.",
                key="test",
                test=test.name,
                title=Message(test.title),
                method=outcome.method,
            )
        )
    return result


def make_common_topic_group(runs: Sequence[RunScores], pairs: int) -> PairGroup:
    """Return one group that contains all pairs, with the topics common to all runs."""
    topics = _list_common_topics(runs)
    if not topics:
        raise IrjudgeError(
            "The runs have no topic in common; a test of all pairs at once requires common topics.",
            key="no-topic-of-all",
        )
    return PairGroup(tuple(range(pairs)), tuple(range(len(runs))), topics)


def _list_common_topics(runs: Sequence[RunScores]) -> tuple[str, ...]:
    common_topics = frozenset.intersection(*(frozenset(run.topics) for run in runs))
    return tuple(topic for topic in runs[0].topics if topic in common_topics)


def _describe_comparison(
    evaluation: Evaluation,
    pairs: Longs,
    groups: Sequence[PairGroup],
    tests: Sequence[SignificanceTest],
    correction: str,
) -> Iterator[str]:
    if len(groups) > 1 or any(len(run.topics) > len(groups[0].topics) for run in evaluation.runs):
        yield Message(
            "The runs have different topics: each pair is compared on its common topics, so "
            "the means can differ from the means in an evaluation.",
            key="different-topics",
        )
    fewest_topics = min(len(group.topics) for group in groups)
    for test in tests:
        if fewest_topics < test.min_topics:
            yield Message(
                "{test}: no p-value and no interval for pairs of runs that share only "
                "{topics}; the test needs at least {minimum} topics.",
                test=test.name,
                topics=format_count(fewest_topics, "topic"),
                minimum=test.min_topics,
            )
    if len(pairs) > 1 and not all(test.corrects_all_pairs for test in tests):
        yield Message(
            "Correction of the p-values for all pairs of each measure and test ({pairs:,}): "
            "{correction}.",
            key="adjusted-p",
            pairs=len(pairs),
            correction=correction,
        )
    unjudged_share = max(run.coverage.unjudged_top for run in evaluation.runs)
    if unjudged_share > 0:
        yield Message(
            "p-values ignore missing judgments: up to {percent:.1f} % of a run's top 10 "
            "documents are unjudged.",
            percent=100 * unjudged_share,
        )


# Topic set size

PAIRED_TEST, ONE_WAY_TEST = "t", "anova"


@dataclass(frozen=True, slots=True)
class TopicNeed:
    """Row of a power analysis for one measure: a pair of runs, or all runs of an evaluation.

    It contains the smallest detectable difference with the common topics, the power to detect a
    certain difference, and the number of topics needed to detect this difference. In a row for all
    runs, `run_a` is the best and `run_b` is the worst run.
    """

    measure: str
    run_a: str  # first run; in a row for all runs, the best run
    run_b: str  # second run; in a row for all runs, the worst run
    test: str  # `t`: paired t-test of two runs; `anova`: one-way analysis of variance of all runs
    runs: int  # number of runs in the test
    topics: int  # number of common topics of these runs
    # standard deviation of the differences over topics; for `anova`, the pooled standard deviation
    # of each run's values over topics
    deviation: float
    # smallest detectable difference; None with fewer than two topics, or if there is no variance
    seen: float | None
    difference: float  # difference to detect: the requested or, by default, the observed one
    chance: float | None  # power with the common topics; None if `seen` is None
    # number of topics needed; None if the difference is 0, if values do not vary, or if the number
    # exceeds a million
    needed: int | None

    @property
    def design(self) -> ComparisonDesign | None:
        """Design of the significance test; None if the values do not vary."""
        if self.deviation == 0:
            return None
        return (
            PairedDesign(self.deviation)
            if self.test == PAIRED_TEST
            else OneWayDesign(self.deviation, self.runs)
        )


NEED_COLUMNS = tuple(field.name for field in fields(TopicNeed))


@dataclass(frozen=True, slots=True)
class TopicNeeds:
    """Result of a power analysis: a table whose rows are `TopicNeed` objects, and notes."""

    rows: tuple[TopicNeed, ...]
    notes: tuple[str, ...]

    def cells(self) -> Iterator[tuple[str | int | float | None, ...]]:
        """Yield the cells of each row, with the columns `NEED_COLUMNS`."""
        yield from (astuple(row) for row in self.rows)


def compute_needed_topics(
    evaluation: Evaluation,
    *,
    baseline: str | None = None,
    power: float = POWER,
    difference: float | None = None,
) -> TopicNeeds:
    """Compute the detectable difference and the topics needed for each pair of runs.

    With a baseline, every other run is paired with it. With three or more runs that have a topic in
    common, a one-way analysis of variance of all runs is included.

    Parameters
    ----------
    power
        Probability of detecting a true difference, between 0 and 1.
    difference
        Difference to detect, more than 0; None uses the observed differences.

    Raises
    ------
    IrjudgeError
        If there are fewer than two runs, the baseline is not among the runs, two runs have no
        topic in common, or power or difference is out of range.

    References
    ----------
    Sakai (2016), Topic set size design, Information Retrieval Journal 19(3).
    """
    if not 0 < power < 1:
        raise IrjudgeError("The power must be between 0 and 1, got {power:g}.", power=power)
    if difference is not None and not 0 < difference < math.inf:
        raise IrjudgeError(
            "The difference must be greater than 0, got {difference:g}.", difference=difference
        )
    runs = evaluation.runs
    pairs = all_pairs(len(runs), baseline_indices(runs, None if baseline is None else [baseline]))
    groups, common_topics = group_pairs_by_topics(runs, pairs), _list_common_topics(runs)
    all_needs: list[TopicNeed] = []
    for row, measure in enumerate(evaluation.measures):
        needs: dict[int, TopicNeed] = {}
        for group in groups:
            scores, local_pairs = group.scores(runs, row), group.to_row_indices(pairs)
            for index, (first_index, second_index) in zip(
                group.pair_indices, local_pairs.tolist(), strict=True
            ):
                names = runs[group.runs[first_index]].run, runs[group.runs[second_index]].run
                needs[index] = _compute_pair_need(
                    measure.name,
                    names,
                    PairedDifferences(scores[first_index], scores[second_index]),
                    power,
                    difference,
                )
        all_needs += [needs[index] for index in range(len(pairs))]
        if len(runs) > 2 and common_topics:
            all_needs.append(
                _compute_overall_need(
                    measure,
                    [run.run for run in runs],
                    make_common_topic_group(runs, len(pairs)).scores(runs, row),
                    power,
                    difference,
                )
            )
    notes = _describe_needs(len(runs), len(common_topics), power, difference)
    return TopicNeeds(tuple(all_needs), tuple(notes))


def _compute_pair_need(
    measure: str,
    names: tuple[str, str],
    differences: PairedDifferences,
    power: float,
    target_difference: float | None,
) -> TopicNeed:
    return _compute_topic_need(
        measure,
        names,
        (PAIRED_TEST, 2),
        len(differences),
        differences.deviation,
        differences.mean if target_difference is None else target_difference,
        power,
    )


def _compute_overall_need(
    measure: Measure,
    names: list[str],
    scores: Floats,
    power: float,
    target_difference: float | None,
) -> TopicNeed:
    run_means = [mean(row) for row in scores]
    order = best_first(measure, run_means)
    best_index, worst_index = order[0], order[-1]
    systems, topics = scores.shape
    squares = math.fsum(((scores - np.array(run_means)[:, None]) ** 2).ravel().tolist())
    residual_deviation = (
        math.sqrt(squares / (systems * (topics - 1)))
        if topics > 1 and np.ptp(scores, axis=1).any()
        else 0.0
    )
    return _compute_topic_need(
        measure.name,
        (names[best_index], names[worst_index]),
        (ONE_WAY_TEST, systems),
        topics,
        residual_deviation,
        abs(run_means[best_index] - run_means[worst_index])
        if target_difference is None
        else target_difference,
        power,
    )


def _compute_topic_need(
    measure: str,
    names: tuple[str, str],
    test: tuple[str, int],
    topics: int,
    deviation: float,
    difference: float,
    power: float,
) -> TopicNeed:
    need = TopicNeed(measure, *names, *test, topics, deviation, None, difference, None, None)
    design = need.design
    if design is None or topics < 2:
        return need
    return TopicNeed(
        measure,
        *names,
        *test,
        topics,
        deviation,
        detectable_difference(design, topics, power=power),
        difference,
        design.power(topics, difference),
        required_topics(design, difference, power=power),
    )


def _describe_needs(
    runs: int, common_topics: int, power: float, difference: float | None
) -> Iterator[str]:
    yield Message(
        "Power: a two-sided paired t-test of a single pair of runs at {alpha:g}, without "
        "correction, detects the difference with probability {percent:.3g} %; the standard "
        "deviation is that of the observed differences between runs.",
        percent=100 * power,
        alpha=ALPHA,
    )
    if runs > 2 and not common_topics:
        yield Message(
            "No analysis of variance: the {runs:,} runs have no topic in common.",
            key="no-topic-of-all",
            runs=runs,
        )
    elif runs > 2:
        yield Message(
            "anova: one-way analysis of variance of all {runs:,} runs; the difference is "
            "between the best and the worst run (Sakai 2016).",
            runs=runs,
        )
    if difference is None:
        yield Message(
            "Topics needed: the number of topics required to detect the observed difference "
            "between the runs; the observed difference is itself uncertain."
        )


# Best runs and ranks

DEFAULT_ALPHA = 0.05
DEFAULT_TEST, DEFAULT_CORRECTION = "t", "holm"


def find_leaders(
    evaluation: Evaluation,
    *,
    test: str = DEFAULT_TEST,
    correction: str = DEFAULT_CORRECTION,
    alpha: float = DEFAULT_ALPHA,
    progress: Progress = SILENT,
) -> tuple[frozenset[str], ...]:
    """Return, for each measure, the runs that do not differ significantly from the best run.

    The best run has the best mean; it is not included. Each other run that shares topics with the
    best run is compared with the best run over their common topics. A run is significantly worse if
    its mean is worse and its adjusted p is less than alpha. p-values are adjusted for these
    comparisons only, so more differences are significant than with `rank_runs`.

    The set is empty for counts, for measures without a direction, for averages other than the
    mean, with fewer than two runs, if no run shares a topic with the best run, and if the runs have
    different topics that the user did not choose (see `Evaluation.is_rankable`).
    """
    leaders = []
    for row in range(len(evaluation.measures)):
        leaders.append(
            _select_runs_tied_with_best(evaluation, row, test, correction, alpha)
            if is_measure_rankable(evaluation, row)
            else frozenset[str]()
        )
        progress.step(row + 1, len(evaluation.measures), evaluation.measures[row].name)
    return tuple(leaders)


def is_measure_rankable(evaluation: Evaluation, row: int) -> bool:
    """Return whether runs can be tested and ranked by the measure at index `row`.

    The averages must be means over topics of a measure with a direction, and be comparable between
    at least two runs (see `Evaluation.is_rankable`).
    """
    measure = evaluation.measures[row]
    return (
        measure.declaration.is_arithmetic_mean
        and evaluation.policy.average == "macro"
        and measure.direction != 0
        and len(evaluation.runs) > 1
        and evaluation.is_rankable
    )


def runs_best_first(evaluation: Evaluation, row: int = 0) -> list[RunScores]:
    """Return the runs sorted by the measure at index `row`, best first; the sort is stable.

    If the runs cannot be ranked (see `Evaluation.is_rankable`), their order does not change.
    """
    if not evaluation.is_rankable:
        return list(evaluation.runs)
    values = [run.summary[row] for run in evaluation.runs]
    return [evaluation.runs[index] for index in best_first(evaluation.measures[row], values)]


def _select_runs_tied_with_best(
    evaluation: Evaluation, row: int, test: str, correction: str, alpha: float
) -> frozenset[str]:
    best_run = runs_best_first(evaluation, row)[0]
    runs = (
        best_run,
        *(
            run
            for run in evaluation.runs
            if run is not best_run and not set(run.topics).isdisjoint(best_run.topics)
        ),
    )
    if len(runs) < 2:
        return frozenset()
    run_subset = replace(evaluation, runs=runs)
    is_significantly_worse = (
        adjusted_p_values(run_subset, row, test=test, correction=correction, baseline=best_run.run)
        < alpha
    ) & (_compute_pair_goodness(run_subset, row, baseline=0) < 0)
    return frozenset(
        run.run
        for run, is_worse in zip(runs[1:], is_significantly_worse, strict=True)
        if not is_worse
    )


def _compute_pair_goodness(
    evaluation: Evaluation, row: int, baseline: int | None = None
) -> npt.NDArray[np.float64]:
    """Return by how much the first run of each pair is better than the second.

    Means over the common topics of the pair are compared.
    """
    runs, pairs = evaluation.runs, all_pairs(len(evaluation.runs), baseline)
    if evaluation.has_same_topics:
        run_goodness = to_goodness(evaluation.measures[row], [run.summary[row] for run in runs])
        return run_goodness[pairs[:, 0]] - run_goodness[pairs[:, 1]]
    goodness = np.zeros(len(pairs))
    for group in group_pairs_by_topics(runs, pairs):
        means = group.scores(runs, row).mean(axis=1)
        first_index, second_index = group.to_row_indices(pairs).T
        goodness[list(group.pair_indices)] = means[first_index] - means[second_index]
    return to_goodness(evaluation.measures[row], goodness)


@dataclass(frozen=True, slots=True)
class RunRank:
    """Ranks of one run by a measure: the ranks of the run's group, and its possible ranks.

    A group consists of a run and the next runs that do not differ significantly from it. Each run
    is in one group. The possible ranks are those between the runs that are significantly better
    and the runs that are significantly worse. The value of the measure is not included.
    """

    run: str
    first: int  # first rank of the run's group
    last: int  # last rank of the run's group
    highest: int  # best possible rank: directly after the runs that are significantly better
    lowest: int  # worst possible rank: directly before the runs that are significantly worse

    @property
    def group(self) -> str:
        """Range of the group's ranks, as text."""
        return format_rank_range(self.first, self.last)

    @property
    def interval(self) -> str:
        """Range of the run's possible ranks, as text."""
        return format_rank_range(self.highest, self.lowest)


def format_rank_range(first: int, last: int) -> str:
    """Format a range of ranks.

    >>> format_rank_range(1, 3), format_rank_range(4, 4)
    ('1–3', '4')
    """
    return f"{first}" if first == last else f"{first}–{last}"


def rank_runs(
    evaluation: Evaluation,
    row: int = 0,
    *,
    test: str = DEFAULT_TEST,
    correction: str = DEFAULT_CORRECTION,
    alpha: float = DEFAULT_ALPHA,
) -> tuple[RunRank, ...]:
    """Return the ranks of the runs by the measure at index `row`, best first.

    All pairs are compared over their common topics. Two runs are significantly different if their
    adjusted p is less than alpha and the run with the better average is also better on these
    topics. A group begins with the best run that is not in a group yet, and ends before the first
    run that is significantly different from it. The result is empty for counts, for measures
    without a direction, for averages other than the mean, with fewer than two runs, if two runs
    have no topic in common, and if averages are not comparable (see `Evaluation.is_rankable`).
    """
    if not evaluation.measures or not is_measure_rankable(evaluation, row):
        return ()
    runs = runs_best_first(evaluation, row)
    sorted_evaluation = replace(evaluation, runs=tuple(runs))
    try:
        p_values = adjusted_p_values(sorted_evaluation, row, test=test, correction=correction)
    except IrjudgeError:  # two runs have no topic in common
        return ()
    differs = np.zeros((len(runs), len(runs)), dtype=bool)
    first_runs, second_runs = all_pairs(len(runs)).T
    differs[first_runs, second_runs] = differs[second_runs, first_runs] = (p_values < alpha) & (
        _compute_pair_goodness(sorted_evaluation, row) > 0
    )
    better_counts = np.tril(differs).sum(axis=1)
    worse_counts = np.triu(differs).sum(axis=1)
    return tuple(
        RunRank(run.run, first + 1, last + 1, int(better_count) + 1, len(runs) - int(worse_count))
        for run, (first, last), better_count, worse_count in zip(
            runs, list(_iter_rank_groups(differs)), better_counts, worse_counts, strict=True
        )
    )


def _iter_rank_groups(differs: npt.NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of the group of each run, best run first."""
    first = 0
    while first < len(differs):
        different_rows = np.flatnonzero(differs[first, first:])
        end = first + int(different_rows[0]) if len(different_rows) else len(differs)
        yield from [(first, end - 1)] * (end - first)
        first = end
