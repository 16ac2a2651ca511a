"""What a person sees when the fault is ours: what happened, what is safe, and details to save."""

import platform
from pathlib import Path

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QPlainTextEdit, QVBoxLayout, QWidget

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.replacing import write_whole
from irjudge_ui.widgets.layout import button, row, text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XL, dress, zoomed
from irjudge_ui.words import in_language

SIZE = (560, 380)


class TroubleDialog(QDialog):
    """A fault of the program, said plainly."""

    def __init__(self, parent: QWidget | None, fault: BaseException, trace: str) -> None:
        super().__init__(parent)
        dress(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("A fault in irjudge"))
        self.resize(zoomed(SIZE[0]), zoomed(SIZE[1]))
        self.details = f"irjudge on Python {platform.python_version()}, PySide6 {PySide6.__version__}, {platform.platform()}\n\n{trace}"
        shown = QPlainTextEdit(self.details)
        shown.setReadOnly(True)
        shown.setAccessibleName(self.tr("Details"))
        save, done = button(self.tr("Save details")), button(self.tr("Go on"), "primary")
        save.clicked.connect(self._save)
        done.clicked.connect(self.accept)
        self.problem = text("", "error")
        self.problem.hide()
        words = self.tr("This is a fault of the program, not yours. Every judgment that was acknowledged is on disk. You can go on.")
        box = QVBoxLayout(self)
        box.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        box.setSpacing(SPACE_M)
        box.addWidget(text(self.tr("Something went wrong inside irjudge"), "title"))
        box.addWidget(text(words, "quiet"))
        box.addWidget(text(f"{type(fault).__name__}: {fault}"))
        box.addWidget(shown, 1)
        box.addWidget(self.problem)
        box.addLayout(row(None, save, done))

    def _save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save details"), "irjudge-fault.txt")
        if name:
            self.problem.setText("")
            try:
                write_whole(Path(name), self.details)
            except IrjudgeError as problem:
                self.problem.setText("✕ " + in_language(str(problem)))
            self.problem.setVisible(bool(self.problem.text()))
