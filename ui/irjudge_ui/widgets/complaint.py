"""What is wrong with a field, said below it, until it is mended."""

from PySide6.QtWidgets import QComboBox, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from irjudge_ui.widgets.layout import Held, column
from irjudge_ui.widgets.theme import SPACE_XS


class Complaint(Held):
    """Stands below a field and is hidden until something is wrong with what is in it; another entry takes it back."""

    def __init__(self, field: QLineEdit | QComboBox) -> None:
        super().__init__("error")
        self._field = field
        (field.textChanged if isinstance(field, QLineEdit) else field.currentTextChanged).connect(lambda _words: self.take_back())
        self.hide()

    def say(self, words: str) -> None:
        """Say what is wrong, and put the focus where it can be mended."""
        self.setText("✕ " + words)
        self._field.setAccessibleDescription(words)
        self.show()
        self._field.setFocus()
        area = self._scrolled()
        if area:
            area.ensureWidgetVisible(self._field)

    def take_back(self) -> None:
        """Say no more what was wrong."""
        if not self.isHidden():
            self.setText("")
            self._field.setAccessibleDescription("")
            self.hide()

    def _scrolled(self) -> QScrollArea | None:
        parent: QWidget | None = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        return parent


def with_complaint(field: QWidget, complaint: Complaint, *more: QWidget) -> QVBoxLayout:
    """Return a field, or a row of parts around it, with what is said of it below."""
    return column(field, *more, complaint, spacing=SPACE_XS)
