"""Undoable changes to who counts among the assessors."""

from PySide6.QtCore import QCoreApplication

from irjudge.judging.votes import bring_back, set_aside
from irjudge.store.project import Project
from irjudge_ui.commands.changes import Change
from irjudge_ui.words import filled

translate = QCoreApplication.translate


class SetAside(Change):
    """Let an assessor's judgments not count any more, for a reason; undoing lets them count again. All of them stay."""

    def __init__(self, project: Project, name: str, reason: str) -> None:
        super().__init__(filled(translate("Command", "set %1 aside"), name))
        self._project, self._name, self._reason = project, name, reason

    def do(self) -> None:
        """Set them aside."""
        set_aside(self._project, self._name, self._reason)

    def take_back(self) -> None:
        """Let them count."""
        bring_back(self._project, self._name)


class CountAgain(Change):
    """Let the judgments of an assessor who was set aside count again; undoing sets them aside for the same reason."""

    def __init__(self, project: Project, name: str, reason: str) -> None:
        super().__init__(filled(translate("Command", "count %1 again"), name))
        self._project, self._name, self._reason = project, name, reason

    def do(self) -> None:
        """Let them count."""
        bring_back(self._project, self._name)

    def take_back(self) -> None:
        """Set them aside again."""
        set_aside(self._project, self._name, self._reason)
