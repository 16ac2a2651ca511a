"""Diversity and novelty: how much of what a topic may mean is found, and how often the same."""

import math
from collections import Counter
from itertools import accumulate
from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.basis.judged import Floats, JudgedRun, Scores, divide
from irjudge.metrics.basis.working import Board, Working, added, divided, explains, number
from irjudge.metrics.diversity.novelty import (
    COLUMNS,
    HIGHEST_OF_GREEDY,
    Covered,
    WithSubtopics,
    added_up,
    covered,
    documents_seen,
    first_steps,
    greedy_ideal,
    in_words,
    over_ideal,
    relevant_by_subtopic,
    subtopic_names,
    subtopics_of,
)
from irjudge.metrics.naming.parameters import (
    BothCutoff,
    Cutoff,
    MaybeCutoff,
    Range,
    SubtopicRel,
    TopCutoff,
)
from irjudge.metrics.naming.registry import Alias as OtherName
from irjudge.metrics.naming.registry import measure

Norm: TypeAlias = Literal["none", "most"]
Novelty: TypeAlias = Annotated[
    float,
    Range(0, 1),
    "How much less a subtopic is worth each time: 0 lets novelty not matter, 1 counts each subtopic once.",
]


@measure(
    "alpha-nDCG",
    title="Alpha-nDCG",
    formula="Σ over ranks r <= k of Σ over subtopics that r is relevant for of (1 − alpha)^(times seen before) / log2(r + 1), "
    "over that of the greedy ideal ranking",
    bounds=(0, HIGHEST_OF_GREEDY),
    kind="graded",
    aliases=("αnDCG", "α-nDCG", "alpha_nDCG", "α_nDCG"),
    top_heavy=True,
    needs=("subtopics",),
)
def alpha_ndcg(
    judged: WithSubtopics, *, alpha: Novelty = 0.5, rel: SubtopicRel = 1, cutoff: BothCutoff
) -> Scores:
    """Return the discounted gain of a ranking in which a subtopic is worth less each time it is seen again, normalised.

    Returns
    -------
    Scores
        Shape (T,); 0 where no document is relevant for any subtopic.

    Notes
    -----
    The ideal ranking always goes on with the document that gains most, of several the last by id, as TREC's ndeval does. The best
    ranking may differ, so that a value may pass 1; e / (e − 1) = 1.58 it cannot. Unjudged documents are not relevant.

    References
    ----------
    Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon (2008), Novelty and diversity in information retrieval
    evaluation, SIGIR, 659–666.

    Examples
    --------
    >>> alpha_ndcg(JudgedRun.single(ranked=[1, 0, 1]), cutoff=3).round(4)
    array([0.9502])
    """
    found, ideal = covered(judged, rel, cutoff), greedy_ideal(judged, alpha, rel, cutoff)
    best = judged.sum_by_topic(ideal.topic, ideal.gain / np.log2(ideal.rank + 1.0))
    return divide(judged.sum_by_topic(found.topic, _discounted(found, alpha)), best)


@explains("alpha-nDCG")
def alpha_ndcg_working(board: Board, *, alpha: float, rel: int, cutoff: int) -> Working:
    """The discounted gains over those of the greedy ideal ranking."""
    return over_ideal(
        board,
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
    formula="Σ over ranks r <= k of Σ over subtopics that r is relevant for of (1 − alpha)^(times seen before) / log2(r + 1); "
    "norm=most: over N · Σ over r = 1 … k of (1 − alpha)^(r − 1) / log2(r + 1)",
    bounds=(0, math.inf),
    kind="graded",
    aliases=(
        "αDCG",
        "α-DCG",
        *(OtherName(name, preset=(("norm", "most"),)) for name in ("alpha_DCG", "α_DCG")),
    ),  # as ir_measures has it
    top_heavy=True,
    needs=("subtopics",),
)
def alpha_dcg(
    judged: WithSubtopics,
    *,
    alpha: Novelty = 0.5,
    rel: SubtopicRel = 1,
    norm: Norm = "none",
    cutoff: TopCutoff,
) -> Scores:
    """Return the discounted gain of a ranking in which a subtopic is worth less each time it is seen again.

    Parameters
    ----------
    norm
        `most` divides by that of a list of k documents that are relevant for all N subtopics with a relevant document.

    Returns
    -------
    Scores
        Shape (T,), 0 or more; 0 where no document is relevant for any subtopic.

    Notes
    -----
    What alpha-nDCG divides by that of the greedy ideal ranking. TREC's ndeval prints norm=most. Unjudged documents are not relevant.

    References
    ----------
    Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon (2008), Novelty and diversity in information retrieval
    evaluation, SIGIR, 659–666.

    Examples
    --------
    >>> alpha_dcg(JudgedRun.single(ranked=[1, 0, 1]), cutoff=3)
    array([1.25])
    """
    found = covered(judged, rel, cutoff)
    gained = judged.sum_by_topic(found.topic, _discounted(found, alpha))
    return (
        gained
        if norm == "none"
        else divide(gained, subtopics_of(judged, rel) * _most_discounted(alpha, cutoff))
    )


