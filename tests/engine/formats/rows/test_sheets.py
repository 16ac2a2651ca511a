"""Tests of the choice of a spreadsheet's sheet, by columns or by `--sheet`."""

from pathlib import Path

import openpyxl
import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError
from irjudge.formats.collections import preview_documents, read_topics
from irjudge.formats.judgments import read_labels
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.formats.rows import ColumnMapping

SHEETS = {
    "Notes": [["made in May"]],
    "Documents": [
        ["Our documents"],
        [],
        ["DOCNO", "Title", "Text", "Price"],
        ["d1", "Red shoe", "for\nrain", 12],
        ["d2", "Hat", "of wool"],
    ],
    "Queries": [["id", "title"], ["q1", "red shoes"]],
    "Grades": [["topic", "document", "grade"], ["q1", "d1", 1], ["q1", "d2", 0]],
    "Second grades": [["topic", "document", "grade"], ["q1", "d1", 0], ["q1", "d2", 1]],
    "Ranking": [["topic", "document", "score"], ["q1", "d1", 2.5], ["q1", "d2", 1.5]],
    "Other ranking": [["topic", "document", "score"], ["q1", "d2", 2.5], ["q1", "d1", 1.5]],
    "Labels": [["item", "worker", "label"], ["i1", "ann", 1], ["i1", "bob", 0]],
}


@pytest.fixture
def book(tmp_path) -> Path:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in SHEETS.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(tmp_path / "all.xlsx")
    return tmp_path / "all.xlsx"


def run(capsys, *arguments: object) -> tuple[int, str, str]:
    code = main([*map(str, arguments)])
    return code, *capsys.readouterr()


def test_each_kind_of_file_finds_its_sheet(book):
    documents = preview_documents([book])
    assert [(each.id, each.title, each.text) for each in documents] == [
        ("d1", "Red shoe", "for\nrain"),
        ("d2", "Hat", "of wool"),
    ]
    assert documents[0].fields == (("Price", "12"),)
    assert list(read_qrels(book).rows()) == [("q1", "d1", 1), ("q1", "d2", 0)]
    assert read_run(book).document.to_pylist() == ["d1", "d2"]
    assert len(read_labels(book)) == 2


def test_the_named_sheet_is_read(book):
    second = ColumnMapping(sheet=" second GRADES ")
    assert list(read_qrels(book, columns=second).rows()) == [("q1", "d1", 0), ("q1", "d2", 1)]
    assert read_run(book, columns=ColumnMapping(sheet="Other ranking")).document.to_pylist() == [
        "d2",
        "d1",
    ]
    topics = read_topics(book, columns=ColumnMapping(sheet="Queries")).topics
    assert [(each.id, each.title) for each in topics] == [("q1", "red shoes")]


@pytest.mark.parametrize(
    "read",
    [
        read_qrels,
        read_run,
        read_topics,
        read_labels,
        lambda path, columns: preview_documents([path], columns=columns),
    ],
)
@pytest.mark.parametrize("sheet", ["Grade", "=1+1", "a/../b", "\x00", "x" * 400])
def test_a_missing_sheet_is_refused_with_the_existing_ones(book, read, sheet):
    with pytest.raises(FormatError) as refused:
        read(book, columns=ColumnMapping(sheet=sheet))
    assert refused.value.key == "unknown-sheet"
    assert "Second grades" in refused.value.values["sheets"]


@pytest.mark.parametrize("sheet", ["Notes", "Empty"])
def test_a_named_sheet_without_the_table_is_refused(book, sheet):
    opened = openpyxl.load_workbook(book)
    opened.create_sheet("Empty")
    opened.save(book)
    columns = ColumnMapping(sheet=sheet)
    for read in (
        read_qrels,
        read_run,
        read_topics,
        read_labels,
        lambda path, columns: preview_documents([path], columns=columns),
    ):
        with pytest.raises(FormatError):
            read(book, columns=columns)


def test_columns_named_by_the_user_choose_the_sheet_and_the_header(tmp_path):
    made = openpyxl.Workbook()
    made.active.append(["topic", "document", "grade"])
    made.active.append(["q9", "d9", 0])
    sheet = made.create_sheet("mine")
    for row in (["title"], ["frage", "seite", "note"], ["q1", "d1", 2]):
        sheet.append(row)
    made.save(tmp_path / "a.xlsx")
    named = (("topic", "frage"), ("document", "seite"), ("grade", "note"))
    assert list(read_qrels(tmp_path / "a.xlsx", columns=ColumnMapping(named)).rows()) == [
        ("q1", "d1", 2)
    ]


