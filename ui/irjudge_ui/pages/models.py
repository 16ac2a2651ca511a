"""Models page: quality of a model's labels, estimates from few judgments, conflicts."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP
from PySide6.QtWidgets import QLineEdit, QWidget

from irjudge.audit import JudgeAudit, ModelAudit, PlanForecast, audit_model
from irjudge.exchange import create_pool
from irjudge.formats import ReadingOptions
from irjudge.judging import (
    import_judgments,
    list_qrels_choices,
    record_shown_grades,
)
from irjudge.model import ModelJudge
from irjudge.pooling import PLAN_STRATEGY, PoolRequest
from irjudge.progress import Progress
from irjudge.report import write_audit_workbook
from irjudge.store import ImportReport, Project
from irjudge_ui.actions import BY_ID, ActionHandler, create_actions
from irjudge_ui.charts import Matrix, MatrixArea, MatrixPlot
from irjudge_ui.file_dialogs import ask_file, ask_save_path
from irjudge_ui.messages import filled, translate, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.shared import View, open_document
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    FilterLine,
    NumberField,
    PageScrollArea,
    SideBySide,
    StateStack,
    Table,
    ask,
    card,
    column,
    fill_choices,
    make_button,
    make_container,
    make_flow,
    make_label,
    named,
    show_text,
    with_label,
)
from irjudge_ui.workspace import StateMessage

MEASURES = ("nDCG@10", "P@10", "AP", "RR")  # measures offered for comparing orders of systems
MAX_ROWS, MAX_CONFLICTS, NARROW_WIDTH, CHOICE_WIDTH = 9, 500, 860, 14
# maximum and default number of documents sampled for human judgment
MAX_PLAN_SIZE, DEFAULT_PLAN_SIZE = 100_000, 200
NO_PLAN_TEXT = QT_TRANSLATE_NOOP(
    "Models",
    "The latest pool is not a judging plan. Sample a judging plan: human judgments of its "
    "documents give values with intervals.",
)


class ModelsView(View):
    """Models page: verdict on a model, its evidence in tables, and estimates of runs.

    A model is a source of labels, such as a language model. The page imports labels of models,
    samples documents for human judgment as a new pool, and saves an audit as a workbook. The
    documents whose labels the page shows in its table of disagreements are recorded in the project,
    unless it is read-only; later judgments of these documents by the owner state that the label had
    been seen.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job = self.latest(on_cancelled=self._forget_result)
        self._last_request: tuple[object, ...] | None = None
        self._requested_model = ""  # model that another page requested
        self.result: ModelAudit | None = None
        self.model, self.measure = (
            ChoiceBox(CHOICE_WIDTH, name, activated=lambda _index: self._compute())
            for name in (self.tr("Model"), self.tr("Order systems by"))
        )
        self.name = named(
            QLineEdit(placeholderText=self.tr("Name of a model")),
            self.tr("Name of the model whose labels are imported"),
        )
        self.verdict, self.evidence = make_label("", "heading"), make_label()
        self.warnings, self._basis_label = make_label("", "warning"), make_label("", "quiet")
        self.confusion = MatrixPlot(self.tr("Human and model grades"))
        self.leniency, self.systems, self.conflicts, self.estimates = (
            TableModel() for _ in range(4)
        )
        self._leniency_table = Table(
            self.leniency, self.tr("Model grades by human grade"), rows=MAX_ROWS
        )
        self._systems_table = Table(
            self.systems,
            self.tr("System scores with human grades and with the model's grades"),
            rows=MAX_ROWS,
        )
        self.conflict_table = Table(
            self.conflicts, self.tr("Largest disagreements"), stretch=1, rows=MAX_ROWS
        )
        self._estimates_table = Table(
            self.estimates, self.tr("Estimates with intervals"), rows=MAX_ROWS
        )
        self.plan, self._estimate_notes = make_label("", "quiet"), make_label("", "small")
        self.plan_size = NumberField(
            1, MAX_PLAN_SIZE, DEFAULT_PLAN_SIZE, self.tr("Documents to judge by hand")
        )
        self._sample_button = make_button(self.tr("Sample a judging plan"), clicked=self.draw_plan)
        self._lay_out()
        self.conflict_table.opened.connect(self._open_conflict)
        self.actions_by_id = create_actions(
            self,
            {
                "add-labels": ActionHandler(self.add_labels, lambda: self.can_write),
                "save-audit": ActionHandler(self.save, lambda: self.result is not None),
            },
        )

    def _lay_out(self) -> None:
        self._add_button = self.action_button("add-labels")
        self._save_button = self.action_button("save-audit")
        self.advice = make_label(
            self.tr(
                "This page compares a model's grades with human grades, to see whether the model "
                "can replace or support assessors. Import the labels of a model, or ask a model "
                "to grade the pool."
            ),
            "quiet",
        )
        self.ask_button = make_button(
            BY_ID["ask-models"].label, clicked=lambda: self.wants.emit("ask-models")
        )
        self._verdict_card = card(self.verdict, self.evidence, self.warnings, self._basis_label)
        self._details = make_container(column(*self._cards(), spacing=SPACE_M))
        self._results = make_container(
            column(
                make_flow(
                    *(with_label(box.accessibleName(), box) for box in (self.model, self.measure)),
                    self._save_button,
                ),
                self._verdict_card,
                self._details,
                spacing=SPACE_M,
            )
        )
        self.state_stack = StateStack(
            PageScrollArea(
                column(
                    make_label(self.tr("Models"), "title", wrap=False),
                    card(
                        self.advice,
                        make_flow(self.name, self._add_button, self.ask_button),
                        self.problem,
                    ),
                    self._results,
                    None,
                    spacing=SPACE_M,
                )
            )
        )
        self.setLayout(column(self.state_stack))

    def _cards(self) -> tuple[QWidget, ...]:
        grades_card = card(
            make_label(self.tr("Grades"), "heading"),
            make_label(
                self.tr(
                    "Number of times the model gave each grade when the human grade is the "
                    "grade on the left."
                ),
                "small",
            ),
            MatrixArea(self.confusion, self.tr("Confusion matrix of the model's grades")),
        )
        leniency_card = card(
            make_label(self.tr("Leniency"), "heading"),
            FilterLine(self._leniency_table),
            self._leniency_table,
        )
        self._systems_card = card(
            make_label(self.tr("Systems"), "heading"),
            FilterLine(self._systems_table),
            self._systems_table,
        )
        self._conflicts_card = card(
            make_label(self.tr("Largest disagreements"), "heading"),
            make_label(
                self.tr(
                    "Check these documents again: sometimes the model is right. Press Enter to "
                    "open a document."
                ),
                "quiet",
            ),
            FilterLine(self.conflict_table),
            self.conflict_table,
        )
        return (
            SideBySide(
                column(grades_card, None), column(leniency_card, None), NARROW_WIDTH, (1, 1)
            ),
            self._systems_card,
            self._conflicts_card,
            self._make_estimates_card(),
        )

    def _make_estimates_card(self) -> QWidget:
        return card(
            make_label(self.tr("Estimates from few judgments"), "heading"),
            self.plan,
            FilterLine(self._estimates_table),
            self._estimates_table,
            self._estimate_notes,
            make_flow(
                with_label(self.plan_size.accessibleName(), self.plan_size), self._sample_button
            ),
            make_label(
                self.tr(
                    "The documents are sampled by the model's grades, with known inclusion "
                    "probabilities. Assessors do not see these grades."
                ),
                "quiet",
            ),
        )

    def focus(self) -> None:
        if self.state_stack.page:
            self.state_stack.page.focus()
        else:
            (self.model if self.model.count() else self.name).setFocus()

    # Computation

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self._last_request, self.result = None, None

    def set_request(self, request: object) -> None:
        self._requested_model = str(request)

    def refresh(self) -> None:
        if (project := self.project) is None:
            return
        models = project.events.models()
        self._add_button.setEnabled(self.can_write)
        if models and not list_qrels_choices(project):
            self.state_stack.show_state(
                StateMessage(
                    translate("Models", "No judgments yet"),
                    translate(
                        "Models",
                        "Models are compared with human grades. Judge some documents, or import "
                        "human qrels.",
                    ),
                    [(translate("Models", "Judge"), "judge")],
                ).page(self.wants.emit)
            )
            return
        self.state_stack.show_state(None)
        self._results.setVisible(bool(models))
        self.advice.setVisible(not models)
        self.ask_button.setVisible(not models)
        self.problem.hide()
        if not models:
            return
        selected_model = self._requested_model or self.model.currentData()
        self._requested_model = ""
        fill_choices(self.model, [(name, name) for name in models])
        self.model.setCurrentIndex(models.index(selected_model) if selected_model in models else 0)
        if not self.measure.count():
            fill_choices(self.measure, [(name, name) for name in MEASURES])
        self._compute()

    def _compute(self) -> None:
        project, name, measure = self.project, self.model.currentData(), self.measure.currentData()
        if project is None or name is None:
            return
        request = (project.writes, name, measure)
        if request == self._last_request:
            return
        self._last_request = request
        self._hide_result(self.tr("Computing …"))
        self.run_on_project(
            self._job,
            lambda project, progress: audit_model(project, name, measure, progress),
            self._show_result,
            self._on_failed,
        )

    def _forget_result(self) -> None:
        self._last_request = None
        self._hide_result()

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._forget_result()
        self.show_error(error, trace)

    def _hide_result(self, text: str = "") -> None:
        """Hide the result of another model or measure, and show a text in its place."""
        self.result = None
        self._details.hide()
        for label in (self.verdict, self.evidence, self.warnings):
            label.setText("")
        self._basis_label.setText(text)
        self._verdict_card.setVisible(bool(text))

    # Display

    def _show_result(self, result: ModelAudit) -> None:
        self.result, audit = result, result.judge_audit
        self.problem.hide()
        self._verdict_card.show()
        self._details.show()
        self.verdict.setText(translate_message(audit.verdict.text))
        self.evidence.setText("\n".join(map(translate_message, audit.verdict.evidence)))
        show_text(
            self.warnings,
            "\n".join("⚠ " + translate_message(warning) for warning in audit.warnings),
        )
        self._basis_label.setText(
            filled(self.tr("Compared with: {source}."), source=translate_message(audit.source))
        )
        names = [str(grade) for grade in audit.confusion.scale]
        counts = audit.confusion.total.astype(np.float64)
        self.confusion.show_matrix(
            Matrix(
                names,
                names,
                counts,
                float(counts.max()),
                0,
                self.tr("human grade"),
                self.tr("model's grade"),
            )
        )
        self.leniency.fill(audit.leniency, _leniency_columns())
        systems = audit.orderings.systems if audit.orderings else ()
        self.systems.fill(systems, _system_columns(self.decimals))
        self._systems_card.setVisible(bool(systems))
        self.conflicts.fill(audit.conflicts[:MAX_CONFLICTS], _conflict_columns())
        self._conflicts_card.setVisible(bool(audit.conflicts))
        self._record_shown(audit)
        self.estimates.fill(result.estimates, _make_estimate_columns(self.decimals))
        self._estimates_table.setVisible(bool(result.estimates))
        show_text(self.plan, "\n".join(describe_forecasts(result.forecasts)))
        self._sample_button.setEnabled(self.can_write and bool(systems))
        self._estimate_notes.setText(
            "\n".join(map(translate_message, result.cautions))
            if result.is_planned
            else translate("Models", str(NO_PLAN_TEXT))
        )

    def _record_shown(self, audit: JudgeAudit) -> None:
        if self.project is not None:
            record_shown_grades(
                self.project,
                audit.judge.name,
                [
                    (conflict.topic, conflict.document)
                    for conflict in audit.conflicts[:MAX_CONFLICTS]
                ],
            )
            # the audit need not be recomputed, since the record of shown grades does not change it
            self._last_request = (
                (self.project.writes, *self._last_request[1:]) if self._last_request else None
            )

    def _open_conflict(self, table_row: int) -> None:
        topic, document = (
            self.conflict_table.model().index(table_row, column).data() for column in (0, 1)
        )
        if self.project is not None:
            caption = filled(self.tr("Topic {topic}"), topic=topic)
            show_text(self.problem, open_document(self, self.project, document, caption, self.zoom))

    # Actions

    def add_labels(self) -> None:
        if not (name := self.name.text().strip()):
            show_text(
                self.problem,
                self.tr(
                    "Enter the name of the model first; its labels are stored under this name."
                ),
            )
            self.name.setFocus()
            return
        if path := ask_file(self, BY_ID["add-labels"].label):
            self.import_file(path, name)

    def import_file(self, path: Path, name: str) -> None:
        self.request_job(
            self.tr("Importing"),
            lambda project, progress: import_judgments(
                project, path, ReadingOptions(judge=ModelJudge(name)), progress
            ),
            self._on_imported,
        )

    def _on_imported(self, report: ImportReport) -> None:
        self.name.clear()
        self.message_shown.emit(
            " ".join(map(translate_message, (*report.sentences, *report.warnings)))
        )
        self.progressed.emit()
        self.refresh()

    def draw_plan(self) -> None:
        if self.project is not None and self.project.has_other_assessors:
            ask(
                self,
                self.tr("Sample a judging plan?"),
                self.tr(
                    "Assessors are working on the current pool. A judging plan would replace this "
                    "pool; the documents added by the plan can be assigned afterwards."
                ),
                [
                    (self.tr("Leave unchanged"), None),
                    (self.tr("Sample a judging plan"), self._draw_plan),
                ],
            )
        else:
            self._draw_plan()

    def _draw_plan(self) -> None:
        pool_request = PoolRequest(
            strategy=PLAN_STRATEGY,
            model=str(self.model.currentData()),
            size=self.plan_size.value(),
        )

        def finish_draw(count: int) -> None:
            self.message_shown.emit(
                filled(self.tr("Documents sampled for judging: {count}."), count=f"{count:,}")
            )
            self.changed.emit()
            self.progressed.emit()
            self.refresh()

        self.request_job(
            self.tr("Sampling a judging plan"),
            lambda project, progress: len(
                create_pool(project, pool_request, progress=progress).pool
            ),
            finish_draw,
        )

    def save(self) -> None:
        if (audit := self.result) is None:
            return
        path, _ = ask_save_path(
            self,
            BY_ID["save-audit"].label,
            (self.project.path.parent if self.project else Path())
            / f"{audit.judge_audit.judge.name}.xlsx",
            "XLSX (*.xlsx)",
        )
        if path:
            target = path.with_suffix(".xlsx")

            def write(progress: Progress) -> Path:
                write_audit_workbook(
                    target, [audit.judge_audit], progress, estimates=audit.estimates
                )
                return target

            self.job_requested.emit(self.tr("Writing the workbook"), write, self._on_saved)

    def _on_saved(self, path: Path) -> None:
        self.message_shown.emit(filled(self.tr("Saved {path}."), path=path.name))
        self.wrote.emit(path)


