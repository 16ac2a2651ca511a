"""Labels, buttons, timers, cards, and layouts such as rows, columns and wrapped lines."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from irjudge.text import BREAK_OPPORTUNITY
from irjudge_ui.messages import escape_markup
from irjudge_ui.widgets.fields import ChoiceBox
from irjudge_ui.widgets.theme import (
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    current_theme,
    scale_length,
)

# Cards, rows and columns

Part = QWidget | QLayout | None
Margins = tuple[int, int, int, int]
MAX_WIDGET_SIZE = 16_777_215  # Qt's maximum width and height of a widget, in pixels
GUTTER_WIDTH = 14  # width in pixels that a page reserves for its scroll bar, as in the style sheet


def make_label(
    text: str = "", style: str = "", *, wrap: bool = True, name: str = "", hidden: bool = False
) -> QLabel:
    """Return a label for plain text, with an accessible `name` if it differs from the text.

    `style` is a name in the style sheet (title, heading, quiet, small, warning, error) or empty.
    """
    label = QLabel(text, wordWrap=wrap, textFormat=Qt.TextFormat.PlainText)
    label.setObjectName(style)
    label.setAccessibleName(name)
    if hidden:
        label.hide()
    return label


def make_selectable_label(text: str) -> QLabel:
    """Return a label whose text can be selected with mouse or keyboard."""
    label = make_label(text)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


def label_height(label: QLabel, width: int) -> int:
    """Return the height that a label's text needs at a width; 0 for an empty text."""
    rectangle, word_wrap = QRect(0, 0, max(1, width), 0), int(Qt.TextFlag.TextWordWrap)
    return (
        label.fontMetrics().boundingRect(rectangle, word_wrap, label.text()).height()
        if label.text()
        else 0
    )


class FixedHeightLabel(QLabel):
    """Label that is always tall enough for its wrapped text.

    Its minimum height follows its text, width and font; a layout can make the label taller.
    """

    def __init__(self, style: str = "") -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.setObjectName(style)

    def setText(self, text: str) -> None:
        """Set the text, and the minimum height that the text needs."""
        super().setText(text)
        self._update_minimum_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_minimum_height()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._update_minimum_height()

    def _update_minimum_height(self) -> None:
        self.setMinimumHeight(label_height(self, self.width()))


class ElidedLabel(QLabel):
    """Label of one line, whose text is elided if the label is too narrow.

    The preferred width is that of the text or, with `spare`, 0, so that the label only gets space
    that other widgets leave.
    """

    def __init__(
        self,
        text: str,
        style: str = "",
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        spare: bool = False,
    ) -> None:
        super().__init__(text, textFormat=Qt.TextFormat.PlainText)
        self._mode, self._spare = mode, spare
        self.setObjectName(style)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(0, hint.height()) if self._spare else hint

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        text = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), int(self.alignment()), text)


