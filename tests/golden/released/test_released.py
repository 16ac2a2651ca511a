"""Tests that files of releases (NAME.zip) open, continue and merge as they did then (NAME.json)."""

import json
import shutil
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import irjudge
from irjudge.audit import AnswerFile, import_answer_files, make_answers_path
from irjudge.evaluation import evaluate_project
from irjudge.exchange import merge_files
from irjudge.judging import (
    AdjudicationRecorder,
    Attention,
    ComparisonSession,
    Session,
    get_ledger,
    list_norming_sessions,
    list_qrels_choices,
    list_qrels_rows,
    read_valid_adjudications,
)
from irjudge.metrics import parse_measure_name
from irjudge.model import EVENT_KINDS
from irjudge.report import read_stored_evaluations, stored_evaluations
from irjudge.store import Project, open_project
from irjudge.web import Server
from irjudge_ui.settings import Settings
from tests.engine.exchange.browser_results import SECOND, Browser
from tests.engine.web.session_client import Person, run_server
from tests.golden.released.continuing import (
    answer_prompts,
    compare_on,
    decide_on,
    grade_in_session,
    grade_on,
    state_hash,
    ticking,
    written,
)

HERE = Path(__file__).parent
CONTINUED = {
    "merged.irjudge": "all",
    "half-done.irtask": "grade",
    "half-compared.irtask": "compare",
    "pairs.irtask": "compare",
}


RELEASES = sorted(each.stem for each in HERE.glob("*.zip"))
# wrote the files added with `b99be626`
LATER_RELEASES = [each for each in RELEASES if each != "8a36930"]
of_later_releases = pytest.mark.parametrize("release", LATER_RELEASES, indirect=True)


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    """Return the commit of the release."""
    return str(request.param)


