"""Checks of a page's layout: text without enough room, overlapping widgets, low contrast."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QWidget,
)

from irjudge_ui.widgets import Theme
from irjudge_ui.widgets.theme import contrast
from irjudge_ui.window import Window
from tests.quick_bot import PAINTING_DELAY

MIN_CONTRAST = 4.5  # minimum contrast ratio (WCAG 2.2, 1.4.3); disabled controls are exempt
FIELD_PADDING = 11  # pixels that the style sheet adds beside the text of a field
TEXT_WIDGETS = (QLabel, QAbstractButton, QLineEdit, QComboBox)
MAX_OVERLAP = 2  # overlap in pixels that rounded frames may have
SIZES = [(800, 600), (1366, 728)]  # the second: a laptop's screen without the desktop's bars


def set_size_and_theme(window: Window, size: tuple[int, int], theme: Theme) -> None:
    """Resize a window and apply a theme to it."""
    window.resize(*size)
    if window.settings.get("theme") != theme.name:
        window.settings.set("theme", theme.name)
    window.settings.changed.emit("theme")


def process_layouts() -> None:
    """Process pending layout requests; nested layouts take a few turns of the event loop."""
    with PAINTING_DELAY.postpone():
        for _ in range(4):
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            QApplication.processEvents()


def scroll_area_of(widget: QWidget) -> QScrollArea | None:
    """Return the scroll area that contains a widget within its window, or None."""
    parent = widget.parentWidget()
    while parent and not isinstance(parent, QScrollArea) and not parent.isWindow():
        parent = parent.parentWidget()
    return parent if isinstance(parent, QScrollArea) else None


def describe_cut_text(widget: QWidget) -> str:
    """Describe how a label's or control's text is cut, or return an empty string.

    Text that is also shown as a tooltip may be cut.
    """
    if (
        isinstance(widget, QPushButton)
        and not widget.layout()
        and widget.height() < widget.minimumSizeHint().height()
    ):
        return f"{(widget.text() or widget.accessibleName())!r} is {widget.height()} high, needs {widget.minimumSizeHint().height()}"
    text, (width, height) = text_of(widget), needed_size(widget)
    if widget.width() < width or widget.height() < height:
        return f"{text!r} has {widget.width()}x{widget.height()}, needs {width}x{height}"
    return describe_overflow(widget) if text.strip() else ""


def needed_size(widget: QWidget) -> tuple[int, int]:
    """Return the width and height that the text of a label or control needs."""
    if isinstance(widget, QLabel):
        hint, wraps = widget.sizeHint(), widget.wordWrap()
        size = (
            (widget.minimumSizeHint().width(), widget.heightForWidth(widget.width()))
            if wraps
            else (hint.width(), hint.height())
        )
        return size if widget.text() else (0, 0)
    if isinstance(widget, QCheckBox | QRadioButton):
        return widget.sizeHint().width(), widget.sizeHint().height()
    if isinstance(widget, QLineEdit):
        is_shown_elsewhere = widget.placeholderText() in (widget.toolTip(), "")
        frame = 2 * (widget.textMargins().left() + FIELD_PADDING)
        return 0 if is_shown_elsewhere else widget.fontMetrics().horizontalAdvance(
            widget.placeholderText()
        ) + frame, widget.fontMetrics().height()
    if isinstance(widget, QPushButton) and widget.text():
        return widget.fontMetrics().horizontalAdvance(
            widget.text().replace("&", "")
        ), widget.fontMetrics().height()
    return 0, 0


def describe_overflow(widget: QWidget) -> str:
    """Describe by how much a widget exceeds its page at the right or its window at the bottom."""
    area, window, text = scroll_area_of(widget), widget.window(), text_of(widget)
    right = widget.mapTo(window, widget.rect().topRight()).x()
    edge = (
        area.viewport().mapTo(window, area.viewport().rect().topRight()).x()
        if area
        else window.width()
    )
    if right > edge:
        return f"{text!r} ends at {right}, its page at {edge}"
    bottom = widget.mapTo(window, widget.rect().bottomRight()).y()
    return f"{text!r} is below the window" if area is None and bottom > window.height() else ""


def visible_widgets(root: QWidget) -> Iterator[QWidget]:
    """Yield the visible descendants of a widget; descendants of hidden widgets are skipped."""
    left = [root]
    while left:
        widget = left.pop()
        if widget is not root:
            yield widget
        children = widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        left += [child for child in reversed(children) if child.isVisible()]


def find_cut_texts(root: QWidget) -> list[str]:
    """Describe the labels, buttons, combo boxes and fields whose text has too little room."""
    widgets = [
        each
        for each in visible_widgets(root)
        if isinstance(each, TEXT_WIDGETS) and not is_inside_control(each)
    ]
    return [description for each in widgets if (description := describe_cut_text(each))]


def find_overlaps(root: QWidget) -> list[str]:
    """Describe the pairs of labels and controls that overlap."""
    rectangles = [(each, visible_rect(each)) for each in text_widgets(root)]
    pairs = combinations([(each, where) for each, where in rectangles if where.isValid()], 2)
    return [
        f"{text_of(one)!r} lies upon {text_of(other)!r}"
        for (one, first), (other, second) in pairs
        if first.intersects(second)
        and not one.isAncestorOf(other)
        and not other.isAncestorOf(one)
        and is_real_overlap(first & second)
    ]


def is_real_overlap(shared: QRect) -> bool:
    return min(shared.width(), shared.height()) > MAX_OVERLAP


def text_widgets(root: QWidget) -> list[QWidget]:
    """Return visible labels and controls that have text, without the internal parts of controls."""
    return [
        each
        for each in visible_widgets(root)
        if isinstance(each, TEXT_WIDGETS) and not is_inside_control(each) and text_of(each).strip()
    ]


def is_inside_control(widget: QWidget) -> bool:
    """Return whether a widget is an internal part of a control, created by Qt."""
    return isinstance(widget.parentWidget(), QComboBox | QLineEdit | QAbstractScrollArea)


def text_of(widget: QWidget) -> str:
    return (
        str(widget.text())
        if isinstance(widget, QLabel | QAbstractButton)
        else widget.accessibleName() or type(widget).__name__
    )


def visible_rect(widget: QWidget) -> QRect:
    """Return a widget's visible rectangle in its window; invalid if it is scrolled out of view."""
    seen = widget.visibleRegion().boundingRect()
    return (
        QRect(widget.mapTo(widget.window(), seen.topLeft()), seen.size())
        if not seen.isEmpty()
        else QRect()
    )


