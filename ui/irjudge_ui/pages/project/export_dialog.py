"""Export of files for other programs: the dialog, and the job that writes and checks a file."""

from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject
from PySide6.QtWidgets import QCheckBox, QFormLayout, QSizePolicy, QWidget

from irjudge.formats.judgments import WRITERS
from irjudge.judging import list_qrels_choices
from irjudge.progress import Progress
from irjudge.report import (
    EXPORT_KINDS,
    TREC,
    ExportOptions,
    ExportResult,
    export_project,
    list_available_exports,
)
from irjudge.store import Project, protect_sources
from irjudge_ui.actions import BY_ID
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.messages import filled, translate, translate_message
from irjudge_ui.pages.shared import View
from irjudge_ui.widgets import SPACE_M, SPACE_S, ChoiceBox, Dialog, make_label

DIALOG_SIZE = (520, 340)
# title and purpose of each kind of export
PURPOSES = {
    "qrels": QT_TRANSLATE_NOOP(
        "ProjectExporter",
        "Grades in TREC format, or in the format of another evaluation tool.",
    ),
    "judgments": QT_TRANSLATE_NOOP(
        "ProjectExporter",
        "Grades of each assessor, with notes, times, flags, judging times in seconds, and "
        "rationales.",
    ),
    "adjudications": QT_TRANSLATE_NOOP(
        "ProjectExporter",
        "Adjudicated grades, with the adjudicator, the time, and the reason as a note.",
    ),
    "topics": QT_TRANSLATE_NOOP("ProjectExporter", "All topics, as JSON lines."),
    "documents": QT_TRANSLATE_NOOP(
        "ProjectExporter", "All documents with their texts, as JSON lines."
    ),
    "run": QT_TRANSLATE_NOOP(
        "ProjectExporter", "Documents that one system retrieved, in TREC format."
    ),
    "pool": QT_TRANSLATE_NOOP(
        "ProjectExporter",
        "Documents to judge, with order, stratum, inclusion probability, rank and runs.",
    ),
    "tasks": QT_TRANSLATE_NOOP(
        "ProjectExporter",
        "The pool for a crowd platform: one row per topic–document pair. Use “Import "
        "judgments” to import the labels; the column “item” identifies the pairs.",
    ),
    "approvals": QT_TRANSLATE_NOOP(
        "ProjectExporter",
        "List of the crowd participants to pay, for import into the platform that recruited "
        "them. A reason is given for each rejected submission.",
    ),
    "surveys": QT_TRANSLATE_NOOP(
        "ProjectExporter",
        "Answers to the questions asked before and after judging, with participant, question "
        "and answer in each row.",
    ),
    "layout": QT_TRANSLATE_NOOP(
        "ProjectExporter",
        "Layout of the tasks, to be uploaded to the platform together with the tasks.",
    ),
}
TITLES = {
    "qrels": QT_TRANSLATE_NOOP("ProjectExporter", "Qrels"),
    "judgments": QT_TRANSLATE_NOOP("ProjectExporter", "Judgments"),
    "adjudications": QT_TRANSLATE_NOOP("ProjectExporter", "Adjudications"),
    "topics": QT_TRANSLATE_NOOP("ProjectExporter", "Topics"),
    "documents": QT_TRANSLATE_NOOP("ProjectExporter", "Documents"),
    "run": QT_TRANSLATE_NOOP("ProjectExporter", "Run"),
    "pool": QT_TRANSLATE_NOOP("ProjectExporter", "Pool"),
    "tasks": QT_TRANSLATE_NOOP("ProjectExporter", "Tasks for a crowd platform"),
    "approvals": QT_TRANSLATE_NOOP(
        "ProjectExporter", "Participants to approve on a crowd platform"
    ),
    "surveys": QT_TRANSLATE_NOOP(
        "ProjectExporter", "Answers to the questions asked before and after judging"
    ),
    "layout": QT_TRANSLATE_NOOP("ProjectExporter", "Layout for a crowd platform"),
}
TREC_LABEL = QT_TRANSLATE_NOOP("ProjectExporter", "TREC (unjudgeable documents get grade -2)")
FORMAT_LABELS = {
    ".csv": QT_TRANSLATE_NOOP("ProjectExporter", "CSV"),
    ".xlsx": QT_TRANSLATE_NOOP("ProjectExporter", "Excel workbook"),
    ".tsv": QT_TRANSLATE_NOOP("ProjectExporter", "TSV, for Toloka"),
    ".json": QT_TRANSLATE_NOOP("ProjectExporter", "JSON, for Label Studio"),
    ".txt": QT_TRANSLATE_NOOP("ProjectExporter", "List of ids for Prolific"),
    ".xml": QT_TRANSLATE_NOOP("ProjectExporter", "XML, for Label Studio"),
    ".html": QT_TRANSLATE_NOOP("ProjectExporter", "HTML, for MTurk"),
}
DEFAULT_SUFFIXES = {"qrels": ".qrels", "run": ".run"}  # default file extensions


