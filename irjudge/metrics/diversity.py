"""Diversity and novelty: alpha-nDCG, intent-aware measures, subtopic recall, D#-nDCG."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.message import Message
from irjudge.metrics.cumulative_gain import (
    Gain,
    Gains,
    describe_gain,
    gains,
    ideal_gains,
    retrieved_gains,
)
from irjudge.metrics.judged import Floats, Ints, JudgedRun, Longs, Scores, divide, rank_in_topic
from irjudge.metrics.registry import Alias as OtherName
from irjudge.metrics.registry import (
    BothCutoff,
    Cutoff,
    Exemption,
    GainMap,
    MaybeCutoff,
    Range,
    Rel,
    SubtopicRel,
    TopCutoff,
    format_value,
    measure,
)
from irjudge.metrics.worked_example import (
    Cell,
    ExampleTopic,
    WorkedExample,
    describe_cutoff,
    describe_relevance,
    explains,
    format_number,
    format_quotient,
    format_sum,
)

# Shared by several diversity measures: the subtopics that a ranking covers, and the greedy ideal
# ranking

WithSubtopics: TypeAlias = Annotated[
    JudgedRun, "T topics, with subtopics; without them each topic is one subtopic."
]
Alpha: TypeAlias = Annotated[
    float, Range(0, 1), "Probability that a relevant document satisfies the user."
]
COLUMNS = ("subtopics", "gain", "sum")
# upper bound of normalised values, which divide a ranking's total gain by that of the greedy ideal
# ranking: at every rank, the greedy ranking has at least 1 − 1/e of the highest possible total gain
GREEDY_IDEAL_BOUND = math.e / (math.e - 1)


@dataclass(frozen=True, slots=True, eq=False)
class SubtopicHits:
    """Relevant subtopics of ranked documents: a row for each document and relevant subtopic.

    The rows are sorted by topic and rank. The arrays have shape (F,).
    """

    topic: Ints  # index of the topic in `JudgedRun.topics`
    rank: Ints  # rank of the document, from 1
    subtopic: Ints  # subtopic code
    grade: Ints  # grade of the document for the subtopic
    # number of documents at this rank or above that are relevant for the subtopic, from 1
    occurrence: Longs


def subtopic_hits(run: JudgedRun, rel: int, cutoff: int | None) -> SubtopicHits:
    """Return the relevant subtopics of documents at ranks 1 to `cutoff`.

    >>> subtopic_hits(JudgedRun.single(ranked=[1, 0, 1]), 1, None).occurrence
    array([1, 2])
    """
    return run.get_or_compute(
        ("covered", rel, cutoff), lambda: _find_subtopic_hits(run, rel, cutoff)
    )


def _find_subtopic_hits(run: JudgedRun, rel: int, cutoff: int | None) -> SubtopicHits:
    if (subtopics := run.subtopics) is None:
        hits = run.relevant_hits(rel, cutoff)
        return SubtopicHits(
            hits.topic, hits.rank, np.zeros_like(hits.rank), hits.grade, hits.nth_in_topic
        )
    is_selected = subtopics.retrieved_grade >= rel
    if cutoff is not None:
        is_selected &= subtopics.retrieved_rank <= cutoff
    topic, rank, subtopic, grade = (
        column[is_selected]
        for column in (
            subtopics.retrieved_topic,
            subtopics.retrieved_rank,
            subtopics.retrieved_subtopic,
            subtopics.retrieved_grade,
        )
    )
    order = np.lexsort((rank, subtopic, topic))
    pair_number = number_pairs(topic[order], subtopic[order])
    occurrence = np.empty(len(order), dtype=np.int64)
    occurrence[order] = rank_in_topic(pair_number, int(pair_number.max(initial=-1)) + 1)
    return SubtopicHits(topic, rank, subtopic, grade, occurrence)


def number_pairs(topic: Ints, second: Ints) -> Ints:
    """Assign the numbers 0, 1, 2 … to the distinct pairs; return the number of each row's pair.

    The rows must be sorted by both columns.
    """
    is_new_pair = np.ones(len(topic), dtype=bool)
    is_new_pair[1:] = (topic[1:] != topic[:-1]) | (second[1:] != second[:-1])
    return (np.cumsum(is_new_pair) - 1).astype(np.int32)


def count_subtopics(run: JudgedRun, rel: int) -> Longs:
    """Return the number of subtopics with a relevant document, shape (T,)."""
    if run.subtopics is None:
        return np.minimum(run.n_relevant(rel), 1)
    return run.count_by_topic((count_relevant_by_subtopic(run, rel)[0] >> 32).astype(np.int32))


def count_relevant_by_subtopic(run: JudgedRun, rel: int) -> tuple[Longs, Longs]:
    """Return the subtopics with a relevant document, and how many such documents each has.

    A subtopic is represented by the code topic << 32 | subtopic; codes are in ascending order.
    """
    if (subtopics := run.subtopics) is None:
        counts = run.n_relevant(rel)
        return np.flatnonzero(counts).astype(np.int64) << 32, counts[counts > 0]
    relevant = subtopics.grade >= rel
    keys, counts = np.unique(
        subtopics.topic[relevant].astype(np.int64) << 32 | subtopics.subtopic[relevant],
        return_counts=True,
    )
    return keys, counts.astype(np.int64)


def greedy_ideal(run: JudgedRun, alpha: float, rel: int, cutoff: int | None) -> Gains:
    """Return the gains of the greedy ideal ranking at ranks 1 to `cutoff`.

    At each rank, this ranking has the document that adds the highest gain. A subtopic has gain 1,
    multiplied by 1 − alpha for each earlier occurrence. If documents have equal gain, the first in
    `subtopics` is used, which is the last by id, as in TREC's ndeval.

    >>> greedy_ideal(JudgedRun.single(ranked=[], judged=[1, 0, 1]), 0.5, 1, None).gain
    array([1. , 0.5])
    """
    return run.get_or_compute(
        ("greedy ideal", alpha, rel, cutoff), lambda: _compute_greedy_ideal(run, alpha, rel, cutoff)
    )


def _compute_greedy_ideal(run: JudgedRun, alpha: float, rel: int, cutoff: int | None) -> Gains:
    if (subtopics := run.subtopics) is None:
        selected = (
            run.judged_grades >= rel
            if cutoff is None
            else (run.judged_grades >= rel) & (run.judged_position <= cutoff)
        )
        position = run.judged_position[selected]
        return Gains(
            run.judged_topic[selected],
            position.astype(np.int32),
            np.power(1 - alpha, position - 1.0),
        )
    relevant = subtopics.grade >= rel
    topic, subtopic = subtopics.topic[relevant], subtopics.subtopic[relevant]
    document = number_pairs(topic, subtopics.document[relevant])
    order = np.lexsort((subtopic, topic))
    pair_number = np.empty(len(order), dtype=np.int32)
    pair_number[order] = number_pairs(topic[order], subtopic[order])
    document_topic = topic[np.flatnonzero(np.append(True, np.diff(document) > 0)[: len(document)])]
    max_documents = int(np.bincount(document_topic, minlength=1).max())
    subtopic_gain, is_unranked = np.ones(len(order)), np.ones(len(document_topic), dtype=bool)
    gains_by_rank: list[tuple[Ints, Ints, Floats]] = []
    for rank in range(1, max_documents + 1 if cutoff is None else min(cutoff, max_documents) + 1):
        gains = np.bincount(
            document, weights=subtopic_gain[pair_number], minlength=len(document_topic)
        ).astype(np.float64, copy=False)
        best_documents, gain = _find_best_remaining(gains, is_unranked, document_topic)
        gains_by_rank.append(
            (
                document_topic[best_documents],
                np.full(len(best_documents), rank, dtype=np.int32),
                gain,
            )
        )
        is_new = np.zeros(len(document_topic), dtype=bool)
        is_new[best_documents] = True
        is_unranked &= ~is_new
        subtopic_gain[pair_number[is_new[document]]] *= 1 - alpha
    empty_columns = (np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros(0))
    return Gains(
        *(np.concatenate(column) for column in zip(empty_columns, *gains_by_rank, strict=True))
    )


def _find_best_remaining(
    gain: Floats, is_unranked: npt.NDArray[np.bool_], topic: Ints
) -> tuple[Longs, Floats]:
    """Return, for each topic, the first unranked document with the highest gain, and this gain.

    Topics without unranked documents are omitted.
    """
    documents = np.flatnonzero(is_unranked)
    starts = np.flatnonzero(np.append(True, np.diff(topic[documents]) > 0))
    highest_gain = np.maximum.reduceat(gain[documents], starts)
    is_best = gain[documents] == np.repeat(highest_gain, np.diff(np.append(starts, len(documents))))
    candidates = documents[is_best]
    return candidates[np.append(True, np.diff(topic[candidates]) > 0)], highest_gain


# Worked examples


@dataclass(frozen=True, slots=True)
class RankedSubtopics:
    """Ranked document of a worked example, with the subtopics for which it is relevant.

    The tuples have one entry for each of these subtopics; they are empty if there are none.
    """

    rank: int
    subtopics: tuple[str, ...]  # names of the subtopics
    earlier_counts: tuple[int, ...]  # numbers of earlier documents relevant for the same subtopic
    grades: tuple[int, ...]  # grades of the document for the subtopics


def list_ranked_subtopics(
    example: ExampleTopic, rel: int, cutoff: int | None
) -> list[RankedSubtopics]:
    """Return all documents at ranks 1 to `cutoff`, relevant or not, with their subtopics."""
    hits = subtopic_hits(example.judged_run, rel, cutoff)
    rows: dict[int, list[tuple[str, int, int]]] = {
        rank: [] for rank in range(1, len(example.top_grades(cutoff)) + 1)
    }
    occurrences: Counter[int] = Counter()
    for rank, subtopic, grade in zip(
        hits.rank.tolist(), hits.subtopic.tolist(), hits.grade.tolist(), strict=True
    ):
        rows[rank].append((get_subtopic_name(example, subtopic), occurrences[subtopic], grade))
        occurrences[subtopic] += 1
    return [
        RankedSubtopics(
            rank,
            tuple(name for name, _, _ in row),
            tuple(earlier_count for _, earlier_count, _ in row),
            tuple(grade for *_, grade in row),
        )
        for rank, row in rows.items()
    ]


def get_subtopic_name(example: ExampleTopic, code: int) -> str:
    """Return the name of a subtopic, or the id of the topic if there are no subtopics.

    A subtopic without a name is represented by its code.
    """
    subtopics = example.judged_run.subtopics
    if subtopics and subtopics.names:
        return subtopics.names[code]
    if subtopics is None:
        return example.topic
    return str(code)


def list_subtopic_names(example: ExampleTopic, rel: int) -> list[str]:
    """Return the names of the subtopics with a relevant document."""
    return [
        get_subtopic_name(example, int(key & 0xFFFFFFFF))
        for key in count_relevant_by_subtopic(example.judged_run, rel)[0]
    ]


def list_introductory_steps(example: ExampleTopic, rel: int, cutoff: int | None) -> tuple[str, ...]:
    """Return the first steps of a worked example: relevance, the cutoff and the subtopics."""
    names = list_subtopic_names(example, rel)
    return (
        describe_relevance(rel),
        describe_cutoff(example, cutoff),
        Message(
            "Subtopics with a relevant document (N = {count}): {names}.",
            count=len(names),
            names=", ".join(names) or "-",
        ),
    )


def to_subtopic_cell(document: RankedSubtopics) -> Cell:
    """Return the relevant subtopics of a document as a table cell; None if there are none."""
    return " ".join(document.subtopics) or None


def describe_ideal_gains(ideal: Gains) -> str:
    """Return the step of a worked example with the gains of the greedy ideal ranking."""
    gains_text = ", ".join(map(format_number, ideal.gain[:12].tolist())) + (
        " …" if len(ideal.gain) > 12 else ""
    )
    return Message("Gains in the greedy ideal ranking: {gains}.", gains=gains_text or "-")


def explain_sum(
    example: ExampleTopic,
    alpha: float,
    rel: int,
    cutoff: int | None,
    weight: Callable[[int], float],
    weight_formula: str,
) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...], float, frozenset[int]]:
    """Explain a sum of weighted gains; return its steps, rows, value and contributing ranks."""
    total, rows, terms, hits = 0.0, [], [], set()
    for document in list_ranked_subtopics(example, rel, cutoff):
        gain = sum((1 - alpha) ** earlier_count for earlier_count in document.earlier_counts)
        total += gain * weight(document.rank)
        rows.append((to_subtopic_cell(document), gain, total))
        if document.subtopics:
            hits.add(document.rank)
            terms.append(f"{format_number(gain)}·{format_number(weight(document.rank))}")
    steps = (
        *list_introductory_steps(example, rel, cutoff),
        Message(
            "After n documents on a subtopic, the weight of the subtopic is {base}^n.",
            base=format_value(1 - alpha),
        ),
        Message(
            "Sum of gain · {weight}: {terms} = {number}",
            weight=weight_formula,
            terms=format_sum(terms),
            number=format_number(total),
        ),
    )
    return steps, tuple(rows), total, frozenset(hits)


def explain_normalised(
    example: ExampleTopic,
    name: str,
    alpha: float,
    rel: int,
    cutoff: int | None,
    weight: Callable[[int], float],
    weight_formula: str,
) -> WorkedExample:
    """Return the worked example of a sum of weighted gains that is divided by the ideal sum.

    The ideal sum is that of the greedy ideal ranking; see `explain_sum`.
    """
    steps, rows, total, hits = explain_sum(example, alpha, rel, cutoff, weight, weight_formula)
    ideal = greedy_ideal(example.judged_run, alpha, rel, cutoff)
    ideal_sum = sum(
        gain * weight(rank)
        for gain, rank in zip(ideal.gain.tolist(), ideal.rank.tolist(), strict=True)
    )
    step, value = format_quotient(name, total, ideal_sum, Message("the sum for the ideal ranking"))
    return WorkedExample(
        (
            *steps,
            describe_ideal_gains(ideal),
            Message("Sum: {number}", number=format_number(ideal_sum)),
            step,
        ),
        value,
        COLUMNS,
        rows,
        hits,
    )


# Diversity and novelty: coverage of the possible meanings of a topic, and redundancy

Norm: TypeAlias = Literal["none", "most"]
Novelty: TypeAlias = Annotated[
    float,
    Range(0, 1),
    (
        "Discount of a subtopic each time it is seen again: 0 ignores novelty, and 1 counts "
        "each subtopic once."
    ),
]


@measure(
    "alpha-nDCG",
    title="Alpha-nDCG",
    formula=(
        "Σ over ranks r ≤ k of Σ over the subtopics to which the document at rank r is "
        "relevant of (1 − alpha)^c / log2(r + 1), where c is the number of documents above "
        "rank r that are relevant to the subtopic; divided by the same sum for the greedy "
        "ideal ranking"
    ),
    bounds=(0, GREEDY_IDEAL_BOUND),
    kind="graded",
    aliases=("αnDCG", "α-nDCG", "alpha_nDCG", "α_nDCG"),
    top_heavy=True,
    needs=("subtopics",),
)
def alpha_ndcg(
    run: WithSubtopics, *, alpha: Novelty = 0.5, rel: SubtopicRel = 1, cutoff: BothCutoff
) -> Scores:
    """Return the normalised discounted gain of a ranking in which a subtopic is worth less each
    time it reappears.

    Returns
    -------
    Scores
        Shape (T,); 0 where no document is relevant for any subtopic.

    Notes
    -----
    The ideal ranking is greedy: at each rank, it takes the document with the highest gain, and
    among ties the one with the last id, as in TREC's ndeval. The best ranking may differ, so a
    value may exceed 1, but not e / (e − 1) = 1.58. Unjudged documents count as not relevant.

    References
    ----------
    Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon (2008), Novelty and diversity
    in information retrieval evaluation, SIGIR, 659–666.

    Examples
    --------
    >>> alpha_ndcg(JudgedRun.single(ranked=[1, 0, 1]), cutoff=3).round(4)
    array([0.9502])
    """
    hits, ideal = subtopic_hits(run, rel, cutoff), greedy_ideal(run, alpha, rel, cutoff)
    ideal_sum = run.sum_by_topic(ideal.topic, ideal.gain / np.log2(ideal.rank + 1.0))
    return divide(run.sum_by_topic(hits.topic, _compute_discounted_gain(hits, alpha)), ideal_sum)


@explains("alpha-nDCG")
def explain_alpha_ndcg(
    example: ExampleTopic, *, alpha: float, rel: int, cutoff: int
) -> WorkedExample:
    """Explain alpha-nDCG: discounted gains, divided by those of the greedy ideal ranking."""
    return explain_normalised(
        example,
        "alpha-nDCG",
        alpha,
        rel,
        cutoff,
        lambda rank: 1 / math.log2(rank + 1),
        "1/log2(r + 1)",
    )


@measure(
    "alpha-DCG",
    title="Alpha-DCG",
    formula=(
        "Σ over ranks r ≤ k of Σ over the subtopics to which the document at rank r is "
        "relevant of (1 − alpha)^c / log2(r + 1), where c is the number of documents above "
        "rank r that are relevant to the subtopic; norm=most: divided by N · Σ over r = 1 … k "
        "of (1 − alpha)^(r − 1) / log2(r + 1)"
    ),
    bounds=(0, math.inf),
    kind="graded",
    aliases=(
        "αDCG",
        "α-DCG",
        *(OtherName(name, preset=(("norm", "most"),)) for name in ("alpha_DCG", "α_DCG")),
    ),  # ir_measures computes its alpha_DCG with norm=most
    top_heavy=True,
    needs=("subtopics",),
)
def alpha_dcg(
    run: WithSubtopics,
    *,
    alpha: Novelty = 0.5,
    rel: SubtopicRel = 1,
    norm: Norm = "none",
    cutoff: TopCutoff,
) -> Scores:
    """Return the discounted gain of a ranking in which a subtopic is worth less each time it
    reappears.

    Parameters
    ----------
    norm
        `most`: the value is divided by that of a list of k documents that are each relevant to all
        N subtopics; only subtopics with a relevant document are counted.

    Returns
    -------
    Scores
        Shape (T,), 0 or more; 0 where no document is relevant for any subtopic.

    Notes
    -----
    alpha-nDCG is this value divided by that of the greedy ideal ranking. TREC's ndeval prints the
    value with norm=most. Unjudged documents count as not relevant.

    References
    ----------
    Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon (2008), Novelty and diversity
    in information retrieval evaluation, SIGIR, 659–666.

    Examples
    --------
    >>> alpha_dcg(JudgedRun.single(ranked=[1, 0, 1]), cutoff=3)
    array([1.25])
    """
    hits = subtopic_hits(run, rel, cutoff)
    gain_by_topic = run.sum_by_topic(hits.topic, _compute_discounted_gain(hits, alpha))
    return (
        gain_by_topic
        if norm == "none"
        else divide(
            gain_by_topic, count_subtopics(run, rel) * _compute_max_discounted_gain(alpha, cutoff)
        )
    )


@explains("alpha-DCG")
def explain_alpha_dcg(
    example: ExampleTopic, *, alpha: float, rel: int, norm: Norm, cutoff: int
) -> WorkedExample:
    """Explain alpha-DCG: the sum of the discounted gains."""
    steps, rows, total, hits = explain_sum(
        example, alpha, rel, cutoff, lambda rank: 1 / math.log2(rank + 1), "1/log2(r + 1)"
    )
    value = total
    if norm == "most":
        max_value = len(list_subtopic_names(example, rel)) * _compute_max_discounted_gain(
            alpha, cutoff
        )
        step, value = format_quotient(
            "alpha-DCG", total, max_value, Message("N, the number of subtopics")
        )
        steps = (
            *steps,
            Message(
                "A list of {k} documents that are relevant to all N subtopics has the value "
                "{maximum}.",
                k=cutoff,
                maximum=format_number(max_value),
            ),
            step,
        )
    return WorkedExample(steps, value, COLUMNS, rows, hits)


@measure(
    "P-IA",
    title="Intent-aware precision",
    formula=(
        "mean over the subtopics of (number of documents in the top k that are relevant to the "
        "subtopic) / k"
    ),
    aliases=("P_IA", "PIA"),
    top_heavy=True,
    needs=("subtopics",),
)
def intent_aware_precision(run: WithSubtopics, *, rel: SubtopicRel = 1, cutoff: Cutoff) -> Scores:
    """Return the mean precision over users who each want one subtopic.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document is relevant for any subtopic.

    Notes
    -----
    All subtopics with a relevant document are weighted equally. Unjudged documents count as not
    relevant.

    References
    ----------
    Agrawal, Gollapudi, Halverson and Ieong (2009), Diversifying search results, WSDM, 5–14.

    Examples
    --------
    >>> intent_aware_precision(JudgedRun.single(ranked=[0, 1]), cutoff=4)
    array([0.25])
    """
    return divide(
        run.count_by_topic(subtopic_hits(run, rel, cutoff).topic),
        cutoff * count_subtopics(run, rel),
    )


@explains("P-IA")
def explain_intent_aware_precision(
    example: ExampleTopic, *, rel: int, cutoff: int
) -> WorkedExample:
    """Explain P-IA: the precision in the top k for each subtopic, averaged over subtopics."""
    documents, names = (
        list_ranked_subtopics(example, rel, cutoff),
        list_subtopic_names(example, rel),
    )
    total = sum(len(document.subtopics) for document in documents)
    counts = Counter(name for document in documents for name in document.subtopics)
    message = Message(
        "Relevant documents of each subtopic: {counts}.",
        counts=", ".join(f"{name} {counts[name]}" for name in names) or "-",
    )
    step, value = format_quotient(
        Message("P-IA = sum / (k · N)"),
        total,
        cutoff * len(names),
        Message("N, the number of subtopics"),
    )
    sums = accumulate(len(document.subtopics) for document in documents)
    rows = tuple(
        (to_subtopic_cell(document), count) for document, count in zip(documents, sums, strict=True)
    )
    return WorkedExample(
        (*list_introductory_steps(example, rel, cutoff), message, step),
        value,
        ("subtopics", "sum"),
        rows,
        frozenset(document.rank for document in documents if document.subtopics),
    )


@measure(
    "MAP-IA",
    title="Intent-aware average precision",
    formula="mean over the subtopics of average precision: Σ over the ranks r ≤ k of relevant "
    "documents of (number of relevant documents in the top r) / r, divided by the "
    "number of relevant documents; relevant means relevant to the subtopic",
    aliases=("MAP_IA", "MAPIA", "AP-IA", "AP_IA"),
    top_heavy=True,
    needs=("subtopics",),
)
def intent_aware_average_precision(
    run: JudgedRun, *, rel: SubtopicRel = 1, cutoff: MaybeCutoff = None
) -> Scores:
    """Return the mean average precision over users who each want one subtopic.

    Parameters
    ----------
    run
        T topics, with subtopics; without them each topic is one subtopic, and the value is AP.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document is relevant for any subtopic.

    Notes
    -----
    All subtopics with a relevant document are equally probable, as in TREC's ndeval. Unjudged
    documents count as not relevant.

    References
    ----------
    Agrawal, Gollapudi, Halverson and Ieong (2009), Diversifying search results, WSDM, 5–14.

    Examples
    --------
    >>> intent_aware_average_precision(JudgedRun.single(ranked=[0, 1], judged=[1, 1]))
    array([0.25])
    """
    hits = subtopic_hits(run, rel, cutoff)
    keys, counts = count_relevant_by_subtopic(run, rel)
    indices = np.searchsorted(keys, hits.topic.astype(np.int64) << 32 | hits.subtopic)
    return divide(
        run.sum_by_topic(hits.topic, hits.occurrence / hits.rank / counts[indices]),
        count_subtopics(run, rel),
    )


@explains("MAP-IA")
def explain_intent_aware_average_precision(
    example: ExampleTopic, *, rel: int, cutoff: int | None
) -> WorkedExample:
    """Explain MAP-IA: the mean over subtopics of the average precision for each of them."""
    documents, (keys, counts) = (
        list_ranked_subtopics(example, rel, cutoff),
        count_relevant_by_subtopic(example.judged_run, rel),
    )
    ranks: dict[str, list[int]] = {name: [] for name in list_subtopic_names(example, rel)}
    for document in documents:
        for name in document.subtopics:
            ranks[name].append(document.rank)
    steps, values = [], []
    for name, relevant in zip(ranks, counts.tolist(), strict=True):
        values.append(
            sum(relevant_count / rank for relevant_count, rank in enumerate(ranks[name], 1))
            / relevant
        )
        terms = format_sum(
            [f"{relevant_count}/{rank}" for relevant_count, rank in enumerate(ranks[name], 1)]
        )
        steps.append(
            Message(
                "AP of {name} = ({terms}) / {relevant} = {value}",
                name=name,
                terms=terms,
                relevant=relevant,
                value=format_number(values[-1]),
            )
        )
    step, value = format_quotient(
        Message("MAP-IA = sum / N"), sum(values), len(keys), Message("N, the number of subtopics")
    )
    hits = frozenset(document.rank for document in documents if document.subtopics)
    rows = tuple((to_subtopic_cell(document),) for document in documents)
    return WorkedExample(
        (*list_introductory_steps(example, rel, cutoff), *steps, step),
        value,
        ("subtopics",),
        rows,
        hits,
    )


@measure(
    "StRecall",
    title="Subtopic recall",
    formula="subtopics covered by the top k / subtopics with a relevant document",
    aliases=("strec", "subtopic_recall", "I-rec", "I_rec"),
    top_heavy=True,
    needs=("subtopics",),
)
def subtopic_recall(run: WithSubtopics, *, rel: SubtopicRel = 1, cutoff: Cutoff) -> Scores:
    """Return the share of subtopics covered by the top k.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document is relevant for any subtopic.

    Notes
    -----
    Subtopics without a relevant document are ignored. Unjudged documents count as not relevant.

    References
    ----------
    Zhai, Cohen and Lafferty (2003), Beyond independent relevance: methods and evaluation metrics for subtopic retrieval, SIGIR, 10–17.

    Examples
    --------
    >>> subtopic_recall(JudgedRun.single(ranked=[0, 1]), cutoff=1)
    array([0.])
    """
    hits = subtopic_hits(run, rel, cutoff)
    return divide(run.count_by_topic(hits.topic[hits.occurrence == 1]), count_subtopics(run, rel))


@explains("StRecall")
def explain_subtopic_recall(example: ExampleTopic, *, rel: int, cutoff: int) -> WorkedExample:
    """Explain StRecall by the number of subtopics covered at or above each rank."""
    documents = list_ranked_subtopics(example, rel, cutoff)
    new_counts = [
        sum(not earlier_count for earlier_count in document.earlier_counts)
        for document in documents
    ]
    step, value = format_quotient(
        Message("StRecall = found / N"),
        sum(new_counts),
        len(list_subtopic_names(example, rel)),
        Message("N, the number of subtopics"),
    )
    rows = tuple(
        (to_subtopic_cell(document), count)
        for document, count in zip(documents, accumulate(new_counts), strict=True)
    )
    hits = frozenset(
        document.rank for document, count in zip(documents, new_counts, strict=True) if count
    )
    return WorkedExample(
        (*list_introductory_steps(example, rel, cutoff), step),
        value,
        ("subtopics", "found"),
        rows,
        hits,
    )


def _compute_discounted_gain(hits: SubtopicHits, alpha: float) -> Floats:
    discounted_gains: Floats = (1 - alpha) ** (hits.occurrence - 1) / np.log2(hits.rank + 1.0)
    return discounted_gains


def _compute_max_discounted_gain(alpha: float, cutoff: int) -> float:
    """Return the discounted gain of one subtopic if `cutoff` documents are relevant for it."""
    ranks = np.arange(1, cutoff + 1)
    return float(((1 - alpha) ** (ranks - 1.0) / np.log2(ranks + 1.0)).sum())


# Graded diversity: total gain of a document over all intents, and share of intents covered


@measure(
    "D-nDCG",
    title="D-nDCG",
    formula=(
        "Σ over ranks r ≤ k of (Σ over intents of the gain of r) / log2(r + 1), divided by the "
        "same sum for the documents in descending order of this gain"
    ),
    kind="graded",
    aliases=("DnDCG", "D_nDCG"),
    top_heavy=True,
    needs=("subtopics",),
)
def d_ndcg(run: JudgedRun, *, gain: Gain = "linear", cutoff: BothCutoff) -> Scores:
    """Return the nDCG of a ranking in which the gain of a document is the sum of its gains for all
    intents of the topic.

    Parameters
    ----------
    run
        T topics, with subtopics, which are the intents; without them the value is nDCG.
    gain
        Gain of a grade: `linear`, `exp2`, or a mapping.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document has gain.

    Notes
    -----
    All intents are equally probable. Unjudged documents have no gain.

    References
    ----------
    Sakai and Song (2011), Evaluating diversified search results using per-intent graded relevance, SIGIR, 1043–1052.

    Examples
    --------
    >>> d_ndcg(JudgedRun.single(ranked=[1, 0, 3]), cutoff=3).round(4)
    array([0.6885])
    """
    retrieved_dcg = _compute_retrieved_intent_gains(run, gain, cutoff)
    ideal_dcg = _compute_ideal_intent_gains(run, gain, cutoff)
    return divide(
        *(
            run.sum_by_topic(dcg.topic, dcg.gain / np.log2(dcg.rank + 1.0))
            for dcg in (retrieved_dcg, ideal_dcg)
        )
    )


def _compute_retrieved_intent_gains(run: JudgedRun, gain: Gain, cutoff: int) -> Gains:
    """Return the gains of the documents at ranks 1 to `cutoff`, with a row for each intent."""
    if (subtopics := run.subtopics) is None:
        return retrieved_gains(run, gain, cutoff)
    is_selected = (subtopics.retrieved_rank <= cutoff) & (subtopics.retrieved_grade >= 0)
    return Gains(
        subtopics.retrieved_topic[is_selected],
        subtopics.retrieved_rank[is_selected],
        gains(subtopics.retrieved_grade[is_selected], gain),
    )


def _compute_ideal_intent_gains(run: JudgedRun, gain: Gain, cutoff: int) -> Gains:
    """Return each topic's `cutoff` documents with the highest total gains over all intents."""
    if (subtopics := run.subtopics) is None:
        return ideal_gains(run, gain, cutoff)
    return run.get_or_compute(
        ("ideal of intents", gain, cutoff),
        lambda: _compute_total_intent_gains(
            subtopics.topic, subtopics.document, subtopics.grade, gain, cutoff
        ),
    )


