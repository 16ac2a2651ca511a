"""The one door to threads: run a function beside the window, with progress and cancel."""

import traceback
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from irjudge.errors import IrjudgeError
from irjudge.progress import Progress

Failure = Callable[[Exception, str], None]
Tell = Callable[[int, int | None, str], None]


class Job(QObject):
    """Work under way. It lives on the window's thread, and so do the calls it makes."""

    _progressed = Signal(int, object, str)
    _done = Signal(object)
    _failed = Signal(object, str)

    def __init__(self, done: Callable[[Any], None], failed: Failure, progress: Tell | None) -> None:
        super().__init__()
        self._stop = False
        self._calls: tuple[Callable[[Any], None], Failure, Tell | None] = (done, failed, progress)
        # Slots of an object, not bare functions: only those are sure to run on the object's thread.
        self._progressed.connect(self._on_progress)
        self._done.connect(self._on_done)
        self._failed.connect(self._on_failed)

    def cancel(self) -> None:
        """Ask the work to stop at its next step; it fails with `Cancelled` then."""
        self._stop = True

    def forget(self) -> None:
        """Tell nobody how the work ends."""
        self._calls = (lambda result: None, lambda fault, trace: None, None)

    def work(self, function: Callable[[Progress], Any]) -> None:
        """Run the function; called in the other thread."""
        try:
            result = function(Progress(self._progressed.emit, lambda: self._stop))
        except IrjudgeError as fault:
            self._failed.emit(fault, "")
        except Exception as fault:  # noqa: BLE001 -- a fault of ours must reach the window, whatever it is
            self._failed.emit(fault, traceback.format_exc())
        else:
            self._done.emit(result)

    @Slot(int, object, str)
    def _on_progress(self, done: int, total: int | None, what: str) -> None:
        tell = self._calls[2]
        if tell and not self._stop:
            tell(done, total, what)

    @Slot(object)
    def _on_done(self, result: Any) -> None:
        _running.discard(self)
        self._calls[0](result)

    @Slot(object, str)
    def _on_failed(self, fault: Exception, trace: str) -> None:
        _running.discard(self)
        self._calls[1](fault, trace)


class _Work(QRunnable):
    def __init__(self, job: Job, function: Callable[[Progress], Any]) -> None:
        super().__init__()
        self._job, self._function = job, function

    def run(self) -> None:
        self._job.work(self._function)


_running: set[Job] = set()


def run(
    function: Callable[[Progress], Any],
    done: Callable[[Any], None],
    failed: Failure,
    progress: Tell | None = None,
) -> Job:
    """Run `function(progress)` in another thread.

    Parameters
    ----------
    function
        Takes and returns plain data; it must not touch a widget.
    done
        Called on the window's thread with what the function returned.
    failed
        Called on the window's thread with the exception, and with the traceback when the fault is ours.
    progress
        Called on the window's thread with (done, total, what).

    Returns
    -------
    Job
        Its `cancel` stops the work at its next step.
    """
    job = Job(done, failed, progress)
    _running.add(job)  # keeps the job alive until its signals have arrived
    QThreadPool.globalInstance().start(_Work(job, function))
    return job


def busy() -> bool:
    """Tell whether any work is under way."""
    return bool(_running)


def cancel_all(wait_ms: int = 5000) -> bool:
    """Ask all work to stop and wait for it; tell whether it did. Whoever asked for the work is gone and hears no more."""
    for job in list(_running):
        job.cancel()
        job.forget()
    stopped = QThreadPool.globalInstance().waitForDone(wait_ms)
    if stopped:
        _running.clear()
    return stopped
