"""Item models: tables of plain values, intervals and scores, and the documents of a topic."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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

from irjudge.judging import PlaceState
from irjudge_ui.charts import INTERVAL_ROLE, IntervalValue
from irjudge_ui.messages import escape_markup, filled, join_list
from irjudge_ui.widgets import (
    ASIDE_ROLE,
    BELOW_ROLE,
    GRADE_LEVEL_ROLE,
    GRADE_TEXT_ROLE,
    HEAT_ROLE,
    PREFIX_ROLE,
    SIGN_ROLE,
)

# Item models for tables: rows of plain values, sorted and filtered, numbers right-aligned, with intervals or on a scale.

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()
VALUE_ROLE = int(Role.UserRole)  # what a cell is written from and sorted by
MAX_MEASURED_ROWS = 60  # rows, whose words are measured
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
ROLES = (
    Role.DisplayRole,
    Role.TextAlignmentRole,
    Role.FontRole,
    Role.ToolTipRole,
    Role.InitialSortOrderRole,
)
HANDLED_ROLES = frozenset(map(int, (*ROLES, VALUE_ROLE)))  # Qt asks for more
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
    rising: bool = (
        False  # a number whose low values are looked for first, as p; of others the high ones
    )
    also: Callable[[Any], str] | None = (
        None  # more of a row than the cell has room for: told on hover, and its row is found by it
    )

    def words(self, row: Any) -> str:
        """Return what is written of a row."""
        return self.show(self.value(row))

    def searched(self, row: Any) -> str:
        """Return the words by which a filter finds a row: numbers are not words."""
        shown = "" if self.number else self.words(row)
        return f"{shown} {self.also(row)}" if self.also else shown


class TableModel(QAbstractTableModel):
    """Shows rows through columns, as they were filled or by the values of a column, and all or those that are kept; it never changes them.

    A row is one of `rows`; a line is where it stands now. The best value of a `best` column is bold.
    """

    def __init__(self, columns: Sequence[Column] = (), rows: Sequence[Any] = ()) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self.rows: list[Any] = []
        self._lines: list[int] = []  # which row stands on each
        self._by, self._falling, self._words = -1, False, list[str]()
        self._only: Callable[[Any], bool] | None = None
        self.fill(rows, columns)

    def fill(self, rows: Sequence[Any], columns: Sequence[Column] | None = None) -> None:
        """Show other rows, and other columns when given, in the same order and filtered as before."""
        self.beginResetModel()
        self._take(rows, columns)
        self._lines = self._arranged()
        self.endResetModel()

    def go_on(self, rows: Sequence[Any], columns: Sequence[Column] | None = None) -> None:
        """Show how the same rows stand now, and more below them: what is chosen and in view stays so.

        Other columns are of the same names.
        """
        if len(rows) < len(self.rows):
            self.fill(rows, columns)
            return
        self._take(rows, columns)
        self.refresh()
        self._rearrange()

    def _take(self, rows: Sequence[Any], columns: Sequence[Column] | None) -> None:
        self.rows = list(rows)
        self.columns = self.columns if columns is None else tuple(columns)
        self._best = [
            (min if each.rising else max)(map(each.value, rows), default=None)
            if each.best
            else None
            for each in self.columns
        ]

    def lengths(self) -> list[int]:
        """Return how many characters the longest words of each column have, in the first rows."""
        return [
            max((len(column.words(row)) for row in self.rows[:MAX_MEASURED_ROWS]), default=0)
            for column in self.columns
        ]

    # Rows and lines

    def row_of(self, index: Index) -> int:
        """Return the number of the row that stands on the line of a cell; -1 where there is no such cell."""
        return self._lines[index.row()] if index.isValid() else -1

    def at(self, index: Index) -> Any:
        """Return the row that stands on the line of a cell; None where there is no such cell."""
        return self.rows[self._lines[index.row()]] if index.isValid() else None

    def line_of(self, row: int) -> QModelIndex:
        """Return the first cell of a row where it stands now; no cell where it is not shown."""
        return self.index(self._lines.index(row), 0) if row in self._lines else ROOT

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Show rows by a column's values; -1 is as they were filled. Equal ones stay in their order."""
        self._by, self._falling = column, order == DESCENDING
        self._rearrange()

    def keep(self, words: str) -> None:
        """Show the rows that have all of these words."""
        self._words = words.casefold().split()
        self._rearrange()

    def only(self, wanted: Callable[[Any], bool] | None) -> None:
        """Show only rows that are wanted, of those that have the words; None wants all."""
        self._only = wanted
        self._rearrange()

    def _rearrange(self) -> None:
        """Put the rows on their lines anew: what is chosen stays with its row, and goes to the first one where that is no longer shown."""
        wanted = self._arranged()
        before, after = set(self._lines), set(wanted)
        gone, stay = (
            [row for row in self._lines if (row in after) is there] for there in (False, True)
        )
        if gone:
            self._permute([*gone, *stay])  # in one piece: Qt hears of rows that go by pieces
            self.beginRemoveRows(ROOT, 0, len(gone) - 1)
            self._lines = stay
            self.endRemoveRows()
        if new := [row for row in wanted if row not in before]:
            self.beginInsertRows(ROOT, len(stay), len(wanted) - 1)
            self._lines = [*stay, *new]
            self.endInsertRows()
        self._permute(wanted)

    def _permute(self, lines: list[int]) -> None:
        """Put the rows that are shown in another order."""
        if lines == self._lines:
            return
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        rows, now = (
            [self.row_of(each) for each in held],
            {row: line for line, row in enumerate(lines)},
        )
        self._lines = lines
        self.changePersistentIndexList(
            held,
            [self.index(now[row], each.column()) for row, each in zip(rows, held, strict=True)],
        )
        self.layoutChanged.emit()

    def _arranged(self) -> list[int]:
        """Return which rows are shown, in their order: in one go, for each answer to Qt waits a turn of the threads beside the window."""
        lines = [row for row, shown in enumerate(self.rows) if self._is_kept(shown)]
        if 0 <= self._by < len(self.columns):
            value = self.columns[self._by].value
            lines.sort(key=lambda row: _sort_key(value(self.rows[row])), reverse=self._falling)
        return lines

    def _is_kept(self, row: Any) -> bool:
        if self._only and not self._only(row):
            return False
        said = (
            " ".join(column.searched(row) for column in self.columns).casefold()
            if self._words
            else ""
        )
        return all(word in said for word in self._words)

    # What Qt asks

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        """Return the place of a cell; Qt's own would ask for both counts each time, many times a cell that is painted."""
        known = (
            0 <= row < len(self._lines) and 0 <= column < len(self.columns) and not parent.isValid()
        )
        return self.createIndex(row, column) if known else ROOT

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of rows that are shown."""
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def refresh(self, roles: Sequence[int] = ()) -> None:
        """Show anew what cells say: in some roles, or in all."""
        if self._lines and self.columns:
            self.dataChanged.emit(
                self.index(0, 0),
                self.index(len(self._lines) - 1, len(self.columns) - 1),
                list(roles),
            )

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return text, alignment, weight, help or the value that the text is written from."""
        if role not in HANDLED_ROLES or not index.isValid():
            return None
        column, row = self.columns[index.column()], self.at(index)
        if role == Role.DisplayRole:
            return column.words(row)
        if role == Role.TextAlignmentRole:
            return RIGHT if column.number else LEFT
        if role == Role.ToolTipRole:
            return escape_markup((column.also(row) if column.also else "") or column.help) or None
        value = column.value(row)
        if (
            role == Role.FontRole
            and column.best
            and value == self._best[index.column()]
            and len(self.rows) > 1
        ):
            return bold_font()
        return value if role == VALUE_ROLE else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Role.DisplayRole)
    ) -> Any:
        """Return a column's header, aligned as its values are, and what a first click on it sorts to the top: high numbers, first words."""
        if (
            role not in HANDLED_ROLES
            or orientation != Qt.Orientation.Horizontal
            or not 0 <= section < len(self.columns)
        ):
            return None
        column = self.columns[section]
        if role == Role.ToolTipRole:
            return (
                escape_markup(column.help) or None
            )  # only where it is asked for: every paint asks for the others
        return {
            int(Role.DisplayRole): column.header,
            int(Role.TextAlignmentRole): RIGHT if column.number else LEFT,
            int(Role.InitialSortOrderRole): DESCENDING
            if column.number and not column.rising
            else ASCENDING,
        }.get(int(role))


