"""Tables: delegates of their cells, the table with its header, and the filter line."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Any, Protocol, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPalette,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from irjudge_ui.messages import escape_markup, filled, isolate
from irjudge_ui.widgets.grades import (
    CHIP_HEIGHT,
    CHIP_RADIUS,
    CHIP_WIDTH,
    GRADE_LEVEL_ROLE,
    GRADE_TEXT_ROLE,
    draw_chip,
)
from irjudge_ui.widgets.layout import make_label, row
from irjudge_ui.widgets.theme import (
    QUIET,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    Theme,
    current_theme,
    scale_length,
)

# Draws a number in a table: on a scale of one hue from pale to strong, with a sign before it and a quiet line below.

Index = QModelIndex | QPersistentModelIndex
CellReader = Callable[[int], Any]  # what a cell says in a role


class WrittenDelegate(QStyledItemDelegate):
    """Draws cells as every table does.

    Words stand where the column begins, and run as their own characters do.
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        words = option.text
        if words and (kept := isolate(words)) != words:
            option.text = kept


LIST_ROW_HEIGHT = 36
ASIDE_ROLE = int(Qt.ItemDataRole.UserRole) + 3  # what stands quietly at the right


class QueueItemDelegate(QStyledItemDelegate):
    """A swatch in the grade's colour, hatched while nothing is judged; then words, and an id at the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(scale_length(200), scale_length(LIST_ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme()
        rect = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(QColor(theme.key))
            painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -0.5, -1.5), CHIP_RADIUS, CHIP_RADIUS)
        self._draw_swatch(painter, rect, index)
        inside = rect.adjusted(scale_length(CHIP_WIDTH) + 2 * SPACE_M, 0, -SPACE_M, 0)
        aside = str(index.data(ASIDE_ROLE) or "")
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
            _cut(painter, isolate(str(index.data())), words.width()),
        )
        painter.restore()

    @staticmethod
    def _draw_swatch(painter: QPainter, rect: QRectF, index: Index) -> None:
        width, height = (scale_length(side) for side in (CHIP_WIDTH, CHIP_HEIGHT))
        swatch = QRectF(rect.left() + SPACE_S, rect.center().y() - height / 2, width, height)
        draw_chip(
            painter, swatch, str(index.data(GRADE_TEXT_ROLE) or ""), index.data(GRADE_LEVEL_ROLE)
        )


def _cut(painter: QPainter, words: str, width: float) -> str:
    return painter.fontMetrics().elidedText(
        words.replace("\n", " "), Qt.TextElideMode.ElideRight, int(width)
    )


SUBTITLE_ROLE = int(Qt.ItemDataRole.UserRole) + 1  # what stands below the title
WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
CORNER = 6


class TitledDelegate(QStyledItemDelegate):
    """A title and a description; the chosen entry has a frame."""

    def __init__(self, on: QAbstractItemView) -> None:
        super().__init__(on)
        self._list = on

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._list.viewport().width()
        title, about = (
            self._height(font, str(words), width) for font, words in self._both(option.font, index)
        )
        return QSize(width, title + about + 2 * SPACE_S)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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
        small.setPixelSize(scale_length(QUIET))
        return (strong, str(index.data() or "")), (small, str(index.data(SUBTITLE_ROLE) or ""))

    @staticmethod
    def _height(font: QFont, words: str, width: int) -> int:
        return (
            QFontMetrics(font)
            .boundingRect(QRect(0, 0, max(1, width - 2 * SPACE_S), 10_000), WRAP, words)
            .height()
        )


HEAT_ROLE = (
    int(Qt.ItemDataRole.UserRole) + 11
)  # 0 to 1: where a value stands between the lowest and the highest of its column
SIGN_ROLE = int(Qt.ItemDataRole.UserRole) + 12  # what stands before the number
BELOW_ROLE = int(Qt.ItemDataRole.UserRole) + 13  # what stands below it
PREFIX_ROLE = (
    int(Qt.ItemDataRole.UserRole) + 14
)  # what stands quietly before words: the places of a group
EDGE = 15  # as far from the cell's edge as headers stand
AT_THE_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
UNDERLINE = 2  # the line of the cell that has the focus
SMALL = 0.88  # of the normal characters
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
    """Delegate that draws numbers at the right, with heat, sign, note below and prefix.

    The model gives them by `HEAT_ROLE`, `SIGN_ROLE`, `BELOW_ROLE` and `PREFIX_ROLE`.

    `aside` is how wide the places before words are.
    """

    aside = 0

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        asked = _cell_reader(index)
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
            str(index.data(PREFIX_ROLE) or ""),
        )
        painter.restore()

    @staticmethod
    def _draw(painter: QPainter, option: QStyleOptionViewItem, asked: CellReader) -> None:
        """Draw a number and what stands around it, with few calls.

        After each the threads in the background take a turn.
        """
        theme, heat, below = current_theme(), asked(HEAT_ROLE), str(asked(BELOW_ROLE) or "")
        cell = option.rect
        left, top, width, height = cell.left(), cell.top(), cell.width(), cell.height()
        if heat is not None:
            painter.fillRect(left, top, width, height - UNDERLINE, heat_colour(theme, heat))
        bold = asked(Qt.ItemDataRole.FontRole)
        if bold is not None:
            painter.setFont(_weighted_font(option.font, bold))
        number = QRectF(left + EDGE, top, width - 2 * EDGE, height)
        if below:
            number, quiet = _split_cell(number)
        words, sign = str(asked(Qt.ItemDataRole.DisplayRole)), str(asked(SIGN_ROLE) or "")
        painter.setPen(_colour(theme.text))
        painter.drawText(number, AT_THE_RIGHT, words)
        if sign:
            beside = painter.fontMetrics().horizontalAdvance(words) + SPACE_S
            painter.drawText(number.adjusted(0, 0, -beside, 0), AT_THE_RIGHT, sign)
        if below:
            painter.setFont(small_font(option.font))
            painter.setPen(_colour(theme.text if heat else theme.quiet))
            painter.drawText(quiet, AT_THE_RIGHT, below)
        if below or bold is not None:
            painter.setFont(option.font)


def _cell_reader(index: Index) -> CellReader:
    """Return what asks the rows themselves.

    Through Qt each question would give the threads in the background two turns.
    """
    return partial(index.model().data, index)


def _is_number(asked: CellReader) -> bool:
    return bool(
        int(asked(Qt.ItemDataRole.TextAlignmentRole) or 0) & int(Qt.AlignmentFlag.AlignRight)
    )


def small_font(font: QFont) -> QFont:
    """Return a font a little smaller."""
    made = QFont(font)
    made.setPixelSize(max(1, round(font.pixelSize() * SMALL)))
    return made


def _weighted_font(font: QFont, wish: QFont) -> QFont:
    made = QFont(font)
    made.setWeight(wish.weight())
    return made


def _split_cell(whole: QRectF) -> tuple[QRectF, QRectF]:
    """Return where the number stands and where the line below it does."""
    middle = whole.center().y() + SPACE_XS / 2
    return QRectF(
        whole.left(), whole.top() + SPACE_XS, whole.width(), middle - whole.top() - SPACE_XS
    ), QRectF(whole.left(), middle, whole.width(), whole.bottom() - middle - SPACE_XS)


# A quiet table: no grid, rows that breathe, headers over their columns.

FITTED_ROWS, NARROWEST, CELL_PADDING = 60, 72, 18
MARGIN = 15  # left and right of the words of a cell, as the style sheet has it
ARROW = 3  # half as wide as the arrow of the column that is sorted by
TABLE_ROW_HEIGHT = 2.2  # heights of a line of text
READABLE = (
    12  # heights of a line of text: how wide a column of words is at least, when it has so many
)
SHORT = 6  # and how wide at least where all columns come into view by that


class Header(QHeaderView):
    """The names of columns; one that has too little room ends in dots and is told on hover."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSectionsClickable(True)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw the name of a column, and of the one that the rows are sorted by an arrow in what is free at its right."""
        super().paintSection(painter, rect, section)
        if section != self.sortIndicatorSection():
            return
        way = -1 if self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder else 1
        middle = QPointF(rect.right() - 0.4 * MARGIN, rect.center().y())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.WindowText), 1.5))
        painter.drawPolyline(
            [
                middle + QPointF(x, way * y)
                for x, y in ((-ARROW, -ARROW / 2), (0, ARROW / 2), (ARROW, -ARROW / 2))
            ]
        )

    def viewportEvent(self, event: QEvent) -> bool:
        """Tell the whole name of a column, and then what it means, where the name is not all in view."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            section = self.logicalIndexAt(event.pos())
            if section >= 0 and self.sectionSizeHint(section) > self.sectionSize(section):
                QToolTip.showText(event.globalPos(), escape_markup(self.told(section)), self)
                return True
        return super().viewportEvent(event)

    def told(self, section: int) -> str:
        """Return the name of a column, and below it what it means."""
        roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        parts = (self.model().headerData(section, self.orientation(), role) for role in roles)
        return "\n".join(dict.fromkeys(str(part) for part in parts if part))


class Table(QTableView):
    """Shows an item model; Enter opens a row as a double click does."""

    opened = Signal(int)
    readable = READABLE

    def __init__(
        self, model: QAbstractItemModel, name: str, *, stretch: int = 0, rows: int = 0
    ) -> None:
        super().__init__()
        self._fitting, self._bent = (
            False,
            dict[int, tuple[int, int]](),
        )  # columns, their widths before and after they were bent to fit
        self._needs: list[int] = []  # the width that each column asks for
        self._contents = dict[int, int]()  # the width of each column's texts, where it was measured
        self._rows = rows  # as high as its content, up to so many rows; 0 takes what room there is
        self.setHorizontalHeader(Header())
        self.setItemDelegate(WrittenDelegate(self))
        self.setModel(model)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setSortingEnabled(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(
            QAbstractItemView.SelectionMode.ExtendedSelection
        )  # several rows are copied
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSortIndicatorShown(False)  # its arrow would take room from the name; see `Header`
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setMinimumSectionSize(NARROWEST)
        self._stretch = stretch
        self.set_row_height()
        model.modelReset.connect(self.fit)
        model.dataChanged.connect(lambda *_: self._contents.clear())
        self.horizontalScrollBar().rangeChanged.connect(self._set_height)
        self.doubleClicked.connect(self._open)
        self.fit()

    def is_sorted_by(self, column: int) -> bool:
        """Return whether rows are in the order of a column, in either direction."""
        return self.horizontalHeader().sortIndicatorSection() == column

    def sort_best_first(self, column: int) -> None:
        """Sort by a column in the order of a first click on its header."""
        order = self.model().headerData(
            column, Qt.Orientation.Horizontal, Qt.ItemDataRole.InitialSortOrderRole
        )
        self.sortByColumn(column, Qt.SortOrder.DescendingOrder if order is None else order)

    def set_row_height(self) -> None:
        """Make rows as high as the text now asks for."""
        self.verticalHeader().setDefaultSectionSize(
            round(self.fontMetrics().height() * TABLE_ROW_HEIGHT)
        )

    def show_rows(self, most: int) -> None:
        """Be as high as the content, up to so many rows."""
        self._rows = most
        self._set_height()

    def _open(self, index: QModelIndex) -> None:
        if not index.flags() & Qt.ItemFlag.ItemIsEditable:  # a double click writes there
            self.opened.emit(index.row())

    def fit(self) -> None:
        """Give each column the width its content asks for, and the rest to one of them.

        Widths are looked up once, in the first rows: a header that follows its content looks at every cell at every change of style.
        """
        self._fitting = False
        self._set_height()
        if not self.isVisible():
            return  # widths are found when the table is shown
        header = self.horizontalHeader()
        self._bent.clear()
        self._contents.clear()
        self._needs = [self._needed(section) for section in range(header.count())]
        for section, needed in enumerate(self._needs):
            header.resizeSection(section, max(needed, NARROWEST))
        self._share_out()
        self._set_height()

    def _share_out(self) -> None:
        """Share the width out again.

        Columns that were bent for the last one are as before, unless a person drew them
        since.
        """
        header = self.horizontalHeader()
        for section, (before, after) in self._bent.items():
            if section < header.count() and header.sectionSize(section) == after:
                header.resizeSection(section, before)
        self._bent.clear()
        self._share()
        self._squeeze()
        self._end_with_a_column()

    def _bend(self, section: int, width: int) -> None:
        before, _ = self._bent.get(section, (self.horizontalHeader().sectionSize(section), 0))
        self.horizontalHeader().resizeSection(section, width)
        self._bent[section] = before, width

    def _squeeze(self) -> None:
        """Take what is missing from words and headers, each giving its share, where all columns come into view by that."""
        header = self.horizontalHeader()
        shown = [each for each in range(header.count()) if not header.isSectionHidden(each)]
        over = sum(map(header.sectionSize, shown)) - self.viewport().width()
        spare = (
            {each: max(0, header.sectionSize(each) - self._least(each)) for each in shown}
            if over > 0
            else {}
        )
        room = sum(spare.values())
        if not 0 < over <= room:
            return
        for section, can in spare.items():
            gives = -(-can * over // room)
            self._bend(section, header.sectionSize(section) - gives)

    def _least(self, section: int) -> int:
        """Return how narrow a column may be: no number is cut, and words stay readable; the rest is told on hover."""
        alignment = self.model().headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        if int(alignment or 0) & int(Qt.AlignmentFlag.AlignRight):
            return max(self._content(section), NARROWEST)
        return min(self._needed(section), self.fontMetrics().height() * SHORT)

    def _needed(self, section: int) -> int:
        """Return the width of a column's header and of its texts."""
        return max(self._content(section), self._header_width(section))

    def _content(self, section: int) -> int:
        if section not in self._contents:
            self._contents[section] = self._content_width(section)
        return self._contents[section]

    def _content_width(self, section: int) -> int:
        """Return the width of a column's texts in the first rows, in some further down and in the last."""
        model, metrics = self.model(), self.fontMetrics()
        widths = (
            metrics.horizontalAdvance(str(model.data(model.index(row, section)) or ""))
            for row in self._fitted_rows()
        )
        return max(widths, default=0) + 2 * CELL_PADDING

    def _fitted_rows(self) -> set[int]:
        """Return the rows that are measured: the first, some further down and the last."""
        count = self.model().rowCount()
        return {
            *range(min(count, FITTED_ROWS)),
            *range(0, count, count // FITTED_ROWS + 1),
            *range(count)[-1:],
        }

    def _header_width(self, section: int) -> int:
        """Return the width that a column's name asks for, up to a readable one."""
        return min(
            self.horizontalHeader().sectionSizeHint(section), self.fontMetrics().height() * READABLE
        )

    def _fit_soon(self) -> None:
        """Fit once, however many changes of style come together."""
        if not self._fitting:
            self._fitting = True
            QTimer.singleShot(0, self, self.fit)

    def _share(self) -> None:
        """Give the rest of the width to one column, but never less than its words need, up to a readable width."""
        header = self.horizontalHeader()
        shown = [each for each in range(header.count()) if not header.isSectionHidden(each)]
        if self._stretch >= header.count() or not shown or len(self._needs) != header.count():
            return  # widths are found when the table is shown
        wide = self._stretch if self._stretch in shown else shown[-1]
        rest = self.viewport().width() - sum(
            header.sectionSize(each) for each in shown if each != wide
        )
        header.resizeSection(
            wide, max(rest, min(self._needs[wide], self.fontMetrics().height() * self.readable))
        )

    def _end_with_a_column(self) -> None:
        """Where not all columns have room, let the view end with a whole one: half a number reads as another number."""
        header, room = self.horizontalHeader(), self.viewport().width()
        shown = [
            section for section in range(header.count()) if not header.isSectionHidden(section)
        ]
        ends = list(accumulate(header.sectionSize(section) for section in shown))
        whole = sum(end <= room for end in ends)
        if 0 < whole < len(shown):
            wider = self._stretch if self._stretch in shown[:whole] else shown[whole - 1]
            self._bend(wider, header.sectionSize(wider) + room - ends[whole - 1])

    def viewportEvent(self, event: QEvent) -> bool:
        """Tell the whole text of a cell that has too little room for it."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            words = str(index.data() or "")
            if index.isValid() and self.fontMetrics().horizontalAdvance(
                words
            ) + 2 * MARGIN > self.columnWidth(index.column()):
                QToolTip.showText(
                    event.globalPos(),
                    escape_markup(
                        "\n".join(filter(None, (words, index.data(Qt.ItemDataRole.ToolTipRole))))
                    ),
                    self,
                )
                return True
        return super().viewportEvent(event)

    def _set_height(self) -> None:
        if self._rows:
            bar = self.horizontalScrollBar()
            self.setFixedHeight(
                self._content_height() + (bar.sizeHint().height() if bar.maximum() else 0)
            )

    def _content_height(self) -> int:
        rows = min(max(1, self.model().rowCount()), self._rows)
        return (
            self.horizontalHeader().sizeHint().height()
            + rows * self.verticalHeader().defaultSectionSize()
            + 2
        )

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; a table of some rows in a page that scrolls leaves the wheel to the page until it has the focus."""
        if self._rows and not self.hasFocus() and self._page_scrolls():
            event.ignore()
        else:
            super().wheelEvent(event)

    def _page_scrolls(self) -> bool:
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        return isinstance(above, QScrollArea) and above.verticalScrollBar().maximum() > 0

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.set_row_height()
            self._fit_soon()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the current row with Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)


