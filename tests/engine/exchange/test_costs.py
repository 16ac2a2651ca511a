"""Tests of the estimated costs of judging, computed before anything is stored."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    AssignmentOptions,
    AssignmentPlan,
    Pace,
    Prices,
    estimate_plan,
    estimate_pool,
    measure_pace,
    parse_candidates,
    plan_assignment,
    read_prices,
    set_prices,
)
from irjudge.exchange.assignment_plan import PlannedItem
from irjudge.exchange.costs import DEFAULT_SECONDS
from irjudge.judging import Session
from irjudge.model import make_run, select_topics
from irjudge.pooling import PoolOptions as Pooling
from irjudge.pooling import build_pool
from irjudge.store import Project, open_project
from tests.pools import depth_pool


@pytest.fixture
def opened_project(project: Path) -> Iterator[Project]:
    with open_project(project) as opened:
        yield opened


RUNS = [
    make_run("a", [("1", "d1", 2.0), ("1", "d2", 1.0), ("2", "d1", 1.0)]),
    make_run("b", [("1", "d3", 1.0), ("3", "d9", 1.0)]),
]


def test_a_pool_reports_its_size_and_its_costs() -> None:
    estimate = estimate_pool(depth_pool(RUNS, 1), Pace(), Prices())
    assert (estimate.pairs, estimate.documents, estimate.topics, estimate.judgments) == (4, 3, 3, 4)
    assert estimate.hours == pytest.approx(4 * DEFAULT_SECONDS / 3600) and estimate.cost is None
    size, time = estimate.sentences()
    assert size.values == {"pairs": "4", "documents": "3", "topics": "3"}
    assert (time.key, time.values["minutes"]) == ("minutes", "2")
    pace = time.values["pace"]
    assert (pace.key, pace.values) == ("default-pace", {"seconds": "30"})


def test_a_plan_counts_repeats_and_gold_as_work_and_pairs_once() -> None:
    mine = (
        PlannedItem("1", "d1"),
        PlannedItem("1", "d2", "gold"),
        PlannedItem("1", "d1", "repeat"),
    )
    estimate = estimate_plan(
        AssignmentPlan({"ann": mine, "bob": mine[:1]}),
        Pace(3600, 20),
        Prices(hour=10, item=0.5, currency="EUR"),
    )
    assert (estimate.pairs, estimate.documents, estimate.judgments, dict(estimate.by_assessor)) == (
        2,
        2,
        4,
        {"ann": 3, "bob": 1},
    )
    assert estimate.cost == pytest.approx(4 * 10 + 4 * 0.5)
    items, time, price = estimate.sentences()[1:]
    assert items.values == {"counts": "ann 3, bob 1", "judgments": "4"}
    assert (time.key, time.values["hours"], time.values["maximum"]) == ("hours", "4.0", "3.0")
    assert time.values["pace"].values == {"seconds": "3600", "judgments": "20"}
    assert price.values == {"cost": "42.00", "currency": "EUR"}


def test_less_than_an_hour_is_given_in_minutes() -> None:
    shares = {
        "ann": (PlannedItem("1", "d1"), PlannedItem("1", "d2"), PlannedItem("1", "d3")),
        "bob": (PlannedItem("1", "d1"),),
    }
    time = estimate_plan(AssignmentPlan(shares), Pace(), Prices()).sentences()[2]
    assert (time.key, time.values["minutes"], time.values["time"]) == ("minutes", "2", "2")
    assert (time.values["pace"].key, time.all_values["seconds"]) == ("default-pace", "30")
    long = estimate_plan(AssignmentPlan(shares), Pace(900, 9), Prices()).sentences()[2]
    assert (long.key, long.values["hours"], long.values["maximum"]) == ("hours", "1.0", "0.8")
    assert long.values["pace"].values == {"seconds": "900", "judgments": "9"}


def test_many_assessors_are_described_by_minimum_and_maximum() -> None:
    shares = {f"p{index}": (PlannedItem("1", "d1"),) * (1 + index % 2) for index in range(9)}
    items = estimate_plan(AssignmentPlan(shares), Pace(), Prices()).sentences()[1]
    assert items.values == {"minimum": "1", "maximum": "2", "judgments": "13"}


def test_the_default_pace_is_used_until_five_times_are_known(opened_project: Project) -> None:
    session = Session(opened_project)
    for count in range(6):
        assert measure_pace(opened_project) == (Pace() if count < 5 else Pace(4.0, count))
        work = session.current()
        assert work is not None
        session.grade(work, 1, active_ms=4000)
        session.advance()


def test_prices_are_stored_and_an_invalid_price_is_refused(opened_project: Project) -> None:
    assert not read_prices(opened_project)
    set_prices(opened_project, Prices(12.5, 0.05, " EUR "))
    assert read_prices(opened_project) == Prices(12.5, 0.05, "EUR")
    for invalid in (-1.0, float("nan"), float("inf")):
        with pytest.raises(IrjudgeError) as error:
            set_prices(opened_project, Prices(hour=invalid))
        assert error.value.key == "invalid-price"
        assert error.value.values["price"] == str(invalid)
    opened_project.set_setting("prices", '{"hour": "x"}')
    assert not read_prices(opened_project)


def test_topics_are_given_one_by_one_or_as_a_range() -> None:
    known = ["401", "402", "a-b", "051", "7"]
    assert select_topics(" 7, 401-402 ", known) == ("401", "402", "7")
    assert (
        select_topics("a-b", known) == ("a-b",)
        and select_topics("", known) == ()
        and select_topics("402-051", known) == tuple(known[1:4])
    )
    for invalid, message in (
        ("403", "There is no topic 403"),
        ("401-9", "There is no topic 401-9"),
        ("7-401", "is reversed"),
        (",", "There is no topic ,"),
    ):
        with pytest.raises(IrjudgeError, match=message):
            select_topics(invalid, known)


def test_a_pool_of_some_topics_is_the_corresponding_part_of_the_whole() -> None:
    whole, part = depth_pool(RUNS, 2), build_pool(RUNS, Pooling(depth=2, topics=("1", "3")))
    rows = [
        (whole.topics[code], name)
        for code, name in zip(whole.topic.tolist(), whole.document.to_pylist(), strict=True)
    ]
    assert [
        (part.topics[code], name)
        for code, name in zip(part.topic.tolist(), part.document.to_pylist(), strict=True)
    ] == [each for each in rows if each[0] in ("1", "3")]
    assert part.parameters["topics"] == "1, 3" and "topics" not in whole.parameters


def test_only_the_selected_topics_are_assigned(opened_project: Project) -> None:
    topics = tuple(topic.id for topic in opened_project.collection.topics())[:2]
    plan, _ = plan_assignment(
        opened_project, parse_candidates("ann,bob"), AssignmentOptions(overlap=2, topics=topics)
    )
    assert {item.topic for mine in plan.items.values() for item in mine} == set(topics)
