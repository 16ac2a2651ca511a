"""Saving of judgments and marks, with retry, presentation turns and undo."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.judging import ActiveTime, PaintedDocument, Recorder, Session
from irjudge.model import Event, Rationale
from irjudge.store import SUFFIX, Project
from irjudge.text import reason_of, unsaid
from irjudge_ui.actions import BY_ID, key_cap_text
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.messages import filled, join_sentences, translate_message
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import DocumentView
from irjudge_ui.workspace.panels import GradePanel

# Gets what an assessor does onto the disk: what cannot be saved is kept, said, and tried again on request.

JUDGMENT = "judgment"
Act = Callable[[], Event | None]
Then = Callable[[Event], None]


class SaveNotices(Protocol):
    """Where it is said that something is not saved."""

    def show_problem(self, words: str, *, again: bool = False) -> None:
        """Show an error; with `again` a retry is offered."""


class JudgmentSaver(QObject):
    """Commits, and keeps what failed: the newest of each kind. `retry` is the action that tries again.

    `copies` is emitted before a copy of a project is written, `copied` with the copy in which
    the work goes on; `work` with a job: title, function(progress), done(result). Until the copy
    is written the page is held still: the work uses the project's own connection, which still
    reads a file that was moved or replaced.
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
                self._panel.show_problem(translate_message(str(fault)))
                return
            del self._waiting[kind]
            if event is not None:
                then(event)

    def forget(self) -> None:
        """Give up what could not be saved."""
        self._waiting.clear()

    def say(self, fault: IrjudgeError) -> None:
        """Show why something is not saved, and how to try again."""
        said = translate_message(str(fault))
        if self.waits:
            words = filled(
                self.tr("The document stays, and so does what you did: {key} tries again."),
                key=key_cap_text(self._retry),
            )
            said = join_sentences(said, words)
        self._panel.show_problem(said, again=self.waits)

    def ask_copy(self) -> None:
        """Ask where a copy of the project goes, and go on in it: the file may be gone, or stand on a full disk."""
        if self._project is None:
            return
        path = self._project.path
        start = path.with_name(f"{path.stem}-copy{SUFFIX}")
        copy, _ = ask_save_path(
            self._parent, BY_ID["save-copy"].label, start, f"irjudge (*{SUFFIX})"
        )
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


# Turns at a desk: what is shown is painted before keys count, what was said of it is on disk before the next comes, and undo goes back.

S = TypeVar("S", bound=Recorder)
W = TypeVar("W")


class TurnNotices(SaveNotices, Protocol):
    """Where it is said what became of a key."""

    def show_hint(self, words: str) -> None:
        """Show what was saved, or what is expected."""

    def show_ignored(self, words: str) -> None:
        """Show that a key did nothing."""


class PresentationTurns(QObject, Generic[S, W]):
    """A person's turns, whatever is judged: commit, then move.

    `begun` is emitted when something new can be seen; `undone` and `redone` with the event that
    was undone or redone.
    """

    begun = Signal()
    undone = Signal(object)
    redone = Signal(object)

    def __init__(
        self,
        panel: TurnNotices,
        parent: QWidget,
        settings: Settings,
        show: Callable[[W | None], None],
        *,
        too_soon: str,
        retry: str = "retry",
    ) -> None:
        super().__init__(parent)
        self._panel, self._settings, self._show, self._too_soon = panel, settings, show, too_soon
        self.saving = JudgmentSaver(panel, parent, retry)
        self.active = ActiveTime(
            0
        )  # between what was painted and the key; whoever sees a sign of life touches it
        self.session: S | None = None
        self.shown: W | None = None  # what was handed to the page
        self.painted: W | None = None  # what a person can see; keys judge this and nothing else
        self.begin(None)

    def begin(self, session: S | None) -> None:
        """Begin with a session; None judges no longer."""
        self.session = session
        self.saving.begin(session.project if session else None)
        self.clear()
        self.active.reset(int(self._settings.get("idle_s")) * 1000)
        self._timed: W | None = None
        self._painted_at = 0.0

    # Current item

    def clear(self) -> None:
        """Let nothing be judged that is on screen."""
        self.shown = self.painted = None

    def show(self, work: W | None) -> None:
        """Take what is handed to the page now; what could not be saved belongs to what was there before."""
        if work is not self.shown:
            self.saving.forget()
        self.shown, self.painted = work, None

    def paint(self) -> None:
        if self.shown is None or self.shown is self.painted:
            return
        self.painted = self.shown
        if self._timed is not self.shown:  # the same painted again in other colours is no new start
            self._timed, self._painted_at = self.shown, monotonic()
            self.active.start()
            self.begun.emit()

    def move(self, find: Callable[[], W | None]) -> None:
        """Put something on the desk; where it cannot be read, nothing on screen can be judged any more."""
        try:
            self._show(find())
        except IrjudgeError as fault:
            self.clear()
            self._panel.show_problem(translate_message(str(fault)))

    # Actions

    def ready(self) -> bool:
        """Return whether keys count.

        One that was meant for what was there before is ignored, and that is said.
        """
        if self.shown is None:
            return False
        if self.painted is not None and (monotonic() - self._painted_at) * 1000 >= int(
            self._settings.get("guard_ms")
        ):
            return True
        self._panel.show_ignored(self._too_soon)
        return False

    def act(
        self, do: Act, then: Then, *, refused: str = "", before: Callable[[], bool] | None = None
    ) -> None:
        """Do what a key asks for, unless it came too soon; it is on disk when `then` is called."""
        if not self.ready():
            return
        if refused:
            self._panel.show_ignored(refused)
        elif before is None or before():
            self.saving.commit(do, then)

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to take back."""
        return self.session is not None and self.session.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is an action to bring back."""
        return self.session is not None and self.session.can_redo

    def undo(self) -> None:
        """Take back the newest action; what is not saved yet is given up first."""
        if self.saving.waits:
            self.saving.forget()
            self._panel.show_hint(self.tr("Given up: it was not saved."))
        elif self.session is not None:
            self.saving.commit(self.session.undo, self.undone.emit)

    def redo(self) -> None:
        """Bring back what was undone last."""
        if self.session is not None:
            self.saving.commit(self.session.redo, self.redone.emit)


