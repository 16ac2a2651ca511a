"""Whether an event of a returned file can be believed: its form, its assessor, its item and its grade."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from irjudge.errors import ProjectError
from irjudge.message import Message
from irjudge.model.assignment import AssignedItem
from irjudge.model.event import Event, decode
from irjudge.model.event_form import BROKEN
from irjudge.store.returned_file import MAX_EVENT_BYTES, ReturnedRow

Slot: TypeAlias = tuple[str, str, tuple[str, ...], int]  # type, topic, documents, occurrence

TIME = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z"
)
LONGEST_MS = 10**9  # of active time in one judgment
UNREADABLE = Message("it cannot be read, or is larger than an event can be", key="unreadable-event")
CHANGED = Message(
    "its bytes do not fit its hash, so it was changed after it was written", key="changed-event"
)


@dataclass(frozen=True, slots=True)
class Sieve:
    """What an event of one file has to fit."""

    assessor: str  # whose file it is
    slots: Mapping[
        Slot, tuple[str, ...]
    ]  # what was assigned there; each with the opaque ids of its sides, none where it has none
    scales: frozenset[str]  # versions of the scale whose grades mean what the project's mean
    values: frozenset[int]  # the grades of the project

    def problem(self, event: Event) -> str | None:
        """Return why an event is not taken, as the end of a sentence; None when it is."""
        if event.assessor != self.assessor:
            return Message(
                "it is by another assessor than {assessor}, whose file it is",
                assessor=self.assessor,
            )
        if not TIME.fullmatch(event.time):
            return Message("its time is none")
        item = event.item
        if (item.type, item.topic, item.documents, item.occurrence) not in self.slots:
            return Message("it is about something that was not assigned there")
        if len(item.contents) != len(item.documents):
            return Message("it does not say what was shown")
        return self._payload(event)

    def _payload(self, event: Event) -> str | None:
        payload = event.payload
        if event.kind == "adjudicate":
            return Message("only the organiser decides between assessors")
        if event.problem:
            return event.problem
        if event.kind == "grade" and payload.get("scale") not in self.scales:
            return Message("it was graded on another scale")
        if event.kind == "grade" and payload["value"] not in self.values:
            return Message("the scale has no such grade")
        if payload.get("active_ms", 0) > LONGEST_MS:
            return BROKEN
        return self._sides(event) if event.kind == "preference" else None

    def _sides(self, event: Event) -> str | None:
        item = event.item
        sides = self.slots[item.type, item.topic, item.documents, item.occurrence]
        other = sides and event.payload.get("sides") != list(sides)
        return (
            Message("it is about other sides than were assigned there", key="other-sides")
            if other
            else None
        )


def slots_of(
    items: Iterable[AssignedItem], *, grading: bool = False
) -> dict[Slot, tuple[str, ...]]:
    """Return the slots of assigned items, each with its sides; what comes again is the next occurrence.

    With `grading` the documents of pairs and panels may be graded too.
    """
    times: dict[tuple[str, str, tuple[str, ...]], int] = {}
    slots: dict[Slot, tuple[str, ...]] = {}
    for item in items:
        key = (item.type, item.topic, item.documents)
        times[key] = times.get(key, 0) + 1
        slots[*key, times[key]] = item.sides
        if grading:
            slots.update(
                (("document", item.topic, (document,), 1), ()) for document in item.documents
            )
    return slots


def event_of(row: ReturnedRow) -> Event | str:
    """Return the event in a row of a returned log, or why there is none."""
    if row.problem is not None:
        return row.problem
    if row.body is None or row.digest is None or len(row.body) > MAX_EVENT_BYTES:
        return UNREADABLE
    try:
        event = decode(row.body)
    except (ProjectError, AttributeError, RecursionError, ValueError):
        return CHANGED if not _fits(row) else BROKEN
    return event if bytes.fromhex(event.digest) == row.digest else CHANGED


def _fits(row: ReturnedRow) -> bool:
    return hashlib.sha256(row.body or b"").digest() == row.digest
