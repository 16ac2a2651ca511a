"""Tests of a norming round in the page: judged independently, discussed, judged again."""

import re
import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.cli.main import main
from irjudge.judging import Norming
from irjudge.judging.norming import collect_round_votes
from irjudge.store import open_project
from irjudge.web import SchedulingOptions, Server, ServerAddress, SessionOptions
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server
from tests.web.browsers import Chromium, wait_until
from tests.web.conftest import HOST, PICTURES

OPTIONS = SessionOptions(SchedulingOptions(overlap=2), norming=Norming())
SHOWS_DOCUMENT = (
    "return !document.querySelector('main.resting') && !!document.querySelector('.sheet h1')"
)
COUNTS = """
return [...document.querySelectorAll(".round-counts li")].map((line) => [line.className, line.querySelector(".round-count").textContent]);
"""
REOPENS = """
const buttons = [...document.querySelectorAll(".lead-rounds button")];
return buttons.some((each) => each.offsetParent && each.textContent === "Reopen the round");
"""
SAVES = "return [...document.querySelectorAll('.state button')].some((each) => each.textContent.startsWith('Save'))"


def join(page: Chromium, server: Server) -> None:
    page.set_screen(1360, 820)
    page.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
    wait_until(lambda: page.js("return !!document.querySelector('.join')"))
    page.js("document.querySelector('#name').value = 'Ann'")
    page.js("document.querySelector('.join button').click()")
    wait_until(lambda: page.js("return !!document.querySelector('.grading')"))
    page.wait_until_idle()
    if page.js("return !!document.querySelector('dialog[open]')"):
        page.press(Keys.ENTER)


def judge(page: Chromium, key: str) -> None:
    wait_until(lambda: page.js(SHOWS_DOCUMENT))
    before = page.title
    page.run_async("setTimeout(arguments[0], 100)")
    page.press(key)
    wait_until(lambda: page.title != before or not page.js(SHOWS_DOCUMENT))


def read_anns_votes(path: Path) -> list[tuple[int, int]]:
    """Return the round and the grade of each of Ann's judgments that counts in a round."""
    with open_project(path, writing=False) as project:
        (session,) = project.sessions.all()
        (ann,) = (each.id for each in project.sessions.participants() if each.name == "Ann")
        return sorted(
            (vote.round_number, vote.grade)
            for vote in collect_round_votes(project, session)
            if vote.participant_id == ann
        )


def test_a_round_is_judged_discussed_and_judged_again_despite_restarts(
    device: Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=4)
    with run_server(path, OPTIONS, address=ServerAddress(names=(HOST,))) as server:
        join(device, server)
        wait_until(lambda: "first round" in device.text(".state h1"))
        bob = Person(server, "Bob")
        server.ask("round", count=2)
        bob.sync()
        for index in bob.open_items():
            bob.grade(index, 0, server.lead(lambda session: session.project.scale.version))
        bob.sync()
        judge(device, "3")
        assert not device.js("return document.querySelector('.round-document')"), (
            "nothing of an open round is shown"
        )
        judge(device, "3")
        wait_until(lambda: "round 1" in device.text(".state h1"))
        server.ask("close")
        wait_until(lambda: device.js("return !!document.querySelector('.round-document')"))
        assert device.js(COUNTS) == [["", "1"], ["", "0"], ["", "0"], ["own", "1"]]
        shown = server.ask("standing")["norming"]["document"]
        with open_project(path, writing=False) as project:
            (document,) = project.collection.documents_by_id([shown["document"]]).values()
        assert document.text.split()[-1] in device.text(".round-paper .sheet")
        assert device.js("return document.querySelector('.round-paper').offsetHeight") > 20
        device.snap(PICTURES / "round-closed.png")
        server.ask("round", documents="same")
        wait_until(lambda: device.js(SHOWS_DOCUMENT))
        assert "Round 2" in device.text(".progress")
        assert "Recorded" not in device.text(".message p")
        older = Path(shutil.copy(path, tmp_path / "older.irjudge"))
        judge(device, "2")
        wait_until(lambda: device.text(".progress .unsaved") == "All sent")
    assert read_anns_votes(path) == [(1, 3), (1, 3), (2, 2)] and read_anns_votes(older) == [
        (1, 3),
        (1, 3),
    ]
    with run_server(older, OPTIONS, address=ServerAddress(port=server.port, names=(HOST,))):
        device.js("dispatchEvent(new Event('online'))")
        wait_until(lambda: read_anns_votes(older) == [(1, 3), (1, 3), (2, 2)])
    judge(device, "1")
    wait_until(lambda: device.js(SAVES))
    assert device.text(".state h1") == "No connection"
    device.click_button("Save this work")
    assert main(["merge", str(older), str(device.wait_for_download("Ann.result.json"))]) == 0
    assert read_anns_votes(older) == [(1, 3), (1, 3), (2, 1), (2, 2)]
    # what the page says about http, and while the server does not respond
    known = re.compile("ERR_|status of (4|503)|favicon|blob:.* insecure connection")
    assert [each for each in device.read_log() if not known.search(each)] == []


