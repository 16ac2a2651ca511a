"""How few actions lead from one thing to the next: an action is one click, one key or chord, or one field or file dialog filled in."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import openpyxl
from PySide6.QtCore import Qt

from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates
from irjudge.formats.rankings import read_qrels
from irjudge.judging import Session
from irjudge.shipped import sample_folders
from irjudge.store import create_project_from_files, open_project, sample_sources
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from tests.journeys.hands import Hands
from tests.pools import depth_pool

OpenWindow = Callable[[], Window]
Snap = Callable[..., None]
FIRST_JUDGMENT, POOL, QRELS, WORKBOOK = 4, 12, 4, 3  # actions at most


def pooled(path: Path) -> Path:
    sources, scale = sample_sources("everyday")
    create_project_from_files(path, sources, scale=scale)
    with open_project(path) as project:
        project.rankings.add_pool(
            depth_pool([project.rankings.run(run.name) for run in project.rankings.runs()], 3)
        )
    return path


def judge_all(path: Path, grade: Callable[[int], int]) -> None:
    with open_project(path) as project:
        session, count = Session(project), 0
        while work := session.current():
            session.grade(work, grade(count), active_ms=3000)
            session.advance()
            count += 1


def test_from_the_start_page_to_the_first_judgment(hands: Hands, snap: Snap) -> None:
    window = hands.window
    hands.click("everyday", window.pages.view("home"))
    hands.click("Build pool", window.collection)
    snap(window, "few-actions-pool")
    hands.click("Judge", window.steps)
    hands.key(Qt.Key.Key_2)
    assert window.project is not None and window.project.events.count() == 1
    assert hands.actions <= FIRST_JUDGMENT


def test_from_files_to_a_pool(hands: Hands, tmp_path: Path) -> None:
    folder, window = sample_folders()["everyday"], hands.window
    hands.click("New project", window.pages.view("home"))
    page = window.pages.view("new")
    for title, paths in (
        ("Documents", [folder / "documents.jsonl"]),
        ("Topics", [folder / "topics.txt"]),
        ("Runs", sorted((folder / "runs").iterdir())),
    ):
        hands.will_choose(([str(path) for path in paths], ""))
        hands.click(f"Choose files: {title}", page)
    hands.fill(page.file, str(tmp_path / "mine.irjudge"))
    hands.click("Create project", page)
    hands.click("Build pool", window.collection)
    assert window.project is not None and window.project.rankings.pool_version() == 1
    assert hands.actions <= POOL


def test_from_merged_files_to_qrels(hands: Hands, tmp_path: Path, snap: Snap) -> None:
    path, window = pooled(tmp_path / "course.irjudge"), hands.window
    with open_project(path) as project:
        made = assign_pool(
            project,
            parse_candidates("ann,bob,cleo"),
            AssignmentOptions(overlap=3),
            tmp_path / "out",
        )
    for place, file in enumerate(made.files):
        judge_all(file.path, lambda count, place=place: (count + place) % 2)
    window.open(path)
    hands.settle()
    window.pages.view("assessors").merge([file.path for file in made.files])
    hands.settle()
    snap(window, "few-actions-merged")
    before = hands.actions
    hands.will_choose((str(tmp_path / "out.qrels"), ""))
    hands.click("Export qrels", window.steps)
    assert hands.actions - before <= QRELS
    assert window.project is not None
    assert len(read_qrels(tmp_path / "out.qrels")) == len(window.project.rankings.pool() or ())


def test_from_a_judged_pool_to_a_workbook(hands: Hands, tmp_path: Path, settings: Settings) -> None:
    path, window = pooled(tmp_path / "judged.irjudge"), hands.window
    judge_all(path, lambda count: count % 4)
    window.open(path)
    hands.settle()
    window.show_page("collection")
    hands.settle()
    before = hands.actions
    hands.click("Evaluate", window.steps)
    hands.will_choose((str(tmp_path / "out.xlsx"), ""))
    hands.click("Report", window.evaluation)
    assert hands.actions - before <= WORKBOOK
    with closing(openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)) as book:
        assert "Summary" in book.sheetnames
