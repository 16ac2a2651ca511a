"""Tests of records in the SMART format and its variants."""

import io
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats import ReaderWarnings
from irjudge.formats.bytes import encoding as utf8
from irjudge.formats.collections.plain_text_records import is_smart, iter_smart_records
from tests.messages import warnings_of


def read(text: str) -> tuple[list[tuple[int, dict[str, object]]], tuple[str, ...]]:
    warnings = ReaderWarnings()
    records = iter_smart_records(io.BufferedReader(io.BytesIO(text.encode())), Path("a"), warnings)
    return [(record.line, dict(record.fields)) for record in records], warnings.sentences()


def test_letters_name_the_fields():
    assert read(".I 1\n.T\ntitle\n.W\ntext\n.I 002 \n.W\nother\n")[0] == [
        (1, {"I": "1", "T": "title", "W": "text"}),
        (6, {"I": "002 ", "W": "other"}),
    ]


def test_a_repeated_field_continues_the_text():
    assert read(".I 1\n.A\none\n.W\ntext\n.A\ntwo\n")[0] == [
        (1, {"I": "1", "A": "one\ntwo", "W": "text"})
    ]


def test_windows_line_ends_and_trailing_blanks_are_ignored():
    assert read(".I 1\r\n.T \t\r\na  \r\n\r\n\tb\r\n\r\n.W\r\n\r\n")[0] == [
        (1, {"I": "1", "T": "a\n\n\tb", "W": ""})
    ]


def test_text_that_begins_with_a_point_is_text():
    text = ".5 of it\n.Note\n .W\n.w"
    assert read(f".I 1\n.W\n{text}\n")[0] == [(1, {"I": "1", "W": text})]


def test_text_outside_of_fields_is_reported():
    assert warnings_of(read("\nhead\n.I 1\nstray\n.W\ntext\n")[1]) == [
        ("between-records", "2", "a, line 2, “head”")
    ]


def test_lines_are_counted_and_joined_across_blocks(monkeypatch):
    monkeypatch.setattr(utf8, "PIECE_BYTES", 7)
    text = ".I 1\nstray\n.W\none\n\n.5 two\n\n\n.T\r\ntitle\r\n.I 2\n.W"
    records, messages = read(text)
    assert records == [
        (1, {"I": "1", "W": "one\n\n.5 two", "T": "title"}),
        (11, {"I": "2", "W": ""}),
    ]
    assert warnings_of(messages) == [("between-records", "1", "a, line 2, “stray”")]


def test_an_endless_record_is_refused(monkeypatch):
    monkeypatch.setattr(utf8, "MAX_LINE_BYTES", 50)
    for line, text in ((3, ".I 1\n.W\n.I 2\n.W\n" + "\n" * 60), (1, ".I 1\n" + ".W\n" * 60)):
        with pytest.raises(FormatError) as refused:
            read(text)
        assert (refused.value.key, refused.value.line) == ("no-end", line)


def test_a_file_is_recognised_by_its_first_record():
    assert (
        is_smart(b".i 1\n.t")
        and is_smart(b".i\t1")
        and not is_smart(b".i\n.t")
        and not is_smart(b".t\n.i 1")
    )
