"""Computation of the memory that reading a Parquet or Arrow IPC file needs, before it is decoded.

With compression and dictionaries, a file of a few kilobytes can expand to any size, and the sizes
in its metadata may be wrong. Therefore this module reads the sizes that determine how much memory
the decoder allocates: those in the page headers of Parquet, and the length before each compressed
buffer of Arrow IPC.
"""

import io
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute

from irjudge.errors import FormatError
from irjudge.message import Message

MAX_DECODED = 1 << 30  # maximum bytes that are decoded together
# Maximum bytes that are decoded together from a small file. This limit is higher than
# MIN_ALLOWED_BYTES because it applies to an upper bound, not to the number of decoded bytes.
MAX_DECODED_FROM_SMALL = 1 << 28
# Maximum ratio of decoded bytes to the size of the file; the ratio of runs and qrels is at most
# about 100. MIN_ALLOWED_BYTES in total, and ROW_BYTES per row, are always allowed. Evaluating or
# converting a run takes up to eight times the memory of the decoded bytes.
MAX_EXPANSION, MIN_ALLOWED_BYTES, ROW_BYTES = 400, 1 << 26, 64
# A file may have MAX_ROWS rows, or ROWS_PER_BYTE rows per byte if that is more. Rows of real runs
# take about 2 to 10 bytes; only arithmetic series of ids take less than a bit.
MAX_ROWS, ROWS_PER_BYTE = 1_000_000, 20
# Limits for rows that are converted to Python objects. The expansion may be larger because the rows
# may have unneeded columns, such as a prompt, whose bytes do not stay in memory.
MAX_OBJECT_EXPANSION, MIN_ALLOWED_OBJECT_BYTES, MAX_OBJECT_ROWS = 1_000, 1 << 28, 500_000
DAMAGED_METADATA = Message("its metadata is damaged")
OFFSET_PROBLEM = Message("its metadata points beyond the end of the file")
# upper bound of the bytes of a value that is not a text, with offsets, levels and validity bits
VALUE_BYTES = 16
# Maximum number of rows decoded together to measure texts that are stored with shared prefixes.
MAX_SHARED_ROWS = 10_000
MAX_DEPTH = 16  # maximum nesting depth of structures and lists; a valid footer has eight levels
_DICTIONARY = (2, 8)  # encodings of pages whose values are dictionary codes
# encoding of pages in which a text omits the prefix that it shares with the previous text
_DELTA_TEXTS = 7
# Numbers of the header fields that describe data pages, dictionary pages and version 2 data pages.
_DATA_PAGE, _DICTIONARY_PAGE, _DATA_PAGE_2 = 5, 7, 8
_DESCRIPTIONS = {0: _DATA_PAGE, 2: _DICTIONARY_PAGE, 3: _DATA_PAGE_2}
# function that returns bytes, given their offset and length
ReadBytes = Callable[[int, int], memoryview]


# errors that pyarrow raises for values that it cannot read, or that Python cannot represent
COLUMN_ERRORS: tuple[type[Exception], ...] = (
    pa.ArrowException,
    OSError,
    ValueError,
    ArithmeticError,
    MemoryError,
)


class Malformed(ValueError):
    """Error for a Parquet or Arrow IPC file that is invalid, damaged or too large when decoded.

    Readers convert it to a FormatError with the path.
    """


def check_column_type(path: Path, name: str, kind: Any) -> None:
    """Raise FormatError if a column is run-end encoded, or contains values of a type without data.

    Types without data are null and the struct without fields. A few bytes of such a column can
    represent any number of rows.
    """
    nested_types = [kind]
    while nested_types:
        nested_type = nested_types.pop()
        if pa.types.is_run_end_encoded(nested_type):
            raise FormatError(
                path,
                Message(
                    "column {name} is run-end encoded, which irjudge cannot read; write the "
                    "column as plain values",
                    name=name,
                ),
            )
        if nested_type != kind and (pa.types.is_null(nested_type) or nested_type == pa.struct([])):
            raise FormatError(
                path,
                Message(
                    "the column {name} contains {kind}; expected text or numbers",
                    key="not-text",
                    name=name,
                    kind=str(kind),
                ),
            )
        if pa.types.is_dictionary(nested_type):
            nested_types.append(nested_type.value_type)
        nested_types += [nested_type.field(index).type for index in range(nested_type.num_fields)]


