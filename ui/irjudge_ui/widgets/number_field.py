"""A field for one whole number: typed, or stepped with the arrow keys."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from irjudge_ui.words import plain

STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}


class NumberField(QLineEdit):
    """Holds a number between two others. `changed` comes when it is entered or stepped, not while it is typed."""

    changed = Signal(int)

    def __init__(self, lowest: int, highest: int, value: int, name: str) -> None:
        super().__init__()
        self._range = (lowest, highest)
        self._value = self._usual = value
        self.setValidator(QIntValidator(0, 999_999_999, self))  # what is out of range is brought into it when it is entered
        self.setAccessibleName(name)
        self.setToolTip(plain(f"{lowest}–{highest}"))
        self._fit()
        self.setText(str(value))
        self.editingFinished.connect(lambda: self._enter(int(self.text() or self._value)))

    def value(self) -> int:
        """Return the number."""
        return self._value

    def set_value(self, value: int) -> None:
        """Show a number without telling anybody."""
        self._value = min(max(value, self._range[0]), self._range[1])
        self.setText(str(self._value))

    def reset(self) -> None:
        """Show the number it began with, without telling anybody."""
        self.set_value(self._usual)

    def _enter(self, value: int) -> None:
        before = self._value
        self.set_value(value)
        if self._value != before:
            self.changed.emit(self._value)

    def _fit(self) -> None:
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("0" * len(str(self._range[1]))) + 36)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step with the arrow keys."""
        step = STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._enter(self._value + step)
