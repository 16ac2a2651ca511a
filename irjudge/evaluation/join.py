"""Joins a run with qrels and side files into what measures see."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import IrjudgeError
from irjudge.evaluation.retrieval import retrieved
from irjudge.formats.rankings.runs import run_name
from irjudge.message import Message
from irjudge.metrics.basis.judged import UNNAMED, JudgedRun, SideRows, Subtopics
from irjudge.model.arrow import column_of, places_in, strings_of, values_of
from irjudge.model.order import Ties, ranks_of
from irjudge.model.ranking import Ids, Ints, Longs, Qrels, Run, starts_of
from irjudge.model.retrieved import Retrieved
from irjudge.model.side import KEYS, SIDES, Side, SideTable
from irjudge.model.topic import chosen_topics


def subtopics_of(
    qrels: Qrels, chosen: Longs, hit_topic: Ints, hit_rank: Ints, hit_document: Longs
) -> Subtopics | None:
    """Return what the qrels say of documents and subtopics; None where column 2 says the same everywhere.

    `chosen`, shape (T,), are the evaluated topics as codes in the qrels. The hits, shape (H,), are the retrieved documents that the qrels
    name, sorted by topic (as its place among the evaluated ones) and rank, each with its document's code in the qrels.
    """
    if len(qrels.groups) < 2:
        return None
    # Of equally good documents the ideal ranking takes the last by id, as trec_eval and ndeval order ties.
    by_id = values_of(
        pa.compute.sort_indices(qrels.documents, sort_keys=[("", "descending")])
    ).astype(np.int64)
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
    first, last = (
        np.searchsorted(pair, wanted, side="left"),
        np.searchsorted(pair, wanted, side="right"),
    )
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
    """Return the retrieved documents that the qrels name, with rank and grade, topic by topic; without topics when they share none.

    Run and qrels are compared by id. A document judged in several groups (subtopics) counts with its highest grade. What was retrieved of a
    run already must be of the same qrels, and keeps its order; that of others see `ranking_order`. Topics stand in the order of the qrels;
    `rel` is the lowest relevant grade, for `topics="relevant"`. `highest`, the scale's highest grade, and `collection`, the number of its
    documents, are None where not known. Only the top `depth` documents of each ranking were retrieved; None takes all. `only` says which
    topics count, see `chosen_topics`; IrjudgeError when it names one that the qrels lack.
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
        hit_topic, hit_rank, hit_grade, hit_document = (
            each[by_topic] for each in (hit_topic, hit_rank, hit_grade, hit_document)
        )
    sizes = np.zeros(len(names), dtype=np.int64)
    sizes[place_of[place_of >= 0]] = found.sizes[place_of >= 0]
    if depth is not None:
        sizes = np.minimum(sizes, depth)
    starts, grades = _judged_grades(qrels, qrels_pair, qrels_grade, chosen)
    subtopics = subtopics_of(qrels, chosen, hit_topic, hit_rank, hit_document.astype(np.int64))
    return JudgedRun(
        names, hit_topic, hit_rank, hit_grade, sizes, starts, grades, highest, subtopics, collection
    )


def _topics(
    topics: tuple[str, ...], qrels: Qrels, policy: TopicPolicy, rel: int, only: str
) -> tuple[tuple[str, ...], Longs]:
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


# Side files


def beside(
    table: SideTable,
    run: Run,
    judged: JudgedRun,
    qrels: Qrels,
    ties: Ties,
    depth: int | None = None,
) -> SideRows:
    """Return the rows of a side file that concern a judged run, made from this run, qrels, ties and depth.

    IrjudgeError when the file lacks a retrieved document that it must have.
    """
    side = SIDES.find(table.side)
    rows, topic, rank, grade = (
        _of_documents(table, side, run, judged, qrels, ties, depth)
        if side.by_document
        else _of_topics(table, run, judged)
    )
    columns, names = {}, {}
    for column in side.columns:
        values = table.columns[column.name]
        if column.name in KEYS:
            continue
        if column.kind == "text":
            coded = _coded(values)
            names[column.name] = tuple(coded.dictionary.to_pylist())
            columns[column.name] = values_of(coded.indices).astype(np.float64)[rows]
        else:
            columns[column.name] = np.asarray(values, dtype=np.float64)[rows]
    return SideRows(topic, rank, grade, columns, names)


def _coded(texts: Sequence[str | float]) -> Any:
    """Return texts as an Arrow column of the different ones and the code of each."""
    return strings_of([str(each) for each in texts]).dictionary_encode()


