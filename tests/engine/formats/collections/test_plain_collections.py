"""Tests of the formats of the NPL, LISA and TIME collections."""

from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.rows import parse_columns
from irjudge.model import Document, Topic
from tests.messages import keys_and_values, warnings_of

NPL = "1\nradio waves in\n  valleys\n   /\n2\nnoise of 3 valves\n/\n"
LISA = (
    "Document    1\r\nTIDES IN\r\nHARBOURS.\r\n     \r\nTHEY RISE\r\n\r\nAND FALL.\r\n"
    + "*" * 44
    + "\r\n"
    "Document   12\r\nNO ABSTRACT.\r\n" + "*" * 44 + "\r\n"
)
TIME = "*TEXT 017 01/04/63 PAGE 020\n\nTHE TIDE\n\nROSE .\n\n*TEXT 019 01/04/63 PAGE 021\n\nIT FELL .\n\n*STOP\n"


def read(tmp_path: Path, text: str, columns: str = "") -> tuple[list[Document], list[Any]]:
    (path := tmp_path / "DOCS.001").write_text(text, encoding="utf-8", newline="")
    warnings: list[str] = []
    return list(
        read_documents([path], warnings=warnings, columns=parse_columns(columns, ("id",)))
    ), warnings


def topics(tmp_path: Path, text: str) -> tuple[str, tuple[Topic, ...]]:
    (path := tmp_path / "QUERIES").write_text(text, encoding="utf-8", newline="")
    file = read_topics(path)
    return file.format_name, file.topics


def test_npl_ends_each_document_with_a_slash(tmp_path):
    assert read(tmp_path, NPL) == (
        [Document("1", b"radio waves in\n  valleys"), Document("2", b"noise of 3 valves")],
        [],
    )


def test_lisas_title_ends_with_an_empty_line(tmp_path):
    documents, warnings = read(tmp_path, LISA)
    assert documents == [
        Document("1", b"THEY RISE\n\nAND FALL.", "TIDES IN HARBOURS."),
        Document("12", b"", "NO ABSTRACT."),
    ]
    assert warnings_of(warnings) == [("title-only", "1", "12")]


def test_text_between_lisas_documents_is_reported(tmp_path):
    documents, warnings = read(tmp_path, LISA.replace("Document   12", "ASTRAY\r\nDocument   12"))
    assert [each.id for each in documents] == ["1", "12"]
    assert warnings_of(warnings)[0] == ("between-records", "1", "DOCS.001, line 9, “ASTRAY”")


def test_an_unterminated_document_ends_at_the_next_one(tmp_path):
    documents, _ = read(
        tmp_path, LISA.replace("AND FALL.\r\n" + "*" * 44 + "\r\n", "AND FALL.\r\n")
    )
    assert [each.id for each in documents] == ["1", "12"]
    assert "Document" not in documents[0].text


def test_text_files_that_only_begin_like_lisa_or_npl_are_plain_text(tmp_path):
    texts = {
        "n.txt": "1\nsome text\n/\nmore\n",
        "rep_a.txt": "Document 1\n\nHello\n",
        "rep_b.txt": "Document 1\n\nOther\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    warnings: list[str] = []
    documents = list(read_documents([tmp_path], warnings=warnings))
    assert {document.id for document in documents} == {"n", "rep_a", "rep_b"}
    assert not warnings


def test_gaps_in_times_numbers_shift_no_document(tmp_path):
    documents, warnings = read(tmp_path, TIME)
    assert documents == [Document("017", b"THE TIDE\nROSE ."), Document("019", b"IT FELL .")]
    assert warnings[0].values["first"].values["ids"].key == "ids-are-numbers"
    assert keys_and_values(warnings, "place", "last") == [("missing-records", "2", "019")]
    assert "017" in warnings[0]


def test_times_positions_can_be_the_ids(tmp_path):
    documents, warnings = read(tmp_path, TIME, "id=place")
    assert [each.id for each in documents] == ["1", "2"]
    assert warnings[0].values["first"].values["ids"].key == "ids-are-places"
    with pytest.raises(Undecided, match='--columns "id=number" or "id=place"'):
        read(tmp_path, TIME, "id=page")


def test_times_numbers_without_gaps_give_no_warning(tmp_path):
    assert read(tmp_path, TIME.replace("017", "001").replace("019", "002"))[1] == []


def test_queries_of_the_three_collections_are_read(tmp_path):
    assert topics(tmp_path, NPL) == (
        "NPL queries",
        (Topic("1", "radio waves in valleys"), Topic("2", "noise of 3 valves")),
    )
    lisa = "1\r\nI WANT PAPERS ON\r\nC# AND TIDES. #\r\n2\r\n1984\r\nOR LATER #\r\n"
    assert topics(tmp_path, lisa) == (
        "LISA queries",
        (Topic("1", "I WANT PAPERS ON C# AND TIDES."), Topic("2", "1984 OR LATER")),
    )
    time = "*FIND      1\n\n WHO WENT\n\nWHERE ?\n\n*FIND      2\n\n WHEN ?\n\n*STOP\n"
    assert topics(tmp_path, time) == (
        "TIME queries",
        (Topic("1", "WHO WENT WHERE ?"), Topic("2", "WHEN ?")),
    )


def test_an_endless_record_takes_bounded_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("irjudge.formats.bytes.encoding.MAX_LINE_BYTES", 1000)
    with pytest.raises(FormatError) as refused:
        read(tmp_path, "1\na\n/\n".replace("/", "words of it\n" * 200 + "/"))
    assert (refused.value.key, refused.value.line) == ("no-end", 1)
