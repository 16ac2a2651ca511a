"""A grade as a chip in its colour; hatched while nothing is judged. And the delegate that draws one in a table."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from irjudge_ui.widgets.theme import SPACE_XS, current_theme, ink_on, zoomed

Index = QModelIndex | QPersistentModelIndex
RADIUS, WIDTH, HEIGHT = 6, 44, 22
MARK = int(Qt.ItemDataRole.UserRole) + 1  # what the chip says, such as 2 or ✕; empty: not judged
LEVEL = int(Qt.ItemDataRole.UserRole) + 2  # (place, highest) of a grade on its scale; None for what is no grade


def draw_chip(painter: QPainter, chip: QRectF, mark: str, level: tuple[int, int] | None) -> None:
    """Draw a chip: the grade's colour and its words, or hatching where there are none."""
    theme = current_theme()
    colour = theme.grade(*level) if level else QColor(theme.surface)
    painter.setPen(QPen(QColor(theme.quiet if not level else theme.line), 1))
    painter.setBrush(QBrush(colour) if mark else theme.hatch())
    painter.drawRoundedRect(chip, RADIUS, RADIUS)
    painter.setPen(ink_on(colour))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, mark)


class GradeChipDelegate(QStyledItemDelegate):
    """Draws a cell as a chip; the model says which with `MARK` and `LEVEL`, and nothing where there is no document."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Let the style draw the cell without words."""
        super().initStyleOption(option, index)
        option.text = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell, and the chip in its middle."""
        super().paint(painter, option, index)
        mark = index.data(MARK)
        if mark is None:
            return
        cell = QRectF(option.rect)
        width, height = min(zoomed(WIDTH), cell.width() - 2 * SPACE_XS), min(zoomed(HEIGHT), cell.height() - 2 * SPACE_XS)
        chip = QRectF(cell.center().x() - width / 2, cell.center().y() - height / 2, width, height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_chip(painter, chip, str(mark), index.data(LEVEL))
        painter.restore()
