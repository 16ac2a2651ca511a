"""What there is to decide: documents on which rules disagree, with every vote and mark, the weightiest first."""

from pathlib import Path

import numpy as np
import pytest

from irjudge.judging.disputes import disputes, importance
from irjudge.judging.queue import Place
from irjudge.judging.session import Session
from irjudge.judging.settling import voting_labels
from irjudge.judging.votes import set_aside
from irjudge.model.document import Document
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.store.project import Project, open_project


def judge(project: Project, assessor: str, grades: dict[str, int]) -> None:
    session = Session(project, assessor)
    for document, grade in grades.items():
        work = session.open_place(Place("051", document))
        session.unjudgeable(work, "spam") if grade == UNJUDGEABLE else session.grade(work, grade)


def test_where_all_say_the_same_there_is_nothing_to_decide(project_file: Path) -> None:
    with open_project(project_file) as project:
        assert disputes(project) == ()
        judge(project, "bob", {"d0": 1, "d1": 2})
        judge(project, "cleo", {"d0": 1, "d1": 2})
        assert disputes(project) == ()


def test_a_document_higher_in_the_runs_matters_more(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d5": 0, "d0": 0})
        judge(project, "cleo", {"d5": 3, "d0": 3})
        found = disputes(project)
        assert [each.document for each in found] == ["d0", "d5"] and all(each.crosses for each in found)
        labels = voting_labels(project)
        weights = importance(project, labels)
        assert weights is not None
        # By hand: d0 stands first in its only run, d5 sixth; 1 + 1 / log2(rank + 1).
        by_document = {document: weight for (_, document), weight in zip(labels.pairs or (), weights.tolist(), strict=True)}
        assert by_document == {"d0": pytest.approx(2.0), "d5": pytest.approx(1 + 1 / np.log2(7))}
        project.rankings.remove_pool(1)
        assert importance(project, labels) is None and len(disputes(project)) == 2


def test_each_vote_comes_with_its_marks_and_each_rule_with_its_reason(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d1": 0})
        judge(project, "cleo", {"d1": UNJUDGEABLE})
        session = Session(project, "bob")
        work = session.open_place(Place("051", "d1"))
        session.set_unsure(work, True)
        session.note(work, "only the title")
        session.rationale(work, "text 1", 0, 6)
        judge(project, "dan", {"d1": 3})
        [found] = disputes(project)
        bob, cleo, dan = found.votes
        assert (bob.assessor, bob.grade, bob.unsure, bob.note, bob.rationales) == ("bob", 0, True, "only the title", ("text 1",))
        assert (cleo.grade, cleo.reason, dan.grade) == (UNJUDGEABLE, "spam", 3)
        said = {each.rule: each for each in found.verdicts}
        assert (said["Majority"].grade, said["Mean"].grade) == ("0", "1.50")
        assert said["Majority"].reason.startswith("1 of 2 said 0, as many said 3")


def test_somebody_set_aside_is_not_heard(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(project, "bob", {"d1": 0})
        judge(project, "cleo", {"d1": 3})
        set_aside(project, "cleo")
        assert disputes(project) == ()


def test_a_document_without_a_text_cannot_be_shown_and_is_left_out(project_file: Path) -> None:
    with open_project(project_file) as project:
        for name, grade in (("bob", 0), ("cleo", 3)):
            session = Session(project, name)
            session.grade(session.open_place(Place("051", "d1")), grade)
            place = Session(project, name).open_place(Place("051", "d1"))
            event = session._write("grade", type(place)(place.topic, Document("strange", b"elsewhere")), {"value": grade})
            assert event.item.documents == ("strange",)
        assert [each.document for each in disputes(project)] == ["d1"]
