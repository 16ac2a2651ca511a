"""Cells that a spreadsheet would calculate with are told once, with the first place."""

import pytest

from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.formulas import is_formula, note_formulas


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\t=1", " =1", "\r", "-d1"])
def test_what_begins_with_a_sign_of_formulas_is_one(text):
    assert is_formula(text)


@pytest.mark.parametrize("text", ["", "a=1", "-5", "+3.5", "1-1", "'=1", "d-1", "🌍=", "(=1)"])
def test_numbers_and_other_texts_are_none(text):
    assert not is_formula(text)


def test_they_are_counted_and_the_first_is_named():
    remarks = Remarks()
    note_formulas(("id", "text"), [("a", "b"), ("=a", 5), ("c", "@d")], remarks)
    assert remarks.sentences() == (
        "A spreadsheet would take 2 cells for formulas, the first id in row 3; they stand unchanged. Open the file there as text.",
    )
