"""The charts of a workbook, which a spreadsheet program draws from the cells."""

from typing import Any

import numpy as np

from irjudge.evaluation.table import Evaluation
from irjudge.report.workbook.curves import CURVES, SHOWN, curve_row
from irjudge.report.workbook.evaluation import BY_TOPIC, Beside
from irjudge.report.workbook.sheets import Book

CHARTS = "Charts"
MOST_LINES, MOST_BARS = 8, 4  # runs in a chart: more cannot be told apart
# Okabe and Ito (2008): colours that people tell apart who see fewer of them.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
WIDTH, HEIGHT, TOPIC_WIDTH, WIDEST = 720, 420, 26, 2400  # pixels
ROW_HEIGHT, GAP = 20, 2


class Charts:
    """The sheet of charts: it stands among the first sheets, and the charts come onto it one below the other."""

    def __init__(self, book: Book, evaluation: Evaluation) -> None:
        self._book, self._evaluation = book, evaluation
        self._sheet = book.workbook.add_worksheet(CHARTS)
        self._sheet.hide_gridlines(2)
        self._sheet.set_portrait()
        self._sheet.fit_to_pages(1, 1)
        self._row = 0
        first = np.array([run.summary[0] if len(run.summary) else 0.0 for run in evaluation.runs])
        self._best = np.argsort(-first, kind="stable").tolist()

    def curves(self) -> None:
        """Draw each curve of the best runs from the sheet Curves."""
        for place, curve in enumerate(SHOWN):
            first, last = curve_row(place), curve_row(place, len(curve.points) - 1)
            chart = self._book.workbook.add_chart({"type": "scatter", "subtype": "straight_with_markers"})
            runs = self._best[:MOST_LINES]
            for colour, run in zip(COLOURS, runs, strict=False):
                column = 2 + run
                look = {"line": {"color": colour, "width": 2}, "marker": {"type": "circle", "size": 5, "fill": {"color": colour}}}
                where = {"categories": [CURVES, first, 1, last, 1], "values": [CURVES, first, column, last, column]}
                chart.add_series({"name": [CURVES, 0, column], **where, **look})
            scale = {"log_base": 10} if curve.logarithmic else {"min": curve.points[0]}
            chart.set_x_axis({"name": curve.axis, "max": curve.points[-1], "major_gridlines": {"visible": False}, **scale})
            self._put(chart, curve.title, curve.height, len(runs), WIDTH, most=1)

    def bars(self, shown: Beside) -> None:
        """Draw the values of the best runs topic by topic, by the first measure of the sheet By topic."""
        chart = self._book.workbook.add_chart({"type": "column"})
        runs, last = self._best[:MOST_BARS], len(shown.topics)
        for colour, run in zip(COLOURS, runs, strict=False):
            column = shown.column(shown.measures[0], run)
            where = {"categories": [BY_TOPIC, 1, 0, last, 0], "values": [BY_TOPIC, 1, column, last, column]}
            chart.add_series({"name": [BY_TOPIC, 0, column], **where, "fill": {"color": colour}, "gap": 60})
        chart.set_x_axis({"name": "Topic"})
        name = self._evaluation.measures[shown.measures[0]].name
        self._put(chart, f"{name} by topic", name, len(runs), min(WIDEST, max(WIDTH, TOPIC_WIDTH * last)))

    def _put(self, chart: Any, title: str, height: str, runs: int, width: int, most: float | None = None) -> None:
        of, all_runs = self._evaluation.measures[0].name, len(self._evaluation.runs)
        title += f", the {runs} best of {all_runs} runs by {of}" if runs < all_runs else ""
        chart.set_title({"name": title, "name_font": {"size": 13, "bold": True}, "overlay": False})
        lines = {"visible": True, "line": {"color": "#D9D9D9"}}
        chart.set_y_axis({"name": height, "min": 0, "max": most, "num_format": "0.0", "major_gridlines": lines})
        chart.set_legend({"position": "bottom"})
        chart.set_size({"width": width, "height": HEIGHT})
        self._sheet.insert_chart(self._row, 0, chart, {"x_offset": 12, "y_offset": 12, "description": title})
        self._row += HEIGHT // ROW_HEIGHT + GAP
