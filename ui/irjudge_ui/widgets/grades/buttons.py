"""The grades of a scale as buttons: digit, label, one hue from pale to strong."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QBoxLayout, QPushButton, QSizePolicy, QWidget

from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, SPACE_XS, current_theme, ink_on
from irjudge_ui.words import filled, plain

RADIUS = 8
SIZES = (1.0, 0.9, 0.8, 0.7)  # of the letters, as the room gets less
WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap)


class GradeButton(QPushButton):
    """One grade. It paints itself, since its colour is data, not style."""

    def __init__(self, value: int, label: str, place: int, highest: int) -> None:
        super().__init__()
        self.value, self.label = value, label
        self._place, self._highest = place, highest
        self.given = False
        self.key = str(value)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(
            filled(self.tr("Grade {value}: {label}"), value=str(value), label=label)
        )
        self.setToolTip(plain(label))

    def set_given(self, given: bool) -> None:
        """Show whether this is the grade the document has."""
        self.given = given
        self.setAccessibleDescription(self.tr("given") if given else "")
        self.update()

    def show_key(self, key: str) -> None:
        """Show the key that gives this grade; the digit itself is not said twice."""
        self.key = key
        self.update()

    def sizeHint(self) -> QSize:
        """Be as high as two lines of text."""
        line = self.fontMetrics().height()
        return QSize(line * 6, round(line * 2.6))

    def minimumSizeHint(self) -> QSize:
        """Keep room for the digit and some of the label."""
        line = self.fontMetrics().height()
        return QSize(line * 3, round(line * 1.6))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the colour of the grade, its digit, its label, and a ring when focused or given."""
        theme = current_theme()
        back = theme.grade(self._place, self._highest)
        ink = ink_on(back)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = self.hasFocus() or self.given or self.underMouse()
        painter.setPen(
            QPen(
                QColor(theme.accent if ring else theme.line),
                2 if self.hasFocus() or self.given else 1,
            )
        )
        painter.setBrush(back.darker(106) if self.isDown() else back)
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(frame, RADIUS, RADIUS)
        painter.setPen(ink)
        self._draw_words(painter, frame)

    def _draw_words(self, painter: QPainter, frame: QRectF) -> None:
        inside = frame.adjusted(SPACE_M, 0, -SPACE_M, 0)
        digit = QFont(self.font())
        digit.setBold(True)
        digit.setPixelSize(round(self.fontInfo().pixelSize() * 1.3))
        painter.setFont(digit)
        painter.drawText(
            inside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, str(self.value)
        )
        left = painter.fontMetrics().horizontalAdvance("0") * max(1, len(str(self.value))) + SPACE_M
        painter.setFont(self.font())
        if self.given:
            painter.drawText(
                inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, "✓"
            )
            inside.adjust(0, 0, -painter.fontMetrics().horizontalAdvance("✓ "), 0)
        if self.key != str(self.value):
            inside.adjust(0, 0, -self._draw_key(painter, inside), 0)
        room = inside.adjusted(left, 0, 0, 0)
        words = self.label
        if not self._fit_letters(painter, room):
            words = painter.fontMetrics().elidedText(
                words, Qt.TextElideMode.ElideRight, int(room.width())
            )
        painter.drawText(room, WRAPPED, words)

    def _fit_letters(self, painter: QPainter, room: QRectF) -> bool:
        """Make the letters as small as the words need, down to a limit; tell whether that is enough."""
        font = QFont(self.font())
        for size in SIZES:
            font.setPixelSize(round(self.fontInfo().pixelSize() * size))
            painter.setFont(font)
            needed = painter.fontMetrics().boundingRect(room.toRect(), WRAPPED, self.label)
            if needed.height() <= room.height() and needed.width() <= room.width():
                return True
        return False

    def _draw_key(self, painter: QPainter, inside: QRectF) -> float:
        """Draw the key cap at the right and return the width it takes."""
        height = painter.fontMetrics().height() + SPACE_XS
        width = max(height, painter.fontMetrics().horizontalAdvance(self.key) + SPACE_S)
        cap = QRectF(inside.right() - width, inside.center().y() - height / 2, width, height)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cap, RADIUS / 2, RADIUS / 2)
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, self.key)
        return width + SPACE_S


class GradeButtons(QWidget):
    """All grades, the highest first when they stand in a column, the lowest first in a row."""

    chosen = Signal(int)

    def __init__(self, grades: Sequence[tuple[int, str]]) -> None:
        super().__init__()
        self.setSizePolicy(
            QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum
        )  # no button gives up a part of its words
        self._box = QBoxLayout(QBoxLayout.Direction.BottomToTop, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(SPACE_S)
        self.buttons: dict[int, GradeButton] = {}
        for place, (value, label) in enumerate(grades):
            made = GradeButton(value, label, place, len(grades) - 1)
            made.clicked.connect(lambda _checked=False, value=value: self.chosen.emit(value))
            self._box.addWidget(made)
            self.buttons[value] = made

    def set_row(self, row: bool) -> None:
        """Stand in a row or in a column."""
        self._box.setDirection(
            QBoxLayout.Direction.LeftToRight if row else QBoxLayout.Direction.BottomToTop
        )

    def show_keys(self, keys: Mapping[int, str]) -> None:
        """Show the key of each grade."""
        for value, made in self.buttons.items():
            made.show_key(keys[value])

    def show_given(self, value: int | None) -> None:
        """Mark the grade the document has; None marks none."""
        for each, made in self.buttons.items():
            made.set_given(each == value)

    def changeEvent(self, event: QEvent) -> None:
        """Repaint when the theme changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
