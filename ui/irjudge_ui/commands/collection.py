"""Undoable changes to the runs and pools of a project."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from irjudge.model.pool import Pool
from irjudge.store.project import Project
from irjudge_ui.commands.changes import Change
from irjudge_ui.words import filled

translate = QCoreApplication.translate


class AddRuns(Change):
    """Runs that an import has just added; undoing takes them out again, all in one step."""

    def __init__(self, project: Project, names: Sequence[str]) -> None:
        super().__init__(filled(translate("Command", "add %1"), ", ".join(names)))
        self._project, self._names = project, tuple(names)
        self._removed: list[int] = []

    def do(self) -> None:
        """Put the runs back; the first time they are there already."""
        with self._project.transaction():
            for code in self._removed:
                self._project.rankings.restore_run(code)

    def take_back(self) -> None:
        """Take the runs out."""
        with self._project.transaction():
            self._removed = [self._project.rankings.remove_run(name) for name in self._names]


class RemoveRun(Change):
    """Take a run out of the project; undoing puts it back where it was."""

    def __init__(self, project: Project, name: str) -> None:
        super().__init__(filled(translate("Command", "remove run %1"), name))
        self._project, self._name = project, name

    def do(self) -> None:
        """Take the run out."""
        self._removed = self._project.rankings.remove_run(self._name)

    def take_back(self) -> None:
        """Put the run back."""
        self._project.rankings.restore_run(self._removed)


class AddPool(Change):
    """A pool that a job has just stored; undoing brings the one before back. Judgments stay either way."""

    def __init__(self, project: Project, pool: Pool, version: int) -> None:
        super().__init__(filled(translate("Command", "build pool (documents: %1)"), f"{len(pool):,}"))
        self._project, self._pool = project, pool
        self._version: int | None = version

    def do(self) -> None:
        """Store the pool; the first time it is there already."""
        if self._version is None:
            self._version = self._project.rankings.add_pool(self._pool)

    def take_back(self) -> None:
        """Drop it."""
        if self._version is not None:
            self._project.rankings.remove_pool(self._version)
            self._version = None
