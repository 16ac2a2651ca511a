"""Tables: delegates that draw cells, the table view, and the filter field above it."""

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
from irjudge_ui.widgets.layout import find_scroll_area, make_label, row
from irjudge_ui.widgets.theme import (
    SMALL_FONT_SIZE,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    Theme,
    current_theme,
    scale_length,
)

# Delegates that draw cells

Index = QModelIndex | QPersistentModelIndex
CellReader = Callable[[int], Any]  # function that returns the data of a cell for a role


class TextDelegate(QStyledItemDelegate):
    """Delegate that isolates the direction of texts, so that their alignment does not change."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        text = option.text
        if text and (isolated_text := isolate(text)) != text:
            option.text = isolated_text


LIST_ROW_HEIGHT = 36
SECONDARY_TEXT_ROLE = int(Qt.ItemDataRole.UserRole) + 3  # role of the text at the right of an entry


class QueueItemDelegate(QStyledItemDelegate):
    """Delegate that draws a queue item: grade chip, title, and text at the right.

    The model supplies the chip by `GRADE_TEXT_ROLE` and `GRADE_LEVEL_ROLE`, and the text at the
    right by `SECONDARY_TEXT_ROLE`.
    """

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(scale_length(200), scale_length(LIST_ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme()
        rect = QRectF(option.rect)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_selected:
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(QColor(theme.key))
            painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -0.5, -1.5), CHIP_RADIUS, CHIP_RADIUS)
        self._draw_swatch(painter, rect, index)
        content = rect.adjusted(scale_length(CHIP_WIDTH) + 2 * SPACE_M, 0, -SPACE_M, 0)
        side_text = str(index.data(SECONDARY_TEXT_ROLE) or "")
        painter.setPen(QColor(theme.quiet))
        side_width = min(
            painter.fontMetrics().horizontalAdvance(side_text) + SPACE_S, content.width() * 0.4
        )
        alignment = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(
            content.adjusted(content.width() - side_width, 0, 0, 0),
            Qt.AlignmentFlag.AlignRight | alignment,
            _elide(painter, side_text, side_width),
        )
        painter.setPen(QColor(theme.text))
        text_rect = content.adjusted(0, 0, -side_width - SPACE_M, 0)
        painter.drawText(
            text_rect,
            Qt.AlignmentFlag.AlignLeft | alignment,
            _elide(painter, isolate(str(index.data())), text_rect.width()),
        )
        painter.restore()

    @staticmethod
    def _draw_swatch(painter: QPainter, rect: QRectF, index: Index) -> None:
        width, height = (scale_length(side) for side in (CHIP_WIDTH, CHIP_HEIGHT))
        swatch = QRectF(rect.left() + SPACE_S, rect.center().y() - height / 2, width, height)
        draw_chip(
            painter, swatch, str(index.data(GRADE_TEXT_ROLE) or ""), index.data(GRADE_LEVEL_ROLE)
        )


def _elide(painter: QPainter, text: str, width: float) -> str:
    return painter.fontMetrics().elidedText(
        text.replace("\n", " "), Qt.TextElideMode.ElideRight, int(width)
    )


SUBTITLE_ROLE = int(Qt.ItemDataRole.UserRole) + 1  # role of the text below the title
WRAPPED_TEXT_FLAGS = int(
    Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
)
CORNER_RADIUS = 6


class PaletteDelegate(QStyledItemDelegate):
    """Delegate that draws an entry of the command palette: label, and text at the right.

    The model supplies the text at the right by `SECONDARY_TEXT_ROLE`.
    """

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(scale_length(200), scale_length(LIST_ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = current_theme(), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QColor(theme.accent))
            painter.setBrush(QColor(theme.key))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), CORNER_RADIUS, CORNER_RADIUS)
        content = rect.adjusted(SPACE_M, 0, -SPACE_M, 0)
        metrics = QFontMetrics(option.font)
        side_text = str(index.data(SECONDARY_TEXT_ROLE) or "")
        painter.setFont(option.font)
        painter.setPen(QColor(theme.quiet))
        alignment = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(content, alignment | Qt.AlignmentFlag.AlignRight, side_text)
        content.setRight(content.right() - metrics.horizontalAdvance(side_text) - SPACE_M)
        label = metrics.elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, int(content.width())
        )
        painter.setPen(QColor(theme.text))
        painter.drawText(content, alignment | Qt.AlignmentFlag.AlignLeft, label)
        painter.restore()


class TitledDelegate(QStyledItemDelegate):
    """Delegate that draws an entry with a title and, below it, a description.

    The model supplies the description by `SUBTITLE_ROLE`. Both texts are wrapped.
    """

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._view.viewport().width()
        title_height, description_height = (
            self._height(font, str(text), width)
            for font, text in self._title_and_subtitle(option.font, index)
        )
        return QSize(width, title_height + description_height + 2 * SPACE_S)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = current_theme(), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            has_focus = option.state & QStyle.StateFlag.State_HasFocus
            painter.setPen(QPen(QColor(theme.accent), 2 if has_focus else 1))
            painter.setBrush(QColor(theme.key))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), CORNER_RADIUS, CORNER_RADIUS)
        content = option.rect.adjusted(SPACE_S, SPACE_S, -SPACE_S, -SPACE_S)
        for (font, text), colour in zip(
            self._title_and_subtitle(option.font, index), (theme.text, theme.quiet), strict=True
        ):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(content, WRAPPED_TEXT_FLAGS, text)
            content = content.adjusted(0, self._height(font, text, option.rect.width()), 0, 0)
        painter.restore()

    @staticmethod
    def _title_and_subtitle(
        font: QFont, index: Index
    ) -> tuple[tuple[QFont, str], tuple[QFont, str]]:
        title_font, description_font = QFont(font), QFont(font)
        title_font.setWeight(QFont.Weight.DemiBold)
        description_font.setPixelSize(scale_length(SMALL_FONT_SIZE))
        return (title_font, str(index.data() or "")), (
            description_font,
            str(index.data(SUBTITLE_ROLE) or ""),
        )

    @staticmethod
    def _height(font: QFont, text: str, width: int) -> int:
        return (
            QFontMetrics(font)
            .boundingRect(
                QRect(0, 0, max(1, width - 2 * SPACE_S), 10_000), WRAPPED_TEXT_FLAGS, text
            )
            .height()
        )


# role of the position of a value between the worst (0) and the best (1) value of its column
HEAT_ROLE = int(Qt.ItemDataRole.UserRole) + 11
SIGN_ROLE = int(Qt.ItemDataRole.UserRole) + 12  # role of the sign before a number
SECOND_LINE_ROLE = int(Qt.ItemDataRole.UserRole) + 13  # role of the line below a number
# role of the text before the name of a run; the text contains the possible ranks of the run
PREFIX_ROLE = int(Qt.ItemDataRole.UserRole) + 14
MARGIN = 15  # horizontal padding of a cell in pixels, as in the style sheet
RIGHT_ALIGNMENT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
UNDERLINE_WIDTH = 2  # thickness of the line below the focused cell, in pixels
SMALL_FONT_FACTOR = 0.88  # small font size as a multiple of the normal font size
# maximum share of the strongest grade's colour in the background of a cell; the key is whether the
# theme is dark
MAX_HEAT = {False: 0.5, True: 0.38}
MAX_CONTRAST_HEAT = 0.25


def heat_colour(theme: Theme, share: float) -> QColor:
    """Return the background colour of a cell; `share` is its data for `HEAT_ROLE`.

    Only the lightness varies, so that colour-blind users can distinguish the colours; the contrast
    of the text remains sufficient.
    """
    strength = share * (MAX_CONTRAST_HEAT if theme.strong else MAX_HEAT[theme.dark])
    return _colour(*(round(a + (b - a) * strength) for a, b in _gradient_ends(theme)))


_colour = cache(QColor)  # colours are cached, since every cell needs one


@cache
def _gradient_ends(theme: Theme) -> tuple[tuple[int, int], ...]:
    """Return the lowest and highest value of red, of green and of blue in cell backgrounds.

    The result is cached, since it is needed for every cell.
    """
    surface = QColor(theme.surface)
    strongest = QColor(theme.grade_steps[-1 if theme.dark or theme.strong else -2])
    return tuple(
        (getattr(surface, component)(), getattr(strongest, component)())
        for component in ("red", "green", "blue")
    )


class ScoreDelegate(TextDelegate):
    """Delegate that draws numbers right-aligned, with heat colour, sign and second line.

    A sign marks, for example, a value that does not differ significantly from the best one; a
    second line contains an interval. The model supplies these by `HEAT_ROLE`, `SIGN_ROLE` and
    `SECOND_LINE_ROLE`, and the prefix of a text in the first column by `PREFIX_ROLE`. `aside` is
    the width of the column's prefixes.
    """

    aside = 0

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        # data are read from the model, since a query through Qt would wait for other threads twice
        read_cell = partial(index.model().data, index)
        if not _is_number(read_cell):
            self._paint_text(painter, option, index)
            return
        # `option` is not initialised with a text, since the style would then query seven roles of
        # each cell
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        self._draw(painter, option, read_cell)

    def _paint_text(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a left-aligned text; in the first column, draw the prefix before it."""
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
        text_area = QRectF(option.rect.adjusted(MARGIN, 0, 0, 0))
        text_area.setWidth(self.aside - SPACE_S)
        painter.drawText(
            text_area,
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            str(index.data(PREFIX_ROLE) or ""),
        )
        painter.restore()

    @staticmethod
    def _draw(painter: QPainter, option: QStyleOptionViewItem, read_cell: CellReader) -> None:
        """Draw a number, its background and its annotations.

        There are few Qt calls, since the GUI thread waits for other threads after each call.
        """
        theme = current_theme()
        heat = read_cell(HEAT_ROLE)
        second_line = str(read_cell(SECOND_LINE_ROLE) or "")
        cell = option.rect
        left, top, width, height = cell.left(), cell.top(), cell.width(), cell.height()
        if heat is not None:
            painter.fillRect(left, top, width, height - UNDERLINE_WIDTH, heat_colour(theme, heat))
        cell_font = read_cell(Qt.ItemDataRole.FontRole)
        if cell_font is not None:
            painter.setFont(_copy_weight(option.font, cell_font))
        number_rect = QRectF(left + MARGIN, top, width - 2 * MARGIN, height)
        if second_line:
            number_rect, second_rect = _split_cell(number_rect)
        text, sign = str(read_cell(Qt.ItemDataRole.DisplayRole)), str(read_cell(SIGN_ROLE) or "")
        painter.setPen(_colour(theme.text))
        painter.drawText(number_rect, RIGHT_ALIGNMENT, text)
        if sign:
            sign_offset = painter.fontMetrics().horizontalAdvance(text) + SPACE_S
            painter.drawText(number_rect.adjusted(0, 0, -sign_offset, 0), RIGHT_ALIGNMENT, sign)
        if second_line:
            painter.setFont(small_font(option.font))
            painter.setPen(_colour(theme.text if heat else theme.quiet))
            painter.drawText(second_rect, RIGHT_ALIGNMENT, second_line)
        if second_line or cell_font is not None:
            painter.setFont(option.font)


