"""Tables: cell delegates, the table with its header, and the filter field."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Any, Protocol, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
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
    QMenu,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
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

# Delegates that draw cells, for example numbers with a heat colour, a sign and a second line.

Index = QModelIndex | QPersistentModelIndex
CellReader = Callable[[int], Any]  # returns the data of a cell for a role


class WrittenDelegate(QStyledItemDelegate):
    """Draws cells left-aligned in the column, in the direction of their own text."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        text = option.text
        if text and (isolated := isolate(text)) != text:
            option.text = isolated


LIST_ROW_HEIGHT = 36
ASIDE_ROLE = int(Qt.ItemDataRole.UserRole) + 3  # secondary text at the right


class QueueItemDelegate(QStyledItemDelegate):
    """Draws a grade swatch (hatched if unjudged), a title, and an id at the right."""

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
        text_rect = inside.adjusted(0, 0, -width - SPACE_M, 0)
        painter.drawText(
            text_rect,
            Qt.AlignmentFlag.AlignLeft | middle,
            _cut(painter, isolate(str(index.data())), text_rect.width()),
        )
        painter.restore()

    @staticmethod
    def _draw_swatch(painter: QPainter, rect: QRectF, index: Index) -> None:
        width, height = (scale_length(side) for side in (CHIP_WIDTH, CHIP_HEIGHT))
        swatch = QRectF(rect.left() + SPACE_S, rect.center().y() - height / 2, width, height)
        draw_chip(
            painter, swatch, str(index.data(GRADE_TEXT_ROLE) or ""), index.data(GRADE_LEVEL_ROLE)
        )


def _cut(painter: QPainter, text: str, width: float) -> str:
    return painter.fontMetrics().elidedText(
        text.replace("\n", " "), Qt.TextElideMode.ElideRight, int(width)
    )


SUBTITLE_ROLE = int(Qt.ItemDataRole.UserRole) + 1  # text below the title
WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
CORNER = 6


