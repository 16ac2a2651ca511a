"""Tests of estimates that correct a model's labels by few human judgments."""

from dataclasses import replace

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.stats import SampledLabels, expected_margin, linear_estimates, spread_by_grade
from irjudge.stats.prediction_powered import scale_factor

TOPICS, EACH = 10, 20


def simulate(
    seed: int = 0, *, right: float = 0.8, chance: float = 0.5
) -> tuple[SampledLabels, np.ndarray, np.ndarray]:
    """Return labels of a sample, the weights of two runs, and the true gain of each document."""
    random = np.random.default_rng(seed)
    count = TOPICS * EACH
    truth = random.integers(0, 2, count).astype(float)
    model = np.where(random.random(count) < right, truth, 1 - truth)
    sampled = random.random(count) < chance
    topic = np.repeat(np.arange(TOPICS), EACH)
    labels = SampledLabels(
        topic,
        model.astype(np.int64),
        model,
        sampled,
        np.where(sampled, truth, 0),
        np.full(count, chance),
        TOPICS,
        1.0,
    )
    weights = np.zeros((2, count))
    weights[0, np.arange(count) % EACH < 10], weights[1, np.arange(count) % EACH >= 5] = 0.1, 0.1
    return labels, weights, truth


def test_with_everything_judged_the_value_is_exact() -> None:
    labels, weights, truth = simulate()
    whole = replace(
        labels,
        sampled=np.ones(len(truth), dtype=bool),
        human_gain=truth,
        probability=np.ones(len(truth)),
    )
    estimates = linear_estimates(whole, weights)
    assert estimates.value == pytest.approx(weights @ truth / TOPICS)
    assert estimates.error == pytest.approx(0) and estimates.low == pytest.approx(estimates.high)


def test_a_model_without_observed_errors_still_has_an_interval() -> None:
    labels, weights, truth = simulate(right=1.0)
    estimates = linear_estimates(labels, weights)
    assert estimates.value == pytest.approx(weights @ truth / TOPICS)
    assert estimates.error == pytest.approx(0)
    assert (estimates.high - estimates.low > 0.01).all(), (
        "the sample cannot show that it is always right"
    )


def test_without_a_model_the_estimate_is_horvitz_thompson() -> None:
    labels, weights, _ = simulate()
    none = replace(labels, model_gain=np.zeros(len(labels.topic)))
    estimates = linear_estimates(none, weights, guess="scaled")
    assert estimates.value == pytest.approx(
        weights @ (labels.human_gain / labels.probability) / TOPICS
    )
    assert estimates.error == pytest.approx(
        np.sqrt(
            weights**2 @ ((1 - labels.probability) * (labels.human_gain / labels.probability) ** 2)
        )
        / TOPICS
    )


def test_two_stage_intervals_lie_between_fixed_and_sampled_topics() -> None:
    labels, weights, _ = simulate()
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
        with pytest.raises(IrjudgeError, match="total number of topics"):
            linear_estimates(labels, weights, topics="drawn", out_of=few)


def test_intervals_of_sampled_topics_cover_the_mean_of_all_topics() -> None:
    """20 of 40 different topics are sampled, then half of their documents, 600 times."""
    random = np.random.default_rng(5)
    held = []
    for again in range(600):
        share = np.linspace(0.1, 0.9, 40)
        truth = (np.random.default_rng(1).random((40, EACH)) < share[:, None]).astype(float)
        chosen = random.choice(40, 20, replace=False)
        gain, topic = truth[chosen].ravel(), np.repeat(np.arange(20), EACH)
        sampled = random.random(len(gain)) < 0.5
        grade = (np.random.default_rng(again).random(len(gain)) < 0.2 + 0.6 * gain).astype(np.int64)
        labels = SampledLabels(
            topic,
            grade,
            grade * 1.0,
            sampled,
            np.where(sampled, gain, 0),
            np.full(len(gain), 0.5),
            20,
            1.0,
        )
        estimates = linear_estimates(
            labels, np.full((1, len(gain)), 1 / EACH), topics="drawn", out_of=40, seed=again
        )
        held.append(estimates.low[0] <= truth.mean() <= estimates.high[0])
    assert 0.93 <= np.mean(held) <= 0.99


