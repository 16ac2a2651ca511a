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


def test_ranks_of_results_are_those_in_the_log(tmp_path: Path):
    """A list of results 11 to 13, and one in which the result at rank 2 is not logged."""
    header = "session,query,document,position,click\n"
    rows = "s1,tea,d11,11,0\ns1,tea,d12,12,1\ns1,tea,d13,13,0\ns2,tea,d3,3,1\ns2,tea,d1,1,0\n"
    log = read(tmp_path / "a.csv", header + rows)
    assert (log.shown.tolist(), log.rank.tolist()) == ([-1, -1], [12, 3])
    assert len(log.warnings) == 2  # the ranks are not 1, 2, 3 …; there are no times
    shown, _ = read_shown_results(tmp_path / "a.csv")
    assert shown.rank.tolist() == [11, 12, 13, 1, 3]
    assert shown.has_click.tolist() == [False, True, False, False, True]


def test_positions_from_0_are_ranks_from_1(tmp_path: Path):
    rows = "s1,tea,d1,0,0\ns1,tea,d2,1,1\ns2,tea,d5,4,1\n"
    log = read(tmp_path / "a.csv", "session,query,document,position,click\n" + rows)
    assert (log.shown.tolist(), log.rank.tolist()) == ([2, -1], [2, 5])
    log = read(tmp_path / "b.csv", "session,query,document,position\ns1,tea,d1,0\ns2,tea,d5,4\n")
    assert log.rank.tolist() == [1, 5]


@pytest.mark.parametrize("search_id", ["", "search_id,"])
def test_searches_of_interleaved_sessions_stay_whole(tmp_path: Path, search_id: str):
    rows = [("s1", "d1", 1, 0), ("s2", "d1", 1, 1), ("s1", "d2", 2, 1), ("s2", "d2", 2, 0)]
    text = "".join(
        f"{session},{'q,' if search_id else ''}tea,{document},{rank},{click}\n"
        for session, document, rank, click in rows
    )
    log = read(tmp_path / "a.csv", f"session,{search_id}query,document,position,click\n{text}")
    assert (log.session.tolist(), log.shown.tolist()) == ([0, 1], [2, 2])
    assert (log.click.tolist(), log.rank.tolist()) == ([0, 1], [2, 1])


def test_searches_with_ids_stay_whole_in_a_session_with_two_of_them(tmp_path: Path):
    rows = "s,q1,d1,1,0\ns,q2,d1,1,1\ns,q1,d2,2,1\ns,q2,d2,2,0\n"
    log = read(tmp_path / "a.csv", "session,query_id,document,position,click\n" + rows)
    assert (log.shown.tolist(), log.click.tolist(), log.rank.tolist()) == ([2, 2], [0, 1], [2, 1])


def test_a_second_click_on_a_result_belongs_to_the_same_search(tmp_path: Path):
    click = "142\twestchester\t2006-03-02 09:48:34\t%d\thttp://%s\n"
    other = "142\trent\t2006-03-03 09:48:34\t\t\n"
    text = AOL.splitlines(keepends=True)[0] + click % (1, "a") * 2 + click % (3, "b") + other
    log = read(tmp_path / "a.txt", text)
    assert (len(log), log.click.tolist(), log.rank.tolist()) == (2, [0, 0, 0], [1, 1, 3])


def test_rows_with_a_search_id_are_one_search(tmp_path: Path):
    """Clicks at different times, and a document at two ranks, do not begin another search."""
    clicks = "s,q1,tea,2026-01-01T10:00:05Z,5,d5\ns,q1,tea,2026-01-01T10:00:25Z,2,d2\n"
    log = read(tmp_path / "a.csv", "session,search_id,query,time,position,document\n" + clicks)
    assert (len(log), log.click.tolist(), log.rank.tolist()) == (1, [0, 0], [5, 2])
    results = "s,q1,d1,1,1\ns,q1,d2,2,0\ns,q1,d1,3,0\n"
    log = read(tmp_path / "b.csv", "session,search_id,document,position,click\n" + results)
    assert (log.shown.tolist(), log.rank.tolist()) == ([3], [1])


