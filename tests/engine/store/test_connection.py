"""Tests of the connection to a project file: durable commits, a checked path, one writer."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from irjudge.errors import CommitFailed, ProjectBusy, ProjectError
from irjudge.store import Project, open_project
from irjudge.store.connection import Connection

posix = pytest.mark.skipif(os.name == "nt", reason="an open file cannot be moved there")


def child(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


# Settings


@pytest.mark.synchronous
def test_commits_use_a_rollback_journal_and_wait_for_the_disk_twice(project_file: Path) -> None:
    connection = Connection(project_file)
    try:
        assert connection.fetch_one("PRAGMA journal_mode")[0] == "delete"
        assert connection.fetch_one("PRAGMA synchronous")[0] == 3
        assert connection.fetch_one("PRAGMA foreign_keys")[0] == 1
    finally:
        connection.close()


@pytest.mark.synchronous
def test_a_new_file_is_made_with_the_same_settings(tmp_path: Path) -> None:
    connection = Connection(tmp_path / "new", create=True)
    try:
        assert connection.fetch_one("PRAGMA journal_mode")[0] == "delete"
        assert connection.fetch_one("PRAGMA synchronous")[0] == 3
    finally:
        connection.close()


def test_a_file_in_wal_mode_is_switched_back_to_a_journal(
    project_file: Path,
) -> None:
    other = sqlite3.connect(project_file)
    other.execute("PRAGMA journal_mode = WAL")
    other.close()
    with open_project(project_file) as project:
        project.set_setting("a", "b")
        assert [path.name for path in project_file.parent.iterdir() if "wal" in path.name] == []
        copy = shutil.copy(project_file, project_file.with_name("copy"))
    with open_project(Path(copy), writing=False) as project:
        assert project.get_setting("a") == "b"


# Path


def move(path: Path) -> None:
    path.rename(path.with_name("moved"))


def replace(path: Path) -> None:
    other = path.with_name("other")
    shutil.copy(path, other)
    other.replace(path)


@posix
@pytest.mark.parametrize("disturb", [move, Path.unlink, replace])
@pytest.mark.parametrize("inside", [False, True])
def test_a_missing_or_replaced_file_is_detected_before_a_commit(
    project_file: Path, disturb: Callable[[Path], None], inside: bool
) -> None:
    with open_project(project_file) as project:
        project.set_setting("before", "1")
        if not inside:
            disturb(project_file)
        with (
            pytest.raises(
                CommitFailed,
                match=r"small\.irjudge was moved",
            ),
            project.transaction(),
        ):
            project.set_setting("after", "1")
            if inside:
                disturb(project_file)
    for path in (project_file, project_file.with_name("moved")):
        if path.exists():
            with open_project(path, writing=False) as opened:
                assert (opened.get_setting("before"), opened.get_setting("after")) == ("1", None)
    assert not [path.name for path in project_file.parent.iterdir() if "journal" in path.name]


@posix
def test_a_restored_file_accepts_commits_again(project_file: Path) -> None:
    with open_project(project_file) as project:
        moved = project_file.rename(project_file.with_name("moved"))
        with pytest.raises(CommitFailed):
            project.set_setting("a", "lost")
        moved.rename(project_file)
        project.set_setting("a", "kept")
    with open_project(project_file) as project:
        assert project.get_setting("a") == "kept"


# Files that cannot be written


def test_a_project_open_for_reading_accepts_no_changes(project_file: Path) -> None:
    with (
        open_project(project_file, writing=False) as project,
        pytest.raises(CommitFailed, match="read-only"),
    ):
        project.set_setting("a", "b")


WRITE_SOMETHING = """
import os, sys
from pathlib import Path
from irjudge.errors import IrjudgeError
from irjudge.store.project import open_project
if os.geteuid() == 0:
    os.setuid(65534)  # root may write anywhere
try:
    with open_project(Path(sys.argv[1])) as project:
        project.set_setting("a", "b")
except IrjudgeError as error:
    print(type(error).__name__, error)
