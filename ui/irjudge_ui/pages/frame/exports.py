"""Exports: qrels and reports as files, and tables to the clipboard."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path

from PySide6.QtCore import (
    QT_TRANSLATE_NOOP,
    QAbstractItemModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QFont, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from irjudge.evaluation import Evaluation
from irjudge.formats import ClassifiedFiles
from irjudge.formats.bytes import protect_files
from irjudge.formats.rankings import ReadingRequest, write_qrels
from irjudge.judging import list_qrels_choices, list_rows_and_subtopics, select_qrels
from irjudge.message import Message, escape_control_characters
from irjudge.progress import Progress
from irjudge.report import (
    COPY_FORMATS,
    CopyFormat,
    EvaluatedFiles,
    EvaluationReport,
    Language,
    PrintedTable,
    WrittenReport,
    format_table,
    reproduction_command,
)
from irjudge.store import Project, protect_sources
from irjudge_ui.actions import BY_ID
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.jobs import on_project
from irjudge_ui.messages import filled, join_sentences, strip_isolates, translate, translate_message
from irjudge_ui.models import MISSING, VALUE_ROLE
from irjudge_ui.pages.shared import describe_qrels_source, print_report
from irjudge_ui.widgets import Table

# Export of qrels and reports


class Exports(QObject):
    """Exporter of qrels and of evaluation reports, to files or (reports only) to a printer.

    `message_shown` is emitted with a message, `details_shown` with the text of its tooltip, `wrote`
    with the path of a written file, `wrote_qrels` after qrels and `wrote_report` after a report
    were written. `job_requested` is emitted with a job: title, function(progress), on_done(result).
    The window runs it. Reports are about the project or about files that were evaluated without a
    project. Other exports of a project are made by `ProjectExporter`.
    """

    message_shown = Signal(str)
    wrote = Signal(Path)
    # emitted after a report was written, with its path and its sheets or files
    details_shown = Signal(str)
    wrote_qrels = Signal()
    wrote_report = Signal()
    job_requested = Signal(str, object, object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.project: Project | None = None

    @property
    def has_qrels(self) -> bool:
        return self.project is not None and bool(list_qrels_choices(self.project))

    def ask_qrels(self) -> None:
        if self.project:
            path, _ = ask_save_path(
                self._window, BY_ID["export-qrels"].label, self.project.path.with_suffix(".qrels")
            )
            if path:
                self.write_qrels(path)

    def write_qrels(self, path: Path) -> None:
        if (project := self.project) is None:
            return

        def write(_progress: Progress) -> tuple[int, str]:
            with (
                project.second_connection() as job_project,
                protect_sources(job_project, path.parent),
            ):
                qrels = select_qrels(job_project)
                return write_qrels(
                    path, *list_rows_and_subtopics(job_project, qrels)
                ), qrels.description

        def on_done(result: tuple[int, str]) -> None:
            count, source = result
            self.message_shown.emit(
                join_sentences(
                    filled(
                        self.tr("Saved {path}. Judgments: {count}."),
                        count=f"{count:,}",
                        path=str(path),
                    ),
                    describe_qrels_source(source),
                )
            )
            self.wrote.emit(path)
            self.wrote_qrels.emit()

        self.job_requested.emit(self.tr("Writing the judgments"), write, on_done)

    def write_report(self, table: Evaluation | None, path: Path) -> None:
        if (project := self.project) is None or table is None:
            return

        def write(job_project: Project, progress: Progress) -> WrittenReport:
            with protect_sources(job_project, path.parent):
                return _describe_report(job_project, table, path.name, progress).write(path)

        self.job_requested.emit(
            self.tr("Writing the report"), on_project(project, write), self._report_workbook
        )

    def print_report(self, table: Evaluation | None) -> None:
        if self.project and table:
            self.job_requested.emit(
                self.tr("Writing the report"),
                on_project(
                    self.project,
                    lambda job_project, progress: _describe_report(
                        job_project, table, f"{job_project.path.stem}.html", progress
                    ).page(),
                ),
                lambda page: print_report(self._window, page),
            )

    def write_files_report(
        self, table: Evaluation | None, path: Path | None, files: ClassifiedFiles
    ) -> None:
        """Write a report of evaluated files; the extension of `path` determines the format.

        If `path` is None, print the report.
        """
        if table is None:
            return
        source_files = (*files.qrels, *files.runs)
        language = window_language()
        report = EvaluationReport(
            evaluation=table,
            source=EvaluatedFiles(
                files.qrels[0],
                tuple(files.runs),
                ReadingRequest.from_qrels_options(files.qrels_reading),
            ),
            language=language,
            command=reproduction_command(
                source_files,
                table,
                path or "report.html",
                language,
                files.qrels_reading.qrels_options(),
            ),
        )
        title = self.tr("Writing the report")
        if path is None:
            self.job_requested.emit(
                title,
                lambda progress: replace(report, progress=progress).page(),
                lambda page: print_report(self._window, page),
            )
            return

        def write(progress: Progress) -> WrittenReport:
            with protect_files(source_files):
                return replace(report, progress=progress).write(path)

        self.job_requested.emit(title, write, self._report_workbook)

    def _report_workbook(self, workbook: WrittenReport) -> None:
        self.message_shown.emit(
            "\n".join(
                [
                    filled(self.tr("Saved {path}."), path=workbook.path.name),
                    *("⚠ " + translate_message(warning) for warning in workbook.warnings),
                ]
            )
        )
        self.details_shown.emit("\n".join([str(workbook.path), *workbook.parts]))
        self.wrote.emit(workbook.path)
        self.wrote_report.emit()


def window_language() -> Language:
    """Return the window's language if reports are available in it, otherwise English."""
    return "zh" if translate_message(Message("Detail")) != "Detail" else "en"


