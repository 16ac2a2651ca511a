"""Tests of judgments as a spreadsheet: ids stay text, no formulas, and equal when read back."""

import tempfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.formats.judgments import JudgmentFileRow, read_judgments
from irjudge.report import project_exports
from irjudge.report.project_exports import write_judgment_book
from tests.lengths import example_count

LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0_")
IDS = st.text(LETTERS, min_size=1, max_size=12).filter(lambda text: text == text.strip())
SECONDS = st.none() | st.integers(1, 10**7).map(lambda spent: spent / 1000)
ROWS = st.builds(
    JudgmentFileRow,
    st.just(0),
    IDS,
    IDS,
    IDS,
    st.integers(-2, 99),
    st.just("") | IDS,
    st.text(LETTERS, max_size=12),
    st.booleans(),
    SECONDS,
    st.integers(1, 9),
)
NASTY = JudgmentFileRow(
    0,
    "007",
    "=1+1",
    "🌍 שלום",
    -2,
    "2026-01-31T10:00:00.000Z",
    '"a"\t\r\n=b\r',
    True,
    1.25,
    2,
    "spam",
)


@pytest.mark.slow
@settings(max_examples=example_count(40))
@given(st.lists(ROWS, min_size=1, max_size=4))
@example([NASTY])
def test_written_judgments_are_read_back_equal(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "j.xlsx"
        assert write_judgment_book(path, rows) == len(rows)
        assert [replace(row, line=0) for row in read_judgments(path).rows] == rows


def test_an_id_that_looks_like_a_formula_or_a_number_is_text(tmp_path):
    write_judgment_book(tmp_path / "j.xlsx", [NASTY])
    cells = next(openpyxl.load_workbook(tmp_path / "j.xlsx").active.iter_rows(min_row=2))
    assert {cell.number_format for cell in cells[:3]} == {"@"}, "it stays text when it is edited"
    assert [(cell.value, cell.data_type) for cell in cells[:4]] == [
        ("007", "s"),
        ("=1+1", "s"),
        ("🌍 שלום", "s"),
        ("unjudgeable", "s"),
    ]


def test_values_that_a_sheet_cannot_contain_are_refused(tmp_path, monkeypatch):
    with pytest.raises(
        IrjudgeError,
        match=r" 32,767 .* \(topic 007, document =1\+1, .*\)\. .*\.csv",
    ):
        write_judgment_book(tmp_path / "j.xlsx", [replace(NASTY, note="x" * 32_768)])
    monkeypatch.setattr(project_exports, "MAX_ROWS", 2)
    with pytest.raises(IrjudgeError, match=r"\b2 .* 1\b"):
        write_judgment_book(tmp_path / "j.xlsx", [NASTY, NASTY])
