"""Tests of a session over HTTP: durable acknowledgements, overlap, and resistance to attacks."""

import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.judging import get_ledger, project_labels
from irjudge.model import Document, Scale, Topic, make_qrels, make_run
from irjudge.store import ENDED, PAUSED, create_project, open_project
from irjudge.store.connection import Connection
from irjudge.web import (
    SchedulingOptions,
    Server,
    ServerAddress,
    SessionOptions,
    connections,
    session_state,
)
from irjudge.web import connections as quotas
from irjudge.web import server as serving_module
from irjudge.web.connections import MAX_INVALID_CODES
from irjudge.web.postgres_connection import DatabaseConnection
from irjudge.web.server import MAX_ANONYMOUS_BODY_BYTES, MAX_BODY_BYTES
from irjudge.web.session import NO_TARGET, NUMBER_GAP, NUMBER_TAKEN, UNASSIGNED_ITEM_MESSAGE
from tests.engine.exchange.classroom import build_class
from tests.engine.web import session_client
from tests.engine.web.fork_server import ForkedProcess, fork_server
from tests.engine.web.session_client import Person, make_server, pull, run_server, send_request
from tests.lengths import short_or_long
from tests.pools import depth_pool

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path)
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    with run_server(project) as started:
        yield started


def read_events(path: Path) -> list[Any]:
    with open_project(pull(path), writing=False) as opened:
        return list(opened.events.read())


def read_names(path: Path) -> set[tuple[str, int]]:
    return {(event.client, event.number) for event in read_events(path)}


# Participants


@pytest.mark.slow
def test_two_participants_judge_and_acknowledged_judgments_are_in_the_project(
    project: Path, scale: str
) -> None:
    with run_server(project) as server:
        people = [Person(server, "Ann"), Person(server, "Bob")]
        done = 0
        while any(person.sync()["items"] or person.open_items() for person in people):
            for person in people:
                for index in person.open_items():
                    person.grade(index, done % 4, scale)
                    done += 1
        assert server.lead(lambda session: session.scheduler.is_done)
    assert done == 72 and read_names(project) == {
        (each["client"], each["number"]) for person in people for each in person.saved
    }
    with open_project(project, writing=False) as opened:
        assert opened.verify().problems == ()
        labels = project_labels(opened)
        assert len(labels) == 72 and len(labels.items) == 36
        assert all(name.startswith("p-") for name in labels.workers)
        assert {person.name for person in opened.sessions.participants()} == {"Ann", "Bob"}


def test_an_event_has_the_times_of_both_clocks_and_an_opaque_participant_id(
    server: Server, project: Path, scale: str
) -> None:
    ann = Person(server, "Ann")
    ann.sync()
    ann.grade(0, 2, scale)
    ann.sync()
    (event,) = read_events(project)
    assert (
        event.version == 2
        and event.payload["page_time"] == "2026-03-01T10:00:00.000Z" != event.time
    )
    assert b"Ann" not in event.canonical_bytes and event.assessor.startswith("p-")


def test_sending_twice_changes_nothing(server: Server, project: Path, scale: str) -> None:
    ann = Person(server, "Ann")
    ann.sync()
    action = ann.grade(0, 2, scale)
    assert ann.sync()["acknowledged"] == 1
    ann.outbox.append(action)
    assert ann.sync()["acknowledged"] == 1 and len(read_events(project)) == 1


def test_undo_reopens_an_item_and_a_reopened_page_has_the_state(server: Server, scale: str) -> None:
    ann = Person(server, "Ann")
    ann.sync()
    ann.undo(ann.grade(0, 2, scale))
    ann.grade(1, 3, scale)
    ann.sync()
    assert server.lead(lambda session: session.status().participants[0].judged) == 1
    sent = ann.saved
    welcome = ann.call("/welcome", {})
    assert welcome["actions"] == sent and welcome["task"]["assessor"] == "Ann"
    ann.open()
    ann.sync()
    assert {0, 1, 2} <= set(ann.items)


def judge_all(person: Person, scale: str) -> list[dict[str, Any]]:
    """Judge all items that a participant gets; return the actions."""
    actions = []
    while person.sync()["items"] or person.needs or person.open_items():
        actions += [person.grade(index, 0, scale) for index in person.open_items()]
    return actions


def test_a_reopened_page_gets_the_released_items_that_are_assigned_to_it_again(
    project: Path, scale: str
) -> None:
    with run_server(project, SessionOptions(SchedulingOptions(overlap=1))) as server:
        ann = Person(server, "Ann")
        ann.sync()
        server.ask("release", person="Ann")
        ann.open()
        judge_all(ann, scale)
        status = server.lead(lambda session: session.status())
        judged, wanted = status.judgment_counts
        assert judged == wanted and ann.sync()["done"]


def test_a_reopened_page_gets_an_old_item_whose_judgment_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_state, "MAX_RESENT", 1)
    project = tmp_path / "small.irjudge"
    build_class(project, topics=("051",), documents=4)
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    with run_server(project, SessionOptions(SchedulingOptions(overlap=1))) as server:
        ann = Person(server, "Ann")
        first, *_ = judge_all(ann, scale)
        ann.open()
        ann.sync()
        assert list(ann.items) == [3]
        ann.undo(first)
        assert not ann.sync()["items"] and ann.needs == [0]
        assert [item["place"] for item in ann.sync()["items"]] == [0]
        assert ann.items[0] == first["item"] and ann.sync()["items"] == []


