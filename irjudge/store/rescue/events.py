"""Saves the log of a damaged project: what its tables still give, and what stands in the raw bytes of the file beside that."""

import hashlib
import mmap
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irjudge.errors import ProjectError
from irjudge.message import Message, counted
from irjudge.model.event import Event, decode
from irjudge.progress import SILENT, Progress
from irjudge.store.connection import ODD, Connection
from irjudge.store.events import LOSSES, losses_in
from irjudge.store.rescue.damaged_rows import (
    facts_of,
    from_index,
    highest_row,
    last_number,
    rows_of,
)
from irjudge.store.rescue.raw_events import RawEvent, scan
from irjudge.store.rescue.rescue_report import RescueReport, insert

SEARCHED = 200  # hashes that are looked for in the whole file
LIVE = ("raw scan", "overflow chain")  # not on a free page, not behind the last page


@dataclass(slots=True)
class _Log:
    """What the tables give of a log."""

    events: dict[int, Event] = field(default_factory=dict)  # by their number
    # the numbers of rows that were there and give no event, with the hash that the row says
    lost: dict[int, Any] = field(default_factory=dict)
    numbers: dict[int, bytes] = field(default_factory=dict)  # by number the hash, as the index says
    last: int | None = None  # the last number that was ever given; None where that cannot be known
    waiting: dict[bytes, Event] = field(
        default_factory=dict
    )  # by their hash the events that wait for the one before them
    lost_waiting: int = 0  # rows of such events that give none

    def is_open(self, number: int | None) -> bool:
        """Tell whether an event may have had a number: no other has it, and it was given."""
        return (
            number is not None
            and number not in self.events
            and (self.last is None or number <= self.last)
        )

    def may_have(self, number: int | None) -> bool:
        """Tell the same of a row that was freed, which took its number from it: then some number must have no event."""
        return self.is_open(number) or (
            number is None and (self.last is None or len(self.events) < self.last)
        )


def rescue_events(
    source: Connection,
    target: Connection,
    report: RescueReport,
    *,
    file: Path,
    progress: Progress = SILENT,
) -> None:
    """Copy every event that can be proven, byte for byte, and say how it was found.

    An event is proven by its hash: in its row, in the index, or named by another event. What stands outside the tables joins the log
    where its number is open there, or an event of the log names it or is the one before it; what cannot be placed is listed apart.
    """
    try:
        log = _read(source)
    except (ProjectError, *ODD):  # then all of it stands in the raw bytes alone
        log = _Log()
    found = list(_raw(file, log, progress))
    known = Counter({"tables": len(log.events)})
    joined, waiting, apart = _placed(log, found)
    _number(log, joined)
    for each in joined + waiting:
        known[each.how] += 1
    _write(target, log, waiting, report)
    report.found = dict(known)
    report.apart = [_described(each.event) for each in apart]
    report.gone = _gone(log)
    report.remarks += _doubts(source, log)


def _write(
    target: Connection, log: _Log, waiting: Sequence[RawEvent], report: RescueReport
) -> None:
    part = report.parts["events"]
    columns = "digest, assessor, parent, body"
    for sequence, event in sorted(log.events.items()):
        insert(
            target,
            part,
            f"INSERT INTO event (sequence, {columns}) VALUES (?, ?, ?, ?, ?)",
            (sequence, *_row(event)),
        )
    for each in (*log.waiting.values(), *(each.event for each in waiting)):
        insert(
            target,
            report.parts["assignments"],
            f"INSERT INTO waiting_event ({columns}) VALUES (?, ?, ?, ?)",
            _row(each),
        )
    report.parts["assignments"].lost += log.lost_waiting
    part.lost += len(log.lost)
    for sequence, digest in sorted(log.lost.items()):
        name = log.numbers.get(sequence) or (digest if isinstance(digest, bytes) else b"")
        report.lost_events += [
            Message("event {sequence:,}", sequence=sequence)
            + (f" ({name.hex()[:12]})" if name else "")
        ]


