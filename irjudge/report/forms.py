"""Reports as files, by the ending of their name, and tables as the forms in which they are copied."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from irjudge.evaluation.table import Evaluation
from irjudge.formats.bytes.atomic_write import replacing
from irjudge.formats.rows.cells_without_formulas import neutral
from irjudge.judging.norming import normed_sessions
from irjudge.message import Message
from irjudge.progress import SILENT, Progress
from irjudge.report import html, latex
from irjudge.report.analyses import compared, correlated
from irjudge.report.contents import MARK, Findings, Report, report_of
from irjudge.report.method import Method
from irjudge.report.pictures import pictures_of
from irjudge.report.tables import write_table
from irjudge.report.word_tables import Printed
from irjudge.stats.sampling import Sampling
from irjudge.store.project import Project
from irjudge.text.printable_text import visible

COLUMNS = ("run", "measure", "topic", "value")
NUMBER = re.compile(
    r"0\d+|\d+[eE]\d+|\d{16,}|\d+\.\d*0"
)  # what a spreadsheet would write otherwise
MOST_NAMED = 3


def write_long_form(
    path: Path, evaluation: Evaluation, progress: Progress = SILENT
) -> tuple[str, ...]:
    """Write run, measure, topic and value of every topic and average as CSV in UTF-8, whole or not at all."""
    total = len(evaluation.measures) * sum(len(run.topics) + 1 for run in evaluation.runs)
    # A run may be called by a file whose name is no UTF-8; its bytes go back as they came.
    with (
        replacing(path) as part,
        part.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file,
    ):
        lines = progress.through(
            evaluation.rows(per_topic=True), f"Writing {path.name}", total=total, every=4096
        )
        write_table(COLUMNS, lines, "csv", file, opened=True)
    return spreadsheet_remarks((*(run.run for run in evaluation.runs), *evaluation.topics))


def spreadsheet_remarks(ids: Iterable[str]) -> tuple[str, ...]:
    """Return which ids a spreadsheet program does not show as they are, a sentence each.

    >>> spreadsheet_remarks(["=1+1", "301"])
    ('An apostrophe stands before 1 id that a spreadsheet would take for a formula: =1+1.',)
    """
    ids = list(dict.fromkeys(ids))
    formulas = [each for each in ids if neutral(each) != each]
    numbers = [each for each in ids if NUMBER.fullmatch(each)]
    advice = "Import its column as text there, or write .xlsx."
    taken = "that a spreadsheet would take for"
    said = (
        [
            f"An apostrophe stands before {_named(formulas, f'{taken} a formula', f'{taken} formulas')}."
        ]
        if formulas
        else []
    )
    said += (
        [f"A spreadsheet would take {_named(numbers, 'for a number', 'for numbers')}. {advice}"]
        if numbers
        else []
    )
    return tuple(said)


def _named(ids: list[str], one: str, several: str) -> str:
    more = f" and {len(ids) - MOST_NAMED:,} more" if len(ids) > MOST_NAMED else ""
    what = f"1 id {one}" if len(ids) == 1 else f"{len(ids):,} ids {several}"
    return f"{what}: {', '.join(map(visible, ids[:MOST_NAMED]))}{more}"


SIGN = re.compile(r"[\\`*_\[\]<>|~&$!#]")


def escaped(text: str) -> str:
    r"""Return a text that Markdown shows as it is, in a cell or outside.

    >>> print(escaped("a|b *c*"))
    a\|b \*c\*
    """
    return SIGN.sub(r"\\\g<0>", text)


def markdown_table_lines(table: Printed) -> Iterator[str]:
    """Yield the lines of a table: best values in bold, significance as a dagger."""
    yield _row(map(escaped, table.headings))
    yield _row("---:" if right else "---" for right in table.right)
    for row, cells in enumerate(table.rows):
        yield _row(_cell(table, (row, column), text) for column, text in enumerate(cells))


def markdown_lines(report: Report, decimals: int = 4) -> Iterator[str]:
    """Yield the lines of a report: a heading, a table and its notes each."""
    yield f"# {escaped(report.title)}"
    for table in report.tables:
        yield from ("", f"## {escaped(table.title)}", "")
        yield from ([escaped(table.lead), ""] if table.lead else [])
        printed = table.printed(decimals)
        yield from markdown_table_lines(printed)
        for note in printed.notes:
            yield from ("", escaped(note))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(table: Printed, place: tuple[int, int], text: str) -> str:
    made = escaped(text)
    made = f"**{made}**" if place in table.best else made
    return made + MARK if place in table.marked else made


TableForm: TypeAlias = Literal["text", "csv", "markdown", "latex", "html"]
TABLE_FORMS: tuple[TableForm, ...] = get_args(TableForm)
Lines: TypeAlias = Callable[[Report, Progress], Iterator[str]]


def _page(report: Report, progress: Progress) -> Iterator[str]:
    return html.html_lines(report, pictures_of(report.evaluation, progress))


# What prints a report, by the ending of the file.
PRINTED: dict[str, Lines] = {
    ".html": _page,
    ".htm": _page,
    ".tex": lambda report, _progress: latex.latex_lines(report),
    ".md": lambda report, _progress: markdown_lines(report),
}


def write_report(
    path: Path,
    evaluation: Evaluation,
    findings: Findings | None = None,
    progress: Progress = SILENT,
) -> tuple[str, ...]:
    """Write a report, whole or not at all."""
    if path.suffix == ".csv":
        return write_long_form(path, evaluation, progress)
    printed = PRINTED[path.suffix]
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for line in progress.through(
            printed(report_of(evaluation, findings, progress), progress),
            Message("Writing {file}", file=path.name),
        ):
            file.write(line + "\n")
    return ()


def gathered(
    evaluation: Evaluation,
    titles: Mapping[str, str],
    facts: Mapping[str, str],
    progress: Progress = SILENT,
    *,
    made: Method | None = None,
    project: Project | None = None,
) -> Findings:
    """Return what an evaluation says by itself, for `write_report`: its runs compared and its measures correlated; of a `project` also
    its norming rounds."""
    comparison, notes = compared(evaluation, progress)
    rounds = normed_sessions(project, sampling=Sampling(progress=progress)) if project else ()
    return Findings(
        comparison,
        correlated(evaluation),
        titles=titles,
        facts=facts,
        notes=notes,
        method=made,
        rounds=rounds,
    )


def table_as(table: Printed, form: TableForm) -> str:
    r"""Return a table as text to paste elsewhere; `text` has tabs between its cells, as spreadsheets take them.

    There, and in `csv`, words that begin as a formula have an apostrophe before them.

    >>> table = Printed(("run", "AP"), (False, True), (("a|b", "0.5000"),))
    >>> table_as(table, "text"), table_as(table, "csv")
    ('run\tAP\na|b\t0.5000\n', 'run,AP\na|b,0.5000\n')
    """
    if form in ("text", "csv"):
        made = io.StringIO()
        writer = csv.writer(made, "excel-tab" if form == "text" else "excel", lineterminator="\n")
        writer.writerow(table.headings)
        writer.writerows(
            [cell if right else neutral(cell) for cell, right in zip(row, table.right, strict=True)]
            for row in table.rows
        )
        return made.getvalue()
    lines = {"markdown": markdown_table_lines, "latex": latex.tabular, "html": html.table_lines}[
        form
    ](table)
    return "\n".join(lines) + "\n"
