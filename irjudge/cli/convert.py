"""The command that writes runs by columns: convert."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from irjudge.cli.shared.columns import FileColumns, columns_option
from irjudge.cli.shared.output import say, terminal_progress
from irjudge.errors import IrjudgeError
from irjudge.formats.rankings.converting import convert
from irjudge.formats.rankings.runs import names_apart, read_run
from irjudge.formats.rows.column_groups import by_runs
from irjudge.message import counted
from irjudge.model.ranking import Run

FILE = click.Path(path_type=Path)


@click.command("convert")
@click.argument("runs", type=FILE, nargs=-1, required=True)
@click.option("-o", "--output", type=FILE, required=True, metavar="FOLDER", help="Where each run gets a folder run=NAME.")
@columns_option()
def convert_command(runs: tuple[Path, ...], output: Path, columns: FileColumns) -> None:
    """Write RUNS as Parquet, which is evaluated several times as fast as text and gives the same values, bit for bit.

    A run that was converted before is replaced once the new one has been read back.
    """
    if output.exists() and not output.is_dir():
        raise IrjudgeError(f"{output.name} is a file, expected a folder or a new name.")
    paths = by_runs(runs)
    with terminal_progress() as progress:
        written = convert(_read(paths, columns), output, total=len(paths), progress=progress)
    say(f"Wrote {counted(len(written), 'run')} into {output}: `irjudge evaluate QRELS {output}` reads them.")


def _read(paths: Sequence[Path], columns: FileColumns) -> Iterator[Run]:
    for path, name in zip(paths, names_apart(paths), strict=True):
        run = read_run(path, name, columns=columns.runs)
        say(*run.remarks)
        yield run
