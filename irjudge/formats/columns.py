"""Reads files of columns fast: pyarrow takes regular blocks, and only lines that do not fit are split in Python."""

import gzip
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

from irjudge.errors import FormatError
from irjudge.model.ranking import Longs

BLOCK = 16 << 20
LONGEST_LINE = 1 << 20
UTF8_BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE | re.ASCII)
WHOLE = re.compile(r"[+-]?\d+", re.ASCII)

CODED = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is read: its name in sentences, and its Arrow type (CODED, string, int32 or float64)."""

    name: str
    type: Any


@dataclass(frozen=True, slots=True)
class Layout:
    """What a line looks like.

    Parameters
    ----------
    columns
        The columns by place; None for one that is there and not read.
    most
        A line may have up to this many columns; those after the last are left out and counted.
    """

    columns: tuple[Column | None, ...]
    most: int
    expected: str

    @property
    def width(self) -> int:
        """How many columns a regular line has."""
        return len(self.columns)

    @property
    def read(self) -> tuple[tuple[int, Column], ...]:
        """Place and declaration of the columns that are read."""
        return tuple((place, column) for place, column in enumerate(self.columns) if column)

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema of what is read."""
        return pa.schema([(column.name, column.type) for _, column in self.read])


@dataclass(slots=True)
class Lines:
    """The rows of a file and where they stood.

    Parameters
    ----------
    table
        The columns that were read, N rows.
    line
        Shape (N,), 1-based.
    longer
        How many lines had more columns than were read.
    """

    table: pa.Table
    line: Longs
    longer: int = 0


@dataclass(slots=True)
class _Block:
    """A piece of a file that ends with a line, and the numbers of its lines."""

    data: bytes
    first_line: int
    line: Longs | None = field(default=None)

    def lines(self) -> Longs:
        if self.line is not None:
            return self.line
        return np.arange(self.first_line, self.first_line + line_count(self.data))


def line_count(data: bytes) -> int:
    """Return the number of lines, the last one counted whether it ends or not."""
    return data.count(b"\n") + bool(data and not data.endswith(b"\n"))