def test_the_host_pauses_ends_and_excludes(server: Server, project: Path, scale: str) -> None:
    ann = Person(server, "Ann")
    server.lead(lambda session: session.set_state(PAUSED))
    assert ann.sync()["state"] == "paused" and not ann.items
    server.lead(lambda session: session.set_state("open"))
    ann.sync()
    ann.grade(0, 2, scale)
    ann.sync()
    server.lead(lambda session: session.exclude_participant(session.find_participant("ann")))
    with open_project(pull(project), writing=False) as opened:
        assert opened.assignments.registered_assessors()[0].exclusion_reason is not None
    server.lead(lambda session: session.set_state(ENDED))
    ann.grade(1, 1, scale)
    assert ann.sync()["acknowledged"] == 2  # actions under way are accepted
    assert (
        send_request(
            server.port, "/join", {"protocol": 1, "code": server.code, "name": "Eva"}
        ).json["kind"]
        == "ended"
    )


@pytest.mark.slow
def test_late_judgments_are_listed_do_not_count_and_can_be_accepted(
    project: Path, scale: str
) -> None:
    with run_server(project, SessionOptions(SchedulingOptions(overlap=1), topics=("9",))) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        ann.sync(want=1)
        server.lead(lambda session: session.release(session.find_participant("Ann")))
        while bob.sync()["items"] or bob.open_items():
            for index in bob.open_items():
                bob.grade(index, 1, scale)
        ann.grade(0, 3, scale)
        pair = (ann.items[0]["topic"], ann.items[0]["documents"][0])
        assert ann.sync()["acknowledged"] == 1
        assert [late for _, late in server.lead(lambda session: session.status().late)] == [pair]
    with open_project(project, writing=False) as opened:
        assert len(project_labels(opened)) == 12
    with run_server(project) as server:
        assert [late for _, late in server.lead(lambda session: session.status().late)] == [pair]
        assert server.lead(
            lambda session: session.accept_late(session.find_participant("Ann"), pair)
        )
    with open_project(project, writing=False) as opened:
        assert len(project_labels(opened)) == 13


@pytest.mark.slow
def test_an_undone_late_judgment_is_no_longer_listed_and_cannot_be_accepted(
    project: Path, scale: str
) -> None:
    with run_server(project, SessionOptions(SchedulingOptions(overlap=1), topics=("9",))) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        ann.sync(want=1)
        server.lead(lambda session: session.release(session.find_participant("Ann")))
        while bob.sync()["items"] or bob.open_items():
            for index in bob.open_items():
                bob.grade(index, 1, scale)
        late = ann.grade(0, 3, scale)
        ann.sync()
        ((_, pair),) = server.lead(lambda session: session.status().late)
        server.lead(lambda session: session.exclude_participant(session.find_participant("Bob")))
        ann.undo(late)
        ann.sync(want=0)
        assert not server.lead(lambda session: session.status().late)
        assert not server.lead(
            lambda session: session.accept_late(session.find_participant("Ann"), pair)
        ), "there is nothing to count"
        assert server.lead(lambda session: session.scheduler.progress()) == {"9": (0, 12)}
        cleo = Person(server, "Cleo")
        while cleo.sync()["items"] or cleo.open_items():
            for index in cleo.open_items():
                cleo.grade(index, 2, scale)
        assert server.lead(lambda session: session.scheduler.progress()) == {"9": (12, 12)}
        assert 0 not in ann.items, "the page no longer shows the document"
        ann.act("grade", late["item"], {"value": 2, "scale": scale, "active_ms": 1200})
        ann.sync(want=0)
        assert [each for _, each in server.lead(lambda session: session.status().late)] == [pair], (
            "said again, it is late again"
        )


@pytest.mark.slow
def test_connections_without_a_request_are_closed_and_others_kept(
    server: Server, scale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADER_TIMEOUT", 0.6)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/hello")
    assert connection.getresponse().read()
    silent = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(50)]
    dripping = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    begun = time.monotonic()
    dripping.sendall(b"GET /hello HTTP/1.1\r\n")
    with pytest.raises(OSError):
        while time.monotonic() - begun < 8:
            time.sleep(0.1)
            dripping.sendall(b"X: y\r\n")
    assert [each.recv(1) for each in silent] == [b""] * 50
    connection.request("GET", "/hello")
    assert connection.getresponse().status == 200, "between two requests it may rest longer"
    ann = Person(server, "Ann")
    ann.sync()
    ann.grade(0, 1, scale)
    assert ann.sync()["acknowledged"] == 1
    for each in (*silent, dripping, connection):
        each.close()


