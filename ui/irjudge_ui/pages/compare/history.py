"""History page: saved evaluations, and the significance of changes between them."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any, cast

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit

from irjudge.errors import IrjudgeError
from irjudge.evaluation import evaluate_project
from irjudge.progress import Progress
from irjudge.report import (
    EvaluationChange,
    StoredEvaluation,
    check_evaluation_name,
    compare_stored_evaluations,
    make_stored_project_evaluation,
    store_in_project,
    stored_evaluations,
)
from irjudge.report.figures import MAX_CHOSEN, Axis, Line
from irjudge.shipped import program_version
from irjudge.store import Project
from irjudge_ui.actions import ActionHandler, create_actions
from irjudge_ui.charts import LinePlot
from irjudge_ui.messages import filled, translate, translate_message
from irjudge_ui.models import Column, TableModel, format_decimal
from irjudge_ui.pages.figure_view import current_look
from irjudge_ui.pages.shared import View, stored_options
from irjudge_ui.pages.side_by_side import format_p
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    FilterLine,
    PageScrollArea,
    SideBySide,
    Table,
    card,
    column,
    fill_choices,
    make_label,
    named,
    row,
    scale_length,
    with_label,
)

ALPHA = 0.05
TEST_NAME = "t"
MAX_EVALUATIONS, MAX_DIFFERENCES = 7, 7  # maximum numbers of rows shown at once
NARROW_WIDTH, NARROW_HEAD_WIDTH, TREND_HEIGHT, MIN_CHOICE_LENGTH = 760, 620, 230, 14


class HistoryView(View):
    """History page: saves evaluations of all runs, and shows what changed between two of them.

    The page has a table of saved evaluations, a plot of their values in the order of saving, and
    tables of changes. The selected evaluation is compared with the one saved before.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job, self._comparison_job = self.latest(), self.latest()
        self._evaluations: tuple[StoredEvaluation, ...] = ()
        self.name, self.measure = (
            named(QLineEdit(), self.tr("Name")),
            ChoiceBox(MIN_CHOICE_LENGTH, activated=lambda _index: self._show()),
        )
        self.stored_evaluations, self.differences = TableModel(), TableModel()
        self.change_rows = TableModel(_change_columns())
        self.table = Table(
            self.stored_evaluations, self.tr("Saved evaluations"), rows=MAX_EVALUATIONS
        )
        self.change_table = Table(self.change_rows, self.tr("Changes"))
        self.difference_table = Table(
            self.differences, self.tr("Differences"), rows=MAX_DIFFERENCES
        )
        self.trend = LinePlot(self.tr("Trend"))
        self.empty = make_label(
            self.tr(
                "This page shows how the values of your runs change over time. Save the current "
                "values now, and again after more judgments or with new runs; the page then "
                "lists what changed."
            ),
            "quiet",
        )
        self.verdict = make_label("", "heading")
        self.unchanged = make_label(
            self.tr("Inputs and settings are unchanged."), "quiet", hidden=True
        )
        self._notes = make_label(
            self.tr(
                "Computed over the topics that both evaluations share. Paired t-test, "
                "two-sided; p is corrected for the number of runs (Holm)."
            ),
            "small",
            hidden=True,
        )
        self._lay_out()
        self.actions_by_id = create_actions(
            self, {"keep": ActionHandler(self.save_evaluation, self._can_save)}
        )
        self.work_changed.connect(self._update_save_button)
        self.name.returnPressed.connect(self.save_evaluation)
        self.table.selectionModel().currentChanged.connect(
            lambda _current, _previous: self._compare()
        )

    def _lay_out(self) -> None:
        self._save_button = self.action_button("keep")
        self._empty_card = card(self.empty)
        self._empty_card.hide()
        self._measure_choice = with_label(self.tr("Measure"), self.measure)
        self._table_card = card(FilterLine(self.table), self.table, margin=SPACE_M)
        self._trend_card = card(make_label(self.tr("Trend"), "heading"), self.trend)
        self._change_card = card(
            make_label(self.tr("Changes"), "heading"),
            self.unchanged,
            FilterLine(self.change_table),
            self.change_table,
            None,
        )
        self._lower_part = SideBySide(
            column(self._trend_card), column(self._change_card), NARROW_WIDTH, (3, 2)
        )
        self._difference_card = card(
            self.verdict, FilterLine(self.difference_table), self.difference_table, self._notes
        )
        self.setLayout(
            column(
                PageScrollArea(
                    column(
                        SideBySide(
                            column(make_label(self.tr("History"), "title", wrap=False)),
                            row(self.name, self._save_button),
                            NARROW_HEAD_WIDTH,
                        ),
                        self.problem,
                        self._empty_card,
                        row(self._measure_choice, None),
                        self._table_card,
                        self._lower_part,
                        self._difference_card,
                        None,
                        spacing=SPACE_M,
                    )
                )
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.trend.setFixedHeight(scale_length(TREND_HEIGHT))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._evaluations:
            self._draw()

    def focus(self) -> None:
        (self.table if self._evaluations else self.name).setFocus()

    # Storage

    def show_project(self, project: Project | None) -> None:
        if project is not self.project:
            self.name.clear()
        super().show_project(project)

    def refresh(self) -> None:
        self._evaluations = ()
        self.name.setPlaceholderText(f"{date.today()}")  # noqa: DTZ011 -- local date
        self.show_problem("")
        if self.project is not None:
            try:
                self._evaluations = stored_evaluations(self.project)
            except IrjudgeError as error:
                self.show_problem(translate_message(str(error)))
        fill_choices(
            self.measure,
            [
                (measure, measure)
                for measure in dict.fromkeys(
                    measure
                    for evaluation in reversed(self._evaluations)
                    for measure in evaluation.measures
                )
            ],
        )
        self._update_save_button()
        self._show()

    def _can_save(self) -> bool:
        return self.can_write and not self._job.busy

    def _update_save_button(self) -> None:
        self._save_button.setEnabled(self._can_save())

    def save_evaluation(self) -> None:
        if self._job.busy:  # such as if Return is pressed again
            return
        options = stored_options(self.project, self._settings)
        try:
            name = check_evaluation_name(self.name.text() or self.name.placeholderText())
            measures = options.parse()
        except IrjudgeError as error:
            self.show_problem(translate_message(str(error)))
            self.name.setFocus()
            return
        self.show_problem("")

        def compute(project: Project, progress: Progress) -> StoredEvaluation:
            table = evaluate_project(
                project, measures, options.policy(), options.choice(project), progress
            )
            return make_stored_project_evaluation(
                project, table, name, program=program_version(), progress=progress
            )

        self.run_on_project(self._job, compute, self._add_stored)

    def _add_stored(self, evaluation: StoredEvaluation) -> None:
        if self.project is None:
            return
        if not evaluation.runs:
            self.show_problem(
                self.tr("There are no runs to evaluate. Add some on the Collection page.")
            )
            return
        try:
            store_in_project(self.project, evaluation)
        except IrjudgeError as error:
            self.show_problem(translate_message(str(error)))
            return
        if self.name.text().strip() == evaluation.name:  # another name may have been typed
            self.name.clear()
        self.refresh()
        self.message_shown.emit(filled(self.tr("Saved: {kept}."), kept=evaluation.name))

    # Display

    def _show(self) -> None:
        self._comparison_job.stop()
        self._empty_card.setVisible(not self._evaluations and self.project is not None)
        for part in (self._measure_choice, self._table_card, self._lower_part):
            part.setVisible(bool(self._evaluations))
        self._difference_card.hide()
        self._change_card.hide()
        if self._evaluations:
            self.stored_evaluations.fill(
                self._evaluations[::-1],
                _snapshot_columns(
                    self._list_run_names(), self.measure.currentData(), self.decimals
                ),
            )
            self._draw()
            self.table.setCurrentIndex(self.table.model().index(0, 0))
            self._compare()

    def _list_run_names(self) -> list[str]:
        return list(
            dict.fromkeys(
                run.run for evaluation in reversed(self._evaluations) for run in evaluation.runs
            )
        )

    def _draw(self) -> None:
        measure, lines = self.measure.currentData(), []
        for index, run in enumerate(self._list_run_names()):
            points = [
                (index_of_evaluation, value)
                for index_of_evaluation, evaluation in enumerate(self._evaluations)
                if (value := evaluation.get_average(run, measure)) is not None
            ]
            if points:
                x, y = np.array(points, dtype=np.float64).T
                lines.append(Line(run, x, y, "chosen" if index < MAX_CHOSEN else "quiet", index))
        self.trend.show_lines(
            Axis(
                "",
                names=tuple(
                    f"{evaluation.name}\u2002{evaluation.made[:10]}"
                    for evaluation in self._evaluations
                ),
            ),
            Axis(measure or ""),
            lines[::-1],
            current_look().hues,
        )
        self.trend.setAccessibleDescription(
            "; ".join(
                f"{line.name}: {', '.join(f'{value:.4f}' for value in line.y)}" for line in lines
            )
        )

    def chosen(self) -> StoredEvaluation | None:
        return cast(StoredEvaluation | None, self.stored_evaluations.at(self.table.currentIndex()))

    def _compare(self) -> None:
        selected = self.chosen()
        index = self._evaluations.index(selected) if selected in self._evaluations else 0
        self._difference_card.hide()  # shown by `_show_change`
        self._change_card.hide()
        if selected is not None and index > 0:
            previous, measure = self._evaluations[index - 1], self.measure.currentData()
            self._comparison_job.run(
                lambda _progress: compare_stored_evaluations(
                    previous, selected, measure, test=TEST_NAME
                ),
                self._show_change,
                self.show_error,
            )

    def _show_change(self, change: EvaluationChange) -> None:
        self._difference_card.show()
        self._change_card.show()
        self.change_rows.fill(change.input_changes)
        self.change_table.setVisible(bool(change.input_changes))
        self.unchanged.setVisible(not change.input_changes)
        self.differences.fill(change.pairs, _difference_columns(self.decimals))
        self.difference_table.setVisible(bool(change.pairs))
        self.verdict.setText(
            translate_message(change.problem) if change.problem else self._describe_verdict(change)
        )
        self._notes.setVisible(bool(change.pairs))

    def _describe_verdict(self, change: EvaluationChange) -> str:
        significant = [pair for pair in change.pairs if pair.p_adjusted < ALPHA]
        higher_count = sum(pair.difference > 0 for pair in significant)
        return filled(
            self.tr(
                "Changes of the runs since {name}, by {measure}: {higher} higher, {lower} lower, "
                "{equal} not significantly different."
            ),
            name=change.before.name,
            measure=self.measure.currentText(),
            higher=f"{higher_count:,}",
            lower=f"{len(significant) - higher_count:,}",
            equal=f"{len(change.pairs) - len(significant):,}",
        )


def _format_signed(decimals: int, value: float | None) -> str:
    return "–" if value is None else f"{value:+.{decimals}f}"


def _snapshot_columns(runs: Sequence[str], measure: str, decimals: int) -> list[Column]:
    format_value: Callable[[Any], str] = partial(format_decimal, decimals=decimals)
    return [
        Column(translate("HistoryView", "Name"), lambda evaluation: evaluation.name),
        Column(
            translate("HistoryView", "When"),
            lambda evaluation: evaluation.made,
            lambda time: datetime.fromisoformat(time).astimezone().strftime("%Y-%m-%d %H:%M"),
            also=lambda evaluation: translate_message(evaluation.source),
        ),
        *(
            Column(
                run,
                partial(StoredEvaluation.get_average, run=run, measure=measure),
                format_value,
                number=True,
                help=measure,
            )
            for run in runs
        ),
    ]


def _change_columns() -> list[Column]:
    return [
        Column(
            translate("HistoryView", "Changed item"),
            lambda change: change.subject,
            translate_message,
        ),
        Column(
            translate("HistoryView", "Before"),
            lambda change: change.earlier,
            lambda text: translate_message(text) or "–",
        ),
        Column(
            translate("HistoryView", "Now"),
            lambda change: change.current,
            lambda text: translate_message(text) or "–",
        ),
    ]


def _difference_columns(decimals: int) -> list[Column]:
    format_value, format_signed = (
        partial(format_decimal, decimals=decimals),
        partial(_format_signed, decimals),
    )
    return [
        Column(translate("HistoryView", "Run"), lambda pair: pair.run_a),
        Column(
            translate("HistoryView", "Before"), lambda pair: pair.mean_b, format_value, number=True
        ),
        Column(
            translate("HistoryView", "Now"), lambda pair: pair.mean_a, format_value, number=True
        ),
        Column(
            translate("HistoryView", "Difference"),
            lambda pair: pair.difference,
            format_signed,
            number=True,
        ),
        Column(
            translate("HistoryView", "Lower 95 %"),
            lambda pair: pair.low,
            format_signed,
            number=True,
        ),
        Column(
            translate("HistoryView", "Upper 95 %"),
            lambda pair: pair.high,
            format_signed,
            number=True,
        ),
        Column(
            "p",
            lambda pair: pair.p_adjusted if pair.is_tested else None,
            format_p,
            number=True,
            rising=True,
        ),
        Column(translate("HistoryView", "Topics"), lambda pair: pair.topics, str, number=True),
    ]
