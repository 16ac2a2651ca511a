"""HTTP server of a session."""

import asyncio
import itertools
import json
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, replace
from hmac import compare_digest
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

import uvicorn
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import compute_identity
from irjudge.model import AssignedItem, Assignment
from irjudge.progress import Progress
from irjudge.store import open_project
from irjudge.web.connections import (
    BYTES_BURST,
    BYTES_RATE,
    KEEP_ALIVE_SECONDS,
    WORK_BURST,
    WORK_RATE,
    Connections,
    HeaderMiddleware,
    JoinLimiter,
    LimitedServer,
    Notifier,
    Page,
    RateBudget,
    ServerBusy,
    TrustedProxies,
    as_json,
    foreign_host_response,
    json_response,
    raise_file_limit,
    rate_limit_key,
)
from irjudge.web.host import preview_items, run_host_request
from irjudge.web.page import (
    HOST_ENTRY_MODULE,
    render_host_page,
    render_session_page,
    session_policy,
)
from irjudge.web.participants import CONSENTED, SKIPPED, StartPage
from irjudge.web.server_address import ServerAddress, listen, make_address
from irjudge.web.session import MAX_ACTIONS, MAX_WANTED, SharedSession
from irjudge.web.session_options import SessionOptions
from irjudge.web.session_state import (
    NAME_CONSENT,
    WITHDRAWAL_KEY,
    ItemPresentation,
    Refused,
    SyncResponse,
    is_storable,
)
from irjudge.web.session_store import StoreOpener
from irjudge.web.task import ItemRenderer, Json, RenderedItemCache, make_task_head, render_markdown
from irjudge.web.writer import (
    MAX_QUEUED_PER_ADDRESS,
    MAX_QUEUED_PER_PARTICIPANT,
    DecisivePoller,
    Writer,
)

# Threads that render the texts of a session's items. Long items have their own threads, so that
# they do not delay short items.

# maximum number of bytes of documents that are rendered for one response, in up to 0.7 s
LONG_ITEM_BYTES = 100_000
LONG_THREAD_COUNT = 3
RETRY_SECONDS = 1.0
T = TypeVar("T")


class LongItemError(Exception):
    """Error in the thread for short items: an item is long; another thread must render it.

    `RenderingThreads` then submits the job to a thread for long items.
    """


class RenderingThread:
    """Thread that renders the texts of items for pages; it has its own project connection.

    With `renders_long`, it may render items of any length; see `RenderingThreads`.
    """

    def __init__(
        self, path: Path, name: str, cache: RenderedItemCache, *, renders_long: bool = False
    ) -> None:
        self._path, self._cache, self.renders_long = path, cache, renders_long
        self._executor = ThreadPoolExecutor(1, name)
        self._resources = ExitStack()
        self._renderer: ItemRenderer | None = None
        self._is_stopped = Event()
        self.waiting = 0  # number of unfinished jobs

    @property
    def renderer(self) -> ItemRenderer:
        """Renderer of the project's items, created on first use; used only in this thread."""
        if self._renderer is None:
            self._renderer = ItemRenderer(
                self._resources.enter_context(open_project(self._path, writing=False)),
                cache=self._cache,
                max_bytes=LONG_ITEM_BYTES,
                progress=Progress(cancelled=self._is_stopped.is_set),
            )
        return self._renderer

    def submit(
        self, write_response: Callable[["RenderingThread", T], bytes], content: T
    ) -> "Future[bytes]":
        """Queue a call of `write_response` in this thread, with this object and `content`."""
        self.waiting += 1
        future = self._executor.submit(write_response, self, content)
        future.add_done_callback(self._record_finished_job)
        return future

    def _record_finished_job(self, _future: "Future[bytes]") -> None:
        self.waiting -= 1

    def stop(self) -> None:
        """Cancel rendering at the next slice, close the project, and end the thread."""
        self._is_stopped.set()
        self._executor.submit(self._resources.close).result()
        self._executor.shutdown()


