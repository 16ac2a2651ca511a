"""A line above a table of many rows: what is typed keeps the rows that have all its words."""

from collections.abc import Sequence
from typing import Any, Protocol, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from irjudge_ui.widgets.layout import row, text
from irjudge_ui.widgets.table import Table
from irjudge_ui.widgets.theme import SPACE_M
from irjudge_ui.words import filled

FEW = 12  # rows that are taken in at a glance


class KeepsRows(Protocol):
    """A model that shows the rows which have some words."""

    rows: Sequence[Any]

    def keep(self, words: str) -> None:
        """Show the rows that have all of these words."""

    def rowCount(self) -> int:
        """Return how many rows are shown."""


class FilterLine(QWidget):
    """Filters a table; it is there while the table has more rows than are taken in at a glance."""

    def __init__(self, table: Table) -> None:
        super().__init__(
            table
        )  # until a page takes it: a widget of no one that is made visible is a window
        self.table, self._model = table, cast(KeepsRows, table.model())
        self.line, self._count = _Line(table), text("", "small", wrap=False)
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
