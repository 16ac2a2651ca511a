"""People of sessions are called by their names where somebody reads it, and by their ids where a name would not tell them apart."""

import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.judging.labels import project_labels
from irjudge.judging.votes import shown_names, with_names
from irjudge.store.project import open_project
from irjudge.web.dispatch import Terms
from irjudge.web.wish import Wish
from tests.engine.exchange.classroom import build
from tests.engine.web.browsing import Person, serving


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project in whose session three people judged, of whom two are called Bob by now."""
    path = tmp_path / "class.irjudge"
    build(path, topics=("051",), documents=6)
    with open_project(path) as opened:
        scale = opened.scale.version
    with serving(path, Wish(Terms(overlap=3))) as server:
        for number, name in enumerate(("Ann", "Bob", "Rob")):
            person = Person(server, name)
            while person.sync()["items"] or person.open_places():
                for place in person.open_places():
                    person.grade(place, (place + number) % 4, scale)
    assert main(["person", str(path), "Rob", "--rename", "bob"]) == 0
    return path


def test_names_stand_for_ids_and_tell_people_apart(project: Path) -> None:
    with open_project(project, writing=False) as opened:
        ids = [each.id for each in opened.sessions.people()]
        assert shown_names(opened) == {ids[0]: "Ann", ids[1]: f"Bob ({ids[1]})", ids[2]: f"bob ({ids[2]})"}
        assert set(with_names(project_labels(opened), shown_names(opened)).workers) == set(shown_names(opened).values())


def test_forgotten_people_are_ids_again(project: Path) -> None:
    assert main(["person", str(project), "Ann", "--forget"]) == 0
    with open_project(project, writing=False) as opened:
        assert opened.sessions.people()[0].id not in shown_names(opened)


@pytest.mark.parametrize(
    "words",
    [["agreement", "--show", "pairs"], ["agreement", "--show", "assessors"], ["status"]],
    ids=" ".join,
)
def test_the_terminal_says_names(project: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    capsys.readouterr()
    assert main([words[0], str(project), *words[1:], "--format", "json"]) == 0
    said = capsys.readouterr().out
    assert "Ann" in said and "p-" not in said.replace("Bob (p-", "").replace("bob (p-", "") and json.loads(said)


def test_who_judged_in_a_session_is_among_no_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["status", str(project), "--show", "files", "--format", "json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == [] and "No file was handed out yet" in said.err


def test_a_name_can_be_left_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", str(project), "--show", "assessors", "--leave-out", "Ann", "--format", "json"]) == 0
    assert "Ann" not in capsys.readouterr().out
