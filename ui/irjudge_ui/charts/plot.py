"""Resizable charts drawn with QPainter: axes, lines, bars and points."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from irjudge_ui.messages import escape_markup, filled, translate_message
from irjudge_ui.widgets import SPACE_M, SPACE_S, current_theme, scale_length

# Axes of charts: scales, tick positions and names of categories

Floats = npt.NDArray[np.float64]
MAX_DECIMALS = 6  # maximum number of decimals in the labels of grid lines
ROUND_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


class AxisLike(Protocol):
    """Interface of an axis, as `Axis` of the engine: label, limits, direction, and categories.

    A limit that is None is computed from the data. An axis with `names` is categorical, with the
    positions 0, 1, 2 … A vertical axis with `is_reversed` has its lowest value at the top, such as
    rank 1. With `is_integer`, only integers are labelled.
    """

    @property
    def label(self) -> str: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def is_reversed(self) -> bool: ...
    @property
    def is_integer(self) -> bool: ...


def axis_limits(axis: AxisLike, values: Floats) -> tuple[float, float]:
    """Return the limits of an axis; a limit that is None is computed from the values."""
    if axis.names:
        return -0.5, len(axis.names) - 0.5
    finite = values[np.isfinite(values)]
    low = float(finite.min(initial=np.inf)) if axis.low is None else axis.low
    max_value = float(finite.max(initial=-np.inf))
    high = max_value + 0.05 * abs(max_value) if axis.high is None else axis.high
    return (low, high) if np.isfinite([low, high]).all() and low < high else (0.0, 1.0)


def compute_ticks(axis: AxisLike, values: Floats, max_ticks: float) -> list[tuple[float, str]]:
    """Return round tick values, each with its label; empty for an axis of categories.

    There are about as many ticks as `max_ticks` or fewer, and rarely more than seven.
    """
    if axis.names:
        return []
    low, high = axis_limits(axis, values)
    min_step = (high - low) / max(2.0, min(max_ticks, 6.0))
    power = 10.0 ** np.floor(np.log10(min_step))
    step = next(factor * power for factor in ROUND_STEPS if factor * power >= min_step * 0.999)
    if axis.is_integer:
        steps = (factor * power for factor in ROUND_STEPS if (factor * power).is_integer())
        step = next((candidate for candidate in steps if candidate >= min_step * 0.999), 1.0)
    if axis.is_reversed:
        step = max(1.0, round(step))
    first = np.ceil(low / step - 1e-9)
    decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)) + (round(step / power, 2) == 2.5))
    ticks = [
        (first + index) * step for index in range(int((high - first * step) / step + 1e-9) + 1)
    ]
    # on a reversed axis, such as an axis of ranks, the lowest value always has a tick
    ticks = [low, *(tick for tick in ticks if tick - low > step / 2)] if axis.is_reversed else ticks
    return [(value, f"{value + 0.0:.{decimals}f}") for value in ticks]


class AxisScale:
    """Conversion of values of both axes to pixel coordinates inside a frame, for drawing.

    The object also creates the tooltip of a point.
    """

    def __init__(
        self, frame: QRectF, x: AxisLike, y: AxisLike, x_values: Floats, y_values: Floats
    ) -> None:
        self.frame, self.axes = frame, (x, y)
        self._x, self._y = axis_limits(x, x_values), axis_limits(y, y_values)
        if y.is_reversed:
            self._y = (self._y[1] + 0.5, self._y[0] - 0.5)

    def xs(self, values: Floats) -> Floats:
        low, high = self._x
        return np.asarray(self.frame.left() + self.frame.width() * (values - low) / (high - low))

    def ys(self, values: Floats) -> Floats:
        low, high = self._y
        return np.asarray(self.frame.bottom() - self.frame.height() * (values - low) / (high - low))

    def x(self, value: float) -> float:
        return float(self.xs(np.array([value]))[0])

    def y(self, value: float) -> float:
        return float(self.ys(np.array([value]))[0])

    def points(self, x: Floats, y: Floats) -> list[QPointF]:
        return [
            QPointF(*coordinates)
            for coordinates in zip(self.xs(x).tolist(), self.ys(y).tolist(), strict=True)
        ]

    def tooltip(self, name: str, x: float, y: float) -> str:
        parts = [
            name,
            *(format_position(axis, value) for axis, value in zip(self.axes, (x, y), strict=True)),
        ]
        return "\n".join(filter(None, parts))


def format_position(axis: AxisLike, value: float) -> str:
    """Return a text with the axis label and a value or, for categories, the category's name."""
    if axis.names:
        return axis.names[int(value)]
    return f"{translate_message(axis.label)}: {value:.4f}".rstrip("0").rstrip(".")


