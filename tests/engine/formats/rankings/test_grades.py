"""Grades that are turned into others."""

from pathlib import Path

import numpy as np
import pytest

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.rankings.judged_rows import parse_grades, turned


@pytest.mark.parametrize(
    ("text", "grades"),
    [
        ("1:4,2:3", {1: 4, 2: 3}),
        (" -1 : 0 , +2:1,", {-1: 0, 2: 1}),
        ("", {}),
        ("0:-2,1:-1", {0: -2, 1: -1}),
    ],
)
def test_pairs_are_read(text, grades):
    assert parse_grades(text) == grades


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1", '"1" turns no grade into another, expected pairs like 1:4'),
        ("1:a", '"1:a" turns no grade'),
        ("1:2:3", '"1:2:3" turns no grade'),
        ("1:4,1:3", "Grade 1 becomes both 4 and 3, expected one of them"),
        ("1:-3", "Grade 1 becomes -3, expected a grade from 0 to 999, -1 for unjudged or -2"),
        ("1:1000", "Grade 1 becomes 1000"),
        ("1:" + "9" * 5000, "turns no grade"),
    ],
)
def test_what_is_no_pair_is_refused(text, sentence):
    with pytest.raises(IrjudgeError, match=sentence):
        parse_grades(text)


def test_grades_that_stay_are_not_counted():
    grade, sentence = turned(Path("q"), np.array([1, 2, 2, 0], dtype=np.int32), {0: 0, 1: 1, 2: 3})
    assert (grade.tolist(), grade.dtype, sentence) == (
        [1, 3, 3, 0],
        np.int32,
        "q: grades were turned as was said: 2 of 2 became 3.",
    )
    assert (
        turned(Path("q"), np.array([1], dtype=np.int32), {1: 1})[1]
        == "q: grades are as they were, as was said."
    )


def test_negative_grades_stay_only_where_they_were_decided():
    grade = np.array([1, -1], dtype=np.int32)
    assert turned(Path("q"), grade, {1: 3}, keep_negative=True)[0].tolist() == [3, -1]
    with pytest.raises(FormatError, match="does not say what -1 becomes"):
        turned(Path("q"), grade, {1: 3})
    with pytest.raises(FormatError, match="does not say what 1 becomes"):
        turned(Path("q"), grade, {}, keep_negative=True)
