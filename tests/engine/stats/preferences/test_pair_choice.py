"""Tests of the choice of pairs to compare: all, random, or a tournament for the best items."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.stats import PairCounts, TopSearch, connected_components, random_pairs, shuffled_pairs

SEEDS = st.integers(0, 2**64 - 1)


def run_search(search: TopSearch, judge) -> int:
    asked = set()
    while (pair := search.next_pair()) is not None:
        assert pair not in asked and pair[::-1] not in asked
        asked.add(pair)
        search.answer(*pair, judge(*pair))
    return len(asked)


@given(st.integers(0, 12), SEEDS)
def test_all_pairs_occur_once_in_random_order(items: int, seed: int) -> None:
    pairs = shuffled_pairs(items, seed=seed)
    assert len({tuple(pair) for pair in pairs.tolist()}) == len(pairs) == items * (items - 1) // 2
    assert (pairs[:, 0] < pairs[:, 1]).all()


@given(st.integers(0, 15), st.integers(1, 120), SEEDS)
def test_random_pairs_keep_the_budget_and_connect_all_items(
    items: int, budget: int, seed: int
) -> None:
    pairs = random_pairs(items, budget, seed=seed)
    assert (
        len({tuple(pair) for pair in pairs.tolist()})
        == len(pairs)
        == min(budget, items * (items - 1) // 2)
    )
    assert np.array_equal(pairs, random_pairs(items, budget, seed=seed))
    if items > 1 and budget >= items - 1:
        ones = np.ones(len(pairs))
        assert (
            len(
                set(
                    connected_components(
                        PairCounts(items, pairs[:, 0], pairs[:, 1], ones, ones, ones)
                    ).tolist()
                )
            )
            == 1
        )


@given(st.integers(4, 15), st.integers(1, 3), SEEDS)
def test_random_pairs_use_each_item_about_equally_often(items: int, rounds: int, seed: int) -> None:
    budget = min(items * rounds, items * (items - 1) // 4)
    often = np.bincount(random_pairs(items, budget, seed=seed).ravel(), minlength=items)
    assert often.max() - often.min() <= 2 * rounds + 1


@given(
    st.integers(1, 25).flatmap(
        lambda items: st.tuples(st.permutations(range(items)), st.integers(1, items))
    ),
    SEEDS,
)
def test_a_tournament_finds_the_top_of_a_consistent_order(
    given_: tuple[list[int], int], seed: int
) -> None:
    position, top = given_
    search = TopSearch(len(position), top, seed=seed)
    asked = run_search(search, lambda a, b: 1 if position[a] < position[b] else -1)
    assert search.ranking()[:top] == [[position.index(rank)] for rank in range(top)]
    assert asked <= len(position) * (len(position) - 1) // 2
    if len(position) >= 6:
        assert asked < len(position) * (len(position) - 1) // 2


@pytest.mark.slow
def test_the_best_of_n_takes_n_less_one_comparisons_and_the_next_few_more() -> None:
    for seed in range(20):
        assert run_search(TopSearch(64, 1, seed=seed), lambda a, b: 1 if a < b else -1) == 63
        assert run_search(TopSearch(64, 5, seed=seed), lambda a, b: 1 if a < b else -1) < 63 + 4 * 7


@given(st.lists(st.integers(0, 3), min_size=2, max_size=14), st.integers(1, 4), SEEDS)
def test_tied_items_share_a_rank_and_no_better_one_is_lost(
    levels: list[int], top: int, seed: int
) -> None:
    search = TopSearch(len(levels), top, seed=seed)
    run_search(search, lambda a, b: int(np.sign(levels[b] - levels[a])))
    ranking = search.ranking()
    for group in ranking:
        assert len({levels[item] for item in group}) == 1
    chosen = {item for group in ranking for item in group}
    worst = max(levels[item] for item in chosen)
    assert {item for item, level in enumerate(levels) if level < worst} <= chosen
    assert len(chosen) >= min(top, len(levels))


def test_a_tie_is_never_taken_as_transitive() -> None:
    search = TopSearch(3, 1, seed=3)
    search.answer(0, 1, 0)
    search.answer(1, 2, 0)
    assert search.next_pair() == (0, 2)
    search.answer(0, 2, 1)
    assert search.next_pair() is None and search.ranking() == [[0, 1]]


def test_items_in_a_cycle_share_their_rank() -> None:
    search = TopSearch(4, 1, seed=0)
    for first, second in ((0, 1), (1, 2), (2, 0), (2, 3)):
        search.answer(first, second, 1)
    assert search.next_pair() is None and search.ranking() == [[0, 1, 2]]


@given(st.integers(2, 12), st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_search_ends_for_any_answers(items: int, top: int, random) -> None:
    search = TopSearch(items, top, seed=1)
    assert run_search(search, lambda a, b: random.choice((-1, 0, 1))) <= items * (items - 1) // 2
    assert sum(map(len, search.ranking())) >= min(top, items)


def test_a_budget_and_a_top_are_at_least_1() -> None:
    with pytest.raises(IrjudgeError) as error:
        random_pairs(3, 0, seed=1)
    assert error.value.values["budget"] == "0"
    with pytest.raises(IrjudgeError) as error:
        TopSearch(3, 0, seed=1)
    assert error.value.values["top"] == "0"
