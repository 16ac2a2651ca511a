"""Views of two ranked lists or documents side by side, and of an opened result."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QScrollArea,
    QScrollBar,
    QVBoxLayout,
    QWidget,
)

from irjudge.judging import ComparisonSession, ListedDocument, PresentedLists
from irjudge.model import ComparisonRules
from irjudge.text import Term, to_utf16_positions
from irjudge_ui.jobs import LatestJob, raise_unexpected
from irjudge_ui.messages import filled, translate_message
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_S,
    CardContent,
    DocumentView,
    GradeButtons,
    ResultCard,
    Span,
    card,
    column,
    keycap,
    make_button,
    make_container,
    make_label,
    make_scroll_area,
    make_timer,
    read_picture,
    row,
)
from irjudge_ui.workspace import MarkedDocumentLoader, grade_key_text

# Views of a compared item: two ranked lists, or two documents, side by side

LINE_STEPS = 3  # number of single steps of the scroll bar per key press


class SideBySideView(QWidget):
    """Base class of the views of two ranked lists or documents side by side.

    `is_linked` is whether both sides scroll together. `lowest_visible` returns how far the user has
    seen each side of the current item. `rendered` is emitted once both sides are on screen,
    `scrolled` whenever a side has scrolled, `opened` with the side (0 left, 1 right) and the index
    of a result to open, from 0.
    """

    rendered = Signal()
    scrolled = Signal()
    opened = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.is_linked = True  # whether both sides scroll together
        self._is_syncing = False
        self._unpainted_sides = {0, 1}

    def show_lists(self, session: ComparisonSession, lists: PresentedLists, zoom: float) -> None:
        raise NotImplementedError

    def lowest_visible(self) -> tuple[int, int]:
        """Return, for each side, the rank of the lowest result that has been visible.

        Ranks are counted from 1; 0 if none was visible.
        """
        raise NotImplementedError

    def stop(self) -> None: ...

    def step(self, lines: int = 0, pages: int = 0) -> None:
        """Scroll by lines or pages: both sides if linked, otherwise the focused side.

        If linked, the longer side is scrolled, and the other side follows as far as it can.
        """
        left, right = self.bars
        focused_widget = self.focusWidget()
        if self.is_linked:
            bar = max(left, right, key=QScrollBar.maximum)
        else:
            is_right = focused_widget and self._parts[1].isAncestorOf(focused_widget)
            bar = right if is_right else left
        bar.setValue(bar.value() + lines * LINE_STEPS * bar.singleStep() + pages * bar.pageStep())

    def _lay_out(self, parts: Sequence[QWidget], areas: Sequence[QAbstractScrollArea]) -> None:
        """Place the parts of both sides side by side, and link the scroll bars of their areas."""
        self._parts, self.bars = parts, [area.verticalScrollBar() for area in areas]
        box = row(*parts, spacing=SPACE_L)
        for side in (0, 1):
            box.setStretch(side, 1)
        self.setLayout(box)
        for moved_bar, other_bar in (self.bars, self.bars[::-1]):
            moved_bar.valueChanged.connect(
                lambda value, other_bar=other_bar: self._on_moved(value, other_bar)
            )

    def _on_moved(self, value: int, other: QScrollBar) -> None:
        if self.is_linked and not self._is_syncing:
            self._is_syncing = True
            other.setValue(value)
            self._is_syncing = False
        self.scrolled.emit()

    def _on_rendered(self, side: int) -> None:
        if self._unpainted_sides:
            self._unpainted_sides.discard(side)
            if not self._unpainted_sides:
                self.rendered.emit()


class ComparedLists(SideBySideView):
    """View of two ranked lists side by side, whose results are shown as cards.

    Documents that are in both lists can be marked with their rank in the other list.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lists = (ResultList(self.tr("Left")), ResultList(self.tr("Right")))
        self._results: tuple[Sequence[ListedDocument], Sequence[ListedDocument]] = ((), ())
        self._shows_shared = False
        self._picture_job = LatestJob(owner=self)
        for side, result_list in enumerate(self.lists):
            result_list.rendered.connect(lambda side=side: self._on_rendered(side))
            result_list.opened.connect(lambda rank, side=side: self.opened.emit(side, rank))
        self._lay_out(self.lists, [result_list.area for result_list in self.lists])
        self.setFocusProxy(self.lists[0].area)

    def show_lists(self, session: ComparisonSession, lists: PresentedLists, _zoom: float) -> None:
        self._unpainted_sides = {0, 1}
        self._results = (lists.left, lists.right)
        for side_list, results in zip(self.lists, self._results, strict=True):
            side_list.show_results(results)
        if self._shows_shared:
            self._show_shared()
        cards = [card for result_list in self.lists for card in result_list.cards.visible_cards]
        contents = [
            (card, session.picture(result.document))
            for card, result in zip(cards, lists.results, strict=True)
            if result.pictured
        ]
        self._picture_job.stop()
        if contents:
            self._picture_job.run(
                lambda _progress: [(card, read_picture(data).image) for card, data in contents],
                self._show_pictures,
                raise_unexpected,
            )

    def _show_pictures(self, pictures: Sequence[tuple[ResultCard, QImage]]) -> None:
        for result, picture in pictures:
            if not picture.isNull():
                result.show_picture(picture)

    def stop(self) -> None:
        self._picture_job.stop()

    def switch_same(self) -> bool:
        """Show or hide marks of documents that are in both lists.

        Return whether the marks are now shown.
        """
        self._shows_shared = not self._shows_shared
        self._show_shared()
        return self._shows_shared

    def _show_shared(self) -> None:
        ranks = [
            {result.document: rank for rank, result in enumerate(results, 1)}
            for results in self._results
        ]
        for result_list, own_results, ranks_of_other in zip(
            self.lists, self._results, reversed(ranks), strict=True
        ):
            result_list.show_notes(
                [
                    f"= {ranks_of_other[result.document]}"
                    if self._shows_shared and result.document in ranks_of_other
                    else ""
                    for result in own_results
                ]
            )

    def lowest_visible(self) -> tuple[int, int]:
        return self.lists[0].lowest, self.lists[1].lowest


