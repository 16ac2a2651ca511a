"""How much a test does: a part of it by default, all of it with --full; and whether time grows with the length of a text alone."""

import time
from collections.abc import Callable
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")

LONG, SHORT = 100, 10  # what hypothesis tries where a test names no number


def tries(count: int) -> int:
    """Return how many of `count` random examples are tried in this run; at least ten."""
    return max(min(count, 10), count * settings.default.max_examples // LONG)


def either(short: T, long: T) -> T:
    """Return what this run takes of two sizes, or of two lists of what is tried."""
    return long if settings.default.max_examples >= LONG else short


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time that a call takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def within(limit: float, work: Callable[[], object]) -> bool:
    """Return whether a call takes less than `limit` seconds in one of five tries: other work on the machine only ever adds time."""
    return any(seconds(work) < limit for _ in range(5))


def linear(eighth: Callable[[], object], whole: Callable[[], object]) -> bool:
    """Return whether eight times the text takes less than twenty times as long; quadratic time takes sixty-four times."""
    taken: list[tuple[float, float]] = []
    for _ in range(15):  # other work on the machine only ever adds time, to either
        taken.append((seconds(eighth), seconds(whole)))
        short, long = map(min, zip(*taken, strict=True))
        if long < 20 * short + 0.01:
            return True
        if long > 3:
            break  # no other work adds so much
    return False
