"""Tests of MS MARCO top 1000: one file of documents, topics and a ranking."""

from pathlib import Path

import pytest

from irjudge.formats.collections import read_documents, read_topics, recognise_document_format
from irjudge.formats.rankings import read_run
from irjudge.model import Document, Topic
from tests.messages import keys_and_values


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "top1000.dev"
    path.write_text(
        "7\t90\twhat are tides\tTides rise.\n7\t12\twhat are tides\tTides fall.\n8\t90\tports\tTides rise.\n"
    )
    return path


def test_each_passage_is_a_document_once(path):
    warnings: list[str] = []
    assert list(read_documents([path], warnings=warnings)) == [
        Document("90", b"Tides rise."),
        Document("12", b"Tides fall."),
    ]
    assert (recognise_document_format(path), warnings) == ("MS MARCO top 1000", [])


def test_each_query_is_a_topic_once(path):
    file = read_topics(path)
    assert (file.topics, file.warnings) == ((Topic("7", "what are tides"), Topic("8", "ports")), ())


def test_the_order_is_the_ranking(path):
    run = read_run(path)
    assert (run.topics, run.document.to_pylist(), run.score.tolist()) == (
        ("7", "8"),
        ["90", "12", "90"],
        [2.0, 1.0, 1.0],
    )
    assert keys_and_values(run.warnings, "file", "form") == [
        ("read-as", "top1000.dev", "MS MARCO top 1000")
    ]
    assert run.warnings[0].values["order"].key == "file-order"


def test_ms_marco_documents_and_tabbed_qrels_are_not_top_passages(tmp_path):
    (path := tmp_path / "docs.tsv").write_text("D1\thttp://a\tt\tthe body\n")
    assert recognise_document_format(path) == "TSV"
    (path := tmp_path / "a.run").write_text("1\tQ0\td1\t1\t2.5\tt\n")
    assert read_run(path).score.tolist() == [2.5]