@explains("alpha-DCG")
def alpha_dcg_working(board: Board, *, alpha: float, rel: int, norm: Norm, cutoff: int) -> Working:
    """The discounted gains added up."""
    steps, rows, total, hits = added_up(
        board, alpha, rel, cutoff, lambda rank: 1 / math.log2(rank + 1), "1/log2(r + 1)"
    )
    value = total
    if norm == "most":
        most = len(subtopic_names(board, rel)) * _most_discounted(alpha, cutoff)
        step, value = divided("alpha-DCG", total, most, Message("N, the number of subtopics"))
        steps = (
            *steps,
            Message(
                "A list of {k} documents that are relevant for all N has {most}.",
                k=cutoff,
                most=number(most),
            ),
            step,
        )
    return Working(steps, value, COLUMNS, rows, hits)


@measure(
    "P-IA",
    title="Intent-aware precision",
    formula="mean over the subtopics of (relevant for the subtopic in the top k) / k",
    aliases=("P_IA", "PIA"),
    top_heavy=True,
    needs=("subtopics",),
)
def intent_aware_precision(
    judged: WithSubtopics, *, rel: SubtopicRel = 1, cutoff: Cutoff
) -> Scores:
    """Return the mean of the precisions that users see who each want one of the subtopics.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document is relevant for any subtopic.

    Notes
    -----
    All subtopics with a relevant document count the same. Unjudged documents are not relevant.

    References
    ----------
    Agrawal, Gollapudi, Halverson and Ieong (2009), Diversifying search results, WSDM, 5–14.

    Examples
    --------
    >>> intent_aware_precision(JudgedRun.single(ranked=[0, 1]), cutoff=4)
    array([0.25])
    """
    return divide(
        judged.count_by_topic(covered(judged, rel, cutoff).topic),
        cutoff * subtopics_of(judged, rel),
    )


@explains("P-IA")
def intent_aware_precision_working(board: Board, *, rel: int, cutoff: int) -> Working:
    """Relevant for each subtopic in the top k."""
    documents, names = documents_seen(board, rel, cutoff), subtopic_names(board, rel)
    total = sum(len(each.subtopics) for each in documents)
    counts = Counter(name for each in documents for name in each.subtopics)
    said = Message(
        "Relevant for each subtopic: {counts}.",
        counts=", ".join(f"{name} {counts[name]}" for name in names) or "-",
    )
    step, value = divided(
        "P-IA = sum / (k · N)", total, cutoff * len(names), Message("N, the number of subtopics")
    )
    sums = accumulate(len(each.subtopics) for each in documents)
    rows = tuple((in_words(each), count) for each, count in zip(documents, sums, strict=True))
    hits = frozenset(each.rank for each in documents if each.subtopics)
    return Working(
        (*first_steps(board, rel, cutoff), said, step), value, ("subtopics", "sum"), rows, hits
    )


@measure(
    "MAP-IA",
    title="Intent-aware average precision",
    formula="mean over the subtopics of their average precision: Σ of (relevant for the subtopic so far) / r over its relevant ranks "
    "r <= k, / its relevant documents",
    aliases=("MAP_IA", "MAPIA", "AP-IA", "AP_IA"),
    top_heavy=True,
    needs=("subtopics",),
)
def intent_aware_average_precision(
    judged: JudgedRun, *, rel: SubtopicRel = 1, cutoff: MaybeCutoff = None
) -> Scores:
    """Return the mean of the average precisions that users see who each want one of the subtopics.

    Parameters
    ----------
    judged
        T topics, with subtopics; without them each topic is one subtopic, and the value is AP.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document is relevant for any subtopic.

    Notes
    -----
    All subtopics with a relevant document are equally probable, as in TREC's ndeval. Unjudged documents are not relevant.

    References
    ----------
    Agrawal, Gollapudi, Halverson and Ieong (2009), Diversifying search results, WSDM, 5–14.

    Examples
    --------
    >>> intent_aware_average_precision(JudgedRun.single(ranked=[0, 1], judged=[1, 1]))
    array([0.25])
    """
    found = covered(judged, rel, cutoff)
    keys, counts = relevant_by_subtopic(judged, rel)
    place = np.searchsorted(keys, found.topic.astype(np.int64) << 32 | found.subtopic)
    return divide(
        judged.sum_by_topic(found.topic, found.seen / found.rank / counts[place]),
        subtopics_of(judged, rel),
    )


