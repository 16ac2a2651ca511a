"""Which items an adjudicator sees, and in what order."""

from dataclasses import replace

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.model.labels import Labels, make_labels
from irjudge.stats.consensus import several
from irjudge.stats.consensus_queue import adjudication_queue

METHODS = ("majority", "lower-median")


def items(**votes: tuple[int, ...]) -> Labels:
    return make_labels([(name, f"w{at}", vote) for name, each in votes.items() for at, vote in enumerate(each)], range(6))


def test_only_items_on_which_rules_disagree_wait() -> None:
    labels = items(agreed=(1, 1, 1), split=(0, 0, 2, 2, 3))
    # Majority of the second: 0 and 2 tie, the lower wins; its median is 2.
    [found] = adjudication_queue(several(labels, METHODS))
    assert (labels.items[found.item], found.grades, found.votes, found.weight, found.crosses) == ("split", (0, 2), 5, 2, True)


def test_what_crosses_the_line_of_relevance_comes_first_then_the_widest() -> None:
    labels = items(narrow=(1, 1, 2, 3, 3), wide=(1, 1, 3, 4, 5), crossing=(0, 0, 1, 1, 2))
    found = adjudication_queue(several(labels, METHODS))
    assert [labels.items[each.item] for each in found] == ["crossing", "wide", "narrow"]
    assert [each.crosses for each in found] == [True, False, False]


def test_importance_weighs_within_its_kind() -> None:
    labels = items(first=(1, 1, 2, 3, 3), second=(1, 1, 2, 3, 3))
    rules = several(labels, METHODS)
    assert [each.item for each in adjudication_queue(rules)] == [0, 1]
    found = adjudication_queue(rules, importance=np.array([0.5, 2.0]))
    assert [(each.item, each.weight) for each in found] == [(1, 2.0), (0, 0.5)]


def test_what_one_rule_cannot_use_matters_most() -> None:
    made = items(d=(1, 1), e=(1, 1, 2, 3, 3))
    one, two = several(made, METHODS)
    refused = replace(two, label=np.array([-2, 2], dtype=np.int32), value=np.array([np.nan, 2.0]))
    found = adjudication_queue([one, refused])
    assert (found[0].item, found[0].weight, found[0].crosses, np.isnan(found[0].grades[1])) == (0, 5, True, True)


def test_agreement_leaves_an_empty_queue() -> None:
    assert adjudication_queue(several(items(d=(1, 1, 1)), METHODS)) == ()


def test_disagreement_takes_two_rules_of_the_same_items() -> None:
    with pytest.raises(IrjudgeError, match="two rules"):
        adjudication_queue(several(items(d=(1,)), METHODS[:1]))
