"""Tests of a paid participant in a browser: from the panel's link to its completion."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.store import open_project
from irjudge.web import (
    CrowdPanel,
    SchedulingOptions,
    Server,
    ServerAddress,
    SessionOptions,
    StartPage,
    SurveyQuestion,
)
from irjudge.web import session as session_module
from irjudge.web.session import SharedSession
from irjudge.web.session_state import WITHDRAWAL_KEY
from tests.engine.exchange.classroom import build_class
from tests.engine.web import session_client
from tests.engine.web.session_client import Person, make_server, pull
from tests.postgres import Postgres
from tests.web.browsers import Chromium, wait_until
from tests.web.conftest import HOST, PICTURES
from tests.web.test_session import grades, is_all_sent, judge

EACH = 3
SENT = "5f0a61c2e9d34b7f8a90c1d2"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for the tests of this module."""
    server = Postgres()
    yield server
    server.close()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres: Postgres) -> Iterator[Path]:
    """A project whose session is stored in a database."""
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=8)
    monkeypatch.setattr(session_client, "databases", {path: postgres.database()})
    yield path
    postgres.empty_databases()


def start_server(project: Path, panel: CrowdPanel) -> Server:
    started = make_server(
        project,
        SessionOptions(SchedulingOptions(overlap=2), panel=panel),
        address=ServerAddress(names=(HOST,)),
    )
    started.start()
    return started


def judge_one(server: Server, person: str) -> None:
    """Add a judgment by a participant in another browser."""
    made = Person.__new__(Person)
    made.port, made.name = server.port, person
    made.token = server.lead(lambda session: session.renew_token(person))
    made.open()
    made.sync()
    made.grade(made.open_items()[0], 1, server.lead(lambda session: session.project.scale.version))
    assert made.sync()["count"] == 1


def state_buttons(page: Chromium) -> list[str]:
    """Return the buttons of a page without a document."""
    return list(
        page.js(
            "return [...document.querySelectorAll('.state button')].filter((each) => each.offsetParent).map((each) => each.textContent)"
        )
    )


def link(server: Server, person: str = SENT) -> str:
    return f"http://{HOST}:{server.port}/?PROLIFIC_PID={person}&STUDY_ID=s&SESSION_ID=x&code={server.code}"


def test_a_participant_comes_by_the_panels_link_and_is_sent_to_its_completion(
    device: Chromium, project: Path
) -> None:
    """The panel's website is replaced by a page of this server, to stay on this machine."""
    server = start_server(
        project,
        CrowdPanel(
            "prolific",
            "PROLIFIC_PID",
            "SESSION_ID",
            "STUDY_ID",
            f"http://{HOST}/hello?cc=C123",
            each=EACH,
        ),
    )
    try:
        end = f"http://{HOST}:{server.port}/hello?cc=C123"
        server.lead(
            lambda session: setattr(
                session,
                "options",
                SessionOptions(
                    session.options.terms,
                    panel=CrowdPanel("p", "PROLIFIC_PID", completion=end, each=EACH),
                ),
            )
        )
        device.set_screen(1360, 820)
        device.driver.get(link(server))
        wait_until(
            lambda: device.js(
                "return !!document.querySelector('.grading') && !!document.querySelector('.sheet h1')"
            )
        )
        device.wait_until_idle()
        if device.js("return !!document.querySelector('dialog[open]')"):
            device.press(Keys.ENTER)
        assert device.js("return location.href") == f"http://{HOST}:{server.port}/", (
            "neither code nor id stays in the address"
        )
        judge(device, "2", "1")
        assert "Complete the submission" not in device.js("return document.body.innerText")
        wait_until(lambda: is_all_sent(device))
        device.driver.get(link(server))  # the same browser by the same link is recognised
        wait_until(lambda: device.js("return !!document.querySelector('.sheet h1')"))
        device.wait_until_idle()
        judge(device, "3")
        wait_until(lambda: "Complete the submission" in device.js("return document.body.innerText"))
        assert is_all_sent(device)
        device.snap(PICTURES / "panel_complete.png")
        pull(project)
        assert grades(project) == [2, 1, 3]
        device.js(
            "[...document.querySelectorAll('button')].find((each) => each.innerText.includes('Complete the submission')).click()"
        )
        wait_until(lambda: device.driver.current_url == end)
        with open_project(project, writing=False) as opened:
            assert [person.name for person in opened.sessions.participants()] == [SENT]
    finally:
        device.clear_storage(f"http://{HOST}:{server.port}")
        server.stop()
    complaints = [
        each
        for each in device.read_log()
        if "ERR_" not in each and "favicon" not in each and not re.search("status of", each)
    ]
    assert complaints == []


