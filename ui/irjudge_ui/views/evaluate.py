"""The evaluation page: runs x measures, what the means rest on, and every topic on demand."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QLineEdit, QVBoxLayout, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation.join import TOPICS_MEAN
from irjudge.evaluation.project import evaluate_project
from irjudge.evaluation.table import Evaluation, RunScores
from irjudge.judging.judged_qrels import QrelsChoice, choices
from irjudge.model.order import MEANING
from irjudge.progress import Progress
from irjudge.store.project import Project
from irjudge_ui import jobs
from irjudge_ui.actions import BY_ID, make_all, tell_key
from irjudge_ui.engine_words import in_language
from irjudge_ui.models.tables import Column, TableModel, sorted_model
from irjudge_ui.settings import Settings
from irjudge_ui.views.policy import Wish, keep_wish, kept_wish
from irjudge_ui.views.view import View
from irjudge_ui.widgets.flow import Flow
from irjudge_ui.widgets.layout import Beside, button, card, column, row, scrolling, text
from irjudge_ui.widgets.number_field import NumberField
from irjudge_ui.widgets.table import Table
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, zoomed
from irjudge_ui.widgets.topic_plot import TopicPlot

SHOWN_TOPICS = 2000
MOST_RUNS = 7  # shown at once
NARROW, LOW = 760, 260
translate = QCoreApplication.translate
LABELS = {
    "both": QT_TRANSLATE_NOOP("Policy", "both"),
    "qrels": QT_TRANSLATE_NOOP("Policy", "qrels"),
    "relevant": QT_TRANSLATE_NOOP("Policy", "relevant"),
    "trec": QT_TRANSLATE_NOOP("Policy", "trec"),
    "docno": QT_TRANSLATE_NOOP("Policy", "docno"),
    "rank": QT_TRANSLATE_NOOP("Policy", "rank"),
    "file": QT_TRANSLATE_NOOP("Policy", "file"),
}


class EvaluateView(View):
    """Shows what the runs are worth. Numbers are computed beside the window."""

    workbook = Signal(Path)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.table: Evaluation | None = None
        self._asked = 0
        self._computed = ""  # the measures that were asked for last
        self._choices: list[QrelsChoice] = []
        self.measures = QLineEdit(str(settings.get("measures")))
        self.measures.setAccessibleName(self.tr("Measures"))
        self.measures.setToolTip(self.tr("Names with spaces between, for example: AP P@10 nDCG@10 RR"))
        self.qrels, self.topics, self.ties = QComboBox(), QComboBox(), QComboBox()
        self.rel = NumberField(1, 99, 1, self.tr("Relevant from grade"))
        self._problem, self._rests_on = text("", "error"), text("", "small")
        self.runs, self.by_topic = TableModel(), TableModel()
        self._run_table = Table(sorted_model(self.runs), self.tr("Runs and measures"), rows=MOST_RUNS)
        self._topic_table = Table(sorted_model(self.by_topic), self.tr("Values by topic"))
        self._plot = TopicPlot(self.tr("Values by topic"))
        self._plot_title, self._empty = text("", "heading"), text("", "quiet")
        self._lay_out()
        self._connect()
        self.actions_by_id = make_all("evaluate", self)

    def _lay_out(self) -> None:
        _fill(self.topics, self.tr("Topics averaged"), TOPICS_MEAN)
        _fill(self.ties, self.tr("Order of ties"), MEANING)
        self.qrels.setAccessibleName(self.tr("Qrels"))
        write = button(BY_ID["workbook"].label, "primary")
        tell_key("workbook", write.setToolTip, write)
        write.clicked.connect(lambda: self.actions_by_id["workbook"].trigger())
        self._write = write
        head = row(text(self.tr("Evaluation"), "title", wrap=False), None, write)
        wishes = row(_quiet(self.tr("Measures")), self.measures, spacing=SPACE_M)
        policy = Flow(
            _labelled(words, field)
            for words, field in (
                (self.tr("Qrels"), self.qrels),
                (self.tr("Topics"), self.topics),
                (self.tr("Ties"), self.ties),
                (self.tr("Relevant from"), self.rel),
            )
        )
        self._table_card = card(self._run_table, self._rests_on, margin=SPACE_M)
        plot = card(self._plot_title, self._plot)
        topics = card(text(self.tr("By topic"), "heading"), self._topic_table)
        self._cards = (plot, topics)
        self._low = Beside(column(plot), column(topics), NARROW, (3, 2))
        inside = QWidget()
        parts = column(head, wishes, policy, self._problem, self._empty, self._table_card, self._low, None, spacing=SPACE_M)
        parts.setStretchFactor(self._low, 100)
        inside.setLayout(parts)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(scrolling(inside))

    def _connect(self) -> None:
        self.measures.editingFinished.connect(self._enter_measures)
        for box in (self.qrels, self.topics, self.ties):
            box.activated.connect(lambda _place: self.compute())
        self.rel.changed.connect(lambda _value: self.compute())
        self._run_table.selectionModel().currentChanged.connect(lambda _now, _before: self._show_topics())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep values by topic readable."""
        super().resizeEvent(event)
        for each in self._cards:
            each.setMinimumHeight(zoomed(LOW))

    # What the window calls

    def show_project(self, project: Project | None) -> None:
        """Show another project, with the measures and the policy kept in it."""
        self.project, self.table = project, None
        self._asked += 1
        self.runs.fill(())
        self.by_topic.fill(())
        wish = kept_wish(project, self._settings)
        self.measures.setText(wish.measures)
        self.topics.setCurrentIndex(self.topics.findData(wish.topics))
        self.ties.setCurrentIndex(self.ties.findData(wish.ties))
        self.rel.set_value(wish.rel)

    def focus(self) -> None:
        """Put the focus where most people begin."""
        self._run_table.setFocus()

    def refresh(self) -> None:
        """Compute again from what the project holds now."""
        if self.project is None:
            return
        before = self.qrels.currentData()
        self._choices = choices(self.project)
        self.qrels.clear()
        for choice in self._choices:
            self.qrels.addItem(f"{in_language(choice.name)} ({choice.rows:,})", choice.name)
        self.qrels.setCurrentIndex(max(0, self.qrels.findData(before)))
        self.compute()

    # What actions call

    @property
    def has_table(self) -> bool:
        """Whether there is something to write."""
        return self.table is not None

    def focus_measures(self) -> None:
        """Put the cursor where measures are chosen."""
        self.measures.setFocus()
        self.measures.selectAll()

    def ask_workbook(self) -> None:
        """Ask where the workbook goes."""
        if self.project:
            start = str(self.project.path.with_suffix(".xlsx"))
            name, _ = QFileDialog.getSaveFileName(self, BY_ID["workbook"].label, start, "Excel (*.xlsx)")
            if name:
                self.workbook.emit(Path(name if name.endswith(".xlsx") else name + ".xlsx"))

    def _enter_measures(self) -> None:
        """Compute when the names were changed, not whenever the cursor leaves them."""
        if self.measures.text() != self._computed:
            self.compute()

    def compute(self) -> None:
        """Evaluate all runs beside the window."""
        project, self._computed = self.project, self.measures.text()
        self._asked += 1  # whatever is under way no longer answers what is asked
        self._use(None)
        if project is None or not self._ready(project):
            return
        try:
            measures = self.wish().parsed()
        except IrjudgeError as fault:
            self._say(in_language(str(fault)))
            return
        self._say("")
        self._keep(project)
        policy, choice, asked = self.wish().policy(), self.choice(), self._asked

        def work(progress: Progress) -> Evaluation:
            with project.second_connection() as other:
                return evaluate_project(other, measures, policy, choice, progress)

        jobs.run(work, lambda table: self._show(asked, table), lambda fault, trace: self._on_failed(asked, fault, trace))

    def _use(self, table: Evaluation | None) -> None:
        """Offer a table for writing; none while what is shown is not what was asked for."""
        self.table = table
        self._write.setEnabled(table is not None)

    def _on_failed(self, asked: int, fault: Exception, trace: str) -> None:
        if trace:
            self.failed.emit(fault, trace)
        elif asked == self._asked:
            self._say(in_language(str(fault)))

    def wish(self) -> Wish:
        """Return what is typed and chosen on the page."""
        return Wish(self.measures.text(), self.topics.currentData(), self.ties.currentData(), self.rel.value())

    def choice(self) -> QrelsChoice | None:
        """Return the qrels chosen on the page."""
        return next((choice for choice in self._choices if choice.name == self.qrels.currentData()), None)

    def _keep(self, project: Project) -> None:
        try:
            keep_wish(project, self.wish())
        except IrjudgeError as fault:
            self._say(in_language(str(fault)))  # the numbers are computed all the same

    def _ready(self, project: Project) -> bool:
        missing = ""
        if not project.rankings.runs():
            missing = self.tr("There are no runs to evaluate. Add some on the collection page.")
        elif not self._choices:
            missing = self.tr("There are no qrels yet. Judge some documents, or import qrels on the collection page.")
        self._empty.setText(missing)
        self._empty.setVisible(bool(missing))
        for part in (self._table_card, self._low):
            part.setVisible(not missing)
        return not missing

    def _say(self, problem: str) -> None:
        self._problem.setText("✕ " + problem if problem else "")
        self._problem.setVisible(bool(problem))

    # What is shown

    def _show(self, asked: int, table: Evaluation) -> None:
        if asked != self._asked:
            return
        self._use(table)
        before = self._run_table.currentIndex()
        chosen, at = str(before.siblingAtColumn(0).data()), max(1, before.column())
        self.runs.fill(list(table.runs), _run_columns(table, int(self._settings.get("decimals"))))
        self._rests_on.setText(self._basis(table))
        if table.runs:
            shown = self._run_table.model()
            names = [shown.index(line, 0).data() for line in range(shown.rowCount())]
            place = names.index(chosen) if chosen in names else 0
            self._run_table.setCurrentIndex(shown.index(place, min(at, len(table.measures))))
        self._show_topics()

    def _basis(self, table: Evaluation) -> str:
        counts = sorted({run.coverage.topics for run in table.runs})
        topics = str(counts[0]) if len(counts) == 1 else f"{counts[0]}–{counts[-1]}" if counts else "0"
        return self.tr("Means over %1 topics · %2.").replace("%1", topics).replace("%2", in_language(str(table.policy)))

    def _show_topics(self) -> None:
        index = self._run_table.currentIndex()
        if self.table is None or not self.table.runs or not index.isValid():
            return
        place = min(max(0, index.column() - 1), len(self.table.measures) - 1)
        measure = self.table.measures[place]
        name = str(index.siblingAtColumn(0).data())
        names = [run.run for run in self.table.runs]
        topics = self.table.topics
        values = np.stack([_by_topic(run, place, topics) for run in self.table.runs])
        self._plot_title.setText(self.tr("%1 by topic").replace("%1", measure.name))
        self._plot.show_values(names, topics, values, names.index(name))
        rows = [(topic, values[:, column]) for column, topic in enumerate(topics)]
        self.by_topic.fill(rows[:SHOWN_TOPICS], _topic_columns(names, int(self._settings.get("decimals")), measure.definition))


