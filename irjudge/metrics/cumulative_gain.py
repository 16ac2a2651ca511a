"""Gain of grades, discount by rank, and discounted cumulative gain."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.judged import Floats, Hits, Ints, JudgedRun, Scores, divide, rank_in_topic
from irjudge.metrics.measure_bounds import (
    INFINITE_RANK,
    Interval,
    NoBounds,
    OpenRun,
    OpenRunPair,
    iter_topic_rows,
    linear_difference,
    register_bounds,
    register_difference_bounds,
)
from irjudge.metrics.registry import (
    TREC_CUTOFFS,
    Alias,
    GainMap,
    MaybeBothCutoff,
    MaybeCutoff,
    MicroAverage,
    Range,
    Value,
    format_value,
    measure,
)
from irjudge.metrics.worked_example import (
    ExampleTopic,
    SheetColumn,
    SheetPart,
    SheetResult,
    WorkedExample,
    WorksheetData,
    describe_cutoff,
    explains,
    format_number,
    format_quotient,
    format_sum,
)

# Gain of grades and discount by rank

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
    """Documents of a judged run, or of its ideal ranking, with their gains; arrays of shape (H,).

    They are sorted by topic and rank. Documents without a gain may be omitted. For a measure that
    sums gains over subtopics, a document can have several rows.
    """

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


# Worked examples: texts about gains and discounts

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


# Bounds on normalised gain, which is the sum of the discounted gains divided by the ideal sum

# A level is a distinct gain, and a step is the difference between two successive levels. The gain
# of a document is therefore the sum of the steps up to its level.


@dataclass(frozen=True, slots=True)
class RankWeights:
    """Callable that returns the weight of each rank: 1 divided by the discount divisor.

    The weight of rank 0 (not retrieved) and of ranks beyond the cutoff is 0.
    """

    discount: Discount  # kind of discount
    base: float  # base of the logarithm
    cutoff: int | None  # last rank with a weight; None for no limit

    def __call__(self, rank: npt.NDArray[Any]) -> Floats:
        """Return the weights of ranks, in the same shape."""
        limit = INFINITE_RANK if self.cutoff is None else self.cutoff
        weight = 1 / discounts(np.maximum(rank, 1), self.discount, self.base)
        return np.where((rank > 0) & (rank <= limit), weight, 0.0)

    def ideal_sums(self, length: int) -> Floats:
        """Return the sums of the weights of the first 0, 1, 2 … ranks.

        The last sum is over `length` ranks, or over the ranks to the cutoff if these are fewer.
        """
        depth = length if self.cutoff is None else min(length, self.cutoff)
        return np.concatenate(([0.0], np.cumsum(self(np.arange(1, depth + 1)))))


@dataclass(frozen=True, slots=True, eq=False)
class GainRatioProblem:
    """Problem of finding the grades of open documents that maximise a topic's normalised gain.

    It bounds nDCG, or its difference between two runs, while judgments are missing. Open documents
    have no grade yet. The normalised gain is Σ step · (weight of the judged and open documents at
    or above the level) / Σ step · (ideal weight), summed over the levels above 0; the step is the
    difference between a level and the next lower level. The weights of the open documents are
    arguments of the methods. Open documents without a weight can only extend the ideal ranking;
    their number is another argument.
    """

    levels: Floats  # L gains, ascending from 0
    # for each level above 0, total weight of the judged documents at or above it (for two runs, the
    # difference of the total weights), shape (L − 1,)
    judged_weights: Floats
    # for each level above 0, number of judged documents at or above it, shape (L − 1,)
    judged_counts: npt.NDArray[np.int64]
    rank_weights: RankWeights  # weights of the ranks of the ideal ranking

    def negate(self) -> "GainRatioProblem":
        """Return the problem with negated weights of judged documents, to find the lowest value.

        If the weights of the open documents are negated too, the highest value of the result is the
        lowest value of this problem, negated.
        """
        return GainRatioProblem(
            self.levels, -self.judged_weights, self.judged_counts, self.rank_weights
        )

    def maximise_with_others(self, weight_differences: Floats, other_count: float) -> float:
        """Return the highest value over all possible grades of two groups of open documents.

        Each document in `weight_differences` adds its weight difference to the numerator. The
        other documents, of which there are `other_count`, only extend the ideal ranking.
        """
        descending_differences = np.sort(weight_differences)[::-1]
        position = int(np.searchsorted(-descending_differences, 0.0))
        if self.rank_weights.cutoff is not None:
            # documents beyond the cutoff of the ideal ranking do not change the value
            other_count = min(other_count, float(self.rank_weights.cutoff))
        if np.isinf(other_count):
            return max(self.maximise(descending_differences), 0.0)
        return self.maximise(
            np.concatenate(
                (
                    descending_differences[:position],
                    np.zeros(int(other_count)),
                    descending_differences[position:],
                )
            )
        )

    def maximise(self, weights: Floats, *, ideal_only: float = 0) -> float:
        """Return the highest value over all possible gain levels of the documents in `weights`.

        `weights` are in descending order. `ideal_only` is the number of documents that are in the
        ideal ranking but not in the run.

        Dinkelbach's method is used: N / D <= c holds for all choices of levels if and only if
        N − c·D <= 0 does. The difference is a sum over levels, which can be maximised level by
        level; the number of documents must not increase from one level to the next.
        """
        steps = np.diff(self.levels)
        cumulative_weights = np.concatenate(([0.0], np.cumsum(weights)))
        if np.isinf(ideal_only) and self.rank_weights.cutoff is None:
            return 0.0  # the ideal sum is unbounded
        ideal_start = int(
            min(
                ideal_only,
                float(self.rank_weights.cutoff or 0) if np.isinf(ideal_only) else ideal_only,
            )
        )
        sums = self.rank_weights.ideal_sums(
            int(self.judged_counts.max(initial=0)) + ideal_start + len(weights)
        )
        numerators = [
            steps[level] * (self.judged_weights[level] + cumulative_weights)
            for level in range(len(steps))
        ]
        denominators = [
            steps[level]
            * sums[
                np.minimum(
                    self.judged_counts[level] + ideal_start + np.arange(len(cumulative_weights)),
                    len(sums) - 1,
                )
            ]
            for level in range(len(steps))
        ]
        counts = [0] * len(steps)
        while True:
            highest_ratio = _compute_ratio(numerators, denominators, counts)
            counts = _compute_best_counts(
                [
                    numerator - highest_ratio * denominator
                    for numerator, denominator in zip(numerators, denominators, strict=True)
                ]
            )
            if not _compute_ratio(numerators, denominators, counts) > highest_ratio:
                return highest_ratio


def _compute_ratio(
    numerators: list[Floats], denominators: list[Floats], counts: list[int]
) -> float:
    denominator = float(
        sum(values[count] for values, count in zip(denominators, counts, strict=True))
    )
    return (
        float(sum(values[count] for values, count in zip(numerators, counts, strict=True)))
        / denominator
        if denominator
        else 0.0
    )


def _compute_best_counts(values_by_level: list[Floats]) -> list[int]:
    """Return the numbers of documents, one for each level, that maximise the sum of values.

    The numbers do not increase from one level to the next. For each level, `values_by_level`
    contains the value for 0, 1, 2 … documents.
    """
    best_counts: list[npt.NDArray[np.int64]] = []
    total: Floats = np.zeros(len(values_by_level[0])) if values_by_level else np.zeros(1)
    for values in reversed(values_by_level):
        sums = values + total
        total = np.maximum.accumulate(sums)
        is_new = np.concatenate(([True], sums[1:] > total[:-1]))
        best_counts.append(np.maximum.accumulate(np.where(is_new, np.arange(len(sums)), 0)))
    counts, count = [], len(total) - 1
    for counts_of_level in reversed(best_counts):
        count = int(counts_of_level[count])
        counts.append(count)
    return counts


def gain_levels(run: OpenRun, gain: Gain) -> Floats:
    """Return the distinct gains of the scale's grades and of judged grades, ascending from 0."""
    return np.unique(
        np.concatenate(
            (
                [0.0],
                gains(np.array(run.grades, dtype=np.int32), gain),
                gains(run.judged.judged_grades, gain),
            )
        )
    )


