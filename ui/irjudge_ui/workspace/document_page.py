"""Documents in views: loading in the background, find, marked terms, menu, printing."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from time import monotonic
from typing import TypeVar

from PySide6.QtCore import (
    QObject,
    QPoint,
    QRect,
    QSizeF,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtGui import QAction, QDesktopServices, QPageLayout, QTextCursor
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QWidget

from irjudge.model import UNJUDGEABLE_REASONS, Document
from irjudge.progress import SILENT, Progress
from irjudge.text import (
    Term,
    TermHit,
    TextMatches,
    find_terms,
    find_typed,
    search_slices,
    to_slices,
)
from irjudge_ui.actions import bind_key_cap, key_cap_text
from irjudge_ui.jobs import LatestJob, raise_unexpected
from irjudge_ui.messages import filled, translate
from irjudge_ui.widgets import (
    Dialog,
    DocumentPicture,
    DocumentView,
    FindBar,
    TextMarks,
    TextSpan,
    clear_selection,
    make_growing,
    make_label,
    make_timer,
    next_span,
    read_address,
    read_picture,
    search_start,
    show_span,
    write_rows,
)
from irjudge_ui.workspace.messages import reason_label

# Loading of documents

MAX_BYTES_AT_ONCE = 30_000  # maximum size of a document that is loaded without a background job
BATCH_SECONDS = 0.05
LOADING_MESSAGE_MS = 200  # delay before the message that a document is loading
MAX_PIXELS = 50_000_000  # maximum number of pixels of all pictures of a document together
LINK_SIZE = (520, 300)
EMBEDDED_IMAGE = re.compile('<img src="(data:image/[^"]++)">')
WEB_SCHEMES = ("http", "https", "mailto")

ProblemTexts = dict[str, str]


@dataclass(frozen=True, slots=True)
class Batch:
    """Part of a document that a background job has prepared: slices and their pictures.

    A slice is a part of the HTML that is inserted in one step. `pictures` are the decoded pictures
    that no earlier batch contained, by the names that the slices use. `has_more` is whether more
    slices follow. `description` describes an image to screen readers.
    """

    slices: list[str]
    pictures: dict[str, DocumentPicture] = field(default_factory=dict)
    has_more: bool = False
    description: str = ""


class DocumentLoader(QObject):
    """Loader of documents into a view, one at a time; a new document replaces the previous one.

    The loader marks no terms in the text.

    Short documents are loaded immediately, other documents and pictures in the background. `begun`
    is emitted when the first part of the text has been inserted, before it is on screen.
    """

    begun = Signal()

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view = view
        self._zoom = 1.0
        self._document_job, self._picture_job = LatestJob(owner=self), LatestJob(owner=self)
        self._has_begun = False
        self._document: Document | None = None
        self._batch_maker: _BatchMaker | None = None
        self._message_timer = make_timer(
            self, LOADING_MESSAGE_MS, lambda: self._view.show_waiting(self.tr("Loading …"))
        )
        view.more_requested.connect(self._next)
        view.link_requested.connect(lambda address: ask_link(view, address))

    def show(self, document: Document, zoom: float = 1.0) -> None:
        """Load a document, and show it from the top; the view emits `rendered` and `loaded`."""
        self.stop()
        self._zoom, self._has_begun, self._document = zoom, False, document
        if _is_simple(document):
            self._view.show_slices(list(to_slices(document)), zoom)
            self._begin()
            return
        self._view.show_waiting()
        self._message_timer.start()
        descriptions = self._problem_texts()
        if document.kind == "image":
            self._run_batch(lambda _progress: _render_image(document, descriptions))
        else:
            self._batch_maker = _BatchMaker(document, descriptions)
            self._run_batch(self._batch_maker.first)

    def stop(self) -> None:
        """Cancel loading."""
        self._message_timer.stop()
        self._batch_maker = None
        self._document_job.stop()
        self._picture_job.stop()

    def _run_batch(self, work: Callable[[Progress], Batch]) -> None:
        self._document_job.run(work, self._add_batch, self._on_failed)

    def _next(self) -> None:
        """Prepare the next batch in the background, after the view has inserted all slices.

        Preparing it earlier would slow down the window.
        """
        if self._batch_maker and not self._document_job.busy:
            self._run_batch(self._batch_maker.next)

    def _add_batch(self, batch: Batch) -> None:
        self._message_timer.stop()
        if self._has_begun:
            self._view.add_slices(batch.slices, has_more=batch.has_more, pictures=batch.pictures)
        else:
            self._has_begun = True
            self._view.show_slices(
                batch.slices, self._zoom, has_more=batch.has_more, pictures=batch.pictures
            )
            self._begin()
        if batch.description:
            self._view.setAccessibleDescription(batch.description)

    def _begin(self) -> None:
        """Show the fields of the document, and its picture once it is decoded; emit `begun`."""
        document = self._document
        if document and (document.fields or document.picture):
            self._view.show_fields(document.fields, pictured=bool(document.picture))
            if document.picture:
                rows, data = document.fields, document.picture
                self._picture_job.run(
                    lambda _progress: read_picture(data),
                    lambda picture: self._view.show_fields(
                        rows, picture, pictured=not picture.problem
                    ),
                    self._on_failed,
                )
        self.begun.emit()

    def _on_failed(self, error: Exception, _trace: str) -> None:
        self._batch_maker = None
        message = self.tr("This document cannot be shown because of an error in irjudge.")
        self._add_batch(Batch([f"<p><i>{escape(message)}</i></p>"]))
        raise error  # an unexpected error, which the window shows

    def _problem_texts(self) -> ProblemTexts:
        return {
            "": self.tr("Image, {width} × {height} pixels"),
            "damaged": self.tr("This image is damaged and cannot be shown."),
            "large": self.tr("This image is too large to show: {width} × {height} pixels."),
            "many": self.tr("This image is not shown because the page has too many images."),
        }


class LinkDialog(Dialog):
    """Dialog that asks for confirmation before an external link of a document is opened.

    The dialog shows the URL in ASCII, since other characters may look alike. The link is opened in
    the default browser or e-mail program.
    """

    def __init__(self, parent: DocumentView, address: QUrl) -> None:
        super().__init__(parent, LINK_SIZE)
        self._address = address
        address_field = QPlainTextEdit(
            address.toString(QUrl.ComponentFormattingOption.FullyEncoded),
            readOnly=True,
            tabChangesFocus=True,
        )
        address_field.setAccessibleName(self.tr("Address"))
        host = address.host(QUrl.ComponentFormattingOption.FullyEncoded)
        message = (
            filled(self.tr("The link opens {host}."), host=host)
            if host
            else self.tr("The link opens a new e-mail.")
        )
        privacy_note = self.tr("Opening a link may reveal to others that you read this document.")
        self.fill(
            self.tr("Open this link?"),
            [make_label(message), make_growing(address_field), make_label(privacy_note, "quiet")],
            [(self.tr("Open in the browser"), self._open), (self.tr("Stay"), None)],
        )

    def _open(self) -> None:
        QDesktopServices.openUrl(self._address)


def ask_link(view: DocumentView, address: str) -> LinkDialog | None:
    """Ask whether to open a web or mail URL; do nothing for other URLs."""
    url = QUrl(address)
    if not url.isValid() or url.scheme() not in WEB_SCHEMES:
        return None
    dialog = LinkDialog(view, url)
    # the clicked link would otherwise stay selected
    dialog.finished.connect(lambda: clear_selection(view))
    dialog.open()
    return dialog


def _is_simple(document: Document) -> bool:
    """Return whether a document is short and has no pictures in its text.

    Such a document loads in a few milliseconds.
    """
    is_short = len(document.body) + len(document.title) <= MAX_BYTES_AT_ONCE
    return is_short and document.kind != "image" and b"data:image/" not in document.body


# Background work


class _BatchMaker:
    """Generator of the batches of a document; only one background job uses it at a time."""

    def __init__(self, document: Document, problem_texts: ProblemTexts) -> None:
        self._document, self._problem_texts = document, problem_texts
        self._slices: Iterator[str] = iter(())
        self._names: dict[str, str] = {}
        self._pixels = 0
        self._pending_slice: str | None = None

    def first(self, progress: Progress) -> Batch:
        """Return the first batch, which has one slice, so that the document appears quickly."""
        self._slices = to_slices(self._document)
        self._pending_slice = next(self._slices)
        return self._make_batch(progress, 0)

    def next(self, progress: Progress) -> Batch:
        """Return the next batch: as many slices as can be prepared in `BATCH_SECONDS`."""
        return self._make_batch(progress, BATCH_SECONDS)

    def _make_batch(self, progress: Progress, seconds: float) -> Batch:
        slices = list[str]()
        pictures = dict[str, DocumentPicture]()
        deadline = monotonic() + seconds
        while self._pending_slice is not None:
            slices.append(
                EMBEDDED_IMAGE.sub(
                    lambda match: self._replace_picture(match[1], pictures), self._pending_slice
                )
            )
            self._pending_slice = next(self._slices, None)
            progress.step(0, None, "")
            if monotonic() >= deadline:
                break
        return Batch(slices, pictures, self._pending_slice is not None)

    def _replace_picture(self, address: str, pictures: dict[str, DocumentPicture]) -> str:
        if address in self._names:
            return self._names[address]
        picture = (
            DocumentPicture(problem="large") if self._pixels > MAX_PIXELS else read_address(address)
        )
        self._pixels += picture.image.width() * picture.image.height()
        if picture.problem:
            problem_text = self._problem_texts[
                "many" if self._pixels > MAX_PIXELS else picture.problem
            ]
            self._names[address] = f"<i>[{escape(_describe_size(problem_text, picture))}]</i>"
        else:
            name = f"irjudge-picture:{len(self._names)}"
            pictures[name] = picture
            self._names[address] = f'<img src="{name}">'
        return self._names[address]


def _render_image(document: Document, problem_texts: ProblemTexts) -> Batch:
    picture = read_picture(document.body)
    title = f"<h1>{escape(document.title)}</h1>" if document.title else ""
    description = _describe_size(problem_texts[picture.problem], picture)
    if picture.problem:
        return Batch([f"{title}<p><i>{escape(description)}</i></p>"])
    return Batch(
        [f'{title}<p><img src="irjudge-picture:0"></p>'],
        {"irjudge-picture:0": picture},
        description=description,
    )


def _describe_size(description: str, picture: DocumentPicture) -> str:
    return filled(description, width=f"{picture.width:,}", height=f"{picture.height:,}")


# Find in document

MAX_CHARACTERS_AT_ONCE = (
    # maximum length of a text that is searched immediately; longer texts are searched in the
    # background
    100_000
)
# maximum number of matches that are marked immediately; marking this number takes 50 ms
MAX_MATCHES_AT_ONCE = 5_000
T = TypeVar("T")


class TextSearch:
    """Runner of searches in a text, one at a time; a new search cancels the running one.

    A short text is searched immediately, so that the callback is called before the method
    returns. A long text, and with `find` also a text with many matches, is searched in the
    background. A search that runs when `owner` is destroyed has no result.
    """

    def __init__(self, owner: QObject) -> None:
        self._job = LatestJob(owner=owner)

    def start(
        self, length: int, compute: Callable[[Progress], T], on_done: Callable[[T], None]
    ) -> None:
        """Call `compute` for a text of `length` characters, then `on_done` with the result.

        `compute` is called immediately for a short text, in the background for a long text.
        """
        self._job.stop()
        if length <= MAX_CHARACTERS_AT_ONCE:
            on_done(compute(SILENT))
        else:
            self._job.run(compute, on_done, raise_unexpected)

    def find(
        self,
        text: str,
        find_hits: Callable[[str], Sequence[TermHit]],
        on_done: Callable[[TextMatches], None],
    ) -> None:
        """Search a text, and call `on_done` with the matches.

        The text is searched immediately if it is short and has few matches, otherwise in the
        background.
        """
        first_matches = (
            search_slices(text, find_hits, max_hits=MAX_MATCHES_AT_ONCE)
            if len(text) <= MAX_CHARACTERS_AT_ONCE
            else None
        )
        if first_matches is None or first_matches.has_more:
            self._job.run(
                lambda progress: search_slices(text, find_hits, progress), on_done, raise_unexpected
            )
        else:
            self._job.stop()
            on_done(first_matches)

    def stop(self) -> None:
        """Cancel the running search, and drop its callback."""
        self._job.stop()

    @property
    def busy(self) -> bool:
        return self._job.busy


class Finder(QObject):
    """Controller of a find bar: searches the text of a document view, and shows the matches.

    The text to search is set with `read`; the page places the find bar `bar`. `moved` is emitted
    with the number of the current match, from 0. If the page searches several documents, the bar
    calls `step_documents` instead of `step` to go to the next match.
    """

    moved = Signal(int)

    def __init__(
        self,
        document: DocumentView,
        marks: TextMarks,
        step_documents: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(document)
        self._document, self._marks = document, marks
        self._text_search = TextSearch(self)
        self._text = ""
        self._matches = TextMatches()
        self._current: int | None = None
        self._requested_number: int | None = None
        # span of the match that was shown last; it stays selected when the bar is closed
        self.shown: TextSpan | None = None
        self._search_start = 0  # text position from which the next match is searched
        self.bar = FindBar()
        bind_key_cap("find-next", self.bar.show_next_key, self.bar)
        bind_key_cap("find-previous", self.bar.show_previous_key, self.bar)
        self.bar.hide()
        self.bar.search_requested.connect(lambda _query, _case: self._search(1))
        self.bar.step_requested.connect(step_documents or self.step)
        self.bar.closed.connect(self.close)

    def read(self, text: str) -> None:
        """Set the text to search; if the bar is open, search it without scrolling."""
        self._text, self._search_start, self.shown = text, 0, None
        self._clear_matches()
        if self.bar.is_open:
            self._search(0)

    def open(self) -> None:
        """Open the bar, focus its field and search."""
        was_open = self.bar.is_open
        self._search_start = search_start(self._document, -1)
        self.bar.open()
        if not was_open:
            self._search(0)

    def close(self) -> None:
        """Close the bar and remove the marks; the match shown last stays selected."""
        self._clear_matches()
        self.bar.hide()
        self._document.setFocus()

    def step(self, step: int) -> None:
        """Go to the next (1) or previous (-1) match; without a query, open the bar."""
        if not self.bar.field.text():
            self.open()
        elif not self.bar.is_open:
            self._search_start = search_start(self._document, step)
            self.bar.show()
            self._search(step)
        elif self._matches.positions:
            self._show(
                next_span(
                    self._matches.positions, self._current, search_start(self._document, step), step
                )
            )

    @property
    def number(self) -> int | None:
        """Number of the current match, from 0; None if there is none."""
        return self._current

    @property
    def count(self) -> int:
        return len(self._matches.positions)

    def go_to_match(self, number: int) -> None:
        """Go to a match, given its number from 0, as soon as this match is known."""
        self._requested_number = number
        self._show_requested()

    def _show_requested(self) -> bool:
        if self._requested_number is None or self._requested_number >= len(self._matches.positions):
            return False
        index, self._requested_number = self._requested_number, None
        self._show(index)
        return True

    def _clear_matches(self) -> None:
        self._text_search.stop()
        self._matches, self._current = TextMatches(), None
        self._marks.mark_matches([])

    def _search(self, step: int) -> None:
        """Search the text for the query.

        If `step` is 1, then go to the first match after the start position; if it is -1, go to the
        last match before this position.
        """
        self._clear_matches()
        self._requested_number = None if step else self._requested_number
        entered_text, text = self.bar.field.text(), self._text if self.bar.field.text() else ""
        find_hits = partial(find_typed, typed=entered_text, match_case=self.bar.case.isChecked())
        self.bar.show_searching()
        self._text_search.find(text, find_hits, partial(self._on_matches, step=step))

    def _on_matches(self, matches: TextMatches, step: int) -> None:
        self._matches = matches
        self._marks.mark_matches(matches.positions)
        self.bar.show_count(None, len(matches.positions), has_more=matches.has_more)
        if self._show_requested():
            return
        if step and matches.positions:
            self._show(next_span(matches.positions, None, self._search_start, step))
        # the selected text is no longer a match
        elif step and self._document.textCursor().hasSelection():
            clear_selection(self._document)

    def _show(self, index: int) -> None:
        self._current, self.shown = index, self._matches.positions[index]
        show_span(self._document, self.shown)
        self.bar.show_count(index, len(self._matches.positions), has_more=self._matches.has_more)
        self.moved.emit(index)


# Loading of documents in which terms are marked, for dialogs and cards without other reading aids


class MarkedDocumentLoader(QObject):
    """Loader that shows documents in a view and marks given terms in their text.

    It combines a `DocumentLoader` with a search for the terms. A short document has been loaded
    when `show` returns.
    """

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view, self._loader, self._marks = view, DocumentLoader(view), TextMarks(view)
        self._text_search = TextSearch(self)
        self._terms: Sequence[Term] = ()
        self._loader.begun.connect(self._on_begun)
        view.loaded.connect(self._search)

    def show(self, document: Document, terms: Sequence[Term], zoom: float) -> None:
        """Load a document, show it from the top, and mark terms."""
        self._terms = terms
        self._text_search.stop()
        self._marks.clear()
        self._loader.show(document, zoom)

    def stop(self) -> None:
        """Cancel loading."""
        self._loader.stop()
        self._text_search.stop()

    def _on_begun(self) -> None:
        """Mark terms in the text inserted so far, if more text will follow."""
        if not self._view.complete:
            self._search()

    def _search(self) -> None:
        self._text_search.find(
            self._view.toPlainText(), partial(find_terms, terms=self._terms), self._mark
        )

    def _mark(self, matches: TextMatches) -> None:
        self._marks.mark_hits(matches.positions)


# Menus of the judged document, and printing


class ReasonMenu(QMenu):
    """Popup menu in which the assessor selects why a document is unjudgeable.

    The menu is shown when it is created. `chosen` is emitted with one of `UNJUDGEABLE_REASONS`. The
    menu belongs to the judging page.
    """

    chosen = Signal(str)

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.aboutToHide.connect(self.deleteLater)
        self.addAction(self.tr("Why can't this be judged?")).setEnabled(False)
        for key, reason in enumerate(UNJUDGEABLE_REASONS, 1):
            choice = QAction(f"&{key}  {reason_label(reason)}", self)
            choice.triggered.connect(lambda _checked=False, reason=reason: self.chosen.emit(reason))
            self.addAction(choice)
        self.popup(self._compute_position(widget))
        self.setActiveAction(self.actions()[1])

    def _compute_position(self, widget: QWidget) -> QPoint:
        """Return the position of the menu: at the widget's lower edge, within the screen."""
        self.ensurePolished()
        menu_rect = QRect(QPoint(), self.sizeHint())
        screen_rect = widget.screen().availableGeometry()
        menu_rect.moveBottomLeft(widget.mapToGlobal(widget.rect().bottomLeft()))
        menu_rect.moveRight(min(menu_rect.right(), screen_rect.right()))
        menu_rect.moveBottom(min(menu_rect.bottom(), screen_rect.bottom()))
        menu_rect.moveTopLeft(
            QPoint(
                max(menu_rect.left(), screen_rect.left()), max(menu_rect.top(), screen_rect.top())
            )
        )
        return menu_rect.topLeft()


