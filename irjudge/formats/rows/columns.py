"""Fast readers of columns separated by white space, in blocks of whole lines."""

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
from irjudge.formats.bytes import UTF16_MARKS, FileSource, open_input
from irjudge.formats.rows.grouping import get_offsets
from irjudge.message import Message
from irjudge.model import Ints, Longs, to_numpy

# Reading of a file in blocks of whole lines; each block reuses the memory of the previous block

Text: TypeAlias = bytes | bytearray

BLOCK_BYTES = 8 << 20  # bytes of a block, which is read into the memory of the previous block
FIRST_BLOCK_BYTES = 1 << 18  # bytes of the first block; this is enough for a small file
MAX_LINE_BYTES = 1 << 20
UTF8_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Block:
    """Part of a text file that is parsed at once: whole lines, and the line number of each line."""

    data: Text  # bytes of the lines; each line ends with a line feed, except perhaps the last
    first_line: int  # number of the first line in the file, from 1
    # number of each line if blank lines and comments were removed; None if lines are consecutive
    line_numbers: Ints | None = field(default=None)
    newline_count: int = field(init=False)  # number of line feeds in `data`

    def __post_init__(self) -> None:
        # NumPy counts line ends three times as fast as bytes.count
        self.newline_count = int(
            np.count_nonzero(np.frombuffer(self.data, dtype=np.uint8) == ord("\n"))
        )

    def number_lines(self) -> Ints:
        """Return the number of each line, from 1 for the first line of the file."""
        if self.line_numbers is not None:
            return self.line_numbers
        count = self.newline_count + (not self.data.endswith(b"\n"))
        return np.arange(self.first_line, self.first_line + count, dtype=np.int32)


def find_line_ends(data: Text) -> Longs:
    """Return the offset of each line end; for a last line without newline, the data length."""
    positions = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    return positions if not data or data.endswith(b"\n") else np.append(positions, len(data))


def iter_blocks(path: Path, file: BinaryIO) -> Iterator[Block]:
    """Yield a file in blocks of whole lines with normalised newlines."""
    first_line, unfinished_line, buffer, at_end = 1, b"", bytearray(), False
    while unfinished_line or not at_end:
        is_last = at_end  # at the end of the file, only a line without a newline is left
        buffer, at_end = (
            (bytearray(unfinished_line), True)
            if is_last
            else _fill_block(path, file, buffer, unfinished_line)
        )
        if first_line == 1 and not unfinished_line:
            if buffer.startswith(UTF16_MARKS):
                raise FormatError(path, "the text is UTF-16; expected UTF-8")
            if buffer.startswith(UTF8_BOM):
                del buffer[: len(UTF8_BOM)]
        block_end = len(buffer) if is_last else buffer.rfind(b"\n") + 1
        unfinished_line = bytes(buffer[block_end:])
        del buffer[block_end:]
        if block_end:
            block = Block(_normalise_newlines(buffer), first_line)
            _check_text(path, block)
            yield block
            first_line += block.newline_count
        if len(unfinished_line) > MAX_LINE_BYTES:
            raise _make_line_too_long_error(path, first_line)


def _fill_block(
    path: Path, file: BinaryIO, buffer: bytearray, unfinished_line: bytes
) -> tuple[bytearray, bool]:
    """Return `unfinished_line` and the next bytes of the file, and whether these are the last.

    The memory of the previous block, `buffer`, is reused, since allocating memory takes as long
    as reading.
    """
    size = len(unfinished_line) + (BLOCK_BYTES if buffer else min(BLOCK_BYTES, FIRST_BLOCK_BYTES))
    try:
        buffer.append(0)  # raises an error if the buffer is in use, even if its size is right
        buffer += bytes(max(0, size - len(buffer)))
        del buffer[size:]
    except BufferError:  # Arrow still uses the buffer, so that new memory is needed
        buffer = bytearray(size)
    buffer[: len(unfinished_line)] = unfinished_line
    with memoryview(buffer) as view:
        count = _read_into(path, file, view[len(unfinished_line) :])
    try:
        del buffer[len(unfinished_line) + count :]
    except BufferError:  # something else, such as a profiler, may still refer to the buffer
        buffer = buffer[: len(unfinished_line) + count]
    return buffer, len(unfinished_line) + count < size


def _read_into(path: Path, file: BinaryIO, view: memoryview) -> int:
    """Fill `view` from a file, as far as there are bytes; return the number of bytes read."""
    count, reader = 0, cast(io.BufferedIOBase, file)
    try:
        while count < len(view) and (read_count := reader.readinto(view[count:])):
            count += read_count
    except OSError as error:
        raise FormatError(
            path, Message("cannot be read completely ({error})", error=error)
        ) from error
    finally:
        view.release()
    return count


