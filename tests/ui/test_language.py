"""The window speaks another language at once, and nothing of the work is lost by it."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from irjudge_ui.language import Language, listed, locale_of, sentences
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.theme import LIGHT, SCRIPTS, Theme
from irjudge_ui.window import Window


@pytest.fixture
def language(settings: Settings, qapp: QApplication) -> Iterator[Language]:
    settings.set("language", "en")
    speaking = Language(qapp, settings)
    yield speaking
    settings.set("language", "en")
    speaking.deleteLater()


def test_the_work_stays_where_it_is_when_the_language_changes(
    language: Language, open_window: Window, settings: Settings, press: Callable[..., None], qtbot: QtBot
) -> None:
    press("2")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    work, session = open_window.judge.on_paper, open_window.judge.session
    before = open_window.judge
    settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: open_window.judge is not before)
    assert open_window.pages.currentWidget() is open_window.pages.view("settings") and open_window.judge.session is session
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    assert open_window.judge.on_paper == work and session is not None and session.count().judged == 1
    press("1")
    assert session.count().judged == 2


def test_every_shortcut_works_once_after_the_language_changed(
    language: Language, open_window: Window, settings: Settings, qtbot: QtBot
) -> None:
    before = open_window.pages.view("home")
    settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: open_window.pages.view("home") is not before)
    shortcuts = [key.toString() for action in open_window.actions() for key in action.shortcuts()]
    assert len(shortcuts) == len(set(shortcuts))


def test_chinese_signs_are_written_as_chinese_has_them(language: Language, settings: Settings, qapp: QApplication) -> None:
    before = qapp.font().families()
    settings.set("language", "zh_CN")
    own, *others = qapp.font().families()
    assert own == QFontInfo(qapp.font()).family() and others == list(SCRIPTS["zh_CN"])
    settings.set("language", "en")
    assert qapp.font().families() == before


def test_the_letters_stay_when_the_zoom_changes_in_chinese(
    language: Language, settings: Settings, qapp: QApplication, look: Callable[[Theme, float], None]
) -> None:
    settings.set("language", "zh_CN")
    look(LIGHT, 1.5)
    assert "Noto Sans CJK SC" in qapp.font().families()


def test_sentences_stand_apart_as_their_language_has_it() -> None:
    assert sentences("One.", "", "Two.") == "One. Two." and sentences("一。", "二。", "Three.") == "一。二。Three."
    assert listed(["a", "b", "c"]) == "a, b, c" and listed([]) == "" and listed(["%2", "b"]) == "%2, b"


def test_the_choice_of_the_desktop_is_the_desktops_locale() -> None:
    assert locale_of("system") == QLocale()
    assert locale_of("zh_CN").language() == QLocale.Language.Chinese


def test_a_project_open_for_reading_stays_open_for_reading(
    language: Language, make_window: Callable[[], Window], project_path: object, settings: Settings, qtbot: QtBot
) -> None:
    one, two = make_window(), make_window()
    one.open(project_path)  # type: ignore[arg-type]
    two.open(project_path)  # type: ignore[arg-type]
    before = two.judge
    settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: two.judge is not before)
    two.show_page("judge")
    assert two.judge.rest is not None and two.judge.rest.findChildren(QLabel)
