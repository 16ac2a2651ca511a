"""Work that writes: the window is covered, shows how far it is, and can cancel it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget

from irjudge.progress import Progress
from irjudge_ui import jobs
from irjudge_ui.widgets.busy import Busy
from irjudge_ui.words import in_language

WHILE_BUSY = ("quit", "zoom-in", "zoom-out", "zoom-reset", "theme", "shortcuts")


class Working(QObject):
    """Runs one job at a time over a part of the window. `failed` comes with what went wrong, and a trace where the fault is ours.

    Parameters
    ----------
    body
        What is covered.
    parts
        What takes no keys and no focus meanwhile.
    actions
        The window's, of which few may be done meanwhile.
    focus
        Puts the focus where it belongs when there is none to give back.
    """

    failed = Signal(object, str)

    def __init__(self, body: QWidget, parts: Sequence[QWidget], actions: Mapping[str, QAction], focus: Callable[[], None]) -> None:
        super().__init__(body)
        self._parts, self._actions, self._focus = parts, actions, focus
        self.busy = Busy(body)

    def run(self, title: str, function: Callable[[Progress], Any], done: Callable[[Any], Any]) -> None:
        """Run `function` beside the window, then `done` with what it returned."""

        def finish(result: Any) -> None:
            self._end()
            done(result)

        def tell(done: int, total: int | None, what: str) -> None:
            self.busy.tell(done, total, in_language(what))

        job = jobs.run(function, finish, self._on_failed, tell)
        self.busy.begin(title, job.cancel)
        self._let(False)

    def _let(self, allowed: bool) -> None:
        """Let keys and the focus reach the pages, or keep them from a project that work is changing."""
        for part in self._parts:
            part.setEnabled(allowed)
        for name, action in self._actions.items():
            action.setEnabled(allowed or name in WHILE_BUSY)

    def _end(self) -> None:
        self._let(True)
        self.busy.end()
        focus = QApplication.focusWidget()
        if focus is None or not self._parts[0].isAncestorOf(focus):
            self._focus()  # a file dialog was open before the work, so there was no focus to give back

    def _on_failed(self, fault: Exception, trace: str) -> None:
        self._end()
        self.failed.emit(fault, trace)
