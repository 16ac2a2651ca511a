"""Functions that update the rows of a table without losing selection and scroll position."""

from collections.abc import Sequence
from typing import Any

from irjudge_ui.models import Column, TableModel
from irjudge_ui.widgets import Table


def update_rows(
    table: Table,
    model: TableModel,
    rows: Sequence[Any],
    columns: Sequence[Column],
    names: Sequence[int] = (0,),
) -> bool:
    """Replace the rows of a table; return whether the new rows have the same names as the old.

    The name of a row consists of its cells in the columns `names`. If all names are the same, the
    selection and the scroll position are preserved.
    """
    same_headers = [column.header for column in model.columns] == [
        column.header for column in columns
    ]
    if not same_headers or _row_keys(model.rows, model.columns, names) != _row_keys(
        rows, columns, names
    ):
        model.fill(rows, columns)
        return False
    old_lengths = model.lengths()
    model.update_and_append(rows, columns)
    if any(
        length > old_length for length, old_length in zip(model.lengths(), old_lengths, strict=True)
    ):
        table.fit()
    return True


def update_sorted_rows(
    table: Table,
    model: TableModel,
    rows: Sequence[Any],
    columns: Sequence[Column],
    names: Sequence[int] = (0,),
) -> None:
    """Replace the rows of a sorted table; preserve the selection and the scroll position.

    The selected row is identified by its cells in the columns `names`.
    """
    selected_key = (
        _row_keys([row], model.columns, names)[0]
        if (row := model.at(table.currentIndex())) is not None
        else None
    )
    bar = table.verticalScrollBar()
    old_value = bar.value()
    if not update_rows(table, model, rows, columns, names):
        keys = _row_keys(rows, columns, names)
        if selected_key in keys and (index := model.line_of(keys.index(selected_key))).isValid():
            table.setCurrentIndex(index)
        bar.setValue(old_value)


def _row_keys(
    rows: Sequence[Any], columns: Sequence[Column], names: Sequence[int]
) -> list[list[str]]:
    return [[columns[column].cell_text(row) for column in names] for row in rows] if columns else []
