"""Tests of stored assignments: items, secrets, people, rounds and returned files, also rescued."""

from pathlib import Path

import pytest

from irjudge.errors import ProjectError
from irjudge.model import AssignedItem, Assignment, Event, Item, OrganiserNote
from irjudge.store import MergedFile, RegisteredAssessor, Round, open_project, rescue_file
from tests.outside_edits import edit

ITEMS = (
    AssignedItem("051", (("d1",),)),
    AssignedItem("051", (("d1",), ("d2",)), "pair", ("k3", "k9")),
    AssignedItem("007", (("d3", "d4"), ("d4", "文")), "panel", ("a", "b")),
)
SECRETS = (OrganiserNote("gold"), OrganiserNote(), OrganiserNote("document", "bm25", "other"))


def assignment(name: str, assessor: str = "bob") -> Assignment:
    return Assignment(
        0,
        name,
        assessor,
        "side-by-side",
        1,
        "2026-03-01",
        f"{assessor}.irtask",
        1,
        "2026-01-01T00:00:00.000Z",
    )


@pytest.fixture
def worked_project(project_file: Path) -> Path:
    with open_project(project_file) as project:
        stored = project.assignments
        stored.add_round(Round(1, 7, {"overlap": 2, "gold_from": "ä"}, "2026-01-01T00:00:00.000Z"))
        stored.add(assignment("x"), ITEMS, SECRETS)
        stored.add(assignment("y", "cleo"), ITEMS[:1])
        stored.add_people([RegisteredAssessor("bob", "b@x.org"), RegisteredAssessor("cleo")])
        stored.add_returned(
            [
                MergedFile(
                    "2026-01-02T00:00:00.000Z",
                    "a.irtask",
                    "ab",
                    "x",
                    "bob",
                    {"read": 3, "remarks": ["ö"]},
                )
            ]
        )
        waiting = Event(
            "bob",
            "grade",
            Item("051", ("d1",), ("",)),
            "2026-01-01T00:00:00.000Z",
            {"value": 1},
            None,
            "ab" * 32,
        )
        project.events.append_merged([], [waiting])
    return project_file


def read_everything(path: Path) -> tuple[object, ...]:
    with open_project(path, writing=False) as project:
        stored = project.assignments
        codes = [each.code for each in stored.all()]
        each = [(stored.items(code), stored.organiser_notes(code)) for code in codes]
        return (
            stored.all(),
            each,
            stored.registered_assessors(),
            stored.rounds(),
            stored.merged_files(),
            project.events.waiting(),
        )


def test_pairs_and_panels_are_read_back_equal(worked_project: Path) -> None:
    (_, items, *_) = read_everything(worked_project)
    assert items == [(ITEMS, SECRETS), (ITEMS[:1], (OrganiserNote(),))]
    assert ITEMS[2].documents == ("d3", "d4", "d4", "文")


def test_an_assignment_is_not_stored_twice(worked_project: Path) -> None:
    with (
        open_project(worked_project) as project,
        pytest.raises(ProjectError) as error,
    ):
        project.assignments.add(assignment("x"), ITEMS)
    assert error.value.values["id"] == "x"
    assert error.value.key == "known-assignment"


def test_a_withdrawn_assignment_stays(worked_project: Path) -> None:
    with open_project(worked_project) as project:
        project.assignments.withdraw(1)
        assert [(each.id, each.withdrawn) for each in project.assignments.all()] == [
            ("x", True),
            ("y", False),
        ]
        assert project.assignments.items(1) == ITEMS


def test_registering_an_assessor_again_keeps_known_data(worked_project: Path) -> None:
    with open_project(worked_project) as project:
        project.assignments.set_exclusion("bob", "guessed")
        project.assignments.add_people(
            [RegisteredAssessor("bob"), RegisteredAssessor("cleo", "c@x.org")]
        )
        assert project.assignments.registered_assessors() == (
            RegisteredAssessor("bob", "b@x.org", "guessed"),
            RegisteredAssessor("cleo", "c@x.org"),
        )
        project.assignments.set_exclusion("bob", None)
        assert project.assignments.registered_assessors()[0].exclusion_reason is None


def test_an_organiser_s_project_is_not_an_assignment(worked_project: Path) -> None:
    with open_project(worked_project) as project:
        assert project.assignments.assessor_assignment() is None
        project.set_setting("role", "assessor")
        assert project.assignments.assessor_assignment().id == "x"


def test_assignments_are_rescued_with_the_project(worked_project: Path, tmp_path: Path) -> None:
    report = rescue_file(worked_project, tmp_path / "again.irjudge")
    assert (
        report.is_complete and report.parts["assignments"].read_count == 2 + 4 + 1 + 2 + 2 + 1 + 1
    )
    assert read_everything(tmp_path / "again.irjudge") == read_everything(worked_project)


def test_unreadable_items_are_reported(worked_project: Path) -> None:
    with open_project(worked_project) as project:
        with project.transaction():
            project._db.execute("UPDATE assignment_item SET lists = '{' WHERE place = 0")
        with pytest.raises(ProjectError) as error:
            project.assignments.items(1)
        assert error.value.key == "damaged-item"


@pytest.mark.parametrize("forged", ["{", "[]", '"seven"', "null", "[" * 5000])
def test_unreadable_rounds_and_reports_are_named(worked_project: Path, forged: str) -> None:
    edit(
        worked_project,
        f"UPDATE assignment_round SET wishes = '{forged}'",
        f"UPDATE returned_file SET balance = '{forged}'",
    )
    with open_project(worked_project) as project:
        with pytest.raises(ProjectError) as error:
            project.assignments.rounds()
        assert error.value.key == "damaged-record"
        assert error.value.values["number"] == "1"
        with pytest.raises(ProjectError, match="cannot read the manifest of a\\.irtask"):
            project.assignments.merged_files()
