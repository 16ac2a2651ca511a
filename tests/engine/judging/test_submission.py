"""Tests of submitting work: missing judgments, invalid logs, and receipts."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from irjudge.errors import CommitFailed, ProjectError
from irjudge.judging import Session, make_receipt, read_submission, review_work, submit_work
from irjudge.store import open_project
from tests import outside_edits


def judge(session: Session, count: int, *, active_ms: int = 1000) -> None:
    for _ in range(count):
        work = session.advance()
        assert work is not None
        session.grade(work, 1, active_ms=active_ms)


def test_a_review_lists_missing_judgments_by_topic(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        judge(session, 2)
        session.mark_unjudgeable(session.advance(), "spam", active_ms=10)
        session.skip(session.advance(), active_ms=5)
        session.set_unsure(session.current(), True)
        session.draft(session.current(), "half a")
        review = review_work(session)
    first, second = review.topics
    assert (first.topic, first.title, first.assigned, first.judged) == ("051", "one", 6, 3)
    assert (first.unjudgeable, first.skipped, first.unsure, first.drafts, first.active_ms) == (
        1,
        1,
        1,
        1,
        2015,
    )
    assert (second.topic, second.judged, second.active_ms) == ("007", 0, 0)
    assert (review.total("assigned"), review.total("judged"), review.complete) == (12, 3, False)


def test_work_is_complete_if_all_is_judged_and_no_note_is_unsaved(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        judge(session, 12)
        assert review_work(session).complete
        work = session.open_topic("051")
        session.draft(work, "half")
        assert not review_work(session).complete
        session.note(work, "whole")
        assert review_work(session).complete
        session.draft(work, "whole, and more")
        session.draft(work, "whole")  # nothing is unsaved
        assert review_work(session).complete


def test_a_receipt_names_the_state_of_the_log(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        judge(session, 7)
        made = submit_work(session)
        head = project.events.head("ann")
    assert (made.assessor, made.title, made.file, made.events, made.head) == (
        "ann",
        "Small",
        "small.irjudge",
        7,
        head,
    )
    assert made.topics == (("051", 6, 6), ("007", 1, 6))
    assert (made.judged_count, made.assigned_count) == (7, 12)
    assert made.code == f"{head[:4]} {head[4:8]} {head[8:12]}"
    lines = made.text.splitlines()
    assert lines[0] == f"Receipt {made.code}"
    assert re.search(r"^Submitted  \d{4}-\d\d-\d\d \d\d:\d\d UTC$", made.text, re.MULTILINE)
    judged = lines.index("Judged     7 of 12")
    assert lines[judged + 1 : judged + 4] == [
        "           topic 051: 6 of 6",
        "           topic 007: 1 of 6",
        "Events     7",
    ]
    assert f"Checksum   {head}" in lines and "SHA-256" not in made.text, (
        "it would be taken for the hash of the file"
    )


def test_the_returned_file_has_the_code_of_the_receipt(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        judge(session, 3)
        mine = submit_work(session)
    copy = Path(shutil.copy(project_file, project_file.with_name("from-ann.irjudge")))
    before = copy.read_bytes()
    with open_project(copy, writing=False) as project:
        theirs = make_receipt(Session(project))
    assert (theirs.code, theirs.head, theirs.submission) == (mine.code, mine.head, mine.submission)
    assert copy.read_bytes() == before


def test_further_judging_is_possible_and_outdates_the_receipt(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        judge(session, 3)
        assert read_submission(project) is None
        assert "Submitted  not yet" in make_receipt(session).text
        first = submit_work(session)
        done = read_submission(project)
        assert done is not None and (done.events, done.head, done.added, done.changed) == (
            3,
            first.head,
            0,
            False,
        )
        session.undo()
        done = read_submission(project)
        assert done is not None and (done.added, done.changed) == (1, True)
        now = make_receipt(session)
        assert now.code != first.code
        assert "; 1 event " in now.text
        again = submit_work(session)
        assert again.submission is not None and not again.submission.changed
    with open_project(project_file, writing=False) as project:
        assert read_submission(project) == again.submission


def test_two_assessors_submit_separately(project_file: Path) -> None:
    with open_project(project_file) as project:
        judge(Session(project), 2)
        judge(Session(project, "bob"), 1)
        ann = submit_work(Session(project))
        assert read_submission(project, "bob") is None
        bob = submit_work(Session(project, "bob"))
        assert (read_submission(project).head, read_submission(project, "bob").head) == (
            ann.head,
            bob.head,
        )
        assert ann.head != bob.head and (ann.events, bob.events) == (2, 1)


def test_work_without_judgments_cannot_be_submitted(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        assert make_receipt(session).code == "none"
        with pytest.raises(ProjectError) as error:
            submit_work(session)
        assert error.value.key == "nothing-judged"
        assert read_submission(project) is None


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM event WHERE sequence = 2",
        "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '\"value\":1', '\"value\":3') AS BLOB) WHERE sequence = 1",
    ],
)
def test_an_invalid_log_is_not_submitted(project_file: Path, change: str) -> None:
    with open_project(project_file) as project:
        judge(Session(project), 3)
    outside_edits.change(project_file, change)
    with pytest.raises(ProjectError), open_project(project_file) as project:
        submit_work(Session(project))
    with open_project(project_file, writing=False) as project:
        assert project.get_setting("handed_in") is None


def test_the_error_names_the_event(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        judge(session, 3)
        project._db.execute("DROP TRIGGER event_remains")
        project._db.execute("DELETE FROM event WHERE sequence = 2")
        with pytest.raises(ProjectError) as error:
            submit_work(session)
        assert error.value.key == "broken-log"
        assert error.value.values["problems"].startswith("Event 3 ")
        assert "missing" in error.value.values["problems"]


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be moved there")
def test_a_failed_submission_can_be_repeated(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        judge(session, 2)
        moved = project_file.rename(project_file.with_name("moved"))
        with pytest.raises(CommitFailed):
            submit_work(session)
        assert read_submission(project) is None
        moved.rename(project_file)
        assert submit_work(session).submission is not None


@pytest.mark.parametrize(
    "stored_value", ["{", "[]", json.dumps({"time": "yesterday", "events": 1, "head": ""})]
)
def test_an_unreadable_note_is_reported(project_file: Path, stored_value: str) -> None:
    with open_project(project_file) as project:
        project.set_setting("handed_in", stored_value)
        with pytest.raises(ProjectError) as error:
            read_submission(project)
        assert error.value.values["file"] == "small.irjudge"
        assert error.value.values["error"]