class ComparedDocuments(SideBySideView):
    """View of two full documents side by side; documents not seen before are marked as new.

    `lowest_visible` returns, for each side, whether the end of the document has been visible.
    `opened` is never emitted.
    """

    def __init__(self) -> None:
        super().__init__()
        names = (self.tr("Left"), self.tr("Right"))
        self.views = (DocumentView(), DocumentView())
        self.marks = tuple(make_label(self.tr("new"), "fresh", wrap=False) for _ in names)
        self._loaders = tuple(MarkedDocumentLoader(view) for view in self.views)
        self._max_seen = [0, 0]
        parts: list[QWidget] = []
        for side, (name, view, mark) in enumerate(zip(names, self.views, self.marks, strict=True)):
            view.setAccessibleName(filled(self.tr("Document: {name}"), name=name))
            view.rendered.connect(lambda side=side: self._on_list_rendered(side))
            view_card = card(view, margin=SPACE_L)
            parts.append(
                make_container(
                    column(
                        row(make_label(name, "heading", wrap=False), mark, None),
                        view_card,
                        stretched=view_card,
                    )
                )
            )
        self._lay_out(parts, self.views)
        self.scrolled.connect(self._record_visible)
        self.setFocusProxy(self.views[0])

    def show_lists(self, session: ComparisonSession, lists: PresentedLists, zoom: float) -> None:
        self._unpainted_sides = {0, 1}
        self._max_seen = [0, 0]
        terms: Sequence[Term] = session.terms(lists.topic.id)
        for view, loader, mark, result in zip(
            self.views, self._loaders, self.marks, (lists.left[0], lists.right[0]), strict=True
        ):
            mark.setVisible(result.is_new)
            view.ensurePolished()
            loader.show(session.document(result.document), terms, zoom)

    def stop(self) -> None:
        for loader in self._loaders:
            loader.stop()

    def lowest_visible(self) -> tuple[int, int]:
        """Return, for each side, 1 if the end of the document has been visible, otherwise 0."""
        return self._max_seen[0], self._max_seen[1]

    def _on_list_rendered(self, side: int) -> None:
        self._record_visible()
        QTimer.singleShot(0, self, lambda: self._on_rendered(side))

    def _record_visible(self) -> None:
        for side, (view, bar) in enumerate(zip(self.views, self.bars, strict=True)):
            if view.complete and bar.value() >= bar.maximum():
                self._max_seen[side] = 1


