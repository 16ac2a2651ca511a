"""Submission of work: review of missing judgments, check, and receipt."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QSize, Qt, QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

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
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.jobs import on_project
from irjudge_ui.messages import filled, join_list, join_sentences, translate_message
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_XS,
    Dialog,
    Flow,
    LinkButton,
    Meter,
    Part,
    WrittenFileButtons,
    column,
    make_breakable,
    make_button,
    make_container,
    make_grid,
    make_growing,
    make_label,
    make_scroll_area,
    row,
    set_style,
)

REVIEW_SIZE, RECEIPT_SIZE = (640, 520), (660, 560)
RIGHT_ALIGNMENT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class SubmissionHost(Protocol):
    """Interface that `Submission` requires of a page whose work can be submitted."""

    job_requested: SignalInstance

    @property
    def session(self) -> SubmittableWork | None:
        """Session whose work is submitted; None if there is none."""


class Submission(QObject):
    """Controller of a submission: review, check of the log in the background, and record.

    If judgments are missing, notes are unsaved, or items are marked as unsure, a dialog lists the
    topics and the user must confirm the submission. The submission is recorded in the project; the
    user returns the file, and can continue judging. `done` is emitted after a submission, `failed`
    with an error message. If work is left, a dialog shows the receipt. If no work is left, the page
    shows the receipt after `done`.
    """

    failed = Signal(str)
    done = Signal()
    topic_requested = Signal(str)  # emitted with the id of a topic to show

    def __init__(self, page: SubmissionHost, parent: QWidget) -> None:
        super().__init__(parent)
        self._page, self._parent = page, parent

    @property
    def can_submit(self) -> bool:
        """Whether there are judgments to submit."""
        return self._page.session is not None and self._page.session.count().judged > 0

    def submit(self) -> None:
        """Submit the work; if anything is missing or marked unsure, ask for confirmation first."""
        session = self._page.session
        if not session:
            return
        review = review_work(session)
        if review.complete and not review.total("unsure"):
            self._close(session)
            return
        dialog = SubmissionDialog(self._parent, review, lambda: self._close(session))
        dialog.topic_requested.connect(self.topic_requested)
        dialog.open()

    def _close(self, session: SubmittableWork) -> None:
        self._page.job_requested.emit(
            self.tr("Checking the file"),
            on_project(
                session.project, lambda job_project, progress: job_project.verify_events(progress)
            ),
            lambda problems: self._on_checked(session, problems),
        )

    def _on_checked(self, session: SubmittableWork, problems: tuple[str, ...]) -> None:
        try:
            # if the check found problems, `submit_work` repeats the check and raises the error
            receipt = submit_work(session, is_checked=not problems)
        except IrjudgeError as error:
            self.failed.emit(translate_message(str(error)))
            return
        self.done.emit()
        if session.count().left:
            ReceiptDialog(self._parent, receipt, session.project.path).open()


class SubmissionDialog(Dialog):
    """Dialog that lists unfinished topics before a submission, and asks for confirmation.

    It has a row for each topic (at most `MAX_REVIEWED_TOPICS`) with unjudged items, items marked as
    unsure, or unsaved notes. `submit` is called on confirmation. `topic_requested` is emitted with
    the id of a topic whose documents are to be shown; the dialog is then closed without a
    submission.
    """

    topic_requested = Signal(str)

    def __init__(
        self, parent: QWidget, review: SubmissionReview, submit: Callable[[], None]
    ) -> None:
        super().__init__(parent, REVIEW_SIZE)
        self._review = review
        meter = Meter(self.tr("All topics"))
        meter.show_count(review.total("judged"), review.total("assigned"))
        submit_choice = (self.tr("Submit"), submit)
        continue_choice = (self.tr("Continue judging"), None)
        choices = (
            [continue_choice, submit_choice]
            if review.complete
            else [submit_choice, continue_choice]
        )
        unfinished_topics = [topic for topic in review.topics if self._open(topic)]
        parts: list[Part] = [
            make_label(self._make_message(), "quiet"),
            meter,
            *(
                [self._make_table(unfinished_topics[:MAX_REVIEWED_TOPICS])]
                if unfinished_topics
                else [None]
            ),
        ]
        if len(unfinished_topics) > MAX_REVIEWED_TOPICS:
            parts.append(
                make_label(
                    filled(
                        self.tr(
                            "Further topics: {count}. To reach them, open the document list of "
                            "any topic."
                        ),
                        count=f"{len(unfinished_topics) - MAX_REVIEWED_TOPICS:,}",
                    ),
                    "small",
                )
            )
        self.fill(self.tr("Submit your work"), parts, choices)
        self.fit()

    def _make_message(self) -> str:
        if self._review.complete:
            return self.tr(
                "Everything is judged. When you submit, the file will be checked, and you will "
                "get a receipt for the person who asked you to judge."
            )
        remaining = self._review.total("assigned") - self._review.total("judged")
        drafts = self._review.total("drafts")
        return join_sentences(
            filled(self.tr("Documents not judged yet: {left}."), left=f"{remaining:,}")
            if remaining
            else "",
            filled(self.tr("Unsaved notes: {drafts}."), drafts=f"{drafts:,}") if drafts else "",
            self.tr("You can submit now and continue later."),
        )

    @staticmethod
    def _open(topic: TopicReview) -> bool:
        return bool(topic.judged < topic.assigned or topic.unsure or topic.drafts)

    def _make_table(self, topics: list[TopicReview]) -> QWidget:
        """Return a table of topics: title, which is a link to the documents, and counts."""
        counts = {
            self.tr("Not judged"): [topic.assigned - topic.judged for topic in topics],
            self.tr("Skipped"): [topic.skipped for topic in topics],
            self.tr("Unsure"): [topic.unsure for topic in topics],
            self.tr("Unsaved notes"): [topic.drafts for topic in topics],
        }
        visible_columns = {label: numbers for label, numbers in counts.items() if any(numbers)}
        grid = make_grid(SPACE_L, SPACE_XS, (0, 0, SPACE_M, 0), stretched=0)
        grid.setRowStretch(len(topics) + 1, 1)
        for column_index, (label, numbers) in enumerate(visible_columns.items(), 1):
            grid.addWidget(make_label(label, "small", wrap=False), 0, column_index, RIGHT_ALIGNMENT)
            for row_number, count in enumerate(numbers, 1):
                if count:
                    grid.addWidget(
                        make_label(f"{count:,}", "quiet", wrap=False),
                        row_number,
                        column_index,
                        RIGHT_ALIGNMENT,
                    )
        for row_number, topic in enumerate(topics, 1):
            counts_text = (
                f"{label}: {column[row_number - 1]:,}"
                for label, column in visible_columns.items()
                if column[row_number - 1]
            )
            grid.addWidget(self._make_link(topic, join_list(counts_text)), row_number, 0)
        return make_growing(make_scroll_area(make_container(grid)))

    def _make_link(self, topic: TopicReview, description: str) -> LinkButton:
        title = topic.title or topic.topic
        button = LinkButton(title)
        button.setAccessibleName(filled(self.tr("Documents of {title}"), title=title))
        button.setAccessibleDescription(description)
        button.clicked.connect(lambda: self._choose(lambda: self.topic_requested.emit(topic.topic)))
        return button


class ReceiptText(QPlainTextEdit):
    """Read-only text widget for a receipt, whose preferred height fits its lines unwrapped.

    If the widget is so narrow that lines are wrapped, it scrolls.
    """

    def __init__(self, text: str) -> None:
        super().__init__(
            text,
            readOnly=True,
            tabChangesFocus=True,
            lineWrapMode=QPlainTextEdit.LineWrapMode.WidgetWidth,
        )
        self.setObjectName("receipt")
        self.setAccessibleName(self.tr("Receipt"))

    def sizeHint(self) -> QSize:
        self.ensurePolished()  # without this, the style sheet would change the font later
        lines = self.blockCount()
        return QSize(
            super().sizeHint().width(),
            lines * self.fontMetrics().lineSpacing() + 2 * self.frameWidth() + 2 * SPACE_M,
        )


class ReceiptView(QWidget):
    """Widget with the file to return, the receipt, and a button that saves the receipt.

    Only the path of the file is shown. The receipt confirms a submission; its code, with which the
    recipient checks the returned file, is shown in large text.
    """

    def __init__(self, receipt: Receipt, path: Path) -> None:
        super().__init__()
        self._receipt, self._path = receipt, path
        self.problem = make_label("", "error", hidden=True)
        self._saved_note = make_label("", "quiet", hidden=True)
        self._file_buttons = WrittenFileButtons()
        message = filled(self.tr("Return this file: {file}"), file=make_breakable(path))
        self.folder_button = make_button(
            self.tr("Show in folder"),
            "primary",
            clicked=lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent))),
        )
        copy_button = make_button(
            self.tr("Copy receipt"),
            clicked=lambda: QGuiApplication.clipboard().setText(receipt.text),
        )
        save_button = make_button(self.tr("Save receipt"), clicked=self._save)
        self.setFocusProxy(self.folder_button)
        self.setLayout(
            column(
                make_label(message, "strong"),
                make_label(receipt.code, "code", name=self.tr("Receipt code")),
                make_label(
                    self.tr(
                        "Keep this code. The recipient compares it with the file to check that "
                        "nothing was lost."
                    ),
                    "quiet",
                ),
                ReceiptText(receipt.text),
                self.problem,
                row(self._saved_note, self._file_buttons),
                Flow([self.folder_button, copy_button, save_button]),
                spacing=SPACE_M,
            )
        )

    def _save(self) -> None:
        path, _ = ask_save_path(
            self, self.tr("Save receipt"), self._path.with_suffix(".receipt.txt")
        )
        if path:
            self.save(path)

    def save(self, path: Path) -> None:
        is_saved = True
        try:
            write_text_atomically(path, self._receipt.text)
        except IrjudgeError as error:
            is_saved = False
            self.problem.setText("✕ " + translate_message(str(error)))
        else:
            self._saved_note.setText(filled(self.tr("Saved as {path}."), path=path.name))
            self._file_buttons.offer(path)
        self.problem.setHidden(is_saved)
        self._saved_note.setHidden(not is_saved)
        self._file_buttons.setHidden(not is_saved)


class ReceiptDialog(Dialog):
    """Dialog with the receipt, after unfinished work was submitted.

    The receipt of finished work is shown on the page (for judging or comparing) instead.
    """

    def __init__(self, parent: QWidget, receipt: Receipt, path: Path) -> None:
        super().__init__(parent, RECEIPT_SIZE)
        self.receipt = ReceiptView(receipt, path)
        set_style(self.receipt.folder_button, "")
        self.fill(self.tr("Submitted"), [make_growing(self.receipt)], [(self.tr("Close"), None)])
        self.fit(parent.window().height())
