"""Shows a document on the page, whatever it is: short ones at once, long ones and pictures from work beside the window."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from time import monotonic

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPlainTextEdit

from irjudge.model.documents import Document
from irjudge.progress import Progress
from irjudge.text.render import to_slices
from irjudge_ui.jobs import Latest
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.document.pictures import DocumentPicture, read_address, read_picture
from irjudge_ui.widgets.layout import text
from irjudge_ui.words import filled

AT_ONCE = 30_000  # bytes
BATCH_S = 0.05
WORDS_MS = 200  # a page that takes longer says that it is loading
MOST_PIXELS = 50_000_000  # in all pictures of a page
LINK_SIZE = (520, 300)
CARRIED = re.compile('<img src="(data:image/[^"]++)">')
WEB = ("http", "https", "mailto")

Sayings = dict[str, str]


@dataclass(frozen=True, slots=True)
class Batch:
    """Some slices of a page, their pictures, and whether there is more."""

    slices: list[str]
    pictures: dict[str, DocumentPicture] = field(default_factory=dict)
    more: bool = False
    about: str = ""


class DocumentOnDesk(QObject):
    """Brings documents into a view. A document shown later wins over one whose work ends later.

    `begun` comes when the first of a document's text is in the view, before it is painted.
    """

    begun = Signal()

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view = view
        self._zoom = 1.0
        self._work, self._picture = Latest(), Latest()
        self._begun = False
        self._document: Document | None = None
        self._maker: _Maker | None = None
        self._words = QTimer(self)
        self._words.setSingleShot(True)
        self._words.setInterval(WORDS_MS)
        self._words.timeout.connect(lambda: self._view.show_waiting(self.tr("Loading …")))
        view.hungry.connect(self._next)
        view.link_asked.connect(lambda address: ask_link(view, address))

    def show(self, document: Document, zoom: float = 1.0) -> None:
        """Show a document from its top; the view's `painted` and `loaded` tell how far it is."""
        self.stop()
        self._zoom, self._begun, self._document = zoom, False, document
        if _is_simple(document):
            self._view.show_slices(list(to_slices(document)), zoom)
            self._begin()
            return
        self._view.show_waiting()
        self._words.start()
        words = self._sayings()
        if document.kind == "image":
            self._make(lambda _progress: _image(document, words))
        else:
            self._maker = _Maker(document, words)
            self._make(self._maker.first)

    def stop(self) -> None:
        """Bring no more of the document before."""
        self._words.stop()
        self._maker = None
        self._work.stop()
        self._picture.stop()

    def _make(self, work: Callable[[Progress], Batch]) -> None:
        self._work.run(work, self._take, self._fail)

    def _next(self) -> None:
        """Make more only when the view has taken all: work at the same time would hold the window up."""
        if self._maker and not self._work.busy:
            self._make(self._maker.next)

    def _take(self, batch: Batch) -> None:
        self._words.stop()
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
        """Show what is known beside the text, and the picture as soon as it is read."""
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

    def _fail(self, fault: Exception, _trace: str) -> None:
        self._maker = None
        words = self.tr("This document cannot be shown, through a fault of the program.")
        self._take(Batch([f"<p><i>{escape(words)}</i></p>"]))
        raise fault  # the window shows what it was

    def _sayings(self) -> Sayings:
        return {
            "": self.tr("Image, {width} × {height} pixels"),
            "damaged": self.tr("This image is damaged and cannot be shown."),
            "large": self.tr("This image is too large to be shown: {width} × {height} pixels."),
            "many": self.tr("This image is not shown: the page has too many."),
        }


class LinkDialog(Dialog):
    """Asks before anything outside is opened, and shows where it leads to in letters that cannot deceive."""

    def __init__(self, parent: DocumentView, address: QUrl) -> None:
        super().__init__(parent, LINK_SIZE)
        self._address = address
        shown = QPlainTextEdit(address.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        shown.setReadOnly(True)
        shown.setTabChangesFocus(True)
        shown.setAccessibleName(self.tr("Address"))
        host = address.host(QUrl.ComponentFormattingOption.FullyEncoded)
        words = (
            filled(self.tr("It leads to {host}."), host=host)
            if host
            else self.tr("It begins a letter.")
        )
        about = self.tr("What you open may tell others that you read this.")
        choices = [(self.tr("Open in the browser"), self._open), (self.tr("Stay"), None)]
        self.fill(
            self.tr("Open this link?"), [text(words), growing(shown), text(about, "quiet")], choices
        )

    def _open(self) -> None:
        QDesktopServices.openUrl(self._address)


def ask_link(view: DocumentView, address: str) -> LinkDialog | None:
    """Ask whether to open an address of the web; others are never opened."""
    url = QUrl(address)
    if not url.isValid() or url.scheme() not in WEB:
        return None
    dialog = LinkDialog(view, url)
    dialog.finished.connect(lambda: _let_go(view))
    dialog.open()
    return dialog


def _let_go(view: DocumentView) -> None:
    """Let the link no longer be the one that Enter asks for."""
    cursor = view.textCursor()
    cursor.clearSelection()
    view.setTextCursor(cursor)


def _is_simple(document: Document) -> bool:
    """Tell whether a document is made ready in a few milliseconds: it is short and has no pictures."""
    short = len(document.body) + len(document.title) <= AT_ONCE
    return short and document.kind != "image" and b"data:image/" not in document.body


# Work beside the window


class _Maker:
    """Makes a page batch for batch, in whatever thread its turn is; one at a time."""

    def __init__(self, document: Document, sayings: Sayings) -> None:
        self._document, self._sayings = document, sayings
        self._slices: Iterator[str] = iter(())
        self._names: dict[str, str] = {}
        self._pixels = 0
        self._waiting: str | None = None

    def first(self, progress: Progress) -> Batch:
        """Return what fills the first screens."""
        self._slices = to_slices(self._document)
        self._waiting = next(self._slices)
        return self._batch(progress, 0)

    def next(self, progress: Progress) -> Batch:
        """Return what comes next."""
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
            DocumentPicture(problem="large")
            if self._pixels > MOST_PIXELS
            else read_address(address)
        )
        self._pixels += picture.image.width() * picture.image.height()
        if picture.problem:
            saying = self._sayings["many" if self._pixels > MOST_PIXELS else picture.problem]
            self._names[address] = f"<i>[{escape(_sized(saying, picture))}]</i>"
        else:
            name = f"irjudge-picture:{len(self._names)}"
            pictures[name] = picture
            self._names[address] = f'<img src="{name}">'
        return self._names[address]


def _image(document: Document, sayings: Sayings) -> Batch:
    picture = read_picture(document.body)
    title = f"<h1>{escape(document.title)}</h1>" if document.title else ""
    words = _sized(sayings[picture.problem], picture)
    if picture.problem:
        return Batch([f"{title}<p><i>{escape(words)}</i></p>"])
    return Batch(
        [f'{title}<p><img src="irjudge-picture:0"></p>'],
        {"irjudge-picture:0": picture},
        about=words,
    )


def _sized(words: str, picture: DocumentPicture) -> str:
    return filled(words, width=f"{picture.width:,}", height=f"{picture.height:,}")
