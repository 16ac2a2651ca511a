"""Tests of the progress indicator: shown at once, cancellable; written files are protected."""

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irjudge.progress import Progress
from irjudge_ui import jobs
from irjudge_ui.widgets import Dialog
from irjudge_ui.window import Window
from tests.ui.window_content import label_texts, visible_text

ONE_WINDOW = True
COMPUTING = (
    "evaluate",
    "compare",
    "correlate",
    "rankings",
    "figures",
    "explain",
    "live",
    "agreement",
    "adjudicate",
    "quality",
)


@pytest.fixture
def blocked_jobs(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """An event without which background jobs do not start, unless they are cancelled."""
    go, work = threading.Event(), jobs.Job.run_function

    def wait_and_work(job: jobs.Job, function: Callable[[Progress], Any]) -> None:
        while not go.wait(0.02) and not job._stop:
            pass  # like a job that checks for cancellation at each step
        work(job, function)

    monkeypatch.setattr(jobs.Job, "run_function", wait_and_work)
    yield go
    go.set()


@pytest.mark.slow
@pytest.mark.parametrize("page", COMPUTING)
def test_a_computing_page_shows_progress_until_the_result_arrives(
    assessed_window: Window,
    page: str,
    blocked_jobs: threading.Event,
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
) -> None:
    assessed_window.show_page(page)
    assert assessed_window.pages.view(page).job_progress is not None
    qtbot.waitUntil(assessed_window.work_indicator.bar.isVisible)
    blocked_jobs.set()
    wait_until_idle()
    qtbot.waitUntil(lambda: not assessed_window.work_indicator.bar.isVisible())


def test_text_and_a_cancel_button_follow_soon_and_cancelled_work_can_be_restarted(
    assessed_window: Window,
    blocked_jobs: threading.Event,
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
) -> None:
    sign = assessed_window.work_indicator
    assessed_window.show_page("evaluate")
    qtbot.waitUntil(sign.stop.isVisible)
    sign.stop.click()
    assert (
        "Stopped" in visible_text(sign)
        and sign.restart_button.hasFocus()
        and not sign.bar.isVisible()
    )
    blocked_jobs.set()
    wait_until_idle()
    assert assessed_window.evaluation.results is None
    sign.restart_button.click()
    wait_until_idle()
    assert assessed_window.evaluation.results is not None and not sign.restart_button.isVisible()


def test_the_indicator_takes_no_room_from_the_page(
    assessed_window: Window, blocked_jobs: threading.Event, qtbot: QtBot
) -> None:
    assessed_window.show_page("collection")
    before = assessed_window.pages.y()
    assessed_window.show_page("compare")
    qtbot.waitUntil(assessed_window.work_indicator.bar.isVisible)
    assert assessed_window.pages.y() == before


def open_dialog() -> Dialog:
    return next(
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, Dialog) and each.isVisible()
    )


@pytest.mark.slow
@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.usefixtures("own_window")
def test_closing_while_a_file_is_written_asks_first(
    assessed_window: Window,
    blocked_jobs: threading.Event,
    wait_until_idle: Callable[[], None],
    stays: bool,
    qtbot: QtBot,
) -> None:
    done: list[Any] = []
    assessed_window.run(
        "Writing the workbook", lambda progress: progress.step(1, 2, "x"), done.append
    )
    assessed_window.close()
    assert assessed_window.isVisible() and "Writing the workbook" in " ".join(
        label_texts(open_dialog())
    )
    next(
        made
        for made in open_dialog().buttons
        if made.text() == ("Stay" if stays else "Stop and close")
    ).click()
    assert assessed_window.isVisible() is stays
    blocked_jobs.set()
    wait_until_idle()
    assert len(done) == int(stays)
    assessed_window.close()
    assert not assessed_window.isVisible()


@pytest.mark.usefixtures("own_window")
def test_closing_while_a_project_is_opened_loses_nothing_and_does_not_ask(
    window: Window, everyday: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    def open_slowly(_path: Path, _cache: Path, progress: Progress) -> None:
        while True:
            progress.step(0, None, "")
            threading.Event().wait(0.01)

    monkeypatch.setattr("irjudge_ui.pages.open_project._open", open_slowly)
    window._opener.open(everyday)
    qtbot.waitUntil(jobs.is_busy)
    window.close()
    assert not window.isVisible()
    qtbot.waitUntil(lambda: not jobs.is_busy())


def test_a_job_that_is_requested_during_another_starts_afterwards(
    window: Window, qtbot: QtBot
) -> None:
    go = {name: threading.Event() for name in ("first", "second")}
    started: list[str] = []
    done: list[str] = []
    for name in go:

        def wait(_progress: Progress, name: str = name) -> str:
            started.append(name)
            assert go[name].wait(10)
            return name

        window.run(name, wait, done.append)
    qtbot.waitUntil(lambda: bool(started))
    assert started == ["first"] and window.blocking_job.title == "first"
    go["first"].set()
    qtbot.waitUntil(lambda: started == ["first", "second"])
    assert done == ["first"] and window.blocking_job.title == "second"
    assert not window.pages.isEnabled()
    go["second"].set()
    qtbot.waitUntil(lambda: done == ["first", "second"])
    assert window.pages.isEnabled() and window.blocking_job.title == ""


def test_a_waiting_job_starts_also_if_the_result_of_the_first_job_cannot_be_shown(
    window: Window, qtbot: QtBot
) -> None:
    go, done = threading.Event(), list[str]()

    def fail(_result: object) -> None:
        raise ValueError("cannot be shown")

    window.run("first", lambda _progress: go.wait(10), fail)
    window.run("second", lambda _progress: "second", done.append)
    with qtbot.captureExceptions() as errors:
        go.set()
        qtbot.waitUntil(lambda: not jobs.is_busy() and not window.blocking_job.title)
    assert len(errors) == 1 and done == ["second"]


def test_a_task_is_stopped_if_the_user_agrees_before_another_project_is_opened(
    open_window: Window, everyday: Path, tmp_path: Path
) -> None:
    other = Path(shutil.copy(everyday, tmp_path / "other.irjudge"))
    done: list[object] = []

    def work(progress: Progress) -> None:
        while True:
            progress.step(0, None, "")
            threading.Event().wait(0.01)

    def agree() -> None:
        dialog = next(each for each in open_window.findChildren(Dialog) if each.isVisible())
        next(each for each in dialog.buttons if each.text() == "Stop and close").click()

    open_window.run("Importing", work, done.append)
    QTimer.singleShot(0, agree)
    assert open_window.open(other)  # type: ignore[func-returns-value]  # in tests, `open` waits
    assert done == []
