"""The lines below a form that say what it would take, worked out beside the window while the form is filled in."""

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange.costs import CostEstimate
from irjudge.progress import Progress
from irjudge_ui.jobs import Latest
from irjudge_ui.messages import in_language
from irjudge_ui.widgets.layout import Held, column

SETTLE_MS = 250  # while somebody types
Reckon = Callable[[Progress], CostEstimate]


class Preview(QWidget):
    """Shows an estimate. `reckon` gives the work that makes it for what the form says now; None where there is nothing to say."""

    failed = Signal(object, str)

    def __init__(self, reckon: Callable[[], Reckon | None]) -> None:
        super().__init__()
        self._reckon = reckon
        self.words = Held("quiet")
        self.words.setAccessibleName(self.tr("What it would take"))
        self._work = Latest()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self._ask)
        self.setLayout(column(self.words))

    def ask(self) -> None:
        """Work it out anew once there was quiet for a moment."""
        self._work.stop()
        self._timer.start()

    def stop(self) -> None:
        """Say nothing any more."""
        self._timer.stop()
        self._work.stop()
        self.words.clear()

    def hideEvent(self, event: QHideEvent) -> None:
        """Work nothing out that nobody sees."""
        super().hideEvent(event)
        self._timer.stop()
        self._work.stop()

    def _ask(self) -> None:
        if not self.isVisible():
            return
        try:
            work = self._reckon()
        except IrjudgeError as fault:
            self.words.setText("⚠ " + in_language(str(fault)))
            return
        if work is None:
            self.words.clear()
        else:
            self._work.run(work, self._show, self._fail)

    def _show(self, found: CostEstimate) -> None:
        self.words.setText("\n".join(map(in_language, found.sentences())))

    def _fail(self, fault: Exception, trace: str) -> None:
        if trace:
            self.failed.emit(fault, trace)
        else:
            self.words.setText("⚠ " + in_language(str(fault)))
