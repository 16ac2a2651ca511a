"""Adjudication: what the organiser decided where assessors disagree, each decision an event that can be taken back."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from irjudge.errors import IrjudgeError
from irjudge.judging.ledger import in_order, ledger_of
from irjudge.judging.session import utc_now
from irjudge.model.document import Document
from irjudge.model.event import Event, EventKind, Item
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.store.project import Project

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided of a document of a topic.

    Parameters
    ----------
    topic, document
        Ids.
    content
        SHA-256 (hex) of the text that was shown.
    grade
        A grade of the scale, or `UNJUDGEABLE`.
    why
        What the organiser wrote about it; may be empty.
    time
        UTC, as events keep it.
    """

    topic: str
    document: str
    content: str
    grade: int
    why: str
    time: str

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic, self.document


class Decisions:
    """What stands after the decisions in one chain of events, derived from the events and from nothing else."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._history: dict[Pair, list[Event]] = defaultdict(list)
        self._withdrawn: set[str] = set()
        self._done: list[Event] = []
        self._undone: list[Event] = []
        self.head: str | None = None
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        """Take one more event into account; those that decide nothing, or are not as their kind asks, only move the head."""
        self.head = event.digest
        if event.problem:
            return
        if event.kind == "adjudicate":
            self._history[_pair(event)].append(event)
            self._done.append(event)
            self._undone.clear()
        elif event.kind == "undo" and _move(event.target, self._done, self._undone):
            self._withdrawn.add(event.target or "")
        elif event.kind == "redo" and _move(event.target, self._undone, self._done):
            self._withdrawn.discard(event.target or "")

    @property
    def to_undo(self) -> Event | None:
        """The decision that undo would take back; None when there is none."""
        return self._done[-1] if self._done else None

    @property
    def to_redo(self) -> Event | None:
        """The decision that redo would bring back; None when there is none."""
        return self._undone[-1] if self._undone else None

    def of(self, pair: Pair) -> Decision | None:
        """Return the decision in force for a document of a topic; None where nothing is decided."""
        standing = (event for event in reversed(self._history.get(pair, ())) if event.digest not in self._withdrawn)
        return next(map(_decision, standing), None)

    def in_force(self) -> dict[Pair, Decision]:
        """Return every decision in force, in the order in which documents were first decided."""
        found = ((pair, self.of(pair)) for pair in self._history)
        return {pair: decision for pair, decision in found if decision is not None}


def _move(digest: str | None, source: list[Event], to: list[Event]) -> bool:
    """Move an event from one stack to the other; tell whether it was there."""
    for place in range(len(source) - 1, -1, -1):
        if source[place].digest == digest:
            to.append(source.pop(place))
            return True
    return False


def _pair(event: Event) -> Pair:
    return event.item.topic, event.item.documents[0]


def _decision(event: Event) -> Decision:
    said: Mapping[str, object] = event.payload
    grade = UNJUDGEABLE if said.get("unjudgeable") else int(str(said["value"]))
    return Decision(*_pair(event), event.item.contents[0], grade, str(said.get("why", "")), event.time)


@dataclass(slots=True)
class _Followed:
    """The decisions of a chain, the last event of the log that is among them, and whether events wait for one that is missing."""

    decisions: Decisions = field(default_factory=Decisions)
    sequence: int = 0
    waiting: bool = False


_followed: WeakKeyDictionary[Project, _Followed] = WeakKeyDictionary()


def decisions_of(project: Project) -> Decisions:
    """Return the decisions of the project's owner, up to date with the log; nobody else's events decide anything.

    As with `ledger_of`, only events written since the last call are read, and a fork is put into the order that all copies agree on.
    """
    followed, owner = _followed.setdefault(project, _Followed()), project.owner
    for sequence, event in project.events.since(followed.sequence, owner):
        followed.sequence = sequence
        if event.parent == followed.decisions.head and not followed.waiting:
            followed.decisions.apply(event)
        else:
            ordered, waiting = in_order(project.events.read(owner), project.events.lost())
            followed.decisions, followed.waiting = Decisions(ordered), bool(waiting)
            followed.sequence = project.events.last_sequence(owner)
            break
    return followed.decisions


def valid_decisions(project: Project) -> dict[Pair, Decision]:
    """Return the decisions in force that are of the text and of the scale that the project holds now."""
    found = decisions_of(project).in_force()
    current = project.collection.digests(list(dict.fromkeys(document for _, document in found)))
    grades = {*project.scale.values, UNJUDGEABLE}
    return {pair: each for pair, each in found.items() if each.grade in grades and each.content in ("", current.get(each.document, ""))}


class Adjudication:
    """The organiser deciding, one document at a time; every action is on disk when it returns.

    Parameters
    ----------
    project
        Open for writing.
    clock
        Gives the time of an event.
    """

    def __init__(self, project: Project, *, clock: Callable[[], str] = utc_now) -> None:
        self._project, self._clock = project, clock

    @property
    def decisions(self) -> Decisions:
        """What is decided now."""
        return decisions_of(self._project)

    def decide(self, topic: str, document: Document, grade: int, *, why: str = "", active_ms: int = 0) -> Event:
        """Decide the grade (or `UNJUDGEABLE`) of the document that was painted.

        Raises
        ------
        IrjudgeError
            When the scale has no such grade.
        CommitFailed
            When it could not be made durable; nothing has changed then.
        """
        scale = self._project.scale
        if grade not in (*scale.values, UNJUDGEABLE):
            raise IrjudgeError("The scale has no grade {grade}; it has {values}.", grade=grade, values=", ".join(map(str, scale.values)))
        said = {"unjudgeable": True} if grade == UNJUDGEABLE else {"value": grade}
        item = Item(topic, (document.id,), (document.digest.hex(),))
        return self._append("adjudicate", item, {**said, "scale": scale.version, "why": why, "active_ms": active_ms}, None)

    def undo(self) -> Event | None:
        """Take back the newest decision and return it; None when there is none."""
        return self._take("undo", self.decisions.to_undo)

    def redo(self) -> Event | None:
        """Bring back the decision undone last and return it; None when there is none."""
        return self._take("redo", self.decisions.to_redo)

    def _take(self, kind: EventKind, target: Event | None) -> Event | None:
        if target is not None:
            self._append(kind, target.item, {}, target.digest)
        return target

    def _append(self, kind: EventKind, item: Item, payload: Mapping[str, object], target: str | None) -> Event:
        """Write an event into the owner's one chain, which judgments of the owner stand in as well."""
        head = ledger_of(self._project).head
        event = Event(self._project.owner, kind, item, self._clock(), payload, target, head)
        self._project.events.append(event)
        ledger_of(self._project)  # a session of the owner goes on from this head
        return event
