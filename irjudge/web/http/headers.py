"""What stands in front of all routes: who asks, by which name, and the headers of every answer, errors included."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from irjudge.web.http.content_security_policy import ANSWER_POLICY, UNFRAMED
from irjudge.web.http.proxies import Proxies, client_address, counted_as

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": ANSWER_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_FIELDS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
MOST_AT_ONCE = 512  # requests of one person's address that a proxy has under way


def as_json(data: object) -> bytes:
    """Return JSON in bytes; a half of a letter, which some browsers send, becomes a question mark."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def answer_of(status: int, data: object, *, close: bool = False, wait: int = 0) -> Response:
    """Return an answer in JSON."""
    text = data if isinstance(data, bytes) else as_json(data)
    headers = ({"Connection": "close"} if close else {}) | (
        {"Retry-After": str(wait)} if wait else {}
    )
    return Response(text, status, headers, "application/json")


class HeaderFront:
    """Answers what needs no route, and lets the rest through with the address of the person who asks."""

    def __init__(self, app: ASGIApp, known: Callable[[Headers], bool], proxies: Proxies) -> None:
        self._app, self._known, self._proxies = app, known, proxies
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                said = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(each for each in _FIELDS if each[0] not in said),
                ]
            await send(message)

        asked = HTTPConnection(scope)
        peer = asked.client.host if asked.client else ""
        address = client_address(asked, self._proxies)
        scope["client"] = (address, 0)
        own = counted_as(address)
        self._under_way[own] += 1
        try:
            await (self._refusal(asked.headers, peer, own) or self._app)(scope, receive, sent)
        except Exception:  # whatever it is, the page has to hear of it
            if begun:
                raise
            await answer_of(
                500, {"problem": "A fault of the server.", "kind": "fault"}, close=True
            )(scope, receive, sent)
        finally:
            self._under_way[own] -= 1
            if not self._under_way[own]:
                del self._under_way[own]

    def _refusal(self, headers: Headers, peer: str, own: str) -> Response | None:
        if "content-length" in headers and "transfer-encoding" in headers:
            return answer_of(
                400, {"problem": "A request has one length, not two.", "kind": "broken"}, close=True
            )
        if not self._known(headers):
            return wrong_host()
        if peer in self._proxies and self._under_way[own] > MOST_AT_ONCE:
            return answer_of(503, {"problem": "Too many requests at once.", "kind": "busy"}, wait=1)
        return None


def wrong_host() -> Response:
    """Return the answer to who asks by a name that is not ours."""
    return answer_of(
        403, {"problem": "This server is not asked for by that name.", "kind": "host"}, close=True
    )


class Page:
    """A page that is sent packed, and not again to a browser that has it."""

    def __init__(self, text: str, policy: str) -> None:
        self._plain = text.encode()
        self._packed = gzip.compress(self._plain, mtime=0)
        self._headers = {
            "Cache-Control": "no-cache",  # it may be kept, and is asked for anew each time
            "Content-Security-Policy": f"{policy}; {UNFRAMED}",
            "ETag": f'W/"{sha256(self._plain).hexdigest()[:32]}"',
            "Vary": "Accept-Encoding",
        }

    def answer(self, request: Request) -> Response:
        """Return the page, or that nothing has changed."""
        if _lists(request.headers.get("if-none-match", ""), self._headers["ETag"]):
            return Response(None, 304, self._headers)
        packed = _takes_gzip(request.headers)
        more = {"Content-Encoding": "gzip"} if packed else {}
        return Response(
            self._packed if packed else self._plain, 200, self._headers | more, "text/html"
        )


def _lists(tags: str, tag: str) -> bool:
    """Tell whether If-None-Match names a tag; that it is weak makes no difference."""
    bare = [each.strip().removeprefix("W/") for each in tags.split(",")]
    return "*" in bare or tag.removeprefix("W/") in bare


def _takes_gzip(headers: Mapping[str, str]) -> bool:
    taken = (
        each.replace(" ", "").lower().partition(";")
        for each in headers.get("accept-encoding", "").split(",")
    )
    return any(
        name == "gzip" and more not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
        for name, _, more in taken
    )
