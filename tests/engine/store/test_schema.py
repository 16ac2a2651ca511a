"""Tests of file formats: newer files are refused, older ones migrated after a copy is made."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest

from irjudge.errors import ProjectError
from irjudge.model import make_run
from irjudge.store import connection, open_project, schema
from irjudge.store.connection import Connection
from tests import outside_edits


def change(path: Path, *statements: str) -> None:
    other = sqlite3.connect(path)
    with other:
        for statement in statements:
            other.execute(statement)
    other.close()


def set_version(
    monkeypatch: pytest.MonkeyPatch,
    version: int,
    **migrations: Callable[[sqlite3.Connection], None],
) -> None:
    monkeypatch.setattr(schema, "SCHEMA_VERSION", version)
    monkeypatch.setattr(connection, "SCHEMA_VERSION", version)
    monkeypatch.setattr(
        schema,
        "MIGRATIONS",
        {int(name.removeprefix("from")): migration for name, migration in migrations.items()},
    )


def add_colour(database: sqlite3.Connection) -> None:
    database.execute("ALTER TABLE topic ADD COLUMN colour TEXT")


def add_size(database: sqlite3.Connection) -> None:
    database.execute("ALTER TABLE topic ADD COLUMN size TEXT")
    database.execute("UPDATE topic SET size = 'large', colour = 'red'")


def test_a_newer_file_is_refused_and_unchanged(project_file: Path) -> None:
    change(project_file, "CREATE TABLE of_tomorrow (a)", "PRAGMA user_version = 8")
    before = project_file.read_bytes()
    for writing in (True, False):
        with pytest.raises(ProjectError) as error:
            open_project(project_file, writing=writing)
        assert error.value.key == "newer-form"
        assert error.value.values["version"] == "8"
        assert error.value.values["supported"] == "7"
    assert project_file.read_bytes() == before


def test_an_older_file_is_migrated_after_a_copy_is_made(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = project_file.read_bytes()
    set_version(monkeypatch, 9, from7=add_colour, from8=add_size)
    with open_project(project_file) as project:
        assert project._db.backup == project_file.with_name("small.form7.irjudge")
        assert project._db.fetch_all("SELECT DISTINCT colour, size FROM topic") == [
            ("red", "large")
        ]
        assert [topic.id for topic in project.collection.topics()] == ["051", "007"]
    with closing(sqlite3.connect(project_file)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (9,)
    assert project_file.with_name("small.form7.irjudge").read_bytes() == before
    with open_project(project_file) as project:
        assert project._db.backup is None


def test_an_earlier_copy_is_not_overwritten(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = project_file.with_name("small.form7.irjudge")
    earlier.write_text("the only copy")
    set_version(monkeypatch, 8, from7=add_colour)
    with open_project(project_file) as project:
        assert project._db.backup == project_file.with_name("small.form7-2.irjudge")
    assert earlier.read_text() == "the only copy"


def fail(database: sqlite3.Connection) -> None:
    database.execute("DELETE FROM topic")
    database.execute("SELECT * FROM a_table_that_is_not_there")


@pytest.mark.parametrize("second", [fail, lambda database: 1 / 0])
def test_a_failed_migration_leaves_the_file_unchanged(
    project_file: Path, monkeypatch: pytest.MonkeyPatch, second: Callable
) -> None:
    set_version(monkeypatch, 8, from6=add_colour, from7=second)
    with pytest.raises((ProjectError, ZeroDivisionError)):
        open_project(project_file)
    monkeypatch.undo()
    with open_project(project_file) as project:
        assert [topic.id for topic in project.collection.topics()] == ["051", "007"]
        assert project.verify().problems == ()


def test_a_failed_copy_leaves_the_file_unchanged(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(_file: BinaryIO, copy: BinaryIO) -> None:
        copy.write(b"half")
        raise OSError(28, "disk full")

    before = project_file.read_bytes()
    set_version(monkeypatch, 8, from7=add_colour)
    monkeypatch.setattr(shutil, "copyfileobj", no_space)
    with pytest.raises(ProjectError) as error:
        open_project(project_file)
    assert error.value.values["value"] == "disk full"
    assert [path.name for path in project_file.parent.iterdir()] == ["small.irjudge"]
    assert project_file.read_bytes() == before


def test_an_older_file_is_not_changed_by_reading(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_version(monkeypatch, 8, from7=add_colour)
    monkeypatch.setattr(connection, "MIN_READABLE_VERSION", 8)
    with pytest.raises(ProjectError) as error:
        open_project(project_file, writing=False)
    assert error.value.key == "older-form"
    assert error.value.values["project"] == "small.irjudge"


def test_a_file_of_format_4_gets_run_metadata_by_migration(
    project_file: Path,
) -> None:
    change(
        project_file,
        "DROP TABLE run_metadata",
        "DROP TABLE document_fields",
        "ALTER TABLE pool_topic DROP COLUMN undrawn_probability",
        "PRAGMA user_version = 4",
    )
    run_with_metadata = replace(make_run("other", [("051", "d1", 1.0)]), metadata="tag: other")
    with open_project(project_file, writing=False) as project:
        assert (
            [run.metadata for run in project.rankings.runs()]
            == [project.rankings.run("bm25").metadata]
            == [""]
        )
    with open_project(project_file) as project:
        project.rankings.add_run(run_with_metadata)
        assert [run.metadata for run in project.rankings.runs()] == ["", run_with_metadata.metadata]
        assert (
            project.rankings.run("other").metadata == run_with_metadata.metadata
            and not project.verify().problems
        )
    assert project_file.with_name("small.form4.irjudge").exists()


# Files that are not projects


def other_database(path: Path) -> None:
    change(path, "CREATE TABLE mine (a)")


NO_PROJECTS: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("1 0 d1 1\n" * 1000),
    "short": lambda path: path.write_bytes(b"SQLite format 3\0"),
    "noise": lambda path: path.write_bytes(b"SQLite format 3\0" + os.urandom(5000)),
    "other": other_database,
}


@pytest.mark.parametrize("writing", [True, False])
@pytest.mark.parametrize("name", NO_PROJECTS)
def test_files_that_are_not_projects_are_refused_and_unchanged(
    tmp_path: Path, name: str, writing: bool
) -> None:
    path = tmp_path / name
    NO_PROJECTS[name](path)
    before = path.read_bytes()
    with pytest.raises(ProjectError) as error:
        open_project(path, writing=writing)
    assert name in error.value.values.values() and {"description", "reason"} & {*error.value.values}
    assert path.read_bytes() == before


def use_all_of(path: Path) -> None:
    with open_project(path) as project:
        project.collection.topics()
        project.collection.document("d1")
        project.rankings.run("bm25")
        project.rankings.pool()
        list(project.events.read())


@pytest.mark.parametrize("share", [0.0001, 0.02, 0.2, 0.5, 0.8, 0.95])
def test_a_truncated_file_is_refused(project_file: Path, share: float) -> None:
    data = project_file.read_bytes()
    project_file.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(ProjectError, match=r"small\.irjudge"):
        use_all_of(project_file)


# Log


@pytest.mark.parametrize(
    "statement",
    ["UPDATE event SET body = x'00'", "DELETE FROM event", "UPDATE event SET assessor = 'me'"],
)
def test_the_file_itself_refuses_to_change_events(project_file: Path, statement: str) -> None:
    change(project_file, "INSERT INTO event (digest, assessor, body) VALUES (x'00', 'ann', x'01')")
    with pytest.raises(sqlite3.IntegrityError, match=r"events are never (changed|deleted)"):
        change(project_file, statement)


def test_event_numbers_are_never_reused(project_file: Path) -> None:
    change(project_file, "INSERT INTO event (digest, assessor, body) VALUES (x'00', 'ann', x'01')")
    outside_edits.change(
        project_file,
        "DELETE FROM event",
        "INSERT INTO event (digest, assessor, body) VALUES (x'02', 'ann', x'01')",
    )
    connection = Connection(project_file)
    try:
        assert connection.fetch_one("SELECT sequence FROM event") == (2,)
    finally:
        connection.close()


@pytest.mark.parametrize("writing", [True, False])
def test_a_project_mark_with_other_tables_is_reported_as_damage(
    tmp_path: Path, writing: bool
) -> None:
    path = tmp_path / "half"
    change(path, f"PRAGMA application_id = {schema.APPLICATION_ID}", "CREATE TABLE mine (a)")
    before = path.read_bytes()
    with pytest.raises(ProjectError, match=r"half is (too )?damaged"):
        open_project(path, writing=writing)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"q1 Q0 d1 1 2.5 bm25\n" * 40, "“q1 Q0 d1 1 2.5 bm25”"),
        (b"%PDF-1.7\n" + b"x" * 2000, "a PDF file"),
        (b"PK\x03\x04" + b"\0" * 2000, "archive"),
        (b"\0\x01\x02\xff" * 600, "another type"),
    ],
)
def test_the_error_names_the_type_of_another_file(
    tmp_path: Path, content: bytes, what: str
) -> None:
    path = tmp_path / "some.irjudge"
    path.write_bytes(content)
    for writing in (True, False):
        with pytest.raises(ProjectError) as error:
            open_project(path, writing=writing)
        assert error.value.key == "not-a-project"
        assert (
            error.value.values["file"] == "some.irjudge"
            and what in error.value.values["description"]
        )