def _is_number(read_cell: CellReader) -> bool:
    return bool(
        int(read_cell(Qt.ItemDataRole.TextAlignmentRole) or 0) & int(Qt.AlignmentFlag.AlignRight)
    )


def small_font(font: QFont) -> QFont:
    """Return a font that is slightly smaller than the given one."""
    smaller = QFont(font)
    smaller.setPixelSize(max(1, round(font.pixelSize() * SMALL_FONT_FACTOR)))
    return smaller


def _copy_weight(font: QFont, weight_font: QFont) -> QFont:
    weighted_font = QFont(font)
    weighted_font.setWeight(weight_font.weight())
    return weighted_font


def _split_cell(cell: QRectF) -> tuple[QRectF, QRectF]:
    """Return the rectangles of the number and of the second line in a cell."""
    middle = cell.center().y() + SPACE_XS / 2
    return QRectF(
        cell.left(), cell.top() + SPACE_XS, cell.width(), middle - cell.top() - SPACE_XS
    ), QRectF(cell.left(), middle, cell.width(), cell.bottom() - middle - SPACE_XS)


# Table view

FITTED_ROWS, MIN_COLUMN_WIDTH, CELL_PADDING = 60, 72, 18
# pixels by which the padding of a cell is smaller in a dense table, as in the style sheet
SAVED_PADDING = 9
ARROW_HALF_WIDTH = 3  # half the width of the sort arrow in pixels
TABLE_ROW_HEIGHT = 2.2  # row height, in line heights
MIN_TEXT_WIDTH = 12  # minimum width of a text column, in line heights
EMPTY_TEXTS = (None, "", "–")  # texts of cells without a value
MIN_SHORT_TEXT_WIDTH = 6  # smaller minimum width of a text column, used if all columns then fit


