"""Tests of key caps: as high as their text, one per key in tables; recording of the next key."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.models import Column, TableModel
from irjudge_ui.widgets import (
    KEY_SEPARATOR,
    KeyButton,
    KeyCapDelegate,
    Table,
    current_theme,
    keycap,
)


def test_a_key_cap_stays_as_high_as_its_text(qtbot: QtBot) -> None:
    holder, cap = QWidget(), keycap("Ctrl Z")
    qtbot.addWidget(holder)
    QHBoxLayout(holder).addWidget(cap)
    holder.resize(300, 300)
    holder.show()
    assert cap.height() == cap.sizeHint().height()


def count_caps(text: str, qtbot: QtBot) -> int:
    """Return the number of caps drawn in the first row, counted along a line above their text."""
    table = Table(TableModel([Column("Keys", str)], [text]), "Keys")
    table.setItemDelegateForColumn(0, KeyCapDelegate(table))
    qtbot.addWidget(table)
    table.resize(500, 200)
    table.show()
    picture = table.viewport().grab().toImage()
    cap = QColor(current_theme().key)
    line = table.visualRect(table.model().index(0, 0)).center().y()
    above = line - table.fontMetrics().height() // 2 - 2
    inside = [picture.pixelColor(x, above) == cap for x in range(picture.width())]
    return sum(now and not before for before, now in zip([False, *inside], inside, strict=False))


@pytest.mark.parametrize("keys", [["S"], ["Ctrl Shift Z", "Ctrl Y"], ["Alt F", "Ctrl +", "Ctrl ="]])
def test_each_key_of_a_cell_has_its_cap(keys: list[str], qtbot: QtBot) -> None:
    assert count_caps(KEY_SEPARATOR.join(keys), qtbot) == len(keys)


def test_a_recording_button_emits_the_next_key_once(qtbot: QtBot) -> None:
    made = KeyButton("Change", "Press a key", lambda event: event.text().upper())
    qtbot.addWidget(made)
    made.show()
    heard: list[str] = []
    made.key_recorded.connect(heard.append)
    QTest.keyClick(made, Qt.Key.Key_X)
    made.click()
    assert made.text() == "Press a key"
    QTest.keyClick(made, Qt.Key.Key_X)
    QTest.keyClick(made, Qt.Key.Key_Y)
    assert heard == ["X"] and made.text() == "Change"
