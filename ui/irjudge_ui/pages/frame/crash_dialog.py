"""Crash dialog, and warnings above all pages about problems in the open project."""

import platform
from collections.abc import Sequence
from pathlib import Path

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import write_text_atomically
from irjudge.judging import describe_uncounted
from irjudge.shipped import release_version
from irjudge.store import ChangeCounter, Project
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.jobs import LatestJob, on_project
from irjudge_ui.messages import filled, join_sentences, translate_message
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_XL,
    apply_style,
    column,
    make_button,
    make_label,
    make_timer,
    named,
    row,
    scale_length,
    show_text,
)

# delay before the file is checked, so that the check does not delay the first document
CHECK_DELAY_MS = 1500
MAX_SENTENCES = 3  # maximum number of sentences of a warning


class _Warning(QLabel):
    """Base class of labels that show a warning above a page; hidden if there is no warning."""

    def __init__(self) -> None:
        super().__init__(
            wordWrap=True,
            textFormat=Qt.TextFormat.PlainText,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
        )
        self.setObjectName("warning")
        self._verify_job = LatestJob()
        self._project: Project | None = None
        self.hide()


class IntegrityWarning(_Warning):
    """Widget above all pages that warns about damage in the open project.

    The file is checked once, in the background, shortly after the project was opened; the widget is
    hidden if the check finds no problem. A file whose damage was reported when it was opened is not
    checked.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Problems in this file"))
        self._timer = make_timer(self, CHECK_DELAY_MS, self.check_log)

    def show_project(self, project: Project | None) -> None:
        """Switch to another project, and schedule the check of its file.

        A file that was reported as damaged when it was opened is not checked.
        """
        self._verify_job.stop()
        self._project = project
        self.hide()
        if project is not None and project.damage is None:
            self._timer.start()
        else:
            self._timer.stop()

    def check_log(self) -> None:
        if self._project:
            # errors are ignored, since each page shows an error if it cannot read the project
            self._verify_job.run(
                on_project(
                    self._project,
                    lambda job_project, progress: (
                        job_project.verify(progress, in_background=True).problems
                    ),
                ),
                self._show_problems,
                lambda _error, _trace: None,
            )

    def _show_problems(self, problems: Sequence[str]) -> None:
        show_text(
            self,
            "⚠ "
            + join_sentences(
                *map(translate_message, problems[:MAX_SENTENCES]),
                self.tr(
                    "You can continue judging. The command “irjudge rescue” creates a valid "
                    "project from the readable data; a backup may contain more."
                ),
            )
            if problems
            else "",
        )


class UncountedWarning(_Warning):
    """Widget above pages that read judgments, which warns that some judgments are not counted.

    Examples are judgments of excluded groups of assessors, labels of models that are not selected
    as qrels, and judgments with missing or invalid events. The warning is updated in the background
    if the project has changed when such a page is shown.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Excluded judgments"))
        self._seen_writes: ChangeCounter | None = None
        self._is_requested = False

    def show_project(
        self, project: Project | None, known_problems: Sequence[str] | None = None
    ) -> None:
        """Switch to another project.

        `known_problems` are the problems detected when the project was opened; None if it was not
        checked.
        """
        self._verify_job.stop()
        self._project = project
        self._seen_writes = project.writes if project and known_problems is not None else None
        self._show_problems(known_problems or ())

    def show_above(self, reads_judgments: bool) -> None:
        self._is_requested = reads_judgments
        self.setVisible(reads_judgments and bool(self.text()))
        project = self._project
        if project is None or not reads_judgments or self._seen_writes == (state := project.writes):
            return

        def on_done(paths: Sequence[str]) -> None:
            self._seen_writes = state
            self._show_problems(paths)

        # errors are ignored, since the page shows an error if it cannot read the project
        self._verify_job.run(
            on_project(project, lambda job_project, _progress: describe_uncounted(job_project)),
            on_done,
            lambda _error, _trace: None,
        )

    def _show_problems(self, paths: Sequence[str]) -> None:
        self.setText(
            "⚠ "
            + join_sentences(
                *map(translate_message, paths[:MAX_SENTENCES]),
                filled(
                    self.tr("Further warnings: {count}."),
                    count=len(paths) - MAX_SENTENCES,
                )
                if len(paths) > MAX_SENTENCES
                else "",
            )
            if paths
            else ""
        )
        self.setVisible(self._is_requested and bool(paths))


DIALOG_SIZE = (560, 380)


class CrashDialog(QDialog):
    """Dialog about an unexpected error (a bug): its message, and details that can be saved.

    The details include the traceback and the versions of the software. The program continues.
    """

    def __init__(self, parent: QWidget | None, error: BaseException, trace: str) -> None:
        super().__init__(parent)
        apply_style(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Error in irjudge"))
        self.resize(scale_length(DIALOG_SIZE[0]), scale_length(DIALOG_SIZE[1]))
        self.details = f"{release_version()} on Python {platform.python_version()}, PySide6 {PySide6.__version__}, {platform.platform()}\n\n{trace}"
        details_field = named(QPlainTextEdit(self.details, readOnly=True), self.tr("Details"))
        self.problem = make_label("", "error", hidden=True)
        self.setLayout(
            column(
                make_label(self.tr("An error occurred in irjudge"), "title"),
                make_label(
                    self.tr(
                        "This is a bug in irjudge, not your mistake. All confirmed judgments are "
                        "saved, and you can continue."
                    ),
                    "quiet",
                ),
                make_label(f"{type(error).__name__}: {error}"),
                details_field,
                self.problem,
                row(
                    None,
                    make_button(self.tr("Save error details"), clicked=self._save),
                    make_button(self.tr("Continue"), "primary", clicked=self.accept),
                ),
                spacing=SPACE_M,
                margins=(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL),
                stretched=details_field,
            )
        )

    def _save(self) -> None:
        path, _ = ask_save_path(self, self.tr("Save error details"), Path("irjudge-error.txt"))
        if path:
            self.problem.setText("")
            try:
                write_text_atomically(path, self.details)
            except IrjudgeError as problem:
                self.problem.setText("✕ " + translate_message(str(problem)))
            self.problem.setVisible(bool(self.problem.text()))
