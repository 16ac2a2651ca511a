"""Which key is which digit: the row above the letters, and the number pad with and without NumLock."""

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

PAD_KEYS = [getattr(Qt.Key, f"Key_{name}") for name in "Insert End Down PageDown Left Clear Right Home Up PageUp".split()]

# The number pad without NumLock. A Mac has no NumLock, and its arrow keys say that they stand on the number pad.
PAD = {} if sys.platform == "darwin" else dict(zip(PAD_KEYS, "0123456789", strict=True))


def digit_of(event: QKeyEvent) -> str:
    """Return the digit that a key means when it is pressed alone; empty for any other key."""
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return ""
    if event.text().isascii() and event.text().isdigit():
        return event.text()
    return PAD.get(Qt.Key(event.key()), "") if event.modifiers() else ""
