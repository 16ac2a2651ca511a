"""Client for endpoints of chat models, and storage of API keys.

Access to the system's keyring requires the optional package `keyring` (extra `keyring`).
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from irjudge.errors import IrjudgeError
from irjudge.http_client import HttpResponse, check_secret, is_host, post
from irjudge.message import Message

# API keys are read from an environment variable or the system's keyring, never from a file of
# irjudge.

# value of --key-from that selects the keyring; other values are names of environment variables
KEYRING = "keyring"
# pattern of names of environment variables; a message contains a name only if it matches
VARIABLE_PATTERN = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
KEYRING_SERVICE = "irjudge"  # name of the service in the keyring; the user name is the host


def read_key(source: str | None, host: str) -> str:
    """Return the API key for an endpoint, from an environment variable or the keyring.

    The key is empty if no source is given. Raises IrjudgeError if the key is missing or invalid;
    the message never contains the key.
    """
    if not source:
        return ""
    if source == KEYRING:
        return check_secret(
            _read_keyring_key(host), Message("the keyring entry for irjudge and {host}", host=host)
        )
    # a user may have given the key itself instead of a name
    variable_text = Message("the given environment variable")
    if VARIABLE_PATTERN.fullmatch(source):
        variable_text = Message("the environment variable {name}", name=source)
    return check_secret(os.environ.get(source, ""), variable_text)


def store_key(key: str, host: str) -> None:
    """Store the API key for a host in the keyring."""
    key = check_secret(key, Message("the input field"))
    keyring = _import_keyring()
    try:
        keyring.set_password(KEYRING_SERVICE, host, key)
    except keyring.errors.KeyringError as error:
        raise IrjudgeError(
            "The key could not be stored in the system's keyring ({error}).",
            error=type(error).__name__,
        ) from error


def _read_keyring_key(host: str) -> str:
    keyring = _import_keyring()
    try:
        return keyring.get_password(KEYRING_SERVICE, host) or ""
    except keyring.errors.KeyringError as error:
        raise IrjudgeError(
            "The keyring returned no key ({error}).",
            key="keyring-error",
            error=type(error).__name__,
        ) from error


def _import_keyring() -> Any:
    try:
        import_module("keyring.errors")
        return import_module("keyring")
    except ImportError as error:
        raise IrjudgeError(
            "The keyring needs a package that is not installed. Install it with `pip install "
            "irjudge[keyring]`, or use an environment variable."
        ) from error


# Requests to a chat endpoint

COMPLETIONS_PATH = "/chat/completions"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Endpoint of a chat model, to which `post` sends requests: its address and API key.

    The server must implement OpenAI's chat completions; `path` ends with `/chat/completions`. The
    key may be empty. The key is never displayed or written to a project, and is masked in
    responses.
    """

    scheme: str
    host: str
    port: int | None
    path: str
    key: str = field(default="", repr=False)

    @property
    def address(self) -> str:
        """Address of the endpoint without the key."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{f':{self.port}' if self.port else ''}{self.path}"

    @property
    def is_unencrypted(self) -> bool:
        """Whether texts and key would be sent unencrypted to another machine."""
        return self.scheme == "http" and self.host not in LOCAL_HOSTS

    def post(self, body: Mapping[str, Any], timeout: float) -> HttpResponse:
        """Send a request and return the response, in which the key is masked.

        Raises NoResponseError if there is no response within `timeout` seconds.
        """
        return post(
            self.scheme,
            self.host,
            self.port,
            self.path,
            body=json.dumps(body),
            headers={},
            secret=self.key,
            timeout=timeout,
        )


def parse_endpoint(url: str, key_from: str | None = None) -> ChatEndpoint:
    """Return the endpoint at an address such as `http://localhost:8080/v1`, with its API key.

    Raises IrjudgeError if the address is invalid or contains a secret, or if the key is missing or
    invalid; the message contains no secret.
    """
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise IrjudgeError(
            "The endpoint is not an address; expected one such as http://localhost:8080/v1."
        ) from None  # the original error may contain a password
    # if a password contains a slash, the path begins at this slash, and contains the `@`; `&`, `;`
    # and `=` occur in a query whose `?` is missing
    has_secret_path = any(character in parts.path for character in "@&;=")
    if parts.username or parts.password or has_secret_path or parts.query or parts.fragment:
        raise IrjudgeError(
            "The endpoint contains a user name, a key or a query; store the key in an "
            "environment variable or the keyring (--key-from)."
        )
    if (
        parts.scheme not in ("http", "https")
        or not is_host(host)
        or not url.isascii()
        or any(character <= " " for character in url)
    ):
        raise IrjudgeError(
            "The endpoint is not an http or https address; expected one such as "
            "http://localhost:8080/v1."
        )
    path = parts.path.rstrip("/")
    path = path if path.endswith(COMPLETIONS_PATH) else path + COMPLETIONS_PATH
    return ChatEndpoint(parts.scheme, host, port, path, read_key(key_from, host))
