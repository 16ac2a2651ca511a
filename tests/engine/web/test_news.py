"""What every page hears at once: a pause, a message, the end, that somebody is set aside; pages wait for it without working."""

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
from tests.engine.web import browsing
from tests.engine.web.browsing import Json, Person, server_of, serving
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
    with serving(project) as started:
        yield started


def news(person: Person, known: Json) -> Json:
    told = person.call("/news", {"known": known})
    return {name: told[name] for name in QUIET}


def waiting(pool: ThreadPoolExecutor, person: Person, known: Json = QUIET) -> "Future[Json]":
    """Let a page wait for news."""
    return pool.submit(news, person, known)


def until_waiting(server: Server, count: int) -> None:
    wait_until(lambda: len(server.notifier) >= count)


@pytest.mark.slow
def test_what_a_page_does_not_know_yet_is_told_without_waiting(server: Server) -> None:
    ann = Person(server, "Ann")
    begun = time.monotonic()
    assert news(ann, {"state": "", "message": "", "aside": False}) == QUIET
    server.lead(lambda session: session.set_message("Five  more\nminutes."))
    assert news(ann, QUIET) == {**QUIET, "message": "Five more minutes."}
    assert ann.sync()["message"] == "Five more minutes."
    assert time.monotonic() - begun < SOON


@pytest.mark.slow
def test_every_page_that_waits_hears_of_a_pause_a_message_and_the_end(server: Server) -> None:
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
        for work, told in steps:
            asked = [waiting(pool, person, known) for person in people]
            until_waiting(server, len(people))
            server.lead(work)
            assert [each.result(SOON) for each in asked] == [told] * len(people)
            known = told


def test_who_is_set_aside_hears_it_and_nobody_else_is_woken(server: Server) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    with ThreadPoolExecutor(2) as pool:
        asked, other = waiting(pool, ann), waiting(pool, bob)
        until_waiting(server, 2)
        server.lead(lambda session: session.exclude_participant(session.find_participant("Ann")))
        assert asked.result(SOON) == {**QUIET, "aside": True}
        assert not other.done() and ann.sync()["aside"] and not bob.sync()["aside"]
        back = waiting(pool, ann, {**QUIET, "aside": True})
        until_waiting(server, 2)
        server.lead(lambda session: session.readmit_participant(session.find_participant("Ann")))
        assert back.result(SOON) == QUIET and not other.done()
        server.lead(lambda session: session.revoke(session.find_participant("Bob")))
        with pytest.raises(
            AssertionError, match="401"
        ):  # the page learns that its link lets nobody in any more
            other.result(SOON)


@pytest.mark.slow
def test_after_a_while_a_page_is_answered_though_nothing_is_new(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "LONG_POLL_SECONDS", 0.05)
    assert news(Person(server, "Ann"), QUIET) == QUIET


def test_one_person_holds_few_places_in_the_line_of_those_who_wait(server: Server) -> None:
    ann = Person(server, "Ann")
    with ThreadPoolExecutor(MAX_POLLS_PER_PARTICIPANT) as pool:
        asked = [waiting(pool, ann) for _ in range(MAX_POLLS_PER_PARTICIPANT)]
        until_waiting(server, MAX_POLLS_PER_PARTICIPANT)
        refused = ann.try_call("/news", {"known": QUIET})
        assert (
            refused.status == 503
            and int({key.lower(): value for key, value in refused.headers.items()}["retry-after"])
            >= 1
        )
        server.lead(lambda session: session.set_state(PAUSED))
        assert all(each.result(SOON)["state"] == "paused" for each in asked)


def test_who_is_not_let_in_hears_nothing(server: Server) -> None:
    ann = Person(server, "Ann")
    ann.token = "another"
    assert ann.try_call("/news", {"known": QUIET}).status == 401


@pytest.mark.slow
def test_a_server_that_stops_waits_for_no_page(project: Path) -> None:
    server = server_of(project)
    server.start()
    ann = Person(server, "Ann")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ann.try_call, "/news", {"known": QUIET})
        until_waiting(server, 1)
        begun = time.monotonic()
        server.stop()
        assert time.monotonic() - begun < SOON
        asked.exception(SOON)  # answered or cut off, but not left waiting


@pytest.mark.usefixtures("databases")
def test_pages_at_another_server_of_the_session_hear_it_too(project: Path) -> None:
    assert browsing.databases is not None
    with serving(project) as one, serving(project) as other:
        ann = Person(one, "Ann")
        with ThreadPoolExecutor(1) as pool:
            known = QUIET
            for work, more in (
                (lambda session: session.set_state(PAUSED), {"state": "paused"}),
                (lambda session: session.set_message("Soon."), {"message": "Soon."}),
            ):
                asked = waiting(pool, ann, known)
                until_waiting(one, 1)
                other.lead(work)
                known = known | more
                assert asked.result(SOON) == known


def test_a_message_outlives_the_server_and_can_be_taken_back(project: Path, store: str) -> None:
    with serving(project) as server:
        server.lead(lambda session: session.set_message("Read the notes first."))
    with serving(project) as server:
        ann = Person(server, "Ann")
        assert ann.sync()["message"] == "Read the notes first."
        server.lead(lambda session: session.set_message(""))
        assert ann.sync()["message"] == ""
        with pytest.raises(IrjudgeError, match="at most 500 characters"):
            server.lead(lambda session: session.set_message("x" * (MAX_MESSAGE_LENGTH + 1)))


def test_what_rings_between_looking_and_waiting_is_not_missed() -> None:
    async def meet() -> float:
        bell, begun = Notifier(), time.monotonic()
        turn = bell.turn()
        bell.notify([ALL_PARTICIPANTS])
        await asyncio.sleep(0)  # it is heard in the loop, before anybody waits
        await asyncio.sleep(0)
        await bell.wait(turn, "p-1", "127.0.0.1", None)
        return time.monotonic() - begun

    assert asyncio.run(meet()) < SOON


def test_a_bell_that_is_closed_lets_nobody_wait() -> None:
    async def meet() -> None:
        bell = Notifier()
        turn = bell.turn()
        bell.close()
        with pytest.raises(ServerBusy):
            await bell.wait(turn, "p-1", "127.0.0.1", None)

    asyncio.run(meet())
