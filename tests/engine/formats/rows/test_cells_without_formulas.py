"""Tests of cells that a spreadsheet would take for formulas: escaped, and read back unchanged."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.formats.judgments import (
    JudgingTask,
    JudgmentFileRow,
    read_judgments,
    read_labels,
    read_tasks,
    write_judgments,
    write_tasks,
)
from irjudge.formats.rankings import COLUMNS, iter_pool_rows, read_pool
from irjudge.formats.rows import escape_formula, unescape_formula
from irjudge.formats.rows.cells_without_formulas import is_formula
from irjudge.model import make_run
from irjudge.report import PrintedTable, format_table, table_text
from tests.messages import keys_and_values
from tests.pools import depth_pool

FORMULAS = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    " =1",
    "\xa0=1",
    "\r",
    "-d1",
    "＝1+1",
    "-5 of them",
    "\tx",
]
TEXTS = ["", "a=1", "-5", "+3.5", "-1.5e-7", "1-1", "d-1", "🌍=", "(=1)", "'tis", "'", "''"]
IDS = ["=1+1", "'=1+1", "''=1", "@d", "-d1", "'tis", "-5", "+x"]
HOSTILE = st.text(st.sampled_from("'=+-@ \t\r\n0a.\ufeff＝"), max_size=8)


@pytest.mark.parametrize("text", FORMULAS)
def test_texts_with_formula_characters_first_are_formulas(text: str) -> None:
    assert (
        is_formula(text)
        and escape_formula(text) == f"'{text}"
        and unescape_formula(escape_formula(text)) == text
    )


@pytest.mark.parametrize("text", TEXTS)
def test_numbers_and_other_texts_are_not_formulas(text: str) -> None:
    assert not is_formula(text) and escape_formula(text) == text == unescape_formula(text)


@given(HOSTILE)
def test_cells_are_read_back_equal_and_none_is_a_formula(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text and not is_formula(
        str(escape_formula(text))
    )


@given(HOSTILE)
def test_unescaping_is_unambiguous(text: str) -> None:
    assert escape_formula(unescape_formula(text)) == text or is_formula(text)


def safe(path: Path, separator: str = ",") -> bool:
    with path.open(encoding="utf-8", newline="") as file:
        return not any(
            is_formula(cell) for row in csv.reader(file, delimiter=separator) for cell in row
        )


def test_judgments_are_read_back_unchanged(tmp_path: Path) -> None:
    path, notes = tmp_path / "j.csv", [*FORMULAS, *TEXTS, "'=1"]
    rows = [JudgmentFileRow(0, "=t", name, "@ann", 1, note=note) for name in IDS for note in notes]
    write_judgments(path, rows)
    back = read_judgments(path)
    assert [(row.topic, row.document, row.assessor, row.note) for row in back.rows] == [
        (row.topic, row.document, row.assessor, row.note) for row in rows
    ]
    assert safe(path) and ("restored",) in keys_and_values(back.warnings)


def test_labels_are_read_back_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    write_judgments(path, [JudgmentFileRow(0, "1", name, "ann", 1) for name in IDS])
    assert {item.removeprefix("1 ") for item in read_labels(path).items} == set(IDS)


@pytest.mark.parametrize(("ending", "separator"), [(".csv", ","), (".tsv", "\t")])
def test_tasks_are_read_back_unchanged(tmp_path: Path, ending: str, separator: str) -> None:
    made = [
        JudgingTask("p1", "1", text, text, name, text, text)
        for name in IDS
        for text in (*FORMULAS, *TEXTS, "'=1")
    ]
    path = tmp_path / f"tasks{ending}"
    write_tasks(path, made)
    assert list(read_tasks(path)) == made and safe(path, separator)


def test_tasks_for_another_program_are_exact(tmp_path: Path) -> None:
    write_tasks(tmp_path / "tasks.json", [JudgingTask("p1", "1", "=1+1", "", "=d", "", "")])
    assert json.loads((tmp_path / "tasks.json").read_text())[0]["data"]["title"] == "=1+1"


def test_pools_are_read_back_unchanged(tmp_path: Path) -> None:
    pool = depth_pool(
        [make_run("=run", [("=t", name, -float(index)) for index, name in enumerate(IDS)])], 20
    )
    path = tmp_path / "pool.csv"
    path.write_text(
        table_text(COLUMNS, iter_pool_rows(pool), "csv", for_spreadsheet=True), newline=""
    )
    back = read_pool(path)
    assert back.topics == ("=t",) and back.document.to_pylist() == IDS and safe(path)


def test_a_table_for_programs_is_exact() -> None:
    assert table_text(["a"], [("=1+1",)], "csv") == "a\n=1+1\n"
    assert (
        table_text(["a", "b"], [("=1+1", -0.5)], "csv", for_spreadsheet=True) == "a,b\n'=1+1,-0.5\n"
    )


def test_text_pasted_into_a_spreadsheet_is_not_a_formula() -> None:
    table = PrintedTable(("run", "AP"), (False, True), (("=1+1", "-0.0312 to 1"),))
    for form, separator in (("text", "\t"), ("csv", ",")):
        assert list(csv.reader(io.StringIO(format_table(table, form)), delimiter=separator))[1] == [
            "'=1+1",
            "-0.0312 to 1",
        ]
