"""Tests that jobs of a page are cancelled when its project is closed or its request replaced."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from irjudge.errors import Cancelled
from irjudge.judging import Session
from irjudge.progress import Progress
from irjudge.store import open_project
from irjudge_ui import jobs
from irjudge_ui.pages.results import live
from irjudge_ui.pages.shared import store_options, stored_options
from irjudge_ui.window import Window

ONE_WINDOW = True


class JobGate:
    """Blocks all jobs at their start until `go` is set, and records how each ended."""

    def __init__(self) -> None:
        self.go, self.ended = threading.Event(), list[str]()

    def block(self, function: Callable[[Progress], Any]) -> Callable[[Progress], Any]:
        position = len(self.ended)
        self.ended.append("under way")

        def work(progress: Progress) -> Any:
            self.go.wait(5)
            try:
                progress.step(0, None, "")
                result = function(progress)
            except Cancelled:
                self.ended[position] = "cancelled"
                raise
            self.ended[position] = "computed"
            return result

        return work


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[JobGate]:
    gate, run = JobGate(), jobs.run
    monkeypatch.setattr(jobs, "run", lambda function, *more: run(gate.block(function), *more))
    yield gate
    gate.go.set()


PAGES = (
    *("evaluate", "compare", "correlate", "rankings", "explain", "live", "figures"),
    *("preferences", "assessors", "agreement", "adjudicate", "quality"),
)


@pytest.fixture
def window(make_window: Callable[[], Window], assessed_path: Path, qtbot: QtBot) -> Window:
    made = make_window()
    with open_project(
        assessed_path
    ) as project:  # pages store their options, unless these are stored already
        store_options(project, stored_options(project, made.settings))
        project.set_setting(
            live.SETTING_KEY,
            live.SEPARATOR.join((" ".join(live.DEFAULT_LIVE_MEASURES), live.WORLDS[0])),
        )
    assert made.open(assessed_path)
    return made


def wait_for_jobs(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy())


@pytest.mark.slow
def test_closing_a_project_cancels_the_running_jobs_of_any_page(
    window: Window, gate: JobGate, qtbot: QtBot
) -> None:
    for name in PAGES:
        before = len(gate.ended)
        window.show_page(name)
        assert len(gate.ended) > before, name
    under_way = len(gate.ended)
    threading.Timer(0.1, gate.go.set).start()
    window.reopen()
    wait_for_jobs(qtbot)
    assert gate.ended[:under_way] == ["cancelled"] * under_way


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in PAGES if each != "figures"])
def test_a_replaced_request_is_cancelled_and_not_computed_to_its_end(
    window: Window, gate: JobGate, qtbot: QtBot, name: str
) -> None:
    window.show_page(name)
    first = len(gate.ended)
    session = Session(window.project, "dora")
    session.grade(session.current(), 1)
    window.pages.view(name).refresh()
    asked = len(gate.ended)
    gate.go.set()
    wait_for_jobs(qtbot)
    assert asked == 2 * first > 0
    assert gate.ended[:first] == ["cancelled"] * first
    assert set(gate.ended[first:]) == {"computed"}
