"""Tests of the choice of the grade column in a table of qrels."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.formats.rows import parse_columns
from irjudge.model import Qrels
from tests.messages import keys_and_values

QRELS = ("topic", "iteration", "document", "grade")
GRADES = "grade label relevance rel relevancy relevance_label relevance_grade rating judgment judgement gain score".split()


def read(folder: Path, text: str, columns: str = "", name: str = "a.csv") -> Qrels:
    (folder / name).write_text(text, encoding="utf-8")
    return read_qrels(folder / name, columns=parse_columns(columns, QRELS))


def rows(qrels: Qrels) -> list[tuple[str, str, int]]:
    return list(qrels.rows())


@pytest.mark.parametrize("name", GRADES)
def test_common_names_of_the_grade_column_are_recognised(tmp_path, name):
    assert rows(read(tmp_path, f"topic,docid,{name}\nq,a,3\nq,b,0\n")) == [
        ("q", "a", 3),
        ("q", "b", 0),
    ]


def test_further_columns_are_ignored_with_a_warning(tmp_path):
    qrels = read(tmp_path, "query,docid,rating,created_at,note\nq,a,0,2026-01-02,hm\n")
    assert rows(qrels) == [("q", "a", 0)]
    assert keys_and_values(qrels.warnings, "file", "named")[1] == (
        "unread-fields",
        "a.csv",
        "created_at, note",
    )


@pytest.mark.parametrize(
    ("text", "message", "choice"),
    [
        ("query,docid,stars\nq,a,3\nq,b,0\n", "", "grade=stars"),
        ("query,docid,note,stars\nq,a,hm,3\nq,b,,0\n", "", "grade=stars"),
        ("query,docid,\nq,a,3\n", "", "grade=3"),
        ("q,a,3\n", "topic=1,document=2", "topic=1,document=2,grade=3"),
        ("id,docid,stars\nq,a,3\n", "topic=id", "topic=id,grade=stars"),
    ],
)
def test_a_table_without_a_known_grade_is_refused_with_the_columns_that_read_it(
    tmp_path, text, message, choice
):
    with pytest.raises(Undecided, match="--columns") as caught:
        read(tmp_path, text, message)
    assert (caught.value.key, caught.value.line) == ("no-grade-column", 1)
    assert caught.value.values["choice"] == f'"{choice}"'
    assert caught.value.options == ("columns",)
    assert rows(read(tmp_path, text, choice))[0] == ("q", "a", 3)


def test_a_column_for_each_judge_is_refused_with_the_columns_that_name_them(tmp_path):
    text = "query,docid,Alice,Bob\nq,a,3,2\nq,b,,0\n"
    with pytest.raises(Undecided, match="--columns") as caught:
        read(tmp_path, text)
    values = caught.value.values
    assert (caught.value.key, values["names"]) == ("no-grade-column", "Alice, Bob")
    assert '"grade=Alice"' in values["choice"] and '"grade=Bob"' in values["choice"]
    assert rows(read(tmp_path, text, "grade=Bob")) == [("q", "a", 2), ("q", "b", 0)]
    assert rows(read(tmp_path, text, "grade=Alice")) == [("q", "a", 3)]


def test_a_table_without_a_possible_grade_is_refused(tmp_path):
    with pytest.raises(Undecided) as caught:
        read(tmp_path, "query,docid,note,when\nq,a,hm,2026-01-02\n")
    values = caught.value.values
    assert (caught.value.key, values["names"]) == ("no-grade-column", "note, when")
    assert "choice" not in values


@pytest.mark.parametrize("reader", [read_qrels, read_run])
@pytest.mark.parametrize(
    "header", ["search words,url,stars", "words,url,stars", "search words;url;stars"]
)
def test_an_unknown_header_is_not_read_as_a_pair(tmp_path, reader, header):
    separator = ";" if ";" in header else ","
    (tmp_path / "a.csv").write_text(
        f"{header}\nred shoes,d1,0\n".replace(",", separator), encoding="utf-8"
    )
    with pytest.raises(FormatError, match="--columns") as caught:
        reader(tmp_path / "a.csv")
    example = f"topic={header.split(separator)[0]},document=url,"
    assert caught.value.values["example"].startswith(example)


def test_a_cell_without_a_header_is_refused(tmp_path):
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "query,docid\nq,a,3\n")
    values = caught.value.values
    assert (caught.value.key, caught.value.line) == ("column-count", 2)
    assert (values["cells"], values["header"]) == ("3", "2")


def test_a_duplicate_column_name_is_refused(tmp_path):
    text = "query,docid,rating,Rating\nq,a,3,0\n"
    with pytest.raises(Undecided, match="--columns") as caught:
        read(tmp_path, text)
    values = caught.value.values
    assert (caught.value.key, values["name"], values["count"]) == ("same-column", "rating", "2")
    assert '"grade=3"' in values["choice"] and '"grade=4"' in values["choice"]
    assert rows(read(tmp_path, text, "grade=4")) == [("q", "a", 0)]


def test_pairs_without_grades_count_as_grade_1_with_a_warning(tmp_path):
    qrels = read(tmp_path, "query,docid\nq,a\n")
    assert rows(qrels) == [("q", "a", 1)]
    assert keys_and_values(qrels.warnings, "file", "form") == [("read-as", "a.csv", "CSV")]
    reading, rest = keys_and_values(qrels.warnings, "columns", "note")[0][1:]
    assert "query" in reading and "docid" in reading and "grade 1" in rest


def test_unrated_documents_of_quepid_are_left_out(tmp_path):
    # As in Quepid (app/views/api/v1/export/ratings, basic CSV): a blank keeps a cell from being a
    # formula.
    qrels = read(
        tmp_path, 'query,docid,rating\nred shoes,a,3\n" =sum","-1",0\nred shoes,b,\nblue,,\n'
    )
    assert rows(qrels) == [("q1", "a", 3), ("q2", "-1", 0)] and qrels.titles == (
        "red shoes",
        "=sum",
    )
    assert keys_and_values(qrels.warnings, "left")[1:] == [("without-rating", "1")]
