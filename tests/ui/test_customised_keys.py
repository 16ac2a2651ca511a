"""Tests of customised keys in the window: shown on every key cap, and effective at once."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel

from irjudge_ui.actions import BY_ID, KEYS
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window


def keycap_texts(window: Window) -> list[str]:
    return [
        label.text()
        for label in window.judge.findChildren(QLabel)
        if label.objectName() == "keycap"
    ]


@pytest.mark.slow
def test_all_key_caps_show_the_current_keys(
    open_window: Window, settings: Settings, press: Callable[..., None]
) -> None:
    assert "S" in keycap_texts(open_window)
    settings.set(
        "keys",
        {"skip": "F6", "undo": "F7", "collection": "F8", "workbook": "F9", "build-pool": "F10"},
    )
    assert "F6" in keycap_texts(open_window) and "S" not in keycap_texts(open_window)
    assert open_window.navigation_bar.buttons["collection"].toolTip() == "F8"
    assert open_window.evaluation.next_buttons["workbook"].toolTip() == "F9"
    assert open_window.collection.buttons["build-pool"].toolTip() == "F10"
    press(Qt.Key.Key_F6)
    assert "F7 undoes it" in open_window.judge.grade_panel.message.text()


@pytest.mark.slow
def test_grades_show_and_use_the_current_keys(
    open_window: Window, settings: Settings, press: Callable[..., None]
) -> None:
    buttons = open_window.judge.grade_panel.buttons
    session = open_window.judge.session
    assert buttons is not None and session is not None
    assert [made.key for made in buttons.buttons.values()] == [
        str(value) for value in buttons.buttons
    ]
    settings.set("grade_keys", {"1": "F6"})
    assert buttons.buttons[1].key == "F6" and not buttons.grab().isNull()
    press("1")
    assert not session.can_undo
    document = session.current()
    press(Qt.Key.Key_F6)
    assert document is not None
    judgment = session.judgment(document.queue_item)
    assert judgment is not None and judgment.payload["value"] == 1


def test_a_key_of_another_script_acts_by_its_position(open_window: Window) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QApplication.sendEvent(
        focus,
        QKeyEvent(
            QEvent.Type.KeyPress, Qt.Key(0x42B), Qt.KeyboardModifier.NoModifier, 39, 0, 0, "ы"
        ),
    )
    assert (
        open_window.judge.session is not None and open_window.judge.session.can_undo
    )  # it is at the position of S: skip


def test_another_window_uses_the_keys_of_its_own_settings(
    make_window: Callable[[], Window], settings: Settings
) -> None:
    settings.set("hand", "left")
    assert KEYS.keys("note") == BY_ID["note"].keys
    make_window()
    assert KEYS.keys("note") == ("A",)
