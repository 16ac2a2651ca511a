"""Qrels and runs as columns: no Python object a line."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irjudge.model.arrow import column_of, strings_of
from irjudge.model.topic import by_text

Ints: TypeAlias = npt.NDArray[np.int32]
Longs: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Ids: TypeAlias = Any  # a pyarrow.StringArray; pyarrow ships no types

UNJUDGED = -1
UNJUDGEABLE = -2


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Which documents were judged for which topic, and how."""

    topics: tuple[str, ...]  # T topic ids in order of first appearance
    starts: Longs  # shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`
    documents: Ids  # D different document ids, coded by their place
    # shape (N,): code of the document; grade, `UNJUDGED` (-1) for pooled but unjudged and `UNJUDGEABLE` (-2); code of column 2 (subtopic or
    # group) in `groups`
    document: Ints
    grade: Ints
    group: Ints
    groups: tuple[str, ...] = ("0",)  # what column 2 said
    remarks: tuple[str, ...] = ()  # what was strange in the file, a sentence each
    titles: tuple[str, ...] = ()  # the T texts of the queries, where the file knows topics by them

    def __len__(self) -> int:
        return len(self.grade)

    @property
    def topic(self) -> Ints:
        """The topic code of each row, shape (N,)."""
        return rows_to_topics(self.starts)

    def only(self, topics: Collection[str]) -> "Qrels":
        """Return the judgments of some topics, in the same order."""
        kept = np.array([topic in topics for topic in self.topics], dtype=bool)
        rows = kept[self.topic]
        titles = (
            tuple(title for title, stays in zip(self.titles, kept.tolist(), strict=True) if stays)
            if self.titles
            else ()
        )
        return replace(
            self,
            topics=tuple(
                topic for topic, stays in zip(self.topics, kept.tolist(), strict=True) if stays
            ),
            starts=np.append(0, np.cumsum(np.diff(self.starts)[kept])),
            document=self.document[rows],
            grade=self.grade[rows],
            group=self.group[rows],
            titles=titles,
        )

    def rows(self) -> Iterator[tuple[str, str, int]]:
        """Yield (topic, document, grade) of each row, for writing; not for computing."""
        documents = self.documents.to_pylist()
        for topic, document, grade in zip(
            self.topic.tolist(), self.document.tolist(), self.grade.tolist(), strict=True
        ):
            yield self.topics[topic], documents[document], grade

    def to_arrow(self) -> pa.Table:
        """Return an Arrow table with the columns query_id, doc_id, relevance and iteration, N rows.

        >>> make_qrels([("1", "d1", 2), ("1", "d2", 0)]).to_arrow().column("relevance").to_pylist()
        [2, 0]
        """
        return pa.table(
            {
                "query_id": strings_of(self.topics).take(column_of(self.topic)),
                "doc_id": self.documents.take(column_of(self.document)),
                "relevance": pa.array(self.grade.tolist(), pa.int32()),
                "iteration": strings_of(self.groups).take(column_of(self.group)),
            }
        )

    def to_pandas(self) -> Any:
        """Return what `to_arrow` does as a pandas table.

        >>> make_qrels([("1", "d1", 2)]).to_pandas().columns.tolist()
        ['query_id', 'doc_id', 'relevance', 'iteration']
        """
        return self.to_arrow().to_pandas()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Give the table to any program that takes Arrow's streams, as polars does."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What one system retrieved, in the order of its file within each topic.

    Document ids stay one Arrow column: coding millions of different ids costs more than all measures together,
    and only those the qrels name are ever needed as codes.
    """

    name: str  # the run's name: its tag, or the file's name
    # T topic ids in order of first appearance; those for which nothing was retrieved have no rows
    topics: tuple[str, ...]
    starts: Longs  # shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`
    document: Ids  # N document ids, Arrow strings
    score: Floats  # shape (N,)
    rank: Ints  # shape (N,), the rank column as given; -1 where it is missing
    line: Ints  # shape (N,), 1-based line in the file
    remarks: tuple[str, ...] = ()  # what was strange in the file, a sentence each
    metadata: str = ""  # what the run says of itself in a block of ir_metadata, YAML
    tag: str = ""  # what all lines of its file call it; empty where they have no tag or several

    def __len__(self) -> int:
        return len(self.score)

    @property
    def topic(self) -> Ints:
        """The topic code of each row, shape (N,)."""
        return rows_to_topics(self.starts)

    @property
    def empty_topics(self) -> tuple[str, ...]:
        """The topics for which nothing was retrieved."""
        empty = np.flatnonzero(np.diff(self.starts) == 0).tolist()
        return tuple(self.topics[code] for code in empty)

    def with_topics(self, topics: Iterable[str]) -> "Run":
        """Return the same run with an empty ranking for each of some topics that it lacks.

        >>> run = make_run("a", [("1", "d1", 2.0)]).with_topics(["2", "1"])
        >>> run.topics, run.empty_topics
        (('1', '2'), ('2',))
        """
        known = {*self.topics}
        added = tuple(dict.fromkeys(topic for topic in topics if topic not in known))
        ends = np.full(len(added), self.starts[-1], dtype=self.starts.dtype)
        return replace(self, topics=self.topics + added, starts=np.concatenate((self.starts, ends)))

    def without_empty_topics(self) -> "Run":
        """Return the same run without the topics for which nothing was retrieved.

        >>> make_run("a", [("1", "d1", 2.0)]).with_topics(["2"]).without_empty_topics().topics
        ('1',)
        """
        empty = {*self.empty_topics}
        return self.only([topic for topic in self.topics if topic not in empty]) if empty else self

    def to_arrow(self) -> pa.Table:
        """Return an Arrow table with the columns query_id, doc_id, score and rank, N rows; a rank that the file lacks is null.

        Topics for which nothing was retrieved have no row in it; `empty_topics` are these.

        >>> make_run("a", [("1", "d1", 2.5)]).to_arrow().to_pylist()
        [{'query_id': '1', 'doc_id': 'd1', 'score': 2.5, 'rank': None}]
        """
        return pa.table(
            {
                "query_id": strings_of(self.topics).take(column_of(self.topic)),
                "doc_id": self.document,
                "score": pa.array(self.score.tolist(), pa.float64()),
                "rank": pa.array(
                    [rank if rank >= 0 else None for rank in self.rank.tolist()], pa.int32()
                ),
            }
        )

    def to_pandas(self) -> Any:
        """Return what `to_arrow` does as a pandas table.

        >>> make_run("a", [("1", "d1", 2.5)]).to_pandas().score.tolist()
        [2.5]
        """
        return self.to_arrow().to_pandas()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Give the table to any program that takes Arrow's streams, as polars does."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def only(self, topics: Collection[str]) -> "Run":
        """Return what was retrieved for some topics.

        >>> run = make_run("a", [("1", "d1", 2.0), ("2", "d2", 1.0), ("3", "d3", 1.0)]).only(["3", "1"])
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
            self.document.take(column_of(rows)),
            self.score[rows],
            self.rank[rows],
            self.line[rows],
            self.remarks,
            self.metadata,
            self.tag,
        )


