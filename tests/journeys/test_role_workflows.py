"""Workflows of an assessor, an organiser and a teacher: visible controls only, actions counted."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates
from irjudge.formats.rankings import read_qrels
from irjudge.judging import Session
from irjudge.store import open_project
from irjudge_ui.pages.session.session import SessionView
from tests.engine.web.session_client import Person
from tests.journeys.simulated_user import PATIENCE, CountedUser
from tests.journeys.test_action_counts import judge_all, make_pooled_project
from tests.ui.window_content import find_widget, visible_text

Snap = Callable[..., None]
# maximum numbers of actions besides a key for each document
ASSESSOR, ORGANISER, TEACHER = 4, 16, 11
PEOPLE = ("ann", "bob")


def test_an_assessor_opens_judges_and_submits_a_file(
    user: CountedUser, tmp_path: Path, qtbot: QtBot, snap: Snap
) -> None:
    with open_project(make_pooled_project(tmp_path / "course.irjudge")) as project:
        (file,) = assign_pool(
            project, parse_candidates("ann"), AssignmentOptions(topics=("1", "2")), tmp_path / "out"
        ).files
    with open_project(file.path, writing=False) as task:
        documents = Session(task).count().assigned
    user.open(file.path)
    user.click("Start as ann")
    for _ in range(documents):
        user.grade(Qt.Key.Key_1)
    snap(user.window, "road-assessor")
    user.click("Submit")
    assert "Return this file" in visible_text(
        user.front_widget
    ) and "Keep this code." in visible_text(user.front_widget)
    assert user.actions - documents <= ASSESSOR
    with open_project(file.path, writing=False) as task:
        assert Session(task).count().judged == documents


def test_an_organiser_assigns_imports_and_reports(
    user: CountedUser, tmp_path: Path, snap: Snap
) -> None:
    window = user.window
    user.click("everyday")
    user.click("Build pool", window.collection)
    user.click("Assessors", window.navigation_bar)
    user.fill(find_widget(user.page, "Assessors", QLineEdit), ", ".join(PEOPLE))
    user.prepare_file_dialog(str(tmp_path))
    user.click("Assign", user.page)
    snap(window, "road-organiser-handed-out")
    files = sorted(tmp_path.glob("*.irtask"))
    assert [each.stem for each in files] == list(PEOPLE)
    for file in files:
        judge_all(file, lambda count: count % 4)
    user.prepare_file_dialog(([str(each) for each in files], ""))
    user.click("Merge files", user.page)
    snap(window, "road-organiser-taken-back")
    user.prepare_file_dialog((str(tmp_path / "out.qrels"), ""))
    user.click("Export qrels", window.steps)
    user.click("Evaluate", window.navigation_bar)
    user.prepare_file_dialog((str(tmp_path / "out.xlsx"), ""))
    user.click("Report", user.page)
    snap(window, "road-organiser-reported")
    assert user.actions <= ORGANISER
    assert window.project is not None and len(read_qrels(tmp_path / "out.qrels")) == len(
        window.project.rankings.pool() or ()
    )
    with closing(openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)) as book:
        assert "Summary" in book.sheetnames


def test_a_teacher_shows_the_join_code_and_sees_the_class_and_its_runs(
    user: CountedUser, tmp_path: Path, qtbot: QtBot, snap: Snap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge_ui.pages.session.session.FAREWELL_SECONDS", 0.0)
    window = user.window
    user.open(make_pooled_project(tmp_path / "class.irjudge"))
    user.click("Assessors", window.navigation_bar)
    user.click("Session", user.window._tabs)
    page = user.page
    assert isinstance(page, SessionView)
    # so that the participants of this test connect on every machine
    user.choose(page.form.address, "127.0.0.1")
    user.click("Start a session")
    qtbot.waitUntil(lambda: page.controller is not None and page.status is not None)
    user.click("Full screen")
    assert page.controller is not None and page.screen_shown is not None
    code = page.controller.server.code
    assert f"{code[:4]} {code[4:]}" in visible_text(page.screen_shown), (
        "the class reads it from the wall"
    )
    pupils = [Person(page.controller.server, name) for name in PEOPLE]
    for pupil in pupils:
        pupil.sync()
        pupil.grade(pupil.open_items()[0], 1, page.project.scale.version)
        pupil.sync()
    qtbot.waitUntil(
        lambda: (
            page.status is not None
            and sum(seat.judged for seat in page.status.participants) == len(PEOPLE)
        )
    )
    snap(window, "road-teacher-screen", page.screen_shown)
    user.press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: page.screen_shown is None or not page.screen_shown.isVisible())
    assert set(PEOPLE) <= {str(row.name) for row in page.people.rows}
    user.click("End")
    user.click("End")
    qtbot.waitUntil(lambda: page.controller is None, timeout=PATIENCE)
    user.click("Evaluate", window.navigation_bar)
    assert window.evaluation.table is not None
    snap(window, "road-teacher-evaluated")
    assert user.actions <= TEACHER
