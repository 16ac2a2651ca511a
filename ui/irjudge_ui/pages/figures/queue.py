"""Work beside the window that must not overlap: one thing after another, and of each kind only what was asked last."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from irjudge.errors import Cancelled
from irjudge.progress import Progress
from irjudge_ui import jobs


@dataclass(frozen=True, slots=True)
class Asked:
    """Work that was asked for."""

    kind: str
    function: Callable[[Progress], Any]
    done: Callable[[Any], None]
    failed: jobs.Failure


class OneByOne:
    """Runs one piece of work at a time. What is asked again while it waits or runs replaces what was asked before."""

    def __init__(self) -> None:
        self._waiting: dict[str, Asked] = {}
        self._under_way: tuple[str, jobs.Job] | None = None

    def ask(self, kind: str, function: Callable[[Progress], Any], done: Callable[[Any], None], failed: jobs.Failure) -> None:
        """Run a function beside the window as soon as nothing else runs; only its newest of a kind tells how it ended."""
        self._waiting[kind] = Asked(kind, function, done, failed)
        if self._under_way is None:
            self._next()
        elif self._under_way[0] == kind:
            self._under_way[1].cancel()

    def drop(self) -> None:
        """Forget what waits and what runs; nobody hears of it."""
        self._waiting.clear()
        if self._under_way is not None:
            self._waiting[self._under_way[0]] = Asked(self._under_way[0], lambda progress: None, lambda result: None, lambda *fault: None)
            self._under_way[1].cancel()

    def _next(self) -> None:
        self._under_way = None
        if self._waiting:
            asked = self._waiting.pop(next(iter(self._waiting)))
            job = jobs.run(asked.function, lambda result: self._end(asked, result), lambda *fault: self._fail(asked, *fault))
            self._under_way = (asked.kind, job)

    def _end(self, asked: Asked, result: Any) -> None:
        newer = asked.kind in self._waiting
        self._next()
        if not newer:
            asked.done(result)

    def _fail(self, asked: Asked, fault: Exception, trace: str) -> None:
        newer = asked.kind in self._waiting
        self._next()
        if not newer and not isinstance(fault, Cancelled):
            asked.failed(fault, trace)
