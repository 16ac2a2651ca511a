"""Ledger of an assessor (current judgments and undo stacks), derived from a chain of events."""

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
UNDOABLE_KINDS = JUDGMENTS | {"skip", "unsure", "note", "rationale"}


def sort_events(
    events: Iterable[Event], lost_digests: frozenset[str] = frozenset()
) -> tuple[list[Event], list[Event]]:
    """Return events in an order that is the same in all copies of a log, and the ignored events.

    Each event follows its parent. If several events can come next, they are ordered by time, then
    by digest. An event is ignored if its parent
    is missing or ignored; ignored events are returned separately, sorted by time. A parent whose
    digest is in `lost_digests` does not count as missing.
    """
    children: dict[str | None, list[Event]] = defaultdict(list)
    unique_events = {event.digest: event for event in events}
    for event in unique_events.values():
        parent = (
            None
            if event.parent in lost_digests and event.parent not in unique_events
            else event.parent
        )
        children[parent].append(event)
    ready_events = [(event.time, event.digest) for event in children[None]]
    heapq.heapify(ready_events)
    ordered_events = []
    while ready_events:
        event = unique_events[heapq.heappop(ready_events)[1]]
        ordered_events.append(event)
        for child in children[event.digest]:
            heapq.heappush(ready_events, (child.time, child.digest))
    ordered_digests = {event.digest for event in ordered_events}
    return ordered_events, sorted(
        (event for event in unique_events.values() if event.digest not in ordered_digests),
        key=lambda event: (event.time, event.digest),
    )


@dataclass(frozen=True, slots=True)
class Marks:
    """Annotations of an item by an assessor: flag, note, draft of a note, and rationales.

    Annotations that were undone are not included.
    """

    unsure: bool = False  # whether the item is flagged
    note: str = ""  # text of the note; empty if there is none
    draft: str | None = None  # unsaved text that differs from the note; None if there is none
    rationales: tuple[Rationale, ...] = ()  # in the order in which they were saved


class UndoStack:
    """Actions of an assessor, in the order in which they can be undone and redone.

    Each action has a key, such as the key of its item. Unless a stack is strict, events that are
    not in `undoable_events` can also be undone, and then redone.
    """

    def __init__(self, *, is_strict: bool = False) -> None:
        self._is_strict = is_strict
        self.events_by_key: dict[Hashable, list[Event]] = defaultdict(list)
        self.undoable_events: list[Event] = []
        self._undone_events: list[Event] = []
        self._withdrawn_digests: set[str] = set()

    def add(self, key: Hashable, event: Event) -> None:
        """Record an action for a key; earlier undone actions can no longer be redone."""
        self.events_by_key[key].append(event)
        if not event.payload.get("identical"):  # ties on identical lists are recorded automatically
            self.undoable_events.append(event)
            self._undone_events.clear()

    def apply_undo(self, digest: str) -> None:
        """Undo the event with the given digest.

        A strict stack ignores an event that it cannot undo.
        """
        if _move_event(digest, self.undoable_events, self._undone_events) or not self._is_strict:
            self._withdrawn_digests.add(digest)

    def apply_redo(self, digest: str) -> None:
        """Redo the event with the given digest.

        A strict stack ignores an event that it cannot redo.
        """
        if _move_event(digest, self._undone_events, self.undoable_events) or not self._is_strict:
            self._withdrawn_digests.discard(digest)

    @property
    def next_undo(self) -> Event | None:
        """Event that would be undone next; None if there is none."""
        return self.undoable_events[-1] if self.undoable_events else None

    @property
    def next_redo(self) -> Event | None:
        """Event that would be redone next; None if there is none."""
        return self._undone_events[-1] if self._undone_events else None

    def iter_in_force(self, key: Hashable) -> Iterator[Event]:
        """Yield the events of a key that were not undone, newest first."""
        return (
            event
            for event in reversed(self.events_by_key.get(key, ()))
            if event.digest not in self._withdrawn_digests
        )


def _move_event(digest: str, source: list[Event], target: list[Event]) -> bool:
    """Move the event with a digest from one list to another; return False if `source` lacks it."""
    for index in range(len(source) - 1, -1, -1):  # the event is nearly always the newest one
        if source[index].digest == digest:
            target.append(source.pop(index))
            return True
    return False


