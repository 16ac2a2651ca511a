"""Tests of a server under attack or killed: participants can work, and nothing is lost.

`--full` runs the long forms.
"""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from irjudge.store import open_project
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, pull
from tests.engine.web.test_server import ServerProcess
from tests.lengths import short_or_long

METHODS = ["POST", "POST", "GET", "HEAD", "PUT", "OPTIONS", "CONNECT", "TRACE", "\x00", ""]
PATHS = [
    "/sync",
    "/welcome",
    "/join",
    "/",
    "/hello",
    "//",
    "/%00",
    "/sync/..",
    "*",
    "http://evil.example/",
    "/é",
]
ODD = [
    "Transfer-Encoding: chunked",
    "Content-Length: 7",
    "Content-Length: -1",
    "Host: evil.example",
    "X: " + "y" * 20_000,
    "X\x00: y",
]
ODD += [
    "Connection: upgrade\r\nUpgrade: h2c",
    "Expect: 100-continue",
    " folded: x",
    "If-None-Match: *",
    "Accept-Encoding: gzip;q=x",
]
JUDGMENTS_PER_KILL = 8  # acknowledged judgments between two kills
SOCKETS = Path(__file__).with_name("hostile_sockets.py")
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("store", "full")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(
        path, topics=tuple(map(str, range(short_or_long(3, 20)))), documents=short_or_long(12, 50)
    )
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


@dataclass
class HonestParticipants:
    """Participants who judge until they are stopped, and the times of their responses."""

    people: list[Person]
    scale: str
    every: float  # seconds between two requests of a participant
    waits: list[float] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def attend(self, person: Person) -> None:
        chance = Random(person.name)
        while not self.over.wait(self.every * chance.random() * 2):
            begun = time.monotonic()
            person.sync(want=2)  # fails if it is refused
            self.waits.append(time.monotonic() - begun)
            for index in person.open_items()[:1]:
                person.grade(index, chance.randrange(4), self.scale)

    @contextmanager
    def run(self) -> Iterator[None]:
        with ThreadPoolExecutor(len(self.people)) as pool:
            running = [pool.submit(self.attend, person) for person in self.people]
            try:
                yield
            finally:
                self.over.set()
            for each in running:
                each.result()
        for person in self.people:
            person.sync(want=0)

    def check(self, path: Path, slowest: float) -> None:
        """Check that acknowledged judgments are stored once, and 99 % of responses were fast."""
        acknowledged = Counter(
            (each["client"], each["number"]) for person in self.people for each in person.saved
        )
        with open_project(pull(path), writing=False) as opened:
            stored_events = Counter((event.client, event.number) for event in opened.events.read())
            assert opened.verify().problems == ()
        assert (
            max(stored_events.values()) == 1
            and not acknowledged - stored_events
            and not any(person.outbox for person in self.people)
        )
        waits = sorted(self.waits)
        p99 = waits[len(waits) * 99 // 100]
        print(  # noqa: T201
            f"\n{len(waits)} answers, median {waits[len(waits) // 2] * 1000:.0f} ms, 99 % {p99 * 1000:.0f} ms, {len(stored_events)} events"
        )
        assert p99 < slowest


def make_people(served: ServerProcess, count: int) -> list[Person]:
    """Return participants, each with their own address."""
    return [
        Person(served, f"Person {number}", source=f"127.0.0.{number + 2}")
        for number in range(count)
    ]  # type: ignore[arg-type]


# Malformed requests


class Fuzzer:
    """Sends malformed requests composed of valid parts and noise."""

    def __init__(self, seed: int, served: ServerProcess, person: Person) -> None:
        self.chance, self.port, self.code = Random(seed), served.port, served.code
        self.token, self.items = person.token, list(person.items.values())

    def value(self, depth: int = 0) -> Any:
        chance = self.chance
        simple: list[Callable[[], Any]] = [
            lambda: None,
            lambda: chance.random() < 0.5,
            lambda: chance.choice([0, -1, 1, 2**31, 2**64, 1e308, -0.5]),
            lambda: chance.choice(
                [
                    "",
                    "x" * chance.randrange(3000),
                    "\ud800",
                    "\x00",
                    "__proto__",
                    "<img src=x>",
                    "0" * 32,
                    self.token,
                ]
            ),
        ]
        nested: list[Callable[[], Any]] = [
            lambda: [self.value(depth + 1) for _ in range(chance.randrange(4))],
            lambda: {str(self.value(9)): self.value(depth + 1) for _ in range(chance.randrange(4))},
        ]
        return chance.choice(simple if depth > 3 else simple + nested)()

    def action(self) -> Any:
        chance = self.chance
        sound: dict[str, Any] = {
            "client": f"{chance.randrange(3):032x}",
            "number": chance.randrange(4),
            "kind": chance.choice(["grade", "note", "draft", "undo", "redo", "skip", "erase"]),
            "item": chance.choice(self.items),
            "time": "2026-03-01T10:00:00.000Z",
            "payload": {"value": 1, "text": "x"},
            "target": None,
        }
        for name in chance.sample(sorted(sound), chance.randrange(3)):
            sound[name] = self.value()
        return sound if chance.random() < 0.9 else self.value()

    def body(self) -> bytes:
        chance = self.chance
        data: dict[str, Any] = {
            "protocol": 1,
            "client": "0" * 32,
            "want": 2,
            "has": chance.choice([0, -5, 10**9, None, "x"]),
        }
        data["actions"] = [self.action() for _ in range(chance.randrange(4))]
        data |= {
            "code": chance.choice([self.code, "AAAAAAAA", 7]),
            "name": self.value(),
            "panel": self.value(),
        }
        if chance.random() < 0.3:
            data[chance.choice(sorted(data))] = self.value()
        text = json.dumps(data).encode()
        noise = [
            b"[" * chance.randrange(1, 5000),
            chance.randbytes(chance.randrange(200)),
            text[: chance.randrange(len(text))],
            b"",
        ]
        return text if chance.random() < 0.7 else chance.choice(noise)

    def request(self) -> bytes:
        chance, body = self.chance, self.body()
        host = f"127.0.0.1:{self.port}"
        lines = [
            f"Host: {host}",
            f"Origin: http://{host}",
            f"Authorization: Bearer {chance.choice([self.token, self.token, 'x'])}",
        ]
        lines += [f"Content-Length: {len(body)}"]
        if chance.random() < 0.6:
            lines = [
                f"POST {chance.choice(['/sync'] * 5 + ['/welcome', '/join'])} HTTP/1.1",
                *lines,
            ]
        else:
            method, path, version = (
                chance.choice(each)
                for each in (METHODS, PATHS, ["1.1", "1.1", "1.0", "0.9", "2.0"])
            )
            lines = [
                f"{method} {path} HTTP/{version}",
                *lines,
                *chance.sample(ODD, chance.randrange(3)),
            ]
        sent = "\r\n".join([*lines, "", ""]).encode("latin-1") + body
        return (
            sent
            if chance.random() < 0.9
            else sent[: chance.randrange(len(sent))] + chance.randbytes(20)
        )

    def attack(self) -> int:
        """Send one or several requests in a row; return the first response's status, or 0."""
        chance = self.chance
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self.port), timeout=0.1) as line,
        ):
            line.sendall(b"".join(self.request() for _ in range(chance.choice([1, 1, 1, 4]))))
            if chance.random() < 0.9:
                line.shutdown(socket.SHUT_WR) if chance.random() < 0.1 else None
                answer = line.recv(1 << 16)
                return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0
        return 0


