"""Estimates of the runs of a project whose pool was sampled: each that fits the pool, with its interval."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irjudge.evaluation.estimates import Estimation, applicable_estimates
from irjudge.evaluation.project_evaluation import estimate_project
from irjudge.judging.judged_qrels import QrelsChoice
from irjudge.metrics.judged import Scores
from irjudge.pooling.estimates import ESTIMATES
from irjudge.progress import Progress
from irjudge.store.project import Project
from irjudge_ui.charts.intervals import IntervalTable, IntervalValue
from irjudge_ui.jobs import Failure, Latest
from irjudge_ui.messages import filled, in_language, listed, plain, sentences
from irjudge_ui.models.tables import Column, IntervalColumn, IntervalModel
from irjudge_ui.pages.shared.policy import EvaluationWish, rests_on
from irjudge_ui.widgets.fields import ChoiceBox
from irjudge_ui.widgets.layout import card, labelled, row, text
from irjudge_ui.widgets.table import FilterLine

MOST_RUNS = 7  # shown at once
translate = QCoreApplication.translate


class EstimatedRun(NamedTuple):
    """Value and interval of a run by one estimate."""

    run: str
    value: float
    # the 95 % interval; nan where there is none
    low: float
    high: float


class EstimatesPanel(QWidget):
    """Shows what runs are worth by the estimate that is chosen; all that fit are computed at once, beside the window."""

    def __init__(self, latest: Callable[[], Latest], failed: Failure) -> None:
        super().__init__()
        self._work, self._failed = latest(), failed
        self._decimals, self._source = 4, ""
        self.found: Estimation | None = None
        self.estimate, self.about = ChoiceBox(), text("", "quiet")
        self.estimate.setAccessibleName(self.tr("Estimate"))
        self.model = IntervalModel()
        self.table = IntervalTable(self.model, self.tr("Estimates of the runs"), rows=MOST_RUNS)
        self.rests_on, self.unfit = text("", "small"), text("", "small")
        for name, each in ESTIMATES.items():
            self.estimate.addItem(name, name)
            self.estimate.setItemData(
                self.estimate.count() - 1,
                plain(in_language(each.meaning)),
                Qt.ItemDataRole.ToolTipRole,
            )
        self.estimate.activated.connect(lambda _place: self._show())
        head = row(
            text(self.tr("Estimates"), "heading", wrap=False),
            None,
            labelled(self.tr("Estimate"), self.estimate),
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(
            card(head, self.about, FilterLine(self.table), self.table, self.rests_on, self.unfit)
        )
        self.clear()

    def show_project(
        self, project: Project, wish: EvaluationWish, choice: QrelsChoice, decimals: int
    ) -> None:
        """Estimate the runs of a project under a wish; what is chosen stays where it fits the pool."""
        pool = project.rankings.pool()
        if pool is None:
            return
        self._decimals, self._source = decimals, choice.words
        self._offer(applicable_estimates(pool))
        self.found = None
        self.model.fill(())
        self.rests_on.setText(self.tr("Computing …"))
        self.show()

        def work(progress: Progress) -> tuple[Estimation, Scores]:
            with project.second_connection() as other:
                found = estimate_project(other, wish.policy(), choice, progress)
            return found, found.intervals()

        self._work.run(work, self._take, self._fail)

    def stop(self) -> None:
        """Show nothing, and no more of what is computed."""
        self._work.stop()
        self.hide()

    def clear(self) -> None:
        """Show nothing, and forget what was chosen for another project."""
        self.stop()
        self.estimate.setCurrentIndex(-1)

    def _offer(self, fit: tuple[str, ...]) -> None:
        """Let only what fits the pool be chosen, and say what the others lack."""
        items = self.estimate.model()
        for place, name in enumerate(ESTIMATES):
            if isinstance(items, QStandardItemModel):
                items.item(place).setEnabled(name in fit)
        if self.estimate.currentData() not in fit:
            self.estimate.setCurrentIndex(self.estimate.findData(fit[0]))
        lacking: dict[str, list[str]] = {}
        for name in ESTIMATES:
            if name not in fit:
                lacking.setdefault(in_language(ESTIMATES[name].needs), []).append(name)
        words = self.tr("Not of this pool: {names}. They need {needs}.")
        self.unfit.setText(
            sentences(
                *(
                    filled(words, names=listed(names), needs=needs)
                    for needs, names in lacking.items()
                )
            )
        )
        self.unfit.setVisible(bool(lacking))

    def _take(self, found: tuple[Estimation, Scores]) -> None:
        self.found, self._ends = found
        self._show()

    def _fail(self, fault: Exception, trace: str) -> None:
        self.hide()
        self._failed(fault, trace)

    def _show(self) -> None:
        """Show the runs by the chosen estimate, the best first."""
        name = str(self.estimate.currentData())
        about = in_language(ESTIMATES[name].meaning)
        self.about.setText(f"{about[:1].upper()}{about[1:]}")
        if self.found is None:
            return
        place = self.found.names.index(name)
        values, ends = self.found.means()[:, place].tolist(), self._ends[:, place].tolist()
        rows = [
            EstimatedRun(run, value, *both)
            for run, value, both in zip(self.found.runs, values, ends, strict=True)
        ]
        ceiling = float(np.nanmax([1.0, *values, *(each.high for each in rows)]))
        self.model.fill(rows, estimate_columns(name, ceiling, self._decimals))
        self.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
        self.table.setCurrentIndex(self.table.model().index(0, 0))
        interval = self.tr("Intervals: 95 % of the mean, the topics drawn anew.")
        self.rests_on.setText(
            sentences(
                rests_on(self._source),
                *map(in_language, (*self.found.remarks, *self.found.missing_intervals)),
                interval,
            )
        )


def estimate_columns(name: str, ceiling: float, decimals: int) -> list[Column]:
    """Return run and estimate, drawn with its interval on a scale from 0."""

    def span(row: EstimatedRun) -> IntervalValue:
        low, value, high = (f"{each:.{decimals}f}" for each in (row.low, row.value, row.high))
        if math.isnan(row.low):
            return IntervalValue(row.value, None, None, 0.0, ceiling, value)
        return IntervalValue(row.value, row.low, row.high, 0.0, ceiling, value, f"{low}–{high}")

    about = in_language(ESTIMATES[name].meaning)
    return [
        Column(translate("EvaluateView", "Run"), lambda row: row.run),
        IntervalColumn(name, lambda row: row.value, help=about, span=span),
    ]
