"""Active time of judging; a pause counts only up to a threshold."""

import time
from collections.abc import Callable, Collection

# defaults in milliseconds: time for which keys are ignored after a document appears; idle threshold
DEFAULT_GUARD_MS, DEFAULT_IDLE_MS = 80, 60_000
# minimum number of timed judgments for estimating the pace; number of newest judgments considered
MIN_PACE_JUDGMENTS, MAX_PACE_JUDGMENTS = 5, 50


class ActiveTimer:
    """Timer of the active time of an assessor on a document, without idle time.

    It adds up the times between start, heartbeats and stop. Each of these times counts as at most
    the idle threshold. A heartbeat is a key press, mouse movement or scrolling. The threshold and
    the result are in milliseconds; the clock returns seconds.

    >>> ticks = iter([0.0, 2.0, 100.0, 101.0])
    >>> active = ActiveTimer(10_000, clock=lambda: next(ticks))
    >>> active.start(), active.touch(), active.touch()
    (None, None, None)
    >>> active.stop()
    13000
    """

    def __init__(self, idle_ms: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._idle_ms, self._clock = idle_ms, clock
        self._last_activity: float | None = None
        self._active_ms = 0.0

    def reset(self, idle_ms: int) -> None:
        """Reset the timer, and set the idle threshold in milliseconds."""
        self._idle_ms, self._last_activity, self._active_ms = idle_ms, None, 0.0

    def start(self) -> None:
        """Start timing from 0, when a document is shown."""
        self._last_activity, self._active_ms = self._clock(), 0.0

    def touch(self) -> None:
        """Register a heartbeat: a key press, mouse movement or scrolling."""
        if self._last_activity is not None:
            now = self._clock()
            self._active_ms += min((now - self._last_activity) * 1000, self._idle_ms)
            self._last_activity = now

    def stop(self) -> int:
        """Return the active milliseconds since the start; 0 if the timer was never started."""
        self.touch()
        return round(self._active_ms)


def estimate_seconds_left(active_times: Collection[int], remaining_count: int) -> int | None:
    """Estimate the seconds for `remaining_count` judgments from the median active time.

    `active_times` are in milliseconds. The result is None if there are fewer than five.

    >>> estimate_seconds_left([2000, 9000, 4000, 3000, 5000], 10), estimate_seconds_left([2000], 10)
    (40, None)
    """
    if len(active_times) < MIN_PACE_JUDGMENTS:
        return None
    return round(sorted(active_times)[len(active_times) // 2] * remaining_count / 1000)
