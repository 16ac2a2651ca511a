"""Command report."""

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
    chosen = "topics" in given_options()
    with terminal_progress() as progress:
        written = report_sources(source, runs, request, topics_chosen=chosen, progress=progress)
    say(*written.evaluation.warnings)
    parts = f": {', '.join(written.parts)}" if written.parts else ""
    tell(f"Wrote {written.path}{parts}.")
    say(*written.warnings, *written.notes, *describe_basis(written.evaluation))
