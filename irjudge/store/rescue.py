"""Makes a sound project of what can be read of a damaged one, and says what is missing."""

import hashlib
import json
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from irjudge.errors import IrjudgeError, ProjectDamaged, ProjectError
from irjudge.model.document import Document
from irjudge.model.event import Event, decode
from irjudge.model.scale import Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import ASSIGNMENT, PROJECT, ROLE, RULES, SIDE_KEY
from irjudge.store.balance import Report as Report
from irjudge.store.balance import insert
from irjudge.store.connection import Connection, is_damage
from irjudge.store.events import KINDS, LOSSES, LOST, digests_in, losses_in, note_losses
from irjudge.store.remains import facts_of, highest_row, rows_of
from irjudge.store.rescue_assignments import TABLES as ASSIGNMENT_TABLES
from irjudge.store.rescue_assignments import rescue_assignments
from irjudge.store.rescue_columns import TABLES, reads_as_json, rescue_columns

FACTS: tuple[str, ...] = ("title", "owner", "scale", "seed", "instructions", "calibration", "handed_in", "deadline")
FACTS += (ROLE, PROJECT, ASSIGNMENT, RULES, SIDE_KEY)
SMALL = 4_000_000  # bytes of a file whose pages are looked at on opening
KEPT_IN = {"fact": "settings", "topic": "topics", "content": "texts", "document": "documents", "event": "judgments"}
KEPT_IN |= {"run": "runs", "run_topic": "runs", "qrels": "qrels", "qrels_topic": "qrels", "pool": "pools", "pool_topic": "pools"}
KEPT_IN |= {table[0]: "assignments" for table in ASSIGNMENT_TABLES} | {"waiting_event": "assignments"}


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
        if not is_damage(fault.__cause__):
            raise
        raise ProjectDamaged(f"{connection.name} is damaged: {fault}") from fault
    unfit = [name for name, sound in SOUND.items() if name in facts and not (isinstance(facts[name], str) and sound(facts[name]))]
    if unfit:
        raise ProjectDamaged(f"{connection.name} is damaged: its setting {unfit[0]} does not read as one.")
    if not all(map(reads_as_json, heads)):
        raise ProjectDamaged(f"{connection.name} is damaged: what it says about its qrels or pools does not read as such.")
    bad = next((number for number, (digest, body) in enumerate(events, 1) if not _fits(digest, body)), None)
    if bad:
        raise ProjectDamaged(f"{connection.name} is damaged: event {bad:,} of {len(events):,} does not fit its hash.")
    if pages != "ok":
        raise ProjectDamaged(f"{connection.name} is damaged: its pages do not fit together ({str(pages).splitlines()[-1].rstrip('.')}).")


def rescue_into(source: Connection, target: Connection, progress: Progress = SILENT) -> Report:
    """Copy all that can be read into a project that was just made.

    Events are kept byte for byte under their number; one that does not fit its hash is lost. A value that was damaged
    inside a run, qrels, pool, title or setting and still reads as one cannot be noticed: only events and texts have hashes.

    Raises
    ------
    ProjectDamaged
        When nothing of it can be read.
    """
    steps: tuple[tuple[str, Callable[[Connection, Connection, Report], None]], ...] = (
        ("settings", _tables),
        ("events", _events),  # before the facts, since who judged may have to stand for a lost owner
        ("facts", _facts),
        ("topics", _topics),
        ("documents", _documents),
        ("runs", rescue_columns),
        ("assignments", rescue_assignments),
        ("what was lost before", _losses),
    )
    report = Report()
    with source.held(), target.transaction():
        for done, (what, step) in enumerate(steps):
            progress.step(done, len(steps), f"Reading {what}")
            step(source, target, report)
    return report


def _tables(source: Connection, _target: Connection, report: Report) -> None:
    """Note the tables of which the file does not even say where they are."""
    gone = [table for table in KEPT_IN if not _can_be_asked(source, table)]
    if len(gone) == len(KEPT_IN):
        raise ProjectDamaged(f"{source.name} is damaged so much that nothing of it can be read.")
    report.remarks += [f"Of the {what} nothing can be read." for what in dict.fromkeys(KEPT_IN[table] for table in gone)]


def _can_be_asked(source: Connection, table: str) -> bool:
    try:
        source.all(f"SELECT 1 FROM {table} LIMIT 0")
    except ProjectError:
        return False
    return True


# Facts, topics, documents


