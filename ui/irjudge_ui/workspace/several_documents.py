"""Page with several documents of a topic, one of which is the current document."""

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
    make_container,
    make_label,
    make_scroll_area,
    row,
    scale_length,
)
from irjudge_ui.workspace.document_page import MarkedDocumentLoader
from irjudge_ui.workspace.messages import reason_label

# maximum height of a text in pixels at normal zoom; a longer text scrolls in its card, so that no
# card moves when another document becomes the current one
MAX_TEXT_HEIGHT = 288
# a document counts as visible if this share of its card is visible, or if it fills this share of
# the view
MIN_VISIBLE_SHARE = 0.5
TermsOf = Callable[[PresentedDocument], Sequence[Term]]


class SeveralDocuments(QWidget):
    """Part of the judging page that shows one document, or a page with several documents.

    The documents of such a page belong to one topic. Only the current one can be judged; it is
    shown by the given `DocumentView`. `chosen` is emitted with the queue item of another document
    that the user clicked.
    """

    chosen = Signal(object)

    def __init__(self, document: DocumentView, terms_of: TermsOf) -> None:
        super().__init__()
        self._document, self._terms_of = document, terms_of
        self._card_box = column(None, spacing=SPACE_XS)
        self._content = make_container(self._card_box)
        self._area = make_scroll_area(self._content, "inset")
        self._area.setAccessibleName(self.tr("Documents on this page"))
        self._area.hide()
        self._cards: list[_DocumentCard] = []
        self._page_state: tuple[object, ...] = ()
        self.setLayout(column(document, self._area))

    @property
    def visible_items(self) -> tuple[QueueItem, ...]:
        """Queue items on the page, from the top; empty if a document is shown alone."""
        return tuple(card.item for card in self._cards)

    def show_single(self) -> None:
        """Show the current document alone."""
        if self._cards:
            self._place_document(self.layout(), 0)
            self._clear()
            self._area.hide()

    def show_page(
        self, session: Session, presentation: PresentedDocument, size: int, zoom: float
    ) -> None:
        """Show the current document on its page of up to `size` documents of the topic.

        If this page is already shown, its documents stay in place.
        """
        items, terms = (
            session.page(presentation.queue_item, size),
            tuple(self._terms_of(presentation)),
        )
        page_state = (session, items, terms, zoom)
        if page_state != self._page_state:
            self._place_document(self.layout(), 0)
            self._clear()
            for item in items:
                document_card = _DocumentCard(session.present(item), self.chosen.emit)
                self._cards.append(document_card)
                self._card_box.insertWidget(self._card_box.count() - 1, document_card)
                document_card.show_text(session, terms, zoom)
            self._page_state = page_state
            self._area.show()
            self._area.verticalScrollBar().setValue(0)
        for number, card in enumerate(self._cards, 1):
            card.show_state(
                session, number, len(self._cards), focused=card.item == presentation.queue_item
            )
        focused_card = next(card for card in self._cards if card.item == presentation.queue_item)
        if self._document.parent() is not focused_card.paper:
            for card in self._cards:
                card.show_plain_text(card is not focused_card)
            self._place_document(focused_card.paper.layout(), 0)
        self._fit()
        QTimer.singleShot(0, self, self._scroll_to_focused)  # called once the page has its height

    def show_states(self, session: Session, current_item: QueueItem) -> None:
        """Update the displayed grades and marks, and which document is the current one."""
        for number, card in enumerate(self._cards, 1):
            card.show_state(session, number, len(self._cards), focused=card.item == current_item)

    def adjacent(self, item: QueueItem, step: int) -> QueueItem | None:
        """Return the item after (`step` 1) or before (-1) an item on the page; None at the end."""
        items = self.visible_items
        target = items.index(item) + step if item in items else -1
        return items[target] if 0 <= target < len(items) else None

    @property
    def visible_documents(self) -> PageSeen | None:
        """Ids of all documents on the page, and of those in view; None for a single document."""
        if not self._cards:
            return None
        view = self._area.viewport().rect()
        return PageSeen(
            tuple(item.document for item in self.visible_items),
            tuple(card.item.document for card in self._cards if self._is_in_view(card, view)),
        )

    def _is_in_view(self, card: QWidget, view: QRect) -> bool:
        visible_height = (
            QRect(card.mapTo(self._area.viewport(), QPoint(0, 0)), card.size())
            .intersected(view)
            .height()
        )
        return visible_height > 0 and visible_height >= MIN_VISIBLE_SHARE * min(
            card.height(), view.height()
        )

    def _scroll_to_focused(self) -> None:
        """Scroll to the current document, with a margin above and below it if there is space."""
        focused_card = next((card for card in self._cards if card.focused), None)
        if focused_card:
            self._area.ensureWidgetVisible(
                focused_card,
                0,
                min(scale_length(MAX_TEXT_HEIGHT) // 2, self._area.viewport().height() // 4),
            )
            self._area.ensureWidgetVisible(focused_card, 0, 0)

    def _place_document(self, layout: object, position: int) -> None:
        if isinstance(layout, QVBoxLayout) and layout.indexOf(self._document) < 0:
            layout.insertWidget(position, self._document)
            self._document.show()

    def _clear(self) -> None:
        for card in self._cards:
            card.stop()
            self._card_box.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards, self._page_state = [], ()

    def _fit(self) -> None:
        for card in self._cards:
            card.fit(scale_length(MAX_TEXT_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._fit)


class _DocumentCard(QFrame):
    """Card of a document on a page with several documents: number, grade, and text."""

    def __init__(
        self, presentation: PresentedDocument, choose: Callable[[QueueItem], object]
    ) -> None:
        super().__init__()
        self.setObjectName("several")
        self._presentation, self._choose = presentation, choose
        self.item = presentation.queue_item
        self.focused = False
        self._number_label = make_label("", "small", wrap=False)
        self._state_label = make_label("", "small", wrap=False)
        self._continues_note = make_label(self.tr("continues below"), "small", wrap=False)
        self._plain_view = DocumentView()
        self._plain_view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plain_view.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._plain_view.setAccessibleName(presentation.document.title or presentation.document.id)
        self._loader = MarkedDocumentLoader(self._plain_view)
        self.paper = make_container(column(self._plain_view))
        self.setLayout(
            column(
                row(self._number_label, self._state_label, None, self._continues_note),
                self.paper,
                spacing=SPACE_XS,
                margins=(SPACE_M, SPACE_S, SPACE_M, SPACE_S),
            )
        )
        self._max_height = 0
        self._plain_view.loaded.connect(self._fit_height)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_text(self, session: Session, terms: Sequence[Term], zoom: float) -> None:
        self._plain_view.ensurePolished()  # otherwise, the style sheet would change the font later
        self._loader.show(
            limit_to_shown_fields(session.project, self._presentation.document), terms, zoom
        )

    def stop(self) -> None:
        self._loader.stop()

    def show_plain_text(self, plain: bool) -> None:
        """Show or hide the card's own view of the document.

        It is hidden on the card of the current document, which contains the page's main view
        instead.
        """
        self._plain_view.setVisible(plain)

    def show_state(self, session: Session, number: int, count: int, *, focused: bool) -> None:
        judgment, marks = session.judgment(self.item), session.marks(self.item)
        state_text = ""
        if judgment is not None and judgment.kind == "grade":
            value = int(judgment.payload["value"])
            label = next(
                (grade.label for grade in session.scale.grades if grade.value == value), ""
            )
            state_text = f"✓ {value} {translate_message(label)}"
        elif judgment is not None:
            state_text = "✓ " + filled(
                self.tr("unjudgeable ({reason})"),
                reason=reason_label(str(judgment.payload["reason"])),
            )
        elif session.ledger.is_skipped(self.item.key):
            state_text = self.tr("skipped")
        flags = " ".join(
            sign
            for sign, is_set in (("⚑", marks.unsure), ("✎", marks.note or marks.rationales))
            if is_set
        )
        position = filled(
            self.tr("{count} of {total}", "document"), count=str(number), total=str(count)
        )
        self._number_label.setText(position)
        self._state_label.setText(" ".join(filter(None, (state_text, flags))))
        descriptions = [
            self._presentation.document.title or self._presentation.document.id,
            state_text or self.tr("not judged"),
        ]
        self.setAccessibleName(
            ", ".join(
                [position, *descriptions, *([self.tr("current document")] if focused else [])]
            )
        )
        if focused != self.focused:
            self.focused = focused
            self.setObjectName("several-now" if focused else "several")
            self.style().polish(self)

    def fit(self, max_height: int) -> None:
        """Make the card as high as its text, up to a maximum height of the text."""
        self._max_height = max_height
        self._fit_height()

    def _fit_height(self) -> None:
        self._plain_view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._plain_view.verticalScrollBar().setValue(0)
        needed_height = ceil(self._plain_view.document().size().height()) + 2
        self._continues_note.setVisible(needed_height > self._max_height)
        self.paper.setFixedHeight(max(1, min(needed_height, self._max_height)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not self.focused and self.rect().contains(event.position().toPoint()):
            self._choose(self.item)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._fit_height)
        return handled
