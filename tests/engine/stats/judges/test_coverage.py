"""Tests of the coverage of model-assisted intervals with rare relevance and a good model.

The short form is a smoke test; `--full` runs 500 samples of 20 collections for each case.
"""

import numpy as np
import pytest

from irjudge.stats import TopicsAre
from tests.engine.stats.judges.coverage import VALUES, Case, normal_intervals, simulate

# share relevant / share of right grades of the model / labels
CASES = [
    Case("5/95/60", 0.05, 0.95, 60),
    Case("5/96/130", 0.05, 0.96, 130),
    Case("2/98/130", 0.02, 0.98, 130),
    Case("1/99/100", 0.01, 0.99, 100),
    Case("3/90/300", 0.03, 0.90, 300),
    Case("30 graded/300", 0.3, 0.7, 300, 3, spread=0.15),
]
RARE_LARGE = [
    Case("grades 0-3, 5/98/100", 0.05, 0.98, 100, 3, far=True),
    Case("grades 0-3, 20/98/100", 0.20, 0.98, 100, 3, far=True),
    Case("grades 0-7, 20/98/200", 0.20, 0.98, 200, 7, far=True),
]
STRESS = [
    Case("5/95/60, errors at the top", 0.05, 0.95, 60, errors="top"),
    Case("5/96/130, errors where unlikely", 0.05, 0.96, 130, errors="unlikely"),
    Case("2/98/130, errors where unlikely", 0.02, 0.98, 130, errors="unlikely"),
    Case("0-3, 20/98/130, unlikely", 0.2, 0.98, 130, 3, errors="unlikely", far=True),
]
ALL_CASES = [*CASES, *RARE_LARGE, *STRESS]
KINDS = sorted(set(VALUES))
NAME = {"ids": lambda each: each.name}


def check(case: Case, topics: TopicsAre, *, planned: bool, full: bool) -> None:
    """Compare the coverage with .93 on average and .90 in the worst collection and run."""
    collections, draws, mean, worst = (
        (range(20), 500, 0.93, 0.90) if full else (range(2), 40, 0.90, 0.75)
    )
    coverage = simulate(case, planned=planned, topics=topics, collections=collections, draws=draws)
    assert coverage.used.min() > 0.75
    for kind in KINDS:
        held, lowest, _ = coverage.of(kind)
        assert held >= mean and lowest >= worst, (kind, held, lowest)


@pytest.mark.parametrize("planned", [False, True], ids=["uniform", "planned"])
@pytest.mark.parametrize("case", ALL_CASES, **NAME)
def test_intervals_hold_for_fixed_topics(case: Case, planned: bool, full: bool) -> None:
    check(case, "fixed", planned=planned, full=full)


@pytest.mark.slow
@pytest.mark.parametrize("planned", [False, True], ids=["uniform", "planned"])
@pytest.mark.parametrize("case", ALL_CASES, **NAME)
def test_intervals_hold_for_sampled_topics_and_for_two_stages(
    case: Case, planned: bool, full: bool
) -> None:
    """Topics are sampled or drawn, in turns in the short form."""
    kinds: list[TopicsAre] = ["sampled", "drawn"]
    for topics in kinds if full else [kinds[(ALL_CASES.index(case) + planned) % 2]]:
        check(case, topics, planned=planned, full=full)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, **NAME)
def test_intervals_hold_with_scaled_values_of_the_model(case: Case, full: bool) -> None:
    collections, draws = (range(20), 500) if full else (range(2), 40)
    coverage = simulate(case, planned=True, guess="scaled", collections=collections, draws=draws)
    for kind in KINDS:
        held, lowest, _ = coverage.of(kind)
        assert held >= 0.93 and lowest >= (0.90 if full else 0.75), (kind, held, lowest)


def test_the_simulation_shows_that_normal_intervals_fail() -> None:
    """Without the added errors less than two thirds of the intervals cover the value."""
    coverage = simulate(
        Case("1/99/100", 0.01, 0.99, 100),
        planned=False,
        collections=range(3),
        draws=60,
        intervals=normal_intervals,
    )
    assert coverage.of("P")[0] < 2 / 3


def test_no_interval_has_width_zero_where_documents_were_left_out() -> None:
    coverage = simulate(CASES[3], planned=False, collections=range(3), draws=60)
    assert (coverage.width > 0).all() and np.isfinite(coverage.width).all()
