"""Progress of work: an overlay while the project is written, and a bar above a page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QProgressBar, QSizePolicy, QWidget
from shiboken6 import isValid

from irjudge.progress import Progress
from irjudge_ui import jobs
from irjudge_ui.messages import join_sentences, translate_message
from irjudge_ui.pages.shared import View
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_XL,
    SPACE_XS,
    Bounded,
    card,
    column,
    current_theme,
    make_button,
    make_label,
    row,
)

# Work that writes: an overlay covers the window, and shows progress and a cancel button.

WIDTH = 380
SHOW_AFTER_MS = 200  # shorter jobs are not shown, which would flicker


class BusyOverlay(QWidget):
    """Overlay that blocks its parent during a job that writes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title, self._step = make_label("", "heading"), make_label("", "quiet")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._cancel = make_button(self.tr("Cancel"))
        self._cancel.clicked.connect(self._on_cancel)
        self._before: QWidget | None = None
        self._call: Callable[[], None] = lambda: None
        self._panel = panel = card(
            self._title,
            self._step,
            self._bar,
            row(None, self._cancel),
            margin=SPACE_XL,
            spacing=SPACE_M,
        )
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SHOW_AFTER_MS)
        self._soon.timeout.connect(self._appear)
        box = column(None, Bounded(WIDTH, column(panel), middle=True), None)
        box.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        self.setLayout(box)
        self.setFocusPolicy(
            Qt.FocusPolicy.StrongFocus
        )  # receives the keys until the button is shown
        self.hide()

    def begin(self, title: str, cancel: Callable[[], None]) -> None:
        """Cover the window."""
        self._call = cancel
        self._before = QApplication.focusWidget()
        self._title.setText(title)
        self._step.setText("")
        self._bar.setRange(0, 0)
        self._cancel.setEnabled(True)
        parent = self.parentWidget()
        if parent:
            self.resize(parent.size())
        self._panel.hide()
        self.show()
        self.raise_()
        self.setFocus()
        self._soon.start()

    def _appear(self) -> None:
        self._panel.show()
        self._cancel.setFocus()
        self.update()

    def end(self) -> None:
        """Uncover the window and restore the focus."""
        self._soon.stop()
        self.hide()
        if self._before is not None and isValid(self._before):
            self._before.setFocus()

    def tell(self, done: int, total: int | None, what: str) -> None:
        """Show the progress; without a total the bar is indeterminate."""
        self._bar.setRange(0, total or 0)
        self._bar.setValue(done)
        if total:
            numbers = f"{done:,} / {total:,}"
        elif done:
            numbers = f"{done:,}"
        else:
            numbers = ""
        self._step.setText(f"{what}  {numbers}".strip())

    def _on_cancel(self) -> None:
        self._cancel.setEnabled(False)
        self._step.setText(self.tr("Cancelling …"))
        self._call()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._panel.isHidden():
            return
        colour = QColor(current_theme().window)
        colour.setAlpha(200)
        QPainter(self).fillRect(self.rect(), colour)

    def keyPressEvent(self, event: object) -> None:
        """Block keys from the widgets below; Escape cancels."""
        if getattr(event, "key", lambda: None)() == Qt.Key.Key_Escape and self._cancel.isEnabled():
            self._on_cancel()


WHILE_BUSY = ("quit", "zoom-in", "zoom-out", "zoom-reset", "theme", "shortcuts")


