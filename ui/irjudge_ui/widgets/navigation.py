"""Navigation bar at the left, and tabs above related pages."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy

from irjudge_ui.messages import escape_markup
from irjudge_ui.widgets.layout import Button, Flow, clear, column, make_button, make_label, row
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, scale_length

WIDE_WIDTH, SLIM_WIDTH = 168, 132
ENTRY_HEIGHT = 38  # height of an entry in pixels at normal zoom


class NavigationBar(QFrame):
    """Navigation bar: start page, search and main pages at the top, minor pages at the bottom.

    `home`, `search`, `pages` and `foot` are the entries: action id, label and keys. `name` is the
    label of the button that opens the start page; `open_page` is called with the action id of a
    clicked entry.
    """

    def __init__(
        self,
        name: str,
        home: tuple[str, str, str],
        search: tuple[str, str, str],
        pages: Sequence[tuple[str, str, str]],
        foot: Sequence[tuple[str, str, str]],
        open_page: Callable[[str], None],
    ) -> None:
        super().__init__()
        self.setObjectName("rail")
        # the bar is as wide as its labels
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._min_width, self._is_low = WIDE_WIDTH, False
        self.buttons: dict[str, QPushButton] = {}
        for index, (action, label, keys) in enumerate([home, *pages, *foot]):
            is_page = index <= len(pages)
            button = make_button(
                label,
                "nav" if is_page else "link",
                tooltip=keys,
                clicked=lambda _checked=False, action=action: open_page(action),
            )
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            self.buttons[action] = button
            if is_page:
                # not in a button group, since Tab would reach only one button of a group
                button.setCheckable(True)
        start_button = self.buttons[home[0]]
        start_button.setObjectName("home")
        start_button.setText(name)
        start_button.setAccessibleName(home[1])
        action, label, keys = search
        self.search = SearchButton(label)
        self.search.show_keys(keys)
        self.search.clicked.connect(lambda: open_page(action))
        self.setLayout(
            column(
                start_button,
                self.search,
                *[self.buttons[action] for action, _, _ in pages],
                None,
                *[self.buttons[action] for action, _, _ in foot],
                spacing=SPACE_XS,
                margins=(SPACE_M, SPACE_L, SPACE_M, SPACE_L),
            )
        )
        self.set_slim(False)

    def set_slim(self, slim: bool) -> None:
        """Set whether the bar has a smaller minimum width, as needed in a narrow window."""
        self._min_width = SLIM_WIDTH if slim else WIDE_WIDTH
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def _fit(self) -> None:
        """Reduce the spacing of the entries if the bar is too low for them."""
        # the search button is as high as an entry
        entry_count = 1 + sum(not button.isHidden() for button in self.buttons.values())
        is_low = self.height() < (entry_count + 1) * scale_length(ENTRY_HEIGHT)
        if is_low != self._is_low:
            self._is_low = is_low
            for button in self.buttons.values():
                button.setProperty("low", is_low)
                button.style().polish(button)

    def sizeHint(self) -> QSize:
        return (super().sizeHint() + QSize(self._bold_extra_width(), 0)).expandedTo(
            QSize(self._min_width, 0)
        )

    def _bold_extra_width(self) -> int:
        """Return the largest width that a label gains in bold, the style of the current page."""
        page_buttons = [button for button in self.buttons.values() if button.isCheckable()]
        return max(
            (
                _width(button, QFont.Weight.DemiBold) - _width(button, QFont.Weight.Normal)
                for button in page_buttons
            ),
            default=0,
        )

    def show_page(self, action: str) -> None:
        """Mark the entry of the current page."""
        for name, button in self.buttons.items():
            button.setChecked(name == action)
            if button.property("current") != (name == action):
                button.setProperty("current", name == action)  # minor pages cannot be checked
                button.style().polish(button)
        self._fit()


def _width(button: QPushButton, weight: QFont.Weight) -> int:
    font = QFont(button.font())
    font.setWeight(weight)
    return QFontMetrics(font).horizontalAdvance(button.text())


class SearchButton(Button):
    """Button that looks like a search field and shows the keys of the search.

    No text can be entered; the owner of the button opens the search. In the navigation bar, the
    button opens the command palette, on the help page the search in all guides.
    """

    def __init__(self, label: str, caption: str = "") -> None:
        super().__init__(style="search")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(label)
        self.setToolTip(escape_markup(label))
        self._keys = make_label("", "small", wrap=False)
        caption_label = make_label(caption or self.tr("Search"), "quiet", wrap=False)
        for part in (caption_label, self._keys):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setLayout(
            row(caption_label, None, self._keys, margins=(SPACE_M, SPACE_XS, SPACE_S, SPACE_XS))
        )

    def show_keys(self, keys: str) -> None:
        """Set the displayed keys."""
        self._keys.setText(keys)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout else super().sizeHint()


class Tab(Button):
    """Button for a page, wide enough for its label in bold, which marks the current page."""

    def sizeHint(self) -> QSize:
        text_width = self.fontMetrics().horizontalAdvance(self.text())
        extra_width = _width(self, QFont.Weight.DemiBold) - text_width
        return super().sizeHint() + QSize(max(0, extra_width), 0)


class Tabs(QFrame):
    """Row of tabs, one for each related page; hidden if there is only one page.

    `open_page` is called with the page id of a clicked tab. `style` is a name in the style sheet:
    "tab", or "part" for the pages that share a tab.
    """

    def __init__(self, open_page: Callable[[str], None], style: str = "tab") -> None:
        super().__init__()
        self._open_page, self._style = open_page, style
        self.buttons: dict[str, QPushButton] = {}
        self._row = Flow(())
        self.setLayout(self._row)

    def show_pages(self, pages: Sequence[tuple[str, str, str]], current_page: str) -> None:
        """Show a tab for each page (id, label, keys), and mark that of the current page."""
        if list(self.buttons) != [id for id, _, _ in pages]:
            clear(self._row)
            self.buttons = {id: self._make_button(id, label, keys) for id, label, keys in pages}
            for button in self.buttons.values():
                self._row.addWidget(button)
        for id, button in self.buttons.items():
            button.setChecked(id == current_page)
        self.setVisible(len(pages) > 1)

    def _make_button(self, id: str, label: str, keys: str) -> QPushButton:
        button = Tab(label, self._style)
        # not in a button group, since Tab would reach only one button of a group
        button.setCheckable(True)
        button.setToolTip(escape_markup(keys))
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self._open_page(id))
        return button
