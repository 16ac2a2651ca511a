"""Few judgments of people correct a model's labels: values worked by hand, and laws."""

from dataclasses import replace

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.stats.judges.prediction_powered import (
    DrawnLabels,
    expected_reach,
    linear_estimates,
    scale_factor,
    spread_by_grade,
)

TOPICS, EACH = 10, 20


def world(
    seed: int = 0, *, right: float = 0.8, chance: float = 0.5
) -> tuple[DrawnLabels, np.ndarray, np.ndarray]:
    """Return labels of a sample, the weights of two runs, and everybody's true gain."""
    random = np.random.default_rng(seed)
    count = TOPICS * EACH
    truth = random.integers(0, 2, count).astype(float)
    model = np.where(random.random(count) < right, truth, 1 - truth)
    drawn = random.random(count) < chance
    topic = np.repeat(np.arange(TOPICS), EACH)
    labels = DrawnLabels(
        topic,
        model.astype(np.int64),
        model,
        drawn,
        np.where(drawn, truth, 0),
        np.where(drawn, chance, 1.0),
        TOPICS,
    )
    weights = np.zeros((2, count))
    weights[0, np.arange(count) % EACH < 10], weights[1, np.arange(count) % EACH >= 5] = 0.1, 0.1
    return labels, weights, truth


def test_with_everything_judged_the_value_is_exact() -> None:
    labels, weights, truth = world()
    whole = replace(
        labels, drawn=np.ones(len(truth), dtype=bool), gain=truth, chance=np.ones(len(truth))
    )
    found = linear_estimates(whole, weights)
    assert found.value == pytest.approx(weights @ truth / TOPICS)
    assert found.error == pytest.approx(0) and found.low == pytest.approx(found.high)


def test_a_model_that_is_always_right_leaves_no_error() -> None:
    labels, weights, truth = world(right=1.0)
    found = linear_estimates(labels, weights)
    assert found.value == pytest.approx(weights @ truth / TOPICS) and found.error == pytest.approx(
        0
    )


def test_without_a_guess_it_is_horvitz_and_thompson() -> None:
    labels, weights, _ = world()
    none = replace(labels, value=np.zeros(len(labels.topic)))
    found = linear_estimates(none, weights, guess="scaled")
    assert found.value == pytest.approx(weights @ (labels.gain / labels.chance) / TOPICS)
    assert found.error == pytest.approx(
        np.sqrt(weights**2 @ ((1 - labels.chance) * (labels.gain / labels.chance) ** 2)) / TOPICS
    )


def test_topics_drawn_in_a_first_stage_lie_between_all_topics_and_any() -> None:
    labels, weights, _ = world()
    fixed, sampled = (
        linear_estimates(labels, weights, topics=each).error for each in ("fixed", "sampled")
    )
    assert linear_estimates(labels, weights, topics="drawn", out_of=TOPICS).error == pytest.approx(
        fixed
    )
    assert linear_estimates(labels, weights, topics="drawn", out_of=10**9).error == pytest.approx(
        sampled
    )
    half = linear_estimates(labels, weights, topics="drawn", out_of=2 * TOPICS).error
    assert half == pytest.approx(
        np.sqrt(sampled**2 / 2 + fixed**2 / 2)
    )  # (1 - m/T) s²/m + Σ V/(mT), by hand
    for few in (None, TOPICS - 1):
        with pytest.raises(IrjudgeError, match="out of how many"):
            linear_estimates(labels, weights, topics="drawn", out_of=few)


def test_intervals_of_drawn_topics_hold_for_all_topics() -> None:
    """Of 40 topics that differ, 20 are drawn and then half of their documents: 600 times."""
    random = np.random.default_rng(5)
    held = []
    for again in range(600):
        share = np.linspace(0.1, 0.9, 40)
        truth = (np.random.default_rng(1).random((40, EACH)) < share[:, None]).astype(float)
        chosen = random.choice(40, 20, replace=False)
        gain, topic = truth[chosen].ravel(), np.repeat(np.arange(20), EACH)
        drawn = random.random(len(gain)) < 0.5
        grade = (np.random.default_rng(again).random(len(gain)) < 0.2 + 0.6 * gain).astype(np.int64)
        labels = DrawnLabels(
            topic,
            grade,
            grade * 1.0,
            drawn,
            np.where(drawn, gain, 0),
            np.where(drawn, 0.5, 1.0),
            20,
        )
        found = linear_estimates(
            labels, np.full((1, len(gain)), 1 / EACH), topics="drawn", out_of=40, seed=again
        )
        held.append(found.low[0] <= truth.mean() <= found.high[0])
    assert 0.93 <= np.mean(held) <= 0.97


