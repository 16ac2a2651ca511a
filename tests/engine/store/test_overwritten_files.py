"""Tests of files overwritten during judging: no further writes, and no lost judgments."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from irjudge.errors import CommitFailed
from irjudge.judging import Session
from irjudge.model import Scale
from irjudge.store import Project, create_project, open_project


def restore_backup(path: Path, backup: Path) -> None:
    path.write_bytes(backup.read_bytes())


def copy_other_project(path: Path, _backup: Path) -> None:
    other = path.with_name("other.irjudge")
    with create_project(other, scale=Scale.parse("binary")):
        pass
    path.write_bytes(other.read_bytes())


def truncate(path: Path, _backup: Path) -> None:
    os.truncate(path, 5000)


def empty(path: Path, _backup: Path) -> None:
    os.truncate(path, 0)


def write_noise(path: Path, _backup: Path) -> None:
    path.write_bytes(b"not a database at all " * 3000)


def same_counter(path: Path, backup: Path) -> None:
    """Keep the file's change counter, by which SQLite decides whether cached pages are valid."""
    counters = path.read_bytes()[24:40]
    restore_backup(path, backup)
    with path.open("r+b") as file:
        file.seek(24)
        file.write(counters)


OVER = [restore_backup, copy_other_project, truncate, empty, write_noise, same_counter]


@pytest.fixture
def session(project_file: Path) -> Session:
    """Return a session with three judgments; the file was copied after the first."""
    with open_project(project_file) as project:
        made = Session(project)
        made.grade(made.advance(), 1)
        shutil.copy(project_file, project_file.with_name("backup"))
        made.grade(made.advance(), 2)
        made.grade(made.advance(), 3)
        yield made


def grades(project: Project) -> list[int]:
    return [event.payload["value"] for event in project.events.read() if event.kind == "grade"]


@pytest.mark.parametrize("over", OVER, ids=lambda over: over.__name__)
def test_an_overwritten_file_is_detected_before_saving(session: Session, over: Callable) -> None:
    path = session.project.path
    work = session.advance()
    inode, sound = path.stat().st_ino, path.read_bytes()
    over(path, path.with_name("backup"))
    content = path.read_bytes()
    assert path.stat().st_ino == inode
    for _ in range(2):
        with pytest.raises(CommitFailed) as error:
            session.grade(work, 0)
        assert error.value.key == "overwritten"
        assert error.value.values["project"] == "small.irjudge"
    with pytest.raises(CommitFailed):
        session.project.set_setting("title", "x")
    assert path.read_bytes() == content
    assert session.count().judged == 3  # nothing of the other file is mixed with the judgments
    path.write_bytes(sound)
    session.grade(work, 0)  # the file is back
    assert grades(session.project) == [1, 2, 3, 0]


@pytest.mark.parametrize("over", OVER, ids=lambda over: over.__name__)
def test_a_copy_has_every_judgment_that_the_file_lost(session: Session, over: Callable) -> None:
    path = session.project.path
    over(path, path.with_name("backup"))
    session.project.copy_to(path.with_name("copy.irjudge"))
    with open_project(path.with_name("copy.irjudge")) as copy:
        assert grades(copy) == [1, 2, 3]
        assert copy.owner == "ann" and copy.scale == session.scale
        assert copy.verify().problems == ()
        if over in (restore_backup,):
            again = Session(copy)
            again.grade(again.advance(), 0)
            assert again.count().judged == 4


def test_writes_of_a_second_connection_are_not_an_overwritten_file(session: Session) -> None:
    with session.project.second_connection() as second:
        other = Session(second, "bob")
        other.grade(other.advance(), 3)
        second.set_setting("title", "Changed")
    session.grade(session.advance(), 0)
    assert grades(session.project) == [1, 2, 3, 3, 0]


def test_a_rejected_event_is_not_reported_as_saved(session: Session) -> None:
    work = session.advance()
    session.project._db.execute(
        "CREATE TEMP TRIGGER lose BEFORE INSERT ON main.event BEGIN SELECT RAISE(IGNORE); END"
    )
    with pytest.raises(CommitFailed) as error:
        session.grade(work, 0)
    assert error.value.key == "log-not-taken"
    assert error.value.values["file"] == "small.irjudge"
    session.project._db.execute("DROP TRIGGER lose")
    session.grade(work, 0)
    assert grades(session.project) == [1, 2, 3, 0]


def test_the_same_event_twice_uses_no_number(session: Session) -> None:
    event = next(iter(session.project.events.read()))
    session.project.events.append(event)
    session.grade(session.advance(), 0)
    assert [number for number, _ in session.project.events.read_since(0, "ann")] == [1, 2, 3, 4]


@pytest.mark.skipif(os.name == "nt", reason="hard links")
def test_writing_through_a_link_is_not_overwriting(session: Session) -> None:
    path = session.project.path
    os.link(path, path.with_name("second.irjudge"))
    with open_project(path.with_name("second.irjudge")) as second:
        other = Session(second)
        other.grade(other.advance(), 3)
        with pytest.raises(CommitFailed) as error:
            session.grade(session.advance(), 0)
        assert error.value.key == "judged-elsewhere"
        assert error.value.values["project"] == "small.irjudge"
    assert grades(session.project) == [1, 2, 3, 3]


@pytest.mark.parametrize(
    "over", [restore_backup, copy_other_project, same_counter], ids=lambda over: over.__name__
)
def test_an_overwritten_file_gives_no_new_events(session: Session, over: Callable) -> None:
    events, path = session.project.events, session.project.path
    assert len(list(events.read_since(0, "ann"))) == 3
    over(path, path.with_name("backup"))
    assert list(events.read_since(0, "ann")) == []
