"""Tests of power cuts at any moment: every acknowledged judgment is there, once."""

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest

from irjudge.errors import IrjudgeError
from irjudge.store import open_project
from tests.engine.store.recorded_disk import (
    STRACE,
    Disk,
    Printed,
    Renamed,
    Step,
    Synced,
    Written,
    cut_power,
    parse_trace,
)

NAME = "work.irjudge"
JUDGE = """
import sys
from pathlib import Path
from irjudge.judging.session import Session
from irjudge.model.documents import Document
from irjudge.model.ranking import make_run
from irjudge.model.scale import Scale
from irjudge.model.documents import Topic
from tests.pools import depth_pool
from irjudge.store.project import create_project, open_project

path, topics, names = Path(sys.argv[1]), ("1", "2"), [f"d{number}" for number in range(12)]
run = make_run("run", [(topic, name, float(-place)) for topic in topics for place, name in enumerate(names)])

def print_line(what, name):
    sys.stdout.write(f"{what} {name}\\n")
    sys.stdout.flush()

with create_project(path, scale=Scale.parse("0-3"), owner="ann") as project:
    project.collection.add_topics([Topic(topic, f"About {topic}") for topic in topics])
    project.collection.add_documents(Document(name, f"Text of {name}. ".encode() * 40) for name in names)
    project.rankings.add_run(run)
    project.rankings.add_pool(depth_pool([run], 5))
print_line("pool", 1)
with open_project(path) as project:
    session = Session(project)
    for number in range(30):
        if number == 15:
            project.rankings.add_pool(depth_pool([run], 12))
            print_line("pool", 2)
            session = Session(project)
        work = session.advance() or session.open_topic("2")
        session.grade(work, number % 4, active_ms=number)
        print_line("event", session.head)
        if number % 5 == 1:
            session.note(work, "A note. " * (2000 if number == 21 else 3))
            print_line("event", session.head)
        if number % 7 == 3:
            session.undo()
            print_line("event", session.head)
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    """Return the steps of creating a project and judging in it: writes, names, syncs, output."""
    folder, trace = tmp_path_factory.mktemp("judged"), tmp_path_factory.mktemp("trace") / "trace"
    judge = [sys.executable, "-B", "-c", JUDGE, str(folder / NAME)]
    subprocess.run(
        [*STRACE, str(trace), *judge], check=True, stdout=subprocess.DEVNULL, timeout=120
    )
    return parse_trace(trace, folder)


def faults_after_cuts(steps: Sequence[Step], count: int, folder: Path) -> list[str]:
    """Cut the power `count` times and return the problems."""
    return [
        problem
        for disk, acknowledged in cut_power(steps, Disk(), count, random.Random(12))
        for problem in faults_of(disk, acknowledged, folder)
    ]


def faults_of(disk: dict[str, bytes], lines: Sequence[str], folder: Path) -> list[str]:
    """Open the files after a power cut, and compare them with the previous output."""
    folder.mkdir()
    for name, content in disk.items():
        (folder / name).write_bytes(content)
    try:
        if not lines and not (folder / NAME).exists():
            return []
        with open_project(folder / NAME) as project:
            events = [event.digest for event in project.events.read()]
            verdict, pools = project.verify(), project.rankings.pool_version()
    except IrjudgeError as error:
        return [str(error)]
    finally:
        shutil.rmtree(folder)
    acknowledged = [line.removeprefix("event ") for line in lines if line.startswith("event ")]
    faults = [
        *verdict.problems,
        *(f"{count} {kind} lost" for kind, count in verdict.lost.items() if count),
    ]
    if (
        events[: len(acknowledged)] != acknowledged or len(events) > len(acknowledged) + 1
    ):  # one may be written and not yet reported
        faults.append(f"{len(acknowledged)} events were acknowledged, {len(events)} are there")
    if pools < sum(line.startswith("pool ") for line in lines):
        faults.append("a pool is lost")
    return faults


def test_the_recording_has_a_whole_session(session: list[Step]) -> None:
    lines = [step.line for step in session if isinstance(step, Printed)]
    assert len(set(lines)) == len(lines) == 30 + 6 + 4 + 2
    disk = Disk()
    for step in session:
        disk.do(step)
    assert [name for name in disk.names if not name.endswith(".lock")] == [NAME]
    assert any(isinstance(step, Renamed) and f"{NAME}-journal" in step.names for step in session)


def test_no_power_cut_loses_doubles_or_damages_what_was_acknowledged(
    session: list[Step], tmp_path: Path, full: bool
) -> None:
    assert faults_after_cuts(session, 2000 if full else 40, tmp_path / "cut") == []


@pytest.mark.parametrize("left_out", ["all syncs", "syncs of the folder"])
def test_without_syncs_the_same_session_loses_judgments(
    session: list[Step], tmp_path: Path, left_out: str
) -> None:
    """Shows that the test above can fail.

    This is what synchronous = OFF would write, and FULL instead of EXTRA.
    """
    begin = next(number for number, step in enumerate(session) if isinstance(step, Printed))
    acknowledged = [
        step
        for step in session[begin:]
        if not (isinstance(step, Synced) and (left_out == "all syncs" or step.file is None))
    ]
    faults = faults_after_cuts([*session[:begin], *acknowledged], 40, tmp_path / "cut")
    assert any("were acknowledged" in problem for problem in faults)
    assert left_out != "all syncs" or any("damaged" in problem for problem in faults)


# A file of an older format

RELEASED = Path(__file__).parents[2] / "golden" / "released" / "8a36930.zip"
OPENED = """
import sys
from pathlib import Path
from irjudge.store.project import open_project

