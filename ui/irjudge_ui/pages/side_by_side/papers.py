"""What is compared, as it lies on the desk: two ranked lists, or two documents, side by side."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QScrollBar, QWidget

from irjudge.judging.side_by_side import ListedDocument, PaintedLists, SideBySide
from irjudge.text.highlight import Term
from irjudge_ui.desk.marked_page import MarkedPage
from irjudge_ui.jobs import Latest
from irjudge_ui.pages.side_by_side.list import PanelList
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.document.pictures import read_picture
from irjudge_ui.widgets.layout import card, column, row, text
from irjudge_ui.widgets.result_card import ResultCard
from irjudge_ui.widgets.theme import SPACE_L, SPACE_S
from irjudge_ui.words import filled

LINE_STEPS = 3  # of a scroll bar's single steps


class Papers(QWidget):
    """Two things side by side. `painted` comes once for each two, when both are on screen; `opened` with a side (0, 1) and a place."""

    painted = Signal()
    scrolled = Signal()
    opened = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self._linked = True
        self._moving = False
        self._waiting = {0, 1}

    def show_desk(self, session: SideBySide, desk: PaintedLists, zoom: float) -> None:
        """Show what is compared, from the top."""
        raise NotImplementedError

    def bars(self) -> tuple[QScrollBar, QScrollBar]:
        """Return what scrolls either side."""
        raise NotImplementedError

    def seen(self) -> tuple[int, int]:
        """Return the lowest rank, 1-based, that was in view on each side."""
        raise NotImplementedError

    def stop(self) -> None:
        """Bring no more of what is on its way."""

    @property
    def linked(self) -> bool:
        """Whether both sides scroll together."""
        return self._linked

    def set_linked(self, linked: bool) -> None:
        """Scroll both sides together, or each by itself."""
        self._linked = linked

    def step(self, lines: int = 0, pages: int = 0) -> None:
        """Scroll down, or up by less than nothing: both sides where they are linked, else the one that has the focus."""
        left, right = self.bars()
        for bar in (left,) if self._linked or not self._right_has_focus() else (right,):
            bar.setValue(bar.value() + lines * LINE_STEPS * bar.singleStep() + pages * bar.pageStep())
        if self._linked and left.value() == left.maximum() < right.maximum():
            right.setValue(right.value() + lines * LINE_STEPS * right.singleStep() + pages * right.pageStep())

    def _right_has_focus(self) -> bool:
        return self.parts()[1].isAncestorOf(self.focusWidget()) if self.focusWidget() else False

    def parts(self) -> tuple[QWidget, QWidget]:
        """Return what holds either side."""
        raise NotImplementedError

    def _follow(self) -> None:
        """Let the bars of both sides follow each other, and tell of every move."""
        for mine, other in (self.bars(), self.bars()[::-1]):
            mine.valueChanged.connect(lambda value, other=other: self._on_moved(value, other))

    def _on_moved(self, value: int, other: QScrollBar) -> None:
        if self._linked and not self._moving:
            self._moving = True
            other.setValue(value)
            self._moving = False
        self.scrolled.emit()

    def _begin(self) -> None:
        self._waiting = {0, 1}

    def _on_painted(self, side: int) -> None:
        if self._waiting:
            self._waiting.discard(side)
            if not self._waiting:
                self.painted.emit()


class ListPapers(Papers):
    """Two ranked lists."""

    def __init__(self) -> None:
        super().__init__()
        self.lists = (PanelList(self.tr("Left")), PanelList(self.tr("Right")))
        self._results: tuple[Sequence[ListedDocument], Sequence[ListedDocument]] = ((), ())
        self._same = False
        self._pictures = Latest()
        for side, each in enumerate(self.lists):
            each.painted.connect(lambda side=side: self._on_painted(side))
            each.opened.connect(lambda place, side=side: self.opened.emit(side, place))
        box = row(*self.lists, spacing=SPACE_L)
        box.setStretch(0, 1)
        box.setStretch(1, 1)
        self.setLayout(box)
        self._follow()
        self.setFocusProxy(self.lists[0].area)

    def show_desk(self, session: SideBySide, desk: PaintedLists, _zoom: float) -> None:
        """Show two lists from their top; their pictures are read beside the window."""
        self._begin()
        self._results = (desk.left, desk.right)
        for each, results in zip(self.lists, self._results, strict=True):
            each.show_results(results)
        if self._same:
            self._say_same()
        cards = (each for papers in self.lists for each in papers.cards.used)
        found = [(each, session.picture(result.document)) for each, result in zip(cards, desk.results, strict=True) if result.pictured]
        self._pictures.stop()
        if found:
            self._pictures.run(
                lambda _progress: [(each, read_picture(data).image) for each, data in found], self._take_pictures, self._on_failed
            )

    def _take_pictures(self, pictures: Sequence[tuple[ResultCard, QImage]]) -> None:
        for result, picture in pictures:
            if not picture.isNull():
                result.show_picture(picture)

    def _on_failed(self, fault: Exception, _trace: str) -> None:
        raise fault  # the window shows what it was

    def stop(self) -> None:
        """Read no more pictures."""
        self._pictures.stop()

    def switch_same(self) -> bool:
        """Say beside each result where the same document stands on the other side, or no more; tell whether it is said now."""
        self._same = not self._same
        self._say_same()
        return self._same

    def _say_same(self) -> None:
        ranks = [{result.document: rank for rank, result in enumerate(results, 1)} for results in self._results]
        for each, mine, other in zip(self.lists, self._results, reversed(ranks), strict=True):
            found = (other.get(result.document) if self._same else None for result in mine)
            each.show_remarks([f"= {rank}" if rank else "" for rank in found])

    def bars(self) -> tuple[QScrollBar, QScrollBar]:
        """Return what scrolls either list."""
        return self.lists[0].area.verticalScrollBar(), self.lists[1].area.verticalScrollBar()

    def parts(self) -> tuple[QWidget, QWidget]:
        """Return the lists."""
        return self.lists

    def seen(self) -> tuple[int, int]:
        """Return the lowest rank that was in view in each list."""
        return self.lists[0].lowest, self.lists[1].lowest


class PairPapers(Papers):
    """Two documents, each whole; one that was not compared before says that it is new."""

    def __init__(self) -> None:
        super().__init__()
        names = (self.tr("Left"), self.tr("Right"))
        self.views = (DocumentView(), DocumentView())
        self.marks = tuple(text(self.tr("new"), "fresh", wrap=False) for _ in names)
        self._pages = tuple(MarkedPage(view) for view in self.views)
        self._seen = [0, 0]
        self._parts: list[QWidget] = []
        for side, (name, view, mark) in enumerate(zip(names, self.views, self.marks, strict=True)):
            view.setAccessibleName(filled(self.tr("Document: %1"), name))
            view.painted.connect(lambda side=side: self._on_side_painted(side))
            part = QWidget()
            part.setLayout(column(row(text(name, "heading", wrap=False), mark, None), card(view, margin=SPACE_L), spacing=SPACE_S))
            part.layout().setStretch(1, 1)  # type: ignore[union-attr, attr-defined, unused-ignore]
            self._parts.append(part)
        box = row(*self._parts, spacing=SPACE_L)
        box.setStretch(0, 1)
        box.setStretch(1, 1)
        self.setLayout(box)
        self._follow()
        self.scrolled.connect(self._look)
        self.setFocusProxy(self.views[0])

    def show_desk(self, session: SideBySide, desk: PaintedLists, zoom: float) -> None:
        """Show two documents from their top."""
        self._begin()
        self._seen = [0, 0]
        terms: Sequence[Term] = session.terms(desk.topic.id)
        for view, page, mark, result in zip(self.views, self._pages, self.marks, (desk.left[0], desk.right[0]), strict=True):
            mark.setVisible(result.fresh)
            view.ensurePolished()
            page.show(session.document(result.document), terms, zoom)

    def stop(self) -> None:
        """Bring no more of the documents."""
        for page in self._pages:
            page.stop()

    def bars(self) -> tuple[QScrollBar, QScrollBar]:
        """Return what scrolls either document."""
        return self.views[0].verticalScrollBar(), self.views[1].verticalScrollBar()

    def parts(self) -> tuple[QWidget, QWidget]:
        """Return what holds either document."""
        return self._parts[0], self._parts[1]

    def seen(self) -> tuple[int, int]:
        """Return 1 for each side whose document was in view to its end."""
        return self._seen[0], self._seen[1]

    def _on_side_painted(self, side: int) -> None:
        self._look()
        QTimer.singleShot(0, self, lambda: self._on_painted(side))

    def _look(self) -> None:
        for side, (view, bar) in enumerate(zip(self.views, self.bars(), strict=True)):
            if view.complete and bar.value() >= bar.maximum():
                self._seen[side] = 1
