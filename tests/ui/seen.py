"""What an eye finds wrong on a page: words without room, parts one upon another, words too faint to read."""

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

READABLE = 4.5  # to 1, by WCAG 2; what cannot be pressed now may be fainter
FIELD = 11  # pixels that the style sheet leaves beside the words of a field
KINDS = (QLabel, QAbstractButton, QLineEdit, QComboBox)
TOUCH = 2  # pixels that rounded frames may share
SIZES = [(800, 600), (1366, 728)]  # the second is a laptop less its bars


def dress(window: Window, size: tuple[int, int], theme: Theme) -> None:
    """Give a window a size and a theme."""
    window.resize(*size)
    if window.settings.get("theme") != theme.name:
        window.settings.set("theme", theme.name)
    window.settings.changed.emit("theme")


def settle() -> None:
    """Let layouts tell each other, over a few turns of the event loop."""
    for _ in range(4):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        QApplication.processEvents()


def scrolled(widget: QWidget) -> QScrollArea | None:
    """Return what a widget scrolls in; what stands in a dialog does not scroll with the page below."""
    parent = widget.parentWidget()
    while parent and not isinstance(parent, QScrollArea) and not parent.isWindow():
        parent = parent.parentWidget()
    return parent if isinstance(parent, QScrollArea) else None


def cut(widget: QWidget) -> str:
    """Say what of the words of a label or a control has no room, and is told nowhere else; empty when all has."""
    if (
        isinstance(widget, QPushButton)
        and not widget.layout()
        and widget.height() < widget.minimumSizeHint().height()
    ):
        return f"{(widget.text() or widget.accessibleName())!r} is {widget.height()} high, needs {widget.minimumSizeHint().height()}"
    said, (width, height) = words(widget), needed(widget)
    if widget.width() < width or widget.height() < height:
        return f"{said!r} has {widget.width()}x{widget.height()}, needs {width}x{height}"
    return beyond(widget) if said.strip() else ""


def needed(widget: QWidget) -> tuple[int, int]:
    """Return how wide and high the words of a label or a control are."""
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
        told = widget.placeholderText() in (widget.toolTip(), "")
        frame = 2 * (widget.textMargins().left() + FIELD)
        return 0 if told else widget.fontMetrics().horizontalAdvance(
            widget.placeholderText()
        ) + frame, widget.fontMetrics().height()
    if isinstance(widget, QPushButton) and widget.text():
        return widget.fontMetrics().horizontalAdvance(
            widget.text().replace("&", "")
        ), widget.fontMetrics().height()
    return 0, 0


def beyond(widget: QWidget) -> str:
    """Say by how much a part leaves its page at the right, or its window at the foot."""
    area, window, said = scrolled(widget), widget.window(), words(widget)
    right = widget.mapTo(window, widget.rect().topRight()).x()
    edge = (
        area.viewport().mapTo(window, area.viewport().rect().topRight()).x()
        if area
        else window.width()
    )
    if right > edge:
        return f"{said!r} ends at {right}, its page at {edge}"
    bottom = widget.mapTo(window, widget.rect().bottomRight()).y()
    return f"{said!r} is below the window" if area is None and bottom > window.height() else ""


def visible(root: QWidget) -> Iterator[QWidget]:
    """Yield what shows in a widget; of what is hidden, such as the pages behind the one on top, nothing is looked through."""
    for child in root.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if child.isVisible():
            yield child
            yield from visible(child)


def cut_words(root: QWidget) -> list[str]:
    """Say which labels, buttons, boxes and fields have no room for their words."""
    found = [each for each in visible(root) if isinstance(each, KINDS) and not inside_control(each)]
    return [said for each in found if (said := cut(each))]


def overlapping(root: QWidget) -> list[str]:
    """Say which labels and controls lie one upon another."""
    places = [(each, place(each)) for each in parts(root)]
    pairs = combinations([(each, where) for each, where in places if where.isValid()], 2)
    return [
        f"{words(one)!r} lies upon {words(other)!r}"
        for (one, first), (other, second) in pairs
        if first.intersects(second)
        and not one.isAncestorOf(other)
        and not other.isAncestorOf(one)
        and deep(first & second)
    ]


def deep(shared: QRect) -> bool:
    return min(shared.width(), shared.height()) > TOUCH


def parts(root: QWidget) -> list[QWidget]:
    """Return what says something or can be used, without what a control is made of."""
    return [
        each
        for each in visible(root)
        if isinstance(each, KINDS) and not inside_control(each) and words(each).strip()
    ]


def inside_control(widget: QWidget) -> bool:
    """Whether Qt made it as a part of a control."""
    return isinstance(widget.parentWidget(), QComboBox | QLineEdit | QAbstractScrollArea)


def words(widget: QWidget) -> str:
    return (
        str(widget.text())
        if isinstance(widget, QLabel | QAbstractButton)
        else widget.accessibleName() or type(widget).__name__
    )


def place(widget: QWidget) -> QRect:
    """Return where a part is seen in its window; nothing where it is scrolled out of view."""
    seen = widget.visibleRegion().boundingRect()
    return (
        QRect(widget.mapTo(widget.window(), seen.topLeft()), seen.size())
        if not seen.isEmpty()
        else QRect()
    )


def faint(root: QWidget) -> list[str]:
    """Say which words stand out too little from what they stand on, as they are painted."""
    image = root.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(
        image.height(), image.bytesPerLine() // 4
    )
    found = []
    for each in parts(root):
        where = place(each).translated(-root.mapTo(root.window(), QPoint()))
        if (
            each.isEnabled()
            and isinstance(each, QLabel | QPushButton)
            and where.height() >= each.fontMetrics().height()
        ):
            ratio = strongest(
                pixels[where.top() : where.bottom() + 1, where.left() : where.right() + 1]
            )
            if ratio < READABLE:
                found.append(f"{words(each)!r} has a contrast of {ratio:.1f}")
    return found


def strongest(pixels: np.ndarray) -> float:
    """Return the contrast of the commonest colour and the one that stands out most from it."""
    colours, counts = np.unique(pixels & 0xFFFFFF, return_counts=True)
    lights = [light(int(colour)) for colour in colours]
    ground = light(int(colours[counts.argmax()]))
    return max(max(lights) / ground, ground / min(lights))


@cache
def light(colour: int) -> float:
    """Return the contrast to black: that of two colours is what one of these is of the other. The edges of letters have few colours."""
    return contrast(QColor.fromRgb(colour), QColor.fromRgb(0))
