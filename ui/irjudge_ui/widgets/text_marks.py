"""Marks in a text (highlighted terms, search matches, rationales), and the find bar."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QWidget,
)

from irjudge_ui.messages import filled
from irjudge_ui.widgets.key_caps import keycap
from irjudge_ui.widgets.layout import make_button, make_label, make_timer, row
from irjudge_ui.widgets.theme import SPACE_S, current_theme, mark_format, scale_length

# Marks in a text

TextSpan = tuple[int, int]  # begin and end in UTF-16 code units, as Qt counts

# maximum number of drawn marks of one kind; it is limited, since Qt paints every mark each time
MAX_MARKS = 2000
MAX_MARKS_ABOVE = 500  # maximum number of marks drawn above the visible part if not all are drawn
# maximum number of drawn marks of one kind in a paragraph, since Qt repaints all its lines for each
# mark (40 marks take 25 ms)
MAX_BLOCK_MARKS = 40
SCROLL_PAUSE_MS = 40  # pause after which scrolling counts as stopped
# minimum number of lines above and below the current match
LINES_ABOVE, LINES_BELOW = (3, 2)
MATCH_STRENGTH = 0.27  # share of the accent colour in the background of search matches


class TextMarks(QObject):
    """Marks in the text of a view: highlighted terms, search matches and saved rationales.

    The owner sets the spans of each kind, in UTF-16 code units and ascending order; the class does
    not search. If there are too many marks, only those near the visible part of the text are drawn.
    `drawn` is emitted after the marks were drawn.
    """

    drawn = Signal()

    def __init__(self, view: QTextEdit) -> None:
        super().__init__(view)
        self._view = view
        self._hits: Sequence[TextSpan] = ()
        self._matches: Sequence[TextSpan] = ()
        self._rationales: Sequence[TextSpan] = ()
        self.hit_count = 0  # number of drawn marks of highlighted terms
        self._is_partly_drawn = False  # whether some marks are not drawn
        self._scroll_timer = make_timer(self, SCROLL_PAUSE_MS, self.draw)
        view.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    def mark_hits(self, spans: Sequence[TextSpan]) -> None:
        """Set the spans of highlighted terms, in ascending order."""
        self._hits = spans
        self.draw()

    def mark_matches(self, spans: Sequence[TextSpan]) -> None:
        """Set the spans of search matches, in ascending order."""
        self._matches = spans
        self.draw()

    def mark_rationales(self, spans: Sequence[TextSpan]) -> None:
        """Set the spans of saved rationales, in ascending order."""
        self._rationales = spans
        self.draw()

    def clear(self) -> None:
        """Remove all marks."""
        self._hits = self._matches = self._rationales = ()
        self.draw()

    def draw(self) -> None:
        """Draw the marks near the visible part in the current theme."""
        self._is_partly_drawn = False
        theme = current_theme()
        hit_format, match_format = mark_format(), QTextCharFormat()
        match_format.setBackground(
            _mix_colours(QColor(theme.surface), QColor(theme.accent), MATCH_STRENGTH)
        )
        match_format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        match_format.setUnderlineColor(QColor(theme.accent))
        marks = [self._mark(span, hit_format) for span in self._visible_spans(self._hits)]
        self.hit_count = len(marks)
        rationale_format = QTextCharFormat()
        rationale_format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
        rationale_format.setUnderlineColor(QColor(theme.accent))
        marks += [
            self._mark(span, rationale_format) for span in self._visible_spans(self._rationales)
        ]
        self._view.setExtraSelections(
            marks + [self._mark(span, match_format) for span in self._visible_spans(self._matches)]
        )
        self.drawn.emit()

    def _visible_spans(self, spans: Sequence[TextSpan]) -> Sequence[TextSpan]:
        if not spans:
            return spans
        top = first_visible_position(self._view)
        visible_spans = [
            span
            for block in self._group_by_paragraph(
                _nearest_spans(spans, top, MAX_MARKS_ABOVE, MAX_MARKS)
            )
            for span in _nearest_spans(block, top, MAX_BLOCK_MARKS // 10, MAX_BLOCK_MARKS)
        ]
        self._is_partly_drawn = self._is_partly_drawn or len(visible_spans) < len(spans)
        return visible_spans

    def _group_by_paragraph(self, spans: Sequence[TextSpan]) -> Iterator[list[TextSpan]]:
        """Yield, for each paragraph, the spans that begin in it, in ascending order."""
        document, last = self._view.document(), self._view.document().characterCount() - 1
        for _, block in groupby(
            spans, key=lambda span: document.findBlock(min(span[0], last)).blockNumber()
        ):
            yield list(block)

    def _mark(self, span: TextSpan, mark_format_: QTextCharFormat) -> QTextEdit.ExtraSelection:
        # `Any`, since PySide's type stubs lack the attributes of a selection
        mark: Any = QTextEdit.ExtraSelection()
        mark.format = mark_format_
        mark.cursor = make_cursor(self._view.document(), *span)
        # otherwise the mark would grow when text is appended
        mark.cursor.setKeepPositionOnInsert(True)
        selection: QTextEdit.ExtraSelection = mark
        return selection

    def _on_scrolled(self) -> None:
        if self._is_partly_drawn:
            self._scroll_timer.start()


def _nearest_spans(
    spans: Sequence[TextSpan], top: int, above: int, max_count: int
) -> Sequence[TextSpan]:
    """Return the spans to draw, `above` of them above the visible part of the text."""
    first = min(max(0, bisect_left(spans, (top, 0)) - above), max(0, len(spans) - max_count))
    return spans[first : first + max_count]


def first_visible_position(view: QTextEdit) -> int:
    """Return the text position of the first line that is fully visible."""
    return view.cursorForPosition(QPoint(0, view.fontMetrics().height() // 2)).position()


def search_start(view: QTextEdit, step: int) -> int:
    """Return the text position where a search starts: forward (step 1) or backward (-1).

    The position is the end or the beginning of the selection or, without one, the top of the
    visible part.
    """
    cursor = view.textCursor()
    if not cursor.hasSelection():
        return first_visible_position(view)
    return cursor.selectionEnd() if step > 0 else cursor.selectionStart()


def is_in_view(view: QTextEdit, position: int) -> bool:
    """Return whether a text position is in the visible part or above it."""
    return (
        view.cursorRect(make_cursor(view.document(), position, position)).bottom()
        <= view.viewport().height()
    )


def show_span(view: QTextEdit, span: TextSpan) -> None:
    """Select a span; if it is not fully visible, scroll so that it has a margin above."""
    rect = view.cursorRect(make_cursor(view.document(), span[0], span[0]))
    line_height, height = rect.height(), view.viewport().height()
    if rect.top() < line_height or rect.bottom() > height - LINES_BELOW * line_height:
        view.verticalScrollBar().setValue(
            view.verticalScrollBar().value()
            + rect.top()
            - min(LINES_ABOVE * line_height, height // 3)
        )
    view.setTextCursor(make_cursor(view.document(), *span))


def scroll_to(view: QTextEdit, position: int) -> None:
    """Scroll a text position to the top of the view, without selecting text."""
    view.verticalScrollBar().setValue(
        view.verticalScrollBar().value()
        + view.cursorRect(make_cursor(view.document(), position, position)).top()
    )


def next_span(spans: Sequence[TextSpan], current: int | None, top: int, step: int) -> int:
    """Return the index of the next (step 1) or previous (-1) span, wrapping around.

    The result is relative to the span with the index `current` or, if that is None, to the text
    position `top`.

    Examples
    --------
    >>> spans = [(3, 5), (8, 9), (20, 22)]
    >>> next_span(spans, 2, 0, 1), next_span(spans, None, 8, 1), next_span(spans, None, 8, -1)
    (0, 1, 0)
    """
    if current is not None:
        return (current + step) % len(spans)
    following = bisect_left(spans, (top, 0))
    return (following if step > 0 else following - 1) % len(spans)


def _mix_colours(first: QColor, second: QColor, share: float) -> QColor:
    components = zip(
        (first.red(), first.green(), first.blue()),
        (second.red(), second.green(), second.blue()),
        strict=True,
    )
    return QColor(*(round(a + (b - a) * share) for a, b in components))


def make_cursor(document: QTextDocument, begin: int, end: int) -> QTextCursor:
    """Return a cursor that selects a range of the text."""
    cursor = QTextCursor(document)
    # positions are limited, since the text may be shorter than the text that was searched
    last = document.characterCount() - 1
    cursor.setPosition(min(begin, last))
    cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
    return cursor


def clear_selection(view: QTextEdit) -> None:
    """Clear the selection, without moving the cursor."""
    cursor = view.textCursor()
    cursor.clearSelection()
    view.setTextCursor(cursor)


# Find bar

MAX_QUERY_LENGTH = 200  # maximum number of characters of a query
# minimum width of the query field, and minimum width of a bar whose parts are in one line
MIN_FIELD_WIDTH, MIN_ONE_LINE_WIDTH = (120, 440)


class FindBar(QWidget):
    """Find bar above a document: query field, number of matches, and buttons.

    The bar neither searches nor hides itself. Another object (`Finder`) handles its signals, and
    calls its methods to show the number of matches.
    """

    search_requested = Signal(str, bool)  # emitted with the query, and whether case must match
    step_requested = Signal(int)  # emitted with 1 for the next match, -1 for the previous one
    closed = Signal()  # emitted to request that the bar be hidden

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit(
            maxLength=MAX_QUERY_LENGTH, placeholderText=self.tr("Find in document")
        )
        self.field.setAccessibleName(self.tr("Find in document"))
        self.field.textChanged.connect(self._request_search)
        self._status = make_label("", "small", wrap=False, name=self.tr("Matches"))
        self.previous = self._make_step_button("↑", self.tr("Previous match"), -1)
        self.next = self._make_step_button("↓", self.tr("Next match"), 1)
        self.case = QCheckBox(self.tr("Match case"))
        self.case.toggled.connect(self._request_search)
        self._close = make_button(
            "✕",
            "small",
            name=self.tr("Close the find bar"),
            tooltip=self.tr("Close the find bar (Esc)"),
            clicked=self.closed,
        )
        previous_cap, next_cap, close_cap = self._caps = [keycap(""), keycap(""), keycap("Esc")]
        query_row = row(self.field, self._status)
        step_buttons = row(
            self.previous,
            previous_cap,
            self.next,
            next_cap,
            self.case,
            None,
            self._close,
            close_cap,
        )
        self._box = row(query_row, step_buttons, stretched=query_row)
        self.setLayout(self._box)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._fit()

    def _make_step_button(self, sign: str, name: str, step: int) -> QPushButton:
        return make_button(
            sign, name=name, tooltip=name, clicked=lambda: self.step_requested.emit(step)
        )

    def show_previous_key(self, key: str) -> None:
        """Display the key that goes to the previous match."""
        self._caps[0].setText(key)
        self._fit()

    def show_next_key(self, key: str) -> None:
        """Display the key that goes to the next match."""
        self._caps[1].setText(key)
        self._fit()

    def _request_search(self) -> None:
        self.search_requested.emit(self.field.text(), self.case.isChecked())

    @property
    def is_open(self) -> bool:
        """Whether the bar is open, even while its page is hidden."""
        return not self.isHidden()

    def open(self) -> None:
        """Open the bar, and select the text of the query."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def show_searching(self) -> None:
        """Show that a search is running."""
        self._set_status(self.tr("Searching …"))

    def show_count(self, index: int | None, count: int, *, has_more: bool = False) -> None:
        """Show the number of matches and, unless `index` is None, the index of the current match.

        `has_more` marks an incomplete count.
        """
        if not self.field.text():
            self._set_status("")
        elif not count:
            self._set_status(self.tr("Not in this document"))
        elif index is None and has_more:
            self._set_status(filled(self.tr("More than {count} matches"), count=f"{count:,}"))
        elif index is None:
            self._set_status(
                filled(self.tr("{count} matches"), count=f"{count:,}")
                if count > 1
                else self.tr("1 match")
            )
        else:
            message = (
                self.tr("{count} of more than {total}")
                if has_more
                else self.tr("{count} of {total}", "matches")
            )
            self._set_status(filled(message, count=f"{index + 1:,}", total=f"{count:,}"))
        for button in (self.previous, self.next):
            # a focused button is not disabled, since it would lose the focus
            button.setEnabled(bool(count) or button.hasFocus())

    def _set_status(self, message: str) -> None:
        self._status.setText(message)
        self.field.setAccessibleDescription(message)

    @property
    def status(self) -> str:
        """Displayed text about the matches."""
        return self._status.text()

    # Qt overrides

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle keys: Enter and Down, Shift+Enter and Up go to a match; Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step_requested.emit(
                -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            )
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.field.hasFocus():
            self.step_requested.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        controls = (self.previous, self.next, self.case, self._close)
        return QSize(
            sum(control.sizeHint().width() + SPACE_S for control in controls),
            super().minimumSizeHint().height(),
        )

    def _fit(self) -> None:
        is_narrow = self.width() < scale_length(MIN_ONE_LINE_WIDTH)
        self.field.setMinimumWidth(scale_length(MIN_FIELD_WIDTH))
        self._box.setDirection(
            QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        )
        has_room = self.width() >= self._width_with_keys()
        for cap in self._caps:
            cap.setVisible(has_room)

    def _width_with_keys(self) -> int:
        """Return the width that one line needs with all key caps and a typical message.

        The width does not depend on the current message, so that key caps do not appear and
        disappear with every message.
        """
        width = self._status.fontMetrics().horizontalAdvance(self.tr("Not in this document"))
        controls = (self.previous, self.next, self.case, self._close, *self._caps)
        return (
            scale_length(MIN_FIELD_WIDTH)
            + width
            + SPACE_S
            + sum(SPACE_S + control.sizeHint().width() for control in controls)
        )
