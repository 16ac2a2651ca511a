"""Makes a sound project of what can be read of a damaged one, runs, qrels and pools topic by topic, and says what is missing."""

import json
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from irjudge.errors import IrjudgeError, ProjectDamaged, ProjectError
from irjudge.message import Message
from irjudge.model.document import Document
from irjudge.model.scale import Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import ASSIGNMENT, HANDED_IN, PROJECT, ROLE, RULES, SIDE_KEY
from irjudge.store.connection import ODD, ODD_VALUE, Connection, is_damage
from irjudge.store.events import KINDS, LOSSES, LOST, digests_in, losses_in, note_losses
from irjudge.store.rescue.damaged_rows import facts_of, from_index, highest_row, rows_of
from irjudge.store.rescue.events import fits, rescue_events
from irjudge.store.rescue.first_page import HEADER_CHANGED, header_is_sound
from irjudge.store.rescue.raw_events import page_size
from irjudge.store.rescue.rescue_report import BalancePart, insert
from irjudge.store.rescue.rescue_report import RescueReport as RescueReport
from irjudge.store.schema import UNUSED, UNUSED_NUMBERS, unknown_probabilities
from irjudge.store.seals import SEALED
from irjudge.store.verify import CHANGED, UNKNOWN, misfits
from irjudge.store.verify import SMALL as HEADS

# Table, columns, which of them is the row number (None where it is none of them), and which are JSON.
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
    """Copy what can be read; an item of an assignment that is lost is lost with it."""
    part = report.parts["assignments"]
    for table, columns, key, texts in ASSIGNMENT_TABLES:
        names = (key, *columns) if key else columns
        statement = (
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        )
        known = {row[0] for row in target.all("SELECT code FROM assignment")}
        for number, row in rows_of(source, table, columns, highest_row(source, table)):
            if row is None or not _sound(row, columns, texts, known):
                part.lost += 1
            else:
                insert(target, part, statement, (number, *row) if key else row)


def _sound(
    row: tuple[Any, ...], columns: tuple[str, ...], texts: tuple[str, ...], assignments: set[int]
) -> bool:
    return (columns[0] != "assignment" or row[0] in assignments) and all(
        reads_as_json(row[columns.index(name)]) for name in texts
    )


FACTS: tuple[str, ...] = (
    "title",
    "owner",
    "scale",
    "seed",
    "instructions",
    "calibration",
    "side files",
    HANDED_IN,
    "deadline",
)
FACTS += (ROLE, PROJECT, ASSIGNMENT, RULES, SIDE_KEY)
SMALL = 4_000_000  # bytes of a file whose pages are looked at on opening
MOST_DIGITS = 100  # of a seed
HEAD = 1 << 20  # bytes at the beginning of a file that tell its size
KEPT_IN = {
    "fact": "settings",
    "topic": "topics",
    "content": "texts",
    "document": "documents",
    "document_fields": "documents",
    "event": "judgments",
}
KEPT_IN |= {
    "run": "runs",
    "run_topic": "runs",
    "qrels": "qrels",
    "qrels_topic": "qrels",
    "pool": "pools",
    "pool_topic": "pools",
}
KEPT_IN |= {table[0]: "assignments" for table in ASSIGNMENT_TABLES} | {
    "waiting_event": "assignments"
}


