"""Tests of left-right balance for each assessor and pair, and of swapped repeats."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.stats import balance_sides
from irjudge.stats.preference_design import PresentationPlan

QUESTIONS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=60)
SEEDS = st.integers(0, 2**64 - 1)


def max_imbalance(
    design: PresentationPlan, questions: list[tuple[int, int]], *, repeats: bool
) -> int:
    lean: dict[tuple[int, int], int] = defaultdict(int)
    for question, left, again in zip(
        design.question.tolist(), design.first_left.tolist(), design.is_repeat.tolist(), strict=True
    ):
        if repeats or not again:
            lean[questions[question]] += 1 if left else -1
    return max(map(abs, lean.values()), default=0)


def design_of(questions: list[tuple[int, int]], **how: float) -> PresentationPlan:
    return balance_sides([who for who, _ in questions], [pair for _, pair in questions], **how)


@given(QUESTIONS, SEEDS, st.floats(0, 1), st.integers(1, 20))
def test_sides_are_balanced_to_within_one_with_and_without_repeats(
    questions, seed: int, repeats: float, gap: int
) -> None:
    design = design_of(questions, seed=seed, repeats=repeats, gap=gap)
    assert max_imbalance(design, questions, repeats=False) <= 1
    assert max_imbalance(design, questions, repeats=True) <= 1


@given(QUESTIONS, SEEDS, st.floats(0, 1), st.integers(1, 20))
def test_each_pair_is_presented_once_and_its_repeat_later_and_swapped(
    questions, seed: int, repeats: float, gap: int
) -> None:
    design = design_of(questions, seed=seed, repeats=repeats, gap=gap)
    assert sorted(design.question[~design.is_repeat].tolist()) == list(range(len(questions)))
    assert len(set(design.question[design.is_repeat].tolist())) == int(design.is_repeat.sum())
    positions: dict[int, list[int]] = defaultdict(list)
    for index, question in enumerate(design.question.tolist()):
        positions[question].append(index)
    for question, (first, *again) in positions.items():
        number = sum(who == questions[question][0] for who, _ in questions)
        for later in again:
            assert later - first >= min(gap, max(1, number // 2))
            assert (
                design.first_left[first] != design.first_left[later]
                and design.is_repeat[later]
                and not design.is_repeat[first]
            )


@given(QUESTIONS, SEEDS)
def test_assessors_are_consecutive_and_the_seed_determines_the_design(questions, seed: int) -> None:
    design, same = (design_of(questions, seed=seed, repeats=0.2) for _ in range(2))
    who = [questions[question][0] for question in design.question.tolist()]
    assert who == sorted(who)
    assert all(
        np.array_equal(getattr(design, name), getattr(same, name))
        for name in ("question", "first_left", "is_repeat")
    )


def test_the_requested_share_of_questions_is_repeated() -> None:
    design = design_of([(0, 0)] * 100, seed=4, repeats=0.1)
    assert int(design.is_repeat.sum()) == 10


def test_side_and_repeat_are_independent_of_position() -> None:
    designs = [design_of([(0, 0)] * 12, seed=seed, repeats=0.25, gap=4) for seed in range(400)]
    left, again = np.zeros(12), np.zeros(12)
    for design in designs:
        first = ~design.is_repeat
        left[design.question[first]] += design.first_left[first]
        again[design.question[design.is_repeat]] += 1
    assert (np.abs(left / 400 - 0.5) < 0.1).all()  # four standard errors
    assert (np.abs(again / 400 - 0.25) < 0.1).all()


def test_the_given_order_is_kept_on_request() -> None:
    assert design_of([(1, 0), (0, 0), (1, 1), (0, 1)], seed=1, shuffle=False).question.tolist() == [
        1,
        3,
        0,
        2,
    ]


def test_a_share_and_a_gap_have_their_ranges() -> None:
    with pytest.raises(IrjudgeError, match="between 0 and 1, got 2"):
        design_of([(0, 0)], seed=1, repeats=2)
    with pytest.raises(IrjudgeError, match="at least 1, got 0"):
        design_of([(0, 0)], seed=1, gap=0)
