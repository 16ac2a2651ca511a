"""A document in full, over the page that names it."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from irjudge.model.document import Document
from irjudge.store.project import Project
from irjudge_ui.desk.page import DocumentOnDesk
from irjudge_ui.pages.shared.pages_dialog import PagesDialog
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.layout import button, card, row, text
from irjudge_ui.widgets.theme import SPACE_XL
from irjudge_ui.words import filled

SIZE = (820, 700)


class DocumentDialog(Dialog):
    """Shows a document, whatever it is, until it is closed, and its pages where they can be shown."""

    def __init__(self, parent: QWidget, document: Document, about: str, zoom: float, *, pages_of: Project | None = None) -> None:
        super().__init__(parent, SIZE)
        self.view = DocumentView()
        self.view.setAccessibleName(self.tr("Document"))
        self._page = DocumentOnDesk(self.view)
        self.pages = button(self.tr("Show pages as pictures"))
        if pages_of is None:
            self.pages.hide()
        self.pages.clicked.connect(lambda: PagesDialog(self, pages_of, document.id, zoom).open() if pages_of else None)
        head = row(text(about, "quiet"), self.pages)
        head.setStretch(0, 1)
        self.fill(document.id, [head, growing(card(self.view, margin=SPACE_XL))], [(self.tr("Close"), None)])
        self.finished.connect(lambda _result: self._page.stop())
        self.view.ensurePolished()  # the style sheet would set its own size of letters later
        self._page.show(document, zoom)
        self.view.setFocus()


def open_document(parent: QWidget, project: Project, document: str, about: str, zoom: float) -> str:
    """Show a document of a project over a page, and return what has to be said where the project has no text of it."""
    found = project.collection.document(document)
    if found is None:
        return filled(QCoreApplication.translate("DocumentDialog", "The project has no text of %1."), document)
    DocumentDialog(parent, found, about, zoom, pages_of=project if project.collection.has_pages(document) else None).open()
    return ""
