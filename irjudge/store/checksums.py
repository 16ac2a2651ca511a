"""Checksums of the tables of a project file, except the tables of events and texts."""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from irjudge.message import Message

MAX_INLINE_BYTES = (
    # maximum length of a BLOB that is hashed with its row; a longer BLOB is replaced with its hash
    64
)


@dataclass(frozen=True, slots=True)
class ChecksummedTable:
    """Declaration of a table that has a checksum for each group of rows.

    A group is identified by a key and a position. In some tables, each row is a group."""

    table: str
    group_name: str  # description of the content of a group, at the beginning of messages
    # SQL expressions for the key and the position of a row's group
    key: str = "code"
    position: str = "0"
    rows: str = "code = ?1"  # SQL condition that selects the rows of a group
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
