"""Joins a run with qrels into what measures see."""

from typing import Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.evaluation.retrieval import retrieved
from irjudge.message import Message
from irjudge.metrics.basis.judged import JudgedRun, Subtopics
from irjudge.model.arrow import values_of
from irjudge.model.order import Ties
from irjudge.model.ranking import Ints, Longs, Qrels, Run, starts_of
from irjudge.model.retrieved import Retrieved
from irjudge.model.topic import chosen_topics


def subtopics_of(qrels: Qrels, chosen: Longs, hit_topic: Ints, hit_rank: Ints, hit_document: Longs) -> Subtopics | None:
    """Return what the qrels say of documents and subtopics; None where column 2 says the same everywhere.

    Parameters
    ----------
    qrels
        What was judged.
    chosen
        Shape (T,): the evaluated topics as codes in the qrels.
    hit_topic, hit_rank, hit_document
        Shape (H,), sorted by topic and rank: the retrieved documents that the qrels name; topic as its place among the evaluated ones,
        document as its code in the qrels.
    """
    if len(qrels.groups) < 2:
        return None
    # Of equally good documents the ideal ranking takes the last by id, as trec_eval and ndeval order ties.
    by_id = values_of(pa.compute.sort_indices(qrels.documents, sort_keys=[("", "descending")])).astype(np.int64)
    place_by_id = np.empty(len(by_id), dtype=np.int64)
    place_by_id[by_id] = np.arange(len(by_id))
    place_of = np.full(len(qrels.topics), -1, dtype=np.int32)
    place_of[chosen] = np.arange(len(chosen), dtype=np.int32)
    topic = place_of[qrels.topic]
    kept = topic >= 0
    pair = topic[kept].astype(np.int64) * max(1, len(by_id)) + place_by_id[qrels.document[kept]]
    subtopic, grade = qrels.group[kept], qrels.grade[kept]
    order = np.lexsort((subtopic, pair))
    pair, subtopic, grade = pair[order], subtopic[order], grade[order]
    code = np.cumsum(np.append(True, np.diff(pair) > 0))[: len(pair)] - 1
    wanted = hit_topic.astype(np.int64) * max(1, len(by_id)) + place_by_id[hit_document]
    first, last = np.searchsorted(pair, wanted, side="left"), np.searchsorted(pair, wanted, side="right")
    hit, row = _spread(first, last)
    return Subtopics(
        hit_topic[hit].astype(np.int32),
        hit_rank[hit].astype(np.int32),
        subtopic[row],
        grade[row],
        (pair // max(1, len(by_id))).astype(np.int32),
        code.astype(np.int32),
        subtopic,
        grade,
        tuple(qrels.groups),
    )


def _spread(first: Longs, last: Longs) -> tuple[Longs, Longs]:
    """Return for each number of the ranges `first` to `last`, one after another, its range and the number."""
    sizes = last - first
    owner = np.repeat(np.arange(len(first)), sizes)
    begun = np.cumsum(sizes) - sizes
    return owner, np.arange(len(owner)) - np.repeat(begun - first, sizes)


TopicPolicy = Literal["both", "qrels", "relevant"]
TOPIC_POLICIES: tuple[TopicPolicy, ...] = get_args(TopicPolicy)
TOPICS_MEAN: dict[TopicPolicy, str] = {
    "both": Message("topics in qrels and run"),
    "qrels": Message("all topics of the qrels; one the run lacks scores 0"),
    "relevant": Message("topics of the qrels with a relevant document; one the run lacks scores 0"),
}


def join(
    run: Run | Retrieved,
    qrels: Qrels,
    *,
    ties: Ties = "trec",
    topics: TopicPolicy = "both",
    rel: int = 1,
    highest: int | None = None,
    depth: int | None = None,
    collection: int | None = None,
    only: str = "",
) -> JudgedRun:
    """Return the retrieved documents that the qrels name, with rank and grade, topic by topic.

    Parameters
    ----------
    run, qrels
        Compared by id. A document judged in several groups (subtopics) counts with its highest grade. What was retrieved of a run
        already must be of the same qrels.
    ties
        The order of the ranking, see `ranking_order`; that of what was retrieved already stays.
    topics
        Which topics are evaluated; always in the order of the qrels.
    rel
        For `topics="relevant"`: the lowest grade that is relevant.
    highest
        The scale's highest grade; None when no scale is known.
    depth
        Only the top `depth` documents of each ranking were retrieved; None takes all.
    collection
        The number of documents in the collection; None when it is not known.
    only
        Which topics of the qrels count, see `chosen_topics`; empty for all.

    Returns
    -------
    JudgedRun
        Without topics when run and qrels share none.

    Raises
    ------
    IrjudgeError
        When `only` names a topic that the qrels lack.
    """
    found = run if isinstance(run, Retrieved) else retrieved(run, qrels, ties)
    names, chosen = _topics(found.topics, qrels, topics, rel, only)
    code = {topic: place for place, topic in enumerate(names)}
    qrels_pair, qrels_grade = _distinct(qrels)
    to_qrels = {topic: place for place, topic in enumerate(qrels.topics)}
    place_of = np.array([code.get(topic, -1) for topic in found.topics], dtype=np.int32)
    run_to_qrels = np.array([to_qrels.get(topic, -1) for topic in found.topics], dtype=np.int64)

    wanted = place_of[found.topic] >= 0
    if depth is not None:
        wanted &= found.rank <= depth
    topic, rank, document = found.topic[wanted], found.rank[wanted], found.document[wanted]
    pair = run_to_qrels[topic] * max(1, len(qrels.documents)) + document
    row = np.searchsorted(qrels_pair, pair)
    hit_topic, hit_rank, hit_grade, hit_document = place_of[topic], rank, qrels_grade[row], document
    if np.any(hit_topic[1:] < hit_topic[:-1]):
        by_topic = np.lexsort((hit_rank, hit_topic))
        hit_topic, hit_rank, hit_grade, hit_document = (each[by_topic] for each in (hit_topic, hit_rank, hit_grade, hit_document))
    sizes = np.zeros(len(names), dtype=np.int64)
    sizes[place_of[place_of >= 0]] = found.sizes[place_of >= 0]
    if depth is not None:
        sizes = np.minimum(sizes, depth)
    starts, grades = _judged_grades(qrels, qrels_pair, qrels_grade, chosen)
    subtopics = subtopics_of(qrels, chosen, hit_topic, hit_rank, hit_document.astype(np.int64))
    return JudgedRun(names, hit_topic, hit_rank, hit_grade, sizes, starts, grades, highest, subtopics, collection)


def _topics(topics: tuple[str, ...], qrels: Qrels, policy: TopicPolicy, rel: int, only: str) -> tuple[tuple[str, ...], Longs]:
    """Return the evaluated topics and their codes in the qrels."""
    if policy == "both":
        in_run = set(topics)
        chosen = [place for place, topic in enumerate(qrels.topics) if topic in in_run]
    elif policy == "qrels":
        chosen = list(range(len(qrels.topics)))
    else:
        relevant = np.bincount(qrels.topic[qrels.grade >= rel], minlength=len(qrels.topics))
        chosen = np.flatnonzero(relevant).tolist()
    if only:
        wanted = {*chosen_topics(only, qrels.topics)}
        chosen = [place for place in chosen if qrels.topics[place] in wanted]
    return tuple(qrels.topics[place] for place in chosen), np.array(chosen, dtype=np.int64)


def _distinct(qrels: Qrels) -> tuple[Longs, Ints]:
    """Return each judged pair once, ascending, as topic code x D + document code, with its highest grade."""
    pair = qrels.topic.astype(np.int64) * max(1, len(qrels.documents)) + qrels.document
    if not len(pair):
        return pair, qrels.grade
    order = np.argsort(pair)
    pair = pair[order]
    first = np.flatnonzero(np.concatenate(([True], pair[1:] != pair[:-1])))
    return pair[first], np.maximum.reduceat(qrels.grade[order], first)


def _judged_grades(qrels: Qrels, pair: Longs, grade: Ints, chosen: Longs) -> tuple[Longs, Ints]:
    """Return offsets and descending grades of the judged documents of the evaluated topics."""
    place_of = np.full(len(qrels.topics), -1, dtype=np.int32)
    place_of[chosen] = np.arange(len(chosen), dtype=np.int32)
    topic = place_of[pair // max(1, len(qrels.documents))]
    judged = (topic >= 0) & (grade >= 0)
    topic, grade = topic[judged], grade[judged]
    levels = int(grade.max(initial=0)) + 1
    by_topic = np.sort(topic.astype(np.int64) * levels + (levels - 1 - grade))
    return starts_of(topic, len(chosen)), (levels - 1 - by_topic % levels).astype(np.int32)
