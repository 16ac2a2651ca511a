"""Reports as files, by the ending of their name, and tables as the forms in which they are copied."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from irjudge.evaluation.table import Evaluation
from irjudge.formats.bytes.replacing import replacing
from irjudge.message import Message
from irjudge.progress import SILENT, Progress
from irjudge.report import html, latex, markdown
from irjudge.report.contents import Findings, Report, report_of
from irjudge.report.gathering import compared, correlated
from irjudge.report.long_form import write_long_form
from irjudge.report.pictures import pictures_of
from irjudge.report.printed import Printed

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
    ".md": lambda report, _progress: markdown.markdown_lines(report),
}


def write_report(path: Path, evaluation: Evaluation, findings: Findings | None = None, progress: Progress = SILENT) -> tuple[str, ...]:
    """Write a report, whole or not at all.

    Parameters
    ----------
    path
        Ends in .html, .htm, .tex, .md or .csv; a file that is there is replaced when the new one is complete.
    evaluation, findings
        As for `report_of`; CSV holds the values alone.
    progress
        Told while lines are written; cancelling leaves what was there before.

    Returns
    -------
    tuple of str
        What is to be known of the file, a sentence each.

    Raises
    ------
    IrjudgeError
        When the file cannot be written.
    KeyError
        When the name ends otherwise.
    """
    if path.suffix == ".csv":
        return write_long_form(path, evaluation, progress)
    printed = PRINTED[path.suffix]
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for line in progress.through(
            printed(report_of(evaluation, findings, progress), progress), Message("Writing {file}", file=path.name)
        ):
            file.write(line + "\n")
    return ()


def gathered(evaluation: Evaluation, titles: Mapping[str, str], facts: Mapping[str, str], progress: Progress = SILENT) -> Findings:
    """Return what an evaluation says by itself, for `write_report`: its runs compared and its measures correlated.

    Parameters
    ----------
    evaluation
        What was computed.
    titles
        Of topics, by their ids.
    facts
        More settings to show.
    progress
        Told while runs are compared.
    """
    comparison, notes = compared(evaluation, progress)
    return Findings(comparison, correlated(evaluation), titles=titles, facts=facts, notes=notes)


def table_as(table: Printed, form: TableForm) -> str:
    r"""Return a table as text to paste elsewhere; `text` has tabs between its cells, as spreadsheets take them.

    Examples
    --------
    >>> table = Printed(("run", "AP"), (False, True), (("a|b", "0.5000"),))
    >>> table_as(table, "text"), table_as(table, "csv")
    ('run\tAP\na|b\t0.5000\n', 'run,AP\na|b,0.5000\n')
    """
    if form in ("text", "csv"):
        made = io.StringIO()
        writer = csv.writer(made, "excel-tab" if form == "text" else "excel", lineterminator="\n")
        writer.writerows([table.headings, *table.rows])
        return made.getvalue()
    lines = {"markdown": markdown.table_lines, "latex": latex.tabular, "html": html.table_lines}[form](table)
    return "\n".join(lines) + "\n"
