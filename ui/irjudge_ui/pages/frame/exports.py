"""What leaves the project as files: qrels, the workbook and other reports."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from irjudge.evaluation.table import Evaluation
from irjudge.formats.bytes.atomic_write import sparing
from irjudge.formats.bytes.utf8 import without_half_characters
from irjudge.formats.file_preview import SortedFiles
from irjudge.formats.rankings.qrels import write_qrels
from irjudge.judging.judged_qrels import choices, chosen_qrels, rows_and_groups
from irjudge.message import Message
from irjudge.progress import Progress
from irjudge.report.contents import report_of
from irjudge.report.evaluation_history import kept_of_project
from irjudge.report.method_section import (
    Language,
    Method,
    command_again,
    files_source,
    method,
    project_source,
)
from irjudge.report.study import write_study
from irjudge.report.workbook.book import (
    WrittenWorkbook,
    write_files_workbook,
    write_project_workbook,
)
from irjudge.report.writers import gathered, html_lines, write_report
from irjudge.shipped import program
from irjudge.store.import_report import sparing_sources
from irjudge.store.project import Project
from irjudge_ui.actions import BY_ID
from irjudge_ui.file_dialogs import ask_place
from irjudge_ui.messages import filled, in_language, listed, sentences
from irjudge_ui.pages.shared.policy import rests_on
from irjudge_ui.pages.shared.printing import print_report


class Exports(QObject):
    """Writes files.

    `said` comes with what was written or went wrong, then `wrote` with its path, and `wrote_qrels` where it was qrels; `work` with a job:
    title, function(progress), done(result).
    """

    said = Signal(str)
    wrote = Signal(Path)
    wrote_qrels = Signal()
    wrote_report = Signal()
    work = Signal(str, object, object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.project: Project | None = None

    @property
    def has_qrels(self) -> bool:
        """Whether there are judgments to export."""
        return self.project is not None and bool(choices(self.project))

    def ask_qrels(self) -> None:
        """Ask where the qrels go and write them."""
        if self.project:
            path, _ = ask_place(
                self._window, BY_ID["export-qrels"].label, self.project.path.with_suffix(".qrels")
            )
            if path:
                self.write_qrels(path)

    def write_qrels(self, path: Path) -> None:
        """Write the qrels that numbers rest on, as TREC qrels."""
        project = self.project
        if project is None:
            return

        def write(_progress: Progress) -> tuple[int, str]:
            with project.second_connection() as other, sparing_sources(other, path.parent):
                chosen = chosen_qrels(other)
                return write_qrels(path, *rows_and_groups(other, chosen)), chosen.words

        def done(written: tuple[int, str]) -> None:
            count, source = written
            self.said.emit(
                sentences(
                    filled(
                        self.tr("Judgments written: {count}, to {path}."),
                        count=f"{count:,}",
                        path=str(path),
                    ),
                    rests_on(source),
                )
            )
            self.wrote.emit(path)
            self.wrote_qrels.emit()

        self.work.emit(self.tr("Writing the judgments"), write, done)

    def write_report(self, table: Evaluation | None, path: Path) -> None:
        """Write the evaluation page's numbers in the form that the file's ending says."""
        project = self.project
        if project is None or table is None:
            return
        if path.suffix == ".xlsx":
            self._write_workbook(project, table, path)
            return

        def write(progress: Progress) -> Sequence[str]:
            with project.second_connection() as other:
                titles = other.collection.topic_titles()
                facts = {"Project": other.title, "Qrels": table.source}
                with sparing_sources(other, path.parent):
                    made = made_of(other, table, path.name, progress)
                    findings = gathered(table, titles, facts, progress, made=made, project=other)
                    if path.suffix != ".zip":
                        return write_report(path, table, findings, progress)
                    kept = kept_of_project(
                        other, table, path.stem, program=program(), progress=progress
                    )
                    write_study(path, table, kept, findings, project=other, progress=progress)
                    return ()

        self.work.emit(
            self.tr("Writing the report"), write, lambda remarks: self._say_report(path, remarks)
        )

    def print_report(self, table: Evaluation | None) -> None:
        """Ask for a printer and print the evaluation page's numbers."""
        project = self.project
        if project is None or table is None:
            return

        def write(progress: Progress) -> str:
            with project.second_connection() as other:
                titles, facts = (
                    other.collection.topic_titles(),
                    {"Project": other.title, "Qrels": table.source},
                )
                made = made_of(other, table, f"{other.path.stem}.html", progress)
                findings = gathered(table, titles, facts, progress, made=made, project=other)
                return "\n".join(html_lines(report_of(table, findings, progress)))

        self.work.emit(
            self.tr("Writing the report"), write, lambda page: print_report(self._window, page)
        )

    def write_files_report(
        self, table: Evaluation | None, path: Path | None, files: SortedFiles
    ) -> None:
        """Write the numbers of files that are in no project, in the form that the file's ending says; without a file, print them."""
        if table is None:
            return
        facts = {
            "Qrels": table.source,
            "Runs": without_half_characters(", ".join(each.name for each in files.runs)),
        }
        read = (*files.qrels, *files.runs)
        if path is None:

            def write_page(progress: Progress) -> str:
                return "\n".join(
                    html_lines(report_of(table, gathered(table, {}, facts, progress), progress))
                )

            self.work.emit(
                self.tr("Writing the report"),
                write_page,
                lambda page: print_report(self._window, page),
            )
            return

        def made() -> Method:
            language = window_language()
            return method(
                table,
                files_source(
                    files.qrels[0],
                    files.runs,
                    command_again(read, table, path, language, files.how.said_of_qrels()),
                ),
                language,
            )

        if path.suffix == ".xlsx":

            def write_book(progress: Progress) -> WrittenWorkbook:
                with sparing(read):
                    return write_files_workbook(path, table, facts, progress, made=made())

            self.work.emit(self.tr("Writing the workbook"), write_book, self._say_written)
            return

        def write(progress: Progress) -> Sequence[str]:
            with sparing(read):
                return write_report(
                    path, table, gathered(table, {}, facts, progress, made=made()), progress
                )

        self.work.emit(
            self.tr("Writing the report"), write, lambda remarks: self._say_report(path, remarks)
        )

    def _say_report(self, path: Path, remarks: Sequence[str]) -> None:
        said = filled(self.tr("Wrote {path}."), path=str(path))
        self.said.emit("\n".join([said, *("⚠ " + in_language(remark) for remark in remarks)]))
        self.wrote.emit(path)
        self.wrote_report.emit()

    def _write_workbook(self, project: Project, table: Evaluation, path: Path) -> None:
        """Write the numbers, the judgments and their legend as a workbook."""

        def write(progress: Progress) -> WrittenWorkbook:
            with project.second_connection() as other, sparing_sources(other, path.parent):
                return write_project_workbook(
                    path, other, table, progress, made=made_of(other, table, path.name, progress)
                )

        self.work.emit(self.tr("Writing the workbook"), write, self._say_written)

    def _say_written(self, written: Any) -> None:
        sheets = listed(f"{name} ({rows:,})" for name, rows in written.sheets)
        said = filled(self.tr("Wrote {path}: {sheets}."), path=str(written.path), sheets=sheets)
        self.said.emit(
            "\n".join([said, *("⚠ " + in_language(remark) for remark in written.remarks)])
        )
        self.wrote.emit(written.path)
        self.wrote_report.emit()


def window_language() -> Language:
    """Return the language of reports that is the window's, or English."""
    return "zh" if in_language(Message("What")) != "What" else "en"


def made_of(project: Project, table: Evaluation, file: str, progress: Progress) -> Method:
    """Say how the numbers of the evaluation page were made, in the language of the window."""
    language = window_language()
    chosen = next((each.name for each in choices(project) if each.words == table.source), None)
    further = ("--source", chosen) if chosen else ()
    command = command_again((project.path.name,), table, file, language, further)
    return method(table, project_source(project, table, command, progress), language)