def _normalise_newlines(data: bytearray) -> bytearray:
    """Replace the line ends CRLF and CR by LF."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _check_text(path: Path, block: Block) -> None:
    """Raise FormatError for a NUL byte or a line that is too long for a file of columns."""
    data, half_length = block.data, MAX_LINE_BYTES // 2
    null_offset = data.find(b"\0")
    if null_offset >= 0:
        raise FormatError(
            path,
            "contains a zero byte; this is not a text file in UTF-8",
            block.first_line + data.count(b"\n", 0, null_offset),
        )
    if any(
        data.find(b"\n", offset, offset + half_length) < 0
        for offset in range(0, len(data) - half_length, half_length)
    ):  # each line that is too long includes a window without a line end
        long_lines = np.flatnonzero(np.diff(find_line_ends(data), prepend=-1) > MAX_LINE_BYTES + 1)
        if len(long_lines):
            raise _make_line_too_long_error(path, block.first_line + int(long_lines[0]))


def _make_line_too_long_error(path: Path, line: int) -> FormatError:
    return FormatError(
        path,
        Message(
            "a line is longer than {limit:,} bytes; this is not a file with columns",
            key="long-line",
            limit=MAX_LINE_BYTES,
        ),
        line,
    )


# Parser of columns separated by white space: pyarrow for regular blocks, Python for irregular ones

PARSED_BYTES = 1 << 20  # number of bytes of a block that one thread parses
MAX_SHOWN_CHARACTERS = 60
EXPECTED_NUMBER = Message("expected a number such as 12.5")
NUMBER_PATTERN = re.compile(
    r"[+-]?(\d++\.?\d*+|\.\d++)([eE][+-]?\d++)?|[+-]?inf(inity)?", re.IGNORECASE | re.ASCII
)
WHOLE_NUMBER = re.compile(r"[+-]?\d+", re.ASCII)
WHOLE_DECIMAL = re.compile(r"[+-]?\d+\.0+", re.ASCII)
# beginning of a hexadecimal number; Arrow would read 0x10 as the number 16
HEXADECIMAL = re.compile(rb"[ \t]-?0[xX]")

# a line that is neither blank nor a comment
_FIRST_ROW = re.compile(rb"^[ \t]*+[^ \t\n#][^\n]*+", re.MULTILINE)

CODED_TYPE = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True, slots=True)
class TypedColumn:
    """Column of a text file to be read: its name, which messages use, and its Arrow type.

    The type is CODED_TYPE (strings as codes), string, int32 or float64. In a `lenient` integer
    column, a text that is not an integer is read as -1 instead of raising an error.
    """

    name: str
    type: Any
    lenient: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns expected in the lines of a text file, and which of them are read."""

    columns: tuple[TypedColumn | None, ...]  # columns by index; None for columns that are not read
    # Maximum number of columns of a line. If a line has more columns than `columns`, the additional
    # columns are ignored, and `FileLines.long_line_count` counts the line.
    max_columns: int
    expected: str  # description of the columns in error messages

    @property
    def column_count(self) -> int:
        """Number of columns of a regular line."""
        return len(self.columns)

    @property
    def read(self) -> tuple[tuple[int, TypedColumn], ...]:
        """Index and declaration of each column that is read."""
        return tuple((index, column) for index, column in enumerate(self.columns) if column)

    @property
    def schema(self) -> pa.Schema:
        """Arrow schema of the columns that are read."""
        return pa.schema([(column.name, column.type) for _, column in self.read])


@dataclass(slots=True)
class FileLines:
    """Table of the rows read from a text file or a part of it, with the line number of each row.

    `take` removes a column from the table, which frees memory.
    """

    table: pa.Table  # the columns that the `Layout` reads, N rows
    line_numbers: Ints  # shape (N,): line number of each row, from 1
    long_line_count: int = 0  # number of lines with additional columns

    def take(self, name: str) -> Any:
        """Remove a column and return it as one Arrow array; this frees the memory of its chunks."""
        array = self.table[name].combine_chunks()
        self.table = self.table.drop_columns(name)
        return array

    def take_distinct_texts(self, name: str) -> list[str]:
        """Remove a dictionary column; return its distinct texts in order of first appearance."""
        texts = [
            text for chunk in self.table[name].chunks[:1] for text in chunk.dictionary.to_pylist()
        ]  # all chunks have the same dictionary, since dictionaries were unified
        self.table = self.table.drop_columns(name)
        return texts


