"""Judgments as a spreadsheet that reads back equal."""

from collections.abc import Sequence
from pathlib import Path

from irjudge.errors import IrjudgeError
from irjudge.formats.judgments.judgments import WRITTEN, LabelRow, cells_of
from irjudge.progress import SILENT, Progress
from irjudge.report.workbook.sheets import LONGEST, ROWS, Cell, WorkbookColumn, new_book, write_table

NUMBERS = {"grade": "whole", "seconds": "plain", "showing": "whole"}


def write_judgment_book(path: Path, rows: Sequence[LabelRow], progress: Progress = SILENT) -> int:
    """Write judgments as one sheet of an XLSX workbook and return how many; ids are text whatever they look like."""
    if len(rows) > ROWS - 1:
        raise IrjudgeError(f"{path.name}: {len(rows):,} judgments, and a sheet holds {ROWS - 1:,}. Write them as .csv.")
    columns = [WorkbookColumn(name, NUMBERS.get(name, "id")) for name in WRITTEN]  # type: ignore[arg-type]
    with new_book(path, progress=progress) as book:
        write_table(book, "Judgments", columns, (_fitting(path, row) for row in rows), progress, frozen=4, total=len(rows))
    return len(rows)


def _fitting(path: Path, row: LabelRow) -> Sequence[Cell]:
    cells = cells_of(path, row)
    if any(isinstance(cell, str) and len(cell.encode("utf-16-le")) > 2 * LONGEST for cell in cells):
        where = f"topic {row.topic}, document {row.document}, {row.assessor}"
        raise IrjudgeError(f"{path.name}: a text is longer than the {LONGEST:,} characters a cell can hold ({where}). Write it as .csv.")
    return cells
