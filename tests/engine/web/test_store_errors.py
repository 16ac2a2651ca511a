"""Tests in which a call of a session store fails: participants are told, and nothing is lost.

System calls on the project are made to fail; a database's connection is cut between any two
messages, with or without loss of the response.
"""

import random
import re
import selectors
import shutil
import signal
import socket
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from irjudge.store import open_project
from tests.engine.exchange.classroom import build_class
from tests.engine.web import session_client
from tests.engine.web.session_client import Person, pull, run_server
from tests.engine.web.test_server import ServerProcess
from tests.postgres import Postgres

pytestmark = pytest.mark.slow

FAULTS = {
    "pwrite64": ("EIO", "ENOSPC", "EINTR"),
    "fdatasync": ("EIO", "ENOSPC", "EINTR", "slow"),
    "fsync": ("EIO", "ENOSPC", "EINTR", "slow"),
    "ftruncate": ("EIO", "ENOSPC", "EINTR"),
    "unlink": ("EIO", "EINTR", "EMFILE"),
    "openat": ("EMFILE", "EIO"),
}
CALL = re.compile(r"^\d+ +(\w+)\((.*)")
TRIES = 3
ANSWERS = 0.3  # seconds


def start_class(folder: Path) -> tuple[Path, str]:
    """Create a class in a new folder; return its project and the version of its scale."""
    folder.mkdir()
    path = folder / "class.irjudge"
    build_class(path)
    with open_project(path, writing=False) as opened:
        return path, opened.scale.version


def send_until_acknowledged(person: Person) -> list[int]:
    """Send pending actions and request an item until acknowledged; return the earlier statuses."""
    refused = list[int]()
    while True:
        try:
            person.sync(want=1)
        except AssertionError as error:
            refused.append(error.args[0][0])
            if len(refused) == TRIES:
                raise
        else:
            return refused


def judge(person: Person, scale: str) -> list[int]:
    """Grade, undo and write notes, sent separately; return the statuses of refused requests."""
    refused = send_until_acknowledged(person)
    for turn in range(3):
        index = person.open_items()[0]
        done = person.grade(index, turn, scale)
        refused += send_until_acknowledged(person)
        if turn == 1:
            person.undo(done)
            refused += send_until_acknowledged(person)
        person.act("note", person.items[index], {"text": f"note {turn}"})
        refused += send_until_acknowledged(person)
    return refused


def check(path: Path, person: Person) -> None:
    """Check that exactly the acknowledged actions are stored, once and in order."""
    with open_project(pull(path), writing=False) as opened:
        stored_events = Counter((event.client, event.number) for event in opened.events.read())
        assert opened.verify().problems == ()
    assert (
        stored_events == Counter((each["client"], each["number"]) for each in person.saved)
        and len(person.saved) == 7
    )


@contextmanager
def judge_with_failure(project: Path, trace: Path, *inject: str) -> Iterator[Person]:
    """Judge at `irjudge serve` under strace, which makes one system call fail."""
    served = ServerProcess(project)
    try:
        person = Person(served, "Ann")  # type: ignore[arg-type]
        calls = ",".join(f"?{call}" for call in FAULTS)
        command = [
            "strace",
            "-f",
            "-y",
            "-e",
            f"trace={calls}",
            *inject,
            "-o",
            str(trace),
            "-p",
            str(served.process.pid),
        ]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as strace:
            try:
                assert strace.stderr and "attached" in strace.stderr.readline()
                yield person
            finally:
                strace.terminate()
        assert "Traceback" not in served.kill(signal.SIGINT)
    finally:
        with suppress(ProcessLookupError):
            served.process.send_signal(signal.SIGKILL)


def list_calls(project: Path, scale: str, trace: Path) -> list[tuple[str, int]]:
    """Return each call on the project's files during judging: its name, and its ordinal by name."""
    with judge_with_failure(project, trace) as person:
        judge(person, scale)
    calls, seen = list[tuple[str, int]](), Counter[str]()
    for call, rest in (
        match.groups()
        for match in map(CALL.match, trace.read_text(errors="replace").splitlines())
        if match
    ):
        seen[call] += 1
        if project.name in rest and (call != "openat" or "O_CREAT" in rest):
            calls.append((call, seen[call]))
    return calls


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_failing_call_of_a_server_is_reported_and_the_actions_are_resent(
    tmp_path: Path, full: bool
) -> None:
    chance = random.Random(5)

    calls = list_calls(*start_class(tmp_path / "clean"), tmp_path / "trace")
    assert {"pwrite64", "fdatasync", "unlink"} <= {call for call, _ in calls}
    refused = Counter[int]()
    for number, (call, when) in enumerate(
        calls if full else [next(each for each in calls if each[0] == "fdatasync")]
    ):
        path, scale = start_class(tmp_path / str(number))
        kind = chance.choice(FAULTS[call]) if full else "EIO"
        how = "delay_exit=400000" if kind == "slow" else f"error={kind}"
        with judge_with_failure(
            path, tmp_path / "trace", "-e", f"inject={call}:{how}:when={when}"
        ) as person:
            acknowledged = judge(person, scale)
        refused.update(acknowledged)
        assert 500 not in acknowledged, (call, when, kind)
        check(path, person)
    print(f"\n{len(calls)} calls, {'all' if full else 'one'} struck, refused: {dict(refused)}")  # noqa: T201
    assert set(refused) == {503}


