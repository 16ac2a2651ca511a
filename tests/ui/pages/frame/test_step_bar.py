"""The foot of an organiser's pages: the one next step, and where a project opens."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.exchange import AssignmentOptions, assign_pool, merge_files, parse_candidates
from irjudge.judging import Session
from irjudge.store import open_project
from irjudge_ui.pages import PAGES
from irjudge_ui.pages.frame.workflow_bar import ACTIONS
from irjudge_ui.pages.shared.view import InstructionsDialog
from irjudge_ui.widgets import current_theme
from irjudge_ui.window import PAGES_WITHOUT_WORKFLOW, Window
from tests.ui.shown import (
    MAX_CHOICES,
    comes_next,
    is_shown,
    missing,
    primary_choices,
    road,
)

ONE_WINDOW = True

ORGANISERS = [page.id for page in PAGES if page.entry and page.id not in PAGES_WITHOUT_WORKFLOW]
Idle = Callable[[], None]


@pytest.fixture
def judged_window(window: Window, harbour_path: Path) -> Window:
    assert window.open(harbour_path)
    return window


def click(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_pool_without_judgments_opens_where_organisers_work(
    window: Window, project_path: Path, idle: Idle
) -> None:
    assert window.open(project_path)
    idle()
    assert window.pages.on_top() == "collection" and not window.findChildren(InstructionsDialog)
    assert window.steps.isVisible() and comes_next(window) == "assign"


def test_whoever_began_to_judge_alone_goes_on_judging(window: Window, project_path: Path) -> None:
    with open_project(project_path) as project:
        session = Session(project)
        work = session.current()
        assert work is not None
        session.grade(work, 1)
    assert window.open(project_path)
    assert window.pages.on_top() == "judge" and not window.steps.isVisible()


def test_judgments_of_others_open_on_the_assessors(judged_window: Window) -> None:
    assert judged_window.pages.on_top() == "assessors"


@pytest.mark.slow
def test_every_page_has_few_primary_choices_and_an_organiser_s_ends_in_one_next_step(
    judged_window: Window, idle: Idle, subtests: pytest.Subtests
) -> None:
    judged_window.resize(1366, 768)
    for page in (each.id for each in PAGES):
        judged_window.show_page(page)
        idle()
        with subtests.test("primary choices", page=page):
            choices = primary_choices(judged_window.pages.view(page))
            assert len(choices) <= MAX_CHOICES, choices
        if page not in ORGANISERS:
            continue
        with subtests.test("next step", page=page):
            bar = judged_window.steps
            assert (
                bar.isVisible()
                and is_shown(bar, "Missing")
                and missing(judged_window)
                and "▸" in road(judged_window)
            )
            strong = [
                each
                for each in judged_window.findChildren(QPushButton, "primary")
                if each.isVisible()
            ]
            assert len(strong) <= 1, [each.text() for each in strong]


@pytest.mark.slow
def test_an_empty_page_has_no_second_strong_button(
    window: Window, project_path: Path, idle: Idle, subtests: pytest.Subtests
) -> None:
    assert window.open(project_path)
    for page in (*ORGANISERS, *ORGANISERS):  # also when it is shown again
        with subtests.test(page=page):
            window.show_page(page)
            idle()
            strong = [
                each.text()
                for each in window.findChildren(QPushButton, "primary")
                if each.isVisible()
            ]
            assert len(strong) == 1, strong


def test_pages_for_judging_and_files_of_assessors_have_none(
    open_window: Window, idle: Idle
) -> None:
    for page in ("judge", "panels", "home", "settings"):
        open_window.show_page(page)
        idle()
        assert not open_window.steps.isVisible()


def test_the_strong_button_moves_with_the_state(
    window: Window, project_path: Path, idle: Idle, qtbot: QtBot
) -> None:
    with open_project(project_path) as project:
        for run in [run.name for run in project.rankings.runs()][1:]:
            project.rankings.remove_run(run)
    assert window.open(project_path)
    idle()
    window.show_page("assessors")
    idle()
    assessors = window.pages.view("assessors")
    assert assessors.next_buttons["assign"].objectName() == "primary"
    assert (
        assessors.next_buttons["merge"].objectName() == "" and not window.steps.now.isVisible()
    ), "it stands on the page already"
    by_action = {window.steps._actions[each]: each for each in window.steps.others}
    assert by_action.keys() == {"session", "judge"}
    click(qtbot, by_action["judge"])
    qtbot.waitUntil(lambda: window.pages.on_top() == "judge")


@pytest.mark.slow
def test_every_stage_is_a_link_to_the_page_of_its_action(
    window: Window, project_path: Path, idle: Idle
) -> None:
    assert window.open(project_path)
    window.show_page("assessors")
    idle()
    links = re.findall(r'href="([a-z-]+)"', window.steps._stages_label.text())
    assert len(links) >= 4 and set(links) <= {first for first, *_ in ACTIONS.values()}
    window.steps._stages_label.linkActivated.emit("evaluate")
    assert window.pages.on_top() == "evaluate"


@pytest.mark.slow
def test_stages_have_the_colour_of_a_new_theme_at_once(
    window: Window, project_path: Path, idle: Idle, qtbot: QtBot
) -> None:
    assert window.open(project_path)
    window.show_page("assessors")
    idle()
    before = window.steps._stages_label.text()
    assert current_theme().quiet in before
    window.settings.set("theme", "dark")
    qtbot.waitUntil(lambda: window.steps._stages_label.text() != before)
    assert current_theme().quiet in window.steps._stages_label.text()
    window.settings.set("theme", "light")


@pytest.mark.slow
def test_the_step_goes_to_its_page_and_begins_there(
    judged_window: Window, idle: Idle, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = []
    for _ in range(3):
        idle()
        way.append(comes_next(judged_window))
        if judged_window.steps.now.isVisible():
            click(qtbot, judged_window.steps.now)
    assert way == ["agreement", "adjudicate", ""] and judged_window.pages.on_top() == "adjudicate"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.qrels"), "")
    )
    judged_window.do("export-qrels")
    idle()
    assert (tmp_path / "out.qrels").is_file() and "✓\u00a0Qrels" in road(judged_window)
    judged_window.show_page("collection")
    click(qtbot, judged_window.steps.now)
    idle()
    assert judged_window.pages.on_top() == "evaluate" and "▸\u00a0Report" in road(judged_window)


@pytest.mark.slow
def test_the_values_are_offered_after_a_session_that_left_pairs(
    window: Window, project_path: Path, idle: Idle
) -> None:
    assert window.open(project_path)
    idle()
    bar = window.steps
    assert bar._status is not None
    bar._status = replace(
        bar._status, has_ended_session=True, assessors=1, judged=10, unassigned=24
    )
    bar._show_workflow()
    assert comes_next(window) == "assign"
    assert "evaluate" in [bar._actions[each] for each in bar.others]


@pytest.mark.slow
def test_a_report_is_counted_on_other_pages_and_after_a_restart(
    judged_window: Window, idle: Idle, tmp_path: Path
) -> None:
    judged_window.show_page("evaluate")
    idle()
    judged_window.exports.write_report(judged_window.evaluation.table, tmp_path / "out.csv")
    idle()
    assert (tmp_path / "out.csv").is_file()

    def told() -> set[str]:
        words = set()
        for page in ("evaluate", "collection", "assessors"):  # `test_one_truth` compares all
            judged_window.show_page(page)
            idle()
            words.add(road(judged_window) + missing(judged_window))
        return words

    (before,) = told()
    assert (
        "✓\u00a0Report" in before and "✓\u00a0Decide" not in before and "Report created" in before
    )
    assert judged_window.steps.now.objectName() == "", (
        "nothing is left that the button would lead to"
    )
    judged_window.reopen()
    idle()
    assert told() == {before}


@pytest.mark.slow
def test_a_decision_is_counted(judged_window: Window, idle: Idle, qtbot: QtBot) -> None:
    judged_window.show_page("adjudicate")
    idle()
    desk = judged_window.pages.view("adjudicate")
    qtbot.waitUntil(lambda: desk.can_decide)
    qtbot.keyClick(desk, Qt.Key.Key_2)
    qtbot.waitUntil(lambda: "1 of 85" in road(judged_window).replace("\u00a0", " "))


@pytest.mark.slow
def test_a_project_nobody_changed_is_not_read_again(
    judged_window: Window, idle: Idle, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle()
    read = []
    monkeypatch.setattr(
        "irjudge_ui.pages.frame.workflow_bar.read_project_status", lambda *_: read.append(1)
    )
    judged_window.show_page("agreement")
    judged_window.show_page("collection")
    idle()
    assert read == []


def test_once_the_qrels_are_written_the_values_come_next(
    window: Window, project_path: Path, tmp_path: Path, idle: Idle
) -> None:
    with open_project(project_path) as project:
        assign_pool(project, parse_candidates("ann"), AssignmentOptions(), tmp_path)
        with open_project(tmp_path / "ann.irtask") as task:
            session = Session(task)
            while (work := session.current()) is not None:
                session.grade(work, 1)
                session.advance()
        merge_files(project, [tmp_path / "ann.irtask"])
    assert window.open(project_path)
    idle()
    window.show_page("adjudicate")
    idle()
    assert comes_next(window) == "export-qrels"
    window.exports.write_qrels(tmp_path / "out.qrels")
    idle()
    assert comes_next(window) == "evaluate" and "✓\u00a0Qrels" in road(window)
