"""Checksums of those tables of a project file that hold neither events nor texts."""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from irjudge.message import Message

MAX_INLINE_BYTES = (
    64  # bytes; a longer value is hashed separately, and its hash is part of the row's hash
)


@dataclass(frozen=True, slots=True)
class ChecksummedTable:
    """Table whose rows are hashed singly or in groups."""

    table: str
    # `what`, `label`: what messages call a group, and the expression in SQL for its name
    what: str
    # SQL expressions that identify the group of a row
    key: str = "code"
    place: str = "0"
    rows: str = "code = ?1"  # condition that selects the rows of the group (?1, ?2)
    order: str = "code"  # columns that order the rows of a group
    label: str = "code"
    wide: bool = False  # whether rows are large, so that they are read group by group


def _per_topic_table(table: str, owner: str, what: str, name: str) -> ChecksummedTable:
    label = f"{name} || ', topic ' || topic"
    return ChecksummedTable(
        table, what, owner, "place", f"{owner} = ?1 AND place = ?2", "place", label, wide=True
    )


def _per_assignment_table(table: str, what: str) -> ChecksummedTable:
    label = "(SELECT assessor FROM assignment WHERE code = assignment)"
    return ChecksummedTable(
        table, what, "assignment", rows="assignment = ?1", order="place", label=label
    )


def _per_block_table(table: str, what: str, code: str, label: str) -> ChecksummedTable:
    """Return a table hashed in blocks of 1,024 rows, since one hash per row would be larger than
    the rows.
    """
    return ChecksummedTable(
        table,
        what,
        f"{code} / 1024",
        rows=f"{code} BETWEEN ?1 * 1024 AND ?1 * 1024 + 1023",
        order=code,
        label=label,
        wide=True,
    )


RUN_NAME = "(SELECT name FROM run WHERE code = run)"
CHECKSUMMED_TABLES = (
    ChecksummedTable("fact", "Setting", "name", rows="name = ?1", order="name", label="name"),
    ChecksummedTable("topic", "Topic", label="id"),
    _per_block_table(
        "document", Message("The block of the document list starting at"), "code", "id"
    ),
    _per_block_table(
        "document_fields",
        Message("The block of document fields starting at"),
        "document",
        "document",
    ),
    ChecksummedTable("run", "Run", label="name"),
    ChecksummedTable(
        "run_metadata",
        Message("Metadata in the run file"),
        "run",
        rows="run = ?1",
        order="run",
        label=RUN_NAME,
    ),
    _per_topic_table("run_topic", "run", "Run", RUN_NAME),
    ChecksummedTable("qrels", "Qrels", label="name"),
    _per_topic_table(
        "qrels_topic", "qrels", "Qrels", "(SELECT name FROM qrels WHERE code = qrels)"
    ),
    ChecksummedTable(
        "pool", "Pool", "version", rows="version = ?1", order="version", label="version"
    ),
    _per_topic_table("pool_topic", "pool", "Pool", "pool"),
    ChecksummedTable("assignment", Message("The assignment of"), label="assessor"),
    _per_assignment_table("assignment_item", Message("The items assigned to")),
    ChecksummedTable(
        "assignment_round", "Round", "number", rows="number = ?1", order="number", label="number"
    ),
    _per_assignment_table(
        "assignment_secret", Message("The organiser's data about the assignment of")
    ),
    ChecksummedTable("assessor", "Assessor", label="name"),
    ChecksummedTable("returned_file", Message("Returned file"), label="file"),
    ChecksummedTable("session", "Session", label="made"),
    ChecksummedTable("participant", "Participant", label="id"),
    _per_assignment_table("session_place", Message("Late or lost judgments of the assignment of")),
    _per_block_table(
        "waiting_event",
        Message("The block of waiting events starting at number"),
        "sequence",
        "sequence",
    ),
)
CONTENT_ADDRESSED_TABLES = ("event", "content")
TABLES_BY_NAME = {sealed.table: sealed for sealed in CHECKSUMMED_TABLES}
READ_ONLY_PREFIXES = ("SELECT ", "BEGIN IMMEDIATE", "COMMIT", "PRAGMA ", "VACUUM")
SINGLE_TABLE_WRITE = re.compile(
    rf"(?:INSERT INTO|UPDATE) ({'|'.join((*TABLES_BY_NAME, *CONTENT_ADDRESSED_TABLES))}) "
)
RowGroup = tuple[Any, int]
GroupChecksum = tuple[
    str, Any, int, bytes | None
]  # table, group, hash; None if the group has no rows