class CutConnection:
    """A connection to PostgreSQL cut once at a message: before it arrives, or at the response."""

    def __init__(self, postgres: Postgres, folder: Path) -> None:
        self._there = str(postgres.folder / ".s.PGSQL.5432")
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / ".s.PGSQL.5432"))
        self._door.listen()
        self.messages = list[bytes]()
        # identified by position and message
        self.cut: Callable[[int, bytes], bool] | None = None
        self.answer_lost = False
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near = self._door.accept()[0]
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        far = socket.socket(socket.AF_UNIX)
        far.connect(self._there)
        with near, far, selectors.DefaultSelector() as ready, suppress(OSError):
            for each in (near, far):
                ready.register(each, selectors.EVENT_READ)
            while all(self._relay(near, far, key.fileobj) for key, _ in ready.select()):
                pass

    def _relay(self, near: socket.socket, far: socket.socket, speaker: object) -> bool:
        """Relay data from one side to the other; return whether the connection is still open."""
        data = (near if speaker is near else far).recv(1 << 16)
        if speaker is far:
            near.sendall(data)
            return bool(data)
        cut = self.cut is not None and self.cut(len(self.messages), data)
        self.messages.append(data)
        if cut:
            self.cut = None
        if data and (not cut or self.answer_lost):
            far.sendall(data)
        if cut and self.answer_lost:
            far.settimeout(ANSWERS)  # data sent with others has no response of its own
            far.recv(1 << 16)
        return bool(data) and not cut


Cuttable = tuple[Path, str, CutConnection]


@pytest.fixture
def cut_lines(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Cuttable]]:
    """Function that creates classes with databases behind a connection that can be cut."""
    databases, lines = dict[Path, str](), list[CutConnection]()
    monkeypatch.setattr(session_client, "databases", databases)

    def made(name: str) -> Cuttable:
        path, scale = start_class(tmp_path / name)
        databases[path] = postgres.database().replace(str(postgres.folder), str(path.parent))
        lines.append(CutConnection(postgres, path.parent))
        return path, scale, lines[-1]

    yield made
    for line in lines:
        line.close()


def test_nothing_is_lost_or_doubled_when_the_connection_to_a_database_is_cut(
    cut_lines: Callable[[str], Cuttable], full: bool
) -> None:
    def session(
        name: str, cut: Callable[[int, bytes], bool] | None, answer_lost: bool
    ) -> tuple[list[bytes], list[int]]:
        path, scale, line = cut_lines(name)
        with run_server(path) as server:
            ann = Person(server, "Ann")
            line.messages.clear()
            line.cut, line.answer_lost = cut, answer_lost
            refused = judge(ann, scale)
            messages, line.cut = list(line.messages), None
        check(path, ann)
        return messages, refused

    messages, _ = session("clean", None, False)
    commits = [number for number, each in enumerate(messages) if b"COMMIT" in each]
    assert len(commits) >= 7
    refused = list[int]()
    for number in range(len(messages)) if full else commits[2:3]:
        for answer_lost in (False, True):
            refused += session(
                f"{number}-{answer_lost}",
                lambda position, _, number=number: position == number,
                answer_lost,
            )[1]  # type: ignore[misc]
    print(  # noqa: T201
        f"\n{len(messages)} messages, {len(commits)} commits; {len(refused)} answers were refusals"
    )
    assert set(refused) == {503}


@pytest.mark.parametrize("arrived", [False, True])
def test_an_unknown_outcome_of_a_commit_is_reported_as_unknown(
    cut_lines: Callable[[str], Cuttable], arrived: bool
) -> None:
    path, scale, line = cut_lines("class")
    with run_server(path) as server:
        ann = Person(server, "Ann")
        ann.sync(want=1)
        ann.grade(ann.open_items()[0], 2, scale)
        line.cut, line.answer_lost = lambda _, message: b"COMMIT" in message, arrived
        answer = ann.try_call("/sync", {"client": ann.client, "actions": ann.outbox})
        assert answer.status == 503 and "Cannot determine" in answer.json["problem"]
        assert ann.sync()["acknowledged"] == 1 and ann.sync()["count"] == 1
