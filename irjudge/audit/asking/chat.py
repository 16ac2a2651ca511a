"""One request to a chat endpoint, over the standard library alone. Nothing else in the program opens a connection to elsewhere."""

import email.utils
import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from irjudge.audit.asking.keys import key_of
from irjudge.errors import IrjudgeError
from irjudge.message import Message

CALL = "/chat/completions"
LARGEST, PIECE = 4 << 20, 1 << 16  # bytes of a reply, and of it read at a time
LOCAL = ("localhost", "127.0.0.1", "::1")
HIDDEN = "[key]"  # in place of the key, should a server send it back


class NoReply(Exception):
    """A request was not answered, and may be sent again."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What a server answered."""

    status: int
    raw: str  # the body
    retry_after: float | None = None  # seconds, where the server said so


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Where a model answers. The key is in memory alone and never shown."""

    scheme: str
    host: str
    port: int | None
    path: str
    key: str = field(default="", repr=False)

    @property
    def address(self) -> str:
        """The address without anything secret."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{f':{self.port}' if self.port else ''}{self.path}"

    @property
    def is_open(self) -> bool:
        """Whether texts and key go over a network that can read them."""
        return self.scheme == "http" and self.host not in LOCAL

    def post(self, body: Mapping[str, Any], seconds: float) -> HttpReply:
        """Send a request and return the reply; no redirect is followed, since the key would go along.

        NoReply when there is no whole reply within so many seconds.
        """
        kind = http.client.HTTPSConnection if self.scheme == "https" else http.client.HTTPConnection
        connection = kind(self.host, self.port, timeout=seconds)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            connection.request("POST", self.path, json.dumps(body).encode(), headers)
            reply = connection.getresponse()
            raw = _read(reply, time.monotonic() + seconds)
        except TimeoutError as fault:
            raise NoReply(
                Message("no reply within {seconds:g} seconds", seconds=seconds)
            ) from fault
        except (OSError, http.client.HTTPException) as fault:
            words = getattr(fault, "strerror", None) or type(fault).__name__
            raise NoReply(Message("the connection failed ({fault})", fault=words)) from fault
        finally:
            connection.close()
        text = raw.decode("utf-8", "replace")
        text = text.replace(self.key, HIDDEN) if self.key else text
        return HttpReply(reply.status, text, _seconds(reply.headers.get("Retry-After")))


def chat_endpoint(url: str, key_from: str | None = None) -> ChatEndpoint:
    """Return the endpoint at an address, such as `http://localhost:8080/v1`, with the key of an environment variable or the keyring.

    IrjudgeError when the address is of another form or has something secret in it, or there is no key; the words never have it.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as fault:
        raise IrjudgeError(
            "The endpoint is no address; expected one such as http://localhost:8080/v1."
        ) from fault
    if parts.username or parts.password or parts.query or parts.fragment:
        raise IrjudgeError(
            "The endpoint has a name, a key or a query in it; a key belongs in an environment variable or the keyring (--key-from)."
        )
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or not url.isascii()
        or any(letter <= " " for letter in url)
    ):
        raise IrjudgeError(
            "The endpoint is no address of http or https; expected one such as http://localhost:8080/v1."
        )
    path = parts.path.rstrip("/")
    path = path if path.endswith(CALL) else path + CALL
    return ChatEndpoint(parts.scheme, parts.hostname, port, path, key_of(key_from, parts.hostname))


def _read(reply: http.client.HTTPResponse, end: float) -> bytes:
    """Return the whole body; one that never ends, or comes a letter at a time, is given up."""
    pieces, size = [], 0
    while piece := reply.read1(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST:
            raise NoReply(Message("the reply is larger than {size:,} bytes", size=LARGEST))
        if time.monotonic() > end:
            raise TimeoutError
    if reply.length:
        raise http.client.IncompleteRead(b"", reply.length)
    return b"".join(pieces)


def _seconds(said: str | None) -> float | None:
    """Return how long to wait, of a number of seconds or a date."""
    if said is None:
        return None
    if said.strip().isdecimal():
        return float(said)
    try:
        then = email.utils.parsedate_to_datetime(said)
    except ValueError:
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())
