"""Looks through the document on screen: at once when it is short, beside the window when it is long."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from irjudge.progress import SILENT, Progress
from irjudge.text.finding import TextMatches, look_through
from irjudge.text.highlight import TermHit
from irjudge_ui.jobs import Latest, unexpected

AT_ONCE = 100_000  # letters looked through before the document is painted; longer ones are a moment later
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

    def find(self, text: str, look: Callable[[str], Sequence[TermHit]], done: Callable[[TextMatches], None]) -> None:
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
