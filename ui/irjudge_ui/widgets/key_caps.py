"""Key caps, and a button that records a new key."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from irjudge_ui.widgets.layout import Button, make_grid, make_label
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S, SPACE_XS, current_theme

Index = QModelIndex | QPersistentModelIndex
# separator between keys in the text of a table cell
KEY_SEPARATOR = "     "
CORNER_RADIUS = 5


def keycap(key: str) -> QLabel:
    """Return a label that looks like a key cap."""
    cap = make_label(key, "keycap", wrap=False)
    cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
    # a key cap must not become higher than its text
    cap.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return cap


def make_key_list(pairs: Iterable[tuple[str, str]]) -> QGridLayout:
    """Return a grid with a key cap and a label in each row."""
    grid = make_grid(SPACE_M, 6, stretched=1)
    for row, (key, label) in enumerate(pairs):
        grid.addWidget(keycap(key), row, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(make_label(label, "quiet"), row, 1, Qt.AlignmentFlag.AlignVCenter)
    return grid


class KeyCapDelegate(QStyledItemDelegate):
    """Delegate that draws the keys in a table cell as key caps.

    The keys are the text of the cell, separated by `KEY_SEPARATOR`.
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.text = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(option.font)
        cell, metrics, theme = QRectF(option.rect), painter.fontMetrics(), current_theme()
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        height, left = metrics.height() + 2 * SPACE_XS, cell.left() + SPACE_M
        for key in str(index.data() or "").split(KEY_SEPARATOR):
            cap = QRectF(
                left,
                cell.center().y() - height / 2,
                max(height, metrics.horizontalAdvance(key) + 2 * SPACE_S),
                height,
            )
            painter.setPen(QColor(theme.line))
            painter.setBrush(QColor(theme.surface if is_selected else theme.key))
            painter.drawRoundedRect(cap, CORNER_RADIUS, CORNER_RADIUS)
            painter.setPen(QColor(theme.text))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
            left = cap.right() + SPACE_S
        painter.restore()


class KeyButton(Button):
    """Button that records the next pressed key after a click.

    `name` returns the name of the key of an event; empty for a key that is ignored. `key_recorded`
    is emitted with this name, `recording_changed` when recording starts or stops. Escape and the
    loss of the focus cancel the recording.
    """

    key_recorded = Signal(str)
    recording_changed = Signal(bool)

    def __init__(self, label: str, recording_label: str, name: Callable[[QKeyEvent], str]) -> None:
        super().__init__(label)
        self._label, self._recording_label, self._name = label, recording_label, name
        self.is_recording = False
        self.clicked.connect(lambda: self.set_recording(True))

    def set_recording(self, recording: bool) -> None:
        """Start or stop recording; losing the focus stops it."""
        if self.is_recording == recording:
            return
        self.is_recording = recording
        self.setText(self._recording_label if recording else self._label)
        self.recording_changed.emit(recording)
        if recording:
            self.setFocus()

    def event(self, event: QEvent) -> bool:
        """While recording, handle every key before shortcuts and focus navigation."""
        if not self.is_recording or not isinstance(event, QKeyEvent):
            return super().event(event)
        event.accept()
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self._record_key(event)
        return True

    def _record_key(self, event: QKeyEvent) -> None:
        key = "" if event.key() == Qt.Key.Key_Escape else self._name(event)
        if key or event.key() == Qt.Key.Key_Escape:
            self.set_recording(False)
        if key:
            self.key_recorded.emit(key)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.set_recording(False)