# One ranked list


class ResultList(QWidget):
    """Widget with the heading and the result cards of one ranked list.

    `lowest` is the largest rank whose card has been visible (at least half of it). `rendered` is
    emitted once the results are on screen, `opened` with the index of a result to open, from 0.
    """

    rendered = Signal()
    opened = Signal(int)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self.cards = _Cards()
        self.area: QScrollArea = make_scroll_area(
            self.cards, name=filled(self.tr("Results: {title}"), title=title)
        )
        self._empty_label = make_label(self.tr("No results."), "quiet")
        self.setLayout(
            column(
                make_label(title, "heading"),
                self._empty_label,
                self.area,
                spacing=SPACE_S,
                stretched=self.area,
            )
        )
        self.cards.rendered.connect(self._on_rendered)
        self.cards.opened.connect(self.opened)
        self.area.verticalScrollBar().valueChanged.connect(lambda _value: self._record_visible())
        self.lowest = 0  # 0 before the list is shown

    def show_results(self, results: Sequence[ListedDocument]) -> None:
        self.lowest = 0
        self._empty_label.setVisible(not results)
        self.cards.show_results(
            [self._make_card(rank, result) for rank, result in enumerate(results, 1)]
        )
        self.area.verticalScrollBar().setValue(0)

    def _make_card(self, rank: int, result: ListedDocument) -> CardContent:
        snippet = result.snippet
        title = snippet.title or result.document
        return CardContent(
            rank,
            title,
            snippet.text,
            _to_qt_spans(title, snippet.title_marks),
            _to_qt_spans(snippet.text, snippet.marks),
            filled(
                self.tr("{name}, result {rank}: {title}"),
                name=self._title,
                rank=str(rank),
                title=title,
            ),
            result.metadata,
            result.pictured,
        )

    def show_notes(self, notes: Sequence[str]) -> None:
        for result_card, note in zip(self.cards.visible_cards, notes, strict=True):
            result_card.show_note(note)
        self.cards.arrange()

    def _on_rendered(self) -> None:
        self._record_visible()
        self.rendered.emit()

    def _record_visible(self) -> None:
        bottom = self.area.verticalScrollBar().value() + self.area.viewport().height()
        # a card counts as visible if at least half of it is on screen
        self.lowest = max(
            self.lowest,
            sum(card.geometry().center().y() <= bottom for card in self.cards.visible_cards),
        )