def _sort_key(value: Any) -> tuple[int, Any]:
    """Return a value as it is put in order: what is not known is below everything, and words are above numbers, whatever their case."""
    if value is None or value != value:
        return 0, None
    if isinstance(value, tuple | Real):
        return 1, value if isinstance(value, tuple) else (value,)
    return 2, str(value).casefold()


def bold_font() -> QFont:
    """Return a font of more weight."""
    font = QFont()
    font.setWeight(QFont.Weight.DemiBold)
    return font


@dataclass(frozen=True, slots=True)
class IntervalColumn(Column):
    """A column drawn as bars; `span` says what is drawn of a row, `without` what is written where that is nothing."""

    span: Callable[[Any], IntervalValue | None] = lambda _row: None
    without: str = ""

    def words(self, row: Any) -> str:
        """Return the numbers that a bar is drawn from."""
        span = self.span(row)
        return self.without if span is None else " ".join(filter(None, (span.words, span.aside)))

    def searched(self, row: Any) -> str:  # noqa: ARG002 -- what a bar shows are numbers, whatever the row
        """Return no words."""
        return ""


class IntervalModel(TableModel):
    """A table some columns of which are drawn as bars; the words that stand for a bar are its numbers."""

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return what is drawn, or what any table returns."""
        column = self.columns[index.column()] if index.isValid() else None
        if role == INTERVAL_ROLE and isinstance(column, IntervalColumn):
            return column.span(self.at(index))
        return super().data(index, role)


Cell = tuple[int, int]  # row and column, whatever line the row stands on


@dataclass(frozen=True, slots=True)
class ScoreColumn(Column):
    """A column of numbers that are coloured by how good they are: the best has the strongest colour."""

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
        self._spans = tuple(
            _value_range(column, rows) for column in (self.columns if columns is None else columns)
        )
        super().fill(rows, columns)

    def tell(self, role: int, words: Mapping[Cell, str]) -> None:
        """Show signs (`SIGN_ROLE`), lines below numbers (`BELOW_ROLE`) or places before words (`PREFIX_ROLE`)."""
        if words != self._told.get(role, {}):
            self._told[role] = words
            self.refresh((role, int(Role.AccessibleTextRole)))

    def told(self, role: int) -> Mapping[Cell, str]:
        """Return the signs, the lines below numbers or the places that are shown."""
        return self._told.get(role, {})

    def colour(self, *, coloured: bool) -> None:
        """Colour numbers by how good they are, or do not."""
        self.coloured = coloured
        self.refresh((HEAT_ROLE,))

    def extremes(self, column: int) -> set[str]:
        """Return how the lowest and the highest value of a column of numbers are written: none of the others is wider."""
        shown = self.columns[column]
        values = sorted(value for value in map(shown.value, self.rows) if value == value)
        return {shown.show(value) for value in (values[:1] + values[-1:])}

    def below(self, column: int) -> str:
        """Return the longest line below a number of a column."""
        return max(
            (words for (_, at), words in self._told.get(BELOW_ROLE, {}).items() if at == column),
            key=len,
            default="",
        )

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return what a plain table returns, a number's place on its column's scale, its sign, the line below it, or a place."""
        if not index.isValid():
            return None
        if role in (SIGN_ROLE, BELOW_ROLE, PREFIX_ROLE):
            return self._told.get(role, {}).get((self.row_of(index), index.column()))
        if role == HEAT_ROLE:
            return self._heat(index)
        if role == Role.AccessibleTextRole:
            return self._said(index)
        return super().data(index, role)

    def _heat(self, index: Index) -> float | None:
        span = self._spans[index.column()]
        if span is None or not self.coloured:
            return None
        value = float(self.columns[index.column()].value(self.at(index)))
        share = (value - span[0]) / (span[1] - span[0])
        return (
            None if value != value else 1 - share if self.columns[index.column()].rising else share
        )

    def _said(self, index: Index) -> str:
        cell = self.row_of(index), index.column()
        parts = [str(super().data(index)), self._told.get(BELOW_ROLE, {}).get(cell, "")]
        if self._told.get(SIGN_ROLE, {}).get(cell):
            parts.append(self.tr("not significantly different from the best"))
        return ", ".join(filter(None, parts))


