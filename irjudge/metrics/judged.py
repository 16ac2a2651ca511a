"""The judged ranking: run, qrels, subtopics and auxiliary tables, as used by measures."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.model import AUXILIARY_KINDS

# Judged ranking: the data of a run, qrels, subtopics and auxiliary files that measures use

Ints: TypeAlias = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Subtopics:
    """Judgments by subtopic for one judged run, as two tables with a row per document and subtopic.

    The first table has the documents that the run retrieved, the second all documents in the qrels.
    A grade is below 0 if the document is unjudged or unjudgeable.
    """

    # one row for each retrieved document and each subtopic for which it is in the qrels, sorted by
    # topic and rank; each column has shape (F,)
    retrieved_topic: Ints  # index of the topic in `JudgedRun.topics`
    retrieved_rank: Ints  # rank of the document, from 1
    retrieved_subtopic: Ints  # subtopic code
    retrieved_grade: Ints
    # one row for each document, retrieved or not, and each subtopic for which it is in the qrels,
    # sorted by topic and document; each column has shape (S,)
    topic: Ints  # index of the topic in `JudgedRun.topics`
    # documents are numbered 0, 1, 2 … over all topics; among equally good documents, the one with
    # the lower number is first in the ideal ranking
    document: Ints
    subtopic: Ints  # subtopic code
    grade: Ints
    names: tuple[str, ...] = ()  # subtopic names by code; empty if not needed

    def with_ranks(self, rank: Ints) -> "Subtopics":
        """Return the subtopics with new ranks; retrieved documents with rank 0 are omitted."""
        retrieved = rank > 0
        columns = (
            self.retrieved_topic[retrieved],
            rank[retrieved],
            self.retrieved_subtopic[retrieved],
            self.retrieved_grade[retrieved],
        )
        return Subtopics(*columns, self.topic, self.document, self.subtopic, self.grade, self.names)

    def __post_init__(self) -> None:
        retrieved, judged = self.retrieved_topic, self.topic
        if (
            not len(retrieved)
            == len(self.retrieved_rank)
            == len(self.retrieved_subtopic)
            == len(self.retrieved_grade)
        ):
            raise ValueError("Invalid subtopics: the rows of retrieved documents differ in length.")
        if not len(judged) == len(self.document) == len(self.subtopic) == len(self.grade):
            raise ValueError("Invalid subtopics: the rows of judged documents differ in length.")
        if (
            (np.diff(retrieved) < 0).any()
            or (np.diff(judged) < 0).any()
            or (np.diff(self.document) < 0).any()
        ):
            raise ValueError("Invalid subtopics: the rows are not sorted.")


Floats: TypeAlias = npt.NDArray[np.float64]
NOT_IN_QRELS = -3  # grade of a document that is not in the qrels


@dataclass(frozen=True, slots=True, eq=False)
class AuxiliaryRows:
    """Data of an auxiliary file for one judged run, as S rows; arrays of shape (S,).

    In a file about documents, a document's row is repeated for each topic in which the document was
    retrieved or judged; the rank is 0 if the document was not retrieved. A row of another file is,
    for example, a nugget or a citation of an answer; only rows of the run's topics are included.
    Strings are stored as codes, which are floats.
    """

    topic: Ints  # index of the topic in `JudgedRun.topics`, ascending
    # in files about documents, the rank from 1, ascending within a topic, or 0 if the document was
    # not retrieved; in other files 0
    rank: Ints
    # in files about documents, the grade as in `JudgedRun.hit_grade`, or -3 if the document is not
    # in the qrels; in other files -3
    grade: Ints
    # other columns by name: numbers, numeric values of choice columns, or codes of strings
    columns: Mapping[str, Floats]
    # strings by code, for each column of codes
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def where(self, mask: npt.NDArray[np.bool_], rank: Ints | None = None) -> "AuxiliaryRows":
        """Return the rows where `mask` is true, with new ranks if given."""
        return AuxiliaryRows(
            self.topic[mask],
            (self.rank if rank is None else rank)[mask],
            self.grade[mask],
            {name: column[mask] for name, column in self.columns.items()},
            self.names,
        )


Longs: TypeAlias = npt.NDArray[np.int64]

Scores: TypeAlias = npt.NDArray[np.float64]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Retrieved documents of one kind, such as relevant ones, or documents of the ideal ranking.

    They are sorted by topic and rank, by which they are identified; their ids are not stored. The
    arrays have shape (H,).
    """

    topic: Ints  # index of the topic in `JudgedRun.topics`
    rank: Ints  # rank of the document in the run or in the ideal ranking, from 1
    grade: Ints  # grade of the document
    gain: Floats | None  # gain of the document; None if the qrels have no gains but only grades
    nth_in_topic: Longs  # 1 for the topic's first hit of this kind, 2 for its second …

    def upto(self, cutoff: int | None) -> "Hits":
        """Return the hits at ranks 1 to `cutoff`; all hits if `cutoff` is None."""
        return (
            self
            if cutoff is None or cutoff >= self.rank.max(initial=0)
            else self.where(self.rank <= cutoff)
        )

    def where(self, mask: npt.NDArray[np.bool_]) -> "Hits":
        """Return the hits for which `mask`, shape (H,), is true.

        `nth_in_topic` is unchanged, so it also counts the omitted hits.
        """
        return Hits(
            self.topic[mask],
            self.rank[mask],
            self.grade[mask],
            None if self.gain is None else self.gain[mask],
            self.nth_in_topic[mask],
        )

    @property
    def gain_or_grade(self) -> Ints | Floats:
        """Gain of each hit if the qrels have gains, otherwise its grade."""
        return self.grade if self.gain is None else self.gain


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRun:
    """Run joined with qrels: H retrieved documents that are in the qrels, for T topics.

    Documents are identified by topic and rank; their ids are not stored. Other retrieved documents
    are only included in the number of retrieved documents, and in rows of auxiliary files. If the
    evaluation has a maximum depth, documents at ranks beyond it count as not retrieved. A judged
    run also contains the grades of all judged documents, retrieved or not. Retrieved documents in
    the qrels can be unjudged (grade -1) or unjudgeable (grade -2). With subtopics, the grade of a
    document is its highest grade over the subtopics.
    """

    topics: tuple[str, ...]  # T topic ids
    # retrieved documents that are in the qrels, sorted by topic and rank
    hit_topic: Ints  # index of the topic in `topics`, shape (H,)
    hit_rank: Ints  # rank of the document, from 1, shape (H,)
    hit_grade: Ints  # grade, shape (H,); -1 for pooled but unjudged, -2 for unjudgeable documents
    n_retrieved: Longs  # number of retrieved documents, in the qrels or not, shape (T,)
    # the grades of topic t are `judged_grades[judged_starts[t]:judged_starts[t + 1]]`; shape (T +
    # 1,)
    judged_starts: Longs
    # grades of all judged documents, retrieved or not, descending within a topic; shape (J,)
    judged_grades: Ints
    highest: int | None = None  # highest grade of the scale; None if unknown
    subtopics: Subtopics | None = None  # judgments by subtopic; None if the qrels have none
    collection: int | None = None  # number of documents in the collection; None if unknown
    # rows of each auxiliary file, by kind of file
    auxiliary: Mapping[str, AuxiliaryRows] = field(default_factory=dict)
    # gains, which increase with the grades; all None if the qrels have no gains
    hit_gain: Floats | None = None  # gains of the hits, shape (H,); 0 if unjudged or unjudgeable
    # gains of all judged documents, retrieved or not, descending within a topic; shape (J,)
    judged_gain: Floats | None = None
    highest_gain: float | None = None  # highest gain over all topics
    _cache: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        problem = _describe_problem(self)
        if problem:
            raise ValueError(f"Invalid judged run: {problem}.")

    def __len__(self) -> int:
        return len(self.topics)

    @classmethod
    def single(
        cls,
        ranked: Sequence[int | None],
        judged: Sequence[int] = (),
        *,
        n_retrieved: int | None = None,
        topic: str = "1",
        highest: int | None = None,
    ) -> Self:
        """Build a judged run of one topic by hand, for notebooks, explanations and tests.

        Parameters
        ----------
        ranked
            The grade at each rank; None for a document that is not in the qrels.
        judged
            Grades of all judged documents of the topic, in any order. Grades of `ranked` that
            are missing are added, since retrieved documents with a grade are judged.
        n_retrieved
            Number of retrieved documents, if more than in `ranked`.
        topic
            The topic's id.
        highest
            The highest grade of the scale.

        Examples
        --------
        >>> run = JudgedRun.single(ranked=[1, 0, None, 2], judged=[1, 2, 2])
        >>> run.hit_rank, run.hit_grade, run.judged_grades
        (array([1, 2, 4], dtype=int32), array([1, 0, 2], dtype=int32), array([2, 2, 1, 0], dtype=int32))
        """
        graded_ranks = [(rank, grade) for rank, grade in enumerate(ranked, 1) if grade is not None]
        grades = Counter(grade for grade in judged if grade >= 0) | Counter(
            grade for _, grade in graded_ranks if grade >= 0
        )
        return cls(
            topics=(topic,),
            hit_topic=np.zeros(len(graded_ranks), dtype=np.int32),
            hit_rank=np.array([rank for rank, _ in graded_ranks], dtype=np.int32),
            hit_grade=np.array([grade for _, grade in graded_ranks], dtype=np.int32),
            n_retrieved=np.array(
                [len(ranked) if n_retrieved is None else n_retrieved], dtype=np.int64
            ),
            judged_starts=np.array([0, grades.total()], dtype=np.int64),
            judged_grades=np.array(sorted(grades.elements(), reverse=True), dtype=np.int32),
            highest=highest,
        )

    def relevant_hits(self, rel: int = 1, cutoff: int | None = None) -> Hits:
        """Return the retrieved documents of grade `rel` or more at ranks 1 to `cutoff`.

        >>> hits = JudgedRun.single(ranked=[1, 0, None, 2]).relevant_hits(rel=1)
        >>> hits.rank, hits.nth_in_topic
        (array([1, 4], dtype=int32), array([1, 2]))
        """
        if cutoff is not None:
            return self.get_or_compute(
                ("hits", rel, cutoff), lambda: self.relevant_hits(rel).upto(cutoff)
            )
        return self.get_or_compute(("hits", rel), lambda: self._find_hits(rel))

    def _find_hits(self, rel: int) -> Hits:
        is_relevant = self.hit_grade >= rel
        topic = self.hit_topic[is_relevant]
        return Hits(
            topic,
            self.hit_rank[is_relevant],
            self.hit_grade[is_relevant],
            None if self.hit_gain is None else self.hit_gain[is_relevant],
            rank_in_topic(topic, len(self)),
        )

    def gaining_hits(self, cutoff: int | None = None) -> Hits:
        """Return the retrieved documents with positive gain at ranks 1 to `cutoff`."""
        if self.hit_gain is None:
            return self.relevant_hits(1, cutoff)
        judged = self.judged_hits(cutoff)
        return judged.where(judged.gain_or_grade > 0)

    def judged_hits(self, cutoff: int | None = None) -> Hits:
        """Return the retrieved documents of grade 0 or more at ranks 1 to `cutoff`."""
        return self.relevant_hits(0, cutoff)

    def ideal_hits(self, cutoff: int | None = None) -> Hits:
        """Return the documents with positive gain at ranks 1 to `cutoff` of the ideal ranking.

        >>> JudgedRun.single(ranked=[1, 0], judged=[2, 1]).ideal_hits().grade
        array([2, 1], dtype=int32)
        """
        if cutoff is not None:
            return self.get_or_compute(("ideal", cutoff), lambda: self.ideal_hits().upto(cutoff))
        return self.get_or_compute("ideal", self._find_ideal_hits)

    def _find_ideal_hits(self) -> Hits:
        gain = self.judged_gain
        has_gain = (self.judged_grades if gain is None else gain) > 0
        position = self.judged_position[has_gain]
        return Hits(
            self.judged_topic[has_gain],
            position.astype(np.int32),
            self.judged_grades[has_gain],
            None if gain is None else gain[has_gain],
            position,
        )

    def without_unjudged(self) -> "JudgedRun":
        """Return the run without unjudged documents, with ranks recomputed.

        >>> JudgedRun.single(ranked=[None, 1, -1, 0]).without_unjudged().hit_rank
        array([1, 2], dtype=int32)
        """
        return self.get_or_compute("condensed", self._condense_ranks)

    def _condense_ranks(self) -> "JudgedRun":
        hits, subtopics = self.judged_hits(), self.subtopics
        return replace(
            self,
            hit_topic=hits.topic,
            hit_rank=hits.nth_in_topic.astype(np.int32),
            hit_grade=hits.grade,
            hit_gain=hits.gain,
            n_retrieved=self.count_by_topic(hits.topic),
            subtopics=subtopics
            and subtopics.with_ranks(
                _number_among_hits(hits, subtopics.retrieved_topic, subtopics.retrieved_rank)
            ),
            auxiliary={name: _condense_rows(rows, hits) for name, rows in self.auxiliary.items()},
        )

    def with_tables(self, **tables: AuxiliaryRows) -> Self:
        """Return a copy of the run with the given auxiliary tables added."""
        return replace(self, auxiliary={**self.auxiliary, **tables})

    def auxiliary_rows(self, name: str) -> AuxiliaryRows:
        """Return an auxiliary table; raise MeasureError if it is missing."""
        if name not in self.auxiliary:
            rows = AUXILIARY_KINDS.lookup(name)
            raise MeasureError(
                "A measure needs the auxiliary file {name} ({title}), which is missing; expected {format}.",
                key="no-side-file",
                title=rows.title if rows else name,
                name=name,
                format=rows.column_description if rows else "",
            )
        return self.auxiliary[name]

    def n_relevant(self, rel: int = 1) -> Longs:
        """Return the number of documents of grade `rel` or more, retrieved or not: shape (T,)."""
        return self.get_or_compute(
            ("n_relevant", rel),
            lambda: self.count_by_topic(self.judged_topic[self.judged_grades >= rel]),
        )

    @property
    def n_judged(self) -> Longs:
        """Number of documents of grade 0 or more, retrieved or not: shape (T,)."""
        return np.diff(self.judged_starts)

    def count_retrieved(self, cutoff: int | None = None) -> Longs:
        """Return the number of documents at ranks 1 to `cutoff`: shape (T,)."""
        return self.n_retrieved if cutoff is None else np.minimum(self.n_retrieved, cutoff)

    def count_relevant_retrieved(self, rel: int = 1, cutoff: int | None = None) -> Longs:
        """Return the number of relevant documents at ranks 1 to `cutoff`: shape (T,)."""
        return self.count_by_topic(self.relevant_hits(rel, cutoff).topic)

    def count_non_relevant(self, rel: int, universe: int | str) -> Longs:
        """Return the number of non-relevant documents of a universe: shape (T,).

        The universe is `judged`, `collection`, or a number of documents. Raises MeasureError if the
        collection size is unknown.
        """
        if universe == "judged":
            return self.n_judged - self.n_relevant(rel)
        collection_size = self.collection if universe == "collection" else universe
        if collection_size is None:
            raise MeasureError(
                "universe=collection needs the size of the collection, which is unknown; give the "
                "size, for example universe=1400.",
                key="no-collection-size",
            )
        return int(collection_size) - self.n_relevant(rel)

    @property
    def judged_topic(self) -> Ints:
        """Topic index of each grade in `judged_grades`, shape (J,)."""
        return self.get_or_compute(
            "judged_topic", lambda: np.repeat(np.arange(len(self), dtype=np.int32), self.n_judged)
        )

    @property
    def judged_position(self) -> Longs:
        """Rank from 1 of each grade in `judged_grades` within its topic, best first, shape (J,)."""
        return self.get_or_compute(
            "judged_position", lambda: rank_in_topic(self.judged_topic, len(self))
        )

    def get_or_compute(self, key: Hashable, compute: Callable[[], Result]) -> Result:
        """Return the result of `compute`, cached in this run; callers must not modify it."""
        if key not in self._cache:
            self._cache[key] = compute()
        result: Result = self._cache[key]
        return result

    def sum_by_topic(self, topic: Ints, values: npt.NDArray[Any]) -> Floats:
        """Return the sum of `values` for each topic, shape (T,); 0 for a topic without values.

        Values are added in the order of the rows.
        """
        return np.bincount(topic, weights=values, minlength=len(self)).astype(
            np.float64, copy=False
        )

    def count_by_topic(self, topic: Ints) -> Longs:
        """Return the number of occurrences of each topic, shape (T,)."""
        return np.bincount(topic, minlength=len(self)).astype(np.int64, copy=False)

    def max_by_topic(self, topic: Ints, values: npt.NDArray[Any]) -> Floats:
        """Return the maximum of `values` for each topic, shape (T,); 0 for a topic without values.

        No value may be below 0.
        """
        maxima = np.zeros(len(self), dtype=np.float64)
        # `maximum.at` is ten times as fast with `intp` indexes and `float64` values
        np.maximum.at(maxima, topic.astype(np.intp), values.astype(np.float64))
        return maxima


