"""Explains one value: a measure, a run, a topic, and each number on the way."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irjudge.catalogue import nearest
from irjudge.errors import IrjudgeError
from irjudge.evaluation.join import join
from irjudge.evaluation.retrieval import retrieved, single_precision
from irjudge.evaluation.table import Policy, evaluate, highest_of, with_sides
from irjudge.message import Message
from irjudge.metrics.basis.judged import JudgedRun
from irjudge.metrics.basis.working import (
    WORKINGS,
    Board,
    Cell,
    Working,
    is_relevant,
    looked_at,
    relevance,
    relevant_step,
)
from irjudge.metrics.naming.names import Measure
from irjudge.metrics.naming.profiles import RULES
from irjudge.model.arrow import column_of
from irjudge.model.order import ranking_order
from irjudge.model.ranking import Qrels, Run
from irjudge.model.side import SideTable

COLUMNS = ("rank", "document", "grade")
SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Explanation:
    """A value and how it comes about."""

    measure: Measure  # what is explained
    board: Board  # the ranking
    working: Working  # the calculation; without columns where the measure has no working of its own
    value: float  # what `evaluate` gives

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the cells of `rows`."""
        return (*COLUMNS, *self.working.columns)

    def rows(self) -> Iterable[tuple[Cell, ...]]:
        """Yield the cells of each rank that the measure looks at; all ranks where nothing runs along."""
        beside = self.working.rows if self.working.columns else ((),) * len(self.board.documents)
        for rank, cells in enumerate(beside, 1):
            yield rank, self.board.documents[rank - 1], self.board.grades[rank - 1], *cells

    @property
    def result(self) -> str:
        """The last line: the measure and its value in full."""
        whole = self.measure.declaration.summary == "sum" and self.value == round(self.value)
        return f"{self.measure.name} = {round(self.value) if whole else self.value}"


def explanation(
    qrels: Qrels,
    run: Run,
    topic: str,
    measure: Measure,
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    collection: int | None = None,
    sides: Sequence[SideTable] = (),
    titles: Mapping[str, str] | None = None,
) -> Explanation:
    """Return how the value of one topic comes about; parameters that `evaluate` has too are explained there.

    A measure without a working of its own is explained by its formula and the counts it may use. How topics are averaged does not matter. A
    document that is spoken of is called by its title in `titles`, one without by its id.

    IrjudgeError when the topic is not evaluated, with the nearest topic that is there. MeasureError when the measure cannot be computed.

    >>> from irjudge.metrics.naming.names import parse
    >>> from irjudge.model.ranking import make_qrels, make_run
    >>> run = make_run("a", [("1", "x", 2.0), ("1", "y", 1.0)])
    >>> found = explanation(make_qrels([("1", "y", 1)]), run, "1", parse("RR")[0])
    >>> found.working.steps[-1], found.result
    ('RR = 1 / rank of the first relevant document = 1 / 2 = 0.5000', 'RR = 0.5')
    """
    policy = policy or Policy()
    _must_know(topic, qrels, run)
    highest = highest_of(qrels, policy, highest).grade
    policy = replace(
        policy, average="macro", highest=highest
    )  # of all topics, not of this one alone
    alone, judged = _run_of(run, topic), _qrels_of(qrels, topic)
    found = retrieved(alone, judged, policy.ties, single=policy.single)
    scores = evaluate(
        judged,
        [alone if sides else found],
        [measure],
        policy,
        highest=highest,
        collection=collection,
        sides=sides,
        is_part=True,
    ).runs[0]
    if topic not in scores.topics:
        raise IrjudgeError(_why_left_out(topic, run, policy))
    seen = join(
        found, judged, topics="qrels", highest=highest, depth=policy.depth, collection=collection
    )
    seen = with_sides(seen, sides, alone, judged, policy)
    board = replace(
        _board(judged, single_precision(alone) if policy.single else alone, seen, policy),
        titles=titles or {},
    )
    value = float(scores.values[0, scores.topics.index(topic)])
    whole, board = board, board.condensed() if measure.judged_only else board
    work = WORKINGS.get(measure.declaration.name)
    working = work(board, **measure.settings) if work else _by_formula(board, measure)
    if work and not abs(working.result - value) <= SAME:
        said = _why_otherwise(working.result, value, lacking=topic not in run.topics, policy=policy)
        working = replace(working, steps=(*working.steps, said))
    if measure.judged_only:
        working = replace(working, steps=(_left_unjudged(whole, board), *working.steps))
    return Explanation(measure, board, working, value)


def _left_unjudged(whole: Board, condensed: Board) -> str:
    count = len(whole.documents) - len(condensed.documents)
    return Message(
        "judged_only: {count} unjudged documents leave the ranking, and ranks are counted anew.",
        count=count,
    )


def _why_otherwise(result: float, value: float, *, lacking: bool, policy: Policy) -> str:
    """Say why a calculation does not end at the value: a profile passes over topics that the run lacks; all else is a fault."""
    if lacking and RULES[policy.profile].skips_missing and value == 0:
        return Message(
            "The profile {profile} gives a topic that the run lacks 0.", profile=policy.profile
        )
    return Message(
        "This calculation is wrong: it comes to {result:g}, but the value is {value:g}. Trust the value, and please report the fault.",
        key="wrong-calculation",
        result=result,
        value=value,
    )


