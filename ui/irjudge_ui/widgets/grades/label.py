"""A grade in its colour, beside words."""

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge_ui.widgets.grades.chip import draw_chip
from irjudge_ui.widgets.theme import SPACE_S, SPACE_XS
from irjudge_ui.words import plain


class GradeLabel(QWidget):
    """A chip; `level` is the place of the grade on its scale and the last place, None for what is no grade."""

    def __init__(self, mark: str, level: tuple[int, int] | None, name: str) -> None:
        super().__init__()
        self._mark, self._level = mark, level
        self.setAccessibleName(name)
        self.setToolTip(plain(name))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Be as large as the words, and never narrow."""
        metrics = self.fontMetrics()
        width = max(metrics.horizontalAdvance(self._mark) + 2 * SPACE_S, metrics.height() * 2)
        return QSize(width, metrics.height() + SPACE_XS)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the chip."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_chip(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), self._mark, self._level)

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme and zoom."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self.updateGeometry()
            self.update()