class Header(QHeaderView):
    """Table header with column names and a sort arrow; a tooltip shows an elided name in full."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSectionsClickable(True)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a column's name and, in the padding at its right, the sort arrow."""
        super().paintSection(painter, rect, section)
        if section != self.sortIndicatorSection():
            return
        direction = -1 if self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder else 1
        middle = QPointF(rect.right() - 0.4 * MARGIN, rect.center().y())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.WindowText), 1.5))
        painter.drawPolyline(
            [
                middle + QPointF(x, direction * y)
                for x, y in (
                    (-ARROW_HALF_WIDTH, -ARROW_HALF_WIDTH / 2),
                    (0, ARROW_HALF_WIDTH / 2),
                    (ARROW_HALF_WIDTH, -ARROW_HALF_WIDTH / 2),
                )
            ]
        )

    def viewportEvent(self, event: QEvent) -> bool:
        """If a column name is elided, show the full name and the definition in a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            section = self.logicalIndexAt(event.pos())
            if section >= 0 and self.sectionSizeHint(section) > self.sectionSize(section):
                QToolTip.showText(
                    event.globalPos(), escape_markup(self.section_tooltip(section)), self
                )
                return True
        return super().viewportEvent(event)

    def section_tooltip(self, section: int) -> str:
        roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        parts = (self.model().headerData(section, self.orientation(), role) for role in roles)
        return "\n".join(dict.fromkeys(str(part) for part in parts if part))


ROW_BUTTON_SIDE = 24  # side length in pixels at normal zoom of the button beside a row


class Table(QTableView):
    """Table view that fits its columns to their content and to its width; read-only by default.

    The columns can be sorted. A filter is a separate `FilterLine`. With `rows`, the table is as
    high as its content, but at most as high as this number of rows; `stretch` is the column that
    takes the remaining width.

    `opened` is emitted on Enter or a double click with the index of a row among the displayed rows.
    A row can have actions in a menu (`set_row_actions`).
    """

    opened = Signal(int)
    readable = MIN_TEXT_WIDTH  # minimum width of the column `stretch`, in text heights

    def __init__(
        self,
        model: QAbstractItemModel,
        name: str,
        *,
        stretch: int = 0,
        rows: int = 0,
        dense: bool = False,
    ) -> None:
        super().__init__()
        self.setProperty("dense", dense)  # a dense table has less padding in the style sheet
        self._saved_padding = SAVED_PADDING if dense else 0
        self._is_fitting = False
        # widths before and after fitting, of each column that was resized so that all columns fit
        self._fitted_widths = dict[int, tuple[int, int]]()
        self._optional_columns: tuple[int, ...] = ()  # columns hidden while no cell has a value
        # columns that are hidden, in this order, until the other columns fit
        self._minor_columns: tuple[int, ...] = ()
        self.row_actions: tuple[QAction, ...] = ()
        self._row_button: RowButton | None = None
        self._needed_widths: list[int] = []  # width that each column needs for its content
        self._content_widths = dict[int, int]()  # cached width of each column's texts
        # maximum number of visible rows if the table is as high as its content; 0 if the table
        # fills the available space
        self._rows = rows
        self.setHorizontalHeader(Header())
        self.setItemDelegate(TextDelegate(self))
        self.setModel(model)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setSortingEnabled(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        # the user can select several rows to copy them
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self._set_up_header()
        self._stretch = stretch
        self.set_row_height()
        model.modelReset.connect(self.fit)
        model.dataChanged.connect(lambda *_: self._content_widths.clear())
        self.horizontalScrollBar().rangeChanged.connect(self._set_height)
        self.doubleClicked.connect(self._open)
        self.fit()

    def _set_up_header(self) -> None:
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        # `Header` draws the arrow instead, since Qt's would reduce the space for the name
        header.setSortIndicatorShown(False)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setMinimumSectionSize(MIN_COLUMN_WIDTH - 2 * self._saved_padding)

    def is_sorted_by(self, column: int) -> bool:
        """Return whether the rows are sorted by a column, in either direction."""
        return self.horizontalHeader().sortIndicatorSection() == column

    def sort_best_first(self, column: int) -> None:
        """Sort by a column, best value first, like the first click on its header."""
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
        """Make the table as high as its content, but at most as high as `max_rows` rows."""
        self._rows = max_rows
        self._set_height()

    def hide_empty_columns(self, *sections: int) -> None:
        """Hide each column of `sections` while all its cells are empty or contain a dash."""
        self._optional_columns = sections
        self.fit()

    def hide_when_narrow(self, *sections: int) -> None:
        """Hide columns of `sections`, in this order, until the remaining columns fit."""
        self._minor_columns = sections
        self.fit()

    def set_row_actions(self, *actions: QAction) -> None:
        """Offer actions on a row, in its context menu and by a button beside it."""
        self.row_actions = actions
        self._row_button = RowButton(self)

    def show_menu(self, position: QPoint, *groups: Sequence[QAction]) -> None:
        """Show a menu with groups of actions at a point of the screen.

        The menu becomes the parent of actions that have none, and deletes them.
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
        menu.popup(position)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu of row actions; a click first selects the row under the mouse."""
        if not self.row_actions:
            super().contextMenuEvent(event)
        elif event.reason() == QContextMenuEvent.Reason.Keyboard:
            corner = self.visualRect(self.currentIndex()).bottomLeft()
            if self.currentIndex().isValid():
                self.show_menu(self.viewport().mapToGlobal(corner), self.row_actions)
        else:
            index = self.indexAt(self.viewport().mapFromGlobal(event.globalPos()))
            if index.isValid() and not self.selectionModel().isRowSelected(index.row()):
                self.selectRow(index.row())
            event.ignore()  # the window shows the menu, with formats for copying the table

    @property
    def _available_width(self) -> int:
        """Width available to the columns: the width of the view minus that of the row button."""
        return self.viewport().width() - (self._row_button.width() if self._row_button else 0)

    @property
    def _visible_columns(self) -> list[int]:
        header = self.horizontalHeader()
        return [column for column in range(header.count()) if not header.isSectionHidden(column)]

    def _open(self, index: QModelIndex) -> None:
        # in an editable cell, a double click begins editing and does not open the row
        if not index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.opened.emit(index.row())

    def fit(self) -> None:
        """Fit each column to its content; one column takes the remaining width.

        Only some rows are measured. Qt's automatic resizing would measure every cell at every
        change of the style.
        """
        self._is_fitting = False
        model = self.model()
        for section in self._optional_columns:
            texts = (model.index(row, section).data() for row in range(model.rowCount()))
            self.setColumnHidden(section, all(text in EMPTY_TEXTS for text in texts))
        self._set_height()
        if not self.isVisible():
            return  # the widths are computed when the table is shown
        header = self.horizontalHeader()
        self._fitted_widths.clear()
        self._content_widths.clear()
        self._needed_widths = [self._natural_width(section) for section in range(header.count())]
        for section, width in enumerate(self._needed_widths):
            header.resizeSection(section, max(width, header.minimumSectionSize()))
        self._redistribute()
        self._set_height()

    def _redistribute(self) -> None:
        """Distribute the available width, without changing columns that the user has resized."""
        header = self.horizontalHeader()
        for section, (old_width, fitted_width) in self._fitted_widths.items():
            if section < header.count() and header.sectionSize(section) == fitted_width:
                header.resizeSection(section, old_width)
        self._fitted_widths.clear()
        self._hide_minor_columns()
        self._stretch_columns()
        self._shrink_columns()
        self._end_at_column_edge()

    def _hide_minor_columns(self) -> None:
        """Hide minor columns until the remaining columns fit at their minimum widths."""
        header, count = self.horizontalHeader(), len(self._needed_widths)
        if not self._minor_columns or count != header.count():
            return  # widths are computed when the table is shown
        widths = {
            minor_section: max(
                self._minimum_width(minor_section), self._header_width(minor_section)
            )
            for minor_section in range(count)
            if minor_section in self._minor_columns or not header.isSectionHidden(minor_section)
        }
        for section in self._minor_columns:
            must_hide = sum(widths.values()) > self._available_width
            if must_hide:
                del widths[section]
            if must_hide != header.isSectionHidden(section):
                header.setSectionHidden(section, must_hide)
                header.resizeSection(section, self._needed_widths[section])

    def _resize_fitted(self, section: int, width: int) -> None:
        old_width, _ = self._fitted_widths.get(
            section, (self.horizontalHeader().sectionSize(section), 0)
        )
        self.horizontalHeader().resizeSection(section, width)
        self._fitted_widths[section] = old_width, width

    def _shrink_columns(self) -> None:
        """Shrink columns if all columns then fit.

        Column names are elided only if it is not sufficient to elide texts in cells.
        """
        header, visible_columns = self.horizontalHeader(), self._visible_columns
        excess = sum(map(header.sectionSize, visible_columns)) - self._available_width
        if excess <= 0:
            return
        text_widths = {column: self._minimum_width(column) for column in visible_columns}
        header_widths = {
            column: max(width, self._header_width(column)) for column, width in text_widths.items()
        }
        for minimum_widths in (header_widths, text_widths):
            spare_widths = {
                column: max(0, header.sectionSize(column) - width)
                for column, width in minimum_widths.items()
            }
            total_spare = sum(spare_widths.values())
            if excess <= total_spare:
                for column, spare in spare_widths.items():
                    reduction = -(-spare * excess // total_spare)
                    self._resize_fitted(column, header.sectionSize(column) - reduction)
                return

    def _minimum_width(self, section: int) -> int:
        """Return the minimum width of a column; numbers are not elided at this width."""
        alignment = self.model().headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        if int(alignment or 0) & int(Qt.AlignmentFlag.AlignRight):
            return max(self._content(section), self.horizontalHeader().minimumSectionSize())
        return min(self._natural_width(section), self.fontMetrics().height() * MIN_SHORT_TEXT_WIDTH)

    def _natural_width(self, section: int) -> int:
        return max(self._content(section), self._header_width(section))

    def _content(self, section: int) -> int:
        if section not in self._content_widths:
            self._content_widths[section] = self._content_width(section)
        return self._content_widths[section]

    def _content_width(self, section: int) -> int:
        model, metrics = self.model(), self.fontMetrics()
        widths = (
            metrics.horizontalAdvance(str(model.data(model.index(row, section)) or ""))
            for row in self._fitted_rows()
        )
        return max(widths, default=0) + 2 * (CELL_PADDING - self._saved_padding)

    def _fitted_rows(self) -> set[int]:
        """Return the indices of rows to measure: first rows, evenly spaced rows, and the last."""
        count = self.model().rowCount()
        return {
            *range(min(count, FITTED_ROWS)),
            *range(0, count, count // FITTED_ROWS + 1),
            *range(count)[-1:],
        }

    def _header_width(self, section: int) -> int:
        """Return the width that a column needs for its name, up to a readable limit."""
        header = self.horizontalHeader()
        # `sectionSizeHint` would return 0 for a hidden column, which may be shown later
        width = max(header.sectionSizeFromContents(section).width(), header.minimumSectionSize())
        return min(width, self.fontMetrics().height() * MIN_TEXT_WIDTH)

    def _schedule_fit(self) -> None:
        if not self._is_fitting:
            self._is_fitting = True
            QTimer.singleShot(0, self, self.fit)

    def _stretch_columns(self) -> None:
        """Resize one column to the remaining width, but not below a readable width."""
        header, visible_columns = self.horizontalHeader(), self._visible_columns
        if (
            self._stretch >= header.count()
            or not visible_columns
            or len(self._needed_widths) != header.count()
        ):
            return  # widths are computed when the table is shown
        stretched = self._stretch if self._stretch in visible_columns else visible_columns[-1]
        header.resizeSection(
            stretched,
            max(
                self._available_width
                - sum(
                    header.sectionSize(section)
                    for section in visible_columns
                    if section != stretched
                ),
                min(self._needed_widths[stretched], self.fontMetrics().height() * self.readable),
            ),
        )

    def _end_at_column_edge(self) -> None:
        """If not all columns fit, widen one, so that the view ends at the edge of a column.

        Otherwise a number could be cut off, and then be misread.
        """
        header, available_width = self.horizontalHeader(), self._available_width
        visible_columns = self._visible_columns
        right_edges = list(accumulate(header.sectionSize(section) for section in visible_columns))
        complete_column_count = sum(end <= available_width for end in right_edges)
        if 0 < complete_column_count < len(visible_columns):
            widened_column = (
                self._stretch
                if self._stretch in visible_columns[:complete_column_count]
                else visible_columns[complete_column_count - 1]
            )
            self._resize_fitted(
                widened_column,
                header.sectionSize(widened_column)
                + available_width
                - right_edges[complete_column_count - 1],
            )

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a tooltip with the full text of a cell if the text is elided."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            text = str(index.data() or "")
            if index.isValid() and self.fontMetrics().horizontalAdvance(text) + 2 * (
                MARGIN - self._saved_padding
            ) > self.columnWidth(index.column()):
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
        row_count = min(max(1, self.model().rowCount()), self._rows)
        return (
            self.horizontalHeader().sizeHint().height()
            + row_count * self.verticalHeader().defaultSectionSize()
            + 2
        )

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the table, unless the page is to scroll instead.

        If the table is as high as its content and the page can scroll, the table ignores the wheel
        until it is focused.
        """
        if self._rows and not self.hasFocus() and self._page_scrolls():
            event.ignore()
        else:
            super().wheelEvent(event)

    def _page_scrolls(self) -> bool:
        area = find_scroll_area(self)
        return area is not None and area.verticalScrollBar().maximum() > 0

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redistribute()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.set_row_height()
            if self._row_button:
                self._row_button.fit()
            self._schedule_fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)


