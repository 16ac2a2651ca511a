"""Setting an assessor aside and counting them again: one step each, with the reason kept."""

import pytest

from irjudge.errors import ProjectError
from irjudge.judging.session import Session
from irjudge.judging.votes import assessors
from irjudge.store.project import Project
from irjudge_ui.commands.assessors import CountAgain, SetAside
from irjudge_ui.commands.changes import Changes


def aside(project: Project) -> dict[str, str | None]:
    return {person.name: person.set_aside for person in project.assignments.people()}


def test_setting_aside_and_counting_again_are_undone_with_their_reason(project: Project) -> None:
    session = Session(project, "bob")
    session.grade(session.current(), 1)
    events, changes = project.events.count(), Changes()
    changes.make(SetAside(project, "bob", "too fast"))
    assert aside(project) == {"bob": "too fast"} and assessors(project) == ()
    changes.take_back()
    assert aside(project) == {"bob": None} and assessors(project) == ("bob",)
    changes.bring_back()
    changes.make(CountAgain(project, "bob", "too fast"))
    assert assessors(project) == ("bob",)
    changes.take_back()
    assert aside(project) == {"bob": "too fast"}
    assert project.events.count() == events, "judgments stay as they are"


def test_nobody_unknown_is_set_aside(project: Project) -> None:
    changes = Changes()
    with pytest.raises(ProjectError, match="knows no assessor called zoe"):
        changes.make(SetAside(project, "zoe", "why"))
    assert aside(project) == {} and not changes.canUndo()
