"""Tests of the judgments of a project as labels."""

import json
from pathlib import Path

from irjudge.judging import QueueItem, Session, compute_consensus_grades, project_labels
from irjudge.judging.assignable_documents import GoldGrades
from irjudge.model import Event, Item, Labels
from irjudge.store import CALIBRATION, Project, open_project


def list_labels(labels: Labels) -> list[tuple[str, str, str]]:
    words = [*labels.scale, "unjudgeable", ""]
    columns = labels.item.tolist(), labels.worker.tolist(), labels.label.tolist()
    return [
        (labels.items[item], labels.workers[worker], words[label])
        for item, worker, label in zip(*columns, strict=True)
    ]


def judge(project: Project, assessor: str, **grades: int) -> None:
    session = Session(project, assessor)
    for document, grade in grades.items():
        session.grade(session.open_item(QueueItem("051", document)), grade)


def test_each_assessor_has_one_label_per_document(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "ann", d1=3, d2=0)
        judge(project, "ann", d1=2)
        judge(project, "bob", d1=1)
        session = Session(project, "bob")
        session.mark_unjudgeable(session.open_item(QueueItem("007", "d3")), "spam")
        session.skip(session.open_item(QueueItem("007", "d4")))
        labels = project_labels(project)
    assert list_labels(labels) == [
        ("051 d1", "ann", "2"),
        ("051 d2", "ann", "0"),
        ("051 d1", "bob", "1"),
        ("007 d3", "bob", "unjudgeable"),
    ]
    assert (labels.scale, labels.pairs) == (
        ("0", "1", "2", "3"),
        (("051", "d1"), ("051", "d2"), ("007", "d3")),
    )


def test_excluded_assessors_have_no_labels(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "ann", d1=3)
        judge(project, "bob", d1=1)
        assert project_labels(project, excluded=["ann"]).workers == ("bob",)


def test_calibration_documents_have_no_labels(project_file: Path) -> None:
    with open_project(project_file) as project:
        # d1 is pooled too
        project.set_setting(CALIBRATION, json.dumps({"051": {"d9": 2, "d1": 1}}))
        judge(project, "bob", d9=2, d1=1)
        assert list_labels(project_labels(project)) == [("051 d1", "bob", "1")]


def grade(
    project: Project,
    document: str,
    value: int,
    occurrence: int = 1,
    active: int = 0,
    text: str = "",
    assessor: str = "bob",
) -> None:
    item = Item("051", (document,), (text,), occurrence=occurrence)
    payload = {"value": value, "scale": project.scale.version, "active_ms": active}
    project.events.append(
        Event(
            assessor,
            "grade",
            item,
            "2026-01-01T00:00:00.000Z",
            payload,
            None,
            project.events.head(assessor),
        )
    )


def test_a_deliberate_repeat_is_not_a_second_vote(project_file: Path) -> None:
    with open_project(project_file) as project:
        grade(project, "d1", 1)
        grade(project, "d1", 3, occurrence=2)
        assert list_labels(project_labels(project)) == [("051 d1", "bob", "1")]
        labels = project_labels(project, repeats=True)
        assert list_labels(labels) == [("051 d1", "bob", "1"), ("051 d1", "bob", "3")]
        assert list_labels(labels.without_repeats()) == [("051 d1", "bob", "1")]


def test_times_are_in_seconds_or_unknown(project_file: Path) -> None:
    with open_project(project_file) as project:
        grade(project, "d1", 1)
        assert project_labels(project).seconds is None
        grade(project, "d2", 1, active=2500)
        seconds = project_labels(project).seconds
    assert seconds is not None and seconds[1] == 2.5 and seconds[0] != seconds[0]


def test_a_grade_outside_the_scale_is_left_out_with_a_warning(project_file: Path) -> None:
    with open_project(project_file) as project:
        grade(project, "d1", 9)
        grade(project, "d2", 1)
        labels = project_labels(project)
    (warning,) = labels.warnings
    assert list_labels(labels) == [("051 d2", "bob", "1")]
    assert "1" in warning and warning.values["reason"].key == "other-grade"


def test_a_judgment_of_another_text_is_left_out_with_a_warning(project_file: Path) -> None:
    with open_project(project_file) as project:
        digest = project.collection.digest("d2")
        grade(project, "d1", 2, text="00" * 32)
        grade(project, "d2", 1, text=digest.hex() if digest else "")
        labels = project_labels(project)
    assert list_labels(labels) == [("051 d2", "bob", "1")]
    (warning,) = labels.warnings
    assert "1" in warning and warning.values["reason"].key == "other-text"


def test_an_outdated_judgment_under_the_main_id_is_replaced_by_one_of_another_id(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        project.sessions.set_first_id("bob", "main")
        grade(project, "d1", 3, text="00" * 32, assessor="main")
        grade(project, "d1", 1)
        grade(project, "d2", 9, assessor="main")  # not on the scale
        grade(project, "d2", 2)
        grade(project, "d3", 3, assessor="main")
        grade(project, "d3", 0)
        labels = project_labels(project)
        assert compute_consensus_grades(project) == {
            ("051", "d1"): 1,
            ("051", "d2"): 2,
            ("051", "d3"): 3,
        }
    assert sorted(list_labels(labels)) == [
        ("051 d1", "main", "1"),
        ("051 d2", "main", "2"),
        ("051 d3", "main", "3"),
    ]
    assert len(labels.warnings) == 2


def make_gold(answers: dict[tuple[str, str], int]) -> GoldGrades:
    return GoldGrades(answers, frozenset(("bob", pair) for pair in answers))


def test_gold_grades_are_those_of_judged_documents(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", d1=1, d2=1)
        labels = project_labels(project, gold=make_gold({("051", "d2"): 3, ("051", "d5"): 0}))
        assert labels.gold is not None and labels.gold.tolist() == [-1, 3]
        assert project_labels(project, gold=make_gold({("051", "d5"): 0})).gold is None


def test_a_project_without_judgments_has_no_labels(project_file: Path) -> None:
    with open_project(project_file) as project:
        assert (len(project_labels(project)), project_labels(project).items) == (0, ())
