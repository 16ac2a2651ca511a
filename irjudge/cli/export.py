"""Commands that write files: export, convert and paper."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from irjudge.cli.open_project import open_for_reading, open_verified
from irjudge.cli.options import (
    FILE,
    FILE_OR_ADDRESS,
    STDIN,
    FileType,
    option_of,
    terminal_progress,
)
from irjudge.cli.streams import say, tell, to_stdout
from irjudge.errors import IrjudgeError
from irjudge.exchange import enter_booklets
from irjudge.formats.judgments import TASK_FORMATS, WRITERS
from irjudge.formats.rankings import (
    ColumnsOption,
    RankingReader,
    ReadingRequest,
    SheetOption,
    convert_runs,
    expand_run_folders,
)
from irjudge.message import Message, format_count
from irjudge.model import Run
from irjudge.report import (
    EXPORT_KINDS,
    TREC,
    ExportOptions,
    export_project,
    export_to_stream,
    write_booklet,
)
from irjudge.web import own_assignment, rewrite_page

# Commands export and convert

HELP = {
    "judgments": (
        "All judgments with notes, times, flags, seconds and rationales, as .csv or .xlsx."
    ),
    "adjudications": (
        "Adjudicated grades with the adjudicator and the reason (column note), as .csv or .xlsx."
    ),
    "documents": "All documents, as JSON lines.",
    "topics": "All topics, as JSON lines.",
    "tasks": "The pool for crowd platforms, one row per topic and document: .csv, .tsv for "
    "Toloka, .json for Label Studio, .jsonl for doccano or (--form potato) Potato.",
    "pool": "The pool as CSV, with order, stratum, probability, rank and runs.",
    "qrels": (
        "Qrels, by default in TREC format (see --form), in which unjudgeable documents "
        "have grade -2."
    ),
}
CROWD_HELP = {
    "approvals": (
        "Panel participants to be paid: .txt for Prolific, one id per line; .csv for "
        "MTurk, with a reason for each rejection."
    ),
    "surveys": "Participants' answers to the questions asked before and after judging, as .csv.",
    "layout": (
        "Layout file for the tasks written with --tasks: .xml for Label Studio, .html for MTurk."
    ),
}


def _add_export_options(command: Any) -> Any:
    """Add an option for each kind of export to a command."""
    command = click.option("--run", metavar="NAME", help="A run in TREC format.")(command)
    for choice, help in reversed([*HELP.items(), *CROWD_HELP.items()]):
        command = click.option(f"--{choice}", is_flag=True, help=help)(command)
    return command


@click.command("export")
@click.argument("project", type=FILE)
@_add_export_options
@click.option(
    "--html",
    is_flag=True,
    help="Create a page for any browser from an assessor's file (.irtask).",
)
@click.option(
    "--source",
    help=(
        'With --qrels: the qrels to write, as "consensus", "judged here", "assessor NAME", or '
        "the name of imported qrels."
    ),
)
@click.option(
    "--unjudged",
    is_flag=True,
    help="With --qrels: include pooled unjudged documents, with grade -1.",
)
@click.option(
    "--form",
    "output_format",
    type=click.Choice([TREC, *WRITERS, *TASK_FORMATS]),
    default=TREC,
    show_default=True,
    help="With --qrels: format of the qrels. With --tasks and a .jsonl file: doccano or potato.",
)
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    help=(
        "File to write; the ending of its name sets the format. For text formats, use - for "
        "standard output."
    ),
)
def export_command(
    project: Path,
    output: Path,
    source: str | None,
    unjudged: bool,
    output_format: str,
    *,
    html: bool,
    **what: Any,
) -> None:
    """Write a part of a PROJECT to a file, and check the file by reading it back."""
    chosen_kinds = [name for name in EXPORT_KINDS if what[name]]
    if html and output == STDIN:
        raise IrjudgeError(
            "With --html, the output must be a file; give its name after -o.",
            key="not-text",
        )
    if html:
        _export_page(project, output, chosen_kinds)
        return
    if len(chosen_kinds) != 1:
        raise IrjudgeError(
            "Choose exactly one kind of export ({kinds}), got {named}.",
            kinds=", ".join(f"--{name}" for name in EXPORT_KINDS),
            named=" and ".join(f"--{name}" for name in chosen_kinds) or Message("nothing"),
        )
    name = what["run"] if chosen_kinds == ["run"] else source
    options = ExportOptions(chosen_kinds[0], name, unjudged, output_format)
    with open_for_reading(project) as opened_project, terminal_progress() as progress:
        if output == STDIN:
            result = export_to_stream(opened_project, options, to_stdout, progress)
        else:
            result = export_project(opened_project, options, output, progress)
            say(result.sentence)
    say(*result.warnings)


def _export_page(path: Path, output: Path, other_options: list[str]) -> None:
    if other_options:
        raise IrjudgeError(
            "Choose exactly one kind of export, got --html and --{others}.", others=other_options[0]
        )
    with open_for_reading(path) as opened_project, terminal_progress() as progress:
        warnings = rewrite_page(
            output,
            opened_project,
            own_assignment(opened_project),
            page_images=True,
            progress=progress,
        )
        judgment_count = opened_project.events.count(opened_project.owner)
    say(
        f"Saved {output.name}. The assessor returns {output.stem}.result.json; merge that file.",
        *warnings,
    )
    if judgment_count:
        say(f"The page does not contain the judgments made in {path.name}; merge both files.")


@click.command("convert")
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="FOLDER",
    help="Folder in which a folder run=NAME is created for each run.",
)
@option_of(ColumnsOption, "columns", ())
@option_of(SheetOption, "sheets", ())
def convert_command(
    runs: tuple[Path, ...], output: Path, columns: tuple[str, ...], sheets: tuple[str, ...]
) -> None:
    """Convert RUNS to Parquet, which is evaluated several times as fast as text and gives the same
    values, bit for bit. An existing Parquet file is replaced only after the new one has been
    verified by reading it.
    """
    if output.exists() and not output.is_dir():
        raise IrjudgeError(
            "{output} is a file; expected a folder or a new name.", output=output.name
        )
    paths = expand_run_folders(runs)
    reader = ReadingRequest(columns=columns, sheets=sheets).reader()
    with terminal_progress() as progress:
        written_paths = convert_runs(
            _iter_runs(paths, reader), output, total=len(paths), progress=progress
        )
    say(
        f"Saved {format_count(len(written_paths), 'run')} in {output}. To evaluate: `irjudge evaluate "
        f"QRELS {output}`."
    )


def _iter_runs(paths: Sequence[Path], reader: RankingReader) -> Iterator[Run]:
    for run in reader.read_runs(paths):
        say(*run.warnings)
        yield run


# Command paper


@click.command("paper")
@click.argument("project", type=FILE)
@click.option(
    "-o",
    "--output",
    type=FileType(dir_okay=False),
    help="Booklet to write, as HTML for printing in a browser.",
)
@click.option(
    "--assessor",
    "names",
    multiple=True,
    help="Assessor of the booklet; may be repeated. Default: the owner.",
)
@click.option(
    "--language",
    default="en",
    show_default=True,
    help="Language of the booklet, such as zh_CN.",
)
@click.option(
    "--enter",
    "entries",
    type=FILE,
    help=(
        "File with the grades ticked in booklets: one line for each part, with the code of the "
        "part and the tick for each document."
    ),
)
def paper_command(
    project: Path, output: Path | None, names: tuple[str, ...], language: str, entries: Path | None
) -> None:
    """Create a booklet for judging an assessor's documents on paper, or enter the grades ticked in booklets.

    Each part of a booklet has a code. Each line of ENTRIES has the code of a part and its ticks from
    top to bottom, such as `0076 2 0 x -`: a grade, x for unjudgeable, - for no tick. The last digit
    of a code is a check digit. If any line is wrong, nothing is entered.
    """
    if (output is None) == (entries is None):
        raise IrjudgeError(
            "Give either -o BOOKLET.html, to write a booklet, or --enter ENTRIES, to enter the "
            "grades ticked in booklets."
        )
    if entries:
        _enter_grades(project, entries)
        return
    if output:
        _write_booklet(project, output, names, language)


def _write_booklet(project: Path, output: Path, names: tuple[str, ...], language: str) -> None:
    with open_verified(project) as opened_project:
        booklet = write_booklet(opened_project, output, names, language=language)
    if booklet.too_long:
        say(f"Too long to print and skipped: {', '.join(booklet.too_long)}.")
    first_page, *_, last_page = [*booklet.pages] * 2
    part_count = format_count(len(booklet.pages), "part")
    tell(
        f"Saved {output.name}: {format_count(len(booklet), 'document')} in {part_count}, with the codes {first_page} to {last_page}."
    )


def _enter_grades(project: Path, entries: Path) -> None:
    with open_verified(project) as opened_project:
        reports = enter_booklets(opened_project, entries)
    for assessor, counts in reports.items():
        tell(
            f"{assessor}: {format_count(counts.new_count, 'judgment')} entered, {counts.known_count} already known, {counts.empty_count} empty."
        )