def label_grid(values: Sequence[float]) -> list[str]:
    """Return the labels of evenly spaced grid lines, with as few decimals as their step allows."""
    max_error = abs(values[1] - values[0]) / 50
    decimals = next(
        (
            decimals
            for decimals in range(MAX_DECIMALS)
            if all(abs(round(value, decimals) - value) <= max_error for value in values)
        ),
        MAX_DECIMALS,
    )
    return [f"{round(value, decimals) + 0.0:,.{decimals}f}".replace("-", "−") for value in values]


def draw_lines(
    painter: QPainter, frame: QRectF, labels: Sequence[str], emphasised: int | None = None
) -> None:
    """Draw a horizontal grid line for each label; the lines are evenly spaced.

    The line with the index `emphasised` is darker.
    """
    theme, metrics = current_theme(), painter.fontMetrics()
    for index, label in enumerate(labels):
        y = frame.bottom() - frame.height() * index / (len(labels) - 1)
        painter.setPen(QColor(theme.quiet if index == emphasised else theme.line))
        painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
        painter.setPen(QColor(theme.quiet))
        label_area = QRectF(0, y - metrics.height() / 2, frame.left() - SPACE_S, metrics.height())
        painter.drawText(
            label_area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label
        )


def draw_names_below(painter: QPainter, frame: QRectF, names: Sequence[str]) -> None:
    """Draw names below a frame, each centred in an equal share of the width."""
    metrics, step = painter.fontMetrics(), frame.width() / max(1, len(names))
    for index, name in enumerate(names):
        painter.drawText(
            QRectF(frame.left() + step * index, frame.bottom() + SPACE_S, step, metrics.height()),
            Qt.AlignmentFlag.AlignCenter,
            metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(step)),
        )


def show_tooltip(widget: QWidget, event: QMouseEvent, *lines: str) -> None:
    """Show lines of text as a tooltip at the mouse position; without lines, hide the tooltip."""
    QToolTip.showText(event.globalPosition().toPoint(), escape_markup("\n".join(lines)), widget)


def draw_axis_names(painter: QPainter, scale: AxisScale, colour: QColor) -> None:
    """Draw category names below the frame; if not all fit, draw only every second, third … name."""
    names: Sequence[str] = scale.axes[0].names
    metrics, step = painter.fontMetrics(), scale.frame.width() / max(1, len(names))
    widest = min(max((metrics.horizontalAdvance(name) for name in names), default=0) + SPACE_S, 160)
    label_step = max(1, int(np.ceil(widest / step)))
    painter.setPen(colour)
    for index in range(0, len(names), label_step):
        name_area = QRectF(
            scale.x(index) - step * label_step / 2,
            scale.frame.bottom() + 4,
            step * label_step,
            metrics.height(),
        )
        elided_name = metrics.elidedText(
            names[index], Qt.TextElideMode.ElideRight, int(name_area.width())
        )
        painter.drawText(name_area, Qt.AlignmentFlag.AlignCenter, elided_name)


# Charts with lines, bars or points; marks differ in shape and stroke as well as in colour

Entry = tuple[str, Callable[[QPainter, QPointF], None]]
DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (5, 2),
    (5, 1.5, 1, 1.5),
    (1.2, 1.5),
    (9, 2),
    (3, 1, 1, 1, 1, 1),
)
POINT_SIZE, STROKE_WIDTH, HOVER_DISTANCE = 4.0, 2.0, 14.0
SWATCH_WIDTH = 34  # width of the line sample next to a name in the legend, in pixels
MAX_LEGEND_LINES = 16  # maximum number of lines in the legend


class LineLike(Protocol):
    """Interface of a line of a chart: name, points, role and hue.

    The role is "chosen" (selected), "quiet" (in the background) or "guide" (reference line). The
    hue is a number that determines the colour and the shape of the points.
    """

    @property
    def name(self) -> str: ...
    @property
    def x(self) -> Floats: ...
    @property
    def y(self) -> Floats: ...
    @property
    def role(self) -> str: ...
    @property
    def hue(self) -> int: ...


