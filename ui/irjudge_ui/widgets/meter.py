"""Progress in numbers and a bar."""

from PySide6.QtWidgets import QProgressBar, QWidget

from irjudge_ui.widgets.layout import column, row, text
from irjudge_ui.words import filled


class Meter(QWidget):
    """A title, `14 of 50`, and a bar."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._numbers = text("", "quiet", wrap=False)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(title)
        box = column(row(text(title, wrap=False), None, self._numbers), self._bar)
        self.setLayout(box)

    def show_count(self, done: int, total: int) -> None:
        """Show how many of how many."""
        self._numbers.setText(
            filled(self.tr("{count} of {total}"), count=f"{done:,}", total=f"{total:,}")
        )
        self._bar.setRange(0, max(1, total))
        self._bar.setValue(done)
