"""Tests of `verify`: after a change outside irjudge, the first inconsistency is reported."""

import hashlib
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.errors import Cancelled, ProjectDamaged
from irjudge.judging import Session, submit_work
from irjudge.model import (
    AssignedItem,
    Assignment,
    Document,
    OrganiserNote,
    Scale,
    Topic,
    make_qrels,
    make_run,
)
from irjudge.progress import Progress
from irjudge.store import (
    MergedFile,
    RegisteredAssessor,
    Round,
    create_project,
    open_project,
    rescue_file,
)
from irjudge.store.connection import Connection
from irjudge.store.schema import (
    CONTENT_ADDRESSED_TABLES,
    TABLES_BY_NAME,
    groups_query,
    rows_query,
)
from irjudge.store.verify import FileVerdict, verify
from tests.outside_edits import change, edit
from tests.pools import depth_pool


@pytest.fixture
def judged_project(project_file: Path) -> Path:
    """Return a project with five events: four grades, one of them undone."""
    with open_project(project_file) as project:
        session = Session(project)
        for grade in range(4):
            session.grade(session.advance(), grade)
        session.undo()
    return project_file


def verdict(path: Path) -> FileVerdict:
    with open_project(path, writing=False) as project:
        return project.verify()


def test_an_unchanged_project_is_intact(judged_project: Path) -> None:
    assert verdict(judged_project) == FileVerdict(5, 12, ())


@pytest.mark.parametrize(
    ("statement", "begins", "key"),
    [
        (
            "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '\"value\":1', '\"value\":3') AS BLOB) WHERE sequence = 2",
            "Event 2 ",
            "changed-event",
        ),
        (
            "UPDATE event SET assessor = 'bob' WHERE sequence = 3",
            "Event 3 ",
            "changed-columns",
        ),
        (
            "UPDATE event SET parent = NULL WHERE sequence = 3",
            "Event 3 ",
            "changed-columns",
        ),
        (
            "DELETE FROM event WHERE sequence = 2",
            "Event 3 ",
            "missing-parent",
        ),
        ("DELETE FROM event WHERE sequence = 1", "Event 2 ", "missing-parent"),
        (
            "UPDATE content SET body = CAST('other' AS BLOB) WHERE title = 'title 7'",
            "Document d7:",
            "changed-text",
        ),
        (
            "UPDATE content SET title = 'other' WHERE title = 'title 7'",
            "Document d7:",
            "changed-text",
        ),
        (
            "UPDATE content SET kind = 'html' WHERE title = 'title 7'",
            "Document d7:",
            "changed-text",
        ),
        ("DELETE FROM content WHERE title = 'title 7'", "The text of document d7 ", "missing-text"),
    ],
)
def test_a_change_outside_irjudge_is_detected(
    judged_project: Path, statement: str, begins: str, key: str
) -> None:
    change(judged_project, statement)
    problem = verdict(judged_project).problems[0]
    assert problem.startswith(begins)
    assert problem.values.get("problem", problem).key == key


def test_an_unreadable_event_is_named(judged_project: Path) -> None:
    body = b'{"v":1,"assessor":"ann"}'
    digest = hashlib.sha256(body).hexdigest()
    change(
        judged_project,
        f"INSERT INTO event (digest, assessor, body) VALUES (x'{digest}', 'ann', x'{body.hex()}')",
    )
    (problem,) = verdict(judged_project).problems
    assert problem.startswith("Event 6 (")
    assert "annot read" in problem or "cannot be read" in problem


def test_the_first_of_several_problems_in_the_log_are_named(judged_project: Path) -> None:
    change(
        judged_project,
        "UPDATE event SET assessor = 'bob' WHERE sequence > 2",
        "UPDATE content SET title = 'other' WHERE title < 'title 2'",
    )
    faults = verdict(judged_project).problems
    assert faults[0].startswith("Event 3 ")
    documents = [problem.split(":")[0] for problem in faults if not problem.startswith("Event")]
    assert documents == [
        "Document d0",
        "Document d1",
        "Document d10",
        "Document d11",
    ]