with open_project(Path(sys.argv[1]), writing=False) as project:
    print(project.title, project.get_setting("a"))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that every user can access."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    ("folder_mode", "error"), [(0o777, "CommitFailed"), (0o555, "ProjectReadOnly")]
)
def test_a_read_only_file_can_be_read_and_the_error_has_the_reason(
    project_file: Path, open_folder: Path, folder_mode: int, error: str
) -> None:
    path = Path(shutil.copy(project_file, open_folder / "small.irjudge"))
    path.chmod(0o444)
    open_folder.chmod(folder_mode)
    try:
        answer = child(WRITE_SOMETHING, path)
    finally:
        open_folder.chmod(0o755)
    first = answer.stdout.splitlines()[0]
    assert first.startswith(error) and "small.irjudge" in first, answer
    assert answer.stdout.splitlines()[1] == "Small None"


STOP_HALFWAY = """
import os, sys
from pathlib import Path
from irjudge.store.project import open_project
project = open_project(Path(sys.argv[1]))
project._db.execute("PRAGMA cache_size = 1")
with project.transaction():
    for number in range(300):
        project.set_setting(str(number), "x" * 3000)
    os._exit(0)
"""

READ_SOMETHING = """
import os, sys
from pathlib import Path
from irjudge.errors import IrjudgeError
from irjudge.store.project import open_project
if os.geteuid() == 0:
    os.setuid(65534)  # root may write anywhere
for writing in (True, False):
    try:
        with open_project(Path(sys.argv[1]), writing=writing) as project:
            print(project.title, project.verify().problems)
    except IrjudgeError as error:
        print(type(error).__name__, error)
"""


@pytest.mark.slow
@posix
def test_an_interrupted_change_in_a_read_only_folder_needs_the_journal(
    project_file: Path, open_folder: Path
) -> None:
    path = Path(shutil.copy(project_file, open_folder / "small.irjudge"))
    child(STOP_HALFWAY, path)
    files = [path, path.with_name("small.irjudge-journal")]
    before = [file.read_bytes() for file in files]
    for file in files:
        file.chmod(0o444)
    path.with_name("small.irjudge.lock").unlink(missing_ok=True)
    open_folder.chmod(0o555)
    try:
        output = child(READ_SOMETHING, path).stdout.splitlines()
    finally:
        open_folder.chmod(0o755)
    assert [line.split(" cannot be ")[0] for line in output] == [
        "ProjectReadOnly small.irjudge"
    ] * 2
    assert all("small.irjudge-journal" in line for line in output)
    assert [file.read_bytes() for file in files] == before
    elsewhere = [Path(shutil.copyfile(file, project_file.with_name(file.name))) for file in files]
    with open_project(elsewhere[0]) as project:
        assert (project.get_setting("0"), project.verify().problems) == (None, ()), (
            "the advice is good"
        )


