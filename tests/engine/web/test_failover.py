"""Tests of failover: another machine takes over, or a page's file is merged without doubles."""

import json
import shutil
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.judging import get_ledger
from irjudge.store import open_project
from irjudge.web import SchedulingOptions, ServerAddress, SessionOptions
from tests.engine.exchange.browser_results import Browser
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server

OPTIONS = SessionOptions(SchedulingOptions(overlap=2))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=8)
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def make_result_file(person: Person, path: Path) -> Path:
    """Return a result file with all actions of a participant, sent or not."""
    browser = Browser(person.call("/welcome", {})["task"])
    browser.texts = [
        json.dumps(each, ensure_ascii=False, separators=(",", ":"))
        for each in (*person.saved, *person.outbox)
    ]
    return browser.save(path)


def read_grades(path: Path, person: str) -> dict[str, int]:
    with open_project(path, writing=False) as opened:
        assert opened.verify().problems == ()
        (id,) = (each.id for each in opened.sessions.participants() if each.name == person)
        return {
            event.item.documents[0]: event.payload["value"]
            for event in get_ledger(opened, id).judgments()
        }


@pytest.mark.slow
def test_another_machine_continues_the_project_under_the_same_port(
    project: Path, scale: str, tmp_path: Path
) -> None:
    with run_server(project, OPTIONS) as first:
        ann = Person(first, "Ann")
        ann.sync()
        for index in ann.open_items():
            ann.grade(index, 2, scale)
        ann.sync()
        done = len(ann.judged)
    ann.grade(ann.open_items()[0], 1, scale)  # while no machine responds
    other = tmp_path / "other machine"
    other.mkdir()
    copy = Path(shutil.copy(project, other))
    with run_server(copy, OPTIONS, address=ServerAddress(port=first.port)) as second:
        assert (second.port, second.code) == (first.port, first.code), "links stay valid"
        assert ann.sync()["refused"] is None, "the token is kept in the project"
        while ann.open_items() or ann.sync()["items"]:
            for index in ann.open_items():
                ann.grade(index, 2, scale)
            ann.sync()
    assert len(read_grades(copy, "Ann")) == 8 > done + 1


@pytest.mark.slow
def test_a_merged_result_file_and_the_same_actions_sent_later_count_once(
    project: Path, scale: str, tmp_path: Path
) -> None:
    with run_server(project, OPTIONS) as server:
        ann = Person(server, "Ann")
        ann.sync()
        ann.grade(ann.open_items()[0], 3, scale)
        ann.sync()
        ann.grade(ann.open_items()[0], 1, scale)
        undone = ann.grade(ann.open_items()[0], 0, scale)
        ann.undo(undone)
        file = make_result_file(ann, tmp_path / "Ann.result.json")
    assert len(read_grades(project, "Ann")) == 1
    assert main(["merge", str(project), str(file)]) == 0
    grades = read_grades(project, "Ann")
    assert sorted(grades.values()) == [1, 3]
    with run_server(project, OPTIONS) as server:
        ann.port = server.port
        assert ann.sync()["refused"] is None and ann.outbox == []
        index = ann.open_items()[0]
        ann.grade(index, 2, scale)
        assert ann.sync()["refused"] is None
    assert sorted(read_grades(project, "Ann").values()) == [1, 2, 3]
    with open_project(project, writing=False) as opened:
        assert opened.events.count() == 5
