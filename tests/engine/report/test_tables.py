"""Tests of tables as text, CSV and JSON."""

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.evaluation import printed_value
from irjudge.metrics import parse_measure_name
from irjudge.report import table_text

COLUMNS = ("run", "topic", "value")

texts = st.text(st.characters(exclude_categories=["Cs"]))
cells = st.one_of(texts, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.none())


def test_text_aligns_numbers_to_the_right_and_words_to_the_left():
    table = table_text(COLUMNS, [("bm25", "1", 0.25), ("ql", "all", 1500), ("x", "2", None)])
    assert table == ("run   topic   value\nbm25  1      0.2500\nql    all      1500\nx     2\n")


def test_text_shows_the_requested_number_of_decimals():
    assert table_text(["v"], [(1 / 3,)], decimals=2) == "   v\n0.33\n"
    assert table_text(["v"], [(-1e-9,)], decimals=2) == "   v\n0.00\n"


def test_wide_characters_keep_the_columns_aligned():
    table = table_text(["run", "n"], [("検索語", 1), ("abcd", 2)])
    assert table.splitlines()[1:] == ["検索語  1", "abcd    2"]


def test_an_id_cannot_contain_line_breaks_or_control_characters():
    table = table_text(["document"], [("a\nb",), ("\x1b[2J",), ("\t",), ("\x9b1m",), ("\udc80",)])
    assert table.splitlines() == ["document", "a\\nb", "\\x1b[2J", "\\t", "\\x9b1m", "\\udc80"]


def test_csv_ends_lines_with_a_line_feed_and_keeps_values_in_full():
    table = table_text(
        COLUMNS, [("=1+1", "a,b", 1 / 3), ('"', "007", None), ("n", "x\ny", np.float64(0.1))], "csv"
    )
    assert table == 'run,topic,value\n=1+1,"a,b",0.3333333333333333\n"""",007,\nn,"x\ny",0.1\n'


@given(st.lists(st.tuples(texts, texts, st.floats(allow_nan=False)), max_size=5))
def test_csv_is_read_back_equal(rows):
    read = list(csv.reader(io.StringIO(table_text(COLUMNS, rows, "csv"), newline="")))
    assert [(run, topic, float(value)) for run, topic, value in read[1:]] == rows


@given(st.lists(st.tuples(cells, cells, cells), max_size=5))
def test_json_is_read_back_equal(rows):
    assert json.loads(table_text(COLUMNS, rows, "json")) == [
        dict(zip(COLUMNS, row, strict=True)) for row in rows
    ]


def test_json_has_an_object_per_line_and_accepts_numpy_numbers():
    assert (
        table_text(["n", "é"], [(np.int64(1), np.float64(0.5)), (2, "ü")], "json")
        == '[\n{"n": 1, "é": 0.5},\n{"n": 2, "é": "ü"}\n]'
    )
    assert table_text(COLUMNS, [], "json") == "[]"


@pytest.mark.parametrize("form", ["csv", "json", "text"])
def test_nan_is_not_written_to_json_and_a_short_row_is_refused(form):
    if form == "json":
        with pytest.raises(ValueError, match="JSON"):
            table_text(["v"], [(float("nan"),)], "json")
        with pytest.raises(ValueError, match="zip"):
            table_text(["a", "b"], [("1",)], "json")
    else:
        assert table_text(["v"], [(1,)], form).splitlines() == ["v", "1"]


def test_counts_are_shown_as_whole_numbers():
    (count,), (share,) = parse_measure_name("num_ret"), parse_measure_name("Judged@10")
    assert (
        repr(printed_value(count, np.float64(3))) == "3"
        and repr(printed_value(share, np.float64(1))) == "1.0"
    )


def test_a_tiny_p_value_is_never_shown_as_zero():
    columns, rows = ("p", "p_adjusted", "value"), [(1.5e-16, 0.00009, 1e-9), (0.0001, 0.0, 0.5)]
    lines = table_text(columns, rows).splitlines()
    assert lines[1].count("< 0.0001") == 2
    assert (
        lines[1].endswith(" 0.0000")
        and lines[2].split()[0] == "0.0001"
        and lines[2].count("< 0.0001") == 1
    )
    assert "1.5e-16,9e-05,1e-09" in table_text(columns, rows, "csv")
