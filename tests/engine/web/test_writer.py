"""Tests of the writer thread: an error in one job affects no other job, in both stores."""

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
from tests.engine.web.conftest import Databases
from tests.engine.web.session_client import Person, pull, run_server

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


def run_in_one_batch(server: Server, works: list[Work]) -> list[Any]:
    """Return the result or the error of each job; all are written by one commit."""
    begin = threading.Event()
    server.writer.do(lambda _session: begin.wait(20))
    asked = [server.writer.do(work) for work in works]
    begin.set()
    return [future.exception(20) or future.result(20) for future in asked]


def pending_sync(person: Person) -> Work:
    """Return the request with a participant's pending actions."""
    actions, client, token = list(person.outbox), person.client, person.token
    return lambda session: session.sync(session.authenticate(token), actions, client=client)


def make_active_people(server: Server, scale: str, names: tuple[str, ...]) -> list[Person]:
    """Return participants who have each judged one document that is not sent yet."""
    people = [Person(server, name) for name in names]
    for person in people:
        person.sync(want=1)
        person.grade(person.open_items()[0], 2, scale)
    return people


def graded_documents(path: Path) -> int:
    with open_project(pull(path), writing=False) as opened:
        return sum(event.kind == "grade" for event in opened.events.read())


def earlier_client(project: Path, scale: str) -> str:
    """Return the client id of a judgment in an earlier session."""
    with run_server(project, SessionOptions(topics=("9",))) as server:
        (mallory,) = make_active_people(server, scale, ("Mallory",))
        mallory.sync(want=0)
        server.lead(lambda session: session.set_state("ended"))
    return mallory.client


def test_a_client_id_of_an_earlier_session_is_refused_without_effect_on_others(
    project: Path, scale: str, databases: Databases
) -> None:
    client = earlier_client(project, scale)
    with run_server(project, SessionOptions()) as server:
        mallory, *honest = make_active_people(server, scale, ("Mallory", *HONEST))
        mallory.client = mallory.outbox[0]["client"] = client
        refused, *taken = run_in_one_batch(
            server, [pending_sync(person) for person in (mallory, *honest)]
        )
        assert refused.refused and "already has this number" in str(refused.refused[1])
        assert [(answer.acknowledged, answer.refused) for answer in taken] == [(1, None)] * len(
            HONEST
        )
        assert server.lead(lambda session: session.status().actions) == len(HONEST)
    assert graded_documents(project) == 1 + len(HONEST)


def test_an_action_refused_by_the_database_is_refused_to_its_sender_only(
    project: Path, scale: str, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers may accept a client id at the same time, which only the database detects."""
    client = earlier_client(project, scale)
    monkeypatch.setattr(DatabaseStore, "has_client_elsewhere", lambda _store, _client: False)
    with run_server(project, SessionOptions()) as server:
        first, mallory, *honest = make_active_people(server, scale, ("Ann", "Mallory", *HONEST))
        mallory.client = mallory.outbox[0]["client"] = client
        taken, error, *others = run_in_one_batch(
            server, [pending_sync(person) for person in (first, mallory, *honest)]
        )
        assert isinstance(error, Conflict)
        assert [answer.acknowledged for answer in (taken, *others)] == [1] * 4
        status = {
            seat.name: (seat.judged, seat.held)
            for seat in server.lead(lambda session: session.status()).participants
        }
        assert status["Mallory"] == (0, 1) and status["Ann"] == status["Dan"] == (1, 0)
        mallory.client = mallory.outbox[0]["client"] = secrets.token_hex(16)
        assert mallory.sync(want=0)["acknowledged"] == 1
    assert graded_documents(project) == 2 + 1 + len(HONEST)


@pytest.mark.slow
@pytest.mark.usefixtures("store")
def test_an_internal_error_in_one_job_reverts_its_changes_and_no_others(
    project: Path, scale: str
) -> None:
    with run_server(project) as server:
        people = make_active_people(server, scale, HONEST)

        def fail(session: SharedSession) -> None:
            session.join("Eva")
            session.set_state("paused")
            raise ZeroDivisionError

        first, error, *others = run_in_one_batch(
            server, [pending_sync(people[0]), fail, *map(pending_sync, people[1:])]
        )
        assert isinstance(error, CommitFailed)
        assert [answer.acknowledged for answer in (first, *others)] == [1] * 3
        assert server.lead(lambda session: session.state) == "open"
        assert [
            seat.name for seat in server.lead(lambda session: session.status()).participants
        ] == list(HONEST)
    with open_project(pull(project), writing=False) as opened:
        assert [person.name for person in opened.sessions.participants()] == list(
            HONEST
        ) and opened.verify().problems == ()
    assert graded_documents(project) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("store")
def test_a_refusal_leaves_everything_unchanged(project: Path, scale: str) -> None:
    with run_server(project) as server:
        people = make_active_people(server, scale, HONEST)
        before = server.lead(lambda session: session)
        *taken, refused = run_in_one_batch(
            server, [*map(pending_sync, people), lambda session: session.find_participant("Nobody")]
        )
        assert (
            isinstance(refused, IrjudgeError)
            and [answer.acknowledged for answer in taken] == [1] * 3
        )
        assert server.lead(lambda session: session) is before, (
            "it is not computed again for a refusal"
        )