class Ledger:
    """State of one assessor's work after a sequence of events.

    The ledger is computed from the events only, and writes nothing. There are two undo stacks:
    `actions` contains the actions on items by item key, and `decisions` contains the adjudications
    by (topic, document). `malformed` contains the invalid events.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.actions, self.decisions = UndoStack(), UndoStack(is_strict=True)
        self._judgments_in_force: dict[ItemKey, Event] = {}
        self._drafts: dict[ItemKey, str] = {}
        self.head: str | None = None
        self._last_event: Event | None = None
        self.malformed: list[Event] = []
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        """Apply the next event; a malformed event becomes the head of the log but has no effect."""
        self.head, self._last_event = event.digest, event
        if event.problem:
            self.malformed.append(event)
            return
        key = event.item.key
        if event.kind == "undo":
            self.actions.apply_undo(event.target or "")
            self.decisions.apply_undo(event.target or "")
        elif event.kind == "redo":
            self.actions.apply_redo(event.target or "")
            self.decisions.apply_redo(event.target or "")
        elif event.kind == "adjudicate":
            self.decisions.add((event.item.topic, event.item.documents[0]), event)
        elif event.kind == "draft":
            self._drafts[key] = str(event.payload["text"])
        elif event.kind in UNDOABLE_KINDS:
            if event.kind == "note":
                self._drafts.pop(key, None)
            self.actions.add(key, event)
        self._update_judgment(key)

    def _update_judgment(self, key: ItemKey) -> None:
        judgment = next(
            (event for event in self.actions.iter_in_force(key) if event.kind in JUDGMENTS), None
        )
        if judgment is None:
            self._judgments_in_force.pop(key, None)
        else:
            self._judgments_in_force[key] = judgment

    def judgment(self, key: ItemKey) -> Event | None:
        """Return the current judgment of an item; None if it is unjudged."""
        return self._judgments_in_force.get(key)

    def is_skipped(self, key: ItemKey) -> bool:
        """Return whether an item was skipped and not judged since."""
        return self.count_skips(key) > 0

    def count_skips(self, key: ItemKey) -> int:
        """Return the number of times an item was skipped since its last judgment."""
        kinds = (
            event.kind
            for event in self.actions.iter_in_force(key)
            if event.kind in JUDGMENTS | {"skip"}
        )
        return sum(1 for _ in takewhile(lambda kind: kind == "skip", kinds))

    def judgments(self) -> Iterator[Event]:
        """Yield each item's current judgment, in the order of the first action on each item."""
        return (
            self._judgments_in_force[key]
            for key in self.actions.events_by_key
            if key in self._judgments_in_force
        )

    def newest_judgments(self) -> Iterator[Event]:
        """Yield the current judgments; the judgment that was made or restored last is first."""
        return (
            event
            for event in reversed(self.actions.undoable_events)
            if self._judgments_in_force.get(event.item.key) is event
        )

    def iter_newest(self) -> Iterator[Event]:
        """Yield the newest event, then the actions that were not undone, newest first."""
        if self._last_event:
            yield self._last_event
        yield from reversed(self.actions.undoable_events)

    def has_events(self, key: ItemKey) -> bool:
        """Return whether there are actions on an item, even if they were undone."""
        return key in self.actions.events_by_key

    def history(self, key: ItemKey) -> tuple[Event, ...]:
        """Return all actions on an item in log order, including undone ones."""
        return tuple(self.actions.events_by_key.get(key, ()))

    def draft(self, key: ItemKey) -> str | None:
        """Return the text of an unsaved note; None if there is none."""
        return self._drafts.get(key)

    def marks(self, key: ItemKey) -> Marks:
        """Return the annotations of an item."""
        events = list(self.actions.iter_in_force(key))
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
    """Events of one assessor in the log of a project, and the ledger derived from them.

    There is one chain per assessor and open project. All new events of the assessor are appended
    through this chain.
    """

    def __init__(self, log: EventLog, assessor: str) -> None:
        self._log, self._assessor = log, assessor
        self._last_sequence = 0  # sequence number of the last event that the ledger includes
        self.ledger = Ledger()
        self.waiting: tuple[Event, ...] = ()  # events ignored because an earlier event is missing
        self._uncertain_event: Event | None = None

    def follow(self, limit: int | None = None) -> Ledger:
        """Apply events that other processes have written, and return the ledger.

        With `limit`, stop before the event with that sequence number. The call is fast if there are
        no new events.
        """
        for sequence, event in self._log.read_since(self._last_sequence, self._assessor, limit):
            if not self._apply_next(sequence, event):
                break
        return self.ledger

    def append(self, event: Event) -> None:
        """Write an event durably, and apply it to the ledger."""
        with self._track_commit(event):
            sequence = self._log.append(event)
        self._apply_written(sequence, event)

    def find_uncertain_event(self) -> Event | None:
        """Return the event whose commit was uncertain, if it is now the last event of the log."""
        uncertain_event = self._uncertain_event
        if uncertain_event is None:
            return None
        try:
            self.follow()
        except ProjectError as error:
            raise CommitUnknown(
                "Cannot tell whether the last change was saved: {error}", error=error
            ) from error
        if self.ledger.head != uncertain_event.digest:
            return None
        self._uncertain_event = None
        return uncertain_event

    def append_all(self, events: Sequence[Event]) -> None:
        """Write several events durably in one transaction, and apply them to the ledger."""
        with self._track_commit(events[-1]):
            sequences = self._log.append_all(events)
        for sequence, event in zip(sequences, events, strict=True):
            self._apply_written(sequence, event)

    @contextmanager
    def _track_commit(self, last_event: Event) -> Iterator[None]:
        """Store the last event of the block if its commit is uncertain."""
        try:
            yield
        except CommitUnknown:
            self._uncertain_event = last_event
            raise
        self._uncertain_event = None

    def _apply_written(self, sequence: int, event: Event) -> None:
        """Apply the events that other processes wrote before a new event, then the new event."""
        try:
            self.follow(limit=sequence)
            if sequence > self._last_sequence:
                self._apply_next(sequence, event)
        # the event is on disk, so that it is applied even if the log has become unreadable
        except ProjectError:
            if self.ledger.head != event.digest:
                self.ledger.apply(event)

    def _apply_next(self, sequence: int, event: Event) -> bool:
        """Apply the next event of the log; return False if the log has forked.

        After a fork, the ledger is rebuilt from all events in the order of `sort_events`.
        """
        if event.parent == self.ledger.head and not self.waiting:
            self._last_sequence = sequence
            self.ledger.apply(event)
            return True
        ordered_events, waiting_events = sort_events(
            self._log.read(self._assessor), self._log.lost_digests()
        )
        self.ledger, self.waiting = Ledger(ordered_events), tuple(waiting_events)
        self._last_sequence = self._log.last_sequence(self._assessor)
        return False


