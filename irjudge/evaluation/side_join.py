"""Joins a run with side files: lengths or groups of its documents, sessions of its topics, what was found in its answers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.metrics.basis.judged import UNNAMED, JudgedRun, SideRows
from irjudge.model.arrow import places_in, places_of, strings_of, values_of
from irjudge.model.order import Ties, ranks_of
from irjudge.model.ranking import Ids, Ints, Longs, Qrels, Run
from irjudge.model.side import KEYS, SIDES, Side, SideTable


def beside(table: SideTable, run: Run, judged: JudgedRun, qrels: Qrels, ties: Ties, depth: int | None = None) -> SideRows:
    """Return the rows of a side file that concern a judged run.

    Parameters
    ----------
    table
        What was read.
    run, qrels, ties, depth
        From which `judged` was made.
    judged
        T topics.

    Raises
    ------
    IrjudgeError
        When the file lacks a retrieved document that it must have.
    """
    side = SIDES.find(table.side)
    rows, topic, rank, grade = (
        _of_documents(table, side, run, judged, qrels, ties, depth) if side.by_document else _of_topics(table, run, judged)
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
    topics = np.array([place.get(str(topic), -1) for topic in table.columns["topic"]], dtype=np.int32)
    kept = (topics >= 0) & np.array([each in ("", run.name) for each in runs], dtype=bool)
    rows = np.flatnonzero(kept)
    rows = rows[np.argsort(topics[rows], kind="stable")]
    return rows, topics[rows], np.zeros(len(rows), dtype=np.int32), np.full(len(rows), UNNAMED, dtype=np.int32)


def _of_documents(
    table: SideTable, side: Side, run: Run, judged: JudgedRun, qrels: Qrels, ties: Ties, depth: int | None
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


def _retrieved(run: Run, judged: JudgedRun, documents: Ids, ties: Ties, depth: int | None, side: Side) -> tuple[Ints, Ints, Longs]:
    """Return topic, rank and code of the retrieved documents that are in the file."""
    place = {topic: at for at, topic in enumerate(judged.topics)}
    of_run = np.array([place.get(topic, -1) for topic in run.topics], dtype=np.int32)
    topic = np.repeat(of_run, np.diff(run.starts))
    row = np.flatnonzero(topic >= 0)
    rank = ranks_of(run, row, ties)
    if depth is not None:
        row, rank = row[rank <= depth], rank[rank <= depth]
    names = run.document.take(places_of(row))
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
