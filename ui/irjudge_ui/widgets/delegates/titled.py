"""Draws an entry of a list in two voices: a title, and below it what it is, quietly, in as many lines as it takes."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from irjudge_ui.widgets.theme import QUIET, SPACE_S, current_theme, zoomed

Index = QModelIndex | QPersistentModelIndex
ABOUT = int(Qt.ItemDataRole.UserRole) + 1  # what stands below the title
WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
RADIUS = 6


class TitledDelegate(QStyledItemDelegate):
    """A title and a description; the chosen entry has a frame."""

    def __init__(self, on: QAbstractItemView) -> None:
        super().__init__(on)
        self._list = on

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Be as high as both are at the width of the list."""
        width = self._list.viewport().width()
        title, about = (self._height(font, str(words), width) for font, words in self._both(option.font, index))
        return QSize(width, title + about + 2 * SPACE_S)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the entry."""
        theme, rect = current_theme(), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            focused = option.state & QStyle.StateFlag.State_HasFocus
            painter.setPen(QPen(QColor(theme.accent), 2 if focused else 1))
            painter.setBrush(QColor(theme.key))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        inside = option.rect.adjusted(SPACE_S, SPACE_S, -SPACE_S, -SPACE_S)
        for (font, words), colour in zip(self._both(option.font, index), (theme.text, theme.quiet), strict=True):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(inside, WRAP, words)
            inside = inside.adjusted(0, self._height(font, words, option.rect.width()), 0, 0)
        painter.restore()

    @staticmethod
    def _both(font: QFont, index: Index) -> tuple[tuple[QFont, str], tuple[QFont, str]]:
        strong, small = QFont(font), QFont(font)
        strong.setWeight(QFont.Weight.DemiBold)
        small.setPixelSize(zoomed(QUIET))
        return (strong, str(index.data() or "")), (small, str(index.data(ABOUT) or ""))

    @staticmethod
    def _height(font: QFont, words: str, width: int) -> int:
        return QFontMetrics(font).boundingRect(QRect(0, 0, max(1, width - 2 * SPACE_S), 10_000), WRAP, words).height()
