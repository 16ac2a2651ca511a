"""Qrels and runs without a project: dropped on the start page, a leaderboard, a workbook."""

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
ACTIONS, TABLE = 5, 3  # at most, from the start page to a workbook and to a sorted table
DATA = Path(os.environ.get("IRJUDGE_DATA", "")) / "trec_covid"


def drop(window: Window, paths: Sequence[Path]) -> None:
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


def settle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=PATIENCE)


def board(window: Window) -> FilesView:
    page = window.pages.currentWidget()
    assert isinstance(page, FilesView) and page.isVisible()
    return page


def shown(page: FilesView, column: int) -> list[str]:
    model = page.board.table.model()
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


def press(page: FilesView, words: str) -> None:
    (made,) = (
        each for each in page.findChildren(QPushButton) if each.text() == words and each.isVisible()
    )
    made.click()


def to_a_workbook(
    window: Window, files: Sequence[Path], path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> FilesView:
    """Drop files on the start page and write a workbook: a drop, a click and a file dialog."""
    drop(window, files)
    settle(qtbot)
    page = board(window)
    if page.board.count_missing.isVisible():  # runs with different topics are not ranked until then
        page.board.count_missing.click()
        settle(qtbot)
    values = [float(value) for value in shown(page, 1)]
    assert values == sorted(values, reverse=True) and len(values) == len(page.files.runs)
    header = page.board.table.horizontalHeader()
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (
        1,
        Qt.SortOrder.DescendingOrder,
    )
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    press(page, "Report")
    settle(qtbot)
    with closing(openpyxl.load_workbook(path, read_only=True)) as book:
        assert {"Summary", "Qrels", "Settings"} <= {*book.sheetnames}
    return page


def files_of(name: str) -> tuple[Path, list[Path]]:
    return sample_folders()[name] / "qrels.txt", sorted(
        (sample_folders()[name] / "runs").glob("*.run")
    )


def test_dropped_files_are_a_leaderboard_and_then_a_workbook(
    open_a_window: OpenWindow,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    snap: Snap,
) -> None:
    qrels, runs = files_of("harbour")
    window = open_a_window()
    page = to_a_workbook(window, [*runs, qrels], tmp_path / "out.xlsx", qtbot, monkeypatch)
    snap(window, "files-alone")
    assert window.project is None and page.table is not None
    best = max(page.table.runs, key=lambda run: float(run.summary[0]))
    assert shown(page, 0)[0] == best.run and not list(tmp_path.glob("*.irjudge"))
    with closing(openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)) as book:
        said = {
            str(row[0].value): str(row[1].value)
            for row in book["How the values were computed"].iter_rows(max_col=2)
            if len(row) > 1
        }
    assert said["Qrels qrels.txt"] == f"SHA-256 {sha256(qrels.read_bytes()).hexdigest()}"
    assert {f"Run {run.name}" for run in runs} <= said.keys() and f"irjudge report {qrels}" in said[
        "Command"
    ]


def test_the_button_of_the_start_page_asks_for_files(
    open_a_window: OpenWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = files_of("everyday")
    window = open_a_window()
    monkeypatch.setattr(
        QFileDialog, "getOpenFileNames", lambda *_: ([str(path) for path in (*runs, qrels)], "")
    )
    next(
        each
        for each in window.pages.view("home").findChildren(QPushButton)
        if each.text() == "Evaluate files"
    ).click()
    settle(qtbot)
    assert len(shown(board(window), 0)) == len(runs)


def test_files_that_are_not_all_there_wait_for_the_others(
    open_a_window: OpenWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = files_of("everyday")
    odd = tmp_path / "odd.txt"
    odd.write_text("neither of\nboth is here\n", encoding="utf-8")
    window = open_a_window()
    drop(window, [*runs, odd])
    settle(qtbot)
    page = board(window)
    assert (
        page.state.isVisible()
        and "Add the qrels" in window.message.text()
        and "odd.txt" in page.problem.text()
    )
    drop(window, [qrels])
    settle(qtbot)
    assert not page.state.isVisible() and len(shown(page, 0)) == len(runs)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "kept"), ""))
    press(page, "Save as project")
    settle(qtbot)
    assert window.project is not None and {run.name for run in window.project.rankings.runs()} == {
        run.stem for run in runs
    }
    assert [each.name for each in window.project.rankings.qrels_names()] == ["qrels"]


def test_qrels_with_fractions_are_asked_about_where_they_were_dropped(
    open_a_window: OpenWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = files_of("everyday")
    odd = tmp_path / "odd.qrels"
    odd.write_text(
        "".join(
            f"{line[:-2]} {int(line.split()[3]) / 2:g}\n"
            for line in qrels.read_text().splitlines(True)
        ),
        encoding="utf-8",
    )
    window = open_a_window()
    drop(window, [*runs, odd])
    settle(qtbot)
    page = board(window)
    assert (
        page.deciding.isVisible() and '"Remap grades" "0:0,0.5:1,1:2,1.5:3"' in page.problem.text()
    )
    page.deciding.fields["grades"].setText("0:0, 0.5:1, 1:2, 1.5:3")
    page.deciding.decided.emit()
    settle(qtbot)
    assert (
        len(shown(page, 0)) == len(runs)
        and not page.deciding.isVisible()
        and not page.problem.isVisible()
    )
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.md"), ""))
    press(page, "Report")
    settle(qtbot)
    # Markdown's own signs are escaped
    said = (tmp_path / "out.md").read_text(encoding="utf-8").replace("\\", "")
    assert f"irjudge report {odd}" in said and "--grades 0:0,0.5:1,1:2,1.5:3" in said


def test_only_some_runs_are_compared_alone(open_a_window: OpenWindow, qtbot: QtBot) -> None:
    qrels, runs = files_of("harbour")
    window = open_a_window()
    drop(window, [*runs, qrels])
    settle(qtbot)
    page = board(window)
    page.board.count_missing.click()
    settle(qtbot)
    every = shown(page, 0)
    page.board.show_only(frozenset(every[-2:]))
    settle(qtbot)
    assert shown(page, 0) == every[-2:] and "1 comparisons" in page.board.basis_label.text()
    press(page, "All runs")
    settle(qtbot)
    assert shown(page, 0) == every


@pytest.mark.skipif(not DATA.is_dir(), reason="the runs of TREC-COVID are not here")
def test_trec_covid_from_the_start_page_to_a_workbook(
    open_a_window: OpenWindow,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    snap: Snap,
) -> None:
    window = open_a_window()
    files = [*sorted((DATA / "runs").iterdir()), DATA / "qrels" / "covid-round1.txt"]
    page = to_a_workbook(window, files, tmp_path / "covid.xlsx", qtbot, monkeypatch)
    snap(window, "files-covid")
    assert len(page.files.runs) == 20 and page.board.table.horizontalScrollBar().maximum() == 0
