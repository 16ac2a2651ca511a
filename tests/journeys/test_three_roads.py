"""Three roads through the window, by what is visible alone and with counted actions: an assessor's, an organiser's and a teacher's."""

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
from tests.engine.web.browsing import Person
from tests.journeys.hands import PATIENCE, Hands
from tests.journeys.test_few_actions import judge_all, pooled
from tests.ui.window_content import find_widget, visible_text

Snap = Callable[..., None]
ASSESSOR, ORGANISER, TEACHER = 4, 16, 11  # actions beside a key for each document, at most
PEOPLE = ("ann", "bob")


def test_an_assessor_opens_a_file_judges_all_of_it_and_hands_it_in(
    hands: Hands, tmp_path: Path, qtbot: QtBot, snap: Snap
) -> None:
    with open_project(pooled(tmp_path / "course.irjudge")) as project:
        (file,) = assign_pool(
            project, parse_candidates("ann"), AssignmentOptions(topics=("1", "2")), tmp_path / "out"
        ).files
    with open_project(file.path, writing=False) as task:
        documents = Session(task).count().assigned
    hands.open(file.path)
    hands.click("Start as ann")
    for _ in range(documents):
        hands.grade(Qt.Key.Key_1)
    snap(hands.window, "road-assessor")
    hands.click("Submit")
    assert "Return this file" in visible_text(hands.shown) and "Keep this code." in visible_text(
        hands.shown
    )
    assert hands.actions - documents <= ASSESSOR
    with open_project(file.path, writing=False) as task:
        assert Session(task).count().judged == documents


def test_an_organiser_hands_out_takes_back_and_reports(
    hands: Hands, tmp_path: Path, snap: Snap
) -> None:
    window = hands.window
    hands.click("everyday")
    hands.click("Build pool", window.collection)
    hands.click("Assessors", window.rail)
    hands.fill(find_widget(hands.page, "Assessors", QLineEdit), ", ".join(PEOPLE))
    hands.will_choose(str(tmp_path))
    hands.click("Assign", hands.page)
    snap(window, "road-organiser-handed-out")
    files = sorted(tmp_path.glob("*.irtask"))
    assert [each.stem for each in files] == list(PEOPLE)
    for file in files:
        judge_all(file, lambda count: count % 4)
    hands.will_choose(([str(each) for each in files], ""))
    hands.click("Merge files", hands.page)
    snap(window, "road-organiser-taken-back")
    hands.will_choose((str(tmp_path / "out.qrels"), ""))
    hands.click("Export qrels", window.steps)
    hands.click("Evaluate", window.rail)
    hands.will_choose((str(tmp_path / "out.xlsx"), ""))
    hands.click("Report", hands.page)
    snap(window, "road-organiser-reported")
    assert hands.actions <= ORGANISER
    assert window.project is not None and len(read_qrels(tmp_path / "out.qrels")) == len(
        window.project.rankings.pool() or ()
    )
    with closing(openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)) as book:
        assert "Summary" in book.sheetnames


def test_a_teacher_shows_a_code_sees_the_class_judge_and_its_runs(
    hands: Hands, tmp_path: Path, qtbot: QtBot, snap: Snap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge_ui.pages.session.session.FAREWELL_SECONDS", 0.0)
    window = hands.window
    hands.open(pooled(tmp_path / "class.irjudge"))
    hands.click("Assessors", window.rail)
    hands.click("Session", hands.window._tabs)
    page = hands.page
    assert isinstance(page, SessionView)
    # so that the pupils of this test find it on every machine
    hands.choose(page.form.address, "127.0.0.1")
    hands.click("Start a session")
    qtbot.waitUntil(lambda: page.controller is not None and page.status is not None)
    hands.click("Full screen")
    assert page.controller is not None and page.screen_shown is not None
    code = page.controller.server.code
    assert f"{code[:4]} {code[4:]}" in visible_text(page.screen_shown), (
        "the class reads it from the wall"
    )
    pupils = [Person(page.controller.server, name) for name in PEOPLE]
    for pupil in pupils:
        pupil.sync()
        pupil.grade(pupil.open_places()[0], 1, page.project.scale.version)
        pupil.sync()
    qtbot.waitUntil(
        lambda: (
            page.status is not None
            and sum(seat.judged for seat in page.status.participants) == len(PEOPLE)
        )
    )
    snap(window, "road-teacher-screen", page.screen_shown)
    hands.press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: page.screen_shown is None or not page.screen_shown.isVisible())
    assert set(PEOPLE) <= {str(row.name) for row in page.people.rows}
    hands.click("End")
    hands.click("End")
    qtbot.waitUntil(lambda: page.controller is None, timeout=PATIENCE)
    hands.click("Evaluate", window.rail)
    assert window.evaluation.table is not None
    snap(window, "road-teacher-evaluated")
    assert hands.actions <= TEACHER
