"""Display of progress: an overlay for jobs that write, and a bar above a page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
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
    MaxWidthBox,
    card,
    column,
    current_theme,
    make_button,
    make_container,
    make_label,
    make_timer,
    named,
    row,
)

# Overlay for jobs that write: it covers the window, and shows progress and a cancel button

WIDTH = 380
SHOW_AFTER_MS = 200  # delay before the overlay is drawn, so that it does not flicker for short jobs


class BusyOverlay(QWidget):
    """Overlay that blocks its parent widget during a job, with progress and a cancel button.

    The overlay blocks keys and clicks immediately, but is drawn only after a short delay. It does
    not run the job: `begin`, `show_progress` and `end` are called for the job.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title, self._step = make_label("", "heading"), make_label("", "quiet")
        self._bar = QProgressBar(textVisible=False)
        self._cancel = make_button(self.tr("Cancel"), clicked=self.cancel)
        self._old_focus: QWidget | None = None
        self._cancel_callback: Callable[[], None] = lambda: None
        self._panel = panel = card(
            self._title,
            self._step,
            self._bar,
            row(None, self._cancel),
            margin=SPACE_XL,
            spacing=SPACE_M,
        )
        self._show_timer = make_timer(self, SHOW_AFTER_MS, self._show_panel)
        self.setLayout(
            column(
                None,
                MaxWidthBox(WIDTH, column(panel), middle=True),
                None,
                margins=(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL),
            )
        )
        # the overlay has the focus until its cancel button is shown, so that it receives all keys
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hide()

    def begin(self, title: str, cancel: Callable[[], None]) -> None:
        self._cancel_callback = cancel
        self._old_focus = QApplication.focusWidget()
        self._title.setText(title)
        self._step.setText("")
        self._bar.setRange(0, 0)
        self._cancel.setEnabled(True)
        if parent := self.parentWidget():
            self.resize(parent.size())
        self._panel.hide()
        self.show()
        self.raise_()
        self.setFocus()
        self._show_timer.start()

    def _show_panel(self) -> None:
        self._panel.show()
        self._cancel.setFocus()
        self.update()

    def end(self) -> None:
        self._show_timer.stop()
        self.hide()
        if self._old_focus is not None and isValid(self._old_focus):
            self._old_focus.setFocus()

    def show_progress(self, done_count: int, total: int | None, description: str) -> None:
        self._bar.setRange(0, total or 0)
        self._bar.setValue(done_count)
        if total:
            numbers = f"{done_count:,} / {total:,}"
        elif done_count:
            numbers = f"{done_count:,}"
        else:
            numbers = ""
        self._step.setText(f"{description}  {numbers}".strip())

    def cancel(self) -> None:
        """Request the cancellation of the job."""
        self._cancel.setEnabled(False)
        self._step.setText(self.tr("Cancelling …"))
        self._cancel_callback()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._panel.isHidden():
            colour = QColor(current_theme().window)
            colour.setAlpha(200)
            QPainter(self).fillRect(self.rect(), colour)

    def keyPressEvent(self, event: object) -> None:
        if getattr(event, "key", lambda: None)() == Qt.Key.Key_Escape and self._cancel.isEnabled():
            self.cancel()


ENABLED_WHILE_BUSY = ("quit", "zoom-in", "zoom-out", "zoom-reset", "theme", "shortcuts")