def look(connection: Connection) -> None:
    """Look whether a project can be worked with: settings, topics, events, and the pages of a small file."""
    try:
        facts = dict(connection.all("SELECT name, value FROM fact"))
        connection.all("SELECT id, title, description, narrative FROM topic")
        heads = [
            text
            for table in TABLES
            for name in table.texts
            for (text,) in connection.all(f"SELECT {name} FROM {table.head}")
        ]
        events = connection.all("SELECT digest, body FROM event ORDER BY sequence")
        small = connection.path.stat().st_size <= SMALL
        changed = misfits(connection, SEALED if small else HEADS)
        pages = connection.one("PRAGMA quick_check(1)")[0] if small else "ok"
        sound_header = header_is_sound(connection.path)
    except ProjectError as fault:
        if not is_damage(fault.__cause__):
            raise
        raise ProjectDamaged(
            "{connection} is damaged: {fault}", connection=connection.name, fault=fault
        ) from fault
    except ODD as fault:
        raise ProjectDamaged(
            "{connection} is damaged: {problem}.", connection=connection.name, problem=ODD_VALUE
        ) from fault
    unfit = [
        name
        for name, sound in SOUND.items()
        if name in facts and not (isinstance(facts[name], str) and sound(facts[name]))
    ]
    if unfit:
        raise ProjectDamaged(
            "{connection} is damaged: its setting {first} does not read as one.",
            connection=connection.name,
            first=unfit[0],
        )
    if not all(map(reads_as_json, heads)):
        raise ProjectDamaged(
            "{connection} is damaged: what it says about its qrels or pools does not read as such.",
            connection=connection.name,
        )
    _look_at_events(connection, events)
    if changed:
        raise ProjectDamaged(
            "{connection} is damaged: {first}", connection=connection.name, first=changed[0]
        )
    if not sound_header:
        raise ProjectDamaged(
            "{connection} is damaged: {problem}.",
            connection=connection.name,
            problem=HEADER_CHANGED,
        )
    if pages != "ok":
        raise ProjectDamaged(
            "{connection} is damaged: its pages do not fit together ({splitlines}).",
            connection=connection.name,
            splitlines=str(pages).splitlines()[-1].rstrip("."),
        )


def _look_at_events(connection: Connection, events: Sequence[Sequence[Any]]) -> None:
    bad = next(
        (number for number, (digest, body) in enumerate(events, 1) if not fits(digest, body)), None
    )
    if bad:
        raise ProjectDamaged(
            "{connection} is damaged: event {bad:,} of {events:,} does not fit its hash.",
            connection=connection.name,
            bad=bad,
            events=len(events),
        )


def rescue_into(
    source: Connection, target: Connection, progress: Progress = SILENT, *, file: Path | None = None
) -> RescueReport:
    """Copy all that can be read into a project that was just made.

    Events are kept byte for byte under their number; one that does not fit its hash is lost. They are looked for in the raw bytes too,
    for which `file` names the damaged file where `source` is a mended copy of it. A value that was damaged
    inside a run, qrels, pool, title or setting and still reads as one cannot be noticed: only events and texts have hashes.
    """
    steps: tuple[tuple[str, Callable[[Connection, Connection, RescueReport], None]], ...] = (
        (
            "events",
            partial(rescue_events, file=file or source.path, progress=progress),
        ),  # first: who judged may stand for a lost owner
        ("tables", _tables),
        ("facts", _facts),
        ("topics", _topics),
        ("documents", _documents),
        ("runs", rescue_columns),
        ("assignments", rescue_assignments),
        (Message("what was lost before"), _losses),
    )
    report = RescueReport(remarks=_cut_off(file or source.path))
    with source.held(), target.transaction():
        for done, (what, step) in enumerate(steps):
            progress.step(done, len(steps), Message("Reading {what}", what=what))
            try:
                step(source, target, report)
            except ProjectDamaged:
                raise
            except (ProjectError, *ODD):
                report.remarks.append(Message("Of the {what} nothing more can be read.", what=what))
        _changed(source, report)
    return report


def _cut_off(file: Path) -> list[str]:
    """Return a sentence where a file is shorter than its header says."""
    try:
        with file.open("rb") as opened:
            head = opened.read(HEAD)
        size, there = page_size(head), file.stat().st_size
    except OSError:
        return []
    expected = int.from_bytes(head[28:32], "big") * size
    return (
        [
            Message(
                "The file has {there:,} bytes and says that it has {expected:,}: it may be cut off.",
                key="cut-off",
                there=there,
                expected=expected,
            )
        ]
        if there < expected
        else []
    )


def _changed(source: Connection, report: RescueReport) -> None:
    """Name what does not fit its hash; it was kept where it reads as such a thing. What cannot be read is named elsewhere."""
    found: list[str] = []
    for sealed in SEALED:
        with suppress(ProjectError, *ODD):
            found += [
                sentence
                for sentence in misfits(source, (sealed,))
                if CHANGED in sentence or sentence == UNKNOWN
            ]
    report.remarks += dict.fromkeys(found)


