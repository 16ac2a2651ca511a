"""Agreement of automatic judges with human assessors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model import Floats, Labels, Longs, Pair
from irjudge.stats.agreement import (
    DEFAULT_AGREEMENT_SAMPLES,
    LabelView,
    PairTables,
    SampleTotals,
    Scaling,
    alpha,
    kappa,
)
from irjudge.stats.sampling import RandomStream, Sampling

# Alternative annotator test: whether a model may replace one of several annotators

# The model may replace an annotator if the annotator's share of wins exceeds the model's share of
# wins by less than this limit. The limit is above 0, because human annotators are more expensive.
DEFAULT_EPSILON = 0.2
SIGNIFICANCE_LEVEL = 0.05
MIN_ITEMS = 30  # minimum number of items for which an annotator is compared with the model
MIN_WINNING_RATE = 0.5  # the test passes if the model may replace at least this share of annotators


@dataclass(frozen=True, slots=True)
class AnnotatorComparison:
    """Comparison of the model with one annotator: which is closer to the other annotators."""

    annotator: str
    items: int  # number of items graded by the model, this annotator and another annotator
    # share of items on which the model is at least as close to the other annotators as this
    # annotator is
    model_wins: float
    # share of items on which this annotator is at least as close to the other annotators as the
    # model is
    annotator_wins: float
    # one-sided p-value, corrected for multiple tests, of the null hypothesis that `annotator_wins`
    # exceeds `model_wins` by epsilon or more
    p: float


@dataclass(frozen=True, slots=True)
class AlternativeTestResult:
    """Result of the alternative annotator test: may a model replace one of several annotators?

    It contains a comparison of the model with each annotator, except those with too few items. The
    test passes if the model may replace at least half of the compared annotators.
    """

    # comparisons with annotators who have enough items
    comparisons: tuple[AnnotatorComparison, ...]
    epsilon: float  # tolerance of the test, see `AnnotatorComparison.p`

    @property
    def winning_rate(self) -> float:
        """Share of the compared annotators that the model may replace; nan if there are none."""
        return (
            float(np.mean([comparison.p < SIGNIFICANCE_LEVEL for comparison in self.comparisons]))
            if self.comparisons
            else float("nan")
        )

    @property
    def passes(self) -> bool:
        """Whether the test passes, so that the model may replace an annotator."""
        return bool(self.winning_rate >= MIN_WINNING_RATE)


def alternative_test(
    labels: Labels, model: Mapping[Pair, int], epsilon: float = DEFAULT_EPSILON
) -> AlternativeTestResult:
    """Test whether a model may replace one of several human annotators.

    Parameters
    ----------
    labels
        Human labels on integer grades; items with one annotator are ignored.
    model
        The model's grades of the same pairs of topic and document.
    epsilon
        Limit between 0 and 1: the model may replace an annotator if the annotator's share, as
        described below, exceeds the model's share by less than this.

    Returns
    -------
    AlternativeTestResult
        Comparison of the model with each annotator with 30 items or more. On each item, the root
        mean square distances of both from the other annotators' grades are compared. The result
        contains the model's share of items, on which the model is at least as close as the
        annotator; the annotator's share, on which the annotator is at least as close as the model;
        and the p-value of a paired t-test with the correction of Benjamini and Yekutieli.

    References
    ----------
    Calderon, Reichart and Dror (2025), The alternative annotator test for LLM-as-a-judge, ACL.
    """
    grades = _compute_grade_matrix(labels)
    model_grades = np.array(
        [model.get(pair, np.nan) for pair in labels.pairs or ()], dtype=np.float64
    )
    # items without a model grade are never compared
    grades, model_grades = (values[np.isfinite(model_grades)] for values in (grades, model_grades))
    comparisons = [
        comparison
        for comparison in (
            _compare_with_annotator(worker, grades, labels, model_grades, epsilon)
            for worker in range(len(labels.workers))
        )
        if comparison
    ]
    # p-values corrected for multiple tests that may be dependent (Benjamini–Yekutieli)
    adjusted_p = (
        scipy.stats.false_discovery_control(
            [comparison.p for comparison in comparisons], method="by"
        ).tolist()
        if comparisons
        else []
    )
    return AlternativeTestResult(
        tuple(
            AnnotatorComparison(
                comparison.annotator,
                comparison.items,
                comparison.model_wins,
                comparison.annotator_wins,
                p,
            )
            for comparison, p in zip(comparisons, adjusted_p, strict=True)
        ),
        epsilon,
    )


def _compute_grade_matrix(labels: Labels) -> Floats:
    """Return each worker's grade of each item, shape (I, W); nan if there is none."""
    latest_labels = labels.latest()
    values = (
        labels.values
        if labels.values is not None
        else np.arange(len(labels.scale), dtype=np.float64)
    )
    grades = np.full((len(labels.items), len(labels.workers)), np.nan)
    graded = latest_labels.label >= 0
    grades[latest_labels.item[graded], latest_labels.worker[graded]] = values[
        latest_labels.label[graded]
    ]
    return grades


