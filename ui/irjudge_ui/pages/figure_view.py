"""Display of a figure: a chart drawn by the window, a picture, or a table of values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QSize, QSizeF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from irjudge.evaluation import Evaluation
from irjudge.progress import Progress
from irjudge.report import Cell
from irjudge.report.figures import (
    DARK_FIGURE,
    LIGHT_FIGURE,
    MAX_INCHES,
    Bars,
    Chart,
    Figure,
    FigureColours,
    FigureOptions,
    JudgeAudits,
    JudgedRankings,
    LineSeries,
    Material,
    Points,
    read_project_material,
    render_figure,
)
from irjudge.store import Project
from irjudge_ui.charts import BarPlot, LinePlot, PointPlot
from irjudge_ui.messages import filled, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.shared import EvaluationOptions
from irjudge_ui.widgets import (
    FilterLine,
    Table,
    column,
    current_theme,
    make_container,
    scale_length,
)

# Functions for background jobs: read the data of a figure, make the chart, and render it

# kinds of charts that the window draws itself; all other charts are rendered as pictures
WINDOW_SERIES = (LineSeries, Bars, Points)
MIN_INCHES = (3.0, 2.6)  # minimum size of a picture in inches, so that its labels fit


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """Request of the figures page: figure, measures, evaluation options and figure options.

    `measures` is the text of the page's field: names separated by spaces. The measures in `policy`
    are not used. `key` identifies the data of the figure, so that the data are not read again if
    only the figure options change. The size and colours of the picture are separate
    (`PictureOptions`).
    """

    figure: Figure
    measures: str
    policy: EvaluationOptions
    options: FigureOptions

    @property
    def key(self) -> tuple[str, str, str]:
        """Key under which the data of the figure are cached; it does not depend on `options`."""
        return (
            self.figure.input_kind,
            self.measures if self.figure.input_kind == "values" else "",
            self.policy.stored_text() if self.figure.input_kind != "labels" else "",
        )


@dataclass(frozen=True, slots=True, eq=False)
class RenderedFigure:
    """Result of making a figure: request, chart, its data and values, and a PNG.

    `material` contains the data from which the chart was made, and can be reused for other figure
    options; `rows` are the values of the chart as a table. The PNG is empty if the window draws the
    chart itself.
    """

    spec: FigureSpec
    material: Material
    chart: Chart
    rows: tuple[tuple[Cell, ...], ...] = ()
    picture: bytes = b""

    @property
    def runs(self) -> tuple[str, ...]:
        if isinstance(self.material, Evaluation):
            return tuple(run.run for run in self.material.runs)
        if isinstance(self.material, JudgeAudits):
            orderings = [
                audit.orderings.systems for audit in self.material.audits if audit.orderings
            ]
            return tuple(ordering.run for ordering in orderings[0]) if orderings else ()
        return self.material.runs if isinstance(self.material, JudgedRankings) else ()

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.material.warnings if isinstance(self.material, JudgeAudits) else ()

    @property
    def models(self) -> tuple[str, ...]:
        return self.material.models if isinstance(self.material, JudgeAudits) else ()


def make_figure(
    project: Project,
    spec: FigureSpec,
    known_material: Material | None,
    render: Callable[[Chart], bytes],
    progress: Progress,
) -> RenderedFigure:
    """Create the chart of a figure; its data are read unless they are in `known_material`.

    `render` returns the PNG of a chart that the window does not draw itself.
    """
    material = known_material
    if material is None:
        with project.second_connection() as job_project:
            needs_qrels = spec.figure.input_kind not in ("labels", "models")
            material = read_project_material(
                job_project,
                spec.figure,
                spec.policy.policy(),
                spec.measures.split() if needs_qrels else (),
                spec.policy.choice(job_project) if needs_qrels else None,
                progress,
            )
    chart = spec.figure.chart(material, spec.options)
    return RenderedFigure(
        spec,
        material,
        chart,
        tuple(chart.rows()),
        b"" if isinstance(chart.marks, WINDOW_SERIES) else render(chart),
    )


def render_png(chart: Chart, colours: FigureColours, size: QSizeF, scale: float) -> bytes:
    """Return a chart as a PNG with a size in pixels at normal zoom, scaled by a factor."""
    width, height = (
        min(max(side / 96, minimum), MAX_INCHES)
        for side, minimum in zip((size.width(), size.height()), MIN_INCHES, strict=True)
    )
    return render_figure(
        replace(chart, title="", caption=""),
        "png",
        colours,
        size=(width, height),
        dpi=96 * scale,
    )


# Widgets that display a figure

MAX_ROWS = 5000
# maximum number of values in the description for screen readers; the table has all values
MAX_SPOKEN_VALUES = 12


class StagePicture(QWidget):
    """Part of `FigureStage` that shows a figure as a picture (a PNG), scaled to its size.

    The aspect ratio is kept. It is used for charts that the window does not draw itself.
    """

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._pixmap, self._png = QPixmap(), b""

    def show_picture(self, png: bytes) -> None:
        """Show a PNG; do nothing if it is displayed already, since decoding is slow."""
        if png is not self._png:
            self._png = png
            self._pixmap.loadFromData(png)
            self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(scale_length(240), scale_length(220))

    def paintEvent(self, _event: QPaintEvent) -> None:
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
    """Widget of the figures page that shows a figure: its chart, or a table of its values.

    Lines, bars and points are drawn by the window; other charts are shown as pictures. The table
    has a filter field, and at most `MAX_ROWS` rows. The table is read-only.
    """

    def __init__(self) -> None:
        super().__init__()
        name = self.tr("Figure")
        self.lines, self.bars, self.points = LinePlot(name), BarPlot(name), PointPlot(name)
        self.picture = StagePicture(name)
        self.values = TableModel()
        self.table = Table(self.values, self.tr("Values shown in the figure"))
        self._table_page = make_container(column(FilterLine(self.table), self.table))
        for part in (self.lines, self.bars, self.points, self.picture, self._table_page):
            self.addWidget(part)

    def sizeHint(self) -> QSize:
        """Return the minimum height, so that the caption below is visible if space is limited."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    @property
    def shows_values(self) -> bool:
        return self.currentWidget() is self._table_page

    def show_chart(self, figure: RenderedFigure, description: str, *, as_table: bool) -> None:
        part: QWidget = self._draw_chart(figure.chart, figure.picture)
        part.setAccessibleDescription(description)
        if as_table:
            rows, headers = figure.rows[:MAX_ROWS], figure.chart.columns
            self.values.fill(
                rows, [_column(column, header, rows) for column, header in enumerate(headers)]
            )
            self.table.setAccessibleDescription(description)
        self.setCurrentWidget(self._table_page if as_table else part)
        self.setFocusProxy(self.table if as_table else part)

    def _draw_chart(self, chart: Chart, picture: bytes) -> QWidget:
        hues, marks = current_look().hues, chart.marks
        if isinstance(marks, LineSeries):
            self.lines.show_lines(chart.x, chart.y, marks.lines, hues)
            return self.lines
        if isinstance(marks, Bars):
            self.bars.show_bars(
                chart.x,
                chart.y,
                marks.heights,
                (marks.above, marks.below),
                hues,
                is_directed=marks.is_directed,
            )
            return self.bars
        if isinstance(marks, Points):
            self.points.show_points(
                chart.x, chart.y, marks.names, (marks.x, marks.y), marks.roles, hues
            )
            return self.points
        self.picture.show_picture(picture)
        return self.picture