class ProjectExporter(QObject):
    """Exporter of data of the open project, such as qrels or a run, for other programs.

    It opens the dialog for the options, asks for a path, and writes one file in the background. The
    file is read back to verify it. The exporter belongs to the collection page.
    """

    def __init__(self, page: View, parent: QWidget) -> None:
        super().__init__(parent)
        self._page, self._parent = page, parent

    def ask(self) -> None:
        if self._page.project:
            ExportDialog(self._parent, self._page.project, self).open()

    def ask_where(self, options: ExportOptions, default_suffix: str) -> None:
        if (project := self._page.project) is None:
            return
        name = f"{project.path.stem}-{options.what}" if options.what != "run" else str(options.name)
        path, _ = ask_save_path(
            self._parent,
            BY_ID["export"].label,
            project.path.with_name(name.replace("/", "-") + default_suffix),
        )
        if path:
            self.write(options, path if path.suffix else Path(f"{path}{default_suffix}"))

    def write(self, options: ExportOptions, path: Path) -> None:
        if (project := self._page.project) is None:
            return

        def write(progress: Progress) -> ExportResult:
            with (
                project.second_connection() as job_project,
                protect_sources(job_project, path.parent),
            ):
                return export_project(job_project, options, path, progress)

        self._page.job_requested.emit(
            filled(self.tr("Writing {path}"), path=path.name), write, self._report_result
        )

    def _report_result(self, result: ExportResult) -> None:
        message = filled(
            self.tr(
                "Saved {path} and read it back to verify it. Rows written: {went_in}; rows read: "
                "{came_back}."
            ),
            path=result.path,
            went_in=f"{result.written_count:,}",
            came_back=f"{result.read_count:,}",
        )
        self._page.message_shown.emit(
            "\n".join([message, *map(translate_message, result.warnings)])
        )
        self._page.wrote.emit(result.path)


class ExportDialog(Dialog):
    """Dialog for the content, source and format of an export.

    The content is, for example, qrels, judgments or a run; the source, which only qrels and runs
    have, is the selected qrels or run. Qrels can include the unjudged documents of the pool. On
    acceptance, the exporter asks for the path and writes the file.
    """

    def __init__(self, parent: QWidget, project: Project, exporting: ProjectExporter) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self._project, self._exporter = project, exporting
        self.kind_box, self.selection_box, self.form = (
            ChoiceBox(name=name)
            for name in (self.tr("Data"), self.tr("Selection"), self.tr("Format"))
        )
        self.unjudged = QCheckBox(self.tr("Include pooled unjudged documents, with grade -1"))
        self._purpose = make_label("", "quiet")
        self.kind_box.add_choices(
            (translate("ProjectExporter", str(TITLES[kind])), kind)
            for kind in list_available_exports(project)
        )
        self._fields = QFormLayout(
            horizontalSpacing=SPACE_M,
            verticalSpacing=SPACE_S,
            rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows,
        )
        for box in (self.kind_box, self.selection_box, self.form):
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self._fields.addRow(make_label(box.accessibleName(), "quiet", wrap=False), box)
        self._fields.addRow(self.unjudged)
        self.fill(
            BY_ID["export"].label,
            [self._fields, self._purpose, None],
            [(self.tr("Cancel"), None), (self.tr("Choose a file and export"), self._write)],
        )
        self.kind_box.currentIndexChanged.connect(self._show)
        self.selection_box.currentIndexChanged.connect(self._show_unjudged)
        self.form.currentIndexChanged.connect(self._show_unjudged)
        self._show()
        self.kind_box.setFocus()

    def _show(self) -> None:
        kind = str(self.kind_box.currentData())
        self._purpose.setText(translate("ProjectExporter", str(PURPOSES[kind])))
        self.selection_box.clear()
        self.selection_box.add_choices(
            (translate_message(name), name) for name in self._list_sources(kind)
        )
        self._fields.setRowVisible(self.selection_box, self.selection_box.count() > 0)
        self.form.clear()
        self.form.add_choices((title, name) for name, title in self._list_formats(kind))
        self._fields.setRowVisible(self.form, self.form.count() > 0)
        self._show_unjudged()

    def _list_formats(self, kind: str) -> list[tuple[str, str]]:
        """Return pairs: name or file extension of a format, and its label.

        The list is empty if there is only one format.
        """
        if kind == "qrels":
            return [
                (TREC, translate("ProjectExporter", str(TREC_LABEL))),
                *((writer.name, translate_message(writer.title)) for writer in WRITERS.values()),
            ]
        formats = [
            (suffix, translate("ProjectExporter", str(label)))
            for suffix, label in FORMAT_LABELS.items()
            if suffix in EXPORT_KINDS[kind].suffixes
        ]
        return formats if len(formats) > 1 else []

    def _list_sources(self, kind: str) -> list[str]:
        if kind == "qrels":
            return [choice.name for choice in list_qrels_choices(self._project)]
        return [run.name for run in self._project.rankings.runs()] if kind == "run" else []

    def _show_unjudged(self) -> None:
        """Show the option to include unjudged documents if it applies, otherwise hide it.

        The option applies to qrels in TREC format if the project has a pool. It does not apply to
        imported qrels, which are exported unchanged.
        """
        source = self.selection_box.currentData()
        self._fields.setRowVisible(
            self.unjudged,
            self.kind_box.currentData() == "qrels"
            and self.form.currentData() == TREC
            and self._project.rankings.pool_version() > 0
            and not any(
                choice.name == source and choice.source == "imported"
                for choice in list_qrels_choices(self._project)
            ),
        )

    def options(self) -> ExportOptions:
        kind = str(self.kind_box.currentData())
        return ExportOptions(
            kind,
            self.selection_box.currentData(),
            self._fields.isRowVisible(self.unjudged) and self.unjudged.isChecked(),
            str(self.form.currentData()) if kind == "qrels" else TREC,
        )

    def _write(self) -> None:
        options = self.options()
        suffixes = EXPORT_KINDS[options.what].suffixes
        suffix = suffixes[0] if suffixes else DEFAULT_SUFFIXES[options.what]
        if options.form in WRITERS:
            suffix = WRITERS[options.form].suffix
        elif self.form.currentData() in suffixes:
            suffix = self.form.currentData()
        self._exporter.ask_where(options, suffix)
