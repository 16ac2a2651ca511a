"""Tests of recording events: one chain per assessor, several sessions, and failed writes."""

import hashlib
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from irjudge.errors import CommitFailed
from irjudge.judging import (
    AdjudicationRecorder,
    ComparisonSession,
    PresentedDocument,
    Session,
    get_ledger,
    read_adjudications,
)
from irjudge.model import AssignedItem, Assignment, Document, Event, OrganiserNote, events
from irjudge.store import COMPARISON_RULES, Project, Round, open_project
from irjudge.store import events as log
from irjudge.store.connection import Connection


def current_document(session: Session) -> PresentedDocument:
    work = session.current()
    assert work is not None
    return work


def text_of(project: Project, id: str) -> Document:
    document = project.collection.document(id)
    assert document is not None
    return document


def compare(project: Project, *lists: tuple[tuple[str, ...], ...], grading: bool = False) -> None:
    """Ask the owner of a project to compare lists."""
    project.assignments.add_round(Round(1, 0, {COMPARISON_RULES: {"grading": grading}}, ""))
    items = [
        AssignedItem("051", each, "panel", (f"L{number}", f"R{number}"))
        for number, each in enumerate(lists)
    ]
    project.assignments.add(
        Assignment(0, "a1", "ann", "side-by-side", 0, round=1),
        items,
        [OrganiserNote("document", "x", "y") for _ in items],
    )


@pytest.fixture
def byte_counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return counts of hashed and of read event bytes."""
    counts = Counter[str]()

    def counting(name: str, function: Any) -> Any:
        def count(*values: Any) -> Any:
            counts[name] += 1
            return function(*values)

        return count

    monkeypatch.setattr(
        events, "hashlib", SimpleNamespace(sha256=counting("hashed", hashlib.sha256))
    )
    monkeypatch.setattr(log, "decode_event", counting("read", log.decode_event))
    return counts


def test_a_new_event_is_hashed_once_and_never_read_back(
    project_file: Path, byte_counts: Counter[str]
) -> None:
    with open_project(project_file) as project:
        compare(project, (("d0",), ("d1",)), (("d2",), ("d2",)))
        panels = ComparisonSession(project)
        session, deciding = Session(project), AdjudicationRecorder(project)
        session.grade(current_document(session), 3)
        session.advance()
        session.note(current_document(session), "half of it")
        session.undo()
        session.redo()
        current = panels.current()
        assert current is not None
        panels.prefer(current, "left")
        deciding.decide("051", text_of(project, "d1"), 2)
        deciding.undo()
        assert (session.count().judged, panels.count().judged) == (1, 2)
        get_ledger(project)
        assert byte_counts == {"hashed": project.events.count()} and project.events.count() == 8


def test_events_of_another_connection_are_taken_into_account(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        with project.second_connection() as other:
            there = Session(other)
            there.grade(there.open_item(session.queue.topic_items("051")[4]), 1)
        session.grade(current_document(session), 3)  # a fork: both started with an empty log
        assert session.count().judged == 2 and sum(1 for _ in get_ledger(project).judgments()) == 2
        session.undo()
        session.undo()
        assert session.count().judged == 0 and not session.can_undo


def test_two_sessions_of_one_owner_see_each_other_s_actions(project_file: Path) -> None:
    with open_project(project_file) as project:
        compare(project, (("d0",), ("d1",)), (("d1",), ("d2",)), grading=True)
        session, panels = Session(project), ComparisonSession(project)
        current = panels.current()
        assert current is not None
        panels.grade(current, current.left[0], 2)
        assert (session.count("051").judged, session.count().judged) == (1, 1)
        panels.prefer(current, "left")
        session.undo()
        assert panels.count().judged == 0, "the preference was the newest action"
        session.undo()
        assert session.count().judged == 0
        panels.redo()
        session.advance()
        for _ in range(session.count("051").left):
            session.grade(current_document(session), 0)
            session.advance()
        assert session.count("051").left == 0 and current_document(session).topic.id == "007"


def test_identical_lists_that_could_not_be_recorded_leave_no_trace(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_project(project_file) as project:
        compare(project, (("d0",), ("d0",)), (("d1",), ("d1",)), (("d2",), ("d3",)))
        with monkeypatch.context() as broken:

            def full(_db: Connection) -> None:
                raise CommitFailed("Not saved: the disk is full.")

            broken.setattr(Connection, "_check_identity", full)
            with pytest.raises(CommitFailed):
                ComparisonSession(project)
        assert (
            project.events.count() == 0
            and get_ledger(project).head is None
            and project.events.local_events() == []
        )
        panels = ComparisonSession(project)
        current = panels.current()
        assert current is not None and panels.identical() == 2
        panels.prefer(current, "left")
        parents = [event.parent for event in project.events.read()]
        assert parents == [None, *(event.digest for event in list(project.events.read())[:-1])]


def test_an_adjudication_of_a_copy_is_seen_before_the_next_one(project_file: Path) -> None:
    with open_project(project_file) as project:
        deciding = AdjudicationRecorder(project)
        with project.second_connection() as other:
            first: Event = AdjudicationRecorder(other).decide("051", text_of(other, "d1"), 1)
        deciding.follow()
        second = deciding.decide("051", text_of(project, "d2"), 2)
        assert second.parent == first.digest and len(read_adjudications(project)) == 2