def keyed(run: Run, qrels: Qrels) -> Run:
    """Return a run whose topics that are texts of queries have the ids that these queries have in the qrels.

    >>> qrels = replace(make_qrels([("q1", "d1", 2)]), titles=("jazz bass",))
    >>> keyed(make_run("a", [("jazz  bass", "d1", 1.0), ("rock", "d2", 1.0)]), qrels).topics
    ('q1', 'rock')
    """
    if not qrels.titles:
        return run
    return replace(
        run,
        topics=by_text(
            run.topics, {*qrels.topics}, dict(zip(qrels.titles, qrels.topics, strict=True))
        ),
    )


def rows_to_topics(starts: Longs) -> Ints:
    """Return the topic code of each row from the rows' offsets: shape (starts[-1],)."""
    return np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))


def topics_at(starts: Longs, rows: Longs) -> Ints:
    """Return the topic codes of some rows from all rows' offsets: shape (len(rows),)."""
    return (np.searchsorted(starts, rows, side="right") - 1).astype(np.int32)


def starts_of(topic: Ints, count: int) -> Longs:
    """Return the offsets, shape (count + 1,), of topic codes that stand in ascending order."""
    return np.searchsorted(topic, np.arange(count + 1, dtype=topic.dtype))


def make_run(name: str, rows: list[tuple[str, str, float]]) -> Run:
    """Build a small run from (topic, document, score) rows, for notebooks and tests.

    >>> run = make_run("a", [("1", "d1", 2.0), ("1", "d2", 1.0), ("2", "d1", 1.0)])
    >>> run.topics, run.starts.tolist()
    (('1', '2'), [0, 2, 3])
    """
    topics = tuple(dict.fromkeys(row[0] for row in rows))
    code = {topic: place for place, topic in enumerate(topics)}
    rows = sorted(rows, key=lambda row: code[row[0]])
    topic = np.array([code[row[0]] for row in rows], dtype=np.int32)
    return Run(
        name=name,
        topics=topics,
        starts=starts_of(topic, len(topics)),
        document=strings_of([row[1] for row in rows]),
        score=np.array([row[2] for row in rows], dtype=np.float64),
        rank=np.full(len(rows), -1, dtype=np.int32),
        line=np.arange(1, len(rows) + 1, dtype=np.int32),
    )


def make_qrels(rows: list[tuple[str, str, int]]) -> Qrels:
    """Build small qrels from (topic, document, grade) rows, for notebooks, tests and judged projects.

    >>> make_qrels([("1", "d1", 2), ("2", "d1", 0)]).grade
    array([2, 0], dtype=int32)
    """
    topics = tuple(dict.fromkeys(row[0] for row in rows))
    documents = tuple(dict.fromkeys(row[1] for row in rows))
    topic_code = {topic: place for place, topic in enumerate(topics)}
    document_code = {document: place for place, document in enumerate(documents)}
    rows = sorted(rows, key=lambda row: topic_code[row[0]])
    return Qrels(
        topics=topics,
        starts=starts_of(
            np.array([topic_code[row[0]] for row in rows], dtype=np.int32), len(topics)
        ),
        documents=strings_of(documents),
        document=np.array([document_code[row[1]] for row in rows], dtype=np.int32),
        grade=np.array([row[2] for row in rows], dtype=np.int32),
        group=np.zeros(len(rows), dtype=np.int32),
    )
