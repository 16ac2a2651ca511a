"""Tests of the workflow bar of organiser pages: the next step, and the page a project opens on."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.exchange import (
    AssignmentOptions,
    assign_pool,
    merge_files,
    parse_candidates,
    read_project_status,
)
from irjudge.judging import Session
from irjudge.store import open_project
from irjudge_ui.pages import PAGES
from irjudge_ui.pages.frame.workflow_bar import ACTIONS
from irjudge_ui.pages.shared.view import InstructionsDialog
from irjudge_ui.widgets import current_theme
from irjudge_ui.window import PAGES_WITHOUT_WORKFLOW, Window
from tests.ui.window_content import (
    MAX_CHOICES,
    is_shown,
    missing_text,
    next_action,
    primary_choices,
    workflow_text,
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


def test_a_pool_without_judgments_opens_on_the_organisers_page(
    window: Window, project_path: Path, wait_until_idle: Idle
) -> None:
    assert window.open(project_path)
    wait_until_idle()
    assert window.pages.on_top() == "collection" and not window.findChildren(InstructionsDialog)
    assert window.steps.isVisible() and next_action(window) == "assign"


def test_an_organiser_who_started_judging_alone_continues_judging(
    window: Window, project_path: Path
) -> None:
    with open_project(project_path) as project:
        session = Session(project)
        work = session.current()
        assert work is not None
        session.grade(work, 1)
    assert window.open(project_path)
    assert window.pages.on_top() == "judge" and not window.steps.isVisible()


def test_judgments_of_others_open_the_assessors_page(judged_window: Window) -> None:
    assert judged_window.pages.on_top() == "assessors"


@pytest.mark.slow
def test_every_page_has_few_primary_choices_and_organiser_pages_one_next_step(
    judged_window: Window, wait_until_idle: Idle, subtests: pytest.Subtests
) -> None:
    judged_window.resize(1366, 768)
    for page in (each.id for each in PAGES):
        judged_window.show_page(page)
        wait_until_idle()
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
                and missing_text(judged_window)
                and "▸" in workflow_text(judged_window)
            )
            strong = [
                each
                for each in judged_window.findChildren(QPushButton, "primary")
                if each.isVisible()
            ]
            assert len(strong) <= 1, [each.text() for each in strong]


@pytest.mark.slow
def test_an_empty_page_has_no_second_primary_button(
    window: Window, project_path: Path, wait_until_idle: Idle, subtests: pytest.Subtests
) -> None:
    assert window.open(project_path)
    # twice, because a page may differ when it is shown again
    for page in (*ORGANISERS, *ORGANISERS):
        with subtests.test(page=page):
            window.show_page(page)
            wait_until_idle()
            strong = [
                each.text()
                for each in window.findChildren(QPushButton, "primary")
                if each.isVisible()
            ]
            assert len(strong) == 1, strong


def test_judging_pages_and_assessor_files_have_no_next_step(
    open_window: Window, wait_until_idle: Idle
) -> None:
    for page in ("judge", "panels", "home", "settings"):
        open_window.show_page(page)
        wait_until_idle()
        assert not open_window.steps.isVisible()


def test_the_primary_button_changes_with_the_state(
    window: Window, project_path: Path, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    with open_project(project_path) as project:
        for run in [run.name for run in project.rankings.runs()][1:]:
            project.rankings.remove_run(run)
    assert window.open(project_path)
    wait_until_idle()
    window.show_page("assessors")
    wait_until_idle()
    assessors = window.pages.view("assessors")
    assert assessors.next_buttons["assign"].objectName() == "primary"
    assert (
        assessors.next_buttons["merge"].objectName() == "" and not window.steps.now.isVisible()
    ), "the page shows it already"
    by_action = {window.steps._actions[each]: each for each in window.steps.others}
    assert by_action.keys() == {"session", "judge"}
    click(qtbot, by_action["judge"])
    qtbot.waitUntil(lambda: window.pages.on_top() == "judge")


@pytest.mark.slow
def test_every_stage_links_to_the_page_of_its_action(
    window: Window, project_path: Path, wait_until_idle: Idle
) -> None:
    assert window.open(project_path)
    window.show_page("assessors")
    wait_until_idle()
    links = re.findall(r'href="([a-z-]+)"', window.steps._stages_label.text())
    assert len(links) >= 4 and set(links) <= {first for first, *_ in ACTIONS.values()}
    window.steps._stages_label.linkActivated.emit("evaluate")
    assert window.pages.on_top() == "evaluate"


@pytest.mark.slow
def test_stages_get_the_colours_of_a_new_theme_at_once(
    window: Window, project_path: Path, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    assert window.open(project_path)
    window.show_page("assessors")
    wait_until_idle()
    before = window.steps._stages_label.text()
    assert current_theme().quiet in before
    window.settings.set("theme", "dark")
    qtbot.waitUntil(lambda: window.steps._stages_label.text() != before)
    assert current_theme().quiet in window.steps._stages_label.text()
    window.settings.set("theme", "light")


@pytest.mark.slow
def test_the_next_step_opens_its_page_and_starts_the_action(
    judged_window: Window,
    wait_until_idle: Idle,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    way = []
    for _ in range(3):
        wait_until_idle()
        way.append(next_action(judged_window))
        if judged_window.steps.now.isVisible():
            click(qtbot, judged_window.steps.now)
    assert way == ["agreement", "adjudicate", ""] and judged_window.pages.on_top() == "adjudicate"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.qrels"), "")
    )
    judged_window.do("export-qrels")
    wait_until_idle()
    assert (tmp_path / "out.qrels").is_file() and "✓\u00a0Qrels" in workflow_text(judged_window)
    judged_window.show_page("collection")
    click(qtbot, judged_window.steps.now)
    wait_until_idle()
    assert judged_window.pages.on_top() == "evaluate" and "▸\u00a0Report" in workflow_text(
        judged_window
    )


@pytest.mark.slow
def test_evaluation_is_offered_after_a_session_that_left_pairs_unjudged(
    window: Window, project_path: Path, wait_until_idle: Idle
) -> None:
    assert window.open(project_path)
    wait_until_idle()
    bar = window.steps
    assert bar._status is not None
    bar._status = replace(
        bar._status, has_ended_session=True, assessors=1, judged=10, unassigned=24
    )
    bar._show_workflow()
    assert next_action(window) == "assign"
    assert "evaluate" in [bar._actions[each] for each in bar.others]


@pytest.mark.slow
def test_a_report_counts_as_done_on_other_pages_and_after_a_restart(
    judged_window: Window, wait_until_idle: Idle, tmp_path: Path
) -> None:
    judged_window.show_page("evaluate")
    wait_until_idle()
    judged_window.exports.write_report(judged_window.evaluation.table, tmp_path / "out.csv")
    wait_until_idle()
    assert (tmp_path / "out.csv").is_file()

    def workflow_texts() -> set[str]:
        texts = set()
        for page in (
            "evaluate",
            "collection",
            "assessors",
        ):  # `test_page_consistency` compares all pages
            judged_window.show_page(page)
            wait_until_idle()
            texts.add(workflow_text(judged_window) + missing_text(judged_window))
        return texts

    (before,) = workflow_texts()
    assert (
        "✓\u00a0Report" in before and "✓\u00a0Decide" not in before and "Report created" in before
    )
    assert judged_window.steps.now.objectName() == "", (
        "nothing is left that the button would lead to"
    )
    judged_window.reopen()
    wait_until_idle()
    assert workflow_texts() == {before}


@pytest.mark.slow
def test_an_adjudication_is_counted(
    judged_window: Window, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    judged_window.show_page("adjudicate")
    wait_until_idle()
    adjudicate_page = judged_window.pages.view("adjudicate")
    qtbot.waitUntil(lambda: adjudicate_page.can_decide)
    qtbot.keyClick(adjudicate_page, Qt.Key.Key_2)
    qtbot.waitUntil(lambda: "1 of 85" in workflow_text(judged_window).replace("\u00a0", " "))


@pytest.mark.slow
def test_an_unchanged_project_is_not_read_again(
    judged_window: Window, wait_until_idle: Idle, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_until_idle()
    read = []
    monkeypatch.setattr(
        "irjudge_ui.pages.frame.workflow_bar.read_project_status", lambda *_: read.append(1)
    )
    judged_window.show_page("agreement")
    judged_window.show_page("collection")
    wait_until_idle()
    assert read == []


def test_once_the_qrels_are_written_evaluation_is_the_next_step(
    window: Window, project_path: Path, tmp_path: Path, wait_until_idle: Idle
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
    wait_until_idle()
    window.show_page("adjudicate")
    wait_until_idle()
    assert next_action(window) == "export-qrels"
    window.exports.write_qrels(tmp_path / "out.qrels")
    wait_until_idle()
    assert next_action(window) == "evaluate" and "✓\u00a0Qrels" in workflow_text(window)


def test_an_export_on_a_page_without_the_bar_completes_the_stage_of_qrels(
    judged_window: Window, wait_until_idle: Idle, tmp_path: Path
) -> None:
    judged_window.show_page("judge")
    wait_until_idle()
    assert not judged_window.steps.isVisible()
    judged_window.exports.write_qrels(tmp_path / "out.qrels")
    wait_until_idle()
    assert judged_window.project is not None
    status = read_project_status(judged_window.project, date.today())  # noqa: DTZ011
    assert status.marked_stages == {"qrels"}
