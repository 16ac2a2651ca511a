"""How much each may ask of a server: work, bytes, wrong codes, and how many join from one address."""

import time
from collections import Counter, deque
from collections.abc import Callable
from threading import Lock

from irjudge.errors import IrjudgeError
from irjudge.web.http.proxies import counted_as
from irjudge.web.session_answers import Refused

WORK_RATE, WORK_BURST = 0.15, 5.0  # seconds of the writer, for each second and at first
BYTES_RATE, BYTES_BURST = 2_000_000, 64_000_000  # of answers, likewise
MOST_KNOWN = 4096  # people whose account is kept
WRONG_CODES, MOST_JOINS, MINUTE = (
    10,
    150,
    60.0,
)  # of one address in a minute: a class behind one has 60 people
SLOWED = 2.0  # seconds that a further wrong code waits for its answer


class ServerBusy(IrjudgeError):
    """A server has more to do than it can; `seconds` from now there may be room."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            "The server has too much to do just now. Nothing is lost; this page tries again."
        )
        self.seconds = max(1, round(seconds + 0.5))


class Account:
    """What each person may still ask for: it is spent, and comes back with time."""

    def __init__(
        self, rate: float, burst: float, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._monotonic = rate, burst, monotonic
        self._spent: dict[str, tuple[float, float]] = {}  # how much is spent, and when that was so
        self._turn = Lock()

    def check(self, who: str) -> None:
        """Raise `ServerBusy` when somebody has spent all."""
        over = self.over(who)
        if over > 0:
            raise ServerBusy(over / self._rate)

    def over(self, who: str) -> float:
        """Return how much somebody has spent beyond all they had."""
        with self._turn:
            return self._now(who) - self._burst

    def spend(self, who: str, amount: float) -> None:
        """Take from what somebody has."""
        with self._turn:
            if len(self._spent) >= MOST_KNOWN:
                self._spent = {
                    each: kept for each, kept in self._spent.items() if self._now(each) > 0
                }
            self._spent[who] = self._now(who) + amount, self._monotonic()

    def _now(self, who: str) -> float:
        spent, when = self._spent.get(who, (0.0, 0.0))
        return max(0.0, spent - (self._monotonic() - when) * self._rate)


class Gate:
    """Slows who tries wrong codes, and bounds how many join from one address in a minute; who has the right code passes."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wrong, self._joined = _Recent(monotonic), _Recent(monotonic)

    def wrong(self, address: str) -> float:
        """Note a wrong code, and return the seconds for which its answer waits: nobody else waits for that."""
        return SLOWED if self._wrong.note(counted_as(address)) > WRONG_CODES else 0.0

    def joined(self, address: str) -> None:
        """Note somebody who joins; raise `Refused` when as many did from there as a big class has."""
        if self._joined.note(counted_as(address)) > MOST_JOINS:
            raise Refused(
                "slow",
                "Too many people join from this network at once. Wait a minute, then try again.",
            )


class _Recent:
    """Counts what happened at each address in the last minute, however many addresses there are."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._times: deque[tuple[float, str]] = deque()
        self._counts: Counter[str] = Counter()

    def note(self, address: str) -> int:
        """Note one more, and return how many there are now."""
        now = self._monotonic()
        while self._times and now - self._times[0][0] > MINUTE:
            _, gone = self._times.popleft()
            self._counts[gone] -= 1
            if not self._counts[gone]:
                del self._counts[gone]
        self._times.append((now, address))
        self._counts[address] += 1
        return self._counts[address]
