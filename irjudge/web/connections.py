"""HTTP of the session server: connections, headers, proxies and rate limits."""

import asyncio
import errno
import gzip
import json
import re
import socket
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Lock
from typing import Any

import h11
import uvicorn
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage
from uvicorn.protocols.http.h11_impl import H11Protocol

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.web.safe_html import NO_FRAMES, RESPONSE_POLICY
from irjudge.web.session_state import EVERYBODY, Refused

# Whose request it is: the other end of the connection, or, where that is a proxy somebody trusts, who the proxy says it is.

IPV6_PREFIX_BITS = 64  # leading bits of an IPv6 address that one house has to itself
_FORWARDED_FOR = re.compile(r'(?:^|[;,])\s*for\s*=\s*("[^"]*"|[^;,\s]*)', re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$")


class TrustedProxies:
    """Addresses and networks whose word about others is believed."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._networks: list[IPv4Network | IPv6Network] = []
        for each in trusted:
            try:
                self._networks.append(ip_network(each, strict=False))
            except ValueError as fault:
                raise IrjudgeError(
                    "{proxy} is not an address or a network, such as 10.0.0.7 or 10.0.0.0/8.",
                    key="proxy-address",
                    proxy=each,
                ) from fault

    def __contains__(self, address: str) -> bool:
        known = _parse_address(address) if self._networks else None
        return known is not None and any(known in network for network in self._networks)

    def client_of(self, hops: list[str]) -> str:
        """Return the last of some hops that is not trusted; empty where it is no address, or there is none."""
        untrusted = next((hop for hop in reversed(hops) if hop not in self), "")
        known = _parse_address(untrusted)
        return str(known) if known is not None else ""


def client_address(request: HTTPConnection, proxies: TrustedProxies) -> str:
    """Return the address of the person who asks.

    Headers are read only where a trusted proxy sent them; where two of them disagree, the client wrote one of them, and neither is
    believed.
    """
    peer = request.client.host if request.client else ""
    if peer not in proxies:
        return peer
    forwarded = ",".join(request.headers.getlist("x-forwarded-for"))
    said = (
        {proxies.client_of([_strip_port(hop) for hop in forwarded.split(",")])}
        if forwarded
        else set()
    )
    if standard := ",".join(request.headers.getlist("forwarded")):
        said.add(
            proxies.client_of(
                [_strip_port(hop.strip('"')) for hop in _FORWARDED_FOR.findall(standard)]
            )
        )
    return said.pop() or peer if len(said) == 1 else peer


def rate_limit_key(address: str) -> str:
    """Return what an address is counted as: of IPv6 the network of a house, which has as many addresses as it likes.

    >>> rate_limit_key("2001:db8:1:2::7"), rate_limit_key("::ffff:10.0.0.7"), rate_limit_key("10.0.0.7")
    ('2001:db8:1:2::', '10.0.0.7', '10.0.0.7')
    """
    known = _parse_address(address)
    if isinstance(known, IPv6Address):
        return str(ip_network((known, IPV6_PREFIX_BITS), strict=False).network_address)
    return str(known) if known is not None else address


def _strip_port(hop: str) -> str:
    """Return a hop without its port and brackets."""
    found = _HOST_AND_PORT.match(hop.strip())
    return (found[1] or found[2] or "") if found else hop.strip()


@lru_cache(4096)
def _parse_address(address: str) -> IPv4Address | IPv6Address | None:
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(known, "ipv4_mapped", None) or known


# What stands in front of all routes: who asks, by which name, and the headers of every answer, errors included.

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": RESPONSE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_HEADER_FIELDS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
MAX_CONCURRENT_REQUESTS = 512  # requests of one person's address that a proxy has under way


def as_json(data: object) -> bytes:
    """Return JSON in bytes; a half of a letter, which some browsers send, becomes a question mark."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def json_response(status: int, data: object, *, close: bool = False, wait: int = 0) -> Response:
    """Return an answer in JSON."""
    text = data if isinstance(data, bytes) else as_json(data)
    headers = ({"Connection": "close"} if close else {}) | (
        {"Retry-After": str(wait)} if wait else {}
    )
    return Response(text, status, headers, "application/json")


class HeaderMiddleware:
    """Answers what needs no route, and lets the rest through with the address of the person who asks."""

    def __init__(
        self, app: ASGIApp, known: Callable[[Headers], bool], proxies: TrustedProxies
    ) -> None:
        self._app, self._known, self._proxies = app, known, proxies
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        begun = False

        async def sent(message: AsgiMessage) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                said = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(each for each in _HEADER_FIELDS if each[0] not in said),
                ]
            await send(message)

        asked = HTTPConnection(scope)
        peer = asked.client.host if asked.client else ""
        address = client_address(asked, self._proxies)
        scope["client"] = (address, 0)
        own = rate_limit_key(address)
        self._under_way[own] += 1
        try:
            await (self._refusal(asked.headers, peer, own) or self._app)(scope, receive, sent)
        except Exception:  # whatever it is, the page has to hear of it
            if begun:
                raise
            await json_response(
                500, {"problem": "A fault of the server.", "kind": "fault"}, close=True
            )(scope, receive, sent)
        finally:
            self._under_way[own] -= 1
            if not self._under_way[own]:
                del self._under_way[own]

    def _refusal(self, headers: Headers, peer: str, own: str) -> Response | None:
        if "content-length" in headers and "transfer-encoding" in headers:
            return json_response(
                400, {"problem": "A request has one length, not two.", "kind": "broken"}, close=True
            )
        if not self._known(headers):
            return wrong_host_response()
        if peer in self._proxies and self._under_way[own] > MAX_CONCURRENT_REQUESTS:
            return json_response(
                503, {"problem": "Too many requests at once.", "kind": "busy"}, wait=1
            )
        return None