def _compare_with_annotator(
    worker: int, grades: Floats, labels: Labels, model_grades: Floats, epsilon: float
) -> AnnotatorComparison | None:
    rows = np.flatnonzero(np.isfinite(grades[:, worker]))  # items that the annotator graded
    other_grades = np.delete(grades[rows], worker, axis=1)
    is_compared = np.isfinite(other_grades).any(axis=1)
    if is_compared.sum() < MIN_ITEMS:
        return None
    rows, other_grades = rows[is_compared], other_grades[is_compared]
    model_distance, annotator_distance = (
        _compute_distance(grade[rows], other_grades) for grade in (model_grades, grades[:, worker])
    )
    model_wins = (model_distance <= annotator_distance).astype(np.float64)
    annotator_wins = (annotator_distance <= model_distance).astype(np.float64)
    return AnnotatorComparison(
        labels.workers[worker],
        int(is_compared.sum()),
        float(model_wins.mean()),
        float(annotator_wins.mean()),
        _compute_one_sided_p(annotator_wins - model_wins, epsilon),
    )


def _compute_distance(grade: Floats, other_grades: Floats) -> Floats:
    """Return each grade's root mean square distance from the other annotators' grades."""
    distance: Floats = np.sqrt(np.nanmean((other_grades - grade[:, None]) ** 2, axis=1))
    return distance


def _compute_one_sided_p(difference: Floats, epsilon: float) -> float:
    """Return the one-sided p-value of the null hypothesis: the mean is at least epsilon."""
    if np.ptp(difference) == 0:
        return 0.0 if difference[0] < epsilon else 1.0
    return float(scipy.stats.ttest_1samp(difference, epsilon, alternative="less").pvalue)


# Confusion matrix of model and human grades, agreement and leniency

Grades = Mapping[tuple[str, str], int]
INTERVAL_PERCENTILES = (2.5, 97.5)  # percentiles of bootstrap values that are ends of intervals


@dataclass(frozen=True, slots=True, eq=False)
class GradeConfusion:
    """Confusion matrices of human and model grades: one for each of T topics, with K grades.

    The rows are human grades, the columns the model's grades. In a comparison with imported
    ratings, the ratings are the rows, and the assessors' new grades are the columns.
    """

    topics: tuple[str, ...]
    scale: tuple[int, ...]  # grades, lowest first
    counts: Longs  # rows are human grades, columns the model's: shape (T, K, K)

    @classmethod
    def from_grades(
        cls, human_grades: Grades, model: Grades, scale: Sequence[int]
    ) -> "GradeConfusion":
        """Count the topic–document pairs that people and the model graded.

        Pairs with a grade outside the scale are ignored. Raises IrjudgeError if no pair is left.
        """
        code_by_grade = {grade: index for index, grade in enumerate(scale)}
        graded_pairs = [
            (pair[0], grade, model[pair]) for pair, grade in human_grades.items() if pair in model
        ]
        common_pairs = [
            (topic, code_by_grade[grade], code_by_grade[model_grade])
            for topic, grade, model_grade in graded_pairs
            if grade in code_by_grade and model_grade in code_by_grade
        ]
        if not common_pairs:
            raise IrjudgeError(
                "No topic–document pair was graded both by assessors and by the model."
            )
        topics = tuple(dict.fromkeys(topic for topic, *_ in common_pairs))
        code = {topic: index for index, topic in enumerate(topics)}
        counts = np.zeros((len(topics), len(code_by_grade), len(code_by_grade)), dtype=np.int64)
        np.add.at(
            counts,
            tuple(
                zip(
                    *((code[topic], row, column) for topic, row, column in common_pairs),
                    strict=True,
                )
            ),
            1,
        )
        return cls(topics, tuple(scale), counts)

    @property
    def total(self) -> Longs:
        """Confusion matrix over all topics, shape (K, K)."""
        total: Longs = self.counts.sum(axis=0)
        return total

    @property
    def pairs(self) -> int:
        """Number of topic–document pairs that people and the model graded."""
        return int(self.counts.sum())


