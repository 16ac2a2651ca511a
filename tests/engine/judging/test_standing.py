"""The judgments of one assessor that stand."""

from pathlib import Path

from irjudge.judging.queue import Place
from irjudge.judging.session import Session
from irjudge.judging.standing import grades_in_force
from irjudge.model.event import Event, Item
from irjudge.store.project import open_project


def test_the_newest_judgment_of_a_document_stands_for_its_assessor_alone(project_file: Path) -> None:
    with open_project(project_file) as project:
        bob = Session(project, "bob")
        for place, grade in ((Place("051", "d1"), 3), (Place("051", "d2"), 1), (Place("051", "d1"), 0)):
            bob.grade(bob.open_place(place), grade)
        found = [(event.item.documents[0], event.payload["value"]) for event in grades_in_force(project, "bob")]
        assert found == [("d1", 0), ("d2", 1)] and grades_in_force(project) == []
        item = Item("051", ("d0", "d1"), ("", ""), "pair")
        project.events.append(
            Event("bob", "preference", item, "2999-01-01T00:00:00.000Z", {"value": "left"}, None, project.events.head("bob"))
        )
        assert len(grades_in_force(project, "bob")) == 2, "a preference is no grade"
