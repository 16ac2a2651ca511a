"""What if: a ranking of one topic that can be changed at will, and what would change a value most. Nothing of it is kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irjudge.evaluation.explain import Explanation, explanation
from irjudge.evaluation.join import join
from irjudge.evaluation.retrieval import retrieved, single_precision
from irjudge.evaluation.table import Policy, evaluate
from irjudge.metrics.basis.judged import JudgedRun, Scores
from irjudge.metrics.naming.names import Measure
from irjudge.model.arrow import column_of, strings_of
from irjudge.model.order import top_documents
from irjudge.model.ranking import UNJUDGED, Qrels, Run
from irjudge.model.side import SideTable
from irjudge.progress import SILENT, Progress

# Which exchanges are tried: an upper and a lower rank. Beyond, documents are nearly always as good as those tried.
UPPER, LOWER = 50, 200
# Exchanges computed at once, so that long rankings need little memory.
AT_ONCE = 2_000
SAME = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """The ranking of one run for one topic with its judgments, apart from both."""

    # their names
    run: str
    topic: str
    documents: tuple[str, ...]  # the ranking, first to last
    # (document, grade, group) of the topic; a document judged for several groups (subtopics) stands there several times
    judgments: tuple[tuple[str, int, int], ...]
    groups: tuple[str, ...]  # what a group's code means
    policy: Policy  # how it is evaluated; the order of ties has been used already
    highest: int  # the highest grade of the scale
    collection: int | None = (
        None  # the number of documents in the collection; None when it is not known
    )
    sides: tuple[SideTable, ...] = ()  # what was read of side files

    @property
    def grades(self) -> dict[str, int]:
        """The grade of each document that the qrels name, the highest of its groups."""
        found: dict[str, int] = {}
        for document, grade, _ in self.judgments:
            found[document] = max(grade, found.get(document, grade))
        return found

    @property
    def ideal(self) -> tuple[tuple[str, int], ...]:
        """(document, grade) of all that gain something, best first; of equal ones those ranked higher come first."""
        place = {document: rank for rank, document in enumerate(self.documents)}
        gaining = [(document, grade) for document, grade in self.grades.items() if grade > 0]
        return tuple(
            sorted(gaining, key=lambda pair: (-pair[1], place.get(pair[0], len(place)), pair[0]))
        )

    def moved(self, place: int, to: int) -> "Trial":
        """Return the ranking with the document at a place, counted from 0, at another; those between make room."""
        documents = list(self.documents)
        documents.insert(to, documents.pop(place))
        return replace(self, documents=tuple(documents))

    def exchanged(self, one: int, other: int) -> "Trial":
        """Return the ranking with the documents at two places, counted from 0, exchanged."""
        documents = list(self.documents)
        documents[one], documents[other] = documents[other], documents[one]
        return replace(self, documents=tuple(documents))

    def graded(self, document: str, grade: int | None) -> "Trial":
        """Return the judgments with another grade of a document, in each of its groups; None makes it unjudged."""
        others = tuple(row for row in self.judgments if row[0] != document)
        groups = [row[2] for row in self.judgments if row[0] == document] or [0]
        rows = () if grade is None else tuple((document, grade, group) for group in groups)
        return replace(self, judgments=others + rows)

    def values(self, measures: Sequence[Measure]) -> Scores:
        """Return the value of each measure, as `evaluate` computes it: shape (M,); MeasureError when one cannot be computed."""
        known: dict[str, Any] = {
            "highest": self.highest,
            "collection": self.collection,
            "sides": self.sides,
        }
        scores = evaluate(
            self.qrels(), [self.ranking()], measures, self._rules(), is_part=True, **known
        )
        values: Scores = scores.runs[0].values[:, 0]
        return values

    def explained(self, measure: Measure, titles: Mapping[str, str] | None = None) -> Explanation:
        """Return how a value comes about; documents are called by their titles where these are given.

        MeasureError when it cannot be computed.
        """
        known: dict[str, Any] = {
            "highest": self.highest,
            "collection": self.collection,
            "sides": self.sides,
            "titles": titles,
        }
        return explanation(
            self.qrels(), self.ranking(), self.topic, measure, self._rules(), **known
        )

    def joined(self) -> JudgedRun:
        """Return what measures see."""
        found = retrieved(self.ranking(), self.qrels(), "file")
        return join(
            found,
            self.qrels(),
            topics="qrels",
            highest=self.highest,
            depth=self.policy.depth,
            collection=self.collection,
        )

    def _rules(self) -> Policy:
        """Return the policy for a ranking whose order stands, and a topic that is there."""
        return replace(self.policy, ties="file", topics="qrels", average="macro")

    def qrels(self) -> Qrels:
        """Return the judgments as qrels of one topic."""
        documents = tuple(dict.fromkeys(row[0] for row in self.judgments))
        code = {document: place for place, document in enumerate(documents)}
        return Qrels(
            topics=(self.topic,),
            starts=np.array([0, len(self.judgments)], dtype=np.int64),
            documents=strings_of(documents),
            document=np.array([code[row[0]] for row in self.judgments], dtype=np.int32),
            grade=np.array([row[1] for row in self.judgments], dtype=np.int32),
            group=np.array([row[2] for row in self.judgments], dtype=np.int32),
            groups=self.groups,
        )

    def ranking(self) -> Run:
        """Return the documents as a run of one topic, in the order of its lines; one without documents lacks the topic."""
        count = len(self.documents)
        return Run(
            name=self.run,
            topics=(self.topic,) if count else (),
            starts=np.array([0, count] if count else [0], dtype=np.int64),
            document=strings_of(self.documents),
            score=np.arange(count, 0, -1, dtype=np.float64),
            rank=np.arange(1, count + 1, dtype=np.int32),
            line=np.arange(1, count + 1, dtype=np.int32),
        )


def trial_of(
    qrels: Qrels,
    run: Run,
    topic: str,
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    collection: int | None = None,
    sides: Sequence[SideTable] = (),
) -> Trial:
    """Return the ranking of a run for a topic of the qrels, to try things on; a run that lacks the topic ranks nothing.

    Other parameters are those of `evaluate`. ValueError when the qrels do not have the topic.

    >>> from irjudge.metrics.naming.names import parse
    >>> from irjudge.model.ranking import make_qrels, make_run
    >>> run = make_run("a", [("1", "x", 2.0), ("1", "y", 1.0)])
    >>> trial = trial_of(make_qrels([("1", "y", 1)]), run, "1")
    >>> trial.values(parse("RR")), trial.moved(1, 0).values(parse("RR"))
    (array([0.5]), array([1.]))
    """
    policy = policy or Policy()
    here = qrels.topics.index(topic)
    rows = slice(int(qrels.starts[here]), int(qrels.starts[here + 1]))
    names = qrels.documents.take(column_of(qrels.document[rows])).to_pylist()
    documents = top_documents(
        single_precision(run) if policy.single else run,
        topic,
        policy.depth or max(1, len(run)),
        policy.ties,
    )
    return Trial(
        run.name,
        topic,
        tuple(documents),
        tuple(zip(names, qrels.grade[rows].tolist(), qrels.group[rows].tolist(), strict=True)),
        qrels.groups,
        policy,
        int(qrels.grade.max(initial=0)) if highest is None else highest,
        collection,
        tuple(sides),
    )


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two ranks whose documents change places, the upper one first, and what the value is then."""

    upper: int
    lower: int
    value: float


