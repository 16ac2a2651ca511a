"""Two runs of a project, read and compared beside the window."""

from dataclasses import dataclass

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation.run_comparison import TopicOverlap, compare_tops
from irjudge.evaluation.table import evaluate
from irjudge.judging.judged_qrels import project_qrels
from irjudge.metrics.naming.names import Measure
from irjudge.model.order import Ties
from irjudge.model.ranking import Qrels, Run
from irjudge.progress import Progress
from irjudge.store.project import Project
from irjudge_ui.pages.shared.policy import Wish


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Two runs, how they compare topic by topic, and what is shown beside them."""

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

    def alone(self) -> tuple[int, int]:
        """Return how many topics only the first run has, and only the second."""
        one, two = set(self.first.topics), set(self.second.topics)
        return len(one - two), len(two - one)


def compared(project: Project, names: tuple[str, str], depth: int, wish: Wish, progress: Progress) -> Sides:
    """Read two runs and compare their tops under a wish; measures that cannot be computed are named in `problem`.

    Raises
    ------
    IrjudgeError
        When the runs share no topic.
    """
    first, second = (project.rankings.run(name) for name in names)
    choice, policy, problem = wish.choice(project), wish.policy(), ""
    qrels, measures, evaluation = None, tuple[Measure, ...](), None
    if choice is not None:
        qrels = project_qrels(project, choice)
        try:
            measures = wish.parsed()
            size = project.collection.document_count() or None
            evaluation = evaluate(qrels, (first, second), measures, policy, highest=project.scale.highest, collection=size, total=2)
        except Cancelled:
            raise
        except IrjudgeError as fault:
            problem = str(fault)
    overlaps = compare_tops(first, second, depth=depth, ties=policy.ties, evaluation=evaluation, progress=progress)
    titles = {topic.id: topic.title for topic in project.collection.topics()}
    shown = tuple(measure.name for measure in measures) if evaluation else ()
    return Sides(first, second, depth, policy.ties, overlaps, shown, qrels, titles, project.scale.values, problem)


def grades_of_topic(qrels: Qrels | None, topic: str) -> dict[str, int]:
    """Return the grade of each judged document of a topic; one that was judged for several subtopics has its highest."""
    if qrels is None or topic not in qrels.topics:
        return {}
    code = qrels.topics.index(topic)
    rows = slice(int(qrels.starts[code]), int(qrels.starts[code + 1]))
    found: dict[str, int] = {}
    for document, grade in zip(qrels.documents.take(qrels.document[rows]).to_pylist(), qrels.grade[rows].tolist(), strict=True):
        found[document] = max(grade, found.get(document, grade))
    return found
