"""Changes to project files that bypass irjudge, as another program would make them."""

import sqlite3
from pathlib import Path

from irjudge.store.connection import Connection

LOG_TRIGGERS = ("event_stays", "event_remains")


def change(path: Path, *statements: str) -> None:
    """Run statements in a file that irjudge does not have open; restore the triggers afterwards."""
    database = sqlite3.connect(path)
    locks = [
        row[0]
        for name in LOG_TRIGGERS
        for row in database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,))
    ]
    with database:
        for statement in (
            "PRAGMA foreign_keys = OFF",
            *(f"DROP TRIGGER IF EXISTS {name}" for name in LOG_TRIGGERS),
            *statements,
        ):
            database.execute(statement)
        for lock in (
            locks
            if database.execute(
                "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'event' AND rootpage > 0"
            ).fetchone()
            else ()
        ):
            database.execute(lock)
    database.close()


def edit(path: Path, *statements: str) -> None:
    """Run statements through irjudge, which updates the hashes, for edits that have no command."""
    connection = Connection(path)
    try:
        with connection.transaction():
            for statement in statements:
                connection.execute(statement)
    finally:
        connection.close()
