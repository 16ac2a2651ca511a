"""What a project without a comparison shows: what comparing is for, and a small form to design one for oneself."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QVBoxLayout, QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange.assignments import Assigned
from irjudge.exchange.comparison_design import DEPTH, Choice, ComparisonWish, compare_oneself
from irjudge.model.labels import ComparisonRules, usual_reasons
from irjudge.progress import Progress
from irjudge.stats.sampling import SeededDraw
from irjudge.store.project import Project
from irjudge_ui.messages import in_language, sentences
from irjudge_ui.widgets.fields import ChoiceBox, NumberField
from irjudge_ui.widgets.layout import Bounded, button, card, column, flowing, row, scrolling, text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, SPACE_XL

WIDTH = 520
MOST_DEPTH, MOST_TOPICS, MOST_TOP = 100, 99_999, 50
LEAST_LETTERS = 16  # of a run's name
NARROWEST = 140  # that the kind of comparison becomes in large letters
SAME_ROW, BEST_ROW, REPEATS_ROW = 3, 6, 7  # of the form
LISTS, EVERY_PAIR, BEST = 0, 1, 2  # the kinds of comparison, as they stand in the form


class PanelForm(QWidget):
    """Fields for a comparison of two runs, which it designs.

    `work` comes with a job: title, function(progress), done(result); `designed` with what is remarkable once it is done.
    """

    work = Signal(str, object, object)
    designed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._project: Project | None = None
        self.title, self.words, self.problem = (
            text("", "title"),
            text("", "quiet"),
            text("", "error"),
        )
        self.first, self.second, self.kind = (
            ChoiceBox(LEAST_LETTERS),
            ChoiceBox(LEAST_LETTERS),
            ChoiceBox(),
        )
        self.topics = NumberField(1, MOST_TOPICS, 1, self.tr("How many topics"))
        self.results = NumberField(1, MOST_DEPTH, DEPTH, self.tr("How many results of each list"))
        self.top = NumberField(1, MOST_TOP, 1, self.tr("How many best documents"))
        self.repeats = NumberField(
            0, MOST_TOPICS, 0, self.tr("How many are shown again, with the sides swapped")
        )
        self.must_view = QCheckBox(self.tr("Both sides must be viewed first"))
        self.grading = QCheckBox(self.tr("Opened results may be graded"))
        self.same = text(self.tr("✕ Choose two runs that are not the same."), "error")
        self.begin = button(self.tr("Begin comparing"), "primary")
        self.begin.clicked.connect(self._ask)
        self.kind.addItems(
            [
                self.tr("Result lists"),
                self.tr("Documents, every pair"),
                self.tr("Documents, to find the best"),
            ]
        )
        self.kind.currentIndexChanged.connect(lambda _place: self._show_kind())
        self.kind.setMinimumWidth(NARROWEST)
        self.must_view.setToolTip(self.tr("Scrolled to their end, or a result of each opened"))
        for box in (self.first, self.second):
            box.currentIndexChanged.connect(lambda _place: self._show_same())
        self._lay_out()

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(SPACE_M)
        self._form.setVerticalSpacing(SPACE_S)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for words, field, unit in (
            (self.tr("Compare"), self.kind, ""),
            (self.tr("First run"), self.first, ""),
            (self.tr("Second run"), self.second, ""),
            (self.tr("Topics"), self.topics, ""),
            (self.tr("Depth"), self.results, self.tr("results of each list")),
            (self.tr("Best"), self.top, self.tr("documents of a topic to find")),
            (self.tr("Repeats"), self.repeats, self.tr("shown again, sides swapped")),
        ):
            if not field.accessibleName():
                field.setAccessibleName(words)
            holder = flowing(*([field, text(unit, "quiet", wrap=False)] if unit else [field]))
            self._form.addRow(text(words, "quiet", wrap=False), holder)
        self._form.insertRow(SAME_ROW, "", self.same)
        self._fields = QWidget()
        inside = QVBoxLayout(self._fields)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(SPACE_M)
        inside.addLayout(self._form)
        for part in (self.must_view, self.grading):
            inside.addWidget(part)
        inside.addLayout(row(self.begin, None))
        panel = card(
            self.title, self.words, self._fields, self.problem, margin=SPACE_XL, spacing=SPACE_M
        )
        page = QWidget()
        page.setLayout(column(None, Bounded(WIDTH, column(panel), middle=True), None, None))
        self.setLayout(column(scrolling(page)))

    def show_project(self, project: Project) -> None:
        """Offer the runs and topics of a project."""
        self._project = project
        self.title.setText(self.tr("Compare side by side"))
        self.problem.hide()
        names = [run.name for run in project.rankings.runs()]
        for box, place in ((self.first, 0), (self.second, 1)):
            box.clear()
            box.addItems(names)
            box.setCurrentIndex(min(place, len(names) - 1))
        self.topics.set_value(max(1, len(project.collection.topics())))
        self._fields.setVisible(len(names) > 1 and project.writing)
        self._show_same()
        self._show_kind()

    def focus(self) -> None:
        """Put the focus on what most people do: begin."""
        self.begin.setFocus()

    def _about(self) -> str:
        """Return what comparing is, of the kind that is chosen."""
        if self.first.count() < 2:
            return self.tr("Comparing takes two runs. Add them on the collection page.")
        several = self.tr(
            "To have several people compare, choose it on the page Assessors, under They."
        )
        lists = self.tr(
            "Two lists of results stand side by side, and you say which one is better, without knowing which run is which."
        )
        documents = self.tr(
            "Two documents stand side by side, and you say which one answers the topic better."
        )
        return sentences(lists if self.kind.currentIndex() == LISTS else documents, several)

    def _show_kind(self) -> None:
        self.words.setText(self._about())
        self.grading.setVisible(
            self.kind.currentIndex() == LISTS
        )  # documents stand there whole, and none is opened
        self._form.setRowVisible(BEST_ROW, self.kind.currentIndex() == BEST)
        self._form.setRowVisible(REPEATS_ROW, self.kind.currentIndex() != BEST)

    def _show_same(self) -> None:
        """Say below the second run that it is the first, where it is."""
        same = self.first.count() > 1 and self.first.currentText() == self.second.currentText()
        self._form.setRowVisible(SAME_ROW, same)
        self.begin.setEnabled(not same)

    def _ask(self) -> None:
        self.problem.hide()
        project = self._project
        if project is None:
            return
        wish = self.wish(project)

        def work(progress: Progress) -> Assigned | IrjudgeError:
            with project.second_connection() as other:
                try:
                    return compare_oneself(other, wish, progress=progress)
                except IrjudgeError as fault:
                    return fault

        self.work.emit(self.tr("Designing the comparison"), work, self._done)

    def _done(self, made: Assigned | IrjudgeError) -> None:
        if isinstance(made, IrjudgeError):
            self.problem.setText("✕ " + in_language(str(made)))
            self.problem.show()
        else:
            self.designed.emit(sentences(*map(in_language, made.remarks)))

    def wish(self, project: Project) -> ComparisonWish:
        """Return what the form asks for; fewer topics than there are, are drawn."""
        kind = self.kind.currentIndex()
        grading = self.grading.isChecked() and kind == LISTS
        choice: Choice | None = {LISTS: None, EVERY_PAIR: "all", BEST: "top"}[kind]
        reasons, top = (
            usual_reasons(documents=kind != LISTS),
            self.top.value() if kind == BEST else 0,
        )
        return ComparisonWish(
            runs=((self.first.currentText(), self.second.currentText()),),
            topics=_some(
                [topic.id for topic in project.collection.topics()],
                self.topics.value(),
                project.seed,
            ),
            depth=self.results.value(),
            repeats=self.repeats.value(),
            seed=project.seed,
            rules=ComparisonRules(self.must_view.isChecked(), grading, reasons, top),
            choice=choice,
        )


def _some(topics: Sequence[str], count: int, seed: int) -> tuple[str, ...]:
    """Return so many topics in their order; none where that is all of them, which asks for all that have results."""
    if count >= len(topics):
        return ()
    drawn = set(SeededDraw(seed).shuffled(list(topics), "compared")[:count])
    return tuple(topic for topic in topics if topic in drawn)
