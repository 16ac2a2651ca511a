"""Page that evaluates files of qrels and runs without a project."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QLineEdit, QProgressBar

from irjudge.errors import IrjudgeError, Undecided
from irjudge.evaluation import Evaluation, evaluate_files
from irjudge.formats import ClassifiedFiles, classify_rankings
from irjudge.formats.bytes import replace_surrogates
from irjudge.formats.rankings import read_qrels, run_name
from irjudge.judging import QrelsChoice
from irjudge.model import MAX_SCALE_GRADE, Qrels, Scale
from irjudge.progress import Progress
from irjudge.store import OWNER_KEY, PROJECT_SUFFIX, Sources
from irjudge_ui.actions import ActionHandler, create_actions
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
    make_container,
    make_label,
    named,
    row,
    show_text,
)

MIN_TABLE_HEIGHT = 300  # minimum height of the table in pixels
NARROW_HEAD_WIDTH = 560  # page width in pixels below which the buttons are below the title
# minimum time between updates of the table; an update is about as slow as reading a run
REDRAW_MS = 2000
# import options offered for ambiguous qrels
QRELS_OPTIONS = ("grades", "gains", "cuts", "negative", "columns")


class FilesView(View):
    """Page that evaluates runs with qrels, both read from files, without a project.

    Only one file of qrels is used at a time. The page can write a report, or start a project from
    the same files. The runs are evaluated in the background; until all are evaluated, the table
    shows those that are.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        # jobs whose progress the window does not show, since the page itself shows it
        self._classify_job, self._job = (self.latest(quiet=True) for _ in range(2))
        self.files, self.evaluated = ClassifiedFiles(), ClassifiedFiles()
        self._qrels_by_name = dict[str, Path]()
        self.table: Evaluation | None = None
        self._highest_grade, self._computed_measures = 1, ""
        self.measures = named(QLineEdit(str(settings.get("measures"))), self.tr("Measures"))
        self.chips = Chips(self.measures, describe_measure)
        self.policy = PolicyBar()
        self.description_label = make_label("", "small")
        self.deciding = ImportOptionsPanel("qrels", self.tr("Qrels"), QRELS_OPTIONS)
        self.deciding.decided.connect(self.compute)
        # files of the last call of `add_files`; a button passes them to the page for a new project
        self._added_files: tuple[Path, ...] = ()
        self.others = make_button(
            self.tr("New project with these files"),
            clicked=lambda: self.opens.emit("new", self._added_files),
        )
        self.board = Leaderboard(settings, self.latest, self._on_failed, rows=0)
        self.minimum_heights[self.board] = MIN_TABLE_HEIGHT
        self._lay_out()
        self.actions_by_id = create_actions(
            self, {"files-report": ActionHandler(self.ask_report, lambda: self.table is not None)}
        )
        self.measures.editingFinished.connect(self._enter_measures)
        self.chips.removed.connect(self._enter_measures)
        self.policy.changed.connect(self.compute)
        self.board.count_missing.clicked.connect(lambda: self.policy.choose_topics("qrels"))
        self.policy.show_options(stored_options(None, settings))
        self.others.hide()
        self.deciding.hide()
        self._show_state()

    def _lay_out(self) -> None:
        self.write = self.action_button("files-report", "primary")
        self.save, self.add = (
            make_button(self.tr("Save as project"), clicked=self.ask_project),
            make_button(self.tr("Add files"), clicked=self.ask_files),
        )
        self.back = make_button(self.tr("← Back"), "link", clicked=lambda: self.wants.emit("home"))
        self._bar, self.cancel = (
            QProgressBar(textVisible=False),
            make_button(self.tr("Cancel"), clicked=self.stop),
        )
        self._step_label = make_label("", "quiet", wrap=False)
        self._progress_part = make_container(
            row(self._step_label, self._bar, self.cancel, spacing=SPACE_M, stretched=self._bar)
        )
        self._evaluation_part = make_container(
            column(
                row(
                    make_label(self.tr("Measures"), "quiet", wrap=False),
                    self.chips,
                    spacing=SPACE_M,
                    stretched=self.chips,
                ),
                self.policy,
                self.description_label,
                self.board,
                spacing=SPACE_M,
                stretched=self.board,
            )
        )
        self.state = StatePage(
            self.tr("Evaluate files"),
            self.tr(
                "Drop qrels and runs on the window, or choose all files at once. The files are "
                "recognised by their content; no project is needed."
            ),
            [(self.tr("Choose qrels and runs"), self.ask_files)],
        )
        parts = column(
            SideBySide(
                column(self.back, make_label(self.tr("Evaluated files"), "title", wrap=False)),
                row(self.add, self.save, self.write, spacing=SPACE_M),
                NARROW_HEAD_WIDTH,
            ),
            self.problem,
            self.deciding,
            row(self.others, None),
            self._progress_part,
            self._evaluation_part,
            self.state,
            None,
            spacing=SPACE_M,
        )
        parts.setStretchFactor(self.state, 100)
        parts.setStretchFactor(self._evaluation_part, 100)
        self.setLayout(column(PageScrollArea(parts)))

    # Called by the window

    def focus(self) -> None:
        (
            self.board.table if self.files.runs and self.files.qrels else self.state.buttons[0]
        ).setFocus()

    def ask_files(self) -> None:
        if paths := ask_files(self, self.tr("Choose qrels and runs")):
            self.add_files(paths)

    def add_files(self, paths: Iterable[Path]) -> None:
        """Add files: new qrels replace the current qrels, new runs are added to the current runs.

        If there are both new qrels and new runs, they replace all current files. Files that are
        still being classified are classified again, together with the new ones.
        """
        known_paths = {*self.files.qrels, *self.files.runs}
        pending_paths = self._added_files if self._classify_job.busy else ()
        new_paths = [
            path for path in dict.fromkeys((*pending_paths, *paths)) if path not in known_paths
        ]
        self.show_problem("")
        self.others.hide()
        self._show_progress(0, None, "")
        self._added_files = tuple(new_paths)
        self._classify_job.run(
            lambda progress: classify_rankings(new_paths, progress),
            self._add_classified,
            self._on_failed,
            self._show_progress,
        )

    def _add_classified(self, files: ClassifiedFiles) -> None:
        if files.rejected and not (
            files.qrels or files.runs or self.files.qrels or self.files.runs
        ):
            self._progress_part.hide()
            self.opens.emit("new", self._added_files)
            self.message_shown.emit(
                self.tr(
                    "These files are neither qrels nor runs. Topics and documents belong "
                    "in a project."
                )
            )
            return
        old_files = ClassifiedFiles() if files.qrels and files.runs else self.files
        self.files = ClassifiedFiles(
            files.qrels or old_files.qrels, (*old_files.runs, *files.runs), files.rejected
        )
        if files.qrels:  # import options for the previous qrels do not apply to the new qrels
            self.deciding.clear()
            self.deciding.hide()
        self._qrels_by_name = _name_files(self.files.qrels)
        self.policy.offer([QrelsChoice(name, "imported", 0, name) for name in self._qrels_by_name])
        self._show_rejected()
        self.others.setVisible(bool(files.rejected))
        self._show_state()
        self.focus()
        self.compute()

    def _show_rejected(self) -> None:
        problems = (translate_message(str(rejected.error)) for rejected in self.files.rejected)
        show_text(self.problem, "\n".join("✕ " + problem for problem in problems))

    def _show_state(self) -> None:
        """Show the table if there are qrels and runs.

        Otherwise show which files have been added, and which are missing.
        """
        qrels, runs = self.files.qrels, self.files.runs
        is_complete = bool(qrels and runs)
        for part in (self._evaluation_part, self.add, self.save, self.write):
            part.setVisible(is_complete)
        self._progress_part.hide()
        self.state.setVisible(not is_complete)
        if not is_complete and (qrels or runs):
            message = (
                self.tr("Qrels loaded: {qrels}. Add the runs to evaluate.")
                if qrels
                else self.tr("Runs loaded: {qrels}. Add the qrels for the evaluation.")
            )
            self.message_shown.emit(
                filled(message, qrels=join_list(path.name for path in (qrels or runs)[:3]))
            )

    # Computation

    def _enter_measures(self) -> None:
        if self.measures.text() != self._computed_measures:
            self.compute()

    def stop(self) -> None:
        self._classify_job.stop()
        self._job.stop()
        self._progress_part.hide()

    def compute(self) -> None:
        self.stop()
        self.board.stop()
        self.table, self._computed_measures = None, self.measures.text()
        self.write.setEnabled(False)
        choice = self.policy.choice()
        path = self._qrels_by_name.get(choice.origin) if choice else None
        if path is None or not self.files.runs:
            return
        options = self.policy.options(self.measures.text())
        try:
            measures = options.parse()
            policy = options.policy()
            decisions = self.deciding.decisions()
        except IrjudgeError as error:
            self.show_problem(translate_message(str(error)))
            return
        self._show_rejected()
        self.evaluated = ClassifiedFiles((path,), self.files.runs, qrels_reading=decisions)
        runs, latest, redraw_timer = self.files.runs, list[Evaluation](), QElapsedTimer()

        def compute(progress: Progress) -> tuple[Evaluation, Qrels]:
            qrels = read_qrels(
                path, decisions.negative, grades=decisions.grades, columns=decisions.columns
            )
            for table in evaluate_files(
                qrels,
                runs,
                measures,
                policy,
                source=replace_surrogates(path.name),
                progress=progress,
            ):
                latest[:] = [table]
            return latest[0], qrels

        def report_progress(done_count: int, total: int | None, description: str) -> None:
            self._show_progress(done_count, total, description)
            if latest and (not redraw_timer.isValid() or redraw_timer.elapsed() > REDRAW_MS):
                self.board.show_table(latest[0], complete=False)
                redraw_timer.start()

        self._job.run(compute, self._show, self._on_failed, report_progress)
        self._show_progress(0, len(runs), "")

    def _show_progress(self, done_count: int, total: int | None, description: str) -> None:
        self._progress_part.show()
        self._bar.setRange(0, total or 0)
        self._bar.setValue(done_count)
        self._step_label.setText(
            join_sentences(
                translate_message(description) or self.tr("Reading …"),
                f"{done_count:,} / {total:,}" if total else "",
            )
        )

    def _show(self, results: tuple[Evaluation, Qrels]) -> None:
        self._progress_part.hide()
        self.table, qrels = results
        self._highest_grade = max(1, int(qrels.grade.max(initial=1)))
        show_text(self.description_label, join_sentences(*map(translate_message, qrels.warnings)))
        self.write.setEnabled(True)
        self.board.show_table(self.table)
        # the form with import options is hidden last, since a focused field emits its text when it
        # is hidden
        self.deciding.hide()

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._progress_part.hide()
        self.show_error(error, trace)
        if isinstance(error, Undecided):
            self.problem.setText(self.deciding.translate_labels(self.problem.text()))
            self.deciding.show()
            self.deciding.focus(error.options)

    # Output

    def ask_report(self) -> None:
        if self.table and (path := ask_report(self, self._propose_path(".xlsx"))):
            self.files_report.emit(self.table, path, self.evaluated)

    @property
    def prints(self) -> bool:
        return self.table is not None

    def print_page(self) -> None:
        self.files_report.emit(self.table, None, self.evaluated)

    def ask_project(self) -> None:
        target, _ = ask_save_path(
            self,
            self.tr("Save project as"),
            self._propose_path(PROJECT_SUFFIX),
            f"irjudge (*{PROJECT_SUFFIX})",
        )
        if target:
            path = target if target.suffix == PROJECT_SUFFIX else Path(f"{target}{PROJECT_SUFFIX}")
            scale = Scale.parse(
                "binary"
                if self._highest_grade == 1
                else f"0-{min(self._highest_grade, MAX_SCALE_GRADE)}"
            )
            self.new_project.emit(
                ProjectRequest(
                    path,
                    Sources(
                        runs=self.files.runs,
                        qrels=self.files.qrels,
                        options_by_kind={"qrels": self.deciding.decisions()},
                    ),
                    scale,
                    OWNER_KEY,
                    off_scale=True,
                )
            )

    def _propose_path(self, suffix: str) -> Path:
        first_qrels = self.files.qrels[0]
        return first_qrels.with_name(run_name(first_qrels) + suffix)


def _name_files(paths: Sequence[Path]) -> dict[str, Path]:
    """Return the files by display name.

    Names have no suffix if they are distinct without it; otherwise they have a suffix or, if
    necessary, they are paths.
    """
    for get_name in (run_name, lambda path: path.name, str):
        paths_by_name = {replace_surrogates(get_name(path)): path for path in paths}
        if len(paths_by_name) == len(paths):
            break
    return paths_by_name
