"""Tests of damaged projects: readable parts are rescued, losses counted, the file unchanged."""

import hashlib
import random
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import CommitFailed, IrjudgeError, ProjectDamaged, ProjectError
from irjudge.exchange import read_work_status
from irjudge.judging import Session, list_judged_rows
from irjudge.model import Document, make_qrels, make_run
from irjudge.store import Sources, import_sources, open_project, rescue_file
from irjudge.store.connection import Connection
from irjudge.store.damaged_file import read_max_row_number, read_rows
from tests.lengths import short_or_long
from tests.outside_edits import change

PAGE = 4096


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a project with long and short texts, qrels, and 90 events of two assessors."""
    return tmp_path_factory.mktemp("template") / "p.irjudge"


@pytest.fixture
def worked_project(project_file: Path, template: Path) -> Path:
    if not template.exists():
        instructions = project_file.with_name("a.md")
        instructions.write_text("# Read\n")
        with open_project(project_file) as project:
            project.collection.add_documents(
                Document(f"long{number}", bytes([65 + number]) * 9000) for number in range(8)
            )
            project.rankings.add_qrels("known", make_qrels([("051", "d1", 1), ("007", "long3", 2)]))
            import_sources(project, Sources(instructions=instructions))
            for name in ("ann", "bob"):
                session = Session(project, name)
                for number in range(45):
                    work = session.advance() or session.open_topic("051")
                    session.undo() if number % 9 == 8 else session.grade(
                        work, number % 4, active_ms=number
                    )
        shutil.copy(project_file, template)
    path = project_file.with_name("damaged.irjudge")
    shutil.copy(template, path)
    return path


def events_of(path: Path) -> dict[str, bytes]:
    """Return digest and bytes of each event, read without irjudge."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        return {
            digest.hex(): body
            for digest, body in connection.execute("SELECT digest, body FROM event")
        }
    finally:
        connection.close()


def flip(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 3, 20))):
        data[chance.randrange(100, len(data))] ^= chance.randrange(1, 256)


def wipe(data: bytearray, chance: random.Random) -> None:
    begin = chance.randrange(1, len(data) // PAGE) * PAGE
    data[begin : begin + PAGE] = chance.choice((bytes(PAGE), chance.randbytes(PAGE)))


def truncate(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(PAGE, len(data)) :]


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (flip, wipe, truncate)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(short_or_long(9, 60)))
def test_no_damage_crashes_or_loses_readable_data(
    worked_project: Path, seed: int, full: bool
) -> None:
    whole = worked_project.read_bytes()
    sound = events_of(worked_project)
    for round_ in range(4 if full else 1):
        chance = random.Random(1000 * round_ + seed)
        data = bytearray(whole)
        DAMAGES[seed % 3](data, chance)
        worked_project.write_bytes(data)
        check_rescue(worked_project, sound)
        assert worked_project.read_bytes() == bytes(data), "the damaged file was changed"


def check_rescue(path: Path, sound: dict[str, bytes]) -> None:
    target = path.with_name("rescued.irjudge")
    target.unlink(missing_ok=True)
    for writing in (True, False):
        try:
            with open_project(path, writing=writing) as project:
                list_judged_rows(project)
                read_work_status(project)
                project.verify()
        except IrjudgeError as error:
            assert str(error).endswith(".")
    readable = readable_events(path)
    try:
        report = rescue_file(path, target)
    except ProjectError as error:
        assert not readable and not target.exists(), error
        return
    rescued = events_of(target)
    assert readable <= rescued.keys() <= sound.keys()
    assert all(rescued[digest] == sound[digest] for digest in rescued), (
        "events are kept byte for byte"
    )
    assert report.parts["events"].read_count == len(rescued)
    with open_project(target) as project:
        assert project.verify().problems == ()
        list_judged_rows(project)
        read_work_status(project)


def readable_events(path: Path) -> set[str]:
    """Return the digests of intact events, reading the log by number."""
    result = set()
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        connection.execute("PRAGMA writable_schema = ON")
    except sqlite3.DatabaseError:
        return result
    for sequence in range(1, 100):
        try:
            row = connection.execute(
                "SELECT digest, body FROM event NOT INDEXED WHERE sequence = ?", (sequence,)
            ).fetchone()
        except sqlite3.DatabaseError:
            continue
        if row and isinstance(row[1], bytes) and hashlib.sha256(row[1]).digest() == row[0]:
            result.add(row[0].hex())
    connection.close()
    return result


