"""Who is connected: a share for each address and a ceiling for all, an end for who keeps it waiting, and a bell for who waits."""

import asyncio
import errno
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.web.http.headers import HEADERS, as_json
from irjudge.web.http.proxies import Proxies, counted_as
from irjudge.web.http.quotas import Account, ServerBusy
from irjudge.web.session_answers import EVERYBODY

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

SHARE = 512  # connections of one address: a class behind one has some for each browser
EXCHANGED = 200  # in a second, connections of an address with its whole share that go for new ones; more find the door shut
MOST_CONNECTIONS = 3000
OTHER_FILES = 200  # open beside connections: the project, a database, what Python loads
HEAD_SECONDS = 10.0  # for the first lines of a request, on a connection that is open
WRITE_SECONDS = 30.0  # until an answer is read
CLOSING_SECONDS = 5.0
REST_SECONDS = 75  # between two requests
LOOK_SECONDS = 0.5  # between two looks at who waits for whom
ACCEPT_PAUSE = (
    1.0  # seconds until it is tried again to let somebody in, where nobody could be spared
)
MANY = 64  # that find the door shut before those that are here go on
SPARED = 32  # connections that end where no file is left
MOST_UNREAD = 64_000_000  # bytes of answers that one address has not read
OUT_OF_FILES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
# Of pages that wait to hear of something at once, such as a pause.
WAIT_SECONDS = 25.0  # that a page waits; proxies cut off what is silent for a minute
MOST_OF_PERSON = 3  # pages of one person that wait
MOST_OF_ADDRESS = (
    256  # pages that wait at one address: half of its connections stay for what they do
)
NEWS_SECONDS = 0.4  # between two looks at what other servers of the session did
SHORT_SECONDS = 2  # until a page asks again that may not wait
WAITED_FOR, RESTING, WORKING = range(
    3
)  # what a connection does; the first go first where room is short, the last never
TOO_MANY_FILES = Message(
    "The server can open no more files for now: some connections are closed, and others wait."
)


