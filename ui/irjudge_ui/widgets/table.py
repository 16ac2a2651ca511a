"""A quiet table: no grid, rows that breathe, headers over their columns."""

from PySide6.QtCore import QAbstractItemModel, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

FITTED_ROWS, NARROWEST, PADDING = 60, 72, 18
ROW = 2.2  # heights of a line of text
READABLE = 12  # heights of a line of text: how wide a column of words is at least, when it has so many


class Table(QTableView):
    """Shows an item model; Enter opens a row as a double click does."""

    opened = Signal(int)
    readable = READABLE

    def __init__(self, model: QAbstractItemModel, name: str, *, stretch: int = 0, rows: int = 0) -> None:
        super().__init__()
        self._fitting = False
        self._rows = rows  # as high as its content, up to so many rows; 0 takes what room there is
        self.setModel(model)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setSortingEnabled(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSortIndicatorShown(False)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setMinimumSectionSize(NARROWEST)
        self._stretch = stretch
        self.set_row_height()
        model.modelReset.connect(self.fit)
        self.horizontalScrollBar().rangeChanged.connect(self._set_height)
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))
        self.fit()

    def set_row_height(self) -> None:
        """Make rows as high as the text now asks for."""
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * ROW))

    def fit(self) -> None:
        """Give each column the width its content asks for, and the rest to one of them.

        Widths are looked up once, in the first rows: a header that follows its content looks at every cell at every change of style.
        """
        self._fitting = False
        self._set_height()
        if not self.isVisible():
            return  # widths are found when the table is shown
        header = self.horizontalHeader()
        for section in range(header.count()):
            header.resizeSection(section, max(self._needed(section), NARROWEST))
        self._share()
        self._set_height()

    def _needed(self, section: int) -> int:
        """Return the width of a column's header and of its texts in the first rows."""
        model, metrics = self.model(), self.fontMetrics()
        rows = range(min(model.rowCount(), FITTED_ROWS))
        widest = max((metrics.horizontalAdvance(str(model.index(row, section).data() or "")) for row in rows), default=0)
        return max(widest + 2 * PADDING, self.horizontalHeader().sectionSizeHint(section))

    def _fit_soon(self) -> None:
        """Fit once, however many changes of style come together."""
        if not self._fitting:
            self._fitting = True
            QTimer.singleShot(0, self, self.fit)

    def _share(self) -> None:
        """Give the rest of the width to one column, but never less than its words need, up to a readable width."""
        header = self.horizontalHeader()
        if self._stretch >= header.count():
            return
        rest = self.viewport().width() - sum(header.sectionSize(each) for each in range(header.count()) if each != self._stretch)
        needed = self._needed(self._stretch)
        header.resizeSection(self._stretch, max(rest, min(needed, self.fontMetrics().height() * self.readable)))

    def _set_height(self) -> None:
        if self._rows:
            bar = self.horizontalScrollBar()
            self.setFixedHeight(self._content_height() + (bar.sizeHint().height() if bar.maximum() else 0))

    def _content_height(self) -> int:
        rows = min(max(1, self.model().rowCount()), self._rows)
        return self.horizontalHeader().sizeHint().height() + rows * self.verticalHeader().defaultSectionSize() + 2

    def showEvent(self, event: QShowEvent) -> None:
        """Fit what came while the table was hidden."""
        super().showEvent(event)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width out."""
        super().resizeEvent(event)
        self._share()

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
