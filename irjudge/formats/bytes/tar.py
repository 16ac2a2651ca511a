"""Tar archives, member by member from a stream.

The standard library reads the headers. Its loop over them is not used: it ends in silence at a damaged header,
keeps every member in memory, and makes zeros for holes that an archive only claims.
"""

import io
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.remarks import LINK_LEFT_OUT, NO_END_MARK, Remarks
from irjudge.message import Message

BLOCK = 512
END = bytes(BLOCK)
LONGEST_HEADER = 1024 * 1024
FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
PAX = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
ABOUT_OTHERS = (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK)
WITHOUT_DATA = (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE)


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive, to be read before the next is asked for."""

    name: str
    stream: io.BufferedReader


class _Slice(io.RawIOBase):
    """The next `size` bytes of a stream."""

    def __init__(self, stream: io.BufferedReader, size: int, where: Path) -> None:
        self._stream, self._left, self._where = stream, size, where

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        piece = self._stream.read(min(len(buffer), self._left))
        if not piece and self._left and len(buffer):
            raise _cut_off(self._where)
        buffer[: len(piece)] = piece
        self._left -= len(piece)
        return len(piece)

    def skip(self) -> None:
        """Read on to the end."""
        scratch = bytearray(BLOCK * BLOCK)
        while self.readinto(scratch):
            pass


def is_tar(head: bytes, name: str) -> bool:
    """Tell whether a file that begins with `head` is a tar archive; very old ones are known by their ending alone."""
    return head[257:262] == b"ustar" or (name.lower().endswith(".tar") and len(head) >= BLOCK)


def tar_members(stream: io.BufferedReader, where: Path, remarks: Remarks) -> Iterator[Member]:
    """Yield the files of a tar archive in its order."""
    said: dict[bytes, bytes] = {}  # what headers said about the member that follows them
    while header := _next_header(stream, where, remarks):
        size = 0 if header.type in WITHOUT_DATA else int(said.get(b"size", header.size))
        data = _Slice(stream, size, where)
        if header.type == tarfile.GNUTYPE_LONGNAME:
            said[b"path"] = _small(data, size, where).split(b"\0", 1)[0]
        elif header.type in PAX:
            said |= _pax_records(_small(data, size, where))
        elif header.type not in ABOUT_OTHERS:
            name = said[b"path"].decode("utf-8", "surrogateescape") if said.get(b"path") else header.name
            if header.type in FILES and not any(key.startswith(b"GNU.sparse") for key in said):
                yield Member(name, io.BufferedReader(data, BLOCK * BLOCK))
            elif header.type != tarfile.DIRTYPE:
                remarks.add(LINK_LEFT_OUT, ascii(name).strip("'"))
            said = {}
        data.skip()
        stream.read(-size % BLOCK)


def _next_header(stream: io.BufferedReader, where: Path, remarks: Remarks) -> tarfile.TarInfo | None:
    block = stream.read(BLOCK)
    if not block:
        remarks.add(NO_END_MARK, where.name)
    if block in (b"", END):
        return None
    try:
        header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError, OverflowError) as error:
        raise FormatError(where, Message("the archive is damaged ({error})", error=error)) from error
    if header.size < 0:
        raise FormatError(where, Message("the archive is damaged (a member of {size} bytes)", size=header.size))
    return header


def _small(data: _Slice, size: int, where: Path) -> bytes:
    if size > LONGEST_HEADER:
        raise FormatError(
            where,
            Message(
                "the archive has a header of {size:,} bytes, expected {longest_header:,} at most", size=size, longest_header=LONGEST_HEADER
            ),
        )
    return io.BufferedReader(data, BLOCK).read()


def _pax_records(block: bytes) -> dict[bytes, bytes]:
    """Return the records of a header: `LENGTH KEY=VALUE`, each ended by a line end."""
    records, at = {}, 0
    while (blank := block.find(b" ", at, at + 8)) > 0 and block[at:blank].isdigit():
        end = at + int(block[at:blank])
        key, _, value = block[blank + 1 : end].partition(b"=")
        if key != b"size" or re.fullmatch(rb"[0-9]{1,18}\n", value):
            records[key] = value.removesuffix(b"\n")
        if end <= blank:
            break
        at = end
    return records


def _cut_off(where: Path) -> FormatError:
    return FormatError(where, "the archive is cut off inside a file")
