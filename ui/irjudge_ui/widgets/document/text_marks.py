"""Marks places in a text: what a topic asks for and what a person looks for look different, and many marks stay quick."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from irjudge_ui.widgets.theme import current_theme, mark_format

Span = tuple[int, int]  # begin and end as Qt counts letters

MOST_MARKS = 2000  # of one kind; each costs time at every paint
MARKS_ABOVE = 500  # of those, when only some are drawn
BLOCK_MARKS = (
    40  # of one kind in one paragraph: each draws all its lines on screen again, so 40 take 25 ms
)
CALM_MS = 40  # without a move this long, scrolling has stopped
LINES_ABOVE, LINES_BELOW = 3, 2  # around a place that is shown
FOUND_STRENGTH = 0.27  # of the accent on the page, behind what was looked for


class TextMarks(QObject):
    """The marks in one text. Of more than can be drawn, those around what is on screen are."""

    drawn = Signal()

    def __init__(self, view: QTextEdit) -> None:
        super().__init__(view)
        self._view = view
        self._hits: Sequence[Span] = ()
        self._found: Sequence[Span] = ()
        self._reasons: Sequence[Span] = ()
        self.hits_drawn = 0  # of the words to highlight, now
        self._some = False  # whether more stand in the text than are drawn
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(CALM_MS)
        self._calm.timeout.connect(self.draw)
        view.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    def mark_hits(self, spans: Sequence[Span]) -> None:
        """Mark the words to highlight, given in ascending order; those of before go."""
        self._hits = spans
        self.draw()

    def mark_found(self, spans: Sequence[Span]) -> None:
        """Mark what was looked for, given in ascending order; marks of before go."""
        self._found = spans
        self.draw()

    def mark_reasons(self, spans: Sequence[Span]) -> None:
        """Mark the words that were kept as reasons, given in ascending order; those of before go."""
        self._reasons = spans
        self.draw()

    def clear(self) -> None:
        """Take all marks away."""
        self._hits = self._found = self._reasons = ()
        self.draw()

    def draw(self) -> None:
        """Put the marks into the text."""
        self._some = False
        theme = current_theme()
        hit, found = mark_format(), QTextCharFormat()
        found.setBackground(_between(QColor(theme.surface), QColor(theme.accent), FOUND_STRENGTH))
        found.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        found.setUnderlineColor(QColor(theme.accent))
        marks = [self._mark(span, hit) for span in self._drawn(self._hits)]
        self.hits_drawn = len(marks)
        kept = QTextCharFormat()
        kept.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
        kept.setUnderlineColor(QColor(theme.accent))
        marks += [self._mark(span, kept) for span in self._drawn(self._reasons)]
        self._view.setExtraSelections(
            marks + [self._mark(span, found) for span in self._drawn(self._found)]
        )
        self.drawn.emit()

    def _drawn(self, spans: Sequence[Span]) -> Sequence[Span]:
        if not spans:
            return spans
        top = top_of(self._view)
        first = min(
            max(0, bisect_left(spans, (top, 0)) - MARKS_ABOVE), max(0, len(spans) - MOST_MARKS)
        )
        around = spans[first : first + MOST_MARKS]
        drawn = [span for block in self._by_block(around) for span in _nearest(block, top)]
        self._some = self._some or len(drawn) < len(spans)
        return drawn

    def _by_block(self, spans: Sequence[Span]) -> Iterator[list[Span]]:
        """Yield the spans of each paragraph, in ascending order."""
        text, last = self._view.document(), self._view.document().characterCount() - 1
        for _, block in groupby(
            spans, key=lambda span: text.findBlock(min(span[0], last)).blockNumber()
        ):
            yield list(block)

    def _mark(self, span: Span, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        mark: Any = QTextEdit.ExtraSelection()  # PySide's types lack its two fields
        mark.format = look
        mark.cursor = _cursor(self._view, span)
        mark.cursor.setKeepPositionOnInsert(True)  # it would grow when more text comes in behind it
        made: QTextEdit.ExtraSelection = mark
        return made

    def _on_scrolled(self) -> None:
        if self._some:
            self._calm.start()


def _nearest(spans: list[Span], top: int) -> list[Span]:
    """Return those of a paragraph's spans that are drawn: from a little above the top of the screen on."""
    first = min(
        max(0, bisect_left(spans, (top, 0)) - BLOCK_MARKS // 10), max(0, len(spans) - BLOCK_MARKS)
    )
    return spans[first : first + BLOCK_MARKS]


def top_of(view: QTextEdit) -> int:
    """Return the place in the text of the first line that can be read on screen."""
    return view.cursorForPosition(QPoint(0, view.fontMetrics().height() // 2)).position()


def eye(view: QTextEdit, step: int) -> int:
    """Return where a way forward (1) or back (-1) begins: after or before what is selected, else at the top of what is on screen."""
    cursor = view.textCursor()
    if not cursor.hasSelection():
        return top_of(view)
    return cursor.selectionEnd() if step > 0 else cursor.selectionStart()


def in_view(view: QTextEdit, place: int) -> bool:
    """Tell whether a place in the text is on screen or above it."""
    return view.cursorRect(_cursor(view, (place, place))).bottom() <= view.viewport().height()


def show_place(view: QTextEdit, span: Span) -> None:
    """Select a piece of the text; scroll only when it is not well in view, and then leave some lines above it."""
    place = view.cursorRect(_cursor(view, (span[0], span[0])))
    line, height = place.height(), view.viewport().height()
    if place.top() < line or place.bottom() > height - LINES_BELOW * line:
        view.verticalScrollBar().setValue(
            view.verticalScrollBar().value() + place.top() - min(LINES_ABOVE * line, height // 3)
        )
    view.setTextCursor(_cursor(view, span))


def scroll_to(view: QTextEdit, place: int) -> None:
    """Bring a place of the text to the top of the view, selecting nothing."""
    view.verticalScrollBar().setValue(
        view.verticalScrollBar().value() + view.cursorRect(_cursor(view, (place, place))).top()
    )


def next_place(spans: Sequence[Span], now: int | None, top: int, step: int) -> int:
    """Return which of some spans comes after or before the present one, going round at the ends.

    Examples
    --------
    >>> spans = [(3, 5), (8, 9), (20, 22)]
    >>> next_place(spans, 2, 0, 1), next_place(spans, None, 8, 1), next_place(spans, None, 8, -1)
    (0, 1, 0)
    """
    if now is not None:
        return (now + step) % len(spans)
    after = bisect_left(spans, (top, 0))
    return (after if step > 0 else after - 1) % len(spans)


def _between(one: QColor, other: QColor, part: float) -> QColor:
    pairs = zip(
        (one.red(), one.green(), one.blue()),
        (other.red(), other.green(), other.blue()),
        strict=True,
    )
    return QColor(*(round(a + (b - a) * part) for a, b in pairs))


def _cursor(view: QTextEdit, span: Span) -> QTextCursor:
    cursor = QTextCursor(view.document())
    last = (
        view.document().characterCount() - 1
    )  # the text may have gone since it was looked through
    cursor.setPosition(min(span[0], last))
    cursor.setPosition(min(span[1], last), QTextCursor.MoveMode.KeepAnchor)
    return cursor
