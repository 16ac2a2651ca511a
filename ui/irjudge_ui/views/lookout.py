"""Looks through the document on screen: at once when it is short, beside the window when it is long."""

from collections.abc import Callable
from typing import TypeVar

from irjudge.progress import SILENT, Progress
from irjudge_ui import jobs

AT_ONCE = 100_000  # letters looked through before the document is painted; longer ones are a moment later
T = TypeVar("T")


class Lookout:
    """Does one piece of work at a time; new work stops what was under way."""

    def __init__(self) -> None:
        self._job: jobs.Job | None = None

    def start(self, length: int, work: Callable[[Progress], T], done: Callable[[T], None]) -> None:
        """Do work on so many letters and tell its result, now or later."""
        self.stop()
        if length <= AT_ONCE:
            done(work(SILENT))
        else:
            self._job = jobs.run(work, lambda result: self._finish(done, result), self._fail)

    def stop(self) -> None:
        """Stop what is under way; nobody hears of it."""
        if self._job:
            self._job.cancel()
            self._job.forget()
            self._job = None

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return self._job is not None

    def _finish(self, done: Callable[[T], None], result: T) -> None:
        self._job = None
        done(result)

    def _fail(self, fault: Exception, _trace: str) -> None:
        self._job = None
        raise fault  # a search has no faults but ours; the window shows them
