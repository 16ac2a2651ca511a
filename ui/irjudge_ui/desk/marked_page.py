"""A document in a view with the words of its topic marked, and nothing else around it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject

from irjudge.model.documents import Document
from irjudge.text.highlight import Term, TextMatches, find
from irjudge_ui.desk.document_page import DocumentOnDesk
from irjudge_ui.desk.find import TextSearch
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.document.text_marks import TextMarks


class MarkedPage(QObject):
    """Shows documents in a view; short ones are there, marked, when `show` returns."""

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view, self._page, self._marks = view, DocumentOnDesk(view), TextMarks(view)
        self._text_search = TextSearch()
        self._terms: Sequence[Term] = ()
        self._page.begun.connect(self._on_begun)
        view.loaded.connect(self._look)

    def show(self, document: Document, terms: Sequence[Term], zoom: float) -> None:
        """Show a document from its top."""
        self._terms = terms
        self._text_search.stop()
        self._marks.clear()
        self._page.show(document, zoom)

    def stop(self) -> None:
        """Bring no more of the document."""
        self._page.stop()
        self._text_search.stop()

    def _on_begun(self) -> None:
        """Mark what is in of a long document; the rest is marked when it is there."""
        if not self._view.complete:
            self._look()

    def _look(self) -> None:
        self._text_search.find(
            self._view.toPlainText(), partial(find, terms=self._terms), self._mark
        )

    def _mark(self, found: TextMatches) -> None:
        self._marks.mark_hits(found.places)
