"""Escaping of table cells that a spreadsheet program would evaluate as formulas.

A text that begins like a formula (`is_formula`), or with apostrophes followed by a formula, is
written with an additional apostrophe. `unescape_formula` removes only that apostrophe, so that the
original text is restored. Numbers are not escaped.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, TypeVar

from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind
from irjudge.message import Message

ESCAPE_MARK = "'"
_FORMULA_START = re.compile(r"[\s\ufeff]*[=+\-@＝＋－＠]|[\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
UNESCAPED_CELLS = WarningKind(
    "1 cell has an apostrophe before text that looks like a formula: {first}. The apostrophe "
    "was removed.",
    "{count} cells have an apostrophe before text that looks like a formula; the apostrophes "
    "were removed. First: {first}.",
    key="restored",
)
Cell = TypeVar("Cell")


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet program may evaluate a CSV cell as a formula.

    >>> is_formula("=1+1"), is_formula("@SUM(A1)"), is_formula(" =1"), is_formula("-5"), is_formula("a=b")
    (True, True, True, False, False)
    """
    return _FORMULA_START.match(text) is not None and not _NUMBER.fullmatch(text)


def escape_formula(cell: Cell) -> Cell | str:
    """Return a cell with a leading apostrophe if a spreadsheet program would evaluate it.

    >>> escape_formula("=1+1"), escape_formula("'=1+1"), escape_formula("-5"), escape_formula(-5)
    ("'=1+1", "''=1+1", '-5', -5)
    """
    return (
        ESCAPE_MARK + cell
        if isinstance(cell, str) and is_formula(cell.lstrip(ESCAPE_MARK))
        else cell
    )


def write_csv(
    stream: TextIO,
    columns: Sequence[str],
    rows: Iterable[Iterable[object]],
    *,
    for_spreadsheet: bool = False,
) -> None:
    """Write a comma-separated table; `for_spreadsheet` escapes cells that begin like a formula.

    >>> import sys
    >>> write_csv(sys.stdout, ["run", "value"], [("=1+1", 0.5)], for_spreadsheet=True)
    run,value
    '=1+1,0.5
    """
    # With CRLF as line end, the writer quotes cells that contain a carriage return.
    writer = csv.writer(_LineFeedWriter(stream), lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows((map(escape_formula, row) for row in rows) if for_spreadsheet else rows)


class _LineFeedWriter:
    """Text stream for `csv.writer` that ends each row with a line feed instead of CRLF."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, row: str) -> None:
        self._stream.write(row.removesuffix("\r\n") + "\n")


def unescape_formula(text: str) -> str:
    """Return a cell without the apostrophe that `escape_formula` added; other cells are unchanged.

    >>> unescape_formula("'=1+1"), unescape_formula("''=1+1"), unescape_formula("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return text[1:] if text[:1] == ESCAPE_MARK and is_formula(text.lstrip(ESCAPE_MARK)) else text


def unescape_rows(
    rows: Iterable[tuple[int, Sequence[str]]], warnings: ReaderWarnings
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table with cells unescaped; warn if cells were escaped."""
    for line, cells in rows:
        unescaped_cells = list(map(unescape_formula, cells))
        changed_count = sum(old != new for old, new in zip(cells, unescaped_cells, strict=True))
        if changed_count:
            warnings.add(UNESCAPED_CELLS, Message("line {line}", line=line), changed_count)
        yield line, unescaped_cells