def test_malformed_requests_do_not_affect_a_participant(project: Path, scale: str) -> None:
    served = ServerProcess(project, "--overlap", "50")
    honest = HonestParticipants(make_people(served, 1), scale, 0.02)
    eva = Person(served, "Eva")  # type: ignore[arg-type]
    eva.sync(want=5)
    count = short_or_long(240, 20_000)
    with honest.run(), ThreadPoolExecutor(4) as pool:
        fuzzers = [Fuzzer(seed, served, eva) for seed in range(4)]
        every = pool.map(lambda fuzzer: [fuzzer.attack() for _ in range(count // 4)], fuzzers)
        counts = Counter(status for each in every for status in each)
    assert honest.people[0].sync(want=1)
    output = served.kill(signal.SIGINT)
    print(f"\n{count} requests: {dict(sorted(counts.items()))}", end="")  # noqa: T201
    assert "Traceback" not in output and 500 not in counts and {200, 400, 403} <= set(counts)
    honest.check(
        project, short_or_long(50, 5) / 10
    )  # the short forms run at the same time as other tests


# Sockets


def test_many_sockets_of_one_address_do_not_affect_other_addresses(
    project: Path, scale: str
) -> None:
    served = ServerProcess(project, "--overlap", "50")
    honest = HonestParticipants(
        make_people(served, short_or_long(4, 30)), scale, short_or_long(5, 50) / 100
    )
    command = [
        sys.executable,
        str(SOCKETS),
        str(served.port),
        str(short_or_long(300, 5000)),
        str(short_or_long(1, 25)),
    ]
    with honest.run():
        attacked = subprocess.run(command, check=True, capture_output=True, text=True, timeout=100)
    output = served.kill(signal.SIGINT)
    print(f"\n{attacked.stdout.strip()} hostile connections", end="")  # noqa: T201
    assert int(attacked.stdout) > short_or_long(250, 5000) and "Traceback" not in output
    honest.check(project, short_or_long(5, 1))


# Kills


def test_a_server_killed_repeatedly_loses_and_doubles_nothing(project: Path, scale: str) -> None:
    served, chance, over = [ServerProcess(project, "--overlap", "50")], Random(7), threading.Event()
    people, kills = make_people(served[0], 4), short_or_long(2, 100)

    def attend(person: Person) -> None:
        own = Random(person.name)
        while not over.is_set():
            person.port = served[0].port
            try:
                person.sync(want=2)
            except (
                OSError,
                http.client.HTTPException,
                ValueError,
                AssertionError,
            ):  # killed just now
                over.wait(0.02)
                continue
            for index in person.open_items()[:1]:
                action = person.grade(index, own.randrange(4), scale)
                if own.random() < 0.7:
                    person.undo(action)
                    person.judged.discard(index)

    with ThreadPoolExecutor(len(people)) as pool:
        running = [pool.submit(attend, person) for person in people]
        try:
            for _ in range(kills):
                before = sum(len(person.saved) for person in people)
                while sum(
                    len(person.saved) for person in people
                ) < before + JUDGMENTS_PER_KILL and not any(each.done() for each in running):
                    # a fixed time would kill a busy machine's server before it saved anything
                    over.wait(0.01)
                over.wait(chance.random() * 0.2)
                served[0].kill()
                served[0] = ServerProcess(project, "--overlap", "50")
        finally:
            over.set()
        for each in running:
            each.result()
    for person in people:
        person.port = served[0].port
        person.sync(want=0)
    served[0].kill(signal.SIGINT)
    HonestParticipants(people, scale, 0.0, waits=[0.0]).check(project, 1.0)
    assert sum(len(person.saved) for person in people) >= JUDGMENTS_PER_KILL * kills
