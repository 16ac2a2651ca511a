"""Tests of durability: acknowledged judgments survive kills and copies, and are synced first."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from irjudge.judging import list_judged_rows
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import create_project, open_project
from tests.pools import depth_pool

DRIVER = Path(__file__).parent / "judge_until_killed.py"
DOCUMENTS = 3000
MIN_JUDGMENTS = 11  # acknowledged before each kill

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX"),
]


@pytest.fixture(scope="module")
def large_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with more documents than are judged during a test."""
    path = tmp_path_factory.mktemp("kill") / "fresh.irjudge"
    names = [f"d{number}" for number in range(DOCUMENTS)]
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_topics([Topic("1", "tides")])
        project.collection.add_documents(
            Document(name, f"Text of {name}.".encode()) for name in names
        )
        project.rankings.add_pool(
            depth_pool(
                [make_run("a", [("1", name, float(-index)) for index, name in enumerate(names)])],
                DOCUMENTS,
            )
        )
    return path


@pytest.fixture
def project_path(large_project: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(large_project, tmp_path / "work.irjudge"))


def start_judging(project_path: Path, *before: str) -> subprocess.Popen[str]:
    command = [
        *before,
        sys.executable,
        str(DRIVER),
        str(project_path),
        str(project_path.with_name("settings.ini")),
    ]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        start_new_session=True,
    )


def parse_acknowledged(lines: str) -> dict[tuple[str, str], int]:
    """Return the complete lines; a line cut by the kill was not acknowledged."""
    fields = [line.split() for line in lines.splitlines(keepends=True) if line.endswith("\n")]
    return {(topic, document): int(grade) for topic, document, grade in fields}


def read_saved(project_path: Path) -> dict[tuple[str, str], int]:
    with open_project(project_path) as project:
        verdict = project.verify()
        assert verdict.problems == ()
        rows = {(topic, document): grade for topic, document, grade in list_judged_rows(project)}
        assert verdict.events == len(rows), "an event is doubled or lost"
        return rows


def test_no_kill_loses_an_acknowledged_judgment(
    project_path: Path, large_project: Path, tmp_path: Path, full: bool
) -> None:
    """Copies taken while judging have every acknowledged judgment as well."""
    chance = random.Random(20)
    acknowledged: dict[tuple[str, str], int] = {}
    kills = most_events = 0
    for number in range(300 if full else 2):
        kills += 1
        process = start_judging(project_path)
        # however slow the machine is
        acknowledged |= read_acknowledged(process, MIN_JUDGMENTS)
        for copy in range(5 if number == 0 else 0):
            acknowledged |= read_acknowledged(process, MIN_JUDGMENTS)
            check_copy(process, project_path, tmp_path / f"copy{copy}.irjudge", acknowledged)
        time.sleep(chance.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        acknowledged |= parse_acknowledged(process.stdout.read())
        process.stdout.close()
        process.wait()
        saved = read_saved(project_path)
        assert acknowledged.items() <= saved.items()
        assert len(saved) - len(acknowledged) <= kills, (
            "at most one judgment a kill can be on disk and not said yet"
        )
        most_events = max(most_events, len(acknowledged))
        if len(saved) > DOCUMENTS - 500:  # otherwise nothing would be left to judge
            shutil.copy(large_project, project_path)
            acknowledged, kills = {}, 0
    assert most_events > 20


def read_acknowledged(process: subprocess.Popen[str], count: int) -> dict[tuple[str, str], int]:
    """Wait for a number of acknowledged judgments."""
    return parse_acknowledged("".join(process.stdout.readline() for _ in range(count)))


def check_copy(
    process: subprocess.Popen[str],
    project_path: Path,
    copy: Path,
    acknowledged: dict[tuple[str, str], int],
) -> None:
    """Copy the project between two keys of a user, when nothing is being written."""
    process.send_signal(signal.SIGSTOP)
    try:
        shutil.copy(project_path, copy)
        journal = project_path.with_name(project_path.name + "-journal")
        busy = journal.exists() and journal.stat().st_size > 0
        if not busy:
            assert acknowledged.items() <= read_saved(copy).items()
    finally:
        process.send_signal(signal.SIGCONT)


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_judgment_is_synced_before_it_is_acknowledged(project_path: Path, tmp_path: Path) -> None:
    """A kill does not show this, since the system keeps written data; system calls do."""
    trace = tmp_path / "trace"
    process = start_judging(
        project_path,
        "strace",
        "-f",
        "--seccomp-bpf",
        "-qq",
        "-e",
        "trace=fsync,fdatasync,write",
        "-s",
        "32",
        "-o",
        str(trace),
    )
    for _ in range(20):
        assert process.stdout.readline()
    os.killpg(process.pid, signal.SIGKILL)  # and the process that strace started
    process.stdout.close()
    process.wait()
    synced, acknowledged = 0, 0
    for line in trace.read_text().splitlines():
        if re.search(r"\b(fsync|fdatasync)\(\d+\)\s+= 0", line):
            synced += 1
        elif re.search(r'write\(1, "1 d\d+ \d', line):
            assert synced >= 2, (
                "a judgment was acknowledged before the journal and the file were synced"
            )
            synced, acknowledged = 0, acknowledged + 1
    assert acknowledged >= 20
