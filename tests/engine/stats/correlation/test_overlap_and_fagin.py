"""Tests of overlap, Jaccard and Fagin's distances, worked by hand."""

import pytest

from irjudge.stats import RankPair
from irjudge.stats.correlation import (
    fagin_footrule,
    fagin_footrule_distance,
    fagin_kendall,
    fagin_kendall_distance,
    jaccard,
    overlap,
)

PAIR = RankPair.of_lists("abcd", "baef")
APART = RankPair.of_lists("abcd", "wxyz")


def test_the_distances_of_two_top_4_lists_are_those_worked_by_hand() -> None:
    """F: a and b moved 1 each, c and e 5 - 3, d and f 5 - 4, twice.

    K: ab, and c, d each with e, f; cd and ef cost p.
    """
    assert fagin_footrule_distance(PAIR) == (8, 20)
    assert fagin_kendall_distance(PAIR, p=0) == (5, 16)
    assert fagin_kendall_distance(PAIR, p=0.5) == (6, 22)
    assert fagin_footrule(PAIR) == pytest.approx(1 - 0.4)


def test_disjoint_lists_have_the_maximum_distance() -> None:
    assert [
        fagin_footrule_distance(APART)[0],
        fagin_kendall_distance(APART, p=0)[0],
        fagin_kendall_distance(APART)[0],
    ] == [20, 16, 22]
    assert [fagin_footrule(APART), fagin_kendall(APART), overlap(APART), jaccard(APART)] == [
        0,
        0,
        0,
        0,
    ]


def test_lists_of_different_length_can_have_the_maximum_distance() -> None:
    pair = RankPair.of_lists("ab", "wxyz")
    assert (fagin_footrule(pair), fagin_kendall(pair)) == (0, 0)


def test_overlap_divides_by_the_depth_and_jaccard_by_the_union() -> None:
    assert [overlap(PAIR, cutoff=depth) for depth in (1, 2, 3, 4, 100)] == [0, 1, 2 / 3, 0.5, 0.5]
    assert [jaccard(PAIR, cutoff=depth) for depth in (1, 2, 3, 4, 100)] == [0, 1, 0.5, 1 / 3, 1 / 3]


def test_tied_items_at_the_cutoff_count_by_their_share() -> None:
    """Only one of {b, c} fits into the top 2: b counts half in one list and fully in the other."""
    pair = RankPair.of_lists(["a", {"b", "c"}], ["a", "b", "c"])
    assert overlap(pair, cutoff=2) == (1 + 0.5) / 2
    assert jaccard(pair, cutoff=2) == (1 + 0.5) / (1 + 1 + 0.5)


def test_a_longer_list_without_the_items_of_the_shorter_is_farther() -> None:
    pair = RankPair.of_lists("a", "abcd")
    assert overlap(pair) == 0.25 and overlap(pair, cutoff=1) == 1
