"""The guides: what the program can do, for each who works with it, and what every measure means."""

from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtWidgets import QPushButton, QSizePolicy

from irjudge.model.document import Document
from irjudge.shipped import shipped
from irjudge_ui.actions import make_all
from irjudge_ui.desk.find import Finder
from irjudge_ui.desk.page import Page
from irjudge_ui.pages.shared.view import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.document.text_marks import TextMarks
from irjudge_ui.widgets.flow import Flow
from irjudge_ui.widgets.layout import card, column, text
from irjudge_ui.widgets.tabs import Tab
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XL

# File under resources/help, and what it is called in the list.
GUIDES = {
    "assessors": QT_TRANSLATE_NOOP("Guides", "For assessors"),
    "organisers": QT_TRANSLATE_NOOP("Guides", "For organisers"),
    "sessions": QT_TRANSLATE_NOOP("Guides", "Judging together"),
    "servers": QT_TRANSLATE_NOOP("Guides", "Judging by a crowd"),
    "files": QT_TRANSLATE_NOOP("Guides", "Files"),
    "teachers": QT_TRANSLATE_NOOP("Guides", "For teachers"),
    "measures": QT_TRANSLATE_NOOP("Guides", "Measures"),
    "differences": QT_TRANSLATE_NOOP("Guides", "Differences from trec_eval"),
    "preferences": QT_TRANSLATE_NOOP("Guides", "Preferences"),
    "logs": QT_TRANSLATE_NOOP("Guides", "Search logs"),
    "promises": QT_TRANSLATE_NOOP("Guides", "What irjudge promises"),
    "changes": QT_TRANSLATE_NOOP("Guides", "Changes"),
}


class GuidesView(View):
    """Shows one guide at a time; its words can be searched."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.shown = ""
        self.document = DocumentView()
        self.document.setAccessibleName(self.tr("Guide"))
        self.finder = Finder(self.document, TextMarks(self.document))
        self.document.loaded.connect(lambda: self.finder.read(self.document.toPlainText()))
        self._page = Page(self.document)
        self.buttons = {name: self._button(name, str(label)) for name, label in GUIDES.items()}
        self._lay_out()
        self.actions_by_id = make_all("guides", self)

    def _lay_out(self) -> None:
        paper = card(self.finder.bar, self.document, margin=SPACE_XL)
        paper.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        box = column(text(self.tr("Guides"), "title"), Flow(self.buttons.values()), paper, spacing=SPACE_M)
        box.setStretch(2, 1)
        self.setLayout(box)

    def _button(self, name: str, label: str) -> QPushButton:
        made = Tab(QCoreApplication.translate("Guides", label))
        made.setObjectName("tab")
        made.setAutoDefault(False)
        made.setCheckable(True)
        made.clicked.connect(lambda: self.show_guide(name))
        return made

    def refresh(self) -> None:
        """Show the first guide when none was chosen."""
        if not self.shown:
            self.show_guide(next(iter(self.buttons)))

    def restyle(self) -> None:
        """Follow the theme and the zoom."""
        if self.shown:
            self.show_guide(self.shown)

    def focus(self) -> None:
        """Put the focus where the arrows scroll."""
        self.document.setFocus()

    def show_guide(self, name: str) -> None:
        """Show a guide by the name of its file."""
        self.shown = name
        for each, made in self.buttons.items():
            made.setChecked(each == name)
        self.finder.read("")
        self._page.show(Document(name, guide(name).read_bytes(), kind="markdown"), float(self._settings.get("zoom")))


def guide(name: str) -> Path:
    """Return where a guide lies."""
    return shipped("resources") / "help" / f"{name}.md"
