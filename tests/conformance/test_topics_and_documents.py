"""Tests of topics and documents of real collections, read to the end."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import read_documents, read_topics, recognise_document_format
from irjudge.model import Document


def read(path: Path) -> list[Document]:
    return list(read_documents([path], warnings=[]))


@pytest.mark.parametrize(
    ("name", "form", "count", "first", "last"),
    [
        ("topics.cacm.txt", "TREC documents as topics", 64, "1", "64"),
        ("topics.adhoc.51-100.txt", "TREC SGML", 50, "051", "100"),
        ("topics.adhoc.401-450.txt", "TREC SGML", 50, "401", "450"),
        ("topics.microblog2011.txt", "TREC SGML", 50, "MB001", "MB050"),
        ("topics.robust05.txt", "TREC SGML", 50, "303", "689"),
        ("topics.terabyte06.801-850.txt", "TREC SGML", 50, "801", "850"),
        ("topics.trec02ar-ar.txt", "TREC SGML", 50, "AR26", "AR75"),
        ("topics.fire12hi.176-225.txt", "TREC SGML", 50, "176", "225"),
        ("topics.miracl-v1.0-ar-dev.tsv", "TSV", 2896, "0", "15511"),
        ("topics.miracl-v1.0-fa-dev.tsv", "TSV", 632, "5428682#0", "5174269#0"),
        ("topics.miracl-v1.0-zh-dev.tsv", "TSV", 393, "1719936#0", "5517620#0"),
        ("topics.dl20.txt", "TSV", 200, "1030303", "132622"),
        ("topics.clef06fr.mono.fr.txt", "TSV", 49, "301-AH", "350-AH"),
        ("topics.epidemic-qa.expert.primary.json", "JSON list", 30, "EQ101", "EQ130"),
    ],
)
def test_topic_files_of_every_dialect_are_read(data, name, form, count, first, last):
    file = read_topics(data / "topics" / name)
    ids = [topic.id for topic in file.topics]
    assert (file.format_name, len(ids), ids[0], ids[-1]) == (form, count, first, last)
    for topic in file.topics:
        assert topic.title
        assert not any(
            mark in topic.title + topic.description + topic.narrative
            for mark in ("<", "Number:", "Narrative:", "Description:")
        )


@pytest.mark.parametrize(
    "name",
    [
        "adhoc.51-100",
        "adhoc.401-450",
        "robust05",
        "terabyte06.801-850",
        "trec02ar-ar",
        "fire12hi.176-225",
    ],
)
def test_trec_topics_have_all_three_fields(data, name):
    assert all(
        topic.title and topic.description and topic.narrative
        for topic in read_topics(data / "topics" / f"topics.{name}.txt").topics
    )


def test_fields_of_old_topics_end_where_the_next_field_begins(data):
    file = read_topics(data / "topics" / "topics.adhoc.51-100.txt")
    topic = file.topics[0]
    assert topic.title == "Airbus Subsidies"
    assert topic.description.startswith("Document will discuss ")
    assert topic.description.endswith("issue of subsidies.")
    assert "Concept" not in topic.narrative
    (warning,) = file.warnings
    assert warning.key == "unread-fields"
    assert warning.values["named"] == "head, dom, smry, con, fac, def, nat, price, time"


def test_cacm_has_3204_pages_in_an_archive(data):
    path = data / "documents" / "cacm_html.tar.gz"
    warnings: list[str] = []
    documents = list(read_documents([path], warnings=warnings))
    assert [document.id for document in documents] == [
        f"CACM-{number:04}" for number in range(1, 3205)
    ]
    assert {document.kind for document in documents} == {"html"}
    form = recognise_document_format(path).split()
    assert (form[0], "tar" in form, warnings) == ("HTML", True, [])


def test_trec_documents_of_several_sources_are_read(data):
    trec = data / "documents" / "trec"
    ids = [
        document.id
        for name in ("collection1/segment1.txt", "collection2/trec1", "collection3")
        for document in read(trec / name)
    ]
    assert ids == [
        "AP-0001",
        "doc2",
        "TREC_DOC_1",
        "DOC222",
        "TREC_DOC_1.00001",
        "TREC_DOC_1.00002",
        "WSJ_1",
    ]
    journal = read(trec / "collection2" / "trec2")
    assert journal == [Document("WSJ_1", b"content", "head text")]


def test_cranfield_keeps_its_two_documents_without_text(data):
    documents = {
        document.id: document.text
        for document in read(data / "classic" / "cran" / "cran.all.1400.trec-format")
    }
    assert len(documents) == 1400
    assert documents["471"] == documents["995"] == ".A\n.B\n.W"


@pytest.mark.parametrize(
    ("name", "problem"),
    [("id_missing", "the record has no id"), ("contents_missing", "the record has no text")],
)
def test_json_without_id_or_text_is_refused_with_its_line(data, name, problem):
    with pytest.raises(FormatError, match=rf"^{name}.json, line 2: {problem}; expected one of"):
        read(data / "documents" / "json" / "collection_errors" / f"{name}.json")


def test_json_in_many_languages_is_read(data):
    files = [
        *sorted((data / "documents" / "mrtydi-1.1").glob("*/corpus.jsonl.gz")),
        data / "documents/json/collection_zh/segment1.json",
    ]
    assert len(files) == 12
    for path in files:
        documents = read(path)
        assert 3 <= len(documents) <= 4
        assert all(document.text and "\ufffd" not in document.text for document in documents)


def test_collections_of_json_lines_are_read(data):
    assert [document.id for document in read(data / "documents/beir-nfcorpus/corpus.jsonl")] == [
        "MED-10",
        "MED-14",
    ]
    russian = read(data / "documents/neuclir/collection/sample_rus_collection.jsonl")
    assert len(russian) == 4 and all(document.title for document in russian)