PRINTED_WIDTH = 680  # width of a printed page in pixels at normal zoom: about 75 characters
# maximum number of characters of a printed text; it is limited, since Qt lays out the text in one
# step
MAX_PRINTED_CHARACTERS = 200_000


class DocumentMenu(QObject):
    """Controller of the context menu of the judged document: copy, highlight, find, print …

    Most of these actions also have keys. If the menu is opened at a point outside the selection,
    the word at this point is selected first.

    `action_requested` is emitted with the id of a chosen action, except Copy, which the document
    itself executes. `message_shown` is emitted with a message about printing.
    """

    action_requested = Signal(str)
    message_shown = Signal(str)

    def __init__(self, document: DocumentView, has_pages: Callable[[], bool]) -> None:
        super().__init__(document)
        self._document, self._has_pages = document, has_pages
        document.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        document.customContextMenuRequested.connect(self.offer)

    def offer(self, point: QPoint) -> None:
        """Show the menu at a point; if the point is outside the selection, select a word there."""
        self._select_word(point)
        has_selection = self._document.textCursor().hasSelection()
        menu = QMenu(self._document)
        menu.aboutToHide.connect(menu.deleteLater)
        self._add(menu, "reason", self.tr("Mark as evidence"), enabled=has_selection)
        self._add(menu, "highlight", self.tr("Highlight"), enabled=has_selection)
        menu.addSeparator()
        menu.addAction(self.tr("Copy"), self._document.copy).setEnabled(has_selection)
        self._add(menu, "find", self.tr("Find"))
        self._add(menu, "print", self.tr("Print"))
        if self._has_pages():
            self._add(menu, "pages", self.tr("Show pages as images"))
        menu.popup(self._document.viewport().mapToGlobal(point))

    def _add(self, menu: QMenu, action: str, label: str, *, enabled: bool = True) -> None:
        action_entry = menu.addAction(f"{label}\t{key_cap_text(action)}")
        action_entry.setObjectName(action)
        action_entry.setEnabled(enabled)
        action_entry.triggered.connect(lambda: self.action_requested.emit(action))

    def _select_word(self, point: QPoint) -> None:
        """Select the word at a point, unless the point is in the selection."""
        word_cursor, cursor = self._document.cursorForPosition(point), self._document.textCursor()
        if (
            not cursor.hasSelection()
            or not cursor.selectionStart() <= word_cursor.position() <= cursor.selectionEnd()
        ):
            word_cursor.select(QTextCursor.SelectionType.WordUnderCursor)
            self._document.setTextCursor(word_cursor)

    def print(self) -> None:
        ask_to_print(self._document, self.message_shown.emit)


