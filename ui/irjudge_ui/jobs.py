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

# Background functions with progress and cancellation; only this module starts threads

Failure = Callable[[Exception, str], None]
ReportProgress = Callable[[int, int | None, str], None]


class _CallRelay(QObject):
    """Runs calls requested by other threads on the GUI thread."""

    call_requested = Signal(object, object)

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        # a slot of this QObject, since only slots are guaranteed to run on its thread
        self.call_requested.connect(self._run_call)

    @Slot(object, object)
    def _run_call(self, function: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        function(*arguments)


class Job:
    """Running background function with its callbacks.

    A job is not a QObject, because the last reference may be dropped in the worker thread, where a
    QObject must not be destroyed.
    """

    def __init__(
        self,
        post: _CallRelay,
        on_done: Callable[[Any], None],
        on_failed: Failure,
        progress: ReportProgress | None,
    ) -> None:
        self._post = post
        self._stop = False
        self._step: tuple[Any, ...] | None = None  # latest progress, if it is not delivered yet
        self._step_lock = threading.Lock()
        self._callbacks: tuple[Callable[[Any], None], Failure, ReportProgress | None] = (
            on_done,
            on_failed,
            progress,
        )

    def cancel(self) -> None:
        """Request cancellation; the function then fails with `Cancelled` at its next step."""
        self._stop = True

    def forget(self) -> None:
        """Drop all callbacks of the job."""
        self._callbacks = (lambda result: None, lambda error, trace: None, None)

    def run_function(self, function: Callable[[Progress], Any]) -> None:
        """Run the function of the job; called in the worker thread."""
        post_call = self._post.call_requested.emit
        try:
            result = function(Progress(self._post_step, lambda: self._stop))
        except IrjudgeError as error:
            post_call(self._on_failed, (error, ""))
        except Exception as error:  # noqa: BLE001 -- the window reports every error
            post_call(self._on_failed, (error, traceback.format_exc()))
        else:
            post_call(self._on_done, (result,))

    def _post_step(self, *step: Any) -> None:
        with self._step_lock:
            is_pending, self._step = self._step is not None, step
        # at most one queued call: Qt delivers queued calls before input events and timers, which
        # many calls would delay
        if not is_pending:
            self._post.call_requested.emit(self._deliver_step, ())

    def _deliver_step(self) -> None:
        with self._step_lock:
            step, self._step = self._step, None
        report = self._callbacks[2]
        if step and report and not self._stop:
            report(*step)

    def _on_done(self, result: Any) -> None:
        self._deliver_step()
        self._end()[0](result)

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._deliver_step()
        self._end()[1](error, trace)

    def _end(self) -> tuple[Callable[[Any], None], Failure, ReportProgress | None]:
        """Return the callbacks and drop them, so that the job no longer references widgets."""
        callbacks = self._callbacks
        self.forget()
        _running.discard(self)
        return callbacks


class _JobRunner(QRunnable):
    def __init__(self, job: Job, function: Callable[[Progress], Any]) -> None:
        super().__init__()
        self._job, self._function = job, function

    def run(self) -> None:
        self._job.run_function(self._function)


_running: set[Job] = set()


@cache
def _relay() -> _CallRelay:
    """Return the call relay; the first job creates it on the GUI thread."""
    return _CallRelay()


def run(
    function: Callable[[Progress], Any],
    on_done: Callable[[Any], None],
    on_failed: Failure,
    progress: ReportProgress | None = None,
) -> Job:
    """Run `function(progress)` in another thread."""
    job = Job(_relay(), on_done, on_failed, progress)
    _running.add(job)
    QThreadPool.globalInstance().start(_JobRunner(job, function))
    return job


def run_detached(function: Callable[[], Any], on_done: Callable[[Any], None]) -> None:
    """Run a function that may never return, such as a check of a lost network share.

    Neither other jobs nor program exit wait for it.
    """
    job = Job(_relay(), on_done, raise_unexpected, None)
    _running.add(job)
    threading.Thread(
        target=job.run_function, args=(lambda _progress: function(),), daemon=True
    ).start()


def raise_unexpected(error: Exception, _trace: str) -> None:
    """Raise the error of a job that can fail only because of a bug; the window shows it."""
    raise error


class LatestJob:
    """Runs one job at a time; a new job cancels the running one and drops its callbacks."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._job: Job | None = None
        self._on_change = on_change  # called when a job starts, progresses and ends
        # progress of the job: done, total, and description of the step
        self.step: tuple[int, int | None, str] = (0, None, "")

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._job is not None

    def run(
        self,
        function: Callable[[Progress], Any],
        on_done: Callable[[Any], None],
        on_failed: Failure,
        progress: ReportProgress | None = None,
    ) -> None:
        """Run `function(progress)` in another thread and cancel the running job; see `run`."""
        self.stop()

        def report_step(*step: Any) -> None:
            self.step = step
            self._on_change()
            if progress:
                progress(*step)

        self._job = run(
            function,
            lambda result: self._end(on_done, result),
            lambda error, trace: self._end(on_failed, error, trace),
            report_step,
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

    def _end(self, report: Callable[..., None], *outcome: Any) -> None:
        self._clear()
        report(*outcome)


def is_busy() -> bool:
    """Return whether any job is running."""
    return bool(_running)


def cancel_all(wait_ms: int = 5000) -> bool:
    """Cancel all jobs, drop their callbacks and wait; return whether all ended in time."""
    for job in list(_running):
        job.cancel()
        job.forget()
    has_stopped = QThreadPool.globalInstance().waitForDone(wait_ms)
    if has_stopped:
        _running.clear()
    return has_stopped


# Workers of the setting `cluster`, which later jobs reuse


class ClusterWorkers:
    """Workers named in the settings, shared by the jobs of all pages."""

    def __init__(self) -> None:
        self._settings: Settings | None = None
        self._lock = threading.Lock()
        self._exit_stack = ExitStack()
        self._address, self._workers = "", SERIAL

    def use(self, settings: Settings) -> None:
        """Set the settings that name the workers."""
        self._settings = settings

    @contextmanager
    def at_work(self, progress: Progress) -> Iterator[Workers]:
        """Provide workers to a job, in its thread; start them if they are not running.

        Raises
        ------
        IrjudgeError
            If `workers_at` cannot start them.
        """
        address = str(self._settings.get("cluster")).strip() if self._settings else ""
        with self._lock:
            if address != self._address or not self._workers.alive:
                self._end()
                progress.step(
                    0, None, QCoreApplication.translate("Team", "Starting worker processes")
                )
                self._workers = self._exit_stack.enter_context(workers_at(address or None))
                self._address = address
        yield self._workers

    def close(self) -> None:
        """Stop the workers that this object has started."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._exit_stack.close()
        self._address, self._workers = "", SERIAL


CLUSTER_WORKERS = ClusterWorkers()
