"""Evaluation of the runs of a project, with its qrels or by estimates."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from irjudge.errors import ProjectError
from irjudge.evaluation.estimates import Estimation, applicable_estimates, estimate_runs
from irjudge.evaluation.judged_runs import find_judged_ranks
from irjudge.evaluation.table import Evaluation, Policy, evaluate_runs, parse_measures
from irjudge.judging import QrelsChoice, list_qrels_choices, read_project_qrels, select_qrels
from irjudge.message import Message
from irjudge.metrics import Measure, TextItem
from irjudge.model import AuxiliaryTable, JudgedRanking, Qrels, Run, top_documents_by_topic
from irjudge.progress import SILENT, Progress
from irjudge.stats import SERIAL, Workers
from irjudge.store import Project, open_project, read_auxiliary_tables

MAX_LISTED_MEASURES = 4  # maximum number of measures listed in a caution


def evaluate_project(
    project: Project,
    measures: Sequence[Measure],
    policy: Policy | None = None,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
    *,
    texts: Sequence[TextItem] = (),
    tables: Sequence[AuxiliaryTable] = (),
    workers: Workers = SERIAL,
) -> Evaluation:
    """Evaluate every run of a project, one at a time; see `evaluate_runs`.

    Parameters
    ----------
    choice
        Qrels to use; by default the first of `list_qrels_choices`.
    tables
        Auxiliary tables that replace those of the same kind in the project.
    workers
        Workers that match runs with the qrels, one run per task; they must reach the project by
        the same path.

    Raises
    ------
    ProjectError
        If there are no qrels.
    """
    qrels_choice = choice or select_qrels(project)
    qrels = read_project_qrels(project, qrels_choice)
    names = [run.name for run in project.rankings.runs()]
    auxiliary, policy = list_required_tables(project, measures, tables), policy or Policy()
    runs: Iterable[Run | JudgedRanking] = (project.rankings.run(name) for name in names)
    if workers is not SERIAL and not auxiliary:
        runs = workers.map_tasks(
            _find_judged_ranks,
            (project.path.absolute(), qrels, policy),
            names,
            Message("Reading"),
            progress,
        )
    evaluation = evaluate_runs(
        qrels,
        runs,
        measures,
        policy,
        highest=project.scale.highest,
        collection=project.collection.document_count() or None,
        source=qrels_choice.description,
        texts=texts,
        tables=auxiliary,
        total=len(names),
        progress=progress,
    )
    return replace(
        evaluation,
        notes=(*evaluation.notes, *_describe_sampling_cautions(project, qrels_choice, measures)),
    )


def _find_judged_ranks(shared: tuple[Path, Qrels, Policy], name: str) -> JudgedRanking:
    path, qrels, policy = shared
    with open_project(path, writing=False) as project:
        run = policy.prepare(project.rankings.run(name))
        return find_judged_ranks(run, qrels, policy.ties, single_precision=policy.single_precision)


def list_required_tables(
    project: Project, measures: Sequence[Measure], tables: Sequence[AuxiliaryTable] = ()
) -> list[AuxiliaryTable]:
    """Return the auxiliary tables that measures need, from `tables` or from the project."""
    missing_kinds = frozenset(
        need for measure in measures for need in measure.declaration.needs
    ) - {table.kind for table in tables}
    return [*tables, *read_auxiliary_tables(project, missing_kinds)] if missing_kinds else [*tables]


def estimate_project(
    project: Project,
    policy: Policy | None = None,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
) -> Estimation:
    """Compute every estimate applicable to the newest pool of a project for each of its runs.

    For the parameters see `evaluate_project`. Only the ties, topics, lowest relevant grade and
    chosen topics of the policy are used.
    """
    pool, policy = project.rankings.pool(), policy or Policy()
    if pool is None:
        raise ProjectError("The project has no pool yet.", key="no-pool")
    names = [run.name for run in project.rankings.runs()]
    return estimate_runs(
        pool,
        read_project_qrels(project, choice or select_qrels(project)),
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
    """Return whether the judged documents are a sample, so that measures are biased."""
    pool = project.rankings.pool() if choice.source != "imported" else None
    return pool is not None and pool.is_sample


def _describe_sampling_cautions(
    project: Project, qrels_choice: QrelsChoice, measures: Sequence[Measure]
) -> Iterator[str]:
    """Yield a caution if the pool was sampled, since measures do not correct for sampling."""
    if measures and needs_estimates(project, qrels_choice):
        names = [measure.name for measure in measures]
        yield Message(
            "The pool was sampled: {names} treat documents that were not sampled as unjudged, "
            "so the values are not estimates for a completely judged pool. Use `irjudge "
            "estimate`.",
            key="sampled-pool",
            names=", ".join(names[:MAX_LISTED_MEASURES])
            + (" …" if len(names) > MAX_LISTED_MEASURES else ""),
        )


# Comparison of a new run with the runs of a project


SUMMARY_MEASURES = ("AP", "nDCG@10")
COMPARED_DEPTH = 10  # number of ranks compared


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Table row about a new run or a run in the project: size, values, and overlap.

    The overlap is the share of the new run's top 10 documents that are also in the summarised run's
    top 10, as a mean over topics. It is None for new runs, and unless there is exactly one new run.
    The table is shown by the dialog for creating a run and by `irjudge search --compare`.
    """

    name: str
    rows: int  # number of retrieved documents over all topics
    values: tuple[float, ...]  # values of `SUMMARY_MEASURES`; empty if there are no qrels
    # overlap with the new run, between 0 and 1; None for a new run, or if it was not computed
    shared: float | None


def compare_new_runs(
    project: Project,
    new_runs: Iterable[Run],
    progress: Progress = SILENT,
    *,
    shared_with: Run | None = None,
) -> tuple[RunSummary, ...]:
    """Return summaries of new runs, then of the runs of a project.

    Runs are evaluated one at a time. Unjudged documents count as not relevant, so values of a run
    made after the pool may be too low. Overlaps are computed with `shared_with`.
    """
    qrels = read_project_qrels(project) if list_qrels_choices(project) else None
    project_runs = (project.rankings.run(run.name) for run in project.rankings.runs())
    return tuple(
        RunSummary(
            run.name,
            len(run),
            () if qrels is None else _compute_summary_values(qrels, run, progress),
            None
            if shared_with is None or run is shared_with
            else _compute_shared_top(shared_with, run),
        )
        for run in chain(new_runs, project_runs)
    )


def _compute_summary_values(qrels: Qrels, run: Run, progress: Progress) -> tuple[float, ...]:
    measures = parse_measures(SUMMARY_MEASURES)
    (values,) = evaluate_runs(qrels, [run], measures, Policy(), total=1, progress=progress).runs
    return tuple(values.summary.tolist())


def _compute_shared_top(new_run: Run, other_run: Run) -> float | None:
    shares = [*_iter_topic_shares(new_run, other_run)]
    return sum(shares) / len(shares) if shares else None


def _iter_topic_shares(new_run: Run, other_run: Run) -> Iterator[float]:
    """Yield the share of the new run's top documents that are also in the other run's top 10.

    There is a value for each topic for which the new run retrieved documents.
    """
    other_top = top_documents_by_topic(other_run, COMPARED_DEPTH, topics=new_run.topics)
    for topic, new_top in top_documents_by_topic(new_run, COMPARED_DEPTH).items():
        if new_top:
            yield len({*new_top}.intersection(other_top.get(topic, ()))) / len({*new_top})
