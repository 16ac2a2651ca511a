"""How often each grade was given: one bar, a piece a grade, what is unjudged hatched at its end."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge_ui.widgets.theme import SPACE_XS, current_theme, ink_on, zoomed
from irjudge_ui.words import plain

HEIGHT, RADIUS = 30, 8


class GradeBar(QWidget):
    """Pieces as wide as their share, with the grade and how often it was given."""

    def __init__(self, pieces: Sequence[tuple[str, int]], others: tuple[str, int] = ("", 0)) -> None:
        super().__init__()
        self._pieces, self._others = list(pieces), others
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        said = [f"{words}: {count:,}" for words, count in [*self._pieces, *([others] if others[1] else [])]]
        self.setAccessibleName(self.tr("Grades given"))
        self.setAccessibleDescription(", ".join(said))
        self.setToolTip(plain("\n".join(said)))

    def sizeHint(self) -> QSize:
        """Be one line of text high, with room around it."""
        return QSize(zoomed(200), zoomed(HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the pieces from left to right."""
        total = sum(count for _, count in self._pieces) + self._others[1]
        if not total:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        outline = QPainterPath()
        outline.addRoundedRect(frame, RADIUS, RADIUS)
        painter.setClipPath(outline)
        at = frame.left()
        for place, (words, count) in enumerate(self._pieces):
            piece = QRectF(at, frame.top(), frame.width() * count / total, frame.height())
            colour = current_theme().grade(place, len(self._pieces) - 1)
            painter.fillRect(piece, colour)
            self._say(painter, piece, words, count, ink_on(colour))
            at = piece.right()
        if self._others[1]:
            painter.fillRect(QRectF(at, frame.top(), frame.right() - at, frame.height()), current_theme().hatch())
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
