"""A quiet table: no grid, rows that breathe, headers over their columns."""

from itertools import accumulate

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPointF,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPalette,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QScrollArea, QTableView, QToolTip

from irjudge_ui.widgets.delegates.score import WrittenDelegate
from irjudge_ui.words import plain

FITTED_ROWS, NARROWEST, PADDING = 60, 72, 18
MARGIN = 15  # left and right of the words of a cell, as the style sheet has it
ARROW = 3  # half as wide as the arrow of the column that is sorted by
ROW = 2.2  # heights of a line of text
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
                QToolTip.showText(event.globalPos(), plain(self.told(section)), self)
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
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * ROW))

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
        """Share the width out anew: columns that were bent for the last one are as before, unless a person drew them since."""
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
        return max(widths, default=0) + 2 * PADDING

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
                    plain(
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
        """Fit what came while the table was hidden."""
        super().showEvent(event)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width out."""
        super().resizeEvent(event)
        self._share_out()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
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
