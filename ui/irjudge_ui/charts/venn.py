"""Two sets as circles whose areas, and that of what they share, are in proportion to how much each holds."""

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge_ui.widgets.theme import SPACE_S, current_theme, zoomed
from irjudge_ui.words import plain

WIDTH, HEIGHT = 132, 84
HALVINGS = 50


class Venn(QWidget):
    """Two circles: what both hold is filled, what only the second holds is hatched."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._counts = (0, 0, 0)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_counts(self, both: int, first: int, second: int, said: str) -> None:
        """Show how much is in both, only in the first, only in the second; `said` is the same in words."""
        self._counts = (both, first, second)
        self.setAccessibleDescription(said)
        self.setToolTip(plain(said))
        self.update()

    def sizeHint(self) -> QSize:
        """Be a little wider than high."""
        return QSize(zoomed(WIDTH), zoomed(HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what there is of the two circles."""
        both, first, second = self._counts
        if not both + first + second:
            return
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        one, two = self._circles()
        painter.fillPath(two, QBrush(QColor(theme.quiet), Qt.BrushStyle.BDiagPattern))
        shared = QPainterPath(one.intersected(two))
        painter.fillPath(shared, QColor(theme.surface))
        fill = QColor(theme.accent)
        fill.setAlphaF(0.45)
        painter.fillPath(shared, fill)
        painter.setPen(QPen(QColor(theme.accent), 2))
        painter.drawPath(one)
        painter.setPen(QPen(QColor(theme.quiet), 2))
        painter.drawPath(two)

    def _circles(self) -> tuple[QPainterPath, QPainterPath]:
        both, first, second = self._counts
        one, two = (math.sqrt((both + each) / math.pi) for each in (first, second))
        apart = distance(one, two, both)
        left, right = min(-one, apart - two), max(one, apart + two)
        room = QRectF(self.rect()).adjusted(SPACE_S, SPACE_S, -SPACE_S, -SPACE_S)
        scale = min(room.width() / (right - left), room.height() / (2 * max(one, two)))
        begin = room.center().x() - scale * (left + right) / 2
        paths = (QPainterPath(), QPainterPath())
        for path, middle, radius in zip(paths, (0.0, apart), (one, two), strict=True):
            path.addEllipse(
                QPointF(begin + scale * middle, room.center().y()), scale * radius, scale * radius
            )
        return paths


def distance(first: float, second: float, shared: float) -> float:
    """Return how far apart the middles of two circles, given by their radii, stand when an area is shared.

    Examples
    --------
    >>> round(distance(1.0, 1.0, 0.0), 6), round(distance(2.0, 1.0, math.pi), 6)
    (2.0, 1.0)
    """
    near, far = abs(first - second), first + second
    if shared <= 0:
        return far
    if shared >= math.pi * min(first, second) ** 2:
        return near
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        near, far = (middle, far) if _lens(first, second, middle) > shared else (near, middle)
    return (near + far) / 2


def _lens(one: float, two: float, apart: float) -> float:
    """Return the area that two circles share."""

    def sector(mine: float, other: float) -> float:
        along = (apart * apart + mine * mine - other * other) / (2 * apart)
        return mine * mine * math.acos(min(1.0, max(-1.0, along / mine)))

    kite = (-apart + one + two) * (apart + one - two) * (apart - one + two) * (apart + one + two)
    return sector(one, two) + sector(two, one) - math.sqrt(max(0.0, kite)) / 2
