"""Threads that render the texts of a session's items, so that a long document delays no other participant."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import TypeVar

from irjudge.progress import Progress
from irjudge.store.project import open_project
from irjudge.web.http.quotas import ServerBusy
from irjudge.web.task import Fragments, RenderedItems

LONG_ITEM = (
    100_000  # bytes of documents that the shared thread renders for one response: 0.7 s at worst
)
LONG_THREADS = 3
RETRY_SECONDS = 1.0
T = TypeVar("T")


class LongItem(Exception):
    """An item that only the threads for long items render."""


class TextThread:
    """One thread with its own connection to the project."""

    def __init__(
        self, path: Path, name: str, cache: RenderedItems, *, renders_long: bool = False
    ) -> None:
        self._path, self._cache, self.renders_long = path, cache, renders_long
        self._executor = ThreadPoolExecutor(1, name)
        self._opened = ExitStack()
        self._fragments: Fragments | None = None
        self._stopped = Event()
        self.waiting = 0  # jobs that are not done

    @property
    def fragments(self) -> Fragments:
        """The items of the project; to be used in this thread only."""
        if self._fragments is None:
            project = self._opened.enter_context(open_project(self._path, writing=False))
            self._fragments = Fragments(
                project,
                cache=self._cache,
                longest=LONG_ITEM,
                progress=Progress(cancelled=self._stopped.is_set),
            )
        return self._fragments

    def submit(self, write: Callable[["TextThread", T], bytes], value: T) -> "Future[bytes]":
        """Let the thread write a response."""
        self.waiting += 1
        future = self._executor.submit(write, self, value)
        future.add_done_callback(self._count_down)
        return future

    def _count_down(self, _future: "Future[bytes]") -> None:
        self.waiting -= 1

    def stop(self) -> None:
        """Close the project and end the thread; what it renders is cancelled at its next slice."""
        self._stopped.set()
        self._executor.submit(self._opened.close).result()
        self._executor.shutdown()


class TextThreads:
    """One thread for short items, which all participants share, and a few for long items."""

    def __init__(self, path: Path) -> None:
        cache = RenderedItems()
        self._short = TextThread(path, "irjudge-texts", cache)
        self._long = [
            TextThread(path, f"irjudge-long-texts-{number}", cache, renders_long=True)
            for number in range(LONG_THREADS)
        ]
        self._rendering: set[str] = set()  # participants for whom a long item is rendered

    async def run(self, who: str, write: Callable[[TextThread, T], bytes], value: T) -> bytes:
        """Return a response, written in the thread for short items where that is enough.

        A participant whose long item is being rendered is asked to come again, also where the page that asked for it has gone: the
        item is cached by then.
        """
        try:
            return await asyncio.wrap_future(self._short.submit(write, value))
        except LongItem:
            pass
        if who in self._rendering:
            raise ServerBusy(RETRY_SECONDS)
        self._rendering.add(who)
        future = min(self._long, key=lambda each: each.waiting).submit(write, value)
        future.add_done_callback(lambda _future: self._rendering.discard(who))
        return await asyncio.wrap_future(future)

    def stop(self) -> None:
        """End all threads."""
        for each in (self._short, *self._long):
            each.stop()
