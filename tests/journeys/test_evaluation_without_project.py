"""Evaluation without a project: files dropped on the start page, a leaderboard, a workbook."""

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.shipped import sample_folders
from irjudge_ui import jobs
from irjudge_ui.pages.results import FilesView
from irjudge_ui.window import Window

OpenWindow = Callable[[], Window]
Snap = Callable[..., None]
PATIENCE = 60_000
ACTIONS, TABLE = 5, 3  # maximum numbers from the start page to a workbook and to a sorted table
DATA = Path(os.environ.get("IRJUDGE_DATA", "")) / "trec_covid"


def drop_files(window: Window, paths: Sequence[Path]) -> None:
    data = QMimeData()
    left = Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    copy = Qt.DropAction.CopyAction
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    for event in (
        QDragEnterEvent(QPoint(5, 5), copy, data, left, none),
        QDropEvent(QPointF(5, 5), copy, data, left, none),
    ):
        QApplication.sendEvent(window, event)
        assert event.isAccepted()


def wait_until_idle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=PATIENCE)


def files_page(window: Window) -> FilesView:
    page = window.pages.currentWidget()
    assert isinstance(page, FilesView) and page.isVisible()
    return page


def column_texts(page: FilesView, column: int) -> list[str]:
    model = page.board.table.model()
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


def click_button(page: FilesView, label: str) -> None:
    (made,) = (
        each for each in page.findChildren(QPushButton) if each.text() == label and each.isVisible()
    )
    made.click()


def write_workbook(
    window: Window, files: Sequence[Path], path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> FilesView:
    """Drop files on the start page and write a workbook: a drop, a click and a file dialog."""
    drop_files(window, files)
    wait_until_idle(qtbot)
    page = files_page(window)
    # until then, runs with different topics are not ranked
    if page.board.count_missing.isVisible():
        page.board.count_missing.click()
        wait_until_idle(qtbot)
    values = [float(value) for value in column_texts(page, 1)]
    assert values == sorted(values, reverse=True) and len(values) == len(page.files.runs)
    header = page.board.table.horizontalHeader()
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (
        1,
        Qt.SortOrder.DescendingOrder,
    )
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    click_button(page, "Report")
    wait_until_idle(qtbot)
    with closing(openpyxl.load_workbook(path, read_only=True)) as book:
        assert {"Summary", "Qrels", "Settings"} <= {*book.sheetnames}
    return page


def sample_files(name: str) -> tuple[Path, list[Path]]:
    return sample_folders()[name] / "qrels.txt", sorted(
        (sample_folders()[name] / "runs").glob("*.run")
    )


def test_dropped_files_give_a_leaderboard_and_a_workbook(
    open_window: OpenWindow,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    snap: Snap,
) -> None:
    qrels, runs = sample_files("harbour")
    window = open_window()
    page = write_workbook(window, [*runs, qrels], tmp_path / "out.xlsx", qtbot, monkeypatch)
    snap(window, "files-alone")
    assert window.project is None and page.table is not None
    best = max(page.table.runs, key=lambda run: float(run.summary[0]))
    assert column_texts(page, 0)[0] == best.run and not list(tmp_path.glob("*.irjudge"))
    with closing(openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)) as book:
        texts = {
            str(row[0].value): str(row[1].value)
            for row in book["How the values were computed"].iter_rows(max_col=2)
            if len(row) > 1
        }
    assert texts["Qrels qrels.txt"] == f"SHA-256 {sha256(qrels.read_bytes()).hexdigest()}"
    assert {
        f"Run {run.stem}" for run in runs
    } <= texts.keys() and f"irjudge report {qrels}" in texts["Command"]


def test_the_button_of_the_start_page_asks_for_files(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = sample_files("everyday")
    window = open_window()
    monkeypatch.setattr(
        QFileDialog, "getOpenFileNames", lambda *_: ([str(path) for path in (*runs, qrels)], "")
    )
    next(
        each
        for each in window.pages.view("home").findChildren(QPushButton)
        if each.text() == "Evaluate files"
    ).click()
    wait_until_idle(qtbot)
    assert len(column_texts(files_page(window), 0)) == len(runs)


def test_incomplete_files_wait_for_the_others(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = sample_files("everyday")
    odd = tmp_path / "odd.txt"
    odd.write_text("neither of\nboth is here\n", encoding="utf-8")
    window = open_window()
    drop_files(window, [*runs, odd])
    wait_until_idle(qtbot)
    page = files_page(window)
    assert (
        page.state.isVisible()
        and "Add the qrels" in window.message.text()
        and "odd.txt" in page.problem.text()
    )
    drop_files(window, [qrels])
    wait_until_idle(qtbot)
    assert not page.state.isVisible() and len(column_texts(page, 0)) == len(runs)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "kept"), ""))
    click_button(page, "Save as project")
    wait_until_idle(qtbot)
    assert window.project is not None and {run.name for run in window.project.rankings.runs()} == {
        run.stem for run in runs
    }
    assert [each.name for each in window.project.rankings.qrels_names()] == ["qrels"]


def test_fractional_qrels_are_asked_about_after_dropping(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = sample_files("everyday")
    odd = tmp_path / "odd.qrels"
    odd.write_text(
        "".join(
            f"{line[:-2]} {int(line.split()[3]) / 2:g}\n"
            for line in qrels.read_text().splitlines(True)
        ),
        encoding="utf-8",
    )
    window = open_window()
    drop_files(window, [*runs, odd])
    wait_until_idle(qtbot)
    page = files_page(window)
    assert (
        page.deciding.isVisible() and '"Remap grades" "0:0,0.5:1,1:2,1.5:3"' in page.problem.text()
    )
    page.deciding.fields["grades"].setText("0:0, 0.5:1, 1:2, 1.5:3")
    page.deciding.decided.emit()
    wait_until_idle(qtbot)
    assert (
        len(column_texts(page, 0)) == len(runs)
        and not page.deciding.isVisible()
        and not page.problem.isVisible()
    )
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.md"), ""))
    click_button(page, "Report")
    wait_until_idle(qtbot)
    # characters with a meaning in Markdown are escaped
    text = (tmp_path / "out.md").read_text(encoding="utf-8").replace("\\", "")
    assert f"irjudge report {odd}" in text and "--grades 0:0,0.5:1,1:2,1.5:3" in text


def test_only_selected_runs_are_compared(open_window: OpenWindow, qtbot: QtBot) -> None:
    qrels, runs = sample_files("harbour")
    window = open_window()
    drop_files(window, [*runs, qrels])
    wait_until_idle(qtbot)
    page = files_page(window)
    page.board.count_missing.click()
    wait_until_idle(qtbot)
    every = column_texts(page, 0)
    page.board.show_only(frozenset(every[-2:]))
    wait_until_idle(qtbot)
    assert column_texts(page, 0) == every[-2:] and "1 comparisons" in page.board.basis_label.text()
    click_button(page, "All runs")
    wait_until_idle(qtbot)
    assert column_texts(page, 0) == every


@pytest.mark.skipif(not DATA.is_dir(), reason="the runs of TREC-COVID are not here")
def test_trec_covid_is_evaluated_from_the_start_page(
    open_window: OpenWindow,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    snap: Snap,
) -> None:
    window = open_window()
    files = [*sorted((DATA / "runs").iterdir()), DATA / "qrels" / "covid-round1.txt"]
    page = write_workbook(window, files, tmp_path / "covid.xlsx", qtbot, monkeypatch)
    snap(window, "files-covid")
    assert len(page.files.runs) == 20 and page.board.table.horizontalScrollBar().maximum() == 0
