"""Tests of the notice about judgments that do not count, on every page that reads judgments."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from irjudge.judging import Session
from irjudge.model import Event, Item
from irjudge.store import Project, open_project
from irjudge_ui import jobs
from irjudge_ui.pages import PAGES
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.outside_edits import change

ONE_WINDOW = True

READING = [page.id for page in PAGES if page.judgments]


@pytest.fixture
def project_with_gap(assessed_path: Path) -> Path:
    """The project with one event of bob missing, so that later events do not count."""
    with open_project(assessed_path, writing=False) as project:
        number, _ = list(project.events.read_since(0, "bob"))[2]
    change(assessed_path, f"DELETE FROM event WHERE sequence = {number}")
    return assessed_path


@pytest.mark.slow
@pytest.mark.parametrize("page", ["agreement", "adjudicate", "evaluate", "quality"])
def test_assessors_with_gaps_are_named_on_the_page(
    window: Window, project_with_gap: Path, wait_until_idle: Callable[[], None], page: str
) -> None:
    window.open(project_with_gap)
    window.show_page(page)
    wait_until_idle()
    assert (
        window.uncounted_warning.isVisible()
        and "3 judgments of bob" in window.uncounted_warning.text()
    )
    window.show_page("collection")
    assert not window.uncounted_warning.isVisible()


@pytest.mark.slow
def test_a_project_in_which_all_judgments_count_shows_no_notice(
    window: Window, assessed_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    window.open(assessed_path)
    for page in READING:
        window.show_page(page)
        wait_until_idle()
        assert not window.uncounted_warning.isVisible(), page


@pytest.mark.slow
def test_events_added_while_the_project_is_open_are_noticed_on_the_next_page(
    window: Window, assessed_path: Path, qtbot: QtBot
) -> None:
    window.open(assessed_path)
    window.show_page("agreement")
    assert window.project is not None
    head = window.project.events.head("ann")
    window.project.events.append(
        Event(
            "ann",
            "grade",
            Item("1", ("d1",), ("",)),
            "2026-03-01T00:00:00.000Z",
            {"value": "three"},
            None,
            head,
        )
    )
    window.show_page("quality")
    qtbot.waitUntil(window.uncounted_warning.isVisible)
    qtbot.waitUntil(lambda: not jobs.is_busy())
    assert "1 event of ann" in window.uncounted_warning.text()


@pytest.mark.slow
def test_the_notice_stays_when_pages_are_rebuilt_during_a_job(
    window: Window, project_with_gap: Path, qtbot: QtBot
) -> None:
    window.open(project_with_gap)
    window.show_page("agreement")
    before = window.pages
    window.settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: window.pages is not before)
    window.show_page("agreement")
    qtbot.waitUntil(lambda: not jobs.is_busy())
    assert window.uncounted_warning.isVisible() and "of bob" in window.uncounted_warning.text()


def test_of_many_assessors_the_first_are_named(window: Window, project: Project) -> None:
    window.uncounted_warning.show_project(
        project, [f"Of a{number}, 1 judgment waits." for number in range(40)]
    )
    window.uncounted_warning.show_above(True)
    assert (
        "Of a2," in window.uncounted_warning.text()
        and "Of a3," not in window.uncounted_warning.text()
    )
    assert find_numbers(window.uncounted_warning.text())[-1] == "37"


def test_judging_continues_during_the_check(
    window: Window, assessed_path: Path, qtbot: QtBot
) -> None:
    window.open(assessed_path)
    window.show_page("judge")
    assert window.project is not None
    Session(window.project, "dan").open_topic(window.project.rankings.pool().topics[0])  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: not jobs.is_busy())
    assert not window.uncounted_warning.isVisible()


def test_a_page_that_reads_no_judgments_shows_no_notice_for_the_next_project(
    window: Window, project: Project
) -> None:
    window.uncounted_warning.show_above(False)
    window.uncounted_warning.show_project(project, ["Of ann, 1 judgment waits."])
    assert not window.uncounted_warning.isVisible()
    window.uncounted_warning.show_above(True)
    assert window.uncounted_warning.isVisible()


@pytest.mark.slow
def test_damage_found_by_verification_is_shown_above_every_page(
    window: Window, assessed_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    window.open(assessed_path)
    window.integrity_warning.check_log()
    wait_until_idle()
    assert not window.integrity_warning.isVisible() and window.integrity_warning.text() == ""
    window.close_project()
    change(assessed_path, "UPDATE content SET body = CAST('other words' AS BLOB) WHERE rowid = 1")
    window.open(assessed_path)
    wait_until_idle()
    assert not window.integrity_warning.isVisible(), "the first document comes first"
    window.integrity_warning.check_log()
    wait_until_idle()
    for page in ("collection", "judge", "agreement"):
        window.show_page(page)
        assert (
            window.integrity_warning.isVisible() and "its hash" in window.integrity_warning.text()
        )
    window.close_project()
    assert not window.integrity_warning.isVisible()


@pytest.mark.slow
def test_a_file_is_verified_automatically_once_it_is_open(
    window: Window, assessed_path: Path, qtbot: QtBot
) -> None:
    change(assessed_path, "UPDATE content SET body = CAST('other words' AS BLOB) WHERE rowid = 1")
    window.open(assessed_path)
    qtbot.waitUntil(window.integrity_warning.isVisible)