# Texts


def _leniency_columns() -> list[Column]:
    return [
        Column(
            translate("Models", "Human"),
            lambda row: row.grade,
            number=True,
            help=translate("Models", "Human grade"),
        ),
        Column(translate("Models", "Pairs"), lambda row: row.pairs, "{:,}".format, number=True),
        Column(
            translate("Models", "Mean model grade"),
            lambda row: row.mean,
            "{:.2f}".format,
            number=True,
        ),
        Column(
            translate("Models", "Graded higher"),
            lambda row: row.too_high,
            lambda share: f"{100 * share:.0f} %",
            number=True,
        ),
        Column(
            translate("Models", "Graded lower"),
            lambda row: row.too_low,
            lambda share: f"{100 * share:.0f} %",
            number=True,
        ),
    ]


def _system_columns(decimals: int) -> list[Column]:
    number = f"{{:.{decimals}f}}".format
    return [
        Column(translate("Models", "Run"), lambda row: row.run),
        Column(translate("Models", "Human"), lambda row: row.people, number, number=True),
        Column(translate("Models", "Model"), lambda row: row.model, number, number=True),
        Column(
            translate("Models", "Rank"),
            lambda row: row.people_rank,
            number=True,
            rising=True,
            help=translate("Models", "Rank by human grades"),
        ),
        Column(
            translate("Models", "Model rank"),
            lambda row: row.model_rank,
            number=True,
            rising=True,
            help=translate("Models", "Rank by model grades"),
        ),
        Column(
            translate("Models", "Rank change"),
            lambda row: row.people_rank - row.model_rank,
            lambda change: f"{change:+d}".replace("-", "−") if change else "0",
            number=True,
        ),
    ]


