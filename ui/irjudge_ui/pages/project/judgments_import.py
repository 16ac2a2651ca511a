"""Judgments of a table brought in: the dialog shows what was read as what, and a person says what is otherwise."""

from dataclasses import replace
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from irjudge.errors import IrjudgeError, Undecided
from irjudge.formats.file_preview import Decisions, FilePreview, preview
from irjudge.formats.judgments.crowd_platforms import crowd_header
from irjudge.judging.imports import import_judgments, of_scale
from irjudge.progress import Progress
from irjudge.store.import_files import remembered_columns
from irjudge.store.import_report import ImportReport
from irjudge.store.project import Project
from irjudge_ui.actions import BY_ID
from irjudge_ui.file_dialogs import ask_file
from irjudge_ui.jobs import Latest
from irjudge_ui.messages import in_language
from irjudge_ui.pages.project.file_decisions import DecidePanel
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.layout import column, scrolling, text

SIZE = (640, 480)


class ImportHost(Protocol):
    """What bringing judgments in needs to know of the page it is asked for on."""

    project: Project | None
    failed: SignalInstance
    work: SignalInstance


class JudgmentsImport(QObject):
    """Asks for a table of judgments, shows what is in it, and imports it beside the window; `taken` comes with the report."""

    taken = Signal(object)

    def __init__(self, page: ImportHost, parent: QWidget) -> None:
        super().__init__(parent)
        self._page, self._parent, self._reading = page, parent, Latest()

    @property
    def can_import(self) -> bool:
        """Whether the project takes judgments."""
        return self._page.project is not None and self._page.project.writing

    def ask(self) -> None:
        """Ask for a file and show what is in it."""
        if path := ask_file(self._parent, BY_ID["import-judgments"].label):
            self.look(path)

    def look(self, path: Path) -> None:
        """Show what is in a file; the columns said of the same header before stand in the field already."""
        project = self._page.project
        if project is None:
            return

        def header(_progress: Progress) -> tuple[str, ...]:
            try:
                return crowd_header(path)
            except IrjudgeError:
                return ()  # the dialog says what is wrong with the file

        self._reading.run(
            header, lambda found: self._open(project, path, found), self._page.failed.emit
        )

    def _open(self, project: Project, path: Path, header: tuple[str, ...]) -> None:
        if project is self._page.project:
            said = str(remembered_columns(project, "judgments", header)) if header else ""
            JudgmentsDialog(self._parent, project, path, said, self).open()

    def bring(self, path: Path, how: Decisions) -> None:
        """Import a table."""
        project = self._page.project
        if project is None:
            return

        def bring(progress: Progress) -> ImportReport:
            with project.second_connection() as other:
                return import_judgments(other, path, how, progress)

        self._page.work.emit(self.tr("Importing"), bring, self.taken.emit)

    def fail(self, fault: Exception, trace: str) -> None:
        """Show a fault of ours."""
        self._page.failed.emit(fault, trace)


class JudgmentsDialog(Dialog):
    """Shows the first rows of a table of judgments and which column was read as what, and takes what a person says of it."""

    def __init__(
        self, parent: QWidget, project: Project, path: Path, said: str, importing: JudgmentsImport
    ) -> None:
        super().__init__(parent, SIZE)
        self._path, self._importing, self._scale = path, importing, of_scale(project.scale)
        self._reading = Latest()
        self._entering = True  # whether the focus was on the button that imports before it was off
        self._found, self._first = text(), text("", "quiet")
        self._odd, self.problem = text("", "warning"), text("", "error")
        title = BY_ID["import-judgments"].label
        self.deciding = DecidePanel("judgments", title)
        self.deciding.fields["columns"].setText(said)
        self.deciding.decided.connect(self._read)
        help = self.tr(
            "A table needs an item of a task file, or topic and document; who judged; and the grade, as a number or in the words of the "
            "scale. What you say about columns is remembered for the next file with the same header."
        )
        inside = QWidget()
        inside.setLayout(
            column(
                text(help, "quiet"),
                self._found,
                self._first,
                self._odd,
                self.problem,
                self.deciding,
                None,
            )
        )
        self.fill(
            title,
            [growing(scrolling(inside))],
            [(self.tr("Cancel"), None), (self.tr("Import"), self._bring)],
        )
        self.buttons[-1].setDefault(
            True
        )  # it is off while the table is read, and then the focus is elsewhere
        self.finished.connect(self._reading.stop)
        self._read()

    @property
    def can_bring(self) -> bool:
        """Whether the table can be imported as it was read."""
        return self.buttons[-1].isEnabled()

    def _read(self) -> None:
        """Read the table as the fields say, beside the window."""
        self._reading.stop()
        said = self.deciding.said()
        if isinstance(said, str):
            self._show(problem=in_language(said))
            return
        decided = replace(said, **self._scale)
        self._entering = self._entering or self.buttons[-1].hasFocus()
        self.buttons[-1].setEnabled(False)
        self._found.setText(self.tr("Reading …"))
        self._reading.run(
            lambda _progress: preview("judgments", (self._path,), decided),
            self._on_seen,
            self._on_fault,
        )

    def _on_seen(self, seen: FilePreview) -> None:
        if not seen.wrong:
            self._show(seen)
            return
        fault = seen.wrong[0].fault
        self._show(problem=self.deciding.in_its_words(in_language(str(fault))))
        if isinstance(fault, Undecided):
            self.deciding.focus(fault.options)

    def _on_fault(self, fault: Exception, trace: str) -> None:
        self._show(problem=in_language(str(fault)))
        if trace:
            self._importing.fail(fault, trace)

    def _show(self, seen: FilePreview | None = None, problem: str = "") -> None:
        self._found.setText("\n".join(map(in_language, seen.found)) if seen else "")
        self._first.setText("\n".join(seen.first) if seen else "")
        self._odd.setText(
            "\n".join("⚠ " + in_language(remark) for remark in seen.odd) if seen else ""
        )
        self.problem.setText("✕ " + problem if problem else "")
        for label in (self._found, self._first, self._odd, self.problem):
            label.setVisible(bool(label.text()))
        self.buttons[-1].setEnabled(not problem)
        if self._entering and not problem:
            self._entering = False
            self.buttons[-1].setFocus()

    def _bring(self) -> None:
        said = self.deciding.said()
        if not isinstance(said, str):
            self._importing.bring(self._path, said)
