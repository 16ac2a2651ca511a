"""Makes a sound project of what can be read of a damaged one, and says what is missing."""

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irjudge.errors import IrjudgeError, ProjectDamaged, ProjectError
from irjudge.model.document import Document
from irjudge.model.event import Event, decode
from irjudge.model.scale import Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.connection import Connection
from irjudge.store.events import LOST
from irjudge.store.remains import facts_of, highest_row, rows_of

FACTS = ("title", "owner", "scale", "seed", "instructions", "calibration", "handed_in")
SMALL = 4_000_000  # bytes of a file whose pages are looked at on opening
NAMED = 20  # lost events that are named one by one
PARTS = ("facts", "topics", "texts", "documents", "runs", "qrels", "pools", "events")


@dataclass(slots=True)
class Part:
    """How much of one kind of thing was read, and how much of it is known to be lost."""

    name: str
    read: int = 0
    lost: int = 0


@dataclass(slots=True)
class Report:
    """The balance of a rescue.

    Attributes
    ----------
    parts
        What was read and lost: facts, topics, texts, documents, events; of runs, qrels and pools their topics.
    lost_events
        The events that are lost, each by its number in the log and, where it is known, its digest.
    remarks
        Sentences about what had to be put in the place of something lost.
    """

    parts: dict[str, Part] = field(default_factory=lambda: {name: Part(name) for name in PARTS})
    lost_events: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether nothing is known to be lost."""
        return not any(part.lost for part in self.parts.values()) and not self.lost_events and not self.remarks

    @property
    def sentences(self) -> list[str]:
        """What is missing, in words; empty when nothing is."""
        parts = [f"{part.lost:,} of {part.read + part.lost:,} {part.name}" for part in self.parts.values() if part.lost]
        lost = [f"Cannot be read: {', '.join(parts)}."] if parts else []
        more = len(self.lost_events) - NAMED
        names = "; ".join(self.lost_events[:NAMED]) + (f"; and {more:,} more" if more > 0 else "")
        return lost + ([f"Lost from the log: {names}."] if self.lost_events else []) + self.remarks


def look(connection: Connection) -> None:
    """Look whether a project can be worked with: settings, topics, events, and the pages of a small file.

    Raises
    ------
    ProjectDamaged
        With what was found first.
    """
    try:
        facts = dict(connection.all("SELECT name, value FROM fact"))
        connection.all("SELECT id, title, description, narrative FROM topic")
        heads = [text for table in TABLES for name in table.texts for (text,) in connection.all(f"SELECT {name} FROM {table.head}")]
        events = connection.all("SELECT digest, body FROM event ORDER BY sequence")
        pages = connection.one("PRAGMA quick_check(1)")[0] if connection.path.stat().st_size <= SMALL else "ok"
    except ProjectError as fault:
        raise ProjectDamaged(f"{connection.name} is damaged: {fault}") from fault
    unfit = [name for name, sound in SOUND.items() if name in facts and not sound(facts[name])]
    if unfit:
        raise ProjectDamaged(f"{connection.name} is damaged: its setting {unfit[0]} does not read as one.")
    if not all(map(_json, heads)):
        raise ProjectDamaged(f"{connection.name} is damaged: what it says about its qrels or pools does not read as such.")
    bad = next((number for number, (digest, body) in enumerate(events, 1) if hashlib.sha256(body).digest() != digest), None)
    if bad:
        raise ProjectDamaged(f"{connection.name} is damaged: event {bad:,} of {len(events):,} does not fit its hash.")
    if pages != "ok":
        raise ProjectDamaged(f"{connection.name} is damaged: {str(pages).splitlines()[-1].rstrip('.')}.")


def rescue_into(source: Connection, target: Connection, progress: Progress = SILENT) -> Report:
    """Copy all that can be read into a project that was just made.

    Events are kept byte for byte under their number; one that does not fit its hash is lost. A value that was damaged
    inside a run, qrels, pool, title or setting and still reads as one cannot be noticed: only events and texts have hashes.

    Raises
    ------
    ProjectDamaged
        When nothing of it can be read.
    """
    report = Report()
    try:
        source.all("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
        source.one("SELECT name FROM fact LIMIT 0")
        source.one("SELECT sequence FROM event LIMIT 0")
    except ProjectError as fault:
        raise ProjectDamaged(f"{source.name} is damaged so much that nothing of it can be read.") from fault
    steps: tuple[tuple[str, Callable[[Connection, Connection, Report], None]], ...] = (
        ("events", _events),  # first, since who judged may have to stand for a lost owner
        ("facts", _facts),
        ("topics", _topics),
        ("documents", _documents),
        ("runs", _columns),
    )
    with target.transaction():
        for done, (what, step) in enumerate(steps):
            progress.step(done, len(steps), f"Reading {what}")
            step(source, target, report)
    return report


def _insert(target: Connection, part: Part, statement: str, values: tuple[Any, ...]) -> bool:
    """Write a row unless the tables refuse it: then it was damaged."""
    try:
        target.execute(statement, values)
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, OverflowError, UnicodeEncodeError):
        part.lost += 1
        return False
    part.read += 1
    return True


# Facts, topics, documents


def _facts(source: Connection, target: Connection, report: Report) -> None:
    part, found = report.parts["facts"], facts_of(source, FACTS)
    found.pop(LOST, None)  # what is missing now includes what was missing then
    for name, sound in SOUND.items():
        if name in found and not sound(found[name]):
            del found[name]
    judges = [row[0] for row in target.all("SELECT DISTINCT assessor FROM event")]
    instead = {
        "scale": (Scale.parse("0-3").to_json(), "The scale is lost; 0 to 3 stands in its place."),
        "seed": (str(secrets.randbits(31)), "The seed is lost, so the documents come in a new order."),
        "owner": (judges[0] if len(judges) == 1 else "owner", "The owner's name is lost."),
        "title": (source.path.stem, "The title is lost; the file's name stands in its place."),
    }
    for name, (value, sentence) in instead.items():
        if name not in found:
            part.lost += 1
            report.remarks.append(sentence)
            target.execute("INSERT INTO fact VALUES (?, ?)", (name, value))
    for name, value in found.items():
        _insert(target, part, "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value))


def _sound_scale(text: str) -> bool:
    try:
        Scale.from_json(text)
    except (ValueError, KeyError, TypeError, AttributeError, IrjudgeError):
        return False
    return True


def _sound_calibration(text: str) -> bool:
    try:
        return all(isinstance(grade, int) for grades in json.loads(text).values() for grade in grades.values())
    except (ValueError, AttributeError):
        return False


# Facts that others rely on: what must hold of their text.
SOUND: dict[str, Callable[[str], bool]] = {
    "scale": _sound_scale,
    "seed": lambda text: text.isascii() and text.isdigit(),
    "owner": lambda text: bool(text.strip()),
    "calibration": _sound_calibration,
}


def _topics(source: Connection, target: Connection, report: Report) -> None:
    part, columns = report.parts["topics"], ("id", "title", "description", "narrative")
    for code, row in rows_of(source, "topic", columns, highest_row(source, "topic")):
        if row is None:
            part.lost += 1
        else:
            _insert(target, part, "INSERT INTO topic (code, id, title, description, narrative) VALUES (?, ?, ?, ?, ?)", (code, *row))


def _documents(source: Connection, target: Connection, report: Report) -> None:
    texts, documents = report.parts["texts"], report.parts["documents"]
    sound = set()
    for _, row in rows_of(source, "content", ("digest", "kind", "title", "body"), highest_row(source, "content")):
        if row is None or not _sound_text(*row):
            texts.lost += 1
        elif _insert(target, texts, "INSERT INTO content VALUES (?, ?, ?, ?)", row):
            sound.add(row[0])
    ids = {code: name for name, code in _from_index(source, "SELECT id, code FROM document ORDER BY id")}
    statement = "INSERT INTO document (code, id, digest) VALUES (?, ?, ?)"
    highest = highest_row(source, "document") or max(ids, default=None)
    for code, row in rows_of(source, "document", ("id", "digest"), highest):
        name, digest = row or (ids.get(code), None)
        if name is None:
            documents.lost += 1
        else:
            _insert(target, documents, statement, (code, name, digest if digest in sound else None))


def _sound_text(digest: Any, kind: Any, title: Any, body: Any) -> bool:
    typed = isinstance(kind, str) and isinstance(title, str) and isinstance(body, bytes)
    return typed and Document("", body, title, kind).digest == digest


def _from_index(source: Connection, query: str) -> list[Any]:
    """Return what an index holds, read from both ends."""
    rows = source.readable(query) + source.readable(f"{query} DESC")
    return [row for row in rows if isinstance(row[0], str) and isinstance(row[1], int)]


# Runs, qrels and pools


@dataclass(frozen=True, slots=True)
class Columns:
    """A table of heads and the table of its topics: which columns stand side by side, and the bytes of one value in each."""

    part: str
    head: str
    head_columns: tuple[str, ...]
    topics: str
    owner: str
    columns: tuple[str, ...]
    sizes: tuple[int, ...]
    more: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()  # columns of the head that are JSON


TABLES = (
    Columns("runs", "run", ("name", "source", "rows", "removed"), "run_topic", "run", ("document", "score", "rank", "line"), (4, 8, 4, 8)),
    Columns(
        "qrels",
        "qrels",
        ("name", "source", "groups", "rows"),
        "qrels_topic",
        "qrels",
        ("document", "grade", "grp"),
        (4, 4, 4),
        (),
        ("groups",),
    ),
    Columns(
        "pools",
        "pool",
        ("strategy", "parameters", "runs", "rows"),
        "pool_topic",
        "pool",
        ("document", "contributions"),
        (4, 4),
        ("contribution_run", "contribution_rank"),
        ("parameters", "runs"),
    ),
)


def _columns(source: Connection, target: Connection, report: Report) -> None:
    known = np.array([row[0] for row in target.all("SELECT code FROM document ORDER BY code")], dtype=np.int64)
    for table in TABLES:
        heads = _heads(source, target, table, report.parts[table.part])
        _topic_rows(source, target, table, report.parts[table.part], heads, known)
        target.execute(
            f"UPDATE {table.head} SET rows = (SELECT coalesce(sum(length(document)), 0) / 4 FROM {table.topics} "
            f"WHERE {table.owner} = {table.head}.rowid)"
        )


def _heads(source: Connection, target: Connection, table: Columns, part: Part) -> set[int]:
    """Copy the heads and return their codes; a head that is lost takes its topics with it."""
    key = "version" if table.head == "pool" else "code"
    heads, scrap = set(), Part("heads")
    marks = ", ".join("?" * (len(table.head_columns) + 1))
    statement = f"INSERT INTO {table.head} ({key}, {', '.join(table.head_columns)}) VALUES ({marks})"
    for code, row in rows_of(source, table.head, table.head_columns, highest_row(source, table.head)):
        sound = row is not None and all(_json(row[table.head_columns.index(name)]) for name in table.texts)
        if row is not None and sound and _insert(target, scrap, statement, (code, *row)):
            heads.add(code)
        else:
            part.lost += 1
    return heads


def _json(text: Any) -> bool:
    try:
        return isinstance(json.loads(text), list | dict)
    except (ValueError, TypeError):
        return False


def _topic_rows(source: Connection, target: Connection, table: Columns, part: Part, heads: set[int], known: np.ndarray) -> None:
    names = (table.owner, "place", "topic", *table.columns, *table.more)
    statement = f"INSERT INTO {table.topics} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    for _, row in rows_of(source, table.topics, names, highest_row(source, table.topics)):
        if row is None or row[0] not in heads or not _side_by_side(row, table, known):
            part.lost += 1
        else:
            _insert(target, part, statement, row)


def _side_by_side(row: tuple[Any, ...], table: Columns, known: np.ndarray) -> bool:
    """Tell whether the columns are of one length and name documents that are there."""
    blobs = row[3:]
    if not all(isinstance(blob, bytes) for blob in blobs):
        return False
    lengths = {len(blob) / size for blob, size in zip(blobs, table.sizes, strict=False)}
    if len(lengths) > 1 or not lengths.pop().is_integer() or not np.isin(np.frombuffer(blobs[0], "<i4"), known).all():
        return False
    if not table.more:
        return True
    counts = np.frombuffer(blobs[1], "<i4").astype(np.int64)
    return bool((counts >= 0).all()) and {len(blob) for blob in blobs[2:]} == {int(counts.sum()) * 4}


# Events


def _events(source: Connection, target: Connection, report: Report) -> None:
    part = report.parts["events"]
    digests = _digests(source)
    highest = highest_row(source, "event") or max(digests.values(), default=None)
    found: list[tuple[int, Any, Any]] = []
    lost: dict[int, Any] = {}
    for sequence, row in rows_of(source, "event", ("digest", "body"), highest):
        if row is None:
            lost[sequence] = None
        else:
            found.append((sequence, *row))
    numbers = {sequence: digest for digest, sequence in digests.items()}
    lost |= dict.fromkeys(numbers.keys() - {sequence for sequence, *_ in found})
    events = dict(_sound(found, digests, lost))
    statement = "INSERT INTO event (sequence, digest, assessor, parent, body) VALUES (?, ?, ?, ?, ?)"
    for sequence, event in events.items():
        parent = bytes.fromhex(event.parent) if event.parent else None
        _insert(target, part, statement, (sequence, bytes.fromhex(event.digest), event.assessor, parent, event.encoded))
    part.lost += len(lost)
    for sequence, digest in sorted(lost.items()):
        name = numbers.get(sequence) or (digest if isinstance(digest, bytes) else b"")
        report.lost_events.append(f"event {sequence:,}" + (f" ({name.hex()[:12]})" if name else ""))
    _note_gaps(target, events.values())


def _digests(source: Connection) -> dict[bytes, int]:
    """Return the digest of each event and its number, as far as the index tells."""
    query = "SELECT digest, sequence FROM event ORDER BY digest"
    rows = source.readable(query) + source.readable(f"{query} DESC")
    return {row[0]: row[1] for row in rows if isinstance(row[0], bytes) and isinstance(row[1], int)}


def _sound(found: Iterable[tuple[int, Any, Any]], digests: dict[bytes, int], lost: dict[int, Any]) -> Iterator[tuple[int, Event]]:
    """Yield (number, event) of the bodies that fit a hash which the row, the index or another event names; note the others."""
    read = [(sequence, digest, _decoded(body)) for sequence, digest, body in found]
    named = {bytes.fromhex(name) for *_, event in read if event for name in (event.parent, event.target) if name}
    trusted, seen = named | digests.keys() | {digest for _, digest, _ in read if isinstance(digest, bytes)}, set()
    for sequence, digest, event in read:
        own = bytes.fromhex(event.digest) if event else b""
        if event and own in trusted and own not in seen:
            seen.add(own)
            yield sequence, event
        else:
            lost[sequence] = digest


def _decoded(body: Any) -> Event | None:
    try:
        event = decode(body)
    except (ProjectError, TypeError):
        return None
    return event if hashlib.sha256(body).hexdigest() == event.digest else None


def _note_gaps(target: Connection, events: Iterable[Event]) -> None:
    """Note which events are named and gone, so that what was judged after them counts and does not wait for them."""
    events = list(events)
    known = {event.digest for event in events}
    gone = sorted({name for event in events for name in (event.parent, event.target) if name} - known)
    if gone:
        target.execute("INSERT INTO fact VALUES (?, ?)", (LOST, json.dumps(gone)))
