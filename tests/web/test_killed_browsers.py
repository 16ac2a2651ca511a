"""Tests of browsers killed during judging: stored judgments are neither lost nor doubled."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

import pytest
from selenium.common.exceptions import WebDriverException
from urllib3.exceptions import HTTPError

from irjudge.model import Document
from tests.web.browsers import Chromium, Firefox, import_marionette
from tests.web.tasks import TIDES, TOPICS, AssignedTask, assign_task, disable_guard_time

CLICK = "document.querySelector('.grade[data-grade=\"' + arguments[0] + '\"]').click()"
KILLS = {"chromium": 2, "firefox": 1}  # each requires another start of the browser
MIN_JUDGMENTS = 6  # judgments before each kill, however slow the machine is
TITLE = "return document.querySelector('.sheet h1')?.textContent"


@pytest.fixture(scope="module")
def long_task(tmp_path_factory: pytest.TempPathFactory) -> AssignedTask:
    """Four hundred documents on one topic."""
    documents = [
        Document(f"d{index}", f"{index} {TIDES}".encode(), f"Paper {index}") for index in range(400)
    ]
    return assign_task(
        tmp_path_factory.mktemp("long"), [documents], topics=TOPICS[:1], change=disable_guard_time
    )


def judge_until_killed(
    browser: Any, seconds: float, grade: Callable[[int], int]
) -> list[tuple[str, int]]:
    """Judge until the browser is killed; return the documents and grades moved on from."""
    moved: list[tuple[str, int]] = []
    killer = Timer(seconds, browser.kill)
    try:
        title = browser.js(TITLE)
        while True:
            if len(moved) == MIN_JUDGMENTS:
                killer.start()
            value = grade(len(moved))
            browser.js(CLICK, value)
            browser.wait_until_idle()
            after = browser.js(TITLE)
            assert after != title
            moved.append((title, value))
            title = after
    except (WebDriverException, HTTPError, OSError, import_marionette()[1].MarionetteException):
        killer.join()
        browser.clean_up()
        return moved


def check_stored(stored: list[dict[str, Any]], moved: list[tuple[str, int]], known: int) -> None:
    """Check that all judgments moved on from are stored once, in order, with at most one more."""
    graded = [
        (f"Paper {action['item']['documents'][0][1:]}", action["payload"]["value"])
        for action in stored
    ]
    assert graded[known : known + len(moved)] == moved
    assert known + len(moved) <= len(graded) <= known + len(moved) + 1
    assert len({action["item"]["documents"][0] for action in stored}) == len(stored)
    by_client: dict[str, list[int]] = {}
    for action in stored:
        by_client.setdefault(action["client"], []).append(action["number"])
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in by_client.values())


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_killed_browser_loses_and_doubles_nothing(
    name: str, long_task: AssignedTask, tmp_path: Path, full: bool
) -> None:
    random, known, judged = Random(7), 0, 0

    def start() -> Chromium | Firefox:
        profile = tmp_path / "profile"
        for left in profile.glob(
            "*ock"
        ):  # lock files of a killed browser would prevent the next start
            left.unlink(missing_ok=True)
        return Chromium(profile, tmp_path / "downloads") if name == "chromium" else Firefox(profile)

    browser = start()
    browser.open(long_task.page)
    for _kill in range(50 if full else KILLS[name]):
        moved = judge_until_killed(browser, 0.2 + random.random(), lambda position: position % 4)
        browser = start()
        browser.open(long_task.page)
        stored_actions = browser.stored_actions()
        check_stored(stored_actions, moved, known)
        known, judged = len(stored_actions), judged + len(moved)
        if known > 350:
            break
    browser.quit()
    assert judged > 5


def test_a_tab_closed_while_judging_loses_and_doubles_nothing(
    chromium: Chromium, long_task: AssignedTask, full: bool
) -> None:
    driver, known = chromium.driver, 0
    for closing in range(100 if full else 3):
        stays = driver.current_window_handle
        driver.switch_to.new_window("tab")
        chromium.open(long_task.page)
        moved = []
        for value in (1, 3, 0)[: 1 + closing % 3]:
            title = chromium.title
            chromium.js(CLICK, value)
            chromium.wait_until_idle()
            moved.append((title, value))
        chromium.js(CLICK, 2)  # this one is being saved when the tab is closed
        driver.close()
        driver.switch_to.window(stays)
        chromium.open(long_task.page)
        stored_actions = chromium.stored_actions()
        check_stored(stored_actions, moved, known)
        known = len(stored_actions)
        driver.get("about:blank")
    assert known >= 6
    assert all("'beforeunload' confirmation" in each for each in chromium.read_log()), (
        "a person would have been asked"
    )
