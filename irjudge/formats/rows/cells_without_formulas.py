"""Texts in tables that people open with a spreadsheet program: what it would calculate with has an apostrophe before it.

The form: a text that begins like a formula (`is_formula`) is written with one apostrophe more than it has, and so is one that begins with
apostrophes before such a text. `unescape_formula` takes exactly that one away, so whatever was written is read back as it was. Numbers stay.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind
from irjudge.message import Message

MARK = "'"
_BEGINS = re.compile(r"[\s\ufeff]*[=+\-@＝＋－＠]|[\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
RESTORED = WarningKind(
    "1 cell has an apostrophe before what a spreadsheet would calculate with, {first}; it was read without it.",
    "{count} cells have an apostrophe before what a spreadsheet would calculate with, the first {first}; they were read without it.",
    key="restored",
)
Cell = TypeVar("Cell")


def is_formula(text: str) -> bool:
    """Tell whether a spreadsheet that opens a CSV file may calculate with a cell instead of showing it.

    >>> is_formula("=1+1"), is_formula("@SUM(A1)"), is_formula(" =1"), is_formula("-5"), is_formula("a=b")
    (True, True, True, False, False)
    """
    return _BEGINS.match(text) is not None and not _NUMBER.fullmatch(text)


def escape_formula(cell: Cell) -> Cell | str:
    """Return a cell as it stands where a spreadsheet opens it.

    >>> escape_formula("=1+1"), escape_formula("'=1+1"), escape_formula("-5"), escape_formula(-5)
    ("'=1+1", "''=1+1", '-5', -5)
    """
    return MARK + cell if isinstance(cell, str) and is_formula(cell.lstrip(MARK)) else cell


def unescape_formula(text: str) -> str:
    """Return what was written: the opposite of `escape_formula`.

    >>> unescape_formula("'=1+1"), unescape_formula("''=1+1"), unescape_formula("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return text[1:] if text[:1] == MARK and is_formula(text.lstrip(MARK)) else text


def unescape_rows(
    rows: Iterable[tuple[int, Sequence[str]]], remarks: ReaderWarnings
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table as they were written, and note which cells had an apostrophe."""
    for line, cells in rows:
        read = list(map(unescape_formula, cells))
        changed = sum(before != after for before, after in zip(cells, read, strict=True))
        if changed:
            remarks.add(RESTORED, Message("line {line}", line=line), changed)
        yield line, read
