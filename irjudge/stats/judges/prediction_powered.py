"""Values of runs from few judgments of people and many of a model: estimates whose intervals hold.

People judged what was drawn by known chances; the model graded everything. For a measure that is linear in the labels the model's grades
give a guess of every document, and people's labels, each weighted by one over its chance, take the guesses' error away.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
import scipy

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model.labels import Flags
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.seeded_random import Stream

FOLDS = 5
LEVEL = 0.95
LEAST, FEW = (
    50,
    100,
)  # labels of people: below the first nothing is claimed, below the second it is warned
Guess: TypeAlias = Literal["calibrated", "scaled"]
GUESSES: tuple[Guess, ...] = get_args(Guess)
GUESSES_MEAN: dict[Guess, str] = {
    "calibrated": Message(
        "the mean that people gave where the model gave this grade, of the other folds"
    ),
    "scaled": Message("the model's own value, times one factor between 0 and 1"),
}
TopicsAre: TypeAlias = Literal["fixed", "sampled", "drawn"]
TOPICS_ARE: tuple[TopicsAre, ...] = get_args(TopicsAre)
TOPICS_ARE_MEAN: dict[TopicsAre, str] = {
    "fixed": Message("these topics are what is asked about, and chance drew documents alone"),
    "sampled": Message("these topics stand for all topics like them"),
    "drawn": Message(
        "chance drew these topics out of a known number, and documents of them: two stages"
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class DrawnLabels:
    """D documents of T topics that could have been drawn: what the model says of each, and people of those that were."""

    # shape (D,)
    topic: Longs  # 0 to T - 1
    grade: Longs  # the model's, as a code from 0; documents without a valid answer have a code of their own
    value: Floats  # what the model's grade is worth in the measure; 0 without one
    drawn: Flags  # whether people judged it
    gain: Floats  # what people's grade is worth in the measure; 0 where it was not drawn
    chance: Floats  # how likely it was to be drawn; 1 where it was not
    topics: int  # T

    @property
    def labels(self) -> int:
        """How many documents people judged that chance could have left out or not."""
        return int(self.drawn.sum())


@dataclass(frozen=True, slots=True, eq=False)
class LinearEstimates:
    """Estimates of R values with their 95 % intervals; shape (R,) each."""

    value: Floats
    low: Floats
    high: Floats
    error: Floats  # the standard error


def linear_estimates(
    labels: DrawnLabels,
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
        Of D documents of T topics, drawn independently of each other.
    weights
        Shape (R, D): how much a document's gain counts in each value; for P@10 a tenth in the top 10, for a difference of two runs the
        weights of one less those of the other, so that shared documents cancel.
    guess
        What stands for a document that people did not judge, see `GUESSES_MEAN`.
    topics
        What the interval speaks of, see `TOPICS_ARE_MEAN`: with topics as they are it is normal; with sampled or drawn ones of Student,
        T - 1.
    out_of
        Out of how many topics the T were drawn, where they were drawn.
    seed
        For the folds.

    Returns
    -------
    LinearEstimates
        Unbiased but for the folds' small samples. Coverage of the intervals is held by `tests/conformance/test_model_estimates.py`.

    Raises
    ------
    IrjudgeError
        When people judged fewer than 50 documents, or topics were drawn out of fewer than there are.

    References
    ----------
    Angelopoulos et al. (2023), Prediction-powered inference, Science 382; Zrnic and Candès (2024), Active statistical inference, ICML;
    Horvitz and Thompson (1952) for the weights.
    """
    if labels.labels < LEAST:
        raise IrjudgeError(
            "People judged {labels} of what was drawn; under {least} the intervals do not hold, so none is given.",
            labels=labels.labels,
            least=LEAST,
        )
    g = (
        _calibrated(labels, seed)
        if guess == "calibrated"
        else scale_factor(labels, weights) * labels.value
    )
    missed = np.where(labels.drawn, labels.gain - g, 0.0)
    total = g + missed / labels.chance
    value = weights @ total / labels.topics
    within = weights**2 @ (
        (1 - labels.chance) * (missed / labels.chance) ** 2
    )  # the variance of the sum over topics
    left_out = _left_out(labels.topics, topics, out_of)
    if left_out == 0:
        error = np.sqrt(within) / labels.topics
        reach = float(scipy.stats.norm.ppf((1 + LEVEL) / 2))
    else:
        by_topic = np.stack(
            [
                np.bincount(labels.topic, weights=row * total, minlength=labels.topics)
                for row in weights
            ]
        )
        between = by_topic.var(axis=1, ddof=1) / labels.topics
        error = np.sqrt(left_out * between + (1 - left_out) * within / labels.topics**2)
        reach = float(scipy.stats.t.ppf((1 + LEVEL) / 2, labels.topics - 1))
    return LinearEstimates(value, value - reach * error, value + reach * error, error)


