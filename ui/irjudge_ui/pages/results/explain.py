"""Explanation page: computation of a value step by step, and the effect of changes."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation import (
    Exchange,
    Explanation,
    OpenExercise,
    Trial,
    ValueChanges,
    applicable_exercises,
    find_value_changes,
    make_exchange_target,
    make_trial,
)
from irjudge.formats import Exercise, read_exercises
from irjudge.judging import read_project_qrels
from irjudge.metrics import Measure, Scores
from irjudge.model import AuxiliaryTable, Qrels, Run, Topic
from irjudge.progress import Progress
from irjudge.shipped import sample_folders
from irjudge.store import Project, read_auxiliary_tables
from irjudge_ui.actions import BY_ID, ActionHandler, bind_key_cap, create_actions
from irjudge_ui.messages import filled, join_sentences, translate_message, with_title
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.results.exercises import ChoiceExerciseDialog, ExercisePanel
from irjudge_ui.pages.results.what_if import WhatIf
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
    with_label,
)

NARROW = 860
NAME_CHARACTERS = 22  # minimum width of a name, in characters


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedRun:
    """Data needed for an explanation.

    These are the qrels and their name, run, topic texts, scale, collection size and auxiliary
    files.
    """

    qrels: Qrels
    run: Run
    texts: dict[str, Topic]
    scale: tuple[int, ...]
    documents: int
    auxiliary: tuple[AuxiliaryTable, ...] = ()
    rests_on: str = ""

    def topics(self, options: EvaluationOptions) -> list[str]:
        """Return the evaluated topics, in the order of the qrels."""
        known = set(self.run.topics)
        return [topic for topic in self.qrels.topics if options.topics != "both" or topic in known]


class ExplainView(View):
    """Explains the value of a run for a topic; the project is only read."""

    shown = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._work = self.latest()
        self._source: ExplainedRun | None = None
        self._options = EvaluationOptions("")
        self._titles: Mapping[str, str] = {}  # titles of ranked and of missing documents
        self._asking = False  # whether an exercise asks for the value, which is hidden
        self._pick = ValueRequest("", "", "", self._options)  # requested value; empty for any
        self._chosen: tuple[Measure, ...] = ()
        self.run, self.topic, self.measure = (ChoiceBox(NAME_CHARACTERS) for _ in range(3))
        self._name_boxes()
        self.about, self.problem, self.empty = (
            make_label("", "quiet"),
            make_label("", "error"),
            make_label("", "quiet"),
        )
        self.begin = self._tool("exercise")
        self._undo, self._reset = self._tool("undo-step"), self._tool("reset-steps")
        self.what_if = WhatIf()
        self.calculation = Calculation()
        self.exercise = ExercisePanel(self.what_if)
        self._reading, self._naming = self.latest(), self.latest(quiet=True)
        self._lay_out()
        self._connect()
        self.actions_by_id = create_actions(self, self._action_handlers())

    def _action_handlers(self) -> dict[str, ActionHandler]:
        return {
            "exercise": ActionHandler(self.switch_exercise, lambda: self.has_ranking),
            "undo-step": ActionHandler(self.undo, lambda: self.can_undo),
            "reset-steps": ActionHandler(self.reset, lambda: self.can_undo),
        }

    def _name_boxes(self) -> None:
        names = (self.tr("Run"), self.tr("Topic"), self.tr("Measure"))
        for box, name in zip((self.run, self.topic, self.measure), names, strict=True):
            box.setAccessibleName(name)
        self.measure.setEditable(True)
        self.measure.setInsertPolicy(ChoiceBox.InsertPolicy.NoInsert)
        self.measure.setToolTip(
            self.tr("Choose one, or type any name, for example: DCG(discount=jk)@10")
        )
        self.measure.setCompleter(None)  # type: ignore[arg-type]  # it would turn p@5 into another name while one types

    def _tool(self, id: str) -> QPushButton:
        button = make_button(BY_ID[id].label)
        bind_key_cap(id, button.setToolTip, button)
        button.clicked.connect(lambda: self.actions_by_id[id].trigger())
        return button

    def _lay_out(self) -> None:
        boxes = (self.run, self.topic, self.measure)
        fields = Flow(with_label(box.accessibleName(), box) for box in boxes)
        self._body = SideBySide(
            column(self.what_if),
            column(self.exercise, self.calculation, self.exercise.files, None, spacing=SPACE_M),
            NARROW,
            (2, 1),
        )
        content = QWidget()
        tools = row(self.begin, self._undo, self._reset, None)
        title = SideBySide(column(make_label(self.tr("Explain"), "title")), tools, NARROW // 2)
        parts = column(
            title, fields, self.about, self.problem, self.empty, self._body, None, spacing=SPACE_M
        )
        parts.setStretchFactor(self._body, 100)
        content.setLayout(parts)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(PageScrollArea(content))
        for part in (self.exercise, self.exercise.files):
            part.hide()

    def _connect(self) -> None:
        for each in (self.run, self.topic, self.measure):
            each.activated.connect(lambda _index: self.exercise.leave_file())
        self.run.activated.connect(lambda _index: self._load())
        self.topic.activated.connect(lambda _index: self._begin())
        self.measure.activated.connect(lambda _index: self._choose_measure())
        line = self.measure.lineEdit()
        if line:
            line.returnPressed.connect(self._choose_measure)
        self.what_if.changed.connect(self._explain)
        self.what_if.opened.connect(self._open)
        self.calculation.exchanged.connect(self.what_if.exchange)
        self.calculation.asked.connect(self._ask_measure)
        self.exercise.chosen.connect(self._show_exercise)
        self.exercise.opening.connect(self._open_exercises)
        self.exercise.retasked.connect(self._begin)
        self.exercise.revealed.connect(self._reveal)
        self.exercise.drilling.connect(self._ask_drills)
        self.exercise.message_shown.connect(self.message_shown)
        self.exercise.wrote.connect(self.wrote)

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self._source, self._asking = None, False
        self._show_exercising(False)
        self._options = stored_options(project, self._settings)
        self._pick = ValueRequest("", "", "", self._options)
        self.exercise.offer(())
        self.exercise.folder = project.path.parent if project else Path()
        for box in (self.run, self.topic, self.measure):
            box.clear()

    def take(self, what: object) -> None:
        """Explain the requested value when the page is next shown."""
        if isinstance(what, ValueRequest):
            self._pick, self._options = what, what.options

    def refresh(self) -> None:
        """Reload runs and qrels; keep run, topic and measure unless others were requested."""
        if self.project is None or (self._asking and not self._pick.run):
            return  # keep the exercise and the student's input
        if not self._pick.run:
            if self.project.writing:  # a read-only project cannot store options
                self._options = stored_options(self.project, self._settings)
            topic = str(self.topic.currentData() or "")
            self._pick = ValueRequest(
                self.run.currentText(), topic, self.measure.currentText(), self._options
            )
        names = [run.name for run in self.project.rankings.runs()]
        self.run.clear()
        self.run.addItems(names)
        self.run.setCurrentIndex(max(0, self.run.findText(self._pick.run)) if names else -1)
        self._offer_measures()
        if self._ready(names):
            self._load()

    def focus(self) -> None:
        """Focus the ranking."""
        self.what_if.table.setFocus()

    # Actions

    @property
    def has_ranking(self) -> bool:
        """Whether there is a value for an exercise."""
        return self.what_if.first is not None

    @property
    def can_undo(self) -> bool:
        """Whether a step can be undone."""
        return self.what_if.can_undo

    def undo(self) -> None:
        """Undo the last step."""
        self.what_if.undo()
        self.message_shown.emit(self.tr("The last step was undone."))

    def reset(self) -> None:
        """Show the ranking as stored in the project."""
        self.what_if.reset()
        self.message_shown.emit(self.tr("The ranking and its grades are those of the project."))

    # Exercises

    def switch_exercise(self) -> None:
        """Hide the value and ask for it as an exercise, or show it again."""
        asking = self.exercise.isHidden()
        self._show_exercising(asking)
        if asking and not self.exercise.pick.count():
            self._open_exercises(None)
        self._choose_matching()
        self._begin()
        if asking:
            self.exercise.focus()

    def _show_exercising(self, asking: bool) -> None:
        self.begin.setText(self.tr("End the exercise") if asking else BY_ID["exercise"].label)
        for part in (self.exercise, self.exercise.files):
            part.setVisible(asking)
        self._body.turn(asking)  # during an exercise the task is shown before the ranking

    def _open_exercises(self, path: Path | None) -> None:
        """Read a file of exercises in the background.

        For None, read the exercises of the sample.
        """
        project, options = self.project, self._options
        if project is None:
            return

        def work(_progress: Progress) -> tuple[Exercise, ...]:
            with project.second_connection() as job_project:
                if path:
                    return load_exercises(job_project, path, options)
                return _load_shipped_exercises(job_project, options)

        self._reading.run(
            work, self._take_exercises if path else self._take_shipped, self._on_failed
        )

    def _ask_drills(self) -> None:
        """Ask multiple-choice questions about the project; answers are stored with those of the
        other exercises.
        """
        if self.project:
            keep = self.exercise.keep_answer
            ChoiceExerciseDialog(
                self,
                self.project,
                self._options,
                lambda drill, letter, verdict: keep(drill.exercise, letter, verdict),
            ).open()

    def _take_exercises(self, exercises: tuple[Exercise, ...]) -> None:
        """Pose the first exercise of an opened file."""
        self.exercise.offer(exercises)
        if exercises:
            self.exercise.pick.setCurrentIndex(0)
            self._show_exercise(exercises[0])

    def _take_shipped(self, exercises: tuple[Exercise, ...]) -> None:
        """List the exercises of the sample; the displayed value does not change."""
        self.exercise.offer(exercises)
        if self._choose_matching():
            self._begin()

    def _choose_matching(self) -> bool:
        """Select the exercise on the displayed value, and return whether there is one."""
        first = self.what_if.first
        with suppress(IrjudgeError):
            return first is not None and self.exercise.choose_matching(
                self.run.currentText(), first.topic, self._chosen_measure().name
            )
        return False

    def _show_exercise(self, exercise: Exercise) -> None:
        """Show the run, topic and measure of an exercise; pose it once they are loaded."""
        self.take(ValueRequest(exercise.run, exercise.topic, exercise.measure, self._options))
        self.refresh()

    def _ask(self) -> None:
        """Pose the exercise on the displayed value; moved documents change the ranking."""
        first, measure = self.what_if.first, self._chosen_measure()
        if first is None:
            return
        if self.what_if.can_undo:
            self.what_if.show_order()
            return
        named = self.run.currentText(), first.topic, measure.name
        exercise, listed = (
            Exercise(f"{first.topic} {measure.name}", first.topic, measure.name, named[0]),
            self.exercise.of_file(*named),
        )
        if listed is None:
            self.exercise.leave_file()
        if listed is None and self.exercise.asks_for_order:
            self._work.stop()
            self._work.run(
                lambda progress: make_exchange_target(first, exercise, progress),
                self.exercise.pose,
                self._on_failed,
            )
        else:
            self.exercise.pose(OpenExercise(listed or exercise, first))

    def _reveal(self) -> None:
        """End the exercise, and show the calculation of the value."""
        self._asking = False
        self.calculation.show()
        self._explain()

    # Reading

    def _offer_measures(self) -> None:
        try:
            self._chosen = self._options.parse()
        except IrjudgeError as error:
            self._chosen = ()
            self._say(str(error))
        self.measure.clear()
        self.measure.addItems([measure.name for measure in self._chosen])
        self.measure.setCurrentText(self._pick.measure or self.measure.itemText(0))

    def _ready(self, runs: list[str]) -> bool:
        missing = ""
        if not runs:
            missing = self.tr("There are no runs to explain. Add some on the collection page.")
        elif self.project and self._options.choice(self.project) is None:
            missing = self.tr(
                "There are no qrels yet. Judge some documents, or import qrels on the collection page."
            )
        self.empty.setText(missing)
        for part, visible in (
            (self.empty, bool(missing)),
            (self._body, not missing),
            (self.about, not missing),
        ):
            part.setVisible(visible)
        return not missing

    def _load(self) -> None:
        """Load the selected run and the qrels, in the background."""
        project, name = self.project, self.run.currentText()
        if project is None:
            return
        choice = self._options.choice(project)

        def work(_progress: Progress) -> ExplainedRun:
            with project.second_connection() as job_project:
                texts = {topic.id: topic for topic in job_project.collection.topics()}
                qrels, run = read_project_qrels(job_project, choice), job_project.rankings.run(name)
                rests = choice.words if choice else ""
                return ExplainedRun(
                    qrels,
                    run,
                    texts,
                    job_project.scale.values,
                    job_project.collection.document_count(),
                    read_auxiliary_tables(job_project),
                    rests,
                )

        self._work.run(work, self._take, self._on_failed)

    def _take(self, source: ExplainedRun) -> None:
        before = self._pick.topic or str(self.topic.currentData() or "")
        self._source, self._pick = source, ValueRequest("", "", "", self._options)
        self.topic.clear()
        for topic in source.topics(self._options):
            title = source.texts[topic].title if topic in source.texts else ""
            self.topic.addItem(with_title(topic, title), topic)
        judged = next(
            (topic for topic in source.topics(self._options) if topic in set(source.qrels.topics)),
            "",
        )
        wanted = self.topic.findData(before if before else judged)
        self.topic.setCurrentIndex(max(0, wanted) if self.topic.count() else -1)
        self._begin()

    def _begin(self) -> None:
        """Show the stored ranking of the selected topic, or an exercise on it."""
        self._asking = not self.exercise.isHidden()
        self.calculation.setVisible(not self._asking)
        topic, source = self.topic.currentData(), self._source
        if source is None:
            return
        if topic is None:
            self._say(self.tr("The qrels contain none of the topics of this run."))
            return
        known = source.texts.get(topic)
        self.about.setText(
            "\n".join(
                filter(
                    None,
                    (known.description if known else "", describe_qrels_source(source.rests_on)),
                )
            )
        )
        policy = self._options.policy()
        more: dict[str, Any] = {
            "highest": source.scale[-1],
            "collection": source.documents or None,
            "tables": source.auxiliary,
        }
        trial = make_trial(source.qrels, source.run, topic, policy, **more)
        self.what_if.begin(trial, source.scale)
        self._name(trial)
        self._explain()

    def _name(self, trial: Trial) -> None:
        """Show the documents of a ranking by their titles, read in the background."""
        project, documents = (
            self.project,
            list(dict.fromkeys([*trial.documents, *(document for document, _ in trial.ideal)])),
        )
        if project is None:
            return

        def read(_progress: Progress) -> dict[str, str]:
            with project.second_connection() as job_project:
                return job_project.collection.titles(documents)

        self._naming.run(read, self._call, self.failed.emit)

    def _call(self, titles: Mapping[str, str]) -> None:
        """Show document titles instead of ids."""
        self._titles = titles
        self.what_if.call(titles)
        if not self._asking:
            self._show_value()

    def _open(self, document: str) -> None:
        if self.project:
            about = filled(self.tr("Topic {topic}"), topic=self.topic.currentText())
            self.message_shown.emit(
                open_document(
                    self, self.project, document, about, float(self._settings.get("zoom"))
                )
            )

    # Explaining

    def _ask_measure(self, name: str) -> None:
        self.measure.setCurrentText(name)
        self._choose_measure()

    def _choose_measure(self) -> None:
        """Explain another measure of the current ranking, or restart the exercise with it."""
        (self._explain if self.exercise.isHidden() else self._begin)()

    def _explain(self) -> None:
        """Explain the current ranking, and recompute the chosen measures.

        During an exercise only the task is shown.
        """
        if self._asking and self.what_if.first is not None:
            try:
                self._ask()
            except IrjudgeError as error:
                self._say(str(error))
                return
            self._say("")
            self._show_steps()
        elif measure := self._show_value():
            self._show_steps()
            self._find_changes(measure)
            self.shown.emit()

    def _show_value(self) -> Measure | None:
        """Show the calculation and all values; return the measure, or None if it raises an error."""
        trial, first = self.what_if.trial, self.what_if.first
        if trial is None or first is None:
            return None
        decimals = int(self._settings.get("decimals"))
        try:
            measure = self._chosen_measure()
            self.what_if.show_working(explanation := trial.explain(measure, self._titles))
            measures = self._chosen if measure in self._chosen else (*self._chosen, measure)
            before, now = first.values(measures), trial.values(measures)
        except IrjudgeError as error:
            self._say(str(error))
            return None
        self.calculation.show_explanation(
            explanation, float(before[measures.index(measure)]), decimals
        )
        self.calculation.show_measures(measures, before, now, measures.index(measure), decimals)
        self._say("")
        return measure

    def _show_steps(self) -> None:
        for made in (self._undo, self._reset):
            made.setEnabled(self.can_undo)

    def _chosen_measure(self) -> Measure:
        """Return the selected or typed measure; the field shows its name from the beginning."""
        if line := self.measure.lineEdit():
            line.setCursorPosition(0)
        return EvaluationOptions(
            self.measure.currentText(), rel=self._options.rel, profile=self._options.profile
        ).parse()[0]

    def _find_changes(self, measure: Measure) -> None:
        """Find, in the background, the exchanges that would change the value."""
        trial, decimals = self.what_if.trial, int(self._settings.get("decimals"))
        self._work.stop()
        self.calculation.show_waiting()
        if trial is None:
            return
        self._work.run(
            lambda progress: find_value_changes(trial, measure, progress),
            lambda changes: self.calculation.show_changes(changes, decimals),
            self._on_failed,
        )

    def _on_failed(self, error: Exception, trace: str) -> None:
        if trace:
            self.failed.emit(error, trace)
        else:
            self._say(str(error))

    def _say(self, problem: str) -> None:
        self.problem.setText("✕ " + translate_message(problem) if problem else "")
        self.problem.setVisible(bool(problem))


def load_exercises(
    project: Project, path: Path, options: EvaluationOptions
) -> tuple[Exercise, ...]:
    """Return the exercises of a file for a project."""
    exercises, names = read_exercises(path), [run.name for run in project.rankings.runs()]
    used = {each.run or next(iter(names), "") for each in exercises}
    runs = {name: project.rankings.run(name).topics if name in used else () for name in names}
    return applicable_exercises(
        path, exercises, runs, read_project_qrels(project, options.choice(project)).topics
    )


def _load_shipped_exercises(project: Project, options: EvaluationOptions) -> tuple[Exercise, ...]:
    """Return the exercises of the project's sample collection; empty for other projects."""
    for folder in sample_folders().values():
        with suppress(FormatError):
            if (folder / "exercises.csv").is_file():
                return load_exercises(project, folder / "exercises.csv", options)
    return ()


