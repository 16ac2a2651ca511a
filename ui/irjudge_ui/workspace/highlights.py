"""Card of highlighted terms: counts, navigation, and a field for further terms."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from irjudge.text import MAX_TERM_LENGTH, Term, TermHit, count_hits
from irjudge_ui.actions import bind_key_cap
from irjudge_ui.messages import escape_markup, filled, translate
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    Button,
    card,
    clear,
    column,
    make_button,
    make_container,
    make_grid,
    make_label,
    make_scroll_area,
    row,
    scale_length,
)

# maximum number of listed terms of a topic; it is limited, since a title can be very long
MAX_TERMS = 200
MAX_LIST_HEIGHT, MIN_LIST_HEIGHT = 240, 60  # heights of the list in pixels at normal zoom


def format_match_position(index: int, count: int, *, has_more: bool = False) -> str:
    """Return a text such as "3 of 7" for the index 2.

    `has_more` is whether there are more than `count` occurrences.
    """
    template = (
        translate("HighlightsCard", "{count} of more than {total}")
        if has_more
        else translate("HighlightsCard", "{count} of {total}", "matches")
    )
    return filled(template, count=f"{index + 1:,}", total=f"{count:,}")


class TermButton(Button):
    """Button of `HighlightsCard` for a term, for going to its next occurrence.

    The owner of the button handles the click. Long terms are elided. The button is disabled if
    the term does not occur in the document, unless the button has the focus. `index` is the
    index of the term in the list of all terms.
    """

    def __init__(self, index: int, term: str) -> None:
        super().__init__(style="entry")
        # these buttons form a list, and therefore have less padding than other buttons
        self.setStyleSheet(f"padding: {SPACE_XS}px")
        self.index, self._term = index, term

    def show_term(self, index: int, term: str) -> None:
        """Set the term of the button, and its index in the list of all terms."""
        self.index, self._term = index, term
        self._show_term()

    def show_count(self, count: int | None, *, has_more: bool = False) -> None:
        """Describe the number of occurrences for screen readers; None if the number is unknown.

        `has_more` is whether there may be more occurrences.
        """
        if count is None:
            occurrences = self.tr("searching")
        elif has_more:
            occurrences = filled(self.tr("{count} occurrences or more"), count=f"{count:,}")
        else:
            occurrences = (
                self.tr("1 occurrence")
                if count == 1
                else filled(self.tr("{count} occurrences"), count=f"{count:,}")
            )
        self.setAccessibleName(f"{self._term}, {occurrences}")
        self.setToolTip(escape_markup(self._term))
        # a focused button stays enabled, since it would lose the focus otherwise
        self.setEnabled(count != 0 or self.hasFocus())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(0, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_term()

    def _show_term(self) -> None:
        text_width = self.width() - 2 * SPACE_XS - 2
        self.setText(
            self.fontMetrics()
            .elidedText(self._term, Qt.TextElideMode.ElideRight, text_width)
            .replace("&", "&&")
        )


class TermField(QLineEdit):
    """Text field of `HighlightsCard` for a new term; Escape clears it and emits `left`."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)


