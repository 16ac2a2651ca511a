"""Dialogs for creating a run with a ranker and for calculating a BM25 score by hand."""

from collections.abc import Callable, Mapping
from functools import partial
from math import nan
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    ANSWER_DECIMALS,
    COMPARED_DEPTH,
    SCORE_COLUMNS,
    SUMMARY_MEASURES,
    RunSummary,
    ScoreExercise,
    StepPosition,
    compare_searches,
    make_score_exercise,
)
from irjudge.metrics import Parameter, format_value
from irjudge.search import RANKER_REGISTRY, SearchOptions, vary_parameters
from irjudge.store import Project, project_postings
from irjudge_ui.jobs import LatestJob, on_project
from irjudge_ui.messages import escape_markup, filled, join_sentences, translate, translate_message
from irjudge_ui.models import Column, TableModel, format_decimal
from irjudge_ui.pages.shared import ExerciseDialog, View
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    ChoiceBox,
    Dialog,
    Flow,
    NumberField,
    Table,
    clear,
    column,
    make_button,
    make_container,
    make_flow,
    make_grid,
    make_growing,
    make_label,
    make_scroll_area,
    named,
    row,
    scale_length,
    show_text,
    with_label,
    with_tooltip,
)

# Exercise: the BM25 score of a document is computed by hand

SCORE_SIZE = (760, 580)
STEP_WIDTH, VALUE_WIDTH = 72, 160
VERDICT_MARKS = {True: "✓", False: "✕", None: ""}


