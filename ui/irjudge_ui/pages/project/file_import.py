"""Import of files into a project: dialogs for ambiguous files and for tables of judgments."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject, Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QSizePolicy, QWidget

from irjudge.errors import IrjudgeError, Undecided
from irjudge.formats import (
    COLUMN_PARTS,
    FileKind,
    FilePreview,
    ReadingOptions,
    parse_file_columns,
    preview_files,
)
from irjudge.formats.bytes import CANDIDATE_ENCODINGS, ENCODING_LABELS
from irjudge.formats.collections import TOPIC_IDS
from irjudge.formats.judgments import read_crowd_header
from irjudge.formats.rankings import (
    NEGATIVES,
    GradeRules,
    parse_grade_rules,
    parse_response_paths,
)
from irjudge.judging import import_judgments, make_scale_vocabulary
from irjudge.progress import Progress
from irjudge.store import ImportReport, Project, Sources, import_sources, load_column_mapping
from irjudge_ui.actions import BY_ID
from irjudge_ui.file_dialogs import ask_file, ask_files
from irjudge_ui.jobs import LatestJob
from irjudge_ui.messages import translate, translate_message
from irjudge_ui.pages.shared import View
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    ChoiceBox,
    Dialog,
    column,
    make_container,
    make_growing,
    make_label,
    make_scroll_area,
    show_text,
)

# Form for the import options of ambiguous files


# names of the import options for each kind of file
OPTION_FIELDS: dict[FileKind, tuple[str, ...]] = {
    "documents": ("columns", "encoding"),
    "topics": ("topic_ids", "columns", "encoding"),
    "runs": ("columns", "paths", "encoding"),
    "qrels": ("grades", "gains", "cuts", "negative", "columns", "encoding"),
    "calibration": ("grades", "cuts", "negative", "columns", "encoding"),
    "judgments": ("grades", "cuts", "columns", "encoding"),
}
# columns mentioned in the placeholder of the columns field, for kinds of files whose columns would
# not all fit
EXAMPLE_HEADERS: dict[FileKind, tuple[str, ...]] = {"judgments": ("item", "assessor", "grade")}
EXAMPLE_VALUES = {
    "grades": "1:4, 2:3, -1:0",
    "cuts": "0.2, 0.5, 1",
    "paths": "hits=result.items, id=key, score=rank, fields=product",
}
LABELS = {
    "columns": QT_TRANSLATE_NOOP("Decide", "Columns"),
    "paths": QT_TRANSLATE_NOOP("Decide", "Paths"),
    "encoding": QT_TRANSLATE_NOOP("Decide", "Encoding"),
    "topic_ids": QT_TRANSLATE_NOOP("Decide", "Topic IDs"),
    "grades": QT_TRANSLATE_NOOP("Decide", "Remap grades"),
    "gains": QT_TRANSLATE_NOOP("Decide", "Type of ratings"),
    "cuts": QT_TRANSLATE_NOOP("Decide", "Lower bounds of grades"),
    "negative": QT_TRANSLATE_NOOP("Decide", "Negative grades"),
}
ENCODINGS = tuple(
    ENCODING_LABELS.get(name, name) for name in ("UTF-8", "UTF-16", *CANDIDATE_ENCODINGS)
)
CHOICES: dict[str, tuple[str, ...]] = {
    "topic_ids": TOPIC_IDS,
    "gains": ("gains", "grades"),
    "negative": NEGATIVES,
    "encoding": ENCODINGS,
}
AUTOMATIC_LABEL = QT_TRANSLATE_NOOP("Decide", "automatic")
CHOICE_LABELS = {
    "order": QT_TRANSLATE_NOOP("Decide", "1, 2, 3 … in order"),
    "given": QT_TRANSLATE_NOOP("Decide", "as in the file"),
    "gains": QT_TRANSLATE_NOOP("Decide", "gains, used unchanged"),
    "grades": QT_TRANSLATE_NOOP("Decide", "grades"),
    "unjudged": QT_TRANSLATE_NOOP("Decide", "unjudged"),
    "unjudgeable": QT_TRANSLATE_NOOP("Decide", "unjudgeable"),
    "0": QT_TRANSLATE_NOOP("Decide", "grade 0"),
}


class ImportOptionsPanel(QWidget):
    """Form for the import options of one kind of file, such as columns, encoding and grades.

    An option without a choice or text is not set: it is detected automatically or has no effect.
    `decided` is emitted when the user selects a choice or has changed a text. `decisions` raises
    IrjudgeError if a text is invalid. The form is part of import dialogs, the new project page and
    the page for evaluating files.
    """

    decided = Signal()

    def __init__(self, kind: FileKind, title: str, fields: Sequence[str] = ()) -> None:
        super().__init__()
        self.kind, self._names = kind, fields or OPTION_FIELDS[kind]
        # text of each field at the last `decided`, or the text that was filled in since
        self._last_texts: dict[str, str] = {}
        self.choices: dict[str, ChoiceBox] = {}
        self.fields: dict[str, QLineEdit] = {}
        form_layout = QFormLayout(
            self,
            horizontalSpacing=SPACE_M,
            verticalSpacing=SPACE_S,
            rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows,
        )
        form_layout.setContentsMargins(0, SPACE_S, 0, 0)
        for name in self._names:
            label = translate("Decide", str(LABELS[name]))
            control = self._make_choice_box(name) if name in CHOICES else self._make_field(name)
            control.setAccessibleName(f"{title}: {label}")
            form_layout.addRow(make_label(label, "quiet", wrap=False), control)

    def _make_choice_box(self, name: str) -> ChoiceBox:
        choice_box = self.choices[name] = ChoiceBox()
        choice_box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        choice_box.addItem(translate("Decide", str(AUTOMATIC_LABEL)), None)
        choice_box.add_choices(
            (
                translate("Decide", str(CHOICE_LABELS[choice]))
                if choice in CHOICE_LABELS
                else choice,
                choice,
            )
            for choice in CHOICES[name]
        )
        choice_box.activated.connect(self.decided)
        return choice_box

    def _make_field(self, name: str) -> QLineEdit:
        line_edit = self.fields[name] = QLineEdit()
        parts = ", ".join(
            f"{part}=…" for part in EXAMPLE_HEADERS.get(self.kind, COLUMN_PARTS[self.kind])
        )
        line_edit.setPlaceholderText(EXAMPLE_VALUES.get(name, parts))
        line_edit.editingFinished.connect(lambda: self._report_change(name))
        return line_edit

    def _report_change(self, name: str) -> None:
        if (text := self.fields[name].text()) != self._last_texts.get(name, ""):
            self._last_texts[name] = text
            self.decided.emit()

    def clear(self) -> None:
        self._last_texts.clear()
        for box in self.choices.values():
            box.setCurrentIndex(0)
        for field in self.fields.values():
            field.clear()

    def fill_in(self, name: str, text: str) -> None:
        """Set the text of a field without emitting `decided`."""
        self._last_texts[name] = text
        self.fields[name].setText(text)

    def show_options(self, options: ReadingOptions) -> None:
        rules = dict(GradeRules.from_grades(options.grades).options())
        values: dict[str, Any] = {
            "columns": str(options.columns),
            "paths": str(options.paths or ""),
            "encoding": options.encoding,
            "topic_ids": options.topic_ids,
            "grades": rules.get("--grades", ""),
            "gains": "gains" if "--gains" in rules else None,
            "cuts": rules.get("--cuts", ""),
            "negative": options.negative,
        }
        for name, box in self.choices.items():
            box.setCurrentIndex(max(0, box.findData(values[name])))
        for name in self.fields:
            self.fill_in(name, values[name])

    def focus(self, options: Collection[str]) -> None:
        controls: dict[str, QWidget] = {**self.choices, **self.fields}
        controls[next((name for name in self._names if name in options), self._names[0])].setFocus()

    def translate_labels(self, sentence: str) -> str:
        """Return a sentence in which the labels of the fields replace command-line options."""
        for name in self._names:
            sentence = sentence.replace(
                "--" + name.replace("_", "-"), f'"{translate("Decide", str(LABELS[name]))}"'
            )
        return sentence

    def decisions(self) -> ReadingOptions:
        chosen_values = {name: box.currentData() for name, box in self.choices.items()}
        grades, cuts, paths = (
            self.fields[name].text().strip() if name in self.fields else ""
            for name in ("grades", "cuts", "paths")
        )
        return ReadingOptions(
            chosen_values.get("encoding"),
            parse_file_columns(self.kind, self.fields["columns"].text()),
            chosen_values.get("topic_ids"),
            chosen_values.get("negative"),
            parse_grade_rules(
                grades or None, cuts=cuts or None, gains=chosen_values.get("gains") == "gains"
            ),
            parse_response_paths(paths) if paths else None,
        )

    def options_or_problem(self) -> ReadingOptions | str:
        try:
            return self.decisions()
        except IrjudgeError as error:
            return str(error)


# Import of a table of judgments; the user can correct the recognised columns in a dialog

JUDGMENTS_SIZE = (640, 480)


class JudgmentsImporter(QObject):
    """Importer of a table of judgments: asks for a file, previews it, and imports it.

    The table contains judgments of one or more assessors, for example from a crowdsourcing
    platform. `taken` is emitted with the report of the import.
    """

    taken = Signal(object)

    def __init__(self, page: View, parent: QWidget) -> None:
        super().__init__(parent)
        self.page, self._parent, self._read_job = page, parent, LatestJob()

    def ask(self) -> None:
        if path := ask_file(self._parent, BY_ID["import-judgments"].label):
            self.preview(path)

    def preview(self, path: Path) -> None:
        if (project := self.page.project) is None:
            return

        def header(_progress: Progress) -> tuple[str, ...]:
            try:
                return read_crowd_header(path)
            except IrjudgeError:
                return ()  # the dialog shows the error

        self._read_job.run(
            header, lambda table: self._open(project, path, table), self.page.failed.emit
        )

    def _open(self, project: Project, path: Path, header: tuple[str, ...]) -> None:
        if project is self.page.project:
            mapping = str(load_column_mapping(project, "judgments", header)) if header else ""
            JudgmentsDialog(self._parent, project, path, mapping, self).open()

    def import_table(self, path: Path, options: ReadingOptions) -> None:
        self.page.request_job(
            self.tr("Importing"),
            lambda project, progress: import_judgments(project, path, options, progress),
            self.taken.emit,
        )


class JudgmentsDialog(Dialog):
    """Dialog that previews a table of judgments, asks for its columns, and imports it.

    The user can change the meaning of the columns, and other options; the table is then read again.
    The table can be imported only if it can be read. The project stores the meaning of the columns,
    which is suggested for the next table with the same header.
    """

    def __init__(
        self,
        parent: QWidget,
        project: Project,
        path: Path,
        mapping: str,
        importer: JudgmentsImporter,
    ) -> None:
        super().__init__(parent, JUDGMENTS_SIZE)
        self._path, self._importer = path, importer
        self._scale_arguments = make_scale_vocabulary(project.scale)
        self._read_job = LatestJob()
        self._had_focus = True  # whether the import button had the focus before it was disabled
        self._counts, self._first = make_label(), make_label("", "quiet")
        self._warnings_label, self.problem = make_label("", "warning"), make_label("", "error")
        title = BY_ID["import-judgments"].label
        self.deciding = ImportOptionsPanel("judgments", title)
        self.deciding.fill_in("columns", mapping)
        self.deciding.decided.connect(self._read_table)
        help = self.tr(
            "A table needs columns for the item in the task file (or for topic and document), "
            "the assessor, and the grade (a number or a label of the scale). Your choice of "
            "columns is remembered for the next file with the same header."
        )
        self.fill(
            title,
            [
                make_growing(
                    make_scroll_area(
                        make_container(
                            column(
                                make_label(help, "quiet"),
                                self._counts,
                                self._first,
                                self._warnings_label,
                                self.problem,
                                self.deciding,
                                None,
                            )
                        )
                    )
                )
            ],
            [(self.tr("Cancel"), None), (self.tr("Import"), self._import)],
        )
        # Enter presses this button even if the button has lost the focus while it was disabled
        self.buttons[-1].setDefault(True)
        self.finished.connect(self._read_job.stop)
        self._read_table()

    @property
    def can_import(self) -> bool:
        return self.buttons[-1].isEnabled()

    def _read_table(self) -> None:
        self._read_job.stop()
        options = self.deciding.options_or_problem()
        if isinstance(options, str):
            self._show(problem=translate_message(options))
            return
        self._had_focus = self._had_focus or self.buttons[-1].hasFocus()
        self.buttons[-1].setEnabled(False)
        self._counts.setText(self.tr("Reading …"))
        self._read_job.run(
            lambda _progress: preview_files(
                "judgments", (self._path,), replace(options, **self._scale_arguments)
            ),
            self._on_preview,
            self._on_error,
        )

    def _on_preview(self, preview: FilePreview) -> None:
        if not preview.rejected:
            self._show(preview)
            return
        error = preview.rejected[0].error
        self._show(problem=self.deciding.translate_labels(translate_message(str(error))))
        if isinstance(error, Undecided):
            self.deciding.focus(error.options)

    def _on_error(self, error: Exception, trace: str) -> None:
        self._show(problem=translate_message(str(error)))
        if trace:
            self._importer.page.failed.emit(error, trace)

    def _show(self, preview: FilePreview | None = None, problem: str = "") -> None:
        show_text(
            self._counts, "\n".join(map(translate_message, preview.summaries)) if preview else ""
        )
        show_text(self._first, "\n".join(preview.first_records) if preview else "")
        show_text(
            self._warnings_label,
            "\n".join("⚠ " + translate_message(warning) for warning in preview.warnings)
            if preview
            else "",
        )
        show_text(self.problem, "✕ " + problem if problem else "")
        self.buttons[-1].setEnabled(not problem)
        if self._had_focus and not problem:
            self._had_focus = False
            self.buttons[-1].setFocus()

    def _import(self) -> None:
        options = self.deciding.options_or_problem()
        if not isinstance(options, str):
            self._importer.import_table(self._path, options)


# Import of topics, documents, runs, qrels and auxiliary files, with options for ambiguous files

QUESTION_SIZE = (560, 320)


class FileImporter(QObject):
    """Importer of topics, documents, runs, qrels and other files in the background.

    If a file is ambiguous, a dialog asks for import options, and the import is repeated. After an
    import, `added` is emitted with its report and the names of the runs that the project had
    before.
    """

    added = Signal(object, object)

    def __init__(self, page: View, parent: QWidget) -> None:
        super().__init__(parent)
        self._page, self._parent = page, parent

    def asks(self, kind: str) -> Callable[[], None]:
        """Return a function that asks for files of a kind, such as `runs`, and imports them."""

        def ask() -> None:
            label = BY_ID[f"add-{kind}"].label
            paths = (
                ask_files(self._parent, label)
                if kind != "qrels"
                else tuple(filter(None, [ask_file(self._parent, label)]))
            )
            if paths:
                self.add(to_sources(kind, paths))

        return ask

    def add(self, sources: Sources) -> None:
        if (project := self._page.project) is None:
            return
        old_runs = {run.name for run in project.rankings.runs()}

        def run_import(progress: Progress) -> ImportReport | Undecided:
            try:
                with project.second_connection() as job_project:
                    return import_sources(job_project, sources, progress)
            except Undecided as error:
                return error

        def on_done(result: ImportReport | Undecided) -> None:
            if isinstance(result, Undecided):
                AmbiguousFileDialog(self._parent, sources, result, self.add).open()
            else:
                self.added.emit(result, old_runs)

        self._page.job_requested.emit(self.tr("Importing"), run_import, on_done)


def to_sources(kind: str, paths: tuple[Path, ...]) -> Sources:
    """Return the argument of an import for files of one kind."""
    paths_by_kind: dict[str, Any] = {kind: paths}
    return Sources(**paths_by_kind)


class AmbiguousFileDialog(Dialog):
    """Dialog that shows why a file is ambiguous, and asks for the import options of its kind.

    At first the dialog shows the options that were chosen before. On acceptance, which requires
    valid options, `retry` is called with the same files and the new options for all files of the
    kind.
    """

    def __init__(
        self, parent: QWidget, sources: Sources, error: Undecided, retry: Callable[[Sources], None]
    ) -> None:
        super().__init__(parent, QUESTION_SIZE)
        self._sources, self._retry = sources, retry
        kinds: list[FileKind] = [kind for kind in get_args(FileKind) if getattr(sources, kind, ())]
        # an error about a file inside an archive contains a path that is not in `sources`
        self._kind = next(
            (kind for kind in kinds if error.path in getattr(sources, kind)), kinds[0]
        )
        title = BY_ID[f"add-{self._kind}"].label
        self.deciding, self.problem = ImportOptionsPanel(self._kind, title), make_label("", "error")
        self.deciding.show_options(sources.get_options(self._kind))
        self.problem.setText("✕ " + self.deciding.translate_labels(translate_message(str(error))))
        self.fill(
            title,
            [self.problem, self.deciding],
            [(self.tr("Cancel"), None), (self.tr("Import"), self._import)],
        )
        self.buttons[-1].setDefault(True)
        self.deciding.decided.connect(self.can_accept)
        self.deciding.focus(error.options)

    def can_accept(self) -> bool:
        options = self.deciding.options_or_problem()
        if isinstance(options, str):
            self.problem.setText("✕ " + translate_message(options))
            return False
        return True

    def _import(self) -> None:
        options = self.deciding.options_or_problem()
        if not isinstance(options, str):
            self._retry(
                replace(
                    self._sources,
                    options_by_kind={**self._sources.options_by_kind, self._kind: options},
                )
            )
