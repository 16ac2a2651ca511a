"""HTTP layer of the session server: connections, headers, proxies and rate limits."""

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
from functools import cached_property, lru_cache
from hashlib import sha256
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from itertools import chain
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
from irjudge.web.session_state import ALL_PARTICIPANTS, Refused

# Client address, taken from forwarding headers if the peer is a trusted proxy

IPV6_PREFIX_BITS = 64  # prefix length of the IPv6 network of one household
_FORWARDED_FOR = re.compile(r'(?:^|[;,])\s*for\s*=\s*("[^"]*"|[^;,\s]*)', re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$")


class TrustedProxies:
    """Reverse proxies, by address or network, whose forwarding headers are trusted."""

    def __init__(self, trusted_addresses: Iterable[str] = ()) -> None:
        self._networks: list[IPv4Network | IPv6Network] = []
        for address in trusted_addresses:
            try:
                self._networks.append(ip_network(address, strict=False))
            except ValueError as error:
                raise IrjudgeError(
                    "{proxy} is not an address or a network such as 10.0.0.7 or 10.0.0.0/8.",
                    key="proxy-address",
                    proxy=address,
                ) from error

    def __contains__(self, address: str) -> bool:
        ip = _parse_address(address) if self._networks else None
        return ip is not None and any(ip in network for network in self._networks)

    def find_client(self, addresses: list[str]) -> str:
        """Return the last of `addresses` that is not a trusted proxy.

        The addresses are those of a forwarding header, to which each proxy appends its client.
        Return an empty string if all addresses are trusted proxies, or if the last one that is not
        a trusted proxy is invalid.
        """
        ip = _parse_address(
            next((address for address in reversed(addresses) if address not in self), "")
        )
        return str(ip) if ip is not None else ""


def client_address(request: HTTPConnection, proxies: TrustedProxies) -> str:
    """Return the address of the client that sent a request.

    Forwarding headers are read only if a trusted proxy sent the request. If X-Forwarded-For and
    Forwarded name different clients, one of them was forged, and the address of the proxy is
    returned.
    """
    peer = request.client.host if request.client else ""
    if peer not in proxies:
        return peer
    forwarded_for_header = ",".join(request.headers.getlist("x-forwarded-for"))
    client_addresses = (
        {proxies.find_client([_strip_port(address) for address in forwarded_for_header.split(",")])}
        if forwarded_for_header
        else set()
    )
    if forwarded_header := ",".join(request.headers.getlist("forwarded")):
        client_addresses.add(
            proxies.find_client(
                [
                    _strip_port(address.strip('"'))
                    for address in _FORWARDED_FOR.findall(forwarded_header)
                ]
            )
        )
    return client_addresses.pop() or peer if len(client_addresses) == 1 else peer


def rate_limit_key(address: str) -> str:
    """Return the key of an address in rate limits: for IPv6, its /64 network.

    >>> rate_limit_key("2001:db8:1:2::7"), rate_limit_key("::ffff:10.0.0.7"), rate_limit_key("10.0.0.7")
    ('2001:db8:1:2::', '10.0.0.7', '10.0.0.7')
    """
    ip = _parse_address(address)
    if isinstance(ip, IPv6Address):
        return str(ip_network((ip, IPV6_PREFIX_BITS), strict=False).network_address)
    return str(ip) if ip is not None else address


def _strip_port(address: str) -> str:
    match = _HOST_AND_PORT.match(address.strip())
    return (match[1] or match[2] or "") if match else address.strip()


@lru_cache(4096)
def _parse_address(address: str) -> IPv4Address | IPv6Address | None:
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


# Middleware and responses

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": RESPONSE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_HEADER_FIELDS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
MAX_CONCURRENT_REQUESTS = (
    512  # maximum number of simultaneous requests of one client behind a proxy
)


def as_json(data: object) -> bytes:
    """Encode data as JSON; replace unpaired surrogates with question marks."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def json_response(status: int, data: object, *, close: bool = False, wait: int = 0) -> Response:
    """Return a response with a JSON body."""
    body = data if isinstance(data, bytes) else as_json(data)
    headers = ({"Connection": "close"} if close else {}) | (
        {"Retry-After": str(wait)} if wait else {}
    )
    return Response(body, status, headers, "application/json")


class HeaderMiddleware:
    """ASGI middleware that adds security headers to responses and rejects some requests.

    It rejects requests for another host name, and those with both Content-Length and
    Transfer-Encoding. In requests from a trusted proxy, it replaces the address of the proxy by the
    address of the client, and rejects requests of a client that already has
    `MAX_CONCURRENT_REQUESTS` requests in progress. An exception in the application becomes a
    response with status 500.
    """

    def __init__(
        self, app: ASGIApp, is_known_host: Callable[[Headers], bool], proxies: TrustedProxies
    ) -> None:
        self._app, self._is_known_host, self._proxies = app, is_known_host, proxies
        self._request_counts: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; an unexpected exception results in status 500."""
        has_started = False

        async def send_with_headers(message: AsgiMessage) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                header_names = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(field for field in _HEADER_FIELDS if field[0] not in header_names),
                ]
            await send(message)

        connection = HTTPConnection(scope)
        peer = connection.client.host if connection.client else ""
        address = client_address(connection, self._proxies)
        scope["client"] = (address, 0)
        client_key = rate_limit_key(address)
        self._request_counts[client_key] += 1
        try:
            await (self._make_refusal(connection.headers, peer, client_key) or self._app)(
                scope, receive, send_with_headers
            )
        except Exception:  # after any error, the page must receive a response
            if has_started:
                raise
            await json_response(
                500, {"problem": "Internal server error.", "kind": "fault"}, close=True
            )(scope, receive, send_with_headers)
        finally:
            self._request_counts[client_key] -= 1
            if not self._request_counts[client_key]:
                del self._request_counts[client_key]

    def _make_refusal(self, headers: Headers, peer: str, client_key: str) -> Response | None:
        if "content-length" in headers and "transfer-encoding" in headers:
            return json_response(
                400,
                {
                    "problem": "A request must not have both Content-Length and Transfer-Encoding.",
                    "kind": "broken",
                },
                close=True,
            )
        if not self._is_known_host(headers):
            return foreign_host_response()
        if peer in self._proxies and self._request_counts[client_key] > MAX_CONCURRENT_REQUESTS:
            return json_response(
                503, {"problem": "Too many concurrent requests.", "kind": "busy"}, wait=1
            )
        return None


