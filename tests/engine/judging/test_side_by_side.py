"""Tests of a comparison session: durable events, resuming, and identical lists."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import CommitFailed, IrjudgeError, ProjectDamaged, ProjectError
from irjudge.judging import (
    Attention,
    ComparisonSession,
    PresentedLists,
    get_ledger,
    has_comparisons,
    iter_preferences,
    map_sides_to_runs,
    read_project_preferences,
    review_work,
    submit_work,
)
from irjudge.model import (
    AssignedItem,
    Assignment,
    Document,
    Event,
    Item,
    OrganiserNote,
    Scale,
    Topic,
)
from irjudge.store import COMPARISON_RULES, EventLog, Project, Round, create_project, open_project
from tests.outside_edits import change

LISTS = (("d0", "d1", "d2"), ("d2", "d0", "d3"))


def panel(topic: str, number: int, lists: tuple[tuple[str, ...], ...] = LISTS) -> AssignedItem:
    return AssignedItem(topic, lists, "panel", (f"L{number}", f"R{number}"))


def pairs(documents: int, topic: str = "7") -> list[AssignedItem]:
    return [
        AssignedItem(topic, ((f"d{a}",), (f"d{b}",)), "pair")
        for a in range(documents)
        for b in range(a + 1, documents)
    ]


def build(
    path: Path, items: list[AssignedItem], rules: dict[str, Any] | None = None, documents: int = 8
) -> None:
    with create_project(path, scale=Scale.parse("0-3"), title="Class", owner="ann") as project:
        project.collection.add_topics(
            [Topic("7", "why tides", "about tides"), Topic("9", "bread"), Topic("11", "bees")]
        )
        project.collection.add_documents(
            Document(f"d{number}", f"The tide {number}.".encode(), f"Title {number}")
            for number in range(documents)
        )
        project.assignments.add_round(Round(1, 0, {COMPARISON_RULES: rules or {}}, ""))
        secrets = [OrganiserNote("document", "bm25", "lm") for _ in items]
        project.assignments.add(
            Assignment(0, "a1", "ann", "side-by-side", 0, round=1), items, secrets
        )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build(path, [panel("7", 1), panel("9", 2), panel("11", 3)])
    return path


def open_session(project: Project) -> ComparisonSession:
    seconds = count()
    return ComparisonSession(project, clock=lambda: f"2026-03-01T09:00:{next(seconds):02}.000Z")


def current_lists(session: ComparisonSession) -> PresentedLists:
    current = session.current()
    assert current is not None
    return current


def test_the_event_names_presented_documents_contents_and_opaque_sides(
    path: Path,
) -> None:
    with open_project(path) as project:
        session = open_session(project)
        attention = Attention(1500, (1, 0), (900, 0), (3, 2))
        event = session.prefer(
            current_lists(session),
            "right",
            strength=2,
            reasons=["better order"],
            note="odd",
            attention=attention,
        )
    with open_project(path) as project:
        assert next(iter(project.events.read())) == event
        digests = project.collection.digests(["d0", "d1", "d2", "d3"])
    assert (event.item.type, event.item.documents) == (
        "panel",
        ("d0", "d1", "d2", "d2", "d0", "d3"),
    )
    assert event.item.contents == tuple(digests[document] for document in event.item.documents)
    assert event.payload == {
        "winner": "right",
        "strength": 2,
        "reasons": ["better order"],
        "note": "odd",
        "active_ms": 1500,
        "opens": [1, 0],
        "dwell_ms": [900, 0],
        "scrolled": [3, 2],
        "sides": ["L1", "R1"],
        "sizes": [3, 3],
    }


def test_work_resumes_where_it_stopped_and_undo_survives_a_restart(path: Path) -> None:
    with open_project(path) as project:
        session = open_session(project)
        session.prefer(current_lists(session), "left")
        session.advance()
        session.skip(current_lists(session))
    with open_project(path) as project:
        session = open_session(project)
        assert (session.count().judged, current_lists(session).topic.id) == (1, "11")
        assert session.undo() is not None and current_lists(session).topic.id == "9"
        assert session.undo() is not None and (
            current_lists(session).topic.id,
            session.count().judged,
        ) == ("7", 0)
        assert session.undo() is None
        assert session.redo() is not None and session.count().judged == 1


def test_each_item_has_the_rules_of_its_assignment(path: Path) -> None:
    with open_project(path) as project:
        rules = {"must_view": True, "grading": True, "reasons": ["clearer"], "top": 1}
        project.assignments.add_round(Round(2, 0, {COMPARISON_RULES: rules}, ""))
        items = [*pairs(3), panel("7", 4, ((), ("d1",)))]
        project.assignments.add(
            Assignment(0, "a2", "ann", "side-by-side", 0, round=2),
            items,
            [OrganiserNote("document", "bm25", "lm") for _ in items],
        )
        session = open_session(project)
        first_lists = current_lists(session)
        assert not session.rules.must_view
        session.prefer(first_lists, "left", reasons=["better order"])
        assert session.count("7").assigned == 2 + 2  # two panels, and two questions of the search
        types = ["panel"]
        while (lists := session.advance()) is not None:
            attention = Attention(100, (1, 1))
            types.append(lists.item.type)
            if session.rules.must_view:
                with pytest.raises(IrjudgeError) as unviewed:
                    session.prefer(lists, "left")
                assert unviewed.value.key == "not-viewed"
                session.prefer(lists, "left", reasons=["clearer"], attention=attention)
            else:
                with pytest.raises(IrjudgeError):
                    session.grade(lists, lists.right[0], 1)
                session.prefer(lists, "left")
        assert types[:4] == ["panel"] * 4 and set(types[4:]) == {"pair"}
        assert session.count().left == 0


def test_skipped_comparisons_come_last(path: Path) -> None:
    with open_project(path) as project:
        session, seen = open_session(project), []
        session.skip(current_lists(session))
        while current := session.advance():
            seen.append(current.topic.id)
            session.prefer(current, "tie")
        assert seen == ["9", "11", "7"] and session.current() is None
        assert session.outcomes() == {"tie": 3}


def test_work_continues_at_the_position_after_an_undo(path: Path) -> None:
    with open_project(path) as project:
        session = open_session(project)
        for _ in range(2):
            session.prefer(current_lists(session), "left")
            session.advance()
        at = current_lists(session).item
        assert not session.is_revisiting
        session.undo()
        session.undo()
        current = session.return_or_advance()
        assert current is not None and current.item == at and not session.is_revisiting
        session.redo()
        assert session.is_revisiting, "what was brought back is compared"
        session.redo()
        current = session.return_or_advance()
        assert current is not None and current.item == at and not session.is_revisiting
        session.prefer(current, "left")
        assert session.advance() is None and not session.is_revisiting
        session.undo()
        assert not session.is_revisiting, "it is the only one left"
        session.redo()
        assert session.is_revisiting and session.return_or_advance() is None


def test_adaptive_comparisons_do_not_continue_past_an_undone_answer(
    tmp_path: Path,
) -> None:
    build(tmp_path / "top.irjudge", pairs(5), {"top": 1}, documents=5)
    with open_project(tmp_path / "top.irjudge") as project:
        session = open_session(project)
        session.prefer(current_lists(session), "left")
        session.advance()
        session.undo()
        assert not session.is_revisiting
        session.redo()
        assert session.is_revisiting


def test_a_failed_write_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_project(path) as project:
        session = open_session(project)

        def full_disk(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        monkeypatch.setattr(EventLog, "append", full_disk)
        with pytest.raises(CommitFailed):
            session.prefer(current_lists(session), "left")
        assert session.count().judged == 0 and not session.can_undo


def test_identical_lists_are_recorded_once_and_cannot_be_undone(tmp_path: Path) -> None:
    path = tmp_path / "same.irjudge"
    build(path, [panel("7", 1), panel("9", 2, (LISTS[0], LISTS[0]))])
    for _ in range(2):
        with open_project(path) as project:
            session = open_session(project)
            assert (session.count().judged, session.count().assigned, session.identical()) == (
                1,
                2,
                1,
            )
            assert (
                current_lists(session).topic.id == "7"
                and not session.can_undo
                and session.is_unstarted
            )
            (event,) = project.events.read()
            assert (event.payload["winner"], event.payload["identical"]) == ("tie", True)
    with open_project(path) as project:
        session = open_session(project)
        session.prefer(current_lists(session), "left")
        assert session.undo() is not None and session.undo() is None and session.count().judged == 1


def test_the_same_lists_presented_twice_are_two_items(tmp_path: Path) -> None:
    path = tmp_path / "twice.irjudge"
    build(path, [panel("7", 1), panel("7", 2)])
    with open_project(path) as project:
        session = open_session(project)
        session.prefer(current_lists(session), "left")
        current = session.advance()
        assert current is not None and current.item.occurrence == 2
        session.prefer(current, "right")
        assert [event.payload["sides"] for event in iter_preferences(project, "panel")] == [
            ["L1", "R1"],
            ["L2", "R2"],
        ]
        assert read_project_preferences(project, map_sides_to_runs(project)).winner.tolist() == [
            1,
            -1,
        ]


def test_answers_against_the_rules_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rules.irjudge"
    build(path, [panel("7", 1)], {"must_view": True, "reasons": ["clearer"]})
    with open_project(path) as project:
        session = open_session(project)
        current = current_lists(session)
        for key, call in (
            (
                "not-viewed",
                lambda: session.prefer(current, "left", attention=Attention(scrolled=(3, 2))),
            ),
            (
                "unknown-reason",
                lambda: session.prefer(current, "left", reasons=["newer"]),
            ),
            ("invalid-strength", lambda: session.prefer(current, "left", strength=3)),
            ("no-grades", lambda: session.grade(current, current.left[0], 1)),
        ):
            with pytest.raises(IrjudgeError) as error:
                call()
            assert error.value.key == key
        assert session.list_unviewed_sides(current, Attention(opens=(0, 1), scrolled=(2, 0))) == (
            "left",
        )
        session.prefer(
            current, "left", reasons=["clearer"], attention=Attention(opens=(0, 1), scrolled=(3, 0))
        )
        assert session.count().judged == 1


def test_an_opened_result_is_graded_like_any_document(tmp_path: Path) -> None:
    path = tmp_path / "rules.irjudge"
    build(path, [panel("7", 1)], {"grading": True})
    with open_project(path) as project:
        session = open_session(project)
        current = current_lists(session)
        with pytest.raises(IrjudgeError, match="Grade 9 is not"):
            session.grade(current, current.left[0], 9)
        session.grade(current, current.left[0], 2)
        assert session.find_grade(current, current.right[1]) == 2, (
            "the same document is on the other side"
        )
        assert (
            session.undo() is not None
            and session.find_grade(current, current.left[0]) is None
            and current_lists(session) == current
        )


def test_the_only_result_of_both_lists_is_not_graded(tmp_path: Path) -> None:
    """Its grade would have the key of the comparison in the ledger, and count as its answer."""
    path = tmp_path / "rules.irjudge"
    build(path, [panel("7", 1, (("d0",), ()))], {"grading": True})
    with open_project(path) as project:
        session = open_session(project)
        current = current_lists(session)
        with pytest.raises(IrjudgeError) as refused:
            session.grade(current, current.left[0], 2)
        assert refused.value.key == "no-grades" and not session.can_grade(current)
        session.prefer(current, "left", attention=Attention(scrolled=(1, 0)))
        assert session.count().judged == 1


@pytest.mark.parametrize("top", [1, 3])
def test_a_tournament_finds_the_best_documents_with_fewer_questions_than_pairs(
    tmp_path: Path, top: int
) -> None:
    path = tmp_path / "top.irjudge"
    build(path, pairs(8), {"top": top})
    with open_project(path) as project:
        session, asked = open_session(project), 0
        current = session.current()
        while current is not None:
            left, right = current.left[0].document, current.right[0].document
            # the higher the number the better
            session.prefer(current, "left" if left > right else "right")
            asked, current = asked + 1, session.advance()
        assert asked < 28 and session.count().left == 0
        best = read_project_preferences(project)
        beaten = {
            best.items[right if winner > 0 else left]
            for left, right, winner in zip(best.left, best.right, best.winner, strict=True)
        }
        assert "d7" not in beaten
        undone = session.undo()
        assert undone is not None and current_lists(session).item.documents == undone.item.documents


def test_documents_of_a_pair_are_new_until_they_were_compared(tmp_path: Path) -> None:
    path = tmp_path / "pairs.irjudge"
    build(path, pairs(3))
    with open_project(path) as project:
        session = open_session(project)
        assert [each.is_new for each in current_lists(session).results] == [True, True]
        session.prefer(current_lists(session), "left")
        session.advance()
        assert [each.is_new for each in current_lists(session).results] == [False, True]


def test_the_next_comparison_is_prepared_one_result_at_a_time(path: Path) -> None:
    with open_project(path) as project:
        session = open_session(project)
        current_lists(session)
        made = sum(1 for _ in iter(session.prepare, False))
        assert made == 4, "of the next panel, which has four different documents for another topic"
        assert session.prepare() is False


def test_comparisons_with_documents_without_text_are_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "gap.irjudge"
    build(path, [panel("7", 1), panel("9", 2, (("d0", "gone"), ("d1",)))])
    with open_project(path) as project:
        session = open_session(project)
        assert session.without_text == ("gone",) and session.count().assigned == 1


def test_without_a_comparison_there_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "none.irjudge"
    with create_project(path, scale=Scale.parse("0-3")):
        pass
    with open_project(path) as project:
        assert not has_comparisons(project)
        with pytest.raises(ProjectError, match="set up a comparison first"):
            ComparisonSession(project)


def test_work_is_submitted_with_a_receipt(path: Path) -> None:
    with open_project(path) as project:
        session = open_session(project)
        session.prefer(current_lists(session), "left")
        session.advance()
        session.skip(current_lists(session))
        review = review_work(session)
        assert (review.total("judged"), review.total("assigned"), review.total("skipped")) == (
            1,
            3,
            1,
        ) and not review.complete
        receipt = submit_work(session)
        assert (receipt.judged_count, receipt.assigned_count, receipt.head) == (
            1,
            3,
            get_ledger(project).head,
        )


def test_grading_does_not_affect_the_pace_of_comparing(path: Path) -> None:
    with open_project(path) as project:
        head = None
        for number in range(6):
            item = Item("7", (f"d{number}",), ("00",))
            event = Event(
                "ann",
                "grade",
                item,
                "2026-01-01T00:00:00.000Z",
                {"value": 1, "scale": 1, "active_ms": 1000},
                None,
                head,
            )
            project.events.append(event)
            head = event.digest
        assert open_session(project).seconds_left() is None


def test_comparing_stops_at_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "gap.irjudge"
    build(path, [panel("7", 1), panel("9", 2)])
    with open_project(path) as project:
        session = open_session(project)
        for _ in range(2):
            session.prefer(current_lists(session), "left")
            session.advance()
    change(path, "DELETE FROM event WHERE sequence = 1")
    with (
        open_project(path) as project,
        pytest.raises(ProjectDamaged) as error,
    ):
        open_session(project)
    assert error.value.key == "gap"
