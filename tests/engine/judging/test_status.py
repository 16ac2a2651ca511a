"""How much is judged, by assessor and topic."""

from irjudge.judging.queue import Place
from irjudge.judging.session import Session
from irjudge.judging.status import status_rows
from irjudge.model.event import Event, Item
from irjudge.model.scale import Scale
from irjudge.store.project import create, open_project


def test_every_assessor_is_counted_by_topic_and_in_all(project_file):
    with open_project(project_file) as project:
        bob = Session(project, "bob")
        for document in ("d3", "d4"):
            bob.grade(bob.open_place(Place("007", document)), 1)
        bob.unjudgeable(bob.open_place(Place("007", "d5")), "spam")
        bob.skip(bob.open_place(Place("051", "d1")))
        expected = [("ann", "051", 0, 6, 6), ("ann", "007", 0, 6, 6), ("ann", "all", 0, 12, 12)]
        expected += [("bob", "051", 0, 6, 6), ("bob", "007", 3, 6, 3), ("bob", "all", 3, 12, 9)]
        assert status_rows(project) == expected


def test_a_preference_judges_no_document(project_file):
    with open_project(project_file) as project:
        item = Item("051", ("d0", "d1"), ("00" * 32, "11" * 32), "pair")
        project.events.append(Event("ann", "preference", item, "2026-01-01T00:00:00.000Z", {"value": "left"}))
        assert [row[2] for row in status_rows(project)] == [0, 0, 0]


def test_without_a_pool_there_is_nothing_to_count(tmp_path):
    with create(tmp_path / "p", scale=Scale.parse("binary")) as project:
        assert status_rows(project) == []
