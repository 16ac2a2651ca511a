"""A result opened in full over the panel: read it, grade it where that is allowed, go back."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irjudge.judging.side_by_side import ListedDocument, PaintedLists, SideBySide
from irjudge_ui.desk.keyboard import grade_cap
from irjudge_ui.desk.marked_page import MarkedPage
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.grades.buttons import GradeButtons
from irjudge_ui.widgets.keycap import keycap
from irjudge_ui.widgets.layout import button, card, column, row, text
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M
from irjudge_ui.words import filled, in_language


class OpenedResult(QWidget):
    """Shows one document; `closed` comes when somebody goes back, `graded` with a grade."""

    closed = Signal()
    graded = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.view = DocumentView()
        self._page = MarkedPage(self.view)
        self._where = text("", "heading", wrap=False)
        self._back = button(self.tr("Back"))
        self._back.clicked.connect(self.closed)
        self._grades: GradeButtons | None = None
        self._values: tuple[int, ...] = ()
        self._grade_box = QVBoxLayout()
        paper = card(self.view, margin=SPACE_L)
        box = column(row(self._where, None, keycap(self.tr("Esc")), self._back), paper, self._grade_box, spacing=SPACE_M)
        box.setStretch(1, 1)
        self.setLayout(box)

    def begin(self, session: SideBySide, key: Callable[[int], str] = grade_cap) -> None:
        """Offer the grades of a session, where it asks for any."""
        if self._grades is not None:
            self._grades.hide()
            self._grades.deleteLater()
            self._grades = None
        self._values = session.scale.values if session.rules.grading else ()
        if self._values:
            self._grades = GradeButtons([(grade.value, in_language(grade.label)) for grade in session.scale.grades])
            self._grades.set_row(True)
            self._grades.show_keys({value: key(value) for value in self._values})
            self._grades.chosen.connect(self.graded)
            self._grade_box.addWidget(self._grades)

    def open(self, session: SideBySide, desk: PaintedLists, side: int, place: int, zoom: float) -> None:
        """Show a result from its top."""
        result = (desk.left, desk.right)[side][place]
        words = self.tr("Left, result %1") if side == 0 else self.tr("Right, result %1")
        self._where.setText(filled(words, str(place + 1)))
        self.show_given(session, desk, result)
        self.view.ensurePolished()
        self._page.show(session.document(result.document), session.terms(desk.topic.id), zoom)

    def show_given(self, session: SideBySide, desk: PaintedLists, result: ListedDocument) -> None:
        """Mark the grade a result has."""
        if self._grades is not None:
            self._grades.show_given(session.given(desk, result))

    def close_document(self) -> None:
        """Bring no more of the document."""
        self._page.stop()

    def take(self, event: QKeyEvent) -> bool:
        """Take a key that closes or grades; tell whether it did."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return True
        digit = event.text()
        if len(digit) == 1 and digit.isascii() and digit.isdigit() and int(digit) in self._values and max(self._values) <= 9:
            if not event.isAutoRepeat():
                self.graded.emit(int(digit))
            return True
        return False