def _quiet(words: str) -> QLabel:
    return text(words, "quiet", wrap=False)


def _labelled(words: str, field: QWidget) -> QWidget:
    both = QWidget()
    both.setLayout(row(_quiet(words), field, spacing=SPACE_S))
    return both


def _fill(box: QComboBox, name: str, choices_meaning: Mapping[Any, str]) -> None:
    """Offer choices, each with its meaning on hover."""
    box.setAccessibleName(name)
    for choice, meaning in choices_meaning.items():
        box.addItem(translate("Policy", str(LABELS.get(choice, choice))), choice)
        box.setItemData(box.count() - 1, in_language(meaning), Qt.ItemDataRole.ToolTipRole)


def _by_topic(run: RunScores, measure: int, topics: Sequence[str]) -> np.ndarray:
    known = dict(zip(run.topics, run.values[measure].tolist(), strict=True))
    return np.array([known.get(topic, np.nan) for topic in topics])


def _number(decimals: int) -> Callable[[float], str]:
    return lambda value: "–" if np.isnan(value) else f"{value:.{decimals}f}"


def _run_columns(table: Evaluation, decimals: int) -> list[Column]:
    columns = [Column(translate("EvaluateView", "Run"), lambda run: run.run)]
    for place, measure in enumerate(table.measures):
        show = _number(decimals if measure.declaration.summary == "mean" else 0)
        value = lambda run, place=place: float(run.summary[place])  # noqa: E731 -- bound to its place
        mean = measure.declaration.summary == "mean"
        columns.append(Column(measure.name, value, show, number=True, help=measure.definition, best=mean))
    help_text = translate("EvaluateView", "Share of the top 10 that nobody judged; it counts as not relevant here")
    columns.append(
        Column(
            translate("EvaluateView", "Unjudged@10"),
            lambda run: run.coverage.unjudged_top,
            lambda share: f"{100 * share:.0f} %",
            number=True,
            help=help_text,
        )
    )
    return columns


def _topic_columns(names: Sequence[str], decimals: int, definition: str) -> list[Column]:
    columns = [Column(translate("EvaluateView", "Topic"), lambda line: line[0])]
    for place, name in enumerate(names):
        value = lambda line, place=place: float(line[1][place])  # noqa: E731 -- bound to its place
        columns.append(Column(name, value, _number(decimals), number=True, help=definition))
    return columns
