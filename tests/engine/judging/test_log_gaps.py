"""Tests of a missing event: later events wait, every reader reports it, and judging stops."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import ProjectDamaged
from irjudge.judging import Session
from irjudge.judging.counted_assessors import LogGap, find_gaps
from irjudge.store import open_project, rescue_file
from tests.outside_edits import change

READERS = [
    ["qrels"],
    ["status"],
    ["agreement"],
    ["consensus", "--method", "majority"],
    ["export", "-o", "out.csv", "--judgments"],
    ["report", "-o", "out.xlsx"],
    ["evaluate"],
]


@pytest.fixture
def project_with_gap(project_file: Path) -> Path:
    """Return a project with eight judgments, the third of which is deleted from the file."""
    with open_project(project_file) as project:
        session = Session(project)
        for grade in range(8):
            session.grade(session.advance(), grade % 4)
    change(project_file, "DELETE FROM event WHERE sequence = 3")
    return project_file


def test_waiting_events_are_counted_for_each_assessor(project_with_gap: Path) -> None:
    with open_project(project_with_gap, writing=False) as project:
        assert find_gaps(project) == (LogGap("ann", 5, 5),)
        values = find_gaps(project)[0].sentence.values
        assert (values["assessor"], values["items"]) == ("ann", "5 judgments")


def test_judging_stops_at_a_gap(project_with_gap: Path) -> None:
    with (
        open_project(project_with_gap) as project,
        pytest.raises(ProjectDamaged) as error,
    ):
        Session(project)
    assert error.value.values["assessor"] == "ann"
    assert error.value.key == "gap"


def test_a_rescued_project_counts_events_that_waited(project_with_gap: Path) -> None:
    rescue_file(project_with_gap, project_with_gap.with_name("again.irjudge"))
    with open_project(project_with_gap.with_name("again.irjudge")) as project:
        assert find_gaps(project) == ()
        assert Session(project).count().judged == 7


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_commands_that_read_judgments_report_waiting_events_on_stderr(
    project_with_gap: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
) -> None:
    monkeypatch.chdir(project_with_gap.parent)
    name, *more = command
    main([name, str(project_with_gap), *more])
    assert "earlier event is missing: 5 judgments of ann" in capsys.readouterr().err


def test_a_complete_project_reports_no_waiting_events(
    project_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.advance(), 1)
        assert find_gaps(project) == ()
    main(["qrels", str(project_file)])
    assert "earlier event" not in capsys.readouterr().err