def best_grade(run: OpenRun, gain: Gain) -> int:
    """Return the grade of the scale with the highest gain."""
    return run.grades[int(gains(np.array(run.grades, dtype=np.int32), gain).argmax())]


def weight_by_level(levels: Floats, document_gains: Floats, weight: Floats) -> Floats:
    """Return, for each level above 0, the total weight of the documents at or above it."""
    return np.array([weight[document_gains >= level].sum() for level in levels[1:]])


def weight_by_topic_and_level(
    run: JudgedRun, levels: Floats, gain: Gain, rank_weights: RankWeights
) -> list[Floats]:
    """Return, for each topic, the result of `weight_by_level` for the retrieved documents."""
    hit_gains, weight = gains(run.hit_grade, gain), rank_weights(run.hit_rank)
    return [
        weight_by_level(levels, hit_gains[rows], weight[rows])
        for rows in iter_topic_rows(run.hit_topic, len(run))
    ]


def count_by_level(levels: Floats, document_gains: Floats) -> npt.NDArray[np.int64]:
    """Return the number of documents at or above each level above 0."""
    return np.array([(document_gains >= level).sum() for level in levels[1:]], dtype=np.int64)


# Cumulative gain, and its discounted and normalised variants


def _has_gain_at_grade_zero(values: dict[str, Value]) -> bool:
    gain = values["gain"]
    return isinstance(gain, GainMap) and dict(gain.pairs).get(0, 0) > 0


