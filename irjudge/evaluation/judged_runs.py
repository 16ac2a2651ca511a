"""Retrieval of judged documents from runs, and the join of runs with qrels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import FileSource, is_pipe
from irjudge.formats.rankings import (
    read_parts,
    run_name,
)
from irjudge.formats.rows import (
    LENGTH_MIX,
    SLICE_ROWS,
    HashedTexts,
    HashWords,
    IrregularFile,
    Mask,
    NumberIds,
    PackedTexts,
    hash_ids,
    mix_topics_into_hashes,
)
from irjudge.message import Message
from irjudge.metrics import NOT_IN_QRELS, AuxiliaryRows, JudgedRun, Subtopics
from irjudge.model import (
    AUXILIARY_KINDS,
    KEY_COLUMNS,
    AuxiliaryKind,
    AuxiliaryTable,
    Floats,
    Ids,
    Ints,
    JudgedRanking,
    Longs,
    Qrels,
    Run,
    Ties,
    compute_ranks,
    count_tied_documents,
    find_unsorted_rows,
    index_in,
    row_offsets,
    select_topics,
    to_arrow_column,
    to_arrow_strings,
    to_numpy,
    topics_of_rows,
    with_query_ids,
)

# Ranks of judged documents, for a run in memory or for a run file that is read in parts

HashedIds: TypeAlias = PackedTexts | HashedTexts | NumberIds


@dataclass(frozen=True, slots=True, eq=False)
class QrelsIndex:
    """Index of qrels, to find their documents in runs: rows by topic, and hashes of documents."""

    topic_indices: dict[str, int]  # index of each topic in the qrels
    starts: Longs  # `Qrels.starts`
    document: Ints  # `Qrels.document`
    documents: Ids | HashedIds  # documents of the qrels, in the representation of runs
    key: HashWords  # hash of each row's document, shape (N,)

    @classmethod
    def from_qrels(cls, qrels: Qrels, documents: Ids | HashedIds) -> "QrelsIndex":
        """Build the index; `documents` are the qrels' documents, in the representation of runs."""
        topic_indices = {topic: index for index, topic in enumerate(qrels.topics)}
        return cls(
            topic_indices,
            qrels.starts,
            qrels.document,
            documents,
            _hash_ids(documents)[qrels.document],
        )

    def for_topics(self, topics: Sequence[str]) -> tuple[HashWords, Ints]:
        """Return the ascending hashes of pairs (topic, document), and the document codes.

        In the hashes, a topic is represented by its position in `topics`, from 1.
        """
        index = np.array([self.topic_indices.get(topic, -1) for topic in topics], dtype=np.int64)
        topic, index = np.flatnonzero(index >= 0), index[index >= 0]
        sizes = self.starts[index + 1] - self.starts[index]
        rows = np.arange(sizes.sum()) + np.repeat(
            self.starts[index] - np.cumsum(sizes) + sizes, sizes
        )
        key = self.key[rows] ^ np.repeat((topic + 1).astype(np.uint64) * LENGTH_MIX, sizes)
        code = self.document[rows]
        order = np.argsort(key)
        if (np.diff(key[order]) == 0).any():
            order = np.lexsort((code, key))
        key, code = key[order], code[order]
        # a pair that was judged for several subtopics is repeated
        is_repeat = (key[1:] == key[:-1]) & (code[1:] == code[:-1])
        first = np.concatenate(([True], ~is_repeat))[: len(key)]
        return key[first], code[first]


@dataclass(frozen=True, slots=True, eq=False)
class RetrievedPart:
    """Result of matching a part of a run with qrels: its N documents that are judged for a topic.

    They are sorted by topic and rank.
    """

    topics: tuple[str, ...]  # the T topics of the part
    sizes: Longs  # number of retrieved documents of each topic, judged or not, shape (T,)
    topic: Ints  # index in `topics`, shape (N,)
    rank: Ints  # rank in the topic's ranking, from 1, shape (N,)
    document: Ints  # code of the document in the qrels, shape (N,)
    tied_count: int  # number of documents with the same score as another document of their topic


