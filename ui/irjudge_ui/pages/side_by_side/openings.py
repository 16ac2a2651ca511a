"""What somebody looked at while two sides were on the desk: results opened on either side, and for how long."""

from collections.abc import Callable
from time import monotonic


class Looking:
    """Counts openings and the time opened results were in view.

    Examples
    --------
    >>> ticks = iter([10.0, 12.5])
    >>> looking = Looking(lambda: next(ticks))
    >>> looking.open(1, 3)
    >>> looking.close(), looking.opens, looking.dwell_ms()
    ((1, 3), (0, 1), (0, 2500))
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """Begin anew: other lists are on the desk."""
        self._opens, self._dwell = [0, 0], [0.0, 0.0]
        self.at: tuple[int, int] | None = None  # side and place of the result that is open
        self._since = 0.0

    def open(self, side: int, place: int) -> None:
        """Note that a result was opened."""
        self.close()
        self.at, self._since = (side, place), self._clock()
        self._opens[side] += 1

    def close(self) -> tuple[int, int] | None:
        """Note that it was closed; return where it stands, None when nothing was open."""
        at, self.at = self.at, None
        if at is not None:
            self._dwell[at[0]] += self._clock() - self._since
        return at

    @property
    def opens(self) -> tuple[int, int]:
        """How often a result was opened on the left and on the right."""
        return self._opens[0], self._opens[1]

    def dwell_ms(self) -> tuple[int, int]:
        """Return for how many milliseconds results of either side were open."""
        return round(self._dwell[0] * 1000), round(self._dwell[1] * 1000)