class ScoreByHand(ExerciseDialog):
    """Exercise dialog that asks for the BM25 score of a random document for a topic.

    The answers for the steps of each term and for the score are checked against the calculation of
    the ranker. Answers are not stored. The dialog is opened from `MakeRunDialog`.
    """

    def __init__(self, page: View, project: Project, cache: Path) -> None:
        super().__init__(page, SCORE_SIZE)
        self._project, self._cache = project, cache
        self.exercise: ScoreExercise | None = None
        self.steps: dict[StepPosition, QLineEdit] = {}
        self.marks: dict[StepPosition, QLabel] = {}
        self.value = QLineEdit()
        self.value.setFixedWidth(scale_length(VALUE_WIDTH))
        self.value.returnPressed.connect(self.judge)
        self._given_values, self._formulas = make_label(""), make_label("", "quiet")
        self._terms = column()
        self.check = make_button(self.tr("Check"), "primary", clicked=self.judge)
        exercise_part = make_container(
            column(
                self._question,
                self._given_values,
                self._formulas,
                self._terms,
                row(
                    with_label(
                        filled(
                            self.tr("Score, with at least {decimals} decimals"),
                            decimals=ANSWER_DECIMALS,
                        ),
                        self.value,
                    ),
                    None,
                ),
                Flow((self.check, self.reveal, self.next)),
                *self._result_widgets,
                None,
                spacing=SPACE_M,
            )
        )
        title = self.tr("Explain a BM25 score")
        self.fill(
            title,
            [make_growing(make_scroll_area(exercise_part, name=title))],
            [(self.tr("Close"), None)],
        )
        self.draw(1)

    def draw(self, seed: int) -> None:
        self._seed, project, cache = seed, self._project, self._cache

        self._enable_answer(enabled=False)
        self._show_verdict("", "")
        self._job.run(
            on_project(
                project,
                lambda job_project, progress: make_score_exercise(
                    project_postings(job_project, cache, progress),
                    job_project.collection.topics(),
                    seed,
                ),
            ),
            self._pose,
            self._on_failed,
        )

    def _pose(self, exercise: ScoreExercise) -> None:
        self.exercise = exercise
        self._question.setText(
            escape_markup(
                filled(
                    self.tr("Topic {topic}: {question}"),
                    topic=exercise.exercise.topic,
                    question=translate_message(exercise.exercise.question),
                )
            )
        )
        self._given_values.setText(escape_markup(translate_message(exercise.given_values_text)))
        self._formulas.setText(escape_markup(exercise.formulas))
        clear(self._terms)
        self._terms.addWidget(self._make_steps_table(exercise))
        self.value.clear()
        self._enable_answer(enabled=True)
        next(iter(self.steps.values()), self.value).setFocus()

    def _make_steps_table(self, exercise: ScoreExercise) -> QWidget:
        self.steps, self.marks = {}, {}
        grid = make_grid(SPACE_M, SPACE_S)
        known_values = (
            self.tr("Term"),
            self.tr("Frequency in query"),
            self.tr("Frequency in document"),
            self.tr("n: documents containing the term"),
        )
        for index, heading in enumerate(
            (*known_values, *(suffix for name in SCORE_COLUMNS for suffix in (name, "")))
        ):
            grid.addWidget(make_label(heading, "quiet", wrap=False), 0, index)
        for table_row, term in enumerate(exercise.explained.terms, 1):
            for index, cell in enumerate(
                (term.term, f"{term.query:g}", str(term.count), f"{term.document_frequency:,}")
            ):
                grid.addWidget(make_label(escape_markup(cell), wrap=False), table_row, index)
            for index, name in enumerate(SCORE_COLUMNS):
                field = self.steps[table_row, name] = named(QLineEdit(), f"{term.term}: {name}")
                field.setFixedWidth(scale_length(STEP_WIDTH))
                field.returnPressed.connect(self.judge)
                mark = self.marks[table_row, name] = make_label("", wrap=False)
                mark.setMinimumWidth(mark.fontMetrics().horizontalAdvance(VERDICT_MARKS[True]))
                grid.addWidget(field, table_row, len(known_values) + 2 * index)
                grid.addWidget(mark, table_row, len(known_values) + 2 * index + 1)
        grid.setColumnStretch(len(known_values) + 2 * len(SCORE_COLUMNS), 1)
        return make_container(grid)

    def judge(self) -> None:
        if self.exercise is None:
            return
        try:
            result = self.exercise.check(
                self.value.text(), {step: field.text() for step, field in self.steps.items()}
            )
        except IrjudgeError as error:
            self._show_verdict("", translate_message(str(error)))
            return
        for step, field in self.steps.items():
            self.marks[step].setText(
                VERDICT_MARKS[result.step_results.get(step)] if field.text().strip() else ""
            )
        self._show_verdict(
            f"{'✓' if result.verdict == 'right' else '✕'} {join_sentences(*map(translate_message, result.messages))}",
            "",
        )

    def _reveal(self) -> None:
        if self.exercise:
            show_text(
                self.working, escape_markup("\n".join(self.exercise.iter_calculation_lines()))
            )
            self._enable_answer(enabled=False)

    def _enable_answer(self, *, enabled: bool) -> None:
        for part in (self.value, self.check, self.reveal, *self.steps.values()):
            part.setEnabled(enabled)


# Dialog that creates a run: choice of ranker and parameters, evaluation, and saving

RUN_SIZE = (680, 640)
MAX_DEPTH, NUMBER_WIDTH = 10_000, 90
StoreRun = Callable[[SearchOptions, str], object]


