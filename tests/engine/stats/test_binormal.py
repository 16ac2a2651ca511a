"""The binormal curve: its formula at points worked by hand, and that fitting finds the curve that points lie on."""

import numpy as np
import pytest
from scipy.stats import norm

from irjudge.errors import MeasureError
from irjudge.stats.binormal import Binormal, fit_binormal

LEVELS = np.arange(11) / 10


def test_a_point_of_the_curve():
    # Half of the relevant documents score above their mean, which is 2 deviations above that of the others: Φ(−2) = .02275 of these do.
    # With one relevant in five: .2·.5 / (.2·.5 + .8·.02275)
    curve = Binormal(separation=2.0, spread=1.0, share=0.2)
    assert curve.precision(0.5) == pytest.approx(0.1 / (0.1 + 0.8 * 0.0227501319))
    # recall .8413 is reached one deviation below the mean: at 2 − 1.5 = .5 of the others, of which .3085 score more
    wide = Binormal(separation=2.0, spread=1.5, share=0.2)
    assert wide.precision(0.8413447461) == pytest.approx(0.2 * 0.8413447461 / (0.2 * 0.8413447461 + 0.8 * 0.3085375387))
    assert curve.precision([1.0]).tolist() == pytest.approx([0.2])


def test_scores_that_say_nothing_have_the_precision_of_chance():
    chance = Binormal(separation=0.0, spread=1.0, share=0.3)
    assert chance.precision(LEVELS[1:]) == pytest.approx(np.full(10, 0.3))
    assert chance.area == pytest.approx(0.3)


@pytest.mark.parametrize("truth", [Binormal(2.0, 1.0, 0.2), Binormal(0.5, 1.0, 0.05), Binormal(1.5, 2.0, 0.01), Binormal(3.0, 0.5, 0.4)])
def test_fitting_finds_the_curve_that_the_points_lie_on(truth):
    fit = fit_binormal(LEVELS, truth.precision(LEVELS))
    assert (fit.separation, fit.spread, fit.share) == pytest.approx((truth.separation, truth.spread, truth.share), rel=1e-3)
    assert fit.error == pytest.approx(0, abs=1e-6)
    known = fit_binormal(LEVELS, truth.precision(LEVELS), share=truth.share)
    assert (known.separation, known.spread, known.share) == pytest.approx((truth.separation, truth.spread, truth.share), rel=1e-3)


def test_a_ranking_by_binormal_scores_is_fitted_as_its_scores_were_drawn():
    rng = np.random.default_rng(5)
    relevant, others = rng.normal(1.5, 1.2, 40_000), rng.normal(0, 1, 360_000)
    order = np.argsort(-np.concatenate([relevant, others]))
    found = np.cumsum(order < len(relevant))
    recall, precision = found / len(relevant), found / np.arange(1, len(order) + 1)
    at = np.searchsorted(recall, LEVELS[1:])
    fit = fit_binormal(LEVELS[1:], precision[at], share=0.1)
    assert (fit.separation, fit.spread) == pytest.approx((1.5, 1.2), abs=0.1)
    # the same area as the curve that the two distributions have
    thresholds = norm.isf((np.arange(1000) + 0.5) / 1000, 1.5, 1.2)
    right, wrong = 0.1 * norm.sf(thresholds, 1.5, 1.2), 0.9 * norm.sf(thresholds)
    assert fit.area == pytest.approx((right / (right + wrong)).mean(), abs=0.01)


def test_too_few_points_and_impossible_shares_are_refused():
    with pytest.raises(MeasureError, match=r"^A binormal curve needs 3 points of different recall above 0 or more, got 2\.$"):
        fit_binormal([0, 0.5, 0.5, 1], [1, 1, 1, 0.5])
    assert fit_binormal([0.5, 1], [0.8, 0.5], share=0.5).share == 0.5
    for share in (0, 1, -0.1):
        with pytest.raises(MeasureError, match="share must be above 0 and below 1"):
            fit_binormal(LEVELS, LEVELS, share=share)


def test_flat_points_are_fitted_without_a_warning():
    fit = fit_binormal(LEVELS, np.zeros(11))
    assert 0 < fit.share < 1 and np.isfinite(fit.precision(LEVELS)).all()
