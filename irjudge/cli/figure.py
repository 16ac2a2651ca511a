"""Command figure, which plots figures."""

from pathlib import Path

import click

from irjudge.cli.options import (
    FILE_OR_ADDRESS,
    format_option,
    given_options,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.streams import say, tell
from irjudge.report.figures import FigureRequest, catalogue, make_figure

COLUMNS = ("name", "title", "takes", "shows")


@click.command("figure")
@click.argument("name", required=False)
@click.argument("source", type=FILE_OR_ADDRESS, required=False)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@options_of(FigureRequest, "request")
@format_option()
def figure_command(
    name: str | None,
    source: Path | None,
    runs: tuple[Path, ...],
    request: FigureRequest,
    output_format: str,
) -> None:
    """Plot the figure NAME for a project, or for qrels and RUNS; the assessor-agreement figure also
    accepts a table of labels. Without NAME, list the figures. Without -o, print the values that
    would be plotted.
    """
    if name is None:
        rows = [
            (declaration.name, declaration.title, declaration.inputs, declaration.about)
            for declaration in catalogue()
        ]
        show(COLUMNS, rows, output_format)
        return
    topics_chosen = "topics" in given_options()
    with terminal_progress() as progress:
        result = make_figure(
            name, source, runs, request, topics_chosen=topics_chosen, progress=progress
        )
    say(*result.warnings)
    chart = result.chart
    if request.output:
        tell(f"Wrote {request.output}: {chart.title}.")
    else:
        show(chart.columns, chart.rows(), output_format)
    say(chart.caption)
