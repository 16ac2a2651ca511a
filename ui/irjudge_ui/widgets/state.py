"""Designed states: what a page says when it is empty, done or in trouble."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from irjudge_ui.widgets.flow import Flow
from irjudge_ui.widgets.layout import Bounded, button, card, column, style_as, text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XL

STATE_WIDTH = 460
NEXT_STEP = "next-step"  # property of a window that has a button for what comes next


class StatePage(QWidget):
    """A title, a sentence, and the one thing to do next (others beside it are quieter)."""

    def __init__(
        self,
        title: str,
        words: str,
        choices: Sequence[tuple[str, Callable[[], None]]] = (),
        picture: QWidget | None = None,
    ) -> None:
        super().__init__()
        self.buttons = [
            button(label, "" if place else "primary") for place, (label, _) in enumerate(choices)
        ]
        for made, (_, call) in zip(self.buttons, choices, strict=True):
            made.clicked.connect(lambda _checked=False, call=call: call())
        parts = [text(title, "title"), *([picture] if picture else []), text(words, "quiet")]
        panel = card(
            *parts, *([Flow(self.buttons)] if choices else []), margin=SPACE_XL, spacing=SPACE_M
        )
        self.setLayout(column(None, Bounded(STATE_WIDTH, column(panel), middle=True), None, None))

    def be_quiet(self) -> None:
        """Let no button stand out: the window says elsewhere what comes next."""
        for made in self.buttons:
            style_as(made, "")

    def showEvent(self, event: QShowEvent) -> None:
        """Stand back where the window says what comes next."""
        super().showEvent(event)
        if self.window().property(NEXT_STEP):
            self.be_quiet()

    def focus(self) -> None:
        """Put the focus on the one thing to do next."""
        if self.buttons:
            self.buttons[0].setFocus()


class Stated(QStackedWidget):
    """The parts of a page, or a state in the place of tables that would be empty; `page` is that state while it shows."""

    def __init__(self, parts: QWidget) -> None:
        super().__init__()
        self.page: StatePage | None = None
        self.addWidget(parts)

    def show_state(self, page: StatePage | None) -> None:
        """Show a state in the place of the one before; None shows the parts."""
        if self.page:
            self.removeWidget(self.page)
            self.page.deleteLater()
        self.page = page
        self.setCurrentIndex(self.addWidget(page) if page else 0)
