"""Qrels, runs and pools as columns, and the order of the documents in a ranking."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.model.documents import normalise_query, replace_query_texts

# Conversions between Arrow, NumPy and Python. The conversion functions of pyarrow import pandas,
# which takes longer than reading most runs.


def to_numpy(column: Any) -> npt.NDArray[Any]:
    """Return an Arrow column as a NumPy array; the column has no nulls and may be chunked.

    >>> to_numpy(pa.chunked_array([[1, 2], [3]])).tolist()
    [1, 2, 3]
    """
    if isinstance(column, pa.ChunkedArray):
        chunks = [np.from_dlpack(chunk) for chunk in column.chunks]
        return np.concatenate(chunks) if chunks else np.empty(0, column.type.to_pandas_dtype())
    return np.from_dlpack(column)


def to_arrow_strings(values: Sequence[str]) -> Any:
    """Return texts as an Arrow array.

    >>> to_arrow_strings(["a", "", "bé"]).to_pylist()
    ['a', '', 'bé']
    """
    encoded_values = [value.encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded_values)], dtype=np.int32)
    return pa.StringArray.from_buffers(
        len(encoded_values), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded_values))
    )


def to_arrow_column(values: npt.NDArray[Any]) -> Any:
    """Return numbers as an Arrow array, which shares their memory.

    >>> to_arrow_strings(["a", "b", "c"]).take(to_arrow_column(np.array([2, 0]))).to_pylist()
    ['c', 'a']
    """
    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(
        pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)]
    )


_NO_MATCH = to_arrow_column(np.array([-1], dtype=np.int32))[0]


def index_in(texts: Any, values: Any) -> npt.NDArray[np.int32]:
    """Return the index of each text in a list of unique texts, shape (N,); -1 if missing.

    >>> index_in(to_arrow_strings(["b", "x", "a"]), to_arrow_strings(["a", "b"])).tolist()
    [1, -1, 0]
    """
    return to_numpy(pa.compute.fill_null(pa.compute.index_in(texts, value_set=values), _NO_MATCH))


# Qrels and runs as columns, without a Python object for each line

Ints: TypeAlias = npt.NDArray[np.int32]
Longs: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Ids: TypeAlias = Any  # a pyarrow.StringArray; pyarrow has no type stubs

UNJUDGED = -1
UNJUDGEABLE = -2


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Qrels as columns: N rows with the grade of a document, D documents, T topics.

    A row's document is judged, unjudgeable, or only pooled. The rows of a topic are consecutive.
    With subtopics, a document can have several rows in a topic. Optional gains replace the grades
    in measures that use gains.
    """

    topics: tuple[str, ...]  # T topic ids in order of first appearance
    starts: Longs  # shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`
    documents: Ids  # D distinct document ids; the code of a document is its index
    document: Ints  # shape (N,): code of the document
    # shape (N,): grade, `UNJUDGED` (-1) for a document that was only pooled, or `UNJUDGEABLE` (-2)
    grade: Ints
    group: Ints  # shape (N,): index in `groups` of the text in column 2 of the file
    groups: tuple[str, ...] = ("0",)  # distinct texts in column 2 of the file (subtopics or groups)
    warnings: tuple[str, ...] = ()  # warnings from reading the file
    # T texts of queries, if the file contains these texts instead of ids
    titles: tuple[str, ...] = ()
    # Shape (N,): gain of each row, which increases with the grade and is 0 if the document is
    # unjudged or unjudgeable; None if the grades are the gains.
    gain: Floats | None = None

    def __len__(self) -> int:
        return len(self.grade)

    @property
    def topic(self) -> Ints:
        """Topic code of each row, shape (N,)."""
        return topic_of_each_row(self.starts)

    def select_topics(self, topics: Collection[str]) -> "Qrels":
        """Return the judgments for the given topics; the order of rows is unchanged."""
        is_selected = np.array([topic in topics for topic in self.topics], dtype=bool)
        rows = is_selected[self.topic]
        titles = (
            tuple(
                title
                for title, is_selected_title in zip(self.titles, is_selected.tolist(), strict=True)
                if is_selected_title
            )
            if self.titles
            else ()
        )
        return replace(
            self,
            topics=tuple(
                topic
                for topic, is_selected_topic in zip(self.topics, is_selected.tolist(), strict=True)
                if is_selected_topic
            ),
            starts=np.append(0, np.cumsum(np.diff(self.starts)[is_selected])),
            document=self.document[rows],
            grade=self.grade[rows],
            group=self.group[rows],
            titles=titles,
            gain=None if self.gain is None else self.gain[rows],
        )

    def topic_grades(self, topic: str) -> dict[str, int]:
        """Return the grade of each document of a topic, the highest of its subtopics."""
        if topic not in self.topics:
            return {}
        code = self.topics.index(topic)
        rows = slice(int(self.starts[code]), int(self.starts[code + 1]))
        grades: dict[str, int] = {}
        for document, grade in zip(
            self.documents.take(self.document[rows]).to_pylist(),
            self.grade[rows].tolist(),
            strict=True,
        ):
            grades[document] = max(grade, grades.get(document, grade))
        return grades

    def rows(self) -> Iterator[tuple[str, str, int]]:
        """Yield (topic, document, grade) for each row; slow, therefore used only to write rows."""
        documents = self.documents.to_pylist()
        for topic, document, grade in zip(
            self.topic.tolist(), self.document.tolist(), self.grade.tolist(), strict=True
        ):
            yield self.topics[topic], documents[document], grade

    def ratings(self) -> list[float]:
        """Return the gain of each row; without gains, and for unjudged documents, the grade."""
        if self.gain is None:
            return [*self.grade.tolist()]
        return [*np.where(self.grade < 0, self.grade, self.gain).tolist()]

    def rated_rows(self) -> Iterator[tuple[str, str, float]]:
        """Yield (topic, document, rating) for each row, with the values of `ratings`."""
        for (topic, document, _), rating in zip(self.rows(), self.ratings(), strict=True):
            yield topic, document, rating

    def require_grades(self, command: str) -> None:
        """Raise MeasureError if there are gains, for commands that need grades."""
        if self.gain is not None:
            raise MeasureError(
                "irjudge {command} needs grades, but these qrels were read as gains; use "
                "--cuts instead of --gains.",
                key="needs-grades",
                command=command,
            )

    def to_arrow(self) -> pa.Table:
        """Return an Arrow table: query_id, doc_id, relevance and iteration, N rows.

        The relevance is the grade or, if there are gains, the gain.

        >>> make_qrels([("1", "d1", 2), ("1", "d2", 0)]).to_arrow().column("relevance").to_pylist()
        [2, 0]
        """
        return pa.table(
            {
                "query_id": to_arrow_strings(self.topics).take(to_arrow_column(self.topic)),
                "doc_id": self.documents.take(to_arrow_column(self.document)),
                "relevance": pa.array(
                    self.ratings(), pa.int32() if self.gain is None else pa.float64()
                ),
                "iteration": to_arrow_strings(self.groups).take(to_arrow_column(self.group)),
            }
        )

    def to_pandas(self) -> Any:
        """Return the table of `to_arrow` as a pandas DataFrame.

        >>> make_qrels([("1", "d1", 2)]).to_pandas().columns.tolist()
        ['query_id', 'doc_id', 'relevance', 'iteration']
        """
        return self.to_arrow().to_pandas()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Export the table through the Arrow stream interface, which polars and others read."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Documents that one system retrieved for each topic, with scores, as columns.

    The rows of a topic are consecutive and in file order, which may differ from the ranking.
    Document ids are an Arrow column of texts: encoding millions of distinct ids as codes takes
    longer than computing all measures, and codes are only needed for ids in the qrels. Fast readers
    make objects for parts of a run, whose ids can instead be a `NumberIds`, `HashedTexts` or
    `PackedTexts`, which have only some methods of an Arrow column.
    """

    name: str  # name of the run: its tag, or the name of its file
    # T topic ids in order of first appearance; a topic without retrieved documents has no rows
    topics: tuple[str, ...]
    starts: Longs  # shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`
    document: Ids  # N document ids, as Arrow strings (except in parts of a run, see above)
    # shape (N,): score in the file, or derived from the ranks if the file contains no scores
    score: Floats
    rank: Ints  # shape (N,): rank in the file; -1 if missing
    line: Ints  # shape (N,): line number in the file, from 1; -1 if the file has no lines
    warnings: tuple[str, ...] = ()  # warnings from reading the file
    metadata: str = ""  # run metadata in YAML, from an ir_metadata block or file
    tag: str = ""  # tag, if all lines have the same tag; otherwise empty

    def __len__(self) -> int:
        return len(self.score)

    @property
    def topic(self) -> Ints:
        """Topic code of each row, shape (N,)."""
        return topic_of_each_row(self.starts)

    @property
    def empty_topics(self) -> tuple[str, ...]:
        """Topics without retrieved documents."""
        empty_codes = np.flatnonzero(np.diff(self.starts) == 0).tolist()
        return tuple(self.topics[code] for code in empty_codes)

    def with_topics(self, topics: Iterable[str]) -> "Run":
        """Return the run with an empty ranking for each of the given topics that is missing.

        >>> run = make_run("a", [("1", "d1", 2.0)]).with_topics(["2", "1"])
        >>> run.topics, run.empty_topics
        (('1', '2'), ('2',))
        """
        existing_topics = {*self.topics}
        added_topics = tuple(
            dict.fromkeys(topic for topic in topics if topic not in existing_topics)
        )
        added_starts = np.full(len(added_topics), self.starts[-1], dtype=self.starts.dtype)
        return replace(
            self,
            topics=self.topics + added_topics,
            starts=np.concatenate((self.starts, added_starts)),
        )

    def without_empty_topics(self) -> "Run":
        """Return the run without topics for which no document was retrieved.

        >>> make_run("a", [("1", "d1", 2.0)]).with_topics(["2"]).without_empty_topics().topics
        ('1',)
        """
        empty_ids = {*self.empty_topics}
        return (
            self.select_topics([topic for topic in self.topics if topic not in empty_ids])
            if empty_ids
            else self
        )

    def without_queries(self) -> "Run":
        """Return the run without documents whose id is the id of the topic.

        >>> run = make_run("a", [("1", "1", 2.0), ("1", "2", 1.0)]).without_queries()
        >>> run.document.to_pylist(), run.starts.tolist()
        (['2'], [0, 1])
        """
        topics = to_arrow_strings(self.topics).take(to_arrow_column(self.topic))
        is_different = np.asarray(pa.compute.not_equal(self.document, topics))
        if is_different.all():
            return self
        remaining_counts = np.concatenate(([0], np.cumsum(is_different)))
        return replace(
            self,
            starts=remaining_counts[self.starts].astype(self.starts.dtype),
            document=self.document.filter(pa.array(is_different)),
            score=self.score[is_different],
            rank=self.rank[is_different],
            line=self.line[is_different],
        )

    def to_arrow(self) -> pa.Table:
        """Return an Arrow table: query_id, doc_id, score and rank (null if missing), N rows.

        A topic without retrieved documents has no row; see `empty_topics`.

        >>> make_run("a", [("1", "d1", 2.5)]).to_arrow().to_pylist()
        [{'query_id': '1', 'doc_id': 'd1', 'score': 2.5, 'rank': None}]
        """
        return pa.table(
            {
                "query_id": to_arrow_strings(self.topics).take(to_arrow_column(self.topic)),
                "doc_id": self.document,
                "score": pa.array(self.score.tolist(), pa.float64()),
                "rank": pa.array(
                    [rank if rank >= 0 else None for rank in self.rank.tolist()], pa.int32()
                ),
            }
        )

    def to_pandas(self) -> Any:
        """Return the table of `to_arrow` as a pandas DataFrame.

        >>> make_run("a", [("1", "d1", 2.5)]).to_pandas().score.tolist()
        [2.5]
        """
        return self.to_arrow().to_pandas()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Export the table through the Arrow stream interface, which polars and others read."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def select_topics(self, topics: Collection[str]) -> "Run":
        """Return the run with only the given topics.

        >>> run = make_run("a", [("1", "d1", 2.0), ("2", "d2", 1.0), ("3", "d3", 1.0)])
        >>> run = run.select_topics(["3", "1"])
        >>> run.topics, run.document.to_pylist()
        (('1', '3'), ['d1', 'd3'])
        """
        codes = [code for code, topic in enumerate(self.topics) if topic in topics]
        counts = np.diff(self.starts)[codes]
        rows = np.flatnonzero(np.isin(self.topic, codes))
        return Run(
            self.name,
            tuple(self.topics[code] for code in codes),
            np.concatenate(([0], np.cumsum(counts))),
            self.document.take(to_arrow_column(rows)),
            self.score[rows],
            self.rank[rows],
            self.line[rows],
            self.warnings,
            self.metadata,
            self.tag,
        )


def with_query_ids(run: Run, qrels: Qrels) -> Run:
    """Return a run with each text of a query replaced by the id of this query in the qrels.

    >>> qrels = replace(make_qrels([("q1", "d1", 2)]), titles=("jazz bass",))
    >>> with_query_ids(make_run("a", [("jazz  bass", "d1", 1.0), ("rock", "d2", 1.0)]), qrels).topics
    ('q1', 'rock')
    """
    if not qrels.titles:
        return run
    return replace(
        run,
        topics=replace_query_texts(
            run.topics, {*qrels.topics}, dict(zip(qrels.titles, qrels.topics, strict=True))
        ),
    )


def with_query_texts(qrels: Qrels, topics: Iterable[str]) -> Qrels:
    """Return qrels in which a query whose text is one of `topics` has this topic as its id.

    >>> qrels = replace(make_qrels([("q1", "d1", 2), ("q2", "d1", 1)]), titles=("jazz bass", "rock"))
    >>> with_query_texts(qrels, ["jazz  bass", "q2"]).topics
    ('jazz  bass', 'q2')
    """
    if not qrels.titles:
        return qrels
    topic_by_text = {normalise_query(topic): topic for topic in topics}
    names = [
        topic_by_text.get(title, id) for id, title in zip(qrels.topics, qrels.titles, strict=True)
    ]
    return replace(qrels, topics=tuple(names)) if len({*names}) == len(names) else qrels


def topic_of_each_row(starts: Longs) -> Ints:
    """Return the topic code of each row, shape (starts[-1],), given the offsets of the topics."""
    return np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))


def topics_of_rows(starts: Longs, rows: Longs) -> Ints:
    """Return the topic codes of some rows, shape (len(rows),), given the offsets of the topics."""
    return (np.searchsorted(starts, rows, side="right") - 1).astype(np.int32)


def row_offsets(topic: Ints, count: int) -> Longs:
    """Return the offset of each topic, shape (count + 1,), given the rows' ascending codes."""
    return np.searchsorted(topic, np.arange(count + 1, dtype=topic.dtype))


