"""Tests of log measures, worked by hand, and of laws that they obey."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import MeasureError
from irjudge.formats.search_log_events import LogRows
from irjudge.formats.search_logs import make_search_log
from irjudge.logs import (
    MEASURES,
    METHODS,
    LogOptions,
    OnlineTable,
    compute_online_measures,
    measure_log,
)
from irjudge.logs.measures import NEEDS
from tests.lengths import example_count

# Four sessions, eight queries.
LOG = [
    {
        "session": "a",
        "time": 0,
        "results": 10,
        "clicks": [{"rank": 2, "dwell": 10}, {"rank": 1, "dwell": 45}, {"rank": 2}],
        "latency_ms": 100,
    },
    {
        "session": "a",
        "time": 600,
        "results": 10,
        "clicks": [{"rank": 4, "dwell": 29.9}],
        "latency_ms": 200,
    },
    {"session": "b", "time": 60, "results": 0, "latency_ms": 300},
    {
        "session": "b",
        "time": 120,
        "results": 5,
        "clicks": [{"rank": 5, "act": "saved"}],
        "latency_ms": 400,
    },
    {"session": "b", "time": 180, "results": 5, "latency_ms": 500},
    {
        "session": "c",
        "time": 3600,
        "results": ["x", "y"],
        "clicks": [{"document": "y", "dwell": 5}, {"document": "z"}],
    },
    {"session": "c", "time": 7200, "results": 2},
    {"session": "d", "results": 6},
]


def table_of(rows: list[dict], **options) -> OnlineTable:
    log = LogRows()
    for row in rows:
        log.add(row)
    return compute_online_measures(make_search_log(log), LogOptions(**options))


def numbers(table: OnlineTable) -> dict[str, tuple]:
    return {row.measure: (row.value, row.count, row.total) for row in table.rows}


def test_every_measure_has_the_value_worked_by_hand() -> None:
    result = numbers(table_of(LOG, rank=2))
    latency = [result.pop(f"Latency(p={p})") for p in (50, 90, 95, 99)]
    rr_first, rr_last = result.pop("FirstClickRR"), result.pop("LastClickRR")
    assert result == {
        "NumSessions": (4, 4, None),
        "NumQueries": (8, 8, None),
        "NumClicks": (7, 7, None),  # 3 + 1 + 0 + 1 + 0 + 2 + 0 + 0
        "SessionAbandonment": (1 / 4, 1, 4),  # d
        "QueryAbandonment": (4 / 8, 4, 8),  # b's first and third, c's second, d's
        "QueriesWithClick": (4 / 8, 4, 8),
        "CTR": (
            5 / 40,
            5,
            40,
        ),  # {1, 2} + {4} + {5} + {2} of 10 + 10 + 0 + 5 + 5 + 2 + 2 + 6; z was not shown
        "CTR@1": (1 / 7, 1, 7),  # a's first, of all queries with results
        "CTR@2": (2 / 7, 2, 7),  # a's first, clicked twice there; c's first
        "FirstClickRank": (13 / 4, 13, 4),  # 2 + 4 + 5 + 2
        "LastClickRank": (13 / 4, 13, 4),  # 2 + 4 + 5 + 2: c's last click, on z, has no rank
        "SessionSuccess(dwell=30)": (2 / 4, 2, 4),  # a after 45 s, b by its act
        "ZeroResults": (1 / 8, 1, 8),
        "QueriesPerSession": (8 / 4, 8, 4),
        "QueriesPerHour": (7 / 2, 7, 2),  # d has no time; 7,200 s
        "QueriesPerDay": (7 / (2 / 24), 7, 2 / 24),
    }
    assert rr_first == pytest.approx((1.45 / 4, 1.45, 4)) and rr_last == pytest.approx(
        (1.45 / 4, 1.45, 4)
    )  # 1/2 + 1/4 + 1/5 + 1/2
    # 100 to 500: the p-th percentile is at position 1 + 4p/100, so 50 at the third, 90 at 4.6: 400
    # + .6 x 100
    assert latency == [
        pytest.approx(each) for each in ((300, 3, 5), (460, 4, 5), (480, 4, 5), (496, 4, 5))
    ]


def test_first_and_last_click_are_those_of_the_file() -> None:
    result = numbers(
        table_of(
            [
                {
                    "session": "a",
                    "clicks": [
                        {"rank": 4, "time": 9},
                        {"rank": 1, "time": 5},
                        {"rank": 2, "time": 7},
                    ],
                }
            ]
        )
    )
    assert (result["FirstClickRank"][0], result["LastClickRank"][0]) == (4, 2)
    assert (result["FirstClickRR"][0], result["LastClickRR"][0]) == (1 / 4, 1 / 2)


@pytest.mark.parametrize(("dwell", "successes"), [(0, 3), (5, 3), (5.1, 2), (45, 2), (45.1, 1)])
def test_success_begins_at_the_given_dwell_time(dwell: float, successes: int) -> None:
    assert numbers(table_of(LOG, dwell=dwell))[f"SessionSuccess(dwell={dwell:g})"][1] == successes


def test_measures_without_data_are_left_out_with_a_warning() -> None:
    table = table_of([{"session": "a", "clicks": [{"rank": 1}]}, {"session": "b"}])
    assert list(numbers(table)) == [
        *(
            "NumSessions",
            "NumQueries",
            "NumClicks",
            "SessionAbandonment",
            "QueryAbandonment",
            "QueriesWithClick",
        ),
        *("FirstClickRank", "LastClickRank", "FirstClickRR", "LastClickRR", "QueriesPerSession"),
    ]
    for names, need in (
        ("CTR, CTR@k, ZeroResults", "results"),
        ("SessionSuccess", "dwell"),
        ("QueriesPerHour, QueriesPerDay", "time"),
        ("Latency", "latency"),
    ):
        assert any(f": {names}, " in each and NEEDS[need] in each for each in table.warnings)


def test_nothing_is_divided_by_zero() -> None:
    table = table_of([{"session": "a", "time": 5, "results": 0}])
    by_name = {row.measure: row for row in table.rows}
    for name in ("CTR", "CTR@1", "FirstClickRank", "LastClickRR", "QueriesPerHour"):
        assert (by_name[name].value, by_name[name].total, by_name[name].interval) == (0, 0, None)
    assert (
        by_name["SessionSuccess(dwell=30)"].value == 0
    )  # without clicks the dwell time is known to be none


def test_a_rate_of_zero_has_an_upper_limit() -> None:
    """Resamples of sessions without a click at rank 1 have none; Wilson's limit is z²/(4 + z²)."""
    rows = [{"session": name, "results": 10, "clicks": [{"rank": 2}]} for name in "abcd"]
    result = {row.measure: row.interval for row in table_of(rows, rank=2).rows}
    assert result["CTR@1"] == pytest.approx((0, 3.841459 / 7.841459))
    assert result["CTR@2"] == pytest.approx((4 / 7.841459, 1))
    assert result["FirstClickRank"] == (2, 2)


