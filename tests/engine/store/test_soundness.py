"""Tests that opening an intact project loads no rescue code, and that damage is detected."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from irjudge.errors import ProjectDamaged, ProjectError
from irjudge.judging import Session
from irjudge.model import make_qrels, make_run
from irjudge.store import open_project, rescue_file
from tests.outside_edits import change

DESCRIPTION = b"about one"
UNUSUAL_ID = "doc-unusual"
FOR_DAMAGE = ("rescue_project", "damaged_file", "verify")
OPEN = """
import sys
from pathlib import Path
from irjudge.errors import ProjectError
from irjudge.store import open_project
for writing in (True, False):
    try:
        open_project(Path(sys.argv[1]), writing=writing).close()
    except ProjectError as error:
        print(type(error).__name__)
print(*(name for name in sys.modules if name.startswith("irjudge.store.")))
"""


def run_open(path: Path) -> list[str]:
    """Return the output of a new process that opens a project: errors and loaded modules."""
    command = [sys.executable, "-c", OPEN, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.fixture
def judged_project(project_file: Path) -> Path:
    with open_project(project_file) as project:
        session = Session(project)
        for grade in range(4):
            session.grade(session.advance(), grade)
    return project_file


@pytest.mark.slow
def test_an_intact_project_is_opened_without_loading_rescue_code(
    judged_project: Path,
) -> None:
    loaded = run_open(judged_project)
    assert "irjudge.store.soundness" in loaded
    assert not {f"irjudge.store.{name}" for name in FOR_DAMAGE} & {*loaded}


@pytest.mark.slow
@pytest.mark.parametrize("offset", [DESCRIPTION, b'"value":1', b"SQLite format 3"])
def test_rescue_code_is_loaded_for_a_damaged_project(judged_project: Path, offset: bytes) -> None:
    content = judged_project.read_bytes()
    assert offset in content
    judged_project.write_bytes(content.replace(offset, offset[:-1] + b"#", 1))
    error, *loaded = run_open(judged_project)
    assert error == "ProjectDamaged"
    assert "irjudge.store.rescue_project" in loaded


@pytest.mark.parametrize("writing", [True, False])
def test_an_intact_project_is_opened_without_calling_rescue_code(
    judged_project: Path, writing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise AssertionError

    for name in (
        "rescue_project.to_damage",
        "rescue_project.open_rescued_project",
        "rescue_project.rescue_into",
        "damaged_file.has_damaged_header",
        "damaged_file.detect_page_size",
        "verify.verify",
        "verify.verify_events",
    ):
        monkeypatch.setattr(f"irjudge.store.{name}", fail)
    with open_project(judged_project, writing=writing) as project:
        assert project.events.count() == 4
    judged_project.write_bytes(
        judged_project.read_bytes().replace(DESCRIPTION, DESCRIPTION[:-1] + b"#")
    )
    with pytest.raises(AssertionError):
        open_project(judged_project, writing=writing)


def test_a_damaged_project_is_refused_for_writing(judged_project: Path) -> None:
    judged_project.write_bytes(
        judged_project.read_bytes().replace(DESCRIPTION, DESCRIPTION[:-1] + b"#")
    )
    with pytest.raises(ProjectDamaged) as error:
        open_project(judged_project)
    assert "051" in str(error.value.values["error"])


@pytest.mark.parametrize("character", ["00", "78"])
def test_a_huge_setting_is_damage_and_is_not_read(
    judged_project: Path, monkeypatch: pytest.MonkeyPatch, character: str
) -> None:
    for module in ("soundness", "connection", "rescue_project"):
        monkeypatch.setattr(f"irjudge.store.{module}.MAX_READ_SETTING_BYTES", 2000)
    with open_project(judged_project, writing=False) as project:
        assert project.damage is None
    value = f"CAST(x'{character * 2001}' AS TEXT)"
    change(judged_project, f"UPDATE fact SET value = {value} WHERE name = 'title'")
    with pytest.raises(ProjectDamaged) as error:
        open_project(judged_project)
    assert error.value.values["name"] == "title"
    with open_project(judged_project, writing=False) as project:
        assert project.damage is not None
        assert project.title == judged_project.stem
        assert project.events.count() == 4
    change(judged_project, f"INSERT INTO fact VALUES ('kept evaluation 1', {value})")
    report = rescue_file(judged_project, judged_project.with_name("rescued.irjudge"))
    assert report.parts["facts"].lost_count == 2  # the title and the evaluation


def test_a_setting_that_could_not_be_read_is_not_written(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge.store.connection.MAX_SETTING_BYTES", 1000)
    with open_project(project_file) as project:
        project.set_setting("note", "ä" * 500)
        with pytest.raises(ProjectError) as error:
            project.set_setting("note", "ä" * 501)
        assert error.value.key == "large-setting"
        assert project.get_setting("note") == "ä" * 500


@pytest.fixture
def large_project(project_file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project of which only the head is checked when it is opened."""
    run = make_run("unusual", [("051", UNUSUAL_ID, 2.0), ("051", "d1", 1.0)])
    qrels = make_qrels([("051", UNUSUAL_ID, 2), ("051", "d1", 1)])
    with open_project(project_file) as project:
        project.rankings.add_run(run)
        project.rankings.add_qrels("nist", qrels)
    monkeypatch.setattr("irjudge.store.soundness.MAX_CHECKED_BYTES", 0)
    return project_file