def make_run(name: str, rows: list[tuple[str, str, float]]) -> Run:
    """Build a small run from (topic, document, score) rows. For notebooks and tests.

    >>> run = make_run("a", [("1", "d1", 2.0), ("1", "d2", 1.0), ("2", "d1", 1.0)])
    >>> run.topics, run.starts.tolist()
    (('1', '2'), [0, 2, 3])
    """
    topics = tuple(dict.fromkeys(row[0] for row in rows))
    code = {topic: index for index, topic in enumerate(topics)}
    rows = sorted(rows, key=lambda row: code[row[0]])
    topic = np.array([code[row[0]] for row in rows], dtype=np.int32)
    return Run(
        name=name,
        topics=topics,
        starts=row_offsets(topic, len(topics)),
        document=to_arrow_strings([row[1] for row in rows]),
        score=np.array([row[2] for row in rows], dtype=np.float64),
        rank=np.full(len(rows), -1, dtype=np.int32),
        line=np.arange(1, len(rows) + 1, dtype=np.int32),
    )


def make_qrels(rows: list[tuple[str, str, int]]) -> Qrels:
    """Build qrels from (topic, document, grade) rows. For notebooks, tests and projects.

    >>> make_qrels([("1", "d1", 2), ("2", "d1", 0)]).grade
    array([2, 0], dtype=int32)
    """
    topics = tuple(dict.fromkeys(row[0] for row in rows))
    documents = tuple(dict.fromkeys(row[1] for row in rows))
    topic_code = {topic: index for index, topic in enumerate(topics)}
    document_code = {document: index for index, document in enumerate(documents)}
    rows = sorted(rows, key=lambda row: topic_code[row[0]])
    return Qrels(
        topics=topics,
        starts=row_offsets(
            np.array([topic_code[row[0]] for row in rows], dtype=np.int32), len(topics)
        ),
        documents=to_arrow_strings(documents),
        document=np.array([document_code[row[1]] for row in rows], dtype=np.int32),
        grade=np.array([row[2] for row in rows], dtype=np.int32),
        group=np.zeros(len(rows), dtype=np.int32),
    )


