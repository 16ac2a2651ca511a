"""Item models for tables: rows of plain values, numbers right-aligned, sorted by value, with intervals or on a scale."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QFont

from irjudge_ui.charts.interval_bar import SPAN, Span
from irjudge_ui.widgets.delegates.score import BELOW, HEAT, PLACE, SIGN
from irjudge_ui.words import plain

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()
SORT = int(Role.UserRole)
BELOW_ONE = 1e6  # makes of a second number less than one of the first
FIRST = 60  # rows, whose words are measured
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
ROLES = (Role.DisplayRole, Role.TextAlignmentRole, Role.FontRole, Role.ToolTipRole, Role.InitialSortOrderRole)
TOLD = frozenset(map(int, (*ROLES, SORT)))  # Qt asks for more
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
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
    rising: bool = False  # a number whose low values are looked for first, as p; of others the high ones
    also: Callable[[Any], str] | None = None  # more of a row than the cell has room for: told on hover, and its row is found by it

    def words(self, row: Any) -> str:
        """Return what is written of a row."""
        return self.show(self.value(row))

    def searched(self, row: Any) -> str:
        """Return the words by which a filter finds a row: numbers are not words."""
        shown = "" if self.number else self.words(row)
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
        self._find_best(rows)
        self.endResetModel()

    def _find_best(self, rows: Sequence[Any]) -> None:
        self._best = [max(map(each.value, rows), default=None) if each.best else None for each in self.columns]

    def go_on(self, rows: Sequence[Any], columns: Sequence[Column] | None = None) -> None:
        """Show how the same rows stand now, and more below them: what is chosen and in view stays so.

        Other columns are of the same names.
        """
        if len(rows) < len(self.rows):
            self.fill(rows, columns)
            return
        self.columns = tuple(columns or self.columns)
        self._find_best(rows)
        before, self.rows = len(self.rows), [*rows[: len(self.rows)]]
        if before:
            self.dataChanged.emit(self.index(0, 0), self.index(before - 1, len(self.columns) - 1))
        if len(rows) > before:
            self.beginInsertRows(ROOT, before, len(rows) - 1)
            self.rows = [*rows]
            self.endInsertRows()

    def lengths(self) -> list[int]:
        """Return how many characters the longest words of each column have, in the first rows."""
        return [max((len(column.words(row)) for row in self.rows[:FIRST]), default=0) for column in self.columns]

    # What Qt asks

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        """Return the place of a cell; Qt's own would ask for both counts each time, many times a cell that is painted."""
        known = 0 <= row < len(self.rows) and 0 <= column < len(self.columns) and not parent.isValid()
        return self.createIndex(row, column) if known else ROOT

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return text, alignment, weight, help or the value to sort by."""
        if role not in TOLD or not index.isValid():
            return None
        column = self.columns[index.column()]
        if role == Role.DisplayRole:
            return column.words(self.rows[index.row()])
        value = column.value(self.rows[index.row()])
        if role == Role.TextAlignmentRole:
            return RIGHT if column.number else LEFT
        if role == Role.FontRole and column.best and value == self._best[index.column()] and len(self.rows) > 1:
            return bold()
        if role == Role.ToolTipRole:
            return plain((column.also(self.rows[index.row()]) if column.also else "") or column.help) or None
        return _ordered(value) if role == SORT else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = int(Role.DisplayRole)) -> Any:
        """Return a column's header, aligned as its values are, and what a first click on it sorts to the top: high numbers, first words."""
        if role not in TOLD or orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Role.ToolTipRole:
            return plain(column.help) or None  # only where it is asked for: every paint asks for the others
        return {
            int(Role.DisplayRole): column.header,
            int(Role.TextAlignmentRole): RIGHT if column.number else LEFT,
            int(Role.InitialSortOrderRole): DESCENDING if column.number and not column.rising else ASCENDING,
        }.get(int(role))


def _ordered(value: Any) -> Any:
    """Return a value as Qt puts it in order: NaN is below everything, and of two numbers the first counts most."""
    if isinstance(value, tuple):
        return value[0] + value[1] / BELOW_ONE
    return -inf if value != value else value


class SortedModel(QSortFilterProxyModel):
    """Sorts the rows of a table by value, and shows those that have some words in a column of text."""

    def __init__(self, model: TableModel) -> None:
        super().__init__()
        self._table, self._words = model, list[str]()
        self._only: Callable[[Any], bool] = lambda _row: True
        self.setSourceModel(model)
        self.setSortRole(SORT)
        self.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def keep(self, words: str) -> None:
        """Show the rows that have all of these words."""
        self.beginFilterChange()
        self._words = words.casefold().split()
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def only(self, wanted: Callable[[Any], bool]) -> None:
        """Show only rows that are wanted, of those that have the words."""
        self.beginFilterChange()
        self._only = wanted
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, source_row: int, _parent: Index) -> bool:
        """Say whether a row is shown."""
        shown = self._table.rows[source_row]
        if not (self._words and self._only(shown)):
            return self._only(shown)
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


