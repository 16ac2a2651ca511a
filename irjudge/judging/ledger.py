"""What stands after a log of events: judgments in force, what can be undone, what can be redone."""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from irjudge.model.event import Event, Key
from irjudge.store.project import Project

JUDGMENTS = frozenset({"grade", "unjudgeable", "preference"})
UNDOABLE = JUDGMENTS | {"skip", "unsure", "note", "rationale"}


def in_order(events: Iterable[Event], lost: frozenset[str] = frozenset()) -> tuple[list[Event], list[Event]]:
    """Return the events in the one order that every copy of the log agrees on, and those that wait.

    An event comes after its parent; where several could come next, the earliest time goes first, then the
    smallest digest. An event whose parent is missing waits, and so does what follows it; for an event that is among the
    `lost` (digests) nothing waits.
    """
    children: dict[str | None, list[Event]] = defaultdict(list)
    different = {event.digest: event for event in events}
    for event in different.values():
        parent = None if event.parent in lost and event.parent not in different else event.parent
        children[parent].append(event)
    ready = [(event.time, event.digest) for event in children[None]]
    heapq.heapify(ready)
    ordered = []
    while ready:
        event = different[heapq.heappop(ready)[1]]
        ordered.append(event)
        for child in children[event.digest]:
            heapq.heappush(ready, (child.time, child.digest))
    placed = {event.digest for event in ordered}
    return ordered, sorted(
        (event for event in different.values() if event.digest not in placed), key=lambda event: (event.time, event.digest)
    )


@dataclass(frozen=True, slots=True)
class Rationale:
    """A piece of a document's text that was kept as the reason of a judgment, and where it stands in the shown text."""

    text: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Marks:
    """What an assessor noted about an item beside its judgment.

    Parameters
    ----------
    unsure
        Whether the flag stands.
    note
        Empty when there is none.
    draft
        Text of a note that was typed and not kept yet; None when there is none, or it says what the note says.
    rationales
        In the order they were kept.
    """

    unsure: bool = False
    note: str = ""
    draft: str | None = None
    rationales: tuple[Rationale, ...] = ()


