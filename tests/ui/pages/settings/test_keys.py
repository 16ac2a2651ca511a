"""Tests of changing keys on the settings page: recording, conflicts, and restoring the default."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irjudge.model import natural_key
from irjudge_ui.actions import ACTIONS, KEYS
from irjudge_ui.keymap import GRADE_BINDINGS
from irjudge_ui.pages.settings import KeysEditor
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def keys(settings: Settings) -> Iterator[None]:
    KEYS.use(settings)
    yield
    KEYS.use(None)


@pytest.fixture
def keys_editor(qtbot: QtBot) -> KeysEditor:
    made = KeysEditor()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    made.activateWindow()
    qtbot.waitExposed(made)
    return made


def change_key(
    keys_editor: KeysEditor, id: str, key: Qt.Key, held: Qt.KeyboardModifier = NONE
) -> None:
    """Select an action, press Change, and press a key in the focused widget."""
    keys_editor.choose(id)
    keys_editor.change.click()
    focus = QApplication.focusWidget()
    assert focus is keys_editor.change and keys_editor.change.is_recording
    QTest.keyClick(focus, key, held)


def table_model(keys_editor: KeysEditor) -> Any:
    return keys_editor.table.model()


def table_cells(keys_editor: KeysEditor) -> dict[str, list[str]]:
    model = table_model(keys_editor)
    return {
        id: [model.index(row, column).data() for column in range(3)]
        for row, id in enumerate(model.rows)
    }


def test_every_grade_and_action_is_listed_with_its_keys_and_page(keys_editor: KeysEditor) -> None:
    assert set(table_cells(keys_editor)) == {*GRADE_BINDINGS, *(action.id for action in ACTIONS)}
    assert table_cells(keys_editor)["grade-3"] == ["3", "grade 3", "Judge"]
    assert table_cells(keys_editor)["redo"] == ["Ctrl Shift Z     Ctrl Y", "redo", "Judge"]
    assert table_cells(keys_editor)["theme"] == ["Ctrl T", "Toggle light/dark theme", "Everywhere"]


def test_no_key_can_be_changed_while_the_filter_hides_all_rows(keys_editor: KeysEditor) -> None:
    keys_editor.table.model().filter_rows("nothing has this")
    assert not keys_editor.change.isEnabled() and not keys_editor.back.isEnabled()
    KEYS.change("skip", "Ctrl+F6")  # from the keys of the other hand, or in another window
    assert not keys_editor.back.isEnabled()
    keys_editor.table.model().filter_rows("")
    keys_editor.choose("skip")
    assert keys_editor.change.isEnabled()


def test_a_changed_key_is_sorted_by_its_new_name(keys_editor: KeysEditor) -> None:
    model = table_model(keys_editor)
    keys_editor.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    change_key(keys_editor, "skip", Qt.Key.Key_Z, CTRL | SHIFT | Qt.KeyboardModifier.AltModifier)
    shown = [model.index(line, 0).data().casefold() for line in range(model.rowCount())]
    assert shown == sorted(shown, key=natural_key) and keys_editor.chosen == "skip"


def test_the_pressed_key_becomes_the_key_of_the_action(
    keys_editor: KeysEditor, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(
        table_model(keys_editor).dataChanged
    ):  # the view repaints, and screen readers read the row again
        change_key(keys_editor, "skip", Qt.Key.Key_F6, CTRL)
    assert KEYS.keys("skip") == ("Ctrl+F6",) and table_cells(keys_editor)["skip"][0] == "Ctrl F6"
    assert (
        not keys_editor.change.is_recording
        and keys_editor.change.text() == "Change"
        and keys_editor.table.hasFocus()
    )
    change_key(keys_editor, "grade-2", Qt.Key.Key_Comma)
    assert KEYS.keys("grade-2") == (",",)


def test_waiting_for_a_key_is_shown_and_shift_alone_is_not_a_key(keys_editor: KeysEditor) -> None:
    keys_editor.choose("skip")
    keys_editor.change.click()
    assert (
        keys_editor.change.text() == "Press a key"
        and "“skip for now”" in keys_editor.message.text()
    )
    QTest.keyPress(keys_editor.change, Qt.Key.Key_Shift)
    assert keys_editor.change.is_recording
    QTest.keyClick(keys_editor.change, Qt.Key.Key_F6, SHIFT)
    assert KEYS.keys("skip") == ("Shift+F6",)


def test_escape_and_a_change_of_focus_keep_the_key(keys_editor: KeysEditor) -> None:
    change_key(keys_editor, "skip", Qt.Key.Key_Escape)
    assert (
        not keys_editor.change.is_recording
        and KEYS.keys("skip") == ("S",)
        and keys_editor.message.text() == ""
    )
    keys_editor.change.click()
    keys_editor.table.setFocus()
    assert not keys_editor.change.is_recording and keys_editor.message.text() == ""


@pytest.mark.parametrize(
    ("id", "key", "held", "shown", "owner"),
    [
        ("skip", Qt.Key.Key_X, NONE, "X", "unjudgeable"),
        ("skip", Qt.Key.Key_T, CTRL, "Ctrl T", "Toggle light/dark theme"),
        ("skip", Qt.Key.Key_4, NONE, "4", "grade 4"),
        ("grade-4", Qt.Key.Key_S, NONE, "S", "skip for now"),
        ("skip", Qt.Key.Key_Tab, NONE, "Tab", ""),
        ("skip", Qt.Key.Key_Space, NONE, "Space", ""),
        ("grade-4", Qt.Key.Key_F6, CTRL, "Ctrl F6", ""),
    ],
)
def test_an_impossible_key_is_refused_with_a_message(
    keys_editor: KeysEditor,
    settings: Settings,
    id: str,
    key: Qt.Key,
    held: Qt.KeyboardModifier,
    shown: str,
    owner: str,
) -> None:
    change_key(keys_editor, id, key, held)
    text = keys_editor.message.text()
    assert text.startswith(f"✕ {shown} ")
    assert (f"“{owner}”" in text) if owner else ("“" not in text)
    assert (settings.get("keys"), settings.get("grade_keys")) == ({}, {})
    keys_editor.choose("note")
    assert keys_editor.message.text() == ""


def test_the_default_is_restored(keys_editor: KeysEditor) -> None:
    keys_editor.choose("skip")
    assert not keys_editor.back.isEnabled()
    change_key(keys_editor, "skip", Qt.Key.Key_F6)
    assert keys_editor.back.isEnabled()
    keys_editor.back.click()
    assert (
        KEYS.keys("skip") == ("S",)
        and not keys_editor.back.isEnabled()
        and keys_editor.table.hasFocus()
    )


def test_enter_on_a_row_changes_its_key_after_sorting_too(keys_editor: KeysEditor) -> None:
    keys_editor.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    keys_editor.choose("skip")
    QTest.keyClick(keys_editor.table, Qt.Key.Key_Return)
    QTest.keyClick(keys_editor.change, Qt.Key.Key_F6)
    assert KEYS.keys("skip") == ("F6",) and keys_editor.chosen == "skip"


def test_the_names_of_the_buttons_include_the_action_whose_key_they_change(
    keys_editor: KeysEditor,
) -> None:
    keys_editor.choose("skip")
    names = {keys_editor.change.accessibleName(), keys_editor.back.accessibleName()}
    assert len(names) == 2 and all("skip for now" in each for each in names)


def test_a_waiting_button_takes_keys_before_the_windows_shortcuts(
    window: Window, settings: Settings, qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    KEYS.use(settings)
    window.show_page("settings")
    page = window.pages.view("settings").keys
    page.choose("skip")
    page.change.click()
    before = settings.get("theme")
    QTest.keyClick(page.change, Qt.Key.Key_T, CTRL)
    assert settings.get("theme") == before and "“Toggle light/dark theme”" in page.message.text()


def test_a_held_key_is_not_taken_for_the_new_one(keys_editor: KeysEditor) -> None:
    keys_editor.choose("skip")
    keys_editor.change.set_recording(True)
    QApplication.sendEvent(
        keys_editor.change, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_F6, NONE, "", True)
    )
    assert keys_editor.change.is_recording and KEYS.keys("skip") == ("S",)