def wrong_host_response() -> Response:
    """Return the answer to who asks by a name that is not ours."""
    return json_response(
        403, {"problem": "This server is not asked for by that name.", "kind": "host"}, close=True
    )


class Page:
    """A page that is sent packed, and not again to a browser that has it."""

    def __init__(self, text: str, policy: str) -> None:
        self._plain = text.encode()
        self._packed = gzip.compress(self._plain, mtime=0)
        self._headers = {
            "Cache-Control": "no-cache",  # it may be kept, and is asked for anew each time
            "Content-Security-Policy": f"{policy}; {NO_FRAMES}",
            "ETag": f'W/"{sha256(self._plain).hexdigest()[:32]}"',
            "Vary": "Accept-Encoding",
        }

    def answer(self, request: Request) -> Response:
        """Return the page, or that nothing has changed."""
        if _is_tag_listed(request.headers.get("if-none-match", ""), self._headers["ETag"]):
            return Response(None, 304, self._headers)
        packed = _accepts_gzip(request.headers)
        more = {"Content-Encoding": "gzip"} if packed else {}
        return Response(
            self._packed if packed else self._plain, 200, self._headers | more, "text/html"
        )


def _is_tag_listed(tags: str, tag: str) -> bool:
    """Tell whether If-None-Match names a tag; that it is weak makes no difference."""
    bare = [each.strip().removeprefix("W/") for each in tags.split(",")]
    return "*" in bare or tag.removeprefix("W/") in bare


def _accepts_gzip(headers: Mapping[str, str]) -> bool:
    taken = (
        each.replace(" ", "").lower().partition(";")
        for each in headers.get("accept-encoding", "").split(",")
    )
    return any(
        name == "gzip" and more not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
        for name, _, more in taken
    )


# How much each may ask of a server: work, bytes, wrong codes, and how many join from one address.

WORK_RATE, WORK_BURST = 0.15, 5.0  # seconds of the writer, for each second and at first
BYTES_RATE, BYTES_BURST = 2_000_000, 64_000_000  # of answers, likewise
MAX_BUDGETS = 4096  # people whose account is kept
MAX_WRONG_CODES, MAX_JOINS, RATE_WINDOW = (
    10,
    150,
    60.0,
)  # of one address in a minute: a class behind one has 60 people
WRONG_CODE_DELAY = 2.0  # seconds that a further wrong code waits for its answer


