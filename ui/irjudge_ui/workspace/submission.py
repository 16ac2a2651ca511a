"""Submission of finished work: what is missing, and the receipt."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QGridLayout, QPlainTextEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import write_text_atomically
from irjudge.judging import (
    MAX_REVIEWED_TOPICS,
    Receipt,
    SubmissionReview,
    SubmittableWork,
    TopicReview,
    review_work,
    submit_work,
)
from irjudge.progress import Progress
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.messages import filled, join_list, join_sentences, translate_message
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_XS,
    Dialog,
    LinkButton,
    Meter,
    Part,
    WrittenFileButtons,
    make_breakable,
    make_button,
    make_growing,
    make_label,
    row,
    scrolling,
)

REVIEW_SIZE, RECEIPT_SIZE = (640, 520), (660, 560)
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class SubmissionHost(Protocol):
    """Page that submits work: it supplies the session and runs jobs."""

    work: SignalInstance

    @property
    def session(self) -> SubmittableWork | None:
        """Session of the page; None without one."""


class Submission(QObject):
    """Submits the work.

    Shows what is missing, checks the log in the background, records the submission and shows the
    receipt.
    """

    failed = Signal(str)
    done = Signal()
    topic_asked = Signal(str)  # requests the documents of an unfinished topic

    def __init__(self, page: SubmissionHost, parent: QWidget) -> None:
        super().__init__(parent)
        self._page, self._parent = page, parent

    @property
    def can_hand_in(self) -> bool:
        """Whether there is work to submit."""
        return self._page.session is not None and self._page.session.count().judged > 0

    def hand_in(self) -> None:
        """Submit the work; if something is missing or unsure, show it and ask first."""
        session = self._page.session
        if not session:
            return
        review = review_work(session)
        if review.complete and not review.total("unsure"):
            self._close(session)
            return
        dialog = SubmissionDialog(self._parent, review, lambda: self._close(session))
        dialog.topic_asked.connect(self.topic_asked)
        dialog.open()

    def _close(self, session: SubmittableWork) -> None:
        def look(progress: Progress) -> tuple[str, ...]:
            with session.project.second_connection() as other:
                return other.verify_events(progress)

        self._page.work.emit(
            self.tr("Checking the file"), look, lambda problems: self._note(session, problems)
        )

    def _note(self, session: SubmittableWork, problems: tuple[str, ...]) -> None:
        try:
            receipt = submit_work(
                session, checked=not problems
            )  # if the log is damaged, check it again and report
        except IrjudgeError as error:
            self.failed.emit(translate_message(str(error)))
            return
        self.done.emit()
        ReceiptDialog(self._parent, receipt, session.project.path).open()


class SubmissionDialog(Dialog):
    """Lists what is missing before submission; `submit_work` is called on confirmation.

    `topic_asked` is emitted after the dialog is closed, with the topic whose documents to show.
    """

    topic_asked = Signal(str)

    def __init__(
        self, parent: QWidget, review: SubmissionReview, hand_in: Callable[[], None]
    ) -> None:
        super().__init__(parent, REVIEW_SIZE)
        self._review = review
        meter = Meter(self.tr("All topics"))
        meter.show_count(review.total("judged"), review.total("assigned"))
        close, stay = (self.tr("Submit"), hand_in), (self.tr("Continue judging"), None)
        choices = [stay, close] if review.complete else [close, stay]
        lines = [topic for topic in review.topics if self._open(topic)]
        parts: list[Part] = [
            make_label(self._message(), "quiet"),
            meter,
            *([self._table(lines[:MAX_REVIEWED_TOPICS])] if lines else [None]),
        ]
        if len(lines) > MAX_REVIEWED_TOPICS:
            more = self.tr(
                "Further topics: {count}. The document list of any topic leads to all of them."
            )
            parts.append(
                make_label(filled(more, count=f"{len(lines) - MAX_REVIEWED_TOPICS:,}"), "small")
            )
        self.fill(self.tr("Submit your work"), parts, choices)
        self.fit()

    def _message(self) -> str:
        if self._review.complete:
            return self.tr(
                "Everything is judged. The file is checked, and you get a receipt for the "
                "person who asked you to judge."
            )
        left, drafts = (
            self._review.total("assigned") - self._review.total("judged"),
            self._review.total("drafts"),
        )
        return join_sentences(
            filled(self.tr("Documents not judged yet: {left}."), left=f"{left:,}") if left else "",
            filled(self.tr("Unsaved notes: {drafts}."), drafts=f"{drafts:,}") if drafts else "",
            self.tr("You can submit now and continue later."),
        )

    @staticmethod
    def _open(topic: TopicReview) -> bool:
        return bool(topic.judged < topic.assigned or topic.unsure or topic.drafts)

    def _table(self, lines: list[TopicReview]) -> QWidget:
        """Return a row for each topic: its title, which links to its documents, and the counts."""
        counts = {
            self.tr("Not judged"): [topic.assigned - topic.judged for topic in lines],
            self.tr("Skipped"): [topic.skipped for topic in lines],
            self.tr("Unsure"): [topic.unsure for topic in lines],
            self.tr("Unsaved notes"): [topic.drafts for topic in lines],
        }
        shown = {label: column for label, column in counts.items() if any(column)}
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, SPACE_M, 0)
        grid.setHorizontalSpacing(SPACE_L)
        grid.setVerticalSpacing(SPACE_XS)
        grid.setColumnStretch(0, 1)
        grid.setRowStretch(len(lines) + 1, 1)
        for column_index, (label, column) in enumerate(shown.items(), 1):
            grid.addWidget(make_label(label, "small", wrap=False), 0, column_index, RIGHT)
            for line, count in enumerate(column, 1):
                if count:
                    grid.addWidget(
                        make_label(f"{count:,}", "quiet", wrap=False), line, column_index, RIGHT
                    )
        for line, topic in enumerate(lines, 1):
            counts_text = (
                f"{label}: {column[line - 1]:,}"
                for label, column in shown.items()
                if column[line - 1]
            )
            grid.addWidget(self._link(topic, join_list(counts_text)), line, 0)
        inside = QWidget()
        inside.setLayout(grid)
        return make_growing(scrolling(inside))

    def _link(self, topic: TopicReview, description: str) -> LinkButton:
        title = topic.title or topic.topic
        made = LinkButton(title)
        made.setAccessibleName(filled(self.tr("Documents of {title}"), title=title))
        made.setAccessibleDescription(description)
        made.clicked.connect(lambda: self._choose(lambda: self.topic_asked.emit(topic.topic)))
        return made


class ReceiptDialog(Dialog):
    """Shows the receipt in large text, and the path of the file to return."""

    def __init__(self, parent: QWidget, receipt: Receipt, path: Path) -> None:
        super().__init__(parent, RECEIPT_SIZE)
        self._receipt, self._path = receipt, path
        shown = QPlainTextEdit(receipt.text)
        shown.setReadOnly(True)
        shown.setObjectName("receipt")
        shown.setAccessibleName(self.tr("Receipt"))
        shown.setTabChangesFocus(True)
        code = make_label(receipt.code, "code")
        code.setAccessibleName(self.tr("Code of the receipt"))
        self.problem = make_label("", "error")
        self.problem.hide()
        self._saved = make_label("", "quiet")
        self._saved.hide()
        self._written = WrittenFileButtons()
        message = filled(self.tr("Return this file: {file}"), file=make_breakable(path))
        about = make_label(
            self.tr(
                "Keep this code. The recipient compares it with the file to check that nothing "
                "was lost."
            ),
            "quiet",
        )
        copy, save, folder = (
            make_button(self.tr("Copy receipt")),
            make_button(self.tr("Save receipt")),
            make_button(self.tr("Show in folder")),
        )
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(receipt.text))
        save.clicked.connect(self._save)
        folder.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
        )
        parts: list[Part] = [
            make_label(message, "strong"),
            code,
            about,
            make_growing(shown),
            self.problem,
            row(self._saved, self._written),
            row(copy, save, folder, None),
        ]
        self.fill(self.tr("Submitted"), parts, [(self.tr("Close"), None)])

    def _save(self) -> None:
        path, _ = ask_save_path(
            self, self.tr("Save receipt"), self._path.with_suffix(".receipt.txt")
        )
        if path:
            self.save(path)

    def save(self, path: Path) -> None:
        """Write the receipt as a text file and report the result."""
        saved = True
        try:
            write_text_atomically(path, self._receipt.text)
        except IrjudgeError as error:
            saved = False
            self.problem.setText("✕ " + translate_message(str(error)))
        else:
            self._saved.setText(filled(self.tr("Saved as {path}."), path=path.name))
            self._written.offer(path)
        self.problem.setHidden(saved)
        self._saved.setHidden(not saved)
        self._written.setHidden(not saved)