class BlockingJob(QObject):
    """Runner of a background job, such as an import, during which an overlay covers the window.

    Most actions are disabled during the job. A job that is requested meanwhile, for example because
    a model has answered, starts afterwards. `failed` is emitted with the error of a job
    (`Cancelled` if the user cancelled the job), and with a traceback if the error is a bug,
    otherwise "".
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
        self._waiting_jobs: list[tuple[str, Callable[..., Any], Callable[..., Any]]] = []

    def run(
        self, title: str, function: Callable[[Progress], Any], on_done: Callable[[Any], Any]
    ) -> None:
        if self.title:
            self._waiting_jobs.append((title, function, on_done))
            return

        def finish(result: Any) -> None:
            self._end()
            try:
                on_done(result)
            finally:
                self._run_next()

        self.title = title
        job = jobs.run(
            function,
            finish,
            self._on_failed,
            lambda done_count, total, description: self.busy.show_progress(
                done_count, total, translate_message(description)
            ),
        )
        self.busy.begin(title, job.cancel)
        self._set_enabled(False)

    def _set_enabled(self, enabled: bool) -> None:
        for part in self._parts:
            part.setEnabled(enabled)
        for name, action in self._actions.items():
            action.setEnabled(enabled or name in ENABLED_WHILE_BUSY)

    def _end(self) -> None:
        self.title = ""
        self._set_enabled(True)
        self.busy.end()
        focus = QApplication.focusWidget()
        if focus is None or not self._parts[0].isAncestorOf(focus):
            # set explicitly, since the overlay cannot restore the focus if no widget had it when
            # the job began, for example after a file dialog
            self._focus()

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._end()
        self.failed.emit(error, trace)
        self._run_next()

    def _run_next(self) -> None:
        """Start the next waiting job, unless the callback of the last job has started one."""
        if self._waiting_jobs and not self.title:
            self.run(*self._waiting_jobs.pop(0))


# Progress of a page that is being computed: first a bar, later also text and a stop button

BAR_HEIGHT = 4
BAR_AFTER_MS = 40  # delay before the bar is shown, so that it does not flicker for short jobs
# longer delay for the text and the stop button, because they move the page down
TEXT_AFTER_MS = 600


class WorkIndicator(QWidget):
    """Progress bar above a page for its computation, with buttons to stop and restart it.

    The bar follows the visible page, and appears if a computation has not ended after a short
    delay. Space for the bar is reserved, so that the page does not move when the bar appears; text
    and buttons, which appear later, move the page.
    """

    def __init__(self) -> None:
        super().__init__()
        self._view: View | None = None
        self.bar, self._message = (
            named(QProgressBar(textVisible=False), self.tr("Preparing the page")),
            make_label("", "quiet", wrap=False),
        )
        self.bar.setFixedHeight(BAR_HEIGHT)
        size_policy = self.bar.sizePolicy()
        size_policy.setRetainSizeWhenHidden(True)
        size_policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
        self.bar.setSizePolicy(size_policy)
        self.stop = make_button(self.tr("Cancel"), clicked=self._stop)
        self.restart_button = make_button(self.tr("Recompute"), clicked=self._restart)
        self._panel = make_container(
            row(self._message, None, self.stop, self.restart_button, spacing=SPACE_M)
        )
        self.setLayout(column(self.bar, self._panel, spacing=SPACE_XS))
        self._show_timer = make_timer(self, BAR_AFTER_MS, self._show_panel)
        self._text_timer = make_timer(self, TEXT_AFTER_MS, self._show_text)
        self._hide()

    def follow(self, view: View) -> None:
        if self._view is not view:
            if self._view is not None:
                self._view.work_changed.disconnect(self._update)
            self._view = view
            view.work_changed.connect(self._update)
            self._hide()
        self._update()

    def _update(self) -> None:
        step = self._view.job_progress if self._view else None
        if step is None:
            self._hide()
        elif self.bar.isHidden():
            if not self._show_timer.isActive():
                self._show_timer.start()
        else:
            self._show(*step)

    def _show_panel(self) -> None:
        self.restart_button.hide()
        self.bar.setRange(0, 0)
        self.bar.show()
        self._text_timer.start()

    def _show_text(self) -> None:
        self.stop.show()
        self._panel.show()
        self._update()

    def _show(self, done_count: int, total: int | None, description: str) -> None:
        self.bar.setRange(0, total or 0)
        self.bar.setValue(done_count)
        self._message.setText(
            join_sentences(
                translate_message(description) or self.tr("Computing …"),
                f"{done_count:,} / {total:,}" if total else "",
            )
        )

    def _hide(self) -> None:
        self._show_timer.stop()
        self._text_timer.stop()
        self._panel.hide()
        self.bar.hide()

    def _stop(self) -> None:
        if self._view:
            self._view.cancel_jobs()
            self._message.setText(
                self.tr("Stopped: the page is incomplete or shows earlier results.")
            )
            self.stop.hide()
            self.restart_button.show()
            self._panel.show()
            self.restart_button.setFocus()

    def _restart(self) -> None:
        self._hide()
        if self._view:
            self._view.restart_jobs()
