"""Tests of search logs: two equivalent formats, event logs, and malformed files."""

import gzip
import json
import math
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats import read_log
from irjudge.model import SearchLog
from tests.lengths import example_count, is_linear
from tests.messages import keys_and_values, warnings_of

JSONL = """\
{"session": "a", "time": "2026-01-31T13:05:00Z", "results": ["d4", "d1"], "clicks": [{"document": "d1", "dwell": 42.5}], "latency_ms": 12}
{"session": "b", "time": "2026-01-31T13:06:00Z", "results": 0, "variant": "new"}
{"session": "a", "time": "2026-01-31T13:07:00Z", "results": 10, "clicks": [{"rank": 3, "act": "saved"}, {"rank": 1}], "variant": "base"}
"""
CSV = """\
variant;clicks;session;time;query;results;latency_ms
;2:42.5;a;2026-01-31T13:05:00Z;"x; y";2;12
new;;b;2026-01-31T13:06:00Z;;0;
base;3::saved 1;a;2026-01-31T13:07:00Z;"two
lines";10;
"""
EVENTS = """\
{"type": "TaskStarted", "timestamp": "2026-01-31T13:00:00Z", "sessionID": "s", "uid": "u"}
{"type": "querySubmitted", "timestamp": "2026-01-31T13:00:10Z", "sessionID": "s", "query": "x"}
{"docno": "d1", "score": 2.5}
{"docno": "d2", "score": 2.5}
{"type": "toggleArgument", "timestamp": "2026-01-31T13:00:20Z", "sessionID": "s", "doc": "d2", "rank": "7", "action": "expand"}
{"type": "toggleArgument", "timestamp": "2026-01-31T13:00:55Z", "sessionID": "s", "doc": "d2", "rank": "7", "action": "reduce"}
{"type": "querySubmitted", "timestamp": "2026-01-31T13:00:50Z", "sessionID": "s", "query": "y"}
{"docno": "d3", "score": 1}
{"type": "toggleArgument", "timestamp": "2026-01-31T13:01:00Z", "sessionID": "s", "doc": "d2", "rank": "1", "action": "expand"}
{"type": "StanceClicked", "timestamp": "2026-01-31T13:01:05Z", "sessionID": "s", "doc": "d3", "rank": "1", "action": "chooseStance"}
{"type": "somethingNew", "timestamp": "2026-01-31T13:01:06Z", "sessionID": "s"}
"""


@pytest.fixture
def read(tmp_path: Path):
    def call(content: str | bytes, name: str = "log") -> SearchLog:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_log(path)

    return call


def assert_same(one: SearchLog, other: SearchLog) -> None:
    for name in SearchLog.__slots__:
        assert np.array_equal(
            *(np.asarray(getattr(log, name)) for log in (one, other)),
            equal_nan=name in ("time", "latency", "dwell"),
        ), name


def test_json_lines_become_columns(read) -> None:
    log = read(JSONL)
    assert (log.sessions, log.session.tolist(), log.shown.tolist()) == (2, [0, 1, 0], [2, 0, 10])
    assert (log.click.tolist(), log.rank.tolist(), log.acted.tolist()) == (
        [0, 2, 2],
        [2, 3, 1],
        [False, False, True],
    )
    assert log.dwell[0] == 42.5 and np.isnan(log.dwell[1:]).all()
    assert log.latency[0] == 12 and np.isnan(log.latency[1:]).all()
    assert (log.variants, log.variant.tolist()) == (("base", "new"), [-1, 1, 0])
    assert np.diff(log.time).tolist() == [60, 60]
    assert keys_and_values(log.warnings, "count") == [("no-variant", "")]


def test_csv_gives_the_same_log(read) -> None:
    assert_same(read(CSV), read(JSONL))


@pytest.mark.parametrize("content", [JSONL, CSV], ids=["jsonl", "csv"])
def test_byte_order_marks_line_ends_and_compression_are_handled(read, content: str) -> None:
    raw = content.encode()
    for other in (
        b"\xef\xbb\xbf" + raw,
        raw.replace(b"\n", b"\r\n"),
        gzip.compress(raw),
        raw.rstrip(b"\n"),
        b"\n" + raw + b"\n\n",
    ):
        assert_same(read(other), read(content))


def test_lists_in_csv_cells_are_json(read) -> None:
    log = read('session,results,clicks\na,"[""x"", ""y""]","[{""document"": ""y""}]"\n')
    assert (log.shown.tolist(), log.rank.tolist()) == ([2], [2])


