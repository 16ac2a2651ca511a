"""Rows of tables that are shown anew while somebody looks: what is chosen and in view stays so."""

from collections.abc import Sequence
from typing import Any

from irjudge_ui.models.tables import Column, TableModel
from irjudge_ui.widgets.table import Table


def sorted_row(table: Table) -> int:
    """Return which row of its source the current one of a sorted table is."""
    model = table.model()
    return int(model.mapToSource(table.currentIndex()).row())  # type: ignore[attr-defined]


def shown_row(table: Table, row: int) -> int:
    """Return where a row of its source stands in a sorted table."""
    model = table.model()
    return int(model.mapFromSource(model.sourceModel().index(row, 0)).row())  # type: ignore[attr-defined]


def go_on(table: Table, model: TableModel, rows: Sequence[Any], columns: Sequence[Column], names: Sequence[int] = (0,)) -> bool:
    """Show rows; tell whether they are the same as before, by their words in the columns `names`: what is chosen and in view stays so."""
    headers = [column.header for column in model.columns] == [column.header for column in columns]
    if not headers or _named(model.rows, model.columns, names) != _named(rows, columns, names):
        model.fill(rows, columns)
        return False
    before = model.lengths()
    model.go_on(rows, columns)
    if any(now > was for now, was in zip(model.lengths(), before, strict=True)):
        table.fit()
    return True


def keep_up(table: Table, model: TableModel, rows: Sequence[Any], columns: Sequence[Column], names: Sequence[int] = (0,)) -> None:
    """Show other rows of a sorted table; the chosen one, known by its words in the columns `names`, and what is in view stay so."""
    chosen = _named(model.rows, model.columns, names)[sorted_row(table)] if table.currentIndex().isValid() else None
    bar = table.verticalScrollBar()
    before = bar.value()
    if go_on(table, model, rows, columns, names):
        return
    known = _named(rows, columns, names)
    shown = shown_row(table, known.index(chosen)) if chosen in known else -1
    if shown >= 0:
        table.setCurrentIndex(table.model().index(shown, 0))
    bar.setValue(before)


def _named(rows: Sequence[Any], columns: Sequence[Column], names: Sequence[int]) -> list[list[str]]:
    return [[columns[place].words(row) for place in names] for row in rows] if columns else []
