"""Base class of dialogs, and a dialog for questions."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from irjudge_ui.widgets.layout import Part, make_button, make_label, row
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XL, apply_style, scale_length

Choice = tuple[str, Callable[[], object] | None]
QUESTION_SIZE = (480, 200)


class Dialog(QDialog):
    """Base class of dialogs: `fill` creates the title, the content and a row of buttons.

    Each button accepts and closes the dialog, then calls its function, if any; the last button,
    which is the primary one, does so only if `can_accept` returns True. `size` is the initial
    size at normal zoom, limited to the size of the window.
    """

    def __init__(self, parent: QWidget, size: tuple[int, int]) -> None:
        super().__init__(parent)
        apply_style(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        window_size = parent.window().size()
        self.resize(
            *(
                min(scale_length(preferred), available)
                for preferred, available in zip(
                    size, (window_size.width(), window_size.height()), strict=True
                )
            )
        )

    def fill(self, title: str, parts: Sequence[Part], choices: Sequence[Choice]) -> None:
        """Place a title, parts one below another, and a row of buttons.

        The last button has the focus, so that Enter presses it.
        """
        self.setWindowTitle(title)
        self.buttons = [self._make_button(choice, last=choice is choices[-1]) for choice in choices]
        box = QVBoxLayout(self)
        box.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        box.setSpacing(SPACE_M)
        box.addWidget(make_label(title, "title"))
        for part in parts:
            if isinstance(part, QWidget):
                box.addWidget(part, int(bool(part.property("grows"))))
            elif part is not None:
                box.addLayout(part)
            else:
                box.addStretch(1)
        box.addLayout(row(None, *self.buttons))
        if self.buttons:
            self.buttons[-1].setFocus()

    def fit(self, max_height: int = 0) -> None:
        """Fit the height to the content at the current width, up to a maximum.

        If `max_height` is 0, the maximum is the current height.
        """
        self.ensurePolished()
        box = self.layout()
        if box:
            box.activate()
            height = box.totalHeightForWidth(self.width())
            self.resize(self.width(), min(max_height or self.height(), height))

    def _make_button(self, choice: Choice, *, last: bool) -> QPushButton:
        label, call = choice
        return make_button(
            label, "primary" if last else "", clicked=lambda: self._choose(call, last=last)
        )

    def can_accept(self) -> bool:
        """Return whether the last button may close the dialog; if not, subclasses show why."""
        return True

    def _choose(self, call: Callable[[], object] | None, *, last: bool = False) -> None:
        if last and not self.can_accept():
            return
        parent = self.parentWidget()
        self.accept()
        if parent:
            parent.window().activateWindow()
        if call:
            call()


def make_growing(widget: QWidget) -> QWidget:
    """Make a widget take the remaining space of a dialog, and return the widget."""
    widget.setProperty("grows", True)
    return widget


def ask(parent: QWidget, title: str, message: str, choices: Sequence[Choice]) -> Dialog:
    """Show a dialog with a question and choices; return without waiting for the answer.

    Escape closes the dialog without a choice.
    """
    dialog = Dialog(parent, QUESTION_SIZE)
    dialog.fill(title, [make_label(message), None], choices)
    preferred_size = dialog.size()
    dialog.fit(parent.window().height())
    dialog.resize(dialog.size().expandedTo(preferred_size))
    dialog.open()
    return dialog
