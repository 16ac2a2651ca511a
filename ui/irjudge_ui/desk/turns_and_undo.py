"""Turns at a desk: what is shown is painted before keys count, what was said of it is on disk before the next comes, and undo goes back."""

from collections.abc import Callable
from time import monotonic
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from irjudge.errors import IrjudgeError
from irjudge.judging.active_time import ActiveTime
from irjudge.judging.recorder import Recorder
from irjudge_ui.desk.saving import Act, Saving, Then
from irjudge_ui.desk.saving import SaveNotices as SavingPanel
from irjudge_ui.settings import Settings
from irjudge_ui.words import in_language

S = TypeVar("S", bound=Recorder)
W = TypeVar("W")


class TurnNotices(SavingPanel, Protocol):
    """Where it is said what became of a key."""

    def show_hint(self, words: str) -> None:
        """Say what was saved, or what is expected."""

    def show_ignored(self, words: str) -> None:
        """Say that a key did nothing."""


class Turns(QObject, Generic[S, W]):
    """A person's turns, whatever is judged: commit, then move.

    `begun` comes when something new can be seen; `undone` and `redone` with the event that was taken back or brought back.
    """

    begun = Signal()
    undone = Signal(object)
    redone = Signal(object)

    def __init__(
        self,
        panel: TurnNotices,
        parent: QWidget,
        settings: Settings,
        show: Callable[[W | None], None],
        *,
        too_soon: str,
        retry: str = "retry",
    ) -> None:
        super().__init__(parent)
        self._panel, self._settings, self._show, self._too_soon = panel, settings, show, too_soon
        self.saving = Saving(panel, parent, retry)
        self.active = ActiveTime(
            0
        )  # between what was painted and the key; whoever sees a sign of life touches it
        self.session: S | None = None
        self.shown: W | None = None  # what was handed to the page
        self.painted: W | None = None  # what a person can see; keys judge this and nothing else
        self.begin(None)

    def begin(self, session: S | None) -> None:
        """Begin with a session; None judges no longer."""
        self.session = session
        self.saving.begin(session.project if session else None)
        self.clear()
        self.active.reset(int(self._settings.get("idle_s")) * 1000)
        self._timed: W | None = None
        self._painted_at = 0.0

    # What is on the desk

    def clear(self) -> None:
        """Let nothing be judged that is on screen."""
        self.shown = self.painted = None

    def show(self, work: W | None) -> None:
        """Take what is handed to the page now; what could not be saved belongs to what was there before."""
        if work is not self.shown:
            self.saving.forget()
        self.shown, self.painted = work, None

    def paint(self) -> None:
        """Take keys for what is shown: a person can see it."""
        if self.shown is None or self.shown is self.painted:
            return
        self.painted = self.shown
        if self._timed is not self.shown:  # the same painted again in other colours is no new start
            self._timed, self._painted_at = self.shown, monotonic()
            self.active.start()
            self.begun.emit()

    def move(self, find: Callable[[], W | None]) -> None:
        """Put something on the desk; where it cannot be read, nothing on screen can be judged any more."""
        try:
            self._show(find())
        except IrjudgeError as fault:
            self.clear()
            self._panel.show_problem(in_language(str(fault)))

    # What a key does

    def ready(self) -> bool:
        """Tell whether keys count; one that was meant for what was there before is ignored, and that is said."""
        if self.shown is None:
            return False
        if self.painted is not None and (monotonic() - self._painted_at) * 1000 >= int(
            self._settings.get("guard_ms")
        ):
            return True
        self._panel.show_ignored(self._too_soon)
        return False

    def act(
        self, do: Act, then: Then, *, refused: str = "", before: Callable[[], bool] | None = None
    ) -> None:
        """Do what a key asks for, unless it came too soon; it is on disk when `then` is called."""
        if not self.ready():
            return
        if refused:
            self._panel.show_ignored(refused)
        elif before is None or before():
            self.saving.commit(do, then)

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to take back."""
        return self.session is not None and self.session.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is an action to bring back."""
        return self.session is not None and self.session.can_redo

    def undo(self) -> None:
        """Take back the newest action; what is not saved yet is given up first."""
        if self.saving.waits:
            self.saving.forget()
            self._panel.show_hint(self.tr("Given up: it was not saved."))
        elif self.session is not None:
            self.saving.commit(self.session.undo, self.undone.emit)

    def redo(self) -> None:
        """Bring back what was undone last."""
        if self.session is not None:
            self.saving.commit(self.session.redo, self.redone.emit)