def ask_to_print(view: DocumentView, show_message: Callable[[str], None]) -> None:
    """Ask for a printer and print a view's document, or report that it is too long."""
    if view.document().characterCount() > MAX_PRINTED_CHARACTERS:
        show_message(
            filled(
                translate(
                    "DocumentMenu", "Documents with more than {limit} characters are not printed."
                ),
                limit=f"{MAX_PRINTED_CHARACTERS:,}",
            )
        )
        return
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    dialog = QPrintDialog(printer, view)
    dialog.accepted.connect(lambda: print_document(view, printer))
    dialog.finished.connect(dialog.deleteLater)
    dialog.setModal(True)
    dialog.show()


def print_document(view: DocumentView, printer: QPrinter) -> None:
    """Print the document and the fields of a view at normal zoom."""
    document = view.document().clone(view)  # the view is the parent, since it supplies pictures
    if view.fields.isVisibleTo(view):
        write_rows(document, view.fields.rows, view.fields.picture)
    page_rect = printer.pageLayout().paintRect(QPageLayout.Unit.Point)
    document.setPageSize(
        QSizeF(
            PRINTED_WIDTH * view.zoom,
            PRINTED_WIDTH * view.zoom * page_rect.height() / page_rect.width(),
        )
    )
    document.print_(printer)
    document.deleteLater()
