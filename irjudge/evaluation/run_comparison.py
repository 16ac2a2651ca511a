"""Two runs side by side and unblinded: where each document of a topic stands in both, and on which topics they differ most."""

from dataclasses import dataclass, replace

from irjudge.errors import IrjudgeError
from irjudge.evaluation.preferences import values_by_topic
from irjudge.evaluation.table import Evaluation
from irjudge.model import Floats, Run, Ties, top_documents
from irjudge.progress import SILENT, Progress
from irjudge.stats import RankPair, rank_biased_overlap, run_pairs

DEFAULT_DEPTH = 10


@dataclass(frozen=True, slots=True)
class JoinedRow:
    """A document of one ranking or of both."""

    document: str  # its id
    # 1-based rank in either run; None where it is not among the top
    first: int | None
    second: int | None
    grade: int | None = None  # what the qrels say; None where it is unjudged or there are none


@dataclass(frozen=True, slots=True)
class TopicOverlap:
    """How alike the tops of two rankings are for one topic."""

    topic: str  # its id
    # documents among the top of both runs, or of one: the areas of a Venn diagram
    both: int
    only_first: int
    only_second: int
    jaccard: float  # share of all these documents that are in both, between 0 and 1; 1 where both are empty
    rbo: float  # rank-biased overlap, extrapolated, between 0 and 1
    identical: bool  # whether the same documents stand in the same order
    # (measure, value of the first run, value of the second) for each measure that was evaluated for both
    values: tuple[tuple[str, float, float], ...] = ()

    def difference(self, measure: str) -> float | None:
        """Return the first run's value less the second's; None where it was not evaluated."""
        return next(
            (first - second for name, first, second in self.values if name == measure), None
        )


def join_rankings(
    first: Run,
    second: Run,
    topic: str,
    *,
    depth: int = DEFAULT_DEPTH,
    ties: Ties = "trec",
    grades: dict[str, int] | None = None,
) -> tuple[JoinedRow, ...]:
    """Return the documents among the top `depth` of either run, in the order of the first, then those of the second alone.

    A run that lacks the topic ranks nothing; `ties` says who stands first of equal scores, and `grades` are those of documents judged for
    the topic. IrjudgeError when depth is below 1 or neither run has the topic.

    >>> from irjudge.model import make_run
    >>> runs = [make_run(name, [("1", "d1", 2.0), ("1", other, 1.0)]) for name, other in (("a", "d2"), ("b", "d3"))]
    >>> [(row.document, row.first, row.second) for row in join_rankings(*runs, "1")]
    [('d1', 1, 1), ('d2', 2, None), ('d3', None, 2)]
    """
    if depth < 1:
        raise IrjudgeError("The depth must be 1 or more, got {depth}.", depth=depth)
    if topic not in first.topics and topic not in second.topics:
        raise IrjudgeError(
            "Neither {first} nor {second} has the topic {topic}.",
            first=first.name,
            second=second.name,
            topic=topic,
        )
    one, two = (
        dict(zip(top_documents(run, topic, depth, ties), range(1, depth + 1), strict=False))
        for run in (first, second)
    )
    return tuple(
        JoinedRow(each, one.get(each), two.get(each), (grades or {}).get(each))
        for each in {**one, **two}
    )


def compare_tops(
    first: Run,
    second: Run,
    *,
    depth: int = DEFAULT_DEPTH,
    p: float = 0.9,
    ties: Ties = "trec",
    evaluation: Evaluation | None = None,
    progress: Progress = SILENT,
) -> tuple[TopicOverlap, ...]:
    """Return how alike two runs are in their top `depth` on each topic both have, the topic on which they differ most first.

    Rank-biased overlap of persistence p decides the order, and topics that are as alike stand in the order of the first run; `ties` says
    who stands first of equal scores. Values of an evaluation with both runs, by name, are added where it has them. IrjudgeError when depth
    is below 1, or the runs share no topic.

    >>> from irjudge.model import make_run
    >>> a = make_run("a", [("1", "d1", 2.0), ("1", "d2", 1.0), ("2", "d1", 2.0), ("2", "d2", 1.0)])
    >>> b = make_run("b", [("1", "d1", 2.0), ("1", "d2", 1.0), ("2", "d3", 2.0), ("2", "d2", 1.0)])
    >>> [(each.topic, round(each.jaccard, 4), each.identical) for each in compare_tops(a, b)]
    [('2', 0.3333, False), ('1', 1.0, True)]
    """
    values = _PairValues.of(evaluation, first.name, second.name)
    pairs = run_pairs(first, second, depth=depth, ties=ties, progress=progress)
    found = [
        replace(_topic_overlap(each.topic, each.pair, p), values=values.topic(each.topic))
        for each in pairs
    ]
    return tuple(sorted(found, key=lambda each: each.rbo))


def _topic_overlap(topic: str, pair: RankPair, p: float) -> TopicOverlap:
    both = int(pair.common.sum())
    one, two = int((pair.first > 0).sum()), int((pair.second > 0).sum())
    return TopicOverlap(
        topic=topic,
        both=both,
        only_first=one - both,
        only_second=two - both,
        jaccard=both / len(pair) if len(pair) else 1.0,
        rbo=rank_biased_overlap(pair, p=p).extrapolated,
        identical=bool((pair.first == pair.second).all()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _PairValues:
    """The values of two runs under the measures of an evaluation."""

    measures: tuple[str, ...]
    first: dict[str, Floats]
    second: dict[str, Floats]

    @classmethod
    def of(cls, evaluation: Evaluation | None, first: str, second: str) -> "_PairValues":
        scores = {run.run: run for run in evaluation.runs} if evaluation else {}
        names = tuple(measure.name for measure in evaluation.measures) if evaluation else ()
        return cls(names, values_by_topic(scores.get(first)), values_by_topic(scores.get(second)))

    def topic(self, topic: str) -> tuple[tuple[str, float, float], ...]:
        if topic not in self.first or topic not in self.second:
            return ()
        return tuple(
            zip(self.measures, self.first[topic].tolist(), self.second[topic].tolist(), strict=True)
        )
