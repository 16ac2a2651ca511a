"""Reads pieces of a file in several threads, few of them in memory at once, and gives what was made of them in order."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import pyarrow as pa

Piece = TypeVar("Piece")
Made = TypeVar("Made")
MOST_THREADS = 4
_here = threading.local()  # `busy` where this thread already makes one of several pieces


class Irregular(Exception):
    """The file must be read by who can read everything and names what is wrong."""


def side_by_side(work: Callable[[Piece], Made], pieces: Iterator[Piece]) -> Generator[Made, None, None]:
    """Yield what `work` makes of each piece, in order; numpy works on several at once, and few are in memory.

    Only the second is begun before the first has ended: most runs that are not regular show it there, and then little was read in vain.
    On one core all are made in this thread, and so are the parts of one piece of several: all cores have work already.
    """
    threads = min(MOST_THREADS, pa.cpu_count())
    if threads == 1 or getattr(_here, "busy", False):
        yield from map(work, pieces)
        return
    waiting: deque[Future[Made]] = deque()
    most = 1
    with ThreadPoolExecutor(threads, initializer=_begin) as pool:
        try:
            for piece in pieces:
                waiting.append(pool.submit(work, piece))
                if len(waiting) > most:
                    yield waiting.popleft().result()
                    most = MOST_THREADS
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    _here.busy = True
