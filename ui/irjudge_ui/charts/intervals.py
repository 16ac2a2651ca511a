"""Values with intervals: in cells of tables, and as plots of strengths and differences."""

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

from irjudge_ui.charts.plot import draw_lines, draw_names_below, show_tooltip
from irjudge_ui.messages import filled
from irjudge_ui.widgets import (
    QUIET,
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    Table,
    WrittenDelegate,
    current_theme,
    scale_length,
)

# Tables of values with intervals: the numbers, and a bar from low to high with a tick at the
# value.

Index = QModelIndex | QPersistentModelIndex
INTERVAL_ROLE = (
    int(Qt.ItemDataRole.UserRole) + 11
)  # `IntervalValue`; other cells are drawn in the default way
BAR, TICK, MIN_BAR = 8, 16, 40


@dataclass(frozen=True, slots=True)
class IntervalValue:
    """Value with an interval, on a scale from `floor` to `ceiling`.

    `low` and `high` are None if unknown. `label` is the text of the value, `aside` that of the
    interval.
    """

    value: float
    low: float | None
    high: float | None
    floor: float
    ceiling: float
    label: str
    aside: str = ""


class IntervalDelegate(WrittenDelegate):
    """Draws cells that have an `IntervalValue`."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        span = index.data(INTERVAL_ROLE)
        if not isinstance(span, IntervalValue):
            super().paint(painter, option, index)
            return
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        ground.text = ""
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, ground, painter, option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inside = QRectF(option.rect).adjusted(SPACE_L, SPACE_XS, -SPACE_L, -SPACE_XS)
        written = _write(painter, inside, span)
        table = self.parent()
        if isinstance(table, IntervalTable):
            written = max(written, table.written.get(index.column(), 0))
        room = inside.adjusted(written + SPACE_M, 0, 0, 0)
        if room.width() >= scale_length(MIN_BAR):
            _draw(painter, room, span)
        painter.restore()


class IntervalTable(Table):
    """Table whose remaining width is divided equally among the bar columns."""

    def __init__(self, model: QAbstractItemModel, name: str, *, rows: int = 0) -> None:
        super().__init__(model, name, rows=rows)
        self.written: dict[
            int, int
        ] = {}  # width of the numbers of each column, so that its bars are aligned
        self.setItemDelegate(IntervalDelegate(self))

    def _share(self) -> None:
        model, header = self.model(), self.horizontalHeader()
        bars = [
            section
            for section in range(header.count())
            if model.index(0, section).data(INTERVAL_ROLE)
        ]
        self.written = {section: self._writing(section) for section in bars}
        if not bars:
            super()._share()
            return
        rest = self.viewport().width() - sum(
            header.sectionSize(section) for section in range(header.count()) if section not in bars
        )
        for section in bars:
            header.resizeSection(
                section,
                max(
                    rest // len(bars),
                    self._natural_width(section) + scale_length(MIN_BAR) + SPACE_M,
                ),
            )

    def _writing(self, section: int) -> int:
        """Return the width of the widest numbers in a bar column."""
        small = QFont(self.font())
        small.setPixelSize(scale_length(QUIET))
        large, below = self.fontMetrics(), QFontMetrics(small)
        spans = (
            self.model().index(row, section).data(INTERVAL_ROLE) for row in self._fitted_rows()
        )
        widths = (
            max(large.horizontalAdvance(each.label), below.horizontalAdvance(each.aside))
            for each in spans
            if each
        )
        return max(widths, default=0)

    def _least(self, section: int) -> int:
        """Return the minimum column width: the numbers plus a bar."""
        if self.model().index(0, section).data(INTERVAL_ROLE):
            return self._natural_width(section) + scale_length(MIN_BAR) + SPACE_M
        return super()._least(section)


def _write(painter: QPainter, inside: QRectF, span: IntervalValue) -> float:
    """Draw the value and the interval below it; return their width."""
    theme, base_font = current_theme(), painter.font()
    half = QRectF(inside.left(), inside.top(), inside.width(), inside.height() / 2)
    painter.setPen(QColor(theme.text))
    upper = half if span.aside else inside
    painter.drawText(upper, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, span.label)
    width = painter.fontMetrics().horizontalAdvance(span.label)
    small = QFont(base_font)
    small.setPixelSize(scale_length(QUIET))
    painter.setFont(small)
    painter.setPen(QColor(theme.quiet))
    lower = half.translated(0, inside.height() / 2)
    painter.drawText(lower, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, span.aside)
    width = max(width, painter.fontMetrics().horizontalAdvance(span.aside))
    painter.setFont(base_font)
    return width


def _draw(painter: QPainter, room: QRectF, span: IntervalValue) -> None:
    theme, middle = current_theme(), room.center().y()
    length = (span.ceiling - span.floor) or 1.0

    def at(value: float) -> float:
        return room.left() + room.width() * min(1.0, max(0.0, (value - span.floor) / length))

    painter.setPen(QPen(QColor(theme.line), 2))
    painter.drawLine(QPointF(room.left(), middle), QPointF(room.right(), middle))
    if span.floor < 0 < span.ceiling:
        painter.setPen(QPen(QColor(theme.quiet), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(at(0), room.top()), QPointF(at(0), room.bottom()))
    if span.low is not None and span.high is not None and at(span.high) - at(span.low) >= 1:
        fill, height = QColor(theme.accent), scale_length(BAR)
        bar = QRectF(at(span.low), middle - height / 2, at(span.high) - at(span.low), height)
        painter.setPen(QPen(fill, 1))
        fill.setAlphaF(0.35)
        for ground in (QColor(theme.surface), fill):
            painter.setBrush(ground)
            painter.drawRoundedRect(bar, SPACE_XS, SPACE_XS)
    painter.setPen(QPen(QColor(theme.text), 2, c=Qt.PenCapStyle.RoundCap))
    tick = scale_length(TICK) / 2
    sharp = round(at(span.value))  # align with whole pixels; otherwise the line would be blurred
    painter.drawLine(QPointF(sharp, middle - tick), QPointF(sharp, middle + tick))


# Strengths with intervals, best first: a line per name, a point, and a bar from low to high.

DOT = 5
LINES = 4


class DriftPlot(QWidget):
    """Line of an assessor's shares by part of the work, above a dashed line of the overall share."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
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
        """Show shares from 0 to 1, nan if missing; `labels` name both lines."""
        self._names, self._values, self._overall, self._labels = (
            tuple(names),
            tuple(values),
            tuple(overall),
            labels,
        )
        self.setAccessibleDescription(
            ", ".join(
                f"{name}: {_percent(value)}" for name, value in zip(names, values, strict=True)
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, 200)

    def minimumSizeHint(self) -> QSize:
        return QSize(scale_length(220), scale_length(160))

    def _frame(self) -> QRectF:
        metrics = self.fontMetrics()
        left, line = metrics.horizontalAdvance("100 %") + SPACE_M, metrics.height()
        return QRectF(
            left,
            line + SPACE_M,
            max(1, self.width() - left - SPACE_M),
            max(1, self.height() - 2 * line - 2 * SPACE_M - SPACE_S),
        )

    def _point(self, index: int, value: float) -> QPointF:
        frame = self._frame()
        step = frame.width() / max(1, len(self._names))
        return QPointF(frame.left() + step * (index + 0.5), frame.bottom() - frame.height() * value)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_lines(painter, self._frame(), [_percent(line / LINES) for line in range(LINES + 1)])
        draw_names_below(painter, self._frame(), self._names)
        self._draw_line(
            painter, self._overall, QPen(QColor(theme.quiet), 1.5, Qt.PenStyle.DashLine)
        )
        self._draw_line(painter, self._values, QPen(QColor(theme.accent), 2))
        painter.setPen(QColor(theme.text))
        line = painter.fontMetrics().height()
        for index, value in enumerate(self._values):
            if value == value:
                at = self._point(index, value)
                painter.setBrush(QColor(theme.accent))
                painter.drawEllipse(at, DOT, DOT)
                below = value > 0.8  # keep the number inside the frame
                room = QRectF(
                    at.x() - 60, at.y() + (DOT + 2 if below else -line - DOT - 2), 120, line
                )
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, _percent(value))
        self._draw_legend(painter)

    def _draw_line(self, painter: QPainter, values: Sequence[float], pen: QPen) -> None:
        painter.setPen(pen)
        for (index, one), (_, other) in pairwise(enumerate(values)):
            if one == one and other == other:
                painter.drawLine(self._point(index, one), self._point(index + 1, other))

    def _draw_legend(self, painter: QPainter) -> None:
        theme, metrics = current_theme(), painter.fontMetrics()
        x, y = self._frame().left(), metrics.height() / 2
        pens = QPen(QColor(theme.accent), 2), QPen(QColor(theme.quiet), 1.5, Qt.PenStyle.DashLine)
        for label, pen in zip(self._labels, pens, strict=True):
            painter.setPen(pen)
            painter.drawLine(QPointF(x, y), QPointF(x + SPACE_L, y))
            painter.setPen(QColor(theme.text))
            room = QRectF(
                x + SPACE_L + SPACE_S, 0, self.width() - x - SPACE_L - SPACE_S, metrics.height()
            )
            shown = metrics.elidedText(label, Qt.TextElideMode.ElideRight, int(room.width()))
            painter.drawText(
                room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown
            )
            x += SPACE_L + SPACE_S + metrics.horizontalAdvance(label) + SPACE_L


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share == share else "–"


