"""Large bars for projection: a label, a bar with a mark or interval, and its number."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge_ui.widgets import CONTROL, current_theme, scale_length

ROW, BAR, GAP = (
    1.35,
    0.9,
    0.6,
)  # multiples of the text height: a row, its bar, and the gaps between label, bar and number
LABEL = 0.42  # maximum share of the width
ROUND = 4


@dataclass(frozen=True, slots=True)
class WideBar:
    """Bar with a length from 0 to 1, relative to the full width."""

    label: str
    value_text: str  # text at the end of the bar
    length: float
    step: int | None = None  # index of the grade on the scale; None if the bar is not for a grade
    before: float | None = None  # previous value; drawn as a dashed line
    span: tuple[float, float] | None = None  # shortest and longest length the bar can still reach


class WideBars(QWidget):
    """Bars one below another, scaled to the available width and font size."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._bars: tuple[WideBar, ...] = ()
        self._highest, self._font_size = 1, scale_length(CONTROL)

    def show_bars(self, bars: Sequence[WideBar], *, highest: int = 1) -> None:
        """Show bars; `highest` is the highest grade level of the scale."""
        self._bars, self._highest = tuple(bars), highest
        self.setAccessibleDescription("; ".join(f"{bar.label}: {bar.value_text}" for bar in bars))
        self.updateGeometry()
        self.update()

    def write_in(self, size: int) -> None:
        """Set the font size in pixels."""
        self._font_size = size
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(
            round(16 * self._font_size), round(ROW * self._font_size * max(1, len(self._bars)))
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(round(10 * self._font_size), self.sizeHint().height() // 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        font.setPixelSize(self._font_size)
        painter.setFont(font)
        metrics, gap = QFontMetricsF(font), GAP * self._font_size
        label = min(
            LABEL * self.width(),
            max((metrics.horizontalAdvance(bar.label) for bar in self._bars), default=0) + gap,
        )
        number = (
            max((metrics.horizontalAdvance(bar.value_text) for bar in self._bars), default=0) + gap
        )
        height = min(ROW * self._font_size, self.height() / max(1, len(self._bars)))
        for index, bar in enumerate(self._bars):
            line = QRectF(0, index * height, self.width(), height)
            room = QRectF(
                label,
                line.center().y() - BAR * self._font_size / 2,
                self.width() - label - number,
                BAR * self._font_size,
            )
            self._write(
                painter,
                line,
                metrics.elidedText(bar.label, Qt.TextElideMode.ElideRight, label - gap / 2),
                Qt.AlignmentFlag.AlignLeft,
            )
            self._write(painter, line, bar.value_text, Qt.AlignmentFlag.AlignRight)
            self._draw(painter, room, bar)

    @staticmethod
    def _write(painter: QPainter, line: QRectF, text: str, side: Qt.AlignmentFlag) -> None:
        painter.setPen(QColor(current_theme().text))
        painter.drawText(line, int(side | Qt.AlignmentFlag.AlignVCenter), text)

    def _draw(self, painter: QPainter, room: QRectF, bar: WideBar) -> None:
        theme = current_theme()
        painter.setPen(QPen(QColor(theme.handle), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(room, ROUND, ROUND)
        colour = (
            QColor(theme.grade_steps[1])
            if bar.step is None
            else theme.grade(bar.step, self._highest)
        )
        painter.setPen(QPen(QColor(theme.quiet), 1) if bar.step == 0 else Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        if bar.length > 0:
            painter.drawRoundedRect(
                QRectF(room.left(), room.top(), room.width() * min(1.0, bar.length), room.height()),
                ROUND,
                ROUND,
            )
        thick = max(2.0, self._font_size / 12)
        painter.setPen(QPen(QColor(theme.text), thick, Qt.PenStyle.DashLine))
        if bar.before is not None:
            at = room.left() + room.width() * min(1.0, bar.before)
            painter.drawLine(QPointF(at, room.top() - thick), QPointF(at, room.bottom() + thick))
        if bar.span is not None:
            self._draw_span(painter, room, bar.span, thick)

    @staticmethod
    def _draw_span(
        painter: QPainter, room: QRectF, span: tuple[float, float], thick: float
    ) -> None:
        """Draw the range of possible values."""
        painter.setPen(QPen(QColor(current_theme().text), thick))
        low, high = (room.left() + room.width() * max(0.0, min(1.0, each)) for each in span)
        middle, half = room.center().y(), room.height() / 4
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        for at in (low, high):
            painter.drawLine(QPointF(at, middle - half), QPointF(at, middle + half))
