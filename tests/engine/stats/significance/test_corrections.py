"""Tests of corrections for multiple comparisons: published values, and laws."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from irjudge.stats.significance import CORRECTIONS, holm
from irjudge.stats.significance.tests import benjamini_hochberg, bonferroni

# Benjamini and Hochberg (1995), section 4.1.
PAPER = [
    0.0001,
    0.0004,
    0.0019,
    0.0095,
    0.0201,
    0.0278,
    0.0298,
    0.0344,
    0.0459,
    0.3240,
    0.4262,
    0.5719,
    0.6528,
    0.7590,
    1,
]


def test_the_example_of_benjamini_and_hochberg_is_reproduced() -> None:
    """At .05 the paper rejects 3 by Bonferroni and 4 by its own procedure."""
    assert [
        int((adjust(PAPER) <= 0.05).sum()) for adjust in (bonferroni, holm, benjamini_hochberg)
    ] == [3, 3, 4]
    assert holm(PAPER).round(4).tolist() == [
        0.0015,
        0.0056,
        0.0247,
        0.1140,
        0.2211,
        0.278,
        0.278,
        0.278,
        0.3213,
        *[1] * 6,
    ]
    expected = [
        0.0015,
        0.003,
        0.0095,
        0.035625,
        0.0603,
        0.063857,
        0.063857,
        0.0645,
        0.0765,
        0.486,
        0.581182,
        0.714875,
        0.753231,
        0.813214,
        1,
    ]
    assert benjamini_hochberg(PAPER).round(6).tolist() == expected


def test_holm_keeps_the_order_of_its_input() -> None:
    """By hand: .005 × 4, .01 × 3, .03 × 2, and .04 × 1 raised to .06."""
    assert holm([0.01, 0.04, 0.03, 0.005]).round(10).tolist() == [0.03, 0.06, 0.06, 0.02]


@given(st.lists(st.floats(0, 1), max_size=20))
def test_adjusted_values_keep_order_and_lie_between_p_and_bonferroni(p) -> None:
    for correction in CORRECTIONS.values():
        adjusted = correction.adjust(p)
        assert adjusted.shape == (len(p),)
        assert (adjusted >= np.array(p) - 1e-12).all() and (adjusted <= bonferroni(p) + 1e-12).all()
        assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_scipy_agrees(p) -> None:
    assert benjamini_hochberg(p) == pytest.approx(scipy.stats.false_discovery_control(p), abs=1e-12)
