"""Tests of a session in Chromium over http with a host name, without Web Crypto and locks."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.cli.main import main
from irjudge.exchange import Choice, pair_runs
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.judging import map_sides_to_runs, project_labels, read_project_preferences
from irjudge.model import make_run
from irjudge.store import ENDED, OPEN, PAUSED, open_project
from irjudge.web import (
    SchedulingOptions,
    Server,
    ServerAddress,
    SessionOptions,
    StartPage,
    SurveyQuestion,
)
from irjudge.web import server as serving_module
from irjudge.web import session as session_module
from irjudge.web import writer as writer_queue
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, make_server, run_server
from tests.web.browsers import Chromium, wait_until
from tests.web.conftest import HOST, PICTURES


@pytest.fixture
def project(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=getattr(request, "param", ("051",)), documents=8)
    with open_project(path) as opened:
        opened.set_setting("instructions", "Judge what **answers** the question.")
    return path


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    started = make_server(
        project, SessionOptions(SchedulingOptions(overlap=2)), address=ServerAddress(names=(HOST,))
    )
    started.start()
    yield started
    started.stop()


@pytest.fixture
def page(device: Chromium, server: Server) -> Iterator[Chromium]:
    device.set_screen(1360, 820)
    device.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
    wait_until(lambda: device.js("return !!document.querySelector('.join')"))
    yield device
    device.clear_storage(f"http://{HOST}:{server.port}")
    known = re.compile("ERR_|status of (4|503)|favicon|blob:.* insecure connection")
    assert [each for each in device.read_log() if not known.search(each)] == []


def join(page: Chromium, name: str) -> None:
    """Enter a name, and start."""
    page.js("document.querySelector('#name').value = arguments[0]", name)
    page.js("document.querySelector('.join button').click()")
    wait_until(
        lambda: page.js(
            "return !!document.querySelector('.grading') && !!document.querySelector('.sheet h1')"
        )
    )
    page.wait_until_idle()
    if page.js("return !!document.querySelector('dialog[open]')"):
        page.press(Keys.ENTER)


def judge(page: Chromium, *keys: str) -> None:
    """Press keys, each after the guard time of the one before."""
    for key in keys:
        before = page.title
        page.run_async("setTimeout(arguments[0], 100)")
        page.press(key)
        if key.isdigit():
            wait_until(lambda before=before: page.title != before or is_finished(page))


def is_finished(page: Chromium) -> bool:
    return bool(page.js("return document.querySelector('main')?.classList.contains('resting')"))


def counts(page: Chromium) -> list[list[str]]:
    """Return the counts shown by the page: those of the participant, and those of all."""
    shown = page.js(
        "return [...document.querySelectorAll('.progress .meter .numbers')].map((each) => each.textContent)"
    )
    return [re.findall(r"\d+", each) for each in shown]


def is_all_sent(page: Chromium) -> bool:
    return page.text(".progress .unsaved") == "All sent"


def grades(project: Path) -> list[int]:
    with open_project(project, writing=False) as opened:
        return [event.payload["value"] for event in opened.events.read() if event.kind == "grade"]


def test_a_participant_joins_with_the_code_and_judgments_reach_the_project(
    page: Chromium, server: Server, project: Path
) -> None:
    assert page.js("return window.isSecureContext") is False
    assert page.js("return [typeof crypto.subtle, typeof navigator.locks]") == [
        "undefined",
        "undefined",
    ]
    assert page.text(".join h1") == server.lead(lambda session: session.project.title)
    assert page.js("return document.querySelector('#code').value") == server.code
    join(page, "Ann")
    judge(page, "2", "1", "3")
    wait_until(lambda: is_all_sent(page))
    assert grades(project) == [2, 1, 3]
    assert page.js("return location.href") == f"http://{HOST}:{server.port}/", (
        "no code and no token is left to share or to be found"
    )


def test_controls_and_messages_before_the_first_judgment(page: Chromium) -> None:
    """No file is offered; undo and a rationale without a selection are refused; markup is text."""
    join(page, "<img src=x onerror=alert(1)>")
    page.press("?")
    ids = page.js(
        "return [...document.querySelectorAll('[data-action]')].map((each) => each.dataset.action)"
    )
    assert "undo" in ids and not {"save-result", "hand-in"} & {*ids}
    names = page.js(
        "return [...document.querySelectorAll('button')].filter((each) => ['Details', 'More'].includes(each.textContent))"
        ".map((each) => each.getAttribute('aria-label'))"
    )
    assert len(names) == len({*names}) == 2 and all(names)
    page.press(Keys.ESCAPE)
    for shift in (False, True):
        page.press("r")  # another message
        before = page.text(".message p")
        page.press_control("z", shift=shift)
        assert "nothing to undo" in page.text(".message p") and "nothing to undo" not in before
    assert page.stored_actions() == []
    warned = "return !!document.querySelector('.message .warning')"
    page.press("r")
    assert page.js(warned)
    page.js("getSelection().selectAllChildren(document.querySelector('.sheet p'))")
    wait_until(lambda: not page.js(warned))
    page.js("document.querySelector('.progress .links button').click()")
    page.wait_until_idle()
    assert "<img src=x" in page.text("dialog") and not page.js(
        "return !!document.querySelector('dialog img')"
    )


@pytest.mark.parametrize("keys", [(), ("1",)])  # judgments that the server does not receive
def test_work_of_a_refused_participant_can_be_saved_after_the_page_is_reloaded(
    page: Chromium, server: Server, project: Path, keys: tuple[str, ...]
) -> None:
    join(page, "Ann")
    judge(page, "2")
    wait_until(lambda: is_all_sent(page))
    page.js("window.fetch = () => Promise.reject(new Error('offline'))")
    judge(page, *keys)
    server.lead(lambda session: session.revoke(session.find_participant("Ann")))
    page.driver.refresh()
    wait_until(lambda: "no longer have access" in page.text(".join .error"))
    assert ("Not sent: 1." in page.text(".joining")) == bool(keys)
    page.click_button("Save this work")
    path = page.wait_for_download("Ann.result.json")
    server.stop()
    server.stop = lambda: None  # type: ignore[method-assign]
    assert main(["merge", str(project), str(path)]) == 0
    assert grades(project) == [2, *map(int, keys)]


def test_a_personal_link_leaves_the_address_bar_and_works_until_it_is_revoked(
    page: Chromium, server: Server
) -> None:
    person, token = server.lead(lambda session: session.join("Ann"))
    address = f"http://{HOST}:{server.port}/"
    page.driver.get("about:blank")
    page.driver.get(f"{address}#t={token}")
    wait_until(lambda: page.js("return !!document.querySelector('.sheet h1')"))
    assert page.js("return location.href") == address
    page.driver.refresh()
    wait_until(lambda: page.js("return !!document.querySelector('.sheet h1')"))
    page.wait_until_idle()
    if page.js("return !!document.querySelector('dialog[open]')"):
        page.press(Keys.ENTER)
    judge(page, "2")
    wait_until(lambda: is_all_sent(page))
    server.lead(lambda session: session.revoke(person))
    wait_until(lambda: "no longer has access" in page.text(".state h1"))
    assert page.js("return document.querySelector('.banner').hidden")
    page.snap(PICTURES / "revoked.png")
    page.js("document.querySelector('.progress .links button').click()")
    wait_until(lambda: page.text("dialog .choices") == "Close")  # nothing starts here
    page.press(Keys.ESCAPE)
    page.click(".state .primary")  # a participant with the code joins again
    wait_until(lambda: page.js("return !!document.querySelector('#name')"))


def test_a_message_about_the_last_action_disappears_when_the_session_state_changes(
    page: Chromium, server: Server
) -> None:
    join(page, "Ann")
    judge(page, "2")
    assert "Recorded" in page.text(".message p")
    server.ask("state", state="paused")
    wait_until(lambda: page.text(".state h1") == "Paused")
    assert page.text(".message p") == ""
    server.ask("aside", person="Ann")
    server.ask("state", state="open")
    wait_until(lambda: page.text(".state h1") == "Excluded")
    assert "returned" not in page.text(".state")


def test_a_phone_shows_two_lines_of_a_title_and_its_targets_are_large_enough(
    page: Chromium,
) -> None:
    join(page, "Ann")
    page.set_screen(360, 640, touch=True)
    title = page.js(
        """const title = document.querySelector('.topic h1');
        title.textContent = 'way from the ferry pier to the fish market'; title.style.fontSize = '15px';
        return [title.clientHeight / parseFloat(getComputedStyle(title).lineHeight), title.scrollHeight - title.clientHeight,
          document.querySelector('.topic').offsetHeight]"""
    )
    assert round(title[0]) == 2 and title[1] <= 1 and title[2] <= 50
    page.press_control("f")
    heights = page.js(
        "return [...document.querySelectorAll('.find label, .find button, .find input[type=search]')].map((each) => each.offsetHeight)"
    )
    assert len(heights) == 5 and min(heights) >= 44


@pytest.mark.parametrize("project", [("__proto__",), ("constructor",)], indirect=True)
def test_topics_named_like_inherited_object_properties_can_be_judged(
    page: Chromium, project: Path
) -> None:
    join(page, "toString")
    page.press("h")
    page.send_keys("words", Keys.ENTER)
    wait_until(
        lambda: page.js(
            "return CSS.highlights.get('irjudge-own')?.size === 1 && document.activeElement.className === 'paper'"
        )
    )
    judge(page, "2", "1")
    wait_until(lambda: is_all_sent(page))
    assert grades(project) == [2, 1]


@pytest.mark.parametrize(("host", "is_warned"), [(HOST, True), ("127.0.0.1", False)])
def test_only_other_computers_are_warned_about_the_network(
    device: Chromium, server: Server, host: str, is_warned: bool
) -> None:
    device.driver.get(f"http://{host}:{server.port}/")
    wait_until(lambda: "Join" in device.text("button"))
    assert ("not encrypted" in device.text("body")) == is_warned


def test_a_wrong_code_and_a_name_in_use_are_reported(page: Chromium, server: Server) -> None:
    Person(server, "Ann")
    for code, message in (
        ("AAAAAAAA", "The code does not match"),
        (server.code, "joined as ann"),
    ):
        page.js(
            "document.querySelector('#code').value = arguments[0]; document.querySelector('#name').value = 'ann '",
            code,
        )
        page.js("document.querySelector('.join button').click()")
        wait_until(
            lambda message=message: message.casefold() in page.text(".join .error").casefold()
        )


def test_undo_is_sent_too_and_work_continues_after_a_reload(
    page: Chromium, project: Path, server: Server
) -> None:
    join(page, "Ann")
    judge(page, "2", "1")
    page.press_control("z")
    wait_until(lambda: is_all_sent(page))
    title = page.title
    page.driver.refresh()
    wait_until(lambda: page.js("return !!document.querySelector('.sheet h1')"))
    page.wait_until_idle()
    assert page.title == title and page.text(".progress .meter").startswith("You")
    assert counts(page) == [["1"], ["1", "16"]], "those of the server, at once"
    judge(page, "3")
    wait_until(lambda: is_all_sent(page))
    assert grades(project) == [2, 1, 3]
    assert server.lead(lambda session: session.status().participants[0].judged) == 2


def test_released_documents_are_judged_in_a_reloaded_page_when_they_are_assigned_again(
    page: Chromium, server: Server, project: Path
) -> None:
    join(page, "Ann")
    server.ask("release", person="Ann")
    page.driver.refresh()
    wait_until(lambda: page.title != "")
    page.wait_until_idle()
    if page.js("return !!document.querySelector('dialog[open]')"):
        page.press(Keys.ENTER)
    judge(page, *"1111")
    wait_until(lambda: not is_finished(page))
    judge(page, *"2222")
    wait_until(lambda: is_all_sent(page))
    assert grades(project) == [1] * 4 + [2] * 4
    wait_until(lambda: "All done" in page.text(".state h1"))


def test_a_note_stays_open_with_its_text_while_the_session_is_updated(
    page: Chromium, server: Server
) -> None:
    join(page, "Ann")
    title = page.title
    field = "const field = document.querySelector('.marks input'); return [field === document.activeElement, field.value]"
    page.press("n")
    for number, letter in enumerate("2 x"):
        message = f"Message {number}."
        server.ask("say", words=message)
        wait_until(lambda message=message: message in page.text(".leader-message"))
        page.send_keys(letter)
    server.ask("say", words="")
    wait_until(
        lambda: not page.js("return !!document.querySelector('.leader-message:not([hidden])')")
    )
    assert page.js(field) == [True, "2 x"] and page.title == title
    page.press(Keys.ENTER, "1")
    wait_until(lambda: is_all_sent(page))
    assert server.lead(lambda session: session.status().participants[0].judged) == 1


def test_a_note_typed_just_before_a_pause_of_the_session_is_a_draft(
    page: Chromium, server: Server
) -> None:
    join(page, "Ann")
    title = page.title
    page.press("n")
    # without an event, so that the timer which stores drafts does not run before the pause
    page.js("document.querySelector('.marks input').value = 'just typed'")
    pause_and_continue(page, server)
    assert page.title == title
    assert page.js("return document.querySelector('.marks input').value") == "just typed"
    assert [each["payload"] for each in page.stored_actions()] == [{"text": "just typed"}]


def test_on_a_phone_the_grades_are_uncovered_and_the_menu_lists_available_actions(
    page: Chromium, server: Server
) -> None:
    page.set_screen(390, 844, touch=True)
    join(page, "Ann")
    listed = (
        "return [...document.querySelectorAll('[data-action]')].map((each) => each.dataset.action)"
    )

    def actions() -> set[str]:
        page.click("[aria-label='More actions']")
        ids = set(page.js(listed))
        page.press(Keys.ESCAPE)
        return ids

    page.click("[aria-label='More actions']")
    listed_once = page.js(listed)
    sections = "return [...document.querySelectorAll('dialog section')].map((each) => each.querySelectorAll('[data-action]').length)"
    assert len({*listed_once}) == len(listed_once) == sum(page.js(sections))
    assert len(page.js(sections)) == 4 and all(page.js(sections))
    assert page.js(
        "const inside = document.querySelector('dialog .inside'); return inside.scrollHeight <= inside.clientHeight"
    ), "all of it is in view"
    page.press(Keys.ESCAPE)
    now_and_then = {"undo", "redo", "retry", "next-on-page", "previous-on-page", "find-next"}
    assert {"note", "reason", "jump"} <= actions() and not now_and_then & actions()
    box = "const box = (selector) => document.querySelector(selector).getBoundingClientRect();"
    top = f"{box} return box('.grades').top"
    before = page.js(top)
    judge(page, "2")
    wait_until(lambda: "grade 2" in page.text(".message"))
    assert page.js(top) == before
    assert now_and_then & actions() == {"undo"}
    page.press_control("z")
    assert now_and_then & actions() == {"redo"}
    page.js("getSelection().selectAllChildren(document.querySelector('.sheet p'))")
    wait_until(lambda: page.js("return document.querySelector('.keep').checkVisibility()"))
    assert page.js(f"{box} return box('.keep').bottom <= box('.right').top")
    server.ask("say", words="Five more minutes. " * 5)
    server.lead(lambda session: session.set_state(PAUSED))
    wait_until(lambda: "Paused" in page.text(".state h1"))
    wait_until(lambda: "Five" in page.text(".leader-message"))
    assert page.js(
        f"{box} return [box('.strip').bottom <= innerHeight, box('.resting-place').top > 0]"
    ) == [True, True]


def test_work_continues_without_a_server_and_is_sent_when_it_is_back(
    page: Chromium, server: Server, project: Path
) -> None:
    join(page, "Ann")
    judge(page, "1")
    wait_until(lambda: is_all_sent(page))
    server.stop()
    judge(page, "2", "3")
    wait_until(lambda: "Not sent: 2" in page.text(".banner"))
    assert page.text(".progress .unsaved") == "Not sent: 2"
    again = make_server(project, address=ServerAddress(port=server.port, names=(HOST,)))
    again.start()
    try:
        wait_until(lambda: is_all_sent(page), seconds=30)
        assert page.js("return document.querySelector('.banner').hidden"), "all is sent"
        assert grades(project) == [1, 2, 3]
    finally:
        again.stop()
        server.start = server.stop = lambda: None  # type: ignore[method-assign]


def test_actions_too_large_for_one_request_are_sent_in_smaller_requests(
    page: Chromium, server: Server, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    join(page, "Ann")
    judge(page, "2")
    wait_until(lambda: is_all_sent(page))
    # as on a network that is too slow
    monkeypatch.setattr(serving_module, "MAX_BODY_BYTES", 0)
    judge(page, "1", "3", "0")
    wait_until(lambda: "too slow" in (page.text(".banner") or ""))
    assert len(grades(project)) == 1
    monkeypatch.setattr(serving_module, "MAX_BODY_BYTES", 1000)  # one action fits, three do not

    def all_sent() -> bool:
        page.js("dispatchEvent(new Event('online'))")  # the page tries at once, without its pause
        return is_all_sent(page)

    wait_until(all_sent)
    assert grades(project) == [2, 1, 3, 0]


def test_a_judgment_made_while_a_rejected_action_is_removed_is_sent(
    page: Chromium, server: Server, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = session_module.action_problem
    monkeypatch.setattr(
        session_module,
        "action_problem",
        lambda kind, payload: "not now" if kind == "unsure" else real(kind, payload),
    )
    join(page, "Ann")
    grade_after_refusal = """
    const { json } = Response.prototype;
    Response.prototype.json = async function () {
      const content = await json.call(this);
      if (content.refused) document.querySelector(".grade[data-grade='2']").click();
      return content;
    };
    """
    page.js(grade_after_refusal)
    judge(page, "u")
    wait_until(lambda: grades(project) == [2])
    wait_until(lambda: is_all_sent(page))
    assert [action["kind"] for action in page.stored_actions()] == ["grade"]
    judge(page, "1")
    wait_until(lambda: grades(project) == [2, 1])


def test_an_action_larger_than_any_request_does_not_stop_the_later_ones(
    page: Chromium, server: Server, project: Path
) -> None:
    join(page, "Ann")
    page.press("n")
    page.js("document.querySelector('.marks input').value = 'x'.repeat(300_000)")
    page.press(Keys.ENTER)
    wait_until(lambda: "Not accepted" in page.message)
    judge(page, "2")
    wait_until(lambda: grades(project) == [2])
    wait_until(lambda: is_all_sent(page))
    assert [action["kind"] for action in page.stored_actions()] == ["grade"]


def test_actions_the_server_cannot_save_are_reported_and_sent_later(
    page: Chromium, server: Server, project: Path
) -> None:
    join(page, "Ann")
    moved = project.rename(project.with_name("moved.irjudge"))
    judge(page, "2")
    wait_until(
        lambda: "was moved" in page.text(".banner") and "Not sent: 1" in page.text(".banner")
    )
    moved.rename(project)
    wait_until(lambda: is_all_sent(page), seconds=30)
    assert grades(project) == [2]


def test_with_an_overloaded_server_nothing_is_lost_and_the_page_retries(
    page: Chromium, server: Server, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    join(page, "Ann")
    judge(page, "1")
    wait_until(lambda: is_all_sent(page))
    monkeypatch.setattr(writer_queue, "MAX_EXPECTED_WAIT", -1.0)
    judge(page, "2", "3")
    wait_until(lambda: "is busy" in page.text(".banner") and "Not sent: 2" in page.text(".banner"))
    page.driver.refresh()
    wait_until(lambda: page.text("h1") == "One moment" and "is busy" in page.text(".joining p"))
    monkeypatch.undo()
    wait_until(lambda: is_all_sent(page), 30)
    assert grades(project) == [1, 2, 3]


def test_items_that_exceed_one_response_are_requested_at_once(
    page: Chromium, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving_module, "MAX_RESPONSE_BYTES", 1)
    join(page, "Ann")
    begun = time.monotonic()
    judge(page, "1", "2", "3", "0")
    wait_until(lambda: is_all_sent(page))
    assert time.monotonic() - begun < 10, "no sign of life was waited for"


def test_paused_waiting_and_ended_are_shown_and_the_page_continues_automatically(
    page: Chromium, server: Server
) -> None:
    server.lead(lambda session: session.set_state(PAUSED))
    page.js(
        "document.querySelector('#name').value = 'Ann'; document.querySelector('.join button').click()"
    )
    wait_until(lambda: "Paused" in page.text(".state h1"))
    server.lead(lambda session: session.set_state(OPEN))
    wait_until(lambda: page.title != "")
    page.wait_until_idle()
    page.press(Keys.ENTER)
    judge(page, *"12301230")
    wait_until(lambda: is_all_sent(page))
    wait_until(lambda: "All done" in page.text(".state h1"))  # the rest is for others
    assert page.text(".state button") == "Undo" and not page.js(
        "return document.querySelector('.state .primary')"
    )
    server.lead(lambda session: session.set_state(PAUSED))
    wait_until(lambda: "Paused" in page.text(".state h1"))
    assert page.js("return document.querySelector('.banner').hidden"), "the page says it already"
    server.lead(lambda session: session.set_state(ENDED))
    wait_until(lambda: "The session has ended" in page.text(".state h1"))
    assert page.text(".state button") == ""
    page.set_screen(390, 844, touch=True)
    shown = "[...document.querySelectorAll('.strip button')].filter((each) => each.offsetParent).map((each) => each.textContent)"
    assert page.js(f"return {shown}")[-1] == "More" and not {"Skip", "Undo"} & set(
        page.js(f"return {shown}")
    )


def pause_and_continue(page: Chromium, server: Server) -> None:
    """Interrupt the session, so that the page shows the first open document."""
    server.lead(lambda session: session.set_state(PAUSED))
    wait_until(lambda: is_finished(page))
    server.lead(lambda session: session.set_state(OPEN))
    wait_until(lambda: not is_finished(page))
    page.wait_until_idle()


@pytest.mark.parametrize(
    ("key", "choice"), [("x", ".menu button"), ("?", "[data-action='skip']")], ids=["menu", "list"]
)
def test_a_choice_in_a_dialog_is_not_applied_to_a_document_shown_later(
    page: Chromium, server: Server, key: str, choice: str
) -> None:
    join(page, "Ann")
    first = page.title
    judge(page, "1")
    page.press(Keys.BACKSPACE, key)
    assert page.title == first
    pause_and_continue(page, server)
    assert page.title != first and page.js("return !!document.querySelector('dialog[open]')")
    page.click(choice)
    wait_until(lambda: "no longer shown" in page.message)
    assert [action["kind"] for action in page.stored_actions()] == ["grade"]


def test_keys_undo_nothing_while_the_session_is_paused(page: Chromium, server: Server) -> None:
    def undo() -> bool:
        page.press_control("z")
        page.wait_until_idle()
        return [action["kind"] for action in page.stored_actions()] == ["grade", "undo"]

    join(page, "Ann")
    judge(page, "1")
    wait_until(lambda: is_all_sent(page))
    server.lead(lambda session: session.set_state(PAUSED))
    wait_until(lambda: is_finished(page))
    page.press_control("z")
    assert "nothing to judge" in page.message
    assert [action["kind"] for action in page.stored_actions()] == ["grade"]
    server.lead(lambda session: session.set_state(OPEN))
    wait_until(undo)  # keys just after the document appears may be ignored
    server.lead(lambda session: session.set_state(PAUSED))
    wait_until(lambda: is_finished(page))
    page.press_control("z", shift=True)
    assert [action["kind"] for action in page.stored_actions()] == ["grade", "undo"]


def test_judgments_that_come_too_late_for_a_session_can_be_saved_and_merged(
    page: Chromium, server: Server, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    join(page, "Ann")
    judge(page, "2")
    wait_until(lambda: is_all_sent(page))
    page.js(
        "window.connected = window.fetch; window.fetch = () => Promise.reject(new Error('offline'))"
    )
    judge(page, "1", "3")
    monkeypatch.setattr(session_module, "FAREWELL_SECONDS", -1.0)
    server.lead(lambda session: session.set_state(ENDED))
    page.js("window.fetch = window.connected; dispatchEvent(new Event('online'))")
    wait_until(lambda: "The session has ended" in page.text(".state h1"))
    assert "Not sent: 2. Save this work" in page.text(".state p")
    assert "Save this work" in page.text(".state .primary")
    page.driver.refresh()
    wait_until(lambda: "Not sent: 2. Save this work" in page.text(".joining"))
    page.js("document.querySelector('.joining button').click()")
    path = page.wait_for_download("Ann.result.json")
    server.stop()
    server.stop = lambda: None  # type: ignore[method-assign]
    assert main(["merge", str(project), str(path)]) == 0
    assert grades(project) == [2, 1, 3]


def test_the_end_is_shown_at_once_over_a_document_and_no_judgment_is_wasted(
    page: Chromium, server: Server
) -> None:
    join(page, "Ann")
    assert page.js("return document.querySelector('.topic p').hidden"), (
        "how many topics there are is not known"
    )
    judge(page, "2")
    wait_until(lambda: is_all_sent(page))
    server.lead(lambda session: session.set_state(ENDED))
    # the page synchronises, as it does every few seconds
    page.js("dispatchEvent(new Event('online'))")
    wait_until(lambda: "The session has ended" in page.text(".state h1"))
    assert page.text(".state p") and page.text(".state button") == "", "nothing is left to send"
    judge(page, "3")
    assert "The session has ended" in page.text(".state h1") and is_all_sent(page)


@pytest.mark.parametrize("project", [("051", "052")], indirect=True)
def test_after_a_topic_the_summary_ignores_documents_not_yet_assigned(page: Chromium) -> None:
    page.set_screen(390, 844, touch=True)
    join(page, "Ann")
    judge(page, *"12300000")
    wait_until(lambda: page.text(".state h1").startswith("Topic done"))
    assert "judged: 8" in page.text(".state p") and "left" not in page.text(".state p")
    cut = "[...document.querySelectorAll('.grade-bar .piece')].filter((each) => each.scrollWidth > each.clientWidth).length"
    assert page.js(f"return {cut}") == 0, "a rare grade keeps its whole word"
    pieces = page.js(
        "return [...document.querySelectorAll('.grade-bar .piece:not([hidden])')].map((each) => each.textContent)"
    )
    counts = {piece[0]: piece.rpartition(" ")[2] for piece in pieces}
    assert counts == {"0": "5", "1": "1", "2": "1", "3": "1"}, "the grade first, then how many"


def test_two_participants_reach_the_overlap_and_the_page_shows_all_done(
    page: Chromium, server: Server, project: Path
) -> None:
    bob = Person(server, "Bob")
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    while bob.sync()["items"] or bob.open_items():
        for index in bob.open_items():
            bob.grade(index, 1, scale)
    join(page, "Ann")
    judge(page, *"12301230")
    wait_until(lambda: "All done" in page.text(".state h1"))
    with open_project(project, writing=False) as opened:
        assert len(project_labels(opened)) == 16


@pytest.mark.parametrize("choice", [None, "all"], ids=["panels", "pairs"])
def test_a_session_compares_side_by_side(
    device: Chromium, project: Path, choice: Choice | None
) -> None:
    with open_project(project) as opened:
        rows = [("051", f"t051n{number}", float(number)) for number in range(8)]
        opened.rankings.add_run(make_run("third", rows))
    options = SessionOptions(
        SchedulingOptions(overlap=1),
        compare=Comparison(pair_runs(("zebrarank", "okapifuse", "third")), depth=3, choice=choice),
    )
    with run_server(project, options, address=ServerAddress(names=(HOST,))) as server:
        device.set_screen(1360, 820)
        device.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
        wait_until(lambda: device.js("return !!document.querySelector('.join')"))
        device.js(
            "document.querySelector('#name').value = 'Ann'; document.querySelector('.join button').click()"
        )
        wait_until(
            lambda: device.js(
                "return !!document.querySelector('.comparing') && !document.querySelector('.comparing.resting')"
            )
        )
        device.wait_until_idle()
        assert ("two documents" if choice else "two lists") in device.text("dialog")
        device.press(Keys.ENTER)
        device.snap(PICTURES / f"session-{'pairs' if choice else 'panels'}.png")
        device.set_screen(740, 360, touch=True)
        device.run_async("setTimeout(arguments[0], 200)")
        device.click(".answers .action")
        wait_until(lambda: "Recorded" in device.text(".message p"))
        near = """const box = (each) => document.querySelector(each).getBoundingClientRect();
          return [box('.message p').bottom <= innerHeight, box('.answer-undo').height > 0, box('.answer-undo').bottom <= innerHeight]"""
        wait_until(lambda: device.js(near) == [True, True, True])  # visible beside the answers
        device.set_screen(1360, 820)
        until = time.monotonic() + 60
        while "All done" not in device.text(".state h1") and time.monotonic() < until:
            device.run_async("setTimeout(arguments[0], 100)")
            if not is_finished(device):
                device.press(Keys.ARROW_LEFT)
        assert "Recorded" in device.text(".message p") or "All done" in device.text(".state h1")
        wait_until(lambda: is_all_sent(device))
        assert server.lead(lambda session: session.scheduler.is_done)
        device.clear_storage(f"http://{HOST}:{server.port}")
    with open_project(project, writing=False) as opened:
        preferences = read_project_preferences(
            opened, None if choice else map_sides_to_runs(opened)
        )
        assert len(preferences) == (15 if choice else 3)


@pytest.fixture
def snap(device: Chromium) -> Callable[[str], None]:
    """Function that saves a screenshot of the page."""
    return lambda name: device.snap(PICTURES / f"{name}.png")


def test_pictures(page: Chromium, snap: Callable[[str], None]) -> None:
    sizes, schemes = ((1366, 768), (390, 844)), {"dark": True, "light": False}
    for size in sizes:
        for scheme, dark in schemes.items():
            page.set_screen(*size, touch=size[0] < 500, dark=dark)
            snap(f"session-{size[0]}-{scheme}-join")
            letters = page.js(
                "return parseFloat(getComputedStyle(document.querySelector('#name')).fontSize)"
            )
            assert letters >= 16 or size[0] > 500, (
                "a phone zooms into a field whose letters are smaller"
            )
    join(page, "Ann")
    for size in sizes:
        phone = size[0] < 500
        page.set_screen(*size, touch=phone)
        judge(page, "2", "1")
        wait_until(lambda: is_all_sent(page))
        for scheme, dark in schemes.items():
            page.set_screen(*size, touch=phone, dark=dark)
            snap(f"session-{size[0]}-{scheme}")
            assert page.js("return document.documentElement.scrollWidth <= innerWidth")
            assert ("Ctrl" in page.message) != phone, page.message


def test_pictures_in_chinese(device: Chromium, server: Server) -> None:
    """Participants join, judge and wait in Chinese; default grades are translated too."""
    device.set_language("zh-CN")
    try:
        device.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
        wait_until(lambda: device.js("return !!document.querySelector('.join')"))
        device.snap(PICTURES / "session-zh-join.png")
        assert re.search("[\u4e00-\u9fff]", device.text(".join label"))
        join(device, "Ann")
        judge(device, "2", "1")
        wait_until(
            lambda: server.lead(lambda session: session.status().participants[0].judged) == 2
        )
        device.snap(PICTURES / "session-zh.png")
        server.lead(lambda session: session.set_state(ENDED))
        left = device.js(
            "return [...document.querySelectorAll('button, h2, .quiet, .links')].map((part) => part.textContent)"
            ".filter((words) => /[A-Za-z]{4,} [a-z]{2,}/.test(words))"
        )
        assert left == []
    finally:
        device.set_language("")
        device.clear_storage(f"http://{HOST}:{server.port}")


def test_another_code_or_link_in_the_address_of_an_open_tab_is_used(
    page: Chromium, server: Server
) -> None:
    base = f"http://{HOST}:{server.port}/"
    page.driver.get(f"{base}#t=AAAAAAAAAAAAAAAAAAAAAA")
    wait_until(lambda: "link" in page.text(".join .error"))
    assert page.js("return document.querySelector('#name').checkVisibility()")
    field = "return document.querySelector('#code')?.value ?? ''"
    page.js("location.hash = 'AAAA2222'")
    wait_until(lambda: page.js(field) == "AAAA2222")
    page.driver.get(f"{base}#{server.code}")  # only the fragment differs, so nothing is loaded
    wait_until(lambda: page.js(field) == server.code)
    tokens = [
        server.lead(lambda session, name=name: session.join(name))[1] for name in ("Ann", "Bob")
    ]
    for name, token in zip(("Ann", "Bob"), tokens, strict=True):
        page.driver.get(f"{base}#t={token}")
        wait_until(lambda name=name: page.driver.title.endswith(name))
        assert page.js("return location.href") == base
    page.driver.get(f"{base}#t=AAAAAAAAAAAAAAAAAAAAAA")
    wait_until(lambda: page.js("return location.href") == base)
    wait_until(lambda: page.driver.title.endswith("Bob"))
    page.driver.refresh()
    wait_until(lambda: page.driver.title.endswith("Bob"))


def test_every_tab_of_a_participant_shows_the_same_counts_as_the_host(
    page: Chromium, server: Server
) -> None:
    join(page, "Ann")
    judge(page, "2", "1", "3")
    page.press_control("z")
    wait_until(lambda: is_all_sent(page))
    meters = (
        "return [...document.querySelectorAll('.progress .meter')].map((each) => each.innerText)"
    )

    def get_shown_rows() -> list[list[str]]:
        return [re.findall(r"\d+", each) for each in page.js(meters)]

    status = server.ask("standing")
    expected = [["2"], [str(status["judged"]), str(status["wanted"])]]
    assert status["judged"] == status["people"][0]["judged"] == 2
    wait_until(lambda: get_shown_rows() == expected)
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    try:
        page.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
        wait_until(lambda: page.js("return !!document.querySelector('.sheet h1')"))
        # Until the first synchronisation, the tab counts the actions stored by both tabs.
        wait_until(lambda: get_shown_rows() == expected)
    finally:
        page.driver.close()
        page.driver.switch_to.window(first)
    page.wait_until_idle()
    assert get_shown_rows() == expected


def test_a_question_precedes_another_participants_use_of_the_same_browser(
    page: Chromium, server: Server
) -> None:
    join(page, "Ann")
    page.js("document.querySelector('.progress .links button').click()")
    switch = """[...document.querySelectorAll('dialog button')]
      .find((each) => each.textContent.startsWith('Not you?')).click()"""
    wait_until(lambda: "Not you?" in page.text("dialog"))
    page.js(switch)
    last = "return [...document.querySelectorAll('dialog')].at(-1).innerText"
    wait_until(lambda: "Switch participant?" in page.js(last))
    assert "readmit Ann" in page.js(last)
    page.js("[...document.querySelectorAll('dialog')].at(-1).querySelector('.primary').click()")
    wait_until(
        lambda: page.js("return document.querySelectorAll('dialog').length") == 1
    )  # Ann stays
    page.js(switch)
    page.js(
        "[...document.querySelectorAll('dialog')].at(-1).querySelector('.choices button:not(.primary)').click()"
    )
    wait_until(lambda: page.js("return !!document.querySelector('#name')"))


DENY_STORAGE = """
for (const name of ["indexedDB", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
}
"""
LOSE_FIRST_WELCOME = """
const send = window.fetch;
let isFirst = true;
window.fetch = (path, ...more) => {
  if (path !== "/welcome" || !isFirst) { return send(path, ...more); }
  isFirst = false;
  return Promise.reject(new TypeError("no network"));
};
"""

# the body of each response takes longer than the time after which a silent connection is given up
SLOW_NETWORK = """
const wait = window.setTimeout;
window.setTimeout = (call, pause, ...more) => wait(call, pause === 10_000 ? 1000 : pause, ...more);
const request = window.fetch;
const PARTS = 6;
window.fetch = async (path, options) => {
  const response = await request(path, options);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (path !== "/welcome" && path !== "/sync") { return new Response(bytes, response); }
  const size = Math.ceil(bytes.length / PARTS);
  const start = (body) => {
    options.signal.addEventListener("abort", () => body.error(options.signal.reason));
    for (let part = 0; part < PARTS; part += 1) {
      wait(() => body.enqueue(bytes.slice(part * size, (part + 1) * size)), 250 * (part + 1));
    }
    wait(() => body.close(), 250 * PARTS);
  };
  return new Response(new ReadableStream({ start }), response);
};
"""


def enter_name(page: Chromium, name: str) -> None:
    page.js("document.querySelector('#name').value = arguments[0]", name)
    page.js("document.querySelector('.join button').click()")


def is_open(page: Chromium) -> bool:
    return bool(page.js("return !!document.querySelector('.grading .sheet h1')"))


def test_without_storage_a_participant_whose_page_could_not_be_opened_tries_again(
    page: Chromium, server: Server
) -> None:
    scripts = [page.add_script(each) for each in (DENY_STORAGE, LOSE_FIRST_WELCOME)]
    try:
        page.driver.get("about:blank")
        page.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
        wait_until(lambda: page.js("return !!document.querySelector('#name')"))
        enter_name(page, "Ann")
        wait_until(lambda: page.text("h1") == "No connection")
        page.js("document.querySelector('.joining button').click()")
        wait_until(lambda: is_open(page))
        assert page.driver.title.endswith("Ann")
    finally:
        for script in scripts:
            page.remove_script(script)
        page.driver.get("about:blank")


FULL_STORAGE = """
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...values) {
  if (this.name === "actions") { throw new DOMException("", "QuotaExceededError"); }
  return put.apply(this, values);
};
"""


def test_a_page_that_cannot_be_opened_because_the_storage_is_full_says_so(page: Chromium) -> None:
    join(page, "Ann")
    judge(page, "2")
    wait_until(lambda: is_all_sent(page))
    script = page.add_script(FULL_STORAGE)
    try:
        page.driver.refresh()
        wait_until(lambda: "full" in page.text(".joining p"))
        assert page.text(".joining h1") != "No connection"
    finally:
        page.remove_script(script)
    page.driver.refresh()
    wait_until(lambda: is_open(page))


def test_each_tab_keeps_its_participant_after_a_reload(page: Chromium, server: Server) -> None:
    base = f"http://{HOST}:{server.port}/"
    (ann, ann_token), (_, bob_token) = (
        server.lead(lambda session, name=name: session.join(name)) for name in ("Ann", "Bob")
    )

    def title_after(address: str) -> str:
        page.driver.get(address)
        wait_until(lambda: is_open(page))
        return str(page.driver.title[-3:])

    assert title_after(f"{base}#t={ann_token}") == "Ann"
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    try:
        assert title_after(f"{base}#t={bob_token}") == "Bob"
        page.driver.switch_to.window(first)
        assert title_after(base) == "Ann"
        server.lead(lambda session: session.revoke(ann))
        page.driver.switch_to.window(page.driver.window_handles[1])
        assert title_after(base) == "Bob"
    finally:
        page.driver.close()
        page.driver.switch_to.window(first)
    # Ann's token is refused; the other participant of the browser is not forgotten with it
    assert title_after(base) == "Bob"


def test_while_the_server_is_busy_joining_asks_to_try_again(
    page: Chromium, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_queue, "MAX_EXPECTED_WAIT", -1.0)
    enter_name(page, "Ann")
    wait_until(lambda: "busy" in page.text(".join .error"))
    assert "Try again" in page.text(".join .error")
    monkeypatch.undo()
    enter_name(page, "Ann")
    wait_until(lambda: is_open(page))


def test_a_page_opened_from_an_older_server_is_reloaded_at_a_click(
    page: Chromium, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    join(page, "Ann")
    monkeypatch.setattr(serving_module, "PROTOCOL", 2)
    page.driver.refresh()
    wait_until(lambda: "updated" in page.text(".joining p"))
    assert page.text(".joining button") == "Reload this page"
    monkeypatch.undo()
    page.js("document.querySelector('.joining button').click()")
    wait_until(lambda: is_open(page))


def test_a_start_page_that_was_not_answered_is_shown_after_a_reload(
    page: Chromium, server: Server, project: Path
) -> None:
    """As when the server continues from an older copy of the project, without the answers."""
    join(page, "Ann")
    server.lead(
        lambda session: setattr(session, "options", replace(session.options, start=StartPage("!")))
    )
    judge(page, "2")
    wait_until(lambda: page.text(".state h1") == "Reload this page")
    assert "Not sent: 1" in page.text(".state")
    page.driver.refresh()
    wait_until(lambda: page.text("h1") == "Before you start")
    page.js("document.querySelector('.start-form .primary').click()")
    wait_until(lambda: is_all_sent(page))
    assert grades(project) == [2]


def test_a_participant_whose_access_is_revoked_on_the_start_page_can_join_again(
    page: Chromium, server: Server
) -> None:
    server.lead(
        lambda session: setattr(session, "options", replace(session.options, start=StartPage("!")))
    )
    enter_name(page, "Ann")
    wait_until(lambda: page.text("h1") == "Before you start")
    server.lead(lambda session: session.revoke(session.find_participant("Ann")))
    page.js("document.querySelector('.start-form .primary').click()")
    wait_until(lambda: "no longer have access" in page.text(".join .error"))


def test_a_slow_network_is_not_taken_for_a_lost_connection(page: Chromium, server: Server) -> None:
    script = page.add_script(SLOW_NETWORK)
    try:
        page.driver.get("about:blank")
        page.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
        wait_until(lambda: page.js("return !!document.querySelector('#name')"))
        enter_name(page, "Ann")
        wait_until(lambda: is_open(page))
    finally:
        page.remove_script(script)
        page.driver.get("about:blank")


def test_a_withdrawal_that_fails_is_reported_and_after_it_no_key_judges(
    page: Chromium, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.lead(
        lambda session: setattr(session, "options", replace(session.options, start=StartPage("!")))
    )
    enter_name(page, "Ann")
    wait_until(lambda: page.text("h1") == "Before you start")
    page.js("document.querySelector('.start-form .primary').click()")
    wait_until(lambda: is_open(page))
    page.wait_until_idle()

    def withdraw() -> None:
        page.click_button("Withdraw")
        wait_until(lambda: page.js("return document.querySelectorAll('dialog').length") == 2)
        page.click_button("Withdraw")

    monkeypatch.setattr(writer_queue, "MAX_EXPECTED_WAIT", -1.0)
    withdraw()
    last = "return [...document.querySelectorAll('dialog')].at(-1).textContent"
    wait_until(lambda: "has not been confirmed" in page.js(last) and "busy" in page.js(last))
    page.press(Keys.ENTER)
    monkeypatch.undo()
    withdraw()
    wait_until(lambda: page.text("h1") == "You chose not to take part")
    page.run_async("setTimeout(arguments[0], 100)")
    page.send_keys("2")
    assert page.stored_actions() == []


def test_links_of_the_start_page_open_after_confirmation_and_keep_the_answers(
    page: Chromium, server: Server
) -> None:
    consent = "See the [policy](https://example.org/p) and [below](#rights).\n\n# rights\n"
    start = StartPage(consent, 5, (SurveyQuestion("why", "Why?"),))
    server.lead(lambda session: setattr(session, "options", replace(session.options, start=start)))
    enter_name(page, "Ann")
    wait_until(lambda: page.text("h1") == "Before you start")
    page.js("document.querySelector('textarea').value = 'a long answer'")
    page.js("document.querySelector('.sheet a[data-link]').focus()")
    page.send_keys(Keys.ENTER)
    wait_until(lambda: "https://example.org/p" in page.text("dialog .address"))
    page.send_keys(Keys.ESCAPE)
    wait_until(lambda: not page.js("return !!document.querySelector('dialog')"))
    page.js("document.querySelector('.sheet a[href]').click()")
    page.run_async("setTimeout(arguments[0], 0)")  # events of a changed address would come now
    assert page.js("return location.hash") == ""
    assert page.js("return document.querySelector('textarea').value") == "a long answer"


LOSE_FIRST_JOIN = """
const send = window.fetch;
window.fetch = async (path, options) => {
  const response = await send(path, options);
  if (path !== "/join" || sessionStorage.getItem("lost")) { return response; }
  sessionStorage.setItem("lost", "1");
  throw new TypeError("no network");
};
"""


@pytest.mark.parametrize("reloads", [False, True])
def test_a_participant_whose_answer_was_lost_joins_again_under_the_same_name(
    page: Chromium, server: Server, reloads: bool
) -> None:
    page.js(LOSE_FIRST_JOIN)
    enter_name(page, "Ann")
    wait_until(lambda: "not responding" in page.text(".join .error"))
    if reloads:
        page.driver.refresh()
        wait_until(lambda: page.js("return !!document.querySelector('#name')"))
    enter_name(page, "Ann")
    wait_until(lambda: is_open(page))
    assert [each["name"] for each in server.ask("standing")["people"]] == ["Ann"]


NO_FACTS = """
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...values) {
  if (this.name === "tasks") { throw new DOMException("disk on fire"); }
  return put.apply(this, values);
};
"""


def test_acknowledged_judgments_are_not_sent_again_if_the_browser_cannot_note_it(
    page: Chromium, project: Path
) -> None:
    join(page, "Ann")
    page.js(NO_FACTS)
    judge(page, "2", "1", "3", "0", "1", "2")  # more than were loaded at first
    wait_until(lambda: is_all_sent(page))
    assert page.js("return document.querySelector('.banner').hidden")
    assert grades(project) == [2, 1, 3, 0, 1, 2]


def test_documents_that_were_taken_back_are_not_listed(page: Chromium, server: Server) -> None:
    join(page, "Ann")
    page.press("l")
    first = page.js("return document.querySelectorAll('.places .place').length")
    assert first == 4
    page.press(Keys.ESCAPE)
    server.ask("release", person="Ann")
    page.js("dispatchEvent(new Event('online'))")
    wait_until(lambda: page.text(".state h1") == "This item is no longer yours to judge")
    page.click(".state .primary")
    page.press("l")
    listed = page.js(
        "return [...document.querySelectorAll('.places .place .title')].map((each) => each.textContent)"
    )
    assert len(listed) == 4 and len({*listed}) == 4
