"""The sign above a page that is being made: a bar at once, and soon how far it is and a way to stop."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from irjudge_ui.messages import in_language, sentences
from irjudge_ui.pages.shared.view import View
from irjudge_ui.widgets.layout import button, column, row, text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XS

BAR = 4
SIGN_MS = 40  # what is done sooner is not shown: it would only flicker
WORDS_MS = 600  # until words and the way to stop come: they move the page down


class WorkSign(QWidget):
    """Follows the work of the page in view. Its bar has its place always, so that nothing moves when it comes."""

    def __init__(self) -> None:
        super().__init__()
        self._view: View | None = None
        self.bar, self._said = QProgressBar(), text("", "quiet", wrap=False)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(BAR)
        self.bar.setAccessibleName(self.tr("The page is being made"))
        keeping = self.bar.sizePolicy()
        keeping.setRetainSizeWhenHidden(True)
        keeping.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
        self.bar.setSizePolicy(keeping)
        self.stop, self.again = button(self.tr("Cancel")), button(self.tr("Compute again"))
        self.stop.clicked.connect(self._stop)
        self.again.clicked.connect(self._begin_again)
        self._words = QWidget()
        self._words.setLayout(row(self._said, None, self.stop, self.again, spacing=SPACE_M))
        self.setLayout(column(self.bar, self._words, spacing=SPACE_XS))
        self._soon, self._later = QTimer(self), QTimer(self)
        for timer, wait, do in (
            (self._soon, SIGN_MS, self._appear),
            (self._later, WORDS_MS, self._tell),
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
        """Begin to show that work is under way, go on with it, or show nothing."""
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
        self._words.show()
        self._look()

    def _show(self, done: int, total: int | None, what: str) -> None:
        self.bar.setRange(0, total or 0)
        self.bar.setValue(done)
        numbers = f"{done:,} / {total:,}" if total else ""
        self._said.setText(sentences(in_language(what) or self.tr("Computing …"), numbers))

    def _hide(self) -> None:
        self._soon.stop()
        self._later.stop()
        self._words.hide()
        self.bar.hide()

    def _stop(self) -> None:
        """Stop the work, and offer to begin it again: the page is not whole."""
        if self._view:
            self._view.stop_making()
            self._said.setText(self.tr("Stopped: the page is not whole."))
            self.stop.hide()
            self.again.show()
            self._words.show()
            self.again.setFocus()

    def _begin_again(self) -> None:
        self._hide()
        if self._view:
            self._view.begin_anew()