class Plot(QWidget):
    """Base class of charts: draws two axes and a legend, and shows tooltips.

    Subclasses draw the data: they override `entries` (legend), `paint_marks` and `tooltip_at`.
    Nothing is drawn before data are set.
    """

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._axes: tuple[AxisLike, AxisLike] | None = None
        self._values: tuple[Floats, Floats] = (np.empty(0), np.empty(0))
        self._hues: tuple[str, ...] = ("#000000",)

    def sizeHint(self) -> QSize:
        return QSize(scale_length(560), scale_length(360))

    def minimumSizeHint(self) -> QSize:
        return QSize(scale_length(240), scale_length(220))

    def _set_data(
        self, axes: tuple[AxisLike, AxisLike], values: tuple[Floats, Floats], hues: Sequence[str]
    ) -> None:
        self._axes, self._values, self._hues = axes, values, tuple(hues)
        self.update()

    def hue(self, index: int) -> QColor:
        """Return the colour of a series by index; the colours repeat if there are too few."""
        return QColor(self._hues[index % len(self._hues)])

    # Methods that each kind of plot overrides

    def entries(self) -> list[Entry]:
        """Return the legend's entries: each label, and a function that draws its sample."""
        return []

    def paint_marks(self, painter: QPainter, scale: AxisScale) -> None:
        """Draw the data."""

    def tooltip_at(self, scale: AxisScale, position: QPointF) -> str:
        """Return the tooltip at a position of the mouse; empty for none."""
        raise NotImplementedError

    # Layout and painting

    def scale(self) -> AxisScale | None:
        """Return the conversion of values to positions in the widget; None before data are set."""
        if self._axes is None:
            return None
        metrics = self.fontMetrics()
        line_height = metrics.height()
        left = (
            max((metrics.horizontalAdvance(label) for _, label in self._ticks(1)), default=0)
            + line_height
            + 2 * SPACE_S
        )
        right = self._legend_width() + SPACE_M
        bottom = 2 * line_height + 2 * SPACE_S
        frame = QRectF(
            left,
            line_height / 2 + 2,
            max(1.0, self.width() - left - right),
            max(1.0, self.height() - line_height / 2 - bottom),
        )
        return AxisScale(frame, *self._axes, *self._values)

    def _ticks(self, axis: int) -> list[tuple[float, str]]:
        assert self._axes is not None  # noqa: S101 -- called only when there is data to show
        return compute_ticks(
            self._axes[axis],
            self._values[axis],
            max_ticks=(self.width(), self.height())[axis]
            / (scale_length(70), scale_length(40))[axis],
        )

    def _legend_width(self) -> float:
        metrics, names = self.fontMetrics(), [name for name, _ in self.entries()[:MAX_LEGEND_LINES]]
        widest = max(map(metrics.horizontalAdvance, names), default=0)
        return (
            float(min(widest + SWATCH_WIDTH + 2 * SPACE_S, self.width() * 0.36)) if names else 0.0
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, scale = QPainter(self), self.scale()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if scale is not None:
            self._paint_axes(painter, scale)
            painter.save()
            self.paint_marks(painter, scale)
            painter.restore()
            self._paint_legend(painter, scale)
        if self.hasFocus():
            painter.setPen(QPen(QColor(current_theme().accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)

    def _paint_axes(self, painter: QPainter, scale: AxisScale) -> None:
        theme, frame, line_height = current_theme(), scale.frame, painter.fontMetrics().height()
        x_axis, y_axis = scale.axes
        for value, label in self._ticks(1):
            y = scale.y(value)
            painter.setPen(QColor(theme.line))
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(QColor(theme.quiet))
            label_area = QRectF(
                line_height, y - line_height / 2, frame.left() - line_height - SPACE_S, line_height
            )
            painter.drawText(
                label_area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label
            )
        if x_axis.names:
            draw_axis_names(painter, scale, QColor(theme.quiet))
        else:
            self._paint_numbers(painter, scale)
        painter.setPen(QColor(theme.text))
        title_area = QRectF(
            frame.left(), frame.bottom() + line_height + SPACE_S, frame.width(), line_height
        )
        label = painter.fontMetrics().elidedText(
            translate_message(x_axis.label), Qt.TextElideMode.ElideRight, int(frame.width())
        )
        painter.drawText(title_area, Qt.AlignmentFlag.AlignCenter, label)
        painter.save()
        painter.translate(line_height * 0.7, frame.center().y())
        painter.rotate(-90)
        painter.drawText(
            QRectF(-frame.height() / 2, -line_height / 2, frame.height(), line_height),
            Qt.AlignmentFlag.AlignCenter,
            translate_message(y_axis.label),
        )
        painter.restore()

    def _paint_numbers(self, painter: QPainter, scale: AxisScale) -> None:
        theme, frame, line_height = current_theme(), scale.frame, painter.fontMetrics().height()
        for value, label in self._ticks(0):
            x = scale.x(value)
            painter.setPen(QColor(theme.line))
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            painter.setPen(QColor(theme.quiet))
            painter.drawText(
                QRectF(x - 60, frame.bottom() + 4, 120, line_height),
                Qt.AlignmentFlag.AlignCenter,
                label,
            )

    def _paint_legend(self, painter: QPainter, scale: AxisScale) -> None:
        metrics, entries = painter.fontMetrics(), self.entries()
        line_height, left = metrics.height() * 1.35, scale.frame.right() + SPACE_M
        for row, (name, swatch) in enumerate(entries[:MAX_LEGEND_LINES]):
            y = scale.frame.top() + line_height * (row + 0.5)
            if y + line_height > scale.frame.bottom() and row + 1 < len(entries):
                painter.drawText(QPointF(left, y + metrics.ascent() / 2), "…")
                return
            painter.save()
            swatch(painter, QPointF(left + SWATCH_WIDTH / 2, y))
            painter.restore()
            painter.setPen(QColor(current_theme().text))
            label_area = QRectF(
                left + SWATCH_WIDTH + SPACE_S,
                y - line_height / 2,
                self.width() - left - SWATCH_WIDTH - SPACE_S,
                line_height,
            )
            painter.drawText(
                label_area,
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(label_area.width())),
            )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        scale = self.scale()
        show_tooltip(self, event, self.tooltip_at(scale, event.position()) if scale else "")


def draw_shape(painter: QPainter, centre: QPointF, shape: int, size: float = POINT_SIZE) -> None:
    """Draw a point; `shape` is the index of its shape.

    The shapes are, from 0: disc, square, triangle, diamond, inverted triangle and cross.
    """
    x, y, half_size = centre.x(), centre.y(), size
    corners = {
        1: (
            (-half_size, -half_size),
            (half_size, -half_size),
            (half_size, half_size),
            (-half_size, half_size),
        ),
        2: ((0, -half_size), (half_size, half_size), (-half_size, half_size)),
        3: (
            (0, -1.3 * half_size),
            (1.3 * half_size, 0),
            (0, 1.3 * half_size),
            (-1.3 * half_size, 0),
        ),
        4: ((0, half_size), (half_size, -half_size), (-half_size, -half_size)),
    }
    if shape % 6 == 0:
        painter.drawEllipse(centre, half_size, half_size)
    elif shape % 6 == 5:
        painter.drawRect(QRectF(x - half_size, y - half_size / 3, 2 * half_size, half_size / 1.5))
        painter.drawRect(QRectF(x - half_size / 3, y - half_size, half_size / 1.5, 2 * half_size))
    else:
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners[shape % 6]]))


