"""From a number to its topics: the values of a measure by topic, of the chosen run and of others, and the way to each explanation."""

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irjudge_ui.charts.topics import spans
from irjudge_ui.models.tables import Column, TableModel, sorted_model
from irjudge_ui.pages.results.evaluate_table import Floats, Results, number
from irjudge_ui.widgets.filter_line import FilterLine
from irjudge_ui.widgets.layout import card, text
from irjudge_ui.widgets.table import Table
from irjudge_ui.words import filled

MOST_RUNS = 8  # that have a column each; of more, the median and the highest stand beside the chosen one
SHORT = 6  # heights of a line of text that the column of topics has at least: many runs stand beside it
translate = QCoreApplication.translate


class TopicDrill(QWidget):
    """Values by topic. `explained` comes with (run, topic) when a value is opened."""

    explained = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.model = TableModel()
        self._names: list[str] = []
        self._title = text(self.tr("By topic"), "heading")
        self.table = Table(sorted_model(self.model), self.tr("Values by topic"))
        self.table.readable = SHORT
        self.table.setToolTip(self.tr("Enter or a double click shows where a number comes from"))
        self.table.opened.connect(self._open)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(card(self._title, FilterLine(self.table), self.table))

    def show_values(self, results: Results, place: int, run: int, decimals: int) -> None:
        """Show the values of a measure, those of a run first."""
        measure, values = results.table.measures[place], results.values[place]
        name = results.table.runs[run].run
        self._title.setText(filled(self.tr("%1 of %2"), measure.name, name))
        others = [other for other in range(len(values)) if other != run]
        names = [each.run for each in results.table.runs]
        if len(values) <= MOST_RUNS:
            self._names = [name, *(names[other] for other in others)]
            shown, headers = values[[run, *others]], self._names
        else:
            self._names = [name]
            shown, headers = _summarised(values, run), [name, *_summaries(len(values))]
        rows = list(zip(results.topics, shown.T.tolist(), strict=True))
        self.model.fill(rows, _columns(headers, decimals, measure.definition, results.titles))

    def clear(self) -> None:
        """Show nothing."""
        self.model.fill(())

    def enter(self) -> None:
        """Put the focus on the chosen run's topics, the highest value first."""
        self.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
        self.table.setCurrentIndex(self.table.model().index(0, 1))
        self.table.setFocus()

    def _open(self, row: int) -> None:
        column = self.table.currentIndex().column()
        run = self._names[column - 1] if 1 <= column <= len(self._names) else self._names[0]
        self.explained.emit(run, str(self.table.model().index(row, 0).data()))


def _summarised(values: Floats, run: int) -> Floats:
    """Return the values of a run, and the median and highest of all runs: shape (3, T)."""
    _, median, high = spans(values).T
    return np.stack([values[run], median, high])


def _summaries(count: int) -> list[str]:
    words = filled(translate("TopicDrill", "Median of %1 runs"), f"{count:,}")
    return [words, translate("TopicDrill", "Highest")]


def _columns(headers: Sequence[str], decimals: int, definition: str, titles: Mapping[str, str]) -> list[Column]:
    columns = [Column(translate("EvaluateView", "Topic"), lambda line: line[0], also=lambda line: titles.get(line[0], ""))]
    for place, header in enumerate(headers):
        value = lambda line, place=place: float(line[1][place])  # noqa: E731 -- bound to its place
        columns.append(Column(header, value, number(decimals), number=True, help=definition))
    return columns