class Ledger:
    """The state of one assessor's work, derived from events and from nothing else."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._history: dict[Key, list[Event]] = defaultdict(list)
        self._standing: dict[Key, Event] = {}
        self._drafts: dict[Key, str] = {}
        self._withdrawn: set[str] = set()
        self._done: list[Event] = []
        self._undone: list[Event] = []
        self.head: str | None = None
        self._last: Event | None = None
        self.strange: list[Event] = []
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        """Take one more event into account; one that is not as its kind asks only moves the head, and is kept among the `strange`."""
        self.head, self._last = event.digest, event
        if event.problem:
            self.strange.append(event)
            return
        if event.kind == "undo":
            self._move(event.target, self._done, self._undone)
            self._withdrawn.add(event.target or "")
        elif event.kind == "redo":
            self._move(event.target, self._undone, self._done)
            self._withdrawn.discard(event.target or "")
        elif event.kind == "draft":
            self._drafts[event.item.key] = str(event.payload["text"])
        elif event.kind in UNDOABLE:
            if event.kind == "note":
                self._drafts.pop(event.item.key, None)
            self._history[event.item.key].append(event)
            if not event.payload.get("identical"):  # recorded without being asked: nothing a person did
                self._done.append(event)
                self._undone.clear()
        self._settle(event.item.key)

    def _settle(self, key: Key) -> None:
        """Find what stands for an item now."""
        judgment = next((event for event in self._in_force(key) if event.kind in JUDGMENTS), None)
        if judgment is None:
            self._standing.pop(key, None)
        else:
            self._standing[key] = judgment

    @staticmethod
    def _move(digest: str | None, source: list[Event], to: list[Event]) -> None:
        for place in range(len(source) - 1, -1, -1):  # what is undone is nearly always the newest
            if source[place].digest == digest:
                to.append(source.pop(place))
                return

    @property
    def to_undo(self) -> Event | None:
        """The event that undo would take back; None when there is none."""
        return self._done[-1] if self._done else None

    @property
    def to_redo(self) -> Event | None:
        """The event that redo would bring back; None when there is none."""
        return self._undone[-1] if self._undone else None

    def judgment(self, key: Key) -> Event | None:
        """Return the newest judgment in force for an item; None while it is unjudged."""
        return self._standing.get(key)

    def skipped(self, key: Key) -> bool:
        """Tell whether an item was put off and not judged since."""
        newest = next((event for event in self._in_force(key) if event.kind in JUDGMENTS | {"skip"}), None)
        return newest is not None and newest.kind == "skip"

    def judgments(self) -> Iterator[Event]:
        """Yield the judgment in force of every judged item, in the order items were first touched."""
        return (self._standing[key] for key in self._history if key in self._standing)

    def newest_judgments(self) -> Iterator[Event]:
        """Yield the judgments in force, the one that was made (or brought back) last first."""
        return (event for event in reversed(self._done) if self._standing.get(event.item.key) is event)

    def newest(self) -> Iterator[Event]:
        """Yield the last event of the log, whatever it is, and then what was done and not taken back, newest first."""
        if self._last:
            yield self._last
        yield from reversed(self._done)

    def touched(self, key: Key) -> bool:
        """Tell whether anything was ever done to an item."""
        return key in self._history

    def history(self, key: Key) -> tuple[Event, ...]:
        """Return all that was done to an item, what was taken back included, in the order of the log."""
        return tuple(self._history.get(key, ()))

    def draft(self, key: Key) -> str | None:
        """Return the text of a note that was typed and not kept; None when there is none."""
        return self._drafts.get(key)

    def marks(self, key: Key) -> Marks:
        """Return what was noted about an item beside its judgment."""
        events = list(self._in_force(key))
        unsure = next((bool(event.payload["value"]) for event in events if event.kind == "unsure"), False)
        note = next((str(event.payload["text"]) for event in events if event.kind == "note"), "")
        rationales = tuple(
            Rationale(str(event.payload["text"]), *map(int, event.payload["position"]))
            for event in reversed(events)
            if event.kind == "rationale"
        )
        draft = self._drafts.get(key)
        return Marks(unsure, note, None if draft == note else draft, rationales)

    def _in_force(self, key: Key) -> Iterator[Event]:
        """Yield the events in force for an item, newest first."""
        return (event for event in reversed(self._history.get(key, ())) if event.digest not in self._withdrawn)


@dataclass(slots=True)
class _Followed:
    """A ledger, the last event of the log that it knows, and the events that wait for one that is missing."""

    ledger: Ledger = field(default_factory=Ledger)
    sequence: int = 0
    waiting: tuple[Event, ...] = ()


_followed: WeakKeyDictionary[Project, dict[str, _Followed]] = WeakKeyDictionary()


def ledger_of(project: Project, assessor: str | None = None) -> Ledger:
    """Return the ledger of an assessor (by default the owner), up to date with the log.

    Only events written since the last call are read, so that asking costs nothing while nothing happens. It is one
    object for as long as the log goes on in one line; a fork (two copies worked on) makes a new one.
    """
    assessor = assessor or project.owner
    followed = _followed.setdefault(project, {}).setdefault(assessor, _Followed())
    for sequence, event in project.events.since(followed.sequence, assessor):
        followed.sequence = sequence
        if event.parent == followed.ledger.head and not followed.waiting:
            followed.ledger.apply(event)
        else:
            ordered, waiting = in_order(project.events.read(assessor), project.events.lost())
            followed.ledger, followed.waiting = Ledger(ordered), tuple(waiting)
            followed.sequence = project.events.last_sequence(assessor)
            break
    return followed.ledger


def waiting_in_log(project: Project, assessor: str) -> tuple[Event, ...]:
    """Return the events of an assessor that are in the log and wait for one that is missing; they do not count."""
    ledger_of(project, assessor)
    return _followed[project][assessor].waiting
