"""Tests of the ledger: a common order of events, and the state after them."""

import random
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.judging import (
    Ledger,
    QueueItem,
    Session,
    get_ledger,
    list_grades_in_force,
    sort_events,
)
from irjudge.model import Event, EventKind, Item, Scale
from irjudge.store import create_project, open_project
from tests.lengths import example_count

A, B = Item("1", ("a",), ("00" * 32,)), Item("1", ("b",), ("11" * 32,))


def event(
    kind: EventKind = "grade",
    item: Item = A,
    *,
    time: str = "1",
    parent: Event | None = None,
    target: Event | None = None,
    value: int = 0,
) -> Event:
    payload = {"value": bool(value) if kind == "unsure" else value, "reason": "other", "text": ""}
    return Event(
        "ann",
        kind,
        item,
        time,
        payload,
        target.digest if target else None,
        parent.digest if parent else None,
    )


@st.composite
def forests(draw: st.DrawFn) -> list[Event]:
    """Draw events of several copies of a log: parents precede children, and clocks are wrong."""
    events: list[Event] = []
    for number in range(draw(st.integers(0, 12))):
        parent = draw(st.sampled_from([None, *events]))
        events.append(event(parent=parent, time=draw(st.sampled_from("123")), value=number))
    return events


def slow_order(events: list[Event]) -> list[Event]:
    """Repeatedly take the earliest event whose parent has been taken."""
    left, ordered = list(events), []
    while ready := [
        each
        for each in left
        if each.parent is None or each.parent in {done.digest for done in ordered}
    ]:
        ordered.append(min(ready, key=lambda each: (each.time, each.digest)))
        left.remove(ordered[-1])
    return ordered


@given(forests(), st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_the_order_of_arrival(
    events: list[Event], shuffle: random.Random
) -> None:
    mixed = events + events[:3]
    shuffle.shuffle(mixed)
    ordered, waiting = sort_events(mixed)
    assert (ordered, waiting) == (slow_order(events), [])


@given(forests(), st.data())
def test_an_event_with_a_missing_parent_waits_and_so_do_later_ones(
    events: list[Event], data: st.DataObject
) -> None:
    missing = data.draw(st.sets(st.sampled_from(events))) if events else set()
    there = [each for each in events if each not in missing]
    ordered, waiting = sort_events(there)
    assert ordered == slow_order(there)
    assert {each.digest for each in waiting} == {each.digest for each in there} - {
        each.digest for each in ordered
    }


def test_the_chain_takes_precedence_over_the_clock() -> None:
    first = event(time="9")
    second = event(time="1", parent=first, value=1)
    assert sort_events([second, first]) == ([first, second], [])


def test_two_branches_are_interleaved_by_time() -> None:
    root = event(time="1")
    left, right = event(time="3", parent=root, value=1), event(time="2", parent=root, value=2)
    after_left = event(time="2", parent=left, value=3)
    assert sort_events([after_left, left, right, root])[0] == [root, right, left, after_left]


def chain(*steps: tuple) -> tuple[Ledger, list[Event]]:
    """Apply (kind, item, value) or ('undo' or 'redo', index of the target) one by one."""
    events: list[Event] = []
    for step in steps:
        parent = events[-1] if events else None
        if step[0] in ("undo", "redo"):
            events.append(
                event(step[0], events[step[1]].item, parent=parent, target=events[step[1]])
            )
        else:
            events.append(event(step[0], step[1], parent=parent, value=step[2]))
    return Ledger(events), events


def test_undo_restores_the_previous_judgment() -> None:
    ledger, events = chain(("grade", A, 1), ("grade", A, 2), ("undo", 1))
    assert ledger.judgment(A.key) == events[0]
    assert (ledger.actions.next_undo, ledger.actions.next_redo) == (events[0], events[1])


def test_redo_restores_the_undone_judgment_until_a_new_action() -> None:
    ledger, events = chain(("grade", A, 1), ("undo", 0), ("redo", 0))
    assert (ledger.judgment(A.key), ledger.actions.next_redo) == (events[0], None)
    ledger, events = chain(("grade", A, 1), ("undo", 0), ("skip", B, 0))
    assert (ledger.judgment(A.key), ledger.actions.next_redo, ledger.actions.next_undo) == (
        None,
        None,
        events[2],
    )


def test_an_undo_of_an_older_action_undoes_that_action() -> None:
    ledger, events = chain(("grade", A, 1), ("grade", B, 2), ("undo", 0))
    assert (ledger.judgment(A.key), ledger.judgment(B.key)) == (None, events[1])


def test_an_undo_from_two_copies_undoes_once() -> None:
    ledger, events = chain(("grade", A, 1), ("undo", 0), ("undo", 0))
    assert (ledger.judgment(A.key), ledger.actions.next_undo, ledger.actions.next_redo) == (
        None,
        None,
        events[0],
    )


def test_a_judgment_ends_a_skip_and_a_skip_keeps_a_judgment() -> None:
    ledger, _ = chain(("skip", A, 0))
    assert ledger.is_skipped(A.key)
    ledger, events = chain(("skip", A, 0), ("unjudgeable", A, 0))
    assert (ledger.is_skipped(A.key), ledger.judgment(A.key)) == (False, events[1])
    ledger, events = chain(("grade", A, 1), ("skip", A, 0))
    assert ledger.judgment(A.key) == events[0]


def test_notes_and_flags_can_be_undone_and_are_not_judgments() -> None:
    ledger, events = chain(("grade", A, 1), ("note", A, 0), ("unsure", A, 0))
    assert (ledger.actions.next_undo, ledger.judgment(A.key)) == (events[2], events[0])
    assert list(ledger.judgments()) == [events[0]]


@settings(max_examples=example_count(40))
@given(forests(), st.randoms(use_true_random=False), st.data())
def test_an_updated_ledger_equals_a_rebuilt_one(
    template: Path, events: list[Event], shuffle: random.Random, data: st.DataObject
) -> None:
    shuffle.shuffle(events)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_project(Path(shutil.copy(template, folder))) as project,
    ):
        for number, each in enumerate(events):
            project.events.append(each)
            if data.draw(st.booleans()) or number == len(events) - 1:
                followed = get_ledger(project, "ann")
                fresh = Ledger(sort_events(events[: number + 1])[0])
                assert (followed.head, followed.actions.next_undo) == (
                    fresh.head,
                    fresh.actions.next_undo,
                )
                assert list(followed.judgments()) == list(fresh.judgments())


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ledger") / "empty.irjudge"
    with create_project(path, scale=Scale.parse("binary"), owner="ann"):
        pass
    return path


def test_the_newest_judgment_counts_only_for_its_assessor(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        bob = Session(project, "bob")
        for position, grade in (
            (QueueItem("051", "d1"), 3),
            (QueueItem("051", "d2"), 1),
            (QueueItem("051", "d1"), 0),
        ):
            bob.grade(bob.open_item(position), grade)
        result = [
            (event.item.documents[0], event.payload["value"])
            for event in list_grades_in_force(project, "bob")
        ]
        assert result == [("d1", 0), ("d2", 1)] and list_grades_in_force(project) == []
        item = Item("051", ("d0", "d1"), ("", ""), "pair")
        project.events.append(
            Event(
                "bob",
                "preference",
                item,
                "2999-01-01T00:00:00.000Z",
                {"value": "left"},
                None,
                project.events.head("bob"),
            )
        )
        assert len(list_grades_in_force(project, "bob")) == 2, "a preference is not a grade"
