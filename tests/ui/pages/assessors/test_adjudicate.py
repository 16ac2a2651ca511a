"""The adjudication page: every vote in view, one key decides what was painted, and it is on disk before the next one comes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from irjudge.errors import CommitFailed
from irjudge.judging import (
    Dispute,
    Vote,
    exclude_assessor,
    find_disputes,
    list_pool_pairs,
    list_qrels_rows,
    read_adjudications,
    select_qrels,
)
from irjudge.judging.sources import map_retrieved_pairs
from irjudge.model import UNJUDGEABLE
from irjudge.store import EventLog
from irjudge_ui.pages.assessors.adjudicate import AdjudicateView, explain_listing
from irjudge_ui.pages.shared import SearchDialog
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from tests.numbers_in import numbers_in
from tests.ui.seen import cut_words, overlapping, place, settle
from tests.ui.shown import says

ONE_WINDOW = True

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def first_page() -> str:
    return "adjudicate"


@pytest.fixture
def page(assessed_window: Window, qtbot: QtBot) -> AdjudicateView:
    view = assessed_window.pages.view("adjudicate")
    assert isinstance(view, AdjudicateView)
    qtbot.waitUntil(lambda: view.can_decide)
    return view


def decided(page: AdjudicateView) -> dict[str, int]:
    assert page.project is not None
    return {
        document: each.grade for (_, document), each in read_adjudications(page.project).items()
    }


def next_one(page: AdjudicateView, qtbot: QtBot, press: Callable[..., None], key: str) -> str:
    """Press a key and wait for what comes; return the document that was on the desk."""
    assert page.dispute is not None
    before = page.dispute.document
    press(key)
    qtbot.waitUntil(lambda: page.state_stack.page is not None or page.can_decide)
    return before


def test_what_matters_most_is_shown_first_with_every_vote(
    page: AdjudicateView, qtbot: QtBot
) -> None:
    assert page.project is not None and page.dispute is not None
    assert page.queue == find_disputes(page.project) and page.dispute == page.queue[0]
    assert page.votes.names() == ["ann", "bob", "cleo"]
    noted = next((each for each in page.queue if each.votes[0].note), None)
    assert noted is not None
    page._show(noted)
    wanted = {"what ann thinks", "⚑ unsure", "Majority"}
    qtbot.waitUntil(
        lambda: wanted <= {label.text() for label in page.findChildren(QLabel) if label.isVisible()}
    )


def test_one_key_decides_and_the_next_one_comes(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    first = next_one(page, qtbot, press, "3")
    assert (
        decided(page) == {first: 3} and page.dispute is not None and page.dispute.document != first
    )
    second = next_one(page, qtbot, press, "x")
    assert decided(page) == {first: 3, second: UNJUDGEABLE}
    assert "undoes it" in page.panel.message() and page.project is not None
    rows = {
        document: grade
        for _, document, grade in list_qrels_rows(
            page.project, select_qrels(page.project, "consensus")
        )
    }
    assert rows[first] == 3 and rows[second] == UNJUDGEABLE, "the consensus follows the decisions"


def test_a_decision_is_taken_back_and_brought_back(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    first = next_one(page, qtbot, press, "1")
    press("z", CONTROL)
    assert decided(page) == {} and page.dispute is not None and page.dispute.document == first
    press("y", CONTROL)
    assert decided(page) == {first: 1}


def test_the_reason_typed_is_kept_with_the_decision_and_digits_in_it_decide_nothing(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    press("n")
    QTest.keyClicks(page.panel.why, "the 2 readings")
    assert decided(page) == {}
    QTest.keyClick(page.panel.why, Qt.Key.Key_Return)
    first = next_one(page, qtbot, press, "2")
    assert page.project is not None and page.panel.why.text() == ""
    [decision] = read_adjudications(page.project).values()
    assert (decision.document, decision.why) == (first, "the 2 readings")


@pytest.mark.slow
def test_a_reason_typed_waits_for_the_document_to_come_back(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    page.panel.why.setText("unsure yet")
    put_off = page.dispute
    next_one(page, qtbot, press, "s")
    assert page.panel.why.text() == "" and put_off is not None
    page._show(put_off)
    assert page.panel.why.text() == "unsure yet"
    page.panel.why.setText("sure now")
    qtbot.waitUntil(lambda: page.can_decide)
    next_one(page, qtbot, press, "1")
    page._show(put_off)
    assert page.panel.why.text() == "sure now", (
        "what was kept with the decision, not what was typed before"
    )


def test_what_was_put_off_comes_back_at_the_end_and_then_all_is_decided(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    put_off = next_one(page, qtbot, press, "s")
    disputed = [each.document for each in page.queue if each.is_split]
    order = [next_one(page, qtbot, press, "0") for _ in disputed]
    assert (
        page.state_stack.page is not None
        and order[-1] == put_off
        and sorted(order) == sorted(disputed)
    )
    assert set(decided(page).values()) == {0}
    told = " ".join(label.text() for label in page.state_stack.page.findChildren(QLabel))
    assert f": {sum(each.is_split for each in page.queue)}." in told


def test_names_are_hidden_on_request(page: AdjudicateView, press: Callable[..., None]) -> None:
    press("h")
    assert page.votes.names() == ["Assessor 1", "Assessor 2", "Assessor 3"]
    assert not [
        label
        for label in page.votes.findChildren(QLabel)
        if label.isVisible() and label.text() in ("ann", "bob", "cleo")
    ]
    press("h")
    assert page.votes.names() == ["ann", "bob", "cleo"]


def test_what_is_not_on_disk_stays_on_the_desk(
    page: AdjudicateView, press: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    assert page.dispute is not None
    before = page.dispute
    with monkeypatch.context() as broken:
        broken.setattr(EventLog, "append", full)
        press("2")
    assert (
        page.dispute is before
        and decided(page) == {}
        and "Not saved" in page.panel.message()
        and page.saving.has_failed_saves
    )
    press(Qt.Key.Key_F5)
    assert decided(page) == {before.document: 2}


def test_a_key_meant_for_the_document_before_is_ignored(
    page: AdjudicateView, settings: Settings, qtbot: QtBot, press: Callable[..., None]
) -> None:
    settings.set("guard_ms", 5000)
    press("2")
    assert decided(page) == {} and "Key ignored" in page.panel.message()


def test_a_held_key_decides_one_document(page: AdjudicateView, hold: Callable[..., None]) -> None:
    hold(page.document, Qt.Key.Key_2, 20)
    assert len(decided(page)) == 1


def test_a_document_of_the_list_is_opened_with_its_decision(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    first = next_one(page, qtbot, press, "1")
    line = [each.document for each in page.queue].index(first)
    assert page.list.index(line, 1).data() == "1"
    page.table.opened.emit(line)
    assert page.dispute is not None and page.dispute.document == first
    assert page.panel.buttons is not None and page.panel.buttons.buttons[1].is_given


def test_what_was_decided_is_in_view_beside_a_long_id(page: AdjudicateView, qtbot: QtBot) -> None:
    page.list.fill(
        [replace(each, document="a-document-with-a-very-long-id-" * 3) for each in page.queue]
    )
    page.table.fit()
    header = page.table.horizontalHeader()
    qtbot.waitUntil(lambda: header.length() <= page.table.viewport().width())


@pytest.mark.parametrize(
    ("grades", "weight", "numbers", "reason"),
    [
        ((0, 3), 3.0, "2 0 3", ""),
        ((3, 0, 0), 2.0, "3 2 0 3", ""),
        ((0, 1, 2), 1.0, "3 0 1 2", ""),
        ((UNJUDGEABLE, 2), 3.0, "2 2", ""),
        ((1, 1), 1.0, "2 2 1", "rules differ"),
        ((1, 1), 0.0, "2 2 1", "adjudicated"),
        ((1,), 0.0, "1 1", "adjudicated"),
        ((), 0.0, "", "adjudicated"),
    ],
)
def test_a_document_says_why_it_is_listed(
    grades: tuple[int, ...], weight: float, numbers: str, reason: str
) -> None:
    votes = tuple(Vote(f"w{at}", grade) for at, grade in enumerate(grades))
    words = explain_listing(Dispute("051", "d0", votes, (), weight, True, len(set(grades)) > 1))
    assert (
        numbers_in(words) == numbers.split()
    )  # votes, grades; "2 x 0" where a grade is given twice
    assert words.partition("; ")[2].endswith(reason) and bool(reason) is ("; " in words)
    assert ("unjudgeable" in words) is (UNJUDGEABLE in grades)


def test_the_panel_says_on_how_many_of_the_list_assessors_agree(page: AdjudicateView) -> None:
    votes = (Vote("ann", 0), Vote("bob", 0))
    agreed, differing = Dispute("051", "d0", votes, (), 1.0, True, False), page.queue[0]
    page._set_disputes(((differing, agreed), {}))
    assert page.votes._agreement_label.isVisible() and "1" in page.votes._agreement_label.text()
    page._show_progress()
    assert page.panel._meter._numbers.text() == "0 of 1"
    page._set_disputes(((differing,), {}))
    assert not page.votes._agreement_label.isVisible()


def test_documents_on_which_only_the_rules_differ_are_offered_after_all_others(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    votes = (Vote("ann", 0), Vote("bob", 0))
    differing = page.queue[0]
    others = [Dispute("051", each, votes, (), 9.0, True, False) for each in ("d0", "d1")]
    others = [
        replace(each, topic=differing.topic, document=key.document)
        for each, key in zip(others, page.queue[1:], strict=False)
    ]
    page._set_disputes(((*others, differing), {}))
    qtbot.waitUntil(lambda: page.can_decide)
    assert page.dispute == differing, "disagreements of assessors come first"
    next_one(page, qtbot, press, "1")
    state = page.state_stack.page
    assert state is not None and len(state.buttons) == 4
    state.buttons[-1].click()
    qtbot.waitUntil(lambda: page.can_decide)
    assert page.dispute == others[0]
    next_one(page, qtbot, press, "1")
    assert page.dispute == others[1] and page.state_stack.page is None
    next_one(page, qtbot, press, "1")
    assert page.state_stack.page is not None and len(page.state_stack.page.buttons) == 3


@pytest.mark.slow
def test_another_project_says_nothing_of_the_last_decision(
    page: AdjudicateView,
    qtbot: QtBot,
    press: Callable[..., None],
    assessed_window: Window,
    harbour_path: Path,
) -> None:
    next_one(page, qtbot, press, "3")
    assert page.panel.message()
    assert assessed_window.open(harbour_path)
    assert page.panel.message() == ""


def test_why_a_document_is_listed_stands_above_its_votes(page: AdjudicateView) -> None:
    assert page.dispute is not None
    assert page.votes.why.isVisible() and page.votes.why.text() == explain_listing(page.dispute)


@pytest.mark.slow
def test_what_was_decided_stays_in_the_list_when_nobody_disagrees_any_more_and_can_be_changed(
    page: AdjudicateView, idle: Callable[[], None], qtbot: QtBot, press: Callable[..., None]
) -> None:
    first = next_one(page, qtbot, press, "1")
    assert page.project is not None
    for name in ("bob", "cleo"):
        exclude_assessor(page.project, name)
    page.refresh()
    idle()
    assert [each.document for each in page.queue] == [first]
    assert page.list.index(0, 1).data() == "1"
    page.table.opened.emit(0)
    assert page.dispute is not None and [vote.assessor for vote in page.dispute.votes] == ["ann"]
    assert page.votes.why.text() == f"1 vote: {page.dispute.votes[0].grade}; adjudicated"
    qtbot.waitUntil(lambda: page.can_decide)
    press("2")
    assert decided(page) == {first: 2} and page.list.index(0, 1).data() == "2"


def test_where_assessors_agree_the_page_says_what_it_is_for(
    open_window: Window, idle: Callable[[], None]
) -> None:
    open_window.do("adjudicate")
    idle()
    view = open_window.pages.view("adjudicate")
    assert (
        isinstance(view, AdjudicateView)
        and view.state_stack.page is not None
        and not view.can_decide
    )
    view.state_stack.page.buttons[0].click()
    assert open_window.pages.on_top() == "agreement"


def looks_of(page: AdjudicateView) -> tuple[int, int, set[str]]:
    """Return how large the text is, and how many places are marked, and in which colours."""
    marks = page.document.extraSelections()
    colours = {each.format.background().color().name() for each in marks}  # type: ignore[attr-defined, unused-ignore]
    return page.document.document().defaultFont().pixelSize(), len(marks), colours


@pytest.mark.slow
def test_the_open_document_keeps_its_size_and_gets_marks_of_the_new_theme(
    page: AdjudicateView, assessed_window: Window, qtbot: QtBot, press: Callable[..., None]
) -> None:
    qtbot.waitUntil(lambda: looks_of(page)[1] > 0)
    size, marks, light = looks_of(page)
    press("t", CONTROL)
    qtbot.waitUntil(lambda: page.can_decide and looks_of(page)[1] == marks)
    assert looks_of(page)[0] == size >= 16
    assert looks_of(page)[2].isdisjoint(light), "marks for light paper are unreadable on dark paper"
    assert page.document.hasFocus(), "keys go on deciding"
    press("t", CONTROL)
    qtbot.waitUntil(lambda: looks_of(page) == (size, marks, light))


def test_all_votes_are_in_view_and_the_rules_follow_them(
    page: AdjudicateView, qtbot: QtBot
) -> None:
    page.window().resize(1366, 728)
    area = page.votes._area
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
    assert all(
        page.votes._votes.rect().contains(each.geometry()) and each.height() > 10
        for each in votes_of(page)
    )
    said = area.parentWidget()
    assert said is not None and said.height() - area.geometry().bottom() < 24, (
        "no empty room below the votes"
    )


def test_a_long_narrative_is_in_view_above_the_document(page: AdjudicateView, qtbot: QtBot) -> None:
    page.window().resize(1366, 728)
    assert page.project is not None and page.dispute is not None
    topic = replace(page._topics[page.dispute.topic], narrative="A relevant text says why. " * 12)
    page._topics[page.dispute.topic] = topic
    page._show(page.dispute)
    bar = page._topic_panel._area.verticalScrollBar()
    qtbot.waitUntil(lambda: page._topic_panel._card.height() > 150 and bar.maximum() == 0)


def votes_of(page: AdjudicateView) -> list[QWidget]:
    found = [
        page.votes._votes_box.itemAt(place).widget()
        for place in range(page.votes._votes_box.count())
    ]
    return [each for each in found if each is not None]


def test_a_laptop_shows_votes_grades_list_and_keys_without_scrolling(
    page: AdjudicateView, qtbot: QtBot
) -> None:
    page.window().resize(1366, 728)
    page_bar, left_bar = page._area.verticalScrollBar(), page._left.verticalScrollBar()
    qtbot.waitUntil(lambda: page_bar.maximum() == 0 and left_bar.maximum() == 0)
    settle()
    assert place(page.table).height() > 80, "the list is in the first view"
    for part in (*page.panel.buttons.buttons.values(), page.keys):
        assert place(part).size() == part.size()
    assert cut_words(page) == [] and overlapping(page) == []
    page.rule.compare.click()
    settle()
    assert page_bar.maximum() == 0 < left_bar.maximum(), "only the rules scroll"
    page.rule.compare.click()


def test_only_the_rule_in_use_is_explained_until_all_are_compared(page: AdjudicateView) -> None:
    def shown() -> set[str]:
        return {label.text() for label in page.rule.findChildren(QLabel) if label.isVisible()}

    assert "Majority" in shown() and "Lower median" not in shown()
    assert not page.rule.effects.isVisible()
    page.rule.compare.click()
    assert {"Majority", "Lower median"} <= shown() and page.rule.effects.isVisible()
    page.rule.compare.click()


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_votes_and_grades_are_in_the_first_view_of_a_small_window(
    page: AdjudicateView, assessed_window: Window, idle: Callable[[], None], zoom: float
) -> None:
    assessed_window.settings.set("zoom", zoom)
    assessed_window.resize(800 if zoom == 1 else 1366, 600 if zoom == 1 else 728)
    idle()
    settle()
    said = says(page.votes.strip)
    assert all(name in said for name in ("ann", "bob", "cleo"))
    if zoom == 1:
        for part in (page.votes.strip, page.panel.why, *page.panel.buttons.buttons.values()):
            assert place(part).size() == part.size(), part.accessibleName()
        assert place(page.document).height() > 80
    assert cut_words(page) == [] and overlapping(page) == []
    assessed_window.settings.set("zoom", 1.0)
    assessed_window.resize(1360, 820)
    settle()
    assert not page.votes.strip.isVisible() and page.panel.isAncestorOf(page.panel.grades)


def test_a_document_that_nobody_had_to_judge_is_found_and_decided(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None], idle: Callable[[], None]
) -> None:
    assert page.project is not None and page.dispute is not None
    on_desk, asked = page.dispute, {each.document for each in page.queue}
    press("/")
    dialog = page.findChild(SearchDialog)
    assert dialog is not None
    QTest.keyClicks(dialog.query, "bread dough")
    QTest.keyClick(dialog.query, Qt.Key.Key_Return)
    idle()
    pooled = {document for _, document in list_pool_pairs(page.project.rankings.pool())}
    qtbot.waitUntil(lambda: bool(dialog.hits.rows))
    line = next(
        line for line, each in enumerate(dialog.hits.rows) if each.hit.id not in asked | pooled
    )
    dialog.table.selectRow(line)
    found = dialog.hits.rows[line].hit.id
    press("3")
    assert decided(page)[found] == 3 and page.dispute == on_desk
    assert map_retrieved_pairs(page.project)[on_desk.topic, found] == "search"
    dialog.reject()


def test_the_first_key_moves_nothing_and_the_workflow_bar_counts_with_the_page(
    page: AdjudicateView,
    assessed_window: Window,
    qtbot: QtBot,
    idle: Callable[[], None],
    press: Callable[..., None],
) -> None:
    idle()
    settle()
    before = place(page.table)
    next_one(page, qtbot, press, "2")
    settle()
    assert page.panel.message() and place(page.table) == before
    status = assessed_window.steps._status
    assert status is not None and page.project is not None
    count = page._count(page.project)
    assert (status.adjudicated, status.disputed) == (count.adjudicated, count.total) != (0, 0)


def test_a_low_window_has_six_lines_of_the_document_and_the_grades_in_the_same_order(
    page: AdjudicateView, assessed_window: Window
) -> None:
    def order() -> list[int]:
        assert page.panel.buttons
        buttons = page.panel.buttons.buttons
        return sorted(
            buttons, key=lambda grade: (place(buttons[grade]).y(), place(buttons[grade]).x())
        )

    settle()
    wide = order()
    assessed_window.resize(800, 600)
    settle()
    assert order() == wide == [3, 2, 1, 0]
    lines = page.document.viewport().height() / page.document.fontMetrics().lineSpacing()
    assert lines / 1.5 >= 6, "documents have one and a half times the height of a line"
