"""The complete workflow in the window: from a sample to judgments, qrels and a workbook."""

import re
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
from irjudge.model import Scale
from irjudge.shipped import sample_folders
from irjudge.store import Sources, create_project_from_files, open_project
from irjudge_ui import jobs
from irjudge_ui.pages.shared.view import InstructionsDialog
from irjudge_ui.window import Window

OpenWindow = Callable[[], Window]
Snap = Callable[..., None]


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


def press_key(
    qtbot: QtBot,
    window: Window,
    key: Qt.Key,
    *,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Press a key in the focused widget, once keys are accepted."""
    document = window.judge.document
    qtbot.waitUntil(lambda: window.judge.can_judge and window.judge.turns.ready(), timeout=5000)
    qtbot.keyClick(document, key, modifier)


def shown_document(window: Window) -> str:
    work = window.judge.session.current()
    assert work is not None
    return work.document.id


def make_grades() -> list[int]:
    """Return thirty different grades in no particular order."""
    return [(7 * index * index + 3 * index) % 4 for index in range(30)]


def test_a_sample_is_judged_evaluated_and_exported_as_a_workbook(
    qtbot: QtBot, open_window: OpenWindow, snap: Snap, tmp_path: Path
) -> None:
    window = open_window()
    snap(window, "start")
    click_button(qtbot, window.pages.view("home"), "everyday")
    wait_until_idle(qtbot)
    assert window.collection.isVisible()

    window.collection.pool_form.top.setFocus()
    window.collection.pool_form.top.selectAll()
    qtbot.keyClicks(window.collection.pool_form.top, "10")
    qtbot.keyClick(window.collection.pool_form.top, Qt.Key.Key_Return)
    click_button(qtbot, window.collection, "Build pool")
    wait_until_idle(qtbot)
    snap(window, "collection")
    click_button(qtbot, window.collection, "Judge")
    assert window.judge.findChild(InstructionsDialog) is None, (
        "whoever wrote the instructions knows them"
    )
    qtbot.keyClick(window.judge, Qt.Key.Key_F1)
    instructions = window.judge.findChild(InstructionsDialog)
    snap(window, "instructions", instructions)
    instructions.buttons[-1].click()
    judged = grade_thirty(qtbot, window)
    snap(window, "judge")

    path = window.project.path
    window.close()
    window = open_window()
    click_button(qtbot, window.pages.view("home"), "everyday.irjudge")
    wait_until_idle(qtbot)
    assert window.judge.isVisible() and window.judge.session.count().judged == len(judged)
    assert list_rows(window) == judged
    press_key(qtbot, window, Qt.Key.Key_1)
    assert window.judge.session.count().judged == len(judged) + 1

    evaluate_and_export(qtbot, window, snap, tmp_path)
    window.close()
    check_exports(path, tmp_path)


def list_rows(window: Window) -> dict[tuple[str, str], int]:
    return {(topic, document): grade for topic, document, grade in list_judged_rows(window.project)}


def grade_thirty(qtbot: QtBot, window: Window) -> dict[tuple[str, str], int]:
    """Grade thirty documents by key, undo and redo one; return the grades that must be saved."""
    judged = {}
    for grade in make_grades():
        if window.judge.state_page:  # the end of a topic
            qtbot.keyClick(window.judge.state_page.buttons[0], Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: window.judge.can_judge, timeout=5000)
        work = window.judge.session.current()
        judged[work.topic.id, work.document.id] = grade
        press_key(qtbot, window, Qt.Key(Qt.Key.Key_0 + grade))
    assert window.judge.session.count().judged == 30
    last = list(judged)[-1]
    press_key(qtbot, window, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert shown_document(window) == last[1] and window.judge.session.count().judged == 29
    again = (judged[last] + 1) % 4
    press_key(qtbot, window, Qt.Key(Qt.Key.Key_0 + again))
    return {**judged, last: again}


def evaluate_and_export(qtbot: QtBot, window: Window, snap: Snap, folder: Path) -> None:
    qtbot.keyClick(window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    wait_until_idle(qtbot)
    qtbot.waitUntil(lambda: window.evaluation.table is not None, timeout=5000)
    # the sample's own qrels cover more of the pool than 31 judgments
    offered = window.evaluation.policy.qrels
    offered.setCurrentIndex(offered.findData("judged here"))
    offered.activated.emit(offered.currentIndex())
    wait_until_idle(qtbot)
    assert "Qrels: judged here (judgments: 31)." in window.evaluation.basis_label.text()
    snap(window, "evaluate")
    window.exports.write_qrels(folder / "judged.qrels")
    window.exports.write_report(window.evaluation.table, folder / "report.xlsx")
    wait_until_idle(qtbot)
    snap(window, "written")


def check_exports(project_path: Path, folder: Path) -> None:
    """Check that all written files agree with the event log."""
    with open_project(project_path, writing=False) as project:
        assert set(read_qrels(folder / "judged.qrels").rows()) == set(list_judged_rows(project))
        measures = parse_measures("AP P@10 nDCG@10 RR".split())
        expected = evaluate_project(project, measures)
    book = openpyxl.load_workbook(folder / "report.xlsx", data_only=True)
    header, *lines = book["Summary"].iter_rows(values_only=True)
    for run, line in zip(expected.runs, lines, strict=True):
        assert line[0] == run.run
        for measure, value in zip(measures, run.summary, strict=True):
            assert line[header.index(measure.name)] == pytest.approx(value, abs=1e-12)
    assert book["Judgments"].max_row == 1 + 31
    assert {row[1] for row in book["Qrels"].iter_rows(min_row=2, values_only=True)}


def test_a_new_project_from_files_is_previewed_then_created(
    qtbot: QtBot, open_window: OpenWindow, snap: Snap, tmp_path: Path
) -> None:
    folder = sample_folders()["everyday"]
    window = open_window()
    click_button(qtbot, window.pages.view("home"), "New project")
    rows = window.pages.view("new").rows
    rows["documents"].choose([folder / "documents.jsonl"])
    rows["topics"].choose([folder / "topics.txt"])
    rows["runs"].choose(sorted((folder / "runs").iterdir()))
    rows["qrels"].choose([folder / "judgments.csv"])
    wait_until_idle(qtbot)
    snap(window, "new-project")
    window.pages.view("new").file.setText(str(tmp_path / "mine.irjudge"))
    click_button(qtbot, window.pages.view("new"), "Create project")
    wait_until_idle(qtbot)
    assert window.collection.isVisible() and window.project.collection.document_count() == 40


def test_a_real_collection_of_html_pages_is_opened_and_read(
    qtbot: QtBot, open_window: OpenWindow, snap: Snap, data: Path, tmp_path: Path
) -> None:
    window = open_window()
    path = tmp_path / "cacm.irjudge"
    sources = Sources(
        documents=(data / "documents/cacm_html.tar.gz",),
        topics=(data / "topics/topics.cacm.txt",),
        runs=(data / "documents/runs/cacm-bm25.txt",),
        qrels=(data / "qrels/qrels.cacm.txt",),
    )
    create_project_from_files(path, sources, scale=Scale.parse("binary"))
    window.open(path)
    wait_until_idle(qtbot)
    assert window.project.collection.document_count() == 3204
    click_button(qtbot, window.collection, "Build pool")
    wait_until_idle(qtbot)
    click_button(qtbot, window.collection, "Judge")
    press_key(qtbot, window, Qt.Key.Key_1)
    assert re.fullmatch(r"CACM-\d{4}", shown_document(window))
    snap(window, "judge-html")
    qtbot.keyClick(window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    window.evaluation.policy.qrels.setCurrentIndex(
        window.evaluation.policy.qrels.findData("qrels.cacm")
    )
    window.evaluation.compute()
    wait_until_idle(qtbot)
    qtbot.waitUntil(lambda: window.evaluation.table is not None, timeout=5000)
    (run,) = window.evaluation.table.runs
    assert [f"{value:.4f}" for value in run.summary] == ["0.2744", "0.3154", "0.4543", "0.7048"]
    snap(window, "evaluate-html")
