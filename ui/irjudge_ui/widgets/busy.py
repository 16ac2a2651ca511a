"""What lies over the window while work that writes is under way: what it does, how far it is, and cancel."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QProgressBar, QWidget
from shiboken6 import isValid

from irjudge_ui.widgets.layout import Bounded, button, card, column, row, text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XL, current_theme

WIDTH = 380
SOON_MS = 200  # what is done sooner is not shown: it would only flicker


class Busy(QWidget):
    """Covers its parent, so that nothing is changed twice."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title, self._words = text("", "heading"), text("", "quiet")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._cancel = button(self.tr("Cancel"))
        self._cancel.clicked.connect(self._on_cancel)
        self._before: QWidget | None = None
        self._call: Callable[[], None] = lambda: None
        self._panel = panel = card(self._title, self._words, self._bar, row(None, self._cancel), margin=SPACE_XL, spacing=SPACE_M)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._appear)
        box = column(None, Bounded(WIDTH, column(panel), middle=True), None)
        box.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        self.setLayout(box)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # keys stay here while there is no button yet
        self.hide()

    def begin(self, title: str, cancel: Callable[[], None]) -> None:
        """Cover the window."""
        self._call = cancel
        self._before = QApplication.focusWidget()
        self._title.setText(title)
        self._words.setText("")
        self._bar.setRange(0, 0)
        self._cancel.setEnabled(True)
        parent = self.parentWidget()
        if parent:
            self.resize(parent.size())
        self._panel.hide()
        self.show()
        self.raise_()
        self.setFocus()
        self._soon.start()

    def _appear(self) -> None:
        self._panel.show()
        self._cancel.setFocus()
        self.update()

    def end(self) -> None:
        """Uncover the window and give the focus back."""
        self._soon.stop()
        self.hide()
        if self._before is not None and isValid(self._before):
            self._before.setFocus()

    def tell(self, done: int, total: int | None, what: str) -> None:
        """Show how far the work is; without a total the bar only says that it goes on."""
        self._bar.setRange(0, total or 0)
        self._bar.setValue(done)
        numbers = f"{done:,} / {total:,}" if total else f"{done:,}" if done else ""
        self._words.setText(f"{what}  {numbers}".strip())

    def _on_cancel(self) -> None:
        self._cancel.setEnabled(False)
        self._words.setText(self.tr("Cancelling …"))
        self._call()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Dim what lies below, once the work has taken a while."""
        if self._panel.isHidden():
            return
        colour = QColor(current_theme().window)
        colour.setAlpha(200)
        QPainter(self).fillRect(self.rect(), colour)

    def keyPressEvent(self, event: object) -> None:
        """Keep keys from what lies below; Escape cancels."""
        if getattr(event, "key", lambda: None)() == Qt.Key.Key_Escape and self._cancel.isEnabled():
            self._on_cancel()
