"""Draws a number in a table: on a scale of one hue from pale to strong, with a sign before it and a quiet line below."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from irjudge_ui.widgets.grades.chip import HEIGHT, LEVEL, MARK, RADIUS, WIDTH, draw_chip
from irjudge_ui.widgets.theme import QUIET, SPACE_M, SPACE_S, SPACE_XS, Theme, current_theme, zoomed
from irjudge_ui.words import apart

Index = QModelIndex | QPersistentModelIndex
Asked = Callable[[int], Any]  # what a cell says in a role


class WrittenDelegate(QStyledItemDelegate):
    """Draws cells as every table does; words stand where the column begins, and run as their own letters do."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Keep the words' own way of running."""
        super().initStyleOption(option, index)
        words = option.text
        if words and (kept := apart(words)) != words:
            option.text = kept


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
        painter.drawText(
            words,
            Qt.AlignmentFlag.AlignLeft | middle,
            _cut(painter, apart(str(index.data())), words.width()),
        )
        painter.restore()

    @staticmethod
    def _draw_swatch(painter: QPainter, rect: QRectF, index: Index) -> None:
        width, height = (zoomed(side) for side in (WIDTH, HEIGHT))
        swatch = QRectF(rect.left() + SPACE_S, rect.center().y() - height / 2, width, height)
        draw_chip(painter, swatch, str(index.data(MARK) or ""), index.data(LEVEL))


def _cut(painter: QPainter, words: str, width: float) -> str:
    return painter.fontMetrics().elidedText(
        words.replace("\n", " "), Qt.TextElideMode.ElideRight, int(width)
    )


ABOUT = int(Qt.ItemDataRole.UserRole) + 1  # what stands below the title
WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
CORNER = 6


