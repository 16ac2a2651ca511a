"""Background jobs with progress and cancellation, and the workers of a cluster."""

import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QRunnable, QThreadPool, Signal, Slot

from irjudge.errors import IrjudgeError
from irjudge.progress import Progress
from irjudge.stats import SERIAL, Workers, workers_at
from irjudge_ui.settings import Settings

# Background functions with progress and cancellation. This is the only module that starts threads.

Failure = Callable[[Exception, str], None]
Tell = Callable[[int, int | None, str], None]


class _CallRelay(QObject):
    """Runs calls requested by other threads on the GUI thread."""

    asked = Signal(object, object)

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        # A slot of a QObject: only slots are guaranteed to run on the object's thread.
        self.asked.connect(self._call)

    @Slot(object, object)
    def _call(self, function: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        function(*arguments)


class Job:
    """A running job.

    It is not a QObject, because the last reference may be dropped in the other thread, where a
    QObject must not be destroyed.
    """

    def __init__(
        self, post: _CallRelay, done: Callable[[Any], None], failed: Failure, progress: Tell | None
    ) -> None:
        self._post = post
        self._stop = False
        self._step: tuple[Any, ...] | None = None  # latest progress not delivered yet
        self._stepping = threading.Lock()
        self._calls: tuple[Callable[[Any], None], Failure, Tell | None] = (done, failed, progress)

    def cancel(self) -> None:
        """Request cancellation; the function then fails with `Cancelled` at its next step."""
        self._stop = True

    def forget(self) -> None:
        """Drop all callbacks of the job."""
        self._calls = (lambda result: None, lambda error, trace: None, None)

    def work(self, function: Callable[[Progress], Any]) -> None:
        """Run the function; called in the worker thread."""
        ask = self._post.asked.emit
        try:
            result = function(Progress(self._ask_to_tell, lambda: self._stop))
        except IrjudgeError as error:
            ask(self._on_failed, (error, ""))
        except Exception as error:  # noqa: BLE001 -- the window reports every error
            ask(self._on_failed, (error, traceback.format_exc()))
        else:
            ask(self._on_done, (result,))

    def _ask_to_tell(self, *step: Any) -> None:
        with self._stepping:
            waits, self._step = self._step is not None, step
        # Qt delivers queued calls before input events and timers, so many steps would delay those
        if not waits:
            self._post.asked.emit(self._tell_step, ())

    def _tell_step(self) -> None:
        with self._stepping:
            step, self._step = self._step, None
        tell = self._calls[2]
        if step and tell and not self._stop:
            tell(*step)

    def _on_done(self, result: Any) -> None:
        self._tell_step()
        self._end()[0](result)

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._tell_step()
        self._end()[1](error, trace)

    def _end(self) -> tuple[Callable[[Any], None], Failure, Tell | None]:
        """Return the callbacks and drop them, so that the job no longer references widgets."""
        calls = self._calls
        self.forget()
        _running.discard(self)
        return calls


class _Work(QRunnable):
    def __init__(self, job: Job, function: Callable[[Progress], Any]) -> None:
        super().__init__()
        self._job, self._function = job, function

    def run(self) -> None:
        self._job.work(self._function)


_running: set[Job] = set()


@cache
def _relay() -> _CallRelay:
    """Return the call relay; the first job creates it on the GUI thread."""
    return _CallRelay()


def run(
    function: Callable[[Progress], Any],
    done: Callable[[Any], None],
    failed: Failure,
    progress: Tell | None = None,
) -> Job:
    """Run `function(progress)` in another thread."""
    job = Job(_relay(), done, failed, progress)
    _running.add(job)
    QThreadPool.globalInstance().start(_Work(job, function))
    return job


def run_detached(function: Callable[[], Any], done: Callable[[Any], None]) -> None:
    """Run a function that may never return, such as a check of a lost network share.

    Neither other jobs nor program exit wait for it.
    """
    job = Job(_relay(), done, raise_unexpected, None)
    _running.add(job)
    threading.Thread(target=job.work, args=(lambda _progress: function(),), daemon=True).start()


def raise_unexpected(error: Exception, _trace: str) -> None:
    """Raise the error of a job that can fail only because of a bug; the window shows it."""
    raise error


class LatestJob:
    """Runs one job at a time; a new job cancels the running one and drops its callbacks."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._job: Job | None = None
        self._on_change = on_change  # called when a job starts, progresses and ends
        self.step: tuple[int, int | None, str] = (
            0,
            None,
            "",
        )  # progress: done, total, and description of the step

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._job is not None

    def run(
        self,
        function: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Failure,
        progress: Tell | None = None,
    ) -> None:
        """Run `function(progress)` in another thread and cancel the running job; see `run`."""
        self.stop()

        def tell(*step: Any) -> None:
            self.step = step
            self._on_change()
            if progress:
                progress(*step)

        self._job = run(
            function,
            lambda result: self._end(done, result),
            lambda error, trace: self._end(failed, error, trace),
            tell,
        )
        self._on_change()

    def stop(self) -> None:
        """Cancel the running job and drop its callbacks."""
        if self._job is not None:
            self._job.cancel()
            self._job.forget()
            self._clear()

    def _clear(self) -> None:
        self._job, self.step = None, (0, None, "")
        self._on_change()

    def _end(self, tell: Callable[..., None], *how: Any) -> None:
        self._clear()
        tell(*how)


def is_busy() -> bool:
    """Return whether any job is running."""
    return bool(_running)


def cancel_all(wait_ms: int = 5000) -> bool:
    """Cancel all jobs, drop their callbacks and wait; return whether all ended in time."""
    for job in list(_running):
        job.cancel()
        job.forget()
    stopped = QThreadPool.globalInstance().waitForDone(wait_ms)
    if stopped:
        _running.clear()
    return stopped


# Workers of the setting `cluster`, reused by later jobs.


class ClusterWorkers:
    """Workers named in the settings, shared by the jobs of all pages."""

    def __init__(self) -> None:
        self._settings: Settings | None = None
        self._lock = threading.Lock()
        self._held = ExitStack()
        self._where, self._workers = "", SERIAL

    def use(self, settings: Settings) -> None:
        """Use new settings."""
        self._settings = settings

    @contextmanager
    def at_work(self, progress: Progress) -> Iterator[Workers]:
        """Provide workers to a job, in its thread; start them if they are not running.

        Raises
        ------
        IrjudgeError
            As `workers_at` does.
        """
        where = str(self._settings.get("cluster")).strip() if self._settings else ""
        with self._lock:
            if where != self._where or not self._workers.alive:
                self._end()
                progress.step(0, None, QCoreApplication.translate("Team", "Starting workers"))
                self._workers, self._where = (
                    self._held.enter_context(workers_at(where or None)),
                    where,
                )
        yield self._workers

    def close(self) -> None:
        """Stop the workers that were started here."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._held.close()
        self._where, self._workers = "", SERIAL


CLUSTER_WORKERS = ClusterWorkers()
