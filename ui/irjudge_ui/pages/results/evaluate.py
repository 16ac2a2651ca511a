"""Evaluation page: values of runs by measures, estimates from sampled pools, reports."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QLineEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    Estimation,
    Evaluation,
    applicable_estimates,
    estimate_project,
    needs_estimates,
)
from irjudge.judging import QrelsChoice, list_qrels_choices
from irjudge.metrics import Scores
from irjudge.pooling import ESTIMATES
from irjudge.progress import Progress
from irjudge.store import Project
from irjudge_ui.actions import BY_ID, ActionHandler, create_actions
from irjudge_ui.charts import IntervalTable, IntervalValue, TopicPlot
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.jobs import Failure, LatestJob, on_project
from irjudge_ui.messages import (
    filled,
    join_list,
    join_sentences,
    translate,
    translate_message,
)
from irjudge_ui.models import Column, IntervalColumn, IntervalModel
from irjudge_ui.pages.results.leaderboard import Leaderboard, Results, TopicValues, build_results
from irjudge_ui.pages.results.measure_chooser import MeasureChooser, describe_measure
from irjudge_ui.pages.shared import (
    EvaluationOptions,
    PolicyBar,
    RarePagesLine,
    RulePanel,
    ValueRequest,
    View,
    describe_qrels_source,
    store_options,
    stored_options,
)
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    Chips,
    ChoiceBox,
    FilterLine,
    PageScrollArea,
    SideBySide,
    card,
    column,
    make_button,
    make_label,
    named,
    row,
    show_text,
    with_label,
)

# Card with estimated values of the runs, for a project with a sampled pool

MAX_RUNS = 7  # maximum number of rows shown at once


class EstimatedRun(NamedTuple):
    """Table row: value of a run as estimated by one estimator, and the ends of its interval.

    The value is the mean of a measure over topics, estimated from a sampled pool. The table is that
    of `EstimatesPanel`.
    """

    run: str
    value: float
    # ends of the 95 % interval; NaN if there is none
    low: float
    high: float


class EstimatesPanel(QWidget):
    """Card of the evaluation page with a selector of estimators, and a table of estimates.

    An estimator, such as xinfAP, estimates the value of a measure for each run from a sampled pool.
    The estimates of all applicable estimators are computed in one background job. The card is
    hidden until `show_project` is called for a project with a pool.
    """

    def __init__(self, latest: Callable[..., LatestJob], failed: Failure) -> None:
        super().__init__()
        self._job = latest(on_cancelled=self._forget_computing)
        self._failed = failed
        self._decimals, self._source = 4, ""
        self.estimation: Estimation | None = None
        self.estimate, self.description_label = (
            ChoiceBox(activated=lambda _index: self._show()),
            make_label("", "quiet"),
        )
        self.model = IntervalModel()
        self.table = IntervalTable(self.model, self.tr("Estimates by run"), rows=MAX_RUNS)
        self.basis_label, self.unavailable_note = make_label("", "small"), make_label("", "small")
        for name, method in ESTIMATES.items():
            self.estimate.add_choice(name, name, translate_message(method.meaning))
        self.setLayout(
            column(
                card(
                    row(
                        make_label(self.tr("Estimates"), "heading", wrap=False),
                        None,
                        with_label(self.tr("Estimate"), self.estimate),
                    ),
                    self.description_label,
                    FilterLine(self.table),
                    self.table,
                    self.basis_label,
                    self.unavailable_note,
                )
            )
        )
        self.clear()

    def _forget_computing(self) -> None:
        self.basis_label.setText("")

    def show_project(
        self, project: Project, options: EvaluationOptions, choice: QrelsChoice, decimals: int
    ) -> None:
        if (pool := project.rankings.pool()) is None:
            return
        self._decimals, self._source = decimals, choice.description
        self._offer(applicable_estimates(pool))
        self.estimation = None
        self.model.fill(())
        self.basis_label.setText(self.tr("Computing …"))
        self.show()

        def compute(job_project: Project, progress: Progress) -> tuple[Estimation, Scores]:
            estimation = estimate_project(job_project, options.policy(), choice, progress)
            return estimation, estimation.intervals()

        self._job.run(on_project(project, compute), self._show_estimates, self._show_failure)

    def stop(self) -> None:
        self._job.stop()
        self.hide()

    def clear(self) -> None:
        self.stop()
        self.estimate.setCurrentIndex(-1)

    def _offer(self, applicable: tuple[str, ...]) -> None:
        """Enable the estimators that apply to the pool; explain why the others do not apply."""
        item_model = self.estimate.model()
        for index, name in enumerate(ESTIMATES):
            if isinstance(item_model, QStandardItemModel):
                item_model.item(index).setEnabled(name in applicable)
        if self.estimate.currentData() not in applicable:
            self.estimate.setCurrentIndex(self.estimate.findData(applicable[0]))
        names_by_need: dict[str, list[str]] = {}
        for name in ESTIMATES:
            if name not in applicable:
                names_by_need.setdefault(translate_message(ESTIMATES[name].needs), []).append(name)
        template = self.tr("Not available for this pool: {names}. Required: {needs}.")
        show_text(
            self.unavailable_note,
            join_sentences(
                *(
                    filled(template, names=join_list(names), needs=need)
                    for need, names in names_by_need.items()
                )
            ),
        )

    def _show_estimates(self, estimates: tuple[Estimation, Scores]) -> None:
        self.estimation, self._interval_ends = estimates
        self._show()

    def _show_failure(self, error: Exception, trace: str) -> None:
        self.hide()
        self._failed(error, trace)

    def _show(self) -> None:
        name = str(self.estimate.currentData())
        meaning = translate_message(ESTIMATES[name].meaning)
        self.description_label.setText(f"{meaning[:1].upper()}{meaning[1:]}")
        if self.estimation is None:
            return
        index = self.estimation.names.index(name)
        values = self.estimation.means()[:, index].tolist()
        rows = [
            EstimatedRun(run, value, *ends_of_run)
            for run, value, ends_of_run in zip(
                self.estimation.runs, values, self._interval_ends[:, index].tolist(), strict=True
            )
        ]
        ceiling = float(np.nanmax([1.0, *values, *(row.high for row in rows)]))
        self.model.fill(rows, estimate_columns(name, ceiling, self._decimals))
        self.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
        self.table.setCurrentIndex(self.table.model().index(0, 0))
        self.basis_label.setText(
            join_sentences(
                describe_qrels_source(self._source),
                *map(
                    translate_message, (*self.estimation.notes, *self.estimation.missing_intervals)
                ),
                self.tr("Intervals: 95 % intervals of the mean, from resampled topics."),
            )
        )


def estimate_columns(name: str, ceiling: float, decimals: int) -> list[Column]:
    """Return the columns: run, and estimate with its interval, on a scale from 0 to `ceiling`."""

    def make_interval(row: EstimatedRun) -> IntervalValue:
        low, value, high = (f"{number:.{decimals}f}" for number in (row.low, row.value, row.high))
        if math.isnan(row.low):
            return IntervalValue(row.value, None, None, 0.0, ceiling, value)
        return IntervalValue(row.value, row.low, row.high, 0.0, ceiling, value, f"{low}–{high}")

    return [
        Column(translate("EvaluateView", "Run"), lambda row: row.run),
        IntervalColumn(
            name,
            lambda row: row.value,
            help=translate_message(ESTIMATES[name].meaning),
            span=make_interval,
        ),
    ]


# Report formats: file formats, and printing

PRINT_FORMAT = "print"
# title and purpose of each report format, by file extension
REPORT_FORMATS = {
    ".xlsx": (
        QT_TRANSLATE_NOOP("Report", "Excel workbook"),
        QT_TRANSLATE_NOOP("Report", "All values, with formulas that recompute them."),
    ),
    ".html": (
        QT_TRANSLATE_NOOP("Report", "Web page"),
        QT_TRANSLATE_NOOP("Report", "A single file with figures, for reading and sharing."),
    ),
    ".tex": (
        QT_TRANSLATE_NOOP("Report", "LaTeX"),
        QT_TRANSLATE_NOOP("Report", "Tables for a paper."),
    ),
    ".md": (
        QT_TRANSLATE_NOOP("Report", "Markdown"),
        QT_TRANSLATE_NOOP("Report", "Tables for a repository or a wiki."),
    ),
    ".csv": (
        QT_TRANSLATE_NOOP("Report", "CSV"),
        QT_TRANSLATE_NOOP("Report", "One value per line, for other programs."),
    ),
    ".zip": (
        QT_TRANSLATE_NOOP("Report", "Study archive"),
        QT_TRANSLATE_NOOP(
            "Report", "Report, qrels and checksums, to verify and reproduce the results."
        ),
    ),
    PRINT_FORMAT: (
        QT_TRANSLATE_NOOP("Report", "Print"),
        QT_TRANSLATE_NOOP(
            "Report",
            "Tables for printing; tables by topic are included only if they fit on the page.",
        ),
    ),
}


class ReportFormatBox(ChoiceBox):
    """Choice box of the evaluation page with report formats and printing, each described.

    The value of a choice is a file extension such as ".xlsx", or `PRINT_FORMAT`. The workbook is
    the first choice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Format"))
        for report_format, (title, purpose) in REPORT_FORMATS.items():
            self.add_choice(
                translate("Report", str(title)), report_format, translate("Report", str(purpose))
            )


