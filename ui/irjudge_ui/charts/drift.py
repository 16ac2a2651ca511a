"""Agreement with the others in the parts of somebody's work, from the first to the last: does it get better or worse."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge_ui.charts.axes import draw_lines, draw_places
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_S, current_theme, zoomed

DOT = 5
LINES = 4


class DriftPlot(QWidget):
    """A line through the shares of somebody's parts, with its figures, above a dashed line for what is usual."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._names: tuple[str, ...] = ()
        self._values: tuple[float, ...] = ()
        self._usual: tuple[float, ...] = ()
        self._labels = ("", "")

    def show_parts(self, names: Sequence[str], values: Sequence[float], usual: Sequence[float], labels: tuple[str, str]) -> None:
        """Show shares from 0 to 1, nan where there is none; `labels` name both lines."""
        self._names, self._values, self._usual, self._labels = tuple(names), tuple(values), tuple(usual), labels
        self.setAccessibleDescription(", ".join(f"{name}: {_percent(value)}" for name, value in zip(names, values, strict=True)))
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for a low rectangle."""
        return QSize(320, 200)

    def minimumSizeHint(self) -> QSize:
        """Stay readable."""
        return QSize(zoomed(220), zoomed(160))

    def _frame(self) -> QRectF:
        metrics = self.fontMetrics()
        left, line = metrics.horizontalAdvance("100 %") + SPACE_M, metrics.height()
        return QRectF(left, line + SPACE_M, max(1, self.width() - left - SPACE_M), max(1, self.height() - 2 * line - 2 * SPACE_M - SPACE_S))

    def _point(self, place: int, value: float) -> QPointF:
        frame = self._frame()
        step = frame.width() / max(1, len(self._names))
        return QPointF(frame.left() + step * (place + 0.5), frame.bottom() - frame.height() * value)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw axis, both lines, their legend and the figures."""
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_lines(painter, self._frame(), [_percent(line / LINES) for line in range(LINES + 1)])
        draw_places(painter, self._frame(), self._names)
        self._draw_line(painter, self._usual, QPen(QColor(theme.quiet), 1.5, Qt.PenStyle.DashLine))
        self._draw_line(painter, self._values, QPen(QColor(theme.accent), 2))
        painter.setPen(QColor(theme.text))
        line = painter.fontMetrics().height()
        for place, value in enumerate(self._values):
            if value == value:
                at = self._point(place, value)
                painter.setBrush(QColor(theme.accent))
                painter.drawEllipse(at, DOT, DOT)
                below = value > 0.8  # no figure leaves the frame
                room = QRectF(at.x() - 60, at.y() + (DOT + 2 if below else -line - DOT - 2), 120, line)
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, _percent(value))
        self._draw_legend(painter)

    def _draw_line(self, painter: QPainter, values: Sequence[float], pen: QPen) -> None:
        painter.setPen(pen)
        for (place, one), (_, other) in pairwise(enumerate(values)):
            if one == one and other == other:
                painter.drawLine(self._point(place, one), self._point(place + 1, other))

    def _draw_legend(self, painter: QPainter) -> None:
        theme, metrics = current_theme(), painter.fontMetrics()
        x, y = self._frame().left(), metrics.height() / 2
        pens = QPen(QColor(theme.accent), 2), QPen(QColor(theme.quiet), 1.5, Qt.PenStyle.DashLine)
        for label, pen in zip(self._labels, pens, strict=True):
            painter.setPen(pen)
            painter.drawLine(QPointF(x, y), QPointF(x + SPACE_L, y))
            painter.setPen(QColor(theme.text))
            room = QRectF(x + SPACE_L + SPACE_S, 0, self.width() - x - SPACE_L - SPACE_S, metrics.height())
            shown = metrics.elidedText(label, Qt.TextElideMode.ElideRight, int(room.width()))
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
            x += SPACE_L + SPACE_S + metrics.horizontalAdvance(label) + SPACE_L


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share == share else "–"
