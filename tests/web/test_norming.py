"""A norming round as a person has it in the page: judged blind, looked at by all, judged again, whatever becomes of the machine."""

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
from tests.engine.exchange.classroom import build
from tests.engine.web.browsing import Person, serving
from tests.web.browsers import Chromium, wait_until
from tests.web.conftest import HOST, PICTURES

WISH = SessionOptions(SchedulingOptions(overlap=2), norming=Norming())
ON_DESK = "return !document.querySelector('main.resting') && !!document.querySelector('.sheet h1')"
COUNTS = """
return [...document.querySelectorAll(".round-counts li")].map((line) => [line.className, line.querySelector(".round-count").textContent]);
"""
REOPENS = """
const buttons = [...document.querySelectorAll(".lead-rounds button")];
return buttons.some((each) => each.offsetParent && each.textContent === "Reopen the round");
"""
SAVES = "return [...document.querySelectorAll('.state button')].some((each) => each.textContent.startsWith('Save'))"


def come(page: Chromium, server: Server) -> None:
    page.size(1360, 820)
    page.driver.get(f"http://{HOST}:{server.port}/#{server.code}")
    wait_until(lambda: page.js("return !!document.querySelector('.join')"))
    page.js("document.querySelector('#name').value = 'Ann'")
    page.js("document.querySelector('.join button').click()")
    wait_until(lambda: page.js("return !!document.querySelector('.grading')"))
    page.settle()
    if page.js("return !!document.querySelector('dialog[open]')"):
        page.press(Keys.ENTER)


def judge(page: Chromium, key: str) -> None:
    wait_until(lambda: page.js(ON_DESK))
    before = page.title
    page.later("setTimeout(arguments[0], 100)")
    page.press(key)
    wait_until(lambda: page.title != before or not page.js(ON_DESK))


def of_ann(path: Path) -> list[tuple[int, int]]:
    """Return the round and the grade of each judgment of Ann's that counts in a round."""
    with open_project(path, writing=False) as project:
        (session,) = project.sessions.all()
        (ann,) = (each.id for each in project.sessions.participants() if each.name == "Ann")
        return sorted(
            (vote.round_number, vote.grade)
            for vote in collect_round_votes(project, session)
            if vote.participant_id == ann
        )