def foreign_host_response() -> Response:
    """Return the response to a request with an unknown `Host` header."""
    return json_response(
        403,
        {"problem": "This server does not accept requests to this host name.", "kind": "host"},
        close=True,
    )


class Page:
    """HTML page that is sent compressed if possible, and only if the browser's copy is outdated."""

    def __init__(self, text: str, policy: str) -> None:
        self._plain_body = text.encode()
        self._headers = {
            "Cache-Control": "no-cache",  # cached, but revalidated each time
            "Content-Security-Policy": f"{policy}; {NO_FRAMES}",
            "ETag": f'W/"{sha256(self._plain_body).hexdigest()[:32]}"',
            "Vary": "Accept-Encoding",
        }

    @cached_property
    def _compressed_body(self) -> bytes:
        """Body for browsers that accept gzip; compressed when first requested."""
        return gzip.compress(self._plain_body, mtime=0)

    def answer(self, request: Request) -> Response:
        """Return the page, or status 304 if the browser's copy is current."""
        if _is_tag_listed(request.headers.get("if-none-match", ""), self._headers["ETag"]):
            return Response(None, 304, self._headers)
        is_compressed = _accepts_gzip(request.headers)
        return Response(
            self._compressed_body if is_compressed else self._plain_body,
            200,
            self._headers | ({"Content-Encoding": "gzip"} if is_compressed else {}),
            "text/html",
        )


def _is_tag_listed(tags: str, tag: str) -> bool:
    """Return whether the header If-None-Match lists an entity tag (weak comparison)."""
    listed_tags = [tag.strip().removeprefix("W/") for tag in tags.split(",")]
    return "*" in listed_tags or tag.removeprefix("W/") in listed_tags


