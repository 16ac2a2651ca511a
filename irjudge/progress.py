"""How long work reports progress and learns that it was cancelled."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from irjudge.errors import Cancelled

T = TypeVar("T")


class Progress:
    """What long work talks to: it tells how far it is, and stops when asked."""

    def __init__(
        self,
        tell: Callable[[int, int | None, str], None] = lambda done, total, what: (
            None
        ),  # total is None while it is not known
        cancelled: Callable[[], bool] = lambda: (
            False
        ),  # asked at every step; when it answers True the work raises `Cancelled`
    ) -> None:
        self._tell, self._cancelled = tell, cancelled

    @property
    def asked(self) -> Callable[[], bool]:
        """What is asked whether the work is cancelled, for a part of it that tells its own steps to nobody."""
        return self._cancelled

    def step(self, done: int, total: int | None, what: str) -> None:
        """Tell how far the work is; Cancelled when the user asked for it."""
        if self._cancelled():
            raise Cancelled
        self._tell(done, total, what)

    def through(
        self, things: Iterable[T], what: str, *, total: int | None = None, every: int = 256
    ) -> Iterator[T]:
        """Yield `things`, telling after each `every` of them how many went by."""
        done = 0
        for done, thing in enumerate(things, 1):
            yield thing
            if done % every == 0:
                self.step(done, total, what)
        self.step(done, total, what)


SILENT = Progress()
