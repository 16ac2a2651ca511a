"""Command audit, which compares labels of models with judgments of assessors."""

from collections.abc import Sequence
from pathlib import Path

import click

from irjudge.audit import JudgeAudit
from irjudge.cli.open_project import open_labels
from irjudge.cli.options import (
    FILE,
    NAME_OR_FILE,
    format_option,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.projects import ManyFiles
from irjudge.cli.streams import say, tell
from irjudge.report import AuditRequest, audit_models, find_judge_table


@click.command("audit", cls=ManyFiles)
@click.argument("project", type=FILE, metavar="PROJECT | HUMAN")
@click.argument("models", type=NAME_OR_FILE, nargs=-1, metavar="MODEL...")
@options_of(AuditRequest, "request")
@format_option()
def audit_command(
    project: Path, models: tuple[str, ...], request: AuditRequest, output_format: str
) -> None:
    """Report how far the labels of MODELS can be trusted, by comparing their grades and system
    rankings with those of assessors. For a PROJECT, MODELS are names of its models (default:
    all); for human qrels, MODELS are files of labels.
    """
    with terminal_progress() as progress, open_labels(project) as source:
        report = audit_models(source, models, request, progress=progress)
    say(*report.notes)
    _print_report(report.audits, request.what, output_format)
    say(*report.summary)
    if request.output:
        say(f"Wrote {request.output.name}.")


def _print_report(audits: Sequence[JudgeAudit], content: str, output_format: str) -> None:
    table = find_judge_table(content)
    if content != "verdict" or output_format != "text":
        show(table.header, table.rows(audits), output_format)
        return
    for audit in audits:
        tell(
            f"{audit.judge.name}: {audit.verdict.text}",
            *(f"  {sentence}" for sentence in audit.verdict.evidence),
        )
        tell(*(f"  ! {sentence}" for sentence in audit.warnings))
    say(f"Human grades: {audits[0].source}.")
