"""A result opened in full over the lists: read and graded there, and what was looked at is noted."""

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irjudge.judging.side_by_side import ListedDocument, PaintedLists, SideBySide
from irjudge.model.events import Event
from irjudge_ui.messages import filled, in_language
from irjudge_ui.pages.side_by_side.foot import PanelFoot
from irjudge_ui.pages.side_by_side.papers import ListPapers
from irjudge_ui.widgets.document_view import DocumentView
from irjudge_ui.widgets.grades import GradeButtons
from irjudge_ui.widgets.key_caps import keycap
from irjudge_ui.widgets.layout import button, card, column, row, text
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M
from irjudge_ui.workspace.document_page import MarkedDocument
from irjudge_ui.workspace.keyboard import grade_cap
from irjudge_ui.workspace.saving import Saving


class OpenedResult(QWidget):
    """Shows one document; `closed` comes when somebody goes back, `graded` with a grade."""

    closed = Signal()
    graded = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.view = DocumentView()
        self._page = MarkedDocument(self.view)
        self._where = text("", "heading", wrap=False)
        self._back = button(self.tr("Back"))
        self._back.clicked.connect(self.closed)
        self._grades: GradeButtons | None = None
        self._values: tuple[int, ...] = ()
        self._grade_box = QVBoxLayout()
        paper = card(self.view, margin=SPACE_L)
        box = column(
            row(self._where, None, keycap(self.tr("Esc")), self._back),
            paper,
            self._grade_box,
            spacing=SPACE_M,
        )
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
            self._grades = GradeButtons(
                [(grade.value, in_language(grade.label)) for grade in session.scale.grades]
            )
            self._grades.set_row(True)
            self._grades.show_keys({value: key(value) for value in self._values})
            self._grades.chosen.connect(self.graded)
            self._grade_box.addWidget(self._grades)

    def open(
        self, session: SideBySide, desk: PaintedLists, side: int, place: int, zoom: float
    ) -> None:
        """Show a result from its top."""
        result = (desk.left, desk.right)[side][place]
        words = self.tr("Left, result {place}") if side == 0 else self.tr("Right, result {place}")
        self._where.setText(filled(words, place=str(place + 1)))
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
        if (
            len(digit) == 1
            and digit.isascii()
            and digit.isdigit()
            and int(digit) in self._values
            and max(self._values) <= 9
        ):
            if not event.isAutoRepeat():
                self.graded.emit(int(digit))
            return True
        return False


At = tuple[int, int]  # side (0 left, 1 right) and place in its list


class Looking:
    """Counts openings and the time opened results were in view, while two sides are on the desk.

    Examples
    --------
    >>> ticks = iter([10.0, 12.5])
    >>> looking = Looking(lambda: next(ticks))
    >>> looking.open(1, 3)
    >>> looking.close(), looking.opens, looking.dwell_ms()
    ((1, 3), (0, 1), (0, 2500))
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """Begin anew: other lists are on the desk."""
        self._opens, self._dwell = [0, 0], [0.0, 0.0]
        self.at: tuple[int, int] | None = None  # side and place of the result that is open
        self._since = 0.0

    def open(self, side: int, place: int) -> None:
        """Note that a result was opened."""
        self.close()
        self.at, self._since = (side, place), self._clock()
        self._opens[side] += 1

    def close(self) -> tuple[int, int] | None:
        """Note that it was closed; return where it stands, None when nothing was open."""
        at, self.at = self.at, None
        if at is not None:
            self._dwell[at[0]] += self._clock() - self._since
        return at

    @property
    def opens(self) -> tuple[int, int]:
        """How often a result was opened on the left and on the right."""
        return self._opens[0], self._opens[1]

    def dwell_ms(self) -> tuple[int, int]:
        """Return for how many milliseconds results of either side were open."""
        return round(self._dwell[0] * 1000), round(self._dwell[1] * 1000)


class Comparing(Protocol):
    """What opening needs to know of the page: who compares, what was painted, how it is saved, and what is said then."""

    saving: Saving

    @property
    def session(self) -> SideBySide | None:
        """Who compares in which project; None for nobody."""

    @property
    def on_paper(self) -> PaintedLists | None:
        """What a person can see."""

    @property
    def zoom(self) -> float:
        """The size of documents."""

    def say_saved(self, event: Event) -> None:
        """Say what was saved, and how it is taken back."""


class OpenResults(QObject):
    """Keeps which result is open. `moved` comes when one was opened or closed."""

    moved = Signal()

    def __init__(
        self, page: Comparing, lists: ListPapers, opened: OpenedResult, foot: PanelFoot
    ) -> None:
        super().__init__(opened)
        self._page, self._lists, self._opened, self._foot = page, lists, opened, foot
        self._looking = Looking()
        opened.closed.connect(self.close)
        opened.graded.connect(self.grade)

    def begin(self) -> None:
        """Begin anew: other lists are on the desk."""
        self._looking.begin()

    @property
    def is_open(self) -> bool:
        """Whether a result is open over the lists."""
        return self._looking.at is not None

    @property
    def can_open(self) -> bool:
        """Whether there are results to open."""
        desk = self._page.on_paper
        return desk is not None and desk.showing.type == "panel" and not self.is_open

    def looked(self) -> tuple[At, At]:
        """Return how often results of either side were opened, and for how many milliseconds."""
        return self._looking.opens, self._looking.dwell_ms()

    def open_focused(self) -> None:
        """Open the result that has the focus, or else the first one there is."""
        found = [
            (side, place)
            for side, each in enumerate(self._lists.lists)
            for place, _ in enumerate(each.cards.used)
        ]
        focused = (at for at in found if self._lists.lists[at[0]].cards.all[at[1]].hasFocus())
        at = next(focused, next(iter(found), None))
        if at is not None:
            self.open(*at)

    def open(self, side: int, place: int) -> None:
        """Open a result in full over the lists."""
        session, desk = self._page.session, self._page.on_paper
        if session is not None and desk is not None:
            self._looking.open(side, place)
            self.moved.emit()  # first: the document is laid out at the size it has
            self._opened.open(session, desk, side, place, self._page.zoom)
            self._opened.view.setFocus()

    def close(self) -> None:
        """Go back to the lists, to the result that was opened."""
        at = self._looking.close()
        self._opened.close_document()
        self.moved.emit()
        self._foot.show_hint("")
        if at is not None:
            self._lists.lists[at[0]].cards.all[at[1]].setFocus()

    def grade(self, value: int) -> None:
        """Grade the opened result; it stays open."""
        session, desk, at = self._page.session, self._page.on_paper, self._looking.at
        if session is None or desk is None or at is None:
            return
        result = (desk.left, desk.right)[at[0]][at[1]]

        def then(event: Event) -> None:
            self._opened.show_given(session, desk, result)
            self._page.say_saved(event)

        self._page.saving.commit(partial(session.grade, desk, result, value), then)