class LinePlot(Plot):
    """Line chart with a legend and tooltips of the nearest point.

    Selected lines (role "chosen") have markers and can be dashed, guides are always dashed, and all
    other lines are pale and share a legend entry.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._lines: tuple[LineLike, ...] = ()

    def show_lines(
        self, x: AxisLike, y: AxisLike, lines: Sequence[LineLike], hues: Sequence[str]
    ) -> None:
        """Show lines; later lines are drawn over earlier lines."""
        self._lines = tuple(lines)
        empty = [np.empty(0)]
        all_values = (
            np.concatenate([line.x for line in lines] or empty),
            np.concatenate([line.y for line in lines] or empty),
        )
        self._set_data((x, y), all_values, hues)

    def pen(self, line: LineLike) -> QPen:
        """Return the pen that draws a line."""
        theme = current_theme()
        if line.role == "quiet":
            colour = QColor(theme.quiet)
            colour.setAlphaF(0.4)
            return QPen(colour, 0.8)
        is_guide = line.role == "guide"
        pen = QPen(
            QColor(theme.text) if is_guide and line.name == "ideal" else self.hue(line.hue),
            1.2 if is_guide else STROKE_WIDTH,
        )
        dashes = (3.0, 3.0) if is_guide else DASHES[line.hue % len(DASHES)]
        if dashes:
            pen.setDashPattern(list(dashes))
        return pen

    def entries(self) -> list[Entry]:
        """Return the legend entries: selected lines, guides, and one entry for all other lines.

        Selected lines are ordered by their mean position in the chart, the highest first.
        """
        assert self._axes is not None  # noqa: S101 -- called only when there is data to show
        sign = 1 if self._axes[1].is_reversed else -1
        named_lines = [line for line in self._lines if line.role == "chosen"]
        named_lines.sort(key=lambda line: sign * float(line.y.mean()) if len(line.y) else 0.0)
        named_lines += [line for line in self._lines if line.role == "guide"]
        legend: list[Entry] = [
            (line.name, partial(self._draw_swatch, line)) for line in named_lines
        ]
        quiet_lines = [line for line in self._lines if line.role == "quiet"]
        if quiet_lines:
            label = filled(self.tr("{count} others"), count=f"{len(quiet_lines):,}")
            legend.append((label, partial(self._draw_swatch, quiet_lines[0])))
        return legend

    def _draw_swatch(self, line: LineLike, painter: QPainter, centre: QPointF) -> None:
        painter.setPen(self.pen(line))
        painter.drawLine(
            centre - QPointF(SWATCH_WIDTH / 2, 0), centre + QPointF(SWATCH_WIDTH / 2, 0)
        )
        if line.role == "chosen":
            self._draw_shape(painter, centre, line)

    def _draw_shape(self, painter: QPainter, centre: QPointF, line: LineLike) -> None:
        painter.setPen(QPen(QColor(current_theme().surface), 1))
        painter.setBrush(self.hue(line.hue))
        draw_shape(painter, centre, line.hue)

    def paint_marks(self, painter: QPainter, scale: AxisScale) -> None:
        for line in self._lines:
            painter.setPen(self.pen(line))
            points = scale.points(line.x, line.y)
            painter.drawPolyline(QPolygonF(points))
            if line.role == "chosen":
                for point in points[:: max(1, -(-len(points) // 11))]:
                    self._draw_shape(painter, point, line)

    def tooltip_at(self, scale: AxisScale, position: QPointF) -> str:
        """Return the tooltip of the nearest point of any line."""
        best_distance, tooltip = HOVER_DISTANCE, ""
        for line in reversed(self._lines):
            if len(line.x):
                distances = np.hypot(
                    scale.xs(line.x) - position.x(), scale.ys(line.y) - position.y()
                )
                nearest = int(distances.argmin())
                if distances[nearest] < best_distance:
                    best_distance = float(distances[nearest])
                    tooltip = scale.tooltip(
                        line.name, float(line.x[nearest]), float(line.y[nearest])
                    )
        return tooltip


class BarPlot(Plot):
    """Bar chart of differences between two runs, in the given order, with legend and tooltips.

    Bars start at 0; those of negative values are hatched. By default, the first run is better if a
    value is positive, the second if it is negative; without `is_directed`, the value of that run is
    higher, but not better. The legend counts the topics of each kind, and ties. The chart shows the
    figure of differences on the figures page; the Compare page has a `DifferencePlot`.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._heights = np.empty(0)
        self._names = ("", "")
        self._is_directed = True

    def show_bars(
        self,
        x: AxisLike,
        y: AxisLike,
        heights: Floats,
        names: tuple[str, str],
        hues: Sequence[str],
        *,
        is_directed: bool = True,
    ) -> None:
        """Show bars; `names` are two runs: the first is better if a height is positive.

        If `is_directed` is False, the value of that run is higher, but not better.
        """
        self._heights, self._names, self._is_directed = heights, names, is_directed
        self._set_data((x, y), (np.arange(float(len(heights))), heights), hues)

    def entries(self) -> list[Entry]:
        """Return legend entries with numbers of topics: one for each run, and one for any ties.

        The number for a run counts the topics on which that run is better, or its value higher.
        """
        outcome = (
            self.tr("{name} better: {count}")
            if self._is_directed
            else self.tr("{name} higher: {count}")
        )
        counts = int((self._heights > 0).sum()), int((self._heights < 0).sum())
        labels = [
            filled(outcome, name=name, count=f"{count:,}")
            for name, count in zip(self._names, counts, strict=True)
        ]
        legend: list[Entry] = [
            (label, partial(self._draw_swatch, series)) for series, label in enumerate(labels)
        ]
        ties = len(self._heights) - sum(counts)
        return (
            [*legend, (filled(self.tr("equal: {ties}"), ties=f"{ties:,}"), self._draw_tie)]
            if ties
            else legend
        )

    def _draw_tie(self, painter: QPainter, centre: QPointF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_theme().text))
        painter.drawEllipse(centre, 2.5, 2.5)

    def _draw_swatch(self, series: int, painter: QPainter, centre: QPointF) -> None:
        self._draw_bar(
            painter, QRectF(centre.x() - SWATCH_WIDTH / 2, centre.y() - 5, SWATCH_WIDTH, 10), series
        )

    def _draw_bar(self, painter: QPainter, bar: QRectF, series: int) -> None:
        painter.fillRect(bar, self.hue(series))
        if series:
            painter.fillRect(
                bar, QBrush(QColor(current_theme().surface), Qt.BrushStyle.BDiagPattern)
            )

    def paint_marks(self, painter: QPainter, scale: AxisScale) -> None:
        """Draw the bars, and a line at 0."""
        step = scale.frame.width() / max(1, len(self._heights))
        zero = scale.y(0.0)
        for index, height in enumerate(self._heights.tolist()):
            x, y = scale.x(index), scale.y(height)
            if height:
                self._draw_bar(
                    painter,
                    QRectF(x - step * 0.4, min(y, zero), max(step * 0.8, 1.0), abs(y - zero)),
                    int(height < 0),
                )
            else:
                self._draw_tie(painter, QPointF(x, zero))
        painter.setPen(QColor(current_theme().text))
        painter.drawLine(QPointF(scale.frame.left(), zero), QPointF(scale.frame.right(), zero))

    def tooltip_at(self, scale: AxisScale, position: QPointF) -> str:
        """Return the tooltip of the bar under the mouse."""
        index = int(
            (position.x() - scale.frame.left())
            // (scale.frame.width() / max(1, len(self._heights)))
        )
        has_bar = 0 <= index < len(self._heights)
        return scale.tooltip("", float(index), float(self._heights[index])) if has_bar else ""


