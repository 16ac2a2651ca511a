"""Reading aids: highlighted words and the way through them, find in document, the best passage first."""

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
from tests.numbers_in import numbers_in
from tests.ui.shown import labels, says

TIDES = Topic("1", "tides moon")
BREAD = Topic("2", "bread")
FILLING = "Nothing of use stands in this line of the text.\n\n"
LONG = FILLING * (4 * MAX_CHARACTERS_AT_ONCE // len(FILLING))  # is looked through in the background


@dataclass
class Page:
    """A document with all that belongs to reading it."""

    document: DocumentView
    panel: TopicPanel
    reading: ReadingAids
    holder: QWidget

    def show(self, text: str, topic: Topic = TIDES, *, best: bool = False) -> None:
        work = PresentedDocument(topic, Document("d", text.encode(), "", "text"))
        self.document.show_html(to_html(work.document))
        self.reading.begin(work, best_passage=best)

    def marked(self) -> list[str]:
        return [
            each.cursor.selectedText()
            for each in self.document.extraSelections()
            if not underlined(each)
        ]

    def begins(self) -> list[int]:
        return [each.cursor.selectionStart() for each in self.document.extraSelections()]

    def found(self) -> list[str]:
        return [
            each.cursor.selectedText()
            for each in self.document.extraSelections()
            if underlined(each)
        ]

    def selected(self) -> tuple[int, str]:
        cursor = self.document.textCursor()
        return cursor.selectionStart(), cursor.selectedText()

    def select(self, words: str) -> None:
        begin = self.document.toPlainText().index(words)
        cursor = self.document.textCursor()
        cursor.setPosition(begin)
        cursor.setPosition(begin + len(words), QTextCursor.MoveMode.KeepAnchor)
        self.document.setTextCursor(cursor)

    def card(self) -> dict[str, str]:
        """The words on the card and their counts."""
        lines = self.panel.highlights._rows.values()
        return {word.toolTip(): cap.text() for cap, word in lines}

    def heading(self) -> str:
        return str(self.panel.highlights._position.text())

    def on_screen(self) -> bool:
        """Whether the selection is on screen with something above it, or at the very top of the text."""
        place = self.document.cursorRect(self.document.textCursor())
        at_top = self.document.verticalScrollBar().value() == 0
        return self.document.viewport().rect().contains(place) and (
            at_top or place.top() > place.height()
        )


def underlined(selection: object) -> bool:
    return bool(selection.format.fontUnderline() or selection.format.underlineStyle().value)  # type: ignore[attr-defined]


@pytest.fixture
def page(qtbot: QtBot, look: Callable[[Theme, float], None]) -> Page:
    look(LIGHT, 1.0)
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


def button(page: Page, name: str) -> QPushButton:
    return next(
        each
        for each in page.holder.findChildren(QPushButton)
        if each.accessibleName() == name and each.isVisible()
    )


def lines_of(page: Page) -> list[TermButton]:
    """Return the buttons of the words, from the top."""
    return sorted(page.panel.highlights.findChildren(TermButton), key=lambda each: each.y())


def term(page: Page, words: str) -> TermButton:
    return next(
        each for each in page.panel.highlights.findChildren(TermButton) if each.toolTip() == words
    )


@pytest.fixture
def settle(page: Page, qtbot: QtBot) -> Callable[[], None]:
    """Wait until all of the text is in and was looked through."""
    return lambda: qtbot.waitUntil(lambda: page.document.complete and not jobs.is_busy())


# Highlighted words


def test_the_topics_words_are_marked_and_counted(page: Page) -> None:
    page.show("The tide. Tides! The moon’s pull.")
    assert page.marked() == ["tide", "Tides", "moon"]
    assert page.card() == {"tides": "2", "moon": "1"}
    assert page.reading.has_hits


def test_a_selected_word_becomes_a_highlight_at_once(page: Page) -> None:
    page.show("The spring tide and the neap tide. Spring!")
    page.select("spring")
    page.reading.highlight()
    assert page.card() == {"tides": "2", "moon": "0", "spring": "2"}
    assert page.marked() == ["spring", "tide", "tide", "Spring"]


def test_selected_words_across_two_paragraphs_are_a_phrase(page: Page) -> None:
    page.show("low\ntide and low tide")
    cursor = page.document.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(8, QTextCursor.MoveMode.KeepAnchor)
    page.document.setTextCursor(cursor)
    page.reading.highlight()
    assert page.card()["low tide"] == "2"


def test_without_a_selection_the_field_takes_a_word_and_gives_the_focus_back(
    page: Page, qtbot: QtBot
) -> None:
    page.show("The spring tide.")
    page.reading.highlight()
    field = page.panel.highlights.field
    assert field.hasFocus()
    qtbot.keyClicks(field, " spring ")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert page.card()["spring"] == "1" and field.text() == "" and page.document.hasFocus()
    page.reading.highlight()
    qtbot.keyClicks(field, "nea")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert page.document.hasFocus() and field.text() == "" and "nea" not in page.card()


@pytest.mark.parametrize("words", ["", "   ", "spring", "SPRING"])
def test_nothing_and_what_is_there_is_not_added(words: str, page: Page) -> None:
    page.show("The spring tide.")
    page.reading.add("Spring")
    page.reading.add(words)
    assert list(page.card()) == ["tides", "moon", "Spring"]


def test_a_whole_paragraph_is_refused_with_a_sentence(page: Page, qtbot: QtBot) -> None:
    page.show("tide " * 40)
    page.document.selectAll()
    with qtbot.waitSignal(page.reading.message_shown) as said:
        page.reading.highlight()
    assert numbers_in(said.args[0]) == ["100"] and list(page.card()) == ["tides", "moon"]


def test_the_place_gone_to_is_not_added_when_a_word_is_asked_for(page: Page) -> None:
    page.show("The spring tide.")
    page.reading.next_hit()
    page.reading.highlight()
    assert page.panel.highlights.field.hasFocus() and list(page.card()) == ["tides", "moon"]


def test_what_find_selected_is_not_added_when_a_word_is_asked_for(page: Page, qtbot: QtBot) -> None:
    page.show("The spring tide.")
    opened(page, "ring", qtbot)
    qtbot.keyClick(page.reading.bar.field, Qt.Key.Key_Escape)
    assert page.selected()[1] == "ring"
    page.reading.highlight()
    qtbot.keyClicks(QApplication.focusWidget(), "spr")
    assert page.panel.highlights.field.text() == "spr" and list(page.card()) == ["tides", "moon"]
    page.select("spring")
    page.reading.highlight()
    assert list(page.card()) == ["tides", "moon", "spring"]


def test_own_words_stay_in_their_topic_and_come_back_to_it(page: Page) -> None:
    page.show("spring tide")
    page.reading.add("spring")
    page.show("a spring in the next document, spring")
    assert page.card()["spring"] == "2"
    page.show("bread in spring", BREAD)
    assert page.card() == {"bread": "1"} and page.marked() == ["bread"]
    page.show("spring again")
    assert page.card()["spring"] == "1" and page.marked() == ["spring"]


def test_the_topic_of_another_project_with_the_same_number_has_its_own_words(page: Page) -> None:
    page.show("spring tide")
    page.reading.add("spring")
    page.show("spring tide", Topic("1", "tides moon", "Of another project."))
    assert list(page.card()) == ["tides", "moon"]


def test_own_words_of_a_project_are_there_again_when_the_program_starts_anew(
    page: Page, settings: Settings, tmp_path: Path
) -> None:
    page.reading.store_terms(settings, tmp_path / "a.irjudge")
    page.show("spring tide, neap tide")
    page.reading.add("spring")
    page.reading.add("neap")
    page.reading.remove(0)
    page.reading.store_terms(settings, tmp_path / "b.irjudge")
    page.show("spring tide, neap tide")
    assert list(page.card()) == ["tides", "moon"], "another project has words of its own"
    page.reading.store_terms(Settings(tmp_path / "settings.ini"), tmp_path / "a.irjudge")
    page.show("spring tide, neap tide")
    assert list(page.card()) == ["tides", "moon", "neap"] and page.marked() == [
        "tide",
        "neap",
        "tide",
    ]


def test_another_topic_with_as_many_words_has_its_own_card(page: Page) -> None:
    page.show("tide")
    page.show("sea", Topic("4", "sea water"))
    assert page.card() == {"sea": "1", "water": "0"}


def test_where_two_words_find_the_same_the_own_one_is_counted(page: Page) -> None:
    page.show("tide tides")
    page.reading.add("tide")
    assert page.card() == {"tides": "1", "moon": "0", "tide": "1"} and page.marked() == [
        "tide",
        "tides",
    ]


def test_an_own_word_can_be_removed_and_is_told_apart_by_words(page: Page, qtbot: QtBot) -> None:
    page.show("spring tide neap")
    page.reading.add("spring")
    page.reading.add("neap")
    assert [
        each
        for each in page.holder.findChildren(QLabel)
        if each.text() == "Added by you" and each.isVisible()
    ]
    qtbot.mouseClick(button(page, "Remove spring"), Qt.MouseButton.LeftButton)
    assert list(page.card()) == ["tides", "moon", "neap"] and page.marked() == ["tide", "neap"]
    assert page.document.hasFocus()
    qtbot.mouseClick(button(page, "Remove neap"), Qt.MouseButton.LeftButton)
    assert not [
        each
        for each in page.holder.findChildren(QLabel)
        if each.text() == "Added by you" and each.isVisible()
    ]


def test_words_of_scripts_without_spaces_and_after_an_emoji_are_marked_where_they_stand(
    page: Page,
) -> None:
    page.show("🌙🌙 大潮与月亮, tide 🌙 潮汐")
    page.reading.add("月亮")
    page.reading.add("🌙 潮汐")
    assert page.marked() == ["月亮", "tide", "🌙 潮汐"]
    page.reading.previous_hit()
    assert page.selected()[1] == "🌙 潮汐"


def test_the_keys_stand_on_caps_beside_what_they_do(page: Page) -> None:
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


# The way through


def test_next_and_previous_go_through_all_places_and_round(page: Page) -> None:
    page.show("tide, moon, tide")
    seen = []
    for _ in range(4):
        page.reading.next_hit()
        seen.append((*page.selected(), page.heading()))
    assert seen == [
        (0, "tide", "1 of 3"),
        (6, "moon", "2 of 3"),
        (12, "tide", "3 of 3"),
        (0, "tide", "1 of 3"),
    ]
    page.reading.previous_hit()
    assert (page.selected(), page.heading()) == ((12, "tide"), "3 of 3")


def test_the_caps_do_what_their_keys_do_and_leave_the_focus_alone(page: Page, qtbot: QtBot) -> None:
    page.show("tide, moon, tide")
    for name, place in (("Next", "1 of 3"), ("Next", "2 of 3"), ("Previous", "1 of 3")):
        qtbot.mouseClick(button(page, f"{name} highlight"), Qt.MouseButton.LeftButton)
        assert page.heading() == place and page.document.hasFocus()
    qtbot.mouseClick(button(page, "Add a term to highlight"), Qt.MouseButton.LeftButton)
    assert page.panel.highlights.field.hasFocus()


def test_a_place_is_brought_into_view_with_lines_above_it(page: Page) -> None:
    page.show(FILLING * 80 + "tide\n\n" + FILLING * 80 + "moon")
    page.reading.next_hit()
    assert page.selected()[1] == "tide" and page.on_screen()
    page.reading.next_hit()
    assert page.selected()[1] == "moon" and page.on_screen()
    page.reading.next_hit()
    assert page.selected()[1] == "tide" and page.on_screen()


def test_the_way_begins_where_the_eye_is(page: Page) -> None:
    page.show("tide\n\n" + FILLING * 80 + "tide\n\n" + FILLING * 80)
    page.document.verticalScrollBar().setValue(300)
    page.reading.next_hit()
    assert page.heading() == "2 of 2"


def test_a_word_on_the_card_goes_to_its_own_next_place(page: Page, qtbot: QtBot) -> None:
    page.show("tide moon tide moon tide")
    qtbot.mouseClick(term(page, "moon"), Qt.MouseButton.LeftButton)
    assert page.selected() == (5, "moon")
    qtbot.keyClick(term(page, "moon"), Qt.Key.Key_Return)
    assert page.selected() == (15, "moon") and page.heading() == "4 of 5"
    qtbot.mouseClick(term(page, "moon"), Qt.MouseButton.LeftButton)
    assert page.selected() == (5, "moon")


def test_a_word_that_is_not_there_says_so_and_cannot_be_pressed(page: Page) -> None:
    page.show("tide")
    assert (
        not term(page, "moon").isEnabled()
        and term(page, "moon").accessibleName() == "moon, 0 occurrences"
    )
    assert (
        term(page, "tides").isEnabled()
        and term(page, "tides").accessibleName() == "tides, 1 occurrence"
    )


def test_a_document_without_hits_has_no_next_place(page: Page) -> None:
    page.show("Nothing.")
    page.reading.next_hit()
    page.reading.go_to_term(0)
    assert not page.reading.has_hits and page.selected() == (0, "")


def test_without_room_for_the_card_the_keys_work_and_say_where_one_is(
    page: Page, qtbot: QtBot
) -> None:
    page.panel.arrange("narrow")
    page.show("spring tide moon")
    said: list[str] = []
    page.reading.message_shown.connect(said.append)
    page.reading.highlight()
    page.select("spring")
    page.reading.highlight()
    page.reading.next_hit()
    nothing_selected, *others = said
    assert nothing_selected and others == ["Highlighted: spring.", "2 of 3"]


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_twenty_words_fit_on_the_card_by_scrolling(
    zoom: float, page: Page, look: Callable[[Theme, float], None]
) -> None:
    look(LIGHT, zoom)
    page.show("tide", Topic("3", "alpha beta gamma delta epsilon zeta eta theta iota kappa"))
    for number in range(10):
        page.reading.add(f"{'very ' * number}long word {number}")
    QApplication.processEvents()
    card = page.panel.highlights
    area = card.findChild(QScrollArea)
    assert len(page.card()) == 20 and card.height() < page.panel.height()
    assert card.field.isVisible() and page.panel.rect().contains(card.geometry())
    assert area.verticalScrollBar().maximum() > 0 and area.horizontalScrollBar().maximum() == 0
    newest = term(page, "very " * 9 + "long word 9")
    assert area.viewport().rect().contains(newest.mapTo(area.viewport(), newest.rect().center()))
    last = button(page, "Remove " + "very " * 9 + "long word 9")
    last.setFocus()
    area.ensureWidgetVisible(last)
    assert area.viewport().rect().contains(last.mapTo(area.viewport(), last.rect().center()))


def test_the_words_that_occur_come_first_and_each_stays_itself(page: Page) -> None:
    topic = Topic("3", "alpha beta gamma delta epsilon zeta eta theta iota kappa")
    page.show("kappa then gamma, gamma", topic)
    lines = lines_of(page)
    assert [line.toolTip() for line in lines][:4] == ["gamma", "kappa", "alpha", "beta"] and len(
        lines
    ) == 10
    assert [line.isEnabled() for line in lines] == [True] * 2 + [False] * 8 and page.card()[
        "gamma"
    ] == "2"
    lines[1].click()
    assert page.selected() == (0, "kappa")
    page.show("beta", topic)
    assert [line.toolTip() for line in lines_of(page)][:3] == [
        "beta",
        "alpha",
        "gamma",
    ] and page.card()["gamma"] == "0"


# Long documents and many hits


@pytest.mark.slow
def test_a_long_document_is_looked_through_beside_the_window(
    page: Page, settle: Callable[[], None]
) -> None:
    page.show("🌙 tide " + LONG + "moon 🌙")
    assert page.card()["tides"] == "…" and not page.reading.has_hits
    settle()
    assert page.marked() == ["tide", "moon"] and page.card() == {"tides": "1", "moon": "1"}


def test_what_comes_in_later_is_marked_and_counted_when_all_is_in(page: Page, qtbot: QtBot) -> None:
    work = PresentedDocument(TIDES, Document("d", b"The tide and the", "", "text"))
    page.document.show_html(to_html(work.document))
    page.document.complete = False
    page.reading.begin(work)
    assert page.marked() == ["tide"] and page.card()["tides"] == "…"
    page.reading.add("the moon")
    cursor = QTextCursor(page.document.document())
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertText(" moon, tides")
    page.document.complete = True
    page.document.loaded.emit()
    qtbot.waitUntil(lambda: page.marked() == ["tide", "the moon", "tides"])
    assert page.card() == {"tides": "2", "moon": "0", "the moon": "1"}


def test_a_mark_at_the_end_of_what_is_in_does_not_grow_with_what_comes_in(page: Page) -> None:
    page.show("the tide")
    cursor = QTextCursor(page.document.document())
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertText("less")
    assert page.marked() == ["tide"]


@pytest.mark.slow
def test_a_document_that_is_waited_for_has_nothing_to_find(page: Page, qtbot: QtBot) -> None:
    page.show("tide " * MAX_CHARACTERS_AT_ONCE, best=True)
    opened(page, "tide", qtbot)
    page.reading.stop()
    page.document.clear()
    qtbot.waitUntil(lambda: not jobs.is_busy())
    assert (
        not page.reading.has_hits
        and page.marked() == []
        and page.reading.bar.status == "Not in this document"
    )


def test_what_was_looked_for_in_a_document_before_is_dropped(
    page: Page, settle: Callable[[], None]
) -> None:
    page.show("tide " * MAX_CHARACTERS_AT_ONCE)
    page.show("one moon")
    settle()
    assert page.marked() == ["moon"] and page.card() == {"tides": "0", "moon": "1"}


@pytest.mark.slow
def test_of_thousands_of_hits_those_on_screen_are_marked_wherever_one_scrolls(
    page: Page, qtbot: QtBot
) -> None:
    page.show("tide and \n\n" * 5000)
    assert page.card()["tides"] == "5,000" and len(page.marked()) == MAX_MARKS
    for value in (page.document.verticalScrollBar().maximum(), 40_000):
        page.document.verticalScrollBar().setValue(value)
        at = first_visible_position(page.document)
        qtbot.waitUntil(lambda at=at: page.begins()[0] < at <= page.begins()[-1])
        assert len(page.begins()) == MAX_MARKS
    page.reading.previous_hit()
    assert page.heading() != "" and page.selected()[1] == "tide"


def test_it_is_told_how_many_places_of_a_crowded_paragraph_are_marked(page: Page) -> None:
    page.show("tide " * 1000 + "moon")
    assert len(
        page.marked()
    ) == MAX_BLOCK_MARKS and f"{MAX_BLOCK_MARKS} of 1,001 occurrences marked" in labels(
        page.panel.highlights
    )
    assert page.card() == {"tides": "1,000", "moon": "1"}
    page.show("tide and moon")
    assert "occurrences marked" not in says(page.panel.highlights)


@pytest.mark.slow
def test_a_paragraph_of_endless_matches_never_holds_the_window_up(
    page: Page, settle: Callable[[], None], qtbot: QtBot
) -> None:
    gaps, last = list[float](), [monotonic()]

    def tick() -> None:
        gaps.append(monotonic() - last[0])
        last[0] = monotonic()

    clock = QTimer(page.holder)
    clock.timeout.connect(tick)
    page.show("tide " * 52_000)
    clock.start(0)
    settle()
    assert page.card() == {"tides": "50,000+", "moon": "0+"}
    assert any(numbers_in(words)[-1:] == ["50,000"] for words in labels(page.panel.highlights))
    assert term(page, "tides").accessibleName() == "tides, 50,000 occurrences or more"
    page.reading.next_hit()
    assert page.heading() == "1 of more than 50,000"
    page.reading.find()
    page.reading.bar.field.setText("t")
    settle()
    assert page.reading.bar.status == "1 of more than 50,000"
    assert gaps and max(gaps) < 2, "seconds, on a machine that does much else"


# Find


def opened(page: Page, typed: str, qtbot: QtBot) -> None:
    page.reading.find()
    assert page.reading.bar.field.hasFocus()
    qtbot.keyClicks(page.reading.bar.field, typed)


def test_what_is_typed_is_found_inside_words_too_and_looks_different(
    page: Page, qtbot: QtBot
) -> None:
    page.show("Riptides and a TIDE.")
    opened(page, "tide", qtbot)
    assert page.found() == ["tide", "TIDE"] and page.marked() == ["TIDE"]
    assert page.selected() == (3, "tide") and page.reading.bar.status == "1 of 2"


@pytest.mark.parametrize(
    ("text", "typed", "found"),
    [
        ("Straße STRASSE", "ss", ["ß", "SS"]),
        ("İstanbul istanbul", "istanbul", ["İstanbul", "istanbul"]),
        ("e.g. this", ".", [".", "."]),
        ("🌙🌙 月 tide", "月 t", ["月 t"]),
    ],
)
def test_find_folds_case_and_takes_signs_as_they_stand(
    text: str, typed: str, found: list[str], page: Page
) -> None:
    page.show(text)
    page.reading.find()
    page.reading.bar.field.setText(typed)
    assert page.found() == found


def test_match_case_looks_again(page: Page, qtbot: QtBot) -> None:
    page.show("Tide tide")
    opened(page, "tide", qtbot)
    page.reading.bar.case.click()
    assert page.found() == ["tide"] and page.selected() == (5, "tide")


def test_next_and_previous_go_round_by_enter_and_by_key(page: Page, qtbot: QtBot) -> None:
    page.show("tide tide tide")
    opened(page, "tide", qtbot)
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


def test_no_match_and_nothing_typed_are_said_in_words(page: Page, qtbot: QtBot) -> None:
    page.show("tide")
    opened(page, "xyz", qtbot)
    assert page.reading.bar.status == "Not in this document" and page.found() == []
    page.reading.find_next()
    page.reading.bar.field.clear()
    assert page.reading.bar.status == "" and page.found() == []


def test_what_matched_the_first_letters_only_is_selected_no_more(page: Page, qtbot: QtBot) -> None:
    page.show("a riptide")
    opened(page, "tides", qtbot)
    assert page.selected()[1] == "" and page.reading.bar.status == "Not in this document"
    qtbot.keyClick(page.reading.bar.field, Qt.Key.Key_Backspace)
    assert page.selected() == (5, "tide")


def test_escape_closes_and_leaves_the_match_selected(page: Page, qtbot: QtBot) -> None:
    page.show("a riptide")
    opened(page, "tide", qtbot)
    qtbot.keyClick(page.reading.bar.field, Qt.Key.Key_Escape)
    assert not page.reading.bar.isVisible() and page.found() == [] and page.document.hasFocus()
    assert page.selected() == (5, "tide")


def test_find_next_goes_on_after_the_bar_was_closed(page: Page, qtbot: QtBot) -> None:
    page.show("tide tide")
    page.reading.find_next()
    assert page.reading.bar.field.hasFocus()  # nothing to find yet
    qtbot.keyClicks(page.reading.bar.field, "tide")
    qtbot.keyClick(page.reading.bar.field, Qt.Key.Key_Escape)
    page.reading.find_next()
    assert (
        page.reading.bar.isVisible()
        and page.document.hasFocus()
        and page.found() == ["tide", "tide"]
    )
    assert page.selected() == (5, "tide")


def test_a_new_document_is_looked_through_and_stays_at_its_top(page: Page, qtbot: QtBot) -> None:
    page.show("tide")
    opened(page, "tide", qtbot)
    page.show(FILLING * 80 + "tide tide")
    assert page.found() == ["tide", "tide"] and page.reading.bar.status == "2 matches"
    assert page.document.verticalScrollBar().value() == 0 and page.selected()[1] == ""
    page.reading.find_next()
    assert page.reading.bar.status == "1 of 2" and page.on_screen()


@pytest.mark.slow
def test_find_in_a_long_document_works_beside_the_window(
    page: Page, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.show("🌙" + LONG + "riptide")
    opened(page, "pti", qtbot)
    assert page.reading.bar.status == "Searching …"
    settle()
    assert page.reading.bar.status == "1 of 1" and page.selected()[1] == "pti" and page.on_screen()


def test_find_marks_what_is_on_screen_of_thousands(
    page: Page, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.show("e e e e e e e e\n\n" * 1500)
    opened(page, "e", qtbot)
    settle()
    assert page.reading.bar.status == "1 of 12,000" and len(page.found()) == MAX_MARKS
    page.reading.find_previous()
    last = page.selected()[0]
    qtbot.waitUntil(lambda: page.begins()[-1] == last)


# The best passage


STORY = "A 🌙 tide.\n\n" + FILLING * 60 + "The moon pulls and the tide follows.\n\n" + FILLING * 60


def at_top(page: Page) -> str:
    wide = page.document.toPlainText().encode("utf-16-le")
    return wide[2 * first_visible_position(page.document) :].decode("utf-16-le")[:8]


def test_a_document_opens_at_its_best_passage_and_says_so(page: Page, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.document.rendered):
        page.show(STORY, best=True)
        assert at_top(page) == "The moon" and page.reading.notice.isVisible()
    assert at_top(page) == "The moon" and page.selected()[1] == ""
    next(
        each for each in page.holder.findChildren(QPushButton) if each.text() == "Show all"
    ).click()
    assert (
        at_top(page) == "A 🌙 tide"
        and not page.reading.notice.isVisible()
        and page.document.hasFocus()
    )


def test_home_goes_back_to_the_top_and_the_line_goes(page: Page, qtbot: QtBot) -> None:
    page.show(STORY, best=True)
    qtbot.keyClick(page.document, Qt.Key.Key_Home)
    assert at_top(page) == "A 🌙 tide" and not page.reading.notice.isVisible()


def test_without_the_setting_a_document_opens_at_its_top(page: Page) -> None:
    page.show(STORY)
    assert at_top(page) == "A 🌙 tide" and not page.reading.notice.isVisible()


@pytest.mark.parametrize("text", [FILLING * 60, "tide moon\n\n" + FILLING * 60, "tide"])
def test_nothing_is_said_where_the_document_opens_at_its_top_all_the_same(
    text: str, page: Page
) -> None:
    page.show(text, best=True)
    assert page.document.verticalScrollBar().value() == 0 and not page.reading.notice.isVisible()


def test_an_added_word_does_not_move_the_document(page: Page) -> None:
    page.show(FILLING * 60 + "spring", best=True)
    page.reading.add("spring")
    assert page.document.verticalScrollBar().value() == 0


def test_a_long_document_moves_to_its_best_passage_once_it_is_known(
    page: Page, settle: Callable[[], None]
) -> None:
    page.show(FILLING * 3000 + STORY, best=True)
    settle()
    assert at_top(page) == "The moon" and page.reading.notice.isVisible()


def test_whoever_reads_on_is_not_moved(page: Page, settle: Callable[[], None]) -> None:
    page.show(FILLING * 3000 + STORY, best=True)
    page.document.verticalScrollBar().setValue(500)
    settle()
    assert page.document.verticalScrollBar().value() == 500 and not page.reading.notice.isVisible()


# Through the window


@pytest.fixture
def judging(open_window: Window, qtbot: QtBot) -> Window:
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    return open_window


def test_in_the_window_digits_in_the_fields_write_and_grade_nothing(
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


def test_in_the_window_the_next_document_keeps_bar_and_words(
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
