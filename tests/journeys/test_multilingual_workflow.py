"""The complete workflow on the multilingual sample: every pooled document is judged by key."""

from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from irjudge.evaluation import evaluate_project, parse_measures
from irjudge.formats.rankings import read_qrels
from irjudge.judging import list_judged_rows
from irjudge.shipped import sample_folders
from irjudge.store import open_project, sample_sources
from irjudge_ui import jobs
from irjudge_ui.pages.project import ProjectRequest
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from tests.lengths import short_or_long

OpenWindow = Callable[[], Window]
Snap = Callable[..., None]
Grades = dict[tuple[str, str], int]

DEPTH, POOLED = short_or_long((3, 69), (10, 166))
EXPECTED_PAGES = {
    ("7", "zh-green-tea"), ("7", "zh-tea-table"), ("9", "ar-coffee-pot"), ("9", "ar-coffee-table"), ("10", "ar-dates-label"),
    ("11", "hi-masala-chai"), ("6", "harbour-map"), ("4", "log-book"), ("6", "phrasebook"), ("11", "hi-chai-emoji"),
}  # fmt: skip


@pytest.fixture
def gold_grades() -> Grades:
    return {
        (topic, document): grade
        for topic, document, grade in read_qrels(sample_folders()["harbour"] / "qrels.txt").rows()
    }


def click_button(qtbot: QtBot, page: QWidget, label: str) -> None:
    result = [
        each
        for each in page.findChildren(QPushButton)
        if label in (each.text(), each.accessibleName()) and each.isVisible()
    ]
    assert len(result) == 1, f"{len(result)} buttons say {label!r}"
    qtbot.mouseClick(result[0], Qt.MouseButton.LeftButton)


def wait_until_idle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=20_000)


def wait_until_ready(qtbot: QtBot, window: Window) -> None:
    """Wait until a document is completely loaded and rendered; Enter continues after a topic."""
    if window.judge.state_page:
        qtbot.keyClick(window.judge.state_page.buttons[0], Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: window.judge.can_judge and window.judge.document.complete, timeout=20_000
    )


def judge_all(qtbot: QtBot, window: Window, gold_grades: Grades, snap: Snap, full: bool) -> Grades:
    """Give each document its grade by key; return the grades that must be saved."""
    judged: Grades = {}
    while window.judge.session.count().left:
        wait_until_ready(qtbot, window)
        work = window.judge.session.current()
        pair = work.topic.id, work.document.id
        if full and pair in EXPECTED_PAGES:
            snap(window, f"harbour-{work.document.id}")
            wait_until_ready(qtbot, window)
        judged[pair] = gold_grades[pair]
        qtbot.keyClick(window.judge.document, Qt.Key(Qt.Key.Key_0 + gold_grades[pair]))
    return judged


def test_the_complete_workflow_in_many_languages(
    qtbot: QtBot,
    open_window: OpenWindow,
    settings: Settings,
    snap: Snap,
    gold_grades: Grades,
    tmp_path: Path,
    full: bool,
) -> None:
    settings.set("guard_ms", 0)
    window = open_window()
    sources, scale = sample_sources("harbour")
    # its files only: the sample is judged already
    window.make_project(ProjectRequest(tmp_path / "harbour.irjudge", sources, scale))
    wait_until_idle(qtbot)
    assert window.project.collection.document_count() == 160
    window.collection.pool_form.top.setFocus()
    window.collection.pool_form.top.selectAll()
    qtbot.keyClicks(window.collection.pool_form.top, f"{DEPTH}\r")
    click_button(qtbot, window.collection, "Build pool")
    wait_until_idle(qtbot)
    snap(window, "harbour-collection")
    click_button(qtbot, window.collection, "Judge")
    judged = judge_all(qtbot, window, gold_grades, snap, full)
    assert len(judged) == POOLED and len(EXPECTED_PAGES - judged.keys()) <= short_or_long(3, 0)
    assert {
        (topic, document): grade for topic, document, grade in list_judged_rows(window.project)
    } == judged

    qtbot.keyClick(window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    wait_until_idle(qtbot)
    qtbot.waitUntil(lambda: window.evaluation.table is not None, timeout=5000)
    snap(window, "harbour-evaluate")
    window.exports.write_qrels(tmp_path / "judged.qrels")
    window.exports.write_report(window.evaluation.table, tmp_path / "report.xlsx")
    wait_until_idle(qtbot)
    path = window.project.path
    window.close()
    check_exports(path, tmp_path, judged)


def check_exports(project_path: Path, folder: Path, judged: Grades) -> None:
    """Check that the written files have the given judgments."""
    assert {
        (topic, document): grade
        for topic, document, grade in read_qrels(folder / "judged.qrels").rows()
    } == judged
    measures = parse_measures("AP P@10 nDCG@10 RR".split())
    with open_project(project_path, writing=False) as project:
        assert project.verify().problems == ()
        expected = evaluate_project(project, measures)
    book = openpyxl.load_workbook(folder / "report.xlsx", data_only=True)
    header, *lines = book["Summary"].iter_rows(values_only=True)
    assert [line[0] for line in lines] == [run.run for run in expected.runs]
    for run, line in zip(expected.runs, lines, strict=True):
        assert [line[header.index(each.name)] for each in measures] == pytest.approx(
            list(run.summary), abs=1e-12
        )
    assert book["Judgments"].max_row == 1 + POOLED


def test_the_sample_of_the_start_page_shows_its_assessors_at_once(
    qtbot: QtBot, open_window: OpenWindow, snap: Snap
) -> None:
    window = open_window()
    click_button(qtbot, window.pages.view("home"), "harbour")
    wait_until_idle(qtbot)
    for page in ("agreement", "quality", "adjudicate"):
        window.show_page(page)
        wait_until_idle(qtbot)
        snap(window, f"harbour-{page}")
    quality, disputes = window.pages.view("quality"), window.pages.view("adjudicate")
    assert [row.name for row in quality.assessors.rows] == [
        "assessor-1",
        "assessor-2",
        "assessor-3",
    ]
    assert len([each for each in disputes.queue if each.is_split]) == 85
