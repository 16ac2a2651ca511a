"""One kind of file on the page that makes a project: choose or drop, and see what was read in each."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeGuard

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from irjudge.errors import Undecided
from irjudge.formats.file_preview import UNDECIDED, FileKind, FilePreview, Shown, preview
from irjudge_ui.file_dialogs import ask_file, ask_files, ask_folder, take_copy
from irjudge_ui.jobs import Latest
from irjudge_ui.messages import filled, in_language, plain, shortened
from irjudge_ui.pages.project.file_decisions import FIELDS, DecidePanel
from irjudge_ui.widgets.layout import Beside, Flow, Part, button, card, clear, column, row, text
from irjudge_ui.widgets.theme import SPACE_M

BESIDE = 420
MOST_NAMED = 12  # files that can be taken out one by one
ONE = ("instructions",)  # of which there is one file
FOLDERS = ("documents", "runs")  # which a folder may hold: answers of an engine are a run


class FileRow(QWidget):
    """One kind of file: choose or drop them, see what was recognised, the first records, what is odd and what is wrong.

    `paths` are the files that will be read, empty while one of those chosen is `wrong`; `ready` tells that all of them were looked at.
    """

    changed = Signal()
    failed = Signal(object, str)  # a fault of ours, and its traceback

    def __init__(self, kind: Shown, title: str, about: str, *, framed: bool = True) -> None:
        super().__init__()
        self.kind, self.title, self.paths, self.ready = kind, title, tuple[Path, ...](), False
        self.chosen, self.wrong, self.decisions = tuple[Path, ...](), tuple[Path, ...](), UNDECIDED
        self.grades: tuple[int, ...] = ()  # of the qrels that were read
        self._reading = Latest()
        self._found, self._first, self._odd = text(), text("", "quiet"), text("", "warning")
        self.problem = text("", "error")
        self.leave = self._button(self.tr("Leave out what cannot be read"), "link")
        self.leave.clicked.connect(self._leave_out)
        self.how = self._button(self.tr("How to read them"), "link")
        self.how.setCheckable(True)
        self._asked = False  # whether the row itself opened the way to read them
        self._names = Flow(())
        self.deciding = DecidePanel(kind, title) if is_decided(kind) else None
        below: list[Part] = [
            self._names,
            self._found,
            self._first,
            self._odd,
            self.problem,
            Flow([self.how, self.leave]),
        ]
        if self.deciding:
            self.deciding.decided.connect(self._decide)
            self.how.toggled.connect(self.deciding.setVisible)
            below.append(self.deciding)
        self.setLayout(_laid_out(title, about, self._choosing(), below, framed=framed))
        for hidden in (self.how, self.leave, self.deciding):
            if hidden:
                hidden.hide()
        self.setAcceptDrops(True)
        self._show(None)

    def _choosing(self) -> list[QWidget]:
        self.first = self._button(
            self.tr("Choose a file") if self.kind in ONE else self.tr("Choose files")
        )
        self.first.clicked.connect(self._ask_files)
        if self.kind not in FOLDERS:
            return [self.first]
        folder = self._button(self.tr("Choose folder"))
        folder.clicked.connect(self._ask_folder)
        return [self.first, folder]

    def _button(self, words: str, style: str = "") -> QPushButton:
        made = button(words, style)
        made.setAccessibleName(f"{words}: {self.title}")
        return made

    def choose(self, paths: Sequence[Path]) -> None:
        """Take files and read them beside the window; without any, the row is as it was."""
        self.chosen = tuple(dict.fromkeys(paths))
        self.how.setVisible(self.deciding is not None and bool(self.chosen))
        if not self.chosen:
            self.how.setChecked(False)
        self._name()
        self._read()

    def add(self, paths: Sequence[Path]) -> None:
        """Take files beside those taken already; they replace what cannot be read, and the one file where there is one."""
        kept = (
            ()
            if self.kind in ONE
            else tuple(path for path in self.chosen if path not in self.wrong)
        )
        self.choose((*kept, *paths))

    def _name(self) -> None:
        """Show a button for each file that takes it out again; of many, one for all."""
        clear(self._names)
        named: list[tuple[str, tuple[Path, ...]]] = [
            (path.name, (path,)) for path in self.chosen[:MOST_NAMED]
        ]
        rest = self.chosen[MOST_NAMED:]
        named += [(filled(self.tr("{count} more"), count=f"{len(rest):,}"), rest)] if rest else []
        for words, paths in named:
            made = button(f"{shortened(words)}  ✕", "taken")
            made.setToolTip(plain(filled(self.tr("Take out {text}"), text=words)))
            made.setAccessibleName(
                filled(self.tr("Take out {text}: {title}"), text=words, title=self.title)
            )
            made.clicked.connect(lambda _checked=False, paths=paths: self._take_out(paths))
            self._names.addWidget(made)

    def _take_out(self, paths: Sequence[Path]) -> None:
        """Go on without some of the files."""
        self.choose([path for path in self.chosen if path not in paths])
        self.first.setFocus()

    def _leave_out(self) -> None:
        """Go on without the files that cannot be read."""
        self.choose([path for path in self.chosen if path not in self.wrong])
        self.first.setFocus()

    def _decide(self) -> None:
        """Read the files as was decided."""
        said = self.deciding.said() if self.deciding else UNDECIDED
        if isinstance(said, str):
            self._reading.stop()
            self._refuse([in_language(said)], self.chosen)
            return
        self.decisions = said
        self._read()

    def _read(self) -> None:
        self.paths, self.wrong, self.ready = self.chosen, (), False
        self._reading.stop()
        self._show(None)
        if self.chosen:
            self._found.setText(self.tr("Reading …"))
            self._found.setVisible(True)
            kind, chosen, decisions = self.kind, self.chosen, self.decisions
            self._reading.run(
                lambda _progress: preview(kind, chosen, decisions), self._on_seen, self._on_fault
            )
        self.changed.emit()

    def _on_seen(self, seen: FilePreview) -> None:
        self._show(seen)
        if seen.wrong:
            self._refuse(
                [self._in_words(each.fault) for each in seen.wrong],
                [each.path for each in seen.wrong],
            )
            self._ask_to_decide([each.fault for each in seen.wrong])
        else:
            self.ready = True
            if self._asked:  # what was asked is answered
                self._asked = False
                self.how.setChecked(False)
            self.changed.emit()

    def _in_words(self, fault: Exception) -> str:
        sentence = in_language(str(fault))
        return self.deciding.in_its_words(sentence) if self.deciding else sentence

    def _ask_to_decide(self, faults: Sequence[Exception]) -> None:
        asked = next((fault for fault in faults if isinstance(fault, Undecided)), None)
        if asked and self.deciding:
            self._asked = self._asked or not self.how.isChecked()
            self.how.setChecked(True)
            self.deciding.focus(asked.options)

    def _on_fault(self, fault: Exception, trace: str) -> None:
        self._show(None)
        self._refuse([in_language(str(fault))], self.chosen)
        if trace:
            self.failed.emit(fault, trace)

    def _refuse(self, problems: Sequence[str], wrong: Sequence[Path]) -> None:
        """Say why files cannot be taken; the choice stays, for another decision."""
        self.paths, self.wrong, self.ready = (), tuple(wrong), False
        self.problem.setText("\n".join("✕ " + problem for problem in problems))
        self.problem.setVisible(True)
        self.leave.setVisible(bool(self.wrong))
        self.changed.emit()

    def _show(self, seen: FilePreview | None) -> None:
        self.grades = seen.grades if seen else ()
        if seen:
            self._found.setText("\n".join(map(in_language, seen.found)))
            self._first.setText("\n".join(seen.first))
            self._odd.setText("\n".join("⚠ " + in_language(remark) for remark in seen.odd))
        for label in (self._found, self._first, self._odd):
            label.setVisible(seen is not None and bool(label.text()))
        self.problem.hide()
        self.leave.hide()

    def _ask_files(self) -> None:
        if self.kind in ONE:
            path = ask_file(self, self.tr("Choose a file"))
            paths: tuple[Path, ...] = (path,) if path else ()
        else:
            paths = ask_files(self, self.tr("Choose files"))
        if paths:
            self.add(paths)

    def _ask_folder(self) -> None:
        if folder := ask_folder(self, self.tr("Choose a folder")):
            self.add([folder])

    # Files that are dropped

    def _dropped(self, data: QMimeData) -> list[Path]:
        """Return the files that are dropped; none where there is one that the row cannot take."""
        paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        fits = len(paths) == len(data.urls()) and (self.kind not in ONE or len(paths) == 1)
        return (
            paths
            if fits and (self.kind in FOLDERS or not any(path.is_dir() for path in paths))
            else []
        )

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files, and folders where they can hold documents; all else is the window's."""
        take_copy(event) if self._dropped(event.mimeData()) else event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Take them wherever on the row they are."""
        take_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Choose what is dropped."""
        if take_copy(event):
            self.add(self._dropped(event.mimeData()))


def is_decided(kind: Shown) -> TypeGuard[FileKind]:
    """Tell whether files of a kind may mean two things, for a person to decide."""
    return kind in FIELDS


def _laid_out(
    title: str, about: str, buttons: Sequence[QWidget], below: Sequence[Part], *, framed: bool
) -> QVBoxLayout:
    """Return a title and a sentence at the left, buttons at the right, and parts below; framed, they stand on a card of their own."""
    words = column(text(title, "heading", wrap=False), text(about, "small"), spacing=2)
    parts = (Beside(words, row(*buttons, None, spacing=SPACE_M), BESIDE), *below)
    return column(card(*parts)) if framed else column(*parts)
