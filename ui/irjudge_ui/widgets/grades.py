"""Grades as buttons, chips and a bar, whose colours are shades of one hue."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QPushButton,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from irjudge_ui.messages import escape_markup, filled
from irjudge_ui.widgets.theme import (
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    choose_text_colour,
    current_theme,
    scale_length,
)

# Buttons for the grades of a scale

BUTTON_RADIUS = 8
# multiples of the font size that are tried, largest first
FONT_SCALES = (1.0, 0.9, 0.8, 0.7)
WRAPPED_TEXT_FLAGS = int(
    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
)


class GradeButton(QPushButton):
    """Button for a grade, with its number, label and key.

    The key is only displayed, not handled. The document's current grade can be marked. The button
    draws itself without the style sheet, since its colour depends on the grade.
    """

    def __init__(self, value: int, label: str, level: int, highest_grade: int) -> None:
        super().__init__()
        self.value, self.label = value, label
        self._level, self._highest = level, highest_grade
        self.is_given = False
        self.key = str(value)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(
            filled(self.tr("Grade {value}: {label}"), value=str(value), label=label)
        )
        self.setToolTip(escape_markup(label))

    def set_given(self, is_given: bool) -> None:
        self.is_given = is_given
        self.setAccessibleDescription(self.tr("given grade") if is_given else "")
        self.update()

    def show_key(self, key: str) -> None:
        self.key = key
        self.update()

    def sizeHint(self) -> QSize:
        line_height = self.fontMetrics().height()
        return QSize(line_height * 6, round(line_height * 2.6))

    def minimumSizeHint(self) -> QSize:
        line_height = self.fontMetrics().height()
        return QSize(line_height * 3, round(line_height * 1.6))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        background = theme.grade(self._level, self._highest)
        ink = choose_text_colour(background)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_ring = self.hasFocus() or self.is_given or self.underMouse()
        painter.setPen(
            QPen(
                QColor(theme.accent if has_ring else theme.line),
                2 if self.hasFocus() or self.is_given else 1,
            )
        )
        painter.setBrush(background.darker(106) if self.isDown() else background)
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(frame, BUTTON_RADIUS, BUTTON_RADIUS)
        painter.setPen(ink)
        self._draw_label(painter, frame)

    def _draw_label(self, painter: QPainter, frame: QRectF) -> None:
        content = frame.adjusted(SPACE_M, 0, -SPACE_M, 0)
        digit_font = QFont(self.font())
        digit_font.setBold(True)
        digit_font.setPixelSize(round(self.fontInfo().pixelSize() * 1.3))
        painter.setFont(digit_font)
        painter.drawText(
            content, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, str(self.value)
        )
        digit_width = (
            painter.fontMetrics().horizontalAdvance("0") * max(1, len(str(self.value))) + SPACE_M
        )
        painter.setFont(self.font())
        if self.is_given:
            painter.drawText(
                content, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, "✓"
            )
            content.adjust(0, 0, -painter.fontMetrics().horizontalAdvance("✓ "), 0)
        if self.key != str(self.value):
            content.adjust(0, 0, -self._draw_key(painter, content), 0)
        label_area = content.adjusted(digit_width, 0, 0, 0)
        text = self.label
        if not self._fit_font(painter, label_area):
            text = painter.fontMetrics().elidedText(
                text, Qt.TextElideMode.ElideRight, int(label_area.width())
            )
        painter.drawText(label_area, WRAPPED_TEXT_FLAGS, text)

    def _fit_font(self, painter: QPainter, area: QRectF) -> bool:
        """Choose the largest of `FONT_SCALES` at which the text fits; return whether any fits."""
        font = QFont(self.font())
        for size in FONT_SCALES:
            font.setPixelSize(round(self.fontInfo().pixelSize() * size))
            painter.setFont(font)
            needed_area = painter.fontMetrics().boundingRect(
                area.toRect(), WRAPPED_TEXT_FLAGS, self.label
            )
            if needed_area.height() <= area.height() and needed_area.width() <= area.width():
                return True
        return False

    def _draw_key(self, painter: QPainter, area: QRectF) -> float:
        """Draw the key cap at the right of an area; return the width that it occupies."""
        height = painter.fontMetrics().height() + SPACE_XS
        width = max(height, painter.fontMetrics().horizontalAdvance(self.key) + SPACE_S)
        cap_area = QRectF(area.right() - width, area.center().y() - height / 2, width, height)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cap_area, BUTTON_RADIUS / 2, BUTTON_RADIUS / 2)
        painter.drawText(cap_area, Qt.AlignmentFlag.AlignCenter, self.key)
        return width + SPACE_S


class GradeButtons(QWidget):
    """Column or row of buttons for all grades of a scale.

    The button of the document's current grade can be marked. `chosen` is emitted with the grade of
    a clicked button.
    """

    chosen = Signal(int)

    def __init__(self, grades: Sequence[tuple[int, str]]) -> None:
        super().__init__()
        # each button is at least as high as its text needs
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._box = QBoxLayout(QBoxLayout.Direction.BottomToTop, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(SPACE_S)
        self.buttons: dict[int, GradeButton] = {}
        for level, (value, label) in enumerate(grades):
            button = GradeButton(value, label, level, len(grades) - 1)
            button.clicked.connect(lambda _checked=False, value=value: self.chosen.emit(value))
            self._box.addWidget(button)
            self.buttons[value] = button

    def set_row(self, row: bool, *, highest_first: bool = False) -> None:
        """Arrange the buttons in a row or in a column; a column begins with the highest grade.

        A row begins with the lowest grade unless `highest_first`, which is used on pages that show
        the same buttons as a column in a wide window.
        """
        direction = (
            QBoxLayout.Direction.RightToLeft if highest_first else QBoxLayout.Direction.LeftToRight
        )
        self._box.setDirection(direction if row else QBoxLayout.Direction.BottomToTop)

    def show_keys(self, keys: Mapping[int, str]) -> None:
        """Set the key of each grade."""
        for value, button in self.buttons.items():
            button.show_key(keys[value])

    def mark_grade(self, value: int | None) -> None:
        """Mark the button of the document's current grade; None marks no button."""
        for grade, button in self.buttons.items():
            button.set_given(grade == value)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


