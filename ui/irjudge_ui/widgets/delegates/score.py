"""Draws a number in a table: on a scale of one hue from pale to strong, with a sign before it and a quiet line below."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem

from irjudge_ui.widgets.delegates.written import WrittenDelegate
from irjudge_ui.widgets.theme import SPACE_S, SPACE_XS, Theme, current_theme

Index = QModelIndex | QPersistentModelIndex
HEAT = int(Qt.ItemDataRole.UserRole) + 11  # 0 to 1: where a value stands between the lowest and the highest of its column
SIGN = int(Qt.ItemDataRole.UserRole) + 12  # what stands before the number
BELOW = int(Qt.ItemDataRole.UserRole) + 13  # what stands below it
EDGE = 15  # as far from the cell's edge as headers stand
UNDERLINE = 2  # the line of the cell that has the focus
SMALL = 0.88  # of the normal letters
STRONGEST = {False: 0.5, True: 0.38}  # how much of the strongest grade's colour the highest value has, in light and in dark
IN_CONTRAST = 0.25


def heat_colour(theme: Theme, share: float) -> QColor:
    """Return the colour of a value: lightness alone tells it, so that no kind of colour blindness hides it and words stay readable."""
    surface, strong = QColor(theme.surface), QColor(theme.grade_steps[-1 if theme.dark or theme.strong else -2])
    part = share * (IN_CONTRAST if theme.strong else STRONGEST[theme.dark])
    return QColor(*(round(a + (b - a) * part) for a, b in zip(_rgb(surface), _rgb(strong), strict=True)))


def _rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


class ScoreDelegate(WrittenDelegate):
    """Draws what stands at the right as a number, for a model that knows `HEAT`, `SIGN` and `BELOW`; all else as every table does."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell, its colour, the number, and what stands around it."""
        if not _is_number(index):
            super().paint(painter, option, index)
            return
        # Without words the style has nothing to look up: it would ask for seven things a cell, of which none is drawn.
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        self._draw(painter, option, index)

    @staticmethod
    def _draw(painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        heat = index.data(HEAT)
        if heat is not None:
            painter.fillRect(option.rect.adjusted(0, 0, 0, -UNDERLINE), heat_colour(current_theme(), heat))
        font = index.data(Qt.ItemDataRole.FontRole)
        painter.setFont(_weighted(option.font, font))
        below = str(index.data(BELOW) or "")
        number, quiet = _lines(option.rect.adjusted(EDGE, 0, -EDGE, 0), below)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        words = str(index.data())
        painter.setPen(QColor(current_theme().text))
        painter.drawText(number, right, words)
        sign = str(index.data(SIGN) or "")
        if sign:
            width = painter.fontMetrics().horizontalAdvance(words)
            painter.drawText(number.adjusted(0, 0, -width - SPACE_S, 0), right, sign)
        if below:
            painter.setFont(small(option.font))
            painter.setPen(QColor(current_theme().text if heat else current_theme().quiet))
            painter.drawText(quiet, right, below)
        painter.restore()


def _is_number(index: Index) -> bool:
    return bool(int(index.data(Qt.ItemDataRole.TextAlignmentRole) or 0) & int(Qt.AlignmentFlag.AlignRight))


def small(font: QFont) -> QFont:
    """Return a font a little smaller."""
    made = QFont(font)
    made.setPixelSize(max(1, round(font.pixelSize() * SMALL)))
    return made


def _weighted(font: QFont, wish: QFont | None) -> QFont:
    made = QFont(font)
    if wish is not None:
        made.setWeight(wish.weight())
    return made


def _lines(room: QRect, below: str) -> tuple[QRectF, QRectF]:
    """Return where the number stands and where the line below it does."""
    whole = QRectF(room)
    if not below:
        return whole, QRectF()
    middle = whole.center().y() + SPACE_XS / 2
    return QRectF(whole.left(), whole.top() + SPACE_XS, whole.width(), middle - whole.top() - SPACE_XS), QRectF(
        whole.left(), middle, whole.width(), whole.bottom() - middle - SPACE_XS
    )