def find_judged_ranks(
    run: Run, qrels: Qrels, ties: Ties = "trec", *, single_precision: bool = False
) -> JudgedRanking:
    """Return the ranks of the retrieved documents that the qrels contain for the same topic.

    `single_precision` compares scores in single precision, as trec_eval 9 does. For `ties` see
    `ranking_order`.
    """
    index = QrelsIndex.from_qrels(qrels, qrels.documents)
    parts = [
        _match_part(part, index, ties, single_precision=single_precision)
        for part in _split_run(with_query_ids(run, qrels))
    ]
    return merge_parts(run.name, parts, ties, run.warnings, single_precision=single_precision)


def read_judged_ranks(
    path: FileSource,
    qrels: Qrels,
    name: str | None = None,
    *,
    ties: Ties = "trec",
    single_precision: bool = False,
) -> JudgedRanking | None:
    """Read the ranks of judged documents from a regular TREC run, plain or compressed.

    The default name is the file name without `.run`, `.txt` or `.gz`; for the other parameters see
    `find_judged_ranks`. Return None if the file is not regular (see `read_parts`), if ties are
    broken by rank, or if a pipe has no `name`; in these cases `read_run` must read the file.
    """
    file = path if isinstance(path, Path) else path.path
    if ties == "rank" or (not name and is_pipe(file)):
        return None
    try:
        parts = read_parts(
            path, PartMatcher(qrels, ties, single_precision=single_precision).match_text_part
        )
    except IrregularFile:
        return None
    return merge_parts(
        name or run_name(file),
        parts,
        ties,
        (),
        single_precision=single_precision,
    )


class PartMatcher:
    """Matcher that finds the documents of the qrels in parts of runs.

    It can be pickled for worker processes, since an index of the qrels is not built before the
    first match.
    """

    def __init__(
        self, qrels: Qrels, ties: Ties, *, single_precision: bool, names: Ids | None = None
    ) -> None:
        self.qrels, self.ties, self.single_precision, self.names = (
            qrels,
            ties,
            single_precision,
            names,
        )
        self._indexes: dict[type, QrelsIndex] = {}

    def match_text_part(self, part: Run) -> RetrievedPart:
        """Match a part of a text run, whose documents are slices of the text."""
        return _match_part(
            with_query_ids(part, self.qrels),
            self._get_index(PackedTexts),
            self.ties,
            single_precision=self.single_precision,
        )

    def match_columnar_part(self, part: Run) -> list[RetrievedPart]:
        """Match a part of a columnar run; raise IrregularFile if a topic repeats a document."""
        index = self._get_index(type(part.document))
        return [
            _match_part(
                run_part, index, self.ties, single_precision=self.single_precision, is_distinct=True
            )
            for run_part in _split_run(with_query_ids(part, self.qrels))
        ]

    def _get_index(self, kind: type[HashedIds]) -> QrelsIndex:
        if kind not in self._indexes:
            texts = self.qrels.documents
            ids = (
                NumberIds.from_texts(texts, self.names)
                if issubclass(kind, NumberIds)
                else kind.from_texts(texts)
            )
            self._indexes[kind] = QrelsIndex.from_qrels(self.qrels, ids)
        return self._indexes[kind]


def _split_run(run: Run) -> Iterator[Run]:
    """Yield a run in parts of whole topics that fit the processor cache."""
    first = 0
    while first < len(run.topics) or not first:
        start = int(run.starts[first])
        end = max(first + 1, int(np.searchsorted(run.starts, start + SLICE_ROWS, side="right")) - 1)
        rows = slice(start, int(run.starts[min(end, len(run.topics))]))
        columns = {name: getattr(run, name)[rows] for name in ("document", "score", "rank", "line")}
        yield replace(
            run, topics=run.topics[first:end], starts=run.starts[first : end + 1] - start, **columns
        )
        first = end


def _match_part(
    run: Run, index: QrelsIndex, ties: Ties, *, single_precision: bool, is_distinct: bool = False
) -> RetrievedPart:
    run = to_single_precision(run) if single_precision else run
    key = mix_topics_into_hashes(_hash_ids(run.document), run.starts)
    if is_distinct and _has_duplicates(key, run.starts):
        raise IrregularFile
    row, code = _find_matching_rows(run, index, key)
    unsorted_rows = find_unsorted_rows(run)
    rank, topic_of_row = (
        compute_ranks(run, row, ties, unsorted_rows),
        topics_of_rows(run.starts, row),
    )
    order = np.lexsort((rank, topic_of_row))
    return RetrievedPart(
        run.topics,
        np.diff(run.starts),
        topic_of_row[order],
        rank[order],
        code[order],
        count_tied_documents(run, unsorted_rows),
    )


