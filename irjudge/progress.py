"""Progress reports, cancellation and time limits of long work."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import TypeVar

from irjudge.errors import Cancelled

T = TypeVar("T")
WATCH_SECONDS = 0.25  # length of one wait in seconds; Ctrl+C has no effect on Windows during a wait


class Progress:
    """Callbacks of a long computation: reports of its progress, and cancellation by the user.

    The computation calls `step` or `track`, which raise Cancelled if the user has cancelled.
    """

    def __init__(
        self,
        report: Callable[[int, int | None, str], None] = lambda done, total, what: (
            None
        ),  # total is None if unknown
        cancelled: Callable[[], bool] = lambda: (
            False
        ),  # called at every step; if it returns True, `step` raises Cancelled
    ) -> None:
        self._report, self._cancelled = report, cancelled

    @property
    def cancellation_check(self) -> Callable[[], bool]:
        """Function that returns whether the user has cancelled, for code that reports no progress."""
        return self._cancelled

    def step(self, done: int, total: int | None, what: str) -> None:
        """Report that `done` of `total` steps of `what` are done.

        Raises Cancelled if the user has cancelled.
        """
        if self._cancelled():
            raise Cancelled
        self._report(done, total, what)

    def track(
        self, items: Iterable[T], what: str, *, total: int | None = None, every: int = 256
    ) -> Iterator[T]:
        """Yield items; report progress after every `every` items and at the end."""
        done = 0
        for done, item in enumerate(items, 1):
            yield item
            if done % every == 0:
                self.step(done, total, what)
        self.step(done, total, what)


SILENT = Progress()


def run_within(seconds: float, function: Callable[[], T]) -> T:
    """Return the result of a function that may have to wait for another machine.

    The function runs in a separate thread, which continues after a TimeoutError.

    Raises
    ------
    TimeoutError
        If there is no result after `seconds`.
    """
    results: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            results.put((function(), None))
        except BaseException as error:  # noqa: BLE001 -- raised again in the waiting thread
            results.put((None, error))

    threading.Thread(target=run, name="irjudge-waiting", daemon=True).start()
    deadline = time.monotonic() + seconds
    while True:
        try:
            result, error = results.get(timeout=min(seconds, WATCH_SECONDS))
            break
        except Empty:
            if time.monotonic() >= deadline:
                raise TimeoutError from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]
