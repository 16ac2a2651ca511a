"""Tests of the alternative annotator test: whether a model may replace one of several people."""

import time
from dataclasses import replace

import numpy as np
import pytest

from irjudge.model import Labels, make_labels
from irjudge.stats import alternative_test

ITEMS = 60


def simulate_people(noise: float, workers: int = 3) -> tuple[Labels, dict[tuple[str, str], int]]:
    """Return labels of people with random errors, and the true grades."""
    random = np.random.default_rng(1)
    truth = random.integers(0, 4, ITEMS)
    rows = []
    for worker in range(workers):
        given = np.where(random.random(ITEMS) < noise, random.integers(0, 4, ITEMS), truth)
        rows += [(f"1 d{at}", f"w{worker}", int(grade)) for at, grade in enumerate(given)]
    made = make_labels(rows, (0, 1, 2, 3))

    pairs = tuple(tuple(name.split()) for name in made.items)
    return replace(made, pairs=pairs), {
        ("1", f"d{at}"): int(grade) for at, grade in enumerate(truth)
    }  # type: ignore[arg-type]


def test_the_truth_may_replace_people_and_noise_may_not() -> None:
    labels, truth = simulate_people(0.3)
    good = alternative_test(labels, truth)
    assert (
        good.passes
        and good.winning_rate == 1
        and {each.items for each in good.comparisons} == {ITEMS}
    )
    assert all(each.model_wins > each.annotator_wins for each in good.comparisons)
    noise = {pair: 3 - grade for pair, grade in truth.items()}
    bad = alternative_test(labels, noise)
    assert not bad.passes and bad.winning_rate == 0


def test_many_assessors_are_compared_in_linear_time() -> None:
    random, assessors, items = np.random.default_rng(1), 400, 6000
    rows = [
        (f"1 d{item}", f"w{worker}", int(random.integers(4)))
        for item in range(items)
        for worker in random.choice(assessors, 4, replace=False)
    ]
    labels = make_labels(rows, (0, 1, 2, 3))
    pairs = tuple(tuple(name.split()) for name in labels.items)
    alternative_test(*simulate_people(0.3))  # the first test also loads SciPy
    begun = time.process_time()
    result = alternative_test(replace(labels, pairs=pairs), dict.fromkeys(pairs, 1))  # type: ignore[arg-type]
    assert time.process_time() - begun < 2
    assert len(result.comparisons) == assessors


def test_too_few_items_give_no_test() -> None:
    labels, truth = simulate_people(0.3)
    few = dict(list(truth.items())[:29])
    result = alternative_test(labels, few)
    assert (result.comparisons, result.passes) == ((), False) and np.isnan(result.winning_rate)


def test_an_assessor_without_shared_items_is_not_compared() -> None:
    labels, truth = simulate_people(0.3, workers=1)
    assert alternative_test(labels, truth).comparisons == ()


def test_a_model_equal_to_an_assessor_ties() -> None:
    labels, _ = simulate_people(0.3, workers=2)
    # the first worker's
    own = {pair: int(labels.label[at]) for at, pair in enumerate(labels.pairs or ())}
    first = next(
        each for each in alternative_test(labels, own).comparisons if each.annotator == "w0"
    )
    assert (first.model_wins, first.annotator_wins) == (1, 1)
    assert first.p == pytest.approx(0, abs=1e-9), "no worse by a fifth, surely"
