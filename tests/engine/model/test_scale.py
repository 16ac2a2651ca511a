"""Tests of scales: by name, by range, and from untrusted files."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import FormatError, IrjudgeError
from irjudge.model import Scale, read_scale
from irjudge.model.scale import Grade


def scale_file(folder, data):
    path = folder / "scale.json"
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def grades(*values):
    return {"name": "mine", "grades": [{"value": value} for value in values]}


@pytest.mark.parametrize(
    ("options", "values"),
    [("binary", (0, 1)), ("0-1", (0, 1)), ("0-4", (0, 1, 2, 3, 4)), ("0-99", tuple(range(100)))],
)
def test_a_scale_can_be_named(options, values):
    assert (Scale.parse(options).values, Scale.parse(options).highest) == (values, values[-1])


@pytest.mark.parametrize(
    "options", ["0-0", "1-3", "0-100", "", "ternary", "0-3 ", "no/such/file.json"]
)
def test_an_invalid_scale_name_is_explained(options):
    with pytest.raises(IrjudgeError) as error:
        Scale.parse(options)
    assert error.value.key == "unknown-scale"
    assert error.value.values["scale"] == repr(options)


def test_a_scale_with_gaps_is_read_back_equal(tmp_path):
    path = scale_file(
        tmp_path,
        {
            "name": "mine",
            "grades": [
                {"value": 0, "label": "nein"},
                {"value": 1},
                {"value": 3, "label": "ä", "help": "why"},
            ],
        },
    )
    scale = Scale.parse(str(path))
    assert scale == Scale("mine", (Grade(0, "nein"), Grade(1), Grade(3, "ä", "why")))
    assert Scale.from_json(scale.to_json()) == scale


def test_labels_and_explanations_may_be_null(tmp_path):
    path = scale_file(
        tmp_path,
        {"name": "mine", "grades": [{"value": 0, "label": None}, {"value": 1, "help": None}]},
    )
    assert read_scale(path) == Scale("mine", (Grade(0), Grade(1)))


def test_a_version_depends_on_values_and_labels():
    scales = [
        Scale("a", (Grade(0), Grade(1))),
        Scale("a", (Grade(0), Grade(2))),
        Scale("a", (Grade(0), Grade(1, "x"))),
        Scale("a", (Grade(0), Grade(1, "", "x"))),
    ]
    assert len({scale.version for scale in scales}) == 4


@pytest.mark.parametrize(
    "data",
    [
        grades(0),
        grades(0, 0),
        grades(1, 0),
        grades(-1, 0),
        grades(0, 100),
        grades(0, 1.5),
        grades(0, None),
        grades(0, "x"),
        grades(False, True),
        [],
        {},
        {"name": "a", "grades": 5},
        {"name": "a", "grades": [1, 2]},
        7,
        b"",
        b"\xff",
        b"[" * 100_000,
        {"name": "a\ud800", "grades": [{"value": 0}, {"value": 1}]},
        {"name": "a", "grades": [{"value": 0, "label": "\udfff"}, {"value": 1}]},
        b'{"name":"a","grades":[{"value":0},{"value":1e999}]}',
    ],
)
def test_invalid_scale_files_are_explained(tmp_path, data):
    with pytest.raises(FormatError) as error:
        read_scale(scale_file(tmp_path, data))
    assert error.value.key == "not-a-scale"
    assert error.value.values["where"] == "scale.json"


@pytest.mark.slow
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["name", "grades", "value", "label"]), inner)
        ),
        max_leaves=8,
    )
)
def test_no_file_crashes_the_reader_of_scales(tmp_path_factory, data):
    with contextlib.suppress(FormatError):
        read_scale(scale_file(tmp_path_factory.getbasetemp(), data))
