"""Exercises: compute a value, rearrange a ranking, multiple choice; answers of a class."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    CHOICE_EXERCISES,
    CHOICE_LETTERS,
    CheckResult,
    ChoiceExercise,
    OpenExercise,
    format_moves,
    format_steps,
    make_choice_exercise_of_any_topic,
)
from irjudge.formats import (
    Exercise,
    ExerciseAnswer,
    StoredAnswer,
    append_answer,
    read_answers,
    summarise_class,
)
from irjudge.judging import read_project_qrels
from irjudge.message import Message
from irjudge.progress import Progress
from irjudge.store import Project
from irjudge_ui.file_dialogs import ask_file, ask_save_path
from irjudge_ui.jobs import on_project
from irjudge_ui.messages import (
    escape_markup,
    filled,
    join_list,
    join_sentences,
    translate,
    translate_message,
)
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.results.what_if import WhatIfRanking
from irjudge_ui.pages.shared import EvaluationOptions, ExerciseDialog, View
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_S,
    ChoiceBox,
    Dialog,
    FilterLine,
    FixedHeightLabel,
    Flow,
    Table,
    WrittenFileButtons,
    card,
    clear,
    column,
    fill_choices,
    make_breakable,
    make_button,
    make_container,
    make_grid,
    make_growing,
    make_label,
    make_scroll_area,
    set_style,
    show_text,
    with_label,
)

# Dialog with multiple-choice exercises, and dialog with the answers of a class

DIALOG_SIZE, SHEET_SIZE = (720, 640), (720, 480)
# function that stores an answer: exercise, letter of the answer (empty if none), verdict
StoreAnswer = Callable[[ChoiceExercise, str, str], object]
REVEALED_VERDICT = "shown"  # stored verdict of an exercise whose calculation was revealed


class ChoiceExerciseDialog(ExerciseDialog):
    """Exercise dialog with multiple-choice questions, which are generated from a project.

    `store_answer` is called with the exercise, the chosen letter and the verdict after each
    answer. It is also called when the calculation is shown before the correct answer was given;
    the letter is then empty.
    """

    def __init__(
        self, page: View, project: Project, options: EvaluationOptions, store_answer: StoreAnswer
    ) -> None:
        super().__init__(page, DIALOG_SIZE)
        self._project, self._options, self._store_answer = project, options, store_answer
        self.drill: ChoiceExercise | None = None
        self.kind = ChoiceBox(0, self.tr("Kind of exercise"), activated=lambda _index: self.draw(1))
        fill_choices(
            self.kind,
            [
                (translate_message(exercise.title), name)
                for name, exercise in CHOICE_EXERCISES.items()
            ],
        )
        self._table, self._choices = column(), column(spacing=SPACE_S)
        self.buttons_by_letter: dict[str, QPushButton] = {}
        title = self.tr("Multiple-choice exercises")
        self.fill(
            title,
            [
                Flow((with_label(self.tr("Kind"), self.kind), self.reveal, self.next)),
                make_growing(
                    make_scroll_area(
                        make_container(
                            column(
                                self._question,
                                self._table,
                                self._choices,
                                *self._result_widgets,
                                None,
                                spacing=SPACE_M,
                            )
                        ),
                        name=title,
                    )
                ),
            ],
            [(self.tr("Close"), None)],
        )
        self.draw(1)

    def draw(self, seed: int) -> None:
        self._seed = seed
        options, kind = self._options, str(self.kind.currentData())

        def compute(job_project: Project, _progress: Progress) -> ChoiceExercise:
            return make_choice_exercise_of_any_topic(
                kind,
                read_project_qrels(job_project, options.choice(job_project)),
                {
                    run.name: job_project.rankings.run(run.name)
                    for run in job_project.rankings.runs()
                },
                seed,
                job_project.scale.highest,
            )

        self.drill = None
        for button in (*self.buttons_by_letter.values(), self.reveal):
            button.setEnabled(False)
        self._show_verdict("", "")
        self._job.run(on_project(self._project, compute), self._pose, self._on_failed)

    def _pose(self, exercise: ChoiceExercise) -> None:
        self.drill = exercise
        self._question.setText(
            escape_markup(
                join_sentences(
                    filled(self.tr("Topic {topic}."), topic=exercise.topic),
                    translate_message(exercise.question),
                )
            )
        )
        for part in (self._table, self._choices):
            clear(part)
        self._table.addWidget(_make_table(exercise))
        self.buttons_by_letter = {}
        for letter, choice in zip(CHOICE_LETTERS, exercise.choices, strict=False):
            button = self.buttons_by_letter[letter] = make_button(
                escape_markup(f"{letter}   {_translate_cell(choice)}"),
                clicked=lambda _checked=False, letter=letter: self.answer(letter),
            )
            self._choices.addWidget(button)
        self.reveal.setEnabled(True)
        self.buttons_by_letter[CHOICE_LETTERS[0]].setFocus()

    def answer(self, letter: str) -> None:
        if self.drill is not None and self.buttons_by_letter[letter].isEnabled():
            is_right = self.drill.check(letter)
            self._show_verdict(
                self.tr("✓ Correct.")
                if is_right
                else filled(self.tr("✕ {letter} is wrong. Try another answer."), letter=letter),
                "",
            )
            self.buttons_by_letter[letter].setEnabled(False)
            if is_right:
                set_style(self.buttons_by_letter[letter], "primary")
                for button in self.buttons_by_letter.values():
                    button.setEnabled(False)
            self._store_answer(self.drill, letter, "right" if is_right else "wrong")

    def _reveal(self) -> None:
        """Show the calculation and the correct answer, and disable all choices.

        It is stored that the answer was revealed, unless the correct answer was given before.
        """
        if self.drill:
            right_letter = CHOICE_LETTERS[self.drill.right]
            if self.buttons_by_letter[right_letter].isEnabled():
                self._store_answer(self.drill, "", REVEALED_VERDICT)
            self.working.setText(
                escape_markup(
                    "\n".join(
                        [
                            *map(_translate_cell, self.drill.calculation),
                            filled(self.tr("{answer} is correct."), answer=right_letter),
                        ]
                    )
                )
            )
            self.working.show()
            for button in (*self.buttons_by_letter.values(), self.reveal):
                button.setEnabled(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        letter = event.text().lower()
        if letter in self.buttons_by_letter and not event.isAutoRepeat():
            self.answer(letter)
        else:
            super().keyPressEvent(event)


def _make_table(exercise: ChoiceExercise) -> QWidget:
    grid = make_grid(SPACE_L, SPACE_S, stretched=len(exercise.headings))
    for grid_row, cells in enumerate((exercise.headings, *exercise.rows)):
        for index, cell in enumerate(cells):
            label = make_label(
                escape_markup(_translate_cell(cell)), "" if grid_row else "quiet", wrap=False
            )
            is_number = grid_row and cell.replace(".", "", 1).isdigit()
            label.setAlignment(
                Qt.AlignmentFlag.AlignRight if is_number and index else Qt.AlignmentFlag.AlignLeft
            )
            grid.addWidget(label, grid_row, index)
    return make_container(grid)


class ClassSheetDialog(Dialog):
    """Read-only dialog with a table of a class's results in exercises, and a filter.

    It has a row for each student and a column for each exercise in the answer file. A cell contains
    the number of the first correct attempt or, if there is none, the last verdict, with the first
    wrong step if it is known; it is empty without an answer. A further column contains the number
    of exercises that the student solved.
    """

    def __init__(
        self, parent: QWidget, answers: Path, stored_answers: tuple[StoredAnswer, ...]
    ) -> None:
        super().__init__(parent, SHEET_SIZE)
        headings, rows = summarise_class(stored_answers)
        columns = [
            Column(_translate_cell(heading), itemgetter(index), _translate_cell, number=index == 1)
            for index, heading in enumerate(headings)
        ]
        self.table = Table(TableModel(columns, rows), self.tr("Results of the class"))
        self.fill(
            self.tr("Results of the class"),
            [
                make_label(
                    filled(
                        self.tr(
                            "Answers from {answers}. Each cell shows the number of the first "
                            "correct attempt, or the last answer if no attempt was correct."
                        ),
                        answers=answers.name,
                    )
                ),
                FilterLine(self.table),
                make_growing(self.table),
            ],
            [(self.tr("Close"), None)],
        )


def _translate_cell(cell: object) -> str:
    return translate_message(cell) if isinstance(cell, Message) else str(cell)


# Exercise on the explanation page: it hides the value, and checks the student's calculation

MIN_CHOICE_LENGTH = 22
COMPUTE, REARRANGE = range(2)


class ExercisePanel(QWidget):
    """Panel of the explanation page that poses exercises, and checks and stores answers.

    The user computes a value, or rearranges the ranking to reach a target. The exercises come from
    a file, or are about the value that the page shows. Answers, also those to multiple-choice
    exercises, are stored only if the user has selected a file, to which they are appended.

    Signals: `chosen` is emitted with the exercise that the user selects, `open_requested` with the
    path of a file of exercises, `kind_changed` when another kind of task is selected,
    `multiple_choice_requested` when the multiple-choice exercises are to be opened, `revealed` when
    the calculation is to be shown, `message_shown` with a text for the status bar, and `wrote` with
    the path of the file of answers after a change.
    """

    chosen = Signal(object)
    open_requested = Signal(Path)
    kind_changed = Signal()
    revealed = Signal()
    multiple_choice_requested = Signal()
    message_shown = Signal(str)
    wrote = Signal(Path)

    def __init__(self, what_if: WhatIfRanking) -> None:
        super().__init__()
        self._what_if = what_if
        self._exercise: OpenExercise | None = None
        self._clock = QElapsedTimer()
        self.answers: Path | None = None
        self.folder = Path()  # initial folder of file dialogs
        self.pick = ChoiceBox(
            MIN_CHOICE_LENGTH,
            self.tr("Exercise"),
            activated=lambda _index: self.chosen.emit(self.pick.currentData()),
        )
        self.kind = ChoiceBox(
            MIN_CHOICE_LENGTH, self.tr("Task"), activated=lambda _index: self.kind_changed.emit()
        )
        self.kind.addItems([self.tr("Compute the value"), self.tr("Reach a target")])
        self.value, self.student = (
            QLineEdit(placeholderText="0.56   5/9   (1/1 + 2/3)/3"),
            QLineEdit(),
        )
        self._question, self._task_label, self.verdict = (make_label() for _ in range(3))
        self.description_label = make_label("", "quiet")
        self.problem = make_label("", "error")
        self._storage_note = FixedHeightLabel("small")
        self.check = make_button(self.tr("Check"), "primary", clicked=self.judge)
        self.reveal = make_button(self.tr("Show calculation"), clicked=self._reveal)
        self.next = make_button(self.tr("Next exercise"), clicked=self._choose_next)
        self.open = make_button(self.tr("Open exercises…"), clicked=self._ask_exercises)
        self.save_button = make_button(
            self.tr("Save answers to a file…"), clicked=self._ask_answers
        )
        self.drills = make_button(
            self.tr("Multiple-choice exercises…"), clicked=self.multiple_choice_requested
        )
        self.sheet = make_button(self.tr("Results of the class…"), clicked=self._ask_sheet)
        self.written = WrittenFileButtons()
        self._value_field = with_label(self.tr("Value"), self.value)
        self._lay_out()
        self.value.returnPressed.connect(self.judge)

    def _lay_out(self) -> None:
        self.pick.setPlaceholderText(self.tr("the value chosen above"))
        self.pick.hide()
        self.next.hide()
        self.setLayout(
            column(
                card(
                    Flow(
                        (
                            make_label(self.tr("Exercise"), "heading", wrap=False),
                            self.pick,
                            self.kind,
                        )
                    ),
                    self._question,
                    self._task_label,
                    self.description_label,
                    self._value_field,
                    Flow((self.check, self.reveal, self.next)),
                    self.verdict,
                    self.problem,
                    margin=SPACE_M,
                )
            )
        )
        self.files = card(
            with_label(self.tr("Your name"), self.student),
            self._storage_note,
            Flow((self.save_button, self.open, self.written, self.drills, self.sheet)),
            margin=SPACE_M,
        )
        self._show_stored()

    # Called by the page

    def offer(self, exercises: Sequence[Exercise]) -> None:
        """List the exercises of a file without selecting one; an empty sequence clears the list."""
        self.pick.clear()
        self.pick.add_choices(
            (
                exercise.name
                if exercise.name != str(number)
                else f"{number}  {exercise.topic}  {exercise.measure}",
                exercise,
            )
            for number, exercise in enumerate(exercises, 1)
        )
        self.pick.setCurrentIndex(-1)
        self.pick.setVisible(bool(exercises))
        self._show_task_choices()

    def choose_matching(self, run: str, topic: str, measure: str) -> bool:
        listed_values = [
            (exercise.run, exercise.topic, exercise.measure) if exercise.target is None else ()
            for exercise in (self.pick.itemData(index) for index in range(self.pick.count()))
        ]
        is_listed = (run, topic, measure) in listed_values
        self.pick.setCurrentIndex(listed_values.index((run, topic, measure)) if is_listed else -1)
        return is_listed

    def file_exercise(self, run: str, topic: str, measure: str) -> Exercise | None:
        """Return the selected exercise if it is on a given value, otherwise None."""
        exercise = self.pick.currentData()
        return (
            exercise
            if isinstance(exercise, Exercise)
            and (exercise.run, exercise.topic, exercise.measure) == (run, topic, measure)
            else None
        )

    def pose(self, exercise: OpenExercise) -> None:
        self._exercise = exercise
        self._what_if.ask(exercise)
        self.value.clear()
        self._show_verdict(())
        task = exercise.exercise
        show_text(self._question, task.question)
        self._task_label.setText(_describe_task(exercise))
        self.description_label.setText(
            join_sentences(
                translate_message(exercise.measure.declaration.formula) + self.tr("."),
                _describe_judged(exercise),
            )
        )
        self._value_field.setVisible(task.target is None)
        self._enable_answer(True)
        self._show_task_choices()
        self._clock.start()

    def _show_task_choices(self) -> None:
        """Show or hide the task selector, and the button for the next exercise of the file.

        The task selector is shown if no exercise of the file is selected. The button is hidden
        if the last exercise of the file is selected, or there is no file.
        """
        self.kind.setVisible(self.pick.currentIndex() < 0)
        self.next.setVisible(self.pick.currentIndex() < self.pick.count() - 1)

    def show_problem(self, problem: str) -> None:
        show_text(self.problem, "✕ " + translate_message(problem) if problem else "")

    def focus(self) -> None:
        (self._what_if.table if self.value.isHidden() else self.value).setFocus()

    # Answers

    def judge(self) -> None:
        """Check the answer, and show the first error.

        Append the answer to the file of answers, if one has been chosen.
        """
        exercise, trial = self._exercise, self._what_if.trial
        if exercise is None or trial is None:
            return
        try:
            result = (
                exercise.check(self.value.text(), self._what_if.ranking.answers)
                if exercise.exercise.target is None
                else exercise.check_order(trial, len(self._what_if.moves))
            )
        except IrjudgeError as error:
            self._show_verdict((), str(error))
            return
        self._what_if.ranking.mark(result.step_results)
        self._show_verdict(result.messages, is_right=result.verdict == "right")
        self._store_answer(exercise, result.verdict, result)

    def _store_answer(
        self, exercise: OpenExercise, verdict: str, result: CheckResult | None = None
    ) -> None:
        self.append_answer(
            exercise.exercise,
            format_moves(self._what_if.moves)
            if exercise.exercise.target
            else self.value.text().strip(),
            verdict,
            format_steps(self._what_if.ranking.answers),
            result.where if result else "",
            round(self._clock.elapsed() / 1000),
        )

    def append_answer(
        self,
        exercise: Exercise,
        answer: str,
        verdict: str,
        steps: str = "",
        error_position: str = "",
        seconds: int | None = None,
    ) -> None:
        if self.answers is None:
            return
        try:
            append_answer(
                self.answers,
                ExerciseAnswer(
                    datetime.now(UTC).isoformat(timespec="seconds"),
                    self.student.text().strip(),
                    exercise,
                    answer,
                    steps,
                    verdict,
                    error_position,
                    seconds,
                ),
            )
        except IrjudgeError as error:
            self.show_problem(str(error))
        else:
            self.message_shown.emit(
                filled(self.tr("The answer is saved in {answers}."), answers=self.answers.name)
            )
            self.wrote.emit(self.answers)

    def _show_verdict(
        self, sentences: Sequence[str], problem: str = "", *, is_right: bool = False
    ) -> None:
        message = join_sentences(*map(translate_message, sentences))
        show_text(self.verdict, f"{'✓' if is_right else '✕'} {message}" if message else "")
        self.show_problem(problem)

    def _enable_answer(self, enabled: bool) -> None:
        for part in (self.value, self.check, self.reveal):
            part.setEnabled(enabled)

    def _reveal(self) -> None:
        if self._exercise:
            self._store_answer(self._exercise, REVEALED_VERDICT)
            self._enable_answer(False)
            self.revealed.emit()

    def _choose_next(self) -> None:
        self.pick.setCurrentIndex(min(self.pick.currentIndex() + 1, self.pick.count() - 1))
        self.chosen.emit(self.pick.currentData())

    # Files

    def _ask_exercises(self) -> None:
        if path := ask_file(
            self,
            self.tr("Open exercises"),
            self.tr("Tables (*.csv *.tsv *.txt *.xlsx);;All files (*)"),
            start=self.folder,
        ):
            self.open_requested.emit(path)

    def _ask_sheet(self) -> None:
        if path := ask_file(
            self,
            self.tr("Open an answer file"),
            self.tr("Answers (*.csv);;All files (*)"),
            start=self.answers or self.folder,
        ):
            try:
                ClassSheetDialog(self, path, read_answers(path)).open()
            except IrjudgeError as error:
                self.show_problem(str(error))

    def _ask_answers(self) -> None:
        path, _ = ask_save_path(
            self,
            self.tr("Save answers to a file"),
            self.answers or self.folder / "answers.csv",
            "CSV (*.csv)",
            # answers are appended to an existing file
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if path:
            self.store_in(path)

    def store_in(self, path: Path) -> None:
        self.answers = path
        self._show_stored()

    def _show_stored(self) -> None:
        note = self.tr("Answers are checked but not saved.")
        if self.answers:
            note = filled(
                self.tr("Each answer is appended to {file}; existing answers are never changed."),
                file=make_breakable(self.answers),
            )
            self.written.offer(self.answers.parent)
        self._storage_note.setText(note)


def _describe_task(exercise: OpenExercise) -> str:
    task, target = exercise.exercise, exercise.exercise.target
    if target is None:
        return join_sentences(
            filled(
                translate("ExercisePanel", "What is {measure} for topic {target}?"),
                measure=exercise.measure.name,
                target=task.topic,
            ),
            filled(
                translate(
                    "ExercisePanel",
                    "Enter a number with at least {decimals} decimals, or a calculation.",
                ),
                decimals=task.decimals,
            ),
        )
    template = {
        "=": translate("ExercisePanel", "Move documents until {measure} is {target}."),
        ">=": translate("ExercisePanel", "Move documents until {measure} is {target} or more."),
        "<=": translate("ExercisePanel", "Move documents until {measure} is {target} or less."),
    }[target.relation]
    return join_sentences(
        filled(
            template, measure=exercise.measure.name, target=f"{target.value:.{target.decimals}f}"
        ),
        ""
        if task.moves is None
        else filled(translate("ExercisePanel", "Moves allowed: {moves}."), moves=task.moves),
    )


def _describe_judged(exercise: OpenExercise) -> str:
    """Return a text with the number of judged documents per grade, including unretrieved ones."""
    grades = join_list(
        filled(
            translate("ExercisePanel", "{count} with grade {grade}"),
            count=f"{count:,}",
            grade=grade,
        )
        for grade, count in sorted(Counter(exercise.solution.example.judged).items(), reverse=True)
    )
    return (
        filled(
            translate("ExercisePanel", "Judged documents, whether retrieved or not: {grades}."),
            grades=grades,
        )
        if grades
        else ""
    )
