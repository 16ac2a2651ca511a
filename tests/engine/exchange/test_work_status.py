"""Tests of judged counts by assessor and topic, and of the states of assigned files."""

import time
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from irjudge.exchange import (
    ProgressChange,
    forecast_work,
    list_assignment_files,
    list_progress_rows,
    merge_files,
    parse_candidates,
    read_work_status,
    reassign,
)
from irjudge.exchange.merging import make_event_validator
from irjudge.exchange.work_status import list_assigned_items
from irjudge.judging import QueueItem, Session, count_outstanding, submit_work
from irjudge.model import AssignedItem, Assignment, Event, Item, Scale
from irjudge.store import (
    ENDED,
    Participant,
    Project,
    ReturnedFile,
    Round,
    create_project,
    open_project,
)
from irjudge.web import SchedulingOptions, SessionOptions
from tests.engine.exchange.classroom import assign_class, build_class, judge_file
from tests.engine.web.session_client import Person, run_server


def rows(project: Project) -> list[tuple[str, str | None, int, int, int]]:
    return [
        (row.assessor, row.topic, row.judged, row.assigned, row.left)
        for row in list_progress_rows(read_work_status(project))
    ]


def test_without_assignments_all_assessors_are_counted_by_topic_and_in_total(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        bob = Session(project, "bob")
        for document in ("d3", "d4"):
            bob.grade(bob.open_item(QueueItem("007", document)), 1)
        bob.mark_unjudgeable(bob.open_item(QueueItem("007", "d5")), "spam")
        bob.skip(bob.open_item(QueueItem("051", "d1")))
        expected = [("ann", "051", 0, 6, 6), ("ann", "007", 0, 6, 6), ("ann", None, 0, 12, 12)]
        expected += [("bob", "051", 0, 6, 6), ("bob", "007", 3, 6, 3), ("bob", None, 3, 12, 9)]
        assert rows(project) == expected


def test_topics_have_the_order_of_the_project_and_not_of_the_assignment(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        order = [topic.id for topic in project.collection.topics()]
        items = [AssignedItem(topic, (("d1",),)) for topic in reversed(order)]
        project.assignments.add(Assignment(0, "ann", "ann", "grade", 1), items)
        assert [row[1] for row in rows(project)] == [*order, None]


def test_a_preference_judges_no_document(project_file: Path) -> None:
    with open_project(project_file) as project:
        item = Item("051", ("d0", "d1"), ("00" * 32, "11" * 32), "pair")
        project.events.append(
            Event("ann", "preference", item, "2026-01-01T00:00:00.000Z", {"value": "left"})
        )
        assert [row[2] for row in rows(project)] == [0, 0, 0]


def test_an_item_of_a_participant_with_several_ids_is_counted_once(project_file: Path) -> None:
    with open_project(project_file) as project:
        # d1 is assigned under both ids and judged under the second, d2 is assigned under both, and
        # d3 under the second
        for id, documents in (("p1", ("d1", "d2")), ("p2", ("d1", "d2", "d3"))):
            items = [AssignedItem("051", ((document,),)) for document in documents]
            project.assignments.add(Assignment(0, id, id, "grade", 1), items)
        project.sessions.set_first_id("p2", "p1")
        session = Session(project, "p2")
        session.grade(session.open_item(QueueItem("051", "d1")), 1)
        assert rows(project) == [("p1", "051", 1, 3, 2), ("p1", None, 1, 3, 2)]
        assert read_work_status(project).unjudged_pairs == {"p1": [("051", "d2"), ("051", "d3")]}


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process cannot be set here")
@pytest.mark.parametrize(
    ("zone", "days"),
    [
        # "XYZ-9" is nine hours ahead of UTC, "XYZ+9" nine hours behind
        ("XYZ-9", ["2026-03-01", "2026-03-02"]),
        ("XYZ+9", ["2026-03-01", "2026-03-01"]),
    ],
)
def test_the_days_of_judgments_are_local_days(
    project_file: Path, monkeypatch: pytest.MonkeyPatch, zone: str, days: list[str]
) -> None:
    with open_project(project_file) as project:
        for document, judged_at in (
            ("d1", "2026-03-01T12:00:00.000Z"),
            ("d2", "2026-03-01T20:00:00.000Z"),
            ("d3", "2026-02-31T00:00:00.000Z"),  # not a day
            ("d4", "0001-01-01T00:00:00.000Z"),  # before the first day in some zones
        ):
            item = Item("051", (document,), ("0" * 64,))
            project.events.append(Event("ann", "grade", item, judged_at, {"value": 1}))
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        try:
            judgments = read_work_status(project).judgments
        finally:
            monkeypatch.undo()
            time.tzset()
    day_of_document = {judgment.document: judgment.day for judgment in judgments}
    assert [day_of_document["d1"], day_of_document["d2"], day_of_document["d3"]] == [*days, ""]


def test_without_a_pool_there_is_nothing_to_count(tmp_path: Path) -> None:
    with create_project(tmp_path / "p", scale=Scale.parse("binary")) as project:
        assert rows(project) == []


def test_with_assignments_assigned_items_are_counted_and_the_owner_has_no_row(
    project: Path, files: list[Path]
) -> None:
    judge_file(files[0], limit=5)
    with open_project(project) as opened:
        merge_files(opened, files[:1])
        Session(opened).grade(Session(opened).current(), 3)
        totals = [row for row in rows(opened) if row[1] is None]
        assert totals == [
            ("ann", None, 5, 27, 22),
            ("bob", None, 0, 27, 27),
            ("cleo", None, 0, 27, 27),
        ]
        work = read_work_status(opened)
        assert [each.active_ms for each in work.judgments] == [
            1000,
            1010,
            1020,
            1030,
            1040,
        ] and all(each.length > 10 for each in work.judgments)
        assert work.ranks["051", "t051n3"] == 4


def test_in_an_assessors_own_file_its_content_is_counted(files: list[Path]) -> None:
    judge_file(files[0], limit=5)
    with open_project(files[0], writing=False) as task:
        assert rows(task)[-1] == ("ann", None, 5, 27, 22)


def test_files_are_out_then_begun_then_returned_and_late_after_the_deadline(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    with open_project(project) as opened:
        judge_file(files[0], limit=5)
        judge_file(files[1])
        judge_file(files[2], limit=2)
        with open_project(files[2]) as task:
            submit_work(Session(task))
        assert [row.state for row in list_assignment_files(opened, date(2026, 3, 1))] == ["out"] * 3
        merge_files(opened, files, clock=lambda: "2026-03-05T10:00:00.000Z")
        states = [
            (row.file, row.judged, row.assigned, row.state, row.returned[:10], bool(row.handed_in))
            for row in list_assignment_files(opened, date(2026, 3, 1))
        ]
        assert states == [
            ("ann.irtask", 5, 27, "begun", "2026-03-05", False),
            ("bob.irtask", 27, 27, "returned", "2026-03-05", False),
            ("cleo.irtask", 2, 27, "returned", "2026-03-05", True),
        ]
        reassign(
            opened,
            "ann",
            tmp_path / "more",
            assessors=parse_candidates("dora"),
            deadline="2026-03-31",
        )
        assert [
            (row.state, row.late) for row in list_assignment_files(opened, date(2026, 4, 1))
        ] == [
            ("withdrawn", False),
            ("returned", False),
            ("returned", False),
            ("out", True),
        ]
        assert ("ann", None, 5, 5, 0) in rows(opened)


def test_a_file_returned_without_judgments_is_not_partly_returned(
    project: Path, files: list[Path]
) -> None:
    with open_project(project) as opened:
        merge_files(opened, files[:1])
        assert [row.state for row in list_assignment_files(opened, date(2026, 3, 1))] == ["out"] * 3
        judge_file(files[0], limit=1)
        merge_files(opened, files[:1])
        assert list_assignment_files(opened, date(2026, 3, 1))[0].state == "begun"


@pytest.mark.slow
def test_a_sessions_forecast_counts_missing_judgments_and_not_only_leased_ones(
    project_file: Path,
) -> None:
    with run_server(project_file, SessionOptions(SchedulingOptions(overlap=2))) as server:
        ann = Person(server, "Ann")
        Person(server, "Bob").sync()
        ann.sync()
        ann.grade(0, 1, Scale.parse("0-3").version)
        ann.sync()
    with open_project(project_file) as project:
        work = read_work_status(project)
        held = sum(map(len, work.unjudged_pairs.values()))
        assert (
            0 < held < 23
            and forecast_work(work, date(2026, 3, 1)).left
            == 23
            == count_outstanding(project).total()
        ), "12 pairs, two judgments each"
        assert forecast_work(work, date(2026, 3, 1), ProgressChange(overlap=1)).left == 11
        project.sessions.set_state(project.sessions.all()[0].code, ENDED)
        assert forecast_work(read_work_status(project), date(2026, 3, 1)).left == 0, (
            "items leased at the end are assigned to no participant"
        )


def test_the_occurrences_of_a_participant_include_items_that_were_reassigned(
    tmp_path: Path,
) -> None:
    """A document of a missed norming round is assigned again in the next one."""
    build_class(tmp_path / "p.irjudge")
    with open_project(tmp_path / "p.irjudge") as project, project.transaction():
        topic, (first, second) = "051", project.rankings.pool().document.to_pylist()[:2]
        project.assignments.add_round(Round(1, 1, {}, "2026-01-01T00:00:00.000Z"))
        session = project.sessions.add("CODE", 1, {}, "2026-01-01T00:00:00.000Z")
        code = project.assignments.add(
            Assignment(0, "a1", "p1", "grade", 1, round=1),
            [AssignedItem(topic, ((document,),)) for document in (first, second, first)],
        )
        project.sessions.add_participant(
            Participant("p1", session, code, "Pia", b"x", "2026-01-01T00:00:00.000Z")
        )
        project.sessions.store_lease_states([(code, 0, "lost"), (code, 1, "lost")])
        (assignment,) = project.assignments.all()
        assert [each.key for each in list_assigned_items(project, assignment)] == [
            (topic, (first,), 2)
        ]
        metadata = {"scale": project.scale.to_json()}
        validator = make_event_validator(
            project, ReturnedFile(Path("p1.result.json"), "0", metadata), assignment
        )
        assert {slot[-2:] for slot in validator.slots} == {
            ((first,), 1),
            ((first,), 2),
            ((second,), 1),
        }


def test_the_test_items_of_each_assessor_are_known(tmp_path: Path) -> None:
    build_class(tmp_path / "p.irjudge")
    assign_class(tmp_path / "p.irjudge", tmp_path / "out", "ann,bob")
    with open_project(tmp_path / "p.irjudge") as project:
        status = read_work_status(project)
        assert Counter(name for name, _ in status.test_pairs) == {"ann": 2, "bob": 2}
        unchanged = ProgressChange(overlap=status.overlap)
        assert (
            forecast_work(status, date(2026, 3, 1), unchanged).left
            == forecast_work(status, date(2026, 3, 1)).left
        )