@dataclass(frozen=True, slots=True)
class SpanColumn(Column):
    """A column drawn as bars; `span` says what is drawn of a row, `without` what is written where that is nothing."""

    span: Callable[[Any], Span | None] = lambda _row: None
    without: str = ""

    def words(self, row: Any) -> str:
        """Return the numbers that a bar is drawn from."""
        span = self.span(row)
        return self.without if span is None else " ".join(filter(None, (span.words, span.aside)))

    def searched(self, row: Any) -> str:  # noqa: ARG002 -- what a bar shows are numbers, whatever the row
        """Return no words."""
        return ""


class SpanModel(TableModel):
    """A table some columns of which are drawn as bars; the words that stand for a bar are its numbers."""

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return what is drawn, or what any table returns."""
        column = self.columns[index.column()] if index.isValid() else None
        if role == SPAN and isinstance(column, SpanColumn):
            return column.span(self.rows[index.row()])
        return super().data(index, role)


Cell = tuple[int, int]  # row and column as they were filled, whatever they are sorted by


@dataclass(frozen=True, slots=True)
class ScoreColumn(Column):
    """A column of numbers that are coloured by their size."""

    heat: bool = True


class ScoreModel(TableModel):
    """Shows rows through columns. Signs and lines below come later, and go when other rows are shown."""

    def __init__(self) -> None:
        self._spans: tuple[tuple[float, float] | None, ...] = ()
        self._told: dict[int, Mapping[Cell, str]] = {}
        self.coloured = True
        super().__init__()

    def fill(self, rows: Sequence[Any], columns: Sequence[Column] | None = None) -> None:
        """Show other rows, and other columns when given."""
        self._told = {}
        self._spans = tuple(_span(column, rows) for column in (self.columns if columns is None else columns))
        super().fill(rows, columns)

    def tell(self, role: int, words: Mapping[Cell, str]) -> None:
        """Show signs (`SIGN`), lines below numbers (`BELOW`) or places before words (`PLACE`)."""
        self._told[role] = words
        self._refresh()

    def told(self, role: int) -> Mapping[Cell, str]:
        """Return the signs, the lines below numbers or the places that are shown."""
        return self._told.get(role, {})

    def colour(self, *, coloured: bool) -> None:
        """Colour numbers by their size, or do not."""
        self.coloured = coloured
        self._refresh()

    def extremes(self, column: int) -> set[str]:
        """Return how the lowest and the highest value of a column of numbers are written: none of the others is wider."""
        shown = self.columns[column]
        values = sorted(value for value in map(shown.value, self.rows) if value == value)
        return {shown.show(value) for value in (values[:1] + values[-1:])}

    def below(self, column: int) -> str:
        """Return the longest line below a number of a column."""
        return max((words for (_, at), words in self._told.get(BELOW, {}).items() if at == column), key=len, default="")

    def _refresh(self) -> None:
        if self.rows and self.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return what a plain table returns, a number's place on its column's scale, its sign, the line below it, or a place."""
        if not index.isValid():
            return None
        if role in (SIGN, BELOW, PLACE):
            return self._told.get(role, {}).get((index.row(), index.column()))
        if role == HEAT:
            return self._heat(index)
        if role == Role.AccessibleTextRole:
            return self._said(index)
        return super().data(index, role)

    def _heat(self, index: Index) -> float | None:
        span = self._spans[index.column()]
        if span is None or not self.coloured:
            return None
        value = float(self.columns[index.column()].value(self.rows[index.row()]))
        return None if value != value else (value - span[0]) / (span[1] - span[0])

    def _said(self, index: Index) -> str:
        cell = index.row(), index.column()
        parts = [str(super().data(index)), self._told.get(BELOW, {}).get(cell, "")]
        if self._told.get(SIGN, {}).get(cell):
            parts.append(self.tr("not significantly different from the best"))
        return ", ".join(filter(None, parts))


def _span(column: Column, rows: Sequence[Any]) -> tuple[float, float] | None:
    """Return the lowest and highest value of a coloured column; None where there is no difference to show."""
    if not isinstance(column, ScoreColumn) or not column.heat:
        return None
    values = [value for value in map(column.value, rows) if value == value]
    return (min(values), max(values)) if values and max(values) > min(values) else None
