"""Tests of exported judgments: current ones with notes and flags, and none that were undone."""

from pathlib import Path

from irjudge.judging import Session
from irjudge.report.project_exports import judgment_rows
from irjudge.store import open_project


def test_current_judgments_are_exported_with_marks_and_undone_ones_are_not(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        first = session.current()
        assert first is not None
        session.note(first, "=why\n")
        session.set_unsure(first, True)
        made = session.grade(first, 2, active_ms=1234)
        session.advance()
        second = session.current()
        assert second is not None
        session.mark_unjudgeable(second, "spam")
        session.advance()
        third = session.current()
        assert third is not None
        session.grade(third, 1)
        session.undo()
        session.note(third, "not yet")
        rows, left_out = judgment_rows(project)
    assert [(row.topic, row.document, row.assessor) for row in rows] == [
        (each.topic.id, each.document.id, "ann") for each in (first, second)
    ]
    assert (rows[0].grade, rows[0].note, rows[0].unsure, rows[0].seconds, rows[0].time) == (
        2,
        "=why\n",
        True,
        1.234,
        made.time,
    )
    assert (rows[1].grade, rows[1].because, rows[1].seconds, rows[1].showing) == (
        -2,
        "spam",
        None,
        1,
    )
    assert [each.values["count"] for each in left_out] == ["1"]
