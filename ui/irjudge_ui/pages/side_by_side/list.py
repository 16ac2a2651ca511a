"""One ranked list of a panel: results one below another, and how far down somebody looked."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from irjudge.judging.side_by_side import ListedDocument
from irjudge.text.highlight import utf16_positions
from irjudge_ui.widgets.layout import column, scrolling, text
from irjudge_ui.widgets.result_card import ResultCard, ShownResult, Span
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S
from irjudge_ui.words import filled


class PanelList(QWidget):
    """A heading and its results. `painted` comes once for each list, when its results are on screen; `opened` with the place of one."""

    painted = Signal()
    opened = Signal(int)
    scrolled = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self._name = title
        self._results: Sequence[ListedDocument] = ()
        self.cards = _Cards()
        self.area: QScrollArea = scrolling(self.cards, name=filled(self.tr("Results: %1"), title))
        self._heading, self._none = text(title, "heading"), text(self.tr("No results."), "quiet")
        self.setLayout(column(self._heading, self._none, self.area, spacing=SPACE_S))
        self.layout().setStretch(2, 1)  # type: ignore[union-attr, attr-defined, unused-ignore]
        self.cards.painted.connect(self._on_painted)
        self.cards.opened.connect(self.opened)
        self.area.verticalScrollBar().valueChanged.connect(lambda _value: self._look())
        self._lowest = 0

    def show_results(self, results: Sequence[ListedDocument]) -> None:
        """Show a list from its top."""
        self._results, self._lowest = results, 0
        self._none.setVisible(not results)
        self.cards.show_results([self._shown(rank, result) for rank, result in enumerate(results, 1)])
        self.area.verticalScrollBar().setValue(0)

    def _shown(self, rank: int, result: ListedDocument) -> ShownResult:
        found = result.snippet
        title = found.title or result.document
        name = filled(self.tr("%1, result %2: %3"), self._name, str(rank), title)
        return ShownResult(
            rank, title, found.text, _in_qt(title, found.title_marks), _in_qt(found.text, found.marks), name, result.facts, result.pictured
        )

    def show_remarks(self, remarks: Sequence[str]) -> None:
        """Show a few words beside each result; empty ones say nothing."""
        for card, remark in zip(self.cards.used, remarks, strict=True):
            card.show_remark(remark)
        self.cards.arrange()

    @property
    def lowest(self) -> int:
        """The lowest rank that was in view; 0 before anything was."""
        return self._lowest

    def _on_painted(self) -> None:
        self._look()
        self.painted.emit()

    def _look(self) -> None:
        bar = self.area.verticalScrollBar()
        bottom = bar.value() + self.area.viewport().height()
        self._lowest = max(self._lowest, self.cards.seen_above(bottom))
        self.scrolled.emit()


class _Cards(QWidget):
    """Cards one below another; they are kept for the next list, since making them would take longer than showing it."""

    painted = Signal()
    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.all: list[ResultCard] = []
        self._used = 0
        self._announced = True
        self._after = QTimer(self)
        self._after.setSingleShot(True)
        self._after.timeout.connect(self._announce)

    @property
    def used(self) -> list[ResultCard]:
        """The cards of the list on screen, best rank first."""
        return self.all[: self._used]

    def show_results(self, shown: Sequence[ShownResult]) -> None:
        """Show results on cards."""
        for place in range(len(self.all), len(shown)):
            card = ResultCard(self)
            card.opened.connect(partial(self.opened.emit, place))
            self.all.append(card)
        for place, card in enumerate(self.all):
            card.setVisible(place < len(shown))
        for card, result in zip(self.all, shown, strict=False):
            card.show_result(result)
        self._used, self._announced = len(shown), False
        self.arrange()
        self.update()

    def arrange(self) -> None:
        """Put the cards where they belong at this width."""
        y = 0
        for card in self.used:
            height = card.height_for(self.width())
            card.setGeometry(0, y, self.width(), height)
            y += height + SPACE_M
        self.setMinimumHeight(max(0, y - SPACE_M))

    def seen_above(self, bottom: int) -> int:
        """Return the rank of the last card of which more than half stands above a place."""
        return sum(card.geometry().center().y() <= bottom for card in self.used)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the cards to the width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            QTimer.singleShot(0, self, self.arrange)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Note that the list is on its way to the screen."""
        super().paintEvent(event)
        if not self._announced and not self._after.isActive():
            self._after.start(0)

    def _announce(self) -> None:
        if self.isVisible():
            self._announced = True
            self.painted.emit()


def _in_qt(words: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return spans as Qt counts letters."""
    places = utf16_positions(words, [place for span in spans for place in span]) if spans else []
    return tuple(zip(places[::2], places[1::2], strict=True))
