"""Judgments that are still to come in, and which grades they can change."""

from pathlib import Path

from irjudge.judging.awaited import awaited, movable_pairs
from irjudge.judging.queue import Place
from irjudge.judging.session import Session
from irjudge.model.assignment import AssignedItem, Assignment, Secret
from irjudge.store.project import Project, open_project

D1, D2, OUTSIDE = ("051", "d1"), ("051", "d2"), ("051", "gold")


def ask(project: Project, name: str, *pairs: tuple[str, str], roles: tuple[Secret, ...] = ()) -> None:
    items = [AssignedItem(topic, ((document,),)) for topic, document in pairs]
    project.assignments.add(Assignment(0, name, name, "grade", 1), items, roles)


def test_without_assignments_nobody_is_waited_for(project_file: Path) -> None:
    with open_project(project_file) as project:
        assert not awaited(project) and movable_pairs(project) == set()


def test_every_assessor_who_has_not_judged_a_document_is_waited_for(project_file: Path) -> None:
    with open_project(project_file) as project:
        ask(project, "cleo", D1, D2)
        ask(project, "bob", D1, D2)
        session = Session(project, "cleo")
        session.grade(session.open_place(Place(*D1)), 1)
        session.skip(session.open_place(Place(*D2)))
        assert awaited(project) == {D1: 1, D2: 2} and movable_pairs(project) == {D1, D2}
        session.undo()
        session.undo()
        assert awaited(project)[D1] == 2, "what was taken back is outstanding again"


def test_repeats_tests_and_the_organiser_give_no_vote_to_wait_for(project_file: Path) -> None:
    with open_project(project_file) as project:
        ask(project, "cleo", D1, OUTSIDE, D1, roles=(Secret(), Secret("gold"), Secret("repeat")))
        ask(project, project.owner, D2)
        session = Session(project, "cleo")
        session.grade(session.open_place(Place(*D1)), 1)
        assert not awaited(project)