def _value_range(column: Column, rows: Sequence[Any]) -> tuple[float, float] | None:
    """Return the lowest and highest value of a coloured column; None where there is no difference to show."""
    if not isinstance(column, ScoreColumn) or not column.heat:
        return None
    values = [value for value in map(column.value, rows) if value == value]
    return (min(values), max(values)) if values and max(values) > min(values) else None


# The documents of one topic as a list: in the order they are judged, with what was said of each.

QUEUE_ITEM_ROLE = int(Qt.ItemDataRole.UserRole)
SIGNS = {"unjudgeable": "✕", "skipped": "↷", "unjudged": ""}
UNSURE, NOTED = "⚑", "✎"


class QueueModel(QAbstractListModel):
    """Shows places in queue order, which tells nothing of rank or system."""

    def __init__(
        self, places: Sequence[PlaceState], titles: Mapping[str, str], grades: Sequence[int]
    ) -> None:
        super().__init__()
        self.places, self._titles, self._grades = list(places), titles, list(grades)

    def show_places(self, places: Sequence[PlaceState]) -> None:
        """List other places."""
        self.beginResetModel()
        self.places = list(places)
        self.endResetModel()

    def name(self, titles: Mapping[str, str]) -> None:
        """Take the titles of the places that are listed next."""
        self._titles = titles

    # What Qt asks

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of documents."""
        return 0 if parent.isValid() else len(self.places)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Return the title, what the swatch says, its level, what stands aside, or the place itself."""
        if not index.isValid():
            return None
        state = self.places[index.row()]
        document = state.place.document
        title = self._titles.get(document, "")
        if role == Qt.ItemDataRole.DisplayRole:
            return title or document
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._said(state)}: {title or document}"
        return {
            QUEUE_ITEM_ROLE: state,
            GRADE_TEXT_ROLE: str(state.grade) if state.state == "grade" else SIGNS[state.state],
            GRADE_LEVEL_ROLE: (self._grades.index(state.grade), len(self._grades) - 1)
            if state.grade in self._grades
            else None,
            ASIDE_ROLE: "  ".join(
                filter(
                    None, (NOTED * state.noted, UNSURE * state.unsure, document if title else "")
                )
            ),
        }.get(int(role))

    def _said(self, state: PlaceState) -> str:
        words = {
            "grade": filled(self.tr("grade {grade}"), grade=str(state.grade)),
            "unjudgeable": self.tr("cannot be judged"),
            "skipped": self.tr("skipped"),
            "unjudged": self.tr("not judged"),
        }[state.state]
        marks = (
            (state.unsure, self.tr("unsure")),
            (state.noted, self.tr("with a note or reasons")),
        )
        return join_list((words, *(mark for stands, mark in marks if stands)))
