"""Tests of projects with foreign tables: nothing is executed, and the data can be rescued."""

import sqlite3
import time
from pathlib import Path

import pytest

from irjudge.errors import ProjectDamaged
from irjudge.judging import Session
from irjudge.store import open_project, rescue_file

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
FOREIGN = {
    "a trigger that drops events": (
        ["CREATE TRIGGER lose BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END"],
        "foreign-object",
        "lose",
    ),
    "a trigger of ours that does something else": (
        [
            "DROP TRIGGER event_stays",
            "CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN DELETE FROM topic; END",
        ],
        "other-tables",
        None,
    ),
    "no guard": (["DROP TRIGGER event_remains"], "missing-object", "event_remains"),
    "an endless view": (
        [
            "ALTER TABLE topic RENAME TO other",
            f"CREATE VIEW topic AS {ENDLESS} SELECT i code, 'x' id, '' title, '' description, '' narrative FROM n",
        ],
        "foreign-object",
        "other",
    ),
    "an endless view beside": (
        [f"CREATE VIEW mine AS {ENDLESS} SELECT i FROM n"],
        "view",
        None,
    ),
    "a virtual table": (
        ["DROP TABLE assessor", "CREATE VIRTUAL TABLE assessor USING fts5(name, email, set_aside)"],
        "view",
        None,
    ),
    "a computed column": (
        [
            "DROP TABLE fact",
            "CREATE TABLE fact (name TEXT, value TEXT AS (zeroblob(900000000)))",
            "INSERT INTO fact VALUES ('title')",
        ],
        "other-columns",
        "fact",
    ),
    "a check": (
        [
            "DROP TABLE assessor",
            "CREATE TABLE assessor (code INTEGER PRIMARY KEY, name TEXT, email TEXT, set_aside TEXT CHECK (length(zeroblob(900000000))))",
        ],
        "other-columns",
        "assessor",
    ),
    "an index more": (
        ["CREATE INDEX mine ON topic (length(zeroblob(code * 100000000)))"],
        "foreign-object",
        "mine",
    ),
    "a table more": (["CREATE TABLE mine (a)"], "foreign-object", "mine"),
    "a table less": (["DROP TABLE pool"], "missing-object", "pool"),
}


@pytest.fixture
def judged_project(project_file: Path) -> Path:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.advance(), 3)
    return project_file


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_tables_prevent_judging_but_not_rescue(judged_project: Path, name: str) -> None:
    statements, key, other = FOREIGN[name]
    database = sqlite3.connect(judged_project)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000_000)
    with database:
        for statement in statements:
            database.execute(statement)
    database.close()
    before, begun = judged_project.read_bytes(), time.monotonic()
    with pytest.raises(ProjectDamaged) as error:
        open_project(judged_project)
    values = error.value.values
    assert (values["project"], values["problem"].key) == ("small.irjudge", key)
    assert values.get("name") == other
    with open_project(judged_project, writing=False) as project:
        assert project.damage is not None
        assert [event.payload["value"] for event in project.events.read()] == [3]
    rescue_file(judged_project, judged_project.with_name("again.irjudge"))
    with open_project(judged_project.with_name("again.irjudge")) as project:
        assert [event.payload["value"] for event in project.events.read()] == [3]
        assert project.verify().problems == ()
    assert judged_project.read_bytes() == before and time.monotonic() - begun < 20


def test_nothing_in_a_schema_is_trusted_and_values_are_limited(judged_project: Path) -> None:
    for writing in (True, False):
        with open_project(judged_project, writing=writing) as project:
            assert project._db.fetch_one("PRAGMA trusted_schema") == (0,)
            assert project._db.fetch_one("PRAGMA cell_size_check") == (1,)
            assert project._db._sqlite.getlimit(sqlite3.SQLITE_LIMIT_LENGTH) < 1_000_000_000
