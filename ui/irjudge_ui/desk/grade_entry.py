"""Turns digits into grades: one key, or two where the scale goes beyond 9."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent

from irjudge_ui.desk.keyboard import digit_of

SIGNS_OF_LIFE = {QEvent.Type.KeyPress, QEvent.Type.MouseMove, QEvent.Type.Wheel, QEvent.Type.MouseButtonPress}


class GradeEntry(QObject):
    """Watches the document's keys. `graded` comes with a grade of the scale, `begun` with the first of two digits.

    `unknown` comes with a number that is no grade of the scale.
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
        digit = digit_of(event)
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
        """Note signs of life, and take the number pad's digits before they scroll when NumLock is off."""
        if event.type() in SIGNS_OF_LIFE:
            self.alive.emit()
        return isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self.press(event)
