"""What can be done here: each action with its key cap, to be learned by reading and done by a click too."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from irjudge_ui.actions import BY_ID, tell_key
from irjudge_ui.widgets.keycap import keycap
from irjudge_ui.widgets.layout import text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, zoomed

CAP_WIDTH = 46


class ActionRow(QPushButton):
    """A key cap and what it does. It takes no focus: whoever works with keys presses the key itself.

    The words begin where the caps of other rows end too; with a `cap_width` of 0 right beside the cap.
    """

    def __init__(self, action: str, cap_width: int = CAP_WIDTH) -> None:
        super().__init__()
        self._cap_width = cap_width
        self.setObjectName("row")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(BY_ID[action].label)
        self._cap, label = keycap(""), text(BY_ID[action].label, "quiet", wrap=False)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACE_M)
        box.addWidget(self._cap, 0, Qt.AlignmentFlag.AlignLeft)
        box.addWidget(label, 1)
        self._holder = box
        for part in (self._cap, label):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        tell_key(action, self._show_key, self)

    def _show_key(self, key: str) -> None:
        self._cap.setText(key)
        least = SPACE_M if self._cap_width else SPACE_S
        self._holder.setSpacing(max(least, zoomed(self._cap_width) + SPACE_M - self._cap.sizeHint().width()))

    def sizeHint(self) -> QSize:
        """Be as high as the cap and as wide as both."""
        return self._holder.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Never be narrower than cap and words."""
        return self._holder.minimumSize()


class ActionList(QWidget):
    """Some actions of a page; `asked` comes with the id of the one that was clicked."""

    asked = Signal(str)

    def __init__(self, actions: Sequence[str]) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        for action in actions:
            made = ActionRow(action)
            made.clicked.connect(lambda _checked=False, action=action: self.asked.emit(action))
            box.addWidget(made)
