"""Tables of values with the interval in which each lies: its numbers, and a bar from low to high with a tick at the value."""

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem

from irjudge_ui.widgets.delegates.score import WrittenDelegate
from irjudge_ui.widgets.table import Table
from irjudge_ui.widgets.theme import QUIET, SPACE_L, SPACE_M, SPACE_XS, current_theme, zoomed

Index = QModelIndex | QPersistentModelIndex
SPAN = int(Qt.ItemDataRole.UserRole) + 11  # a `Span`; other cells are drawn as ever
BAR, TICK, LEAST = 8, 16, 40


@dataclass(frozen=True, slots=True)
class Span:
    """A value between two ends, on a scale that goes from `floor` to `ceiling`.

    `low` and `high` are None where nothing is known of them. `words` and `aside` are what is written of the value and its interval.
    """

    value: float
    low: float | None
    high: float | None
    floor: float
    ceiling: float
    words: str
    aside: str = ""


class IntervalDelegate(WrittenDelegate):
    """Draws the cells that have a `Span`."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell's ground, then the numbers and the bar."""
        span = index.data(SPAN)
        if not isinstance(span, Span):
            super().paint(painter, option, index)
            return
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        ground.text = ""
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, ground, painter, option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inside = QRectF(option.rect).adjusted(SPACE_L, SPACE_XS, -SPACE_L, -SPACE_XS)
        written = _write(painter, inside, span)
        table = self.parent()
        if isinstance(table, SpanTable):
            written = max(written, table.written.get(index.column(), 0))
        room = inside.adjusted(written + SPACE_M, 0, 0, 0)
        if room.width() >= zoomed(LEAST):
            _draw(painter, room, span)
        painter.restore()


class SpanTable(Table):
    """A table that gives the rest of its width to the columns with bars, in equal parts."""

    def __init__(self, model: QAbstractItemModel, name: str, *, rows: int = 0) -> None:
        super().__init__(model, name, rows=rows)
        self.written: dict[
            int, int
        ] = {}  # how wide the numbers of a column are: its bars begin at one place, to be compared
        self.setItemDelegate(IntervalDelegate(self))

    def _share(self) -> None:
        model, header = self.model(), self.horizontalHeader()
        bars = [section for section in range(header.count()) if model.index(0, section).data(SPAN)]
        self.written = {section: self._writing(section) for section in bars}
        if not bars:
            super()._share()
            return
        rest = self.viewport().width() - sum(
            header.sectionSize(section) for section in range(header.count()) if section not in bars
        )
        for section in bars:
            header.resizeSection(
                section, max(rest // len(bars), self._needed(section) + zoomed(LEAST) + SPACE_M)
            )

    def _writing(self, section: int) -> int:
        """Return how wide the widest numbers of a column with bars are."""
        small = QFont(self.font())
        small.setPixelSize(zoomed(QUIET))
        large, below = self.fontMetrics(), QFontMetrics(small)
        spans = (self.model().index(row, section).data(SPAN) for row in self._fitted_rows())
        widths = (
            max(large.horizontalAdvance(each.words), below.horizontalAdvance(each.aside))
            for each in spans
            if each
        )
        return max(widths, default=0)

    def _least(self, section: int) -> int:
        """Return how narrow a column may be: a bar has its numbers beside it."""
        if self.model().index(0, section).data(SPAN):
            return self._needed(section) + zoomed(LEAST) + SPACE_M
        return super()._least(section)


def _write(painter: QPainter, inside: QRectF, span: Span) -> float:
    """Write the value and below it the interval; return how wide they are."""
    theme, usual = current_theme(), painter.font()
    half = QRectF(inside.left(), inside.top(), inside.width(), inside.height() / 2)
    painter.setPen(QColor(theme.text))
    upper = half if span.aside else inside
    painter.drawText(upper, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, span.words)
    width = painter.fontMetrics().horizontalAdvance(span.words)
    small = QFont(usual)
    small.setPixelSize(zoomed(QUIET))
    painter.setFont(small)
    painter.setPen(QColor(theme.quiet))
    lower = half.translated(0, inside.height() / 2)
    painter.drawText(lower, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, span.aside)
    width = max(width, painter.fontMetrics().horizontalAdvance(span.aside))
    painter.setFont(usual)
    return width


def _draw(painter: QPainter, room: QRectF, span: Span) -> None:
    theme, middle = current_theme(), room.center().y()
    length = (span.ceiling - span.floor) or 1.0

    def at(value: float) -> float:
        return room.left() + room.width() * min(1.0, max(0.0, (value - span.floor) / length))

    painter.setPen(QPen(QColor(theme.line), 2))
    painter.drawLine(QPointF(room.left(), middle), QPointF(room.right(), middle))
    if span.floor < 0 < span.ceiling:
        painter.setPen(QPen(QColor(theme.quiet), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(at(0), room.top()), QPointF(at(0), room.bottom()))
    if span.low is not None and span.high is not None and at(span.high) - at(span.low) >= 1:
        fill, height = QColor(theme.accent), zoomed(BAR)
        bar = QRectF(at(span.low), middle - height / 2, at(span.high) - at(span.low), height)
        painter.setPen(QPen(fill, 1))
        fill.setAlphaF(0.35)
        for ground in (QColor(theme.surface), fill):
            painter.setBrush(ground)
            painter.drawRoundedRect(bar, SPACE_XS, SPACE_XS)
    painter.setPen(QPen(QColor(theme.text), 2, c=Qt.PenCapStyle.RoundCap))
    tick = zoomed(TICK) / 2
    sharp = round(at(span.value))  # between two pixels it would be pale
    painter.drawLine(QPointF(sharp, middle - tick), QPointF(sharp, middle + tick))
