"""A document in full over the page that names it, and its pages as pictures, drawn beside the window when they are asked for."""

from collections import OrderedDict
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from irjudge.errors import IrjudgeError
from irjudge.formats.collections.office import PagePicture, page_picture
from irjudge.model.documents import Document
from irjudge.progress import Progress
from irjudge.store.presentation import with_shown
from irjudge.store.project import Project
from irjudge.text.highlight import query_terms
from irjudge_ui.actions import shown_keys
from irjudge_ui.jobs import Latest
from irjudge_ui.messages import filled, in_language
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.document_view import DocumentView
from irjudge_ui.widgets.key_caps import keycap
from irjudge_ui.widgets.layout import Flow, button, card, row, text, together
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XL
from irjudge_ui.workspace.document_page import DocumentLoader, MarkedDocument

PAGES_SIZE = (860, 720)
MOST_KEPT = 12  # pictures
KEYS = {"Left": -1, "Right": 1}  # and how far each turns


class PagesDialog(Dialog):
    """Shows the pages of a document whose file the project has; arrows left and right turn them."""

    def __init__(self, parent: QWidget, project: Project, document: str, zoom: float) -> None:
        super().__init__(parent, PAGES_SIZE)
        self._project, self._document, self._zoom = project, document, zoom
        self._work = Latest()
        self._kept: OrderedDict[int, PagePicture] = OrderedDict()
        self.shown: PagePicture | None = None
        self.view = DocumentView()
        self.view.setAccessibleName(self.tr("Page"))
        self.view.let_pictures_be_tall()
        self._page = DocumentLoader(self.view)
        self._where, self.problem = text("", "quiet", wrap=False), text("", "error")
        self.back, self.forth = button(self.tr("Previous page")), button(self.tr("Next page"))
        self.back.clicked.connect(lambda: self.turn(-1))
        self.forth.clicked.connect(lambda: self.turn(1))
        for key, step in KEYS.items():
            QShortcut(QKeySequence(key), self).activated.connect(lambda step=step: self.turn(step))
        turning = [
            together(made, keycap(shown_keys(key)))
            for made, key in zip((self.back, self.forth), KEYS, strict=True)
        ]
        foot = Flow((*turning, self._where))
        self.fill(
            document,
            [self.problem, growing(card(self.view, margin=SPACE_M)), foot],
            [(self.tr("Close"), None)],
        )
        self.problem.hide()
        self.finished.connect(self._stop)
        self.view.ensurePolished()  # the style sheet would set its own size of letters later
        self._ask(1)
        self.view.setFocus()

    def turn(self, step: int) -> None:
        """Show the page so many further on, where there is one."""
        if self.shown and 1 <= self.shown.number + step <= self.shown.pages:
            self._ask(self.shown.number + step)

    def _ask(self, number: int) -> None:
        if number in self._kept:
            self._kept.move_to_end(number)
            self._show(self._kept[number])
            return
        project, document, missing = (
            self._project,
            self._document,
            self.tr("The project has no pages of {document}."),
        )
        self._where.setText(filled(self.tr("Drawing page {number} …"), number=number))

        def draw(_progress: Progress) -> PagePicture:
            with project.second_connection() as other:
                pdf = other.collection.pdf(document)
            if pdf is None:
                raise IrjudgeError(filled(missing, document=document))
            return page_picture(pdf, number, Path(document))

        self._work.run(draw, self._take, self._fail)

    def _take(self, picture: PagePicture) -> None:
        self._kept[picture.number] = picture
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        self._show(picture)

    def _show(self, picture: PagePicture) -> None:
        self.shown = picture
        self.problem.hide()
        self._where.setText(
            filled(
                self.tr("Page {number} of {pages}"),
                number=f"{picture.number:,}",
                pages=f"{picture.pages:,}",
            )
        )
        self.back.setEnabled(picture.number > 1)
        self.forth.setEnabled(picture.number < picture.pages)
        self._page.show(Document(self._document, picture.png, kind="image"), self._zoom)

    def _fail(self, fault: Exception, trace: str) -> None:
        if trace:
            raise fault
        self._where.setText("")
        self.problem.setText("✕ " + in_language(str(fault)))
        self.problem.show()

    def _stop(self) -> None:
        self._work.stop()
        self._page.stop()


DOCUMENT_SIZE = (820, 700)


class DocumentDialog(Dialog):
    """Shows a document, whatever it is, until it is closed: marked are the words it was found by; and its pages where there are any."""

    def __init__(
        self,
        parent: QWidget,
        document: Document,
        about: str,
        zoom: float,
        *,
        words: str = "",
        pages_of: Project | None = None,
    ) -> None:
        super().__init__(parent, DOCUMENT_SIZE)
        self.view = DocumentView()
        self.view.setAccessibleName(self.tr("Document"))
        self._page = MarkedDocument(self.view)
        self.pages = button(self.tr("Show pages as pictures"))
        if pages_of is None:
            self.pages.hide()
        self.pages.clicked.connect(
            lambda: PagesDialog(self, pages_of, document.id, zoom).open() if pages_of else None
        )
        head = row(text(about, "quiet"), self.pages)
        head.setStretch(0, 1)
        self.fill(
            document.id,
            [head, growing(card(self.view, margin=SPACE_XL))],
            [(self.tr("Close"), None)],
        )
        self.finished.connect(lambda _result: self._page.stop())
        self.view.ensurePolished()  # the style sheet would set its own size of letters later
        self._page.show(document, query_terms(words), zoom)
        self.view.setFocus()


def open_document(
    parent: QWidget, project: Project, document: str, about: str, zoom: float, *, words: str = ""
) -> str:
    """Show a document of a project over a page, and return what has to be said where the project has no text of it."""
    found = project.collection.document(document)
    if found is None:
        return filled(
            QCoreApplication.translate("DocumentDialog", "The project has no text of {document}."),
            document=document,
        )
    pages_of = project if project.collection.has_pages(document) else None
    DocumentDialog(
        parent, with_shown(project, found), about, zoom, words=words, pages_of=pages_of
    ).open()
    return ""