def check_size(size: int, file_size: int | None = None) -> None:
    """Raise Malformed if a decoded size exceeds the memory limit; small files have a lower limit.

    Raises
    ------
    Malformed
        The message states the size; the caller adds the file name and the position in the file.
    """
    limit = (
        MAX_DECODED
        if file_size is None
        else min(MAX_DECODED, max(MAX_DECODED_FROM_SMALL, MAX_EXPANSION * file_size))
    )
    if size > limit:
        raise Malformed(
            Message(
                "it would need {size:,} MB of memory, more than the limit of {limit:,} MB",
                size=size >> 20,
                limit=limit >> 20,
            )
        )


@dataclass(slots=True)
class DecodedTotal:
    """Accumulator of the numbers of bytes and rows decoded in one pass over the files of a table.

    The totals are limited, since a file may contain many small row groups that expand to any size;
    `Malformed` is raised when a limit is exceeded.
    """

    file_size: int  # total size of the files in bytes
    are_objects: bool = False  # whether rows become Python objects, to which other limits apply
    size: int = 0  # bytes decoded so far
    rows: int = 0  # rows decoded so far

    def check_rows(self, rows: int) -> None:
        """Raise Malformed if `rows` more rows would exceed the limit."""
        max_rows = MAX_OBJECT_ROWS if self.are_objects else MAX_ROWS
        if self.rows + rows > max(max_rows, ROWS_PER_BYTE * self.file_size):
            raise Malformed(
                Message(
                    "it has more than {limit} rows per byte, too many for a run or qrels",
                    limit=ROWS_PER_BYTE,
                )
            )

    def add(self, size: int, rows: int) -> None:
        """Add the bytes and rows of a decoded part; raise Malformed if there are too many."""
        self.check_rows(rows)
        self.size += size
        self.rows += rows
        expansion, min_allowed = (
            (MAX_OBJECT_EXPANSION, MIN_ALLOWED_OBJECT_BYTES)
            if self.are_objects
            else (MAX_EXPANSION, MIN_ALLOWED_BYTES)
        )
        if self.size > max(min_allowed, ROW_BYTES * self.rows, expansion * self.file_size):
            raise Malformed(
                Message(
                    "it expands to more than {limit:,} times its size, too much for a run or qrels",
                    limit=expansion,
                )
            )


# Sizes in Parquet files


@dataclass(frozen=True, slots=True)
class Page:
    """Header of one page of a column chunk, to compute the decoded size of the chunk."""

    size: int  # size in bytes after decompression
    values: int  # number of values; 0 for a dictionary page
    is_coded: bool  # whether the values are dictionary codes
    is_dictionary: bool  # whether the page is the dictionary
    # whether each text omits the prefix that it shares with the previous text
    has_shared_prefixes: bool = False


def iter_pages_of_chunk(chunk: memoryview) -> Iterator[Page]:
    """Yield the pages of a column chunk.

    Raises
    ------
    Malformed
        If a header is corrupt.
    """
    position = 0
    while position < len(chunk):
        header, position = _parse_struct(chunk, position)
        # A header may contain several descriptions; the decoder uses the one for its page type.
        page_type: Any = header.get(1, -1)
        if not isinstance(page_type, int):
            raise Malformed(DAMAGED_METADATA)
        kind = _DESCRIPTIONS.get(page_type, 0)
        page_header: Any = header.get(kind, {})
        if not isinstance(page_header, dict) or (kind and not page_header):
            raise Malformed(DAMAGED_METADATA)
        page_bytes, compressed_bytes, values = (
            _require_natural_number(size)
            for size in (header.get(2), header.get(3), page_header.get(1, 0))
        )
        is_dictionary = kind == _DICTIONARY_PAGE
        encoding = page_header.get(4 if kind == _DATA_PAGE_2 else 2)
        yield Page(
            page_bytes,
            0 if is_dictionary else values,
            encoding in _DICTIONARY,
            is_dictionary,
            encoding == _DELTA_TEXTS and not is_dictionary,
        )
        position += compressed_bytes


