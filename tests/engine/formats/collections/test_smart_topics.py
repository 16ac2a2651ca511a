"""Tests of queries of SMART collections, and of their ids."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats.collections import read_topics
from irjudge.formats.collections.topics import TopicFile, choose_topic_ids
from irjudge.model import Topic
from tests.messages import keys_and_values

GAPS = ".I 001\r\n.W\r\nwhat laws\r\napply\r\n.I 002\r\n.W\r\nheat .\r\n.I 004\r\n.T\r\nTitle\r\n.W\r\ntext\r\n.A\r\nPrieve\r\n"


def read(folder: Path, text: str, **options) -> TopicFile:
    path = folder / "q.qry"
    path.write_bytes(text.encode())
    return read_topics(path, **options)


def test_ids_that_are_not_1_to_n_are_refused_with_both_choices(tmp_path):
    with pytest.raises(Undecided) as caught:
        read(tmp_path, GAPS)
    assert caught.value.options == ("topic_ids",)
    values = caught.value.values
    assert (caught.value.key, values["where"]) == ("ids-not-counted", "q.qry")
    assert (values["count"], values["ids"]) == ("3", "001, 002, 004")
    assert (values["default"], values["alternative"]) == ("order", "given")
    assert "--topic-ids" in str(caught.value)


def test_queries_can_be_numbered_by_position(tmp_path):
    file = read(tmp_path, GAPS, topic_ids="order")
    assert file.topics == (
        Topic("1", "what laws apply"),
        Topic("2", "heat ."),
        Topic("3", "Title", "text"),
    )
    assert keys_and_values(file.warnings, "count", "ids", "named") == [
        ("ids-by-order", "3", "001, 002, 004", ""),
        ("unread-fields", "", "", ".A"),
    ]


def test_ids_can_stay_unchanged(tmp_path):
    file = read(tmp_path, GAPS, topic_ids="given")
    assert [topic.id for topic in file.topics] == ["001", "002", "004"]
    assert keys_and_values(file.warnings, "count", "ids")[0] == (
        "ids-as-given",
        "3",
        "001, 002, 004",
    )


@pytest.mark.parametrize("topic_ids", [None, "order", "given"])
def test_ids_1_to_n_need_no_decision(tmp_path, topic_ids):
    file = read(tmp_path, ".I 1\n.W\na\n.I 2\n.W\nb\n", topic_ids=topic_ids)
    assert file == TopicFile((Topic("1", "a"), Topic("2", "b")), "SMART queries", ())


def test_leading_zeros_are_removed_unless_ids_stay_unchanged(tmp_path):
    text = ".I 01\n.W\na\n.I 02\n.W\nb\n"
    assert [topic.id for topic in read(tmp_path, text).topics] == ["1", "2"]
    assert [topic.id for topic in read(tmp_path, text, topic_ids="given").topics] == ["01", "02"]


def test_topics_of_other_formats_keep_their_ids_by_default(tmp_path):
    assert [topic.id for topic in read(tmp_path, "7\ta\n9\tb\n").topics] == ["7", "9"]
    file = read(tmp_path, "7\ta\n9\tb\n", topic_ids="order")
    assert [topic.id for topic in file.topics] == ["1", "2"]
    assert keys_and_values(file.warnings, "count", "ids") == [("ids-by-order", "2", "7, 9")]


def test_many_ids_are_shown_by_the_first_and_the_last():
    topics = [Topic(str(number), "a") for number in (10, 20, 30, 40, 50)]
    with pytest.raises(FormatError, match=r"given \(10, 20, 30 … 50\)"):
        choose_topic_ids(topics, Path("q"), None, is_numbered=True)


def test_a_query_without_id_is_refused(tmp_path):
    with pytest.raises(FormatError, match="the id is empty"):
        read(tmp_path, ".I 1\n.W\na\n.I\n.W\nb\n")
