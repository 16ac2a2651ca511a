"""Tests of the workflow: completed stages and the next step, derived from the project only."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from irjudge.exchange import (
    AssignmentOptions,
    OpenSession,
    ProjectStatus,
    StageName,
    assign_pool,
    make_workflow,
    mark_stage_done,
    merge_files,
    parse_candidates,
    read_project_status,
)
from irjudge.judging import (
    AdjudicationRecorder,
    Session,
    create_sample_project,
    list_unassigned,
    set_counted_group,
)
from irjudge.store import ENDED, Project, create_project_from_files, open_project, sample_sources
from irjudge.web import SchedulingOptions, SessionOptions
from tests.engine.web.session_client import Person, run_server
from tests.pools import depth_pool

TODAY = date(2027, 3, 1)
POOLED = ProjectStatus(runs=4, pooled=54, unassigned=54)
ASSIGNED = ProjectStatus(
    runs=4, pooled=54, files=3, returned=1, late=1, assessors_with_missing_files=("ann", "bob")
)
RETURNED = ProjectStatus(
    runs=4, pooled=54, judged=54, files=3, returned=3, assessors=3, shared=54, disputed=12, qrels=54
)
ALONE = ProjectStatus(runs=4, pooled=54, judged=54, own_judgments=54, qrels=54)
IMPORTED = ProjectStatus(runs=4, qrels=61)
RUNS = OpenSession(participants=7, judged=20, required=162)
# values of the message about a running session
JUDGING = {"people": "7", "done": "20", "total": "162"}


def stage_states(status: ProjectStatus) -> str:
    signs = {"done": "✓", "now": "▸", "ahead": ""}
    return " ".join(signs[each.state] + each.name for each in make_workflow(status).stages)


def messages_of(standing: ProjectStatus, *names: StageName) -> ProjectStatus:
    return replace(standing, marked_stages=standing.marked_stages | {*names})


@pytest.mark.parametrize(
    ("standing", "now", "key", "values"),
    [
        (ProjectStatus(), "runs", "no-runs", {}),
        (ProjectStatus(runs=4), "pool", "no-pool", {}),
        (POOLED, "assign", "unassigned-pool", {"count": "54"}),
        (
            replace(ALONE, judged=20, own_judgments=20),
            "judge",
            "judging",
            {"done": "20", "total": "54"},
        ),
        (
            ASSIGNED,
            "merge",
            "files-overdue",
            {"returned": "1", "total": "3", "assessors": "ann, bob", "overdue": "1"},
        ),
        (RETURNED, "agreement", "shared-pairs", {"count": "54"}),
        (messages_of(RETURNED, "agreement"), "decide", "undecided", {"count": "12"}),
        (replace(POOLED, session=RUNS), "session", "session-runs", JUDGING),
        (replace(RETURNED, session=RUNS), "session", "session-runs", JUDGING),
        (
            replace(POOLED, session=replace(RUNS, paused=True)),
            "session",
            "session-paused",
            JUDGING,
        ),
        (
            replace(POOLED, session=replace(RUNS, is_ending=True)),
            "session",
            "session-ended",
            JUDGING,
        ),
        (
            replace(POOLED, session=OpenSession(7, 162, 162)),
            "session",
            "session-complete",
            {"people": "7", "total": "162"},
        ),
        (replace(POOLED, session=OpenSession(7)), "session", "session-open", {}),
        (messages_of(RETURNED, "evaluate"), "report", "graded-pairs", {"count": "54"}),
        (messages_of(RETURNED, "report"), "report", "report-written", {"count": "54"}),
        (
            ProjectStatus(files=2, returned=2, has_only_comparisons=True),
            "preferences",
            "preferences-back",
            {},
        ),
        (IMPORTED, "evaluate", "graded", {}),
    ],
)
def test_each_state_has_one_current_stage_with_a_reason(
    standing: ProjectStatus, now: str, key: str, values: dict[str, str]
) -> None:
    workflow = make_workflow(standing)
    assert (workflow.current_stage, workflow.reason.key) == (now, key)
    assert workflow.reason.all_values.items() >= values.items()


@pytest.mark.parametrize(
    ("status", "stages"),
    [
        (ProjectStatus(), "▸runs pool assign merge agreement decide qrels evaluate report"),
        (POOLED, "✓pool ▸assign merge agreement decide qrels evaluate report"),
        (ASSIGNED, "✓pool ✓assign ▸merge agreement decide qrels evaluate report"),
        (RETURNED, "✓pool ✓assign ✓merge ▸agreement decide qrels evaluate report"),
        (
            messages_of(RETURNED, "evaluate"),
            "✓pool ✓assign ✓merge agreement decide qrels ✓evaluate ▸report",
        ),
        (
            messages_of(RETURNED, "agreement", "qrels"),
            "✓pool ✓assign ✓merge ✓agreement decide ✓qrels ▸evaluate report",
        ),
        (
            messages_of(replace(RETURNED, adjudicated=12), "agreement"),
            "✓pool ✓assign ✓merge ✓agreement ✓decide ▸qrels evaluate report",
        ),
        (
            messages_of(RETURNED, "evaluate", "report"),
            "✓pool ✓assign ✓merge agreement decide qrels ✓evaluate ✓report",
        ),
        (replace(RETURNED, shared=0, disputed=0), "✓pool ✓assign ✓merge ▸qrels evaluate report"),
        (ALONE, "✓pool ✓judge ▸evaluate report"),
        (messages_of(ALONE, "evaluate"), "✓pool ✓judge ✓evaluate ▸report"),
        (replace(ALONE, runs=0), "✓pool ✓judge ▸runs evaluate report"),
        (IMPORTED, "▸evaluate report"),
        (replace(POOLED, session=RUNS), "✓pool ▸session agreement decide qrels evaluate report"),
        (
            replace(
                POOLED,
                unassigned=0,
                judged=54,
                assessors=7,
                shared=54,
                disputed=2,
                qrels=54,
                has_ended_session=True,
            ),
            "✓pool ✓session ▸agreement decide qrels evaluate report",
        ),
        (
            replace(POOLED, unassigned=9, assessors=7, has_ended_session=True, qrels=45),
            "✓pool ✓session ▸assign merge qrels evaluate report",
        ),
        (replace(RETURNED, files=0, returned=0), "✓pool ▸agreement decide qrels evaluate report"),
        (
            replace(RETURNED, unassigned=6, pooled=60),
            "✓pool ▸assign ✓merge agreement decide qrels evaluate report",
        ),
    ],
)
def test_only_completed_stages_are_marked_as_done(status: ProjectStatus, stages: str) -> None:
    assert stage_states(status) == stages


def test_counts_are_shown_next_to_their_stage() -> None:
    assert [
        (each.done_count, each.total) for each in make_workflow(ASSIGNED).stages if each.total
    ] == [(1, 3)]


def test_of_many_names_only_some_are_shown() -> None:
    many = ProjectStatus(
        runs=4, pooled=54, files=9, assessors_with_missing_files=tuple("abcdefghi")
    )
    values = make_workflow(many).reason.all_values
    assert (values["names"], values["count"]) == ("a, b, c", "6")


def make_everyday_project(folder: Path) -> Path:
    sources, scale = sample_sources("everyday")
    create_project_from_files(folder / "p.irjudge", sources, scale=scale)
    with open_project(folder / "p.irjudge") as project:
        project.rankings.add_pool(
            depth_pool([project.rankings.run(run.name) for run in project.rankings.runs()], 2)
        )
    return folder / "p.irjudge"


def judge_all(path: Path, grade: int) -> None:
    with open_project(path) as project:
        session = Session(project)
        while work := session.current():
            session.grade(work, grade)
            session.advance()


def workflow_of(project: Project) -> str:
    return make_workflow(read_project_status(project, TODAY)).current_stage


def test_the_workflow_is_followed_from_the_pool_to_the_evaluation(tmp_path: Path) -> None:
    path, out = make_everyday_project(tmp_path), tmp_path / "out"
    with open_project(path) as project:
        workflows = [workflow_of(project)]
        made = assign_pool(
            project,
            parse_candidates("ann,bob"),
            AssignmentOptions(overlap=2),
            out,
            deadline="2027-02-01",
        )
        standing = read_project_status(project, TODAY)
        assert (
            standing.files,
            standing.returned,
            standing.late,
            standing.assessors_with_missing_files,
            standing.unassigned,
        ) == (2, 0, 2, ("ann", "bob"), 0)
        workflows.append(workflow_of(project))
        for grade, file in enumerate(made.files):
            judge_all(file.path, grade)
        before = project.writes
        merge_files(project, [made.files[0].path])
        assert project.writes != before
        workflows.append(workflow_of(project))
        merge_files(project, [made.files[1].path])
        workflows.append(workflow_of(project))
        standing = read_project_status(project, TODAY)
        assert (
            standing.shared == standing.disputed == standing.judged == standing.pooled
            and standing.assessors == 2
        )
        pool = project.rankings.pool()
        assert pool is not None
        AdjudicationRecorder(project).decide(
            pool.topics[0], project.collection.document(pool.document[0].as_py()), 1
        )
        assert read_project_status(project, TODAY).adjudicated == 1
    assert workflows == ["assign", "merge", "merge", "agreement"]


def test_documents_without_text_block_neither_assignment_nor_judging(tmp_path: Path) -> None:
    """The last documents are missing from the collection, so that they cannot be judged."""
    sources, scale = sample_sources("everyday")
    (documents,) = sources.documents
    lines = documents.read_text(encoding="utf-8").splitlines(keepends=True)
    shortened = tmp_path / "documents.jsonl"
    shortened.write_text("".join(lines[:-10]), encoding="utf-8")
    create_project_from_files(
        tmp_path / "p.irjudge", replace(sources, documents=(shortened,)), scale=scale
    )
    with open_project(tmp_path / "p.irjudge") as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(depth_pool(runs, 2))
        status = read_project_status(project, TODAY)
        pool, _warnings = list_unassigned(project)
        judgeable = sum(map(len, pool.values()))
        assert 0 < status.unassigned == status.judgeable == judgeable < status.pooled
        report = assign_pool(
            project, parse_candidates("ann"), AssignmentOptions(), tmp_path / "out"
        )
        judge_all(report.files[0].path, 1)
        merge_files(project, [report.files[0].path])
        status = read_project_status(project, TODAY)
        assert (status.unassigned, status.judged) == (0, judgeable)
        assert make_workflow(status).current_stage not in ("assign", "merge", "judge")


def test_imported_judgments_count_as_returned(tmp_path: Path) -> None:
    create_sample_project(tmp_path / "p.irjudge", "harbour")
    with open_project(tmp_path / "p.irjudge") as project:
        status = read_project_status(project, TODAY)
    assert (status.assessors, status.shared, status.disputed, status.judged, status.pooled) == (
        3,
        198,
        85,
        166,
        166,
    )
    assert make_workflow(status).current_stage == "agreement"


def test_the_owners_own_judgments_need_no_assignment(tmp_path: Path) -> None:
    path = make_everyday_project(tmp_path)
    with open_project(path) as project:
        session = Session(project)
        work = session.current()
        assert work is not None
        session.grade(work, 2)
        status = read_project_status(project, TODAY)
    assert (
        status.is_owner_only
        and (status.judged, status.own_judgments) == (1, 1)
        and make_workflow(status).current_stage == "judge"
    )


@pytest.mark.slow
def test_a_running_session_is_shown_and_its_remaining_items_are_assigned_later(
    tmp_path: Path,
) -> None:
    path = make_everyday_project(tmp_path)
    with open_project(path) as project:
        scale, pooled = project.scale.version, read_project_status(project, TODAY).pooled
    with run_server(path, SessionOptions(SchedulingOptions(overlap=2))) as server:
        ann = Person(server, "Ann")
        Person(server, "Bob").sync()
        ann.sync()
        ann.grade(0, 1, scale)
        ann.sync()
    with open_project(path, writing=False) as project:
        begun = read_project_status(project, TODAY)
        assert begun.session == OpenSession(participants=2) and begun.files == 0, (
            "who judges together has no file that is out"
        )
        before = project.writes
    with open_project(path) as project:
        project.sessions.set_state(project.sessions.all()[0].code, ENDED)
        assert project.writes != before
        over = read_project_status(project, TODAY)
        assert (
            over.session is None
            and workflow_of(project) == "assign"
            and over.unassigned == pooled - 1
        )
        left, _ = list_unassigned(project)
        assert sum(map(len, left.values())) == pooled - 1, (
            "items leased and not judged are assigned to no participant"
        )


@pytest.mark.slow
def test_a_completed_stage_is_stored_until_another_judgment_counts(
    tmp_path: Path,
) -> None:
    create_sample_project(tmp_path / "p.irjudge", "harbour")
    with open_project(tmp_path / "p.irjudge") as project:
        status = read_project_status(project, TODAY)
        for stage in ("agreement", "evaluate", "report"):
            status = mark_stage_done(project, stage, status)
        assert status == read_project_status(project, TODAY) and status.marked_stages == {
            "agreement",
            "evaluate",
            "report",
        }
    with open_project(tmp_path / "p.irjudge") as project:
        again = read_project_status(project, TODAY)
        assert again == status, "after a restart as before it"
        pool = project.rankings.pool()
        assert pool is not None
        AdjudicationRecorder(project).decide(
            pool.topics[0], project.collection.document(pool.document[0].as_py()), 2
        )
        decided = read_project_status(project, TODAY)
        assert decided.marked_stages == {"agreement"}, (
            "an adjudication is not a vote, and a different grade is a different value"
        )
        project.rankings.remove_run(project.rankings.runs()[0].name)
        set_counted_group(project, "sessions")
        assert read_project_status(project, TODAY).marked_stages == frozenset()
        project.set_setting("road", "[")
        assert read_project_status(project, TODAY).marked_stages == frozenset(), (
            "a note that cannot be read says nothing"
        )


def test_nothing_is_stored_about_stages_without_work(tmp_path: Path) -> None:
    path = make_everyday_project(tmp_path)
    with open_project(path) as project:
        assert (
            mark_stage_done(project, "agreement", read_project_status(project, TODAY)).marked_stages
            == frozenset()
        )
