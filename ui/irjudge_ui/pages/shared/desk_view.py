"""What pages share on which somebody judges, compares or adjudicates: a desk or a state in its place, instructions, and the way back."""

from typing import Any

from PySide6.QtCore import QTimer

from irjudge.judging.session import Session
from irjudge.judging.side_by_side import SideBySide
from irjudge.model.scale import Scale
from irjudge_ui.desk.instructions import InstructionsDialog
from irjudge_ui.desk.turns import Turns
from irjudge_ui.pages.shared.view import StatedView
from irjudge_ui.settings import Settings


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
        if session.fresh and project.instructions and (project.assignments.own() or project.belongs_to):
            self.show_instructions()

    def show_instructions(self) -> None:
        """Show what the organiser wants, and what each grade means where grades are given."""
        session: Session | SideBySide | None = self.turns.session
        if session:
            dialog = InstructionsDialog(self, session.project.instructions, self.asked_scale(), self.zoom, begins=session.fresh)
            dialog.finished.connect(self.come_back)
            dialog.open()

    def come_back(self) -> None:
        """Take keys again after a dialog, once it is gone."""
        self.window().activateWindow()
        QTimer.singleShot(0, self, self.focus)
