"""Tests of consensus rules: grades, reasons, and the effect of a further vote."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.model import UNJUDGEABLE, Labels, make_labels
from irjudge.stats.consensus import (
    CONSENSUS_COLUMNS,
    CONSENSUS_RULES,
    RuleSettings,
    consensus,
    consensus_by_methods,
)
from tests.lengths import example_count


def make_votes(*votes: int | str, scale: range | None = range(4)) -> Labels:
    """Return labels of one item; -2 is unjudgeable."""
    made = make_labels(
        [("d", f"w{at}", 0 if vote == -2 else vote) for at, vote in enumerate(votes)], scale
    )
    return replace(
        made,
        label=np.where([vote == -2 for vote in votes], UNJUDGEABLE, made.label).astype(np.int32),
    )


def find_consensus(
    labels: Labels, method: str, settings: RuleSettings | None = None
) -> tuple[object, str]:
    [(_, label, _, reason)] = consensus(labels, method, settings).rows()
    return label, reason


@pytest.mark.parametrize(
    ("votes", "method", "label", "numbers"),
    [
        ((2, 2, 0), "majority", "2", "2 3 2"),
        ((1, 0), "majority", "0", "1 2 0 1"),
        ((3, 1, 2), "majority", "1", "1 3 1 2 3"),
        ((0, 3, 2), "lower-median", "2", "0 2 3"),
        ((0, 1, 2, 3), "lower-median", "1", "0 1 2 3"),
        ((0,) * 6 + (1,) * 5, "lower-median", "0", "6 0 5 1"),
        ((1, 2, 3, 3), "mean", 2.25, "1 2 3 3"),
        ((2, -2, 2), "majority", "2", "2 2 2 1"),
        ((2, -2), "majority", "2", "1 1 2 1"),
        ((-2, 2, -2), "mean", "unjudgeable", "2 3"),
        ((1, 1, 1), "one-coin", "1", "3 3 1 99"),
    ],
)
def test_each_grade_has_its_reason(
    votes: tuple[int, ...], method: str, label: object, numbers: str
) -> None:
    consensus_label, reason = find_consensus(make_votes(*votes), method)
    assert (consensus_label, re.findall(r"\d+", reason)) == (label, numbers.split())


def test_ties_can_go_to_the_higher_grade() -> None:
    label, reason = find_consensus(make_votes(1, 0, 3, 3, 1), "majority", RuleSettings("higher"))
    assert (label, reason.key) == ("3", "tie-higher")
    assert re.findall(r"\d+", reason) == ["2", "5", "3", "1"]


def test_rows_have_the_documented_columns_and_count_every_vote() -> None:
    assert CONSENSUS_COLUMNS == ("item", "label", "votes", "reason")
    assert consensus(make_votes(2, -2, 2)).rows()[0][:3] == ("d", "2", 3)


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=9),
    st.integers(0, 3),
    st.sampled_from(
        [
            ("majority", "lower"),
            ("majority", "higher"),
            ("lower-median", "lower"),
            ("mean", "lower"),
        ]
    ),
)
@settings(max_examples=example_count(300))
def test_a_further_vote_at_or_above_the_grade_never_lowers_it(
    votes: list[int], more: int, how
) -> None:
    method, ties = how
    before = consensus(make_votes(*votes), method, RuleSettings(ties)).value[0]
    after = consensus(make_votes(*votes, more), method, RuleSettings(ties)).value[0]
    if more >= before:
        assert after >= before - 1e-12
    if more <= before:
        assert after <= before + 1e-12


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20
    ),
    st.randoms(use_true_random=False),
)
@settings(max_examples=example_count(40))
def test_neither_the_order_of_rows_nor_the_names_of_workers_matter(
    rows: list[tuple[int, int, int]], random
) -> None:
    shuffled = rows[:]
    random.shuffle(shuffled)
    one = make_labels([(f"d{item}", f"w{worker}", label) for item, worker, label in rows], range(4))
    two = make_labels(
        [(f"d{item}", f"v{3 - worker}", label) for item, worker, label in shuffled], range(4)
    )
    for name in ("majority", "lower-median", "mean"):
        assert sorted(consensus(one, name).rows()) == sorted(consensus(two, name).rows())


def test_an_adjudication_always_overrides_votes() -> None:
    labels = make_labels([("d1", "a", 2), ("d1", "b", 2), ("d2", "a", 1)], range(4))
    for name in CONSENSUS_RULES:
        result = consensus(labels, name, adjudicated_grades={0: 3, 1: UNJUDGEABLE})
        assert (result.value[0], result.label.tolist()) == (3, [3, UNJUDGEABLE])
        reason = result.reasons[0]
        assert reason.values["origin"].key == "adjudicated", name
        assert re.findall(r"\d+", reason) == ["2", "3"], name


def test_gold_labels_affect_only_models() -> None:
    labels = make_labels(
        [("d1", "a", 2), ("d1", "b", 2), ("d2", "a", 1), ("d2", "b", 0)], range(3)
    ).with_gold({"d1": "0"})
    assert consensus(labels, "majority").label[0] == 2
    result = consensus(labels, "dawid-skene")
    reason = result.reasons[0]
    assert (result.label[0], reason.values["origin"].key) == (0, "known-answer")
    assert re.findall(r"\d+", reason) == ["2", "0"]


def test_correct_labels_are_counted_on_gold_items() -> None:
    labels = make_labels(
        [("d1", "a", 2), ("d2", "a", 1), ("d3", "a", 1), ("d3", "b", 2)], range(3)
    ).with_gold({"d1": "2", "d3": "1"})
    assert consensus(labels).count_right_gold() == (2, 2)
    assert consensus(labels, "mean").count_right_gold() == (2, 2)  # 1.5 rounds down to 1
    assert consensus(labels.with_gold({"d3": "2"}), "mean").count_right_gold() == (0, 1)


def test_qrels_have_integer_grades_and_unjudgeable_as_minus_2() -> None:
    made = make_labels([("1 x", "a", 2), ("1 y", "a", 0), ("2 x", "a", 1)], range(3))
    labels = replace(
        made, pairs=(("1", "x"), ("1", "y"), ("2", "x")), label=np.array([2, -2, 1], dtype=np.int32)
    )
    assert consensus(labels).qrels_rows() == [("1", "x", 2), ("1", "y", -2), ("2", "x", 1)]
    with pytest.raises(IrjudgeError, match="whole numbers"):
        consensus(labels, "mean").qrels_rows()
    with pytest.raises(IrjudgeError, match="identify items"):
        consensus(made).qrels_rows()


def test_words_have_a_majority_and_no_median() -> None:
    labels = make_votes("spam", "fine", "spam", scale=None)
    assert find_consensus(labels, "majority") == ("spam", "2 of 3 chose spam")
    assert [each.rule.name for each in consensus_by_methods(labels, CONSENSUS_RULES)] == [
        "majority",
        "one-coin",
        "dawid-skene",
        "glad",
        "mace",
    ]
    with pytest.raises(IrjudgeError) as error:
        consensus(labels, "mean")
    assert error.value.values["rule"] == "Mean"
    assert error.value.values["label"] == "'fine'"


def test_an_unknown_method_gets_a_suggestion() -> None:
    with pytest.raises(IrjudgeError, match="Did you mean dawid-skene"):
        consensus(make_votes(1), "dawidskene")
