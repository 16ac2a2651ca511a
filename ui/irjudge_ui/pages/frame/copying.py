"""Copies a table to the clipboard: as text for spreadsheets, CSV, Markdown, LaTeX or HTML."""

from collections.abc import Callable, Sequence
from math import isfinite

from PySide6.QtCore import (
    QT_TRANSLATE_NOOP,
    QAbstractItemModel,
    QCoreApplication,
    QMimeData,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
)
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from irjudge.report.contents import Printed
from irjudge.report.writers import COPY_FORMATS, CopyFormat, table_as
from irjudge.text.printable_text import visible
from irjudge_ui.messages import filled, together
from irjudge_ui.models.tables import VALUE_ROLE
from irjudge_ui.widgets.table import Table

LABELS: dict[CopyFormat, object] = {
    "text": QT_TRANSLATE_NOOP("Copying", "Copy table as text"),
    "csv": QT_TRANSLATE_NOOP("Copying", "Copy table as CSV"),
    "markdown": QT_TRANSLATE_NOOP("Copying", "Copy table as Markdown"),
    "latex": QT_TRANSLATE_NOOP("Copying", "Copy table as LaTeX"),
    "html": QT_TRANSLATE_NOOP("Copying", "Copy table as HTML"),
}
IN_FULL = ("text", "csv")  # what other programs compute with
translate = QCoreApplication.translate
Role = Qt.ItemDataRole


class Copying(QObject):
    """Offers the forms in which the tables of a window can be copied, and says what is on the clipboard."""

    def __init__(self, window: QWidget, say: Callable[[str], None]) -> None:
        super().__init__(window)
        self._window, self._say = window, say
        window.setContextMenuPolicy(
            Qt.ContextMenuPolicy.CustomContextMenu
        )  # what no widget inside takes comes up to here
        window.customContextMenuRequested.connect(self._offer_under)

    # What the action calls

    @property
    def has_table(self) -> bool:
        """Whether the page shows a table."""
        return self.table() is not None

    def table(self) -> Table | None:
        """Return the table that has the focus, else the first that is shown and holds a row."""
        focus = QApplication.focusWidget()
        if isinstance(focus, Table):
            return focus
        shown = [table for table in self._window.findChildren(Table) if table.isVisible()]
        return next((table for table in shown if table.model().rowCount()), None)

    @property
    def has_rows(self) -> bool:
        """Whether a table has the focus in which rows are chosen."""
        focus = QApplication.focusWidget()
        return isinstance(focus, Table) and focus.selectionModel().hasSelection()

    def copy_rows(self) -> None:
        """Put the chosen rows on the clipboard, for spreadsheets; with the names of the columns where all are chosen."""
        table = QApplication.focusWidget()
        if not isinstance(table, Table):
            return
        chosen = sorted({index.row() for index in table.selectionModel().selectedIndexes()})
        lines = (
            table_as(printed_model(table.model(), in_full=True, rows=chosen), "text")
            .rstrip("\n")
            .split("\n")
        )
        whole = len(chosen) == table.model().rowCount()
        QGuiApplication.clipboard().setText("\n".join(lines if whole else lines[1:]))
        self._say(
            filled(
                self.tr("Copied {table}. Rows: {count}."),
                table=table.accessibleName(),
                count=len(chosen),
            )
        )

    def copy_table(self) -> None:
        """Offer the forms at the table."""
        table = self.table()
        if table is not None:
            self._offer(table, table.viewport().mapToGlobal(QPoint(0, 0)))

    def _offer_under(self, point: QPoint) -> None:
        """Offer the forms where the mouse is on a table."""
        inside: QWidget | None = self._window.childAt(point)
        while inside is not None and not isinstance(inside, Table):
            inside = inside.parentWidget()
        if isinstance(inside, Table):
            self._offer(inside, self._window.mapToGlobal(point))

    def _offer(self, table: Table, at: QPoint) -> None:
        menu = QMenu(table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for form in COPY_FORMATS:
            menu.addAction(translate("Copying", str(LABELS[form]))).triggered.connect(
                lambda _checked, form=form: self.copy(table, form)
            )
        menu.setActiveAction(menu.actions()[0])
        menu.popup(at)

    def copy(self, table: Table, form: CopyFormat) -> None:
        """Put a table on the clipboard."""
        made = table_as(printed_model(table.model(), in_full=form in IN_FULL), form)
        data = QMimeData()
        data.setText(made)
        if form == "html":
            data.setHtml(made)
        QGuiApplication.clipboard().setMimeData(data)
        self._say(
            filled(
                self.tr("Copied {table}. Rows: {count}."),
                table=table.accessibleName(),
                count=table.model().rowCount(),
            )
        )


def printed_model(
    model: QAbstractItemModel, *, in_full: bool = False, rows: Sequence[int] | None = None
) -> Printed:
    """Return what a model shows, or some rows of it, in the order it shows it."""
    columns = range(model.columnCount())
    rows = range(model.rowCount()) if rows is None else rows
    across = Qt.Orientation.Horizontal
    headings = tuple(visible(str(model.headerData(column, across) or "")) for column in columns)
    right = tuple(
        bool(
            int(model.headerData(column, across, Role.TextAlignmentRole) or 0)
            & Qt.AlignmentFlag.AlignRight
        )
        for column in columns
    )
    cells, best = [], set()
    for place, row in enumerate(rows):
        line = [model.index(row, column) for column in columns]
        cells.append(
            tuple(
                _words(index, in_full and at_right)
                for index, at_right in zip(line, right, strict=True)
            )
        )
        best |= set() if in_full else {(place, column) for column in columns if _bold(line[column])}
    return Printed(headings, right, tuple(cells), frozenset(best))


def _words(index: QModelIndex, in_full: bool) -> str:
    if in_full and isinstance(value := index.data(VALUE_ROLE), (int, float)):
        return repr(value) if isfinite(value) else ""
    return visible(together(str(index.data() or "")))


def _bold(index: QModelIndex) -> bool:
    font = index.data(Role.FontRole)
    return isinstance(font, QFont) and font.weight() >= QFont.Weight.DemiBold
