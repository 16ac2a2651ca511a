"""The commands that keep work safe: receipt, rescue."""

from pathlib import Path

import click

from irjudge.cli.shared.opening import reading
from irjudge.cli.shared.output import format_option, say, show, tell, terminal_progress
from irjudge.exchange.outstanding import assigned_work
from irjudge.exchange.result_file import is_result, read_result, receipt_text
from irjudge.judging.hand_in import receipt
from irjudge.judging.session import Session
from irjudge.store.project import rescue

FILE = click.Path(path_type=Path)


@click.command("receipt")
@click.argument("file", type=FILE)
@click.option("--assessor", help="Whose work. Default: the project's owner.")
def receipt_command(file: Path, assessor: str | None) -> None:
    """Print the receipt of what FILE holds now, to compare with the one that was handed in; nothing is written.

    FILE is a project, an assessor's file, or a result that a browser saved.
    """
    if is_result(file):
        tell(*receipt_text(read_result(file)).splitlines())
        return
    with reading(file) as project, terminal_progress() as progress:
        made = receipt(assigned_work(project, assessor) or Session(project, assessor), progress=progress)
    tell(*made.text.splitlines())


@click.command("rescue")
@click.argument("file", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, help="The new project to make.")
@format_option()
def rescue_command(file: Path, output: Path, form: str) -> None:
    """Make a sound project of all that can be read of a damaged FILE, which stays as it is, and print the balance."""
    with terminal_progress() as progress:
        report = rescue(file, output, progress)
    show(("part", "read", "lost"), ((part.name, part.read, part.lost) for part in report.parts.values()), form)
    say(*(report.sentences or ["Nothing is known to be lost."]), f"Made {output}.")