GRADE_0_NO_BOUNDS = NoBounds(
    _has_gain_at_grade_zero,
    Message(
        "grade 0 has a gain above 0, so an unjudged document adds gain, whatever grade it would get"
    ),
)
RATIO_NO_BOUNDS = NoBounds(
    lambda values: values["mean"] == "ratio",
    Message("the value of a run is not a mean of the topic values"),
)
RETRIEVED_IDEAL_NO_BOUNDS = NoBounds(
    lambda values: values["ideal"] == "retrieved",
    Message("with ideal=retrieved, each run has its own ideal ranking"),
)


@measure(
    "CG",
    title="Cumulative gain",
    formula="Σ of gain over ranks 1 to k; gain = grade (gain=exp2: 2^grade − 1; gain=1:3/2:9: as given)",
    bounds=(0, math.inf),
    kind="graded",
    top_heavy=True,
)
def cumulative_gain(run: JudgedRun, *, gain: Gain = "linear", cutoff: MaybeCutoff = None) -> Scores:
    """Return the sum of the gains of the documents that the user looks at.

    Returns
    -------
    Scores
        Shape (T,).

    Notes
    -----
    Unjudged and unjudgeable documents have no gain.

    Examples
    --------
    >>> cumulative_gain(JudgedRun.single(ranked=[3, 0, None, 2]), cutoff=10)
    array([5.])
    """
    retrieved = retrieved_gains(run, gain, cutoff)
    return run.sum_by_topic(retrieved.topic, retrieved.gain)


@register_bounds("CG", no_bounds=(GRADE_0_NO_BOUNDS,))
def cumulative_gain_bounds(run: OpenRun, *, gain: Gain, cutoff: int | None) -> Interval:
    """Return the bounds of CG.

    The lower bound is the value if all open documents have gain 0; the upper bound is the value if
    all have the highest gain.
    """
    return Interval(
        *(
            cumulative_gain(run.assign_grade(grade), gain=gain, cutoff=cutoff)
            for grade in (0, best_grade(run, gain))
        )
    )


@register_difference_bounds("CG", no_bounds=(GRADE_0_NO_BOUNDS,))
def cumulative_gain_difference(pair: OpenRunPair, *, gain: Gain, cutoff: int | None) -> Interval:
    """Return the bounds of the difference in CG.

    Documents that both runs retrieved do not affect the difference.
    """
    current = cumulative_gain(pair.a.judged, gain=gain, cutoff=cutoff) - cumulative_gain(
        pair.b.judged, gain=gain, cutoff=cutoff
    )
    max_rank = INFINITE_RANK if cutoff is None else cutoff
    weight_a, weight_b = (
        ((rank > 0) & (rank <= max_rank)).astype(np.float64) for rank in (pair.rank_a, pair.rank_b)
    )
    return linear_difference(pair, current, (weight_a - weight_b) * gain_levels(pair.a, gain)[-1])


