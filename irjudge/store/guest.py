"""Reads a file that came back from an assessor: as little as merging needs, and trusting nothing in it."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irjudge.errors import ProjectError
from irjudge.model.topic import Topic
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import ASSIGNMENT, PROJECT, ROLE
from irjudge.store.connection import FAULTS, Connection, in_words
from irjudge.store.events import LOSSES
from irjudge.store.remains import facts_of, highest_row, rows_of

MOST_BYTES = 4_000_000_000  # of a file
LARGEST_EVENT = 1_000_000  # bytes
MOST_EVENTS, MOST_LOG = 1_000_000, 512_000_000  # rows and bytes of a log
MOST_LOST = 100_000  # rows in a row that cannot be read
NEEDED = {
    "fact": ("name", "value"),
    "topic": ("code", "id", "title", "description", "narrative"),
    "document": ("code", "id", "digest"),
    "event": ("sequence", "digest", "assessor", "parent", "body"),
}
NAMES = (ROLE, PROJECT, ASSIGNMENT, "owner", "scale", "handed_in", "title", LOSSES)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a returned log: its number, and digest and bytes of the event as they stand there (None where they cannot be read)."""

    sequence: int
    digest: bytes | None
    body: bytes | None


@dataclass(slots=True)
class Guest:
    """What a returned file holds, as far as it can be read.

    Attributes
    ----------
    digest
        SHA-256 of the file's bytes, in hex.
    facts
        Its settings.
    topics, documents
        By id the digest of what the assessor was shown.
    rows
        Its log, in the order of the file; a row that cannot be read has no bytes.
    damage
        Sentences about what is wrong with the file itself; empty where it is whole.
    """

    path: Path
    digest: str
    facts: dict[str, str] = field(default_factory=dict)
    topics: dict[str, bytes] = field(default_factory=dict)
    documents: dict[str, bytes] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    damage: list[str] = field(default_factory=list)


def read_guest(path: Path, progress: Progress = SILENT) -> Guest:
    """Read a returned file; it is never written to, nor is anything beside it.

    Raises
    ------
    ProjectError
        With one sentence, when it is no such file or nothing of it can be read.
    """
    _check_file(path)
    guest = Guest(path, _digest(path, progress))
    connection = Connection(path, writing=False, damaged=True, guest=True)
    try:
        _check_tables(connection)
        _note_damage(guest)
        _read(connection, guest, progress)
    except FAULTS as fault:
        raise ProjectError(f"{path.name} cannot be read: {in_words(fault)}.") from fault
    except (TypeError, ValueError, AttributeError, OverflowError) as fault:
        raise ProjectError(f"{path.name} is damaged: it holds values of another kind than an irjudge file does.") from fault
    finally:
        connection.close()
    return guest


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise ProjectError(f"{path.name} is a folder, expected a file of an assessor.")
    if not path.is_file():
        raise ProjectError(f"{path.name} does not exist or is no ordinary file.")
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise ProjectError(f"{path.name} has {size:,} bytes; no file for an assessor has more than {MOST_BYTES:,}.")
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as fault:
        raise ProjectError(f"{path.name} cannot be read ({fault.strerror or fault}).") from fault
    if head.startswith(b"PK\x03\x04"):
        raise ProjectError(f"{path.name} is a zip archive. Unpack it and merge the file that is in it.")
    if not size:
        raise ProjectError(f"{path.name} is empty. Ask for it again.")
    if head != b"SQLite format 3\0":
        raise ProjectError(f"{path.name} is not an irjudge file.")


def _digest(path: Path, progress: Progress) -> str:
    made, done, size = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while part := file.read(1 << 22):
            made.update(part)
            done += len(part)
            progress.step(done, size, f"Reading {path.name}")
    return made.hexdigest()


