"""Tests of notifications pushed to pages: pause, message, end, and exclusion, by long polling."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import IrjudgeError
from irjudge.store import ENDED, OPEN, PAUSED
from irjudge.web import Server, connections
from irjudge.web.connections import MAX_POLLS_PER_PARTICIPANT, Notifier, ServerBusy
from irjudge.web.session import MAX_MESSAGE_LENGTH
from irjudge.web.session_state import ALL_PARTICIPANTS
from tests.engine.exchange.classroom import build_class
from tests.engine.web import session_client
from tests.engine.web.session_client import Json, Person, make_server, run_server
from tests.web.browsers import wait_until

QUIET = {"state": "open", "message": "", "aside": False}
SOON = 10.0  # seconds, far less than a page waits


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path)
    return path


@pytest.fixture
def server(project: Path, store: str) -> Iterator[Server]:
    with run_server(project) as started:
        yield started


def poll(person: Person, known: Json) -> Json:
    response = person.call("/news", {"known": known})
    return {name: response[name] for name in QUIET}


def poll_in_background(
    pool: ThreadPoolExecutor, person: Person, known: Json = QUIET
) -> "Future[Json]":
    """Let a page wait for notifications."""
    return pool.submit(poll, person, known)


def until_waiting(server: Server, count: int) -> None:
    wait_until(lambda: len(server.notifier) >= count)


@pytest.mark.slow
def test_notifications_unknown_to_a_page_are_sent_without_waiting(server: Server) -> None:
    ann = Person(server, "Ann")
    begun = time.monotonic()
    assert poll(ann, {"state": "", "message": "", "aside": False}) == QUIET
    server.lead(lambda session: session.set_message("Five  more\nminutes."))
    assert poll(ann, QUIET) == {**QUIET, "message": "Five more minutes."}
    assert ann.sync()["message"] == "Five more minutes."
    assert time.monotonic() - begun < SOON


@pytest.mark.slow
def test_every_waiting_page_is_notified_of_a_pause_a_message_and_the_end(server: Server) -> None:
    people = [Person(server, f"Person {number}") for number in range(12)]
    steps: list[tuple[Any, Json]] = [
        (lambda session: session.set_state(PAUSED), {**QUIET, "state": "paused"}),
        (
            lambda session: session.set_message("Look here."),
            {**QUIET, "state": "paused", "message": "Look here."},
        ),
        (lambda session: session.set_state(OPEN), {**QUIET, "message": "Look here."}),
        (
            lambda session: session.set_state(ENDED),
            {**QUIET, "message": "Look here.", "state": "ended"},
        ),
    ]
    known = QUIET
    with ThreadPoolExecutor(len(people)) as pool:
        for work, notification in steps:
            asked = [poll_in_background(pool, person, known) for person in people]
            until_waiting(server, len(people))
            server.lead(work)
            assert [each.result(SOON) for each in asked] == [notification] * len(people)
            known = notification


def test_an_excluded_participant_is_notified_and_no_other_page_is_woken(server: Server) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    with ThreadPoolExecutor(2) as pool:
        asked, other = poll_in_background(pool, ann), poll_in_background(pool, bob)
        until_waiting(server, 2)
        server.lead(lambda session: session.exclude_participant(session.find_participant("Ann")))
        assert asked.result(SOON) == {**QUIET, "aside": True}
        assert not other.done() and ann.sync()["aside"] and not bob.sync()["aside"]
        back = poll_in_background(pool, ann, {**QUIET, "aside": True})
        until_waiting(server, 2)
        server.lead(lambda session: session.readmit_participant(session.find_participant("Ann")))
        assert back.result(SOON) == QUIET and not other.done()
        server.lead(lambda session: session.revoke(session.find_participant("Bob")))
        with pytest.raises(
            AssertionError, match="401"
        ):  # the page is told that its link no longer works
            other.result(SOON)


@pytest.mark.slow
def test_a_poll_without_notifications_gets_a_response_after_a_while(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "LONG_POLL_SECONDS", 0.05)
    assert poll(Person(server, "Ann"), QUIET) == QUIET


def test_the_number_of_waiting_pages_of_one_participant_is_limited(server: Server) -> None:
    ann = Person(server, "Ann")
    with ThreadPoolExecutor(MAX_POLLS_PER_PARTICIPANT) as pool:
        asked = [poll_in_background(pool, ann) for _ in range(MAX_POLLS_PER_PARTICIPANT)]
        until_waiting(server, MAX_POLLS_PER_PARTICIPANT)
        refused = ann.try_call("/news", {"known": QUIET})
        assert (
            refused.status == 503
            and int({key.lower(): value for key, value in refused.headers.items()}["retry-after"])
            >= 1
        )
        server.lead(lambda session: session.set_state(PAUSED))
        assert all(each.result(SOON)["state"] == "paused" for each in asked)


def test_a_page_that_is_not_admitted_is_not_notified(server: Server) -> None:
    ann = Person(server, "Ann")
    ann.token = "another"
    assert ann.try_call("/news", {"known": QUIET}).status == 401


@pytest.mark.slow
def test_a_stopping_server_does_not_wait_for_pages(project: Path) -> None:
    server = make_server(project)
    server.start()
    ann = Person(server, "Ann")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ann.try_call, "/news", {"known": QUIET})
        until_waiting(server, 1)
        begun = time.monotonic()
        server.stop()
        assert time.monotonic() - begun < SOON
        asked.exception(SOON)  # answered or closed, but not left waiting


@pytest.mark.usefixtures("databases")
def test_pages_at_another_server_of_the_session_are_notified_too(project: Path) -> None:
    assert session_client.databases is not None
    with run_server(project) as one, run_server(project) as other:
        ann = Person(one, "Ann")
        with ThreadPoolExecutor(1) as pool:
            known = QUIET
            for work, more in (
                (lambda session: session.set_state(PAUSED), {"state": "paused"}),
                (lambda session: session.set_message("Soon."), {"message": "Soon."}),
            ):
                asked = poll_in_background(pool, ann, known)
                until_waiting(one, 1)
                other.lead(work)
                known = known | more
                assert asked.result(SOON) == known


def test_a_message_is_kept_by_a_restart_and_can_be_withdrawn(project: Path, store: str) -> None:
    with run_server(project) as server:
        server.lead(lambda session: session.set_message("Read the notes first."))
    with run_server(project) as server:
        ann = Person(server, "Ann")
        assert ann.sync()["message"] == "Read the notes first."
        server.lead(lambda session: session.set_message(""))
        assert ann.sync()["message"] == ""
        with pytest.raises(IrjudgeError, match="at most 500 characters"):
            server.lead(lambda session: session.set_message("x" * (MAX_MESSAGE_LENGTH + 1)))


def test_a_notification_between_check_and_wait_is_not_missed() -> None:
    async def meet() -> float:
        bell, begun = Notifier(), time.monotonic()
        turn = bell.turn()
        bell.notify([ALL_PARTICIPANTS])
        await asyncio.sleep(0)  # it arrives in the event loop before the page waits
        await asyncio.sleep(0)
        await bell.wait(turn, "p-1", "127.0.0.1", None)
        return time.monotonic() - begun

    assert asyncio.run(meet()) < SOON


def test_a_closed_notifier_lets_no_page_wait() -> None:
    async def meet() -> None:
        bell = Notifier()
        turn = bell.turn()
        bell.close()
        with pytest.raises(ServerBusy):
            await bell.wait(turn, "p-1", "127.0.0.1", None)

    asyncio.run(meet())
