"""The axes of live charts: from values to places on the screen, and which numbers and names stand along them."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from irjudge_ui.widgets.theme import SPACE_S, current_theme
from irjudge_ui.words import in_language, plain

Floats = npt.NDArray[np.float64]
ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


class AxisLike(Protocol):
    """An axis: what stands along it, its ends (None where the values say), or the names of its places."""

    @property
    def label(self) -> str: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def falling(self) -> bool: ...


def ends(axis: AxisLike, values: Floats) -> tuple[float, float]:
    """Return where an axis begins and ends."""
    if axis.names:
        return -0.5, len(axis.names) - 0.5
    found = values[np.isfinite(values)]
    low = float(found.min(initial=np.inf)) if axis.low is None else axis.low
    high = float(found.max(initial=-np.inf)) * 1.05 if axis.high is None else axis.high
    return (low, high) if np.isfinite([low, high]).all() and low < high else (0.0, 1.0)


def ticks(axis: AxisLike, values: Floats, room: float) -> list[tuple[float, str]]:
    """Return round values along an axis, with their words; about as many as there is room for."""
    if axis.names:
        return []
    low, high = ends(axis, values)
    rough = (high - low) / max(2.0, min(room, 6.0))
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(each * power for each in ROUND if each * power >= rough * 0.999)
    if axis.falling:
        step = max(1.0, round(step))
    first, decimals = (
        np.ceil(low / step - 1e-9),
        max(0, -int(np.floor(np.log10(step) + 1e-9)) + (round(step / power, 2) == 2.5)),
    )
    found = [(first + at) * step for at in range(int((high - first * step) / step + 1e-9) + 1)]
    found = (
        [low, *(each for each in found if each - low > step / 2)] if axis.falling else found
    )  # the first place is always named
    return [(value, f"{value + 0.0:.{decimals}f}") for value in found]


class AxisScale:
    """How values become places inside a frame."""

    def __init__(
        self, frame: QRectF, x: AxisLike, y: AxisLike, x_values: Floats, y_values: Floats
    ) -> None:
        self.frame, self.axes = frame, (x, y)
        self._x, self._y = ends(x, x_values), ends(y, y_values)
        if y.falling:
            self._y = (self._y[1] + 0.5, self._y[0] - 0.5)

    def xs(self, values: Floats) -> Floats:
        """Return where values stand from left to right."""
        low, high = self._x
        return np.asarray(self.frame.left() + self.frame.width() * (values - low) / (high - low))

    def ys(self, values: Floats) -> Floats:
        """Return where values stand from top to bottom."""
        low, high = self._y
        return np.asarray(self.frame.bottom() - self.frame.height() * (values - low) / (high - low))

    def x(self, value: float) -> float:
        """Return where one value stands from left to right."""
        return float(self.xs(np.array([value]))[0])

    def y(self, value: float) -> float:
        """Return where one value stands from top to bottom."""
        return float(self.ys(np.array([value]))[0])

    def points(self, x: Floats, y: Floats) -> list[QPointF]:
        """Return where points stand."""
        return [
            QPointF(*each) for each in zip(self.xs(x).tolist(), self.ys(y).tolist(), strict=True)
        ]

    def words(self, name: str, x: float, y: float) -> str:
        """Return what a point is, as words for a tool tip."""
        parts = [name, *(said(axis, value) for axis, value in zip(self.axes, (x, y), strict=True))]
        return "\n".join(filter(None, parts))


def said(axis: AxisLike, value: float) -> str:
    """Return the place or the value on an axis, in words."""
    if axis.names:
        return axis.names[int(value)]
    return f"{in_language(axis.label)}: {value:.4f}".rstrip("0").rstrip(".")


def draw_lines(
    painter: QPainter, frame: QRectF, labels: Sequence[str], strong: int | None = None
) -> None:
    """Draw a line across a frame for each label, from the bottom to the top, with the label beside it; one of them may be stronger."""
    theme, metrics = current_theme(), painter.fontMetrics()
    for place, label in enumerate(labels):
        y = frame.bottom() - frame.height() * place / (len(labels) - 1)
        painter.setPen(QColor(theme.quiet if place == strong else theme.line))
        painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
        painter.setPen(QColor(theme.quiet))
        room = QRectF(0, y - metrics.height() / 2, frame.left() - SPACE_S, metrics.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)


def draw_places(painter: QPainter, frame: QRectF, names: Sequence[str]) -> None:
    """Write names side by side below a frame, each in the middle of its share."""
    metrics, step = painter.fontMetrics(), frame.width() / max(1, len(names))
    for place, name in enumerate(names):
        room = QRectF(frame.left() + step * place, frame.bottom() + SPACE_S, step, metrics.height())
        painter.drawText(
            room,
            Qt.AlignmentFlag.AlignCenter,
            metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(step)),
        )


def say_at(widget: QWidget, event: QMouseEvent, *lines: str) -> None:
    """Say beside the mouse what is under it; nothing where there is nothing."""
    QToolTip.showText(event.globalPosition().toPoint(), plain("\n".join(lines)), widget)


def drawn_names(painter: QPainter, scale: AxisScale, colour: QColor) -> None:
    """Write the names of the places below the frame, as many as have room."""
    names: Sequence[str] = scale.axes[0].names
    metrics, step = painter.fontMetrics(), scale.frame.width() / max(1, len(names))
    widest = min(max((metrics.horizontalAdvance(name) for name in names), default=0) + SPACE_S, 160)
    every = max(1, int(np.ceil(widest / step)))
    painter.setPen(colour)
    for place in range(0, len(names), every):
        room = QRectF(
            scale.x(place) - step * every / 2,
            scale.frame.bottom() + 4,
            step * every,
            metrics.height(),
        )
        words = metrics.elidedText(names[place], Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)
