"""What-if analysis: a ranking that the user can rearrange and regrade, with undo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias

from PySide6.QtCore import (
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from irjudge.evaluation import EXPLANATION_COLUMNS, Explanation, OpenExercise, Trial
from irjudge.model import UNJUDGEABLE, UNJUDGED
from irjudge.report import format_column
from irjudge_ui.messages import escape_markup, filled, join_sentences, translate_message, with_title
from irjudge_ui.models import LEFT_ALIGNMENT, RIGHT_ALIGNMENT, ROOT, Index, Role, bold_font
from irjudge_ui.widgets import (
    CHIP_WIDTH,
    GRADE_LEVEL_ROLE,
    GRADE_TEXT_ROLE,
    SPACE_M,
    GradeChipDelegate,
    SideBySide,
    Table,
    card,
    column,
    make_label,
    scale_length,
)

RANK_COLUMN, GRADE_COLUMN, DOCUMENT_COLUMN = 0, 1, 2
BLANK_TEXT = "___"  # text of a blank that is not filled in
# signs before the text of a filled blank that is unchecked (None), right (True) or wrong (False)
VERDICT_SIGNS = {None: "", True: "✓ ", False: "✕ "}
Blank: TypeAlias = tuple[int, str]
"""Rank and column name of a value that the student fills in."""

DRAG_MIME_TYPE = "application/x-irjudge-rank"


@dataclass(frozen=True, slots=True)
class RankedRow:
    """Table row of a `WhatIfRanking`: document, grade, contribution, and intermediate values.

    `grade` is the grade in the trial, which the user can change: None if the judgments of the trial
    do not contain the document, -1 if they contain it as unjudged, -2 if it is unjudgeable.
    `contributes` is whether the document contributes to the value as a relevant document; for RR,
    only the first relevant document does. `cells` are formatted values of the calculation, one for
    each further column. Without a calculation, `contributes` is False and `cells` is empty; `cells`
    is also empty for ranks that the calculation does not reach.
    """

    document: str
    grade: int | None
    contributes: bool = False
    cells: tuple[str, ...] = ()


class TrialModel(QAbstractTableModel):
    """Table model of a ranking; the user can move rows, if `movable`, and fill in any blanks.

    A blank is a value of the calculation that the user enters in an exercise. The model stores the
    texts of blanks, but does not reorder the ranking itself.

    `moved` is emitted with the index of a dragged row and its new index.
    """

    moved = Signal(int, int)

    def __init__(self, *, movable: bool = True) -> None:
        super().__init__()
        self.rows: tuple[RankedRow, ...] = ()
        self.answers: dict[Blank, str] = {}  # answers typed into the blanks of an exercise
        self._verdict_by_blank: Mapping[Blank, bool] = {}
        self._blank_rank_count = 0
        self._movable = movable
        self._extra_columns: tuple[str, ...] = ()
        self._scale: tuple[int, ...] = ()
        self._titles: Mapping[str, str] = {}

    def show_ranking(
        self, rows: Sequence[RankedRow], extra_columns: Sequence[str], scale: Sequence[int]
    ) -> None:
        """Show a ranking instead of the current one.

        `extra_columns` are the names of the columns with intermediate values; `scale` contains the
        grades in ascending order.
        """
        self._scale = tuple(scale)
        if len(rows) == len(self.rows) and tuple(extra_columns) == self._extra_columns:
            # if the shape is the same, the model is not reset, so that the view does not scroll
            self.rows = tuple(rows)
            if rows:
                self.dataChanged.emit(
                    self.index(0, 0), self.index(len(rows) - 1, self.columnCount() - 1)
                )
            return
        self.beginResetModel()
        self.rows, self._extra_columns = tuple(rows), tuple(extra_columns)
        self.endResetModel()

    def set_titles(self, titles: Mapping[str, str]) -> None:
        self._titles = titles
        if self.rows:
            self.dataChanged.emit(
                self.index(0, DOCUMENT_COLUMN), self.index(len(self.rows) - 1, DOCUMENT_COLUMN)
            )

    def leave_blank(self, ranks: int) -> None:
        self._blank_rank_count, self.answers, self._verdict_by_blank = ranks, {}, {}

    def mark(self, is_right: Mapping[Blank, bool]) -> None:
        self._verdict_by_blank = is_right
        if self.rows:
            self.dataChanged.emit(
                self.index(0, 0), self.index(len(self.rows) - 1, self.columnCount() - 1)
            )

    def _blank_at(self, row: int, column: int) -> Blank | None:
        return (
            (row + 1, self._extra_columns[column - DOCUMENT_COLUMN - 1])
            if row < self._blank_rank_count and column > DOCUMENT_COLUMN
            else None
        )

    def _cell_text(self, blank: Blank) -> str:
        answer, is_right = self.answers.get(blank, ""), self._verdict_by_blank.get(blank)
        return f"{VERDICT_SIGNS[is_right]}{answer}" if answer else BLANK_TEXT

    # Qt model interface

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else DOCUMENT_COLUMN + 1 + len(self._extra_columns)

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        if blank := self._blank_at(index.row(), column):
            return (
                RIGHT_ALIGNMENT
                if role == Role.TextAlignmentRole
                else {
                    int(Role.DisplayRole): self._cell_text(blank),
                    int(Role.EditRole): self.answers.get(blank, ""),
                }.get(int(role))
            )
        if role == Role.DisplayRole:
            return self._cell_text_of(index.row(), column)
        if role == Role.TextAlignmentRole:
            return LEFT_ALIGNMENT if column in (GRADE_COLUMN, DOCUMENT_COLUMN) else RIGHT_ALIGNMENT
        if role == Role.FontRole and column == DOCUMENT_COLUMN and row.contributes:
            return bold_font()
        if role == Role.ToolTipRole:
            return (
                escape_markup(
                    with_title(row.document, self._titles.get(row.document, ""))
                    if column == DOCUMENT_COLUMN
                    else self._grade_text(row.grade)
                )
                if column in (DOCUMENT_COLUMN, GRADE_COLUMN)
                else None
            )
        if column == GRADE_COLUMN and role == GRADE_TEXT_ROLE:
            return {None: "", UNJUDGED: "", UNJUDGEABLE: "✕"}.get(row.grade, str(row.grade))
        if column == GRADE_COLUMN and role == GRADE_LEVEL_ROLE:
            return (
                (self._scale.index(row.grade), len(self._scale) - 1)
                if row.grade in self._scale
                else None
            )
        return None

    def _cell_text_of(self, row: int, column: int) -> str:
        ranked_row = self.rows[row]
        if column == RANK_COLUMN:
            return f"{row + 1:,}"
        if column == GRADE_COLUMN:
            return self._grade_text(ranked_row.grade)
        if column == DOCUMENT_COLUMN:
            return self._titles.get(ranked_row.document) or ranked_row.document
        return (
            ranked_row.cells[column - DOCUMENT_COLUMN - 1]
            if column - DOCUMENT_COLUMN - 1 < len(ranked_row.cells)
            else ""
        )

    def _grade_text(self, grade: int | None) -> str:
        if grade in (None, UNJUDGED):
            return self.tr("unjudged")
        return (
            self.tr("unjudgeable")
            if grade == UNJUDGEABLE
            else filled(self.tr("grade {grade}"), grade=str(grade))
        )

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Role.DisplayRole)
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < self.columnCount():
            return None
        if role == Role.TextAlignmentRole:
            if section == GRADE_COLUMN:
                return int(Qt.AlignmentFlag.AlignCenter)
            if section == DOCUMENT_COLUMN:
                return LEFT_ALIGNMENT
            return RIGHT_ALIGNMENT
        names = (
            self.tr("Rank"),
            self.tr("Grade"),
            self.tr("Document"),
            *map(translate_message, self._extra_columns),
        )
        return names[section] if role == Role.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self._blank_at(index.row(), index.column()):
            return flags | Qt.ItemFlag.ItemIsEditable
        if not self._movable:
            return flags
        return flags | (
            Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled
        )

    def setData(self, index: Index, value: Any, role: int = int(Role.EditRole)) -> bool:
        blank = self._blank_at(index.row(), index.column())
        if blank is None or role != Role.EditRole:
            return False
        self.answers[blank] = str(value).strip()
        self._verdict_by_blank = {
            other_blank: is_right
            for other_blank, is_right in self._verdict_by_blank.items()
            if other_blank != blank
        }
        self.dataChanged.emit(index, index)
        return True

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [DRAG_MIME_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        mime_data = QMimeData()
        mime_data.setData(DRAG_MIME_TYPE, str(indexes[0].row()).encode())
        return mime_data

    def dropMimeData(
        self,
        data: QMimeData,
        _action: Qt.DropAction,
        row: int,
        _column: int,
        parent: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Emit `moved` for the drop position; return False, so that the view removes no row."""
        source_row = int(bytes(data.data(DRAG_MIME_TYPE).data()))
        if row >= 0:
            insertion_row = row
        elif parent.isValid():
            insertion_row = parent.row()
        else:
            insertion_row = len(self.rows)
        target_row = insertion_row - (insertion_row > source_row)
        if target_row != source_row:
            self.moved.emit(source_row, target_row)
        return False


