"""Tests that a process killed at any step of assignment does not prevent the next assignment."""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from irjudge.errors import CommitFailed, ProjectError
from irjudge.exchange import (
    ComparisonOptions,
    assign_comparison,
    assign_pool,
    pair_runs,
    parse_candidates,
    reassign,
)
from irjudge.store import Project, make_lock, open_project, remove_leftovers
from irjudge.store.connection import Connection
from tests.engine.exchange.classroom import OPTIONS, build_class, judge_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL and fork are of POSIX")

STEPS = ("open", "os.link", "os.rename", "os.remove", "os.mkdir", "sqlite3.connect", "fcntl.flock")
NAMES = ["ann.irtask", "bob.irtask", "cleo.irtask"]


def assign_files(project: Path, folder: Path) -> None:
    with open_project(project) as opened:
        assign_pool(opened, parse_candidates("ann,bob,cleo"), OPTIONS, folder)


def run_in_process(work: Callable[[], None], kill_at: int | None = None) -> int:
    """Run work in a process killed at its n-th file operation; return the number of operations.

    Returns -1 if the process was killed.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        done = 0

        def count_step(event: str, _arguments: tuple[object, ...]) -> None:
            nonlocal done
            if event in STEPS:
                done += 1
                if done == kill_at:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count_step)
        try:
            work()
            os.write(writing, str(done).encode())
        finally:
            os._exit(0)
    os.close(writing)
    output = os.read(reading, 100)
    os.close(reading)
    os.waitpid(child, 0)
    return int(output or -1)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "class.irjudge"
    build_class(path, ("051", "007"), 4)
    return path


@pytest.fixture
def fresh(template: Path, tmp_path: Path) -> Callable[[], Path]:
    """Function that creates a project without assignments."""

    def make() -> Path:
        folder = tmp_path / "class"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return Path(shutil.copy(template, folder / "class.irjudge"))

    return make


@pytest.mark.slow
def test_after_a_kill_at_any_step_the_next_assignment_is_the_same(
    fresh: Callable[[], Path], full: bool
) -> None:
    project = fresh()
    assign_files(
        project, project.parent / "out"
    )  # modules that are imported only now open files too
    project = fresh()
    total = run_in_process(lambda: assign_files(project, project.parent / "out"))
    assert total > 30
    stopped = 0
    for step in range(1, total + 1, 1 if full else 9):
        project = fresh()
        folder = project.parent / "out"
        assert run_in_process(lambda: assign_files(project, folder), step) == -1  # noqa: B023
        with open_project(project) as opened:
            if not opened.assignments.all():
                stopped += 1
                assign_pool(opened, parse_candidates("ann,bob,cleo"), OPTIONS, folder)
            assert [each.file for each in opened.assignments.all()] == NAMES and len(
                opened.assignments.rounds()
            ) == 1
            assert opened.verify().problems == ()
        for name in NAMES:
            judge_file(folder / name, limit=1)
        for part in folder.glob(
            ".*.part"
        ):  # it is unknown for a day whether files without a lock are still being written
            os.utime(part, (time.time() - 10**6,) * 2)
        remove_leftovers(folder)
        assert not {path.name for path in folder.iterdir()} - {
            *NAMES,
            ".class.irjudge.assigning",
        }, f"killed at step {step}"
    assert stopped > 1


def reassign_to_dan(project: Project, folder: Path) -> None:
    reassign(project, "ann", folder, assessors=parse_candidates("dan"))


def compare_with_dan(project: Project, folder: Path) -> None:
    runs = pair_runs([run.name for run in project.rankings.runs()])
    options = ComparisonOptions(runs, choice="all", depth=2)
    assign_comparison(project, parse_candidates("dan"), options, folder)


@pytest.mark.parametrize("assign_to_dan", [reassign_to_dan, compare_with_dan])
@pytest.mark.parametrize("is_killed", [False, True])
def test_an_assignment_can_be_repeated_if_its_round_was_not_committed(
    fresh: Callable[[], Path],
    monkeypatch: pytest.MonkeyPatch,
    assign_to_dan: Callable[[Project, Path], None],
    is_killed: bool,
) -> None:
    path = fresh()
    folder = path.parent / "out"
    assign_files(path, folder)

    def interrupt() -> None:
        check_identity = Connection._check_identity

        def stop(connection: Connection) -> None:
            if connection.path.name != path.name or not (folder / "dan.irtask").exists():
                check_identity(connection)
            elif is_killed:
                os.kill(os.getpid(), signal.SIGKILL)
            else:
                raise CommitFailed("Not saved: the disk is full.")

        with monkeypatch.context() as patch, open_project(path) as project:
            patch.setattr(Connection, "_check_identity", stop)
            assign_to_dan(project, folder)

    if is_killed:
        assert run_in_process(interrupt) == -1
        assert (folder / "dan.irtask").exists()
    else:
        with pytest.raises(CommitFailed):
            interrupt()
        assert sorted(each.name for each in folder.iterdir()) == NAMES
    with open_project(path) as project:
        assert len(project.assignments.rounds()) == 1
        assert not any(each.withdrawn for each in project.assignments.all())
        assign_to_dan(project, folder)
        assert project.assignments.all()[-1].file == "dan.irtask"
    assert sorted(each.name for each in folder.iterdir()) == sorted([*NAMES, "dan.irtask"])


def test_a_file_with_judgments_is_never_removed(fresh: Callable[[], Path], template: Path) -> None:
    project = fresh()
    folder = project.parent / "out"
    assign_files(project, folder)
    judge_file(folder / "bob.irtask", limit=2)
    with open_project(project, writing=False) as opened:
        ids = {each.file: each.id for each in opened.assignments.all()}
    (folder / ".class.irjudge.assigning").write_text(json.dumps(ids))
    before = (folder / "bob.irtask").read_bytes()
    shutil.copy(template, project)  # the state before assignment
    with (
        open_project(project) as opened,
        pytest.raises(ProjectError, match=r"bob.irtask already exists"),
    ):
        assign_pool(opened, parse_candidates("ann,bob,cleo"), OPTIONS, folder)
    assert (folder / "bob.irtask").read_bytes() == before


@pytest.mark.parametrize("text", ['{"a": [1]}', '{"ann.irtask": [1]}', "[" * 100_000, "[5]"])
def test_a_damaged_list_of_pending_files_does_not_prevent_assignment(
    fresh: Callable[[], Path], text: str
) -> None:
    project = fresh()
    folder = project.parent / "files"
    folder.mkdir()
    note = folder / ".class.irjudge.assigning"
    note.write_text(text)
    assign_files(project, folder)
    assert sorted(path.name for path in folder.iterdir()) == NAMES


def test_incomplete_files_without_a_lock_are_removed_and_nothing_else(tmp_path: Path) -> None:
    ours = [
        ".p.irjudge.0123abcd.part",
        ".p.irjudge.0123abcd.part-journal",
        ".p.irjudge.0123abcd.part.lock",
        ".irjudge-0123456789ab.part",
    ]
    others = [
        "p.irjudge-journal",
        "notes.part",
        ".p.irjudge.0123abcx.part",
        "p.irjudge.lock",
        ".x.0123abcd.partly",
    ]
    being_made = [".q.irjudge.0123abcd.part", ".irjudge-ba9876543210.part"]
    for name in [*ours, *others, *being_made]:
        (tmp_path / name).write_bytes(b"x")
    os.utime(tmp_path / ours[-1], (time.time() - 10**6,) * 2)
    with make_lock(tmp_path / being_made[0]):
        remove_leftovers(tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == {
            *others,
            *being_made,
            f"{being_made[0]}.lock",
        }
