"""The whole road on the sample of many languages: every document of its pool is judged by key, as the agreed grades have it."""

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

DEPTH, POOLED = short_or_long((5, 93), (10, 166))
LOOKED_AT = {
    ("7", "zh-green-tea"), ("7", "zh-tea-table"), ("9", "ar-coffee-pot"), ("9", "ar-coffee-table"), ("10", "ar-dates-label"),
    ("11", "hi-masala-chai"), ("6", "harbour-map"), ("4", "log-book"), ("6", "phrasebook"), ("11", "hi-chai-emoji"),
}  # fmt: skip


@pytest.fixture
def agreed() -> Grades:
    return {
        (topic, document): grade
        for topic, document, grade in read_qrels(sample_folders()["harbour"] / "qrels.txt").rows()
    }


def click(qtbot: QtBot, page: QWidget, words: str) -> None:
    found = [
        each
        for each in page.findChildren(QPushButton)
        if words in (each.text(), each.accessibleName()) and each.isVisible()
    ]
    assert len(found) == 1, f"{len(found)} buttons say {words!r}"
    qtbot.mouseClick(found[0], Qt.MouseButton.LeftButton)


def settle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=20_000)


def ready(qtbot: QtBot, window: Window) -> None:
    """Wait until a document is painted whole; the end of a topic is passed by Enter."""
    if window.judge.state_page:
        qtbot.keyClick(window.judge.state_page.buttons[0], Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: window.judge.can_judge and window.judge.document.complete, timeout=20_000
    )


def judge_all(qtbot: QtBot, window: Window, agreed: Grades, snap: Snap) -> Grades:
    """Give each document its grade by key; return what must be on disk."""
    judged: Grades = {}
    while window.judge.session.count().left:
        ready(qtbot, window)
        work = window.judge.session.current()
        pair = work.topic.id, work.document.id
        if pair in LOOKED_AT:
            snap(window, f"harbour-{work.document.id}")
            ready(qtbot, window)
        judged[pair] = agreed[pair]
        qtbot.keyClick(window.judge.document, Qt.Key(Qt.Key.Key_0 + agreed[pair]))
    return judged


def test_the_whole_road_in_many_languages(
    qtbot: QtBot,
    open_a_window: OpenWindow,
    settings: Settings,
    snap: Snap,
    agreed: Grades,
    tmp_path: Path,
) -> None:
    settings.set("guard_ms", 0)
    window = open_a_window()
    sources, scale = sample_sources("harbour")
    # its files alone: the sample is judged already
    window.make_project(ProjectRequest(tmp_path / "harbour.irjudge", sources, scale))
    settle(qtbot)
    assert window.project.collection.document_count() == 160
    window.collection.pool_form.top.setFocus()
    window.collection.pool_form.top.selectAll()
    qtbot.keyClicks(window.collection.pool_form.top, f"{DEPTH}\r")
    click(qtbot, window.collection, "Build pool")
    settle(qtbot)
    snap(window, "harbour-collection")
    click(qtbot, window.collection, "Judge")
    judged = judge_all(qtbot, window, agreed, snap)
    assert len(judged) == POOLED and len(LOOKED_AT - judged.keys()) <= short_or_long(2, 0)
    assert {
        (topic, document): grade for topic, document, grade in list_judged_rows(window.project)
    } == judged

    qtbot.keyClick(window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot)
    qtbot.waitUntil(lambda: window.evaluation.table is not None, timeout=5000)
    snap(window, "harbour-evaluate")
    window.exports.write_qrels(tmp_path / "judged.qrels")
    window.exports.write_report(window.evaluation.table, tmp_path / "report.xlsx")
    settle(qtbot)
    path = window.project.path
    window.close()
    check_exports(path, tmp_path, judged)


def check_exports(project_path: Path, folder: Path, judged: Grades) -> None:
    """What was written says what was judged."""
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
    qtbot: QtBot, open_a_window: OpenWindow, snap: Snap
) -> None:
    window = open_a_window()
    click(qtbot, window.pages.view("home"), "harbour")
    settle(qtbot)
    for page in ("agreement", "quality", "adjudicate"):
        window.show_page(page)
        settle(qtbot)
        snap(window, f"harbour-{page}")
    quality, disputes = window.pages.view("quality"), window.pages.view("adjudicate")
    assert [row.name for row in quality.assessors.rows] == [
        "assessor-1",
        "assessor-2",
        "assessor-3",
    ]
    assert len([each for each in disputes.queue if each.is_split]) == 85
