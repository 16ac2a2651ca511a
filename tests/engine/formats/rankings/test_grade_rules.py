"""Tests of mappings of grades."""

from pathlib import Path

import numpy as np
import pytest

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.rankings import find_off_scale, parse_grades
from irjudge.formats.rankings.grade_rules import convert_grades
from tests.messages import keys_and_values


@pytest.mark.parametrize(
    ("text", "grades"),
    [
        ("1:4,2:3", {1: 4, 2: 3}),
        (" -1 : 0 , +2:1,", {-1: 0, 2: 1}),
        ("", {}),
        ("0:-2,1:-1", {0: -2, 1: -1}),
    ],
)
def test_mappings_are_parsed(text, grades):
    assert parse_grades(text) == grades


@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("1", "no-pair", {"pair": "1"}),
        ("1:a", "no-pair", {"pair": "1:a"}),
        ("1:2:3", "no-pair", {"pair": "1:2:3"}),
        ("1:4,1:3", "two-grades", {"old": "1", "grades": "4", "new": "3"}),
        ("1:-3", "out-of-range", {"old": "1", "new": "-3", "highest": "999"}),
        ("1:1000", "out-of-range", {"old": "1", "new": "1000", "highest": "999"}),
        ("1:" + "9" * 5000, "no-pair", None),
    ],
)
def test_invalid_mappings_are_refused(text, key, values):
    with pytest.raises(IrjudgeError) as refused:
        parse_grades(text)
    assert refused.value.key == key
    assert values is None or refused.value.values == values


def test_unchanged_grades_are_not_counted():
    grade, warnings = convert_grades(
        Path("q"), np.array([1, 2, 2, 0], dtype=np.int32), {0: 0, 1: 1, 2: 3}
    )
    same = convert_grades(Path("q"), np.array([1], dtype=np.int32), {1: 1})[1]
    assert (grade.tolist(), grade.dtype) == ([1, 3, 3, 0], np.int32)
    assert keys_and_values([warnings, same], "file", "count", "old", "to") == [
        ("turned", "q", "2", "2", "3"),
        ("not-turned", "q", "", "", ""),
    ]


def test_negative_grades_stay_only_if_mapped():
    grade = np.array([1, -1], dtype=np.int32)
    assert convert_grades(Path("q"), grade, {1: 3}, keep_negative=True)[0].tolist() == [3, -1]
    for value, grades, keep in (("-1", {1: 3}, False), ("1", {}, True)):
        with pytest.raises(FormatError) as refused:
            convert_grades(Path("q"), grade, grades, keep_negative=keep)
        assert (refused.value.key, refused.value.values["value"]) == ("unturned-grade", value)


@pytest.mark.parametrize(
    ("grades", "scale", "steps"),
    [
        ([0, 5, 10], [0, 2, 4], "0:0,5:2,10:4"),
        ([0, 1, 2], [1, 2, 3], "0:1,1:2,2:3"),
        ([0, 4], [0, 1, 2, 3], "0:0,4:1"),
        ([0, 1, 2, 3], [0, 1], ""),
    ],
)
def test_grades_that_are_not_on_the_scale_are_mapped_to_grades_of_the_scale(grades, scale, steps):
    off_scale = find_off_scale(grades, scale)
    assert off_scale is not None and off_scale.steps == steps