def highest_gain(run: JudgedRun) -> float:
    """Return `run.highest_gain` or the highest judged gain of the run, whichever is higher."""
    highest_judged = 0.0 if run.judged_gain is None else float(run.judged_gain.max(initial=0))
    return max(run.highest_gain or 0.0, highest_judged)


def rank_in_topic(topic: Ints, count: int) -> Longs:
    """Return the position of each row in its topic, from 1.

    `topic` contains codes below `count`, in ascending order.

    >>> rank_in_topic(np.array([0, 0, 2, 2, 2], dtype=np.int32), 3)
    array([1, 2, 1, 2, 3])
    """
    sizes = np.bincount(topic, minlength=count)
    return np.arange(1, len(topic) + 1, dtype=np.int64) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _number_among_hits(hits: Hits, topic: Ints, rank: Ints) -> Ints:
    """Return the position, from 1, of each (topic, rank) among the topic's hits; 0 if not a hit."""
    hit_keys, requested_keys = (
        topics.astype(np.int64) << 32 | ranks
        for topics, ranks in ((hits.topic, hits.rank), (topic, rank))
    )
    indices = np.searchsorted(hit_keys, requested_keys)
    is_hit = np.append(hit_keys, -1)[indices] == requested_keys
    return np.where(is_hit, np.append(hits.nth_in_topic, 0)[indices], 0).astype(np.int32)


