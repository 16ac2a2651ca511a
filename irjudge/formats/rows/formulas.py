"""Cells that a spreadsheet would take for formulas: found and told, never changed."""

import re
from collections.abc import Iterable, Sequence

from irjudge.formats.remarks import Oddity, Remarks
from irjudge.message import Message

TAKEN = Oddity(
    "A spreadsheet would take 1 cell for a formula, {first}; it stands unchanged. Open the file there as text.",
    "A spreadsheet would take {count} cells for formulas, the first {first}; they stand unchanged. Open the file there as text.",
)
_BEGINS = re.compile(r"[ \t\r\n]*[=+\-@]|[\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")


def is_formula(text: str) -> bool:
    """Tell whether a spreadsheet that opens a CSV file may calculate with a cell instead of showing it.

    Examples
    --------
    >>> is_formula("=1+1"), is_formula("@SUM(A1)"), is_formula("-5"), is_formula("a=b")
    (True, True, False, False)
    """
    return _BEGINS.match(text) is not None and not _NUMBER.fullmatch(text)


def note_formulas(columns: Sequence[str], rows: Iterable[Sequence[object]], remarks: Remarks) -> None:
    """Count the cells of a table with a header that a spreadsheet would take for formulas; the first data row is row 2."""
    for number, row in enumerate(rows, 2):
        for column, cell in zip(columns, row, strict=True):
            if isinstance(cell, str) and is_formula(cell):
                remarks.add(TAKEN, Message("{column} in row {number:,}", column=column, number=number))