@pytest.mark.slow
def test_an_intact_project_is_rescued_completely(worked_project: Path) -> None:
    target = worked_project.with_name("again.irjudge")
    report = rescue_file(worked_project, target)
    assert (report.is_complete, report.sentences) == (True, [])
    assert {name: part.read_count for name, part in report.parts.items()} == {
        "facts": 6, "topics": 2, "texts": 20, "documents": 20, "runs": 2, "qrels": 2, "pools": 2, "assignments": 0, "events": 90,
    }  # fmt: skip
    with open_project(worked_project, writing=False) as before, open_project(target) as after:
        for name in ("title", "owner", "seed", "instructions"):
            assert getattr(before, name) == getattr(after, name)
        assert (
            before.scale == after.scale and before.collection.topics() == after.collection.topics()
        )
        assert list_judged_rows(before) == list_judged_rows(after) and read_work_status(
            before
        ) == read_work_status(after)
        assert (
            before.rankings.runs() == after.rankings.runs()
            and before.rankings.qrels_names() == after.rankings.qrels_names()
        )
        assert before.rankings.pool().document == after.rankings.pool().document
        assert list(before.rankings.qrels("known").rows()) == list(
            after.rankings.qrels("known").rows()
        )
        assert after.collection.document("long3") == before.collection.document("long3")
        session = Session(after)
        session.undo()
        assert after.events.count() == 91


def test_opening_reports_damage_and_other_data_can_be_read(worked_project: Path) -> None:
    change(
        worked_project,
        "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '\"value\":1', '\"value\":3') AS BLOB) WHERE sequence = 2",
    )
    before = worked_project.read_bytes()
    with pytest.raises(ProjectDamaged) as error:
        open_project(worked_project)
    assert error.value.values["number"] == "2"
    assert error.value.values["total"] == "90"
    assert error.value.values["error"].startswith("damaged.irjudge ")
    with open_project(worked_project, writing=False) as project:
        assert project.damage is not None and project.damage.parts["events"].lost_count == 1
        assert project.damage.lost_events[0].startswith("event 2 (")
        assert (project.path, project.events.count(), project.writing) == (
            worked_project,
            89,
            False,
        )
        assert len(list_judged_rows(project)) > 0
        assert project.verify().problems[0].startswith("Event 2 (")
        with project.second_connection() as second:
            assert second.events.count() == 89
        with pytest.raises(CommitFailed, match="open read-only"):
            project.set_setting("a", "b")
        folder = project._db.path.parent
        assert folder.exists()
    assert not folder.exists() and worked_project.read_bytes() == before


def test_an_intact_project_has_no_damage(worked_project: Path) -> None:
    with open_project(worked_project) as project:
        assert project.damage is None


def test_judgments_after_a_lost_event_count(worked_project: Path) -> None:
    with open_project(worked_project, writing=False) as project:
        before = {(topic, document) for topic, document, _ in list_judged_rows(project)}
    change(worked_project, "UPDATE event SET body = x'00' WHERE sequence = 3")
    target = worked_project.with_name("again.irjudge")
    report = rescue_file(worked_project, target)
    unreadable, lost = report.sentences
    assert (unreadable.key, lost.key) == ("unreadable", "lost-events")
    assert "1 of 90 " in unreadable.values["parts"]
    assert lost.values["events"] == report.lost_events[0]
    with open_project(target) as project:
        assert (
            len(before - {(topic, document) for topic, document, _ in list_judged_rows(project)})
            <= 1
        )
        verdict = project.verify()
        assert (verdict.problems, verdict.events, verdict.lost) == ((), 89, {"events": 1})
        session = Session(project)
        session.grade(session.open_topic("051"), 2)
    with open_project(target) as project:
        assert project.verify().problems == () and project.events.count() == 90