def _describe_report(
    project: Project, table: Evaluation, file: str, progress: Progress
) -> EvaluationReport:
    language = window_language()
    chosen_format = next(
        (
            choice.name
            for choice in list_qrels_choices(project)
            if choice.description == table.source
        ),
        None,
    )
    return EvaluationReport(
        evaluation=table,
        source=project,
        language=language,
        command=reproduction_command(
            (project.path.name,),
            table,
            file,
            language,
            ("--source", chosen_format) if chosen_format else (),
        ),
        progress=progress,
    )


# Copying of tables to the clipboard: as text for spreadsheets, CSV, Markdown, LaTeX or HTML

LABELS: dict[CopyFormat, object] = {
    "text": QT_TRANSLATE_NOOP("CopyMenu", "Copy table as text"),
    "csv": QT_TRANSLATE_NOOP("CopyMenu", "Copy table as CSV"),
    "markdown": QT_TRANSLATE_NOOP("CopyMenu", "Copy table as Markdown"),
    "latex": QT_TRANSLATE_NOOP("CopyMenu", "Copy table as LaTeX"),
    "html": QT_TRANSLATE_NOOP("CopyMenu", "Copy table as HTML"),
}
FULL_PRECISION_FORMATS = ("text", "csv")  # formats for computation in other programs
Role = Qt.ItemDataRole


