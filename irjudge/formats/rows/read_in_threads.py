"""Reads pieces of a file in several threads, few of them in memory at once, and gives what was made of them in order."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

import pyarrow as pa

Piece = TypeVar("Piece")
Read = TypeVar("Read")
Made = TypeVar("Made")
MOST_THREADS = 4
_here = threading.local()  # `busy` where this thread already makes one of several pieces


class Irregular(Exception):
    """The file must be read by who can read everything and names what is wrong."""


def side_by_side(
    work: Callable[[Piece], Made], pieces: Iterator[Piece]
) -> Generator[Made, None, None]:
    """Yield what `work` makes of each piece, in order; numpy works on several at once, and few are in memory.

    Only the second is begun before the first has ended: most runs that are not regular show it there, and then little was read in vain.
    On one core all are made in this thread, and so are the parts of one piece of several: all cores have work already.
    """
    threads = _threads()
    if threads == 1:
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


def in_parts(
    read: Callable[[Piece], Read],
    parts: Callable[[Read], Iterable[Callable[[], Made]]],
    pieces: Iterator[Piece],
) -> Generator[tuple[Read, list[Made]], None, None]:
    """Yield what is read of each piece, in order, and what is made of its parts, of which each is a call.

    What reads and what makes takes turns in the same threads: the parts of the last pieces go to all of them. Otherwise as `side_by_side`.
    """
    threads = _threads()
    if threads == 1:
        for piece in pieces:
            found = read(piece)
            yield found, [make() for make in parts(found)]
        return
    reading: deque[Future[Read]] = deque()
    making: deque[tuple[Read, list[Future[Made]]]] = deque()
    with ThreadPoolExecutor(threads, initializer=_begin) as pool:
        try:
            reading += (pool.submit(read, piece) for piece in islice(pieces, threads))
            while reading or making:
                if reading:
                    found = reading.popleft().result()
                    making.append((found, [pool.submit(make) for make in parts(found)]))
                    reading += (pool.submit(read, piece) for piece in islice(pieces, 1))
                if len(making) == threads or not reading:
                    found, made = making.popleft()
                    yield found, [each.result() for each in made]
        finally:
            pool.shutdown(cancel_futures=True)


def _threads() -> int:
    return 1 if getattr(_here, "busy", False) else min(MOST_THREADS, pa.cpu_count())


def _begin() -> None:
    _here.busy = True
