"""The guides: every page of the help is there, is read in the window, and can be searched."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from irjudge.shipped import shipped
from irjudge_ui.pages.guides.guides import GUIDES, GuidesView, guide
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window


@pytest.fixture
def guides(window: Window, idle: Callable[[], None]) -> GuidesView:
    window.do("guides")
    idle()
    view = window.pages.view("guides")
    assert isinstance(view, GuidesView)
    return view


def test_every_page_of_the_help_is_a_guide() -> None:
    assert {path.stem for path in (shipped("resources") / "help").glob("*.md")} == set(GUIDES)


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_shown_whole(guides: GuidesView, name: str, qtbot: QtBot) -> None:
    guides.buttons[name].click()
    qtbot.waitUntil(lambda: guides.document.complete)
    heading, *_, last = [line for line in guide(name).read_text(encoding="utf-8").splitlines() if line.strip("`| -")]
    shown = guides.document.toPlainText()
    assert shown.startswith(heading.removeprefix("# ")) and last.split()[-1].strip("`*|.") in shown
    assert [each for each, button in guides.buttons.items() if button.isChecked()] == [name]


def test_the_name_of_a_guide_has_room_for_the_heavy_letters_it_has_when_shown(guides: GuidesView) -> None:
    for made in guides.buttons.values():
        assert made.width() >= made.sizeHint().width() > QPushButton.sizeHint(made).width(), made.text()


def test_a_measure_is_found_by_its_name(guides: GuidesView, qtbot: QtBot) -> None:
    guides.show_guide("measures")
    qtbot.waitUntil(lambda: guides.document.complete)
    guides.actions_by_id["find-guide"].trigger()
    guides.finder.bar.field.setText("Average precision")
    qtbot.waitUntil(lambda: guides.document.textCursor().selectedText().casefold() == "average precision")
    first = guides.document.textCursor().position()
    guides.actions_by_id["guide-next"].trigger()
    assert guides.document.textCursor().position() > first
    guides.actions_by_id["guide-previous"].trigger()
    assert guides.document.textCursor().position() == first


def test_help_opens_the_guides_where_nothing_is_judged(window: Window, settings: Settings) -> None:
    window.show_help()
    assert window.pages.on_top() == "guides"


def test_a_guide_on_screen_follows_the_size_of_text(guides: GuidesView, window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: guides.document.complete)
    before = guides.document.document().defaultFont().pixelSize()
    window.looks.zoom_in()
    qtbot.waitUntil(lambda: guides.document.complete and guides.document.document().defaultFont().pixelSize() > before)