def _tables(source: Connection, _target: Connection, report: RescueReport) -> None:
    """Note the tables of which the file does not even say where they are."""
    gone = [table for table in KEPT_IN if not _can_be_asked(source, table)]
    found = report.parts["events"].read
    if len(gone) == len(KEPT_IN) and not found:
        raise ProjectDamaged(
            "{source} is damaged so much that nothing of it can be read.", source=source.name
        )
    lost = dict.fromkeys(KEPT_IN[table] for table in gone if table != "event" or not found)
    report.remarks += [Message("Of the {what} nothing can be read.", what=what) for what in lost]


def _can_be_asked(source: Connection, table: str) -> bool:
    try:
        source.all(f"SELECT 1 FROM {table} LIMIT 0")
    except ProjectError:
        return False
    return True


# Facts, topics, documents


def _facts(source: Connection, target: Connection, report: RescueReport) -> None:
    part = report.parts["facts"]
    found = {
        name: value for name, value in facts_of(source, FACTS).items() if name not in (LOST, LOSSES)
    }  # noted anew at the end
    for name, sound in SOUND.items():
        if name in found and not sound(found[name]):
            del found[name]
    judges = [row[0] for row in target.all("SELECT DISTINCT assessor FROM event")]
    instead = {
        "scale": (
            Scale.parse("0-3").to_json(),
            Message("The scale is lost; 0 to 3 stands in its place.", key="lost-scale"),
        ),
        "seed": (
            str(secrets.randbits(128)),
            Message("The seed is lost, so the documents come in a new order.", key="lost-seed"),
        ),
        "owner": (
            judges[0] if len(judges) == 1 else "owner",
            Message("The owner's name is lost.", key="lost-owner"),
        ),
        "title": (
            source.path.stem,
            Message("The title is lost; the file's name stands in its place."),
        ),
    }
    for name, (value, sentence) in instead.items():
        if name not in found:
            part.lost += 1
            report.remarks.append(sentence)
            target.execute("INSERT INTO fact VALUES (?, ?)", (name, value))
    for name, value in found.items():
        insert(
            target,
            part,
            "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )


def _sound_scale(text: str) -> bool:
    try:
        Scale.from_json(text)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        IrjudgeError,
    ):
        return False
    return True


def _sound_calibration(text: str) -> bool:
    try:
        return all(
            isinstance(grade, int)
            for grades in json.loads(text).values()
            for grade in grades.values()
        )
    except (ValueError, AttributeError, RecursionError):
        return False


# Facts that others rely on: what must hold of their text.
SOUND: dict[str, Callable[[str], bool]] = {
    "scale": _sound_scale,
    "seed": lambda text: text.isascii() and text.isdigit() and len(text) < MOST_DIGITS,
    "owner": lambda text: bool(text.strip()),
    "calibration": _sound_calibration,
}


def _topics(source: Connection, target: Connection, report: RescueReport) -> None:
    part, columns = report.parts["topics"], ("id", "title", "description", "narrative")
    for code, row in rows_of(source, "topic", columns, highest_row(source, "topic")):
        if row is None:
            part.lost += 1
        else:
            insert(
                target,
                part,
                "INSERT INTO topic (code, id, title, description, narrative) VALUES (?, ?, ?, ?, ?)",
                (code, *row),
            )