def test_documents_of_a_sheet_have_unchanged_ids_and_whole_rows(tmp_path):
    for number, row in enumerate(
        [[3.49521944028119e16, "a"], ["d1", "a", "", "", "stray"], ["", "a"]]
    ):
        made = openpyxl.Workbook()
        for each in (["id", "text"], ["d0", "b"], row):
            made.active.append(each)
        path = tmp_path / f"{number}.xlsx"
        made.save(path)
        with pytest.raises(FormatError) as refused:
            preview_documents([path])
        assert refused.value.line == 3


def test_commands_accept_a_sheet_for_one_kind_or_all(book, capsys):
    arguments = ("evaluate", book, book, "-m", "P@1")
    assert run(capsys, *arguments)[1].split()[-1] == "1.0000"
    assert run(capsys, *arguments, "--sheet", "qrels:Second grades")[1].split()[-1] == "0.0000"
    other = ("--sheet", "qrels:Second grades", "--sheet", "runs:Other ranking")
    assert run(capsys, *arguments, *other)[1].split()[-1] == "1.0000"
    mixed = ("--sheet", "Other ranking", "--sheet", "qrels:Grades")
    assert run(capsys, *arguments, *mixed)[1].split()[-1] == "0.0000"


@pytest.mark.parametrize(
    "sheets", [["topics:Grades"], [""], ["qrels:"], ["A", "B"], ["qrels:A", "qrels:B"]]
)
def test_empty_or_duplicate_sheet_options_are_refused(book, capsys, sheets):
    code, out, err = run(
        capsys, "evaluate", book, book, *(word for each in sheets for word in ("--sheet", each))
    )
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_project_is_created_from_one_workbook(book, tmp_path, capsys):
    made = tmp_path / "p.irjudge"
    files = [
        word for kind in ("documents", "topics", "runs", "qrels") for word in (f"--{kind}", book)
    ]
    sheets = ("--sheet", "topics:Queries", "--sheet", "qrels:Second grades")
    code, _, err = run(capsys, "new", made, *files, *sheets)
    assert code == 0, err
    assert run(capsys, "qrels", made)[1].split() == "q1 0 d1 0 q1 0 d2 1".split()
    code, _, err = run(capsys, "evaluate", made, "--sheet", "Grades")
    assert (code, err.count("\n")) == (2, 1)


def test_labels_and_preferences_are_read_from_a_sheet(book, capsys):
    assert run(capsys, "agreement", book, "--sheet", "Labels", "-s", "raw-agreement")[0] == 0
    assert run(capsys, "agreement", book, "--sheet", "Notes")[0] == 2
    assert run(capsys, "preferences", book, "--sheet", "nothing")[0] == 2


def test_a_study_is_recomputed_from_its_sheets(book, tmp_path, capsys):
    study = tmp_path / "study.zip"
    sheets = ("--sheet", "qrels:Second grades", "--sheet", "runs:Other ranking")
    code, _, err = run(capsys, "report", book, book, "-o", study, "-m", "P@1", *sheets)
    assert code == 0, err
    code, _, err = run(capsys, "verify", study, book)
    assert code == 0, err


def test_an_unknown_sheet_of_a_single_workbook_is_reported(book, capsys):
    for command in ("evaluate", "compare"):
        code, out, err = run(capsys, command, book, book, book, "--sheet", "qrels:none")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "none" in err


def test_the_order_of_sheets_does_not_matter(book):
    opened = openpyxl.load_workbook(book)
    for name in ("Second grades", "Other ranking"):
        del opened[name]
    opened.move_sheet("Ranking", -3)
    opened.move_sheet("Queries", 3)
    opened.save(book)
    assert list(read_qrels(book).rows()) == [("q1", "d1", 1), ("q1", "d2", 0)]
    assert [each.title for each in read_topics(book).topics] == ["red shoes"]
    assert read_run(book).score.tolist() == [2.5, 1.5]
    assert len(preview_documents([book])) == 2
