"""Find in document: what is typed into the bar is marked wherever it stands, and walked through."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from irjudge.progress import SILENT, Progress
from irjudge.text.highlight import TermHit, TextMatches, find_typed, look_through
from irjudge_ui.actions import tell_key
from irjudge_ui.jobs import Latest, unexpected
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.document.find_bar import FindBar
from irjudge_ui.widgets.document.text_marks import Span, TextMarks, eye, next_place, show_place

AT_ONCE = (
    100_000  # letters looked through before the document is painted; longer ones are a moment later
)
HITS_AT_ONCE = 5_000  # so many take 50 ms; a text that has more is a moment later too
T = TypeVar("T")


class TextSearch:
    """Does one piece of work at a time; new work stops what was under way."""

    def __init__(self) -> None:
        self._later = Latest()

    def start(self, length: int, work: Callable[[Progress], T], done: Callable[[T], None]) -> None:
        """Do work on so many letters and tell its result, now or later."""
        self._later.stop()
        if length <= AT_ONCE:
            done(work(SILENT))
        else:
            self._later.run(work, done, unexpected)

    def find(
        self,
        text: str,
        look: Callable[[str], Sequence[TermHit]],
        done: Callable[[TextMatches], None],
    ) -> None:
        """Look through a text and tell what was found: now where text and hits are few, else later."""
        few = look_through(text, look, most=HITS_AT_ONCE) if len(text) <= AT_ONCE else None
        if few is None or few.more:
            self._later.run(lambda progress: look_through(text, look, progress), done, unexpected)
        else:
            self._later.stop()
            done(few)

    def stop(self) -> None:
        """Stop what is under way; nobody hears of it."""
        self._later.stop()

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return self._later.busy


class Finder(QObject):
    """Connects the bar, the document and the search. `moved` comes with the number of the match that is shown, from 0.

    `walk` takes the steps of the bar where the next match may stand in another document.
    """

    moved = Signal(int)

    def __init__(
        self, document: DocumentView, marks: TextMarks, walk: Callable[[int], None] | None = None
    ) -> None:
        super().__init__(document)
        self._document, self._marks = document, marks
        self._text_search = TextSearch()
        self._text = ""
        self._found = TextMatches()
        self._now: int | None = None
        self._wanted: int | None = None
        self.shown: Span | None = (
            None  # the match that was selected last; it stays so when the bar is closed
        )
        self._from = 0  # where the eye was when the search began
        self.bar = FindBar()
        tell_key("find-next", self.bar.show_next_key, self.bar)
        tell_key("find-previous", self.bar.show_previous_key, self.bar)
        self.bar.hide()
        self.bar.wanted.connect(lambda _typed, _case: self._look(1))
        self.bar.stepped.connect(walk or self.step)
        self.bar.closed.connect(self.close)

    def read(self, text: str) -> None:
        """Look for the same in another text, or in more of it; the document stays where it is."""
        self._text, self._from, self.shown = text, 0, None
        self._forget()
        if self.bar.opened:
            self._look(0)

    def open(self) -> None:
        """Show the bar, or go back into its field."""
        was_open = self.bar.opened
        self._from = eye(self._document, -1)
        self.bar.open()
        if not was_open:
            self._look(0)

    def close(self) -> None:
        """Hide the bar and its marks; the match stays selected."""
        self._forget()
        self.bar.hide()
        self._document.setFocus()

    def step(self, step: int) -> None:
        """Go to the next or the previous match; without anything to find, ask for it."""
        if not self.bar.field.text():
            self.open()
        elif not self.bar.opened:
            self._from = eye(self._document, step)
            self.bar.show()
            self._look(step)
        elif self._found.places:
            self._show(next_place(self._found.places, self._now, eye(self._document, step), step))

    @property
    def number(self) -> int | None:
        """Which match is shown, from 0; None for none."""
        return self._now

    @property
    def count(self) -> int:
        """How many matches there are."""
        return len(self._found.places)

    def go(self, number: int) -> None:
        """Show a match by its number: now, or when it is found."""
        self._wanted = number
        self._show_wanted()

    def _show_wanted(self) -> bool:
        if self._wanted is None or self._wanted >= len(self._found.places):
            return False
        now, self._wanted = self._wanted, None
        self._show(now)
        return True

    def _forget(self) -> None:
        self._text_search.stop()
        self._found, self._now = TextMatches(), None
        self._marks.mark_found([])

    def _look(self, step: int) -> None:
        """Look for what is in the field; a step shows the first match after or before where the eye was."""
        self._forget()
        self._wanted = None if step else self._wanted
        typed, text = self.bar.field.text(), self._text if self.bar.field.text() else ""
        look = partial(find_typed, typed=typed, match_case=self.bar.case.isChecked())
        self.bar.show_looking()
        self._text_search.find(text, look, partial(self._on_found, step=step))

    def _on_found(self, found: TextMatches, step: int) -> None:
        self._found = found
        self._marks.mark_found(found.places)
        self.bar.show_count(None, len(found.places), more=found.more)
        if self._show_wanted():
            return
        if step and found.places:
            self._show(next_place(found.places, None, self._from, step))
        elif step and self._document.textCursor().hasSelection():  # a match of fewer letters
            cursor = self._document.textCursor()
            cursor.clearSelection()
            self._document.setTextCursor(cursor)

    def _show(self, now: int) -> None:
        self._now, self.shown = now, self._found.places[now]
        show_place(self._document, self.shown)
        self.bar.show_count(now, len(self._found.places), more=self._found.more)
        self.moved.emit(now)