class RenderingThreads:
    """Threads that render texts: one for short items, and several for long items.

    A job begins in the thread for short items, which all participants share. A participant can
    therefore queue only a few jobs in it, and has a budget of its processor time. If the item is
    long, the job is moved to one of the other threads; a participant has one such job at a time.
    """

    def __init__(self, path: Path) -> None:
        cache = RenderedItemCache()
        self._short_thread = RenderingThread(path, "irjudge-texts", cache)
        self._long_threads = [
            RenderingThread(path, f"irjudge-long-texts-{number}", cache, renders_long=True)
            for number in range(LONG_THREAD_COUNT)
        ]
        self._budget = RateBudget(WORK_RATE, WORK_BURST)
        self._job_counts = Counter[str]()  # unfinished jobs for short items by budget key
        self._waiting_keys: set[str] = set()  # budget keys for which a long item is being rendered

    async def run(
        self,
        budget_key: str,
        write_response: Callable[[RenderingThread, T], bytes],
        content: T,
        max_queued: int,
    ) -> bytes:
        """Return the response that `write_response` generates in a rendering thread.

        Raises `ServerBusy`, so that the page retries, if the client's budget is used up, if
        `max_queued` jobs of the client are unfinished, or if the item is long and another long item
        is being rendered for the client. A long item is rendered completely even if the page is
        closed, since it is then cached.
        """
        self._budget.check(budget_key)
        if self._job_counts[budget_key] >= max_queued:
            raise ServerBusy(RETRY_SECONDS)

        def write_and_charge(thread: RenderingThread, content: T) -> bytes:
            start_time = time.thread_time()
            try:
                return write_response(thread, content)
            finally:
                self._budget.spend(budget_key, time.thread_time() - start_time)

        self._job_counts[budget_key] += 1
        try:
            return await asyncio.wrap_future(self._short_thread.submit(write_and_charge, content))
        except LongItemError:
            pass
        finally:
            self._job_counts[budget_key] -= 1
            self._job_counts += Counter()  # removes keys without jobs
        if budget_key in self._waiting_keys:
            raise ServerBusy(RETRY_SECONDS)
        self._waiting_keys.add(budget_key)
        future = min(self._long_threads, key=lambda thread: thread.waiting).submit(
            write_response, content
        )
        future.add_done_callback(lambda _future: self._waiting_keys.discard(budget_key))
        return await asyncio.wrap_future(future)

    def stop(self) -> None:
        """End all threads."""
        for thread in (self._short_thread, *self._long_threads):
            thread.stop()


# HTTP server, whose log contains no names and no addresses

PROTOCOL = 1
MAX_BODY_BYTES = 262_144  # maximum number of bytes of a request
# maximum number of bytes of a request without a token, such as a request to join
MAX_ANONYMOUS_BODY_BYTES = 8192
MAX_CODE_CHARACTERS = 64  # of a typed join code, with spaces and hyphens
MAX_POSITION = 1 << 31  # limit of the positions of items in the log of a participant
BODY_TIMEOUT = 10.0  # seconds within which a request must arrive
STOP_TIMEOUT = 1
MAX_QUERY_LENGTH = 200  # maximum number of characters of a search query
# maximum number of bytes of items in a response; a larger item is sent alone, and the page requests
# the remaining items afterwards
MAX_RESPONSE_BYTES = 2_000_000
SYNC_FIELDS = (
    "state",
    "message",
    "aside",
    "round",
    "server",
    "number",
    "acknowledged",
    "count",
    "places",
    "lost",
    "held",
    "wanted",
    "judged",
    "own",
    "asks",
    "complete",
    "code",
    "late",
    "share",
    "done",
)
HTTP_STATUS = {"token": 401, "code": 403, "slow": 429, "taken": 409, "protocol": 409}
Handler: TypeAlias = Callable[[Request, Json], Coroutine[Any, Any, bytes]]


