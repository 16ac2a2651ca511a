"""Card of highlighted terms: counts in the document, navigation, and a field for more."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from irjudge.text import MAX_TERM_LENGTH, Term, TermHit, count_hits
from irjudge_ui.actions import bind_key_cap
from irjudge_ui.messages import escape_markup, filled
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    Button,
    card,
    clear,
    make_button,
    make_label,
    row,
    scale_length,
    scrolling,
)

translate = QCoreApplication.translate

# maximum number of terms from the topic's title, which can be as long as a document
MAX_TERMS = 200
MAX_HEIGHT, MIN_HEIGHT = 240, 60  # of the list, in pixels at the normal zoom; a longer list scrolls


def format_match_position(index: int, count: int, *, more: bool = False) -> str:
    """Return the position among matches as text, from 0; `more` marks an incomplete count."""
    template = (
        translate("HighlightsCard", "{count} of more than {total}")
        if more
        else translate("HighlightsCard", "{count} of {total}", "matches")
    )
    return filled(template, count=f"{index + 1:,}", total=f"{count:,}")


class TermButton(Button):
    """Button of a term that goes to its next occurrence; long terms are elided."""

    def __init__(self, index: int, term: str) -> None:
        super().__init__()
        self.setObjectName("entry")
        self.setStyleSheet(
            f"padding: {SPACE_XS}px"
        )  # smaller than for other entries, since these are lines of a list
        self.setAutoDefault(False)
        self.index, self._term = index, term

    def stand_for(self, index: int, term: str) -> None:
        """Show another term."""
        self.index, self._term = index, term
        self._show_term()

    def show_count(self, count: int | None, *, more: bool = False) -> None:
        """Show the number of occurrences; None if unknown, `more` marks an incomplete count."""
        if count is None:
            occurrences = self.tr("searching")
        elif more:
            occurrences = filled(self.tr("{count} places or more"), count=f"{count:,}")
        else:
            occurrences = (
                self.tr("1 place")
                if count == 1
                else filled(self.tr("{count} places"), count=f"{count:,}")
            )
        self.setAccessibleName(f"{self._term}, {occurrences}")
        self.setToolTip(escape_markup(self._term))
        self.setEnabled(count != 0 or self.hasFocus())  # a disabled button would lose the focus

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(0, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_term()

    def _show_term(self) -> None:
        room = self.width() - 2 * SPACE_XS - 2
        self.setText(
            self.fontMetrics()
            .elidedText(self._term, Qt.TextElideMode.ElideRight, room)
            .replace("&", "&&")
        )


class TermField(QLineEdit):
    """Field for a new term. Enter adds it, Esc leaves the field."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)


