"""The dialog for a class: a BM25 score of a document of the project, to compute by hand, checked term by term."""

from pathlib import Path

from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation.exercises import Place
from irjudge.evaluation.score_exercises import DECIMALS, SCORE_COLUMNS, PosedScore, score_exercise
from irjudge.progress import Progress
from irjudge.store.project import Project
from irjudge.store.search_index import project_postings
from irjudge_ui.messages import filled, in_language, plain, sentences
from irjudge_ui.pages.shared.exercise_dialog import ExerciseDialog
from irjudge_ui.pages.shared.view import View
from irjudge_ui.widgets.dialog import growing
from irjudge_ui.widgets.layout import Flow, button, clear, column, labelled, row, scrolling, text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, zoomed

SIZE = (760, 580)
STEP_WIDTH, VALUE_WIDTH = 72, 160
MARKS = {True: "✓", False: "✕", None: ""}


class ScoreByHand(ExerciseDialog):
    """Asks for a score that `Next exercise` draws anew; what was typed is checked against the ranker's own working."""

    def __init__(self, page: View, project: Project, cache: Path) -> None:
        super().__init__(page, SIZE)
        self._project, self._cache = project, cache
        self.posed: PosedScore | None = None
        self.steps: dict[Place, QLineEdit] = {}
        self.marks: dict[Place, QLabel] = {}
        self.value = QLineEdit()
        self.value.setFixedWidth(zoomed(VALUE_WIDTH))
        self.value.returnPressed.connect(self.judge)
        self._given, self._formulas = text(""), text("", "quiet")
        self._terms = column()
        self.check = button(self.tr("Check"), "primary")
        self.check.clicked.connect(self.judge)
        score = labelled(
            filled(self.tr("The score, with {decimals} decimals or more"), decimals=DECIMALS),
            self.value,
        )
        buttons = Flow((self.check, self.reveal, self.next))
        answers = (row(score, None), buttons, *self._answered, None)
        paper = QWidget()
        paper.setLayout(
            column(
                self._question, self._given, self._formulas, self._terms, *answers, spacing=SPACE_M
            )
        )
        title = self.tr("A BM25 score by hand")
        self.fill(title, [growing(scrolling(paper, name=title))], [(self.tr("Close"), None)])
        self.draw(1)

    def draw(self, seed: int) -> None:
        """Draw an exercise, beside the window: the documents may still have to be indexed."""
        self._seed, project, cache = seed, self._project, self._cache

        def work(progress: Progress) -> PosedScore:
            with project.second_connection() as other:
                return score_exercise(
                    project_postings(other, cache, progress), other.collection.topics(), seed
                )

        self._let(allowed=False)
        self._say("", "")
        self._work.run(work, self._pose, self._on_failed)

    def _pose(self, posed: PosedScore) -> None:
        self.posed = posed
        self._question.setText(
            plain(
                filled(
                    self.tr("Topic {topic}: {question}"),
                    topic=posed.exercise.topic,
                    question=in_language(posed.exercise.question),
                )
            )
        )
        self._given.setText(plain(in_language(posed.given)))
        self._formulas.setText(plain(posed.formulas))
        clear(self._terms)
        self._terms.addWidget(self._table(posed))
        self.value.clear()
        self._let(allowed=True)
        first = next(iter(self.steps.values()), self.value)
        first.setFocus()

    def _table(self, posed: PosedScore) -> QWidget:
        """Return what is known of each term, and fields for its steps."""
        table, self.steps, self.marks = QWidget(), {}, {}
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE_M)
        grid.setVerticalSpacing(SPACE_S)
        known = (
            self.tr("Term"),
            self.tr("In the query"),
            self.tr("Count"),
            self.tr("n: documents with it"),
        )
        for place, heading in enumerate(
            (*known, *(each for name in SCORE_COLUMNS for each in (name, "")))
        ):
            grid.addWidget(text(heading, "quiet", wrap=False), 0, place)
        for line, term in enumerate(posed.found.terms, 1):
            for place, cell in enumerate(
                (term.term, f"{term.query:g}", str(term.count), f"{term.found_in:,}")
            ):
                grid.addWidget(text(plain(cell), wrap=False), line, place)
            for place, name in enumerate(SCORE_COLUMNS):
                field = self.steps[line, name] = QLineEdit()
                field.setFixedWidth(zoomed(STEP_WIDTH))
                field.setAccessibleName(f"{term.term}: {name}")
                field.returnPressed.connect(self.judge)
                mark = self.marks[line, name] = text("", wrap=False)
                mark.setMinimumWidth(mark.fontMetrics().horizontalAdvance(MARKS[True]))
                grid.addWidget(field, line, len(known) + 2 * place)
                grid.addWidget(mark, line, len(known) + 2 * place + 1)
        grid.setColumnStretch(len(known) + 2 * len(SCORE_COLUMNS), 1)
        return table

    def judge(self) -> None:
        """Check what was typed, and say where it goes wrong."""
        if self.posed is None:
            return
        try:
            checked = self.posed.check(
                self.value.text(), {place: field.text() for place, field in self.steps.items()}
            )
        except IrjudgeError as fault:
            self._say("", in_language(str(fault)))
            return
        for place, field in self.steps.items():
            self.marks[place].setText(
                MARKS[checked.cells.get(place)] if field.text().strip() else ""
            )
        self._say(
            f"{'✓' if checked.verdict == 'right' else '✕'} {sentences(*map(in_language, checked.said))}",
            "",
        )

    def _reveal(self) -> None:
        if self.posed:
            self.working.setText(plain("\n".join(self.posed.working())))
            self.working.show()
            self._let(allowed=False)

    def _let(self, *, allowed: bool) -> None:
        """Let an exercise be answered, or not; another can always be drawn."""
        for part in (self.value, self.check, self.reveal, *self.steps.values()):
            part.setEnabled(allowed)