# Order of a ranking: all measures and pools use the same rule, which is chosen by name

Mask = npt.NDArray[np.bool_]
Ties = Literal["trec", "docno", "rank", "file"]
TIES: tuple[Ties, ...] = get_args(Ties)
TIES_MEANING: dict[Ties, str] = {
    "trec": Message("by descending score, then by descending document id"),
    "docno": Message("by descending score, then by ascending document id"),
    "rank": Message("by the rank column"),
    "file": Message("in the order of the lines"),
}


def ranking_order(run: Run, ties: Ties = "trec") -> Longs | None:
    """Return row indices in ranking order, shape (N,); None if the rows are already in this order.

    `trec` sorts by descending score, and ties by descending document id (UTF-8 bytes). `docno`
    sorts ties by ascending id. `rank` sorts by the rank column, and ties in file order. `file` is
    the file order. Raises MeasureError for `rank` if a row has no rank.
    """
    reordered = reordered_rows(run, ties)
    if reordered is None:
        return None
    positions, rows = reordered
    order = np.arange(len(run))
    order[positions] = rows
    return order


def reordered_rows(
    run: Run, ties: Ties = "trec", unsorted_rows: Longs | None = None
) -> tuple[Longs, Longs] | None:
    """Return (positions, rows): the ranking has the row `rows[i]` at `positions[i]`, from 0.

    The positions are ascending. At all other positions, the ranking has the same row as the file.
    The result is None if no row differs.
    """
    if ties == "file":
        return None
    if ties == "rank":
        return _sort_by_rank(run)
    positions = find_unsorted_rows(run) if unsorted_rows is None else unsorted_rows
    if not len(positions):
        return None
    return positions, _break_ties(run, _sort_by_score(run, positions), descending=ties == "trec")


