"""Tests of the binormal curve: worked values, ranked scores, and recovered parameters."""

from statistics import NormalDist

import numpy as np
import pytest

from irjudge.errors import MeasureError
from irjudge.stats import fit_binormal
from irjudge.stats.binormal import BinormalCurve

NORMAL = NormalDist()


def test_precision_follows_from_the_two_distributions() -> None:
    """The score exceeded by half of the relevant documents is exceeded by a tenth of the others.

    The means are 1.2816 apart.
    """
    tenth = -NORMAL.inv_cdf(0.1)
    assert BinormalCurve(tenth, 1.0, 0.5).precision(0.5) == pytest.approx(0.5 / (0.5 + 0.1))
    assert BinormalCurve(tenth, 1.0, 0.25).precision(0.5) == pytest.approx(
        0.25 * 0.5 / (0.25 * 0.5 + 0.75 * 0.1)
    )
    assert BinormalCurve(0.0, 1.0, 0.25).precision([0.01, 0.5, 1.0]) == pytest.approx([0.25] * 3)
    assert BinormalCurve(0.0, 1.0, 0.25).area == pytest.approx(0.25)
    assert BinormalCurve(tenth, 1.0, 0.5).precision([0.0, 1.0]) == pytest.approx(
        [1.0, 0.5], abs=1e-3
    )


@pytest.mark.parametrize(
    ("separation", "spread", "share"), [(1.5, 0.8, 0.2), (0.7, 2.0, 0.5), (3.0, 1.0, 0.01)]
)
def test_the_area_is_the_average_precision_of_simulated_scores(
    separation: float, spread: float, share: float
) -> None:
    """100,000 documents have scores at the quantiles of their distributions.

    AP is counted on the ranking, not computed from the curve.
    """
    relevant, others = (
        np.array([NORMAL.inv_cdf((at + 0.5) / count) for at in range(count)])
        for count in _parts(share)
    )
    scores = np.concatenate((separation + spread * relevant, others))
    hits = np.argsort(-scores) < len(relevant)
    result = np.cumsum(hits)[hits] / (np.flatnonzero(hits) + 1)
    assert BinormalCurve(separation, spread, share).area == pytest.approx(result.mean(), abs=2e-3)


def _parts(share: float) -> tuple[int, int]:
    return round(share * 100_000), round((1 - share) * 100_000)


@pytest.mark.parametrize(
    "numbers", [(1.5, 0.8, 0.2), (0.7, 2.0, 0.5), (3.0, 1.0, 0.01), (0.0, 1.0, 0.3)]
)
def test_the_parameters_of_a_curve_are_recovered(numbers: tuple[float, float, float]) -> None:
    made, points = BinormalCurve(*numbers), np.arange(11) / 10
    curve = fit_binormal(points, made.precision(points))
    assert curve.error < 1e-6
    assert curve.area == pytest.approx(made.area, abs=1e-4)
    assert curve.precision(points[1:]) == pytest.approx(made.precision(points[1:]), abs=1e-5)


def test_no_curve_near_it_fits_better() -> None:
    points = np.arange(11) / 10
    heights = np.array([0.9, 0.8, 0.75, 0.6, 0.4, 0.35, 0.3, 0.1, 0.05, 0.0, 0.0])
    curve = fit_binormal(points, heights)
    near = [
        BinormalCurve(
            curve.separation + a, curve.spread * np.exp(b), curve.share * np.exp(c)
        ).precision(points[1:])
        for a in (-0.05, 0, 0.05)
        for b in (-0.05, 0, 0.05)
        for c in (-0.05, 0, 0.05)
    ]
    assert (
        min(np.sqrt(np.mean(np.square(each - heights[1:]))) for each in near) >= curve.error - 1e-9
    )


def test_too_few_points_are_refused() -> None:
    with pytest.raises(MeasureError) as error:
        fit_binormal([0.0, 0.5, 0.5, 1.0], [1.0, 0.5, 0.4, 0.3])
    assert error.value.values["minimum"] == "3"
    assert error.value.values["count"] == "2"
