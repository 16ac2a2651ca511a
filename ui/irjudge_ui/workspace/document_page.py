"""Documents on a page: loading in the background, find, marked terms, menu and printing."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from time import monotonic
from typing import TypeVar

from PySide6.QtCore import (
    QCoreApplication,
    QObject,
    QPoint,
    QRect,
    QSizeF,
    Qt,
    QTimer,
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
from irjudge_ui.messages import filled
from irjudge_ui.widgets import (
    Dialog,
    DocumentPicture,
    DocumentView,
    FindBar,
    TextMarks,
    TextSpan,
    make_growing,
    make_label,
    next_span,
    read_address,
    read_picture,
    search_start,
    show_span,
    write_rows,
)
from irjudge_ui.workspace.messages import reason_label

# Document loading: short documents at once, long ones and pictures in the background.

MAX_BYTES_AT_ONCE = 30_000  # bytes
BATCH_S = 0.05
LOADING_MESSAGE_MS = 200  # a document that takes longer shows a loading message
MAX_PIXELS = 50_000_000  # maximum pixels in all pictures of a page
LINK_SIZE = (520, 300)
CARRIED = re.compile('<img src="(data:image/[^"]++)">')
WEB = ("http", "https", "mailto")

Sayings = dict[str, str]


@dataclass(frozen=True, slots=True)
class Batch:
    """Slices of a document, their pictures, and whether there are more."""

    slices: list[str]
    pictures: dict[str, DocumentPicture] = field(default_factory=dict)
    more: bool = False
    about: str = ""


class DocumentLoader(QObject):
    """Loads documents into a view; a newer document replaces one that is still loading.

    `begun` is emitted when the first text is in the view, before it is painted.
    """

    begun = Signal()

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view = view
        self._zoom = 1.0
        self._work, self._picture = LatestJob(), LatestJob()
        self._begun = False
        self._document: Document | None = None
        self._maker: _PageMaker | None = None
        self._message_timer = QTimer(self)
        self._message_timer.setSingleShot(True)
        self._message_timer.setInterval(LOADING_MESSAGE_MS)
        self._message_timer.timeout.connect(lambda: self._view.show_waiting(self.tr("Loading …")))
        view.more_requested.connect(self._next)
        view.link_requested.connect(lambda address: ask_link(view, address))

    def show(self, document: Document, zoom: float = 1.0) -> None:
        """Show a document from the top; the view's `painted` and `loaded` report the progress."""
        self.stop()
        self._zoom, self._begun, self._document = zoom, False, document
        if _is_simple(document):
            self._view.show_slices(list(to_slices(document)), zoom)
            self._begin()
            return
        self._view.show_waiting()
        self._message_timer.start()
        descriptions = self._sayings()
        if document.kind == "image":
            self._make(lambda _progress: _image(document, descriptions))
        else:
            self._maker = _PageMaker(document, descriptions)
            self._make(self._maker.first)

    def stop(self) -> None:
        """Cancel loading."""
        self._message_timer.stop()
        self._maker = None
        self._work.stop()
        self._picture.stop()

    def _make(self, work: Callable[[Progress], Batch]) -> None:
        self._work.run(work, self._take, self._fail)

    def _next(self) -> None:
        """Request the next batch once the view has inserted all slices.

        Earlier requests would slow down the window.
        """
        if self._maker and not self._work.busy:
            self._make(self._maker.next)

    def _take(self, batch: Batch) -> None:
        self._message_timer.stop()
        if self._begun:
            self._view.add_slices(batch.slices, more=batch.more, pictures=batch.pictures)
        else:
            self._begun = True
            self._view.show_slices(
                batch.slices, self._zoom, more=batch.more, pictures=batch.pictures
            )
            self._begin()
        if batch.about:
            self._view.setAccessibleDescription(batch.about)

    def _begin(self) -> None:
        """Show the fields, and the picture once it is decoded."""
        document = self._document
        if document and (document.fields or document.picture):
            self._view.show_fields(document.fields, pictured=bool(document.picture))
            if document.picture:
                rows, data = document.fields, document.picture
                self._picture.run(
                    lambda _progress: read_picture(data),
                    lambda picture: self._view.show_fields(
                        rows, picture, pictured=not picture.problem
                    ),
                    self._fail,
                )
        self.begun.emit()

    def _fail(self, error: Exception, _trace: str) -> None:
        self._maker = None
        message = self.tr("This document cannot be shown because of an error in irjudge.")
        self._take(Batch([f"<p><i>{escape(message)}</i></p>"]))
        raise error  # the window shows the error

    def _sayings(self) -> Sayings:
        return {
            "": self.tr("Image, {width} × {height} pixels"),
            "damaged": self.tr("This image is damaged and cannot be shown."),
            "large": self.tr("This image is too large to show: {width} × {height} pixels."),
            "many": self.tr("This image is not shown because the page has too many."),
        }


