"""Tests of the current preferences of a project, of all assessors, from pairs or panels."""

from pathlib import Path

import pytest

from irjudge.errors import ProjectError
from irjudge.judging import get_ledger, read_project_preferences
from irjudge.judging.counted_assessors import count_invalid_events
from irjudge.model import Assignment, Event, Item, preference_payload, utc_now
from irjudge.store import Project, open_project


@pytest.fixture
def project(project_file: Path):
    with open_project(project_file) as project:
        yield project


def judge(
    project: Project,
    assessor: str,
    item: Item,
    kind: str = "preference",
    target: str | None = None,
    **payload,
) -> Event:
    event = Event(
        assessor, kind, item, utc_now(), payload, target, get_ledger(project, assessor).head
    )
    project.events.append(event)
    return event


def pair(left: str, right: str, topic: str = "051", type_: str = "pair") -> Item:
    return Item(topic, (left, right), ("", ""), type_)


def test_pairs_of_all_assessors_are_read_without_undone_ones(project) -> None:
    judge(
        project, "ann", pair("d0", "d1"), **preference_payload("left", strength=2, active_ms=1500)
    )
    judge(project, "bo", pair("d1", "d0", "007"), **preference_payload("tie"))
    undone = judge(project, "ann", pair("d1", "d2"), **preference_payload("right"))
    judge(project, "ann", undone.item, "undo", undone.digest)
    preferences = read_project_preferences(project)
    assert (
        preferences.documents
        and preferences.items == ("d0", "d1")
        and preferences.assessors == ("ann", "bo")
    )
    assert (preferences.winner.tolist(), preferences.strength.tolist()) == ([1, 0], [2, 0])
    assert preferences.seconds.tolist() == [1.5, 0.0]


def test_the_newest_answer_counts_and_swapped_sides_are_another_item(project) -> None:
    for winner, item in (
        ("left", pair("d0", "d1")),
        ("right", pair("d0", "d1")),
        ("tie", pair("d1", "d0")),
    ):
        judge(project, "ann", item, **preference_payload(winner))
    assert read_project_preferences(project).winner.tolist() == [-1, 0]


def test_panels_are_read_as_the_runs_of_their_sides(project) -> None:
    panel = Item("051", ("d0", "d1", "d2"), ("", "", ""), "panel")
    judge(project, "ann", panel, **preference_payload("right", sides=["f3", "9a"], sizes=[2, 1]))
    preferences = read_project_preferences(project, {"f3": "bm25", "9a": "lm"})
    assert (
        not preferences.documents
        and preferences.items == ("bm25", "lm")
        and preferences.winner.tolist() == [-1]
    )
    with pytest.raises(ProjectError) as error:
        read_project_preferences(project, {"f3": "bm25"})
    assert error.value.values["side"] == "9a"
    with pytest.raises(ProjectError) as error:
        read_project_preferences(project, {"f3": "bm25", "9a": "bm25"})
    assert error.value.values["assessor"] == "ann"
    assert error.value.values["topic"] == "051"
    assert error.value.values["run"] == "bm25"
    with pytest.raises(ProjectError, match="no preferences"):
        read_project_preferences(project)


def test_excluded_assessors_and_the_organiser_do_not_count(
    project,
) -> None:
    for name in ("zoe", "bo", project.owner):
        judge(project, name, pair("d0", "d1"), **preference_payload("left"))
    project.assignments.set_exclusion("bo", "too fast")
    assert read_project_preferences(project).assessors == (project.owner, "zoe")
    project.assignments.add(Assignment(0, "a1", "zoe", "side-by-side", 0), [])
    assert read_project_preferences(project).assessors == ("zoe",)


def test_a_payload_without_a_winner_does_not_count(project) -> None:
    judge(project, "ann", pair("d0", "d1"), strength=1)
    judge(project, "bob", pair("d0", "d1"), winner="left")
    assert read_project_preferences(project).assessors == ("bob",)
    assert [(each.assessor, each.events) for each in count_invalid_events(project)] == [("ann", 1)]
