"""Files that releases wrote open, go on and merge as they did then; for each release there is NAME.zip and NAME.json here."""

import json
import shutil
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from irjudge.exchange.merge import merge
from irjudge.judging.judged_qrels import choices, qrels_rows
from irjudge.judging.ledger import ledger_of
from irjudge.judging.session import Session
from irjudge.judging.settlement import Adjudication, valid_decisions
from irjudge.judging.side_by_side import Attention, SideBySide
from irjudge.model.event import KINDS
from irjudge.store.project import Project, open_project
from irjudge_ui.settings import Settings
from tests.golden.released.continuing import (
    compare_on,
    decide_on,
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


@pytest.fixture(params=sorted(each.stem for each in HERE.glob("*.zip")))
def release(request: pytest.FixtureRequest) -> str:
    """The commit whose files these are."""
    return str(request.param)


@pytest.fixture
def files(release: str, tmp_path: Path) -> Path:
    """A folder with that release's files."""
    shutil.unpack_archive(HERE / f"{release}.zip", tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture
def expected(release: str) -> dict[str, Any]:
    """What that release made of its files."""
    found: dict[str, Any] = json.loads((HERE / f"{release}.json").read_text(encoding="utf-8"))
    return found


def projects(folder: Path) -> list[Path]:
    return sorted([*folder.glob("*.irtask"), *folder.glob("*.irjudge"), *folder.glob("returned/*")])


def state(project: Project) -> str:
    return state_hash(
        project,
        lambda name: ledger_of(project, name).judgments(),
        valid_decisions(project).values(),
    )


def look(path: Path) -> dict[str, Any]:
    with open_project(path, writing=False) as project:
        qrels = {
            each.name: [list(row) for row in qrels_rows(project, each)] for each in choices(project)
        }
        return {"state": state(project), "waiting": len(project.events.waiting()), "qrels": qrels}


def go_on(path: Path, kind: str) -> list[str]:
    with open_project(path) as project:
        before = project.events.digests()
        if kind in ("grade", "all"):
            grade_on(Session(project, clock=ticking(700)), 30)
        if kind in ("compare", "all"):
            compare_on(SideBySide(project, clock=ticking(760)), Attention, 30)
        if kind == "all":
            found = [project.collection.document(f"NA-{number}") for number in range(4)]
            decide_on(Adjudication(project, clock=ticking(820)), "NA", found)
        return written(project.events.read(), before)


def rows(path: Path) -> dict[str, tuple[list[str], list[tuple[Any, ...]]]]:
    """Return the columns and the rows of each table of a file, read past the program."""
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


LATER = (
    "session",
    "participant",
    "session_place",
    "run_metadata",
    "document_fields",
)  # tables that came after it


def lost(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Counter[Any]]:
    """Return by table the rows, in the columns they had, that are not there any more."""
    missing = {}
    for name, (columns, had) in before.items():
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
            for secret in project.assignments.secrets(each.code)
        }
    assert kinds == set(KINDS)
    assert roles == {"document", "gold", "qualification", "calibration", "repeat"}
    empty = {name for name, (_, held) in rows(files / "merged.irjudge").items() if not held}
    assert empty <= {"waiting_event", *LATER} and expected["merged.irjudge"]["waiting"] > 0


def test_opening_loses_no_row_of_any_table(files: Path) -> None:
    for path in projects(files):
        before = rows(path)
        open_project(path).close()
        assert lost(before, rows(path)) == {}, path.name


def test_a_file_that_is_opened_stays_as_it_is_or_has_a_copy_from_before(files: Path) -> None:
    for path in projects(files):
        before, form = path.read_bytes(), path.read_bytes()[63]  # the low byte of user_version
        with open_project(path) as project:
            assert bool(project.verify().faults) == ("event lost" in path.name), path.name
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


@pytest.mark.parametrize("backwards", [False, True])
def test_returned_files_merge_to_the_state_they_merged_to(
    files: Path, expected: dict[str, Any], *, backwards: bool
) -> None:
    with open_project(files / "handed-out.irjudge") as project:
        for path in sorted((files / "returned").iterdir(), reverse=backwards):
            (balance,) = merge(project, [path]).balances
            assert balance.adds_up and not balance.refused
    assert look(files / "handed-out.irjudge") == expected["returned"]


@pytest.mark.parametrize("name", sorted(CONTINUED))
def test_going_on_with_a_fixed_clock_writes_the_bytes_it_wrote(
    files: Path, expected: dict[str, Any], name: str
) -> None:
    assert go_on(files / name, CONTINUED[name]) == expected["written"][name]


def test_what_went_on_merges_to_the_state_it_merged_to(
    files: Path, expected: dict[str, Any]
) -> None:
    for name, kind in CONTINUED.items():
        go_on(files / name, kind)
    with open_project(files / "merged.irjudge") as project:
        merge(project, [files / name for name in reversed(CONTINUED) if name.endswith(".irtask")])
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
            for topic, words in settings.own_words(Path("harbour.irjudge")).items()
        }
        assert read == expected["settings"]
        if not again:
            settings.set("geometry", "AAAA")
