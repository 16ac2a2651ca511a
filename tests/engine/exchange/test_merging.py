"""Tests of merging: the same events give the same project for all files, orders and names."""

import gc
import json
import shutil
import tempfile
import tracemalloc
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.cli.main import main
from irjudge.errors import Cancelled, CommitFailed, ProjectError
from irjudge.exchange import (
    AssignmentOptions,
    FileMergeReport,
    MergeReport,
    assign_pool,
    describe_backup,
    merge_files,
    parse_candidates,
)
from irjudge.judging import Session, get_ledger, project_labels, submit_work
from irjudge.model import Event, Item, Scale, make_run
from irjudge.progress import Progress
from irjudge.store import EventLog, open_project, rescue_file
from irjudge.store.assignments import Assignments
from tests.engine.exchange.classroom import (
    Vote,
    assign_class,
    build_class,
    change,
    judge_file,
    read_votes,
)
from tests.lengths import short_or_long
from tests.outside_edits import edit
from tests.pools import depth_pool


def merge_into(project: Path, *files: Path) -> MergeReport:
    with open_project(project) as opened:
        merged = merge_files(opened, files)
    assert all(report.is_balanced for report in merged.reports)
    return merged


def read_state(project: Path) -> tuple[object, ...]:
    """Return the log and the pending events, from which all else is derived, and derived data."""
    with open_project(project, writing=False) as opened:
        state = {
            name: [event.digest for event in get_ledger(opened, name).judgments()]
            for name in opened.events.assessors()
        }
        assert opened.verify().problems == ()
        return (
            opened.events.digests(),
            {event.digest for event in opened.events.waiting()},
            state,
            read_votes(opened),
        )


def values_of(report: FileMergeReport, key: str) -> dict[str, str]:
    """Return the values of the only warning of a report with a key."""
    (warning,) = (each for each in report.warnings if each.key == key)
    return warning.all_values


def votes_in(project: Path) -> list[Vote]:
    with open_project(project, writing=False) as opened:
        return read_votes(opened)


def accounting_of(merged: MergeReport) -> list[tuple[int, ...]]:
    return [
        (each.read, each.new, each.identical, each.superseded, each.waiting, each.rejected)
        for each in merged.reports
    ]


# Copies of a file


@pytest.mark.slow
def test_returned_judgments_are_in_the_project_and_counted(
    project: Path, files: list[Path]
) -> None:
    judged = [judge_file(path) for path in files[:2]]
    merged = merge_into(project, *files[:2])
    assert accounting_of(merged) == [(count, count, 0, 0, 0, 0) for count in judged]
    with open_project(project, writing=False) as opened:
        assert len(read_votes(opened)) == sum(judged) - 2 and len(
            read_votes(opened, repeats=True)
        ) == sum(judged)
        assert {vote.assessor for vote in read_votes(opened)} == {"ann", "bob"}