FILL_THE_DISK = """
import resource, sys
from pathlib import Path
from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.model.scale import Scale
from irjudge.store.project import create_project, open_project
path, limit = Path(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    if not path.exists():
        with create_project(path, scale=Scale.parse("binary")):
            pass
    with open_project(path) as project:
        for number in range(100000):
            try:
                project.set_setting(f"fact {number}", "x" * 300)
            except CommitFailed as error:
                print(number, error)
                break
        assert project.get_setting(f"fact {number}") is None
except IrjudgeError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on the size of files")
def test_a_full_disk_is_reported_and_saved_data_stay(project_file: Path) -> None:
    answer = child(FILL_THE_DISK, project_file, project_file.stat().st_size + 40_000)
    saved, sentence = answer.stdout.split(" ", 1)
    assert "Not saved: the disk" in sentence, answer
    assert int(saved) > 10
    with open_project(project_file) as project:
        assert all(project.get_setting(f"fact {number}") for number in range(int(saved)))
        assert project.get_setting(f"fact {saved}") is None
        assert project.verify().problems == ()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on the size of files")
@pytest.mark.parametrize("limit", [10, 3000, 20_000])
def test_a_full_disk_leaves_no_partial_project(tmp_path: Path, limit: int) -> None:
    answer = child(FILL_THE_DISK, tmp_path / "new", limit)
    assert "the disk" in answer.stdout, answer
    assert list(tmp_path.iterdir()) == []


def test_the_error_for_a_full_disk_names_the_folder(project_file: Path, tmp_path: Path) -> None:
    with open_project(project_file) as project:
        pages = project._db.fetch_one("PRAGMA page_count")[0]
        # SQLite then raises its error for a full disk
        project._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(CommitFailed, match="is full") as error:
            project.set_setting("much", "x" * 100_000)
    assert error.value.values["folder"] == str(project_file.parent)
    assert project_file.name in str(error.value)


# Locks

HOLD = """
import sys, time
from pathlib import Path
from irjudge.store.project import open_project
project = open_project(Path(sys.argv[1]), writing=sys.argv[2] == "writing")
print(project.title, flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(project_file: Path, slow: None) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    started = []

    def hold(how: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(project_file), how], stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "Small\n"
        return process

    yield hold
    for process in started:
        process.kill()
        process.communicate()


def test_a_second_process_can_only_read_until_the_first_ends(
    project_file: Path, holder: Callable
) -> None:
    process = holder("writing")
    with pytest.raises(ProjectBusy) as error:
        open_project(project_file)
    assert error.value.values["project"] == "small.irjudge"
    with open_project(project_file, writing=False) as project:
        assert project.title == "Small"
    process.kill()  # as in a crash, without cleaning up
    process.wait()
    with open_project(project_file) as project:
        project.set_setting("a", "b")


def test_a_value_computed_in_a_part_that_is_rolled_back_is_not_cached(project_file: Path) -> None:
    def read_title(project: Project) -> str:
        return project.get_setting("title")

    with open_project(project_file) as project, project.transaction():
        title = project.get_setting("title")
        with suppress(ZeroDivisionError), project.savepoint():
            project.set_setting("title", "another")
            assert project.compute_cached(read_title) == "another"
            raise ZeroDivisionError
        assert project.compute_cached(read_title) == title


def test_a_reader_does_not_block_writers(project_file: Path, holder: Callable) -> None:
    holder("reading")
    with open_project(project_file) as project:
        project.set_setting("a", "b")


@posix
@pytest.mark.parametrize("ask", ["reads", "writes"])
def test_a_waiting_reader_polls_often(
    project_file: Path, ask: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite polls ever more rarely.

    A session commits many times per second, and readers would wait a tenth of a second for 5 ms.
    """
    looks: list[float] = []
    with open_project(project_file) as project:
        other = sqlite3.connect(project_file, isolation_level=None)

        def look(seconds: float) -> None:
            looks.append(seconds)
            if len(looks) == 40:
                other.execute("ROLLBACK")

        monkeypatch.setattr("irjudge.store.connection.time.sleep", look)
        other.execute("BEGIN EXCLUSIVE")
        project.set_setting("a", "b") if ask == "writes" else project.get_setting("a")
        assert len(looks) == 40 and max(looks) <= 0.002
        other.execute("BEGIN")
        other.execute("SELECT * FROM fact").fetchone()  # a reader, which delays a commit
        looks.clear()
        if ask == "writes":
            project.set_setting("a", "c")
            assert len(looks) == 40
        other.close()


def test_a_link_to_a_file_uses_the_lock_of_the_file(project_file: Path) -> None:
    link = project_file.with_name("link.irjudge")
    link.symlink_to(project_file)
    with open_project(project_file), pytest.raises(ProjectBusy):
        open_project(link)
    with open_project(link), pytest.raises(ProjectBusy):
        open_project(project_file)


def test_the_lock_is_released_when_the_file_is_closed(project_file: Path) -> None:
    with open_project(project_file):
        pass
    assert [path.name for path in project_file.parent.iterdir()] == [project_file.name]


def test_an_undeletable_lock_file_does_not_block(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = Path.unlink

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        if path.suffix == ".lock":
            raise OSError(24, "Too many open files")
        remove(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    for _ in range(2):
        with open_project(project_file) as project:
            project.set_setting("a", "b")


def test_the_lock_is_released_when_opening_fails(tmp_path: Path) -> None:
    path = tmp_path / "text"
    for _ in range(2):
        path.write_text("no project")
        with pytest.raises(ProjectError) as error:
            open_project(path)
        assert error.value.key == "not-a-project"
        assert error.value.values["file"] == "text"
    assert [file.name for file in tmp_path.iterdir()] == ["text"]


def test_a_missing_file_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="does not exist"):
        open_project(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_lock_file_without_delete_permission_does_not_block(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    connection = Connection(project_file)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refuse)
        connection.close()
    Connection(project_file).close()  # the lock itself was released


def test_moving_a_file_during_opening_is_an_error(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = Connection._prepare

    def move_after(connection: Connection, create: bool) -> None:
        prepare(connection, create)
        project_file.rename(project_file.with_name("moved.irjudge"))

    monkeypatch.setattr(Connection, "_prepare", move_after)
    with pytest.raises(ProjectError, match="does not exist"):
        Connection(project_file, writing=False)
