"""Work beside the window."""

import threading
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.progress import Progress
from irjudge_ui import jobs


class Heard:
    """Keeps what a job says, and on which thread."""

    def __init__(self) -> None:
        self.result: Any = None
        self.fault: tuple[Exception, str] | None = None
        self.steps: list[tuple[int, int | None, str]] = []
        self.threads: set[int] = set()

    def done(self, result: Any) -> None:
        self.threads.add(threading.get_ident())
        self.result = result

    def failed(self, fault: Exception, trace: str) -> None:
        self.threads.add(threading.get_ident())
        self.fault = (fault, trace)

    def progress(self, *step: Any) -> None:
        self.threads.add(threading.get_ident())
        self.steps.append(step)

    def run(self, function: Any) -> jobs.Job:
        return jobs.run(function, self.done, self.failed, self.progress)


@pytest.fixture
def heard() -> Heard:
    return Heard()


def finished(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy())


def test_the_work_runs_beside_the_window_and_its_result_arrives_on_the_windows_thread(
    qtbot: QtBot, heard: Heard
) -> None:
    heard.run(lambda progress: threading.get_ident())
    finished(qtbot)
    assert heard.result != threading.get_ident()
    assert heard.threads == {threading.get_ident()}


def test_of_steps_that_nobody_could_hear_yet_the_newest_is_told(qtbot: QtBot, heard: Heard) -> None:
    stepped = threading.Event()

    def work(progress: Progress) -> str:
        for done in range(3):
            progress.step(done, None if done == 0 else 3, "counting")
        stepped.set()
        return "done"

    heard.run(work)
    assert stepped.wait(5)  # the window was busy meanwhile
    finished(qtbot)
    assert heard.steps == [(2, 3, "counting")]
    assert (heard.result, heard.threads) == ("done", {threading.get_ident()})


def test_cancelled_work_fails_with_cancelled_and_brings_no_result(
    qtbot: QtBot, heard: Heard
) -> None:
    begun, go = threading.Event(), threading.Event()

    def work(progress: Progress) -> str:
        begun.set()
        go.wait(5)
        progress.step(1, 2, "too late")
        return "never"

    job = heard.run(work)
    assert begun.wait(5)
    job.cancel()
    go.set()
    finished(qtbot)
    assert (
        heard.fault is not None and isinstance(heard.fault[0], Cancelled) and heard.fault[1] == ""
    )
    assert (heard.result, heard.steps) == (None, [])


def test_a_fault_of_ours_arrives_with_its_traceback(qtbot: QtBot, heard: Heard) -> None:
    def broken(progress: Progress) -> None:
        raise ZeroDivisionError("our fault")

    heard.run(broken)
    finished(qtbot)
    assert heard.fault is not None
    fault, trace = heard.fault
    assert isinstance(fault, ZeroDivisionError) and "in broken" in trace and "our fault" in trace


def test_a_fault_of_the_world_arrives_as_its_sentence_alone(qtbot: QtBot, heard: Heard) -> None:
    def refuse(progress: Progress) -> None:
        raise IrjudgeError("The file is wrong.")

    heard.run(refuse)
    finished(qtbot)
    assert heard.fault is not None
    assert (str(heard.fault[0]), heard.fault[1]) == ("The file is wrong.", "")


def test_many_jobs_all_arrive_and_none_is_left(qtbot: QtBot) -> None:
    results: list[int] = []
    for number in range(50):
        jobs.run(lambda progress, number=number: number, results.append, lambda fault, trace: None)
    finished(qtbot)
    assert sorted(results) == list(range(50))


def test_work_that_ends_after_its_window_is_gone_does_no_harm(qtbot: QtBot) -> None:
    label, begun, go = QLabel(), threading.Event(), threading.Event()

    def work(progress: Progress) -> str:
        begun.set()
        go.wait(5)
        progress.step(1, 1, "still telling")
        return "too late"

    jobs.run(
        work,
        label.setText,
        lambda fault, trace: label.setText(str(fault)),
        lambda *step: label.setText("step"),
    )
    assert begun.wait(5)
    threading.Timer(0.02, go.set).start()
    assert jobs.cancel_all()
    label.deleteLater()
    qtbot.wait(30)  # what was emitted would arrive now, and touch a label that is gone
    assert not jobs.is_busy()


def test_cancelling_all_says_when_work_does_not_stop(qtbot: QtBot, heard: Heard) -> None:
    go = threading.Event()
    heard.run(lambda progress: go.wait(5))
    assert not jobs.cancel_all(wait_ms=10)
    go.set()
    finished(qtbot)
    assert heard.result is None


def test_of_work_asked_for_anew_only_the_last_is_heard(qtbot: QtBot, heard: Heard) -> None:
    latest, begun, stopped = jobs.LatestJob(), threading.Event(), threading.Event()

    def long(progress: Progress) -> str:
        begun.set()
        try:
            while True:
                progress.step(0, None, "")
        finally:
            stopped.set()

    latest.run(long, heard.done, heard.failed)
    qtbot.waitUntil(begun.is_set)
    latest.run(lambda _progress: "second", heard.done, heard.failed)
    qtbot.waitUntil(lambda: not latest.busy)
    assert heard.result == "second" and heard.fault is None
    qtbot.waitUntil(stopped.is_set)
    finished(qtbot)
    assert heard.result == "second" and heard.fault is None, "nobody hears of what was cancelled"


def test_the_last_work_says_what_went_wrong_and_is_over(qtbot: QtBot, heard: Heard) -> None:
    latest = jobs.LatestJob()

    def fail(_progress: Progress) -> None:
        raise IrjudgeError("No tide.")

    latest.run(fail, heard.done, heard.failed)
    assert latest.busy
    qtbot.waitUntil(lambda: not latest.busy)
    assert heard.fault and str(heard.fault[0]) == "No tide."


def test_stopped_work_is_not_heard_of(qtbot: QtBot, heard: Heard) -> None:
    latest = jobs.LatestJob()
    latest.run(lambda _progress: 1, heard.done, heard.failed)
    latest.stop()
    assert not latest.busy
    finished(qtbot)
    assert heard.result is None and heard.fault is None
    latest.stop()  # and nothing is there to stop
