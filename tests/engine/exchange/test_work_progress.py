"""Tests of progress and forecasts against values worked by hand."""

from datetime import date

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    Forecast,
    ProgressChange,
    WorkStatus,
    forecast_work,
    list_progress_rows,
    measure_speed_by_length,
    parse_plans,
)
from irjudge.exchange.work_status import Speed, TimedJudgment, parse_progress_change

TODAY = date(2026, 3, 10)


def make_work(
    assessor: str, count: int, seconds: float, *, day: str = "2026-03-01", topic: str = "1"
) -> tuple[TimedJudgment, ...]:
    return tuple(
        TimedJudgment(assessor, topic, f"d{number}", round(1000 * seconds), day, 100 * (number + 1))
        for number in range(count)
    )


def remaining(count: int, start: int = 100) -> list[tuple[str, str]]:
    return [("1", f"d{start + number}") for number in range(count)]


def test_rows_count_by_topic_and_in_total() -> None:
    work = WorkStatus(
        (*make_work("ann", 2, 3), *make_work("ann", 1, 9, topic="2")),
        {"ann": remaining(4), "bob": remaining(1)},
        {},
    )
    rows = [
        (
            row.assessor,
            row.topic,
            row.judged,
            row.assigned,
            row.left,
            row.active_ms,
            row.median_seconds,
        )
        for row in list_progress_rows(work)
    ]
    assert rows == [
        ("ann", "1", 2, 6, 4, 6000, 3.0),
        ("ann", "2", 1, 1, 0, 9000, 9.0),
        ("ann", None, 3, 7, 4, 15000, 3.0),
        ("bob", "1", 0, 1, 1, 0, None),
        ("bob", None, 0, 1, 1, 0, None),
    ]


def test_speed_is_reported_by_quartiles_of_length() -> None:
    judged = [
        TimedJudgment("a", "1", f"d{number}", 1000 * number, "", 10 * number)
        for number in range(1, 9)
    ] + [TimedJudgment("a", "1", "x", 0, "", 5)]
    assert measure_speed_by_length(judged) == [
        Speed(2, 15, 1.5),
        Speed(2, 35, 3.5),
        Speed(2, 55, 5.5),
        Speed(2, 75, 7.5),
    ]
    assert measure_speed_by_length([]) == []


def test_equal_times_give_an_interval_of_zero_width() -> None:
    # 20 judgments of 36 s on one day are 0.2 hours per day; 100 left are 1 hour, so 5 days.
    work = WorkStatus(make_work("ann", 20, 36), {"ann": remaining(100)}, {})
    assert forecast_work(work, TODAY) == Forecast(
        100, 1.0, 1.0, 1.0, date(2026, 3, 15), date(2026, 3, 15), date(2026, 3, 15)
    )


def test_the_interval_is_that_of_a_sum_of_new_times_with_an_estimated_mean() -> None:
    # Times alternate between 10 and 20 s: mean 15, variance of 10 of them 250/9; 4 left: 4 v + 16 v
    # / 10 = 5.6 v.
    times = tuple(
        TimedJudgment("ann", "1", f"d{number}", 10_000 * (1 + number % 2), "2026-03-01")
        for number in range(10)
    )
    made = forecast_work(WorkStatus(times, {"ann": remaining(4)}, {}), TODAY)
    margin = 1.959963984540054 * (5.6 * 250 / 9) ** 0.5
    assert made.hours == pytest.approx(60 / 3600)
    assert (made.low, made.high) == (
        pytest.approx((60 - margin) / 3600),
        pytest.approx((60 + margin) / 3600),
    )


def test_idle_assessors_are_assumed_average_and_the_last_one_determines_the_end() -> None:
    work = WorkStatus(
        (*make_work("ann", 10, 36), *make_work("bob", 10, 72)),
        {"ann": remaining(10), "bob": remaining(10), "cleo": remaining(20)},
        {},
    )
    made = forecast_work(work, TODAY)
    assert made.hours == pytest.approx((10 * 36 + 10 * 72 + 20 * 54) / 3600)
    assert made.low < made.hours < made.high and made.earliest <= made.finish <= made.latest
    assert made.finish == date(2026, 3, 12)  # cleo: 0.3 hours at 0.15 per day


def test_days_that_do_not_exist_are_ignored() -> None:
    """An assessor without any valid day has no pace, and gets the mean pace of the others."""
    work = WorkStatus(
        (*make_work("ann", 5, 36), *make_work("bob", 5, 36, day="2026-02-31")),
        {"ann": remaining(10), "bob": remaining(10)},
        {},
    )
    assert forecast_work(work, TODAY).finish == date(2026, 3, 12)  # each .1 hours at .05 per day


def test_days_without_work_between_the_first_and_the_last_count() -> None:
    work = WorkStatus(
        (*make_work("ann", 5, 36), *make_work("ann", 5, 36, day="2026-03-10")),
        {"ann": remaining(10)},
        {},
    )
    assert forecast_work(work, TODAY).finish == date(2026, 3, 20)  # 0.1 hours left at 0.01 per day


