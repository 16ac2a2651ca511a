"""Command audit."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from irjudge.audit import (
    DEFAULT_AUDIT_MEASURE,
    AuditMaterial,
    JudgeAudit,
    audit_judge,
    exclude_pairs,
    make_audit_material,
    read_audit_material,
    read_model_file,
)
from irjudge.cli.columns import FileColumns, grades_options, grades_said
from irjudge.cli.open_project import reading
from irjudge.cli.options import (
    FILE,
    NAME_OR_FILE,
    format_option,
    no_source,
    show,
    source_option,
    terminal_progress,
)
from irjudge.cli.pools import read_groups
from irjudge.cli.projects import ManyFiles
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import TOPIC_POLICIES, Policy, parse_measures
from irjudge.formats.rankings import Negative, distinct_run_names, read_qrels, read_run
from irjudge.judging import ModelJudgments, read_model_judgments, select_qrels
from irjudge.message import format_count
from irjudge.metrics import PROFILES, Measure
from irjudge.model import TIES, Qrels
from irjudge.progress import Progress
from irjudge.report import TABLES, find_judge_table, write_audit_workbook
from irjudge.stats import DEFAULT_SAMPLING_SEED, EPSILON, MAX_SEED, Sampling, error_correlation
from irjudge.store import Project, is_project


@click.command("audit", cls=ManyFiles)
@click.argument("project", type=FILE, metavar="PROJECT | HUMAN")
@click.argument("models", type=NAME_OR_FILE, nargs=-1, metavar="MODEL...")
@click.option(
    "--runs",
    type=FILE,
    multiple=True,
    help="With files, the runs whose order under people and model is compared.",
)
@click.option(
    "-m",
    "--measure",
    "name",
    default=DEFAULT_AUDIT_MEASURE,
    show_default=True,
    help="What runs are ordered by.",
)
@click.option(
    "--show",
    "what",
    type=click.Choice([table.name for table in TABLES]),
    default="verdict",
    show_default=True,
    help="; ".join(f"{table.name}: {table.about}" for table in TABLES) + ".",
)
@click.option(
    "--rerank",
    metavar="RUN",
    help="The run that the model puts in order, for circularity. Default: the one in the middle.",
)
@click.option(
    "--groups",
    type=FILE,
    help="A table with the columns run and group: of what kind each run is, such as bm25 or gpt.",
)
@click.option(
    "--chosen-on",
    type=FILE,
    help="Qrels of the pairs by which the prompt was chosen; they measure nothing and are left out.",
)
@click.option(
    "--rel",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="The lowest grade that is relevant.",
)
@click.option(
    "--topics",
    type=click.Choice(TOPIC_POLICIES),
    default="both",
    show_default=True,
    help="Which topics are averaged.",
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="trec",
    show_default=True,
    help="The order of equal scores.",
)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="irjudge",
    show_default=True,
    help="Whose rules hold.",
)
@click.option(
    "--epsilon",
    type=click.FloatRange(0, 1),
    default=EPSILON,
    show_default=True,
    help="How much rarer than a person the model may be near to the others; .2 for experts, .1 for crowds.",
)
@click.option(
    "--samples", type=click.IntRange(1), help="Of topics, for the intervals; 1,000 by default."
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=DEFAULT_SAMPLING_SEED,
    show_default=True,
    help="The same seed, the same intervals.",
)
@click.option(
    "-o", "--output", type=FILE, metavar="FILE.xlsx", help="Write all tables as a workbook."
)
@grades_options()
@source_option()
@format_option()
def audit_command(
    project: Path,
    models: tuple[str, ...],
    name: str,
    what: str,
    groups: Path | None,
    chosen_on: Path | None,
    rerank: str | None,
    epsilon: float,
    samples: int | None,
    seed: int,
    output: Path | None,
    form: str,
    runs: tuple[Path, ...],
    which: str | None,
    negative: Negative | None,
    **wish: Any,
) -> None:
    """Say how far MODELs may be believed: their labels against people's, and the systems under both.

    Of a PROJECT a MODEL is one of its models, and without one all of them; beside qrels of people a MODEL is a file of labels.
    """
    if output and output.suffix != ".xlsx":
        raise IrjudgeError(
            "An audit is written as a workbook; call the file .xlsx, got {output}.",
            output=output.name,
        )
    (measure,) = _one(parse_measures(name.split(), wish["rel"]), name)
    with (
        terminal_progress() as progress,
        ExitStack() as opened,
    ):  # texts are read while it is computed
        policy = Policy(**wish)
        if is_project(project):
            if runs:
                raise IrjudgeError(
                    "{project} is a project with runs of its own; --runs is for files.",
                    project=project.name,
                )
            FileColumns(grades=grades_said()).of_files(project)
            material, answers = _of_project(
                opened.enter_context(reading(project)), models, measure, policy, which, progress
            )
        else:
            no_source(project, which)
            material, answers = _of_files(project, models, runs, measure, policy, negative)
        material = replace(
            material, rerank=rerank, epsilon=epsilon, kinds=read_groups(groups) if groups else {}
        )
        material = (
            exclude_pairs(material, list(_people(chosen_on, negative).rows()))
            if chosen_on
            else material
        )
        found = [
            audit_judge(
                material, each, sampling=Sampling(seed=seed, samples=samples), progress=progress
            )
            for each in answers
        ]
        if output:
            write_audit_workbook(output, found, progress)
    _print(found, what, form)
    _say_together(material, answers)
    if output:
        say(f"Wrote {output.name}.")


def _people(path: Path, negative: Negative | None) -> Qrels:
    return read_qrels(path, negative, grades=grades_said())


def _one(measures: Sequence[Measure], name: str) -> Sequence[Measure]:
    if len(measures) != 1:
        raise IrjudgeError("An audit goes by one measure, got {name}.", name=name)
    return measures


def _print(found: Sequence[JudgeAudit], what: str, form: str) -> None:
    table = find_judge_table(what)
    if what != "verdict" or form != "text":
        show(table.header, table.rows(found), form)
        return
    for each in found:
        tell(
            f"{each.judge.name}: {each.verdict.words}",
            *(f"  {sentence}" for sentence in each.verdict.evidence),
        )
        tell(*(f"  ! {sentence}" for sentence in each.warnings))
    say(f"People: {found[0].source}.")


def _say_together(material: AuditMaterial, answers: Sequence[ModelJudgments]) -> None:
    if len(answers) > 1:
        alike = error_correlation(material.people, [each.grades for each in answers])
        say(
            f"Errors of these {format_count(len(answers), 'model')} correlate by {alike:.2f}: several models are not several votes."
        )


def _of_project(
    project: Project,
    models: Sequence[str],
    measure: Measure,
    policy: Policy,
    which: str | None,
    progress: Progress,
) -> tuple[AuditMaterial, list[ModelJudgments]]:
    names = models or project.events.models()
    if not names:
        raise IrjudgeError(
            "{path} has no labels of a model. Bring some in: irjudge import PROJECT --judgments "
            "FILE --as model NAME.",
            path=project.path.name,
        )
    answers = [read_model_judgments(project, name) for name in names]
    return read_audit_material(
        project, measure, policy, choice=select_qrels(project, which), progress=progress
    ), answers


def _of_files(
    path: Path,
    models: Sequence[str],
    runs: Sequence[Path],
    measure: Measure,
    policy: Policy,
    negative: Negative | None,
) -> tuple[AuditMaterial, list[ModelJudgments]]:
    if not models:
        raise IrjudgeError(
            "Name a file of a model's labels or more after the qrels of people.", key="no-labels"
        )
    qrels = _people(path, negative)
    say(*qrels.remarks)
    systems = [
        read_run(each, name) for each, name in zip(runs, distinct_run_names(runs), strict=True)
    ]
    material = make_audit_material(qrels, path.name, measure, policy, systems)
    answers = []
    for each in map(Path, models):
        found, remarks = read_model_file(each, material.scale)
        say(*remarks)
        answers.append(found)
    return material, answers
