"""Tests of calibration documents: presented first, with agreed grades, and not in the results."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError, ProjectError
from irjudge.exchange import list_progress_rows, read_work_status
from irjudge.judging import QueueItem, Session, list_judged_rows, list_qrels_choices
from irjudge.judging.queue import PoolQueue
from irjudge.model import make_run
from irjudge.store import ImportReport, Sources, import_sources, open_project
from tests.pools import depth_pool

# d2 is in the pool of 051; d9 and d10 have a text and are not pooled; `lost` has no text.
QRELS = "051 0 d9 3\n051 0 d10 0\n051 0 d2 1\n051 0 lost 2\n051 0 d4 -1\n"


@pytest.fixture
def calibrated_project(project_file: Path) -> Path:
    add(project_file, QRELS)
    return project_file


def add(project_file: Path, lines: str) -> ImportReport:
    qrels = project_file.with_name("known.qrels")
    qrels.write_text(lines)
    with open_project(project_file) as project:
        return import_sources(project, Sources(calibration=(qrels,)))


def test_a_topic_opens_with_its_calibration_documents_in_the_assessor_s_order(
    calibrated_project: Path,
) -> None:
    with open_project(calibrated_project) as project:
        orders = {
            name: Session(project, name).queue.documents("051")
            for name in ("ann", "bob", "carol", "dave")
        }
        plain = PoolQueue(project.rankings.pool(), seed=project.seed, assessor="ann").documents(
            "051"
        )
    for order in orders.values():
        assert (set(order[:3]), len(order)) == ({"d9", "d10", "d2"}, 8)
    assert len({order[:3] for order in orders.values()}) > 1
    assert orders["ann"][3:] == tuple(name for name in plain if name != "d2")


def test_other_topics_are_unchanged(calibrated_project: Path) -> None:
    with open_project(calibrated_project) as project:
        queue = Session(project).queue
        assert set(queue.documents("007")) == {f"d{number}" for number in range(3, 9)}
        assert (len(queue), queue.size("051"), queue.size("007")) == (14, 8, 6)
        assert [
            QueueItem("051", "d9") in queue,
            QueueItem("007", "d9") in queue,
            QueueItem("051", "lost") in queue,
        ] == [
            True,
            False,
            False,
        ]


def test_the_agreed_grade_can_be_shown(calibrated_project: Path) -> None:
    with open_project(calibrated_project) as project:
        session = Session(project)
        items = [
            QueueItem("051", "d9"),
            QueueItem("051", "d10"),
            QueueItem("051", "d2"),
            QueueItem("051", "d1"),
            QueueItem("007", "d9"),
        ]
        assert [session.calibration(item) for item in items] == [3, 0, 1, None, None]
        assert session.current().queue_item.document in {"d9", "d10", "d2"}


def test_only_pooled_calibration_documents_become_qrels(calibrated_project: Path) -> None:
    with open_project(calibrated_project) as project:
        session = Session(project)
        for document in ("d9", "d10", "d2", "d1"):
            session.grade(session.open_item(QueueItem("051", document)), 2)
        assert list_judged_rows(project) == [("051", "d1", 2), ("051", "d2", 2)]
        assert list_qrels_choices(project)[0].pair_count == 2
        assert (session.count("051").judged, session.count("051").assigned) == (4, 8)
        assert [
            (row.topic, row.judged, row.assigned)
            for row in list_progress_rows(read_work_status(project))
        ][:2] == [("051", 4, 8), ("007", 0, 6)]
        assert session.summary("051").judged == 4


def test_other_judgments_outside_the_pool_stay_results(
    calibrated_project: Path,
) -> None:
    with open_project(calibrated_project) as project:
        session = Session(project)
        session.grade(session.open_item(QueueItem("051", "d1")), 2)
        project.rankings.add_pool(depth_pool([make_run("a", [("051", "d5", 1.0)])], 9))
        assert list_judged_rows(project) == [("051", "d1", 2)]


def test_a_topic_without_presentable_pooled_documents_does_not_open(
    calibrated_project: Path,
) -> None:
    with open_project(calibrated_project) as project:
        project.rankings.add_pool(
            depth_pool([make_run("a", [("051", "lost", 1.0), ("007", "d3", 1.0)])], 9)
        )
        session = Session(project)
        assert (session.queue.topics, session.without_text) == (("007",), ("lost",))


def test_the_report_counts_documents_and_unpresentable_ones(project_file: Path) -> None:
    report = add(project_file, QRELS + "strange 0 d1 1\n")
    (done,) = report.sentences
    assert done.values == {"file": "known.qrels", "graded": "5", "topics": "2"}
    lines, topics, unshown = report.warnings
    assert (lines.key, lines.values["rows"]) == ("lines-without-grade", "1")
    assert (topics.key, topics.values["count"]) == ("unknown-topics", "1")
    assert topics.values["example"] == "strange" and "lost" in unshown


def test_a_later_agreed_grade_replaces_the_earlier_one(calibrated_project: Path) -> None:
    add(calibrated_project, "051 0 d9 2\n007 0 d1 0\n")
    with open_project(calibrated_project, writing=False) as project:
        assert project.calibration == {
            "051": {"d9": 2, "d10": 0, "d2": 1, "lost": 2},
            "007": {"d1": 0},
        }


def test_a_grade_outside_the_scale_is_refused(project_file: Path) -> None:
    with pytest.raises(FormatError) as error:
        add(project_file, "051 0 d2 1\n051 0 d1 4\n")
    assert error.value.values["topic"] == "051"
    assert error.value.values["document"] == "d1"
    assert error.value.values["grade"] == "4"
    assert error.value.values["scale"] == "0, 1, 2, 3"
    assert error.value.key == "unknown-grade"
    with open_project(project_file, writing=False) as project:
        assert project.calibration == {}


@pytest.mark.parametrize("stored_value", ["{", "[]", '{"1": 2}', '{"1": {"d": "high"}}'])
def test_unreadable_calibration_data_is_reported(project_file: Path, stored_value: str) -> None:
    with open_project(project_file) as project:
        project.set_setting("calibration", stored_value)
        with pytest.raises(ProjectError, match=r"calibration documents .*small\.irjudge"):
            Session(project)
