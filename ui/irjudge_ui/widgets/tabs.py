"""Words above a page, in as many lines as they need: which of the pages that belong together one is on."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QFrame, QPushButton

from irjudge_ui.widgets.flow import Flow
from irjudge_ui.widgets.layout import Button, clear
from irjudge_ui.words import plain


class Tab(Button):
    """A word that is wide enough for the heavier letters it has while its page is shown."""

    def sizeHint(self) -> QSize:
        """Ask for the room of the heavier letters."""
        heavy = QFont(self.font())
        heavy.setWeight(QFont.Weight.DemiBold)
        more = QFontMetrics(heavy).horizontalAdvance(self.text()) - self.fontMetrics().horizontalAdvance(self.text())
        return super().sizeHint() + QSize(max(0, more), 0)


class Tabs(QFrame):
    """Buttons for pages; it hides where there is no choice."""

    def __init__(self, go: Callable[[str], None]) -> None:
        super().__init__()
        self._go = go
        self.buttons: dict[str, QPushButton] = {}
        self._row = Flow(())
        self.setLayout(self._row)

    def show_pages(self, pages: Sequence[tuple[str, str, str]], on: str) -> None:
        """Offer pages (id, label, keys) and mark the one that is shown."""
        if list(self.buttons) != [id for id, _, _ in pages]:
            clear(self._row)
            self.buttons = {id: self._button(id, label, keys) for id, label, keys in pages}
            for made in self.buttons.values():
                self._row.addWidget(made)
        for id, made in self.buttons.items():
            made.setChecked(id == on)
        self.setVisible(len(pages) > 1)

    def _button(self, id: str, label: str, keys: str) -> QPushButton:
        made = Tab(label)
        made.setObjectName("tab")
        made.setAutoDefault(False)
        made.setCheckable(True)  # not as a group: Tab would reach only one of them
        made.setToolTip(plain(keys))
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.clicked.connect(lambda: self._go(id))
        return made
