"""Item models for tables of values, intervals and scores, and for the documents of a topic."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from numbers import Real
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QFont

from irjudge.judging import ItemState
from irjudge.model import natural_key
from irjudge_ui.charts import INTERVAL_ROLE, IntervalValue
from irjudge_ui.messages import escape_markup, filled, join_list
from irjudge_ui.widgets import (
    GRADE_LEVEL_ROLE,
    GRADE_TEXT_ROLE,
    HEAT_ROLE,
    PREFIX_ROLE,
    SECOND_LINE_ROLE,
    SECONDARY_TEXT_ROLE,
    SIGN_ROLE,
)

# Table models: sorted and filtered rows, columns of intervals, and columns of scores

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()
VALUE_ROLE = int(Role.UserRole)  # role of the value of a cell, by which rows are sorted
MISSING = "–"  # text of a number that is missing, whose value is None or NaN
MAX_MEASURED_ROWS = 60  # maximum number of rows, from the first, whose text lengths are measured
RIGHT_ALIGNMENT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
ROLES = (
    Role.DisplayRole,
    Role.TextAlignmentRole,
    Role.FontRole,
    Role.ToolTipRole,
    Role.InitialSortOrderRole,
)
# roles for which a model has data
HANDLED_ROLES = frozenset(map(int, (*ROLES, VALUE_ROLE)))
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
LEFT_ALIGNMENT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def format_decimal(value: float | None, decimals: int) -> str:
    """Return a number with the given decimals, and `MISSING` for none and for NaN."""
    return MISSING if value is None or isnan(value) else f"{value:.{decimals}f}"


def format_signed(value: float | None, decimals: int) -> str:
    """Return a number with its sign, and `MISSING` for none and for one that is not finite."""
    if value is None or not isfinite(value):
        return MISSING
    return f"{value:+.{decimals}f}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Column:
    """Declaration of a column of a `TableModel`: header, and functions that compute its cells."""

    header: str
    value: Callable[[Any], Any]  # returns the value of a row, by which rows are sorted
    show: Callable[[Any], str] = str  # converts a value to the text of the cell
    number: bool = False  # whether cells are right-aligned and not searched by filters
    help: str = ""  # tooltip of the header
    best: bool = False  # whether the best value is in bold
    rising: bool = False  # whether low values are better and sorted first, as p-values
    # returns further text of a row for the tooltip and the filter
    also: Callable[[Any], str] | None = None

    def cell_text(self, row: Any) -> str:
        """Return the text of a row's cell."""
        return self.show(self.value(row))

    def search_text(self, row: Any) -> str:
        """Return the text that a filter searches in a cell; empty for numbers without `also`."""
        cell_text = "" if self.number else self.cell_text(row)
        return f"{cell_text} {self.also(row)}" if self.also else cell_text


