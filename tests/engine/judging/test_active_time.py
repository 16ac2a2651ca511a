"""Tests of active time: pauses count up to the idle threshold."""

import pytest

from irjudge.judging import ActiveTimer


def measure(times, idle=10_000):
    ticks = iter(times)
    active = ActiveTimer(idle, clock=lambda: next(ticks))
    active.start()
    for _ in times[1:-1]:
        active.touch()
    return active.stop()


@pytest.mark.parametrize(
    ("times", "milliseconds"),
    [
        ([0, 1.5], 1500),
        ([0, 10], 10_000),
        ([0, 10.001], 10_000),
        ([5, 3600, 3601], 11_000),
        ([0, 9, 18, 27], 27_000),
        ([0, 0.0004], 0),
    ],
)
def test_a_pause_counts_at_most_the_threshold(times, milliseconds):
    assert measure(times) == milliseconds


def test_counting_begins_at_the_start_and_restarts_at_zero():
    ticks = iter([0.0, 5.0, 100.0, 101.0])
    active = ActiveTimer(10_000, clock=lambda: next(ticks))
    active.touch()
    assert active.stop() == 0
    active.start()
    active.touch()
    active.start()
    assert active.stop() == 1000
