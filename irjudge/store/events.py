"""Append-only event log of assessors."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from irjudge.errors import CommitFailed, ProjectError
from irjudge.message import BOTH_TEMPLATE, Message, format_count, join_messages
from irjudge.model import DIGEST_PATTERN, MODEL_EVENT_PREFIX, Actor, Event, decode_event
from irjudge.store.connection import Connection, parse_json_or_none

LOST_EVENTS = "lost_events"  # key of a setting: digests of lost events
# key of a setting: digests of erased events, which must not be imported again
ERASED_EVENTS = "erased_events"
LOSS_COUNTS = "losses"  # key of a setting: number of lost items of each kind in `LOSS_KINDS`
LOSS_KINDS = ("events", "texts", "topics", "documents")
MAX_SEQUENCE = 2**63 - 1  # maximum of SQLite's integers; no sequence number is as large


EVENT_COLUMNS = "(digest, assessor, parent, body) VALUES (?, ?, ?, ?)"


def read_lost_events(connection: Connection) -> frozenset[str]:
    """Return the digests of lost events.

    An event is lost if a rescue could not recover it, or if the organiser
    accepted during a merge that it is missing.
    """
    try:
        return frozenset(parse_digests(connection.get_setting(LOST_EVENTS, "[]")))
    except (ValueError, TypeError, RecursionError) as error:
        raise ProjectError(
            "Cannot read the list of lost events in {file}.",
            file=connection.name,
        ) from error


def read_erased_events(connection: Connection) -> frozenset[str]:
    """Return the digests of events of erased participants."""
    try:
        return frozenset(parse_digests(connection.get_setting(ERASED_EVENTS, "[]")))
    except (ValueError, TypeError, RecursionError) as error:
        raise ProjectError(
            "Cannot read the list of erased events in {file}.",
            file=connection.name,
        ) from error


def parse_digests(text: str) -> set[str]:
    """Return the valid digests in a JSON list.

    Raises ValueError, TypeError or RecursionError for other texts.
    """
    digests = json.loads(text)
    if not isinstance(digests, list):
        raise TypeError(Message("expected a list, got {text}", text=text[:20]))
    return {
        digest for digest in digests if isinstance(digest, str) and DIGEST_PATTERN.fullmatch(digest)
    }


def count_losses(connection: Connection) -> dict[str, int]:
    """Return the number of lost items of each kind, except events that were recovered later."""
    lost_digests, loss_counts = read_lost_events(connection), _read_losses(connection)
    recovered_count = sum(
        connection.fetch_one("SELECT 1 FROM event WHERE digest = ?", (bytes.fromhex(digest),))
        is not None
        for digest in lost_digests
    )
    remaining_losses = {**loss_counts, "events": loss_counts.get("events", 0) - recovered_count}
    return {kind: count for kind, count in remaining_losses.items() if count > 0}


def _read_losses(connection: Connection) -> dict[str, int]:
    text = connection.get_setting(LOSS_COUNTS)
    lost_digests = read_lost_events(connection)
    # in rescued files, older versions of irjudge recorded only digests of lost events
    return {"events": len(lost_digests)} if text is None else parse_losses(text)


def parse_losses(text: str) -> dict[str, int]:
    """Parse the stored numbers of lost items by kind; ignore invalid JSON."""
    loss_counts = parse_json_or_none(text)
    if not isinstance(loss_counts, dict):
        return {}
    return {
        kind: loss_counts[kind]
        for kind in LOSS_KINDS
        if type(loss_counts.get(kind)) is int and loss_counts[kind] > 0
    }


def describe_losses(losses: Mapping[str, int]) -> str:
    """Return the numbers of lost items as a text for messages.

    >>> describe_losses({"events": 96, "texts": 1})
    '96 events and 1 text'
    """
    counts = {
        "events": format_count(losses.get("events", 0), "event"),
        "texts": format_count(losses.get("texts", 0), "text"),
        "topics": format_count(losses.get("topics", 0), "topic"),
        "documents": format_count(losses.get("documents", 0), "document"),
    }
    return join_messages((counts[kind] for kind in losses), BOTH_TEMPLATE)


def record_losses(
    connection: Connection, digests: Iterable[str], losses: Mapping[str, int]
) -> None:
    """Add digests of lost events, and numbers of lost items, to the recorded losses."""
    loss_counts = _read_losses(connection)
    counts = {kind: loss_counts.get(kind, 0) + losses.get(kind, 0) for kind in LOSS_KINDS}
    for name, value in (
        (LOST_EVENTS, sorted(read_lost_events(connection) | set(digests))),
        (LOSS_COUNTS, counts),
    ):
        if any(value if isinstance(value, list) else value.values()):
            connection.set_setting(name, json.dumps(value))


def _to_row(event: Event) -> tuple[Any, ...]:
    return (
        bytes.fromhex(event.digest),
        event.assessor,
        bytes.fromhex(event.parent) if event.parent else None,
        event.canonical_bytes,
    )


class EventLog:
    """Append-only log of the events of all assessors and models in one project file.

    Events are deleted only by another module, when the data of a participant are erased. The log
    also stores waiting events, which are events of returned files whose parent event is missing,
    and the digests of lost and erased events.
    """

    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._local_events: dict[int, Event] = {}

    def erased_digests(self) -> frozenset[str]:
        """Return the digests of events of erased participants."""
        return read_erased_events(self._db)

    def append(self, event: Event) -> int:
        """Write an event durably unless it already exists; return its sequence number."""
        return self.append_all([event])[0]

    def append_all(self, events: Sequence[Event]) -> list[int]:
        """Write the events that are not in the log, in one transaction.

        Return the sequence number of each event, even if it was in the log before.
        """
        with self._db.transaction():
            numbers = [self._write(event) for event in events]
        self._local_events.update(zip(numbers, events, strict=True))
        return numbers

    def _write(self, event: Event) -> int:
        row = self._db.fetch_one(
            "SELECT sequence FROM event WHERE digest = ?", (bytes.fromhex(event.digest),)
        )
        if row:
            return int(row[0])
        try:
            cursor = self._db.execute(f"INSERT INTO event {EVENT_COLUMNS}", _to_row(event))
        except sqlite3.IntegrityError as error:
            raise ProjectError("Cannot store the event ({error}).", error=error) from error
        self._check_added(1 if cursor.rowcount == 1 else 0, [event])
        return cursor.lastrowid or 0

    def _check_added(self, count: int, events: Sequence[Event]) -> None:
        """Raise CommitFailed unless all `events` were added; `count` is the number of new rows."""
        last_digest = self._db.fetch_one("SELECT digest FROM event ORDER BY sequence DESC LIMIT 1")
        if count != len(events) or (
            events and (not last_digest or last_digest[0].hex() != events[-1].digest)
        ):
            raise CommitFailed(
                "Not saved: the data were not added to the log of {file}.",
                key="log-not-taken",
                file=self._db.name,
            )

    def append_merged(
        self,
        events: Sequence[Event],
        waiting_events: Sequence[Event],
        lost_digests: Sequence[str] = (),
    ) -> None:
        """Append `events` to the log and replace the waiting events, in one transaction.

        Waiting events are those whose parent event is missing. `lost_digests` are digests of
        missing events that are recorded as lost.
        """
        with self._db.transaction():
            count_before = self.count()
            self._db.insert(f"INSERT INTO event {EVENT_COLUMNS}", map(_to_row, events))
            self._check_added(self.count() - count_before, events)
            self._db.execute("DELETE FROM waiting_event")
            self._db.insert(
                f"INSERT INTO waiting_event {EVENT_COLUMNS}", map(_to_row, waiting_events)
            )
            if lost_digests:
                record_losses(self._db, lost_digests, {"events": len(lost_digests)})

    def waiting(self) -> list[Event]:
        """Return the waiting events, whose parent event is missing, sorted by digest."""
        return list(self.iter_waiting())

    def iter_waiting(self) -> Iterator[Event]:
        """Yield the waiting events, whose parent event is missing, sorted by digest."""
        for digest, body in self._db.iter_rows(
            "SELECT digest, body FROM waiting_event ORDER BY digest"
        ):
            yield decode_event(body, digest.hex())

    def digests(self) -> set[str]:
        """Return the digest of every event of the log."""
        return {digest.hex() for (digest,) in self._db.iter_rows("SELECT digest FROM event")}

    def read(self, assessor: str | None = None) -> Iterator[Event]:
        """Yield the events of one assessor or of all assessors, in log order."""
        condition, values = (
            ("WHERE assessor = ?", (assessor,)) if assessor is not None else ("", ())
        )
        for digest, body in self._db.fetch_all(
            f"SELECT digest, body FROM event {condition} ORDER BY sequence", values
        ):
            yield decode_event(body, digest.hex())

    def lost_digests(self) -> frozenset[str]:
        """Return the digests of events that are recorded as lost."""
        return read_lost_events(self._db)

    def read_since(
        self, sequence: int, assessor: str, limit: int | None = None
    ) -> Iterator[tuple[int, Event]]:
        """Yield (sequence number, event) for an assessor's events between two sequence numbers.

        Events with the numbers `sequence` and `limit` themselves are not included. Nothing is
        yielded if the file has been overwritten.
        """
        if self._db.is_overwritten:
            return
        query = "SELECT sequence, digest, body FROM event WHERE assessor = ? AND sequence > ? AND sequence < ? ORDER BY sequence"
        for number, digest, body in self._db.fetch_all(
            query, (assessor, sequence, MAX_SEQUENCE if limit is None else limit)
        ):
            event = decode_event(body, digest.hex())
            if self._db.writing:
                self._local_events[number] = event
            yield number, event

    def local_events(self) -> list[Event]:
        """Return the events that this process wrote, or read with `read_since`, in log order.

        If the file was overwritten, `Project.copy_to` adds these events to the copy.
        """
        return [event for _, event in sorted(self._local_events.items(), key=lambda pair: pair[0])]

    def last_sequence(self, assessor: str) -> int:
        """Return the sequence number of an assessor's newest event; 0 if there are no events."""
        return int(
            self._db.fetch_one(
                "SELECT coalesce(max(sequence), 0) FROM event WHERE assessor = ?", (assessor,)
            )[0]
        )

    def head(self, assessor: str) -> str | None:
        """Return the digest of an assessor's newest event; None if there are no events."""
        row = self._db.fetch_one(
            "SELECT digest FROM event WHERE assessor = ? ORDER BY sequence DESC LIMIT 1",
            (assessor,),
        )
        return row[0].hex() if row else None

    def assessors(self) -> tuple[str, ...]:
        """Return the human assessors who have events, sorted."""
        return tuple(name for name, actor in self._iter_authors() if actor == "person")

    def models(self) -> tuple[str, ...]:
        """Return the models that have events, sorted."""
        return tuple(name for name, actor in self._iter_authors() if actor == "model")

    def _iter_authors(self) -> Iterator[tuple[str, Actor]]:
        """Yield name and type (`person` or `model`) of each author of events, sorted by name."""
        first_query = (
            "SELECT substr(body, 1, ?) FROM event WHERE assessor = ? ORDER BY sequence LIMIT 1"
        )
        for (name,) in self._db.fetch_all("SELECT DISTINCT assessor FROM event ORDER BY assessor"):
            row = self._db.fetch_one(first_query, (len(MODEL_EVENT_PREFIX), name))
            yield name, "model" if row and row[0] == MODEL_EVENT_PREFIX else "person"

    def count(self, assessor: str | None = None) -> int:
        """Return the number of events of one assessor or of all assessors."""
        condition, values = (
            ("WHERE assessor = ?", (assessor,)) if assessor is not None else ("", ())
        )
        return int(self._db.fetch_one(f"SELECT count(*) FROM event {condition}", values)[0])
