"""Dot plot of the values of runs by topic, with the dots of the selected run on top."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge_ui.charts.plot import draw_lines, draw_names_below, label_grid, show_tooltip
from irjudge_ui.messages import filled
from irjudge_ui.widgets import SPACE_M, SPACE_S, Theme, current_theme

DOT_RADIUS = 3.5
CLICK_TOLERANCE = 10  # click tolerance around a dot, in pixels
GRID_LINE_COUNT = 5
MAX_NAMES, MIN_NAME_LENGTH = 30, 5
SHAPE_COUNT = 4  # number of dot shapes; dots differ by shape and colour
# maximum number of runs drawn as dots; if there are more, only the selected run has dots, and the
# others are drawn as a range with a tick at the median
MAX_RUNS = 10
TICK_LENGTH = 3


class TopicPlot(QWidget):
    """Plot of the evaluation page: values by topic, as dots for runs or ranges for many runs.

    The topics are sorted by mean value, the best first. The selected run always has dots; if there
    are many runs, the others have none, and the range and median of all runs are drawn. `picked` is
    emitted with the run and topic of a clicked dot. Keyboard users select a run and a topic in the
    table next to the plot.
    """

    picked = Signal(str, str)

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._runs: tuple[str, ...] = ()
        self._topics: tuple[str, ...] = ()
        self._values: npt.NDArray[np.float64] = np.empty((0, 0))
        # minimum, median and maximum of each topic's values; empty if each run is drawn as dots
        self._spans: npt.NDArray[np.float64] = np.empty((0, 3))
        self._range = (0.0, 1.0)
        self._selected_run = 0

    def show_values(
        self,
        runs: Sequence[str],
        topics: Sequence[str],
        values: npt.NDArray[np.float64],
        selected_run: int,
        *,
        rising: bool = False,
    ) -> None:
        """Show values of shape (runs, topics); the topics are ordered by their mean values.

        The topic with the highest mean is first or, if `rising`, the topic with the lowest mean. A
        value is NaN if a run was not evaluated on a topic. The mean ignores NaN, and a topic
        without values is last. `selected_run` is the index of a run.
        """
        counts = np.count_nonzero(~np.isnan(values), axis=0)
        means = np.nansum(values, axis=0) / np.maximum(counts, 1)
        order = np.lexsort((means if rising else -means, counts == 0))
        self._runs, self._topics = tuple(runs), tuple(topics[index] for index in order)
        self._values, self._selected_run = values[:, order] if len(runs) else values, selected_run
        self._range = _axis_range(self._values)
        self._spans = compute_spans(self._values) if len(runs) > MAX_RUNS else np.empty((0, 3))
        self.setAccessibleDescription(
            filled(
                self.tr("Runs: {runs}; topics: {topics}"),
                runs=str(len(runs)),
                topics=str(len(topics)),
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, 260)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 140)

    def _frame(self) -> QRectF:
        metrics = self.fontMetrics()
        line_height = metrics.height()
        legend_height = line_height + SPACE_S
        left = max(map(metrics.horizontalAdvance, ("0.00", *self._grid_labels()))) + SPACE_M
        return QRectF(
            left,
            legend_height + SPACE_S,
            max(1, self.width() - left - SPACE_M),
            max(1, self.height() - legend_height - line_height - 3 * SPACE_S),
        )

    def _point(self, frame: QRectF, index: int, value: float) -> QPointF:
        low, high = self._range
        step = frame.width() / max(1, len(self._topics))
        return QPointF(
            frame.left() + step * (index + 0.5),
            frame.bottom() - frame.height() * (value - low) / (high - low),
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, frame = current_theme(), self._frame()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_axes(painter, frame)
        if len(self._runs) > MAX_RUNS:
            self._draw_spans(painter, frame, theme)
        for run in [*self._list_dotted_runs(), self._selected_run] if self._runs else []:
            colour = self._colour(run, theme)
            for index, value in enumerate(self._values[run]):
                if not np.isnan(value):
                    _draw_mark(
                        painter,
                        self._point(frame, index, float(value)),
                        run,
                        colour,
                        emphasised=run == self._selected_run,
                    )
        self._draw_legend(painter, theme)

    def _list_dotted_runs(self) -> list[int]:
        """Return the indices of the unselected runs that are drawn as dots.

        The list is empty if there are more than `MAX_RUNS` runs, since many dots are slow to draw
        and unreadable.
        """
        return (
            [index for index in range(len(self._runs)) if index != self._selected_run]
            if len(self._runs) <= MAX_RUNS
            else []
        )

    def _draw_spans(self, painter: QPainter, frame: QRectF, theme: Theme) -> None:
        for index, (low, median, high) in enumerate(self._spans):
            bottom, middle, top = (
                self._point(frame, index, float(value)) for value in (low, median, high)
            )
            painter.setPen(QPen(QColor(theme.line), 2))
            painter.drawLine(bottom, top)
            painter.setPen(QPen(QColor(theme.quiet), 1.4))
            painter.drawLine(middle - QPointF(TICK_LENGTH, 0), middle + QPointF(TICK_LENGTH, 0))

    def _colour(self, run: int, theme: Theme) -> QColor:
        return QColor(theme.accent if run == self._selected_run else theme.quiet)

    def _grid_labels(self) -> list[str]:
        return label_grid(np.linspace(*self._range, GRID_LINE_COUNT + 1).tolist())

    def _draw_axes(self, painter: QPainter, frame: QRectF) -> None:
        draw_lines(painter, frame, self._grid_labels())
        step = frame.width() / max(1, len(self._topics))
        # if the names do not fit, only tooltips show the topic names
        if (
            len(self._topics) <= MAX_NAMES
            and step >= painter.fontMetrics().averageCharWidth() * MIN_NAME_LENGTH
        ):
            draw_names_below(painter, frame, self._topics)

    def _draw_legend(self, painter: QPainter, theme: Theme) -> None:
        metrics = painter.fontMetrics()
        x, y = self._frame().left(), metrics.height() / 2 + 1
        for run in sorted([*self._list_dotted_runs(), self._selected_run]) if self._runs else []:
            name = self._runs[run]
            width = metrics.horizontalAdvance(name) + SPACE_M * 3
            if x + width > self.width():
                painter.drawText(QPointF(x, y + metrics.ascent() / 2), "…")
                return
            _draw_mark(
                painter,
                QPointF(x + DOT_RADIUS, y),
                run,
                self._colour(run, theme),
                emphasised=run == self._selected_run,
            )
            painter.setPen(QColor(theme.text if run == self._selected_run else theme.quiet))
            painter.drawText(QPointF(x + SPACE_M, y + metrics.ascent() / 2 - 1), name)
            x += width
        if len(self._spans):
            painter.setPen(QColor(theme.quiet))
            painter.drawText(
                QPointF(x + SPACE_M, y + metrics.ascent() / 2 - 1),
                filled(
                    self.tr("│ range of all {count} runs, – their median"),
                    count=f"{len(self._runs):,}",
                ),
            )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        frame = self._frame()
        self.setCursor(
            Qt.CursorShape.PointingHandCursor
            if self.dot_at(event.position())
            else Qt.CursorShape.ArrowCursor
        )
        index = int(
            (event.position().x() - frame.left()) // (frame.width() / max(1, len(self._topics)))
        )
        if 0 <= index < len(self._topics):
            values = [
                f"{self._runs[run]}: {value:.4f}"
                for run in sorted([*self._list_dotted_runs(), self._selected_run])
                if not np.isnan(value := self._values[run, index])
            ]
            show_tooltip(self, event, self._topics[index], *values)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dot = self.dot_at(event.position()) if event.button() == Qt.MouseButton.LeftButton else None
        if dot:
            self.picked.emit(self._runs[dot[0]], self._topics[dot[1]])

    def dot_at(self, point: QPointF) -> tuple[int, int] | None:
        """Return the indices of the run and topic of the dot at a point; None if there is no dot.

        If dots overlap, the dot of the selected run is returned.
        """
        frame = self._frame()
        step = frame.width() / max(1, len(self._topics))
        index = int((point.x() - frame.left()) // step)
        if not 0 <= index < len(self._topics) or not self._runs:
            return None
        runs = [
            run
            for run in (self._selected_run, *self._list_dotted_runs())
            if not np.isnan(self._values[run, index])
        ]
        distances = [
            (self._point(frame, index, float(self._values[run, index])) - point).manhattanLength()
            for run in runs
        ]
        nearest = int(np.argmin(distances)) if distances else 0
        return (
            (runs[nearest], index) if distances and distances[nearest] <= CLICK_TOLERANCE else None
        )


def compute_spans(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return minimum, median and maximum per topic, shape (topics, 3).

    `values` has shape (runs, topics). NaN is ignored; a topic without values gets 0.
    """
    sorted_values = np.sort(values, axis=0)  # NaN comes last
    count = (~np.isnan(values)).sum(axis=0)
    topics = np.arange(values.shape[1])
    high = sorted_values[np.maximum(count - 1, 0), topics]
    median = (
        sorted_values[np.maximum(count - 1, 0) // 2, topics]
        + sorted_values[np.minimum(count // 2, len(values) - 1), topics]
    ) / 2
    return np.asarray(
        np.where(count[:, None] > 0, np.stack([sorted_values[0], median, high], axis=1), 0)
    )


def _axis_range(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the limits of the value axis: 0 and 1, extended to include all values."""
    finite = values[~np.isnan(values)]
    return min(0.0, float(finite.min(initial=0.0))), max(1.0, float(finite.max(initial=1.0)))


def _draw_mark(
    painter: QPainter, point: QPointF, run: int, colour: QColor, *, emphasised: bool
) -> None:
    """Draw a filled dot for the selected run, and an outlined shape for any other run."""
    painter.setPen(QPen(colour, 1.4))
    painter.setBrush(colour if emphasised else Qt.BrushStyle.NoBrush)
    size = DOT_RADIUS + emphasised
    box = QRectF(point.x() - size, point.y() - size, 2 * size, 2 * size)
    shape = run % SHAPE_COUNT
    if shape == 0:
        painter.drawEllipse(box)
    elif shape == 1:
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    elif shape == 2:
        painter.drawPolygon([QPointF(point.x(), box.top()), box.bottomLeft(), box.bottomRight()])
    else:
        painter.drawPolygon(
            [
                QPointF(point.x(), box.top()),
                QPointF(box.right(), point.y()),
                QPointF(point.x(), box.bottom()),
                QPointF(box.left(), point.y()),
            ]
        )
