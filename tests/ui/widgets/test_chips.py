"""Tests of chips: one per name, removed by a click, and a line edit for typing."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import Chips


@pytest.fixture
def chips(qtbot: QtBot) -> Chips:
    page, line, other = QWidget(), QLineEdit("AP P@10 nDCG@10"), QPushButton("other")
    line.setToolTip("names with blanks")
    page.resize(600, 120)
    made = Chips(line, lambda name: f"about {name}")
    box = QVBoxLayout(page)
    box.addWidget(made)
    box.addWidget(other)
    qtbot.addWidget(page)
    page.show()
    other.setFocus()
    page.other = other
    made.line, made.page = line, page
    return made


def chip_texts(chips: Chips) -> list[str]:
    return [label.text() for label in chips.findChildren(QLabel) if label.isVisible()]


def test_each_name_is_a_chip_with_a_tooltip(chips: Chips) -> None:
    assert chip_texts(chips) == ["AP", "P@10", "nDCG@10"] and not chips.line.isVisible()
    centres = [label.mapTo(chips, label.rect().center()) for label in chips.findChildren(QLabel)]
    assert [chips.tooltip_at(centre) for centre in centres] == [
        "about AP",
        "about P@10",
        "about nDCG@10",
    ]
    assert chips.tooltip_at(QPoint(chips.width() - 1, 1)) == "names with blanks"


def test_a_click_removes_one_name_and_is_signalled(chips: Chips, qtbot: QtBot) -> None:
    remove = next(
        each for each in chips.findChildren(QPushButton) if "P@10" in each.accessibleName().split()
    )
    with qtbot.waitSignal(chips.removed):
        QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
    assert chips.line.text() == "AP nDCG@10"
    qtbot.waitUntil(lambda: chip_texts(chips) == ["AP", "nDCG@10"])


@pytest.mark.parametrize("way", ["key", "click"])
def test_the_line_edit_is_shown_by_key_or_click_and_hidden_when_it_loses_the_focus(
    chips: Chips, way: str, qtbot: QtBot
) -> None:
    if way == "click":
        QTest.mouseClick(chips, Qt.MouseButton.LeftButton)
    else:
        chips.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(chips.line.hasFocus)
    QTest.keyClicks(chips.line, "RR official")
    QTest.keyClick(chips.line, Qt.Key.Key_Return)
    assert chips.line.isVisible(), "whoever types goes on typing"
    chips.page.other.setFocus()
    assert not chips.line.isVisible()
    qtbot.waitUntil(lambda: chip_texts(chips) == ["RR", "official"])


def test_names_set_by_the_program_are_shown(chips: Chips, qtbot: QtBot) -> None:
    chips.line.setText("ERR@20")
    qtbot.waitUntil(lambda: chip_texts(chips) == ["ERR@20"])
