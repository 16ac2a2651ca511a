"""Keys on judging pages: by character, else by position; and digits that become grades."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from irjudge_ui.actions import KEYS, format_keys
from irjudge_ui.keymap import GRADES, KEYPAD, SHIFT, pressed_key

PAD_KEYS = [
    getattr(Qt.Key, f"Key_{name}")
    for name in "Insert End Down PageDown Left Clear Right Home Up PageUp".split()
]

# The number pad without NumLock. A Mac has no NumLock, and its arrow keys say that they stand on the number pad.
PAD = {} if sys.platform == "darwin" else dict(zip(PAD_KEYS, "0123456789", strict=True))

# Where keys stand, named by what an American keyboard has there. Linux (evdev) numbers them row by row as the first PC keyboards did
# (scan codes, set 1), which Windows still reports; X11 and Wayland add 8. macOS has its own (kVK_ANSI_A and so on in its Events.h).
ROWS = ((2, "1234567890"), (16, "QWERTYUIOP"), (30, "ASDFGHJKL"), (44, "ZXCVBNM"))
SCAN_CODES = {
    41: "`",
    **{first + place: key for first, row in ROWS for place, key in enumerate(row)},
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
    """Return what an American keyboard has where the key stands.

    Empty for a key beside the characters and digits.
    """
    if platform == "darwin":
        return (
            MAC_CODES.get(event.nativeVirtualKey(), "")
            if event.nativeScanCode() or event.nativeVirtualKey()
            else ""
        )
    return SCAN_CODES.get(event.nativeScanCode() - (0 if platform == "win32" else 8), "")


def key_meaning(event: QKeyEvent, platform: str = sys.platform) -> str:
    """Return the id of the grade or action that a single key stands for on the judging page; empty for any other key.

    What is written on the key comes first. Its place counts where what is written on it has no
    meaning here: on a French keyboard the row above the characters grades without Shift, and
    with Greek characters the key for N still writes a note.
    """
    held = event.modifiers()
    if held & ~(KEYPAD | SHIFT):
        return ""
    if held == KEYPAD and Qt.Key(event.key()) in PAD:
        return KEYS.judging(PAD[Qt.Key(event.key())])
    words = event.text()
    if found := KEYS.judging(pressed_key(event)):
        return found
    if held or (words.isascii() and words.isalnum() and not KEYS.left):
        return ""  # a Latin letter means itself; the left hand goes by places
    return KEYS.judging(key_position(event, platform))


def grade_digit(event: QKeyEvent) -> str:
    """Return the digit of a grade that a key stands for on the judging page; empty for any other key."""
    meaning = key_meaning(event)
    return meaning.removeprefix("grade-") if meaning in GRADES else ""


def position_action(event: QKeyEvent) -> str:
    """Return the id of the action that a key stands for by its place alone; empty for others: Qt knows keys by what is written on them."""
    meaning = key_meaning(event)
    return "" if meaning in GRADES or meaning == KEYS.judging(pressed_key(event)) else meaning


def grade_key_text(grade: int) -> str:
    """Return what the key cap of a grade says; for a grade with two digits both keys.

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
    """Watches the document's keys. `graded` is emitted with a grade of the scale, `begun` with the first of two digits.

    `unknown` is emitted with a number that is no grade of the scale.
    """

    graded = Signal(int)
    begun = Signal(str)
    unknown = Signal(int)
    alive = Signal()

    def __init__(self, ready: Callable[[], bool]) -> None:
        super().__init__()
        self._ready = ready
        self._values: tuple[int, ...] = ()
        self._typed = ""

    def set_values(self, values: tuple[int, ...]) -> None:
        """Take the grades of a scale; none takes no digits."""
        self._values = values
        self.clear()

    def clear(self) -> None:
        """Forget a first digit: two digits may not be shared out over two documents."""
        self._typed = ""

    def press(self, event: QKeyEvent) -> bool:
        """Take a key; tell whether it was a digit. A held key repeats; only its first press counts."""
        digit = grade_digit(event)
        if not digit or not self._values:
            return False
        if not event.isAutoRepeat():
            self._type(digit)
        return True

    def _type(self, digit: str) -> None:
        if self._values[-1] > 9 and not self._typed:
            if self._ready():
                self._typed = digit
                self.begun.emit(digit)
            return
        grade = int(self._typed + digit)
        self.clear()
        (self.graded if grade in self._values else self.unknown).emit(grade)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Note user activity, and take the number pad's digits before they scroll when NumLock is
        off.
        """
        if event.type() in ACTIVITY_EVENTS:
            self.alive.emit()
        return (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and self.press(event)
        )
