"""Tests of changing the language: immediate, and without losing work."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from irjudge.errors import Cancelled, FormatError
from irjudge.message import Message
from irjudge.store import ImportReport, open_project, read_import_reports, save_import_report
from irjudge_ui.app import TranslatorInstaller
from irjudge_ui.messages import filled, join_list, join_sentences, translate_message
from irjudge_ui.settings import Settings, locale_of
from irjudge_ui.widgets import Theme
from irjudge_ui.widgets.theme import LIGHT, SCRIPTS
from irjudge_ui.window import Window


@pytest.fixture
def language(settings: Settings, qapp: QApplication) -> Iterator[TranslatorInstaller]:
    settings.set("language", "en")
    installer = TranslatorInstaller(qapp, settings)
    yield installer
    settings.set("language", "en")
    installer.deleteLater()


@pytest.mark.slow
def test_the_current_document_stays_when_the_language_changes(
    language: TranslatorInstaller,
    open_window: Window,
    settings: Settings,
    press: Callable[..., None],
    qtbot: QtBot,
) -> None:
    press("2")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    work, session = open_window.judge.rendered_item, open_window.judge.session
    before = open_window.judge
    settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: open_window.judge is not before)
    assert (
        open_window.pages.currentWidget() is open_window.pages.view("settings")
        and open_window.judge.session is session
    )
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    assert (
        open_window.judge.rendered_item == work
        and session is not None
        and session.count().judged == 1
    )
    press("1")
    assert session.count().judged == 2


def test_every_shortcut_acts_once_after_the_language_changed(
    language: TranslatorInstaller, open_window: Window, settings: Settings, qtbot: QtBot
) -> None:
    before = open_window.pages.view("home")
    settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: open_window.pages.view("home") is not before)
    shortcuts = [key.toString() for action in open_window.actions() for key in action.shortcuts()]
    assert len(shortcuts) == len(set(shortcuts))


def test_chinese_punctuation_is_used_in_chinese(
    language: TranslatorInstaller, settings: Settings, qapp: QApplication
) -> None:
    before = qapp.font().families()
    settings.set("language", "zh_CN")
    own, *others = qapp.font().families()
    assert own == QFontInfo(qapp.font()).family() and others == list(SCRIPTS["zh_CN"])
    settings.set("language", "en")
    assert qapp.font().families() == before


def test_the_font_stays_when_the_zoom_changes_in_chinese(
    language: TranslatorInstaller,
    settings: Settings,
    qapp: QApplication,
    set_look: Callable[[Theme, float], None],
) -> None:
    settings.set("language", "zh_CN")
    set_look(LIGHT, 1.5)
    assert "Noto Sans CJK SC" in qapp.font().families()


def test_sentences_are_joined_as_their_language_requires() -> None:
    assert (
        join_sentences("One.", "", "Two.") == "One. Two."
        and join_sentences("一。", "二。", "Three.") == "一。二。Three."
    )
    assert (
        join_list(["a", "b", "c"]) == "a, b, c"
        and join_list([]) == ""
        and join_list(["{first}", "b"]) == "{first}, b"
    )


def test_the_language_of_the_desktop_is_its_locale() -> None:
    assert locale_of("system") == QLocale()
    assert locale_of("zh_CN").language() == QLocale.Language.Chinese


@pytest.mark.slow
def test_a_read_only_project_stays_read_only(
    language: TranslatorInstaller,
    make_window: Callable[[], Window],
    project_path: object,
    settings: Settings,
    qtbot: QtBot,
) -> None:
    one, two = make_window(), make_window()
    one.open(project_path)  # type: ignore[arg-type]
    two.open(project_path)  # type: ignore[arg-type]
    before = two.judge
    settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: two.judge is not before)
    two.show_page("judge")
    assert two.judge.state_page is not None and two.judge.state_page.findChildren(QLabel)
    qtbot.waitUntil(two.read_only_label.isVisible)  # Qt shows new content in the next event
    assert "只读" in two.read_only_label.text()
    assert "只读" in two.windowTitle() and "read-only" not in two.windowTitle()


MESSAGES = {
    str(Cancelled()): "已取消。没有做任何更改。",
    str(
        FormatError(
            "a/b.run",
            Message(
                "byte {column} of the line (0x{raw:02x}) is not valid UTF-8",
                column=3,
                raw=255,
            ),
            3,
        )
    ): ("b.run 第 3 行：该行第 3 个字节（0xff）不是有效的 UTF-8。"),
    "Highly relevant": "高度相关",
    Message(
        "Ignored fields: {named}{more}.",
        named="url, {file} %1",
        more=Message(" and more"),
    ): "未读取的字段：url, {file} %1等。",
    Message("Nobody translated {this}.", this="Cancelled."): "Nobody translated Cancelled..",
    "(.*": "(.*",
    "": "",
}


@pytest.mark.parametrize("sentence", MESSAGES, ids=lambda sentence: sentence[:30])
def test_an_engine_message_is_shown_in_the_language_of_the_window(
    language: TranslatorInstaller, settings: Settings, sentence: str
) -> None:
    assert translate_message(sentence) == sentence
    settings.set("language", "zh_CN")
    assert translate_message(sentence) == MESSAGES[sentence]


def test_an_import_report_is_in_chinese_after_the_project_was_closed(
    language: TranslatorInstaller, settings: Settings, project_path: Path
) -> None:
    read = Message(
        "Read run {run} (documents retrieved: {documents:,}; topics: {topics:,}).",
        run="%1{documents}",
        documents=1200,
        topics=3,
    )
    with open_project(project_path) as project:
        save_import_report(project, ImportReport(sentences=[read]))
    settings.set("language", "zh_CN")
    with open_project(project_path, writing=False) as project:
        message = translate_message(read_import_reports(project)[-1].sentences[0])
    assert "%1{documents}" in message and "1,200" in message and "Documents" not in message


@pytest.mark.parametrize("id", ["http%3A%2F%2Fa.org", "{key}", "100 {id}", "{"])
def test_an_id_with_a_brace_is_kept(id: str) -> None:
    assert filled("{id}, {grade}: {key}", id=id, grade="{key}", key="Z") == f"{id}, {{key}}: Z"
    assert filled("{id} of {count}", id=id) == f"{id} of {{count}}"
