"""What pages share on which somebody judges, compares or adjudicates: the instructions and the way back from dialogs."""

from html import escape
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSlider, QWidget

from irjudge.judging.session import Session
from irjudge.judging.side_by_side import SideBySide
from irjudge.model.documents import Document
from irjudge.model.scale import Scale
from irjudge.text.render import to_html
from irjudge_ui.messages import in_language
from irjudge_ui.pages.shared.view import StatedView
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.document_view import DocumentView
from irjudge_ui.widgets.layout import card
from irjudge_ui.widgets.theme import SPACE_XL
from irjudge_ui.workspace.document_page import ask_link
from irjudge_ui.workspace.saving import Turns


class DeskView(StatedView):
    """A page on which keys say something of what lies on the desk, and a state stands in the desk's place where nothing does."""

    turns: Turns[Any, Any]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings

    @property
    def zoom(self) -> float:
        """The size of documents."""
        return float(self._settings.get("zoom"))

    def asked_scale(self) -> Scale | None:
        """Return the scale that is asked for, whose grades stand with the instructions; None where no grades are."""
        return self.project.scale if self.project else None

    def brief(self) -> None:
        """Show the instructions, if there are any, to somebody who judges for another and has not begun; who wrote them knows them."""
        session: Session | SideBySide | None = self.turns.session
        if session is None:
            return
        project = session.project
        if (
            session.fresh
            and project.instructions
            and (project.assignments.own() or project.belongs_to)
        ):
            self.show_instructions()

    def show_instructions(self) -> None:
        """Show what the organiser wants, and what each grade means where grades are given."""
        session: Session | SideBySide | None = self.turns.session
        if session:
            dialog = InstructionsDialog(
                self,
                session.project.instructions,
                self.asked_scale(),
                self.zoom,
                begins=session.fresh,
            )
            dialog.finished.connect(self.come_back)
            dialog.open()

    def come_back(self) -> None:
        """Take keys again after a dialog, once it is gone."""
        self.window().activateWindow()
        QTimer.singleShot(0, self, self.focus)


SIZE = (760, 640)
LEAFING = {
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_End: QAbstractSlider.SliderAction.SliderToMaximum,
    Qt.Key.Key_Home: QAbstractSlider.SliderAction.SliderToMinimum,
}


class InstructionsDialog(Dialog):
    """Shows instructions written in Markdown, then the scale where grades are asked for."""

    def __init__(
        self, parent: QWidget, instructions: str, scale: Scale | None, zoom: float, *, begins: bool
    ) -> None:
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
        words = (
            to_html(Document("", instructions.encode(), kind="markdown"))
            if instructions.strip()
            else ""
        )
        if scale is None:
            return words
        grades = "".join(
            f"<p><b>{grade.value} {escape(in_language(grade.label))}</b>{'<br>' + escape(grade.help) if grade.help else ''}</p>"
            for grade in reversed(scale.grades)
        )
        heading = self.tr("Grades")
        return f"{words}<h2>{escape(heading)}</h2>{grades}"
