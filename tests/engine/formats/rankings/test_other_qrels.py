"""Tests of judgments as lists of relevant documents, and of NTCIR's grades L0, L1, L2."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.rankings import parse_grades, read_qrels
from tests.messages import keys_and_values, warnings_of

Rows = list[tuple[str, str, int]]


def read(tmp_path: Path, text: str, grades: str = "") -> tuple[Rows, tuple[str, ...]]:
    (path := tmp_path / "Q.REL").write_text(text, encoding="utf-8", newline="")
    qrels = read_qrels(path, grades=parse_grades(grades) if grades else None)
    return list(qrels.rows()), qrels.warnings


def read_error(tmp_path: Path, text: str) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text)
    return caught.value


TWO = [("1", "12", 1), ("1", "340", 1), ("2", "7", 1)]


def test_npl_lists_documents_up_to_a_slash(tmp_path):
    rows, warnings = read(tmp_path, "1\n   12   340\n   /\n2\n 7\n /\n")
    assert rows == TWO
    ((key, file, form),) = keys_and_values(warnings, "file", "form")
    assert (key, file) == ("read-as", "Q.REL") and "NPL" in form
    error = read_error(tmp_path, "1\n 12\n/\n" * 1200 + "2\n x\n/\n")
    assert (error.key, error.line, error.values["text"]) == ("not-numbers", 3602, "x")


def test_lisas_lists_end_with_minus_one(tmp_path):
    text = "Query 1\r\n2 Relevant Refs:\r\n12 340 -1\r\n\r\nQuery 2\r\n1 Relevant Refs:\r\n7 -1\r\n"
    rows, warnings = read(tmp_path, text)
    ((key, form),) = keys_and_values(warnings, "form")
    assert (rows, key) == (TWO, "read-as") and "LISA" in form


def test_a_wrong_count_in_lisa_is_reported(tmp_path):
    rows, warnings = read(
        tmp_path, "Query 1\n3 Relevant Refs:\n12 340 -1\nQuery 2\n1 Relevant Refs:\n7 -1\n"
    )
    assert rows == TWO
    assert keys_and_values(warnings, "topic", "expected", "found")[1] == (
        "wrong-count",
        "1",
        "3",
        "2",
    )


def test_documents_below_a_second_count_belong_to_no_query(tmp_path):
    rows, warnings = read(
        tmp_path,
        "Query 1\n2 Relevant Refs:\n12 340\n1 Relevant Refs:\n99 -1\nQuery 2\n1 Relevant Refs:\n7 -1\n",
    )
    assert rows == TWO
    assert warnings_of(warnings)[1] == ("no-query", "1", "line 5")


def test_a_list_of_numbers_starts_with_the_count_of_each_query(tmp_path):
    text = "     1     5    12   340\n    41    42    43\n     2     1     7\n     3     0\n"
    rows, warnings = read(tmp_path, text)
    assert rows == [*(("1", each, 1) for each in ("12", "340", "41", "42", "43")), ("2", "7", 1)]
    ((key, form),) = keys_and_values(warnings, "form")
    assert key == "read-as" and "number of its" in form


def test_a_truncated_list_of_numbers_is_refused(tmp_path):
    whole = "".join(f"{query} 3 1 2 3\n" for query in range(1, 1200))
    error = read_error(tmp_path, whole + "1200 3 1 2\n")
    assert (error.key, error.values["topic"]) == ("missing-end", "1200")


def test_time_lists_documents_by_position(tmp_path):
    rows, warnings = read(tmp_path, "1  12 340 350 360\n\n2  7\n")
    assert rows == [*(("1", each, 1) for each in ("12", "340", "350", "360")), ("2", "7", 1)]
    assert [key for key, *_ in keys_and_values(warnings)] == ["read-as", "ids-by-position"]


@pytest.mark.parametrize(
    "text",
    [
        "1 a L0\n1 b L2\n2 a L3\n",
        "1 a l0\n1 b L2\n2 a l3\n",
        "1 0 a L0\n1 0 b L2\n2 0 a L3\n",
        "1\tL0\ta\n1\tL2\tb\n2\tL3\ta\n",
    ],
)
def test_ntcirs_levels_are_grades(tmp_path, text):
    assert read(tmp_path, text)[0] == [("1", "a", 0), ("1", "b", 2), ("2", "a", 3)]
    assert read(tmp_path, text, "L0:0,L2:1,L3:1")[0] == [
        ("1", "a", 0),
        ("1", "b", 1),
        ("2", "a", 1),
    ]


def test_ntcirs_lines_need_a_topic_and_a_level(tmp_path):
    error = read_error(tmp_path, "a L0\nb L2\n")
    assert (error.key, error.line) == ("column-count", 1)
    error = read_error(tmp_path, "1 a L0\n" * 2000 + "1 b 2\n")
    assert (error.key, error.line) == ("column-count", 2001)
    assert (error.values["text"], error.values["width"]) == ("1 b 2", "3")


def test_a_document_named_like_a_level_stays_a_document(tmp_path):
    assert read(tmp_path, "1 0 L2 1\n1 0 L3 0\n1 0 d 2\n")[0] == [
        ("1", "L2", 1),
        ("1", "L3", 0),
        ("1", "d", 2),
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1 0 L1 1\n1 0 L2 0\n1 0 L45 2\n", [("1", "L1", 1), ("1", "L2", 0), ("1", "L45", 2)]),
        ("1 L1 1\n1 L2 0\n1 L45 0\n", [("1", "L1", 1), ("1", "L2", 0), ("1", "L45", 0)]),
        ("1 0 L1 7\n1 0 L1 8\n1 0 L0 9\n", [("1", "7", 1), ("1", "8", 1), ("1", "9", 0)]),
        ("1 L1 7\n1 L2 8\n2 L0 9\n", [("1", "7", 1), ("1", "8", 2), ("2", "9", 0)]),
    ],
)
def test_ids_like_grades_of_ntcir_do_not_repeat_within_a_topic(tmp_path, text, rows) -> None:
    path = tmp_path / "q.txt"
    path.write_text(text)
    assert list(read_qrels(path).rows()) == rows
