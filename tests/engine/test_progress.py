"""Tests of progress reports and cancelling."""

import threading

import pytest

from irjudge.errors import Cancelled
from irjudge.progress import SILENT, Progress, run_within


def test_progress_is_reported_regularly_and_at_the_end() -> None:
    reports: list[tuple] = []
    progress = Progress(lambda *step: reports.append(step))
    assert list(progress.track("abcde", "Reading", total=5, every=2)) == list("abcde")
    assert reports == [(2, 5, "Reading"), (4, 5, "Reading"), (5, 5, "Reading")]


def test_empty_work_reports_progress_too() -> None:
    reports: list[tuple] = []
    assert list(Progress(lambda *step: reports.append(step)).track([], "Reading")) == []
    assert reports == [(0, None, "Reading")]


def test_cancelled_work_stops_at_its_next_step() -> None:
    seen: list[int] = []
    with pytest.raises(Cancelled, match="nothing was changed"):
        for number in Progress(cancelled=lambda: len(seen) >= 3).track(
            range(10), "Reading", every=1
        ):
            seen.append(number)
    assert seen == [0, 1, 2]


def test_work_without_progress_runs_to_its_end() -> None:
    SILENT.step(1, None, "anything")
    assert list(SILENT.track(range(3), "anything")) == [0, 1, 2]


def test_a_timeout_is_an_error_and_other_errors_are_raised() -> None:
    is_ended = threading.Event()
    assert run_within(60, lambda: 7) == 7
    with pytest.raises(TimeoutError):
        run_within(0.01, is_ended.wait)
    is_ended.set()
    with pytest.raises(KeyError):
        run_within(60, lambda: {}["a"])
