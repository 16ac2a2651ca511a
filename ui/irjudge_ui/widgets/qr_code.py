"""QR code, dark on white in any theme, as cameras require."""

import segno
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from irjudge_ui.widgets.theme import scale_length

# margin in modules (squares); minimum side length in pixels
QUIET_ZONE, MIN_SIDE = (4, 200)


class QrCode(QWidget):
    """Widget that shows a text as a QR code, scaled to the available space."""

    def __init__(self, name: str, side: int = MIN_SIDE) -> None:
        super().__init__(accessibleName=name)
        self._rows: list[list[int]] = []
        self._side = side

    def show_text(self, text: str) -> None:
        """Show the QR code of another text."""
        self._rows = _make_rows(text)
        self.setAccessibleDescription(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        side, count = scale_length(self._side), max(1, len(self._rows))
        return QSize(1, 1) * (max(1, side // count) * count)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 120)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._rows:
            return
        _paint(QPainter(self), self.rect(), self._rows)


def paint_code(painter: QPainter, box: QRect, text: str) -> None:
    """Paint a text as a QR code centred in a rectangle, for example when printing."""
    _paint(painter, box, _make_rows(text))


def _make_rows(text: str) -> list[list[int]]:
    return [
        list(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=QUIET_ZONE)
    ]


def _paint(painter: QPainter, box: QRect, rows: list[list[int]]) -> None:
    module_size = max(1, min(box.width(), box.height()) // len(rows))
    side = module_size * len(rows)
    left, top = box.left() + (box.width() - side) // 2, box.top() + (box.height() - side) // 2
    painter.fillRect(QRect(left, top, side, side), Qt.GlobalColor.white)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                painter.fillRect(
                    QRect(left + x * module_size, top + y * module_size, module_size, module_size),
                    Qt.GlobalColor.black,
                )
