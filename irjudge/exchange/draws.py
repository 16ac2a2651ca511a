"""Chance that is the same on every machine: each draw comes from a hash of a seed and of what is drawn for."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


class SeededDraw:
    """Orders things by a hash of a seed, a purpose and the thing, so that one more thing moves no other.

    Examples
    --------
    >>> SeededDraw(7).shuffled(["a", "b", "c"], "example") == SeededDraw(7).shuffled(["c", "a", "b"], "example")
    True
    """

    def __init__(self, seed: int) -> None:
        self._salt = str(seed).encode()

    def shuffled(self, things: Sequence[T], *purpose: str | Callable[[T], str]) -> list[T]:
        """Return the things in a drawn order; `purpose` are texts, and last of all a function that names a thing (by default `str`)."""
        words = [word for word in purpose if isinstance(word, str)]
        name = purpose[-1] if purpose and callable(purpose[-1]) else str
        return sorted(things, key=lambda thing: self.number(*words, name(thing)))

    def number(self, *words: str) -> int:
        """Return a drawn number from 0 to 2**64 - 1."""
        data = b"\0".join((self._salt, *(word.encode() for word in words)))
        return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")
