"""Explanation page: calculation of a value step by step, and effect of changes."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    Exchange,
    Explanation,
    OpenExercise,
    Trial,
    ValueChanges,
    find_value_changes,
    make_exchange_target,
    make_trial,
    read_project_exercises,
    read_sample_exercises,
)
from irjudge.formats import Exercise
from irjudge.judging import read_project_qrels
from irjudge.metrics import Measure, Scores
from irjudge.model import AuxiliaryTable, Qrels, Run, Topic
from irjudge.store import Project, read_auxiliary_tables
from irjudge_ui.actions import BY_ID, ActionHandler, create_actions
from irjudge_ui.messages import filled, join_sentences, translate, translate_message, with_title
from irjudge_ui.models import Column, TableModel, format_signed
from irjudge_ui.pages.results.exercises import REARRANGE, ChoiceExerciseDialog, ExercisePanel
from irjudge_ui.pages.results.what_if import WhatIfRanking
from irjudge_ui.pages.shared import (
    EvaluationOptions,
    ValueRequest,
    View,
    describe_qrels_source,
    open_document,
    stored_options,
)
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    FilterLine,
    Flow,
    PageScrollArea,
    SideBySide,
    Table,
    card,
    column,
    make_button,
    make_label,
    row,
    show_text,
    with_label,
    with_tooltip,
)

NARROW_WIDTH = 860
NAME_CHARACTERS = 22  # minimum width of a name, in characters


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedRun:
    """Run, qrels and other data that are needed to explain the run's values.

    All topics of the run are included. `scale` contains the grades in ascending order,
    `document_count` is the number of documents that have a text, and `auxiliary` are tables that
    some measures need. The explanation page reads these data for the selected run.
    """

    qrels: Qrels
    run: Run
    topics_by_id: dict[str, Topic]
    scale: tuple[int, ...]
    document_count: int
    auxiliary: tuple[AuxiliaryTable, ...] = ()
    qrels_name: str = ""

    def topics(self, options: EvaluationOptions) -> list[str]:
        """Return the topics that an evaluation with these options uses, in qrels order."""
        topics_of_run = set(self.run.topics)
        return [
            topic
            for topic in self.qrels.topics
            if options.topics != "both" or topic in topics_of_run
        ]


class ExplainView(View):
    """Explanation page: explains a run's value for a topic step by step; poses exercises.

    The user selects run, topic and measure, and can rearrange and regrade the ranking to see the
    effect; the stored ranking and grades do not change. During an exercise, the value and its
    calculation are hidden until the user requests the calculation.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        # the details of a value are its possible changes, or the task of an exercise
        self._source_job = self.latest(on_cancelled=self._forget_source)
        self._detail_job = self.latest(on_cancelled=self._forget_details)
        # whether the question of an exercise was cancelled, so that Recompute asks it again
        self._asks_again = False
        self._exercises_job, self._titles_job = self.latest(), self.latest(quiet=True)
        self._source: ExplainedRun | None = None
        self._options = EvaluationOptions("")
        # titles of the documents in the ranking and in the ideal ranking
        self._titles: Mapping[str, str] = {}
        # whether an exercise asks the user for the value, so that the value is hidden
        self._has_exercise = False
        # value to show next; any run, topic or measure if the field is empty
        self._requested_value = ValueRequest("", "", "", self._options)
        self._chosen_measures: tuple[Measure, ...] = ()
        self.run = ChoiceBox(NAME_CHARACTERS, self.tr("Run"), activated=lambda _index: self._load())
        self.topic = ChoiceBox(
            NAME_CHARACTERS, self.tr("Topic"), activated=lambda _index: self._choose_topic()
        )
        self.measure = with_tooltip(
            ChoiceBox(
                NAME_CHARACTERS, self.tr("Measure"), activated=lambda _index: self._choose_measure()
            ),
            self.tr(
                "Choose a measure, or type the name of any measure, for example: "
                "DCG(discount=jk)@10"
            ),
        )
        self._make_measure_editable()
        self.description_label, self.empty = make_label("", "quiet"), make_label("", "quiet")
        self.begin = self.action_button("exercise")
        self._undo_button, self._reset_button = (
            self.action_button("undo-step"),
            self.action_button("reset-steps"),
        )
        self.what_if = WhatIfRanking()
        self.calculation = Calculation()
        self.exercise = ExercisePanel(self.what_if)
        self._lay_out()
        self._connect()
        self.actions_by_id = create_actions(
            self,
            {
                "exercise": ActionHandler(
                    self.switch_exercise, lambda: self.what_if.first is not None
                ),
                "undo-step": ActionHandler(self.undo, lambda: self.what_if.can_undo),
                "reset-steps": ActionHandler(self.reset, lambda: self.what_if.can_undo),
            },
        )

    def _make_measure_editable(self) -> None:
        self.measure.setEditable(True)
        self.measure.setInsertPolicy(ChoiceBox.InsertPolicy.NoInsert)
        # no completion, since it would replace a name such as p@5 during typing
        self.measure.setCompleter(None)  # type: ignore[arg-type]

    def _lay_out(self) -> None:
        self._body = SideBySide(
            column(self.what_if),
            column(self.exercise, self.calculation, self.exercise.files, None, spacing=SPACE_M),
            NARROW_WIDTH,
            (2, 1),
        )
        self.setLayout(
            column(
                PageScrollArea(
                    column(
                        SideBySide(
                            column(make_label(self.tr("Explain"), "title")),
                            row(self.begin, self._undo_button, self._reset_button, None),
                            NARROW_WIDTH // 2,
                        ),
                        Flow(
                            with_label(box.accessibleName(), box)
                            for box in (self.run, self.topic, self.measure)
                        ),
                        self.description_label,
                        self.problem,
                        self.empty,
                        self._body,
                        None,
                        spacing=SPACE_M,
                        stretched=self._body,
                        stretch=100,
                    )
                )
            )
        )
        for part in (self.exercise, self.exercise.files):
            part.hide()

    def _connect(self) -> None:
        for box in (self.run, self.topic, self.measure):
            # another value has been selected, so that no exercise of the file is selected any more
            box.activated.connect(lambda _index: self.exercise.pick.setCurrentIndex(-1))
        if line_edit := self.measure.lineEdit():
            line_edit.returnPressed.connect(self._choose_measure)
        self.what_if.changed.connect(self._explain)
        self.what_if.opened.connect(self._open)
        self.calculation.swap_requested.connect(self.what_if.exchange)
        self.calculation.measure_requested.connect(self._ask_measure)
        self.exercise.chosen.connect(self._show_exercise)
        self.exercise.open_requested.connect(self._open_exercises)
        self.exercise.kind_changed.connect(self._begin)
        self.exercise.revealed.connect(self._reveal)
        self.exercise.multiple_choice_requested.connect(self._open_multiple_choice)
        self.exercise.message_shown.connect(self.message_shown)
        self.exercise.wrote.connect(self.wrote)

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self._source, self._has_exercise = None, False
        self._show_exercising(False)
        self._options = stored_options(project, self._settings)
        self._requested_value = ValueRequest("", "", "", self._options)
        self.exercise.offer(())
        self.exercise.folder = project.path.parent if project else Path()
        for box in (self.run, self.topic, self.measure):
            box.clear()

    def set_request(self, request: object) -> None:
        if isinstance(request, ValueRequest):
            self._requested_value, self._options = request, request.options

    def restart_jobs(self) -> None:
        asks_again, self._asks_again = self._asks_again, False
        if asks_again and self._has_exercise and self._source is not None:
            self._explain()
        else:
            super().restart_jobs()

    def refresh(self) -> None:
        """Reload runs and qrels; keep the selected value unless another one was requested."""
        if self.project is None or (self._has_exercise and not self._requested_value.run):
            return  # a refresh must not interrupt an exercise
        if not self._requested_value.run:
            # a read-only project cannot store the options that the user has selected
            if self.project.writing:
                self._options = stored_options(self.project, self._settings)
            self._requested_value = ValueRequest(
                self.run.currentText(),
                str(self.topic.currentData() or ""),
                self.measure.currentText(),
                self._options,
            )
        names = [run.name for run in self.project.rankings.runs()]
        self.run.clear()
        self.run.addItems(names)
        self.run.setCurrentIndex(
            max(0, self.run.findText(self._requested_value.run)) if names else -1
        )
        self._offer_measures()
        if self._has_runs(names):
            self._load()

    def focus(self) -> None:
        self.what_if.table.setFocus()

    # Actions

    def undo(self) -> None:
        self.what_if.undo()
        self.message_shown.emit(self.tr("The last change to the ranking was undone."))

    def reset(self) -> None:
        self.what_if.reset()
        self.message_shown.emit(
            self.tr("The ranking and its grades were reset to those of the project.")
        )

    # Exercises

    def switch_exercise(self) -> None:
        """Begin an exercise, which hides the value, or end it."""
        begins = self.exercise.isHidden()
        self._show_exercising(begins)
        if begins and not self.exercise.pick.count():
            self._open_exercises(None)
        self._choose_matching()
        self._begin()
        if begins:
            self.exercise.focus()

    def _show_exercising(self, visible: bool) -> None:
        self.begin.setText(self.tr("End the exercise") if visible else BY_ID["exercise"].label)
        for part in (self.exercise, self.exercise.files):
            part.setVisible(visible)
        self._body.set_reversed(visible)  # if narrow, show the task above the ranking

    def _open_exercises(self, path: Path | None) -> None:
        """Read a file of exercises in the background.

        If `path` is None, read those that belong to a sample collection.
        """
        options = self._options
        self.run_on_project(
            self._exercises_job,
            lambda project, _progress: (
                read_project_exercises(project, path, options.choice(project))
                if path
                else read_sample_exercises(project, options.choice(project))
            ),
            self._show_opened if path else self._show_shipped,
        )

    def _open_multiple_choice(self) -> None:
        if self.project:
            ChoiceExerciseDialog(
                self,
                self.project,
                self._options,
                lambda drill, letter, verdict: self.exercise.append_answer(
                    drill.exercise, letter, verdict
                ),
            ).open()

    def _show_opened(self, exercises: tuple[Exercise, ...]) -> None:
        self.exercise.offer(exercises)
        if exercises:
            self.exercise.pick.setCurrentIndex(0)
            self._show_exercise(exercises[0])

    def _show_shipped(self, exercises: tuple[Exercise, ...]) -> None:
        """List the exercises of a sample collection; pose one only if it is on the shown value."""
        self.exercise.offer(exercises)
        if self._choose_matching():
            self._begin()

    def _choose_matching(self) -> bool:
        stored_ranking = self.what_if.first
        with suppress(IrjudgeError):
            return stored_ranking is not None and self.exercise.choose_matching(
                self.run.currentText(), stored_ranking.topic, self._chosen_measure().name
            )
        return False

    def _show_exercise(self, exercise: Exercise) -> None:
        self.set_request(
            ValueRequest(exercise.run, exercise.topic, exercise.measure, self._options)
        )
        self.refresh()

    def _ask(self, stored_ranking: Trial) -> None:
        measure = self._chosen_measure()
        if self.what_if.can_undo:
            self.what_if.show_order()
            return
        self._detail_job.stop()
        value_id = self.run.currentText(), stored_ranking.topic, measure.name
        exercise = Exercise(
            f"{stored_ranking.topic} {measure.name}",
            stored_ranking.topic,
            measure.name,
            value_id[0],
        )
        if (listed_exercise := self.exercise.file_exercise(*value_id)) is None:
            self.exercise.pick.setCurrentIndex(-1)
        if listed_exercise is None and self.exercise.kind.currentIndex() == REARRANGE:
            self._detail_job.run(
                lambda progress: make_exchange_target(stored_ranking, exercise, progress),
                self.exercise.pose,
                self.show_error,
            )
        else:
            self.exercise.pose(OpenExercise(listed_exercise or exercise, stored_ranking))

    def _reveal(self) -> None:
        self._has_exercise = False
        self.calculation.show()
        self._explain()

    # Reading

    def _offer_measures(self) -> None:
        try:
            self._chosen_measures = self._options.parse()
        except IrjudgeError as error:
            self._chosen_measures = ()
            self.show_problem(translate_message(str(error)))
        self.measure.clear()
        self.measure.addItems([measure.name for measure in self._chosen_measures])
        self.measure.setCurrentText(self._requested_value.measure or self.measure.itemText(0))

    def _has_runs(self, runs: list[str]) -> bool:
        missing = ""
        if not runs:
            missing = self.tr("There are no runs to explain. Add some on the Collection page.")
        elif self.project and self._options.choice(self.project) is None:
            missing = self.tr(
                "There are no qrels yet. Judge some documents, or import qrels on the "
                "Collection page."
            )
        show_text(self.empty, missing)
        for part in (self._body, self.description_label):
            part.setVisible(not missing)
        return not missing

    def _load(self) -> None:
        if self.project:
            name, choice = self.run.currentText(), self._options.choice(self.project)
            self._detail_job.stop()
            self.run_on_project(
                self._source_job,
                lambda project, _progress: ExplainedRun(
                    read_project_qrels(project, choice),
                    project.rankings.run(name),
                    {topic.id: topic for topic in project.collection.topics()},
                    project.scale.values,
                    project.collection.document_count(),
                    read_auxiliary_tables(project),
                    choice.description if choice else "",
                ),
                self._set_source,
            )

    def _forget_details(self) -> None:
        self.calculation.hide_changes()
        self._asks_again = self._has_exercise

    def _forget_source(self) -> None:
        self._source, self._has_exercise = None, False
        for part in (self._body, self.description_label):
            part.hide()

    def _set_source(self, source: ExplainedRun) -> None:
        old_topic = self._requested_value.topic or str(self.topic.currentData() or "")
        self._source, self._requested_value = source, ValueRequest("", "", "", self._options)
        self.topic.clear()
        for topic in source.topics(self._options):
            title = source.topics_by_id[topic].title if topic in source.topics_by_id else ""
            self.topic.addItem(with_title(topic, title), topic)
        self.topic.setCurrentIndex(
            max(0, self.topic.findData(old_topic)) if self.topic.count() else -1
        )
        for part in (self._body, self.description_label):
            part.show()
        self._begin()

    def _choose_topic(self) -> None:
        # if the run is being read, its topic is now the selected one instead of the requested one
        self._requested_value = ValueRequest("", "", "", self._options)
        self._begin()

    def _begin(self) -> None:
        if self._source_job.busy:
            return  # `_set_source` begins
        self._has_exercise = not self.exercise.isHidden()
        self.calculation.setVisible(not self._has_exercise)
        topic, source = self.topic.currentData(), self._source
        if source is None:
            return
        if topic is None:
            self.show_problem(self.tr("The qrels contain none of the topics of this run."))
            return
        topic_text = source.topics_by_id.get(topic)
        self.description_label.setText(
            "\n".join(
                filter(
                    None,
                    (
                        topic_text.description if topic_text else "",
                        describe_qrels_source(source.qrels_name),
                    ),
                )
            )
        )
        trial = make_trial(
            source.qrels,
            source.run,
            topic,
            self._options.policy(),
            highest=source.scale[-1],
            collection=source.document_count or None,
            tables=source.auxiliary,
        )
        self.what_if.begin(trial, source.scale)
        documents = list(
            dict.fromkeys([*trial.documents, *(document for document, _ in trial.ideal)])
        )
        self.run_on_project(
            self._titles_job,
            lambda project, _progress: project.collection.titles(documents),
            self._set_titles,
            self.failed.emit,
        )
        self._explain()

    def _set_titles(self, titles: Mapping[str, str]) -> None:
        self._titles = titles
        self.what_if.set_titles(titles)
        if not self._has_exercise:
            self._show_value()

    def _open(self, document: str) -> None:
        if self.project:
            self.message_shown.emit(
                open_document(
                    self,
                    self.project,
                    document,
                    filled(self.tr("Topic {topic}"), topic=self.topic.currentText()),
                    self.zoom,
                )
            )

    # Explaining

    def _ask_measure(self, name: str) -> None:
        self.measure.setCurrentText(name)
        self._choose_measure()

    def _choose_measure(self) -> None:
        (self._explain if self.exercise.isHidden() else self._begin)()

    def _explain(self) -> None:
        """Show the calculation of the value, values by other measures, and possible changes.

        During an exercise, show only the task.
        """
        if self._source_job.busy:
            return  # `_set_source` explains the value of the selected run
        stored_ranking = self.what_if.first
        if self._has_exercise and stored_ranking is not None:
            try:
                self._ask(stored_ranking)
            except IrjudgeError as error:
                self.show_problem(translate_message(str(error)))
                return
            self.show_problem("")
            self._show_steps()
        elif measure := self._show_value():
            self._show_steps()
            self._find_changes(measure)

    def _show_value(self) -> Measure | None:
        trial, stored_ranking = self.what_if.trial, self.what_if.first
        if trial is None or stored_ranking is None:
            return None
        decimals = self.decimals
        try:
            measure = self._chosen_measure()
            self.what_if.show_working(explanation := trial.explain(measure, self._titles))
            measures = (
                self._chosen_measures
                if measure in self._chosen_measures
                else (*self._chosen_measures, measure)
            )
            stored_values, current_values = stored_ranking.values(measures), trial.values(measures)
        except IrjudgeError as error:
            self.show_problem(translate_message(str(error)))
            return None
        self.calculation.show_explanation(
            explanation, float(stored_values[measures.index(measure)]), decimals
        )
        self.calculation.show_measures(
            measures, stored_values, current_values, measures.index(measure), decimals
        )
        self.show_problem("")
        return measure

    def _show_steps(self) -> None:
        for button in (self._undo_button, self._reset_button):
            button.setEnabled(self.what_if.can_undo)

    def _chosen_measure(self) -> Measure:
        """Return the selected or typed measure, and scroll its field to the beginning."""
        if line_edit := self.measure.lineEdit():
            line_edit.setCursorPosition(0)
        return EvaluationOptions(
            self.measure.currentText(), rel=self._options.rel, profile=self._options.profile
        ).parse()[0]

    def _find_changes(self, measure: Measure) -> None:
        trial, source, decimals = self.what_if.trial, self._source, self.decimals
        self._detail_job.stop()
        self.calculation.show_waiting()
        if trial is None or source is None:
            return
        self._detail_job.run(
            lambda progress: find_value_changes(trial, measure, progress, lowest=source.scale[0]),
            lambda changes: self.calculation.show_changes(changes, decimals),
            self.show_error,
        )