@explains("CG")
def explain_cumulative_gain(
    example: ExampleTopic, *, gain: Gain, cutoff: int | None
) -> WorkedExample:
    """Explain CG by the running sum of the gains."""
    ranked_gains = example_gains(example.gains_or_grades(cutoff), gain)
    total, rows = 0.0, []
    for document_gain in ranked_gains:
        total += document_gain
        rows.append((document_gain, total))
    sum_text = f"CG = {format_sum([format_number(document_gain) for document_gain in ranked_gains if document_gain])} = {format_number(total)}"
    return WorkedExample(
        (
            describe_cutoff(example, cutoff),
            describe_gain(gain, is_of_ratings=example.gains is not None),
            sum_text,
        ),
        total,
        ("gain", "CG"),
        tuple(rows),
        frozenset(rank for rank, document_gain in enumerate(ranked_gains, 1) if document_gain),
    )


@measure(
    "NCG",
    title="Normalised cumulative gain",
    formula="CG / CG of the ideal order of all judged documents (ideal=retrieved: of the retrieved ones), both over ranks 1 to k",
    kind="graded",
    top_heavy=True,
)
def normalised_cumulative_gain(
    run: JudgedRun,
    *,
    gain: Gain = "linear",
    ideal: Ideal = "judged",
    cutoff: MaybeBothCutoff = None,
) -> Scores:
    """Return cumulative gain divided by the highest possible cumulative gain.

    Parameters
    ----------
    ideal
        `judged`: the ideal ranking contains all judged documents, best first; `retrieved`: only the
        retrieved documents.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where the ideal ranking has no gain.

    Notes
    -----
    Unjudged and unjudgeable documents have no gain.

    References
    ----------
    Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 422–446.

    Examples
    --------
    >>> normalised_cumulative_gain(JudgedRun.single(ranked=[1, 0, 2], judged=[2, 1, 0]), cutoff=2).round(4)
    array([0.3333])
    """
    ideal_ranking = best_gains(run, gain, ideal, cutoff)
    return divide(
        cumulative_gain(run, gain=gain, cutoff=cutoff),
        run.sum_by_topic(ideal_ranking.topic, ideal_ranking.gain),
    )


