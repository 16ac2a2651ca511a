"""Command palette: searches pages, actions, topics, runs, documents, measures and guides."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListWidget, QListWidgetItem, QWidget

from irjudge.stats.agreement import AGREEMENT
from irjudge.store import Project
from irjudge_ui.actions import ACTIONS, BY_ID, Action, BoundAction, key_cap_text
from irjudge_ui.messages import escape_markup, filled, translate, translate_message
from irjudge_ui.pages import PAGES, GuideRequest, Pages, list_guide_headings, list_guides
from irjudge_ui.pages.project import RunRequest, SearchRequest, TopicRequest
from irjudge_ui.pages.results import list_entries as list_measures
from irjudge_ui.pages.shared import open_document
from irjudge_ui.widgets import (
    SECONDARY_TEXT_ROLE,
    SPACE_M,
    SPACE_S,
    Dialog,
    PaletteDelegate,
    column,
    make_label,
    scale_length,
)

MAX_SHOWN_ENTRIES = 60  # maximum number of listed entries
MAX_DOCUMENTS = 8
DIALOG_SIZE = (620, 440)
# distance of the palette from the upper edge of the window, in pixels at normal zoom
TOP_MARGIN = 56
ENTRY_ROLE = int(Qt.ItemDataRole.UserRole) + 1
ROW_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -10,
    Qt.Key.Key_PageDown: 10,
}


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """Entry of the command palette: label, kind, keys, and the function that Enter calls.

    The kind is a displayed text, such as `Page`, `Topic` or `Document`.
    """

    label: str
    kind: str
    run: Callable[[], object]
    keys: str = ""


def find_entries(
    query: str, entries: Sequence[PaletteEntry], limit: int = MAX_SHOWN_ENTRIES
) -> list[PaletteEntry]:
    """Return the entries that contain all typed words, the best matches first.

    Entries whose labels equal or begin with the text come first. Next are entries whose label has
    words that begin with the typed words, entries whose label contains the typed words elsewhere,
    and entries in which some typed words occur only in the kind. Equally good matches keep their
    order.
    """
    text = " ".join(query.casefold().split())
    terms = text.split()
    distances = (
        (_compute_distance(text, terms, entry), index) for index, entry in enumerate(entries)
    )
    best_matches = sorted(
        (distance, index) for distance, index in distances if distance is not None
    )
    return [entries[index] for _, index in best_matches[:limit]]


def _compute_distance(text: str, terms: Sequence[str], entry: PaletteEntry) -> int | None:
    label = entry.label.casefold()
    if not all(map(label.__contains__, terms)):
        return 4 if all(map(f"{label} {entry.kind.casefold()}".__contains__, terms)) else None
    if label.startswith(text):
        return 0 if label == text else 1
    if all(label.startswith(word) or f" {word}" in label for word in terms):
        return 2  # found without splitting the label, which is slow for 100,000 topics
    word_starts = re.split(r"[\W_]+", label)
    return 2 if all(any(start.startswith(word) for start in word_starts) for word in terms) else 3


class PaletteSources:
    """Creator of the palette's entries for the current page and project.

    There are entries for enabled actions of the window and the current page, and for actions of
    other available pages that do not depend on what these pages show. There are also entries for
    topics, runs, measures, agreement statistics, guides and their sections. While the user types,
    documents whose id begins with the text, and searches of documents or guides, are added. An
    object is created each time the palette opens.

    Parameters
    ----------
    pages
        Pages of the window.
    actions
        Actions of the window (not of a page), by id.
    show_page
        Function that shows a page by id.
    judge_topic
        Function that opens a topic on the judging page. It is called on that page, and if the
        documents page is not available; otherwise a topic's entry opens the collection page.
    project
        Open project; None without a project.
    zoom
        Zoom of the dialog that shows a document; 1.0 is the normal size.
    language
        Language of the guides, such as `zh_CN`; English by default.
    """

    def __init__(
        self,
        pages: Pages,
        actions: dict[str, BoundAction],
        show_page: Callable[[str], None],
        judge_topic: Callable[[str], None],
        *,
        project: Project | None,
        zoom: float,
        language: str = "",
    ) -> None:
        self._pages, self._actions = pages, actions
        self._show_page, self._judge_topic = show_page, judge_topic
        self._project, self._zoom, self._language = project, zoom, language
        self._page = pages.on_top()

    def list_entries(self) -> list[PaletteEntry]:
        """Return all entries except documents."""
        return [
            *self._list_actions(),
            *self._list_topics(),
            *self._list_runs(),
            *self._list_measures(),
            *self._list_agreement(),
            *self._list_guides(),
        ]

    def find_documents(self, text: str) -> list[PaletteEntry]:
        """Return entries for documents whose id begins with a text, and an entry for a search.

        The last entry opens the documents page, which searches for the words of the text.
        """
        if self._project is None or not text or not self._is_offered("browse"):
            return []
        collection = self._project.collection
        ids = collection.ids_with_prefix(text, MAX_DOCUMENTS)
        titles = collection.titles(ids)
        kind = translate("CommandPalette", "Document")
        entries = [
            PaletteEntry(f"{id}  {titles.get(id, '')}".strip(), kind, partial(self._open, id))
            for id in ids
        ]
        search_entry = filled(
            translate("CommandPalette", "Search the documents for “{words}”"), words=text
        )
        return [
            *entries,
            PaletteEntry(
                search_entry, kind, partial(self._open_page, "browse", SearchRequest(text))
            ),
        ]

    # Entries of each kind

    def _list_actions(self) -> Iterator[PaletteEntry]:
        """Yield entries: actions of the visible page, actions that show a page, other actions."""
        page_index = {page.id: index for index, page in enumerate(PAGES)}

        for action in sorted(
            ACTIONS,
            key=lambda action: (
                action.page != self._page,
                action.id not in page_index,
                page_index.get(action.id, 0),
            ),
        ):
            if action.id == "command-palette" or not self._is_possible(action):
                continue
            page_label = BY_ID[action.page].label if action.page else ""
            kind = translate("CommandPalette", "Page") if action.id in page_index else page_label
            yield PaletteEntry(
                action.label[:1].upper() + action.label[1:],
                kind or translate("CommandPalette", "Action"),
                partial(self._run, action),
                key_cap_text(action.id),
            )

    def _is_offered(self, page: str) -> bool:
        return self._actions[page].possible

    def _is_possible(self, action: Action) -> bool:
        if not action.page:
            return self._actions[action.id].possible
        if action.page == self._page:
            page_action = self._pages.view(action.page).actions_by_id.get(action.id)
            return page_action is not None and page_action.possible
        return not action.in_context and self._is_offered(action.page)

    def _run(self, action: Action) -> None:
        """Run an action; if it belongs to another page, show that page first."""
        if not action.page:
            self._actions[action.id].trigger()
            return
        if action.page != self._page:
            self._show_page(action.page)
        view = self._pages.view(action.page)
        page_action = view.actions_by_id.get(action.id)
        if page_action is not None and page_action.possible:
            page_action.trigger()
        else:
            view.point_to(action.id)

    def _list_topics(self) -> Iterator[PaletteEntry]:
        if self._project is None:
            return
        can_browse = self._is_offered("browse") and self._page != "judge"
        if not can_browse and not self._is_offered("judge"):
            return
        kind = translate("CommandPalette", "Topic")
        for id, title in self._project.collection.topic_titles().items():
            run = (
                partial(self._open_page, "collection", TopicRequest(id))
                if can_browse
                else partial(self._judge_topic, id)
            )
            yield PaletteEntry(f"{id}  {title}".strip(), kind, run)

    def _list_runs(self) -> Iterator[PaletteEntry]:
        if self._project is None or not self._is_offered("browse"):
            return
        kind = translate("CommandPalette", "Run")
        for run in self._project.rankings.runs():
            yield PaletteEntry(
                run.name, kind, partial(self._open_page, "runs", RunRequest(run.name))
            )

    def _list_measures(self) -> Iterator[PaletteEntry]:
        kind = translate("CommandPalette", "Measure")
        for measure in list_measures():
            yield PaletteEntry(
                f"{measure.name}  {measure.title}".strip(),
                kind,
                partial(self._open_page, "guides", GuideRequest("measures", measure.name)),
            )

    def _list_agreement(self) -> Iterator[PaletteEntry]:
        if self._project is None or not self._is_offered("agreement"):
            return
        kind = BY_ID["agreement"].label
        for statistic in AGREEMENT.values():
            label = f"{statistic.name}  {translate_message(statistic.title)}"
            yield PaletteEntry(label, kind, partial(self._show_page, "agreement"))

    def _list_guides(self) -> Iterator[PaletteEntry]:
        """Yield an entry for each guide, then an entry for each section of each guide."""
        kind = translate("CommandPalette", "Guide")
        guides = list_guides()
        for name, title in guides.items():
            yield PaletteEntry(title, kind, partial(self._open_page, "guides", GuideRequest(name)))
        for name, heading in list_guide_headings(self._language):
            request = GuideRequest(name, heading)
            yield PaletteEntry(
                f"{heading} · {guides[name]}", kind, partial(self._open_page, "guides", request)
            )

    def find_in_guides(self, text: str) -> list[PaletteEntry]:
        """Return a list with one entry, which searches all guides; empty if `text` is empty."""
        if not text:
            return []
        label = filled(translate("CommandPalette", "Search the guides for “{words}”"), words=text)
        request = GuideRequest(next(iter(list_guides())), text)
        kind = translate("CommandPalette", "Guide")
        return [PaletteEntry(label, kind, partial(self._open_page, "guides", request))]

    def _open_page(self, page: str, request: object) -> None:
        self._pages.view(page).set_request(request)
        self._show_page(page)

    def _open(self, document: str) -> None:
        view = self._pages.view(self._pages.on_top())
        if self._project is not None:
            view.message_shown.emit(open_document(view, self._project, document, "", self._zoom))


class CommandPalette(Dialog):
    """Dialog with a search field and matching entries; Enter or a click runs an entry.

    The dialog closes before the entry's function is called. The arrow keys move in the list while
    the field has the focus.
    """

    def __init__(self, parent: QWidget, sources: PaletteSources) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self.setWindowTitle(BY_ID["command-palette"].label)
        self._sources, self._entries = sources, sources.list_entries()
        self.field, self.list = (
            QLineEdit(
                placeholderText=self.tr("Page, action, topic, run, document, measure or guide")
            ),
            QListWidget(),
        )
        self.field.setAccessibleName(BY_ID["command-palette"].label)
        self.list.setAccessibleName(self.tr("Matches"))
        self.list.setItemDelegate(PaletteDelegate(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.no_matches = make_label(
            self.tr("No matches. Try a shorter search term."), "quiet", hidden=True
        )
        self.setLayout(
            column(
                self.field,
                self.no_matches,
                self.list,
                spacing=SPACE_S,
                margins=(SPACE_M, SPACE_M, SPACE_M, SPACE_M),
                stretched=self.list,
            )
        )
        self.field.textChanged.connect(self._find)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(self._run)
        self.list.currentItemChanged.connect(lambda item, _previous: self._describe(item))
        self._move_to_top(parent)
        self._find("")
        self.field.setFocus()

    def _move_to_top(self, parent: QWidget) -> None:
        window = parent.window()
        left = (window.width() - self.width()) // 2
        top = min(scale_length(TOP_MARGIN), max(0, window.height() - self.height()))
        self.move(window.mapToGlobal(window.rect().topLeft()).x() + left, window.y() + top)

    def _find(self, query: str) -> None:
        query = query.strip()
        documents = self._sources.find_documents(query)
        matches = find_entries(query, [*documents[:-1], *self._entries]) + documents[-1:]
        matches += self._sources.find_in_guides(query)
        self.list.clear()
        for entry in matches:
            item = QListWidgetItem(entry.label, self.list)
            item.setData(SECONDARY_TEXT_ROLE, "   ".join(filter(None, (entry.kind, entry.keys))))
            item.setData(ENTRY_ROLE, entry)
            item.setToolTip(escape_markup(entry.label))
            accessible_text = ", ".join(filter(None, (entry.label, entry.kind, entry.keys)))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, accessible_text)
        self.no_matches.setVisible(not matches)
        self.list.setCurrentRow(0 if matches else -1)

    def _describe(self, item: QListWidgetItem | None) -> None:
        """Describe the current entry in the field, since screen readers read the focused widget."""
        self.field.setAccessibleDescription(
            str(item.data(Qt.ItemDataRole.AccessibleTextRole)) if item else ""
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys that move in the list, although the search field has the focus."""
        if watched is self.field and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyPress and event.key() in ROW_STEPS:
                last = self.list.count() - 1
                step = self.list.currentRow() + ROW_STEPS[Qt.Key(event.key())]
                self.list.setCurrentRow(max(0, min(last, step)))
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() in (
                Qt.Key.Key_Return,
                Qt.Key.Key_Enter,
            ):
                self._run(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _run(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        entry: PaletteEntry = item.data(ENTRY_ROLE)
        window = self.parentWidget()
        self.accept()
        if window is not None:
            window.window().activateWindow()
        entry.run()