def current_look() -> FigureColours:
    """Return the colours of figures for the current theme."""
    return DARK_FIGURE if current_theme().dark else LIGHT_FIGURE


def describe_figure(figure: RenderedFigure, more_text: str) -> str:
    """Return a description for screen readers: title, caption and first values.

    `more_text` is a template with `{count}`, for the number of values that are left out.
    """
    chart, rows = figure.chart, figure.rows
    values_text = "; ".join(" ".join(map(_format_cell, row)) for row in rows[:MAX_SPOKEN_VALUES])
    further_text = (
        " " + filled(more_text, count=f"{len(rows) - MAX_SPOKEN_VALUES:,}")
        if len(rows) > MAX_SPOKEN_VALUES
        else ""
    )
    return f"{translate_message(chart.title)}. {translate_message(chart.caption)} {', '.join(chart.columns)}: {values_text}.{further_text}"


def _format_cell(cell: Any) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.4f}".rstrip("0").rstrip(".")
    return str(cell)


def _column(column: int, header: str, rows: Sequence[tuple[Any, ...]]) -> Column:
    """Return a table column that shows all its numbers with the same number of decimals."""
    decimals = max(
        (
            len(_format_cell(row[column]).partition(".")[2])
            for row in rows
            if isinstance(row[column], float)
        ),
        default=0,
    )

    def format_value(value: Any) -> str:
        if value != value:
            return "–"
        return f"{value:.{decimals}f}" if isinstance(value, float | int) else str(value)

    return Column(
        header,
        lambda row: float("nan") if row[column] is None else row[column],
        format_value,
        number=any(isinstance(row[column], float | int) for row in rows),
    )