class MakeRunDialog(Dialog):
    """Dialog that creates a run: a ranking of the project's documents for each topic.

    The button Try evaluates a run for each combination of the entered parameter values, and
    compares them with the project's runs. Only a single run can be saved: `store_run` is called
    with its options and name, and must search and store it.
    """

    def __init__(self, page: View, project: Project, cache: Path, store_run: StoreRun) -> None:
        super().__init__(page, RUN_SIZE)
        self._page, self._project, self._cache, self._store_run = page, project, cache, store_run
        self._job = LatestJob()
        self.finished.connect(lambda _result: self._job.stop())
        self.ranker, self.fields = (
            ChoiceBox(name=self.tr("Ranker")),
            ChoiceBox(name=self.tr("Query")),
        )
        self.feedback = with_tooltip(
            QCheckBox(self.tr("Pseudo-relevance feedback (RM3)")),
            self.tr(
                "RM3: the 10 terms with the highest weight in the first 10 documents make up half "
                "of the query."
            ),
        )
        self.max_results = NumberField(1, MAX_DEPTH, 1000, self.tr("Documents per topic"))
        self.name = named(QLineEdit(), self.tr("Name of the run"))
        self.fields.add_choices(
            [
                (self.tr("Title"), ("title",)),
                (self.tr("Title and description"), ("title", "description")),
                (
                    self.tr("Title, description and narrative"),
                    ("title", "description", "narrative"),
                ),
            ]
        )
        self.values: dict[str, QLineEdit | ChoiceBox] = {}
        self._parameters = column()
        self._formula, self.problem = make_label("", "quiet"), make_label("", "warning")
        self._description_label = make_label("", "small")
        self.summaries = TableModel(_columns())
        self._table = Table(self.summaries, self.tr("Runs"), rows=5)
        self._table.hide()  # hidden until a run has been evaluated
        self._lay_out()
        self._show_ranker()

    def _lay_out(self) -> None:
        self.ranker.add_choices(
            (translate_message(declaration.title), declaration.name)
            for declaration in RANKER_REGISTRY.catalogue()
        )
        top_form, bottom_form = (
            QFormLayout(horizontalSpacing=SPACE_M, verticalSpacing=SPACE_S) for _ in range(2)
        )
        for form, field in (
            (top_form, self.ranker),
            (top_form, self.fields),
            (bottom_form, self.max_results),
            (bottom_form, self.name),
        ):
            form.addRow(make_label(field.accessibleName(), "quiet", wrap=False), field)
        self.attempt, self.by_hand = (
            make_button(self.tr("Try"), clicked=self.evaluate_runs),
            make_button(
                self.tr("Explain a score…"),
                clicked=lambda: ScoreByHand(self._page, self._project, self._cache).open(),
            ),
        )
        self._show_message("")
        self.ranker.currentIndexChanged.connect(lambda _index: self._show_ranker())
        self.fields.currentIndexChanged.connect(lambda _index: self._show_name())
        self.feedback.toggled.connect(lambda _checked: self._show_name())
        self.fill(
            self.tr("Create run"),
            [
                top_form,
                self._formula,
                self._parameters,
                self.feedback,
                bottom_form,
                row(self.attempt, self.by_hand, None),
                self.problem,
                self._description_label,
                make_growing(self._table),
                None,
            ],
            [(self.tr("Cancel"), None), (self.tr("Save run"), self._save)],
        )
        self.ranker.setFocus()

    def _show_ranker(self) -> None:
        declaration = RANKER_REGISTRY.find(str(self.ranker.currentData()))
        self._formula.setText(escape_markup(declaration.formula))
        self.values = {}
        for parameter in declaration.parameters:
            field = self.values[parameter.name] = _make_field(parameter)
            if isinstance(field, ChoiceBox):
                field.setToolTip(escape_markup(translate_message(parameter.allowed_values)))
                field.currentIndexChanged.connect(lambda _index: self._show_name())
            else:
                field.setToolTip(
                    escape_markup(
                        filled(
                            self.tr(
                                "{allowed}. To compare several values, separate them with "
                                "spaces, such as 0.4 0.9 1.2."
                            ),
                            allowed=translate_message(parameter.allowed_values),
                        )
                    )
                )
                field.textChanged.connect(lambda _text: self._show_name())
        clear(self._parameters)
        self._parameters.addWidget(
            make_flow(*(with_label(name, field) for name, field in self.values.items()))
        )
        self._show_name()

    def _show_name(self) -> None:
        try:
            self.name.setPlaceholderText(escape_markup(self.plan().name))
        except IrjudgeError:
            self.name.setPlaceholderText("")

    def plan(self) -> SearchOptions:
        return self._options_with_values(
            {name: _entered_text(field) for name, field in self.values.items()}
        )

    def plans(self) -> tuple[SearchOptions, ...]:
        """Return search options for each combination of the entered parameter values.

        The user separates several values of a parameter by spaces.
        """
        entered_values = {name: _entered_text(field).split() for name, field in self.values.items()}
        varied_options = {
            name: values for name, values in entered_values.items() if len(values) > 1
        }
        first_plan = self._options_with_values(
            {
                name: " ".join(values)
                for name, values in entered_values.items()
                if name not in varied_options
            }
        )
        return vary_parameters(first_plan, varied_options)

    def _options_with_values(self, values: Mapping[str, str]) -> SearchOptions:
        return SearchOptions(
            str(self.ranker.currentData()),
            tuple(f"{name}={value}" for name, value in values.items() if value),
            tuple(self.fields.currentData()),
            self.max_results.value(),
            "rm3" if self.feedback.isChecked() else "",
        )

    def evaluate_runs(self) -> None:
        plans, project, cache = self._read_options(self.plans), self._project, self._cache
        if plans is None:
            return

        self.attempt.setEnabled(False)
        self._show_message(self.tr("Searching …"))
        self._job.run(
            on_project(
                project,
                lambda job_project, progress: (
                    compare_searches(job_project, plans, cache=cache, progress=progress).summaries
                ),
            ),
            self._show_summaries,
            self._on_failed,
        )

    def _read_options(
        self, read_plans: Callable[[], tuple[SearchOptions, ...]]
    ) -> tuple[SearchOptions, ...] | None:
        """Return the result of `read_plans`; if the options are invalid, show why and return None.

        `read_plans` reads the entered options.
        """
        try:
            plans = read_plans()
            plans[0].resolve()
        except IrjudgeError as error:
            show_text(self.problem, "✕ " + translate_message(str(error)))
            return None
        self._show_message("")
        return plans

    def _single_plan(self) -> tuple[SearchOptions, ...]:
        if len(plans := self.plans()) > 1:
            raise IrjudgeError(
                filled(
                    self.tr(
                        "{count} runs can be compared, but only one can be saved: enter a single "
                        "value for each parameter."
                    ),
                    count=len(plans),
                )
            )
        return plans

    def _show_summaries(self, summaries: tuple[RunSummary, ...]) -> None:
        self.attempt.setEnabled(True)
        self.summaries.fill(summaries)
        self._table.show()
        self._show_message(
            self.tr(
                "Unjudged documents count as not relevant: runs that were not pooled may be "
                "better than shown here."
            )
            if summaries[0].values
            else self.tr(
                "Nothing is judged yet. The last column shows how much the new run overlaps "
                "with each of the other runs."
            )
        )

    def _on_failed(self, error: Exception, trace: str) -> None:
        self.attempt.setEnabled(True)
        self._show_message("")
        self._page.show_error(error, trace, self.problem)

    def _show_message(self, message: str) -> None:
        self.problem.hide()
        show_text(self._description_label, message)

    def can_accept(self) -> bool:
        return self._read_options(self._single_plan) is not None

    def _save(self) -> None:
        plan = self.plan()
        self._store_run(plan, self.name.text().strip() or plan.name)


