"""New project page: selection and preview of files, and request to create the project."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard, cast

from PySide6.QtCore import QMimeData, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QVBoxLayout, QWidget

from irjudge.errors import IrjudgeError, Undecided
from irjudge.exchange import (
    ClassFolder,
    DroppedFiles,
    assignments_folder,
    classify_dropped_files,
    describe_missing_documents,
    describe_retrieved_textless,
)
from irjudge.formats import (
    DEFAULT_READING,
    FileKind,
    FilePreview,
    PreviewKind,
    find_missing_documents,
    preview_files,
)
from irjudge.formats.bytes import path_exists
from irjudge.formats.rankings import expand_run_folders, find_off_scale
from irjudge.model import MAX_SCALE_GRADE, Scale, read_scale
from irjudge.store import OWNER_KEY, PROJECT_SUFFIX, Project, Sources
from irjudge_ui.file_dialogs import accept_as_copy, ask_file, ask_files, ask_folder, ask_save_path
from irjudge_ui.jobs import LatestJob
from irjudge_ui.messages import filled, join_sentences, shorten, translate_message
from irjudge_ui.pages.project.file_import import OPTION_FIELDS, ImportOptionsPanel
from irjudge_ui.pages.project.pool_form import DEFAULT_DEPTH
from irjudge_ui.pages.shared import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_XL,
    ChoiceBox,
    Flow,
    MaxWidthBox,
    PageScrollArea,
    Part,
    SideBySide,
    card,
    clear,
    column,
    make_button,
    make_container,
    make_label,
    named,
    row,
    scroll_page_to,
    set_style,
    show_text,
)

# Part of the page for one kind of file: selection and preview

MIN_SIDE_WIDTH = 420
MAX_LISTED_FILES = 12  # maximum number of files with their own remove button
SINGLE_FILE_KINDS = ("instructions",)  # kinds that consist of one file
# kinds for which a folder can be chosen
FOLDER_KINDS = ("documents", "runs")


class FileRow(QWidget):
    """Row of the new project page for the files of one kind: selection, preview and errors.

    `chosen` are the selected files, `rejected` those selected files that cannot be read with
    the import options. `paths` are the files to import; they are empty if any file is rejected.
    `is_ready` is whether there are selected files and all have been read without an error.
    `decisions` are the last valid import options. `changed` is emitted when the selection or
    the options have changed, and when files have been read or rejected.
    """

    changed = Signal()
    failed = Signal(object, str)  # an internal error and its traceback

    def __init__(
        self, kind: PreviewKind, title: str, description: str, *, framed: bool = True
    ) -> None:
        super().__init__()
        self.kind, self.title, self.is_ready = kind, title, False
        self.paths = self.chosen = self.rejected = tuple[Path, ...]()
        self.decisions = DEFAULT_READING
        self.grades: tuple[int, ...] = ()  # grades that occur in the qrels
        self._read_job = LatestJob()
        # whether to scroll to the preview once the files have been read
        self._scrolls_when_read = False
        self._counts, self._first_records = make_label(), make_label("", "quiet")
        # warning that the files do not match files of another kind
        self.note = make_label("", "warning", hidden=True)
        self._warnings_label, self.problem = make_label("", "warning"), make_label("", "error")
        self.skip_button = self._make_button(
            self.tr("Skip unreadable files"), "link", lambda: self._remove_files(self.rejected)
        )
        self.options_button = self._make_button(self.tr("Import options"), "link")
        self.options_button.setCheckable(True)
        self._options_opened = False  # whether the page, not the user, opened the options
        self._names = Flow(())
        self.deciding = ImportOptionsPanel(kind, title) if has_import_options(kind) else None
        parts_below: list[Part] = [
            self._names,
            self._counts,
            self._first_records,
            self._warnings_label,
            self.note,
            self.problem,
            Flow([self.options_button, self.skip_button]),
        ]
        if self.deciding:
            self.deciding.decided.connect(self._decide)
            self.options_button.toggled.connect(self.deciding.setVisible)
            parts_below.append(self.deciding)
        texts = column(
            make_label(title, "heading", wrap=False), make_label(description, "small"), spacing=2
        )
        buttons = row(*self._make_file_buttons(), None, spacing=SPACE_M)
        parts = (SideBySide(texts, buttons, MIN_SIDE_WIDTH), *parts_below)
        self.setLayout(column(card(*parts)) if framed else column(*parts))
        for widget in (self.options_button, self.skip_button, self.deciding):
            if widget:
                widget.hide()
        self.setAcceptDrops(True)
        self._show(None)

    def _make_file_buttons(self) -> list[QWidget]:
        self.first = self._make_button(
            self.tr("Choose a file") if self.kind in SINGLE_FILE_KINDS else self.tr("Choose files"),
            clicked=self._ask_files,
        )
        if self.kind not in FOLDER_KINDS:
            return [self.first]
        return [self.first, self._make_button(self.tr("Choose folder"), "link", self._ask_folder)]

    def _make_button(
        self, label: str, style: str = "", clicked: Callable[[], object] | None = None
    ) -> QPushButton:
        return make_button(label, style, name=f"{label}: {self.title}", clicked=clicked)

    def choose(self, paths: Sequence[Path]) -> None:
        """Select files instead of the current ones, and read them in the background.

        Without files, the preview and the import options are cleared.
        """
        self.chosen = tuple(dict.fromkeys(paths))
        self.options_button.setVisible(self.deciding is not None and bool(self.chosen))
        if not self.chosen:
            self.options_button.setChecked(False)
            # the options for the previous files do not apply to the next ones
            self.decisions = DEFAULT_READING
            if self.deciding:
                self.deciding.clear()
        self._show_names()
        self._read_files()

    def add(self, paths: Sequence[Path]) -> None:
        """Add files to the selected ones; remove selected files that cannot be read.

        A folder of runs is replaced by its files. If only one file of this kind is possible, the
        new file replaces the selected one.
        """
        if self.kind == "runs":
            paths = expand_run_folders(paths)
        selected = (
            ()
            if self.kind in SINGLE_FILE_KINDS
            else tuple(path for path in self.chosen if path not in self.rejected)
        )
        self._scrolls_when_read = True
        self.choose((*selected, *paths))

    def _scroll_into_view(self) -> None:
        if self._scrolls_when_read:
            self._scrolls_when_read = False
            QTimer.singleShot(0, self, lambda: scroll_page_to(self))  # once it is laid out

    def _show_names(self) -> None:
        clear(self._names)
        labelled_paths: list[tuple[str, tuple[Path, ...]]] = [
            (path.name, (path,)) for path in self.chosen[:MAX_LISTED_FILES]
        ]
        remaining = self.chosen[MAX_LISTED_FILES:]
        if remaining:
            more_label = filled(self.tr("{count} more"), count=f"{len(remaining):,}")
            labelled_paths.append((more_label, remaining))
        for label, paths in labelled_paths:
            self._names.addWidget(
                make_button(
                    f"{shorten(label)}  ✕",
                    "taken",
                    tooltip=filled(self.tr("Remove {text}"), text=label),
                    name=filled(self.tr("Remove {text}: {title}"), text=label, title=self.title),
                    clicked=lambda _checked=False, paths=paths: self._remove_files(paths),
                )
            )

    def _remove_files(self, paths: Sequence[Path]) -> None:
        self.choose([path for path in self.chosen if path not in paths])
        self.first.setFocus()

    def _decide(self) -> None:
        reading_options = self.deciding.options_or_problem() if self.deciding else DEFAULT_READING
        if isinstance(reading_options, str):
            self._read_job.stop()
            self._refuse([translate_message(reading_options)], self.chosen)
            return
        self.decisions = reading_options
        self._read_files()

    def _read_files(self) -> None:
        self.paths, self.rejected, self.is_ready = self.chosen, (), False
        self._read_job.stop()
        self._show(None)
        if self.chosen:
            show_text(self._counts, self.tr("Reading …"))
            kind, chosen, decisions = self.kind, self.chosen, self.decisions
            self._read_job.run(
                lambda _progress: preview_files(kind, chosen, decisions),
                self._show_preview,
                self._on_error,
            )
        self.changed.emit()

    def _show_preview(self, preview: FilePreview) -> None:
        self._show(preview)
        if preview.rejected:
            errors = [rejected.error for rejected in preview.rejected]
            self._refuse(
                [self._describe(error) for error in errors],
                [rejected.path for rejected in preview.rejected],
            )
            ambiguity = next((error for error in errors if isinstance(error, Undecided)), None)
            if ambiguity and self.deciding:
                self._options_opened = self._options_opened or not self.options_button.isChecked()
                self.options_button.setChecked(True)
                self.deciding.focus(ambiguity.options)
        else:
            self.is_ready = True
            self._scroll_into_view()
            if self._options_opened:  # the import options have resolved the ambiguity
                self._options_opened = False
                self.options_button.setChecked(False)
            self.changed.emit()

    def _describe(self, error: Exception) -> str:
        message = translate_message(str(error))
        return self.deciding.translate_labels(message) if self.deciding else message

    def _on_error(self, error: Exception, trace: str) -> None:
        self._show(None)
        self._refuse([translate_message(str(error))], self.chosen)
        if trace:
            self.failed.emit(error, trace)

    def _refuse(self, problems: Sequence[str], rejected: Sequence[Path]) -> None:
        """Show why files cannot be read; they stay selected, since other options may help."""
        self.paths, self.rejected, self.is_ready = (), tuple(rejected), False
        show_text(self.problem, "\n".join("✕ " + problem for problem in problems))
        self.skip_button.setVisible(bool(self.rejected))
        self._scroll_into_view()
        self.changed.emit()

    def _show(self, preview: FilePreview | None) -> None:
        self.grades = preview.grades if preview else ()
        show_text(
            self._counts, "\n".join(map(translate_message, preview.summaries)) if preview else ""
        )
        show_text(self._first_records, "\n".join(preview.first_records) if preview else "")
        show_text(
            self._warnings_label,
            "\n".join("⚠ " + translate_message(warning) for warning in preview.warnings)
            if preview
            else "",
        )
        self.problem.hide()
        self.skip_button.hide()

    def _ask_files(self) -> None:
        if self.kind in SINGLE_FILE_KINDS:
            path = ask_file(self, f"{self.title}: " + self.tr("Choose a file"))
            paths: tuple[Path, ...] = (path,) if path else ()
        else:
            paths = ask_files(self, f"{self.title}: " + self.tr("Choose files"))
        if paths:
            self.add(paths)

    def _ask_folder(self) -> None:
        if folder := ask_folder(self, f"{self.title}: " + self.tr("Choose a folder")):
            self.add([folder])

    # Dropped files

    def _dropped_files(self, data: QMimeData) -> list[Path]:
        """Return the dropped files; empty if this widget cannot accept all of them."""
        paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        is_acceptable = len(paths) == len(data.urls()) and (
            self.kind not in SINGLE_FILE_KINDS or len(paths) == 1
        )
        return (
            paths
            if is_acceptable
            and (self.kind in FOLDER_KINDS or not any(path.is_dir() for path in paths))
            else []
        )

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        accept_as_copy(event) if self._dropped_files(event.mimeData()) else event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        accept_as_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if accept_as_copy(event):
            self.add(self._dropped_files(event.mimeData()))


def has_import_options(kind: PreviewKind) -> TypeGuard[FileKind]:
    """Return whether files of a kind can be ambiguous, so that they have import options."""
    return kind in OPTION_FIELDS


# The page for a new project

# kinds of files of which a new project requires at least one
SUFFICIENT_KINDS: tuple[PreviewKind, ...] = ("documents", "topics", "runs", "qrels")
SCALES = ("0-3", "binary", "0-2", "0-4")


class ScaleChoice(QWidget):
    """Field of the new project page for a scale: selected, typed (such as 0-7) or from a file.

    The file is JSON. `scale` is None if the text is not a scale. `problem` returns why there is
    no scale, or why the last file could not be read; otherwise it is empty. `changed` is
    emitted after each change of the text, and when a file has been read or could not be read.
    """

    changed = Signal()
    failed = Signal(object, str)  # an internal error and its traceback

    def __init__(self) -> None:
        super().__init__()
        self._read_job = LatestJob()
        self._error = ""  # why the last chosen file contains no scale
        self.box = ChoiceBox(name=self.tr("Scale"))
        self.box.setEditable(True)
        self.box.setInsertPolicy(ChoiceBox.InsertPolicy.NoInsert)
        self.box.add_choices(
            (self.tr("binary") if name == "binary" else name, Scale.parse(name)) for name in SCALES
        )
        self.box.editTextChanged.connect(self._on_typed)
        self.file = make_button(self.tr("Load a scale…"), clicked=self._ask_file)
        self.setLayout(row(self.box, self.file, spacing=SPACE_M))

    @property
    def scale(self) -> Scale | None:
        entered_name = self.box.currentText().strip()
        index = self.box.findText(entered_name)
        if index >= 0:
            return cast(Scale, self.box.itemData(index))
        try:
            # a typed path is rejected: `Scale.parse` would read the file on the GUI thread
            return None if path_exists(Path(entered_name)) else Scale.parse(entered_name)
        except IrjudgeError:
            return None

    def problem(self) -> str:
        if self._error or self.scale:
            return self._error
        return filled(
            self.tr("The scale must be “binary”, one of “0-1” to “0-{highest}”, or a file."),
            highest=str(MAX_SCALE_GRADE),
        )

    def choose(self, path: Path) -> None:
        self._read_job.run(
            lambda _progress: read_scale(path),
            lambda scale: self.add_scale(path.name, scale),
            self._on_error,
        )

    def add_scale(self, name: str, scale: Scale) -> None:
        self._error = ""
        index = self.box.findText(name)
        if index >= 0:
            self.box.removeItem(index)
        self.box.addItem(name, scale)
        self.box.setCurrentIndex(self.box.count() - 1)
        self.changed.emit()

    def _on_error(self, error: Exception, trace: str) -> None:
        self._error = translate_message(str(error))
        self.changed.emit()
        if trace:
            self.failed.emit(error, trace)

    def _on_typed(self) -> None:
        self._error = ""
        self.changed.emit()

    def _ask_file(self) -> None:
        if path := ask_file(self, self.tr("Choose a scale"), "JSON (*.json)"):
            self.choose(path)


PAGE_WIDTH = 760
# rarely used kinds of files
ADVANCED_KINDS: tuple[PreviewKind, ...] = ("instructions", "calibration", "sides")


@dataclass(frozen=True, slots=True)
class ProjectRequest:
    """Request to create a project: path, files to import, scale, owner and other options.

    A page emits the request, and the window creates and opens the project. `sources` also contains
    the import options. `class_folder` is None unless the user has dropped the folder of a class
    with a pool, and the topics of this class are still selected.
    """

    path: Path
    sources: Sources
    scale: Scale
    owner: str = OWNER_KEY
    off_scale: bool = False  # whether qrels may contain grades that are not on the scale
    # files that a teacher prepared for a class of students; None for other projects
    class_folder: ClassFolder | None = None


class NewProjectView(View):
    """New project page: asks for the files of a project, previews them, and requests creation.

    The page does not create the project itself: `new_project` is emitted with a `ProjectRequest`.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._classify_job, self._match_job = self.latest(), LatestJob()
        # files and options of the last call of `_match_documents`
        self._matched_files: object = None
        self.rows = self._file_rows()
        self.file = named(QLineEdit(placeholderText=self.tr("Save as")), self.tr("Project file"))
        self.scale = ScaleChoice()
        self._dropped_class: ClassFolder | None = None
        self.owner = named(
            QLineEdit(placeholderText=self.tr("name (optional)")), self.tr("Name of the assessor")
        )
        self.only_pooled = QCheckBox(self.tr("Read only the needed documents"))
        self.missing = make_label("", "quiet", name=self.tr("Missing"))
        self.path_problem, self.scale_problem = (make_label("", "error") for _ in range(2))
        self.create_button = make_button(self.tr("Create project"), "primary", clicked=self._ask)
        self.forms = make_button(
            self.tr("Supported formats"), "link", clicked=lambda: self.opens.emit("guides", "files")
        )
        self._lay_out()
        self.file.textChanged.connect(self._check)
        self.only_pooled.toggled.connect(self._check)
        fields: list[FileRow | ScaleChoice] = [self.scale, *self.rows.values()]
        for field in fields:
            field.changed.connect(self._check)
            field.failed.connect(self.failed)
        for kind in ("documents", "runs"):
            self.rows[kind].changed.connect(self._match_documents)
        self._check()

    def _file_rows(self) -> dict[PreviewKind, FileRow]:
        texts: dict[PreviewKind, tuple[str, str]] = {
            "documents": (
                self.tr("Documents"),
                self.tr(
                    "JSON, CSV, TREC, WARC, SMART, BEIR and others; or PDF, DOCX, ODT, HTML, "
                    "Markdown, text and images: files, a folder, or an archive"
                ),
            ),
            "topics": (
                self.tr("Topics"),
                self.tr(
                    "TREC, NTCIR, SMART, XML, BEIR, CSV, JSON, conversation turns and other formats"
                ),
            ),
            "runs": (
                self.tr("Runs"),
                self.tr(
                    "Documents that systems retrieved: TREC, MS MARCO, search engine "
                    "responses, spreadsheets, CSV or JSON"
                ),
            ),
            "qrels": (
                self.tr("Qrels"),
                self.tr(
                    "Existing judgments: TREC, Quepid, OpenSearch, RRE, rank_eval, learning to "
                    "rank, spreadsheets (optional)"
                ),
            ),
            "instructions": (
                self.tr("Instructions"),
                self.tr("Instructions for assessors, in Markdown"),
            ),
            "calibration": (
                self.tr("Calibration"),
                self.tr(
                    "Qrels whose documents are shown, with their known grades, at the "
                    "start of a topic"
                ),
            ),
            "sides": (
                self.tr("Auxiliary files"),
                self.tr(
                    "Data that some measures need: document lengths, sessions, groups, "
                    "nuggets, citations"
                ),
            ),
        }
        return {
            kind: FileRow(kind, title, description, framed=kind not in ADVANCED_KINDS)
            for kind, (title, description) in texts.items()
        }

    def _match_documents(self) -> None:
        """Compare runs with the files of documents in the background; show missing documents."""
        documents, runs = self.rows["documents"], self.rows["runs"]
        files = (
            (documents.paths, runs.paths, documents.decisions, runs.decisions)
            if documents.is_ready and runs.is_ready
            else None
        )
        if files is not None and files == self._matched_files:
            return
        self._matched_files = files
        self._match_job.stop()
        runs.note.hide()
        if files is None:
            return
        document_files, run_files, reading_documents, reading_runs = files
        self._match_job.run(
            lambda _progress: find_missing_documents(
                document_files,
                run_files,
                reading_documents=reading_documents,
                reading_runs=reading_runs,
            ),
            self._show_missing_documents,
            # an unreadable file is reported when the project is created
            lambda error, trace: self.failed.emit(error, trace) if trace else None,
        )

    def _show_missing_documents(self, missing: dict[str, int]) -> None:
        """Warn about documents that are in the runs but not in the files of documents.

        If some are within the default pool depth, the text is a warning about these. Otherwise it
        is a note, since the documents may have been left out on purpose.
        """
        note = self.rows["runs"].note
        needed_documents = [document for document, rank in missing.items() if rank <= DEFAULT_DEPTH]
        if needed_documents:
            note.setText(
                "⚠ "
                + translate_message(describe_missing_documents(needed_documents, DEFAULT_DEPTH))
            )
        elif missing:
            note.setText(translate_message(describe_retrieved_textless(list(missing))))
        set_style(note, "warning" if needed_documents else "quiet")
        note.setVisible(bool(missing))
        if missing:
            QTimer.singleShot(0, note, lambda: scroll_page_to(note))

    def _lay_out(self) -> None:
        folder_card = card(
            make_label(self.tr("Project"), "heading"),
            row(
                make_label(self.tr("File"), "quiet", wrap=False),
                self.file,
                make_button(self.tr("Browse…"), clicked=self._ask_path),
                spacing=SPACE_M,
            ),
            self.path_problem,
            row(
                make_label(self.tr("Grades"), "quiet", wrap=False),
                self.scale,
                None,
                spacing=SPACE_M,
            ),
            self.scale_problem,
        )
        parts = column(
            Flow([make_label(self.tr("New project"), "title", wrap=False), self.forms]),
            *(row for kind, row in self.rows.items() if kind not in ADVANCED_KINDS),
            folder_card,
            self._make_rare_files_card(),
            None,
            spacing=SPACE_M,
            margins=(0, SPACE_XL, SPACE_L, SPACE_L),
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(PageScrollArea(MaxWidthBox(PAGE_WIDTH, parts)), 1)
        # below the scroll area, so that it is always visible
        box.addWidget(
            MaxWidthBox(PAGE_WIDTH, row(self.create_button, self.missing, stretched=self.missing))
        )

    def _make_rare_files_card(self) -> QWidget:
        self.more = make_button(self.tr("More"), "link", checkable=True)
        hint = make_label(
            self.tr(
                "Instructions, calibration, auxiliary files, assessors, which documents to import"
            ),
            "small",
        )
        content = make_container(
            column(
                *(self.rows[kind] for kind in ADVANCED_KINDS),
                row(
                    make_label(self.tr("Assessor"), "quiet", wrap=False),
                    self.owner,
                    spacing=SPACE_M,
                ),
                column(
                    self.only_pooled,
                    make_label(
                        self.tr(
                            "Reads only documents that a run retrieved or that are in the qrels. "
                            "No other documents are added to the project."
                        ),
                        "small",
                    ),
                ),
                spacing=SPACE_L,
            )
        )
        content.hide()
        self.more.toggled.connect(content.setVisible)
        self.more.toggled.connect(hint.setHidden)
        return card(row(self.more, None), hint, content)

    def _ask_path(self) -> None:
        path, _ = ask_save_path(
            self,
            self.tr("Save project as"),
            self._propose_path(),
            f"irjudge (*{PROJECT_SUFFIX})",
        )
        if path:
            self.file.setText(f"{path}{'' if path.suffix == PROJECT_SUFFIX else PROJECT_SUFFIX}")

    def _propose_path(self) -> Path:
        """Return a default path of the project file.

        The path is next to the documents or other input files, and named after their folder.
        """
        chosen_paths = next(
            (self.rows[kind].paths for kind in SUFFICIENT_KINDS if self.rows[kind].paths), ()
        )
        if not chosen_paths:
            return Path()
        folder = chosen_paths[0] if chosen_paths[0].is_dir() else chosen_paths[0].parent
        return chosen_paths[0].parent / (folder.name + PROJECT_SUFFIX)

    def set_request(self, dropped: object) -> None:
        """Add files dropped on the window; the kind of each file is detected in the background."""
        paths = (
            [item for item in dropped if isinstance(item, Path)]
            if isinstance(dropped, Sequence)
            else []
        )
        self._classify_job.run(
            lambda progress: classify_dropped_files(paths, progress),
            self._add_dropped,
            self.failed.emit,
        )

    def _add_dropped(self, dropped: DroppedFiles) -> None:
        for kind, paths in dropped.kinds.items():
            self.rows[kind].choose((*self.rows[kind].chosen, *paths))
        if dropped.class_folder and dropped.class_folder.pool:
            self._dropped_class = dropped.class_folder
            if dropped.class_folder.scale:
                self.scale.add_scale(
                    self.tr("scale from the class folder"), dropped.class_folder.scale
                )
        self._check()

    def _class_folder(self) -> ClassFolder | None:
        class_folder = self._dropped_class
        return (
            class_folder
            if class_folder and {*class_folder.topics} <= {*self.rows["topics"].chosen}
            else None
        )

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        if project is not None and self.file.text().strip() and project.path == self._path():
            self.reset()

    def reset(self) -> None:
        for file_row in self.rows.values():
            file_row.choose(())
        self.file.clear()
        self.owner.clear()
        self.only_pooled.setChecked(False)
        self.scale.box.setCurrentIndex(0)
        self._dropped_class = None
        self.more.setChecked(False)

    def focus(self) -> None:
        self.rows["documents"].first.setFocus()

    def describe_problem(self) -> str:
        return (
            self._describe_file_problem()
            or self._describe_scale_problem()
            or self._describe_path_problem()
        )

    def _describe_scale_problem(self) -> str:
        scale = self.scale.scale
        off_scale = find_off_scale(self.rows["qrels"].grades, scale.values) if scale else None
        if off_scale is None:
            return self.scale.problem()
        return join_sentences(
            filled(
                self.tr("The qrels contain grades that are not on this scale: {map}."),
                map=", ".join(map(str, off_scale.grades)),
            ),
            filled(self.tr("Choose the scale {wider}."), wider=off_scale.wider_scale)
            if off_scale.wider_scale
            else "",
            filled(
                self.tr("You can convert the grades under “Remap grades”: {steps}."),
                steps=off_scale.steps,
            )
            if off_scale.steps
            else self.tr("You can map each grade under “Remap grades”."),
        )

    def _describe_file_problem(self) -> str:
        rejected = [path.name for row in self.rows.values() for path in row.rejected]
        if rejected:
            return filled(
                self.tr(
                    "These files cannot be read; change the import options or skip them: {files}."
                ),
                files=", ".join(rejected),
            )
        if not any(self.rows[kind].chosen for kind in SUFFICIENT_KINDS):
            return self.tr(
                "Choose files: topics and documents to judge, or qrels and runs to evaluate."
            )
        if any(row.chosen and not row.is_ready for row in self.rows.values()):
            return self.tr("Reading the files.")
        if self.only_pooled.isChecked() and not (
            self.rows["runs"].chosen or self.rows["qrels"].chosen
        ):
            return self.tr("Choose runs or qrels: only documents that appear in them are read.")
        return ""

    def _describe_path_problem(self) -> str:
        if not self.file.text().strip():
            return self.tr("Choose where to save the project.")
        return (
            self.tr("This file already exists; choose another name.")
            if path_exists(self._path())
            else ""
        )

    def _path(self) -> Path:
        name = self.file.text().strip()
        return Path(name if name.endswith(PROJECT_SUFFIX) else name + PROJECT_SUFFIX)

    def _check(self) -> None:
        problem, has_path = self.describe_problem(), bool(self.file.text().strip())
        for text, label in (
            (self.path_problem, self._describe_path_problem() if has_path else ""),
            (self.scale_problem, self._describe_scale_problem()),
        ):
            show_text(text, f"✕ {label}" if label else "")
        self.create_button.setEnabled(not problem or self._lacks_only_path())
        self.missing.setText(problem or self._describe_missing())

    def _lacks_only_path(self) -> bool:
        return not (
            self._describe_file_problem()
            or self._describe_scale_problem()
            or self.file.text().strip()
        )

    def _describe_missing(self) -> str:
        """Return a sentence about what is not possible without the missing files."""
        if not self.rows["documents"].chosen:
            return self.tr(
                "Judging needs documents. They can be added later on the Collection page."
            )
        if not self.rows["topics"].chosen:
            return self.tr("Judging needs topics. They can be added later on the Collection page.")
        if (class_folder := self._class_folder()) is None:
            return ""
        pool_text = filled(
            self.tr("A pool is also created (documents: {documents})."),
            documents=f"{class_folder.pool_size:,}",
        )
        if not class_folder.accounts:
            return pool_text
        return join_sentences(
            pool_text,
            filled(
                self.tr(
                    "One file per assessor is written into {folder} next to the project. "
                    "Assessors: {accounts}."
                ),
                accounts=f"{len(class_folder.accounts):,}",
                folder=assignments_folder(self._path()).name
                if self.file.text().strip()
                else self.tr("a folder"),
            ),
        )

    def _ask(self) -> None:
        if self._lacks_only_path():
            self._ask_path()
        if not self.describe_problem() and (scale := self.scale.scale) is not None:
            files = {kind: row.paths for kind, row in self.rows.items()}
            sources = Sources(
                files["documents"],
                files["topics"],
                files["runs"],
                files["qrels"],
                instructions=next(iter(files["instructions"]), None),
                calibration=files["calibration"],
                sides=files["sides"],
                options_by_kind={
                    kind: row.decisions
                    for kind, row in self.rows.items()
                    if has_import_options(kind)
                },
                only_pooled=self.only_pooled.isChecked(),
            )
            self.new_project.emit(
                ProjectRequest(
                    self._path(),
                    sources,
                    scale,
                    self.owner.text().strip() or OWNER_KEY,
                    class_folder=self._class_folder(),
                )
            )