def _row(event: Event) -> tuple[Any, ...]:
    return (
        bytes.fromhex(event.digest),
        event.assessor,
        bytes.fromhex(event.parent) if event.parent else None,
        event.encoded,
    )


def _described(event: Event) -> str:
    return Message(
        "{kind} by {assessor} on {topic}, {documents} ({digest})",
        kind=event.kind,
        assessor=event.assessor,
        topic=event.item.topic,
        documents=", ".join(event.item.documents),
        digest=event.digest[:12],
    )


# What the tables give


def _read(source: Connection) -> _Log:
    digests: dict[bytes, int] = dict(
        from_index(source, "SELECT digest, sequence FROM event ORDER BY digest", bytes)
    )
    log = _Log(
        numbers={sequence: digest for digest, sequence in digests.items()},
        last=last_number(source, "event"),
    )
    highest = highest_row(source, "event") or max(log.numbers, default=None)
    found: list[tuple[int, Any, Any]] = []
    for sequence, row in rows_of(source, "event", ("digest", "body"), highest):
        if row is None:
            log.lost[sequence] = None
        else:
            found.append((sequence, *row))
    log.lost |= dict.fromkeys(log.numbers.keys() - {sequence for sequence, *_ in found})
    log.events = dict(_sound(found, digests, log.lost))
    for _, row in rows_of(
        source, "waiting_event", ("digest", "body"), highest_row(source, "waiting_event")
    ):
        if row and fits(*row) and (event := _decoded(row[1])):  # whatever its other columns say
            log.waiting[row[0]] = event
        else:
            log.lost_waiting += 1
    return log


def _sound(
    found: Iterable[tuple[int, Any, Any]], digests: dict[bytes, int], lost: dict[int, Any]
) -> Iterator[tuple[int, Event]]:
    """Yield (number, event) of the bodies that fit a hash which the row, the index or another event names; note the others."""
    read = [(sequence, digest, _decoded(body)) for sequence, digest, body in found]
    named = {name for *_, event in read if event for name in _names(event)}
    trusted, seen = (
        named | digests.keys() | {digest for _, digest, _ in read if isinstance(digest, bytes)},
        set(),
    )
    for sequence, digest, event in read:
        own = bytes.fromhex(event.digest) if event else b""
        if event and own in trusted and own not in seen:
            seen.add(own)
            yield sequence, event
        else:
            lost[sequence] = digest


def fits(digest: Any, body: Any) -> bool:
    """Tell whether bytes fit the hash they are stored under."""
    return isinstance(body, bytes) and hashlib.sha256(body).digest() == digest


def _decoded(body: Any) -> Event | None:
    try:
        event = decode(body)
    except (ProjectError, TypeError, AttributeError):
        return None
    return event if hashlib.sha256(body).hexdigest() == event.digest else None


def _names(event: Event) -> list[bytes]:
    return [bytes.fromhex(name) for name in (event.parent, event.target) if name]


# What stands in the raw bytes


