"""Tests of the list to adjudicate: documents with conflicting votes, the largest conflict first."""

import re
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates, read_project_status
from irjudge.judging import (
    AdjudicationCount,
    AdjudicationRecorder,
    QueueItem,
    Session,
    build_vote_labels,
    count_adjudicated,
    exclude_assessor,
    find_disputes,
    find_pairs_to_adjudicate,
)
from irjudge.judging.consensus import compute_importance
from irjudge.model import UNJUDGEABLE, Document, Event, Item, make_qrels
from irjudge.store import Project, open_project


def judge(project: Project, assessor: str, grades: dict[str, int]) -> None:
    session = Session(project, assessor)
    for document, grade in grades.items():
        work = session.open_item(QueueItem("051", document))
        session.mark_unjudgeable(work, "spam") if grade == UNJUDGEABLE else session.grade(
            work, grade
        )


def test_without_disagreement_there_is_nothing_to_adjudicate(project_file: Path) -> None:
    with open_project(project_file) as project:
        assert find_disputes(project) == ()
        judge(project, "bob", {"d0": 1, "d1": 2})
        judge(project, "cleo", {"d0": 1, "d1": 2})
        assert find_disputes(project) == ()


def test_conflicting_votes_are_listed_and_single_votes_are_not(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d0": 1, "d1": 0, "d2": 2, "d3": 3, "d4": 1})
        judge(project, "cleo", {"d0": 1, "d1": 1, "d2": 3, "d4": UNJUDGEABLE})
        # d4 differs by the whole scale; d1 crosses the relevance threshold, d2 does not and differs
        # as much.
        disputes = find_disputes(project)
        assert [(each.document, each.crosses_relevance, each.is_split) for each in disputes] == [
            ("d4", True, True),
            ("d1", True, True),
            ("d2", False, True),
        ]
        assert [each.document for each in find_disputes(project, rel=3)] == ["d4", "d2", "d1"]


def test_agreeing_votes_that_a_model_contradicts_are_listed_last(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        good, contrary = {"d0": 3, "d1": 0, "d2": 3, "d3": 0}, {"d0": 0, "d1": 3, "d2": 0, "d3": 3}
        for name, grades in {
            "bob": good,
            "cleo": good,
            "dan": good,
            "eve": contrary,
            "fay": contrary,
        }.items():
            judge(project, name, grades)
        judge(project, "eve", {"d4": 3})
        judge(project, "fay", {"d4": 3, "d5": 3})
        disputes = find_disputes(project)
        assert {each.document for each in disputes[:4]} == set(good)
        # By a model, both votes on d4 are wrong; d5 has one vote.
        [last] = disputes[4:]
        assert (last.document, last.is_split, [vote.grade for vote in last.votes]) == (
            "d4",
            False,
            [3, 3],
        ) and last.weight > 0


def test_adjudicated_items_keep_their_position_or_move_to_the_end(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d0": 0, "d1": 0, "d2": 3})
        judge(project, "cleo", {"d0": 3, "d1": 3})
        deciding = AdjudicationRecorder(project)
        for name in ("d0", "d2", "d3"):
            document = project.collection.document(name)
            assert document is not None
            deciding.decide("051", document, 2)
        assert [each.document for each in find_disputes(project)] == ["d0", "d1", "d2", "d3"]
        judge(project, "cleo", {"d0": 0, "d1": 0})
        disputes = find_disputes(project)
        assert [(each.document, len(each.votes), each.weight) for each in disputes] == [
            ("d0", 2, 0),
            ("d2", 1, 0),
            ("d3", 0, 0),
        ]
        assert disputes[0].verdicts[0].grade == "0" and disputes[2].verdicts == ()
        deciding.undo()
        assert [each.document for each in find_disputes(project)] == ["d0", "d2"]


def test_an_adjudication_without_votes_is_listed(project_file: Path) -> None:
    with open_project(project_file) as project:
        document = project.collection.document("d0")
        assert document is not None
        AdjudicationRecorder(project).decide("051", document, 1)
        [dispute] = find_disputes(project)
        assert (dispute.pair, dispute.votes, dispute.verdicts) == (("051", "d0"), (), ())


def test_votes_on_test_documents_do_not_count_after_adjudication(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        project.rankings.add_qrels("known", make_qrels([("051", "d9", 3)]), "known.txt")
        assign_pool(
            project,
            parse_candidates("bob,cleo"),
            AssignmentOptions(gold=1.0, overlap=2),
            project_file.parent / "out",
        )
        for name, grade in (("bob", 0), ("cleo", 3)):
            for document, value in (("d9", grade), ("d0", 1)):
                payload = {"value": value, "scale": project.scale.version, "active_ms": 0}
                item = Item("051", (document,), ("",))
                project.events.append(
                    Event(
                        name,
                        "grade",
                        item,
                        "2026-01-01T00:00:00.000Z",
                        payload,
                        None,
                        project.events.head(name),
                    )
                )
        assert find_disputes(project) == ()
        examined = project.collection.document("d9")
        assert examined is not None
        AdjudicationRecorder(project).decide("051", examined, 2)
        [dispute] = find_disputes(project)
        assert (dispute.document, dispute.votes, dispute.verdicts, dispute.is_split) == (
            "d9",
            (),
            (),
            False,
        )


def test_documents_ranked_higher_in_runs_weigh_more(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d5": 0, "d0": 0})
        judge(project, "cleo", {"d5": 3, "d0": 3})
        disputes = find_disputes(project)
        assert [each.document for each in disputes] == ["d0", "d5"] and all(
            each.crosses_relevance for each in disputes
        )
        labels = build_vote_labels(project)
        weights = compute_importance(project, labels)
        assert weights is not None
        # Worked by hand: d0 has rank 1 in its only run, d5 rank 6; 1 + 1 / log2(rank + 1).
        by_document = {
            document: weight
            for (_, document), weight in zip(labels.pairs or (), weights.tolist(), strict=True)
        }
        assert by_document == {"d0": pytest.approx(2.0), "d5": pytest.approx(1 + 1 / np.log2(7))}
        project.rankings.remove_pool(1)
        assert compute_importance(project, labels) is None and len(find_disputes(project)) == 2


def test_each_vote_comes_with_its_marks_and_each_rule_with_its_reason(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d1": 0})
        judge(project, "cleo", {"d1": UNJUDGEABLE})
        session = Session(project, "bob")
        work = session.open_item(QueueItem("051", "d1"))
        session.set_unsure(work, True)
        session.note(work, "only the title")
        session.rationale(work, "text 1", 0, 6)
        judge(project, "dan", {"d1": 3})
        [dispute] = find_disputes(project)
        bob, cleo, dan = dispute.votes
        assert (bob.assessor, bob.grade, bob.unsure, bob.note, bob.rationales) == (
            "bob",
            0,
            True,
            "only the title",
            ("text 1",),
        )
        assert (cleo.grade, cleo.reason, dan.grade) == (UNJUDGEABLE, "spam", 3)
        payload = {each.rule: each for each in dispute.verdicts}
        assert (payload["Majority"].grade, payload["Mean"].grade) == ("0", "1.50")
        assert re.findall(r"\d+", payload["Majority"].reason)[:4] == ["1", "2", "0", "3"]


def test_votes_of_excluded_assessors_do_not_count(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d1": 0})
        judge(project, "cleo", {"d1": 3})
        exclude_assessor(project, "cleo")
        assert find_disputes(project) == ()


def test_documents_without_a_text_are_left_out(project_file: Path) -> None:
    with open_project(project_file) as project:
        for name, grade in (("bob", 0), ("cleo", 3)):
            session = Session(project, name)
            session.grade(session.open_item(QueueItem("051", "d1")), grade)
            opened_item = Session(project, name).open_item(QueueItem("051", "d1"))
            event = session._write(
                "grade",
                type(opened_item)(opened_item.topic, Document("strange", b"elsewhere")),
                {"value": grade},
            )
            assert event.item.documents == ("strange",)
        assert [each.document for each in find_disputes(project)] == ["d1"]


def test_the_workflow_counts_the_pairs_that_the_page_lists_as_split(project_file: Path) -> None:
    good, contrary = {"d0": 3, "d1": 0, "d2": 3, "d3": 0}, {"d0": 0, "d1": 3, "d2": 0, "d3": 3}
    people = {"bob": good, "cleo": good, "dan": good, "eve": contrary, "fay": contrary}
    with open_project(project_file) as project:
        for name, grades in people.items():
            judge(project, name, grades)
        judge(project, "eve", {"d4": 3})
        judge(project, "fay", {"d4": 3})
        listed = find_disputes(project)
        split = [each.pair for each in listed if each.is_split]
        # Assessors disagree on four documents; on d4 they agree, and a model differs from them.
        assert (len(listed), len(split)) == (5, 4)
        deciding = AdjudicationRecorder(project)
        for name in ("d0", "d4"):
            document = project.collection.document(name)
            assert document is not None
            deciding.decide("051", document, 3)
        deciding.decide("051", Document("d1", b"another text"), 3)
        # d4 is not counted, and d1 was adjudicated on a text that the project does not contain.
        status = read_project_status(project, date(2026, 1, 1))
        assert count_adjudicated(project, split) == AdjudicationCount(1, 4)
        assert (status.adjudicated, status.disputed) == (1, 4)


def test_a_disputed_document_without_a_text_is_not_counted(project_file: Path) -> None:
    with open_project(project_file) as project:
        for name, grade in (("bob", 0), ("cleo", 3)):
            judge(project, name, {"d1": grade})
            payload = {"value": grade, "scale": project.scale.version, "active_ms": 0}
            item, when = Item("051", ("strange",), ("",)), "2026-01-01T00:00:00.000Z"
            head = project.events.head(name)
            project.events.append(Event(name, "grade", item, when, payload, None, head))
        assert find_pairs_to_adjudicate(project, build_vote_labels(project)) == (("051", "d1"),)
        assert (
            read_project_status(project, date(2026, 1, 1)).disputed
            == len(find_disputes(project))
            == 1
        )


def test_a_vote_given_under_a_second_id_of_a_participant_is_shown_once(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d1": 0, "d2": 1})
        judge(project, "eva", {"d2": 2})
        judge(project, "eva again", {"d1": 3, "d2": 3})
        project.sessions.set_first_id("eva again", "eva")
        votes = {
            each.document: [(vote.assessor, vote.grade) for vote in each.votes]
            for each in find_disputes(project)
        }
        assert votes == {"d1": [("bob", 0), ("eva", 3)], "d2": [("bob", 1), ("eva", 2)]}
