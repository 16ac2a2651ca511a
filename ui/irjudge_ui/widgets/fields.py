"""Number field and combo box that ignore the mouse wheel."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QHelpEvent, QIntValidator, QKeyEvent, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
)

from irjudge_ui.messages import escape_markup

KEY_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}


class NumberField(QLineEdit):
    """Text field for an integer in a range.

    The arrow keys and the Page Up and Page Down keys increase or decrease the number. A number out
    of range can be typed, but is changed to the nearest limit.

    `changed` is emitted when the user enters or steps to another number, `typed` while the user
    types. If `fits`, the field is as wide as the longest number in the range.
    """

    changed, typed = Signal(int), Signal(int)

    def __init__(
        self, minimum: int, maximum: int, value: int, name: str, *, fits: bool = True
    ) -> None:
        super().__init__()
        self._fits = fits
        self._range = (minimum, maximum)
        self._value = self._default = value
        # a number out of range can be typed; it is clamped when it is entered
        self.setValidator(QIntValidator(0, 999_999_999, self))
        self.setAccessibleName(name)
        self.setToolTip(escape_markup(f"{minimum}–{maximum}"))
        self._fit()
        self.setText(str(value))
        self.editingFinished.connect(lambda: self._enter(self.value()))
        self.textEdited.connect(lambda _text: self.typed.emit(self.value()))

    def value(self) -> int:
        """Return the number in the field, clamped to the range, even before it is entered.

        If the field is empty, the last entered number is returned.
        """
        return self._clamp(int(self.text() or self._value))

    def set_value(self, value: int) -> None:
        """Set the value without emitting `changed`."""
        self._value = self._clamp(value)
        self.setText(str(self._value))

    def reset(self) -> None:
        """Restore the initial value without emitting `changed`."""
        self.set_value(self._default)

    def _clamp(self, value: int) -> int:
        return min(max(value, self._range[0]), self._range[1])

    def _enter(self, value: int) -> None:
        old_value = self._value
        self.set_value(value)
        if self._value != old_value:
            self.changed.emit(self._value)

    def _fit(self) -> None:
        digits = "0" * len(str(self._range[1]))
        if self._fits:
            self.setFixedWidth(self.fontMetrics().horizontalAdvance(digits) + 36)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = KEY_STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._enter(self.value() + step)


class ChoiceBox(QComboBox):
    """Combo box that ignores the mouse wheel; its preferred width fits its longest choice.

    If `characters` is not 0, the preferred width is that of a text with `characters` characters.
    Text that does not fit is elided, and shown in a tooltip. When the user selects a choice,
    `activated`, a function or signal, is called or emitted.
    """

    def __init__(
        self,
        characters: int = 0,
        name: str = "",
        *,
        activated: Callable[..., object] | SignalInstance | None = None,
    ) -> None:
        super().__init__()
        policy = QComboBox.SizeAdjustPolicy
        self.setSizeAdjustPolicy(
            policy.AdjustToMinimumContentsLengthWithIcon if characters else policy.AdjustToContents
        )
        # with a number of characters, Qt does not measure the choices, possibly thousands
        self.setMinimumContentsLength(characters)
        self.setAccessibleName(name)
        if activated:
            self.activated.connect(activated)

    def add_choices(self, choices: Iterable[tuple[str, object]]) -> None:
        """Add choices, which are pairs of text and value."""
        for label, value in choices:
            self.addItem(label, value)

    def add_choice(self, label: str, value: object, tooltip: str) -> None:
        """Add a choice with a value and a tooltip, which is plain text."""
        self.addItem(label, value)
        self.setItemData(self.count() - 1, escape_markup(tooltip), Qt.ItemDataRole.ToolTipRole)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignore the wheel, so that the page scrolls and the choice does not change."""
        event.ignore()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if self.minimumContentsLength():
            return hint
        max_width = max(
            (
                self.fontMetrics().horizontalAdvance(self.itemText(index))
                for index in range(self.count())
            ),
            default=0,
        )
        return hint + QSize(max(0, max_width - self._field(QRect(QPoint(), hint)).width()), 0)

    def _field(self, rect: QRect) -> QRect:
        """Return the rectangle of the text in a combo box that has the rectangle `rect`."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.rect = rect
        return self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )

    def elided_text(self) -> str:
        """Return the selected text, elided to the width of the box."""
        field = self._field(self.rect())
        text, metrics = self.currentText(), self.fontMetrics()
        # checked first, since Qt can elide even a text that fits, because of fractions of pixels
        if metrics.horizontalAdvance(text) <= field.width():
            return text
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, field.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.isEditable():
            super().paintEvent(event)
            return
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.elided_text()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def event(self, event: QEvent) -> bool:
        """Show the full text in a tooltip if it is elided."""
        if (
            isinstance(event, QHelpEvent)
            and event.type() == QEvent.Type.ToolTip
            and self.elided_text() != self.currentText()
        ):
            QToolTip.showText(event.globalPos(), escape_markup(self.currentText()), self)
            return True
        return super().event(event)
