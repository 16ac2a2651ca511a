"""Tests of files for crowd platforms: approvals, responses, and task layouts."""

import csv
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from click.testing import CliRunner

from irjudge.cli.export import export_command
from irjudge.errors import IrjudgeError
from irjudge.formats.judgments import TASK_COLUMNS
from irjudge.report.project_exports import read_table_back
from irjudge.store import Completion, Participant, open_project
from tests.engine.exchange.classroom import build_class


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "crowd.irjudge"
    build_class(path, topics=("051",), documents=4)
    with open_project(path) as opened, opened.transaction():
        code = opened.sessions.add("s", 1, {}, "2026-03-01T10:00:00.000Z")
        for number, name in enumerate(("good", "=bad", "away")):
            opened.sessions.add_participant(
                Participant(f"p-{number}", code, number, name, b"", "2026-03-01T10:00:00.000Z")
            )
        opened.sessions.note_completion("p-0", Completion("2026-03-01T11:00:00.000Z", False, 20))
        opened.sessions.note_completion("p-1", Completion("2026-03-01T11:00:00.000Z", True, 20))
        opened.sessions.note_survey("p-0", {"often": "daily"})
        opened.sessions.note_survey("p-0", {"words": "-1, nothing"})
    return path


def export(project: Path, option: str, name: str) -> Path:
    path = project.with_name(name)
    done = CliRunner().invoke(
        export_command, [str(project), option, "-o", str(path)], catch_exceptions=False
    )
    assert done.exit_code == 0
    return path


def cells(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text(encoding="utf-8").splitlines()))


def test_payments_are_written_in_the_format_of_each_platform(project: Path) -> None:
    assert export(project, "--approvals", "paid.txt").read_text(encoding="utf-8") == "good\n"
    rows = cells(export(project, "--approvals", "paid.csv"))
    assert rows[0] == ["WorkerId", "Approve", "Reject"] and rows[1] == ["good", "x", ""]
    assert rows[2][:2] == ["'=bad", ""] and "attention checks" in rows[2][2], (
        "no spreadsheet runs an id"
    )


def test_a_participant_who_completed_in_two_browsers_is_approved_once(project: Path) -> None:
    with open_project(project) as opened, opened.transaction():
        (code,) = {person.session for person in opened.sessions.participants()}
        opened.sessions.add_participant(
            Participant("p-9", code, 9, "good", b"", "2026-03-01T10:00:00.000Z")
        )
        opened.sessions.note_completion("p-9", Completion("2026-03-01T12:00:00.000Z", False, 4))
    assert export(project, "--approvals", "paid.txt").read_text(encoding="utf-8") == "good\n"


def test_responses_are_written_as_a_table(project: Path) -> None:
    rows = cells(export(project, "--surveys", "said.csv"))
    assert rows == [
        ["person", "question", "answer"],
        ["p-0", "often", "daily"],
        ["p-0", "words", "'-1, nothing"],
    ]


@pytest.mark.parametrize("answer", ["a\rb", "a\r\nb", "\n", 'a "b", c', "a\u2028b\x85c"])
def test_any_response_can_be_exported(project: Path, answer: str) -> None:
    with open_project(project) as opened:
        opened.sessions.note_survey("p-0", {"words": answer})
    path = export(project, "--surveys", "said.csv")
    assert ("p-0", "words", answer) in read_table_back(path)


def test_a_layout_uses_the_task_columns_and_the_grades_of_the_scale(
    project: Path,
) -> None:
    studio = fromstring(export(project, "--layout", "layout.xml").read_text(encoding="utf-8"))
    named = {
        part.get("value", "").removeprefix("$")
        for part in studio.iter()
        if part.get("value", "").startswith("$")
    }
    assert (
        named
        and named <= set(TASK_COLUMNS)
        and [each.get("value") for each in studio.iter("Choice")] == ["0", "1", "2", "3"]
    )
    page = export(project, "--layout", "layout.html").read_text(encoding="utf-8")
    assert "${text}" in page and page.count('name="grade"') == 4


def test_empty_files_and_wrong_extensions_are_refused(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "none.irjudge"
    build_class(other, topics=("051",), documents=4)
    with pytest.raises(IrjudgeError, match=r"none\.irjudge .*answers"):
        CliRunner().invoke(
            export_command,
            [str(other), "--surveys", "-o", str(tmp_path / "x.csv")],
            catch_exceptions=False,
        )
    with pytest.raises(IrjudgeError, match=r"ends in \.xml or \.html"):
        CliRunner().invoke(
            export_command,
            [str(project), "--layout", "-o", str(tmp_path / "x.csv")],
            catch_exceptions=False,
        )
