"""Tests of runs and documents from a browser's recording of a search page (HAR)."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, Undecided
from irjudge.formats.rankings import parse_response_paths, read_engine_responses, read_run
from irjudge.formats.rankings.engine_responses import find_query_in_request

SECRET = "session=WXYZ-session-secret"
PATHS = parse_response_paths("hits=items,id=sku,query=q")


def entry(url: str, answer: object, body: object = None, *, coded: bool = False) -> dict[str, Any]:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    content = {"mimeType": "application/json", "text": text}
    if coded:
        content |= {"encoding": "base64", "text": base64.b64encode(text.encode()).decode()}
    named = [{"name": "Cookie", "value": SECRET}, {"name": "Authorization", "value": SECRET}]
    request: dict[str, Any] = {"url": url, "headers": named, "cookies": named}
    if body is not None:
        request["postData"] = {"text": body if isinstance(body, str) else json.dumps(body)}
    return {
        "request": request,
        "response": {"headers": named, "cookies": named, "content": content},
    }


def har(path: Path, *entries: object) -> Path:
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
    return path


ITEMS = {"items": [{"sku": "p1", "name": "Red shoe", "price": 30}, {"sku": "p2", "name": "Boot"}]}
ELASTIC = {"hits": {"hits": [{"_id": "e1", "_score": 2.5, "_source": {"title": "Hat"}}]}}
EMPTY = {"hits": {"hits": []}}
BODY = {"size": 5, "query": {"bool": {"must": [{"match": {"title": {"query": "blue hat"}}}]}}}


def test_responses_are_found_by_paths_and_by_engine(tmp_path: Path):
    path = har(
        tmp_path / "shop.har",
        entry("https://a.example/s?page=1&q=red+shoes", ITEMS),
        entry("https://a.example/logo.svg", "<svg/>"),
        entry("https://a.example/_search", ELASTIC, BODY, coded=True),
        entry("https://a.example/_search", EMPTY, "q=none+of+it"),
        entry("https://a.example/s?page=2&q=red%20shoes", {"items": [{"sku": "p3"}]}),
        entry("https://a.example/beacon", EMPTY),
    )
    responses = read_engine_responses(path, PATHS)
    assert responses is not None
    assert [query.text for query in responses.queries.values()] == [
        "red shoes",
        "blue hat",
        "none of it",
    ]
    assert [row[:2] for row in responses.ranking] == [("q1", "p1"), ("q1", "p2"), ("q2", "e1")]
    assert responses.documents["p1"] == {"name": "Red shoe", "price": "30"}
    assert {each.key for each in responses.warnings} >= {"answered-before", "no-query-found"}


def test_known_engines_need_no_paths(tmp_path: Path):
    run = read_run(har(tmp_path / "shop.har", entry("https://a.example/x?q=hat", ELASTIC)))
    assert (run.name, run.topics, run.document.to_pylist()) == ("shop", ("hat",), ["e1"])


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (
            {
                "bool": {
                    "filter": [{"term": {"status": "published"}}],
                    "minimum_should_match": "75%",
                    "must": [{"match": {"title": "blue hat"}}],
                }
            },
            "blue hat",
        ),
        (
            {"bool": {"must_not": {"match": {"t": "x"}}, "should": [{"match": {"t": "hat"}}]}},
            "hat",
        ),
        ({"multi_match": {"fields": ["title^2"], "type": "phrase", "query": "hat"}}, "hat"),
        ({"bool": {"filter": {"term": {"status": "published"}}}}, ""),
    ],
)
def test_the_query_of_a_request_is_in_no_filter(query: object, text: str):
    request = {"postData": {"text": json.dumps({"query": query})}}
    assert find_query_in_request(request) == text


def test_cookies_and_headers_are_never_stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = har(tmp_path / "shop.har", entry("https://a.example/s?q=red&token=t0ken", ITEMS))
    project = tmp_path / "a.irjudge"
    arguments = ["new", str(project), "--runs", str(path), "--paths", "hits=items,id=sku,query=q"]
    assert main(arguments) == 0
    content = b"".join(each.read_bytes() for each in tmp_path.iterdir() if each != path)
    assert b"Red shoe" in content
    for secret in (SECRET, "WXYZ-session", "t0ken", "Authorization"):
        assert secret.encode() not in content
        assert secret not in "".join(capsys.readouterr())


def test_unknown_responses_need_paths(tmp_path: Path):
    with pytest.raises(Undecided) as caught:
        read_engine_responses(har(tmp_path / "a.har", entry("https://a.example/s?q=red", ITEMS)))
    assert caught.value.options == ("paths",) and "items" in str(caught.value)


@pytest.mark.parametrize(
    "log",
    [
        {"entries": {}},
        {"entries": [1, None, {"request": 1}, {"response": {"content": []}}]},
        {"entries": [entry("https://[", "{" * 50_000)]},
        {
            "entries": [
                {"request": {}, "response": {"content": {"text": "é", "encoding": "base64"}}}
            ]
        },
        {"entries": [entry("x?" + "a=1&" * 5000, ITEMS)]},
        {},
    ],
)
def test_hostile_files_give_one_error(tmp_path: Path, log: dict[str, Any]):
    (tmp_path / "a.har").write_text(json.dumps({"log": log}))
    for paths in (None, PATHS):
        with pytest.raises(FormatError):
            read_engine_responses(tmp_path / "a.har", paths)


def test_a_filter_is_not_the_query_of_a_request() -> None:
    query = {
        "bool": {
            "filter": [{"term": {"status": "published"}}],
            "must": [{"match": {"title": "blue hat"}}],
        }
    }
    request = {"url": "https://a.example", "postData": {"text": json.dumps({"query": query})}}
    assert find_query_in_request(request) == "blue hat"
    del query["bool"]["must"]
    request["postData"] = {"text": json.dumps({"query": query})}
    assert find_query_in_request(request) == ""