WIDEST, GAP = 28, 0.25  # pixels of a bar, and the share of its slot left empty


class DifferencePlot(QWidget):
    """Bars per topic, up if the first run is better and hatched down if the second is.

    `picked` is emitted with the clicked topic.
    """

    picked = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._topics: tuple[str, ...] = ()
        self._values: npt.NDArray[np.float64] = np.empty(0)
        self._names = ("", "")

    def show_differences(
        self, topics: Sequence[str], values: npt.NDArray[np.float64], names: tuple[str, str]
    ) -> None:
        """Show the differences between two runs by topic.

        `names` are the runs that are better for positive and for negative values.
        """
        order = np.argsort(-values, kind="stable")
        self._topics, self._values, self._names = (
            tuple(topics[index] for index in order),
            values[order],
            names,
        )
        wins, losses = int((values > 0).sum()), int((values < 0).sum())
        description = self.tr(
            "Topics: {first} better on {wins}, {second} on {losses}, equal on {ties}"
        )
        self.setAccessibleDescription(
            filled(
                description,
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
        left = metrics.horizontalAdvance("−0.00") + SPACE_M
        top = metrics.height() + SPACE_S
        return QRectF(
            left, top, max(1, self.width() - left - SPACE_M), max(1, self.height() - 2 * top)
        )

    def _reach(self) -> float:
        return float(np.abs(self._values).max(initial=0.0)) or 1.0

    def _step(self, frame: QRectF) -> float:
        return min(WIDEST / (1 - GAP), frame.width() / max(1, len(self._values)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, frame = current_theme(), self._frame()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, reach, step = frame.center().y(), self._reach(), self._step(frame)
        labels = [
            f"{reach * (2 * line / LINES - 1):.2f}".replace("-", "−") for line in range(LINES + 1)
        ]
        draw_lines(painter, frame, labels, strong=LINES // 2)
        for index, value in enumerate(self._values.tolist()):
            height = frame.height() / 2 * abs(value) / reach
            bar = QRectF(
                frame.left() + step * (index + GAP / 2),
                middle - height if value > 0 else middle,
                step * (1 - GAP),
                height,
            )
            if value > 0:
                painter.fillRect(bar, QColor(theme.accent))
            elif value < 0:  # distinguished by position, colour and hatching
                painter.fillRect(bar, QColor(theme.line))
                painter.fillRect(bar, QBrush(QColor(theme.quiet), Qt.BrushStyle.BDiagPattern))
        painter.setPen(QColor(theme.text))
        painter.drawText(
            QPointF(frame.left(), painter.fontMetrics().ascent()),
            filled(self.tr("{names} better"), names=self._names[0]),
        )
        painter.drawText(
            QPointF(frame.left(), self.height() - SPACE_S),
            filled(self.tr("{names} better"), names=self._names[1]),
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


ROW, POINT = 30, 5
NAME_SHARE = 0.36  # maximum share of the width


@dataclass(frozen=True, slots=True)
class Strength:
    """Strength of an item.

    `low` and `high` are None if unknown, `words` is the formatted number.
    """

    name: str
    value: float
    low: float | None
    high: float | None
    label: str


class StrengthsPlot(QWidget):
    """Plot of strengths, one line per item; a dotted line marks 0, the mean strength."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows: tuple[Strength, ...] = ()

    def show_strengths(self, rows: Sequence[Strength]) -> None:
        """Show strengths in the given order."""
        self._rows = tuple(rows)
        self.setAccessibleDescription("\n".join(f"{row.name}: {row.label}" for row in self._rows))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scale_length(320), scale_length(ROW) * max(1, len(self._rows)))

    def minimumSizeHint(self) -> QSize:
        return QSize(scale_length(200), scale_length(ROW) * max(1, len(self._rows)))

    def _reach(self) -> float:
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
        name = min(
            max((metrics.horizontalAdvance(row.name) for row in self._rows), default=0),
            int(self.width() * NAME_SHARE),
        )
        number = max((metrics.horizontalAdvance(row.label) for row in self._rows), default=0)
        room = QRectF(
            name + SPACE_M, 0, max(1, self.width() - name - number - 2 * SPACE_M), self.height()
        )
        painter.setPen(QPen(QColor(theme.quiet), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(room.center().x(), 0), QPointF(room.center().x(), self.height()))
        reach, height = self._reach(), scale_length(ROW)
        for index in range(
            event.rect().top() // height, min(len(self._rows), event.rect().bottom() // height + 1)
        ):
            line = QRectF(0, index * height, self.width(), height)
            self._draw(
                painter,
                line,
                QRectF(room.left(), line.top(), room.width(), height),
                self._rows[index],
                reach,
            )

    def _draw(
        self, painter: QPainter, line: QRectF, room: QRectF, row: Strength, reach: float
    ) -> None:
        theme, middle = current_theme(), line.center().y()
        centre = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(theme.text))
        label = painter.fontMetrics().elidedText(
            row.name, Qt.TextElideMode.ElideMiddle, int(room.left() - SPACE_M)
        )
        painter.drawText(
            QRectF(0, line.top(), room.left(), line.height()),
            Qt.AlignmentFlag.AlignLeft | centre,
            label,
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | centre, row.label)

        def at(value: float) -> float:
            return room.center().x() + (room.width() / 2 - SPACE_S) * value / reach

        if row.low is not None and row.high is not None:
            painter.setPen(QPen(QColor(theme.accent), 3, c=Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(at(row.low), middle), QPointF(at(row.high), middle))
        painter.setPen(QPen(QColor(theme.surface), 1.5))
        painter.setBrush(QColor(theme.accent))
        painter.drawEllipse(
            QPointF(at(row.value), middle), scale_length(POINT), scale_length(POINT)
        )