class ServerBusy(IrjudgeError):
    """A server has more to do than it can; `seconds` from now there may be room."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            "The server has too much to do just now. Nothing is lost; this page tries again."
        )
        self.seconds = max(1, round(seconds + 0.5))


class RateBudget:
    """What each person may still ask for: it is spent, and comes back with time."""

    def __init__(
        self, rate: float, burst: float, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._capacity, self._monotonic = rate, burst, monotonic
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
            return self._now(who) - self._capacity

    def spend(self, who: str, amount: float) -> None:
        """Take from what somebody has."""
        with self._turn:
            if len(self._spent) >= MAX_BUDGETS:
                self._spent = {
                    each: kept for each, kept in self._spent.items() if self._now(each) > 0
                }
            self._spent[who] = self._now(who) + amount, self._monotonic()

    def _now(self, who: str) -> float:
        spent, when = self._spent.get(who, (0.0, 0.0))
        return max(0.0, spent - (self._monotonic() - when) * self._rate)


class JoinLimiter:
    """Slows who tries wrong codes, and bounds how many join from one address in a minute; who has the right code passes."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wrong, self._joined = _RecentCounts(monotonic), _RecentCounts(monotonic)

    def wrong(self, address: str) -> float:
        """Note a wrong code, and return the seconds for which its answer waits: nobody else waits for that."""
        return (
            WRONG_CODE_DELAY if self._wrong.note(rate_limit_key(address)) > MAX_WRONG_CODES else 0.0
        )

    def joined(self, address: str) -> None:
        """Note somebody who joins; raise `Refused` when as many did from there as a big class has."""
        if self._joined.note(rate_limit_key(address)) > MAX_JOINS:
            raise Refused(
                "slow",
                "Too many people join from this network at once. Wait a minute, then try again.",
            )


