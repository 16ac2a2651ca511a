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

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """Return the parts of each line and the room that each asks for; what is hidden takes none."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        left = 0
        for item in (each for each in self._items if not each.isEmpty()):
            size = item.sizeHint()
            if not lines or size.width() > left:
                lines.append([])
                left = width
            lines[-1].append((item, size))
            left -= size.width() + SPACE_M
        return lines

    def _place(self, rect: QRect) -> None:
        """Put the parts side by side, in the middle of their line."""
        y = rect.y()
        for line in self._lines(rect.width()):
            x, height = rect.x(), _height(line)
            for item, size in line:
                item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
                x += size.width() + SPACE_M
            y += height + SPACE_S

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
        lines = self._lines(width)
        return sum(map(_height, lines)) + SPACE_S * max(0, len(lines) - 1)

    def setGeometry(self, rect: QRect) -> None:
        """Put the parts where they belong."""
        super().setGeometry(rect)
        self._place(rect)

    def sizeHint(self) -> QSize:
        """Ask for one line."""
        hints = [item.sizeHint() for item in self._items]
        width = sum(hint.width() + SPACE_M for hint in hints) - SPACE_M
        return QSize(max(0, width), max((hint.height() for hint in hints), default=0))

    def minimumSize(self) -> QSize:
        """Keep room for the widest part."""
        hints = [item.sizeHint() for item in self._items]
        return QSize(
            max((hint.width() for hint in hints), default=0),
            max((hint.height() for hint in hints), default=0),
        )


def _height(line: list[tuple[QLayoutItem, QSize]]) -> int:
    return max(size.height() for _, size in line)


def flowing(*parts: QWidget) -> QWidget:
    """Return parts side by side, in as many lines as the width asks for."""
    holder = QWidget()
    holder.setLayout(Flow(parts))
    return holder
