"""Recording of actions as events, from the window and from browsers; undo and redo."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from irjudge.errors import ProjectDamaged
from irjudge.judging.ledger import Ledger, UndoStack, get_chain
from irjudge.model import CLIENT_VERSION, Event, EventKind, Item, utc_now
from irjudge.store import Project

# What one person does becomes events of their chain, each durable before it returns; undo and redo walk back and forth in it.

P = TypeVar("P")


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
        self._chain = get_chain(project, self.assessor)
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
    def trail(self) -> UndoStack:
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


class ResumePoint(Generic[P]):
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


# What browsers send becomes events: one chain a person, an action known by its client and number.

PAGE_TIME = "page_time"  # in a payload: when it was by the browser's clock
ROUND = "round"  # in a payload: in which norming round it was said; no page says that
ActionId = tuple[str, int]  # client and number


class ActionLog(Protocol):
    """Where events are kept: a project's log, or that of a database."""

    def read(self, assessor: str | None = None) -> Iterator[Event]:
        """Yield the events in the order they were written, of one assessor or of all."""

    def append(self, event: Event) -> object:
        """Write an event; it is durable when the transaction around it has ended."""


@dataclass(frozen=True, slots=True)
class KnownAction:
    """An action that is in the log: the digest of its event, the time the server gave it, and the digest of the event before."""

    digest: str
    time: str
    parent: str | None
    merged: bool = False  # whether it came in a file that the page saved, and no server stamped it


class ParticipantLog:
    """The work of one person of a session, as it comes in."""

    def __init__(self, events: ActionLog, assessor: str) -> None:
        self._events, self.assessor = events, assessor
        self.ledger = Ledger()
        self.known: dict[ActionId, KnownAction] = {}
        self._names: dict[str, ActionId] = {}
        self._last: dict[str, int] = {}
        self.size, self.drafted = 0, 0  # bytes of all, and of drafts among them
        for event in events.read(assessor):
            self.note(event)

    def __len__(self) -> int:
        return len(self.known)

    def last(self, client: str) -> int:
        """Return the number of a client's newest action; 0 where it has none."""
        return self._last.get(client, 0)

    @property
    def clients(self) -> tuple[str, ...]:
        """The clients that did something."""
        return tuple(self._last)

    def event_of(self, action: Mapping[str, Any], time: str, number: int = 0) -> Event | None:
        """Return the event of an action that came now, or the one it made when it came first; None where what it takes back is missing.

        Other fields under a number that is known give an event of another digest than the known one. With a `number`, it says in which
        norming round it was done.
        """
        known = self.known.get((action["client"], action["number"]))
        target = None
        if action["target"] is not None:
            spoken_of = self.known.get((action["target"]["client"], action["target"]["number"]))
            if spoken_of is None:
                return None
            target = spoken_of.digest
        item = action["item"]
        about = Item(
            item["topic"],
            tuple(item["documents"]),
            tuple(item["contents"]),
            item["type"],
            item["occurrence"],
        )
        stamped = {
            PAGE_TIME: action["time"],
            **({ROUND: number} if number and target is None else {}),
        }
        payload = {**action["payload"], **({} if known and known.merged else stamped)}
        when, parent = (known.time, known.parent) if known else (time, self.ledger.head)
        who = (CLIENT_VERSION, action["client"], action["number"])
        return Event(self.assessor, action["kind"], about, when, payload, target, parent, *who)

    def append(self, event: Event) -> None:
        """Write an event; it is on disk when the transaction around it has ended."""
        self._events.append(event)
        self.note(event)

    def note(self, event: Event) -> None:
        """Take note of an event that is in the log."""
        self.ledger.apply(event)
        self.size += event.size
        self.drafted += event.size if event.kind == "draft" else 0
        name = (event.client, event.number)
        self.known[name] = KnownAction(
            event.digest, event.time, event.parent, PAGE_TIME not in event.payload
        )
        self._names[event.digest] = name
        self._last[event.client] = max(event.number, self._last.get(event.client, 0))

    def actions(self) -> list[dict[str, Any]]:
        """Return all actions as the page made them, in the order in which they came."""
        return [self._action(event) for event in self._events.read(self.assessor)]

    def _action(self, event: Event) -> dict[str, Any]:
        item = event.item
        about = {
            "type": item.type,
            "topic": item.topic,
            "documents": list(item.documents),
            "contents": list(item.contents),
            "occurrence": item.occurrence,
        }
        client, number = self._names.get(event.target or "", ("", 0))
        payload = {
            name: value for name, value in event.payload.items() if name not in (PAGE_TIME, ROUND)
        }
        return {
            "client": event.client,
            "number": event.number,
            "kind": event.kind,
            "item": about,
            "time": str(event.payload.get(PAGE_TIME, event.time)),
            "payload": payload,
            "target": {"client": client, "number": number} if event.target else None,
        }
