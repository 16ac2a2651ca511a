"""Help page: shows guides for each role, with a search in all guides."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent, QTextDocument
from PySide6.QtWidgets import (
    QBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from irjudge.model import Document
from irjudge.progress import Progress
from irjudge.shipped import guide_path
from irjudge.text import find_typed, to_html
from irjudge_ui import jobs
from irjudge_ui.actions import BY_ID, ActionHandler, bind_key_cap, create_actions
from irjudge_ui.messages import escape_markup, filled, translate
from irjudge_ui.pages.shared import View
from irjudge_ui.settings import Settings, locale_of
from irjudge_ui.widgets import (
    MAX_WIDGET_SIZE,
    SPACE_L,
    SPACE_M,
    SPACE_XL,
    SPACE_XS,
    ChoiceBox,
    DocumentView,
    SearchButton,
    Tab,
    TextMarks,
    card,
    column,
    make_container,
    make_label,
    make_scroll_area,
    named,
    row,
    scale_length,
)
from irjudge_ui.workspace import DocumentLoader, Finder, ask_to_print

# maximum number of characters of a snippet before and after a match
CHARACTERS_BEFORE, CHARACTERS_AFTER = (16, 60)
MAX_GUIDE_HITS = 50  # maximum number of matches listed per guide; the heading shows the total
HIT_ROLE = Qt.ItemDataRole.UserRole
LONG_GUIDES = ("measures", "differences", "changes")
HEADING_PATTERN, MARKUP_PATTERN = re.compile(r"##++ ++(.+)"), re.compile(r"[`*]")
# titles of the guides, by file name under resources/help
GUIDES = {
    "assessors": QT_TRANSLATE_NOOP("Guides", "For assessors"),
    "organisers": QT_TRANSLATE_NOOP("Guides", "For organisers"),
    "teachers": QT_TRANSLATE_NOOP("Guides", "For teachers"),
    "finding": QT_TRANSLATE_NOOP("Guides", "Searching and finding"),
    "sessions": QT_TRANSLATE_NOOP("Guides", "Judging together"),
    "servers": QT_TRANSLATE_NOOP("Guides", "Crowd judging"),
    "files": QT_TRANSLATE_NOOP("Guides", "Files"),
    "measures": QT_TRANSLATE_NOOP("Guides", "Measures"),
    "differences": QT_TRANSLATE_NOOP("Guides", "Differences from trec_eval"),
    "preferences": QT_TRANSLATE_NOOP("Guides", "Preferences"),
    "models": QT_TRANSLATE_NOOP("Guides", "Model judges"),
    "logs": QT_TRANSLATE_NOOP("Guides", "Search logs"),
    "commands": QT_TRANSLATE_NOOP("Guides", "Commands"),
    "notebooks": QT_TRANSLATE_NOOP("Guides", "Notebooks and scripts"),
    "large": QT_TRANSLATE_NOOP("Guides", "Large evaluations"),
    "promises": QT_TRANSLATE_NOOP("Guides", "What irjudge guarantees"),
    "security": QT_TRANSLATE_NOOP("Guides", "Security"),
    "changes": QT_TRANSLATE_NOOP("Guides", "Changes"),
    "from_quepid": QT_TRANSLATE_NOOP("Guides", "Migrating from Quepid"),
    "from_search_engines": QT_TRANSLATE_NOOP(
        "Guides", "Migrating from OpenSearch or Elasticsearch"
    ),
    "from_trec_eval": QT_TRANSLATE_NOOP("Guides", "Migrating from trec_eval or ir_measures"),
    "from_label_studio": QT_TRANSLATE_NOOP("Guides", "Migrating from Label Studio"),
}

NARROW_WIDTH = 760  # width in pixels at normal zoom below which the page has one column
NAME_CHARACTERS = 16  # minimum width of a guide's name, in characters


@dataclass(frozen=True, slots=True)
class GuideRequest:
    """Request to show a guide and, if a query is given, to search all guides for the query.

    `guide` is the name of the guide (a key of `GUIDES`, such as "measures"). The whole `query` is
    searched as one text; it has no operators.
    """

    guide: str
    query: str = ""


def list_guides() -> dict[str, str]:
    """Return the title of each guide, by file name."""
    return {name: translate("Guides", str(title)) for name, title in GUIDES.items()}


@cache
def list_guide_headings(language: str) -> tuple[tuple[str, str], ...]:
    """Return pairs: name of a guide, and heading of one of its sections.

    Of guides that list entries, such as all measures, only the main sections are included.
    """
    headings = []
    for name in GUIDES:
        is_code = False
        for line in guide_path(name, language).read_text(encoding="utf-8").splitlines():
            is_code ^= line.startswith("```")
            match = None if is_code else HEADING_PATTERN.match(line)
            if match and not (name in LONG_GUIDES and line.startswith("###")):
                headings.append((name, MARKUP_PATTERN.sub("", match[1].rstrip("#")).strip()))
    return tuple(headings)


class GuidesView(View):
    """Help page: shows one guide at a time, with a search in all guides.

    During a search, a list of the matches replaces the list of guides.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._language = locale_of(str(settings.get("language"))).name()
        self.shown = ""
        self.document = named(DocumentView(), self.tr("Guide"))
        self.finder = Finder(self.document, TextMarks(self.document), self.walk)
        self.document.loaded.connect(lambda: self.finder.read(self.document.toPlainText()))
        self._loader = DocumentLoader(self.document)
        self.buttons = {
            name: self._make_button(name, label) for name, label in list_guides().items()
        }
        self.hits = HitList(list_guides(), self._language)
        self._lay_out()
        find_bar = self.finder.bar
        find_bar.field.setPlaceholderText(self.tr("Find in all guides"))
        find_bar.field.setAccessibleName(self.tr("Find in all guides"))
        find_bar.search_requested.connect(lambda _query, _case: self._search())
        find_bar.closed.connect(self._close)
        self.finder.moved.connect(lambda number: self.hits.select(self.shown, number))
        self.hits.chosen.connect(self._show_hit)
        self.actions_by_id = create_actions(
            self,
            {
                "find-guide": ActionHandler(self.ask),
                "guide-next": ActionHandler(lambda: self.walk(1)),
                "guide-previous": ActionHandler(lambda: self.walk(-1)),
            },
        )

    def _lay_out(self) -> None:
        self.hits.hide()
        self._names = make_container(column(*self.buttons.values(), None, spacing=SPACE_XS))
        self._list = make_scroll_area(self._names, "inset")
        self._parts = row(
            self._list,
            self.hits,
            self.document,
            spacing=SPACE_L,
            stretched=self.document,
            stretch=2,
        )
        self._parts.setStretchFactor(self.hits, 1)
        guide_card = card(self.finder.bar, self._parts, margin=SPACE_XL)
        guide_card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.pick = ChoiceBox(
            NAME_CHARACTERS,
            name=self.tr("Guides"),
            activated=lambda _index: self.show_guide(self.pick.currentData()),
        )
        self.pick.add_choices((button.text(), name) for name, button in self.buttons.items())
        self.pick.hide()
        self.find_button = SearchButton(BY_ID["find-guide"].label, self.tr("Find in all guides"))
        bind_key_cap("find-guide", self.find_button.show_keys, self.find_button)
        self.find_button.clicked.connect(self.ask)
        self.setLayout(
            column(
                row(make_label(self.tr("Guides"), "title"), None, self.find_button),
                self.pick,
                guide_card,
                spacing=SPACE_M,
                stretched=guide_card,
            )
        )

    def _make_button(self, name: str, label: str) -> QPushButton:
        button = Tab(label, "nav")  # a `Tab` reserves space for its label in bold
        button.setCheckable(True)
        button.clicked.connect(lambda: self.show_guide(name))
        return button

    def refresh(self) -> None:
        if not self.shown:
            self.show_guide(next(iter(self.buttons)))

    def restyle(self) -> None:
        self._fit()
        if self.shown:
            self.show_guide(self.shown)

    def focus(self) -> None:
        self.document.setFocus()

    # Search in all guides

    def ask(self) -> None:
        self.finder.open()
        self._search()

    def walk(self, step: int) -> None:
        """Go to the next (`step` 1) or previous (-1) match in this guide or another guide.

        If no query is entered, open the search field.
        """
        find_bar = self.finder.bar
        if not find_bar.is_open or not find_bar.field.text():
            self.ask()
        elif (other_guide := self.hits.adjacent(self.shown, step)) and not self._has_more(step):
            self._show_hit(*other_guide)
        else:
            self.finder.step(step)

    def _has_more(self, step: int) -> bool:
        number, count = self.finder.number, self.finder.count
        return bool(count) if number is None else 0 <= number + step < count

    def _search(self) -> None:
        find_bar = self.finder.bar
        self.hits.setVisible(find_bar.is_open and bool(find_bar.field.text()))
        self._fit()
        self.hits.search(
            find_bar.field.text(),
            match_case=find_bar.case.isChecked(),
            current_match=lambda: (self.shown, self.finder.number),
        )

    def _show_hit(self, name: str, number: int) -> None:
        if name != self.shown:
            self.show_guide(name)
        self.finder.go_to_match(number)

    def _close(self) -> None:
        self.hits.job.stop()
        self.hits.hide()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        narrow = self.width() < scale_length(NARROW_WIDTH)
        self._parts.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )
        self.hits.setMaximumHeight(self.height() // 4 if narrow else MAX_WIDGET_SIZE)
        # the added width is for the scroll bar
        self._list.setFixedWidth(self._names.sizeHint().width() + SPACE_XL)
        # the list of matches replaces the list of guides during a search
        searching = not self.hits.isHidden()
        self._list.setHidden(searching or narrow)
        self.pick.setHidden(searching or not narrow)

    # Display

    @property
    def prints(self) -> bool:
        return bool(self.shown)

    def print_page(self) -> None:
        ask_to_print(self.document, self.message_shown.emit)

    def set_request(self, request_or_name: object) -> None:
        request = (
            request_or_name
            if isinstance(request_or_name, GuideRequest)
            else GuideRequest(str(request_or_name))
        )
        self.show_guide(request.guide)
        if request.query:
            self.finder.open()
            self.finder.bar.field.setText(request.query)
            self._search()

    def show_guide(self, name: str) -> None:
        self.shown = name
        for guide, button in self.buttons.items():
            button.setChecked(guide == name)
        self.pick.setCurrentIndex(self.pick.findData(name))
        self.finder.read("")
        self._loader.show(_guide_document(name, self._language), self.zoom)


# Search in all guides


@dataclass(frozen=True, slots=True)
class GuideHits:
    """Matches of a query in a guide: their number, and the lines with the first matches.

    `lines` are the lines of the guide's text with a match, one for each of the first
    `MAX_GUIDE_HITS` matches, shortened if long.
    """

    guide: str
    count: int
    lines: tuple[str, ...]


class HitList(QWidget):
    """List of matches in all guides, by guide; it searches the guides in the background.

    The query is entered in the find bar of the page. For each guide, only the first matches are
    listed.

    `chosen` is emitted with the name of a guide and the number of a match in it, from 0, when the
    user selects a match.
    """

    chosen = Signal(str, int)

    def __init__(self, names: Mapping[str, str], language: str) -> None:
        super().__init__()
        self._names, self._language = dict(names), language
        self.job = jobs.LatestJob()
        self._hits: list[GuideHits] = []
        self.description_label = make_label("", "small")
        self.list = named(QListWidget(), self.tr("Search results"))
        self.list.setObjectName("hits")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.currentItemChanged.connect(lambda current, _previous: self._choose(current))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.description_label)
        box.addWidget(self.list, 1)

    def search(
        self, query: str, *, match_case: bool, current_match: Callable[[], tuple[str, int | None]]
    ) -> None:
        """Search the guides in the background, and list the matches.

        `current_match` returns the displayed guide and the number of its current match, which is
        then selected in the list.
        """
        self.job.stop()
        if not query.strip():
            with QSignalBlocker(self.list):
                self._fill([])
            self.description_label.clear()
            return
        self.job.run(
            partial(
                find_in_guides, tuple(self._names), self._language, query, match_case=match_case
            ),
            lambda hits: self._show(hits, *current_match()),
            jobs.raise_unexpected,
        )

    def _show(self, hits: list[GuideHits], guide: str, number: int | None) -> None:
        with QSignalBlocker(self.list):
            self._fill(hits)
        self.description_label.setText(
            filled(
                self.tr("Matches: {matches}; guides: {guides}"),
                matches=f"{sum(hit.count for hit in hits):,}",
                guides=len(hits),
            )
            if hits
            else self.tr("Not found in any guide")
        )
        self.select(guide, number)

    def _fill(self, hits: list[GuideHits]) -> None:
        self._hits = hits
        self.list.clear()
        for hit in hits:
            heading_item = QListWidgetItem(f"{self._names[hit.guide]}  {hit.count:,}", self.list)
            heading_item.setFlags(Qt.ItemFlag.NoItemFlags)
            font = heading_item.font()
            font.setBold(True)
            heading_item.setFont(font)
            for number, line in enumerate(hit.lines):
                item = QListWidgetItem(line, self.list)
                item.setToolTip(escape_markup(line))
                item.setData(HIT_ROLE, (hit.guide, number))

    def select(self, guide: str, number: int | None) -> None:
        targets = [self.list.item(row).data(HIT_ROLE) for row in range(self.list.count())]
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(
                targets.index((guide, number)) if (guide, number) in targets else -1
            )

    def adjacent(self, guide: str, step: int) -> tuple[str, int] | None:
        """Return the next match in another guide; None if no other guide has matches.

        With `step` 1 it is the first match of the next guide with matches, with `step` -1 the last
        match of the previous one. The first guide follows the last.
        """
        order = list(self._names)
        other_guides = [hit for hit in self._hits if hit.guide != guide]
        if not other_guides:
            return None
        following = [
            other_guide
            for other_guide in other_guides
            if order.index(other_guide.guide) > order.index(guide)
        ]
        preceding = other_guides[: len(other_guides) - len(following)]
        return (
            ((following or preceding)[0].guide, 0)
            if step > 0
            else ((preceding or following)[-1].guide, (preceding or following)[-1].count - 1)
        )

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(*item.data(HIT_ROLE))


