"""Tests of instructions, calibration, owners and receipts on the command line."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.judging import Session, submit_work
from irjudge.shipped import sample_folders
from irjudge.store import open_project
from tests.engine.cli.output import find_line
from tests.engine.exchange.browser_results import open_page
from tests.engine.exchange.classroom import assign_class, build_class

SAMPLE = sample_folders()["everyday"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    known = tmp_path / "known.qrels"
    known.write_text("1 0 tides-made 3\n")
    path = tmp_path / "a.irjudge"
    arguments = [
        "--documents",
        SAMPLE / "documents.jsonl",
        "--topics",
        SAMPLE / "topics.txt",
        "--runs",
        SAMPLE / "runs" / "bm25.run",
    ]
    arguments += [
        "--instructions",
        SAMPLE / "instructions.md",
        "--calibration",
        known,
        "--owner",
        "assessor 7",
    ]
    assert main(["new", str(path), *map(str, arguments)]) == 0
    assert main(["pool", str(path), "--depth", "5"]) == 0
    return path


def test_new_accepts_instructions_calibration_and_owner(file: Path) -> None:
    with open_project(file, writing=False) as project:
        assert project.instructions.startswith("# How to judge")
        assert (project.calibration, project.belongs_to) == ({"1": {"tides-made": 3}}, "assessor 7")


def test_import_accepts_instructions_calibration_and_owner(file: Path, tmp_path: Path) -> None:
    better = tmp_path / "better.md"
    better.write_text("# Better\n")
    assert main(["import", str(file), "--instructions", str(better)]) == 0
    with open_project(file, writing=False) as project:
        assert project.instructions == "# Better\n"


def test_the_receipt_of_a_submitted_file_can_be_checked(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_project(file) as project:
        session = Session(project)
        session.grade(session.current(), 3)
        made = submit_work(session)
    before = file.read_bytes()
    capsys.readouterr()
    assert main(["receipt", str(file)]) == 0
    assert capsys.readouterr().out == made.text
    assert main(["receipt", str(file), "--assessor", "bob"]) == 0
    assert "Submitted  not yet" in capsys.readouterr().out
    assert file.read_bytes() == before


def test_a_missing_project_is_not_taken_for_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "missing.irjudge")]) == 2
    assert "missing.irjudge does not exist" in capsys.readouterr().err


def test_a_browser_result_is_verified_and_has_a_receipt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build_class(tmp_path / "class.irjudge")
    browser = open_page(assign_class(tmp_path / "class.irjudge", tmp_path / "out").files[0].path)
    browser.undo(1, browser.grade(1, 2))
    browser.grade(0, 1)
    path, head = browser.save(tmp_path / "ann.result.json"), browser.checksums()[-1]
    code = f"{head[:4]} {head[4:8]} {head[8:12]}"
    assert main(["verify", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.count("3 actions") == 2 and f" {code}: " in out
    assert main(["receipt", str(path)]) == 0
    printed = capsys.readouterr().out
    for line in (
        f"Receipt {code}",
        "Assessor   ann",
        "Project    Class (ann.result.json)",
        "Submitted  not yet",
        "Judged     1",
        f"Checksum   {head}",
    ):
        assert line in printed.splitlines()
    path.write_text(path.read_text().replace('\\"value\\":1', '\\"value\\":2'))
    assert main(["verify", str(path)]) == 2
    assert "ann.result.json, action 3: " in capsys.readouterr().err
    path.write_text(path.read_text()[:-200])
    assert main(["verify", str(path)]) == 2
    assert find_line(capsys.readouterr().err, "irjudge: ", "ann.result.json")
