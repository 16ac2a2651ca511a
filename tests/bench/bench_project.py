"""Opening a large project, and committing one judgment, compared with plain SQLite."""

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from irjudge.model import Document, Event, Item, Scale
from irjudge.store import Project, create_project, open_project

DOCUMENTS, BODY = 100_000, b"A sentence of a document that is long enough to be one. " * 20
OPENINGS, APPENDS = 30, 300


@pytest.fixture(scope="session")
def large(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("project") / "large.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_documents(
            Document(f"d{index:06}", BODY + str(index).encode(), f"Title {index}")
            for index in range(DOCUMENTS)
        )
    return path


def open_and_count(path: Path) -> None:
    with open_project(path) as project:
        assert project.collection.document_count() == DOCUMENTS


def plain_open_and_count(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute(
            "SELECT count(*) FROM document WHERE digest IS NOT NULL"
        ).fetchone() == (DOCUMENTS,)


def test_opening_a_project_is_almost_as_fast_as_sqlite(bench, large):
    open_and_count(large)
    ours = bench.time_calls(lambda: open_and_count(large), OPENINGS)
    plain = bench.time_calls(lambda: plain_open_and_count(large), OPENINGS)
    title = f"Open a project of {DOCUMENTS:,} documents ({large.stat().st_size / 1e6:.0f} MB) and count them"
    bench.show(
        title,
        ["", "milliseconds", "ratio"],
        [("irjudge", 1000 * ours, 1.0), ("plain sqlite3", 1000 * plain, plain / ours)],
    )


def make_appender(project: Project):
    """Return a function that appends another judgment to a chain."""
    numbers, head = count(), [project.events.head("owner")]

    def append() -> None:
        position = next(numbers)
        item = Item("1", (f"d{position:06}",), ("0" * 64,))
        event = Event(
            "owner",
            "grade",
            item,
            "2024-01-01T00:00:00.000Z",
            {"value": position % 4, "active_ms": position},
            None,
            head[0],
        )
        project.events.append(event)
        head[0] = event.digest

    return append


def make_plain_appender(connection: sqlite3.Connection, body: bytes):
    """Return a function that commits a row of the size of an event."""
    numbers = count()

    def append() -> None:
        key = next(numbers).to_bytes(32, "big")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO event (digest, assessor, parent, body) VALUES (?, ?, ?, ?)",
            (key, "owner", key, body),
        )
        connection.execute("COMMIT")

    return append


def test_a_durable_judgment_is_almost_as_fast_as_a_commit(bench, large, tmp_path):
    with open_project(large) as project:
        ours = bench.time_calls(make_appender(project), APPENDS)
        body = next(project.events.read()).canonical_bytes
    with closing(sqlite3.connect(tmp_path / "plain.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute(
            "CREATE TABLE event (sequence INTEGER PRIMARY KEY, digest BLOB UNIQUE, assessor TEXT, parent BLOB, body BLOB)"
        )
        plain = bench.time_calls(make_plain_appender(connection, body), APPENDS)
    rows = [("irjudge", 1000 * ours, 1.0), ("plain sqlite3", 1000 * plain, plain / ours)]
    bench.show("Write one judgment to the disk", ["", "milliseconds", "ratio"], rows)
