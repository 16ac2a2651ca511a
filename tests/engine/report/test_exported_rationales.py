"""Tests of passages saved as rationales in exports and the workbook, and imported again."""

import json
from pathlib import Path

import openpyxl
import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError
from irjudge.formats.judgments import read_judgments
from irjudge.judging import QueueItem, Session, get_ledger, import_judgments
from irjudge.model import Rationale
from irjudge.store import open_project

# Two passages of one document: one that a spreadsheet would take for a formula, one with a
# character outside the BMP.
PASSAGES = (Rationale("=1+1, “so”", 3, 13), Rationale("two\nlines 🌍", 20, 31))


@pytest.fixture
def judged_project(project_file: Path) -> Path:
    """The small project, in which the owner judged two documents, the first with two rationales."""
    with open_project(project_file) as project:
        session = Session(project)
        work = session.open_item(QueueItem("051", "d0"))
        session.grade(work, 2)
        for each in PASSAGES:
            session.rationale(work, each.text, each.begin, each.end)
        session.grade(session.open_item(QueueItem("051", "d1")), 0)
    return project_file


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_exported_judgments_contain_text_and_offsets_of_each_passage(
    judged_project: Path, ending: str
) -> None:
    path = judged_project.with_name(f"j.{ending}")
    assert main(["export", str(judged_project), "--judgments", "-o", str(path)]) == 0
    rows = {row.document: row for row in read_judgments(path).rows}
    assert rows["d0"].rationales == PASSAGES and rows["d1"].rationales == ()


def test_the_workbook_contains_text_and_offsets_of_each_passage(judged_project: Path) -> None:
    path = judged_project.with_suffix(".xlsx")
    assert main(["report", str(judged_project), "-m", "AP", "-o", str(path)]) == 0
    head, *rows = openpyxl.load_workbook(path)["Judgments"].iter_rows(values_only=True)
    cells = {row[head.index("Document")]: row[head.index("Rationales")] for row in rows}
    assert json.loads(str(cells["d0"])) == [
        {"text": each.text, "begin": each.begin, "end": each.end} for each in PASSAGES
    ]
    assert not cells["d1"]


def test_a_table_without_passages_has_no_column_for_them(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.open_item(QueueItem("051", "d0")), 2)
    path = project_file.with_name("j.csv")
    assert main(["export", str(project_file), "--judgments", "-o", str(path)]) == 0
    assert "rationales" not in path.read_text().splitlines()[0]


def test_passages_are_imported_with_the_judgments(judged_project: Path) -> None:
    path = judged_project.with_name("j.csv")
    assert main(["export", str(judged_project), "--judgments", "-o", str(path)]) == 0
    path.write_text(path.read_text(encoding="utf-8").replace("051,d0,ann", "051,d0,eva"), "utf-8")
    with open_project(judged_project) as project:
        import_judgments(project, path)
        ledger = get_ledger(project, "eva")
        (judgment,) = ledger.judgments()
        assert ledger.marks(judgment.item.key).rationales == PASSAGES
        assert project.verify().problems == ()


@pytest.mark.parametrize(
    "cell",
    [
        "no list",
        "{}",
        '[{"text": "a", "begin": 3}]',
        '[{"text": "a", "begin": -1, "end": 2}]',
        '[{"text": "a", "begin": 3, "end": 3}]',
        '[{"text": 5, "begin": 3, "end": 4}]',
        '[{"text": "a", "begin": true, "end": 4}]',
        '[{"text": "a", "begin": 1, "end": 1e999}]',
        '[{"text": " ", "begin": 1, "end": 2}]',
        "[" * 100_000,
        '[{"text": "a", "begin": 1, "end": 99999999999999999999}]',
    ],
)
def test_a_cell_with_invalid_passages_is_refused_with_its_line(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "j.csv"
    quoted = cell.replace('"', '""')
    path.write_text(f'topic,document,assessor,grade,rationales\n1,d,ann,2,"{quoted}"\n')
    with pytest.raises(FormatError, match="line 2"):
        read_judgments(path)


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_notes_and_passages_that_a_table_cannot_store_do_not_block_the_export(
    project_file: Path, ending: str
) -> None:
    """A browser can send zero bytes, blank passages, and passages without an extent."""
    with open_project(project_file) as project:
        session = Session(project)
        work = session.open_item(QueueItem("051", "d0"))
        session.grade(work, 2)
        for text, begin, end in ((" ", 3, 4), ("so", 5, 5), ("a\0b", 7, 10)):
            session._write("rationale", work, {"text": text, "position": [begin, end]})
        session.note(work, "x\0y")
    path = project_file.with_name(f"j.{ending}")
    assert main(["export", str(project_file), "--judgments", "-o", str(path)]) == 0
    (row,) = read_judgments(path).rows
    assert (row.note, row.rationales) == ("x\ufffdy", (Rationale("a\ufffdb", 7, 10),))
