"""Tests that an id column is preferred to the column with the text of the query or document."""

import csv
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import irjudge
from irjudge.formats.judgments import (
    read_judgments,
    read_labels,
    read_model_labels,
    read_preferences,
)
from irjudge.formats.rankings import read_auxiliary_table, read_qrels, read_run
from irjudge.formats.reader_warnings import IGNORED_ID
from irjudge.formats.rows import parse_columns
from irjudge.message import Message

TOPIC_IDS = ("qid", "query_id", "topic_id")
DOCUMENT_IDS = ("docno", "docid", "doc_id")
IDS = [("q1", "d1"), ("q1", "d2"), ("q2", "d1")]
TEXTS = [("old ships", "A ship."), ("old ships", "A boat."), ("new cars", "A ship.")]


def template(warning: str) -> str:
    """Return the template of the message after the file name."""
    values = warning.values.values() if isinstance(warning, Message) else ()
    return next((each.template for each in values if isinstance(each, Message)), "")


def write_csv(path: Path, header: list[str], rows: list[list[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def rows_with(*further: list[str]) -> list[list[str]]:
    """Return rows that have texts first and ids after them, then further cells."""
    return [
        [*text, *ids, *cells]
        for text, ids, cells in zip(TEXTS, IDS, zip(*further, strict=True), strict=True)
    ]


HEADERS = [
    [topic_text, document_text, topic_id, document_id]
    for topic_text, topic_id in zip(("query", "topic", "query"), TOPIC_IDS, strict=True)
    for document_text in ("document", "doc")
    for document_id in DOCUMENT_IDS
]


@pytest.mark.parametrize("header", HEADERS, ids="-".join)
def test_tables_of_every_kind_are_read_by_their_ids(tmp_path, header):
    path = write_csv(tmp_path / "a.csv", [*header, "relevance"], rows_with(["2", "0", "1"]))
    graded = [(*ids, grade) for ids, grade in zip(IDS, (2, 0, 1), strict=True)]
    assert list(read_qrels(path).rows()) == graded
    assert [(each.topic, each.document, each.grade) for each in read_model_labels(path).labels] == (
        graded
    )
    path = write_csv(
        tmp_path / "b.csv",
        [*header, "assessor", "label"],
        rows_with(["ann", "ann", "bob"], ["2", "0", "1"]),
    )
    assert [(row.topic, row.document) for row in read_judgments(path).rows] == IDS
    assert list(read_labels(path).pairs or ()) == IDS
    path = write_csv(tmp_path / "c.csv", [*header, "score"], rows_with(["3", "2", "1"]))
    run = read_run(path)
    assert run.topics == ("q1", "q2")
    assert run.document.to_pylist() == ["d1", "d2", "d1"]


@pytest.mark.parametrize("topic_id", TOPIC_IDS)
def test_preferences_are_read_by_topic_id(tmp_path, topic_id):
    path = write_csv(
        tmp_path / "a.csv",
        ["query", topic_id, "assessor", "left", "right", "winner"],
        [["old ships", "q1", "ann", "d1", "d2", "left"]],
    )
    assert read_preferences(path).topics == ("q1",)


def test_nuggets_are_read_by_topic_id(tmp_path):
    path = write_csv(
        tmp_path / "a.csv",
        ["query", "topic", "qid", "nugget", "importance", "assignment"],
        [["old ships", "ships", "q1", "n1", "vital", "support"]],
    )
    assert read_auxiliary_table(path, "nuggets").columns["topic"] == ["q1"]


@pytest.mark.parametrize("suffix", [".xlsx", ".parquet", ".tsv"])
def test_the_format_of_a_table_does_not_matter(tmp_path, suffix):
    header = ["query", "docid", "qid", "docno", "score", "rank"]
    rows = [["old ships", 7, 401, "d1", 9.5, 0], ["new cars", 8, 402, "d4", 6.5, 0]]
    path = tmp_path / f"a{suffix}"
    if suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in [header, *rows]:
            book.active.append(row)
        book.save(path)
    elif suffix == ".parquet":
        pyarrow.parquet.write_table(
            pa.table(dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))), path
        )
    else:
        path.write_text(
            "".join("\t".join(map(str, row)) + "\n" for row in [header, *rows]), encoding="utf-8"
        )
    run = read_run(path)
    assert (run.topics, run.document.to_pylist()) == (("401", "402"), ["d1", "d4"])
    assert any(IGNORED_ID.one == template(warning) for warning in run.warnings)


def test_a_data_frame_is_read_by_its_ids():
    frame = pd.DataFrame(
        {"topic": ["a"], "document": ["x"], "docid": [5], "q_id": ["401"], "score": [1.0]}
    )
    run = irjudge.read_run(frame)
    assert (run.topics, run.document.to_pylist()) == (("401",), ["5"])


def test_json_lines_are_read_by_their_ids(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"query": "b", "query_id": "q2", "doc": "t", "docno": "d4", "relevance": 1}\n'
        '{"query": "a", "query_id": "q1", "doc": "t", "docno": "d1", "relevance": 3}\n',
        encoding="utf-8",
    )
    qrels = read_qrels(path)
    assert list(qrels.rows()) == [("q2", "d4", 1), ("q1", "d1", 3)]
    assert qrels.titles == ("b", "a")


def test_numeric_ids_are_not_the_ratings_of_a_judge(tmp_path):
    """Quepid's book also begins with query and docid and has numbers in every further column."""
    path = write_csv(
        tmp_path / "a.csv",
        ["query", "docid", "qid", "docno", "relevance"],
        [["old ships", "7", "401", "1", "2"], ["new cars", "8", "402", "4", "1"]],
    )
    assert list(read_qrels(path).rows()) == [("401", "1", 2), ("402", "4", 1)]


@pytest.mark.parametrize(
    ("header", "ignored"),
    [
        (["qid", "docid", "docno", "relevance"], "docid"),
        (["query", "docno", "query_no", "relevance"], "query_no"),
        (["topic", "document", "product_id", "relevance"], "product_id"),
        (["topic", "document", "session_id", "relevance"], None),
        (["qid", "docno", "query", "relevance"], None),
    ],
)
def test_an_ignored_column_that_looks_like_an_id_is_reported(tmp_path, header, ignored):
    path = write_csv(tmp_path / "a.csv", header, [["q1", "d1", "x", "1"]])
    warnings = [each for each in read_qrels(path).warnings if template(each) == IGNORED_ID.one]
    assert len(warnings) == bool(ignored)
    if ignored:
        assert ignored in warnings[0]


def test_a_column_that_the_user_maps_needs_no_warning(tmp_path):
    path = write_csv(tmp_path / "a.csv", ["qid", "docid", "docno", "rel"], [["1", "7", "d", "1"]])
    columns = parse_columns("document=docid", ("document",))
    qrels = read_qrels(path, columns=columns)
    assert list(qrels.rows()) == [("1", "7", 1)]
    assert not any(template(each) == IGNORED_ID.one for each in qrels.warnings)


def test_labels_report_an_ignored_id(tmp_path):
    path = write_csv(
        tmp_path / "a.csv",
        ["qid", "docid", "docno", "worker", "label"],
        [["1", "7", "d", "ann", "1"], ["1", "7", "d", "bob", "1"]],
    )
    assert any(template(each) == IGNORED_ID.one for each in read_labels(path).warnings)
