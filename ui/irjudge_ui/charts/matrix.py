"""Matrix plots: numbers in cells, with row and column names.

Each cell shows its value as text and as a shade.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from irjudge_ui.charts.plot import show_tooltip
from irjudge_ui.widgets import (
    SPACE_S,
    SPACE_XS,
    Theme,
    choose_text_colour,
    current_theme,
    heat_colour,
    scale_length,
)

Values = npt.NDArray[np.float64]
MAX_NAME_LENGTH = 16  # maximum number of characters of a name
MAX_SPOKEN_CELLS = 100  # maximum number of cells described to a screen reader
MAX_HEIGHT = 420  # maximum height of the scroll area, in pixels at the normal zoom
CELL_HEIGHT = 2.2  # height of a selectable cell, in lines of text
KEY_STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
# colour of the correlation -1 in a light and in a dark theme; blue and orange are distinguishable
# for colour-blind users; in greyscale, the lightness shows only the distance from 0
NEGATIVE_COLOURS = ("#B45309", "#F0A35E")


@dataclass(frozen=True, slots=True)
class Matrix:
    """Content of a matrix plot: values as numbers in cells, and names of rows and columns.

    A matrix, such as a confusion matrix, need not be square. The titles describe what the rows and
    columns are. Cells without a value are NaN.
    """

    row_names: Sequence[str]
    column_names: Sequence[str]
    values: Values  # values, shape (rows, columns); NaN is drawn hatched, without a number
    strongest_value: float = (
        1.0  # value drawn in the strongest shade; values of 0 and less are unshaded
    )
    decimals: int = 2  # number of decimals shown
    row_title: str = ""  # title of the rows; empty if their names are self-explanatory
    column_title: str = ""  # title of the columns; empty if their names are self-explanatory

    def cell_text(self, row: int, column: int) -> str:
        """Return the text of a cell; empty if it has no value."""
        value = float(self.values[row, column])
        return "" if np.isnan(value) else f"{value:z.{self.decimals}f}".replace("-", "−")


EMPTY_MATRIX = Matrix((), (), np.empty((0, 0)))


class MatrixPlot(QWidget):
    """Read-only plot of a `Matrix` with cells of equal size, to be placed in a scroll area.

    The size of the widget depends on the matrix and the font. `resized` is emitted when a matrix is
    shown or the font changes.
    """

    resized = Signal()

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.matrix = EMPTY_MATRIX
        self._cell, self._origin = QSize(), QPointF()
        self._side_width = self._column_name_height = 0
        self._has_vertical_names = False
        self._measure()

    def show_matrix(self, matrix: Matrix) -> None:
        """Show a matrix instead of the current one."""
        self.matrix = matrix
        self._measure()
        self.setAccessibleDescription("; ".join(self._cell_texts()))
        self.resized.emit()
        self.update()

    def _cell_texts(self) -> list[str]:
        matrix = self.matrix
        cells = [
            (row, column)
            for row in range(len(matrix.row_names))
            for column in range(len(matrix.column_names))
            if matrix.cell_text(row, column)
        ]
        return [
            f"{matrix.row_names[row]}, {matrix.column_names[column]}: {matrix.cell_text(row, column)}"
            for row, column in cells[:MAX_SPOKEN_CELLS]
        ]

    # Layout

    def _measure(self) -> None:
        metrics, matrix = self.fontMetrics(), self.matrix
        cell_texts = (
            matrix.cell_text(row, column)
            for row in range(len(matrix.row_names))
            for column in range(len(matrix.column_names))
        )
        text_width = max((metrics.horizontalAdvance(text) for text in cell_texts), default=0)
        self._side_width, column_name_width = (
            self._name_width(matrix.row_names),
            self._name_width(matrix.column_names),
        )
        self._cell = self._cell_size(
            max(text_width, metrics.horizontalAdvance("0.00")) + 2 * SPACE_S, column_name_width
        )
        self._has_vertical_names = column_name_width > self._cell.width()
        self._column_name_height = (
            column_name_width if self._has_vertical_names else metrics.height()
        ) + SPACE_S
        title_height = metrics.height() + SPACE_XS
        self._origin = QPointF(
            self._side_width + (title_height if matrix.row_title else 0),
            self._column_name_height + (title_height if matrix.column_title else 0),
        )

    def _cell_size(self, text_width: int, _name_width: int) -> QSize:
        return QSize(text_width, self.fontMetrics().height() + 2 * SPACE_S)

    def _name_width(self, names: Sequence[str]) -> int:
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(name) for name in names), default=0)
        return min(widest, metrics.horizontalAdvance("0" * MAX_NAME_LENGTH)) + SPACE_S

    def sizeHint(self) -> QSize:
        cell = self._cell
        origin = self._origin
        title_width = self.fontMetrics().horizontalAdvance(self.matrix.column_title)
        width = max(len(self.matrix.column_names) * cell.width(), title_width)
        return QSize(
            round(origin.x()) + width + 2,
            round(origin.y()) + len(self.matrix.row_names) * cell.height() + 2,
        )

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _cell_rect(self, row: int, column: int) -> QRectF:
        cell, origin = self._cell, self._origin
        return QRectF(
            origin.x() + column * cell.width(),
            origin.y() + row * cell.height(),
            cell.width(),
            cell.height(),
        )

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        self._draw_names(painter)
        exposed = QRectF(event.rect())
        for row in range(len(self.matrix.row_names)):
            for column in range(len(self.matrix.column_names)):
                if (cell_area := self._cell_rect(row, column)).intersects(exposed):
                    self._draw_cell(
                        painter, theme, cell_area.adjusted(0.5, 0.5, -0.5, -0.5), row, column
                    )

    def _draw_cell(
        self, painter: QPainter, theme: Theme, cell_area: QRectF, row: int, column: int
    ) -> None:
        text = self.matrix.cell_text(row, column)
        painter.setPen(QColor(theme.line))
        if not text:
            painter.setBrush(QBrush(QColor(theme.line), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(cell_area)
            return
        colour, ink = self._colours(theme, row, column)
        painter.setBrush(colour)
        painter.drawRect(cell_area)
        painter.setPen(ink)
        painter.drawText(cell_area, Qt.AlignmentFlag.AlignCenter, text)

    def _colours(self, theme: Theme, row: int, column: int) -> tuple[QColor, QColor]:
        share = max(
            0.0,
            min(1.0, float(self.matrix.values[row, column]) / (self.matrix.strongest_value or 1.0)),
        )
        return heat_colour(theme, share), QColor(theme.text)

    def _draw_names(self, painter: QPainter) -> None:
        theme, metrics, matrix = current_theme(), self.fontMetrics(), self.matrix
        painter.setPen(QColor(theme.text))
        width = self._side_width
        for row, name in enumerate(matrix.row_names):
            name_area = QRectF(
                self._origin.x() - width,
                self._cell_rect(row, 0).top(),
                width - SPACE_S,
                self._cell.height(),
            )
            painter.drawText(
                name_area,
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(name_area.width()) + 1),
            )
        for column, name in enumerate(matrix.column_names):
            self._draw_column_name(painter, self._cell_rect(0, column), name)
        self._draw_axis_titles(painter)

    def _draw_column_name(self, painter: QPainter, area: QRectF, name: str) -> None:
        name_height, vertical = self._column_name_height, self._has_vertical_names
        length = name_height - SPACE_S if vertical else int(area.width())
        elided_name = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, length + 1)
        if not vertical:
            painter.drawText(
                area.translated(0, -name_height).adjusted(0, 0, 0, name_height - area.height()),
                Qt.AlignmentFlag.AlignCenter,
                elided_name,
            )
            return
        painter.save()
        painter.translate(area.center().x(), area.top() - SPACE_XS)
        painter.rotate(-90)
        line_height = self.fontMetrics().height()
        painter.drawText(
            QRectF(0, -line_height / 2, name_height, line_height),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            elided_name,
        )
        painter.restore()

    def _draw_axis_titles(self, painter: QPainter) -> None:
        matrix, line_height, origin = self.matrix, self.fontMetrics().height(), self._origin
        painter.setPen(QColor(current_theme().quiet))
        if matrix.column_title:
            painter.drawText(
                QRectF(origin.x(), 0, self.width(), line_height),
                Qt.AlignmentFlag.AlignLeft,
                matrix.column_title,
            )
        if matrix.row_title:
            painter.save()
            painter.translate(line_height / 2, self.height())
            painter.rotate(-90)
            title_area = QRectF(0, -line_height / 2, self.height() - origin.y(), line_height)
            painter.drawText(title_area, Qt.AlignmentFlag.AlignCenter, matrix.row_title)
            painter.restore()

    # Qt overrides

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure()
            self.resized.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell, position = self._cell, event.position() - self._origin
        row, column = int(position.y() // cell.height()), int(position.x() // cell.width())
        lines = []
        if 0 <= row < len(self.matrix.row_names) and 0 <= column < len(self.matrix.column_names):
            text = self.matrix.cell_text(row, column) or "–"
            lines = [f"{self.matrix.row_names[row]} / {self.matrix.column_names[column]}: {text}"]
        show_tooltip(self, event, *lines)


class CorrelationMatrix(MatrixPlot):
    """Plot of a matrix of correlations, blue for positive and orange for negative values.

    The matrix is square. The user selects a cell with the arrow keys or the mouse; `chosen` is then
    emitted with its row and column. `chosen` is also emitted for the first cell off the diagonal
    when a matrix that is not empty is shown.
    """

    chosen = Signal(int, int)

    def __init__(self, name: str) -> None:
        self._selected_cell = (0, 0)
        super().__init__(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_matrix(self, matrix: Matrix) -> None:
        """Show a matrix of values between -1 and 1, and select the first cell off the diagonal."""
        self._selected_cell = (0, min(1, max(0, len(matrix.column_names) - 1)))
        super().show_matrix(matrix)
        self._notify_chosen()

    def cell(self) -> tuple[int, int]:
        """Return the row and the column of the selected cell."""
        return self._selected_cell

    def choose(self, row: int, column: int) -> None:
        """Select a cell."""
        if 0 <= row < len(self.matrix.row_names) and 0 <= column < len(self.matrix.column_names):
            self._selected_cell = (row, column)
            self._notify_chosen()

    def _notify_chosen(self) -> None:
        self.update()
        if len(self.matrix.row_names):
            self.setAccessibleDescription("; ".join(self._cell_texts()))
            self.chosen.emit(*self._selected_cell)

    def _cell_texts(self) -> list[str]:
        row, column = self._selected_cell
        if not len(self.matrix.row_names):
            return []
        return [
            f"{self.matrix.row_names[row]}, {self.matrix.column_names[column]}: {self.matrix.cell_text(row, column)}"
        ]

    def _cell_size(self, text_width: int, name_width: int) -> QSize:
        return QSize(
            max(text_width, name_width + SPACE_S),
            round(self.fontMetrics().height() * CELL_HEIGHT),
        )

    def _colours(self, theme: Theme, row: int, column: int) -> tuple[QColor, QColor]:
        if row == column:
            return QColor(theme.surface), QColor(theme.quiet)
        colour = correlation_colour(float(self.matrix.values[row, column]), theme)
        return colour, choose_text_colour(colour)

    # Qt overrides

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if len(self.matrix.row_names):
            painter = QPainter(self)
            painter.setPen(QPen(QColor(current_theme().text), 2 if self.hasFocus() else 1))
            painter.drawRect(self._cell_rect(*self._selected_cell).adjusted(1, 1, -1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        position = event.position() - self._origin
        self.choose(
            int(position.y() // self._cell.height()), int(position.x() // self._cell.width())
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (step := KEY_STEPS.get(Qt.Key(event.key()))) is not None:
            self.choose(self._selected_cell[0] + step[0], self._selected_cell[1] + step[1])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()


def correlation_colour(value: float, theme: Theme) -> QColor:
    """Return the colour of a correlation.

    The colour of 0 is neutral, that of 1 is the accent colour, and that of -1 is orange.
    """
    start = QColor(theme.grade_zero)
    end = QColor(theme.accent if value > 0 else NEGATIVE_COLOURS[theme.dark])
    share = min(1.0, abs(value))
    return QColor(
        *(round(a + (b - a) * share) for a, b in zip(_to_rgb(start), _to_rgb(end), strict=True))
    )


def _to_rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


class MatrixArea(QScrollArea):
    """Scroll area that contains a matrix plot and is as high as the plot, up to a maximum.

    The arrow keys scroll the area, unless the plot itself handles them.
    """

    def __init__(self, plot: MatrixPlot, name: str, max_height: int | None = MAX_HEIGHT) -> None:
        super().__init__()
        self._plot, self._max_height = plot, max_height
        self.setObjectName("inset")
        self.setAccessibleName(name)
        takes_keys = plot.focusPolicy() == Qt.FocusPolicy.StrongFocus
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if takes_keys else Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(plot)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        plot.resized.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self._plot.resize(self._plot.sizeHint())
        height = self._plot.sizeHint().height() + self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(
            height if self._max_height is None else min(height, scale_length(self._max_height))
        )