@pytest.mark.parametrize("guess", ["calibrated", "scaled"])
def test_estimates_are_unbiased_and_their_intervals_have_coverage(guess) -> None:
    truth = None
    values, held = [], []
    for seed in range(300):
        labels, weights, _ = simulate(7)
        random = np.random.default_rng(seed)
        true = simulate(7)[2]
        sampled = random.random(len(true)) < 0.5
        again = replace(labels, sampled=sampled, human_gain=np.where(sampled, true, 0))
        estimates = linear_estimates(again, weights, guess=guess, seed=seed)
        truth = weights @ true / TOPICS
        values.append(estimates.value)
        held.append((estimates.low <= truth) & (truth <= estimates.high))
    assert np.mean(values, axis=0) == pytest.approx(truth, abs=0.01)
    assert 0.90 < np.mean(held) < 0.99


def test_the_model_shortens_the_interval() -> None:
    labels, weights, _ = simulate()
    with_model = linear_estimates(labels, weights)
    without = linear_estimates(replace(labels, grade=np.zeros_like(labels.grade)), weights)
    assert (with_model.error < without.error).all()


def test_shared_documents_cancel_in_a_difference() -> None:
    labels, weights, _ = simulate()
    difference = linear_estimates(labels, weights[:1] - weights[1:])
    alone = linear_estimates(labels, weights)
    assert difference.value[0] == pytest.approx(alone.value[0] - alone.value[1])
    assert difference.error[0] < np.hypot(*alone.error)
    assert linear_estimates(labels, weights[:1] - weights[:1]).error[0] == 0


def test_sampled_topics_give_wider_intervals_than_fixed_ones() -> None:
    labels, weights, _ = simulate(chance=0.9)
    fixed, sampled = (
        linear_estimates(labels, weights, topics=each) for each in ("fixed", "sampled")
    )
    assert (sampled.value == fixed.value).all() and (sampled.error > fixed.error).all()
    by_topic = np.array(
        [np.sum((weights[0] * 1.0)[labels.topic == topic]) for topic in range(TOPICS)]
    )
    assert by_topic == pytest.approx(np.ones(TOPICS))


def test_fewer_than_fifty_labels_are_refused() -> None:
    labels, weights, _ = simulate(chance=0.2)
    assert labels.labels < 50
    with pytest.raises(IrjudgeError) as error:
        linear_estimates(labels, weights)
    assert error.value.values == {"labels": str(labels.labels), "minimum": "50"}


@pytest.mark.parametrize(("topics", "out_of"), [("sampled", None), ("drawn", 3)])
def test_an_interval_for_sampled_topics_needs_two_topics(topics: str, out_of: int | None) -> None:
    labels, weights, _ = simulate()
    one_topic = replace(labels, topic=np.zeros_like(labels.topic), topics=1)
    with pytest.raises(IrjudgeError) as error:
        linear_estimates(one_topic, weights, topics=topics, out_of=out_of)
    assert error.value.values == {"count": "1"}
    assert (
        linear_estimates(one_topic, weights).low[0] < linear_estimates(one_topic, weights).high[0]
    )


def test_a_value_without_a_sampled_document_is_refused() -> None:
    labels, weights, _ = simulate()
    only = np.zeros_like(weights[:1])
    only[0, np.flatnonzero(~labels.sampled)[:3]] = 1.0
    with pytest.raises(IrjudgeError) as error:
        linear_estimates(labels, np.concatenate((weights, only)))
    assert error.value.values["number"] == "2"
    nothing = linear_estimates(labels, np.zeros_like(only))  # a difference of equal runs
    assert (nothing.value[0], nothing.low[0], nothing.high[0]) == (0, 0, 0)


@pytest.mark.parametrize("invalid", [0.0, -0.5, 1.5, np.nan])
def test_probabilities_out_of_range_are_refused(invalid: float) -> None:
    labels, weights, _ = simulate()
    probability = labels.probability.copy()
    probability[3] = invalid
    with pytest.raises(IrjudgeError, match="probabilities"):
        linear_estimates(replace(labels, probability=probability), weights)


