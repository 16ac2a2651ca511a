"""Where a figure is shown: drawn live, as a picture, or as the table of its values."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from irjudge.report.figures.chart import Bars, Chart, LineSeries, Points
from irjudge.report.figures.drawing import DARK_FIGURE, LIGHT_FIGURE, FigureColours
from irjudge_ui.charts.plot import BarPlot, LinePlot, PointPlot
from irjudge_ui.messages import filled, in_language
from irjudge_ui.models.tables import Column, TableModel
from irjudge_ui.pages.figures.work import DrawnFigure
from irjudge_ui.widgets.layout import column
from irjudge_ui.widgets.table import FilterLine, Table
from irjudge_ui.widgets.theme import current_theme, zoomed

SHOWN_ROWS = 5000
SPOKEN = 12  # values that a screen reader is told at once; all of them stand in the table


class StagePicture(QWidget):
    """A picture of a figure, drawn for the pixels of this screen; a new one comes when it has another size."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._pixmap, self._shown = QPixmap(), b""

    def show_picture(self, png: bytes) -> None:
        """Show a PNG; to read it takes a while, so the one that is shown is not read again."""
        if png is not self._shown:
            self._shown = png
            self._pixmap.loadFromData(png)
            self.update()

    def minimumSizeHint(self) -> QSize:
        """Stay readable."""
        return QSize(zoomed(240), zoomed(220))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw it as large as there is room, whole, and never stretched."""
        if not self._pixmap.isNull():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            size = QSize(self._pixmap.size()).scaled(
                self.size(), Qt.AspectRatioMode.KeepAspectRatio
            )
            painter.drawPixmap(
                (self.width() - size.width()) // 2,
                (self.height() - size.height()) // 2,
                size.width(),
                size.height(),
                self._pixmap,
            )


class FigureStage(QStackedWidget):
    """Shows a chart by what suits it."""

    def __init__(self) -> None:
        super().__init__()
        name = self.tr("Figure")
        self.lines, self.bars, self.points, self.picture = (
            LinePlot(name),
            BarPlot(name),
            PointPlot(name),
            StagePicture(name),
        )
        self.values = TableModel()
        self.table = Table(self.values, self.tr("Values of the figure"))
        self._listing = QWidget()
        self._listing.setLayout(column(FilterLine(self.table), self.table))
        for part in (self.lines, self.bars, self.points, self.picture, self._listing):
            self.addWidget(part)

    @property
    def shows_values(self) -> bool:
        """Whether the values stand in the place of the drawing."""
        return self.currentWidget() is self._listing

    def show_chart(self, made: DrawnFigure, words: str, *, as_table: bool) -> None:
        """Show a chart; `words` say what it shows to those who do not see it."""
        part: QWidget = self._drawn(made.chart, made.picture)
        part.setAccessibleDescription(words)
        if as_table:
            rows = made.rows[:SHOWN_ROWS]
            self.values.fill(
                rows,
                [_column(place, header, rows) for place, header in enumerate(made.chart.columns)],
            )
            self.table.setAccessibleDescription(words)
        self.setCurrentWidget(self._listing if as_table else part)
        self.setFocusProxy(self.table if as_table else part)

    def _drawn(self, chart: Chart, picture: bytes) -> QWidget:
        hues, marks = look_now().hues, chart.marks
        if isinstance(marks, LineSeries):
            self.lines.show_lines(chart.x, chart.y, marks.lines, hues)
            return self.lines
        if isinstance(marks, Bars):
            self.bars.show_bars(chart.x, chart.y, marks.heights, (marks.above, marks.below), hues)
            return self.bars
        if isinstance(marks, Points):
            self.points.show_points(
                chart.x, chart.y, marks.names, (marks.x, marks.y), marks.roles, hues
            )
            return self.points
        self.picture.show_picture(picture)
        return self.picture


def look_now() -> FigureColours:
    """Return how figures look in the theme of now."""
    return DARK_FIGURE if current_theme().dark else LIGHT_FIGURE


def spoken(made: DrawnFigure, more: str) -> str:
    """Return a chart in words: title, caption and its first values; `more` says how many others there are, at {count}."""
    chart, rows = made.chart, made.rows
    said = "; ".join(" ".join(_said(cell) for cell in row) for row in rows[:SPOKEN])
    rest = " " + filled(more, count=f"{len(rows) - SPOKEN:,}") if len(rows) > SPOKEN else ""
    return f"{in_language(chart.title)}. {in_language(chart.caption)} {', '.join(chart.columns)}: {said}.{rest}"


def _said(cell: Any) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.4f}".rstrip("0").rstrip(".")
    return str(cell)


def _column(place: int, header: str, rows: Sequence[tuple[Any, ...]]) -> Column:
    """Return a column of values; all numbers of it have as many decimals as the one that needs most."""
    decimals = max(
        (len(_said(row[place]).partition(".")[2]) for row in rows if isinstance(row[place], float)),
        default=0,
    )
    number = any(isinstance(row[place], float | int) for row in rows)

    def words(value: Any) -> str:
        if value != value:
            return "–"
        return f"{value:.{decimals}f}" if isinstance(value, float | int) else str(value)

    return Column(
        header,
        lambda row: float("nan") if row[place] is None else row[place],
        words,
        number=number,
    )
