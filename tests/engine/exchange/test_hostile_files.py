"""Tests of merging damaged and malicious files: an error message, no harm, no write, no hang."""

import hashlib
import json
import os
import shutil
import sqlite3
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from irjudge.exchange import MergeReport, merge_files
from irjudge.judging import get_ledger
from irjudge.model import decode_event
from irjudge.store import open_project
from irjudge.store.lock_and_journals import APPLICATION_ID
from tests.engine.exchange.classroom import change, judge_file, read_votes


def merge_into(project: Path, *files: Path) -> MergeReport:
    with open_project(project) as opened:
        merged = merge_files(opened, files)
    assert all(report.is_balanced for report in merged.reports)
    return merged


def check_unharmed(project: Path) -> None:
    """Check that the project is intact, and that its derived data can be recomputed."""
    with open_project(project) as opened:
        assert opened.verify().problems == ()
        for name in opened.events.assessors():
            ledger = get_ledger(opened, name)
            for event in ledger.judgments():
                ledger.marks(event.item.key)
        read_votes(opened, repeats=True)
        assert {run.name for run in opened.rankings.runs()} == {"zebrarank", "okapifuse"}


@pytest.fixture
def task(files: list[Path]) -> Path:
    judge_file(files[0], limit=6)
    return files[0]


# Files that are not task files


def zip_bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ann.irtask", bytes(30_000_000))


def database(path: Path, *statements: str, ours: bool = True) -> None:
    path.unlink()
    made = sqlite3.connect(path)
    for statement in (
        f"PRAGMA application_id = {APPLICATION_ID if ours else 7}",
        "PRAGMA user_version = 2",
        *statements,
    ):
        made.execute(statement)
    made.commit()
    made.close()


def endless_view(path: Path) -> None:
    change(
        path,
        "ALTER TABLE event RENAME TO other",
        "CREATE VIEW event AS WITH RECURSIVE n(sequence) AS (SELECT 1 UNION ALL SELECT sequence + 1 FROM n) "
        "SELECT sequence, zeroblob(32) AS digest, 'ann' AS assessor, NULL AS parent, zeroblob(100) AS body FROM n",
    )


def computed_column(path: Path) -> None:
    change(
        path,
        "DROP TABLE event",
        "CREATE TABLE event (sequence INTEGER PRIMARY KEY, digest BLOB, assessor TEXT, parent BLOB, body BLOB AS (zeroblob(900000000)))",
        "INSERT INTO event (assessor) VALUES ('ann')",
    )


def virtual_table(path: Path) -> None:
    change(
        path,
        "DROP TABLE event",
        "CREATE VIRTUAL TABLE event USING fts5(sequence, digest, assessor, parent, body)",
    )


def sparse_giant(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(20_000_000_000)


NOT_TASKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "is empty"),
    "text": (lambda path: path.write_text("1 0 d1 1\n" * 100), "is not an irjudge file"),
    "head alone": (lambda path: path.write_bytes(b"SQLite format 3\0"), "ann.irtask"),
    "noise": (lambda path: path.write_bytes(b"SQLite format 3\0" + os.urandom(9000)), "ann.irtask"),
    "first page alone": (lambda path: path.write_bytes(path.read_bytes()[:4096]), "ann.irtask"),
    "zip bomb": (zip_bomb, "is a zip archive"),
    "another database": (
        lambda path: database(path, "CREATE TABLE fact (a)", ours=False),
        "is not an irjudge project",
    ),
    "no tables": (lambda path: database(path, "CREATE TABLE mine (a)"), "has no table fact"),
    "other columns": (
        lambda path: change(path, "ALTER TABLE topic RENAME COLUMN title TO heading"),
        "its table topic does not have",
    ),
    "endless view": (endless_view, "contains a view or virtual table"),
    "virtual table": (virtual_table, "contains a view or virtual table"),
    "computed column": (computed_column, "its table event does not have"),
    "sparse giant": (sparse_giant, "assessor files have at most"),
    "newer": (
        lambda path: change(path, "PRAGMA user_version = 2000000000"),
        "format 2000000000",
    ),
    "of another assessor": (
        lambda path: change(path, "UPDATE fact SET value = 'bob' WHERE name = 'owner'"),
        "created for ann, but bob",
    ),
    "unknown assignment": (
        lambda path: change(path, "UPDATE fact SET value = '../../etc' WHERE name = 'assignment'"),
        "not in this project",
    ),
    "no scale": (
        lambda path: change(path, "UPDATE fact SET value = '[[[[' WHERE name = 'scale'"),
        "grade scale",
    ),
    "deep scale": (
        lambda path: change(
            path, f"UPDATE fact SET value = '{'[' * 100_000}' WHERE name = 'scale'"
        ),
        "grade scale",
    ),
    "infinite scale": (
        lambda path: change(
            path,
            """UPDATE fact SET value = '{"name": "x", "grades": [{"value": 1e999}]}' WHERE name = 'scale'""",
        ),
        "grade scale",
    ),
}


