"""Adding topics, documents, runs, qrels and side files to a project; a file that may mean two things is asked about, and read again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from irjudge.errors import Undecided
from irjudge.formats.file_preview import FileKind
from irjudge.progress import Progress
from irjudge.store.import_files import Sources, import_into
from irjudge.store.import_report import ImportReport
from irjudge_ui.actions import BY_ID
from irjudge_ui.file_dialogs import ask_file, ask_files
from irjudge_ui.messages import in_language
from irjudge_ui.pages.project.file_decisions import DecidePanel
from irjudge_ui.pages.project.judgments_import import ImportHost
from irjudge_ui.widgets.dialog import Dialog
from irjudge_ui.widgets.layout import text

SIZE = (560, 320)


class Adding(QObject):
    """Asks for files and adds them beside the window; `added` comes with the report and the names of runs that were there before."""

    added = Signal(object, object)

    def __init__(self, page: ImportHost, parent: QWidget) -> None:
        super().__init__(parent)
        self._page, self._parent = page, parent

    def asks(self, kind: str) -> Callable[[], None]:
        """Return what asks for files of a kind, such as `runs`, and adds them."""

        def ask() -> None:
            label = BY_ID[f"add-{kind}"].label
            paths = (
                ask_files(self._parent, label)
                if kind != "qrels"
                else tuple(filter(None, [ask_file(self._parent, label)]))
            )
            if paths:
                self.add(sources_of(kind, paths))

        return ask

    def add(self, sources: Sources) -> None:
        """Import files beside the window."""
        project = self._page.project
        if project is None:
            return
        known = {run.name for run in project.rankings.runs()}

        def bring(progress: Progress) -> ImportReport | Undecided:
            try:
                with project.second_connection() as other:
                    return import_into(other, sources, progress)
            except Undecided as fault:
                return fault

        def done(result: ImportReport | Undecided) -> None:
            if isinstance(result, Undecided):
                AskedAgainDialog(self._parent, sources, result, self.add).open()
            else:
                self.added.emit(result, known)

        self._page.work.emit(self.tr("Importing"), bring, done)


def sources_of(kind: str, paths: tuple[Path, ...]) -> Sources:
    """Return files of one kind."""
    named: dict[str, Any] = {kind: paths}
    return Sources(**named)


class AskedAgainDialog(Dialog):
    """Says why a file may mean two things, and takes what a person says of it."""

    def __init__(
        self, parent: QWidget, sources: Sources, fault: Undecided, again: Callable[[Sources], None]
    ) -> None:
        super().__init__(parent, SIZE)
        self._sources, self._again = sources, again
        kinds: list[FileKind] = [kind for kind in get_args(FileKind) if getattr(sources, kind, ())]
        named = (kind for kind in kinds if fault.path in getattr(sources, kind))
        self._kind = next(named, kinds[0])  # a file within an archive has a name of its own
        title = BY_ID[f"add-{self._kind}"].label
        self.deciding, self.problem = DecidePanel(self._kind, title), text("", "error")
        self._say(self.deciding.in_its_words(in_language(str(fault))))
        self.fill(
            title,
            [self.problem, self.deciding],
            [(self.tr("Cancel"), None), (self.tr("Import"), self._bring)],
        )
        self.buttons[-1].setDefault(True)
        self.deciding.decided.connect(self._look)
        self.deciding.focus(fault.options)

    def _look(self) -> None:
        said = self.deciding.said()
        if isinstance(said, str):
            self._say(in_language(said))

    def _say(self, problem: str) -> None:
        self.problem.setText("✕ " + problem)

    def _bring(self) -> None:
        said = self.deciding.said()
        if isinstance(said, str):
            self._say(in_language(said))
            self.open()
            return
        self._again(replace(self._sources, decided={**self._sources.decided, self._kind: said}))