def compute_ranks(
    run: Run, rows: Longs, ties: Ties = "trec", unsorted_rows: Longs | None = None
) -> Ints:
    """Return the ranks, from 1, of some rows of a run; the rows may be in any order."""
    reordered = reordered_rows(run, ties, unsorted_rows)
    ranking_positions = rows if reordered is None else _compute_positions(rows, *reordered)
    return (ranking_positions - run.starts[topics_of_rows(run.starts, rows)] + 1).astype(np.int32)


def _compute_positions(rows: Longs, positions: Longs, ranked_rows: Longs) -> Longs:
    """Return the position of each row in the ranking, given the result of `reordered_rows`."""
    new_positions = np.empty_like(positions)
    new_positions[np.searchsorted(positions, ranked_rows)] = positions
    indices = np.minimum(np.searchsorted(positions, rows), len(positions) - 1)
    return np.where(positions[indices] == rows, new_positions[indices], rows)


def count_tied_documents(run: Run, unsorted_rows: Longs | None = None) -> int:
    """Return the number of documents with the same score as another document of their topic."""
    rows = _sort_by_score(run, find_unsorted_rows(run) if unsorted_rows is None else unsorted_rows)
    return int(np.count_nonzero(_find_ties(run, rows)[0]))


def find_unsorted_rows(run: Run) -> Longs:
    """Return all rows of those topics whose scores are not strictly descending."""
    is_not_descending = run.score[1:] >= run.score[:-1]
    is_not_descending[
        run.starts[1:-1][(run.starts[1:-1] > 0) & (run.starts[1:-1] < len(run))] - 1
    ] = False
    if not is_not_descending.any():
        return np.empty(0, dtype=np.int64)
    has_unsorted_rows = (
        np.bincount(
            topics_of_rows(run.starts, np.flatnonzero(is_not_descending) + 1),
            minlength=len(run.topics),
        )
        > 0
    )
    return np.flatnonzero(np.repeat(has_unsorted_rows, np.diff(run.starts)))


