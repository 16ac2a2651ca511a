"""Test of search in the browser page: a hit is graded in the list, or opened."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.judging.sources import map_retrieved_pairs
from irjudge.store import open_project
from irjudge.web import SchedulingOptions, Server, ServerAddress, SessionOptions
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import make_server
from tests.web.browsers import Chromium, wait_until
from tests.web.conftest import HOST, PICTURES
from tests.web.test_session import grades, join, judge


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=8)
    return path


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    started = make_server(
        project,
        SessionOptions(SchedulingOptions(overlap=2), search=True),
        address=ServerAddress(names=(HOST,)),
    )
    started.start()
    yield started
    started.stop()


def test_a_hit_is_graded_in_the_list_and_the_current_document_stays(
    device: Chromium, server: Server, project: Path, full: bool
) -> None:
    page = device
    page.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
    wait_until(lambda: page.js("return !!document.querySelector('.join')"))
    join(page, "Ann")
    judge(page, "2")
    current_title = page.title
    page.press("/")
    wait_until(lambda: page.js("return !!document.querySelector('dialog[open] input')"))
    page.js(
        "const box = document.querySelector('dialog input'); box.value = 't051n9'; box.dispatchEvent(new Event('input'))"
    )
    wait_until(lambda: page.js("return document.querySelectorAll('.hit').length") > 0)
    assert "t051n9" in page.text(".hit")  # the pool has eight of the twelve
    page.snap(PICTURES / "search-in-session.png") if full else None
    page.js("document.querySelectorAll('.hit button')[3].click()")
    wait_until(lambda: "your grade: 3" in page.text(".hit"))
    wait_until(lambda: grades(project) == [2, 3])
    page.press(Keys.ESCAPE)
    wait_until(lambda: not page.js("return document.querySelector('dialog[open]')"))
    assert page.title == current_title
    judge(page, "1")
    wait_until(lambda: grades(project) == [2, 3, 1])
    with open_project(project, writing=False) as opened:
        assert dict(map_retrieved_pairs(opened)) == {("051", "t051n9"): "search"}


def test_hits_are_not_graded_while_the_session_is_paused(
    device: Chromium, server: Server, project: Path
) -> None:
    page = device
    page.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
    wait_until(lambda: page.js("return !!document.querySelector('.join')"))
    join(page, "Ann")
    judge(page, "2")
    page.press("/")
    wait_until(lambda: page.js("return !!document.querySelector('dialog[open] input')"))
    page.js(
        "const box = document.querySelector('dialog input'); box.value = 't051n9'; box.dispatchEvent(new Event('input'))"
    )
    wait_until(lambda: page.js("return document.querySelectorAll('.hit').length") > 0)
    page.js("document.querySelectorAll('.hit button')[3].click()")
    wait_until(lambda: grades(project) == [2, 3])
    server.ask("state", state="paused")
    wait_until(lambda: page.text(".state h1") == "Paused")
    page.js("document.querySelectorAll('.hit button')[1].click()")
    wait_until(lambda: page.text("dialog [role=status]") == "Paused")
    server.ask("state", state="open")
    wait_until(lambda: page.js("return !document.querySelector('main.resting')"))
    page.js("document.querySelectorAll('.hit button')[1].click()")
    wait_until(lambda: grades(project) == [2, 3, 1])


def test_a_read_only_tab_does_not_grade_hits(device: Chromium, server: Server) -> None:
    page, first = device, device.driver.current_window_handle
    address = f"http://{HOST}:{server.port}/"
    page.driver.get(f"{address}#{server.code}")
    wait_until(lambda: page.js("return !!document.querySelector('.join')"))
    join(page, "Ann")
    judge(page, "2")
    page.driver.switch_to.new_window("tab")
    try:
        page.driver.get(address)
        wait_until(lambda: "read-only" in page.text(".banner"))
        page.wait_until_idle()
        page.press("/")
        assert "read-only" in page.message and not page.js(
            "return document.querySelector('dialog')"
        )
        page.driver.close()
    finally:
        page.driver.switch_to.window(first)
    judge(page, "1")
    assert [action["kind"] for action in page.stored_actions()] == ["grade", "grade"]