class _Cards(QWidget):
    """Column of result cards, which are reused for the next list since creating them is slow."""

    rendered = Signal()
    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.all: list[ResultCard] = []
        self._shown_count = 0
        self._paint_announced = True
        self._paint_timer = make_timer(self, 0, self._emit_rendered)

    @property
    def visible_cards(self) -> list[ResultCard]:
        return self.all[: self._shown_count]

    def show_results(self, contents: Sequence[CardContent]) -> None:
        for index in range(len(self.all), len(contents)):
            result_card = ResultCard(self)
            result_card.opened.connect(partial(self.opened.emit, index))
            self.all.append(result_card)
        for index, list_card in enumerate(self.all):
            list_card.setVisible(index < len(contents))
        for list_card, result in zip(self.all, contents, strict=False):
            list_card.show_result(result)
        self._shown_count, self._paint_announced = len(contents), False
        self.arrange()
        self.update()

    def arrange(self) -> None:
        y = 0
        for visible_card in self.visible_cards:
            height = visible_card.height_for(self.width())
            visible_card.setGeometry(0, y, self.width(), height)
            y += height + SPACE_M
        self.setMinimumHeight(max(0, y - SPACE_M))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            QTimer.singleShot(0, self, self.arrange)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._paint_announced and not self._paint_timer.isActive():
            self._paint_timer.start(0)

    def _emit_rendered(self) -> None:
        if self.isVisible():
            self._paint_announced = True
            self.rendered.emit()


def _to_qt_spans(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Convert spans to UTF-16 positions, as used by Qt."""
    positions = (
        to_utf16_positions(text, [position for span in spans for position in span]) if spans else []
    )
    return tuple(zip(positions[::2], positions[1::2], strict=True))


# View of one result in full, which replaces the lists


class OpenedResult(QWidget):
    """View of one result in full, with grade buttons if results may be graded.

    The view does not save grades. `closed` is emitted when the user returns to the lists, `graded`
    with a grade.
    """

    closed = Signal()
    graded = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.view = DocumentView()
        self._loader = MarkedDocumentLoader(self.view)
        self._heading = make_label("", "heading", wrap=False)
        self._back_button = make_button(self.tr("Back"), clicked=self.closed)
        self._grades: GradeButtons | None = None
        self._grade_values: tuple[int, ...] = ()
        self._grade_box = QVBoxLayout()
        view_card = card(self.view, margin=SPACE_L)
        self.setLayout(
            column(
                row(self._heading, None, keycap(self.tr("Esc")), self._back_button),
                view_card,
                self._grade_box,
                spacing=SPACE_M,
                stretched=view_card,
            )
        )

    def begin(
        self,
        session: ComparisonSession,
        rules: ComparisonRules,
        key: Callable[[int], str] = grade_key_text,
    ) -> None:
        if self._grades is not None:
            self._grades.hide()
            self._grades.deleteLater()
            self._grades = None
        self._grade_values = session.scale.values if rules.grading else ()
        if self._grade_values:
            self._grades = GradeButtons(
                [(grade.value, translate_message(grade.label)) for grade in session.scale.grades]
            )
            self._grades.set_row(True)
            self._grades.show_keys({value: key(value) for value in self._grade_values})
            self._grades.chosen.connect(self.graded)
            self._grade_box.addWidget(self._grades)

    def open(
        self, session: ComparisonSession, lists: PresentedLists, side: int, rank: int, zoom: float
    ) -> None:
        result = (lists.left, lists.right)[side][rank]
        self._heading.setText(
            filled(
                self.tr("Left, result {place}") if side == 0 else self.tr("Right, result {place}"),
                place=str(rank + 1),
            )
        )
        if self._grades is not None:
            self._grades.setVisible(session.can_grade(lists))
        self.show_given(session, lists, result)
        self.view.ensurePolished()
        self._loader.show(session.document(result.document), session.terms(lists.topic.id), zoom)

    def show_given(
        self, session: ComparisonSession, lists: PresentedLists, result: ListedDocument
    ) -> None:
        if self._grades is not None:
            self._grades.mark_grade(session.find_grade(lists, result))

    def close_document(self) -> None:
        self._loader.stop()

    def handle_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return True
        digit = event.text()
        if (
            len(digit) == 1
            and digit.isascii()
            and digit.isdigit()
            and int(digit) in self._grade_values
            and not (self._grades is None or self._grades.isHidden())
            and max(self._grade_values) <= 9
        ):
            if not event.isAutoRepeat():
                self.graded.emit(int(digit))
            return True
        return False
