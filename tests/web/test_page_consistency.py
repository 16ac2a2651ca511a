"""Tests that the page's information is current and consistent: counts, titles, pauses, messages."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.store import ENDED, OPEN, PAUSED, open_project
from irjudge.web import (
    CrowdPanel,
    SchedulingOptions,
    Server,
    ServerAddress,
    SessionOptions,
    SharedSession,
)
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, make_server
from tests.web.browsers import Chromium, wait_until
from tests.web.conftest import HOST, PICTURES
from tests.web.tasks import (
    TOPICS,
    AssignedTask,
    assign_comparison_task,
    assign_task,
    disable_guard_time,
    make_documents,
)
from tests.web.test_session import grades, is_all_sent, join, judge

SOON = 8  # seconds: heartbeats come every 15, so that anything sooner was pushed


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=8)
    return path


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    started = make_server(
        project, SessionOptions(SchedulingOptions(overlap=1)), address=ServerAddress(names=(HOST,))
    )
    started.start()
    yield started
    started.stop()


@pytest.fixture
def page(device: Chromium, server: Server) -> Iterator[Chromium]:
    device.set_screen(1360, 820)
    device.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
    wait_until(lambda: device.js("return !!document.querySelector('.join')"))
    join(device, "Ann")
    yield device
    device.clear_storage(f"http://{HOST}:{server.port}")


def heading(page: Chromium) -> str:
    return page.text(".resting .state h1")


def send_host_request(server: Server, work: Callable[[SharedSession], object]) -> None:
    server.lead(work)


def test_a_pause_hides_the_document_and_resuming_shows_it_again(
    page: Chromium, server: Server, project: Path
) -> None:
    judge(page, "2")
    wait_until(lambda: is_all_sent(page))
    title = page.title
    send_host_request(server, lambda session: session.set_state(PAUSED))
    wait_until(lambda: heading(page) == "Paused", SOON)
    page.snap(PICTURES / "paused.png")
    judge(page, "3")
    assert "nothing to judge here" in page.message and page.text(".state button") == ""
    send_host_request(server, lambda session: session.set_state(OPEN))
    wait_until(lambda: not heading(page) and page.title == title, SOON)
    judge(page, "1")
    wait_until(lambda: is_all_sent(page))
    assert grades(project) == [2, 1]


HOLD_RESPONSES = """
    const fetchNow = window.fetch;
    window.held = [];
    window.fetch = async (path, options) => {
        const response = await fetchNow(path, options);
        if (path === arguments[0]) {
            await new Promise((release) => window.held.push(release));
        }
        return response;
    };
"""
HOLD_REQUESTS = """
    const fetchNow = window.fetch;
    window.held = [];
    window.fetch = async (path, options) => {
        if (path === arguments[0]) {
            await new Promise((release) => window.held.push(release));
        }
        return fetchNow(path, options);
    };
