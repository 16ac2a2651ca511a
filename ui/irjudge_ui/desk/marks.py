"""What an assessor notes beside a grade: unsure, a note, reasons."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from irjudge.judging.ledger import Marks
from irjudge_ui.widgets.layout import card, text
from irjudge_ui.words import filled

DRAFT_MS = 700  # a pause this long keeps what was typed so far


SHOWN = 3  # reasons
LONGEST = 80  # letters of each that are shown


class NoteField(QLineEdit):
    """A line of text; `left` comes with Escape."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class MarksCard(QWidget):
    """A field for the note, and what else was marked.

    `typed` comes in pauses of typing, `kept` with Enter, `left` with Escape: what was typed and not saved stays in the field as a draft.
    """

    kept = Signal(str)
    typed = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._marked = text("", "small")
        self.note = NoteField()
        self.note.setPlaceholderText(self.tr("Note"))
        self.note.setAccessibleName(self.tr("Note"))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(DRAFT_MS)
        self._pause.timeout.connect(self._tell_typed)
        self.note.returnPressed.connect(lambda: self.kept.emit(self.note.text()))
        self.note.textEdited.connect(lambda _text: self._pause.start())
        self.note.left.connect(self._leave)
        self._saved = ""
        self.used = False  # whether the document has any mark
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(card(self.note, self._marked))

    def show_marks(self, marks: Marks) -> None:
        """Show what stands; a draft from before a crash goes on where it was."""
        self._pause.stop()
        self._saved = marks.note
        self.used = bool(marks.note or marks.draft or marks.unsure or marks.rationales)
        self.note.setText(marks.note if marks.draft is None else marks.draft)
        parts = [self.tr("⚑ unsure")] if marks.unsure else []
        if marks.draft is not None:
            parts.append(self.tr("The note is not kept yet; Enter keeps it."))
        parts += [f"“{_short(rationale.text)}”" for rationale in marks.rationales[-SHOWN:]]
        if len(marks.rationales) > SHOWN:
            parts.append(
                filled(self.tr("Reasons kept: {count}"), count=f"{len(marks.rationales):,}")
            )
        self._marked.setText("\n".join(parts))
        self._marked.setVisible(bool(parts))

    def _tell_typed(self) -> None:
        if self.isEnabled():
            self.typed.emit(self.note.text())
        else:  # work that holds the page still has the project's connection to itself
            self._pause.start()

    def _leave(self) -> None:
        if self.unkept() is not None:
            self._pause.stop()
            self._tell_typed()
        self.left.emit()

    def unkept(self) -> str | None:
        """Return the text of a note that was typed and not kept yet; None when there is none."""
        return self.note.text() if self.note.text() != self._saved else None


def _short(words: str) -> str:
    """Return the beginning of a reason in one line."""
    line = " ".join(words.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
