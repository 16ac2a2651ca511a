"""Undoable changes to a project, one class each, and their stack, which says when one cannot be done and stays where it was."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QUndoCommand, QUndoStack

from irjudge.errors import IrjudgeError
from irjudge.judging import bring_back, set_aside
from irjudge.model import Pool
from irjudge.store import Project, show_fields, shown_names
from irjudge_ui.messages import filled


class Change(QUndoCommand):
    """A change that can fail. An exception must not pass through Qt, so it waits in `fault`."""

    fault: IrjudgeError | None = None

    def do(self) -> None:
        """Make the change."""
        raise NotImplementedError

    def take_back(self) -> None:
        """Make it undone."""
        raise NotImplementedError

    def redo(self) -> None:
        """Make the change, now or again."""
        self._attempt(forward=True)

    def undo(self) -> None:
        """Take the change back."""
        self._attempt(forward=False)

    def _attempt(self, *, forward: bool) -> None:
        if self.fault is not None:  # it failed, and the stack only steps back to where it was
            self.fault = None
            return
        try:
            self.do() if forward else self.take_back()
        except IrjudgeError as fault:
            self.fault = fault


class ChangeStack(QUndoStack):
    """The changes that can be undone and redone; each method raises what the change raised."""

    def make(self, change: Change) -> None:
        """Make a change."""
        self.push(change)
        if fault := change.fault:
            change.setObsolete(True)
            self.undo()
            raise fault

    def take_back(self) -> None:
        """Undo the newest change; raise, and keep it, when that cannot be done."""
        change = self._at(self.index() - 1)
        self.undo()
        if change and (fault := change.fault):
            self.redo()
            raise fault

    def bring_back(self) -> None:
        """Redo the change undone last; raise, and keep it, when that cannot be done."""
        change = self._at(self.index())
        self.redo()
        if change and (fault := change.fault):
            self.undo()
            raise fault

    def _at(self, place: int) -> Change | None:
        command = self.command(place)
        return command if isinstance(command, Change) else None


translate = QCoreApplication.translate


class ExcludeAssessor(Change):
    """Let an assessor's judgments not count any more, for a reason; undoing lets them count again. All of them stay."""

    def __init__(self, project: Project, name: str, reason: str) -> None:
        super().__init__(filled(translate("Command", "set {name} aside"), name=name))
        self._project, self._name, self._reason = project, name, reason

    def do(self) -> None:
        """Set them aside."""
        set_aside(self._project, self._name, self._reason)

    def take_back(self) -> None:
        """Let them count."""
        bring_back(self._project, self._name)


class IncludeAssessor(Change):
    """Let the judgments of an assessor who was set aside count again; undoing sets them aside for the same reason."""

    def __init__(self, project: Project, name: str, reason: str) -> None:
        super().__init__(filled(translate("Command", "count {name} again"), name=name))
        self._project, self._name, self._reason = project, name, reason

    def do(self) -> None:
        """Let them count."""
        bring_back(self._project, self._name)

    def take_back(self) -> None:
        """Set them aside again."""
        set_aside(self._project, self._name, self._reason)


class AddRuns(Change):
    """Runs that an import has just added; undoing takes them out again, all in one step."""

    def __init__(self, project: Project, names: Sequence[str]) -> None:
        super().__init__(filled(translate("Command", "add {names}"), names=", ".join(names)))
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
        super().__init__(filled(translate("Command", "remove run {name}"), name=name))
        self._project, self._name = project, name

    def do(self) -> None:
        """Take the run out."""
        self._removed = self._project.rankings.remove_run(self._name)

    def take_back(self) -> None:
        """Put the run back."""
        self._project.rankings.restore_run(self._removed)


class ChangeShownFields(Change):
    """Other fields of documents are shown; undoing shows those that were."""

    def __init__(self, project: Project, names: Sequence[str]) -> None:
        super().__init__(
            filled(translate("Command", "show fields: {names}"), names=", ".join(names) or "–")
        )
        self._project, self._names, self._before = project, tuple(names), shown_names(project)

    def do(self) -> None:
        """Show them."""
        show_fields(self._project, self._names)

    def take_back(self) -> None:
        """Show those that were shown before."""
        show_fields(self._project, self._before)


class AddPool(Change):
    """A pool that a job has just stored; undoing brings the one before back. Judgments stay either way."""

    def __init__(self, project: Project, pool: Pool, version: int) -> None:
        super().__init__(
            filled(translate("Command", "build pool (documents: {count})"), count=f"{len(pool):,}")
        )
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
