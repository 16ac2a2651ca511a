"""Evaluation of the runs of a project, with its qrels or by estimates."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from irjudge.errors import ProjectError
from irjudge.evaluation.estimates import Estimation, applicable_estimates, estimate_runs
from irjudge.evaluation.judged_runs import find_retrieved
from irjudge.evaluation.table import Evaluation, Policy, evaluate_runs, parse_measures
from irjudge.judging import QrelsChoice, choices, chosen_qrels, project_qrels
from irjudge.message import Message
from irjudge.metrics import Measure, Text
from irjudge.model import AuxiliaryTable, JudgedRanking, Qrels, Run, top_documents
from irjudge.progress import SILENT, Progress
from irjudge.stats import SERIAL, Workers
from irjudge.store import Project, open_project, sides_of

MAX_NAMED = 4  # measures in a caution


def evaluate_project(
    project: Project,
    measures: Sequence[Measure],
    policy: Policy | None = None,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
    *,
    texts: Sequence[Text] = (),
    sides: Sequence[AuxiliaryTable] = (),
    workers: Workers = SERIAL,
) -> Evaluation:
    """Evaluate every run of a project, one at a time, by the qrels of a choice, by default those that `choices` has first; see `evaluate_runs`.

    `sides` stand in place of those of the same kind that the project has. Workers, who look the judged documents of a run up, a run a task,
    must reach the project by the same path. ProjectError when there are no qrels.
    """
    chosen = choice or chosen_qrels(project)
    qrels = project_qrels(project, chosen)
    names = [run.name for run in project.rankings.runs()]
    beside, policy = required_sides(project, measures, sides), policy or Policy()
    runs: Iterable[Run | JudgedRanking] = (project.rankings.run(name) for name in names)
    if workers is not SERIAL and not beside:
        runs = workers.each(
            _find_retrieved,
            (project.path.absolute(), qrels, policy),
            names,
            Message("Reading"),
            progress,
        )
    found = evaluate_runs(
        qrels,
        runs,
        measures,
        policy,
        highest=project.scale.highest,
        collection=project.collection.document_count() or None,
        source=chosen.words,
        texts=texts,
        sides=beside,
        total=len(names),
        progress=progress,
    )
    return replace(found, remarks=(*found.remarks, *_sampling_cautions(project, chosen, measures)))


def _find_retrieved(shared: tuple[Path, Qrels, Policy], name: str) -> JudgedRanking:
    path, qrels, policy = shared
    with open_project(path, writing=False) as project:
        return find_retrieved(project.rankings.run(name), qrels, policy.ties, single=policy.single)


def required_sides(
    project: Project, measures: Sequence[Measure], sides: Sequence[AuxiliaryTable] = ()
) -> list[AuxiliaryTable]:
    """Return the side files that measures are computed from: those given, and of other kinds those of the project."""
    needed = frozenset(each for measure in measures for each in measure.declaration.needs) - {
        each.side for each in sides
    }
    return [*sides, *sides_of(project, needed)] if needed else [*sides]


def estimate_project(
    project: Project,
    policy: Policy | None = None,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
) -> Estimation:
    """Estimate every run of a project by every estimate that fits its newest pool; parameters as for `evaluate_project`.

    Of a policy it takes ties, topics, the lowest relevant grade, and which topics are averaged.
    """
    pool, policy = project.rankings.pool(), policy or Policy()
    if pool is None:
        raise ProjectError("The project has no pool yet.", key="no-pool")
    names = [run.name for run in project.rankings.runs()]
    return estimate_runs(
        pool,
        project_qrels(project, choice or chosen_qrels(project)),
        (project.rankings.run(name) for name in names),
        applicable_estimates(pool),
        rel=policy.rel,
        ties=policy.ties,
        policy=policy.topics,
        only=policy.only,
        total=len(names),
        progress=progress,
    )


def needs_estimates(project: Project, choice: QrelsChoice) -> bool:
    """Whether chance decided what was judged, so that plain values are no estimates of what all judgments would give."""
    pool = project.rankings.pool() if choice.source != "imported" else None
    return pool is not None and pool.sampled


def _sampling_cautions(
    project: Project, chosen: QrelsChoice, measures: Sequence[Measure]
) -> Iterator[str]:
    """Yield a caution where plain measures take what was not drawn for not relevant."""
    if measures and needs_estimates(project, chosen):
        names = [measure.name for measure in measures]
        yield Message(
            "The pool was sampled: {names} take documents that were not drawn for unjudged, so these values are no estimates of what all"
            " judgments would give; estimates are (`irjudge estimate`).",
            key="sampled-pool",
            names=", ".join(names[:MAX_NAMED]) + (" …" if len(names) > MAX_NAMED else ""),
        )


# A run that was just made, beside the others


SUMMARY_MEASURES = ("AP", "nDCG@10")
COMPARED_DEPTH = 10  # ranks that are compared


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run of a project, or the new one, which stands first."""

    name: str
    rows: int  # documents retrieved, of all topics
    values: tuple[float, ...]  # of `SUMMARY_MEASURES`; none where the project has no qrels
    shared: (
        float | None
    )  # the share of the new run's top 10 that is in the top 10 of this one, a mean over topics; None for the new one


def compare_new_run(
    project: Project, made: Run, progress: Progress = SILENT
) -> tuple[RunSummary, ...]:
    """Return a new run and those of a project, in their order.

    Unjudged documents count as not relevant, so a run that came after the pool is worth less here than it may be.
    """
    runs = [made, *(project.rankings.run(each.name) for each in project.rankings.runs())]
    valued = zip(runs, _measure_values(_project_qrels(project), runs, progress), strict=True)
    return tuple(
        RunSummary(run.name, len(run), value, None if run is made else _shared_top(made, run))
        for run, value in valued
    )


def compare_new_runs(
    project: Project, made: Iterable[Run], progress: Progress = SILENT
) -> tuple[RunSummary, ...]:
    """Return several new runs, each of which is made when its turn comes, and those of a project, as `compare_new_run` does."""
    known, theirs = (
        _project_qrels(project),
        (project.rankings.run(each.name) for each in project.rankings.runs()),
    )
    return tuple(
        RunSummary(run.name, len(run), _measure_values(known, [run], progress)[0], None)
        for run in chain(made, theirs)
    )


def _project_qrels(project: Project) -> Qrels | None:
    return project_qrels(project) if choices(project) else None


def _measure_values(
    known: Qrels | None, runs: Sequence[Run], progress: Progress
) -> list[tuple[float, ...]]:
    """Return what the measures say of each run; nothing where nothing is judged."""
    if known is None:
        return [()] * len(runs)
    found = evaluate_runs(
        known, runs, parse_measures(SUMMARY_MEASURES), Policy(), total=len(runs), progress=progress
    )
    return [tuple(each.summary.tolist()) for each in found.runs]


def _shared_top(made: Run, other: Run) -> float | None:
    shares = [*_topic_shares(made, other)]
    return sum(shares) / len(shares) if shares else None


def _topic_shares(made: Run, other: Run) -> Iterator[float]:
    """Yield the share of each topic for which the new run found anything."""
    known = set(other.topics)
    for topic in made.topics:
        mine = set(top_documents(made, topic, COMPARED_DEPTH))
        if mine:
            theirs = set(top_documents(other, topic, COMPARED_DEPTH)) if topic in known else set()
            yield len(mine & theirs) / len(mine)