def test_variants_are_measured_separately_and_compared() -> None:
    rows = [{**row, "variant": "new" if row["session"] in "ab" else "base"} for row in LOG]
    table = table_of(rows, rank=1)
    result = numbers(table)
    assert result["SessionAbandonment(variant=new)"] == (0, 0, 2) and result[
        "SessionAbandonment(variant=base)"
    ] == (1 / 2, 1, 2)
    assert result["SessionAbandonment(variant=new,minus=base)"] == (-1 / 2, None, None)
    assert result["CTR(variant=new)"] == (4 / 30, 4, 30) and result["CTR(variant=base)"] == (
        1 / 10,
        1,
        10,
    )
    assert result["CTR(variant=new,minus=base)@1"][0] == 1 / 4 - 0
    assert result["QueriesPerHour(variant=new)"] == (5 / 2, 5, 2)  # in the hours of the whole log
    assert "Latency(p=50,variant=new,minus=base)" not in result  # base has no latency
    assert not [name for name in result if name.startswith("Num") and "minus" in name]
    assert result["SessionSuccess(dwell=30,variant=new)"][1] == 2
    whole = {name: value for name, value in result.items() if "variant" not in name}
    assert whole == numbers(table_of(LOG, rank=1))


def test_sessions_in_several_variants_give_a_warning() -> None:
    rows = [{**row, "variant": "AB"[index % 2]} for index, row in enumerate(LOG)]
    mixed = {*table_of(rows).warnings} - {*table_of(LOG).warnings}
    assert any(each.startswith("3 sessions ") for each in mixed)


