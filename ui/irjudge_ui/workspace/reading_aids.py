"""Reading aids for the current document: highlighted terms, best passage, find."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from irjudge.judging import PresentedDocument
from irjudge.model import Rationale, Topic
from irjudge.text import (
    MAX_TERM_LENGTH,
    Passage,
    Term,
    TermHit,
    TextMatches,
    casefold_text,
    find_best_passage,
    find_hidden_title,
    find_terms,
    locate_passages,
    query_terms,
    utf16_length,
)
from irjudge_ui.messages import filled
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    DocumentView,
    TextMarks,
    is_in_view,
    keycap,
    make_button,
    make_container,
    make_label,
    next_span,
    row,
    scroll_to,
    search_start,
    show_span,
)
from irjudge_ui.workspace.document_page import MAX_CHARACTERS_AT_ONCE, Finder, TextSearch
from irjudge_ui.workspace.highlights import format_match_position
from irjudge_ui.workspace.panels import TopicPanel


class ReadingAids(QObject):
    """Controller of the reading aids: marks terms and rationales, finds texts and passages.

    The terms are those of the topic, and those that the assessor has added, which are stored in the
    user's settings, not in the project. The judging page and the adjudication page have these aids.

    The page places two widgets above the document, which are hidden until needed: the find bar
    `bar`, and `notice`, which reports that the document was opened at the best passage.
    """

    # emitted with a message that the page shows
    message_shown = Signal(str)

    def __init__(self, document: DocumentView, panel: TopicPanel) -> None:
        super().__init__(document)
        self._document, self._panel, self._card = document, panel, panel.highlights
        self._topic: Topic | None = None
        self._query: tuple[Term, ...] = ()
        self._terms_by_topic: dict[Topic, tuple[Term, ...]] = {}
        # settings that store the assessor's own terms, and project to which the terms belong
        self._storage: tuple[Settings, Path] | None = None
        self._text, self._matches = "", TextMatches()
        self._current: int | None = None  # index of the current occurrence
        self._is_complete = self._starts_at_best_passage = False
        # position of the best passage; None once the passage is on screen
        self._best_position: int | None = None
        self._text_search, self._passages = TextSearch(self), TextSearch(self)
        self._marks = TextMarks(document)
        self._marks.drawn.connect(self._show_marked)
        self._finder = Finder(document, self._marks)
        self.bar = self._finder.bar
        self.notice = self._make_notice()
        # deferred, since `loaded` may be emitted before the document is passed to `begin`
        self._deferred_search = QTimer(self, singleShot=True)
        self._deferred_search.timeout.connect(self._on_loaded)
        document.loaded.connect(self._deferred_search.start)
        document.rendered.connect(self._on_rendered)
        document.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._card.added.connect(self.add)
        self._card.removed.connect(self.remove)
        self._card.chosen.connect(self.go_to_term)
        self._card.left.connect(document.setFocus)
        self._card.stepped.connect(self._step)

    def _make_notice(self) -> QWidget:
        show_all_button = make_button(self.tr("Show all"), "link", clicked=self.show_all)
        notice = make_label(self.tr("Opened at the best-matching passage."), "small", wrap=False)
        content = make_container(row(notice, show_all_button, keycap(self.tr("Home", "key")), None))
        content.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        content.hide()
        return content

    def store_terms(self, settings: Settings, project: Path) -> None:
        """Set the settings and the project for which the assessor's own terms are stored.

        Terms are not stored in the project, since reading a document must not change the project.
        """
        if self._storage != (settings, project):
            self._terms_by_topic.clear()
        self._storage = settings, project

    def begin(self, presentation: PresentedDocument, *, best_passage: bool = False) -> None:
        """Mark the terms in a document of which at least the beginning is in the view.

        If `best_passage`, scroll to the best passage once it is known.
        """
        if presentation.topic != self._topic:
            self._topic = presentation.topic
            self._query = _topic_terms(presentation.topic)
        self._starts_at_best_passage, self._best_position = best_passage, None
        self.notice.hide()
        self._marks.clear()
        self._search_text()

    def show_reasons(self, presentation: PresentedDocument, reasons: Sequence[Rationale]) -> None:
        """Mark saved rationales in the text; in a very long text they are not marked."""
        spans: list[tuple[int, int]] = []
        if reasons and self._is_complete and len(self._text) <= MAX_CHARACTERS_AT_ONCE:
            spans = [
                (utf16_length(self._text[:begin]), utf16_length(self._text[:end]))
                for begin, end in locate_passages(
                    [Passage(reason.text, reason.begin, reason.end) for reason in reasons],
                    self._text,
                    find_hidden_title(presentation.document),
                )
            ]
        self._marks.mark_rationales(spans)

    def stop(self) -> None:
        """Stop searching, and remove all marks of the document."""
        self._is_complete, self._starts_at_best_passage, self._best_position = True, False, None
        self._text_search.stop()
        self._passages.stop()
        self._text, self._matches, self._current = "", TextMatches(), None
        self._finder.read("")
        self._marks.clear()
        self.notice.hide()

    # Search results

    @property
    def hits(self) -> list[TermHit]:
        """Occurrences of the highlighted terms in the text."""
        return self._matches.hits

    @property
    def has_hits(self) -> bool:
        """Whether the document is visible and contains highlighted terms."""
        return bool(self.hits) and self._document.isVisible()

    @property
    def terms(self) -> tuple[Term, ...]:
        """Highlighted terms; the assessor's own terms come first and have priority in overlaps."""
        return (*self._own_terms(self._topic), *self._query) if self._topic else ()

    def terms_of(self, presentation: PresentedDocument) -> tuple[Term, ...]:
        """Return the highlighted terms of the topic of any document, not only the current one."""
        return (
            *self._own_terms(presentation.topic),
            *(
                self._query
                if presentation.topic == self._topic
                else _topic_terms(presentation.topic)
            ),
        )

    def _search_text(self) -> None:
        """Search the text inserted so far for the terms and the query of the find bar."""
        self._is_complete = self._document.complete
        self._text = self._document.toPlainText()
        self._search()
        self._finder.read(self._text)

    def _search(self) -> None:
        self._matches, self._current = TextMatches(), None
        self._passages.stop()
        self._panel.show_hits(self.terms, [])
        self._card.show_searching()
        self._text_search.find(self._text, partial(find_terms, terms=self.terms), self._on_matches)

    def _on_matches(self, matches: TextMatches) -> None:
        self._matches = matches
        self._marks.mark_hits(matches.positions)
        if not self._is_complete:
            return  # counts are shown after the whole text has been inserted
        self._panel.show_hits(self.terms, matches.hits, has_more=matches.has_more)
        self._show_marked()
        if self._starts_at_best_passage and matches.hits:
            self._find_passage(self._open_at)
        self._starts_at_best_passage = False

    def _show_marked(self) -> None:
        matches = self._matches if self._is_complete else TextMatches()
        self._card.show_marked(
            self._marks.hit_count, len(matches.positions), has_more=matches.has_more
        )

    def _on_loaded(self) -> None:
        if not self._is_complete and self._topic and self._document.complete:
            self._search_text()

    # Own terms

    def highlight(self) -> None:
        """Highlight the selected text as a term; if none is selected, focus the field for terms."""
        cursor = self._document.textCursor()
        selection = (cursor.selectionStart(), cursor.selectionEnd())
        visited_spans = (
            self._finder.shown,
            None if self._current is None else self._matches.positions[self._current],
        )
        if cursor.hasSelection() and selection not in visited_spans:
            self.add(cursor.selectedText())
        elif self._card.isVisible():
            self._card.field.setFocus()
        else:
            self.message_shown.emit(self.tr("Select a word in the document first."))

    def add(self, text: str) -> None:
        """Highlight another term in all documents of the topic."""
        text = " ".join(text.split())
        own_terms = self._own_terms(self._topic) if self._topic else ()
        matching_terms = [
            index
            for index, term in enumerate(own_terms)
            if casefold_text(term.text) == casefold_text(text)
        ]
        if len(text) > MAX_TERM_LENGTH:
            self.message_shown.emit(
                filled(
                    self.tr(
                        "Select a shorter text: at most {limit} characters can be highlighted."
                    ),
                    limit=str(MAX_TERM_LENGTH),
                )
            )
        elif matching_terms:
            self.go_to_term(matching_terms[0])
        elif text and self._topic:
            self._store_own_terms(self._topic, (*own_terms, Term(text, is_own=True)))
            self._search()
            self._card.show_term(len(own_terms))
            if not self._card.isVisible():
                self.message_shown.emit(filled(self.tr("Highlighted: {text}."), text=text))

    def remove(self, index: int) -> None:
        """Remove one of the assessor's own terms, given its index among them."""
        if self._topic:
            own_terms = self._own_terms(self._topic)
            self._store_own_terms(self._topic, own_terms[:index] + own_terms[index + 1 :])
            self._document.setFocus()
            self._search()

    def _own_terms(self, topic: Topic) -> tuple[Term, ...]:
        if topic not in self._terms_by_topic:
            stored_terms = (
                self._storage[0].own_terms(self._storage[1]).get(topic.id, ())
                if self._storage
                else ()
            )
            self._terms_by_topic[topic] = tuple(Term(text, is_own=True) for text in stored_terms)
        return self._terms_by_topic[topic]

    def _store_own_terms(self, topic: Topic, own_terms: tuple[Term, ...]) -> None:
        self._terms_by_topic[topic] = own_terms
        if self._storage:
            settings, project = self._storage
            settings.store_own_terms(project, topic.id, [term.text for term in own_terms])

    # Navigation

    def next_hit(self) -> None:
        """Go to the next occurrence of any highlighted term."""
        self._step(1)

    def previous_hit(self) -> None:
        """Go to the previous occurrence of any highlighted term."""
        self._step(-1)

    def go_to_term(self, index: int) -> None:
        """Go to the next occurrence of a term, given its index in `terms`."""
        spans = self._matches.positions
        term_hits = [
            index_of_hit for index_of_hit, hit in enumerate(self.hits) if hit.term == index
        ]
        if term_hits:
            start = (
                search_start(self._document, 1)
                if self._current is None
                else spans[self._current][1]
            )
            self._show_match(
                term_hits[next_span([spans[index] for index in term_hits], None, start, 1)]
            )

    def _step(self, step: int) -> None:
        if self._matches.positions:
            self._show_match(
                next_span(
                    self._matches.positions, self._current, search_start(self._document, step), step
                )
            )

    def _show_match(self, index: int) -> None:
        self._current = index
        show_span(self._document, self._matches.positions[index])
        self._card.show_position(index, len(self.hits), has_more=self._matches.has_more)
        if not self._card.isVisible():
            self.message_shown.emit(
                format_match_position(index, len(self.hits), has_more=self._matches.has_more)
            )

    # Find

    def find(self) -> None:
        """Open the find bar."""
        self._finder.open()

    def find_next(self) -> None:
        """Go to the next match of the find bar's query."""
        self._finder.step(1)

    def find_previous(self) -> None:
        """Go to the previous match of the find bar's query."""
        self._finder.step(-1)

    # The best passage

    def show_passage(self) -> None:
        """Select the passage with the most occurrences of terms, and scroll to it."""
        if self.hits:
            self._find_passage(self._document.show_range)

    def show_all(self) -> None:
        """Scroll to the top of the document, and hide the notice."""
        self._document.verticalScrollBar().setValue(0)
        self.notice.hide()
        self._document.setFocus()

    def _find_passage(self, show_span: Callable[[int, int], None]) -> None:
        text, hits = self._text, self.hits
        self._passages.start(
            len(text), lambda _progress: _find_passage(text, hits), lambda span: show_span(*span)
        )

    def _open_at(self, begin: int, end: int) -> None:
        """Scroll to a passage, unless it is in view or the user has scrolled."""
        if self._document.verticalScrollBar().value() == 0 and not is_in_view(self._document, end):
            scroll_to(self._document, begin)
            self._best_position = begin
            self.notice.setVisible(self._document.verticalScrollBar().value() > 0)

    def _on_rendered(self) -> None:
        # scrolled again, since the view had no size when `_open_at` was called
        if self._best_position is not None:
            scroll_to(self._document, self._best_position)
            self._best_position = None

    def _on_scrolled(self, value: int) -> None:
        if value == 0:
            self.notice.hide()


def _topic_terms(topic: Topic) -> tuple[Term, ...]:
    return query_terms(topic.title, context=f"{topic.description} {topic.narrative}")


def _find_passage(text: str, hits: Sequence[TermHit]) -> tuple[int, int]:
    """Return the begin and end of the best passage in UTF-16 code units, as Qt counts."""
    begin, end = find_best_passage(text, hits)
    return utf16_length(text[:begin]), utf16_length(text[:end])
