"""What waits for the writer: a line of bounded length in which nobody stands often."""

import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Condition
from typing import Any

from irjudge.errors import CommitFailed
from irjudge.web.http.quotas import ServerBusy

AT_ONCE = 64  # jobs that one commit serves
MOST_SECONDS = 1.5  # that somebody may have to wait
LONGEST_SECONDS = 3.0  # that it may have waited when its turn comes
MOST_WAITING = 2000
MOST_OF_ONE, MOST_OF_ADDRESS = (
    4,
    256,
)  # jobs that wait, of a person, and of those at one address who are not known yet
NEWEST = 0.2  # the part of the newest commit in what one is thought to take


@dataclass(slots=True)
class WriterJob:
    """Something to be done by the writer."""

    work: Callable[..., Any]
    answer: "Future[Any]"
    who: str  # whose it is; empty for who leads
    most: int = MOST_OF_ONE  # of theirs that wait
    since: float = 0.0  # when it came


class WriterQueue:
    """Jobs in the order they came."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._jobs: deque[WriterJob] = deque()
        self._of: Counter[str] = Counter()
        self._changed = Condition()
        self._closed = False
        self._usual, self._begun = (
            0.0,
            float("inf"),
        )  # seconds of a commit, and when the one under way began

    def put(self, job: WriterJob) -> None:
        """Let a job wait; who leads always may."""
        with self._changed:
            if self._closed:
                raise CommitFailed("Not saved: the session has ended.")
            if job.who:
                self.check()
                if self._of[job.who] >= job.most:
                    raise ServerBusy(self.wait())
            job.since = self._monotonic()
            self._jobs.append(job)
            self._of[job.who] += 1
            self._changed.notify()

    def check(self) -> None:
        """Raise `ServerBusy` when whoever comes now would wait too long."""
        wait = self.wait()
        if wait > MOST_SECONDS or len(self._jobs) >= MOST_WAITING:
            raise ServerBusy(wait)

    def wait(self) -> float:
        """Return how many seconds a job would wait that comes now."""
        longer = max(0.0, self._monotonic() - self._begun - self._usual)
        return (
            longer
            + len(self._jobs) // AT_ONCE * self._usual
            + (self._usual if self._begun < float("inf") else 0.0)
        )

    def take(self) -> list[WriterJob]:
        """Wait for something to do and return all that waits by then, as far as somebody still waits for it; nothing at the end."""
        with self._changed:
            self._rest()
            while True:
                taken: list[WriterJob] = []
                while self._jobs and len(taken) < AT_ONCE:
                    job = self._out()
                    if job.answer.set_running_or_notify_cancel() and self._in_time(job):
                        taken.append(job)
                if taken or self._closed:
                    self._begun = self._monotonic() if taken else float("inf")
                    return taken
                self._changed.wait()

    def _in_time(self, job: WriterJob) -> bool:
        """Tell whether a job is still worth doing; where commits became slower than was thought, those behind are sent away."""
        late = bool(job.who) and self._monotonic() - job.since > LONGEST_SECONDS
        if late:
            job.answer.set_exception(ServerBusy(self._usual))
        return not late

    def close(self) -> None:
        """Take nothing more in."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _out(self) -> WriterJob:
        job = self._jobs.popleft()
        self._of[job.who] -= 1
        if not self._of[job.who]:
            del self._of[job.who]
        return job

    def _rest(self) -> None:
        """Learn from the commit that has ended."""
        if self._begun < float("inf"):
            spent = self._monotonic() - self._begun
            self._usual = spent if not self._usual else (1 - NEWEST) * self._usual + NEWEST * spent
            self._begun = float("inf")
