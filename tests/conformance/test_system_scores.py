"""Tests of per-topic scores of complete TREC tracks: published p-values, all systems."""

from pathlib import Path

import numpy as np
import pytest

from irjudge.stats import RankPair, Sampling, tau_b
from irjudge.stats.correlation import tau_ap_b
from irjudge.stats.significance import all_pairs, holm, run_test
from irjudge.stats.significance.tests import wilcoxon


@pytest.fixture
def trec8(data: Path) -> np.ndarray:
    """AP of 129 systems on 50 topics."""
    return np.loadtxt(data / "system_scores" / "adhoc8_ap.csv", delimiter=",", skiprows=1).T


def test_the_tests_of_two_systems_have_the_published_p_values(trec8: np.ndarray) -> None:
    """run125 against run126: p in the data's README (Urbano, Lima and Hanjalic 2019), two-tailed.

    Theirs used a million samples.
    """
    pair = trec8[[124, 125]]
    assert round(float(run_test("t", pair).p[0]), 10) == 0.0013193972
    # their sign test treats smaller differences as ties
    large = np.where(np.abs(pair[0] - pair[1]) > 0.01, pair[0] - pair[1], 0)
    assert round(float(run_test("sign", [large, 0 * large]).p[0]), 9) == 0.009559879
    # R ranks rounded differences; ours are equal if the decimals are.
    assert round(wilcoxon(pair[1] - pair[0], method="normal", correct=True)[1], 9) == 0.003445188
    assert run_test("permutation", pair, sampling=Sampling(samples=1_000_000)).p[
        0
    ] == pytest.approx(0.001188, abs=0.00015)
    assert run_test("bootstrap", pair, sampling=Sampling(samples=1_000_000)).p[0] == pytest.approx(
        0.000586, abs=0.0001
    )


def test_all_systems_of_a_track_are_compared_at_once(trec8: np.ndarray) -> None:
    pairs = all_pairs(len(trec8))
    assert trec8.shape == (129, 50) and len(pairs) == 8256
    t = run_test("t", trec8)
    permutation = run_test("permutation", trec8, sampling=Sampling(samples=20_000))
    # Smucker, Allan and Carterette (2007): the two agree.
    apart = np.abs(t.p - permutation.p)
    assert (
        np.median(apart) < 0.001
        and np.quantile(apart, 0.99) < 0.03
        and np.corrcoef(t.p, permutation.p)[0, 1] > 0.999
    )
    tukey = run_test("tukey", trec8, sampling=Sampling(samples=2000))
    assert (tukey.p >= permutation.p - 0.01).all()
    counts = [int((p < 0.05).sum()) for p in (t.p, holm(t.p), tukey.p)]
    assert counts[0] > counts[2] > 0 and counts[0] > counts[1] > 0


def test_two_measures_order_the_systems_of_a_track_similarly(data: Path) -> None:
    means = [
        np.loadtxt(data / "system_scores" / f"adhoc8_{name}.csv", delimiter=",", skiprows=1).mean(
            axis=0
        )
        for name in ("ap", "p10")
    ]
    pair = RankPair.of_scores(*means)
    assert len(pair) == 129
    assert 0.7 < tau_b(pair) < 0.95 and 0.5 < tau_ap_b(pair) < tau_b(pair)
