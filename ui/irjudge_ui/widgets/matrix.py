"""A correlation matrix: each cell a number on a colour, blue for alike and orange for opposite, the chosen one explained elsewhere."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, SPACE_XS, Theme, current_theme, ink_on

STEPS = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1)}
# Blue and orange are told apart by every kind of eye, and both grow away from the page in lightness, so grey print keeps how far.
OPPOSITE = ("#B45309", "#F0A35E")  # on light, on dark
LONGEST_NAME = 16  # digits wide; what is longer ends in an ellipsis and stands whole in the words below
TALL = 2.2  # heights of a line of text


class Matrix(QWidget):
    """Shows a value for every two names; arrows and clicks choose a cell, which `chosen` tells."""

    chosen = Signal(int, int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._names: tuple[str, ...] = ()
        self._values: npt.NDArray[np.float64] = np.empty((0, 0))
        self._cell = (0, 0)

    def show_values(self, names: Sequence[str], values: npt.NDArray[np.float64], decimals: int = 2) -> None:
        """Show values between -1 and 1, shape (names, names); the first cell beside the diagonal is chosen."""
        self._names, self._values, self._decimals = tuple(names), values, decimals
        self._cell = (0, min(1, max(0, len(names) - 1)))
        self.setMinimumWidth(self._name_width() + len(names) * self._cell_width())
        self.updateGeometry()
        self._tell()

    def cell(self) -> tuple[int, int]:
        """Return the row and column that are chosen."""
        return self._cell

    def shown(self, row: int, column: int) -> str:
        """Return a value as it is printed."""
        return f"{self._values[row, column]:z.{self._decimals}f}".replace("-", "−")

    def choose(self, row: int, column: int) -> None:
        """Choose a cell."""
        if 0 <= row < len(self._names) and 0 <= column < len(self._names):
            self._cell = (row, column)
            self._tell()

    def _tell(self) -> None:
        self.update()
        if self._names:
            row, column = self._cell
            self.setAccessibleDescription(f"{self._names[row]}, {self._names[column]}: {self.shown(row, column)}")
            self.chosen.emit(row, column)

    # Sizes, all in multiples of the letters

    def _name_width(self) -> int:
        metrics = self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, self._names), default=0)
        return min(widest, metrics.horizontalAdvance("0" * LONGEST_NAME)) + SPACE_M

    def _cell_width(self) -> int:
        return self.fontMetrics().horizontalAdvance("−0.0000") + SPACE_M

    def _height(self) -> int:
        return round(self.fontMetrics().height() * TALL)

    def _widest_cell(self) -> int:
        return max(self._cell_width(), self._name_width() + SPACE_M)

    def sizeHint(self) -> QSize:
        """Ask for what the names need."""
        return QSize(self._name_width() + len(self._names) * self._widest_cell(), self._height() * (len(self._names) + 1))

    def minimumSizeHint(self) -> QSize:
        """Stay readable."""
        return QSize(self._name_width() + len(self._names) * self._cell_width(), self.sizeHint().height())

    def _place(self, row: int, column: int) -> QRectF:
        """Return where a cell is; row -1 has the names of the columns, column -1 those of the rows."""
        left, height = self._name_width(), self._height()
        width = min(self._widest_cell(), (self.width() - left) / max(1, len(self._names)))
        if column < 0:
            return QRectF(0, height * (row + 1), left - SPACE_S, height)
        gap = SPACE_XS if row < 0 else 0
        return QRectF(left + width * column + gap, height * (row + 1), width - 2 * gap, height)

    # What Qt calls

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw names and cells."""
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, name in enumerate(self._names):
            self._draw_name(painter, self._place(place, -1), name, Qt.AlignmentFlag.AlignRight, place == self._cell[0])
            self._draw_name(painter, self._place(-1, place), name, Qt.AlignmentFlag.AlignHCenter, place == self._cell[1])
        for row in range(len(self._names)):
            for column in range(len(self._names)):
                self._draw_cell(painter, theme, row, column)
        if self._names:
            self._draw_frame(painter, theme)

    def _draw_name(self, painter: QPainter, room: QRectF, name: str, side: Qt.AlignmentFlag, strong: bool) -> None:
        painter.setPen(QColor(current_theme().text if strong else current_theme().quiet))
        words = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, int(room.width()))
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, words)

    def _draw_cell(self, painter: QPainter, theme: Theme, row: int, column: int) -> None:
        room, value = self._place(row, column).adjusted(1, 1, -1, -1), float(self._values[row, column])
        colour = _colour(value, theme) if row != column else QColor(theme.surface)
        painter.fillRect(room, colour)
        painter.setPen(ink_on(colour) if row != column else QColor(theme.quiet))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, self.shown(row, column))

    def _draw_frame(self, painter: QPainter, theme: Theme) -> None:
        painter.setPen(QPen(QColor(theme.text), 2 if self.hasFocus() else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self._place(*self._cell).adjusted(1, 1, -1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the cell under the mouse."""
        if (found := self._at(event.position())) is not None:
            self.choose(*found)

    def _at(self, point: QPointF) -> tuple[int, int] | None:
        every = ((row, column) for row in range(len(self._names)) for column in range(len(self._names)))
        return next((place for place in every if self._place(*place).contains(point)), None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next cell with an arrow."""
        if (step := STEPS.get(Qt.Key(event.key()))) is not None:
            self.choose(self._cell[0] + step[0], self._cell[1] + step[1])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that arrows move here."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that they do not."""
        super().focusOutEvent(event)
        self.update()


def _colour(value: float, theme: Theme) -> QColor:
    """Return the page's colour for 0, the accent for 1 and orange for -1."""
    end = QColor(theme.accent if value > 0 else OPPOSITE[theme.dark])
    return _mixed(QColor(theme.grade_zero), end, min(1.0, abs(value)))


def _mixed(one: QColor, other: QColor, part: float) -> QColor:
    pairs = zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)  # type: ignore[index]
    return QColor(*(round(a + (b - a) * part) for a, b in pairs))
