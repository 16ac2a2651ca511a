"""Tests of adjudication: events of the owner, of which the newest counts."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.judging import (
    AdjudicationRecorder,
    Ledger,
    Session,
    get_ledger,
    read_adjudications,
    read_valid_adjudications,
    sort_events,
)
from irjudge.judging.consensus import list_adjudications
from irjudge.model import UNJUDGEABLE, Document, Event, Item
from irjudge.store import EventLog, Project, open_project

PAIR = ("051", "d1")


def text_of(project: Project, document: str) -> Document:
    stored_document = project.collection.document(document)
    assert stored_document is not None
    return stored_document


def adjudicate(project: Project, document: str, grade: int, why: str = "") -> Event:
    return AdjudicationRecorder(project).decide(
        "051", text_of(project, document), grade, reason=why
    )


def test_the_newest_adjudication_counts_and_survives_reopening(project_file: Path) -> None:
    with open_project(project_file) as project:
        adjudicate(project, "d1", 0)
        adjudicate(project, "d2", UNJUDGEABLE)
        event = adjudicate(project, "d1", 2, "see page 2")
        assert event.payload["scale"] == project.scale.version and event.item.contents == (
            text_of(project, "d1").digest.hex(),
        )
    with open_project(project_file, writing=False) as project:
        adjudications = read_adjudications(project)
        assert {pair: each.grade for pair, each in adjudications.items()} == {
            PAIR: 2,
            ("051", "d2"): UNJUDGEABLE,
        }
        assert adjudications[PAIR].why == "see page 2"
        assert project.verify().problems == ()


def test_undo_and_redo_apply_only_to_adjudications(project_file: Path) -> None:
    with open_project(project_file) as project:
        session, adjudication = Session(project), AdjudicationRecorder(project)
        first = adjudicate(project, "d1", 0)
        session.grade(session.current(), 3)
        second = adjudicate(project, "d1", 2)
        judged = list(get_ledger(project).judgments())
        assert adjudication.undo() == second
        assert (read_adjudications(project).get(PAIR) or pytest.fail()).grade == 0
        assert adjudication.undo() == first and adjudication.undo() is None
        assert read_adjudications(project) == {}
        assert [adjudication.redo(), adjudication.redo(), adjudication.redo()] == [
            first,
            second,
            None,
        ]
        assert list(get_ledger(project).judgments()) == judged, "the owner's own judgments stay"
        session.undo()
        assert (read_adjudications(project).get(PAIR) or pytest.fail()).grade == 2, (
            "taking a judgment back takes no decision back"
        )
        heads = [event.parent for event in project.events.read(project.owner)]
        assert len(heads) == len(set(heads)), "one chain, without a fork"


def test_a_new_adjudication_clears_redo(project_file: Path) -> None:
    with open_project(project_file) as project:
        adjudicate(project, "d1", 0)
        AdjudicationRecorder(project).undo()
        adjudicate(project, "d2", 1)
        assert AdjudicationRecorder(project).redo() is None


def test_only_grades_of_the_scale_can_be_adjudicated(project_file: Path) -> None:
    with (
        open_project(project_file) as project,
        pytest.raises(IrjudgeError) as error,
    ):
        adjudicate(project, "d1", 7)
    assert error.value.values["grade"] == "7"
    assert error.value.values["values"] == "0, 1, 2, 3"
    assert error.value.key == "unknown-grade"


def test_an_unsaved_adjudication_does_not_count(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    with open_project(project_file) as project:
        with monkeypatch.context() as broken:
            broken.setattr(EventLog, "append", full)
            with pytest.raises(CommitFailed):
                adjudicate(project, "d1", 1)
        assert read_adjudications(project) == {}
        adjudicate(project, "d1", 1)
        assert project.verify().problems == ()


def test_only_the_owner_adjudicates(project_file: Path) -> None:
    with open_project(project_file) as project:
        item = Item("051", ("d1",), (text_of(project, "d1").digest.hex(),))
        project.events.append(
            Event(
                "bob",
                "adjudicate",
                item,
                "2026-01-01T00:00:00.000Z",
                {"value": 3, "scale": "", "why": ""},
            )
        )
        assert read_adjudications(project) == {}


def test_an_adjudication_of_another_text_is_invalid(project_file: Path) -> None:
    with open_project(project_file) as project:
        AdjudicationRecorder(project).decide("051", Document("d1", b"another text"), 1)
        adjudicate(project, "d2", 1)
        assert set(read_adjudications(project)) == {PAIR, ("051", "d2")}
        assert set(read_valid_adjudications(project)) == {("051", "d2")}


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """Return events of several copies of the owner's log.

    They are adjudications, their undos and redos, and grades between them.
    """
    events: list[Event] = []
    for number in range(draw(st.integers(0, 14))):
        parent = draw(st.sampled_from([None, *events]))
        decided = [event for event in events if event.kind == "adjudicate"]
        kind = draw(
            st.sampled_from(["adjudicate", "grade", *(("undo", "redo") if decided else ())])
        )
        target = draw(st.sampled_from(decided)).digest if kind in ("undo", "redo") else None
        item = Item("1", (draw(st.sampled_from("ab")),), ("00" * 32,))
        payload = {"value": number, "scale": "", "why": ""}
        events.append(
            Event(
                "ann",
                kind,
                item,
                draw(st.sampled_from("123")),
                payload,
                target,
                parent.digest if parent else None,
            )
        )
    return events


@given(logs(), st.randoms(use_true_random=False))
def test_adjudications_do_not_depend_on_the_order_of_arrival(
    events: list[Event], shuffle: random.Random
) -> None:
    mixed = events + events[:3]
    shuffle.shuffle(mixed)
    here, there = Ledger(sort_events(events)[0]), Ledger(sort_events(mixed)[0])
    assert list_adjudications(here) == list_adjudications(there)
    assert (here.decisions.next_undo, here.decisions.next_redo, here.head) == (
        there.decisions.next_undo,
        there.decisions.next_redo,
        there.head,
    )


def test_a_fork_of_the_log_gets_a_common_order(project_file: Path) -> None:
    with open_project(project_file) as project:
        first = adjudicate(project, "d1", 0)
        item, form = first.item, {"scale": project.scale.version, "why": ""}
        early = Event(
            project.owner,
            "adjudicate",
            item,
            "2000-01-01T00:00:00.000Z",
            {"value": 1, **form},
            None,
            first.digest,
        )
        late = Event(
            project.owner,
            "adjudicate",
            item,
            "2999-01-01T00:00:00.000Z",
            {"value": 2, **form},
            None,
            first.digest,
        )
        project.events.append(late)
        assert (read_adjudications(project).get(PAIR) or pytest.fail()).grade == 2
        project.events.append(early)
        assert (read_adjudications(project).get(PAIR) or pytest.fail()).grade == 2, (
            "the newest adjudication counts, in any order of arrival"
        )