@explains("MAP-IA")
def intent_aware_average_precision_working(
    board: Board, *, rel: int, cutoff: int | None
) -> Working:
    """The average precision of each subtopic."""
    documents, (keys, counts) = (
        documents_seen(board, rel, cutoff),
        relevant_by_subtopic(board.seen, rel),
    )
    ranks: dict[str, list[int]] = {name: [] for name in subtopic_names(board, rel)}
    for each in documents:
        for name in each.subtopics:
            ranks[name].append(each.rank)
    steps, values = [], []
    for name, relevant in zip(ranks, counts.tolist(), strict=True):
        values.append(sum(nth / rank for nth, rank in enumerate(ranks[name], 1)) / relevant)
        terms = added([f"{nth}/{rank}" for nth, rank in enumerate(ranks[name], 1)])
        steps.append(
            Message(
                "AP of {name} = ({terms}) / {relevant} = {value}",
                name=name,
                terms=terms,
                relevant=relevant,
                value=number(values[-1]),
            )
        )
    step, value = divided(
        "MAP-IA = sum / N", sum(values), len(keys), Message("N, the number of subtopics")
    )
    hits = frozenset(each.rank for each in documents if each.subtopics)
    rows = tuple((in_words(each),) for each in documents)
    return Working(
        (*first_steps(board, rel, cutoff), *steps, step), value, ("subtopics",), rows, hits
    )


@measure(
    "StRecall",
    title="Subtopic recall",
    formula="subtopics that a document in the top k is relevant for / subtopics with a relevant document",
    aliases=("strec", "subtopic_recall", "I-rec", "I_rec"),
    top_heavy=True,
    needs=("subtopics",),
)
def subtopic_recall(judged: WithSubtopics, *, rel: SubtopicRel = 1, cutoff: Cutoff) -> Scores:
    """Return which share of the subtopics is found in the top k.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document is relevant for any subtopic.

    Notes
    -----
    Subtopics without a relevant document do not count. Unjudged documents are not relevant.

    References
    ----------
    Zhai, Cohen and Lafferty (2003), Beyond independent relevance: methods and evaluation metrics for subtopic retrieval, SIGIR, 10–17.

    Examples
    --------
    >>> subtopic_recall(JudgedRun.single(ranked=[0, 1]), cutoff=1)
    array([0.])
    """
    found = covered(judged, rel, cutoff)
    return divide(judged.count_by_topic(found.topic[found.seen == 1]), subtopics_of(judged, rel))


@explains("StRecall")
def subtopic_recall_working(board: Board, *, rel: int, cutoff: int) -> Working:
    """How many subtopics are new at each rank."""
    documents = documents_seen(board, rel, cutoff)
    new = [sum(not times for times in each.before) for each in documents]
    step, value = divided(
        "StRecall = found / N",
        sum(new),
        len(subtopic_names(board, rel)),
        Message("N, the number of subtopics"),
    )
    rows = tuple(
        (in_words(each), found) for each, found in zip(documents, accumulate(new), strict=True)
    )
    hits = frozenset(each.rank for each, count in zip(documents, new, strict=True) if count)
    return Working(
        (*first_steps(board, rel, cutoff), step), value, ("subtopics", "found"), rows, hits
    )


def _discounted(found: Covered, alpha: float) -> Floats:
    gained: Floats = (1 - alpha) ** (found.seen - 1) / np.log2(found.rank + 1.0)
    return gained


def _most_discounted(alpha: float, cutoff: int) -> float:
    """Return what a list has for one subtopic where each document is relevant for it."""
    ranks = np.arange(1, cutoff + 1)
    return float(((1 - alpha) ** (ranks - 1.0) / np.log2(ranks + 1.0)).sum())