def test_a_panel_session_admits_no_participant_without_a_panel_id(
    device: Chromium, project: Path
) -> None:
    server = start_server(
        project,
        CrowdPanel("prolific", "PROLIFIC_PID", completion="https://panel.example/done", each=EACH),
    )
    try:
        device.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
        wait_until(lambda: "site that sent you here" in device.js("return document.body.innerText"))
        device.driver.get(
            f"http://{HOST}:{server.port}/?PROLIFIC_PID=5f0a61c2e9d34b7f8a90c1d2&code=AAAAAAAA"
        )
        wait_until(lambda: "does not work" in device.js("return document.body.innerText"))
        device.driver.get(link(server, "%7B%7B%25PROLIFIC_PID%25%7D%7D"))
        wait_until(lambda: "This is a preview" in device.js("return document.body.innerText"))
        person, _ = server.lead(lambda session: session.join_by_panel({"PROLIFIC_PID": SENT}))
        judge_one(server, person)
        device.driver.get(link(server))
        wait_until(lambda: "judged: 1" in device.js("return document.body.innerText"))
        device.snap(PICTURES / "panel_known.png")

        def withdraw(session: SharedSession) -> None:
            session.store.note_survey(person, {WITHDRAWAL_KEY: session.now()})
            session.exclude_participant(person)

        server.lead(withdraw)
        device.driver.get(link(server))
        wait_until(lambda: "not to take part" in device.js("return document.body.innerText"))
    finally:
        device.clear_storage(f"http://{HOST}:{server.port}")
        server.stop()


