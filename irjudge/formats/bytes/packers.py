"""Files packed one by one: gzip, bzip2 and xz, unpacked piece by piece."""

import bz2
import gzip
import io
import lzma
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

from irjudge.message import Message

CHUNK = 64 * 1024
MOST_MEMORY = 128 * 1024 * 1024  # xz -9 takes 65 MB to unpack; a header may claim 4 GB


class ByteSource(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Return `size` bytes or fewer; none at the end."""


class _Engine(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Unpacking:
    """What several packed streams in a row hold, in pieces no larger than asked for."""

    def __init__(self, file: io.BufferedReader, engine: Callable[[], object]) -> None:
        self._file, self._new = file, cast(Callable[[], _Engine], engine)
        self._engine = self._new()

    def read(self, size: int, /) -> bytes:
        while packed := self._packed():
            piece = self._engine.decompress(packed[0], size)
            if piece:
                return piece
        return b""

    def _packed(self) -> tuple[bytes] | None:
        """Return what the engine is to be given next, maybe nothing; None at the end of the file."""
        if self._engine.eof:
            following = self._engine.unused_data.lstrip(b"\0")  # xz pads with zero bytes
            while not following and (chunk := self._file.read(CHUNK)):
                following = chunk.lstrip(b"\0")
            if not following:
                return None
            self._engine = self._new()
            return (following,)
        if not self._engine.needs_input:
            return (b"",)
        chunk = self._file.read(CHUNK)
        if not chunk:
            raise EOFError(Message("its end is missing"))
        return (chunk,)


@dataclass(frozen=True, slots=True)
class Packer:
    """One way to pack a file."""

    name: str  # in words
    mark: re.Pattern[bytes]  # what packed files begin with
    endings: tuple[tuple[str, str], ...]  # what packing adds to a name, and what stands in its place after unpacking
    unpack: Callable[[io.BufferedReader], ByteSource]  # makes a packed file one that gives its content

    def unpacked_name(self, name: str) -> str:
        """Return the name without its ending.

        Examples
        --------
        >>> PACKERS[0].unpacked_name("docs.TGZ"), PACKERS[1].unpacked_name("docs.jsonl.bz2")
        ('docs.tar', 'docs.jsonl')
        """
        for ending, instead in self.endings:
            if name.lower().endswith(ending):
                return name[: -len(ending)] + instead
        return name


PACKERS = (
    Packer("gzip", re.compile(rb"\x1f\x8b"), ((".tgz", ".tar"), (".gz", "")), lambda file: gzip.GzipFile(fileobj=file, mode="rb")),
    Packer(
        "bzip2",
        re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
        ((".tbz2", ".tar"), (".tbz", ".tar"), (".bz2", "")),
        lambda file: _Unpacking(file, bz2.BZ2Decompressor),
    ),
    Packer(
        "xz",
        re.compile(rb"\xfd7zXZ\x00"),
        ((".txz", ".tar"), (".xz", "")),
        lambda file: _Unpacking(file, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)),
    ),
)


def packer_of(head: bytes) -> Packer | None:
    """Return what a file that begins with `head` is packed with; None when it is not packed."""
    return next((packer for packer in PACKERS if packer.mark.match(head)), None)
