"""Rescue of the readable content of a damaged project, with a report of what was lost."""

import hashlib
import mmap
import secrets
import sqlite3
import tempfile
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from irjudge.errors import ProjectDamaged, ProjectError
from irjudge.message import SEMICOLON, Message, format_count, join_messages
from irjudge.model import Document, Event, Scale, decode_event
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import (
    ASSIGNMENT_KEY,
    COMPARISON_RULES,
    PROJECT_KEY,
    ROLE_KEY,
    SIDE_KEY,
    SUBMISSION_KEY,
)
from irjudge.store.connection import (
    MAX_READ_SETTING_BYTES,
    VALUE_ERRORS,
    Connection,
    new_file,
)
from irjudge.store.damaged_file import (
    RawEvent,
    detect_page_size,
    has_damaged_header,
    open_damaged_source,
    read_index,
    read_last_issued_number,
    read_max_row_number,
    read_rows,
    scan_events,
)
from irjudge.store.events import (
    LOSS_COUNTS,
    LOSS_KINDS,
    LOST_EVENTS,
    parse_digests,
    parse_losses,
    record_losses,
)
from irjudge.store.rankings import GAINS
from irjudge.store.schema import (
    CHECKSUMMED_TABLES,
    UNUSED_COUNT,
    UNUSED_QUERY,
    make_unknown_probabilities,
)
from irjudge.store.soundness import (
    CHANGED_GROUP,
    JSON_COLUMNS,
    METADATA_CHECKS,
    UNKNOWN_CHECKSUMS,
    describe_mismatches,
    is_json_container,
    matches_digest,
)
from irjudge.store.verify import FileVerdict, verify

# Report of a rescue

MAX_LISTED_ITEMS = 20  # maximum number of items that a sentence of the report lists
ORIGIN_LABELS = {
    "raw scan": Message("by scanning the raw bytes"),
    "free page": Message("on free pages"),
    "overflow chain": Message("in chains of overflow pages"),
    "after the last page": Message("after the last page"),
}
PART_LABELS = {
    "facts": Message("settings"),
    "topics": Message("topics"),
    "texts": Message("texts"),
    "documents": Message("documents"),
    "runs": Message("runs"),
    "qrels": Message("qrels"),
    "pools": Message("pools"),
    "assignments": Message("assignments"),
    "events": Message("events"),
}


@dataclass(slots=True)
class RescueCounts:
    """Row of a rescue report: numbers of read and of lost items of one kind."""

    name: str
    read_count: int = 0
    lost_count: int = 0