@dataclass(frozen=True, slots=True)
class NextJudgment:
    """The highest document that nobody judged, and what the value is when it gets the lowest or the highest grade."""

    rank: int
    document: str
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class ValueChanges:
    """What would change a value."""

    value: float  # what it is
    # the exchange of two documents that raises it most, of equal ones that of the highest ranks; None where none raises it
    exchange: Exchange | None
    tried: int  # how many exchanges were tried; exchanges of documents with the same grade change nothing and are not among them
    judgment: NextJudgment | None  # None where every document is judged


def changes(trial: Trial, measure: Measure, progress: Progress = SILENT) -> ValueChanges:
    """Compute what would change a value, each possibility as the measure itself computes it; MeasureError when it cannot be computed.

    Of rankings longer than `LOWER`, exchanges below it are not tried, nor those whose upper rank is below `UPPER`; with subtopics no
    exchanges are tried. Progress is told as exchanges go by.
    """
    judged = trial.joined()
    value = float(trial.values([measure])[0])
    pairs = [] if judged.subtopics else list(_pairs(trial))
    best: Exchange | None = None
    for begin in range(0, len(pairs), AT_ONCE):
        some = np.array(pairs[begin : begin + AT_ONCE], dtype=np.int32)
        found = measure.compute(_exchanged(judged, some))
        at = int(found.argmax())
        if found[at] > (best.value if best else value) + SAME:
            best = Exchange(int(some[at, 0]), int(some[at, 1]), float(found[at]))
        progress.step(begin + len(some), len(pairs), "")
    return ValueChanges(value, best, len(pairs), _next_judgment(trial, measure))


def _pairs(trial: Trial) -> Iterator[tuple[int, int]]:
    """Yield pairs of ranks whose documents differ in grade, the upper one first."""
    known = trial.grades
    grades = [known.get(document) for document in trial.documents[:LOWER]]
    for upper in range(1, min(UPPER, len(grades)) + 1):
        for lower in range(upper + 1, len(grades) + 1):
            if grades[upper - 1] != grades[lower - 1]:
                yield upper, lower


def _exchanged(
    judged: JudgedRun, pairs: "np.ndarray[tuple[int, int], np.dtype[np.int32]]"
) -> JudgedRun:
    """Return a topic for each pair of ranks: the first topic of `judged`, with the documents at these ranks exchanged."""
    count, hits = len(pairs), len(judged.hit_rank)
    upper, lower = pairs[:, :1], pairs[:, 1:]
    rank = np.where(
        judged.hit_rank == upper, lower, np.where(judged.hit_rank == lower, upper, judged.hit_rank)
    )
    order = np.argsort(rank, axis=1)
    return JudgedRun(
        topics=tuple(map(str, range(count))),
        hit_topic=np.repeat(np.arange(count, dtype=np.int32), hits),
        hit_rank=np.take_along_axis(rank, order, axis=1).ravel().astype(np.int32),
        hit_grade=judged.hit_grade[order].ravel(),
        n_retrieved=np.repeat(judged.n_retrieved, count),
        judged_starts=np.arange(count + 1, dtype=np.int64) * len(judged.judged_grades),
        judged_grades=np.tile(judged.judged_grades, count),
        highest=judged.highest,
        collection=judged.collection,
    )


def _next_judgment(trial: Trial, measure: Measure) -> NextJudgment | None:
    known = trial.grades
    for rank, document in enumerate(trial.documents, 1):
        if known.get(document, UNJUDGED) == UNJUDGED:
            lowest, highest = (
                float(trial.graded(document, grade).values([measure])[0])
                for grade in (0, trial.highest)
            )
            return NextJudgment(rank, document, lowest, highest)
    return None