@pytest.mark.parametrize("table", ["run", "qrels", "pool"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table}_topic SET document = zeroblob(length(document))",
        "DELETE FROM {table}_topic WHERE place = 0",
        "UPDATE {table}_topic SET place = 7 WHERE place = 0",
        "DELETE FROM seal WHERE part = '{table}_topic'",
    ],
)
def test_changed_rows_of_a_large_project_are_not_read(
    large_project: Path, table: str, statement: str
) -> None:
    change(large_project, statement.format(table=table))
    with open_project(large_project, writing=False) as project:
        rankings = project.rankings
        read = {
            "run": lambda: rankings.run("unusual"),
            "qrels": lambda: rankings.qrels("nist"),
            "pool": rankings.pool,
        }
        with pytest.raises(ProjectDamaged) as error:
            read.pop(table)()
        assert error.value.key == "damaged-rows"
        for read_other in read.values():
            read_other()


@pytest.mark.parametrize("change_byte", [1, 0x20])
def test_a_changed_document_id_of_a_large_project_is_not_read(
    large_project: Path, change_byte: int
) -> None:
    content = large_project.read_bytes()
    offsets = [match.start() for match in re.finditer(UNUSUAL_ID.encode(), content)]
    assert len(offsets) == 2  # the table and its index
    for offset in offsets:
        changed = bytearray(content)
        changed[offset] ^= change_byte
        large_project.write_bytes(changed)
        with (
            open_project(large_project, writing=False) as project,
            pytest.raises(ProjectDamaged) as error,
        ):
            project.rankings.run("unusual")
        assert error.value.key == "changed-id"


def test_a_document_id_that_became_a_byte_string_is_not_read(large_project: Path) -> None:
    content = large_project.read_bytes()
    # header of the row: its size, and the types of code, id (13 + 2 * 11: text) and digest
    row = b"\x04\x00\x23\x00" + UNUSUAL_ID.encode()
    assert content.count(row) == 1
    large_project.write_bytes(content.replace(row, row.replace(b"\x23", b"\x22")))
    with (
        open_project(large_project, writing=False) as project,
        pytest.raises(ProjectDamaged) as error,
    ):
        project.rankings.run("unusual")
    assert error.value.key == "changed-id"


def test_rows_are_read_in_the_transaction_that_writes_them(large_project: Path) -> None:
    with open_project(large_project) as project:
        with project.transaction():
            project.rankings.add_run(make_run("dense", [("051", "d1", 1.0)]))
            assert project.rankings.run("dense").document.to_pylist() == ["d1"]
        assert project.rankings.run("dense").document.to_pylist() == ["d1"]
