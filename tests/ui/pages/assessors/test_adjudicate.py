"""Tests of the adjudication page: votes, grading by key, and saving before the next document."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

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
    set_consensus_method,
)
from irjudge.judging.sources import map_retrieved_pairs
from irjudge.model import UNJUDGEABLE
from irjudge.progress import Progress
from irjudge.store import EventLog, Project
from irjudge_ui.pages.assessors.adjudicate import GRADE_COLUMN, AdjudicateView, explain_listing
from irjudge_ui.pages.shared import SearchDialog
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.layout_checks import find_cut_texts, find_overlaps, process_layouts, visible_rect
from tests.ui.window_content import visible_text

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


def adjudicated_grades(page: AdjudicateView) -> dict[str, int]:
    assert page.project is not None
    return {
        document: each.grade for (_, document), each in read_adjudications(page.project).items()
    }


def press_and_wait(page: AdjudicateView, qtbot: QtBot, press: Callable[..., None], key: str) -> str:
    """Press a key and wait for the next document; return the one shown before."""
    assert page.dispute is not None
    before = page.dispute.document
    press(key)
    qtbot.waitUntil(lambda: page.state_stack.page is not None or page.can_decide)
    return before


def test_the_largest_disagreement_is_shown_first_with_every_vote(
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


def test_one_key_adjudicates_and_shows_the_next_document(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    first = press_and_wait(page, qtbot, press, "3")
    assert (
        adjudicated_grades(page) == {first: 3}
        and page.dispute is not None
        and page.dispute.document != first
    )
    second = press_and_wait(page, qtbot, press, "x")
    assert adjudicated_grades(page) == {first: 3, second: UNJUDGEABLE}
    assert "undoes it" in page.panel.message.text() and page.project is not None
    rows = {
        document: grade
        for _, document, grade in list_qrels_rows(
            page.project, select_qrels(page.project, "consensus")
        )
    }
    assert rows[first] == 3 and rows[second] == UNJUDGEABLE, "the consensus follows the decisions"


def test_an_adjudication_updates_the_list_without_reading_every_row(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 2,000 rows, the window was blocked for 0.2 seconds after each decision."""
    assert page.table.isColumnHidden(GRADE_COLUMN)
    page._set_disputes(
        (
            (*page.queue, *(replace(page.queue[-1], document=f"d{n}") for n in range(1000))),
            page._titles,
        )
    )
    qtbot.waitUntil(lambda: page.can_decide)
    reads: list[object] = []
    compute_cached = Project.compute_cached

    def count(project: Project, make: Callable[..., Any], progress: Progress | None = None) -> Any:
        reads.append(make)
        return compute_cached(project, make, progress)

    monkeypatch.setattr(Project, "compute_cached", count)
    row = page.queue.index(page.dispute) if page.dispute else -1
    press_and_wait(page, qtbot, press, "3")
    assert len(reads) < 300
    assert page.list.index(row, GRADE_COLUMN).data() == "3"
    assert not page.table.isColumnHidden(GRADE_COLUMN)
    press("z", CONTROL)
    qtbot.waitUntil(lambda: page.can_decide)
    assert page.list.index(row, GRADE_COLUMN).data() == ""
    assert page.table.isColumnHidden(GRADE_COLUMN)


