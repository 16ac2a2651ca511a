"""Status displays: progress, messages instead of content, buttons for a written file."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QUrl
from PySide6.QtGui import QDesktopServices, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QLayout,
    QProgressBar,
    QStackedWidget,
    QWidget,
)

from irjudge_ui.messages import filled
from irjudge_ui.widgets.layout import (
    Flow,
    MaxWidthBox,
    VerticalScrollArea,
    card,
    column,
    make_button,
    make_container,
    make_label,
    row,
    set_style,
)
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XL

# Progress


class Meter(QWidget):
    """Progress display: a title, a text such as "14 of 50", and a progress bar.

    The numbers count items, such as judged documents or answers of a model.
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._numbers = make_label("", "quiet", wrap=False)
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName(title)
        self.setLayout(column(row(make_label(title, wrap=False), None, self._numbers), self._bar))

    def show_count(self, done_count: int, total: int) -> None:
        """Show that `done_count` of `total` items are done."""
        self._numbers.setText(
            filled(self.tr("{count} of {total}"), count=f"{done_count:,}", total=f"{total:,}")
        )
        self._bar.setRange(0, max(1, total))
        self._bar.setValue(done_count)


# Messages that a page shows instead of its content

STATE_WIDTH, DETAILS_WIDTH = 524, 660  # maximum width of a message, without and with details
# Qt property of a page: whether the window's workflow bar shows the next step
NEXT_STEP = "next-step"


class ShrinkingArea(VerticalScrollArea):
    """Scroll area that scrolls only if the minimum height of its content does not fit.

    The content is as high as the area or, if this is higher, has its minimum height. With wrapped
    labels, other scroll areas already scroll if the preferred height does not fit. The area does
    not scroll horizontally.
    """

    def __init__(self, parts: QLayout) -> None:
        super().__init__()
        self._parts, self._content = parts, make_container(parts)
        self.setWidget(self._content)

    def _fit(self) -> None:
        size = self.viewport().size()
        self._content.resize(
            size.width(), max(size.height(), self._parts.totalMinimumHeightForWidth(size.width()))
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the content again when one of its parts requests another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)


class StatePage(QWidget):
    """Widget with a message that a page shows instead of content: title, text and buttons.

    `picture` is shown above the text, `details` below it. The first button is primary, unless there
    are `details`, which have their own primary button, or the workflow bar shows the next step.
    """

    def __init__(
        self,
        title: str,
        message: str,
        choices: Sequence[tuple[str, Callable[[], None]]] = (),
        picture: QWidget | None = None,
        details: QWidget | None = None,
    ) -> None:
        super().__init__()
        self._details = details
        self.buttons = [
            make_button(label, "" if index or details else "primary")
            for index, (label, _) in enumerate(choices)
        ]
        for button, (_, call) in zip(self.buttons, choices, strict=True):
            button.clicked.connect(lambda _checked=False, call=call: call())
        parts = [
            make_label(title, "title"),
            *([picture] if picture else []),
            make_label(message, "quiet"),
            *([details] if details else []),
        ]
        panel = card(
            *parts, *([Flow(self.buttons)] if choices else []), margin=SPACE_XL, spacing=SPACE_M
        )
        width = DETAILS_WIDTH if details else STATE_WIDTH
        box = column(None, MaxWidthBox(width, column(panel), middle=True), None, None)
        self.setLayout(column(ShrinkingArea(box)) if details else box)

    def hide_primary_button(self) -> None:
        """Make all buttons equally prominent, because the workflow bar shows the next step."""
        for button in self.buttons:
            set_style(button, "")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.window().property(NEXT_STEP):
            self.hide_primary_button()

    def focus(self) -> None:
        """Focus the details or, without details, the first button."""
        if self._details:
            self._details.setFocus()
        elif self.buttons:
            self.buttons[0].setFocus()


class StateStack(QStackedWidget):
    """Stack that shows either the content of a page or a message.

    `page` is the message page, a new one for each message; None while the content is shown.
    """

    def __init__(self, parts: QWidget) -> None:
        super().__init__()
        self.page: StatePage | None = None
        self.addWidget(parts)

    def show_state(self, page: StatePage | None) -> None:
        """Show a message page instead of the content; None shows the content."""
        if self.page:
            self.removeWidget(self.page)
            self.page.deleteLater()
        self.page = page
        self.setCurrentIndex(self.addWidget(page) if page else 0)


# Buttons for a written file


class WrittenFileButtons(QWidget):
    """Widget with buttons that open a written file or its folder; hidden before `offer`."""

    def __init__(self) -> None:
        super().__init__()
        self._path = Path()
        self.open = make_button(self.tr("Open"), clicked=self._open)
        self.folder = make_button(self.tr("Show in folder"), "link", clicked=self._show_folder)
        self.setLayout(row(self.open, self.folder))
        self.hide()

    def offer(self, path: Path) -> None:
        """Show the buttons for a written file, or for a folder of written files."""
        self._path = path
        self.open.setHidden(path.is_dir())
        self.show()

    def _open(self) -> None:
        """Open the file in its default application or, if there is none, open its folder."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path))):
            self._show_folder()

    def _show_folder(self) -> None:
        folder = self._path if self._path.is_dir() else self._path.parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