@contextmanager
def _mapped(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:
        if not path.stat().st_size:
            yield b""
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data


def _raw(path: Path, log: _Log, progress: Progress) -> Iterator[RawEvent]:
    """Yield the events that the tables do not give and that some hash proves; what nothing proves is yielded as in no row."""
    known = {bytes.fromhex(event.digest) for event in log.events.values()} | log.waiting.keys()
    with _mapped(path) as data:
        for count, each in enumerate(
            scan(
                data,
                known,
                lambda place: progress.step(place, len(data), Message("Searching the raw bytes")),
            )
        ):
            proven = each.in_row or (
                count < SEARCHED and data.find(bytes.fromhex(each.event.digest)) >= 0
            )
            yield RawEvent(each.event, each.how, each.sequence, proven)


def _placed(
    log: _Log, found: Sequence[RawEvent]
) -> tuple[list[RawEvent], list[RawEvent], list[RawEvent]]:
    """Return what joins the log, what waits for the event before it, and what is listed apart."""
    chains = _Chains(log)
    by_digest = {digest: sequence for sequence, digest in log.numbers.items()}
    left: dict[str, RawEvent] = {}
    for each in found:
        indexed = by_digest.get(bytes.fromhex(each.event.digest))
        placed = RawEvent(
            each.event, each.how, each.sequence if indexed is None else indexed, each.in_row
        )
        if indexed is not None or (each.in_row and each.how in LIVE and log.is_open(each.sequence)):
            chains.take(placed)
        else:
            left[each.event.digest] = placed
    chains.take_connected(left)
    waits = {
        digest: each
        for digest, each in left.items()
        if each.in_row
        and each.how in LIVE
        and each.event.parent
        and each.event.parent not in chains.events
    }
    return (
        chains.joined,
        list(waits.values()),
        [each for digest, each in left.items() if digest not in waits],
    )


class _Chains:
    """The events of a log, and which of those found elsewhere they prove to belong to it."""

    def __init__(self, log: _Log) -> None:
        self.events = {event.digest: event for event in log.events.values()}
        self.joined: list[RawEvent] = []
        self._log, self._followed = log, {event.parent for event in log.events.values()}

    def take(self, each: RawEvent) -> None:
        """Let an event found elsewhere belong to the log."""
        self.joined.append(each)
        self.events[each.event.digest] = each.event
        self._followed.add(each.event.parent)

    def take_connected(self, left: dict[str, RawEvent]) -> None:
        """Take from `left` what an event of the log names, and what goes on where a chain of the log ends."""
        children: dict[str | None, list[RawEvent]] = defaultdict(list)
        for each in left.values():
            children[each.event.parent].append(each)
        todo = deque(self.events.values())
        while todo:
            event = todo.popleft()
            named = [left[name] for name in (event.parent, event.target) if name in left]
            alone = (
                children[event.digest]
                if event.digest not in self._followed and len(children[event.digest]) == 1
                else []
            )
            for each in named + [
                each for each in alone if each.in_row and self._log.may_have(each.sequence)
            ]:
                if each.event.assessor == event.assessor and each.event.digest in left:
                    del left[each.event.digest]
                    self.take(each)
                    todo.append(each.event)


def _number(log: _Log, joined: Sequence[RawEvent]) -> None:
    """Give each event that joins the log its own number where that is open, else one after all others."""
    later = []
    for each in joined:
        if log.is_open(each.sequence):
            log.events[each.sequence or 0] = each.event
            log.lost.pop(each.sequence or 0, None)
        else:
            later.append(each.event)
    after = max(log.events.keys() | log.lost.keys() | {log.last or 0}, default=0)
    log.events.update(enumerate(later, after + 1))


# What is missing


def _gone(log: _Log) -> set[str]:
    """Return which events others or the index name and are gone: what was judged after them counts and does not wait for them."""
    known = {event.digest for event in log.events.values()}
    lost = {log.numbers[sequence].hex() for sequence in log.lost if sequence in log.numbers}
    return (
        {name for event in log.events.values() for name in (event.parent, event.target) if name}
        | lost
    ) - known


def _doubts(source: Connection, log: _Log) -> list[str]:
    """Return a sentence where nobody can know how many events there were, and where numbers were given that no event has."""
    if log.last is None:
        return [
            Message(
                "How many events there were cannot be known: the file does not say in a readable way. More may be lost.",
                key="unknown-length",
            )
        ]
    noted = 0
    with suppress(ProjectError, *ODD):
        noted = losses_in(facts_of(source, (LOSSES,)).get(LOSSES, "{}")).get("events", 0)
    silent = (
        log.last - sum(number <= log.last for number in log.events.keys() | log.lost.keys()) - noted
    )
    if silent <= 0:
        return []
    return [
        Message(
            "The log gave {last}; {silent:,} of them no event has. As many events may be lost.",
            last=counted(log.last, "number"),
            silent=silent,
        )
    ]