def _make_chain_cache() -> dict[str, EventChain]:
    return {}


def get_chain(project: Project, assessor: str) -> EventChain:
    """Return the event chain of an assessor, up to date with the log."""
    chains = project.compute_once(_make_chain_cache)
    if assessor not in chains:
        chains[assessor] = EventChain(project.events, assessor)
    chains[assessor].follow()
    return chains[assessor]


def get_ledger(project: Project, assessor: str | None = None) -> Ledger:
    """Return the ledger of an assessor (by default the owner), up to date with the log.

    The same object is returned until the log forks because two copies of the project were edited.
    """
    return get_chain(project, assessor or project.owner).ledger


def list_waiting_events(project: Project, assessor: str) -> tuple[Event, ...]:
    """Return an assessor's events that are ignored because an earlier event is missing."""
    return get_chain(project, assessor).waiting


def list_grades_in_force(project: Project, assessor: str | None = None) -> list[Event]:
    """Return one assessor's current judgments of single documents; by default, the owner's.

    The judgments are in the order of the first action on each document. Late judgments of a session
    are omitted.
    """
    late_pairs = project.sessions.late_items(assessor or project.owner)
    grades = (
        event
        for event in get_ledger(project, assessor).judgments()
        if event.kind in ("grade", "unjudgeable")
    )
    return [event for event in grades if (event.item.topic, event.item.documents) not in late_pairs]