def test_a_round_is_judged_looked_at_and_judged_again_whatever_becomes_of_the_machine(
    device: Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "class.irjudge"
    build(path, topics=("051",), documents=4)
    with serving(path, WISH, place=ServerAddress(names=(HOST,))) as server:
        come(device, server)
        wait_until(lambda: "first round" in device.text(".state h1"))
        bob = Person(server, "Bob")
        server.ask("round", count=2)
        bob.sync()
        for place in bob.open_places():
            bob.grade(place, 0, server.lead(lambda session: session.project.scale.version))
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
            (document,) = project.collection.some([shown["document"]]).values()
        assert document.text.split()[-1] in device.text(".round-paper .sheet")
        assert device.js("return document.querySelector('.round-paper').offsetHeight") > 20
        device.snap(PICTURES / "round-closed.png")
        server.ask("round", documents="same")
        wait_until(lambda: device.js(ON_DESK))
        assert "Round 2" in device.text(".progress")
        assert "Recorded" not in device.text(".message p")
        older = Path(shutil.copy(path, tmp_path / "older.irjudge"))
        judge(device, "2")
        wait_until(lambda: device.text(".progress .unsaved") == "All sent")
    assert of_ann(path) == [(1, 3), (1, 3), (2, 2)] and of_ann(older) == [(1, 3), (1, 3)]
    with serving(older, WISH, place=ServerAddress(port=server.port, names=(HOST,))):
        device.js("dispatchEvent(new Event('online'))")
        wait_until(lambda: of_ann(older) == [(1, 3), (1, 3), (2, 2)])
    judge(device, "1")
    wait_until(lambda: device.js(SAVES))
    assert device.text(".state h1") == "No connection"
    device.button("Save this work")
    assert main(["merge", str(older), str(device.downloaded("Ann.result.json"))]) == 0
    assert of_ann(older) == [(1, 3), (1, 3), (2, 1), (2, 2)]
    # what it says of http, and while nobody answers
    known = re.compile("ERR_|status of (4|503)|favicon|blob:.* insecure connection")
    assert [each for each in device.complaints() if not known.search(each)] == []


def test_who_joins_after_a_round_reads_the_document_under_discussion(
    device: Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "class.irjudge"
    build(path, topics=("051",), documents=4)
    with serving(path, WISH, place=ServerAddress(names=(HOST,))) as server:
        Person(server, "Bob")
        server.ask("round", count=2)
        server.ask("close")
        come(device, server)
        wait_until(lambda: device.js("return !!document.querySelector('.round-paper .sheet')"))
        shown = server.ask("standing")["norming"]["document"]
        with open_project(path, writing=False) as project:
            (document,) = project.collection.some([shown["document"]]).values()
        last_word = document.text.split()[-1]
        wait_until(lambda: last_word in device.text(".round-paper .sheet"))
        assert device.js("return document.querySelector('.round-paper').offsetHeight") > 20
        assert "change your grade" not in device.text(".state")
        device.snap(PICTURES / "round-joined-late.png")
        device.forget_storage(f"http://{HOST}:{server.port}")


@pytest.mark.slow
def test_a_round_is_closed_and_the_rounds_end_only_after_a_question(
    device: Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "class.irjudge"
    build(path, topics=("051",), documents=4)
    with serving(path, WISH, place=ServerAddress(names=(HOST,))) as server:

        def state() -> tuple[bool, bool]:
            norming = server.ask("standing")["norming"]
            return norming["open"], norming["over"]

        Person(server, "Ann")
        device.driver.get(f"http://{HOST}:{server.port}/lead#{server.leader}")
        wait_until(lambda: device.js("return !!document.querySelector('.lead-rounds h2')"))
        wait_until(lambda: "discusses" in device.text(".lead-rounds"))
        device.button("Start main judging")
        assert "reopen" not in device.text("dialog[open]"), "no round was opened"
        device.press(Keys.ENTER)  # cancels
        server.ask("round", count=2)
        wait_until(lambda: "0 of 0" in device.text(".lead-rounds"))
        for words in ("Close the round for all", "Start main judging"):
            device.button(words)
            assert "0 of 0" in device.text("dialog[open]")
            device.press(Keys.ENTER)  # cancels
            device.button(words)
            device.press(Keys.ESCAPE)
            assert state() == (True, False)
        device.button("Close the round for all")
        device.button("Close the round")
        wait_until(lambda: state() == (False, False))
        wait_until(lambda: device.js(REOPENS))
        primary = "return [...document.querySelectorAll('main .primary')].filter((each) => each.checkVisibility()).map((each) => each.textContent)"
        assert device.js(primary) == ["Next document"]
        device.button("Next document")
        wait_until(lambda: device.js(primary) == ["Open a round"])
        device.button("Judge the same documents again")
        assert "round 2" in device.text("dialog[open]") and ": 2." in device.text("dialog[open]")
        device.press(Keys.ENTER)  # cancels
        assert state() == (False, False)
        device.button("Start main judging")
        assert "reopen" in device.text("dialog[open]")
        device.button("Start main judging")
        wait_until(lambda: state() == (False, True))
        wait_until(lambda: device.js(REOPENS))
        device.button("Reopen the round")
        device.button("Reopen the round")
        wait_until(lambda: state() == (True, False))
        device.forget_storage(f"http://{HOST}:{server.port}")


def test_a_document_taken_back_by_the_leader_leaves_the_page_and_no_judgment_is_lost(
    device: Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "class.irjudge"
    build(path, topics=("051",), documents=6)
    with serving(path, WISH, place=ServerAddress(names=(HOST,))) as server:

        def is_withdrawn() -> bool:
            return "no longer yours" in device.text(".state h1")

        def seat() -> dict[str, object]:
            (ann,) = server.ask("standing")["people"]
            return ann

        come(device, server)
        server.ask("round", count=2)
        wait_until(lambda: device.js(ON_DESK))
        server.ask("pool")  # the round is still open
        wait_until(is_withdrawn)
        device.press("3")  # a key for the document that left grades no other
        assert is_withdrawn()
        device.button("Continue")
        judge(device, "3")
        wait_until(lambda: seat()["judged"] == 1)
        wait_until(lambda: device.js(ON_DESK))
        server.ask("reopen")
        wait_until(is_withdrawn)
        device.button("Continue")
        judge(device, "2")
        wait_until(lambda: of_ann(path) == [(1, 2)])
        assert not server.lead(lambda session: session.scheduler.list_late())


def test_a_revoked_participant_of_a_round_is_asked_for_nothing(
    device: Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "class.irjudge"
    build(path, topics=("051",), documents=4)
    named = SessionOptions(SchedulingOptions(overlap=2), norming=Norming(names=True))
    with serving(path, named, place=ServerAddress(names=(HOST,))) as server:
        come(device, server)
        server.ask("round", count=2)
        wait_until(lambda: device.js(ON_DESK))
        assert "Round 1" in device.text(".progress")
        server.ask("revoke", person="Ann")
        wait_until(lambda: "no longer has access" in device.text(".state h1"))
        assert device.js("return document.querySelector('.banner').hidden")
        assert not device.js("return !!document.querySelector('.state .round')")
        device.forget_storage(f"http://{HOST}:{server.port}")
