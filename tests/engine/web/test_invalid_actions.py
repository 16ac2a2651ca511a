"""Tests of actions that no page sends: unknown fields and deep nesting, also in existing logs."""

import sys
from pathlib import Path
from typing import Any

import pytest

from irjudge.cli.main import main
from irjudge.judging import list_grades_in_force
from irjudge.store import open_project
from irjudge.web import SessionOptions
from irjudge.web import session as session_module
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, pull, run_server

pytestmark = pytest.mark.usefixtures("store")
DEEP = 3000


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("9",), documents=6)
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def nested(depth: int) -> Any:
    result: Any = []
    for _ in range(depth - 1):
        result = [result]
    return result


INVALID_FIELDS = (
    ("mood", "good", "unknown field mood"),
    ("x" * 4000, 1, f"unknown field {'x' * 40}"),
    ("reasons", ["clear"], "unknown field reasons"),
    ("identical", True, "unknown field identical"),
    ("imported", "a.csv, line 2", "unknown field imported"),
    ("mood", nested(20), "more than 20 levels of nesting"),
    ("active_ms", nested(500), "more than 20 levels of nesting"),
    ("mood", nested(18), "unknown field mood"),
)


def test_malformed_actions_are_refused_with_a_message_and_the_page_continues(
    project: Path, scale: str
) -> None:
    with run_server(project, SessionOptions()) as server:
        ann = Person(server, "Ann")
        ann.sync()
        action = ann.grade(0, 2, scale)
        payload = action["payload"]
        for field, value, message in INVALID_FIELDS:
            action["payload"] = {**payload, field: value}
            assert ann.sync()["refused"] == {"number": 1, "problem": message}
        action["payload"] = payload
        assert ann.sync()["refused"] is None
        action = ann.undo(action)
        for name in action:
            inside = action[name] if isinstance(action[name], dict) else action
            inside["mood"] = nested(3)
            assert ann.sync()["refused"] and ann.outbox
            del inside["mood"]
        assert ann.sync()["refused"] is None


@pytest.mark.slow
def test_malformed_actions_acknowledged_earlier_are_readable(
    project: Path,
    scale: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A server without these checks, and with a higher recursion limit, accepted them."""
    limit = sys.getrecursionlimit()
    try:
        with run_server(project, SessionOptions()) as server, monkeypatch.context() as patch:
            patch.setattr(session_module, "action_problem", lambda _kind, _payload: None)
            sys.setrecursionlimit(20_000)
            ann = Person(server, "Ann")
            ann.sync()
            ann.grade(0, 2, scale)["payload"]["mood"] = nested(DEEP)
            ann.grade(1, 3, scale)
            assert ann.sync(want=0)["acknowledged"] == 2
    finally:
        sys.setrecursionlimit(limit)
    with run_server(project, SessionOptions()) as server:  # and continues
        ann.port = server.port
        assert [action["payload"]["value"] for action in ann.call("/welcome", {})["actions"]] == [
            2,
            3,
        ]
        ann.open()
        ann.sync()
        ann.grade(max(ann.open_items()), 1, scale)
        assert ann.sync(want=0)["acknowledged"] == 1
    saved, old = tmp_path / "saved.irjudge", pull(project).read_bytes()
    for command in (
        ["status", str(project)],
        ["verify", str(project)],
        ["qrels", str(project), "-o", str(tmp_path / "out.qrels")],
        ["participant", str(project)],
        ["agreement", str(project)],
        ["rescue", str(project), "-o", str(saved)],
        ["verify", str(saved)],
    ):
        assert main(command) == 0, (command, capsys.readouterr().err)
    for path in (project, saved):
        with open_project(path, writing=False) as opened:
            events = list(opened.events.read())
            assert len(events) == 3 and b"[" * DEEP in events[0].canonical_bytes
            assert [
                event.payload["value"] for event in list_grades_in_force(opened, events[0].assessor)
            ][:2] == [2, 3]
    project.write_bytes(old)
    assert (
        main(
            ["participant", str(project), "Ann", "--erase", "-o", str(tmp_path / "without.irjudge")]
        )
        == 0
    )
