"""Joins a run with the subtopics of qrels: column 2, where it says more than one thing."""

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.metrics.basis.subtopics import Subtopics
from irjudge.model.ranking import Ints, Longs, Qrels


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
    by_id = pa.compute.sort_indices(qrels.documents, sort_keys=[("", "descending")]).to_numpy().astype(np.int64)
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