@pytest.mark.parametrize("name", NOT_TASKS)
def test_a_file_that_is_not_a_task_is_reported_and_the_others_are_merged(
    project: Path, files: list[Path], task: Path, name: str
) -> None:
    spoil, message = NOT_TASKS[name]
    judge_file(files[1], limit=3)
    spoil(task)
    before = task.stat().st_size, task.stat().st_mtime_ns
    began = time.process_time()
    merged = merge_into(project, task, files[1])
    assert time.process_time() - began < 20, "a view without end is not read to the time limit"
    assert message in merged.reports[0].refused and merged.reports[0].new == 0
    assert merged.reports[1].new == 3 and (task.stat().st_size, task.stat().st_mtime_ns) == before
    check_unharmed(project)


@pytest.mark.parametrize("name", ["folder", "missing", "pipe"])
def test_a_path_that_is_not_a_file_is_reported(
    project: Path, files: list[Path], tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    elif name == "pipe":
        os.mkfifo(path)
    (report,) = merge_into(project, path).reports
    assert name in report.refused
    check_unharmed(project)


# Invalid events


def forge_event(task: Path, **changes: object) -> None:
    """Append an event with a matching hash and some fields replaced."""
    database = sqlite3.connect(task)
    (body, head) = database.execute(
        "SELECT body, digest FROM event ORDER BY sequence DESC"
    ).fetchone()
    data = {**json.loads(body), "parent": head.hex()}
    for name, value in changes.items():
        if name in ("topic", "documents", "contents", "type", "occurrence"):
            data["item"] = {**data["item"], name: value}
        else:
            data[name] = value
    encoded = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )
    row = (hashlib.sha256(encoded).digest(), "ann", head, encoded)
    database.execute("INSERT INTO event (digest, assessor, parent, body) VALUES (?, ?, ?, ?)", row)
    database.commit()
    database.close()


SQL = "'; DROP TABLE event; --"
GRADE = {"value": 1, "active_ms": 1}
FORGED: dict[str, dict[str, object]] = {
    "another assessor": {"assessor": "teacher"},
    "sql as assessor": {"assessor": SQL},
    "sql as topic": {"topic": SQL},
    "a path as document": {"documents": ["../../../etc/passwd"]},
    "a document of nobody": {"documents": ["t9n99"]},
    "many documents": {"documents": ["t9n1"] * 10_000, "contents": ["00"] * 10_000},
    "no documents": {"documents": [], "contents": []},
    "a text as documents": {"documents": "t9n1", "contents": "ab"},
    "numbers as documents": {"documents": [1], "contents": [2]},
    "fewer contents": {"contents": []},
    "a pair": {"type": "pair"},
    "a showing that never was": {"occurrence": 7},
    "occurrence nought": {"occurrence": 0},
    "occurrence true": {"occurrence": True},
    "no grade": {"payload": {"active_ms": 1}},
    "a high grade": {"payload": {**GRADE, "value": 99}},
    "a huge grade": {"payload": {**GRADE, "value": 10**4000}},
    "a half grade": {"payload": {**GRADE, "value": 1.5}},
    "a true grade": {"payload": {**GRADE, "value": True}},
    "a text as grade": {"payload": {**GRADE, "value": "1"}},
    "no number": {"payload": {**GRADE, "value": float("nan")}},
    "another scale": {"payload": {**GRADE, "scale": "000000000000"}},
    "negative time": {"payload": {**GRADE, "active_ms": -5}},
    "endless time": {"payload": {**GRADE, "active_ms": 10**30}},
    "a list as payload": {"payload": [1, 2]},
    "no payload": {"payload": None},
    "a time that is none": {"time": "yesterday"},
    "a date that is none": {"time": "2026-13-45T25:61:61.000Z"},
    "an unknown kind": {"kind": "delete"},
    "an adjudication": {"kind": "adjudicate"},
    "a preference": {"kind": "preference"},
    "a note without text": {"kind": "note", "payload": {}},
    "a reason without place": {
        "kind": "rationale",
        "payload": {"text": "x", "position": ["a", None]},
    },
    "an unknown reason": {"kind": "unjudgeable", "payload": {"reason": SQL}},
    "an undo of nothing": {"kind": "undo", "payload": {}},
    "a grade with a target": {"target": "ab" * 32},
    "a parent that is none": {"parent": "../.."},
    "half a letter": {"assessor": "ann\ud800"},
    "a newer event": {"v": 99},
    "a huge note": {"kind": "note", "payload": {"text": "x" * 1_500_000}},
}


