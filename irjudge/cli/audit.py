"""Command audit."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from irjudge.audit import (
    AuditMaterial,
    JudgeAudit,
    audit_judge,
    exclude_pairs,
    make_audit_material,
    read_audit_material,
    read_model_file,
)
from irjudge.cli.open_project import reading
from irjudge.cli.options import (
    FILE,
    NAME_OR_FILE,
    format_option,
    no_source,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.pools import read_groups
from irjudge.cli.projects import ManyFiles
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import parse_measures
from irjudge.formats.rankings import (
    GradeRules,
    RankingReader,
    distinct_run_names,
    read_qrels,
    read_run,
)
from irjudge.judging import ModelJudgments, read_model_judgments, select_qrels
from irjudge.message import format_count
from irjudge.metrics import Measure
from irjudge.model import Qrels
from irjudge.progress import Progress
from irjudge.report import AuditRequest, find_judge_table, write_audit_workbook
from irjudge.stats import Sampling, error_correlation
from irjudge.store import Project, is_project


@click.command("audit", cls=ManyFiles)
@click.argument("project", type=FILE, metavar="PROJECT | HUMAN")
@click.argument("models", type=NAME_OR_FILE, nargs=-1, metavar="MODEL...")
@options_of(AuditRequest, "request")
@format_option()
def audit_command(project: Path, models: tuple[str, ...], request: AuditRequest, form: str) -> None:
    """Report how far the labels of MODELS can be trusted: compared with human labels, and by
    the order of systems. In a PROJECT, a MODEL is one of its models, by default all; next to
    human qrels, a MODEL is a file of labels."""
    output = request.output
    if output and output.suffix != ".xlsx":
        raise IrjudgeError(
            "An audit is written as a workbook; use a file name ending in .xlsx, got {output}.",
            output=output.name,
        )
    (measure,) = _one(parse_measures(request.name.split(), request.rel), request.name)
    sampling = Sampling(seed=request.seed, samples=request.samples)
    with (
        terminal_progress() as progress,
        ExitStack() as opened,
    ):  # texts are read during the computation
        if is_project(project):
            if request.runs:
                raise IrjudgeError(
                    "{project} is a project with its own runs; --runs is for files.",
                    project=project.name,
                )
            RankingReader(grades=request.reading.rules()).refuse_project(project)
            material, answers = _of_project(
                opened.enter_context(reading(project)), models, measure, request, progress
            )
        else:
            no_source(project, request.which)
            material, answers = _of_files(project, models, measure, request)
        kinds = read_groups(request.groups) if request.groups else {}
        material = replace(material, rerank=request.rerank, epsilon=request.epsilon, kinds=kinds)
        if request.chosen_on:
            chosen = _people(request.chosen_on, request)
            material = exclude_pairs(material, list(chosen.rows()))
        audits = [
            audit_judge(material, each, sampling=sampling, progress=progress) for each in answers
        ]
        if output:
            write_audit_workbook(output, audits, progress)
    _print(audits, request.what, form)
    _say_together(material, answers)
    if output:
        say(f"Wrote {output.name}.")


def _people(path: Path, request: AuditRequest) -> Qrels:
    return read_qrels(path, request.reading.negative, grades=request.reading.rules())


def _one(measures: Sequence[Measure], name: str) -> Sequence[Measure]:
    if len(measures) != 1:
        raise IrjudgeError("An audit needs exactly one measure, got {name}.", name=name)
    return measures


def _print(audits: Sequence[JudgeAudit], what: str, form: str) -> None:
    table = find_judge_table(what)
    if what != "verdict" or form != "text":
        show(table.header, table.rows(audits), form)
        return
    for each in audits:
        tell(
            f"{each.judge.name}: {each.verdict.words}",
            *(f"  {sentence}" for sentence in each.verdict.evidence),
        )
        tell(*(f"  ! {sentence}" for sentence in each.warnings))
    say(f"Human grades: {audits[0].source}.")


def _say_together(material: AuditMaterial, answers: Sequence[ModelJudgments]) -> None:
    if len(answers) > 1:
        correlation = error_correlation(material.people, [each.grades for each in answers])
        say(
            f"Errors of these {format_count(len(answers), 'model')} correlate by {correlation:.2f}: several models do not count as independent votes."
        )


def _of_project(
    project: Project,
    models: Sequence[str],
    measure: Measure,
    request: AuditRequest,
    progress: Progress,
) -> tuple[AuditMaterial, list[ModelJudgments]]:
    names = models or project.events.models()
    if not names:
        raise IrjudgeError(
            "{path} has no model labels. Import some: irjudge import PROJECT --judgments FILE "
            "--as model NAME.",
            path=project.path.name,
        )
    answers = [read_model_judgments(project, name) for name in names]
    return read_audit_material(
        project,
        measure,
        request.policy(),
        choice=select_qrels(project, request.which),
        progress=progress,
    ), answers


def _of_files(
    path: Path,
    models: Sequence[str],
    measure: Measure,
    request: AuditRequest,
) -> tuple[AuditMaterial, list[ModelJudgments]]:
    if not models:
        raise IrjudgeError(
            "No model labels are given; expected at least one file of them after the human qrels.",
            key="no-labels",
        )
    qrels = _people(path, request)
    say(*qrels.warnings)
    systems = [
        read_run(each, name)
        for each, name in zip(request.runs, distinct_run_names(request.runs), strict=True)
    ]
    material = make_audit_material(qrels, path.name, measure, request.policy(), systems)
    answers = []
    # The numbers in --grades are those of the human qrels.
    words = GradeRules.of(request.reading.rules()).words
    rules = GradeRules().with_words(words)
    for each in map(Path, models):
        labels, warnings = read_model_file(each, material.scale, rules=rules)
        say(*warnings)
        answers.append(labels)
    return material, answers
