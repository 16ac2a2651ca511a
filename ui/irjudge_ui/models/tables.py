"""Item models for tables: rows of plain values, numbers right-aligned, sorted by value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QFont

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()
SORT = int(Role.UserRole)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its header, what it says of a row, and its definition on hover."""

    header: str
    value: Callable[[Any], Any]
    show: Callable[[Any], str] = str
    number: bool = False
    help: str = ""
    best: bool = False
    also: Callable[[Any], str] | None = None  # more of a row than the cell has room for: told on hover, and its row is found by it

    def searched(self, row: Any) -> str:
        """Return the words by which a filter finds a row: numbers are not words."""
        shown = "" if self.number else self.show(self.value(row))
        return f"{shown} {self.also(row)}" if self.also else shown


class TableModel(QAbstractTableModel):
    """Shows rows through columns; it never changes them. The best value of a `best` column is bold."""

    def __init__(self, columns: Sequence[Column] = (), rows: Sequence[Any] = ()) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self.rows: list[Any] = []
        self.fill(rows, columns)

    def fill(self, rows: Sequence[Any], columns: Sequence[Column] | None = None) -> None:
        """Show other rows, and other columns when given."""
        self.beginResetModel()
        self.rows = list(rows)
        if columns is not None:
            self.columns = tuple(columns)
        self._best = [max(map(each.value, self.rows), default=None) if each.best else None for each in self.columns]
        self.endResetModel()

    def go_on(self, rows: Sequence[Any]) -> None:
        """Show how the same rows stand now, and more below them: what is chosen and in view stays so."""
        if len(rows) < len(self.rows):
            self.fill(rows)
            return
        before, self.rows = len(self.rows), [*rows[: len(self.rows)]]
        if before:
            self.dataChanged.emit(self.index(0, 0), self.index(before - 1, len(self.columns) - 1))
        if len(rows) > before:
            self.beginInsertRows(ROOT, before, len(rows) - 1)
            self.rows = [*rows]
            self.endInsertRows()

    # What Qt asks

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return text, alignment, weight, help or the value to sort by."""
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        value = column.value(self.rows[index.row()])
        if role == Role.DisplayRole:
            return column.show(value)
        if role == Role.TextAlignmentRole:
            return RIGHT if column.number else LEFT
        if role == Role.FontRole and column.best and value == self._best[index.column()] and len(self.rows) > 1:
            return bold()
        if role == Role.ToolTipRole:
            return (column.also(self.rows[index.row()]) if column.also else "") or column.help or None
        return (-inf if value != value else value) if role == SORT else None  # NaN is below everything

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = int(Role.DisplayRole)) -> Any:
        """Return a column's header, aligned as its values are."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        return {
            int(Role.DisplayRole): column.header,
            int(Role.TextAlignmentRole): RIGHT if column.number else LEFT,
            int(Role.ToolTipRole): column.help or None,
        }.get(int(role))


class SortedModel(QSortFilterProxyModel):
    """Sorts the rows of a table by value, and shows those that have some words in a column of text."""

    def __init__(self, model: TableModel) -> None:
        super().__init__()
        self._table, self._words = model, list[str]()
        self.setSourceModel(model)
        self.setSortRole(SORT)
        self.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def keep(self, words: str) -> None:
        """Show the rows that have all of these words."""
        self.beginFilterChange()
        self._words = words.casefold().split()
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, source_row: int, _parent: Index) -> bool:
        """Say whether a row is shown."""
        if not self._words:
            return True
        shown = self._table.rows[source_row]
        said = " ".join(column.searched(shown) for column in self._table.columns).casefold()
        return all(word in said for word in self._words)


def sorted_model(model: TableModel) -> SortedModel:
    """Return a model that sorts by value when a header is clicked."""
    return SortedModel(model)


def bold() -> QFont:
    """Return a font of more weight."""
    font = QFont()
    font.setWeight(QFont.Weight.DemiBold)
    return font