@pytest.fixture
def files(release: str, tmp_path: Path) -> Path:
    """Return a folder with the files of the release."""
    shutil.unpack_archive(HERE / f"{release}.zip", tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture
def expected(release: str) -> dict[str, Any]:
    """Return the values that the release computed from its files."""
    found: dict[str, Any] = json.loads((HERE / f"{release}.json").read_text(encoding="utf-8"))
    return found


def projects(folder: Path) -> list[Path]:
    return sorted([*folder.glob("*.irtask"), *folder.glob("*.irjudge"), *folder.glob("returned/*")])


def has_later_files(files: Path) -> bool:
    """Return whether a release wrote the files that were added with `b99be626`."""
    return (files / "norming.irjudge").exists()


@pytest.fixture
def later(files: Path) -> Path:
    """The files of a release that wrote those that were added with `b99be626`."""
    assert has_later_files(files), "the test runs for later releases only"
    return files


def state(project: Project) -> str:
    return state_hash(
        project,
        lambda name: get_ledger(project, name).judgments(),
        read_valid_adjudications(project).values(),
    )


def look(path: Path) -> dict[str, Any]:
    with open_project(path, writing=False) as project:
        qrels = {
            each.name: [list(row) for row in list_qrels_rows(project, each)]
            for each in list_qrels_choices(project)
        }
        return {"state": state(project), "waiting": len(project.events.waiting()), "qrels": qrels}


def go_on(path: Path, kind: str) -> list[str]:
    with open_project(path) as project:
        before = project.events.digests()
        if kind in ("grade", "all"):
            grade_on(Session(project, clock=ticking(700)), 30)
        if kind in ("compare", "all"):
            compare_on(ComparisonSession(project, clock=ticking(760)), Attention, 30)
        if kind == "all":
            found = [project.collection.document(f"NA-{number}") for number in range(4)]
            decide_on(AdjudicationRecorder(project, clock=ticking(820)), "NA", found)
        return written(project.events.read(), before)


def rows(path: Path) -> dict[str, tuple[list[str], list[tuple[Any, ...]]]]:
    """Return the columns and rows of each table of a file, read with SQL."""
    database = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    names = [
        name
        for (name,) in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
    ]
    found = {}
    for name in names:
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
        found[name] = (
            columns,
            database.execute(f"SELECT {', '.join(columns)} FROM {name}").fetchall(),
        )
    database.close()
    return found


# tables that came after it
LATER = ("session", "participant", "session_place", "run_metadata", "document_fields")


def lost(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Counter[Any]]:
    """Return the missing rows of each table, in their former columns.

    Checksums are computed from the other tables, also recomputed when a format adds a column.
    """
    missing = {}
    for name, (columns, had) in before.items():
        if name == "seal":
            continue
        names, has = after.get(name, ([], []))
        places = [names.index(column) for column in columns if column in names]
        kept = Counter(tuple(row[place] for place in places) for row in has)
        if left := Counter(had) - kept:
            missing[name] = left
    return missing


def test_a_release_left_every_kind_of_event_and_of_table(
    files: Path, expected: dict[str, Any]
) -> None:
    with open_project(files / "merged.irjudge") as project:
        kinds = {event.kind for event in project.events.read()}
        roles = {
            secret.role
            for each in project.assignments.all()
            for secret in project.assignments.organiser_notes(each.code)
        }
    assert kinds == set(EVENT_KINDS)
    assert roles == {"document", "gold", "qualification", "calibration", "repeat"}
    tables = rows(files / "merged.irjudge")
    others = [rows(path) for path in files.glob("*.irjudge")]
    empty = {name for name in tables if not any(each[name][1] for each in others if name in each)}
    allowed = {"waiting_event"} if has_later_files(files) else {"waiting_event", *LATER}
    assert empty <= allowed and expected["merged.irjudge"]["waiting"] > 0


@pytest.mark.slow
def test_opening_loses_no_row_of_any_table(files: Path) -> None:
    for path in projects(files):
        before = rows(path)
        open_project(path).close()
        assert lost(before, rows(path)) == {}, path.name


@pytest.mark.slow
def test_a_file_that_is_opened_stays_as_it_is_or_has_a_copy_from_before(files: Path) -> None:
    for path in projects(files):
        before, form = path.read_bytes(), path.read_bytes()[63]  # the low byte of user_version
        with open_project(path) as project:
            assert bool(project.verify().problems) == ("event lost" in path.name), path.name
        kept = (
            path
            if path.read_bytes()[63] == form
            else path.with_name(f"{path.stem}.form{form}{path.suffix}")
        )
        assert kept.read_bytes() == before, path.name


@pytest.mark.parametrize("name", ["handed-out.irjudge", "merged.irjudge"])
def test_a_project_has_the_state_and_the_qrels_it_had(
    files: Path, expected: dict[str, Any], name: str
) -> None:
    open_project(files / name).close()
    assert look(files / name) == expected[name]


@pytest.mark.slow
@pytest.mark.parametrize("backwards", [False, True])
def test_returned_files_merge_to_the_state_they_merged_to(
    files: Path, expected: dict[str, Any], *, backwards: bool
) -> None:
    with open_project(files / "handed-out.irjudge") as project:
        for path in sorted((files / "returned").iterdir(), reverse=backwards):
            (report,) = merge_files(project, [path]).reports
            assert report.is_balanced and not report.refused
    assert look(files / "handed-out.irjudge") == expected["returned"]


@pytest.mark.parametrize("name", sorted(CONTINUED))
def test_going_on_with_a_fixed_clock_writes_the_bytes_it_wrote(
    files: Path, expected: dict[str, Any], name: str
) -> None:
    assert go_on(files / name, CONTINUED[name]) == expected["written"][name]


@pytest.mark.slow
def test_what_went_on_merges_to_the_state_it_merged_to(
    files: Path, expected: dict[str, Any]
) -> None:
    for name, kind in CONTINUED.items():
        go_on(files / name, kind)
    with open_project(files / "merged.irjudge") as project:
        merge_files(
            project, [files / name for name in reversed(CONTINUED) if name.endswith(".irtask")]
        )
    assert look(files / "merged.irjudge") == expected["complete"]


def test_the_settings_of_the_window_are_read_and_kept(
    files: Path, expected: dict[str, Any], qapp: object
) -> None:
    path = files / "irjudge.ini"
    for again in (False, True):
        settings = Settings(path)
        read = {
            name: settings.get(name)
            for name in expected["settings"]
            if name not in ("names", "own_words")
        }
        read["names"] = settings.names()
        read["own_words"] = {
            topic: list(words)
            for topic, words in settings.own_terms(Path("harbour.irjudge")).items()
        }
        assert read == expected["settings"]
        if not again:
            settings.set("geometry", "AAAA")


def return_to(server: Server, token: str, client: str) -> Person:
    """Return a participant who opens the page again."""
    person = Person(server, "", join=False)
    person.token, person.client = token, client
    return person


def scale_of(path: Path) -> str:
    with open_project(path, writing=False) as project:
        return project.scale.version


@of_later_releases
def test_participants_of_a_released_norming_session_continue_and_close_the_round(
    later: Path, expected: dict[str, Any]
) -> None:
    path, released = later / "norming.irjudge", expected["norming"]
    assert look(path) == released["before"]
    scale = scale_of(path)
    with run_server(path) as server:
        for number, token in enumerate(released["tokens"]):
            person = return_to(server, token, f"{number}b" * 16)
            actions = person.call("/welcome", {})["actions"]
            assert len(actions) == released["saved"][number]
            grade_in_session(person, scale, 5, lambda document: document % 4)
        server.ask("close")
    with open_project(path, writing=False) as project:
        assert project.verify().problems == ()
        (session,) = list_norming_sessions(project)
    assert [
        [
            each.number,
            each.participants,
            sorted(
                [*document.pair, document.is_split, document.votes] for document in each.documents
            ),
            each.value("alpha", "ordinal").value,
        ]
        for each in session.rounds
    ] == released["rounds"]


@pytest.mark.slow
@of_later_releases
def test_participants_of_a_released_crowd_session_continue(
    later: Path, expected: dict[str, Any]
) -> None:
    path, released = later / "crowd.irjudge", expected["crowd"]
    assert look(path) == released["before"]
    scale = scale_of(path)
    with run_server(path) as server:
        done, begun = (
            return_to(server, token, f"{number}c" * 16)
            for number, token in enumerate(released["tokens"])
        )
        assert done.sync(want=0)["complete"]
        assert not begun.sync(want=0)["complete"]
        grade_in_session(begun, scale, 2, lambda document: document % 4)
        assert begun.sync(want=0)["complete"]
    with open_project(path, writing=False) as project:
        assert project.verify().problems == ()
        assert len(project.sessions.participants()) == 2
        assert sum(event.kind == "grade" for event in project.events.read()) == 8


@of_later_releases
def test_a_released_task_file_and_browser_result_merge(
    later: Path, expected: dict[str, Any]
) -> None:
    path = later / "browser.irjudge"
    task = json.loads((later / "bob.task.json").read_text(encoding="utf-8"))
    page = Browser(task, SECOND)
    for place in (8, 9):
        page.grade(place, 1)
    page.save(later / "bob, continued.result.json")
    with open_project(path) as project:
        merged = merge_files(project, [later / "ann.irtask", later / "bob.result.json"])
        assert all(each.is_balanced and each.rejected == 0 for each in merged.reports)
    assert look(path) == expected["browser"]
    with open_project(path) as project:
        (report,) = merge_files(project, [later / "bob, continued.result.json"]).reports
        assert (report.new, report.rejected) == (2, 0)


@of_later_releases
def test_a_released_stored_evaluation_has_its_values_and_is_compared_with_those_of_today(
    later: Path, expected: dict[str, Any]
) -> None:
    path = later / "evaluated.irjudge"
    assert look(path) == expected["evaluated"]["before"]
    with open_project(path, writing=False) as project:
        (kept,) = stored_evaluations(project)
        qrels = next(each for each in list_qrels_choices(project) if each.name == "truth")
        measures = [measure for name in kept.measures for measure in parse_measure_name(name)]
        today = evaluate_project(project, measures, kept.policy, qrels)
    for runs in (kept.runs, today.runs):
        values = {run.run: [list(run.topics), run.values.tolist()] for run in runs}
        assert values == expected["evaluated"]["kept"]


@of_later_releases
def test_replies_of_a_model_to_released_questions_are_read(
    later: Path, expected: dict[str, Any]
) -> None:
    path = later / "evaluated.irjudge"
    answer_prompts(later / "prompts", 20, 40)
    with open_project(path) as project:
        with AnswerFile(make_answers_path(path), path) as answers:
            import_answer_files(project, later / "prompts", answers)
        grades = sorted(
            [each.item.topic, each.item.documents[0], each.payload.get("value")]
            for each in get_ledger(project, "small").judgments()
        )
    assert grades == expected["evaluated"]["grades"]


@of_later_releases
def test_a_released_converted_run_has_the_values_it_had(
    later: Path, expected: dict[str, Any]
) -> None:
    measures = ["AP", "nDCG@10", "P@5"]
    for run in (later / "converted", later / "bm25.run"):
        frame = irjudge.evaluate(later / "qrels.txt", [run], measures, per_topic=True)
        assert frame.to_numpy().tolist() == expected["converted"]["values"]
    (kept,) = read_stored_evaluations(later / "nightly.evaluations.jsonl")
    assert [run.run for run in kept.runs] == ["bm25"]
