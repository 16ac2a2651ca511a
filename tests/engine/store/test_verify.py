"""What `verify` finds: a copy is changed behind irjudge's back, and the first thing that does not fit is named."""

import hashlib
import re
import sqlite3
from pathlib import Path

import pytest

from irjudge.errors import Cancelled, ProjectDamaged
from irjudge.judging.session import Session
from irjudge.model.document import Document
from irjudge.model.ranking import make_qrels, make_run
from irjudge.model.scale import Scale
from irjudge.pooling.depth import depth_pool
from irjudge.progress import Progress
from irjudge.store.project import create, open_project
from irjudge.store.verify import Verdict

UNLOCKED = ("DROP TRIGGER event_stays", "DROP TRIGGER event_remains", "PRAGMA foreign_keys = OFF")


@pytest.fixture
def judged(project_file: Path) -> Path:
    """A project with five events: four grades, and one of them undone."""
    with open_project(project_file) as project:
        session = Session(project)
        for grade in range(4):
            session.grade(session.advance(), grade)
        session.undo()
    return project_file


def change(path: Path, *statements: str) -> None:
    other = sqlite3.connect(path)
    with other:
        for statement in (*UNLOCKED, *statements):
            other.execute(statement)
    other.close()


def verdict(path: Path) -> Verdict:
    with open_project(path, writing=False) as project:
        return project.verify()


def test_a_project_that_nobody_touched_is_whole(judged: Path) -> None:
    assert verdict(judged) == Verdict(5, 12, ())


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '\"value\":1', '\"value\":3') AS BLOB) WHERE sequence = 2",
            "Event 2 .*ann.: its bytes do not fit",
        ),
        ("UPDATE event SET assessor = 'bob' WHERE sequence = 3", "Event 3 .*bob.: its columns do not fit its bytes"),
        ("UPDATE event SET parent = NULL WHERE sequence = 3", "Event 3 .*: its columns do not fit its bytes"),
        ("DELETE FROM event WHERE sequence = 2", "Event 3 .*: the event before it .[0-9a-f]{12}. is missing"),
        ("DELETE FROM event WHERE sequence = 1", "Event 2 .*: the event before it .* is missing"),
        ("UPDATE content SET body = CAST('other' AS BLOB) WHERE title = 'title 7'", "Document d7: its text does not fit its hash"),
        ("UPDATE content SET title = 'other' WHERE title = 'title 7'", "Document d7: its text does not fit its hash"),
        ("UPDATE content SET kind = 'html' WHERE title = 'title 7'", "Document d7: its text does not fit its hash"),
        ("DELETE FROM content WHERE title = 'title 7'", "Document d7: its text is missing"),
    ],
)
def test_a_change_behind_its_back_is_found(judged: Path, statement: str, sentence: str) -> None:
    change(judged, statement)
    (fault,) = verdict(judged).faults
    assert re.match(sentence, fault), fault


def test_an_event_nobody_can_read_is_named(judged: Path) -> None:
    body = b'{"v":1,"assessor":"ann"}'
    digest = hashlib.sha256(body).hexdigest()
    change(judged, f"INSERT INTO event (digest, assessor, body) VALUES (x'{digest}', 'ann', x'{body.hex()}')")
    (fault,) = verdict(judged).faults
    assert fault.startswith("Event 6 (")
    assert "cannot be read" in fault


def test_the_first_of_several_faults_in_the_log_is_named(judged: Path) -> None:
    change(judged, "UPDATE event SET assessor = 'bob' WHERE sequence > 2", "UPDATE content SET title = 'other' WHERE title < 'title 2'")
    faults = verdict(judged).faults
    assert faults[0].startswith("Event 3 ")
    assert [fault.split(":")[0] for fault in faults[1:]] == ["Document d0", "Document d1", "Document d10", "Document d11"]


def test_a_damaged_page_is_found_wherever_it_lies(judged: Path) -> None:
    with open_project(judged) as project:
        project.collection.add_documents(Document(f"more{number}", bytes([65 + number]) * 5000) for number in range(20))
    data = judged.read_bytes()
    pages = range(1, len(data) // 4096)
    for page in pages:
        broken = judged.with_name(f"broken{page}")
        broken.write_bytes(data[: page * 4096] + bytes(4096) + data[(page + 1) * 4096 :])
        try:
            found = verdict(broken).faults
        except ProjectDamaged as fault:  # the page that says which tables there are
            found = (str(fault),)
        assert found, f"page {page} is gone and nobody noticed"
    assert len(pages) > 20


def test_what_sqlite_says_of_a_page_stands_in_brackets_of_our_sentence(judged: Path) -> None:
    with open_project(judged) as project:
        project.collection.add_documents(Document(f"more{number}", bytes([65 + number]) * 5000) for number in range(20))
    data = judged.read_bytes()
    judged.write_bytes(data[: len(data) // 2])
    (sentence,) = [fault for fault in verdict(judged).faults if fault.startswith("The file is damaged")]
    assert re.fullmatch(r"The file is damaged: its pages do not fit together \([^\n*]+\)\.", sentence), sentence


def test_a_page_that_nothing_names_is_found(judged: Path) -> None:
    change(judged, "PRAGMA writable_schema = ON", "DELETE FROM sqlite_schema WHERE name = 'event_assessor'")
    (fault,) = verdict(judged).faults
    assert re.match("The file is damaged: .*never used", fault, re.DOTALL), fault


def test_verifying_reads_a_collection_piece_by_piece_so_that_others_can_save(judged: Path) -> None:
    saved = []

    def save(done: int, total: int | None, what: str) -> None:
        if what == "Checking documents" and not saved:
            writer._db.execute("PRAGMA busy_timeout = 50")
            writer.set_fact("saved", "meanwhile")
            saved.append(done)

    with open_project(judged) as writer, open_project(judged, writing=False) as reader:
        writer.collection.add_documents(Document(f"more{number}", b"x" * number) for number in range(600))
        assert reader.verify(Progress(save)).faults == ()
    assert 0 < saved[0] < 600


def test_verifying_can_be_cancelled(judged: Path) -> None:
    with open_project(judged, writing=False) as project, pytest.raises(Cancelled):
        project.verify(Progress(cancelled=lambda: True))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            "UPDATE run_topic SET score = substr(score, 1, length(score) - 8) WHERE place = 0",
            "Run bm25, topic .* differ in length",
        ),
        ("UPDATE run_topic SET document = x'ffffff7f', score = zeroblob(8), rank = x'01000000', line = zeroblob(8)", "does not know"),
        ("UPDATE qrels_topic SET grade = x'00'", "Qrels .*: its columns differ in length"),
        ("UPDATE pool_topic SET contributions = x''", "Pool 1, topic .*: its columns differ in length"),
    ],
)
def test_columns_that_do_not_fit_are_named(tmp_path: Path, change: str, sentence: str) -> None:
    path = tmp_path / "p.irjudge"
    with create(path, scale=Scale.parse("0-3")) as project:
        run = make_run("bm25", [("1", "a", 2.0), ("1", "b", 1.0), ("2", "a", 1.0)])
        project.rankings.add_run(run)
        project.rankings.add_qrels("q", make_qrels([("1", "a", 1)]))
        project.rankings.add_pool(depth_pool([run], 2))
    with open_project(path) as project:
        assert project.verify().faults == ()
        project._db.execute(change)
        assert re.search(sentence, project.verify().faults[0])
