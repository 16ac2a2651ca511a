"""The qrels of a project: judged here, or imported."""

from pathlib import Path

import pytest

from irjudge.errors import ProjectError
from irjudge.judging.judged_qrels import choices, grades_in_force, judged_rows, project_qrels, qrels_rows
from irjudge.judging.queue import Place
from irjudge.judging.session import Session
from irjudge.model.event import Event, Item
from irjudge.model.ranking import make_qrels
from irjudge.pooling.building import Plan, build_pool
from irjudge.store.project import open_project


def test_unjudged_is_never_zero(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.open_place(Place("051", "d2")), 0)
        session.unjudgeable(session.open_place(Place("007", "d3")), "spam")
        session.grade(session.open_place(Place("051", "d1")), 3)
        session.grade(session.open_place(Place("051", "d1")), 2)
        session.skip(session.open_place(Place("051", "d0")))
        assert judged_rows(project) == [("051", "d1", 2), ("051", "d2", 0), ("007", "d3", -2)]
        full = judged_rows(project, unjudged=True)
        assert (len(full), full[0], full[1], sum(grade == -1 for *_, grade in full)) == (12, ("051", "d0", -1), ("051", "d1", 2), 9)
        assert project_qrels(project).grade.tolist() == [2, 0, -2]
        assert qrels_rows(project) == judged_rows(project)


def test_only_the_owner_s_judgments_are_the_qrels(project_file: Path) -> None:
    with open_project(project_file) as project:
        bob = Session(project, "bob")
        bob.grade(bob.current(), 1)
        assert (judged_rows(project), len(grades_in_force(project, "bob"))) == ([], 1)


def test_a_preference_is_no_grade(project_file: Path) -> None:
    with open_project(project_file) as project:
        item = Item("051", ("d0", "d1"), ("00" * 32, "11" * 32), "pair")
        project.events.append(Event("ann", "preference", item, "2026-01-01T00:00:00.000Z", {"value": "left"}))
        assert (judged_rows(project), choices(project)) == ([], [])


def test_what_was_judged_stays_when_its_pool_is_gone(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.open_place(Place("051", "d2")), 1)
        project.rankings.remove_pool(1)
        assert judged_rows(project) == [("051", "d2", 1)]


def test_judged_qrels_come_before_imported_ones(project_file: Path) -> None:
    with open_project(project_file) as project:
        with pytest.raises(ProjectError, match="There are no qrels"):
            project_qrels(project)
        with pytest.raises(ProjectError, match="There are no qrels"):
            qrels_rows(project)
        project.rankings.add_qrels("official", make_qrels([("051", "d9", 1), ("1", "x", 0)]), "official.txt")
        assert [(choice.name, choice.source, choice.rows) for choice in choices(project)] == [("official", "imported", 2)]
        assert project_qrels(project).topics == ("051", "1")
        session = Session(project)
        session.grade(session.current(), 1)
        offered = choices(project)
        assert [choice.name for choice in offered] == ["judged here", "official"]
        assert len(project_qrels(project)) == 1
        assert qrels_rows(project, offered[1]) == [("051", "d9", 1), ("1", "x", 0)]


def test_what_chance_kept_out_of_a_pool_is_unjudged(project_file: Path) -> None:
    with open_project(project_file) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        pool = build_pool(runs, Plan("sample", depth=3, size=2, seed=1))
        project.rankings.add_pool(pool)
        rows = judged_rows(project, unjudged=True)
        assert len(pool.undrawn) > 0 and len(rows) == len(pool) + len(pool.undrawn) and {grade for *_, grade in rows} == {-1}
        assert judged_rows(project) == []
