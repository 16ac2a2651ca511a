"""Tests of forged events with valid hashes: excluded, counted and reported, never fatal."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irjudge.cli.main import main
from irjudge.judging import Session, get_ledger, read_adjudications
from irjudge.judging.counted_assessors import count_invalid_events
from irjudge.model import EVENT_KINDS, Event, Item
from irjudge.store import Project, open_project

COMMANDS = (
    ["qrels"],
    ["status"],
    ["agreement"],
    ["consensus", "--method", "majority"],
    ["evaluate"],
    ["verify"],
    ["export", "-o", "out.csv", "--judgments"],
    ["report", "-o", "out.xlsx"],
)
UNEXPECTED_VALUES: tuple[Any, ...] = (
    "three",
    None,
    True,
    2.5,
    10**30,
    -1,
    2**31,
    [],
    [1],
    {},
    {"a": 1},
    "a\0b",
    "",
    ["left"],
    [[]],
)
FIELDS = (
    "value",
    "scale",
    "reason",
    "text",
    "position",
    "winner",
    "strength",
    "sides",
    "active_ms",
    "unjudgeable",
    "why",
    "imported",
)
PAYLOADS = st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(UNEXPECTED_VALUES), max_size=4)
INVALID: dict[str, dict[str, Any]] = {
    "grade": {"value": "three"},
    "unjudgeable": {"reason": ["broken"]},
    "unsure": {"value": "yes"},
    "note": {},
    "rationale": {"text": "a", "position": [1]},
    "preference": {"winner": []},
    "draft": {"text": 3},
    "adjudicate": {"value": None},
    "skip": {"active_ms": "long"},
    "undo": {"active_ms": 10**30},
    "redo": {"active_ms": []},
}


def forge(
    project: Project, kind: Any, payload: Any, *, assessor: str = "", item: Item | None = None
) -> Event:
    """Write an event as the real encoder does, with an arbitrary payload."""
    name = assessor or project.owner
    head = project.events.head(name)
    about = item or Item("051", ("d1",), ("",))
    event = Event(
        name,
        kind,
        about,
        "2026-03-01T00:00:00.000Z",
        payload,
        head if kind in ("undo", "redo") else None,
        head,
    )
    project.events.append(event)
    return event


@pytest.fixture
def judged_project(project_file: Path) -> Path:
    """Return a project with three judgments of ann and two of bob."""
    with open_project(project_file) as project:
        for name, count in (("ann", 3), ("bob", 2)):
            session = Session(project, name)
            for grade in range(count):
                session.grade(session.advance(), grade)
    return project_file


@pytest.fixture
def run(
    judged_project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Return a function that runs a command on the project and returns exit code and output."""
    monkeypatch.chdir(judged_project.parent)

    def run(command: list[str]) -> tuple[int, str, str]:
        for left in ("out.csv", "out.xlsx"):
            Path(left).unlink(missing_ok=True)
        code = main([command[0], str(judged_project), *command[1:]])
        return code, *capsys.readouterr()

    return run


def test_impossible_events_are_excluded_counted_and_named(judged_project: Path, run: Any) -> None:
    _, before, _ = run(["qrels"])
    with open_project(judged_project) as project:
        forged = [
            forge(project, kind, INVALID[kind], item=PAIR if kind == "preference" else None)
            for kind in EVENT_KINDS
        ]
        assert get_ledger(project).malformed == forged and not read_adjudications(project)
        assert [(each.assessor, each.events) for each in count_invalid_events(project)] == [
            ("ann", len(EVENT_KINDS))
        ]
        session = Session(project)
        session.grade(session.advance(), 1)
        session.undo()
    code, after, err = run(["qrels"])
    assert (code, after) == (0, before) and "11 events of ann" in err
    code, out, err = run(["verify"])
    assert code and f"Event 6 ({forged[0].digest[:12]}, ann)" in out + err


def test_every_kind_of_event_has_its_format() -> None:
    assert INVALID.keys() == set(EVENT_KINDS)
    assert all(
        Event(
            "a", kind, PAIR, "", INVALID[kind], "0" * 64 if kind in ("undo", "redo") else None
        ).problem
        for kind in EVENT_KINDS
    )


@pytest.mark.parametrize(
    ("value", "reads"), [(True, True), (1, False), ("yes", False), ([0], False), (False, False)]
)
def test_only_true_marks_a_document_as_unjudgeable(value: Any, reads: bool) -> None:
    assert (
        not Event("a", "adjudicate", Item("1", ("d",), ("",)), "", {"unjudgeable": value}).problem
    ) == reads


PAIR = Item("051", ("d1", "d2"), ("", ""), "pair")


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(EVENT_KINDS),
    payload=PAYLOADS,
    about=st.sampled_from(["document", "pair", "panel"]),
    command=st.integers(0, 7),
)
def test_no_payload_stops_a_command_or_a_session(
    judged_project: Path, run: Any, kind: Any, payload: Any, about: str, command: int
) -> None:
    item = replace(PAIR, type=about) if about != "document" else None
    whole = judged_project.read_bytes()
    try:
        with open_project(judged_project) as project:
            forge(project, kind, payload, item=item)
            session = Session(project)
            session.grade(session.advance(), 1)
        code, _, err = run(COMMANDS[command])
        assert code in (0, 1, 2) and "Traceback" not in err and "rror in irjudge" not in err
    finally:
        judged_project.write_bytes(whole)
