"""Finds the topic's words in the document on screen, and its best passage."""

from collections.abc import Sequence

from irjudge.judging.session import Work
from irjudge.text.highlight import Hit, Term, find, query_terms, utf16_positions
from irjudge.text.passages import best_passage
from irjudge_ui import jobs
from irjudge_ui.views.judge_panels import TopicPanel
from irjudge_ui.widgets.document_view import DocumentView

AT_ONCE = 100_000  # letters looked through before the document is painted; longer ones are marked a moment later


class Reading:
    """Marks what was asked for in what is read."""

    def __init__(self, document: DocumentView, panel: TopicPanel) -> None:
        self._document, self._panel = document, panel
        self._topic = ""
        self._terms: tuple[Term, ...] = ()
        self._text, self.hits = "", list[Hit]()

    def begin(self, work: Work) -> None:
        """Look through a document that was just handed to the page."""
        if work.topic.id != self._topic:
            self._topic = work.topic.id
            self._terms = query_terms(work.topic.title, context=f"{work.topic.description} {work.topic.narrative}")
        text, terms = self._document.toPlainText(), self._terms
        self._text, self.hits = text, []
        if len(text) <= AT_ONCE:
            self._show(text, find(text, terms))
        else:
            self._document.mark([])
            self._panel.show_hits(terms, [])
            jobs.run(lambda _progress: find(text, terms), lambda hits: self._show(text, hits), lambda _fault, _trace: None)

    def _show(self, text: str, hits: Sequence[Hit]) -> None:
        if text is not self._text:
            return  # another document is on screen by now
        self.hits = list(hits)
        self._document.mark(self._spans([(hit.begin, hit.end) for hit in hits]))
        self._panel.show_hits(self._terms, hits)

    @property
    def has_hits(self) -> bool:
        """Whether the document has any of the topic's words."""
        return bool(self.hits)

    def show_passage(self) -> None:
        """Bring the passage with most of the words to the top."""
        if self.hits:
            self._document.show_place(*self._spans([best_passage(self._text, self.hits)])[0])

    def _spans(self, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        flat = utf16_positions(self._text, [place for span in places for place in span])
        return list(zip(flat[::2], flat[1::2], strict=True))
