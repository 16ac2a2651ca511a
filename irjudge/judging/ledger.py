"""What stands after a log of events, and the chain of each assessor in it: read once, and continued nowhere else."""

import heapq
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile

from irjudge.errors import CommitUnknown, ProjectError
from irjudge.model import Event, ItemKey, Rationale
from irjudge.store import EventLog, Project

JUDGMENTS = frozenset({"grade", "unjudgeable", "preference"})
UNDOABLE = JUDGMENTS | {"skip", "unsure", "note", "rationale"}


def sort_events(
    events: Iterable[Event], lost: frozenset[str] = frozenset()
) -> tuple[list[Event], list[Event]]:
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
        (event for event in different.values() if event.digest not in placed),
        key=lambda event: (event.time, event.digest),
    )


@dataclass(frozen=True, slots=True)
class Marks:
    """What an assessor noted about an item beside its judgment."""

    unsure: bool = False  # whether the flag stands
    note: str = ""  # empty when there is none
    draft: str | None = (
        None  # text of a note that was typed and not kept yet; None when there is none, or it says what the note says
    )
    rationales: tuple[Rationale, ...] = ()  # in the order they were kept


class UndoStack:
    """What was done, of each thing and in all: what of it stands, what can be taken back and what brought back."""

    def __init__(self, *, strict: bool = False) -> None:
        self._strict = strict
        self.of: dict[Hashable, list[Event]] = defaultdict(list)
        self.done: list[Event] = []
        self._undone: list[Event] = []
        self._withdrawn: set[str] = set()

    def add(self, key: Hashable, event: Event) -> None:
        """Take in what was done to a thing."""
        self.of[key].append(event)
        if not event.payload.get("identical"):  # recorded without being asked: nothing a person did
            self.done.append(event)
            self._undone.clear()

    def take_back(self, digest: str) -> None:
        """Let something count no more."""
        if _move(digest, self.done, self._undone) or not self._strict:
            self._withdrawn.add(digest)

    def bring_back(self, digest: str) -> None:
        """Let something count again."""
        if _move(digest, self._undone, self.done) or not self._strict:
            self._withdrawn.discard(digest)

    @property
    def to_undo(self) -> Event | None:
        """The event that undo would take back; None when there is none."""
        return self.done[-1] if self.done else None

    @property
    def to_redo(self) -> Event | None:
        """The event that redo would bring back; None when there is none."""
        return self._undone[-1] if self._undone else None

    def in_force(self, key: Hashable) -> Iterator[Event]:
        """Yield the events in force for a thing, newest first."""
        return (
            event for event in reversed(self.of.get(key, ())) if event.digest not in self._withdrawn
        )


def _move(digest: str, source: list[Event], to: list[Event]) -> bool:
    """Move an event from one list to the other; tell whether it was there."""
    for place in range(len(source) - 1, -1, -1):  # what is undone is nearly always the newest
        if source[place].digest == digest:
            to.append(source.pop(place))
            return True
    return False


