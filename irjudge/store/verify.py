"""Verification of a project file: pages, event chains, documents and checksums."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irjudge.errors import ProjectError
from irjudge.message import Message, format_count
from irjudge.model import DIGEST_PATTERN, Document, decode_event
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import SUBMISSION_KEY
from irjudge.store.collection import ATTACHMENT_KINDS
from irjudge.store.connection import (
    MAX_READ_SETTING_BYTES,
    UNEXPECTED_VALUE_TYPE,
    VALUE_ERRORS,
    Connection,
    parse_json_or_none,
)
from irjudge.store.damaged_file import read_max_row_number, read_rows
from irjudge.store.events import count_losses, read_lost_events
from irjudge.store.schema import (
    HEADER_CHANGED,
    UNSAMPLED_PROBABILITY_SINCE,
    UNUSED_COUNT,
    is_header_sound,
)
from irjudge.store.soundness import describe_mismatches, has_checksums

# Tables whose rows contain the columns of one topic: kind of ranking, query that returns name,
# topic and columns, and bytes per value of each column. The first column has codes of documents.
COLUMN_QUERIES = (
    (
        Message("Run"),
        "SELECT name, topic, document, score, rank, line FROM run_topic JOIN run ON code = run",
        (4, 8, 4, 8),
    ),
    (
        Message("Qrels"),
        "SELECT name, topic, document, grade, grp FROM qrels_topic JOIN qrels ON code = qrels",
        (4, 4, 4),
    ),
    (
        Message("Pool"),
        "SELECT pool, topic, document, contributions, stratum, probability FROM pool_topic",
        (4, 4, 4, 8),
    ),
    (Message("Pool"), "SELECT pool, topic, undrawn, undrawn_stratum FROM pool_topic", (4, 4)),
)
COLUMN_QUERIES_SINCE_7 = (
    (Message("Pool"), "SELECT pool, topic, undrawn, undrawn_probability FROM pool_topic", (4, 8)),
)
MAX_DIGITS = 18  # maximum number of digits of a stored number; a longer number is ignored
# maximum size of a file whose pages are checked in one read, which blocks writers
MAX_BLOCKING_BYTES = 4_000_000
MAX_PAGE_ERRORS = 5  # maximum number of page errors reported
MAX_LISTED_EVENTS = 5  # maximum number of invalid events listed


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """Result of verifying a file: numbers of checked events and documents, and its problems.

    Without problems, no damage was detected; of many invalid events, only the first are listed.
    `lost` is the number of items of each kind that are recorded in the file as lost: a rescue could
    not recover them, or the organiser accepted during a merge that they are missing. Events that
    were recovered later are not included.
    """

    events: int
    documents: int
    problems: tuple[str, ...]
    lost: Mapping[str, int] = field(default_factory=dict)


def verify(
    connection: Connection, progress: Progress = SILENT, *, in_background: bool = False
) -> FileVerdict:
    """Check pages, events, documents, runs, qrels, pools and checksums of a file.

    With `in_background`, the file is read in short steps, so that writers are not blocked. In this
    case, the database pages with texts are not checked in a large file. Damage to texts is detected
    nevertheless, because each text is compared with its hash.
    """
    counts, all_problems = [], []
    verify_pages = _verify_pages_in_background if in_background else _verify_pages
    for check in (
        verify_pages,
        verify_events,
        _verify_sequence_numbers,
        _verify_waiting_events,
        _verify_documents,
        _verify_columns,
        _verify_checksums,
    ):
        try:
            count, problems = check(connection, progress)
        except ProjectError as error:
            count, problems = 0, [str(error)]
        # a value of the wrong type, which SQLite does not store in strict tables, indicates damage
        except VALUE_ERRORS:
            count = 0
            problems = [Message("The file is damaged: {problem}.", problem=UNEXPECTED_VALUE_TYPE)]
        counts.append(count)
        all_problems += problems
    try:
        losses = count_losses(connection)
    except ProjectError:  # unreadable settings have already been reported
        losses = {}
    return FileVerdict(counts[1], counts[4], tuple(dict.fromkeys(all_problems)), losses)


def _verify_pages(connection: Connection, progress: Progress) -> tuple[int, list[str]]:
    problems = _find_page_errors(connection, progress, ["PRAGMA integrity_check(5)"])
    if not is_header_sound(connection.path):
        problems.append(Message("The file is damaged: {problem}.", problem=HEADER_CHANGED))
    return 0, problems


def _verify_pages_in_background(
    connection: Connection, progress: Progress
) -> tuple[int, list[str]]:
    """Check the pages of all tables; in a large file, omit the pages of texts.

    The file header is not read, since closing the file afterwards would release SQLite's locks.
    """
    if connection.path.stat().st_size <= MAX_BLOCKING_BYTES:
        return 0, _find_page_errors(connection, progress, ["PRAGMA integrity_check(5)"])
    tables = connection.fetch_all(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('content', 'sqlite_sequence')"
    )
    return 0, _find_page_errors(
        connection, progress, [f"PRAGMA integrity_check({name})" for (name,) in tables]
    )


def _find_page_errors(
    connection: Connection, progress: Progress, checks: Sequence[str]
) -> list[str]:
    progress.step(0, None, Message("Checking the file"))
    rows = [row for check in checks for row in connection.fetch_all(check) if row[0] != "ok"][
        :MAX_PAGE_ERRORS
    ]
    messages = [
        " ".join(str(row[0]).replace("*** in database main ***", "").split()) for row in rows
    ]
    return (
        [
            Message(
                "The file is damaged: its database pages are inconsistent ({messages}).",
                key="broken-pages",
                messages="; ".join(messages),
            )
        ]
        if messages
        else []
    )


def verify_events(connection: Connection, progress: Progress = SILENT) -> tuple[int, list[str]]:
    """Return the number of events, and descriptions of the first invalid events."""
    try:
        rows = connection.fetch_all(
            "SELECT sequence, digest, assessor, parent, body FROM event ORDER BY sequence"
        )
    except ProjectError as error:
        count, sentence = _find_first_unreadable(connection)
        return count, [sentence or str(error)]
    for sequence, *values in rows:
        if not _has_sound_types(*values):
            return len(rows), [Message("Event {sequence} cannot be read.", sequence=sequence)]
    problems = list[str]()
    known_digests = {row[1] for row in rows} | {
        bytes.fromhex(digest) for digest in read_lost_events(connection)
    }
    for sequence, digest, assessor, parent, body in progress.track(
        rows, Message("Checking events"), total=len(rows)
    ):
        problem = _find_event_problem(digest, assessor, parent, body, known_digests)
        if problem and len(problems) < MAX_LISTED_EVENTS:
            template = "Event {sequence} ({digest}, {assessor}): {problem}."
            problems.append(
                Message(
                    template,
                    sequence=sequence,
                    digest=digest.hex()[:12],
                    assessor=assessor,
                    problem=problem,
                )
            )
    return len(rows), problems


def _find_first_unreadable(connection: Connection) -> tuple[int, str | None]:
    """Return the number of readable events, and a description of the first unreadable event.

    The description is None if all events are readable.
    """
    columns = ("digest", "assessor", "parent", "body")
    rows = list(read_rows(connection, "event", columns, read_max_row_number(connection, "event")))
    first_number = next((row_number for row_number, row in rows if row is None), None)
    return sum(row is not None for _, row in rows), Message(
        "Event {sequence} cannot be read.", sequence=first_number
    ) if first_number else None


def _has_sound_types(digest: Any, assessor: Any, parent: Any, body: Any) -> bool:
    return (
        isinstance(digest, bytes)
        and isinstance(assessor, str)
        and isinstance(parent, bytes | None)
        and isinstance(body, bytes)
    )


def _find_event_problem(
    digest: bytes,
    assessor: str,
    parent: bytes | None,
    body: bytes,
    known_digests: set[bytes] | None,
) -> str | None:
    if hashlib.sha256(body).digest() != digest:
        return Message(
            "changed after being written: bytes and hash do not match",
            key="changed-event",
        )
    try:
        event = decode_event(body)
    except ProjectError as error:
        return str(error).rstrip(".")
    if event.assessor != assessor or event.parent != (parent.hex() if parent else None):
        return Message(
            "its stored assessor or previous event does not match its content",
            key="changed-columns",
        )
    if known_digests is None:
        return event.problem
    if parent is not None and parent not in known_digests:
        return Message(
            "the previous event ({parent}) is missing",
            key="missing-parent",
            parent=parent.hex()[:12],
        )
    if event.target is not None and bytes.fromhex(event.target) not in known_digests:
        return Message(
            "the event to which this event refers ({target}) is missing", target=event.target[:12]
        )
    return event.problem


def _verify_sequence_numbers(connection: Connection, _progress: Progress) -> tuple[int, list[str]]:
    """Check that no event is missing from the log.

    There must be an event for each assigned sequence number, and at least as many events as were
    reported by submissions and returned files.
    """
    numbers = connection.fetch_all("SELECT seq FROM sqlite_sequence WHERE name = 'event'")
    count, max_number = connection.fetch_one(
        "SELECT count(*), coalesce(max(sequence), 0) FROM event"
    )
    last_issued_number = max(
        [max_number, *(row_number for (row_number,) in numbers if isinstance(row_number, int))]
    )
    unused_text = connection.get_setting(UNUSED_COUNT, "0")
    unused_numbers = (
        int(unused_text)
        if unused_text.isascii() and unused_text.isdigit() and len(unused_text) <= MAX_DIGITS
        else 0
    )
    missing_count = (
        last_issued_number
        - count
        - (unused_numbers if has_checksums(connection) else last_issued_number)
    )
    problems = []
    if missing_count > 0:
        missing_at_end = last_issued_number - max_number
        location = (
            Message(
                "the last event has the number {last:,}, but {assigned:,} event numbers were "
                "assigned",
                last=max_number,
                assigned=last_issued_number,
            )
            if missing_at_end
            else Message("found {count:,} of {total:,}", count=count, total=last_issued_number)
        )
        problems.append(
            Message(
                "The log lacks {events}: {details}.",
                events=format_count(missing_count, "event"),
                details=location,
            )
        )
    if count and not numbers:
        problems.append(Message("The log does not record how many events were written."))
    return count, problems + _find_missing_returned_events(connection)


def _find_missing_returned_events(connection: Connection) -> list[str]:
    event_counts: dict[str, int] = dict(
        connection.fetch_all("SELECT assessor, count(*) FROM event GROUP BY assessor")
    )
    # the number of lost events is known, but not their assessors
    lost_count = count_losses(connection).get("events", 0)
    returned_counts = Counter[str]()
    for assessor, counts_text in connection.fetch_all(
        "SELECT assessor, balance FROM returned_file"
    ):
        # The counts can be added up, since each counts only events that are in no earlier file.
        counts = _parse_object(counts_text)
        returned_counts[assessor] += sum(
            count for count in (counts.get("new"), counts.get("superseded")) if type(count) is int
        )
    problems: list[str] = [
        Message(
            "The returned files of {assessor} contained {events}; the log has {count:,}.",
            assessor=assessor,
            events=format_count(returned_count, "event"),
            count=event_counts.get(assessor, 0),
        )
        for assessor, returned_count in returned_counts.items()
        if event_counts.get(assessor, 0) + lost_count < returned_count
    ]
    for assessor, events, head_checksum in _read_submissions(connection):
        if event_counts.get(assessor, 0) + lost_count < events:
            problems.append(
                Message(
                    "{assessor} submitted {events}, but the log has {count:,}.",
                    assessor=assessor,
                    events=format_count(events, "event"),
                    count=event_counts.get(assessor, 0),
                )
            )
        elif not lost_count and not connection.fetch_one(
            "SELECT 1 FROM event WHERE digest = ? AND assessor = ?", (head_checksum, assessor)
        ):
            problems.append(
                Message(
                    "{assessor} submitted a log that ends with event {head}, but that event is "
                    "missing.",
                    assessor=assessor,
                    head=head_checksum.hex()[:12],
                )
            )
    return problems


def _read_submissions(connection: Connection) -> Iterator[tuple[str, int, bytes]]:
    """Yield assessor, number of events and digest of the newest event of each submission.

    Unreadable submissions are omitted.
    """
    query = f"SELECT name, value FROM fact WHERE length(CAST(value AS BLOB)) <= {MAX_READ_SETTING_BYTES}"
    metadata = dict(connection.fetch_all(query))
    for name, value in metadata.items():
        setting_key, _, assessor = name.partition(" ")
        submission = _parse_object(value) if setting_key == SUBMISSION_KEY else {}
        events = submission.get("events")
        head_checksum = submission.get("head")
        assessor = assessor or metadata.get("owner", "")
        if (
            type(events) is int
            and isinstance(head_checksum, str)
            and DIGEST_PATTERN.fullmatch(head_checksum)
        ):
            yield assessor, events, bytes.fromhex(head_checksum)


def _parse_object(text: str) -> dict[str, Any]:
    content = parse_json_or_none(text)
    return content if isinstance(content, dict) else {}


def _verify_waiting_events(connection: Connection, progress: Progress) -> tuple[int, list[str]]:
    rows = connection.fetch_all(
        "SELECT sequence, digest, assessor, parent, body FROM waiting_event ORDER BY sequence"
    )
    for sequence, digest, assessor, parent, body in progress.track(
        rows, Message("Checking events"), total=len(rows)
    ):
        problem = _find_event_problem(digest, assessor, parent, body, None)
        if problem:
            return len(rows), [
                Message(
                    "Event {sequence} ({digest}, {assessor}; held until an earlier event "
                    "arrives): {problem}.",
                    sequence=sequence,
                    digest=digest.hex()[:12],
                    assessor=assessor,
                    problem=problem,
                )
            ]
    return len(rows), []


def _verify_checksums(connection: Connection, progress: Progress) -> tuple[int, list[str]]:
    return 0, describe_mismatches(connection, progress=progress)


def _verify_documents(connection: Connection, progress: Progress) -> tuple[int, list[str]]:
    problems: list[str] = []
    file_count, count = 0, connection.fetch_one("SELECT count(*) FROM content")[0]
    for digest, kind, title, body in progress.track(
        _read_contents(connection), Message("Checking documents"), total=count
    ):
        file_count += kind in ATTACHMENT_KINDS  # PDFs and pictures are not counted as documents
        if Document("", body, title, kind).digest != digest:
            names = [
                row[0]
                for row in connection.fetch_all(
                    "SELECT id FROM document WHERE digest = ? LIMIT 1", (digest,)
                )
            ]
            problems.append(
                Message(
                    "Document {first}: the text was changed; it no longer matches its hash.",
                    key="changed-text",
                    first=names[0] if names else "?",
                )
            )
    missing_texts = connection.fetch_all(
        "SELECT id FROM document WHERE digest IS NOT NULL AND digest NOT IN (SELECT digest FROM content) LIMIT 5"
    )
    return count - file_count, problems + [
        Message("The text of document {name} is missing.", key="missing-text", name=name)
        for (name,) in missing_texts
    ]


def _read_contents(connection: Connection) -> Iterator[Any]:
    """Yield digest, kind, title and body of each text.

    The rows are read in small batches, so that writers are not blocked.
    """
    last_row = -1
    while rows := connection.fetch_all(
        "SELECT rowid, digest, kind, title, body FROM content WHERE rowid > ? ORDER BY rowid LIMIT 20",
        (last_row,),
    ):
        yield from (row[1:] for row in rows)
        last_row = rows[-1][0]


def _verify_columns(connection: Connection, progress: Progress) -> tuple[int, list[str]]:
    """Check that columns of runs, qrels and pools have equal lengths and existing documents."""
    max_code = connection.fetch_one("SELECT coalesce(max(code), 0) FROM document")[0]
    problems: list[str] = []
    added_queries = (
        COLUMN_QUERIES_SINCE_7 if connection.schema_version >= UNSAMPLED_PROBABILITY_SINCE else ()
    )
    for subject, query, sizes in (*COLUMN_QUERIES, *added_queries):
        rows = connection.fetch_all(query)
        for name, topic, *columns in progress.track(
            rows, Message("Checking {content}", content=subject), total=len(rows)
        ):
            lengths = {len(column) / size for column, size in zip(columns, sizes, strict=True)}
            if len(lengths) > 1 or not lengths.pop().is_integer():
                problems.append(
                    Message(
                        "{kind} {name}, topic {topic}: its columns differ in length.",
                        key="column-lengths",
                        kind=subject,
                        name=name,
                        topic=topic,
                    )
                )
                continue
            codes = np.frombuffer(columns[0], dtype="<i4")
            if len(codes) and not 1 <= codes.min() <= codes.max() <= max_code:
                problems.append(
                    Message(
                        "{kind} {name}, topic {topic}: contains a document that is not in the "
                        "project.",
                        key="unknown-document",
                        kind=subject,
                        name=name,
                        topic=topic,
                    )
                )
    return 0, problems
