"""Where the key of an endpoint comes from: an environment variable or the keyring of the system, and no file of the program.

The keyring is that of the package `keyring`, which comes with the extra of the same name.
"""

import os
from importlib import import_module
from typing import Any

from irjudge.errors import IrjudgeError
from irjudge.http_client import check_secret
from irjudge.message import Message

KEYRING = "keyring"  # said in the place of a variable
SERVICE = "irjudge"  # under which the keyring has it, by the host of the endpoint


def key_of(source: str | None, host: str) -> str:
    """Return the key of an endpoint: that of an environment variable, or of the keyring; empty where none is wished.

    IrjudgeError when there is no key, or what is there cannot be one; the words never have it.
    """
    if not source:
        return ""
    if source == KEYRING:
        return check_secret(
            _of_keyring(host), Message("the keyring, for irjudge and {host}", host=host)
        )
    return check_secret(
        os.environ.get(source, ""), Message("the environment variable {name}", name=source)
    )


def keep_key(key: str, host: str) -> None:
    """Keep a key in the keyring, for the host of an endpoint."""
    key = check_secret(key, Message("the field"))
    keyring = _keyring()
    try:
        keyring.set_password(SERVICE, host, key)
    except keyring.errors.KeyringError as fault:
        raise IrjudgeError(
            "The keyring does not take the key ({fault}).", fault=type(fault).__name__
        ) from fault


def _of_keyring(host: str) -> str:
    keyring = _keyring()
    try:
        return keyring.get_password(SERVICE, host) or ""
    except keyring.errors.KeyringError as fault:
        raise IrjudgeError(
            "The keyring gives no key ({fault}).", key="keyring-error", fault=type(fault).__name__
        ) from fault


def _keyring() -> Any:
    """Return the package, which not everybody has."""
    try:
        import_module("keyring.errors")
        return import_module("keyring")
    except ImportError as fault:
        raise IrjudgeError(
            "The keyring needs a package: pip install irjudge[keyring]. Or name an environment variable."
        ) from fault
