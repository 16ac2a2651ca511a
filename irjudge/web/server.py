"""Serves a session to browsers: the page, joining, and what pages do. It logs no names and no addresses."""

import asyncio
import json
import socket
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from hmac import compare_digest
from ipaddress import IPv4Address, ip_address, ip_network
from pathlib import Path
from threading import Thread
from typing import TypeAlias, TypeVar
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.store.project import open_project
from irjudge.web.decisive import Lookout
from irjudge.web.page import served_page
from irjudge.web.session import MOST_ACTIONS, SharedSession
from irjudge.web.standing import Answer, Refused, Showing
from irjudge.web.stores import Opening
from irjudge.web.task import Fragments, Json, head_of
from irjudge.web.wish import Wish, new_code
from irjudge.web.writer import Writer

PROTOCOL = 1
MOST_BYTES = 262_144  # of a request
BODY_SECONDS = 10.0  # for a request to arrive
HEAD_SECONDS = 10.0  # for the first lines of a request, on a connection that is open
STOP_SECONDS = 1
MOST_CONNECTIONS = 3000
WRONG_CODES, MOST_JOINS, MINUTE = 10, 150, 60.0  # of one address in a minute: a class behind one has 60 people
SLOWED = 2.0  # seconds that a further wrong code waits for its answer
NETWORK_BITS = 64  # of an address of IPv6: what is behind them is one machine's to choose
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
BACKLOG = 2048
TOLD = ("state", "acknowledged", "count", "places", "lost", "wanted", "judged", "complete")
STATUS = {"token": 401, "code": 403, "slow": 429, "taken": 409, "protocol": 409}
T = TypeVar("T")
Handler: TypeAlias = Callable[[Request, Json], Awaitable[Json]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server listens, and by which names browsers may ask for it."""

    # the address; port 0 takes a free one
    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()  # names and addresses that may stand in front of the port
    public: tuple[str, ...] = ()  # addresses of a proxy in front, such as `https://judge.example.org`


class Gate:
    """Slows who tries wrong codes, and bounds how many join from one address in a minute; who has the right code passes."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wrong, self._joined = _Recent(monotonic), _Recent(monotonic)

    def wrong(self, address: str) -> float:
        """Note a wrong code, and return the seconds for which its answer waits: nobody else waits for that."""
        return SLOWED if self._wrong.note(_network(address)) > WRONG_CODES else 0.0

    def joined(self, address: str) -> None:
        """Note somebody who joins; raise `Refused` when as many did from there as a big class has."""
        if self._joined.note(_network(address)) > MOST_JOINS:
            raise Refused("slow", "Too many people join from this network at once. Wait a minute, then try again.")


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


def _network(address: str) -> str:
    """Return what stands for an address: of IPv6 its network, of a mapped one that of IPv4."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, IPv4Address):
        return str(known)
    return str(known.ipv4_mapped or ip_network((known, NETWORK_BITS), strict=False))


class _Connection(H11Protocol):
    """A connection that is closed where no whole head of a request comes in time: many such would let nobody in."""

    _tired: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._rest()

    def _wait(self) -> None:
        """Count the seconds until there is a request; what comes in pieces does not begin them anew."""
        if self.timeout_keep_alive_task is not None or (self.cycle is not None and not self.cycle.response_complete):
            self._rest()
        elif self._tired is None:
            self._tired = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _rest(self) -> None:
        if self._tired is not None:
            self._tired.cancel()
            self._tired = None


class Server:
    """A session and the server of it, in threads of their own."""

    def __init__(self, path: Path, opening: Opening, place: Place | None = None, *, code: str = "") -> None:
        self._path, self._place, self.code = path, place or Place(), code
        self.writer = Writer(opening)
        self._gate = Gate()
        self._texts = ThreadPoolExecutor(1, "irjudge-texts")
        self._held = ExitStack()
        self._fragments: Fragments | None = None
        self._page = ""
        self._lookout: Lookout | None = None
        self._uvicorn: uvicorn.Server | None = None
        self._thread: Thread | None = None
        self.port = 0
        self.others = False  # whether a browser of another machine was here

    def start(self) -> None:
        """Begin the session and answer browsers."""
        kept = self.writer.start()
        try:
            self.code = self.code or self.writer.code or new_code()
            self._page = served_page(kept.id, _way_in(Wish.from_json(kept.terms)), self.lead(SharedSession.labels))
            config = uvicorn.Config(
                Starlette(routes=self._routes()),
                host=self._place.host,
                port=self._place.port,
                access_log=False,
                log_config=None,
                log_level="critical",
                lifespan="off",
                server_header=False,
                limit_concurrency=MOST_CONNECTIONS,
                timeout_keep_alive=75,
                timeout_graceful_shutdown=STOP_SECONDS,
                h11_max_incomplete_event_size=16_384,
                http=_Connection,
                ws="none",
                loop="asyncio",
            )
            listening = _listen(self._place)
            self.port = int(listening.getsockname()[1])
            self._uvicorn = uvicorn.Server(config)
            self._thread = Thread(target=self._uvicorn.run, args=([listening],), name="irjudge-server", daemon=True)
            self._thread.start()
            if Wish.from_json(kept.terms).terms.order == "decisive":
                self._lookout = Lookout(self._path, self.lead)
                self._lookout.start()
        except BaseException:
            self.writer.stop()
            raise

    def stop(self) -> None:
        """Answer no more, finish what is being written, and close the project."""
        if self._lookout:
            self._lookout.stop()
        if self._uvicorn and self._thread:
            self._uvicorn.should_exit = True
            self._thread.join()
        self._texts.submit(self._held.close).result()
        self._texts.shutdown()
        self.writer.stop()

    def lead(self, work: Callable[[SharedSession], T]) -> T:
        """Do something with the session, for whoever leads, and wait until it is on the disk."""
        return self.writer.do(work).result()

    # What browsers ask

    def _routes(self) -> list[Route]:
        return [
            Route("/", self._show_page),
            Route("/hello", self._hello),
            Route("/join", self._guarded(self._join), methods=["POST"]),
            Route("/welcome", self._guarded(self._welcome), methods=["POST"]),
            Route("/sync", self._guarded(self._sync), methods=["POST"]),
        ]

    async def _show_page(self, request: Request) -> Response:
        self._check_host(request)
        return HTMLResponse(self._page, headers=HEADERS) if self._asked_rightly(request) else _wrong_host()

    async def _hello(self, request: Request) -> Response:
        told = {"irjudge": "session", "protocol": PROTOCOL}
        return JSONResponse(told, headers=HEADERS) if self._asked_rightly(request) else _wrong_host()

    def _check_host(self, request: Request) -> None:
        client = request.client.host if request.client else ""
        self.others = self.others or client not in ("127.0.0.1", "::1", self._place.host)

    def _guarded(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """Return a handler that is reached only by pages of this server, with a body that is small, quick and JSON."""

        async def answer(request: Request) -> Response:
            self._check_host(request)
            if not self._asked_rightly(request, writing=True):
                return _wrong_host()
            try:
                return _answer(200, {"protocol": PROTOCOL, **await handler(request, await _read(request))})
            except _TooLarge:
                return _answer(413, {"problem": "The request is too large or too slow.", "kind": "large"}, close=True)
            except Refused as fault:
                said = {"problem": str(fault), "kind": fault.kind, "values": fault.values}
                return _answer(STATUS.get(fault.kind, 400), said)
            except CommitFailed as fault:
                return _answer(503, {"problem": str(fault), "kind": "unsaved"})
            except IrjudgeError as fault:
                return _answer(500, {"problem": str(fault), "kind": "fault"})

        return answer

    async def _join(self, request: Request, data: Json) -> Json:
        address = request.client.host if request.client else ""
        code, name, panel = data.get("code"), data.get("name"), data.get("panel")
        if not isinstance(code, str) or not compare_digest(_plain(code), self.code.encode()):
            await asyncio.sleep(self._gate.wrong(address))
            raise Refused("code", "The code is not right. Compare it with the one that is shown.")
        if not isinstance(panel, dict) and not isinstance(name, str):
            raise Refused("name", "Give a name.")
        self._gate.joined(address)
        joining = (lambda session: session.join_by_panel(panel)) if isinstance(panel, dict) else lambda session: session.join(name)
        _, token = await self._do(joining)
        return {"token": token}

    async def _welcome(self, request: Request, _data: Json) -> Json:
        """Tell a page that opens who it is, what is asked, and all that the person did."""

        def work(session: SharedSession) -> Json:
            assignment, name, actions = session.welcome(session.who(_token(request)))
            rules = session.subject.rules
            head = head_of(session.project, assignment, mode=session.subject.page_mode, rules=rules.as_json() if rules else {})
            return {"task": {**head, "assessor": name}, "actions": actions}

        return await self._do(work)

    async def _sync(self, request: Request, data: Json) -> Json:
        actions, client, want, has = (data.get(name, usual) for name, usual in (("actions", []), ("client", ""), ("want", 0), ("has", 0)))
        sound = isinstance(actions, list) and isinstance(client, str) and type(want) is int and type(has) is int
        if not sound or len(actions) > MOST_ACTIONS:
            raise Refused("broken", "The request cannot be read.")

        def work(session: SharedSession) -> Answer:
            return session.sync(session.who(_token(request)), actions, client=client, want=want, has=has)

        answer = await self._do(work)
        parts = await asyncio.get_running_loop().run_in_executor(self._texts, self._parts, answer.showings)
        refused = answer.refused and {"number": answer.refused[0], "problem": str(answer.refused[1])}
        told = {name: getattr(answer, name) for name in TOLD}
        return {**told, "refused": refused, "items": parts}

    async def _do(self, work: Callable[[SharedSession], T]) -> T:
        return await asyncio.wrap_future(self.writer.do(work))

    def _parts(self, showings: Sequence[Showing]) -> list[Json]:
        """Return items with their texts; in the thread that reads them."""
        if self._fragments is None:
            self._fragments = Fragments(self._held.enter_context(open_project(self._path, writing=False)))
        parts = self._fragments.of([(each.item, each.occurrence) for each in showings])
        return [{"place": each.place, "parts": part} for each, part in zip(showings, parts, strict=True)]

    # Who may ask

    def _asked_rightly(self, request: Request, *, writing: bool = False) -> bool:
        """Tell whether the names by which a browser asks are ours: other pages, and names that lead here by a trick, are not."""
        host, origins = request.headers.get("host", ""), request.headers.getlist("origin")
        ours = {f"{name}:{self.port}" for name in ("localhost", "127.0.0.1", self._place.host, *self._place.names)}
        ours |= {name for name in self._place.names if self.port == 80}
        proxied = {urlsplit(each).netloc.lower(): each.lower().rstrip("/") for each in self._place.public}
        known = host.lower() in ours or host.lower() in proxied
        if not known or len(request.headers.getlist("host")) != 1:
            return False
        expected = proxied.get(host.lower(), f"http://{host.lower()}")
        return not writing or origins == [expected] or [each.lower() for each in origins] == [expected]


def _way_in(wish: Wish) -> Json:
    """Return what a page has to know to let somebody join."""
    panel = wish.panel
    return {"join": wish.join, "panel": [each for each in (panel.person, panel.submission, panel.study) if each] if panel else []}


class _TooLarge(Exception):
    """A request is larger than any page makes."""


async def _read(request: Request) -> Json:
    """Return what a page says; a page of another protocol is told to reload."""
    try:
        data = json.loads(await asyncio.wait_for(_body(request), BODY_SECONDS))
    except TimeoutError as fault:
        raise _TooLarge from fault
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise Refused("broken", "The request cannot be read.")
    if data.get("protocol") != PROTOCOL:
        raise Refused("protocol", "This page is not of this server. Reload it; nothing is lost by that.")
    return data


async def _body(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_BYTES:
            raise _TooLarge
        parts.append(part)
    return b"".join(parts)


def _token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else ""


def _plain(code: str) -> bytes:
    """Return a code as it was drawn, however somebody typed it."""
    return "".join(letter for letter in code.upper() if letter.isalnum()).encode()


def _answer(status: int, data: Json, *, close: bool = False) -> Response:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return Response(text, status, HEADERS | ({"Connection": "close"} if close else {}), "application/json")


def _wrong_host() -> Response:
    return _answer(403, {"problem": "This server is not asked for by that name.", "kind": "host"}, close=True)


def _listen(place: Place) -> socket.socket:
    """Return a socket that listens; whoever comes before the server runs waits in line."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    try:
        return socket.create_server((place.host, place.port), family=family, backlog=BACKLOG)
    except (OSError, UnicodeError) as fault:
        raise IrjudgeError(
            "{host}, port {port} cannot be listened on: it is taken, or not an address of this machine.", host=place.host, port=place.port
        ) from fault
