"""What an assessor notes beside a grade: unsure, a note, reasons."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from irjudge.judging.ledger import Marks
from irjudge_ui.widgets.layout import card, text

DRAFT_MS = 700  # a pause this long keeps what was typed so far


class MarksCard(QWidget):
    """A field for the note, and what else was marked. `typed` comes in pauses of typing, `kept` with Enter."""

    kept = Signal(str)
    typed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._marked = text("", "small")
        self.note = QLineEdit()
        self.note.setPlaceholderText(self.tr("Note"))
        self.note.setAccessibleName(self.tr("Note"))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(DRAFT_MS)
        self._pause.timeout.connect(lambda: self.typed.emit(self.note.text()))
        self.note.returnPressed.connect(lambda: self.kept.emit(self.note.text()))
        self.note.textEdited.connect(lambda _text: self._pause.start())
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
        if marks.rationales:
            parts.append(self.tr("%1 reasons kept").replace("%1", str(len(marks.rationales))))
        self._marked.setText(" · ".join(parts))
        self._marked.setVisible(bool(parts))

    def unkept(self) -> str | None:
        """Return the text of a note that was typed and not kept yet; None when there is none."""
        return self.note.text() if self.note.text() != self._saved else None
