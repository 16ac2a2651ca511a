"""Tests of reports by request: the file extension determines the format."""

import zipfile
from pathlib import Path

import pytest
from openpyxl import load_workbook

from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation import EvaluationRequest, EvaluationSettings, evaluate_sources
from irjudge.model import Scale
from irjudge.report import (
    REPORT_FORMATS,
    EvaluatedFiles,
    EvaluationReport,
    ReportRequest,
    report_sources,
)
from irjudge.store import create_project

SETTINGS = EvaluationSettings(measures=("RR",))
TEXTS = [name for name in REPORT_FORMATS if name not in (".xlsx", ".zip")]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write qrels in which document a is relevant; x ranks it first, y second."""
    (tmp_path / "q.txt").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "runs").mkdir()
    for name, order in (("x", "ab"), ("y", "ba")):
        lines = [
            f"{topic} Q0 {document} 1 {score} {name}\n"
            for topic in "12"
            for document, score in zip(order, (2, 1), strict=True)
        ]
        (tmp_path / "runs" / f"{name}.run").write_text("".join(lines))
    return tmp_path


def request_for(output: Path, *worked: str) -> ReportRequest:
    return ReportRequest(settings=SETTINGS, output=output, worked=worked)


@pytest.mark.parametrize("suffix", TEXTS)
def test_documents_have_the_values_of_each_run(files: Path, suffix: str) -> None:
    output = files / f"out{suffix}"
    written = report_sources(files / "q.txt", [files / "runs"], request_for(output))
    text = output.read_text()
    assert "0.5" in text and "x" in text
    assert (written.path, written.parts) == (output, ())
    assert [float(run.summary[0]) for run in written.evaluation.runs] == [1.0, 0.5]


def test_a_workbook_of_a_folder_of_runs_has_a_sheet_for_each_worked_topic(files: Path) -> None:
    output = files / "out.xlsx"
    report_sources(files / "q.txt", [files / "runs"], request_for(output, "y:1", "x:2"))
    names = load_workbook(output).sheetnames
    assert sum(name.startswith("Worked") for name in names) == 2


def test_a_study_of_a_folder_of_runs_has_the_hash_of_each(files: Path) -> None:
    output = files / "out.zip"
    written = report_sources(files / "q.txt", [files / "runs"], request_for(output))
    with zipfile.ZipFile(output) as archive:
        assert tuple(archive.namelist()) == written.parts
        assert archive.read("qrels.txt") == (files / "q.txt").read_bytes()
        study = archive.read("study.json").decode()
    assert study.count('"kind": "run"') == 2
    assert len(written.notes) == 1


@pytest.fixture
def project(files: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = files / "p.irjudge"
    with create_project(path, scale=Scale.parse("binary")):
        pass
    runs = str(files / "runs")
    assert main(["import", str(path), "--qrels", str(files / "q.txt"), "--runs", runs]) == 0
    capsys.readouterr()
    return path


@pytest.mark.parametrize("suffix", [".md", ".csv", ".xlsx", ".zip"])
def test_a_project_is_reported_in_each_kind_of_format(project: Path, suffix: str) -> None:
    written = report_sources(project, [], request_for(project.with_suffix(suffix)))
    assert written.path.stat().st_size
    assert [run.run for run in written.evaluation.runs] == ["x", "y"]


def test_a_page_for_printing_has_no_figures(files: Path) -> None:
    runs = (files / "runs" / "x.run", files / "runs" / "y.run")
    table = evaluate_sources(files / "q.txt", runs, EvaluationRequest(settings=SETTINGS))
    report = EvaluationReport(evaluation=table, source=EvaluatedFiles(files / "q.txt", runs))
    page = report.page()
    assert "<figure>" not in page and "x.run, y.run" in page


@pytest.mark.parametrize(
    ("name", "worked", "fragment"),
    [
        ("out.doc", (), "out.doc"),
        ("out", (), "out"),
        ("out.md", ("x:1",), "out.md"),
        ("out.xlsx", ("z:1",), "z:1"),
        ("out.xlsx", ("x:3",), "3"),
    ],
)
def test_unsupported_formats_are_refused(
    files: Path, name: str, worked: tuple[str, ...], fragment: str
) -> None:
    with pytest.raises(IrjudgeError, match=fragment):
        report_sources(files / "q.txt", [files / "runs"], request_for(files / name, *worked))
    assert not (files / name).exists()


def test_an_error_while_writing_keeps_the_warnings_of_reading(files: Path) -> None:
    (files / "q.txt").write_text("1 0 a 1\n1 0 a 1\n")
    output = files / "out.xlsx"
    with pytest.raises(IrjudgeError) as error:
        report_sources(files / "q.txt", [files / "runs"], request_for(output, "z:1"))
    assert [note.startswith("q.txt") for note in error.value.__notes__] == [True]


def test_a_broken_run_is_refused(files: Path) -> None:
    (files / "runs" / "x.run").write_text("1 Q0 a x\n")
    with pytest.raises(FormatError, match="line 1"):
        report_sources(files / "q.txt", [files / "runs"], request_for(files / "out.md"))
