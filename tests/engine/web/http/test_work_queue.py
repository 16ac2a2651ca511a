"""Tests of the event loop's work queue: participants first, and addresses in turn."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from irjudge.web import connections
from irjudge.web.connections import MAX_PENDING_BYTES, WorkQueue
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server


class Clock:
    """A processor clock; each request takes the same time."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Connection:
    """Connection that records when its data are processed."""

    def __init__(self, address: str, processed: list[str], clock: Clock) -> None:
        self.address, self.pending, self.cycle = address, b"", None
        self.is_cut = False
        self.transport = SimpleNamespace(is_closing=lambda: self.is_cut, pause_reading=lambda: None)
        self._processed, self._clock = processed, clock

    def process(self, data: bytes) -> None:
        self._clock.now += 0.004
        self._processed.append(data.decode())

    def abort(self) -> None:
        self.is_cut = True


def run(work: Callable[[WorkQueue, Callable[[str], Any]], None]) -> list[str]:
    """Return what a queue processed, in order."""
    processed: list[str] = []
    clock = Clock()

    async def queue_and_wait() -> None:
        queue = WorkQueue(clock)
        work(queue, lambda address: Connection(address, processed, clock))
        while len(queue):
            await asyncio.sleep(0)

    asyncio.run(queue_and_wait())
    return processed


def test_requests_without_token_have_a_share_and_participants_do_not_wait() -> None:
    def work(queue: WorkQueue, connect: Callable[[str], Any]) -> None:
        queue.trust("t")
        for number in range(20):
            queue.submit(connect("flood"), "", str(number).encode())
        queue.submit(connect("flood"), "t", b"participant")

    processed = run(work)
    assert processed[:2] == ["0", "participant"]
    assert sorted(processed) == sorted(["participant", *map(str, range(20))])


def test_addresses_take_turns() -> None:
    def work(queue: WorkQueue, connect: Callable[[str], Any]) -> None:
        for number in range(20):
            queue.submit(connect("flood"), "", str(number).encode())
        queue.submit(connect("other"), "", b"newcomer")

    assert run(work).index("newcomer") <= 2


def test_a_participant_with_many_requests_waits_like_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "LOOP_BURST", 0.01)

    def work(queue: WorkQueue, connect: Callable[[str], Any]) -> None:
        queue.trust("t")
        queue.trust("u")
        for number in range(20):
            queue.submit(connect("one"), "t", str(number).encode())
        queue.submit(connect("one"), "u", b"other")

    assert "other" in run(work)[:10]


def test_time_of_parsing_is_charged_to_the_participant_or_the_share_of_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "LOOP_BURST", 0.01)
    pauses: list[float] = []
    loop = SimpleNamespace(call_later=lambda pause, _function: pauses.append(pause))
    monkeypatch.setattr(connections.asyncio, "get_running_loop", lambda: loop)
    processed, clock = list[str](), Clock()
    queue = WorkQueue(clock)
    queue.trust("t")
    queue.charge("unknown", 0.2)
    queue.charge("t", 0.02)  # more than the budget
    queue.submit(Connection("one", processed, clock), "t", b"participant")
    assert processed == ["participant"]  # from the queue, which pauses afterwards
    assert pauses == pytest.approx([1.5 * (0.2 + 0.004)])


def test_only_accepted_tokens_count_and_a_connection_stores_little() -> None:
    def work(queue: WorkQueue, connect: Callable[[str], Any]) -> None:
        head = b"GET / HTTP/1.1\r\nAuthorization: Bearer t\r\n\r\n"
        assert queue.find_token(head) == ""
        queue.trust("t")
        assert queue.find_token(head) == "t"
        queue.submit(connect("a"), "", b"x")
        large = connect("a")
        queue.submit(large, "", bytes(MAX_PENDING_BYTES + 1))
        assert large.is_cut

    assert run(work) == ["x"]


def test_tokens_are_known_once_they_were_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted: list[str] = []
    monkeypatch.setattr(WorkQueue, "trust", lambda _queue, token: trusted.append(token))
    build_class(tmp_path / "p.irjudge")
    with run_server(tmp_path / "p.irjudge") as server:
        ann = Person(server, "Ann")
        assert trusted == [ann.token]
        ann.sync()
        assert trusted == [ann.token, ann.token]
        ann.token = "wrong"
        assert ann.try_call("/sync", {}).status == 401
        ann.call("/join", {"code": server.code, "name": "Bob"})
        assert len(trusted) == 3 and "wrong" not in trusted
