"""History page: saved evaluations, and the significance of changes between them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation import ComparedPair, evaluate_project
from irjudge.progress import Progress
from irjudge.report import (
    InputChange,
    StoredEvaluation,
    check_evaluation_name,
    compare_with_stored,
    evaluation_changes,
    make_stored_project_evaluation,
    store_in_project,
    stored_evaluations,
)
from irjudge.report.figures import MAX_CHOSEN, Axis, Line
from irjudge.report.workbook import select_measures
from irjudge.shipped import program_version
from irjudge_ui.actions import BY_ID, ActionHandler, bind_key_cap, create_actions
from irjudge_ui.charts import LinePlot
from irjudge_ui.messages import filled, translate_message
from irjudge_ui.models import Column, TableModel
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
    make_button,
    make_label,
    row,
    scale_length,
    with_label,
)

ALPHA = 0.05
translate = QCoreApplication.translate
TEST = "t"
MAX_SHOWN, MAX_DIFFERENCES = 7, 7  # maximum numbers of rows shown at once
NARROW, NARROW_HEAD, LOW, CHOICE_CHARACTERS = 760, 620, 230, 14


@dataclass(frozen=True, slots=True)
class EvaluationChange:
    """Changes of an evaluation relative to the previous one."""

    before: StoredEvaluation
    now: StoredEvaluation
    changed: tuple[InputChange, ...]
    pairs: tuple[ComparedPair, ...]  # by the displayed measure; empty if nothing can be compared
    problem: str = ""  # why not


class HistoryView(View):
    """Shows saved evaluations, newest first, and the changes of the selected one."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._work, self._since = self.latest(), self.latest()
        self._stored: tuple[StoredEvaluation, ...] = ()
        self.name, self.measure = QLineEdit(), ChoiceBox()
        self.stored_evaluations, self.change_rows, self.differences = (
            TableModel(),
            TableModel(_change_columns()),
            TableModel(),
        )
        self.table = Table(self.stored_evaluations, self.tr("Saved evaluations"), rows=MAX_SHOWN)
        self.change_table = Table(self.change_rows, self.tr("Changes"))
        self.difference_table = Table(
            self.differences, self.tr("Differences"), rows=MAX_DIFFERENCES
        )
        self.trend = LinePlot(self.tr("Trend"))
        self.problem, self.empty, self.verdict = (
            make_label("", "error"),
            make_label("", "quiet"),
            make_label("", "heading"),
        )
        self.unchanged, self._notes = make_label("", "quiet"), make_label("", "small")
        self._lay_out()
        self.actions_by_id = create_actions(
            self,
            {
                "keep": ActionHandler(
                    self.keep, lambda: self.project is not None and self.project.writing
                )
            },
        )
        self.name.returnPressed.connect(self.keep)
        self.measure.activated.connect(lambda _index: self._show())
        self.table.selectionModel().currentChanged.connect(lambda _now, _before: self._compare())

    def _lay_out(self) -> None:
        self.name.setAccessibleName(self.tr("Name"))
        self.measure.setAccessibleName(self.tr("Measure"))
        self.measure.setSizeAdjustPolicy(
            ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.measure.setMinimumContentsLength(CHOICE_CHARACTERS)
        self._keep = make_button(BY_ID["keep"].label)
        bind_key_cap("keep", self._keep.setToolTip, self._keep)
        self._keep.clicked.connect(self.keep)
        head = SideBySide(
            column(make_label(self.tr("History"), "title", wrap=False)),
            row(self.name, self._keep),
            NARROW_HEAD,
        )
        self._choice = with_label(self.measure.accessibleName(), self.measure)
        self._table_card = card(FilterLine(self.table), self.table, margin=SPACE_M)
        self._trend_card = card(make_label(self.tr("Trend"), "heading"), self.trend)
        self._change_card = card(
            make_label(self.tr("Changes"), "heading"),
            self.unchanged,
            FilterLine(self.change_table),
            self.change_table,
            None,
        )
        self._low = SideBySide(column(self._trend_card), column(self._change_card), NARROW, (3, 2))
        self._difference_card = card(
            self.verdict, FilterLine(self.difference_table), self.difference_table, self._notes
        )
        inside = QWidget()
        parts = (
            head,
            self.problem,
            self.empty,
            row(self._choice, None),
            self._table_card,
            self._low,
            self._difference_card,
            None,
        )
        inside.setLayout(column(*parts, spacing=SPACE_M))
        self.setLayout(column(PageScrollArea(inside)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.trend.setFixedHeight(scale_length(LOW))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._stored:
            self._draw()

    def focus(self) -> None:
        (self.table if self._stored else self.name).setFocus()

    # Storage

    def refresh(self) -> None:
        """Show the stored evaluations of the project."""
        self._stored = ()
        self.name.setPlaceholderText(f"{date.today()}")  # noqa: DTZ011 -- local date
        self._say("")
        if self.project is not None:
            try:
                self._stored = stored_evaluations(self.project)
            except IrjudgeError as error:
                self._say(translate_message(str(error)))
        measures = dict.fromkeys(
            measure for each in reversed(self._stored) for measure in each.measures
        )
        fill_choices(self.measure, [(each, each) for each in measures])
        self._keep.setEnabled(self.project is not None and self.project.writing)
        self._show()

    def keep(self) -> None:
        """Evaluate with the options of the evaluation page, and save the values under the typed
        name.
        """
        project = self.project
        if project is None:
            return
        options = stored_options(project, self._settings)
        try:
            name, measures = (
                check_evaluation_name(self.name.text() or self.name.placeholderText()),
                options.parse(),
            )
        except IrjudgeError as error:
            self._say(translate_message(str(error)))
            self.name.setFocus()
            return
        self._say("")

        def work(progress: Progress) -> StoredEvaluation:
            with project.second_connection() as other:
                table = evaluate_project(
                    other, measures, options.policy(), options.choice(other), progress
                )
                return make_stored_project_evaluation(
                    other, table, name, program=program_version(), progress=progress
                )

        self._work.run(work, self._take, self._fail)

    def _take(self, stored: StoredEvaluation) -> None:
        if self.project is None:
            return
        if not stored.runs:
            self._say(self.tr("There are no runs to evaluate. Add some on the collection page."))
            return
        try:
            store_in_project(self.project, stored)
        except IrjudgeError as error:
            self._say(translate_message(str(error)))
            return
        self.name.clear()
        self.refresh()
        self.message_shown.emit(filled(self.tr("Saved: {kept}."), kept=stored.name))

    def _fail(self, error: Exception, trace: str) -> None:
        self.show_error(error, trace, self.problem)

    def _say(self, problem: str) -> None:
        self.problem.setText("✕ " + problem if problem else "")
        self.problem.setVisible(bool(problem))

    # Display

    def _show(self) -> None:
        self._since.stop()
        any_stored = bool(self._stored)
        self.empty.setText(
            self.tr("No saved values yet. Save the current values to compare them with later ones.")
        )
        self.empty.setVisible(not any_stored and self.project is not None)
        for part in (self._choice, self._table_card, self._low):
            part.setVisible(any_stored)
        self._difference_card.hide()
        self._change_card.setVisible(len(self._stored) > 1)
        if not any_stored:
            return
        self.stored_evaluations.fill(
            self._stored[::-1],
            _snapshot_columns(self._runs(), self.measure.currentData(), self._decimals),
        )
        self._draw()
        self.table.setCurrentIndex(self.table.model().index(0, 0))
        self._compare()

    @property
    def _decimals(self) -> int:
        return int(self._settings.get("decimals"))

    def _runs(self) -> list[str]:
        """Return the names of all runs, those of the newest evaluation first."""
        return list(dict.fromkeys(run.run for each in reversed(self._stored) for run in each.runs))

    def _draw(self) -> None:
        """Draw a line per run over the times of its evaluations."""
        measure, lines = self.measure.currentData(), []
        for index, run in enumerate(self._runs()):
            points = [
                (at, value)
                for at, each in enumerate(self._stored)
                if (value := each.value(run, measure)) is not None
            ]
            if points:
                x, y = np.array(points, dtype=np.float64).T
                lines.append(Line(run, x, y, "chosen" if index < MAX_CHOSEN else "quiet", index))
        times = Axis("", names=tuple(f"{each.name}\u2002{each.made[:10]}" for each in self._stored))
        self.trend.show_lines(times, Axis(measure or ""), lines[::-1], current_look().hues)
        self.trend.setAccessibleDescription(
            "; ".join(
                f"{line.name}: {', '.join(f'{value:.4f}' for value in line.y)}" for line in lines
            )
        )

    def chosen(self) -> StoredEvaluation | None:
        """Return the selected evaluation."""
        evaluation: StoredEvaluation | None = self.stored_evaluations.at(self.table.currentIndex())
        return evaluation

    def _compare(self) -> None:
        """Compare the selected evaluation with the previous one, in the background."""
        now = self.chosen()
        at = self._stored.index(now) if now in self._stored else 0
        self._difference_card.setVisible(at > 0)
        self._change_card.setVisible(at > 0)
        if now is not None and at > 0:
            before, measure = self._stored[at - 1], self.measure.currentData()
            self._since.run(
                lambda _progress: _compare_evaluations(before, now, measure),
                self._show_since,
                self._fail,
            )

    def _show_since(self, since: EvaluationChange) -> None:
        self.change_rows.fill(since.changed)
        self.change_table.setVisible(bool(since.changed))
        self.unchanged.setVisible(not since.changed)
        self.unchanged.setText(self.tr("Inputs and settings are unchanged."))
        self.differences.fill(since.pairs, _difference_columns(self._decimals))
        self.difference_table.setVisible(bool(since.pairs))
        self.verdict.setText(
            translate_message(since.problem) if since.problem else self._verdict(since)
        )
        self._notes.setText(
            self.tr(
                "Computed over the topics that both evaluations share. Paired t-test, "
                "two-sided; p is corrected for the number of runs (Holm)."
            )
        )
        self._notes.setVisible(bool(since.pairs))

    def _verdict(self, since: EvaluationChange) -> str:
        """Return a summary of the changes since the earlier evaluation."""
        sure = [pair for pair in since.pairs if pair.p_adjusted < ALPHA]
        higher = sum(pair.difference > 0 for pair in sure)
        template = self.tr(
            "Since {name}, by {measure}: {higher} higher, {lower} lower, {equal} not "
            "significantly different."
        )
        return filled(
            template,
            name=since.before.name,
            measure=self.measure.currentText(),
            higher=f"{higher:,}",
            lower=f"{len(sure) - higher:,}",
            equal=f"{len(since.pairs) - len(sure):,}",
        )


def _compare_evaluations(
    before: StoredEvaluation, now: StoredEvaluation, measure: str
) -> EvaluationChange:
    """Compare two evaluations by a measure."""
    table, changed = now.evaluation(), evaluation_changes(before, now)
    try:
        shown = select_measures(table, [each for each in table.measures if each.name == measure])
        pairs = compare_with_stored(shown, before, tests=(TEST,)).pairs
    except IrjudgeError as error:
        return EvaluationChange(before, now, changed, (), str(error))
    return EvaluationChange(
        before, now, changed, tuple(replace(each, run_b=before.name) for each in pairs)
    )


def _time(made: str) -> str:
    return datetime.fromisoformat(made).astimezone().strftime("%Y-%m-%d %H:%M")


def _number(decimals: int, value: float | None) -> str:
    return "–" if value is None else f"{value:.{decimals}f}"


def _format_signed(decimals: int, value: float | None) -> str:
    return "–" if value is None else f"{value:+.{decimals}f}"


def _value(run: str, measure: str, stored: StoredEvaluation) -> float | None:
    return stored.value(run, measure)


def _snapshot_columns(runs: Sequence[str], measure: str, decimals: int) -> list[Column]:
    show: Callable[[Any], str] = partial(_number, decimals)
    values = [
        Column(run, partial(_value, run, measure), show, number=True, help=measure) for run in runs
    ]
    first = [
        Column(translate("HistoryView", "Name"), lambda stored: stored.name),
        Column(
            translate("HistoryView", "When"),
            lambda stored: stored.made,
            _time,
            also=lambda stored: translate_message(stored.source),
        ),
    ]
    return [*first, *values]


def _change_columns() -> list[Column]:
    return [
        Column(
            translate("HistoryView", "Changed item"), lambda change: change.what, translate_message
        ),
        Column(
            translate("HistoryView", "Before"),
            lambda change: change.before,
            lambda text: translate_message(text) or "–",
        ),
        Column(
            translate("HistoryView", "Now"),
            lambda change: change.now,
            lambda text: translate_message(text) or "–",
        ),
    ]


def _difference_columns(decimals: int) -> list[Column]:
    number, signed = partial(_number, decimals), partial(_format_signed, decimals)
    return [
        Column(translate("HistoryView", "Run"), lambda pair: pair.run_a),
        Column(translate("HistoryView", "Before"), lambda pair: pair.mean_b, number, number=True),
        Column(translate("HistoryView", "Now"), lambda pair: pair.mean_a, number, number=True),
        Column(
            translate("HistoryView", "Difference"),
            lambda pair: pair.difference,
            signed,
            number=True,
        ),
        Column(translate("HistoryView", "95 % low"), lambda pair: pair.low, signed, number=True),
        Column(translate("HistoryView", "95 % high"), lambda pair: pair.high, signed, number=True),
        Column(
            "p",
            lambda pair: pair.p_adjusted if pair.is_tested else None,
            format_p,
            number=True,
            rising=True,
        ),
        Column(translate("HistoryView", "Topics"), lambda pair: pair.topics, str, number=True),
    ]
