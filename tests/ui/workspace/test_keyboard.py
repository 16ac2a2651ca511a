"""Tests of key meanings: by character, by position on other layouts, and on the number pad."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irjudge_ui.actions import KEYS
from irjudge_ui.keymap import KeyMap
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from irjudge_ui.workspace import grade_key_text, position_action
from irjudge_ui.workspace.keyboard import (
    MAC_CODES,
    SCAN_CODES,
    grade_digit,
    key_meaning,
    key_position,
)

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
KEYPAD = Qt.KeyboardModifier.KeypadModifier
# characters of the digit row of a French keyboard without Shift, from 1 to 0
AZERTY = "&é\"'(-è_çà"
EVDEV = {place: code + 8 for code, place in SCAN_CODES.items()}
MAC = {place: code for code, place in MAC_CODES.items()}
LINUX = {"linux": EVDEV, "win32": {place: code for code, place in SCAN_CODES.items()}}


@pytest.fixture
def keys(tmp_path: Path) -> Iterator[KeyMap]:
    KEYS.use(Settings(tmp_path / "irjudge.ini"))
    yield KEYS
    KEYS.use(None)


def key(
    text: str,
    position: str = "",
    held: Qt.KeyboardModifier = NONE,
    name: Qt.Key | None = None,
    platform: str = "linux",
) -> QKeyEvent:
    """Return a key event as the system reports it.

    `text` is the character, `place` the key's label on an American keyboard.
    """
    code = name or Qt.Key(ord(text.upper()) if len(text.upper()) == 1 else Qt.Key.Key_unknown)
    if platform == "darwin":
        return QKeyEvent(QEvent.Type.KeyPress, code, held, 1, MAC[position], 0, text)
    return QKeyEvent(
        QEvent.Type.KeyPress, code, held, LINUX[platform][position] if position else 0, 0, 0, text
    )


def test_key_codes_are_those_documented_by_each_system() -> None:
    assert [EVDEV[digit] for digit in "1234567890"] == list(range(10, 20))
    assert [LINUX["win32"][digit] for digit in "1234567890"] == list(range(2, 12))
    mac = [0x12, 0x13, 0x14, 0x15, 0x17, 0x16, 0x1A, 0x1C, 0x19, 0x1D]  # kVK_ANSI_1 … kVK_ANSI_0
    assert [MAC[digit] for digit in "1234567890"] == mac
    assert set(MAC) == set(EVDEV) == set("`1234567890QWERTYUIOPASDFGHJKLZXCVBNM")
    letters = {
        "A": 0,
        "S": 1,
        "D": 2,
        "F": 3,
        "H": 4,
        "G": 5,
        "Z": 6,
        "X": 7,
        "C": 8,
        "V": 9,
        "B": 0x0B,
        "Q": 0x0C,
        "W": 0x0D,
        "E": 0x0E,
    }
    letters |= {
        "R": 0x0F,
        "Y": 0x10,
        "T": 0x11,
        "O": 0x1F,
        "U": 0x20,
        "I": 0x22,
        "P": 0x23,
        "L": 0x25,
        "J": 0x26,
        "K": 0x28,
        "N": 0x2D,
    }
    assert {letter: MAC[letter] for letter in letters} == letters and MAC["M"] == 0x2E
    assert (MAC["A"], MAC["Q"], MAC["N"], EVDEV["Q"], EVDEV["A"], EVDEV["Z"], EVDEV["`"]) == (
        0x00,
        0x0C,
        0x2D,
        24,
        38,
        52,
        49,
    )


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin"])
@pytest.mark.parametrize(("text", "digit"), list(zip(AZERTY, "1234567890", strict=True)))
def test_the_digit_row_grades_on_a_french_keyboard_without_shift(
    text: str, digit: str, platform: str, keys: KeyMap
) -> None:
    assert key_meaning(key(text, digit, platform=platform), platform) == f"grade-{digit}"


@pytest.mark.parametrize("digit", "1234567890")
def test_shift_and_digit_on_a_french_keyboard_grade_too(digit: str, keys: KeyMap) -> None:
    assert grade_digit(key(digit, digit, SHIFT)) == digit


@pytest.mark.parametrize(("text", "digit"), [("!", "1"), ("@", "2"), (")", "0")])
def test_shift_and_digit_on_an_american_keyboard_do_nothing(
    text: str, digit: str, keys: KeyMap
) -> None:
    assert grade_digit(key(text, digit, SHIFT)) == ""


@pytest.mark.parametrize(
    "held", [CTRL, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.MetaModifier]
)
def test_a_digit_with_another_modifier_is_no_grade(held: Qt.KeyboardModifier, keys: KeyMap) -> None:
    assert grade_digit(key("3", "3", held)) == grade_digit(key("&", "1", held)) == ""


@pytest.mark.parametrize(("text", "digit"), [("۱", "1"), ("٣", "3"), ("ě", "2"), ("à", "0")])
def test_digits_of_other_scripts_and_letters_on_digit_keys_grade(
    text: str, digit: str, keys: KeyMap
) -> None:
    assert grade_digit(key(text, digit)) == digit


def test_a_letter_shortcut_is_never_read_as_the_digit_at_its_position(keys: KeyMap) -> None:
    keys.change("skip", "é")
    assert grade_digit(key("é", "2")) == "" and grade_digit(key("&", "1")) == "1"
    assert position_action(key("é", "2")) == ""  # Qt recognises the character
    keys.change("skip", "(")
    assert grade_digit(key("(", "5")) == ""


def test_the_number_pad_grades_with_and_without_numlock(keys: KeyMap) -> None:
    without = [
        Qt.Key.Key_Insert,
        Qt.Key.Key_End,
        Qt.Key.Key_Down,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Left,
        Qt.Key.Key_Clear,
    ]
    without += [Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_Up, Qt.Key.Key_PageUp]
    assert [grade_digit(key(str(digit), held=KEYPAD)) for digit in range(10)] == list("0123456789")
    assert [grade_digit(key("", held=KEYPAD, name=name)) for name in without] == list("0123456789")
    assert [grade_digit(key("", name=name)) for name in without] == [
        ""
    ] * 10  # the navigation keys beside the pad
    assert grade_digit(key("", held=KEYPAD | SHIFT, name=Qt.Key.Key_End)) == ""


def test_a_grade_with_another_key_frees_its_digit_everywhere(keys: KeyMap) -> None:
    keys.change("grade-2", "M")
    assert grade_digit(key("m", "M")) == "2"
    assert [
        grade_digit(key("2", "2")),
        grade_digit(key("é", "2")),
        grade_digit(key("2", held=KEYPAD)),
    ] == [
        "",
        "",
        "",
    ]
    assert (grade_key_text(2), grade_key_text(12)) == ("M", "1 M")


def test_letters_of_other_scripts_have_the_meaning_of_their_position(keys: KeyMap) -> None:
    assert position_action(key("т", "N")) == "note"  # Russian
    assert position_action(key("ν", "N")) == "note"  # Greek
    assert position_action(key("n", "N")) == ""  # Qt recognises the character
    assert position_action(key("т", "N", CTRL)) == ""
    assert position_action(key("т", "Y")) == "why-shown"
    assert position_action(key("т", "M")) == ""


def test_a_latin_letter_keeps_its_meaning_when_both_hands_judge(keys: KeyMap) -> None:
    assert key_meaning(key("q", "A")) == "" and key_meaning(key("y", "Z")) == "why-shown"
    keys.change("skip", "W")
    assert key_meaning(key("z", "W")) == ""  # French: Z is at the position of W


def test_left_hand_keys_are_recognised_by_position(keys: KeyMap) -> None:
    assert keys._settings is not None
    keys._settings.set("hand", "left")
    assert [grade_digit(key(letter, letter.upper())) for letter in "qwer"] == list("6789")
    assert grade_digit(key("²", "`")) == "0"  # French
    assert grade_digit(key("", "`", name=Qt.Key.Key_Dead_Circumflex)) == "0"  # German
    assert grade_digit(key("'", "Q")) == "6"  # Dvorak
    assert position_action(key("y", "Z")) == "back"  # German: Y is at the position of Z
    assert grade_digit(key("a", "Q")) == ""  # French: A opens the note, at any position
    assert "".join(grade_key_text(grade) for grade in range(10)) == "`12345QWER"


def test_keys_outside_letters_and_digits_have_no_position() -> None:
    assert (
        key_position(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_F1, NONE, 67, 0, 0, ""), "linux")
        == ""
    )
    assert key_position(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, NONE, "a"), "darwin") == ""


def test_a_french_key_grades_the_document_on_screen(
    keys: KeyMap, open_window: Window, qtbot: QtBot
) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None and open_window.judge.session is not None
    document = open_window.judge.session.current()
    assert document is not None
    QApplication.sendEvent(focus, key("&", "1"))
    judgment = open_window.judge.session.judgment(document.queue_item)
    assert judgment is not None and judgment.payload["value"] == 1
