"""Reading of a file that an assessor returned, which may be damaged or manipulated.

Only the content that merging needs is read."""

import hashlib
import struct
import tempfile
import weakref
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.message import Message
from irjudge.model import Topic
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import ASSIGNMENT_KEY, PROJECT_KEY, ROLE_KEY, SUBMISSION_KEY
from irjudge.store.connection import SQLITE_ERRORS, Connection, describe_error
from irjudge.store.damaged_file import read_max_row_number, read_rows
from irjudge.store.events import LOSS_COUNTS

MAX_FILE_BYTES = 4_000_000_000  # maximum size of a file in bytes
MAX_EVENT_BYTES = 1_000_000  # maximum size of an event in bytes
MAX_EVENTS, MAX_LOG_BYTES = 1_000_000, 512_000_000  # maximum numbers of rows and bytes of a log
MAX_UNREADABLE_ROWS = 100_000  # number of consecutive unreadable rows after which reading ends
LOG_QUERY = "SELECT sequence, digest, CASE WHEN length(body) <= ? THEN body END FROM event NOT INDEXED ORDER BY rowid"
# header of a spooled row: sequence number, size of the digest, size of the body (-1 if missing)
ROW_HEADER = struct.Struct("<qIi")
READ_AHEAD_BYTES = 16_384  # minimum number of bytes that are read from a spool at a time
REQUIRED_COLUMNS = {
    "fact": ("name", "value"),
    "topic": ("code", "id", "title", "description", "narrative"),
    "document": ("code", "id", "digest"),
    "event": ("sequence", "digest", "assessor", "parent", "body"),
}
METADATA_KEYS = (
    ROLE_KEY,
    PROJECT_KEY,
    ASSIGNMENT_KEY,
    "owner",
    "scale",
    SUBMISSION_KEY,
    "title",
    LOSS_COUNTS,
)


@dataclass(frozen=True, slots=True)
class ReturnedRow:
    """Row of a returned log: sequence number, digest and bytes of an event, not yet validated.

    The row comes from an assignment file, a result of the browser page or a copy of a session, or
    is a waiting event of the project, whose parent event is missing.
    """

    # sequence number of the event; line number in a result of the browser page; 0 if it is waiting
    sequence: int
    digest: bytes | None  # digest of the event; None if missing or of another type
    body: bytes | None  # bytes of the event; None if unreadable
    problem: str | None = None  # reason why `body` is None, if known


