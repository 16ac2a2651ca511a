"""Tests of the writer's queue: fair per client, bounded waiting, and no abandoned work."""

import http.client
import json
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Event

import pytest

from irjudge.errors import CommitFailed
from irjudge.store import open_project
from irjudge.web import Server
from irjudge.web import server as serving_module
from irjudge.web import writer as writer_queue
from irjudge.web.connections import ServerBusy
from irjudge.web.writer import (
    MAX_BATCH,
    MAX_EXPECTED_WAIT,
    MAX_QUEUED,
    MAX_QUEUED_PER_PARTICIPANT,
    MAX_WAIT,
    WriterJob,
    WriterQueue,
)
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server, send_request


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path)
    return path


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    with run_server(project) as started:
        yield started


def make_job(who: str = "") -> WriterJob:
    return WriterJob(lambda _: None, Future(), who)


def test_jobs_are_taken_in_order_and_as_many_at_once_as_a_commit_writes() -> None:
    line = WriterQueue()
    made = [make_job(str(number)) for number in range(MAX_BATCH + 3)]
    for each in made:
        line.put(each)
    assert line.take() == made[:MAX_BATCH] and line.take() == made[MAX_BATCH:]
    line.close()
    assert line.take() == []
    with pytest.raises(CommitFailed):
        line.put(make_job())


def test_the_jobs_of_one_participant_are_limited_and_those_of_the_host_are_not() -> None:
    line = WriterQueue()
    for _ in range(MAX_QUEUED_PER_PARTICIPANT):
        line.put(make_job("ann"))
    with pytest.raises(ServerBusy):
        line.put(make_job("ann"))
    line.put(make_job("bob"))
    for _ in range(100):
        line.put(make_job())
    line.take()
    line.take()
    line.put(make_job("ann"))


def test_the_queue_has_a_maximum_length() -> None:
    line = WriterQueue()
    for number in range(MAX_QUEUED):
        line.put(make_job(str(number)))
    with pytest.raises(ServerBusy):
        line.put(make_job("one more"))
    line.put(make_job())


def test_a_job_that_would_wait_too_long_is_refused_at_once() -> None:
    now = [0.0]
    line = WriterQueue(lambda: now[0])
    line.put(make_job("a"))
    line.take()
    now[0] = MAX_EXPECTED_WAIT + 0.1  # the commit does not end
    with pytest.raises(ServerBusy) as error:
        line.put(make_job("b"))
    assert error.value.seconds >= 2
    line.put(make_job())
    line.take()  # it has ended: two seconds are the time of a commit from here on
    now[0] += MAX_EXPECTED_WAIT
    for each in range(MAX_BATCH):
        line.put(make_job()) if each else None
    with pytest.raises(ServerBusy):
        line.put(make_job("c"))


def test_fast_commits_allow_a_long_queue() -> None:
    now = [0.0]
    line = WriterQueue(lambda: now[0])
    for number in range(50):
        line.put(make_job(str(number)))
        line.take()
        now[0] += 0.02
    for number in range(1000):
        line.put(make_job(str(number)))


def test_abandoned_jobs_are_not_done() -> None:
    line = WriterQueue()
    gone, there = make_job("ann"), make_job("bob")
    line.put(gone)
    line.put(there)
    gone.future.cancel()
    assert line.take() == [there]
    for _ in range(MAX_QUEUED_PER_PARTICIPANT):
        line.put(make_job("ann"))


def test_jobs_that_waited_too_long_because_commits_became_slow_are_refused() -> None:
    now = [0.0]
    line = WriterQueue(lambda: now[0])
    late, leads = make_job("ann"), make_job()
    line.put(late)
    line.put(leads)
    now[0] = MAX_WAIT + 0.1
    fresh = make_job("bob")
    line.put(fresh)
    assert line.take() == [leads, fresh]
    with pytest.raises(ServerBusy):
        late.future.result(0)


# Over HTTP


@pytest.mark.slow
def test_requests_of_a_disconnected_client_are_not_done(server: Server, project: Path) -> None:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    ann = Person(server, "Ann")
    ann.sync()
    ann.grade(0, 1, scale)
    begun, go_on = Event(), Event()
    blocked = server.writer.do(lambda _session: (begun.set(), go_on.wait(20)))
    assert begun.wait(20)
    going = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    body = {"protocol": 1, "client": ann.client, "actions": ann.outbox}
    going.request(
        "POST",
        "/sync",
        json.dumps(body),
        {"Origin": f"http://127.0.0.1:{server.port}", "Authorization": f"Bearer {ann.token}"},
    )
    for _ in range(5):
        send_request(server.port, "/hello")  # it is in the queue by now
    going.close()
    for _ in range(5):
        send_request(server.port, "/hello")  # the disconnection is known by now
    go_on.set()
    assert blocked.result(20)
    assert server.lead(lambda session: session.status()).actions == 0
    assert ann.sync()["acknowledged"] == 1, "the page has kept it, and sends it again"


@pytest.mark.slow
def test_an_overloaded_server_refuses_at_once_with_a_time_to_retry(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Person(server, "Ann")
    monkeypatch.setattr(writer_queue, "MAX_EXPECTED_WAIT", -1.0)
    answer = ann.try_call("/sync", {"client": ann.client, "want": 3})
    assert (
        answer.status == 503
        and answer.json["kind"] == "busy"
        and int(answer.headers["retry-after"]) >= 1
    )
    assert server.lead(lambda session: session.status()).participants, "who leads is always heard"
    monkeypatch.undo()
    assert ann.sync()["items"]


def test_a_participant_who_loads_the_writer_waits_and_others_do_not(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving_module, "WORK_BURST", 0.0)
    monkeypatch.setattr(serving_module, "WORK_RATE", 1e-6)
    with run_server(project) as server:
        people = [
            Person(server, "Ann", source="127.0.0.2"),
            Person(server, "Bob", source="127.0.0.3"),
        ]
        assert people[0].sync()["items"]
        answer = people[0].try_call("/sync", {"want": 3})
        assert (
            answer.status == 503
            and answer.json["kind"] == "busy"
            and int(answer.headers["retry-after"]) > 10
        )
        assert people[1].sync()["items"]


def test_pages_of_a_participant_are_opened_one_at_a_time(server: Server) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    begun, go_on = Event(), Event()
    blocked = server.writer.do(lambda _session: (begun.set(), go_on.wait(20)))
    assert begun.wait(20)
    headers = {"Origin": f"http://127.0.0.1:{server.port}", "Authorization": f"Bearer {ann.token}"}
    opening = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    opening.request("POST", "/welcome", '{"protocol":1}', headers)
    for _ in range(5):
        send_request(server.port, "/hello")
    assert ann.try_call("/welcome", {}).status == 503
    go_on.set()
    assert blocked.result(20) and opening.getresponse().status == 200
    assert [person.try_call("/welcome", {}).status for person in (ann, bob)] == [200, 200]
    opening.close()