class _RecentCounts:
    """Counts what happened at each address in the last minute, however many addresses there are."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._times: deque[tuple[float, str]] = deque()
        self._counts: Counter[str] = Counter()

    def note(self, address: str) -> int:
        """Note one more, and return how many there are now."""
        now = self._monotonic()
        while self._times and now - self._times[0][0] > RATE_WINDOW:
            _, gone = self._times.popleft()
            self._counts[gone] -= 1
            if not self._counts[gone]:
                del self._counts[gone]
        self._times.append((now, address))
        self._counts[address] += 1
        return self._counts[address]


# Who is connected: a share for each address and a ceiling for all, an end for who keeps it waiting, and a bell for who waits.

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

MAX_PER_ADDRESS = 512  # connections of one address: a class behind one has some for each browser
MAX_REPLACED_PER_SECOND = 200  # in a second, connections of an address with its whole share that go for new ones; more find the door shut
MAX_CONNECTIONS = 3000
RESERVED_FILES = 200  # open beside connections: the project, a database, what Python loads
HEADER_TIMEOUT = 10.0  # for the first lines of a request, on a connection that is open
WRITE_TIMEOUT = 30.0  # until an answer is read
CLOSE_TIMEOUT = 5.0
KEEP_ALIVE_SECONDS = 75  # between two requests
CHECK_INTERVAL = 0.5  # between two looks at who waits for whom
ACCEPT_PAUSE = (
    1.0  # seconds until it is tried again to let somebody in, where nobody could be spared
)
REFUSALS_PER_YIELD = 64  # that find the door shut before those that are here go on
EVICTION_BATCH = 32  # connections that end where no file is left
MAX_UNREAD_BYTES = 64_000_000  # bytes of answers that one address has not read
OUT_OF_FILES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
# Of pages that wait to hear of something at once, such as a pause.
LONG_POLL_SECONDS = 25.0  # that a page waits; proxies cut off what is silent for a minute
MAX_POLLS_PER_PARTICIPANT = 3  # pages of one person that wait
MAX_POLLS_PER_ADDRESS = (
    256  # pages that wait at one address: half of its connections stay for what they do
)
POLL_INTERVAL = 0.4  # between two looks at what other servers of the session did
BUSY_RETRY_SECONDS = 2  # until a page asks again that may not wait
AWAITING_CLIENT, IDLE, RESPONDING = range(
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
        self._among.update(self)

    def on_response_complete(self) -> None:
        """Note that an answer is written."""
        self.answered += 1
        super().on_response_complete()
        self._among.update(self)

    def pause_writing(self) -> None:
        """Note that an answer is not read."""
        super().pause_writing()
        self._among.update(self)

    def resume_writing(self) -> None:
        """Note that it is."""
        super().resume_writing()
        self._since = time.monotonic()
        self._among.update(self)

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
    def activity(self) -> int:
        """What it does: the server waits for it to ask or to read, or it rests after an answer, or is being answered."""
        if self.flow.write_paused or self.cycle is None:
            return AWAITING_CLIENT
        if self.cycle.response_complete:
            return IDLE
        return AWAITING_CLIENT if self.cycle.more_body else RESPONDING

    @property
    def unread(self) -> int:
        """How many bytes of answers wait to be read."""
        return self.transport.get_write_buffer_size()

    def is_overdue(self, now: float) -> bool:
        """Tell whether it has kept the server waiting too long; asked again and again."""
        if self.transport.is_closing():
            state, limit = ("closing", 0), CLOSE_TIMEOUT
        elif self.unread:
            state, limit = ("unread", 0), WRITE_TIMEOUT
        elif self.timeout_keep_alive_task is None and (
            self.cycle is None or self.cycle.response_complete
        ):
            state, limit = ("head", self.answered), HEADER_TIMEOUT
        else:
            state, limit = ("served", 0), float("inf")
        if state != self._state:
            self._state, self._since = state, now
        return now - self._since > limit

    def cut(self) -> None:
        """End at once, whatever is under way."""
        self._among.remove(self)
        self.transport.abort()


class _AddressConnections:
    """The connections of one address, by what they do, each the oldest first."""

    def __init__(self) -> None:
        self.tiers: tuple[dict[WatchedConnection, None], ...] = ({}, {}, {})

    def __len__(self) -> int:
        return sum(map(len, self.tiers))

    def find_evictable(self) -> WatchedConnection | None:
        """Return who can be spared most; None where all are being answered."""
        return next((connection for tier in self.tiers[:RESPONDING] for connection in tier), None)


class Connections:
    """All connections of a server."""

    def __init__(self, proxies: TrustedProxies | None = None, most: int = MAX_CONNECTIONS) -> None:
        self._proxies, self._most = proxies or TrustedProxies(), most
        self._shares: dict[str, _AddressConnections] = {}
        self._tiers: dict[WatchedConnection, int] = {}
        self._replacements = RateBudget(
            MAX_REPLACED_PER_SECOND, MAX_REPLACED_PER_SECOND
        )  # connections that went for others of their address

    def __len__(self) -> int:
        return len(self._tiers)

    def of(self, address: str) -> int:
        """Return how many an address has."""
        return len(self._shares.get(self.counted(address), ()))

    def counted(self, address: str) -> str:
        """Return what an address is counted as."""
        return address if address in self._proxies else rate_limit_key(address)

    def admit(self, address: str) -> bool:
        """Tell whether one more of an address can come in; who can be spared goes for it."""
        own = self.counted(address)
        if own not in self._proxies and len(self._shares.get(own, ())) >= MAX_PER_ADDRESS:
            if self._replacements.over(own) > 0 or not self._evict(own):
                return False
            self._replacements.spend(own, 1.0)
        return len(self) < self._most or self.evict_one()

    def evict_one(self) -> bool:
        """End who can be spared most, of the address that has most; tell whether there was one."""
        by_size = sorted(
            self._shares, key=lambda each: (each in self._proxies, -len(self._shares[each]))
        )
        return any(map(self._evict, by_size))

    def _evict(self, address: str) -> bool:
        spared = self._shares[address].find_evictable()
        if spared is not None:
            spared.cut()
        return spared is not None

    def add(self, connection: WatchedConnection) -> None:
        """Count one that was let in."""
        self._shares.setdefault(connection.address, _AddressConnections()).tiers[AWAITING_CLIENT][
            connection
        ] = None
        self._tiers[connection] = AWAITING_CLIENT

    def update(self, connection: WatchedConnection) -> None:
        """Take note of what one does now."""
        before = self._tiers.get(connection)
        if before is not None and connection.activity != before:
            tiers = self._shares[connection.address].tiers
            del tiers[before][connection]
            self._tiers[connection] = connection.activity
            tiers[connection.activity][connection] = None

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
        for connection in [each for each in self._tiers if each.is_overdue(now)]:
            connection.cut()
        for address, share in list(self._shares.items()):
            waiting = sorted(
                (each for tier in share.tiers for each in tier if each.unread),
                key=lambda each: each.unread,
            )
            unread = sum(each.unread for each in waiting)
            while unread > MAX_UNREAD_BYTES and address not in self._proxies:
                unread -= waiting[-1].unread
                waiting.pop().cut()


class LimitedServer(uvicorn.Server):
    """Looks at who comes before it lets them in."""

    def __init__(
        self, config: uvicorn.Config, connections: Connections, tell: Callable[[str], object]
    ) -> None:
        super().__init__(config)
        self._connections, self._tell, self._told = connections, tell, False
        self._tasks: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to let people in."""
        await super().startup(sockets=[])
        doors = [self._accept(each) for each in sockets or ()]
        self._tasks = [asyncio.create_task(each) for each in (*doors, self._look())]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in any more, and end."""
        for door in self._tasks:
            door.cancel()
        await super().shutdown(sockets)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(CHECK_INTERVAL)
            self._connections.look(time.monotonic())

    async def _accept(self, listening: socket.socket) -> None:
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
            if not shut % REFUSALS_PER_YIELD:
                await asyncio.sleep(0)

    async def _wait(self, fault: OSError) -> None:
        """Wait after somebody could not be let in: a little where they went away, longer where there are no files left."""
        if fault.errno not in OUT_OF_FILES:
            await asyncio.sleep(CHECK_INTERVAL / 50)
            return
        if not self._told:
            self._tell(TOO_MANY_FILES)
        self._told = True
        spared = [self._connections.evict_one() for _ in range(EVICTION_BATCH)]
        await asyncio.sleep(CHECK_INTERVAL / 10 if spared[0] else ACCEPT_PAUSE)

    def _connection(self) -> WatchedConnection:
        state = self.lifespan.state
        return WatchedConnection(
            self._connections, config=self.config, server_state=self.server_state, app_state=state
        )


class Notifier:
    """Wakes the pages that wait. It is rung by the thread that writes, and heard in the loop that answers."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Event, tuple[str, str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._looking: asyncio.Task[None] | None = None
        self._generation = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def turn(self) -> int:
        """Return how often it rang; asked before what a page knows is looked at, so that nothing is missed between that and waiting."""
        self._loop = asyncio.get_running_loop()
        return self._generation

    def notify(self, people: Iterable[str]) -> None:
        """Wake the pages of some people, or with EVERYBODY among them all."""
        called = frozenset(people)
        if called and self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and so has all that waited
                self._loop.call_soon_threadsafe(self._set_events, called)

    def close(self) -> None:
        """Let nobody wait any more."""
        self._closed = True
        self.notify([EVERYBODY])

    def _set_events(self, called: frozenset[str]) -> None:
        self._generation += 1
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
        if self._closed or mine >= MAX_POLLS_PER_PARTICIPANT or here >= MAX_POLLS_PER_ADDRESS:
            raise ServerBusy(BUSY_RETRY_SECONDS - 0.5)
        if turn != self._generation:
            return
        rung = asyncio.Event()
        self._waiting[rung] = person, address
        if look and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look(look))
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(rung.wait(), LONG_POLL_SECONDS)
        finally:
            del self._waiting[rung]

    async def _look(self, look: Callable[[], Awaitable[object]]) -> None:
        """Look again and again, as long as anybody waits."""
        while self._waiting and not self._closed:
            await asyncio.sleep(POLL_INTERVAL)
            with suppress(IrjudgeError):  # the database is away for a moment
                await look()


def raise_file_limit() -> int:
    """Raise the limit of open files as far as connections need it, and return how many connections there can be."""
    if resource is None:
        return MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        reached = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (reached, hard))
            soft = reached
    return (
        MAX_CONNECTIONS
        if soft == resource.RLIM_INFINITY
        else max(1, min(MAX_CONNECTIONS, soft - RESERVED_FILES))
    )
