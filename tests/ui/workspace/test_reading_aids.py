"""Tests of reading aids: highlighted terms, moving between hits, find bar, best passage."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from irjudge.judging import PresentedDocument
from irjudge.model import Document, Topic
from irjudge.text import to_html
from irjudge_ui import jobs
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import DocumentView, Theme, column
from irjudge_ui.widgets.text_marks import MAX_BLOCK_MARKS, MAX_MARKS, first_visible_position
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from irjudge_ui.workspace import ReadingAids, TopicPanel
from irjudge_ui.workspace.document_page import MAX_CHARACTERS_AT_ONCE
from irjudge_ui.workspace.highlights import TermButton
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import label_texts, visible_text

TIDES = Topic("1", "tides moon")
BREAD = Topic("2", "bread")
FILLER = "Nothing of use stands in this line of the text.\n\n"
# long enough to be searched in the background
LONG = FILLER * (4 * MAX_CHARACTERS_AT_ONCE // len(FILLER))


@dataclass
class Page:
    """A document view with the controls of its reading aids."""

    document: DocumentView
    panel: TopicPanel
    reading: ReadingAids
    holder: QWidget

    def show(self, text: str, topic: Topic = TIDES, *, best: bool = False) -> None:
        work = PresentedDocument(topic, Document("d", text.encode(), "", "text"))
        self.document.show_html(to_html(work.document))
        self.reading.begin(work, best_passage=best)

    def marked_texts(self) -> list[str]:
        return [
            each.cursor.selectedText()
            for each in self.document.extraSelections()
            if not is_underlined(each)
        ]

    def mark_positions(self) -> list[int]:
        return [each.cursor.selectionStart() for each in self.document.extraSelections()]

    def matched_texts(self) -> list[str]:
        return [
            each.cursor.selectedText()
            for each in self.document.extraSelections()
            if is_underlined(each)
        ]

    def selected_text(self) -> tuple[int, str]:
        cursor = self.document.textCursor()
        return cursor.selectionStart(), cursor.selectedText()

    def select_text(self, text: str) -> None:
        begin = self.document.toPlainText().index(text)
        cursor = self.document.textCursor()
        cursor.setPosition(begin)
        cursor.setPosition(begin + len(text), QTextCursor.MoveMode.KeepAnchor)
        self.document.setTextCursor(cursor)

    def term_counts(self) -> dict[str, str]:
        """Return the terms on the card and their counts."""
        lines = self.panel.highlights._rows.values()
        return {word.toolTip(): cap.text() for cap, word in lines}

    def card_title(self) -> str:
        return str(self.panel.highlights._position.text())

    def is_selection_visible(self) -> bool:
        """Return whether the selection is visible, with lines above it unless it is at the top."""
        item = self.document.cursorRect(self.document.textCursor())
        is_at_top = self.document.verticalScrollBar().value() == 0
        return self.document.viewport().rect().contains(item) and (
            is_at_top or item.top() > item.height()
        )


def is_underlined(selection: object) -> bool:
    return bool(selection.format.fontUnderline() or selection.format.underlineStyle().value)  # type: ignore[attr-defined]


@pytest.fixture
def page(qtbot: QtBot, set_look: Callable[[Theme, float], None]) -> Page:
    set_look(LIGHT, 1.0)
    holder, document, panel = QWidget(), DocumentView(), TopicPanel()
    qtbot.addWidget(holder)
    reading = ReadingAids(document, panel)
    box = QHBoxLayout(holder)
    box.addWidget(panel)
    box.addLayout(column(reading.bar, reading.notice, document), 1)
    panel.arrange("wide")
    holder.resize(900, 600)
    holder.show()
    holder.activateWindow()
    document.setFocus()
    qtbot.waitUntil(document.hasFocus)
    return Page(document, panel, reading, holder)


def find_button(page: Page, name: str) -> QPushButton:
    return next(
        each
        for each in page.holder.findChildren(QPushButton)
        if each.accessibleName() == name and each.isVisible()
    )


def term_buttons(page: Page) -> list[TermButton]:
    """Return the buttons of the terms, from the top."""
    return sorted(page.panel.highlights.findChildren(TermButton), key=lambda each: each.y())


def term_button(page: Page, label: str) -> TermButton:
    return next(
        each for each in page.panel.highlights.findChildren(TermButton) if each.toolTip() == label
    )


@pytest.fixture
def wait_until_searched(page: Page, qtbot: QtBot) -> Callable[[], None]:
    """Function that waits until all of the text is loaded and searched."""
    return lambda: qtbot.waitUntil(lambda: page.document.complete and not jobs.is_busy())


# Highlighted terms


def test_the_topics_terms_are_highlighted_and_counted(page: Page) -> None:
    page.show("The tide. Tides! The moon’s pull.")
    assert page.marked_texts() == ["tide", "Tides", "moon"]
    assert page.term_counts() == {"tides": "2", "moon": "1"}
    assert page.reading.has_hits


def test_a_selected_word_becomes_a_highlighted_term_at_once(page: Page) -> None:
    page.show("The spring tide and the neap tide. Spring!")
    page.select_text("spring")
    page.reading.highlight()
    assert page.term_counts() == {"tides": "2", "moon": "0", "spring": "2"}
    assert page.marked_texts() == ["spring", "tide", "tide", "Spring"]


def test_words_selected_across_two_paragraphs_become_a_phrase(page: Page) -> None:
    page.show("low\ntide and low tide")
    cursor = page.document.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(8, QTextCursor.MoveMode.KeepAnchor)
    page.document.setTextCursor(cursor)
    page.reading.highlight()
    assert page.term_counts()["low tide"] == "2"


def test_without_a_selection_the_field_takes_a_term_and_returns_the_focus(
    page: Page, qtbot: QtBot
) -> None:
    page.show("The spring tide.")
    page.reading.highlight()
    field = page.panel.highlights.field
    assert field.hasFocus()
    qtbot.keyClicks(field, " spring ")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert page.term_counts()["spring"] == "1" and field.text() == "" and page.document.hasFocus()
    page.reading.highlight()
    qtbot.keyClicks(field, "nea")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert page.document.hasFocus() and field.text() == "" and "nea" not in page.term_counts()


@pytest.mark.parametrize("text", ["", "   ", "spring", "SPRING"])
def test_empty_and_duplicate_terms_are_not_added(text: str, page: Page) -> None:
    page.show("The spring tide.")
    page.reading.add("Spring")
    page.reading.add(text)
    assert list(page.term_counts()) == ["tides", "moon", "Spring"]


def test_a_whole_paragraph_is_refused_with_a_message(page: Page, qtbot: QtBot) -> None:
    page.show("tide " * 40)
    page.document.selectAll()
    with qtbot.waitSignal(page.reading.message_shown) as shown:
        page.reading.highlight()
    assert find_numbers(shown.args[0]) == ["100"] and list(page.term_counts()) == ["tides", "moon"]


def test_the_current_hit_is_not_added_when_a_term_is_requested(page: Page) -> None:
    page.show("The spring tide.")
    page.reading.next_hit()
    page.reading.highlight()
    assert page.panel.highlights.field.hasFocus() and list(page.term_counts()) == ["tides", "moon"]


def test_a_match_selected_by_find_is_not_added_when_a_term_is_requested(
    page: Page, qtbot: QtBot
) -> None:
    page.show("The spring tide.")
    open_find_bar(page, "ring", qtbot)
    qtbot.keyClick(page.reading.bar.field, Qt.Key.Key_Escape)
    assert page.selected_text()[1] == "ring"
    page.reading.highlight()
    qtbot.keyClicks(QApplication.focusWidget(), "spr")
    assert page.panel.highlights.field.text() == "spr" and list(page.term_counts()) == [
        "tides",
        "moon",
    ]
    page.select_text("spring")
    page.reading.highlight()
    assert list(page.term_counts()) == ["tides", "moon", "spring"]


def test_own_terms_belong_to_their_topic_and_are_restored_with_it(page: Page) -> None:
    page.show("spring tide")
    page.reading.add("spring")
    page.show("a spring in the next document, spring")
    assert page.term_counts()["spring"] == "2"
    page.show("bread in spring", BREAD)
    assert page.term_counts() == {"bread": "1"} and page.marked_texts() == ["bread"]
    page.show("spring again")
    assert page.term_counts()["spring"] == "1" and page.marked_texts() == ["spring"]


def test_a_topic_with_the_same_number_in_another_project_has_its_own_terms(page: Page) -> None:
    page.show("spring tide")
    page.reading.add("spring")
    page.show("spring tide", Topic("1", "tides moon", "Of another project."))
    assert list(page.term_counts()) == ["tides", "moon"]


def test_own_terms_of_a_project_are_restored_after_a_restart(
    page: Page, settings: Settings, tmp_path: Path
) -> None:
    page.reading.store_terms(settings, tmp_path / "a.irjudge")
    page.show("spring tide, neap tide")
    page.reading.add("spring")
    page.reading.add("neap")
    page.reading.remove(0)
    page.reading.store_terms(settings, tmp_path / "b.irjudge")
    page.show("spring tide, neap tide")
    assert list(page.term_counts()) == ["tides", "moon"], "another project has words of its own"
    page.reading.store_terms(Settings(tmp_path / "settings.ini"), tmp_path / "a.irjudge")
    page.show("spring tide, neap tide")
    assert list(page.term_counts()) == ["tides", "moon", "neap"] and page.marked_texts() == [
        "tide",
        "neap",
        "tide",
    ]


def test_another_topic_with_as_many_terms_has_its_own_card(page: Page) -> None:
    page.show("tide")
    page.show("sea", Topic("4", "sea water"))
    assert page.term_counts() == {"sea": "1", "water": "0"}


def test_where_two_terms_match_the_same_text_the_own_term_is_counted(page: Page) -> None:
    page.show("tide tides")
    page.reading.add("tide")
    assert page.term_counts() == {
        "tides": "1",
        "moon": "0",
        "tide": "1",
    } and page.marked_texts() == [
        "tide",
        "tides",
    ]


def test_an_own_term_can_be_removed_and_is_marked_by_text(page: Page, qtbot: QtBot) -> None:
    page.show("spring tide neap")
    page.reading.add("spring")
    page.reading.add("neap")
    assert [
        each
        for each in page.holder.findChildren(QLabel)
        if each.text() == "Added by you" and each.isVisible()
    ]
    qtbot.mouseClick(find_button(page, "Remove spring"), Qt.MouseButton.LeftButton)
    assert list(page.term_counts()) == ["tides", "moon", "neap"] and page.marked_texts() == [
        "tide",
        "neap",
    ]
    assert page.document.hasFocus()
    qtbot.mouseClick(find_button(page, "Remove neap"), Qt.MouseButton.LeftButton)
    assert not [
        each
        for each in page.holder.findChildren(QLabel)
        if each.text() == "Added by you" and each.isVisible()
    ]


def test_terms_in_scripts_without_spaces_and_after_an_emoji_are_highlighted(
    page: Page,
) -> None:
    page.show("🌙🌙 大潮与月亮, tide 🌙 潮汐")
    page.reading.add("月亮")
    page.reading.add("🌙 潮汐")
    assert page.marked_texts() == ["月亮", "tide", "🌙 潮汐"]
    page.reading.previous_hit()
    assert page.selected_text()[1] == "🌙 潮汐"


def test_key_caps_are_shown_next_to_their_actions(page: Page) -> None:
    page.show("tide")
    caps = [
        each.text()
        for each in page.panel.highlights.findChildren(QPushButton)
        if each.objectName() == "keycap"
    ]
    assert {"H", "J", "K"} <= set(caps)
    assert {each.text() for each in page.reading.bar.findChildren(QLabel)} >= {
        "F3",
        "Shift F3",
        "Esc",
    }


# Moving between hits


def test_next_and_previous_go_through_all_hits_and_wrap_around(page: Page) -> None:
    page.show("tide, moon, tide")
    seen = []
    for _ in range(4):
        page.reading.next_hit()
        seen.append((*page.selected_text(), page.card_title()))
    assert seen == [
        (0, "tide", "1 of 3"),
        (6, "moon", "2 of 3"),
        (12, "tide", "3 of 3"),
        (0, "tide", "1 of 3"),
    ]
    page.reading.previous_hit()
    assert (page.selected_text(), page.card_title()) == ((12, "tide"), "3 of 3")


def test_clicking_key_caps_acts_like_their_keys_and_leaves_the_focus(
    page: Page, qtbot: QtBot
) -> None:
    page.show("tide, moon, tide")
    for name, position in (("Next", "1 of 3"), ("Next", "2 of 3"), ("Previous", "1 of 3")):
        qtbot.mouseClick(find_button(page, f"{name} highlight"), Qt.MouseButton.LeftButton)
        assert page.card_title() == position and page.document.hasFocus()
    qtbot.mouseClick(find_button(page, "Add a term to highlight"), Qt.MouseButton.LeftButton)
    assert page.panel.highlights.field.hasFocus()


def test_a_hit_is_scrolled_into_view_with_lines_above_it(page: Page) -> None:
    page.show(FILLER * 80 + "tide\n\n" + FILLER * 80 + "moon")
    page.reading.next_hit()
    assert page.selected_text()[1] == "tide" and page.is_selection_visible()
    page.reading.next_hit()
    assert page.selected_text()[1] == "moon" and page.is_selection_visible()
    page.reading.next_hit()
    assert page.selected_text()[1] == "tide" and page.is_selection_visible()


def test_moving_between_hits_starts_at_the_top_of_the_view(page: Page) -> None:
    page.show("tide\n\n" + FILLER * 80 + "tide\n\n" + FILLER * 80)
    page.document.verticalScrollBar().setValue(300)
    page.reading.next_hit()
    assert page.card_title() == "2 of 2"


def test_a_click_on_a_term_of_the_card_goes_to_its_next_hit(page: Page, qtbot: QtBot) -> None:
    page.show("tide moon tide moon tide")
    qtbot.mouseClick(term_button(page, "moon"), Qt.MouseButton.LeftButton)
    assert page.selected_text() == (5, "moon")
    qtbot.keyClick(term_button(page, "moon"), Qt.Key.Key_Return)
    assert page.selected_text() == (15, "moon") and page.card_title() == "4 of 5"
    qtbot.mouseClick(term_button(page, "moon"), Qt.MouseButton.LeftButton)
    assert page.selected_text() == (5, "moon")


def test_a_term_without_hits_is_labelled_and_disabled(page: Page) -> None:
    page.show("tide")
    assert (
        not term_button(page, "moon").isEnabled()
        and term_button(page, "moon").accessibleName() == "moon, 0 occurrences"
    )
    assert (
        term_button(page, "tides").isEnabled()
        and term_button(page, "tides").accessibleName() == "tides, 1 occurrence"
    )


def test_a_document_without_hits_has_no_next_hit(page: Page) -> None:
    page.show("Nothing.")
    page.reading.next_hit()
    page.reading.go_to_term(0)
    assert not page.reading.has_hits and page.selected_text() == (0, "")


def test_without_room_for_the_card_the_keys_work_and_report_the_current_hit(
    page: Page, qtbot: QtBot
) -> None:
    page.panel.arrange("narrow")
    page.show("spring tide moon")
    messages: list[str] = []
    page.reading.message_shown.connect(messages.append)
    page.reading.highlight()
    page.select_text("spring")
    page.reading.highlight()
    page.reading.next_hit()
    nothing_selected, *others = messages
    assert nothing_selected and others == ["Highlighted: spring.", "2 of 3"]


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_twenty_terms_fit_on_the_card_by_scrolling(
    zoom: float, page: Page, set_look: Callable[[Theme, float], None]
) -> None:
    set_look(LIGHT, zoom)
    page.show("tide", Topic("3", "alpha beta gamma delta epsilon zeta eta theta iota kappa"))
    for number in range(10):
        page.reading.add(f"{'very ' * number}long word {number}")
    QApplication.processEvents()
    card = page.panel.highlights
    area = card.findChild(QScrollArea)
    assert len(page.term_counts()) == 20 and card.height() < page.panel.height()
    assert card.field.isVisible() and page.panel.rect().contains(card.geometry())
    assert area.verticalScrollBar().maximum() > 0 and area.horizontalScrollBar().maximum() == 0
    newest = term_button(page, "very " * 9 + "long word 9")
    assert area.viewport().rect().contains(newest.mapTo(area.viewport(), newest.rect().center()))
    last = find_button(page, "Remove " + "very " * 9 + "long word 9")
    last.setFocus()
    area.ensureWidgetVisible(last)
    assert area.viewport().rect().contains(last.mapTo(area.viewport(), last.rect().center()))


def test_terms_that_occur_come_first_and_keep_their_buttons(page: Page) -> None:
    topic = Topic("3", "alpha beta gamma delta epsilon zeta eta theta iota kappa")
    page.show("kappa then gamma, gamma", topic)
    lines = term_buttons(page)
    assert [line.toolTip() for line in lines][:4] == ["gamma", "kappa", "alpha", "beta"] and len(
        lines
    ) == 10
    assert [line.isEnabled() for line in lines] == [True] * 2 + [False] * 8 and page.term_counts()[
        "gamma"
    ] == "2"
    lines[1].click()
    assert page.selected_text() == (0, "kappa")
    page.show("beta", topic)
    assert [line.toolTip() for line in term_buttons(page)][:3] == [
        "beta",
        "alpha",
        "gamma",
    ] and page.term_counts()["gamma"] == "0"


# Long documents and many hits


@pytest.mark.slow
def test_a_long_document_is_searched_in_the_background(
    page: Page, wait_until_searched: Callable[[], None]
) -> None:
    page.show("🌙 tide " + LONG + "moon 🌙")
    assert page.term_counts()["tides"] == "…" and not page.reading.has_hits
    wait_until_searched()
    assert page.marked_texts() == ["tide", "moon"] and page.term_counts() == {
        "tides": "1",
        "moon": "1",
    }


def test_text_loaded_later_is_highlighted_and_counted_at_the_end(page: Page, qtbot: QtBot) -> None:
    work = PresentedDocument(TIDES, Document("d", b"The tide and the", "", "text"))
    page.document.show_html(to_html(work.document))
    page.document.complete = False
    page.reading.begin(work)
    assert page.marked_texts() == ["tide"] and page.term_counts()["tides"] == "…"
    page.reading.add("the moon")
    cursor = QTextCursor(page.document.document())
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertText(" moon, tides")
    page.document.complete = True
    page.document.loaded.emit()
    qtbot.waitUntil(lambda: page.marked_texts() == ["tide", "the moon", "tides"])
    assert page.term_counts() == {"tides": "2", "moon": "0", "the moon": "1"}


def test_a_highlight_at_the_end_of_the_loaded_text_does_not_grow_with_later_text(
    page: Page,
) -> None:
    page.show("the tide")
    cursor = QTextCursor(page.document.document())
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertText("less")
    assert page.marked_texts() == ["tide"]


@pytest.mark.slow
def test_a_document_that_is_still_loading_has_no_matches(page: Page, qtbot: QtBot) -> None:
    page.show("tide " * MAX_CHARACTERS_AT_ONCE, best=True)
    open_find_bar(page, "tide", qtbot)
    page.reading.stop()
    page.document.clear()
    qtbot.waitUntil(lambda: not jobs.is_busy())
    assert (
        not page.reading.has_hits
        and page.marked_texts() == []
        and page.reading.bar.status == "Not in this document"
    )


def test_the_search_in_an_earlier_document_is_dropped(
    page: Page, wait_until_searched: Callable[[], None]
) -> None:
    page.show("tide " * MAX_CHARACTERS_AT_ONCE)
    page.show("one moon")
    wait_until_searched()
    assert page.marked_texts() == ["moon"] and page.term_counts() == {"tides": "0", "moon": "1"}


@pytest.mark.slow
def test_of_thousands_of_hits_the_visible_ones_are_highlighted_after_scrolling(
    page: Page, qtbot: QtBot
) -> None:
    page.show("tide and \n\n" * 5000)
    assert page.term_counts()["tides"] == "5,000" and len(page.marked_texts()) == MAX_MARKS
    for value in (page.document.verticalScrollBar().maximum(), 40_000):
        page.document.verticalScrollBar().setValue(value)
        at = first_visible_position(page.document)
        qtbot.waitUntil(lambda at=at: page.mark_positions()[0] < at <= page.mark_positions()[-1])
        assert len(page.mark_positions()) == MAX_MARKS
    page.reading.previous_hit()
    assert page.card_title() != "" and page.selected_text()[1] == "tide"


def test_the_number_of_highlighted_hits_in_a_crowded_paragraph_is_reported(page: Page) -> None:
    page.show("tide " * 1000 + "moon")
    assert len(
        page.marked_texts()
    ) == MAX_BLOCK_MARKS and f"{MAX_BLOCK_MARKS} of 1,001 occurrences marked" in label_texts(
        page.panel.highlights
    )
    assert page.term_counts() == {"tides": "1,000", "moon": "1"}
    page.show("tide and moon")
    assert "occurrences marked" not in visible_text(page.panel.highlights)


@pytest.mark.slow
def test_a_paragraph_of_endless_matches_never_blocks_the_window(
    page: Page, wait_until_searched: Callable[[], None], qtbot: QtBot
) -> None:
    gaps, last = list[float](), [monotonic()]

    def tick() -> None:
        gaps.append(monotonic() - last[0])
        last[0] = monotonic()

    clock = QTimer(page.holder)
    clock.timeout.connect(tick)
    page.show("tide " * 52_000)
    clock.start(0)
    wait_until_searched()
    assert page.term_counts() == {"tides": "50,000+", "moon": "0+"}
    assert any(find_numbers(text)[-1:] == ["50,000"] for text in label_texts(page.panel.highlights))
    assert term_button(page, "tides").accessibleName() == "tides, 50,000 occurrences or more"
    page.reading.next_hit()
    assert page.card_title() == "1 of more than 50,000"
    page.reading.find()
    page.reading.bar.field.setText("t")
    wait_until_searched()
    assert page.reading.bar.status == "1 of more than 50,000"
    assert gaps and max(gaps) < 2, "seconds, on a machine that does much else"


# Find


def open_find_bar(page: Page, typed: str, qtbot: QtBot) -> None:
    page.reading.find()
    assert page.reading.bar.field.hasFocus()
    qtbot.keyClicks(page.reading.bar.field, typed)


def test_typed_text_is_found_inside_words_and_is_marked_differently(
    page: Page, qtbot: QtBot
) -> None:
    page.show("Riptides and a TIDE.")
    open_find_bar(page, "tide", qtbot)
    assert page.matched_texts() == ["tide", "TIDE"] and page.marked_texts() == ["TIDE"]
    assert page.selected_text() == (3, "tide") and page.reading.bar.status == "1 of 2"


@pytest.mark.parametrize(
    ("text", "typed", "matches"),
    [
        ("Straße STRASSE", "ss", ["ß", "SS"]),
        ("İstanbul istanbul", "istanbul", ["İstanbul", "istanbul"]),
        ("e.g. this", ".", [".", "."]),
        ("🌙🌙 月 tide", "月 t", ["月 t"]),
    ],
)
def test_find_ignores_case_and_takes_punctuation_literally(
    text: str, typed: str, matches: list[str], page: Page
) -> None:
    page.show(text)
    page.reading.find()
    page.reading.bar.field.setText(typed)
    assert page.matched_texts() == matches


def test_match_case_repeats_the_search(page: Page, qtbot: QtBot) -> None:
    page.show("Tide tide")
    open_find_bar(page, "tide", qtbot)
    page.reading.bar.case.click()
    assert page.matched_texts() == ["tide"] and page.selected_text() == (5, "tide")


def test_next_and_previous_match_wrap_around_by_enter_and_by_key(page: Page, qtbot: QtBot) -> None:
    page.show("tide tide tide")
    open_find_bar(page, "tide", qtbot)
    field, seen = page.reading.bar.field, []
    for act in (
        lambda: qtbot.keyClick(field, Qt.Key.Key_Return),
        lambda: page.reading.find_next(),
        lambda: page.reading.find_next(),
        lambda: qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier),
        lambda: page.reading.find_previous(),
    ):
        act()
        seen.append(page.reading.bar.status)
    assert seen == ["2 of 3", "3 of 3", "1 of 3", "3 of 3", "2 of 3"] and field.hasFocus()


def test_no_match_and_an_empty_field_have_messages(page: Page, qtbot: QtBot) -> None:
    page.show("tide")
    open_find_bar(page, "xyz", qtbot)
    assert page.reading.bar.status == "Not in this document" and page.matched_texts() == []
    page.reading.find_next()
    page.reading.bar.field.clear()
    assert page.reading.bar.status == "" and page.matched_texts() == []


def test_a_match_of_earlier_typed_text_is_deselected(page: Page, qtbot: QtBot) -> None:
    page.show("a riptide")
    open_find_bar(page, "tides", qtbot)
    assert page.selected_text()[1] == "" and page.reading.bar.status == "Not in this document"
    qtbot.keyClick(page.reading.bar.field, Qt.Key.Key_Backspace)
    assert page.selected_text() == (5, "tide")


def test_escape_closes_the_bar_and_leaves_the_match_selected(page: Page, qtbot: QtBot) -> None:
    page.show("a riptide")
    open_find_bar(page, "tide", qtbot)
    qtbot.keyClick(page.reading.bar.field, Qt.Key.Key_Escape)
    assert (
        not page.reading.bar.isVisible() and page.matched_texts() == [] and page.document.hasFocus()
    )
    assert page.selected_text() == (5, "tide")


def test_find_next_works_after_the_bar_was_closed(page: Page, qtbot: QtBot) -> None:
    page.show("tide tide")
    page.reading.find_next()
    assert page.reading.bar.field.hasFocus()  # nothing to search for yet
    qtbot.keyClicks(page.reading.bar.field, "tide")
    qtbot.keyClick(page.reading.bar.field, Qt.Key.Key_Escape)
    page.reading.find_next()
    assert (
        page.reading.bar.isVisible()
        and page.document.hasFocus()
        and page.matched_texts() == ["tide", "tide"]
    )
    assert page.selected_text() == (5, "tide")


def test_a_new_document_is_searched_and_stays_at_its_top(page: Page, qtbot: QtBot) -> None:
    page.show("tide")
    open_find_bar(page, "tide", qtbot)
    page.show(FILLER * 80 + "tide tide")
    assert page.matched_texts() == ["tide", "tide"] and page.reading.bar.status == "2 matches"
    assert page.document.verticalScrollBar().value() == 0 and page.selected_text()[1] == ""
    page.reading.find_next()
    assert page.reading.bar.status == "1 of 2" and page.is_selection_visible()


@pytest.mark.slow
def test_find_in_a_long_document_runs_in_the_background(
    page: Page, qtbot: QtBot, wait_until_searched: Callable[[], None]
) -> None:
    page.show("🌙" + LONG + "riptide")
    open_find_bar(page, "pti", qtbot)
    assert page.reading.bar.status == "Searching …"
    wait_until_searched()
    assert (
        page.reading.bar.status == "1 of 1"
        and page.selected_text()[1] == "pti"
        and page.is_selection_visible()
    )


def test_find_marks_the_visible_ones_of_thousands_of_matches(
    page: Page, qtbot: QtBot, wait_until_searched: Callable[[], None]
) -> None:
    page.show("e e e e e e e e\n\n" * 1500)
    open_find_bar(page, "e", qtbot)
    wait_until_searched()
    assert page.reading.bar.status == "1 of 12,000" and len(page.matched_texts()) == MAX_MARKS
    page.reading.find_previous()
    last = page.selected_text()[0]
    qtbot.waitUntil(lambda: page.mark_positions()[-1] == last)


# The best passage


STORY = "A 🌙 tide.\n\n" + FILLER * 60 + "The moon pulls and the tide follows.\n\n" + FILLER * 60


def first_visible_text(page: Page) -> str:
    wide = page.document.toPlainText().encode("utf-16-le")
    return wide[2 * first_visible_position(page.document) :].decode("utf-16-le")[:8]


def test_a_document_opens_at_its_best_passage_and_a_message_says_so(
    page: Page, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(page.document.rendered):
        page.show(STORY, best=True)
        assert first_visible_text(page) == "The moon" and page.reading.notice.isVisible()
    assert first_visible_text(page) == "The moon" and page.selected_text()[1] == ""
    next(
        each for each in page.holder.findChildren(QPushButton) if each.text() == "Show all"
    ).click()
    assert (
        first_visible_text(page) == "A 🌙 tide"
        and not page.reading.notice.isVisible()
        and page.document.hasFocus()
    )


def test_home_goes_to_the_top_and_hides_the_message(page: Page, qtbot: QtBot) -> None:
    page.show(STORY, best=True)
    qtbot.keyClick(page.document, Qt.Key.Key_Home)
    assert first_visible_text(page) == "A 🌙 tide" and not page.reading.notice.isVisible()


def test_without_the_setting_a_document_opens_at_its_top(page: Page) -> None:
    page.show(STORY)
    assert first_visible_text(page) == "A 🌙 tide" and not page.reading.notice.isVisible()


@pytest.mark.parametrize("text", [FILLER * 60, "tide moon\n\n" + FILLER * 60, "tide"])
def test_no_message_is_shown_if_the_best_passage_is_at_the_top(text: str, page: Page) -> None:
    page.show(text, best=True)
    assert page.document.verticalScrollBar().value() == 0 and not page.reading.notice.isVisible()


def test_adding_a_term_does_not_scroll_the_document(page: Page) -> None:
    page.show(FILLER * 60 + "spring", best=True)
    page.reading.add("spring")
    assert page.document.verticalScrollBar().value() == 0


def test_a_long_document_scrolls_to_its_best_passage_once_it_is_known(
    page: Page, wait_until_searched: Callable[[], None]
) -> None:
    page.show(FILLER * 3000 + STORY, best=True)
    wait_until_searched()
    assert first_visible_text(page) == "The moon" and page.reading.notice.isVisible()


def test_a_user_who_has_scrolled_is_not_moved_to_the_best_passage(
    page: Page, wait_until_searched: Callable[[], None]
) -> None:
    page.show(FILLER * 3000 + STORY, best=True)
    page.document.verticalScrollBar().setValue(500)
    wait_until_searched()
    assert page.document.verticalScrollBar().value() == 500 and not page.reading.notice.isVisible()


# Through the window


@pytest.fixture
def judging(open_window: Window, qtbot: QtBot) -> Window:
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    return open_window


def test_digits_typed_into_fields_of_the_window_are_text_and_grade_nothing(
    judging: Window, press: Callable[..., None], qtbot: QtBot
) -> None:
    press("F", Qt.KeyboardModifier.ControlModifier)
    reading = judging.judge.reading
    assert reading.bar.isVisible() and reading.bar.window() is judging
    QTest.keyClicks(QApplication.focusWidget(), "12 jkhx")
    assert reading.bar.field.text() == "12 jkhx"
    press(Qt.Key.Key_Escape)
    press("H")
    QTest.keyClicks(QApplication.focusWidget(), "201 jk")
    press(Qt.Key.Key_Return)
    assert reading.terms[0].text == "201 jk" and reading.terms[0].is_own
    press(Qt.Key.Key_Escape)
    assert judging.judge.session.count().judged == 0 and judging.judge.document.hasFocus()


def test_the_next_document_keeps_the_find_bar_and_the_terms(
    judging: Window, press: Callable[..., None], qtbot: QtBot
) -> None:
    reading = judging.judge.reading
    press("F", Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(QApplication.focusWidget(), "the")
    press(Qt.Key.Key_F3)
    assert reading.bar.status.startswith("2 of ")
    judging.judge.document.setFocus()
    before = judging.judge.session.current()
    press("1")
    qtbot.waitUntil(lambda: judging.judge.can_judge)
    assert (
        judging.judge.session.current() != before
        and reading.bar.isVisible()
        and "match" in reading.bar.status
    )
