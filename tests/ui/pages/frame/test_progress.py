"""Tests of the progress indicator: shown at once, cancellable; written files are protected."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
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
