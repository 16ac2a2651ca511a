"""Draws one document of a list: a swatch that says what was judged, the title, its id."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from irjudge_ui.widgets.grades.chip import HEIGHT, LEVEL, MARK, RADIUS, WIDTH, draw_chip
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, current_theme, zoomed
from irjudge_ui.words import apart

Index = QModelIndex | QPersistentModelIndex
ROW = 36
ASIDE = int(Qt.ItemDataRole.UserRole) + 3  # what stands quietly at the right


class PlaceDelegate(QStyledItemDelegate):
    """A swatch in the grade's colour, hatched while nothing is judged; then words, and an id at the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Be a little higher than a line."""
        return QSize(zoomed(200), zoomed(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the row."""
        theme = current_theme()
        rect = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(QColor(theme.key))
            painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -0.5, -1.5), RADIUS, RADIUS)
        self._draw_swatch(painter, rect, index)
        inside = rect.adjusted(zoomed(WIDTH) + 2 * SPACE_M, 0, -SPACE_M, 0)
        aside = str(index.data(ASIDE) or "")
        painter.setPen(QColor(theme.quiet))
        width = min(painter.fontMetrics().horizontalAdvance(aside) + SPACE_S, inside.width() * 0.4)
        middle = Qt.AlignmentFlag.AlignVCenter
        side = inside.adjusted(inside.width() - width, 0, 0, 0)
        painter.drawText(side, Qt.AlignmentFlag.AlignRight | middle, _cut(painter, aside, width))
        painter.setPen(QColor(theme.text))
        words = inside.adjusted(0, 0, -width - SPACE_M, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | middle, _cut(painter, apart(str(index.data())), words.width()))
        painter.restore()

    @staticmethod
    def _draw_swatch(painter: QPainter, rect: QRectF, index: Index) -> None:
        width, height = (zoomed(side) for side in (WIDTH, HEIGHT))
        swatch = QRectF(rect.left() + SPACE_S, rect.center().y() - height / 2, width, height)
        draw_chip(painter, swatch, str(index.data(MARK) or ""), index.data(LEVEL))


def _cut(painter: QPainter, words: str, width: float) -> str:
    return painter.fontMetrics().elidedText(words.replace("\n", " "), Qt.TextElideMode.ElideRight, int(width))
