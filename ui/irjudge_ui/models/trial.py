"""The ranking of a topic as a table: rank, grade as a chip, document, and what runs along; rows are moved by dragging."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal

from irjudge.model.ranking import UNJUDGEABLE, UNJUDGED
from irjudge_ui.models.tables import LEFT, RIGHT, ROOT, Index, Role, bold
from irjudge_ui.widgets.grades.chip import LEVEL, MARK
from irjudge_ui.words import filled, plain

RANK, GRADE, DOCUMENT = 0, 1, 2
EMPTY = "___"  # a blank of an exercise
Blank: TypeAlias = tuple[int, str]
"""A rank, and the name of what runs along."""

DRAGGED = "application/x-irjudge-rank"


@dataclass(frozen=True, slots=True)
class RankedRow:
    """One rank: the document, its grade (None while unjudged), whether it matters for the measure, and what runs along."""

    document: str
    grade: int | None
    hit: bool = False
    cells: tuple[str, ...] = ()


class TrialModel(QAbstractTableModel):
    """Shows a ranking and moves nothing itself: `moved` asks for a document at a row to stand at another."""

    moved = Signal(int, int)

    def __init__(self, *, movable: bool = True) -> None:
        super().__init__()
        self.rows: tuple[RankedRow, ...] = ()
        self.typed: dict[Blank, str] = {}  # what was typed into the blanks of an exercise
        self._right: Mapping[Blank, bool] = {}
        self._blanks = 0
        self._movable = movable
        self._beside: tuple[str, ...] = ()
        self._scale: tuple[int, ...] = ()

    def show_ranking(self, rows: Sequence[RankedRow], beside: Sequence[str], scale: Sequence[int]) -> None:
        """Show a ranking; `beside` names what runs along, `scale` has the grades, ascending."""
        self._scale = tuple(scale)
        if len(rows) == len(self.rows) and tuple(beside) == self._beside:
            self.rows = tuple(rows)  # the same shape: the view keeps its place
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self.rows, self._beside = tuple(rows), tuple(beside)
        self.endResetModel()

    def leave_blank(self, ranks: int) -> None:
        """Leave what runs along beside the first ranks to be typed."""
        self._blanks, self.typed, self._right = ranks, {}, {}

    def mark(self, right: Mapping[Blank, bool]) -> None:
        """Show which of the blanks were filled in right."""
        self._right = right
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, self.columnCount() - 1))

    def _blank(self, row: int, column: int) -> Blank | None:
        """Return which blank a cell is; None for what is shown."""
        return (row + 1, self._beside[column - DOCUMENT - 1]) if row < self._blanks and column > DOCUMENT else None

    def _filled(self, blank: Blank) -> str:
        words, right = self.typed.get(blank, ""), self._right.get(blank)
        return f"{'' if right is None else '✓ ' if right else '✕ '}{words}" if words else EMPTY

    # What Qt asks

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of ranks."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return rank, grade, document and what runs along."""
        return 0 if parent.isValid() else DOCUMENT + 1 + len(self._beside)

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return words, alignment, or what the chip says."""
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        if blank := self._blank(index.row(), column):
            shown = {int(Role.DisplayRole): self._filled(blank), int(Role.EditRole): self.typed.get(blank, "")}
            return RIGHT if role == Role.TextAlignmentRole else shown.get(int(role))
        if role == Role.DisplayRole:
            return self._words(index.row(), column)
        if role == Role.TextAlignmentRole:
            return LEFT if column in (GRADE, DOCUMENT) else RIGHT
        if role == Role.FontRole and column == DOCUMENT and row.hit:
            return bold()
        if role == Role.ToolTipRole:
            return plain(row.document if column == DOCUMENT else self._grade_words(row.grade)) if column in (DOCUMENT, GRADE) else None
        if column == GRADE and role == MARK:
            return "" if row.grade in (None, UNJUDGED) else "✕" if row.grade == UNJUDGEABLE else str(row.grade)
        if column == GRADE and role == LEVEL:
            return (self._scale.index(row.grade), len(self._scale) - 1) if row.grade in self._scale else None
        return None

    def _words(self, row: int, column: int) -> str:
        ranked = self.rows[row]
        if column == RANK:
            return f"{row + 1:,}"
        if column == GRADE:
            return self._grade_words(ranked.grade)
        if column == DOCUMENT:
            return ranked.document
        return ranked.cells[column - DOCUMENT - 1] if column - DOCUMENT - 1 < len(ranked.cells) else ""

    def _grade_words(self, grade: int | None) -> str:
        if grade in (None, UNJUDGED):
            return self.tr("unjudged")
        return self.tr("cannot be judged") if grade == UNJUDGEABLE else filled(self.tr("grade %1"), str(grade))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = int(Role.DisplayRole)) -> Any:
        """Return a column's header, aligned as its values are."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < self.columnCount():
            return None
        if role == Role.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignCenter) if section == GRADE else LEFT if section == DOCUMENT else RIGHT
        return (self.tr("Rank"), self.tr("Grade"), self.tr("Document"), *self._beside)[section] if role == Role.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let rows be dragged, and dropped between others."""
        flags = super().flags(index)
        if index.isValid() and self._blank(index.row(), index.column()):
            return flags | Qt.ItemFlag.ItemIsEditable
        if not self._movable:
            return flags
        return flags | (Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled)

    def setData(self, index: Index, value: Any, role: int = int(Role.EditRole)) -> bool:
        """Take what was typed into a blank; it is no longer marked."""
        blank = self._blank(index.row(), index.column())
        if blank is None or role != Role.EditRole:
            return False
        self.typed[blank] = str(value).strip()
        self._right = {each: right for each, right in self._right.items() if each != blank}
        self.dataChanged.emit(index, index)
        return True

    def supportedDropActions(self) -> Qt.DropAction:
        """Only move."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        """Take ranks alone."""
        return [DRAGGED]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Carry the row that is dragged."""
        carried = QMimeData()
        carried.setData(DRAGGED, str(indexes[0].row()).encode())
        return carried

    def dropMimeData(
        self, data: QMimeData, _action: Qt.DropAction, row: int, _column: int, parent: QModelIndex | QPersistentModelIndex
    ) -> bool:
        """Ask for the row that was dragged to stand where it was dropped; the view itself takes nothing away."""
        place = int(bytes(data.data(DRAGGED).data()))
        below = row if row >= 0 else parent.row() if parent.isValid() else len(self.rows)
        to = below - (below > place)
        if to != place:
            self.moved.emit(place, to)
        return False
