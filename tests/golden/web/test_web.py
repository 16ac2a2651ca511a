"""Tests that results of each released format (NAME.zip) merge as they did then (NAME.json)."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from irjudge.exchange import merge_files
from irjudge.model import EVENT_KINDS
from irjudge.store import open_project
from irjudge.web.task import FORMAT_VERSION, make_task

HERE = Path(__file__).parent


@pytest.fixture(params=sorted(each.stem for each in HERE.glob("*.zip")))
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(form: str, tmp_path: Path) -> Path:
    """Return a folder with the files of the release."""
    shutil.unpack_archive(HERE / f"{form}.zip", tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture
def expected(form: str) -> dict[str, Any]:
    """Return the values that the release computed from its files."""
    found: dict[str, Any] = json.loads((HERE / f"{form}.json").read_text(encoding="utf-8"))
    return found


def test_the_newest_form_is_among_them() -> None:
    assert (HERE / f"form-{FORMAT_VERSION}.zip").is_file()


@pytest.mark.parametrize("turn", [1, -1])
def test_its_results_make_the_same_events_byte_by_byte(
    folder: Path, expected: dict[str, Any], turn: int
) -> None:
    with open_project(folder / "class.irjudge") as project:
        merged = merge_files(project, sorted(folder.glob("*.result.json"))[::turn])
        assert sorted(event.canonical_bytes.decode() for event in project.events.read()) == sorted(
            expected["events"]
        )
        assert project.verify().problems == () and not merged.waiting
    if turn == 1:
        found = {
            each.file: [
                each.read,
                each.new,
                each.identical,
                each.superseded,
                each.waiting,
                each.rejected,
            ]
            for each in merged.reports
        }
        assert found == expected["balances"]


def test_every_kind_of_action_is_among_them(expected: dict[str, Any]) -> None:
    found = Counter(json.loads(event)["kind"] for event in expected["events"])
    assert found.keys() == set(EVENT_KINDS) - {"adjudicate"}


def test_its_project_hands_out_what_a_result_of_it_can_speak_of(folder: Path) -> None:
    for path in sorted(folder.glob("*.task.json")):
        task = json.loads(path.read_text(encoding="utf-8"))
        with open_project(folder / "class.irjudge", writing=False) as project:
            assignment = next(
                each for each in project.assignments.all() if each.id == task["assignment"]
            )
            today = make_task(project, assignment, project.assignments.items(assignment.code))
        assert [item["about"] for item in today["items"]] == [
            item["about"] for item in task["items"]
        ]
        assert today["origin"] == task["origin"] and today["scale"] == task["scale"]
