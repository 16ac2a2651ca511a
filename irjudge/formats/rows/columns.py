"""Readers of lines of columns, in blocks of whole lines."""

import io
import re
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

from irjudge.errors import FormatError
from irjudge.formats.bytes import FileSource, open_input
from irjudge.formats.rows.grouping import offsets_of
from irjudge.message import Message
from irjudge.model import Ints, Longs, to_numpy

# Files in blocks of whole lines, one at a time, in memory that is used again.

Text: TypeAlias = bytes | bytearray

BLOCK = 8 << 20  # parsed in memory that the block before has used
FIRST_BLOCK_BYTES = 1 << 18  # a small file needs no more
MAX_LINE_BYTES = 1 << 20
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
        room, ended = (bytearray(rest), True) if last else _fill_block(path, file, room, rest)
        if first_line == 1 and not rest:
            _refuse_or_drop_bom(path, room)
        cut = len(room) if last else room.rfind(b"\n") + 1
        rest = bytes(memoryview(room)[cut:])
        del room[cut:]
        if cut:
            block = Block(_normalise_newlines(room), first_line)
            _check_text(path, block)
            yield block
            first_line += block.ends
        if len(rest) > MAX_LINE_BYTES:
            raise _line_too_long_error(path, first_line)


def _fill_block(path: Path, file: BinaryIO, room: bytearray, rest: bytes) -> tuple[bytearray, bool]:
    """Return `rest` and the next bytes of the file, and whether it ends with them.

    They are in the memory of the block before: new memory costs as much as reading does.
    """
    size = len(rest) + (BLOCK if room else min(BLOCK, FIRST_BLOCK_BYTES))
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


def _normalise_newlines(data: bytearray) -> bytearray:
    """Return whole lines with every line's end the same."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _check_text(path: Path, block: Block) -> None:
    """Refuse what cannot be a file of columns: zero bytes, and lines nobody would have written."""
    data, half = block.data, MAX_LINE_BYTES // 2
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
        longer = np.flatnonzero(np.diff(line_ends(data), prepend=-1) > MAX_LINE_BYTES + 1)
        if len(longer):
            raise _line_too_long_error(path, block.first_line + int(longer[0]))


def _line_too_long_error(path: Path, line: int) -> FormatError:
    return FormatError(
        path,
        Message(
            "a line longer than {longest_line:,} bytes; this is not a file of columns",
            key="long-line",
            longest_line=MAX_LINE_BYTES,
        ),
        line,
    )


def _refuse_or_drop_bom(path: Path, room: bytearray) -> None:
    if room.startswith(UTF16_BOMS):
        raise FormatError(path, "the text is UTF-16, expected UTF-8")
    if room.startswith(UTF8_BOM):
        del room[: len(UTF8_BOM)]


# Reads files of columns fast: pyarrow takes regular blocks, and only lines that do not fit are split in Python.

PARSED_BYTES = 1 << 20  # a thread's share of a block
MAX_SHOWN_CHARACTERS = 60
ANY_NUMBER = Message("expected one such as 12.5")
NUMBER = re.compile(
    r"[+-]?(\d++\.?\d*+|\.\d++)([eE][+-]?\d++)?|[+-]?inf(inity)?", re.IGNORECASE | re.ASCII
)
WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
WHOLE_DECIMAL = re.compile(r"[+-]?\d+\.0+", re.ASCII)
HEXADECIMAL = re.compile(rb"[ \t]-?0[xX]")  # Arrow would read 0x10 as the whole number 16

CODED = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True, slots=True)
class TypedColumn:
    """A column that is read: its name in sentences, and its Arrow type (CODED, string, int32 or float64).

    A `lenient` whole number that is none reads as -1: nobody needs it, so nobody should have to mend it.
    """

    name: str
    type: Any
    lenient: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """What a line looks like."""

    columns: tuple[
        TypedColumn | None, ...
    ]  # the columns by place; None for one that is there and not read
    most: int  # A line may have up to this many columns; those after the last are left out and counted
    expected: str

    @property
    def width(self) -> int:
        """How many columns a regular line has."""
        return len(self.columns)

    @property
    def read(self) -> tuple[tuple[int, TypedColumn], ...]:
        """Place and declaration of the columns that are read."""
        return tuple((place, column) for place, column in enumerate(self.columns) if column)

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema of what is read."""
        return pa.schema([(column.name, column.type) for _, column in self.read])