class HighlightsCard(QWidget):
    """Terms with their counts.

    First come the topic's terms that occur, then those that do not, then the assessor's own.
    """

    added = Signal(str)
    removed = Signal(int)  # position of the term among all
    chosen = Signal(int)
    left = Signal()
    stepped = Signal(int)  # 1 for the next highlighted occurrence, -1 for the previous

    def __init__(self) -> None:
        super().__init__()
        self._terms: tuple[Term, ...] = ()
        self._lines: dict[int, tuple[QLabel, TermButton]] = {}
        self._topic_lines: list[tuple[QLabel, TermButton]] = []  # from top to bottom
        self._position = make_label("", "small", wrap=False)
        self._marked = make_label("", "small")
        self._marked.hide()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, SPACE_S, 0)
        self._grid.setVerticalSpacing(0)
        self._grid.setHorizontalSpacing(SPACE_M)
        self._grid.setColumnStretch(1, 1)
        self._list = QWidget()
        self._list.setLayout(self._grid)
        self._area = scrolling(self._list, "inset")
        self._wanted: TermButton | None = None
        self._area.verticalScrollBar().rangeChanged.connect(self._show_wanted)
        self._area.verticalScrollBar().actionTriggered.connect(self._let_go)
        self.field = TermField()
        self.field.setMaxLength(MAX_TERM_LENGTH)
        self.field.setPlaceholderText(self.tr("Add a word"))
        self.field.setAccessibleName(self.tr("Add a term to highlight"))
        self.field.returnPressed.connect(self._add)
        self.field.left.connect(self.left)
        following = self._cap("next-hit", self.tr("Next highlight"), lambda: self.stepped.emit(1))
        previous = self._cap(
            "previous-hit", self.tr("Previous highlight"), lambda: self.stepped.emit(-1)
        )
        asking = self._cap("highlight", self.tr("Add a term to highlight"), self.field.setFocus)
        heading = row(
            make_label(self.tr("Highlighted"), "small", wrap=False),
            self._position,
            None,
            previous,
            following,
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, SPACE_L, 0, 0)
        box.addWidget(card(heading, self._marked, self._area, row(self.field, asking)))

    def _cap(self, action: str, name: str, call: Callable[[], object]) -> QPushButton:
        """Return the clickable key cap of an action."""
        made = make_button("", "keycap")
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.setAccessibleName(name)
        made.setToolTip(escape_markup(name))
        made.clicked.connect(lambda: call())
        bind_key_cap(action, made.setText, made)
        return made

    def show_hits(
        self, terms: Sequence[Term], hits: Sequence[TermHit], *, more: bool = False
    ) -> None:
        """Show the counts; `more` marks an incomplete search."""
        self._show_terms(tuple(terms))
        counts = count_hits(hits, terms)
        if hits:
            self._order(counts)
        for index, (cap, word) in self._lines.items():
            cap.setText(f"{counts[index]:,}+" if more else f"{counts[index]:,}")
            word.show_count(counts[index], more=more)
        self.show_position(None, 0)

    def show_searching(self) -> None:
        """Show that the document is being searched."""
        for cap, word in self._lines.values():
            cap.setText("…")
            word.show_count(None)
        self.show_marked(0, 0)

    def show_position(self, index: int | None, count: int, *, more: bool = False) -> None:
        """Show which occurrence is current; None for none."""
        self._position.setText(
            "" if index is None else format_match_position(index, count, more=more)
        )

    def show_marked(self, marked: int, count: int, *, more: bool = False) -> None:
        """Show how many occurrences are marked, if not all are."""
        template = (
            self.tr("{count} of more than {total} places marked")
            if more
            else self.tr("{count} of {total} places marked")
        )
        self._marked.setText(filled(template, count=f"{marked:,}", total=f"{count:,}"))
        self._marked.setVisible(more or marked < count)

    def show_term(self, index: int) -> None:
        """Scroll to a term of the list."""
        if index in self._lines:
            self._wanted = self._lines[index][1]
            self._grid.activate()
            self._list.adjustSize()
            self._show_wanted()

    def _show_wanted(self) -> None:
        """Keep a term in view during layout, until the user scrolls."""
        if self._wanted:
            self._area.ensureWidgetVisible(self._wanted)

    def _let_go(self) -> None:
        self._wanted = None

    def _show_terms(self, terms: tuple[Term, ...]) -> None:
        """Recreate the lines; for another document only the counts change."""
        if terms == self._terms:
            return
        self._terms, self._lines, self._wanted = terms, {}, None
        clear(self._grid)
        numbered = list(enumerate(terms))
        own = [each for each in numbered if each[1].own]
        line = self._add_lines([each for each in numbered if not each[1].own][:MAX_TERMS], 0)
        self._topic_lines = list(self._lines.values())
        if own:
            label = make_label(self.tr("Added by you"), "small")
            label.setContentsMargins(0, SPACE_S, 0, SPACE_XS)
            self._grid.addWidget(label, line, 0, 1, 3)
            self._add_lines(own, line + 1)
        self._fit()

    def _order(self, counts: Sequence[int]) -> None:
        """Show the topic's terms that occur in the document first.

        The order of the widgets themselves does not change.
        """
        topic = sorted(word.index for _, word in self._topic_lines)
        for index, line in zip(
            sorted(topic, key=lambda index: not counts[index]), self._topic_lines, strict=True
        ):
            line[1].stand_for(index, self._terms[index].text)
            self._lines[index] = line

    def _add_lines(self, terms: Sequence[tuple[int, Term]], line: int) -> int:
        for line, (index, term) in enumerate(terms, line):  # noqa: B020
            cap, word = make_label("", "count", wrap=False), TermButton(index, term.text)
            word.clicked.connect(lambda _checked=False, word=word: self.chosen.emit(word.index))
            self._grid.addWidget(
                cap, line, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            )
            self._grid.addWidget(word, line, 1)
            self._lines[index] = cap, word
            if term.own:
                self._grid.addWidget(self._remover(index, term), line, 2)
        return line + 1 if terms else line

    def _remover(self, index: int, term: Term) -> QPushButton:
        made = make_button("✕", "link")
        made.setAccessibleName(filled(self.tr("Remove {text}"), text=term.text))
        made.setToolTip(escape_markup(made.accessibleName()))
        made.clicked.connect(lambda: self.removed.emit(index))
        return made

    def _add(self) -> None:
        text = self.field.text()
        self.field.clear()
        self.added.emit(text)
        self.left.emit()

    def _fit(self) -> None:
        """Set the height of the list to its content, within limits."""
        for index in range(self._grid.count()):
            item = self._grid.itemAt(index)
            widget = item.widget() if item else None
            if widget:
                # otherwise Qt would show it later, and count its height as 0 until then
                widget.show()
        height = self._grid.sizeHint().height()
        self._area.setMinimumHeight(min(height, scale_length(MIN_HEIGHT)))
        self._area.setMaximumHeight(min(height, scale_length(MAX_HEIGHT)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def sizeHint(self) -> QSize:
        asked = super().sizeHint()
        counted = max(self._area.sizeHint().height(), self._area.minimumHeight())
        return QSize(asked.width(), asked.height() - counted + self._area.maximumHeight())