def _check_tables(connection: Connection) -> None:
    """Refuse a file whose tables are not plain ones: a view or a computed column could run forever or say anything."""
    kinds = dict(connection.all("SELECT name, type FROM sqlite_schema WHERE name IN ('fact', 'topic', 'document', 'event')"))
    virtual = connection.one("SELECT name FROM sqlite_schema WHERE type = 'view' OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1")
    if virtual:
        raise ProjectError(f"{connection.name} is not as irjudge writes it: it holds a view or virtual table. Nothing of it was read.")
    for table, needed in NEEDED.items():
        if kinds.get(table) != "table":
            raise ProjectError(f"{connection.name} is not as irjudge writes it: it has no table {table}.")
        columns = {row[1]: row[6] for row in connection.all(f"PRAGMA table_xinfo({table})")}
        if any(columns.get(name) != 0 for name in needed):
            raise ProjectError(f"{connection.name} is not as irjudge writes it: its table {table} has other columns.")


def _note_damage(guest: Guest) -> None:
    """Note a file that is shorter than its first page says, and one whose last action was cut off."""
    with guest.path.open("rb") as file:
        head = file.read(100)
    size = int.from_bytes(head[16:18], "big")
    expected = (65536 if size == 1 else size) * int.from_bytes(head[28:32], "big")
    there = guest.path.stat().st_size
    if there < expected:
        guest.damage.append(f"{guest.path.name} is cut off: {there:,} of {expected:,} bytes are there. Ask for it again.")
    if guest.path.with_name(guest.path.name + "-journal").exists():
        guest.damage.append(f"A journal lies beside {guest.path.name}: its last action was interrupted and may be missing.")


def _read(connection: Connection, guest: Guest, progress: Progress) -> None:
    guest.facts = facts_of(connection, NAMES)
    guest.topics = {row[0]: Topic(*row).digest for row in _all_or_some(connection, "topic", NEEDED["topic"][1:]) if _texts(row)}
    guest.documents = {
        name: digest
        for name, digest in _all_or_some(connection, "document", ("id", "digest"))
        if isinstance(name, str) and isinstance(digest, bytes)
    }
    guest.rows = list(_rows(connection, guest, progress))


def _texts(row: tuple[Any, ...]) -> bool:
    return all(isinstance(value, str) for value in row)


def _all_or_some(connection: Connection, table: str, columns: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return [row for row in connection.readable(f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED") if row]


def _rows(connection: Connection, guest: Guest, progress: Progress) -> Iterator[Row]:
    """Yield the log; row by row around what cannot be read, where that is needed."""
    _check_amount(connection)
    try:
        rows = connection.all(
            "SELECT sequence, digest, CASE WHEN length(body) <= ? THEN body END FROM event NOT INDEXED ORDER BY rowid", (LARGEST_EVENT,)
        )
        found: list[tuple[int, Any, Any]] = rows
    except ProjectError:
        found = list(_saved(connection))
        used = "what can be read of its log is used" if any(body for *_, body in found) else "nothing of its log can be read"
        guest.damage.append(f"{guest.path.name} is damaged; {used}.")
    for number, digest, body in progress.through(found, f"Reading {guest.path.name}"):
        yield Row(number, digest if isinstance(digest, bytes) else None, body if isinstance(body, bytes) else None)


def _check_amount(connection: Connection) -> None:
    """Refuse a log that would not fit into memory; one that cannot be counted is read row by row later."""
    try:
        count, size = connection.one("SELECT count(*), total(length(body)) FROM event NOT INDEXED")
    except ProjectError:
        return
    if count > MOST_EVENTS or size > MOST_LOG:
        raise ProjectError(f"{connection.name} holds {count:,} events ({size:,.0f} bytes); no assessor makes so many.")


def _saved(connection: Connection) -> Iterator[tuple[int, Any, Any]]:
    lost = 0
    for number, row in rows_of(connection, "event", ("digest", "body"), highest_row(connection, "event")):
        lost = 0 if row else lost + 1
        if lost > MOST_LOST:
            return
        yield number, *(row or (None, None))
