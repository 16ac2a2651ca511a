"""Tests of judge plans: a model's grades determine the sampling probabilities."""

from itertools import pairwise

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.model import Pool, Run, make_run
from irjudge.pooling import (
    JudgePlanOptions,
    expected_grade_deviation,
    plan_pool,
    sampling_probabilities,
)

TOPICS, DEPTH = 6, 20
GRADES = {(str(topic), f"d{at:02}"): at % 4 for topic in range(TOPICS) for at in range(DEPTH)}


def runs() -> list[Run]:
    return [
        make_run(
            name,
            [
                (str(topic), f"d{at:02}", float(sign * at))
                for topic in range(TOPICS)
                for at in range(DEPTH)
            ],
        )
        for name, sign in (("up", 1), ("down", -1))
    ]


def list_pairs(pool: Pool) -> list[tuple[str, str]]:
    topics = [pool.topics[code] for code in pool.topic.tolist()]
    return list(zip(topics, pool.document.to_pylist(), strict=True))


def pairs(pool: Pool) -> set[tuple[str, str]]:
    return set(list_pairs(pool))


def plan(size: int, seed: int = 1) -> Pool:
    return plan_pool(runs(), JudgePlanOptions("m", size, seed=seed), GRADES, 3)


def test_probabilities_add_up_to_the_size_and_are_stored() -> None:
    pool = plan(40)
    whole = len(pool) + len(pool.unsampled)
    assert whole == TOPICS * DEPTH, "the top 10 of both runs"
    assert (pool.strategy, pool.parameters["model"], pool.parameters["size"]) == ("plan", "m", 40)
    assert ((pool.probability > 0) & (pool.probability <= 1)).all() and pool.is_sample
    assert set(pool.stratum.tolist()) <= {1, 2, 3, 4}


def test_every_document_has_its_probability_sampled_or_not() -> None:
    """The same documents have the same probabilities in each draw, which add up to the size."""
    of: list[dict[tuple[str, str], float]] = []
    for seed in (1, 2):
        pool = plan(40, seed)
        left = pool.unsampled
        topics = np.repeat(np.arange(len(pool.topics)), np.diff(left.starts)).tolist()
        others = zip([pool.topics[code] for code in topics], left.document.to_pylist(), strict=True)
        of.append(
            dict(
                zip(
                    [*list_pairs(pool), *others],
                    [*pool.probability, *left.probability],
                    strict=True,
                )
            )
        )
    assert of[0] == of[1] and sum(of[0].values()) == pytest.approx(40)


@pytest.mark.slow
def test_documents_are_sampled_with_their_probability() -> None:
    counted: dict[tuple[str, str], int] = {}
    chance: dict[tuple[str, str], float] = {}
    sizes = []
    for seed in range(400):
        pool = plan(40, seed)
        sizes.append(len(pool))
        names = [
            (pool.topics[code], document)
            for code, document in zip(pool.topic.tolist(), pool.document.to_pylist(), strict=True)
        ]
        for pair, probability in zip(names, pool.probability.tolist(), strict=True):
            counted[pair] = counted.get(pair, 0) + 1
            chance[pair] = probability
    assert np.mean(sizes) == pytest.approx(40, abs=1)
    off = [
        (count - 400 * chance[pair]) / np.sqrt(400 * chance[pair] * (1 - chance[pair]))
        for pair, count in counted.items()
        if chance[pair] < 1
    ]
    assert np.abs(off).max() < 4.5 and np.std(off) == pytest.approx(1, abs=0.2)


def test_the_seed_determines_the_sample_and_larger_plans_contain_smaller_ones() -> None:
    small, large = plan(30), plan(60)
    assert pairs(small) == pairs(plan(30)) != pairs(plan(30, seed=2))
    assert pairs(small) < pairs(large)


def test_documents_of_smaller_plans_come_first() -> None:
    # Of the documents of a topic, x is retrieved by one of 20 runs at rank 10, and all others by
    # all runs. Its weight is about 15 % of the mean, so it is raised to 25 %.
    shared = [(f"d{at}", 20.0 - at) for at in range(9)]
    topics = [str(topic) for topic in range(200)]
    runs = [
        make_run(
            f"r{run}",
            [
                (topic, *row)
                for topic in topics
                for row in [*shared, ("x" if run == 0 else "d9", 1.0)]
            ],
        )
        for run in range(20)
    ]
    large = plan_pool(runs, JudgePlanOptions("m", 1200), {}, 3)
    for size in (300, 600, 900):
        smaller = pairs(plan_pool(runs, JudgePlanOptions("m", size), {}, 3))
        is_in_smaller = [pair in smaller for pair in list_pairs(large)]
        starts = large.starts.tolist()
        for start, end in pairwise(starts):
            flags = is_in_smaller[start:end]
            assert flags == sorted(flags, reverse=True)


def test_uncertain_grades_and_high_ranks_have_higher_probabilities() -> None:
    assert (
        expected_grade_deviation(np.array([2, 3]), 3).tolist()
        > expected_grade_deviation(np.array([1, 4]), 3).tolist()
    )
    pool = plan(60)
    by = dict(
        zip(
            [
                (pool.topics[code], document)
                for code, document in zip(
                    pool.topic.tolist(), pool.document.to_pylist(), strict=True
                )
            ],
            pool.probability.tolist(),
            strict=True,
        )
    )
    assert max(by.values()) > 2 * min(by.values())


def test_a_plan_as_large_as_the_pool_has_all_documents() -> None:
    pool = plan(10_000)
    assert (
        len(pool) == TOPICS * DEPTH and len(pool.unsampled) == 0 and (pool.probability == 1).all()
    )


def test_no_probability_is_nearly_zero() -> None:
    probabilities = sampling_probabilities(np.array([0.0, 1.0, 1.0, 1.0]), 2)
    assert probabilities.sum() == pytest.approx(2) and probabilities[0] == pytest.approx(
        probabilities[1] * 0.1875
    )


def test_documents_without_a_grade_are_sampled_too() -> None:
    pool = plan_pool(runs(), JudgePlanOptions("m", 60), {}, 3)
    assert len(pool) > 0 and set(pool.stratum.tolist()) == {0}


@pytest.mark.parametrize("size", [0, -1])
def test_a_plan_needs_a_size(size: int) -> None:
    with pytest.raises(IrjudgeError) as error:
        plan(size)
    assert error.value.values["size"] == str(size)