# Bar of numbers of judgments by grade, and grade chips

BAR_HEIGHT, BAR_RADIUS = 30, 8


class GradeBar(QWidget):
    """Read-only stacked bar that shows how many judgments there are of each grade.

    `pieces` are pairs of label and count, in the order of the scale. The bar is shown when an
    assessor has finished a topic.
    """

    def __init__(self, pieces: Sequence[tuple[str, int]]) -> None:
        super().__init__()
        self._pieces = list(pieces)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        descriptions = [f"{label}: {count:,}" for label, count in self._pieces]
        self.setAccessibleName(self.tr("Grades given"))
        self.setAccessibleDescription(", ".join(descriptions))
        self.setToolTip(escape_markup("\n".join(descriptions)))

    def sizeHint(self) -> QSize:
        return QSize(scale_length(200), scale_length(BAR_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        total = sum(count for _, count in self._pieces)
        if not total:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        outline = QPainterPath()
        outline.addRoundedRect(frame, BAR_RADIUS, BAR_RADIUS)
        painter.setClipPath(outline)
        x = frame.left()
        widths = [frame.width() * count / total - 2 * SPACE_XS for _, count in self._pieces]
        texts = fit_labels(painter.fontMetrics(), widths, self._pieces)
        for index, (_, count) in enumerate(self._pieces):
            segment = QRectF(x, frame.top(), frame.width() * count / total, frame.height())
            colour = current_theme().grade(index, len(self._pieces) - 1)
            painter.fillRect(segment, colour)
            painter.setPen(choose_text_colour(colour))
            painter.drawText(segment, Qt.AlignmentFlag.AlignCenter, texts[index])
            x = segment.right()
        painter.setClipping(False)
        painter.setPen(QColor(current_theme().line))
        painter.drawPath(outline)


def fit_labels(
    metrics: QFontMetrics, widths: Sequence[float], pieces: Sequence[tuple[str, int]]
) -> list[str]:
    """Return the labels of a bar's segments, each a grade name and a count.

    All names are short if one of the full names does not fit. A label that does not fit even then
    is empty, since a count alone could be mistaken for a grade.
    """
    full_labels = [f"{label} · {count:,}" for label, count in pieces]
    short_labels = [f"{label.split(' ', 1)[0]}: {count:,}" for label, count in pieces]

    def fits(text: str, width: float) -> bool:
        return metrics.horizontalAdvance(text) <= width

    visible = [index for index, (_, count) in enumerate(pieces) if count]
    if all(fits(full_labels[index], widths[index]) for index in visible):
        short_labels = full_labels
    return [
        text if index in visible and fits(text, widths[index]) else ""
        for index, text in enumerate(short_labels)
    ]


Index = QModelIndex | QPersistentModelIndex
CHIP_RADIUS, CHIP_WIDTH, CHIP_HEIGHT = 6, 44, 22
# role of the text of a chip, such as 2 or ✕; empty for an unjudged document
GRADE_TEXT_ROLE = int(Qt.ItemDataRole.UserRole) + 1
# role of the pair (level of the grade, highest level of the scale); None if there is no grade
GRADE_LEVEL_ROLE = int(Qt.ItemDataRole.UserRole) + 2


def draw_chip(painter: QPainter, chip: QRectF, mark: str, level: tuple[int, int] | None) -> None:
    """Draw a chip with a text and the colour of a grade level; hatched if the text is empty."""
    theme = current_theme()
    colour = theme.grade(*level) if level else QColor(theme.surface)
    painter.setPen(QPen(QColor(theme.quiet if not level else theme.line), 1))
    painter.setBrush(QBrush(colour) if mark else theme.hatch())
    painter.drawRoundedRect(chip, CHIP_RADIUS, CHIP_RADIUS)
    painter.setPen(choose_text_colour(colour))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, mark)


class GradeChipDelegate(QStyledItemDelegate):
    """Delegate that draws a grade chip in a table cell, hatched for an unjudged document.

    The model supplies the text by `GRADE_TEXT_ROLE` (empty: unjudged; None: no chip) and the colour
    by `GRADE_LEVEL_ROLE` (level of the grade and highest level; None: no colour).
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.text = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        mark = index.data(GRADE_TEXT_ROLE)
        if mark is None:
            return
        cell = QRectF(option.rect)
        width = min(scale_length(CHIP_WIDTH), cell.width() - 2 * SPACE_XS)
        height = min(scale_length(CHIP_HEIGHT), cell.height() - 2 * SPACE_XS)
        chip = QRectF(cell.center().x() - width / 2, cell.center().y() - height / 2, width, height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_chip(painter, chip, str(mark), index.data(GRADE_LEVEL_ROLE))
        painter.restore()


class GradeLabel(QWidget):
    """Widget that shows a grade chip, hatched if its text is empty.

    `mark` is the text of the chip, such as a grade or a mean of grades. `level` determines the
    colour: a pair of the grade's level and the highest level, or None if there is no grade. The
    adjudication page shows votes and results of rules as such chips.
    """

    def __init__(self, mark: str, level: tuple[int, int] | None, name: str) -> None:
        super().__init__(accessibleName=name)
        self._mark, self._level = mark, level
        self.setToolTip(escape_markup(name))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = max(metrics.horizontalAdvance(self._mark) + 2 * SPACE_S, metrics.height() * 2)
        return QSize(width, metrics.height() + SPACE_XS)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_chip(
            painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), self._mark, self._level
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self.updateGeometry()
            self.update()
