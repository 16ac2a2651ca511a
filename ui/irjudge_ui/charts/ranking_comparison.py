"""Plots of two rankings: lines between the ranks of each document, and a Venn diagram."""

import math
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QBrush,
    QColor,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from irjudge_ui.messages import escape_markup, isolate
from irjudge_ui.widgets import (
    CHIP_HEIGHT,
    CHIP_RADIUS,
    SPACE_S,
    SPACE_XS,
    column,
    current_theme,
    draw_chip,
    make_label,
    row,
    scale_length,
)

# Two rankings side by side: a row per document; lines connect the two rows of each shared document

Index = QModelIndex | QPersistentModelIndex
RANKED_DOCUMENT_ROLE = int(Qt.ItemDataRole.UserRole) + 21
ROW_HEIGHT, CHIP_COLUMN_WIDTH, SHAPE_SIZE, GUTTER_WIDTH = 32, 26, 10, 72
LEFT, RIGHT = 0, 1


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """Row of one of two rankings: document with its label, grade, and rank in both rankings.

    The label is the title or the first words of the document or, if these are unknown, its id. An
    unjudgeable document has a mark but no grade level.
    """

    document: str  # document id
    label: str  # title or first words of the document; its id if these are unknown
    rank: int  # rank, from 1
    other: int | None  # rank in the other ranking; None if that ranking lacks the document
    mark: str = ""  # text of the grade chip; empty if the document is unjudged
    # (level, highest level) of the grade; None if unjudged or unjudgeable
    level: tuple[int, int] | None = None


class RankedDelegate(QStyledItemDelegate):
    """Delegate that draws a row of one of two rankings: rank, grade and title of a document.

    On the side of the other ranking, a disc marks documents that are in both rankings, a diamond
    documents in only one. The view is a `RankedList`.
    """

    def __init__(self, parent: QWidget, side: int) -> None:
        super().__init__(parent)
        self._side = side

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(0, scale_length(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        ranked = index.data(RANKED_DOCUMENT_ROLE)
        theme, rect = current_theme(), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            has_focus = option.state & QStyle.StateFlag.State_HasFocus
            painter.setPen(
                QPen(QColor(theme.accent if has_focus else theme.quiet), 2 if has_focus else 1)
            )
            painter.setBrush(QColor(theme.key))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), CHIP_RADIUS, CHIP_RADIUS)
        self._draw_label(painter, self._draw_shape(painter, rect, ranked), ranked)
        painter.restore()

    def _draw_shape(self, painter: QPainter, rect: QRectF, ranked: RankedDocument) -> QRectF:
        """Draw the disc or diamond; return the rectangle that remains for the text."""
        theme, size = current_theme(), scale_length(SHAPE_SIZE)
        edge = SPACE_S + size / 2
        middle = QPointF(
            rect.right() - edge if self._side == LEFT else rect.left() + edge, rect.center().y()
        )
        half = size / 2
        if ranked.other is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(middle, half, half)
        else:
            painter.setPen(QPen(QColor(theme.warning), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            corners = [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)]
            painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in corners]))
        taken_width = 2 * SPACE_S + size
        return (
            rect.adjusted(SPACE_S, 0, -taken_width, 0)
            if self._side == LEFT
            else rect.adjusted(taken_width, 0, -SPACE_S, 0)
        )

    @staticmethod
    def _draw_label(painter: QPainter, area: QRectF, ranked: RankedDocument) -> None:
        theme, metrics = current_theme(), painter.fontMetrics()
        width = max(metrics.horizontalAdvance("00"), metrics.horizontalAdvance(f"{ranked.rank:,}"))
        alignment = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(theme.quiet))
        painter.drawText(
            QRectF(area.left(), area.top(), width, area.height()),
            Qt.AlignmentFlag.AlignRight | alignment,
            f"{ranked.rank:,}",
        )
        chip = QRectF(
            area.left() + width + SPACE_S,
            0,
            scale_length(CHIP_COLUMN_WIDTH),
            scale_length(CHIP_HEIGHT),
        )
        chip.moveTop(area.center().y() - chip.height() / 2)
        draw_chip(painter, chip, ranked.mark, ranked.level)
        title_area = QRectF(
            chip.right() + SPACE_S,
            area.top(),
            max(0.0, area.right() - chip.right() - SPACE_S),
            area.height(),
        )
        painter.setPen(QColor(theme.text))
        elided_title = metrics.elidedText(
            isolate(ranked.label.replace("\n", " ")),
            Qt.TextElideMode.ElideRight,
            int(title_area.width()),
        )
        painter.drawText(title_area, Qt.AlignmentFlag.AlignLeft | alignment, elided_title)


