"""Progress reports and cancellation of long computations."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from irjudge.errors import Cancelled

T = TypeVar("T")


class Progress:
    """Callbacks by which a long computation reports progress and is cancelled.

    A long computation calls `step` or `track`, which raise Cancelled if the user has cancelled.
    """

    def __init__(
        self,
        tell: Callable[[int, int | None, str], None] = lambda done, total, what: (
            None
        ),  # total is None if unknown
        cancelled: Callable[[], bool] = lambda: (
            False
        ),  # called at every step; if it returns True, the work raises `Cancelled`
    ) -> None:
        self._report, self._cancelled = tell, cancelled

    @property
    def cancellation_check(self) -> Callable[[], bool]:
        """Function that returns whether the user has cancelled, for work that reports no progress."""
        return self._cancelled

    def step(self, done: int, total: int | None, what: str) -> None:
        """Report progress; raise Cancelled if the user has cancelled."""
        if self._cancelled():
            raise Cancelled
        self._report(done, total, what)

    def track(
        self, items: Iterable[T], what: str, *, total: int | None = None, every: int = 256
    ) -> Iterator[T]:
        """Yield items, and report progress after each batch of `every` items."""
        done = 0
        for done, item in enumerate(items, 1):
            yield item
            if done % every == 0:
                self.step(done, total, what)
        self.step(done, total, what)


SILENT = Progress()
