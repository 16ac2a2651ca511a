"""Tests of intervals that treat the answers of a topic or assessor as a cluster."""

import numpy as np
import pytest

from irjudge.model import Preferences, make_preferences
from irjudge.stats import Sampling, bradley_terry, cluster_covariance, count_pairs, net_preference

ROWS = [
    ("a", "b", win, topic, assessor)
    for topic in "1234"
    for assessor in "xyz"
    for win in ([1, 1, 1, 0] if topic < "3" else [-1, 0, 1, -1])
]


def make_table(rows: list[tuple[str, str, int, str, str]]) -> Preferences:
    left, right, winner, topic, assessor = (list(each) for each in zip(*rows, strict=True))
    return make_preferences(left, right, winner, topic=topic, assessor=assessor)


def interval(preferences: Preferences, **sampling: int) -> tuple[float, float, float]:
    net = net_preference(preferences, count_pairs(preferences), sampling=Sampling(**sampling))
    return float(net.value[0]), float(net.low[0]), float(net.high[0])


def test_the_value_is_wins_less_losses_over_all_answers() -> None:
    value, low, high = interval(make_table(ROWS))
    assert value == pytest.approx(
        (18 + 6 - 12) / 48
    )  # topics 1 and 2: 18 wins; 3 and 4: 6 wins and 12 losses
    assert low <= value <= high


def test_neither_row_order_nor_sides_change_the_interval() -> None:
    swapped = [(right, left, -win, *rest) for left, right, win, *rest in ROWS]
    assert (
        interval(make_table(ROWS))
        == interval(make_table(ROWS[::-1]))
        == interval(make_table(swapped))
    )


def test_answers_without_clusters_are_resampled_singly_in_any_order() -> None:
    rows = [(*row[:3], "", "") for row in ROWS]
    assert interval(make_table(rows)) == interval(make_table(rows[::-1]))
    assert net_preference(make_table(rows), count_pairs(make_table(rows))).method.startswith(
        "answers resampled"
    )


def test_the_seed_determines_the_interval() -> None:
    assert (
        interval(make_table(ROWS), seed=5, samples=50)
        == interval(make_table(ROWS), seed=5, samples=50)
        != interval(make_table(ROWS), seed=6, samples=50)
    )
    assert interval(make_table(ROWS), seed=2**64 - 1, samples=50)


def test_clustered_answers_give_wider_intervals() -> None:
    alone = interval(make_table([(*row[:3], "", "") for row in ROWS]))
    together = interval(make_table(ROWS))
    assert together[2] - together[1] > 1.3 * (alone[2] - alone[1])


def test_copies_within_a_topic_do_not_narrow_the_interval() -> None:
    once = [("a", "b", win, str(topic), "") for topic, win in enumerate([1, 1, -1, 1, 1, -1, 1, 1])]
    for rows in (once, once * 9):
        preferences = make_table(rows)
        error = cluster_covariance(bradley_terry(count_pairs(preferences)), preferences).error[0]
        assert error == pytest.approx(
            cluster_covariance(
                bradley_terry(count_pairs(make_table(once))), make_table(once)
            ).error[0]
        )
    assert bradley_terry(count_pairs(make_table(once * 9))).error[0] < error / 2


def test_the_sandwich_of_single_answers_is_nearly_the_information() -> None:
    # A share of wins: the variance of its logit is 1 / (n p (1 - p)) by both methods.
    preferences = make_table(
        [("a", "b", win, str(topic), "") for topic, win in enumerate([1, 1, -1, 1, 1, -1, 1, 1])]
    )
    plain = bradley_terry(count_pairs(preferences))
    assert cluster_covariance(plain, preferences).error ** 2 == pytest.approx(
        plain.error**2 * 8 / 7
    )
    variance = plain.covariance[0, 0] + plain.covariance[1, 1] - 2 * plain.covariance[0, 1]
    assert variance == pytest.approx(1 / (8 * 0.75 * 0.25))
    assert np.array_equal(
        cluster_covariance(plain, make_preferences(["a"], ["b"], [1])).covariance, plain.covariance
    )