def _condense_rows(rows: AuxiliaryRows, hits: Hits) -> AuxiliaryRows:
    """Return the rows of hits and of unretrieved documents.

    The rank of a hit is replaced by the position among the hits of the topic.
    """
    rank = _number_among_hits(hits, rows.topic, rows.rank)
    return rows.where((rows.rank == 0) | (rank > 0), rank)


def divide(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """Return a / b, or 0 if b is 0; never NaN, and without warnings.

    >>> divide([1, 0, 3], [2, 0, 0])
    array([0.5, 0. , 0. ])
    """
    numerator, denominator = np.broadcast_arrays(
        np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    )
    quotient = np.zeros(numerator.shape, dtype=np.float64)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


def _describe_problem(run: JudgedRun) -> str:
    topics, starts = len(run.topics), run.judged_starts
    if not len(run.hit_topic) == len(run.hit_rank) == len(run.hit_grade):
        return "hit_topic, hit_rank and hit_grade differ in length"
    if len(run.n_retrieved) != topics or len(starts) != topics + 1:
        return f"{topics} topics need as many counts and one start more, got {len(run.n_retrieved)} and {len(starts)}"
    if starts[0] != 0 or starts[-1] != len(run.judged_grades) or (starts[1:] < starts[:-1]).any():
        return "judged_starts does not rise from 0 to the number of judged grades"
    if problem := _describe_gains_problem(run):
        return problem
    return (_describe_hits_problem(run) if len(run.hit_topic) else "") or _describe_grades_problem(
        run
    )


def _describe_gains_problem(run: JudgedRun) -> str:
    if (run.hit_gain is None) != (run.judged_gain is None):
        return "hit_gain and judged_gain go together"
    if run.hit_gain is None or run.judged_gain is None:
        return ""
    if len(run.hit_gain) != len(run.hit_grade) or len(run.judged_gain) != len(run.judged_grades):
        return "gains and grades differ in length"
    return ""


def _describe_hits_problem(run: JudgedRun) -> str:
    """Describe an inconsistency of the hits, if there is one; the run must have hits."""
    topic, rank = run.hit_topic, run.hit_rank
    if topic.min() < 0 or topic.max() >= len(run.topics):
        return "a hit names no topic"
    if rank.min() < 1 or (rank > run.n_retrieved[topic]).any():
        return "a hit's rank is outside what was retrieved"
    earlier_topics, later_topics = topic[:-1], topic[1:]
    if not (
        (later_topics > earlier_topics) | (later_topics == earlier_topics) & (rank[1:] > rank[:-1])
    ).all():
        return "the hits are not sorted by topic and rank, or a rank occurs twice"
    return ""


def _describe_grades_problem(run: JudgedRun) -> str:
    grades = run.judged_grades
    if (grades < 0).any():
        return "a judged grade is negative"
    is_increase, starts = grades[1:] > grades[:-1], run.judged_starts
    is_increase[starts[(starts > 0) & (starts < len(grades))] - 1] = False
    if is_increase.any():
        return "judged grades do not descend within a topic"
    return ""


# Running sums, products and maxima within each topic


def accumulate_by_topic(operation: np.ufunc, topic: Ints, values: Floats, count: int) -> Floats:
    """Return running sums, products or maxima within topics, shape (H,).

    `operation` is `np.add`, `np.multiply` or `np.maximum`. `topic` contains codes below `count` in
    ascending order. For `np.maximum`, all values must be 0 or more.
    The results of a topic do not depend on other topics.

    >>> accumulate_by_topic(np.add, np.array([0, 0, 2], dtype=np.int32), np.array([1.0, 2.0, 4.0]), 3)
    array([1., 3., 4.])
    """
    sizes = np.bincount(topic, minlength=count)
    starts = np.cumsum(sizes) - sizes
    result = np.empty(len(values), dtype=np.float64)
    for topics in _iter_similar_sizes(sizes):
        ranks = np.arange(sizes[topics].max())
        is_used = ranks < sizes[topics][:, None]
        indices = (starts[topics][:, None] + ranks)[is_used]
        padded_values = np.full(
            is_used.shape, 0.0 if operation.identity is None else float(operation.identity)
        )
        padded_values[is_used] = values[indices]
        result[indices] = operation.accumulate(padded_values, axis=1)[is_used]
    return result


def compute_accumulated_before(topic: Ints, accumulated: Floats, first: float) -> Floats:
    """Return the accumulated value before each row; `first` for the first row of a topic.

    >>> compute_accumulated_before(np.array([0, 0, 2], dtype=np.int32), np.array([1.0, 3.0, 4.0]), 0.0)
    array([0., 1., 0.])
    """
    previous_values = np.full(len(accumulated), first)
    previous_values[1:] = np.where(topic[1:] == topic[:-1], accumulated[:-1], first)
    return previous_values


def _iter_similar_sizes(sizes: Longs) -> Iterator[Longs]:
    """Yield groups of non-empty topics whose sizes differ by less than a factor of two.

    An array with a row for each topic of a group then needs little padding.
    """
    exponents = np.frexp(sizes)[1]
    for exponent in np.flatnonzero(np.bincount(exponents[sizes > 0])):
        yield np.flatnonzero(exponents == exponent)