class WatchedConnection(H11Protocol):
    """A connection that says what it does, and whether it has kept the server waiting too long."""

    def __init__(self, among: "Connections", **given: Any) -> None:
        super().__init__(**given)
        self._among = among
        self.address, self.answered = "", 0
        self._state: tuple[str, int] = ("", 0)
        self._since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it."""
        super().connection_made(transport)
        self.address = self._among.counted(self.client[0] if self.client else "")
        self._among.add(self)

    def data_received(self, data: bytes) -> None:
        """Take what came, and note what is done now."""
        super().data_received(data)
        self._among.stands(self)

    def on_response_complete(self) -> None:
        """Note that an answer is written."""
        self.answered += 1
        super().on_response_complete()
        self._among.stands(self)

    def pause_writing(self) -> None:
        """Note that an answer is not read."""
        super().pause_writing()
        self._among.stands(self)

    def resume_writing(self) -> None:
        """Note that it is."""
        super().resume_writing()
        self._since = time.monotonic()
        self._among.stands(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._among.remove(self)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, with the headers of every answer."""
        body = as_json({"problem": msg, "kind": "broken"})
        headers = {
            **HEADERS,
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        fields = [(name.encode(), value.encode()) for name, value in headers.items()]
        with suppress(h11.LocalProtocolError):  # an answer is under way
            for event in (
                h11.Response(status_code=400, headers=fields, reason=b"Bad Request"),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    @property
    def doing(self) -> int:
        """What it does: the server waits for it to ask or to read, or it rests after an answer, or is being answered."""
        if self.flow.write_paused or self.cycle is None:
            return WAITED_FOR
        if self.cycle.response_complete:
            return RESTING
        return WAITED_FOR if self.cycle.more_body else WORKING

    @property
    def unread(self) -> int:
        """How many bytes of answers wait to be read."""
        return self.transport.get_write_buffer_size()

    def overdue(self, now: float) -> bool:
        """Tell whether it has kept the server waiting too long; asked again and again."""
        if self.transport.is_closing():
            state, limit = ("closing", 0), CLOSING_SECONDS
        elif self.unread:
            state, limit = ("unread", 0), WRITE_SECONDS
        elif self.timeout_keep_alive_task is None and (
            self.cycle is None or self.cycle.response_complete
        ):
            state, limit = ("head", self.answered), HEAD_SECONDS
        else:
            state, limit = ("served", 0), float("inf")
        if state != self._state:
            self._state, self._since = state, now
        return now - self._since > limit

    def cut(self) -> None:
        """End at once, whatever is under way."""
        self._among.remove(self)
        self.transport.abort()


class _Share:
    """The connections of one address, by what they do, each the oldest first."""

    def __init__(self) -> None:
        self.tiers: tuple[dict[WatchedConnection, None], ...] = ({}, {}, {})

    def __len__(self) -> int:
        return sum(map(len, self.tiers))

    def first_to_go(self) -> WatchedConnection | None:
        """Return who can be spared most; None where all are being answered."""
        return next((connection for tier in self.tiers[:WORKING] for connection in tier), None)


class Connections:
    """All connections of a server."""

    def __init__(self, proxies: Proxies | None = None, most: int = MOST_CONNECTIONS) -> None:
        self._proxies, self._most = proxies or Proxies(), most
        self._shares: dict[str, _Share] = {}
        self._tiers: dict[WatchedConnection, int] = {}
        self._exchanged = Account(
            EXCHANGED, EXCHANGED
        )  # connections that went for others of their address

    def __len__(self) -> int:
        return len(self._tiers)

    def of(self, address: str) -> int:
        """Return how many an address has."""
        return len(self._shares.get(self.counted(address), ()))

    def counted(self, address: str) -> str:
        """Return what an address is counted as."""
        return address if address in self._proxies else counted_as(address)

    def admit(self, address: str) -> bool:
        """Tell whether one more of an address can come in; who can be spared goes for it."""
        own = self.counted(address)
        if own not in self._proxies and len(self._shares.get(own, ())) >= SHARE:
            if self._exchanged.over(own) > 0 or not self._spare(own):
                return False
            self._exchanged.spend(own, 1.0)
        return len(self) < self._most or self.spare_one()

    def spare_one(self) -> bool:
        """End who can be spared most, of the address that has most; tell whether there was one."""
        by_size = sorted(
            self._shares, key=lambda each: (each in self._proxies, -len(self._shares[each]))
        )
        return any(map(self._spare, by_size))

    def _spare(self, address: str) -> bool:
        spared = self._shares[address].first_to_go()
        if spared is not None:
            spared.cut()
        return spared is not None

    def add(self, connection: WatchedConnection) -> None:
        """Count one that was let in."""
        self._shares.setdefault(connection.address, _Share()).tiers[WAITED_FOR][connection] = None
        self._tiers[connection] = WAITED_FOR

    def stands(self, connection: WatchedConnection) -> None:
        """Take note of what one does now."""
        before = self._tiers.get(connection)
        if before is not None and connection.doing != before:
            tiers = self._shares[connection.address].tiers
            del tiers[before][connection]
            self._tiers[connection] = connection.doing
            tiers[connection.doing][connection] = None

    def remove(self, connection: WatchedConnection) -> None:
        """Count one no more; it may be gone already."""
        tier = self._tiers.pop(connection, None)
        if tier is not None:
            share = self._shares[connection.address]
            del share.tiers[tier][connection]
            if not len(share):
                del self._shares[connection.address]

    def look(self, now: float) -> None:
        """End those that kept the server waiting too long, and of answers that an address does not read the largest."""
        for connection in [each for each in self._tiers if each.overdue(now)]:
            connection.cut()
        for address, share in list(self._shares.items()):
            waiting = sorted(
                (each for tier in share.tiers for each in tier if each.unread),
                key=lambda each: each.unread,
            )
            unread = sum(each.unread for each in waiting)
            while unread > MOST_UNREAD and address not in self._proxies:
                unread -= waiting[-1].unread
                waiting.pop().cut()


class Listening(uvicorn.Server):
    """Looks at who comes before it lets them in."""

    def __init__(
        self, config: uvicorn.Config, connections: Connections, tell: Callable[[str], object]
    ) -> None:
        super().__init__(config)
        self._connections, self._tell, self._told = connections, tell, False
        self._doors: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to let people in."""
        await super().startup(sockets=[])
        doors = [self._let_in(each) for each in sockets or ()]
        self._doors = [asyncio.create_task(each) for each in (*doors, self._look())]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in any more, and end."""
        for door in self._doors:
            door.cancel()
        await super().shutdown(sockets)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self._connections.look(time.monotonic())

    async def _let_in(self, listening: socket.socket) -> None:
        loop, shut = asyncio.get_running_loop(), 0
        listening.setblocking(False)
        while True:
            try:
                came, (address, *_) = await loop.sock_accept(listening)
                if self._connections.admit(address):
                    await loop.connect_accepted_socket(self._connection, came)
                    continue
            except OSError as fault:
                await self._wait(fault)
                continue
            came.close()
            shut += 1
            if not shut % MANY:
                await asyncio.sleep(0)

    async def _wait(self, fault: OSError) -> None:
        """Wait after somebody could not be let in: a little where they went away, longer where there are no files left."""
        if fault.errno not in OUT_OF_FILES:
            await asyncio.sleep(LOOK_SECONDS / 50)
            return
        if not self._told:
            self._tell(TOO_MANY_FILES)
        self._told = True
        spared = [self._connections.spare_one() for _ in range(SPARED)]
        await asyncio.sleep(LOOK_SECONDS / 10 if spared[0] else ACCEPT_PAUSE)

    def _connection(self) -> WatchedConnection:
        state = self.lifespan.state
        return WatchedConnection(
            self._connections, config=self.config, server_state=self.server_state, app_state=state
        )


class Bell:
    """Wakes the pages that wait. It is rung by the thread that writes, and heard in the loop that answers."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Event, tuple[str, str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._looking: asyncio.Task[None] | None = None
        self._rung = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def turn(self) -> int:
        """Return how often it rang; asked before what a page knows is looked at, so that nothing is missed between that and waiting."""
        self._loop = asyncio.get_running_loop()
        return self._rung

    def ring(self, people: Iterable[str]) -> None:
        """Wake the pages of some people, or with EVERYBODY among them all."""
        called = frozenset(people)
        if called and self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and so has all that waited
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

    async def wait(
        self, turn: int, person: str, address: str, look: Callable[[], Awaitable[object]] | None
    ) -> None:
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
            await asyncio.sleep(NEWS_SECONDS)
            with suppress(IrjudgeError):  # the database is away for a moment
                await look()


def room_for_connections() -> int:
    """Raise the limit of open files as far as connections need it, and return how many connections there can be."""
    if resource is None:
        return MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        reached = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (reached, hard))
            soft = reached
    return (
        MOST_CONNECTIONS
        if soft == resource.RLIM_INFINITY
        else max(1, min(MOST_CONNECTIONS, soft - OTHER_FILES))
    )
