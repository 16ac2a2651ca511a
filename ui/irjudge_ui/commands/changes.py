"""A stack of changes that says when one of them cannot be done, and then stays where it was."""

from PySide6.QtGui import QUndoCommand, QUndoStack

from irjudge.errors import IrjudgeError


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


class Changes(QUndoStack):
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
