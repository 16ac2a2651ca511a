"""Tests of relevance files: detection of the document column, and ambiguous files."""

import re
from pathlib import Path

import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats.rankings import parse_grades, read_qrels
from irjudge.formats.rows import parse_columns
from irjudge.model import Qrels
from tests.messages import keys_and_values, keys_inside


def read(folder: Path, text: str, **options) -> Qrels:
    path = folder / "a.rel"
    path.write_bytes(text.encode())
    return read_qrels(path, **options)


def parse(parts: str):
    return parse_columns(parts, ("topic", "iteration", "document", "grade", "rank", "score"))


def rows(qrels: Qrels) -> list[tuple[str, str, int]]:
    return list(qrels.rows())


def has_no_grades(warning: str) -> bool:
    """Return whether a warning says that each pair counts as grade 1."""
    return "no-grades" in keys_inside(warning)


def test_trec_lines_give_no_warning(tmp_path):
    qrels = read(tmp_path, "1 0 13 1\n1 0 14 1\n")
    assert (rows(qrels), qrels.warnings) == ([("1", "13", 1), ("1", "14", 1)], ())


@pytest.mark.parametrize(
    "text",
    [
        "1  13 0 0.000000\r\n1 14\t0\t0.000000 \r\n",
        "1 13 0 0\n1 14 0 0\n",
        "1 13 0 0.0\n1 14 0 0\n",
    ],
)
def test_smarts_column_order_is_detected_by_constant_zeros(tmp_path, text):
    qrels = read(tmp_path, text)
    assert rows(qrels) == [("1", "13", 1), ("1", "14", 1)]
    assert keys_and_values(qrels.warnings, "file") == [("read-as-smart", "a.rel")]
    assert has_no_grades(qrels.warnings[0])


def test_leading_zeros_of_smarts_ids_are_removed_with_a_warning(tmp_path):
    qrels = read(tmp_path, "01 5  0 0\n01 9  0 0\n1 6  0 0\n10 07  0 0\n00 8 0 0\n")
    assert rows(qrels) == [
        ("1", "5", 1),
        ("1", "9", 1),
        ("1", "6", 1),
        ("10", "7", 1),
        ("0", "8", 1),
    ]
    ((first, _), (second, file)) = keys_and_values(qrels.warnings, "file")
    assert (first, second, file) == ("read-as-smart", "ids-without-zeros", "a.rel")
    assert re.findall(r"\d+", qrels.warnings[1]) == ["01", "1", "07", "7"]


@pytest.mark.parametrize("text", ["1 0 0 0\n2 0 0 0\n", "1 Q0 0 0\n"])
def test_a_document_0_with_grade_0_is_in_trec_format(tmp_path, text):
    assert {(document, grade) for _, document, grade in rows(read(tmp_path, text))} == {("0", 0)}


def test_ambiguous_column_order_is_refused_and_can_be_given(tmp_path):
    text = "1 5 0 0\n2 6 0 0\n"
    with pytest.raises(Undecided) as caught:
        read(tmp_path, text)
    assert caught.value.options == ("columns",)
    smart, trec = "topic=1,document=2", "topic=1,iteration=2,document=3,grade=4"
    assert caught.value.key == "either-order" and "--columns" in str(caught.value)
    assert f'"{smart}"' in str(caught.value) and f'"{trec}"' in str(caught.value)
    assert rows(read(tmp_path, text, columns=parse(smart))) == [("1", "5", 1), ("2", "6", 1)]
    assert rows(read(tmp_path, text, columns=parse(trec))) == [("1", "0", 0), ("2", "0", 0)]


def test_given_columns_are_reported(tmp_path):
    qrels = read(tmp_path, "d7 1 x 3\n", columns=parse("document=1,topic=2,grade=4"))
    assert rows(qrels) == [("1", "d7", 3)]
    without = read(tmp_path, "d7 1\n", columns=parse("document=1,topic=2"))
    assert keys_and_values([*qrels.warnings, *without.warnings], "file", "columns") == [
        ("read-as-said", "a.rel", "document=1,topic=2,grade=4"),
        ("read-as-said", "a.rel", "document=1,topic=2"),
    ]
    assert not has_no_grades(qrels.warnings[0]) and has_no_grades(without.warnings[0])


@pytest.mark.parametrize(
    ("text", "said_so"),
    [("1 0 d 2\n1 0 e 0\n", "topic=1,document=3"), ("d 1 0 0\ne 1 0 2\n", "topic=2,document=1")],
)
def test_unrecognised_grades_do_not_become_grade_1(tmp_path, text, said_so):
    with pytest.raises(Undecided) as caught:
        read(tmp_path, text, columns=parse(said_so))
    choice = f"{said_so},grade=4"
    values = caught.value.values
    assert (caught.value.key, values["name"]) == ("no-grade-column", "4")
    assert values["choice"] == choice and "--columns" in str(caught.value)
    assert {grade for _, _, grade in rows(read(tmp_path, text, columns=parse(choice)))} == {0, 2}


