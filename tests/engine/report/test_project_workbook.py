"""Tests of the workbook of a project: judgments, agreement, preferences and audits."""

from pathlib import Path

import openpyxl
import pytest

from irjudge.evaluation import evaluate_project, parse_measures
from irjudge.formats import ReadingOptions
from irjudge.judging import QueueItem, Session, choose_qrels, import_judgments
from irjudge.model import Event, Item, ModelJudge
from irjudge.report.workbook import write_project_workbook
from irjudge.report.workbook.book import project_judgments
from irjudge.report.workbook.sheets import JudgmentRow
from irjudge.store import Project, Sources, import_sources, open_project


@pytest.fixture
def judged_project(project_file: Path) -> Path:
    """Return the small project; ann and bob judged six documents, and ann one for calibration."""
    known = project_file.with_name("known.qrels")
    known.write_text("051 0 d9 3\n")
    with open_project(project_file) as project:
        import_sources(project, Sources(calibration=(known,)))
        for name in ("ann", "bob"):
            session = Session(project, name)
            for number in range(6):
                session.grade(
                    session.open_item(QueueItem("051", f"d{number}")),
                    (number + (name == "bob")) % 4,
                )
        session = Session(project, "ann")
        session.grade(session.open_item(QueueItem("051", "d9")), 2)
    return project_file


def write(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Write the workbook of a project and return the rows of its sheets, headers first."""
    with open_project(path, writing=False) as project:
        table = evaluate_project(project, parse_measures(["AP", "nDCG@10"]))
        write_project_workbook(path.with_suffix(".xlsx"), project, table)
    book = openpyxl.load_workbook(path.with_suffix(".xlsx"), data_only=True)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}


def judgments(project: Project) -> dict[tuple[str, str], JudgmentRow]:
    result = project_judgments(project, project.rankings.pool())
    return {(each.assessor, each.document): each for each in result}


def test_calibration_judgments_are_marked_and_not_in_the_qrels(
    judged_project: Path,
) -> None:
    with open_project(judged_project, writing=False) as project:
        marked = {name for name, each in judgments(project).items() if each.calibration}
    assert marked == {("ann", "d9")}
    sheets = write(judged_project)
    head = sheets["Judgments"][0]
    column = head.index("Calibration only")
    assert [row[head.index("Document")] for row in sheets["Judgments"][1:] if row[column]] == ["d9"]
    assert "d9" not in [row[2] for row in sheets["Qrels"][1:]] and len(sheets["Qrels"]) == 7


@pytest.mark.slow
def test_the_audit_of_a_model_is_included_if_the_source_names_it(
    judged_project: Path,
) -> None:
    people = [*write(judged_project)]
    labels = judged_project.with_name("labels.txt")
    labels.write_text("".join(f"051 0 d{number} {number % 3}\n" for number in range(6)))
    with open_project(judged_project) as project:
        import_judgments(project, labels, ReadingOptions(judge=ModelJudge("m-1")))
    assert [*write(judged_project)] == people, "no source names the model"
    with open_project(judged_project) as project:
        choose_qrels(project, "mixed:m-1")
    sheets = write(judged_project)
    assert {
        "Audit verdict",
        "Audit statistics",
        "Audit confusion",
        "Audit conflicts",
    } <= sheets.keys() - set(people)
    assert sum(row[3] for row in sheets["Audit confusion"][1:]) == 6  # type: ignore[misc]
    text = str(sheets["Audit paragraph"][1][1])
    assert "(m-1)" in text.partition(". ")[0] and "6 pairs of 1 topics" in text


def test_notes_and_flags_are_next_to_a_judgment(judged_project: Path) -> None:
    with open_project(judged_project) as project:
        session = Session(project, "ann")
        opened_item = session.open_item(QueueItem("051", "d1"))
        session.note(opened_item, "=cmd|' /C calc'!A0")
        session.set_unsure(session.open_item(QueueItem("051", "d2")), True)
    with open_project(judged_project, writing=False) as project:
        result = judgments(project)
    assert result["ann", "d1"].note == "=cmd|' /C calc'!A0" and not result["bob", "d1"].note
    assert result["ann", "d2"].unsure and not result["ann", "d1"].unsure


def test_imported_judgments_have_a_source_and_no_working_time() -> None:
    item = Item("1", ("d",), ("00",), occurrence=2)
    graded = Event("me", "grade", item, "2024-01-01T00:00:00.000Z", {"value": 2, "active_ms": 1500})
    imported = Event(
        "me", "grade", item, "t", {"value": 0, "active_ms": 0, "imported": "old.csv, line 3"}
    )
    broken = Event("me", "unjudgeable", item, "t", {"reason": "spam"})
    assert [JudgmentRow.from_event(event) for event in (graded, imported, broken)] == [
        JudgmentRow("1", "d", "me", 2, "", "2024-01-01T00:00:00.000Z", 1500, showing=2),
        JudgmentRow("1", "d", "me", 0, "", "t", None, showing=2, imported="old.csv, line 3"),
        JudgmentRow("1", "d", "me", None, "spam", "t", None, showing=2),
    ]


def test_two_assessors_have_an_agreement_sheet_and_one_has_none(
    judged_project: Path, project_file: Path
) -> None:
    rows = write(judged_project)["Agreement"]
    raw = next(row for row in rows if row[:2] == ("all", "raw-agreement"))
    assert raw[3:6] == (6, 6, 0)  # bob's grade of each document differs
    assert any(row[0] == "2" for row in rows)


def test_one_assessor_has_no_agreement(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project, "ann")
        session.grade(session.open_item(QueueItem("051", "d1")), 2)
    assert "Agreement" not in write(project_file)


def test_preferences_have_a_sheet(judged_project: Path) -> None:
    with open_project(judged_project) as project:
        item = Item("051", ("d1", "d2"), ("", ""), "pair")
        project.events.append(
            Event(
                "ann",
                "preference",
                item,
                "2024-01-01T00:00:00.000Z",
                {"winner": "left", "strength": 1},
            )
        )
    rows = write(judged_project)["Preferences"]
    assert ("Answers", None, None, None, None, "left", 1) in [row[:7] for row in rows]
    assert any(row[0] == "Pairs" and row[3:5] == ("d1", "d2") for row in rows)


def test_a_project_has_curves_charts_and_a_worked_first_topic(judged_project: Path) -> None:
    sheets = write(judged_project)
    assert {"Charts", "Curves", "Curves per topic", "Worked"} <= set(sheets)
    assert [row[:2] for row in sheets["Worked"][:3]] == [
        ("Run", "bm25"),
        ("Topic", "051"),
        ("Title", "one"),
    ]
    assert {row[1:3] for row in sheets["Per topic"][1:]} == {("051", "one")}
