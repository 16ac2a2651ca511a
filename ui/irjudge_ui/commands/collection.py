"""Undoable changes to the runs and pools of a project."""

from PySide6.QtCore import QCoreApplication

from irjudge.model.pool import Pool
from irjudge.store.project import Project
from irjudge_ui.commands.changes import Change


def _title(words: str, name: str) -> str:
    return QCoreApplication.translate("Command", words).replace("%1", name)


class AddRun(Change):
    """A run that an import has just added; undoing takes it out again."""

    def __init__(self, project: Project, name: str) -> None:
        super().__init__(_title("add run %1", name))
        self._project, self._name = project, name
        self._removed: int | None = None

    def do(self) -> None:
        """Put the run back; the first time it is there already."""
        if self._removed is not None:
            self._project.rankings.restore_run(self._removed)

    def take_back(self) -> None:
        """Take the run out."""
        self._removed = self._project.rankings.remove_run(self._name)


class RemoveRun(Change):
    """Take a run out of the project; undoing puts it back where it was."""

    def __init__(self, project: Project, name: str) -> None:
        super().__init__(_title("remove run %1", name))
        self._project, self._name = project, name

    def do(self) -> None:
        """Take the run out."""
        self._removed = self._project.rankings.remove_run(self._name)

    def take_back(self) -> None:
        """Put the run back."""
        self._project.rankings.restore_run(self._removed)


class AddPool(Change):
    """Make a pool the newest version; undoing brings the one before back. Judgments stay either way."""

    def __init__(self, project: Project, pool: Pool) -> None:
        super().__init__(_title("build pool of %1 documents", f"{len(pool):,}"))
        self._project, self._pool = project, pool

    def do(self) -> None:
        """Store the pool."""
        self._version = self._project.rankings.add_pool(self._pool)

    def take_back(self) -> None:
        """Drop it."""
        self._project.rankings.remove_pool(self._version)
