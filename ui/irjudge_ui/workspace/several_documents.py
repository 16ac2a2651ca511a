"""Several documents of a topic on one page, one of them focused."""

from collections.abc import Callable, Sequence
from math import ceil

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from irjudge.judging import PresentedDocument, QueueItem, Session
from irjudge.model import PageSeen
from irjudge.store import limit_to_shown_fields
from irjudge.text import Term
from irjudge_ui.messages import filled, translate_message
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    DocumentView,
    column,
    make_label,
    row,
    scale_length,
    scrolling,
)
from irjudge_ui.workspace.document_page import MarkedDocument
from irjudge_ui.workspace.messages import reason_label

# Pixels; a longer text scrolls inside its card, so that nothing moves when the focus changes
MAX_TEXT_HEIGHT = 288
HALF = 0.5  # visible share of a document, or of the page, that counts as in view
TermsOf = Callable[[PresentedDocument], Sequence[Term]]


class SeveralDocuments(QWidget):
    """The current document alone, or several documents on one page.

    `chosen` is emitted with the clicked queue item.
    """

    chosen = Signal(object)

    def __init__(self, document: DocumentView, terms_of: TermsOf) -> None:
        super().__init__()
        self._document, self._terms_of = document, terms_of
        self._inside = QWidget()
        self._list = QVBoxLayout(self._inside)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(SPACE_XS)
        self._list.addStretch(1)
        self._area = scrolling(self._inside, "inset")
        self._area.setAccessibleName(self.tr("Documents on this page"))
        self._area.hide()
        self._cards: list[_DocumentCard] = []
        self._shown: tuple[object, ...] = ()
        self.setLayout(column(document, self._area))

    @property
    def visible_items(self) -> tuple[QueueItem, ...]:
        """Queue items on the page, from the top; empty for a single document."""
        return tuple(card.item for card in self._cards)

    def stand_alone(self) -> None:
        """Show only the current document."""
        if self._cards:
            self._take_document(self.layout(), 0)
            self._clear()
            self._area.hide()

    def put(self, session: Session, work: PresentedDocument, size: int, zoom: float) -> None:
        """Show the current document on a page of `size` documents.

        Documents already there do not move.
        """
        items, terms = session.page(work.place, size), tuple(self._terms_of(work))
        wished = (session, items, terms, zoom)
        if wished != self._shown:
            self._take_document(self.layout(), 0)
            self._clear()
            for item in items:
                made = _DocumentCard(session.work(item), self.chosen.emit)
                self._cards.append(made)
                self._list.insertWidget(self._list.count() - 1, made)
                made.show_text(session, terms, zoom)
            self._shown = wished
            self._area.show()
            self._area.verticalScrollBar().setValue(0)
        for number, card in enumerate(self._cards, 1):
            card.show_state(session, number, len(self._cards), focused=card.item == work.place)
        focused = next(card for card in self._cards if card.item == work.place)
        if self._document.parent() is not focused.paper:
            for card in self._cards:
                card.be_plain(card is not focused)
            self._take_document(focused.paper.layout(), 0)
        self._fit()
        QTimer.singleShot(0, self, self._bring)  # after the page has its new height

    def show_states(self, session: Session, at: QueueItem) -> None:
        """Update the grades shown."""
        for number, card in enumerate(self._cards, 1):
            card.show_state(session, number, len(self._cards), focused=card.item == at)

    def adjacent(self, at: QueueItem, step: int) -> QueueItem | None:
        """Return the item above or below an item; None at the end of the page."""
        items = self.visible_items
        line = items.index(at) + step if at in items else -1
        return items[line] if 0 <= line < len(items) else None

    @property
    def visible_documents(self) -> PageSeen | None:
        """Items on the page with their visible part; None for a single document."""
        if not self._cards:
            return None
        view = self._area.viewport().rect()
        seen = (card.item.document for card in self._cards if self._in_view(card, view))
        return PageSeen(tuple(item.document for item in self.visible_items), tuple(seen))

    def _in_view(self, card: QWidget, view: QRect) -> bool:
        there = (
            QRect(card.mapTo(self._area.viewport(), QPoint(0, 0)), card.size())
            .intersected(view)
            .height()
        )
        return there > 0 and there >= HALF * min(card.height(), view.height())

    def _bring(self) -> None:
        """Scroll to the focused document and, if there is space, the beginning of the next."""
        focused = next((card for card in self._cards if card.focused), None)
        if focused:
            self._area.ensureWidgetVisible(
                focused,
                0,
                min(scale_length(MAX_TEXT_HEIGHT) // 2, self._area.viewport().height() // 4),
            )
            self._area.ensureWidgetVisible(focused, 0, 0)

    def _take_document(self, layout: object, at: int) -> None:
        if isinstance(layout, QVBoxLayout) and layout.indexOf(self._document) < 0:
            layout.insertWidget(at, self._document)
            self._document.show()

    def _clear(self) -> None:
        for card in self._cards:
            card.stop()
            self._list.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards, self._shown = [], ()

    def _fit(self) -> None:
        for card in self._cards:
            card.fit(scale_length(MAX_TEXT_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._fit)


class _DocumentCard(QFrame):
    """A document on the page: number, grade, and its text or the view of the current document."""

    def __init__(self, work: PresentedDocument, choose: Callable[[QueueItem], object]) -> None:
        super().__init__()
        self.setObjectName("several")
        self._work, self._choose = work, choose
        self.item = work.place
        self.focused = False
        self._number, self._state = (
            make_label("", "small", wrap=False),
            make_label("", "small", wrap=False),
        )
        self._longer = make_label(self.tr("continues below"), "small", wrap=False)
        self._plain = DocumentView()
        self._plain.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plain.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._plain.setAccessibleName(work.document.title or work.document.id)
        self._page = MarkedDocument(self._plain)
        self.paper = QWidget()
        self.paper.setLayout(column(self._plain))
        box = column(
            row(self._number, self._state, None, self._longer), self.paper, spacing=SPACE_XS
        )
        box.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        self.setLayout(box)
        self._tallest = 0
        self._plain.loaded.connect(self._be_as_high)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_text(self, session: Session, terms: Sequence[Term], zoom: float) -> None:
        """Show the text with the topic's terms marked."""
        self._plain.ensurePolished()  # otherwise the style sheet would change the font size later
        self._page.show(limit_to_shown_fields(session.project, self._work.document), terms, zoom)

    def stop(self) -> None:
        """Cancel loading."""
        self._page.stop()

    def be_plain(self, plain: bool) -> None:
        """Show the plain text, or make room for the current document's view."""
        self._plain.setVisible(plain)

    def show_state(self, session: Session, number: int, count: int, *, focused: bool) -> None:
        """Show number and grade; the focused card is emphasised."""
        judgment, marks = session.judgment(self.item), session.marks(self.item)
        state = ""
        if judgment is not None and judgment.kind == "grade":
            value = int(judgment.payload["value"])
            label = next(
                (grade.label for grade in session.scale.grades if grade.value == value), ""
            )
            state = f"✓ {value} {translate_message(label)}"
        elif judgment is not None:
            state = "✓ " + filled(
                self.tr("unjudgeable ({reason})"),
                reason=reason_label(str(judgment.payload["reason"])),
            )
        elif session.ledger.is_skipped(self.item.key):
            state = self.tr("skipped")
        flags = " ".join(
            sign for sign, on in (("⚑", marks.unsure), ("✎", marks.note or marks.rationales)) if on
        )
        position = filled(
            self.tr("{count} of {total}", "document"), count=str(number), total=str(count)
        )
        self._number.setText(position)
        self._state.setText(" ".join(filter(None, (state, flags))))
        descriptions = [
            self._work.document.title or self._work.document.id,
            state or self.tr("not judged"),
        ]
        self.setAccessibleName(
            ", ".join(
                [position, *descriptions, *([self.tr("receives key presses")] if focused else [])]
            )
        )
        if focused != self.focused:
            self.focused = focused
            self.setObjectName("several-now" if focused else "several")
            self.style().polish(self)

    def fit(self, tallest: int) -> None:
        """Set the height to the text, up to a limit."""
        self._tallest = tallest
        self._be_as_high()

    def _be_as_high(self) -> None:
        self._plain.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._plain.verticalScrollBar().setValue(0)
        needed = ceil(self._plain.document().size().height()) + 2
        self._longer.setVisible(needed > self._tallest)
        self.paper.setFixedHeight(max(1, min(needed, self._tallest)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not self.focused and self.rect().contains(event.position().toPoint()):
            self._choose(self.item)

    def event(self, event: QEvent) -> bool:
        """Recompute the height when the width changes."""
        done = super().event(event)
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._be_as_high)
        return done