def test_a_row_without_a_search_id_does_not_split_other_searches(tmp_path: Path):
    rows = (
        "s,q1,tea,2026-01-01T10:00:05Z,5,d5\n"
        "s,q1,tea,2026-01-01T10:00:25Z,2,d2\n"
        "t,,tea,2026-01-01T10:00:05Z,3,d3\n"
        "t,,tea,2026-01-01T10:00:25Z,4,d4\n"
    )
    log = read(tmp_path / "a.csv", "session,search_id,query,time,position,document\n" + rows)
    assert (log.click.tolist(), log.rank.tolist()) == ([0, 0, 1, 2], [5, 2, 3, 4])


@pytest.mark.parametrize("positions", [("", ""), ("1", "2")])
def test_a_result_that_a_search_logs_twice_was_shown_once(
    tmp_path: Path, positions: tuple[str, str]
):
    first, second = positions
    rows = f"s,q1,tea,d1,{first},0\ns,q1,tea,d2,{second},0\ns,q1,tea,d1,{first},1\n"
    log = read(tmp_path / "a.csv", "session,search_id,query,document,position,click\n" + rows)
    assert (log.shown.tolist(), log.rank.tolist()) == ([2], [1])
    shown, _ = read_shown_results(tmp_path / "a.csv")
    assert (shown.rank.tolist(), shown.has_click.tolist()) == ([1, 2], [True, False])


def test_clicks_of_a_search_are_in_the_order_of_the_file(tmp_path: Path):
    rows = "".join(f"s\ttea\t2026-01-01\t{rank}\td{rank}\n" for rank in (5, 2, 7))
    log = read(tmp_path / "a.tsv", "session\tquery\ttime\titemrank\tclickurl\n" + rows)
    assert log.rank.tolist() == [5, 2, 7]


def test_json_lines_with_a_row_per_result_are_refused(tmp_path: Path):
    """They were read as queries without clicks."""
    row = {"session": "s", "query": "tea", "document": "d1", "rank": 1, "clicked": True}
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "a.jsonl", json.dumps(row))
    assert (caught.value.key, caught.value.line) == ("result-row", 1)


def test_clicks_of_a_result_are_counted(tmp_path: Path):
    header = "session,query,document,position,clicks\n"
    log = read(tmp_path / "a.csv", header + "s1,tea,d5,5,1\ns2,tea,d3,3,2\ns2,tea,d1,1,0\n")
    assert (log.click.tolist(), log.rank.tolist()) == ([0, 1, 1], [5, 3, 3])
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "a.csv", header + "s1,tea,d5,5,1001\n")
    assert caught.value.line == 2


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
    log = read(tmp_path / "b.jsonl", '{"session": "a", "timestamp": 5, "results": 3}\n')
    assert (log.sessions, log.time.tolist()) == (1, [5])
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


@pytest.mark.parametrize(
    ("rows", "limit"), [([101], "100"), ([100, 1], "100"), ([4, 4, 4, 4], None)]
)
def test_clicks_are_those_of_single_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[int], limit: str | None
):
    """A few bytes could otherwise become thousands of clicks in memory."""
    monkeypatch.setattr("irjudge.formats.search_logs.MIN_CLICK_LIMIT", 100)
    lines = [f"s{number},d,1,{count}" for number, count in enumerate(rows)]
    (tmp_path / "log.csv").write_text(
        "\n".join(["session,document,position,clicks", *lines]) + "\n"
    )
    if limit is None:
        assert len(read_log(tmp_path / "log.csv").rank) == sum(rows)
        return
    with pytest.raises(FormatError) as error:
        read_log(tmp_path / "log.csv")
    assert f"line {len(rows) + 1}" in str(error.value) and limit in str(error.value)