class PaletteDelegate(QStyledItemDelegate):
    """Draws a label, and secondary text at the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(scale_length(200), scale_length(LIST_ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = current_theme(), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QColor(theme.accent))
            painter.setBrush(QColor(theme.key))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), CORNER, CORNER)
        inside = rect.adjusted(SPACE_M, 0, -SPACE_M, 0)
        metrics = QFontMetrics(option.font)
        aside = str(index.data(ASIDE_ROLE) or "")
        painter.setFont(option.font)
        painter.setPen(QColor(theme.quiet))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, aside)
        inside.setRight(inside.right() - metrics.horizontalAdvance(aside) - SPACE_M)
        label = metrics.elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, int(inside.width())
        )
        painter.setPen(QColor(theme.text))
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, label)
        painter.restore()


class TitledDelegate(QStyledItemDelegate):
    """Draws a title and a description, with a frame around the current entry."""

    def __init__(self, on: QAbstractItemView) -> None:
        super().__init__(on)
        self._list = on

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._list.viewport().width()
        title, about = (
            self._height(font, str(text), width) for font, text in self._both(option.font, index)
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
        for (font, text), colour in zip(
            self._both(option.font, index), (theme.text, theme.quiet), strict=True
        ):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(inside, WRAP, text)
            inside = inside.adjusted(0, self._height(font, text, option.rect.width()), 0, 0)
        painter.restore()

    @staticmethod
    def _both(font: QFont, index: Index) -> tuple[tuple[QFont, str], tuple[QFont, str]]:
        strong, small = QFont(font), QFont(font)
        strong.setWeight(QFont.Weight.DemiBold)
        small.setPixelSize(scale_length(QUIET))
        return (strong, str(index.data() or "")), (small, str(index.data(SUBTITLE_ROLE) or ""))

    @staticmethod
    def _height(font: QFont, text: str, width: int) -> int:
        return (
            QFontMetrics(font)
            .boundingRect(QRect(0, 0, max(1, width - 2 * SPACE_S), 10_000), WRAP, text)
            .height()
        )


HEAT_ROLE = (
    int(Qt.ItemDataRole.UserRole) + 11
)  # position of a value between its column's minimum (0) and maximum (1)
SIGN_ROLE = int(Qt.ItemDataRole.UserRole) + 12  # sign before the number
BELOW_ROLE = int(Qt.ItemDataRole.UserRole) + 13  # second line, below the number
PREFIX_ROLE = (
    int(Qt.ItemDataRole.UserRole) + 14
)  # secondary text before a name: the ranks of a group
EDGE = 15  # distance from the cell's edge, as in headers
AT_THE_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
UNDERLINE = 2  # underline of the focused cell
SMALL = 0.88  # multiple of the normal font size
STRONGEST = {
    False: 0.5,
    True: 0.38,
}  # share of the strongest grade's colour at the maximum, in light and dark themes
IN_CONTRAST = 0.25


def heat_colour(theme: Theme, share: float) -> QColor:
    """Return the colour of a value.

    Only lightness varies, so it is readable with any colour blindness and the text keeps its
    contrast.
    """
    part = share * (IN_CONTRAST if theme.strong else STRONGEST[theme.dark])
    return _colour(*(round(a + (b - a) * part) for a, b in _ends(theme)))


_colour = cache(QColor)  # cached, since every cell asks


@cache
def _ends(theme: Theme) -> tuple[tuple[int, int], ...]:
    """Return the RGB values of the background and of the strongest grade.

    Cached, since every cell asks.
    """
    surface, strong = (
        QColor(theme.surface),
        QColor(theme.grade_steps[-1 if theme.dark or theme.strong else -2]),
    )
    return tuple(
        (getattr(surface, part)(), getattr(strong, part)()) for part in ("red", "green", "blue")
    )


class ScoreDelegate(WrittenDelegate):
    """Draws right-aligned numbers with heat colour, sign, second line and prefix.

    The model supplies them by `HEAT_ROLE`, `SIGN_ROLE`, `BELOW_ROLE` and `PREFIX_ROLE`; `aside`
    is the width of the prefixes.
    """

    aside = 0

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        asked = _cell_reader(index)
        if not _is_number(asked):
            self._paint_text(painter, option, index)
            return
        # With an empty text the style queries nothing; otherwise it would query seven roles per
        # cell.
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        self._draw(painter, option, asked)

    def _paint_text(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a text after its prefix, aligned within the column."""
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
        """Draw a number and its annotations with few Qt calls.

        After each call the GUI thread waits for other threads.
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
        text, sign = str(asked(Qt.ItemDataRole.DisplayRole)), str(asked(SIGN_ROLE) or "")
        painter.setPen(_colour(theme.text))
        painter.drawText(number, AT_THE_RIGHT, text)
        if sign:
            sign_width = painter.fontMetrics().horizontalAdvance(text) + SPACE_S
            painter.drawText(number.adjusted(0, 0, -sign_width, 0), AT_THE_RIGHT, sign)
        if below:
            painter.setFont(small_font(option.font))
            painter.setPen(_colour(theme.text if heat else theme.quiet))
            painter.drawText(quiet, AT_THE_RIGHT, below)
        if below or bold is not None:
            painter.setFont(option.font)


def _cell_reader(index: Index) -> CellReader:
    """Return a function that reads the rows directly.

    Each query through Qt would wait for other threads twice.
    """
    return partial(index.model().data, index)


def _is_number(asked: CellReader) -> bool:
    return bool(
        int(asked(Qt.ItemDataRole.TextAlignmentRole) or 0) & int(Qt.AlignmentFlag.AlignRight)
    )


def small_font(font: QFont) -> QFont:
    """Return a slightly smaller font."""
    made = QFont(font)
    made.setPixelSize(max(1, round(font.pixelSize() * SMALL)))
    return made


def _weighted_font(font: QFont, wanted: QFont) -> QFont:
    made = QFont(font)
    made.setWeight(wanted.weight())
    return made


def _split_cell(whole: QRectF) -> tuple[QRectF, QRectF]:
    """Return the rectangles of the number and of the second line."""
    middle = whole.center().y() + SPACE_XS / 2
    return QRectF(
        whole.left(), whole.top() + SPACE_XS, whole.width(), middle - whole.top() - SPACE_XS
    ), QRectF(whole.left(), middle, whole.width(), whole.bottom() - middle - SPACE_XS)


# Table without grid lines, with tall rows and aligned headers.

FITTED_ROWS, NARROWEST, CELL_PADDING = 60, 72, 18
MARGIN = 15  # horizontal padding of a cell, as in the style sheet
ARROW = 3  # half the width of the sort arrow
TABLE_ROW_HEIGHT = 2.2  # row height, in line heights
READABLE = 12  # minimum width of a text column, in line heights
SHORT = 6  # minimum width if all columns fit that way


class Header(QHeaderView):
    """Header with column names; an elided name is shown in full in a tooltip."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSectionsClickable(True)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a column's name, and the sort arrow in the free space at its right."""
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
        """Show the full name and the definition of a column in a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            section = self.logicalIndexAt(event.pos())
            if section >= 0 and self.sectionSizeHint(section) > self.sectionSize(section):
                QToolTip.showText(
                    event.globalPos(), escape_markup(self.section_tooltip(section)), self
                )
                return True
        return super().viewportEvent(event)

    def section_tooltip(self, section: int) -> str:
        """Return the tooltip of a column: its name and definition."""
        roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        parts = (self.model().headerData(section, self.orientation(), role) for role in roles)
        return "\n".join(dict.fromkeys(str(part) for part in parts if part))


ROW_BUTTON = 24  # side length of the button beside a row, in pixels at the normal zoom


class Table(QTableView):
    """Table view of an item model; Enter opens a row like a double click."""

    opened = Signal(int)
    readable = READABLE

    def __init__(
        self, model: QAbstractItemModel, name: str, *, stretch: int = 0, rows: int = 0
    ) -> None:
        super().__init__()
        self._fitting, self._bent = (
            False,
            dict[int, tuple[int, int]](),
        )  # columns with their widths before and after fitting
        self._optional: tuple[int, ...] = ()  # columns hidden while they are empty
        self.row_actions: tuple[QAction, ...] = ()
        self._row_button: RowButton | None = None
        self._needs: list[int] = []  # required width of each column
        self._contents = dict[int, int]()  # measured text width of each column
        # Maximum rows of a table as high as its content; 0 takes the available space
        self._rows = rows
        self.setHorizontalHeader(Header())
        self.setItemDelegate(WrittenDelegate(self))
        self.setModel(model)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setSortingEnabled(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(
            QAbstractItemView.SelectionMode.ExtendedSelection
        )  # allows copying several rows
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        # Qt's arrow would reduce the space for the name; see `Header`
        header.setSortIndicatorShown(False)
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
        """Return whether the rows are sorted by a column, in either direction."""
        return self.horizontalHeader().sortIndicatorSection() == column

    def sort_best_first(self, column: int) -> None:
        """Sort by a column like a first click on its header."""
        order = self.model().headerData(
            column, Qt.Orientation.Horizontal, Qt.ItemDataRole.InitialSortOrderRole
        )
        self.sortByColumn(column, Qt.SortOrder.DescendingOrder if order is None else order)

    def set_row_height(self) -> None:
        """Set the row height for the current font."""
        self.verticalHeader().setDefaultSectionSize(
            round(self.fontMetrics().height() * TABLE_ROW_HEIGHT)
        )

    def show_rows(self, max_rows: int) -> None:
        """Make the table as high as its content, up to a number of rows."""
        self._rows = max_rows
        self._set_height()

    def hide_empty_columns(self, *sections: int) -> None:
        """Hide these columns while none of their cells has a text."""
        self._optional = sections
        self.fit()

    def set_row_actions(self, *actions: QAction) -> None:
        """Offer actions on the current row, in its context menu and by a button at its end."""
        self.row_actions = actions
        self._row_button = RowButton(self)

    def show_menu(self, at: QPoint, *groups: Sequence[QAction]) -> None:
        """Show a menu of groups of actions at a point of the screen.

        The menu becomes the parent of actions without one.
        """
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        for group in filter(None, groups):
            if not menu.isEmpty():
                menu.addSeparator()
            menu.addActions(group)
            for action in group:
                if action.parent() is None:
                    action.setParent(menu)
        enabled = (action for action in menu.actions() if action.isEnabled())
        menu.setActiveAction(next(enabled, menu.actions()[0]))
        menu.popup(at)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu of the current row; with the mouse, first make the row under it current."""
        if not self.row_actions:
            super().contextMenuEvent(event)
        elif event.reason() == QContextMenuEvent.Reason.Keyboard:
            corner = self.visualRect(self.currentIndex()).bottomLeft()
            if self.currentIndex().isValid():
                self.show_menu(self.viewport().mapToGlobal(corner), self.row_actions)
        else:
            at = self.indexAt(self.viewport().mapFromGlobal(event.globalPos()))
            if at.isValid() and not self.selectionModel().isRowSelected(at.row()):
                self.selectRow(at.row())
            event.ignore()  # the window adds the menu for copying the table

    @property
    def _room(self) -> int:
        """Width available to the columns: the view without the row button."""
        button_width = self._row_button.width() if self._row_button else 0
        return self.viewport().width() - button_width

    def _open(self, index: QModelIndex) -> None:
        if not index.flags() & Qt.ItemFlag.ItemIsEditable:  # a double click edits the cell
            self.opened.emit(index.row())

    def fit(self) -> None:
        """Set column widths to their content and give the remaining width to one column.

        Widths are measured once, in some rows: Qt's automatic resizing would measure every
        cell at every style change.
        """
        self._fitting = False
        model = self.model()
        for section in self._optional:
            texts = (model.index(row, section).data() for row in range(model.rowCount()))
            self.setColumnHidden(section, not any(texts))
        self._set_height()
        if not self.isVisible():
            return  # widths are computed when the table is shown
        header = self.horizontalHeader()
        self._bent.clear()
        self._contents.clear()
        self._needs = [self._natural_width(section) for section in range(header.count())]
        for section, needed in enumerate(self._needs):
            header.resizeSection(section, max(needed, header.minimumSectionSize()))
        self._share_out()
        self._set_height()

    def _share_out(self) -> None:
        """Distribute the width again; columns that the user resized keep their width."""
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
        """Shrink text columns and headers proportionally if that makes all columns fit."""
        header = self.horizontalHeader()
        shown = [each for each in range(header.count()) if not header.isSectionHidden(each)]
        over = sum(map(header.sectionSize, shown)) - self._room
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
        """Return the minimum width of a column: numbers are never elided, texts stay readable."""
        alignment = self.model().headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        if int(alignment or 0) & int(Qt.AlignmentFlag.AlignRight):
            return max(self._content(section), self.horizontalHeader().minimumSectionSize())
        return min(self._natural_width(section), self.fontMetrics().height() * SHORT)

    def _natural_width(self, section: int) -> int:
        """Return the width of a column's header and texts."""
        return max(self._content(section), self._header_width(section))

    def _content(self, section: int) -> int:
        if section not in self._contents:
            self._contents[section] = self._content_width(section)
        return self._contents[section]

    def _content_width(self, section: int) -> int:
        """Return the width of a column's texts in the measured rows."""
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
        """Return the width of a column's name, up to a readable limit."""
        return min(
            self.horizontalHeader().sectionSizeHint(section), self.fontMetrics().height() * READABLE
        )

    def _fit_soon(self) -> None:
        """Schedule a single fit for any number of style changes."""
        if not self._fitting:
            self._fitting = True
            QTimer.singleShot(0, self, self.fit)

    def _share(self) -> None:
        """Give the remaining width to one column, within its readable limits."""
        header = self.horizontalHeader()
        shown = [each for each in range(header.count()) if not header.isSectionHidden(each)]
        if self._stretch >= header.count() or not shown or len(self._needs) != header.count():
            return  # widths are computed when the table is shown
        wide = self._stretch if self._stretch in shown else shown[-1]
        rest = self._room - sum(header.sectionSize(each) for each in shown if each != wide)
        header.resizeSection(
            wide, max(rest, min(self._needs[wide], self.fontMetrics().height() * self.readable))
        )

    def _end_with_a_column(self) -> None:
        """If not all columns fit, end the view at a column edge, since half a number would be
        misread.
        """
        header, room = self.horizontalHeader(), self._room
        shown = [
            section for section in range(header.count()) if not header.isSectionHidden(section)
        ]
        ends = list(accumulate(header.sectionSize(section) for section in shown))
        whole = sum(end <= room for end in ends)
        if 0 < whole < len(shown):
            wider = self._stretch if self._stretch in shown[:whole] else shown[whole - 1]
            self._bend(wider, header.sectionSize(wider) + room - ends[whole - 1])

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the full text of an elided cell in a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            text = str(index.data() or "")
            if index.isValid() and self.fontMetrics().horizontalAdvance(
                text
            ) + 2 * MARGIN > self.columnWidth(index.column()):
                QToolTip.showText(
                    event.globalPos(),
                    escape_markup(
                        "\n".join(filter(None, (text, index.data(Qt.ItemDataRole.ToolTipRole))))
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
        """Scroll; a short table on a scrolling page ignores the wheel until it has the focus."""
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
            if self._row_button:
                self._row_button.fit()
            self._fit_soon()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)


class RowButton(QToolButton):
    """Button "…" beside a table row: the row under the mouse, otherwise the current row."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._table, self._row = table, -1
        self.setObjectName("rowmenu")
        self.setText("…")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the menu key opens the same menu
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(filled(self.tr("Actions: {table}"), table=table.accessibleName()))
        self.setToolTip(self.tr("Actions on this row (Menu key)"))
        table.viewport().setMouseTracking(True)
        table.viewport().installEventFilter(self)
        table.selectionModel().currentRowChanged.connect(lambda now, _before: self._go(now.row()))
        for change in (
            table.verticalScrollBar().valueChanged,
            table.model().modelReset,
            table.model().layoutChanged,
            table.model().rowsInserted,
            table.model().rowsRemoved,
        ):
            change.connect(lambda *_: self._go(table.currentIndex().row()))
        self.clicked.connect(self._show_menu)
        self.fit()

    def fit(self) -> None:
        """Adapt the size to the current zoom."""
        side = scale_length(ROW_BUTTON)
        self.resize(side, side)
        self._go(self._row)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move the button to the row under the mouse."""
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._go(self._table.indexAt(event.position().toPoint()).row())
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._go(self._row)
        return super().eventFilter(watched, event)

    def _go(self, row: int) -> None:
        """Move to a row; if None, to the current row, otherwise to the first."""
        table = self._table
        self._row = row if row >= 0 else max(0, table.currentIndex().row())
        rect = table.visualRect(table.model().index(self._row, 0))
        view = table.viewport()
        top = view.y() + rect.y() + (rect.height() - self.height()) // 2
        self.move(view.x() + view.width() - self.width(), top)
        self.setVisible(
            self._row < table.model().rowCount()
            and 0 <= rect.y() + rect.height() // 2 < view.height()
        )

    def _show_menu(self) -> None:
        if self._table.currentIndex().row() != self._row:
            self._table.selectRow(self._row)
        at = self.mapToGlobal(self.rect().bottomLeft())
        self._table.show_menu(at, self._table.row_actions)


# Filter field above a long table, which shows only rows that contain all words.

FEW = 12  # maximum number of rows without a filter


class FilterableModel(Protocol):
    """Model that can be filtered by words."""

    rows: Sequence[Any]

    def keep(self, text: str) -> None:
        """Show only the rows that contain all of these words."""

    def rowCount(self) -> int: ...


class FilterLine(QWidget):
    """Filter field of a table; shown if the table has more than a few rows."""

    def __init__(self, table: Table) -> None:
        super().__init__(
            table
        )  # hidden until it has a parent, since a visible widget without a parent is a window
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

    def _keep(self, text: str) -> None:
        self._model.keep(text)
        self._follow()
        if text and self._model.rowCount() and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.table.model().index(0, 0))

    def _follow(self) -> None:
        """Show the field if there are enough rows to filter, and the number of rows shown."""
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
    """Text field that moves the focus to the table with Down and clears itself with Escape."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.table.setFocus()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
