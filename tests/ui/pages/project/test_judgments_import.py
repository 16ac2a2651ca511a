"""Tests of importing judgments: preview of the table, mapping of columns, and its reuse."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFileDialog

from irjudge.judging import list_grades_in_force
from irjudge.judging.imports import map_items_to_pairs
from irjudge_ui.pages.project import CollectionView
from irjudge_ui.pages.project.file_import import JudgmentsDialog
from irjudge_ui.window import Window
from tests.ui.window_content import visible_text

ONE_WINDOW = True

Idle = Callable[[], None]
COLUMNS = "item=Task ID, worker=Who, label=Verdict"


@pytest.fixture
def first_page() -> str:
    return "collection"


@pytest.fixture
def page(open_window: Window) -> CollectionView:
    return open_window.collection


def write_labels(
    page: CollectionView,
    path: Path,
    worker: str,
    header: tuple[str, ...] = ("Task ID", "Who", "Verdict"),
) -> Path:
    assert page.project is not None
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(header)
        table.writerows((item, worker, "Relevant") for item in map_items_to_pairs(page.project))
    return path


def open_preview(page: CollectionView, path: Path, wait_until_idle: Idle) -> JudgmentsDialog:
    page.judgments.preview(path)
    wait_until_idle()
    dialog = page.findChildren(JudgmentsDialog)[-1]
    assert dialog.isVisible()
    return dialog


def enter_columns(dialog: JudgmentsDialog, columns: str, wait_until_idle: Idle) -> None:
    dialog.deciding.fields["columns"].setText(columns)
    dialog.deciding.fields["columns"].editingFinished.emit()
    wait_until_idle()


@pytest.mark.slow
def test_a_table_with_unclear_columns_asks_for_a_mapping_and_uses_it(
    page: CollectionView, wait_until_idle: Idle, tmp_path: Path
) -> None:
    assert page.project is not None
    dialog = open_preview(page, write_labels(page, tmp_path / "one.csv", "w1"), wait_until_idle)
    assert not dialog.can_import
    assert '"Columns"' in dialog.problem.text()
    assert '"item=Task ID,assessor=Who,grade=Verdict"' in dialog.problem.text()
    enter_columns(dialog, COLUMNS, wait_until_idle)
    assert dialog.can_import and dialog.problem.text() == ""
    for column in ("item is Task ID", "assessor is Who", "grade is Verdict"):
        assert column in visible_text(dialog)
    dialog.buttons[-1].click()
    wait_until_idle()
    graded = list_grades_in_force(page.project, "w1")
    assert len(graded) == len(map_items_to_pairs(page.project)) and {
        event.payload["value"] for event in graded
    } == {2}


@pytest.mark.slow
def test_the_next_file_with_the_same_header_has_the_mapping_filled_in(
    page: CollectionView, open_window: Window, wait_until_idle: Idle, tmp_path: Path
) -> None:
    dialog = open_preview(page, write_labels(page, tmp_path / "one.csv", "w1"), wait_until_idle)
    enter_columns(dialog, COLUMNS, wait_until_idle)
    dialog.buttons[-1].click()
    wait_until_idle()
    again = open_preview(page, write_labels(page, tmp_path / "two.csv", "w2"), wait_until_idle)
    assert (
        again.can_import
        and again.deciding.fields["columns"].text() == "item=Task ID,assessor=Who,grade=Verdict"
    )
    again.buttons[-1].click()
    wait_until_idle()
    assert "two.csv" in open_window.message.text() and open_window.message.text() in visible_text(
        page
    )


def test_a_mapping_that_was_filled_in_can_be_cleared_so_that_columns_are_recognised(
    page: CollectionView, wait_until_idle: Idle, tmp_path: Path
) -> None:
    assert page.project is not None
    header = ("item", "worker", "grade")  # all of them are recognised
    first = write_labels(page, tmp_path / "one.csv", "w1", header)
    importer = page.judgments
    JudgmentsDialog(page, page.project, first, "item=Task ID", importer).open()
    wait_until_idle()
    dialog = page.findChildren(JudgmentsDialog)[-1]
    assert not dialog.can_import
    enter_columns(dialog, "", wait_until_idle)
    assert dialog.can_import and dialog.problem.text() == ""
    dialog.reject()


def test_an_invalid_mapping_is_reported_and_nothing_can_be_imported(
    page: CollectionView, wait_until_idle: Idle, tmp_path: Path
) -> None:
    dialog = open_preview(
        page,
        write_labels(page, tmp_path / "one.csv", "w1", ("item", "worker", "label")),
        wait_until_idle,
    )
    assert dialog.can_import
    enter_columns(dialog, "nonsense", wait_until_idle)
    assert not dialog.can_import and '"nonsense"' in dialog.problem.text()
    dialog.reject()


def test_a_file_that_is_not_a_table_is_reported_in_the_dialog(
    page: CollectionView, wait_until_idle: Idle, tmp_path: Path
) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04 broken")
    dialog = open_preview(page, tmp_path / "a.xlsx", wait_until_idle)
    assert not dialog.can_import and "the spreadsheet is damaged" in dialog.problem.text()
    dialog.reject()


def test_the_dialog_can_be_closed_while_the_file_is_read(
    page: CollectionView, wait_until_idle: Idle, tmp_path: Path
) -> None:
    dialog = open_preview(
        page,
        write_labels(page, tmp_path / "one.csv", "w1", ("item", "worker", "label")),
        wait_until_idle,
    )
    dialog._read_table()
    dialog.reject()
    wait_until_idle()
    assert page.project is not None and page.project.events.count() == 0


def test_import_opens_a_file_dialog_and_cancelling_it_does_nothing(
    page: CollectionView, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        QFileDialog,
        "getOpenFileName",
        lambda _parent, title, *_: (asked.append(title), ("", ""))[1],
    )
    page.judgments.ask()
    assert asked == ["Import judgments"] and not page.findChildren(JudgmentsDialog)


def test_a_read_only_project_imports_nothing(window: Window) -> None:
    assert not window.collection.actions_by_id["import-judgments"].possible


def press_enter() -> None:
    """Press Enter without releasing it, since the dialog may be deleted by then."""
    at = QApplication.focusWidget()
    assert at is not None
    QApplication.sendEvent(
        at, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r")
    )


def test_enter_imports_the_previewed_table(
    page: CollectionView, wait_until_idle: Idle, tmp_path: Path
) -> None:
    assert page.project is not None
    dialog = open_preview(
        page,
        write_labels(page, tmp_path / "one.csv", "w1", ("item", "worker", "label")),
        wait_until_idle,
    )
    assert dialog.can_import
    press_enter()
    wait_until_idle()
    assert list_grades_in_force(page.project, "w1")


def test_enter_in_the_columns_field_reloads_the_preview_and_then_imports(
    page: CollectionView, wait_until_idle: Idle, tmp_path: Path
) -> None:
    assert page.project is not None
    dialog = open_preview(page, write_labels(page, tmp_path / "one.csv", "w1"), wait_until_idle)
    field = dialog.deciding.fields["columns"]
    field.setFocus()
    field.setText(COLUMNS)
    press_enter()
    wait_until_idle()
    assert dialog.isVisible() and dialog.can_import, "what was typed is shown before it counts"
    press_enter()
    wait_until_idle()
    assert list_grades_in_force(page.project, "w1")