def test_an_adjudication_is_undone_and_redone(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    first = press_and_wait(page, qtbot, press, "1")
    press("z", CONTROL)
    assert (
        adjudicated_grades(page) == {}
        and page.dispute is not None
        and page.dispute.document == first
    )
    press("y", CONTROL)
    assert adjudicated_grades(page) == {first: 1}


def test_the_typed_reason_is_stored_and_its_digits_adjudicate_nothing(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    press("n")
    QTest.keyClicks(page.panel.why, "the 2 readings")
    assert adjudicated_grades(page) == {}
    QTest.keyClick(page.panel.why, Qt.Key.Key_Return)
    first = press_and_wait(page, qtbot, press, "2")
    assert page.project is not None and page.panel.why.text() == ""
    [decision] = read_adjudications(page.project).values()
    assert (decision.document, decision.why) == (first, "the 2 readings")


@pytest.mark.slow
def test_a_reason_being_typed_is_restored_when_its_document_returns(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    page.panel.why.setText("unsure yet")
    put_off = page.dispute
    press_and_wait(page, qtbot, press, "s")
    assert page.panel.why.text() == "" and put_off is not None
    page._show(put_off)
    assert page.panel.why.text() == "unsure yet"
    page.panel.why.setText("sure now")
    qtbot.waitUntil(lambda: page.can_decide)
    press_and_wait(page, qtbot, press, "1")
    page._show(put_off)
    assert page.panel.why.text() == "sure now", (
        "the note stored with the adjudication, not the text typed before"
    )


def test_a_postponed_document_comes_last_and_then_all_are_adjudicated(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    put_off = press_and_wait(page, qtbot, press, "s")
    disputed = [each.document for each in page.queue if each.is_split]
    order = [press_and_wait(page, qtbot, press, "0") for _ in disputed]
    assert (
        page.state_stack.page is not None
        and order[-1] == put_off
        and sorted(order) == sorted(disputed)
    )
    assert set(adjudicated_grades(page).values()) == {0}
    text = " ".join(label.text() for label in page.state_stack.page.findChildren(QLabel))
    assert f": {sum(each.is_split for each in page.queue)}." in text


def test_assessor_names_are_hidden_on_request(
    page: AdjudicateView, press: Callable[..., None]
) -> None:
    press("h")
    assert page.votes.names() == ["Assessor 1", "Assessor 2", "Assessor 3"]
    assert not [
        label
        for label in page.votes.findChildren(QLabel)
        if label.isVisible() and label.text() in ("ann", "bob", "cleo")
    ]
    press("h")
    assert page.votes.names() == ["ann", "bob", "cleo"]


def test_a_document_whose_adjudication_is_not_saved_stays_on_screen(
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
        and adjudicated_grades(page) == {}
        and "Not saved" in page.panel.message.text()
        and page.saving.has_failed_saves
    )
    press(Qt.Key.Key_F5)
    assert adjudicated_grades(page) == {before.document: 2}


def test_a_key_pressed_for_the_previous_document_is_ignored(
    page: AdjudicateView, settings: Settings, qtbot: QtBot, press: Callable[..., None]
) -> None:
    settings.set("guard_ms", 5000)
    press("2")
    assert adjudicated_grades(page) == {} and "Key ignored" in page.panel.message.text()


def test_a_held_key_adjudicates_one_document(
    page: AdjudicateView, hold_key: Callable[..., None]
) -> None:
    hold_key(page.document, Qt.Key.Key_2, 20)
    assert len(adjudicated_grades(page)) == 1


def test_a_document_opened_from_the_list_shows_its_adjudication(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    first = press_and_wait(page, qtbot, press, "1")
    line = [each.document for each in page.queue].index(first)
    assert page.list.index(line, 1).data() == "1"
    page.table.opened.emit(line)
    assert page.dispute is not None and page.dispute.document == first
    assert page.panel.buttons is not None and page.panel.buttons.buttons[1].is_given


def test_the_adjudicated_grade_is_visible_next_to_a_long_id(
    page: AdjudicateView, qtbot: QtBot
) -> None:
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
        ((3, 0, 0), 2.0, "3 0 2 3", ""),
        ((0, 1, 2), 1.0, "3 0 1 2", ""),
        ((UNJUDGEABLE, 2), 3.0, "2 2", ""),
        ((1, 1), 1.0, "2 1 2", "rules differ"),
        ((1, 1), 0.0, "2 1 2", "adjudicated"),
        ((1,), 0.0, "1 1", "adjudicated"),
        ((), 0.0, "", "adjudicated"),
    ],
)
def test_a_document_shows_why_it_is_listed(
    grades: tuple[int, ...], weight: float, numbers: str, reason: str
) -> None:
    votes = tuple(Vote(f"w{at}", grade) for at, grade in enumerate(grades))
    explanation = explain_listing(
        Dispute("051", "d0", votes, (), weight, True, len(set(grades)) > 1)
    )
    assert (
        find_numbers(explanation) == numbers.split()
    )  # votes, grades; "0 (2x)" if a grade is given twice
    assert explanation.partition("; ")[2].endswith(reason) and bool(reason) is ("; " in explanation)
    assert ("unjudgeable" in explanation) is (UNJUDGEABLE in grades)


def test_the_panel_counts_listed_documents_on_which_assessors_agree(page: AdjudicateView) -> None:
    votes = (Vote("ann", 0), Vote("bob", 0))
    agreed, differing = Dispute("051", "d0", votes, (), 1.0, True, False), page.queue[0]
    page._set_disputes(((differing, agreed), {}))
    assert page.votes._agreement_label.isVisible() and "1" in page.votes._agreement_label.text()
    page._show_progress()
    assert page.panel._meter._numbers.text() == "0 of 1"
    page._set_disputes(((differing,), {}))
    assert not page.votes._agreement_label.isVisible()


def test_documents_on_which_only_the_rules_differ_come_after_all_others(
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
    press_and_wait(page, qtbot, press, "1")
    state = page.state_stack.page
    assert state is not None and len(state.buttons) == 4
    state.buttons[-1].click()
    qtbot.waitUntil(lambda: page.can_decide)
    assert page.dispute == others[0]
    press_and_wait(page, qtbot, press, "1")
    assert page.dispute == others[1] and page.state_stack.page is None
    press_and_wait(page, qtbot, press, "1")
    assert page.state_stack.page is not None and len(page.state_stack.page.buttons) == 3


def test_a_reason_being_typed_is_kept_when_another_document_is_graded_or_undone(
    page: AdjudicateView, qtbot: QtBot, press: Callable[..., None]
) -> None:
    press_and_wait(page, qtbot, press, "1")
    dispute = page.dispute
    assert dispute is not None
    page.panel.why.setText("unsure yet")
    page._on_search_graded("another document", 1)
    assert page.panel.why.text() == "unsure yet"
    page.turns.undo()
    qtbot.waitUntil(lambda: page.dispute is not dispute and page.can_decide)
    page._show(dispute)
    assert page.panel.why.text() == "unsure yet"


def test_the_rule_in_use_is_that_of_the_project_after_another_page_has_changed_it(
    page: AdjudicateView, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    set_consensus_method(page.project, "lower-median")
    page.refresh()
    wait_until_idle()
    assert any(
        label.text() == "Lower median" for label in page.votes.rule_in_use.findChildren(QLabel)
    )


@pytest.mark.slow
def test_another_project_shows_nothing_of_the_last_adjudication(
    page: AdjudicateView,
    qtbot: QtBot,
    press: Callable[..., None],
    assessed_window: Window,
    harbour_path: Path,
) -> None:
    press_and_wait(page, qtbot, press, "3")
    assert page.panel.message.text()
    assert assessed_window.open(harbour_path)
    assert page.panel.message.text() == ""


def test_the_reason_for_listing_a_document_is_above_its_votes(page: AdjudicateView) -> None:
    assert page.dispute is not None
    assert page.votes.why.isVisible() and page.votes.why.text() == explain_listing(page.dispute)


@pytest.mark.slow
def test_adjudicated_documents_stay_listed_after_agreement_and_can_be_changed(
    page: AdjudicateView,
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    press: Callable[..., None],
) -> None:
    first = press_and_wait(page, qtbot, press, "1")
    assert page.project is not None
    for name in ("bob", "cleo"):
        exclude_assessor(page.project, name)
    page.refresh()
    wait_until_idle()
    assert [each.document for each in page.queue] == [first]
    assert page.list.index(0, 1).data() == "1"
    page.table.opened.emit(0)
    assert page.dispute is not None and [vote.assessor for vote in page.dispute.votes] == ["ann"]
    assert page.votes.why.text() == f"1 vote: {page.dispute.votes[0].grade}; adjudicated"
    qtbot.waitUntil(lambda: page.can_decide)
    press("2")
    assert adjudicated_grades(page) == {first: 2} and page.list.index(0, 1).data() == "2"


def test_without_disagreements_the_page_explains_its_purpose(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.do("adjudicate")
    wait_until_idle()
    view = open_window.pages.view("adjudicate")
    assert (
        isinstance(view, AdjudicateView)
        and view.state_stack.page is not None
        and not view.can_decide
    )
    view.state_stack.page.buttons[0].click()
    assert open_window.pages.on_top() == "agreement"


def text_format(page: AdjudicateView) -> tuple[int, int, set[str]]:
    """Return the font size of the text, the number of marks, and their colours."""
    marks = page.document.extraSelections()
    colours = {each.format.background().color().name() for each in marks}  # type: ignore[attr-defined, unused-ignore]
    return page.document.document().defaultFont().pixelSize(), len(marks), colours


@pytest.mark.slow
def test_the_open_document_keeps_its_font_size_and_gets_marks_of_the_new_theme(
    page: AdjudicateView, assessed_window: Window, qtbot: QtBot, press: Callable[..., None]
) -> None:
    qtbot.waitUntil(lambda: text_format(page)[1] > 0)
    size, marks, light = text_format(page)
    press("t", CONTROL)
    qtbot.waitUntil(lambda: page.can_decide and text_format(page)[1] == marks)
    assert text_format(page)[0] == size >= 16
    assert text_format(page)[2].isdisjoint(light), (
        "marks for light paper are unreadable on dark paper"
    )
    assert page.document.hasFocus(), "keys go on deciding"
    press("t", CONTROL)
    qtbot.waitUntil(lambda: text_format(page) == (size, marks, light))


def test_all_votes_are_visible_and_the_rules_follow_them(
    page: AdjudicateView, qtbot: QtBot
) -> None:
    page.window().resize(1366, 728)
    area = page.votes._area
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
    assert all(
        page.votes._votes.rect().contains(each.geometry()) and each.height() > 10
        for each in vote_widgets(page)
    )
    parent = area.parentWidget()
    assert parent is not None and parent.height() - area.geometry().bottom() < 24, (
        "no empty room below the votes"
    )


def test_a_long_narrative_is_visible_above_the_document(page: AdjudicateView, qtbot: QtBot) -> None:
    page.window().resize(1366, 728)
    assert page.project is not None and page.dispute is not None
    topic = replace(page._topics[page.dispute.topic], narrative="A relevant text says why. " * 12)
    page._topics[page.dispute.topic] = topic
    page._show(page.dispute)
    bar = page._topic_panel._area.verticalScrollBar()
    qtbot.waitUntil(lambda: page._topic_panel._card.height() > 150 and bar.maximum() == 0)


def vote_widgets(page: AdjudicateView) -> list[QWidget]:
    result = [
        page.votes._votes_box.itemAt(index).widget()
        for index in range(page.votes._votes_box.count())
    ]
    return [each for each in result if each is not None]


def test_a_laptop_shows_votes_grades_list_and_keys_without_scrolling(
    page: AdjudicateView, qtbot: QtBot
) -> None:
    page.window().resize(1366, 728)
    page_bar, left_bar = page._area.verticalScrollBar(), page._left_area.verticalScrollBar()
    qtbot.waitUntil(lambda: page_bar.maximum() == 0 and left_bar.maximum() == 0)
    process_layouts()
    assert visible_rect(page.table).height() > 80, "the list is in the first view"
    for part in (*page.panel.buttons.buttons.values(), page.keys):
        assert visible_rect(part).size() == part.size()
    assert find_cut_texts(page) == [] and find_overlaps(page) == []
    page.rule.compare.click()
    process_layouts()
    assert page_bar.maximum() == 0 < left_bar.maximum(), "only the rules scroll"
    page.rule.compare.click()


def test_only_the_current_rule_is_explained_until_all_are_compared(page: AdjudicateView) -> None:
    def visible_texts() -> set[str]:
        return {label.text() for label in page.rule.findChildren(QLabel) if label.isVisible()}

    assert "Majority" in visible_texts() and "Lower median" not in visible_texts()
    assert not page.rule.effects.isVisible()
    page.rule.compare.click()
    assert {"Majority", "Lower median"} <= visible_texts() and page.rule.effects.isVisible()
    page.rule.compare.click()


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_votes_and_grades_are_visible_without_scrolling_in_a_small_window(
    page: AdjudicateView, assessed_window: Window, wait_until_idle: Callable[[], None], zoom: float
) -> None:
    assessed_window.settings.set("zoom", zoom)
    assessed_window.resize(800 if zoom == 1 else 1366, 600 if zoom == 1 else 728)
    wait_until_idle()
    process_layouts()
    text = visible_text(page.votes.strip)
    assert all(name in text for name in ("ann", "bob", "cleo"))
    if zoom == 1:
        for part in (page.votes.strip, page.panel.why, *page.panel.buttons.buttons.values()):
            assert visible_rect(part).size() == part.size(), part.accessibleName()
        assert visible_rect(page.document).height() > 80
    assert find_cut_texts(page) == [] and find_overlaps(page) == []
    assessed_window.settings.set("zoom", 1.0)
    assessed_window.resize(1360, 820)
    process_layouts()
    assert not page.votes.strip.isVisible() and page.panel.isAncestorOf(page.panel.grades)


def test_a_document_that_was_not_assigned_is_listed_and_adjudicated(
    page: AdjudicateView,
    qtbot: QtBot,
    press: Callable[..., None],
    wait_until_idle: Callable[[], None],
) -> None:
    assert page.project is not None and page.dispute is not None
    current_dispute, asked = page.dispute, {each.document for each in page.queue}
    press("/")
    dialog = page.findChild(SearchDialog)
    assert dialog is not None
    QTest.keyClicks(dialog.query, "bread dough")
    QTest.keyClick(dialog.query, Qt.Key.Key_Return)
    wait_until_idle()
    pooled = {document for _, document in list_pool_pairs(page.project.rankings.pool())}
    qtbot.waitUntil(lambda: bool(dialog.hits.rows))
    line = next(
        line for line, each in enumerate(dialog.hits.rows) if each[0].id not in asked | pooled
    )
    dialog.table.selectRow(line)
    hit_id = dialog.hits.rows[line][0].id
    press("3")
    assert adjudicated_grades(page)[hit_id] == 3 and page.dispute == current_dispute
    assert map_retrieved_pairs(page.project)[current_dispute.topic, hit_id] == "search"
    dialog.reject()


def test_the_first_key_scrolls_nothing_and_the_workflow_bar_counts_with_the_page(
    page: AdjudicateView,
    assessed_window: Window,
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
    press: Callable[..., None],
) -> None:
    wait_until_idle()
    process_layouts()
    before = visible_rect(page.table)
    press_and_wait(page, qtbot, press, "2")
    process_layouts()
    assert page.panel.message.text() and visible_rect(page.table) == before
    status = assessed_window.steps._status
    assert status is not None and page.project is not None
    count = page._count(page.project)
    assert (status.adjudicated, status.disputed) == (count.adjudicated, count.total) != (0, 0)


def test_a_low_window_shows_six_lines_of_the_document_and_the_same_order_of_grades(
    page: AdjudicateView, assessed_window: Window
) -> None:
    def order() -> list[int]:
        assert page.panel.buttons
        buttons = page.panel.buttons.buttons
        return sorted(
            buttons,
            key=lambda grade: (visible_rect(buttons[grade]).y(), visible_rect(buttons[grade]).x()),
        )

    process_layouts()
    wide = order()
    assessed_window.resize(800, 600)
    process_layouts()
    assert order() == wide == [3, 2, 1, 0]
    lines = page.document.viewport().height() / page.document.fontMetrics().lineSpacing()
    assert lines / 1.5 >= 6, "documents have one and a half times the height of a line"


def test_a_reason_being_typed_is_kept_when_the_rule_changes(
    page: AdjudicateView, wait_until_idle: Callable[[], None]
) -> None:
    pair = page.dispute.pair if page.dispute else None
    page.panel.why.setText("off topic")
    page.rule.rule.setCurrentIndex(1 - page.rule.rule.currentIndex())
    page.rule.rule.activated.emit(page.rule.rule.currentIndex())
    wait_until_idle()
    dispute = next(each for each in page.queue if each.pair == pair)
    page._show(dispute)
    wait_until_idle()
    assert page.panel.why.text() == "off topic"


def test_after_a_cancellation_the_page_says_so(
    page: AdjudicateView, wait_until_idle: Callable[[], None]
) -> None:
    page._change_rule()
    page.cancel_jobs()
    assert page.state_page is not None and not page._disputes_job.busy
    page.restart_jobs()
    wait_until_idle()
    assert page.state_page is None and page.can_decide
