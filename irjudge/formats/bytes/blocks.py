"""Files in blocks of whole lines, one at a time, in memory that is used again."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

import numpy as np

from irjudge.errors import FormatError
from irjudge.message import Message
from irjudge.model.ranking import Ints, Longs

Text: TypeAlias = bytes | bytearray

BLOCK = 8 << 20  # parsed in memory that the block before has used
FIRST = 1 << 18  # a small file needs no more
LONGEST_LINE = 1 << 20
UTF8_BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(slots=True)
class Block:
    """A piece of a file that ends with a line, and the numbers of its lines."""

    data: Text
    first_line: int
    line: Ints | None = field(default=None)
    ends: int = field(init=False)

    def __post_init__(self) -> None:
        self.ends = int(
            np.count_nonzero(np.frombuffer(self.data, dtype=np.uint8) == ord("\n"))
        )  # thrice as fast as bytes.count

    def lines(self) -> Ints:
        """Return the number of each line, from 1 for the file's first."""
        if self.line is not None:
            return self.line
        count = self.ends + (not self.data.endswith(b"\n"))
        return np.arange(self.first_line, self.first_line + count, dtype=np.int32)


def line_ends(data: Text) -> Longs:
    """Return where each line ends, the last one counted whether it has an end or not."""
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    return ends if not data or data.endswith(b"\n") else np.append(ends, len(data))


def blocks_of(path: Path, file: BinaryIO) -> Iterator[Block]:
    """Yield an open file in blocks of whole lines, each to be done with before the next; ends of lines become the same."""
    first_line, rest, room, ended = 1, b"", bytearray(), False
    while rest or not ended:
        last = ended  # what is left is a line without an end
        room, ended = (bytearray(rest), True) if last else _filled(path, file, room, rest)
        if first_line == 1 and not rest:
            _refuse_or_drop_bom(path, room)
        cut = len(room) if last else room.rfind(b"\n") + 1
        rest = bytes(memoryview(room)[cut:])
        del room[cut:]
        if cut:
            block = Block(_newlines(room), first_line)
            _check_text(path, block)
            yield block
            first_line += block.ends
        if len(rest) > LONGEST_LINE:
            raise _too_long(path, first_line)


def _filled(path: Path, file: BinaryIO, room: bytearray, rest: bytes) -> tuple[bytearray, bool]:
    """Return `rest` and the next bytes of the file, and whether it ends with them.

    They are in the memory of the block before: new memory costs as much as reading does.
    """
    size = len(rest) + (BLOCK if room else min(BLOCK, FIRST))
    try:
        room += bytes(max(0, size - len(room)))
        del room[size:]
    except BufferError:  # Arrow has not yet let go of it
        room = bytearray(size)
    room[: len(rest)] = rest
    with memoryview(room) as view:
        count = _read_into(path, file, view[len(rest) :])
    del room[len(rest) + count :]
    return room, len(rest) + count < size


def _read_into(path: Path, file: BinaryIO, view: memoryview) -> int:
    """Fill `view` and return how many bytes there were; fewer than it holds only at the end."""
    count, reader = 0, cast(io.BufferedIOBase, file)
    try:
        while count < len(view) and (more := reader.readinto(view[count:])):
            count += more
    except OSError as fault:
        raise FormatError(
            path, Message("cannot be read to its end ({fault})", fault=fault)
        ) from fault
    finally:
        view.release()
    return count


def _newlines(data: bytearray) -> bytearray:
    """Return whole lines with every line's end the same."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _check_text(path: Path, block: Block) -> None:
    """Refuse what cannot be a file of columns: zero bytes, and lines nobody would have written."""
    data, half = block.data, LONGEST_LINE // 2
    zero = data.find(b"\0")
    if zero >= 0:
        raise FormatError(
            path,
            "a zero byte; this is not a text file in UTF-8",
            block.first_line + data.count(b"\n", 0, zero),
        )
    if any(
        data.find(b"\n", at, at + half) < 0 for at in range(0, len(data) - half, half)
    ):  # too long a line fills one of these
        longer = np.flatnonzero(np.diff(line_ends(data), prepend=-1) > LONGEST_LINE + 1)
        if len(longer):
            raise _too_long(path, block.first_line + int(longer[0]))


def _too_long(path: Path, line: int) -> FormatError:
    return FormatError(
        path,
        Message(
            "a line longer than {longest_line:,} bytes; this is not a file of columns",
            key="long-line",
            longest_line=LONGEST_LINE,
        ),
        line,
    )


def _refuse_or_drop_bom(path: Path, room: bytearray) -> None:
    if room.startswith(UTF16_BOMS):
        raise FormatError(path, "the text is UTF-16, expected UTF-8")
    if room.startswith(UTF8_BOM):
        del room[: len(UTF8_BOM)]
