"""What one person does becomes events of their chain, each durable before it returns; undo and redo walk back and forth in it."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from irjudge.errors import ProjectDamaged
from irjudge.judging.ledger import Ledger, Trail, chain_of
from irjudge.model.event import Event, EventKind, Item
from irjudge.store.project import Project

P = TypeVar("P")


def utc_now() -> str:
    """Return the time as events keep it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Recorder:
    """One assessor at work in one project; what they judge by is a session of one kind or another.

    Judgments and decisions stand in one chain and are undone each by themselves: `decides` says which of them.
    """

    decides = False

    def __init__(
        self, project: Project, assessor: str | None = None, *, clock: Callable[[], str] = utc_now
    ) -> None:
        self._project, self._clock = project, clock
        self.assessor = assessor or project.owner
        self._chain = chain_of(project, self.assessor)
        self._counted: tuple[Ledger, str | None] | None = None  # up to where

    def refuse_gap(self) -> None:
        """Let nobody go on over a gap."""
        if self._project.writing and self._chain.waiting:
            raise ProjectDamaged(
                "{file} is damaged: an event of {assessor} is missing, and what follows it waits.",
                key="gap",
                file=self._project.path.name,
                assessor=self.assessor,
            )

    @property
    def project(self) -> Project:
        """The project that is judged."""
        return self._project

    @property
    def ledger(self) -> Ledger:
        """What stands now, with all of it counted."""
        self._notice_others()
        return self._chain.ledger

    def _notice_others(self) -> None:
        """Count anew where another desk of the same assessor has continued the chain since."""
        if self._counted != (stands := (self._chain.ledger, self.head)):
            self._counted = stands
            self._count_anew()

    @property
    def trail(self) -> Trail:
        """What undo takes back and redo brings back."""
        return self.ledger.decisions if self.decides else self.ledger.acts

    @property
    def head(self) -> str | None:
        """The digest of the last event of the assessor's log; None before the first."""
        return self._chain.ledger.head

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to take back."""
        return self.trail.to_undo is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is an action to bring back."""
        return self.trail.to_redo is not None

    def undo(self) -> Event | None:
        """Take back the newest action and put what it was about on the desk; return that action, or None when there is none."""
        return self._step("undo", self.trail.to_undo)

    def redo(self) -> Event | None:
        """Bring back what was undone last and put what it was about on the desk; return that action, or None."""
        return self._step("redo", self.trail.to_redo)

    def _step(self, kind: EventKind, target: Event | None) -> Event | None:
        if target is not None:
            self._record(kind, target.item, {}, target.digest)
            self._return_to(target)
        return target

    def _event(
        self,
        kind: EventKind,
        item: Item,
        payload: Mapping[str, Any],
        target: str | None,
        parent: str | None,
    ) -> Event:
        return Event(self.assessor, kind, item, self._clock(), payload, target, parent)

    def _record(
        self, kind: EventKind, item: Item, payload: Mapping[str, Any], target: str | None = None
    ) -> Event:
        """Write what was done; it is on disk when this returns. What was in doubt and is there is not written twice."""
        made = self._chain.in_doubt()
        ledger = self.ledger
        if made and (made.kind, made.item, made.payload, made.target) == (
            kind,
            item,
            payload,
            target,
        ):
            return made
        before = ledger.judgment(item.key)
        event = self._event(kind, item, payload, target, self.head)
        self._chain.append(event)
        if self._chain.ledger is ledger:  # the chain goes on in one line
            self._counted = ledger, event.digest
            self._count(event, before)
        return event

    # What a session adds

    def _count(self, event: Event, before: Event | None) -> None:
        """Count one more event; `before` is the judgment that stood for its item."""

    def _count_anew(self) -> None:
        """Count what stands now."""

    def _return_to(self, event: Event) -> None:
        """Put on the desk what an event was about that was taken back or brought back."""


class Front(Generic[P]):
    """What was on the desk, not judged yet, before something earlier came onto it; `judged` tells whether something is judged."""

    def __init__(self, judged: Callable[[P], bool]) -> None:
        self._judged = judged
        self._place: P | None = None

    def leave(self, at: P | None, to: P) -> None:
        """Remember what is on the desk when somebody goes back from there; who goes back further still comes from the same."""
        if self._place is None and at is not None and at != to and not self._judged(at):
            self._place = at

    def forget(self) -> None:
        """Be where the desk is: the work goes on from there."""
        self._place = None

    def behind(self, at: P | None) -> bool:
        """Tell whether the desk is behind the front: what is on it is judged, or was reached by going back."""
        return at is not None and (self._judged(at) or self._place not in (None, at))

    def take(self) -> P | None:
        """Return where the work was, once; None where it is done by now, or nobody went back."""
        place, self._place = self._place, None
        return None if place is None or self._judged(place) else place
