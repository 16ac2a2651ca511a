"""The command that writes parts of a project as files."""

from pathlib import Path
from typing import Any

import click

from irjudge.cli.output import say, terminal_progress
from irjudge.cli.projects import FILE, say_damage
from irjudge.errors import IrjudgeError
from irjudge.report.exporting import EXPORTS, Wish, export
from irjudge.store.project import open_project

HELP = {
    "judgments": "Every assessor's judgments with notes, times, flags and seconds, as .csv or .xlsx.",
    "documents": "All documents as JSON lines.",
    "topics": "All topics as JSON lines.",
    "tasks": "The pool as a CSV for crowd platforms: an item, its topic and the words of its document a row.",
    "pool": "The pool as CSV: order, stratum, probability, rank and runs.",
    "qrels": "Qrels in TREC form; unjudgeable documents are -2.",
}


def _choices(command: Any) -> Any:
    """Give a command an option for each kind of export."""
    words = "A run in TREC form."
    command = click.option("--run", metavar="NAME", help=words)(command)
    for what in reversed(HELP):
        command = click.option(f"--{what}", is_flag=True, help=HELP[what])(command)
    return command


@click.command("export")
@click.argument("project", type=FILE)
@_choices
@click.option("--source", help="With --qrels, which ones: consensus, judged here, assessor NAME, or the name of imported ones.")
@click.option("--unjudged", is_flag=True, help="With --qrels, the pooled documents that wait for a judgment, as -1, too.")
@click.option("-o", "--output", type=FILE, required=True, help="The file to write; its ending tells the form.")
def export_command(project: Path, output: Path, source: str | None, unjudged: bool, **what: Any) -> None:
    """Write a part of a PROJECT to a file, and check it by reading it back."""
    wish = _wish(source, unjudged, what)
    with open_project(project, writing=False) as opened, terminal_progress() as progress:
        say_damage(opened)
        done = export(opened, wish, output, progress)
    say(done.sentence, *done.remarks)


def _wish(source: str | None, unjudged: bool, what: dict[str, Any]) -> Wish:
    chosen = [name for name in EXPORTS if what[name]]
    if len(chosen) != 1:
        named = " and ".join(f"--{name}" for name in chosen) or "nothing"
        raise IrjudgeError(f"Name one thing to write ({', '.join(f'--{name}' for name in EXPORTS)}), got {named}.")
    if (source or unjudged) and chosen != ["qrels"]:
        raise IrjudgeError(f"--source and --unjudged are for --qrels, got them with --{chosen[0]}.")
    return Wish(chosen[0], what["run"] if chosen == ["run"] else source, unjudged)