def _by_formula(board: Board, measure: Measure) -> Working:
    """Return what is known of a measure without a working of its own: its formula and the counts, nothing that was not computed."""
    values = measure.values
    rel, cutoff = values.get("rel"), values.get("cutoff")
    lowest, depth = (
        (rel if isinstance(rel, int) else 1),
        (cutoff if isinstance(cutoff, int) else None),
    )
    hits = board.hits(lowest, depth)
    counts = Message(
        "Relevant in the ranks looked at: {relevant}; judged not relevant there: {others}; unjudged there: {unjudged}; "
        "judged in all: {judged}.",
        relevant=len(hits),
        others=sum(
            is_relevant(grade, 0) and not is_relevant(grade, lowest) for grade in board.top(depth)
        ),
        unjudged=sum(not is_relevant(grade, 0) for grade in board.top(depth)),
        judged=len(board.judged),
    )
    steps = (
        relevance(lowest),
        looked_at(board, depth),
        relevant_step(board, lowest),
        counts,
        Message(
            "This measure has no written working. "
            "Its formula stands above; the value is what the measure itself computes from this ranking."
        ),
    )
    return Working(steps, float("nan"), hits=frozenset(hits))


# From files to the board


def _must_know(topic: str, qrels: Qrels, run: Run) -> None:
    if topic in qrels.topics:
        return
    if topic in run.topics:
        raise IrjudgeError(
            "Topic {topic} of run {run} is not in the qrels, so nothing is known of its documents.",
            key="topic-not-judged",
            topic=topic,
            run=run.name,
        )
    near = nearest(topic, [*qrels.topics, *run.topics])
    hint = (
        Message("did you mean {near}?", near=near)
        if near
        else Message(
            "the qrels have {value}{words}.",
            value=", ".join(qrels.topics[:5]) or "none",
            words=" …" * (len(qrels.topics) > 5),
        )
    )
    raise IrjudgeError(
        "Topic {topic!r} is neither in the qrels nor in run {run}; {hint}",
        topic=topic,
        run=run.name,
        hint=hint,
    )


def _why_left_out(topic: str, run: Run, policy: Policy) -> str:
    if topic not in run.topics and policy.topics == "both":
        return Message(
            "Topic {topic} is not in run {run}, so it is not evaluated; with the topics of the qrels it counts as an empty ranking.",
            topic=topic,
            run=run.name,
        )
    return Message(
        "Topic {topic} has no relevant document, and the chosen topics ({topics}) leave it out.",
        topic=topic,
        topics=policy.topics,
    )


def _run_of(run: Run, topic: str) -> Run:
    """Return the rows of one topic of a run; none where it lacks the topic."""
    here = run.topics.index(topic) if topic in run.topics else None
    begin, end = (0, 0) if here is None else (int(run.starts[here]), int(run.starts[here + 1]))
    return Run(
        name=run.name,
        topics=() if here is None else (topic,),
        starts=np.array([0] if here is None else [0, end - begin], dtype=np.int64),
        document=run.document[begin:end],
        score=run.score[begin:end],
        rank=run.rank[begin:end],
        line=run.line[begin:end],
        tag=run.tag,
    )


def _qrels_of(qrels: Qrels, topic: str) -> Qrels:
    """Return the qrels of one topic."""
    here = qrels.topics.index(topic)
    rows = slice(int(qrels.starts[here]), int(qrels.starts[here + 1]))
    starts = np.array([0, rows.stop - rows.start], dtype=np.int64)
    return replace(
        qrels,
        topics=(topic,),
        starts=starts,
        document=qrels.document[rows],
        grade=qrels.grade[rows],
        group=qrels.group[rows],
    )


def _board(qrels: Qrels, run: Run, seen: JudgedRun, policy: Policy) -> Board:
    """Return the board of the one topic of qrels."""
    order = ranking_order(run, policy.ties)
    documents = (
        run.document if order is None else run.document.take(column_of(order))
    ).to_pylist()[: policy.depth]
    grade = _grades(qrels)
    retrieved = set(documents)
    missed = sorted(
        ((name, each) for name, each in grade.items() if each > 0 and name not in retrieved),
        key=lambda pair: -pair[1],
    )
    judged = tuple(sorted((each for each in grade.values() if each >= 0), reverse=True))
    grades = tuple(grade.get(document) for document in documents)
    highest = max(seen.highest or 0, *judged, 0)
    return Board(
        run.name, seen.topics[0], tuple(documents), grades, judged, tuple(missed), highest, seen
    )


def _grades(qrels: Qrels) -> dict[str, int]:
    """Return the grade of each document; one that was judged for several subtopics has its highest."""
    names: Sequence[str] = qrels.documents.take(column_of(qrels.document)).to_pylist()
    found: dict[str, int] = {}
    for name, grade in zip(names, qrels.grade.tolist(), strict=True):
        found[name] = max(grade, found.get(name, grade))
    return found