class RowButton(QToolButton):
    """Button "…" that shows a menu of the actions on a table row.

    It is at the right end of a row, and follows the mouse and the current row; at first it is at
    the first row. A click selects the row of the button.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._table, self._row = table, -1
        self.setObjectName("rowmenu")
        self.setText("…")
        # not focusable, since the menu key opens the same menu
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(filled(self.tr("Actions: {table}"), table=table.accessibleName()))
        self.setToolTip(self.tr("Actions on this row (Menu key)"))
        table.viewport().setMouseTracking(True)
        table.viewport().installEventFilter(self)
        table.selectionModel().currentRowChanged.connect(
            lambda current, _previous: self._move_to_row(current.row())
        )
        for change in (
            table.verticalScrollBar().valueChanged,
            table.model().modelReset,
            table.model().layoutChanged,
            table.model().rowsInserted,
            table.model().rowsRemoved,
        ):
            change.connect(lambda *_: self._move_to_row(table.currentIndex().row()))
        self.clicked.connect(self._show_menu)
        self.fit()

    def fit(self) -> None:
        side = scale_length(ROW_BUTTON_SIDE)
        self.resize(side, side)
        self._move_to_row(self._row)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move the button to the row under the mouse."""
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._move_to_row(self._table.indexAt(event.position().toPoint()).row())
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._move_to_row(self._row)
        return super().eventFilter(watched, event)

    def _move_to_row(self, row: int) -> None:
        """Move the button to a row; for -1, to the current row or else to the first row."""
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
        self._table.show_menu(self.mapToGlobal(self.rect().bottomLeft()), self._table.row_actions)


