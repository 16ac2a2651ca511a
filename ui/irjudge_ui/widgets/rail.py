"""The rail at the left: where one is, and where one can go."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy

from irjudge_ui.widgets.layout import button, column, text
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_XS

WIDE, SLIM = 168, 132


class Rail(QFrame):
    """Page buttons on top, quiet ones below."""

    def __init__(
        self, name: str, pages: Sequence[tuple[str, str, str]], foot: Sequence[tuple[str, str, str]], go: Callable[[str], None]
    ) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)  # as wide as its words ask for
        self._least = WIDE
        self.buttons: dict[str, QPushButton] = {}
        for place, (action, label, keys) in enumerate([*pages, *foot]):
            made = button(label, "nav" if place < len(pages) else "link")
            made.setToolTip(keys)
            made.setCursor(Qt.CursorShape.PointingHandCursor)
            made.clicked.connect(lambda _checked=False, action=action: go(action))
            self.buttons[action] = made
            if place < len(pages):
                made.setCheckable(True)  # not as a group: Tab would reach only one of them
        top = [self.buttons[action] for action, _, _ in pages]
        low = [self.buttons[action] for action, _, _ in foot]
        head = text(name, "heading", wrap=False)
        head.setContentsMargins(SPACE_M, 0, 0, SPACE_M)
        box = column(head, *top, None, *low, spacing=SPACE_XS)
        box.setContentsMargins(SPACE_M, SPACE_L, SPACE_M, SPACE_L)
        self.setLayout(box)
        self.set_slim(False)

    def set_slim(self, slim: bool) -> None:
        """Take less room in a narrow window."""
        self._least = SLIM if slim else WIDE
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Be as wide as the words ask for, and not less than the window's width allows."""
        return super().sizeHint().expandedTo(QSize(self._least, 0))

    def show_page(self, action: str) -> None:
        """Mark where one is."""
        for name, made in self.buttons.items():
            made.setChecked(name == action)