@dataclass(frozen=True, slots=True)
class JudgeStatistic:
    """Statistic on a model's grades, such as agreement or leniency, with its 95 % interval.

    In a comparison with imported ratings, it describes the new grades of one assessor, or the
    consensus, instead of a model's grades.

    Value and interval are None if they are undefined; the interval is also None for a single topic,
    or if no samples are drawn.
    """

    name: str
    title: str
    value: float | None
    low: float | None = None
    high: float | None = None


def judge_statistics(
    confusion: GradeConfusion, sampling: Sampling | None = None
) -> tuple[JudgeStatistic, ...]:
    """Return the agreement of a model with human grades, and its leniency.

    Intervals are percentiles of bootstrap samples of topics, since judgments of one topic are
    dependent. There are no intervals for a single topic.

    >>> people = {("1", "a"): 0, ("1", "b"): 1, ("2", "a"): 0, ("2", "b"): 1}
    >>> statistics = judge_statistics(GradeConfusion.from_grades(people, people | {("2", "a"): 1}, (0, 1)))
    >>> [(each.name, each.value) for each in statistics][:2]
    [('raw-agreement', 0.75), ('kappa', 0.5)]
    """
    sampling = sampling or Sampling()
    observed = confusion.total[None].astype(np.float64)
    samples = np.concatenate((observed, _resample_topics(confusion, sampling)))
    return tuple(
        _make_statistic(name, title, values)
        for name, title, values in _compute_statistics(samples, confusion.scale)
    )


def _resample_topics(confusion: GradeConfusion, sampling: Sampling) -> Floats:
    """Return the confusion matrix of each of M bootstrap samples of topics, shape (M, K, K)."""
    topics = len(confusion.topics)
    samples = sampling.count(DEFAULT_AGREEMENT_SAMPLES) if topics > 1 else 0
    topics_of_samples = (
        RandomStream(sampling.seed).draw_integers(samples, topics, topics)
        + np.arange(samples)[:, None] * topics
    )
    weights = np.bincount(topics_of_samples.reshape(-1), minlength=samples * topics).reshape(
        samples, topics
    )
    sums: Floats = np.einsum("mt,tij->mij", weights, confusion.counts).astype(np.float64)
    return sums


def _make_statistic(name: str, title: str, values: Floats) -> JudgeStatistic:
    value = float(values[0]) if np.isfinite(values[0]) else None
    resampled_values = values[1:][np.isfinite(values[1:])]
    if value is None or not len(resampled_values):
        return JudgeStatistic(name, title, value)
    low, high = np.percentile(resampled_values, INTERVAL_PERCENTILES).tolist()
    return JudgeStatistic(name, title, value, low, high)


def _compute_statistics(counts: Floats, scale: Sequence[int]) -> Iterator[tuple[str, str, Floats]]:
    """Yield name, title and values of each statistic for M confusion matrices, shape (M,)."""
    grades = np.array(scale, dtype=np.float64)
    pairs = counts.sum(axis=(1, 2))
    human_totals, model_totals = counts.sum(axis=2), counts.sum(axis=1)
    yield (
        "raw-agreement",
        Message("Share of pairs with the same grade"),
        np.einsum("mii->m", counts) / pairs,
    )
    yield (
        "kappa",
        Message("Cohen's kappa, graded"),
        _compute_kappa_of_matrices(counts, grades, "nominal"),
    )
    yield (
        "kappa-quadratic",
        Message("Cohen's kappa, quadratic"),
        _compute_kappa_of_matrices(counts, grades, "quadratic"),
    )
    for threshold in range(1, len(grades)):
        yield (
            f"kappa>={scale[threshold]}",
            Message("Cohen's kappa, relevant: grade {grade} or more", grade=scale[threshold]),
            _compute_kappa_of_matrices(_binarise(counts, threshold), grades[:2]),
        )
    yield (
        "alpha-ordinal",
        Message("Krippendorff's alpha, ordinal"),
        _compute_alpha_of_matrices(counts, grades),
    )
    yield "mean-people", Message("Mean human grade"), human_totals @ grades / pairs
    yield "mean-model", Message("Mean model grade"), model_totals @ grades / pairs
    yield (
        "leniency",
        Message("Mean model grade minus mean human grade"),
        (model_totals - human_totals) @ grades / pairs,
    )
    yield (
        "too-high",
        Message("Share of labels higher than the assessors' grades"),
        np.triu(counts, 1).sum(axis=(1, 2)) / pairs,
    )
    yield (
        "too-low",
        Message("Share of labels lower than the assessors' grades"),
        np.tril(counts, -1).sum(axis=(1, 2)) / pairs,
    )


