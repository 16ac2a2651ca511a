"""Closing the work: what is missing, and the receipt."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QGridLayout, QPlainTextEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.judging.hand_in import Receipt, Review, TopicReview, check, hand_in
from irjudge.judging.session import Session
from irjudge.progress import Progress
from irjudge_ui.engine_words import in_language
from irjudge_ui.language import listed, sentences
from irjudge_ui.views.dialog import Dialog, growing
from irjudge_ui.widgets.layout import Part, breakable, button, row, scrolling, text
from irjudge_ui.widgets.meter import Meter
from irjudge_ui.widgets.theme import SPACE_M

REVIEW_SIZE, RECEIPT_SIZE = (560, 480), (600, 560)


class Handing(Protocol):
    """What closing the work needs to know of the page: who judges, and how work runs beside the window."""

    session: Session | None
    work: SignalInstance


class Closing(QObject):
    """Closes the work: says what is missing, checks the log beside the window, notes it, shows the receipt."""

    failed = Signal(str)

    def __init__(self, page: Handing, parent: QWidget) -> None:
        super().__init__(parent)
        self._page, self._parent = page, parent

    @property
    def can_hand_in(self) -> bool:
        """Whether there is work to close."""
        return self._page.session is not None and self._page.session.count().judged > 0

    def hand_in(self) -> None:
        """Say what is missing and close the work when it is wanted all the same."""
        session = self._page.session
        if session:
            HandInDialog(self._parent, check(session), lambda: self._close(session)).open()

    def _close(self, session: Session) -> None:
        def look(progress: Progress) -> tuple[str, ...]:
            with session.project.second_connection() as other:
                return other.verify_events(progress)

        self._page.work.emit(self.tr("Checking the file"), look, lambda faults: self._note(session, faults))

    def _note(self, session: Session, faults: tuple[str, ...]) -> None:
        try:
            receipt = hand_in(session, checked=not faults)  # with faults it looks again, and says what it found
        except IrjudgeError as fault:
            self.failed.emit(in_language(str(fault)))
            return
        ReceiptDialog(self._parent, receipt, session.project.path).open()


class HandInDialog(Dialog):
    """Says what is missing before the work is closed; `hand_in` is called when it is closed all the same."""

    def __init__(self, parent: QWidget, review: Review, hand_in: Callable[[], None]) -> None:
        super().__init__(parent, REVIEW_SIZE)
        self._review = review
        meter = Meter(self.tr("All topics"))
        meter.show_count(review.total("judged"), review.total("assigned"))
        close, stay = (self.tr("Hand in"), hand_in), (self.tr("Go on judging"), None)
        choices = [stay, close] if review.complete else [close, stay]
        lines = [topic for topic in review.topics if self._open(topic)]
        parts: list[Part] = [text(self._words(), "quiet"), meter, *([self._table(lines)] if lines else [None])]
        self.fill(self.tr("Hand in your work"), parts, choices)

    def _words(self) -> str:
        if self._review.complete:
            return self.tr("Everything is judged. The file is checked, and you get a receipt to compare with whoever asked you.")
        left = self._review.total("assigned") - self._review.total("judged")
        words = self.tr("%1 documents are not judged yet. You can hand in all the same and go on later.").replace("%1", f"{left:,}")
        drafts = self._review.total("drafts")
        return sentences(words, self.tr("%1 notes are typed and not kept.").replace("%1", f"{drafts:,}") if drafts else "")

    @staticmethod
    def _open(topic: TopicReview) -> bool:
        return bool(topic.judged < topic.assigned or topic.unsure or topic.drafts)

    def _table(self, lines: list[TopicReview]) -> QWidget:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, SPACE_M, 0)
        grid.setColumnStretch(0, 1)
        for place, topic in enumerate(lines):
            missing = [
                (topic.assigned - topic.judged, self.tr("%1 not judged")),
                (topic.skipped, self.tr("%1 of them skipped")),
                (topic.unsure, self.tr("%1 unsure")),
                (topic.drafts, self.tr("%1 notes not kept")),
            ]
            words = listed(words.replace("%1", f"{count:,}") for count, words in missing if count)
            grid.addWidget(text(topic.title or topic.topic), place, 0)
            grid.addWidget(text(words, "quiet"), place, 1)
        grid.setRowStretch(len(lines), 1)
        inside = QWidget()
        inside.setLayout(grid)
        return growing(scrolling(inside, name=self.tr("What is missing")))


class ReceiptDialog(Dialog):
    """Shows the receipt, large enough to read aloud, and where the file lies that goes back."""

    def __init__(self, parent: QWidget, receipt: Receipt, path: Path) -> None:
        super().__init__(parent, RECEIPT_SIZE)
        self._receipt, self._path = receipt, path
        shown = QPlainTextEdit(receipt.text)
        shown.setReadOnly(True)
        shown.setObjectName("receipt")
        shown.setAccessibleName(self.tr("Receipt"))
        shown.setTabChangesFocus(True)
        code = text(receipt.code, "code")
        code.setAccessibleName(self.tr("Code of the receipt"))
        self._problem = text("", "error")
        self._problem.hide()
        words = self.tr("Send this file back: %1").replace("%1", breakable(path))
        copy, save, folder = button(self.tr("Copy receipt")), button(self.tr("Save receipt")), button(self.tr("Show folder"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(receipt.text))
        save.clicked.connect(self._save)
        folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent))))
        parts: list[Part] = [code, text(words), growing(shown), self._problem, row(copy, save, folder, None)]
        self.fill(self.tr("Handed in"), parts, [(self.tr("Close"), None)])

    def _save(self) -> None:
        start = str(self._path.with_suffix(".receipt.txt"))
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save receipt"), start)
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Write the receipt as a text file."""
        try:
            path.write_text(self._receipt.text, encoding="utf-8")
        except OSError as fault:
            self._problem.setText("✕ " + self.tr("%1 cannot be written: %2.").replace("%1", path.name).replace("%2", fault.strerror or ""))
            self._problem.show()
        else:
            self._problem.hide()
