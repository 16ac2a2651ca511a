"""Tests of adjudicated pairs in the methods paragraph, the qrels sheet and exported files."""

import csv
from pathlib import Path

import openpyxl
import pytest

from irjudge.cli.main import main
from irjudge.evaluation import evaluate_project, parse_measures
from irjudge.formats.judgments import read_judgments
from irjudge.judging import AdjudicationRecorder, QueueItem, Session, select_qrels
from irjudge.model import UNJUDGEABLE, Document
from irjudge.report import ExportOptions, describe_method, export_project, project_source
from irjudge.report.workbook import write_project_workbook
from irjudge.store import Project, open_project

ADJUDICATED = {"d4": (0, "=the table settles it"), "d5": (UNJUDGEABLE, "two pages\nare missing")}


def judge(project: Project) -> None:
    """Let ann and bob judge six documents; they differ on d4 and d5."""
    for name in ("ann", "bob"):
        session = Session(project, name)
        for number in range(6):
            opened_item = session.open_item(QueueItem("051", f"d{number}"))
            session.grade(opened_item, (number + (name == "bob" and number > 3)) % 4)


@pytest.fixture
def adjudicated_project(project_file: Path) -> Path:
    """Return the small project, in which ann adjudicated two of the six judged pairs."""
    with open_project(project_file) as project:
        judge(project)
        deciding = AdjudicationRecorder(project)
        for document, (grade, why) in ADJUDICATED.items():
            text = project.collection.document(document)
            assert text is not None
            deciding.decide("051", text, grade, reason=why)
    return project_file


def paragraph(project: Project) -> str:
    table = evaluate_project(project, parse_measures(["AP"]))
    return describe_method(table, project_source(project, table, "")).paragraph


def test_the_paragraph_counts_adjudicated_pairs_and_names_adjudicators(
    adjudicated_project: Path,
) -> None:
    with open_project(adjudicated_project) as project:
        text = paragraph(project)
        assert "2 of 6" in text and f"by {project.owner}" in text
        AdjudicationRecorder(project).undo()
        assert "1 of 6" in paragraph(project)
        AdjudicationRecorder(project).undo()
        assert "djudicated" not in paragraph(project)


def test_the_name_of_the_qrels_counts_adjudications_everywhere(adjudicated_project: Path) -> None:
    with open_project(adjudicated_project) as project:
        chosen = select_qrels(project)
        assert (chosen.name, chosen.pair_count, chosen.adjudicated_count) == ("consensus", 6, 2)
        assert "adjudicated: 2" in chosen.description
        assert select_qrels(project, "assessor bob").adjudicated_count == 0


def test_the_qrels_sheet_has_adjudicator_and_reason_of_each_pair(
    adjudicated_project: Path,
) -> None:
    path = adjudicated_project.with_suffix(".xlsx")
    with open_project(adjudicated_project, writing=False) as project:
        write_project_workbook(path, project, evaluate_project(project, parse_measures(["AP"])))
        owner = project.owner
    head, *rows = openpyxl.load_workbook(path)["Qrels"].iter_rows(values_only=True)
    cells = [dict(zip(head, row, strict=True)) for row in rows]
    assert len(cells) == 6
    for each in cells:
        grade, why = ADJUDICATED.get(str(each["Document"]), (None, None))
        assert (each["Adjudicated by"], each["Reason"]) == ((owner, why) if why else (None, None))
        assert bool(each["Adjudicated (UTC)"]) == bool(why)
        assert grade is None or each["Grade"] == grade


def test_a_qrels_sheet_without_adjudications_has_no_such_columns(project_file: Path) -> None:
    path = project_file.with_suffix(".xlsx")
    with open_project(project_file) as project:
        judge(project)
        write_project_workbook(path, project, evaluate_project(project, parse_measures(["AP"])))
    head = next(openpyxl.load_workbook(path)["Qrels"].iter_rows(values_only=True))
    assert "Adjudicated by" not in head and head[-1] == "Grade"


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_adjudications_are_exported_with_their_reasons(
    adjudicated_project: Path, ending: str
) -> None:
    path = adjudicated_project.with_name(f"decided.{ending}")
    assert main(["export", str(adjudicated_project), "--adjudications", "-o", str(path)]) == 0
    rows = read_judgments(path).rows
    assert {row.document: (row.grade, row.note) for row in rows} == ADJUDICATED
    assert {row.assessor for row in rows} == {"ann"} and all(row.time for row in rows)
    if ending == "csv":
        with path.open(newline="") as file:
            assert [row["note"] for row in csv.DictReader(file)] == [
                "'=the table settles it",
                "two pages\nare missing",
            ]


@pytest.mark.parametrize("what", ["qrels", "judgments"])
def test_other_exports_count_adjudicated_pairs(adjudicated_project: Path, what: str) -> None:
    path = adjudicated_project.with_name("out.csv")
    with open_project(adjudicated_project, writing=False) as project:
        done = export_project(project, ExportOptions(what), path)
        assert any("2" in each and "djudicated" in each for each in done.warnings)
        assert any("--adjudications" in each for each in done.warnings)
        if what == "qrels":
            bob = export_project(project, ExportOptions(what, "assessor bob"), path)
            assert not any("--adjudications" in each for each in bob.warnings)


def test_an_adjudication_of_a_changed_text_is_reported_and_not_counted(
    adjudicated_project: Path,
) -> None:
    with open_project(adjudicated_project) as project:
        changed = Document("d0", b"another text")
        AdjudicationRecorder(project).decide("051", changed, 1, reason="of another text")
        done = export_project(
            project, ExportOptions("adjudications"), adjudicated_project.with_name("a.csv")
        )
        assert done.read_count == 2 and any("1" in each for each in done.warnings)
        assert "2 of 6" in paragraph(project)
