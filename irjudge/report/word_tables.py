"""Tables whose cells are words already: what every form of report and every copy to the clipboard prints."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irjudge.report.tables import Cell
from irjudge.report.workbook.sheet_writer import Kind
from irjudge.text.printable_text import visible

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Printed:
    """A table as words."""

    headings: tuple[str, ...]  # of its C columns
    right: tuple[bool, ...]  # which columns stand at the right, as numbers do: C in all
    rows: tuple[tuple[str, ...], ...]  # C words each
    # (row, column) of the cells that are bold, and of those with a mark of significance
    best: frozenset[Place] = frozenset()
    marked: frozenset[Place] = frozenset()
    title: str = ""  # what stands above it
    notes: tuple[str, ...] = ()  # what is to be known to read it, a sentence each


def printed_rows(
    rows: Iterable[Sequence[Cell]], kinds: Sequence[Kind], decimals: int
) -> tuple[tuple[str, ...], ...]:
    """Return the cells of rows as words."""
    return tuple(
        tuple(words(cell, kind, decimals) for cell, kind in zip(row, kinds, strict=True))
        for row in rows
    )


def words(cell: Cell, kind: Kind = "number", decimals: int = 4) -> str:
    """Return a cell as it is printed; nothing for what is empty or not a number.

    >>> words(0.25), words(-0.00001), words(3, "whole"), words(0.125, "share"), words(None)
    ('0.2500', '0.0000', '3', '12.5 %', '')
    >>> words(0.03, "probability"), words(1e-9, "probability"), words("tab\\there")
    ('0.0300', '<0.0001', 'tab\\\\there')
    """
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""
    if isinstance(cell, str):
        return visible(cell)
    if kind == "share":
        return f"{100 * cell:.1f} %"
    if kind == "plain":
        return f"{cell:g}"
    if kind == "probability" and 0 < cell < 10**-decimals:
        return f"<{10**-decimals:.{decimals}f}"
    return f"{round(cell)}" if kind == "whole" else f"{cell:z.{decimals}f}"
