"""A row of files takes what is dropped on it, where it can hold it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from pytestqt.qtbot import QtBot

from irjudge.formats.preview import Shown
from irjudge.store.importing import sample_sources
from irjudge_ui.pages.project.file_row import FileRow

SOURCES, _ = sample_sources("everyday")
COPY, LEFT, NONE = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def dropped(row: FileRow, *urls: QUrl) -> bool:
    """Drag something over a row and, where it is taken, drop it."""
    data = QMimeData()
    data.setUrls(list(urls))
    enter = QDragEnterEvent(QPoint(5, 5), COPY, data, LEFT, NONE)
    row.dragEnterEvent(enter)
    if enter.isAccepted():
        row.dropEvent(QDropEvent(QPointF(5, 5), COPY, data, LEFT, NONE))
    return enter.isAccepted()


def file(path: Path) -> QUrl:
    return QUrl.fromLocalFile(str(path))


def test_dropped_files_are_read_as_chosen_ones_are(qtbot: QtBot, idle: Callable[[], None]) -> None:
    row = FileRow("runs", "Runs", "")
    qtbot.addWidget(row)
    assert row.acceptDrops() and dropped(row, *map(file, SOURCES.runs))
    idle()
    assert row.ready and row.paths == SOURCES.runs


@pytest.mark.parametrize(
    ("kind", "urls", "taken"),
    [
        ("documents", [file(SOURCES.runs[0].parent)], True),
        ("runs", [file(SOURCES.runs[0].parent)], False),
        ("topics", [QUrl("https://example.org/topics.txt")], False),
        ("topics", [file(SOURCES.topics[0]), QUrl("https://example.org/topics.txt")], False),
        ("instructions", [file(SOURCES.topics[0])], True),
        ("instructions", [file(SOURCES.topics[0]), file(SOURCES.qrels[0])], False),
        ("topics", [], False),
    ],
)
def test_a_row_takes_only_what_it_can_hold(qtbot: QtBot, idle: Callable[[], None], kind: Shown, urls: list[QUrl], taken: bool) -> None:
    row = FileRow(kind, "Title", "")
    qtbot.addWidget(row)
    assert dropped(row, *urls) is taken
    idle()
    assert bool(row.chosen) is taken


def test_qrels_whose_grade_nobody_understands_ask_for_it_and_take_what_is_said(
    qtbot: QtBot, idle: Callable[[], None], tmp_path: Path
) -> None:
    (tmp_path / "q.csv").write_text("query,docid,stars\n1,a,3\n1,b,0\n")
    row = FileRow("qrels", "Qrels", "")
    qtbot.addWidget(row)
    row.choose([tmp_path / "q.csv"])
    idle()
    assert not row.ready and 'no column is understood as the grade; say which is with "Columns" "grade=stars"' in row.problem.text()
    row.deciding.fields["columns"].setText("grade=stars")
    row.deciding.fields["columns"].editingFinished.emit()
    idle()
    assert row.ready and str(row.decisions.columns) == "grade=stars"