MAX_MEASURES = 6  # maximum number of measures shown at once
SAME = 1e-12
translate = QCoreApplication.translate


class Calculation(QWidget):
    """Shows an explanation.

    `exchanged` requests a swap of two ranks, `asked` another measure.
    """

    exchanged = Signal(int, int)
    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.value, self._formula, self.steps = (
            make_label("", "title"),
            make_label("", "quiet"),
            make_label(""),
        )
        self._change, self._judgment = make_label(""), make_label("")
        self._exchange: Exchange | None = None
        self._try = make_button(self.tr("Swap them"))
        self.measures = TableModel()
        self.table = Table(self.measures, self.tr("All chosen measures"), rows=MAX_MEASURES)
        for each in (self.value, self._formula, self.steps):
            each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._try.clicked.connect(self._ask_exchange)
        self.table.opened.connect(
            lambda row: self.asked.emit(str(self.table.model().index(row, 0).data()))
        )
        what = make_label(self.tr("What would change the value"), "heading")
        self._what = card(what, self._change, row(self._try, None), self._judgment, margin=SPACE_M)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACE_M)
        box.addWidget(card(self.value, self._formula, self.steps, margin=SPACE_M))
        box.addWidget(
            card(
                make_label(self.tr("All chosen measures"), "heading"),
                FilterLine(self.table),
                self.table,
                margin=SPACE_M,
            )
        )
        box.addWidget(self._what)

    def show_explanation(self, explanation: Explanation, before: float, decimals: int) -> None:
        """Show a calculation that ends with the full value, and the value before changes."""
        declaration = explanation.measure.declaration
        decimals = (
            0
            if explanation.value == round(explanation.value) and declaration.summary == "sum"
            else decimals
        )
        formula = f"{explanation.measure.name} = {explanation.value:.{decimals}f}"
        if abs(explanation.value - before) > SAME:
            formula = filled(
                self.tr("{text} (previously {before})"),
                text=formula,
                before=f"{before:.{decimals}f}",
            )
        self.value.setText(formula)
        self._formula.setText(
            join_sentences(
                translate_message(declaration.title) + ":", translate_message(declaration.formula)
            )
        )
        steps = [*map(translate_message, explanation.worked_example.steps), explanation.result]
        self.steps.setText("\n".join(steps))

    def show_measures(
        self, measures: Sequence[Measure], before: Scores, now: Scores, at: int, decimals: int
    ) -> None:
        """Show the stored and current values of the selected measures; `at` is the explained one."""
        rows = list(zip(measures, before.tolist(), now.tolist(), strict=True))
        self.measures.fill(rows, _columns(decimals, changed=bool((before != now).any())))
        self.table.setCurrentIndex(self.measures.line_of(at))

    def show_waiting(self) -> None:
        """Show that the effects of exchanges are being computed."""
        self._change.setText(self.tr("Trying all swaps of two documents …"))
        self._try.hide()
        self._judgment.hide()

    def show_changes(self, changes: ValueChanges, decimals: int) -> None:
        """Show the changes with the largest effect on the value."""
        best = self._exchange = changes.exchange
        if best:
            template = self.tr(
                "Of the {tried} possible swaps of two documents, swapping ranks {upper} "
                "and {lower} increases the value most: to {value} ({gain})."
            )
            template = filled(
                template,
                tried=f"{changes.tried:,}",
                upper=best.upper,
                lower=best.lower,
                value=f"{best.value:.{decimals}f}",
                gain=_format_signed(best.value - changes.value, decimals),
            )
        else:
            template = filled(
                self.tr("None of the {tried} possible swaps of two documents increases the value."),
                tried=f"{changes.tried:,}",
            )
        self._change.setText(template)
        self._try.setVisible(best is not None)
        next_one = changes.judgment
        message = self.tr("All documents of the ranking are judged.")
        if next_one:
            message = self.tr(
                "The first unjudged document is at rank {rank}. With the lowest grade the "
                "value would be {lowest}, with the highest {highest}."
            )
            message = filled(
                message,
                rank=next_one.rank,
                lowest=f"{next_one.lowest:.{decimals}f}",
                highest=f"{next_one.highest:.{decimals}f}",
            )
        self._judgment.setText(message)
        self._judgment.show()

    def _ask_exchange(self) -> None:
        if self._exchange:
            self.exchanged.emit(self._exchange.upper, self._exchange.lower)


def _format_signed(difference: float, decimals: int) -> str:
    return f"{difference:+.{decimals}f}".replace("-", "−")


def _columns(decimals: int, *, changed: bool) -> list[Column]:
    """Return the columns: measure, value and, after changes, the difference."""

    def format_value(value: float) -> str:
        return f"{value:.{decimals}f}"

    columns = [
        Column(translate("Calculation", "Measure"), lambda line: line[0].name),
        Column(translate("Calculation", "Value"), lambda line: line[2], format_value, number=True),
    ]
    if changed:
        header, value = translate("Calculation", "Change", "noun"), lambda line: line[2] - line[1]
        columns.append(
            Column(
                header,
                value,
                lambda each: _format_signed(each, decimals) if abs(each) > SAME else "=",
                number=True,
            )
        )
    return columns