def test_without_times_there_is_no_forecast_and_without_work_it_is_done() -> None:
    assert forecast_work(WorkStatus((), {"ann": remaining(3)}, {}), TODAY) == Forecast(
        3, None, None, None, None, None, None
    )
    assert forecast_work(WorkStatus(make_work("ann", 3, 5), {"ann": []}, {}), TODAY) == Forecast(
        0, 0.0, 0.0, 0.0, TODAY, TODAY, TODAY
    )


def test_an_additional_assessor_takes_a_part_and_the_end_comes_sooner() -> None:
    work = WorkStatus(make_work("ann", 20, 36), {"ann": remaining(100)}, {})
    made = forecast_work(work, TODAY, ProgressChange(assessors=1))
    assert (made.left, made.hours, made.finish) == (100, pytest.approx(1.0), date(2026, 3, 13))


def test_less_overlap_and_a_shallower_pool_leave_less() -> None:
    judged = tuple(TimedJudgment(name, "1", "d0", 1000, "2026-03-01") for name in ("ann", "bob"))
    pairs = [("1", "d0"), ("1", "d1"), ("1", "d2")]
    work = WorkStatus(judged, {"cleo": pairs, "dora": pairs[1:]}, {("1", "d1"): 1, ("1", "d2"): 9})
    assert [
        forecast_work(work, TODAY, what).left
        for what in (
            ProgressChange(),
            ProgressChange(overlap=2),
            ProgressChange(overlap=1),
            ProgressChange(depth=5),
        )
    ] == [5, 4, 2, 3]


def test_repeats_and_test_items_do_not_count_as_further_assessors() -> None:
    """Each assessor judges d0 and d1, repeats d0, and judges the gold item g."""
    first, second, gold = ("1", "d0"), ("1", "d1"), ("1", "g")
    pairs = [gold, first, second, first]
    work = WorkStatus(
        (TimedJudgment("cleo", "1", "d0"), TimedJudgment("cleo", "1", "d0")),
        {"ann": pairs, "bob": pairs, "cleo": [second]},
        {first: 1, second: 4, gold: 9},
        test_pairs=frozenset({("ann", gold), ("bob", gold)}),
    )
    assert [
        forecast_work(work, TODAY, what).left
        for what in (
            ProgressChange(),
            ProgressChange(overlap=3),
            ProgressChange(overlap=2),  # without bob's first d0 and cleo's d1
            ProgressChange(overlap=1),  # without d0 of ann and bob, and d1 of bob and cleo
            ProgressChange(depth=3),  # without d1
        )
    ] == [9, 9, 7, 5, 6]


def test_a_plan_that_needs_more_judgments_is_refused() -> None:
    work = WorkStatus((), {"ann": remaining(3)}, {}, overlap=2, depth=10)
    assert [
        forecast_work(work, TODAY, what).left
        for what in (ProgressChange(overlap=2), ProgressChange(depth=10), ProgressChange(1, 1, 1))
    ] == [3, 3, 3]
    with pytest.raises(IrjudgeError) as error:
        forecast_work(work, TODAY, ProgressChange(overlap=3))
    assert error.value.values["name"] == "overlap"
    assert error.value.values["value"] == "3"
    assert error.value.values["current"] == "2"
    with pytest.raises(IrjudgeError) as error:
        forecast_work(work, TODAY, ProgressChange(depth=11))
    assert error.value.values["name"] == "depth"
    assert error.value.values["value"] == "11"
    assert error.value.values["current"] == "10"
    assert (
        forecast_work(
            WorkStatus((), {"ann": remaining(3)}, {}), TODAY, ProgressChange(0, 9, 99)
        ).left
        == 3
    ), "unknown"


def test_each_option_gives_a_plan_and_all_together_another_if_different() -> None:
    assert parse_plans([]) == {} and parse_plans(["depth=5"]) == {
        "depth=5": ProgressChange(depth=5)
    }
    assert list(parse_plans(["depth=5", "overlap=1"]).values()) == [
        ProgressChange(depth=5),
        ProgressChange(overlap=1),
        ProgressChange(0, 1, 5),
    ]
    assert list(parse_plans(["depth=5", "depth=3", "overlap=1"])) == [
        "depth=5",
        "depth=3",
        "overlap=1",
    ]


def test_what_if_options_are_parsed() -> None:
    assert parse_progress_change(["assessors=+2", "overlap=1", "depth=10"]) == ProgressChange(
        2, 1, 10
    )
    for invalid in ("assessors", "assessors=0", "depth=-1", "pages=3", "overlap=two"):
        with pytest.raises(IrjudgeError, match=r"assessors=\+1, overlap=2 or depth=10"):
            parse_progress_change([invalid])
