"""What the mouse can do on the document that is judged: a menu for what is selected, and the document on paper."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRect, QSizeF, Qt, Signal
from PySide6.QtGui import QAction, QPageLayout, QTextCursor
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QMenu, QWidget

from irjudge.model.events import UNJUDGEABLE_REASONS
from irjudge_ui.actions import key_cap
from irjudge_ui.desk.messages import reason_in_words
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.document.fields import write_rows
from irjudge_ui.words import filled


class ReasonMenu(QMenu):
    """Pops up over the foot of a part of the page and goes away by itself; `chosen` comes with one of `REASONS`."""

    chosen = Signal(str)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.aboutToHide.connect(self.deleteLater)
        self.addAction(self.tr("Why can it not be judged?")).setEnabled(False)
        for key, reason in enumerate(UNJUDGEABLE_REASONS, 1):
            choice = QAction(f"&{key}  {reason_in_words(reason)}", self)
            choice.triggered.connect(lambda _checked=False, reason=reason: self.chosen.emit(reason))
            self.addAction(choice)
        self.popup(self._place(over))
        self.setActiveAction(self.actions()[1])

    def _place(self, over: QWidget) -> QPoint:
        """Return where the menu hides least: its foot at the foot of the part, all of it on the screen."""
        self.ensurePolished()
        menu, screen = QRect(QPoint(), self.sizeHint()), over.screen().availableGeometry()
        menu.moveBottomLeft(over.mapToGlobal(over.rect().bottomLeft()))
        menu.moveRight(min(menu.right(), screen.right()))
        menu.moveBottom(min(menu.bottom(), screen.bottom()))
        menu.moveTopLeft(QPoint(max(menu.left(), screen.left()), max(menu.top(), screen.top())))
        return menu.topLeft()


PRINTED_WIDTH = 680  # pixels at the normal zoom, so that a line on paper has about 75 letters
MOST_PRINTED = 200_000  # letters; pages are laid out at once


class DocumentMenu(QObject):
    """Offers at a right click what keys do too. `asked` comes with the id of an action, `said` with what is to be said."""

    asked = Signal(str)
    said = Signal(str)

    def __init__(self, document: DocumentView, has_pages: Callable[[], bool]) -> None:
        super().__init__(document)
        self._document, self._has_pages = document, has_pages
        document.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        document.customContextMenuRequested.connect(self.offer)

    def offer(self, point: QPoint) -> None:
        """Show the menu; a click on a word outside the selection takes that word."""
        self._take_word(point)
        selected = self._document.textCursor().hasSelection()
        menu = QMenu(self._document)
        menu.aboutToHide.connect(menu.deleteLater)
        self._add(menu, "reason", self.tr("Keep as reason"), enabled=selected)
        self._add(menu, "highlight", self.tr("Highlight"), enabled=selected)
        menu.addSeparator()
        copy = menu.addAction(self.tr("Copy"), self._document.copy)
        copy.setEnabled(selected)
        self._add(menu, "find", self.tr("Find"))
        self._add(menu, "print", self.tr("Print"))
        if self._has_pages():
            self._add(menu, "pages", self.tr("Show pages as pictures"))
        menu.popup(self._document.viewport().mapToGlobal(point))

    def _add(self, menu: QMenu, action: str, words: str, *, enabled: bool = True) -> None:
        made = menu.addAction(f"{words}\t{key_cap(action)}")
        made.setObjectName(action)
        made.setEnabled(enabled)
        made.triggered.connect(lambda: self.asked.emit(action))

    def _take_word(self, point: QPoint) -> None:
        """Select the word under the mouse unless it is in the selection already."""
        at, own = self._document.cursorForPosition(point), self._document.textCursor()
        if (
            not own.hasSelection()
            or not own.selectionStart() <= at.position() <= own.selectionEnd()
        ):
            at.select(QTextCursor.SelectionType.WordUnderCursor)
            self._document.setTextCursor(at)

    def print(self) -> None:
        """Ask for a printer and print the document."""
        ask_to_print(self._document, self.said.emit)


def ask_to_print(view: DocumentView, say: Callable[[str], None]) -> None:
    """Ask for a printer and print what a view shows, or say why it is not printed."""
    if view.document().characterCount() > MOST_PRINTED:
        say(
            filled(
                QCoreApplication.translate(
                    "DocumentMenu", "Documents of more than {limit} letters are not printed."
                ),
                limit=f"{MOST_PRINTED:,}",
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
    """Print what a view shows, in the size of the normal zoom."""
    copy = view.document().clone(view)  # its pictures come from the view
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