@dataclass(slots=True)
class FileLines:
    """The rows of a file and where they stood."""

    table: pa.Table  # the columns that were read, N rows
    line: Ints  # shape (N,), 1-based
    longer: int = 0  # how many lines had more columns than were read

    def take(self, name: str) -> Any:
        """Return a column as one Arrow array and forget it, so that its pieces do not stay in memory beside it."""
        array = self.table[name].combine_chunks()
        self.table = self.table.drop_columns(name)
        return array

    def different(self, name: str) -> list[str]:
        """Return the different texts of a coded column, as they first appear, and forget it."""
        texts = [
            text for chunk in self.table[name].chunks[:1] for text in chunk.dictionary.to_pylist()
        ]  # unified: each chunk has all
        self.table = self.table.drop_columns(name)
        return texts


def column_count_problem(count: int, expected: str) -> str:
    """Return the sentence about a line with another number of columns than expected."""
    if count == 1:
        return Message("1 column, expected {expected}", key="column-count", expected=expected)
    return Message(
        "{count} columns, expected {expected}", key="column-count", count=count, expected=expected
    )


def read_columns(given: FileSource, choose: Callable[[list[str]], Layout]) -> FileLines:
    """Read a file of columns split by spaces or tabs.

    Blank lines and lines that begin with `#` are left out. No Python object is made for a regular line.
    """
    layout: Layout | None = None
    parts: list[FileLines] = []
    with open_input(given) as file:
        path = file.path
        for block in blocks_of(path, file.plain()):
            if layout is None:
                layout = _first_layout(path, block, choose)
            if layout is not None:
                parts.append(_read_block(path, block, layout))
    if layout is None:
        raise FormatError(path, Message("the file has no lines to read", key="empty-file"))
    table = (
        pa.concat_tables([part.table for part in parts]) if parts else layout.schema.empty_table()
    )
    line = np.concatenate([part.line for part in parts]) if parts else np.empty(0, dtype=np.int32)
    return FileLines(table.unify_dictionaries(), line, sum(part.longer for part in parts))


def _first_layout(path: Path, block: Block, choose: Callable[[list[str]], Layout]) -> Layout | None:
    """Ask what lines look like, showing the first line that has something; None when the block has none."""
    for match in re.finditer(rb"[^\n]+", block.data):
        fields = [field for field in match[0].replace(b"\t", b" ").split(b" ") if field]
        if fields and not fields[0].startswith(b"#"):
            number = block.first_line + block.data.count(b"\n", 0, match.start())
            try:
                return choose([field.decode("utf-8", "replace") for field in fields])
            except ValueError as fault:
                raise FormatError(path, str(fault), number) from fault
    return None


def _read_block(path: Path, block: Block, layout: Layout) -> FileLines:
    """Try what is fastest first: as it is, then made regular, then line by line, which names the fault."""
    data = block.data
    tabs = b"\t" in data
    mixed = tabs and b" " in data
    separator = "\t" if tabs else " "
    if (
        not mixed
        and b"#" not in data
        and not _has_doubled_separator(data, separator)
        and (table := _parse(data, separator, layout)) is not None
    ):
        return FileLines(table, _numbers(block, table))
    block, longer = _normalise_block(block, layout)
    if (table := _parse(block.data, " ", layout)) is not None and table.num_rows == len(
        block.lines()
    ):
        return FileLines(table, block.lines(), longer)
    return _parse_by_line(path, block, layout, longer)


def _has_doubled_separator(data: Text, separator: str) -> bool:
    """Tell whether two separators stand side by side: they would hide that a column which is not read is missing."""
    return _has_pair(data, separator.encode() * 2)


