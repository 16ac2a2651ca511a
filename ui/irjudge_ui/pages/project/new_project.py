"""The page that makes a project: choose files, see what was read in them, create."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout, QWidget

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.atomic_write import there
from irjudge.formats.file_preview import Shown, kinds_of
from irjudge.formats.rankings.judged_rows import find_off_scale
from irjudge.model.scale import HIGHEST, Scale, read_scale
from irjudge.store.import_files import Sources
from irjudge.store.project import OWNER, SUFFIX
from irjudge_ui.file_dialogs import ask_file, ask_place
from irjudge_ui.jobs import Latest
from irjudge_ui.messages import filled, in_language, sentences
from irjudge_ui.pages.project.file_row import FileRow, is_decided
from irjudge_ui.pages.shared.view import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.fields import ChoiceBox
from irjudge_ui.widgets.layout import Bounded, Flow, Paged, button, card, column, row, text
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_XL

ALONE: tuple[Shown, ...] = ("documents", "topics", "runs", "qrels")  # one of these makes a project
SCALES = ("0-3", "binary", "0-2", "0-4")


class ScaleChoice(QWidget):
    """A list of scales that takes others: type 0-7, or choose a file. `changed` comes with each other scale or fault."""

    changed = Signal()
    failed = Signal(object, str)  # a fault of ours, and its traceback

    def __init__(self) -> None:
        super().__init__()
        self._reading = Latest()
        self._fault = ""  # of the file that was chosen last
        self.box = ChoiceBox()
        self.box.setEditable(True)
        self.box.setInsertPolicy(ChoiceBox.InsertPolicy.NoInsert)
        for name in SCALES:
            self.box.addItem(self.tr("binary") if name == "binary" else name, Scale.parse(name))
        self.box.setAccessibleName(self.tr("Scale"))
        self.box.editTextChanged.connect(self._on_typed)
        self.file = button(self.tr("Choose a file"))
        self.file.setAccessibleName(self.tr("Choose a file of a scale"))
        self.file.clicked.connect(self._ask_file)
        self.setLayout(row(self.box, self.file, spacing=SPACE_M))

    @property
    def scale(self) -> Scale | None:
        """The scale that is chosen; None where there is none of that name."""
        typed = self.box.currentText().strip()
        place = self.box.findText(typed)
        if place >= 0:
            found: Scale = self.box.itemData(place)
            return found
        try:
            return (
                None if Path(typed).exists() else Scale.parse(typed)
            )  # files come by the button, read beside the window
        except IrjudgeError:
            return None

    def problem(self) -> str:
        """Return why there is no scale, or nothing."""
        if self._fault or self.scale:
            return self._fault
        return filled(
            self.tr("Grades must be binary, 0-1 to 0-{highest}, or a file."), highest=str(HIGHEST)
        )

    def choose(self, path: Path) -> None:
        """Read a scale from a file beside the window and take it."""
        self._reading.run(
            lambda _progress: read_scale(path),
            lambda scale: self._take(path, scale),
            self._on_fault,
        )

    def _take(self, path: Path, scale: Scale) -> None:
        self._fault = ""
        known = self.box.findText(path.name)
        if known >= 0:
            self.box.removeItem(known)
        self.box.addItem(path.name, scale)
        self.box.setCurrentIndex(self.box.count() - 1)
        self.changed.emit()

    def _on_fault(self, fault: Exception, trace: str) -> None:
        self._fault = in_language(str(fault))
        self.changed.emit()
        if trace:
            self.failed.emit(fault, trace)

    def _on_typed(self) -> None:
        self._fault = ""
        self.changed.emit()

    def _ask_file(self) -> None:
        if path := ask_file(self, self.tr("Choose a file of a scale"), "JSON (*.json)"):
            self.choose(path)


PAGE_WIDTH = 760
FOLDED: tuple[Shown, ...] = (
    "instructions",
    "calibration",
    "sides",
)  # what most projects do without


@dataclass(frozen=True, slots=True)
class ProjectWish:
    """The project somebody asks for."""

    path: Path
    sources: Sources
    scale: Scale
    owner: str = OWNER
    off_scale: bool = False  # whether grades of qrels that the scale lacks count as they are


class NewProjectView(View):
    """Asks for the files of a project and shows what they hold before anything is made."""

    def __init__(self, _settings: Settings) -> None:
        super().__init__()
        self._sorting = self.latest()
        self.rows = self._file_rows()
        self.file = QLineEdit()
        self.file.setPlaceholderText(self.tr("where to keep it"))
        self.file.setAccessibleName(self.tr("Project file"))
        self.scale = ScaleChoice()
        self.owner = QLineEdit()
        self.owner.setPlaceholderText(self.tr("a name; may stay empty"))
        self.owner.setAccessibleName(self.tr("Who is to judge in it"))
        self.only_pooled = QCheckBox(self.tr("Only documents that are needed"))
        self.missing, self.wrong_place, self.wrong_scale = (
            text("", "quiet"),
            text("", "error"),
            text("", "error"),
        )
        self.missing.setAccessibleName(self.tr("What is missing"))
        self.create_button = button(self.tr("Create project"), "primary")
        self.create_button.clicked.connect(self._ask)
        self.forms = button(self.tr("All forms that can be read"), "link")
        self.forms.clicked.connect(lambda: self.opens.emit("guides", "files"))
        self._lay_out(self._ask_path)
        self._listen()
        self._check()

    def _file_rows(self) -> dict[Shown, FileRow]:
        return {
            "documents": FileRow(
                "documents",
                self.tr("Documents"),
                self.tr(
                    "JSON, CSV, TREC, WARC, SMART, BEIR and others; or PDF, DOCX, ODT, HTML, Markdown, text and images: "
                    "files, a folder or an archive of them"
                ),
            ),
            "topics": FileRow(
                "topics",
                self.tr("Topics"),
                self.tr(
                    "TREC, NTCIR, SMART, XML, BEIR, CSV or JSON, turns of conversations and others"
                ),
            ),
            "runs": FileRow(
                "runs",
                self.tr("Runs"),
                self.tr(
                    "What systems retrieved: TREC, MS MARCO, answers of a search engine, a spreadsheet, CSV or JSON"
                ),
            ),
            "qrels": FileRow(
                "qrels",
                self.tr("Qrels"),
                self.tr(
                    "Judgments you have already: TREC, Quepid, OpenSearch, RRE, rank_eval, learning to rank, spreadsheets; may stay empty"
                ),
            ),
            "instructions": FileRow(
                "instructions",
                self.tr("Instructions"),
                self.tr("What assessors are to do, in Markdown"),
                framed=False,
            ),
            "calibration": FileRow(
                "calibration",
                self.tr("Calibration"),
                self.tr("Qrels: documents of known grades that a topic opens with"),
                framed=False,
            ),
            "sides": FileRow(
                "sides",
                self.tr("Side files"),
                self.tr(
                    "What some measures need: lengths of documents, sessions, groups, nuggets, citations"
                ),
                framed=False,
            ),
        }

    def _listen(self) -> None:
        self.file.textChanged.connect(self._check)
        self.only_pooled.toggled.connect(self._check)
        self.scale.changed.connect(self._check)
        self.scale.failed.connect(self.failed)
        for each in self.rows.values():
            each.changed.connect(self._check)
            each.failed.connect(self.failed)

    def _lay_out(self, ask: Callable[[], None]) -> None:
        browse = button(self.tr("Choose place"))
        browse.clicked.connect(ask)
        place = card(
            text(self.tr("Project"), "heading"),
            row(text(self.tr("File"), "quiet", wrap=False), self.file, browse, spacing=SPACE_M),
            self.wrong_place,
            row(text(self.tr("Grades"), "quiet", wrap=False), self.scale, None, spacing=SPACE_M),
            self.wrong_scale,
        )
        head = Flow([text(self.tr("New project"), "title", wrap=False), self.forms])
        framed = [each for kind, each in self.rows.items() if kind not in FOLDED]
        parts = column(head, *framed, place, self._more(), None, spacing=SPACE_M)
        parts.setContentsMargins(0, SPACE_XL, SPACE_L, SPACE_L)
        foot = row(self.create_button, self.missing)  # below what scrolls: in view wherever one is
        foot.setStretch(1, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(Paged(Bounded(PAGE_WIDTH, parts)), 1)
        box.addWidget(Bounded(PAGE_WIDTH, foot))

    def _more(self) -> QWidget:
        """Return the card of what most projects do without; it is folded until somebody asks for it."""
        self.more = button(self.tr("More"), "link")
        about = text(
            self.tr(
                "Instructions, calibration, side files, who is to judge, which documents are read"
            ),
            "small",
        )
        self.more.setCheckable(True)
        inside, owner = (
            QWidget(),
            row(text(self.tr("Assessor"), "quiet", wrap=False), self.owner, spacing=SPACE_M),
        )
        seen = column(
            self.only_pooled,
            text(
                self.tr(
                    "Read those that somebody will see, which runs retrieved or qrels name. All others stay outside the project."
                ),
                "small",
            ),
        )
        inside.setLayout(
            column(*(self.rows[kind] for kind in FOLDED), owner, seen, spacing=SPACE_L)
        )
        made = card(row(self.more, None), about, inside)
        inside.hide()
        self.more.toggled.connect(inside.setVisible)
        self.more.toggled.connect(about.setHidden)
        return made

    def _ask_path(self) -> None:
        path, _ = ask_place(
            self, self.tr("Where to keep the project"), self._proposed(), f"irjudge (*{SUFFIX})"
        )
        if path:
            self.file.setText(f"{path}{'' if path.suffix == SUFFIX else SUFFIX}")

    def _proposed(self) -> Path:
        """Return a place for the project: beside its documents or what else is there, named as their folder is."""
        chosen = next((self.rows[kind].paths for kind in ALONE if self.rows[kind].paths), ())
        if not chosen:
            return Path()
        folder = chosen[0] if chosen[0].is_dir() else chosen[0].parent
        return chosen[0].parent / (folder.name + SUFFIX)

    def take(self, what: object) -> None:
        """Take files that were dropped elsewhere, each as what it is."""
        paths = (
            [each for each in what if isinstance(each, Path)] if isinstance(what, Sequence) else []
        )
        self._sorting.run(
            lambda progress: kinds_of(paths, progress), self._sort_in, self.failed.emit
        )

    def _sort_in(self, kinds: Mapping[Shown, tuple[Path, ...]]) -> None:
        """Choose files, beside those that are chosen already."""
        for kind, paths in kinds.items():
            self.rows[kind].choose((*self.rows[kind].chosen, *paths))

    def focus(self) -> None:
        """Put the focus where most people begin."""
        self.rows["documents"].first.setFocus()

    def problem(self) -> str:
        """Return what is still missing, or nothing."""
        return self._problem_of_files() or self._problem_of_scale() or self._problem_of_place()

    def _problem_of_scale(self) -> str:
        """Return why the scale cannot be taken, or which grades of the qrels it lacks; or nothing."""
        scale = self.scale.scale
        found = find_off_scale(self.rows["qrels"].grades, scale.values) if scale else None
        if found is None:
            return self.scale.problem()
        said = self.tr("The qrels have grades that this scale lacks: {map}.")
        fits = [
            filled(self.tr("Choose the scale {wider}."), wider=found.wider) if found.wider else "",
            filled(self.tr("Or turn them under “Grades become”: {steps}."), steps=found.steps)
            if found.steps
            else self.tr("Or say under “Grades become” what each becomes."),
        ]
        return sentences(filled(said, map=", ".join(map(str, found.grades))), *fits)

    def _problem_of_files(self) -> str:
        wrong = [path.name for each in self.rows.values() for path in each.wrong]
        if wrong:
            return filled(
                self.tr("These cannot be read as they are; say how, or leave them out: {files}."),
                files=", ".join(wrong),
            )
        if not any(self.rows[kind].chosen for kind in ALONE):
            return self.tr(
                "Choose files: topics and documents to judge, or qrels and runs to evaluate."
            )
        if any(each.chosen and not each.ready for each in self.rows.values()):
            return self.tr("Reading the files.")
        if self.only_pooled.isChecked() and not (
            self.rows["runs"].chosen or self.rows["qrels"].chosen
        ):
            return self.tr("Choose runs or qrels: without them nobody would see a document.")
        return ""

    def _problem_of_place(self) -> str:
        if not self.file.text().strip():
            return self.tr("Choose where to keep the project.")
        return (
            self.tr("This file exists already; choose another name.") if there(self._path()) else ""
        )

    def _path(self) -> Path:
        name = self.file.text().strip()
        return Path(name if name.endswith(SUFFIX) else name + SUFFIX)

    def _check(self) -> None:
        problem, named = self.problem(), bool(self.file.text().strip())
        for said, wrong in (
            (self.wrong_place, self._problem_of_place() if named else ""),
            (self.wrong_scale, self._problem_of_scale()),
        ):
            said.setText(f"✕ {wrong}" if wrong else "")
            said.setVisible(bool(wrong))
        self.create_button.setEnabled(not problem or self._only_without_place())
        self.missing.setText(problem or self._still_to_come())

    def _only_without_place(self) -> bool:
        """Tell whether nothing is missing but the place of the project, for which creating asks."""
        return not (
            self._problem_of_files() or self._problem_of_scale() or self.file.text().strip()
        )

    def _still_to_come(self) -> str:
        """Return what a project of these files cannot do until the rest comes."""
        if not self.rows["documents"].chosen:
            return self.tr(
                "Without documents nothing can be judged. They can be added later, on Collection."
            )
        if not self.rows["topics"].chosen:
            return self.tr(
                "Without topics nothing can be judged. They can be added later, on Collection."
            )
        return ""

    def _sources(self) -> Sources:
        files = {kind: each.paths for kind, each in self.rows.items()}
        return Sources(
            files["documents"],
            files["topics"],
            files["runs"],
            files["qrels"],
            instructions=next(iter(files["instructions"]), None),
            calibration=files["calibration"],
            sides=files["sides"],
            decided={kind: each.decisions for kind, each in self.rows.items() if is_decided(kind)},
            only_pooled=self.only_pooled.isChecked(),
        )

    def _ask(self) -> None:
        """Ask for the project, and before that for its place where nobody said it."""
        if self._only_without_place():
            self._ask_path()
        if not self.problem() and (scale := self.scale.scale) is not None:
            self.new_project.emit(
                ProjectWish(
                    self._path(), self._sources(), scale, self.owner.text().strip() or OWNER
                )
            )
