"""Tests of rescue after changed bytes: every intact event is recovered.

Intact events are found here without the program.
"""

import random
import shutil
import sqlite3
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import ProjectDamaged
from irjudge.judging import Session
from irjudge.model import CLIENT_VERSION, Document, Event, Item
from irjudge.store import Participant, Project, open_project, rescue_file
from irjudge.store.damaged_file import detect_page_size, scan_events
from irjudge.store.rescue_project import RescueReport
from tests.byte_flips import HEADER, make_class_project

PAGE = 4096
WORDS = 900  # of a note that is longer than two pages; all pages differ


@pytest.fixture(scope="module")
def whole_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("whole") / "p.irjudge"


@pytest.fixture
def path(project_file: Path, whole_project: Path) -> Path:
    """Create a project with short and long events, waiting events, and free pages.

    Events come from windows and browsers; long ones continue on overflow pages.
    """
    if not whole_project.exists():
        with open_project(project_file) as project:
            for name in ("ann", "bob"):
                session = Session(project, name)
                for number in range(60):
                    work = session.advance() or session.open_topic("051")
                    session.grade(work, number % 4, active_ms=number)
                    if number % 20 == 10:
                        session.note(
                            work, " ".join(f"{name}-{number}-{word}" for word in range(WORDS))
                        )
            add_browser_events(project)
            last = Event(
                "cleo",
                "grade",
                Item("051", ("d1",), ("0" * 64,)),
                "2026-01-01T00:00:00.000Z",
                {"value": 1},
                None,
                "a" * 64,
            )
            project.events.append_merged([], [last])
        other = sqlite3.connect(project_file)
        with other:
            other.execute("CREATE TABLE gone (text TEXT)")
            other.executemany("INSERT INTO gone VALUES (?)", [("x" * 3000,)] * 20)
            other.execute("DROP TABLE gone")
        other.close()
        shutil.copy(project_file, whole_project)
    return Path(shutil.copy(whole_project, project_file.with_name("damaged.irjudge")))


def add_browser_events(project: Project) -> None:
    """Add events of version 2 from a browser, one of them longer than two pages."""
    parent = None
    for number in range(1, 21):
        item = Item("051", (f"d{number % 6}",), ("0" * 64,))
        when = f"2026-03-01T00:00:{number:02}.000Z"
        kind, payload = (
            ("grade", {"value": number % 4})
            if number != 10
            else ("note", {"text": " ".join(f"dan-{n}" for n in range(1200))})
        )
        event = Event(
            "dan",
            kind,
            item,
            when,
            payload,
            None,
            parent,
            CLIENT_VERSION,
            "c" * 32,
            number,
            "model" if number > 15 else "person",
        )
        project.events.append(event)
        parent = event.digest


def events_of(path: Path, table: str = "event") -> dict[str, bytes]:
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        return {
            digest.hex(): body
            for digest, body in connection.execute(f"SELECT digest, body FROM {table}")
        }
    finally:
        connection.close()


def spans(data: bytes, body: bytes) -> Iterator[tuple[int, int]]:
    """Yield the positions of an event's pieces, each as long as possible."""
    while body:
        low, high = 1, len(body) + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if data.find(body[:middle]) >= 0 else (low, middle)
        begin = data.find(body[:low])
        yield begin, begin + low
        body = body[low:]


class Damage:
    """Project file that is damaged repeatedly, with its expected events."""

    def __init__(self, path: Path) -> None:
        self.path, self.data = path, path.read_bytes()
        self.sound = events_of(path) | events_of(path, "waiting_event")
        self.spans = {digest: list(spans(self.data, body)) for digest, body in self.sound.items()}

    def rescued(self, *changes: tuple[int, bytes]) -> tuple[RescueReport, dict[str, bytes]]:
        """Rescue a copy with changed bytes; return the report and the events of the new file."""
        data = bytearray(self.data)
        for offset, other in changes:
            data[offset : offset + len(other)] = other
        return self.rescued_from(bytes(data))

    def rescued_from(self, data: bytes) -> tuple[RescueReport, dict[str, bytes]]:
        self.path.write_bytes(data)
        target = self.path.with_name("rescued.irjudge")
        target.unlink(missing_ok=True)
        report = rescue_file(self.path, target)
        with open_project(target, writing=False) as project:
            assert project.damage is None
        assert self.path.read_bytes() == data
        return report, events_of(target) | events_of(target, "waiting_event")

    def check(self, offset: int, value: int) -> None:
        report, events = self.rescued((offset, bytes([self.data[offset] ^ value])))
        intact = {
            digest
            for digest, parts in self.spans.items()
            if not any(begin <= offset < end for begin, end in parts)
        }
        assert intact <= events.keys() <= self.sound.keys(), (offset, value, report.sentences)
        assert all(events[digest] == self.sound[digest] for digest in events)
        assert len(events) == len(self.sound) or not report.is_complete, (
            offset,
            value,
            "an event is missing and nothing says so",
        )

    def pages(self) -> range:
        return range(0, len(self.data), PAGE)