def open_plain(path: Path) -> BinaryIO:
    """Open a file for reading bytes, unpacking gzip by its first two bytes.

    Raises
    ------
    FormatError
        When it cannot be opened.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        return cast(BinaryIO, gzip.open(path)) if packed else path.open("rb")
    except OSError as fault:
        raise FormatError(path, f"cannot be read ({fault.strerror or fault})") from fault


def read_columns(path: Path, choose: Callable[[list[str]], Layout]) -> Lines:
    """Read a file of columns split by spaces or tabs.

    Blank lines and lines that begin with `#` are left out. No Python object is made for a regular line.

    Parameters
    ----------
    path
        A plain or gzip file, UTF-8.
    choose
        Told the columns of the first line, says what lines look like; may raise FormatError's sentence as ValueError.

    Raises
    ------
    FormatError
        Naming the first line that does not fit and how many more do not.
    """
    layout: Layout | None = None
    parts: list[Lines] = []
    for block in _blocks(path):
        if layout is None:
            layout = _first_layout(path, block, choose)
        if layout is not None:
            parts.append(_read_block(path, block, layout))
    if layout is None:
        raise FormatError(path, "the file has no lines to read")
    table = pa.concat_tables([part.table for part in parts]) if parts else layout.schema.empty_table()
    line = np.concatenate([part.line for part in parts]) if parts else np.empty(0, dtype=np.int64)
    return Lines(table.unify_dictionaries(), line, sum(part.longer for part in parts))


def _blocks(path: Path) -> Iterator[_Block]:
    first_line, rest = 1, b""
    with open_plain(path) as file:
        while True:
            try:
                piece = file.read(BLOCK)
            except (OSError, EOFError, ValueError) as fault:
                raise FormatError(path, f"cannot be read to its end ({fault})") from fault
            except Exception as fault:  # zlib.error has no common parent with the others
                if type(fault).__module__ != "zlib":
                    raise
                raise FormatError(path, f"the packed file is damaged ({fault})") from fault
            if first_line == 1 and not rest:
                piece = _without_bom(path, piece)
            data = rest + piece
            cut = len(data) if not piece else data.rfind(b"\n") + 1
            if cut:
                yield _Block(data[:cut], first_line)
                first_line += data.count(b"\n", 0, cut)
            rest = data[cut:]
            if len(rest) > LONGEST_LINE:
                raise FormatError(path, f"a line longer than {LONGEST_LINE:,} bytes; this is not a file of columns", first_line)
            if not piece:
                return


def _without_bom(path: Path, piece: bytes) -> bytes:
    if piece.startswith(UTF16_BOMS):
        raise FormatError(path, "the text is UTF-16, expected UTF-8")
    return piece.removeprefix(UTF8_BOM)


def _first_layout(path: Path, block: _Block, choose: Callable[[list[str]], Layout]) -> Layout | None:
    """Ask what lines look like, showing the first line that has something; None when the block has none."""
    for match in re.finditer(rb"[^\r\n]+", block.data):
        fields = match[0].split()
        if fields and not fields[0].startswith(b"#"):
            number = block.first_line + block.data.count(b"\n", 0, match.start())
            try:
                return choose([field.decode("utf-8", "replace") for field in fields])
            except ValueError as fault:
                raise FormatError(path, str(fault), number) from fault
    return None


def _read_block(path: Path, block: _Block, layout: Layout) -> Lines:
    """Try what is fastest first: as it is, then made regular, then line by line, which names the fault."""
    data = block.data
    tabs = b"\t" in data
    separator = "\t" if tabs and b" " not in data else " "
    if (
        b"\r" not in data
        and b"#" not in data
        and (separator == "\t" or not tabs)
        and (table := _parse(data, separator, layout)) is not None
    ):
        return Lines(table, _numbers(block, table))
    block, longer = _regular(block, layout)
    if (table := _parse(block.data, " ", layout)) is not None and table.num_rows == len(block.lines()):
        return Lines(table, block.lines(), longer)
    return _by_line(path, block, layout, longer)


def _numbers(block: _Block, table: pa.Table) -> Longs:
    if line_count(block.data) == table.num_rows:
        return block.lines()
    filled = [place for place, text in enumerate(block.data.split(b"\n")) if text]  # blank lines are rare and few
    return block.first_line + np.array(filled, dtype=np.int64)


def _parse(data: bytes, separator: str, layout: Layout) -> pa.Table | None:
    """Return the columns, or None when some line does not fit. Nothing is quoted, nothing is missing: `NA` is an id."""
    names = [column.name if column else f"-{place}" for place, column in enumerate(layout.columns)]
    try:
        table = pa.csv.read_csv(
            pa.py_buffer(data),
            read_options=pa.csv.ReadOptions(column_names=names, block_size=2 << 20),
            parse_options=pa.csv.ParseOptions(delimiter=separator, quote_char=False, escape_char=False),
            convert_options=pa.csv.ConvertOptions(
                include_columns=[column.name for _, column in layout.read],
                column_types={column.name: column.type for _, column in layout.read},
                null_values=[],
                strings_can_be_null=False,
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        return None
    return table if all(_whole(table[column.name]) for _, column in layout.read) else None


def _whole(column: pa.ChunkedArray) -> bool:
    """Tell whether a column has neither empty texts nor NaN: two separators in a row shift what follows."""
    for chunk in column.chunks:
        if pa.types.is_floating(chunk.type):
            if np.isnan(chunk.to_numpy(zero_copy_only=False)).any():
                return False
        elif pa.types.is_dictionary(chunk.type):
            if "" in chunk.dictionary.to_pylist():
                return False
        elif pa.types.is_string(chunk.type) and len(chunk) and pa.compute.min(pa.compute.binary_length(chunk)).as_py() == 0:
            return False
    return True


def _regular(block: _Block, layout: Layout) -> tuple[_Block, int]:
    """Make separators one space each, drop blank lines and comments, cut columns after the last; count the cut lines."""
    data = block.data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in block.data else block.data
    numbers = _Block(data, block.first_line).lines()
    data = data.replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    data = data.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")
    if not data.endswith(b"\n"):
        data += b"\n"
    letters = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(letters == 10)
    begins = np.concatenate(([0], ends[:-1] + 1))
    first = letters[begins]
    keep = (first != 10) & (first != ord("#"))
    width = np.add.reduceat(letters == 32, begins, dtype=np.int32) + 1
    longer = keep & (width > layout.width) & (width <= layout.most)
    pieces = list(_kept(data, begins, ends, keep, longer, layout.width))
    return _Block(b"".join(pieces), block.first_line, numbers[keep[: len(numbers)].nonzero()[0]]), int(longer.sum())


def _kept(data: bytes, begins: Longs, ends: Longs, keep: Any, longer: Any, width: int) -> Iterator[bytes]:
    """Yield the runs of lines that stay as they are, and between them each line that had to be cut."""
    at = 0
    for place in np.flatnonzero(~keep | longer).tolist():
        yield data[at : begins[place]]
        if keep[place]:
            yield b" ".join(data[begins[place] : ends[place]].split(b" ")[:width]) + b"\n"
        at = int(ends[place]) + 1
    yield data[at:]


def _by_line(path: Path, block: _Block, layout: Layout, longer: int) -> Lines:
    """Split in Python, the slow way that can name the line: it reads what Arrow is too strict for, or raises."""
    rows: list[list[Any]] = [[] for _ in layout.read]
    first: tuple[int, str] | None = None
    wrong = 0
    numbers = block.lines().tolist()
    for number, text in zip(numbers, block.data.split(b"\n"), strict=False):
        try:
            for values, value in zip(rows, _values(text, layout), strict=True):
                values.append(value)
        except ValueError as fault:
            wrong += 1
            first = first or (number, str(fault))
    if first:
        more = f"; {wrong - 1:,} more lines near it do not fit either" if wrong > 1 else ""
        raise FormatError(path, first[1] + more, first[0])
    arrays = [pa.array(values, column.type) for values, (_, column) in zip(rows, layout.read, strict=True)]
    return Lines(pa.Table.from_arrays(arrays, schema=layout.schema), np.array(numbers, dtype=np.int64), longer)


def _values(text: bytes, layout: Layout) -> list[Any]:
    try:
        fields = text.decode("utf-8").split(" ")
    except UnicodeDecodeError as fault:
        raise ValueError(f"byte {fault.start + 1} of the line is not UTF-8") from fault
    if len(fields) != layout.width:
        raise ValueError(f"{len(fields)} columns, expected {layout.expected}")
    return [_value(fields[place], column) for place, column in layout.read]


def _value(text: str, column: Column) -> Any:
    if pa.types.is_floating(column.type):
        if not NUMBER.fullmatch(text):
            raise ValueError(f"{column.name} {text!r} is not a number")
        return float(text)
    if pa.types.is_integer(column.type):
        if not WHOLE.fullmatch(text) or len(text) > 11 or abs(int(text)) >= 2**31:
            raise ValueError(f"{column.name} {text!r} is not a whole number")
        return int(text)
    return text