def _guide_document(name: str, language: str) -> Document:
    return Document(name, guide_path(name, language).read_bytes(), kind="markdown")


def find_in_guides(
    names: tuple[str, ...], language: str, query: str, progress: Progress, *, match_case: bool
) -> list[GuideHits]:
    """Return the matches of each guide that has any, in the given order of the guides."""
    matches = []
    for name in names:
        progress.step(0, None, "")
        text = _guide_text(name, language)
        if hits := find_typed(text, query, match_case=match_case):
            matches.append(
                GuideHits(
                    name,
                    len(hits),
                    tuple(_snippet(text, hit.begin, hit.end) for hit in hits[:MAX_GUIDE_HITS]),
                )
            )
    return matches


@cache
def _guide_text(name: str, language: str) -> str:
    document = QTextDocument()
    document.setHtml(to_html(_guide_document(name, language)))
    return document.toPlainText()


def _snippet(text: str, begin: int, end: int) -> str:
    """Return the line around a match, shortened at spaces if it is long."""
    begin_of_line, end_of_line = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
    end_of_line = len(text) if end_of_line < 0 else end_of_line
    shortened = (
        text.rfind(" ", begin_of_line, max(begin_of_line, begin - CHARACTERS_BEFORE)) + 1
        if begin - begin_of_line > CHARACTERS_BEFORE
        else begin_of_line
    )
    return ("… " if shortened > begin_of_line else "") + text[
        max(shortened, begin_of_line) : min(end_of_line, end + CHARACTERS_AFTER)
    ].strip()