def _sort_by_score(run: Run, rows: Longs) -> Longs:
    """Return the rows of complete topics, sorted by topic and then by descending score."""
    score, topic = run.score[rows], topics_of_rows(run.starts, rows)
    is_rising = (score[1:] > score[:-1]) & (topic[1:] == topic[:-1])
    return rows[np.lexsort((-score, topic))] if is_rising.any() else rows


def _find_ties(run: Run, order: Longs) -> tuple[Mask, Mask]:
    """Return two masks of rows: tied with an adjacent row, and tied with the previous row."""
    score, topic = run.score[order], topics_of_rows(run.starts, order)
    equals_previous = np.concatenate(
        ([False], (score[1:] == score[:-1]) & (topic[1:] == topic[:-1]))
    )[: len(order)]
    return equals_previous | np.concatenate((equals_previous[1:], [False]))[
        : len(order)
    ], equals_previous


def _mark_first_rows(run: Run) -> np.ndarray:
    is_first = np.zeros(len(run) + 1, dtype=bool)
    is_first[run.starts[:-1]] = True
    return is_first[:-1]


def _sort_by_rank(run: Run) -> tuple[Longs, Longs] | None:
    if np.any(run.rank < 0):
        raise MeasureError(
            "Run {run} has rows without a rank, so ties cannot be broken by rank; choose "
            "another order.",
            key="rows-without-rank",
            run=run.name,
        )
    if bool(np.all((run.rank[1:] >= run.rank[:-1]) | _mark_first_rows(run)[1:])):
        return None
    return np.arange(len(run)), np.lexsort((run.rank, run.topic))


