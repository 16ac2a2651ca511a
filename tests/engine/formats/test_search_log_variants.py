"""Tests of logs with a row per result or click, and with other field names."""

import json
import time
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats import read_log, read_shown_results
from irjudge.model import SearchLog

RESULTS = (
    "session_id,query,doc_id,position,click,timestamp\n"
    "s1,foo,d2,2,1,2020-01-01T00:00:05\n"
    "s1,foo,d1,1,0,2020-01-01T00:00:00\n"
    "s1,foo,d1,1,yes,2020-01-01T00:01:00\n"
    "s2,foo,d1,1,0,2020-01-01T00:00:00\n"
)
AOL = (
    "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
    "142\trent\t2006-03-01 07:17:12\t\t\n"
    "142\tstaple\t2006-03-17 21:19:29\t1\thttp://a\n"
    "142\tstaple\t2006-03-17 21:19:29\t3\thttp://b\n"
    "217\tstaple\t2006-03-17 21:19:29\t\t\n"
)


def read(path: Path, text: str) -> SearchLog:
    path.write_text(text)
    return read_log(path)


def test_rows_of_results_are_searches(tmp_path: Path):
    log = read(tmp_path / "a.csv", RESULTS)
    assert (log.sessions, log.session.tolist()) == (2, [0, 0, 1])
    assert log.shown.tolist() == [2, 1, 1]
    assert list(zip(log.click.tolist(), log.rank.tolist(), strict=True)) == [(0, 2), (1, 1)]
    shown, _ = read_shown_results(tmp_path / "a.csv")
    assert len(shown) == 4


def test_rows_of_clicks_are_searches_of_unknown_length(tmp_path: Path):
    log = read(tmp_path / "a.txt", AOL)
    assert (log.sessions, log.session.tolist()) == (2, [0, 0, 1])
    assert set(log.shown.tolist()) == {-1}
    assert list(zip(log.click.tolist(), log.rank.tolist(), strict=True)) == [(1, 1), (1, 3)]


@pytest.mark.parametrize("layout", ["rows", "clicks", "hits"])
def test_one_long_search_is_read_in_linear_time(tmp_path: Path, layout: str):
    """Each row, click or hit was compared with all others, which took over 5 s."""
    count = 20_000
    ids = [f"d{number}" for number in range(count)]
    if layout == "rows":
        text = "session,query,document,position\n" + "".join(
            f"s,q,{id},{rank}\n" for rank, id in enumerate(ids, 1)
        )
    elif layout == "clicks":
        clicks = [{"document": ids[-1]}] * count
        text = json.dumps({"session": "s", "results": ids, "clicks": clicks})
    else:
        hits = {"query_id": "1", "user_query": "q", "query_response_hit_ids": ids}
        click = {"query_id": "1", "action_name": "click"}
        clicked = click | {"event_attributes": {"object": {"object_id": ids[-1]}}}
        rows = [hits, hits, *[clicked] * count]
        text = "".join(json.dumps(row) + "\n" for row in rows)
    begun = time.process_time()
    log = read(tmp_path / "a.log", text)
    assert time.process_time() - begun < 4
    assert log.rank[-1] == count


def test_other_field_names_are_recognised(tmp_path: Path):
    rows = '{"session_id": "a", "timestamp": 5, "results": 3}\n{"session_id": "a", "results": 0}\n'
    log = read(tmp_path / "a.jsonl", rows)
    assert (log.sessions, log.shown.tolist(), log.time[0]) == (1, [3, 0], 5)
    log = read(tmp_path / "a.csv", "Session_ID,Timestamp,results\na,5,3\n")
    assert (log.sessions, log.shown.tolist(), log.time.tolist()) == (1, [3], [5])


def test_a_log_in_utf_16_is_read(tmp_path: Path):
    (tmp_path / "a.txt").write_bytes(AOL.encode("utf-16"))
    assert len(read_log(tmp_path / "a.txt")) == 3


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ("s1,foo,d1,first,0,", "not-whole"),
        ("s1,foo,d1,1,often,", "not-a-click"),
        ("s1,foo,d1,1,0", "column-count"),
        (",foo,d1,1,0,", "empty-name"),
    ],
)
def test_an_invalid_row_is_named(tmp_path: Path, row: str, key: str):
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "a.csv", RESULTS + row + "\n")
    assert caught.value.line == 6
