"""Names in a line of text, shown as chips while nobody types there: each can be taken away, and the line is one key or click off."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QToolTip, QVBoxLayout, QWidget

from irjudge_ui.widgets.flow import Flow
from irjudge_ui.widgets.layout import button, clear, row, text
from irjudge_ui.widgets.theme import SPACE_S
from irjudge_ui.words import filled, plain


class Chips(QWidget):
    """Shows the names of a line with blanks between them. `removed` says that one was taken away."""

    removed = Signal()

    def __init__(self, line: QLineEdit, about: Callable[[str], str]) -> None:
        super().__init__()
        self._line, self._about = line, about
        self._chips = QWidget()
        self._flow = Flow(())
        self._chips.setLayout(self._flow)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._chips)
        box.addWidget(line)
        line.hide()
        line.installEventFilter(self)
        line.textChanged.connect(lambda _words: self._fill())
        self.setFocusPolicy(
            Qt.FocusPolicy.TabFocus
        )  # a click on a button of a chip would come here too
        self.setAccessibleName(line.accessibleName())
        self.setToolTip(plain(line.toolTip()))
        self._fill()

    def edit(self) -> None:
        """Let the names be typed, all of them selected."""
        self._show_line(shown=True)
        self._line.setFocus()
        self._line.selectAll()

    def _show_line(self, *, shown: bool) -> None:
        self._line.setVisible(shown)
        self._chips.setVisible(not shown)
        self.setFocusPolicy(
            Qt.FocusPolicy.NoFocus if shown else Qt.FocusPolicy.TabFocus
        )  # back from the line is not to the line again

    def _fill(self) -> None:
        clear(self._flow)
        for name in self._line.text().split():
            self._flow.addWidget(self._chip(name))
        self.updateGeometry()

    def _chip(self, name: str) -> QFrame:
        chip, remove = QFrame(), button("✕", "remove")
        chip.setObjectName("chip")
        chip.setProperty("named", name)
        remove.setAccessibleName(filled(self.tr("Take {name} away"), name=name))
        remove.setToolTip(plain(remove.accessibleName()))
        remove.setFocusPolicy(
            Qt.FocusPolicy.NoFocus
        )  # the keyboard has the line, where one key takes a name away
        remove.clicked.connect(lambda: self._remove(name))
        chip.setLayout(row(text(name, wrap=False), remove, spacing=SPACE_S // 2))
        return chip

    def _remove(self, name: str) -> None:
        self._line.setText(" ".join(each for each in self._line.text().split() if each != name))
        self.removed.emit()

    def told(self, point: QPoint) -> str:
        """Return what is said on hover: of the chip at a point, or of all."""
        under = self.childAt(point)
        while under is not None and under is not self and under.property("named") is None:
            under = under.parentWidget()
        return (
            self._about(str(under.property("named")))
            if under is not None and under is not self
            else self.toolTip()
        )

    # What Qt asks

    def event(self, event: QEvent) -> bool:
        """Say on hover what a name means: nothing is looked up before."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain(self.told(event.pos())), self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Type, when the keyboard comes here."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self.edit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Type, after a click beside the chips."""
        super().mousePressEvent(event)
        self.edit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the chips again when the line is left."""
        if (
            watched is self._line
            and isinstance(event, QFocusEvent)
            and event.type() == QEvent.Type.FocusOut
        ):
            stays = event.reason() in (
                Qt.FocusReason.ActiveWindowFocusReason,
                Qt.FocusReason.PopupFocusReason,
            )
            self._show_line(shown=stays)
        return super().eventFilter(watched, event)
