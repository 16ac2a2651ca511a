"""Large horizontal bars for a projector, each with a label and a value."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge_ui.widgets import CONTROL_FONT_SIZE, current_theme, scale_length

# row height, bar height, and gap at either end of a bar, as multiples of the font size
ROW_HEIGHT = 1.35
RELATIVE_BAR_HEIGHT = 0.9
BAR_GAP = 0.6
MAX_LABEL_SHARE = 0.42  # maximum share of the width for the labels
CORNER_RADIUS = 4


@dataclass(frozen=True, slots=True)
class WideBar:
    """Content of a horizontal bar: label, text of the value, and length as a share, 0 to 1.

    Optional marks on the bar are the previous length and the range that is still possible.
    """

    label: str  # text at the beginning of the row
    value_text: str  # value shown at the end of the row
    length: float  # length as a share of the available width, 0 to 1
    grade_level: int | None = None  # level of the grade, from 0; None if the bar is not for a grade
    previous_length: float | None = (
        None  # previous length, drawn as a dashed line; None to draw no line
    )
    span: tuple[float, float] | None = None  # smallest and largest possible length


class WideBars(QWidget):
    """Widget that draws labelled horizontal bars one below another, also for a big screen.

    The bars scale with the width of the widget and with a font size that is set separately. They
    show numbers of judgments by grade, and values of runs, on the big screen and on the card of
    norming rounds.
    """

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._bars: tuple[WideBar, ...] = ()
        self._highest, self._font_size = 1, scale_length(CONTROL_FONT_SIZE)

    def show_bars(self, bars: Sequence[WideBar], *, highest_level: int = 1) -> None:
        """Show bars; `highest_level` is the highest grade level of the scale."""
        self._bars, self._highest = tuple(bars), highest_level
        self.setAccessibleDescription("; ".join(f"{bar.label}: {bar.value_text}" for bar in bars))
        self.updateGeometry()
        self.update()

    def set_font_size(self, size: int) -> None:
        """Set the font size in pixels."""
        self._font_size = size
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(
            round(16 * self._font_size),
            round(ROW_HEIGHT * self._font_size * max(1, len(self._bars))),
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(round(10 * self._font_size), self.sizeHint().height() // 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        font.setPixelSize(self._font_size)
        painter.setFont(font)
        metrics, gap = QFontMetricsF(font), BAR_GAP * self._font_size
        label_width = min(
            MAX_LABEL_SHARE * self.width(),
            max((metrics.horizontalAdvance(bar.label) for bar in self._bars), default=0) + gap,
        )
        number_width = (
            max((metrics.horizontalAdvance(bar.value_text) for bar in self._bars), default=0) + gap
        )
        height = min(ROW_HEIGHT * self._font_size, self.height() / max(1, len(self._bars)))
        for index, bar in enumerate(self._bars):
            row_area = QRectF(0, index * height, self.width(), height)
            bar_area = QRectF(
                label_width,
                row_area.center().y() - RELATIVE_BAR_HEIGHT * self._font_size / 2,
                self.width() - label_width - number_width,
                RELATIVE_BAR_HEIGHT * self._font_size,
            )
            self._draw_text(
                painter,
                row_area,
                metrics.elidedText(bar.label, Qt.TextElideMode.ElideRight, label_width - gap / 2),
                Qt.AlignmentFlag.AlignLeft,
            )
            self._draw_text(painter, row_area, bar.value_text, Qt.AlignmentFlag.AlignRight)
            self._draw_bar(painter, bar_area, bar)

    @staticmethod
    def _draw_text(painter: QPainter, row_area: QRectF, text: str, side: Qt.AlignmentFlag) -> None:
        painter.setPen(QColor(current_theme().text))
        painter.drawText(row_area, int(side | Qt.AlignmentFlag.AlignVCenter), text)

    def _draw_bar(self, painter: QPainter, area: QRectF, bar: WideBar) -> None:
        theme = current_theme()
        painter.setPen(QPen(QColor(theme.handle), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, CORNER_RADIUS, CORNER_RADIUS)
        colour = (
            QColor(theme.grade_steps[1])
            if bar.grade_level is None
            else theme.grade(bar.grade_level, self._highest)
        )
        painter.setPen(QPen(QColor(theme.quiet), 1) if bar.grade_level == 0 else Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        if bar.length > 0:
            painter.drawRoundedRect(
                QRectF(area.left(), area.top(), area.width() * min(1.0, bar.length), area.height()),
                CORNER_RADIUS,
                CORNER_RADIUS,
            )
        pen_width = max(2.0, self._font_size / 12)
        painter.setPen(QPen(QColor(theme.text), pen_width, Qt.PenStyle.DashLine))
        if bar.previous_length is not None:
            x = area.left() + area.width() * min(1.0, bar.previous_length)
            painter.drawLine(
                QPointF(x, area.top() - pen_width), QPointF(x, area.bottom() + pen_width)
            )
        if bar.span is not None:
            self._draw_span(painter, area, bar.span, pen_width)

    @staticmethod
    def _draw_span(
        painter: QPainter, area: QRectF, span: tuple[float, float], pen_width: float
    ) -> None:
        painter.setPen(QPen(QColor(current_theme().text), pen_width))
        low, high = (area.left() + area.width() * max(0.0, min(1.0, end)) for end in span)
        middle, half = area.center().y(), area.height() / 4
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        for x in (low, high):
            painter.drawLine(QPointF(x, middle - half), QPointF(x, middle + half))
