"""Significance tests and corrections by name: the door to all of them."""

from collections.abc import Sequence

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.sampling import Sampling
from irjudge.stats.significance.bootstrap import bootstrap_interval, bootstrap_test
from irjudge.stats.significance.corrections import (
    CORRECTIONS,
    Correction,
    benjamini_hochberg,
    bonferroni,
    holm,
)
from irjudge.stats.significance.differences import all_pairs
from irjudge.stats.significance.permutation import permutation_test, randomised_tukey
from irjudge.stats.significance.power import topics_needed
from irjudge.stats.significance.registry import TESTS, Outcome, SignificanceTest
from irjudge.stats.significance.t_test_and_tukey import t_interval, t_test, tukey_hsd
from irjudge.stats.significance.wilcoxon_and_sign import sign_test, wilcoxon, wilcoxon_test

__all__ = [
    "CORRECTIONS",
    "TESTS",
    "Correction",
    "Outcome",
    "Sampling",
    "SignificanceTest",
    "all_pairs",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap_interval",
    "bootstrap_test",
    "find_correction",
    "find_test",
    "holm",
    "permutation_test",
    "randomised_tukey",
    "run_test",
    "sign_test",
    "t_interval",
    "t_test",
    "topics_needed",
    "tukey_hsd",
    "wilcoxon",
    "wilcoxon_test",
]

find_test, find_correction = TESTS.find, CORRECTIONS.find


def run_test(
    name: str,
    scores: Floats | Sequence[Sequence[float]],
    pairs: Longs | None = None,
    sampling: Sampling | None = None,
) -> Outcome:
    """Return what a test says of pairs of systems, on their scores of the same n topics, shape (K, n).

    `pairs`, shape (P, 2), are rows of `scores`; None for every two. IrjudgeError when the test is not known, or a score is not finite.

    >>> run_test("sign", [[.5, .4, .3], [.4, .2, .1]]).p.tolist()
    [0.25]
    """
    declared = find_test(name)
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2:
        raise IrjudgeError("A test takes a row of scores for each system, all on the same topics.")
    if not np.isfinite(table).all():
        raise IrjudgeError("A score is not a finite number, so the systems cannot be compared.")
    chosen = all_pairs(len(table)) if pairs is None else pairs
    return declared.function(table, chosen, sampling or Sampling())
