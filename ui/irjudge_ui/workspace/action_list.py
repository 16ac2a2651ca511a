"""Buttons with the label and key cap of an action, and lists of these buttons."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from irjudge_ui.actions import BY_ID, KEYS, bind_key_cap
from irjudge_ui.messages import escape_markup
from irjudge_ui.widgets import SPACE_M, SPACE_S, Flow, column, keycap, make_label, row, scale_length

CAP_WIDTH = 46
MAX_LINES = 2


class ActionRow(QPushButton):
    """Button with the key cap and the label of an action.

    The button does not trigger the action itself; its owner handles `clicked`. The button cannot be
    focused, since keyboard users press the action's key instead. Such buttons are on the judging,
    adjudication and side-by-side pages.

    `cap_width` is the width reserved for the key cap, so that the labels of several buttons are
    aligned. If it is 0, the label is directly beside the cap.
    """

    def __init__(self, action: str, cap_width: int = CAP_WIDTH) -> None:
        super().__init__()
        self._cap_width = cap_width
        self.setObjectName("row")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(BY_ID[action].label)
        self._cap = keycap("")
        self._label = make_label(BY_ID[action].label, "quiet", wrap=False)
        self._layout = row(self._cap, self._label, spacing=SPACE_M, stretched=self._label)
        self._layout.setAlignment(self._cap, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(self._layout)
        self.setToolTip(escape_markup(BY_ID[action].label))
        for part in (self._cap, self._label):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        bind_key_cap(action, self._show_key, self)

    def show_labels(self, visible: bool) -> None:
        """Show or hide the label next to the key cap; the tooltip always contains the label."""
        self._label.setVisible(visible)
        self._layout.invalidate()
        self.updateGeometry()

    def _show_key(self, key: str) -> None:
        self._cap.setText(key)
        self._align_label()

    def _align_label(self) -> None:
        minimum = SPACE_M if self._cap_width else SPACE_S
        self._layout.setSpacing(
            max(minimum, scale_length(self._cap_width) + SPACE_M - self._cap.sizeHint().width())
        )

    def event(self, event: QEvent) -> bool:
        """Align the label again after the font or style has changed."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._cap.ensurePolished()
            self._align_label()
        return super().event(event)

    def sizeHint(self) -> QSize:
        return self._layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._layout.minimumSize()


class AnswerButton(ActionRow):
    """Large button of `AnswerBar` for an answer, with a key cap.

    The button takes the available width.
    """

    def __init__(self, action: str) -> None:
        super().__init__(action, cap_width=0)
        self.setObjectName("answer")
        self._label.setObjectName("strong")
        self._layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        self._layout.setStretchFactor(self._label, 0)
        self._layout.insertStretch(0, 1)
        self._layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


def _make_rows(
    actions: Sequence[str], request: SignalInstance, cap_width: int = CAP_WIDTH
) -> list[ActionRow]:
    """Return a button for each action; `request` is emitted with the id of a clicked action."""
    rows = [ActionRow(action, cap_width) for action in actions]
    for action, action_row in zip(actions, rows, strict=True):
        action_row.clicked.connect(lambda _checked=False, action=action: request.emit(action))
    return rows


class ActionList(QWidget):
    """Column of buttons for actions.

    `action_requested` is emitted with the id of a clicked action. If the adjudication page is
    narrow, it shows such a list instead of a `KeyStrip`.
    """

    action_requested = Signal(str)

    def __init__(self, actions: Sequence[str]) -> None:
        super().__init__()
        self.setLayout(column(*_make_rows(actions, self.action_requested), spacing=6))


class KeyStrip(QWidget):
    """Strip of buttons for actions, in lines; it hides the labels to save space.

    The labels are hidden if the buttons with labels need more than `MAX_LINES` lines; only key caps
    are then shown. `action_requested` is emitted with the id of the action of a clicked button. The
    judging page and, unless it is narrow, the adjudication page have such a strip.
    """

    action_requested = Signal(str)

    def __init__(self, actions: Sequence[str]) -> None:
        super().__init__()
        self._rows = _make_rows(actions, self.action_requested, cap_width=0)
        self._flow = Flow(self._rows)
        self.setLayout(self._flow)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        KEYS.changed.connect(self._schedule_fit)

    def _schedule_fit(self) -> None:
        QTimer.singleShot(0, self, self._fit)  # called once the key caps have new texts

    def _fit(self) -> None:
        """Show the labels if they fit, otherwise only the key caps; then set the height."""
        for action_row in self._rows:
            action_row.show_labels(True)
        if self._flow.heightForWidth(self.width()) > (
            MAX_LINES * max(action_row.sizeHint().height() for action_row in self._rows)
            + (MAX_LINES - 1) * SPACE_S
        ):
            for action_row in self._rows:
                action_row.show_labels(False)
        self.setFixedHeight(self._flow.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._schedule_fit()