def _compute_total_intent_gains(
    topic: Ints, document: Ints, grade: Ints, gain: Gain, cutoff: int
) -> Gains:
    is_judged = grade >= 0
    topic, document, grade = topic[is_judged], document[is_judged], grade[is_judged]
    total = np.bincount(document, weights=gains(grade, gain)).astype(np.float64, copy=False)
    document_topic = np.zeros(len(total), dtype=np.int32)
    document_topic[document] = topic
    order = np.lexsort((-total, document_topic))
    order = order[total[order] > 0]
    rank = rank_in_topic(document_topic[order], int(document_topic.max(initial=0)) + 1)
    is_within_cutoff = rank <= cutoff
    return Gains(
        document_topic[order][is_within_cutoff],
        rank[is_within_cutoff].astype(np.int32),
        total[order][is_within_cutoff],
    )


@explains("D-nDCG")
def explain_d_ndcg(example: ExampleTopic, *, gain: Gain, cutoff: int) -> WorkedExample:
    """Explain D-nDCG: the discounted gains, divided by those of the ideal ranking."""
    rows, terms, total, hits = [], [], 0.0, set()
    intent_gains = _compute_retrieved_intent_gains(example.judged_run, gain, cutoff)
    ranked_subtopics = list_ranked_subtopics(example, 0, cutoff)
    gain_by_rank = np.bincount(
        intent_gains.rank, intent_gains.gain, minlength=len(ranked_subtopics) + 1
    )
    for subtopic in ranked_subtopics:
        document_gain = float(gain_by_rank[subtopic.rank])
        total += document_gain / np.log2(subtopic.rank + 1)
        rows.append((to_subtopic_cell(subtopic), document_gain, total))
        if document_gain:
            hits.add(subtopic.rank)
            terms.append(
                f"{format_number(document_gain)}/{format_number(np.log2(subtopic.rank + 1))}"
            )
    ideal_ranking = _compute_ideal_intent_gains(example.judged_run, gain, cutoff)
    ideal = float((ideal_ranking.gain / np.log2(ideal_ranking.rank + 1.0)).sum())
    steps = (
        describe_gain(gain) + Message(" The gains of a document are summed over its intents."),
        describe_cutoff(example, cutoff),
        Message(
            "Sum of gain / log2(r + 1): {terms} = {number}",
            terms=format_sum(terms),
            number=format_number(total),
        ),
        Message(
            "Sum for the ideal order, with the gains {gains}: {number}",
            gains=", ".join(map(format_number, ideal_ranking.gain[:12].tolist())) or "-",
            number=format_number(ideal),
        ),
    )
    step, value = format_quotient("D-nDCG", total, ideal, Message("the ideal sum"))
    return WorkedExample(
        (*steps, step), value, ("intents", "gain", "sum"), tuple(rows), frozenset(hits)
    )


