"""What is marked beside a grade: unsure, a note, reasons; each is on disk at once, and a note while it is being typed."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from irjudge.errors import IrjudgeError
from irjudge.judging.session import PaintedDocument, Session
from irjudge.model.events import Event, Rationale
from irjudge.text.render import reason_of, unsaid
from irjudge_ui.desk.panels import GradePanel
from irjudge_ui.desk.saving import Act
from irjudge_ui.desk.turns_and_undo import Turns
from irjudge_ui.widgets.document.document_view import DocumentView


class Marking(QObject):
    """Keeps marks of the document on screen; the document stays. `saved` comes with the work and what was saved."""

    saved = Signal(object, str)

    def __init__(
        self, turns: Turns[Session, PaintedDocument], panel: GradePanel, document: DocumentView
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
