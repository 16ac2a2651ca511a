"""The one thread that writes in a session: what waits is made durable together, and nobody hears of it before."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Thread
from typing import Any, TypeVar

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.store.sessions import KeptSession
from irjudge.web.line import MOST_OF_ONE, Job, Line
from irjudge.web.session import SharedSession
from irjudge.web.stores import Opening, SessionStore

T = TypeVar("T")


class Writer:
    """Owns the session and the store it is kept in, in a thread of its own.

    Parameters
    ----------
    opening
        Opens the store of the session, in the thread that uses it.
    """

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._line = Line()
        self._ready = Event()
        self._fault: BaseException | None = None
        self._kept: KeptSession | None = None
        self._session: SharedSession | None = None
        self.code = ""  # what is to be known to join, where the store says it
        self._thread = Thread(target=self._run, name="irjudge-writer", daemon=True)

    def start(self) -> KeptSession:
        """Open the store and return the session, once it stands.

        Raises
        ------
        IrjudgeError
            When it cannot be opened, or the session cannot begin.
        """
        self._thread.start()
        self._ready.wait()
        if self._fault is not None:
            raise self._fault
        if self._kept is None:
            raise IrjudgeError("The session could not begin.")
        return self._kept

    def do(self, work: Callable[[SharedSession], T], who: str = "", most: int = MOST_OF_ONE) -> "Future[T]":
        """Let the thread do something with the session; what it gives is given back once all it wrote is on the disk.

        What is cancelled before its turn is not done.

        Raises
        ------
        Busy
            When `who` asks, and would have to wait too long, or has `most` waiting already.
        """
        answer: Future[T] = Future()
        self._line.put(Job(work, answer, who, most))
        return answer

    def check(self) -> None:
        """Raise `Busy` when there is too much to do already."""
        self._line.check()

    def stop(self) -> None:
        """Finish what waits, and close the store."""
        self._line.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            with self._opening() as store:
                with store.transaction():
                    self._session = SharedSession(store)
                self._kept, self.code = store.session(), store.code
                self._ready.set()
                while jobs := self._line.take():
                    self._work(store, jobs)
        except BaseException as fault:  # noqa: BLE001 -- told where it is waited for
            self._fault = fault
        finally:
            self._ready.set()
            self._refuse_rest()

    def _refuse_rest(self) -> None:
        self._line.close()
        while jobs := self._line.take():
            for job in jobs:
                job.answer.set_exception(CommitFailed("Not saved: the session has ended."))

    def _work(self, store: SessionStore, jobs: list[Job]) -> None:
        """Do jobs in one transaction and answer after it; where it fails, none of them was done.

        A fault of ours in one of them is that one's alone: the others are done without it.
        """
        answers: list[Any] = []
        try:
            with store.transaction():
                session = self._session = self._session or SharedSession(store)
                session.catch_up()
                answers = [_done(job, session) for job in jobs]
        except Exception as fault:  # noqa: BLE001 -- whatever it is, nothing was written, and whoever asked has to hear of it
            self._session = None
            if len(jobs) > 1 and not isinstance(fault, IrjudgeError):
                for job in jobs:
                    self._work(store, [job])
                return
            said = fault if isinstance(fault, IrjudgeError) else CommitFailed("Not saved: {fault}.", fault=fault)
            answers = [said] * len(jobs)
        for job, answer in zip(jobs, answers, strict=True):
            job.answer.set_exception(answer) if isinstance(answer, BaseException) else job.answer.set_result(answer)


def _done(job: Job, session: SharedSession) -> Any:
    """Return what a job gives, or the refusal of what was asked; a fault of writing ends them all."""
    try:
        return job.work(session)
    except CommitFailed:
        raise
    except IrjudgeError as fault:
        return fault
