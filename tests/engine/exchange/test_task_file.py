"""Tests of assessors' files: only what the assessor may see, in the planned order."""

import json
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from irjudge.errors import ProjectError
from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates
from irjudge.judging import Session, review_work, submit_work
from irjudge.store import INSTRUCTIONS, open_project
from tests.engine.exchange.classroom import OPTIONS, assign_class, build_class, judge_file
from tests.outside_edits import edit

RUNS, OTHERS = (b"zebrarank", b"okapifuse"), (b"bob", b"cleo", b"teacher")


def test_a_file_contains_no_run_no_other_assessor_and_no_gold_grade(files: list[Path]) -> None:
    raw = files[0].read_bytes()
    for word in (
        *RUNS,
        *OTHERS,
        b"truth",
        b"gold",
        b"qualification",
        b"repeat",
        b"depth",
        b"zebrarank.run",
    ):
        assert word not in raw, word


def test_the_organisers_tables_are_empty_and_the_pool_has_no_ranks(
    files: list[Path],
) -> None:
    database = sqlite3.connect(files[0])
    for table in (
        "run",
        "run_topic",
        "qrels",
        "qrels_topic",
        "assignment_round",
        "assignment_secret",
        "assessor",
        "returned_file",
        "event",
    ):
        assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    assert database.execute("SELECT strategy, parameters, runs FROM pool").fetchall() == [
        ("assigned", "{}", "[]")
    ]
    assert set(
        database.execute("SELECT contribution_run, contribution_rank, undrawn FROM pool_topic")
    ) == {(b"", b"", b"")}
    assert {
        byte
        for row in database.execute("SELECT contributions, stratum FROM pool_topic")
        for part in row
        for byte in part
    } == {0}
    database.close()


def test_the_seeds_of_plan_and_project_are_not_in_the_file(project: Path, tmp_path: Path) -> None:
    assign_class(project, tmp_path / "out", options=AssignmentOptions(overlap=2, seed=918273645))
    with open_project(project) as opened:
        opened.set_setting("seed", "192837465")
    for path in (tmp_path / "out").iterdir():
        assert b"918273645" not in path.read_bytes() and b"192837465" not in path.read_bytes()


def test_opening_a_file_shows_the_work_in_the_planned_order(
    project: Path, files: list[Path]
) -> None:
    with open_project(project, writing=False) as opened, open_project(files[1]) as task:
        assignment = opened.assignments.all()[1]
        planned = [
            (item.topic, item.documents[0]) for item in opened.assignments.items(assignment.code)
        ]
        session = Session(task)
        shown = [
            (queue_item.topic, queue_item.document)
            for topic in session.queue.topics
            for queue_item in session.queue.topic_items(topic)
        ]
        assert (shown, session.assessor, task.belongs_to, task.title) == (
            planned,
            "bob",
            "bob",
            "Class",
        )
        assert task.scale == opened.scale and {topic.id for topic in task.collection.topics()} == {
            topic for topic, _ in planned
        }


def test_a_document_presented_twice_gets_two_judgments(files: list[Path]) -> None:
    with open_project(files[0]) as task:
        session = Session(task)
        times = Counter(
            (item.topic, item.document)
            for topic in session.queue.topics
            for item in session.queue.topic_items(topic)
        )
        (twice,) = [pair for pair, count in times.items() if count == 2]
        grades = iter((3, 0))
        while work := session.current():
            session.grade(work, next(grades) if (work.topic.id, work.document.id) == twice else 1)
            session.advance()
        first, second = (
            item for item in session.queue.topic_items(twice[0]) if item.document == twice[1]
        )
        assert (
            session.judgment(first).payload["value"],
            session.judgment(second).payload["value"],
        ) == (3, 0)
        assert session.count().left == 0 and review_work(session).complete
        session.undo()
        assert (
            session.count().left == 1
            and submit_work(session).judged_count == session.count().judged
        )


def test_work_continues_at_the_same_document_after_closing(files: list[Path]) -> None:
    judge_file(files[0], limit=5)
    with open_project(files[0]) as task:
        session = Session(task)
        first = session.queue.topics[0]
        assert (
            session.count().judged == 5
            and session.current().queue_item == session.queue.topic_items(first)[5]
        )


def test_instructions_and_calibration_are_included_and_gold_is_not_marked(
    project: Path, tmp_path: Path
) -> None:
    with open_project(project) as opened:
        opened.set_setting(INSTRUCTIONS, "# Judge\nCarefully.")
        opened.set_setting("calibration", json.dumps({"007": {"t007n13": 2}, "9": {"nowhere": 1}}))
        made = assign_pool(
            opened,
            parse_candidates("ann"),
            OPTIONS.__class__(gold=4),
            tmp_path / "out",
            deadline="2026-04-01",
        )
        secrets = opened.assignments.organiser_notes(1)
    with open_project(made.files[0].path) as task:
        session = Session(task)
        assert task.instructions == "# Judge\nCarefully." and task.calibration == {
            "007": {"t007n13": 2}
        }
        item = session.queue.topic_items("007")[0]
        assert (
            item.document == "t007n13"
            and session.calibration(item) == 2
            and task.get_setting("deadline") == "2026-04-01"
        )
    assert Counter(secret.role for secret in secrets)["gold"] == 4


def test_the_same_seed_gives_files_with_the_same_content(tmp_path: Path) -> None:
    seen = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        build_class(tmp_path / name / "class.irjudge")
        assign_class(tmp_path / name / "class.irjudge", tmp_path / name / "out")
        database = sqlite3.connect(tmp_path / name / "out" / "ann.irtask")
        seen.append(list(database.iterdump()))
        database.close()
    assert seen[0] == seen[1]


def test_a_pooled_document_without_text_is_named_and_not_assigned(
    project: Path, tmp_path: Path
) -> None:
    edit(project, "UPDATE document SET digest = NULL WHERE id = 't9n0'")
    made = assign_class(project, tmp_path / "out")
    assert [(each.key, each.values) for each in made.warnings] == [
        ("pooled-without-text", {"count": "1", "examples": "t9n0"})
    ]
    assert sum(each.items for each in made.files) == 2 * 35 + 3 * 3


def test_an_existing_file_at_the_path_does_no_harm(project: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "bob.irtask").write_text("mine")
    with pytest.raises(ProjectError, match=r"bob\.irtask already exists"):
        assign_class(project, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["bob.irtask"]
    with open_project(project, writing=False) as opened:
        assert opened.assignments.all() == () and opened.assignments.rounds() == ()
