"""Whatever call of a store of sessions fails: its people hear of it, what was acknowledged is there, and the next try counts once.

A project's calls to the disk fail by the system itself, a database's line is cut between any two messages, with the answer lost or not.
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
from tests.engine.web import browsing
from tests.engine.web.browsing import Person, pull, serving
from tests.engine.web.test_server import Served
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


def begun(folder: Path) -> tuple[Path, str]:
    """Make a class in a new folder; return its project and the version of its scale."""
    folder.mkdir()
    path = folder / "class.irjudge"
    build_class(path)
    with open_project(path, writing=False) as opened:
        return path, opened.scale.version


def send(person: Person) -> list[int]:
    """Send what waits, and take a place, until it is acknowledged; return the statuses that came before."""
    refused = list[int]()
    while True:
        try:
            person.sync(want=1)
        except AssertionError as fault:
            refused.append(fault.args[0][0])
            if len(refused) == TRIES:
                raise
        else:
            return refused


def judge(person: Person, scale: str) -> list[int]:
    """Give grades, take one back and write notes, each sent by itself; return the statuses of what was refused meanwhile."""
    refused = send(person)
    for turn in range(3):
        place = person.open_places()[0]
        done = person.grade(place, turn, scale)
        refused += send(person)
        if turn == 1:
            person.undo(done)
            refused += send(person)
        person.act("note", person.items[place], {"text": f"note {turn}"})
        refused += send(person)
    return refused


def check(path: Path, person: Person) -> None:
    """All that was acknowledged is there, once, in order, and nothing else of them."""
    with open_project(pull(path), writing=False) as opened:
        kept = Counter((event.client, event.number) for event in opened.events.read())
        assert opened.verify().problems == ()
    assert (
        kept == Counter((each["client"], each["number"]) for each in person.saved)
        and len(person.saved) == 7
    )


@contextmanager
def struck(project: Path, trace: Path, *inject: str) -> Iterator[Person]:
    """Somebody at `irjudge serve`, of which strace follows every call, and lets one of them fail."""
    served = Served(project)
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
        assert "Traceback" not in served.strike(signal.SIGINT)
    finally:
        with suppress(ProcessLookupError):
            served.process.send_signal(signal.SIGKILL)


def calls_of(project: Path, scale: str, trace: Path) -> list[tuple[str, int]]:
    """Return each call that a class makes on its file while somebody judges: its name, and as the how manieth of its name."""
    with struck(project, trace) as person:
        judge(person, scale)
    found, seen = list[tuple[str, int]](), Counter[str]()
    for call, rest in (
        match.groups()
        for match in map(CALL.match, trace.read_text(errors="replace").splitlines())
        if match
    ):
        seen[call] += 1
        if project.name in rest and (call != "openat" or "O_CREAT" in rest):
            found.append((call, seen[call]))
    return found


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_whatever_call_of_a_server_fails_its_people_hear_of_it_and_send_again(
    tmp_path: Path, full: bool
) -> None:
    chance = random.Random(5)

    found = calls_of(*begun(tmp_path / "clean"), tmp_path / "trace")
    assert {"pwrite64", "fdatasync", "unlink"} <= {call for call, _ in found}
    refused = Counter[int]()
    for number, (call, when) in enumerate(
        found if full else [next(each for each in found if each[0] == "fdatasync")]
    ):
        path, scale = begun(tmp_path / str(number))
        kind = chance.choice(FAULTS[call]) if full else "EIO"
        how = "delay_exit=400000" if kind == "slow" else f"error={kind}"
        with struck(path, tmp_path / "trace", "-e", f"inject={call}:{how}:when={when}") as person:
            told = judge(person, scale)
        refused.update(told)
        assert 500 not in told, (call, when, kind)
        check(path, person)
    print(f"\n{len(found)} calls, {'all' if full else 'one'} struck, refused: {dict(refused)}")  # noqa: T201
    assert set(refused) == {503}


class CutLine:
    """A line to PostgreSQL that is cut once: at a message of the server's, before it arrives there, or when its answer comes back."""

    def __init__(self, postgres: Postgres, folder: Path) -> None:
        self._there = str(postgres.folder / ".s.PGSQL.5432")
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / ".s.PGSQL.5432"))
        self._door.listen()
        self.messages = list[bytes]()
        # by the place and the bytes of a message
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
            while all(self._pass(near, far, key.fileobj) for key, _ in ready.select()):
                pass

    def _pass(self, near: socket.socket, far: socket.socket, speaker: object) -> bool:
        """Carry what one side says to the other; tell whether the line is still whole."""
        said = (near if speaker is near else far).recv(1 << 16)
        if speaker is far:
            near.sendall(said)
            return bool(said)
        cut = self.cut is not None and self.cut(len(self.messages), said)
        self.messages.append(said)
        if cut:
            self.cut = None
        if said and (not cut or self.answer_lost):
            far.sendall(said)
        if cut and self.answer_lost:
            far.settimeout(ANSWERS)  # what travels with others has no answer of its own
            far.recv(1 << 16)
        return bool(said) and not cut


Cuttable = tuple[Path, str, CutLine]


@pytest.fixture
def cut_lines(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Cuttable]]:
    """Make classes, each kept in a database of its own behind a line that can be cut."""
    databases, lines = dict[Path, str](), list[CutLine]()
    monkeypatch.setattr(browsing, "databases", databases)

    def made(name: str) -> Cuttable:
        path, scale = begun(tmp_path / name)
        databases[path] = postgres.database().replace(str(postgres.folder), str(path.parent))
        lines.append(CutLine(postgres, path.parent))
        return path, scale, lines[-1]

    yield made
    for line in lines:
        line.close()


def test_wherever_the_line_to_a_database_is_cut_nothing_is_lost_or_doubled(
    cut_lines: Callable[[str], Cuttable], full: bool
) -> None:
    def session(
        name: str, cut: Callable[[int, bytes], bool] | None, answer_lost: bool
    ) -> tuple[list[bytes], list[int]]:
        path, scale, line = cut_lines(name)
        with serving(path) as server:
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
                lambda place, _, number=number: place == number,
                answer_lost,
            )[1]  # type: ignore[misc]
    print(  # noqa: T201
        f"\n{len(messages)} messages, {len(commits)} commits; {len(refused)} answers were refusals"
    )
    assert set(refused) == {503}


@pytest.mark.parametrize("arrived", [False, True])
def test_who_cannot_know_whether_a_commit_arrived_says_so(
    cut_lines: Callable[[str], Cuttable], arrived: bool
) -> None:
    path, scale, line = cut_lines("class")
    with serving(path) as server:
        ann = Person(server, "Ann")
        ann.sync(want=1)
        ann.grade(ann.open_places()[0], 2, scale)
        line.cut, line.answer_lost = lambda _, message: b"COMMIT" in message, arrived
        answer = ann.try_call("/sync", {"client": ann.client, "actions": ann.outbox})
        assert answer.status == 503 and "Cannot determine" in answer.json["problem"]
        assert ann.sync()["acknowledged"] == 1 and ann.sync()["count"] == 1
