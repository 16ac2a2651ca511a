"""Tests of Quepid's snapshots, case details, and books with text fields."""

import json
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.judgments import read_ratings
from irjudge.formats.rankings import read_qrels, read_run

SNAPSHOT = {
    "id": 1,
    "docs": {
        "7": [{"id": "p1", "explain": "x" * 100_000}, {"id": "p0", "fields": {"title": "T"}}],
        "8": [],
    },
    "queries": [
        {"query_id": 7, "query_text": "red shoes", "ratings": {"p0": 3.0, "p1": 0.0}},
        {"query_id": 8, "query_text": "blue hat", "ratings": {}},
    ],
}
DETAIL = (
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
    'T,C,7,red shoes,p1,2,"A, b",\nT,C,7,red shoes,p0,1,T,3\nT,C,7,blue hat,p2,1,H,0\n'
)


def test_a_snapshot_has_ratings_and_rankings(tmp_path: Path):
    path = tmp_path / "s.json"
    path.write_text(json.dumps(SNAPSHOT))
    assert list(read_qrels(path).rows()) == [("q1", "p0", 3), ("q1", "p1", 0)]
    run = read_run(path)
    assert (run.topics, run.document.to_pylist()) == (("red shoes", "blue hat"), ["p1", "p0"])
    assert run.empty_topics == ("blue hat",)
    ratings = read_ratings(path)
    assert ratings is not None and ratings.documents == {"p0": {"title": "T"}}


def test_a_snapshot_whose_documents_name_no_query_is_refused(tmp_path: Path):
    path = tmp_path / "s.json"
    path.write_text(json.dumps({**SNAPSHOT, "docs": {"9": [{"id": "p1"}]}}))
    with pytest.raises(FormatError) as caught:
        read_run(path)
    assert caught.value.key == "unexpected-value"


def test_details_of_a_case_have_ratings_and_positions(tmp_path: Path):
    path = tmp_path / "d.csv"
    path.write_text(DETAIL)
    qrels = read_qrels(path)
    assert list(qrels.rows()) == [("q1", "p0", 3), ("q2", "p2", 0)]
    assert [each.key for each in qrels.warnings] == ["read-as-ratings", "without-rating"]
    run = read_run(path)
    assert run.document.to_pylist() == ["p0", "p1", "p2"]
    assert run.topics == ("red shoes", "blue hat")


@pytest.mark.parametrize(
    ("fields", "read"), [('{"title": "Shoe"}', True), ("no JSON", False), ("[1]", False)]
)
def test_text_fields_of_a_book_are_parsed(tmp_path: Path, fields: str, read: bool):
    pair = {"query_text": "red", "doc_id": "p1", "document_fields": fields, "judgements": []}
    path = tmp_path / "b.json"
    path.write_text(json.dumps({"name": "b", "query_doc_pairs": [pair]}))
    if read:
        ratings = read_ratings(path)
        assert ratings is not None and ratings.documents == {"p1": {"title": "Shoe"}}
        return
    with pytest.raises(FormatError) as caught:
        read_ratings(path)
    assert caught.value.key == "unexpected-value"


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param('gulls,"d2,2\ntall ships,d1,3\nx,"d4,0\n', id="around a document"),
        pytest.param('"gulls,d2,2\ntall ships,d1,3\n"x,d4,0\n', id="around a query"),
        pytest.param('gulls,"d2,2\ntall ships,d1,3\n', id="up to the end"),
    ],
)
def test_a_quotation_mark_in_a_cell_does_not_join_rows(tmp_path: Path, rows: str):
    path = tmp_path / "c.csv"
    path.write_text(f"query,docid,rating\n{rows}")
    with pytest.raises(FormatError) as caught:
        read_qrels(path)
    assert (caught.value.key, caught.value.values["line"]) == ("not-csv", "2")