# The evaluation page

NARROW_WIDTH, NARROW_HEAD_WIDTH, MIN_PLOT_HEIGHT = 760, 420, 200


class EvaluateView(View):
    """Evaluation page: options, leaderboard, values by topic, estimates, consensus rule.

    Values of the project's runs are computed in the background. The page also asks for the path of
    a report, and requests that the window writes or prints the report. The options are stored in
    the project if it can be written.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.results: Results | None = None
        self._job = self.latest(on_cancelled=self._clear_values)
        self._when_ready: Callable[[], None] | None = None  # called once the values are computed
        self._computed_measures = ""  # content of the measures field when values were last computed
        self.measures = named(
            QLineEdit(str(settings.get("measures"))),
            self.tr("Measures"),
            self.tr("Names or groups separated by spaces, for example: AP P@10 nDCG@10 official"),
        )
        self.chips = Chips(self.measures, describe_measure)
        self.policy = PolicyBar()
        self.rule = RulePanel(self.latest(quiet=True))
        self.cautions = make_label("", "warning")
        self.estimates = EstimatesPanel(self.latest, self.show_error)
        self.to_estimates = make_button(self.tr("Estimates"), clicked=self._go_to_estimates)
        self.board = Leaderboard(settings, self.latest, self.show_error, rows=MAX_RUNS)
        self.runs = self.board.model
        self.run_table = self.board.table
        self.basis_label = self.board.basis_label
        self.options = self.board.options
        self.run_table.setToolTip(
            self.tr("Press Enter or double-click a number to see its values by topic")
        )
        self.topic_values = TopicValues()
        self.plot = TopicPlot(self.tr("Values by topic"))
        self._plot_title, self.empty = make_label("", "heading"), make_label("", "quiet")
        self._lay_out()
        self.measures.editingFinished.connect(self._enter_measures)
        self.chips.removed.connect(self._enter_measures)
        self.policy.changed.connect(self.compute)
        self.board.count_missing.clicked.connect(lambda: self.policy.choose_topics("qrels"))
        self.rule.changed.connect(self._change_rule)
        self.run_table.selectionModel().currentChanged.connect(
            lambda _current, _previous: self._show_topics()
        )
        self.run_table.opened.connect(lambda _row: self.topic_values.enter())
        self.topic_values.explained.connect(self._explain)
        self.plot.picked.connect(self._explain)
        self.actions_by_id = create_actions(
            self,
            {
                "workbook": ActionHandler(self.ask_workbook, lambda: self.has_table),
                "measures": ActionHandler(self.chips.edit),
                "catalogue": ActionHandler(self.choose_measures),
            },
        )

    def _lay_out(self) -> None:
        self._export_button, self.form = self.action_button("workbook"), ReportFormatBox()
        self.next_buttons = {"workbook": self._export_button}
        self.more_pages = RarePagesLine(self, self._settings, self.tr("Evaluation"))
        self._plot_card = card(self._plot_title, self.plot)
        self.minimum_heights = dict.fromkeys((self._plot_card, self.topic_values), MIN_PLOT_HEIGHT)
        self._lower_part = SideBySide(
            column(self._plot_card), column(self.topic_values), NARROW_WIDTH, (5, 4)
        )
        self._page = PageScrollArea(
            column(
                SideBySide(
                    column(self.more_pages), row(self.form, self._export_button), NARROW_HEAD_WIDTH
                ),
                row(
                    make_label(self.tr("Measures"), "quiet", wrap=False),
                    self.chips,
                    self.action_button("catalogue"),
                    spacing=SPACE_M,
                    stretched=self.chips,
                ),
                self.policy,
                self.problem,
                row(self.cautions, self.to_estimates, stretched=self.cautions),
                self.empty,
                self.board,
                self.estimates,
                self._lower_part,
                self.rule,
                None,
                spacing=SPACE_M,
                stretched=self._lower_part,
                stretch=100,
            )
        )
        self.setLayout(column(self._page))

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self.results = None
        self._clear_values()
        self.estimates.clear()
        options = stored_options(project, self._settings)
        self._show_measures(options.measures)
        self.policy.show_options(options)

    def focus(self) -> None:
        self.run_table.setFocus()

    def point_to(self, action: str) -> None:
        if action == "workbook":
            self._ask_from_button()

    def _ask_from_button(self) -> None:
        if self._job.busy:
            self._when_ready = self._ask_from_button
        else:
            self._export_button.setFocus()
            self.ask_workbook()

    def refresh(self) -> None:
        if self.project is not None:
            # the live evaluation page also stores the selected qrels, if the project can be written
            if self.project.writing:
                self.policy.select_qrels(stored_options(self.project, self._settings).qrels)
            self.policy.offer(list_qrels_choices(self.project))
            self.compute()

    # Actions

    @property
    def table(self) -> Evaluation | None:
        return self.results.table if self.results else None

    @property
    def has_table(self) -> bool:
        """Whether there are results to write, or they are being computed."""
        return self.results is not None or self._job.busy

    def choose_measures(self) -> None:
        dialog = MeasureChooser(self, self.measures.text())
        dialog.chosen.connect(self.use_measures)
        dialog.open()

    def use_measures(self, names: str) -> None:
        self._show_measures(names)
        self._enter_measures()

    def _show_measures(self, names: str) -> None:
        self.measures.setText(names)
        # scroll a long text to its beginning, since the table also begins with the first measure
        self.measures.setCursorPosition(0)

    def ask_workbook(self) -> None:
        if self._job.busy:
            self._when_ready = self.ask_workbook
        elif self.project:
            self.ask_where(str(self.form.currentData()))

    @property
    def prints(self) -> bool:
        return self.has_table

    def print_page(self) -> None:
        self.ask_where(PRINT_FORMAT)

    def ask_where(self, report_format: str) -> None:
        if report_format == PRINT_FORMAT:
            self.printed.emit(self.table)
        elif self.project:
            title = translate("Report", str(REPORT_FORMATS[report_format][0]))
            path, _ = ask_save_path(
                self,
                BY_ID["workbook"].label,
                self.project.path.with_suffix(report_format),
                f"{title} (*{report_format})",
            )
            if path:
                self.report.emit(
                    self.table,
                    path if path.suffix in REPORT_FORMATS else Path(f"{path}{report_format}"),
                )

    def _enter_measures(self) -> None:
        if self.measures.text() != self._computed_measures:
            self.compute()

    # Computation

    def compute(self) -> None:
        project, self._computed_measures = self.project, self.measures.text()
        self._job.stop()
        self.board.stop()
        self.estimates.stop()
        self._set_results(None)
        self._when_ready = None
        if project is None or not self._is_ready(project):
            return
        options = self.evaluation_options()
        try:
            measures = options.parse()
        except IrjudgeError as error:
            self.show_problem(translate_message(str(error)))
            return
        self.show_problem("")
        try:
            store_options(project, options)
        except IrjudgeError as error:
            # show the error, but compute the values anyway
            self.show_problem(translate_message(str(error)))
        choice = self.policy.choice()
        if choice and choice.source == "consensus":
            self.rule.show_rule(project, options)
        else:
            self.rule.hide()
        if choice and needs_estimates(project, choice):
            self.estimates.show_project(project, options, choice, self.decimals)
        self.run_on_project(
            self._job,
            lambda job_project, progress: build_results(
                job_project, measures, options.policy(), choice, progress
            ),
            self._show,
        )

    def _clear_values(self) -> None:
        self.board.clear()
        self.topic_values.model.fill(())
        for part in (self.board, self._lower_part):
            part.hide()

    def _go_to_estimates(self) -> None:
        self._page.verticalScrollBar().setValue(self.estimates.y())
        self.estimates.table.setFocus()

    def _change_rule(self) -> None:
        self.refresh()
        self.changed.emit()

    def _set_results(self, results: Results | None) -> None:
        self.results = results
        self._export_button.setEnabled(results is not None)
        cautions = [translate_message(note) for note in results.table.notes] if results else []
        show_text(self.cautions, "\n".join(f"⚠ {caution}" for caution in cautions))
        self.to_estimates.setVisible(bool(cautions) and not self.estimates.isHidden())

    def evaluation_options(self) -> EvaluationOptions:
        return self.policy.options(self.measures.text())

    def _is_ready(self, project: Project) -> bool:
        missing = ""
        if not project.rankings.runs():
            missing = self.tr("There are no runs to evaluate. Add some on the Collection page.")
        elif self.policy.choice() is None:
            missing = self.tr(
                "There are no qrels yet. Judge some documents, or import qrels on the "
                "Collection page."
            )
        show_text(self.empty, missing)
        for part in (self.board, self._lower_part):
            part.setVisible(not missing)
        return not missing

    # Display

    def _show(self, results: Results) -> None:
        self._set_results(results)
        self.board.show_table(results.table)
        callback, self._when_ready = self._when_ready, None
        if callback:
            callback()

    def _current_cell(self) -> tuple[int, int] | None:
        index = self.run_table.currentIndex()
        if self.results is None or not self.results.table.runs or not index.isValid():
            return None
        measure = min(max(0, index.column() - 1), len(self.results.table.measures) - 1)
        return measure, self.runs.row_of(index)

    def _show_topics(self) -> None:
        if self.results and (current := self._current_cell()):
            measure, run = current
            measure_of_plot = self.results.table.measures[measure]
            self._plot_title.setText(filled(self.tr("{by} by topic"), by=measure_of_plot.name))
            self.plot.show_values(
                [run.run for run in self.results.table.runs],
                self.results.topics,
                self.results.values[measure],
                run,
                rising=measure_of_plot.direction < 0,
            )
            self.topic_values.show_values(self.results, measure, run, self.decimals)

    def _explain(self, run: str, topic: str) -> None:
        if self.results and (current := self._current_cell()):
            self.opens.emit(
                "explain",
                ValueRequest(
                    run,
                    topic,
                    self.results.table.measures[current[0]].name,
                    self.evaluation_options(),
                ),
            )


def ask_report(page: QWidget, start: Path) -> Path | None:
    """Ask for the path of a report in any format; return None if the dialog is cancelled."""
    path, chosen_filter = ask_save_path(
        page,
        BY_ID["workbook"].label,
        start,
        ";;".join(
            ("Excel (*.xlsx)", "HTML (*.html)", "LaTeX (*.tex)", "Markdown (*.md)", "CSV (*.csv)")
        ),
    )
    if not path:
        return None
    suffix = chosen_filter.rpartition("*")[2].rstrip(")") or ".xlsx"
    return path if path.suffix in REPORT_FORMATS else Path(f"{path}{suffix}")