def _accepts_gzip(headers: Mapping[str, str]) -> bool:
    encodings = (
        encoding.replace(" ", "").lower().partition(";")
        for encoding in headers.get("accept-encoding", "").split(",")
    )
    return any(
        name == "gzip" and parameters not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
        for name, _, parameters in encodings
    )


# Rate limits

# time of the writer thread that a participant may use: seconds added to the budget per second, and
# maximum budget
WORK_RATE, WORK_BURST = 0.15, 5.0
# bytes of responses that a participant may request: number added to the budget per second, and
# maximum budget
BYTES_RATE, BYTES_BURST = 2_000_000, 64_000_000
MAX_BUDGETS = 4096  # number of stored budgets at which unused budgets are removed
MAX_INVALID_CODES = 10  # number of wrong codes per address and minute that cause no delay
MAX_JOINS = 150  # maximum number of joins per address and minute; a class may share an address
RATE_WINDOW_SECONDS = 60.0
INVALID_CODE_DELAY = 2.0  # delay of responses to wrong codes above the limit, in seconds


class ServerBusy(IrjudgeError):
    """Error: the server is overloaded, or a client has used up its share.

    The page retries after `seconds`.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__("The server is busy. Nothing is lost; this page will retry automatically.")
        self.seconds = max(1, round(seconds + 0.5))


class RateBudget:
    """Token buckets: a budget of each client for a resource, refilled at a constant rate.

    The resource is, for example, processor time or bytes; the client is a token or an address. A
    budget contains at most `burst`, and `rate` is the amount added per second. A budget can be
    overdrawn: `spend` never fails, while `check` raises `ServerBusy` after an overdraft.
    """

    def __init__(
        self, rate: float, burst: float, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._capacity, self._monotonic = rate, burst, monotonic
        # for each key: the amount spent, and the time at which the amount was computed
        self._spending_by_key: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def check(self, key: str) -> None:
        """Raise `ServerBusy` if a budget is used up."""
        overdraft = self.overdraft(key)
        if overdraft > 0:
            raise ServerBusy(overdraft / self._rate)

    def overdraft(self, key: str) -> float:
        """Return the amount spent minus the maximum; above 0 if the budget is overdrawn."""
        with self._lock:
            return self._get_spending(key) - self._capacity

    def spend(self, key: str, amount: float) -> None:
        """Charge an amount to a budget."""
        with self._lock:
            if len(self._spending_by_key) >= MAX_BUDGETS:
                self._spending_by_key = {
                    client_key: spending
                    for client_key, spending in self._spending_by_key.items()
                    if self._get_spending(client_key) > 0
                }
            self._spending_by_key[key] = self._get_spending(key) + amount, self._monotonic()

    def _get_spending(self, key: str) -> float:
        last_amount, update_time = self._spending_by_key.get(key, (0.0, 0.0))
        return max(0.0, last_amount - (self._monotonic() - update_time) * self._rate)


class JoinLimiter:
    """Limits on wrong codes and on joins, per address and minute.

    Above the limits, responses to wrong codes are delayed, and joins are refused.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._invalid_codes, self._joins = _RecentCounts(monotonic), _RecentCounts(monotonic)

    def record_invalid_code(self, address: str) -> float:
        """Record a wrong code; return the seconds by which to delay the response."""
        return (
            INVALID_CODE_DELAY
            if self._invalid_codes.record(rate_limit_key(address)) > MAX_INVALID_CODES
            else 0.0
        )

    def record_join(self, address: str) -> None:
        """Record a join; raise `Refused` if an address exceeds `MAX_JOINS` in a minute."""
        if self._joins.record(rate_limit_key(address)) > MAX_JOINS:
            raise Refused(
                "slow",
                "Too many participants are joining from this network. Wait a minute, then try "
                "again.",
            )


