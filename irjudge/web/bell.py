"""Pages that wait to hear of something at once, such as a pause: they ask, and are answered when the bell rings for them."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from threading import Lock

from irjudge.errors import IrjudgeError
from irjudge.web.line import ServerBusy
from irjudge.web.session import EVERYBODY

WAIT_SECONDS = 25.0  # that a page waits; proxies cut off what is silent for a minute
MOST_OF_PERSON = 3  # pages of one person that wait
MOST_OF_ADDRESS = 256  # pages that wait at one address: half of its connections stay for what they do
LOOK_SECONDS = 0.4  # between two looks at what other servers of the session did
SHORT_SECONDS = 2  # until a page asks again that may not wait


class Bell:
    """Wakes the pages that wait. It is rung by the thread that writes, and heard in the loop that answers."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Event, tuple[str, str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._turn, self._closed = Lock(), False
        self._looking: asyncio.Task[None] | None = None
        self._rung = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def turn(self) -> int:
        """Return how often it rang; asked before what a page knows is looked at, so that nothing is missed between that and waiting."""
        with self._turn:
            self._loop = asyncio.get_running_loop()
        return self._rung

    def ring(self, people: Iterable[str]) -> None:
        """Wake the pages of some people, or with EVERYBODY among them all."""
        called = frozenset(people)
        with self._turn:
            if called and self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._wake, called)

    def close(self) -> None:
        """Let nobody wait any more."""
        self._closed = True
        self.ring([EVERYBODY])

    def _wake(self, called: frozenset[str]) -> None:
        self._rung += 1
        for event, (person, _) in self._waiting.items():
            if EVERYBODY in called or person in called:
                event.set()

    async def wait(self, turn: int, person: str, address: str, look: Callable[[], Awaitable[object]] | None) -> None:
        """Wait until the bell rings for a person, or for as long as a page waits; `look` learns what other servers did.

        Where it rang since `turn`, nobody waits.
        """
        waiting = Counter(self._waiting.values())
        mine = sum(count for (whose, _), count in waiting.items() if whose == person)
        here = sum(count for (_, where), count in waiting.items() if where == address)
        if self._closed or mine >= MOST_OF_PERSON or here >= MOST_OF_ADDRESS:
            raise ServerBusy(SHORT_SECONDS - 0.5)
        if turn != self._rung:
            return
        rung = asyncio.Event()
        self._waiting[rung] = person, address
        if look and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look(look))
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(rung.wait(), WAIT_SECONDS)
        finally:
            del self._waiting[rung]

    async def _look(self, look: Callable[[], Awaitable[object]]) -> None:
        """Look again and again, as long as anybody waits."""
        while self._waiting and not self._closed:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(IrjudgeError):  # the database is away for a moment
                await look()
