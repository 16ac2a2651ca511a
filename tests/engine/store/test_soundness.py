"""Tests that opening an intact project loads no rescue code, and that damage is detected."""

import subprocess
import sys
from pathlib import Path

import pytest

from irjudge.errors import ProjectDamaged
from irjudge.judging import Session
from irjudge.store import open_project

DESCRIPTION = b"about one"
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
