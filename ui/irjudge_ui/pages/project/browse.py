"""Documents page: lists and searches the documents of a collection."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QWidget,
)

from irjudge.model import Document
from irjudge.store import (
    IndexState,
    Project,
    SearchIndex,
    SearchResults,
    search_documents,
    select_fields,
    shown_field_names,
)
from irjudge_ui.actions import BY_ID, ActionHandler, bind_key_cap, create_actions
from irjudge_ui.messages import filled, translate
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.project.editing import EditingView
from irjudge_ui.pages.shared import open_document
from irjudge_ui.project_changes import ChangeShownFields
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_S,
    Dialog,
    DocumentView,
    SideBySide,
    Table,
    card,
    column,
    make_button,
    make_container,
    make_growing,
    make_label,
    make_timer,
    named,
    row,
    scale_length,
    show_text,
)
from irjudge_ui.workspace import DocumentLoader

# Dialog in which the user selects and orders the document fields shown to assessors

DIALOG_SIZE = (860, 620)
LIST_WIDTH = 260


class ShownFieldsDialog(Dialog):
    """Dialog for selecting and ordering the document fields that assessors see.

    The dialog shows a preview with a document of the project. On acceptance, `store_names` is
    called with the names of the checked fields, in the order of the list.
    """

    def __init__(
        self,
        parent: QWidget,
        project: Project,
        zoom: float,
        store_names: Callable[[tuple[str, ...]], object],
    ) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self._zoom = zoom
        document = project.collection.example()
        self._document = (
            replace(document, picture=project.collection.picture(document.id) or b"")
            if document
            else Document("", b"")
        )
        self.list = self._new_list(project)
        self.up, self.down = (
            make_button(self.tr("Move up"), clicked=lambda: self.shift(-1)),
            make_button(self.tr("Move down"), clicked=lambda: self.shift(1)),
        )
        self.view = named(DocumentView(), self.tr("Preview for assessors"))
        self._loader = DocumentLoader(self.view)
        self.finished.connect(lambda _result: self._loader.stop())
        self.fill(
            self.tr("Choose fields"),
            [
                make_label(
                    self.tr(
                        "Ticked fields are shown to all assessors below the title of each "
                        "document. Other fields stay in the project, but are not shown."
                    ),
                    "quiet",
                ),
                self._make_content(),
            ],
            [
                (self.tr("Cancel"), None),
                (self.tr("Show these fields"), lambda: store_names(self.names)),
            ],
        )
        self.list.itemChanged.connect(lambda _item: self._show())
        self.list.currentRowChanged.connect(lambda _row: self._update_buttons())
        self.list.model().rowsMoved.connect(lambda *_arguments: self._show())
        self.list.setCurrentRow(0)
        self.list.setFocus()
        self.view.ensurePolished()
        self._show()

    def _new_list(self, project: Project) -> QListWidget:
        list_widget = named(QListWidget(), self.tr("Document fields"))
        list_widget.setObjectName("hits")
        list_widget.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        list_widget.setMinimumWidth(scale_length(LIST_WIDTH))
        shown_names = shown_field_names(project)
        for name in (
            *shown_names,
            *(name for name in project.collection.field_names() if name not in shown_names),
        ):
            item = QListWidgetItem(name, list_widget)
            item.setCheckState(
                Qt.CheckState.Checked if name in shown_names else Qt.CheckState.Unchecked
            )
        return list_widget

    def _make_content(self) -> QWidget:
        preview_part = column(
            make_label(self.tr("Preview"), "heading"),
            card(self.view, margin=SPACE_L),
            spacing=SPACE_S,
        )
        preview_part.setStretch(1, 1)
        return make_growing(
            make_container(
                row(
                    column(self.list, row(self.up, self.down, None), spacing=SPACE_S),
                    preview_part,
                    spacing=SPACE_L,
                    stretched=preview_part,
                )
            )
        )

    @property
    def names(self) -> tuple[str, ...]:
        items = (self.list.item(row) for row in range(self.list.count()))
        return tuple(item.text() for item in items if item.checkState() == Qt.CheckState.Checked)

    def shift(self, step: int) -> None:
        row = self.list.currentRow()
        if 0 <= row + step < self.list.count():
            self.list.insertItem(row + step, self.list.takeItem(row))
            self.list.setCurrentRow(row + step)
            self._show()

    def _update_buttons(self) -> None:
        row = self.list.currentRow()
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < self.list.count() - 1)

    def _show(self) -> None:
        self._update_buttons()
        names, document = self.names, self._document
        self._loader.show(
            replace(
                document,
                fields=select_fields(document, names),
                picture=document.picture if document.pictured in names else b"",
            ),
            self._zoom,
        )


MAX_LISTED_DOCUMENTS = 100  # maximum number of documents listed
TYPING_DELAY_MS = 50  # pause in typing before a search; a search takes about the same time
# width in pixels at normal zoom; on a narrower page, buttons are below the title
NARROW_HEAD_WIDTH = 480
TEXT_COLUMN, FIELDS_COLUMN = 2, 3  # columns that are hidden if they are empty for all documents


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Request from the command palette to search the documents page for a query."""

    query: str