class TableModel(QAbstractTableModel):
    """Read-only Qt model of a sorted and filtered table; columns compute the cells of each row.

    The sort order and the filter are set by other objects, such as a `Table` and a `FilterLine`.

    A row is an entry of `rows`, whose order does not change; a line is the position at which a row
    is displayed. In columns with `best`, the best value is bold.
    """

    def __init__(self, columns: Sequence[Column] = (), rows: Sequence[Any] = ()) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self.rows: list[Any] = []
        self._lines: list[int] = []  # index in `rows` of each displayed line
        self._sort_column, self._sort_descending, self._filter_terms = -1, False, list[str]()
        self._row_predicate: Callable[[Any], bool] | None = None
        self.fill(rows, columns)

    def fill(self, rows: Sequence[Any], columns: Sequence[Column] | None = None) -> None:
        """Replace the rows and, unless None, the columns; keep the sort order and the filter."""
        self.beginResetModel()
        self._set_rows(rows, columns)
        self._lines = self._visible_order()
        self.endResetModel()

    def update_and_append(
        self, rows: Sequence[Any], columns: Sequence[Column] | None = None
    ) -> None:
        """Replace the rows and append additional ones; keep the selection and scroll position.

        New columns must have the same names as the old columns. If there are fewer rows than
        before, this is the same as `fill`.
        """
        if len(rows) < len(self.rows):
            self.fill(rows, columns)
            return
        self._set_rows(rows, columns)
        self.refresh()
        self._rearrange()

    def _set_rows(self, rows: Sequence[Any], columns: Sequence[Column] | None) -> None:
        self.rows, self._searched_texts = list(rows), list[str]()
        self.columns = self.columns if columns is None else tuple(columns)
        self._best_values = [
            (min if column.rising else max)(map(column.value, rows), default=None)
            if column.best
            else None
            for column in self.columns
        ]

    def lengths(self) -> list[int]:
        """Return the maximum length of each column's texts, in characters, in the first rows."""
        return [
            max((len(column.cell_text(row)) for row in self.rows[:MAX_MEASURED_ROWS]), default=0)
            for column in self.columns
        ]

    # Rows and lines

    def row_of(self, index: Index) -> int:
        """Return the index in `rows` of a cell's row; -1 for an invalid model index."""
        return self._lines[index.row()] if index.isValid() else -1

    def at(self, index: Index) -> Any:
        """Return the row of a cell; None for an invalid model index."""
        return self.rows[self._lines[index.row()]] if index.isValid() else None

    def line_of(self, row: int) -> QModelIndex:
        """Return the model index of a row's first cell; invalid if the row is not shown."""
        return self.index(self._lines.index(row), 0) if row in self._lines else ROOT

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Sort by a column's values, stably; -1 restores the original order."""
        self._sort_column, self._sort_descending = column, order == DESCENDING
        self._rearrange()

    def filter_rows(self, text: str) -> None:
        """Show only the rows that contain all words of a text."""
        self._filter_terms = text.casefold().split()
        self._rearrange()

    def restrict_rows(self, predicate: Callable[[Any], bool] | None) -> None:
        """Show only rows for which a predicate is true; None removes the predicate."""
        self._row_predicate = predicate
        self._rearrange()

    def _rearrange(self) -> None:
        """Recompute which rows are displayed and in which order.

        The selected row stays selected. If it is hidden, the first of the remaining rows is
        selected.
        """
        new_lines = self._visible_order()
        old_rows, new_rows = set(self._lines), set(new_lines)
        removed, retained = (
            [row for row in self._lines if (row in new_rows) is is_shown]
            for is_shown in (False, True)
        )
        if removed:
            # the rows to remove are first moved to the top, since Qt removes only adjacent rows
            self._set_line_order([*removed, *retained])
            self.beginRemoveRows(ROOT, 0, len(removed) - 1)
            self._lines = retained
            self.endRemoveRows()
        if added := [row for row in new_lines if row not in old_rows]:
            self.beginInsertRows(ROOT, len(retained), len(new_lines) - 1)
            self._lines = [*retained, *added]
            self.endInsertRows()
        self._set_line_order(new_lines)

    def _set_line_order(self, lines: list[int]) -> None:
        if lines == self._lines:
            return
        self.layoutAboutToBeChanged.emit()
        persistent_indexes = self.persistentIndexList()
        rows = [self.row_of(index) for index in persistent_indexes]
        line_by_row = {row: line for line, row in enumerate(lines)}
        self._lines = lines
        self.changePersistentIndexList(
            persistent_indexes,
            [
                self.index(line_by_row[row], index.column())
                for row, index in zip(rows, persistent_indexes, strict=True)
            ],
        )
        self.layoutChanged.emit()

    def _visible_order(self) -> list[int]:
        """Return the indices in `rows` of the displayed rows, in display order.

        This method calls no Qt function, since after each such call the GUI thread waits for other
        threads.
        """
        lines = [
            row
            for row, values in enumerate(self.rows)
            if self._row_predicate is None or self._row_predicate(values)
        ]
        if self._filter_terms:
            texts = self._searched_texts = self._searched_texts or self._make_searched_texts()
            lines = [row for row in lines if all(term in texts[row] for term in self._filter_terms)]
        if 0 <= self._sort_column < len(self.columns):
            get_value = self.columns[self._sort_column].value
            lines.sort(
                key=lambda row: _sort_key(get_value(self.rows[row]), self._sort_descending),
                reverse=self._sort_descending,
            )
        return lines

    def _make_searched_texts(self) -> list[str]:
        """Return, for each row, the text that a filter searches.

        The texts are cached, since this is slow.
        """
        return [
            " ".join(column.search_text(row) for column in self.columns).casefold()
            for row in self.rows
        ]

    # Qt model interface

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        """Return a cell's index.

        Qt's own implementation is slower: it calls `rowCount` and `columnCount` for every index.
        """
        is_inside = (
            0 <= row < len(self._lines) and 0 <= column < len(self.columns) and not parent.isValid()
        )
        return self.createIndex(row, column) if is_inside else ROOT

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def refresh(self, roles: Sequence[int] = ()) -> None:
        """Report to the views that all cells have changed, in the given roles or in all roles."""
        if self._lines and self.columns:
            self.dataChanged.emit(
                self.index(0, 0),
                self.index(len(self._lines) - 1, len(self.columns) - 1),
                list(roles),
            )

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return the text, alignment, font, tooltip or underlying value of a cell."""
        if role not in HANDLED_ROLES or not index.isValid():
            return None
        column, row = self.columns[index.column()], self.at(index)
        if role == Role.DisplayRole:
            return column.cell_text(row)
        if role == Role.TextAlignmentRole:
            return RIGHT_ALIGNMENT if column.number else LEFT_ALIGNMENT
        if role == Role.ToolTipRole:
            return escape_markup((column.also(row) if column.also else "") or column.help) or None
        value = column.value(row)
        if (
            role == Role.FontRole
            and column.best
            and value == self._best_values[index.column()]
            and len(self.rows) > 1
        ):
            return bold_font()
        return value if role == VALUE_ROLE else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Role.DisplayRole)
    ) -> Any:
        if (
            role not in HANDLED_ROLES
            or orientation != Qt.Orientation.Horizontal
            or not 0 <= section < len(self.columns)
        ):
            return None
        column = self.columns[section]
        if role == Role.ToolTipRole:
            # returned early, since only the other roles are needed each time the header is painted
            return escape_markup(column.help) or None
        return {
            int(Role.DisplayRole): column.header,
            int(Role.TextAlignmentRole): RIGHT_ALIGNMENT if column.number else LEFT_ALIGNMENT,
            int(Role.InitialSortOrderRole): DESCENDING
            if column.number and not column.rising
            else ASCENDING,
        }.get(int(role))


def _sort_key(value: Any, is_descending: bool) -> tuple[int, Any]:
    """Return a sort key for a cell: numbers, then texts in natural order, ignoring case.

    Missing values (None and NaN) are last in both directions.
    """
    if value is None or value != value:
        return 0 if is_descending else 3, None
    if isinstance(value, tuple | Real):
        return 1, value if isinstance(value, tuple) else (value,)
    return 2, natural_key(str(value).casefold())


def bold_font() -> QFont:
    """Return the font of bold cells."""
    font = QFont()
    font.setWeight(QFont.Weight.DemiBold)
    return font


@dataclass(frozen=True, slots=True)
class IntervalColumn(Column):
    """Declaration of a column in which values with intervals are drawn as bars.

    `span` returns the value and interval of a row, or None if the row has none; `without` is the
    text of the cell in that case. `value` is still needed for sorting. Filters do not search the
    column.
    """

    span: Callable[[Any], IntervalValue | None] = lambda _row: None
    without: str = ""

    def cell_text(self, row: Any) -> str:
        span = self.span(row)
        return (
            self.without
            if span is None
            else " ".join(filter(None, (span.label, span.interval_text)))
        )

    def search_text(self, row: Any) -> str:  # noqa: ARG002 -- bars show only numbers, which are not searched
        return ""


class IntervalModel(TableModel):
    """Read-only table model for tables in which some columns are an `IntervalColumn`.

    The display text of a cell in such a column is the value followed by its interval, if any.
    """

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        column = self.columns[index.column()] if index.isValid() else None
        if role == INTERVAL_ROLE and isinstance(column, IntervalColumn):
            return column.span(self.at(index))
        return super().data(index, role)


Cell = tuple[int, int]  # index of the row in `rows`, and column


@dataclass(frozen=True, slots=True)
class ScoreColumn(Column):
    """Declaration of a column of numbers, whose cells are coloured from worst to best.

    The colours are computed by `ScoreModel`; without `heat`, the cells are not coloured.
    """

    heat: bool = True


class ScoreModel(TableModel):
    """Read-only table model of the scores of runs, with shares for heat colours and annotations.

    Annotations are texts in cells: a sign for values that do not differ significantly from the best
    run, intervals, and rank groups. Annotations must be set after `fill`, which removes all
    annotations. The view is a `ScoreTable`.
    """

    def __init__(self) -> None:
        self._spans: tuple[tuple[float, float] | None, ...] = ()
        self._annotations: dict[int, Mapping[Cell, str]] = {}
        self.coloured = True
        super().__init__()

    def fill(self, rows: Sequence[Any], columns: Sequence[Column] | None = None) -> None:
        """Replace the rows and, unless None, the columns; remove all annotations."""
        self._annotations = {}
        self._spans = tuple(
            _value_range(column, rows) for column in (self.columns if columns is None else columns)
        )
        super().fill(rows, columns)

    def set_annotations(self, role: int, annotations: Mapping[Cell, str]) -> None:
        """Set the annotations of cells for `SIGN_ROLE`, `SECOND_LINE_ROLE` or `PREFIX_ROLE`."""
        if annotations != self._annotations.get(role, {}):
            self._annotations[role] = annotations
            self.refresh((role, int(Role.AccessibleTextRole)))

    def annotations(self, role: int) -> Mapping[Cell, str]:
        """Return the annotations of cells for a role."""
        return self._annotations.get(role, {})

    def set_coloured(self, *, coloured: bool) -> None:
        """Switch the colouring of numbers on or off."""
        self.coloured = coloured
        self.refresh((HEAT_ROLE,))

    def find_extreme_texts(self, column: int) -> set[str]:
        """Return the texts of a column's lowest and highest value; a view measures their widths."""
        displayed_column = self.columns[column]
        values = sorted(value for value in map(displayed_column.value, self.rows) if value == value)
        return {displayed_column.show(value) for value in (values[:1] + values[-1:])}

    def longest_second_line(self, column: int) -> str:
        """Return the longest second line of text in the cells of a column; may be empty."""
        return max(
            (
                annotation
                for (_, annotated_column), annotation in self._annotations.get(
                    SECOND_LINE_ROLE, {}
                ).items()
                if annotated_column == column
            ),
            key=len,
            default="",
        )

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return the data of a role, such as the heat colour, sign or second line of a cell."""
        if not index.isValid():
            return None
        if role in (SIGN_ROLE, SECOND_LINE_ROLE, PREFIX_ROLE):
            return self._annotations.get(role, {}).get((self.row_of(index), index.column()))
        if role == HEAT_ROLE:
            return self._compute_heat(index)
        if role == Role.AccessibleTextRole:
            return self._describe_cell(index)
        return super().data(index, role)

    def _compute_heat(self, index: Index) -> float | None:
        span = self._spans[index.column()]
        if span is None or not self.coloured:
            return None
        value = float(self.columns[index.column()].value(self.at(index)))
        share = (value - span[0]) / (span[1] - span[0])
        return (
            None if value != value else 1 - share if self.columns[index.column()].rising else share
        )

    def _describe_cell(self, index: Index) -> str:
        cell = self.row_of(index), index.column()
        parts = [
            str(super().data(index)),
            self._annotations.get(SECOND_LINE_ROLE, {}).get(cell, ""),
        ]
        if self._annotations.get(SIGN_ROLE, {}).get(cell):
            parts.append(self.tr("not significantly different from the best"))
        return ", ".join(filter(None, parts))


def _value_range(column: Column, rows: Sequence[Any]) -> tuple[float, float] | None:
    """Return the lowest and highest value of a coloured column; None if there is no range."""
    if not isinstance(column, ScoreColumn) or not column.heat:
        return None
    values = [value for value in map(column.value, rows) if value == value]
    return (min(values), max(values)) if values and max(values) > min(values) else None


# Documents of a topic in judging order, each with its state

QUEUE_ITEM_ROLE = int(Qt.ItemDataRole.UserRole)
STATE_SIGNS = {"unjudgeable": "✕", "skipped": "↷", "unjudged": ""}
UNSURE_SIGN, NOTE_SIGN = "⚑", "✎"


class QueueModel(QAbstractListModel):
    """Read-only list model of a topic's queue items in judging order, with their states.

    The model need not contain all items of the topic. A row shows the document's title (or its
    first words) and id, its current grade, and signs for annotations and for unsure judgments, but
    no ranks and systems. The list is that of `JumpDialog`.
    """

    def __init__(
        self, items: Sequence[ItemState], titles: Mapping[str, str], grades: Sequence[int]
    ) -> None:
        super().__init__()
        self.items, self._titles, self._grades = list(items), titles, list(grades)

    def show_items(self, items: Sequence[ItemState]) -> None:
        """Show queue items instead of the current ones."""
        self.beginResetModel()
        self.items = list(items)
        self.endResetModel()

    def set_titles(self, titles: Mapping[str, str]) -> None:
        """Set the titles of documents by id; they are displayed after the next `show_items`."""
        self._titles = titles

    # Qt model interface

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Return the title, the grade chip or the text at the right, or the queue item itself."""
        if not index.isValid():
            return None
        item_state = self.items[index.row()]
        document = item_state.item.document
        title = self._titles.get(document, "")
        if role == Qt.ItemDataRole.DisplayRole:
            return title or document
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._describe_state(item_state)}: {title or document}"
        return {
            QUEUE_ITEM_ROLE: item_state,
            GRADE_TEXT_ROLE: str(item_state.grade)
            if item_state.state == "grade"
            else STATE_SIGNS[item_state.state],
            GRADE_LEVEL_ROLE: (self._grades.index(item_state.grade), len(self._grades) - 1)
            if item_state.grade in self._grades
            else None,
            SECONDARY_TEXT_ROLE: "  ".join(
                filter(
                    None,
                    (
                        NOTE_SIGN * item_state.has_annotations,
                        UNSURE_SIGN * item_state.unsure,
                        document if title else "",
                    ),
                )
            ),
        }.get(int(role))

    def _describe_state(self, state: ItemState) -> str:
        label = {
            "grade": filled(self.tr("grade {grade}"), grade=str(state.grade)),
            "unjudgeable": self.tr("unjudgeable"),
            "skipped": self.tr("skipped"),
            "unjudged": self.tr("not judged"),
        }[state.state]
        marks = (
            (state.unsure, self.tr("unsure")),
            (state.has_annotations, self.tr("with a note or reasons")),
        )
        return join_list((label, *(mark for is_marked, mark in marks if is_marked)))
