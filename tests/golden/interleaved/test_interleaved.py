"""Test that interleaved grading, comparing and adjudicating writes the bytes of commit 9db6121."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from irjudge.judging import (
    AdjudicationRecorder,
    Attention,
    ComparisonSession,
    Session,
    get_ledger,
    read_valid_adjudications,
)
from irjudge.store import Project, open_project
from tests.golden.released.continuing import state_hash, ticking, written

HERE = Path(__file__).parent
# a project whose owner grades, compares and decides
FILES = HERE.parent / "released" / "8a36930.zip"


def turns(project: Project, minute: int) -> Iterator[object]:
    """Grade, compare and decide in turns, each taken back and brought back while the others stand; yield what each turn returned."""
    clock = ticking(minute)
    deciding = AdjudicationRecorder(project, clock=clock)
    for turn in range(6):
        session, panels = Session(project, clock=clock), ComparisonSession(project, clock=clock)
        document = project.collection.document(f"NA-{turn % 4}")
        work, desk = session.current(), panels.current()
        if work is not None:
            yield session.grade(work, turn % 4, active_ms=900 + turn)
        assert document is not None
        yield deciding.decide("NA", document, turn % 4, reason=f"turn {turn}", active_ms=turn)
        if desk is not None:
            yield panels.prefer(
                desk, ("left", "tie", "right")[turn % 3], attention=Attention(active_ms=100 + turn)
            )
        yield session.undo()  # the newest of what was graded or compared, whichever desk did it
        yield deciding.undo()
        yield panels.redo()
        if turn % 2:
            yield deciding.redo()
        if work is not None:
            yield session.note(work, f"said at turn {turn}")
            yield session.set_unsure(work, bool(turn % 2))
        yield panels.undo()


def outcome(folder: Path) -> dict[str, object]:
    """Go on in a project and in a copy of it, bring the two together, go on in that, and return what it comes to."""
    path, copy = folder / "merged.irjudge", folder / "copy.irjudge"
    open_project(path).close()  # brought up to the form of today
    shutil.copy(path, copy)
    said = []
    for file, minute in ((path, 840), (copy, 841)):
        with open_project(file) as project:
            said += [event and event.digest for event in turns(project, minute)]
    with open_project(path) as project, open_project(copy, writing=False) as other:
        before = project.events.digests()
        with project.transaction():
            for event in other.events.read():
                project.events.append(event)
        said += [event and event.digest for event in turns(project, 850)]
        bodies = written(project.events.read(), before)
        state = state_hash(
            project,
            lambda name: get_ledger(project, name).judgments(),
            read_valid_adjudications(project).values(),
        )
        return {"said": said, "written": bodies, "state": state}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the project."""
    shutil.unpack_archive(FILES, tmp_path)
    return tmp_path


@pytest.mark.slow
def test_three_desks_in_turns_write_the_bytes_they_wrote(folder: Path) -> None:
    expected = json.loads((HERE / "interleaved.json").read_text(encoding="utf-8"))
    assert outcome(folder) == expected
