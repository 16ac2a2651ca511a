"""How long somebody really looked: pauses beyond a threshold do not count."""

import time
from collections.abc import Callable, Collection

DEFAULT_GUARD_MS, DEFAULT_IDLE_MS = (
    80,
    60_000,
)  # as window and page have them when nobody changed them
MIN_PACE_JUDGMENTS, MAX_PACE_JUDGMENTS = (
    5,
    50,
)  # timed judgments from which a pace is told, and how many of the newest count


class ActiveTimer:
    """Counts milliseconds between signs of life, each gap at most the idle threshold.

    >>> ticks = iter([0.0, 2.0, 100.0, 101.0])
    >>> active = ActiveTimer(10_000, clock=lambda: next(ticks))
    >>> active.start(), active.touch(), active.touch()
    (None, None, None)
    >>> active.stop()
    13000
    """

    def __init__(self, idle_ms: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._idle, self._clock = idle_ms, clock
        self._last: float | None = None
        self._sum = 0.0

    def reset(self, idle_ms: int) -> None:
        """Be as one that was never started, with another threshold."""
        self._idle, self._last, self._sum = idle_ms, None, 0.0

    def start(self) -> None:
        """Begin anew: a document was painted."""
        self._last, self._sum = self._clock(), 0.0

    def touch(self) -> None:
        """Note a sign of life: a key, the mouse, a scroll."""
        if self._last is not None:
            now = self._clock()
            self._sum += min((now - self._last) * 1000, self._idle)
            self._last = now

    def stop(self) -> int:
        """Return the active milliseconds since the start; 0 when it was never started."""
        self.touch()
        return round(self._sum)


def estimate_seconds_left(times: Collection[int], left: int) -> int | None:
    """Return how long so many judgments take at a pace: the median of the newest active times, in ms; None with fewer than five.

    >>> estimate_seconds_left([2000, 9000, 4000, 3000, 5000], 10), estimate_seconds_left([2000], 10)
    (40, None)
    """
    if len(times) < MIN_PACE_JUDGMENTS:
        return None
    return round(sorted(times)[len(times) // 2] * left / 1000)