def extra_by_definition(labels: SampledLabels, a: np.ndarray, way: int) -> float:
    """Return the variance of one further error, document by document."""
    highest, error = labels.highest, labels.human_gain - labels.model_gain
    size = {}
    for sign in (1, -1):
        seen = [
            each
            for each, sampled in zip(error, labels.sampled, strict=True)
            if sampled and sign * each > 0
        ]
        size[sign] = (highest**2 + sum(each**2 for each in seen)) / (1 + len(seen))
    first, second, estimated, hits = 0.0, 0.0, 0.0, 0
    for at, weight in enumerate(a):
        sign, pi, f = way * np.sign(weight), labels.probability[at], labels.model_gain[at]
        variance = weight**2 * (1 - pi) / pi**2
        if (sign > 0 and f < highest) or (sign < 0 and f > 0):
            first += pi * variance * size[int(sign)]
            second += pi * (variance * size[int(sign)]) ** 2
        if labels.sampled[at] and sign * error[at] > 0:
            estimated += variance * error[at] ** 2
            hits += 1
    heavy = second / first if first else 0.0
    return float((heavy + estimated) / (1 + hits) / labels.topics**2)


@pytest.mark.parametrize("model_right", [0.8, 1.0])
def test_two_errors_are_added_in_each_direction(model_right: float) -> None:
    labels, weights, _ = simulate(right=model_right)
    random = np.random.default_rng(3)
    probability = random.uniform(0.2, 1.0, len(labels.topic))
    sampled = random.random(len(probability)) < probability
    labels = replace(
        labels,
        sampled=sampled,
        human_gain=np.where(sampled, simulate(right=model_right)[2], 0.0),
        probability=probability,
    )
    rows = np.stack((weights[0], weights[1], weights[0] - weights[1]))
    estimates = linear_estimates(labels, rows)
    for at, row in enumerate(rows):
        for end, way in ((estimates.low, -1), (estimates.high, 1)):
            reach = np.sqrt(estimates.error[at] ** 2 + 2 * extra_by_definition(labels, row, way))
            assert end[at] == pytest.approx(estimates.value[at] + way * 1.959964 * reach, abs=1e-6)


def test_limits_are_within_the_values_that_judgments_allow() -> None:
    """60 of 61 documents of a topic are judged, all relevant; the last one decides the value."""
    count = 61
    sampled = np.arange(count) > 0
    labels = SampledLabels(
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        np.zeros(count),
        sampled,
        sampled.astype(float),
        np.full(count, 0.9),
        1,
        1.0,
    )
    weights = np.full((1, count), 1 / count)
    estimates = linear_estimates(labels, np.concatenate((weights, -weights)))
    assert estimates.low[0] >= 60 / 61 and estimates.high[0] == pytest.approx(1)
    assert estimates.low[0] <= estimates.value[0] <= estimates.high[0]
    assert (estimates.low[1], estimates.high[1]) == pytest.approx(
        (-estimates.high[0], -estimates.low[0])
    )


def test_a_wide_interval_has_too_few_labels() -> None:
    labels, weights, _ = simulate()
    one = np.zeros_like(weights[:1])
    one[0, np.flatnonzero(labels.sampled)[0]] = 1.0
    one[0, np.flatnonzero(~labels.sampled)[:9]] = 1.0
    estimates = linear_estimates(labels, np.concatenate((weights, one)))
    assert estimates.too_few.tolist() == [False, False, True]


def test_the_factor_is_between_0_and_1() -> None:
    labels, weights, _ = simulate()
    assert 0 < scale_factor(labels, weights) < 1
    assert scale_factor(replace(labels, model_gain=-labels.model_gain), weights) == 0
    assert scale_factor(replace(labels, model_gain=np.zeros_like(labels.model_gain)), weights) == 0


def test_spread_and_reach_are_those_worked_by_hand() -> None:
    labels = SampledLabels(
        np.zeros(4, dtype=np.int64),
        np.array([0, 0, 1, 1]),
        np.zeros(4),
        np.array([True, True, True, False]),
        np.array([0.0, 2.0, 1.0, 0.0]),
        np.full(4, 0.5),
        1,
        2.0,
    )
    assert spread_by_grade(labels).tolist() == [1.0, 0.0]
    # one document of weight 1, spread 1, probability 1/2: variance (1 - 1/2)/(1/2) = 1; an unseen
    # error of size 1 has variance (1 - 1/2)/(1/2)² = 2, half of the seen ones 1/2, of which 1/4
    reach = expected_margin(
        np.array([[1.0]]), np.array([1.0]), np.array([0.5]), 1, highest_gain=1.0
    )
    assert reach[0] == pytest.approx(1.959964 * np.sqrt(1 + 2 * (2 + 0.5) / 1.25), abs=1e-6)