class PointPlot(Plot):
    """Scatter plot; selected points differ in colour or shape, and have legend entries.

    All other points are in the background, as equal circles. The tooltip describes the point that
    is nearest to the mouse, unless all are too far away. The plot is on the figures page.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._names: tuple[str, ...] = ()
        self._selected_points: list[int] = []

    def show_points(
        self,
        x: AxisLike,
        y: AxisLike,
        names: Sequence[str],
        positions: tuple[Floats, Floats],
        roles: Sequence[str],
        hues: Sequence[str],
    ) -> None:
        """Show named points; those with the role "chosen" are selected."""
        self._names = tuple(names)
        self._selected_points = [index for index, role in enumerate(roles) if role == "chosen"]
        self._set_data((x, y), positions, hues)

    def entries(self) -> list[Entry]:
        """Return a legend entry for each selected point."""
        return [
            (self._names[index], partial(self._draw_point, hue))
            for hue, index in enumerate(self._selected_points)
        ]

    def _draw_point(self, hue: int | None, painter: QPainter, centre: QPointF) -> None:
        if hue is None:
            painter.setPen(QPen(QColor(current_theme().quiet), 1.3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, POINT_SIZE, POINT_SIZE)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.hue(hue))
            draw_shape(painter, centre, hue + hue // 6, POINT_SIZE + 1)

    def paint_marks(self, painter: QPainter, scale: AxisScale) -> None:
        """Draw the unselected points, then the selected ones."""
        points = scale.points(*self._values)
        for index in set(range(len(points))) - set(self._selected_points):
            self._draw_point(None, painter, points[index])
        for hue, index in enumerate(self._selected_points):
            self._draw_point(hue, painter, points[index])

    def tooltip_at(self, scale: AxisScale, position: QPointF) -> str:
        """Return the tooltip of the nearest point."""
        if not self._names:
            return ""
        distances = np.hypot(
            scale.xs(self._values[0]) - position.x(), scale.ys(self._values[1]) - position.y()
        )
        nearest = int(distances.argmin())
        return (
            scale.tooltip(
                self._names[nearest],
                float(self._values[0][nearest]),
                float(self._values[1][nearest]),
            )
            if distances[nearest] < HOVER_DISTANCE
            else ""
        )
