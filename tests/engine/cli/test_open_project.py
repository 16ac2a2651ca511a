"""Tests of opening projects in commands: writing commands report problems and continue."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.judging import Session
from irjudge.store import open_project
from tests.outside_edits import change


@pytest.fixture
def file(project_file: Path) -> Path:
    """Return a judged project with one text changed outside irjudge."""
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.advance(), 1)
    change(project_file, "UPDATE content SET body = CAST('other words' AS BLOB) WHERE rowid = 1")
    return project_file


@pytest.mark.parametrize(
    "arguments",
    [
        ["costs", "--hour", "9"],
        ["exclude", "ann", "--reason", "too quick"],
        ["pool", "--depth", "3"],
        ["remove-run", "run"],
        ["fields", "--show", ""],
        ["consensus", "--method", "majority", "--keep"],
        ["import", "--topics", "topics.tsv"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_writing_command_reports_the_problems_of_verify(
    file: Path,
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(file.parent)
    Path("topics.tsv").write_text("9\tnine\n")
    main([arguments[0], str(file), *arguments[1:]])
    err = capsys.readouterr().err
    first, error, *_ = err.splitlines()
    assert first.startswith(f"{file.name} ") and "d0" in error and "irjudge rescue" in err, err


def test_commands_do_not_wait_for_intact_or_large_projects(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge.cli.open_project.MAX_VERIFIED_BYTES", 0)
    assert main(["costs", str(file), "--hour", "9"]) == 0
    assert "irjudge rescue" not in capsys.readouterr().err
