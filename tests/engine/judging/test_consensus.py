"""Tests of consensus qrels: adjudications first, without excluded assessors and test documents."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates
from irjudge.judging import (
    AdjudicationRecorder,
    QueueItem,
    Session,
    build_vote_labels,
    compute_consensus,
    compute_consensus_grades,
    count_outstanding,
    exclude_assessor,
    find_changeable_pairs,
    grades_by_assessor,
    list_test_pairs,
    project_labels,
    read_consensus_method,
    set_consensus_method,
)
from irjudge.model import (
    UNJUDGEABLE,
    AssignedItem,
    Assignment,
    Event,
    Item,
    OrganiserNote,
    make_qrels,
)
from irjudge.store import Project, open_project

VOTES = {
    "ann": {"d0": 2, "d1": 0, "d2": 3},
    "bob": {"d0": 2, "d1": 3, "d2": 3},
    "cleo": {"d0": 0, "d1": 2},
}


def vote(project: Project, name: str, document: str, grade: int, topic: str = "051") -> None:
    stored_document = project.collection.document(document)
    item = Item(topic, (document,), (stored_document.digest.hex() if stored_document else "",))
    head = project.events.head(name)
    time = f"2026-01-01T00:00:00.{project.events.count():03}Z"
    kind, payload = (
        ("grade", {"value": grade}) if grade >= 0 else ("unjudgeable", {"reason": "broken"})
    )
    project.events.append(Event(name, kind, item, time, payload, None, head))


def add_votes(project: Project) -> None:
    for name, grades in VOTES.items():
        for document, grade in grades.items():
            vote(project, name, document, grade)


def adjudicate(project: Project, document: str, grade: int) -> None:
    stored_document = project.collection.document(document)
    assert stored_document is not None
    AdjudicationRecorder(project).decide("051", stored_document, grade)


def documents(project: Project) -> dict[str, int]:
    return {document: grade for (_, document), grade in compute_consensus_grades(project).items()}


def test_the_default_consensus_is_the_majority_with_ties_to_the_lower(project_file: Path) -> None:
    with open_project(project_file) as project:
        add_votes(project)
        assert documents(project) == {"d0": 2, "d1": 0, "d2": 3}
        set_consensus_method(project, "Lower median")
        assert read_consensus_method(project) == "lower-median" and documents(project) == {
            "d0": 2,
            "d1": 2,
            "d2": 3,
        }


def test_a_rule_without_integer_grades_is_not_stored(project_file: Path) -> None:
    with open_project(project_file) as project:
        with pytest.raises(IrjudgeError) as error:
            set_consensus_method(project, "mean")
        assert error.value.values["rule"] == "Mean"
        assert (
            error.value.values["rules"]
            == "majority, lower-median, one-coin, dawid-skene, glad, mace"
        )
        assert read_consensus_method(project) == "majority"


def test_an_adjudication_overrides_votes_and_is_the_reason(project_file: Path) -> None:
    with open_project(project_file) as project:
        add_votes(project)
        adjudicate(project, "d0", 1)
        adjudicate(project, "d1", UNJUDGEABLE)
        adjudicate(project, "d5", 2)  # no assessor judged it
        assert documents(project) == {"d0": 1, "d1": UNJUDGEABLE, "d2": 3, "d5": 2}
        consensus = compute_consensus(project)
        index = consensus.labels.items.index("051 d0")
        assert consensus.reasons[index].startswith("adjudicated")


def test_the_first_judgment_in_norming_rounds_is_the_vote(project_file: Path) -> None:
    def judge_in_round(name: str, number: int, grade: int) -> None:
        stored_document = project.collection.document("d0")
        assert stored_document is not None
        item = Item("051", ("d0",), (stored_document.digest.hex(),), occurrence=number)
        time = f"2026-01-01T00:00:00.{project.events.count():03}Z"
        payload = {"value": grade, "round": number}
        project.events.append(
            Event(name, "grade", item, time, payload, None, project.events.head(name))
        )

    with open_project(project_file) as project:
        judge_in_round("ann", 1, 0)
        judge_in_round("ann", 2, 3)
        judge_in_round("bob", 2, 2)  # bob missed the first round
        judge_in_round("bob", 3, 3)
        labels = project_labels(project, repeats=True)
        assert grades_by_assessor(labels) == {
            "ann": {("051", "d0"): 0},
            "bob": {("051", "d0"): 2},
        }


def test_excluded_assessors_have_no_vote(project_file: Path) -> None:
    with open_project(project_file) as project:
        add_votes(project)
        exclude_assessor(project, "ann", "a spammer")
        assert documents(project) == {"d0": 0, "d1": 2, "d2": 3}
        assert "ann" not in build_vote_labels(project).workers


def test_test_documents_have_no_consensus(project_file: Path, tmp_path: Path) -> None:
    with open_project(project_file) as project:
        project.rankings.add_qrels(
            "known", make_qrels([("051", "d9", 3), ("051", "d1", 2)]), "known.txt"
        )
        assign_pool(
            project,
            parse_candidates("bob, cleo"),
            AssignmentOptions(gold=1.0, overlap=2),
            tmp_path / "out",
        )
        assert list_test_pairs(project) == {("051", "d9")}, "d1 is pooled too"
        for name in ("bob", "cleo"):
            vote(project, name, "d9", 3)
            vote(project, name, "d1", 2)
        vote(project, project.owner, "d1", 0)
        assert documents(project) == {"d1": 2}, "with assignments the owner is not an assessor"


def test_there_is_no_consensus_without_votes(project_file: Path) -> None:
    with open_project(project_file) as project:
        assert compute_consensus_grades(project) == {}
        adjudicate(project, "d1", 1)
        assert documents(project) == {"d1": 1}


# Expected further judgments

D1, D2, OUTSIDE = ("051", "d1"), ("051", "d2"), ("051", "gold")


def assign(
    project: Project, name: str, *pairs: tuple[str, str], roles: tuple[OrganiserNote, ...] = ()
) -> None:
    items = [AssignedItem(topic, ((document,),)) for topic, document in pairs]
    project.assignments.add(Assignment(0, name, name, "grade", 1), items, roles)


def test_without_assignments_no_votes_are_expected(project_file: Path) -> None:
    with open_project(project_file) as project:
        assert not count_outstanding(project) and find_changeable_pairs(project) == set()


def test_votes_are_expected_from_assigned_assessors(project_file: Path) -> None:
    with open_project(project_file) as project:
        assign(project, "cleo", D1, D2)
        assign(project, "bob", D1, D2)
        session = Session(project, "cleo")
        session.grade(session.open_item(QueueItem(*D1)), 1)
        session.skip(session.open_item(QueueItem(*D2)))
        assert count_outstanding(project) == {D1: 1, D2: 2} and find_changeable_pairs(project) == {
            D1,
            D2,
        }
        session.undo()
        session.undo()
        assert count_outstanding(project)[D1] == 2, "an undone judgment is missing again"


def test_repeats_tests_and_the_organiser_are_not_expected_to_vote(project_file: Path) -> None:
    with open_project(project_file) as project:
        assign(
            project,
            "cleo",
            D1,
            OUTSIDE,
            D1,
            roles=(OrganiserNote(), OrganiserNote("gold"), OrganiserNote("repeat")),
        )
        assign(project, project.owner, D2)
        session = Session(project, "cleo")
        session.grade(session.open_item(QueueItem(*D1)), 1)
        assert not count_outstanding(project)


@pytest.mark.parametrize("overlap", [float("inf"), float("nan"), [1], None])
def test_an_unreadable_overlap_of_a_session_is_reported(
    project_file: Path, overlap: object
) -> None:
    with open_project(project_file) as project:
        terms = {"topics": ["051"], "terms": {"overlap": overlap}}
        code = project.sessions.add("s", 1, terms, "2026-03-01T10:00:00.000Z")
        with pytest.raises(ProjectError) as error:
            count_outstanding(project)
    assert error.value.values["code"] == str(code)
