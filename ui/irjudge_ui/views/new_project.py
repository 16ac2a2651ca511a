"""The page that makes a project: choose files, see what was read in them, create."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QVBoxLayout, QWidget

from irjudge.errors import Undecided
from irjudge.formats.decisions import UNDECIDED, FileKind
from irjudge.formats.preview import Preview, preview
from irjudge.model.scale import Scale
from irjudge.store.importing import Sources
from irjudge.store.project import SUFFIX
from irjudge_ui import jobs
from irjudge_ui.engine_words import in_language
from irjudge_ui.settings import Settings
from irjudge_ui.views.decide import DecidePanel
from irjudge_ui.views.view import View
from irjudge_ui.widgets.layout import Beside, Bounded, button, card, column, row, scrolling, text
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_XL

PAGE_WIDTH, BESIDE = 760, 420
SCALES = ("0-3", "binary", "0-2", "0-4")


@dataclass(frozen=True, slots=True)
class Wish:
    """The project somebody asks for."""

    path: Path
    sources: Sources
    scale: Scale


class FileRow(QWidget):
    """One kind of file: choose, see what was recognised, the first records, and what is odd."""

    changed = Signal()
    failed = Signal(object, str)  # a fault of ours, and its traceback

    def __init__(self, kind: FileKind, title: str, about: str) -> None:
        super().__init__()
        self.kind, self.paths, self.ready = kind, tuple[Path, ...](), False
        self.chosen, self.decisions = tuple[Path, ...](), UNDECIDED
        self._wanted = 0
        self._found, self._first, self._odd = text(), text("", "quiet"), text("", "warning")
        self._problem = text("", "error")
        choose = button(self.tr("Choose files"))
        choose.setAccessibleName(self.tr("Choose files: %1").replace("%1", title))
        choose.clicked.connect(self._ask_files)
        self.first = choose
        self.deciding = DecidePanel(kind, title)
        self.deciding.decided.connect(self._decide)
        self.deciding.hide()
        self.how = button(self.tr("How to read them"), "link")
        self.how.setAccessibleName(self.tr("How to read them: %1").replace("%1", title))
        self.how.setCheckable(True)
        self.how.toggled.connect(self.deciding.setVisible)
        self.how.hide()
        buttons: list[QWidget] = [choose]
        if kind == "documents":
            folder = button(self.tr("Choose folder"))
            folder.setAccessibleName(self.tr("Choose folder: %1").replace("%1", title))
            folder.clicked.connect(self._ask_folder)
            buttons.append(folder)
        self.setLayout(card_layout(title, about, buttons, [self._found, self._first, self._odd, self._problem, self.how, self.deciding]))
        self._show(None)

    def choose(self, paths: Sequence[Path]) -> None:
        """Take files and read them beside the window."""
        self.chosen = tuple(paths)
        self.how.setVisible(True)
        self._read()

    def _decide(self) -> None:
        """Read the files as was decided."""
        said = self.deciding.said()
        if isinstance(said, str):
            self._wanted += 1
            self._refuse(in_language(said))
            return
        self.decisions = said
        if self.chosen:
            self._read()

    def _read(self) -> None:
        self.paths, self.ready = self.chosen, False
        self._wanted += 1
        wanted = self._wanted
        self._show(None)
        self._found.setText(self.tr("Reading …"))
        self._found.setVisible(True)
        kind, chosen, decisions = self.kind, self.paths, self.decisions
        jobs.run(
            lambda _progress: preview(kind, chosen, decisions),
            lambda seen: self._on_seen(wanted, seen),
            lambda fault, trace: self._on_fault(wanted, fault, trace),
        )
        self.changed.emit()

    def _on_seen(self, wanted: int, seen: Preview) -> None:
        if wanted == self._wanted:
            self.ready = True
            self._show(seen)
            self.changed.emit()

    def _on_fault(self, wanted: int, fault: Exception, trace: str) -> None:
        if wanted == self._wanted:
            if isinstance(fault, Undecided):
                self._refuse(self.deciding.in_its_words(in_language(str(fault))))
                self.how.setChecked(True)
                self.deciding.focus(fault.options)
            else:
                self._refuse(in_language(str(fault)))
        if trace:
            self.failed.emit(fault, trace)

    def _refuse(self, problem: str) -> None:
        """Say why the files cannot be taken; the choice stays, for another decision."""
        self.paths, self.ready = (), False
        self._show(None)
        self._problem.setText("✕ " + problem)
        self._problem.setVisible(True)
        self.changed.emit()

    def _show(self, seen: Preview | None) -> None:
        if seen:
            self._found.setText("\n".join(map(in_language, seen.found)))
            self._first.setText("\n".join(seen.first))
            self._odd.setText("\n".join("⚠ " + in_language(remark) for remark in seen.odd))
        for label in (self._found, self._first, self._odd):
            label.setVisible(seen is not None and bool(label.text()))
        self._problem.hide()

    def _ask_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose files"))
        if names:
            self.choose([Path(name) for name in names])

    def _ask_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder of documents"))
        if name:
            self.choose([Path(name)])


def card_layout(title: str, about: str, buttons: Sequence[QWidget], below: Sequence[QWidget]) -> QVBoxLayout:
    """Return a card with a title and a sentence at the left, buttons at the right, and lines below."""
    words = column(text(title, "heading", wrap=False), text(about, "small"), spacing=2)
    return column(card(Beside(words, row(*buttons, None, spacing=SPACE_M), BESIDE), *below))


class NewProjectView(View):
    """Asks for the files of a project and shows what they hold before anything is made."""

    asked = Signal(object)  # a Wish

    def __init__(self, _settings: Settings) -> None:
        super().__init__()
        self.rows: dict[FileKind, FileRow] = {
            "documents": FileRow(
                "documents",
                self.tr("Documents"),
                self.tr("JSON, CSV, TREC, SMART, BEIR, or a folder or archive of text, Markdown, HTML or images"),
            ),
            "topics": FileRow("topics", self.tr("Topics"), self.tr("TREC, SMART, XML, BEIR, CSV or JSON lines")),
            "runs": FileRow("runs", self.tr("Runs"), self.tr("What each system retrieved: TREC form, MS MARCO, CSV or JSON")),
            "qrels": FileRow(
                "qrels", self.tr("Qrels"), self.tr("Judgments you have already: TREC, SMART, BEIR, or a spreadsheet; may stay empty")
            ),
        }
        self.file = QLineEdit()
        self.file.setPlaceholderText(self.tr("Where to keep the project"))
        self.file.setAccessibleName(self.tr("Project file"))
        self.scale = QComboBox()
        for scale in SCALES:
            self.scale.addItem(self.tr("binary") if scale == "binary" else scale, scale)
        self.scale.setAccessibleName(self.tr("Scale"))
        self._problem = text("", "small")
        self._create = button(self.tr("Create project"), "primary")
        self._create.clicked.connect(self._ask)
        self._lay_out(self._ask_path)
        self.file.textChanged.connect(self._check)
        for each in self.rows.values():
            each.changed.connect(self._check)
            each.failed.connect(self.failed)
        self._check()

    def _lay_out(self, ask: Callable[[], None]) -> None:
        browse = button(self.tr("Choose place"))
        browse.clicked.connect(ask)
        place = card(
            text(self.tr("Project"), "heading"),
            row(text(self.tr("File"), "quiet", wrap=False), self.file, browse, spacing=SPACE_M),
            row(text(self.tr("Grades"), "quiet", wrap=False), self.scale, None, spacing=SPACE_M),
        )
        head = text(self.tr("New project"), "title")
        parts = column(head, *self.rows.values(), place, self._problem, row(self._create, None), None, spacing=SPACE_M)
        parts.setContentsMargins(0, SPACE_XL, SPACE_L, SPACE_L)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(scrolling(Bounded(PAGE_WIDTH, parts)))

    def _ask_path(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Where to keep the project"), "", f"irjudge (*{SUFFIX})")
        if name:
            self.file.setText(name if name.endswith(SUFFIX) else name + SUFFIX)

    def focus(self) -> None:
        """Put the focus where most people begin."""
        self.rows["documents"].first.setFocus()

    def problem(self) -> str:
        """Return what is still missing, or nothing."""
        if not (self.rows["documents"].ready and self.rows["topics"].ready):
            return self.tr("Choose documents and topics.")
        if any(each.paths and not each.ready for each in self.rows.values()):
            return self.tr("Reading the files.")
        if not self.file.text().strip():
            return self.tr("Choose where to keep the project.")
        return self.tr("This file exists already; choose another name.") if self._path().exists() else ""

    def _path(self) -> Path:
        name = self.file.text().strip()
        return Path(name if name.endswith(SUFFIX) else name + SUFFIX)

    def _check(self) -> None:
        problem = self.problem()
        self._create.setEnabled(not problem)
        self._problem.setText(problem)

    def _ask(self) -> None:
        chosen = {kind: each.paths for kind, each in self.rows.items()}
        decided = {kind: each.decisions for kind, each in self.rows.items()}
        sources = Sources(chosen["documents"], chosen["topics"], chosen["runs"], chosen["qrels"], decided=decided)
        self.asked.emit(Wish(self._path(), sources, Scale.parse(self.scale.currentData())))