@dataclass(slots=True)
class RescueReport:
    """Report of a rescue: numbers of read and lost items, lost events, and warnings."""

    # numbers of read and lost items by kind. The items of runs, qrels and pools are topics; the
    # items of assignments are rows about assignments, sessions and returned files.
    parts: dict[str, RescueCounts] = field(
        default_factory=lambda: {name: RescueCounts(name) for name in PART_LABELS}
    )
    # descriptions of lost events, each with the number in the log and, if known, the digest
    lost_events: list[str] = field(default_factory=list)
    lost_digests: set[str] = field(default_factory=set)  # known digests of lost events
    # number of rescued events by the part of the file that contained them
    counts_by_origin: dict[str, int] = field(default_factory=dict)
    # descriptions of events that were detected, but not added to the log, because they may not
    # belong to the log
    separate_events: list[str] = field(default_factory=list)
    # warnings about replaced values, and about losses of unknown extent
    warnings: list[str] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether there is no sign that anything was lost or replaced."""
        return not any(part.lost_count for part in self.parts.values()) and not (
            self.lost_events or self.separate_events or self.warnings
        )

    @property
    def sentences(self) -> list[str]:
        """Descriptions of missing content; empty if nothing is missing."""
        parts = [
            Message(
                "{lost:,} of {total:,} {content}",
                lost=part.lost_count,
                total=part.read_count + part.lost_count,
                content=PART_LABELS[part.name],
            )
            for part in self.parts.values()
            if part.lost_count
        ]
        losses = (
            [Message("Unreadable: {parts}.", key="unreadable", parts=join_messages(parts))]
            if parts
            else []
        )
        counts = join_messages(
            Message("{count:,} {origin}", count=event_count, origin=ORIGIN_LABELS[origin])
            for origin, event_count in self.counts_by_origin.items()
            if event_count and origin in ORIGIN_LABELS
        )
        return (
            losses
            + (
                [
                    Message(
                        "Missing from the log: {events}.",
                        key="lost-events",
                        events=_join_first_items(self.lost_events),
                    )
                ]
                if self.lost_events
                else []
            )
            + (
                [
                    Message(
                        "Recovered from outside the database tables and verified by hash: {counts}.",
                        key="found-outside",
                        counts=counts,
                    )
                ]
                if counts
                else []
            )
            + (
                [
                    Message(
                        "Events not recovered, because it cannot be shown that they belong to "
                        "the log: {events}.",
                        events=_join_first_items(self.separate_events),
                    )
                ]
                if self.separate_events
                else []
            )
            + self.warnings
        )


def _join_first_items(items: Sequence[str]) -> str:
    remaining_count = len(items) - MAX_LISTED_ITEMS
    return join_messages(items[:MAX_LISTED_ITEMS], SEMICOLON) + (
        Message("; and {count:,} more", count=remaining_count) if remaining_count > 0 else ""
    )


def insert_or_count_lost(
    target: Connection, item_counts: RescueCounts, statement: str, values: tuple[Any, ...]
) -> bool:
    """Insert a row and count it as read; if the database rejects it, count it as lost.

    Return whether it was inserted."""
    try:
        target.execute(statement, values)
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, OverflowError, UnicodeEncodeError):
        item_counts.lost_count += 1
        return False
    item_counts.read_count += 1
    return True


# Rescue of the log from tables and raw bytes

MAX_SEARCHED_HASHES = 200  # maximum number of hashes that are searched for in the whole file
# origins of events in pages that are in use (not free, and not after the last page)
LIVE_ORIGINS = ("raw scan", "overflow chain")


@dataclass(slots=True)
class _RescuedLog:
    """Content of a damaged log, as far as it has been read: valid events, hashes of lost events."""

    events: dict[int, Event] = field(default_factory=dict)  # valid events by sequence number
    # stored hashes of rows without a valid event, by sequence number; None if unreadable
    lost_hashes: dict[int, Any] = field(default_factory=dict)
    # hashes in the index of the table, by sequence number
    indexed_hashes: dict[int, bytes] = field(default_factory=dict)
    last_number: int | None = None  # last issued sequence number; None if unknown
    # waiting events, whose parent event is missing, by hash
    waiting_events: dict[bytes, Event] = field(default_factory=dict)
    lost_waiting: int = 0  # number of unreadable rows of waiting events

    def is_unused(self, sequence: int | None) -> bool:
        """Return whether a sequence number has no known event, but may have been assigned."""
        return (
            sequence is not None
            and sequence not in self.events
            and (self.last_number is None or sequence <= self.last_number)
        )

    def may_contain(self, sequence: int | None) -> bool:
        """Return whether an event with this sequence number may be missing from the log.

        If the number is unknown (None), return whether any event may be missing.
        """
        return self.is_unused(sequence) or (
            sequence is None and (self.last_number is None or len(self.events) < self.last_number)
        )


def rescue_events(
    source: Connection,
    target: Connection,
    report: RescueReport,
    *,
    file: Path,
    progress: Progress = SILENT,
) -> None:
    """Copy the bytes of every event that can be verified, and report its origin.

    An event is verified if its hash occurs in its row, in the index, or in another event. An event
    that is detected outside the tables is added to the log if its sequence number is unused, or if
    an event of the log references it or is its parent. Other events are listed separately.
    """
    try:
        log = _read_log(source)
    # if the tables are unreadable, events are recovered only from the raw bytes
    except (ProjectError, *VALUE_ERRORS):
        log = _RescuedLog()
    raw_events = list(_scan_raw_bytes(file, log, progress))
    event_counts = Counter({"tables": len(log.events)})
    added_events, waiting_events, separate_events = _classify_events(log, raw_events)
    _assign_numbers(log, added_events)
    for raw_event in added_events + waiting_events:
        event_counts[raw_event.origin] += 1
    _write_log(target, log, waiting_events, report)
    report.counts_by_origin = dict(event_counts)
    report.separate_events = [_describe_event(raw_event.event) for raw_event in separate_events]
    report.lost_digests = _find_missing_digests(log)
    report.warnings += _describe_gaps(source, log)


def _write_log(
    target: Connection, log: _RescuedLog, waiting_events: Sequence[RawEvent], report: RescueReport
) -> None:
    item_counts = report.parts["events"]
    columns = "digest, assessor, parent, body"
    for sequence, event in sorted(log.events.items()):
        insert_or_count_lost(
            target,
            item_counts,
            f"INSERT INTO event (sequence, {columns}) VALUES (?, ?, ?, ?, ?)",
            (sequence, *_to_row(event)),
        )
    for waiting_event in (
        *log.waiting_events.values(),
        *(raw_event.event for raw_event in waiting_events),
    ):
        insert_or_count_lost(
            target,
            report.parts["assignments"],
            f"INSERT INTO waiting_event ({columns}) VALUES (?, ?, ?, ?)",
            _to_row(waiting_event),
        )
    report.parts["assignments"].lost_count += log.lost_waiting
    item_counts.lost_count += len(log.lost_hashes)
    for sequence, digest in sorted(log.lost_hashes.items()):
        name = log.indexed_hashes.get(sequence) or (digest if isinstance(digest, bytes) else b"")
        report.lost_events += [
            Message("event {sequence:,}", sequence=sequence)
            + (f" ({name.hex()[:12]})" if name else "")
        ]


def _to_row(event: Event) -> tuple[Any, ...]:
    return (
        bytes.fromhex(event.digest),
        event.assessor,
        bytes.fromhex(event.parent) if event.parent else None,
        event.canonical_bytes,
    )


def _describe_event(event: Event) -> str:
    return Message(
        "{kind} by {assessor} on topic {topic}: {documents} ({digest})",
        kind=event.kind,
        assessor=event.assessor,
        topic=event.item.topic,
        documents=", ".join(event.item.documents),
        digest=event.digest[:12],
    )


# Events in the tables


def _read_log(source: Connection) -> _RescuedLog:
    digests: dict[bytes, int] = dict(
        read_index(source, "SELECT digest, sequence FROM event ORDER BY digest", bytes)
    )
    log = _RescuedLog(
        indexed_hashes={sequence: digest for digest, sequence in digests.items()},
        last_number=read_last_issued_number(source, "event"),
    )
    max_number = read_max_row_number(source, "event") or max(log.indexed_hashes, default=None)
    rows: list[tuple[int, Any, Any]] = []
    for sequence, row in read_rows(source, "event", ("digest", "body"), max_number):
        if row is None:
            log.lost_hashes[sequence] = None
        else:
            rows.append((sequence, *row))
    log.lost_hashes |= dict.fromkeys(
        log.indexed_hashes.keys() - {sequence for sequence, *_ in rows}
    )
    log.events = dict(_select_sound_events(rows, digests, log.lost_hashes))
    for _, row in read_rows(
        source, "waiting_event", ("digest", "body"), read_max_row_number(source, "waiting_event")
    ):
        if (
            row and matches_digest(*row) and (event := _decode_or_none(row[1]))
        ):  # the other columns, which may be damaged, are not needed
            log.waiting_events[row[0]] = event
        else:
            log.lost_waiting += 1
    return log


def _select_sound_events(
    rows: Iterable[tuple[int, Any, Any]], digests: dict[bytes, int], lost_rows: dict[int, Any]
) -> Iterator[tuple[int, Event]]:
    """Yield (sequence number, event) for each row whose event matches a known hash.

    The known hashes are those in `rows`, those in `digests`, and those in references of events.

    The sequence numbers and hashes of all other rows are added to `lost_rows`.
    """
    decoded_rows = [(sequence, digest, _decode_or_none(body)) for sequence, digest, body in rows]
    referenced_digests = {
        bytes.fromhex(name)
        for *_, event in decoded_rows
        if event
        for name in (event.parent, event.target)
        if name
    }
    trusted_digests = (
        referenced_digests
        | digests.keys()
        | {digest for _, digest, _ in decoded_rows if isinstance(digest, bytes)}
    )
    seen_digests = set()
    for sequence, digest, event in decoded_rows:
        own_digest = bytes.fromhex(event.digest) if event else b""
        if event and own_digest in trusted_digests and own_digest not in seen_digests:
            seen_digests.add(own_digest)
            yield sequence, event
        else:
            lost_rows[sequence] = digest


def _decode_or_none(body: Any) -> Event | None:
    try:
        event = decode_event(body)
    except (ProjectError, TypeError, AttributeError):
        return None
    return event if hashlib.sha256(body).hexdigest() == event.digest else None


# Events in the raw bytes


@contextmanager
def _map_file(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:
        if not path.stat().st_size:
            yield b""
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data


def _scan_raw_bytes(path: Path, log: _RescuedLog, progress: Progress) -> Iterator[RawEvent]:
    """Yield the events detected outside the tables.

    The attribute `in_row` of an event is also true if the event's hash occurs elsewhere in the
    file. Only the hashes of the first `MAX_SEARCHED_HASHES` events are searched for.
    """
    known_digests = {
        bytes.fromhex(event.digest) for event in log.events.values()
    } | log.waiting_events.keys()
    with _map_file(path) as data:
        for count, raw_event in enumerate(
            scan_events(
                data,
                known_digests,
                lambda offset: progress.step(offset, len(data), Message("Scanning the raw bytes")),
            )
        ):
            is_proven = raw_event.in_row or (
                count < MAX_SEARCHED_HASHES
                and data.find(bytes.fromhex(raw_event.event.digest)) >= 0
            )
            yield RawEvent(raw_event.event, raw_event.origin, raw_event.sequence, is_proven)


def _classify_events(
    log: _RescuedLog, raw_events: Sequence[RawEvent]
) -> tuple[list[RawEvent], list[RawEvent], list[RawEvent]]:
    """Divide the events detected outside the tables into three lists.

    The first list contains the events to be added to the log. The second contains waiting events,
    whose parent event is missing. The third contains all other events.
    """
    chains = _EventChains(log)
    numbers_by_digest = {digest: sequence for sequence, digest in log.indexed_hashes.items()}
    unplaced_events: dict[str, RawEvent] = {}
    for event in raw_events:
        indexed_number = numbers_by_digest.get(bytes.fromhex(event.event.digest))
        event_in_row = RawEvent(
            event.event,
            event.origin,
            event.sequence if indexed_number is None else indexed_number,
            event.in_row,
        )
        if indexed_number is not None or (
            event.in_row and event.origin in LIVE_ORIGINS and log.is_unused(event.sequence)
        ):
            chains.add(event_in_row)
        else:
            unplaced_events[event.event.digest] = event_in_row
    chains.add_connected(unplaced_events)
    waiting_digests = {
        digest: raw_event
        for digest, raw_event in unplaced_events.items()
        if raw_event.in_row
        and raw_event.origin in LIVE_ORIGINS
        and raw_event.event.parent
        and raw_event.event.parent not in chains.events
    }
    return (
        chains.added_events,
        list(waiting_digests.values()),
        [
            raw_event
            for digest, raw_event in unplaced_events.items()
            if digest not in waiting_digests
        ],
    )


class _EventChains:
    """Events of the log, and events detected outside the tables that belong to the log.

    Each event references its parent event, so that the events of an assessor form a chain.
    """

    def __init__(self, log: _RescuedLog) -> None:
        self.events = {event.digest: event for event in log.events.values()}
        self.added_events: list[RawEvent] = []
        self._log, self._parent_digests = log, {event.parent for event in log.events.values()}

    def add(self, raw_event: RawEvent) -> None:
        """Add an event that was detected outside the tables."""
        self.added_events.append(raw_event)
        self.events[raw_event.event.digest] = raw_event.event
        self._parent_digests.add(raw_event.event.parent)

    def add_connected(self, unplaced_events: dict[str, RawEvent]) -> None:
        """Add those `unplaced_events` that belong to a chain, and remove them from the dict.

        An event belongs to a chain if an event of the same assessor in the log references it, or if
        it is the only child of such an event.
        """
        children: dict[str | None, list[RawEvent]] = defaultdict(list)
        for raw_event in unplaced_events.values():
            children[raw_event.event.parent].append(raw_event)
        pending_events = deque(self.events.values())
        while pending_events:
            event = pending_events.popleft()
            referenced_events = [
                unplaced_events[name]
                for name in (event.parent, event.target)
                if name in unplaced_events
            ]
            only_children = (
                children[event.digest]
                if event.digest not in self._parent_digests and len(children[event.digest]) == 1
                else []
            )
            for referenced_event in referenced_events + [
                event
                for event in only_children
                if event.in_row and self._log.may_contain(event.sequence)
            ]:
                if (
                    referenced_event.event.assessor == event.assessor
                    and referenced_event.event.digest in unplaced_events
                ):
                    del unplaced_events[referenced_event.event.digest]
                    self.add(referenced_event)
                    pending_events.append(referenced_event.event)


def _assign_numbers(log: _RescuedLog, added_events: Sequence[RawEvent]) -> None:
    """Add events to the log under their stored sequence numbers.

    An event whose stored number is unknown or in use gets a number above all other numbers.
    """
    unnumbered_events = []
    for raw_event in added_events:
        if log.is_unused(raw_event.sequence):
            log.events[raw_event.sequence or 0] = raw_event.event
            log.lost_hashes.pop(raw_event.sequence or 0, None)
        else:
            unnumbered_events.append(raw_event.event)
    last_number = max(
        log.events.keys() | log.lost_hashes.keys() | {log.last_number or 0}, default=0
    )
    log.events.update(enumerate(unnumbered_events, last_number + 1))


# Missing events


def _find_missing_digests(log: _RescuedLog) -> set[str]:
    """Return the digests to which events or the index refer, but for which there is no event."""
    known_digests = {event.digest for event in log.events.values()}
    lost_digests = {
        log.indexed_hashes[sequence].hex()
        for sequence in log.lost_hashes
        if sequence in log.indexed_hashes
    }
    return (
        {name for event in log.events.values() for name in (event.parent, event.target) if name}
        | lost_digests
    ) - known_digests


def _describe_gaps(source: Connection, log: _RescuedLog) -> list[str]:
    """Return a warning if the number of events is unknown or some numbers have no event.

    Numbers whose events are already listed or recorded as lost are not included.
    """
    if log.last_number is None:
        return [
            Message(
                "The original number of events is unknown, because the part of the file that "
                "records it is unreadable. More events may be lost.",
                key="unknown-length",
            )
        ]
    known_losses = 0
    with suppress(ProjectError, *VALUE_ERRORS):
        known_losses = parse_losses(
            source.read_readable_settings((LOSS_COUNTS,)).get(LOSS_COUNTS, "{}")
        ).get("events", 0)
    unlisted_losses = (
        log.last_number
        - sum(
            sequence <= log.last_number for sequence in log.events.keys() | log.lost_hashes.keys()
        )
        - known_losses
    )
    if unlisted_losses <= 0:
        return []
    return [
        Message(
            "The log assigned {numbers} to events, but no event was found for {count:,} of "
            "these numbers, so some events may be lost.",
            numbers=format_count(log.last_number, "number"),
            count=unlisted_losses,
        )
    ]


# Rescue of a project. Runs, qrels and pools are rescued topic by topic.

# for each table: name, columns, column with the row number (or None), and JSON columns
ASSIGNMENT_TABLES: tuple[tuple[str, tuple[str, ...], str | None, tuple[str, ...]], ...] = (
    (
        "assignment",
        ("id", "assessor", "mode", "pool", "deadline", "file", "round", "made", "withdrawn"),
        "code",
        (),
    ),
    (
        "assignment_item",
        ("assignment", "place", "topic", "type", "lists", "sides"),
        None,
        ("lists", "sides"),
    ),
    ("assignment_round", ("seed", "wishes", "made"), "number", ("wishes",)),
    ("assignment_secret", ("assignment", "place", "role", "left_run", "right_run"), None, ()),
    ("assessor", ("name", "email", "set_aside"), "code", ()),
    ("session", ("id", "round", "state", "terms", "made"), "code", ("terms",)),
    ("participant", ("id", "session", "assignment", "name", "token", "joined"), "code", ()),
    ("session_place", ("assignment", "place", "state"), None, ()),
    (
        "returned_file",
        ("time", "file", "digest", "assignment", "assessor", "balance"),
        "code",
        ("balance",),
    ),
)


def rescue_assignments(source: Connection, target: Connection, report: RescueReport) -> None:
    """Copy the readable rows about assignments; rows of lost assignments count as lost."""
    item_counts = report.parts["assignments"]
    for table, columns, key, texts in ASSIGNMENT_TABLES:
        known_codes = {row[0] for row in target.fetch_all("SELECT code FROM assignment")}
        _copy_rows(source, target, item_counts, table, columns, key, texts, known_codes)


def _copy_rows(
    source: Connection,
    target: Connection,
    item_counts: RescueCounts,
    table: str,
    columns: tuple[str, ...],
    key: str | None,
    texts: tuple[str, ...] = (),
    assignments: Collection[int] = (),
) -> None:
    names = (key, *columns) if key else columns
    statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    for row_number, row in read_rows(source, table, columns, read_max_row_number(source, table)):
        if row is None or not _is_sound_assignment_row(row, columns, texts, assignments):
            item_counts.lost_count += 1
        else:
            insert_or_count_lost(target, item_counts, statement, (row_number, *row) if key else row)


def _is_sound_assignment_row(
    row: tuple[Any, ...],
    columns: tuple[str, ...],
    texts: tuple[str, ...],
    assignments: Collection[int],
) -> bool:
    return (columns[0] != "assignment" or row[0] in assignments) and all(
        is_json_container(row[columns.index(name)]) for name in texts
    )


RESCUED_KEYS: tuple[str, ...] = (
    "title",
    "owner",
    "scale",
    "seed",
    "instructions",
    "calibration",
    "side files",
    GAINS,
    SUBMISSION_KEY,
    "deadline",
)
RESCUED_KEYS += (ROLE_KEY, PROJECT_KEY, ASSIGNMENT_KEY, COMPARISON_RULES, SIDE_KEY)
HEAD_BYTES = 1 << 20  # number of bytes read from the beginning of a file to detect its page size
TABLE_CONTENTS = {
    "fact": Message("settings"),
    "topic": Message("topics"),
    "content": Message("texts"),
    "document": Message("documents"),
    "document_fields": Message("documents"),
    "event": Message("judgments"),
}
TABLE_CONTENTS |= {
    "run": Message("runs"),
    "run_topic": Message("runs"),
    "qrels": Message("qrels"),
    "qrels_topic": Message("qrels"),
    "pool": Message("pools"),
    "pool_topic": Message("pools"),
}
TABLE_CONTENTS |= {table[0]: Message("assignments") for table in ASSIGNMENT_TABLES} | {
    "waiting_event": Message("assignments")
}


# Opening and rescuing a damaged project


def to_damage(error: ProjectError, path: Path) -> ProjectDamaged | None:
    """Return the error to raise if a file cannot be opened because of damage; otherwise None."""
    if isinstance(error, ProjectDamaged):
        return error
    if not has_damaged_header(path):
        return None
    return ProjectDamaged("{file} is damaged: its header was changed.", file=path.name)


@dataclass(slots=True)
class Damage:
    """Damaged project file whose readable content is open as a new file, the rescued copy.

    The `Project` of a damaged file reads the rescued copy, which is in a temporary folder, through
    a connection of its own. `source` is used only to verify the damaged file.
    """

    path: Path  # path of the damaged file
    # connection to the damaged file or, if its header or schema is damaged, to a byte copy in which
    # these are repaired
    source: Connection
    report: RescueReport
    error: ProjectDamaged  # raised when the file was opened
    resources: ExitStack  # closed with the project; closes `source` and deletes the copies

    def verify(self, progress: Progress) -> FileVerdict:
        """Verify the readable source; if it has no problems, report why the file was not opened."""
        verdict = verify(self.source, progress)
        return verdict if verdict.problems else replace(verdict, problems=(str(self.error),))


def open_rescued_project(
    path: Path, error: ProjectDamaged, progress: Progress
) -> tuple[Connection, Damage]:
    """Rescue a damaged file into a temporary folder, and open the rescued project."""
    with ExitStack() as exit_stack:
        folder = Path(
            exit_stack.enter_context(
                tempfile.TemporaryDirectory(prefix="irjudge-", ignore_cleanup_errors=True)
            )
        )
        source = exit_stack.enter_context(open_damaged_source(path))
        rescued_connection = Connection(folder / "readable", create=True, name=path.name)
        try:
            report = rescue_into(source, rescued_connection, progress, file=path)
        finally:
            rescued_connection.close()
        connection = Connection(
            folder / "readable", writing=False, name=path.name, shared_lock=True
        )
        return connection, Damage(path, source, report, error, exit_stack.pop_all())


def rescue_file(path: Path, target: Path, progress: Progress = SILENT) -> RescueReport:
    """Write a new project with all readable content of a damaged file, which is not changed."""
    with open_damaged_source(path) as source, new_file(target, permissions_of=path) as connection:
        return rescue_into(source, connection, progress, file=path)


def rescue_into(
    source: Connection, target: Connection, progress: Progress = SILENT, *, file: Path | None = None
) -> RescueReport:
    """Copy all readable content into a new project.

    The bytes and numbers of events are not changed; an event that does not match its hash is lost.
    Events are also searched for in the raw bytes of `file`, which is the damaged file if `source`
    is a repaired copy. If the file has no checksums, damage in runs, qrels, pools, titles and
    settings is detected only if it makes a value invalid.
    """
    steps: tuple[tuple[str, Callable[[Connection, Connection, RescueReport], None]], ...] = (
        (
            Message("events"),
            partial(rescue_events, file=file or source.path, progress=progress),
        ),  # events come first: if the owner is lost, an assessor with events becomes the owner
        (Message("tables"), _report_missing_tables),
        (Message("settings"), _rescue_stored_values),
        (Message("topics"), _rescue_topics),
        (Message("documents"), _rescue_documents),
        (Message("runs"), rescue_columns),
        (Message("assignments"), rescue_assignments),
        (Message("records of earlier losses"), _record_losses),
    )
    report = RescueReport(warnings=_describe_truncation(file or source.path))
    with source.hold_read_lock(), target.transaction():
        for index, (label, rescue_function) in enumerate(steps):
            progress.step(index, len(steps), Message("Reading {content}", content=label))
            try:
                rescue_function(source, target, report)
            except ProjectDamaged:
                raise
            except (ProjectError, *VALUE_ERRORS):
                report.warnings.append(
                    Message("The rest of the {content} cannot be read.", content=label)
                )
        _report_mismatches(source, report)
    return report


def _describe_truncation(file: Path) -> list[str]:
    try:
        with file.open("rb") as stream:
            first_bytes = stream.read(HEAD_BYTES)
        size, actual_size = detect_page_size(first_bytes), file.stat().st_size
    except OSError:
        return []
    expected_size = int.from_bytes(first_bytes[28:32], "big") * size
    return (
        [
            Message(
                "The file has {size:,} bytes, but its header states {expected:,}: the file may "
                "be truncated.",
                key="cut-off",
                size=actual_size,
                expected=expected_size,
            )
        ]
        if actual_size < expected_size
        else []
    )


def _report_mismatches(source: Connection, report: RescueReport) -> None:
    """Add warnings about content that does not match its checksum.

    Such content may nevertheless have been copied to the rescued project.
    """
    mismatches: list[str] = []
    for table in CHECKSUMMED_TABLES:
        with suppress(ProjectError, *VALUE_ERRORS):
            mismatches += [
                sentence
                for sentence in describe_mismatches(source, (table,))
                if CHANGED_GROUP in sentence or sentence == UNKNOWN_CHECKSUMS
            ]
    report.warnings += dict.fromkeys(mismatches)


def _report_missing_tables(source: Connection, _target: Connection, report: RescueReport) -> None:
    """Warn about tables that cannot be queried; raise ProjectDamaged if nothing is readable."""
    missing_tables = [table for table in TABLE_CONTENTS if not _is_queryable(source, table)]
    event_count = report.parts["events"].read_count
    if len(missing_tables) == len(TABLE_CONTENTS) and not event_count:
        raise ProjectDamaged("{source} is too damaged to be read.", source=source.name)
    contents = dict.fromkeys(
        TABLE_CONTENTS[table] for table in missing_tables if table != "event" or not event_count
    )
    report.warnings += [
        Message("None of the {content} can be read.", content=content) for content in contents
    ]


def _is_queryable(source: Connection, table: str) -> bool:
    try:
        source.fetch_all(f"SELECT 1 FROM {table} LIMIT 0")
    except ProjectError:
        return False
    return True


# Settings, topics, documents


def _rescue_stored_values(source: Connection, target: Connection, report: RescueReport) -> None:
    item_counts = report.parts["facts"]
    values = {
        name: value
        for name, value in source.read_readable_settings(RESCUED_KEYS).items()
        if name not in (LOST_EVENTS, LOSS_COUNTS)
    }  # the excluded settings are written at the end of the rescue
    for name, is_valid in METADATA_CHECKS.items():
        if name in values and not is_valid(values[name]):
            del values[name]
    authors = [row[0] for row in target.fetch_all("SELECT DISTINCT assessor FROM event")]
    replacements = {
        "scale": (
            Scale.parse("0-3").to_json(),
            Message("The scale is lost; 0 to 3 is used instead.", key="lost-scale"),
        ),
        "seed": (
            str(secrets.randbits(128)),
            Message("The seed is lost, so the order of the documents changes.", key="lost-seed"),
        ),
        "owner": (
            authors[0] if len(authors) == 1 else "owner",
            Message("The owner's name is lost.", key="lost-owner"),
        ),
        "title": (
            source.path.stem,
            Message("The title is lost; the file name is used instead."),
        ),
    }
    for name, (value, sentence) in replacements.items():
        if name not in values:
            item_counts.lost_count += 1
            report.warnings.append(sentence)
            target.execute("INSERT INTO fact VALUES (?, ?)", (name, value))
    query = f"SELECT name FROM fact WHERE length(CAST(value AS BLOB)) > {MAX_READ_SETTING_BYTES}"
    item_counts.lost_count += sum(
        name not in replacements for (name,) in source.read_until_damage(query)
    )
    for name, value in values.items():
        insert_or_count_lost(
            target,
            item_counts,
            "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )


def _rescue_topics(source: Connection, target: Connection, report: RescueReport) -> None:
    columns = ("id", "title", "description", "narrative")
    _copy_rows(source, target, report.parts["topics"], "topic", columns, "code")


def _rescue_documents(source: Connection, target: Connection, report: RescueReport) -> None:
    texts, documents = report.parts["texts"], report.parts["documents"]
    sound_digests, referenced_digests, unreadable_count = set(), set(), 0
    for _, row in read_rows(
        source,
        "content",
        ("digest", "kind", "title", "body"),
        read_max_row_number(source, "content"),
    ):
        if row is None or not _is_sound_text(*row):
            unreadable_count += 1
        elif insert_or_count_lost(target, texts, "INSERT INTO content VALUES (?, ?, ?, ?)", row):
            sound_digests.add(row[0])
    ids = {
        code: name
        for name, code in read_index(source, "SELECT id, code FROM document ORDER BY id", str)
    }
    digests = {code: digest for digest, code in read_index(source, INDEXED_TEXTS, bytes)}
    statement = "INSERT INTO document (code, id, digest) VALUES (?, ?, ?)"
    max_code = read_max_row_number(source, "document") or max(ids, default=None)
    for code, row in read_rows(source, "document", ("id", "digest"), max_code):
        name, digest = row or (ids.get(code), digests.get(code))
        referenced_digests.add(digest)
        if name is None:
            documents.lost_count += 1
        else:
            insert_or_count_lost(
                target,
                documents,
                statement,
                (code, name, digest if digest in sound_digests else None),
            )
    _rescue_fields(source, target, sound_digests)
    # a missing row of a text is detected only if a document refers to the text
    texts.lost_count += max(unreadable_count, len(referenced_digests - sound_digests - {None}))


def _rescue_fields(source: Connection, target: Connection, sound_digests: set[bytes]) -> None:
    """Copy document fields and their readable pictures; files of older versions have none."""
    item_counts = RescueCounts("fields")
    statement = (
        "INSERT INTO document_fields SELECT ?1, ?2, ?3, ?4 WHERE ?1 IN (SELECT code FROM document)"
    )
    for code, row in read_rows(
        source,
        "document_fields",
        ("fields", "pictured", "picture"),
        read_max_row_number(source, "document_fields"),
    ):
        if row is not None and is_json_container(row[0]):
            insert_or_count_lost(
                target,
                item_counts,
                statement,
                (code, *row[:2], row[2] if row[2] in sound_digests else None),
            )


def _is_sound_text(digest: Any, kind: Any, title: Any, body: Any) -> bool:
    has_text_types = isinstance(kind, str) and isinstance(title, str) and isinstance(body, bytes)
    return has_text_types and Document("", body, title, kind).digest == digest


INDEXED_TEXTS = "SELECT digest, code FROM document WHERE digest IS NOT NULL ORDER BY digest"


# Records of losses


def _record_losses(source: Connection, target: Connection, report: RescueReport) -> None:
    """Record in the new file the losses of this rescue, and losses recorded earlier."""
    metadata = source.read_readable_settings((LOST_EVENTS, LOSS_COUNTS))
    known_digests = {row[0].hex() for row in target.fetch_all("SELECT digest FROM event")}
    lost_digests = report.lost_digests | (
        _parse_readable_digests(metadata.get(LOST_EVENTS, "[]")) - known_digests
    )
    earlier_losses = parse_losses(metadata.get(LOSS_COUNTS, "{}"))
    losses = {
        kind: earlier_losses.get(kind, 0) + report.parts[kind].lost_count for kind in LOSS_KINDS
    }
    record_losses(
        target, lost_digests, {**losses, "events": max(losses["events"], len(lost_digests))}
    )
    unused_numbers = target.fetch_one(UNUSED_QUERY)[0]
    if unused_numbers:
        target.set_setting(UNUSED_COUNT, str(unused_numbers))


def _parse_readable_digests(text: str) -> set[str]:
    try:
        return parse_digests(text)
    except (ValueError, TypeError, RecursionError):
        return set()


UNSAMPLED_PROBABILITY = "undrawn_probability"  # column of pool topics, added in version 7


@dataclass(frozen=True, slots=True)
class ColumnTables:
    """Description of two tables that a rescue copies: a head table (runs, qrels or pools), and a
    table of their topics.

    Each row of the topic table contains the columns of one topic. `sizes` contains the number of
    bytes per value of each of the `columns`. The first column contains codes of documents. A topic
    counts as lost if its columns do not have the expected lengths or a document does not exist.
    """

    part: str  # key of the kind in `RescueReport.parts`: runs, qrels or pools
    head: str  # name of the head table
    head_columns: tuple[str, ...]  # columns of the head table
    topics: str  # name of the topic table
    owner: str  # column of the topic table that refers to the row of the head table
    columns: tuple[str, ...]  # columns of the topic table that are equally long
    sizes: tuple[int, ...]
    # columns of the topic table with a value of 4 bytes for each contribution of a run to the pool
    further_columns: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()  # JSON columns of the head table
    separate_columns: tuple[
        str, ...
    ] = ()  # columns with a separate length; the first has codes of documents
    separate_sizes: tuple[int, ...] = ()  # bytes per value of the separate columns


COLUMN_TABLES = (
    ColumnTables(
        "runs",
        "run",
        ("name", "source", "rows", "removed"),
        "run_topic",
        "run",
        ("document", "score", "rank", "line"),
        (4, 8, 4, 8),
    ),
    ColumnTables(
        "qrels",
        "qrels",
        ("name", "source", "groups", "rows"),
        "qrels_topic",
        "qrels",
        ("document", "grade", "grp"),
        (4, 4, 4),
        (),
        JSON_COLUMNS["qrels"],
    ),
    ColumnTables(
        "pools",
        "pool",
        ("strategy", "parameters", "runs", "rows"),
        "pool_topic",
        "pool",
        ("document", "contributions", "stratum", "probability"),
        (4, 4, 4, 8),
        ("contribution_run", "contribution_rank"),
        JSON_COLUMNS["pool"],
        ("undrawn", "undrawn_stratum", UNSAMPLED_PROBABILITY),
        (4, 4, 8),
    ),
)


def rescue_columns(source: Connection, target: Connection, report: RescueReport) -> None:
    """Copy the topics of runs, qrels and pools.

    A topic is lost if its columns differ in length or refer to missing documents.
    """
    known_codes = np.array(
        [row[0] for row in target.fetch_all("SELECT code FROM document ORDER BY code")],
        dtype=np.int64,
    )
    for table in COLUMN_TABLES:
        head_codes = _rescue_heads(source, target, table, report.parts[table.part])
        if table.head == "run":
            _rescue_metadata(source, target, report.parts[table.part], head_codes)
        _rescue_topic_rows(source, target, table, report.parts[table.part], head_codes, known_codes)
        target.execute(
            f"UPDATE {table.head} SET rows = (SELECT coalesce(sum(length(document)), 0) / 4 FROM {table.topics} "
            f"WHERE {table.owner} = {table.head}.rowid)"
        )


def _rescue_heads(
    source: Connection, target: Connection, table: ColumnTables, item_counts: RescueCounts
) -> set[int]:
    """Copy the readable rows of a head table (runs, qrels or pools), and return their codes.

    Unreadable rows count as lost.
    """
    key = "version" if table.head == "pool" else "code"
    head_codes, head_counts = set(), RescueCounts("heads")
    placeholders = ", ".join("?" * (len(table.head_columns) + 1))
    statement = (
        f"INSERT INTO {table.head} ({key}, {', '.join(table.head_columns)}) VALUES ({placeholders})"
    )
    for code, row in read_rows(
        source, table.head, table.head_columns, read_max_row_number(source, table.head)
    ):
        is_sound = row is not None and all(
            is_json_container(row[table.head_columns.index(name)]) for name in table.texts
        )
        if (
            row is not None
            and is_sound
            and insert_or_count_lost(target, head_counts, statement, (code, *row))
        ):
            head_codes.add(code)
        else:
            item_counts.lost_count += 1
    return head_codes


def _rescue_metadata(
    source: Connection, target: Connection, item_counts: RescueCounts, runs: set[int]
) -> None:
    """Copy metadata of runs; files of older versions have none."""
    for run, row in read_rows(
        source, "run_metadata", ("text",), read_max_row_number(source, "run_metadata")
    ):
        if row is None:
            item_counts.lost_count += 1
        elif run in runs:
            insert_or_count_lost(
                target,
                RescueCounts("metadata"),
                "INSERT INTO run_metadata (run, text) VALUES (?, ?)",
                (run, *row),
            )


def _rescue_topic_rows(
    source: Connection,
    target: Connection,
    table: ColumnTables,
    item_counts: RescueCounts,
    head_codes: set[int],
    known_codes: np.ndarray,
) -> None:
    names = (
        table.owner,
        "place",
        "topic",
        *table.columns,
        *table.further_columns,
        *table.separate_columns,
    )
    statement = (
        f"INSERT INTO {table.topics} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    )
    has_unsampled_column = UNSAMPLED_PROBABILITY in names and _has_column(
        source, table.topics, UNSAMPLED_PROBABILITY
    )
    stored_names = (
        names if has_unsampled_column or UNSAMPLED_PROBABILITY not in names else names[:-1]
    )
    for _, row in read_rows(
        source, table.topics, stored_names, read_max_row_number(source, table.topics)
    ):
        if row is not None and UNSAMPLED_PROBABILITY in names:
            row = _fill_probabilities(row, has_probabilities=has_unsampled_column)
        if (
            row is None
            or row[0] not in head_codes
            or not _are_columns_sound(row, table, known_codes)
        ):
            item_counts.lost_count += 1
        else:
            insert_or_count_lost(target, item_counts, statement, row)


def _fill_probabilities(row: tuple[Any, ...], *, has_probabilities: bool) -> tuple[Any, ...]:
    """Return a topic row of a pool; replace missing probabilities of unsampled documents by NaN."""
    codes = row[-3] if has_probabilities else row[-2]
    if (has_probabilities and row[-1]) or not isinstance(codes, bytes):
        return row
    return (*(row[:-1] if has_probabilities else row), make_unknown_probabilities(len(codes) // 4))


def _has_column(source: Connection, table: str, name: str) -> bool:
    try:
        rows = source.fetch_all(f"SELECT name FROM pragma_table_info('{table}')")
    except ProjectError:
        return True
    return name in {row[0] for row in rows}


def _are_columns_sound(row: tuple[Any, ...], table: ColumnTables, known_codes: np.ndarray) -> bool:
    """Return whether the columns of a topic are consistent and refer to existing documents."""
    blobs = row[3:]
    if not all(isinstance(blob, bytes) for blob in blobs):
        return False
    first_blob = len(table.columns)
    separate_blobs = blobs[first_blob + len(table.further_columns) :]
    if not _have_equal_length(blobs[:first_blob], table.sizes, known_codes) or (
        separate_blobs and not _have_equal_length(separate_blobs, table.separate_sizes, known_codes)
    ):
        return False
    if not table.further_columns:
        return True
    counts = np.frombuffer(blobs[1], "<i4").astype(np.int64)
    return bool((counts >= 0).all()) and {
        len(blob) for blob in blobs[first_blob : first_blob + len(table.further_columns)]
    } == {int(counts.sum()) * 4}


def _have_equal_length(
    blobs: Sequence[bytes], sizes: Sequence[int], known_codes: np.ndarray
) -> bool:
    """Return whether columns are equally long, and the first one contains only known codes."""
    lengths = {len(blob) / size for blob, size in zip(blobs, sizes, strict=True)}
    return (
        len(lengths) == 1
        and lengths.pop().is_integer()
        and bool(np.isin(np.frombuffer(blobs[0], "<i4"), known_codes).all())
    )