def important_positions(data: bytes) -> list[int]:
    """Return positions in headers, schema, roots, interior pages, and the free list."""
    trees = [at for at in range(0, len(data), PAGE) if data[at + (100 if at == 0 else 0)] in (2, 5)]
    trunk = (int.from_bytes(data[32:36], "big") - 1) * PAGE
    contents = [
        at // PAGE * PAGE for at in range(len(data)) if data.startswith(b"CREATE TABLE", at)
    ]
    offsets = [*range(100), *(at + each for at in (*trees, *contents, trunk) for each in range(60))]
    return offsets + [at + each for at in range(PAGE, len(data), PAGE) for each in range(8)]


@pytest.mark.slow
def test_a_change_in_file_structure_loses_no_intact_event(path: Path, full: bool) -> None:
    damage, chance = Damage(path), random.Random(3)
    offsets = important_positions(damage.data)
    for offset in chance.choices(offsets, k=700 if full else 25):
        damage.check(offset, 1 << chance.randrange(8))


@pytest.mark.slow
def test_a_change_anywhere_loses_no_intact_event(path: Path, full: bool) -> None:
    damage, chance = Damage(path), random.Random(4)
    for _ in range(3000 if full else 15):
        damage.check(chance.randrange(len(damage.data)), chance.randrange(1, 256))


def test_a_page_link_into_another_long_event_loses_nothing(path: Path) -> None:
    """The combined bytes parse as an event that was never written; the original is still found."""
    damage = Damage(path)
    long = [parts for parts in damage.spans.values() if len(parts) == 3]
    for parts, other in pairwise(long):
        link, stranger = parts[1][0] - 4, other[2][0] // PAGE + 1
        report, events = damage.rescued((link, stranger.to_bytes(4, "big")))
        assert events.keys() == damage.sound.keys() and not report.separate_events


