"""Navigation bar at the left, and tabs above related pages."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy

from irjudge_ui.messages import escape_markup
from irjudge_ui.widgets.layout import Button, Flow, clear, column, make_button, make_label, row
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, scale_length

WIDE, SLIM = 168, 132
ENTRY = 38  # height of an entry, in pixels at the normal zoom


class NavigationBar(QFrame):
    """Navigation bar: start page, search and buttons of pages at the top, minor ones below.

    `home`, `search` and each entry are an action id, a label and keys; `name` is the text of the
    button of the start page.
    """

    def __init__(
        self,
        name: str,
        home: tuple[str, str, str],
        search: tuple[str, str, str],
        pages: Sequence[tuple[str, str, str]],
        foot: Sequence[tuple[str, str, str]],
        go: Callable[[str], None],
    ) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setSizePolicy(
            QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred
        )  # as wide as its labels require
        self._least, self._low = WIDE, False
        self.buttons: dict[str, QPushButton] = {}
        for index, (action, label, keys) in enumerate([home, *pages, *foot]):
            on_top = index <= len(pages)
            made = make_button(label, "nav" if on_top else "link")
            made.setToolTip(escape_markup(keys))
            made.setCursor(Qt.CursorShape.PointingHandCursor)
            made.clicked.connect(lambda _checked=False, action=action: go(action))
            self.buttons[action] = made
            if on_top:
                # no button group, since Tab would then reach only one button
                made.setCheckable(True)
        top = [self.buttons[action] for action, _, _ in pages]
        low = [self.buttons[action] for action, _, _ in foot]
        start = self.buttons[home[0]]
        start.setObjectName("home")
        start.setText(name)
        start.setAccessibleName(home[1])
        action, label, keys = search
        self.search = SearchButton(label)
        self.search.show_keys(keys)
        self.search.clicked.connect(lambda: go(action))
        box = column(start, self.search, *top, None, *low, spacing=SPACE_XS)
        box.setContentsMargins(SPACE_M, SPACE_L, SPACE_M, SPACE_L)
        self.setLayout(box)
        self.set_slim(False)

    def set_slim(self, slim: bool) -> None:
        """Reduce the width in a narrow window."""
        self._least = SLIM if slim else WIDE
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def _fit(self) -> None:
        """Reduce spacing if the window is too low for the entries."""
        # including the search
        shown = 1 + sum(not made.isHidden() for made in self.buttons.values())
        low = self.height() < (shown + 1) * scale_length(ENTRY)
        if low != self._low:
            self._low = low
            for made in self.buttons.values():
                made.setProperty("low", low)
                made.style().polish(made)

    def sizeHint(self) -> QSize:
        return (super().sizeHint() + QSize(self._heavier(), 0)).expandedTo(QSize(self._least, 0))

    def _heavier(self) -> int:
        """Return the additional width of a label in bold, which marks the current page."""
        pages = [made for made in self.buttons.values() if made.isCheckable()]
        return max(
            (
                _width(made, QFont.Weight.DemiBold) - _width(made, QFont.Weight.Normal)
                for made in pages
            ),
            default=0,
        )

    def show_page(self, action: str) -> None:
        """Mark the current page."""
        for name, made in self.buttons.items():
            made.setChecked(name == action)
        self._fit()


def _width(made: QPushButton, weight: QFont.Weight) -> int:
    font = QFont(made.font())
    font.setWeight(weight)
    return QFontMetrics(font).horizontalAdvance(made.text())


class SearchButton(Button):
    """Button that looks like a search field, with its keys at the right."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self.setObjectName("search")
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(label)
        self.setToolTip(escape_markup(label))
        self._keys = make_label("", "small", wrap=False)
        caption = make_label(self.tr("Search"), "quiet", wrap=False)
        for part in (caption, self._keys):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        inside = row(caption, None, self._keys)
        inside.setContentsMargins(SPACE_M, SPACE_XS, SPACE_S, SPACE_XS)
        self.setLayout(inside)

    def show_keys(self, keys: str) -> None:
        """Show the keys of its action."""
        self._keys.setText(keys)

    def sizeHint(self) -> QSize:
        inside = self.layout()
        return inside.sizeHint() if inside else super().sizeHint()


class Tab(Button):
    """Tab button wide enough for its label in bold, which marks the current page."""

    def sizeHint(self) -> QSize:
        heavy = QFont(self.font())
        heavy.setWeight(QFont.Weight.DemiBold)
        more = QFontMetrics(heavy).horizontalAdvance(
            self.text()
        ) - self.fontMetrics().horizontalAdvance(self.text())
        return super().sizeHint() + QSize(max(0, more), 0)


class Tabs(QFrame):
    """Tab buttons of related pages; hidden if there is only one.

    `style` is the style name of a button: "tab", or "part" for the parts of one tab.
    """

    def __init__(self, go: Callable[[str], None], style: str = "tab") -> None:
        super().__init__()
        self._go, self._style = go, style
        self.buttons: dict[str, QPushButton] = {}
        self._row = Flow(())
        self.setLayout(self._row)

    def show_pages(self, pages: Sequence[tuple[str, str, str]], on: str) -> None:
        """Show tabs for pages (id, label, keys) and mark the current one."""
        if list(self.buttons) != [id for id, _, _ in pages]:
            clear(self._row)
            self.buttons = {id: self._button(id, label, keys) for id, label, keys in pages}
            for made in self.buttons.values():
                self._row.addWidget(made)
        for id, made in self.buttons.items():
            made.setChecked(id == on)
        self.setVisible(len(pages) > 1)

    def _button(self, id: str, label: str, keys: str) -> QPushButton:
        made = Tab(label)
        made.setObjectName(self._style)
        made.setAutoDefault(False)
        made.setCheckable(True)  # no button group, since Tab would then reach only one button
        made.setToolTip(escape_markup(keys))
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.clicked.connect(lambda: self._go(id))
        return made
