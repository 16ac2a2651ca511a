"""Command report, which writes reports of evaluations."""

from pathlib import Path

import click

from irjudge.cli.options import FILE_OR_ADDRESS, given_options, options_of, terminal_progress
from irjudge.cli.streams import say, tell
from irjudge.evaluation import describe_basis
from irjudge.report import ReportRequest, report_sources


@click.command("report")
@click.argument("source", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@options_of(ReportRequest, "request")
def report_command(source: Path, runs: tuple[Path, ...], request: ReportRequest) -> None:
    """Create a report of a project, or of QRELS and RUNS: an Excel workbook, a web page, LaTeX or
    Markdown tables, CSV, or a study."""
    topics_chosen = "topics" in given_options()
    with terminal_progress() as progress:
        report = report_sources(
            source, runs, request, topics_chosen=topics_chosen, progress=progress
        )
    say(*report.evaluation.warnings)
    parts = f": {', '.join(report.parts)}" if report.parts else ""
    tell(f"Wrote {report.path}{parts}.")
    say(*report.warnings, *report.notes, *describe_basis(report.evaluation))
