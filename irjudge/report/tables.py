"""Tables for the terminal and for other programs: aligned text, CSV and JSON."""

import io
import json
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TextIO, TypeAlias, get_args

import numpy as np

from irjudge.formats.rows import write_csv
from irjudge.message import escape_control_characters
from irjudge.metrics import Cell as Cell

TableForm: TypeAlias = Literal["text", "csv", "json"]
TABLE_FORMS: tuple[TableForm, ...] = get_args(TableForm)

COLUMN_GAP = "  "
P_VALUES = ("p", "p_adjusted")  # columns of p-values; values below 0.0001 are printed as `< 0.0001`


def write_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    table_format: TableForm,
    stream: TextIO,
    *,
    decimals: int = 4,
    for_spreadsheet: bool = False,
) -> None:
    """Write a table to a stream as aligned text, CSV or JSON.

    `decimals` applies only to text. JSON is an array of objects, without a newline at the end.

    >>> import sys
    >>> write_table(["run", "value"], [("a", 0.5), ("long", 12)], "text", sys.stdout)
    run    value
    a     0.5000
    long      12
    """
    if table_format == "text":
        _write_text(columns, rows, stream, decimals)
    elif table_format == "csv":
        write_csv(
            stream, columns, (map(_to_python, row) for row in rows), for_spreadsheet=for_spreadsheet
        )
    else:
        prefix = "[\n"
        for row in rows:
            record = dict(zip(columns, map(_to_python, row), strict=True))
            stream.write(prefix + json.dumps(record, ensure_ascii=False, allow_nan=False))
            prefix = ",\n"
        stream.write("[]" if prefix == "[\n" else "\n]")


def table_text(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    table_format: TableForm = "text",
    *,
    decimals: int = 4,
    for_spreadsheet: bool = False,
) -> str:
    """Return a table as text, CSV or JSON; for the parameters see `write_table`.

    >>> table_text(["run", "value"], [("a", 0.1), ("=1+1", None)], "csv")
    'run,value\\na,0.1\\n=1+1,\\n'
    """
    text = io.StringIO()
    write_table(
        columns, rows, table_format, text, decimals=decimals, for_spreadsheet=for_spreadsheet
    )
    return text.getvalue()


def _to_python(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic) else cell


# Text tables for terminals


def _compute_display_width(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 -- only needed for text tables

    return cell_len(text)


def _write_text(
    columns: Sequence[str], rows: Iterable[Sequence[Cell]], stream: TextIO, decimals: int
) -> None:
    cells = [[_to_python(cell) for cell in row] for row in rows]
    is_numeric_by_column = [
        _is_numeric([row[index] for row in cells]) for index in range(len(columns))
    ]
    lines = [
        list(map(escape_control_characters, columns)),
        *(list(map(_format_cell, columns, row, [decimals] * len(row))) for row in cells),
    ]
    widths = [
        max(_compute_display_width(line[index]) for line in lines) for index in range(len(columns))
    ]
    for line in lines:
        padded_cells = [
            _pad(text, width, is_right)
            for text, width, is_right in zip(line, widths, is_numeric_by_column, strict=True)
        ]
        stream.write(COLUMN_GAP.join(padded_cells).rstrip(" ") + "\n")


def _is_numeric(cells: Sequence[Cell]) -> bool:
    filled_cells = [cell for cell in cells if cell is not None]
    return bool(filled_cells) and all(isinstance(cell, int | float) for cell in filled_cells)


def _format_cell(column: str, cell: Cell, decimals: int) -> str:
    if cell is None:
        return ""
    min_shown_value = 10.0**-decimals
    if column in P_VALUES and isinstance(cell, float) and cell < min_shown_value:
        return f"< {min_shown_value:.{decimals}f}"
    return (
        f"{cell:z.{decimals}f}" if isinstance(cell, float) else escape_control_characters(str(cell))
    )


def _pad(text: str, width: int, is_right: bool) -> str:
    padding = " " * (width - _compute_display_width(text))
    return padding + text if is_right else text + padding
