"""Why a document cannot be judged: a menu with a digit for each reason."""

from PySide6.QtCore import QPoint, QRect, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from irjudge.model.event_form import REASONS
from irjudge_ui.desk.words import reason_in_words


class ReasonMenu(QMenu):
    """Pops up over the foot of a part of the page and goes away by itself; `chosen` comes with one of `REASONS`."""

    chosen = Signal(str)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.aboutToHide.connect(self.deleteLater)
        self.addAction(self.tr("Why can it not be judged?")).setEnabled(False)
        for key, reason in enumerate(REASONS, 1):
            choice = QAction(f"&{key}  {reason_in_words(reason)}", self)
            choice.triggered.connect(lambda _checked=False, reason=reason: self.chosen.emit(reason))
            self.addAction(choice)
        self.popup(self._place(over))
        self.setActiveAction(self.actions()[1])

    def _place(self, over: QWidget) -> QPoint:
        """Return where the menu hides least: its foot at the foot of the part, all of it on the screen."""
        self.ensurePolished()
        menu, screen = QRect(QPoint(), self.sizeHint()), over.screen().availableGeometry()
        menu.moveBottomLeft(over.mapToGlobal(over.rect().bottomLeft()))
        menu.moveRight(min(menu.right(), screen.right()))
        menu.moveBottom(min(menu.bottom(), screen.bottom()))
        menu.moveTopLeft(QPoint(max(menu.left(), screen.left()), max(menu.top(), screen.top())))
        return menu.topLeft()
