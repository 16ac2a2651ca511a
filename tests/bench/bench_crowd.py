"""A crowd of 2,000 participants at two servers with one PostgreSQL database: sustained rates.

Run it by name: python -m pytest tests/bench/bench_crowd.py -s (`--full` for 30 and 5 kills)

PostgreSQL's data are on the disk of TMPDIR, which is printed; a file system in memory fails, since
nothing is durable there.

Participants are clients in `crowd_clients.py`, another process; each judges again as soon as its
turn in the offered rate comes.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from irjudge.exchange import merge_sessions
from irjudge.judging import project_labels
from irjudge.store import open_project
from irjudge.store.connection import Connection
from irjudge.web import read_sessions
from tests.engine.exchange.classroom import build_class
from tests.engine.web import session_client
from tests.engine.web.test_server import ServerProcess
from tests.lengths import short_or_long
from tests.postgres import Postgres

PEOPLE, SECONDS = 2000, float(os.environ.get("IRJUDGE_BENCH_SECONDS", "20"))
BEHIND = ("--trust-proxy", "127.0.0.1")  # each client states its address
CLIENTS = Path(__file__).with_name("crowd_clients.py")


def disk_of(path: Path) -> str:
    """Return the disk of a path; fail if it is in memory, where no commit is durable."""
    disks = {Path(each.mountpoint): each for each in psutil.disk_partitions(all=True)}
    disk = next(disks[folder] for folder in (path, *path.parents) if folder in disks)
    assert disk.fstype not in ("tmpfs", "ramfs"), (
        f"{path} is in memory; let TMPDIR name a folder on a disk"
    )
    return f"{disk.device} ({disk.fstype})"


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    server = Postgres(within=tempfile.gettempdir())
    yield server
    server.close()


@pytest.fixture
def project(tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "crowd.irjudge"
    build_class(path, topics=tuple(map(str, range(100))), documents=200)
    monkeypatch.setattr(session_client, "databases", {path: postgres.database()})
    return path


@contextmanager
def print_shares(
    served: list[ServerProcess], postgres: Postgres, clients: psutil.Process
) -> Iterator[dict[str, float]]:
    """Print the processor seconds of clients, servers and database."""
    groups = {
        "servers": [psutil.Process(each.process.pid) for each in served],
        "clients": [clients],
    }
    before = {name: sum(map(spent, group)) for name, group in groups.items()}
    begun = time.monotonic()
    base = processor_seconds(psutil.Process(postgres.pid))
    shares: dict[str, float] = {}
    yield shares
    seconds = time.monotonic() - begun
    shares |= {
        name: (sum(map(spent, group)) - before[name]) / seconds for name, group in groups.items()
    }
    shares["database"] = (processor_seconds(psutil.Process(postgres.pid)) - base) / seconds


def spent(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def processor_seconds(process: psutil.Process) -> float:
    """Return the processor seconds of a process and its descendants, including ended ones."""
    ended = process.cpu_times()
    return (
        spent(process)
        + float(ended.children_user + ended.children_system)
        + sum(map(spent, process.children(recursive=True)))
    )


class Crowd:
    """The process of the clients: it is told a rate, offers it, and reports the result."""

    def __init__(self, served: list[ServerProcess], scale: str, people: int = PEOPLE) -> None:
        arguments = [
            sys.executable,
            str(CLIENTS),
            served[0].code,
            scale,
            str(people),
            *(str(each.port) for each in served),
        ]
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.read_report()

    def read_report(self) -> dict[str, object]:
        assert self.process.stdout
        report: dict[str, object] = json.loads(self.process.stdout.readline())
        return report

    def offer(self, rate: float, seconds: float) -> None:
        self.say({"rate": rate, "seconds": seconds})

    def say(self, message: dict[str, object]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def end(self) -> set[tuple[str, int]]:
        self.say({})
        saved = self.read_report()["saved"]
        assert isinstance(saved, list)
        self.process.communicate()
        return {(str(client), int(number)) for client, number in saved}


def check(path: Path, saved: set[tuple[str, int]], overlap: int) -> None:
    """Check that acknowledged judgments are stored once, and that the overlap is not exceeded."""
    assert session_client.databases is not None
    with (
        open_project(path) as opened,
        read_sessions(session_client.databases[path], opened) as copies,
    ):
        begun = time.monotonic()
        merge_sessions(opened, copies, backup=False)
        print(f"merged in {time.monotonic() - begun:.1f} s")  # noqa: T201
    with open_project(path, writing=False) as opened:
        stored_events = [(event.client, event.number) for event in opened.events.read()]
        assert len(stored_events) == len(set(stored_events)) and saved <= set(stored_events)
        votes = Counter(project_labels(opened).item.tolist())
        print(  # noqa: T201
            f"{len(stored_events):,} kept, {len(saved):,} acknowledged, at most {max(votes.values())} of a document"
        )
        assert max(votes.values()) <= overlap


def test_a_crowd_of_two_thousand(project: Path, postgres: Postgres) -> None:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    served = [ServerProcess(project, "--overlap", "5", *BEHIND) for _ in range(2)]
    print(  # noqa: T201
        f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {PEOPLE:,} people; PostgreSQL on {disk_of(postgres.folder)}"
    )
    measure_bare_commits(postgres)
    crowd = Crowd(served, scale)
    for rate in (80, 250, 900):
        with print_shares(served, postgres, psutil.Process(crowd.process.pid)) as shares:
            crowd.offer(rate, SECONDS)
            report = crowd.read_report()
        cores = ", ".join(f"{name} {share:.2f}" for name, share in shares.items())
        print(  # noqa: T201
            f"{rate} a second offered: {report['text']}; cores: {cores}; load {os.getloadavg()[0]:.1f}"
        )
    saved = crowd.end()
    for each in served:
        each.kill(signal.SIGINT)
    check(project, saved, 5)


def test_kills_in_a_crowd(project: Path, postgres: Postgres) -> None:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    served = [ServerProcess(project, "--overlap", "5", *BEHIND) for _ in range(2)]
    ports = [each.port for each in served]
    crowd = Crowd(served, scale, people=PEOPLE)
    servers, databases = short_or_long(6, 30), short_or_long(2, 5)
    seconds = (servers + databases) * 3.0
    crowd.offer(250, seconds)
    begun = time.monotonic()
    every = (servers + databases) // databases
    for turn in range(servers + databases):
        time.sleep(max(0.0, turn * 3.0 + 1.0 - (time.monotonic() - begun)))
        if turn % every == every - 1 and turn // every < databases:
            postgres.stop(signal.SIGKILL)
            postgres.start()
        else:
            served[turn % 2].kill()
            served[turn % 2] = ServerProcess(project, "--port", str(ports[turn % 2]), *BEHIND)
    print(  # noqa: T201
        f"\n{servers} kills of a server, {databases} of the database on {disk_of(postgres.folder)}: {crowd.read_report()['text']}"
    )
    saved = crowd.end()
    for each in served:
        each.kill(signal.SIGINT)
    check(project, saved, 5)


def measure_bare_commits(postgres: Postgres) -> None:
    """Print the number of single-row commits per second that the database makes durable."""
    with psycopg.connect(postgres.database(), autocommit=True) as connection:
        connection.execute("CREATE TABLE bare (number integer)")
        begun, count = time.monotonic(), 0
        while time.monotonic() - begun < 3:
            connection.execute("INSERT INTO bare VALUES (%s)", (count,))
            count += 1
    print(f"bare commits of PostgreSQL: {count / 3:.0f} a second")  # noqa: T201


def test_sqlite_carries_a_quarter_of_its_bare_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_client, "databases", None)
    path = tmp_path / "class.irjudge"
    build_class(path, topics=tuple(map(str, range(100))), documents=200)
    with open_project(path) as opened:
        scale = opened.scale.version
        begun, count = time.monotonic(), 0
        while time.monotonic() - begun < 3:
            opened.set_setting("bench", str(count))
            count += 1
        bare = count / 3
        assert isinstance(opened._db, Connection)
    served = [ServerProcess(path, "--overlap", "5", *BEHIND)]
    crowd = Crowd(served, scale, people=200)
    crowd.offer(2000, SECONDS)
    report = crowd.read_report()
    saved = crowd.end()
    served[0].kill(signal.SIGINT)
    with open_project(path, writing=False) as opened:
        stored_events = [(event.client, event.number) for event in opened.events.read()]
    assert saved <= set(stored_events) and len(stored_events) == len(set(stored_events))
    print(  # noqa: T201
        f"\nSQLite on {disk_of(path)}: {bare:.0f} bare durable commits a second; {report['text']}; load {os.getloadavg()[0]:.1f}"
    )
    assert float(str(report["reached"])) >= bare / 4
