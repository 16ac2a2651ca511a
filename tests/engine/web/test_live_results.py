"""Tests of results that participants may see: without excluded participants and open documents."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from irjudge.web import SchedulingOptions, live_results
from irjudge.web.host import MIN_PARTICIPANTS
from tests.engine.web.test_live_evaluation import Pupil, Room, class_project


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A session in which a document is shown after its minimum number of judgments."""
    with class_project(tmp_path / "class.irjudge") as project:
        yield Room(
            project, SchedulingOptions(overlap=MIN_PARTICIPANTS), "abcdefgh"[:MIN_PARTICIPANTS]
        )


def judge_all(pupil: Pupil, grade: int) -> None:
    while items := pupil.request_items():
        pupil.judge(items[0], grade)


def test_judgments_of_an_excluded_participant_are_left_out(room: Room) -> None:
    *others, last = room.people
    for pupil in others:
        judge_all(pupil, 2)
    judge_all(last, 0)
    results = live_results(room.project)
    assert results.participants == MIN_PARTICIPANTS and results.agreement is not None
    assert results.document is not None and results.document.votes == MIN_PARTICIPANTS
    assert [count for *_, count in results.document.counts] == [1, 0, MIN_PARTICIPANTS - 1]
    room.session.exclude_participant(last.id)
    left = live_results(room.project)
    assert left.participants == MIN_PARTICIPANTS - 1 and left.document is None  # now too few


def test_a_document_is_shown_once_no_participant_can_still_judge_it(room: Room) -> None:
    *others, last = room.people
    for pupil in others:
        judge_all(pupil, 1)
    assert live_results(room.project).document is None
    judge_all(last, 1)
    assert live_results(room.project).document is not None
