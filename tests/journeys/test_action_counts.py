"""Tests of the number of user actions: a click, a key, a filled field or a file dialog each."""

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
from tests.journeys.simulated_user import CountedUser
from tests.pools import depth_pool

OpenWindow = Callable[[], Window]
Snap = Callable[..., None]
FIRST_JUDGMENT, POOL, QRELS, WORKBOOK = 4, 12, 4, 3  # maximum numbers of actions


def make_pooled_project(path: Path) -> Path:
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


def test_the_first_judgment_takes_few_actions_from_the_start_page(
    user: CountedUser, snap: Snap
) -> None:
    window = user.window
    user.click("everyday", window.pages.view("home"))
    user.click("Build pool", window.collection)
    snap(window, "few-actions-pool")
    user.click("Judge", window.steps)
    user.key(Qt.Key.Key_2)
    assert window.project is not None and window.project.events.count() == 1
    assert user.actions <= FIRST_JUDGMENT


def test_a_pool_takes_few_actions_from_the_files(user: CountedUser, tmp_path: Path) -> None:
    folder, window = sample_folders()["everyday"], user.window
    user.click("New project", window.pages.view("home"))
    page = window.pages.view("new")
    for title, paths in (
        ("Documents", [folder / "documents.jsonl"]),
        ("Topics", [folder / "topics.txt"]),
        ("Runs", sorted((folder / "runs").iterdir())),
    ):
        user.prepare_file_dialog(([str(path) for path in paths], ""))
        user.click(f"Choose files: {title}", page)
    user.fill(page.file, str(tmp_path / "mine.irjudge"))
    user.click("Create project", page)
    user.click("Build pool", window.collection)
    assert window.project is not None and window.project.rankings.pool_version() == 1
    assert user.actions <= POOL


def test_qrels_take_few_actions_from_merged_files(
    user: CountedUser, tmp_path: Path, snap: Snap
) -> None:
    path, window = make_pooled_project(tmp_path / "course.irjudge"), user.window
    with open_project(path) as project:
        made = assign_pool(
            project,
            parse_candidates("ann,bob,cleo"),
            AssignmentOptions(overlap=3),
            tmp_path / "out",
        )
    for index, file in enumerate(made.files):
        judge_all(file.path, lambda count, index=index: (count + index) % 2)
    window.open(path)
    user.wait_until_idle()
    window.pages.view("assessors").merge([file.path for file in made.files])
    user.wait_until_idle()
    snap(window, "few-actions-merged")
    before = user.actions
    user.prepare_file_dialog((str(tmp_path / "out.qrels"), ""))
    user.click("Export qrels", window.steps)
    assert user.actions - before <= QRELS
    assert window.project is not None
    assert len(read_qrels(tmp_path / "out.qrels")) == len(window.project.rankings.pool() or ())


def test_a_workbook_takes_few_actions_from_a_judged_pool(
    user: CountedUser, tmp_path: Path, settings: Settings
) -> None:
    path, window = make_pooled_project(tmp_path / "judged.irjudge"), user.window
    judge_all(path, lambda count: count % 4)
    window.open(path)
    user.wait_until_idle()
    window.show_page("collection")
    user.wait_until_idle()
    before = user.actions
    user.click("Evaluate", window.steps)
    user.prepare_file_dialog((str(tmp_path / "out.xlsx"), ""))
    user.click("Report", window.evaluation)
    assert user.actions - before <= WORKBOOK
    with closing(openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)) as book:
        assert "Summary" in book.sheetnames