def _has_duplicates(key: HashWords, starts: Longs) -> bool:
    """Return whether a topic has equal hashes: a repeated document or, rarely, a collision."""
    sizes = np.diff(starts)
    # sorting topics separately takes half the time of sorting all rows
    has_equal_sizes = len(sizes) > 0 and bool((sizes == sizes[0]).all())
    sorted_keys = np.sort(key.reshape(len(sizes), sizes[0]) if has_equal_sizes else key[None])
    return bool((sorted_keys[:, 1:] == sorted_keys[:, :-1]).any())


def _find_matching_rows(run: Run, index: QrelsIndex, key: HashWords) -> tuple[Longs, Ints]:
    """Return the rows whose documents are judged for the topic, and the document codes.

    `key` contains a hash of the topic and document of each row. Comparing millions of texts would
    dominate the run time. Therefore a prefix of the hash excludes nearly all rows, then the whole
    hash excludes nearly all other rows without a match, and only then are texts compared.
    """
    wanted_keys, code = index.for_topics(run.topics)
    bits = max(16, (8 * len(code)).bit_length())
    is_wanted_prefix = np.zeros(1 << bits, dtype=bool)
    is_wanted_prefix[wanted_keys >> np.uint64(64 - bits)] = True
    row = np.flatnonzero(is_wanted_prefix.take((key >> np.uint64(64 - bits)).view(np.int64)))
    position = np.searchsorted(wanted_keys, key[row])
    rows, codes = [row[:0]], [code[:0]]
    while len(row):  # several iterations only if several wanted documents have the same hash
        is_match = position < len(wanted_keys)
        is_match[is_match] = wanted_keys[position[is_match]] == key[row[is_match]]
        row, position = row[is_match], position[is_match]
        rows.append(row)
        codes.append(code[position])
        position = position + 1
    row, code = np.concatenate(rows), np.concatenate(codes)
    is_match = _compare_ids(run.document, row, index.documents, code)
    return row[is_match], code[is_match]


def _hash_ids(ids: Ids | HashedIds) -> HashWords:
    return ids.hashes if isinstance(ids, HashedIds) else hash_ids(ids)


def _compare_ids(ids: Ids | HashedIds, rows: Longs, other_ids: Any, positions: Ints) -> Mask:
    if isinstance(ids, HashedIds):
        return ids.compare_rows(rows, other_ids, positions)
    is_equal = np.zeros(len(rows), dtype=bool)
    is_equal[
        to_numpy(
            pa.compute.indices_nonzero(
                pa.compute.equal(
                    ids.take(to_arrow_column(rows)), other_ids.take(to_arrow_column(positions))
                )
            )
        )
    ] = True
    return is_equal


def merge_parts(
    name: str,
    parts: list[RetrievedPart],
    ties: Ties,
    warnings: tuple[str, ...],
    *,
    single_precision: bool,
) -> JudgedRanking:
    """Merge the matches of all parts of a run; `parts` must be in the order of the run."""
    topics_before = np.cumsum([0] + [len(part.topics) for part in parts])
    return JudgedRanking(
        name,
        tuple(topic for part in parts for topic in part.topics),
        np.concatenate([part.sizes for part in parts]),
        np.concatenate(
            [part.topic + first for part, first in zip(parts, topics_before, strict=False)]
        ).astype(np.int32),
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.document for part in parts]),
        sum(part.tied_count for part in parts),
        ties,
        single_precision,
        warnings,
    )


def to_single_precision(run: Run) -> Run:
    """Return the run with scores in single precision, as stored by trec_eval 9.

    >>> from irjudge.model import with_query_ids, make_run
    >>> to_single_precision(make_run("a", [("1", "d1", 0.1 + 1e-9)])).score == np.float32(0.1)
    array([ True])
    """
    with np.errstate(over="ignore"):
        return replace(run, score=run.score.astype(np.float32).astype(np.float64))


# Join of runs, qrels and auxiliary files


