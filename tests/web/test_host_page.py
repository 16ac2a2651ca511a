"""Tests of the host's page in a browser: participants, hosting actions, screens, and preview."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from irjudge.store import PAUSED, open_project
from irjudge.web import (
    CrowdPanel,
    SchedulingOptions,
    Server,
    ServerAddress,
    SessionOptions,
    StartPage,
    SurveyQuestion,
    session_state,
)
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, make_server
from tests.web.browsers import Chromium, wait_until
from tests.web.conftest import HOST, PICTURES
from tests.web.test_accessible import AXE_VIOLATIONS, COLOURS, axe
from tests.web.test_layout import LAYOUT_PROBLEMS, PARTS
from tests.web.test_session import judge

__all__ = ["axe"]
SIZES = [
    (320, 256, False),
    (390, 844, True),
    (844, 390, True),
    (768, 1024, True),
    (1366, 768, False),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=8)
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
def page(device: Chromium, server: Server, project: Path) -> Iterator[Chromium]:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    for name in ("Ann", "Bob <b>"):
        person = Person(server, name)
        person.sync()
        person.grade(0, 1, scale)
        person.sync()
    device.driver.get(f"http://{HOST}:{server.port}/lead#{server.leader}")
    wait_until(lambda: count_rows(device) == 2)
    yield device
    device.clear_storage(f"http://{HOST}:{server.port}")


def count_rows(page: Chromium) -> int:
    return int(page.js("return document.querySelectorAll('.lead-people tbody tr').length"))


def status_text(page: Chromium) -> str:
    return page.text(".lead-status")


def click_button(page: Chromium, label: str) -> None:
    page.js(
        "[...document.querySelectorAll('button')].find((each) => each.textContent.startsWith(arguments[0])).click()",
        label,
    )


def confirm(page: Chromium) -> None:
    """Press the second button of the dialog, which is not the default."""
    wait_until(
        lambda: page.js("return document.querySelectorAll('dialog .choices button').length") == 2
    )
    assert page.js("return document.activeElement.classList.contains('primary')"), "Cancel"
    page.js("document.querySelector('dialog .choices button:not(.primary)').click()")


def open_actions(page: Chromium, name: str) -> None:
    page.js("document.querySelector(arguments[0]).click()", f'[aria-label="Actions for {name}"]')


def test_the_host_sees_progress_and_pauses_sends_messages_and_excludes(
    page: Chromium, server: Server
) -> None:
    assert page.js("return location.href") == f"http://{HOST}:{server.port}/lead", (
        "the secret does not stay in the address"
    )
    assert "2 of 16" in page.text(".lead-side") and "Bob <b>" in page.text(".lead-people")
    page.snap(PICTURES / "leading.png")
    click_button(page, "Pause")
    wait_until(
        lambda: (
            page.text(".lead-state") == "Paused"
            and server.lead(lambda session: session.state) == PAUSED
        )
    )
    page.js("document.querySelector('#message').value = 'Look here.'")
    click_button(page, "Message to all")
    wait_until(lambda: "Look here." in page.text(".lead-message"))
    page.js(
        "const what = document.querySelector('[aria-label=\"Actions for Ann\"]'); what.focus(); what.click()"
    )
    click_button(page, "Exclude")
    wait_until(lambda: "Exclude Ann?" in page.text("dialog") and ": 1." in page.text("dialog"))
    assert server.ask("standing")["people"][0]["aside"] is False, "nothing is done before"
    confirm(page)
    wait_until(lambda: "excluded" in page.text(".lead-people tbody"))
    assert page.js("return document.activeElement.closest('tr').textContent").startswith("Ann"), (
        "the button keeps the focus meanwhile"
    )
    assert "Ann" in status_text(page)
    open_actions(page, "Ann")
    assert status_text(page) == "", "the result of the last action gives way to the next one"
    assert "Readmit" not in page.text("dialog") and "Include" in page.text("dialog")
    page.js("document.querySelector('dialog').close()")
    page.js(
        "const head = document.querySelector('.lead-people th button'); head.focus(); head.click(); head.click()"
    )
    assert page.text(".lead-people tbody").startswith("Bob <b>"), (
        "a click on a header sorts, the second one the other way round"
    )
    page.js("document.querySelector('[aria-label=\"Actions for Bob <b>\"]').click()")
    click_button(page, "Readmit")
    wait_until(lambda: "Readmit Bob" in page.text("dialog"))
    assert "/#t=" not in page.text("dialog"), "nothing happens before an answer"
    confirm(page)
    wait_until(
        lambda: (
            "/#t=" in page.text("dialog .address")
            and page.js("return !!document.querySelector('dialog canvas')")
        )
    )
    page.js("document.querySelector('dialog').close()")
    wait_until(lambda: not page.js("return !!document.querySelector('dialog')"))
    heads = """return [...document.querySelectorAll('.lead-people thead th')]
      .filter((each) => each.checkVisibility()).map((each) => each.textContent)"""
    assert "Late" not in page.js(heads) and {"Name", "Judged", "State"} <= {*page.js(heads)}
    page.js(
        "const field = document.querySelector('#overlap'); field.value = 3; field.dispatchEvent(new Event('input'))"
    )
    assert "Additional judgments: 8" in page.text(".lead-more"), (
        "what it does is told before it is done"
    )
    click_button(page, "Request")
    assert ": 8," in page.text("dialog") and server.ask("standing")["overlap"] == 2
    confirm(page)
    wait_until(lambda: server.ask("standing")["overlap"] == 3)
    page.driver.refresh()
    wait_until(lambda: count_rows(page) == 2)
    server.ask("state", state="ended")
    wait_until(lambda: page.text(".lead-state") == "Ended")
    dead = "#message, .lead-join, .lead-more, .lead-head button"
    assert not page.js(
        "return [...document.querySelectorAll(arguments[0])].some((each) => each.offsetParent)",
        dead,
    )
    assert page.js("return document.querySelector('.lead-side .card').innerText").startswith(
        "The session has ended."
    )
    page.set_screen(390, 844, touch=True)
    tops = page.js(
        "return ['.lead-over', '.lead-people'].map((each) => document.querySelector(each).getBoundingClientRect().top)"
    )
    assert tops[0] < tops[1], "on a phone the end comes first"
    page.set_screen(1360, 820)
    present = (
        "return [...document.querySelectorAll('.lead-people td')].map((each) => each.innerText)"
    )
    assert not {"online", "offline"} & {*page.js(present)}
    assert not page.js(
        "return document.querySelector('.lead-side [aria-label=Progress] > p').checkVisibility()"
    )
    assert page.read_log() == []


def test_merging_names_both_participants_and_the_name_that_remains(
    page: Chromium, server: Server
) -> None:
    open_actions(page, "Ann")
    assert page.js(
        "const list = document.querySelector('#same-as'); return [list.value, document.querySelector('.same-as button').disabled]"
    ) == ["", True], "no name is chosen beforehand"
    page.js(
        "const list = document.querySelector('#same-as'); list.selectedIndex = 1; list.dispatchEvent(new Event('change'))"
    )
    page.js("document.querySelector('.same-as button').click()")
    wait_until(lambda: "Merge Ann with Bob <b>?" in page.text("dialog"))
    assert "listed as Bob <b>" in page.text("dialog")
    page.snap(PICTURES / "leading-merge.png")
    page.js("document.querySelector('dialog .choices .primary').click()")
    assert len(server.ask("standing")["people"]) == 2, "Cancel changes nothing"
    open_actions(page, "Ann")
    page.js(
        "const list = document.querySelector('#same-as'); list.selectedIndex = 1; list.dispatchEvent(new Event('change'))"
    )
    page.js("document.querySelector('.same-as button').click()")
    wait_until(lambda: "Merge Ann with" in page.text("dialog"))
    confirm(page)
    wait_until(lambda: count_rows(page) == 1)
    (seat,) = server.ask("standing")["people"]
    assert (seat["name"], seat["same"]) == ("Bob <b>", "Ann") and "Bob <b> = Ann" in page.text(
        ".lead-people tbody"
    )
    assert "Ann" in status_text(page) and "Bob" in status_text(page)


def test_a_revoked_link_is_marked_in_the_list(page: Chromium, server: Server) -> None:
    open_actions(page, "Ann")
    click_button(page, "Revoke")
    wait_until(lambda: "Revoke the access of Ann?" in page.text("dialog"))
    confirm(page)
    wait_until(lambda: "access revoked" in page.text(".lead-people tbody"))
    assert status_text(page).startswith("Ann ")
    open_actions(page, "Ann")
    assert "Revoke" not in page.text("dialog") and "Readmit" in page.text("dialog")
    page.js("document.querySelector('dialog').close()")
    server.ask("state", state="ended")
    wait_until(lambda: page.text(".lead-state") == "Ended")
    open_actions(page, "Bob <b>")
    menu = page.js(
        "return [...document.querySelectorAll('dialog .choice')].map((each) => each.textContent)"
    )
    assert len(menu) == 1 and menu[0].startswith("Exclude"), "what has an effect after the end"


def test_unused_seats_are_freed_after_their_names_are_shown(
    page: Chromium, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    Person(server, "Cleo").sync()
    click_button(page, "Free unused seats")
    wait_until(lambda: status_text(page) != "")
    assert not page.js("return !!document.querySelector('dialog')"), "Cleo's page is open"
    monkeypatch.setattr(session_state, "PRESENCE_TIMEOUT", -1.0)
    wait_until(lambda: [each["name"] for each in server.ask("standing")["unused"]] == ["Cleo"])
    page.run_async("setTimeout(arguments[0], 2500)")
    click_button(page, "Free unused seats")
    wait_until(lambda: "Cleo" in page.text("dialog"))
    confirm(page)
    wait_until(lambda: count_rows(page) == 2)
    assert "Cleo" in status_text(page)


def test_the_page_fits_every_screen_and_axe_finds_nothing(
    page: Chromium, server: Server, axe: str
) -> None:
    server.ask("say", words="Five more minutes.")
    page.js(axe)
    result = {}
    for width, height, touch in SIZES:
        page.set_screen(width, height, touch=touch)
        result[f"{width}x{height}"] = page.js(LAYOUT_PROBLEMS, PARTS, touch)
    result["axe"] = page.run_async(AXE_VIOLATIONS, [])
    page.set_colour_scheme(dark=True)
    result["axe, dark"] = page.run_async(AXE_VIOLATIONS, COLOURS)
    page.js("document.querySelector('[aria-label=\"Actions for Ann\"]').click()")
    result["axe, actions"] = page.run_async(AXE_VIOLATIONS, [])
    assert {name: each for name, each in result.items() if each} == {}


START = StartPage(
    "You may **stop** at any time.",
    before=(SurveyQuestion("often", "How often do you search?"),),
    after=(SurveyQuestion("hard", "What was hard?"),),
)


def test_on_a_phone_every_cell_is_below_its_heading(page: Chromium) -> None:
    page.set_screen(390, 844, touch=True)
    columns = (
        "return ['thead', 'tbody'].map((part) => [...document.querySelectorAll(`.lead-people ${part} tr`)[0].children]"
        ".filter((cell) => cell.checkVisibility()).map((cell) => Math.round(cell.getBoundingClientRect().left)))"
    )
    heads, cells = page.js(columns)
    assert heads == cells and len(heads) > 2
    assert page.js("return document.querySelector('.lead-join a').offsetHeight") >= 44


@pytest.mark.parametrize("panel", [False, True], ids=["links", "panel"])
def test_only_available_ways_of_joining_are_shown(
    device: Chromium, project: Path, panel: bool
) -> None:
    sender = (
        CrowdPanel("prolific", "PROLIFIC_PID", completion="https://panel.example/done", each=3)
        if panel
        else None
    )
    options = (
        SessionOptions(SchedulingOptions(overlap=2), panel=sender)
        if panel
        else SessionOptions(SchedulingOptions(overlap=2), join="links", names=("Ann",))
    )
    server = make_server(project, options, address=ServerAddress(names=(HOST,)))
    server.start()
    try:
        device.driver.get(f"http://{HOST}:{server.port}/lead#{server.leader}")
        wait_until(lambda: device.text(".lead-state") == "Running")
        wait_until(lambda: device.js("return !!document.querySelector('.lead-join canvas')"))
        shown = device.js("return document.querySelector('.lead-join').innerText")
        assert server.code[:4] not in shown.replace(f"code={server.code}", "")
        assert not device.js("return document.querySelector('.lead-join canvas').checkVisibility()")
        assert ("Copy the link" in shown, "PROLIFIC_PID" in shown) == (panel, panel)
        assert ("personal links" in shown, "panel site" in shown) == (not panel, panel)
        assert "code" not in device.text(".lead-people p")
        device.snap(PICTURES / f"joining-{'panel' if panel else 'links'}.png")
    finally:
        device.clear_storage(f"http://{HOST}:{server.port}")
        server.stop()


@pytest.mark.parametrize("panel", [False, True], ids=["class", "panel"])
def test_a_preview_shows_documents_and_saves_nothing(
    device: Chromium, project: Path, panel: bool
) -> None:
    sender = (
        CrowdPanel("prolific", "PROLIFIC_PID", completion="https://panel.example/done", each=3)
        if panel
        else None
    )
    server = make_server(
        project,
        SessionOptions(SchedulingOptions(overlap=2), panel=sender, start=START if panel else None),
        address=ServerAddress(names=(HOST,)),
    )
    server.start()
    try:
        before = server.ask("standing")
        given = (
            f"?PROLIFIC_PID=%7B%7B%25PROLIFIC_PID%25%7D%7D&code={server.code}"
            if panel
            else f"?preview#{server.code}"
        )
        device.driver.get(f"http://{HOST}:{server.port}/{given}")
        if panel:
            wait_until(lambda: device.js("return !!document.querySelector('[name=often]')"))
            assert "You may stop" in device.text(".sheet")
            device.click(".start-form .primary")
        wait_until(lambda: device.js("return !!document.querySelector('.sheet h1')"))
        assert "This is a preview" in device.text(".banner") and "This is a preview" in device.text(
            "dialog"
        )
        device.wait_until_idle()
        device.press("\ue007")
        judge(device, *"12312")
        if panel:
            wait_until(lambda: device.js("return !!document.querySelector('.state [name=hard]')"))
            device.click(".state form button")
        wait_until(lambda: device.text(".state h1") == "End of the preview")
        device.snap(PICTURES / f"preview-{panel}.png")
        assert device.js("return dispatchEvent(new Event('beforeunload', { cancelable: true }))")
        assert (
            server.ask("standing") == before
            and before["people"] == []
            and device.stored_actions() == []
        )
        complaints = [
            each
            for each in device.read_log()
            if "favicon" not in each and not re.search("status of 400", each)
        ]
        assert complaints == []
    finally:
        device.clear_storage(f"http://{HOST}:{server.port}")
        server.stop()


def test_an_invalid_host_link_asks_for_the_secret_and_a_correct_one_is_stored(
    device: Chromium, server: Server
) -> None:
    base = f"http://{HOST}:{server.port}/lead"

    def is_asking() -> bool:
        return bool(device.js("return !!document.querySelector('#secret')"))

    def enter_secret(secret: str) -> None:
        device.js("document.querySelector('#secret').value = arguments[0]", secret)
        device.js("document.querySelector('.join button').click()")

    def is_open() -> bool:
        return device.text(".lead-state") == "Running"

    try:
        device.driver.get(base)
        wait_until(is_asking)
        assert device.js("return document.querySelector('[role=alert]').hidden")
        device.driver.get(f"{base}#wrong")
        wait_until(
            lambda: (
                is_asking()
                and not device.js("return document.querySelector('[role=alert]').hidden")
            )
        )
        assert device.js("return location.href") == base
        device.snap(PICTURES / "lead_secret.png")
        enter_secret("wrong too")
        wait_until(
            lambda: (
                is_asking() and device.js("return document.querySelector('#secret').value") == ""
            )
        )
        enter_secret(f"  {base}#{server.leader} ")
        wait_until(is_open)
        device.js("location.hash = 'wrong'")
        wait_until(is_asking)
        device.driver.get(base)  # the stored secret is still used
        wait_until(is_open)
        device.js("location.hash = 'wrong'")
        wait_until(is_asking)
        device.js("location.hash = arguments[0]", server.leader)
        wait_until(is_open)
    finally:
        device.clear_storage(f"http://{HOST}:{server.port}")


def test_a_new_participant_is_listed_while_a_button_of_the_table_has_the_focus(
    page: Chromium, server: Server
) -> None:
    page.js("document.querySelector('[aria-label=\"Actions for Ann\"]').focus()")
    server.lead(lambda session: session.join("Cleo"))
    wait_until(lambda: count_rows(page) == 3)
    assert page.js("return document.activeElement.ariaLabel") == "Actions for Ann"


def test_a_new_link_is_shown_even_if_no_further_response_arrives(
    page: Chromium, server: Server
) -> None:
    page.js(
        """const send = window.fetch;
        window.fetch = (path, options) =>
          options.body.includes('"let"') ? send(path, options) : Promise.reject(new TypeError("no network"));"""
    )
    open_actions(page, "Ann")
    click_button(page, "Readmit")
    confirm(page)
    wait_until(lambda: "/#t=" in page.text("dialog .address"))
    token = page.text("dialog .address").partition("#t=")[2]
    assert server.lead(lambda session: session.authenticate(token))


def test_the_code_to_scan_and_the_stored_secret_survive_failed_first_requests(
    device: Chromium, server: Server
) -> None:
    script = device.add_script(
        """const send = window.fetch;
        const failed = new Set();
        window.fetch = (path, options) => {
          const { wish } = JSON.parse(options.body);
          if (failed.has(wish)) { return send(path, options); }
          failed.add(wish);
          return Promise.reject(new TypeError("no network"));
        };"""
    )
    base = f"http://{HOST}:{server.port}/lead"
    shows_code = "return !!document.querySelector('.lead-join canvas')"
    try:
        device.driver.get(f"{base}#{server.leader}")
        wait_until(lambda: device.js(shows_code))
        device.driver.get("about:blank")
        device.driver.get(base)
        wait_until(lambda: device.js(shows_code))
    finally:
        device.remove_script(script)
        device.clear_storage(f"http://{HOST}:{server.port}")