def test_consent_is_shown_before_the_work_and_the_code_next_to_the_link_after_it(
    device: Chromium, project: Path
) -> None:
    panel = CrowdPanel(
        "prolific",
        "PROLIFIC_PID",
        completion="https://panel.example/done?cc=C123",
        code="C123",
        each=2,
    )
    start = StartPage(
        "You may **stop** at any time.",
        12,
        (SurveyQuestion("often", "How often do you search?", ("daily", "rarely")),),
        (SurveyQuestion("hard", "What was hard?"),),
    )
    server = make_server(
        project,
        SessionOptions(SchedulingOptions(overlap=2), panel=panel, start=start),
        address=ServerAddress(names=(HOST,)),
    )
    server.start()
    try:
        device.set_screen(390, 844, touch=True)
        device.driver.get(link(server))
        wait_until(lambda: device.text("h1") == "Before you start")
        text = device.js("return document.body.innerText")
        wanted = (
            "About 12 min.",
            "Items: 2.",
            "You may stop at any time.",
            "How often do you search?",
        )
        assert all(phrase in text for phrase in wanted)
        device.snap(PICTURES / "panel_start.png")
        state = """const group = document.querySelector('fieldset');
        return [group.getAttribute('aria-invalid'), group.contains(document.activeElement),
          group.querySelector('.error').checkVisibility(), document.querySelector('form').noValidate]"""
        device.js("document.querySelector('.start-form .primary').click()")
        assert device.js(state) == ["true", True, True, True], "the page says it, not the browser"
        device.js("document.querySelector('[value=rarely]').click()")
        assert device.js(state)[::2] == ["false", False]
        device.js("document.querySelector('.start-form .primary').click()")
        wait_until(
            lambda: device.js(
                "return !!document.querySelector('.sheet h1') && !!document.querySelector('.grading')"
            )
        )
        device.wait_until_idle()
        assert "id on the site" in device.text("dialog[open]")
        assert "Not you?" not in device.text("dialog[open]"), (
            "who comes from a panel has no other name"
        )
        device.press(Keys.ENTER)
        judge(device, "2", "1")
        wait_until(lambda: device.js("return !!document.querySelector('.end-part [name=hard]')"))
        assert device.js("return document.activeElement.localName") == "h1"
        assert "C123" not in device.js("return document.body.innerText")
        assert state_buttons(device) == ["Send the answers", "Undo"]
        assert "(optional)" in device.text(".end-part")
        device.snap(PICTURES / "panel_survey.png")
        device.js("document.querySelector('[name=hard]').focus()")
        device.send_keys(*"Nothing.")
        server.ask("say", words="Thank you all.")  # meanwhile the page is updated
        wait_until(lambda: "Thank you all." in device.text(".leader-message"))
        assert device.js("return document.activeElement.value") == "Nothing."
        device.click(".end-part form button")
        wait_until(lambda: device.text(".end-part .code") == "C123")
        assert state_buttons(device) == ["Copy the code", "Complete the submission", "Undo"]
        device.snap(PICTURES / "panel_end.png")
        (survey,) = server.lead(lambda session: session.store.surveys()).values()
        assert (survey["often"], survey["hard"]) == ("rarely", "Nothing.")
        device.driver.refresh()
        wait_until(lambda: device.text(".end-part .code") == "C123")
        device.clear_storage(f"http://{HOST}:{server.port}")
        device.driver.get(link(server, "terse"))
        wait_until(lambda: device.text("h1") == "Before you start")
        device.js(
            "document.querySelector('[value=rarely]').click(); document.querySelector('.start-form .primary').click()"
        )
        wait_until(lambda: device.js("return !!document.querySelector('.sheet h1')"))
        device.wait_until_idle()
        device.press(Keys.ENTER)
        judge(device, "2", "1")
        wait_until(lambda: device.js("return !!document.querySelector('.end-part [name=hard]')"))
        device.click(".end-part form button")  # without an answer
        wait_until(lambda: device.text(".end-part .code") == "C123")
        device.driver.refresh()
        wait_until(lambda: device.text(".state h1") != "" and device.text(".end-part") != "")
        assert device.text(".end-part .code") == "C123"
        device.clear_storage(f"http://{HOST}:{server.port}")
        device.driver.get(link(server, "another"))
        wait_until(lambda: device.text("h1") == "Before you start")
        device.js(
            "[...document.querySelectorAll('button')].find((each) => each.innerText === \"I "
            "don't want to take part\").click()"
        )
        wait_until(lambda: device.js("return !!document.querySelector('dialog[open]')"))
        assert len(server.ask("standing")["people"]) == 3 and not any(
            each["withdrawn"] for each in server.ask("standing")["people"]
        ), "it is asked once"
        device.click("dialog .choices button:not(.primary)")
        wait_until(lambda: device.text("h1") not in ("", "Before you start"))
        people = server.ask("standing")["people"]
        assert [(each["aside"], each["withdrawn"]) for each in people] == [
            (False, False),
            (False, False),
            (True, True),
        ]
    finally:
        device.clear_storage(f"http://{HOST}:{server.port}")
        server.stop()


def test_the_code_is_shown_after_the_last_questions_even_if_the_session_has_ended(
    device: Chromium, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = CrowdPanel(
        "p", "PROLIFIC_PID", completion="https://panel.example/done", code="C123", each=1
    )
    start = StartPage("", 0, (), (SurveyQuestion("hard", "What was hard?"),))
    server = make_server(
        project,
        SessionOptions(SchedulingOptions(overlap=2), panel=panel, start=start),
        address=ServerAddress(names=(HOST,)),
    )
    server.start()
    try:
        device.driver.get(link(server))
        wait_until(lambda: device.text("h1") == "Before you start")
        device.click(".start-form .primary")
        wait_until(lambda: device.js("return !!document.querySelector('.sheet h1')"))
        device.wait_until_idle()
        device.press(Keys.ENTER)
        judge(device, "2")
        wait_until(lambda: device.js("return !!document.querySelector('.end-part [name=hard]')"))
        monkeypatch.setattr(session_module, "FAREWELL_SECONDS", -1.0)
        server.ask("state", state="ended")
        device.click(".end-part form button")
        wait_until(lambda: device.text(".end-part .code") == "C123")
    finally:
        device.clear_storage(f"http://{HOST}:{server.port}")
        server.stop()
