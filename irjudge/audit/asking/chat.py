"""Requests to a chat endpoint. Nothing else in the engine opens a connection to another machine."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from irjudge.audit.asking.keys import key_of
from irjudge.errors import IrjudgeError
from irjudge.http_client import HttpResponse, is_host, post

CALL = "/chat/completions"
LOCAL = ("localhost", "127.0.0.1", "::1")


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

    def post(self, body: Mapping[str, Any], seconds: float) -> HttpResponse:
        """Send a request and return the response within so many seconds; the key is masked in it.

        NoResponseError when there is none.
        """
        return post(
            self.scheme,
            self.host,
            self.port,
            self.path,
            body=json.dumps(body),
            headers={},
            secret=self.key,
            seconds=seconds,
        )


def chat_endpoint(url: str, key_from: str | None = None) -> ChatEndpoint:
    """Return the endpoint at an address, such as `http://localhost:8080/v1`, with the key of an environment variable or the keyring.

    IrjudgeError when the address is of another form or has something secret in it, or there is no key; the words never have it.
    """
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
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
        or not is_host(host)
        or not url.isascii()
        or any(letter <= " " for letter in url)
    ):
        raise IrjudgeError(
            "The endpoint is no address of http or https; expected one such as http://localhost:8080/v1."
        )
    path = parts.path.rstrip("/")
    path = path if path.endswith(CALL) else path + CALL
    return ChatEndpoint(parts.scheme, host, port, path, key_of(key_from, host))
