"""Tests of the number of topics needed, against published tables and simulations."""

import numpy as np
import pytest
import scipy.stats

from irjudge.errors import IrjudgeError
from irjudge.stats.significance import (
    ComparisonDesign,
    OneWayDesign,
    PairedDesign,
    detectable_difference,
    required_topics,
)

DESIGNS = [PairedDesign(1.0), OneWayDesign(1.0, 2), OneWayDesign(1.0, 5), OneWayDesign(1.0, 70)]


def test_topics_needed_are_those_of_published_tables() -> None:
    """Cohen's tables (G*Power: 199, 90, 34, 15 for a paired two-sided test, α .05, power .8)."""
    assert [
        required_topics(PairedDesign(1.0), effect) for effect in (0.2, 0.3, 0.5, 0.8, -0.8)
    ] == [
        199,
        90,
        34,
        15,
        15,
    ]


@pytest.mark.parametrize(
    ("effect", "alpha", "power", "expected"),
    [(3, 0.01, 0.8, 5), (3.5, 0.001, 0.8, 6), (3.5, 0.01, 0.8, 5), (1, 0.001, 0.99, 38)],
)
def test_topics_needed_are_right_if_scipys_tail_is_nan(
    effect: float, alpha: float, power: float, expected: int
) -> None:
    """For (3.5, .01) 400,000 simulated samples have power .753 (four topics) and .964 (five)."""
    assert required_topics(PairedDesign(1.0), effect, alpha=alpha, power=power) == expected


@pytest.mark.parametrize(("effect", "options"), [(0.5, {"alpha": 0}), (0.5, {"power": 1})])
def test_impossible_plans_are_refused(effect, options) -> None:
    with pytest.raises(IrjudgeError):
        required_topics(PairedDesign(1.0), effect, **options)


def test_more_than_a_million_topics_are_not_planned() -> None:
    assert required_topics(PairedDesign(1.0), 1e-9) is None
    assert required_topics(PairedDesign(1.0), 0) is None


def test_one_way_topics_needed_are_those_of_published_tables() -> None:
    """Two systems: Cohen's tables of two independent samples.

    Four: f² = .0625, power .9 (Vidakovic 2011, example 11.8).
    """
    assert [required_topics(OneWayDesign(1.0, 2), effect) for effect in (0.2, 0.5, 0.8)] == [
        394,
        64,
        26,
    ]
    assert required_topics(OneWayDesign(1.0, 4), 0.5**0.5, power=0.9) == 58
    assert OneWayDesign(1.0, 4).power(60, 0.5**0.5) == pytest.approx(0.9122, abs=5e-5)
    # f = .25, which is a difference of f·√(2m) deviations (G*Power: 159 and 180 in all)
    assert [required_topics(OneWayDesign(1.0, m), 0.25 * (2 * m) ** 0.5) for m in (3, 4)] == [
        53,
        45,
    ]


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("topics", [2, 6, 25, 47, 1000])
def test_power_does_not_decrease_with_the_effect(design: ComparisonDesign, topics: int) -> None:
    """This includes tails that are too thin for scipy, which returns nan there."""
    chances = [
        design.power(topics, difference)
        for difference in np.concatenate((np.linspace(0, 3, 61), np.geomspace(3, 1e4, 30)))
    ]
    assert (
        chances[0] == pytest.approx(0.05) and chances[-1] == 1 and (np.diff(chances) > -1e-9).all()
    )


@pytest.mark.parametrize(
    "design", [PairedDesign(0.0609), OneWayDesign(0.2, 10), PairedDesign(1e-9)]
)
@pytest.mark.parametrize("topics", [2, 25, 47, 50])
def test_the_detectable_effect_needs_the_given_number_of_topics(
    design: ComparisonDesign, topics: int
) -> None:
    seen = detectable_difference(design, topics)
    assert seen is not None and design.power(topics, seen) == pytest.approx(0.8)
    assert required_topics(design, seen * 1.0001) == topics and required_topics(
        design, seen * 0.999
    ) == topics + (topics > 2 or 1)


def test_one_topic_detects_nothing_and_no_number_detects_zero() -> None:
    assert (
        detectable_difference(PairedDesign(1.0), 1) is None
        and required_topics(PairedDesign(1.0), 0) is None
    )


@pytest.mark.parametrize("topics", [524_289, 700_000, 1_000_000])
def test_numbers_beyond_a_million_are_not_given(topics: int) -> None:
    design = PairedDesign(1.0)
    seen, never = (detectable_difference(design, count) for count in (topics, 1_000_002))
    assert seen is not None and never is not None
    assert required_topics(design, seen * 1.000_000_1) == topics
    assert required_topics(design, never) is None


def test_simulated_power_is_the_computed_power() -> None:
    random = np.random.default_rng(7)
    pairs = random.normal(0.05, 0.1, (4000, 34))
    power = (scipy.stats.ttest_1samp(pairs, 0, axis=1).pvalue < 0.05).mean()
    assert power == pytest.approx(PairedDesign(0.1).power(34, 0.05), abs=0.025)
    # the best and the worst differ by the requested effect, the others are in the middle
    scores = random.normal(0, 0.2, (4000, 4, 30)) + np.array([0.08, 0, 0, -0.08])[:, None]
    power = (scipy.stats.f_oneway(*np.moveaxis(scores, 1, 0), axis=1).pvalue < 0.05).mean()
    assert power == pytest.approx(OneWayDesign(0.2, 4).power(30, 0.16), abs=0.03)
