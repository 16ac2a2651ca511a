"""The commands that keep work safe: receipt."""

from pathlib import Path

import click

from irjudge.cli.output import terminal_progress
from irjudge.judging.hand_in import receipt
from irjudge.judging.session import Session
from irjudge.store.project import open_project

FILE = click.Path(path_type=Path)


@click.command("receipt")
@click.argument("file", type=FILE)
@click.option("--assessor", help="Whose work. Default: the project's owner.")
def receipt_command(file: Path, assessor: str | None) -> None:
    """Print the receipt of what FILE holds now, to compare with the one that was handed in; nothing is written."""
    with open_project(file, writing=False) as project, terminal_progress() as progress:
        made = receipt(Session(project, assessor), progress=progress)
    click.echo(made.text, nl=False)