class RankedList(QListView):
    """Read-only list that shows the documents of one of two rankings side by side.

    `opened` is emitted with the document id on Enter or a double click, `crossed` on the arrow key
    that points to the other ranking; `RankLists` then moves the focus to it.
    """

    opened = Signal(str)
    crossed = Signal()

    def __init__(self, model: QAbstractListModel, side: int) -> None:
        super().__init__(uniformItemSizes=True)
        self._key_towards_other = Qt.Key.Key_Right if side == LEFT else Qt.Key.Key_Left
        self.setObjectName("ranked")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setModel(model)
        self.setItemDelegate(RankedDelegate(self, side))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.doubleClicked.connect(self._open)

    def document_at(self, row: int) -> RankedDocument | None:
        ranked = self.model().index(row, 0).data(RANKED_DOCUMENT_ROLE)
        return ranked if isinstance(ranked, RankedDocument) else None

    def row_centre(self, row: int) -> float:
        """Return the vertical centre of a row, visible or not, relative to the top of the list."""
        return (row + 0.5) * self.row_height() - self.verticalScrollBar().value()

    def row_height(self) -> int:
        return scale_length(ROW_HEIGHT)

    def visible_rows(self) -> range:
        """Return the indices of the visible rows."""
        offset = self.verticalScrollBar().value()
        last = (offset + self.viewport().height()) // self.row_height()
        return range(offset // self.row_height(), min(self.model().rowCount(), last + 1))

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(RANKED_DOCUMENT_ROLE).document)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On Enter, open the current document.

        On the left or right arrow key that points to the other ranking, go to that ranking.
        """
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex())
        elif event.key() == self._key_towards_other:
            self.crossed.emit()
        else:
            super().keyPressEvent(event)


class ConnectingLines(QWidget):
    """Widget between two rankings that draws a line for each document that is in both.

    A line is drawn if the document's row is visible in at least one of the rankings. The line of
    the selected document is emphasised.
    """

    def __init__(self, left: RankedList, right: RankedList) -> None:
        super().__init__()
        self._lists = (left, right)
        self.chosen = ""

    def visible_lines(self) -> list[tuple[float, float, str]]:
        """Return the visible lines: vertical positions of the left and right end, and document."""
        left, right = self._lists
        ends_by_document = {}
        for index in left.visible_rows():
            ranked = left.document_at(index)
            if ranked and ranked.other is not None:
                ends_by_document[ranked.document] = (
                    left.row_centre(index),
                    right.row_centre(ranked.other - 1),
                )
        for index in right.visible_rows():
            ranked = right.document_at(index)
            if ranked and ranked.other is not None:
                ends_by_document[ranked.document] = (
                    left.row_centre(ranked.other - 1),
                    right.row_centre(index),
                )
        return [(begin, end, document) for document, (begin, end) in ends_by_document.items()]

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for begin, end, document in sorted(
            self.visible_lines(), key=lambda line: line[2] == self.chosen
        ):
            colour = QColor(current_theme().accent)
            colour.setAlphaF(1.0 if document == self.chosen else 0.5)
            painter.setPen(QPen(colour, 3 if document == self.chosen else 1.5))
            width = self.width()
            path = QPainterPath(QPointF(0, begin))
            path.cubicTo(QPointF(width / 2, begin), QPointF(width / 2, end), QPointF(width, end))
            painter.drawPath(path)


class RankLists(QWidget):
    """Widget with two rankings side by side, and lines between documents in both.

    The rankings scroll together. A document that is selected in one ranking is also selected in the
    other, unless it is missing there. The rows of both models are `RankedDocument` objects in the
    order of their ranks. The widget is on the Two rankings page.

    `opened` is emitted with the id of a document when the user opens a row.
    """

    opened = Signal(str)

    def __init__(self, left: QAbstractListModel, right: QAbstractListModel) -> None:
        super().__init__()
        self.lists = (RankedList(left, LEFT), RankedList(right, RIGHT))
        self._names = (make_label("", "strong", wrap=False), make_label("", "strong", wrap=False))
        self.lines = ConnectingLines(*self.lists)
        self._is_synchronising = False
        parts = [
            column(name, ranked_list, spacing=SPACE_XS)
            for name, ranked_list in zip(self._names, self.lists, strict=True)
        ]
        self._top_spacer = make_label(" ", "strong", wrap=False)
        middle_column = column(self._top_spacer, self.lines, spacing=SPACE_XS, stretched=self.lines)
        box = row(parts[LEFT], middle_column, parts[RIGHT], spacing=0)
        box.setStretch(LEFT, 1)
        box.setStretch(2, 1)
        self.setLayout(box)
        for side, ranked_list in enumerate(self.lists):
            ranked_list.opened.connect(self.opened)
            ranked_list.crossed.connect(lambda side=side: self._move_across(side))
            ranked_list.verticalScrollBar().valueChanged.connect(
                lambda value, side=side: self._scroll(side, value)
            )
            ranked_list.selectionModel().currentChanged.connect(
                lambda _current, _previous, side=side: self._follow(side)
            )
            ranked_list.model().modelReset.connect(self._reset)

    def set_titles(self, left: str, right: str) -> None:
        """Set the titles of the rankings."""
        for label, ranked_list, title in zip(self._names, self.lists, (left, right), strict=True):
            label.setToolTip(escape_markup(title))
            ranked_list.setAccessibleName(title)
        self._elide_titles()

    def choose(self, row: int) -> None:
        """Select a row of the left ranking, or of the right ranking if the left one is empty."""
        for ranked_list in self.lists:
            if ranked_list.model().rowCount():
                ranked_list.setCurrentIndex(ranked_list.model().index(row, 0))
                return

    def sizeHint(self) -> QSize:
        return QSize(scale_length(480), scale_length(ROW_HEIGHT) * 11)

    def minimumSizeHint(self) -> QSize:
        return QSize(scale_length(220), scale_length(ROW_HEIGHT) * 11)

    def _elide_titles(self) -> None:
        """Elide titles that are wider than their ranking, and set the width of the lines."""
        for label, ranked_list in zip(self._names, self.lists, strict=True):
            label.setText(
                label.fontMetrics().elidedText(
                    label.toolTip(),
                    Qt.TextElideMode.ElideMiddle,
                    max(40, ranked_list.width() - SPACE_S),
                )
            )
        self.lines.setFixedWidth(min(scale_length(GUTTER_WIDTH), max(24, self.width() // 7)))

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._elide_titles()

    def _reset(self) -> None:
        self.lines.chosen = ""
        self.lines.update()

    def _scroll(self, side: int, value: int) -> None:
        """Scroll the other ranking to the same position."""
        if not self._is_synchronising:
            self._is_synchronising = True
            self.lists[1 - side].verticalScrollBar().setValue(value)
            self._is_synchronising = False
        self.lines.update()

    def _follow(self, side: int) -> None:
        """Select the current document of one ranking in the other ranking too.

        If the other ranking lacks the document, clear the selection of the other ranking.
        """
        ranked = self.lists[side].document_at(self.lists[side].currentIndex().row())
        if self._is_synchronising or ranked is None:
            return
        other_list = self.lists[1 - side]
        self.lines.chosen = ranked.document
        self._is_synchronising = True
        model, selection = other_list.model(), other_list.selectionModel()
        if ranked.other is None:
            selection.clearSelection()
        else:
            selection.setCurrentIndex(
                model.index(ranked.other - 1, 0), selection.SelectionFlag.ClearAndSelect
            )
        self._is_synchronising = False
        self.lines.update()

    def _move_across(self, side: int) -> None:
        """Focus the other ranking, at the same document or, if it is missing, at the same rank."""
        current_list, other_list = self.lists[side], self.lists[1 - side]
        ranked = current_list.document_at(current_list.currentIndex().row())
        rows = other_list.model().rowCount()
        if ranked is None or not rows:
            return
        row = ranked.other - 1 if ranked.other is not None else min(ranked.rank, rows) - 1
        other_list.setFocus()
        other_list.setCurrentIndex(other_list.model().index(row, 0))


# Venn diagram of two sets, with areas proportional to their sizes

WIDTH, HEIGHT = 132, 84
BISECTION_STEPS = 50


class Venn(QWidget):
    """Venn diagram of two sets, with areas proportional to the numbers of elements.

    The intersection is filled, the rest of the second set is hatched. No numbers are drawn; the
    description is the tooltip. On the Two rankings page, the sets are the top documents of two runs
    for a topic.
    """

    def __init__(self, name: str) -> None:
        super().__init__(accessibleName=name)
        self._counts = (0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_counts(self, shared_count: int, first: int, second: int, description: str) -> None:
        """Show how many elements are in both sets, only in the first, and only in the second.

        `description` is the tooltip and the text for screen readers.
        """
        self._counts = (shared_count, first, second)
        self.setAccessibleDescription(description)
        self.setToolTip(escape_markup(description))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scale_length(WIDTH), scale_length(HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        shared_count, first, second = self._counts
        if not shared_count + first + second:
            return
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first_circle, second_circle = self._make_circles()
        painter.fillPath(second_circle, QBrush(QColor(theme.quiet), Qt.BrushStyle.BDiagPattern))
        intersection = QPainterPath(first_circle.intersected(second_circle))
        painter.fillPath(intersection, QColor(theme.surface))
        fill = QColor(theme.accent)
        fill.setAlphaF(0.45)
        painter.fillPath(intersection, fill)
        painter.setPen(QPen(QColor(theme.accent), 2))
        painter.drawPath(first_circle)
        painter.setPen(QPen(QColor(theme.quiet), 2))
        painter.drawPath(second_circle)

    def _make_circles(self) -> tuple[QPainterPath, QPainterPath]:
        shared_count, first, second = self._counts
        first_radius, second_radius = (
            math.sqrt((shared_count + size) / math.pi) for size in (first, second)
        )
        distance = circle_distance(first_radius, second_radius, shared_count)
        left = min(-first_radius, distance - second_radius)
        right = max(first_radius, distance + second_radius)
        area = QRectF(self.rect()).adjusted(SPACE_S, SPACE_S, -SPACE_S, -SPACE_S)
        scale = min(
            area.width() / (right - left), area.height() / (2 * max(first_radius, second_radius))
        )
        begin = area.center().x() - scale * (left + right) / 2
        paths = (QPainterPath(), QPainterPath())
        for path, middle, radius in zip(
            paths, (0.0, distance), (first_radius, second_radius), strict=True
        ):
            path.addEllipse(
                QPointF(begin + scale * middle, area.center().y()), scale * radius, scale * radius
            )
        return paths


def circle_distance(first: float, second: float, shared: float) -> float:
    """Return the distance between the centres of two circles, given their radii and shared area.

    Examples
    --------
    >>> round(circle_distance(1.0, 1.0, 0.0), 6), round(circle_distance(2.0, 1.0, math.pi), 6)
    (2.0, 1.0)
    """
    low_distance, high_distance = abs(first - second), first + second
    if shared <= 0:
        return high_distance
    if shared >= math.pi * min(first, second) ** 2:
        return low_distance
    for _ in range(BISECTION_STEPS):
        middle = (low_distance + high_distance) / 2
        low_distance, high_distance = (
            (middle, high_distance)
            if _intersection_area(first, second, middle) > shared
            else (low_distance, middle)
        )
    return (low_distance + high_distance) / 2


def _intersection_area(first: float, second: float, distance: float) -> float:
    def sector(radius: float, other_radius: float) -> float:
        chord_distance = (distance * distance + radius * radius - other_radius * other_radius) / (
            2 * distance
        )
        return radius * radius * math.acos(min(1.0, max(-1.0, chord_distance / radius)))

    kite = (
        (-distance + first + second)
        * (distance + first - second)
        * (distance - first + second)
        * (distance + first + second)
    )
    return sector(first, second) + sector(second, first) - math.sqrt(max(0.0, kite)) / 2
