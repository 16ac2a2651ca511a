"""Whether a project file is whole: SQLite's own check, every event chain, every document."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irjudge.errors import ProjectError
from irjudge.model.document import Document
from irjudge.model.event import decode
from irjudge.progress import SILENT, Progress
from irjudge.store.connection import Connection
from irjudge.store.events import losses, lost_events
from irjudge.store.remains import highest_row, rows_of

# What stands as columns, one row a topic: name, topic, columns with the document codes first, and the bytes of one value in each.
COLUMNS = (
    ("Run", "SELECT name, topic, document, score, rank, line FROM run_topic JOIN run ON code = run", (4, 8, 4, 8)),
    ("Qrels", "SELECT name, topic, document, grade, grp FROM qrels_topic JOIN qrels ON code = qrels", (4, 4, 4)),
    ("Pool", "SELECT pool, topic, document, contributions, stratum, probability FROM pool_topic", (4, 4, 4, 8)),
    ("Pool", "SELECT pool, topic, undrawn, undrawn_stratum FROM pool_topic", (4, 4)),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was looked at, and each fault as a sentence; no fault means the file is whole.

    `lost` counts by kind what the file says of itself that it lacks: what was lost before it was rescued, and events given up.
    """

    events: int
    documents: int
    faults: tuple[str, ...]
    lost: Mapping[str, int] = field(default_factory=dict)


def verify(connection: Connection, progress: Progress = SILENT) -> Verdict:
    """Check the file, each event, document, run, qrels and pool; it names the first event that does not fit."""
    counts, faults = [], []
    for look in (_verify_pages, verify_events, _verify_documents, _verify_columns):
        try:
            count, found = look(connection, progress)
        except ProjectError as fault:
            count, found = 0, [str(fault)]
        except (TypeError, ValueError, AttributeError):  # a strict table keeps no other kinds, so bytes of the file were changed
            count, found = 0, ["The file is damaged: it holds a value of another kind than its table keeps."]
        counts.append(count)
        faults += found
    try:
        lost = losses(connection)
    except ProjectError:  # then the settings cannot be read, which is among the faults
        lost = {}
    return Verdict(counts[1], counts[2], tuple(dict.fromkeys(faults)), lost)


def _verify_pages(connection: Connection, progress: Progress) -> tuple[int, list[str]]:
    progress.step(0, None, "Checking the file")
    rows = connection.all("PRAGMA integrity_check(5)")
    told = [" ".join(str(row[0]).replace("*** in database main ***", "").split()) for row in rows if row[0] != "ok"]
    return len(rows), [f"The file is damaged: its pages do not fit together ({'; '.join(told)})."] if told else []


def verify_events(connection: Connection, progress: Progress = SILENT) -> tuple[int, list[str]]:
    """Return how many events there are, and the first that does not fit as a sentence."""
    try:
        rows = connection.all("SELECT sequence, digest, assessor, parent, body FROM event ORDER BY sequence")
    except ProjectError as fault:
        count, sentence = _first_unreadable(connection)
        return count, [sentence or str(fault)]
    for sequence, *values in rows:
        if not _typed(*values):
            return len(rows), [f"Event {sequence}: it cannot be read."]
    known = {row[1] for row in rows} | {bytes.fromhex(digest) for digest in lost_events(connection)}
    for sequence, digest, assessor, parent, body in progress.through(rows, "Checking events", total=len(rows)):
        problem = _event_problem(digest, assessor, parent, body, known)
        if problem:
            return len(rows), [f"Event {sequence} ({digest.hex()[:12]}, {assessor}): {problem}."]
    return len(rows), []


def _first_unreadable(connection: Connection) -> tuple[int, str | None]:
    """Return how many events can be read, and the sentence about the first that cannot."""
    columns = ("digest", "assessor", "parent", "body")
    rows = list(rows_of(connection, "event", columns, highest_row(connection, "event")))
    first = next((number for number, row in rows if row is None), None)
    return sum(row is not None for _, row in rows), f"Event {first}: it cannot be read." if first else None


def _typed(digest: Any, assessor: Any, parent: Any, body: Any) -> bool:
    return isinstance(digest, bytes) and isinstance(assessor, str) and isinstance(parent, bytes | None) and isinstance(body, bytes)


def _event_problem(digest: bytes, assessor: str, parent: bytes | None, body: bytes, known: set[bytes]) -> str | None:
    if hashlib.sha256(body).digest() != digest:
        return "its bytes do not fit its hash, so it was changed after it was written"
    try:
        event = decode(body)
    except ProjectError as fault:
        return str(fault).rstrip(".")
    if event.assessor != assessor or event.parent != (parent.hex() if parent else None):
        return "its columns do not fit its bytes"
    if parent is not None and parent not in known:
        return f"the event before it ({parent.hex()[:12]}) is missing"
    if event.target is not None and bytes.fromhex(event.target) not in known:
        return f"the event it speaks of ({event.target[:12]}) is missing"
    return None


def _verify_documents(connection: Connection, progress: Progress) -> tuple[int, list[str]]:
    faults = []
    count = connection.one("SELECT count(*) FROM content")[0]
    for digest, kind, title, body in progress.through(_contents(connection), "Checking documents", total=count):
        if Document("", body, title, kind).digest != digest:
            names = [row[0] for row in connection.all("SELECT id FROM document WHERE digest = ? LIMIT 1", (digest,))]
            faults.append(f"Document {names[0] if names else '?'}: its text does not fit its hash, so it was changed.")
    lost = connection.all("SELECT id FROM document WHERE digest IS NOT NULL AND digest NOT IN (SELECT digest FROM content) LIMIT 5")
    return count, faults + [f"Document {name}: its text is missing." for (name,) in lost]


def _contents(connection: Connection) -> Iterator[Any]:
    """Yield digest, kind, title and body of each text, a few at a time: a long read would keep others from saving."""
    after = -1
    while rows := connection.all("SELECT rowid, digest, kind, title, body FROM content WHERE rowid > ? ORDER BY rowid LIMIT 20", (after,)):
        yield from (row[1:] for row in rows)
        after = rows[-1][0]


def _verify_columns(connection: Connection, progress: Progress) -> tuple[int, list[str]]:
    """Check that the columns of each run, qrels and pool are of one length and name known documents."""
    highest = connection.one("SELECT coalesce(max(code), 0) FROM document")[0]
    faults = []
    for what, query, sizes in COLUMNS:
        rows = connection.all(query)
        for name, topic, *columns in progress.through(rows, f"Checking {what}", total=len(rows)):
            lengths = {len(column) / size for column, size in zip(columns, sizes, strict=True)}
            if len(lengths) > 1 or not lengths.pop().is_integer():
                faults.append(f"{what} {name}, topic {topic}: its columns differ in length.")
                continue
            codes = np.frombuffer(columns[0], dtype="<i4")
            if len(codes) and not 1 <= codes.min() <= codes.max() <= highest:
                faults.append(f"{what} {name}, topic {topic}: it names a document that the project does not know.")
    return 0, faults
