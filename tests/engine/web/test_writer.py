"""The thread that writes: what one job does wrong is that one's alone, whichever store the session is kept in."""

import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.store import open_project
from irjudge.web import Server, SessionOptions, SharedSession
from irjudge.web.postgres_store import DatabaseStore
from irjudge.web.session_store import Conflict
from tests.engine.exchange.classroom import build_class
from tests.engine.web.browsing import Person, pull, serving
from tests.engine.web.conftest import Databases

HONEST = ("Bob", "Cleo", "Dan")
Work = Callable[[SharedSession], Any]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path)
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def in_one_batch(server: Server, works: list[Work]) -> list[Any]:
    """What each of some jobs gives, or its fault; all wait while another is done, so that one commit serves them."""
    begin = threading.Event()
    server.writer.do(lambda _session: begin.wait(20))
    asked = [server.writer.do(work) for work in works]
    begin.set()
    return [future.exception(20) or future.result(20) for future in asked]


def sync_of(person: Person) -> Work:
    """Everything that a person waits to send."""
    actions, client, token = list(person.outbox), person.client, person.token
    return lambda session: session.sync(session.authenticate(token), actions, client=client)


def some_at_work(server: Server, scale: str, names: tuple[str, ...]) -> list[Person]:
    """People who have each judged one document that is not sent yet."""
    people = [Person(server, name) for name in names]
    for person in people:
        person.sync(want=1)
        person.grade(person.open_places()[0], 2, scale)
    return people


def graded(path: Path) -> int:
    with open_project(pull(path), writing=False) as opened:
        return sum(event.kind == "grade" for event in opened.events.read())


def used_before(project: Path, scale: str) -> str:
    """The client id of a judgment in a session that has ended."""
    with serving(project, SessionOptions(topics=("9",))) as server:
        (mallory,) = some_at_work(server, scale, ("Mallory",))
        mallory.sync(want=0)
        server.lead(lambda session: session.set_state("ended"))
    return mallory.client


def test_a_client_of_an_earlier_session_is_refused_and_nobody_else_is(
    project: Path, scale: str, databases: Databases
) -> None:
    client = used_before(project, scale)
    with serving(project, SessionOptions()) as server:
        mallory, *honest = some_at_work(server, scale, ("Mallory", *HONEST))
        mallory.client = mallory.outbox[0]["client"] = client
        refused, *taken = in_one_batch(server, [sync_of(person) for person in (mallory, *honest)])
        assert refused.refused and "already has this number" in str(refused.refused[1])
        assert [(answer.acknowledged, answer.refused) for answer in taken] == [(1, None)] * len(
            HONEST
        )
        assert server.lead(lambda session: session.status().actions) == len(HONEST)
    assert graded(project) == 1 + len(HONEST)


def test_what_the_database_does_not_admit_is_refused_to_who_sent_it_alone(
    project: Path, scale: str, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers of two sessions can take the same client in at one time: only the database knows."""
    client = used_before(project, scale)
    monkeypatch.setattr(DatabaseStore, "has_client_elsewhere", lambda _store, _client: False)
    with serving(project, SessionOptions()) as server:
        first, mallory, *honest = some_at_work(server, scale, ("Ann", "Mallory", *HONEST))
        mallory.client = mallory.outbox[0]["client"] = client
        taken, fault, *others = in_one_batch(
            server, [sync_of(person) for person in (first, mallory, *honest)]
        )
        assert isinstance(fault, Conflict)
        assert [answer.acknowledged for answer in (taken, *others)] == [1] * 4
        standing = {
            seat.name: (seat.judged, seat.held)
            for seat in server.lead(lambda session: session.status()).participants
        }
        assert standing["Mallory"] == (0, 1) and standing["Ann"] == standing["Dan"] == (1, 0)
        mallory.client = mallory.outbox[0]["client"] = secrets.token_hex(16)
        assert mallory.sync(want=0)["acknowledged"] == 1
    assert graded(project) == 2 + 1 + len(HONEST)


@pytest.mark.slow
@pytest.mark.usefixtures("store")
def test_a_fault_of_ours_in_one_job_takes_back_what_it_wrote_and_no_other(
    project: Path, scale: str
) -> None:
    with serving(project) as server:
        people = some_at_work(server, scale, HONEST)

        def fails(session: SharedSession) -> None:
            session.join("Eva")
            session.set_state("paused")
            raise ZeroDivisionError

        first, fault, *others = in_one_batch(
            server, [sync_of(people[0]), fails, *map(sync_of, people[1:])]
        )
        assert isinstance(fault, CommitFailed)
        assert [answer.acknowledged for answer in (first, *others)] == [1] * 3
        assert server.lead(lambda session: session.state) == "open"
        assert [
            seat.name for seat in server.lead(lambda session: session.status()).participants
        ] == list(HONEST)
    with open_project(pull(project), writing=False) as opened:
        assert [person.name for person in opened.sessions.participants()] == list(
            HONEST
        ) and opened.verify().problems == ()
    assert graded(project) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("store")
def test_a_refusal_leaves_all_as_it_was(project: Path, scale: str) -> None:
    with serving(project) as server:
        people = some_at_work(server, scale, HONEST)
        before = server.lead(lambda session: session)
        *taken, refused = in_one_batch(
            server, [*map(sync_of, people), lambda session: session.find_participant("Nobody")]
        )
        assert (
            isinstance(refused, IrjudgeError)
            and [answer.acknowledged for answer in taken] == [1] * 3
        )
        assert server.lead(lambda session: session) is before, "it is not made anew for a refusal"