def test_a_session_continues_in_the_next_file(tmp_path: Path) -> None:
    lines = JSONL.splitlines(keepends=True)
    for number, line in enumerate(lines):
        (tmp_path / f"{number}.jsonl").write_text(line)
    (whole := tmp_path / ".whole").write_text(JSONL)
    assert_same(read_log(tmp_path), read_log(whole))
    assert_same(read_log(sorted(tmp_path.glob("[0-9]*"))), read_log(whole))


def test_times_are_texts_seconds_or_milliseconds(read) -> None:
    times = [
        '"2026-01-31T13:05:00+01:00"',
        '"2026-01-31T12:05:00"',
        "1769861100",
        "1769861100000",
        '"2026-01-31 12:05:00.0"',
    ]
    log = read("".join(f'{{"session": 1, "time": {time}}}\n' for time in times))
    assert set(log.time.tolist()) == {1769861100.0}


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process cannot be set here")
def test_a_time_without_zone_is_in_utc_on_every_machine(
    read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert read("session,time\na,1970-01-01T01:00:00\n").time.tolist() == [3600]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_click_on_a_document_outside_the_results_has_no_rank(read) -> None:
    clicks = '[{"rank": 3}, {"document": "z"}, {"document": "d2", "rank": 1}]'
    log = read(f'{{"session": "a", "results": ["d1", "d2"], "clicks": {clicks}}}\n')
    assert log.rank.tolist() == [
        0,
        0,
        2,
    ]  # rank 3 of 2; no such document; if both are given, the document counts
    assert ("not-shown-clicks", "2") in keys_and_values(log.warnings, "count")


def test_a_document_without_a_list_of_results_has_no_known_rank(read) -> None:
    log = read(
        '{"session": "a", "results": 5, "clicks": [{"document": "z"}, {"document": "z", "rank": 2}]}\n'
    )
    assert log.rank.tolist() == [-1, 2]


def test_an_equal_id_is_preferred_to_an_id_with_the_same_text(read) -> None:
    clicks = '[{"document": "7"}, {"document": 7}, {"document": 8}]'
    log = read(f'{{"session": "a", "results": [7, "7", "8"], "clicks": {clicks}}}')
    assert log.rank.tolist() == [2, 1, 3]


def test_results_that_are_large_numbers_are_read_in_linear_time(read) -> None:
    """Multiples of 2**61 - 1 have the same hash value."""

    def write_log(count: int) -> str:
        results = [number * (2**61 - 1) for number in range(1, count + 1)]
        return json.dumps({"session": "a", "results": results, "clicks": [{"rank": 1}]})

    eighth, whole = write_log(2_000), write_log(16_000)
    assert is_linear(lambda: read(eighth), lambda: read(whole))


def test_ids_may_be_numbers_on_one_side(read) -> None:
    assert read(
        '{"session": "a", "results": [7, 8], "clicks": [{"document": "8"}]}'
    ).rank.tolist() == [2]


def test_decreasing_times_are_reported_once(read) -> None:
    rows = [("a", 30), ("b", 10), ("a", 20), ("a", 10), ("b", 11)]  # only in session a
    log = read("".join(f'{{"session": "{session}", "time": {time}}}\n' for session, time in rows))
    warnings = warnings_of(log.warnings)
    assert [count for key, count, _ in warnings if key == "backwards-time"] == ["1"]


def test_interleaved_sessions_have_separate_times(read) -> None:
    rows = "".join(f"{'ab'[index % 2]},{index // 2 + 1000 * (index % 2)}\n" for index in range(400))
    assert read("session,results,time\n" + rows.replace(",", ",1,")).warnings == ()


def test_a_click_before_its_query_is_a_decreasing_time(read) -> None:
    log = read('{"session": "a", "time": 20, "clicks": [{"rank": 1, "time": 19}]}\n')
    assert ("backwards-time",) in keys_and_values(log.warnings)


def test_negative_durations_are_dropped_with_a_warning(read) -> None:
    log = read('{"session": "a", "clicks": [{"rank": 1, "dwell": -5}], "latency_ms": -1}\n')
    assert math.isnan(log.dwell[0]) and math.isnan(log.latency[0])
    result = {(key, count) for key, count, _ in warnings_of(log.warnings)}
    assert {("negative-dwell", "1"), ("negative-latency", "1")} <= result


def test_unknown_fields_are_reported_once(read) -> None:
    row = '{"session": "a", "page": 2, "results": 1, "time": 1, "clicks": [{"rank": 1, "colour": "red"}]}\n'
    for text, named in (
        (row * 3, "clicks.colour, page"),
        ("session,results,time,page\na,1,1,2\n", "page"),
    ):
        result = keys_and_values(read(text).warnings, "named", "more")
        assert result == [("unread-fields", named, "")]


def test_events_become_queries_with_their_openings(read) -> None:
    log = read(EVENTS)
    assert (log.sessions, log.shown.tolist(), log.click.tolist()) == (1, [2, 1], [0, 1])
    assert log.rank.tolist() == [
        2,
        0,
    ]  # d2 has rank 2, whatever the event has; it is not among the second query's results
    assert log.dwell[0] == 35 and math.isnan(log.dwell[1])  # 13:00:20 to 13:00:55
    assert log.acted.tolist() == [False, True]
    assert ("backwards-time",) in keys_and_values(log.warnings)
    ((named,),) = (
        more for key, *more in keys_and_values(log.warnings, "named") if key == "unread-fields"
    )
    assert '"somethingNew"' in named


def test_decreasing_times_before_the_first_query_are_reported(read) -> None:
    start = '{"type": "TaskStarted", "timestamp": "2026-01-31T13:00:0%dZ"}\n'
    log = read(start % 5 + start % 4 + EVENTS.split("\n")[1])
    assert [each[:2] for each in warnings_of(log.warnings)] == [("backwards-time", "1")]


def test_decreasing_times_in_one_session_of_events_do_not_count_for_later_sessions(read) -> None:
    line = '{"type": "%s", "sessionID": "%s", "timestamp": "2026-01-31T13:00:%sZ"%s}\n'
    expand = ', "doc": "d1", "action": "expand"'
    log = read(
        line % ("querySubmitted", "s1", "10", "")
        + line % ("toggleArgument", "s1", "05", expand)
        + line % ("querySubmitted", "s2", "20", "")
        + line % ("querySubmitted", "s3", "15", "")
    )
    assert ("backwards-time", "1") in [each[:2] for each in warnings_of(log.warnings)]


def test_events_without_an_id_belong_to_the_session_of_their_file(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(
            '{"type": "querySubmitted", "timestamp": "2026-01-31T13:00:10Z"}\n' * 2
        )
    assert read_log(tmp_path).session.tolist() == [0, 0, 1, 1]


def test_openings_before_the_first_query_are_left_out_with_a_warning(read) -> None:
    lines = EVENTS.splitlines(keepends=True)
    log = read(lines[4] + "".join(lines))
    assert len(log.click) == 2
    assert ("before-a-query", "1", "log, line 1") in warnings_of(log.warnings)


ROW = '{"session": "a"}\n'


@pytest.mark.parametrize(
    ("content", "key", "line", "value"),
    [
        ("", "empty-file", None, ""),
        ("session,time\n", "no-query", None, ""),
        ("query,time\nx,1\n", "unknown-format", 1, "“query,time”"),
        ("[]\n", "unknown-format", 1, "“[]”"),
        (ROW + '{"session": "b"', "not-json", 2, "16"),
        (ROW + "[1]\n", "not-object", 2, "list"),
        (ROW + "null\n", "not-object", 2, "null"),
        (ROW + ROW.strip() * 2, "not-json", 2, "17"),
        (ROW + "\n" + '{"time": 1}\n', "no-field", 3, "session"),
        (ROW + '{"session": ["a"]}', "wrong-type", 2, "session"),
        (ROW + '{"session": "' + "x" * 2000 + '"}', "long-id", 2, "2,000"),
        ('{"session": "a", "clicks": [{"rank": 0}]}', "out-of-range", 1, "rank is 0"),
        ('{"session": "a", "clicks": [{"rank": 1.5}]}', "not-whole", 1, "1.5"),
        ('{"session": "a", "clicks": [{"rank": true}]}', "not-whole", 1, "True"),
        ('{"session": "a", "clicks": [{"rank": 1e400}]}', "not-whole", 1, "inf"),
        ('{"session": "a", "clicks": [{"rank": 99999999999999999999}]}', "out-of-range", 1, "9999"),
        ('{"session": "a", "clicks": [{"dwell": 3}]}', "no-place", 1, ""),
        ('{"session": "a", "clicks": [3]}', "wrong-type", 1, "number"),
        ('{"session": "a", "clicks": {"rank": 3}}', "wrong-type", 1, "clicks"),
        ('{"session": "a", "clicks": ""}', "wrong-type", 1, "clicks"),
        ('{"session": "a", "clicks": [{"rank": 1, "dwell": "long"}]}', "wrong-type", 1, "dwell"),
        ('{"session": "a", "clicks": [{"rank": 1, "dwell": 1e300}]}', "large-number", 1, "1e+300"),
        ('{"session": "a", "clicks": [{"rank": 1, "act": 2}]}', "wrong-type", 1, "act"),
        ('{"session": "a", "results": -1}', "out-of-range", 1, "-1"),
        ('{"session": "a", "results": [null]}', "wrong-type", 1, "null"),
        ('{"session": "a", "results": "d1 d2"}', "wrong-type", 1, "results"),
        ('{"session": "a", "latency_ms": NaN}', "not-json", 1, "NaN"),
        ('{"session": "a", "time": "noon"}', "not-a-time", 1, '"noon"'),
        ('{"session": "a", "time": 1e300}', "unknown-year", 1, "1e+300"),
        ('{"session": ' + "9" * 5000 + "}", "not-json", 1, ""),
        ('{"session": "a", "x": ' + "[" * 200_000, "too-deep", 1, ""),
        ('{"session": "a\0"}', "zero-byte", 1, ""),
        (b'{"session": "\xff"}', "not-utf8", 1, ""),
        (gzip.compress(JSONL.encode())[:-20], "damaged", None, ""),
        ("session,session\na,b\n", "same-column", 1, ""),
        ("session,results\na,1,2\n", "column-count", 2, "3"),
        ("session,results\na,many\n", "not-results", 2, '"many"'),
        ("session,results\na,[1\n", "not-a-list", 2, '"[1"'),
        ("session,clicks\na,1:x\n", "not-a-click", 2, '"1:x"'),
        ("session,clicks\na,0\n", "out-of-range", 2, "rank is 0"),
        ("session,latency_ms\na,fast\n", "not-a-number", 2, '"fast"'),
        ("session,latency_ms\na,inf\n", "large-number", 2, "inf"),
        ('session,query\na,"open\n', "not-csv", 2, ""),
        ('{"docno": "d1", "score": 2}', "before-a-query", 1, ""),
        ('{"type": "querySubmitted", "timestamp": "soon"}', "not-a-time", 1, '"soon"'),
    ],
)
def test_an_invalid_log_is_refused_with_its_line(
    read, content: str | bytes, key: str, line: int | None, value: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read(content)
    assert (caught.value.key, caught.value.line) == (key, line)
    assert caught.value.path.name == "log" and value in str(caught.value)


def test_a_missing_file_and_an_empty_folder_give_errors(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="none: cannot be read"):
        read_log(tmp_path / "none")
    with pytest.raises(FormatError) as refused:
        read_log(tmp_path)
    assert refused.value.key == "empty-folder"


def test_a_missing_variant_column_is_refused(read) -> None:
    with pytest.raises(FormatError, match='"v50"') as refused:
        read("session,variant\n" + "".join(f"a,v{index}\n" for index in range(60)))
    assert (refused.value.key, refused.value.line) == ("too-many-variants", 52)
    assert refused.value.values["limit"] == "50"


def test_the_line_number_of_an_error_is_right_after_many_valid_lines(read) -> None:
    with pytest.raises(FormatError) as refused:
        read(ROW * 5000 + "{}\n" + ROW)
    assert (refused.value.key, refused.value.line) == ("no-field", 5001)
    assert refused.value.values["name"] == "session"


@settings(max_examples=example_count(400), deadline=None)
@given(st.data())
def test_logs_that_were_tampered_with_are_read_or_refused(data: st.DataObject) -> None:
    content = data.draw(st.sampled_from([JSONL, CSV, EVENTS])).encode()
    pieces = [
        b"null",
        b"[",
        b"{",
        b'"',
        b"\0",
        b"\n",
        b"-1",
        b"1e999",
        b"9" * 30,
        b"\\ud800",
        b"true",
        b",",
        b":",
        b"\xff",
        b"NaN",
    ]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        length = data.draw(st.sampled_from([0, 1, 1, 4, 30]))
        content = content[:start] + data.draw(st.sampled_from(pieces)) + content[start + length :]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(content)
        try:
            log = read_log(path)
        except IrjudgeError as error:
            str(error).encode()
        else:
            json.dumps(log.warnings)
            assert (log.click < len(log)).all() and not (log.dwell < 0).any()