@measure(
    "D#-nDCG",
    title="D♯-nDCG",
    formula="gamma · (intents found in the top k / intents with a relevant document) + (1 − gamma) · D-nDCG",
    kind="graded",
    aliases=("D♯-nDCG", "D#nDCG", "Dsharp-nDCG", "D_sharp_nDCG"),
    top_heavy=True,
    exemptions=(
        Exemption(
            "top_heavy",
            "with a map a document that finds an intent may gain less",
            when=(("gain", (GainMap,)),),
        ),
    ),
    needs=("subtopics",),
)
def d_sharp_ndcg(
    run: JudgedRun,
    *,
    gamma: Annotated[float, Range(0, 1)] = 0.5,
    gain: Gain = "linear",
    rel: Rel = 1,
    cutoff: TopCutoff,
) -> Scores:
    """Return the mean of intent recall and D-nDCG.

    Parameters
    ----------
    run
        T topics. Their subtopics are the intents; a topic without subtopics has one intent.
    gamma
        Weight of intent recall.
    gain
        Gain of a grade: `linear`, `exp2`, or a mapping.
    rel
        An intent is covered by a document whose grade for that intent is `rel` or more.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document has gain.

    Notes
    -----
    All intents are equally probable; those without a relevant document are ignored. I-rec, the
    share of intents covered, is computed by the measure StRecall. Unjudged documents have no gain.

    References
    ----------
    Sakai and Song (2011), Evaluating diversified search results using per-intent graded relevance, SIGIR, 1043–1052.

    Examples
    --------
    >>> d_sharp_ndcg(JudgedRun.single(ranked=[1, 0, 3]), cutoff=3).round(4)
    array([0.8443])
    """
    return gamma * subtopic_recall(run, rel=rel, cutoff=cutoff) + (1 - gamma) * d_ndcg(
        run, gain=gain, cutoff=cutoff
    )


@explains("D#-nDCG")
def explain_d_sharp_ndcg(
    example: ExampleTopic, *, gamma: float, gain: Gain, rel: int, cutoff: int
) -> WorkedExample:
    """Explain D#-nDCG: the weighted mean of intent recall and D-nDCG."""
    ndcg_example = explain_d_ndcg(example, gain=gain, cutoff=cutoff)
    quotient_step, ndcg = format_quotient(
        "I-rec",
        sum(
            not earlier_count
            for subtopic in list_ranked_subtopics(example, rel, cutoff)
            for earlier_count in subtopic.earlier_counts
        ),
        len(list_subtopic_names(example, rel)),
        Message("the number of intents with a relevant document"),
    )
    value = gamma * ndcg + (1 - gamma) * ndcg_example.result
    weighted_text = f"{format_number(gamma)} · {format_number(ndcg)}"
    weighted_ndcg = f"{format_number(1 - gamma)} · {format_number(ndcg_example.result)}"
    last_step = f"D#-nDCG = {weighted_text} + {weighted_ndcg} = {format_number(value)}"
    return WorkedExample(
        (*ndcg_example.steps, quotient_step, last_step),
        value,
        ndcg_example.columns,
        ndcg_example.rows,
        ndcg_example.hits,
    )
