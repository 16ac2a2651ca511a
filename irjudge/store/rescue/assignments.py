"""Saves what a damaged project knows about its assignments, row by row."""

from typing import Any

from irjudge.errors import ProjectError
from irjudge.model.event import decode
from irjudge.store.balance import BalancePart, RescueReport, insert
from irjudge.store.connection import Connection
from irjudge.store.rescue.columns import reads_as_json
from irjudge.store.rescue.remains import highest_row, rows_of

# Table, columns, which of them is the row number (None where it is none of them), and which are JSON.
TABLES: tuple[tuple[str, tuple[str, ...], str | None, tuple[str, ...]], ...] = (
    (
        "assignment",
        ("id", "assessor", "mode", "pool", "deadline", "file", "round", "made", "withdrawn"),
        "code",
        (),
    ),
    ("assignment_item", ("assignment", "place", "topic", "type", "lists", "sides"), None, ("lists", "sides")),
    ("assignment_round", ("seed", "wishes", "made"), "number", ("wishes",)),
    ("assignment_secret", ("assignment", "place", "role", "left_run", "right_run"), None, ()),
    ("assessor", ("name", "email", "set_aside"), "code", ()),
    ("session", ("id", "round", "state", "terms", "made"), "code", ("terms",)),
    ("participant", ("id", "session", "assignment", "name", "token", "joined"), "code", ()),
    ("session_place", ("assignment", "place", "state"), None, ()),
    ("returned_file", ("time", "file", "digest", "assignment", "assessor", "balance"), "code", ("balance",)),
)
EVENT_COLUMNS = ("digest", "assessor", "parent", "body")


def rescue_assignments(source: Connection, target: Connection, report: RescueReport) -> None:
    """Copy what can be read; an item of an assignment that is lost is lost with it, and so is an event that does not fit its hash."""
    part = report.parts["assignments"]
    for table, columns, key, texts in TABLES:
        names = (key, *columns) if key else columns
        statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        known = {row[0] for row in target.all("SELECT code FROM assignment")}
        for number, row in rows_of(source, table, columns, highest_row(source, table)):
            if row is None or not _sound(row, columns, texts, known):
                part.lost += 1
            else:
                insert(target, part, statement, (number, *row) if key else row)
    _rescue_waiting(source, target, part)


def _sound(row: tuple[Any, ...], columns: tuple[str, ...], texts: tuple[str, ...], assignments: set[int]) -> bool:
    return (columns[0] != "assignment" or row[0] in assignments) and all(reads_as_json(row[columns.index(name)]) for name in texts)


def _rescue_waiting(source: Connection, target: Connection, part: BalancePart) -> None:
    statement = f"INSERT INTO waiting_event ({', '.join(EVENT_COLUMNS)}) VALUES (?, ?, ?, ?)"
    for _, row in rows_of(source, "waiting_event", EVENT_COLUMNS, highest_row(source, "waiting_event")):
        try:
            event = decode(row[3]) if row else None
        except (ProjectError, TypeError):
            event = None
        if row is None or event is None or bytes.fromhex(event.digest) != row[0]:
            part.lost += 1
        else:
            insert(target, part, statement, row)
