"""The evaluation page: runs x measures, what the means rest on, and the way from each number to its topics."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation.project_evaluation import needs_estimates
from irjudge.evaluation.table import Evaluation
from irjudge.judging.judged_qrels import QrelsChoice
from irjudge.progress import Progress
from irjudge.store.project import Project
from irjudge_ui.actions import BY_ID, Deed, make_all, tell_key
from irjudge_ui.charts.topics import TopicPlot
from irjudge_ui.file_dialogs import ask_place
from irjudge_ui.messages import filled, in_language
from irjudge_ui.pages.results.estimates import EstimatesPanel
from irjudge_ui.pages.results.evaluate_table import Results, TopicDrill, results
from irjudge_ui.pages.results.leaderboard import Leaderboard
from irjudge_ui.pages.results.measure_chooser import MeasureChooser, about_measure
from irjudge_ui.pages.results.policy_bar import PolicyBar
from irjudge_ui.pages.results.report_forms import FORMS, PRINT, FormBox
from irjudge_ui.pages.shared.policy import EvaluationWish, ValueQuestion, keep_wish, kept_wish
from irjudge_ui.pages.shared.rule_panel import RulePanel
from irjudge_ui.pages.shared.view import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.inputs import Chips
from irjudge_ui.widgets.layout import Beside, Paged, button, card, column, row, text
from irjudge_ui.widgets.theme import SPACE_M, zoomed

MOST_RUNS = 7  # shown at once
NARROW, NARROW_HEAD, LOW = 760, 420, 200


class EvaluateView(View):
    """Shows what the runs are worth. Numbers are computed beside the window."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.results: Results | None = None
        self._work = self.latest()
        self._then: Callable[[], None] | None = None  # what waits for the numbers
        self._computed = ""  # the measures that were asked for last
        self.measures = QLineEdit(str(settings.get("measures")))
        self.measures.setAccessibleName(self.tr("Measures"))
        self.measures.setToolTip(
            self.tr("Names or groups with spaces between, for example: AP P@10 nDCG@10 official")
        )
        self.chips = Chips(self.measures, about_measure)
        self.policy = PolicyBar()
        self.rule = RulePanel(self.latest(quiet=True))
        self.problem, self.cautions = text("", "error"), text("", "warning")
        self.estimates = EstimatesPanel(self.latest, self._on_failed)
        self.to_estimates = button(self.tr("Estimates"))
        self.board = Leaderboard(settings, self.latest, self._on_failed, rows=MOST_RUNS)
        self.runs, self.run_table, self.rests_on, self.options = (
            self.board.model,
            self.board.table,
            self.board.rests_on,
            self.board.options,
        )
        self.run_table.setToolTip(self.tr("Enter or a double click goes to the topics of a number"))
        self.drill = TopicDrill()
        self.plot = TopicPlot(self.tr("Values by topic"))
        self._plot_title, self.empty = text("", "heading"), text("", "quiet")
        self._lay_out()
        self._connect()
        self.actions_by_id = make_all(self, self._deeds())

    def _deeds(self) -> dict[str, Deed]:
        return {
            "workbook": Deed(self.ask_workbook, lambda: self.has_table),
            "measures": Deed(self.focus_measures),
            "catalogue": Deed(self.choose_measures),
        }

    def _lay_out(self) -> None:
        self._write, self.form = self._action_button("workbook"), FormBox()
        self.next_buttons = {"workbook": self._write}
        title = column(text(self.tr("Evaluation"), "title", wrap=False))
        head = Beside(title, row(self.form, self._write), NARROW_HEAD)
        wishes = row(
            text(self.tr("Measures"), "quiet", wrap=False),
            self.chips,
            self._action_button("catalogue"),
            spacing=SPACE_M,
        )
        wishes.setStretchFactor(self.chips, 1)
        self._table_card = self.board
        self._plot_card = card(self._plot_title, self.plot)
        self._low = Beside(column(self._plot_card), column(self.drill), NARROW, (5, 4))
        inside = QWidget()
        cautions = row(self.cautions, self.to_estimates)
        cautions.setStretchFactor(self.cautions, 1)
        upper = (head, wishes, self.policy, self.problem, cautions, self.empty)
        parts = column(
            *upper, self._table_card, self.estimates, self._low, self.rule, None, spacing=SPACE_M
        )
        parts.setStretchFactor(self._low, 100)
        inside.setLayout(parts)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        self._page = Paged(inside)
        box.addWidget(self._page)

    def _action_button(self, id: str) -> Any:
        made = button(BY_ID[id].label)
        tell_key(id, made.setToolTip, made)
        made.clicked.connect(lambda: self.actions_by_id[id].trigger())
        return made

    def _connect(self) -> None:
        self.measures.editingFinished.connect(self._enter_measures)
        self.chips.removed.connect(self._enter_measures)
        self.policy.changed.connect(self.compute)
        self.board.count_missing.clicked.connect(lambda: self.policy.choose_topics("qrels"))
        self.rule.changed.connect(self._change_rule)
        self.run_table.selectionModel().currentChanged.connect(
            lambda _now, _before: self._show_topics()
        )
        self.run_table.opened.connect(lambda _row: self.drill.enter())
        self.to_estimates.clicked.connect(self._go_to_estimates)
        self.drill.explained.connect(self._explain)
        self.plot.picked.connect(self._explain)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep values by topic readable."""
        super().resizeEvent(event)
        for each in (self._plot_card, self.drill):
            each.setMinimumHeight(zoomed(LOW))

    # What the window calls

    def show_project(self, project: Project | None) -> None:
        """Show another project, with the measures and the policy kept in it."""
        super().show_project(project)
        self.results = None
        self.board.clear()
        self.estimates.clear()
        self.drill.clear()
        wish = kept_wish(project, self._settings)
        self._show_names(wish.measures)
        self.policy.show_wish(wish)

    def focus(self) -> None:
        """Put the focus where most people begin."""
        self.run_table.setFocus()

    def point_to(self, action: str) -> None:
        """Begin what is asked for: where the workbook goes."""
        if action == "workbook":
            self.ask_workbook()

    def refresh(self) -> None:
        """Compute again from what the project holds now."""
        if self.project is not None:
            self.policy.offer_qrels(self.project)
            self.compute()

    # What actions call

    @property
    def table(self) -> Evaluation | None:
        """What is shown; None while it is not what was asked for."""
        return self.results.table if self.results else None

    @property
    def has_table(self) -> bool:
        """Whether there is something to write."""
        return self.results is not None or self._work.busy

    def focus_measures(self) -> None:
        """Put the cursor where measures are chosen."""
        self.chips.edit()

    def choose_measures(self) -> None:
        """Open the catalogue of measures."""
        dialog = MeasureChooser(self, self.measures.text())
        dialog.chosen.connect(self.use_measures)
        dialog.open()

    def use_measures(self, names: str) -> None:
        """Compute other measures."""
        self._show_names(names)
        self._enter_measures()

    def _show_names(self, names: str) -> None:
        self.measures.setText(names)
        self.measures.setCursorPosition(0)  # the first stand first in the table too

    def ask_workbook(self) -> None:
        """Ask where the report in the chosen form goes, once the numbers that were asked for are there."""
        if self._work.busy:
            self._then = self.ask_workbook
        elif self.project:
            self.ask_where(self.form.form)

    @property
    def prints(self) -> bool:
        """Whether there are numbers to print."""
        return self.has_table

    def print_page(self) -> None:
        """Print the report."""
        self.ask_where(PRINT)

    def ask_where(self, form: str) -> None:
        """Ask where a report of a form goes; what is printed goes to a printer."""
        if self.project is None:
            return
        if form == PRINT:
            self.printed.emit(self.table)
            return
        title = QCoreApplication.translate("Report", str(FORMS[form][0]))
        path, _ = ask_place(
            self, BY_ID["workbook"].label, self.project.path.with_suffix(form), f"{title} (*{form})"
        )
        if path:
            self.report.emit(self.table, path if path.suffix in FORMS else Path(f"{path}{form}"))

    def _enter_measures(self) -> None:
        """Compute when the names were changed, not whenever the cursor leaves them."""
        if self.measures.text() != self._computed:
            self.compute()

    # What is computed

    def compute(self) -> None:
        """Evaluate all runs beside the window."""
        project, self._computed = self.project, self.measures.text()
        self._work.stop()
        self.board.stop()
        self.estimates.stop()
        self._use(None)
        self._then = None
        if project is None or not self._ready(project):
            return
        wish = self.wish()
        try:
            measures = wish.parsed()
        except IrjudgeError as fault:
            self._say(in_language(str(fault)))
            return
        self._say("")
        self._keep(project, wish)
        choice = self.choice()
        if choice is not None and choice.source == "consensus":
            self.rule.show_rule(project, wish)
        else:
            self.rule.hide()
        if choice is not None and needs_estimates(project, choice):
            self.estimates.show_project(project, wish, choice, self._decimals)

        def work(progress: Progress) -> Results:
            with project.second_connection() as other:
                return results(other, measures, wish.policy(), choice, progress)

        self._work.run(work, self._show, self._on_failed)

    def _go_to_estimates(self) -> None:
        self._page.verticalScrollBar().setValue(self.estimates.y())
        self.estimates.table.setFocus()

    def _change_rule(self) -> None:
        """Evaluate with what another rule settles."""
        self.refresh()
        self.changed.emit()

    def _use(self, found: Results | None) -> None:
        """Offer numbers for writing; none while what is shown is not what was asked for."""
        self.results = found
        self._write.setEnabled(found is not None)
        cautions = [in_language(each) for each in found.table.remarks] if found else []
        self.cautions.setText("\n".join(f"⚠ {each}" for each in cautions))
        self.cautions.setVisible(bool(cautions))
        self.to_estimates.setVisible(bool(cautions) and not self.estimates.isHidden())

    def _on_failed(self, fault: Exception, trace: str) -> None:
        if trace:
            self.failed.emit(fault, trace)
        else:
            self._say(in_language(str(fault)))

    def wish(self) -> EvaluationWish:
        """Return what is typed and chosen on the page."""
        return self.policy.wish(self.measures.text())

    def choice(self) -> QrelsChoice | None:
        """Return the qrels chosen on the page."""
        return self.policy.choice()

    def _keep(self, project: Project, wish: EvaluationWish) -> None:
        try:
            keep_wish(project, wish)
        except IrjudgeError as fault:
            self._say(in_language(str(fault)))  # the numbers are computed all the same

    def _ready(self, project: Project) -> bool:
        missing = ""
        if not project.rankings.runs():
            missing = self.tr("There are no runs to evaluate. Add some on the collection page.")
        elif self.policy.choice() is None:
            missing = self.tr(
                "There are no qrels yet. Judge some documents, or import qrels on the collection page."
            )
        self.empty.setText(missing)
        self.empty.setVisible(bool(missing))
        for part in (self._table_card, self._low):
            part.setVisible(not missing)
        return not missing

    def _say(self, problem: str) -> None:
        self.problem.setText("✕ " + problem if problem else "")
        self.problem.setVisible(bool(problem))

    # What is shown

    def _show(self, found: Results) -> None:
        self._use(found)
        self.board.show_table(found.table)
        if then := self._then:
            self._then = None
            then()

    @property
    def _decimals(self) -> int:
        return int(self._settings.get("decimals"))

    def _chosen(self) -> tuple[int, int] | None:
        """Return the places of the measure and the run of the current cell."""
        index = self.run_table.currentIndex()
        if self.results is None or not self.results.table.runs or not index.isValid():
            return None
        names = [run.run for run in self.results.table.runs]
        measure = min(max(0, index.column() - 1), len(self.results.table.measures) - 1)
        return measure, names.index(str(index.siblingAtColumn(0).data()))

    def _show_topics(self) -> None:
        chosen = self._chosen()
        if self.results is None or chosen is None:
            return
        measure, run = chosen
        names, by = (
            [each.run for each in self.results.table.runs],
            self.results.table.measures[measure],
        )
        self._plot_title.setText(filled(self.tr("{by} by topic"), by=by.name))
        self.plot.show_values(
            names,
            self.results.topics,
            self.results.values[measure],
            run,
            rising=by.direction < 0,
        )
        self.drill.show_values(self.results, measure, run, self._decimals)

    def _explain(self, run: str, topic: str) -> None:
        chosen = self._chosen()
        if self.results and chosen:
            measure = self.results.table.measures[chosen[0]].name
            self.opens.emit("explain", ValueQuestion(run, topic, measure, self.wish()))


def ask_report(page: QWidget, start: Path) -> Path | None:
    """Ask where a workbook, or a report in another form, goes; None where nobody says it."""
    forms = ";;".join(
        ("Excel (*.xlsx)", "HTML (*.html)", "LaTeX (*.tex)", "Markdown (*.md)", "CSV (*.csv)")
    )
    path, chosen = ask_place(page, BY_ID["workbook"].label, start, forms)
    if not path:
        return None
    ending = chosen.rpartition("*")[2].rstrip(")") or ".xlsx"
    return path if path.suffix in FORMS else Path(f"{path}{ending}")