class Ledger:
    """The state of one assessor's work, derived from events and from nothing else.

    `acts` is what was done to items; `decisions` what an organiser decided where assessors disagree, by topic and document. Each is undone
    by itself. `strange` are the events that are not as their kind asks.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.acts, self.decisions = UndoStack(), UndoStack(strict=True)
        self._standing: dict[ItemKey, Event] = {}
        self._drafts: dict[ItemKey, str] = {}
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
        key = event.item.key
        if event.kind == "undo":
            self.acts.take_back(event.target or "")
            self.decisions.take_back(event.target or "")
        elif event.kind == "redo":
            self.acts.bring_back(event.target or "")
            self.decisions.bring_back(event.target or "")
        elif event.kind == "adjudicate":
            self.decisions.add((event.item.topic, event.item.documents[0]), event)
        elif event.kind == "draft":
            self._drafts[key] = str(event.payload["text"])
        elif event.kind in UNDOABLE:
            if event.kind == "note":
                self._drafts.pop(key, None)
            self.acts.add(key, event)
        self._settle(key)

    def _settle(self, key: ItemKey) -> None:
        """Find what stands for an item now."""
        judgment = next(
            (event for event in self.acts.in_force(key) if event.kind in JUDGMENTS), None
        )
        if judgment is None:
            self._standing.pop(key, None)
        else:
            self._standing[key] = judgment

    def judgment(self, key: ItemKey) -> Event | None:
        """Return the newest judgment in force for an item; None while it is unjudged."""
        return self._standing.get(key)

    def skipped(self, key: ItemKey) -> bool:
        """Tell whether an item was put off and not judged since."""
        return self.times_skipped(key) > 0

    def times_skipped(self, key: ItemKey) -> int:
        """Return how often an item was put off since it was judged last."""
        kinds = (
            event.kind for event in self.acts.in_force(key) if event.kind in JUDGMENTS | {"skip"}
        )
        return sum(1 for _ in takewhile(lambda kind: kind == "skip", kinds))

    def judgments(self) -> Iterator[Event]:
        """Yield the judgment in force of every judged item, in the order items were first touched."""
        return (self._standing[key] for key in self.acts.of if key in self._standing)

    def newest_judgments(self) -> Iterator[Event]:
        """Yield the judgments in force, the one that was made (or brought back) last first."""
        return (
            event
            for event in reversed(self.acts.done)
            if self._standing.get(event.item.key) is event
        )

    def newest(self) -> Iterator[Event]:
        """Yield the last event of the log, whatever it is, and then what was done and not taken back, newest first."""
        if self._last:
            yield self._last
        yield from reversed(self.acts.done)

    def touched(self, key: ItemKey) -> bool:
        """Tell whether anything was ever done to an item."""
        return key in self.acts.of

    def history(self, key: ItemKey) -> tuple[Event, ...]:
        """Return all that was done to an item, what was taken back included, in the order of the log."""
        return tuple(self.acts.of.get(key, ()))

    def draft(self, key: ItemKey) -> str | None:
        """Return the text of a note that was typed and not kept; None when there is none."""
        return self._drafts.get(key)

    def marks(self, key: ItemKey) -> Marks:
        """Return what was noted about an item beside its judgment."""
        events = list(self.acts.in_force(key))
        unsure = next(
            (bool(event.payload["value"]) for event in events if event.kind == "unsure"), False
        )
        note = next((str(event.payload["text"]) for event in events if event.kind == "note"), "")
        rationales = tuple(
            Rationale(str(event.payload["text"]), *map(int, event.payload["position"]))
            for event in reversed(events)
            if event.kind == "rationale"
        )
        draft = self._drafts.get(key)
        return Marks(unsure, note, None if draft == note else draft, rationales)


class EventChain:
    """What one assessor did, as the log of a project has it, followed once for all who ask, and continued here alone."""

    def __init__(self, log: EventLog, assessor: str) -> None:
        self._log, self._assessor = log, assessor
        self._sequence = 0  # of the last event of the log that the ledger knows
        self.ledger = Ledger()
        self.waiting: tuple[Event, ...] = ()  # for an event that is missing
        self._doubtful: Event | None = None

    def follow(self, before: int | None = None) -> Ledger:
        """Take in what others wrote since, up to a number of the log, and return the ledger; while nothing happens it costs nothing."""
        for sequence, event in self._log.since(self._sequence, self._assessor, before):
            if not self._take(sequence, event):
                break
        return self.ledger

    def append(self, event: Event) -> None:
        """Write an event; it is on disk when this returns, and is not read back."""
        with self._doubting(event):
            sequence = self._log.append(event)
        self._go_on(sequence, event)

    def in_doubt(self) -> Event | None:
        """Return the event of which nobody knew whether it was saved, once the log turns out to have it."""
        doubtful = self._doubtful
        if doubtful is None:
            return None
        try:
            self.follow()
        except ProjectError as fault:
            raise CommitUnknown(
                "It cannot be known whether this is saved: {fault}", fault=fault
            ) from fault
        if self.ledger.head != doubtful.digest:
            return None
        self._doubtful = None
        return doubtful

    def append_all(self, events: Sequence[Event]) -> None:
        """Write several events, all or none, as `append` does one."""
        with self._doubting(events[-1]):
            numbers = self._log.append_all(events)
        for sequence, event in zip(numbers, events, strict=True):
            self._go_on(sequence, event)

    @contextmanager
    def _doubting(self, last: Event) -> Iterator[None]:
        """Keep in mind the last event of a block of which nobody knows whether it is saved."""
        try:
            yield
        except CommitUnknown:
            self._doubtful = last
            raise
        self._doubtful = None

    def _go_on(self, sequence: int, event: Event) -> None:
        """Take in an event that was written just now, after what others wrote before it."""
        try:
            self.follow(before=sequence)
            if sequence > self._sequence:
                self._take(sequence, event)
        except (
            ProjectError
        ):  # the event is on disk; a log that cannot be read any more must not make it look lost
            if self.ledger.head != event.digest:
                self.ledger.apply(event)

    def _take(self, sequence: int, event: Event) -> bool:
        """Take in the next event of the log; tell whether the log goes on in one line. A fork is put in the order all copies agree on."""
        if event.parent == self.ledger.head and not self.waiting:
            self._sequence = sequence
            self.ledger.apply(event)
            return True
        ordered, waiting = sort_events(self._log.read(self._assessor), self._log.lost())
        self.ledger, self.waiting = Ledger(ordered), tuple(waiting)
        self._sequence = self._log.last_sequence(self._assessor)
        return False


def _make_chain_cache() -> dict[str, EventChain]:
    return {}


def get_chain(project: Project, assessor: str) -> EventChain:
    """Return the one chain of an assessor in a project, up to date with the log."""
    chains = project.kept(_make_chain_cache)
    if assessor not in chains:
        chains[assessor] = EventChain(project.events, assessor)
    chains[assessor].follow()
    return chains[assessor]


def get_ledger(project: Project, assessor: str | None = None) -> Ledger:
    """Return the ledger of an assessor (by default the owner), up to date with the log.

    It is one object for as long as the log goes on in one line; a fork (two copies worked on) makes a new one.
    """
    return get_chain(project, assessor or project.owner).ledger


def list_waiting_events(project: Project, assessor: str) -> tuple[Event, ...]:
    """Return the events of an assessor that are in the log and wait for one that is missing; they do not count."""
    return get_chain(project, assessor).waiting


def list_grades_in_force(project: Project, assessor: str | None = None) -> list[Event]:
    """Return each judgment of a single document that stands, of one assessor (by default the owner).

    They come in the order in which documents were first judged; a preference between two is no grade, and what came late in a session
    does not count.
    """
    late = project.sessions.late(assessor or project.owner)
    found = (
        event
        for event in get_ledger(project, assessor).judgments()
        if event.kind in ("grade", "unjudgeable")
    )
    return [event for event in found if (event.item.topic, event.item.documents) not in late]