class BrowseView(EditingView):
    """Documents page: lists the documents that match a typed query, or the first documents.

    Until the words are indexed, only ids are searched. Enter in the table opens a document. The
    page also imports documents, builds the search index (if the collection is large, on
    request), and selects the fields that assessors see.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job = self.latest()
        self._index_job = self.latest(on_cancelled=self._stop_indexing)
        # state of the search index; None until it has been read
        self._index: IndexState | None = None
        self.search = named(QLineEdit(clearButtonEnabled=True), BY_ID["search"].label)
        self.documents = TableModel(
            [
                Column(translate("BrowseView", "Document"), lambda row: row.id),
                Column(translate("BrowseView", "Title"), lambda row: row.title),
                Column(translate("BrowseView", "Text"), lambda row: row.text),
                Column(translate("BrowseView", "Fields"), lambda row: row.metadata),
            ]
        )
        self.table = Table(self.documents, self.tr("Documents"), stretch=2)
        self.description_label, self._state = make_label("", "quiet"), make_label("", "small")
        self._typing_timer = make_timer(self, TYPING_DELAY_MS, self.search_documents)
        self._index_button = self.action_button("make-index")
        self._cancel_button = make_button(self.tr("Cancel"), clicked=self._stop_indexing)
        self._bar = named(QProgressBar(textVisible=False), self.tr("Indexing documents"))
        results_card = card(self.description_label, self.table, margin=SPACE_M)
        self.setLayout(
            column(
                SideBySide(
                    row(make_label(BY_ID["browse"].label, "title")),
                    row(self._add_button("add-documents"), self._add_button("fields"), None),
                    NARROW_HEAD_WIDTH,
                ),
                self.search,
                row(
                    self._state,
                    self._bar,
                    self._index_button,
                    self._cancel_button,
                    stretched=self._state,
                ),
                results_card,
                spacing=SPACE_S,
                stretched=results_card,
            )
        )
        self._connect()
        self.actions_by_id = create_actions(self, self._action_handlers())
        self._enable()

    def _action_handlers(self) -> dict[str, ActionHandler]:
        return {
            "search": ActionHandler(self.focus_search),
            "make-index": ActionHandler(
                self.make_index,
                lambda: (
                    self.project is not None
                    and self._index is not None
                    and not self._index.is_ready
                    and not self._index_job.busy
                ),
            ),
            "add-documents": ActionHandler(self.adding.asks("documents"), lambda: self.can_write),
            "fields": ActionHandler(
                self.ask_fields,
                lambda: (
                    self.can_write
                    and self.project is not None
                    and bool(self.project.collection.field_names())
                ),
            ),
            **self._history_handlers("undo-documents", "redo-documents"),
        }

    def _connect(self) -> None:
        bind_key_cap(
            "search",
            lambda key: self.search.setPlaceholderText(f"{BY_ID['search'].label} ({key})"),
            self.search,
        )
        self.search.textChanged.connect(lambda _text: self._typing_timer.start())
        self.search.returnPressed.connect(self._enter)
        self.table.opened.connect(self._open)

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        if project is not self.project:
            self._index = None
            self.search.clear()
            self.documents.fill(())
        super().show_project(project)
        self._show_indexing(None)

    def set_request(self, request: object) -> None:
        if isinstance(request, SearchRequest):
            self.search.setText(request.query)

    def refresh(self) -> None:
        self._index = None
        self._enable()
        self.search_documents()

    def focus(self) -> None:
        self.search.setFocus()

    # Actions

    def focus_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def ask_fields(self) -> None:
        if project := self.project:
            ShownFieldsDialog(
                self,
                project,
                self.zoom,
                lambda names: self._make_change(ChangeShownFields(project, names)),
            ).open()

    def make_index(self) -> None:
        cache = self._settings.cache
        is_requested = bool(self._index and self._index.needs_consent)
        self._show_indexing((0, None))
        self.run_on_project(
            self._index_job,
            lambda project, progress: SearchIndex(project, cache).build(progress),
            lambda _result: self._finish_indexing(is_requested=is_requested),
            self._on_failed,
            lambda done, total, _what: self._show_indexing((done, total)),
        )

    def _finish_indexing(self, *, is_requested: bool) -> None:
        if is_requested:
            self.message_shown.emit(self.tr("All words are indexed."))
        self._show_indexing(None)
        self._index = None
        self.search_documents()

    def _stop_indexing(self) -> None:
        self._index_job.stop()
        self._show_indexing(None)
        show_text(self._state, self.tr("Only ids are searched until the words are indexed."))

    def _show_indexing(self, progress: tuple[int, int | None] | None) -> None:
        for widget in (self._bar, self._cancel_button):
            widget.setVisible(progress is not None)
        if progress is not None:
            self._index_button.hide()
            show_text(self._state, self.tr("Indexing documents …"))
            self._bar.setRange(0, progress[1] or 0)
            self._bar.setValue(progress[0])

    # Search

    def search_documents(self) -> None:
        self._typing_timer.stop()
        query, cache, state = self.search.text(), self._settings.cache, self._index
        self.run_on_project(
            self._job,
            lambda project, _progress: search_documents(
                project, cache, query, MAX_LISTED_DOCUMENTS, state=state
            ),
            self._show_documents,
            self._on_failed,
        )

    def _show_documents(self, results: SearchResults) -> None:
        self._index = state = results.index
        # columns are hidden before `fill`, which recomputes the widths
        self.table.setColumnHidden(TEXT_COLUMN, not any(hit.text for hit in results.hits))
        self.table.setColumnHidden(FIELDS_COLUMN, not any(hit.metadata for hit in results.hits))
        self.documents.fill(results.hits)
        if results.hits and self.table.hasFocus():  # after Enter in the search field
            self.table.selectRow(0)
        if not results.has_more:
            text = self.tr("Documents found: {count}.")
        elif self.search.text().strip():
            text = self.tr(
                "Showing the first {count} documents. More documents match; use more "
                "words to narrow the search."
            )
        else:
            text = self.tr("Showing the first {count} of {total} documents.")
        self.description_label.setText(
            filled(text, count=f"{len(results.hits):,}", total=f"{state.total:,}")
        )
        if self._index_job.busy:
            return
        self._index_button.setVisible(not state.is_ready)
        show_text(
            self._state,
            "" if state.is_ready else self.tr("Only ids are searched until the words are indexed."),
        )
        if not state.is_ready and not state.needs_consent:
            self.make_index()

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._show_indexing(None)
        self.failed.emit(error, trace)

    # Opening

    def _enter(self) -> None:
        self.search_documents()
        self.table.setFocus()

    def _open(self, table_row: int) -> None:
        if self.project:
            self.message_shown.emit(
                open_document(
                    self,
                    self.project,
                    str(self.table.model().index(table_row, 0).data()),
                    "",
                    self.zoom,
                    note=self.search.text(),
                )
            )