def _binarise(counts: Floats, threshold: int) -> Floats:
    """Reduce confusion matrices to two grades: codes below `threshold`, and all other codes."""
    rows = np.stack((counts[:, :threshold].sum(axis=1), counts[:, threshold:].sum(axis=1)), axis=1)
    return np.stack(
        (rows[:, :, :threshold].sum(axis=2), rows[:, :, threshold:].sum(axis=2)), axis=2
    )


def _compute_kappa_of_matrices(
    counts: Floats, grades: Floats, scaling: Scaling = "nominal"
) -> Floats:
    """Return kappa, the agreement of model and human grades, for each confusion matrix."""
    matrix, row, column = np.nonzero(counts)
    tables = PairTables(
        first=np.arange(len(counts)),
        second=np.arange(len(counts)),
        items=counts.sum(axis=(1, 2)).astype(np.int64),
        pair=matrix.astype(np.int64),
        row=row.astype(np.int64),
        column=column.astype(np.int64),
        count=counts[matrix, row, column].astype(np.int64),
        first_grades=counts.sum(axis=2).astype(np.int64),
        second_grades=counts.sum(axis=1).astype(np.int64),
        label_pairs=None,
        workers=(),
    )
    return kappa(tables, LabelView(scaling, grades, None)).value


def _compute_alpha_of_matrices(counts: Floats, grades: Floats) -> Floats:
    zeros = np.zeros((len(counts), len(grades)))
    totals = SampleTotals(
        items=counts.sum(axis=(1, 2)),
        distances=zeros,
        labels=counts.sum(axis=1) + counts.sum(axis=2),
        shares=zeros,
        coincidences=counts + counts.transpose(0, 2, 1),
        all_relevant=zeros[:, 0],
        any_relevant=zeros[:, 0],
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        return alpha(totals, LabelView("ordinal", grades, None))


@dataclass(frozen=True, slots=True)
class Leniency:
    """Summary of a model's grades for the documents with a certain human grade.

    It contains the mean of the model's grades, and the shares of grades that are too high and too
    low. In a comparison with imported ratings, the ratings are the human grades, and the assessors'
    new grades are the model's grades.
    """

    grade: int  # human grade
    pairs: int  # number of topic–document pairs with this human grade, at least 1
    mean: float  # mean grade of the model
    too_high: float  # share of the model's grades that are higher than the human grade
    too_low: float  # share of the model's grades that are lower than the human grade


def leniency_by_grade(confusion: GradeConfusion) -> tuple[Leniency, ...]:
    """Return a summary of the model's grades for each human grade that occurs."""
    grades = np.array(confusion.scale, dtype=np.float64)
    return tuple(
        Leniency(
            grade,
            int(row.sum()),
            float(row @ grades / row.sum()),
            float(row[grades > grade].sum() / row.sum()),
            float(row[grades < grade].sum() / row.sum()),
        )
        for grade, row in zip(confusion.scale, confusion.total, strict=True)
        if row.sum()
    )


def error_correlation(human_grades: Grades, models: Sequence[Grades]) -> float:
    """Return the correlation between two models' errors, averaged over all pairs of models.

    An error is the model's grade minus the human grade. If the mean is near 1, several models
    provide little more information than one. The mean is nan if no correlation is defined, as for a
    single model.

    >>> people = {("1", "a"): 0, ("1", "b"): 1, ("1", "c"): 2}
    >>> high = {pair: grade + (pair[1] == "a") for pair, grade in people.items()}
    >>> round(error_correlation(people, [high, high]), 4)
    1.0
    """
    pairs = list(human_grades)
    errors = [
        np.array(
            [model[pair] - human_grades[pair] if pair in model else np.nan for pair in pairs],
            dtype=np.float64,
        )
        for model in models
    ]
    correlations = [
        _compute_error_correlation_of_pair(first, second)
        for index, first in enumerate(errors)
        for second in errors[index + 1 :]
    ]
    defined_correlations = [value for value in correlations if np.isfinite(value)]
    return float(np.mean(defined_correlations)) if defined_correlations else float("nan")


def _compute_error_correlation_of_pair(first: Floats, second: Floats) -> float:
    is_common = np.isfinite(first) & np.isfinite(second)
    if is_common.sum() < 2 or not first[is_common].std() or not second[is_common].std():
        return float("nan")
    return float(np.corrcoef(first[is_common], second[is_common])[0, 1])
