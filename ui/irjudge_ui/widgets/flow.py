"""A layout like words on a page: parts stand side by side and go on in the next line where the width ends."""

from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from irjudge_ui.widgets.theme import SPACE_M, SPACE_S


class Flow(QLayout):
    """Lays parts out in lines; no part is ever narrower than it asks to be."""

    def __init__(self, parts: Iterable[QWidget]) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        for part in parts:
            self.addWidget(part)

    def _place(self, rect: QRect, *, move: bool) -> int:
        """Go through the lines and return the height they take."""
        x, y, line = rect.x(), rect.y(), 0
        for item in (each for each in self._items if not each.isEmpty()):  # what is hidden takes no room
            size = item.sizeHint()
            if line and x + size.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + SPACE_S, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x, line = x + size.width() + SPACE_M, max(line, size.height())
        return y + line - rect.y()

    # What Qt asks

    def addItem(self, item: QLayoutItem) -> None:
        """Take one more part."""
        self._items.append(item)

    def count(self) -> int:
        """Return the number of parts."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem:
        """Return a part; None beyond the last, as Qt expects."""
        return self._items[index] if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def takeAt(self, index: int) -> QLayoutItem:
        """Give a part away; None beyond the last, as Qt expects."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def expandingDirections(self) -> Qt.Orientation:
        """Take no more room than the parts need."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Say that the height follows the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the lines at a width."""
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Put the parts where they belong."""
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        """Ask for one line."""
        hints = [item.sizeHint() for item in self._items]
        width = sum(hint.width() + SPACE_M for hint in hints) - SPACE_M
        return QSize(max(0, width), max((hint.height() for hint in hints), default=0))

    def minimumSize(self) -> QSize:
        """Keep room for the widest part."""
        hints = [item.sizeHint() for item in self._items]
        return QSize(max((hint.width() for hint in hints), default=0), max((hint.height() for hint in hints), default=0))
