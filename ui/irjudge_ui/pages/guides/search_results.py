"""Where words stand in all guides: a list by guide, to walk through."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from irjudge.model.document import Document
from irjudge.progress import Progress
from irjudge.shipped import guide
from irjudge.text.find_in_text import find_typed
from irjudge.text.render import to_html
from irjudge_ui import jobs
from irjudge_ui.widgets.layout import text
from irjudge_ui.words import filled, plain

BEFORE, AFTER = 16, 60  # letters beside a hit
MOST_LISTED = 50  # of a guide; its heading has the count of all
PLACE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class GuideHits:
    """What was found in a guide: how many, and the words around the first of them."""

    guide: str
    count: int
    lines: tuple[str, ...]


class HitList(QWidget):
    """Lists what stands in the guides. `chosen` comes with a guide and which of its hits is wanted, from 0."""

    chosen = Signal(str, int)

    def __init__(self, names: Mapping[str, str], language: str) -> None:
        super().__init__()
        self._names, self._language = dict(names), language
        self._work = jobs.Latest()
        self._found: list[GuideHits] = []
        self.about = text("", "small")
        self.list = QListWidget()
        self.list.setObjectName("hits")
        self.list.setAccessibleName(self.tr("Found in the guides"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.currentItemChanged.connect(lambda now, _before: self._choose(now))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.about)
        box.addWidget(self.list, 1)

    def look(self, typed: str, *, match_case: bool, at: Callable[[], tuple[str, int | None]]) -> None:
        """List where something stands, beside the window; `at` tells the guide on screen, and the hit that is shown there."""
        self._work.stop()
        if not typed.strip():
            with QSignalBlocker(self.list):
                self._fill([])
            self.about.clear()
            return
        look = partial(find_in_guides, tuple(self._names), self._language, typed, match_case=match_case)
        self._work.run(look, lambda found: self._show(found, *at()), jobs.unexpected)

    def stop(self) -> None:
        """Look for nothing any more."""
        self._work.stop()

    def _show(self, found: list[GuideHits], guide: str, number: int | None) -> None:
        with QSignalBlocker(self.list):
            self._fill(found)
        count = sum(each.count for each in found)
        words = self.tr("Found: %1, in guides: %2") if found else self.tr("In no guide")
        self.about.setText(filled(words, f"{count:,}", len(found)))
        self.select(guide, number)

    def _fill(self, found: list[GuideHits]) -> None:
        self._found = found
        self.list.clear()
        for each in found:
            heading = QListWidgetItem(f"{self._names[each.guide]}  {each.count:,}", self.list)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            letters = heading.font()
            letters.setBold(True)
            heading.setFont(letters)
            for number, line in enumerate(each.lines):
                item = QListWidgetItem(line, self.list)
                item.setToolTip(plain(line))
                item.setData(PLACE, (each.guide, number))

    def select(self, guide: str, number: int | None) -> None:
        """Mark the hit that is shown; none where it is not listed."""
        row = next((row for row in self._rows() if self._place(row) == (guide, number)), -1)
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(row)

    def beside(self, shown: str, step: int) -> tuple[str, int] | None:
        """Return the first hit of the guide after the one on screen, or the last of the one before it; None where no other has any."""
        order = list(self._names)
        others = [each for each in self._found if each.guide != shown]
        if not others:
            return None
        after = [each for each in others if order.index(each.guide) > order.index(shown)]
        before = others[: len(others) - len(after)]
        return ((after or before)[0].guide, 0) if step > 0 else ((before or after)[-1].guide, (before or after)[-1].count - 1)

    def _rows(self) -> list[int]:
        """Return the rows of hits, without those of headings."""
        return [row for row in range(self.list.count()) if self.list.item(row).flags() & Qt.ItemFlag.ItemIsSelectable]

    def _place(self, row: int) -> tuple[str, int]:
        place: tuple[str, int] = self.list.item(row).data(PLACE)
        return place

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(*item.data(PLACE))


def guide_document(name: str, language: str) -> Document:
    """Return a guide as it is shown."""
    return Document(name, guide(name, language).read_bytes(), kind="markdown")


def find_in_guides(names: tuple[str, ...], language: str, typed: str, progress: Progress, *, match_case: bool) -> list[GuideHits]:
    """Return where something stands, for each guide that has it, in the order of the guides."""
    found = []
    for name in names:
        progress.step(0, None, "")
        words = _words(name, language)
        hits = find_typed(words, typed, match_case=match_case)
        if hits:
            found.append(GuideHits(name, len(hits), tuple(_around(words, hit.begin, hit.end) for hit in hits[:MOST_LISTED])))
    return found


@cache
def _words(name: str, language: str) -> str:
    """Return the words of a guide as the window shows them."""
    document = QTextDocument()
    document.setHtml(to_html(guide_document(name, language)))
    return document.toPlainText()


def _around(words: str, begin: int, end: int) -> str:
    """Return a hit within its line, cut at blanks where it is long."""
    first, last = words.rfind("\n", 0, begin) + 1, words.find("\n", end)
    last = len(words) if last < 0 else last
    cut = words.rfind(" ", first, max(first, begin - BEFORE)) + 1 if begin - first > BEFORE else first
    return ("… " if cut > first else "") + words[max(cut, first) : min(last, end + AFTER)].strip()