class LinkDialog(Dialog):
    """Confirmation before an external link is opened.

    It shows the URL in unambiguous characters.
    """

    def __init__(self, parent: DocumentView, address: QUrl) -> None:
        super().__init__(parent, LINK_SIZE)
        self._address = address
        shown = QPlainTextEdit(address.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        shown.setReadOnly(True)
        shown.setTabChangesFocus(True)
        shown.setAccessibleName(self.tr("Address"))
        host = address.host(QUrl.ComponentFormattingOption.FullyEncoded)
        message = (
            filled(self.tr("The link opens {host}."), host=host)
            if host
            else self.tr("The link opens a new e-mail.")
        )
        about = self.tr("Opening a link may tell others that you read this.")
        choices = [(self.tr("Open in the browser"), self._open), (self.tr("Stay"), None)]
        self.fill(
            self.tr("Open this link?"),
            [make_label(message), make_growing(shown), make_label(about, "quiet")],
            choices,
        )

    def _open(self) -> None:
        QDesktopServices.openUrl(self._address)


def ask_link(view: DocumentView, address: str) -> LinkDialog | None:
    """Ask whether to open a web URL; other URLs are never opened."""
    url = QUrl(address)
    if not url.isValid() or url.scheme() not in WEB:
        return None
    dialog = LinkDialog(view, url)
    dialog.finished.connect(lambda: _drop_focused_link(view))
    dialog.open()
    return dialog


def _drop_focused_link(view: DocumentView) -> None:
    """Remove the keyboard focus from the link."""
    cursor = view.textCursor()
    cursor.clearSelection()
    view.setTextCursor(cursor)


def _is_simple(document: Document) -> bool:
    """Return whether a document is short and without pictures, so that it loads in milliseconds."""
    short = len(document.body) + len(document.title) <= MAX_BYTES_AT_ONCE
    return short and document.kind != "image" and b"data:image/" not in document.body


# Background work


class _PageMaker:
    """Creates a document batch by batch, in a single worker thread."""

    def __init__(self, document: Document, sayings: Sayings) -> None:
        self._document, self._sayings = document, sayings
        self._slices: Iterator[str] = iter(())
        self._names: dict[str, str] = {}
        self._pixels = 0
        self._waiting: str | None = None

    def first(self, progress: Progress) -> Batch:
        """Return the batch for the first screenfuls."""
        self._slices = to_slices(self._document)
        self._waiting = next(self._slices)
        return self._batch(progress, 0)

    def next(self, progress: Progress) -> Batch:
        """Return the next batch."""
        return self._batch(progress, BATCH_S)

    def _batch(self, progress: Progress, seconds: float) -> Batch:
        made, pictures, until = list[str](), dict[str, DocumentPicture](), monotonic() + seconds
        while self._waiting is not None:
            made.append(CARRIED.sub(lambda match: self._picture(match[1], pictures), self._waiting))
            self._waiting = next(self._slices, None)
            progress.step(0, None, "")
            if monotonic() >= until:
                break
        return Batch(made, pictures, self._waiting is not None)

    def _picture(self, address: str, pictures: dict[str, DocumentPicture]) -> str:
        if address in self._names:
            return self._names[address]
        picture = (
            DocumentPicture(problem="large") if self._pixels > MAX_PIXELS else read_address(address)
        )
        self._pixels += picture.image.width() * picture.image.height()
        if picture.problem:
            saying = self._sayings["many" if self._pixels > MAX_PIXELS else picture.problem]
            self._names[address] = f"<i>[{escape(_describe_size(saying, picture))}]</i>"
        else:
            name = f"irjudge-picture:{len(self._names)}"
            pictures[name] = picture
            self._names[address] = f'<img src="{name}">'
        return self._names[address]


def _image(document: Document, sayings: Sayings) -> Batch:
    picture = read_picture(document.body)
    title = f"<h1>{escape(document.title)}</h1>" if document.title else ""
    description = _describe_size(sayings[picture.problem], picture)
    if picture.problem:
        return Batch([f"{title}<p><i>{escape(description)}</i></p>"])
    return Batch(
        [f'{title}<p><img src="irjudge-picture:0"></p>'],
        {"irjudge-picture:0": picture},
        about=description,
    )


def _describe_size(description: str, picture: DocumentPicture) -> str:
    return filled(description, width=f"{picture.width:,}", height=f"{picture.height:,}")


# Find in document: matches of the find bar are marked and navigated.

MAX_CHARACTERS_AT_ONCE = (
    # Maximum characters searched before the document is painted; longer documents are searched
    # later
    100_000
)
MAX_MATCHES_AT_ONCE = 5_000  # highlighting this many takes 50 ms; further ones are added later
T = TypeVar("T")


class TextSearch:
    """Runs one search at a time; a new one cancels the running one."""

    def __init__(self) -> None:
        self._later = LatestJob()

    def start(self, length: int, work: Callable[[Progress], T], done: Callable[[T], None]) -> None:
        """Run a function on a text of this length and deliver its result, immediately or from the
        background.
        """
        self._later.stop()
        if length <= MAX_CHARACTERS_AT_ONCE:
            done(work(SILENT))
        else:
            self._later.run(work, done, raise_unexpected)

    def find(
        self,
        text: str,
        look: Callable[[str], Sequence[TermHit]],
        done: Callable[[TextMatches], None],
    ) -> None:
        """Search a text: at once if the text and its hits are few, otherwise in the background."""
        few = (
            search_slices(text, look, max_hits=MAX_MATCHES_AT_ONCE)
            if len(text) <= MAX_CHARACTERS_AT_ONCE
            else None
        )
        if few is None or few.more:
            self._later.run(
                lambda progress: search_slices(text, look, progress), done, raise_unexpected
            )
        else:
            self._later.stop()
            done(few)

    def stop(self) -> None:
        """Cancel the running search and drop its callback."""
        self._later.stop()

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return self._later.busy


class Finder(QObject):
    """Connects find bar, document and search. `moved` is emitted with the number of the current
    match, from 0.

    `walk` handles a step if the next match may be in another document.
    """

    moved = Signal(int)

    def __init__(
        self, document: DocumentView, marks: TextMarks, walk: Callable[[int], None] | None = None
    ) -> None:
        super().__init__(document)
        self._document, self._marks = document, marks
        self._text_search = TextSearch()
        self._text = ""
        self._matches = TextMatches()
        self._now: int | None = None
        self._wanted: int | None = None
        self.shown: TextSpan | None = (
            None  # last selected match; it stays selected when the bar is closed
        )
        self._from = 0  # position where the search began
        self.bar = FindBar()
        bind_key_cap("find-next", self.bar.show_next_key, self.bar)
        bind_key_cap("find-previous", self.bar.show_previous_key, self.bar)
        self.bar.hide()
        self.bar.wanted.connect(lambda _typed, _case: self._look(1))
        self.bar.stepped.connect(walk or self.step)
        self.bar.closed.connect(self.close)

    def read(self, text: str) -> None:
        """Search another or a longer text for the same query without scrolling."""
        self._text, self._from, self.shown = text, 0, None
        self._forget()
        if self.bar.is_open:
            self._look(0)

    def open(self) -> None:
        """Show the bar and focus its field."""
        was_open = self.bar.is_open
        self._from = search_start(self._document, -1)
        self.bar.open()
        if not was_open:
            self._look(0)

    def close(self) -> None:
        """Hide the bar and its marks; the match stays selected."""
        self._forget()
        self.bar.hide()
        self._document.setFocus()

    def step(self, step: int) -> None:
        """Go to the next or previous match; without a query, focus the field."""
        if not self.bar.field.text():
            self.open()
        elif not self.bar.is_open:
            self._from = search_start(self._document, step)
            self.bar.show()
            self._look(step)
        elif self._matches.places:
            self._show(
                next_span(self._matches.places, self._now, search_start(self._document, step), step)
            )

    @property
    def number(self) -> int | None:
        """Number of the current match, from 0; None without one."""
        return self._now

    @property
    def count(self) -> int:
        return len(self._matches.places)

    def go(self, number: int) -> None:
        """Show a match by number, as soon as it is found."""
        self._wanted = number
        self._show_wanted()

    def _show_wanted(self) -> bool:
        if self._wanted is None or self._wanted >= len(self._matches.places):
            return False
        now, self._wanted = self._wanted, None
        self._show(now)
        return True

    def _forget(self) -> None:
        self._text_search.stop()
        self._matches, self._now = TextMatches(), None
        self._marks.mark_matches([])

    def _look(self, step: int) -> None:
        """Search for the query.

        A step goes to the first match after or before the start position.
        """
        self._forget()
        self._wanted = None if step else self._wanted
        typed, text = self.bar.field.text(), self._text if self.bar.field.text() else ""
        look = partial(find_typed, typed=typed, match_case=self.bar.case.isChecked())
        self.bar.show_searching()
        self._text_search.find(text, look, partial(self._on_matches, step=step))

    def _on_matches(self, matches: TextMatches, step: int) -> None:
        self._matches = matches
        self._marks.mark_matches(matches.places)
        self.bar.show_count(None, len(matches.places), more=matches.more)
        if self._show_wanted():
            return
        if step and matches.places:
            self._show(next_span(matches.places, None, self._from, step))
        elif step and self._document.textCursor().hasSelection():  # the match has fewer characters
            cursor = self._document.textCursor()
            cursor.clearSelection()
            self._document.setTextCursor(cursor)

    def _show(self, now: int) -> None:
        self._now, self.shown = now, self._matches.places[now]
        show_span(self._document, self.shown)
        self.bar.show_count(now, len(self._matches.places), more=self._matches.more)
        self.moved.emit(now)


# Document view that marks the topic's terms and has no other reading aids.


class MarkedDocument(QObject):
    """Shows documents with marked terms; short ones are complete when `show` returns."""

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view, self._page, self._marks = view, DocumentLoader(view), TextMarks(view)
        self._text_search = TextSearch()
        self._terms: Sequence[Term] = ()
        self._page.begun.connect(self._on_begun)
        view.loaded.connect(self._look)

    def show(self, document: Document, terms: Sequence[Term], zoom: float) -> None:
        """Show a document from the top."""
        self._terms = terms
        self._text_search.stop()
        self._marks.clear()
        self._page.show(document, zoom)

    def stop(self) -> None:
        """Cancel loading."""
        self._page.stop()
        self._text_search.stop()

    def _on_begun(self) -> None:
        """Mark the text loaded so far; the rest is marked once it is loaded."""
        if not self._view.complete:
            self._look()

    def _look(self) -> None:
        self._text_search.find(
            self._view.toPlainText(), partial(find_terms, terms=self._terms), self._mark
        )

    def _mark(self, matches: TextMatches) -> None:
        self._marks.mark_hits(matches.places)


# Context menu of the judged document, and printing.


class ReasonMenu(QMenu):
    """Popup menu at the lower edge of a widget.

    `chosen` is emitted with one of `UNJUDGEABLE_REASONS`.
    """

    chosen = Signal(str)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.aboutToHide.connect(self.deleteLater)
        self.addAction(self.tr("Why can't this be judged?")).setEnabled(False)
        for key, reason in enumerate(UNJUDGEABLE_REASONS, 1):
            choice = QAction(f"&{key}  {reason_label(reason)}", self)
            choice.triggered.connect(lambda _checked=False, reason=reason: self.chosen.emit(reason))
            self.addAction(choice)
        self.popup(self._position(over))
        self.setActiveAction(self.actions()[1])

    def _position(self, over: QWidget) -> QPoint:
        """Return the position at the lower edge of the widget, within the screen."""
        self.ensurePolished()
        menu, screen = QRect(QPoint(), self.sizeHint()), over.screen().availableGeometry()
        menu.moveBottomLeft(over.mapToGlobal(over.rect().bottomLeft()))
        menu.moveRight(min(menu.right(), screen.right()))
        menu.moveBottom(min(menu.bottom(), screen.bottom()))
        menu.moveTopLeft(QPoint(max(menu.left(), screen.left()), max(menu.top(), screen.top())))
        return menu.topLeft()


PRINTED_WIDTH = 680  # pixels at the normal zoom, so that a line on paper has about 75 characters
MAX_PRINTED = 200_000  # maximum characters printed, since all pages are laid out at once


class DocumentMenu(QObject):
    """Context menu with actions that also have keys.

    `asked` is emitted with an action id, `message_shown` with a message.
    """

    asked = Signal(str)
    message_shown = Signal(str)

    def __init__(self, document: DocumentView, has_pages: Callable[[], bool]) -> None:
        super().__init__(document)
        self._document, self._has_pages = document, has_pages
        document.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        document.customContextMenuRequested.connect(self.offer)

    def offer(self, point: QPoint) -> None:
        """Show the menu; a click on a word outside the selection selects this word."""
        self._take_word(point)
        selected = self._document.textCursor().hasSelection()
        menu = QMenu(self._document)
        menu.aboutToHide.connect(menu.deleteLater)
        self._add(menu, "reason", self.tr("Mark as evidence"), enabled=selected)
        self._add(menu, "highlight", self.tr("Highlight"), enabled=selected)
        menu.addSeparator()
        copy = menu.addAction(self.tr("Copy"), self._document.copy)
        copy.setEnabled(selected)
        self._add(menu, "find", self.tr("Find"))
        self._add(menu, "print", self.tr("Print"))
        if self._has_pages():
            self._add(menu, "pages", self.tr("Show pages as pictures"))
        menu.popup(self._document.viewport().mapToGlobal(point))

    def _add(self, menu: QMenu, action: str, label: str, *, enabled: bool = True) -> None:
        made = menu.addAction(f"{label}\t{key_cap_text(action)}")
        made.setObjectName(action)
        made.setEnabled(enabled)
        made.triggered.connect(lambda: self.asked.emit(action))

    def _take_word(self, point: QPoint) -> None:
        """Select the word under the mouse unless it is already selected."""
        at, own = self._document.cursorForPosition(point), self._document.textCursor()
        if (
            not own.hasSelection()
            or not own.selectionStart() <= at.position() <= own.selectionEnd()
        ):
            at.select(QTextCursor.SelectionType.WordUnderCursor)
            self._document.setTextCursor(at)

    def print(self) -> None:
        ask_to_print(self._document, self.message_shown.emit)


def ask_to_print(view: DocumentView, say: Callable[[str], None]) -> None:
    """Ask for a printer and print the content of a view, or show why it cannot be printed."""
    if view.document().characterCount() > MAX_PRINTED:
        say(
            filled(
                QCoreApplication.translate(
                    "DocumentMenu", "Documents of more than {limit} characters are not printed."
                ),
                limit=f"{MAX_PRINTED:,}",
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
    """Print the content of a view at normal zoom."""
    copy = view.document().clone(view)  # pictures are loaded through the view
    if view.fields.isVisibleTo(view):
        write_rows(copy, view.fields.rows, view.fields.picture)
    paper = printer.pageLayout().paintRect(QPageLayout.Unit.Point)
    copy.setPageSize(
        QSizeF(
            PRINTED_WIDTH * view.zoom, PRINTED_WIDTH * view.zoom * paper.height() / paper.width()
        )
    )
    copy.print_(printer)
    copy.deleteLater()
