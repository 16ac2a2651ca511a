"""Differences of two runs by topic as bars, the largest first: who wins where, and by how much."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from irjudge_ui.charts.axes import draw_lines, say_at
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, current_theme
from irjudge_ui.words import filled

LINES = 4
WIDEST, GAP = 28, 0.25  # pixels of a bar, and the share of its place that stays empty


class DifferencePlot(QWidget):
    """Bars above the line where the first run is better, hatched bars below it where the second is; `picked` tells which was clicked."""

    picked = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._topics: tuple[str, ...] = ()
        self._values: npt.NDArray[np.float64] = np.empty(0)
        self._names = ("", "")

    def show_differences(self, topics: Sequence[str], values: npt.NDArray[np.float64], names: tuple[str, str]) -> None:
        """Show the differences, first less second, of two runs on topics."""
        order = np.argsort(-values, kind="stable")
        self._topics, self._values, self._names = tuple(topics[place] for place in order), values[order], names
        wins, losses = int((values > 0).sum()), int((values < 0).sum())
        words = self.tr("Topics: %1 better on %2, %3 on %4, equal on %5")
        self.setAccessibleDescription(filled(words, names[0], wins, names[1], losses, len(values) - wins - losses))
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for a wide, low rectangle."""
        return QSize(480, 240)

    def minimumSizeHint(self) -> QSize:
        """Stay readable."""
        return QSize(200, 140)

    def _frame(self) -> QRectF:
        metrics = self.fontMetrics()
        left = metrics.horizontalAdvance("−0.00") + SPACE_M
        top = metrics.height() + SPACE_S
        return QRectF(left, top, max(1, self.width() - left - SPACE_M), max(1, self.height() - 2 * top))

    def _reach(self) -> float:
        return float(np.abs(self._values).max(initial=0.0)) or 1.0

    def _step(self, frame: QRectF) -> float:
        return min(WIDEST / (1 - GAP), frame.width() / max(1, len(self._values)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw axis, bars and whose side is whose."""
        theme, frame = current_theme(), self._frame()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, reach, step = frame.center().y(), self._reach(), self._step(frame)
        labels = [f"{reach * (2 * line / LINES - 1):.2f}".replace("-", "−") for line in range(LINES + 1)]
        draw_lines(painter, frame, labels, strong=LINES // 2)
        for place, value in enumerate(self._values.tolist()):
            height = frame.height() / 2 * abs(value) / reach
            bar = QRectF(frame.left() + step * (place + GAP / 2), middle - height if value > 0 else middle, step * (1 - GAP), height)
            if value > 0:
                painter.fillRect(bar, QColor(theme.accent))
            elif value < 0:  # told by its place, its colour and its hatching
                painter.fillRect(bar, QColor(theme.line))
                painter.fillRect(bar, QBrush(QColor(theme.quiet), Qt.BrushStyle.BDiagPattern))
        painter.setPen(QColor(theme.text))
        painter.drawText(QPointF(frame.left(), painter.fontMetrics().ascent()), filled(self.tr("%1 better"), self._names[0]))
        painter.drawText(QPointF(frame.left(), self.height() - SPACE_S), filled(self.tr("%1 better"), self._names[1]))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the topic under the mouse and its difference."""
        frame = self._frame()
        place = int((event.position().x() - frame.left()) // self._step(frame))
        if 0 <= place < len(self._topics):
            say_at(self, event, f"{self._topics[place]}: {self._values[place]:+.4f}")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell of which topic the bar is that was clicked."""
        place = int((event.position().x() - self._frame().left()) // self._step(self._frame()))
        if event.button() == Qt.MouseButton.LeftButton and 0 <= place < len(self._topics):
            self.picked.emit(self._topics[place])