def _has_pair(data: Text, pair: bytes) -> bool:
    """Tell whether two bytes stand side by side; seven times as fast as `in` where the second of them is frequent."""
    wanted = np.frombuffer(pair, dtype=np.uint16)[0]
    return any(
        bool(np.any(np.frombuffer(data, np.uint16, (len(data) - at) // 2, at) == wanted))
        for at in (0, 1)
        if len(data) > at
    )


def _numbers(block: Block, table: pa.Table) -> Ints:
    lines = block.lines()
    return (
        lines
        if len(lines) == table.num_rows
        else lines[np.diff(line_ends(block.data), prepend=-1) > 1]
    )


def _parse(data: Text, separator: str, layout: Layout) -> pa.Table | None:
    """Return the columns, or None when some line does not fit. Nothing is quoted, nothing is missing: `NA` is an id."""
    if any(x in data and _has_pair(data, b"0" + x) for x in (b"x", b"X")) and HEXADECIMAL.search(
        data
    ):
        return None
    names = [column.name if column else f"-{place}" for place, column in enumerate(layout.columns)]
    try:
        table = pa.csv.read_csv(
            pa.py_buffer(data),
            read_options=pa.csv.ReadOptions(
                column_names=names, block_size=PARSED_BYTES, use_threads=len(data) > PARSED_BYTES
            ),
            parse_options=pa.csv.ParseOptions(
                delimiter=separator, quote_char=False, escape_char=False
            ),
            convert_options=pa.csv.ConvertOptions(
                include_columns=[column.name for _, column in layout.read],
                column_types={column.name: column.type for _, column in layout.read},
                null_values=[],
                strings_can_be_null=False,
            ),
            memory_pool=pa.system_memory_pool(),  # keeps what a block has freed for the next one
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        return None
    return table if all(_whole(table[column.name]) for _, column in layout.read) else None


def _whole(column: pa.ChunkedArray) -> bool:
    """Tell whether a column has neither empty texts nor NaN: two separators in a row shift what follows."""
    for chunk in column.chunks:
        texts = chunk.dictionary if pa.types.is_dictionary(chunk.type) else chunk
        if pa.types.is_floating(chunk.type):
            odd = np.isnan(to_numpy(chunk).min(initial=np.inf))  # NaN wins over every minimum
        else:
            odd = pa.types.is_string(texts.type) and not np.diff(offsets_of(texts)).all()
        if odd:
            return False
    return True


def _normalise_block(block: Block, layout: Layout) -> tuple[Block, int]:
    """Make separators one space each, drop blank lines and comments, cut columns after the last; count the cut lines."""
    data = block.data.replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    data = data.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")
    if not data.endswith(b"\n"):
        data += b"\n"
    letters = np.frombuffer(data, dtype=np.uint8)
    ends = line_ends(data)
    begins = np.concatenate(([0], ends[:-1] + 1))
    keep = (letters[begins] != ord("\n")) & (letters[begins] != ord("#"))
    spaces = np.flatnonzero(letters == ord(" "))
    before = np.searchsorted(spaces, begins)  # how many spaces stand before each line
    width = np.searchsorted(spaces, ends) - before + 1
    longer = keep & (width > layout.width) & (width <= layout.most)
    if longer.any() or not keep.all():
        cut = spaces[before[longer] + layout.width - 1]
        data = _remove_spans(
            letters,
            np.concatenate((begins[~keep], cut)),
            np.concatenate((ends[~keep] + 1, ends[longer])),
        )
    return Block(
        data, block.first_line, (block.first_line + np.flatnonzero(keep)).astype(np.int32)
    ), int(longer.sum())


def _remove_spans(letters: Any, begins: Longs, ends: Longs) -> bytes:
    """Return the bytes outside the spans from `begins` to `ends`, which do not overlap."""
    step = np.zeros(len(letters) + 1, dtype=np.int8)
    step[begins] += 1
    step[ends] -= 1
    outside: bytes = letters[np.cumsum(step[:-1], dtype=np.int8) == 0].tobytes()
    return outside


def _parse_by_line(path: Path, block: Block, layout: Layout, longer: int) -> FileLines:
    """Split in Python, the slow way that can name the line: it reads what Arrow is too strict for, or raises."""
    rows: list[list[Any]] = [[] for _ in layout.read]
    first: tuple[int, str] | None = None
    wrong = 0
    numbers = block.lines().tolist()
    for number, text in zip(numbers, bytes(block.data).split(b"\n"), strict=False):
        try:
            for values, value in zip(rows, _values(text, layout), strict=True):
                values.append(value)
        except ValueError as fault:
            wrong += 1
            first = first or (number, str(fault))
    if first:
        others = (
            Message("1 more line near it does")
            if wrong == 2
            else Message("{wrong:,} more lines near it do", wrong=wrong - 1)
        )
        more = (
            Message("; {others} not fit either", key="more-lines", others=others)
            if wrong > 1
            else ""
        )
        if wrong == first[0] == 1 and len(numbers) > 1:
            more = Message("; if this line names the columns, leave it out", key="names-columns")
        raise FormatError(path, first[1] + more, first[0])
    arrays = [
        pa.array(values, column.type) for values, (_, column) in zip(rows, layout.read, strict=True)
    ]
    return FileLines(
        pa.Table.from_arrays(arrays, schema=layout.schema),
        np.array(numbers, dtype=np.int32),
        longer,
    )


def _values(text: bytes, layout: Layout) -> list[Any]:
    fields = text.split(b" ")
    if len(fields) != layout.width:
        raise ValueError(column_count_problem(len(fields), layout.expected))
    return [_value(fields[place], column) for place, column in layout.read]


def _value(field: bytes, column: TypedColumn) -> Any:
    text = field.decode("utf-8", "replace")
    shown = repr(text if len(text) <= MAX_SHOWN_CHARACTERS else text[:MAX_SHOWN_CHARACTERS] + "…")
    if pa.types.is_floating(column.type):
        if not NUMBER.fullmatch(text):
            raise ValueError(
                Message(
                    "{column} {shown} is not a number, {any_number}",
                    key="not-a-number",
                    column=column.name,
                    shown=shown,
                    any_number=ANY_NUMBER,
                )
            )
        return float(text)
    if pa.types.is_integer(column.type):
        text = text.partition(".")[0] if WHOLE_DECIMAL.fullmatch(text) else text
        if not WHOLE.fullmatch(text):
            if column.lenient:
                return -1
            raise ValueError(
                Message(
                    "{column} {shown} is not a whole number",
                    key="not-whole",
                    column=column.name,
                    shown=shown,
                )
            )
        if len(text.lstrip("+-0")) > 10 or not -(2**31) <= int(text) < 2**31:
            raise ValueError(
                Message(
                    "{column} {shown} is too large, expected less than {words:,}",
                    key="large-number",
                    column=column.name,
                    shown=shown,
                    words=2**31,
                )
            )
        return int(text)
    if text.encode() != field:
        raise ValueError(
            Message(
                "{column} {shown} is not UTF-8", key="not-utf8", column=column.name, shown=shown
            )
        )
    return text


# What a file or folder of a run that is kept by columns is called.

ENDINGS = (".parquet", ".arrow", ".feather", ".ipc")
RUN_FOLDER = "run="  # how the name of a folder with one run begins


# Reads pieces of a file in several threads, few of them in memory at once, and gives what was made of them in order.

Piece = TypeVar("Piece")
Read = TypeVar("Read")
Made = TypeVar("Made")
MAX_THREADS = 4
_here = threading.local()  # `busy` where this thread already makes one of several pieces


class IrregularFile(Exception):
    """The file must be read by who can read everything and names what is wrong."""


def map_in_parallel(
    work: Callable[[Piece], Made], pieces: Iterator[Piece]
) -> Generator[Made, None, None]:
    """Yield what `work` makes of each piece, in order; numpy works on several at once, and few are in memory.

    Only the second is begun before the first has ended: most runs that are not regular show it there, and then little was read in vain.
    On one core all are made in this thread, and so are the parts of one piece of several: all cores have work already.
    """
    threads = _thread_count()
    if threads == 1:
        yield from map(work, pieces)
        return
    waiting: deque[Future[Made]] = deque()
    most = 1
    with ThreadPoolExecutor(threads, initializer=_mark_busy) as pool:
        try:
            for piece in pieces:
                waiting.append(pool.submit(work, piece))
                if len(waiting) > most:
                    yield waiting.popleft().result()
                    most = MAX_THREADS
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def map_parts_in_parallel(
    read: Callable[[Piece], Read],
    parts: Callable[[Read], Iterable[Callable[[], Made]]],
    pieces: Iterator[Piece],
) -> Generator[tuple[Read, list[Made]], None, None]:
    """Yield what is read of each piece, in order, and what is made of its parts, of which each is a call.

    What reads and what makes takes turns in the same threads: the parts of the last pieces go to all of them. Otherwise as `map_in_parallel`.
    """
    threads = _thread_count()
    if threads == 1:
        for piece in pieces:
            found = read(piece)
            yield found, [make() for make in parts(found)]
        return
    reading: deque[Future[Read]] = deque()
    making: deque[tuple[Read, list[Future[Made]]]] = deque()
    with ThreadPoolExecutor(threads, initializer=_mark_busy) as pool:
        try:
            reading += (pool.submit(read, piece) for piece in islice(pieces, threads))
            while reading or making:
                if reading:
                    found = reading.popleft().result()
                    making.append((found, [pool.submit(make) for make in parts(found)]))
                    reading += (pool.submit(read, piece) for piece in islice(pieces, 1))
                if len(making) == threads or not reading:
                    found, made = making.popleft()
                    yield found, [each.result() for each in made]
        finally:
            pool.shutdown(cancel_futures=True)


def _thread_count() -> int:
    return 1 if getattr(_here, "busy", False) else min(MAX_THREADS, pa.cpu_count())


def _mark_busy() -> None:
    _here.busy = True
