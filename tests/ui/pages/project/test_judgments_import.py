"""Bringing judgments in: the table is shown as it is read, a person says what is otherwise, and that is remembered."""

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
from tests.ui.shown import says

ONE_WINDOW = True

Idle = Callable[[], None]
COLUMNS = "item=Task ID, worker=Who, label=Verdict"


@pytest.fixture
def first_page() -> str:
    return "collection"


@pytest.fixture
def page(open_window: Window) -> CollectionView:
    return open_window.collection


def labels(
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


def opened(page: CollectionView, path: Path, idle: Idle) -> JudgmentsDialog:
    page.judgments.preview(path)
    idle()
    dialog = page.findChildren(JudgmentsDialog)[-1]
    assert dialog.isVisible()
    return dialog


def say(dialog: JudgmentsDialog, columns: str, idle: Idle) -> None:
    dialog.deciding.fields["columns"].setText(columns)
    dialog.deciding.fields["columns"].editingFinished.emit()
    idle()


@pytest.mark.slow
def test_a_table_whose_columns_do_not_tell_asks_and_takes_what_is_said(
    page: CollectionView, idle: Idle, tmp_path: Path
) -> None:
    assert page.project is not None
    dialog = opened(page, labels(page, tmp_path / "one.csv", "w1"), idle)
    assert not dialog.can_import
    assert '"Columns"' in dialog.problem.text()
    assert '"item=Task ID,assessor=Who,grade=Verdict"' in dialog.problem.text()
    say(dialog, COLUMNS, idle)
    assert dialog.can_import and dialog.problem.text() == ""
    for column in ("item is Task ID", "assessor is Who", "grade is Verdict"):
        assert column in says(dialog)
    dialog.buttons[-1].click()
    idle()
    graded = list_grades_in_force(page.project, "w1")
    assert len(graded) == len(map_items_to_pairs(page.project)) and {
        event.payload["value"] for event in graded
    } == {2}


@pytest.mark.slow
def test_the_next_file_with_the_same_header_has_the_columns_in_the_field(
    page: CollectionView, open_window: Window, idle: Idle, tmp_path: Path
) -> None:
    dialog = opened(page, labels(page, tmp_path / "one.csv", "w1"), idle)
    say(dialog, COLUMNS, idle)
    dialog.buttons[-1].click()
    idle()
    again = opened(page, labels(page, tmp_path / "two.csv", "w2"), idle)
    assert (
        again.can_import
        and again.deciding.fields["columns"].text() == "item=Task ID,assessor=Who,grade=Verdict"
    )
    again.buttons[-1].click()
    idle()
    assert "two.csv" in open_window.message.text() and open_window.message.text() in says(page)


def test_a_wrong_word_about_columns_is_said_and_nothing_can_be_imported(
    page: CollectionView, idle: Idle, tmp_path: Path
) -> None:
    dialog = opened(
        page, labels(page, tmp_path / "one.csv", "w1", ("item", "worker", "label")), idle
    )
    assert dialog.can_import
    say(dialog, "nonsense", idle)
    assert not dialog.can_import and '"nonsense"' in dialog.problem.text()
    dialog.reject()


def test_a_file_that_is_no_table_is_said_in_the_dialog(
    page: CollectionView, idle: Idle, tmp_path: Path
) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04 broken")
    dialog = opened(page, tmp_path / "a.xlsx", idle)
    assert not dialog.can_import and "the spreadsheet is damaged" in dialog.problem.text()
    dialog.reject()


def test_closing_while_the_file_is_read_does_no_harm(
    page: CollectionView, idle: Idle, tmp_path: Path
) -> None:
    dialog = opened(
        page, labels(page, tmp_path / "one.csv", "w1", ("item", "worker", "label")), idle
    )
    dialog._read_table()
    dialog.reject()
    idle()
    assert page.project is not None and page.project.events.count() == 0


def test_asking_opens_a_file_dialog_and_no_file_means_nothing(
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


def test_a_project_open_for_reading_takes_none(window: Window) -> None:
    assert not window.collection.judgments.can_import


def enter() -> None:
    """Press Enter where the focus is, and do not let it go: the dialog may be gone by then."""
    at = QApplication.focusWidget()
    assert at is not None
    QApplication.sendEvent(
        at, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r")
    )


def test_enter_imports_what_was_read(page: CollectionView, idle: Idle, tmp_path: Path) -> None:
    assert page.project is not None
    dialog = opened(
        page, labels(page, tmp_path / "one.csv", "w1", ("item", "worker", "label")), idle
    )
    assert dialog.can_import
    enter()
    idle()
    assert list_grades_in_force(page.project, "w1")


def test_enter_in_the_field_of_columns_reads_anew_and_then_imports(
    page: CollectionView, idle: Idle, tmp_path: Path
) -> None:
    assert page.project is not None
    dialog = opened(page, labels(page, tmp_path / "one.csv", "w1"), idle)
    field = dialog.deciding.fields["columns"]
    field.setFocus()
    field.setText(COLUMNS)
    enter()
    idle()
    assert dialog.isVisible() and dialog.can_import, "what was typed is shown before it counts"
    enter()
    idle()
    assert list_grades_in_force(page.project, "w1")