@pytest.mark.parametrize(
    ("columns", "key", "value"),
    [
        ("topic=qid,document=2", "no-header", '"topic=1,document=3"'),
        ("topic=1,grade=2", "unknown-part", "topic=1,grade=2"),
        ("topic=1,document=2,score=3", "unknown-part", "iteration, document, grade"),
        ("topic=1,document=5", "column-count", "topic=1,document=5"),
    ],
)
def test_impossible_columns_are_refused(tmp_path, columns, key, value):
    with pytest.raises(FormatError) as refused:
        read(tmp_path, "1 0 d 1\n", columns=parse(columns))
    assert (refused.value.key, refused.value.line) == (key, 1)
    assert refused.value.path.name == "a.rel" and value in str(refused.value)


def test_pairs_without_grades_count_as_grade_1(tmp_path):
    qrels = read(tmp_path, "1 d\n2 e\n")
    assert rows(qrels) == [("1", "d", 1), ("2", "e", 1)]
    assert keys_and_values(qrels.warnings, "file") == [("read-as", "a.rel")]
    assert has_no_grades(qrels.warnings[0])


def test_three_columns_are_topic_document_and_grade(tmp_path):
    qrels = read(tmp_path, "1 184 2 \n1 29 0\n")
    assert rows(qrels) == [("1", "184", 2), ("1", "29", 0)]
    assert keys_and_values(qrels.warnings, "file") == [("read-as", "a.rel")]
    assert not has_no_grades(qrels.warnings[0])


def test_grades_without_0_may_be_reversed_with_a_warning(tmp_path):
    warnings = read(tmp_path, "1 a 1\n1 b 2\n1 c 4\n").warnings
    assert keys_and_values(warnings[1:], "grades", "best", "grade", "mapping") == [
        ("no-grade-0", "1, 2, 4", "4", "1", "1:4,2:2,4:1")
    ]
    assert '--grades "1:4,2:2,4:1"' in warnings[1]
    assert len(read(tmp_path, "1 a 1\n1 b 1\n").warnings) == 1


INVERTED = "1 a 1\n1 b 2\n1 c -1\n"


def test_negative_grades_in_three_columns_need_a_decision(tmp_path):
    with pytest.raises(Undecided) as caught:
        read(tmp_path, INVERTED)
    assert caught.value.options == ("negative", "grades")
    values, text = caught.value.values, str(caught.value)
    assert caught.value.key == "negative-grades"
    assert (values["count"], values["grades"]) == ("1", "-1, 1, 2")
    assert values["negatives"] == "unjudged, unjudgeable, 0"
    assert all(each in text for each in ("--negative", "--grades", '"1:2,2:1,-1:0"'))


def test_grades_are_mapped_as_given_with_a_warning(tmp_path):
    qrels = read(tmp_path, INVERTED, grades=parse_grades("1:2,2:1,-1:0"))
    assert qrels.grade.tolist() == [2, 1, 0]
    ((key, parts),) = keys_and_values(qrels.warnings[1:], "parts")
    assert key == "turned"
    assert [re.findall(r"-?\d+", each) for each in parts.split(", ")] == [
        ["-1", "0", "1"],
        ["1", "2", "1"],
        ["2", "1", "1"],
    ]


def test_negative_grades_can_be_mapped_separately(tmp_path):
    qrels = read(tmp_path, INVERTED, grades=parse_grades("1:2,2:1"), negative="unjudgeable")
    assert qrels.grade.tolist() == [2, 1, -2]
    assert keys_and_values(qrels.warnings, "count", "value", "meaning")[-1] == (
        "meaning-of-negative",
        "1",
        "-1",
        "unjudgeable",
    )


def test_an_unmapped_grade_is_refused(tmp_path):
    with pytest.raises(FormatError) as refused:
        read(tmp_path, INVERTED, grades=parse_grades("1:2,2:1"))
    values = refused.value.values
    assert (refused.value.key, values["count"], values["value"]) == ("unturned-grade", "1", "-1")
    assert values["values"] == "-1, 1, 2"


@pytest.mark.parametrize(
    ("text", "key", "line", "value"),
    [
        ("1 13 0 0.0\n1 14 0 0.5\n", "not-zero", 2, "0.5"),
        ("1 13 0 0.0\n1 14 2 0.0\n", "not-zero", 2, "2"),
        ("1 d 1\n1 d 0 1\n", "column-count", 2, "4"),
        ("1 d 1\n1 e 1.5\n1 f\n", "column-count", 3, "2"),
        ("1 d\n1\n", "column-count", 2, "1"),
    ],
)
def test_an_invalid_line_is_named(tmp_path, text, key, line, value):
    with pytest.raises(FormatError) as refused:
        read(tmp_path, text)
    assert (refused.value.key, refused.value.line) == (key, line)
    assert re.findall(r"\d+(?:\.\d+)?", refused.value.problem)[0] == value