def join_subtopics(
    qrels: Qrels, topic_codes: Longs, hit_topic: Ints, hit_rank: Ints, hit_document: Longs
) -> Subtopics | None:
    """Return the judgments of subtopics; None if column 2 of the qrels is constant.

    `topic_codes`, shape (T,), are the codes of the evaluated topics in the qrels. The hits, shape
    (H,), are the retrieved documents that are in the qrels, sorted by topic (index among the
    evaluated topics) and rank. `hit_document` contains their document codes in the qrels.
    """
    if len(qrels.groups) < 2:
        return None
    # The ideal ranking orders ties by descending id, as in trec_eval and ndeval.
    id_order = to_numpy(
        pa.compute.sort_indices(qrels.documents, sort_keys=[("", "descending")])
    ).astype(np.int64)
    row_by_id = np.empty(len(id_order), dtype=np.int64)
    row_by_id[id_order] = np.arange(len(id_order))
    index_of = np.full(len(qrels.topics), -1, dtype=np.int32)
    index_of[topic_codes] = np.arange(len(topic_codes), dtype=np.int32)
    topic = index_of[qrels.topic]
    selected = topic >= 0
    pair = (
        topic[selected].astype(np.int64) * max(1, len(id_order))
        + row_by_id[qrels.document[selected]]
    )
    subtopic, grade = qrels.group[selected], qrels.grade[selected]
    order = np.lexsort((subtopic, pair))
    pair, subtopic, grade = pair[order], subtopic[order], grade[order]
    code = np.cumsum(np.append(True, np.diff(pair) > 0))[: len(pair)] - 1
    hit_keys = hit_topic.astype(np.int64) * max(1, len(id_order)) + row_by_id[hit_document]
    first = np.searchsorted(pair, hit_keys, side="left")
    hit, row = _expand_ranges(first, np.searchsorted(pair, hit_keys, side="right"))
    return Subtopics(
        hit_topic[hit].astype(np.int32),
        hit_rank[hit].astype(np.int32),
        subtopic[row],
        grade[row],
        (pair // max(1, len(id_order))).astype(np.int32),
        code.astype(np.int32),
        subtopic,
        grade,
        tuple(qrels.groups),
    )


def _expand_ranges(first: Longs, last: Longs) -> tuple[Longs, Longs]:
    """List the integers of the ranges from `first` to `last` − 1.

    The first array contains the index of the range to which each integer belongs; the second array
    contains the integers.
    """
    sizes = last - first
    range_index = np.repeat(np.arange(len(first)), sizes)
    rows_before = np.cumsum(sizes) - sizes
    return range_index, np.arange(len(range_index)) - np.repeat(rows_before - first, sizes)


TopicPolicy = Literal["both", "qrels", "relevant"]
TOPIC_POLICIES: tuple[TopicPolicy, ...] = get_args(TopicPolicy)
TOPIC_POLICY_DESCRIPTIONS: dict[TopicPolicy, str] = {
    "both": Message("topics in both qrels and run"),
    "qrels": Message(
        "all topics of the qrels (a topic missing from the run counts as an empty ranking)"
    ),
    "relevant": Message(
        "topics of the qrels with a relevant document (a topic missing from the run counts as an "
        "empty ranking)"
    ),
}


def _find_indices(topics: Sequence[str], all_topics: Sequence[str]) -> Longs:
    """Return the index of each topic in `all_topics`, -1 for a topic that is not in it."""
    index = {topic: position for position, topic in enumerate(all_topics)}
    return np.array([index.get(topic, -1) for topic in topics], dtype=np.int64)


def join(
    run: Run | JudgedRanking,
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
    """Join a run with qrels by id; return rank and grade of each judged, retrieved document.

    Topics are in the order of the qrels; there are none if run and qrels have no topic in common. A
    document judged for several groups (subtopics) gets its highest grade.

    Parameters
    ----------
    run
        A run, in which `ties` is the order of equal scores (see `ranking_order`), or a
        `JudgedRanking` made with the same qrels, whose order is unchanged.
    topics
        Which topics are evaluated.
    rel
        Lowest relevant grade, for `topics="relevant"`.
    highest
        Highest grade of the scale; None if unknown.
    depth
        Number of documents of each ranking that count; None for all.
    collection
        Number of documents of the collection; None if unknown.
    only
        Topics to evaluate, see `select_topics`.

    Raises
    ------
    IrjudgeError
        If `only` names a topic that the qrels lack.
    """
    retrieved = run if isinstance(run, JudgedRanking) else find_judged_ranks(run, qrels, ties)
    names, topic_codes = _select_evaluated_topics(retrieved.topics, qrels, topics, rel, only)
    qrels_pair, qrels_grade = _find_distinct_pairs(qrels, qrels.grade)
    index_of = _find_indices(retrieved.topics, names).astype(np.int32)
    run_to_qrels = _find_indices(retrieved.topics, qrels.topics)

    is_evaluated = index_of[retrieved.topic] >= 0
    if depth is not None:
        is_evaluated &= retrieved.rank <= depth
    hit_topic, hit_rank = index_of[retrieved.topic[is_evaluated]], retrieved.rank[is_evaluated]
    hit_document = retrieved.document[is_evaluated]
    pair = run_to_qrels[retrieved.topic[is_evaluated]] * max(1, len(qrels.documents)) + hit_document
    row = np.searchsorted(qrels_pair, pair)
    if np.any(hit_topic[1:] < hit_topic[:-1]):
        by_topic = np.lexsort((hit_rank, hit_topic))
        row, hit_document = row[by_topic], hit_document[by_topic]
        hit_topic, hit_rank = hit_topic[by_topic], hit_rank[by_topic]
    sizes = np.zeros(len(names), dtype=np.int64)
    sizes[index_of[index_of >= 0]] = retrieved.sizes[index_of >= 0]
    if depth is not None:
        sizes = np.minimum(sizes, depth)
    starts, grades = _list_judged_grades(qrels, qrels_pair, qrels_grade, topic_codes)
    judged_run = JudgedRun(
        names,
        hit_topic,
        hit_rank,
        qrels_grade[row],
        sizes,
        starts,
        grades,
        highest,
        join_subtopics(qrels, topic_codes, hit_topic, hit_rank, hit_document.astype(np.int64)),
        collection,
    )
    return judged_run if qrels.gain is None else _add_gains(judged_run, qrels, row, topic_codes)


def _add_gains(judged_run: JudgedRun, qrels: Qrels, row: Longs, topic_codes: Longs) -> JudgedRun:
    """Return a judged run with gains; `row` is the index of each hit among the distinct pairs."""
    gain = cast(Floats, qrels.gain)
    pair, gains = _find_distinct_pairs(qrels, gain)
    _, grades = _find_distinct_pairs(qrels, qrels.grade)
    index_of = np.full(len(qrels.topics), -1, dtype=np.int32)
    index_of[topic_codes] = np.arange(len(topic_codes), dtype=np.int32)
    topic = index_of[pair // max(1, len(qrels.documents))]
    is_judged = (topic >= 0) & (grades >= 0)
    topic, judged_gains = topic[is_judged], gains[is_judged]
    return replace(
        judged_run,
        hit_gain=gains[row],
        judged_gain=judged_gains[np.lexsort((-judged_gains, topic))],
        highest_gain=float(gain.max(initial=0)),
    )


def _select_evaluated_topics(
    topics: tuple[str, ...], qrels: Qrels, policy: TopicPolicy, rel: int, only: str
) -> tuple[tuple[str, ...], Longs]:
    if policy == "both":
        run_topics = set(topics)
        topic_codes = [index for index, topic in enumerate(qrels.topics) if topic in run_topics]
    elif policy == "qrels":
        topic_codes = list(range(len(qrels.topics)))
    else:
        relevant_counts = np.bincount(qrels.topic[qrels.grade >= rel], minlength=len(qrels.topics))
        topic_codes = np.flatnonzero(relevant_counts).tolist()
    if only:
        wanted_topics = {*select_topics(only, qrels.topics)}
        topic_codes = [index for index in topic_codes if qrels.topics[index] in wanted_topics]
    return tuple(qrels.topics[index] for index in topic_codes), np.array(
        topic_codes, dtype=np.int64
    )


def _find_distinct_pairs(qrels: Qrels, values: npt.NDArray[Any]) -> tuple[Longs, npt.NDArray[Any]]:
    """Return the ascending keys of the distinct pairs, and the highest value of each pair.

    The key is topic x D + document, where D is the number of documents.
    """
    pair = qrels.topic.astype(np.int64) * max(1, len(qrels.documents)) + qrels.document
    if not len(pair):
        return pair, values
    order = np.argsort(pair)
    pair = pair[order]
    first = np.flatnonzero(np.concatenate(([True], pair[1:] != pair[:-1])))
    return pair[first], np.maximum.reduceat(values[order], first)


def _list_judged_grades(
    qrels: Qrels, pair: Longs, grade: Ints, topic_codes: Longs
) -> tuple[Longs, Ints]:
    """Return the offsets of the evaluated topics, and the grades of their judged documents.

    The grades are descending within each topic.
    """
    index_of = np.full(len(qrels.topics), -1, dtype=np.int32)
    index_of[topic_codes] = np.arange(len(topic_codes), dtype=np.int32)
    topic = index_of[pair // max(1, len(qrels.documents))]
    is_judged = (topic >= 0) & (grade >= 0)
    topic, grade = topic[is_judged], grade[is_judged]
    levels = int(grade.max(initial=0)) + 1
    by_topic = np.sort(topic.astype(np.int64) * levels + (levels - 1 - grade))
    return row_offsets(topic, len(topic_codes)), (levels - 1 - by_topic % levels).astype(np.int32)


# Auxiliary files


def join_auxiliary_table(
    table: AuxiliaryTable,
    run: Run,
    judged_run: JudgedRun,
    qrels: Qrels,
    ties: Ties,
    depth: int | None = None,
) -> AuxiliaryRows:
    """Return the rows of an auxiliary file that belong to a judged run.

    `judged_run` must be made from this run, qrels, ties and depth. Raises IrjudgeError if the file
    must describe all retrieved documents, but lacks one.
    """
    kind = AUXILIARY_KINDS.find(table.kind)
    rows, topic, rank, grade = (
        _list_document_rows(table, kind, run, judged_run, qrels, ties, depth)
        if kind.by_document
        else _list_topic_rows(table, run, judged_run)
    )
    columns, names = {}, {}
    for column in kind.columns:
        values = table.columns[column.name]
        if column.name in KEY_COLUMNS:
            continue
        if column.kind == "text":
            encoded_texts = _encode_texts(values)
            names[column.name] = tuple(encoded_texts.dictionary.to_pylist())
            columns[column.name] = to_numpy(encoded_texts.indices).astype(np.float64)[rows]
        else:
            columns[column.name] = np.asarray(values, dtype=np.float64)[rows]
    return AuxiliaryRows(topic, rank, grade, columns, names)


def _encode_texts(texts: Sequence[str | float]) -> Any:
    return to_arrow_strings([str(text) for text in texts]).dictionary_encode()


def _list_topic_rows(
    table: AuxiliaryTable, run: Run, judged_run: JudgedRun
) -> tuple[Longs, Ints, Ints, Ints]:
    """Return the rows of evaluated topics, sorted by topic.

    If the rows contain names of runs, only rows of this run are returned.
    """
    topic_indices = {topic: index for index, topic in enumerate(judged_run.topics)}
    runs: Sequence[str | float] = table.columns.get("run", [""] * len(table))
    topics = np.array(
        [topic_indices.get(str(topic), -1) for topic in table.columns["topic"]], dtype=np.int32
    )
    rows = np.flatnonzero((topics >= 0) & _match_run_names(runs, run))
    rows = rows[np.argsort(topics[rows], kind="stable")]
    return (
        rows,
        topics[rows],
        np.zeros(len(rows), dtype=np.int32),
        np.full(len(rows), NOT_IN_QRELS, dtype=np.int32),
    )


def _match_run_names(names: Sequence[str | float], run: Run) -> npt.NDArray[np.bool_]:
    """Return a mask of the names that refer to a run.

    A name refers to the run if it is the run's name or the name of its file. If no name does, the
    names are compared with the run's tag instead. An empty name refers to every run.
    """
    encoded_names = _encode_texts(names)
    texts: list[str] = encoded_names.dictionary.to_pylist()
    is_named = [text in ("", run.name) or run_name(Path(text)) == run.name for text in texts]
    if not any(has_match for text, has_match in zip(texts, is_named, strict=True) if text):
        is_named = [text in ("", run.tag) for text in texts]
    return np.array(is_named, dtype=np.bool_).take(to_numpy(encoded_names.indices))


def _list_document_rows(
    table: AuxiliaryTable,
    kind: AuxiliaryKind,
    run: Run,
    judged_run: JudgedRun,
    qrels: Qrels,
    ties: Ties,
    depth: int | None,
) -> tuple[Longs, Ints, Ints, Ints]:
    """Return the rows of retrieved documents and other judged documents, by topic and rank.

    Documents that were not retrieved have rank 0.
    """
    encoded_ids = _encode_texts(table.columns["document"])
    documents, code_of_row = encoded_ids.dictionary, to_numpy(encoded_ids.indices)
    topic, rank, code = _list_retrieved_documents(run, judged_run, documents, ties, depth, kind)
    judged_key, judged_grade = _find_judged_pairs(qrels, judged_run, documents)
    key = topic.astype(np.int64) * max(1, len(documents)) + code
    is_unretrieved = ~np.isin(judged_key, key) & (judged_grade >= 0)
    grade = np.full(len(key), NOT_IN_QRELS, dtype=np.int32)
    position = np.minimum(np.searchsorted(judged_key, key), max(0, len(judged_key) - 1))
    if len(judged_key):
        grade = np.where(judged_key[position] == key, judged_grade[position], grade).astype(
            np.int32
        )
    topic = np.concatenate(
        (topic, (judged_key[is_unretrieved] // max(1, len(documents))).astype(np.int32))
    )
    rank = np.concatenate((rank, np.zeros(int(is_unretrieved.sum()), dtype=np.int32)))
    code = np.concatenate((code, judged_key[is_unretrieved] % max(1, len(documents))))
    grade = np.concatenate((grade, judged_grade[is_unretrieved])).astype(np.int32)
    order = np.lexsort((rank, topic))
    by_code = np.argsort(code_of_row, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(code_of_row, minlength=len(documents)))))
    sizes = np.diff(starts)[code[order]]
    document_index = np.repeat(order, sizes)
    rows_before = np.cumsum(sizes) - sizes
    rows = by_code[
        np.arange(int(sizes.sum())) - np.repeat(rows_before, sizes) + starts[code[document_index]]
    ]
    return rows, topic[document_index], rank[document_index], grade[document_index]


def _list_retrieved_documents(
    run: Run,
    judged_run: JudgedRun,
    documents: Ids,
    ties: Ties,
    depth: int | None,
    kind: AuxiliaryKind,
) -> tuple[Ints, Ints, Longs]:
    """Return topic, rank and code of the retrieved documents that the file contains."""
    topic_indices = {topic: index for index, topic in enumerate(judged_run.topics)}
    topic_index = np.array([topic_indices.get(topic, -1) for topic in run.topics], dtype=np.int32)
    topic = np.repeat(topic_index, np.diff(run.starts))
    row = np.flatnonzero(topic >= 0)
    rank = compute_ranks(run, row, ties)
    if depth is not None:
        row, rank = row[rank <= depth], rank[rank <= depth]
    names = run.document.take(to_arrow_column(row))
    code = index_in(names, documents).astype(np.int64)
    missing_rows = np.flatnonzero(code < 0)
    if kind.needs_all_documents and len(missing_rows):
        raise IrjudgeError(
            "{title} must contain every retrieved document; missing documents of run {run}: "
            "{count:,}, for example {document}.",
            title=kind.title,
            count=len(missing_rows),
            run=run.name,
            document=names[int(missing_rows[0])].as_py(),
        )
    selected = code >= 0
    return topic[row][selected], rank[selected], code[selected]


def _find_judged_pairs(qrels: Qrels, judged_run: JudgedRun, documents: Ids) -> tuple[Longs, Ints]:
    """Return the ascending keys of the distinct pairs, and the highest grade of each pair.

    The key is topic x D + code, where D is the number of `documents`.
    """
    topic_indices = {topic: index for index, topic in enumerate(judged_run.topics)}
    qrels_topic_index = np.array(
        [topic_indices.get(topic, -1) for topic in qrels.topics], dtype=np.int64
    )
    codes = index_in(qrels.documents, documents).astype(np.int64)
    topic, code = qrels_topic_index[qrels.topic], codes[qrels.document]
    selected = (topic >= 0) & (code >= 0)
    key, grade = topic[selected] * max(1, len(documents)) + code[selected], qrels.grade[selected]
    order = np.lexsort((-grade, key))
    key, grade = key[order], grade[order]
    first = np.concatenate(([True], key[1:] != key[:-1]))[: len(key)]
    return key[first], grade[first]
