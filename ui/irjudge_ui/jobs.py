"""Background jobs with progress and cancellation, and worker processes of a cluster."""

import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, QRunnable, QThreadPool, Signal, Slot

from irjudge.errors import IrjudgeError, convert_os_error
from irjudge.progress import Progress
from irjudge.stats import SERIAL, Workers, workers_at
from irjudge_ui.settings import Settings

# Execution of functions in background threads; no other module of the window starts threads

Failure = Callable[[Exception, str], None]
ReportProgress = Callable[[int, int | None, str], None]
Result = TypeVar("Result")

if TYPE_CHECKING:
    from irjudge.store import Project


class _CallRelay(QObject):
    """Object that calls functions on the GUI thread when other threads request it."""

    call_requested = Signal(object, object)

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        # connected to a method of this object, since Qt calls such a method on the object's thread
        self.call_requested.connect(self._run_call)

    @Slot(object, object)
    def _run_call(self, function: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        function(*arguments)


class Job:
    """Handle of a function that runs in a background thread: its callbacks and cancellation.

    `run` of this module creates a job, queues its function and returns the job; a job of
    `run_detached` cannot be cancelled. The callbacks run on the GUI thread; errors, and `Cancelled`
    after a cancellation, are passed to `on_failed`.

    A job is not a QObject, because its last reference may be dropped in the worker thread, where a
    QObject must not be destroyed.
    """

    def __init__(
        self,
        relay: _CallRelay,
        on_done: Callable[[Any], None],
        on_failed: Failure,
        progress: ReportProgress | None,
    ) -> None:
        self._relay = relay
        self._stop = False
        # latest undelivered progress; None if there is none
        self._step: tuple[Any, ...] | None = None
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
        """Drop all callbacks, so that the result and errors of the job are ignored."""
        self._callbacks = (lambda result: None, lambda error, trace: None, None)

    def run_function(self, function: Callable[[Progress], Any]) -> None:
        """Run the function of the job; called in the worker thread."""
        post_call = self._relay.call_requested.emit
        try:
            result = function(Progress(self._post_step, lambda: self._stop))
        except IrjudgeError as error:
            post_call(self._on_failed, (error, ""))
        except OSError as error:
            post_call(self._on_failed, (convert_os_error(error), ""))
        except Exception as error:  # noqa: BLE001 -- the window reports every error
            post_call(self._on_failed, (error, traceback.format_exc()))
        else:
            post_call(self._on_done, (result,))

    def _post_step(self, *step: Any) -> None:
        with self._step_lock:
            is_pending, self._step = self._step is not None, step
        # only one call is queued at a time, since Qt delivers queued calls before input events and
        # timers, which many calls would delay
        if not is_pending:
            self._relay.call_requested.emit(self._deliver_step, ())

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
        """End the job, and return its callbacks.

        The job itself drops the callbacks, since they reference widgets.
        """
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
def _get_relay() -> _CallRelay:
    """Return the call relay that all jobs share; the first call creates it on the GUI thread."""
    return _CallRelay()


def run(
    function: Callable[[Progress], Any],
    on_done: Callable[[Any], None],
    on_failed: Failure,
    progress: ReportProgress | None = None,
) -> Job:
    """Start `function(progress)` in another thread; the callbacks run on the GUI thread."""
    job = Job(_get_relay(), on_done, on_failed, progress)
    _running.add(job)
    QThreadPool.globalInstance().start(_JobRunner(job, function))
    return job


def on_project(
    project: "Project", work: Callable[["Project", Progress], Result]
) -> Callable[[Progress], Result]:
    """Return a function for a job, which calls `work` with a second connection to a project."""

    def work_on_project(progress: Progress) -> Result:
        with project.second_connection() as job_project:
            return work(job_project, progress)

    return work_on_project


def run_detached(function: Callable[[], Any], on_done: Callable[[Any], None]) -> None:
    """Run a function that may never return, such as access to a lost network share.

    The function delays neither other jobs nor the exit of the program.
    """
    job = Job(_get_relay(), on_done, raise_unexpected, None)
    _running.add(job)
    threading.Thread(
        target=job.run_function, args=(lambda _progress: function(),), daemon=True
    ).start()


def raise_unexpected(error: Exception, _trace: str) -> None:
    """Raise an error that can only be a bug, so that the window shows it."""
    raise error


class LatestJob:
    """Job runner of a view for one job at a time; a new job replaces the running one.

    The callbacks of a replaced job are not called, nor those of a job that runs when `owner` is
    destroyed. `busy` and `step` are the state and the progress of the current job.
    """

    def __init__(
        self, on_change: Callable[[], None] = lambda: None, owner: QObject | None = None
    ) -> None:
        self._job: Job | None = None
        self._on_change = on_change  # called when a job starts, progresses and ends
        # progress of the job: steps done, total (None if unknown), and description of the step
        self.step: tuple[int, int | None, str] = (0, None, "")
        if owner is not None:
            owner.destroyed.connect(self.stop)

    @property
    def busy(self) -> bool:
        return self._job is not None

    def run(
        self,
        function: Callable[[Progress], Any],
        on_done: Callable[[Any], None],
        on_failed: Failure,
        progress: ReportProgress | None = None,
    ) -> None:
        """Cancel the running job, then start a new one; the arguments are those of `jobs.run`."""
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
    """Cancel all jobs and drop their callbacks; return whether all end within `wait_ms`."""
    for job in list(_running):
        job.cancel()
        job.forget()
    has_stopped = QThreadPool.globalInstance().waitForDone(wait_ms)
    if has_stopped:
        _running.clear()
    return has_stopped


# Worker processes of the setting `cluster`, which continue to run for later jobs

WAIT_SECONDS = 0.2  # interval of the checks for cancellation while a job waits for workers


class ClusterWorkers:
    """Worker processes for long computations, shared by the jobs of several pages.

    The setting `cluster` is `local`, for processes on all cores, or the address of a Dask
    scheduler. A job gets the workers from `provide_workers`, which starts them on first use, and
    again if the setting has changed or they have ended. After a change of the setting, a job waits
    until no other job uses the earlier workers. If the setting is empty, the work of a job is done
    in the thread of the job.
    """

    def __init__(self) -> None:
        self._settings: Settings | None = None
        self._condition = threading.Condition()  # notified when a job no longer uses the workers
        self._user_count = 0  # number of jobs that use the workers
        self._exit_stack = ExitStack()
        self._address, self._workers = "", SERIAL

    def use(self, settings: Settings) -> None:
        """Set the settings object, whose setting `cluster` is the address of the workers."""
        self._settings = settings

    @contextmanager
    def provide_workers(self, progress: Progress) -> Iterator[Workers]:
        """Provide the workers to a job, in the thread of the job; start them if necessary.

        Raises
        ------
        IrjudgeError
            If `workers_at` cannot start them.
        """
        address = str(self._settings.get("cluster")).strip() if self._settings else ""
        description = QCoreApplication.translate("Team", "Starting worker processes")
        with self._condition:
            while address and self._user_count and address != self._address:
                progress.step(0, None, description)
                self._condition.wait(WAIT_SECONDS)
            if not (address or self._user_count):
                self._end()
            elif address and not (address == self._address and self._workers.alive):
                self._end()
                progress.step(0, None, description)
                self._workers = self._exit_stack.enter_context(workers_at(address))
                self._address = address
            workers = self._workers if address else SERIAL
            self._user_count += bool(address)
        try:
            yield workers
        finally:
            with self._condition:
                self._user_count -= bool(address)
                self._condition.notify_all()

    def close(self) -> None:
        """Stop the workers that this object has started."""
        with self._condition:
            self._end()

    def _end(self) -> None:
        self._exit_stack.close()
        self._address, self._workers = "", SERIAL


CLUSTER_WORKERS = ClusterWorkers()