def find_scroll_area(widget: QWidget) -> QScrollArea | None:
    """Return the scroll area that contains a widget; None if there is none."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    return area


def scroll_page_to(widget: QWidget) -> None:
    """Scroll the page so that a widget is visible; if it is too high, show a part of it."""
    if area := find_scroll_area(widget):
        content = area.widget()
        layout = content.layout() if content else None
        if layout:
            layout.activate()
        area.ensureWidgetVisible(widget, 0, SPACE_S)


class FieldError(FixedHeightLabel):
    """Label for an error, below a field; the label is hidden when the field changes.

    `show_message` shows the error, and also focuses the field and scrolls to it.
    """

    def __init__(self, field: QLineEdit | QComboBox) -> None:
        super().__init__("error")
        self._field = field
        (field.textChanged if isinstance(field, QLineEdit) else field.currentTextChanged).connect(
            lambda _text: self.hide_error()
        )
        self.hide()

    def show_message(self, message: str) -> None:
        """Show an error, and focus and scroll to the field."""
        self.setText("✕ " + message)
        self._field.setAccessibleDescription(message)
        self.show()
        self._field.setFocus()
        scroll_page_to(self._field)

    def hide_error(self) -> None:
        """Hide the error."""
        if not self.isHidden():
            self.setText("")
            self._field.setAccessibleDescription("")
            self.hide()


class Button(QPushButton):
    """Push button that Enter presses as well as Space; `style` is a name in the style sheet."""

    def __init__(self, label: str = "", style: str = "") -> None:
        super().__init__(label, autoDefault=False)
        self.setObjectName(style)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Install an event filter while the mouse is over the button.

        The filter is needed because Qt does not report when the mouse leaves the button while a
        dialog is open; the button would then still look hovered.
        """
        self.installEventFilter(self)
        super().enterEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Clear the hover state when the window becomes active again."""
        if event.type() == QEvent.Type.WindowActivate:
            self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
            self.update()
        if event.type() in (QEvent.Type.WindowActivate, QEvent.Type.Leave):
            self.removeEventFilter(self)
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)


def make_button(
    label: str,
    style: str = "",
    *,
    clicked: Callable[..., object] | SignalInstance | None = None,
    name: str = "",
    tooltip: str = "",
    checkable: bool = False,
) -> QPushButton:
    """Return a button that calls or emits `clicked`.

    `style` is a name in the style sheet, such as primary or link, or empty. `name` is the
    accessible name if it differs from the label; `tooltip` is plain text.
    """
    button = Button(label, style)
    button.setCheckable(checkable)
    button.setAccessibleName(name)
    button.setToolTip(escape_markup(tooltip))
    if clicked:
        button.clicked.connect(clicked)
    return button


Named = TypeVar("Named", bound=QWidget)


def named(widget: Named, name: str, tooltip: str = "") -> Named:
    """Return a widget after setting its accessible name and, if given, its tooltip."""
    widget.setAccessibleName(name)
    return with_tooltip(widget, tooltip) if tooltip else widget


def with_tooltip(widget: Named, tooltip: str) -> Named:
    """Return a widget after setting its tooltip, which is plain text."""
    widget.setToolTip(escape_markup(tooltip))
    return widget


def make_timer(parent: QObject, milliseconds: int, call: Callable[[], object]) -> QTimer:
    """Return a single-shot timer that calls a function; it is not started yet."""
    timer = QTimer(parent, singleShot=True, interval=milliseconds)
    timer.timeout.connect(call)
    return timer


def show_text(label: QLabel, text: str) -> None:
    """Set the text of a label, and show the label unless the text is empty."""
    label.setText(text)
    label.setVisible(bool(text))


def set_style(widget: QWidget, style: str) -> None:
    """Change the style of a button or label."""
    if widget.objectName() != style:
        widget.setObjectName(style)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def fill_choices(box: ChoiceBox, choices: Iterable[tuple[str, Any]], default: int = 0) -> None:
    """Replace the choices of a box, which are pairs of text and value.

    Keep the selected value if it is still a choice; otherwise select the index `default`.
    """
    had_value, old_value = box.currentIndex() >= 0, box.currentData()
    box.clear()
    box.add_choices(choices)
    index = box.findData(old_value) if had_value else -1
    box.setCurrentIndex(index if index >= 0 else min(default, box.count() - 1))


def row(
    *parts: Part,
    spacing: int = SPACE_S,
    margins: Margins = (0, 0, 0, 0),
    stretched: QWidget | QLayout | None = None,
    stretch: int = 1,
) -> QHBoxLayout:
    """Return a layout with parts side by side; None stands for a stretch with the factor 1.

    The part `stretched` gets the remaining space, with the factor `stretch`. `margins` are left,
    top, right and bottom.
    """
    return _fill_box(QHBoxLayout(), parts, spacing, margins, stretched, stretch)


def column(
    *parts: Part,
    spacing: int = SPACE_S,
    margins: Margins = (0, 0, 0, 0),
    stretched: QWidget | QLayout | None = None,
    stretch: int = 1,
) -> QVBoxLayout:
    """Return a layout with parts one below another; see `row`."""
    return _fill_box(QVBoxLayout(), parts, spacing, margins, stretched, stretch)


def make_grid(
    horizontal: int,
    vertical: int,
    margins: Margins = (0, 0, 0, 0),
    *,
    stretched: int | None = None,
) -> QGridLayout:
    """Return an empty grid with spacings, in which the column `stretched` gets the spare width."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(horizontal)
    grid.setVerticalSpacing(vertical)
    grid.setContentsMargins(*margins)
    if stretched is not None:
        grid.setColumnStretch(stretched, 1)
    return grid


def with_label(label: str, field: QWidget) -> QWidget:
    """Return a widget with a label and a field, which gets the label as accessible name."""
    field.setAccessibleName(field.accessibleName() or label)
    return join_horizontally(make_label(label, "quiet", wrap=False), field)


def join_horizontally(*parts: QWidget) -> QWidget:
    """Return a widget with parts side by side, for example for a flow layout."""
    return make_container(row(*parts))