open_project(Path(sys.argv[1])).close()
print("opened")
"""


@pytest.fixture(scope="module")
def older_file() -> bytes:
    """Return a file written by a release."""
    with ZipFile(RELEASED) as released:
        return released.read("merged.irjudge")


@pytest.fixture(scope="module")
def opening_steps(older_file: bytes, tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    """Return the steps of opening a file of an older format: writes, names and syncs."""
    folder, trace = tmp_path_factory.mktemp("older"), tmp_path_factory.mktemp("trace") / "trace"
    (folder / NAME).write_bytes(older_file)
    opening = [sys.executable, "-B", "-c", OPENED, str(folder / NAME)]
    subprocess.run(
        [*STRACE, str(trace), *opening], check=True, stdout=subprocess.DEVNULL, timeout=120
    )
    return parse_trace(trace, folder, [NAME])


def faults_of_migrations(steps: Sequence[Step], before: bytes) -> Iterator[str]:
    """Cut the power during a migration, and yield the problems of the files."""
    for left, _ in cut_power(steps, Disk({0: before}, {NAME: 0}), 120, random.Random(7)):
        copies = {
            name: content
            for name, content in left.items()
            if ".form" in name and name.endswith(".irjudge")
        }
        yield from (f"{name} is not whole" for name, content in copies.items() if content != before)
        if left[NAME] != before and not copies:
            yield "the file was changed and there is no copy of it"


def test_no_power_cut_leaves_a_partial_or_missing_copy_of_an_older_file(
    opening_steps: list[Step], older_file: bytes
) -> None:
    assert any(isinstance(step, Written) and step.file == 0 for step in opening_steps)
    assert list(faults_of_migrations(opening_steps, older_file)) == []


def test_without_its_sync_the_copy_would_be_partial(
    opening_steps: list[Step], older_file: bytes
) -> None:
    """Shows that the test above can fail."""
    copied = next(
        index
        for index, step in enumerate(opening_steps)
        if isinstance(step, Synced) and step.file is not None
    )
    faults = list(
        faults_of_migrations([*opening_steps[:copied], *opening_steps[copied + 1 :]], older_file)
    )
    assert any("not whole" in each for each in faults)
