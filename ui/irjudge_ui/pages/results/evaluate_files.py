"""Evaluation of files without a project: dropped or chosen qrels and runs yield a leaderboard."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QElapsedTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QProgressBar, QPushButton, QWidget

from irjudge.errors import IrjudgeError, Undecided
from irjudge.evaluation import Evaluation, evaluate_files
from irjudge.formats import ClassifiedFiles, classify_rankings
from irjudge.formats.bytes import replace_surrogates
from irjudge.formats.rankings import read_qrels, run_name
from irjudge.judging import QrelsChoice
from irjudge.model import MAX_SCALE_GRADE, Qrels, Scale
from irjudge.progress import Progress
from irjudge.store import OWNER, SUFFIX, Sources
from irjudge_ui.actions import BY_ID, ActionHandler, bind_key_cap, create_actions
from irjudge_ui.file_dialogs import ask_files, ask_save_path
from irjudge_ui.messages import filled, join_list, join_sentences, translate_message
from irjudge_ui.pages.project import ImportOptionsPanel, ProjectRequest
from irjudge_ui.pages.results.evaluate import ask_report
from irjudge_ui.pages.results.leaderboard import Leaderboard
from irjudge_ui.pages.results.measure_chooser import describe_measure
from irjudge_ui.pages.shared import PolicyBar, View, stored_options
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    Chips,
    PageScrollArea,
    SideBySide,
    StatePage,
    column,
    make_button,
    make_label,
    row,
    scale_length,
)

LOW = 300  # minimum height of the table
NARROW_HEAD = 560  # width below which the buttons are placed under the title
# After which the runs read so far are shown again: to show them takes the time in which one more
# would be read
AGAIN_MS = 2000
# options for qrels that can be read in two ways
ASKED = ("grades", "gains", "cuts", "negative", "columns")


class FilesView(View):
    """Evaluates runs by qrels, from files without a project.

    They are evaluated in the background; a row is added after each run.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._sorting, self._work = (
            self.latest(quiet=True) for _ in range(2)
        )  # the page has its own progress bar
        self.files, self.evaluated = ClassifiedFiles(), ClassifiedFiles()
        self.table: Evaluation | None = None
        self._highest, self._computed = 1, ""
        self.measures = QLineEdit(str(settings.get("measures")))
        self.measures.setAccessibleName(self.tr("Measures"))
        self.chips = Chips(self.measures, describe_measure)
        self.policy = PolicyBar()
        self.problem, self.about = make_label("", "error"), make_label("", "small")
        self.deciding = ImportOptionsPanel("qrels", self.tr("Qrels"), ASKED)
        self.deciding.decided.connect(self.compute)
        self._brought: tuple[
            Path, ...
        ] = ()  # files added together, if some of them are neither qrels nor runs
        self.others = make_button(self.tr("New project with these files"))
        self.others.clicked.connect(lambda: self.opens.emit("new", self._brought))
        self.board = Leaderboard(settings, self.latest, self._on_failed, rows=0)
        self._lay_out()
        self.actions_by_id = create_actions(
            self, {"files-report": ActionHandler(self.ask_report, lambda: self.has_table)}
        )
        self._connect()
        self.policy.show_options(stored_options(None, settings))
        self.others.hide()
        self.deciding.hide()
        self._show_state()

    def _lay_out(self) -> None:
        self.write, self.save, self.add = (
            make_button(BY_ID["files-report"].label, "primary"),
            make_button(self.tr("Save as project")),
            self._adding(),
        )
        bind_key_cap("files-report", self.write.setToolTip, self.write)
        self.back = make_button(self.tr("← Back"), "link")
        self.back.clicked.connect(lambda: self.wants.emit("home"))
        title = column(self.back, make_label(self.tr("Evaluated files"), "title", wrap=False))
        header = SideBySide(
            title, row(self.add, self.save, self.write, spacing=SPACE_M), NARROW_HEAD
        )
        wishes = row(
            make_label(self.tr("Measures"), "quiet", wrap=False), self.chips, spacing=SPACE_M
        )
        wishes.setStretchFactor(self.chips, 1)
        self._bar, self._doing, self.cancel = (
            QProgressBar(),
            make_label("", "quiet", wrap=False),
            make_button(self.tr("Cancel")),
        )
        self._bar.setTextVisible(False)
        self._working = QWidget()
        working = row(self._doing, self._bar, self.cancel, spacing=SPACE_M)
        working.setStretchFactor(self._bar, 1)
        self._working.setLayout(working)
        self._evaluated = QWidget()
        evaluated = column(wishes, self.policy, self.about, self.board, spacing=SPACE_M)
        evaluated.setStretchFactor(self.board, 1)
        self._evaluated.setLayout(evaluated)
        self.state = StatePage(
            self.tr("Evaluate files"),
            self.tr(
                "Drop qrels and runs on the window, or choose them together. They are "
                "recognised by content; no project is needed."
            ),
            [(self.tr("Choose qrels and runs"), self.ask_files)],
        )
        content = QWidget()
        parts = column(
            header,
            self.problem,
            self.deciding,
            row(self.others, None),
            self._working,
            self._evaluated,
            self.state,
            None,
            spacing=SPACE_M,
        )
        parts.setStretchFactor(self.state, 100)
        parts.setStretchFactor(self._evaluated, 100)
        content.setLayout(parts)
        self.setLayout(column(PageScrollArea(content)))

    def _adding(self) -> QPushButton:
        button = make_button(self.tr("Add files"))
        button.clicked.connect(self.ask_files)
        return button

    def _connect(self) -> None:
        self.measures.editingFinished.connect(self._enter_measures)
        self.chips.removed.connect(self._enter_measures)
        self.policy.changed.connect(self.compute)
        self.board.count_missing.clicked.connect(lambda: self.policy.choose_topics("qrels"))
        self.write.clicked.connect(lambda: self.actions_by_id["files-report"].trigger())
        self.save.clicked.connect(self.ask_project)
        self.cancel.clicked.connect(self.stop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.board.setMinimumHeight(scale_length(LOW))

    # Called by the window

    def focus(self) -> None:
        """Focus the table, or the button for opening files."""
        (
            self.board.table if self.files.runs and self.files.qrels else self.state.buttons[0]
        ).setFocus()

    def ask_files(self) -> None:
        """Ask for qrels and runs."""
        if paths := ask_files(self, self.tr("Choose qrels and runs")):
            self.add_files(paths)

    def add_files(self, paths: Iterable[Path]) -> None:
        """Add files: new qrels replace earlier qrels and runs are added; if there are both, they
        replace all files.
        """
        known = {*self.files.qrels, *self.files.runs}
        new = [path for path in dict.fromkeys(paths) if path not in known]
        self._say([])
        self.others.hide()
        self._tell(0, None, "")
        self._brought = tuple(new)
        self._sorting.run(
            lambda progress: classify_rankings(new, progress),
            self._take,
            self._on_failed,
            self._tell,
        )

    def _take(self, files: ClassifiedFiles) -> None:
        if files.wrong and not (files.qrels or files.runs or self.files.qrels or self.files.runs):
            self._working.hide()
            self.opens.emit("new", self._brought)
            self.message_shown.emit(
                self.tr(
                    "These are neither qrels nor runs. Topics and documents belong in a project."
                )
            )
            return
        before = ClassifiedFiles() if files.qrels and files.runs else self.files
        self.files = ClassifiedFiles(
            files.qrels or before.qrels, (*before.runs, *files.runs), files.wrong
        )
        if files.qrels:  # options for other files do not apply to these qrels
            self.deciding.clear()
            self.deciding.hide()
        names = [replace_surrogates(run_name(path)) for path in self.files.qrels]
        self.policy.offer([QrelsChoice(name, "imported", 0, name) for name in names])
        self._say([translate_message(str(each.error)) for each in files.wrong])
        self.others.setVisible(bool(files.wrong))
        self._show_state()
        self.focus()
        self.compute()

    def _say(self, problems: list[str]) -> None:
        self.problem.setText("\n".join("✕ " + problem for problem in problems))
        self.problem.setVisible(bool(problems))

    def _show_state(self) -> None:
        """Show the table if there are qrels and runs; otherwise the files added so far, and what is
        missing.
        """
        qrels, runs = self.files.qrels, self.files.runs
        whole = bool(qrels and runs)
        for part in (self._evaluated, self.add, self.save, self.write):
            part.setVisible(whole)
        self._working.hide()
        self.state.setVisible(not whole)
        if whole:
            return
        message = (
            self.tr("Runs loaded: {qrels}. Add the qrels to evaluate them with.") if runs else ""
        )
        message = self.tr("Qrels loaded: {qrels}. Add the runs to evaluate.") if qrels else message
        if message:
            self.message_shown.emit(
                filled(message, qrels=join_list(path.name for path in (qrels or runs)[:3]))
            )

    # Computation

    def _enter_measures(self) -> None:
        if self.measures.text() != self._computed:
            self.compute()

    @property
    def has_table(self) -> bool:
        """Whether there are results to write."""
        return self.table is not None

    def stop(self) -> None:
        """Stop reading; the runs read so far stay in the table."""
        self._sorting.stop()
        self._work.stop()
        self._working.hide()

    def compute(self) -> None:
        """Read the qrels and then each run, which is shown as soon as it is evaluated."""
        self.stop()
        self.board.stop()
        self.table, self._computed = None, self.measures.text()
        self.write.setEnabled(False)
        path = next(iter(self.files.qrels), None)
        chosen = self.policy.choice()
        path = next(
            (each for each in self.files.qrels if chosen and run_name(each) == chosen.of), path
        )
        if path is None or not self.files.runs:
            return
        options = self.policy.options(self.measures.text())
        try:
            measures, policy, how = options.parse(), options.policy(), self.deciding.decisions()
        except IrjudgeError as error:
            self._say([translate_message(str(error))])
            return
        self.evaluated = ClassifiedFiles((path,), self.files.runs, how=how)
        runs, made, since = self.files.runs, list[Evaluation](), QElapsedTimer()

        def work(progress: Progress) -> tuple[Evaluation, Qrels]:
            qrels = read_qrels(path, how.negative, grades=how.grades, columns=how.columns)
            for table in evaluate_files(
                qrels,
                runs,
                measures,
                policy,
                source=replace_surrogates(path.name),
                progress=progress,
            ):
                made[:] = [table]
            return made[0], qrels

        def tell(done: int, total: int | None, what: str) -> None:
            self._tell(done, total, what)
            if made and (not since.isValid() or since.elapsed() > AGAIN_MS):
                self.board.show_table(made[0], complete=False)
                since.start()

        self._work.run(work, self._show, self._on_failed, tell)
        self._tell(0, len(runs), "")

    def _tell(self, done: int, total: int | None, what: str) -> None:
        self._working.show()
        self._bar.setRange(0, total or 0)
        self._bar.setValue(done)
        self._doing.setText(
            join_sentences(
                translate_message(what) or self.tr("Reading …"),
                f"{done:,} / {total:,}" if total else "",
            )
        )

    def _show(self, results: tuple[Evaluation, Qrels]) -> None:
        self._working.hide()
        self.table, qrels = results
        self._highest = max(1, int(qrels.grade.max(initial=1)))
        self.about.setText(join_sentences(*map(translate_message, qrels.warnings)))
        self.about.setVisible(bool(qrels.warnings))
        self.write.setEnabled(True)
        self.board.show_table(self.table)
        if (
            self.deciding.isVisible()
        ):  # the question was answered; a focused field would report again when hidden
            self._say([translate_message(str(each.error)) for each in self.files.wrong])
            self.deciding.hide()

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._working.hide()
        self.show_error(error, trace, self.problem)
        if isinstance(error, Undecided):
            self.problem.setText(self.deciding.translate_labels(self.problem.text()))
            self.deciding.show()
            self.deciding.focus(error.options)

    # Output

    def ask_report(self) -> None:
        """Ask for the path of the report."""
        if self.table and (path := ask_report(self, self._start(".xlsx"))):
            self.files_report.emit(self.table, path, self.evaluated)

    @property
    def prints(self) -> bool:
        """Whether there are numbers to print."""
        return self.has_table

    def print_page(self) -> None:
        self.files_report.emit(self.table, None, self.evaluated)

    def ask_project(self) -> None:
        """Ask for the path of a project that is created from the same files."""
        target, _ = ask_save_path(
            self, self.tr("Save project as"), self._start(SUFFIX), f"irjudge (*{SUFFIX})"
        )
        if target:
            path = target if target.suffix == SUFFIX else Path(f"{target}{SUFFIX}")
            scale = Scale.parse(
                "binary" if self._highest == 1 else f"0-{min(self._highest, MAX_SCALE_GRADE)}"
            )
            sources = Sources(
                runs=self.files.runs,
                qrels=self.files.qrels,
                decided={"qrels": self.deciding.decisions()},
            )
            self.new_project.emit(ProjectRequest(path, sources, scale, OWNER, off_scale=True))

    def _start(self, ending: str) -> Path:
        first = self.files.qrels[0]
        return first.with_name(run_name(first) + ending)
