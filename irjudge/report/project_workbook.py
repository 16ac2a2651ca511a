"""The workbook of a project: its evaluation, what was judged, how far people agree, qrels and pool."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irjudge.audit.judge_audit import JudgeAudit
from irjudge.audit.project_audit import USUAL, audits_of_project
from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import preferences as preference_results
from irjudge.evaluation.preferences import PreferenceResults
from irjudge.evaluation.table import Evaluation, evaluate_runs
from irjudge.judging.consensus import voting_labels
from irjudge.judging.counted_assessors import shown_names
from irjudge.judging.judged_qrels import adjudications_of, model_choices, qrels_of_people
from irjudge.judging.ledger import ledger_of
from irjudge.judging.norming import normed_sessions
from irjudge.judging.preferences import preferences_in_force, project_preferences, sides_of
from irjudge.model.pool import Pool
from irjudge.model.ranking import rows_to_topics
from irjudge.progress import SILENT, Progress
from irjudge.report.analyses import compared, correlated, first_topic, worked_sheets
from irjudge.report.method import Method, method, project_source
from irjudge.report.over_time.inputs import evaluated_qrels
from irjudge.report.workbook.book import Contents, WrittenWorkbook, write_workbook
from irjudge.report.workbook.curves import curve_measures
from irjudge.report.workbook.judgments_and_pool import Judgment
from irjudge.report.workbook.worked import Worked
from irjudge.stats.agreement.estimates import AgreementEstimate, agreement, agreement_by_grade
from irjudge.stats.sampling import Sampling
from irjudge.store.project import Project


def write_project_workbook(
    path: Path,
    project: Project,
    evaluation: Evaluation,
    progress: Progress = SILENT,
    *,
    curves: Evaluation | None = None,
    wished: Sequence[tuple[str, str]] = (),
    made: Method | None = None,
) -> WrittenWorkbook:
    """Write what a project's evaluation rests on beside its numbers."""
    pool, titles = (
        project.rankings.pool(),
        {topic.id: topic.title for topic in project.collection.topics() if topic.title},
    )
    comparison, notes = compared(evaluation, progress)
    audits, unheld = _audits(project, evaluation, progress)
    contents = Contents(
        titles=titles,
        curves=curves or _curves(project, evaluation, progress),
        comparison=comparison,
        correlations=correlated(evaluation),
        preferences=_preferences(project, progress),
        agreement=_agreement(project, evaluation.policy.rel, progress),
        rounds=normed_sessions(project, sampling=Sampling(progress=progress)),
        names=shown_names(project),
        audits=audits,
        worked=worked_sheets(
            evaluation, wished or first_topic(evaluation), project.rankings.run, titles
        ),
        judgments=project_judgments(project, pool),
        qrels=evaluation.qrels.rows(),
        adjudications=adjudications_of(project, evaluated_qrels(project, evaluation)),
        pool=pool,
        facts=_facts(project, evaluation),
        notes=[*(("Comparisons", note) for note in notes), *(("Audit", note) for note in unheld)],
        method=made or method(evaluation, project_source(project, evaluation, "", progress)),
    )
    return write_workbook(path, evaluation, contents, progress=progress)


def write_files_workbook(
    path: Path,
    evaluation: Evaluation,
    facts: Mapping[str, str],
    progress: Progress = SILENT,
    *,
    curves: Evaluation | None = None,
    worked: Sequence[Worked] = (),
    made: Method | None = None,
) -> WrittenWorkbook:
    """Write the evaluation of files that are in no project, and the qrels it rests on."""
    comparison, notes = compared(evaluation, progress)
    contents = Contents(
        curves=curves,
        comparison=comparison,
        correlations=correlated(evaluation),
        worked=worked,
        qrels=evaluation.qrels.rows(),
        facts=facts,
        notes=[("Comparisons", note) for note in notes],
        method=made,
    )
    return write_workbook(path, evaluation, contents, progress=progress)


def project_judgments(project: Project, pool: Pool | None) -> Iterator[Judgment]:
    """Yield the judgments of single documents that stand, assessor by assessor, with what was marked beside them."""
    pooled: set[tuple[str, str]] = set()
    if pool is not None:
        topics = [pool.topics[code] for code in rows_to_topics(pool.starts).tolist()]
        pooled = set(zip(topics, pool.document.to_pylist(), strict=True))
    calibration = {
        (topic, document) for topic, grades in project.calibration.items() for document in grades
    } - pooled
    for assessor in project.events.assessors():
        ledger = ledger_of(project, assessor)
        for event in ledger.judgments():
            if event.kind in ("grade", "unjudgeable"):
                marks = ledger.marks(event.item.key)
                only_calibrates = (event.item.topic, event.item.documents[0]) in calibration
                yield Judgment.of(event, marks, calibration=only_calibrates)


def _facts(project: Project, evaluation: Evaluation) -> dict[str, str]:
    return {
        "Project": project.title,
        "Scale": ", ".join(
            f"{grade.value} {grade.label}".strip() for grade in project.scale.grades
        ),
        "Qrels": evaluation.source,
    }


def _curves(project: Project, evaluation: Evaluation, progress: Progress) -> Evaluation | None:
    """Return the points of the curves of the same runs; None where there are no runs."""
    policy = replace(evaluation.policy, average="macro")
    runs = (project.rankings.run(run.run) for run in evaluation.runs)
    measures, total = curve_measures(policy), len(evaluation.runs)
    return (
        evaluate_runs(
            evaluation.qrels,
            runs,
            measures,
            policy,
            highest=project.scale.highest,
            total=total,
            progress=progress,
        )
        if total
        else None
    )


def _preferences(project: Project, progress: Progress) -> PreferenceResults | None:
    """Return what preferences between runs prove, or else those between documents; None where none were given."""
    panels = any(preferences_in_force(project, "panel"))
    if not panels and not any(preferences_in_force(project, "pair")):
        return None
    preferences = project_preferences(project, sides_of(project) if panels else None)
    return preference_results(preferences, sampling=Sampling(progress=progress))


def _audits(
    project: Project, evaluation: Evaluation, progress: Progress
) -> tuple[tuple[JudgeAudit, ...], tuple[str, ...]]:
    """Return what is found of the model whose labels the qrels are made of, or why nothing is; nothing of a model that no source names."""
    named = [choice.of for choice in model_choices(project) if choice.words == evaluation.source]
    if not named or qrels_of_people(project) is None:
        return (), ()
    measure = evaluation.measures[0].name if evaluation.measures else USUAL
    try:
        return audits_of_project(project, named, measure, evaluation.policy, progress=progress), ()
    except Cancelled:
        raise
    except IrjudgeError as fault:  # such as that people and the model share no pair
        return (), (str(fault),)


def _agreement(project: Project, rel: int, progress: Progress) -> tuple[AgreementEstimate, ...]:
    """Return how far the assessors who count agree; nothing where fewer than two judged."""
    labels, sampling = voting_labels(project, progress), Sampling(progress=progress)
    return (
        (
            *agreement(labels, rel=rel, sampling=sampling),
            *agreement_by_grade(labels, sampling=sampling),
        )
        if len(labels.workers) > 1
        else ()
    )
