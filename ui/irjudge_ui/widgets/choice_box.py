"""The one box of choices: the wheel scrolls past it, and words that have no room end with dots and are told on hover."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QToolTip

from irjudge_ui.words import plain


class ChoiceBox(QComboBox):
    """Is as wide as its longest choice; with a number of letters it asks for their width, however long the choices are."""

    def __init__(self, letters: int = 0, name: str = "") -> None:
        super().__init__()
        policy = QComboBox.SizeAdjustPolicy
        self.setSizeAdjustPolicy(policy.AdjustToMinimumContentsLengthWithIcon if letters else policy.AdjustToContents)
        self.setMinimumContentsLength(letters)  # a thousand choices are not measured
        self.setAccessibleName(name)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page: it scrolls, and never chooses."""
        event.ignore()

    def shown(self) -> str:
        """Return of the chosen words what has room."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self)
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, field.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, and of the words what has room."""
        if self.isEditable():
            super().paintEvent(event)
            return
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def event(self, event: QEvent) -> bool:
        """Tell on hover the words that have no room."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.shown() != self.currentText():
            QToolTip.showText(event.globalPos(), plain(self.currentText()), self)
            return True
        return super().event(event)
