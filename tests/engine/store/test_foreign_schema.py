"""A project whose tables are not those irjudge makes: nothing in it runs, one sentence says so, and its data can be rescued."""

import sqlite3
import time
from pathlib import Path

import pytest

from irjudge.errors import ProjectDamaged
from irjudge.judging.session import Session
from irjudge.store.project import open_project, rescue

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
FOREIGN = {
    "a trigger that drops events": (
        ["CREATE TRIGGER lose BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END"],
        "it holds another trigger, called lose",
    ),
    "a trigger of ours that does something else": (
        [
            "DROP TRIGGER event_stays",
            "CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN DELETE FROM topic; END",
        ],
        "its tables are other ones",
    ),
    "no guard": (["DROP TRIGGER event_remains"], "it has no trigger event_remains"),
    "an endless view": (
        [
            "ALTER TABLE topic RENAME TO other",
            f"CREATE VIEW topic AS {ENDLESS} SELECT i code, 'x' id, '' title, '' description, '' narrative FROM n",
        ],
        "it holds another table, called other",
    ),
    "an endless view beside": (
        [f"CREATE VIEW mine AS {ENDLESS} SELECT i FROM n"],
        "it holds a view or virtual table",
    ),
    "a virtual table": (
        ["DROP TABLE assessor", "CREATE VIRTUAL TABLE assessor USING fts5(name, email, set_aside)"],
        "view or virtual table",
    ),
    "a computed column": (
        [
            "DROP TABLE fact",
            "CREATE TABLE fact (name TEXT, value TEXT AS (zeroblob(900000000)))",
            "INSERT INTO fact VALUES ('title')",
        ],
        "its table fact has other columns",
    ),
    "a check": (
        [
            "DROP TABLE assessor",
            "CREATE TABLE assessor (code INTEGER PRIMARY KEY, name TEXT, email TEXT, set_aside TEXT CHECK (length(zeroblob(900000000))))",
        ],
        "its table assessor has other columns",
    ),
    "an index more": (
        ["CREATE INDEX mine ON topic (length(zeroblob(code * 100000000)))"],
        "it holds another index, called mine",
    ),
    "a table more": (["CREATE TABLE mine (a)"], "it holds another table, called mine"),
    "a table less": (["DROP TABLE pool"], "it has no table pool"),
}


@pytest.fixture
def judged(project_file: Path) -> Path:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.advance(), 3)
    return project_file


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_with_other_tables_is_not_judged_in_and_its_judgments_can_be_rescued(
    judged: Path, name: str
) -> None:
    statements, sentence = FOREIGN[name]
    database = sqlite3.connect(judged)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000_000)
    with database:
        for statement in statements:
            database.execute(statement)
    database.close()
    before, begun = judged.read_bytes(), time.monotonic()
    with pytest.raises(
        ProjectDamaged,
        match=rf"small\.irjudge is not as irjudge writes it: .*{sentence}\. Nothing in it was run\.",
    ):
        open_project(judged)
    with open_project(judged, writing=False) as project:
        assert project.damage is not None
        assert [event.payload["value"] for event in project.events.read()] == [3]
    rescue(judged, judged.with_name("again.irjudge"))
    with open_project(judged.with_name("again.irjudge")) as project:
        assert [event.payload["value"] for event in project.events.read()] == [3]
        assert project.verify().faults == ()
    assert judged.read_bytes() == before and time.monotonic() - begun < 20


def test_nothing_in_a_schema_is_trusted_and_values_are_limited(judged: Path) -> None:
    for writing in (True, False):
        with open_project(judged, writing=writing) as project:
            assert project._db.one("PRAGMA trusted_schema") == (0,)
            assert project._db.one("PRAGMA cell_size_check") == (1,)
            assert project._db._sqlite.getlimit(sqlite3.SQLITE_LIMIT_LENGTH) < 1_000_000_000