def _require_natural_number(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise Malformed(DAMAGED_METADATA)
    return value


def _parse_struct(data: memoryview, position: int) -> tuple[dict[int, Any], int]:
    try:
        return _parse_nested_struct(data, position, 0)
    except IndexError as error:
        raise Malformed(DAMAGED_METADATA) from error


def _parse_varint(data: memoryview, position: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70 and position < len(data):
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
        shift += 7
    raise Malformed(DAMAGED_METADATA)


def _parse_nested_struct(data: memoryview, position: int, depth: int) -> tuple[dict[int, Any], int]:
    """Parse a struct in Thrift's compact protocol; return its fields and its end offset."""
    fields: dict[int, Any] = {}
    field = 0
    while position < len(data) and depth <= MAX_DEPTH:
        head = data[position]
        position += 1
        if not head:
            return fields, position
        if head >> 4:
            field += head >> 4
        else:
            value, position = _parse_varint(data, position)
            field = (value >> 1) ^ -(value & 1)
        # a second field with the same number could replace the one that the decoder reads
        if field in fields or not 0 <= field < 1 << 15:
            raise Malformed(DAMAGED_METADATA)
        fields[field], position = _parse_value(data, position, head & 15, depth)
    raise Malformed(DAMAGED_METADATA)


def _parse_value(data: memoryview, position: int, kind: int, depth: int) -> tuple[Any, int]:
    """Parse a value in Thrift's compact protocol; return the value and its end offset.

    The value is None for a float.
    """
    if kind in (1, 2):  # the kind is the value: true or false
        return kind == 1, position
    if kind == 3:
        return None, position + 1
    if kind in (4, 5, 6):
        value, position = _parse_varint(data, position)
        return (value >> 1) ^ -(value & 1), position
    if kind == 7:
        return None, position + 8
    if kind == 8:
        length, position = _parse_varint(data, position)
        return data[position : position + length], position + length
    if kind in (9, 10):
        return _parse_list(data, position, depth + 1)
    if kind == 12:
        return _parse_nested_struct(data, position, depth + 1)
    raise Malformed(DAMAGED_METADATA)


def _parse_list(data: memoryview, position: int, depth: int) -> tuple[list[Any], int]:
    size_and_kind, position = data[position], position + 1
    count, kind = size_and_kind >> 4, size_and_kind & 15
    if count == 15:
        count, position = _parse_varint(data, position)
    if count > len(data) or depth > MAX_DEPTH:
        raise Malformed(DAMAGED_METADATA)
    values = []
    for _ in range(count):
        if kind in (1, 2):  # in a list, each boolean is a byte
            value, position = data[position] == 1, position + 1
        else:
            value, position = _parse_value(data, position, kind, depth)
        values.append(value)
    return values, position


def measure_decoded_values(
    pages: Sequence[Page],
    rows: int,
    width: int,
    max_text_bytes: Callable[[], int] | None,
    *,
    is_flat: bool,
) -> int:
    """Return an upper bound of the bytes needed to decode `rows` values of a column chunk together.

    Parameters
    ----------
    pages
        All pages of the chunk.
    rows
        Number of values decoded together.
    width
        Bytes of a value that is not a text.
    max_text_bytes
        Function that returns the number of bytes of the longest text in the dictionary; it is slow
        and called only if necessary. None if the values are not texts.
    is_flat
        Whether each row has one value. If not (lists), all values of the chunk are counted.
    """
    dictionary_size = sum(page.size for page in pages if page.is_dictionary)
    check_size(dictionary_size)
    data_pages = [page for page in pages if not page.is_dictionary]
    values = sum(page.values for page in data_pages)
    if is_flat:
        values = min(values, rows)
    size = dictionary_size + _find_largest_window(data_pages, values) + values * width
    if max_text_bytes is not None:
        coded_values = min(values, sum(page.values for page in data_pages if page.is_coded))
        has_small_dictionary = coded_values * dictionary_size < MAX_DECODED_FROM_SMALL >> 5
        size += coded_values * (dictionary_size if has_small_dictionary else max_text_bytes())
    return size


def _find_largest_window(pages: Sequence[Page], values: int) -> int:
    """Return the maximum total size in bytes of the pages that contain `values` adjacent values."""
    # `rows_in_window` counts the values on the pages between the first and the last page
    first_page = rows_in_window = size = largest = 0
    for last_page, page in enumerate(pages):
        size += page.size
        # the window includes at least one value of the first page and one of the last
        while first_page < last_page and rows_in_window + 2 > values:
            size -= pages[first_page].size
            first_page += 1
            rows_in_window -= pages[first_page].values if first_page < last_page else 0
        largest = max(largest, size)
        rows_in_window += page.values if first_page < last_page else 0
    return largest


@dataclass(frozen=True, slots=True)
class Chunk:
    """Byte range of a column chunk of a Parquet file: the values of a column in a row group."""

    path: str  # path of the column in the schema, with dots
    begin: int  # position of the first byte in the file
    length: int  # length in bytes, compressed
    is_encrypted: bool = False


def read_column_chunks(read_bytes: ReadBytes, size: int) -> tuple[tuple[Chunk, ...], ...]:
    """Return the column chunks of each row group of a Parquet file of `size` bytes.

    pyarrow has a function for this, but it crashes if the metadata of a chunk are missing.

    Raises
    ------
    Malformed
        If the footer is corrupt.
    """
    length = int.from_bytes(read_bytes(size - 8, 4), "little")
    fields, _ = _parse_struct(read_bytes(size - 8 - length, length), 0)
    try:
        return tuple(
            tuple(_parse_chunk(column_chunk[3], 8 in column_chunk) for column_chunk in group[1])
            for group in fields[4]
        )
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Malformed(DAMAGED_METADATA) from error


def _parse_chunk(chunk_metadata: Mapping[int, Any], is_encrypted: bool) -> Chunk:
    begin, dictionary, length = chunk_metadata[9], chunk_metadata.get(11, 0), chunk_metadata[7]
    begin = dictionary if 0 < dictionary < begin else begin
    if begin < 0 or length < 0:
        raise Malformed(DAMAGED_METADATA)
    path = ".".join(str(name_part, "utf-8") for name_part in chunk_metadata[3])
    return Chunk(path, begin, length, is_encrypted)


def measure_chunk(
    metadata: Any, group: int, index: int, path: str, chunk: memoryview, source: Any, rows: int
) -> int:
    """Return an upper bound of the bytes needed to read `rows` rows of a column chunk together.

    Parameters
    ----------
    metadata
        A pyarrow.parquet.FileMetaData.
    group, index
        Index of the row group, and of the column.
    path
        Name of the column.
    chunk
        Bytes of the column chunk.
    source
        The file. The dictionary is read from it if the length of the longest text is needed.
    rows
        Number of rows read together.
    """
    column = metadata.schema.column(index)
    is_text = column.physical_type == "BYTE_ARRAY"
    pages = list(iter_pages_of_chunk(chunk))
    shared_bytes = (
        _measure_shared_texts(source, metadata, group, path, pages, source.size())
        if is_text and any(page.has_shared_prefixes for page in pages)
        else 0
    )
    return shared_bytes + measure_decoded_values(
        pages,
        rows,
        VALUE_BYTES + (column.length if column.physical_type == "FIXED_LEN_BYTE_ARRAY" else 0),
        partial(_measure_longest_text, source, metadata, group, path) if is_text else None,
        is_flat=column.max_repetition_level == 0,
    )


def _measure_shared_texts(
    source: Any, metadata: Any, group: int, path: str, pages: Sequence[Page], file_size: int
) -> int:
    """Return the total bytes of the texts in a column chunk, or an upper bound.

    The chunk stores each text without the prefix that it shares with the previous text, so that a
    text may be as long as all pages together. If texts of that length might not fit in memory, the
    texts are decoded in small batches to measure them.
    """
    max_bytes = sum(page.size for page in pages)
    check_size(max_bytes)
    size = max_bytes * sum(page.values for page in pages)
    if size <= MAX_DECODED_FROM_SMALL:
        return size
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415 -- few files are Parquet

    rows = max(1, min(MAX_SHARED_ROWS, MAX_DECODED_FROM_SMALL // max(max_bytes, 1)))
    size = 0
    for batch in ParquetFile(source, metadata=metadata).iter_batches(
        rows, row_groups=[group], columns=[path], use_threads=False
    ):
        size += batch.nbytes
        check_size(size, file_size)
    return size


def _measure_longest_text(source: Any, metadata: Any, group: int, path: str) -> int:
    """Return the bytes of the longest text in a column chunk's dictionary, or an upper bound."""
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415 -- few files are Parquet

    file = ParquetFile(source, metadata=metadata, read_dictionary=[path])
    column = next(file.iter_batches(1, row_groups=[group], columns=[path])).column(0)
    # pyarrow does not dictionary-encode a column inside a list
    if not pa.types.is_dictionary(column.type):
        return MAX_DECODED
    return pa.compute.max(pa.compute.binary_length(column.dictionary)).as_py() or 0


def read_at(source: Any, offset: int, length: int) -> memoryview:
    """Read bytes of an Arrow file object; fewer bytes at the end of the file.

    Raises
    ------
    Malformed
        If the offset is outside the file or the length is negative.
    """
    if not 0 <= offset <= source.size() or length < 0:
        raise Malformed(OFFSET_PROBLEM)
    source.seek(offset)
    buffer = source.read_buffer(min(length, source.size() - offset))
    return memoryview(buffer).cast("B")  # the buffer of Arrow has signed bytes


class FetchedParts(io.RawIOBase):
    """File object for a remote file; the parts that are already in memory are not read again."""

    def __init__(self, source: Any, parts: Mapping[int, memoryview]) -> None:
        self._source, self._parts, self._position = source, parts, 0

    def readable(self) -> bool:
        """Return True, as required of a readable file."""
        return True

    def seekable(self) -> bool:
        """Return True, as required of a seekable file."""
        return True

    def size(self) -> int:
        """Return the size of the file in bytes."""
        return int(self._source.size())

    def tell(self) -> int:
        """Return the offset from which the next bytes are read."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Set the offset from which the next bytes are read, and return it."""
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size()}[whence]
        self._position = origin + offset
        return self._position

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, fewer at the end; all if `size` is negative."""
        begin = self._position
        end = self.size() if size < 0 else min(begin + size, self.size())
        for offset, part in self._parts.items():
            if offset <= begin and end <= offset + len(part):
                data = bytes(part[begin - offset : end - offset])
                break
        else:
            data = bytes(read_at(self._source, begin, end - begin))
        self._position += len(data)
        return data


# Sizes in Arrow IPC files


# type of a message that contains a dictionary; other messages contain record batches
_DICTIONARY_BATCH = 2
MAX_DICTIONARY_READS = 200_000  # each batch is read with all dictionaries of the file


@dataclass(frozen=True, slots=True)
class IpcFooter:
    """Footer of an Arrow IPC file, to compute the size of a batch before it is decoded."""

    # offset, metadata length and data length of each dictionary and each batch, in bytes
    dictionaries: tuple[tuple[int, int, int], ...]
    batches: tuple[tuple[int, int, int], ...]

    @classmethod
    def read(cls, read_bytes: ReadBytes, size: int) -> "IpcFooter":
        """Read the footer of a file of `size` bytes.

        Raises
        ------
        Malformed
            If the footer is corrupt.
        """
        try:
            (length,) = struct.unpack("<i", read_bytes(size - 10, 4))
            footer = _Table.root(read_bytes(size - 10 - length, length))
            dictionaries, batches = (
                tuple(struct.unpack("<qi4xq", block) for block in footer.structs(number, 24))
                for number in (2, 3)
            )
        except (struct.error, IndexError, OverflowError) as error:
            raise Malformed(DAMAGED_METADATA) from error
        if any(
            min(dictionary) < 0 or sum(dictionary) > size
            for dictionary in (*dictionaries, *batches)
        ):
            raise Malformed(OFFSET_PROBLEM)
        if len(dictionaries) * len(batches) > MAX_DICTIONARY_READS:
            raise Malformed(
                Message(
                    "the file has {dictionaries:,} dictionaries for {batches:,} batches; write it "
                    "with one dictionary for each column",
                    key="many-dictionaries",
                    dictionaries=len(dictionaries),
                    batches=len(batches),
                )
            )
        return cls(dictionaries, batches)

    def size(self, read_bytes: ReadBytes, batch: int) -> tuple[int, int]:
        """Return the decompressed size of a batch and all dictionaries, and the number of rows."""
        blocks = (*self.dictionaries, self.batches[batch])
        try:
            sizes = [_measure_batch(read_bytes, *block[:2]) for block in blocks]
            return sum(size for size, _ in sizes), sizes[-1][1]
        except (struct.error, IndexError, OverflowError) as error:
            raise Malformed(DAMAGED_METADATA) from error


def _measure_batch(read_bytes: ReadBytes, offset: int, metadata_length: int) -> tuple[int, int]:
    """Return the decompressed size in bytes of a batch, and its number of rows."""
    message = read_bytes(offset, metadata_length)
    root = _Table.root(message[8 if bytes(message[:4]) == b"\xff\xff\xff\xff" else 4 :])
    kind, batch = root.byte(1), root.table(2)
    if batch is not None and kind == _DICTIONARY_BATCH:
        batch = batch.table(1)
    if batch is None:
        raise Malformed(DAMAGED_METADATA)
    is_compressed = batch.table(3) is not None
    size = mapped_size = 0
    for buffer in batch.structs(2, 16):
        alignment, length = struct.unpack("<qq", buffer)
        mapped_size += length
        if is_compressed and length >= 8:
            (claimed_size,) = struct.unpack(
                "<q", read_bytes(offset + metadata_length + alignment, 8)
            )
            size += max(claimed_size, 0)
    rows = batch.long(0)
    # rows of null columns or run-end encoded columns may need no bytes
    return (size if rows <= 8 * max(size, mapped_size) else size + rows * VALUE_BYTES), rows


@dataclass(frozen=True, slots=True)
class _Table:
    """Table in FlatBuffers, the format of the metadata in Arrow IPC."""

    data: memoryview
    position: int

    @classmethod
    def root(cls, data: memoryview) -> "_Table":
        return cls(data, struct.unpack_from("<I", data)[0])

    def field(self, number: int) -> int:
        """Return the offset of a field; 0 if the table does not contain it."""
        vtable = self.position - struct.unpack_from("<i", self.data, self.position)[0]
        if vtable < 0 or struct.unpack_from("<H", self.data, vtable)[0] < 6 + 2 * number:
            return 0
        offset = struct.unpack_from("<H", self.data, vtable + 4 + 2 * number)[0]
        return self.position + offset if offset else 0

    def byte(self, number: int) -> int:
        offset = self.field(number)
        return self.data[offset] if offset else 0

    def long(self, number: int) -> int:
        offset = self.field(number)
        return int(struct.unpack_from("<q", self.data, offset)[0]) if offset else 0

    def table(self, number: int) -> "_Table | None":
        offset = self.field(number)
        if not offset:
            return None
        return _Table(self.data, offset + struct.unpack_from("<I", self.data, offset)[0])

    def structs(self, number: int, size: int) -> list[bytes]:
        offset = self.field(number)
        if not offset:
            return []
        begin = offset + struct.unpack_from("<I", self.data, offset)[0]
        (count,) = struct.unpack_from("<I", self.data, begin)
        if begin + 4 + count * size > len(self.data):
            raise Malformed(DAMAGED_METADATA)
        return [
            bytes(self.data[begin + 4 + size * index : begin + 4 + size * (index + 1)])
            for index in range(count)
        ]


# Dictionary-encoded texts


def measure_text_size(column: Any) -> int:
    """Return the total bytes of the values in a dictionary column after its codes are expanded.

    Raises
    ------
    Malformed
        If a code is outside the dictionary.
    """
    return sum(_measure_array(chunk) for chunk in getattr(column, "chunks", [column]))


def _measure_array(array: Any) -> int:
    if not pa.types.is_dictionary(array.type) or not len(array):
        return 0
    value_type = array.type.value_type
    if pa.types.is_primitive(value_type) or pa.types.is_decimal(value_type):
        return int(array.dictionary.take(array.indices).nbytes)
    lengths = pa.compute.binary_length(array.dictionary)
    return pa.compute.sum(lengths.take(array.indices)).as_py() or 0


def measure_rows(rows: Any) -> int:
    """Return the size of decoded rows in bytes, with expanded codes and without dictionaries.

    Dictionaries are excluded, since several batches may share one.
    """
    return sum(
        array.indices.nbytes + _measure_array(array)
        if pa.types.is_dictionary(array.type)
        else array.nbytes
        for column in rows.columns
        for array in getattr(column, "chunks", [column])
    )
