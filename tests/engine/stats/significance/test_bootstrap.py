"""Tests of the bootstrap: intervals and test against all resamples, and against scipy."""

from itertools import product

import numpy as np
import pytest
import scipy.stats

from irjudge.errors import IrjudgeError
from irjudge.stats import Sampling
from irjudge.stats.significance import all_pairs, bootstrap_intervals, run_test
from irjudge.stats.significance.tests import MeanInterval

MAIZE = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48.0])


def bootstrap_interval(values: np.ndarray, **options) -> MeanInterval | None:
    pair = np.stack((values, np.zeros_like(values)))
    return bootstrap_intervals(pair, np.array([[0, 1]]), **options)[0]


@pytest.mark.parametrize(("method", "of_scipy"), [("percentile", "percentile"), ("bca", "BCa")])
def test_scipy_agrees_within_chance(method, of_scipy) -> None:
    interval = bootstrap_interval(MAIZE, method=method, sampling=Sampling(samples=50_000))
    expected = scipy.stats.bootstrap(
        (MAIZE,),
        np.mean,
        n_resamples=50_000,
        method=of_scipy,
        rng=np.random.default_rng(1),
        vectorized=True,
    ).confidence_interval
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=0.6)
    assert interval.method == f"bootstrap {method}, 50,000 samples, seed 0"


def test_a_skewed_sample_moves_the_corrected_interval() -> None:
    skewed = np.array([0.0, 0.0, 0.1, 0.1, 0.1, 0.2, 0.9, 1.0])
    plain, corrected = (
        bootstrap_interval(skewed, method=method) for method in ("percentile", "bca")
    )
    assert corrected.low > plain.low and corrected.high > plain.high


def test_the_test_agrees_with_counting_all_resamples() -> None:
    values = np.array([0.1, 0.2, 0.0, 0.3, -0.1])
    resampled_means = np.array([np.mean(each) for each in product(values, repeat=5)])
    expected = np.mean(np.abs(resampled_means - values.mean()) >= abs(values.mean()) - 1e-12)
    assert run_test("bootstrap", [values, 0 * values], sampling=Sampling(samples=40_000)).p[
        0
    ] == pytest.approx(expected, abs=0.01)


def test_pairs_have_the_same_resamples_together_and_alone() -> None:
    scores = np.random.default_rng(2).random((3, 30))
    together = bootstrap_intervals(scores, all_pairs(3), sampling=Sampling(samples=500))
    alone = [
        bootstrap_interval(scores[a] - scores[b], sampling=Sampling(samples=500))
        for a, b in all_pairs(3).tolist()
    ]
    assert [(each.low, each.high) for each in together] == [
        pytest.approx((each.low, each.high)) for each in alone
    ]


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    first, again, other = (
        bootstrap_interval(MAIZE, sampling=Sampling(seed=seed, samples=300)) for seed in (1, 1, 2)
    )
    assert first == again and (first.low, first.high) != (other.low, other.high)


def test_edge_cases_are_defined() -> None:
    assert bootstrap_interval(np.array([])) is None and bootstrap_interval(np.array([0.5])) is None
    flat = bootstrap_interval(np.array([0.1, 0.1, 0.1]), method="bca")
    assert (flat.low, flat.high) == pytest.approx((0.1, 0.1))
    assert run_test("bootstrap", [[], []]).p.tolist() == [1] and run_test(
        "bootstrap", [[0.5], [0.1]]
    ).p.tolist() == [1]
    assert run_test("bootstrap", [[0.5, 0.1], [0.5, 0.1]]).p.tolist() == [1]
    assert run_test(
        "bootstrap", [[0.3, 0.3], [0.2, 0.2]], sampling=Sampling(samples=99)
    ).p.tolist() == [0.01]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [({"confidence": 1}, "between 0 and 1, got 1"), ({"method": "magic"}, "method 'magic'")],
)
def test_invalid_options_are_refused(options, sentence) -> None:
    with pytest.raises(IrjudgeError, match=sentence):
        bootstrap_interval(MAIZE, **options)