def _left_out(topics: int, topics_are: TopicsAre, out_of: int | None) -> float:
    """Return which share of all topics was not drawn: none where these are all, and as good as all where they stand for any."""
    if topics_are != "drawn":
        return float(topics_are == "sampled")
    if out_of is None or out_of < topics:
        raise IrjudgeError(
            "Of {topics:,} drawn topics it must be known out of how many they were drawn, and not fewer; got {out_of}.",
            topics=topics,
            out_of=out_of,
        )
    return 1 - topics / out_of


def _calibrated(labels: DrawnLabels, seed: int) -> Floats:
    """Return for each document the weighted mean of people's gains where the model gave its grade, in the folds it is not in."""
    count, grades = len(labels.topic), int(labels.grade.max(initial=0)) + 1
    fold = Stream(seed).draws(1, count, FOLDS)[0]
    cell = fold * grades + labels.grade
    weight = np.where(labels.drawn, 1 / labels.chance, 0.0)
    sums = np.bincount(cell, weights=weight * labels.gain, minlength=FOLDS * grades).reshape(
        FOLDS, grades
    )
    sizes = np.bincount(cell, weights=weight, minlength=FOLDS * grades).reshape(FOLDS, grades)
    sums, sizes = sums.sum(axis=0) - sums, sizes.sum(axis=0) - sizes
    whole = sums.sum(axis=1) / np.maximum(sizes.sum(axis=1), np.finfo(float).tiny)
    means = np.where(sizes > 0, sums / np.where(sizes > 0, sizes, 1), whole[:, None])
    found: Floats = means[fold, labels.grade]
    return found


def scale_factor(labels: DrawnLabels, weights: Floats) -> float:
    """Return by what the model's values are multiplied so that intervals are shortest, between 0 and 1."""
    squares = (weights**2).mean(axis=0) * (1 - labels.chance)
    upper = (
        squares * np.where(labels.drawn, labels.gain * labels.value / labels.chance**2, 0.0)
    ).sum()
    lower = (squares * labels.value**2 * np.where(labels.drawn, 1 / labels.chance**2, 0.0)).sum()
    return float(np.clip(upper / lower, 0, 1)) if lower > 0 else 0.0


def spread_by_grade(labels: DrawnLabels) -> Floats:
    """Return the standard deviation of people's gains around their mean, for each grade of the model, shape (K,)."""
    grades = int(labels.grade.max(initial=0)) + 1
    weight = np.where(labels.drawn, 1 / labels.chance, 0.0)
    sizes = np.bincount(labels.grade, weights=weight, minlength=grades)
    means = np.bincount(labels.grade, weights=weight * labels.gain, minlength=grades) / np.maximum(
        sizes, 1
    )
    squares = np.bincount(
        labels.grade, weights=weight * (labels.gain - means[labels.grade]) ** 2, minlength=grades
    )
    whole = float(np.sqrt(squares.sum() / max(float(sizes.sum()), 1.0)))
    spread: Floats = np.where(sizes > 0, np.sqrt(squares / np.maximum(sizes, 1)), whole)
    return spread


def expected_reach(weights: Floats, spread: Floats, chance: Floats, topics: int) -> Floats:
    """Return how far intervals of R values will reach to each side, shape (R,), before anything of D documents is judged.

    `weights` has shape (R, D). `spread` is the standard deviation of people's gains around the guess, and `chance` how likely each document
    is to be drawn, both of shape (D,).
    """
    error = np.sqrt(weights**2 @ (spread**2 * (1 - chance) / chance)) / topics
    reach: Floats = float(scipy.stats.norm.ppf((1 + LEVEL) / 2)) * error
    return reach
