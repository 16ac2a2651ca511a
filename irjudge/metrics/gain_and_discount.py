"""Gain of grades and discount by rank."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.judged import Floats, Hits, Ints, JudgedRun, rank_in_topic
from irjudge.metrics.registry import GainMap, Range, format_value
from irjudge.metrics.worked_example import ExampleTopic, format_number, format_sum

Gain: TypeAlias = Annotated[
    Literal["linear", "exp2"] | GainMap,
    "`linear`: the grade; `exp2`: 2^grade − 1; `1:3/2:9`: gain 3 for grade 1, gain 9 for grade "
    "2, and the grade itself for all other grades.",
]
Discount: TypeAlias = Annotated[
    Literal["log2p1", "jk"],
    "`log2p1`: gains are divided by log(rank + 1); `jk` (the discount of Järvelin and "
    "Kekäläinen): gains before rank `base` are not discounted, and all others are divided by "
    "log(rank).",
]
Ideal: TypeAlias = Annotated[
    Literal["judged", "retrieved"],
    (
        "`judged`: the ideal ranking contains all judged documents, best first; `retrieved`, "
        "used in some lecture notes: only the retrieved documents, so that missed documents "
        "have no effect."
    ),
]
Mean: TypeAlias = Annotated[
    Literal["topics", "ratio"],
    "Value of a run: `topics` for the mean over topics, `ratio` for mean DCG divided by mean "
    "ideal DCG.",
]
Base: TypeAlias = Annotated[
    float, Range(1, above=True), "Base of the logarithm; it has no effect with discount=log2p1."
]

# maximum grade for gain=exp2: 2^1000 times a topic's number of documents is a finite double
MAX_EXP2_GRADE = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Gains:
    """Documents with their gains, sorted by topic and rank; arrays of shape (H,)."""

    topic: Ints  # index of the topic in `JudgedRun.topics`
    rank: Ints  # rank of the document, from 1
    gain: Floats  # gain of the document, 0 or more


def gains(grade: npt.NDArray[Any], gain: Gain) -> Floats:
    """Return the gain of each grade, in the same shape.

    Grades must be at least 1 or, if `gain` is a map, at least 0.

    Raises MeasureError if 2 to the power of a grade is too large.
    """
    if gain == "linear":
        return grade.astype(np.float64)
    if isinstance(gain, GainMap):
        gain_by_grade = grade.astype(np.float64)
        for listed_grade, listed_gain in gain.pairs:
            gain_by_grade[grade == listed_grade] = listed_gain
        return gain_by_grade
    if grade.size and grade.max() > MAX_EXP2_GRADE:
        raise MeasureError(
            "gain=exp2 allows grades up to {maximum}, got {grade}; gain=linear allows any grade.",
            maximum=MAX_EXP2_GRADE,
            grade=grade.max(),
        )
    return np.exp2(grade.astype(np.float64)) - 1


def discounts(rank: npt.NDArray[Any], discount: Discount, base: float) -> Floats:
    """Return the discount divisor of each 1-based rank, in the same shape.

    >>> discounts(np.array([1, 2, 4]), "jk", base=2)
    array([1., 1., 2.])
    """
    argument = rank + 1.0 if discount == "log2p1" else np.maximum(rank, base)
    divisor: Floats = np.log2(argument) / np.log2(base)
    return divisor


def retrieved_gains(run: JudgedRun, gain: Gain, cutoff: int | None = None) -> Gains:
    """Return the retrieved documents at ranks 1 to `cutoff` with a positive gain.

    >>> retrieved_gains(JudgedRun.single(ranked=[2, None, 0, 1]), "linear").gain
    array([2., 1.])
    """
    return run.get_or_compute(
        ("retrieved gains", gain, cutoff),
        lambda: _compute_gains_of_hits(_find_possible_hits(run, gain, cutoff), gain),
    )


def ideal_gains(run: JudgedRun, gain: Gain, cutoff: int | None = None) -> Gains:
    """Return the documents with positive gain at ranks 1 to `cutoff` of the ideal ranking.

    >>> ideal_gains(JudgedRun.single(ranked=[0], judged=[1, 2]), GainMap(((1, 5.0),))).gain
    array([5., 2.])
    """
    if not isinstance(gain, GainMap):
        return run.get_or_compute(
            ("ideal gains", gain, cutoff),
            lambda: _compute_gains_of_hits(run.ideal_hits(cutoff), gain),
        )
    gain_or_grade = run.judged_grades if run.judged_gain is None else run.judged_gain
    selected = gain_or_grade >= (_find_min_gaining_grade(gain) if run.judged_gain is None else 0)
    return _select_best_gains(
        run, run.judged_topic[selected], gains(gain_or_grade[selected], gain), cutoff
    )


def best_gains(run: JudgedRun, gain: Gain, ideal: Ideal, cutoff: int | None = None) -> Gains:
    """Return the documents with positive gain at ranks 1 to `cutoff` of an ideal ranking.

    `ideal` selects the documents that are ranked: `judged` or `retrieved` documents.

    >>> best_gains(JudgedRun.single(ranked=[0, 1], judged=[2]), "linear", "retrieved").gain
    array([1.])
    """
    if ideal == "judged":
        return ideal_gains(run, gain, cutoff)
    retrieved = retrieved_gains(run, gain)
    return _select_best_gains(run, retrieved.topic, retrieved.gain, cutoff)


def _find_possible_hits(run: JudgedRun, gain: Gain, cutoff: int | None) -> Hits:
    """Return the retrieved documents that may have a positive gain."""
    if run.hit_gain is not None:
        return run.judged_hits(cutoff)
    return run.relevant_hits(_find_min_gaining_grade(gain), cutoff)


def _compute_gains_of_hits(hits: Hits, gain: Gain) -> Gains:
    """Return the hits with positive gain as `Gains`."""
    hit_gains = gains(hits.gain_or_grade, gain)
    selected = hit_gains > 0
    if selected.all():
        return Gains(hits.topic, hits.rank, hit_gains)
    return Gains(hits.topic[selected], hits.rank[selected], hit_gains[selected])


def _select_best_gains(run: JudgedRun, topic: Ints, gain: Floats, cutoff: int | None) -> Gains:
    order = np.lexsort((-gain, topic))
    order = order[gain[order] > 0]
    rank = rank_in_topic(topic[order], len(run))
    selected = slice(None) if cutoff is None else rank <= cutoff
    return Gains(topic[order][selected], rank[selected].astype(np.int32), gain[order][selected])


def _find_min_gaining_grade(gain: Gain) -> int:
    return 0 if isinstance(gain, GainMap) and gain.pairs[0][0] == 0 else 1


# Worked examples

GAIN_MEANING = {"linear": Message("Gain = grade."), "exp2": Message("Gain = 2^grade − 1.")}
RATING_MEANING = {
    "linear": Message("Gain = rating in the qrels."),
    "exp2": Message("Gain = 2^rating − 1."),
}


def example_gains(gains_or_grades: Sequence[float | None], gain: Gain) -> list[float]:
    """Return the gain of each document from its grade or rating; 0 for an unjudged document."""
    ratings = [-1 if gain_or_grade is None else gain_or_grade for gain_or_grade in gains_or_grades]
    return (
        [
            max(0.0, document_gain)
            for document_gain in np.where(
                np.array(ratings) < 0, 0, gains(np.maximum(ratings, 0), gain)
            ).tolist()
        ]
        if ratings
        else []
    )


def describe_gain(gain: Gain, *, is_of_ratings: bool = False) -> Message:
    """Return a sentence that explains the gain of a grade, or of a rating in qrels with gains."""
    if not isinstance(gain, GainMap):
        return (RATING_MEANING if is_of_ratings else GAIN_MEANING)[gain]
    if is_of_ratings:
        return Message(
            "Gains of the listed ratings: {gains}; for all other ratings, gain = rating.",
            gains=gain,
        )
    return Message(
        "Gains of the listed grades: {gains}; for all other grades, gain = grade.",
        gains=gain,
    )


def divisor(rank: int, discount: Discount, base: float) -> float:
    """Return the divisor by which the gain at a rank is discounted."""
    return math.log2(rank + 1 if discount == "log2p1" else max(rank, base)) / math.log2(base)


def describe_discount(discount: Discount, base: float) -> str:
    """Return a sentence that states the divisor of the gain at a rank."""
    if discount == "jk":
        return Message(
            "From rank {base} on, the gain at rank r is divided by log{base}(r).",
            base=format_value(base),
        )
    return Message("The gain at rank r is divided by log{base}(r + 1).", base=format_value(base))


def accumulate_discounted_gains(
    gain: Sequence[float], discount: Discount, base: float
) -> tuple[list[float], str]:
    """Return the running sums of the discounted gains, and the equation for their total."""
    total, sums, terms = 0.0, [], []
    for rank, document_gain in enumerate(gain, 1):
        rank_divisor = divisor(rank, discount, base)
        total += document_gain / rank_divisor
        sums.append(total)
        if document_gain:
            terms.append(
                format_number(document_gain)
                if rank_divisor == 1
                else f"{format_number(document_gain)}/{format_number(rank_divisor)}"
            )
    return sums, f"{format_sum(terms)} = {format_number(total)}"


def explain_ideal_gains(
    example: ExampleTopic, gain: Gain, ideal: Ideal, cutoff: int | None
) -> tuple[list[float], str]:
    """Return the gains at ranks 1 to `cutoff` of the ideal ranking, and a sentence about them."""
    gains_or_grades = (
        example.judged_gains_or_grades() if ideal == "judged" else example.gains_or_grades()
    )
    ideal_ranking = sorted(
        (example_gain for example_gain in example_gains(gains_or_grades, gain) if example_gain > 0),
        reverse=True,
    )[:cutoff]
    gains_text = ", ".join(map(format_number, ideal_ranking[:12])) + (
        Message(" … (total {number})", number=len(ideal_ranking)) if len(ideal_ranking) > 12 else ""
    )
    documents_text = (
        Message("all judged documents") if ideal == "judged" else Message("the retrieved documents")
    )
    if not ideal_ranking:
        return [], Message(
            "Ideal order of {documents}: no document has a gain above 0.", documents=documents_text
        )
    return ideal_ranking, Message(
        "Gains in the ideal order of {documents}: {gains}.",
        documents=documents_text,
        gains=gains_text,
    )