KEY_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
NARROW_WIDTH, MIN_TABLE_HEIGHT, MIN_COLUMN_WIDTH = 640, 320, 44
DOCUMENT_WIDTH = 7  # minimum width of the document column in text heights
NARROW_DOCUMENT_WIDTH = 4


Moves: TypeAlias = tuple[tuple[int, int], ...]
"""Old and new rank of each moved document, counted from 1."""


class WhatIfTask(Enum):
    """Task of the user in a what-if ranking, which determines what the user can edit.

    In `EXPLORE`, this is the order and the grades; in `COMPUTE`, the blanks; in `REARRANGE`, the
    order.
    """

    EXPLORE = auto()
    COMPUTE = auto()
    REARRANGE = auto()


class RankingTable(Table):
    """Table view of a ranking, in which the user can move and grade documents.

    Keys for moving and grading work only while dragging of rows is enabled, those for grading only
    if the table is `gradable`. Typing into blanks, which are the cells to fill in during an
    exercise, is enabled separately. The view does not change the ranking itself; the owner of the
    table handles its signals. `shifted` is emitted with the old and new index of a row, `graded`
    with the index of a row and the typed grade (None for no grade), which need not be on the scale.
    """

    readable = DOCUMENT_WIDTH
    shifted = Signal(int, int)
    graded = Signal(int, object)

    def __init__(self, model: TrialModel, name: str) -> None:
        super().__init__(model, name, stretch=DOCUMENT_COLUMN)
        self._ranking = model
        self.gradable = True
        self.setSortingEnabled(False)
        self.horizontalHeader().setMinimumSectionSize(MIN_COLUMN_WIDTH)
        self.setItemDelegateForColumn(GRADE_COLUMN, GradeChipDelegate(self))
        model.moved.connect(self.shifted)
        # the columns are fitted again, since changed values can need other widths
        model.dataChanged.connect(self._schedule_fit)

    def _natural_width(self, section: int) -> int:
        if section == GRADE_COLUMN:
            return max(scale_length(CHIP_WIDTH) + 2 * SPACE_M, self._header_width(section))
        return super()._natural_width(section)

    def set_typing_enabled(self, enabled: bool) -> None:
        triggers = QAbstractItemView.EditTrigger
        behavior = QAbstractItemView.SelectionBehavior
        self.setEditTriggers(
            triggers.AnyKeyPressed | triggers.DoubleClicked | triggers.EditKeyPressed
            if enabled
            else triggers.NoEditTriggers
        )
        self.setSelectionBehavior(behavior.SelectItems if enabled else behavior.SelectRows)

    def enable_dragging(self) -> None:
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDragDropOverwriteMode(False)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(True)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """On Tab in a blank, go to the next blank, and skip read-only cells."""
        steps = {
            QAbstractItemView.CursorAction.MoveNext: 1,
            QAbstractItemView.CursorAction.MovePrevious: -1,
        }
        current, column_count = self.currentIndex(), self._ranking.columnCount()
        if action in steps and current.isValid() and current.flags() & Qt.ItemFlag.ItemIsEditable:
            last = self._ranking.rowCount() * column_count if steps[action] > 0 else -1
            for row in range(
                current.row() * column_count + current.column() + steps[action], last, steps[action]
            ):
                index = self._ranking.index(row // column_count, row % column_count)
                if index.flags() & Qt.ItemFlag.ItemIsEditable:
                    return index
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle keys: Alt and arrows move a document, digits grade it, Delete ungrades it."""
        row, key = self.currentIndex().row(), Qt.Key(event.key())
        if key in ENTER_KEYS and self.currentIndex().flags() & Qt.ItemFlag.ItemIsEditable:
            # the table also receives the Enter key that ends editing; editing must not start again
            if self.state() != QAbstractItemView.State.EditingState:
                self.edit(self.currentIndex())
            return
        if row < 0 or not self.dragEnabled():
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier and key in KEY_STEPS:
            if 0 <= row + KEY_STEPS[key] < len(self._ranking.rows):
                self.shifted.emit(row, row + KEY_STEPS[key])
        elif not self.gradable:
            super().keyPressEvent(event)
        elif event.text().isdecimal() and not event.isAutoRepeat():
            self.graded.emit(row, int(event.text()))
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.graded.emit(row, None)
        else:
            super().keyPressEvent(event)


class WhatIfRanking(QWidget):
    """Ranking of the explanation page that the user can rearrange and regrade.

    Each of these changes creates a new `Trial` and can be undone; the project does not change. The
    widget is also used for exercises: the user then either rearranges the ranking or fills in
    blanks. For graded measures, the ideal ranking is shown next to the ranking, except in
    exercises. `changed` is emitted after each change of the trial and each undo, `opened` with the
    id of a document to show.
    """

    changed = Signal()
    opened = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        # for each step, the ranking and the moves that change the stored ranking into it
        self._steps: list[tuple[Trial, Moves]] = []
        self._scale: tuple[int, ...] = ()
        self.ranking, self.ideal = TrialModel(), TrialModel(movable=False)
        self.table = RankingTable(self.ranking, self.tr("Ranking"))
        self.table.enable_dragging()
        self._ideal_table = RankingTable(self.ideal, self.tr("Ideal ranking"))
        self._description_label, self._hint = make_label("", "small"), make_label("", "small")
        self._ideal_side = QWidget()
        self._ideal_side.setLayout(
            column(
                make_label(self.tr("Ideal ranking"), "heading", wrap=False),
                self._ideal_table,
                self._description_label,
            )
        )
        for table in (self.table, self._ideal_table):
            table.setMinimumHeight(scale_length(MIN_TABLE_HEIGHT))
        self._ideal_table.setColumnHidden(RANK_COLUMN, True)
        self._ideal_table.readable = NARROW_DOCUMENT_WIDTH
        self._columns = SideBySide(
            column(make_label(self.tr("Ranking"), "heading", wrap=False), self.table),
            column(self._ideal_side),
            NARROW_WIDTH,
        )
        parts = column(self._hint, self._columns, spacing=SPACE_M)
        parts.setStretch(1, 1)
        self.setLayout(column(card(parts, margin=SPACE_M)))
        self._set_task(WhatIfTask.EXPLORE)
        self.table.shifted.connect(self._shift)
        self.table.graded.connect(self._grade)
        self.table.opened.connect(lambda row: self.opened.emit(self.ranking.rows[row].document))
        self._ideal_table.opened.connect(
            lambda row: self.opened.emit(self.ideal.rows[row].document)
        )

    def _set_task(self, task: WhatIfTask) -> None:
        self.task = task
        self.table.gradable = task is WhatIfTask.EXPLORE
        self.table.set_typing_enabled(task is WhatIfTask.COMPUTE)
        self.table.setDragEnabled(task is not WhatIfTask.COMPUTE)
        self._show_ideal(visible=False)
        if task is WhatIfTask.COMPUTE:
            message = self.tr("Fill in any of the steps; the check finds the first wrong step.")
        elif task is WhatIfTask.REARRANGE:
            message = self.tr("Drag a document, or move it with Alt ↑ ↓.")
        else:
            message = self.tr(
                "Drag a document, or move it with Alt ↑ ↓. A digit grades it, Delete removes "
                "its grade, Enter opens it."
            )
        self._hint.setText(
            join_sentences(message, self.tr("Changes made here do not affect the project."))
        )

    # Called by the page

    def begin(self, trial: Trial, scale: Sequence[int]) -> None:
        self._steps, self._scale = [(trial, ())], tuple(scale)
        self.table.scrollToTop()

    @property
    def trial(self) -> Trial | None:
        """Current ranking, with all changes; None before `begin`."""
        return self._steps[-1][0] if self._steps else None

    @property
    def first(self) -> Trial | None:
        """Ranking as stored in the project; None before `begin`."""
        return self._steps[0][0] if self._steps else None

    @property
    def can_undo(self) -> bool:
        return len(self._steps) > 1

    @property
    def moves(self) -> Moves:
        """Moves of documents that change the stored ranking into the current one."""
        return self._steps[-1][1] if self._steps else ()

    def undo(self) -> None:
        if self.can_undo:
            self._steps.pop()
            self.changed.emit()

    def reset(self) -> None:
        """Restore the stored ranking; this is a change that can be undone."""
        if self.can_undo:
            self._step(self._steps[0][0], self.table.currentIndex().row(), ())

    def exchange(self, upper_rank: int, lower_rank: int) -> None:
        """Exchange the documents at two ranks, counted from 1."""
        if self.trial:
            self._step(self.trial.exchange(upper_rank - 1, lower_rank - 1), upper_rank - 1)

    def ask(self, exercise: OpenExercise) -> None:
        self._set_task(WhatIfTask.REARRANGE if exercise.exercise.target else WhatIfTask.COMPUTE)
        self.ranking.leave_blank(exercise.ranks)
        self.show_order(exercise.columns)

    def set_titles(self, titles: Mapping[str, str]) -> None:
        for table in (self.ranking, self.ideal):
            table.set_titles(titles)

    def show_order(self, columns: Sequence[str] = ()) -> None:
        """Show the current ranking; `columns` are names of columns without values."""
        if self.trial:
            grades = self.trial.grades
            self.ranking.show_ranking(
                [RankedRow(document, grades.get(document)) for document in self.trial.documents],
                columns,
                self._scale,
            )

    def show_working(self, explanation: Explanation) -> None:
        self._set_task(WhatIfTask.EXPLORE)
        self.ranking.leave_blank(0)
        example, trial = explanation.example, self.trial
        extra_columns = list(zip(*explanation.rows(), strict=True))[len(EXPLANATION_COLUMNS) :]
        cells_by_row = list(
            zip(
                *(format_column(len(EXPLANATION_COLUMNS), cells) for cells in extra_columns),
                strict=True,
            )
        )
        self.ranking.show_ranking(
            [
                RankedRow(
                    document,
                    grade,
                    index + 1 in explanation.worked_example.hits,
                    cells_by_row[index] if index < len(cells_by_row) else (),
                )
                for index, (document, grade) in enumerate(
                    zip(example.documents, example.grades, strict=True)
                )
            ],
            explanation.columns[len(EXPLANATION_COLUMNS) :],
            self._scale,
        )
        self._show_ideal(visible=explanation.measure.declaration.kind == "graded")
        ideal = trial.ideal if trial else ()
        self.ideal.show_ranking(
            [RankedRow(document, grade) for document, grade in ideal], (), self._scale
        )
        self._description_label.setText(
            self._describe_ideal(
                len(ideal), sum(document not in example.documents for document, _ in ideal)
            )
        )

    def _show_ideal(self, *, visible: bool) -> None:
        self._ideal_side.setVisible(visible)
        self._columns.set_stretches(*((3, 1) if visible else (1, 0)))

    def _describe_ideal(self, count: int, missed_count: int) -> str:
        if not count:
            return self.tr("No document has a positive gain, so there is no ideal ranking.")
        if not missed_count:
            return self.tr(
                "All documents with grade 1 or more, best first. All of these are in the ranking."
            )
        return filled(
            self.tr(
                "All documents with grade 1 or more, best first. Not in the ranking: {missed}."
            ),
            missed=f"{missed_count:,}",
        )

    # Steps

    def _shift(self, row: int, new_rank: int) -> None:
        if self.trial:
            self._step(
                self.trial.move(row, new_rank), new_rank, (*self.moves, (row + 1, new_rank + 1))
            )

    def _grade(self, row: int, grade: int | None) -> None:
        if self.trial and (grade is None or grade in self._scale):
            document = self.trial.documents[row]
            if self.trial.grades.get(document) != grade:
                self._step(self.trial.with_grade(document, grade), row)

    def _step(self, trial: Trial, row: int, moves: Moves | None = None) -> None:
        self._steps.append((trial, self.moves if moves is None else moves))
        self.changed.emit()
        self.table.setCurrentIndex(self.ranking.index(row, DOCUMENT_COLUMN))
