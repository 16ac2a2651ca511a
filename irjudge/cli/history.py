"""The command about evaluations that were kept: history."""

from itertools import pairwise
from pathlib import Path

import click

from irjudge.cli.shared.kept import all_kept
from irjudge.cli.shared.opening import to_write
from irjudge.cli.shared.output import format_option, say, show, tell
from irjudge.evaluation.history import changes, dated_rows, forget_kept
from irjudge.store.project import is_project


@click.command("history")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--changes", "what_changed", is_flag=True, help="What changed from each to the next: settings and inputs by their hashes.")
@click.option("--forget", metavar="NAME", help="Take the newest evaluation of this name out of a project.")
@format_option()
def history_command(source: Path, what_changed: bool, forget: str | None, form: str) -> None:
    """Print the evaluations that a project or a file keeps (`evaluate --keep NAME`), oldest first."""
    if forget is not None:
        _forget(source, forget)
        return
    kept = all_kept(source)
    if what_changed:
        rows = (
            (now.made, now.name, each.what, each.before, each.now)
            for before, now in pairwise(kept)
            for each in changes(before, now)
        )
        show(("made", "name", "what", "before", "now"), rows, form)
    else:
        show(("made", "name", "run", "measure", "value"), dated_rows(kept), form)
    if not kept:
        say(f"Nothing is kept yet; `irjudge evaluate {source.name} --keep NAME` keeps an evaluation.")


def _forget(source: Path, name: str) -> None:
    if not is_project(source):
        raise click.UsageError(f"--forget is for a project; {source.name} is a file with a line for each evaluation.")
    with to_write(source) as project:
        gone = forget_kept(project, name)
    tell(f"Forgot {gone.called}.")
