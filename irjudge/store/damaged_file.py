"""Reading of a damaged project file: header, rows of tables, and events in raw bytes."""

import contextlib
import hashlib
import re
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from operator import eq
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias

from irjudge.errors import ProjectDamaged, ProjectError
from irjudge.model import Event, decode_event
from irjudge.store.connection import SQLITE_ERRORS, Connection
from irjudge.store.lock_and_journals import APPLICATION_ID
from irjudge.store.schema import SCHEMA_VERSION, create_tables

# Readable rows of a damaged table

BATCH_SIZE = 64
# maximum number of consecutive unreadable rows if the last row number is unknown
MAX_UNREADABLE_ROWS = 5000


def read_rows(
    source: Connection, table: str, columns: Sequence[str], max_number: int | None
) -> Iterator[tuple[int, tuple[Any, ...] | None]]:
    """Yield (row number, values) of each row of a table; the values of unreadable rows are None.

    `max_number` is the largest row number; None if unknown.
    """
    row_query = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED WHERE rowid = ?"
    last_number, is_readable = 0, True
    unreadable_numbers: list[int] = []
    while (
        last_number < max_number
        if max_number is not None
        else len(unreadable_numbers) <= MAX_UNREADABLE_ROWS
    ):
        # if a batch cannot be read, its rows are read one by one, so that only damaged rows fail
        rows = _read_batch(source, table, columns, last_number, max_number) if is_readable else None
        if rows == []:
            return
        if rows is None:
            last_number += 1
            row, is_readable = _read_row(source, row_query, last_number)
            if not is_readable:
                unreadable_numbers.append(last_number)
                if max_number is not None:
                    yield last_number, None
                continue
            rows = [] if row is None else [(last_number, *row)]
        for row_number, *values in rows:
            if max_number is None:
                yield from ((unreadable_number, None) for unreadable_number in unreadable_numbers)
            unreadable_numbers.clear()
            yield row_number, tuple(values)
            last_number = row_number


def _read_batch(
    source: Connection, table: str, columns: Sequence[str], last_number: int, max_number: int | None
) -> list[Any] | None:
    """Return the next rows; an empty list at the end of the table.

    Return None if a row is unreadable or if row numbers are not ascending.
    """
    query = f"SELECT rowid, {', '.join(columns)} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT {BATCH_SIZE}"
    try:
        rows = source.fetch_all(query, (last_number,))
    except ProjectError:
        return None
    numbers = [last_number, *(row[0] for row in rows)]
    is_ascending = all(number < next_number for number, next_number in pairwise(numbers))
    return rows if is_ascending and (max_number is None or numbers[-1] <= max_number) else None


def _read_row(
    source: Connection, query: str, row_number: int
) -> tuple[tuple[Any, ...] | None, bool]:
    """Return a row (None if missing), and whether it is readable."""
    try:
        with contextlib.closing(source.execute(query, (row_number,))) as cursor:
            return cursor.fetchone(), True
    # The error is not converted to a ProjectError, since formatting thousands of messages would
    # take longer than reading the rows.
    except SQLITE_ERRORS:
        return None, False


def read_max_row_number(source: Connection, table: str) -> int | None:
    """Return the largest row number of a table; None if unknown."""
    numbers = []
    for query in (
        f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'",
        f"SELECT coalesce(max(rowid), 0) FROM {table} NOT INDEXED",
    ):
        with contextlib.suppress(ProjectError):
            numbers += [row[0] for row in source.fetch_all(query)]
    possible_numbers = range(source.path.stat().st_size)  # a file has fewer rows than bytes
    return max(
        (
            row_number
            for row_number in numbers
            if isinstance(row_number, int) and row_number in possible_numbers
        ),
        default=None,
    )


