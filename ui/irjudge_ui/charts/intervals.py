"""Values with intervals: bars in table cells, and plots of strengths and differences."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QStyle, QStyleOptionViewItem, QWidget

from irjudge_ui.charts.plot import draw_lines, draw_names_below, label_grid, show_tooltip
from irjudge_ui.messages import filled
from irjudge_ui.widgets import (
    SMALL_FONT_SIZE,
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    Table,
    TextDelegate,
    current_theme,
    scale_length,
)

# Tables of values with intervals: a cell shows numbers, a bar for the interval and a tick at the
# value

Index = QModelIndex | QPersistentModelIndex
# role of a cell's `IntervalValue`; a cell without a value is drawn as plain text
INTERVAL_ROLE = int(Qt.ItemDataRole.UserRole) + 11
BAR_HEIGHT, TICK_LENGTH, MIN_BAR_WIDTH = 8, 16, 24


@dataclass(frozen=True, slots=True)
class IntervalValue:
    """Content of a table cell: value with its interval, to be drawn as a bar on a scale."""

    value: float
    low: float | None  # lower end of the interval; None if unknown
    high: float | None  # upper end of the interval; None if unknown
    floor: float  # value at the left end of the scale
    ceiling: float  # value at the right end of the scale
    label: str  # text of the value
    interval_text: str = ""  # text of the interval


class IntervalDelegate(TextDelegate):
    """Delegate that draws a cell with an `IntervalValue` as numbers and a bar of the interval.

    The value is a tick on the bar. Cells with other contents are drawn as text.
    """

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        interval = index.data(INTERVAL_ROLE)
        if not isinstance(interval, IntervalValue):
            super().paint(painter, option, index)
            return
        background_option = QStyleOptionViewItem(option)
        self.initStyleOption(background_option, index)
        background_option.text = ""
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(
            QStyle.ControlElement.CE_ItemViewItem, background_option, painter, option.widget
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        content = QRectF(option.rect).adjusted(SPACE_L, SPACE_XS, -SPACE_L, -SPACE_XS)
        text_width = _draw_texts(painter, content, interval)
        table = self.parent()
        if isinstance(table, IntervalTable):
            text_width = max(text_width, table.number_widths.get(index.column(), 0))
        bar_area = content.adjusted(text_width + SPACE_M, 0, 0, 0)
        if bar_area.width() >= scale_length(MIN_BAR_WIDTH):
            _draw_interval(painter, bar_area, interval)
        painter.restore()


class IntervalTable(Table):
    """Read-only table in which cells with an `IntervalValue` are drawn as numbers and a bar.

    The width that other columns leave is divided equally among the columns with bars.
    """

    def __init__(self, model: QAbstractItemModel, name: str, *, rows: int = 0) -> None:
        super().__init__(model, name, rows=rows)
        # width of the numbers in each column with bars; the bars begin after this width
        self.number_widths: dict[int, int] = {}
        self.setItemDelegate(IntervalDelegate(self))

    def _stretch_columns(self) -> None:
        model, header = self.model(), self.horizontalHeader()
        bars = [
            section
            for section in range(header.count())
            if model.index(0, section).data(INTERVAL_ROLE)
        ]
        self.number_widths = {section: self._number_width(section) for section in bars}
        if not bars:
            super()._stretch_columns()
            return
        remaining_width = self.viewport().width() - sum(
            header.sectionSize(section) for section in range(header.count()) if section not in bars
        )
        for section in bars:
            header.resizeSection(
                section,
                max(
                    remaining_width // len(bars),
                    self._header_width(section),
                    self._minimum_width(section) + scale_length(MIN_BAR_WIDTH) + SPACE_M,
                ),
            )

    def _number_width(self, section: int) -> int:
        small_font = QFont(self.font())
        small_font.setPixelSize(scale_length(SMALL_FONT_SIZE))
        value_metrics, interval_metrics = self.fontMetrics(), QFontMetrics(small_font)
        intervals = (
            self.model().index(row, section).data(INTERVAL_ROLE) for row in self._fitted_rows()
        )
        widths = (
            max(
                value_metrics.horizontalAdvance(interval.label),
                interval_metrics.horizontalAdvance(interval.interval_text),
            )
            for interval in intervals
            if interval
        )
        return max(widths, default=0)

    def _minimum_width(self, section: int) -> int:
        """Return the minimum column width; a column with bars can shrink to its numbers."""
        if section in self.number_widths:
            return self.number_widths[section] + 2 * SPACE_L
        return super()._minimum_width(section)


def _draw_texts(painter: QPainter, area: QRectF, interval: IntervalValue) -> float:
    """Draw the text of the value, and the text of the interval below it.

    Return the width of the wider text.
    """
    theme, base_font = current_theme(), painter.font()
    upper_half = QRectF(area.left(), area.top(), area.width(), area.height() / 2)
    painter.setPen(QColor(theme.text))
    value_area = upper_half if interval.interval_text else area
    painter.drawText(
        value_area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, interval.label
    )
    width = painter.fontMetrics().horizontalAdvance(interval.label)
    small_font = QFont(base_font)
    small_font.setPixelSize(scale_length(SMALL_FONT_SIZE))
    painter.setFont(small_font)
    painter.setPen(QColor(theme.quiet))
    painter.drawText(
        upper_half.translated(0, area.height() / 2),
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
        interval.interval_text,
    )
    width = max(width, painter.fontMetrics().horizontalAdvance(interval.interval_text))
    painter.setFont(base_font)
    return width


def _draw_interval(painter: QPainter, area: QRectF, interval: IntervalValue) -> None:
    theme, middle = current_theme(), area.center().y()
    length = (interval.ceiling - interval.floor) or 1.0

    def at(value: float) -> float:
        return area.left() + area.width() * min(1.0, max(0.0, (value - interval.floor) / length))

    painter.setPen(QPen(QColor(theme.line), 2))
    painter.drawLine(QPointF(area.left(), middle), QPointF(area.right(), middle))
    if interval.floor < 0 < interval.ceiling:
        painter.setPen(QPen(QColor(theme.quiet), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(at(0), area.top()), QPointF(at(0), area.bottom()))
    if (
        interval.low is not None
        and interval.high is not None
        and at(interval.high) - at(interval.low) >= 1
    ):
        fill, height = QColor(theme.accent), scale_length(BAR_HEIGHT)
        bar = QRectF(
            at(interval.low), middle - height / 2, at(interval.high) - at(interval.low), height
        )
        painter.setPen(QPen(fill, 1))
        fill.setAlphaF(0.35)
        for brush in (QColor(theme.surface), fill):
            painter.setBrush(brush)
            painter.drawRoundedRect(bar, SPACE_XS, SPACE_XS)
    painter.setPen(QPen(QColor(theme.text), 2, c=Qt.PenCapStyle.RoundCap))
    tick = scale_length(TICK_LENGTH) / 2
    x = round(at(interval.value))  # whole pixels, since the line would be blurred otherwise
    painter.drawLine(QPointF(x, middle - tick), QPointF(x, middle + tick))


# Strengths with intervals, best first: a line per item, with a point and a bar for the interval

DOT_RADIUS = 5
GRID_LINE_COUNT = 4


class DriftPlot(QWidget):
    """Line plot of a share in successive parts of an assessor's work, such as thirds.

    The share, from 0 to 1, is for example the agreement with other assessors. A dashed line shows
    the mean of all assessors in each part. The plot is part of an assessor's details on the quality
    page.
    """

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._names: tuple[str, ...] = ()
        self._values: tuple[float, ...] = ()
        self._overall: tuple[float, ...] = ()
        self._labels = ("", "")

    def show_parts(
        self,
        names: Sequence[str],
        values: Sequence[float],
        overall: Sequence[float],
        labels: tuple[str, str],
    ) -> None:
        """Show the shares of an assessor and of all assessors in each part of the work.

        `values` are the shares of the assessor, `overall` those of all assessors, from 0 to 1 (NaN
        if missing). `names` are the names of the parts; `labels` are the legend texts of the two
        lines.
        """
        self._names = tuple(names)
        self._values = tuple(values)
        self._overall = tuple(overall)
        self._labels = labels
        self.setAccessibleDescription(
            ", ".join(
                f"{name}: {_format_percent(value)}"
                for name, value in zip(names, values, strict=True)
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, 200)

    def minimumSizeHint(self) -> QSize:
        return QSize(scale_length(220), scale_length(160))

    def _frame(self) -> QRectF:
        metrics = self.fontMetrics()
        left, line_height = metrics.horizontalAdvance("100 %") + SPACE_M, metrics.height()
        return QRectF(
            left,
            line_height + SPACE_M,
            max(1, self.width() - left - SPACE_M),
            max(1, self.height() - 2 * line_height - 2 * SPACE_M - SPACE_S),
        )

    def _point(self, index: int, value: float) -> QPointF:
        frame = self._frame()
        step = frame.width() / max(1, len(self._names))
        return QPointF(frame.left() + step * (index + 0.5), frame.bottom() - frame.height() * value)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_lines(
            painter,
            self._frame(),
            [
                _format_percent(line_index / GRID_LINE_COUNT)
                for line_index in range(GRID_LINE_COUNT + 1)
            ],
        )
        draw_names_below(painter, self._frame(), self._names)
        self._draw_line(
            painter, self._overall, QPen(QColor(theme.quiet), 1.5, Qt.PenStyle.DashLine)
        )
        self._draw_line(painter, self._values, QPen(QColor(theme.accent), 2))
        painter.setPen(QColor(theme.text))
        line_height = painter.fontMetrics().height()
        for index, value in enumerate(self._values):
            if value == value:
                point = self._point(index, value)
                painter.setBrush(QColor(theme.accent))
                painter.drawEllipse(point, DOT_RADIUS, DOT_RADIUS)
                label_below = value > 0.8  # above a high point, the number would not fit
                label_area = QRectF(
                    point.x() - 60,
                    point.y() + (DOT_RADIUS + 2 if label_below else -line_height - DOT_RADIUS - 2),
                    120,
                    line_height,
                )
                painter.drawText(label_area, Qt.AlignmentFlag.AlignCenter, _format_percent(value))
        self._draw_legend(painter)

    def _draw_line(self, painter: QPainter, values: Sequence[float], pen: QPen) -> None:
        painter.setPen(pen)
        for (index, first), (_, second) in pairwise(enumerate(values)):
            if first == first and second == second:
                painter.drawLine(self._point(index, first), self._point(index + 1, second))

    def _draw_legend(self, painter: QPainter) -> None:
        theme, metrics = current_theme(), painter.fontMetrics()
        x, y = self._frame().left(), metrics.height() / 2
        pens = QPen(QColor(theme.accent), 2), QPen(QColor(theme.quiet), 1.5, Qt.PenStyle.DashLine)
        for label, pen in zip(self._labels, pens, strict=True):
            painter.setPen(pen)
            painter.drawLine(QPointF(x, y), QPointF(x + SPACE_L, y))
            painter.setPen(QColor(theme.text))
            label_area = QRectF(
                x + SPACE_L + SPACE_S, 0, self.width() - x - SPACE_L - SPACE_S, metrics.height()
            )
            painter.drawText(
                label_area,
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                metrics.elidedText(label, Qt.TextElideMode.ElideRight, int(label_area.width())),
            )
            x += SPACE_L + SPACE_S + metrics.horizontalAdvance(label) + SPACE_L


def _format_percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share == share else "–"


MAX_BAR_WIDTH = 28  # maximum width of a bar in pixels
BAR_GAP_SHARE = 0.25  # gap between bars as a share of the width available for a topic


class DifferencePlot(QWidget):
    """Bar chart of the Compare page: differences of two runs by topic, in descending order.

    Bars of positive differences point upward and are on the left. Bars of negative differences
    point downward and are hatched. Topics without a difference have no bar. `picked` is emitted
    with the clicked topic.
    """

    picked = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._topics: tuple[str, ...] = ()
        self._values: npt.NDArray[np.float64] = np.empty(0)
        self._names, self._caption = ("", ""), ""

    def show_differences(
        self,
        topics: Sequence[str],
        values: npt.NDArray[np.float64],
        names: tuple[str, str],
        *,
        is_directed: bool,
    ) -> None:
        """Show the differences between two runs by topic.

        `names` are the names of two runs. The first run is better if a value is positive, the
        second if it is negative; higher instead of better unless `is_directed`.
        """
        self._caption = self.tr("{names} better") if is_directed else self.tr("{names} higher")
        order = np.argsort(-values, kind="stable")
        self._topics = tuple(topics[index] for index in order)
        self._values = values[order]
        self._names = names
        wins, losses = int((values > 0).sum()), int((values < 0).sum())
        self.setAccessibleDescription(
            filled(
                self.tr("Topics: {first} better on {wins}, {second} on {losses}, equal on {ties}")
                if is_directed
                else self.tr(
                    "Topics: {first} higher on {wins}, {second} on {losses}, equal on {ties}"
                ),
                first=names[0],
                wins=wins,
                second=names[1],
                losses=losses,
                ties=len(values) - wins - losses,
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 140)

    def _frame(self) -> QRectF:
        metrics = self.fontMetrics()
        left = max(map(metrics.horizontalAdvance, ("−0.00", *self._grid_labels()))) + SPACE_M
        top = metrics.height() + SPACE_S
        return QRectF(
            left, top, max(1, self.width() - left - SPACE_M), max(1, self.height() - 2 * top)
        )

    def _max_value(self) -> float:
        return float(np.abs(self._values).max(initial=0.0)) or 1.0

    def _grid_labels(self) -> list[str]:
        max_value = self._max_value()
        return label_grid(np.linspace(-max_value, max_value, GRID_LINE_COUNT + 1).tolist())

    def _step(self, frame: QRectF) -> float:
        return min(MAX_BAR_WIDTH / (1 - BAR_GAP_SHARE), frame.width() / max(1, len(self._values)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, frame = current_theme(), self._frame()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, max_value, step = frame.center().y(), self._max_value(), self._step(frame)
        draw_lines(painter, frame, self._grid_labels(), emphasised=GRID_LINE_COUNT // 2)
        for index, value in enumerate(self._values.tolist()):
            height = frame.height() / 2 * abs(value) / max_value
            bar = QRectF(
                frame.left() + step * (index + BAR_GAP_SHARE / 2),
                middle - height if value > 0 else middle,
                step * (1 - BAR_GAP_SHARE),
                height,
            )
            if value > 0:
                painter.fillRect(bar, QColor(theme.accent))
            elif value < 0:  # hatched, so that the bar differs not only by direction and colour
                painter.fillRect(bar, QColor(theme.line))
                painter.fillRect(bar, QBrush(QColor(theme.quiet), Qt.BrushStyle.BDiagPattern))
        painter.setPen(QColor(theme.text))
        painter.drawText(
            QPointF(frame.left(), painter.fontMetrics().ascent()),
            filled(self._caption, names=self._names[0]),
        )
        painter.drawText(
            QPointF(frame.left(), self.height() - SPACE_S),
            filled(self._caption, names=self._names[1]),
        )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        frame = self._frame()
        index = int((event.position().x() - frame.left()) // self._step(frame))
        if 0 <= index < len(self._topics):
            show_tooltip(self, event, f"{self._topics[index]}: {self._values[index]:+.4f}")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = int((event.position().x() - self._frame().left()) // self._step(self._frame()))
        if event.button() == Qt.MouseButton.LeftButton and 0 <= index < len(self._topics):
            self.picked.emit(self._topics[index])


ROW_HEIGHT, POINT_RADIUS = 30, 5
MAX_NAME_SHARE = 0.36  # maximum width of the names, as a share of the total width


@dataclass(frozen=True, slots=True)
class Strength:
    """Row of a `StrengthsPlot`: name and estimated strength of a compared item, with interval.

    The value is a log-worth, with mean 0 in each group of items that are connected by comparisons.
    `low` and `high` are None if unknown; `label` is the text of the value.
    """

    name: str
    value: float
    low: float | None
    high: float | None
    label: str


class StrengthsPlot(QWidget):
    """Plot of strengths: a row for each item, with name, point and interval.

    The rows are in the given order. The scale is symmetric; a dotted line marks 0, the mean
    strength. The plot is on the preference page.
    """

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows: tuple[Strength, ...] = ()

    def show_strengths(self, rows: Sequence[Strength]) -> None:
        """Show strengths in the given order."""
        self._rows = tuple(rows)
        self.setAccessibleDescription("\n".join(f"{row.name}: {row.label}" for row in self._rows))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scale_length(320), scale_length(ROW_HEIGHT) * max(1, len(self._rows)))

    def minimumSizeHint(self) -> QSize:
        return QSize(scale_length(200), scale_length(ROW_HEIGHT) * max(1, len(self._rows)))

    def _max_value(self) -> float:
        ends = [
            abs(end)
            for row in self._rows
            for end in (row.value, row.low, row.high)
            if end is not None
        ]
        return max(ends, default=0.0) or 1.0

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = painter.fontMetrics()
        name_width = min(
            max((metrics.horizontalAdvance(row.name) for row in self._rows), default=0),
            int(self.width() * MAX_NAME_SHARE),
        )
        label_width = max((metrics.horizontalAdvance(row.label) for row in self._rows), default=0)
        bar_area = QRectF(
            name_width + SPACE_M,
            0,
            max(1, self.width() - name_width - label_width - 2 * SPACE_M),
            self.height(),
        )
        painter.setPen(QPen(QColor(theme.quiet), 1, Qt.PenStyle.DotLine))
        painter.drawLine(
            QPointF(bar_area.center().x(), 0), QPointF(bar_area.center().x(), self.height())
        )
        max_value, height = self._max_value(), scale_length(ROW_HEIGHT)
        for index in range(
            event.rect().top() // height, min(len(self._rows), event.rect().bottom() // height + 1)
        ):
            row_area = QRectF(0, index * height, self.width(), height)
            self._draw_strength(
                painter,
                row_area,
                QRectF(bar_area.left(), row_area.top(), bar_area.width(), height),
                self._rows[index],
                max_value,
            )

    def _draw_strength(
        self, painter: QPainter, row_area: QRectF, bar_area: QRectF, row: Strength, max_value: float
    ) -> None:
        theme, y = current_theme(), row_area.center().y()
        centred = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(theme.text))
        painter.drawText(
            QRectF(0, row_area.top(), bar_area.left(), row_area.height()),
            Qt.AlignmentFlag.AlignLeft | centred,
            painter.fontMetrics().elidedText(
                row.name, Qt.TextElideMode.ElideMiddle, int(bar_area.left() - SPACE_M)
            ),
        )
        painter.drawText(row_area, Qt.AlignmentFlag.AlignRight | centred, row.label)

        def at(value: float) -> float:
            return bar_area.center().x() + (bar_area.width() / 2 - SPACE_S) * value / max_value

        if row.low is not None and row.high is not None:
            painter.setPen(QPen(QColor(theme.accent), 3, c=Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(at(row.low), y), QPointF(at(row.high), y))
        painter.setPen(QPen(QColor(theme.surface), 1.5))
        painter.setBrush(QColor(theme.accent))
        painter.drawEllipse(
            QPointF(at(row.value), y), scale_length(POINT_RADIUS), scale_length(POINT_RADIUS)
        )
