"""Tests of the find bar: status text, keys, and layout in narrow windows."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPushButton,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import FindBar, Theme, apply_style
from irjudge_ui.widgets.text_marks import MAX_QUERY_LENGTH
from irjudge_ui.widgets.theme import DARK, LIGHT


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.setLayout(QVBoxLayout())
    made.resize(700, 200)
    made.show()
    made.activateWindow()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def bar(page: QWidget, qtbot: QtBot) -> FindBar:
    made = FindBar()
    made.show_next_key("F3")
    made.show_previous_key("Shift F3")
    page.layout().addWidget(made)
    page.layout().addWidget(QTextEdit("behind"))
    made.open()
    qtbot.waitUntil(made.field.hasFocus)
    return made


def test_each_typed_letter_and_change_of_case_is_signalled(bar: FindBar, qtbot: QtBot) -> None:
    heard: list[tuple[str, bool]] = []
    bar.search_requested.connect(lambda typed, case: heard.append((typed, case)))
    qtbot.keyClicks(bar.field, "a1.")
    bar.case.click()
    assert heard == [("a", False), ("a1", False), ("a1.", False), ("a1.", True)]


@pytest.mark.parametrize(
    ("key", "modifier", "step"),
    [
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier, 1),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier, -1),
    ],
)
def test_enter_requests_the_next_match_and_shift_enter_the_previous(
    key: Qt.Key, modifier: Qt.KeyboardModifier, step: int, bar: FindBar, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(bar.step_requested) as heard:
        qtbot.keyClick(bar.field, key, modifier)
    assert heard.args == [step]


def test_the_buttons_request_the_next_and_previous_match(bar: FindBar, qtbot: QtBot) -> None:
    heard: list[int] = []
    bar.step_requested.connect(heard.append)
    bar.field.setText("x")
    bar.show_count(0, 3)
    bar.next.click()
    bar.previous.click()
    qtbot.keyClick(bar.next, Qt.Key.Key_Return)
    assert heard == [1, -1, 1]


def test_escape_and_the_close_button_close_the_bar(bar: FindBar, qtbot: QtBot) -> None:
    heard: list[str] = []
    bar.closed.connect(lambda: heard.append("closed"))
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    next(
        each
        for each in bar.findChildren(QPushButton)
        if each.accessibleName() == "Close the find bar"
    ).click()
    assert heard == ["closed", "closed"]


@pytest.mark.parametrize(
    ("typed", "position", "count", "status"),
    [
        ("", None, 0, ""),
        ("x", None, 0, "Not in this document"),
        ("x", None, 1, "1 match"),
        ("x", None, 1200, "1,200 matches"),
        ("x", 2, 17, "3 of 17"),
    ],
)
def test_the_status_is_shown_next_to_the_field_and_announced_to_screen_readers(
    typed: str, position: int | None, count: int, status: str, bar: FindBar
) -> None:
    bar.field.setText(typed)
    bar.show_count(position, count)
    assert bar.status == status == bar.field.accessibleDescription()
    assert bar.next.isEnabled() == bar.previous.isEnabled() == bool(count)


def test_the_status_says_if_there_are_more_matches_than_searched(bar: FindBar) -> None:
    bar.field.setText("x")
    bar.show_count(None, 50_000, has_more=True)
    assert bar.status == "More than 50,000 matches"
    bar.show_count(2, 50_000, has_more=True)
    assert bar.status == "3 of more than 50,000"


def test_every_control_has_a_name_and_the_focus_order_is_the_reading_order(
    bar: FindBar, qtbot: QtBot
) -> None:
    bar.field.setText("x")
    bar.show_count(0, 3)
    names = []
    for _ in range(5):
        focused = QApplication.focusWidget()
        assert focused is not None
        names.append(focused.accessibleName() or getattr(focused, "text", str)())
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert names == [
        "Find in document",
        "Previous match",
        "Next match",
        "Match case",
        "Close the find bar",
    ]


def test_opening_again_selects_all_text_of_the_field(bar: FindBar, qtbot: QtBot) -> None:
    bar.field.setText("tide")
    bar.open()
    assert bar.field.selectedText() == "tide" and bar.field.maxLength() == MAX_QUERY_LENGTH


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("position", "count"), [(2, 17), (None, 0)], ids=["some", "none"])
@pytest.mark.parametrize(
    ("width", "zoom"), [(700, 1.0), (600, 1.0), (520, 1.0), (300, 1.0), (600, 2.0)]
)
def test_nothing_is_cut_in_a_narrow_window(
    width: int,
    zoom: float,
    position: int | None,
    count: int,
    theme: Theme,
    bar: FindBar,
    page: QWidget,
    set_look: Callable[[Theme, float], None],
    qtbot: QtBot,
) -> None:
    set_look(theme, zoom)
    apply_style(page)
    QApplication.processEvents()  # the page updates its minimum size
    bar.field.setText("tide")
    bar.show_count(position, count)
    page.resize(width, 260)
    qtbot.waitUntil(lambda: page.width() == width)
    QApplication.processEvents()
    shown = [
        each
        for each in bar.findChildren(QWidget)
        if each.isVisible() and isinstance(each, (QLabel, QPushButton, QLineEdit))
    ]
    assert len(shown) >= 5 and bar.height() <= (2 if bar.width() < 440 * zoom else 1) * 42 * zoom
    for each in shown:
        assert bar.rect().contains(each.geometry()), each
        assert isinstance(each, QLineEdit) or each.width() >= each.minimumSizeHint().width(), each
    caps = [
        each
        for each in bar.findChildren(QLabel)
        if each.objectName() == "keycap" and each.isVisible()
    ]
    assert [cap.text() for cap in caps] == (["Shift F3", "F3", "Esc"] if width == 700 else [])


def test_wider_customised_keys_are_shown_if_there_is_room(bar: FindBar, page: QWidget) -> None:
    apply_style(page)
    page.resize(700, 200)
    QApplication.processEvents()
    caps = [each for each in bar.findChildren(QLabel) if each.objectName() == "keycap"]
    for show, short in ((bar.show_previous_key, "Shift F3"), (bar.show_next_key, "F3")):
        assert all(cap.isVisible() for cap in caps)
        show("Ctrl Alt Shift Meta Backspace")
        assert not any(cap.isVisible() for cap in caps)
        show(short)
    assert all(cap.isVisible() for cap in caps)