def _make_field(parameter: Parameter) -> QLineEdit | ChoiceBox:
    if parameter.kind != "choice":
        field = QLineEdit(format_value(parameter.default))
        field.setFixedWidth(scale_length(NUMBER_WIDTH))
        return field
    box = ChoiceBox()
    box.addItems(list(parameter.choices))
    box.setCurrentText(format_value(parameter.default))
    return box


def _entered_text(field: QLineEdit | ChoiceBox) -> str:
    return field.currentText() if isinstance(field, ChoiceBox) else field.text().strip()


def _columns() -> list[Column]:
    return [
        Column(translate("MakeRunDialog", "Run"), lambda row: row.name),
        *(_measure_column(index, name) for index, name in enumerate(SUMMARY_MEASURES)),
        Column(
            filled(translate("MakeRunDialog", "Overlap in top {top}"), top=str(COMPARED_DEPTH)),
            lambda row: row.shared,
            partial(format_decimal, decimals=2),
            number=True,
            help=filled(
                translate(
                    "MakeRunDialog",
                    "Share of the new run's top {top} documents that are also in the top {top} of "
                    "this run",
                ),
                top=str(COMPARED_DEPTH),
            ),
        ),
    ]


def _measure_column(index: int, name: str) -> Column:
    return Column(
        name,
        # unlike other values, NaN is never equal to the best value, so it is not bold
        lambda summary: summary.values[index] if summary.values else nan,
        partial(format_decimal, decimals=4),
        number=True,
        best=True,
    )
