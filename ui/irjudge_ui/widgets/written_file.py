"""What a person wants next after a file was written: to open it, or to see where it lies."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from irjudge_ui.widgets.layout import button, row


class WrittenFile(QWidget):
    """Two buttons, hidden until there is a file; of a folder with many there is only the way there."""

    def __init__(self) -> None:
        super().__init__()
        self._path = Path()
        self.open, self.folder = button(self.tr("Open")), button(self.tr("Show in folder"), "link")
        self.setLayout(row(self.open, self.folder))
        self.open.clicked.connect(self._open)
        self.folder.clicked.connect(self._show_folder)
        self.hide()

    def offer(self, path: Path) -> None:
        """Offer a file, or a folder of files."""
        self._path = path
        self.open.setHidden(path.is_dir())
        self.show()

    def _open(self) -> None:
        """Open the file by what the system has for it; its folder where there is nothing, as for qrels."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path))):
            self._show_folder()

    def _show_folder(self) -> None:
        folder = self._path if self._path.is_dir() else self._path.parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