class Spool:
    """Temporary file without a name, to which bytes are appended and from which they are read.

    The file is deleted when the object is deleted or the process ends.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 -- as long as this object
        self._folder, self._end, self._is_at_end = folder or Path(tempfile.gettempdir()), 0, True
        self._read_from, self._read_buffer = 0, b""
        weakref.finalize(self, _close_quietly, self._file)

    def add(self, data: bytes) -> int:
        """Append bytes and return their offset."""
        offset = self._end
        try:
            if not self._is_at_end:  # seeking is avoided, since it flushes the buffer
                self._file.seek(offset)
                self._is_at_end = True
            self._end += self._file.write(data)
        except OSError as error:
            raise self._make_spool_error(error) from error
        return offset

    def read_at(self, offset: int, size: int) -> bytes:
        """Return up to `size` bytes at an offset.

        The following bytes are read into a buffer, since access is mostly sequential.
        """
        start = offset - self._read_from
        if start < 0 or start + size > len(self._read_buffer):
            self._is_at_end = False
            try:
                self._file.seek(offset)
            except OSError as error:  # seeking flushes the buffer, which can fail
                raise self._make_spool_error(error) from error
            self._read_from = offset
            self._read_buffer = self._file.read(max(size, READ_AHEAD_BYTES))
            start = 0
        return self._read_buffer[start : start + size]

    def _make_spool_error(self, error: OSError) -> IrjudgeError:
        return IrjudgeError(
            "Cannot store a temporary copy of the file in {folder} ({value}).",
            folder=self._folder,
            value=error.strerror or error,
        )


def _close_quietly(file: IO[bytes]) -> None:
    """Close a spool file; ignore errors, since errors in writing have already been reported."""
    with suppress(OSError):
        file.close()


class SpooledRows:
    """Rows of a returned log, stored in a temporary file instead of memory.

    A file is used because a log may have a million rows. Rows are appended, and then read in the
    order of the log or at the offset that `add` returned. The field `problem` is not stored.
    """

    def __init__(self, spool: Spool | None = None) -> None:
        self._spool, self._offsets = spool or Spool(), array("q")

    def add(self, row: ReturnedRow) -> int:
        """Append a row and return its offset."""
        digest, body = row.digest or b"", row.body or b""
        row_header = ROW_HEADER.pack(
            row.sequence, len(digest), -1 if row.body is None else len(body)
        )
        self._offsets.append(self._spool.add(row_header + digest + body))
        return self._offsets[-1]

    def __len__(self) -> int:
        return len(self._offsets)

    def __iter__(self) -> Iterator[tuple[int, ReturnedRow]]:
        """Yield (offset, row) in the order of the log."""
        return ((offset, self.read_row(offset)) for offset in self._offsets)

    def read_row(self, offset: int) -> ReturnedRow:
        """Return the row at an offset."""
        sequence, digest, body = ROW_HEADER.unpack(self._spool.read_at(offset, ROW_HEADER.size))
        row_bytes = self._spool.read_at(offset + ROW_HEADER.size, digest + max(0, body))
        return ReturnedRow(
            sequence, row_bytes[:digest] or None, row_bytes[digest:] if body >= 0 else None
        )


@dataclass(slots=True)
class ReturnedFile:
    """Content of a file that an assessor returned, as far as it is readable.

    The file is an assignment file or a result of the browser page. Its events have not been
    validated. Topics and documents are represented by their digests.
    """

    path: Path
    digest: str  # SHA-256 of the file's bytes, in hex
    metadata: dict[str, str] = field(default_factory=dict)  # settings in the file
    topics: dict[str, bytes] = field(default_factory=dict)  # digest of each shown topic, by id
    # digest of each shown document, by id
    documents: dict[str, bytes] = field(default_factory=dict)
    # rows of the log in file order; unreadable rows have no body
    rows: SpooledRows | list[ReturnedRow] = field(default_factory=list)
    # descriptions of damage; empty if there is none
    damage: list[str] = field(default_factory=list)


def read_returned_file(
    path: Path, progress: Progress = SILENT, *, spool: Spool | None = None
) -> ReturnedFile:
    """Read a returned file without writing to it or next to it."""
    _check_file(path)
    rows = SpooledRows(spool)
    returned_file = ReturnedFile(path, _hash_file(path, progress), rows=rows)
    connection = Connection(path, writing=False, damaged=True, untrusted=True)
    try:
        _check_tables(connection)
        _record_damage(returned_file)
        _read_tables(connection, returned_file, rows, progress)
    except SQLITE_ERRORS as error:
        raise ProjectError(
            "Cannot read {file}: {reason}.", file=path.name, reason=describe_error(error)
        ) from error
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ProjectError(
            "{file} is damaged: it contains values of types that irjudge does not write.",
            file=path.name,
        ) from error
    finally:
        connection.close()
    return returned_file


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise ProjectError("{file} is a folder; expected an assessor's file.", file=path.name)
    if not path.is_file():
        raise ProjectError("{file} does not exist or is not an ordinary file.", file=path.name)
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise ProjectError(
            "{file} has {size:,} bytes; assessor files have at most {limit:,}.",
            file=path.name,
            size=size,
            limit=MAX_FILE_BYTES,
        )
    try:
        with path.open("rb") as file:
            first_bytes = file.read(16)
    except OSError as error:
        raise ProjectError(
            "Cannot read {file} ({value}).", file=path.name, value=error.strerror or error
        ) from error
    if first_bytes.startswith(b"PK\x03\x04"):
        raise ProjectError(
            "{file} is a zip archive. Unpack it and merge the file that it contains.",
            file=path.name,
        )
    if not size:
        raise ProjectError("{file} is empty. Ask the assessor to send it again.", file=path.name)
    if first_bytes != b"SQLite format 3\0":
        raise ProjectError("{file} is not an irjudge file.", file=path.name)


def _hash_file(path: Path, progress: Progress) -> str:
    file_hash, bytes_read, size = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            file_hash.update(block)
            bytes_read += len(block)
            progress.step(bytes_read, size, Message("Reading {file}", file=path.name))
    return file_hash.hexdigest()


def _check_tables(connection: Connection) -> None:
    """Raise ProjectError if a file has views or computed columns or lacks a required column.

    Evaluating views or computed columns could take arbitrarily long or return arbitrary content.
    """
    table_kinds = dict(
        connection.fetch_all(
            "SELECT name, type FROM sqlite_schema WHERE name IN ('fact', 'topic', 'document', 'event')"
        )
    )
    virtual_table = connection.fetch_one(
        "SELECT name FROM sqlite_schema WHERE type = 'view' OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1"
    )
    if virtual_table:
        raise ProjectError(
            "{file} is not a valid irjudge file: it contains a view or virtual table. "
            "Nothing was read from it.",
            file=connection.name,
        )
    for table, required_columns in REQUIRED_COLUMNS.items():
        if table_kinds.get(table) != "table":
            raise ProjectError(
                "{file} is not a valid irjudge file: it has no table {table}.",
                file=connection.name,
                table=table,
            )
        columns = {row[1]: row[6] for row in connection.fetch_all(f"PRAGMA table_xinfo({table})")}
        if any(columns.get(name) != 0 for name in required_columns):
            raise ProjectError(
                "{file} is not a valid irjudge file: its table {table} does not "
                "have the expected columns.",
                file=connection.name,
                table=table,
            )


def _record_damage(returned_file: ReturnedFile) -> None:
    """If a file is truncated or has a journal of an interrupted write, record this as damage."""
    with returned_file.path.open("rb") as file:
        first_bytes = file.read(100)
    size = int.from_bytes(first_bytes[16:18], "big")
    expected_size = (65536 if size == 1 else size) * int.from_bytes(first_bytes[28:32], "big")
    actual_size = returned_file.path.stat().st_size
    if actual_size < expected_size:
        returned_file.damage.append(
            Message(
                "{file} is truncated: {size:,} of {expected:,} bytes. Ask the assessor "
                "to send it again.",
                file=returned_file.path.name,
                size=actual_size,
                expected=expected_size,
            )
        )
    if returned_file.path.with_name(returned_file.path.name + "-journal").exists():
        returned_file.damage.append(
            Message(
                "There is a journal file for {file}: the last action in the project was "
                "interrupted and may be missing.",
                file=returned_file.path.name,
            )
        )


def _read_tables(
    connection: Connection, returned_file: ReturnedFile, rows: SpooledRows, progress: Progress
) -> None:
    returned_file.metadata = connection.read_readable_settings(METADATA_KEYS)
    returned_file.topics = {
        row[0]: Topic(*row).digest
        for row in _read_readable_rows(connection, "topic", REQUIRED_COLUMNS["topic"][1:])
        if all(isinstance(value, str) for value in row)
    }
    returned_file.documents = {
        name: digest
        for name, digest in _read_readable_rows(connection, "document", ("id", "digest"))
        if isinstance(name, str) and isinstance(digest, bytes)
    }
    for row in _read_log(connection, returned_file, progress):
        rows.add(row)


def _read_readable_rows(
    connection: Connection, table: str, columns: tuple[str, ...]
) -> list[tuple[Any, ...]]:
    return [
        row
        for row in connection.read_until_damage(
            f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED"
        )
        if row
    ]


def _read_log(
    connection: Connection, returned_file: ReturnedFile, progress: Progress
) -> Iterator[ReturnedRow]:
    """Yield the rows of the log; if any row is unreadable, read the rows one by one."""
    _check_log_size(connection)
    is_readable = not connection.has_unreadable_rows(LOG_QUERY, (MAX_EVENT_BYTES,))
    rows = (
        connection.iter_rows(LOG_QUERY, (MAX_EVENT_BYTES,))
        if is_readable
        else _read_log_rows(connection)
    )
    has_body = False
    tracked_rows = progress.track(rows, Message("Reading {file}", file=returned_file.path.name))
    for number, (sequence, digest, body) in enumerate(tracked_rows, 1):
        has_body = has_body or bool(body)
        yield ReturnedRow(
            sequence if type(sequence) is int else number,  # a forged file can have another type
            digest if isinstance(digest, bytes) else None,
            body if isinstance(body, bytes) else None,
        )
    if not is_readable:
        consequence = (
            Message("the readable part of its log is used", key="partly-readable-log")
            if has_body
            else Message("nothing in its log is readable", key="unreadable-log")
        )
        returned_file.damage.append(
            Message(
                "{file} is damaged; {consequence}.",
                key="damaged-log",
                file=returned_file.path.name,
                consequence=consequence,
            )
        )


def _check_log_size(connection: Connection) -> None:
    """Raise ProjectError if a log is too large.

    A log whose rows cannot be counted is accepted; it is later read row by row.
    """
    try:
        count, size = connection.fetch_one(
            "SELECT count(*), total(length(body)) FROM event NOT INDEXED"
        )
    except ProjectError:
        return
    if count > MAX_EVENTS or size > MAX_LOG_BYTES:
        raise ProjectError(
            "{file} contains {count:,} events ({size:,.0f} bytes), more than "
            "irjudge accepts in an assessor's file.",
            file=connection.name,
            count=count,
            size=size,
        )


def _read_log_rows(connection: Connection) -> Iterator[tuple[int, Any, Any]]:
    unreadable_count = 0
    for sequence, row in read_rows(
        connection, "event", ("digest", "body"), read_max_row_number(connection, "event")
    ):
        unreadable_count = 0 if row else unreadable_count + 1
        if unreadable_count > MAX_UNREADABLE_ROWS:
            return
        yield sequence, *(row or (None, None))