def _facts(source: Connection, target: Connection, report: Report) -> None:
    part = report.parts["facts"]
    found = {name: value for name, value in facts_of(source, FACTS).items() if name not in (LOST, LOSSES)}  # noted anew at the end
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
        insert(target, part, "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value))


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
            insert(target, part, "INSERT INTO topic (code, id, title, description, narrative) VALUES (?, ?, ?, ?, ?)", (code, *row))


def _documents(source: Connection, target: Connection, report: Report) -> None:
    texts, documents = report.parts["texts"], report.parts["documents"]
    sound, named, unreadable = set(), set(), 0
    for _, row in rows_of(source, "content", ("digest", "kind", "title", "body"), highest_row(source, "content")):
        if row is None or not _sound_text(*row):
            unreadable += 1
        elif insert(target, texts, "INSERT INTO content VALUES (?, ?, ?, ?)", row):
            sound.add(row[0])
    ids = {code: name for name, code in _from_index(source, "SELECT id, code FROM document ORDER BY id", str)}
    digests = {code: digest for digest, code in _from_index(source, INDEXED_TEXTS, bytes)}
    statement = "INSERT INTO document (code, id, digest) VALUES (?, ?, ?)"
    highest = highest_row(source, "document") or max(ids, default=None)
    for code, row in rows_of(source, "document", ("id", "digest"), highest):
        name, digest = row or (ids.get(code), digests.get(code))
        named.add(digest)
        if name is None:
            documents.lost += 1
        else:
            insert(target, documents, statement, (code, name, digest if digest in sound else None))
    texts.lost += max(unreadable, len(named - sound - {None}))  # of texts that are cut off nothing but their documents tells


def _sound_text(digest: Any, kind: Any, title: Any, body: Any) -> bool:
    typed = isinstance(kind, str) and isinstance(title, str) and isinstance(body, bytes)
    return typed and Document("", body, title, kind).digest == digest


INDEXED_TEXTS = "SELECT digest, code FROM document WHERE digest IS NOT NULL ORDER BY digest"


def _from_index(source: Connection, query: str, kind: type) -> list[Any]:
    """Return what an index holds, read from both ends."""
    rows = source.readable(query) + source.readable(f"{query} DESC")
    return [row for row in rows if isinstance(row[0], kind) and isinstance(row[1], int)]


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
        insert(target, part, statement, (sequence, bytes.fromhex(event.digest), event.assessor, parent, event.encoded))
    part.lost += len(lost)
    for sequence, digest in sorted(lost.items()):
        name = numbers.get(sequence) or (digest if isinstance(digest, bytes) else b"")
        report.lost_events += [f"event {sequence:,}" + (f" ({name.hex()[:12]})" if name else "")]
    report.gone = _gone(events.values(), {numbers[sequence].hex() for sequence in lost if sequence in numbers})


def _digests(source: Connection) -> dict[bytes, int]:
    """Return the digest of each event and its number, as far as the index tells."""
    return dict(_from_index(source, "SELECT digest, sequence FROM event ORDER BY digest", bytes))


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


def _fits(digest: Any, body: Any) -> bool:
    return isinstance(body, bytes) and hashlib.sha256(body).digest() == digest


def _decoded(body: Any) -> Event | None:
    try:
        event = decode(body)
    except (ProjectError, TypeError):
        return None
    return event if hashlib.sha256(body).hexdigest() == event.digest else None


def _gone(events: Collection[Event], lost: set[str]) -> set[str]:
    """Return which events others or the index name and are gone: what was judged after them counts and does not wait for them."""
    known = {event.digest for event in events}
    return ({name for event in events for name in (event.parent, event.target) if name} | lost) - known


# What is missing


def _losses(source: Connection, target: Connection, report: Report) -> None:
    """Let the new file say what it lacks, and what the damaged one lacked before."""
    facts = facts_of(source, (LOST, LOSSES))
    known = {row[0].hex() for row in target.all("SELECT digest FROM event")}
    gone = report.gone | (_readable_digests(facts.get(LOST, "[]")) - known)
    earlier = losses_in(facts.get(LOSSES, "{}"))
    lost = {kind: earlier.get(kind, 0) + report.parts[kind].lost for kind in KINDS}
    note_losses(target, gone, {**lost, "events": max(lost["events"], len(gone))})


def _readable_digests(text: str) -> set[str]:
    try:
        return digests_in(text)
    except (ValueError, TypeError, RecursionError):
        return set()