def _documents(source: Connection, target: Connection, report: RescueReport) -> None:
    texts, documents = report.parts["texts"], report.parts["documents"]
    sound, named, unreadable = set(), set(), 0
    for _, row in rows_of(
        source, "content", ("digest", "kind", "title", "body"), highest_row(source, "content")
    ):
        if row is None or not _sound_text(*row):
            unreadable += 1
        elif insert(target, texts, "INSERT INTO content VALUES (?, ?, ?, ?)", row):
            sound.add(row[0])
    ids = {
        code: name
        for name, code in from_index(source, "SELECT id, code FROM document ORDER BY id", str)
    }
    digests = {code: digest for digest, code in from_index(source, INDEXED_TEXTS, bytes)}
    statement = "INSERT INTO document (code, id, digest) VALUES (?, ?, ?)"
    highest = highest_row(source, "document") or max(ids, default=None)
    for code, row in rows_of(source, "document", ("id", "digest"), highest):
        name, digest = row or (ids.get(code), digests.get(code))
        named.add(digest)
        if name is None:
            documents.lost += 1
        else:
            insert(target, documents, statement, (code, name, digest if digest in sound else None))
    _fields(source, target, sound)
    texts.lost += max(
        unreadable, len(named - sound - {None})
    )  # of texts that are cut off nothing but their documents tells


def _fields(source: Connection, target: Connection, sound: set[bytes]) -> None:
    """Copy the fields of documents that are there, with their pictures where those are; older forms keep none."""
    part, statement = (
        BalancePart("fields"),
        "INSERT INTO document_fields SELECT ?1, ?2, ?3, ?4 WHERE ?1 IN (SELECT code FROM document)",
    )
    for code, row in rows_of(
        source,
        "document_fields",
        ("fields", "pictured", "picture"),
        highest_row(source, "document_fields"),
    ):
        if row is not None and reads_as_json(row[0]):
            insert(target, part, statement, (code, *row[:2], row[2] if row[2] in sound else None))


def _sound_text(digest: Any, kind: Any, title: Any, body: Any) -> bool:
    typed = isinstance(kind, str) and isinstance(title, str) and isinstance(body, bytes)
    return typed and Document("", body, title, kind).digest == digest


INDEXED_TEXTS = "SELECT digest, code FROM document WHERE digest IS NOT NULL ORDER BY digest"


# What is missing


def _losses(source: Connection, target: Connection, report: RescueReport) -> None:
    """Let the new file say what it lacks, and what the damaged one lacked before."""
    facts = facts_of(source, (LOST, LOSSES))
    known = {row[0].hex() for row in target.all("SELECT digest FROM event")}
    gone = report.gone | (_readable_digests(facts.get(LOST, "[]")) - known)
    earlier = losses_in(facts.get(LOSSES, "{}"))
    lost = {kind: earlier.get(kind, 0) + report.parts[kind].lost for kind in KINDS}
    note_losses(target, gone, {**lost, "events": max(lost["events"], len(gone))})
    unused = target.one(UNUSED_NUMBERS)[0]
    if unused:
        target.execute(
            "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (UNUSED, str(unused)),
        )


def _readable_digests(text: str) -> set[str]:
    try:
        return digests_in(text)
    except (ValueError, TypeError, RecursionError):
        return set()


UNDRAWN = "undrawn_probability"  # the last column; files older than form 7 lack it


@dataclass(frozen=True, slots=True)
class ColumnTables:
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
    # further columns of one length, the first of them document codes, and the bytes of one value
    apart: tuple[str, ...] = ()
    apart_sizes: tuple[int, ...] = ()


TABLES = (
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
        ("groups",),
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
        ("parameters", "runs"),
        ("undrawn", "undrawn_stratum", UNDRAWN),
        (4, 4, 8),
    ),
)


def rescue_columns(source: Connection, target: Connection, report: RescueReport) -> None:
    """Copy what can be read; a topic whose columns do not fit together, or name a lost document, is lost."""
    known = np.array(
        [row[0] for row in target.all("SELECT code FROM document ORDER BY code")], dtype=np.int64
    )
    for table in TABLES:
        heads = _heads(source, target, table, report.parts[table.part])
        if table.head == "run":
            _metadata(source, target, report.parts[table.part], heads)
        _topic_rows(source, target, table, report.parts[table.part], heads, known)
        target.execute(
            f"UPDATE {table.head} SET rows = (SELECT coalesce(sum(length(document)), 0) / 4 FROM {table.topics} "
            f"WHERE {table.owner} = {table.head}.rowid)"
        )