def read_last_issued_number(source: Connection, table: str) -> int | None:
    """Return the last row number that SQLite issued for a table; None if it is unreadable."""
    try:
        rows = source.fetch_all("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
    except ProjectError:
        return None
    last_number = rows[0][0] if rows else 0
    return (
        last_number
        if isinstance(last_number, int) and 0 <= last_number <= source.path.stat().st_size
        else None
    )


def read_index(source: Connection, query: str, kind: type) -> list[Any]:
    """Return the readable (value, row number) rows of an index; the values have the type `kind`.

    The query is run in ascending and descending order, to read rows on both sides of damage.
    """
    rows = source.read_until_damage(query) + source.read_until_damage(f"{query} DESC")
    return [row for row in rows if isinstance(row[0], kind) and isinstance(row[1], int)]


# Events in the raw bytes of a file, recognised by format and hash

EventOrigin: TypeAlias = Literal["raw scan", "free page", "overflow chain", "after the last page"]

# patterns of the first and of the last bytes of an event of version 1 or 2
EVENT_BEGIN_PATTERN = re.compile(rb'\{"(?:actor|assessor)":"')
EVENT_END_PATTERN = re.compile(rb'"v":[12]\}')
ASSESSOR_KEY = b'"assessor":"'
MAX_EVENT_BYTES = 1_000_000  # maximum size of an event in bytes
# maximum number of positions that are tried as the end of an event, since text inside an event may
# also match the pattern of its end
MAX_EVENT_ENDS = 8
MAX_LINK_TRIES = 20_000  # maximum number of pages tried as the target of a damaged link
# maximum bytes of a file that are read along links to overflow pages: a constant plus a multiple of
# the file's size; and maximum bytes that are read to repair damaged links
MIN_LINKED_BYTES, MAX_LINKED_RATIO = 32_000_000, 4
MAX_REPAIR_BYTES = 1_000_000_000
MIN_HASH_BYTES = 16  # minimum number of bytes (of 32) that must be equal to recognise a hash
MAX_SAMPLED_BYTES = 1 << 20  # maximum number of bytes in which page headers are counted
PAGE_SIZES = tuple(1 << exponent for exponent in range(9, 17))
TREE_PAGE_TYPES = frozenset((2, 5, 10, 13))  # values of the first byte of a B-tree page


@dataclass(frozen=True, slots=True)
class RawEvent:
    """Event that was detected in the raw bytes of a file and is missing from its tables."""

    event: Event  # event decoded from the bytes
    origin: EventOrigin  # part of the file that contains its bytes
    sequence: int | None  # sequence number in the surrounding row; None without such a row
    in_row: bool  # whether the surrounding row contains at least half of the event's hash


@dataclass(frozen=True, slots=True)
class FilePages:
    """Page layout of a damaged SQLite file, which determines the origin of each rescued event."""

    size: int  # number of bytes of a page
    count: int  # number of pages according to the header or, if implausible, to the file size
    free_pages: frozenset[int]  # numbers of the pages that are not in use

    @classmethod
    def from_bytes(cls, data: bytes) -> "FilePages":
        """Read the page layout from the header; replace implausible values."""
        size = detect_page_size(data)
        page_count = max(1, -(-len(data) // size))
        declared_pages = int.from_bytes(data[28:32], "big")
        return cls(
            size,
            declared_pages if 1 <= declared_pages <= page_count else page_count,
            frozenset(_list_free_pages(data, size, page_count)),
        )

    def find_origin(self, offset: int) -> EventOrigin:
        """Return which part of the file contains the byte at an offset."""
        page_number = offset // self.size + 1
        if page_number > self.count:
            return "after the last page"
        return "free page" if page_number in self.free_pages else "raw scan"


def detect_page_size(data: bytes) -> int:
    """Return the page size in the file header if it is plausible.

    Otherwise, return the largest size for which the bytes contain many page headers.
    """
    pages_by_size = {size: _count_tree_pages(data, size) for size in PAGE_SIZES}
    plausible_sizes = [
        size
        for size, count in pages_by_size.items()
        if count and count >= 0.8 * max(pages_by_size.values())
    ]
    declared_size = int.from_bytes(data[16:18], "big")
    declared_size = 65536 if declared_size == 1 else declared_size
    return declared_size if declared_size in plausible_sizes else max(plausible_sizes, default=4096)


def _count_tree_pages(data: bytes, size: int) -> int:
    """Return how many pages begin with a plausible B-tree header if pages have `size` bytes.

    The first page is not counted.
    """
    last_offset = min(len(data) - 8, MAX_SAMPLED_BYTES)
    tree_count = 0
    for offset, page_type in zip(
        range(size, last_offset, size), data[size:last_offset:size], strict=False
    ):
        if page_type in TREE_PAGE_TYPES:
            cell_count = int.from_bytes(data[offset + 3 : offset + 5], "big")
            content_offset = int.from_bytes(data[offset + 5 : offset + 7], "big") or 65536
            tree_count += 8 + 2 * cell_count <= content_offset <= size
    return tree_count


def _list_free_pages(data: bytes, size: int, count: int) -> Iterator[int]:
    """Yield the numbers of free pages, from the file's chain of trunk pages."""
    trunk_page, seen_pages = int.from_bytes(data[32:36], "big"), set[int]()
    while 2 <= trunk_page <= count and trunk_page not in seen_pages:
        seen_pages.add(trunk_page)
        yield trunk_page
        start = (trunk_page - 1) * size
        leaf_count = int.from_bytes(data[start + 4 : start + 8], "big")
        if leaf_count > size // 4:
            return
        yield from (
            int.from_bytes(data[offset : offset + 4], "big")
            for offset in range(start + 8, start + 8 + 4 * leaf_count, 4)
        )
        trunk_page = int.from_bytes(data[start : start + 4], "big")


def scan_events(
    data: bytes,
    known_digests: Collection[bytes],
    report_offset: Callable[[int], None] = lambda offset: None,
) -> Iterator[RawEvent]:
    """Yield each event in the bytes of a file once, except events in `known_digests`."""
    pages, seen_digests = FilePages.from_bytes(data), set[bytes]()
    chains = _ChainReader(data, pages.size, known_digests)
    match_starts = (match.start() for match in EVENT_BEGIN_PATTERN.finditer(data))
    for start, next_begin in pairwise(chain(match_starts, (len(data),))):
        report_offset(start)
        body = _match_event(data[start : min(next_begin, start + MAX_EVENT_BYTES)], known_digests)
        if body == b"":
            continue
        event_bytes = body or chains.read_event(start, next_begin)
        event = _decode_or_none(event_bytes) if event_bytes else None
        if (
            event is None
            or event.canonical_bytes in seen_digests
            or bytes.fromhex(event.digest) in known_digests
        ):
            continue
        seen_digests.add(event.canonical_bytes)
        sequence, stored_digest = _parse_row_before(data, start, event)
        equal_bytes = sum(
            stored_byte == event_byte
            for stored_byte, event_byte in zip(
                stored_digest, bytes.fromhex(event.digest), strict=False
            )
        )
        origin = pages.find_origin(start)
        yield RawEvent(
            event,
            origin if body or origin != "raw scan" else "overflow chain",
            sequence,
            equal_bytes >= MIN_HASH_BYTES,
        )


def _decode_or_none(body: bytes) -> Event | None:
    try:
        return decode_event(body)
    except (ProjectError, AttributeError, TypeError):
        return None


def _match_event(candidate_bytes: bytes, known_digests: Collection[bytes]) -> bytes | None:
    """Return the bytes of the event with which `candidate_bytes` begin.

    The result is empty if the event is in `known_digests`, and None if no event is complete.
    """
    for match in islice(EVENT_END_PATTERN.finditer(candidate_bytes), MAX_EVENT_ENDS):
        if hashlib.sha256(candidate_bytes[: match.end()]).digest() in known_digests:
            return b""
        if _decode_or_none(candidate_bytes[: match.end()]):
            return candidate_bytes[: match.end()]
    return None


# Events that are longer than a page and continue in a chain of overflow pages


class _ChainReader:
    """Reader of events that continue in chains of overflow pages.

    The number of bytes that it reads is limited: in a file with invented links, the chains at all
    positions that may be a link can have thousands of times as many bytes as the file.
    """

    def __init__(self, data: bytes, page_size: int, known_digests: Collection[bytes]) -> None:
        self._data, self._page_size, self._known_digests = data, page_size, known_digests
        self._last_page = len(data) // page_size
        self._linked_bytes_left = MIN_LINKED_BYTES + MAX_LINKED_RATIO * len(data)
        self._repair_bytes_left = MAX_REPAIR_BYTES

    def read_event(self, start: int, next_begin: int) -> bytes | None:
        """Return the bytes of an event that continues on overflow pages.

        The result is empty if the event is in `known_digests`, and None if it cannot be read.
        """
        row = _parse_local_part(self._data, start, self._page_size)
        body = self._follow_links(start, next_begin)
        if not row or (body is not None and (not body or hashlib.sha256(body).digest() == row[2])):
            return body
        # A damaged link can lead to a page of another long event. The combined bytes would be an
        # event that was never written.
        return self._repair_link(start, row) or body

    def _follow_links(self, start: int, next_begin: int) -> bytes | None:
        """Follow the links between overflow pages, and return the bytes of the event.

        The link follows the first part of the event, before the next event on the page. The result
        is empty if the event is in `known_digests`, and None if no event is detected.
        """
        end = min((start // self._page_size + 1) * self._page_size, next_begin)
        for split_offset in range(start + 64, end - 3):
            first_page = int.from_bytes(self._data[split_offset : split_offset + 4], "big")
            if 2 <= first_page <= self._last_page:
                candidate_bytes = self._data[start:split_offset] + self._join_pages(
                    self._list_chained_pages(first_page)
                )
                self._linked_bytes_left -= len(candidate_bytes)
                if self._linked_bytes_left < 0:
                    return None
                body = _match_event(candidate_bytes, self._known_digests)
                if body is not None:
                    return body
        return None

    def _list_chained_pages(self, page_number: int, max_bytes: int = MAX_EVENT_BYTES) -> list[int]:
        """Return the page numbers of a chain of overflow pages.

        The chain ends before the first invalid or repeated page number."""
        chain: dict[int, None] = {}
        while (
            2 <= page_number <= self._last_page
            and page_number not in chain
            and len(chain) * self._page_size < max_bytes
        ):
            chain[page_number] = None
            offset = (page_number - 1) * self._page_size
            page_number = int.from_bytes(self._data[offset : offset + 4], "big")
        return list(chain)

    def _join_pages(self, chain: Sequence[int]) -> bytes:
        return b"".join(
            self._data[(page_number - 1) * self._page_size + 4 : page_number * self._page_size]
            for page_number in chain
        )

    def _repair_link(self, start: int, row: tuple[int, int, bytes]) -> bytes | None:
        """Return the bytes of a long event with a damaged link; None if it cannot be repaired.

        Pages are tried as the target of the link until the bytes match the hash in `row`.
        """
        local_size, length, digest = row
        local_end = start + local_size
        attempts = iter(range(MAX_LINK_TRIES))
        pages_needed = -(-(length - local_size) // (self._page_size - 4))
        first_page = int.from_bytes(self._data[local_end : local_end + 4], "big")
        intact_pages = self._list_chained_pages(first_page, pages_needed * self._page_size)
        for intact_count in range(min(len(intact_pages) + 1, pages_needed)):
            remaining_size = (pages_needed - intact_count) * self._page_size
            for page_number, _ in zip(range(2, self._last_page + 1), attempts, strict=False):
                chain = intact_pages[:intact_count] + self._list_chained_pages(
                    page_number, remaining_size
                )
                body = self._data[start:local_end] + self._join_pages(chain[:pages_needed])
                self._repair_bytes_left -= len(body)
                if self._repair_bytes_left < 0:
                    return None
                if len(body) >= length and hashlib.sha256(body[:length]).digest() == digest:
                    return body[:length]
        return None


def _parse_local_part(data: bytes, begin: int, size: int) -> tuple[int, int, bytes] | None:
    """Parse the part of a row that precedes the bytes of a long event.

    Return the event's number of bytes on the first page, its total number of bytes, and its hash.
    Return None if this part of the row is unreadable.
    """
    name = data.find(ASSESSOR_KEY, begin, begin + 2000) + len(ASSESSOR_KEY)
    name_end = data.find(b'"', name, begin + 2000)
    for parent_bytes in (32, 0):
        header_end = begin - parent_bytes - (name_end - name) - 32
        header = _find_header_before(data, header_end) if header_end > 0 else None
        if header is None:
            continue
        length = (_parse_varint_before(data, header_end) - 12) // 2
        payload_bytes = begin - header + length
        min_local_size = (size - 12) * 32 // 255 - 23
        local_bytes = min_local_size + (payload_bytes - min_local_size) % (size - 4)
        local_bytes = local_bytes if local_bytes <= size - 35 else min_local_size
        local_size = local_bytes - (begin - header)
        return (
            (local_size, length, data[header_end : header_end + 32])
            if 0 < local_size < length <= MAX_EVENT_BYTES
            else None
        )
    return None


# Row of an event as stored in a page: size, number, header, hash, assessor, parent, body


def _parse_row_before(data: bytes, begin: int, event: Event) -> tuple[int | None, bytes]:
    """Return the sequence number and the hash that precede an event's bytes in its row.

    The number is None if it is unreadable; the hash is empty if the row is incomplete.
    """
    header_end = begin - (32 if event.parent else 0) - len(event.assessor.encode()) - 32
    if header_end < 0:
        return None, b""
    header = _find_header_before(data, header_end)
    number = 0 if header is None else _parse_varint_before(data, header)
    is_plausible = 0 < number < 1 << 40
    return number if is_plausible else None, bytes(data[header_end : header_end + 32])


def _find_header_before(data: bytes, header_end: int) -> int | None:
    """Return the offset of the row header that ends at `header_end`; None if there is none."""
    return next(
        (
            header_end - size
            for size in range(5, 16)
            if header_end > size
            and data[header_end - size : header_end - size + 3] == bytes((size, 0, 76))
        ),
        None,
    )


def _parse_varint_before(data: bytes, end: int) -> int:
    """Return the variable-length integer that ends at an offset."""
    start = end - 1
    while start > end - 9 and start > 0 and data[start - 1] & 0x80:
        start -= 1
    decoded_number = 0
    for byte in data[start:end]:
        decoded_number = decoded_number << 7 | byte & 0x7F
    return decoded_number


# Header and schema pages of a project file, and their repair in a copy

HEADER_BYTES = 100
MAGIC, APPLICATION_ID_BYTES = b"SQLite format 3\0", APPLICATION_ID.to_bytes(4, "big")
# a schema page is recognised if at least this share of its bytes equals the expected bytes
MIN_EQUAL_SHARE = 0.9
# maximum plausible ratio of the page count in the header to the number of pages in the file
MAX_TRUNCATION_FACTOR = 20
MAX_HEAD_BYTES = 1 << 24  # maximum number of bytes read from the beginning of a file


def has_damaged_header(path: Path) -> bool:
    """Return whether a file that cannot be opened is a project with a damaged header or schema.

    If the header states a newer version, the file counts as damaged only if its schema is exactly
    that of this version.
    """
    try:
        with path.open("rb") as file:
            first_bytes = file.read(MAX_HEAD_BYTES)
    except OSError:
        return False
    contents = _make_schema_pages(detect_page_size(first_bytes))
    shares = [
        _compute_equal_share(first_bytes, page_number, page)
        for page_number, page in contents.items()
    ]
    has_newer_version = (
        first_bytes.startswith(MAGIC)
        and _has_application_id(first_bytes, len(APPLICATION_ID_BYTES))
        and int.from_bytes(first_bytes[60:64], "big") > SCHEMA_VERSION
    )
    is_project = _has_application_id(first_bytes, len(APPLICATION_ID_BYTES) - 1) or sum(
        share >= MIN_EQUAL_SHARE for share in shares
    ) >= max(1, len(shares) - 1)
    return (
        min(shares) == 1
        if has_newer_version
        else is_project and _repair_pages(first_bytes, path.stat().st_size) is not None
    )


@contextmanager
def open_damaged_source(path: Path) -> Iterator[Connection]:
    """Open a damaged file for reading; if its header or schema is damaged, open a repaired copy."""
    if not path.is_file():
        raise ProjectError("{path} does not exist.", path=path)
    with path.open("rb") as file:
        first_bytes = file.read(MAX_HEAD_BYTES)
    pages = _repair_pages(first_bytes, path.stat().st_size)
    if pages is None:
        connection = Connection(path, writing=False, damaged=True, shared_lock=True)
        try:
            yield connection
        finally:
            connection.close()
        return
    with TemporaryDirectory(prefix="irjudge-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / path.name
        _write_repaired_copy(path, copy, pages, detect_page_size(first_bytes))
        connection = Connection(copy, writing=False, damaged=True, name=path.name, shared_lock=True)
        try:
            yield connection
        finally:
            connection.close()


def _write_repaired_copy(path: Path, copy: Path, pages: dict[int, bytes], size: int) -> None:
    try:
        shutil.copyfile(path, copy)
        with copy.open("r+b") as file:
            for page_number, page in pages.items():
                file.seek((page_number - 1) * size)
                file.write(page)
    except OSError as error:
        raise ProjectDamaged(
            "{file} is damaged, and no copy could be created for repair ({value}).",
            file=path.name,
            value=error.strerror or error,
        ) from error


def _repair_pages(first_bytes: bytes, length: int) -> dict[int, bytes] | None:
    """Return the repaired header and schema pages by page number.

    Return None if they need no repair or if the file is not a project.
    """
    size = detect_page_size(first_bytes)
    contents = _make_schema_pages(size)
    shares = [
        _compute_equal_share(first_bytes, page_number, page)
        for page_number, page in contents.items()
        if page_number * size <= length
    ]
    # one of the compared pages may be damaged; pages beyond the end of the file are not compared
    has_project_tables = sum(share >= MIN_EQUAL_SHARE for share in shares) >= max(
        1, len(shares) - 1
    )
    if not (has_project_tables or _is_project_data(first_bytes)):
        return None
    header = _repair_header(first_bytes, size, length, has_project_tables)
    if has_project_tables and (min(shares) < 1 or len(shares) < len(contents)):
        return {**contents, 1: header + contents[1][HEADER_BYTES:]}
    return (
        {1: header + first_bytes[HEADER_BYTES:size]}
        if header != first_bytes[:HEADER_BYTES]
        else None
    )


def _is_project_data(first_bytes: bytes) -> bool:
    return (
        _has_application_id(first_bytes, len(APPLICATION_ID_BYTES) - 1)
        or EVENT_BEGIN_PATTERN.search(first_bytes) is not None
    )


def _has_application_id(first_bytes: bytes, min_bytes: int) -> bool:
    """Return whether at least `min_bytes` bytes of the application id are correct."""
    return (
        sum(
            stored_byte == expected_byte
            for stored_byte, expected_byte in zip(
                first_bytes[68:72], APPLICATION_ID_BYTES, strict=False
            )
        )
        >= min_bytes
    )


def _compute_equal_share(first_bytes: bytes, page_number: int, page: bytes) -> float:
    """Return the share of bytes of a stored page that are equal to the expected bytes (`page`).

    The file header on the first page is ignored."""
    start = HEADER_BYTES if page_number == 1 else 0
    present_bytes = first_bytes[(page_number - 1) * len(page) : page_number * len(page)]
    equal_count: int = sum(map(eq, present_bytes[start:], page[start:]))
    return equal_count / (len(page) - start)


def _repair_header(first_bytes: bytes, size: int, length: int, has_project_tables: bool) -> bytes:
    """Return the file header with its fixed values restored and implausible values replaced."""
    first_bytes = first_bytes[:HEADER_BYTES].ljust(HEADER_BYTES, b"\0")
    page_count, declared_pages = length // size, int.from_bytes(first_bytes[28:32], "big")
    trunk_page = int.from_bytes(first_bytes[32:36], "big")
    schema_format = int.from_bytes(first_bytes[60:64], "big")
    has_valid_version = 1 <= schema_format <= SCHEMA_VERSION or not has_project_tables
    return b"".join(
        (
            MAGIC,
            (1 if size == 65536 else size).to_bytes(2, "big"),
            bytes((1, 1, 0, 64, 32, 32)),
            first_bytes[24:28],
            first_bytes[28:32]
            if page_count < declared_pages <= MAX_TRUNCATION_FACTOR * page_count
            else page_count.to_bytes(4, "big"),
            first_bytes[32:36] if trunk_page <= page_count else bytes(4),
            first_bytes[36:44],
            (4).to_bytes(4, "big"),
            bytes(8),
            (1).to_bytes(4, "big"),
            first_bytes[60:64] if has_valid_version else SCHEMA_VERSION.to_bytes(4, "big"),
            bytes(4),
            APPLICATION_ID_BYTES,
            bytes(20),
            first_bytes[24:28],
            first_bytes[96:100],
        )
    )


def _make_schema_pages(size: int) -> dict[int, bytes]:
    sqlite = sqlite3.connect(":memory:", isolation_level=None)
    try:
        sqlite.execute(f"PRAGMA page_size = {size}")
        create_tables(sqlite)
        data = sqlite.serialize()
    finally:
        sqlite.close()
    return {
        page_number: data[(page_number - 1) * size : page_number * size]
        for page_number in _iter_tree_pages(data, size, 1)
    }


def _iter_tree_pages(data: bytes, size: int, root_page: int) -> Iterator[int]:
    yield root_page
    start, page = (
        (HEADER_BYTES if root_page == 1 else 0),
        data[(root_page - 1) * size : root_page * size],
    )
    if page[start] != 5:
        return
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    cells = (
        int.from_bytes(page[offset : offset + 2], "big")
        for offset in range(start + 12, start + 12 + 2 * count, 2)
    )
    for child in (
        *(int.from_bytes(page[cell : cell + 4], "big") for cell in cells),
        int.from_bytes(page[start + 8 : start + 12], "big"),
    ):
        yield from _iter_tree_pages(data, size, child)