class _RecentCounts:
    """Number of events of each address in the last minute."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._times: deque[tuple[float, str]] = deque()
        self._counts: Counter[str] = Counter()

    def record(self, address: str) -> int:
        """Record an event; return the number of events of the address in the last minute."""
        now = self._monotonic()
        while self._times and now - self._times[0][0] > RATE_WINDOW_SECONDS:
            _, expired_address = self._times.popleft()
            self._counts[expired_address] -= 1
            if not self._counts[expired_address]:
                del self._counts[expired_address]
        self._times.append((now, address))
        self._counts[address] += 1
        return self._counts[address]


# Limits on connections per address and in total, timeouts, and long polls

try:
    import resource
except ImportError:  # not available on Windows
    resource = None  # type: ignore[assignment]

# maximum number of connections of an address, which several participants may share
MAX_CONNECTIONS_PER_ADDRESS = 512
# Maximum number of new connections per second of an address that already has the maximum number
# of connections. Each new connection replaces an old one; further connections are refused.
MAX_REPLACED_PER_SECOND = 200
MAX_CONNECTIONS = 3000
RESERVED_FILES = 200  # number of files that the server may open in addition to connections
HEADER_TIMEOUT = 10.0  # seconds within which a client must send the head of a request
WRITE_TIMEOUT = 30.0  # seconds within which a client must read each part of a response
WRITE_PART_BYTES = 1_048_576
CLOSE_TIMEOUT = 5.0
KEEP_ALIVE_SECONDS = 75  # maximum number of seconds between two requests of a connection
CHECK_INTERVAL = 0.5  # seconds between checks for overdue connections
ACCEPT_PAUSE = 1.0  # seconds to wait after a failed accept if no connection could be closed
REFUSALS_PER_YIELD = 64  # number of refused connections after which other tasks may run
EVICTION_BATCH = 32  # number of connections to close when no file descriptor is left
MAX_UNREAD_BYTES = 64_000_000  # maximum number of bytes waiting to be sent to one address
FILE_LIMIT_ERRORS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
# Long polls, by which pages are notified of changes such as a pause
LONG_POLL_SECONDS = 25.0  # less than a minute, after which proxies close idle connections
MAX_POLLS_PER_PARTICIPANT = 3
MAX_POLLS_PER_ADDRESS = 256  # number of long polls per address: half of its connections
POLL_INTERVAL = 0.4  # seconds between polls for changes by other servers
BUSY_RETRY_SECONDS = 2  # seconds after which a page polls again if there were too many polls
# activities of a connection, in the order of eviction; a responding connection is not evicted
AWAITING_CLIENT, IDLE, RESPONDING = range(3)
TOO_MANY_FILES = Message(
    "The server cannot open more files at the moment: some connections were closed, and others must wait."
)


# share of the event loop's time that is used for queued requests, such as those without a trusted
# token
QUEUED_REQUEST_SHARE = 0.4
# time of the event loop that a participant may use: seconds added to the budget per second, and
# maximum budget
LOOP_RATE, LOOP_BURST = 0.1, 2.0
# estimated time in seconds that the event loop needs for a request after reading it
REQUEST_SECONDS = 0.0015
MAX_SLICE_SECONDS = 0.01  # seconds of processing after which other tasks may run
MAX_TOKENS = 4096  # maximum number of stored tokens; the least recently used is removed
MAX_PENDING_BYTES = 1 << 20  # maximum number of received, unprocessed bytes per connection
_TOKEN = re.compile(rb"\r\nauthorization: *bearer +([^\s]+) *\r\n", re.IGNORECASE)


class WorkQueue:
    """Queue that distributes the event loop's time among received requests.

    A request whose token was accepted before is processed immediately, unless the budget of the
    token is used up. Only a share of the time is used for all other requests. There is a queue of
    requests for each token or address, and the queues are processed in turn. Therefore, an address
    with many connections delays mainly its own requests.
    """

    def __init__(self, cpu_time: Callable[[], float] = time.thread_time) -> None:
        self._cpu_time = cpu_time
        self._tokens: dict[str, None] = {}  # least recently used first
        self._budget = RateBudget(LOOP_RATE, LOOP_BURST)
        self._queues: dict[str, deque[WatchedConnection]] = {}  # in the order of processing
        self._timer: asyncio.TimerHandle | None = None
        self._charged_seconds = 0.0  # used for queued requests after their data were processed

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def trust(self, token: str) -> None:
        """Store an accepted token as trusted."""
        self._tokens.pop(token, None)
        self._tokens[token] = None
        if len(self._tokens) > MAX_TOKENS:
            del self._tokens[next(iter(self._tokens))]

    def find_token(self, data: bytes) -> str:
        """Return the trusted token in the head of a request; empty if there is none."""
        match = _TOKEN.search(data)
        token = match[1].decode("ascii", "replace") if match else ""
        return token if token in self._tokens else ""

    def submit(self, connection: "WatchedConnection", token: str, data: bytes) -> None:
        """Process data immediately if `token` has budget left; otherwise, queue the data.

        Data without a trusted token are always queued; `token` is then empty.
        """
        if token and self._budget.overdraft(token) <= 0:
            self._budget.spend(token, self._process(connection, data))
            return
        if not connection.pending:
            self._queues.setdefault(token or connection.address, deque()).append(connection)
            connection.transport.pause_reading()
        connection.pending += data
        if len(connection.pending) > MAX_PENDING_BYTES:
            connection.abort()
        elif self._timer is None:
            self._process_queues()

    def charge(self, token: str, seconds: float) -> None:
        """Charge time of the event loop that a request took after its data were processed.

        The time is charged to the token if it is trusted, otherwise to the share of the queues.
        """
        if token in self._tokens:
            self._budget.spend(token, seconds)
        else:
            self._charged_seconds += seconds

    def _process_queues(self) -> None:
        """Process queued data for about `MAX_SLICE_SECONDS`; schedule the next call."""
        self._timer, elapsed_seconds = None, 0.0
        while self._queues and elapsed_seconds < MAX_SLICE_SECONDS:
            key = next(iter(self._queues))
            queue = self._queues.pop(key)
            connection = queue.popleft()
            if queue:
                self._queues[key] = queue  # moved to the end, so that other keys come next
            elapsed_seconds += self._process(connection, b"")
        elapsed_seconds, self._charged_seconds = elapsed_seconds + self._charged_seconds, 0.0
        pause = elapsed_seconds * (1 - QUEUED_REQUEST_SHARE) / QUEUED_REQUEST_SHARE
        if elapsed_seconds:
            self._timer = asyncio.get_running_loop().call_later(pause, self._process_queues)

    def _process(self, connection: "WatchedConnection", data: bytes) -> float:
        """Process the queued data of a connection, then `data`; return the seconds used."""
        data, connection.pending = connection.pending + data, b""
        if not data or connection.transport.is_closing():
            return 0.0
        start_time, previous_cycle = self._cpu_time(), connection.cycle
        connection.process(data)
        return (
            self._cpu_time()
            - start_time
            + (0.0 if connection.cycle is previous_cycle else REQUEST_SECONDS)
        )


class WatchedConnection(H11Protocol):
    """HTTP connection, whose received data are processed through the `WorkQueue`.

    It reports its activity to `Connections`, which closes it if the client is too slow.
    """

    def __init__(self, connections: "Connections", **protocol_options: Any) -> None:
        super().__init__(**protocol_options)
        self._connections = connections
        self.address, self.answered = "", 0
        self.pending = b""  # received data that have not been processed
        self._token = ""  # trusted token of the current request; empty if there is none
        self._state: tuple[str, int] = ("", 0)
        self._state_time = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register the connection, with its client address."""
        super().connection_made(transport)
        self.address = self._connections.client_key(self.client[0] if self.client else "")
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Submit received data to the work queue, which calls `process`."""
        if self.cycle is None or self.cycle.response_complete:
            self._token = self._connections.work.find_token(self.pending + data)
        self._connections.work.submit(self, self._token, data)

    def process(self, data: bytes) -> None:
        """Parse received data, handle complete requests, and report the activity."""
        if not self.flow.read_paused:
            self.transport.resume_reading()
        super().data_received(data)
        self._connections.update(self)

    def on_response_complete(self) -> None:
        """Count the completed response, and report the activity."""
        self.answered += 1
        super().on_response_complete()
        self._connections.update(self)

    def pause_writing(self) -> None:
        """Record in `Connections` that the client does not read."""
        super().pause_writing()
        self._connections.update(self)

    def resume_writing(self) -> None:
        """Record in `Connections` that the client reads again."""
        super().resume_writing()
        self._state_time = time.monotonic()
        self._connections.update(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection."""
        self._connections.remove(self)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Respond to a malformed request, with the headers of all responses."""
        body = as_json({"problem": msg, "kind": "broken"})
        headers = {
            **HEADERS,
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        fields = [(name.encode(), value.encode()) for name, value in headers.items()]
        with suppress(h11.LocalProtocolError):  # raised if a response was already started
            for event in (
                h11.Response(status_code=400, headers=fields, reason=b"Bad Request"),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    @property
    def activity(self) -> int:
        """AWAITING_CLIENT if the client must send or read, IDLE after a response, or RESPONDING."""
        if self.flow.write_paused or self.cycle is None:
            return AWAITING_CLIENT
        if self.cycle.response_complete:
            return IDLE
        return AWAITING_CLIENT if self.cycle.more_body else RESPONDING

    @property
    def unread(self) -> int:
        """Number of bytes of responses that have not yet been sent."""
        return self.transport.get_write_buffer_size()

    def is_overdue(self, now: float) -> bool:
        """Return whether the client has exceeded the time limit of its activity."""
        if self.transport.is_closing():
            state, limit = ("closing", 0), CLOSE_TIMEOUT
        elif self.unread:
            # The time limit applies to each part, since sending a whole picture can take longer on
            # a slow network.
            state, limit = ("unread", self.unread // WRITE_PART_BYTES), WRITE_TIMEOUT
        elif self.timeout_keep_alive_task is None and (
            self.cycle is None or self.cycle.response_complete
        ):
            state, limit = ("head", self.answered), HEADER_TIMEOUT
        else:
            state, limit = ("served", 0), float("inf")
        if state != self._state:
            self._state, self._state_time = state, now
        return now - self._state_time > limit

    def abort(self) -> None:
        """Close the connection immediately."""
        self._connections.remove(self)
        self.transport.abort()


class _AddressConnections:
    """Connections of one address by activity, in the order in which the activity began."""

    def __init__(self) -> None:
        self.by_activity: tuple[dict[WatchedConnection, None], ...] = ({}, {}, {})

    def __len__(self) -> int:
        return sum(map(len, self.by_activity))


class Connections:
    """Open connections of a server, by client address, with limits per address and in total.

    If a limit is reached, old connections are closed to accept new ones, except connections on
    which the server is answering a request. Connections of slow clients are closed by
    `close_overdue`.
    """

    def __init__(
        self, proxies: TrustedProxies | None = None, max_connections: int = MAX_CONNECTIONS
    ) -> None:
        self._proxies, self._max_connections = proxies or TrustedProxies(), max_connections
        self._connections_by_address: dict[str, _AddressConnections] = {}
        self._activities: dict[WatchedConnection, int] = {}
        # budgets for closing old connections of an address to accept new connections
        self._replacements = RateBudget(MAX_REPLACED_PER_SECOND, MAX_REPLACED_PER_SECOND)
        self.work = WorkQueue()

    def __len__(self) -> int:
        return len(self._activities)

    def client_key(self, address: str) -> str:
        """Return the key under which the connections of an address are counted.

        The key is the address itself for a trusted proxy, otherwise the result of `rate_limit_key`.
        """
        return address if address in self._proxies else rate_limit_key(address)

    def admit(self, address: str) -> bool:
        """Return whether a new connection of an address is accepted.

        If a limit has been reached, an old connection is closed to accept the new one, if possible.
        """
        key = self.client_key(address)
        if (
            key not in self._proxies
            and len(self._connections_by_address.get(key, ())) >= MAX_CONNECTIONS_PER_ADDRESS
        ):
            if self._replacements.overdraft(key) > 0 or not self._evict(key):
                return False
            self._replacements.spend(key, 1.0)
        return len(self) < self._max_connections or self.evict_one()

    def evict_one(self) -> bool:
        """Close a connection of the address with the most connections.

        Return whether a connection was closed.
        """
        addresses_by_size = sorted(
            self._connections_by_address,
            key=lambda client_key: (
                client_key in self._proxies,
                -len(self._connections_by_address[client_key]),
            ),
        )
        return any(map(self._evict, addresses_by_size))

    def _evict(self, address: str) -> bool:
        # connections that respond to a request are not closed
        connection = next(
            chain(*self._connections_by_address[address].by_activity[:RESPONDING]), None
        )
        if connection is not None:
            connection.abort()
        return connection is not None

    def add(self, connection: WatchedConnection) -> None:
        """Add an accepted connection."""
        self._connections_by_address.setdefault(
            connection.address, _AddressConnections()
        ).by_activity[AWAITING_CLIENT][connection] = None
        self._activities[connection] = AWAITING_CLIENT

    def update(self, connection: WatchedConnection) -> None:
        """Update the activity of a connection."""
        previous_activity = self._activities.get(connection)
        if previous_activity is not None and connection.activity != previous_activity:
            by_activity = self._connections_by_address[connection.address].by_activity
            del by_activity[previous_activity][connection]
            self._activities[connection] = connection.activity
            by_activity[connection.activity][connection] = None

    def remove(self, connection: WatchedConnection) -> None:
        """Remove a connection, if it is registered."""
        activity = self._activities.pop(connection, None)
        if activity is not None:
            address_connections = self._connections_by_address[connection.address]
            del address_connections.by_activity[activity][connection]
            if not len(address_connections):
                del self._connections_by_address[connection.address]

    def close_overdue(self, now: float) -> None:
        """Close overdue connections.

        If an address exceeds its limit of unread bytes, also close its connections with the most
        unread bytes.
        """
        for connection in [watched for watched in self._activities if watched.is_overdue(now)]:
            connection.abort()
        for address, address_connections in list(self._connections_by_address.items()):
            waiting_connections = sorted(
                (
                    connection
                    for connections in address_connections.by_activity
                    for connection in connections
                    if connection.unread
                ),
                key=lambda connection: connection.unread,
            )
            unread_bytes = sum(connection.unread for connection in waiting_connections)
            while unread_bytes > MAX_UNREAD_BYTES and address not in self._proxies:
                unread_bytes -= waiting_connections[-1].unread
                waiting_connections.pop().abort()


class LimitedServer(uvicorn.Server):
    """Uvicorn server that accepts connections itself, within the limits of `Connections`.

    It also closes connections of slow clients at regular intervals.
    """

    def __init__(
        self, config: uvicorn.Config, connections: Connections, report: Callable[[str], object]
    ) -> None:
        super().__init__(config)
        self._connections, self._report, self._has_reported = connections, report, False
        self._tasks: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections."""
        await super().startup(sockets=[])
        self._tasks = [
            asyncio.create_task(background_task)
            for background_task in (
                *map(self._accept_connections, sockets or ()),
                self._close_overdue(),
            )
        ]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections, and shut down."""
        for task in self._tasks:
            task.cancel()
        await super().shutdown(sockets)

    async def _close_overdue(self) -> None:
        while True:
            await asyncio.sleep(CHECK_INTERVAL)
            self._connections.close_overdue(time.monotonic())

    async def _accept_connections(self, listener: socket.socket) -> None:
        loop, refused_count = asyncio.get_running_loop(), 0
        listener.setblocking(False)
        while True:
            try:
                client_socket, (address, *_) = await loop.sock_accept(listener)
                if self._connections.admit(address):
                    await loop.connect_accepted_socket(self._make_connection, client_socket)
                    continue
            except OSError as error:
                await self._wait_after_failure(error)
                continue
            client_socket.close()
            refused_count += 1
            if not refused_count % REFUSALS_PER_YIELD:
                await asyncio.sleep(0)

    async def _wait_after_failure(self, error: OSError) -> None:
        """Wait after a failure to accept a connection.

        If the limit of open files is reached, some connections are closed first.
        """
        if error.errno not in FILE_LIMIT_ERRORS:
            await asyncio.sleep(CHECK_INTERVAL / 50)
            return
        if not self._has_reported:
            self._report(TOO_MANY_FILES)
        self._has_reported = True
        evicted_connections = [self._connections.evict_one() for _ in range(EVICTION_BATCH)]
        await asyncio.sleep(CHECK_INTERVAL / 10 if evicted_connections[0] else ACCEPT_PAUSE)

    def _make_connection(self) -> WatchedConnection:
        return WatchedConnection(
            self._connections,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )


class Notifier:
    """Object that notifies pages of changes in the session; the pages wait in long polls.

    The writer's thread calls `notify`; requests in the event loop await `wait`, which returns after
    a notification of the participant or after `LONG_POLL_SECONDS`. While requests wait, the
    notifier polls for changes by other servers of the session.
    """

    def __init__(self) -> None:
        self._waiting_events: dict[asyncio.Event, tuple[str, str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False
        self._poll_task: asyncio.Task[None] | None = None
        self._change_count = 0

    def __len__(self) -> int:
        return len(self._waiting_events)

    def turn(self) -> int:
        """Return the number of notifications so far, which is an argument of `wait`.

        Call this method before reading the state that is sent to a page, so that the page misses no
        notification.
        """
        self._loop = asyncio.get_running_loop()
        return self._change_count

    def notify(self, participant_ids: Iterable[str]) -> None:
        """Wake the pages of the given participants, or all pages if ALL_PARTICIPANTS is given."""
        notified_ids = frozenset(participant_ids)
        if notified_ids and self._loop is not None:
            with suppress(RuntimeError):  # raised if the event loop has ended
                self._loop.call_soon_threadsafe(self._set_events, notified_ids)

    def close(self) -> None:
        """Wake all pages; from now on, `wait` raises `ServerBusy`."""
        self._is_closed = True
        self.notify([ALL_PARTICIPANTS])

    def _set_events(self, notified_ids: frozenset[str]) -> None:
        self._change_count += 1
        for event, (participant_id, _) in self._waiting_events.items():
            if ALL_PARTICIPANTS in notified_ids or participant_id in notified_ids:
                event.set()

    async def wait(
        self,
        turn: int,
        participant_id: str,
        address: str,
        poll: Callable[[], Awaitable[object]] | None,
    ) -> None:
        """Wait until a participant is notified or the long poll times out.

        Returns immediately if there was a notification since `turn`. Raises `ServerBusy` if too
        many pages of the participant or address are waiting, or if the notifier is closed. `poll`
        checks for changes by other servers.
        """
        polls = self._waiting_events.values()
        if (
            self._is_closed
            or sum(id == participant_id for id, _ in polls) >= MAX_POLLS_PER_PARTICIPANT
            or sum(poll_address == address for _, poll_address in polls) >= MAX_POLLS_PER_ADDRESS
        ):
            raise ServerBusy(BUSY_RETRY_SECONDS - 0.5)
        if turn != self._change_count:
            return
        notification = asyncio.Event()
        self._waiting_events[notification] = participant_id, address
        if poll and (self._poll_task is None or self._poll_task.done()):
            self._poll_task = asyncio.create_task(self._poll_changes(poll))
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(notification.wait(), LONG_POLL_SECONDS)
        finally:
            del self._waiting_events[notification]

    async def _poll_changes(self, poll: Callable[[], Awaitable[object]]) -> None:
        """Poll repeatedly for changes by other servers while a page waits."""
        while self._waiting_events and not self._is_closed:
            await asyncio.sleep(POLL_INTERVAL)
            with suppress(IrjudgeError):  # raised if the database is temporarily unavailable
                await poll()


def raise_file_limit() -> int:
    """Raise the limit of open files if possible; return the possible number of connections.

    The number is at most `MAX_CONNECTIONS`.
    """
    if resource is None:
        return MAX_CONNECTIONS
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed_files = MAX_CONNECTIONS + RESERVED_FILES
    if soft_limit != resource.RLIM_INFINITY and soft_limit < needed_files:
        new_limit = (
            needed_files if hard_limit == resource.RLIM_INFINITY else min(needed_files, hard_limit)
        )
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard_limit))
            soft_limit = new_limit
    return (
        MAX_CONNECTIONS
        if soft_limit == resource.RLIM_INFINITY
        else max(1, min(MAX_CONNECTIONS, soft_limit - RESERVED_FILES))
    )
