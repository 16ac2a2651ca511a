"""Schema of a project file: tables and their checksums, versions and migrations."""

import math
import os
import re
import shutil
import sqlite3
import struct
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from irjudge.errors import ProjectError
from irjudge.formats.bytes import get_copy_mode
from irjudge.message import Message, escape_control_characters
from irjudge.store.lock_and_journals import APPLICATION_ID, partial_path, publish_file

SCHEMA_VERSION = 7
CHECKSUMS_SINCE = 3
UNSAMPLED_PROBABILITY_SINCE = 7
MIN_READABLE_VERSION = 2  # oldest version readable without migration

SCHEMA = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE topic (
    code INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL, description TEXT NOT NULL, narrative TEXT NOT NULL
) STRICT;

-- Contents of documents; a content that several documents have is stored once.
CREATE TABLE content (digest BLOB PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, body BLOB NOT NULL) STRICT;

-- A document without a digest has no text; its id occurs in a run or in qrels.
CREATE TABLE document (
    code INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest BLOB REFERENCES content DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX document_digest ON document (digest) WHERE digest IS NOT NULL;

-- Rankings are stored as columns: little-endian arrays, with one row per topic.
-- A removed run is only marked as removed, so that it can be restored.
CREATE TABLE run (
    code INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL, rows INTEGER NOT NULL, removed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX run_name ON run (name) WHERE NOT removed;
CREATE TABLE run_topic (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    place INTEGER NOT NULL, topic TEXT NOT NULL,
    document BLOB NOT NULL, score BLOB NOT NULL, rank BLOB NOT NULL, line BLOB NOT NULL,
    PRIMARY KEY (run, place), UNIQUE (run, topic)
) STRICT;

CREATE TABLE qrels (
    code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, groups TEXT NOT NULL, rows INTEGER NOT NULL
) STRICT;
CREATE TABLE qrels_topic (
    qrels INTEGER NOT NULL REFERENCES qrels ON DELETE CASCADE,
    place INTEGER NOT NULL, topic TEXT NOT NULL,
    document BLOB NOT NULL, grade BLOB NOT NULL, grp BLOB NOT NULL,
    PRIMARY KEY (qrels, place), UNIQUE (qrels, topic)
) STRICT;

-- A pool is never changed: a pool that is built later has the next version number.
-- Documents that were not sampled have separate columns, since they are not judged.
CREATE TABLE pool (
    version INTEGER PRIMARY KEY, strategy TEXT NOT NULL, parameters TEXT NOT NULL, runs TEXT NOT NULL, rows INTEGER NOT NULL
) STRICT;
CREATE TABLE pool_topic (
    pool INTEGER NOT NULL REFERENCES pool ON DELETE CASCADE,
    place INTEGER NOT NULL, topic TEXT NOT NULL,
    document BLOB NOT NULL, contributions BLOB NOT NULL, contribution_run BLOB NOT NULL, contribution_rank BLOB NOT NULL,
    stratum BLOB NOT NULL DEFAULT x'', probability BLOB NOT NULL DEFAULT x'',
    undrawn BLOB NOT NULL DEFAULT x'', undrawn_stratum BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (pool, place), UNIQUE (pool, topic)
) STRICT;

-- Append-only. The digest identifies an event; other columns repeat data of the body for queries.
CREATE TABLE event (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL UNIQUE, assessor TEXT NOT NULL, parent BLOB, body BLOB NOT NULL
) STRICT;
CREATE INDEX event_assessor ON event (assessor, sequence);
"""
LOG_TRIGGERS = (
    "CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END",
    "CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END",
)
SCHEMA += "".join(f"{trigger_statement};\n" for trigger_statement in LOG_TRIGGERS)

# Version 2: assignments and merging
ASSIGNMENT_TABLES = """
-- A file for an assessor contains one assignment; the organiser's project contains all of them.
CREATE TABLE assignment (
    code INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, assessor TEXT NOT NULL, mode TEXT NOT NULL, pool INTEGER NOT NULL,
    deadline TEXT NOT NULL, file TEXT NOT NULL, round INTEGER NOT NULL, made TEXT NOT NULL, withdrawn INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Lists of document ids, and opaque ids of these lists, both as JSON. A document is one list; a
-- pair or a panel consists of two lists.
CREATE TABLE assignment_item (
    assignment INTEGER NOT NULL REFERENCES assignment ON DELETE CASCADE, place INTEGER NOT NULL,
    topic TEXT NOT NULL, type TEXT NOT NULL, lists TEXT NOT NULL, sides TEXT NOT NULL,
    PRIMARY KEY (assignment, place)
) STRICT;

-- Data that only the organiser may see; these tables are empty in a file for an assessor.
CREATE TABLE assignment_round (number INTEGER PRIMARY KEY, seed INTEGER NOT NULL, wishes TEXT NOT NULL, made TEXT NOT NULL) STRICT;
CREATE TABLE assignment_secret (
    assignment INTEGER NOT NULL REFERENCES assignment ON DELETE CASCADE, place INTEGER NOT NULL,
    role TEXT NOT NULL, left_run TEXT NOT NULL, right_run TEXT NOT NULL,
    PRIMARY KEY (assignment, place)
) STRICT;
CREATE TABLE assessor (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, email TEXT NOT NULL, set_aside TEXT) STRICT;
CREATE TABLE returned_file (
    code INTEGER PRIMARY KEY, time TEXT NOT NULL, file TEXT NOT NULL, digest TEXT NOT NULL,
    assignment TEXT NOT NULL, assessor TEXT NOT NULL, balance TEXT NOT NULL
) STRICT;
-- Events of returned files whose parent event is missing. The log contains the parent of each of
-- its events.
CREATE TABLE waiting_event (
    sequence INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, assessor TEXT NOT NULL, parent BLOB, body BLOB NOT NULL
) STRICT;
"""

# Version 3: checksums of all tables except events and texts, whose rows contain hashes
CHECKSUM_TABLE = """
CREATE TABLE seal (
    part TEXT NOT NULL, key ANY NOT NULL, place INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (part, key, place)
) STRICT, WITHOUT ROWID;
"""

# Version 4: sessions
SESSION_TABLES = """
-- Sessions, in which participants judge in browsers: options as JSON (`terms`), and state.
CREATE TABLE session (
    code INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, round INTEGER NOT NULL, state TEXT NOT NULL, terms TEXT NOT NULL, made TEXT NOT NULL
) STRICT;
-- Participants. Events contain only the opaque id; names are stored only in this table.
CREATE TABLE participant (
    code INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session INTEGER NOT NULL, assignment INTEGER NOT NULL,
    name TEXT NOT NULL, token BLOB NOT NULL, joined TEXT NOT NULL
) STRICT;
-- States of assigned items: reassigned to another participant (lost), judged after that (late), or
-- judged late but counted (taken).
CREATE TABLE session_place (
    assignment INTEGER NOT NULL, place INTEGER NOT NULL, state TEXT NOT NULL, UNIQUE (assignment, place)
) STRICT;
"""

# Version 5: metadata of runs; a project need not have documents
RUN_METADATA = """
CREATE TABLE run_metadata (run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE, text TEXT NOT NULL) STRICT;
"""

# Version 6: document fields (JSON); pictures in fields are stored in the table `content`
DOCUMENT_FIELDS = """
CREATE TABLE document_fields (
    document INTEGER PRIMARY KEY REFERENCES document ON DELETE CASCADE,
    fields TEXT NOT NULL, pictured TEXT NOT NULL DEFAULT '', picture BLOB
) STRICT;
"""
# Version 7: inclusion probabilities of unsampled documents
UNSAMPLED_PROBABILITY = """
ALTER TABLE pool_topic ADD COLUMN undrawn_probability BLOB NOT NULL DEFAULT x'';
"""
SAMPLING_COLUMNS = """
    stratum BLOB NOT NULL DEFAULT x'', probability BLOB NOT NULL DEFAULT x'',
    undrawn BLOB NOT NULL DEFAULT x'', undrawn_stratum BLOB NOT NULL DEFAULT x'',"""
SCHEMAS = {
    1: SCHEMA.replace(SAMPLING_COLUMNS, ""),
    2: SCHEMA + ASSIGNMENT_TABLES,
    3: SCHEMA + ASSIGNMENT_TABLES + CHECKSUM_TABLE,
}
SCHEMAS[4] = SCHEMAS[3] + SESSION_TABLES
SCHEMAS[5] = SCHEMAS[4] + RUN_METADATA
SCHEMAS[6] = SCHEMAS[5] + DOCUMENT_FIELDS
SCHEMAS[7] = SCHEMAS[6] + UNSAMPLED_PROBABILITY
# key of a setting: number of sequence numbers that have no event, but do not count as lost events
UNUSED_COUNT = "unused_numbers"
UNUSED_QUERY = """SELECT max(coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'event'), 0),
coalesce((SELECT max(sequence) FROM event), 0)) - (SELECT count(*) FROM event)"""


def _migrate_to_2(connection: sqlite3.Connection) -> None:
    """Add tables for assignments and merging, and sampling columns of pools.

    The documents of older pools, which are all depth pools, are assigned to one stratum with
    probability 1.
    """
    _run_statements(connection, ASSIGNMENT_TABLES)
    for name in ("stratum", "probability", "undrawn", "undrawn_stratum"):
        connection.execute(f"ALTER TABLE pool_topic ADD COLUMN {name} BLOB NOT NULL DEFAULT x''")
    rows = connection.execute("SELECT rowid, length(document) / 4 FROM pool_topic").fetchall()
    values = [(bytes(4 * count), struct.pack("<d", 1.0) * count, row) for row, count in rows]
    connection.executemany(
        "UPDATE pool_topic SET stratum = ?, probability = ? WHERE rowid = ?", values
    )


def _migrate_to_3(connection: sqlite3.Connection) -> None:
    """Add the table of checksums; store the number of unused sequence numbers.

    These numbers do not count as lost events.
    """
    _run_statements(connection, CHECKSUM_TABLE)
    (unused_numbers,) = connection.execute(UNUSED_QUERY).fetchone()
    if unused_numbers:
        connection.execute(
            "INSERT OR REPLACE INTO fact VALUES (?, ?)", (UNUSED_COUNT, str(unused_numbers))
        )
    for statement in LOG_TRIGGERS:
        connection.execute(statement.replace("TRIGGER", "TRIGGER IF NOT EXISTS"))


def make_unknown_probabilities(count: int) -> bytes:
    """Return a column of `count` NaN values, for inclusion probabilities that were not stored."""
    return struct.pack("<d", math.nan) * count


def _migrate_to_7(connection: sqlite3.Connection) -> None:
    """Add the column of inclusion probabilities of unsampled documents, with NaN values."""
    _run_statements(connection, UNSAMPLED_PROBABILITY)
    rows = connection.execute(
        "SELECT rowid, length(undrawn) / 4 FROM pool_topic WHERE length(undrawn) > 0"
    ).fetchall()
    connection.executemany(
        "UPDATE pool_topic SET undrawn_probability = ? WHERE rowid = ?",
        [(make_unknown_probabilities(count), row) for row, count in rows],
    )


HEAD_BYTES = 200  # number of bytes read from the beginning of a file of another program
MAX_SHOWN_CHARACTERS = 40  # maximum number of characters that a message quotes
FILE_KINDS = {
    b"SQLite format 3\0": Message("a database of another program"),
    b"%PDF": Message("a PDF file"),
    b"PK\x03\x04": Message("an archive or an office document"),
    b"\x1f\x8b": Message("a compressed file"),
}

# for each version: migration to the next version; no migration changes events
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {
    1: _migrate_to_2,
    2: _migrate_to_3,
    3: lambda connection: _run_statements(connection, SESSION_TABLES),
    4: lambda connection: _run_statements(connection, RUN_METADATA),
    5: lambda connection: _run_statements(connection, DOCUMENT_FIELDS),
    6: _migrate_to_7,
}


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables of a new project."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    _run_statements(connection, SCHEMAS[max(SCHEMAS)])
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _run_statements(connection: sqlite3.Connection, statements: str) -> None:
    """Run statements one by one, because `executescript` would commit the transaction."""
    for statement in statements.split(";\n"):
        if statement.strip():
            connection.execute(statement)


def check_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema version of an opened file.

    Raises ProjectError if the file is not a project, or was written by a newer version.
    """
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application_id != APPLICATION_ID or version < 1:
        raise make_foreign_file_error(path)
    if version > SCHEMA_VERSION:
        raise ProjectError(
            "{file} was written by a newer version of irjudge (format {version}; this version "
            "reads {supported}). Install the newer version.",
            key="newer-form",
            file=path.name,
            version=version,
            supported=SCHEMA_VERSION,
        )
    return int(version)


# SQL statement that creates each table, index or trigger, by type and name
Layout = dict[tuple[str, str], str]
OBJECTS_QUERY = "SELECT type, name, coalesce(sql, '') FROM sqlite_schema"


def find_layout_problem(connection: sqlite3.Connection, version: int) -> str | None:
    """Describe how the schema of a file differs from that of its version; None if it does not."""
    layout = _read_layout(connection)
    valid_layouts = _build_valid_layouts(version, tuple(MIGRATIONS.items()))
    if (
        version < CHECKSUMS_SINCE
    ):  # older files may lack the triggers that protect the log; the migration adds the triggers
        layout |= {
            key: statement
            for key, statement in valid_layouts[0].items()
            if key[0] == "trigger" and key not in layout
        }
    return None if layout in valid_layouts else _describe_difference(layout, valid_layouts[0])


def _describe_difference(layout: Layout, expected_layout: Layout) -> str:
    for (kind, name), statement in layout.items():
        if kind == "view" or statement.startswith("CREATE VIRTUAL"):
            return Message("it contains a view or virtual table", key="view")
        if (kind, name) not in expected_layout:
            return Message(
                "it contains the {kind} {name}, which irjudge did not create",
                key="foreign-object",
                kind=kind,
                name=name,
            )
    for (kind, name), statement in expected_layout.items():
        if (kind, name) not in layout:
            return Message("it has no {kind} {name}", key="missing-object", kind=kind, name=name)
        if layout[kind, name] != statement and kind == "table":
            return Message(
                "its table {name} does not have the expected columns",
                key="other-columns",
                name=name,
            )
    return Message("its tables are not those of an irjudge file", key="other-tables")


def _read_layout(connection: sqlite3.Connection) -> Layout:
    with closing(
        connection.execute(OBJECTS_QUERY)
    ) as rows:  # unless closed, the cursor would keep a damaged file locked
        return {(str(kind), str(name)): " ".join(str(sql).split()) for kind, name, sql in rows}


@cache
def _build_valid_layouts(
    version: int, migrations: tuple[tuple[int, Callable[[sqlite3.Connection], None]], ...]
) -> tuple[Layout, ...]:
    """Return the valid schemas of a version, for new files and for migrated files."""
    layouts, steps = [], dict(migrations)
    for base_version in sorted(SCHEMAS, reverse=True):
        if base_version <= version and all(step in steps for step in range(base_version, version)):
            layouts.append(
                _build_layout(base_version, [steps[step] for step in range(base_version, version)])
            )
    return tuple(layouts)


def _build_layout(
    base_version: int, migration_functions: Sequence[Callable[[sqlite3.Connection], None]]
) -> Layout:
    connection = sqlite3.connect(":memory:")
    try:
        _run_statements(connection, SCHEMAS[base_version])
        for migrate_step in migration_functions:
            migrate_step(connection)
        return _read_layout(connection)
    finally:
        connection.close()


def make_foreign_file_error(path: Path) -> ProjectError:
    """Return the error for a file that is not a project; its message describes the file."""
    description = _describe_file(path)
    return ProjectError(
        "{file} is not an irjudge project but {description}; expected a file created by irjudge.",
        key="not-a-project",
        file=path.name,
        description=description,
    )


def _describe_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            first_bytes = file.read(HEAD_BYTES)
    except OSError:
        first_bytes = b""
    format_name = next(
        (
            description
            for prefix, description in FILE_KINDS.items()
            if first_bytes.startswith(prefix)
        ),
        None,
    )
    if format_name:
        return format_name
    if not first_bytes:
        return Message("an empty file")
    text = first_bytes.decode("utf-8", "ignore")
    if (
        not (text := text.lstrip())
        or "\0" in text
        or (not first_bytes.isascii() and len(text.encode()) < len(first_bytes) - 3)
    ):
        return Message("a file of another type")
    return Message(
        "a text file beginning with “{text}”",
        text=escape_control_characters(text.split("\n", 1)[0].strip()[:MAX_SHOWN_CHARACTERS]),
    )


HEADER_CHANGED = Message("its header was changed")
# valid values of bytes 18 and 19 of the header: rollback journal, which irjudge uses; write-ahead
# log, which another program may have enabled
JOURNAL_MODES = (b"\1\1", b"\2\2")
# fixed bytes of the header, by offset
FIXED_BYTES = {
    0: b"SQLite format 3\0",
    20: bytes((0, 64, 32, 32)),
    44: bytes((0, 0, 0, 4)) + bytes(4),
    56: bytes((0, 0, 0, 1)),
    68: APPLICATION_ID.to_bytes(4, "big") + bytes(20),
}


def is_header_sound(path: Path) -> bool:
    """Return whether the fixed bytes of the header are correct.

    SQLite itself checks only some of these bytes.
    """
    try:
        with path.open("rb") as file:
            first_bytes = file.read(100)
    except OSError as error:
        raise ProjectError(
            "Cannot read {file} ({value}).", file=path.name, value=error.strerror or error
        ) from error
    return (
        len(first_bytes) == 100
        and first_bytes[18:20] in JOURNAL_MODES
        and all(
            first_bytes.startswith(fixed_bytes, offset)
            for offset, fixed_bytes in FIXED_BYTES.items()
        )
    )


def migrate(connection: sqlite3.Connection, path: Path, version: int) -> Path | None:
    """Copy an older file, then migrate it to the current version in one transaction.

    Return the path of the copy; None if the file has the current version.
    """
    if version == SCHEMA_VERSION:
        return None
    try:
        backup = _copy_file(
            path, _find_unused_path(path.with_name(f"{path.stem}.form{version}{path.suffix}"))
        )
    except OSError as error:
        raise ProjectError(
            "{file} has an older format and was not upgraded, because no copy of it could be "
            "created ({value}).",
            file=path.name,
            value=error.strerror or error,
        ) from error
    connection.execute("BEGIN EXCLUSIVE")
    try:
        for old_version in range(version, SCHEMA_VERSION):
            MIGRATIONS[old_version](connection)
        recompute_checksums(connection)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return backup


def _copy_file(path: Path, backup: Path) -> Path:
    """Copy a file durably; the copy is renamed to `backup` when it is complete."""
    temporary_path = partial_path(backup)
    try:
        target = os.open(temporary_path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, get_copy_mode(path))
        with os.fdopen(target, "wb") as copy, path.open("rb") as file:
            shutil.copyfileobj(file, copy)
            copy.flush()
            os.fsync(copy.fileno())
        publish_file(temporary_path, backup)
    finally:
        temporary_path.unlink(missing_ok=True)
    return backup


def _find_unused_path(path: Path) -> Path:
    """Return `path` if no file exists there; otherwise, add an unused number to its name."""
    candidates = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return (
        path
        if not path.exists()
        else next(candidate for candidate in candidates if not candidate.exists())
    )


# Checksums of the tables, except the tables of events and texts


# maximum length of a BLOB that is hashed with its row; a longer BLOB is replaced with its hash
MAX_INLINE_BYTES = 64


@dataclass(frozen=True, slots=True)
class ChecksummedTable:
    """Declaration of a table of the project file that has a checksum for each group of rows.

    The checksums reveal damage. A group is identified by a key and a position. In some tables, each
    row is a group."""

    table: str
    group_name: str  # description of the content of a group, at the beginning of messages
    # SQL expressions for the key and the position of a row's group
    key: str = "code"
    position: str = "0"
    # SQL condition that selects the rows of a group; ?1 is the key, and ?2 the position
    rows: str = "code = ?1"
    order: str = "code"  # columns by which the rows of a group are sorted
    label: str = "code"  # SQL expression for the name of a group in messages
    is_wide: bool = False  # whether rows are so large that they are read group by group


def _declare_topic_table(table: str, owner: str, subject: str, name: str) -> ChecksummedTable:
    label = f"{name} || ', topic ' || topic"
    return ChecksummedTable(
        table, subject, owner, "place", f"{owner} = ?1 AND place = ?2", "place", label, is_wide=True
    )


def _declare_assignment_table(table: str, subject: str) -> ChecksummedTable:
    label = "(SELECT assessor FROM assignment WHERE code = assignment)"
    return ChecksummedTable(
        table, subject, "assignment", rows="assignment = ?1", order="place", label=label
    )


def _declare_block_table(table: str, subject: str, code: str, label: str) -> ChecksummedTable:
    """Declare a table with one checksum per block of 1,024 codes, since it has many rows."""
    return ChecksummedTable(
        table,
        subject,
        f"{code} / 1024",
        rows=f"{code} BETWEEN ?1 * 1024 AND ?1 * 1024 + 1023",
        order=code,
        label=label,
        is_wide=True,
    )


RUN_NAME = "(SELECT name FROM run WHERE code = run)"
CHECKSUMMED_TABLES = (
    ChecksummedTable(
        "fact", Message("Setting"), "name", rows="name = ?1", order="name", label="name"
    ),
    ChecksummedTable("topic", Message("Topic"), label="id"),
    _declare_block_table(
        "document", Message("The block of the document list starting at document"), "code", "id"
    ),
    _declare_block_table(
        "document_fields",
        Message("The block of document fields starting at document number"),
        "document",
        "document",
    ),
    ChecksummedTable("run", Message("Run"), label="name"),
    ChecksummedTable(
        "run_metadata",
        Message("Metadata in the run file"),
        "run",
        rows="run = ?1",
        order="run",
        label=RUN_NAME,
    ),
    _declare_topic_table("run_topic", "run", Message("Run"), RUN_NAME),
    ChecksummedTable("qrels", Message("Qrels"), label="name"),
    _declare_topic_table(
        "qrels_topic", "qrels", Message("Qrels"), "(SELECT name FROM qrels WHERE code = qrels)"
    ),
    ChecksummedTable(
        "pool", Message("Pool"), "version", rows="version = ?1", order="version", label="version"
    ),
    _declare_topic_table("pool_topic", "pool", Message("Pool"), "pool"),
    ChecksummedTable("assignment", Message("The assignment of assessor"), label="assessor"),
    _declare_assignment_table("assignment_item", Message("The items assigned to assessor")),
    ChecksummedTable(
        "assignment_round", "Round", "number", rows="number = ?1", order="number", label="number"
    ),
    _declare_assignment_table(
        "assignment_secret", Message("The organiser's data about the assignment of assessor")
    ),
    ChecksummedTable("assessor", "Assessor", label="name"),
    ChecksummedTable("returned_file", Message("Returned file"), label="file"),
    ChecksummedTable("session", "Session", label="made"),
    ChecksummedTable("participant", "Participant", label="id"),
    _declare_assignment_table("session_place", Message("Late or lost judgments of assessor")),
    _declare_block_table(
        "waiting_event",
        Message("The block of waiting events starting at event number"),
        "sequence",
        "sequence",
    ),
)
CONTENT_ADDRESSED_TABLES = ("event", "content")
TABLES_BY_NAME = {table.table: table for table in CHECKSUMMED_TABLES}
READ_ONLY_PREFIXES = ("SELECT ", "BEGIN IMMEDIATE", "COMMIT", "PRAGMA ", "VACUUM")
SINGLE_TABLE_WRITE = re.compile(
    rf"(?:INSERT INTO|UPDATE) ({'|'.join((*TABLES_BY_NAME, *CONTENT_ADDRESSED_TABLES))}) "
)
RowGroup = tuple[Any, int]
# name of the table, key and position of the group, and hash of its rows (None if it has no rows)
GroupChecksum = tuple[str, Any, int, bytes | None]


def hash_rows(rows: Sequence[Sequence[Any]]) -> bytes:
    """Return the SHA-256 of an unambiguous encoding of rows.

    A row contains strings, bytes, numbers and None."""
    hashed_columns = [
        tuple([type(value) is bytes and len(value) > MAX_INLINE_BYTES for value in row])
        for row in rows
    ]
    short_rows = [
        tuple(
            sha256(value).hexdigest() if is_hashed else value
            for value, is_hashed in zip(row, hashed_flags, strict=True)
        )
        if any(hashed_flags)
        else tuple(row)
        for row, hashed_flags in zip(rows, hashed_columns, strict=True)
    ]
    return sha256(ascii((short_rows, hashed_columns)).encode()).digest()


# Updating checksums


def track_changes(sqlite: sqlite3.Connection, table: str) -> None:
    """Create temporary triggers that record which groups of a table a connection changes."""
    columns = "part TEXT, key ANY, place INTEGER, PRIMARY KEY (part, key, place)"
    sqlite.execute(f"CREATE TEMP TABLE IF NOT EXISTS touched ({columns}) STRICT, WITHOUT ROWID")
    for action, rows in (("INSERT", ("new",)), ("UPDATE", ("old", "new")), ("DELETE", ("old",))):
        tracking_statements = "".join(
            _make_tracking_statement(TABLES_BY_NAME[table], row) for row in rows
        )
        sqlite.execute(
            f"CREATE TEMP TRIGGER IF NOT EXISTS {table}_{action} AFTER {action} ON main.{table} BEGIN {tracking_statements} END"
        )


def _make_tracking_statement(table: ChecksummedTable, row: str) -> str:
    key, position = (
        f"{row}.{table.key}",
        f"{row}.{table.position}" if table.position != "0" else "0",
    )
    # ON CONFLICT is used because OR IGNORE has no effect inside a trigger
    return (
        f"INSERT INTO touched VALUES ('{table.table}', {key}, {position}) ON CONFLICT DO NOTHING;"
    )


@cache
def find_written_tables(statement: str) -> frozenset[str]:
    """Return the checksummed tables that a statement may change.

    A plain INSERT or UPDATE changes one table. For other writing statements, all tables are
    returned, since deleting rows may change rows of other tables that reference them.
    """
    if statement.startswith(READ_ONLY_PREFIXES):
        return frozenset()
    match = SINGLE_TABLE_WRITE.match(statement)
    return (
        frozenset(TABLES_BY_NAME).intersection(match.groups())
        if match
        else frozenset(TABLES_BY_NAME)
    )


def update_checksums(sqlite: sqlite3.Connection) -> list[GroupChecksum]:
    """Recompute and return the checksums of the groups that were changed in this transaction."""
    changed_groups = sqlite.execute("SELECT part, key, place FROM touched").fetchall()
    checksums = [
        _update_checksum(sqlite, TABLES_BY_NAME[table], *group) for table, *group in changed_groups
    ]
    if changed_groups:
        sqlite.execute("DELETE FROM touched")
    return checksums


def _update_checksum(
    sqlite: sqlite3.Connection, table: ChecksummedTable, key: Any, position: int
) -> GroupChecksum:
    rows = sqlite.execute(*rows_query(table, key, position)).fetchall()
    digest = hash_rows(rows) if rows else None
    if digest:
        sqlite.execute(
            "INSERT OR REPLACE INTO seal VALUES (?, ?, ?, ?)", (table.table, key, position, digest)
        )
    else:
        sqlite.execute(
            "DELETE FROM seal WHERE part = ? AND key = ? AND place = ?",
            (table.table, key, position),
        )
    return table.table, key, position, digest


def is_checksum_stored(sqlite: sqlite3.Connection, checksum: GroupChecksum) -> bool:
    """Return whether the file stores the hash in `checksum`.

    If the hash is None, return whether the file stores no hash for the group.
    """
    *group, digest = checksum
    row = sqlite.execute(
        "SELECT digest FROM seal WHERE part = ? AND key = ? AND place = ?", group
    ).fetchone()
    return (row[0] if row else None) == digest


def recompute_checksums(sqlite: sqlite3.Connection) -> None:
    """Recompute all checksums of a file; called after a migration."""
    sqlite.execute("DELETE FROM seal")
    for table in CHECKSUMMED_TABLES:
        for group in sqlite.execute(groups_query(table)).fetchall():
            _update_checksum(sqlite, table, *group)


def groups_query(table: ChecksummedTable) -> str:
    """Return a query that yields the key and the position of each group of a table."""
    return f"SELECT DISTINCT {table.key}, {table.position} FROM {table.table}"


def rows_query(table: ChecksummedTable, key: Any, position: int) -> tuple[str, tuple[Any, ...]]:
    """Return a query for the rows of a group, and the parameters of the query."""
    values = (key, position) if "?2" in table.rows else (key,)
    return f"SELECT * FROM {table.table} WHERE {table.rows} ORDER BY {table.order}", values
