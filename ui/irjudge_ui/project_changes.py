"""Changes to a project that can be undone, and their undo stack."""

from collections.abc import Sequence

from PySide6.QtGui import QUndoCommand, QUndoStack

from irjudge.errors import IrjudgeError
from irjudge.judging import exclude_assessor, readmit_assessor
from irjudge.model import Pool
from irjudge.store import Project, set_shown_fields, shown_field_names
from irjudge_ui.messages import filled, translate


class Change(QUndoCommand):
    """Base class of changes to a project that can be undone; a change can fail.

    Subclasses implement `apply`, which makes the change (at first, and each time it is redone), and
    `revert`, which undoes it. Since an exception must not propagate through Qt, an IrjudgeError is
    stored in `error`.
    """

    error: IrjudgeError | None = None

    def apply(self) -> None:
        raise NotImplementedError

    def revert(self) -> None:
        """Undo the change in the project."""
        raise NotImplementedError

    def redo(self) -> None:
        self._run_change(forward=True)

    def undo(self) -> None:
        self._run_change(forward=False)

    def _run_change(self, *, forward: bool) -> None:
        if self.error is not None:  # after a failure, the stack only calls this to move its index
            self.error = None
            return
        try:
            self.apply() if forward else self.revert()
        except IrjudgeError as error:
            self.error = error


class ChangeStack(QUndoStack):
    """Undo stack of changes to a project, with methods that raise the error of a failed change.

    These methods are `apply_change`, `undo_change` and `redo_change`, unlike the methods of Qt. A
    change that fails when it is made is not stored. A change whose undoing or redoing fails stays
    in the stack. `change_stack` returns the stack that the pages of the collection share for a
    project; the quality page has its own.
    """

    def apply_change(self, change: Change) -> None:
        """Make a change and add it to the stack; if it fails, raise its error."""
        self.push(change)
        if error := change.error:
            change.setObsolete(True)
            self.undo()
            raise error

    def undo_change(self) -> None:
        """Undo the newest change; if that fails, raise its error and keep the change."""
        change = self._change_at(self.index() - 1)
        self.undo()
        if change and (error := change.error):
            self.redo()
            raise error

    def redo_change(self) -> None:
        """Redo the last undone change; if that fails, raise its error and keep the change."""
        change = self._change_at(self.index())
        self.redo()
        if change and (error := change.error):
            self.undo()
            raise error

    def _change_at(self, index: int) -> Change | None:
        command = self.command(index)
        return command if isinstance(command, Change) else None


# undo stacks of open projects, by id() of the project; the project itself is also stored, so that
# no other object can get the same id()
_stacks: dict[int, tuple[Project, ChangeStack]] = {}


def change_stack(project: Project) -> ChangeStack:
    """Return the undo stack shared by the collection pages; create it if necessary."""
    return _stacks.setdefault(id(project), (project, ChangeStack()))[1]


def drop_change_stack(project: Project) -> None:
    """Drop the undo stack of a closed project."""
    _stacks.pop(id(project), None)


class ExcludeAssessor(Change):
    """Change that excludes an assessor's judgments, with a reason; undo includes them again.

    Excluded judgments remain stored.
    """

    def __init__(self, project: Project, name: str, reason: str) -> None:
        super().__init__(filled(translate("Command", "exclude {name}"), name=name))
        self._project, self._name, self._reason = project, name, reason

    def apply(self) -> None:
        exclude_assessor(self._project, self._name, self._reason)

    def revert(self) -> None:
        readmit_assessor(self._project, self._name)


class IncludeAssessor(Change):
    """Change that includes the judgments of an excluded assessor; undo excludes them again."""

    def __init__(self, project: Project, name: str, reason: str) -> None:
        super().__init__(filled(translate("Command", "include {name} again"), name=name))
        self._project, self._name, self._reason = project, name, reason

    def apply(self) -> None:
        readmit_assessor(self._project, self._name)

    def revert(self) -> None:
        exclude_assessor(self._project, self._name, self._reason)


class AddRuns(Change):
    """Change that adds imported or created runs; undo removes all of them in one step.

    The runs have been stored before, so that the change does nothing at first; redo restores them.
    """

    def __init__(self, project: Project, names: Sequence[str]) -> None:
        super().__init__(filled(translate("Command", "add {names}"), names=", ".join(names)))
        self._project, self._names = project, tuple(names)
        self._removed_codes: list[int] = []

    def apply(self) -> None:
        """Restore the runs; the first time, the import has already stored them."""
        with self._project.transaction():
            for code in self._removed_codes:
                self._project.rankings.restore_run(code)

    def revert(self) -> None:
        with self._project.transaction():
            self._removed_codes = [self._project.rankings.remove_run(name) for name in self._names]


class RemoveRun(Change):
    """Change that removes a run; undo restores it at its position in the list of runs."""

    def __init__(self, project: Project, name: str) -> None:
        super().__init__(filled(translate("Command", "remove run {name}"), name=name))
        self._project, self._name = project, name

    def apply(self) -> None:
        self._removed_code = self._project.rankings.remove_run(self._name)

    def revert(self) -> None:
        self._project.rankings.restore_run(self._removed_code)


class ChangeShownFields(Change):
    """Change of the document fields that assessors see, and of their order."""

    def __init__(self, project: Project, names: Sequence[str]) -> None:
        super().__init__(
            filled(translate("Command", "show fields: {names}"), names=", ".join(names) or "–")
        )
        self._project, self._names, self._previous_names = (
            project,
            tuple(names),
            shown_field_names(project),
        )

    def apply(self) -> None:
        set_shown_fields(self._project, self._names)

    def revert(self) -> None:
        set_shown_fields(self._project, self._previous_names)


class AddPool(Change):
    """Change that adds a newly built pool, which becomes the current one; undo deletes it.

    The pool has been stored before, so that the change does nothing at first; redo stores the pool
    again. Undo fails if documents of the pool were assigned. Judgments do not change.
    """

    def __init__(self, project: Project, pool: Pool, version: int) -> None:
        super().__init__(
            filled(translate("Command", "build pool (documents: {count})"), count=f"{len(pool):,}")
        )
        self._project, self._pool = project, pool
        self._version: int | None = version

    def apply(self) -> None:
        """Restore the pool; the first time, the job has already stored it."""
        if self._version is None:
            self._version = self._project.rankings.add_pool(self._pool)

    def revert(self) -> None:
        if self._version is not None:
            self._project.rankings.remove_pool(self._version)
            self._version = None