# What is marked beside a grade: unsure, a note, reasons; each is on disk at once, and a note while it is being typed.


class MarkSaver(QObject):
    """Keeps marks of the document on screen; the document stays.

    `saved` is emitted with the work and what was saved.
    """

    saved = Signal(object, str)

    def __init__(
        self,
        turns: PresentationTurns[Session, PaintedDocument],
        panel: GradePanel,
        document: DocumentView,
    ) -> None:
        super().__init__()
        self._turns, self._panel, self._document = turns, panel, document
        self._card = panel.marks
        self._card.kept.connect(self.keep_note)
        self._card.typed.connect(self._keep_draft)
        self._card.left.connect(self._leave_note)

    def switch_unsure(self) -> None:
        """Flag the document as one the assessor is unsure about, or take the flag off."""
        session, work = self._turns.session, self._turns.painted
        if session and work:
            self._mark(
                "unsure",
                partial(session.set_unsure, work, not session.marks(work.place).unsure),
                self.tr("unsure"),
            )

    def write_note(self) -> None:
        """Put the cursor into the note."""
        self._panel.open_marks(True)
        self._card.note.setFocus()

    def keep_note(self, words: str) -> None:
        """Keep the note and go back to the document; one that is kept already is not kept again."""
        if self._card.unkept() is not None:
            self._keep(words)
        self._document.setFocus()

    def _leave_note(self) -> None:
        """Go back to the document, and say where the note is not saved."""
        if self._card.unkept() is not None:
            self._panel.show_hint(
                self.tr(
                    "The note is not saved yet. It is saved with the grade, or with Enter in the field."
                )
            )
        self._document.setFocus()

    def keep_selection(self) -> None:
        """Keep the selected words as the reason of the judgment."""
        self._document.select_whole_words()
        session, work, cursor = (
            self._turns.session,
            self._turns.painted,
            self._document.textCursor(),
        )
        reason = reason_of(*self._document.selection(), unsaid(work.document)) if work else None
        if (
            session
            and work
            and reason
            and Rationale(reason.text, reason.begin, reason.end)
            in session.marks(work.place).rationales
        ):
            self._panel.show_hint(self.tr("This reason is kept already."))
            return
        cursor.clearSelection()
        self._document.setTextCursor(cursor)
        words, begin, end = (reason.text, reason.begin, reason.end) if reason else ("", 0, 0)
        if session and work:
            self._mark(
                "reason", partial(session.rationale, work, words, begin, end), self.tr("a reason")
            )

    def keep_unkept(self) -> bool:
        """Keep a note that was typed and not kept, before a grade leaves it behind; tell whether nothing is left to keep."""
        words = self._card.unkept()
        if words is not None:
            self._keep(words)
        return self._card.unkept() is None

    def flush(self) -> None:
        """Keep what is typed and not kept as a draft, before the field shows something else."""
        words, work, session = self._card.unkept(), self._turns.painted, self._turns.session
        if session and work and words is not None:
            self._keep_draft(words)

    def _keep(self, words: str) -> None:
        session, work = self._turns.session, self._turns.painted
        if session and work:
            self._mark("note", partial(session.note, work, words), self.tr("a note"))

    def _mark(self, kind: str, act: Act, words: str) -> None:
        session, work = self._turns.session, self._turns.painted
        if session is None or work is None:
            return

        def then(_event: Event) -> None:
            self.flush()
            self._panel.show_state(session, work)
            self.saved.emit(work, words)

        self._turns.saving.commit(act, then, kind)

    def _keep_draft(self, words: str) -> None:
        """Keep what was typed so far, so that a crash does not lose it."""
        session, work = self._turns.session, self._turns.painted
        if session is None or work is None:
            return
        marks = session.marks(work.place)
        if words != (marks.note if marks.draft is None else marks.draft):
            try:
                session.draft(work, words)
            except IrjudgeError as fault:
                self._turns.saving.say(fault)