def make_container(layout: QLayout) -> QWidget:
    """Return a widget with a layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def card(*parts: Part, margin: int = SPACE_L, spacing: int = SPACE_S) -> QFrame:
    """Return a card that contains parts one below another."""
    frame = QFrame()
    frame.setObjectName("card")
    frame.setLayout(column(*parts, spacing=spacing, margins=(margin, margin, margin, margin)))
    return frame


def make_scroll_area(widget: QWidget, style: str = "scroll", *, name: str = "") -> QScrollArea:
    """Return a scroll area that scrolls a widget vertically; `style` is `inset` on cards.

    If the area has an accessible `name`, it accepts the focus, for scrolling with the keyboard.
    """
    area = VerticalScrollArea(style)
    area.setAccessibleName(name)
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus if name else Qt.FocusPolicy.NoFocus)
    area.setWidget(widget)
    area.setWidgetResizable(True)
    return area


class VerticalScrollArea(QScrollArea):
    """Scroll area without a frame that scrolls only vertically."""

    def __init__(self, style: str = "scroll") -> None:
        super().__init__()
        self.setObjectName(style)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class PageScrollArea(VerticalScrollArea):
    """Scroll area of a page, which always reserves space for the vertical scroll bar."""

    def __init__(self, content: QWidget | QLayout) -> None:
        super().__init__()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar = self.verticalScrollBar()
        # disabled if there is nothing to scroll, since a disabled scroll bar is not drawn
        bar.rangeChanged.connect(lambda low, high: bar.setEnabled(high > low))
        bar.setEnabled(False)
        self.setWidget(content if isinstance(content, QWidget) else make_container(content))
        self.setWidgetResizable(True)


class MaxWidthBox(QWidget):
    """Container that limits the width of a layout, and aligns it at the left or in the middle.

    `width` is the maximum width in pixels at normal zoom.
    """

    def __init__(self, width: int, parts: QLayout, *, middle: bool = False) -> None:
        super().__init__()
        self._width, self._content = width, make_container(parts)
        bounded_row = row(*([None] if middle else []), self._content, None, spacing=0)
        # because of the high factor, the stretches get space only if the content has its maximum
        # width
        bounded_row.setStretchFactor(self._content, 100)
        self.setLayout(bounded_row)
        self._limit_width()

    def _limit_width(self) -> None:
        self._content.setMaximumWidth(scale_length(self._width))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._limit_width()


class SideBySide(QWidget):
    """Widget with two parts side by side or, if it is narrow, one below the other.

    The first part is a layout, the second a layout or widget. The widget is narrow if it has less
    than `width` pixels at normal zoom. In a narrow widget, the first part is at the top, unless the
    order is reversed.
    """

    def __init__(
        self,
        first: QLayout,
        second: QLayout | QWidget,
        width: int,
        stretches: tuple[int, ...] = (1, 0),
    ) -> None:
        super().__init__()
        self._width = width
        self._stretches = stretches
        self._parts = (first, second)
        self._is_reversed = False
        self._box = row(first, second, None, spacing=SPACE_M)
        self._arrange(narrow=False)
        self.setLayout(self._box)

    def _arrange(self, *, narrow: bool) -> None:
        direction = (
            QBoxLayout.Direction.BottomToTop
            if self._is_reversed
            else QBoxLayout.Direction.TopToBottom
        )
        self._box.setDirection(direction if narrow else QBoxLayout.Direction.LeftToRight)
        for index, stretch in enumerate(self._stretches):
            self._box.setStretch(index, 0 if narrow else stretch)
        self._box.setStretch(2, int(narrow and not self._is_reversed))

    def set_reversed(self, reversed: bool) -> None:
        """Set whether the second layout is above the first one if the widget is narrow."""
        self._is_reversed = reversed
        self._arrange(narrow=self.width() < scale_length(self._width))

    def set_stretches(self, *stretches: int) -> None:
        """Set the stretch factors of the layouts, for example after one was hidden."""
        self._stretches = stretches
        self._arrange(narrow=self.width() < scale_length(self._width))

    def minimumSizeHint(self) -> QSize:
        return QSize(
            max(part.minimumSize().width() for part in self._parts),
            super().minimumSizeHint().height(),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(narrow=event.size().width() < scale_length(self._width))


def make_breakable(path: object) -> str:
    """Return a path as text in which lines can break after each punctuation character."""
    return re.sub(r"([\W_])", "\\1\u200b", str(path))


def clear(layout: QLayout) -> None:
    """Remove all items from a layout, and delete their widgets."""
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
        elif inner := item.layout():
            clear(inner)


Box = TypeVar("Box", bound=QBoxLayout)


def _fill_box(
    box: Box,
    parts: tuple[Part, ...],
    spacing: int,
    margins: Margins,
    stretched: QWidget | QLayout | None,
    stretch: int,
) -> Box:
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for part in parts:
        if part is None:
            box.addStretch(1)
        elif isinstance(part, QWidget):
            box.addWidget(part)
        else:
            box.addLayout(part)
    if stretched is not None:
        box.setStretchFactor(stretched, stretch)
    return box


# Flow layout


class Flow(QLayout):
    """Layout that places widgets side by side, and wraps them into lines like words.

    Each widget has its preferred size.
    """

    def __init__(self, parts: Iterable[QWidget]) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        for part in parts:
            self.addWidget(part)

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """Return the visible parts of each line, each with its size, for a width."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        left = 0
        for item in (candidate for candidate in self._items if not candidate.isEmpty()):
            size = item.sizeHint()
            if not lines or size.width() > left:
                lines.append([])
                left = width
            lines[-1].append((item, size))
            left -= size.width() + SPACE_M
        return lines

    def _lay_out(self, rect: QRect) -> None:
        """Position the parts of each line side by side, vertically centred in the line."""
        y = rect.y()
        for line in self._lines(rect.width()):
            x, height = rect.x(), _line_height(line)
            for item, size in line:
                item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
                x += size.width() + SPACE_M
            y += height + SPACE_S

    # Qt overrides

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem:
        return self._items[index] if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def takeAt(self, index: int) -> QLayoutItem:
        return self._items.pop(index) if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return sum(map(_line_height, lines)) + SPACE_S * max(0, len(lines) - 1)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay_out(rect)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(hint.width() + SPACE_M for hint in hints) - SPACE_M
        return QSize(max(0, width), max((hint.height() for hint in hints), default=0))

    def minimumSize(self) -> QSize:
        hints = [item.sizeHint() for item in self._items]
        return QSize(
            max((hint.width() for hint in hints), default=0),
            max((hint.height() for hint in hints), default=0),
        )


