"""Who took part in a session: listed, renamed and forgotten, without touching a judgment."""

import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.store.project import open_project
from irjudge.web.session import Wish
from tests.engine.exchange.classroom import build
from tests.engine.web.browsing import Person, serving


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project in whose session Ann judged one document, and Bob none."""
    path = tmp_path / "class.irjudge"
    build(path)
    with open_project(path) as opened:
        scale = opened.scale.version
    with serving(path, Wish(join="names", names=("Ann", "Bob"))) as server:
        ann, _ = Person(server, "Ann"), Person(server, "Bob")
        ann.sync()
        ann.grade(0, 2, scale)
        ann.sync()
    return path


def listed(path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert main(["person", str(path), "--format", "json"]) == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_people_are_listed_with_what_they_judged(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [(each["name"], each["judged"]) for each in listed(project, capsys)] == [("Ann", 1), ("Bob", 0)]


def test_a_name_is_changed_and_no_event_with_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_project(project, writing=False) as opened:
        before = opened.events.digests()
    assert main(["person", str(project), "ann", "--rename", "Anna  Maria"]) == 0
    assert listed(project, capsys)[0]["name"] == "Anna Maria"
    with open_project(project, writing=False) as opened:
        assert opened.events.digests() == before and opened.verify().faults == ()


def test_a_forgotten_name_is_nowhere_in_the_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["person", str(project), "Bob", "--forget"]) == 0
    assert [each["name"] for each in listed(project, capsys)] == ["Ann", ""]
    assert b"Bob" not in project.read_bytes() and b"Ann" in project.read_bytes()


def test_a_person_that_is_none_or_several_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["person", str(project), "Eva", "--forget"]) == 2
    assert "knows nobody called Eva" in capsys.readouterr().err
    assert main(["person", str(project), "Bob", "--rename", "Ann"]) == 0
    assert main(["person", str(project), "Ann", "--forget"]) == 2
    assert "2 people are called Ann" in capsys.readouterr().err
    assert main(["person", str(project), "--forget"]) == 2
    assert main(["person", str(project), "Ann", "--forget", "--rename", "x"]) == 2