def test_truncated_data_are_counted_from_references(
    worked_project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Texts are last in the file.

    Documents show which texts are missing, the index which events.
    """
    data = worked_project.read_bytes()
    worked_project.write_bytes(
        data[: min(data.find(b'{"assessor":"ann"'), data.find(b"AAAAAAAAAAAA")) // PAGE * PAGE]
    )
    report = rescue_file(worked_project, worked_project.with_name("again.irjudge"))
    events, texts = report.parts["events"], report.parts["texts"]
    assert (
        (events.read_count, events.lost_count, report.parts["documents"].read_count) == (0, 90, 20)
        and texts.read_count + texts.lost_count == 20
        and texts.lost_count > 0
    )
    with open_project(worked_project.with_name("again.irjudge"), writing=False) as project:
        assert (
            project.verify().lost == {"events": 90, "texts": texts.lost_count}
            and project.verify().problems == ()
        )
    assert main(["verify", str(worked_project.with_name("again.irjudge"))]) == 0
    out = capsys.readouterr().out
    assert ": 0 events" in out and f": 90 events and {texts.lost_count} texts." in out


def test_losses_of_repeated_rescues_are_reported(worked_project: Path) -> None:
    again, third = (
        worked_project.with_name("again.irjudge"),
        worked_project.with_name("third.irjudge"),
    )
    change(
        worked_project,
        "UPDATE event SET body = x'00' WHERE sequence = 3",
        "UPDATE content SET body = x'41' WHERE title = 'title 7'",
    )
    rescue_file(worked_project, again)
    change(
        again,
        "UPDATE event SET body = x'00' WHERE sequence = 90",
        "UPDATE content SET body = x'41' WHERE title = 'title 8'",
    )
    rescue_file(again, third)
    with open_project(third, writing=False) as project:
        assert project.verify().lost == {"events": 2, "texts": 2}


def test_an_event_with_only_a_damaged_hash_is_kept(worked_project: Path) -> None:
    change(worked_project, "UPDATE event SET digest = zeroblob(32) WHERE sequence = 4")
    report = rescue_file(worked_project, worked_project.with_name("again.irjudge"))
    assert (report.parts["events"].read_count, report.lost_events) == (90, [])


def test_a_changed_event_is_not_accepted(worked_project: Path) -> None:
    """Its bytes are a valid event, but its hash is not stored anywhere."""
    change(
        worked_project,
        "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '\"value\":1', '\"value\":3') AS BLOB) WHERE sequence = 2",
    )
    report = rescue_file(worked_project, worked_project.with_name("again.irjudge"))
    assert (report.parts["events"].read_count, len(report.lost_events)) == (89, 1)


@pytest.mark.parametrize(
    ("statement", "key"),
    [
        ("DELETE FROM fact WHERE name = 'scale'", "lost-scale"),
        ("UPDATE fact SET value = '{' WHERE name = 'scale'", "lost-scale"),
        ("UPDATE fact SET value = 'x' WHERE name = 'seed'", "lost-seed"),
        ("DELETE FROM fact WHERE name = 'owner'", "lost-owner"),
    ],
)
def test_a_lost_setting_is_reported(worked_project: Path, statement: str, key: str) -> None:
    change(worked_project, statement)
    report = rescue_file(worked_project, worked_project.with_name("again.irjudge"))
    assert key in [getattr(each, "key", "") for each in report.warnings]


def test_the_assessor_replaces_a_lost_owner(worked_project: Path) -> None:
    change(
        worked_project,
        "DELETE FROM fact WHERE name = 'owner'",
        "DELETE FROM event WHERE assessor = 'bob'",
    )
    rescue_file(worked_project, worked_project.with_name("again.irjudge"))
    with open_project(worked_project.with_name("again.irjudge")) as project:
        assert project.owner == "ann"


def test_a_text_with_a_wrong_hash_is_left_out_but_not_its_document(
    worked_project: Path,
) -> None:
    change(
        worked_project,
        "UPDATE content SET body = x'41' WHERE title = 'title 7'",
        "UPDATE fact SET value = 'x' WHERE name = 'seed'",
    )
    with open_project(worked_project, writing=False) as project:
        assert project.damage.parts["texts"].lost_count == 1
        assert project.collection.without_text(["d7", "d8"]) == ["d7"]
        assert "d7" in project.rankings.pool().document.to_pylist()


def test_rescue_overwrites_nothing_and_leaves_no_partial_file(worked_project: Path) -> None:
    with pytest.raises(ProjectError, match="already exists"):
        rescue_file(worked_project, worked_project)
    text = worked_project.with_name("text")
    text.write_text("no project")
    with pytest.raises(ProjectError):
        rescue_file(text, worked_project.with_name("again.irjudge"))
    assert not worked_project.with_name("again.irjudge").exists()


def test_rows_are_read_around_a_lost_page(worked_project: Path) -> None:
    connection = Connection(worked_project, writing=False)
    highest = read_max_row_number(connection, "event")
    connection.close()
    assert highest == 90
    data = bytearray(worked_project.read_bytes())
    offset = data.find(b'{"assessor":"ann"') // PAGE * PAGE
    data[offset : offset + PAGE] = bytes(PAGE)
    worked_project.write_bytes(data)
    connection = Connection(worked_project, writing=False, damaged=True)
    try:
        rows = list(read_rows(connection, "event", ("digest",), highest))
    finally:
        connection.close()
    lost = [number for number, row in rows if row is None]
    assert [number for number, _ in rows] == list(range(1, 91))
    assert 0 < len(lost) < 30


def test_the_commands_print_losses_and_readable_data(
    worked_project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(worked_project, "UPDATE event SET body = x'00' WHERE sequence = 3")
    target = worked_project.with_name("again.irjudge")
    assert main(["rescue", str(worked_project), "-o", str(target), "--format", "csv"]) == 0
    captured = capsys.readouterr()
    assert (
        captured.out.splitlines()[0] == "part,read,lost"
        and "events,89,1" in captured.out.splitlines()
    )
    assert "event 3 (" in captured.err
    assert main(["qrels", str(worked_project)]) == 0
    damaged = capsys.readouterr()
    assert "damaged.irjudge" in damaged.err
    assert main(["qrels", str(target)]) == 0
    assert capsys.readouterr().out == damaged.out != ""
    assert main(["verify", str(worked_project)]) == 2
    assert "Event 3 (" in capsys.readouterr().err
    assert main(["verify", str(target)]) == 0
    assert ": 1 event." in capsys.readouterr().out


def test_a_locked_file_is_not_reported_as_damaged(
    worked_project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge.store.connection.WAIT_SECONDS", 0.02)
    other = sqlite3.connect(worked_project, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    target = worked_project.with_name("again.irjudge")
    try:
        for act in (
            lambda: open_project(worked_project),
            lambda: open_project(worked_project, writing=False),
            lambda: rescue_file(worked_project, target),
        ):
            with pytest.raises(ProjectError) as caught:
                act()
            assert caught.value.message.values["reason"].key == "held-file"
            assert not isinstance(caught.value, ProjectDamaged)
    finally:
        other.close()
    assert not target.exists()
    with open_project(worked_project) as project:
        assert project.damage is None


@pytest.mark.parametrize("offset", [0, 15, 16, 47, 60, 63, 68, 71])
def test_a_damaged_header_allows_reading_and_is_reported(
    worked_project: Path, offset: int, capsys: pytest.CaptureFixture[str]
) -> None:
    sound, content = events_of(worked_project), bytearray(worked_project.read_bytes())
    content[offset] ^= 0x41
    worked_project.write_bytes(content)
    with pytest.raises(ProjectDamaged, match="irjudge rescue"):
        open_project(worked_project)
    with open_project(worked_project, writing=False) as project:
        assert {event.digest for event in project.events.read()} == sound.keys()
        assert (project.path, project.damage is None) == (worked_project, False)
        assert project.verify().problems
    assert main(["verify", str(worked_project)]) == 2
    assert "damaged" in capsys.readouterr().err
    assert worked_project.read_bytes() == content


def test_newer_and_other_files_are_not_reported_as_damaged(
    worked_project: Path, tmp_path: Path
) -> None:
    change(worked_project, "PRAGMA user_version = 99", "CREATE TABLE later (x)")
    (tmp_path / "log.irjudge").write_bytes(
        b"".join(body + b"\n" for body in events_of(worked_project).values())
    )
    other = sqlite3.connect(tmp_path / "other.irjudge")
    other.execute("CREATE TABLE a (b)")
    other.close()
    for path in (worked_project, tmp_path / "log.irjudge", tmp_path / "other.irjudge"):
        for writing in (True, False):
            with pytest.raises(
                ProjectError, match=r"newer version|not a database|not an irjudge project"
            ) as error:
                open_project(path, writing=writing)
            assert not isinstance(error.value, ProjectDamaged)


def test_metadata_of_a_run_are_rescued_with_it(worked_project: Path) -> None:
    with open_project(worked_project) as project:
        project.rankings.add_run(
            replace(make_run("told", [("051", "d1", 1.0)]), metadata="actor:\n  team: ä")
        )
    target = worked_project.with_name("again.irjudge")
    assert rescue_file(worked_project, target).is_complete
    with open_project(target, writing=False) as after:
        assert after.rankings.run("told").metadata == "actor:\n  team: ä"
