"""Tests of dropping files onto a row of files."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.formats import PreviewKind
from irjudge.store import sample_sources
from irjudge_ui.pages.project.new_project import FileRow

SOURCES, _ = sample_sources("everyday")
COPY, MOVE = Qt.DropAction.CopyAction, Qt.DropAction.MoveAction
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def drop_urls(row: FileRow, *urls: QUrl) -> bool:
    """Drag URLs over a row and, if it accepts them, drop them."""
    data = QMimeData()
    data.setUrls(list(urls))
    enter = QDragEnterEvent(QPoint(5, 5), COPY, data, LEFT, NONE)
    row.dragEnterEvent(enter)
    if enter.isAccepted():
        row.dropEvent(QDropEvent(QPointF(5, 5), COPY, data, LEFT, NONE))
    return enter.isAccepted()


def file_url(path: Path) -> QUrl:
    return QUrl.fromLocalFile(str(path))


def test_dropped_files_are_read_like_chosen_ones(
    qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    row = FileRow("runs", "Runs", "")
    qtbot.addWidget(row)
    assert row.acceptDrops() and drop_urls(row, *map(file_url, SOURCES.runs))
    wait_until_idle()
    assert row.is_ready and row.paths == SOURCES.runs


def test_a_folder_of_runs_is_read_as_its_files(
    qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    row = FileRow("runs", "Runs", "")
    qtbot.addWidget(row)
    assert drop_urls(row, file_url(SOURCES.runs[0].parent))
    wait_until_idle()
    assert row.is_ready and set(row.paths) == set(SOURCES.runs)


@pytest.mark.parametrize(("offered", "taken"), [(COPY | MOVE, True), (MOVE, False)])
def test_a_file_dragged_with_a_proposed_move_is_copied(
    qtbot: QtBot, wait_until_idle: Callable[[], None], offered: Qt.DropAction, taken: bool
) -> None:
    row, data, shift = FileRow("runs", "Runs", ""), QMimeData(), Qt.KeyboardModifier.ShiftModifier
    qtbot.addWidget(row)
    data.setUrls([file_url(SOURCES.runs[0])])
    enter = QDragEnterEvent(QPoint(5, 5), offered, data, LEFT, shift)
    over = QDragMoveEvent(QPoint(6, 6), offered, data, LEFT, shift)
    drop = QDropEvent(QPointF(5, 5), offered, data, LEFT, shift)
    for event, take in (
        (enter, row.dragEnterEvent),
        (over, row.dragMoveEvent),
        (drop, row.dropEvent),
    ):
        assert event.proposedAction() == MOVE
        take(event)
        assert (event.isAccepted(), event.dropAction()) == (
            taken,
            COPY if taken else Qt.DropAction.IgnoreAction,
        )
    wait_until_idle()
    assert bool(row.paths) is taken


@pytest.mark.parametrize(
    ("kind", "urls", "taken"),
    [
        ("documents", [file_url(SOURCES.runs[0].parent)], True),
        ("runs", [file_url(SOURCES.runs[0].parent)], True),
        ("qrels", [file_url(SOURCES.runs[0].parent)], False),
        ("topics", [QUrl("https://example.org/topics.txt")], False),
        ("topics", [file_url(SOURCES.topics[0]), QUrl("https://example.org/topics.txt")], False),
        ("instructions", [file_url(SOURCES.topics[0])], True),
        ("instructions", [file_url(SOURCES.topics[0]), file_url(SOURCES.qrels[0])], False),
        ("topics", [], False),
    ],
)
def test_a_row_accepts_only_files_it_can_hold(
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
    kind: PreviewKind,
    urls: list[QUrl],
    taken: bool,
) -> None:
    row = FileRow(kind, "Title", "")
    qtbot.addWidget(row)
    assert drop_urls(row, *urls) is taken
    wait_until_idle()
    assert bool(row.chosen) is taken


def test_qrels_with_unknown_grades_ask_for_the_grades_and_use_the_answer(
    qtbot: QtBot, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    (tmp_path / "q.csv").write_text("query,docid,stars\n1,a,3\n1,b,0\n")
    row = FileRow("qrels", "Qrels", "")
    qtbot.addWidget(row)
    row.choose([tmp_path / "q.csv"])
    wait_until_idle()
    assert (
        not row.is_ready
        and '"Columns"' in row.problem.text()
        and '"grade=stars"' in row.problem.text()
    )
    row.deciding.fields["columns"].setText("grade=stars")
    row.deciding.fields["columns"].editingFinished.emit()
    wait_until_idle()
    assert row.is_ready and str(row.decisions.columns) == "grade=stars"


@pytest.mark.parametrize("removed_by", ["user", "page"])
def test_import_options_do_not_apply_to_files_chosen_after_all_were_removed(
    qtbot: QtBot, wait_until_idle: Callable[[], None], tmp_path: Path, removed_by: str
) -> None:
    (tmp_path / "q.txt").write_text("1 0 a 3\n1 0 b 0\n")
    row = FileRow("qrels", "Qrels", "")
    qtbot.addWidget(row)
    row.choose([tmp_path / "q.txt"])
    wait_until_idle()
    row.deciding.fields["grades"].setText("0:0,3:1")
    row.deciding.fields["grades"].editingFinished.emit()
    wait_until_idle()
    assert row.grades == (0, 1)
    if removed_by == "user":
        remove_buttons(row)["q.txt"].click()
    else:
        row.choose(())
    row.choose([tmp_path / "q.txt"])
    wait_until_idle()
    assert row.grades == (0, 3) and row.deciding.fields["grades"].text() == ""


def remove_buttons(row: FileRow) -> dict[str, QPushButton]:
    """Return the buttons that remove files, by the names of the files."""
    return {
        each.text().removesuffix("  ✕"): each
        for each in row.findChildren(QPushButton, "taken")
        if not each.isHidden()
    }


def test_a_valid_file_can_be_removed_again(
    qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    row = FileRow("runs", "Runs", "")
    qtbot.addWidget(row)
    row.choose(SOURCES.runs)
    wait_until_idle()
    buttons = remove_buttons(row)
    assert list(buttons) == [path.name for path in SOURCES.runs]
    assert buttons["ql.run"].accessibleName() == "Remove ql.run: Runs"
    buttons["ql.run"].click()
    wait_until_idle()
    assert row.is_ready and row.paths == tuple(
        path for path in SOURCES.runs if path.name != "ql.run"
    )
    assert "ql.run" not in remove_buttons(row)
    while remove_buttons(row):
        next(iter(remove_buttons(row).values())).click()
        wait_until_idle()
    assert not row.chosen and not row.is_ready


def test_files_added_later_are_appended_and_replace_only_unreadable_ones(
    qtbot: QtBot, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    row = FileRow("qrels", "Qrels", "")
    qtbot.addWidget(row)
    first, invalid, second = (
        tmp_path / name for name in ("first.qrels", "wrong.csv", "second.qrels")
    )
    for path, text in (
        (first, "1 0 a 1\n"),
        (invalid, "query,docid,stars\n1,a,3\n"),
        (second, "2 0 b 0\n"),
    ):
        path.write_text(text)
    for paths in ([first], [invalid], [second, first]):
        assert drop_urls(row, *map(file_url, paths))
        wait_until_idle()
    assert row.is_ready and row.chosen == (first, second)


def test_of_many_files_the_rest_is_removed_at_once(
    qtbot: QtBot, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    row = FileRow("runs", "Runs", "")
    qtbot.addWidget(row)
    paths = [tmp_path / f"{index:02}.run" for index in range(15)]
    for path in paths:
        path.write_bytes(SOURCES.runs[0].read_bytes())
    row.choose(paths)
    wait_until_idle()
    assert len(remove_buttons(row)) == 13
    remove_buttons(row)["3 more"].click()
    wait_until_idle()
    assert row.chosen == tuple(paths[:12])


def test_import_options_are_collapsed_once_answered_or_without_files(
    qtbot: QtBot, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    row = FileRow("qrels", "Qrels", "")
    qtbot.addWidget(row)
    unsaid = tmp_path / "unsaid.csv"
    unsaid.write_text("query,docid,stars\n1,d1,4\n1,d2,0\n", encoding="utf-8")
    row.choose([unsaid])
    wait_until_idle()
    assert row.options_button.isChecked() and row.deciding and row.problem.text()
    row.deciding.fields["columns"].setText("grade=stars")
    row.deciding.fields["columns"].editingFinished.emit()
    wait_until_idle()
    assert row.is_ready and not row.options_button.isChecked()
    row.options_button.setChecked(True)  # the user expands it again: it stays expanded
    row.choose([unsaid])
    wait_until_idle()
    assert row.options_button.isChecked()
    row.choose([])
    assert not row.options_button.isChecked() and row.deciding.isHidden()


def test_the_path_to_the_hits_of_an_unknown_search_engine_is_entered_in_the_window(
    qtbot: QtBot, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    answer = tmp_path / "red shoes.json"
    hits = [{"key": "B1", "rank": 2, "product": {"name": "Red shoe"}}, {"key": "B2", "rank": 1}]
    answer.write_text(json.dumps({"result": {"items": hits}}), encoding="utf-8")
    row = FileRow("runs", "Runs", "")
    qtbot.addWidget(row)
    row.choose([answer])
    wait_until_idle()
    assert row.deciding and not row.deciding.isHidden() and '"Paths"' in row.problem.text()
    field = row.deciding.fields["paths"]
    field.setText("hits=result.items, id=key, score=rank, fields=product")
    field.editingFinished.emit()
    wait_until_idle()
    assert row.is_ready and "red shoes B1 2" in "\n".join(
        each.text() for each in row.findChildren(QLabel)
    )
    field.setText("hits=result")
    field.editingFinished.emit()
    assert not row.is_ready and "hits and id" in row.problem.text()