def test_an_error_for_one_participant_does_not_affect_the_others(
    server: Server, project: Path, scale: str
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    blocked = server.writer.do(lambda _session: (begun.set(), go_on.wait(10)))
    assert begun.wait(10)
    ann = server.writer.do(lambda session: session.join("Ann"))
    broken = server.writer.do(lambda session: (session.join("Nobody"), 1 // 0))
    bob = server.writer.do(lambda session: session.join("Bob"))
    go_on.set()  # all three wait now, and are written together
    assert ann.result(10)[0] != bob.result(10)[0] and blocked.result(10)
    with pytest.raises(CommitFailed, match="Not saved"):
        broken.result(10)
    assert {seat.name for seat in server.lead(lambda session: session.status()).participants} == {
        "Ann",
        "Bob",
    }


@pytest.mark.slow
def test_a_participant_with_a_second_device_gets_no_item_judged_on_the_first(
    project: Path, scale: str
) -> None:
    options = SessionOptions(SchedulingOptions(overlap=2), topics=("9",))
    with run_server(project, options) as server:
        ann, phone, bob = (Person(server, name) for name in ("Ann", "Phone", "Bob"))
        while ann.sync()["items"] or ann.open_items():
            for index in ann.open_items():
                ann.grade(index, 1, scale)
        phone.sync(want=3)
        on_screen = phone.open_items()
        assert len(on_screen) == 3
        phone.grade(on_screen[0], 2, scale)  # sent before the two are merged
        server.lead(
            lambda session: session.set_first_id(
                session.find_participant("Phone"), session.find_participant("Ann")
            )
        )
        answer = phone.sync(want=3)
        assert (
            answer["refused"] is None
            and set(on_screen[1:]) <= set(answer["lost"])
            and not phone.open_items()
        )
        assert answer["items"] == [], "she has judged all there is"
        assert server.lead(lambda session: session.scheduler.progress()) == {"9": (12, 24)}
        while bob.sync()["items"] or bob.open_items():
            for index in bob.open_items():
                bob.grade(index, 3, scale)
        assert server.lead(lambda session: session.scheduler.is_done)
    with run_server(project, options) as server:
        status = server.lead(lambda session: session.status())
        assert [(seat.name, seat.same, seat.held) for seat in status.participants] == [
            ("Ann", "Phone", 0),
            ("Bob", "", 0),
        ]
        assert server.lead(lambda session: session.scheduler.progress()) == {"9": (24, 24)}
    with open_project(project, writing=False) as opened:
        ids = {person.name: person.id for person in opened.sessions.participants()}
        assert opened.sessions.first_ids() == {ids["Phone"]: ids["Ann"]}
        labels = project_labels(opened)
        assert (
            Counter(labels.item.tolist()) == dict.fromkeys(range(12), 2)
            and opened.verify().problems == ()
        )


def displayed_documents(person: Person) -> set[str]:
    return {person.items[index]["documents"][0] for index in person.open_items()}


def test_items_held_by_two_devices_of_one_participant_are_held_once(project: Path) -> None:
    with run_server(project, SessionOptions(SchedulingOptions(overlap=3), topics=("9",))) as server:
        ann, bob, phone = (Person(server, name) for name in ("Ann", "Bob", "Phone"))
        for person in (ann, bob, phone):
            person.sync(want=5)  # 15 of 12 documents: the first ones are assigned a second time
        both = displayed_documents(ann) & displayed_documents(phone)
        every = displayed_documents(ann) | displayed_documents(phone)
        assert both
        server.lead(
            lambda session: session.set_first_id(
                session.find_participant("Phone"), session.find_participant("Ann")
            )
        )
        for person in (ann, phone):
            person.sync(want=0)
        assert (
            not displayed_documents(ann) & displayed_documents(phone)
            and displayed_documents(ann) | displayed_documents(phone) == every
        )


def test_a_participant_who_lost_a_device_gets_a_new_token_and_the_old_one_is_revoked(
    server: Server,
) -> None:
    ann = Person(server, "Ann")
    token = server.lead(lambda session: session.renew_token(session.find_participant("Ann")))
    assert ann.try_call("/sync", {}).status == 401
    ann.token = token
    assert ann.try_call("/sync", {}).status == 200


def test_a_server_that_cannot_listen_stores_no_session(project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = ServerAddress("127.0.0.1", other.getsockname()[1])
        server = make_server(project, SessionOptions(), address=address)
        with pytest.raises(IrjudgeError) as error:
            server.start()
    assert error.value.values["host"] == "127.0.0.1"
    with open_project(project, writing=False) as opened_project:
        assert not opened_project.sessions.all() and not opened_project.assignments.all()


def test_only_listed_names_can_join(project: Path) -> None:
    with run_server(project, SessionOptions(join="names", names=("Ann", "Bob"))) as server:
        assert Person(server, " ann ").sync()["items"]
        for name, kind in (
            ("Eva", "taken"),
            ("ANN", "taken"),
            ("", "name"),
            ("A" * 81, "name"),
            ("a\x00b", "name"),
        ):
            assert post_join(server, name=name).json["kind"] == kind


def test_personal_links_admit_without_a_code(project: Path) -> None:
    with run_server(project, SessionOptions(join="links", names=("Ann", "Bob"))) as server:
        assert (
            send_request(
                server.port, "/join", {"protocol": 1, "code": server.code, "name": "Ann"}
            ).json["kind"]
            == "links"
        )
        ann = Person.__new__(Person)
        ann.port = server.port
        ann.token = server.lead(
            lambda session: session.renew_token(session.find_participant("Ann"))
        )
        ann.open()
        assert ann.sync()["items"] and ann.call("/welcome", {})["task"]["assessor"] == "Ann"


# Attacks


def post_join(server: Server, **data: object) -> Any:
    return send_request(
        server.port, "/join", {"protocol": 1, "code": server.code, "name": "Ann", **data}
    )


def test_a_wrong_code_is_always_refused_and_the_right_one_accepted_at_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "INVALID_CODE_DELAY", 20.0)
    for _ in range(MAX_INVALID_CODES):
        assert post_join(server, code="AAAA AAAA").status == 403
    with (
        ThreadPoolExecutor(1) as guesser,
        socket.create_connection(("127.0.0.1", server.port)) as waiting,
    ):
        body = json.dumps({"protocol": 1, "code": "AAAA AAAA", "name": "Eva"})
        host = f"127.0.0.1:{server.port}"
        head = f"POST /join HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {len(body)}"
        waiting.sendall(f"{head}\r\n\r\n{body}".encode())
        assert guesser.submit(post_join, server).result(10).status == 200, (
            "who has the right code does not wait with the guesser"
        )


@pytest.mark.slow
def test_a_foreign_token_gives_no_access(server: Server) -> None:
    ann = Person(server, "Ann")
    for token in ("", "x", "0" * 22, "Ann"):
        ann.token = token
        for path in ("/sync", "/welcome"):
            assert ann.try_call(path, {}).status == 401, (token, path)


def test_no_participant_can_write_into_anothers_log(
    server: Server, project: Path, scale: str
) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    ann.sync()
    bob.sync()
    other = next(item for item in ann.items.values() if item not in bob.items.values())
    bob.act("grade", other, {"value": 1, "scale": scale})
    assert bob.sync()["refused"]["problem"] == UNASSIGNED_ITEM_MESSAGE
    bob.outbox.clear()
    ann.grade(0, 1, scale)
    ann.sync()
    bob.client, bob.number = ann.client, 1  # one of her clients
    bob.act("grade", next(iter(bob.items.values())), {"value": 1, "scale": scale})
    assert bob.sync()["refused"]["problem"] == NUMBER_TAKEN
    bob.outbox = [
        {
            **ann.saved[0],
            "kind": "undo",
            "payload": {},
            "number": 1,
            "client": "0" * 32,
            "target": {"client": ann.client, "number": 1},
        }
    ]
    assert bob.sync()["refused"]["problem"] == NO_TARGET
    assert len(read_events(project)) == 1


@pytest.mark.slow
def test_a_refused_client_id_does_not_block_its_owner(
    server: Server, project: Path, scale: str
) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    ann.sync()
    bob.sync()
    bob.client = ann.client  # with which she has sent nothing yet
    bob.act(
        "grade",
        next(item for item in ann.items.values() if item not in bob.items.values()),
        {"value": 1, "scale": scale},
    )
    assert bob.sync()["refused"] is not None
    ann.grade(0, 1, scale)
    assert ann.sync()["refused"] is None and [event.client for event in read_events(project)] == [
        ann.client
    ]


def test_different_fields_with_a_known_number_are_refused(
    server: Server, project: Path, scale: str
) -> None:
    ann = Person(server, "Ann")
    ann.sync()
    action = ann.grade(0, 2, scale)
    ann.sync()
    ann.outbox = [{**action, "payload": {**action["payload"], "value": 3}}]
    assert ann.sync()["refused"] == {
        "number": 1,
        "problem": NUMBER_TAKEN,
    }
    ann.outbox = [{**action, "number": 5}]
    assert ann.sync()["refused"]["problem"] == NUMBER_GAP
    assert [event.payload["value"] for event in read_events(project)] == [2]


BROKEN: list[dict[str, Any]] = [
    {"payload": {"value": 9, "scale": "x"}},
    {"payload": {"value": "2"}},
    {"payload": {"value": 2, "scale": "SCALE", "page_time": "2026"}},
    {"payload": {"value": 2, "scale": "SCALE", "active_ms": 10**12}},
    {"payload": [[]]},
    {"kind": "adjudicate", "payload": {"value": 2}},
    {"kind": "erase", "payload": {}},
    {"time": "yesterday"},
    {"time": "2026-13-45T99:99:99.000Z"},
    {"client": "A" * 32},
    {"client": "0" * 31},
    {"number": 0},
    {"number": True},
    {"number": 1e3},
    {"item": {}},
    {"item": None},
    {"target": {"client": "0" * 32, "number": 1}},
    {"more": 1},
]


@pytest.mark.slow
def test_an_invalid_action_is_refused_and_the_next_accepted(
    server: Server, project: Path, scale: str
) -> None:
    ann = Person(server, "Ann")
    for count, change in enumerate(BROKEN, 1):
        ann.open()
        ann.sync()
        sound = ann.grade(0, count % 4, scale)
        ann.outbox = [json.loads(json.dumps({**sound, **change}).replace("SCALE", scale))]
        answer = ann.try_call("/sync", {"client": ann.client, "actions": ann.outbox})
        assert answer.status == 200 and answer.json["refused"] is not None, change
        ann.outbox = [sound]
        assert ann.sync()["refused"] is None and len(read_events(project)) == count, change


@pytest.mark.slow
def test_an_edited_text_is_not_judged_under_the_hash_of_the_original(
    server: Server, scale: str
) -> None:
    ann = Person(server, "Ann")
    ann.sync()
    action = ann.grade(0, 2, scale)
    ann.outbox = [{**action, "item": {**action["item"], "contents": ["0" * 64]}}]
    assert ann.sync()["refused"] is not None


def test_a_malformed_request_does_no_harm(server: Server) -> None:
    ann = Person(server, "Ann")
    for body in (
        b"",
        b"[]",
        b"{",
        b"null",
        b"[" * 100_000,
        b'{"protocol": NaN',
        b"\xff\xfe",
        b'{"protocol": 1, "actions": 7}',
        b'{"protocol": 1, "needs": 7}',
        b'{"protocol": 1, "needs": ["0"]}',
        b'{"protocol": 1, "needs": [-1]}',
        b'{"protocol": 1, "needs": [2305843009213693951]}',
    ):
        ann.open()
        assert send_request(
            server.port, "/sync", body=body, headers={"Authorization": f"Bearer {ann.token}"}
        ).status in (400, 409), body
        assert ann.sync()["items"], body


def test_an_outdated_page_gets_a_request_to_reload(server: Server) -> None:
    answer = send_request(server.port, "/sync", {"protocol": 0})
    assert answer.status == 409 and answer.json["kind"] == "protocol"


@pytest.mark.slow
def test_a_huge_body_is_refused(server: Server) -> None:
    assert send_request(server.port, "/join", body=b" " * (MAX_BODY_BYTES + 1)).status == 413
    assert (
        send_request(server.port, "/sync", body=b"[" * (MAX_ANONYMOUS_BODY_BYTES + 1)).status == 413
    )
    assert Person(server, "Ann").sync()["items"]


@pytest.mark.slow
def test_slow_bodies_block_no_other_request(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving_module, "BODY_TIMEOUT", 0.3)
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(50)]
    head = f"POST /join HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: http://127.0.0.1:{server.port}\r\nContent-Length: 99\r\n\r\n{{"
    for each in slow:
        each.sendall(head.encode())
    assert Person(server, "Ann").sync()["items"]
    for each in slow:
        assert each.recv(12) == b"HTTP/1.1 413"
        each.close()


@pytest.mark.slow
def test_cross_site_requests_and_rebound_host_names_are_refused(server: Server) -> None:
    body = {"protocol": 1, "code": server.code, "name": "Ann"}
    for host in ("evil.example", "127.0.0.1", ""):
        for path, data in (("/join", body), ("/", None)):
            answer = send_request(server.port, path, data, headers={"Host": host})
            assert answer.status in (400, 403), (host, path)
    for origin in (
        "",
        "null",
        "http://evil.example",
        "http://127.0.0.1",
        f"https://127.0.0.1:{server.port}",
    ):
        answer = send_request(server.port, "/join", body, headers={"Origin": origin})
        assert answer.status in (400, 403), origin


def test_no_path_gives_access_to_a_file(server: Server) -> None:
    paths = (
        "/../class.irjudge",
        "/%2e%2e/class.irjudge",
        "//etc/passwd",
        "/class.irjudge",
        "/sync/../../x",
        "/docs",
        "/.env",
    )
    assert {path: send_request(server.port, path).status for path in paths} == dict.fromkeys(
        paths, 404
    )


@pytest.mark.slow
def test_markup_in_a_name_and_a_note_is_text(server: Server, project: Path) -> None:
    markup = "<img src=x onerror=alert(1)></script>"
    ann = Person(server, markup)
    ann.sync()
    ann.act("note", ann.items[0], {"text": markup})
    ann.sync()
    welcome = ann.try_call("/welcome", {})
    assert (
        welcome.json["task"]["assessor"] == markup
        and welcome.headers["content-type"] == "application/json"
    )
    assert markup.encode() not in send_request(server.port, "/").body


def test_two_windows_of_one_participant_form_one_chain(
    server: Server, project: Path, scale: str
) -> None:
    ann = Person(server, "Ann")
    ann.sync()
    other = Person.__new__(Person)
    other.port, other.token = ann.port, ann.token
    other.open()
    other.sync()
    for position, window in ((0, ann), (1, other), (2, ann), (0, other)):
        window.grade(position, position, scale)
        assert window.sync()["refused"] is None
    log = read_events(project)
    assert [event.parent for event in log] == [None, *(event.digest for event in log[:-1])]


def test_a_clock_that_jumps_ends_no_lease(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Person(server, "Ann")
    ann.sync()
    monkeypatch.setattr(time, "time", lambda: 4e9)
    bob = Person(server, "Bob")
    bob.sync()
    assert ann.sync()["lost"] == []


@pytest.mark.slow
def test_no_sent_byte_depends_on_gold_runs_ranks_or_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = []
    for index, changed in enumerate((False, True)):
        path = tmp_path / f"{index}" / "class.irjudge"
        path.parent.mkdir()
        make_variant(path, changed=changed)
        sent.append(all_sent_data(path, monkeypatch))
    assert sent[0] == sent[1] and len(sent[0]) > 20


def make_variant(path: Path, *, changed: bool) -> None:
    """Create the same topics, texts and pooled documents, with other gold and runs if `changed`."""
    documents = [f"d{number}" for number in range(8)]
    with create_project(path, scale=Scale.parse("0-3"), title="Class", owner="teacher") as project:
        project.set_setting("seed", "3")
        project.collection.add_topics([Topic("1", "tides")])
        project.collection.add_documents(
            Document(name, f"words of {name}".encode(), name)
            for name in [*documents, "g0", "g1", "g2"]
        )
        ranked = documents[::-1] if changed else documents
        run = make_run(
            "other" if changed else "bm25",
            [("1", name, (7.0 if changed else 2.0) - index) for index, name in enumerate(ranked)],
        )
        project.rankings.add_run(run, "x.run")
        project.rankings.add_pool(depth_pool([run], 8))
        project.rankings.add_qrels(
            "truth",
            make_qrels(
                [("1", f"g{number}", 2 - number if changed else number) for number in range(3)]
            ),
        )


def all_sent_data(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return all data sent to a participant who judges everything, with fixed randomness."""
    random = Random(1)
    monkeypatch.setattr("secrets.token_hex", lambda count: random.randbytes(count).hex())
    monkeypatch.setattr("secrets.token_urlsafe", lambda count: random.randbytes(count).hex())
    monkeypatch.setattr("secrets.randbits", lambda count: random.getrandbits(count))
    with open_project(path) as opened:
        scale = opened.scale.version
    sent: list[bytes] = []
    with run_server(
        path, SessionOptions(SchedulingOptions(gold_every=3)), code="ABCDEFGH"
    ) as server:
        ann = Person(server, "Ann")
        sent.append(send_request(server.port, "/").body)
        sent.append(ann.try_call("/welcome", {}).body)
        for _ in range(20):
            answer = ann.try_call(
                "/sync", {"client": ann.client, "actions": ann.outbox, "want": 1, "has": ann.has}
            )
            sent.append(answer.body)
            ann.items |= {
                item["place"]: item["parts"]["items"][0]["about"] for item in answer.json["items"]
            }
            ann.has, ann.outbox = answer.json["places"], []
            for index in ann.open_items():
                ann.grade(index, 1, scale)
    return sent


# A class with failures


@pytest.mark.slow
def test_a_class_loses_nothing_and_never_exceeds_the_overlap(project: Path, scale: str) -> None:
    waits: list[float] = []

    def attend(server: Server, number: int) -> Person:
        chance, person = Random(number), Person(server, f"Person {number}")
        for _ in range(60):
            begun = time.perf_counter()
            answer = person.sync(want=chance.randint(1, 3))
            waits.append(time.perf_counter() - begun)
            if (
                not person.open_items()
                and not answer["items"]
                and answer["judged"] == answer["wanted"]
            ):
                break
            for index in person.open_items()[: chance.randint(0, 2)]:
                action = person.grade(index, chance.randrange(4), scale)
                if chance.random() < 0.1:
                    person.undo(action)
                    person.judged.discard(index)
            if chance.random() < 0.05:  # a bad network: the response never arrived
                person.try_call("/sync", {"client": person.client, "actions": person.outbox})
            if chance.random() < 0.03:
                person.sync()
                saved, old = person.saved, person.judged
                person.open()
                person.saved, person.judged = saved, old
        person.sync(want=0)
        return person

    count = short_or_long(12, 60)
    with (
        run_server(project, SessionOptions(SchedulingOptions(overlap=3))) as server,
        ThreadPoolExecutor(count) as pool,
    ):
        people = list(pool.map(lambda number: attend(server, number), range(count)))
        late = {pair for _, pair in server.lead(lambda session: session.status().late)}
    acknowledged = Counter(
        (each["client"], each["number"]) for person in people for each in person.saved
    )
    assert set(acknowledged) == read_names(project) and len(read_events(project)) == len(
        read_names(project)
    )
    with open_project(project, writing=False) as opened:
        labels = project_labels(opened)
        votes = Counter(labels.item.tolist())
        assert max(votes.values()) <= 3
        every = sum(1 for _ in judged_pairs(opened))
        assert (
            every - len(labels)
            == sum(
                len(opened.sessions.late_items(person.id))
                for person in opened.sessions.participants()
            )
            >= len(late)
        )
        assert opened.verify().problems == ()
    assert sorted(waits)[len(waits) * 99 // 100] < 2


def judged_pairs(project: Any) -> Iterator[Any]:
    for assessor in project.events.assessors():
        yield from get_ledger(project, assessor).judgments()


@pytest.mark.parametrize("store", ["project"], indirect=True)
def test_actions_that_could_not_be_saved_are_not_acknowledged(project: Path, scale: str) -> None:
    with run_server(project) as server:
        ann = Person(server, "Ann")
        ann.sync()
        ann.grade(0, 2, scale)
        moved = project.rename(project.with_name("moved.irjudge"))
        answer = ann.try_call("/sync", {"client": ann.client, "actions": ann.outbox})
        assert answer.status == 503 and "moved" in answer.json["problem"]
        moved.rename(project)
        assert ann.sync()["acknowledged"] == 1
    assert len(read_events(project)) == 1


@pytest.mark.slow
def test_the_server_stops_within_two_seconds_with_open_connections(project: Path) -> None:
    server = make_server(project)
    server.start()
    open_ones = [http.client.HTTPConnection("127.0.0.1", server.port) for _ in range(20)]
    for each in open_ones:
        each.connect()
        each.sock.sendall(b"POST /sync HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n")
    begun = time.monotonic()
    server.stop()
    assert time.monotonic() - begun < 2
    for each in open_ones:
        each.close()


# The command


class ServerProcess:
    """`irjudge serve` in a child process; forked quickly unless `loaded` is false."""

    def __init__(self, project: Path, *more: str, loaded: bool = True) -> None:
        arguments = ["serve", str(project), "--port", "0", *more]
        arguments += (
            ["--store", session_client.databases[project]]
            if session_client.databases is not None
            else []
        )
        begun = time.monotonic()
        self.process = ForkedProcess(arguments) if loaded else self.start_process(arguments)
        assert self.process.stdout is not None
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#(\w+)\n", self.process.stdout.readline())
        assert match, self.process.communicate()
        self.port, self.code = int(match[1]), match[2]
        assert send_request(self.port, "/hello").json == {"irjudge": "session", "protocol": 1}
        self.seconds = time.monotonic() - begun

    @staticmethod
    def start_process(arguments: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(Path(sys.executable).with_name("irjudge")), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(
                signal.SIGINT, signal.SIG_DFL
            ),  # ignored for background processes of a shell
        )

    def kill(self, number: int = signal.SIGKILL) -> str:
        self.process.send_signal(number)
        _, output = self.process.communicate(timeout=20)
        return output


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    ("names", "is_local"), [((), True), (("127.0.0.1", "judge.example.org"), False)]
)
def test_the_command_says_how_other_devices_can_join(
    project: Path, names: tuple[str, ...], is_local: bool
) -> None:
    options = [part for name in names for part in ("--name", name)]
    output = ServerProcess(project, *options).kill(signal.SIGINT)
    assert ("0.0.0.0" in output) == is_local


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_after_repeated_kills_all_acknowledged_judgments_are_saved(
    project: Path, scale: str
) -> None:
    chance, person, saved = Random(5), None, []
    for _ in range(short_or_long(4, 50)):
        served = ServerProcess(project, "--overlap", "50")
        if person is None:
            person = Person(served, "Ann")  # type: ignore[arg-type]
        person.port = served.port
        before, until, killing = len(person.saved), chance.randint(1, 12), None
        with (
            ThreadPoolExecutor(1) as pool,
            suppress(OSError, http.client.HTTPException, json.JSONDecodeError),
        ):
            while True:
                person.sync()
                if (
                    killing is None and len(person.saved) >= before + until
                ):  # a fixed time would kill a busy machine's server before it saved anything
                    killing = pool.submit(
                        lambda served=served: (time.sleep(chance.random() / 50), served.kill())
                    )
                for index in person.open_items()[:1]:
                    person.undo(person.grade(index, 1, scale))
                    person.judged.discard(index)
        assert killing is not None, "it stopped before it was killed"
        killing.result()
        saved = [(each["client"], each["number"]) for each in person.saved]
        assert set(saved) <= read_names(project) and len(set(saved)) == len(saved)
    with open_project(project, writing=False) as opened:
        assert opened.verify().problems == ()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process")
def test_with_a_full_disk_only_saved_actions_are_acknowledged_and_work_resumes_later(
    project: Path, scale: str
) -> None:
    served = ServerProcess(project, "--overlap", "50")
    ann = Person(served, "Ann")  # type: ignore[arg-type]
    ann.sync()
    if session_client.databases is not None:
        served.kill(signal.SIGINT)
        pytest.skip("what a database does with a full disk is its own")
    full, refused = project.stat().st_size, 0
    resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
    for _ in range(200):
        ann.undo(ann.grade(0, 1, scale))
        answer = ann.try_call(
            "/sync", {"client": ann.client, "actions": ann.outbox, "want": 0, "has": ann.has}
        )
        if answer.status == 503:
            refused += 1
            assert answer.json["kind"] == "unsaved" and answer.json["problem"].startswith(
                "Not saved"
            )
            assert set(read_names(project)) == {
                (each["client"], each["number"]) for each in ann.saved
            }
            if refused == 2:
                break
        else:
            ann.saved += ann.outbox
            ann.outbox = []
    assert refused == 2
    resource.prlimit(
        served.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    )
    assert ann.sync()["refused"] is None and not ann.outbox
    served.kill(signal.SIGINT)
    assert {(each["client"], each["number"]) for each in ann.saved} == read_names(project)
    with open_project(project, writing=False) as opened:
        assert opened.verify().problems == ()


@pytest.mark.slow
def test_a_file_that_replaces_the_project_is_not_written_and_the_old_one_keeps_its_data(
    project: Path, scale: str, tmp_path: Path
) -> None:
    if session_client.databases is not None:
        pytest.skip("a database has no file that is replaced")
    other = Path(shutil.copy(project, tmp_path / "other.irjudge"))
    served = ServerProcess(project, "--overlap", "50")
    ann = Person(served, "Ann")  # type: ignore[arg-type]
    ann.sync()
    ann.grade(0, 1, scale)
    assert ann.sync()["refused"] is None
    copy = tmp_path / "kept.irjudge"
    os.link(project, copy)
    before = other.read_bytes()
    other.replace(project)
    ann.undo(ann.grade(0, 2, scale))
    for _ in range(3):
        answer = ann.try_call(
            "/sync", {"client": ann.client, "actions": ann.outbox, "want": 0, "has": ann.has}
        )
        assert (
            answer.status == 503
            and answer.json["kind"] == "unsaved"
            and answer.json["problem"].startswith("Not saved")
        ), answer
    served.kill(signal.SIGINT)
    assert project.read_bytes() == before
    assert read_names(copy) == {(each["client"], each["number"]) for each in ann.saved}


@pytest.mark.slow
def test_a_signal_stops_the_command_within_two_seconds_and_a_restart_continues(
    project: Path, scale: str
) -> None:
    served = ServerProcess(project, loaded=False)
    ann = Person(served, "Ann")  # type: ignore[arg-type]
    ann.sync()
    ann.grade(0, 1, scale)
    ann.sync()
    begun = time.monotonic()
    output = served.kill(signal.SIGINT)
    assert time.monotonic() - begun < 2 and served.process.returncode == 0
    assert "resume" in output and "Ann" not in output
    served = ServerProcess(project)
    ann.port = served.port
    ann.open()
    assert 0 in (ann.sync(), ann.items)[1]
    served.kill(signal.SIGTERM)


@pytest.mark.slow
def test_the_command_reports_an_end_by_the_page_and_does_not_offer_to_resume(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "a-secret-of-more-than-20-characters"
    monkeypatch.setenv("IRJUDGE_LEADER", secret)
    served = ServerProcess(project, loaded=False)
    request = {"protocol": 1, "wish": "state", "values": {"state": "ended"}}
    answer = send_request(
        served.port, "/lead", request, headers={"Authorization": f"Bearer {secret}"}
    )
    assert answer.status == 200
    time.sleep(2.5)
    output = served.kill(signal.SIGINT)
    assert output.count("has ended") == 1 and "Ctrl+C" in output and "resume" not in output


@pytest.mark.slow
@pytest.mark.parametrize("given", ["", "SECRET" * 4])
def test_the_join_code_and_the_hosts_secret_are_the_same_after_a_restart(
    project: Path, given: str, store: str
) -> None:
    def start() -> Server:
        made = make_server(project, leader=given)
        made.start()
        return made

    def lead(server: Server, secret: str) -> int:
        headers = {"Authorization": f"Bearer {secret}"}
        data = {"protocol": 1, "wish": "standing"}
        return send_request(server.port, "/lead", data, headers=headers).status

    first = start()
    code, leader = first.code, first.leader
    first.stop()
    second = start()
    try:
        assert (second.code, second.leader) == (code, leader) and (leader == given or not given)
        assert post_join(second, code=code).status == 200
        assert lead(second, leader) == 200 and lead(second, leader[:-1]) == 401
        assert not given or given not in str(second.lead(lambda each: each.store.session().terms))
        second.ask("state", state=ENDED)
        assert leader not in str(second.lead(lambda each: each.store.session().terms))
    finally:
        second.stop()
    pull(project)
    assert leader.encode() not in project.read_bytes() or given
    third = start()  # another session
    third.stop()
    renewed = make_server(project, renew=True)
    renewed.start()
    renewed.stop()
    assert renewed.leader != third.leader and (store == "database") == (renewed.code == third.code)
    assert third.code != code and (third.leader != leader or bool(given))


@pytest.mark.slow
def test_cards_printed_again_replace_only_the_links_of_idle_participants(
    project: Path, scale: str, tmp_path: Path
) -> None:
    links = ("--join", "links", "--people", "Ann,Bob", "--cards")

    def printed(name: str) -> tuple[dict[str, str], bool]:
        served = ServerProcess(project, *links, str(tmp_path / name))
        # the line after the links is printed when the cards are written
        *lines, _ = [served.process.stdout.readline() for _ in range(3)]  # type: ignore[union-attr]
        has_warning = "no longer valid" in served.kill()
        return dict(line.rstrip("\n").split("  ") for line in lines), has_warning

    (first, warns_first), (second, warns_second) = printed("a.html"), printed("b.html")
    assert first.keys() == second.keys() and first != second
    assert (warns_first, warns_second) == (False, True)
    assert os.name != "posix" or (tmp_path / "a.html").stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_restarted_server_keeps_the_links_of_active_participants(
    project: Path, scale: str
) -> None:
    links = ("--join", "links", "--people", "Ann,Bob")
    served = ServerProcess(project, *links)
    printed = dict(served.process.stdout.readline().rstrip("\n").split("  ") for _ in range(2))  # type: ignore[union-attr]
    ann = Person(served, "Ann", join=False)  # type: ignore[arg-type]
    ann.token = printed["Ann"].partition("#t=")[2]
    ann.sync()
    ann.grade(0, 1, scale)
    ann.sync()
    served.kill()
    served = ServerProcess(project, *links)
    ann.port = served.port
    assert ann.sync()["count"] == 1
    bob = Person(served, "Bob", join=False)  # type: ignore[arg-type]
    bob.token = printed["Bob"].partition("#t=")[2]
    assert bob.sync()["items"]
    served.kill()


@pytest.mark.slow
def test_the_command_is_ready_within_a_second_and_a_half(project: Path) -> None:
    def seconds() -> float:
        served = ServerProcess(project, loaded=False)
        served.kill(signal.SIGINT)
        return served.seconds

    def peer() -> float:
        begun = time.monotonic()
        subprocess.run(
            [
                sys.executable,
                "-c",
                "import starlette.applications, uvicorn, numpy, pyarrow.compute",
            ],
            check=True,
        )
        return time.monotonic() - begun

    # Other work on the machine only adds time; the time of imports that any such server needs is
    # subtracted.
    assert any(seconds() < max(1.5, 3.5 * peer()) for _ in range(5))
    with open_project(project, writing=False) as opened:
        assert [
            stored_session.terms["terms"]["lease"] for stored_session in opened.sessions.all()
        ] == ([] if session_client.databases is not None else [60])


@pytest.mark.slow
@pytest.mark.parametrize("store", ["project"], indirect=True)
def test_the_command_imports_no_qt() -> None:
    assert [fork_server().ask(package) for package in ("PySide6", "shiboken6")] == [
        0,
        0,
    ] and fork_server().ask("irjudge") > 50


@pytest.mark.slow
@pytest.mark.synchronous
def test_an_acknowledgement_follows_the_sync(
    project: Path, scale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit with its sync ends, then the acknowledgement is sent."""
    order: list[str] = []
    keeper: type[Any] = Connection if session_client.databases is None else DatabaseConnection
    commit, answered = keeper.transaction, serving_module.json_response

    @contextmanager
    def watched(self: Any) -> Iterator[None]:
        with commit(self):
            yield
        if not getattr(self, "_depth", False):
            order.append("durable")

    def watched_answer(*arguments: Any, **more: Any) -> Any:
        order.append("answer")
        return answered(*arguments, **more)

    with run_server(project) as server:
        ann = Person(server, "Ann")
        ann.sync()
        monkeypatch.setattr(keeper, "transaction", watched)
        monkeypatch.setattr(serving_module, "json_response", watched_answer)
        with open_project(project, writing=False) as opened:
            assert opened._db.fetch_one("PRAGMA synchronous") == (3,)
        for number in range(3):
            ann.grade(number, 1, scale)
            ann.sync(want=0)
    assert order == ["durable", "answer"] * 3


def test_items_read_while_others_are_assigned_have_their_secrets(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if session_client.databases is not None:
        pytest.skip("a database gives its items to the project at once")
    with run_server(project) as server, open_project(project, writing=False) as opened:
        ann = Person(server, "Ann")
        ann.sync(want=1)
        (assignment,) = opened.assignments.all()
        placed = type(opened.assignments)._read_items
        monkeypatch.setattr(
            type(opened.assignments),
            "_read_items",
            lambda *asked, **more: (placed(*asked, **more), ann.sync(want=3))[0],
        )
        assert len(opened.assignments.items_with_notes(assignment.code)) == 1
        monkeypatch.undo()
        assert len(opened.assignments.items_with_notes(assignment.code)) == 3


def test_a_page_that_is_opened_again_can_request_the_items_to_judge_first(
    project: Path, scale: str
) -> None:
    with run_server(project) as server:
        ann = Person(server, "ann")
        ann.sync(3)
        for index in ann.open_items()[:2]:
            ann.grade(index, 1, scale)
        ann.sync(0)
        request = {"client": "", "actions": [], "want": 0, "has": 0, "needs": []}
        answer = ann.call("/sync", {**request, "open": True})
        assert [item["place"] for item in answer["items"]] == answer["held"] == [2]
        answer = ann.call("/sync", request)
        assert [item["place"] for item in answer["items"]] == [0, 1, 2]
