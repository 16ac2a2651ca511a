"""Comparison of two runs by document and by topic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation.preferences import values_by_topic
from irjudge.evaluation.table import Evaluation, Policy, evaluate_runs, parse_measures
from irjudge.judging import QrelsChoice, read_project_qrels
from irjudge.model import Floats, Qrels, Run, Ties, top_documents
from irjudge.progress import SILENT, Progress
from irjudge.stats import RankPair, rank_biased_overlap, run_pairs
from irjudge.store import Project

DEFAULT_DEPTH = 10


@dataclass(frozen=True, slots=True)
class JoinedRow:
    """Table row about a document of two rankings for one topic: its ranks and its grade.

    The document is among the top `depth` documents of at least one of the rankings. The Two
    rankings page shows both rankings from these rows.
    """

    document: str
    first: int | None  # rank in the first run, from 1; None if not among its top documents
    second: int | None  # rank in the second run, from 1; None if not among its top documents
    # grade; None if the document is not in the qrels, or if there are no qrels
    grade: int | None = None


@dataclass(frozen=True, slots=True)
class TopicOverlap:
    """Overlap of the top documents of two runs for one topic, and the values of both runs.

    The overlap is given as numbers of common and other documents, Jaccard index, and rank-biased
    overlap. Values are included for measures by which both runs were evaluated. An overlap is a row
    of the table of topics on the Two rankings page.
    """

    topic: str
    both: int  # number of documents among the top documents of both runs
    only_first: int  # number of documents among the top documents of only the first run
    only_second: int  # number of documents among the top documents of only the second run
    jaccard: float  # Jaccard index, between 0 and 1; 1 if both runs have no documents
    rbo: float  # rank-biased overlap, extrapolated, between 0 and 1
    identical: bool  # whether both runs have the same documents in the same order
    # measure, first run's value and second run's value, for measures evaluated for both runs
    values: tuple[tuple[str, float, float], ...] = ()

    def difference(self, measure: str) -> float | None:
        """Return the first run's value minus the second run's; None if there are no values."""
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
    """Return the documents among the top `depth` of at least one run.

    The documents of the first run are first, in its order. Then the other documents of the second
    run follow, in its order. A run that lacks the topic has no documents. `ties` is the order of
    equal scores, and `grades` contains the grades of documents judged for the topic. Raises
    IrjudgeError if depth is below 1 or neither run has the topic.

    >>> from irjudge.model import make_run
    >>> runs = [make_run(name, [("1", "d1", 2.0), ("1", other, 1.0)]) for name, other in (("a", "d2"), ("b", "d3"))]
    >>> [(row.document, row.first, row.second) for row in join_rankings(*runs, "1")]
    [('d1', 1, 1), ('d2', 2, None), ('d3', None, 2)]
    """
    if depth < 1:
        raise IrjudgeError("The depth must be at least 1, got {depth}.", depth=depth)
    if topic not in first.topics and topic not in second.topics:
        raise IrjudgeError(
            "Neither {first} nor {second} has the topic {topic}.",
            first=first.name,
            second=second.name,
            topic=topic,
        )
    first_run, second_run = (
        dict(zip(top_documents(run, topic, depth, ties), range(1, depth + 1), strict=False))
        for run in (first, second)
    )
    return tuple(
        JoinedRow(
            topic_name,
            first_run.get(topic_name),
            second_run.get(topic_name),
            (grades or {}).get(topic_name),
        )
        for topic_name in {**first_run, **second_run}
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
    """Return the overlap of the top `depth` of two runs for each common topic, lowest first.

    Topics are sorted by rank-biased overlap with persistence p; topics with equal overlap are in
    the order of the first run. `ties` is the order of equal scores. If the evaluation contains both
    runs, matched by name, the result includes their values for each topic. Raises IrjudgeError if
    depth is below 1, or the runs have no topic in common.

    >>> from irjudge.model import make_run
    >>> a = make_run("a", [("1", "d1", 2.0), ("1", "d2", 1.0), ("2", "d1", 2.0), ("2", "d2", 1.0)])
    >>> b = make_run("b", [("1", "d1", 2.0), ("1", "d2", 1.0), ("2", "d3", 2.0), ("2", "d2", 1.0)])
    >>> [(each.topic, round(each.jaccard, 4), each.identical) for each in compare_tops(a, b)]
    [('2', 0.3333, False), ('1', 1.0, True)]
    """
    values = _PairValues.from_evaluation(evaluation, first.name, second.name)
    overlaps = [
        replace(
            _compute_topic_overlap(pair.topic, pair.pair, p),
            values=values.list_topic_values(pair.topic),
        )
        for pair in run_pairs(first, second, depth=depth, ties=ties, progress=progress)
    ]
    return tuple(sorted(overlaps, key=lambda overlap: overlap.rbo))


def _compute_topic_overlap(topic: str, pair: RankPair, p: float) -> TopicOverlap:
    common_count = int(pair.common.sum())
    first_count, second_count = int((pair.first > 0).sum()), int((pair.second > 0).sum())
    return TopicOverlap(
        topic=topic,
        both=common_count,
        only_first=first_count - common_count,
        only_second=second_count - common_count,
        jaccard=common_count / len(pair) if len(pair) else 1.0,
        rbo=rank_biased_overlap(pair, p=p).extrapolated,
        identical=bool((pair.first == pair.second).all()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _PairValues:
    """Values of measures by topic for two runs; empty for a run that was not evaluated."""

    measures: tuple[str, ...]
    first: dict[str, Floats]
    second: dict[str, Floats]

    @classmethod
    def from_evaluation(
        cls, evaluation: Evaluation | None, first: str, second: str
    ) -> "_PairValues":
        scores = {run.run: run for run in evaluation.runs} if evaluation else {}
        names = tuple(measure.name for measure in evaluation.measures) if evaluation else ()
        return cls(names, values_by_topic(scores.get(first)), values_by_topic(scores.get(second)))

    def list_topic_values(self, topic: str) -> tuple[tuple[str, float, float], ...]:
        if topic not in self.first or topic not in self.second:
            return ()
        return tuple(
            zip(self.measures, self.first[topic].tolist(), self.second[topic].tolist(), strict=True)
        )


# Comparison of two runs of a project


@dataclass(frozen=True, slots=True, eq=False)
class RunPairResult:
    """Result of comparing two runs: overlap by topic, and the runs, qrels and titles.

    The first `depth` documents of both runs were compared. The overlaps also contain the values of
    measures for the entire rankings, if there are qrels; `problem` explains why values are missing
    although there are qrels. The joined rankings of a topic are not stored; `join_rankings`
    computes them.
    """

    first: Run
    second: Run
    depth: int
    ties: Ties
    overlaps: tuple[TopicOverlap, ...]
    measures: tuple[str, ...]
    qrels: Qrels | None
    titles: dict[str, str]
    scale: tuple[int, ...]
    problem: str = ""
    qrels_name: str = ""

    def join_rankings(self, topic: str) -> tuple[JoinedRow, ...]:
        """Return the compared documents of a topic with their ranks and grades."""
        grades = self.qrels.topic_grades(topic) if self.qrels else {}
        return join_rankings(
            self.first, self.second, topic, depth=self.depth, ties=self.ties, grades=grades
        )


def compare_project_runs(
    project: Project,
    names: tuple[str, str],
    measures: Sequence[str],
    policy: Policy,
    choice: QrelsChoice | None,
    *,
    depth: int = DEFAULT_DEPTH,
    progress: Progress = SILENT,
) -> RunPairResult:
    """Read two runs of a project, and compare their first `depth` documents for each topic.

    `measures` are names of measures. If some measures cannot be computed, the `problem` of the
    result explains why.
    """
    first, second = (project.rankings.run(name) for name in names)
    qrels, evaluation, problem = None, None, ""
    if choice is not None:
        qrels = read_project_qrels(project, choice)
        try:
            evaluation = evaluate_runs(
                qrels,
                (first, second),
                parse_measures(measures, policy.rel, policy.profile),
                policy,
                highest=project.scale.highest,
                collection=project.collection.document_count() or None,
                total=2,
            )
        except Cancelled:
            raise
        except IrjudgeError as error:
            problem = str(error)
    return RunPairResult(
        first,
        second,
        depth,
        policy.ties,
        compare_tops(
            first, second, depth=depth, ties=policy.ties, evaluation=evaluation, progress=progress
        ),
        tuple(measure.name for measure in evaluation.measures) if evaluation else (),
        qrels,
        project.collection.topic_titles(),
        project.scale.values,
        problem,
        choice.description if choice else "",
    )