MAX_MEASURES = 6  # maximum number of measures shown at once
TOLERANCE = 1e-12


class Calculation(QWidget):
    """Part of the explanation page: calculation of a value, and effects of changes.

    The value is that of a ranking for one topic. A table has its values by all chosen measures. The
    changes are the exchange of two documents that improves the value most, if any does, and a
    judgment of the first unjudged document, with the lowest or the highest grade.

    `swap_requested` is emitted with two ranks, from 1, whose documents are to be exchanged.
    `measure_requested` is emitted with the name of a measure whose value is to be explained.
    """

    swap_requested = Signal(int, int)
    measure_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.value = make_label("", "title")
        self._formula = make_label("", "quiet")
        self.steps = make_label("")
        self._change, self._judgment = make_label(""), make_label("")
        self._exchange: Exchange | None = None
        self._swap_button = make_button(self.tr("Swap these documents"), clicked=self._request_swap)
        self.measures = TableModel()
        self.table = Table(self.measures, self.tr("All chosen measures"), rows=MAX_MEASURES)
        for label in (self.value, self._formula, self.steps):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table.opened.connect(
            lambda row: self.measure_requested.emit(str(self.table.model().index(row, 0).data()))
        )
        self.setLayout(
            column(
                card(self.value, self._formula, self.steps, margin=SPACE_M),
                card(
                    make_label(self.tr("All chosen measures"), "heading"),
                    FilterLine(self.table),
                    self.table,
                    margin=SPACE_M,
                ),
                card(
                    make_label(self.tr("What would change the value"), "heading"),
                    self._change,
                    row(self._swap_button, None),
                    self._judgment,
                    margin=SPACE_M,
                ),
                spacing=SPACE_M,
            )
        )

    def show_explanation(
        self, explanation: Explanation, stored_value: float, decimals: int
    ) -> None:
        measure = explanation.measure
        declaration = measure.declaration
        decimals = (
            0
            if explanation.value == round(explanation.value) and declaration.summary == "sum"
            else decimals
        )
        formula = f"{explanation.measure.name} = {explanation.value:.{decimals}f}"
        if abs(explanation.value - stored_value) > TOLERANCE:
            formula = filled(
                self.tr("{text} (previously {before})"),
                text=formula,
                before=f"{stored_value:.{decimals}f}",
            )
        self.value.setText(formula)
        self._formula.setText(
            join_sentences(
                translate_message(declaration.title) + ":",
                measure.select_variants(translate_message(declaration.formula)),
            )
        )
        self.steps.setText(
            "\n".join(
                [*map(translate_message, explanation.worked_example.steps), explanation.result]
            )
        )

    def show_measures(
        self,
        measures: Sequence[Measure],
        stored_values: Scores,
        current_values: Scores,
        current_row: int,
        decimals: int,
    ) -> None:
        self.measures.fill(
            list(zip(measures, stored_values.tolist(), current_values.tolist(), strict=True)),
            _columns(decimals, changed=bool((stored_values != current_values).any())),
        )
        self.table.setCurrentIndex(self.measures.line_of(current_row))

    def hide_changes(self) -> None:
        self._change.setText("")

    def show_waiting(self) -> None:
        self._change.setText(self.tr("Trying all swaps of two documents …"))
        self._swap_button.hide()
        self._judgment.hide()

    def show_changes(self, changes: ValueChanges, decimals: int) -> None:
        exchange = self._exchange = changes.exchange
        if exchange:
            message = filled(
                self.tr(
                    "Of the {tried} possible swaps of two documents, swapping ranks {upper} "
                    "and {lower} improves the value most: to {value} ({gain})."
                ),
                tried=f"{changes.tried:,}",
                upper=exchange.upper,
                lower=exchange.lower,
                value=f"{exchange.value:.{decimals}f}",
                gain=format_signed(exchange.value - changes.value, decimals),
            )
        elif changes.tried == 0:  # the measure needs subtopics or an auxiliary file
            message = ""
        else:
            message = filled(
                self.tr("None of the {tried} possible swaps of two documents improves the value."),
                tried=f"{changes.tried:,}",
            )
        self._change.setText(message)
        self._swap_button.setVisible(exchange is not None)
        message = self.tr("All documents in the ranking are judged.")
        if judgment := changes.judgment:
            message = filled(
                self.tr(
                    "The first unjudged document is at rank {rank}. With the lowest grade for "
                    "this document, the value would be {lowest}; with the highest grade, {highest}."
                ),
                rank=judgment.rank,
                lowest=f"{judgment.lowest:.{decimals}f}",
                highest=f"{judgment.highest:.{decimals}f}",
            )
        self._judgment.setText(message)
        self._judgment.show()

    def _request_swap(self) -> None:
        if self._exchange:
            self.swap_requested.emit(self._exchange.upper, self._exchange.lower)


def _columns(decimals: int, *, changed: bool) -> list[Column]:
    """Return the columns: measure, value and, if `changed`, difference from the stored value."""

    def format_value(value: float) -> str:
        return f"{value:.{decimals}f}"

    columns = [
        Column(translate("Calculation", "Measure"), lambda line: line[0].name),
        Column(translate("Calculation", "Value"), lambda line: line[2], format_value, number=True),
    ]
    if changed:
        columns.append(
            Column(
                translate("Calculation", "Change", "noun"),
                lambda line: line[2] - line[1],
                lambda value: format_signed(value, decimals) if abs(value) > TOLERANCE else "=",
                number=True,
            )
        )
    return columns
