"""Tests of fields of documents: stored with the text, and displayed as the project chooses."""

import sqlite3
from pathlib import Path

import pytest

from irjudge.errors import ProjectDamaged, ProjectError
from irjudge.model import Document, Scale
from irjudge.store import (
    Project,
    create_project,
    open_project,
    rescue_file,
    set_shown_fields,
    shown_field_names,
    shown_fields_of,
    shown_picture,
)
from irjudge.store.lock_and_journals import APPLICATION_ID
from irjudge.store.schema import SCHEMAS
from tests.engine.formats.collections.test_whole_files import PNG

FIELDS = (
    ("price", "12"),
    ("score", "0.9"),
    ("brand", "Nordwind"),
    ("page_url", "https://a.b"),
    ("img", "a.png"),
)
SHOE = Document("B1", b"text", "Red shoe", fields=FIELDS, pictured="img", picture=PNG)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")) as project:
        project.collection.add_documents(
            [SHOE, Document("B2", b"text", "Red shoe", fields=(("price", "15"),))]
        )
    return tmp_path / "p.irjudge"


def documents(project: Project) -> list[Document]:
    return list(project.collection.documents())


def test_fields_are_returned_by_every_reader_of_documents(path: Path) -> None:
    with open_project(path) as project:
        assert project.collection.document("B1") == SHOE
        assert project.collection.documents_by_id(["B1"]) == {"B1": SHOE}
        assert [each for _, each in project.collection.iter_coded_documents()] == documents(project)
        assert (project.collection.picture("B1"), project.collection.picture("B2")) == (PNG, None)


def test_rank_and_technical_fields_are_hidden_by_default(
    path: Path,
) -> None:
    with open_project(path) as project:
        assert shown_field_names(project) == ("price", "brand", "img")
        assert (
            shown_fields_of(project, SHOE) == (("price", "12"), ("brand", "Nordwind"))
            and shown_picture(project, SHOE) == PNG
        )
        set_shown_fields(project, ("brand", "score"))
        assert (
            shown_fields_of(project, SHOE) == (("brand", "Nordwind"), ("score", "0.9"))
            and shown_picture(project, SHOE) == b""
        )
        with pytest.raises(ProjectError, match="colour is not a field"):
            set_shown_fields(project, ("colour",))


def test_fields_of_a_known_document_are_added_once_and_never_changed(path: Path) -> None:
    plain = Document("B3", b"t")
    changed = Document("B1", b"text", "Red shoe", fields=(("price", "1"),))
    with open_project(path) as project:
        project.collection.add_documents([plain, changed])
        project.collection.add_documents(
            [
                Document("B3", b"t", fields=(("price", "3"),)),
                Document("B3", b"u", fields=(("price", "4"),)),
            ]
        )
        assert project.collection.document("B3").fields == (("price", "3"),)
        assert project.collection.document("B1").fields == FIELDS


def test_an_older_project_can_be_read_and_store_fields(path: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.irjudge"
    database = sqlite3.connect(old)
    database.executescript(SCHEMAS[5])
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.execute("PRAGMA user_version = 5")
    database.execute("ATTACH ? AS today", (str(path),))
    with database:
        for table in ("fact", "content", "document", "seal"):
            database.execute(f"INSERT INTO {table} SELECT * FROM today.{table}")
        database.execute("DELETE FROM seal WHERE part = 'document_fields'")
    database.close()
    with open_project(old, writing=False) as project:
        assert (
            project.collection.document("B1").fields == ()
            and project.collection.picture("B1") is None
        )
    with open_project(old) as project:
        project.collection.add_documents([SHOE])
        assert documents(project)[0] == SHOE and project.verify().problems == ()


def test_a_changed_field_is_detected_and_readable_fields_are_rescued(
    path: Path, tmp_path: Path
) -> None:
    database = sqlite3.connect(path)
    with database:
        database.execute("UPDATE document_fields SET fields = replace(fields, '15', '51')")
    database.close()
    with pytest.raises(ProjectDamaged) as error:
        open_project(path)
    assert " 1: " in error.value.values["error"]
    rescue_file(path, tmp_path / "new.irjudge")
    with open_project(tmp_path / "new.irjudge") as project:
        assert (
            documents(project)[0] == SHOE
            and project.collection.picture("B1") == PNG
            and project.verify().problems == ()
        )
