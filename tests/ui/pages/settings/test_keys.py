"""Changing keys on the settings page: press Change, press a key; clashes are refused by name; the default comes back."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

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
def part(qtbot: QtBot) -> KeysEditor:
    made = KeysEditor()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    made.activateWindow()
    qtbot.waitExposed(made)
    return made


def give(part: KeysEditor, id: str, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
    """Choose an action, press Change, press a key where the focus is."""
    part.choose(id)
    part.change.click()
    focus = QApplication.focusWidget()
    assert focus is part.change and part.change.is_recording
    QTest.keyClick(focus, key, held)


def model_of(part: KeysEditor) -> Any:
    return part.table.model()


def cells(part: KeysEditor) -> dict[str, list[str]]:
    model = model_of(part)
    return {
        id: [model.index(row, column).data() for column in range(3)]
        for row, id in enumerate(model.rows)
    }


def test_every_grade_and_action_is_listed_with_its_keys_and_page(part: KeysEditor) -> None:
    assert set(cells(part)) == {*GRADE_BINDINGS, *(action.id for action in ACTIONS)}
    assert cells(part)["grade-3"] == ["3", "grade 3", "Judge"]
    assert cells(part)["redo"] == ["Ctrl Shift Z     Ctrl Y", "redo", "Judge"]
    assert cells(part)["theme"] == ["Ctrl T", "Toggle light/dark theme", "Everywhere"]


def test_where_the_filter_leaves_no_row_no_key_can_be_changed(part: KeysEditor) -> None:
    part.table.model().filter_rows("nothing has this")
    assert not part.change.isEnabled() and not part.back.isEnabled()
    KEYS.change("skip", "Ctrl+F6")  # by the other hand's keys, or in another window
    assert not part.back.isEnabled()
    part.table.model().filter_rows("")
    part.choose("skip")
    assert part.change.isEnabled()


def test_a_changed_key_stands_where_its_new_name_belongs(part: KeysEditor) -> None:
    model = model_of(part)
    part.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    give(part, "skip", Qt.Key.Key_Z, CTRL | SHIFT | Qt.KeyboardModifier.AltModifier)
    shown = [model.index(line, 0).data().casefold() for line in range(model.rowCount())]
    assert shown == sorted(shown) and part.chosen == "skip"


def test_the_key_that_is_pressed_becomes_the_key(part: KeysEditor, qtbot: QtBot) -> None:
    with qtbot.waitSignal(
        model_of(part).dataChanged
    ):  # the view paints and screen readers read anew
        give(part, "skip", Qt.Key.Key_F6, CTRL)
    assert KEYS.keys("skip") == ("Ctrl+F6",) and cells(part)["skip"][0] == "Ctrl F6"
    assert not part.change.is_recording and part.change.text() == "Change" and part.table.hasFocus()
    give(part, "grade-2", Qt.Key.Key_Comma)
    assert KEYS.keys("grade-2") == (",",)


def test_while_it_waits_it_says_so_and_shift_alone_is_no_key(part: KeysEditor) -> None:
    part.choose("skip")
    part.change.click()
    assert part.change.text() == "Press a key" and "“skip for now”" in part.message.text()
    QTest.keyPress(part.change, Qt.Key.Key_Shift)
    assert part.change.is_recording
    QTest.keyClick(part.change, Qt.Key.Key_F6, SHIFT)
    assert KEYS.keys("skip") == ("Shift+F6",)


def test_escape_and_another_focus_leave_the_key_as_it_is(part: KeysEditor) -> None:
    give(part, "skip", Qt.Key.Key_Escape)
    assert (
        not part.change.is_recording and KEYS.keys("skip") == ("S",) and part.message.text() == ""
    )
    part.change.click()
    part.table.setFocus()
    assert not part.change.is_recording and part.message.text() == ""


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
def test_a_key_that_cannot_be_is_refused_with_a_sentence(
    part: KeysEditor,
    settings: Settings,
    id: str,
    key: Qt.Key,
    held: Qt.KeyboardModifier,
    shown: str,
    owner: str,
) -> None:
    give(part, id, key, held)
    words = part.message.text()
    assert words.startswith(f"✕ {shown} ")
    assert (f"“{owner}”" in words) if owner else ("“" not in words)
    assert (settings.get("keys"), settings.get("grade_keys")) == ({}, {})
    part.choose("note")
    assert part.message.text() == ""


def test_the_default_comes_back(part: KeysEditor) -> None:
    part.choose("skip")
    assert not part.back.isEnabled()
    give(part, "skip", Qt.Key.Key_F6)
    assert part.back.isEnabled()
    part.back.click()
    assert KEYS.keys("skip") == ("S",) and not part.back.isEnabled() and part.table.hasFocus()


def test_enter_on_a_row_changes_its_key_and_sorting_keeps_the_rows_apart(part: KeysEditor) -> None:
    part.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    part.choose("skip")
    QTest.keyClick(part.table, Qt.Key.Key_Return)
    QTest.keyClick(part.change, Qt.Key.Key_F6)
    assert KEYS.keys("skip") == ("F6",) and part.chosen == "skip"


def test_the_names_of_the_buttons_say_whose_key_they_change(part: KeysEditor) -> None:
    part.choose("skip")
    names = {part.change.accessibleName(), part.back.accessibleName()}
    assert len(names) == 2 and all("skip for now" in each for each in names)


def test_a_waiting_button_takes_keys_before_the_windows_shortcuts(
    window: Window, settings: Settings, qtbot: QtBot, idle: Callable[[], None]
) -> None:
    KEYS.use(settings)
    window.show_page("settings")
    page = window.pages.view("settings").keys
    page.choose("skip")
    page.change.click()
    before = settings.get("theme")
    QTest.keyClick(page.change, Qt.Key.Key_T, CTRL)
    assert settings.get("theme") == before and "“Toggle light/dark theme”" in page.message.text()


def test_a_held_key_is_not_taken_for_the_new_one(part: KeysEditor) -> None:
    part.choose("skip")
    part.change.wait(True)
    QApplication.sendEvent(
        part.change, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_F6, NONE, "", True)
    )
    assert part.change.is_recording and KEYS.keys("skip") == ("S",)
