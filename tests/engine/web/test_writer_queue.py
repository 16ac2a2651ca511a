"""What waits for the writer: nobody stands often, nobody waits long, and what nobody waits for is not done."""

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
from tests.engine.web.browsing import Person, ask, serving


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path)
    return path


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    with serving(project) as started:
        yield started


def job(who: str = "") -> WriterJob:
    return WriterJob(lambda _: None, Future(), who)


def test_jobs_come_in_order_and_as_many_at_once_as_a_commit_serves() -> None:
    line = WriterQueue()
    made = [job(str(number)) for number in range(MAX_BATCH + 3)]
    for each in made:
        line.put(each)
    assert line.take() == made[:MAX_BATCH] and line.take() == made[MAX_BATCH:]
    line.close()
    assert line.take() == []
    with pytest.raises(CommitFailed):
        line.put(job())


def test_one_person_stands_in_the_line_some_times_and_who_leads_always_may() -> None:
    line = WriterQueue()
    for _ in range(MAX_QUEUED_PER_PARTICIPANT):
        line.put(job("ann"))
    with pytest.raises(ServerBusy):
        line.put(job("ann"))
    line.put(job("bob"))
    for _ in range(100):
        line.put(job())
    line.take()
    line.take()
    line.put(job("ann"))


def test_the_line_has_an_end() -> None:
    line = WriterQueue()
    for number in range(MAX_QUEUED):
        line.put(job(str(number)))
    with pytest.raises(ServerBusy):
        line.put(job("one more"))
    line.put(job())


def test_who_would_wait_too_long_is_told_so_at_once() -> None:
    now = [0.0]
    line = WriterQueue(lambda: now[0])
    line.put(job("a"))
    line.take()
    now[0] = MAX_EXPECTED_WAIT + 0.1  # the commit does not end
    with pytest.raises(ServerBusy) as told:
        line.put(job("b"))
    assert told.value.seconds >= 2
    line.put(job())
    line.take()  # it has: two seconds are what one takes, then
    now[0] += MAX_EXPECTED_WAIT
    for each in range(MAX_BATCH):
        line.put(job()) if each else None
    with pytest.raises(ServerBusy):
        line.put(job("c"))


def test_quick_commits_let_many_wait() -> None:
    now = [0.0]
    line = WriterQueue(lambda: now[0])
    for number in range(50):
        line.put(job(str(number)))
        line.take()
        now[0] += 0.02
    for number in range(1000):
        line.put(job(str(number)))


def test_what_nobody_waits_for_is_not_done() -> None:
    line = WriterQueue()
    gone, there = job("ann"), job("bob")
    line.put(gone)
    line.put(there)
    gone.answer.cancel()
    assert line.take() == [there]
    for _ in range(MAX_QUEUED_PER_PARTICIPANT):
        line.put(job("ann"))


def test_what_waited_too_long_because_commits_became_slow_is_sent_away() -> None:
    now = [0.0]
    line = WriterQueue(lambda: now[0])
    late, leads = job("ann"), job()
    line.put(late)
    line.put(leads)
    now[0] = MAX_WAIT + 0.1
    fresh = job("bob")
    line.put(fresh)
    assert line.take() == [leads, fresh]
    with pytest.raises(ServerBusy):
        late.answer.result(0)


# Over HTTP


@pytest.mark.slow
def test_what_a_client_that_has_gone_asked_for_is_not_done(server: Server, project: Path) -> None:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    ann = Person(server, "Ann")
    ann.sync()
    ann.grade(0, 1, scale)
    begun, go_on = Event(), Event()
    blocked = server.writer.do(lambda _session: (begun.set(), go_on.wait(20)))
    assert begun.wait(20)
    going = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    said = {"protocol": 1, "client": ann.client, "actions": ann.outbox}
    going.request(
        "POST",
        "/sync",
        json.dumps(said),
        {"Origin": f"http://127.0.0.1:{server.port}", "Authorization": f"Bearer {ann.token}"},
    )
    for _ in range(5):
        ask(server.port, "/hello")  # it waits by now
    going.close()
    for _ in range(5):
        ask(server.port, "/hello")  # that it has gone is known by now
    go_on.set()
    assert blocked.result(20)
    assert server.lead(lambda session: session.status()).actions == 0
    assert ann.sync()["acknowledged"] == 1, "the page has kept it, and sends it again"


@pytest.mark.slow
def test_a_server_that_cannot_keep_up_says_so_at_once_and_when_to_come_again(
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


def test_who_makes_the_writer_work_too_much_waits_and_others_do_not(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving_module, "WORK_BURST", 0.0)
    monkeypatch.setattr(serving_module, "WORK_RATE", 1e-6)
    with serving(project) as server:
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


def test_one_page_of_a_person_opens_at_a_time(server: Server) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    begun, go_on = Event(), Event()
    blocked = server.writer.do(lambda _session: (begun.set(), go_on.wait(20)))
    assert begun.wait(20)
    headers = {"Origin": f"http://127.0.0.1:{server.port}", "Authorization": f"Bearer {ann.token}"}
    opening = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    opening.request("POST", "/welcome", '{"protocol":1}', headers)
    for _ in range(5):
        ask(server.port, "/hello")
    assert ann.try_call("/welcome", {}).status == 503
    go_on.set()
    assert blocked.result(20) and opening.getresponse().status == 200
    assert [person.try_call("/welcome", {}).status for person in (ann, bob)] == [200, 200]
    opening.close()
