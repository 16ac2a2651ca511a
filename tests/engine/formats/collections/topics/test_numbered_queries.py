"""Tests of queries as a number, a colon and text."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import read_topics
from irjudge.formats.collections.topics import TopicFile
from irjudge.model import Topic
from tests.messages import keys_and_values


def read(tmp_path: Path, text: str) -> TopicFile:
    (path := tmp_path / "06.efficiency_topics.all").write_text(text, encoding="utf-8")
    return read_topics(path)


def test_a_colon_ends_the_number(tmp_path):
    file = read(tmp_path, "201:tides: when\n 202:ports\r\n")
    assert (file.format_name, file.topics) == (
        "numbered queries",
        (Topic("201", "tides: when"), Topic("202", "ports")),
    )


def test_a_priority_in_every_line_is_not_part_of_the_text(tmp_path):
    file = read(tmp_path, "20001:1:tides\n20002:4:3 ports\n")
    assert file.topics == (Topic("20001", "tides"), Topic("20002", "3 ports"))
    ((key, named),) = keys_and_values(file.warnings, "named")
    assert key == "unread-fields" and "priority" in named


def test_a_digit_and_a_colon_in_only_some_lines_are_text(tmp_path):
    assert read(tmp_path, "1:2:1 odds\n2:tides\n").topics == (
        Topic("1", "2:1 odds"),
        Topic("2", "tides"),
    )


def test_a_line_without_a_number_is_named(tmp_path):
    with pytest.raises(FormatError) as refused:
        read(tmp_path, "".join(f"{number}:words\n" for number in range(2000)) + "tides\n")
    assert (refused.value.key, refused.value.line) == ("not-a-query", 2001)
    assert refused.value.values["line"] == "tides"
