"""Quality page: quality of each assessor's work, and exclusion of assessors."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np
from PySide6.QtWidgets import QLineEdit

from irjudge.errors import IrjudgeError
from irjudge.judging import (
    DEFAULT_EXCLUSION_REASON,
    list_counted_assessors,
    list_excluded_assessors,
    make_display_names,
    project_labels,
    read_assigned_gold,
)
from irjudge.progress import Progress
from irjudge.stats import (
    MIN_GOLD,
    AssessorResult,
    assess_assessors,
)
from irjudge.store import Project
from irjudge_ui.actions import ActionHandler, create_actions
from irjudge_ui.charts import (
    DriftPlot,
    IntervalTable,
    IntervalValue,
    Matrix,
    MatrixArea,
    MatrixPlot,
)
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.models import Column, IntervalColumn, IntervalModel, format_signed
from irjudge_ui.pages.shared import StatefulView
from irjudge_ui.project_changes import Change, ChangeStack, ExcludeAssessor, IncludeAssessor
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    FilterLine,
    PageScrollArea,
    SideBySide,
    card,
    column,
    make_label,
    named,
    row,
)
from irjudge_ui.workspace import StateMessage, format_seconds

MAX_ASSESSORS, NARROW_WIDTH = 9, 860


def _verdict_columns() -> list[Column]:
    return [
        Column(translate("Quality", "Assessor"), lambda row: row.display_name or row.name),
        Column(
            translate("Quality", "Counts", "included"),
            lambda row: (
                translate("Quality", "✓ included")
                if row.exclusion_reason is None
                else translate("Quality", "✕ excluded")
            ),
            help=translate("Quality", "Whether the assessor's judgments are used"),
        ),
        Column(
            translate("Quality", "Verdict"),
            lambda row: {
                "stands out": translate("Quality", "◆ flagged"),
                "nothing flagged": translate("Quality", "nothing flagged"),
                "too few data": translate("Quality", "too little data"),
            }[row.verdict.state],
            help=translate(
                "Quality",
                "Flagged assessors are listed below the table with the evidence; a flag alone "
                "proves nothing",
            ),
        ),
    ]


def _answer_columns() -> list[Column]:
    return [
        Column(
            translate("Quality", "Judged"),
            lambda row: int(row.quality.labels[row.index]),
            lambda value: f"{value:,}",
            number=True,
            help=translate("Quality", "Judgments, including repeat items"),
        ),
        IntervalColumn(
            translate("Quality", "Gold accuracy"),
            lambda row: float(row.quality.accuracy[row.index]),
            help=translate(
                "Quality", "Share of gold items answered correctly, with its 95 % interval"
            ),
            span=_gold_cell,
            without="–",
        ),
        Column(
            translate("Quality", "Agreement"),
            lambda row: float(row.quality.agreement[row.index]),
            _format_percent,
            number=True,
            help=translate(
                "Quality", "Mean share of a document's other assessors who gave the same grade"
            ),
        ),
        Column(
            translate("Quality", "Bias"),
            lambda row: float(row.quality.bias[row.index]),
            partial(format_signed, decimals=2),
            number=True,
            help=translate(
                "Quality",
                "Mean grade relative to the reference: above 0 is lenient, below 0 strict",
            ),
        ),
        Column(
            translate("Quality", "Cost"),
            lambda row: float(row.quality.cost[row.index]),
            lambda value: "–" if np.isnan(value) else f"{value:.2f}".replace("-", "−"),
            number=True,
            help=translate(
                "Quality",
                "Expected cost of an answer after correcting for bias (Ipeirotis et al., "
                "2010): 0 is perfect",
            ),
        ),
    ]


def _repeat_and_time_columns() -> list[Column]:
    return [
        Column(
            translate("Quality", "Repeats"),
            _count_repeats,
            _format_repeats,
            number=True,
            help=translate(
                "Quality", "Documents that got the same grade when they were shown a second time"
            ),
        ),
        Column(
            translate("Quality", "Too fast"),
            lambda row: (
                float(row.quality.too_fast[row.index] / row.quality.timed[row.index])
                if row.quality.timed[row.index]
                else float("nan")
            ),
            _format_percent,
            number=True,
            help=translate(
                "Quality",
                "Share of timed answers given before the first 40 words of the document could "
                "be skimmed",
            ),
        ),
        Column(
            translate("Quality", "Median"),
            lambda row: float(row.quality.seconds[row.index]),
            lambda value: "–" if np.isnan(value) else format_seconds(value),
            number=True,
            help=translate("Quality", "Median time per answer"),
        ),
    ]


def _gold_cell(row: AssessorResult) -> IntervalValue | None:
    quality, index = row.quality, row.index
    if not quality.gold[index]:
        return None
    ends = float(quality.accuracy_low[index]), float(quality.accuracy_high[index])
    return IntervalValue(
        float(quality.accuracy[index]),
        *ends,
        0.0,
        1.0,
        filled(
            translate("Quality", "{count} of {total}"),
            count=f"{quality.gold_right[index]:,}",
            total=f"{quality.gold[index]:,}",
        ),
        f"{100 * ends[0]:.0f}–{100 * ends[1]:.0f} %",
    )


def _count_repeats(row: AssessorResult) -> tuple[float, int, int] | None:
    """Return the share and number of repeats with the same grade, and the number of repeats."""
    count = int(row.quality.repeats[row.index])
    equal_count = int(row.quality.repeats_same[row.index])
    return (equal_count / count, equal_count, count) if count else None


def _format_repeats(counts: tuple[float, int, int] | None) -> str:
    if counts is None:
        return "–"
    return filled(translate("Quality", "{count} of {total}"), count=counts[1], total=counts[2])


def _format_percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.0f} %"


def _describe_assessor(row: AssessorResult) -> str:
    quality, index = row.quality, row.index
    sentences = (
        [filled(translate("Quality", "Excluded. Reason: {count}."), count=row.exclusion_reason)]
        if row.exclusion_reason is not None
        else []
    )
    sentences += [
        {
            "stands out": translate("Quality", "Some checks flag this assessor."),
            "nothing flagged": translate("Quality", "No check flags this assessor."),
            "too few data": translate("Quality", "Too little data for a verdict."),
        }[row.verdict.state],
        *map(translate_message, row.verdict.evidence),
    ]
    if quality.repeats[index]:
        repeats_text = filled(
            translate(
                "Quality",
                "{repeats_same} of {repeats} repeated documents got the same grade both times.",
            ),
            repeats=f"{quality.repeats[index]:,}",
            repeats_same=f"{quality.repeats_same[index]:,}",
        )
        sentences += [repeats_text] if repeats_text not in sentences else []
    if quality.unjudgeable[index]:
        sentences.append(
            filled(
                translate("Quality", "Documents marked as unjudgeable: {unjudgeable}."),
                unjudgeable=f"{quality.unjudgeable[index]:,}",
            )
        )
    return join_sentences(*sentences)


class QualityView(StatefulView):
    """Quality page: a table of assessors with a filter, and details of the selected assessor.

    The table has the assessors whose judgments are votes, and the excluded ones. The details are
    the verdict, a confusion matrix, and the agreement over time. The user can exclude the selected
    assessor from consensus and agreement, with a reason, or include them again; both can be undone.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.changes = ChangeStack(self)
        self._last_request: tuple[object, ...] | None = None
        self._job = self.latest(on_cancelled=self._forget_request)
        # assessor whose reason for exclusion is in the text field, and the stored reason
        self._displayed_reason: tuple[str, str | None] | None = None
        self.assessors = IntervalModel(
            [*_verdict_columns(), *_answer_columns(), *_repeat_and_time_columns()]
        )
        self.table = IntervalTable(self.assessors, self.tr("Assessor quality"), rows=MAX_ASSESSORS)
        first_optional, column_count = len(_verdict_columns()), len(self.assessors.columns)
        self.table.hide_empty_columns(*range(first_optional, column_count))
        # columns that are hidden first, since the description of the selected assessor repeats
        # most of their values
        judged_column, cost_column = first_optional, first_optional + len(_answer_columns()) - 1
        self.table.hide_when_narrow(
            cost_column, *range(column_count - 1, cost_column, -1), judged_column
        )
        self.answers = MatrixPlot(self.tr("Answers"))
        self.drift = DriftPlot(self.tr("Agreement with the other assessors over time"))
        self._basis_label = make_label("", "quiet")
        self._name = make_label("", "heading")
        self.description_label = make_label()
        self._reference = make_label("", "small")
        self.reason = named(
            QLineEdit(placeholderText=self.tr("Reason")),
            self.tr("Reason for excluding the assessor"),
        )
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(
            lambda _current, _previous: self._show_chosen()
        )
        self.actions_by_id = create_actions(
            self,
            {
                "set-aside": ActionHandler(self.set_aside, lambda: self.can_set_aside),
                "undo-aside": ActionHandler(
                    lambda: self._change_exclusion(self.changes.undo_change), self.changes.canUndo
                ),
                "redo-aside": ActionHandler(
                    lambda: self._change_exclusion(self.changes.redo_change), self.changes.canRedo
                ),
            },
        )

    def _lay_out(self) -> None:
        self._switch = self.action_button("set-aside")
        details_card = card(
            self._name,
            self.description_label,
            make_label(
                self.tr(
                    "Judgments of an excluded assessor stay in the project, but consensus and "
                    "agreement ignore them."
                ),
                "quiet",
            ),
            row(self.reason, self._switch),
        )
        self.put_parts(
            PageScrollArea(
                column(
                    column(
                        make_label(self.tr("Quality"), "title", wrap=False),
                        self._basis_label,
                        self.problem,
                    ),
                    card(FilterLine(self.table), self.table, margin=SPACE_M),
                    details_card,
                    SideBySide(
                        column(
                            card(
                                make_label(self.tr("Answers"), "heading"),
                                self._reference,
                                MatrixArea(
                                    self.answers,
                                    self.tr("Confusion matrix of the assessor's grades"),
                                ),
                            ),
                            None,
                        ),
                        column(
                            card(make_label(self.tr("Agreement over time"), "heading"), self.drift),
                            None,
                        ),
                        NARROW_WIDTH,
                        (1, 1),
                    ),
                    None,
                    spacing=SPACE_M,
                )
            ),
            self.table,
        )

    # Computation

    def show_project(self, project: Project | None) -> None:
        if project is not self.project:
            self.changes.clear()
            self._displayed_reason = None
            self.reason.clear()
        super().show_project(project)
        self._last_request = None
        self.assessors.fill(())

    def refresh(self) -> None:
        if (project := self.project) is None:
            return
        if not (assessors := list_counted_assessors(project, include_excluded=True)):
            self.show_state(
                StateMessage(
                    self.tr("No judgments yet"),
                    self.tr(
                        "Quality statistics for each assessor appear here: gold items, agreement "
                        "with the others, repeat items, speed. For better estimates, include some "
                        "gold items when you assign the pool."
                    ),
                    [(self.tr("Assign the pool"), "assessors")],
                )
            )
            return
        self.show_state(None)
        exclusion_reasons = {
            assessor.name: assessor.exclusion_reason or ""
            for assessor in list_excluded_assessors(project)
        }
        request = (project.events.count(), assessors, tuple(exclusion_reasons.items()))
        if request != self._last_request:
            self._last_request = request
            self._compute(set(project.events.assessors()) - set(assessors), exclusion_reasons)

    def _compute(self, left_out_names: set[str], exclusion_reasons: dict[str, str]) -> None:
        self._basis_label.setText(self.tr("Computing …"))

        def compute(project: Project, progress: Progress) -> list[AssessorResult]:
            labels = project_labels(
                project,
                excluded=left_out_names,
                repeats=True,
                gold=read_assigned_gold(project),
                progress=progress,
            )
            names = make_display_names(project)
            return [
                replace(row, display_name=names.get(row.name, row.name))
                for row in assess_assessors(labels, exclusion_reasons, progress=progress)
            ]

        self.run_on_project(self._job, compute, self._show_rows, self._on_failed)

    def _forget_request(self) -> None:
        self._last_request = None
        self._basis_label.setText("")

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._forget_request()
        self.show_error(error, trace)

    # Display

    def _show_rows(self, rows: list[AssessorResult]) -> None:
        selected = self.chosen()
        name_to_select = selected.name if selected else ""
        self.problem.hide()
        self.assessors.fill(rows)
        count = sum(row.exclusion_reason is None for row in rows)
        self._basis_label.setText(
            filled(
                self.tr(
                    "Assessors included: {included}; excluded: {excluded}. Agreement and bias are "
                    "relative to the included assessors."
                ),
                included=f"{count:,}",
                excluded=f"{len(rows) - count:,}",
            )
        )
        index = self.assessors.line_of(
            next((row for row, assessor in enumerate(rows) if assessor.name == name_to_select), -1)
        )
        self.table.setCurrentIndex(index if index.isValid() else self.assessors.index(0, 0))
        self._show_chosen()

    def chosen(self) -> AssessorResult | None:
        return cast(AssessorResult | None, self.assessors.at(self.table.currentIndex()))

    def _show_chosen(self) -> None:
        if (selected := self.chosen()) is None:
            return
        quality, index = selected.quality, selected.index
        self._name.setText(selected.display_name)
        self.description_label.setText(_describe_assessor(selected))
        self._switch.setText(
            self.tr("Exclude") if selected.exclusion_reason is None else self.tr("Include again")
        )
        self._switch.setEnabled(self.actions_by_id["set-aside"].possible)
        self.reason.setEnabled(selected.exclusion_reason is None and self.can_set_aside)
        # the text that the user is typing for this assessor must not be replaced
        if self._displayed_reason != (selected.name, selected.exclusion_reason):
            self._displayed_reason = selected.name, selected.exclusion_reason
            self.reason.setText(selected.exclusion_reason or "")
        has_gold = quality.gold[index] >= MIN_GOLD
        self._reference.setText(
            self.tr(
                "Number of times each grade was given when the gold grade is the grade on the left."
            )
            if has_gold
            else self.tr(
                "Number of times each grade was given when most other assessors gave the grade on "
                "the left."
            )
        )
        table = quality.tables[index].astype(np.float64)
        names = [str(value) for value in self.project.scale.values] if self.project else []
        self.answers.show_matrix(
            Matrix(
                names,
                names,
                table,
                float(table.max(initial=1.0)),
                0,
                self.tr("gold item") if has_gold else self.tr("majority of the others"),
                self.tr("given grade"),
            )
        )
        self.drift.show_parts(
            (self.tr("first third"), self.tr("middle third"), self.tr("last third")),
            quality.thirds[index].tolist(),
            quality.mean_thirds.tolist(),
            (selected.display_name, self.tr("all assessors")),
        )

    # Actions

    @property
    def can_set_aside(self) -> bool:
        return self.can_write and self.chosen() is not None

    def set_aside(self) -> None:
        project, selected = self.project, self.chosen()
        if project and selected:
            stored_reasons = {
                assessor.name: assessor.exclusion_reason
                for assessor in list_excluded_assessors(project)
            }
            if stored_reasons.get(selected.name) != selected.exclusion_reason:
                self.refresh()  # the row is outdated, for example because of a second click
                return
            change: Change = (
                ExcludeAssessor(
                    project, selected.name, self.reason.text().strip() or DEFAULT_EXCLUSION_REASON
                )
                if selected.exclusion_reason is None
                else IncludeAssessor(project, selected.name, selected.exclusion_reason)
            )
            self._change_exclusion(lambda: self.changes.apply_change(change))

    def _change_exclusion(self, change_exclusion: Callable[[], None]) -> None:
        try:
            change_exclusion()
        except IrjudgeError as error:
            self.message_shown.emit("✕ " + translate_message(str(error)))
        else:
            undone_text = self.changes.undoText() if self.changes.canUndo() else ""
            self.message_shown.emit(
                filled(self.tr("Last change: {count}."), count=undone_text)
                if undone_text
                else self.tr("Undone.")
            )
            self.progressed.emit()
        self.refresh()
