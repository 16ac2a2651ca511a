"""Tests of User Behavior Insights of OpenSearch: queries and events by schema 1.3.

They may be plain or for `_bulk`, in one file or several. The fields are those of
github.com/opensearch-project/user-behavior-insights and of the sample in
opensearch-project/search-relevance, src/test/data-esci; the content is invented.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import FormatError
from irjudge.formats import read_log, read_shown_results
from irjudge.logs import LogOptions, clicks_over_expected, compute_online_measures


def query(
    id: str, text: str = "tea", *, second: int = 0, hits: list[str] | None = None, **more: Any
) -> dict[str, Any]:
    made = {
        "application": "shop",
        "query_id": id,
        "client_id": "c1",
        "user_query": text,
        "timestamp": f"2026-01-31T13:05:{second:02}Z",
    }
    return made | ({} if hits is None else {"query_response_hit_ids": hits}) | more


def event(
    action: str, id: str, document: str = "", ordinal: int | None = None, **more: Any
) -> dict[str, Any]:
    attributes = {
        "object": {"object_id": document, "object_id_field": "sku"},
        "position": {"ordinal": ordinal},
    }
    made = {
        "application": "shop",
        "action_name": action,
        "query_id": id,
        "session_id": "s1",
        "client_id": "c1",
    }
    return made | {"timestamp": "2026-01-31T13:06:00Z", "event_attributes": attributes} | more


def write_log(path: Path, *rows: dict[str, Any], bulk: bool = False) -> Path:
    lines = [
        line
        for row in rows
        for line in ([{"index": {"_index": "ubi_queries"}}] if bulk else []) + [row]
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


ROWS = (
    query("1", hits=["a", "b", "c"]),
    query("2", "coffee", second=9, hits=[]),
    event("impression", "1", "a", 1),
    event("impression", "1", "b", 2),
    event("click", "1", "b", 2),
    event("add_to_cart", "1", "b", 2),
    event("scroll", "1"),
    event("on_load", "9"),
)


def counts(path: Path) -> dict[str, tuple[Any, Any]]:
    return {
        row.measure: (row.count, row.total)
        for row in compute_online_measures(read_log(path), LogOptions(rank=2)).rows
    }


@pytest.mark.parametrize("bulk", [False, True])
def test_a_log_has_the_measures_worked_by_hand(tmp_path: Path, bulk: bool) -> None:
    """Query 1 returned three results, of which the second was clicked and bought.

    Query 2 returned none, without clicks.
    """
    path = write_log(tmp_path / "ubi.ndjson", *ROWS, bulk=bulk)
    result = counts(path)
    assert result["NumQueries"] == (2, None) and result["NumClicks"] == (1, None)
    assert result["CTR"] == (1, 3) and result["CTR@1"] == (0, 1) and result["CTR@2"] == (1, 1)
    assert result["ZeroResults"] == (1, 2) and result["QueryAbandonment"] == (1, 2)
    log = read_log(path)
    assert log.acted.tolist() == [True, False] and log.rank.tolist() == [2] and log.sessions == 2
    records, events, lost = (re.findall(r"\d+", each) for each in log.warnings[:3])
    assert records == ["2", "2", "6"]  # records, queries, events
    assert events == ["2", "1", "1", "2", "1", "1"]  # impressions, clicks, acts, others
    assert lost == ["0", "1"]  # queries that events name, and others
    assert "scroll 1, on_load 1" in log.warnings[1]


def test_queries_and_events_may_be_in_separate_files_in_any_order(tmp_path: Path) -> None:
    whole = counts(write_log(tmp_path / "whole.ndjson", *ROWS))
    (folder := tmp_path / "log").mkdir()
    write_log(folder / "a_events.ndjson", *ROWS[:1:-1])
    write_log(folder / "b_queries.ndjson", *ROWS[1::-1], bulk=True)
    assert counts(folder) == whole


def test_an_ordinal_0_makes_ordinals_of_its_application_zero_based(tmp_path: Path) -> None:
    other = {"application": "site"}
    rows = (
        query("1"),
        event("impression", "1", "a", 0),
        event("impression", "1", "b", 1),
        event("click", "1", "b", 1),
        query("2", **other),
        event("click", "2", "b", 1, **other),
    )
    log = read_log(write_log(tmp_path / "ubi.ndjson", *rows))
    assert log.rank.tolist() == [2, 1]
    assert any("shop at 0, site at 1" in warning for warning in log.warnings)


@pytest.mark.parametrize("application_of_events", ["", "widget"])
def test_ordinals_belong_to_the_application_of_the_query_in_any_order_of_lines(
    tmp_path: Path, application_of_events: str
) -> None:
    named = {"application": application_of_events}
    queries = query("1", hits=["a", "b"]), query("2", hits=["a", "c"])
    events = (
        event("impression", "1", "a", 0, **named),
        event("impression", "1", "b", 1, **named),
        event("click", "1", "a", 0, **named),
        event("click", "2", "c", 1, **named),
    )
    for rows in (queries + events, events + queries):
        log = read_log(write_log(tmp_path / "ubi.ndjson", *rows))
        assert (log.shown.tolist(), log.rank.tolist()) == ([2, 2], [1, 2])
        assert any("shop at 0." in warning for warning in log.warnings)


def test_a_row_with_results_and_a_session_is_not_an_event(tmp_path: Path) -> None:
    row = {
        "session_id": "s",
        "query_id": "q1",
        "user_query": "tea",
        "results": ["a", "b"],
        "clicks": [{"document": "b"}],
    }
    log = read_log(write_log(tmp_path / "log.jsonl", row))
    assert (log.shown.tolist(), log.rank.tolist()) == ([2], [2])


def test_results_and_clicks_in_a_query_record_are_reported_as_ignored(tmp_path: Path) -> None:
    log = read_log(write_log(tmp_path / "log.jsonl", query("1"), query("2", clicks=[{"rank": 1}])))
    assert any("clicks" in warning for warning in log.warnings[2:])


def test_a_click_without_an_ordinal_has_the_rank_of_its_document(tmp_path: Path) -> None:
    rows = (
        query("1", hits=["a", "b"]),
        event("click", "1", "b"),
        query("2"),
        event("impression", "2", "z", 4),
        event("click", "2", "z"),
    )
    assert read_log(write_log(tmp_path / "ubi.ndjson", *rows)).rank.tolist() == [2, 4]


def test_a_document_that_a_query_shows_twice_keeps_the_ranks_of_the_others(tmp_path: Path) -> None:
    rows = (query("1", hits=["a", "a", "b"]), query("1", hits=["b", "c"]), event("click", "1", "c"))
    log = read_log(write_log(tmp_path / "ubi.ndjson", *rows))
    assert (log.shown.tolist(), log.rank.tolist()) == ([4], [4])


def test_displayed_results_are_identified_by_query_and_document(tmp_path: Path) -> None:
    results, _ = read_shown_results(write_log(tmp_path / "ubi.ndjson", *ROWS))
    rows = clicks_over_expected(results).rows
    assert [(row.query, row.document, row.impressions, row.clicks) for row in rows] == [
        ("tea", "a", 1, 0),
        ("tea", "b", 1, 1),
    ]
    with pytest.raises(FormatError) as refused:
        read_shown_results(write_log(tmp_path / "none.ndjson", query("1")))
    assert refused.value.key == "no-results"


def test_without_impressions_the_hits_are_the_displayed_results(tmp_path: Path) -> None:
    rows = query("1", hits=["a", "b"]), event("click", "1", "b")
    results, _ = read_shown_results(write_log(tmp_path / "ubi.ndjson", *rows))
    assert (results.rank.tolist(), results.has_click.tolist()) == ([1, 2], [False, True])
    rows = *rows, query("2", hits=["a", "b"]), event("impression", "2", "a", 1)
    results, _ = read_shown_results(write_log(tmp_path / "both.ndjson", *rows))
    assert list(results.documents) == ["a"]


def test_hits_of_a_query_without_an_application_may_not_have_been_displayed(
    tmp_path: Path,
) -> None:
    queries = (query(id, hits=["a", "b"], application="") for id in "12")
    rows = *queries, event("impression", "1", "a", 1)
    results, _ = read_shown_results(write_log(tmp_path / "ubi.ndjson", *rows))
    assert (results.rank.tolist(), list(results.documents)) == ([1], ["a"])


@pytest.mark.parametrize(
    ("row", "key", "value"),
    [
        (event("click", "1", "a", -1), "not-a-position", "-1"),
        (query("1", hits="a"), "wrong-type", "query_response_hit_ids"),
        ({"query": "tea"}, "not-ubi", "query_id"),
        (query("1" * 5000), "long-id", "query_id"),
    ],
)
def test_invalid_lines_are_named(tmp_path: Path, row: dict[str, Any], key: str, value: str) -> None:
    with pytest.raises(FormatError) as refused:
        read_log(write_log(tmp_path / "ubi.ndjson", query("0"), row))
    assert (refused.value.key, refused.value.line) == (key, 2)
    assert value in str(refused.value)