class Server:
    """HTTP server of a session, with the pages of participants and host, and their API.

    The server runs in its own threads. `start` opens or creates the session and accepts
    connections; it sets `port`, `code` and `leader` (the host secret). All changes of the session
    are made one after another, in the writer's thread.
    """

    def __init__(
        self,
        path: Path,
        open_session: StoreOpener,
        address: ServerAddress | None = None,
        *,
        code: str = "",
        leader: str = "",
        renew: bool = False,
        report: Callable[[str], object] = lambda _words: None,
    ) -> None:
        self._path = path
        self._address = address or ServerAddress()
        self.code = code
        self._report = report
        self._renews_links = renew  # whether `start` invalidates links that were distributed before
        self.leader = leader  # host secret; if empty, `start` sets it to the session's host secret
        self._proxies = TrustedProxies(self._address.proxies)
        self._connections = Connections(self._proxies, raise_file_limit())
        self.notifier = Notifier()
        self._id = secrets.token_hex(8)
        self._response_numbers = itertools.count(1)
        self.writer = Writer(open_session, self.notifier.notify)
        self._work_budget = RateBudget(WORK_RATE, WORK_BURST)
        self._byte_budget = RateBudget(BYTES_RATE, BYTES_BURST)
        self._opening_tokens: set[str] = set()  # tokens of participants whose page is being opened
        self._join_limiter = JoinLimiter()
        self._rendering_threads = RenderingThreads(path)
        self._page: Page | None = None
        self._lead_page: Page | None = None
        self._decisive_poller: DecisivePoller | None = None
        self._uvicorn: uvicorn.Server | None = None
        self._thread: Thread | None = None
        self.port = 0
        self.has_remote_client = False  # whether another machine has connected

    def start(self) -> None:
        """Open the session and accept connections."""
        # The socket is opened first, so that no session is created if this fails.
        listener = listen(self._address)
        try:
            stored_session = self.writer.start()
        except BaseException:
            listener.close()
            raise
        try:
            self.code, self.leader = self.lead(
                lambda session: session.access(self.code, self.leader, renew=self._renews_links)
            )
            self._render_pages(stored_session.id)
            self.lead(_render_organiser_texts)
            self.port = int(listener.getsockname()[1])
            self._uvicorn = LimitedServer(self._configure_server(), self._connections, self._report)
            self._thread = Thread(
                target=self._uvicorn.run, args=([listener],), name="irjudge-server", daemon=True
            )
            self._thread.start()
            if SessionOptions.from_json(stored_session.terms).terms.order == "decisive":
                self._decisive_poller = DecisivePoller(self._path, self.lead)
                self._decisive_poller.start()
        except BaseException:
            self.writer.stop()
            listener.close()
            raise

    def _render_pages(self, session_id: str) -> None:
        labels = self.lead(SharedSession.labels)
        self._page = Page(
            render_session_page(session_id, self.lead(_make_join_parameters), labels),
            session_policy(),
        )
        self._lead_page = Page(
            render_host_page(session_id, self.lead(lambda session: session.project.title), labels),
            session_policy(HOST_ENTRY_MODULE),
        )

    def _configure_server(self) -> uvicorn.Config:
        return uvicorn.Config(
            HeaderMiddleware(
                Router(self._make_routes(), redirect_slashes=False),
                self._is_own_host,
                self._proxies,
            ),
            host=self._address.host,
            port=self._address.port or 0,
            access_log=False,
            log_config=None,
            log_level="critical",
            lifespan="off",
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=STOP_TIMEOUT,
            h11_max_incomplete_event_size=16_384,
            http="h11",
            ws="none",
            loop="asyncio",
        )

    def stop(self) -> None:
        """Stop accepting requests, finish pending writes, and close the project."""
        if self._decisive_poller:
            self._decisive_poller.stop()
        self.notifier.close()
        if self._uvicorn and self._thread:
            self._uvicorn.should_exit = True
            self._thread.join()
        self._rendering_threads.stop()
        self.writer.stop()

    def lead(self, operation: Callable[[SharedSession], T]) -> T:
        """Execute `operation` on the session for the host, and wait for the commit."""
        return self.writer.do(operation).result()

    def ask(self, command: str, **values: Any) -> Json:
        """Execute a request of the host; return its response after the commit."""
        return self.lead(lambda session: run_host_request(session, command, values))

    # Routes

    def _make_routes(self) -> list[Route]:
        return [
            Route(
                "/sync", self._guard(self._trust_on_success(self._sync)), methods=["POST"]
            ),  # the route of the most frequent request comes first, as routes are tried in order
            Route("/", self._show_page),
            Route("/hello", self._answer_hello),
            Route("/lead", self._show_lead_page),
            Route(
                "/lead",
                self._guard(self._trust_on_success(self._run_host_request), always=True),
                methods=["POST"],
            ),
            Route("/join", self._guard(_charge_address(self._join)), methods=["POST"]),
            Route("/preview", self._guard(_charge_address(self._preview)), methods=["POST"]),
            Route("/welcome", self._guard(self._trust_on_success(self._welcome)), methods=["POST"]),
            Route(
                "/survey",
                self._guard(self._trust_on_success(self._handle_survey)),
                methods=["POST"],
            ),
            Route("/news", self._guard(self._trust_on_success(self._update)), methods=["POST"]),
            Route(
                "/shown", self._guard(self._trust_on_success(self._show_document)), methods=["POST"]
            ),
            Route("/search", self._guard(self._trust_on_success(self._search)), methods=["POST"]),
            Route(
                "/find",
                self._guard(self._trust_on_success(self._assign_search_result)),
                methods=["POST"],
            ),
        ]

    async def _show_page(self, request: Request) -> Response:
        self._record_remote_client(request)
        return self._page.answer(request) if self._page else foreign_host_response()

    async def _show_lead_page(self, request: Request) -> Response:
        return self._lead_page.answer(request) if self._lead_page else foreign_host_response()

    async def _answer_hello(self, _request: Request) -> Response:
        return json_response(200, {"irjudge": "session", "protocol": PROTOCOL})

    def _record_remote_client(self, request: Request) -> None:
        client = request.client.host if request.client else ""
        self.has_remote_client = self.has_remote_client or client not in (
            "127.0.0.1",
            "::1",
            self._address.host,
        )

    def _guard(
        self, handler: Handler, *, always: bool = False
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return `handler` as a route that accepts only small JSON requests of the server's pages.

        With `always`, requests are accepted even if the server is overloaded.
        """

        async def handle(request: Request) -> Response:
            self._record_remote_client(request)
            if not self._is_own_page(request.headers):
                return foreign_host_response()
            try:
                if not always:
                    self.writer.check()  # an overloaded server rejects requests before reading them
                return json_response(
                    200,
                    await _run_while_connected(
                        request, handler(request, await self._read_json(request))
                    ),
                )
            except _ClientGone:
                return json_response(503, {})  # the client has disconnected
            except _BodyTooLarge:
                return json_response(
                    413,
                    {"problem": "The request is too large or too slow.", "kind": "large"},
                    close=True,
                )
            except ServerBusy as error:
                return json_response(
                    503, {"problem": str(error), "kind": "busy"}, wait=error.seconds
                )
            except Refused as error:
                return json_response(
                    HTTP_STATUS.get(error.kind, 400),
                    {"problem": str(error), "kind": error.kind, "values": error.values},
                )
            except ProjectError as error:  # the page will send unacknowledged actions again
                return json_response(503, {"problem": str(error), "kind": "unsaved"})
            except IrjudgeError as error:
                return json_response(500, {"problem": str(error), "kind": "fault"})

        return handle

    async def _read_json(self, request: Request) -> Json:
        """Return the JSON object of a request; the time of parsing is charged to the client.

        Raises `Refused` if the page has another protocol version and has to be reloaded.
        """
        try:
            async with asyncio.timeout(BODY_TIMEOUT):
                body = await _read_body(request)
        except TimeoutError as error:
            raise _BodyTooLarge from error
        start_time = time.thread_time()
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            data = None
        self._connections.work.charge(_read_bearer_token(request), time.thread_time() - start_time)
        if not isinstance(data, dict):
            raise Refused("broken", "The request cannot be read.")
        if data.get("protocol") != PROTOCOL:
            raise Refused(
                "protocol",
                "This page is from another version of the server. Reload it; nothing will be lost.",
            )
        return data

    def _trust_on_success(self, handler: Handler) -> Handler:
        """Return a handler that calls `handler`, then marks the token of the request as trusted.

        The token is not marked if the request fails. Later requests with a trusted token have
        precedence.
        """

        async def handle(request: Request, data: Json) -> bytes:
            response_body = await handler(request, data)
            self._connections.work.trust(_read_bearer_token(request))
            return response_body

        return handle

    async def _run_host_request(self, request: Request, data: Json) -> bytes:
        """Execute a request of the host; raise `Refused` if the host's secret is missing."""
        if not compare_digest(_read_bearer_token(request).encode(), self.leader.encode()):
            await asyncio.sleep(
                self._join_limiter.record_invalid_code(
                    request.client.host if request.client else ""
                )
            )
            raise Refused("token", "This link cannot lead the session.")
        command, values = data.get("wish"), data.get("values", {})
        if not isinstance(command, str) or not isinstance(values, dict):
            raise Refused("broken", "The request cannot be read.")
        try:
            response = await asyncio.wrap_future(
                self.writer.do(lambda session: run_host_request(session, command, values))
            )
        except ProjectError:
            raise
        except IrjudgeError as error:
            raise Refused("wish", "{error}", error=str(error)) from error
        return _encode_response({**response, "code": self.code})

    async def _join(self, request: Request, data: Json) -> bytes:
        address = request.client.host if request.client else ""
        name, panel, page_key = data.get("name"), data.get("panel"), data.get("page", "")
        await self._check_code(address, data.get("code"))
        if not isinstance(panel, dict) and not isinstance(name, str):
            raise Refused("name", "A name is missing.")
        if not is_storable(page_key):
            raise Refused("broken", "The request cannot be read.")
        self._join_limiter.record_join(address)
        join_operation = (
            (lambda session: session.join_by_panel(panel))
            if isinstance(panel, dict)
            else lambda session: session.join(name, page_key)
        )
        _, token = await self._run_operation(request, join_operation)
        self._connections.work.trust(token)
        return _encode_response({"token": token})

    async def _check_code(self, address: str, code: object) -> None:
        """Raise `Refused` if the join code is wrong; delay the response after many wrong codes."""
        if (
            not isinstance(code, str)
            or len(code) > MAX_CODE_CHARACTERS
            or not compare_digest(_normalise_code(code), self.code.encode())
        ):
            await asyncio.sleep(self._join_limiter.record_invalid_code(address))
            raise Refused(
                "code",
                "The code does not match. Compare it with the code shown by the session leader.",
            )

    async def _preview(self, request: Request, data: Json) -> bytes:
        """Return the task and items for a preview, which requires only the join code."""
        # Before joining, a participant has no token. Therefore the address is charged.
        await self._check_code(request.client.host if request.client else "", data.get("code"))
        self._byte_budget.check(_get_budget_key(request))

        def collect_preview(session: SharedSession) -> tuple[Json, list[AssignedItem]]:
            return {
                **_make_task_head(
                    session, Assignment(0, secrets.token_hex(16), "", session.subject.mode, 0)
                ),
                **_make_start_page_data(session, ""),
            }, preview_items(session)

        def write_preview(
            thread: RenderingThread, preview: tuple[Json, list[AssignedItem]]
        ) -> bytes:
            task_head, items = preview
            parts, _ = _render_items(
                thread, [ItemPresentation(position, item, 1) for position, item in enumerate(items)]
            )
            return _encode_response({"task": {**task_head, "preview": True}, "items": parts})

        return await self._run_and_encode(
            request, write_preview, await self._run_operation(request, collect_preview)
        )

    async def _welcome(self, request: Request, _data: Json) -> bytes:
        """Return the participant, the task and the stored actions to a page that is being opened.

        Only one page of a participant can be opened at a time.
        """

        def collect_page_data(session: SharedSession) -> Json:
            participant_id = session.authenticate(_read_bearer_token(request))
            assignment, name, actions = session.welcome(participant_id)
            page_data = _make_start_page_data(session, participant_id) | (
                {"named": bool(session.store.surveys().get(participant_id, {}).get(NAME_CONSENT))}
                if session.options.norming
                else {}
            )
            return {
                "task": {**_make_task_head(session, assignment), "assessor": name, **page_data},
                "actions": actions,
            }

        budget_key = _get_budget_key(request)
        self._byte_budget.check(budget_key)
        if budget_key in self._opening_tokens:
            raise ServerBusy(0)
        self._opening_tokens.add(budget_key)
        try:
            return await self._run_and_encode(
                request,
                lambda _thread, response: _encode_response(response),
                await self._run_operation(request, collect_page_data),
            )
        finally:
            self._opening_tokens.discard(budget_key)

    async def _sync(self, request: Request, data: Json) -> bytes:
        actions, needed_positions, client, wanted_count, item_count = (
            data.get(name, default)
            for name, default in (
                ("actions", []),
                ("needs", []),
                ("client", ""),
                ("want", 0),
                ("has", 0),
            )
        )
        if (
            not isinstance(actions, list)
            or len(actions) > MAX_ACTIONS
            or not isinstance(needed_positions, list)
            # larger numbers can have equal hashes, with which a set takes quadratic time
            or not all(
                type(position) is int and 0 <= position < MAX_POSITION
                for position in needed_positions
            )
            or not isinstance(client, str)
            or type(wanted_count) is not int
            or type(item_count) is not int
        ):
            raise Refused("broken", "The request cannot be read.")

        def synchronise(session: SharedSession) -> SyncResponse:
            response = session.sync(
                session.authenticate(_read_bearer_token(request)),
                actions,
                client=client,
                wanted_count=wanted_count,
                item_count=item_count,
                needed_positions=frozenset(needed_positions),
                only_held=data.get("open") is True,
            )
            return replace(response, **self._make_order())

        budget_key = _get_budget_key(request)
        self._byte_budget.check(budget_key)
        response = await self._run_operation(request, synchronise)
        return (
            await self._run_and_encode(request, _write_sync_response, response)
            if response.new_items
            else _encode_response(_make_sync_fields(response) | {"items": []})
        )

    async def _handle_survey(self, request: Request, data: Json) -> bytes:
        answers = data.get("answers", {})
        consented, skips = data.get("consented") is True, data.get("skip") is True
        withdraws = data.get("withdraw") is True
        name_consent = {NAME_CONSENT: data["named"]} if isinstance(data.get("named"), bool) else {}
        if not isinstance(answers, dict):
            raise Refused("broken", "The request cannot be read.")

        def store_answers(session: SharedSession) -> None:
            participant_id = session.authenticate(_read_bearer_token(request))
            _withdraw(session, participant_id) if withdraws else _store_survey(
                session, participant_id, answers, name_consent, consented=consented, skips=skips
            )

        await self._run_operation(request, store_answers)
        return _encode_response({})

    async def _update(self, request: Request, data: Json) -> bytes:
        """Return the session state as soon as it differs from the page's copy of the state.

        If the state does not change, return it after the timeout of the long poll.
        """
        page_state, token = data.get("known"), _read_bearer_token(request)
        # a page of a session without rounds does not send `round`
        known_state = {"round": None, **page_state} if isinstance(page_state, dict) else {}

        def make_update(session: SharedSession) -> tuple[str, Json, Json]:
            participant_id = session.authenticate(token)
            session.record_presence(participant_id)
            return participant_id, asdict(session.update(participant_id)), self._make_order()

        turn = self.notifier.turn()
        participant_id, update, order = await self._run_operation(request, make_update)
        if update == known_state:
            poll = (
                (lambda: asyncio.wrap_future(self.writer.do(lambda _: None)))
                if self.writer.code
                else None
            )
            await self.notifier.wait(
                turn,
                participant_id,
                rate_limit_key(request.client.host if request.client else ""),
                poll,
            )
            _, update, order = await self._run_operation(request, make_update)
        return _encode_response(update | order)

    def _make_order(self) -> Json:
        """Return fields by which a page recognises a response that is older than another one.

        Call in the writer's thread: responses may reach the page in another order than that in
        which the writer created them.
        """
        return {"server": self._id, "number": next(self._response_numbers)}

    async def _show_document(self, request: Request, _data: Json) -> bytes:
        """Return the text of the document that is shown after a norming round.

        A page requests the text if the document was not assigned to the page's participant.
        """
        budget_key = _get_budget_key(request)
        self._byte_budget.check(budget_key)
        item = await self._run_operation(
            request,
            lambda session: session.shown_item(session.authenticate(_read_bearer_token(request))),
        )

        def write_document(thread: RenderingThread, item: AssignedItem) -> bytes:
            (rendered_item,), _ = _render_items(thread, [ItemPresentation(0, item, 1)])
            parts = rendered_item["parts"]
            return _encode_response(
                {"document": parts["documents"][0], "content": parts["contents"][0]}
            )

        return await self._run_and_encode(request, write_document, item)

    async def _search(self, request: Request, data: Json) -> bytes:
        """Return search results; raise `Refused` if the session does not allow searching."""
        query = _require_text(data, "words")

        def find_documents(session: SharedSession) -> Sequence[str]:
            session.check_started(session.authenticate(_read_bearer_token(request)))
            if not session.options.search:
                raise Refused(
                    "search", "The collection can be searched only in sessions that allow it."
                )
            return session.active_learning.search(query[:MAX_QUERY_LENGTH])

        budget_key = _get_budget_key(request)
        self._byte_budget.check(budget_key)
        # a rendering thread generates the snippets, since this takes time for long texts
        ids = await self._run_operation(request, find_documents)

        def write_results(thread: RenderingThread, ids: Sequence[str]) -> bytes:
            if not thread.renders_long and thread.renderer.exceed_cost(ids, LONG_ITEM_BYTES):
                raise LongItemError
            hits = thread.renderer.render_hits(ids, query[:MAX_QUERY_LENGTH])
            return _encode_response(
                {"hits": [{"id": hit.id, "title": hit.title, "text": hit.text} for hit in hits]}
            )

        return await self._run_and_encode(request, write_results, ids)

    async def _assign_search_result(self, request: Request, data: Json) -> bytes:
        """Assign a search result to the participant who chose it.

        The page receives the item at its next synchronisation.
        """
        topic, document = _require_text(data, "topic"), _require_text(data, "document")
        return _encode_response(
            {
                "given": await self._run_operation(
                    request,
                    lambda session: session.assign_search_result(
                        session.authenticate(_read_bearer_token(request)), topic, document
                    ),
                )
            }
        )

    async def _run_operation(self, request: Request, operation: Callable[[SharedSession], T]) -> T:
        """Run `operation` in the writer's thread, unless the client's budget is used up."""
        budget_key = _get_budget_key(request)
        self._work_budget.check(budget_key)

        def run_and_charge(session: SharedSession) -> T:
            start_time = time.monotonic()
            try:
                return operation(session)
            finally:
                self._work_budget.spend(budget_key, time.monotonic() - start_time)

        return await asyncio.wrap_future(
            self.writer.do(run_and_charge, budget_key, _get_max_queued(request))
        )

    async def _run_and_encode(
        self, request: Request, write_response: Callable[[RenderingThread, T], bytes], result: T
    ) -> bytes:
        """Return a response encoded in a rendering thread; charge its size to the client's budget."""
        budget_key = _get_budget_key(request)
        response_body = await self._rendering_threads.run(
            budget_key, write_response, result, _get_max_queued(request)
        )
        self._byte_budget.spend(budget_key, len(response_body))
        return response_body

    # Access

    def _is_own_host(self, headers: Headers) -> bool:
        """Return whether a request names this server as host; prevents DNS rebinding."""
        hosts = headers.getlist("host")
        return len(hosts) == 1 and self._find_origin(hosts[0]) is not None

    def _is_own_page(self, headers: Headers) -> bool:
        """Return whether the Origin header of a request names the server's own page."""
        return [origin.lower() for origin in headers.getlist("origin")] == [
            self._find_origin(headers.get("host", ""))
        ]

    def _find_origin(self, host: str) -> str | None:
        """Return the origin of pages at a host name; None if it is not a name of this server."""
        names = ("localhost", "127.0.0.1", self._address.host, *self._address.names)
        origins = (
            *map(_make_origin, self._address.public),
            *(make_address(name, self.port).lower().removesuffix(":80") for name in names),
        )
        return next(
            (origin for origin in origins if origin.partition("//")[2] == host.lower()), None
        )


def _make_origin(url: str) -> str:
    """Return the origin of an address in the form in which browsers send it.

    >>> _make_origin("https://Judge.example.org:443/"), _make_origin("http://[::1]:8000")
    ('https://judge.example.org', 'http://[::1]:8000')
    """
    parts = urlsplit(url.lower())
    default_port = ":443" if parts.scheme == "https" else ":80"
    return f"{parts.scheme}://{parts.netloc.removesuffix(default_port)}"


def _make_sync_fields(response: SyncResponse) -> Json:
    """Return the fields of a synchronisation response as JSON, without the items."""
    refusal = response.refused and {
        "number": response.refused[0],
        "problem": str(response.refused[1]),
    }
    return {name: getattr(response, name) for name in SYNC_FIELDS} | {"refused": refusal}


def _write_sync_response(thread: RenderingThread, response: SyncResponse) -> bytes:
    """Encode a synchronisation response with as many items as fit."""
    items, next_presentation = _render_items(thread, response.new_items)
    return _encode_response(
        _make_sync_fields(response)
        | {"items": items}
        | ({"places": next_presentation.position, "more": True} if next_presentation else {})
    )


def _render_items(
    thread: RenderingThread, presentations: Sequence[ItemPresentation]
) -> tuple[list[Json], ItemPresentation | None]:
    """Render items up to the size limit; return them and the first item that was not rendered.

    If the first item is long, only this item is rendered; the thread for short items raises
    `LongItemError` instead.
    """
    items: list[Json] = []
    size = 0
    for start in range(0, len(presentations), MAX_WANTED):
        block = presentations[start : start + MAX_WANTED]
        rendered_parts = thread.renderer.render(
            [(item_presentation.item, item_presentation.occurrence) for item_presentation in block]
        )
        for presentation, parts in zip(block, rendered_parts, strict=False):
            size += (
                len(as_json(parts)) if len(presentations) > 1 else 0
            )  # without a size, a single item is returned even if it exceeds the limit
            if items and size > MAX_RESPONSE_BYTES:
                return items, presentation
            items.append({"place": presentation.position, "parts": parts})
        if len(rendered_parts) < len(block):
            return (
                (items, block[len(rendered_parts)])
                if items
                else _render_long_item(thread, presentations)
            )
    return items, None


def _render_long_item(
    thread: RenderingThread, presentations: Sequence[ItemPresentation]
) -> tuple[list[Json], ItemPresentation | None]:
    """Render only the first item, even if it is long; return it and the next item.

    The thread for short items raises `LongItemError` instead.
    """
    if not thread.renders_long:
        raise LongItemError
    first_presentation, *remaining_presentations = presentations
    parts = thread.renderer.render_one(first_presentation.item, first_presentation.occurrence)
    return [{"place": first_presentation.position, "parts": parts}], remaining_presentations[
        0
    ] if remaining_presentations else None


def _make_join_parameters(session: SharedSession) -> Json:
    """Return the data that a page needs before joining: how to join, and the project's title."""
    options = session.options
    return {
        "join": options.join,
        "panel": options.panel.parameters if options.panel else [],
        "project": session.project.title,
        "compare": options.compare is not None,
    }


def _make_task_head(session: SharedSession, assignment: Assignment) -> Json:
    rules = session.subject.rules
    task_head = make_task_head(
        session.project,
        assignment,
        mode=session.subject.page_mode,
        rules=rules.as_json() if rules else {},
        documents_per_page=session.options.several,
    )
    if session.scheduler.mixes_topics:
        task_head["mixed"] = True
    task_head["origin"] = {
        "project": compute_identity(session.project),
        "scale": session.project.scale.to_json(),
        "topics": {},
    }
    return {**task_head, "search": True} if session.options.search and rules is None else task_head


def _make_start_page_data(session: SharedSession, participant_id: str) -> Json:
    """Return the start page with the participant's answers; empty if there is no start page.

    For a preview (empty `participant_id`), there are no answers.
    """
    start_page = session.options.start
    if start_page is None:
        return {}
    answers = dict(session.store.surveys().get(participant_id, {}))
    if not session.scheduler.is_excluded(participant_id):
        answers.pop(WITHDRAWAL_KEY, None)  # the host included the participant again
    return {
        "start": {
            **asdict(start_page),
            "consent": render_markdown(start_page.consent),
            "count": session.options.panel.each if session.options.panel else 0,
            "answered": answers,
        }
    }


def _render_organiser_texts(session: SharedSession) -> None:
    """Render instructions and consent text into the cache, so that joining is not delayed."""
    render_markdown(session.project.instructions)
    if session.options.start is not None:
        render_markdown(session.options.start.consent)


def _store_survey(
    session: SharedSession,
    participant_id: str,
    answers: Json,
    name_consent: Json,
    *,
    consented: bool,
    skips: bool,
) -> None:
    """Store survey answers of a participant, and whether the participant may be named.

    If the participant consents, or skips the questions after judging, the time is also stored.
    """
    start_page = session.options.start or StartPage()
    answers_to_store = (
        start_page.check_answers(answers)
        | ({CONSENTED: session.now()} if consented else {})
        | ({SKIPPED: session.now()} if skips else {})
        | name_consent
    )
    if consented:
        start_page.check_started({**session.store.surveys().get(participant_id, {}), **answers})
    if answers_to_store:
        session.store.note_survey(participant_id, answers_to_store)


def _withdraw(session: SharedSession, participant_id: str) -> None:
    """Record that a participant withdrew consent; exclude the participant, release all leases."""
    session.store.note_survey(participant_id, {WITHDRAWAL_KEY: session.now()})
    session.exclude_participant(participant_id)


class _BodyTooLarge(Exception):
    """Error: the body of a request is too large or arrives too slowly."""


def _require_text(data: Json, name: str) -> str:
    """Return the string field `name` of a request; raise `Refused` if it cannot be stored."""
    text = data.get(name)
    if not is_storable(text):
        raise Refused("broken", "The request cannot be read.")
    return text


async def _read_body(request: Request) -> bytes:
    limit = MAX_BODY_BYTES if _read_bearer_token(request) else MAX_ANONYMOUS_BODY_BYTES
    parts, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limit:
            raise _BodyTooLarge
        parts.append(chunk)
    return b"".join(parts)


class _ClientGone(Exception):
    """Error: the client closed the connection before the response."""


async def _run_while_connected(request: Request, operation: Coroutine[Any, Any, T]) -> T:
    """Return the result of `operation`.

    If the client disconnects, cancel the operation and raise `_ClientGone`.
    """

    timeout = asyncio.timeout(None)

    async def wait_for_disconnect() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        timeout.reschedule(0)

    disconnect_task = asyncio.ensure_future(wait_for_disconnect())
    try:
        async with timeout:
            return await operation
    except TimeoutError as error:
        if timeout.expired():
            raise _ClientGone from error
        raise
    finally:
        disconnect_task.cancel()


def _get_budget_key(request: Request) -> str:
    """Return the key of the budget for a request: the token, otherwise the client's address."""
    return _read_bearer_token(request) or rate_limit_key(
        request.client.host if request.client else ""
    )


def _charge_address(handler: Handler) -> Handler:
    """Return a handler of a route without authentication, which ignores tokens of requests.

    Otherwise, a client with another invented token for each request would have no budget.
    """

    async def handle(request: Request, data: Json) -> bytes:
        headers = [field for field in request.scope["headers"] if field[0] != b"authorization"]
        return await handler(Request({**request.scope, "headers": headers}, request.receive), data)

    return handle


def _get_max_queued(request: Request) -> int:
    return MAX_QUEUED_PER_PARTICIPANT if _read_bearer_token(request) else MAX_QUEUED_PER_ADDRESS


def _read_bearer_token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else ""


def _normalise_code(code: str) -> bytes:
    """Return a code in upper case, without spaces and punctuation, as bytes."""
    return "".join(character for character in code.upper() if character.isalnum()).encode()


def _encode_response(data: Json) -> bytes:
    return as_json({"protocol": PROTOCOL, **data})
