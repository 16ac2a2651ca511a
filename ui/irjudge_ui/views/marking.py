"""What is marked beside a grade: unsure, a note, reasons; each is on disk at once, and a note while it is being typed."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject

from irjudge.errors import IrjudgeError
from irjudge.judging.session import Session, Work
from irjudge.model.event import Event
from irjudge_ui.engine_words import in_language
from irjudge_ui.views.judge_panels import GradePanel
from irjudge_ui.widgets.document_view import DocumentView


class Judging(Protocol):
    """What marks need to know of the page: who judges, what was painted, and how an action gets onto the disk."""

    session: Session | None

    @property
    def on_paper(self) -> Work | None:
        """The document that a person can see."""

    def commit(self, act: Callable[[], Event | None], then: Callable[[Event], None]) -> None:
        """Do what must be on disk before anything moves."""

    def say_saved(self, work: Work, words: str) -> None:
        """Say what was saved, and how it is taken back."""


class Marking(QObject):
    """Keeps marks of the document on screen; the document stays."""

    def __init__(self, page: Judging, panel: GradePanel, document: DocumentView) -> None:
        super().__init__()
        self._page, self._panel, self._document = page, panel, document
        self._card = panel.marks
        self._card.kept.connect(self.keep_note)
        self._card.typed.connect(self._keep_draft)

    @property
    def can_mark(self) -> bool:
        """Whether a document is on screen and was painted."""
        return self._page.on_paper is not None

    def switch_unsure(self) -> None:
        """Flag the document as one the assessor is unsure about, or take the flag off."""
        self._mark(lambda session, work: session.set_unsure(work, not session.marks(work.place).unsure), self.tr("unsure"))

    def write_note(self) -> None:
        """Put the cursor into the note."""
        self._panel.open_marks(True)
        self._card.note.setFocus()

    def keep_note(self, words: str) -> None:
        """Keep the note and go back to the document."""
        self._mark(lambda session, work: session.note(work, words), self.tr("a note"))
        self._document.setFocus()

    def keep_selection(self) -> None:
        """Keep the selected words as the reason of the judgment."""
        cursor = self._document.textCursor()
        words = cursor.selectedText().replace("\u2029", "\n")
        begin, end = cursor.selectionStart(), cursor.selectionEnd()
        self._mark(lambda session, work: session.rationale(work, words, begin, end), self.tr("a reason"))

    def keep_unkept(self) -> bool:
        """Keep a note that was typed and not kept, before a grade leaves it behind; tell whether nothing is left to keep."""
        words = self._card.unkept()
        if words is not None:
            self._mark(lambda session, work: session.note(work, words), self.tr("a note"))
        return self._card.unkept() is None

    def flush(self) -> None:
        """Keep what is typed and not kept as a draft, before the field shows something else."""
        words, work, session = self._card.unkept(), self._page.on_paper, self._page.session
        if session and work and words is not None and words != session.marks(work.place).note:
            self._keep_draft(words)

    def _mark(self, act: Callable[[Session, Work], Event], words: str) -> None:
        session, work = self._page.session, self._page.on_paper
        if session is None or work is None:
            return

        def then(_event: Event) -> None:
            self.flush()
            self._panel.show_state(session, work)
            self._page.say_saved(work, words)

        self._page.commit(lambda: act(session, work), then)

    def _keep_draft(self, words: str) -> None:
        """Keep what was typed so far, so that a crash does not lose it."""
        session, work = self._page.session, self._page.on_paper
        if session and work:
            try:
                session.draft(work, words)
            except IrjudgeError as fault:
                self._panel.show_problem(in_language(str(fault)))