@measure(
    "DCG",
    title="Discounted cumulative gain",
    formula=(
        "Σ of gain / log_base(r + 1) over ranks r ≤ k; gain = grade (gain=exp2: 2^grade − "
        "1; gain=1:3/2:9: as given); discount=jk: gain if r < base, else gain / log_base(r)"
    ),
    bounds=(0, math.inf),
    kind="graded",
    aliases=(Alias("dcg_burges", preset=(("gain", "exp2"),)),),
    top_heavy=True,
)
def discounted_cumulative_gain(
    run: JudgedRun,
    *,
    gain: Gain = "linear",
    discount: Discount = "log2p1",
    base: Base = 2.0,
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return the sum of the gains of the documents that the user looks at, discounted by rank.

    Parameters
    ----------
    base
        Base of the logarithm.

    Returns
    -------
    Scores
        Shape (T,).

    Notes
    -----
    Unjudged and unjudgeable documents have no gain.

    References
    ----------
    Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS
    20(4), 422–446. Burges et al. (2005), Learning to rank using gradient descent, ICML, 89–96:
    gain=exp2 with discount=log2p1.

    Examples
    --------
    >>> discounted_cumulative_gain(JudgedRun.single(ranked=[3, 0, None, 2])).round(4)
    array([3.8614])
    """
    retrieved = retrieved_gains(run, gain, cutoff)
    return run.sum_by_topic(
        retrieved.topic, retrieved.gain / discounts(retrieved.rank, discount, base)
    )


@register_bounds("DCG", no_bounds=(GRADE_0_NO_BOUNDS,))
def discounted_gain_bounds(
    run: OpenRun, *, gain: Gain, discount: Discount, base: float, cutoff: int | None
) -> Interval:
    """Return the bounds of DCG.

    The lower bound is the value if all open documents have gain 0; the upper bound is the value if
    all have the highest gain.
    """
    return Interval(
        *(
            discounted_cumulative_gain(
                run.assign_grade(grade), gain=gain, discount=discount, base=base, cutoff=cutoff
            )
            for grade in (0, best_grade(run, gain))
        )
    )


@register_difference_bounds("DCG", no_bounds=(GRADE_0_NO_BOUNDS,))
def discounted_gain_difference(
    pair: OpenRunPair, *, gain: Gain, discount: Discount, base: float, cutoff: int | None
) -> Interval:
    """Return the bounds of the difference in DCG.

    Documents that both runs have at the same rank do not affect the difference.
    """
    dcg_a, dcg_b = (
        discounted_cumulative_gain(
            open_run.judged, gain=gain, discount=discount, base=base, cutoff=cutoff
        )
        for open_run in (pair.a, pair.b)
    )
    rank_weights = RankWeights(discount, base, cutoff)
    weight = rank_weights(pair.rank_a) - rank_weights(pair.rank_b)
    return linear_difference(pair, dcg_a - dcg_b, weight * gain_levels(pair.a, gain)[-1])


@explains("DCG")
def explain_discounted_cumulative_gain(
    example: ExampleTopic, *, gain: Gain, discount: Discount, base: float, cutoff: int | None
) -> WorkedExample:
    """Explain DCG by the running sum of the discounted gains."""
    ranked_gains = example_gains(example.gains_or_grades(cutoff), gain)
    sums, sum_text = accumulate_discounted_gains(ranked_gains, discount, base)
    rows = tuple(
        (
            document_gain,
            divisor(rank, discount, base),
            document_gain / divisor(rank, discount, base),
            total,
        )
        for rank, (document_gain, total) in enumerate(zip(ranked_gains, sums, strict=True), 1)
    )
    steps = (
        describe_cutoff(example, cutoff),
        describe_gain(gain, is_of_ratings=example.gains is not None)
        + " "
        + describe_discount(discount, base),
        f"DCG = {sum_text}",
    )
    hits = frozenset(rank for rank, document_gain in enumerate(ranked_gains, 1) if document_gain)
    return WorkedExample(
        steps, sums[-1] if sums else 0.0, ("gain", Message("divisor"), "term", "DCG"), rows, hits
    )


@measure(
    "IDCG",
    title="Ideal discounted cumulative gain",
    better="neither",
    formula="DCG of the ideal order of all judged documents (ideal=retrieved: of the retrieved ones), over ranks 1 to k",
    bounds=(0, math.inf),
    kind="graded",
)
def ideal_discounted_cumulative_gain(
    run: JudgedRun,
    *,
    gain: Gain = "linear",
    discount: Discount = "log2p1",
    base: Base = 2.0,
    ideal: Ideal = "judged",
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return the highest DCG of any order of the documents.

    Parameters
    ----------
    gain, discount, base
        This parameter has the same meaning as in DCG.
    cutoff
        Uses ranks 1 to `cutoff` of the ideal ranking; without a cutoff, all ranks.

    Returns
    -------
    Scores
        Shape (T,); 0 where no document has gain.

    Notes
    -----
    Unjudged and unjudgeable documents have no gain. The order of the ranking does not matter, so
    ties do not matter either.

    References
    ----------
    Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 422–446.

    Examples
    --------
    >>> ideal_discounted_cumulative_gain(JudgedRun.single(ranked=[0, 3], judged=[3, 3, 2, 0]), cutoff=2).round(4)
    array([4.8928])
    """
    ideal_ranking = best_gains(run, gain, ideal, cutoff)
    return run.sum_by_topic(
        ideal_ranking.topic, ideal_ranking.gain / discounts(ideal_ranking.rank, discount, base)
    )


@explains("IDCG")
def explain_ideal_discounted_cumulative_gain(
    example: ExampleTopic,
    *,
    gain: Gain,
    discount: Discount,
    base: float,
    ideal: Ideal,
    cutoff: int | None,
) -> WorkedExample:
    """Explain IDCG: the DCG of the best order of the documents."""
    ideal_ranking_gains, ideal_step = explain_ideal_gains(example, gain, ideal, cutoff)
    sums, sum_text = accumulate_discounted_gains(ideal_ranking_gains, discount, base)
    steps = (
        describe_gain(gain, is_of_ratings=example.gains is not None)
        + " "
        + describe_discount(discount, base),
        ideal_step,
        f"IDCG = {sum_text}",
    )
    hits = frozenset(
        rank
        for rank, document_gain in enumerate(example_gains(example.gains_or_grades(), gain), 1)
        if document_gain
    )
    return WorkedExample(steps, sums[-1] if sums else 0.0, hits=hits)


def _compute_dcg_and_ideal(
    run: JudgedRun,
    *,
    gain: Gain,
    discount: Discount,
    base: float,
    ideal: Ideal,
    cutoff: int | None,
    mean: Mean = "topics",
) -> tuple[Scores, Scores]:
    del mean
    dcg = discounted_cumulative_gain(run, gain=gain, discount=discount, base=base, cutoff=cutoff)
    return dcg, ideal_discounted_cumulative_gain(
        run, gain=gain, discount=discount, base=base, ideal=ideal, cutoff=cutoff
    )


@measure(
    "nDCG",
    title="Normalised discounted cumulative gain",
    formula="DCG / DCG of the ideal order of all judged documents (ideal=retrieved: of the retrieved ones), both over ranks 1 to k",
    kind="graded",
    # trec_eval's ndcg.1=3,2=9 sets gains; its ndcg_cut.5,10 sets cutoffs.
    aliases=(
        Alias("nDCG", suffix="gain"),
        Alias("ndcg_cut", bare="." + TREC_CUTOFFS),
        Alias("ndcg_burges", preset=(("gain", "exp2"),)),
    ),
    top_heavy=True,
    ratio=MicroAverage(_compute_dcg_and_ideal),
)
def normalised_discounted_cumulative_gain(
    run: JudgedRun,
    *,
    gain: Gain = "linear",
    discount: Discount = "log2p1",
    base: Base = 2.0,
    ideal: Ideal = "judged",
    mean: Mean = "topics",
    cutoff: MaybeBothCutoff = None,
) -> Scores:
    """Return DCG divided by the highest possible DCG.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where the ideal ranking has no gain.

    Notes
    -----
    Unjudged and unjudgeable documents have no gain.

    References
    ----------
    Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 422–446.

    Examples
    --------
    >>> normalised_discounted_cumulative_gain(JudgedRun.single(ranked=[1, 0, 2], judged=[2, 1, 0])).round(4)
    array([0.7602])
    """
    return divide(
        *_compute_dcg_and_ideal(
            run, gain=gain, discount=discount, base=base, ideal=ideal, cutoff=cutoff, mean=mean
        )
    )


@register_bounds("nDCG", no_bounds=(GRADE_0_NO_BOUNDS, RATIO_NO_BOUNDS))
def normalised_gain_bounds(
    run: OpenRun,
    *,
    gain: Gain,
    discount: Discount,
    base: float,
    ideal: Ideal,
    mean: Mean,
    cutoff: int | None,
) -> Interval:
    """Return the bounds of nDCG over all possible grades of open documents.

    For the highest value, the best grades are assigned to the highest-ranked open documents. For
    the lowest value, they are assigned to the lowest-ranked open documents, and all unretrieved
    open documents have the best grade.
    """
    del mean
    levels, rank_weights = gain_levels(run, gain), RankWeights(discount, base, cutoff)
    judged_run, count = run.judged, len(run.judged)
    top_run = run.upto(cutoff, 0)
    # with ideal=retrieved, the ideal ranking does not depend on unretrieved documents
    unretrieved_counts = (
        judged_run.count_by_topic(run.topic) - judged_run.count_by_topic(top_run.topic)
        if ideal == "retrieved"
        else top_run.unretrieved_open
    )
    hits_by_topic = [
        (judged_run.hit_rank[rows], gains(judged_run.hit_grade[rows], gain))
        for rows in iter_topic_rows(judged_run.hit_topic, count)
    ]
    low, high = np.zeros(count), np.zeros(count)
    topics = zip(
        hits_by_topic,
        iter_topic_rows(judged_run.judged_topic, count),
        iter_topic_rows(top_run.topic, count),
        strict=True,
    )
    for topic, ((rank, hit_gains), judged_rows, open_rows) in enumerate(topics):
        ideal_gains = (
            hit_gains
            if ideal == "retrieved"
            else gains(judged_run.judged_grades[judged_rows], gain)
        )
        problem = GainRatioProblem(
            levels,
            weight_by_level(levels, hit_gains, rank_weights(rank)),
            count_by_level(levels, ideal_gains),
            rank_weights,
        )
        weight = np.sort(rank_weights(top_run.rank[open_rows]))
        high[topic] = problem.maximise(weight[::-1])
        low[topic] = 0.0 - problem.negate().maximise(
            -weight, ideal_only=float(unretrieved_counts[topic])
        )
    return Interval(low, high)


@register_difference_bounds(
    "nDCG", no_bounds=(GRADE_0_NO_BOUNDS, RETRIEVED_IDEAL_NO_BOUNDS, RATIO_NO_BOUNDS)
)
def normalised_gain_difference(
    pair: OpenRunPair,
    *,
    gain: Gain,
    discount: Discount,
    base: float,
    ideal: Ideal,
    mean: Mean,
    cutoff: int | None,
) -> Interval:
    """Return the bounds of the difference in nDCG.

    Both runs have the same ideal ranking. At each bound, the best grades are therefore assigned to
    the open documents whose weight in one run exceeds their weight in the other run by the most.
    """
    del ideal, mean
    levels, rank_weights = gain_levels(pair.a, gain), RankWeights(discount, base, cutoff)
    count, judged_run = len(pair), pair.a.judged
    weight = rank_weights(pair.rank_a) - rank_weights(pair.rank_b)
    low, high = np.zeros(count), np.zeros(count)
    weights_a, weights_b = (
        weight_by_topic_and_level(open_run.judged, levels, gain, rank_weights)
        for open_run in (pair.a, pair.b)
    )
    for topic, (judged_rows, open_rows) in enumerate(
        zip(
            iter_topic_rows(judged_run.judged_topic, count),
            iter_topic_rows(pair.topic, count),
            strict=True,
        )
    ):
        judged_counts = count_by_level(levels, gains(judged_run.judged_grades[judged_rows], gain))
        problem = GainRatioProblem(
            levels, weights_a[topic] - weights_b[topic], judged_counts, rank_weights
        )
        open_weights = weight[open_rows]
        high[topic] = problem.maximise_with_others(
            open_weights, float(pair.unretrieved_open[topic])
        )
        low[topic] = 0.0 - problem.negate().maximise_with_others(
            -open_weights, float(pair.unretrieved_open[topic])
        )
    return Interval(low, high)


@explains("nDCG")
def explain_normalised_discounted_cumulative_gain(
    example: ExampleTopic,
    *,
    gain: Gain,
    discount: Discount,
    base: float,
    ideal: Ideal,
    mean: Mean,
    cutoff: int | None,
) -> WorkedExample:
    """Explain nDCG: DCG divided by the highest possible DCG."""
    del mean
    ranked_gains = example_gains(example.gains_or_grades(cutoff), gain)
    sums, sum_text = accumulate_discounted_gains(ranked_gains, discount, base)
    ideal_ranking_gains, ideal_step = explain_ideal_gains(example, gain, ideal, cutoff)
    ideal_sums, ideal_sum_text = accumulate_discounted_gains(ideal_ranking_gains, discount, base)
    step, value = format_quotient(
        "nDCG = DCG / IDCG", sums[-1] if sums else 0, ideal_sums[-1] if ideal_sums else 0, "IDCG"
    )
    rows = tuple(
        (
            document_gain,
            divisor(rank, discount, base),
            total,
            ideal_sums[min(rank, len(ideal_sums)) - 1] if ideal_sums else 0.0,
        )
        for rank, (document_gain, total) in enumerate(zip(ranked_gains, sums, strict=True), 1)
    )
    steps = (
        describe_cutoff(example, cutoff),
        describe_gain(gain, is_of_ratings=example.gains is not None)
        + " "
        + describe_discount(discount, base),
        f"DCG = {sum_text}",
        ideal_step,
        f"IDCG = {ideal_sum_text}",
        step,
    )
    hits = frozenset(rank for rank, document_gain in enumerate(ranked_gains, 1) if document_gain)
    return WorkedExample(steps, value, ("gain", Message("divisor"), "DCG", "IDCG"), rows, hits)


def _compute_gains(sheet_data: WorksheetData) -> Floats:
    return gains(
        np.array([max(0, gain_or_grade or 0) for gain_or_grade in sheet_data.gains_or_grades]),
        sheet_data.gain,
    )


def _compute_divisors(sheet_data: WorksheetData) -> Floats:
    return discounts(np.arange(1, len(sheet_data.grades) + 1), "log2p1", 2.0)


def _compute_terms(sheet_data: WorksheetData) -> Floats:
    return (_compute_gains(sheet_data) / _compute_divisors(sheet_data))[: sheet_data.retrieved]


def _sort_gains(sheet_data: WorksheetData) -> Floats:
    return np.sort(_compute_gains(sheet_data))[::-1]


def _compute_best_sums(sheet_data: WorksheetData) -> Floats:
    return np.cumsum(_sort_gains(sheet_data) / _compute_divisors(sheet_data))


DCG_AT_K = 'SUMIFS({Term of DCG:area},{Rank:area},"<="&{k})'
BEST_AT_K = "INDEX({IDCG@r:area},MIN({k},COUNT({Ideal rank:area})))"
BEST_FORMULA = "INDEX({IDCG@r:area},COUNT({Ideal rank:area}))"
GAIN_FORMULA = (
    '=IF(ISNUMBER({Rating}{row}),IF({gain}="exp2",2^MAX(0,{Rating}{row})-1,MAX(0,{Rating}{row})),0)'
)
CUMULATIVE_GAIN_SHEET = SheetPart(
    columns=(
        SheetColumn("Gain", 9, GAIN_FORMULA, _compute_gains, decimals=False),
        SheetColumn(
            "Divided by",
            12,
            "=LOG({Rank}{row}+1,2)",
            lambda sheet_data: _compute_divisors(sheet_data)[: sheet_data.retrieved],
        ),
        SheetColumn("Term of DCG", 13, "={Gain}{row}/{Divided by}{row}", _compute_terms),
        SheetColumn(
            "DCG@r",
            10,
            "=N({DCG@r}{above})+{Term of DCG}{row}",
            lambda sheet_data: np.cumsum(_compute_terms(sheet_data)),
        ),
        SheetColumn(
            "Ideal rank",
            12,
            "",
            lambda sheet_data: list(range(1, len(sheet_data.grades) + 1)),
            decimals=False,
        ),
        SheetColumn(
            "Ideal gain",
            12,
            "=LARGE({Gain:area},{Ideal rank}{row})",
            _sort_gains,
            decimals=False,
        ),
        SheetColumn(
            "IDCG@r",
            10,
            "=N({IDCG@r}{above})+{Ideal gain}{row}/LOG({Ideal rank}{row}+1,2)",
            _compute_best_sums,
        ),
        SheetColumn(
            "nDCG@r",
            10,
            "=IF({IDCG@r}{row}=0,0,{DCG@r}{row}/{IDCG@r}{row})",
            lambda sheet_data: divide(
                np.cumsum(_compute_terms(sheet_data)),
                _compute_best_sums(sheet_data)[: sheet_data.retrieved],
            ),
        ),
    ),
    results=(
        SheetResult("DCG@k", f"={DCG_AT_K}", "DCG(gain={gain})@{cutoff}"),
        SheetResult(
            "nDCG@k", f"=IF({BEST_AT_K}=0,0,{DCG_AT_K}/{BEST_AT_K})", "nDCG(gain={gain})@{cutoff}"
        ),
        SheetResult("DCG", "=SUM({Term of DCG:area})", "DCG(gain={gain})"),
        SheetResult(
            "nDCG",
            f"=IF({BEST_FORMULA}=0,0,SUM({{Term of DCG:area}})/{BEST_FORMULA})",
            "nDCG(gain={gain})",
        ),
    ),
)
