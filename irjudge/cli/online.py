"""The command that measures a log: online."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import click
from rich.cells import cell_len

from irjudge.cli.shared.output import format_option, say, show
from irjudge.errors import IrjudgeError
from irjudge.formats.logs.logs import read_log
from irjudge.online.intervals import SAMPLES
from irjudge.online.measures import MEASURES, METHODS
from irjudge.online.table import COLUMNS, ENDS, LogWish, OnlineTable, measured
from irjudge.report.tables import Cell, table_text

CATALOGUE = ("measure", "title", "count", "total", "interval", "notes")


@click.command("online")
@click.argument("logs", metavar="LOG...", type=click.Path(path_type=Path), nargs=-1)
@click.option("--dwell", type=click.FloatRange(0), default=30.0, show_default=True, help="Seconds from which on a click is a success.")
@click.option("--rank", type=click.IntRange(0, 1000), default=10, show_default=True, help="CTR@1 to CTR@RANK are computed.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the bootstrap; the same seed, the same interval.")
@click.option("--intervals", is_flag=True, help="For csv and json: with the columns low and high after total.")
@click.option("--measures", is_flag=True, help="Explain the measures instead: what is counted, of how many, and the interval.")
@format_option()
def online_command(logs: tuple[Path, ...], dwell: float, rank: int, seed: int, intervals: bool, measures: bool, form: str) -> None:
    """Print session and click measures of search logs: JSON lines or CSV, one row a query. Several files, or a folder, are one log."""
    if measures:
        show(CATALOGUE, ((each.name, each.title, each.counted, each.of, METHODS[each.method], each.notes) for each in MEASURES), form)
        return
    if not logs:
        raise IrjudgeError("Name a log, or several files of one. Its form is in resources/help/logs.md.")
    table = measured(read_log(logs), LogWish(dwell, rank, seed))
    if form == "text":
        _show_text(table)
    else:
        columns = (*COLUMNS, *ENDS) if intervals else COLUMNS
        show(columns, (row.cells()[: len(columns)] for row in table.rows), form)
    say(*table.remarks)
    if form == "text" or intervals:
        drawn = f"{SAMPLES:,} bootstrap samples, seed {seed}"
        say(f"95 % intervals: Wilson's where sessions are the trials; else from whole sessions ({drawn}).")


def _show_text(table: OnlineTable) -> None:
    """Print intervals, and definitions where the terminal is wide enough for them."""
    rows: list[Sequence[Cell]] = [(*row.cells(), row.declaration.definition) for row in table.rows]
    columns = (*COLUMNS, *ENDS, "definition")
    widest = max(map(cell_len, table_text(columns, rows).splitlines()))
    if widest <= shutil.get_terminal_size().columns:
        show(columns, rows, "text")
    else:
        show(columns[:-1], [row[:-1] for row in rows], "text")
        say("irjudge online --measures explains each; a wider terminal shows the definitions beside them.")
