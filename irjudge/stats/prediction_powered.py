"""Prediction-powered estimates from few human labels and a model's grades.

Assessors judge a random sample with known inclusion probabilities; the model grades every document.
For a measure that is linear in the labels, the model's grades predict the gain of each document,
and the sampled judgments, each weighted by one over its inclusion probability, correct the
prediction.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
import scipy

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model import Flags, Floats, Longs
from irjudge.stats.sampling import RandomStream

FOLDS = 5
CONFIDENCE_LEVEL = 0.95
MIN_LABELS = 50  # minimum number of sampled and judged documents for an estimate
# number of errors that are added, in each direction, to the model's errors observed in the sample
PSEUDO_ERRORS = 2
Guess: TypeAlias = Literal["calibrated", "scaled"]
GUESSES: tuple[Guess, ...] = get_args(Guess)
GUESSES_MEAN: dict[Guess, str] = {
    "calibrated": Message(
        "the mean human grade of documents with the same model grade, computed by cross-fitting"
    ),
    "scaled": Message("the model's own value multiplied by a factor between 0 and 1"),
}
TopicsAre: TypeAlias = Literal["fixed", "sampled", "drawn"]
TOPICS_ARE: tuple[TopicsAre, ...] = get_args(TopicsAre)
TOPICS_ARE_MEAN: dict[TopicsAre, str] = {
    "fixed": Message("the topics are fixed, and only documents are sampled"),
    "sampled": Message("the topics are a sample from a population of similar topics"),
    "drawn": Message(
        "topics are sampled from a known number of topics, and documents are sampled within "
        "these topics (two stages)"
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class SampledLabels:
    """Labels of D documents of T topics: a model's grades, and assessors' grades of a sample.

    They are the input of prediction-powered estimates, see `LinearEstimates`. Assessors judged only
    a random sample of the documents; `sampled` is False for documents that were drawn but not
    judged.
    """

    # the arrays have shape (D,)
    topic: Longs  # topic of each document, 0 to T - 1
    # model's grade as a code from 0; all documents without a valid grade have the same extra code
    grade: Longs
    model_gain: Floats  # gain of the model's grade; 0 if there is none
    sampled: Flags  # whether the document was drawn for the sample and judged by assessors
    human_gain: Floats  # gain of the assessors' grade; 0 if not sampled or unjudgeable
    probability: Floats  # inclusion probability, whether sampled or not, in (0, 1]
    topics: int  # number of topics, T
    highest: float  # highest gain of the scale

    @property
    def labels(self) -> int:
        """Number of documents that were sampled and judged."""
        return int(self.sampled.sum())


@dataclass(frozen=True, slots=True, eq=False)
class LinearEstimates:
    """Prediction-powered estimates of R values, such as P@10 of each run, with 95 % intervals.

    A value is the mean over topics of a weighted sum of the documents' gains. The arrays have the
    shape (R,).
    """

    value: Floats
    low: Floats  # lower end of the interval
    high: Floats  # upper end of the interval
    # standard error; the interval is wider, since it also allows for errors that the sample lacks
    error: Floats
    # whether the interval is wider than half of the range of possible values, so that there are too
    # few judgments
    too_few: Flags


def linear_estimates(
    labels: SampledLabels,
    weights: Floats,
    *,
    guess: Guess = "calibrated",
    topics: TopicsAre = "fixed",
    out_of: int | None = None,
    seed: int = 0,
) -> LinearEstimates:
    """Estimate means over topics of measures that are linear in the labels.

    Parameters
    ----------
    labels
        D documents of T topics, which were sampled independently of each other.
    weights
        Shape (R, D): weight of each document's gain in each value. For P@10 it is a tenth for the
        top 10; for a difference of two runs it is the difference of their weights, so that shared
        documents cancel.
    guess
        Prediction for documents that assessors did not judge, see `GUESSES_MEAN`.
    topics
        Population to which the interval refers, see `TOPICS_ARE_MEAN`. Intervals use quantiles of
        the normal distribution for fixed topics, otherwise of Student's t distribution with T - 1
        degrees of freedom.
    out_of
        With ``topics="drawn"``: number of topics from which the T topics were sampled.
    seed
        Seed of the folds for calibration.

    Returns
    -------
    LinearEstimates
        Values and ends of intervals are within the range that the weights and, for fixed topics,
        the judgments allow.

    Raises
    ------
    IrjudgeError
        If assessors judged fewer than 50 documents, if a value depends on documents but on no
        sampled one, if there is only one topic unless `topics` is ``"fixed"``, if `topics` is
        ``"drawn"`` and `out_of` is None or less than the number of topics, or if an inclusion
        probability is not above 0 and at most 1.

    Notes
    -----
    The normal interval is too short if the model's errors are rare, since the sample may contain
    none of them. Therefore two errors in each direction are added to the errors in the sample. They
    have the observed mean squared size, and are on documents with high variance [1]_. Coverage was
    simulated in
    `tests/engine/stats/judges/test_coverage.py` and `tests/conformance/test_model_estimates.py`.

    References
    ----------
    .. [1] Agresti and Coull (1998), Approximate is better than "exact" for interval estimation of
       binomial proportions, The American Statistician 52: the same idea for a proportion.

    Angelopoulos et al. (2023), Prediction-powered inference, Science 382; Zrnic and Candès (2024),
    Active statistical inference, ICML; Horvitz and Thompson (1952) for the weights.
    """
    _check_labels(labels, weights)
    predictions = (
        _calibrate_gains(labels, seed)
        if guess == "calibrated"
        else scale_factor(labels, weights) * labels.model_gain
    )
    errors = np.where(labels.sampled, labels.human_gain - predictions, 0.0)
    estimated_gains = predictions + errors / labels.probability
    value = weights @ estimated_gains / labels.topics
    within_variance = weights**2 @ ((1 - labels.probability) * (errors / labels.probability) ** 2)
    variance = within_variance / labels.topics**2
    unsampled_share = _compute_unsampled_topic_share(labels.topics, topics, out_of)
    quantile = (1 + CONFIDENCE_LEVEL) / 2
    if unsampled_share == 0:
        critical_value = float(scipy.special.ndtri(quantile))
    else:
        by_topic = np.stack(
            [np.bincount(labels.topic, row * estimated_gains, labels.topics) for row in weights]
        )
        between_variance = by_topic.var(axis=1, ddof=1) / labels.topics
        variance = unsampled_share * between_variance + (1 - unsampled_share) * variance
        critical_value = float(scipy.special.stdtrit(labels.topics - 1, quantile))
    error_below, error_above = _compute_pseudo_error_variance(labels, weights)
    lower_limit, upper_limit = _compute_possible_range(labels, weights, unsampled_share)
    low, high = (
        np.clip(
            value + direction * critical_value * np.sqrt(variance + PSEUDO_ERRORS * pseudo_error),
            lower_limit,
            upper_limit,
        )
        for direction, pseudo_error in ((-1, error_below), (1, error_above))
    )
    return LinearEstimates(
        np.clip(value, lower_limit, upper_limit),
        low,
        high,
        np.sqrt(variance),
        high - low > (labels.highest * np.abs(weights).sum(axis=1) / labels.topics) / 2,
    )


def lacks_sample(labels: SampledLabels, weights: Floats) -> Flags:
    """Return whether each value depends on documents, but not on a sampled one, shape (R,).

    A value depends on the documents whose weight is not 0.
    """
    has_weight = weights != 0
    is_lacking: Flags = has_weight.any(axis=1) & ~has_weight[:, labels.sampled].any(axis=1)
    return is_lacking


def _check_labels(labels: SampledLabels, weights: Floats) -> None:
    if labels.labels < MIN_LABELS:
        raise IrjudgeError(
            "Too few sampled documents are judged for an interval: {labels}; at least "
            "{minimum} are needed.",
            labels=labels.labels,
            minimum=MIN_LABELS,
        )
    if not ((labels.probability > 0) & (labels.probability <= 1)).all():
        raise IrjudgeError(
            "Inclusion probabilities must be above 0 and at most 1, got {lowest} to {highest}.",
            lowest=float(labels.probability.min()),
            highest=float(labels.probability.max()),
        )
    lacking_rows = np.flatnonzero(lacks_sample(labels, weights))
    if len(lacking_rows):
        raise IrjudgeError(
            "Value number {number} cannot be estimated, because none of the documents on which "
            "this value depends was sampled.",
            number=int(lacking_rows[0]),
        )


def _compute_pseudo_error_variance(labels: SampledLabels, weights: Floats) -> tuple[Floats, Floats]:
    """Return the variance that one more error of the model would add to each value.

    The first array, shape (R,), is for errors that lower the value, the second for errors that
    raise it. An error raises a value if the assessors' gain is above the model's gain on a document
    with a positive weight, or below the model's gain on a document with a negative weight. Each
    variance is the mean over the observed errors in that direction and one pseudo-error. The
    variance of the pseudo-error is a mean over the documents on which such an error is possible;
    documents with a high variance have more weight.
    """
    error = np.where(labels.sampled, labels.human_gain - labels.model_gain, 0.0)
    squares = error**2
    variance_factor = (1 - labels.probability) / labels.probability**2
    pseudo_error_variances, observed_variances, error_counts = {}, {}, {}
    for direction, is_possible in (
        (1, labels.model_gain < labels.highest),
        (-1, labels.model_gain > 0),
    ):
        is_error = direction * error > 0
        mean_squared_error = (labels.highest**2 + squares[is_error].sum()) / (1 + is_error.sum())
        (
            pseudo_error_variances[direction],
            observed_variances[direction],
            error_counts[direction],
        ) = (
            variance_factor * is_possible * mean_squared_error,
            variance_factor * squares * is_error,
            is_error.astype(np.float64),
        )
    positive_weights, negative_weights = np.maximum(weights, 0), np.minimum(weights, 0)
    variances = []
    for direction in (-1, 1):
        error_variance = (
            positive_weights**2 * pseudo_error_variances[direction]
            + negative_weights**2 * pseudo_error_variances[-direction]
        )
        total_variance = error_variance @ labels.probability
        weighted_variance = (error_variance**2 @ labels.probability) / np.where(
            total_variance > 0, total_variance, 1
        )
        errors = (
            positive_weights**2 @ observed_variances[direction]
            + negative_weights**2 @ observed_variances[-direction]
        )
        count = (positive_weights > 0) @ error_counts[direction] + (
            negative_weights < 0
        ) @ error_counts[-direction]
        variances.append((weighted_variance + errors) / (1 + count) / labels.topics**2)
    return variances[0], variances[1]


def _compute_possible_range(
    labels: SampledLabels, weights: Floats, unsampled_share: float
) -> tuple[Floats, Floats]:
    """Return the lowest and the highest possible values, shape (R,) each.

    The gains of sampled documents are known. Each topic that was not sampled may have a value as
    extreme as the most extreme value that a sampled topic could have if its documents were unknown.
    """
    sampled_sums = (weights * labels.sampled) @ labels.human_gain
    limits = []
    for signed_weights, find_extreme in (
        (np.minimum(weights, 0), np.min),
        (np.maximum(weights, 0), np.max),
    ):
        topic_mean = (
            sampled_sums + signed_weights @ (~labels.sampled * labels.highest)
        ) / labels.topics
        if unsampled_share:
            by_topic = [
                np.bincount(labels.topic, weights=row, minlength=labels.topics)
                for row in signed_weights
            ]
            unsampled_mean = find_extreme(np.stack(by_topic), axis=1) * labels.highest
            topic_mean = (1 - unsampled_share) * topic_mean + unsampled_share * unsampled_mean
        limits.append(topic_mean)
    return limits[0], limits[1]


def _compute_unsampled_topic_share(topics: int, topics_are: TopicsAre, out_of: int | None) -> float:
    """Return the share of topics that were not sampled.

    It is 0 for fixed topics, and 1 for topics sampled from an infinite population.
    """
    if topics_are != "fixed" and topics < 2:
        raise IrjudgeError(
            "An interval for sampled topics needs at least 2 topics, got {count}.", count=topics
        )
    if topics_are != "drawn":
        return float(topics_are == "sampled")
    if out_of is None or out_of < topics:
        raise IrjudgeError(
            "The total number of topics must be at least {minimum:,}, the number of sampled "
            "topics; got {number}.",
            minimum=topics,
            number=out_of,
        )
    return 1 - topics / out_of


def _calibrate_gains(labels: SampledLabels, seed: int) -> Floats:
    """Return the predicted gain of each document, by cross-fitting.

    The prediction is the weighted mean of human gains over documents in other folds with the same
    model grade or, if there are none, over all documents in other folds.
    """
    count, grades = len(labels.topic), int(labels.grade.max(initial=0)) + 1
    fold = RandomStream(seed).draw_integers(1, count, FOLDS)[0]
    cell = fold * grades + labels.grade
    weight = np.where(labels.sampled, 1 / labels.probability, 0.0)
    sums = np.bincount(cell, weights=weight * labels.human_gain, minlength=FOLDS * grades).reshape(
        FOLDS, grades
    )
    sizes = np.bincount(cell, weights=weight, minlength=FOLDS * grades).reshape(FOLDS, grades)
    sums, sizes = sums.sum(axis=0) - sums, sizes.sum(axis=0) - sizes
    overall_mean = sums.sum(axis=1) / np.maximum(sizes.sum(axis=1), np.finfo(float).tiny)
    means = np.where(sizes > 0, sums / np.where(sizes > 0, sizes, 1), overall_mean[:, None])
    gains: Floats = means[fold, labels.grade]
    return gains


def scale_factor(labels: SampledLabels, weights: Floats) -> float:
    """Return the factor, 0 to 1, by which the model's gains are multiplied to predict human gains.

    The factor approximately minimises the width of the intervals.
    """
    squares = (weights**2).mean(axis=0) * (1 - labels.probability)
    numerator = (
        squares
        * np.where(
            labels.sampled, labels.human_gain * labels.model_gain / labels.probability**2, 0.0
        )
    ).sum()
    denominator = (squares * labels.model_gain**2 / labels.probability).sum()
    return float(np.clip(numerator / denominator, 0, 1)) if denominator > 0 else 0.0


def spread_by_grade(labels: SampledLabels) -> Floats:
    """Return the standard deviation of human gains for each grade of the model, shape (K,).

    The deviations are estimated from the sample. For a grade without sampled documents, the result
    is the deviation of all sampled gains from the means of their grades.
    """
    grades = int(labels.grade.max(initial=0)) + 1
    weight = np.where(labels.sampled, 1 / labels.probability, 0.0)
    sizes = np.bincount(labels.grade, weights=weight, minlength=grades)
    means = np.bincount(
        labels.grade, weights=weight * labels.human_gain, minlength=grades
    ) / np.maximum(sizes, 1)
    squares = np.bincount(
        labels.grade,
        weights=weight * (labels.human_gain - means[labels.grade]) ** 2,
        minlength=grades,
    )
    overall_spread = float(np.sqrt(squares.sum() / max(float(sizes.sum()), 1.0)))
    return np.where(sizes > 0, np.sqrt(squares / np.maximum(sizes, 1)), overall_spread)


def expected_margin(
    weights: Floats, spread: Floats, probability: Floats, topics: int, *, highest_gain: float
) -> Floats:
    """Return the half-width that intervals are expected to have once the sample is judged.

    The shape is (R,).

    Parameters
    ----------
    weights
        Weight of each of D documents in each of R values, shape (R, D).
    spread
        Standard deviation of assessors' gains around the prediction, shape (D,).
    probability
        The inclusion probability of each document, shape (D,).
    highest_gain
        Highest gain. Errors are assumed to have this size, half of them in each direction.
    """
    squared_weights = weights**2
    variance_factor = (1 - probability) / probability
    variance = squared_weights @ (spread**2 * variance_factor)
    squared_error = squared_weights * (highest_gain**2 * variance_factor / probability)
    total_squared_error = squared_error @ probability
    weighted_variance = (squared_error**2 @ probability) / np.where(
        total_squared_error > 0, total_squared_error, 1
    )
    errors = (weights != 0) @ (probability * np.minimum(1, (spread / highest_gain) ** 2)) / 2
    pseudo_error = (weighted_variance + variance / 2) / (1 + errors)
    z = float(scipy.special.ndtri((1 + CONFIDENCE_LEVEL) / 2))
    margin: Floats = z * np.sqrt(variance + PSEUDO_ERRORS * pseudo_error) / topics
    return margin
