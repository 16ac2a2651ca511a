"""Gets what an assessor does onto the disk: what cannot be saved is kept, said, and tried again on request."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.model.events import Event
from irjudge.store.project import SUFFIX, Project
from irjudge_ui.actions import BY_ID, key_cap
from irjudge_ui.file_dialogs import ask_place
from irjudge_ui.words import filled, in_language, sentences

JUDGMENT = "judgment"
Act = Callable[[], Event | None]
Then = Callable[[Event], None]


class SaveNotices(Protocol):
    """Where it is said that something is not saved."""

    def show_problem(self, words: str, *, again: bool = False) -> None:
        """Say what went wrong; with `again` it can be tried once more."""


class Saving(QObject):
    """Commits, and keeps what failed: the newest of each kind. `retry` is the action that tries again.

    `copies` comes before a copy of a project is written, `copied` with the copy in which the work goes on; `work` with a job: title,
    function(progress), done(result). Until the copy is written the page is held still: the work uses the project's own connection, which
    still reads a file that was moved or replaced.
    """

    copies = Signal()
    copied = Signal(Path)
    work = Signal(str, object, object)

    def __init__(self, panel: SaveNotices, parent: QWidget, retry: str) -> None:
        super().__init__(parent)
        self._panel, self._parent, self._retry = panel, parent, retry
        self._project: Project | None = None
        self._waiting: dict[str, tuple[Act, Then]] = {}

    def begin(self, project: Project | None) -> None:
        """Begin with a project; None saves no longer."""
        self._project = project
        self.forget()

    @property
    def waits(self) -> bool:
        """Whether something could not be saved and waits for another try."""
        return bool(self._waiting)

    def commit(self, act: Act, then: Then, kind: str = JUDGMENT) -> None:
        """Do what must be on disk before anything moves, then what follows from it."""
        self._waiting.pop(kind, None)
        self._waiting[kind] = act, then
        self.retry()

    def retry(self) -> None:
        """Save what waits: marks first, since a judgment leaves the document behind."""
        for kind in sorted(self._waiting, key=lambda kind: kind == JUDGMENT):
            act, then = self._waiting[kind]
            try:
                event = act()
            except CommitFailed as fault:
                self.say(fault)
                return
            except IrjudgeError as fault:
                del self._waiting[kind]
                self._panel.show_problem(in_language(str(fault)))
                return
            del self._waiting[kind]
            if event is not None:
                then(event)

    def forget(self) -> None:
        """Give up what could not be saved."""
        self._waiting.clear()

    def say(self, fault: IrjudgeError) -> None:
        """Say why something is not saved, and how to try again."""
        said = in_language(str(fault))
        if self.waits:
            words = filled(
                self.tr("The document stays, and so does what you did: {key} tries again."),
                key=key_cap(self._retry),
            )
            said = sentences(said, words)
        self._panel.show_problem(said, again=self.waits)

    def ask_copy(self) -> None:
        """Ask where a copy of the project goes, and go on in it: the file may be gone, or stand on a full disk."""
        if self._project is None:
            return
        path = self._project.path
        start = path.with_name(f"{path.stem}-copy{SUFFIX}")
        copy, _ = ask_place(self._parent, BY_ID["save-copy"].label, start, f"irjudge (*{SUFFIX})")
        if copy:
            self.save_copy(copy)

    def save_copy(self, path: Path) -> None:
        """Write what is saved so far to another file and go on in it; what waits has to be done there again."""
        project = self._project
        if project is None:
            return
        self.copies.emit()

        def done(_none: object) -> None:
            self.forget()
            self.copied.emit(path)

        self.work.emit(
            self.tr("Saving a copy"), lambda progress: project.copy_to(path, progress), done
        )
