"""Documents of real collections, read to their end: as many as their makers say, and what is strange in them is said."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections.documents import (
    read_documents,
    recognise_documents,
    write_documents,
)
from irjudge.formats.rows.mapping import parse_columns
from irjudge.model.document import Document


def read(path: Path, **options) -> tuple[list[Document], list[str]]:
    said: list[str] = []
    return list(read_documents([path], remarks=said, **options)), said


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
        ("documents/cacm_html.tar.gz", "HTML in a tar archive", 3204, "CACM-0001", "CACM-3204"),
        ("documents/trecweb/collection1/segment1.txt", "TRECWEB", 2, "WEB-0001", "WEB-0003"),
        ("documents/trec/collection1/segment1.txt", "TREC", 2, "AP-0001", "doc2"),
        ("documents/json/collection_zh/segment1.json", "JSON list", 3, "doc1", "doc3"),
        ("documents/neuclir/collection/sample_rus_collection.jsonl", "JSON lines", 4, None, None),
    ],
)
def test_every_collection_is_read_to_its_end(data, name, form, count, first, last):
    documents, _ = read(data / name)
    assert (recognise_documents(data / name), len(documents)) == (form, count)
    assert first is None or (documents[0].id, documents[-1].id) == (first, last)


@pytest.mark.parametrize("language", "ar bn en fi id ja ko ru sw te th".split())
def test_each_of_the_eleven_languages_is_read(data, language):
    documents, said = read(data / "documents/mrtydi-1.1" / language / "corpus.jsonl.gz")
    assert 3 <= len(documents) <= 4 and said == []


def test_cranfield_says_that_two_documents_are_empty(data):
    documents, said = read(data / "classic/cran/cran.all.1400")
    assert [each.id for each in documents if not each.body] == ["471", "995"]
    assert said == [
        "2 documents have no text and are kept, beginning with 471.",
        "Fields that are not read: .A, .B.",
    ]
    assert (
        documents[0].title
        == "experimental investigation of the aerodynamics of a wing in a slipstream ."
    )
    assert documents[0].text.endswith(
        "an empirical evaluation of the destalling effects was made for\nthe specific configuration of the experiment ."
    )


def test_the_conversion_of_cranfield_is_told_by_the_marks_it_left(data):
    _, said = read(data / "classic/cran/cran.all.1400.trec-format")
    assert said == [
        "1,400 documents have SMART's marks (.A, .B, .W) in their text, left there by a conversion and shown as they stand, "
        "beginning with 1."
    ]


def test_fields_that_only_cisi_has_are_named(data):
    documents, said = read(data / "classic/cisi/CISI.ALL")
    assert said == ["Fields that are not read: .A, .X, .B, .K, .C."]
    assert documents[1].title and documents[1].body  # its letters are followed by blanks


def test_cacm_says_how_many_documents_have_no_abstract(data):
    _, said = read(data / "classic/cacm/cacm.all")
    assert said[0] == "1,617 documents have a title and no text, and are kept, beginning with 1."


def test_med_and_adi_have_nothing_strange_but_authors(data):
    assert read(data / "classic/med/MED.ALL")[1] == []
    assert read(data / "classic/adi/ADI.ALL")[1] == ["Fields that are not read: .A."]


def test_a_web_page_without_id_is_left_out_and_said(data):
    documents, said = read(data / "documents/trecweb/collection1/segment1.txt")
    assert {each.kind for each in documents} == {"html"}
    assert not any("DOCHDR" in each.text for each in documents)
    assert said == ["1 document has no id and was left out: segment1.txt, line 10."]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "id_missing",
            'the record has no id, .* contents .*"id=contents"',
        ),
        ("contents_missing", "the record has no text, expected one of text, contents"),
    ],
)
def test_json_without_id_or_text_says_so_and_what_there_is(data, name, sentence):
    with pytest.raises(FormatError, match=sentence):
        read(data / f"documents/json/collection_errors/{name}.json")


@pytest.mark.parametrize(
    "name",
    [
        "classic/cran/cran.all.1400",
        "classic/cacm/cacm.all",
        "documents/cacm_html.tar.gz",
        "documents/json/collection_zh/segment1.json",
    ],
)
def test_what_is_written_reads_back_equal(data, tmp_path, name):
    documents, _ = read(data / name)
    write_documents(tmp_path / "docs.jsonl", documents)
    assert read(tmp_path / "docs.jsonl")[0] == documents


@pytest.mark.parametrize(
    ("encoding", "how"), [("gb18030", "GB18030 (detected)"), ("utf-16", "UTF-16 (by its mark)")]
)
def test_chinese_in_other_encodings_reads_as_in_utf8(data, tmp_path, encoding, how):
    source = data / "documents/json/collection_zh/segment1.json"
    (tmp_path / "a.json").write_bytes(source.read_text(encoding="utf-8").encode(encoding))
    assert read(tmp_path / "a.json") == (
        read(source)[0],
        [f"a.json: read as {how}; name another with --encoding."],
    )


def test_a_table_in_cp1252_is_read_with_columns_that_are_named(data):
    columns = parse_columns(
        "id=HITId,text=Answer.comment,title=Input.query", ("id", "text", "title")
    )
    documents, said = read(data / "pairwise_music/data/judgments.csv", columns=columns)
    assert [each.id for each in documents][:2] == ["1", "2"]
    assert "judgments.csv: read as cp1252 (detected); name another with --encoding." in said


def test_only_pooled_documents_are_kept(data):
    documents, said = read(data / "classic/cran/cran.all.1400", wanted={"7", "995", "2000"})
    assert [each.id for each in documents] == ["7", "995"]
    assert "1 document that was asked for is not there: 2000." in said