"""


def test_a_response_that_arrives_late_does_not_bring_back_an_older_state(
    page: Chromium, server: Server
) -> None:
    page.driver.execute_script(HOLD_RESPONSES, "/sync")
    judge(page, "2")
    wait_until(lambda: page.js("return window.held.length") == 1)  # computed before the pause
    send_host_request(server, lambda session: session.set_state(PAUSED))
    wait_until(lambda: heading(page) == "Paused", SOON)
    page.js("window.held[0]()")
    wait_until(lambda: page.js("return window.held.length") == 2)  # the first one is processed
    assert heading(page) == "Paused"


def test_a_state_that_returns_while_the_poll_is_under_way_is_noticed(
    page: Chromium, server: Server
) -> None:
    page.driver.execute_script(HOLD_REQUESTS, "/news")
    send_host_request(server, lambda session: session.set_message("Hello"))  # the next poll is held
    wait_until(lambda: page.js("return window.held.length") == 1, SOON)
    send_host_request(server, lambda session: session.set_state(PAUSED))
    judge(page, "2")  # the response says that the session is paused
    wait_until(lambda: heading(page) == "Paused", SOON)
    send_host_request(server, lambda session: session.set_state(OPEN))
    page.js("window.held.forEach((release) => release())")  # what the poll knows is current again
    wait_until(lambda: not heading(page), SOON)


def test_a_message_is_shown_above_the_page_until_it_is_closed(
    page: Chromium, server: Server
) -> None:
    send_host_request(server, lambda session: session.set_message("Five <b>more</b> minutes."))
    wait_until(
        lambda: (
            "Message from the session leader: Five <b>more</b> minutes."
            in page.text(".leader-message")
        ),
        SOON,
    )
    page.snap(PICTURES / "message.png")
    page.click(".leader-message button")
    judge(page, "2")
    wait_until(lambda: is_all_sent(page))
    assert page.js("return document.querySelector('.leader-message').hidden"), (
        "what was put away stays away"
    )
    send_host_request(server, lambda session: session.set_message("Stop now."))
    wait_until(
        lambda: (
            "Stop now." in page.js("return document.querySelector('.leader-message').innerText")
        ),
        SOON,
    )
    send_host_request(server, lambda session: session.set_state(ENDED))
    wait_until(lambda: heading(page) == "The session has ended", SOON)


def test_an_excluded_participant_sees_that_and_not_that_others_have_the_last_documents(
    page: Chromium, server: Server
) -> None:
    judge(page, "2")
    wait_until(lambda: is_all_sent(page))
    send_host_request(
        server, lambda session: session.exclude_participant(session.find_participant("Ann"))
    )
    wait_until(lambda: heading(page) == "Excluded", SOON)
    assert "not used" in page.text(".state p")
    page.snap(PICTURES / "aside.png")
    send_host_request(
        server, lambda session: session.readmit_participant(session.find_participant("Ann"))
    )
    wait_until(lambda: not heading(page), SOON)


def test_a_late_judgment_is_reported(page: Chromium, server: Server, project: Path) -> None:
    bob = Person(server, "Bob")
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    send_host_request(server, lambda session: session.release(session.find_participant("Ann")))
    while bob.sync()["items"] or bob.open_items():
        for index in bob.open_items():
            bob.grade(index, 1, scale)
    judge(page, "3")
    wait_until(lambda: "too late to be used: 1" in page.text(".progress"), SOON)
    assert "not used" in page.message


def test_the_count_of_all_is_never_less_than_what_this_page_has_done(
    page: Chromium, server: Server
) -> None:
    script = "return [...document.querySelectorAll('.progress .meter')].map((each) => each.innerText.replace(/\\s+/g, ' ').trim())"
    server.stop()  # actions from here on are not acknowledged
    judge(page, "2", "1")
    assert page.js(script) == ["You 2", "Everyone 2 of 8"]
    server.start = server.stop = lambda: None  # type: ignore[method-assign]


def test_a_paid_participant_sees_how_much_of_the_share_is_done(
    device: Chromium, project: Path
) -> None:
    panel = CrowdPanel("prolific", "PROLIFIC_PID", completion="https://panel.example/done", each=3)
    server = make_server(
        project,
        SessionOptions(SchedulingOptions(overlap=2), panel=panel),
        address=ServerAddress(names=(HOST,)),
    )
    server.start()
    try:
        device.driver.get(
            f"http://{HOST}:{server.port}/?PROLIFIC_PID=5f0a61c2e9d34b7f8a90c1d2&code={server.code}"
        )
        wait_until(lambda: device.js("return !!document.querySelector('.sheet h1')"))
        device.wait_until_idle()
        if device.js("return !!document.querySelector('dialog[open]')"):
            device.press(Keys.ENTER)
        judge(device, "2")
        wait_until(lambda: is_all_sent(device))
        meters = "[...document.querySelectorAll('.progress .meter')].filter((each) => each.checkVisibility())"
        shown = f"return {meters}.map((each) => each.innerText)"
        assert [each.split() for each in device.js(shown)] == [["You", "1", "of", "3"]]
        device.set_screen(390, 844, touch=True)
        assert device.text(".strip .numbers") == "Judged by you: 1 of 3"
    finally:
        device.clear_storage(f"http://{HOST}:{server.port}")
        server.stop()


# Pages from a file


def test_at_the_end_saved_work_is_described_as_saved_and_one_count_is_shown(
    chromium: Chromium, tides: AssignedTask
) -> None:
    chromium.set_screen(680, 410)  # small enough for the count to be on one line
    chromium.open(tides.page)
    chromium.press(*"123123")
    chromium.press(Keys.ENTER)
    chromium.press(*"123123")
    assert chromium.text(".state h1") == "All done"
    assert chromium.text(".strip .numbers") == "6/6 in topic · 12/12 total"
    chromium.press_control("s")
    chromium.wait_for_download("ann.result.json")
    wait_until(lambda: "Saved as" in chromium.message)
    assert (
        chromium.text(".progress .unsaved")
        == chromium.text(".strip .unsaved")
        == "Everything saved to file"
    )
    chromium.press("2")
    assert "nothing to judge here" in chromium.message, (
        "there is no document that could have appeared"
    )


def test_identical_lists_recorded_automatically_are_not_counted_as_compared(
    chromium: Chromium, tmp_path: Path
) -> None:
    def same(task: dict[str, Any]) -> None:
        disable_guard_time(task)
        task["items"][0]["identical"] = True

    chromium.open(assign_comparison_task(tmp_path / "identical", change=same).page)
    assert len(chromium.stored_actions()) == 1 and chromium.text(".progress .meter").endswith(
        "0 of 1"
    )


def test_messages_name_documents_by_title_and_screen_readers_announce_the_next_one(
    chromium: Chromium, tides: AssignedTask
) -> None:
    chromium.open(tides.page)
    first = chromium.title
    chromium.press("2")
    texts = chromium.js(
        "return [...document.querySelector('.message p').childNodes].map((each) => each.textContent)"
    )
    assert texts[0].startswith(f"Saved: {first}, grade 2.") and chromium.title in texts[1]
    assert (
        chromium.js("return getComputedStyle(document.querySelector('.message .spoken')).position")
        == "absolute"
    )
    chromium.press_control("z")
    assert f"Undone: {first}, grade 2." in chromium.message


def test_after_the_only_document_of_a_topic_the_next_topic_starts_at_once(
    chromium: Chromium, tmp_path: Path
) -> None:
    documents = [make_documents(TOPICS[0], 1), make_documents(TOPICS[1], 2)]
    made = assign_task(tmp_path / "lone", documents, topics=TOPICS[:2], change=disable_guard_time)
    chromium.open(made.page)
    first = chromium.title
    resting = "return document.querySelector('.grading').classList.contains('resting')"
    chromium.press("2")
    assert not chromium.js(resting) and chromium.title not in ("", first)
    assert len(chromium.stored_actions()) == 1


def test_a_document_has_its_language_attribute(chromium: Chromium, tmp_path: Path) -> None:
    made = assign_task(
        tmp_path / "one",
        [make_documents(TOPICS[0], 1)],
        topics=TOPICS[:1],
        change=disable_guard_time,
    )
    chromium.open(made.page)
    assert chromium.js("return document.querySelector('.sheet').lang") == "en"
