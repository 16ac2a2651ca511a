"""Tests of preferences for a side, unbalanced sides, and repeated questions."""

from irjudge.model import make_preferences
from irjudge.stats import count_left_choices, count_shown_left, self_agreement
from irjudge.stats.preferences import RepeatCounts


def test_swapped_sides_reverse_the_preference_for_a_side() -> None:
    preferences = make_preferences(["a", "b", "a", "c"], ["b", "a", "c", "a"], [1, 1, -1, 0])
    assert count_left_choices(preferences) == (2, 3) and count_left_choices(
        preferences.swap_left_right()
    ) == (
        1,
        3,
    )


def test_the_least_balanced_pair_is_found() -> None:
    preferences = make_preferences(["a", "b", "a", "a", "a"], ["b", "a", "c", "c", "c"], [1] * 5)
    assert count_shown_left(preferences) == (3, 3) and count_shown_left(
        preferences.swap_left_right()
    ) == (0, 3)


def test_repeats_are_of_one_assessor_topic_and_pair() -> None:
    preferences = make_preferences(
        ["a", "b", "a", "a", "a"],
        ["b", "a", "b", "b", "b"],
        [1, -1, 1, 1, -1],
        topic=["1", "1", "2", "1", "1"],
        assessor=["x", "x", "x", "y", ""],
    )
    assert self_agreement(preferences) == RepeatCounts(
        total=1, same=1, swapped=1, swapped_same=1, followed_side=0
    )


def test_always_answering_left_follows_the_side() -> None:
    preferences = make_preferences(["a", "b", "a"], ["b", "a", "b"], [1, 1, 1], assessor=["x"] * 3)
    assert self_agreement(preferences) == RepeatCounts(
        total=2, same=0, swapped=2, swapped_same=0, followed_side=2
    )


def test_a_tie_after_a_choice_is_another_answer_and_follows_no_side() -> None:
    preferences = make_preferences(["a", "a"], ["b", "b"], [1, 0], assessor=["x"] * 2)
    assert self_agreement(preferences) == RepeatCounts(
        total=1, same=0, swapped=0, swapped_same=0, followed_side=0
    )


def test_two_ties_agree_and_follow_no_side() -> None:
    preferences = make_preferences(["a", "b"], ["b", "a"], [0, 0], assessor=["x"] * 2)
    assert self_agreement(preferences) == RepeatCounts(
        total=1, same=1, swapped=1, swapped_same=1, followed_side=0
    )