def _break_ties(run: Run, order: Longs, *, descending: bool) -> Longs:
    """Return the rows in `order`, with rows of the same topic and score sorted by document."""
    is_tied, equals_previous = _find_ties(run, order)
    if not is_tied.any():
        return order
    positions = np.flatnonzero(is_tied)
    ids = run.document.take(to_arrow_column(order[positions]))
    id_order = to_numpy(
        pyarrow.compute.array_sort_indices(ids, order="descending" if descending else "ascending")
    ).astype(np.int64)
    group = np.cumsum(~equals_previous)[positions]
    result = order.copy()
    result[positions] = order[positions][id_order[np.argsort(group[id_order], kind="stable")]]
    return result


def merge_subtopic_grades(
    rows: Iterable[tuple[str, str, int]],
) -> dict[tuple[str, str], int]:
    """Return the highest grade of each (topic, document); a pair has a row for each subtopic.

    >>> merge_subtopic_grades([("1", "x", 2), ("1", "x", 0), ("1", "y", 1)])
    {('1', 'x'): 2, ('1', 'y'): 1}
    """
    grades: dict[tuple[str, str], int] = {}
    for topic, document, grade in rows:
        grades[topic, document] = max(grade, grades.get((topic, document), grade))
    return grades


def top_documents(run: Run, topic: str, depth: int, ties: Ties = "trec") -> list[str]:
    """Return the ids of the first `depth` documents for a topic, best first."""
    return (
        _list_top_documents(run, run.topics.index(topic), depth, ties)
        if topic in run.topics
        else []
    )


def top_documents_by_topic(
    run: Run, depth: int, ties: Ties = "trec", *, topics: Collection[str] | None = None
) -> dict[str, list[str]]:
    """Return the ids of the first `depth` documents for each topic, or only for `topics`."""
    selected_topics = None if topics is None else {*topics}
    return {
        topic: _list_top_documents(run, code, depth, ties)
        for code, topic in enumerate(run.topics)
        if selected_topics is None or topic in selected_topics
    }


def _list_top_documents(run: Run, code: int, depth: int, ties: Ties) -> list[str]:
    topic = run.topics[code]
    begin, end = int(run.starts[code]), int(run.starts[code + 1])
    columns = {
        name: getattr(run, name)[begin:end] for name in ("document", "score", "rank", "line")
    }
    topic_run = replace(run, topics=(topic,), starts=np.array([0, end - begin]), **columns)
    order = ranking_order(topic_run, ties)
    documents: list[str] = topic_run.document.to_pylist()
    return (
        documents[:depth] if order is None else [documents[row] for row in order[:depth].tolist()]
    )


# Ranking reduced to judged documents, which is sufficient for evaluation


class RetrievedDocument(NamedTuple):
    """Row of a run, as a reader of a run format yields it: topic, document and score.

    If any row has no score, the documents are ranked in file order. An empty document id means that
    no document was retrieved for the topic.
    """

    topic: str
    document: str
    score: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRanking:
    """Rankings of one run for all topics, reduced to the documents in the qrels: H rows.

    It is sufficient to evaluate the run with these qrels, so that readers can discard the other
    documents. Each row has the document's rank in the whole ranking. Documents that the qrels
    contain without a grade are included. Grades are not included; `sizes` contains the number of
    retrieved documents of each topic.
    """

    name: str  # name of the run
    topics: tuple[str, ...]  # T topic ids in order of first appearance
    sizes: Longs  # shape (T,): number of retrieved documents of each topic
    topic: Ints  # shape (H,): index in `topics`, ascending
    rank: Ints  # shape (H,): rank from 1, ascending within a topic
    document: Ints  # shape (H,): code of the document in the qrels
    # number of documents of the run that have the same score as another document of their topic
    tied: int
    ties: Ties = "trec"  # how documents with equal scores are ordered
    single_precision: bool = False  # whether scores were rounded to single precision for comparison
    warnings: tuple[str, ...] = ()  # warnings from reading the file

    def with_topics(self, topics: Iterable[str]) -> "JudgedRanking":
        """Return the ranking with an empty ranking for each of the given topics that is missing."""
        existing_topics = {*self.topics}
        added_topics = tuple(
            dict.fromkeys(topic for topic in topics if topic not in existing_topics)
        )
        sizes = np.concatenate((self.sizes, np.zeros(len(added_topics), dtype=self.sizes.dtype)))
        return replace(self, topics=self.topics + added_topics, sizes=sizes)


