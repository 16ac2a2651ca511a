"""Tests of laws that every rank correlation obeys, as declared."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.stats import RankPair, Statistic, list_correlations
from irjudge.stats.correlation import CORRELATIONS, rbo
from tests.lengths import example_count

every_statistic = pytest.mark.parametrize(
    "statistic", [CORRELATIONS.parse(each.name) for each in list_correlations()], ids=str
)
EXACT = 1e-9


@st.composite
def rankings(draw) -> RankPair:
    """Return two rankings of up to 12 items, with ties, some items in only one ranking."""
    positions = draw(
        st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(any), max_size=12)
    )
    return RankPair.of_lists(*(group_items(positions, side) for side in (0, 1)))


def group_items(positions: list[tuple[int, int]], side: int) -> list[tuple[int, ...]]:
    groups = [
        tuple(item for item, pair in enumerate(positions) if pair[side] == index)
        for index in range(1, 6)
    ]
    return [group for group in groups if group]


@every_statistic
@pytest.mark.parametrize("items", ["common", "union"])
@given(pair=rankings())
@settings(max_examples=example_count(60))
def test_values_are_finite_and_within_bounds(statistic: Statistic, items, pair: RankPair) -> None:
    low, high = statistic.declaration.bounds
    with np.errstate(all="raise"):
        value = statistic.compute(pair, items)
    assert low - EXACT <= value <= high + EXACT, value


@every_statistic
@given(pair=rankings())
@settings(max_examples=example_count(60))
def test_swapping_changes_only_statistics_declared_asymmetric(
    statistic: Statistic, pair: RankPair
) -> None:
    if statistic.declaration.symmetric:
        assert statistic.compute(pair.swap_rankings()) == pytest.approx(
            statistic.compute(pair), abs=EXACT
        )


@pytest.mark.parametrize(
    "statistic",
    [CORRELATIONS.parse(each.name) for each in list_correlations() if not each.symmetric],
    ids=str,
)
def test_statistics_declared_asymmetric_are_asymmetric(statistic: Statistic) -> None:
    pair = RankPair.of_lists("abcde", "bcdea")
    assert statistic.compute(pair) != statistic.compute(pair.swap_rankings())


@every_statistic
@pytest.mark.parametrize("length", [2, 3, 7, 20])
def test_a_ranking_equals_itself_and_opposes_its_reverse(statistic: Statistic, length: int) -> None:
    ranking = list(range(length))
    declared = statistic.declaration
    if declared.same is not None:
        assert statistic.compute(RankPair.of_lists(ranking, ranking)) == pytest.approx(
            declared.same
        )
    if declared.opposite is not None:
        assert statistic.compute(RankPair.of_lists(ranking, ranking[::-1])) == pytest.approx(
            declared.opposite
        )


@every_statistic
@given(pair=rankings(), seed=st.randoms(use_true_random=False))
@settings(max_examples=example_count(60))
def test_neither_names_nor_the_order_of_lines_matter(
    statistic: Statistic, pair: RankPair, seed
) -> None:
    order = list(range(len(pair)))
    seed.shuffle(order)
    shuffled = RankPair(pair.first[order], pair.second[order])
    assert statistic.compute(shuffled) == pytest.approx(statistic.compute(pair), abs=EXACT)


@every_statistic
def test_no_items_give_0(statistic: Statistic) -> None:
    assert (
        statistic.declaration.name == "rbo-res" or statistic.compute(RankPair.of_lists("", "")) == 0
    )
    if statistic.declaration.kind == "order":
        assert statistic.compute(RankPair.of_lists("a", "a")) == 0


@pytest.mark.parametrize(
    "name",
    [
        "rbo",
        "rbo(ties=b)",
        "overlap",
        "jaccard",
        "fagin-footrule",
        "fagin-kendall",
        "spearman",
        "tau-b",
        "footrule",
    ],
)
def test_a_ranking_with_ties_equals_itself(name: str) -> None:
    ranking = ["a", {"b", "c"}, "d", {"e", "f", "g"}]
    statistic = CORRELATIONS.parse(name)
    like_itself = statistic.compute(RankPair.of_lists(ranking, ranking))
    assert like_itself == pytest.approx(1) or (name == "rbo" and like_itself < 1)


def test_ties_of_unknown_order_may_differ_so_the_mean_is_below_1() -> None:
    ranking = ["a", {"b", "c"}]
    assert rbo(RankPair.of_lists(ranking, ranking)) < 1
    assert rbo(RankPair.of_lists(ranking, ranking), ties="w") == pytest.approx(1)


@pytest.mark.parametrize("declaration", list_correlations(), ids=lambda each: each.name)
def test_every_statistic_has_a_description(declaration) -> None:
    assert declaration.title and declaration.formula and declaration.about.endswith(".")