@pytest.mark.slow
def test_a_damaged_page_is_detected_anywhere(judged_project: Path) -> None:
    with open_project(judged_project) as project:
        project.collection.add_documents(
            Document(f"more{number}", bytes([65 + number]) * 5000) for number in range(5)
        )
    data = judged_project.read_bytes()
    pages = range(1, len(data) // 4096)
    for page in pages:
        broken = judged_project.with_name(f"broken{page}")
        broken.write_bytes(data[: page * 4096] + bytes(4096) + data[(page + 1) * 4096 :])
        try:
            problems = verdict(broken).problems
        except ProjectDamaged as error:  # the page with the list of tables
            problems = (str(error),)
        assert problems, f"page {page} is missing and was not reported"
    assert len(pages) > 20


@pytest.mark.slow
def test_the_error_of_sqlite_is_quoted_in_brackets(
    judged_project: Path,
) -> None:
    with open_project(judged_project) as project:
        project.collection.add_documents(
            Document(f"more{number}", bytes([65 + number]) * 5000) for number in range(20)
        )
    data = judged_project.read_bytes()
    judged_project.write_bytes(data[: len(data) // 2])
    (problem,) = [each for each in verdict(judged_project).problems if each.key == "broken-pages"]
    assert re.fullmatch(r"[^\n*]+", problem.values["messages"])


def test_an_unreferenced_page_is_detected(judged_project: Path) -> None:
    change(
        judged_project,
        "CREATE TABLE extra (x)",
        "PRAGMA writable_schema = ON",
        "DELETE FROM sqlite_schema WHERE name = 'extra'",
    )
    (problem,) = verdict(judged_project).problems
    assert re.match("The file is damaged: .*never used", problem, re.DOTALL), problem


def test_verifying_does_not_block_saving(
    judged_project: Path,
) -> None:
    saved = []

    def save(done: int, total: int | None, what: str) -> None:
        if what == "Checking documents" and not saved:
            writer._db.execute("PRAGMA busy_timeout = 50")
            writer.set_setting("saved", "meanwhile")
            saved.append(done)

    with (
        open_project(judged_project) as writer,
        open_project(judged_project, writing=False) as reader,
    ):
        writer.collection.add_documents(
            Document(f"more{number}", b"x" * number) for number in range(600)
        )
        assert reader.verify(Progress(save)).problems == ()
    assert 0 < saved[0] < 600


def test_verifying_can_be_cancelled(judged_project: Path) -> None:
    with open_project(judged_project, writing=False) as project, pytest.raises(Cancelled):
        project.verify(Progress(cancelled=lambda: True))


@pytest.mark.parametrize(
    ("change", "what", "key"),
    [
        (
            "UPDATE run_topic SET score = substr(score, 1, length(score) - 8) WHERE place = 0",
            "Run bm25, ",
            "column-lengths",
        ),
        (
            "UPDATE run_topic SET document = x'ffffff7f', score = zeroblob(8), rank = x'01000000', line = zeroblob(8)",
            "Run bm25, ",
            "unknown-document",
        ),
        ("UPDATE qrels_topic SET grade = x'00'", "Qrels q, ", "column-lengths"),
        (
            "UPDATE pool_topic SET contributions = x''",
            "Pool 1, ",
            "column-lengths",
        ),
    ],
)
def test_inconsistent_columns_are_named(tmp_path: Path, change: str, what: str, key: str) -> None:
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as project:
        run = make_run("bm25", [("1", "a", 2.0), ("1", "b", 1.0), ("2", "a", 1.0)])
        project.rankings.add_run(run)
        project.rankings.add_qrels("q", make_qrels([("1", "a", 1)]))
        project.rankings.add_pool(depth_pool([run], 2))
    with open_project(path) as project:
        assert project.verify().problems == ()
        project._db.execute(change)
        problem = project.verify().problems[0]
        assert problem.startswith(what) and problem.key == key


# Data without hashes of events or texts


@pytest.fixture
def full_project(tmp_path: Path) -> Path:
    """Return a project with rows in every table."""
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3"), owner="ann") as project:
        project.collection.add_topics([Topic("1", "one"), Topic("2", "two")])
        project.collection.add_documents(Document(name, name.encode()) for name in "ab")
        project.collection.add_documents(
            [Document("c", b"c", fields=(("img", "c.png"),), pictured="img", picture=b"picture")]
        )
        run = make_run("bm25", [("1", "a", 2.0), ("1", "b", 1.0), ("2", "a", 1.0)])
        project.rankings.add_run(replace(run, metadata="tag: bm25"))
        project.rankings.add_qrels("q", make_qrels([("1", "a", 1)]))
        project.rankings.add_pool(depth_pool([run], 2))
        project.assignments.add_people([RegisteredAssessor("bob"), RegisteredAssessor("cy")])
        project.assignments.add_round(Round(1, 7, {"overlap": 2}, "2026-11-22T12:00:00.000Z"))
        items = [AssignedItem("1", (("a",),)), AssignedItem("1", (("b",),))]
        project.assignments.add(
            Assignment(0, "x", "bob", "grade", 1, ""),
            items,
            [OrganiserNote(role="gold"), OrganiserNote()],
        )
        project.assignments.add_returned(
            [MergedFile("2026-11-22T12:00:00.000Z", "bob.irtask", "00", "x", "bob", {"new": 0})]
        )
    with open_project(path) as project:
        session = Session(project)
        for grade in range(3):
            session.grade(session.advance(), grade)
        submit_work(session)
    return path


CHANGES = {
    "a setting": (
        "UPDATE fact SET value = 'Other' WHERE name = 'title'",
        "Setting title: the data do not match their hash",
    ),
    "a setting more": (
        "INSERT INTO fact VALUES ('rules', '{}')",
        "Setting rules: the data have no hash",
    ),
    "a topic": (
        "UPDATE topic SET narrative = 'all' WHERE id = '2'",
        "Topic 2: the data do not match their hash",
    ),
    "a topic gone": ("DELETE FROM topic WHERE id = '2'", "Topic 2: missing"),
    "an id": (
        "UPDATE document SET id = 'z' WHERE id = 'c'",
        "The block of the document list starting at document a: the data do not match their hash",
    ),
    "a run": ("UPDATE run SET removed = 1", "Run bm25: the data do not match their hash"),
    "a score": (
        "UPDATE run_topic SET score = zeroblob(length(score)) WHERE topic = '1'",
        "Run bm25, topic 1: the data do not match their hash",
    ),
    "a topic of a run gone": ("DELETE FROM run_topic WHERE topic = '2'", "Run 1: missing"),
    "a grade of qrels": (
        "UPDATE qrels_topic SET grade = x'02000000'",
        "Qrels q, topic 1: the data do not match their hash",
    ),
    "groups of qrels": (
        "UPDATE qrels SET groups = '[\"x\"]'",
        "Qrels q: the data do not match their hash",
    ),
    "a pool": (
        "UPDATE pool_topic SET document = x'0100000003000000' WHERE topic = '1'",
        "Pool 1, topic 1: the data do not match their hash",
    ),
    "how it was built": (
        "UPDATE pool SET strategy = 'take'",
        "Pool 1: the data do not match their hash",
    ),
    "an assignment": (
        "UPDATE assignment SET assessor = 'cy'",
        "The assignment of assessor cy: the data do not match their hash",
    ),
    "an item": (
        "UPDATE assignment_item SET topic = '2' WHERE place = 1",
        "The items assigned to assessor bob: the data do not match their hash",
    ),
    "an item gone": (
        "DELETE FROM assignment_item WHERE place = 1",
        "The items assigned to assessor bob: the data do not match their hash",
    ),
    "a secret": (
        "UPDATE assignment_secret SET role = ''",
        "The organiser's data .*bob: the data do not match their hash",
    ),
    "a round": (
        "UPDATE assignment_round SET seed = 8",
        "Round 1: the data do not match their hash",
    ),
    "an assessor": (
        "UPDATE assessor SET set_aside = 'x' WHERE name = 'cy'",
        "Assessor cy: the data do not match their hash",
    ),
    "returned anyway": (
        "UPDATE returned_file SET digest = '11'",
        "Returned file bob.irtask: the data do not match their hash",
    ),
    "the last events": (
        "DELETE FROM event WHERE sequence > 1",
        "The log lacks 2 events: .* 1, but 3 ",
    ),
    "all events": (
        "DELETE FROM event",
        "The log lacks 3 events: .* 0, but 3 ",
    ),
    "how many there were": ("DELETE FROM sqlite_sequence", "The log does not record how many"),
    "the end of what was handed in": (
        "DELETE FROM event WHERE sequence = 3; UPDATE sqlite_sequence SET seq = 2",
        "ann submitted 3 events, but the log has 2",
    ),
    "the head of what was handed in": (
        f"UPDATE event SET digest = x'{'00' * 32}' WHERE sequence = 3",
        "ann submitted a log that ends with event [0-9a-f]{12}, but that event is missing",
    ),
    "events of one who handed in": (
        """UPDATE returned_file SET balance = '{"new": 4, "identical": 1, "superseded": 0, "waiting": 0}'""",
        "The returned files of bob contained 4 events; the log has 0",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_all_stored_data_are_hashed(full_project: Path, name: str) -> None:
    statement, sentence = CHANGES[name]
    assert verdict(full_project).problems == ()
    change(full_project, *statement.split("; "))
    connection = Connection(full_project, writing=False)
    try:
        faults = verify(connection).problems
    finally:
        connection.close()
    assert any(re.match(sentence, problem) for problem in faults), faults


def test_every_table_has_hashes_or_is_content_addressed(project_file: Path) -> None:
    with closing(sqlite3.connect(project_file)) as database, database:
        tables = {
            row[0]
            for row in database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            )
        }
    database.close()
    assert tables == {*TABLES_BY_NAME, *CONTENT_ADDRESSED_TABLES, "seal"}


SESSIONS = (
    "INSERT INTO session VALUES (1, 's', 1, 'open', '{}', '')",
    "INSERT INTO participant VALUES (1, 'p', 1, 1, 'dee', x'00', '')",
    "INSERT INTO session_place VALUES (1, 0, 'late')",
    "INSERT INTO waiting_event VALUES (1, x'00', 'bob', NULL, x'00')",
)
UPDATE = "UPDATE {0} SET {1} = CASE typeof({1}) WHEN 'text' THEN {1} || 'x' WHEN 'blob' THEN x'07' WHEN 'null' THEN 'x' ELSE {1} + 1 END"
OTHERWISE = (
    "INSERT OR REPLACE INTO run SELECT code, name || 'x', source, rows, removed FROM run",
    "REPLACE INTO assignment SELECT code, id, 'dee', mode, pool, deadline, file, round, made, withdrawn FROM assignment",
    "UPDATE OR IGNORE topic SET title = 'other'",
    "WITH other AS (SELECT 'x' AS value) UPDATE fact SET value = (SELECT value FROM other)",
    "UPDATE topic SET code = code + 10",
    "update pool_topic set probability = x'00'",
)


def groups(connection: Connection) -> dict[tuple[object, ...], list[tuple[object, ...]]]:
    return {
        (table, *group): connection.fetch_all(*rows_query(sealed, *group))
        for table, sealed in TABLES_BY_NAME.items()
        for group in connection.fetch_all(groups_query(sealed))
    }


@pytest.mark.slow
def test_changes_are_tracked_after_a_rollback_too(
    full_project: Path,
) -> None:
    edit(full_project, *SESSIONS)
    connection, changed_tables = Connection(full_project), 0
    before = groups(connection)
    last = {
        table: connection.fetch_all(f"SELECT name FROM pragma_table_info('{table}')")[-1][0]
        for table in TABLES_BY_NAME
    }
    ordinary = (
        each
        for table in TABLES_BY_NAME
        for each in (UPDATE.format(table, last[table]), f"DELETE FROM {table} WHERE TRUE")
    )
    for statement in (*ordinary, *OTHERWISE):
        with pytest.raises(Cancelled), connection.transaction():
            connection.execute(statement)
            after = groups(connection)
            changed = {group for group in before | after if before.get(group) != after.get(group)}
            assert changed, statement
            assert changed <= set(connection.fetch_all("SELECT part, key, place FROM touched")), (
                statement
            )
            changed_tables += len({table for table, *_ in changed})
            raise Cancelled
    assert changed_tables > 2 * len(TABLES_BY_NAME) + len(
        OTHERWISE
    )  # some delete rows of other tables with them
    connection.close()
    assert [
        each
        for each in verdict(full_project).problems
        if re.search("(does not match its|has no) hash", each)
    ] == []


@pytest.mark.parametrize("name", ["a setting", "a topic", "an item", "a score"])
def test_changes_are_reported_on_opening_and_rescued_as_read(full_project: Path, name: str) -> None:
    statement, sentence = CHANGES[name]
    change(full_project, statement)
    with pytest.raises(ProjectDamaged, match=rf"p\.irjudge is damaged: {sentence}.*rescue"):
        open_project(full_project)
    with open_project(full_project, writing=False) as project:
        assert any(re.match(sentence, each) for each in project.damage.sentences)
    rescue_file(full_project, full_project.with_name("again.irjudge"))
    assert verdict(full_project.with_name("again.irjudge")).problems == ()


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("index", ["sqlite_autoindex_topic_1", "event_assessor"])
def test_a_wrong_index_is_detected_during_judging(
    judged_project: Path, index: str, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a large file one table is checked at a time, so that a save does not have to wait."""
    monkeypatch.setattr("irjudge.store.verify.MAX_BLOCKING_BYTES", 0 if large else 10**9)
    connection = sqlite3.connect(judged_project)
    (root,) = connection.execute(
        "SELECT rootpage FROM sqlite_schema WHERE name = ?", (index,)
    ).fetchone()
    connection.close()
    data = bytearray(judged_project.read_bytes())
    page = data[(root - 1) * 4096 : root * 4096]
    offset = (root - 1) * 4096 + max(page.rfind(b"051"), page.rfind(b"ann"))
    data[offset] ^= 8
    with open_project(judged_project) as project:
        assert project.verify(in_background=True).problems == ()
    judged_project.write_bytes(data)
    with open_project(judged_project) as project:
        faults = project.verify(in_background=True).problems
        assert "broken-pages" in [problem.key for problem in faults]