def _line_height(line: list[tuple[QLayoutItem, QSize]]) -> int:
    return max(size.height() for _, size in line)


def make_flow(*parts: QWidget) -> QWidget:
    """Return a widget with parts in a flow layout."""
    return make_container(Flow(parts))


# Button that looks like a link and wraps its text

# minimum and maximum width of a link button in pixels at normal zoom
MIN_BUTTON_WIDTH, MAX_BUTTON_WIDTH = (120, 320)
WRAPPED_TEXT_FLAGS = (
    Qt.TextFlag.TextWordWrap
    | Qt.AlignmentFlag.AlignLeft
    | Qt.AlignmentFlag.AlignAbsolute
    | Qt.AlignmentFlag.AlignVCenter
)
# part of a long word after which a line break is possible; at least 8 characters must follow
LONG_WORD = re.compile(r"\S{16}(?=\S{8})")


class LinkButton(Button):
    """Button that looks like a left-aligned link and wraps its text.

    The button has no URL; its owner handles the click.
    """

    def __init__(self, label: str) -> None:
        super().__init__(label, "link")
        self._breakable_label = LONG_WORD.sub(lambda word: word[0] + BREAK_OPPORTUNITY, label)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _text_rectangle(self, width: int) -> QRect:
        return self.fontMetrics().boundingRect(
            QRect(0, 0, width - 2 * SPACE_XS, 1_000_000), WRAPPED_TEXT_FLAGS, self._breakable_label
        )

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._text_rectangle(width).height() + 2 * SPACE_XS

    def sizeHint(self) -> QSize:
        width = min(
            self._text_rectangle(1_000_000).width() + 2 * SPACE_XS + 1,
            scale_length(MAX_BUTTON_WIDTH),
        )
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(
            scale_length(MIN_BUTTON_WIDTH),
            self.heightForWidth(max(self.width(), scale_length(MIN_BUTTON_WIDTH))),
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        font = self.font()
        font.setUnderline(self.underMouse() or self.hasFocus())
        painter.setFont(font)
        painter.setPen(QColor(current_theme().accent))
        painter.drawText(
            self.rect().adjusted(SPACE_XS, 0, -SPACE_XS, 0),
            WRAPPED_TEXT_FLAGS,
            self._breakable_label,
        )