def find_low_contrast(root: QWidget) -> list[str]:
    """Describe the rendered texts whose contrast to their background is too low."""
    image = root.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(
        image.height(), image.bytesPerLine() // 4
    )
    problems = []
    for each in text_widgets(root):
        where = visible_rect(each).translated(-root.mapTo(root.window(), QPoint()))
        if (
            each.isEnabled()
            and isinstance(each, QLabel | QPushButton)
            and where.height() >= each.fontMetrics().height()
        ):
            ratio = max_contrast(
                pixels[where.top() : where.bottom() + 1, where.left() : where.right() + 1]
            )
            if ratio < MIN_CONTRAST:
                problems.append(f"{text_of(each)!r} has a contrast of {ratio:.1f}")
    return problems


def max_contrast(pixels: np.ndarray) -> float:
    """Return the contrast of the most frequent colour to the one most different from it."""
    colours, counts = np.unique(pixels & 0xFFFFFF, return_counts=True)
    lights = [contrast_to_black(int(colour)) for colour in colours]
    ground = contrast_to_black(int(colours[counts.argmax()]))
    return max(max(lights) / ground, ground / min(lights))


@cache
def contrast_to_black(colour: int) -> float:
    """Return the contrast of a colour to black.

    The contrast of two colours is the quotient of their contrasts to black. Cached, because anti-
    aliased text has few colours.
    """
    return contrast(QColor.fromRgb(colour), QColor.fromRgb(0))
