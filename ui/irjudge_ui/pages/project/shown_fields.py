"""The dialog that says which fields of documents whoever judges sees, and in what order, with a document as it will look."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from irjudge.model.documents import Document
from irjudge.store.presentation import shown_names, shown_rows
from irjudge.store.project import Project
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.document_view import DocumentView
from irjudge_ui.widgets.layout import button, card, column, row, text
from irjudge_ui.widgets.theme import SPACE_L, SPACE_S, zoomed
from irjudge_ui.workspace.document_page import DocumentLoader

SIZE = (860, 620)
LIST_WIDTH = 260


class ShownFieldsDialog(Dialog):
    """Shows the fields there are; `keep` is called with the names of those that are ticked, in their order."""

    def __init__(
        self,
        parent: QWidget,
        project: Project,
        zoom: float,
        keep: Callable[[tuple[str, ...]], object],
    ) -> None:
        super().__init__(parent, SIZE)
        self._zoom, self._keep = zoom, keep
        self._document = _example(project)
        self.list = self._new_list(project)
        self.up, self.down = button(self.tr("Move up")), button(self.tr("Move down"))
        self.view = DocumentView()
        self.view.setAccessibleName(self.tr("What whoever judges will see"))
        self._page = DocumentLoader(self.view)
        self.finished.connect(lambda _result: self._page.stop())
        about = text(
            self.tr(
                "Ticked fields stand under the title of each document, for everybody who judges. Others stay in the project."
            ),
            "quiet",
        )
        self.fill(
            self.tr("Shown fields"),
            [about, self._laid_out()],
            [(self.tr("Cancel"), None), (self.tr("Show these"), self._chosen)],
        )
        self.list.itemChanged.connect(lambda _item: self._show())
        self.list.currentRowChanged.connect(lambda _row: self._enable())
        self.list.model().rowsMoved.connect(lambda *_where: self._show())
        self.up.clicked.connect(lambda: self.shift(-1))
        self.down.clicked.connect(lambda: self.shift(1))
        self.list.setCurrentRow(0)
        self.list.setFocus()
        self.view.ensurePolished()
        self._show()

    def _new_list(self, project: Project) -> QListWidget:
        made = QListWidget()
        made.setObjectName("hits")
        made.setAccessibleName(self.tr("Fields of documents"))
        made.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        made.setMinimumWidth(zoomed(LIST_WIDTH))
        shown = shown_names(project)
        for name in (
            *shown,
            *(each for each in project.collection.field_names() if each not in shown),
        ):
            item = QListWidgetItem(name, made)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in shown else Qt.CheckState.Unchecked)
        return made

    def _laid_out(self) -> QWidget:
        whole = QWidget()
        choice = column(self.list, row(self.up, self.down, None), spacing=SPACE_S)
        sample = column(
            text(self.tr("Preview"), "heading"), card(self.view, margin=SPACE_L), spacing=SPACE_S
        )
        sample.setStretch(1, 1)
        both = row(choice, sample, spacing=SPACE_L)
        both.setStretch(1, 1)
        whole.setLayout(both)
        return growing(whole)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that are ticked, in their order."""
        items = (self.list.item(place) for place in range(self.list.count()))
        return tuple(item.text() for item in items if item.checkState() == Qt.CheckState.Checked)

    def shift(self, step: int) -> None:
        """Move the chosen field by a place."""
        place = self.list.currentRow()
        if 0 <= place + step < self.list.count():
            self.list.insertItem(place + step, self.list.takeItem(place))
            self.list.setCurrentRow(place + step)
            self._show()

    def _enable(self) -> None:
        place = self.list.currentRow()
        self.up.setEnabled(place > 0)
        self.down.setEnabled(0 <= place < self.list.count() - 1)

    def _show(self) -> None:
        self._enable()
        names, document = self.names, self._document
        picture = document.picture if document.pictured in names else b""
        self._page.show(
            replace(document, fields=shown_rows(document, names), picture=picture), self._zoom
        )

    def _chosen(self) -> None:
        self._keep(self.names)


def _example(project: Project) -> Document:
    """Return a document with fields, with its picture where it has one."""
    document = project.collection.example()
    return (
        replace(document, picture=project.collection.picture(document.id) or b"")
        if document
        else Document("", b"")
    )
