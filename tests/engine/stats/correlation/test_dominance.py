"""Tests of the agreement of items, against counting every pair."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irjudge.stats import rank_agreement


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=40))
def test_counts_are_those_of_a_loop_over_all_pairs(positions) -> None:
    first, second = (
        np.array([pair[side] for pair in positions], dtype=np.int64) for side in (0, 1)
    )
    one, two = np.sign(first[:, None] - first), np.sign(second[:, None] - second)
    agreement = rank_agreement(first, second)
    assert agreement.above.tolist() == ((one > 0) & (two > 0)).sum(axis=1).tolist()
    assert agreement.below.tolist() == ((one < 0) & (two < 0)).sum(axis=1).tolist()
    assert agreement.crossed.tolist() == (one * two < 0).sum(axis=1).tolist()
    assert agreement.tied_first.tolist() == ((one == 0).sum(axis=1) - 1).tolist()
    assert agreement.concordant + agreement.discordant == np.count_nonzero(np.triu(one * two))
    assert agreement.tied_once == (
        np.count_nonzero(np.triu((one == 0) & (two != 0))),
        np.count_nonzero(np.triu((one != 0) & (two == 0))),
    )