class HighlightsCard(QWidget):
    """Card with a list of the highlighted terms and their counts, and a field for new terms.

    The user can go to occurrences and remove the terms that were added. The card neither searches
    nor stores terms; another object handles its signals. The card is part of `TopicPanel`.

    At most `MAX_TERMS` terms of the topic are listed: those that occur in the document come first,
    then the others. The terms that the assessor has added follow.
    """

    added = Signal(str)  # emitted with a new term
    removed = Signal(int)  # emitted with the index of a term in the list of all terms
    chosen = Signal(int)  # emitted with the index of the term whose next occurrence is to be shown
    left = Signal()  # emitted on Enter and Escape in the field, which should lose the focus
    stepped = Signal(int)  # emitted with 1 for the next occurrence of any term, -1 for the previous

    def __init__(self) -> None:
        super().__init__()
        self._terms: tuple[Term, ...] = ()
        self._rows: dict[int, tuple[QLabel, TermButton]] = {}
        self._topic_rows: list[tuple[QLabel, TermButton]] = []  # rows of the topic's terms
        self._position = make_label("", "small", wrap=False)
        self._marked_note = make_label("", "small", hidden=True)
        self._grid = make_grid(SPACE_M, 0, (0, 0, SPACE_S, 0), stretched=1)
        self._list = make_container(self._grid)
        self._area = make_scroll_area(self._list, "inset")
        self._visible_term: TermButton | None = None
        self._area.verticalScrollBar().rangeChanged.connect(self._scroll_to_visible_term)
        self._area.verticalScrollBar().actionTriggered.connect(self._release_visible_term)
        self.field = TermField()
        self.field.setMaxLength(MAX_TERM_LENGTH)
        self.field.setPlaceholderText(self.tr("Add a term"))
        self.field.setAccessibleName(self.tr("Add a term to highlight"))
        self.field.returnPressed.connect(self._add)
        self.field.left.connect(self.left)
        next_cap = self._make_key_cap(
            "next-hit", self.tr("Next highlight"), lambda: self.stepped.emit(1)
        )
        previous_cap = self._make_key_cap(
            "previous-hit", self.tr("Previous highlight"), lambda: self.stepped.emit(-1)
        )
        add_cap = self._make_key_cap(
            "highlight", self.tr("Add a term to highlight"), self.field.setFocus
        )
        heading = row(
            make_label(self.tr("Highlighted"), "small", wrap=False),
            self._position,
            None,
            previous_cap,
            next_cap,
        )
        self.setLayout(
            column(
                card(heading, self._marked_note, self._area, row(self.field, add_cap)),
                margins=(0, SPACE_L, 0, 0),
            )
        )

    def _make_key_cap(self, action: str, name: str, call: Callable[[], object]) -> QPushButton:
        """Return a button that looks like the key cap of an action."""
        button = make_button("", "keycap", name=name, tooltip=name, clicked=lambda: call())
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        bind_key_cap(action, button.setText, button)
        return button

    def show_hits(
        self, terms: Sequence[Term], hits: Sequence[TermHit], *, has_more: bool = False
    ) -> None:
        """Show terms with their numbers of occurrences.

        `has_more` is whether there may be more occurrences.
        """
        self._show_terms(tuple(terms))
        counts = count_hits(hits, terms)
        if hits:
            self._order_rows(counts)
        for index, (cap, button) in self._rows.items():
            cap.setText(f"{counts[index]:,}+" if has_more else f"{counts[index]:,}")
            button.show_count(counts[index], has_more=has_more)
        self.show_position(None, 0)

    def show_searching(self) -> None:
        for cap, button in self._rows.values():
            cap.setText("…")
            button.show_count(None)
        self.show_marked(0, 0)

    def show_position(self, index: int | None, count: int, *, has_more: bool = False) -> None:
        """Show the number of the current occurrence; hide it if `index` is None."""
        self._position.setText(
            "" if index is None else format_match_position(index, count, has_more=has_more)
        )

    def show_marked(self, marked: int, count: int, *, has_more: bool = False) -> None:
        """Show how many occurrences are marked in the text, unless all are marked."""
        template = (
            self.tr("{count} of more than {total} occurrences marked")
            if has_more
            else self.tr("{count} of {total} occurrences marked")
        )
        self._marked_note.setText(filled(template, count=f"{marked:,}", total=f"{count:,}"))
        self._marked_note.setVisible(has_more or marked < count)

    def show_term(self, index: int) -> None:
        """Scroll the list to a term, and keep it visible until the user scrolls."""
        if index in self._rows:
            self._visible_term = self._rows[index][1]
            self._grid.activate()
            self._list.adjustSize()
            self._scroll_to_visible_term()

    def _scroll_to_visible_term(self) -> None:
        """Scroll to the term set by `show_term`, for example after a layout change."""
        if self._visible_term:
            self._area.ensureWidgetVisible(self._visible_term)

    def _release_visible_term(self) -> None:
        self._visible_term = None

    def _show_terms(self, terms: tuple[Term, ...]) -> None:
        """Recreate the rows if the terms have changed."""
        if terms == self._terms:
            return
        self._terms, self._rows, self._visible_term = terms, {}, None
        clear(self._grid)
        numbered_terms = list(enumerate(terms))
        own_terms = [term for term in numbered_terms if term[1].is_own]
        next_row = self._add_lines(
            [term for term in numbered_terms if not term[1].is_own][:MAX_TERMS], 0
        )
        self._topic_rows = list(self._rows.values())
        if own_terms:
            label = make_label(self.tr("Added by you"), "small")
            label.setContentsMargins(0, SPACE_S, 0, SPACE_XS)
            self._grid.addWidget(label, next_row, 0, 1, 3)
            self._add_lines(own_terms, next_row + 1)
        self._fit()

    def _order_rows(self, counts: Sequence[int]) -> None:
        """Sort the terms of the topic, so that those that occur in the document come first.

        The buttons are not moved; other terms are assigned to them.
        """
        topic_indexes = sorted(button.index for _, button in self._topic_rows)
        for index, term_row in zip(
            sorted(topic_indexes, key=lambda index: not counts[index]),
            self._topic_rows,
            strict=True,
        ):
            term_row[1].show_term(index, self._terms[index].text)
            self._rows[index] = term_row

    def _add_lines(self, terms: Sequence[tuple[int, Term]], row_number: int) -> int:
        for row_number, (index, term) in enumerate(terms, row_number):  # noqa: B020
            cap, button = make_label("", "count", wrap=False), TermButton(index, term.text)
            button.clicked.connect(
                lambda _checked=False, button=button: self.chosen.emit(button.index)
            )
            self._grid.addWidget(
                cap, row_number, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            )
            self._grid.addWidget(button, row_number, 1)
            self._rows[index] = cap, button
            if term.is_own:
                self._grid.addWidget(self._make_remove_button(index, term), row_number, 2)
        return row_number + 1 if terms else row_number

    def _make_remove_button(self, index: int, term: Term) -> QPushButton:
        button = make_button(
            "✕",
            "link",
            name=filled(self.tr("Remove {text}"), text=term.text),
            clicked=lambda: self.removed.emit(index),
        )
        button.setToolTip(escape_markup(button.accessibleName()))
        return button

    def _add(self) -> None:
        text = self.field.text()
        self.field.clear()
        self.added.emit(text)
        self.left.emit()

    def _fit(self) -> None:
        """Set the minimum and maximum height of the list to fit its content, within limits."""
        for index in range(self._grid.count()):
            item = self._grid.itemAt(index)
            widget = item.widget() if item else None
            if widget:
                # Qt would show the widget later, and use a height of 0 until then
                widget.show()
        height = self._grid.sizeHint().height()
        self._area.setMinimumHeight(min(height, scale_length(MIN_LIST_HEIGHT)))
        self._area.setMaximumHeight(min(height, scale_length(MAX_LIST_HEIGHT)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        list_height = max(self._area.sizeHint().height(), self._area.minimumHeight())
        return QSize(hint.width(), hint.height() - list_height + self._area.maximumHeight())
