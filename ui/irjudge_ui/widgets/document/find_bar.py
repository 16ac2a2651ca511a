"""The slim bar that finds words in what is shown: a field, how many, next and previous, case, close."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QLineEdit, QPushButton, QSizePolicy, QWidget

from irjudge_ui.widgets.keycap import keycap
from irjudge_ui.widgets.layout import button, row, text
from irjudge_ui.widgets.theme import SPACE_S, zoomed
from irjudge_ui.words import filled, plain

LONGEST = 200  # characters that can be looked for
FIELD_WIDTH, ONE_LINE = 120, 440  # pixels at the normal zoom


class FindBar(QWidget):
    """Asks what to find and tells how it went; it finds nothing itself."""

    wanted = Signal(str, bool)  # what to find, and whether case matters
    stepped = Signal(int)  # 1 for the next match, -1 for the previous
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit()
        self.field.setMaxLength(LONGEST)
        self.field.setPlaceholderText(self.tr("Find in document"))
        self.field.setAccessibleName(self.tr("Find in document"))
        self.field.textChanged.connect(self._tell)
        self._status = text("", "small", wrap=False)
        self._status.setAccessibleName(self.tr("Matches"))
        self.previous = self._make("↑", self.tr("Previous match"), -1)
        self.next = self._make("↓", self.tr("Next match"), 1)
        self.case = QCheckBox(self.tr("Match case"))
        self.case.toggled.connect(self._tell)
        self._close = button("✕", "small")
        self._close.setAccessibleName(self.tr("Close find"))
        self._close.setToolTip(self.tr("Close find (Esc)"))
        self._close.clicked.connect(self.closed)
        self._caps = [keycap(""), keycap(""), keycap("Esc")]
        caps = iter(self._caps)
        moves = row(
            self.previous,
            next(caps),
            self.next,
            next(caps),
            self.case,
            None,
            self._close,
            next(caps),
        )
        self._box = row(row(self.field, self._status), moves)
        self._box.setStretch(0, 1)
        self._box.setContentsMargins(0, 0, 0, 0)
        self.setLayout(self._box)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._fit()

    def _make(self, sign: str, name: str, step: int) -> QPushButton:
        made = button(sign)
        made.setAccessibleName(name)
        made.setToolTip(plain(name))
        made.clicked.connect(lambda: self.stepped.emit(step))
        return made

    def show_previous_key(self, key: str) -> None:
        """Show the key for the previous match."""
        self._caps[0].setText(key)
        self._fit()

    def show_next_key(self, key: str) -> None:
        """Show the key for the next match."""
        self._caps[1].setText(key)
        self._fit()

    def _tell(self) -> None:
        self.wanted.emit(self.field.text(), self.case.isChecked())

    @property
    def opened(self) -> bool:
        """Whether the bar is there, be its page on screen or not."""
        return not self.isHidden()

    def open(self) -> None:
        """Show the bar with the cursor in its field, all of it selected."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def show_looking(self) -> None:
        """Say that the text is being looked through."""
        self._say(self.tr("Looking …"))

    def show_count(self, place: int | None, count: int, *, more: bool = False) -> None:
        """Say which of how many matches is shown, None for none of them; of `more` the search stopped at so many."""
        if not self.field.text():
            self._say("")
        elif not count:
            self._say(self.tr("Not in this document"))
        elif place is None and more:
            self._say(filled(self.tr("More than {count} matches"), count=f"{count:,}"))
        elif place is None:
            self._say(
                filled(self.tr("{count} matches"), count=f"{count:,}")
                if count > 1
                else self.tr("1 match")
            )
        else:
            words = (
                self.tr("{count} of more than {total}")
                if more
                else self.tr("{count} of {total}", "matches")
            )
            self._say(filled(words, count=f"{place + 1:,}", total=f"{count:,}"))
        for each in (self.previous, self.next):
            each.setEnabled(
                bool(count) or each.hasFocus()
            )  # a disabled button would lose the focus

    def _say(self, words: str) -> None:
        self._status.setText(words)
        self.field.setAccessibleDescription(words)

    @property
    def status(self) -> str:
        """What the bar says about the matches."""
        return self._status.text()

    # What Qt calls

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on with Enter or the arrow down, back with Shift+Enter or the arrow up, close with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.field.hasFocus():
            self.stepped.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the zoom."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand in one line or two, as the width allows."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Let the page be as narrow as the controls below each other."""
        controls = (self.previous, self.next, self.case, self._close)
        return QSize(
            sum(each.sizeHint().width() + SPACE_S for each in controls),
            super().minimumSizeHint().height(),
        )

    def _fit(self) -> None:
        narrow = self.width() < zoomed(ONE_LINE)
        self.field.setMinimumWidth(zoomed(FIELD_WIDTH))
        self._box.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )
        room = self.width() >= self._width_with_keys()
        for cap in self._caps:
            cap.setVisible(room)

    def _width_with_keys(self) -> int:
        """Return what one line with all keys takes; there is room for the usual words, so that no key comes and goes with them."""
        said = self._status.fontMetrics().horizontalAdvance(self.tr("Not in this document"))
        parts = (self.previous, self.next, self.case, self._close, *self._caps)
        return (
            zoomed(FIELD_WIDTH)
            + said
            + SPACE_S
            + sum(SPACE_S + each.sizeHint().width() for each in parts)
        )