# Filter field above a long table

MAX_UNFILTERED_ROWS = 12  # maximum number of rows without a filter field


class FilterableModel(Protocol):
    """Interface of item models that can be filtered by words.

    `rows` contains all rows; `rowCount` returns the number of rows that match the filter.
    """

    rows: Sequence[Any]

    def filter_rows(self, text: str) -> None:
        """Show only the rows that contain all words of a text."""

    def rowCount(self) -> int: ...


class FilterLine(QWidget):
    """Filter field for a table, with the number of matching rows; hidden for few rows.

    The model of the table must be a `FilterableModel`. A row matches if its texts contain all words
    of the field, also as parts of longer words; cells with numbers are usually not searched. The
    number of matching rows is shown only while the field contains a text.
    """

    def __init__(self, table: Table) -> None:
        # the table is the parent, since a visible widget without a parent would be a window
        super().__init__(table)
        self.table, self._model = table, cast(FilterableModel, table.model())
        self.line, self._count = _FilterField(table), make_label("", "small", wrap=False)
        self.line.setPlaceholderText(self.tr("Filter"))
        self.line.setAccessibleName(
            filled(self.tr("Filter: {table}"), table=table.accessibleName())
        )
        self.line.setClearButtonEnabled(True)
        self.setLayout(row(self.line, self._count, spacing=SPACE_M, stretched=self.line))
        self.line.textChanged.connect(self._filter_rows)
        for change in (
            table.model().modelReset,
            table.model().rowsInserted,
            table.model().rowsRemoved,
        ):
            change.connect(lambda *_: self._update_visibility())
        self._update_visibility()

    def _filter_rows(self, text: str) -> None:
        self._model.filter_rows(text)
        self._update_visibility()
        if text and self._model.rowCount() and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.table.model().index(0, 0))

    def _update_visibility(self) -> None:
        """Show the field if there are many rows, and update the number of matching rows."""
        row_count = len(self._model.rows)
        self.setVisible(row_count > MAX_UNFILTERED_ROWS or bool(self.line.text()))
        self._count.setText(
            filled(
                self.tr("{count} of {total}"),
                count=f"{self._model.rowCount():,}",
                total=f"{row_count:,}",
            )
            if self.line.text()
            else ""
        )
        self._count.setVisible(bool(self.line.text()))


class _FilterField(QLineEdit):
    """Text field in which Down moves the focus to the table, and Escape clears the text."""

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
