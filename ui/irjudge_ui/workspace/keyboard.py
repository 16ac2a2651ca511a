"""Keys of judging pages: matching by character or by position, and entry of grades."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from irjudge_ui.actions import KEYS, format_keys
from irjudge_ui.keymap import GRADE_BINDINGS, KEYPAD, SHIFT_MODIFIER, pressed_key

KEYPAD_KEYS = [
    getattr(Qt.Key, f"Key_{name}")
    for name in "Insert End Down PageDown Left Clear Right Home Up PageUp".split()
]

# Digits on the keypad keys, by the key that Qt reports if NumLock is off. Empty on a Mac, which has
# no NumLock and whose arrow keys have the keypad modifier.
KEYPAD_DIGITS = (
    {} if sys.platform == "darwin" else dict(zip(KEYPAD_KEYS, "0123456789", strict=True))
)

# First scan code and characters of each row of a US keyboard. Linux (evdev) and Windows number the
# keys of a row consecutively (scan code set 1); X11 and Wayland add 8. macOS has other codes
# (kVK_ANSI_A etc. in Events.h).
KEY_ROWS = ((2, "1234567890"), (16, "QWERTYUIOP"), (30, "ASDFGHJKL"), (44, "ZXCVBNM"))
SCAN_CODES = {
    41: "`",
    **{first + offset: key for first, row in KEY_ROWS for offset, key in enumerate(row)},
}
MAC_CODES = (
    dict(enumerate("ASDFHGZXCV", 0))
    | dict(enumerate("BQWERYT123465", 0x0B))
    | {0x0A: "`", 0x32: "`"}
)
MAC_CODES |= {
    0x19: "9",
    0x1A: "7",
    0x1C: "8",
    0x1D: "0",
    0x1F: "O",
    0x20: "U",
    0x22: "I",
    0x23: "P",
    0x25: "L",
    0x26: "J",
    0x28: "K",
}
MAC_CODES |= {0x2D: "N", 0x2E: "M"}


def key_position(event: QKeyEvent, platform: str = sys.platform) -> str:
    """Return the character that a US keyboard has at the position of the pressed key.

    The result is empty for keys other than letters and digits.
    """
    if platform == "darwin":
        return (
            MAC_CODES.get(event.nativeVirtualKey(), "")
            if event.nativeScanCode() or event.nativeVirtualKey()
            else ""
        )
    return SCAN_CODES.get(event.nativeScanCode() - (0 if platform == "win32" else 8), "")


def key_meaning(event: QKeyEvent, platform: str = sys.platform) -> str:
    """Return the id of the grade or action that a key triggers in judging; empty if none.

    The character of the key has priority. If it triggers nothing, the position of the key is used:
    on a French keyboard, grades can be entered in the digit row without Shift, and with a Greek
    layout the N key opens the note.
    """
    modifiers = event.modifiers()
    if modifiers & ~(KEYPAD | SHIFT_MODIFIER):
        return ""
    if modifiers == KEYPAD and Qt.Key(event.key()) in KEYPAD_DIGITS:
        return KEYS.find_judging_id(KEYPAD_DIGITS[Qt.Key(event.key())])
    text = event.text()
    if meaning := KEYS.find_judging_id(pressed_key(event)):
        return meaning
    if modifiers or (text.isascii() and text.isalnum() and not KEYS.is_left_handed):
        # a Latin letter or digit is matched only by its character, except in the left-hand preset
        return ""
    return KEYS.find_judging_id(key_position(event, platform))


def grade_digit(event: QKeyEvent) -> str:
    """Return the digit that a key enters as a grade in judging; empty for other keys."""
    meaning = key_meaning(event)
    return meaning.removeprefix("grade-") if meaning in GRADE_BINDINGS else ""


def position_action(event: QKeyEvent) -> str:
    """Return the id of the action that a key triggers only by its position.

    The result is empty if Qt matches the key by its character, or if the key enters a grade.
    """
    meaning = key_meaning(event)
    return (
        ""
        if meaning in GRADE_BINDINGS or meaning == KEYS.find_judging_id(pressed_key(event))
        else meaning
    )


def grade_key_text(grade: int) -> str:
    """Return the key cap text of a grade; a grade of two digits needs two keys.

    Examples
    --------
    >>> grade_key_text(3), grade_key_text(12)
    ('3', '1 2')
    """
    return " ".join(format_keys(KEYS.keys(f"grade-{digit}")[0]) for digit in str(grade))


ACTIVITY_EVENTS = {
    QEvent.Type.KeyPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.MouseButtonPress,
}


class GradeEntry(QObject):
    """Event filter and handler that converts pressed grade keys to grades of a scale.

    A grade key enters a digit; by default, it is the key of this digit.

    If the highest grade has two digits, two digits must be typed for each grade; `is_ready` is
    called for the first of them, and returns whether a document can be graded now. `graded` is
    emitted with a grade, `begun` with the first digit of a grade of two digits, and `unknown` with
    a number that is not on the scale. `user_active` is emitted on any input to the watched widgets.
    The judging page, the adjudication page and the search dialog use it.
    """

    graded = Signal(int)
    begun = Signal(str)
    unknown = Signal(int)
    user_active = Signal()

    def __init__(self, is_ready: Callable[[], bool]) -> None:
        super().__init__()
        self._is_ready = is_ready
        self._grades: tuple[int, ...] = ()
        self._typed_digit = ""

    def set_values(self, grades: tuple[int, ...]) -> None:
        """Set the grades of the scale, ascending; with an empty tuple, digits are not handled."""
        self._grades = grades
        self.clear()

    def clear(self) -> None:
        """Discard a typed first digit, so that it is not used for another document."""
        self._typed_digit = ""

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it enters a digit.

        If a key is held down, its repetitions are ignored.
        """
        digit = grade_digit(event)
        if not digit or not self._grades:
            return False
        if not event.isAutoRepeat():
            self._enter_digit(digit)
        return True

    def _enter_digit(self, digit: str) -> None:
        if self._grades[-1] > 9 and not self._typed_digit:
            if self._is_ready():
                self._typed_digit = digit
                self.begun.emit(digit)
            return
        grade = int(self._typed_digit + digit)
        self.clear()
        (self.graded if grade in self._grades else self.unknown).emit(grade)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Report user activity, and handle digits before the watched widget handles the keys."""
        if event.type() in ACTIVITY_EVENTS:
            self.user_active.emit()
        return (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and self.press(event)
        )