@pytest.mark.parametrize("guess", ["calibrated", "scaled"])
def test_estimates_are_unbiased_and_their_intervals_hold(guess) -> None:
    truth = None
    values, held = [], []
    for seed in range(300):
        labels, weights, _ = world(7)
        random = np.random.default_rng(seed)
        true = world(7)[2]
        drawn = random.random(len(true)) < 0.5
        again = replace(
            labels, drawn=drawn, gain=np.where(drawn, true, 0), chance=np.where(drawn, 0.5, 1.0)
        )
        found, truth = (
            linear_estimates(again, weights, guess=guess, seed=seed),
            weights @ true / TOPICS,
        )
        values.append(found.value)
        held.append((found.low <= truth) & (truth <= found.high))
    assert np.mean(values, axis=0) == pytest.approx(truth, abs=0.01)
    assert 0.90 < np.mean(held) < 0.99


def test_the_model_shortens_the_interval() -> None:
    labels, weights, _ = world()
    with_model = linear_estimates(labels, weights)
    without = linear_estimates(replace(labels, grade=np.zeros_like(labels.grade)), weights)
    assert (with_model.error < without.error).all()


def test_shared_documents_cancel_in_a_difference() -> None:
    labels, weights, _ = world()
    difference = linear_estimates(labels, weights[:1] - weights[1:])
    alone = linear_estimates(labels, weights)
    assert difference.value[0] == pytest.approx(alone.value[0] - alone.value[1])
    assert difference.error[0] < np.hypot(*alone.error)
    assert linear_estimates(labels, weights[:1] - weights[:1]).error[0] == 0


def test_sampled_topics_say_less_than_fixed_ones() -> None:
    labels, weights, _ = world(chance=0.9)
    fixed, sampled = (
        linear_estimates(labels, weights, topics=each) for each in ("fixed", "sampled")
    )
    assert (sampled.value == fixed.value).all() and (sampled.error > fixed.error).all()
    by_topic = np.array(
        [np.sum((weights[0] * 1.0)[labels.topic == topic]) for topic in range(TOPICS)]
    )
    assert by_topic == pytest.approx(np.ones(TOPICS))


def test_under_fifty_labels_are_refused_in_words() -> None:
    labels, weights, _ = world(chance=0.2)
    assert labels.labels < 50
    with pytest.raises(
        IrjudgeError,
        match=f"People judged {labels.labels} of what was drawn; under 50 the intervals do not hold",
    ):
        linear_estimates(labels, weights)


def test_the_factor_lies_between_nothing_and_all() -> None:
    labels, weights, _ = world()
    assert 0 < scale_factor(labels, weights) < 1
    assert scale_factor(replace(labels, value=-labels.value), weights) == 0
    assert scale_factor(replace(labels, value=np.zeros_like(labels.value)), weights) == 0


def test_spread_and_reach_by_hand() -> None:
    labels = DrawnLabels(
        np.zeros(4, dtype=np.int64),
        np.array([0, 0, 1, 1]),
        np.zeros(4),
        np.array([True, True, True, False]),
        np.array([0.0, 2.0, 1.0, 0.0]),
        np.array([0.5, 0.5, 0.5, 1.0]),
        1,
    )
    assert spread_by_grade(labels).tolist() == [1.0, 0.0]
    # one document of weight 1, spread 1, chance 1/2: variance (1 - 1/2)/(1/2) = 1
    assert expected_reach(np.array([[1.0]]), np.array([1.0]), np.array([0.5]), 1)[
        0
    ] == pytest.approx(1.959964, abs=1e-6)