def _heads(
    source: Connection, target: Connection, table: ColumnTables, part: BalancePart
) -> set[int]:
    """Copy the heads and return their codes; a head that is lost takes its topics with it."""
    key = "version" if table.head == "pool" else "code"
    heads, scrap = set(), BalancePart("heads")
    marks = ", ".join("?" * (len(table.head_columns) + 1))
    statement = (
        f"INSERT INTO {table.head} ({key}, {', '.join(table.head_columns)}) VALUES ({marks})"
    )
    for code, row in rows_of(
        source, table.head, table.head_columns, highest_row(source, table.head)
    ):
        sound = row is not None and all(
            reads_as_json(row[table.head_columns.index(name)]) for name in table.texts
        )
        if row is not None and sound and insert(target, scrap, statement, (code, *row)):
            heads.add(code)
        else:
            part.lost += 1
    return heads


def _metadata(source: Connection, target: Connection, part: BalancePart, runs: set[int]) -> None:
    """Copy what runs say of themselves; older forms keep nothing of it."""
    for run, row in rows_of(source, "run_metadata", ("text",), highest_row(source, "run_metadata")):
        if row is None:
            part.lost += 1
        elif run in runs:
            insert(
                target,
                BalancePart("metadata"),
                "INSERT INTO run_metadata (run, text) VALUES (?, ?)",
                (run, *row),
            )


def reads_as_json(text: Any) -> bool:
    """Tell whether a text is a JSON list or object."""
    try:
        return isinstance(json.loads(text), list | dict)
    except (ValueError, TypeError, RecursionError):
        return False


def _topic_rows(
    source: Connection,
    target: Connection,
    table: ColumnTables,
    part: BalancePart,
    heads: set[int],
    known: np.ndarray,
) -> None:
    names = (table.owner, "place", "topic", *table.columns, *table.more, *table.apart)
    statement = (
        f"INSERT INTO {table.topics} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    )
    newer = UNDRAWN in names and _has_column(source, table.topics, UNDRAWN)
    stored = names if newer or UNDRAWN not in names else names[:-1]
    for _, row in rows_of(source, table.topics, stored, highest_row(source, table.topics)):
        if row is not None and UNDRAWN in names:
            row = _with_probabilities(row, stored=newer)
        if row is None or row[0] not in heads or not _side_by_side(row, table, known):
            part.lost += 1
        else:
            insert(target, part, statement, row)


def _with_probabilities(row: tuple[Any, ...], *, stored: bool) -> tuple[Any, ...]:
    """Return the row of a pool's topic; NaN where no probability of an unsampled document is stored."""
    codes = row[-3] if stored else row[-2]
    if (stored and row[-1]) or not isinstance(codes, bytes):
        return row
    return (*(row[:-1] if stored else row), unknown_probabilities(len(codes) // 4))


def _has_column(source: Connection, table: str, name: str) -> bool:
    try:
        rows = source.all(f"SELECT name FROM pragma_table_info('{table}')")
    except ProjectError:
        return True
    return name in {row[0] for row in rows}


def _side_by_side(row: tuple[Any, ...], table: ColumnTables, known: np.ndarray) -> bool:
    """Tell whether the columns are of one length and name documents that are there."""
    blobs = row[3:]
    if not all(isinstance(blob, bytes) for blob in blobs):
        return False
    first = len(table.columns)
    apart = blobs[first + len(table.more) :]
    if not _one_length(blobs[:first], table.sizes, known) or (
        apart and not _one_length(apart, table.apart_sizes, known)
    ):
        return False
    if not table.more:
        return True
    counts = np.frombuffer(blobs[1], "<i4").astype(np.int64)
    return bool((counts >= 0).all()) and {
        len(blob) for blob in blobs[first : first + len(table.more)]
    } == {int(counts.sum()) * 4}


def _one_length(blobs: Sequence[bytes], sizes: Sequence[int], known: np.ndarray) -> bool:
    """Tell whether columns have as many values each, and the first names documents that are there."""
    lengths = {len(blob) / size for blob, size in zip(blobs, sizes, strict=True)}
    return (
        len(lengths) == 1
        and lengths.pop().is_integer()
        and bool(np.isin(np.frombuffer(blobs[0], "<i4"), known).all())
    )
