"""Tests of undoable changes: one step each, completely reverted, never partially applied."""

import pytest

from irjudge.errors import CommitFailed, IrjudgeError, ProjectError
from irjudge.judging import Session, list_counted_assessors
from irjudge.store import Project
from irjudge_ui.project_changes import (
    AddPool,
    AddRuns,
    Change,
    ChangeStack,
    ExcludeAssessor,
    IncludeAssessor,
    RemoveRun,
)
from tests.pools import depth_pool


class RecordingChange(Change):
    """A change that records its calls, or fails."""

    def __init__(self, log: list[str], *, refuse: set[str] | None = None) -> None:
        super().__init__("count")
        self.log, self.refuse = log, refuse if refuse is not None else set()

    def apply(self) -> None:
        self._record("do")

    def revert(self) -> None:
        self._record("back")

    def _record(self, text: str) -> None:
        if text in self.refuse:
            raise IrjudgeError(f"cannot {text}")
        self.log.append(text)


def test_changes_are_applied_undone_and_redone() -> None:
    log: list[str] = []
    changes = ChangeStack()
    changes.apply_change(RecordingChange(log))
    changes.undo_change()
    changes.redo_change()
    assert log == ["do", "back", "do"]
    assert changes.canUndo() and not changes.canRedo()


def test_a_change_that_cannot_be_applied_raises_and_is_dropped() -> None:
    log: list[str] = []
    changes = ChangeStack()
    changes.apply_change(RecordingChange(log))
    with pytest.raises(IrjudgeError, match="cannot do"):
        changes.apply_change(RecordingChange(log, refuse={"do"}))
    assert (changes.count(), changes.index(), log) == (1, 1, ["do"])


@pytest.mark.parametrize("where", ["back", "do"])
def test_a_step_that_fails_can_be_tried_again(where: str) -> None:
    log: list[str] = []
    refuse: set[str] = set()
    changes = ChangeStack()
    changes.apply_change(RecordingChange(log, refuse=refuse))
    if where == "do":
        changes.undo_change()
    step = changes.undo_change if where == "back" else changes.redo_change
    before = (changes.index(), list(log))
    refuse.add(where)
    with pytest.raises(IrjudgeError, match=f"cannot {where}"):
        step()
    assert (changes.index(), log) == before
    refuse.clear()
    step()
    assert log == [*before[1], where]


def test_undo_without_changes_does_nothing() -> None:
    changes = ChangeStack()
    changes.undo_change()
    changes.redo_change()
    assert changes.count() == 0


def test_a_removed_run_is_restored_with_its_rows_file_and_position(project: Project) -> None:
    before, rows = project.rankings.runs(), list(project.rankings.run("bm25").document.to_pylist())
    changes = ChangeStack()
    changes.apply_change(RemoveRun(project, "bm25"))
    assert "bm25" not in [run.name for run in project.rankings.runs()]
    changes.undo_change()
    assert project.rankings.runs() == before
    assert project.rankings.run("bm25").document.to_pylist() == rows


def test_added_runs_are_removed_and_restored_in_one_step(project: Project) -> None:
    before = project.rankings.runs()
    changes = ChangeStack()
    changes.apply_change(AddRuns(project, ["title", "ql"]))
    assert project.rankings.runs() == before
    changes.undo_change()
    assert [run.name for run in project.rankings.runs()] == [
        run.name for run in before if run.name not in ("title", "ql")
    ]
    changes.redo_change()
    assert project.rankings.runs() == before


def test_undoing_a_pool_restores_the_previous_one(project: Project) -> None:
    runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
    before = project.rankings.pool()
    assert before is not None
    changes = ChangeStack()
    pool = depth_pool(runs, 2)
    changes.apply_change(AddPool(project, pool, project.rankings.add_pool(pool)))
    assert len(project.rankings.pool() or ()) < len(before)
    changes.undo_change()
    assert len(project.rankings.pool() or ()) == len(before)
    changes.redo_change()
    assert (project.rankings.pool() or before).parameters["depth"] == 2


def test_a_change_that_cannot_be_saved_is_reported(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    monkeypatch.setattr(project.rankings, "remove_run", refuse)
    changes = ChangeStack()
    with pytest.raises(CommitFailed, match="disk is full"):
        changes.apply_change(RemoveRun(project, "bm25"))
    assert changes.count() == 0


def test_removing_a_missing_run_is_reported(project: Project) -> None:
    changes = ChangeStack()
    with pytest.raises(ProjectError):
        changes.apply_change(RemoveRun(project, "nobody"))


def exclusion_reasons(project: Project) -> dict[str, str | None]:
    return {
        person.name: person.exclusion_reason
        for person in project.assignments.registered_assessors()
    }


def test_exclusion_and_inclusion_are_undone_with_their_reason(project: Project) -> None:
    session = Session(project, "bob")
    session.grade(session.current(), 1)
    events, changes = project.events.count(), ChangeStack()
    changes.apply_change(ExcludeAssessor(project, "bob", "too fast"))
    assert (
        exclusion_reasons(project) == {"bob": "too fast"} and list_counted_assessors(project) == ()
    )
    changes.undo_change()
    assert exclusion_reasons(project) == {"bob": None} and list_counted_assessors(project) == (
        "bob",
    )
    changes.redo_change()
    changes.apply_change(IncludeAssessor(project, "bob", "too fast"))
    assert list_counted_assessors(project) == ("bob",)
    changes.undo_change()
    assert exclusion_reasons(project) == {"bob": "too fast"}
    assert project.events.count() == events, "judgments stay as they are"


def test_an_unknown_assessor_cannot_be_excluded(project: Project) -> None:
    changes = ChangeStack()
    with pytest.raises(ProjectError, match="zoe"):
        changes.apply_change(ExcludeAssessor(project, "zoe", "why"))
    assert exclusion_reasons(project) == {} and not changes.canUndo()
