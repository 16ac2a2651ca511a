"""Tests of topics without markup: JSON objects, numbered lines, and one query per line."""

import json
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats import classify_files
from irjudge.formats.collections import read_topics
from irjudge.formats.collections.topics import TopicFile
from irjudge.model import Topic
from tests.messages import keys_and_values


def read(path: Path, text: str) -> list[tuple[str, str]]:
    path.write_text(text, encoding="utf-8")
    return [(topic.id, topic.title) for topic in read_topics(path).topics]


def test_a_json_object_of_texts_is_topics(tmp_path: Path):
    text = json.dumps({"402": "red  shoes", "7": "blue: hat"})
    assert read(tmp_path / "a.json", text) == [("402", "red shoes"), ("7", "blue: hat")]


@pytest.mark.parametrize("text", ['{"401": "a", "402": null}', '{"401": "a", "402": {"x": "b"}}'])
def test_a_member_that_is_not_text_is_refused(tmp_path: Path, text: str):
    with pytest.raises(FormatError):
        read(tmp_path / "a.json", text)


def test_increasing_numbers_are_ids_of_lines(tmp_path: Path):
    assert read(tmp_path / "a.txt", "3 one\n\n10  two 2\n") == [("3", "one"), ("10", "two 2")]
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "b.txt", "".join(f"{n} word\n" for n in range(1, 9000)) + "word\n")
    assert (caught.value.key, caught.value.line) == ("not-a-query", 9000)


def test_lines_without_ids_are_numbered(tmp_path: Path):
    text = "where is oslo?\n2001 a space odyssey\n"
    assert read(tmp_path / "a.txt", text) == [
        ("1", "where is oslo?"),
        ("2", "2001 a space odyssey"),
    ]


@pytest.mark.parametrize("header", ["query", "Query", "\ufefftext", "query_text"])
def test_a_name_of_a_column_above_the_queries_is_no_query(tmp_path: Path, header: str):
    path = tmp_path / "q.csv"
    assert read(path, f"{header}\ntea\nmilk\n") == [("1", "tea"), ("2", "milk")]
    assert keys_and_values(read_topics(path).warnings, "first") == [
        ("one-column-header", header.strip("\ufeff"))
    ]


@pytest.mark.parametrize("header", ["qid\tquery_text", "query_id\tutterance", "Topic_ID\tkeywords"])
def test_the_column_beside_the_id_is_the_query(tmp_path: Path, header: str):
    assert read(tmp_path / "q.tsv", f"{header}\n1\thello\n") == [("1", "hello")]


def test_a_name_of_a_column_without_queries_below_it_is_a_query(tmp_path: Path):
    assert read(tmp_path / "q.txt", "query\n") == [("1", "query")]


@pytest.mark.parametrize(
    "text",
    [
        "q1 0 d1 1\nq1 0 d2 0\n",
        "q1 Q0 d1 1 9.5 t\nq1 Q0 d2 2 8.5 t\n",
        "1 d1 1\n2 d2 0\n",
        "a,b,c\nd,e,f\n",
        "It was late.\nNobody came\n",
        "Contents:\nan introduction\n",
        "x" + " x" * 60,
        "same\nsame\n",
        "123\n456\n",
    ],
)
def test_tables_and_prose_are_not_topics(tmp_path: Path, text: str):
    with pytest.raises(FormatError):
        read(tmp_path / "a.txt", text)


def test_a_list_of_words_is_topics_only_by_its_file_name(tmp_path: Path):
    for name in ("names.txt", "queries.txt"):
        (tmp_path / name).write_text("first thing\nsecond\n")
    files_by_kind = classify_files([tmp_path / "names.txt", tmp_path / "queries.txt"])
    assert files_by_kind["topics"] == (tmp_path / "queries.txt",)
    assert files_by_kind["documents"] == (tmp_path / "names.txt",)


def test_topics_without_a_root_are_read(tmp_path: Path):
    text = "<?xml version='1.0'?>\n<topic number='1'><title>a</title></topic>\n<topic number='2'><title>b"
    expected = [("1", "a"), ("2", "b")]
    assert read(tmp_path / "a.xml", text + "</title></topic>\n") == expected
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "a.xml", text + "</topic>\n")
    assert (caught.value.key, caught.value.line) == ("not-well-formed", 3)


def read_numbered_queries(tmp_path: Path, text: str) -> TopicFile:
    (path := tmp_path / "06.efficiency_topics.all").write_text(text, encoding="utf-8")
    return read_topics(path)


def test_a_colon_ends_the_number(tmp_path):
    file = read_numbered_queries(tmp_path, "201:tides: when\n 202:ports\r\n")
    assert (file.format_name, file.topics) == (
        "numbered queries",
        (Topic("201", "tides: when"), Topic("202", "ports")),
    )


def test_a_priority_in_every_line_is_not_part_of_the_text(tmp_path):
    file = read_numbered_queries(tmp_path, "20001:1:tides\n20002:4:3 ports\n")
    assert file.topics == (Topic("20001", "tides"), Topic("20002", "3 ports"))
    ((key, named),) = keys_and_values(file.warnings, "named")
    assert key == "unread-fields" and "priority" in named


def test_a_digit_and_a_colon_in_only_some_lines_are_text(tmp_path):
    assert read_numbered_queries(tmp_path, "1:2:1 odds\n2:tides\n").topics == (
        Topic("1", "2:1 odds"),
        Topic("2", "tides"),
    )


def test_a_line_without_a_number_is_named(tmp_path):
    with pytest.raises(FormatError) as refused:
        read_numbered_queries(
            tmp_path, "".join(f"{number}:words\n" for number in range(2000)) + "tides\n"
        )
    assert (refused.value.key, refused.value.line) == ("not-a-query", 2001)
    assert refused.value.values["line"] == "tides"


@pytest.mark.parametrize("header", ["query", "Title", "query_text", '"text"'])
def test_the_name_of_a_column_is_not_a_query(tmp_path: Path, header: str):
    assert read(tmp_path / "q.csv", f"{header}\ntea\nmilk\n") == [("1", "tea"), ("2", "milk")]


@pytest.mark.parametrize("header", ["qid\tquery_text", "query_id\tutterance", "Topic_ID\tkeywords"])
def test_a_header_of_which_only_the_id_is_known_is_not_a_topic(tmp_path: Path, header: str):
    assert read(tmp_path / "q.tsv", f"{header}\n1\thello\n") == [("1", "hello")]
