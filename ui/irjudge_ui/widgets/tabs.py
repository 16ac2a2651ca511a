"""A row of words above a page: which of the pages that belong together one is on."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton

from irjudge_ui.widgets.layout import button, clear, row
from irjudge_ui.widgets.theme import SPACE_XS


class Tabs(QFrame):
    """Buttons for pages; it hides where there is no choice."""

    def __init__(self, go: Callable[[str], None]) -> None:
        super().__init__()
        self._go = go
        self.buttons: dict[str, QPushButton] = {}
        self._row = row(None, spacing=SPACE_XS)
        self.setLayout(self._row)

    def show_pages(self, pages: Sequence[tuple[str, str, str]], on: str) -> None:
        """Offer pages (id, label, keys) and mark the one that is shown."""
        if list(self.buttons) != [id for id, _, _ in pages]:
            clear(self._row)
            self.buttons = {id: self._button(id, label, keys) for id, label, keys in pages}
            for made in self.buttons.values():
                self._row.addWidget(made)
            self._row.addStretch(1)
        for id, made in self.buttons.items():
            made.setChecked(id == on)
        self.setVisible(len(pages) > 1)

    def _button(self, id: str, label: str, keys: str) -> QPushButton:
        made = button(label, "tab")
        made.setCheckable(True)  # not as a group: Tab would reach only one of them
        made.setToolTip(keys)
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.clicked.connect(lambda: self._go(id))
        return made
