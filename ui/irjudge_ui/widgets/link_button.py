"""A button that looks like a link and lets its words take several lines."""

import re

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from irjudge.text.sanitize import BREAK
from irjudge_ui.widgets.layout import Button
from irjudge_ui.widgets.theme import SPACE_XS, current_theme, zoomed

NARROWEST, WIDEST = 120, 320  # pixels at the normal zoom
WRAPPED = (
    Qt.TextFlag.TextWordWrap
    | Qt.AlignmentFlag.AlignLeft
    | Qt.AlignmentFlag.AlignAbsolute
    | Qt.AlignmentFlag.AlignVCenter
)
LONG_WORD = re.compile(r"\S{16}(?=\S{8})")  # may break here; an end of a few letters stays with it


class LinkButton(Button):
    """Words at the left whatever way they are written; as high as they need at the width there is."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self._breakable = LONG_WORD.sub(lambda word: word[0] + BREAK, words)
        self.setObjectName("link")
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _needed(self, width: int) -> QRect:
        room = QRect(0, 0, width - 2 * SPACE_XS, 1_000_000)
        return self.fontMetrics().boundingRect(room, WRAPPED, self._breakable)

    def hasHeightForWidth(self) -> bool:
        """Be higher where the words do not fit on a line."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines."""
        return self._needed(width).height() + 2 * SPACE_XS

    def sizeHint(self) -> QSize:
        """Be as wide as the words, up to a width."""
        width = min(self._needed(1_000_000).width() + 2 * SPACE_XS + 1, zoomed(WIDEST))
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Let the words break."""
        return QSize(zoomed(NARROWEST), self.heightForWidth(max(self.width(), zoomed(NARROWEST))))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the frame of the style, then the words."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        font = self.font()
        font.setUnderline(self.underMouse() or self.hasFocus())
        painter.setFont(font)
        painter.setPen(QColor(current_theme().accent))
        painter.drawText(self.rect().adjusted(SPACE_XS, 0, -SPACE_XS, 0), WRAPPED, self._breakable)
