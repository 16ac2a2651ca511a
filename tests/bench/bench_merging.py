"""Merging the work of a hundred assessors: 100 files of 1,000 events into one project."""

import shutil
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path

import pytest

from irjudge.exchange import AssignmentOptions, assign_pool, merge_files, parse_candidates
from irjudge.model import Document, Event, Item, Scale, make_run
from irjudge.store import create_project, open_project
from tests.pools import depth_pool

ASSESSORS, EVENTS, TOPICS, OVERLAP = 100, 1000, 50, 4
DOCUMENTS = ASSESSORS * EVENTS // OVERLAP // TOPICS
MAX_SECONDS = 10.0  # seconds


@pytest.fixture(scope="module")
def assigned_project(tmp_path_factory) -> tuple[Path, list[Path]]:
    """A project of 25,000 pairs, each assigned to four of a hundred assessors."""
    folder = tmp_path_factory.mktemp("merging")
    path = folder / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3"), owner="teacher") as project:
        names = [f"t{topic}d{number}" for topic in range(TOPICS) for number in range(DOCUMENTS)]
        project.collection.add_documents(
            Document(name, f"text of {name}".encode()) for name in names
        )
        rows = [
            (str(topic), f"t{topic}d{number}", -float(number))
            for topic in range(TOPICS)
            for number in range(DOCUMENTS)
        ]
        project.rankings.add_run(make_run("run", rows))
        project.rankings.add_pool(depth_pool([project.rankings.run("run")], DOCUMENTS))
    people = ",".join(f"assessor {number:03}" for number in range(ASSESSORS))
    with open_project(path) as project:
        begin = time.perf_counter()
        made = assign_pool(
            project, parse_candidates(people), AssignmentOptions(overlap=OVERLAP), folder / "out"
        )
        print(  # noqa: T201
            f"\nAssigned {ASSESSORS} files of {EVENTS:,} documents in {time.perf_counter() - begin:.1f} s"
        )
    files = [each.path for each in made.files]
    for file in files:
        judge_all(file)
    return path, files


def judge_all(path: Path, count: int = EVENTS) -> None:
    """Write judgments in one commit, since single commits would take minutes."""
    with open_project(path) as task:
        head, scale = None, task.scale.version
        items = task.assignments.items(1)
        digests = task.collection.digests([item.documents[0] for item in items])
        with task.transaction():
            for number, item in zip(range(count), cycle(items), strict=False):
                shown = Item(item.topic, item.documents, (digests[item.documents[0]],))
                payload = {"value": number % 4, "scale": scale, "active_ms": 5000 + number}
                when = f"2026-03-{1 + number // 86400:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"
                event = Event(task.owner, "grade", shown, when, payload, None, head)
                task.events.append(event)
                head = event.digest


def test_a_hundred_files_are_merged_in_time(bench, assigned_project, tmp_path):
    path, files = assigned_project
    seconds = []
    for again in range(2):
        project = Path(shutil.copy(path, tmp_path / f"p{again}.irjudge"))
        with open_project(project) as opened:
            begin = time.perf_counter()
            merged = merge_files(opened, files)
            seconds.append(time.perf_counter() - begin)
            assert sum(each.new for each in merged.reports) == ASSESSORS * EVENTS
            begin = time.perf_counter()
            same = merge_files(opened, files)
            repeated = time.perf_counter() - begin
            assert sum(each.identical for each in same.reports) == ASSESSORS * EVENTS
    rows = [
        ("the first time", min(seconds), 1e6 * min(seconds) / ASSESSORS / EVENTS),
        ("again", repeated, 1e6 * repeated / ASSESSORS / EVENTS),
    ]
    bench.show(
        f"Merge {ASSESSORS} files of {EVENTS:,} events",
        ["", "seconds", "microseconds an event"],
        rows,
    )
    assert min(seconds) < MAX_SECONDS


LONG_LOG, MOST_MB = 990_000, 800
MERGE = """
import sys
from pathlib import Path
from irjudge.exchange.merging import merge_files
from irjudge.store.project import open_project
with open_project(Path(sys.argv[1])) as project:
    merge_files(project, [Path(sys.argv[2])])
status = Path("/proc/self/status").read_text().splitlines()  # `ru_maxrss` of a program begins with what the one that started it had
print(next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024)
"""


def test_one_file_of_a_million_events_is_merged_in_time(bench, assigned_project, tmp_path):
    path, files = assigned_project
    project, task = (Path(shutil.copy(each, tmp_path / each.name)) for each in (path, files[0]))
    judge_all(task, LONG_LOG)
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", MERGE, project, task], check=True, capture_output=True, text=True
    )
    seconds, peak_memory = time.perf_counter() - begin, float(done.stdout)
    size = task.stat().st_size / 1e6
    bench.show(
        f"Merge one file of {LONG_LOG:,} events",
        ["seconds", "MB", "MB in memory for each of the file"],
        [(seconds, peak_memory, peak_memory / size)],
    )
    assert peak_memory < MOST_MB
