"""A session goes on without luck: a second machine takes over, or what a page saved in a file is merged and never counts twice."""

import json
import shutil
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.judging import get_ledger
from irjudge.store import open_project
from irjudge.web import SchedulingOptions, ServerAddress, SessionOptions
from tests.engine.exchange.browser import Browser
from tests.engine.exchange.classroom import build_class
from tests.engine.web.browsing import Person, serving

WISH = SessionOptions(SchedulingOptions(overlap=2))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=8)
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def saved_file(person: Person, path: Path) -> Path:
    """What the page of a person saves: all it did, sent or not."""
    browser = Browser(person.call("/welcome", {})["task"])
    browser.texts = [
        json.dumps(each, ensure_ascii=False, separators=(",", ":"))
        for each in (*person.saved, *person.outbox)
    ]
    return browser.save(path)


def grades(path: Path, person: str) -> dict[str, int]:
    with open_project(path, writing=False) as opened:
        assert opened.verify().problems == ()
        (id,) = (each.id for each in opened.sessions.participants() if each.name == person)
        return {
            event.item.documents[0]: event.payload["value"]
            for event in get_ledger(opened, id).judgments()
        }


@pytest.mark.slow
def test_a_second_machine_goes_on_with_the_project_under_the_same_port(
    project: Path, scale: str, tmp_path: Path
) -> None:
    with serving(project, WISH) as first:
        ann = Person(first, "Ann")
        ann.sync()
        for place in ann.open_places():
            ann.grade(place, 2, scale)
        ann.sync()
        done = len(ann.judged)
    ann.grade(ann.open_places()[0], 1, scale)  # while no machine answers
    other = tmp_path / "other machine"
    other.mkdir()
    copy = Path(shutil.copy(project, other))
    with serving(copy, WISH, place=ServerAddress(port=first.port)) as second:
        assert (second.port, second.code) == (first.port, first.code), "links stay valid"
        assert ann.sync()["refused"] is None, "the token is kept in the project"
        while ann.open_places() or ann.sync()["items"]:
            for place in ann.open_places():
                ann.grade(place, 2, scale)
            ann.sync()
    assert len(grades(copy, "Ann")) == 8 > done + 1


@pytest.mark.slow
def test_what_a_page_saved_in_a_file_merges_and_the_same_sent_later_counts_once(
    project: Path, scale: str, tmp_path: Path
) -> None:
    with serving(project, WISH) as server:
        ann = Person(server, "Ann")
        ann.sync()
        ann.grade(ann.open_places()[0], 3, scale)
        ann.sync()
        ann.grade(ann.open_places()[0], 1, scale)
        undone = ann.grade(ann.open_places()[0], 0, scale)
        ann.undo(undone)
        file = saved_file(ann, tmp_path / "Ann.result.json")
    assert len(grades(project, "Ann")) == 1
    assert main(["merge", str(project), str(file)]) == 0
    found = grades(project, "Ann")
    assert sorted(found.values()) == [1, 3]
    with serving(project, WISH) as server:
        ann.port = server.port
        assert ann.sync()["refused"] is None and ann.outbox == []
        place = ann.open_places()[0]
        ann.grade(place, 2, scale)
        assert ann.sync()["refused"] is None
    assert sorted(grades(project, "Ann").values()) == [1, 2, 3]
    with open_project(project, writing=False) as opened:
        assert opened.events.count() == 5
