"""Tests of records in the SMART format and its variants."""

import io
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats import ReaderWarnings
from irjudge.formats.bytes import encoding as utf8
from irjudge.formats.collections import plain_text_records as smart
from irjudge.formats.collections.plain_text_records import is_smart, iter_smart_records
from tests.messages import warnings_of


def read(text: str) -> tuple[list[tuple[int, dict[str, object]]], tuple[str, ...]]:
    remarks = ReaderWarnings()
    records = iter_smart_records(io.BufferedReader(io.BytesIO(text.encode())), Path("a"), remarks)
    return [(record.line, dict(record.fields)) for record in records], remarks.sentences()


def test_fields_are_named_by_their_letters():
    assert read(".I 1\n.T\ntitle\n.W\ntext\n.I 002 \n.W\nother\n")[0] == [
        (1, {"I": "1", "T": "title", "W": "text"}),
        (6, {"I": "002 ", "W": "other"}),
    ]


def test_a_field_that_comes_again_goes_on():
    assert read(".I 1\n.A\none\n.W\ntext\n.A\ntwo\n")[0] == [
        (1, {"I": "1", "A": "one\ntwo", "W": "text"})
    ]


def test_line_ends_of_windows_and_blanks_after_a_letter_make_no_difference():
    assert read(".I 1\r\n.T \t\r\na  \r\n\r\n\tb\r\n\r\n.W\r\n\r\n")[0] == [
        (1, {"I": "1", "T": "a\n\n\tb", "W": ""})
    ]


def test_text_that_begins_with_a_point_is_text():
    text = ".5 of it\n.Note\n .W\n.w"
    assert read(f".I 1\n.W\n{text}\n")[0] == [(1, {"I": "1", "W": text})]


def test_text_in_no_field_is_said():
    assert warnings_of(read("\nhead\n.I 1\nstray\n.W\ntext\n")[1]) == [
        ("between-records", "2", "a, line 2, “head”")
    ]


def test_lines_are_counted_and_joined_over_the_pieces_a_file_is_read_in(monkeypatch):
    monkeypatch.setattr(utf8, "PIECE_BYTES", 7)
    text = ".I 1\nstray\n.W\none\n\n.5 two\n\n\n.T\r\ntitle\r\n.I 2\n.W"
    records, said = read(text)
    assert records == [
        (1, {"I": "1", "W": "one\n\n.5 two", "T": "title"}),
        (11, {"I": "2", "W": ""}),
    ]
    assert warnings_of(said) == [("between-records", "1", "a, line 2, “stray”")]


def test_a_record_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(smart, "MAX_LINE_BYTES", 50)
    for line, text in ((3, ".I 1\n.W\n.I 2\n.W\n" + "\n" * 60), (1, ".I 1\n" + ".W\n" * 60)):
        with pytest.raises(FormatError) as refused:
            read(text)
        assert (refused.value.key, refused.value.line) == ("no-end", line)


def test_a_file_is_known_by_its_first_record():
    assert (
        is_smart(b".i 1\n.t")
        and is_smart(b".i\t1")
        and not is_smart(b".i\n.t")
        and not is_smart(b".t\n.i 1")
    )