class TitledDelegate(QStyledItemDelegate):
    """A title and a description; the chosen entry has a frame."""

    def __init__(self, on: QAbstractItemView) -> None:
        super().__init__(on)
        self._list = on

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Be as high as both are at the width of the list."""
        width = self._list.viewport().width()
        title, about = (
            self._height(font, str(words), width) for font, words in self._both(option.font, index)
        )
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
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), CORNER, CORNER)
        inside = option.rect.adjusted(SPACE_S, SPACE_S, -SPACE_S, -SPACE_S)
        for (font, words), colour in zip(
            self._both(option.font, index), (theme.text, theme.quiet), strict=True
        ):
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
        return (
            QFontMetrics(font)
            .boundingRect(QRect(0, 0, max(1, width - 2 * SPACE_S), 10_000), WRAP, words)
            .height()
        )


HEAT = (
    int(Qt.ItemDataRole.UserRole) + 11
)  # 0 to 1: where a value stands between the lowest and the highest of its column
SIGN = int(Qt.ItemDataRole.UserRole) + 12  # what stands before the number
BELOW = int(Qt.ItemDataRole.UserRole) + 13  # what stands below it
PLACE = (
    int(Qt.ItemDataRole.UserRole) + 14
)  # what stands quietly before words: the places of a group
EDGE = 15  # as far from the cell's edge as headers stand
AT_THE_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
UNDERLINE = 2  # the line of the cell that has the focus
SMALL = 0.88  # of the normal letters
STRONGEST = {
    False: 0.5,
    True: 0.38,
}  # how much of the strongest grade's colour the highest value has, in light and in dark
IN_CONTRAST = 0.25


def heat_colour(theme: Theme, share: float) -> QColor:
    """Return the colour of a value: lightness alone tells it, so that no kind of colour blindness hides it and words stay readable."""
    part = share * (IN_CONTRAST if theme.strong else STRONGEST[theme.dark])
    return _colour(*(round(a + (b - a) * part) for a, b in _ends(theme)))


_colour = cache(QColor)  # of a name, or of red, green and blue: every cell asks


@cache
def _ends(theme: Theme) -> tuple[tuple[int, int], ...]:
    """Return red, green and blue of the surface and of the strongest grade; looked up once, since every cell asks."""
    surface, strong = (
        QColor(theme.surface),
        QColor(theme.grade_steps[-1 if theme.dark or theme.strong else -2]),
    )
    return tuple(
        (getattr(surface, part)(), getattr(strong, part)()) for part in ("red", "green", "blue")
    )


class ScoreDelegate(WrittenDelegate):
    """Draws what stands at the right as a number, for a model that knows `HEAT`, `SIGN`, `BELOW` and `PLACE`; all else as every table does.

    `aside` is how wide the places before words are.
    """

    aside = 0

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell, its colour, the number, and what stands around it."""
        asked = _asked(index)
        if not _is_number(asked):
            self._paint_words(painter, option, index)
            return
        # Without words the style has nothing to look up: it would ask for seven things a cell, of which none is drawn.
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        self._draw(painter, option, asked)

    def _paint_words(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw words, after the place where there is one; all of a column begin at one line."""
        if not self.aside or index.column():
            super().paint(painter, option, index)
            return
        shifted = QStyleOptionViewItem(option)
        shifted.rect = option.rect.adjusted(self.aside, 0, 0, 0)
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        super().paint(painter, shifted, index)
        painter.save()
        painter.setFont(option.font)
        painter.setPen(QColor(current_theme().quiet))
        room = QRectF(option.rect.adjusted(EDGE, 0, 0, 0))
        room.setWidth(self.aside - SPACE_S)
        painter.drawText(
            room,
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            str(index.data(PLACE) or ""),
        )
        painter.restore()

    @staticmethod
    def _draw(painter: QPainter, option: QStyleOptionViewItem, asked: Asked) -> None:
        """Draw a number and what stands around it, with few calls: after each the threads beside the window take a turn."""
        theme, heat, below = current_theme(), asked(HEAT), str(asked(BELOW) or "")
        cell = option.rect
        left, top, width, height = cell.left(), cell.top(), cell.width(), cell.height()
        if heat is not None:
            painter.fillRect(left, top, width, height - UNDERLINE, heat_colour(theme, heat))
        bold = asked(Qt.ItemDataRole.FontRole)
        if bold is not None:
            painter.setFont(_weighted(option.font, bold))
        number = QRectF(left + EDGE, top, width - 2 * EDGE, height)
        if below:
            number, quiet = _halves(number)
        words, sign = str(asked(Qt.ItemDataRole.DisplayRole)), str(asked(SIGN) or "")
        painter.setPen(_colour(theme.text))
        painter.drawText(number, AT_THE_RIGHT, words)
        if sign:
            beside = painter.fontMetrics().horizontalAdvance(words) + SPACE_S
            painter.drawText(number.adjusted(0, 0, -beside, 0), AT_THE_RIGHT, sign)
        if below:
            painter.setFont(small(option.font))
            painter.setPen(_colour(theme.text if heat else theme.quiet))
            painter.drawText(quiet, AT_THE_RIGHT, below)
        if below or bold is not None:
            painter.setFont(option.font)


def _asked(index: Index) -> Asked:
    """Return what asks the rows themselves: through Qt each question would give the threads beside the window two turns."""
    return partial(index.model().data, index)


def _is_number(asked: Asked) -> bool:
    return bool(
        int(asked(Qt.ItemDataRole.TextAlignmentRole) or 0) & int(Qt.AlignmentFlag.AlignRight)
    )


def small(font: QFont) -> QFont:
    """Return a font a little smaller."""
    made = QFont(font)
    made.setPixelSize(max(1, round(font.pixelSize() * SMALL)))
    return made


def _weighted(font: QFont, wish: QFont) -> QFont:
    made = QFont(font)
    made.setWeight(wish.weight())
    return made


def _halves(whole: QRectF) -> tuple[QRectF, QRectF]:
    """Return where the number stands and where the line below it does."""
    middle = whole.center().y() + SPACE_XS / 2
    return QRectF(
        whole.left(), whole.top() + SPACE_XS, whole.width(), middle - whole.top() - SPACE_XS
    ), QRectF(whole.left(), middle, whole.width(), whole.bottom() - middle - SPACE_XS)
