"""The scale of a new project: one of the usual ones, one that is typed, or one from a file."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from irjudge.errors import IrjudgeError
from irjudge.model.scale import HIGHEST, Scale, read_scale
from irjudge_ui.jobs import Latest
from irjudge_ui.widgets.layout import button, row
from irjudge_ui.widgets.theme import SPACE_M
from irjudge_ui.words import filled, in_language

SCALES = ("0-3", "binary", "0-2", "0-4")


class ScaleChoice(QWidget):
    """A list of scales that takes others: type 0-7, or choose a file. `changed` comes with each other scale or fault."""

    changed = Signal()
    failed = Signal(object, str)  # a fault of ours, and its traceback

    def __init__(self) -> None:
        super().__init__()
        self._reading = Latest()
        self._fault = ""  # of the file that was chosen last
        self.box = QComboBox()
        self.box.setEditable(True)
        self.box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for name in SCALES:
            self.box.addItem(self.tr("binary") if name == "binary" else name, Scale.parse(name))
        self.box.setAccessibleName(self.tr("Scale"))
        self.box.editTextChanged.connect(self._on_typed)
        self.file = button(self.tr("Choose a file"))
        self.file.setAccessibleName(self.tr("Choose a file of a scale"))
        self.file.clicked.connect(self._ask_file)
        self.setLayout(row(self.box, self.file, spacing=SPACE_M))

    @property
    def scale(self) -> Scale | None:
        """The scale that is chosen; None where there is none of that name."""
        typed = self.box.currentText().strip()
        place = self.box.findText(typed)
        if place >= 0:
            found: Scale = self.box.itemData(place)
            return found
        try:
            return None if Path(typed).exists() else Scale.parse(typed)  # files come by the button, read beside the window
        except IrjudgeError:
            return None

    def problem(self) -> str:
        """Return why there is no scale, or nothing."""
        if self._fault or self.scale:
            return self._fault
        return filled(self.tr("Grades must be binary, 0-1 to 0-%1, or a file."), str(HIGHEST))

    def choose(self, path: Path) -> None:
        """Read a scale from a file beside the window and take it."""
        self._reading.run(lambda _progress: read_scale(path), lambda scale: self._take(path, scale), self._on_fault)

    def _take(self, path: Path, scale: Scale) -> None:
        self._fault = ""
        known = self.box.findText(path.name)
        if known >= 0:
            self.box.removeItem(known)
        self.box.addItem(path.name, scale)
        self.box.setCurrentIndex(self.box.count() - 1)
        self.changed.emit()

    def _on_fault(self, fault: Exception, trace: str) -> None:
        self._fault = in_language(str(fault))
        self.changed.emit()
        if trace:
            self.failed.emit(fault, trace)

    def _on_typed(self) -> None:
        self._fault = ""
        self.changed.emit()

    def _ask_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a file of a scale"), "", "JSON (*.json)")
        if name:
            self.choose(Path(name))
