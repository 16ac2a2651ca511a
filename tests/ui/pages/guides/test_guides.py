"""Tests of the guides: every help page is included, displayed in the window, and searchable."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from irjudge.shipped import guide_path, shipped_folder
from irjudge_ui.pages.guides import GUIDES, GuidesView
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from tests.ui.layout_checks import (
    SIZES,
    find_cut_texts,
    find_overlaps,
    process_layouts,
    set_size_and_theme,
)

ONE_WINDOW = True

Key = Qt.Key


@pytest.fixture
def guides(window: Window, wait_until_idle: Callable[[], None]) -> GuidesView:
    window.do("guides")
    wait_until_idle()
    view = window.pages.view("guides")
    assert isinstance(view, GuidesView)
    return view


def test_every_help_page_is_a_guide() -> None:
    assert {path.stem for path in (shipped_folder("resources") / "help").glob("*.md")} == set(
        GUIDES
    )


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_shown_completely(guides: GuidesView, name: str, qtbot: QtBot) -> None:
    guides.buttons[name].click()
    qtbot.waitUntil(lambda: guides.document.complete)
    heading, *_, last = [
        line
        for line in guide_path(name).read_text(encoding="utf-8").splitlines()
        if line.strip("`| -")
    ]
    shown = guides.document.toPlainText()
    assert shown.startswith(heading.removeprefix("# ")) and last.split()[-1].strip("`*|.") in shown
    assert [each for each, button in guides.buttons.items() if button.isChecked()] == [name]


def test_the_name_of_a_guide_has_room_for_bold_text(
    guides: GuidesView,
) -> None:
    for made in guides.buttons.values():
        assert made.width() >= made.sizeHint().width() > QPushButton.sizeHint(made).width(), (
            made.text()
        )


def test_a_measure_is_found_by_its_name(guides: GuidesView, qtbot: QtBot) -> None:
    guides.show_guide("measures")
    qtbot.waitUntil(lambda: guides.document.complete)
    guides.actions_by_id["find-guide"].trigger()
    guides.finder.bar.field.setText("Average precision")
    qtbot.waitUntil(
        lambda: guides.document.textCursor().selectedText().casefold() == "average precision"
    )
    first = guides.document.textCursor().position()
    guides.actions_by_id["guide-next"].trigger()
    assert guides.document.textCursor().position() > first
    guides.actions_by_id["guide-previous"].trigger()
    assert guides.document.textCursor().position() == first


@pytest.fixture
def search_guides(
    guides: GuidesView, wait_until_idle: Callable[[], None]
) -> Callable[[str], list[str]]:
    """Function that types into the search field and returns the listed hits and headings."""

    def do(typed: str) -> list[str]:
        guides.actions_by_id["find-guide"].trigger()
        guides.finder.bar.field.setText(typed)
        wait_until_idle()
        return hit_texts(guides)

    return do


def hit_texts(guides: GuidesView) -> list[str]:
    return [guides.hits.list.item(row).text() for row in range(guides.hits.list.count())]


def selection_end(guides: GuidesView, qtbot: QtBot, name: str, text: str) -> int:
    """Wait until a text is selected in a guide, and return the end of the selection."""
    qtbot.waitUntil(lambda: guides.shown == name and guides.document.complete)
    qtbot.waitUntil(
        lambda: guides.document.textCursor().selectedText().casefold() == text.casefold()
    )
    return guides.document.textCursor().position()


def test_all_guides_are_searched_and_hits_are_listed_by_guide(
    guides: GuidesView, search_guides: Callable[[str], list[str]]
) -> None:
    hits = search_guides("receipt")
    texts = {
        name: guide_path(name)
        .read_text(encoding="utf-8")
        .casefold()
        .replace("**", "")
        .replace("`", "")
        for name in GUIDES
    }
    counts = {
        str(GUIDES[name]): text.count("receipt")
        for name, text in texts.items()
        if "receipt" in text
    }
    assert len(counts) > 2 and "For assessors" in counts
    headings = [each.rsplit("  ", 1) for each in hits if each.rsplit("  ", 1)[0] in counts]
    assert {name: int(count) for name, count in headings} == counts
    assert [name for name, _ in headings] == [
        name for name in map(str, GUIDES.values()) if name in counts
    ]
    assert all(
        "receipt" in each.casefold() for each in hits if each.rsplit("  ", 1)[0] not in counts
    )
    assert (
        guides.hits.description_label.text()
        == f"Matches: {sum(counts.values())}; guides: {len(counts)}"
    )


def test_enter_and_arrow_keys_move_between_hits_of_all_guides(
    guides: GuidesView,
    search_guides: Callable[[str], list[str]],
    qtbot: QtBot,
    press: Callable[..., None],
) -> None:
    guides.show_guide("measures")
    qtbot.waitUntil(lambda: guides.document.complete)
    hits = search_guides("receipt")
    count = int(next(each for each in hits if each.startswith("For assessors")).rsplit("  ", 1)[1])
    assert guides.hits.list.currentItem() is None, "there is none in the guide that is shown"
    press(Key.Key_Up)
    qtbot.waitUntil(lambda: guides.shown != "measures")
    assert list(GUIDES).index(guides.shown) < list(GUIDES).index("measures"), "the text before it"
    guides.hits.list.setCurrentRow(1)
    positions = []
    for _ in range(count):
        positions.append(selection_end(guides, qtbot, "assessors", "receipt"))
        press(Key.Key_Return)
    assert positions == sorted(set(positions)), "one after the other"
    qtbot.waitUntil(lambda: guides.shown != "assessors")
    assert selection_end(guides, qtbot, guides.shown, "receipt") and guides.finder.number == 0
    press(Key.Key_Up)
    assert selection_end(guides, qtbot, "assessors", "receipt") == positions[-1], "and back"
    assert guides.finder.bar.field.hasFocus()


def test_a_hit_is_opened_with_a_click_and_a_search_without_hits_has_a_message(
    guides: GuidesView, search_guides: Callable[[str], list[str]], qtbot: QtBot
) -> None:
    search_guides("nDCG")
    row = next(
        row
        for row in range(guides.hits.list.count())
        if guides.hits.list.item(row).text().startswith("Measures")
    )
    guides.hits.list.scrollToItem(guides.hits.list.item(row + 2))
    inside = guides.hits.list.visualItemRect(guides.hits.list.item(row + 2))
    qtbot.mouseClick(guides.hits.list.viewport(), Qt.MouseButton.LeftButton, pos=inside.center())
    selection_end(guides, qtbot, "measures", "ndcg")
    assert guides.finder.number == 1
    assert (
        search_guides("no such words") == []
        and guides.hits.description_label.text() == "Not found in any guide"
    )
    guides.finder.bar.closed.emit()
    assert not guides.hits.isVisible() and guides.document.hasFocus()


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_hits_are_listed_next_to_the_guide_or_above_it(
    guides: GuidesView,
    search_guides: Callable[[str], list[str]],
    window: Window,
    qtbot: QtBot,
    zoom: float,
) -> None:
    window.settings.set("zoom", zoom)
    search_guides("receipt")
    for size in SIZES:
        set_size_and_theme(window, size, LIGHT)
        process_layouts()
        assert (
            find_cut_texts(window) == []
            and find_overlaps(window) == []
            and (window.width(), window.height()) == size
        )
        for part in (guides.hits.list, guides.document):
            assert part.visibleRegion().boundingRect().height() > 60


@pytest.mark.slow
@pytest.mark.usefixtures("own_window")
def test_in_a_narrow_window_guides_are_chosen_from_a_combo_box(
    guides: GuidesView, window: Window, qtbot: QtBot
) -> None:
    window.settings.set("zoom", 2.0)
    set_size_and_theme(window, SIZES[0], LIGHT)
    process_layouts()
    assert guides.pick.isVisible() and not guides.buttons["files"].isVisible()
    assert guides.document.height() > guides.height() / 2
    guides.pick.setCurrentIndex(guides.pick.findText("Files"))
    guides.pick.activated.emit(guides.pick.currentIndex())
    qtbot.waitUntil(lambda: guides.document.complete and guides.shown == "files")
    window.settings.set("zoom", 1.0)
    set_size_and_theme(window, SIZES[1], LIGHT)
    process_layouts()
    assert (
        guides.buttons["files"].isVisible()
        and guides.buttons["files"].isChecked()
        and not guides.pick.isVisible()
    )


def test_help_opens_the_guides_on_pages_without_judging(window: Window, settings: Settings) -> None:
    window.show_help()
    assert window.pages.on_top() == "guides"


@pytest.mark.slow
def test_an_open_guide_follows_the_text_size(
    guides: GuidesView, window: Window, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: guides.document.complete)
    before = guides.document.document().defaultFont().pixelSize()
    window.appearance.zoom_in()
    qtbot.waitUntil(
        lambda: (
            guides.document.complete
            and guides.document.document().defaultFont().pixelSize() > before
        )
    )


def test_the_search_field_for_all_guides_is_visible(window: Window) -> None:
    window.show_page("guides")
    page = window.pages.view("guides")
    assert isinstance(page, GuidesView)
    assert page.find_button.isVisible()
    page.find_button.click()
    assert page.finder.bar.field.isVisible() and page.finder.bar.field.hasFocus()
