"""Tests of durability: acknowledged events after kill -9 and in copies; fast opening."""

import random
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from irjudge.model import Document, Scale
from irjudge.store import create_project, open_project
from tests.lengths import measure_seconds, takes_less_than

JUDGE = """
import sys
from pathlib import Path
from irjudge.judging.session import Session
from irjudge.model.scale import Scale
from irjudge.store.project import create_project, open_project
with open_project(Path(sys.argv[1])) as project:
    session = Session(project)
    work = session.current() or session.open_topic("051")
    number = 0
    while True:
        number += 1
        event = session.undo() if number % 5 == 0 else session.grade(work, number % 4)
        print(session.head, flush=True)
"""

AT_LEAST = 3  # acknowledged events before each kill


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_every_acknowledged_event_survives_kill_9(project_file: Path, full: bool) -> None:
    acknowledged: set[str] = set()
    moments = random.Random(7)
    for kill in range(1, 101 if full else 4):
        process = subprocess.Popen(
            [sys.executable, "-c", JUDGE, str(project_file)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(AT_LEAST)]  # on a machine of any speed
        killer = threading.Timer(moments.uniform(0, 0.08), process.kill)
        killer.start()
        lines = [*first, *process.stdout]
        killer.join()
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "the judge stopped by itself"
        acknowledged.update(line.strip() for line in lines if line.endswith("\n"))
        with open_project(project_file) as project:
            events = [event.digest for event in project.events.read()]
            assert acknowledged <= set(events)
            assert (
                len(events) - len(acknowledged) <= kill
            )  # written, and killed before it could report
            assert project.verify().problems == ()
    assert len(acknowledged) >= AT_LEAST * kill


STOP_HALFWAY = """
import os, signal, sys
from pathlib import Path
from irjudge.model.documents import Document
from irjudge.model.scale import Scale
from irjudge.store.project import create_project, open_project
with open_project(Path(sys.argv[1])) as project, project.transaction():
    project.set_setting("half", "done")
    project.collection.add_documents(Document(f"new{number}", os.urandom(50_000)) for number in range(200))
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
@pytest.mark.parametrize("writing", [True, False])
def test_a_change_killed_halfway_is_rolled_back_at_the_next_opening(
    project_file: Path, writing: bool
) -> None:
    before = project_file.read_bytes()
    subprocess.run([sys.executable, "-c", STOP_HALFWAY, str(project_file)], check=False)
    assert project_file.with_name("small.irjudge-journal").exists()
    assert project_file.read_bytes() != before
    with open_project(project_file, writing=writing) as project:
        assert (project.get_setting("half"), project.collection.document_count()) == (None, 12)
        assert project.verify().problems == ()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
@pytest.mark.parametrize("how", ["create", "copy"])
def test_the_journal_of_a_previous_project_does_not_affect_a_new_one(
    project_file: Path, how: str
) -> None:
    subprocess.run([sys.executable, "-c", STOP_HALFWAY, str(project_file)], check=False)
    journal = project_file.with_name("small.irjudge-journal")
    journal_bytes, elsewhere = journal.read_bytes(), project_file.with_name("elsewhere.irjudge")
    project_file.unlink()
    with create_project(
        elsewhere if how == "copy" else project_file, scale=Scale.parse("0-3"), title="Second"
    ) as project:
        project.collection.add_documents(
            Document(f"e{number}", b"y" * 2000) for number in range(300)
        )
    if how == "copy":
        with open_project(elsewhere) as project:
            project.copy_to(project_file)
    with open_project(project_file) as project:
        assert (project.title, project.collection.document_count(), project.verify().problems) == (
            "Second",
            300,
            (),
        )
    assert journal.with_name(journal.name + ".old").read_bytes() == journal_bytes


def test_a_copy_taken_while_the_file_is_open_has_every_committed_change(project_file: Path) -> None:
    copy = project_file.with_name("copy")
    with open_project(project_file) as project:
        for number in range(20):
            project.set_setting("number", str(number))
            shutil.copy(project_file, copy)
            with open_project(copy) as copied:
                assert copied.get_setting("number") == str(number)
                assert number % 5 or copied.verify().problems == ()


@pytest.mark.slow
def test_a_project_with_many_documents_opens_quickly(project_file: Path, full: bool) -> None:
    count = 100_000 if full else 10_000
    small = min(measure_seconds(lambda: open_and_read(project_file, "d1", b"")) for _ in range(5))
    with open_project(project_file) as project:
        project.collection.add_documents(
            Document(f"doc{number}", f"text {number} ".encode() * 5) for number in range(count)
        )
    assert takes_less_than(
        2 * small + count / 100_000,
        lambda: open_and_read(project_file, f"doc{count - 1}", b"text %d" % (count - 1)),
    )


def open_and_read(path: Path, document: str, begins: bytes) -> None:
    with open_project(path) as project:
        assert project.collection.document(document).body.startswith(begins)
        assert project.title == "Small"
