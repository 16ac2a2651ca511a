"""Tests of text columns among the measures: the name of the run, and grades as a string."""

import pytest

from irjudge.errors import MeasureError
from irjudge.metrics import JudgedRun, TextItem, merge_texts, parse_texts, relevance_strings


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("relstring", [("relstring", 10)]),
        ("RelString.20", [("relstring_20", 20)]),
        ("relstring_5", [("relstring_5", 5)]),
        ("relstring.5.7", [("relstring_5.7", 5)]),
        ("runid", [("runid", 10)]),
        ("official", [("runid", 10)]),
        ("all_trec", [("runid", 10), ("relstring", 10)]),
    ],
)
def test_a_name_or_group_selects_its_texts(name, texts):
    assert [(text.name, text.length) for text in parse_texts(name)] == texts


@pytest.mark.parametrize("name", ["map", "runid.5", "relstring.x", "relstring@5", ""])
def test_other_names_are_left_to_the_measures(name):
    assert parse_texts(name) is None


def test_a_length_beyond_any_ranking_is_refused():
    with pytest.raises(MeasureError, match=r"^relstring\.99999999999: "):
        parse_texts("relstring.99999999999")


def test_a_given_length_replaces_the_default():
    default_column, five, seven = (
        TextItem("relstring"),
        TextItem("relstring", 5, "5"),
        TextItem("relstring", 7, "7"),
    )
    assert merge_texts((default_column, five, seven, five, TextItem("runid"))) == (
        five,
        seven,
        TextItem("runid"),
    )
    assert merge_texts((default_column, default_column)) == (default_column,)


def test_each_grade_is_a_character():
    judged = JudgedRun.single(ranked=[0, 9, 10, -1, -2, None, 3])
    assert relevance_strings(judged, 7) == ("09>..-3",)
    assert relevance_strings(judged, 2) == ("09",)
    assert relevance_strings(judged) == ("09>..-3",)


def test_nothing_retrieved_is_an_empty_string():
    assert relevance_strings(JudgedRun.single(ranked=[], judged=[1])) == ("",)
    assert relevance_strings(JudgedRun.single(ranked=[], n_retrieved=3)) == ("---",)