def test_a_participant_who_joins_after_a_round_sees_the_document_under_discussion(
    device: Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=4)
    with run_server(path, OPTIONS, address=ServerAddress(names=(HOST,))) as server:
        Person(server, "Bob")
        server.ask("round", count=2)
        server.ask("close")
        join(device, server)
        wait_until(lambda: device.js("return !!document.querySelector('.round-paper .sheet')"))
        shown = server.ask("standing")["norming"]["document"]
        with open_project(path, writing=False) as project:
            (document,) = project.collection.documents_by_id([shown["document"]]).values()
        last_word = document.text.split()[-1]
        wait_until(lambda: last_word in device.text(".round-paper .sheet"))
        assert device.js("return document.querySelector('.round-paper').offsetHeight") > 20
        assert "change your grade" not in device.text(".state")
        device.snap(PICTURES / "round-joined-late.png")
        server.ask("aside", person="Ann")
        wait_until(lambda: device.text(".state h1") == "Excluded")
        assert not device.js("return !!document.querySelector('.round')")
        device.clear_storage(f"http://{HOST}:{server.port}")


@pytest.mark.slow
def test_closing_a_round_and_ending_the_rounds_asks_first(device: Chromium, tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=4)
    with run_server(path, OPTIONS, address=ServerAddress(names=(HOST,))) as server:

        def round_state() -> tuple[bool, bool]:
            norming = server.ask("standing")["norming"]
            return norming["open"], norming["over"]

        Person(server, "Ann")
        device.driver.get(f"http://{HOST}:{server.port}/lead#{server.leader}")
        wait_until(lambda: device.js("return !!document.querySelector('.lead-rounds h2')"))
        wait_until(lambda: "discusses" in device.text(".lead-rounds"))
        device.click_button("Start main judging")
        assert "reopen" not in device.text("dialog[open]"), "no round was opened"
        device.press(Keys.ENTER)  # cancels
        server.ask("round", count=2)
        wait_until(lambda: "0 of 0" in device.text(".lead-rounds"))
        for label in ("Close the round for all", "Start main judging"):
            device.click_button(label)
            assert "0 of 0" in device.text("dialog[open]")
            device.press(Keys.ENTER)  # cancels
            device.click_button(label)
            device.press(Keys.ESCAPE)
            assert round_state() == (True, False)
        device.click_button("Close the round for all")
        device.click_button("Close the round")
        wait_until(lambda: round_state() == (False, False))
        wait_until(lambda: device.js(REOPENS))
        primary = "return [...document.querySelectorAll('main .primary')].filter((each) => each.checkVisibility()).map((each) => each.textContent)"
        assert device.js(primary) == ["Next document"]
        device.click_button("Next document")
        wait_until(lambda: device.js(primary) == ["Open a round"])
        device.click_button("Judge the same documents again")
        assert "round 2" in device.text("dialog[open]") and ": 2." in device.text("dialog[open]")
        device.press(Keys.ENTER)  # cancels
        assert round_state() == (False, False)
        device.click_button("Start main judging")
        assert "reopen" in device.text("dialog[open]")
        device.click_button("Start main judging")
        wait_until(lambda: round_state() == (False, True))
        wait_until(lambda: device.js(REOPENS))
        device.click_button("Reopen the round")
        device.click_button("Reopen the round")
        wait_until(lambda: round_state() == (True, False))
        device.clear_storage(f"http://{HOST}:{server.port}")


def test_a_document_withdrawn_by_the_host_leaves_the_page_without_loss_of_judgments(
    device: Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=6)
    with run_server(path, OPTIONS, address=ServerAddress(names=(HOST,))) as server:

        def is_withdrawn() -> bool:
            return "no longer yours" in device.text(".state h1")

        def read_seat() -> dict[str, object]:
            (ann,) = server.ask("standing")["people"]
            return ann

        join(device, server)
        server.ask("round", count=2)
        wait_until(lambda: device.js(SHOWS_DOCUMENT))
        server.ask("pool")  # the round is still open
        wait_until(is_withdrawn)
        device.press("3")  # a key for the withdrawn document grades no other
        assert is_withdrawn()
        device.click_button("Continue")
        judge(device, "3")
        wait_until(lambda: read_seat()["judged"] == 1)
        wait_until(lambda: device.js(SHOWS_DOCUMENT))
        server.ask("reopen")
        wait_until(is_withdrawn)
        device.click_button("Continue")
        judge(device, "2")
        wait_until(lambda: read_anns_votes(path) == [(1, 2)])
        assert not server.lead(lambda session: session.scheduler.list_late())


def test_a_revoked_participant_of_a_round_has_nothing_to_judge(
    device: Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=4)
    named = SessionOptions(SchedulingOptions(overlap=2), norming=Norming(names=True))
    with run_server(path, named, address=ServerAddress(names=(HOST,))) as server:
        join(device, server)
        server.ask("round", count=2)
        wait_until(lambda: device.js(SHOWS_DOCUMENT))
        assert "Round 1" in device.text(".progress")
        server.ask("revoke", person="Ann")
        wait_until(lambda: "no longer has access" in device.text(".state h1"))
        assert device.js("return document.querySelector('.banner').hidden")
        assert not device.js("return !!document.querySelector('.state .round')")
        device.clear_storage(f"http://{HOST}:{server.port}")
