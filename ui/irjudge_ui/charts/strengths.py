"""Strengths with their intervals, the best first: a line a name, a point at the strength, a bar from low to high."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, current_theme, zoomed

ROW, POINT = 30, 5
NAMES = 0.36  # of the width, at most


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong something is; `low` and `high` are None where that is not known. `words` is the number as it is written."""

    name: str
    value: float
    low: float | None
    high: float | None
    words: str


class StrengthsPlot(QWidget):
    """As high as it has lines; 0, the mean of all, is dotted."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows: tuple[Strength, ...] = ()

    def show_strengths(self, rows: Sequence[Strength]) -> None:
        """Show strengths in the order in which they come."""
        self._rows = tuple(rows)
        self.setAccessibleDescription("\n".join(f"{row.name}: {row.words}" for row in self._rows))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for a line a name."""
        return QSize(zoomed(320), zoomed(ROW) * max(1, len(self._rows)))

    def minimumSizeHint(self) -> QSize:
        """Stay readable."""
        return QSize(zoomed(200), zoomed(ROW) * max(1, len(self._rows)))

    def _reach(self) -> float:
        ends = [abs(end) for row in self._rows for end in (row.value, row.low, row.high) if end is not None]
        return max(ends, default=0.0) or 1.0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines that are in view."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = painter.fontMetrics()
        name = min(max((metrics.horizontalAdvance(row.name) for row in self._rows), default=0), int(self.width() * NAMES))
        number = max((metrics.horizontalAdvance(row.words) for row in self._rows), default=0)
        room = QRectF(name + SPACE_M, 0, max(1, self.width() - name - number - 2 * SPACE_M), self.height())
        painter.setPen(QPen(QColor(theme.quiet), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(room.center().x(), 0), QPointF(room.center().x(), self.height()))
        reach, height = self._reach(), zoomed(ROW)
        for place in range(event.rect().top() // height, min(len(self._rows), event.rect().bottom() // height + 1)):
            line = QRectF(0, place * height, self.width(), height)
            self._draw(painter, line, QRectF(room.left(), line.top(), room.width(), height), self._rows[place], reach)

    def _draw(self, painter: QPainter, line: QRectF, room: QRectF, row: Strength, reach: float) -> None:
        theme, middle = current_theme(), line.center().y()
        centre = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(theme.text))
        words = painter.fontMetrics().elidedText(row.name, Qt.TextElideMode.ElideMiddle, int(room.left() - SPACE_M))
        painter.drawText(QRectF(0, line.top(), room.left(), line.height()), Qt.AlignmentFlag.AlignLeft | centre, words)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | centre, row.words)

        def at(value: float) -> float:
            return room.center().x() + (room.width() / 2 - SPACE_S) * value / reach

        if row.low is not None and row.high is not None:
            painter.setPen(QPen(QColor(theme.accent), 3, c=Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(at(row.low), middle), QPointF(at(row.high), middle))
        painter.setPen(QPen(QColor(theme.surface), 1.5))
        painter.setBrush(QColor(theme.accent))
        painter.drawEllipse(QPointF(at(row.value), middle), zoomed(POINT), zoomed(POINT))