def make_column_count_message(count: int, expected: str) -> str:
    """Return the error message for a line with an unexpected number of columns."""
    if count == 1:
        return Message("1 column, expected {expected}", key="column-count", expected=expected)
    return Message(
        "{count} columns; expected {expected}", key="column-count", count=count, expected=expected
    )


def read_columns(source: FileSource, choose_layout: Callable[[list[str]], Layout]) -> FileLines:
    """Read a file of columns separated by spaces or tabs.

    Blank lines and lines that begin with `#` are skipped. `choose_layout` returns the layout for
    the columns of the first line. Regular lines are parsed without creating Python objects.
    """
    layout: Layout | None = None
    parts: list[FileLines] = []
    with open_input(source) as file:
        path = file.path
        for block in iter_blocks(path, file.plain()):
            if layout is None:
                layout = _choose_first_layout(path, block, choose_layout)
            if layout is not None:
                parts.append(_read_block(path, block, layout))
    if not parts:
        raise FormatError(path, Message("the file has no lines to read", key="empty-file"))
    return FileLines(
        pa.concat_tables([part.table for part in parts]).unify_dictionaries(),
        np.concatenate([part.line_numbers for part in parts]),
        sum(part.long_line_count for part in parts),
    )


def _choose_first_layout(
    path: Path, block: Block, choose_layout: Callable[[list[str]], Layout]
) -> Layout | None:
    """Return the layout of the first line that is neither blank nor a comment; None if none is."""
    match = _FIRST_ROW.search(block.data)
    if match is None:
        return None
    fields = [field for field in match[0].replace(b"\t", b" ").split(b" ") if field]
    number = block.first_line + block.data.count(b"\n", 0, match.start())
    try:
        return choose_layout([field.decode("utf-8", "replace") for field in fields])
    except ValueError as error:
        raise FormatError(path, str(error), number) from error


def _read_block(path: Path, block: Block, layout: Layout) -> FileLines:
    """Parse a block with the fastest method that works.

    Arrow parses the unchanged block or, if that fails, the normalised block. If this fails too,
    Python parses each line.
    """
    data = block.data
    separator = "\t" if b"\t" in data else " "
    if (
        not (separator == "\t" and b" " in data)
        and b"#" not in data
        # a value may be missing between two adjacent separators
        and not _has_pair(data, separator.encode() * 2)
        and (table := _parse_with_arrow(data, separator, layout)) is not None
    ):
        lines = block.number_lines()  # blank lines are not in the table
        return FileLines(
            table,
            lines
            if len(lines) == table.num_rows
            else lines[np.diff(find_line_ends(block.data), prepend=-1) > 1],
        )
    block, long_line_count = _normalise_block(block, layout)
    if (table := _parse_with_arrow(block.data, " ", layout)) is not None and table.num_rows == len(
        block.number_lines()
    ):
        return FileLines(table, block.number_lines(), long_line_count)
    return _parse_by_line(path, block, layout, long_line_count)


