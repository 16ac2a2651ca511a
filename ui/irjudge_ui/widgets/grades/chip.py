"""A grade as a chip in its colour; hatched while nothing is judged. And the delegate that draws one in a table."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from irjudge_ui.widgets.theme import SPACE_S, SPACE_XS, current_theme, ink_on, zoomed
from irjudge_ui.words import plain

BAR_HEIGHT, BAR_RADIUS = 30, 8


class GradeBar(QWidget):
    """Pieces as wide as their share, with the grade and how often it was given."""

    def __init__(
        self, pieces: Sequence[tuple[str, int]], others: tuple[str, int] = ("", 0)
    ) -> None:
        super().__init__()
        self._pieces, self._others = list(pieces), others
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        said = [
            f"{words}: {count:,}"
            for words, count in [*self._pieces, *([others] if others[1] else [])]
        ]
        self.setAccessibleName(self.tr("Grades given"))
        self.setAccessibleDescription(", ".join(said))
        self.setToolTip(plain("\n".join(said)))

    def sizeHint(self) -> QSize:
        """Be one line of text high, with room around it."""
        return QSize(zoomed(200), zoomed(BAR_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the pieces from left to right."""
        total = sum(count for _, count in self._pieces) + self._others[1]
        if not total:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        outline = QPainterPath()
        outline.addRoundedRect(frame, BAR_RADIUS, BAR_RADIUS)
        painter.setClipPath(outline)
        at = frame.left()
        for place, (words, count) in enumerate(self._pieces):
            piece = QRectF(at, frame.top(), frame.width() * count / total, frame.height())
            colour = current_theme().grade(place, len(self._pieces) - 1)
            painter.fillRect(piece, colour)
            self._say(painter, piece, words, count, ink_on(colour))
            at = piece.right()
        if self._others[1]:
            painter.fillRect(
                QRectF(at, frame.top(), frame.right() - at, frame.height()), current_theme().hatch()
            )
        painter.setClipping(False)
        painter.setPen(QColor(current_theme().line))
        painter.drawPath(outline)

    @staticmethod
    def _say(painter: QPainter, piece: QRectF, words: str, count: int, ink: QColor) -> None:
        said = said_in(painter.fontMetrics(), piece.width() - 2 * SPACE_XS, words, count)
        painter.setPen(ink)
        painter.drawText(piece, Qt.AlignmentFlag.AlignCenter, said)


def said_in(metrics: QFontMetrics, width: float, words: str, count: int) -> str:
    """Return what a piece of a width says: a bare count would read as a grade, so it never stands alone."""
    value = words.split(" ", 1)[0]
    forms = (f"{words} · {count:,}", f"{value}: {count:,}")
    return next((form for form in forms if metrics.horizontalAdvance(form) <= width), "")


Index = QModelIndex | QPersistentModelIndex
RADIUS, WIDTH, HEIGHT = 6, 44, 22
MARK = int(Qt.ItemDataRole.UserRole) + 1  # what the chip says, such as 2 or ✕; empty: not judged
LEVEL = (
    int(Qt.ItemDataRole.UserRole) + 2
)  # (place, highest) of a grade on its scale; None for what is no grade


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
        width, height = (
            min(zoomed(WIDTH), cell.width() - 2 * SPACE_XS),
            min(zoomed(HEIGHT), cell.height() - 2 * SPACE_XS),
        )
        chip = QRectF(cell.center().x() - width / 2, cell.center().y() - height / 2, width, height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_chip(painter, chip, str(mark), index.data(LEVEL))
        painter.restore()


class GradeLabel(QWidget):
    """A chip; `level` is the place of the grade on its scale and the last place, None for what is no grade."""

    def __init__(self, mark: str, level: tuple[int, int] | None, name: str) -> None:
        super().__init__()
        self._mark, self._level = mark, level
        self.setAccessibleName(name)
        self.setToolTip(plain(name))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Be as large as the words, and never narrow."""
        metrics = self.fontMetrics()
        width = max(metrics.horizontalAdvance(self._mark) + 2 * SPACE_S, metrics.height() * 2)
        return QSize(width, metrics.height() + SPACE_XS)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the chip."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_chip(
            painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), self._mark, self._level
        )

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme and zoom."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self.updateGeometry()
            self.update()
