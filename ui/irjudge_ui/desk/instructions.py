"""What to do: the organiser's instructions and what each grade means, before the first judgment and whenever asked for."""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSlider, QWidget

from irjudge.model.document import Document
from irjudge.model.scale import Scale
from irjudge.text.render import to_html
from irjudge_ui.desk.page import ask_link
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.layout import card
from irjudge_ui.widgets.theme import SPACE_XL
from irjudge_ui.words import in_language

SIZE = (760, 640)
LEAFING = {
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_End: QAbstractSlider.SliderAction.SliderToMaximum,
    Qt.Key.Key_Home: QAbstractSlider.SliderAction.SliderToMinimum,
}


class InstructionsDialog(Dialog):
    """Shows instructions written in Markdown, then the scale where grades are asked for."""

    def __init__(self, parent: QWidget, instructions: str, scale: Scale | None, zoom: float, *, begins: bool) -> None:
        super().__init__(parent, SIZE)
        self.view = DocumentView()
        self.view.link_asked.connect(lambda address: ask_link(self.view, address))
        self.view.setAccessibleName(self.tr("Instructions"))
        page = growing(card(self.view, margin=SPACE_XL))
        label = self.tr("Begin") if begins else self.tr("Close")
        self.fill(self.tr("Instructions"), [page], [(label, None)])
        self.view.ensurePolished()  # the style sheet would set its own size of letters later
        self.view.show_html(self._html(instructions, scale), zoom)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaf through the words while the button has the focus."""
        step = LEAFING.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.view.verticalScrollBar().triggerAction(step)

    def _html(self, instructions: str, scale: Scale | None) -> str:
        words = to_html(Document("", instructions.encode(), kind="markdown")) if instructions.strip() else ""
        if scale is None:
            return words
        grades = "".join(
            f"<p><b>{grade.value} {escape(in_language(grade.label))}</b>{'<br>' + escape(grade.help) if grade.help else ''}</p>"
            for grade in reversed(scale.grades)
        )
        heading = self.tr("Grades")
        return f"{words}<h2>{escape(heading)}</h2>{grades}"
