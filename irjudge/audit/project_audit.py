"""What the models of a project, or of files, are held against."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irjudge.audit.judge_audit import AuditMaterial, JudgeAudit, audit
from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Policy, parse_measures
from irjudge.formats.judgments.model_labels import read_model_labels
from irjudge.judging.consensus import voting_labels
from irjudge.judging.judged_qrels import QrelsChoice, chosen_qrels, qrels_of_people, qrels_rows
from irjudge.judging.model_judgments import ModelAnswers, judged_seeing, model_answers
from irjudge.message import Message
from irjudge.metrics.naming.names import Measure
from irjudge.model.judge import ModelJudge
from irjudge.model.ranking import Qrels, Run
from irjudge.progress import SILENT, Progress
from irjudge.stats.sampling import Sampling
from irjudge.store.project import Project

Pair = tuple[str, str]
USUAL = "nDCG@10"  # what systems are ordered by
OF_MODELS = ("model", "mixed")  # sources that are no people's


def material_of_project(
    project: Project,
    measure: Measure,
    policy: Policy | None = None,
    *,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
) -> AuditMaterial:
    """Return what people said in a project, with its runs, texts and the labels of each of several people.

    ProjectError when there are no qrels of people. IrjudgeError when the qrels are a model's.
    """
    chosen = choice or qrels_of_people(project) or chosen_qrels(project)
    if chosen.source in OF_MODELS:
        raise IrjudgeError(
            "{source} is a model's; a model is held against people. Name a source of people.",
            key="qrels-of-a-model",
            source=chosen.name,
        )
    labels = voting_labels(project, progress)
    names = [run.name for run in project.rankings.runs()]
    runs = [
        project.rankings.run(name)
        for name in progress.through(names, Message("Reading runs"), total=len(names), every=1)
    ]

    def texts(documents: Sequence[str]) -> Mapping[str, str]:
        return {id: document.text for id, document in project.collection.some(documents).items()}

    return AuditMaterial(
        people=_grades(qrels_rows(project, chosen)),
        scale=tuple(project.scale.values),
        source=chosen.words,
        measure=measure,
        policy=policy or Policy(),
        runs=runs,
        labels=labels if len(labels.workers) > 1 else None,
        titles=project.collection.topic_titles(),
        texts=texts if project.collection.document_count() else None,
        saw={name: judged_seeing(project, name) for name in project.events.models()},
    )


def audits_of_project(
    project: Project,
    names: Sequence[str] = (),
    measure: str = USUAL,
    policy: Policy | None = None,
    *,
    sampling: Sampling | None = None,
    progress: Progress = SILENT,
) -> tuple[JudgeAudit, ...]:
    """Hold models of a project, by default all of them, against its people."""
    models = tuple(names) or project.events.models()
    if not models:
        raise IrjudgeError("There are no labels of a model in {file}.", file=project.path.name)
    wished = policy or Policy()
    material = material_of_project(
        project, parse_measures([measure], wished.rel)[0], wished, progress=progress
    )
    return tuple(
        audit(material, model_answers(project, name), sampling=sampling, progress=progress)
        for name in models
    )


def _grades(rows: Sequence[tuple[str, str, int]]) -> dict[Pair, int]:
    return {(topic, document): grade for topic, document, grade in rows if grade >= 0}


def material_of_files(
    qrels: Qrels,
    source: str,
    measure: Measure,
    policy: Policy | None = None,
    runs: Sequence[Run] = (),
) -> AuditMaterial:
    """Return what the people of qrels said; their grades from 0 to the highest are the scale."""
    people = _grades(list(qrels.rows()))
    if not people:
        raise IrjudgeError(
            "{source} holds no grade of 0 or more, so there is nothing to hold a model against.",
            source=source,
        )
    return AuditMaterial(
        people, tuple(range(max(people.values()) + 1)), source, measure, policy or Policy(), runs
    )


def answers_of_file(
    path: Path, scale: Sequence[int], name: str = ""
) -> tuple[ModelAnswers, tuple[str, ...]]:
    """Return what a model answered in a file, called as the file is, and what was strange in it."""
    file = read_model_labels(path, scale)
    given: dict[Pair, list[int]] = {}
    why: dict[Pair, str] = {}
    for label in file.labels:
        if label.grade is None:
            why[label.pair] = label.why
        else:
            given.setdefault(label.pair, []).append(label.grade)
    judge = ModelJudge(
        name or path.stem,
        version=next((label.version for label in file.labels if label.version), ""),
    )
    return (
        ModelAnswers(
            judge,
            {pair: grades[-1] for pair, grades in given.items()},
            {pair: tuple(grades) for pair, grades in given.items() if len(grades) > 1},
            {pair: reason for pair, reason in why.items() if pair not in given},
        ),
        file.remarks,
    )


def leaving_out(
    material: AuditMaterial, chosen_on: Sequence[tuple[str, str, int]]
) -> AuditMaterial:
    """Return the material without the pairs by which a prompt was chosen."""
    return replace(
        material, chosen_on=frozenset((topic, document) for topic, document, _ in chosen_on)
    )