@pytest.mark.parametrize(
    "options", [{"dwell": -1}, {"dwell": float("nan")}, {"rank": -1}, {"seed": -1}]
)
def test_a_parameter_out_of_range_is_refused(options: dict) -> None:
    with pytest.raises(MeasureError, match=next(iter(options))):
        LogOptions(**options)


def test_every_measure_is_declared_completely() -> None:
    assert len({each.name for each in MEASURES}) == len(MEASURES)
    for each in MEASURES:
        assert each.title and each.numerator and each.definition and each.method in METHODS
        assert each.need is None or each.need in NEEDS
        assert bool(each.denominator) == (each.method != "none")


CLICKS = st.lists(
    st.fixed_dictionaries(
        {"rank": st.integers(1, 6)}, optional={"dwell": st.integers(-1, 60), "act": st.booleans()}
    ),
    max_size=3,
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {"session": st.integers(0, 4)},
        optional={
            "results": st.integers(0, 5),
            "clicks": CLICKS,
            "time": st.integers(0, 9999),
            "latency_ms": st.integers(-1, 500),
            "variant": st.sampled_from("AB"),
        },
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=example_count(60), deadline=None)
@given(ROWS)
def test_measures_obey_the_common_laws(rows: list[dict]) -> None:
    for row in table_of(rows, rank=3).rows:
        difference = "minus=" in row.measure
        assert row.value == row.value and abs(row.value) < float("inf")
        if row.declaration.method not in ("none", "percentile") and not difference:
            assert row.value == (row.count / row.total if row.total else 0)
        if (
            row.declaration.proportion
            and row.total
            and row.declaration.method in ("wilson", "sessions")
        ):
            assert 0 <= row.count <= row.total
            assert row.interval is None or 0 <= row.interval[0] <= row.interval[1] <= 1
        if row.interval:
            assert row.interval[0] - 1e-9 <= row.value <= row.interval[1] + 1e-9


@settings(max_examples=example_count(60), deadline=None)
@given(ROWS, st.randoms())
def test_the_order_and_the_names_of_sessions_do_not_matter(
    rows: list[dict], mixer: random.Random
) -> None:
    sessions = sorted({row["session"] for row in rows})
    mixer.shuffle(sessions)
    moved = [
        {**row, "session": f"name of {row['session']}"}
        for session in sessions
        for row in rows
        if row["session"] == session
    ]
    assert [row.cells() for row in table_of(moved).rows] == [
        row.cells() for row in table_of(rows).rows
    ]


def test_a_data_frame_has_the_values_of_the_command(tmp_path: Path) -> None:
    (log := tmp_path / "log.csv").write_text("session,results,clicks\na,2,1 9\nb,2,\n")
    table = measure_log(str(log), rank=1).set_index("measure")
    assert table.columns.tolist() == ["value", "count", "total", "low", "high", "definition"]
    assert table.loc["CTR", ["value", "count", "total", "definition"]].tolist() == [
        0.25,
        1,
        4,
        "clicked results / shown results",
    ]
    assert table.attrs["remarks"][0].startswith("1 click ")


def test_several_files_are_one_log(tmp_path: Path) -> None:
    for name, session in (("1", "a"), ("2", "b"), ("3", "a")):
        (tmp_path / name).write_text(f"session\n{session}\n")
    table = measure_log([tmp_path / name for name in "123"]).set_index("measure")
    assert (table.value["NumSessions"], table.value["NumQueries"]) == (2, 3)
