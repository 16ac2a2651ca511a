"""What can be done with a file that was just written: open it, or look where it is."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from irjudge_ui.widgets.layout import button, row


class WrittenFile(QWidget):
    """Two buttons, hidden until there is a file."""

    def __init__(self) -> None:
        super().__init__()
        self._path = Path()
        self.open, self.folder = button(self.tr("Open")), button(self.tr("Show folder"), "link")
        self.setLayout(row(self.open, self.folder))
        self.open.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path))))
        self.folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path.parent))))
        self.hide()

    def offer(self, path: Path) -> None:
        """Offer a file."""
        self._path = path
        self.show()