# A line above a table of many rows: what is typed keeps the rows that have all its words.

FEW = 12  # rows that are taken in at a glance


class FilterableModel(Protocol):
    """A model that shows the rows which have some words."""

    rows: Sequence[Any]

    def keep(self, words: str) -> None:
        """Show the rows that have all of these words."""

    def rowCount(self) -> int: ...


class FilterLine(QWidget):
    """Filters a table; it is there while the table has more rows than are taken in at a glance."""

    def __init__(self, table: Table) -> None:
        super().__init__(
            table
        )  # until a page takes it: a widget of no one that is made visible is a window
        self.table, self._model = table, cast(FilterableModel, table.model())
        self.line, self._count = _Line(table), make_label("", "small", wrap=False)
        self.line.setPlaceholderText(self.tr("Filter"))
        self.line.setAccessibleName(
            filled(self.tr("Filter: {table}"), table=table.accessibleName())
        )
        self.line.setClearButtonEnabled(True)
        parts = row(self.line, self._count, spacing=SPACE_M)
        parts.setStretch(0, 1)
        self.setLayout(parts)
        self.line.textChanged.connect(self._keep)
        for change in (
            table.model().modelReset,
            table.model().rowsInserted,
            table.model().rowsRemoved,
        ):
            change.connect(lambda *_: self._follow())
        self._follow()

    def _keep(self, words: str) -> None:
        self._model.keep(words)
        self._follow()
        if words and self._model.rowCount() and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.table.model().index(0, 0))

    def _follow(self) -> None:
        """Be there where there is something to filter, and say how much of it is shown."""
        rows = len(self._model.rows)
        self.setVisible(rows > FEW or bool(self.line.text()))
        self._count.setText(
            filled(
                self.tr("{count} of {total}"),
                count=f"{self._model.rowCount():,}",
                total=f"{rows:,}",
            )
            if self.line.text()
            else ""
        )
        self._count.setVisible(bool(self.line.text()))


class _Line(QLineEdit):
    """Gives the keyboard to the table with an arrow down, and forgets what was typed with Escape."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the table, or show all rows again."""
        if event.key() == Qt.Key.Key_Down:
            self.table.setFocus()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
