"""A run that was just made beside those of its project: what it is worth by their qrels, and how much of its top it shares with them."""

from collections.abc import Iterator
from dataclasses import dataclass

from irjudge.evaluation.table import Policy, evaluate, parse_measures
from irjudge.judging.judged_qrels import choices, project_qrels
from irjudge.model.order import top_documents
from irjudge.model.ranking import Run
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project

MEASURES = ("AP", "nDCG@10")
TOP = 10  # ranks that are compared


@dataclass(frozen=True, slots=True)
class RunBeside:
    """A run of a project, or the new one, which stands first."""

    name: str
    rows: int  # documents retrieved, of all topics
    values: tuple[float, ...]  # of `MEASURES`; none where the project has no qrels
    shared: float | None  # the share of the new run's top 10 that is in the top 10 of this one, a mean over topics; None for the new one


def beside_others(project: Project, made: Run, progress: Progress = SILENT) -> tuple[RunBeside, ...]:
    """Return a new run and those of a project, in their order.

    Unjudged documents count as not relevant, so a run that came after the pool is worth less here than it may be.
    """
    runs = [made, *(project.rankings.run(each.name) for each in project.rankings.runs())]
    values: list[tuple[float, ...]] = [()] * len(runs)
    if choices(project):
        found = evaluate(project_qrels(project), runs, parse_measures(MEASURES), Policy(), total=len(runs), progress=progress)
        values = [tuple(each.summary.tolist()) for each in found.runs]
    return tuple(
        RunBeside(run.name, len(run), value, None if run is made else _shared(made, run)) for run, value in zip(runs, values, strict=True)
    )


def _shared(made: Run, other: Run) -> float | None:
    shares = [*_shares(made, other)]
    return sum(shares) / len(shares) if shares else None


def _shares(made: Run, other: Run) -> Iterator[float]:
    """Yield the share of each topic for which the new run found anything."""
    known = set(other.topics)
    for topic in made.topics:
        mine = set(top_documents(made, topic, TOP))
        if mine:
            theirs = set(top_documents(other, topic, TOP)) if topic in known else set()
            yield len(mine & theirs) / len(mine)
