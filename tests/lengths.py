"""Test sizes in short and `--full` runs, and measurements of running time."""

import time
from collections.abc import Callable
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")

LONG, SHORT = 100, 10  # default numbers of hypothesis examples


def example_count(count: int) -> int:
    """Return how many of `count` random examples this run tries; at least ten."""
    return max(min(count, 10), count * settings.default.max_examples // LONG)


def short_or_long(short: T, long: T) -> T:
    """Return the value for this run: `short` by default, `long` with `--full`."""
    return long if settings.default.max_examples >= LONG else short


def measure_seconds(work: Callable[[], object]) -> float:
    """Return the processor time that a call takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def takes_less_than(limit: float, work: Callable[[], object]) -> bool:
    """Return whether a call takes less than `limit` seconds in one of five attempts.

    Several attempts are made, since other processes on the machine only add time.
    """
    return any(measure_seconds(work) < limit for _ in range(5))


def is_linear(eighth: Callable[[], object], whole: Callable[[], object]) -> bool:
    """Return whether a text eight times as long takes less than twenty times as long.

    Quadratic time would take sixty-four times as long.
    """
    taken: list[tuple[float, float]] = []
    for _ in range(15):  # other processes on the machine only add time, to either
        taken.append((measure_seconds(eighth), measure_seconds(whole)))
        short, long = map(min, zip(*taken, strict=True))
        if long < 20 * short + 0.01:
            return True
        if long > 3:
            break  # other processes do not add that much
    return False