def _conflict_columns() -> list[Column]:
    return [
        Column(translate("Models", "Topic"), lambda row: row.topic),
        Column(translate("Models", "Document"), lambda row: row.document),
        Column(translate("Models", "Human"), lambda row: row.people, number=True),
        Column(translate("Models", "Model"), lambda row: row.model, number=True),
        Column(translate("Models", "Difference"), lambda row: row.size, number=True),
    ]


def _make_estimate_columns(decimals: int) -> list[Column]:
    number = f"{{:.{decimals}f}}".format
    return [
        Column(translate("Models", "Run"), lambda row: row.run),
        Column(translate("Models", "Measure"), lambda row: row.measure),
        Column(translate("Models", "Value"), lambda row: row.value, number, number=True),
        Column(
            translate("Models", "Lower 95 %"),
            lambda row: row.low,
            number,
            number=True,
            help=translate("Models", "95 % interval"),
        ),
        Column(
            translate("Models", "Upper 95 %"),
            lambda row: row.high,
            number,
            number=True,
            help=translate("Models", "95 % interval"),
        ),
        Column(
            translate("Models", "Labels"),
            lambda row: translate("Models", "too few") if row.too_few else "",
            help=translate(
                "Models",
                "There are too few labels if the interval spans more than half of the possible "
                "range",
            ),
        ),
    ]


def describe_forecasts(forecasts: Sequence[PlanForecast]) -> list[str]:
    """Return a line of text per measure: expected half-widths by number of judgments."""
    return [
        filled(
            translate(
                "Models",
                "Margin of error of {measure} for different numbers of human judgments: {steps}.",
            ),
            measure=measure,
            steps="; ".join(
                filled(
                    translate("Models", "{judgments}: ±{reach}"),
                    judgments=f"{forecast.judgments:,}",
                    reach=f"{forecast.half_width:.3f}",
                )
                for forecast in forecasts
                if forecast.measure == measure
            ),
        )
        for measure in dict.fromkeys(forecast.measure for forecast in forecasts)
    ]
