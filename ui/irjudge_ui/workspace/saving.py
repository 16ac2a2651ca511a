"""Saving of judgments and marks, with retry; presentation of items one after another."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.judging import ActiveTimer, PresentedDocument, Recorder, Session
from irjudge.model import Event, Rationale
from irjudge.store import PROJECT_SUFFIX, Project
from irjudge.text import find_hidden_title, find_selected_passage
from irjudge_ui.actions import BY_ID, key_cap_text
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.messages import filled, join_sentences, translate_message
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import DocumentView, clear_selection
from irjudge_ui.workspace.panels import GradePanel

# Saving with retry

JUDGMENT_KIND = "judgment"
SaveFunction = Callable[[], Event | None]
SavedCallback = Callable[[Event], None]


class SaveNotices(Protocol):
    """Interface of the panel in which a `JudgmentSaver` shows errors and buttons for a retry."""

    def show_problem(self, message: str, *, offers_retry: bool = False) -> None:
        """Show an error and, with `offers_retry`, buttons that retry or save a copy."""


class JudgmentSaver(QObject):
    """Object that saves judgments and marks, and can retry failed saves.

    `commit` calls a given function, which writes an event, and then a callback with the event. A
    save can be retried if the file could not be written; other errors are only shown. For each kind
    of save, such as judgments or notes, only the newest failed save can be retried. `job_requested`
    is emitted with a job: title, function(progress), on_done(result).

    If the file is missing or the disk is full, the user can write a copy of the project, and
    continue in the copy. `copies` is emitted before the copy is written, `copied` with its path
    afterwards. The job uses the project's own connection, which can still read a file that was
    moved or replaced; therefore the page is disabled until the job has ended.
    """

    copies = Signal()
    copied = Signal(Path)
    job_requested = Signal(str, object, object)

    def __init__(self, panel: SaveNotices, parent: QWidget, retry_action: str) -> None:
        super().__init__(parent)
        self._panel, self._parent, self._retry_action = panel, parent, retry_action
        self._project: Project | None = None
        self._failed_saves: dict[str, tuple[SaveFunction, SavedCallback]] = {}

    def begin(self, project: Project | None) -> None:
        """Switch to another project, and discard failed saves."""
        self._project = project
        self.forget()

    @property
    def has_failed_saves(self) -> bool:
        """Whether a failed save can be retried."""
        return bool(self._failed_saves)

    def commit(
        self, save: SaveFunction, on_saved: SavedCallback, kind: str = JUDGMENT_KIND
    ) -> None:
        """Call `save`, then call `on_saved` with its event.

        If `save` returns None, `on_saved` is not called. If `save` fails to write the file, it can
        be repeated with `retry`; all errors are shown.
        """
        self._failed_saves.pop(kind, None)
        self._failed_saves[kind] = save, on_saved
        self.retry()

    def retry(self) -> None:
        """Retry failed saves: marks first, since saving a judgment shows another document."""
        for kind in sorted(self._failed_saves, key=lambda kind: kind == JUDGMENT_KIND):
            save, on_saved = self._failed_saves[kind]
            try:
                event = save()
            except CommitFailed as error:
                self.show_error(error)
                return
            except IrjudgeError as error:
                del self._failed_saves[kind]
                self._panel.show_problem(translate_message(str(error)))
                return
            del self._failed_saves[kind]
            if event is not None:
                on_saved(event)

    def discard_judgment(self) -> None:
        """Discard a judgment that could not be saved; marks can still be retried."""
        self._failed_saves.pop(JUDGMENT_KIND, None)

    def forget(self) -> None:
        """Discard failed saves."""
        self._failed_saves.clear()

    def show_error(self, error: IrjudgeError) -> None:
        """Show why a save failed and, if it can be retried, the key for this."""
        message = translate_message(str(error))
        if self.has_failed_saves:
            advice = filled(
                self.tr("The document and your input have been kept: press {key} to try again."),
                key=key_cap_text(self._retry_action),
            )
            message = join_sentences(message, advice)
        self._panel.show_problem(message, offers_retry=self.has_failed_saves)

    def ask_copy(self) -> None:
        """Ask for the path of a copy of the project, and write the copy."""
        if self._project is None:
            return
        path = self._project.path
        copy_path, _ = ask_save_path(
            self._parent,
            BY_ID["save-copy"].label,
            path.with_name(f"{path.stem}-copy{PROJECT_SUFFIX}"),
            f"irjudge (*{PROJECT_SUFFIX})",
        )
        if copy_path:
            self.save_copy(copy_path)

    def save_copy(self, path: Path) -> None:
        """Write a copy of the project in the background, then emit `copied`.

        Failed saves are discarded; the user must repeat them in the copy.
        """
        project = self._project
        if project is None:
            return
        self.copies.emit()

        def on_done(_result: object) -> None:
            self.forget()
            self.copied.emit(path)

        self.job_requested.emit(
            self.tr("Saving a copy"), lambda progress: project.copy_to(path, progress), on_done
        )


# Presentation of items

S = TypeVar("S", bound=Recorder)
W = TypeVar("W")


class TurnNotices(SaveNotices, Protocol):
    """Interface of a panel that shows messages about saved items, ignored keys, and errors.

    `GradePanel` and `AnswerBar`, for example, implement it.
    """

    def show_hint(self, message: str) -> None:
        """Show a message about what was saved, or about what to do next."""

    def show_ignored(self, message: str) -> None:
        """Show that a key had no effect."""


class PresentationTurns(QObject, Generic[S, W]):
    """Controller that presents items one after another on a judging page.

    The type parameters are the session `S`, which selects the items, and the presented item `W`.
    The given function `show` displays an item; the page calls `paint` once the item is on screen.
    Keys are accepted once an item has been on screen for a short time, and each judgment is saved
    before the next item is shown. The active time of the user is measured for each item.

    `begun` is emitted when a new item is on screen, `undone` and `redone` with the event of the
    undone or redone action.
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
        too_soon_message: str,
        retry: str = "retry",
    ) -> None:
        super().__init__(parent)
        self._panel = panel
        self._settings = settings
        self._show = show
        self._too_soon_message = too_soon_message
        self.saving = JudgmentSaver(panel, parent, retry)
        self.active = ActiveTimer(0)  # active time from rendering an item to judging it
        self.session: S | None = None
        self.shown: W | None = None  # item that the page is to show; it may not be rendered yet
        self.rendered: W | None = None  # item that is on screen and can be judged
        self.begin(None)

    def begin(self, session: S | None) -> None:
        """Begin judging in a session; None ends judging."""
        self.session = session
        self.saving.begin(session.project if session else None)
        self.clear()
        self.active.reset(int(self._settings.get("idle_s")) * 1000)
        self._timed_item: W | None = None
        self._rendered_at = 0.0

    # Current item

    def clear(self) -> None:
        """End the presentation of the current item, so that it cannot be judged."""
        self.shown = self.rendered = None

    def show(self, presentation: W | None) -> None:
        """Set the item that the page shows; if the item has changed, discard failed saves."""
        if presentation is not self.shown:
            self.saving.forget()
        self.shown, self.rendered = presentation, None

    def paint(self) -> None:
        if self.shown is None or self.shown is self.rendered:
            return
        self.rendered = self.shown
        # repainting the same item, for example in a new theme, does not restart the timer
        if self._timed_item is not self.shown:
            self._timed_item, self._rendered_at = self.shown, monotonic()
            self.active.start()
            self.begun.emit()

    def move(self, find_item: Callable[[], W | None]) -> None:
        """Show the item that `find_item` returns; if it cannot be read, show the error."""
        try:
            self._show(find_item())
        except IrjudgeError as error:
            self.clear()
            self._panel.show_problem(translate_message(str(error)))

    # Actions

    def ready(self) -> bool:
        """Return whether the item can be judged; if a key came too early, show a message."""
        if self.shown is None:
            return False
        if self.rendered is not None and (monotonic() - self._rendered_at) * 1000 >= int(
            self._settings.get("guard_ms")
        ):
            return True
        self._panel.show_ignored(self._too_soon_message)
        return False

    def save_action(
        self,
        save: SaveFunction,
        on_saved: SavedCallback,
        *,
        refusal: str = "",
        precondition: Callable[[], bool] | None = None,
    ) -> None:
        """Save a user's action, unless the key was pressed too soon or the action is not possible.

        `refusal` is why the action is not possible; empty if it is possible. `precondition` is
        called before saving, and returns whether to save. `on_saved` is called with the event after
        saving.
        """
        if not self.ready():
            return
        if refusal:
            self._panel.show_ignored(refusal)
            return
        # the action replaces a judgment that could not be saved, which the precondition would save
        self.saving.discard_judgment()
        if precondition is None or precondition():
            self.saving.commit(save, on_saved)

    @property
    def can_undo(self) -> bool:
        """Whether an action can be undone."""
        return self.session is not None and self.session.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether an action can be redone."""
        return self.session is not None and self.session.can_redo

    def undo(self) -> None:
        """Discard failed saves; if there are none, undo the newest action instead."""
        if self.saving.has_failed_saves:
            self.saving.forget()
            self._panel.show_hint(self.tr("Unsaved changes discarded."))
        elif self.session is not None:
            self.saving.commit(self.session.undo, self.undone.emit)

    def redo(self) -> None:
        if self.session is not None:
            self.saving.commit(self.session.redo, self.redone.emit)


# Saving of marks: unsure flag, note, rationales


class MarkSaver(QObject):
    """Object that saves marks of the current document: unsure flag, note, rationales.

    A note that is not submitted is saved as a draft. `saved` is emitted with the presented document
    and a label for the message after a mark, but not a draft, was saved.
    """

    saved = Signal(object, str)

    def __init__(
        self,
        turns: PresentationTurns[Session, PresentedDocument],
        panel: GradePanel,
        document: DocumentView,
    ) -> None:
        super().__init__()
        self._turns, self._panel, self._document = turns, panel, document
        self._card = panel.marks
        self._card.note_submitted.connect(self.save_note)
        self._card.typed.connect(self._save_draft)
        self._card.left.connect(self._leave_note)

    def switch_unsure(self) -> None:
        """Set or clear the unsure flag."""
        session, presentation = self._turns.session, self._turns.rendered
        if session and presentation:
            self._save_mark(
                "unsure",
                partial(
                    session.set_unsure,
                    presentation,
                    not session.marks(presentation.queue_item).unsure,
                ),
                self.tr("unsure"),
            )

    def write_note(self) -> None:
        """Show and focus the field for the note."""
        self._panel.open_marks(True)
        self._card.note.setFocus()

    def save_note(self, text: str) -> None:
        """Save the note if it has changed, and focus the document."""
        if self._card.unsaved_note() is not None:
            self._save_note(text)
        self._document.setFocus()

    def _leave_note(self) -> None:
        """Focus the document; if the note is unsaved, show how to save it."""
        if self._card.unsaved_note() is not None:
            self._panel.show_hint(
                self.tr("Unsaved note. It is saved with the grade, or when you press Enter.")
            )
        self._document.setFocus()

    def save_rationale(self) -> None:
        """Save the selected words as a rationale."""
        self._document.select_whole_words()
        session, presentation = self._turns.session, self._turns.rendered
        rationale = (
            find_selected_passage(
                *self._document.selection(), find_hidden_title(presentation.document)
            )
            if presentation
            else None
        )
        if (
            session
            and presentation
            and rationale
            and Rationale(rationale.text, rationale.begin, rationale.end)
            in session.marks(presentation.queue_item).rationales
        ):
            self._panel.show_hint(self.tr("This rationale is already saved."))
            return
        clear_selection(self._document)
        text, begin, end = (
            (rationale.text, rationale.begin, rationale.end) if rationale else ("", 0, 0)
        )
        if session and presentation:
            self._save_mark(
                "reason",
                partial(session.rationale, presentation, text, begin, end),
                self.tr("a reason"),
            )

    def save_unsaved_note(self) -> bool:
        """Save the note if it is unsaved; return whether no unsaved note remains."""
        note = self._card.unsaved_note()
        if note is not None:
            self._save_note(note)
        return self._card.unsaved_note() is None

    def flush(self) -> None:
        """Save the text of an unsaved note as a draft, before another document is shown."""
        note = self._card.unsaved_note()
        if note is not None:
            self._save_draft(note)

    def _save_note(self, text: str) -> None:
        session, presentation = self._turns.session, self._turns.rendered
        if session and presentation:
            self._save_mark("note", partial(session.note, presentation, text), self.tr("a note"))

    def _save_mark(self, kind: str, save: SaveFunction, label: str) -> None:
        session, presentation = self._turns.session, self._turns.rendered
        if session is None or presentation is None:
            return

        def on_saved(_event: Event) -> None:
            self.flush()
            self._panel.show_state(session, presentation)
            self.saved.emit(presentation, label)

        self._turns.saving.commit(save, on_saved, kind)

    def _save_draft(self, text: str) -> None:
        session, presentation = self._turns.session, self._turns.rendered
        if session is None or presentation is None:
            return
        marks = session.marks(presentation.queue_item)
        if text != (marks.note if marks.draft is None else marks.draft):
            try:
                session.draft(presentation, text)
            except IrjudgeError as error:
                self._turns.saving.show_error(error)
