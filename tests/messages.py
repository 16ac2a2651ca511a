"""Keys and values of messages, which tests compare so that texts can be reworded."""

from collections.abc import Iterable
from typing import cast

from irjudge.message import Message


def keys_and_values(texts: Iterable[str], *names: str) -> list[tuple[str, ...]]:
    """Return the key of each message and its values of these names; empty for a missing value."""
    messages = [cast(Message, each) for each in texts]
    return [(each.key, *(each.all_values.get(name, "") for name in names)) for each in messages]


def warnings_of(texts: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return key, count and first example of each warning of a reader."""
    counts = keys_and_values(texts, "count", "first")
    return [(key, count or "1", first) for key, count, first in counts]


def keys_inside(text: str) -> set[str]:
    """Return the keys of a message and of the messages among its values."""
    keys = {text.key} if isinstance(text, Message) else set()
    for value in text.values.values() if isinstance(text, Message) else ():
        keys |= keys_inside(value)
    return keys