class CopyMenu(QObject):
    """Object that copies rows or tables to the clipboard, and shows context menus of tables.

    Selected rows of the focused table are copied as tab-separated text. A whole table is copied
    in the format that the user selects in a menu; it is the focused table or, if none is
    focused, the first visible one with rows. The context menu of a table contains first the
    actions on the row, then the formats for this table.
    """

    def __init__(self, window: QWidget, show_message: Callable[[str], None]) -> None:
        super().__init__(window)
        self._window, self._show_message = window, show_message
        # the window receives a request for a context menu if no child widget handles the request
        window.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        window.customContextMenuRequested.connect(self._show_context_menu)

    # Actions

    @property
    def has_table(self) -> bool:
        return self.table() is not None

    def table(self) -> Table | None:
        focus = QApplication.focusWidget()
        if isinstance(focus, Table):
            return focus
        tables = self._window.findChildren(Table)
        return next(
            (table for table in tables if table.isVisible() and table.model().rowCount()), None
        )

    @property
    def has_rows(self) -> bool:
        focus = QApplication.focusWidget()
        return isinstance(focus, Table) and focus.selectionModel().hasSelection()

    def copy_rows(self) -> None:
        """Copy the selected rows for spreadsheets, with column names if all rows are selected."""
        table = QApplication.focusWidget()
        if not isinstance(table, Table):
            return
        selected_rows = sorted({index.row() for index in table.selectionModel().selectedIndexes()})
        lines = (
            format_table(
                model_to_table(table.model(), full_precision=True, rows=selected_rows), "text"
            )
            .rstrip("\n")
            .split("\n")
        )
        has_all_rows = len(selected_rows) == table.model().rowCount()
        QGuiApplication.clipboard().setText("\n".join(lines if has_all_rows else lines[1:]))
        self._show_message(
            filled(
                self.tr("Copied {table}. Rows: {count}."),
                table=table.accessibleName(),
                count=len(selected_rows),
            )
        )

    def copy_table(self) -> None:
        if (table := self.table()) is not None:
            self._offer(table, table.viewport().mapToGlobal(QPoint(0, 0)))

    def _show_context_menu(self, point: QPoint) -> None:
        widget: QWidget | None = self._window.childAt(point)
        while widget is not None and not isinstance(widget, Table):
            widget = widget.parentWidget()
        if isinstance(widget, Table):
            position = self._window.mapToGlobal(point)
            on_row = widget.indexAt(widget.viewport().mapFromGlobal(position)).isValid()
            self._offer(widget, position, widget.row_actions if on_row else ())

    def _offer(self, table: Table, position: QPoint, row_actions: Sequence[QAction] = ()) -> None:
        actions = []
        for copy_format in COPY_FORMATS:
            action = QAction(translate("CopyMenu", str(LABELS[copy_format])))
            action.triggered.connect(
                lambda _checked, copy_format=copy_format: self.copy(table, copy_format)
            )
            actions.append(action)
        table.show_menu(position, row_actions, actions)

    def copy(self, table: Table, copy_format: CopyFormat) -> None:
        copied_text = format_table(
            model_to_table(table.model(), full_precision=copy_format in FULL_PRECISION_FORMATS),
            copy_format,
        )
        data = QMimeData()
        data.setText(copied_text)
        if copy_format == "html":
            data.setHtml(copied_text)
        QGuiApplication.clipboard().setMimeData(data)
        self._show_message(
            filled(
                self.tr("Copied {table}. Rows: {count}."),
                table=table.accessibleName(),
                count=table.model().rowCount(),
            )
        )


def model_to_table(
    model: QAbstractItemModel, *, full_precision: bool = False, rows: Sequence[int] | None = None
) -> PrintedTable:
    """Return the displayed cells of some rows, in display order; if `rows` is None, of all rows."""
    columns = range(model.columnCount())
    rows = range(model.rowCount()) if rows is None else rows
    orientation = Qt.Orientation.Horizontal
    right_aligned = tuple(
        bool(
            int(model.headerData(column, orientation, Role.TextAlignmentRole) or 0)
            & Qt.AlignmentFlag.AlignRight
        )
        for column in columns
    )
    cells, best_cells = [], set()
    for row_number, row in enumerate(rows):
        indexes = [model.index(row, column) for column in columns]
        cells.append(
            tuple(
                _cell_text(index, full_precision and is_right)
                for index, is_right in zip(indexes, right_aligned, strict=True)
            )
        )
        best_cells |= (
            set()
            if full_precision
            else {(row_number, column) for column in columns if _is_bold(indexes[column])}
        )
    return PrintedTable(
        tuple(
            escape_control_characters(str(model.headerData(column, orientation) or ""))
            for column in columns
        ),
        right_aligned,
        tuple(cells),
        frozenset(best_cells),
    )


def _cell_text(index: QModelIndex, full_precision: bool) -> str:
    if full_precision and isinstance(value := index.data(VALUE_ROLE), (int, float)):
        return repr(value) if isfinite(value) else ""
    text = escape_control_characters(strip_isolates(str(index.data() or "")))
    return "" if full_precision and text == MISSING else text


def _is_bold(index: QModelIndex) -> bool:
    font = index.data(Role.FontRole)
    return isinstance(font, QFont) and font.weight() >= QFont.Weight.DemiBold
