"""Browser pages: time to write and size; merging of results, and of files made to be slow."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from irjudge.exchange import AssignmentOptions, assign_pool, merge_files, parse_candidates
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import create_project, open_project
from irjudge.web import HTML
from tests.engine.exchange.browser_results import Browser
from tests.engine.web.page_parser import read_task
from tests.pools import depth_pool

TOPICS, OF_TOPIC = 20, 50
WORDS = "the tide of the sea follows the moon twice a day while boats in the harbour wait for water below their keels ".split()
PAGES = ((3, 5.0), (50, 45.0))  # megabytes of text, and the maximum number of seconds to write them
ACTIONS, MERGED_IN = 10_000, 10.0  # of one result, and the maximum number of seconds to merge it
HOSTILE_BYTES, REFUSED_IN, MOST_MEMORY = 100_000_000, 20.0, 1_500_000_000


def make_class(path: Path, megabytes: int) -> None:
    """Create a project of 1,000 documents with a given size of text."""
    each = megabytes * 1_000_000 // (TOPICS * OF_TOPIC)
    names = [
        (f"t{topic}", f"t{topic}d{number}") for topic in range(TOPICS) for number in range(OF_TOPIC)
    ]
    with create_project(path, scale=Scale.parse("0-3"), owner="teacher") as project:
        project.collection.add_topics(
            Topic(f"t{topic}", f"tides in harbour {topic}") for topic in range(TOPICS)
        )
        for index, (_, name) in enumerate(names):
            text = " ".join([*WORDS[index % 20 :], str(index)] * (each // 100))[:each]
            project.collection.add_documents([Document(name, text.encode(), f"Title {index}")])
        project.rankings.add_run(
            make_run(
                "run", [(topic, name, -float(index)) for index, (topic, name) in enumerate(names)]
            )
        )
        project.rankings.add_pool(depth_pool([project.rankings.run("run")], OF_TOPIC))


@pytest.mark.parametrize(("megabytes", "at_most"), PAGES)
def test_a_page_is_written_in_time_and_little_larger_than_its_texts(
    tmp_path: Path, megabytes: int, at_most: float
) -> None:
    make_class(tmp_path / "p.irjudge", megabytes)
    with open_project(tmp_path / "p.irjudge") as project:
        begin = time.perf_counter()
        (made,) = assign_pool(
            project,
            parse_candidates("ann"),
            AssignmentOptions(),
            tmp_path / "out",
            file_format=HTML,
        ).files
        seconds = time.perf_counter() - begin
    size = made.path.stat().st_size / 1e6
    print(f"\n{megabytes} MB of text: a page of {size:.1f} MB in {seconds:.1f} s")  # noqa: T201
    assert seconds < at_most and size < 1.5 * megabytes + 1


def test_a_long_result_is_merged_in_time(tmp_path: Path) -> None:
    make_class(tmp_path / "p.irjudge", 1)
    with open_project(tmp_path / "p.irjudge") as project:
        (made,) = assign_pool(
            project,
            parse_candidates("ann"),
            AssignmentOptions(),
            tmp_path / "out",
            file_format=HTML,
        ).files
        browser = Browser(read_task(made.path))
        for number in range(ACTIONS):
            browser.grade(number % (TOPICS * OF_TOPIC), number % 4)
        path = browser.save(tmp_path / "ann.result.json")
        begin = time.perf_counter()
        merged = merge_files(project, [path])
        first = time.perf_counter() - begin
        begin = time.perf_counter()
        again = merge_files(project, [path])
        second = time.perf_counter() - begin
    size = path.stat().st_size / 1e6
    print(  # noqa: T201
        f"\n{ACTIONS:,} actions ({size:.0f} MB) merged in {first:.1f} s, known again in {second:.1f} s"
    )
    assert (
        merged.reports[0].new + merged.reports[0].superseded
        == again.reports[0].identical
        == ACTIONS
    )
    assert max(first, second) < MERGED_IN


HEADER = '{"irjudge":"result","version":1,"assignment":"a","origin":{},"actions":['
HOSTILE: dict[str, Callable[[], str]] = {
    "brackets in a list": lambda: HEADER + "[]," * (HOSTILE_BYTES // 3) + "[]]}",
    "lines of brackets": lambda: HEADER + "\n" + "[[]],\n" * (HOSTILE_BYTES // 6) + "]}",
    "one long line": lambda: HEADER + "\n" + '["' + "x" * HOSTILE_BYTES + '"]\n]}',
    "nested": lambda: '{"irjudge":"result","version":1,"assignment":' + "[" * HOSTILE_BYTES,
    "a long number": lambda: '{"irjudge":"result","version":' + "9" * HOSTILE_BYTES + "}",
    "no line at all": lambda: "{" + '"a":1,' * (HOSTILE_BYTES // 6),
}
READ = """
import sys
from pathlib import Path
from irjudge.exchange.result_file import make_log, read_result
from irjudge.errors import ProjectError
try:
    print(len(make_log(read_result(Path(sys.argv[1])), "ann", {})), "actions")
except ProjectError as error:
    print(error)
print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')) + '000')
"""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hundred_megabytes_of_malformed_json_are_refused_in_time(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "strange.json"
    path.write_text(HOSTILE[name]())
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True
    )
    seconds, (output, memory) = time.perf_counter() - begin, done.stdout.strip().rsplit("\n", 1)
    print(f"\n{name}: {seconds:.1f} s, {int(memory) / 1e6:,.0f} MB: {output[:120]}")  # noqa: T201
    assert seconds < REFUSED_IN and int(memory) < MOST_MEMORY
