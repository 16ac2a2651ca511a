"""Tests of `irjudge audit`: models of a project, and label files with human qrels."""

import json
import re
import shlex
import shutil
from pathlib import Path

import openpyxl
import pytest

from irjudge.cli.main import main
from irjudge.report import TABLES
from irjudge.shipped import shipped_folder
from tests.engine.cli.output import command_error, find_line


@pytest.fixture
def files(tmp_path: Path) -> Path:
    people = [(topic, f"d{at}", (at + topic) % 4) for topic in range(4) for at in range(12)]
    for name, turn in (("people", 0), ("good", 0), ("bad", 1)):
        (tmp_path / f"{name}.qrels").write_text(
            "".join(
                f"{topic} 0 {doc} {3 - grade if turn else grade}\n" for topic, doc, grade in people
            )
        )
    for name, sign in (("up", 1), ("down", -1)):
        (tmp_path / f"{name}.run").write_text(
            "".join(f"{topic} Q0 {doc} 0 {sign * grade} x\n" for topic, doc, grade in people)
        )
    return tmp_path


def test_files_are_compared_with_qrels(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = [str(files / f"{name}.qrels") for name in ("good", "bad")]
    assert (
        main(
            [
                "audit",
                str(files / "people.qrels"),
                *models,
                "--runs",
                str(files / "up.run"),
                str(files / "down.run"),
            ]
        )
        == 0
    )
    out, err = capsys.readouterr()
    assert out.startswith("good: Unproven") and "2; at least 5" in out and "bad: Not useful" in out
    assert re.search(r"^  ! Quadratic kappa is -", out, re.MULTILINE)  # a reversed scale
    assert "Human grades: people.qrels." in err and "2 models" not in err  # no correlation


def test_fractional_human_grades_are_mapped_as_given(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people, halves = files / "people.qrels", files / "halves.qrels"
    halves.write_text(
        "".join(f"{line[:-1]}{int(line[-1]) / 2}\n" for line in people.read_text().splitlines())
    )
    options = [
        "audit",
        str(halves),
        str(files / "bad.qrels"),
        "--show",
        "statistics",
        "--format",
        "csv",
        "--samples",
        "5",
    ]
    assert main(options) == 2 and "--grades" in capsys.readouterr().err
    assert main([*options, "--grades", "0:0,0.5:1,1:2,1.5:3"]) == 0
    turned = capsys.readouterr().out
    assert main([options[0], str(people), *options[2:]]) == 0 and capsys.readouterr().out == turned


@pytest.mark.parametrize("what", [table.name for table in TABLES])
def test_every_table_is_shown(files: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    arguments = [
        "audit",
        str(files / "people.qrels"),
        str(files / "bad.qrels"),
        "--show",
        what,
        "--format",
        "csv",
        "--samples",
        "5",
    ]
    assert main([*arguments, "--runs", str(files / "up.run"), str(files / "down.run")]) == 0
    header = capsys.readouterr().out.splitlines()[0]
    assert header == ",".join(next(table.header for table in TABLES if table.name == what))


def test_the_workbook_has_a_sheet_for_each_table_with_rows(files: Path) -> None:
    book = files / "audit.xlsx"
    assert (
        main(
            [
                "audit",
                str(files / "people.qrels"),
                str(files / "bad.qrels"),
                "--samples",
                "5",
                "-o",
                str(book),
            ]
        )
        == 0
    )
    sheets = openpyxl.load_workbook(book, read_only=True)
    assert sheets.sheetnames == [
        "Verdict",
        "Paragraph",
        "Statistics",
        "Confusion",
        "Leniency",
        "Conflicts",
    ]
    rows = list(sheets["Confusion"].iter_rows(values_only=True))
    assert rows[0] == ("judge", "people", "model", "pairs") and len(rows) == 17


def test_the_reranked_run_is_not_a_system(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels = [str(files / f"{name}.qrels") for name in ("people", "bad")]
    arguments = ["--show", "systems", "--samples", "5", "--rerank", "up", "--format", "json"]
    runs = [str(files / f"{name}.run") for name in ("up", "down")]
    assert main(["audit", *qrels, *arguments, "--runs", *runs]) == 0
    rows = json.loads(capsys.readouterr().out)["values"]
    assert [(row["judge"], row["kind"], row["run"]) for row in rows] == [
        ("bad", "system", "up"),
        ("bad", "system", "down"),
        ("bad", "reranked by the model", "up"),
    ]
    assert all(isinstance(row["model"], float) for row in rows)
    assert not any("'" in key for row in rows for key in row)


def test_models_of_a_project_are_audited(
    files: Path, small_project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = files / "p.irjudge"
    shutil.copy(small_project, project)
    pairs = [("051", f"d{at}") for at in range(6)] + [("007", f"d{at}") for at in range(3, 9)]
    (files / "q.qrels").write_text(
        "".join(f"{topic} 0 {doc} {at % 4}\n" for at, (topic, doc) in enumerate(pairs))
    )
    (files / "m.qrels").write_text(
        "".join(f"{topic} 0 {doc} {at % 3}\n" for at, (topic, doc) in enumerate(pairs))
    )
    assert main(["audit", str(project)]) == 2
    assert find_line(capsys.readouterr().err, "p.irjudge ", "--as model")
    assert main(["import", str(project), "--qrels", str(files / "q.qrels")]) == 0
    assert (
        main(
            ["import", str(project), "--judgments", str(files / "m.qrels"), "--as", "model", "m-1"]
        )
        == 0
    )
    capsys.readouterr()
    assert main(["audit", str(project)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("m-1: Unproven") and "(12)" in find_line(out, "(2)")
    assert "Human grades: q.qrels (judgments: 12)." in err
    assert command_error("audit", project, "--source", "model m-1").key == "qrels-of-a-model"
    assert dict(command_error("audit", project, "nosuch").values) == {
        "name": "'nosuch'",
        "names": "m-1",
    }


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["bad.qrels", "-m", "P@5", "-m", "all_trec"], "all_trec"),
        (["bad.qrels", "-o", "x.csv"], "x.csv"),
        (["bad.qrels", "--source", "q"], "--source"),
    ],
)
def test_invalid_requests_are_refused(
    files: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
    problem: str,
) -> None:
    monkeypatch.chdir(files)
    assert main(["audit", "people.qrels", *more]) == 2
    assert problem in capsys.readouterr().err


@pytest.mark.slow
def test_the_guide_of_a_first_audit_shows_the_actual_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pages = [
        (shipped_folder("resources") / "help" / language / "models.md").read_text(encoding="utf-8")
        for language in ("", "zh_CN")
    ]
    guide = re.compile(r"```\n(irjudge sample harbour.*?)```\n+(.*?)\n\n##", re.DOTALL)
    (block, reported), (same, _) = (guide.search(page).groups() for page in pages)
    assert block == same
    outputs = []
    for line in block.splitlines():
        assert main(shlex.split(line)[1:]) == 0, line
        outputs.append(capsys.readouterr().out)
    audited, leniency, conflicts = outputs[2:5]
    for number in ("unproven", ".41", ".66", ".40", "Two lines"):
        assert number in reported
    for shown in (
        "Unproven",
        "graded: 0.409",
        "quadratic: 0.662",
        "human grade: 0.413",
        "tau-b = 0.400",
        "0 with human and with model grades",
        "valid answer: 2",
    ):
        assert shown in audited
    too_high = {line.split()[1]: line.split()[4] for line in leniency.splitlines()[1:]}
    assert (
        (too_high["1"], too_high["0"]) == ("0.6000", "0.4946")
        and "60 of 100" in reported
        and "0 (49)" in reported
    )
    assert "fish-tank" in conflicts and (tmp_path / "harbour" / "make_model_labels.py").is_file()
    assert main(["sample", "harbour", "-o", "again.irjudge", "--files", "harbour"]) == 2
    assert "already exists" in capsys.readouterr().err
