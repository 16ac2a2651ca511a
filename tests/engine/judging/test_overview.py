"""Tests of the overview of a topic: counts, the list of documents, and navigation."""

from pathlib import Path

import pytest

from irjudge.judging import ItemState, QueueItem, Session
from irjudge.store import open_project


@pytest.fixture
def worked_session(project_file: Path):
    """Return a session on topic `051` with judgments, an undo, a skip and a flag.

    The grades are 2 (3 s), then 0 after undoing 3 (1 s + 5 s); one document is unjudgeable, one
    skipped and unsure, and two are untouched.
    """
    with open_project(project_file) as project:
        session = Session(project)
        order = [
            session.open_item(QueueItem("051", document))
            for document in session.queue.documents("051")
        ]
        session.grade(order[0], 2, active_ms=3000)
        session.grade(order[1], 3, active_ms=1000)
        session.undo()
        session.grade(order[1], 0, active_ms=5000)
        session.mark_unjudgeable(order[2], "spam", active_ms=0)
        session.skip(order[3], active_ms=700)
        session.set_unsure(order[3], True)
        yield session


def test_the_list_of_a_topic_has_its_documents_in_order_with_their_states(
    worked_session: Session,
) -> None:
    order = [QueueItem("051", document) for document in worked_session.queue.documents("051")]
    assert worked_session.item_states("051") == (
        ItemState(order[0], "grade", 2),
        ItemState(order[1], "grade", 0),
        ItemState(order[2], "unjudgeable"),
        ItemState(order[3], "skipped", None, True),
        ItemState(order[4], "unjudged"),
        ItemState(order[5], "unjudged"),
    )
    assert worked_session.item_states("none such") == ()


def test_the_summary_counts_every_grade_and_the_total_time(
    worked_session: Session,
) -> None:
    summary = worked_session.summary("051")
    assert (summary.judged, summary.assigned, summary.grades) == (3, 6, {0: 1, 1: 0, 2: 1, 3: 0})
    assert (summary.unjudgeable, summary.skipped, summary.unsure) == (1, 1, 1)
    assert (summary.active_ms, summary.median_ms) == (9700, 3000)
    assert (summary.topics_left, summary.documents_left) == (2, 9)


def test_a_topic_without_judgments_has_no_median(worked_session: Session) -> None:
    summary = worked_session.summary("007")
    assert (summary.judged, summary.active_ms, summary.median_ms) == (0, 0, None)


def test_a_finished_topic_is_not_a_remaining_one(worked_session: Session) -> None:
    for item in worked_session.item_states("051"):
        if item.state in ("unjudged", "skipped"):
            worked_session.grade(worked_session.open_item(item.item), 1)
    assert (
        worked_session.summary("051").topics_left,
        worked_session.summary("051").documents_left,
    ) == (1, 6)


@pytest.mark.parametrize("write", ["note", "draft", "rationale"])
def test_notes_drafts_and_rationales_are_marked_in_the_list(
    worked_session: Session, write: str
) -> None:
    work = worked_session.current()
    assert work is not None and not any(
        state.has_annotations for state in worked_session.item_states(work.topic.id)
    )
    worked_session.rationale(work, "words", 0, 5) if write == "rationale" else getattr(
        worked_session, write
    )(work, "words")
    assert [
        state.item for state in worked_session.item_states(work.topic.id) if state.has_annotations
    ] == [work.queue_item]
    worked_session.note(work, "")
    assert any(state.has_annotations for state in worked_session.item_states(work.topic.id)) == (
        write == "rationale"
    )


def test_titles_are_read_for_a_whole_topic(worked_session: Session) -> None:
    assert worked_session.titles("051") == {f"d{number}": f"title {number}" for number in range(6)}
    assert worked_session.titles("none such") == {}


def test_going_back_visits_earlier_judgments(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        assert session.last_judged() is None
        judged = []
        for grade in (1, 2, 3):
            work = session.advance()
            session.grade(work, grade)
            judged.append(work.queue_item)
        assert session.last_judged() == judged[1], "the newest one is on the desk"
        session.advance()
        for expected in reversed(judged):
            assert session.last_judged() == expected
            session.open_item(expected)
        assert session.last_judged() is None
        session.grade(session.open_item(judged[0]), 0)
        session.advance()
        assert session.last_judged() == judged[0]


def test_undone_judgments_are_not_visited_again(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.advance(), 1)
        first = session.current().queue_item
        session.grade(session.advance(), 2)
        session.undo()
        assert session.last_judged() == first
        session.redo()
        session.advance()
        assert session.last_judged() != first