def _has_pair(data: Text, pair: bytes) -> bool:
    """Return whether the two bytes of `pair` occur next to each other.

    If the second byte is frequent, this function is seven times as fast as `in`.
    """
    pair_value = np.frombuffer(pair, dtype=np.uint16)[0]
    return any(
        bool(
            np.any(np.frombuffer(data, np.uint16, (len(data) - offset) // 2, offset) == pair_value)
        )
        for offset in (0, 1)
        if len(data) > offset
    )


def _parse_with_arrow(data: Text, separator: str, layout: Layout) -> pa.Table | None:
    """Parse a block into columns; None if a line does not match the layout.

    Quotation marks have no special meaning, and `NA` is a valid id.
    """
    if any(
        letter in data and _has_pair(data, b"0" + letter) for letter in (b"x", b"X")
    ) and HEXADECIMAL.search(data):
        return None
    names = [column.name if column else f"-{index}" for index, column in enumerate(layout.columns)]
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
            # Unlike the system's pool, Arrow's default memory pool does not reuse the memory of the
            # previous block.
            memory_pool=pa.system_memory_pool(),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        return None
    return table if all(_is_complete(table[column.name]) for _, column in layout.read) else None


def _is_complete(column: pa.ChunkedArray) -> bool:
    """Return whether a column has neither empty texts nor NaN, which doubled separators cause."""
    for chunk in column.chunks:
        texts = chunk.dictionary if pa.types.is_dictionary(chunk.type) else chunk
        if pa.types.is_floating(chunk.type):
            # the minimum is NaN if any value is NaN
            has_missing = np.isnan(to_numpy(chunk).min(initial=np.inf))
        else:
            has_missing = pa.types.is_string(texts.type) and not np.diff(get_offsets(texts)).all()
        if has_missing:
            return False
    return True


def _normalise_block(block: Block, layout: Layout) -> tuple[Block, int]:
    """Return a normalised block, and the number of lines from which columns were removed.

    The normalised block has single spaces, and no blank lines, comments or additional columns.
    """
    data = block.data.replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    data = data.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")
    if not data.endswith(b"\n"):
        data += b"\n"
    codes = np.frombuffer(data, dtype=np.uint8)
    ends = find_line_ends(data)
    starts = np.concatenate(([0], ends[:-1] + 1))
    is_row = (codes[starts] != ord("\n")) & (codes[starts] != ord("#"))
    spaces = np.flatnonzero(codes == ord(" "))
    # number of spaces before the beginning of each line
    spaces_before = np.searchsorted(spaces, starts)
    column_counts = np.searchsorted(spaces, ends) - spaces_before + 1
    is_longer = (
        is_row & (column_counts > layout.column_count) & (column_counts <= layout.max_columns)
    )
    if is_longer.any() or not is_row.all():
        data = _remove_spans(
            codes,
            np.concatenate(
                (starts[~is_row], spaces[spaces_before[is_longer] + layout.column_count - 1])
            ),
            np.concatenate((ends[~is_row] + 1, ends[is_longer])),
        )
    return Block(
        data, block.first_line, (block.first_line + np.flatnonzero(is_row)).astype(np.int32)
    ), int(is_longer.sum())


def _remove_spans(codes: Any, starts: Longs, ends: Longs) -> bytes:
    """Return the bytes outside the spans from `starts` to `ends`, which must not overlap."""
    step = np.zeros(len(codes) + 1, dtype=np.int8)
    step[starts] += 1
    step[ends] -= 1
    outside_spans: bytes = codes[np.cumsum(step[:-1], dtype=np.int8) == 0].tobytes()
    return outside_spans


def _parse_by_line(path: Path, block: Block, layout: Layout, long_line_count: int) -> FileLines:
    """Parse a block line by line in Python.

    This is slow, but accepts lines that Arrow rejects, and errors contain the line number.
    """
    rows: list[list[Any]] = [[] for _ in layout.read]
    first_error: tuple[int, str] | None = None
    failures = 0
    numbers = block.number_lines().tolist()
    for number, text in zip(numbers, bytes(block.data).split(b"\n"), strict=False):
        try:
            for values, value in zip(rows, _split_values(text, layout), strict=True):
                values.append(value)
        except ValueError as error:
            failures += 1
            first_error = first_error or (number, str(error))
    if first_error:
        warning_suffix = ""
        if failures > 1:
            warning_suffix = (
                Message("; 1 more line nearby does not match either", key="more-lines")
                if failures == 2
                else Message(
                    "; {wrong:,} more lines nearby do not match either",
                    key="more-lines",
                    wrong=failures - 1,
                )
            )
        if failures == first_error[0] == 1 and len(numbers) > 1:
            warning_suffix = Message("; if this line is a header, remove it", key="names-columns")
        raise FormatError(path, first_error[1] + warning_suffix, first_error[0])
    arrays = [
        pa.array(values, column.type) for values, (_, column) in zip(rows, layout.read, strict=True)
    ]
    return FileLines(
        pa.Table.from_arrays(arrays, schema=layout.schema),
        np.array(numbers, dtype=np.int32),
        long_line_count,
    )


def _split_values(text: bytes, layout: Layout) -> list[Any]:
    fields = text.split(b" ")
    if len(fields) != layout.column_count:
        raise ValueError(make_column_count_message(len(fields), layout.expected))
    return [_parse_value(fields[index], column) for index, column in layout.read]


def _parse_value(field: bytes, column: TypedColumn) -> Any:
    text = field.decode("utf-8", "replace")
    shown_value = repr(
        text if len(text) <= MAX_SHOWN_CHARACTERS else text[:MAX_SHOWN_CHARACTERS] + "…"
    )
    if pa.types.is_floating(column.type):
        return _parse_float(text, column, shown_value)
    if pa.types.is_integer(column.type):
        return _parse_integer(text, column, shown_value)
    if text.encode() != field:
        raise ValueError(
            Message(
                "{column} {shown} is not UTF-8; name the encoding of the file with --encoding",
                key="not-utf8",
                column=column.name,
                shown=shown_value,
            )
        )
    return text


def _parse_float(text: str, column: TypedColumn, shown_value: str) -> float:
    if not NUMBER_PATTERN.fullmatch(text):
        raise ValueError(
            Message(
                "{column} {shown} is not a number; {any_number}",
                key="not-a-number",
                column=column.name,
                shown=shown_value,
                any_number=EXPECTED_NUMBER,
            )
        )
    return float(text)


def _parse_integer(text: str, column: TypedColumn, shown_value: str) -> int:
    text = text.partition(".")[0] if WHOLE_DECIMAL.fullmatch(text) else text
    if not WHOLE_NUMBER.fullmatch(text):
        if column.lenient:
            return -1
        raise ValueError(
            Message(
                "{column} {shown} is not a whole number",
                key="not-whole",
                column=column.name,
                shown=shown_value,
            )
        )
    if len(text.lstrip("+-0")) > 10 or not -(2**31) <= int(text) < 2**31:
        raise ValueError(
            Message(
                "{column} {value} is too large; expected less than {limit:,}",
                key="large-number",
                column=column.name,
                value=shown_value,
                limit=2**31,
            )
        )
    return int(text)


# Suffixes of columnar files, and the prefix of run folders

COLUMNAR_SUFFIXES = (".parquet", ".arrow", ".feather", ".ipc")
RUN_FOLDER = "run="  # prefix of the name of a run folder


# Parallel map over the pieces of a file, in file order and with few pieces in memory

Piece = TypeVar("Piece")
Read = TypeVar("Read")
Result = TypeVar("Result")
MAX_THREADS = 4
_thread_state = threading.local()  # `busy` is set in a thread while it processes a piece


class IrregularFile(Exception):
    """Exception of a fast reader or fast evaluation that cannot process a file.

    The caller must then use a slower method. The slow reader accepts more files, and its errors
    contain line numbers.
    """


def map_in_parallel(
    work: Callable[[Piece], Result], pieces: Iterator[Piece]
) -> Generator[Result, None, None]:
    """Compute `work(piece)` in several threads; yield the results in the order of the pieces.

    Few pieces are in memory at a time. Until the first result, only two pieces are processed,
    because most irregular files fail at their first piece. If there is only one core, or if the
    calling thread is already processing a piece, no other thread is used.
    """
    threads = _count_threads()
    if threads == 1:
        yield from map(work, pieces)
        return
    futures: deque[Future[Result]] = deque()
    limit = 1
    with ThreadPoolExecutor(threads, initializer=_mark_busy) as pool:
        try:
            for piece in pieces:
                futures.append(pool.submit(work, piece))
                if len(futures) > limit:
                    yield futures.popleft().result()
                    limit = MAX_THREADS
            while futures:
                yield futures.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def map_parts_in_parallel(
    convert_piece: Callable[[Piece], Read],
    parts: Callable[[Read], Iterable[Callable[[], Result]]],
    pieces: Iterator[Piece],
) -> Generator[tuple[Read, list[Result]], None, None]:
    """Yield `convert_piece(piece)` and the results for its parts, in the order of the pieces.

    `parts(converted_piece)` returns one function for each part; this function returns the result
    for the part. As in `map_in_parallel`, several threads are used if there are several cores. The
    same threads convert pieces and process parts, so that all of them are busy until the end.
    """
    threads = _count_threads()
    if threads == 1:
        for piece in pieces:
            read_piece = convert_piece(piece)
            yield read_piece, [make_part() for make_part in parts(read_piece)]
        return
    conversions: deque[Future[Read]] = deque()
    pending: deque[tuple[Read, list[Future[Result]]]] = deque()
    with ThreadPoolExecutor(threads, initializer=_mark_busy) as pool:
        try:
            conversions += (pool.submit(convert_piece, piece) for piece in islice(pieces, threads))
            while conversions or pending:
                if conversions:
                    read_piece = conversions.popleft().result()
                    pending.append(
                        (
                            read_piece,
                            [pool.submit(make_result) for make_result in parts(read_piece)],
                        )
                    )
                    conversions += (
                        pool.submit(convert_piece, piece) for piece in islice(pieces, 1)
                    )
                if len(pending) == threads or not conversions:
                    read_piece, future = pending.popleft()
                    yield read_piece, [part_future.result() for part_future in future]
        finally:
            pool.shutdown(cancel_futures=True)


def _count_threads() -> int:
    return 1 if getattr(_thread_state, "busy", False) else min(MAX_THREADS, pa.cpu_count())


def _mark_busy() -> None:
    _thread_state.busy = True
