"""Exercises with choices in the window, whatever kinds there are, and the answers of a class on one sheet."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from irjudge.evaluation.exercises import DRILLS, LETTERS, Drill, drill_of_any
from irjudge.formats.exercises import KeptAnswer, class_sheet
from irjudge.judging.judged_qrels import project_qrels
from irjudge.message import Message
from irjudge.progress import Progress
from irjudge.store.project import Project
from irjudge_ui.messages import filled, in_language, plain, sentences
from irjudge_ui.models.tables import Column, TableModel
from irjudge_ui.pages.shared.exercise_dialog import ExerciseDialog
from irjudge_ui.pages.shared.policy import EvaluationWish
from irjudge_ui.pages.shared.view import View
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.fields import ChoiceBox
from irjudge_ui.widgets.layout import (
    Flow,
    button,
    clear,
    column,
    labelled,
    offer,
    scrolling,
    style_as,
    text,
)
from irjudge_ui.widgets.table import FilterLine, Table
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_S

SIZE, SHEET_SIZE = (720, 640), (720, 480)
Keep = Callable[[Drill, str, str], object]  # takes the exercise, the letter and what came of it


class DrillDialog(ExerciseDialog):
    """Asks questions of which one choice is right, drawn from the project; another kind or another draw is one click away."""

    def __init__(self, page: View, project: Project, wish: EvaluationWish, keep: Keep) -> None:
        super().__init__(page, SIZE)
        self._project, self._wish, self._keep = project, wish, keep
        self.drill: Drill | None = None
        self.kind = ChoiceBox(0, self.tr("Kind of exercise"))
        offer(self.kind, [(in_language(each.title), name) for name, each in DRILLS.items()])
        self.kind.activated.connect(lambda _place: self.draw(1))
        self._table, self._choices = column(), column(spacing=SPACE_S)
        self.buttons_by_letter: dict[str, QPushButton] = {}
        answers = (self._choices, *self._answered, None)
        paper = QWidget()
        paper.setLayout(column(self._question, self._table, *answers, spacing=SPACE_M))
        title = self.tr("Exercises with choices")
        head = Flow((labelled(self.tr("Kind"), self.kind), self.reveal, self.next))
        self.fill(title, [head, growing(scrolling(paper, name=title))], [(self.tr("Close"), None)])
        self.draw(1)

    def draw(self, seed: int) -> None:
        """Draw an exercise of the chosen kind, beside the window."""
        self._seed, project, wish, kind = (
            seed,
            self._project,
            self._wish,
            str(self.kind.currentData()),
        )

        def work(_progress: Progress) -> Drill:
            with project.second_connection() as other:
                runs = {each.name: other.rankings.run(each.name) for each in other.rankings.runs()}
                return drill_of_any(
                    kind, project_qrels(other, wish.choice(other)), runs, seed, other.scale.highest
                )

        self.drill = None
        for made in (*self.buttons_by_letter.values(), self.reveal):
            made.setEnabled(False)
        self._say("", "")
        self._work.run(work, self._pose, self._on_failed)

    def _pose(self, drill: Drill) -> None:
        self.drill = drill
        topic = filled(self.tr("Topic {topic}."), topic=drill.topic)
        self._question.setText(plain(sentences(topic, in_language(drill.question))))
        for part in (self._table, self._choices):
            clear(part)
        self._table.addWidget(_table_of(drill))
        self.buttons_by_letter = {}
        for letter, choice in zip(LETTERS, drill.choices, strict=False):
            made = button(plain(f"{letter}   {_said(choice)}"))
            made.clicked.connect(lambda _checked=False, letter=letter: self.answer(letter))
            self.buttons_by_letter[letter] = made
            self._choices.addWidget(made)
        self.reveal.setEnabled(True)
        self.buttons_by_letter[LETTERS[0]].setFocus()

    def answer(self, letter: str) -> None:
        """Take a choice, and say whether it is right; a wrong one is not asked for again."""
        if self.drill is None or not self.buttons_by_letter[letter].isEnabled():
            return
        right = self.drill.check(letter)
        self._say(
            self.tr("✓ That is right.")
            if right
            else filled(self.tr("✕ {letter} is wrong. Try another one."), letter=letter),
            "",
        )
        self.buttons_by_letter[letter].setEnabled(False)
        if right:
            style_as(self.buttons_by_letter[letter], "primary")
            for made in self.buttons_by_letter.values():
                made.setEnabled(False)
        self._keep(self.drill, letter, "right" if right else "wrong")

    def _reveal(self) -> None:
        """Show why the answer is the answer; the exercise is over."""
        if self.drill:
            answer = filled(self.tr("{answer} is right."), answer=LETTERS[self.drill.right])
            self.working.setText(plain("\n".join([*map(_said, self.drill.working), answer])))
            self.working.show()
            for made in (*self.buttons_by_letter.values(), self.reveal):
                made.setEnabled(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the letter of a choice as a click on it."""
        if event.text() in self.buttons_by_letter and not event.isAutoRepeat():
            self.answer(event.text())
        else:
            super().keyPressEvent(event)


def _table_of(drill: Drill) -> QWidget:
    """Return the table that is looked at, its numbers below each other."""
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(SPACE_L)
    grid.setVerticalSpacing(SPACE_S)
    for line, cells in enumerate((drill.headings, *drill.rows)):
        for place, cell in enumerate(cells):
            label = text(plain(_said(cell)), "" if line else "quiet", wrap=False)
            number = line and cell.replace(".", "", 1).isdigit()
            label.setAlignment(
                Qt.AlignmentFlag.AlignRight if number and place else Qt.AlignmentFlag.AlignLeft
            )
            grid.addWidget(label, line, place)
    grid.setColumnStretch(len(drill.headings), 1)
    return made


class ClassSheet(Dialog):
    """Shows the answers of a class: a line a student, a column an exercise."""

    def __init__(self, parent: QWidget, answers: Path, kept: tuple[KeptAnswer, ...]) -> None:
        super().__init__(parent, SHEET_SIZE)
        headings, rows = class_sheet(kept)
        columns = [_sheet_column(place, heading) for place, heading in enumerate(headings)]
        self.table = Table(TableModel(columns, rows), self.tr("Results of the class"))
        words = text(
            filled(
                self.tr("From {answers}: at which answer it was right, else the last one."),
                answers=answers.name,
            )
        )
        self.fill(
            self.tr("Results of the class"),
            [words, FilterLine(self.table), growing(self.table)],
            [(self.tr("Close"), None)],
        )


def _sheet_column(place: int, heading: str) -> Column:
    return Column(_said(heading), lambda row: row[place], show=_said, number=place == 1)


def _said(cell: object) -> str:
    """Return what the engine says in the language of the window, and ids and names as they are."""
    return in_language(cell) if isinstance(cell, Message) else str(cell)