@pytest.mark.slow
@pytest.mark.parametrize("has_end", [False, True])
def test_pages_full_of_links_take_little_time(path: Path, has_end: bool) -> None:
    """Each page begins an event, whose possible links all lead to a chain through all pages."""
    count, first = 100, path.stat().st_size // PAGE
    pages = b""
    for number in range(count):
        link = (first + 1 + (number + 1) % count).to_bytes(4, "big")
        begin = link + b'{"actor":"' + b"x" * 54 + (b'"v":1}' if has_end else b"")
        pages += (begin + link * (PAGE // 4))[:PAGE]
    path.write_bytes(path.read_bytes() + pages)
    data = bytearray(path.read_bytes())
    data[28:32] = (first + count).to_bytes(4, "big")
    began = time.process_time()
    events = list(scan_events(bytes(data), ()))
    assert time.process_time() - began < 3
    expected = events_of(path) | events_of(path, "waiting_event")
    assert {event.event.digest for event in events} == expected.keys()


def test_a_waiting_event_is_kept_with_any_other_columns(path: Path) -> None:
    damage = Damage(path)
    (digest,) = events_of(path, "waiting_event")
    assessor = damage.data.find(bytes.fromhex(digest)) + 32
    for offset in (assessor, assessor + 10):  # and the preceding event
        report, events = damage.rescued((offset, bytes([damage.data[offset] ^ 206])))
        assert events == damage.sound and not report.parts["assignments"].lost_count


def root_of(path: Path, table: str) -> int:
    connection = sqlite3.connect(path)
    try:
        return (
            connection.execute(
                "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
            ).fetchone()[0]
            - 1
        ) * PAGE
    finally:
        connection.close()


@pytest.mark.parametrize("offset", [0, 15, 16, 18, 20, 21, 29, 44, 56, 59, 60, 63, 68, 71])
def test_a_damaged_header_loses_nothing(path: Path, offset: int) -> None:
    damage = Damage(path)
    report, events = damage.rescued((offset, bytes([damage.data[offset] ^ 0x41])))
    assert events.keys() == damage.sound.keys()
    assert (report.parts["documents"].read_count, report.parts["topics"].read_count) == (12, 2)
    assert report.is_complete or (offset == 29 and report.sentences[0].key == "cut-off")


def test_a_missing_header_or_damaged_schema_loses_nothing(path: Path) -> None:
    damage = Damage(path)
    contents = damage.data.find(b"CREATE TABLE event") // PAGE * PAGE
    for begin, size in ((0, 100), (0, PAGE), (contents, PAGE), (contents, 8)):
        report, events = damage.rescued((begin, bytes(size)))
        assert events.keys() == damage.sound.keys(), (begin, size)
        assert (report.parts["documents"].read_count, report.parts["facts"].lost_count) == (
            12,
            0,
        ), (
            begin,
            size,
        )


def test_without_the_root_of_the_log_events_are_found_in_raw_bytes(
    path: Path,
) -> None:
    damage = Damage(path)
    report, events = damage.rescued((root_of(path, "event"), bytes(8)))
    assert events.keys() == damage.sound.keys() and report.parts["events"].lost_count == 0
    assert (
        report.counts_by_origin["overflow chain"] == 7 and report.counts_by_origin["raw scan"] > 100
    )
    (message,) = (each for each in report.sentences if each.key == "found-outside")
    assert message.values["counts"].split()[0].isdigit() and "7 in " in message.values["counts"]


def test_a_log_of_unknown_length_is_not_reported_as_complete(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage = Damage(path)
    report, events = damage.rescued((root_of(path, "sqlite_sequence"), bytes(PAGE)))
    assert events.keys() == damage.sound.keys()
    assert not report.is_complete
    assert "unknown-length" in [getattr(each, "key", "") for each in report.sentences]
    target = path.with_name("again.irjudge")
    assert main(["rescue", str(path), "-o", str(target)]) == 0
    assert "Nothing" not in capsys.readouterr().err


def test_deleted_events_on_free_pages_are_kept_or_named(
    path: Path,
) -> None:
    sound = events_of(path)
    other = sqlite3.connect(path)
    # the default build of SQLite; with secure delete nothing would remain
    other.execute("PRAGMA secure_delete = OFF")
    with other:
        other.execute("DROP TRIGGER event_remains")
        other.execute("DELETE FROM event WHERE sequence > 30")
    other.close()
    data = path.read_bytes()
    there = {digest for digest, body in sound.items() if body in data}
    report = rescue_file(path, path.with_name("rescued.irjudge"))
    events = events_of(path.with_name("rescued.irjudge"))
    named = {sentence[-13:-1] for sentence in report.separate_events}
    assert events.items() <= sound.items() and len(there) > 60
    assert {
        digest for digest in there if digest not in events and digest[:12] not in named
    } <= events_waiting(path)
    assert not report.is_complete and "assigned 146 numbers" in report.sentences[-1]


def events_waiting(path: Path) -> set[str]:
    return set(events_of(path.with_name("rescued.irjudge"), "waiting_event"))


def forge_events(count: int, parent: str | None = None) -> list[Event]:
    events: list[Event] = []
    for number in range(count):
        item = Item("051", (f"d{number}",), ("0" * 64,))
        events.append(
            Event(
                "ann", "grade", item, f"2026-02-01T00:00:0{number}.000Z", {"value": 3}, None, parent
            )
        )
        parent = events[-1].digest
    return events


def row_of(event: Event, number: int) -> bytes:
    """Return a row of the log in file format."""
    parent = bytes.fromhex(event.parent) if event.parent else b""
    kind = 2 * len(event.canonical_bytes) + 12
    kinds = bytes(
        (0, 76, 2 * len(event.assessor) + 13, 76 if parent else 0, kind >> 7 | 0x80, kind & 0x7F)
    )
    record = (
        bytes([len(kinds) + 1])
        + kinds
        + bytes.fromhex(event.digest)
        + event.assessor.encode()
        + parent
        + event.canonical_bytes
    )
    return bytes((len(record) >> 7 | 0x80, len(record) & 0x7F, number)) + record


def test_events_outside_the_log_are_not_added_to_it(path: Path) -> None:
    """They are events in a document's text, of another file after the last page, or uncommitted.

    The report lists them separately.
    """
    with open_project(path) as project:
        head = project.events.head("ann")
        last = project.events.last_sequence("ann")
    damage = Damage(path)
    strangers, uncommitted = forge_events(2), forge_events(1, head)
    free = (int.from_bytes(damage.data[32:36], "big") - 1) * PAGE
    data = bytearray(damage.data)
    texts = strangers[0].canonical_bytes + b"\n" + strangers[1].canonical_bytes
    data[free + 2000 : free + 2000 + len(texts)] = texts
    row = row_of(uncommitted[0], last)  # its number was given to another event
    data[free + 1000 : free + 1000 + len(row)] = row
    slack = b"".join(row_of(event, number) for number, event in enumerate(strangers, 1))
    report, events = damage.rescued_from(bytes(data) + slack)
    assert events.keys() == damage.sound.keys()
    assert {sentence[-13:-1] for sentence in report.separate_events} == {
        event.digest[:12] for event in strangers + uncommitted
    }
    assert not report.is_complete and "not recovered" in "\n".join(report.sentences)


def test_an_event_on_a_free_page_is_restored_if_the_log_names_it(path: Path) -> None:
    """The row is lost with its page; a free page has a copy, and the next event names it."""
    damage = Damage(path)
    with open_project(path, writing=False) as project:
        number, event = list(project.events.read_since(0, "bob"))[3]
    begin, end = damage.spans[event.digest][0]
    free = (int.from_bytes(damage.data[32:36], "big") - 1) * PAGE
    row = row_of(event, number)
    report, events = damage.rescued((begin, b"#" * (end - begin)), (free + 1000, row))
    assert events.keys() == damage.sound.keys() and report.counts_by_origin["free page"] == 1


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_truncated_file_keeps_every_remaining_event(path: Path, share: float) -> None:
    damage = Damage(path)
    length = int(len(damage.data) * share)
    report, events = damage.rescued_from(damage.data[:length])
    assert {
        digest for digest, parts in damage.spans.items() if all(end <= length for _, end in parts)
    } <= events.keys()
    assert not report.is_complete


def test_an_event_with_a_partly_damaged_hash_is_verified_by_the_rest(path: Path) -> None:
    damage = Damage(path)
    last = list(damage.sound)[59]
    changes = []
    offset = damage.data.find(bytes.fromhex(last))
    while offset >= 0:  # in the row and in the index
        changes.append((offset, b"\0" * 8))
        offset = damage.data.find(bytes.fromhex(last), offset + 1)
    _, events = damage.rescued(*changes)
    assert len(changes) >= 2 and last in events


def test_an_impossible_page_size_is_ignored() -> None:
    # of a leaf with one cell, which begins at 4000
    begin = bytes([13, 0, 0, 0, 1]) + (4000).to_bytes(2, "big")
    data = bytearray(40 * 4096)
    for index in range(512, len(data), 512):
        data[index : index + len(begin)] = begin
    assert detect_page_size(bytes(data)) == 4096


# Every table


@pytest.fixture(scope="module")
def full_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project with rows in every table."""
    path, _ = make_class_project(tmp_path_factory.mktemp("everything"))
    with open_project(path) as project:
        add_browser_events(project)
        project.collection.add_documents([Document("shoe", b"text", fields=(("price", "12"),))])
        last = Event(
            "cleo",
            "grade",
            Item("051", ("d1",), ("0" * 64,)),
            "2026-01-01T00:00:00.000Z",
            {"value": 1},
            None,
            "a" * 64,
        )
        project.events.append_merged([], [last])
        session = project.sessions.add(
            "s1", 1, {"overlap": 2, "names": ["ann"]}, "2026-01-01T00:00:00.000Z"
        )
        for number in range(5):
            project.sessions.add_participant(
                Participant(
                    f"p{number}",
                    session,
                    1,
                    f"name {number}",
                    bytes(32),
                    "2026-01-01T00:00:00.000Z",
                )
            )
        project.sessions.store_lease_states([(1, 0, "late"), (1, 1, "lost")])
        project.assignments.set_exclusion("bob", "too quick")
        judging = Session(project)
        for number in range(2):
            judging.note(judging.advance(), " ".join(f"{number}-{word}" for word in range(WORDS)))
    return path


def iter_pages_of_chunk(data: bytes) -> dict[str, list[int]]:
    """Return the positions of the pages of each table and index, read without the program."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(data)
        roots = connection.execute(
            "SELECT name, rootpage FROM sqlite_schema WHERE rootpage"
        ).fetchall()
        empty = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            if not has_rows(connection, name)
        ]
    finally:
        connection.close()
    assert empty == []
    return {
        name: list(tree(data, (root - 1) * PAGE)) for name, root in [("sqlite_schema", 1), *roots]
    }


def has_rows(connection: sqlite3.Connection, table: str) -> bool:
    return connection.execute(f"SELECT 1 FROM {table}").fetchone() is not None


def tree(data: bytes, page: int) -> Iterator[int]:
    """Yield the positions of a page and of all pages below it."""
    yield page
    head = page + (HEADER if page == 0 else 0)
    if data[head] in (2, 5):  # it has child pages
        count = int.from_bytes(data[head + 3 : head + 5], "big")
        cells = [
            page + int.from_bytes(data[at : at + 2], "big")
            for at in range(head + 12, head + 12 + 2 * count, 2)
        ]
        for at in (*cells, head + 8):
            yield from tree(data, (int.from_bytes(data[at : at + 4], "big") - 1) * PAGE)


@pytest.mark.slow
def test_a_change_in_any_table_allows_reading_and_rescue(
    full_project: Path, tmp_path: Path, full: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    damage, chance = (
        Damage(Path(shutil.copy(full_project, tmp_path / "p.irjudge"))),
        random.Random(7),
    )
    pages = list(iter_pages_of_chunk(damage.data).values())
    for number in range(2000 if full else 45):
        page = chance.choice(pages[number % len(pages)])
        offset = chance.choice([at for at in range(page, page + PAGE) if damage.data[at]])
        damage.check(offset, chance.choice((1 << chance.randrange(8), chance.randrange(1, 256))))
        assert opening_finds_problem(damage.path) == finds_problem(damage.path), (
            offset,
            "somebody judges on in silence",
        )
        if number % 5 == 0:
            assert main([COMMANDS[number // 5 % len(COMMANDS)], str(damage.path)]) in (0, 2), offset
            assert "Traceback" not in capsys.readouterr().err, offset


def finds_problem(path: Path) -> bool:
    """Return whether `verify` finds a problem."""
    with open_project(path, writing=False) as project:
        return bool(project.verify().problems)


def opening_finds_problem(path: Path) -> bool:
    """Return whether opening the file to judge in it reports a problem."""
    try:
        with open_project(path) as project:
            return bool(project.verify(in_background=True).problems)
    except ProjectDamaged:
        return True


COMMANDS = ("verify", "status", "agreement", "qrels", "receipt")


@pytest.mark.slow
def test_an_unknown_name_in_the_table_of_hashes_has_no_effect(
    full_project: Path, tmp_path: Path
) -> None:
    """A changed character of a name in the table of hashes, in each row, affects no judgment."""
    path, part = Path(shutil.copy(full_project, tmp_path / "p.irjudge")), b"participant"
    damage = Damage(path)
    (seals,) = iter_pages_of_chunk(damage.data)["seal"]
    offsets = [at for at in range(seals, seals + PAGE) if damage.data.startswith(part, at)]
    for offset in offsets:
        report, events = damage.rescued((offset + len(part) - 1, b"!"))
        assert events == damage.sound and not any(each.lost_count for each in report.parts.values())
        with pytest.raises(ProjectDamaged, match="hash"):
            open_project(path)
        with open_project(path, writing=False) as project:
            assert project.events.count() == len(events_of(full_project))
            assert any("hash" in problem for problem in project.verify().problems)
    assert len(offsets) == 5