# Pools


@dataclass(frozen=True, slots=True, eq=False)
class UnsampledDocuments:
    """M documents of T topics that could have been sampled for a pool but were not.

    The topics are those of the pool. Estimates of measures need the number of unsampled documents
    in each stratum.
    """

    starts: Longs  # shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`
    document: Ids  # M document ids, as Arrow strings
    stratum: Ints  # shape (M,): stratum of each document
    # shape (M,): inclusion probability of each document; NaN if an older file does not contain it
    probability: Floats

    def __len__(self) -> int:
        return len(self.document)


FIXED_ORDER = "answers"
"""Strategy name of a pool whose items are judged in fixed order, without shuffling for each
assessor.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Pool of N documents to be judged for T topics, with contributing runs and sampling data.

    The rows of a topic are consecutive; a document may be in the pool for several topics. A pool
    contains no judgments. If the pool is a random sample, each document has a stratum and an
    inclusion probability (otherwise 0 and 1), and the documents that were not sampled are in
    `unsampled`. There are no contributing runs if the pool was not built from runs, or was read
    from a pool file or a task file; single documents may also have none.
    """

    topics: tuple[str, ...]  # T topic ids
    starts: Longs  # shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`
    document: Ids  # N document ids, as Arrow strings
    strategy: str  # name of the strategy that built the pool
    parameters: dict[str, int | float | str]  # parameters of the strategy, including the seed
    runs: tuple[str, ...]  # names of the R contributing runs
    # The runs `contribution_run[contribution_starts[n]:contribution_starts[n + 1]]` contributed row
    # n; `contribution_rank` has the ranks, from 1. Runs and ranks are hidden from assessors.
    contribution_starts: Longs
    contribution_run: Ints
    contribution_rank: Ints
    # shape (N,): stratum of each document, from 0; all are 0 if the pool is not sampled, except for
    # documents that `build_extended_pool` added, which have a stratum of their own
    stratum: Ints
    # shape (N,): inclusion probability, in (0, 1]; all are 1 if the pool is not sampled
    probability: Floats
    # documents that were not sampled; empty if the pool is not sampled
    unsampled: UnsampledDocuments

    def __len__(self) -> int:
        return len(self.document)

    @property
    def topic(self) -> Ints:
        """Topic code of each row, shape (N,)."""
        return topic_of_each_row(self.starts)

    @property
    def in_order(self) -> bool:
        """Whether every assessor judges the documents in the order of the pool."""
        return self.strategy == FIXED_ORDER

    @property
    def is_sample(self) -> bool:
        """Whether the documents are a sample, so that values of measures are estimates."""
        return bool((self.probability < 1).any()) or len(self.unsampled) > 0

    @property
    def has_equal_probabilities(self) -> bool:
        """Whether every inclusion probability equals the sampled share of its stratum."""
        sampled_strata = (self.topic.astype(np.int64), self.stratum)
        unsampled_strata = (
            topic_of_each_row(self.unsampled.starts).astype(np.int64),
            self.unsampled.stratum,
        )
        stratum_count = 1 + max(
            int(self.stratum.max(initial=0)), int(self.unsampled.stratum.max(initial=0))
        )
        group, unsampled_group = (
            topic * stratum_count + stratum for topic, stratum in (sampled_strata, unsampled_strata)
        )
        count = np.bincount(group, minlength=len(self.topics) * stratum_count)
        stratum_sizes = count + np.bincount(unsampled_group, minlength=len(count))
        return bool(
            np.allclose(self.probability, (count / np.maximum(stratum_sizes, 1))[group], rtol=1e-6)
        )
