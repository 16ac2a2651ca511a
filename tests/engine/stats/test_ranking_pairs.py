"""Tests of paired rankings: ranks, ties by rounding, and items missing from one of them."""

import math

import numpy as np
import pytest

from irjudge.errors import MeasureError
from irjudge.stats import RankPair, rank_scores, rank_spans


def test_scores_that_differ_by_rounding_are_tied() -> None:
    assert rank_scores(np.array([0.1 + 0.2, 0.3, 0.3 + 1e-6])).tolist() == [2, 2, 1]


def test_infinite_scores_have_ranks() -> None:
    assert rank_scores(np.array([math.inf, 1.0, -math.inf, math.inf, 2.0])).tolist() == [
        1,
        3,
        4,
        1,
        2,
    ]


def test_a_score_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(MeasureError, match="not a number"):
        RankPair.of_scores([1, math.nan], [1, 2])


def test_both_rankings_need_the_same_number_of_scores() -> None:
    with pytest.raises(MeasureError) as error:
        RankPair.of_scores([1, 2], [1])
    assert error.value.values["first"] == "2"
    assert error.value.values["second"] == "1"


def test_an_item_occurs_once() -> None:
    with pytest.raises(MeasureError) as error:
        RankPair.of_lists(["a", "b", {"a"}], "ab")
    assert error.value.values["item"] == "'a'"
    assert error.value.values["first_rank"] == "1"
    assert error.value.values["second_rank"] == "3"


def test_missing_items_are_left_out_or_tied_last() -> None:
    pair = RankPair.of_lists("abc", "cxy")
    common, union = pair.select_items("common"), pair.select_items("union")
    assert sorted(zip(common.first.tolist(), common.second.tolist(), strict=True)) == [(3, 1)]
    assert sorted(zip(union.first.tolist(), union.second.tolist(), strict=True)) == [
        (1, 4),
        (2, 4),
        (3, 1),
        (4, 2),
        (4, 3),
    ]


def test_tied_items_span_the_ranks_of_their_group() -> None:
    spans = rank_spans(np.array([2, 1, 2, 0]))
    assert (spans.top.tolist(), spans.bottom.tolist(), spans.length) == (
        [2, 1, 2, 0],
        [3, 1, 3, 0],
        3,
    )
    assert spans.middle.tolist() == [2.5, 1, 2.5, 0]


def test_a_pair_knows_whether_it_has_ties() -> None:
    assert not RankPair.of_lists("ab", "bc").has_ties
    pair = RankPair.of_lists("ab", ["b", {"a", "c"}])
    assert pair.has_ties and not pair.select_items("common").has_ties
    assert RankPair.of_lists("abc", ["x", {"a", "b"}]).select_items("common").has_ties