def hash_rows(rows: Sequence[Sequence[Any]]) -> bytes:
    """Return the SHA-256 of rows of texts, bytes, numbers and None, in an unambiguous ASCII
    encoding.
    """
    long = [
        tuple([type(value) is bytes and len(value) > MAX_INLINE_BYTES for value in row])
        for row in rows
    ]
    short = [
        tuple(
            sha256(value).hexdigest() if hashed else value
            for value, hashed in zip(row, hashed_flags, strict=True)
        )
        if any(hashed_flags)
        else tuple(row)
        for row, hashed_flags in zip(rows, long, strict=True)
    ]
    return sha256(ascii((short, long)).encode()).digest()


# Updating checksums


def track_changes(sqlite: sqlite3.Connection, table: str) -> None:
    """Record which groups of a table a connection changes."""
    columns = "part TEXT, key ANY, place INTEGER, PRIMARY KEY (part, key, place)"
    sqlite.execute(f"CREATE TEMP TABLE IF NOT EXISTS touched ({columns}) STRICT, WITHOUT ROWID")
    for action, rows in (("INSERT", ("new",)), ("UPDATE", ("old", "new")), ("DELETE", ("old",))):
        notes = "".join(_tracking_statement(TABLES_BY_NAME[table], row) for row in rows)
        sqlite.execute(
            f"CREATE TEMP TRIGGER IF NOT EXISTS {table}_{action} AFTER {action} ON main.{table} BEGIN {notes} END"
        )


def _tracking_statement(sealed: ChecksummedTable, row: str) -> str:
    key, position = f"{row}.{sealed.key}", f"{row}.{sealed.place}" if sealed.place != "0" else "0"
    return f"INSERT INTO touched VALUES ('{sealed.table}', {key}, {position}) ON CONFLICT DO NOTHING;"  # a trigger would override OR IGNORE


@cache
def find_written_tables(statement: str) -> frozenset[str]:
    """Return the checksummed tables that a statement may change; all tables if this is unclear.

    Deleting or replacing a row also deletes rows that reference it.
    """
    if statement.startswith(READ_ONLY_PREFIXES):
        return frozenset()
    one = SINGLE_TABLE_WRITE.match(statement)
    return (
        frozenset(TABLES_BY_NAME).intersection(one.groups()) if one else frozenset(TABLES_BY_NAME)
    )


def update_checksums(sqlite: sqlite3.Connection) -> list[GroupChecksum]:
    """Recompute the hashes of the groups changed in this transaction and return them."""
    touched = sqlite.execute("SELECT part, key, place FROM touched").fetchall()
    seals = [_update_checksum(sqlite, TABLES_BY_NAME[part], *group) for part, *group in touched]
    if touched:
        sqlite.execute("DELETE FROM touched")
    return seals


def _update_checksum(
    sqlite: sqlite3.Connection, sealed: ChecksummedTable, key: Any, position: int
) -> GroupChecksum:
    rows = sqlite.execute(*rows_query(sealed, key, position)).fetchall()
    digest = hash_rows(rows) if rows else None
    if digest:
        sqlite.execute(
            "INSERT OR REPLACE INTO seal VALUES (?, ?, ?, ?)", (sealed.table, key, position, digest)
        )
    else:
        sqlite.execute(
            "DELETE FROM seal WHERE part = ? AND key = ? AND place = ?",
            (sealed.table, key, position),
        )
    return sealed.table, key, position, digest


def is_checksum_stored(sqlite: sqlite3.Connection, seal: GroupChecksum) -> bool:
    """Return whether the file stores this hash for the group, or no hash if none is expected."""
    *group, digest = seal
    row = sqlite.execute(
        "SELECT digest FROM seal WHERE part = ? AND key = ? AND place = ?", group
    ).fetchone()
    return (row[0] if row else None) == digest


def recompute_checksums(sqlite: sqlite3.Connection) -> None:
    """Recompute all checksums of a file, after a migration."""
    sqlite.execute("DELETE FROM seal")
    for sealed in CHECKSUMMED_TABLES:
        for group in sqlite.execute(groups_query(sealed)).fetchall():
            _update_checksum(sqlite, sealed, *group)


def groups_query(sealed: ChecksummedTable) -> str:
    """Return the query for the names of all groups of a table."""
    return f"SELECT DISTINCT {sealed.key}, {sealed.place} FROM {sealed.table}"


def rows_query(sealed: ChecksummedTable, key: Any, position: int) -> tuple[str, tuple[Any, ...]]:
    """Return the query for the rows of a group, and its parameters."""
    values = (key, position) if "?2" in sealed.rows else (key,)
    return f"SELECT * FROM {sealed.table} WHERE {sealed.rows} ORDER BY {sealed.order}", values