def test_the_same_file_again_renamed_or_twice_at_once_changes_nothing(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    count = judge_file(files[0])
    attached = Path(shutil.copy(files[0], tmp_path / "work (2) final.irtask"))
    assert accounting_of(merge_into(project, files[0], attached)) == [
        (count, count, 0, 0, 0, 0),
        (count, 0, count, 0, 0, 0),
    ]
    before = read_state(project)
    assert (
        accounting_of(merge_into(project, attached)) == [(count, 0, count, 0, 0, 0)]
        and read_state(project) == before
    )


def test_an_older_version_of_a_file_adds_and_removes_nothing(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    judge_file(files[0], limit=4)
    older = Path(shutil.copy(files[0], tmp_path / "older.irtask"))
    judge_file(files[0], tick=100)
    merge_into(project, files[0])
    before = read_state(project)
    assert (
        accounting_of(merge_into(project, older)) == [(4, 0, 4, 0, 0, 0)]
        and read_state(project) == before
    )


def test_copies_judged_separately_are_both_kept_and_reported(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    judge_file(files[0], limit=3)
    copy = Path(shutil.copy(files[0], tmp_path / "laptop.irtask"))
    judge_file(files[0], lambda topic, document: 3, limit=5, tick=100)
    judge_file(copy, lambda topic, document: 0, limit=5, tick=200)
    merged = merge_into(project, copy, files[0])
    assert accounting_of(merged) == [(8, 8, 0, 0, 0, 0), (8, 0, 3, 5, 0, 0)]
    separately, differently = merged.warnings
    assert separately.key == "separate-copies"
    assert separately.values == {"assessor": "ann", "branches": "2"}
    assert differently.key == "different-judgments" and differently.values["assessor"] == "ann"
    assert differently.values["items"] == "5 items"
    assert differently.values["examples"].count(": 0 and 3") == 5
    with open_project(project, writing=False) as opened:
        assert (
            opened.events.count("ann") == 13
            and [vote.grade for vote in read_votes(opened)] == [1] * 3 + [0] * 5
        )


def test_two_files_of_one_assessor_are_not_copies_of_each_other(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    with open_project(project) as opened:
        run = make_run("late", [("9", f"t9n{number}", float(number)) for number in range(16)])
        opened.rankings.add_run(run)
        opened.rankings.add_pool(
            depth_pool([opened.rankings.run(each.name) for each in opened.rankings.runs()], 12)
        )
        more = assign_pool(opened, parse_candidates("ann"), AssignmentOptions(), tmp_path / "more")
    assert [made.path.name for made in more.files] == ["ann-2.irtask"]
    judge_file(files[0])
    judge_file(more.files[0].path, tick=1000)
    merged = merge_into(project, files[0], more.files[0].path)
    assert merged.warnings == ()
    assert values_of(merged.reports[0], "older-pool")["version"] == "2"


def test_an_undone_judgment_is_no_vote_and_a_changed_one_counts_once(
    project: Path, files: list[Path]
) -> None:
    with open_project(files[0]) as task:
        session = Session(task)
        first = session.current()
        session.grade(first, 1)
        session.grade(first, 2)
        second = session.advance()
        session.grade(second, 3)
        session.undo()
    assert accounting_of(merge_into(project, files[0])) == [(4, 2, 0, 2, 0, 0)]
    with open_project(project, writing=False) as opened:
        assert [(vote.document, vote.grade) for vote in read_votes(opened)] == [
            (first.document.id, 2)
        ]


# Inconsistent files


def test_a_tampered_event_is_named_and_later_events_wait_for_an_intact_copy(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    count = judge_file(files[0])
    whole = Path(shutil.copy(files[0], tmp_path / "whole.irtask"))
    change(
        files[0],
        """UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '"value":1', '"value":3') AS BLOB) WHERE sequence = 4""",
    )
    merged = merge_into(project, files[0])
    assert accounting_of(merged) == [(count, 3, 0, 0, count - 4, 1)]
    first = values_of(merged.reports[0], "first-misfit")
    assert first["event"].startswith("event 4") and "changed-event" in [
        each.key for each in merged.reports[0].reasons
    ]
    again = merge_into(project, whole)
    assert accounting_of(again) == [(count, 1, count - 1, 0, 0, 0)]
    (settled,) = again.warnings
    assert settled.key == "waited-events" and settled.values["events"] == f"{count - 4} events"
    with open_project(project, writing=False) as opened:
        assert opened.events.waiting() == [] and {vote.grade for vote in read_votes(opened)} == {1}


def tamper(path: Path, sequence: int) -> None:
    change(
        path,
        f"UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '\"value\":1', '\"value\":3') AS BLOB) WHERE sequence = {sequence}",
    )


def test_events_after_a_gap_count_once_the_gap_is_accepted_and_the_gap_is_recorded(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    count = judge_file(files[0])
    whole = Path(shutil.copy(files[0], tmp_path / "whole.irtask"))
    tamper(files[0], 4)
    merge_into(project, files[0])
    with open_project(project) as opened:
        merged = merge_files(opened, files[:1], accept_gap=True)
        assert accounting_of(merged) == [(count, 0, count - 1, 0, 0, 1)] and merged.waiting == 0
        assert values_of(merged.reports[0], "accepted-gap")["events"] == "1 event"
        (settled,) = merged.warnings
        assert settled.key == "waited-events" and settled.values["events"] == f"{count - 4} events"
        verdict = opened.verify()
        assert (verdict.problems, verdict.events, verdict.lost) == ((), count - 1, {"events": 1})
        assert len(read_votes(opened, repeats=True)) == count - 1
    again = merge_into(project, whole)  # the intact copy is merged later, and closes the gap
    assert accounting_of(again) == [(count, 1, count - 1, 0, 0, 0)]
    with open_project(project, writing=False) as opened:
        assert opened.verify().lost == {} and len(read_votes(opened, repeats=True)) == count


def test_accepting_a_gap_accepts_no_invalid_event_and_affects_no_other_file(
    project: Path, files: list[Path]
) -> None:
    count = judge_file(files[0])
    other = judge_file(files[1])
    for path in files[:2]:
        tamper(path, 4)
    merge_into(project, files[1])
    with open_project(project) as opened:
        merged = merge_files(opened, files[:1], accept_gap=True)
    assert accounting_of(merged) == [(count, count - 1, 0, 0, 0, 1)] and merged.waiting == other - 4


def test_a_rescued_file_reports_its_losses(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    count = judge_file(files[0])
    tamper(files[0], 4)
    rescue_file(files[0], tmp_path / "rescued.irtask")
    (report,) = merge_into(project, tmp_path / "rescued.irtask").reports
    assert (report.read, report.new, report.waiting) == (count - 1, 3, count - 4)
    assert values_of(report, "rescued-file")["losses"] == "1 event"


def test_nothing_is_called_unused_in_a_log_without_its_beginning(
    project: Path, files: list[Path]
) -> None:
    count = judge_file(files[0])
    data = files[0].read_bytes()
    files[0].write_bytes(data[: data.find(b'{"assessor":"ann"') // 4096 * 4096])
    (report,) = merge_into(project, files[0]).reports
    assert (report.read, report.rejected) == (count, count)
    keys = [each.key for each in report.warnings]
    assert values_of(report, "damaged-log")["consequence"].key == "unreadable-log"
    assert not {"accepted-gap", "not-handed-in"} & {*keys} and report.waiting == 0
    assert values_of(report, "first-misfit")["event"].startswith("event 1")
    assert values_of(report, "first-misfit")["consequence"] == ""
    assert [each.key for each in report.reasons] == ["unreadable-event"]


def test_a_truncated_file_is_named_and_its_readable_part_merged(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    count = judge_file(files[0])
    whole = Path(shutil.copy(files[0], tmp_path / "whole.irtask"))
    data = files[0].read_bytes()
    files[0].write_bytes(data[: len(data) * 9 // 10])
    (report,) = merge_into(project, files[0]).reports
    assert any("ann.irtask is truncated" in sentence for sentence in report.sentences)
    merge_into(project, whole)
    with open_project(project, writing=False) as opened:
        assert opened.events.count() == count and opened.events.waiting() == []


def test_a_file_of_another_project_is_refused(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "b").mkdir()
    build_class(tmp_path / "b" / "other.irjudge")
    with open_project(tmp_path / "b" / "other.irjudge") as other:
        other.set_setting("title", "Another")
    assign_class(tmp_path / "b" / "other.irjudge", tmp_path / "b" / "out")
    judge_file(tmp_path / "b" / "out" / "ann.irtask", limit=2)
    merged = merge_into(project, tmp_path / "b" / "out" / "ann.irtask", project)
    assert accounting_of(merged) == [(2, 0, 0, 0, 0, 2), (0, 0, 0, 0, 0, 0)]
    first, second = merged.reports
    assert first.sentences == [first.refused] and second.sentences == [second.refused]
    assert first.refused.key == "another-project"
    assert first.refused.values == {"name": "ann.irtask", "title": "Another"}
    assert second.refused.key == "not-an-assignment"
    assert second.refused.values == {"name": "class.irjudge"}


def test_a_different_scale_is_described_and_grades_are_not_converted(
    project: Path, files: list[Path]
) -> None:
    judge_file(files[0])
    with open_project(project) as opened:
        opened.set_setting("scale", Scale.parse("0-2").to_json())
    (report,) = merge_into(project, files[0]).reports
    assert report.sentences == [report.refused]
    assert report.refused.values == {
        "file": "ann.irtask",
        "grades": "0, 1, 2, 3",
        "project_grades": "0, 1, 2",
    }
    assert report.rejected == report.read > 0


def test_other_labels_of_the_same_grades_are_reported_and_accepted(
    project: Path, files: list[Path]
) -> None:
    judge_file(files[0])
    scale = Scale(
        "mine",
        tuple(
            type(grade)(grade.value, f"{grade.label}, rather")
            for grade in Scale.parse("0-3").grades
        ),
    )
    with open_project(project) as opened:
        opened.set_setting("scale", scale.to_json())
    (report,) = merge_into(project, files[0]).reports
    assert report.new == report.read
    assert "changed-labels" in [each.key for each in report.warnings]


def test_judgments_of_a_different_text_are_kept_separately(
    project: Path, files: list[Path]
) -> None:
    judge_file(files[0])
    with open_project(project) as opened:
        document = opened.assignments.items(1)[0].documents[0]
    edit(
        project,
        f"UPDATE document SET digest = (SELECT digest FROM document WHERE id != '{document}' LIMIT 1) WHERE id = '{document}'",
    )
    edit(project, "UPDATE topic SET narrative = 'other'")
    (report,) = merge_into(project, files[0]).reports
    assert values_of(report, "another-text")["example"] == document
    assert values_of(report, "changed-topics")["example"]
    with open_project(project, writing=False) as opened:
        assert (
            document not in {vote.document for vote in read_votes(opened)}
            and opened.events.count("ann") == report.new
        )
        assert any("has changed" in warning for warning in project_labels(opened).warnings)


def test_a_newer_format_is_refused_and_an_older_one_is_read_unchanged(
    project: Path, files: list[Path]
) -> None:
    for path in files:
        judge_file(path, limit=3)
    change(files[0], "PRAGMA user_version = 99")
    tables = (
        "assignment_item",
        "assignment_secret",
        "assignment",
        "assignment_round",
        "assessor",
        "returned_file",
        "waiting_event",
    )
    change(files[1], *(f"DROP TABLE {table}" for table in tables), "PRAGMA user_version = 1")
    before = files[1].read_bytes()
    merged = merge_into(project, *files)
    assert accounting_of(merged) == [(0, 0, 0, 0, 0, 0), (3, 3, 0, 0, 0, 0), (3, 3, 0, 0, 0, 0)]
    refused = merged.reports[0].refused
    assert (refused.key, refused.values["version"]) == ("newer-form", "99")
    assert files[1].read_bytes() == before


def test_a_submission_is_recorded_and_a_log_changed_after_it_is_reported(
    project: Path, files: list[Path]
) -> None:
    for path in files[:2]:
        judge_file(path)
        with open_project(path) as task:
            submit_work(Session(task))
    stored_value = json.dumps({"time": "2026-03-01T00:00:00.000Z", "events": 3, "head": "ab" * 32})
    change(files[1], f"UPDATE fact SET value = '{stored_value}' WHERE name = 'handed_in'")
    first, second = merge_into(project, *files[:2]).reports
    assert (first.warnings, second.handed_in) == ([], "2026-03-01 00:00 UTC") and first.handed_in
    (warning,) = second.warnings
    assert (warning.key, warning.values) == ("another-log", {"time": "2026-03-01 00:00 UTC"})


# Backups and reports


def test_the_project_is_copied_before_anything_is_written(project: Path, files: list[Path]) -> None:
    for path in files[:2]:
        judge_file(path)
    states, backups = [], []
    for path in files[:2]:
        states.append(read_state(project))
        backups.append(merge_into(project, path).backup)
    assert len(set(backups)) == 2 and [read_state(backup) for backup in backups] == states


def test_the_last_backups_and_those_with_unique_content_are_kept(
    project: Path, files: list[Path]
) -> None:
    work = [
        judge_file(files[0], limit=limit) and files[0].read_bytes() for limit in (1, 2, 3, 4, 5, 6)
    ]
    folder = project.parent
    named = [f"class.before-merge-20260301100{number}.irjudge" for number in range(6)]
    others = (
        "class.before-merge-1.irjudge",
        "class.before-merge-202603011000.txt",
        "other.before-merge-202603011000.irjudge",
    )
    for name in others:
        (folder / name).write_bytes(project.read_bytes())
    for number, content in enumerate(work):
        files[0].write_bytes(content)
        with open_project(project) as opened:
            merged = merge_files(
                opened, [files[0]], clock=lambda number=number: f"2026-03-01T10:0{number}:00.000Z"
            )
        assert merged.backup == folder / named[number]
        if number == 0:
            with open_project(folder / named[0]) as copy:  # it was edited after the backup
                copy.events.append(
                    Event(
                        "eve",
                        "grade",
                        Item("051", ("d",), ("0" * 64,)),
                        "2026-03-01T10:00:00.000Z",
                        {"value": 1},
                    )
                )
    left = sorted(path.name for path in folder.glob("class.before-merge-????????????.irjudge"))
    assert left == [named[0], *named[3:]] and all((folder / name).exists() for name in others)
    assert "last 3 backups" in describe_backup(merged.backup)


def test_a_failed_merge_leaves_no_backup_and_keeps_earlier_ones(
    project: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in (1, 2, 3):
        judge_file(files[0], limit=limit)
        merge_into(project, files[0])
    before = sorted(project.parent.iterdir())
    judge_file(files[0], limit=4)
    monkeypatch.setattr(EventLog, "append_merged", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        merge_into(project, files[0])
    assert sorted(project.parent.iterdir()) == before


def test_a_file_name_that_is_not_utf_8_is_merged_and_noted(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    count = judge_file(files[0])
    try:
        undecodable = Path(shutil.copy(files[0], tmp_path / "ann\udcff.irtask"))
    except (OSError, UnicodeError):
        pytest.skip("a file system that has no such names")
    assert accounting_of(merge_into(project, undecodable)) == [(count, count, 0, 0, 0, 0)]
    with open_project(project, writing=False) as opened:
        assert [each.file for each in opened.assignments.merged_files()] == ["ann\ufffd.irtask"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk here")
def test_an_unwritable_temporary_folder_is_reported_once(
    project: Path,
    files: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    judge_file(files[0])
    before = project.read_bytes()
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda dir=None: open("/dev/full", "w+b"))  # noqa: SIM115, PTH123
    assert main(["merge", str(project), str(files[0])]) == 2
    gc.collect()
    assert len(capfd.readouterr().err.splitlines()) == 1 and project.read_bytes() == before


def test_a_merge_without_new_events_writes_nothing(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    judge_file(files[0])
    foreign = tmp_path / "x.irtask"
    foreign.write_text("no project")
    renamed = Path(shutil.copy(files[0], tmp_path / "renamed.irtask"))
    merge_into(project, files[0], foreign)
    before, folder = project.read_bytes(), sorted(project.parent.iterdir())
    again = merge_into(project, files[0], foreign, renamed)
    assert again.backup is None and (project.read_bytes(), sorted(project.parent.iterdir())) == (
        before,
        folder,
    )


def test_an_unusable_file_causes_no_backup_and_no_record(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "text.irtask").write_text("no project")
    before, folder = project.read_bytes(), sorted(project.parent.iterdir())
    for path in (tmp_path / "nowhere.irtask", tmp_path / "text.irtask", tmp_path, project):
        assert merge_into(project, path).backup is None
        assert (project.read_bytes(), sorted(project.parent.iterdir())) == (before, folder)


def test_a_file_returned_without_a_judgment_is_recorded_once(
    project: Path, files: list[Path]
) -> None:
    assert [merge_into(project, files[0]).backup is None for _ in range(2)] == [False, True]
    with open_project(project, writing=False) as opened:
        assert [each.file for each in opened.assignments.merged_files()] == ["ann.irtask"]


def test_the_accounting_is_stored_in_the_project(project: Path, files: list[Path]) -> None:
    count = judge_file(files[0])
    merge_into(project, files[0])
    with open_project(project, writing=False) as opened:
        (merged_file,) = opened.assignments.merged_files()
    assert (
        merged_file.file,
        merged_file.assessor,
        merged_file.balance["read"],
        merged_file.balance["new"],
    ) == (
        "ann.irtask",
        "ann",
        count,
        count,
    )


def test_returned_files_are_opened_read_only(project: Path, files: list[Path]) -> None:
    judge_file(files[0])
    files[0].chmod(0o444)
    before = (
        files[0].read_bytes(),
        files[0].stat().st_mtime_ns,
        sorted(path.name for path in files[0].parent.iterdir()),
    )
    merge_into(project, files[0])
    assert before == (
        files[0].read_bytes(),
        files[0].stat().st_mtime_ns,
        sorted(path.name for path in files[0].parent.iterdir()),
    )


@pytest.mark.parametrize("step", [0, 1, 3, 5])
def test_a_cancelled_merge_changes_nothing(project: Path, files: list[Path], step: int) -> None:
    for path in files:
        judge_file(path)
    before, asked = (read_state(project), sorted(project.parent.iterdir())), []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > step

    with open_project(project) as opened, pytest.raises(Cancelled):
        merge_files(opened, files, progress=Progress(cancelled=cancelled))
    assert (read_state(project), sorted(project.parent.iterdir())) == before


def test_a_merge_that_cannot_be_saved_leaves_no_trace(
    project: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    judge_file(files[0])
    before = (read_state(project), sorted(project.parent.iterdir()))
    with monkeypatch.context() as patched:
        patched.setattr(Assignments, "add_returned", refuse)
        with open_project(project) as opened, pytest.raises(CommitFailed):
            merge_files(opened, files[:1])
    assert (read_state(project), sorted(project.parent.iterdir())) == before
    assert merge_into(project, files[0]).backup is not None


def test_a_project_without_assignments_takes_no_files(tmp_path: Path) -> None:
    build_class(tmp_path / "p.irjudge")
    with (
        open_project(tmp_path / "p.irjudge") as opened,
        pytest.raises(ProjectError, match="has no assignments"),
    ):
        merge_files(opened, [tmp_path / "x.irtask"])


def fill(task: Path, count: int) -> None:
    """Write a long log into an assessor's file, quickly."""
    with open_project(task) as opened:
        items = opened.assignments.items(1)
        digests = opened.collection.digests([item.documents[0] for item in items])
        head = None
        with opened.transaction():
            for number in range(count):
                item = items[number % len(items)]
                shown = Item(item.topic, item.documents, (digests[item.documents[0]],))
                payload = {"value": number % 4, "scale": opened.scale.version, "active_ms": number}
                time = (
                    f"2026-03-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"
                )
                event = Event("ann", "grade", shown, time, payload, None, head)
                opened.events.append(event)
                head = event.digest


@pytest.mark.slow
def test_for_a_long_log_little_more_than_the_digests_is_in_memory(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    """A million events must fit into 800 MB besides the program: at most 650 bytes each."""
    peaks = []
    for count in (500, 2500):
        copy, task = (
            Path(shutil.copy(path, tmp_path / f"{count}{path.suffix}"))
            for path in (project, files[0])
        )
        fill(task, count)
        with open_project(copy) as opened:
            tracemalloc.start()
            try:
                merge_files(opened, [task])
                peaks.append(tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()
            assert opened.events.count("ann") == count
    assert (peaks[1] - peaks[0]) / 2000 < 650


# Any distribution of the events over files, in any order


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    build_class(folder / "class.irjudge", ("051", "007"), 4)
    assign_class(
        folder / "class.irjudge", folder / "out", "ann,bob", AssignmentOptions(overlap=2, repeats=1)
    )
    return folder


@st.composite
def log_steps(draw: st.DrawFn) -> list[tuple[int, int, int]]:
    """Draw steps: parent (0 for the root, else an earlier event), document, grade (4 is undo)."""
    count = draw(st.integers(1, 10))
    return [
        (draw(st.integers(0, index)), draw(st.integers(0, 3)), draw(st.integers(0, 4)))
        for index in range(count)
    ]


def make_events(project: Path, assessor: str, steps: Sequence[tuple[int, int, int]]) -> list[Event]:
    """Return a log with forks: each event follows any earlier one; an undo reverts its parent."""
    with open_project(project, writing=False) as opened:
        code = next(each.code for each in opened.assignments.all() if each.assessor == assessor)
        items = opened.assignments.items(code)
        scale = opened.scale.version
        digests = opened.collection.digests([item.documents[0] for item in items])
    made: list[Event] = []
    for number, (after, index, grade) in enumerate(steps):
        parent = made[after - 1] if after else None
        item = Item(
            items[index].topic, items[index].documents, (digests[items[index].documents[0]],)
        )
        time = f"2026-01-01T00:00:{number % 7:02}.000Z"
        if grade == 4 and parent is not None and parent.kind == "grade":
            made.append(
                Event(assessor, "undo", parent.item, time, {}, parent.digest, parent.digest)
            )
        else:
            payload = {"value": grade % 4, "scale": scale, "active_ms": number}
            made.append(
                Event(
                    assessor, "grade", item, time, payload, None, parent.digest if parent else None
                )
            )
    return list({event.digest: event for event in made}.values())


def write_files(folder: Path, task: Path, parts: Iterable[Sequence[Event]]) -> list[Path]:
    """Copy an assessor's empty file for each part of a log and write the part in its order."""
    paths = []
    for number, part in enumerate(parts):
        path = Path(shutil.copy(task, folder / f"{task.stem}-part-{number}.irtask"))
        with open_project(path) as opened, opened.transaction():
            for event in part:
                opened.events.append(event)
        paths.append(path)
    return paths


def test_an_undo_waits_for_the_event_it_reverts_even_if_its_parent_is_present(
    template: Path, tmp_path: Path
) -> None:
    """Two branches of a log: the second branch undoes an event of the first."""
    project = Path(shutil.copy(template / "class.irjudge", tmp_path / "p.irjudge"))
    root, first, second = make_events(project, "ann", [(0, 0, 1), (1, 1, 2), (1, 2, 3)])
    back = Event(
        "ann", "undo", first.item, "2026-01-02T00:00:00.000Z", {}, first.digest, second.digest
    )
    brought, missing = write_files(
        tmp_path, template / "out" / "ann.irtask", [[root, second, back], [root, first]]
    )
    merged = merge_into(project, brought)
    assert (merged.waiting, merged.reports[0].waiting) == (1, 1)
    assert read_state(project)[:2] == ({root.digest, second.digest}, {back.digest})
    assert merge_into(project, missing).waiting == 0
    assert [vote.document for vote in votes_in(project)] == [
        root.item.documents[0],
        second.item.documents[0],
    ]


def test_a_gap_can_be_accepted_if_only_the_undone_event_is_missing(
    template: Path, tmp_path: Path
) -> None:
    project = Path(shutil.copy(template / "class.irjudge", tmp_path / "p.irjudge"))
    root, first, second = make_events(project, "ann", [(0, 0, 1), (1, 1, 2), (1, 2, 3)])
    back = Event(
        "ann", "undo", first.item, "2026-01-02T00:00:00.000Z", {}, first.digest, second.digest
    )
    (brought,) = write_files(tmp_path, template / "out" / "ann.irtask", [[root, second, back]])
    with open_project(project) as opened:
        merged = merge_files(opened, [brought], accept_gap=True)
        assert opened.verify().lost == {"events": 1}
    assert merged.waiting == 0
    assert values_of(merged.reports[0], "accepted-gap")["events"] == "1 event"
    assert read_state(project)[:2] == ({root.digest, second.digest, back.digest}, set())


@pytest.mark.slow
@settings(max_examples=short_or_long(7, 400))
@given(log_steps(), log_steps(), st.data())
def test_any_distribution_over_files_in_any_order_gives_the_same_project(
    template: Path,
    ann: list[tuple[int, int, int]],
    bob: list[tuple[int, int, int]],
    data: st.DataObject,
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole, split = (
            Path(shutil.copy(template / "class.irjudge", folder / f"{each}.irjudge"))
            for each in ("whole", "split")
        )
        parts: list[Path] = []
        for assessor, steps in (("ann", ann), ("bob", bob)):
            events = make_events(whole, assessor, steps)
            task = template / "out" / f"{assessor}.irtask"
            merge_into(whole, *write_files(folder, task, [events]))
            owners = data.draw(
                st.lists(
                    st.sets(st.integers(0, 2), min_size=1),
                    min_size=len(events),
                    max_size=len(events),
                )
            )
            shares = [
                [event for event, mine in zip(events, owners, strict=True) if part in mine]
                for part in range(3)
            ]
            shares = [data.draw(st.permutations(share)) for share in shares]
            (folder / assessor).mkdir()
            parts += write_files(folder / assessor, task, shares)
        order = data.draw(
            st.permutations([*parts, *data.draw(st.lists(st.sampled_from(parts), max_size=2))])
        )
        cut = data.draw(st.integers(0, len(order)))
        for some in (order[:cut], order[cut:]):  # in two merges
            if some:
                merge_into(split, *some)
        assert read_state(whole) == read_state(split)
        merge_into(split, *parts)
        assert read_state(whole) == read_state(split)


@pytest.mark.slow
@settings(max_examples=25)
@given(log_steps(), st.data())
def test_an_event_whose_parent_is_missing_is_pending_and_counted(
    template: Path, steps: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = Path(shutil.copy(template / "class.irjudge", folder / "p.irjudge"))
        events = make_events(project, "ann", steps)
        gone = data.draw(st.sets(st.sampled_from(events)))
        left = [event for event in events if event not in gone]
        there: set[str] = set()
        for event in left:
            if event.parent is None or event.parent in there:
                there.add(event.digest)
        merged = merge_into(project, *write_files(folder, template / "out" / "ann.irtask", [left]))
        assert (merged.waiting, merged.reports[0].waiting) == (len(left) - len(there),) * 2
        log, waiting, *_ = read_state(project)
        assert (log, waiting) == (there, {event.digest for event in left} - there)


def test_a_report_names_the_files_that_could_not_be_used(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    other = tmp_path / "notes.irtask"
    other.write_text("no project", encoding="utf-8")
    merged = merge_into(project, files[0], other)
    assert "notes.irtask" in merged.problem and "ann" not in merged.problem
    assert [each for each in merged.sentences if other.name in each]
    assert not merge_into(project, files[0]).problem
