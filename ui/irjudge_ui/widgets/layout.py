"""Cards, rows and columns: the few ways in which things stand together."""

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from irjudge_ui.widgets.theme import SPACE_L, SPACE_S

Part = QWidget | QLayout | None


def text(words: str = "", style: str = "", *, wrap: bool = True) -> QLabel:
    """Return a label; `style` is a name in the style sheet (title, heading, quiet, small, warning, error)."""
    label = QLabel(words)
    label.setObjectName(style)
    label.setWordWrap(wrap)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def button(words: str, style: str = "") -> QPushButton:
    """Return a button; `style` is primary, link, entry or nothing."""
    made = QPushButton(words)
    made.setObjectName(style)
    made.setAutoDefault(False)
    return made


def row(*parts: Part, spacing: int = SPACE_S) -> QHBoxLayout:
    """Return parts side by side; None stretches."""
    return _filled(QHBoxLayout(), parts, spacing)


def column(*parts: Part, spacing: int = SPACE_S) -> QVBoxLayout:
    """Return parts one below another; None stretches."""
    return _filled(QVBoxLayout(), parts, spacing)


def card(*parts: Part, margin: int = SPACE_L, spacing: int = SPACE_S) -> QFrame:
    """Return parts on a card."""
    frame = QFrame()
    frame.setObjectName("card")
    box = column(*parts, spacing=spacing)
    box.setContentsMargins(margin, margin, margin, margin)
    frame.setLayout(box)
    return frame


def scrolling(widget: QWidget, style: str = "scroll") -> QScrollArea:
    """Return a widget that scrolls down when there is too little height for it; `inset` stands on a card."""
    area = QScrollArea()
    area.setObjectName(style)
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFrameShape(QFrame.Shape.NoFrame)
    return area


def clear(layout: QLayout) -> None:
    """Take everything out of a layout."""
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
        elif inner := item.layout():
            clear(inner)


Box = TypeVar("Box", bound=QBoxLayout)


def _filled(box: Box, parts: tuple[Part, ...], spacing: int) -> Box:
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(spacing)
    for part in parts:
        if part is None:
            box.addStretch(1)
        elif isinstance(part, QWidget):
            box.addWidget(part)
        else:
            box.addLayout(part)
    return box
