"""Every page that computes says so: at once by a bar, then by words and a way to stop; nothing that is written is given up unasked."""

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
from tests.ui.shown import labels, says

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
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """All work beside the window waits until this is set, or until it is cancelled."""
    go, work = threading.Event(), jobs.Job.run_function

    def wait_and_work(job: jobs.Job, function: Callable[[Progress], Any]) -> None:
        while not go.wait(0.02) and not job._stop:
            pass  # as work that looks at each step whether it is still wanted
        work(job, function)

    monkeypatch.setattr(jobs.Job, "run_function", wait_and_work)
    yield go
    go.set()


@pytest.mark.slow
@pytest.mark.parametrize("page", COMPUTING)
def test_a_page_that_computes_says_so_until_it_is_there(
    assessed_window: Window,
    page: str,
    held: threading.Event,
    idle: Callable[[], None],
    qtbot: QtBot,
) -> None:
    assessed_window.show_page(page)
    assert assessed_window.pages.view(page).job_progress is not None
    qtbot.waitUntil(assessed_window.sign.bar.isVisible)
    held.set()
    idle()
    qtbot.waitUntil(lambda: not assessed_window.sign.bar.isVisible())


def test_words_and_a_way_to_stop_come_soon_and_what_was_stopped_can_be_begun_again(
    assessed_window: Window, held: threading.Event, idle: Callable[[], None], qtbot: QtBot
) -> None:
    sign = assessed_window.sign
    assessed_window.show_page("evaluate")
    qtbot.waitUntil(sign.stop.isVisible)
    sign.stop.click()
    assert "Stopped" in says(sign) and sign.restart_button.hasFocus() and not sign.bar.isVisible()
    held.set()
    idle()
    assert assessed_window.evaluation.results is None
    sign.restart_button.click()
    idle()
    assert assessed_window.evaluation.results is not None and not sign.restart_button.isVisible()


def test_the_sign_takes_no_room_from_the_page(
    assessed_window: Window, held: threading.Event, qtbot: QtBot
) -> None:
    assessed_window.show_page("collection")
    before = assessed_window.pages.y()
    assessed_window.show_page("compare")
    qtbot.waitUntil(assessed_window.sign.bar.isVisible)
    assert assessed_window.pages.y() == before


def question() -> Dialog:
    return next(
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, Dialog) and each.isVisible()
    )


@pytest.mark.slow
@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.usefixtures("own_window")
def test_closing_while_a_file_is_written_asks(
    assessed_window: Window,
    held: threading.Event,
    idle: Callable[[], None],
    stays: bool,
    qtbot: QtBot,
) -> None:
    done: list[Any] = []
    assessed_window.run(
        "Writing the workbook", lambda progress: progress.step(1, 2, "x"), done.append
    )
    assessed_window.close()
    assert assessed_window.isVisible() and "Writing the workbook" in " ".join(labels(question()))
    next(
        made
        for made in question().buttons
        if made.text() == ("Stay" if stays else "Stop and close")
    ).click()
    assert assessed_window.isVisible() is stays
    held.set()
    idle()
    assert len(done) == int(stays)
    assessed_window.close()
    assert not assessed_window.isVisible()
