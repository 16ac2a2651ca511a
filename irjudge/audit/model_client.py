"""Client of chat endpoints, and the keys that it sends.

The keyring is that of the package `keyring`, which comes with the extra of the same name.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from irjudge.errors import IrjudgeError
from irjudge.http_client import HttpResponse, check_secret, is_host, post
from irjudge.message import Message

# Where the key of an endpoint comes from: an environment variable or the keyring of the system, and no file of the program.

KEYRING = "keyring"  # said in the place of a variable
KEYRING_SERVICE = "irjudge"  # under which the keyring has it, by the host of the endpoint


def read_key(source: str | None, host: str) -> str:
    """Return the key of an endpoint: that of an environment variable, or of the keyring; empty where none is wished.

    IrjudgeError when there is no key, or what is there cannot be one; the words never have it.
    """
    if not source:
        return ""
    if source == KEYRING:
        return check_secret(
            _read_keyring_key(host), Message("the keyring, for irjudge and {host}", host=host)
        )
    return check_secret(
        os.environ.get(source, ""), Message("the environment variable {name}", name=source)
    )


def store_key(key: str, host: str) -> None:
    """Keep a key in the keyring, for the host of an endpoint."""
    key = check_secret(key, Message("the field"))
    keyring = _import_keyring()
    try:
        keyring.set_password(KEYRING_SERVICE, host, key)
    except keyring.errors.KeyringError as fault:
        raise IrjudgeError(
            "The keyring does not take the key ({fault}).", fault=type(fault).__name__
        ) from fault


def _read_keyring_key(host: str) -> str:
    keyring = _import_keyring()
    try:
        return keyring.get_password(KEYRING_SERVICE, host) or ""
    except keyring.errors.KeyringError as fault:
        raise IrjudgeError(
            "The keyring gives no key ({fault}).", key="keyring-error", fault=type(fault).__name__
        ) from fault


def _import_keyring() -> Any:
    """Return the package, which not everybody has."""
    try:
        import_module("keyring.errors")
        return import_module("keyring")
    except ImportError as fault:
        raise IrjudgeError(
            "The keyring needs a package: pip install irjudge[keyring]. Or name an environment variable."
        ) from fault


# Requests to a chat endpoint. Nothing else in the engine opens a connection to another machine.

COMPLETIONS_PATH = "/chat/completions"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


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
        return self.scheme == "http" and self.host not in LOCAL_HOSTS

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


def parse_endpoint(url: str, key_from: str | None = None) -> ChatEndpoint:
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
    path = path if path.endswith(COMPLETIONS_PATH) else path + COMPLETIONS_PATH
    return ChatEndpoint(parts.scheme, host, port, path, read_key(key_from, host))
