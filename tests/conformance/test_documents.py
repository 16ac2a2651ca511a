"""Tests of documents of real collections: complete, with warnings about oddities."""

from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import read_documents, recognise_document_format, write_documents
from irjudge.formats.rows import parse_columns
from irjudge.model import Document


def read(path: Path, **options) -> tuple[list[Document], list[Any]]:
    warnings: list[Any] = []
    return list(read_documents([path], warnings=warnings, **options)), warnings


def warnings_of(warnings: list[Any]) -> list[tuple[str, dict[str, str]]]:
    """Return the keys and values of warnings."""
    return [(each.key, each.values) for each in warnings]


@pytest.mark.parametrize(
    ("name", "form", "count", "first", "last"),
    [
        ("classic/cran/cran.all.1400", "SMART", 1400, "1", "1400"),
        ("classic/cran/cran.all.1400.trec-format", "TREC", 1400, "1", "1400"),
        ("classic/cisi/CISI.ALL", "SMART", 1460, "1", "1460"),
        ("classic/cacm/cacm.all", "SMART", 3204, "1", "3204"),
        ("classic/med/MED.ALL", "SMART", 1033, "1", "1033"),
        ("classic/adi/ADI.ALL", "SMART", 82, "1", "82"),
        ("documents/beir-nfcorpus", "JSON lines", 2, "MED-10", "MED-14"),
        ("documents/beir-nfcorpus/corpus.jsonl", "JSON lines", 2, "MED-10", "MED-14"),
        ("documents/cacm_html.tar.gz", "HTML", 3204, "CACM-0001", "CACM-3204"),
        ("documents/trecweb/collection1/segment1.txt", "TRECWEB", 2, "WEB-0001", "WEB-0003"),
        ("documents/trec/collection1/segment1.txt", "TREC", 2, "AP-0001", "doc2"),
        ("documents/json/collection_zh/segment1.json", "JSON list", 3, "doc1", "doc3"),
        ("documents/neuclir/collection/sample_rus_collection.jsonl", "JSON lines", 4, None, None),
    ],
)
def test_every_collection_is_read_completely(data, name, form, count, first, last):
    documents, _ = read(data / name)
    assert (recognise_document_format(data / name).split(" in ")[0], len(documents)) == (
        form,
        count,
    )
    assert first is None or (documents[0].id, documents[-1].id) == (first, last)


@pytest.mark.parametrize("language", "ar bn en fi id ja ko ru sw te th".split())
def test_each_of_the_eleven_languages_is_read(data, language):
    documents, warnings = read(data / "documents/mrtydi-1.1" / language / "corpus.jsonl.gz")
    assert 3 <= len(documents) <= 4 and warnings == []


def test_the_two_empty_documents_of_cranfield_are_reported(data):
    documents, warnings = read(data / "classic/cran/cran.all.1400")
    assert [each.id for each in documents if not each.body] == ["471", "995"]
    assert warnings_of(warnings) == [
        ("empty-document", {"count": "2", "first": "471"}),
        ("unread-fields", {"named": ".A, .B", "more": ""}),
    ]
    title, text = documents[0].title, documents[0].text
    assert title.startswith("experimental investigation ") and title.endswith("a slipstream .")
    assert text.endswith("of the experiment .")


def test_the_conversion_of_cranfield_is_recognised_by_its_traces(data):
    _, warnings = read(data / "classic/cran/cran.all.1400.trec-format")
    assert warnings_of(warnings) == [("smart-marks", {"count": "1,400", "first": "1"})]


def test_fields_that_only_cisi_has_are_reported(data):
    documents, warnings = read(data / "classic/cisi/CISI.ALL")
    assert warnings_of(warnings) == [("unread-fields", {"named": ".A, .X, .B, .K, .C", "more": ""})]
    assert documents[1].title and documents[1].body  # its letters are separated by spaces


def test_documents_of_cacm_without_abstract_are_counted(data):
    _, warnings = read(data / "classic/cacm/cacm.all")
    assert warnings_of(warnings)[0] == ("title-only", {"count": "1,617", "first": "1"})


def test_med_and_adi_have_no_warnings_except_for_authors(data):
    assert read(data / "classic/med/MED.ALL")[1] == []
    assert warnings_of(read(data / "classic/adi/ADI.ALL")[1]) == [
        ("unread-fields", {"named": ".A", "more": ""})
    ]


def test_a_web_page_without_id_is_left_out_with_a_warning(data):
    documents, warnings = read(data / "documents/trecweb/collection1/segment1.txt")
    assert {each.kind for each in documents} == {"html"}
    assert not any("DOCHDR" in each.text for each in documents)
    (warning,) = warnings
    assert warning.key == "no-id" and "segment1.txt, line 10" in warning


@pytest.mark.parametrize(
    ("name", "part", "there", "example"),
    [
        ("id_missing", "id", "contents (doc1)", '"id=contents,'),
        ("contents_missing", "text", "id (doc2)", '"id=id,text='),
    ],
)
def test_json_without_id_or_text_is_reported_with_its_fields(data, name, part, there, example):
    with pytest.raises(FormatError) as error:
        read(data / f"documents/json/collection_errors/{name}.json")
    assert (error.value.key, error.value.line) == ("no-part", 2)
    assert (error.value.values["part"], error.value.problem.values["fields"].values["names"]) == (
        part,
        there,
    )
    assert example in str(error.value)


@pytest.mark.parametrize(
    "name",
    [
        "classic/cran/cran.all.1400",
        "classic/cacm/cacm.all",
        "documents/cacm_html.tar.gz",
        "documents/json/collection_zh/segment1.json",
    ],
)
def test_written_documents_read_back_equal(data, tmp_path, name):
    documents, _ = read(data / name)
    write_documents(tmp_path / "docs.jsonl", documents)
    assert read(tmp_path / "docs.jsonl")[0] == documents


@pytest.mark.parametrize(
    ("encoding", "how"),
    [("gb18030", "GB18030 (detected)"), ("utf-16", "UTF-16 (according to the byte order mark)")],
)
def test_chinese_in_other_encodings_reads_as_in_utf8(data, tmp_path, encoding, how):
    source = data / "documents/json/collection_zh/segment1.json"
    (tmp_path / "a.json").write_bytes(source.read_text(encoding="utf-8").encode(encoding))
    documents, (warning,) = read(tmp_path / "a.json")
    assert documents == read(source)[0]
    assert warning.startswith("a.json: ") and how in warning and "--encoding" in warning


def test_a_table_in_cp1252_is_read_with_named_columns(data):
    columns = parse_columns(
        "id=HITId,text=Answer.comment,title=Input.query", ("id", "text", "title")
    )
    documents, warnings = read(data / "pairwise_music/data/judgments.csv", columns=columns)
    assert [each.id for each in documents][:2] == ["1", "2"]
    assert [each for each in warnings if "cp1252" in each and "--encoding" in each]


def test_only_pooled_documents_are_stored(data):
    documents, warnings = read(data / "classic/cran/cran.all.1400", wanted={"7", "995", "2000"})
    assert [each.id for each in documents] == ["7", "995"]
    assert ("not-found", {"first": "2000"}) in warnings_of(warnings)
