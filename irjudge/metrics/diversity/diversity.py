"""Diversity and novelty: how much of what a topic may mean is found, and how often the same."""

import math
from typing import Annotated, TypeAlias

import numpy as np

from irjudge.metrics.basis.judged import Floats, Ints, JudgedRun, Longs, Scores, divide, place_in_topic
from irjudge.metrics.basis.subtopics import Subtopics
from irjudge.metrics.naming.parameters import Cutoff, Range, Rel
from irjudge.metrics.naming.registry import measure

Alpha: TypeAlias = Annotated[float, Range(0, 1)]

# The greedy ranking covers at least 1 − 1/e of what the best one covers, at every rank.
HIGHEST_ALPHA_NDCG = math.e / (math.e - 1)


@measure(
    "alpha-nDCG",
    title="Alpha-nDCG",
    formula="Σ over ranks r <= k of Σ over subtopics that r is relevant for of (1 − alpha)^(times seen before) / log2(r + 1), "
    "over that of the greedy ideal ranking",
    bounds=(0, HIGHEST_ALPHA_NDCG),
    kind="graded",
    aliases=("αnDCG", "α-nDCG", "alpha_nDCG", "α_nDCG"),
    top_heavy=True,
    needs=("subtopics",),
)
def alpha_ndcg(judged: JudgedRun, *, alpha: Alpha = 0.5, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return the discounted gain of a ranking in which a subtopic is worth less each time it is seen again, normalised.

    Parameters
    ----------
    judged
        T topics, with subtopics; without them each topic is one subtopic.
    alpha
        How much less a subtopic is worth each time: 0 lets novelty not matter, 1 counts each subtopic once.
    rel
        A document is relevant for a subtopic when its grade there is `rel` or more.
    cutoff
        Ranks 1 to `cutoff` of both rankings count.

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
    found = _found(judged, rel, cutoff)
    seen_before = _times_seen(judged, found) - 1
    gained = (1 - alpha) ** seen_before / np.log2(found.found_rank + 1.0)
    ideal = (
        _ideal_of_one(judged, alpha, rel, cutoff)
        if judged.subtopics is None
        else _greedy_ideal(judged.subtopics, judged, alpha, rel, cutoff)
    )
    return divide(judged.sum_by_topic(found.found_topic, gained), ideal)


@measure(
    "ERR-IA",
    title="Intent-aware expected reciprocal rank",
    formula="mean over the subtopics of Σ over relevant ranks r <= k of (1 − alpha)^(times seen before) / r, over the most that any "
    "ranking could have: Σ over r = 1 … k of (1 − alpha)^(r − 1) / r",
    kind="graded",
    aliases=("ERR_IA", "ERRIA"),
    top_heavy=True,
    needs=("subtopics",),
)
def intent_aware_err(judged: JudgedRun, *, alpha: Alpha = 0.5, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return the expected reciprocal rank at which users who each want one of the subtopics are satisfied.

    Parameters
    ----------
    judged
        T topics, with subtopics; without them each topic is one subtopic.
    alpha
        The probability that a relevant document satisfies.
    rel
        A document is relevant for a subtopic when its grade there is `rel` or more.
    cutoff
        Ranks 1 to `cutoff` count.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document is relevant for any subtopic.

    Notes
    -----
    All subtopics with a relevant document are equally probable. As in TREC's ndeval, grades matter through `rel` alone, and the value is
    divided by that of a list of k documents that are relevant for everything. Unjudged documents are not relevant.

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, 621–630.
    Clarke, Craswell, Soboroff and Ashkan (2011), A comparative analysis of cascade measures for novelty and diversity, WSDM, 75–84.

    Examples
    --------
    >>> intent_aware_err(JudgedRun.single(ranked=[0, 1]), cutoff=2)
    array([0.4])
    """
    found = _found(judged, rel, cutoff)
    gained = judged.sum_by_topic(found.found_topic, (1 - alpha) ** (_times_seen(judged, found) - 1) / found.found_rank)
    ranks = np.arange(1, cutoff + 1)
    most = float(((1 - alpha) ** (ranks - 1.0) / ranks).sum())
    return divide(gained, _subtopics(judged, rel) * most)


@measure(
    "P-IA",
    title="Intent-aware precision",
    formula="mean over the subtopics of (relevant for the subtopic in the top k) / k",
    aliases=("P_IA", "PIA"),
    top_heavy=True,
    needs=("subtopics",),
)
def intent_aware_precision(judged: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return the mean of the precisions that users see who each want one of the subtopics.

    Parameters
    ----------
    judged
        T topics, with subtopics; without them each topic is one subtopic.
    rel
        A document is relevant for a subtopic when its grade there is `rel` or more.
    cutoff
        The number of documents looked at, k.

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
    return divide(judged.count_by_topic(_found(judged, rel, cutoff).found_topic), cutoff * _subtopics(judged, rel))


@measure(
    "StRecall",
    title="Subtopic recall",
    formula="subtopics that a document in the top k is relevant for / subtopics with a relevant document",
    aliases=("strec", "subtopic_recall"),
    top_heavy=True,
    needs=("subtopics",),
)
def subtopic_recall(judged: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return which share of the subtopics is found in the top k.

    Parameters
    ----------
    judged
        T topics, with subtopics; without them each topic is one subtopic.
    rel
        A document is relevant for a subtopic when its grade there is `rel` or more.
    cutoff
        The number of documents looked at, k.

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
    found = _found(judged, rel, cutoff)
    return divide(judged.count_by_topic(found.found_topic[_times_seen(judged, found) == 1]), _subtopics(judged, rel))


def _found(judged: JudgedRun, rel: int, cutoff: int) -> Subtopics:
    """Return the rows of retrieved documents that are relevant and stand at ranks 1 to `cutoff`; without subtopics, each topic is one."""
    none = np.zeros(0, dtype=np.int32)
    if (known := judged.subtopics) is None:
        hits = judged.relevant_hits(rel, cutoff)
        return Subtopics(hits.topic, hits.rank, np.zeros_like(hits.rank), hits.grade, none, none, none, none)
    kept = (known.found_grade >= rel) & (known.found_rank <= cutoff)
    topic, rank, subtopic, grade = (each[kept] for each in (known.found_topic, known.found_rank, known.found_subtopic, known.found_grade))
    return Subtopics(topic, rank, subtopic, grade, none, none, none, none)


def _times_seen(judged: JudgedRun, found: Subtopics) -> Longs:
    """Return for each row how often its subtopic was seen up to there: 1 for the first time."""
    if judged.subtopics is None:
        return place_in_topic(found.found_topic, len(judged))
    order = np.lexsort((found.found_rank, found.found_subtopic, found.found_topic))
    slot = _slots(found.found_topic[order], found.found_subtopic[order])
    seen = np.empty(len(order), dtype=np.int64)
    seen[order] = place_in_topic(slot, int(slot.max(initial=-1)) + 1)
    return seen


def _slots(topic: Ints, subtopic: Ints) -> Ints:
    """Return 0, 1, 2 … for the subtopics of the topics, for rows sorted by both."""
    changed = np.ones(len(topic), dtype=bool)
    changed[1:] = (topic[1:] != topic[:-1]) | (subtopic[1:] != subtopic[:-1])
    return (np.cumsum(changed) - 1).astype(np.int32)


def _subtopics(judged: JudgedRun, rel: int) -> Longs:
    """Return how many subtopics of each topic have a relevant document: shape (T,)."""
    if (known := judged.subtopics) is None:
        return np.minimum(judged.n_relevant(rel), 1)
    relevant = known.grade >= rel
    topic, subtopic = known.topic[relevant], known.subtopic[relevant]
    pairs = np.unique(topic.astype(np.int64) << 32 | subtopic) >> 32
    return judged.count_by_topic(pairs.astype(np.int32))


def _ideal_of_one(judged: JudgedRun, alpha: float, rel: int, cutoff: int) -> Scores:
    """Return the discounted gain of the ideal ranking where each topic is its one subtopic: of a document more, a gain more."""
    worth = np.multiply.accumulate(np.append(1.0, np.full(cutoff - 1, 1 - alpha)))
    upto = np.add.accumulate(np.append(0.0, worth / np.log2(np.arange(1, cutoff + 1) + 1)))
    return upto[np.minimum(judged.n_relevant(rel), cutoff)]


def _greedy_ideal(known: Subtopics, judged: JudgedRun, alpha: float, rel: int, cutoff: int) -> Scores:
    """Return the discounted gain of the greedy ideal ranking, one rank of all topics at a time."""
    relevant = known.grade >= rel
    topic, subtopic = known.topic[relevant], known.subtopic[relevant]
    document = _slots(topic, known.document[relevant])
    order = np.lexsort((subtopic, topic))
    slot = np.empty(len(order), dtype=np.int32)
    slot[order] = _slots(topic[order], subtopic[order])
    its_topic = topic[np.flatnonzero(np.append(True, np.diff(document) > 0)[: len(document)])]
    worth, left = np.ones(len(order)), np.ones(len(its_topic), dtype=bool)
    total = np.zeros(len(judged))
    for rank in range(1, cutoff + 1):
        gains = np.bincount(document, weights=worth[slot], minlength=len(its_topic)).astype(np.float64, copy=False)
        best, gain = _best_left(gains, left, its_topic)
        if not len(best):
            break
        total[its_topic[best]] += gain / np.log2(rank + 1)
        taken = np.zeros(len(its_topic), dtype=bool)
        taken[best] = True
        left &= ~taken
        worth[slot[taken[document]]] *= 1 - alpha
    return total


def _best_left(gain: Floats, left: np.ndarray[tuple[int], np.dtype[np.bool_]], topic: Ints) -> tuple[Longs, Floats]:
    """Return the first of the best documents left of each topic that has one, and what it gains."""
    documents = np.flatnonzero(left)
    if not len(documents):
        return documents, np.zeros(0)
    starts = np.flatnonzero(np.append(True, np.diff(topic[documents]) > 0))
    highest = np.maximum.reduceat(gain[documents], starts)
    is_best = gain[documents] == np.repeat(highest, np.diff(np.append(starts, len(documents))))
    candidates = documents[is_best]
    first = np.append(True, np.diff(topic[candidates]) > 0)
    return candidates[first], highest
