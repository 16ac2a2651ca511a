"""Tests of the qrels of a project: consensus, the owner's, one assessor's, or imported."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from irjudge.errors import ProjectError
from irjudge.formats.rankings import read_qrels
from irjudge.judging import (
    AdjudicationRecorder,
    QueueItem,
    Session,
    choose_qrels,
    count_documents_by_topic,
    exclude_assessor,
    list_grades_in_force,
    list_judged_rows,
    list_qrels_choices,
    list_qrels_rows,
    list_rows_and_subtopics,
    read_project_qrels,
    readmit_assessor,
    select_qrels,
)
from irjudge.message import Message
from irjudge.model import UNJUDGED, Document, Event, Item, Scale, Topic, make_qrels, utc_now
from irjudge.pooling import PoolOptions, build_pool
from irjudge.store import Project, create_project, open_project


def test_unjudged_is_never_zero(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.open_item(QueueItem("051", "d2")), 0)
        session.mark_unjudgeable(session.open_item(QueueItem("007", "d3")), "spam")
        session.grade(session.open_item(QueueItem("051", "d1")), 3)
        session.grade(session.open_item(QueueItem("051", "d1")), 2)
        session.skip(session.open_item(QueueItem("051", "d0")))
        assert list_judged_rows(project) == [("051", "d1", 2), ("051", "d2", 0), ("007", "d3", -2)]
        full = list_judged_rows(project, include_unjudged=True)
        assert (len(full), full[0], full[1], sum(grade == -1 for *_, grade in full)) == (
            12,
            ("051", "d0", -1),
            ("051", "d1", 2),
            9,
        )
        assert read_project_qrels(project).grade.tolist() == [2, 0, -2]
        assert list_qrels_rows(project) == list_judged_rows(project)


def test_only_the_owner_s_judgments_are_in_the_qrels(project_file: Path) -> None:
    with open_project(project_file) as project:
        bob = Session(project, "bob")
        bob.grade(bob.current(), 1)
        assert (list_judged_rows(project), len(list_grades_in_force(project, "bob"))) == ([], 1)


def grade(
    project: Project,
    assessor: str,
    document: str,
    value: int,
    *,
    occurrence: int = 1,
    text: str = "",
) -> None:
    project.events.append(
        Event(
            assessor,
            "grade",
            Item("051", (document,), (text,), occurrence=occurrence),
            "2026-01-01T00:00:00.000Z",
            {"value": value, "scale": project.scale.version, "active_ms": 0},
            None,
            project.events.head(assessor),
        )
    )


def test_qrels_contain_first_judgments_of_the_current_text(project_file: Path) -> None:
    with open_project(project_file) as project:
        grade(project, "ann", "d1", 1)
        grade(project, "ann", "d2", 0)
        grade(project, "ann", "d2", 3, occurrence=2)  # shown again to measure consistency
        grade(project, "ann", "d3", 2, text="00" * 32)  # another text of the document
        grade(project, "bob", "d2", 0)
        grade(project, "bob", "d2", 3, occurrence=2)
        rows = [("051", "d1", 1), ("051", "d2", 0)]
        assert list_judged_rows(project) == rows
        assert {choice.name: choice.pair_count for choice in list_qrels_choices(project)} == {
            "judged here": 2,
            "consensus": 2,
            "assessor bob": 1,
        }
        for choice in list_qrels_choices(project):
            assert list_qrels_rows(project, choice)[-1] == rows[-1]


def test_a_preference_is_not_a_grade(project_file: Path) -> None:
    with open_project(project_file) as project:
        item = Item("051", ("d0", "d1"), ("00" * 32, "11" * 32), "pair")
        project.events.append(
            Event("ann", "preference", item, "2026-01-01T00:00:00.000Z", {"value": "left"})
        )
        assert (list_judged_rows(project), list_qrels_choices(project)) == ([], [])


def test_judgments_stay_when_their_pool_is_deleted(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.open_item(QueueItem("051", "d2")), 1)
        project.rankings.remove_pool(1)
        assert list_judged_rows(project) == [("051", "d2", 1)]


def test_judged_qrels_come_before_imported_ones(project_file: Path) -> None:
    with open_project(project_file) as project:
        with pytest.raises(ProjectError, match="There are no qrels"):
            read_project_qrels(project)
        with pytest.raises(ProjectError, match="There are no qrels"):
            list_qrels_rows(project)
        project.rankings.add_qrels(
            "official", make_qrels([("051", "d9", 1), ("1", "x", 0)]), "official.txt"
        )
        assert [
            (choice.name, choice.source, choice.pair_count)
            for choice in list_qrels_choices(project)
        ] == [("official", "imported", 2)]
        assert read_project_qrels(project).topics == ("051", "1")
        session = Session(project)
        session.grade(session.current(), 1)
        offered = list_qrels_choices(project)
        assert [choice.name for choice in offered] == ["judged here", "official"]
        assert len(read_project_qrels(project)) == 1
        assert list_qrels_rows(project, offered[1]) == [("051", "d9", 1), ("1", "x", 0)]


def test_unsampled_documents_are_unjudged(project_file: Path) -> None:
    with open_project(project_file) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        pool = build_pool(runs, PoolOptions("sample", depth=3, size=2, seed=1))
        project.rankings.add_pool(pool)
        rows = list_judged_rows(project, include_unjudged=True)
        assert (
            len(pool.unsampled) > 0
            and len(rows) == len(pool) + len(pool.unsampled)
            and {grade for *_, grade in rows} == {-1}
        )
        assert list_judged_rows(project) == []


def judge(project: Project, assessor: str | None, grades: dict[str, int]) -> None:
    session = Session(project, assessor)
    for document, grade in grades.items():
        session.grade(session.open_item(QueueItem("051", document)), grade)


def test_the_consensus_of_two_assessors_is_the_default_and_each_of_them_can_be_chosen(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d1": 2, "d2": 1})
        project.rankings.add_qrels("official", make_qrels([("051", "d9", 1)]), "official.txt")
        assert [choice.name for choice in list_qrels_choices(project)] == [
            "assessor bob",
            "official",
        ], "one assessor alone has no consensus"
        judge(project, None, {"d1": 0, "d3": 3})
        description = list_qrels_choices(project)[0].description
        assert isinstance(description, Message)
        assert description.translate_with(
            lambda text: text.replace("consensus", "共识")
        ).startswith("共识")
        result = [
            (choice.name, choice.source, choice.pair_count)
            for choice in list_qrels_choices(project)
        ]
        consensus, here, official, bob = result
        assert (consensus, here) == (("consensus", "consensus", 3), ("judged here", "judged", 2))
        assert (official, bob) == (("official", "imported", 1), ("assessor bob", "assessor", 2))
        assert list_qrels_rows(project) == [("051", "d1", 0), ("051", "d2", 1), ("051", "d3", 3)]
        assert read_project_qrels(
            project, select_qrels(project, "assessor bob")
        ).grade.tolist() == [
            2,
            1,
        ]
        full = list_qrels_rows(project, include_unjudged=True)
        assert len(full) == 12 and sum(grade == -1 for *_, grade in full) == 9


def test_consensus_follows_judgments_adjudications_and_exclusions(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d1": 2})
        judge(project, "cleo", {"d1": 2, "d2": 1})
        assert list_qrels_choices(project)[0].pair_count == 2
        exclude_assessor(project, "cleo")
        assert [choice.name for choice in list_qrels_choices(project)] == ["assessor bob"]
        document = project.collection.document("d4")
        assert document is not None
        AdjudicationRecorder(project).decide("051", document, 3)
        assert (list_qrels_choices(project)[0].name, list_qrels_choices(project)[0].pair_count) == (
            "consensus",
            2,
        )
        assert list_qrels_rows(project) == [("051", "d1", 2), ("051", "d4", 3)]
        readmit_assessor(project, "cleo")
        assert list_qrels_choices(project)[0].pair_count == 3
        AdjudicationRecorder(project).undo()
        assert list_qrels_choices(project)[0].pair_count == 2


def test_names_of_qrels_are_unique(project_file: Path) -> None:
    with open_project(project_file) as project:
        for name in ("consensus", "judged here", "assessor bob"):
            project.rankings.add_qrels(name, make_qrels([("051", "d9", 1)]), "file.txt")
        judge(project, "bob", {"d1": 2})
        judge(project, None, {"d1": 0})
        names = [choice.name for choice in list_qrels_choices(project)]
        assert len(names) == len(set(names)) == 6
        assert list_qrels_rows(project, select_qrels(project, "imported consensus")) == [
            ("051", "d9", 1)
        ]
        assert list_qrels_rows(project, select_qrels(project, "the assessor bob")) == [
            ("051", "d1", 2)
        ]


def test_pooled_documents_missing_in_imported_qrels_are_unjudged(project_file: Path) -> None:
    with open_project(project_file) as project:
        project.rankings.add_qrels(
            "given", make_qrels([("051", "d9", 1), ("051", "d1", 0)]), "given.txt"
        )
        rows = list_qrels_rows(project, include_unjudged=True)
        pooled = [("051", f"d{number}") for number in range(6)] + [
            ("007", f"d{number}") for number in range(3, 9)
        ]
        assert rows[:2] == [("051", "d9", 1), ("051", "d1", 0)]
        assert rows[2:] == [(*pair, -1) for pair in pooled if pair != ("051", "d1")]


def test_subtopics_of_imported_qrels_stay_with_their_rows(
    project_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "subtopics.qrels"
    path.write_text("051 1 d1 1\n051 2 d1 0\n")
    with open_project(project_file) as project:
        project.rankings.add_qrels("given", read_qrels(path), path.name)
        rows, groups = list_rows_and_subtopics(project, include_unjudged=True)
        assert (
            rows[:2] == [("051", "d1", 1), ("051", "d1", 0)] and groups == ["1", "2"] + ["0"] * 11
        )
        assert len(rows) == 13


def judged_by(project: Project, name: str, grade: int, documents: Sequence[str]) -> None:
    session = Session(project, name)
    for document in documents:
        session.grade(session.open_item(QueueItem("051", document)), grade)


def test_choices_follow_every_change_of_the_file(project_file: Path) -> None:
    with open_project(project_file) as project:
        for name, grade in (("bob", 1), ("cid", 2)):
            judged_by(project, name, grade, ["d0", "d1"])
        assert [choice.name for choice in list_qrels_choices(project)] == [
            "consensus",
            "assessor bob",
            "assessor cid",
        ]
        project.sessions.set_first_id("cid", "bob")
        assert [choice.name for choice in list_qrels_choices(project)] == ["assessor bob"], (
            "one assessor alone has no consensus"
        )
        assert all(
            len(list_qrels_rows(project, choice)) == choice.pair_count > 0
            for choice in list_qrels_choices(project)
        )


def test_the_default_qrels_cover_most_of_the_pool(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        pool = [("051", f"d{number}") for number in range(6)]
        project.rankings.add_qrels(
            "official", make_qrels([*((*pair, 1) for pair in pool[:4]), ("051", "d5", -1)])
        )
        for name, documents in (("bob", ["d0", "d1"]), ("cid", ["d0", "d2"])):
            judged_by(project, name, 1, documents)
        assert (select_qrels(project).name, len(read_project_qrels(project))) == ("official", 5), (
            "three labels of the pool are less than four"
        )
        judged_by(project, "bob", 1, ["d3"])
        assert [choice.name for choice in list_qrels_choices(project)][:2] == [
            "consensus",
            "official",
        ], "as many: what the assessors say"
        choose_qrels(project, "assessor bob")
        assert (list_qrels_choices(project)[0].name, select_qrels(project).pair_count) == (
            "assessor bob",
            3,
        )
    with open_project(project_file) as project:
        assert list_qrels_choices(project)[0].name == "assessor bob", "what was chosen is kept"
        exclude_assessor(project, "bob")
        assert list_qrels_choices(project)[0].name == "official", "it is there no more"
        choose_qrels(project, "")


def test_without_a_pool_the_default_qrels_cover_most_of_the_top_ranks(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        project.rankings.remove_pool(1)
        project.rankings.add_qrels(
            "few", make_qrels([("051", "d0", 1), *((f"t{number}", "d0", 1) for number in range(9))])
        )
        project.rankings.add_qrels("fitting", make_qrels([("051", "d0", 1), ("007", "d3", 0)]))
        assert [choice.name for choice in list_qrels_choices(project)] == ["fitting", "few"]


def test_without_pool_and_runs_own_judgments_come_before_imported_ones(tmp_path: Path) -> None:
    """Active learning needs neither a pool nor a run."""
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")) as project:
        project.collection.add_topics([Topic("1", "sea")])
        project.collection.add_documents([Document("d", b"sea")])
        for name in ("a", "b"):
            project.rankings.add_qrels(name, make_qrels([("1", "d", 1)]))
        assert [choice.name for choice in list_qrels_choices(project)] == ["a", "b"]
        for assessor in ("ann", "bob"):
            item = Item("1", ("d",), ("",))
            payload = {"value": 2, "scale": project.scale.version, "active_ms": 0}
            project.events.append(Event(assessor, "grade", item, utc_now(), payload))
        assert select_qrels(project).name == "consensus"


def test_documents_of_a_topic_are_counted_inside_and_outside_the_pool(project_file: Path) -> None:
    rows = [("051", "d0", 2), ("051", "d1", 0), ("051", "d8", 1), ("051", "d7", UNJUDGED)]
    with open_project(project_file) as project:
        project.rankings.add_qrels("q", make_qrels([*rows, ("999", "d1", 3)]), "q.txt")
        counts = {each.id: each for each in count_documents_by_topic(project)}
    assert {
        id: (each.pooled, each.judged, each.relevant, each.judged_outside)
        for id, each in counts.items()
    } == {"051": (6, 2, 2, 1), "007": (6, 0, 0, 0), "999": (0, 0, 1, 1)}
    assert counts["051"].title and not counts["999"].title