def _of_topics(table: SideTable, run: Run, judged: JudgedRun) -> tuple[Longs, Ints, Ints, Ints]:
    """Return the rows about evaluated topics, and about this run where rows name runs, by topic."""
    place = {topic: at for at, topic in enumerate(judged.topics)}
    runs: Sequence[str | float] = table.columns.get("run", [""] * len(table))
    topics = np.array(
        [place.get(str(topic), -1) for topic in table.columns["topic"]], dtype=np.int32
    )
    kept = (topics >= 0) & _is_run(runs, run)
    rows = np.flatnonzero(kept)
    rows = rows[np.argsort(topics[rows], kind="stable")]
    return (
        rows,
        topics[rows],
        np.zeros(len(rows), dtype=np.int32),
        np.full(len(rows), UNNAMED, dtype=np.int32),
    )


def _is_run(names: Sequence[str | float], run: Run) -> npt.NDArray[np.bool_]:
    """Return which names are a run's: its name, its file or, where none is, its tag; an empty name is any run's."""
    coded = _coded(names)
    texts: list[str] = coded.dictionary.to_pylist()
    is_named = [text in ("", run.name) or run_name(Path(text)) == run.name for text in texts]
    if not any(found for text, found in zip(texts, is_named, strict=True) if text):
        is_named = [text in ("", run.tag) for text in texts]
    return np.array(is_named, dtype=np.bool_).take(values_of(coded.indices))


def _of_documents(
    table: SideTable,
    side: Side,
    run: Run,
    judged: JudgedRun,
    qrels: Qrels,
    ties: Ties,
    depth: int | None,
) -> tuple[Longs, Ints, Ints, Ints]:
    """Return the rows about retrieved documents, then about judged ones that were not retrieved, by topic and rank."""
    coded = _coded(table.columns["document"])
    documents, code_of_row = coded.dictionary, values_of(coded.indices)
    topic, rank, code = _retrieved(run, judged, documents, ties, depth, side)
    judged_key, judged_grade = _judged(qrels, judged, documents)
    key = topic.astype(np.int64) * max(1, len(documents)) + code
    left = ~np.isin(judged_key, key) & (judged_grade >= 0)
    grade = np.full(len(key), UNNAMED, dtype=np.int32)
    at = np.minimum(np.searchsorted(judged_key, key), max(0, len(judged_key) - 1))
    if len(judged_key):
        grade = np.where(judged_key[at] == key, judged_grade[at], grade).astype(np.int32)
    topic = np.concatenate((topic, (judged_key[left] // max(1, len(documents))).astype(np.int32)))
    rank = np.concatenate((rank, np.zeros(int(left.sum()), dtype=np.int32)))
    code = np.concatenate((code, judged_key[left] % max(1, len(documents))))
    grade = np.concatenate((grade, judged_grade[left])).astype(np.int32)
    order = np.lexsort((rank, topic))
    by_code = np.argsort(code_of_row, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(code_of_row, minlength=len(documents)))))
    sizes = np.diff(starts)[code[order]]
    owner = np.repeat(order, sizes)
    begun = np.cumsum(sizes) - sizes
    rows = by_code[np.arange(int(sizes.sum())) - np.repeat(begun, sizes) + starts[code[owner]]]
    return rows, topic[owner], rank[owner], grade[owner]


def _retrieved(
    run: Run, judged: JudgedRun, documents: Ids, ties: Ties, depth: int | None, side: Side
) -> tuple[Ints, Ints, Longs]:
    """Return topic, rank and code of the retrieved documents that are in the file."""
    place = {topic: at for at, topic in enumerate(judged.topics)}
    of_run = np.array([place.get(topic, -1) for topic in run.topics], dtype=np.int32)
    topic = np.repeat(of_run, np.diff(run.starts))
    row = np.flatnonzero(topic >= 0)
    rank = ranks_of(run, row, ties)
    if depth is not None:
        row, rank = row[rank <= depth], rank[rank <= depth]
    names = run.document.take(column_of(row))
    code = places_in(names, documents).astype(np.int64)
    lacking = np.flatnonzero(code < 0)
    if side.complete and len(lacking):
        raise IrjudgeError(
            "{title} must have every retrieved document, and {count:,} of run {run} are not there, for example {document}.",
            title=side.title,
            count=len(lacking),
            run=run.name,
            document=names[int(lacking[0])].as_py(),
        )
    kept = code >= 0
    return topic[row][kept], rank[kept], code[kept]


def _judged(qrels: Qrels, judged: JudgedRun, documents: Ids) -> tuple[Longs, Ints]:
    """Return topic · D + code of what the qrels name, ascending and each once, and its highest grade."""
    place = {topic: at for at, topic in enumerate(judged.topics)}
    of_qrels = np.array([place.get(topic, -1) for topic in qrels.topics], dtype=np.int64)
    codes = places_in(qrels.documents, documents).astype(np.int64)
    topic, code = of_qrels[qrels.topic], codes[qrels.document]
    kept = (topic >= 0) & (code >= 0)
    key, grade = topic[kept] * max(1, len(documents)) + code[kept], qrels.grade[kept]
    order = np.lexsort((-grade, key))
    key, grade = key[order], grade[order]
    first = np.concatenate(([True], key[1:] != key[:-1]))[: len(key)]
    return key[first], grade[first]
