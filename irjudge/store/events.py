"""The append-only log of what assessors did."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from irjudge.errors import CommitFailed, ProjectError
from irjudge.message import Message, format_count
from irjudge.model import DIGEST, MODEL_EVENT_PREFIX, Actor, Event, decode_event
from irjudge.store.connection import Connection

LOST_EVENTS = "lost_events"  # fact: digests of events that are known to be lost
ERASED_EVENTS = "erased_events"  # fact: digests of events that are not taken in again
LOSS_COUNTS = "losses"  # fact: how many things of each kind are known to be lost
LOSS_KINDS = ("events", "texts", "topics", "documents")
MAX_SEQUENCE = 2**63 - 1  # behind every number of an event


EVENT_COLUMNS = "(digest, assessor, parent, body) VALUES (?, ?, ?, ?)"


def read_lost_events(connection: Connection) -> frozenset[str]:
    """Return the digests of events that were lost before this file was rescued, or that the organiser gave up."""
    row = connection.one("SELECT value FROM fact WHERE name = ?", (LOST_EVENTS,))
    try:
        return frozenset(parse_digests(row[0])) if row else frozenset()
    except (ValueError, TypeError) as fault:
        raise ProjectError(
            "{connection} does not say in a readable way which events are lost.",
            connection=connection.name,
        ) from fault


def parse_digests(text: str) -> set[str]:
    """Return the digests of a list as a file keeps it."""
    digests = json.loads(text)
    if not isinstance(digests, list):
        raise TypeError(Message("expected a list, got {text}", text=text[:20]))
    return {digest for digest in digests if isinstance(digest, str) and DIGEST.fullmatch(digest)}


def count_losses(connection: Connection) -> dict[str, int]:
    """Return how many things of each kind are known to be lost; an event that came back since is not counted."""
    named, noted = read_lost_events(connection), _read_losses(connection)
    back = sum(
        connection.one("SELECT 1 FROM event WHERE digest = ?", (bytes.fromhex(digest),)) is not None
        for digest in named
    )
    left = {**noted, "events": noted.get("events", 0) - back}
    return {kind: number for kind, number in left.items() if number > 0}


def _read_losses(connection: Connection) -> dict[str, int]:
    row, named = (
        connection.one("SELECT value FROM fact WHERE name = ?", (LOSS_COUNTS,)),
        read_lost_events(connection),
    )
    return (
        parse_losses(row[0]) if row else {"events": len(named)}
    )  # only digests are kept by a file that was rescued before there were counts


def parse_losses(text: str) -> dict[str, int]:
    """Return what a file says it lost, by kind; nothing where it does not say so in a readable way."""
    try:
        noted = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(noted, dict):
        return {}
    return {
        kind: noted[kind] for kind in LOSS_KINDS if type(noted.get(kind)) is int and noted[kind] > 0
    }


def describe_losses(lost: Mapping[str, int]) -> str:
    """Return how much was lost as a part of a sentence.

    >>> describe_losses({"events": 96, "texts": 1})
    '96 events and 1 text'
    """
    return " and ".join(
        format_count(number, kind.removesuffix("s")) for kind, number in lost.items()
    )


def record_losses(connection: Connection, digests: Iterable[str], lost: Mapping[str, int]) -> None:
    """Note digests of lost events, and how many things of each kind are lost, beside those noted before."""
    noted = _read_losses(connection)
    counts = {kind: noted.get(kind, 0) + lost.get(kind, 0) for kind in LOSS_KINDS}
    statement = (
        "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )
    for name, value in (
        (LOST_EVENTS, sorted(read_lost_events(connection) | set(digests))),
        (LOSS_COUNTS, counts),
    ):
        if any(value if isinstance(value, list) else value.values()):
            connection.execute(statement, (name, json.dumps(value)))


def _to_row(event: Event) -> tuple[Any, ...]:
    return (
        bytes.fromhex(event.digest),
        event.assessor,
        bytes.fromhex(event.parent) if event.parent else None,
        event.encoded,
    )


class EventLog:
    """The events of one project, in the order they were written."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._followed: dict[int, Event] = {}

    def erased(self) -> frozenset[str]:
        """Return the digests of events of people who were erased."""
        row = self._db.one("SELECT value FROM fact WHERE name = ?", (ERASED_EVENTS,))
        try:
            return frozenset(parse_digests(row[0]) if row else ())
        except (ValueError, TypeError) as fault:
            raise ProjectError(
                "{file} does not say in a readable way which events were erased.",
                file=self._db.path.name,
            ) from fault

    def append(self, event: Event) -> int:
        """Write an event; it is on disk when this returns. One that is there already is not written again. Return its number."""
        return self.append_all([event])[0]

    def append_all(self, events: Sequence[Event]) -> list[int]:
        """Write those of the events that are not there, in the order given, all or none; return their numbers in the log."""
        with self._db.transaction():
            numbers = [self._write(event) for event in events]
        self._followed.update(zip(numbers, events, strict=True))
        return numbers

    def _write(self, event: Event) -> int:
        row = self._db.one(
            "SELECT sequence FROM event WHERE digest = ?", (bytes.fromhex(event.digest),)
        )
        if row:
            return int(row[0])
        try:
            added = self._db.execute(f"INSERT INTO event {EVENT_COLUMNS}", _to_row(event))
        except sqlite3.IntegrityError as fault:
            raise ProjectError("The event could not be stored ({fault}).", fault=fault) from fault
        self._check_added(1 if added.rowcount == 1 else 0, [event])
        return added.lastrowid or 0

    def _check_added(self, count: int, events: Sequence[Event]) -> None:
        """See that the log took events and ends with the last of them; inside the transaction, before anybody hears of it."""
        head = self._db.one("SELECT digest FROM event ORDER BY sequence DESC LIMIT 1")
        if count != len(events) or (events and (not head or head[0].hex() != events[-1].digest)):
            raise CommitFailed(
                "Not saved: the log of {db} did not take what was written to it.",
                key="log-not-taken",
                db=self._db.name,
            )

    def take(
        self, events: Sequence[Event], waiting: Sequence[Event], given_up: Sequence[str] = ()
    ) -> None:
        """Write events of returned files as one, each after its parent, and keep those that wait for theirs apart.

        `given_up` holds digests of events that are not there and that nothing is to wait for any more.
        """
        with self._db.transaction():
            before = self.count()
            self._db.insert(f"INSERT INTO event {EVENT_COLUMNS}", map(_to_row, events))
            self._check_added(self.count() - before, events)
            self._db.execute("DELETE FROM waiting_event")
            self._db.insert(f"INSERT INTO waiting_event {EVENT_COLUMNS}", map(_to_row, waiting))
            if given_up:
                record_losses(self._db, given_up, {"events": len(given_up)})

    def waiting(self) -> list[Event]:
        """Return the events of returned files that wait for the event before them, which has not come yet."""
        return list(self.iter_waiting())

    def iter_waiting(self) -> Iterator[Event]:
        """Yield the same one by one."""
        for digest, body in self._db.each("SELECT digest, body FROM waiting_event ORDER BY digest"):
            yield decode_event(body, digest.hex())

    def digests(self) -> set[str]:
        """Return the digest of every event of the log."""
        return {digest.hex() for (digest,) in self._db.each("SELECT digest FROM event")}

    def read(self, assessor: str | None = None) -> Iterator[Event]:
        """Yield the events in the order they were written, of one assessor or of all."""
        condition, values = (
            ("WHERE assessor = ?", (assessor,)) if assessor is not None else ("", ())
        )
        for digest, body in self._db.all(
            f"SELECT digest, body FROM event {condition} ORDER BY sequence", values
        ):
            yield decode_event(body, digest.hex())

    def lost(self) -> frozenset[str]:
        """Return the digests of events that are known to be lost; nothing waits for them."""
        return read_lost_events(self._db)

    def since(
        self, sequence: int, assessor: str, before: int | None = None
    ) -> Iterator[tuple[int, Event]]:
        """Yield (sequence, event) of one assessor's events that were written after a sequence number, and before another.

        Nothing is news that stands in another file which was written over this one.
        """
        if self._db.overwritten:
            return
        query = "SELECT sequence, digest, body FROM event WHERE assessor = ? AND sequence > ? AND sequence < ? ORDER BY sequence"
        for number, digest, body in self._db.all(
            query, (assessor, sequence, MAX_SEQUENCE if before is None else before)
        ):
            event = decode_event(body, digest.hex())
            if self._db.writing:
                self._followed[number] = event
            yield number, event

    def followed(self) -> list[Event]:
        """Return the events that this process wrote or followed, in the order of the log: what it can save where the file lost them."""
        return [event for _, event in sorted(self._followed.items(), key=lambda pair: pair[0])]

    def last_sequence(self, assessor: str) -> int:
        """Return the sequence number of an assessor's newest event; 0 when there is none."""
        return int(
            self._db.one(
                "SELECT coalesce(max(sequence), 0) FROM event WHERE assessor = ?", (assessor,)
            )[0]
        )

    def head(self, assessor: str) -> str | None:
        """Return the digest of the newest event of an assessor; None when there is none."""
        row = self._db.one(
            "SELECT digest FROM event WHERE assessor = ? ORDER BY sequence DESC LIMIT 1",
            (assessor,),
        )
        return row[0].hex() if row else None

    def assessors(self) -> tuple[str, ...]:
        """Return the people who have events, in alphabetical order; models are not among them."""
        return tuple(name for name, actor in self._actors() if actor == "person")

    def models(self) -> tuple[str, ...]:
        """Return the models that have events, in alphabetical order: assessors whose first event says that a model did it."""
        return tuple(name for name, actor in self._actors() if actor == "model")

    def _actors(self) -> Iterator[tuple[str, Actor]]:
        """Yield each name that has events, and what it is the name of."""
        first = "SELECT substr(body, 1, ?) FROM event WHERE assessor = ? ORDER BY sequence LIMIT 1"
        for (name,) in self._db.all("SELECT DISTINCT assessor FROM event ORDER BY assessor"):
            row = self._db.one(first, (len(MODEL_EVENT_PREFIX), name))
            yield name, "model" if row and row[0] == MODEL_EVENT_PREFIX else "person"

    def count(self, assessor: str | None = None) -> int:
        """Return how many events there are, of one assessor or of all."""
        condition, values = (
            ("WHERE assessor = ?", (assessor,)) if assessor is not None else ("", ())
        )
        return int(self._db.one(f"SELECT count(*) FROM event {condition}", values)[0])
