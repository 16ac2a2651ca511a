"""Tests of the items shown to an adjudicator, and of their order."""

from dataclasses import replace

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.model import UNJUDGEABLE, Labels, make_labels
from irjudge.stats.consensus import adjudication_queue, consensus_by_methods

METHODS = ("majority", "lower-median")


def items(**votes: tuple[int, ...]) -> Labels:
    return make_labels(
        [(name, f"w{at}", vote) for name, each in votes.items() for at, vote in enumerate(each)],
        range(6),
    )


def names(labels: Labels, *, rel: float = 1) -> list[str]:
    return [
        labels.items[each.item]
        for each in adjudication_queue(consensus_by_methods(labels, METHODS), rel=rel)
    ]


def test_items_with_different_votes_are_disputed_even_if_rules_agree() -> None:
    labels = items(agreed=(1, 1, 1), split=(0, 0, 2, 2, 3), two=(0, 1), alone=(3,))
    by_name = {
        labels.items[each.item]: each
        for each in adjudication_queue(consensus_by_methods(labels, METHODS))
    }
    assert sorted(by_name) == ["split", "two"]
    # Worked by hand: the majority is a tie of 0 and 2, so the lower wins; the median is 2.
    # 4 of its 10 pairs of votes differ by 2, 2 by 3 and 2 by 1.
    assert (by_name["split"].grades, by_name["split"].votes) == ((0, 2), 5) and by_name[
        "split"
    ].weight == pytest.approx(1.6)
    # Both rules give 0 for the two votes.
    assert (
        by_name["two"].grades,
        by_name["two"].weight,
        by_name["two"].differs_in_relevance,
        by_name["two"].votes_differ,
    ) == ((0, 0), 1, True, True)


def test_disputes_about_relevance_come_first_then_the_widest() -> None:
    labels = items(narrow=(1, 1, 2, 3, 3), wide=(1, 1, 3, 4, 5), crossing=(0, 0, 0, 0, 1))
    queue = adjudication_queue(consensus_by_methods(labels, METHODS))
    assert [labels.items[each.item] for each in queue] == ["crossing", "wide", "narrow"]
    assert [each.differs_in_relevance for each in queue] == [True, False, False]
    assert names(items(low=(0, 1), high=(1, 2)), rel=2) == ["high", "low"]


def test_unjudgeable_against_a_grade_is_the_largest_difference() -> None:
    labels = items(near=(0, 1), refused=(2, 3), both=(1, 1))
    label = labels.label.copy()
    label[[3, 4, 5]] = UNJUDGEABLE
    labels = replace(labels, label=label)
    queue = adjudication_queue(consensus_by_methods(labels, METHODS))
    assert [
        (labels.items[each.item], each.weight, each.differs_in_relevance) for each in queue
    ] == [
        ("refused", 5, True),
        ("near", 1, True),
    ]


def test_an_even_split_weighs_more_than_a_single_dissenter() -> None:
    assert names(items(lone=(0, 0, 0, 3), even=(0, 0, 3, 3))) == ["even", "lone"]


def test_word_labels_differ_by_their_positions_on_the_scale() -> None:
    labels = make_labels(
        [("d1", "a", "no"), ("d1", "b", "yes"), ("d2", "a", "no"), ("d2", "b", "no")]
    )
    [queue] = adjudication_queue(consensus_by_methods(labels, ("majority", "one-coin")))
    assert (queue.item, queue.weight, queue.differs_in_relevance) == (0, 1, False)


def test_a_mean_that_rounds_to_zero_has_no_sign() -> None:
    [queue] = adjudication_queue(consensus_by_methods(items(d=(0, 0, 1)), ("majority", "mean")))
    assert list(map("{:g}".format, queue.grades)) == ["0", "0"]


def test_importance_orders_items_within_their_kind() -> None:
    labels = items(first=(1, 1, 2, 3, 3), second=(1, 1, 2, 3, 3))
    rules = consensus_by_methods(labels, METHODS)
    assert [each.item for each in adjudication_queue(rules)] == [0, 1]
    queue = adjudication_queue(rules, importance=np.array([0.5, 2.0]))
    assert [each.item for each in queue] == [1, 0] and [
        each.weight for each in queue
    ] == pytest.approx([2.4, 0.6])


def test_agreeing_votes_with_different_rules_come_last() -> None:
    made = items(agreed=(1, 1), alone=(1,), split=(3, 4))
    one, two = consensus_by_methods(made, METHODS)
    refused = replace(
        two, label=np.array([-2, -2, 3], dtype=np.int32), value=np.array([np.nan, np.nan, 3.0])
    )
    last = adjudication_queue([one, refused])
    assert [
        (made.items[each.item], each.votes_differ, each.differs_in_relevance) for each in last
    ] == [
        ("split", True, False),
        ("agreed", False, True),
    ]
    assert last[1].weight == 5 and np.isnan(last[1].grades[1])
    higher = replace(
        two, label=np.array([2, 2, 3], dtype=np.int32), value=np.array([2.0, 2.0, 3.0])
    )
    assert [(made.items[each.item], each.weight) for each in adjudication_queue([one, higher])] == [
        ("split", 1),
        ("agreed", 1),
    ]


def test_agreement_leaves_an_empty_queue() -> None:
    assert adjudication_queue(consensus_by_methods(items(d=(1, 1, 1), e=(2,)), METHODS)) == ()


def test_comparing_rules_needs_the_same_items() -> None:
    with pytest.raises(IrjudgeError, match="two rules"):
        adjudication_queue(consensus_by_methods(items(d=(1,)), METHODS[:1]))
