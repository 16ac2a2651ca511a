"""Tests of counts of wins, losses and ties, and of cycles among them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.model import make_preferences
from irjudge.stats import (
    PairCounts,
    condorcet_winner,
    connected_components,
    copeland,
    count_circular_triads,
    count_pairs,
    shortest_cycles,
)

ANSWERS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(-1, 1)).filter(
        lambda row: row[0] != row[1]
    ),
    min_size=1,
)


def make_table(rows: list[tuple[str, str, int]]):
    left, right, winner = (list(column) for column in zip(*rows, strict=True))
    return make_preferences(left, right, winner)


def columns(counts: PairCounts) -> list[list[float]]:
    return [
        each.tolist()
        for each in (counts.first, counts.second, counts.wins, counts.losses, counts.ties)
    ]


@given(ANSWERS, st.randoms())
def test_neither_the_order_of_rows_nor_the_sides_change_the_counts(rows, random) -> None:
    mixed = rows[:]
    random.shuffle(mixed)
    swapped = [(right, left, -winner) for left, right, winner in rows]
    assert (
        columns(count_pairs(make_table(rows)))
        == columns(count_pairs(make_table(mixed)))
        == columns(count_pairs(make_table(swapped)))
    )
    assert columns(count_pairs(make_table(rows).swap_left_right())) == columns(
        count_pairs(make_table(rows))
    )


@given(ANSWERS)
def test_reversing_all_answers_exchanges_wins_and_losses(rows) -> None:
    plain = count_pairs(make_table(rows))
    turned = count_pairs(make_table([(left, right, -winner) for left, right, winner in rows]))
    assert (
        turned.wins.tolist() == plain.losses.tolist()
        and copeland(turned).tolist() == (-copeland(plain)).tolist()
    )


def test_a_cycle_of_three_is_shown_without_a_best_item() -> None:
    # Three items, each beating the next by 6 to 4: Copeland scores (0, 0, 0).
    circle = PairCounts.of_matrix(np.array([[0, 6, 4], [4, 0, 6], [6, 4, 0]]))
    assert copeland(circle).tolist() == [0, 0, 0]
    assert shortest_cycles(circle) == [(0, 1, 2)]
    assert (count_circular_triads(circle), condorcet_winner(circle)) == (1, None)


def test_a_longer_cycle_is_found_and_orders_have_none() -> None:
    ring, line = np.zeros((5, 5)), np.triu(np.ones((5, 5)), 1)
    ring[[0, 1, 2, 3, 4], [1, 2, 3, 4, 0]] = 1
    assert shortest_cycles(PairCounts.of_matrix(ring)) == [(0, 1, 2, 3, 4)]
    assert (
        shortest_cycles(PairCounts.of_matrix(line)) == []
        and condorcet_winner(PairCounts.of_matrix(line)) == 0
    )
    assert (
        count_circular_triads(PairCounts.of_matrix(ring))
        == count_circular_triads(PairCounts.of_matrix(line))
        == 0
    )


def test_even_pairs_have_no_majority_but_connect_items() -> None:
    even = PairCounts.of_matrix(np.array([[0, 2, 0], [2, 0, 0], [0, 0, 0]]))
    assert copeland(even).tolist() == [0, 0, 0]
    assert connected_components(even).tolist() == [0, 0, 1]


@pytest.mark.parametrize("seed", range(5))
def test_circular_triads_are_those_counted_one_by_one(seed: int) -> None:
    beats = np.triu(np.random.default_rng(seed).integers(0, 2, (7, 7)), 1)
    wins = beats + np.tril(1 - beats.T, -1)
    triads = sum(
        wins[a, b] * wins[b, c] * wins[c, a] + wins[b, a] * wins[c, b] * wins[a, c]
        for a in range(7)
        for b in range(a)
        for c in range(b)
    )
    assert count_circular_triads(PairCounts.of_matrix(wins)) == triads
