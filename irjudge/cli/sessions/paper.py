"""The command for judging on paper: a booklet that is printed, and what was ticked in it."""

from pathlib import Path

import click

from irjudge.cli.shared.locations import FILE, FileType
from irjudge.cli.shared.open_project import to_write
from irjudge.cli.shared.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.exchange.paper import enter, make_booklet, read_entries
from irjudge.formats.bytes.atomic_write import write_whole
from irjudge.message import counted
from irjudge.report.booklet import booklet_lines, booklet_words
from irjudge.web.page import page_translations

ENGLISH = "en"


@click.command("paper")
@click.argument("project", type=FILE)
@click.option(
    "-o",
    "--output",
    type=FileType(dir_okay=False),
    help="The booklet to write, as HTML that a browser prints.",
)
@click.option(
    "--assessor",
    "names",
    multiple=True,
    help="Whose booklet, may be repeated; by default the owner's.",
)
@click.option(
    "--language",
    default=ENGLISH,
    show_default=True,
    help="Of the booklet's own words, such as zh_CN.",
)
@click.option(
    "--enter",
    "entries",
    type=FILE,
    help="What was ticked: a page a line, its code and a digit for each document.",
)
def paper_command(
    project: Path, output: Path | None, names: tuple[str, ...], language: str, entries: Path | None
) -> None:
    """Write the work of a person in a PROJECT as a booklet to be judged on paper, or enter what was ticked in booklets.

    Each page has a code. A line of the entries is a code and what was ticked from top to bottom, such as `0076 2 0 x -`: a grade, x for
    what cannot be judged, - for what was left empty. The last digit of a code checks the others. Nothing is entered while a line is wrong.
    """
    if (output is None) == (entries is None):
        raise IrjudgeError(
            "Give -o BOOKLET.html to write a booklet, or --enter ENTRIES to enter one."
        )
    if entries:
        _enter(project, entries)
        return
    if output:
        _write(project, output, names, language)


def _write(project: Path, output: Path, names: tuple[str, ...], language: str) -> None:
    with to_write(project) as opened:
        known = page_translations([*booklet_words(opened.scale)]) | {ENGLISH: {}}
        if language not in known:
            raise IrjudgeError(
                "The booklet does not speak {language!r}, expected one of {known}.",
                language=language,
                known=", ".join(sorted(known)),
            )
        with opened.transaction():  # a booklet that cannot be written has no codes
            booklet = make_booklet(opened, *names)
            write_whole(
                output,
                "\n".join(
                    booklet_lines(
                        opened, booklet.pages, lambda words: known[language].get(words, words)
                    )
                ),
            )
    if booklet.too_long:
        say(f"Too long for paper and left out: {', '.join(booklet.too_long)}.")
    first, *_, last = [*booklet.pages] * 2
    pages = counted(len(booklet.pages), "page")
    tell(
        f"Wrote {output.name}: {counted(len(booklet), 'document')} on {pages}, with the codes {first} to {last}."
    )


def _enter(project: Path, entries: Path) -> None:
    with to_write(project) as opened:
        done = [(entry, enter(opened, entry)) for entry in read_entries(opened, entries)]
    for assessor in dict.fromkeys(entry.page.assessor for entry, _ in done):
        mine = [made for entry, made in done if entry.page.assessor == assessor]
        new, known, empty = (
            sum(getattr(made, name) for made in mine) for name in ("new", "known", "empty")
        )
        tell(
            f"{assessor}: {counted(new, 'judgment')} entered, {known} known already, {empty} left empty."
        )
