"""Tests of the history page: snapshots, newest first, and differences between them."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLineEdit, QPushButton

from irjudge.report import (
    compare_with_stored,
    evaluation_changes,
    store_in_project,
    stored_evaluations,
)
from irjudge.store import Project
from irjudge_ui.pages.compare.history import HistoryView
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import find_widget, label_texts, visible_text

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "history"


@pytest.fixture
def page(open_window: Window) -> HistoryView:
    view = open_window.pages.view("history")
    assert isinstance(view, HistoryView)
    return view


@pytest.fixture
def project(page: HistoryView) -> Project:
    assert page.project is not None
    return page.project


def save_snapshot(page: HistoryView, name: str, wait_until_idle: Callable[[], None]) -> None:
    find_widget(page, "Name", QLineEdit).setText(name)
    find_widget(page, "Save current values", QPushButton).click()
    wait_until_idle()


def test_without_snapshots_the_page_says_what_to_do(page: HistoryView) -> None:
    assert page.empty.isVisible() and not page.table.isVisible()
    assert find_widget(page, "Save current values", QPushButton).isEnabled()


def test_current_values_are_saved_under_the_typed_name(
    page: HistoryView, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    save_snapshot(page, "April", wait_until_idle)
    (evaluation,) = stored_evaluations(project)
    assert evaluation.name == "April" and [each.kind for each in evaluation.inputs] == [
        "qrels",
        "run",
        "run",
        "run",
        "run",
    ]
    assert (
        page.table.model().index(0, 2).data()
        == f"{evaluation.get_average('bm25', page.measure.currentText()):.4f}"
    )
    assert page.name.text() == "" and not page.difference_table.isVisible()


def test_a_second_save_waits_for_the_first_and_a_name_typed_meanwhile_is_kept(
    page: HistoryView, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    for name in ("first", "second"):
        page.name.setText(name)
        page.save_evaluation()
    wait_until_idle()
    assert [evaluation.name for evaluation in stored_evaluations(project)] == ["first"]
    assert page.name.text() == "second"
    page.save_evaluation()
    wait_until_idle()
    assert len(stored_evaluations(project)) == 2 and page.name.text() == ""


def test_no_changes_of_another_evaluation_are_shown_after_a_cancellation(
    page: HistoryView, wait_until_idle: Callable[[], None]
) -> None:
    for name in ("first", "second", "third"):
        save_snapshot(page, name, wait_until_idle)
    for cancels in (True, False):
        page.table.setCurrentIndex(page.table.model().index(2, 0))
        page.table.setCurrentIndex(page.table.model().index(1, 0))
        if cancels:
            page.cancel_jobs()
        wait_until_idle()
        assert page.verdict.isVisible() != cancels
    assert "first" in page.verdict.text()


def test_without_a_name_a_snapshot_is_named_by_its_date(
    page: HistoryView, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    save_snapshot(page, "", wait_until_idle)
    (evaluation,) = stored_evaluations(project)
    assert evaluation.name == page.name.placeholderText() != ""


def test_an_invalid_name_is_reported_and_nothing_is_saved(
    page: HistoryView, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    save_snapshot(page, "a/b", wait_until_idle)
    assert "1 to 100" in visible_text(page) and stored_evaluations(project) == ()


def test_the_selected_snapshot_is_compared_with_the_one_before(
    page: HistoryView, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    save_snapshot(page, "April", wait_until_idle)
    (april,) = stored_evaluations(project)
    worse = tuple(
        replace(each, values=each.values * 0.5, summary=each.summary * 0.5) for each in april.runs
    )
    inputs = tuple(
        replace(each, digest="0" * 64) if each.name == "ql" else each for each in april.inputs
    )
    store_in_project(
        project,
        replace(april, name="May", made="2026-12-01T00:00:00+00:00", runs=worse, inputs=inputs),
    )
    page.refresh()
    wait_until_idle()
    assert [page.table.model().index(row, 0).data() for row in (0, 1)] == ["May", "April"]
    _, may = stored_evaluations(project)
    assert tuple(page.change_rows.rows) == evaluation_changes(april, may)
    assert [each.subject for each in page.change_rows.rows] == ["Run ql"]
    measure = page.measure.currentText()
    expected = [
        pair
        for pair in compare_with_stored(may.to_evaluation(), april, tests=["t"]).pairs
        if pair.measure == measure
    ]
    assert [(pair.run_a, pair.difference, pair.p_adjusted) for pair in page.differences.rows] == [
        (pair.run_a, pair.difference, pair.p_adjusted) for pair in expected
    ]
    lower = sum(pair.p_adjusted < 0.05 for pair in expected)
    assert any(
        "April" in text and find_numbers(text)[-3:] == ["0", str(lower), str(4 - lower)]
        for text in label_texts(page)
    )
    values = [each.get_average("bm25", measure) for each in (april, may)]
    assert (
        f"bm25: {', '.join(f'{value:.4f}' for value in values)}"
        in page.trend.accessibleDescription()
    )
    page.table.setCurrentIndex(page.table.model().index(1, 0))
    wait_until_idle()
    assert not page.difference_table.isVisible() and not page.change_table.isVisible()


def test_the_changes_of_another_snapshot_are_not_shown_if_comparing_is_cancelled(
    page: HistoryView, wait_until_idle: Callable[[], None]
) -> None:
    for name in ("one", "two", "three"):
        save_snapshot(page, name, wait_until_idle)
    assert page.change_table.isVisible() or page.unchanged.isVisible()
    page.table.selectRow(1)
    page.cancel_jobs()
    assert page.chosen() is not None and page.chosen().name == "two"
    for part in (page.verdict, page.change_table, page.unchanged, page.difference_table):
        assert not part.isVisible()


def test_a_snapshot_is_not_replaced_by_another_while_it_is_computed(
    page: HistoryView, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    button = find_widget(page, "Save current values", QPushButton)
    page.name.setText("first")
    button.click()
    assert not button.isEnabled()
    page.name.setText("second")
    page.name.returnPressed.emit()
    wait_until_idle()
    assert [evaluation.name for evaluation in stored_evaluations(project)] == ["first"]
    assert page.name.text() == "second" and button.isEnabled()


def test_a_name_typed_for_one_project_is_not_used_for_another(
    page: HistoryView, open_window: Window
) -> None:
    page.name.setText("typed")
    open_window.close_project()
    assert page.name.text() == ""
