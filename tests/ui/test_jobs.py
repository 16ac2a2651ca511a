"""Tests of background jobs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.progress import SILENT, Progress
from irjudge_ui import jobs


class JobRecorder:
    """Records what a job reports, and in which thread."""

    def __init__(self) -> None:
        self.result: Any = None
        self.fault: tuple[Exception, str] | None = None
        self.steps: list[tuple[int, int | None, str]] = []
        self.threads: set[int] = set()

    def done(self, result: Any) -> None:
        self.threads.add(threading.get_ident())
        self.result = result

    def failed(self, error: Exception, trace: str) -> None:
        self.threads.add(threading.get_ident())
        self.fault = (error, trace)

    def progress(self, *step: Any) -> None:
        self.threads.add(threading.get_ident())
        self.steps.append(step)

    def run(self, function: Any) -> jobs.Job:
        return jobs.run(function, self.done, self.failed, self.progress)


@pytest.fixture
def recorder() -> JobRecorder:
    return JobRecorder()


def wait_for_jobs(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy())


def test_a_job_runs_in_the_background_and_its_result_arrives_in_the_windows_thread(
    qtbot: QtBot, recorder: JobRecorder
) -> None:
    recorder.run(lambda progress: threading.get_ident())
    wait_for_jobs(qtbot)
    assert recorder.result != threading.get_ident()
    assert recorder.threads == {threading.get_ident()}


def test_of_undelivered_steps_only_the_newest_is_reported(
    qtbot: QtBot, recorder: JobRecorder
) -> None:
    stepped = threading.Event()

    def work(progress: Progress) -> str:
        for done in range(3):
            progress.step(done, None if done == 0 else 3, "counting")
        stepped.set()
        return "done"

    recorder.run(work)
    assert stepped.wait(5)  # the window was busy meanwhile
    wait_for_jobs(qtbot)
    assert recorder.steps == [(2, 3, "counting")]
    assert (recorder.result, recorder.threads) == ("done", {threading.get_ident()})


def test_a_cancelled_job_fails_with_cancelled_and_returns_no_result(
    qtbot: QtBot, recorder: JobRecorder
) -> None:
    begun, go = threading.Event(), threading.Event()

    def work(progress: Progress) -> str:
        begun.set()
        go.wait(5)
        progress.step(1, 2, "too late")
        return "never"

    job = recorder.run(work)
    assert begun.wait(5)
    job.cancel()
    go.set()
    wait_for_jobs(qtbot)
    assert (
        recorder.fault is not None
        and isinstance(recorder.fault[0], Cancelled)
        and recorder.fault[1] == ""
    )
    assert (recorder.result, recorder.steps) == (None, [])


def test_an_internal_error_arrives_with_its_traceback(qtbot: QtBot, recorder: JobRecorder) -> None:
    def broken(progress: Progress) -> None:
        raise ZeroDivisionError("our fault")

    recorder.run(broken)
    wait_for_jobs(qtbot)
    assert recorder.fault is not None
    error, trace = recorder.fault
    assert isinstance(error, ZeroDivisionError) and "in broken" in trace and "our fault" in trace


def test_an_expected_error_arrives_as_its_message_only(qtbot: QtBot, recorder: JobRecorder) -> None:
    def refuse(progress: Progress) -> None:
        raise IrjudgeError("The file is wrong.")

    recorder.run(refuse)
    wait_for_jobs(qtbot)
    assert recorder.fault is not None
    assert (str(recorder.fault[0]), recorder.fault[1]) == ("The file is wrong.", "")


def test_an_error_of_the_system_arrives_as_a_message(qtbot: QtBot, recorder: JobRecorder) -> None:
    def fail(progress: Progress) -> None:
        raise PermissionError(13, "Permission denied", "a.run")

    recorder.run(fail)
    wait_for_jobs(qtbot)
    assert recorder.fault is not None
    error, trace = recorder.fault
    assert isinstance(error, IrjudgeError) and error.values["file"] == "a.run" and trace == ""


def test_many_jobs_all_report_and_none_is_left(qtbot: QtBot) -> None:
    results: list[int] = []
    for number in range(50):
        jobs.run(lambda progress, number=number: number, results.append, lambda error, trace: None)
    wait_for_jobs(qtbot)
    assert sorted(results) == list(range(50))


def test_a_job_that_ends_after_its_window_is_deleted_does_no_harm(qtbot: QtBot) -> None:
    label, begun, go = QLabel(), threading.Event(), threading.Event()

    def work(progress: Progress) -> str:
        begun.set()
        go.wait(5)
        progress.step(1, 1, "still telling")
        return "too late"

    jobs.run(
        work,
        label.setText,
        lambda error, trace: label.setText(str(error)),
        lambda *step: label.setText("step"),
    )
    assert begun.wait(5)
    threading.Timer(0.02, go.set).start()
    assert jobs.cancel_all()
    label.deleteLater()
    qtbot.wait(30)  # queued signals would arrive now, and access a deleted label
    assert not jobs.is_busy()


def test_cancelling_all_jobs_reports_whether_one_does_not_stop(
    qtbot: QtBot, recorder: JobRecorder
) -> None:
    go = threading.Event()
    recorder.run(lambda progress: go.wait(5))
    assert not jobs.cancel_all(wait_ms=10)
    go.set()
    wait_for_jobs(qtbot)
    assert recorder.result is None


def test_of_repeated_requests_only_the_last_is_reported(
    qtbot: QtBot, recorder: JobRecorder
) -> None:
    latest, begun, stopped = jobs.LatestJob(), threading.Event(), threading.Event()

    def long(progress: Progress) -> str:
        begun.set()
        try:
            while True:
                progress.step(0, None, "")
        finally:
            stopped.set()

    latest.run(long, recorder.done, recorder.failed)
    qtbot.waitUntil(begun.is_set)
    latest.run(lambda _progress: "second", recorder.done, recorder.failed)
    qtbot.waitUntil(lambda: not latest.busy)
    assert recorder.result == "second" and recorder.fault is None
    qtbot.waitUntil(stopped.is_set)
    wait_for_jobs(qtbot)
    assert recorder.result == "second" and recorder.fault is None, (
        "nobody hears of what was cancelled"
    )


def test_a_failed_last_request_reports_its_error_and_is_over(
    qtbot: QtBot, recorder: JobRecorder
) -> None:
    latest = jobs.LatestJob()

    def fail(_progress: Progress) -> None:
        raise IrjudgeError("No tide.")

    latest.run(fail, recorder.done, recorder.failed)
    assert latest.busy
    qtbot.waitUntil(lambda: not latest.busy)
    assert recorder.fault and str(recorder.fault[0]) == "No tide."


def test_a_stopped_request_reports_nothing(qtbot: QtBot, recorder: JobRecorder) -> None:
    latest = jobs.LatestJob()
    latest.run(lambda _progress: 1, recorder.done, recorder.failed)
    latest.stop()
    assert not latest.busy
    wait_for_jobs(qtbot)
    assert recorder.result is None and recorder.fault is None
    latest.stop()  # no effect if nothing runs


class WaitingProgress(Progress):
    """Progress that reports when a job waits."""

    def __init__(self) -> None:
        super().__init__()
        self.waits = threading.Event()

    def step(self, done: int, total: int | None, description: str) -> None:
        self.waits.set()


def test_workers_of_a_job_are_not_closed_when_the_setting_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open_addresses: list[str] = []

    class FakeWorkers:
        alive = True

    @contextmanager
    def open_workers(address: str) -> Iterator[FakeWorkers]:
        open_addresses.append(address)
        yield FakeWorkers()
        open_addresses.remove(address)

    monkeypatch.setattr(jobs, "workers_at", open_workers)
    workers, settings = jobs.ClusterWorkers(), {"cluster": "first"}
    workers.use(settings)  # type: ignore[arg-type]
    progress, seen = WaitingProgress(), list[list[str]]()

    def use_second() -> None:
        with workers.provide_workers(progress):
            seen.append([*open_addresses])

    thread = threading.Thread(target=use_second)
    with workers.provide_workers(SILENT), workers.provide_workers(SILENT):
        settings["cluster"] = "second"
        thread.start()
        assert progress.waits.wait(10)
        assert open_addresses == ["first"]
        settings["cluster"] = ""
        with workers.provide_workers(SILENT) as own:
            assert own is jobs.SERIAL
        assert open_addresses == ["first"]
    thread.join(10)
    assert seen == [["second"]]
    with workers.provide_workers(SILENT) as own:
        assert (own, open_addresses) == (jobs.SERIAL, [])
