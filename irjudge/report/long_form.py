"""Values one a line as CSV, for other programs: every id as it was."""

import re
from collections.abc import Iterable
from pathlib import Path

from irjudge.evaluation.table import Evaluation
from irjudge.formats.bytes.replacing import replacing
from irjudge.progress import SILENT, Progress
from irjudge.report.tables import write_table
from irjudge.text.visible import visible

COLUMNS = ("run", "measure", "topic", "value")
FORMULA = re.compile(r"[=+\-@\t\r]")
NUMBER = re.compile(r"0\d+|\d+[eE]\d+|\d{16,}|\d+\.\d*0")  # what a spreadsheet would write otherwise
MOST_NAMED = 3


def write_long_form(path: Path, evaluation: Evaluation, progress: Progress = SILENT) -> tuple[str, ...]:
    """Write run, measure, topic and value of every topic and average as CSV in UTF-8, whole or not at all.

    Parameters
    ----------
    path
        The file; one that is there is replaced when the new one is complete.
    evaluation
        Values stand in full: each reads back as the number it was.
    progress
        Told while lines are written; cancelling leaves what was there before.

    Returns
    -------
    tuple of str
        Which ids stand in the file as they are and would not in a spreadsheet program, a sentence each.

    Raises
    ------
    IrjudgeError
        When the file cannot be written.
    """
    total = len(evaluation.measures) * sum(len(run.topics) + 1 for run in evaluation.runs)
    # A run may be called by a file whose name is no UTF-8; its bytes go back as they came.
    with replacing(path) as part, part.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        lines = progress.through(evaluation.rows(per_topic=True), f"Writing {path.name}", total=total, every=4096)
        write_table(COLUMNS, lines, "csv", file)
    return spreadsheet_remarks((*(run.run for run in evaluation.runs), *evaluation.topics))


def spreadsheet_remarks(ids: Iterable[str]) -> tuple[str, ...]:
    """Return which ids a spreadsheet program would not show as they are, a sentence each.

    Examples
    --------
    >>> spreadsheet_remarks(["=1+1", "301"])
    ('A spreadsheet would take 1 id for a formula: =1+1. Import its column as text there, or write .xlsx.',)
    """
    ids = list(dict.fromkeys(ids))
    formulas = [each for each in ids if FORMULA.match(each)]
    numbers = [each for each in ids if NUMBER.fullmatch(each)]
    advice = "Import its column as text there, or write .xlsx."
    said = [f"A spreadsheet would take {_named(formulas, 'a formula', 'formulas')}. {advice}"] if formulas else []
    said += [f"A spreadsheet would take {_named(numbers, 'a number', 'numbers')}. {advice}"] if numbers else []
    return tuple(said)


def _named(ids: list[str], one: str, several: str) -> str:
    more = f" and {len(ids) - MOST_NAMED:,} more" if len(ids) > MOST_NAMED else ""
    what = f"1 id for {one}" if len(ids) == 1 else f"{len(ids):,} ids for {several}"
    return f"{what}: {', '.join(map(visible, ids[:MOST_NAMED]))}{more}"
