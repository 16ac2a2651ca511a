"""Tests of saved responses of search engines: a run and documents in one step.

The responses follow their owners' documentation, with invented products: Elasticsearch and
OpenSearch, `_search` and `_msearch` (hits.hits, responses); Apache Solr Reference Guide 9, Response
Writers and Result Grouping; Vespa, Default JSON Result Format
(docs.vespa.ai/en/reference/default-result-format.html); Meilisearch, Ranking score and Multi-search
(meilisearch.com/docs); Typesense, SearchResult of its OpenAPI document 27.0; Algolia, Understand
the API response (algolia.com/doc); Quepid's snapshots, `snapshotHeaderToCSV` of caseCSVSvc in
o19s/quepid.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats import classify_rankings, preview_files
from irjudge.formats.collections import read_documents, recognise_document_format
from irjudge.formats.rankings import parse_response_paths, read_engine_responses, read_run
from irjudge.store import open_project
from tests.messages import keys_and_values

ELASTIC = {
    "took": 3,
    "timed_out": False,
    "hits": {
        "total": {"value": 2, "relation": "eq"},
        "max_score": 3.5,
        "hits": [
            {
                "_index": "shop",
                "_id": "B1",
                "_score": 3.5,
                "_source": {"title": "Red shoe", "price": 12.5, "brand": "Nordwind"},
            },
            {
                "_index": "shop",
                "_id": "B2",
                "_score": 1.25,
                "_source": {"title": "Blue shoe", "tags": ["shoe", "blue"], "more": {"a": 1}},
            },
        ],
    },
}
SOLR = {
    "responseHeader": {
        "status": 0,
        "QTime": 2,
        "params": {"q": "red shoes", "fl": "*,score", "wt": "json"},
    },
    "response": {
        "numFound": 2,
        "start": 0,
        "maxScore": 3.5,
        "docs": [
            {
                "id": "B1",
                "name": ["Red shoe"],
                "price": 12.5,
                "brand": "Nordwind",
                "_version_": 17,
                "score": 3.5,
            },
            {"id": "B2", "name": ["Blue shoe"], "score": 1.25},
        ],
    },
}
GROUPED = {
    "responseHeader": {
        "status": 0,
        "params": {"q": "red shoes", "group": "true", "group.field": "brand"},
    },
    "grouped": {
        "brand": {
            "matches": 2,
            "groups": [
                {
                    "groupValue": "x",
                    "doclist": {
                        "numFound": 1,
                        "start": 0,
                        "docs": [{"id": "B1", "name": "Red shoe"}],
                    },
                },
                {
                    "groupValue": "y",
                    "doclist": {
                        "numFound": 1,
                        "start": 0,
                        "docs": [{"id": "B2", "name": "Blue shoe"}],
                    },
                },
            ],
        }
    },
}
VESPA = {
    "root": {
        "id": "toplevel",
        "relevance": 1.0,
        "fields": {"totalCount": 2},
        "coverage": {"coverage": 100},
        "children": [
            {
                "id": "index:shop/0/1",
                "relevance": 3.5,
                "source": "shop",
                "fields": {"documentid": "B1", "title": "Red shoe", "price": 12.5},
            },
            {
                "id": "index:shop/0/2",
                "relevance": 1.25,
                "source": "shop",
                "fields": {"documentid": "B2", "title": "Blue shoe"},
            },
        ],
    }
}
MEILI = {
    "hits": [
        {
            "id": "B1",
            "title": "Red shoe",
            "price": 12.5,
            "_rankingScore": 0.95,
            "_formatted": {"title": "<em>Red</em> shoe"},
        },
        {"id": "B2", "title": "Blue shoe", "_rankingScore": 0.81},
    ],
    "query": "red shoes",
    "processingTimeMs": 1,
    "limit": 20,
    "offset": 0,
    "estimatedTotalHits": 2,
}
TYPESENSE = {
    "facet_counts": [],
    "found": 2,
    "hits": [
        {
            "document": {"id": "B1", "title": "Red shoe", "price": 12.5},
            "highlights": [],
            "text_match": 578730123365187705,
        },
        {
            "document": {"id": "B2", "title": "Blue shoe"},
            "highlights": [],
            "text_match": 578730054645710969,
        },
    ],
    "out_of": 9,
    "page": 1,
    "request_params": {"collection_name": "shop", "per_page": 10, "q": "red shoes"},
    "search_time_ms": 1,
}
ALGOLIA = {
    "hits": [
        {
            "title": "Red shoe",
            "price": 12.5,
            "objectID": "B1",
            "_highlightResult": {"title": {"value": "<em>Red</em> shoe"}},
        },
        {"title": "Blue shoe", "objectID": "B2"},
    ],
    "page": 0,
    "nbHits": 2,
    "nbPages": 1,
    "hitsPerPage": 20,
    "processingTimeMS": 1,
    "query": "red shoes",
}
SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,title,price\n"
    "May,2026-05-02T10:00:00Z,7,red shoes,B2,2,Blue shoe,\n"
    "May,2026-05-02T10:00:00Z,7,red shoes,B1,1,Red shoe,12.5\n"
    "May,2026-05-02T10:00:00Z,7,hat,,,,\n"
)
ENGINES: dict[str, Any] = {
    "elasticsearch or opensearch": ELASTIC,
    "solr": SOLR,
    "solr ": GROUPED,
    "vespa": VESPA,
    "meilisearch": MEILI,
    "typesense": TYPESENSE,
    "algolia": ALGOLIA,
}


@pytest.fixture(autouse=True)
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write_responses(name: str, *answers: Any) -> Path:
    path = Path(name)
    path.write_text(
        "\n".join(each if isinstance(each, str) else json.dumps(each) for each in answers),
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("engine", ENGINES)
def test_a_response_gives_a_run_and_documents_with_fields(
    engine: str,
) -> None:
    path = write_responses("red shoes.json", ENGINES[engine])
    run = read_run(path)
    assert (run.topics, run.document.to_pylist()) == (("red shoes",), ["B1", "B2"])
    assert run.score[0] > run.score[1] and engine.strip() in run.warnings[0].lower()
    answers = read_engine_responses(path)
    assert answers is not None
    title = next(name for name in ("title", "name") if name in answers.documents["B1"])
    assert (
        answers.documents["B1"][title] == "Red shoe"
        and answers.documents["B2"][title] == "Blue shoe"
    )
    assert engine == "solr " or answers.documents["B1"]["price"] == "12.5"
    assert [
        name
        for fields in answers.documents.values()
        for name in fields
        if name.startswith("_") or name == "score"
    ] == []


def test_scores_are_the_engine_s_if_they_match_the_order_of_hits() -> None:
    assert read_run(write_responses("red shoes.json", ELASTIC)).score.tolist() == [3.5, 1.25]
    by_price = json.loads(json.dumps(ELASTIC))
    for hit in by_price["hits"]["hits"]:
        hit["_score"] = None  # as for hits sorted by a field
    run = read_run(write_responses("cheap.json", by_price))
    assert run.score.tolist() == [2.0, 1.0]
    assert keys_and_values(run.warnings, "count")[1] == ("ranked-as-listed", "1")
    ties = json.loads(json.dumps(ELASTIC))
    ties["hits"]["hits"][1]["_score"] = 3.5
    assert read_run(write_responses("ties.json", ties)).score.tolist() == [2.0, 1.0]


def test_lines_of_queries_and_responses_are_one_run() -> None:
    lines = [
        {"query": "red shoes", "response": ELASTIC},
        {"query": "hat", "response": {"hits": {"hits": []}}},
    ]
    answers = read_engine_responses(write_responses("bm25.jsonl", *lines))
    assert answers is not None
    assert [each.text for each in answers.queries.values()] == ["red shoes", "hat"]
    assert answers.ranking == [("q1", "B1", 3.5), ("q1", "B2", 1.25)]


def test_one_file_may_have_responses_to_several_queries() -> None:
    other = {**ALGOLIA, "query": "blue shoes"}
    run = read_run(write_responses("multi.json", {"results": [ALGOLIA, other]}))
    assert run.topics == ("red shoes", "blue shoes")
    assert read_run(write_responses("ask.json", {"responses": [ELASTIC, ELASTIC]})).topics == (
        "ask-1",
        "ask-2",
    )


def test_a_folder_has_one_response_per_query(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path("bm25")
    folder.mkdir()
    write_responses("bm25/red%20shoes.json", ELASTIC)
    write_responses("bm25/hat.json", ELASTIC)
    (folder / "notes.txt").write_text("nothing")
    run = read_run(folder)
    assert (run.name, run.topics) == ("bm25", ("hat", "red shoes"))
    assert "notes.txt" in " ".join(run.warnings)
    (preview,) = preview_files("runs", [folder]).summaries
    assert preview == "bm25: documents retrieved: 4; topics: 2"
    assert classify_rankings([folder]).runs == (folder,)
    write_responses("bm25/strange.json", {"error": "none"})
    with pytest.raises(FormatError) as refused:
        read_run(folder)
    assert (refused.value.key, refused.value.path.name) == ("other-answer", "bm25")
    assert refused.value.values["name"] == "strange.json"


def test_a_quepid_snapshot_is_ranked_by_its_positions() -> None:
    answers = read_engine_responses(write_responses("snapshot.csv", SNAPSHOT))
    assert answers is not None and answers.format_name == "a Quepid snapshot"
    assert [document for _, document, _ in answers.ranking] == ["B1", "B2"]
    assert answers.documents == {
        "B1": {"title": "Red shoe", "price": "12.5"},
        "B2": {"title": "Blue shoe"},
    }
    assert [each.text for each in answers.queries.values()] == ["red shoes", "hat"]
    with pytest.raises(FormatError, match="contains several snapshots"):
        read_run(
            write_responses("two.csv", SNAPSHOT + "June,2026-06-02T10:00:00Z,7,hat,B3,1,Hat,\n")
        )
    with pytest.raises(FormatError) as refused:
        read_run(
            write_responses("odd.csv", SNAPSHOT + "May,2026-06-02T10:00:00Z,7,hat,B3,x,Hat,\n")
        )
    assert (refused.value.key, refused.value.line) == ("not-a-position", 5)
    assert refused.value.values["cell"] == "'x'"


def test_user_defined_paths_read_unknown_responses() -> None:
    path = write_responses(
        "red.json",
        {
            "result": {
                "items": [
                    {"key": "B1", "rank": 3, "about": {"title": "Red"}},
                    {"key": "B2", "rank": 2},
                ]
            }
        },
    )
    with pytest.raises(IrjudgeError):
        read_run(path)
    answers = read_engine_responses(
        path, parse_response_paths("hits=result.items, id=key, score=rank, fields=about")
    )
    assert answers is not None
    assert (answers.ranking, answers.documents) == (
        [("q1", "B1", 3.0), ("q1", "B2", 2.0)],
        {"B1": {"title": "Red"}},
    )
    with pytest.raises(FormatError, match="--paths") as refused:
        read_engine_responses(path, parse_response_paths("hits=items,id=key"))
    assert refused.value.key == "no-hits"
    for invalid in ("hits=a", "id=b", "hits=a,id=b,nope=c", "hits"):
        with pytest.raises(IrjudgeError) as refused:
            parse_response_paths(invalid)
        assert refused.value.key == "not-paths"


def test_two_responses_to_one_query_are_refused() -> None:
    with pytest.raises(FormatError) as refused:
        read_run(write_responses("twice.jsonl", *[{"query": "red shoes", "response": ELASTIC}] * 2))
    assert (refused.value.key, refused.value.values["text"]) == ("two-answers", "'red shoes'")


def test_runs_documents_and_topics_are_imported_together(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_responses("solr.json", SOLR)
    write_responses(
        "bm25.jsonl",
        {"query": "hat", "response": ELASTIC},
        {"query": "red  shoes", "response": ELASTIC},
    )
    assert main(["new", "p.irjudge", "--runs", "solr.json", "bm25.jsonl"]) == 0
    with open_project(Path("p.irjudge")) as project:
        assert project.collection.topic_titles() == {"q1": "red shoes", "q2": "hat"}
        assert project.rankings.run("bm25").topics == ("q2", "q1")
        document = project.collection.document("B1")
        assert (document.title, document.text, document.fields) == (
            "Red shoe",
            "",
            (("price", "12.5"), ("brand", "Nordwind")),
        )
    write_responses("own.json", {"items": [{"key": "C1"}]})
    assert main(["import", "p.irjudge", "--runs", "own.json", "--paths", "hits=items,id=key"]) == 0
    with open_project(Path("p.irjudge")) as project:
        assert project.rankings.run("own").document.to_pylist() == ["C1"]


def test_ratings_and_responses_are_matched_by_query_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_responses("ratings.csv", "query,docid,rating\nred shoes,B2,3\n")
    write_responses("solr.json", SOLR)
    assert main(["evaluate", "ratings.csv", "solr.json", "-m", "RR", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "solr,RR,all,0.5"


def test_bulk_lines_are_documents() -> None:
    path = write_responses(
        "bulk.ndjson",
        {"index": {"_index": "shop", "_id": "B1"}},
        {"name": "Red shoe", "price": 12.5, "brand": "Nordwind"},
        {"delete": {"_index": "shop", "_id": "B9"}},
        {"update": {"_id": "B2"}},
        {"doc": {"title": "Blue shoe"}},
        {"create": {"_id": "B3"}},
        {"text": "A hat"},
    )
    assert recognise_document_format(path) == "lines of a _bulk request"
    read = list(read_documents([path], warnings=[]))
    assert [(each.id, each.title, each.text, each.fields) for each in read] == [
        ("B1", "Red shoe", "", (("price", "12.5"), ("brand", "Nordwind"))),
        ("B2", "Blue shoe", "", ()),
        ("B3", "", "A hat", ()),
    ]
    for path, key in (
        (write_responses("no.ndjson", {"index": {}}, {"a": "b"}), "no-action-id"),
        (write_responses("end.ndjson", {"index": {"_id": "B1"}}), "no-source"),
    ):
        with pytest.raises(FormatError) as refused:
            list(read_documents([path], warnings=[]))
        assert (refused.value.key, refused.value.line) == (key, 1)


def make_hits(*scores: float) -> dict[str, Any]:
    hits = [{"_id": f"d{number}", "_score": score} for number, score in enumerate(scores, 1)]
    return {"hits": {"hits": hits}}


def test_equal_scores_are_in_descending_order(tmp_path: Path) -> None:
    (tmp_path / "tea.json").write_text(json.dumps(make_hits(1.0, 1.0)))
    run = read_run(tmp_path / "tea.json")
    assert run.score.tolist() == [2.0, 1.0]
    assert "ranked-as-listed" not in [getattr(warning, "key", "") for warning in run.warnings]


def test_failed_responses_are_reported_and_the_others_are_read(tmp_path: Path) -> None:
    responses = [make_hits(2.0), {"error": {"type": "parsing_exception"}, "status": 400}]
    (tmp_path / "m.json").write_text(json.dumps({"responses": responses}))
    run = read_run(tmp_path / "m.json")
    assert (run.topics, run.document.to_pylist()) == (("m-1",), ["d1"])
    assert "failed-response" in [getattr(warning, "key", "") for warning in run.warnings]


def test_an_id_beside_a_query_is_reported_as_ignored(tmp_path: Path) -> None:
    line = {"qid": "401", "query": "tea", "response": make_hits(2.0)}
    (tmp_path / "a.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(line | {"query": "b"}))
    run = read_run(tmp_path / "a.jsonl")
    assert any("qid" in warning for warning in run.warnings)