@pytest.mark.parametrize("name", FORGED)
def test_an_impossible_event_is_rejected_with_a_reason(
    project: Path, task: Path, name: str
) -> None:
    scale = {"scale": scale_of(project)} if isinstance(FORGED[name].get("payload"), dict) else {}
    changes = dict(FORGED[name])
    if scale and "kind" not in changes:
        changes["payload"] = {**scale, **changes["payload"]}
    forge_event(task, **changes)
    (report,) = merge_into(project, task).reports
    assert (report.read, report.new, report.rejected) == (7, 6, 1), report
    assert all(reason for reason in report.reasons)
    (first,) = (each for each in report.warnings if each.key == "first-misfit")
    assert first.values["event"].startswith("event 7")
    check_unharmed(project)


def scale_of(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def test_a_forged_event_that_is_valid_is_accepted(project: Path, task: Path) -> None:
    forge_event(task)
    (report,) = merge_into(project, task).reports
    assert (report.read, report.rejected) == (7, 0)


@pytest.mark.slow
def test_rows_of_other_types_and_sizes_are_rejected(project: Path, task: Path) -> None:
    change(
        task,
        "ALTER TABLE event RENAME TO old",
        "CREATE TABLE event (sequence INTEGER PRIMARY KEY, digest, assessor, parent, body)",
        "INSERT INTO event SELECT * FROM old",
        "INSERT INTO event (digest, body) VALUES ('text', 'text'), (1.5, 2), (NULL, NULL), (zeroblob(40000000), zeroblob(40000000))",
        "INSERT INTO event (digest, assessor, parent, body) SELECT digest, assessor, parent, body FROM old LIMIT 1",
    )
    (report,) = merge_into(project, task).reports
    assert (report.read, report.new, report.identical, report.rejected) == (11, 6, 1, 4)
    check_unharmed(project)


def test_triggers_of_a_file_never_run_and_other_tables_are_ignored(
    project: Path, task: Path
) -> None:
    change(
        task,
        "CREATE TRIGGER evil AFTER INSERT ON fact BEGIN DELETE FROM topic; END",
        "CREATE TABLE zz (a); ",
        "INSERT INTO fact VALUES ('x', 'y')",
        "UPDATE fact SET value = '-1' WHERE name = 'seed'",
    )
    (report,) = merge_into(project, task).reports
    assert report.new == 6
    check_unharmed(project)


def test_a_file_with_an_unusual_name_is_merged_and_named(
    project: Path, task: Path, tmp_path: Path
) -> None:
    renamed = Path(shutil.copy(task, tmp_path / "ann'; DROP TABLE event; -- ?mode=rwc#%00.irtask"))
    (report,) = merge_into(project, renamed).reports
    assert (report.new, report.file) == (6, renamed.name)
    check_unharmed(project)


def test_a_journal_next_to_a_file_is_not_applied_and_is_reported(project: Path, task: Path) -> None:
    journal = task.with_name(task.name + "-journal")
    journal.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + os.urandom(2000))
    before = task.read_bytes()
    (report,) = merge_into(project, task).reports
    assert (
        journal.exists()
        and task.read_bytes() == before
        and any("There is a journal file" in warning for warning in report.warnings)
    )


@pytest.mark.parametrize("share", [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
def test_a_file_truncated_anywhere_gives_its_readable_part_or_a_message(
    project: Path, files: list[Path], share: float
) -> None:
    count = judge_file(files[0])
    data = files[0].read_bytes()
    files[0].write_bytes(data[: int(len(data) * share)])
    (report,) = merge_into(project, files[0]).reports
    assert report.refused or any("truncated" in warning for warning in report.warnings)
    assert report.new + report.waiting <= count
    check_unharmed(project)


@pytest.mark.slow
def test_changed_bytes_anywhere_do_no_harm(project: Path, files: list[Path], full: bool) -> None:
    judge_file(files[0])
    data = files[0].read_bytes()
    step = 211 if full else 4099
    for number, index in enumerate(range(0, len(data) - 64, step)):
        spoiled = bytearray(data)
        spoiled[index : index + 48] = bytes(
            (byte * 7 + number + 13) % 256 for byte in data[index : index + 48]
        )
        files[0].write_bytes(bytes(spoiled))
        (report,) = merge_into(project, files[0]).reports
        assert report.refused or report.read or report.warnings
    check_unharmed(project)
    with open_project(project, writing=False) as opened:
        assert all(decode_event(event.canonical_bytes) == event for event in opened.events.read())