class BlockingJob(QObject):
    """Runs one job at a time under an overlay.

    `failed` is emitted with the error, and a trace if it is a bug.
    """

    failed = Signal(object, str)

    def __init__(
        self,
        body: QWidget,
        parts: Sequence[QWidget],
        actions: Mapping[str, QAction],
        focus: Callable[[], None],
    ) -> None:
        super().__init__(body)
        self._parts, self._actions, self._focus = parts, actions, focus
        self.busy = BusyOverlay(body)
        self.title = ""  # title of the running job

    def run(
        self, title: str, function: Callable[[Progress], Any], done: Callable[[Any], Any]
    ) -> None:
        """Run `function` in the background, then `done` with its result."""

        def finish(result: Any) -> None:
            self._end()
            done(result)

        def tell(done: int, total: int | None, what: str) -> None:
            self.busy.tell(done, total, translate_message(what))

        self.title = title
        job = jobs.run(function, finish, self._on_failed, tell)
        self.busy.begin(title, job.cancel)
        self._let(False)

    def _let(self, allowed: bool) -> None:
        """Enable or disable the pages while work changes the project."""
        for part in self._parts:
            part.setEnabled(allowed)
        for name, action in self._actions.items():
            action.setEnabled(allowed or name in WHILE_BUSY)

    def _end(self) -> None:
        self.title = ""
        self._let(True)
        self.busy.end()
        focus = QApplication.focusWidget()
        if focus is None or not self._parts[0].isAncestorOf(focus):
            self._focus()  # a file dialog was open before the job, so there was no focus to restore

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._end()
        self.failed.emit(error, trace)


# Progress above a page that is being computed: first a bar, later text and a stop button.

BAR = 4
BAR_AFTER_MS = 40  # shorter jobs are not shown, which would flicker
# longer delay for the text and the stop button, because they push the page down
TEXT_AFTER_MS = 600


class WorkIndicator(QWidget):
    """Progress of the visible page. Space for the bar is reserved, so that the page does not move."""

    def __init__(self) -> None:
        super().__init__()
        self._view: View | None = None
        self.bar, self._message = QProgressBar(), make_label("", "quiet", wrap=False)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(BAR)
        self.bar.setAccessibleName(self.tr("Preparing the page"))
        keeping = self.bar.sizePolicy()
        keeping.setRetainSizeWhenHidden(True)
        keeping.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
        self.bar.setSizePolicy(keeping)
        self.stop, self.again = (
            make_button(self.tr("Cancel")),
            make_button(self.tr("Recompute")),
        )
        self.stop.clicked.connect(self._stop)
        self.again.clicked.connect(self._begin_again)
        self._panel = QWidget()
        self._panel.setLayout(row(self._message, None, self.stop, self.again, spacing=SPACE_M))
        self.setLayout(column(self.bar, self._panel, spacing=SPACE_XS))
        self._soon, self._later = QTimer(self), QTimer(self)
        for timer, wait, do in (
            (self._soon, BAR_AFTER_MS, self._appear),
            (self._later, TEXT_AFTER_MS, self._tell),
        ):
            timer.setSingleShot(True)
            timer.setInterval(wait)
            timer.timeout.connect(do)
        self._hide()

    def follow(self, view: View) -> None:
        """Follow another page."""
        if self._view is not view:
            if self._view is not None:
                self._view.worked.disconnect(self._look)
            self._view = view
            view.worked.connect(self._look)
            self._hide()
        self._look()

    def _look(self) -> None:
        """Show the progress of running work, or hide it."""
        step = self._view.under_way if self._view else None
        if step is None:
            self._hide()
        elif self.bar.isHidden():
            if not self._soon.isActive():
                self._soon.start()
        else:
            self._show(*step)

    def _appear(self) -> None:
        self.again.hide()
        self.bar.setRange(0, 0)
        self.bar.show()
        self._later.start()

    def _tell(self) -> None:
        self.stop.show()
        self._panel.show()
        self._look()

    def _show(self, done: int, total: int | None, what: str) -> None:
        self.bar.setRange(0, total or 0)
        self.bar.setValue(done)
        numbers = f"{done:,} / {total:,}" if total else ""
        self._message.setText(
            join_sentences(translate_message(what) or self.tr("Computing …"), numbers)
        )

    def _hide(self) -> None:
        self._soon.stop()
        self._later.stop()
        self._panel.hide()
        self.bar.hide()

    def _stop(self) -> None:
        """Stop the work, and offer to restart it, because the page is incomplete."""
        if self._view:
            self._view.stop_making()
            self._message.setText(self.tr("Stopped: the page is incomplete."))
            self.stop.hide()
            self.again.show()
            self._panel.show()
            self.again.setFocus()

    def _begin_again(self) -> None:
        self._hide()
        if self._view:
            self._view.restart_jobs()
